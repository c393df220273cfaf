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
    """JSON of CoreNLP: ``{"sentences": …, "corefs": …}``, called by its ``docId`` if it has one.

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
    for one in objects_by_name(
        documents, lambda given: isinstance(given, dict) and "sentences" in given
    ):
        if one.numbered and one.value.get("docId"):
            one = Named(one.value, one.value["docId"], False)
        sentences = [sentence["tokens"] for sentence in one.value["sentences"]]
        text = text_of([t.get("originalText") or t["word"] for t in s] for s in sentences)
        if "corefs" not in one.value:
            raise unannotated("<CoreNLP>", one, "coref")
        found.append(
            document_of_object(
                "<CoreNLP>",
                one,
                text,
                {
                    chain: [_of_corenlp(m, text.sentences[m["sentNum"] - 1]) for m in mentions]
                    for chain, mentions in one.value["corefs"].items()
                },
            )
        )
    return Corpus(found)


def _of_corenlp(mention: Mapping[str, Any], start: int) -> tuple[tuple[int, int], Detail]:
    """CoreNLP counts from 1, and ends are exclusive."""
    span = start + mention["startIndex"] - 1, start + mention["endIndex"] - 1
    return span, Detail(head=start + mention["headIndex"] - 1)
