"""Rows of `datasets`, as the hub has CoNLL-2012, PreCo and LitBank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from corefmeter.adapters.made import Named, bad_span, made, text_of, unannotated
from corefmeter.calls import called
from corefmeter.corpus.model import Corpus, Document

#: What may name a row.
_NAMES = ("document_id", "doc_name", "id")


@called()
def from_rows(rows: Any) -> Corpus:
    """Rows of a data set of the hub, recognised by their columns.

    ``coref_spans`` in each of the ``sentences``, as in ``conll2012_ontonotesv5``: entity, first
    and last word. ``mention_clusters`` beside ``sentences``, as in PreCo: sentence, begin, end.
    ``coref_chains`` beside ``sentences``, as in ``litbank_raw`` and the collection ``indiscrim``:
    sentence, first and last word. A row of CoNLL-2012 has all parts of a document.

    Parameters
    ----------
    rows
        A `datasets.Dataset`, or any rows.

    Raises
    ------
    DataError
        ``missing-field`` for other rows, ``bad-span`` for a mention that is not in the text.
    """
    found: list[Document] = []
    for number, row in enumerate([rows] if isinstance(rows, Mapping) else rows, 1):
        name = next((str(row[field]) for field in _NAMES if field in row), None)
        found += _of_row(Named(row, name or f"document {number}", name is None))
    return Corpus(found)


def _of_row(one: Named) -> Iterator[Document]:
    """The parts of a document of CoNLL-2012, or the one document of another row."""
    row, sentences = one.value, one.value.get("sentences")
    if sentences is None:
        raise unannotated("<rows>", one, "sentences")
    if "mention_clusters" in row or "coref_chains" in row:
        last = int("coref_chains" in row)
        clusters = row["coref_chains" if last else "mention_clusters"]
        lists = [[w["text"] for w in s["tokens"]] if isinstance(s, Mapping) else s
                 for s in sentences]  # fmt: skip
        yield _in_sentences(one, lists, [[(s, b, e + last) for s, b, e in c] for c in clusters])
        return
    parts: dict[int, list[Any]] = {}
    for sentence in sentences:
        parts.setdefault(sentence["part_id"], []).append(sentence)
    for part, found in parts.items():
        if "coref_spans" not in found[0]:
            raise unannotated("<rows>", one, "coref_spans")
        entities: dict[int, list[Any]] = {}
        for number, sentence in enumerate(found):
            for entity, first, end in sentence["coref_spans"]:
                entities.setdefault(entity, []).append((number, first, end + 1))
        yield _in_sentences(one, [s["words"] for s in found], entities.values(), part=part)


def _in_sentences(
    one: Named, sentences: Sequence[Sequence[str]], clusters: Iterable[Iterable[Any]], **values: Any
) -> Document:
    """A document whose mentions are sentence, begin and end, the end exclusive."""
    starts = [*accumulate(map(len, sentences), initial=0)]
    entities: dict[int, list[Any]] = {}
    for name, cluster in enumerate(clusters):
        for sentence, begin, end in cluster:
            there = len(sentences[sentence]) if 0 <= sentence < len(sentences) else 0
            if not 0 <= begin < end <= there:
                raise bad_span(
                    "<rows>", one, (sentence, begin, end), f"{there} words in that sentence"
                )
            entities.setdefault(name, []).append((starts[sentence] + begin, starts[sentence] + end))
    return made("<rows>", one, text_of(sentences), entities, **values)
