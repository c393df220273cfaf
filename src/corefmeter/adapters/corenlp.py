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
    """Convert JSON of CoreNLP, ``{"sentences": …, "corefs": …}``, named by its ``docId`` if any.

    Words are those of the text, ``(`` rather than ``-LRB-``.

    Parameters
    ----------
    documents
        An object, a mapping from names to objects, or several.

    Raises
    ------
    DataError
        ``bad-span`` for a mention that is not in the text.
    """
    found = []
    for one in objects_by_name(documents, _is_one):
        if one.numbered and one.value.get("docId"):
            one = Named(one.value, one.value["docId"], False)
        if "corefs" not in one.value:
            raise unannotated("<CoreNLP>", one, "coref")
        sentences = [sentence["tokens"] for sentence in one.value["sentences"]]
        text = text_of([t.get("originalText") or t["word"] for t in s] for s in sentences)
        entities = {
            chain: [_mention(m, text.sentences[m["sentNum"] - 1]) for m in mentions]
            for chain, mentions in one.value["corefs"].items()
        }
        found.append(document_of_object("<CoreNLP>", one, text, entities))
    return Corpus(found)


def _is_one(given: Any) -> bool:
    return isinstance(given, dict) and "sentences" in given


def _mention(mention: Mapping[str, Any], start: int) -> tuple[tuple[int, int], Detail]:
    """Return a mention; CoreNLP counts from 1, and its ends are exclusive."""
    span = start + mention["startIndex"] - 1, start + mention["endIndex"] - 1
    return span, Detail(head=start + mention["headIndex"] - 1)
