"""One aspect of a response as a result, which can be compared as any other.

Either a line of its card, by the name that the card gives it (`corefmeter.analysis.card`), or its
ARCS with only the decisions about mentions of one kind: of anchors, the entities with such anchors.
"""

from __future__ import annotations

from corefmeter.analysis.card import linking
from corefmeter.analysis.card.made import card_of
from corefmeter.corpus.model import Corpus
from corefmeter.metrics import DEFAULT
from corefmeter.metrics.arcs import ARCS
from corefmeter.preparation import prepare
from corefmeter.problems import OptionError
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.scoring import score_corpora, score_prepared


def score_aspect(
    key: Corpus, response: Corpus, recipe: Recipe, *, part: str = "", kind: str = "",
    strict: bool = False,
) -> Result:  # fmt: skip
    """The result of one aspect of a response; without `part` and `kind`, of all of it.

    Parameters
    ----------
    key, response, recipe, strict
        As for `corefmeter.card`; read with details, where `part` is a breakdown by a feature.
    part
        A line of the card, as its name, or as ``section/by/name`` where `by` is a feature.
    kind
        Of mentions: ``pronoun``, …; the metrics must be ARCS.

    Raises
    ------
    OptionError
        For an unknown line, metrics that it does not have, or no mentions of such a kind.
    """
    if part and kind:
        raise OptionError("part and kind are two things to compare; choose one of them")
    if part:
        return _line(key, response, recipe, part, strict)
    return _of_kind(key, response, recipe, kind, strict) if kind else score_corpora(
        key, response, recipe, strict=strict
    )  # fmt: skip


def feature_of(part: str) -> str | None:
    """The feature of mentions by which a line of the card breaks down, if it is one.

    Examples
    --------
    >>> feature_of("mentions/kind/pronoun"), feature_of("linking"), feature_of("mentions/zero/yes")
    ('kind', None, None)
    """
    section, _, rest = part.partition("/")
    by = rest.partition("/")[0]
    return by if section in ("mentions", "entities") and by not in ("", "tokens", "zero") else None


def _line(key: Corpus, response: Corpus, recipe: Recipe, part: str, strict: bool) -> Result:
    feature = feature_of(part)
    by = [feature] if feature else []
    section, _, line = part.partition("/")
    only = section if line else linking.SECTION if part in linking.CONSTRUCTIONS else ""
    card = card_of(key, response, recipe, by=by, strict=strict, only=only)
    try:
        result = card[part]
    except OptionError:  # the whole card says all lines that there are
        result = card_of(key, response, recipe, by=by, strict=strict)[part]
    lacking = {*recipe.metrics} - {*result.recipe.metrics}
    if recipe.metrics != DEFAULT and lacking:
        raise OptionError(
            f"{part}: this line of a card is scored by {', '.join(result.recipe.metrics)}, not by "
            f"{', '.join(sorted(lacking))}"
        )
    return result


def _of_kind(key: Corpus, response: Corpus, recipe: Recipe, kind: str, strict: bool) -> Result:
    if others := [name for name in recipe.metrics if name not in ARCS]:
        raise OptionError(
            f"{', '.join(others)}: decides nothing about single mentions, so that it has no score "
            f"of a kind; choose metrics of {', '.join(ARCS)}, or a line of the card"
        )
    prepared, problems = prepare(key, response, recipe, strict=strict)
    result = score_prepared(prepared, problems, key, response, recipe)
    result.statistics = {
        name: [one.statistics(ARCS[name](only=kind)) for one in prepared] for name in recipe.metrics
    }
    if not any(map(any, (result.sums(name) for name in recipe.metrics))):
        raise OptionError(f"kind: nothing is decided about mentions of the kind {kind!r}")
    return result
