"""The rows of an analysis, plain values, and lists of them that can be filtered."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Generic, NamedTuple, TypeVar

from corefmeter.corpus.model import Mention
from corefmeter.problems import unknown

T = TypeVar("T")


class Rows(list[T], Generic[T]):
    """A list that can be filtered by the attributes of its items."""

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

        Examples
        --------
        >>> from corefmeter.analysis.operations import Error
        >>> errors = Rows([Error("span", ("a",), 0, 0), Error("divided", ("b",), 1, 0)])
        >>> errors.where(kind="span").where(key=lambda k: k < 2)
        [Error(kind='span', mentions=('a',), key=0, response=0, correct=None)]
        """
        return Rows(
            row
            for row in self
            if all(_matches(_find_value(row, name), wanted) for name, wanted in conditions.items())
        )


def _find_value(row: Any, name: str) -> Any:
    """Return the attribute or feature of a row that is called `name`."""
    if hasattr(row, name):
        return getattr(row, name)
    features = getattr(row, "features", {})
    if name not in features:
        known = [one for one in dir(row) if not one.startswith("_")]
        raise unknown("attribute of a row", name, [*known, *features])
    return features[name]


def _matches(value: Any, wanted: Any) -> bool:
    if callable(wanted):
        return bool(wanted(value))
    if isinstance(wanted, (set, frozenset, list, tuple)):
        # The wanted value may itself be a tuple, since a mention is one.
        return value == wanted or any(value == one for one in wanted)
    return bool(value == wanted)


class Row:
    """Base class of rows that are dataclasses with a field ``features``."""

    __slots__ = ()
    document: str

    def to_dict(self) -> dict[str, Any]:
        """Convert the row to JSON values; features are next to the other columns."""
        # Types: subclasses are dataclasses.
        values = {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]
        features = values.pop("features")
        return {**values, **features}


@dataclass(frozen=True, slots=True)
class LinkRow(Row):
    """One decision about the antecedent of a mention; see `corefmeter.metrics.arcs`.

    `metric` is ``immediate`` or ``inferred``, `outcome` ``tp``, ``wl``, ``fn`` or ``fp``. `line` is
    the line of the key where the mention begins, `entity` the name of its entity, in the key, or
    for ``fp`` in the response. `expected` is the antecedent in the key, `found` that in the
    response. `features` has the groups of the mention by the features asked for, first ``kind``.
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
class MentionRow(Row):
    """One mention of the key, the response or both; see also `LinkRow`.

    Its status is, in both, ``correct`` with a right link or as a singleton in both,
    ``incorrectly_resolved`` with links in the response of which none is right, or ``unlinked`` as a
    singleton in the response only; ``missing`` in the key only; ``extra`` in the response only.
    `errors` has the classes of the errors that it is part of.
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
class EntityRow(Row):
    """One key entity and its best response entity; see `EntityComparison`.

    `words` and `features` are those of the mention that names it. `whole`, `partial` and
    `missing` count its mentions that are found, found in part, not found; `foreign` and `spurious`
    mentions of the response entity that belong to other key entities, or to none. `lost_links` are
    links of the key entity that are not correct. `information` is the share of its information
    weight that is kept. `scores` has F1 of each metric on the isolated pair.
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
    """One error; see `Error`, whose `kind` is called `error` here."""

    document: str
    error: str
    operations: tuple[str, ...]
    mentions: tuple[Mention, ...]
    words: tuple[str | None, ...]
    key_entity: str | None
    response_entity: str | None
    correct: Mention | None
    correct_words: str | None
