"""One aspect of a response as a result, which can be compared as any other.

Either a line of its card, by the name that the card gives it (`corefmeter.analysis.card`), or its
ARCS with only the decisions about mentions of one kind: of anchors, the entities with such anchors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corefmeter.analysis.card import characters, linking, long
from corefmeter.analysis.card.made import card_of
from corefmeter.analysis.card.types import is_by_feature
from corefmeter.corpus.model import Corpus
from corefmeter.mentions.features import FeatureFunction
from corefmeter.metrics import DEFAULT
from corefmeter.metrics.arcs import ARCS
from corefmeter.preparation import prepare
from corefmeter.problems import OptionError, unknown
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.scoring import score_corpora, score_prepared


class Aspect:
    """One aspect of the responses to a key; without a part or kind, whole responses.

    `part` is a line of the card, as its name or as ``section/by/name``. Every response is scored on
    it, also one whose own card does not show it since it has nothing there. The tokens of windows,
    and the mentions that make a character, are those in the name. `kind` is a mention type, for
    metrics that are ARCS. `pronouns` and `functions` are for parts by a feature of mentions,
    `feature`, for which the corpora are read with details.
    """

    def __init__(
        self,
        part: str = "",
        kind: str = "",
        pronouns: str = "",
        functions: Mapping[str, FeatureFunction] | None = None,
    ) -> None:
        if part and kind:
            raise OptionError("part and kind are two things to compare; choose one of them")
        self.part, self.kind = part, kind
        self.feature = feature_of(part)
        if pronouns and not self.feature:
            raise OptionError("pronouns has no effect except on a part by a feature of mentions")
        self._by: dict[str, Any] = {}
        if self.feature:
            self._by = {"by": [self.feature], "pronouns": pronouns or None, "functions": functions}
        self._lines: dict[str, None] = {}  # full names of the lines that `part` is in the cards
        self._other_names: dict[str, None] = {}  # the names of other lines
        self._exists = False  # whether a response or the key has something of this aspect

    def score(
        self, key: Corpus, response: Corpus, recipe: Recipe, *, strict: bool = False
    ) -> Result:
        """Return the result of a response, called as `score_corpora`."""
        if self.part:
            return self._score_line(key, response, recipe, strict)
        score = self._score_kind if self.kind else score_corpora
        return score(key, response, recipe, strict=strict)

    def require(self) -> None:
        """Refuse, when all responses are scored, an aspect that neither they nor the key have."""
        if len(self._lines) > 1:
            lines = " and ".join(map(repr, self._lines))
            raise OptionError(f"part: {self.part!r} is ambiguous: choose {lines}")
        if self.part and not self._exists:
            raise unknown("line of the card", self.part, self._other_names)
        if self.kind and not self._exists:
            raise OptionError(f"kind: nothing is decided about mentions of the kind {self.kind!r}")

    def _score_line(self, key: Corpus, response: Corpus, recipe: Recipe, strict: bool) -> Result:
        """Return the result of the line `part` of the response's card."""
        section, by, name = _split_name(self.part)
        sizes = {
            "window": long.window_size(by),
            "character": characters.more_than_in(name) if section == characters.SECTION else None,
        }
        options = self._by | {size: n for size, n in sizes.items() if n is not None}
        also = name if by else ""
        # Only the section of the line is counted; where it has no such line, the whole card.
        card = card_of(key, response, recipe, **options, strict=strict, only=section, also=also)
        try:
            line = card.line(self.part)
        except OptionError:  # the message of the whole card names all lines
            line = card_of(key, response, recipe, **options, strict=strict).line(self.part)
        result = line.result
        lacking = {*recipe.metrics} - {*result.recipe.metrics}
        if recipe.metrics != DEFAULT and lacking:
            scored = ", ".join(result.recipe.metrics)
            others = ", ".join(sorted(lacking))
            raise OptionError(
                f"{self.part}: the card scores this line by {scored}, not by {others}"
            )
        self._lines[line.full] = None
        if not line.by or _has_counts(result):
            self._exists = True
        named = zip(card.names, card, strict=True)
        self._other_names |= dict.fromkeys(full for full, part in named if part.name != name)
        return result

    def _score_kind(self, key: Corpus, response: Corpus, recipe: Recipe, *, strict: bool) -> Result:
        """Return the ARCS of the decisions about mentions of `kind`."""
        if others := [name for name in recipe.metrics if name not in ARCS]:
            raise OptionError(
                f"{', '.join(others)}: cannot be restricted to a mention type, since it does not "
                f"judge single mentions; choose {', '.join(ARCS)}, or a line of the card"
            )
        prepared, problems = prepare(key, response, recipe, strict=strict)
        result = score_prepared(prepared, problems, key, response, recipe)
        result.statistics = {
            name: [one.statistics(ARCS[name](only=self.kind)) for one in prepared]
            for name in recipe.metrics
        }
        self._exists = self._exists or _has_counts(result)
        return result


def feature_of(part: str) -> str | None:
    """Return the feature of mentions by which a line of the card breaks down, None without one.

    >>> feature_of("mentions/kind/pronoun"), feature_of("linking"), feature_of("mentions/zero/yes")
    ('kind', None, None)
    """
    section, _, rest = part.partition("/")
    by = rest.partition("/")[0]
    return by if by and is_by_feature(section, by) else None


def _split_name(part: str) -> tuple[str, str, str]:
    """Split a line's name into section, breakdown and name; parts that are absent are empty.

    >>> _split_name("mentions/head/and/or"), _split_name("answers/with repair")
    (('mentions', 'head', 'and/or'), ('answers', '', 'with repair'))
    """
    section, slash, rest = part.partition("/")
    if not slash:
        return linking.SECTION if part in linking.CONSTRUCTIONS else "", "", part
    by, slash, name = rest.partition("/")
    return (section, by, name) if slash else (section, "", by)


def _has_counts(result: Result) -> bool:
    """Return whether a statistic of any document is above 0."""
    return any(any(row) for rows in result.statistics.values() for row in rows)
