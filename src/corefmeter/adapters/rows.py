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
    "in addition to sentences that are lists of words."
)


@checked_call()
def from_rows(rows: Any) -> Corpus:
    """Convert rows of a Hugging Face data set; their columns determine how they are read.

    In ``conll2012_ontonotesv5``, each of the ``sentences`` has ``coref_spans`` (entity, first and
    last word), and a row has all parts of a document. In PreCo, ``mention_clusters`` are next to
    ``sentences`` (sentence, begin, end). In ``litbank_raw`` and the collection ``indiscrim``,
    ``coref_chains`` are next to ``sentences`` (sentence, first and last word).

    Parameters
    ----------
    rows
        A `datasets.Dataset` in any format, a table of pandas, Polars or pyarrow, or any rows.

    Raises
    ------
    DataError
        ``missing-field`` for other rows, ``bad-value`` for a data set with several splits or
        columns with other values, ``bad-span`` for a mention that is not in the text.
    """
    documents: list[Document] = []
    for number, row in enumerate(_iterate_rows(rows), 1):
        name = next((str(row[field]) for field in _NAMES if field in row), None)
        named = Named(row, name or f"document {number}", name is None)
        try:
            documents += _convert_row(named)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            reason = f"a column of the row has unexpected values: {error!r:.80}"
            raise _row_error("bad-value", reason, named.name) from error
    return Corpus(documents)


def _iterate_rows(rows: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(rows, Mapping):
        splits = [name for name, value in rows.items() if hasattr(value, "features")]
        if splits:
            hint = f"Give one of them, such as rows[{splits[0]!r}]."
            reason = f"the data set has splits: {', '.join(splits)}"
            raise _row_error("bad-value", reason, hint=hint)
        yield rows
    elif hasattr(rows, "to_pylist"):  # pyarrow
        yield from rows.to_pylist()
    elif hasattr(rows, "to_dicts"):  # Polars
        yield from rows.to_dicts()
    elif hasattr(rows, "itertuples"):  # pandas
        yield from rows.to_dict("records")
    elif isinstance(rows, str) or not isinstance(rows, Iterable):
        raise _row_error("bad-value", f"not a row of a data set: {rows!r:.60}")
    else:
        for row in rows:
            yield from _iterate_rows(row)


def _convert_row(named: Named) -> Iterator[Document]:
    """Yield the parts of a document of CoNLL-2012, or the one document of another row."""
    row = named.value
    if "sentences" not in row:
        raise _missing_column("sentences", row, named)
    sentences = _as_lists(row["sentences"])
    if "mention_clusters" in row or "coref_chains" in row:
        yield _convert_clusters(named, sentences)
        return
    parts: dict[int, list[Any]] = {}
    for sentence in sentences:
        if not isinstance(sentence, Mapping):
            raise _missing_column("mention_clusters", row, named)
        if "coref_spans" not in sentence:
            raise _missing_column("coref_spans", sentence, named)
        parts.setdefault(sentence["part_id"], []).append(sentence)
    for part, part_sentences in parts.items():
        entities: dict[int, list[Any]] = {}
        for number, sentence in enumerate(part_sentences):
            for entity, first, last in sentence["coref_spans"]:
                entities.setdefault(entity, []).append((number, first, last + 1))
        words = [sentence["words"] for sentence in part_sentences]
        yield _document_of_sentences(named, words, entities.values(), part=part)


def _convert_clusters(named: Named, sentences: Sequence[Any]) -> Document:
    """Return the document of a row with ``coref_chains`` or ``mention_clusters``.

    Chains have the last word of a mention, clusters the word after it.
    """
    is_inclusive = "coref_chains" in named.value
    clusters = _as_lists(named.value["coref_chains" if is_inclusive else "mention_clusters"])
    words = list(map(_words_of, sentences))
    mentions = [
        [(sentence, begin, end + int(is_inclusive)) for sentence, begin, end in cluster]
        for cluster in clusters
    ]
    return _document_of_sentences(named, words, mentions)


def _words_of(sentence: Any) -> Any:
    is_list = not isinstance(sentence, Mapping)
    return sentence if is_list else [token["text"] for token in sentence["tokens"]]


def _as_lists(value: Any) -> Any:
    """Return the value of a cell, with arrays such as those of NumPy as lists."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {name: _as_lists(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple) and value and not isinstance(value[0], str | int):
        return list(map(_as_lists, value))
    return value


def _missing_column(column: str, row: Mapping[str, Any], named: Named) -> DataError:
    columns = ", ".join(map(repr, row)) or "no column"
    reason = f"no {column!r} in a row that has {columns:.200}"
    return _row_error("missing-field", reason, named.name)


def _row_error(code: str, reason: str, name: str | None = None, hint: str = _HINT) -> DataError:
    return DataError(Problem(code, reason, "error", path="<rows>", hint=hint, document=name))


def _document_of_sentences(
    named: Named, sentences: Sequence[Any], clusters: Iterable[Iterable[Any]], **values: Any
) -> Document:
    """Return a document whose mentions are sentence, begin and end, the end exclusive."""
    lists = all(isinstance(sentence, list | tuple) for sentence in sentences)
    if not lists or not all(isinstance(word, str) for sentence in sentences for word in sentence):
        raise _row_error("bad-value", "the sentences are not lists of words", named.name)
    starts = [*accumulate(map(len, sentences), initial=0)]
    entities: dict[int, list[Any]] = {}
    for name, cluster in enumerate(clusters):
        for sentence, begin, end in cluster:
            length = len(sentences[sentence]) if 0 <= sentence < len(sentences) else 0
            if not 0 <= begin < end <= length:
                reason = f"the sentence has {length} words"
                raise bad_span("<rows>", named, (sentence, begin, end), reason)
            start = starts[sentence]
            entities.setdefault(name, []).append((start + begin, start + end))
    return document_of_object("<rows>", named, text_of(sentences), entities, **values)
