"""The JSON of CoreNLP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corefmeter.adapters.made import (
    Named,
    document_of_object,
    objects_by_name,
    text_of,
    unannotated,
)
from corefmeter.calls import checked_call
from corefmeter.corpus.model import Corpus
from corefmeter.corpus.text import Detail


@checked_call()
def from_corenlp(documents: Any) -> Corpus:
    """Convert CoreNLP JSON, ``{"sentences": …, "corefs": …}``; its ``docId`` is the name.

    Words are written as in the text: ``(``, not ``-LRB-``.

    Parameters
    ----------
    documents
        An object, a mapping from names to objects, or several.

    Raises
    ------
    DataError
        ``bad-span`` for a mention that is not in the text.
    """
    converted = []
    for named in objects_by_name(documents, _is_document):
        if named.numbered and named.value.get("docId"):
            named = Named(named.value, named.value["docId"], False)
        if "corefs" not in named.value:
            raise unannotated("<CoreNLP>", named, "coref")
        sentences = [sentence["tokens"] for sentence in named.value["sentences"]]
        text = text_of([t.get("originalText") or t["word"] for t in s] for s in sentences)
        entities = {
            chain: [_convert_mention(m, text.sentences[m["sentNum"] - 1]) for m in mentions]
            for chain, mentions in named.value["corefs"].items()
        }
        converted.append(document_of_object("<CoreNLP>", named, text, entities))
    return Corpus(converted)


def _is_document(value: Any) -> bool:
    return isinstance(value, dict) and "sentences" in value


def _convert_mention(mention: Mapping[str, Any], start: int) -> tuple[tuple[int, int], Detail]:
    """Convert a mention of the sentence that begins at token `start`.

    CoreNLP counts the tokens of a sentence from 1, and its ends are exclusive.
    """
    span = start + mention["startIndex"] - 1, start + mention["endIndex"] - 1
    return span, Detail(head=start + mention["headIndex"] - 1)
