"""The census of corpora as tables, JSON and CSV: files side by side."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any

from corefmeter.corpus.census import Census, bucketed, mean, median
from corefmeter.labels import labels, numbered
from corefmeter.reports.simple import write_tables
from corefmeter.reports.tables import Table

#: Version of the JSON.
SCHEMA = 1

#: A file, the name that was given to it, its format, and its census.
Counted = tuple[str, str | None, str, Census]

_SIZES = [1, 2, 3, 4, 5, 10, 20, 50]
_LENGTHS = [0, 1, 2, 3, 4, 5, 10, 20]
_TOKENS = [0, 1, 5, 10, 20, 50, 100, 500]
_SENTENCES = [0, 1, 2, 3, 5, 10, 20]

_UNKNOWN = "\N{EN DASH}"


def write_census(counted: Sequence[Counted], format: str, stream: IO[str]) -> None:
    """Write the census of one or more files."""
    if format == "json":
        files = [
            {"path": path, **({} if name is None else {"name": name}), "format": format_of}
            | found.to_dict()
            for path, name, format_of, found in counted
        ]
        document = {"schema": SCHEMA, "files": files}
        stream.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")
    elif format == "csv":
        _write_csv(counted, stream)
    else:
        write_tables(list(_tables(counted)), [], format, stream)


def _write_csv(counted: Sequence[Counted], stream: IO[str]) -> None:
    """One row for each number of each file."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["file", "statistic", "value", "count"])
    given = [name for _, name, _, _ in counted]
    shown = numbered([name or path for path, name, _, _ in counted], given)
    for path, (_, _, _, found) in zip(shown, counted, strict=True):
        for statistic, value in found.to_dict().items():
            if isinstance(value, dict):
                writer.writerows([path, statistic, key, number] for key, number in value.items())
            else:
                writer.writerow([path, statistic, "", value])


def _tables(counted: Sequence[Counted]) -> Iterator[Table]:
    """The overview, then the distributions that are known."""
    names = labels([path for path, _, _, _ in counted], [name for _, name, _, _ in counted])
    all_counts = [found for _, _, _, found in counted]
    yield Table(["", *names], [[title, *map(cell, all_counts)] for title, cell in _OVERVIEW])
    for caption, field, limits in _DISTRIBUTIONS:
        if any(getattr(found, field) for found in all_counts):
            yield _distribution(caption, field, limits, names, all_counts)
    for caption, field in (("Mentions by kind", "kinds"), ("Mentions by type", "types")):
        if any(getattr(found, field) for found in all_counts):
            yield _categories(caption, field, names, all_counts)


def _known(field: str, value: Callable[[Census], str]) -> Callable[[Census], str]:
    """A cell that is empty where no document tells the field."""
    return lambda found: value(found) if found.documents_with[field] else _UNKNOWN


def _number(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{value:.2f}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else _UNKNOWN


_OVERVIEW: list[tuple[str, Callable[[Census], str]]] = [
    ("documents", lambda c: str(c.documents)),
    ("tokens", _known("tokens", lambda c: str(c.tokens))),
    ("sentences", _known("sentences", lambda c: str(c.sentences))),
    ("mentions", lambda c: str(c.mentions)),
    ("  per 100 tokens",
     _known("tokens", lambda c: _number(100 * c.mentions / c.tokens if c.tokens else None))),
    ("  discontinuous", _known("positions", lambda c: str(c.discontinuous))),
    ("  empty nodes", _known("positions", lambda c: str(c.empty))),
    ("  repeated", lambda c: str(c.repeated)),
    ("entities", lambda c: str(c.entities)),
    ("  singletons", lambda c: str(c.singletons)),
    ("  share of singletons", lambda c: _share(c.singletons, c.entities)),
    ("mentions per entity, mean", lambda c: _number(mean(c.sizes))),
    ("  without singletons", lambda c: _number(mean(_without(c.sizes, 1)))),
    ("  largest", lambda c: str(max(c.sizes, default=0))),
    ("tokens per mention, mean", _known("positions", lambda c: _number(mean(c.lengths)))),
    ("  longest", _known("positions", lambda c: str(max(c.lengths, default=0)))),
    ("tokens to antecedent, mean",
     _known("positions", lambda c: _number(mean(c.token_distances)))),
    ("  median", _known("positions", lambda c: _number(median(c.token_distances)))),
    ("sentences to antecedent, mean",
     _known("sentences", lambda c: _number(mean(c.sentence_distances)))),
]  # fmt: skip

_DISTRIBUTIONS = [
    ("Entities by number of mentions", "sizes", _SIZES),
    ("Mentions by number of tokens", "lengths", _LENGTHS),
    ("Mentions by tokens to their antecedent", "token_distances", _TOKENS),
    ("Mentions by sentences to their antecedent", "sentence_distances", _SENTENCES),
]


def _without(counts: Counter[int], value: int) -> Counter[int]:
    return Counter({key: count for key, count in counts.items() if key != value})


def _distribution(
    caption: str, field: str, limits: list[int], names: list[str], counts: list[Census]
) -> Table:
    """Ranges as rows; count and share of each file as columns."""
    columns = [bucketed(getattr(found, field), limits) for found in counts]
    titles = [t for t in columns[0] if t != "0" or any(column[t] for column in columns)]
    return _table(caption, titles, columns, names)


def _categories(caption: str, field: str, names: list[str], counts: list[Census]) -> Table:
    """Categories as rows, and the mentions of which none is known."""
    columns: list[dict[str, int]] = []
    for found in counts:
        known: Counter[str] = getattr(found, field)
        column = dict(known)
        if known.total() < found.mentions:
            column["unknown"] = found.mentions - known.total()
        columns.append(column)
    titles = sorted({title for column in columns for title in column} - {"unknown"})
    unknown = ["unknown"] if any("unknown" in column for column in columns) else []
    return _table(caption, titles + unknown, columns, names)


def _table(
    caption: str, titles: list[str], columns: Sequence[dict[str, Any]], names: list[str]
) -> Table:
    """Count and share of each title and file."""
    sums = [sum(column.values()) for column in columns]
    rows = []
    for title in titles:
        numbers = [column.get(title, 0) for column in columns]
        shares = [_share(number, total) for number, total in zip(numbers, sums, strict=True)]
        rows.append([title, *(f"{n} ({s})" for n, s in zip(numbers, shares, strict=True))])
    return Table(["", *names], rows, caption=caption)
