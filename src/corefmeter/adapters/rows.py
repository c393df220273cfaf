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
    documents: list[Document] = []
    for number, row in enumerate(_iterate_rows(rows), 1):
        name = next((str(row[field]) for field in _NAMES if field in row), None)
        named = Named(row, name or f"document {number}", name is None)
        try:
            documents += _convert_row(named)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            reason = f"the columns of the row do not hold what their names say: {error!r:.80}"
            raise _row_error("bad-value", reason, named.name) from error
    return Corpus(documents)


def _iterate_rows(given: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a data set, a table, a list, or one row."""
    if isinstance(given, Mapping):
        splits = [name for name, value in given.items() if hasattr(value, "features")]
        if splits:
            hint = f"Give one of them, such as rows[{splits[0]!r}]."
            raise _row_error(
                "bad-value", "the data set has splits: " + ", ".join(splits), hint=hint
            )
        yield given
    elif hasattr(given, "to_pylist"):  # pyarrow
        yield from given.to_pylist()
    elif hasattr(given, "to_dicts"):  # Polars
        yield from given.to_dicts()
    elif hasattr(given, "itertuples"):  # pandas
        yield from given.to_dict("records")
    elif isinstance(given, str) or not isinstance(given, Iterable):
        raise _row_error("bad-value", f"no row of a data set: {given!r:.60}")
    else:
        for row in given:
            yield from _iterate_rows(row)


def _convert_row(one: Named) -> Iterator[Document]:
    """Yield the parts of a document of CoNLL-2012, or the one document of another row."""
    row = one.value
    if "sentences" not in row:
        raise _missing_column("sentences", row, one)
    sentences = _as_lists(row["sentences"])
    if "mention_clusters" in row or "coref_chains" in row:
        yield _convert_clusters(one, sentences)
        return
    parts: dict[int, list[Any]] = {}
    for sentence in sentences:
        if not isinstance(sentence, Mapping):
            raise _missing_column("mention_clusters", row, one)
        if "coref_spans" not in sentence:
            raise _missing_column("coref_spans", sentence, one)
        parts.setdefault(sentence["part_id"], []).append(sentence)
    for part, part_sentences in parts.items():
        entities: dict[int, list[Any]] = {}
        for number, sentence in enumerate(part_sentences):
            for entity, first, last in sentence["coref_spans"]:
                entities.setdefault(entity, []).append((number, first, last + 1))
        words = [sentence["words"] for sentence in part_sentences]
        yield _document_of_sentences(one, words, entities.values(), part=part)


def _convert_clusters(one: Named, sentences: Sequence[Any]) -> Document:
    """Return the document of a row of ``coref_chains``, which give the last word of a mention, or
    of ``mention_clusters``, which give its end.
    """
    is_inclusive = "coref_chains" in one.value
    clusters = _as_lists(one.value["coref_chains" if is_inclusive else "mention_clusters"])
    words = [
        [token["text"] for token in sentence["tokens"]]
        if isinstance(sentence, Mapping)
        else sentence
        for sentence in sentences
    ]
    mentions = [
        [(sentence, begin, end + int(is_inclusive)) for sentence, begin, end in cluster]
        for cluster in clusters
    ]
    return _document_of_sentences(one, words, mentions)


def _as_lists(value: Any) -> Any:
    """Return the value of a cell, with arrays such as those of NumPy as lists."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {name: _as_lists(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple) and value and not isinstance(value[0], str | int):
        return list(map(_as_lists, value))
    return value


def _missing_column(column: str, row: Mapping[str, Any], one: Named) -> DataError:
    """Return the error for a row without a column that is needed."""
    columns = ", ".join(map(repr, row)) or "no column"
    return _row_error("missing-field", f"no {column!r} in a row that has {columns:.200}", one.name)


def _row_error(code: str, reason: str, name: str | None = None, hint: str = _HINT) -> DataError:
    return DataError(Problem(code, reason, "error", path="<rows>", hint=hint, document=name))


def _document_of_sentences(
    one: Named, sentences: Sequence[Sequence[str]], clusters: Iterable[Iterable[Any]], **values: Any
) -> Document:
    """Return a document whose mentions are sentence, begin and end, the end exclusive."""
    lists = all(isinstance(sentence, list | tuple) for sentence in sentences)
    if not lists or not all(isinstance(word, str) for sentence in sentences for word in sentence):
        raise _row_error("bad-value", "the sentences are not lists of words", one.name)
    starts = [*accumulate(map(len, sentences), initial=0)]
    entities: dict[int, list[Any]] = {}
    for name, cluster in enumerate(clusters):
        for sentence, begin, end in cluster:
            length = len(sentences[sentence]) if 0 <= sentence < len(sentences) else 0
            if not 0 <= begin < end <= length:
                content = f"{length} words in that sentence"
                raise bad_span("<rows>", one, (sentence, begin, end), content)
            start = starts[sentence]
            entities.setdefault(name, []).append((start + begin, start + end))
    return document_of_object("<rows>", one, text_of(sentences), entities, **values)
