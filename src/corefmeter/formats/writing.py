"""Shared parts of writers: names, numbers of tokens, and brackets around mentions.

Brackets are put on rows, which are numbered in the order of the file: tokens, or tokens and empty
nodes. A bracket goes from its first row to its last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from corefmeter.corpus.model import Document, Mention, with_part
from corefmeter.corpus.positions import outer_span, pieces_if_any
from corefmeter.formats.notes import lost_problem
from corefmeter.problems import DataError, Problem

#: The most unknown tokens that are generated to reach a mention.
MOST_GENERATED = 1_000_000


def one_line(name: str) -> str:
    """Return a name without line ends, TABs and lone surrogates."""
    return " ".join(name.split()).encode("utf-8", "replace").decode()


def flat_name(document: Document) -> str:
    """Return the name of a document where a format has no parts."""
    return one_line(document.one_name or with_part(document.name, document.part or None))


def token_count(document: Document) -> int:
    """Return the number of tokens to write: those counted, the words, or up to the last mention."""
    mentions = (mention for entity in document.entities for mention in entity)
    ends = (outer_span(mention)[1] for mention in mentions if pieces_if_any(mention))
    known, end = max(document.tokens or 0, len(document.text or ())), max(ends, default=0)
    if end - known > MOST_GENERATED:
        reason = f"a mention ends at token {end}, but only {known} are known"
        hint = f"At most {MOST_GENERATED:,} tokens are generated. Give the words, or correct the "
        hint += "position."
        raise DataError(document.problem("cannot-write", reason, "error", hint))
    return max(known, end)


def written_names(
    names: Sequence[str], fits: Callable[[str], bool], others: Callable[[str], Iterable[str]]
) -> list[str]:
    """Return the names of entities as they are written, all different.

    A name that does not fit or occurs twice is replaced by the first free one of `others`.

    Examples
    --------
    >>> written_names(["a", "b c", "a"], str.isalnum, lambda name: ["a", "1", "2"])
    ['a', '1', '2']
    """
    old = set(names)
    new: dict[str, None] = {}
    for name in names:
        written = name
        if name in new or not fits(name):
            written = next(other for other in others(name) if other not in old and other not in new)
        new[written] = None
    return list(new)


def left_out_problem(document: Document, entity: str, mention: Mention, reason: str) -> Problem:
    """Return the report about a mention that is not written."""
    message = f"the mention {mention!r} of entity {entity} {reason}; it is left out"
    return lost_problem(document, message, code="mention-unwritten")


def crossing_spans(spans: Sequence[tuple[int, int]], shared: int) -> set[int]:
    """Return the indexes of spans that cross an earlier or longer span which is kept itself.

    With `shared` 1 instead of 0, a span may begin on the last row of another.

    Examples
    --------
    >>> crossing_spans([(0, 3), (2, 5), (4, 6)], 0), crossing_spans([(0, 3), (2, 5), (4, 6)], 1)
    ({1}, set())
    """
    crossing = set()
    ends: list[int] = []
    for index in sorted(range(len(spans)), key=lambda n: (spans[n][0], -spans[n][1])):
        start, end = spans[index]
        while ends and ends[-1] <= start + shared and ends[-1] < end:
            ends.pop()
        if ends and ends[-1] < end:
            crossing.add(index)
        else:
            ends.append(end)
    return crossing


class Bracket(NamedTuple):
    """A run of rows, and the signs that open and close it."""

    first: int
    last: int
    opening: str
    closing: str


class Signs(NamedTuple):
    """The brackets of one row."""

    #: What closes there, the innermost first.
    closes: list[str]
    #: What opens there, the outermost first.
    opens: list[str]
    #: What opens and closes there: the opening signs.
    wholes: list[str]


def signs_by_row(brackets: Iterable[Bracket]) -> dict[int, Signs]:
    """Return the brackets of each row; those with equal rows open in the given order.

    Examples
    --------
    >>> signs = signs_by_row([Bracket(1, 1, "(b", "b)"), Bracket(0, 1, "(a", "a)")])
    >>> signs[0], signs[1]
    (Signs(closes=[], opens=['(a'], wholes=[]), Signs(closes=['a)'], opens=[], wholes=['(b']))
    """
    by_row: defaultdict[int, Signs] = defaultdict(lambda: Signs([], [], []))
    for first, last, opening, closing in sorted(brackets, key=lambda b: (b.first, -b.last)):
        if first == last:
            by_row[first].wholes.append(opening)
        else:
            by_row[first].opens.append(opening)
            by_row[last].closes.append(closing)
    for signs in by_row.values():
        signs.closes.reverse()
    return by_row
