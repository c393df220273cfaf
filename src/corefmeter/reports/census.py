"""The census of corpora: files side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from corefmeter.corpus.census import UNNAMED, Census, bucketed, mean, median
from corefmeter.labels import labels, number_repeated
from corefmeter.problems import Problem
from corefmeter.reports.tables import MISSING, Cell, Number, Report, Table


class Counted(NamedTuple):
    """A file with the name that was given to it, its format, census and problems."""

    path: str
    name: str | None
    format: str
    census: Census
    problems: Sequence[Problem]


class CensusReport(Report):
    """The census of one or more files."""

    def __init__(self, counted: Sequence[Counted]) -> None:
        self.counted = counted

    def document(self) -> dict[str, Any]:
        """Return all numbers of each file."""
        files = []
        for file in self.counted:
            name = {} if file.name is None else {"name": file.name}
            problems = [problem.to_dict() for problem in file.problems]
            place = {"path": file.path, **name, "format": file.format}
            files.append({**place, **file.census.to_dict(), "problems": problems})
        return {"schema": 1, "files": files}

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield a row for each number of each file."""
        yield ("file", "statistic", "value", "count")
        given = [file.name for file in self.counted]
        names = number_repeated([file.name or file.path for file in self.counted], given)
        for name, file in zip(names, self.counted, strict=True):
            for statistic, value in file.census.to_dict().items():
                if isinstance(value, dict):
                    yield from ((name, statistic, key, number) for key, number in value.items())
                else:
                    yield (name, statistic, "", value)

    def tables(self) -> list[Table]:
        """Return the overview, then the distributions that are known."""
        names = labels([file.path for file in self.counted], [file.name for file in self.counted])
        censuses = [file.census for file in self.counted]
        related = [(title, count) for title, count in _RELATED if any(map(count, censuses))]
        rows = [[title, *map(count, censuses)] for title, count in _OVERVIEW + related]
        distributions = _distribution_tables(censuses, names)
        return [Table(["", *names], rows), *distributions, *_category_tables(censuses, names)]


def _distribution_tables(censuses: Sequence[Census], names: list[str]) -> Iterator[Table]:
    """Yield a table for each distribution by a number that any file has."""
    for caption, field, limits in _DISTRIBUTIONS:
        if any(getattr(census, field) for census in censuses):
            columns = [bucketed(getattr(census, field), limits) for census in censuses]
            has_zero = any(column.get("0") for column in columns)
            ranges = [name for name in columns[0] if name != "0" or has_zero]
            yield _share_table(caption, ranges, columns, names)


def _category_tables(censuses: Sequence[Census], names: list[str]) -> Iterator[Table]:
    """Yield a table for each division into categories that any file names; unnamed ones last."""
    for caption, field, total in _CATEGORIES:
        if any(getattr(census, field).keys() - {UNNAMED} for census in censuses):
            columns = [_count_unnamed(getattr(c, field), total(c)) for c in censuses]
            categories = {name for column in columns for name in column}
            ordered = sorted(categories, key=lambda name: (name == UNNAMED, name))
            yield _share_table(caption, ordered, columns, names)


def _count_unnamed(counts: Counter[str], total: int) -> dict[str, int]:
    """Return counts by category that add up to `total`; the rest has no category."""
    counts = Counter(counts)
    counts[UNNAMED] += total - counts.total()
    return +counts


def _if_any(field: str, value: Callable[[Census], Cell]) -> Callable[[Census], Cell]:
    """Return a function whose cell is empty where no document has the field."""
    return lambda found: value(found) if found.documents_with[field] else None


def _number_cell(value: float | None) -> Cell:
    return Number(value, 1, missing=MISSING)


def _mean_cell(counts: Counter[int]) -> Cell:
    return _number_cell(mean(counts))


def _share_cell(part: int, whole: int) -> Cell:
    return Number(part / whole, extra=-1, after="%") if whole else None


_OVERVIEW: list[tuple[str, Callable[[Census], Cell]]] = [
    ("documents", lambda c: c.documents),
    ("tokens", _if_any("tokens", lambda c: c.tokens)),
    ("sentences", _if_any("sentences", lambda c: c.sentences)),
    ("mentions", lambda c: c.mentions),
    ("  per 100 tokens", lambda c: _number_cell(100 * c.mentions / c.tokens) if c.tokens else None),
    ("  discontinuous", _if_any("positions", lambda c: c.discontinuous)),
    ("  empty nodes", _if_any("positions", lambda c: c.empty)),
    ("  repeated", lambda c: c.repeated),
    ("entities", lambda c: c.entities),
    ("  singletons", lambda c: c.singletons),
    ("  share of singletons", lambda c: _share_cell(c.singletons, c.entities)),
    ("mentions per entity, mean", lambda c: _mean_cell(c.sizes)),
    ("  without singletons", lambda c: _mean_cell(c.sizes - Counter({1: c.sizes[1]}))),
    ("  largest", lambda c: max(c.sizes, default=0)),
    ("tokens per mention, mean", _if_any("positions", lambda c: _mean_cell(c.lengths))),
    ("  longest", _if_any("positions", lambda c: max(c.lengths, default=0))),
    ("tokens to antecedent, mean", _if_any("positions", lambda c: _mean_cell(c.token_distances))),
    ("  median", _if_any("positions", lambda c: _number_cell(median(c.token_distances)))),
    (
        "sentences to antecedent, mean",
        _if_any("sentences", lambda c: _mean_cell(c.sentence_distances)),
    ),
]

#: Rows that are shown if any file has something.
_RELATED: list[tuple[str, Callable[[Census], Cell]]] = [
    ("split antecedents", lambda c: c.split_antecedents),
    ("bridging references", lambda c: c.bridging.total()),
    ("non-referring expressions", lambda c: c.nonreferring.total()),
    ("mentions of discourse deixis", lambda c: c.deixis_mentions),
    ("  entities", lambda c: c.deixis_entities),
]

#: Tables by category, with the total.
_CATEGORIES: list[tuple[str, str, Callable[[Census], int]]] = [
    ("Mentions by kind", "kinds", lambda c: c.mentions),
    ("Mentions by type", "types", lambda c: c.mentions),
    ("Bridging references by relation", "bridging", lambda c: c.bridging.total()),
    ("Non-referring expressions by kind", "nonreferring", lambda c: c.nonreferring.total()),
]

#: Tables by number, with the lower limits of their ranges.
_DISTRIBUTIONS = [
    ("Entities by number of mentions", "sizes", [1, 2, 3, 4, 5, 10, 20, 50]),
    ("Mentions by number of tokens", "lengths", [0, 1, 2, 3, 4, 5, 10, 20]),
    ("Mentions by tokens to their antecedent", "token_distances", [0, 1, 5, 10, 20, 50, 100, 500]),
    ("Mentions by sentences to their antecedent", "sentence_distances", [0, 1, 2, 3, 5, 10, 20]),
]


def _share_table(
    caption: str, titles: list[str], columns: Sequence[dict[str, int]], names: list[str]
) -> Table:
    """Return the count and share of each title in each file."""
    table = Table(["", *names], caption=caption)
    for title in titles:
        cells = [_count_cell(column.get(title, 0), sum(column.values())) for column in columns]
        table.rows.append([title, *cells])
    return table


def _count_cell(count: int, total: int) -> Cell:
    if not total:
        return f"{count} ({MISSING})"
    return Number(count / total, extra=-1, before=f"{count} (", after="%)")
