"""Rows of `datasets`, as the hub has CoNLL-2012, PreCo and LitBank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from corefmeter.adapters.made import Named, bad_span, document_of_object, text_of
from corefmeter.calls import checked_call
from corefmeter.corpus.model import Corpus, Document
from corefmeter.problems import DataError, Problem

#: What may name a row.
_NAMES = ("document_id", "doc_name", "id")

_HINT = (
    "A row has sentences, each with words and coref_spans; or mention_clusters or coref_chains "
    "beside sentences that are lists of words."
)


@checked_call()
def from_rows(rows: Any) -> Corpus:
    """Convert rows of a data set of the hub, recognized by their columns.

    ``coref_spans`` in each of the ``sentences``, as in ``conll2012_ontonotesv5``: entity, first
    and last word. ``mention_clusters`` beside ``sentences``, as in PreCo: sentence, begin, end.
    ``coref_chains`` beside ``sentences``, as in ``litbank_raw`` and the collection ``indiscrim``:
    sentence, first and last word. A row of CoNLL-2012 has all parts of a document.

    Parameters
    ----------
    rows
        A `datasets.Dataset` in any format, a table of pandas, Polars or pyarrow, or any rows.

    Raises
    ------
    DataError
        ``missing-field`` for other rows, ``bad-value`` for a data set of several splits or columns
        of other values, ``bad-span`` for a mention that is not in the text.
    """
    found: list[Document] = []
    for number, row in enumerate(_rows(rows), 1):
        name = next((str(row[field]) for field in _NAMES if field in row), None)
        one = Named(row, name or f"document {number}", name is None)
        try:
            found += _of_row(one)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            reason = f"the columns of the row do not hold what their names say: {error!r:.80}"
            raise _refused("bad-value", reason, one.name) from error
    return Corpus(found)


def _rows(given: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a data set, a table, a list, or one row."""
    if isinstance(given, Mapping):
        splits = [name for name, value in given.items() if hasattr(value, "features")]
        if splits:
            hint = f"Give one of them, such as rows[{splits[0]!r}]."
            raise _refused("bad-value", "the data set has splits: " + ", ".join(splits), hint=hint)
        yield given
    elif hasattr(given, "to_pylist"):  # pyarrow
        yield from given.to_pylist()
    elif hasattr(given, "to_dicts"):  # Polars
        yield from given.to_dicts()
    elif hasattr(given, "itertuples"):  # pandas
        yield from given.to_dict("records")
    elif isinstance(given, str) or not isinstance(given, Iterable):
        raise _refused("bad-value", f"no row of a data set: {given!r:.60}")
    else:
        for row in given:
            yield from _rows(row)


def _of_row(one: Named) -> Iterator[Document]:
    """Yield the parts of a document of CoNLL-2012, or the one document of another row."""
    row = one.value
    if "sentences" not in row:
        raise _without("sentences", row, one)
    sentences = _plain(row["sentences"])
    if "mention_clusters" in row or "coref_chains" in row:
        last = int("coref_chains" in row)
        clusters = _plain(row["coref_chains" if last else "mention_clusters"])
        lists = [
            [w["text"] for w in s["tokens"]] if isinstance(s, Mapping) else s for s in sentences
        ]
        yield _in_sentences(one, lists, [[(s, b, e + last) for s, b, e in c] for c in clusters])
        return
    parts: dict[int, list[Any]] = {}
    for sentence in sentences:
        if not isinstance(sentence, Mapping):
            raise _without("mention_clusters", row, one)
        if "coref_spans" not in sentence:
            raise _without("coref_spans", sentence, one)
        parts.setdefault(sentence["part_id"], []).append(sentence)
    for part, found in parts.items():
        entities: dict[int, list[Any]] = {}
        for number, sentence in enumerate(found):
            for entity, first, end in sentence["coref_spans"]:
                entities.setdefault(entity, []).append((number, first, end + 1))
        yield _in_sentences(one, [s["words"] for s in found], entities.values(), part=part)


def _plain(value: Any) -> Any:
    """Return the value of a cell, with arrays such as those of NumPy as lists."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple) and value and not isinstance(value[0], str | int):
        return list(map(_plain, value))
    return value


def _without(column: str, row: Mapping[str, Any], one: Named) -> DataError:
    """Return the error for a row without a column that is needed."""
    there = ", ".join(map(repr, row)) or "no column"
    return _refused("missing-field", f"no {column!r} in a row that has {there:.200}", one.name)


def _refused(code: str, reason: str, name: str | None = None, hint: str = _HINT) -> DataError:
    return DataError(Problem(code, reason, "error", path="<rows>", hint=hint, document=name))


def _in_sentences(
    one: Named, sentences: Sequence[Sequence[str]], clusters: Iterable[Iterable[Any]], **values: Any
) -> Document:
    """Return a document whose mentions are sentence, begin and end, the end exclusive."""
    lists = all(isinstance(sentence, list | tuple) for sentence in sentences)
    if not lists or not all(isinstance(word, str) for sentence in sentences for word in sentence):
        raise _refused("bad-value", "the sentences are not lists of words", one.name)
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
    return document_of_object("<rows>", one, text_of(sentences), entities, **values)
