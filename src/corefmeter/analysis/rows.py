"""The rows of an analysis, plain values, and lists of them that can be filtered."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Generic, NamedTuple, TypeVar

from corefmeter.corpus.model import Mention
from corefmeter.problems import unknown

T = TypeVar("T")


class Rows(list[T], Generic[T]):
    """A list that can be filtered by the attributes of its items.

    Examples
    --------
    >>> from corefmeter.analysis.operations import Error
    >>> errors = Rows([Error("span", ("a",), 0, 0), Error("divided", ("b",), 1, 0)])
    >>> errors.where(kind="span").where(key=lambda k: k < 2)
    [Error(kind='span', mentions=('a',), key=0, response=0, correct=None)]
    """

    def where(self, **conditions: Any) -> Rows[T]:
        """Return the rows whose attributes, or features, have the given values.

        Parameters
        ----------
        **conditions
            By name of the attribute, or of the feature: a value; a set, list or tuple of values of
            which it is one; or a function that is true for it.

        Raises
        ------
        OptionError
            For a name that is neither an attribute nor a feature, with the nearest known one.
        """
        return Rows(
            row
            for row in self
            if all(_meets(_value(row, name), wanted) for name, wanted in conditions.items())
        )


def _value(row: Any, name: str) -> Any:
    if hasattr(row, name):
        return getattr(row, name)
    features = getattr(row, "features", {})
    if name not in features:
        known = [one for one in dir(row) if not one.startswith("_")]
        raise unknown("attribute of a row", name, [*known, *features])
    return features[name]


def _meets(value: Any, wanted: Any) -> bool:
    if callable(wanted):
        return bool(wanted(value))
    if isinstance(wanted, (set, frozenset, list, tuple)):
        # A mention is a tuple itself.
        return value == wanted or any(value == one for one in wanted)
    return bool(value == wanted)


def as_values(row: Any) -> dict[str, Any]:
    """Convert a row (a dataclass) to JSON values; features are next to the other columns."""
    values = {one.name: getattr(row, one.name) for one in fields(row)}
    features = values.pop("features")
    return {**values, **features}


class _Row:
    """Base class of the rows."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        return as_values(self)


@dataclass(frozen=True, slots=True)
class LinkRow(_Row):
    """One decision about the antecedent of a mention; see `corefmeter.metrics.arcs`.

    Attributes
    ----------
    document
        The label of the document.
    metric
        ``immediate`` or ``inferred``.
    outcome
        ``tp``, ``wl``, ``fn`` or ``fp``.
    mention, words, line
        The mention, its words and the line of the key where it begins; None where unknown.
    entity
        The name of its entity, in the key, or for ``fp`` in the response.
    expected, expected_words, found, found_words
        The antecedents in the key and in the response.
    features
        Its groups by the features asked for, first ``kind``.
    """

    document: str
    metric: str
    outcome: str
    mention: Mention
    words: str | None
    line: int | None
    entity: str
    expected: Mention | None
    expected_words: str | None
    found: Mention | None
    found_words: str | None
    features: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MentionRow(_Row):
    """One mention of the key, the response or both.

    Attributes
    ----------
    document, mention, words, line
        As in `LinkRow`.
    status
        ``correct``: in both, with a right link, or a singleton in both; ``incorrectly_resolved``:
        in both, with links in the response of which none is right; ``unlinked``: in both, a
        singleton in the response only; ``missing``: in the key only; ``extra``: in the response
        only.
    key_entity, response_entity
        The names of its entities, None where it is not.
    errors
        The classes of the errors that it is part of.
    features
        As in `LinkRow`.
    """

    document: str
    mention: Mention
    words: str | None
    line: int | None
    status: str
    key_entity: str | None
    response_entity: str | None
    errors: tuple[str, ...]
    features: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EntityRow(_Row):
    """One key entity and what became of it; see `corefmeter.analysis.entities`.

    Attributes
    ----------
    document
        The label of the document.
    entity, response
        The names of the key entity and of its best response entity.
    words
        The words of its most informative mention, the first of them.
    category
        ``1``, ``2a``, ``2b``, ``3`` or ``4``.
    size, response_size
        Mentions of either.
    whole, partial, missing, foreign, spurious
        How many mentions are found, found in part, not found; belong to other key entities; or to
        none.
    links, lost_links
        Correct links, and links of the key entity that are not.
    information
        The share of the information weight that is kept.
    scores
        F1 of each metric on the isolated pair.
    mentions
        Its mentions.
    features
        Groups of its most informative mention by the features asked for.
    """

    document: str
    entity: str
    response: str | None
    words: str | None
    category: str
    size: int
    response_size: int
    whole: int
    partial: int
    missing: int
    foreign: int
    spurious: int
    links: int
    lost_links: int
    information: float
    scores: dict[str, float]
    mentions: list[Mention]
    features: dict[str, str] = field(default_factory=dict)


#: The columns of the rows, which no feature can be called.
COLUMNS = frozenset(one.name for row in (LinkRow, MentionRow, EntityRow) for one in fields(row))


class ErrorRow(NamedTuple):
    """One error; see `corefmeter.analysis.operations`.

    Attributes
    ----------
    document
        The label of the document.
    error
        A key of `CLASSES`.
    operations
        The operations that repair it.
    mentions, words
        The mentions that it is about, and their words.
    key_entity, response_entity
        The names of the entities that it is about, None where there is none.
    correct, correct_words
        For a wrong span the key mention.
    """

    document: str
    error: str
    operations: tuple[str, ...]
    mentions: tuple[Mention, ...]
    words: tuple[str | None, ...]
    key_entity: str | None
    response_entity: str | None
    correct: Mention | None
    correct_words: str | None
