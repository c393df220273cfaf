"""The card itself: all its sections, of one response."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corefmeter.analysis.card import characters, documents, linking, long, types
from corefmeter.analysis.card.parts import Basis, Part
from corefmeter.analysis.scoring import entity_metrics
from corefmeter.corpus.model import Corpus
from corefmeter.corpus.structures import grouped
from corefmeter.formats import formats_of, in_key
from corefmeter.mentions.features import FEATURES, FeatureFunction, Features
from corefmeter.metrics import DEFAULT
from corefmeter.metrics.base import as_json
from corefmeter.preparation import prepare
from corefmeter.problems import OptionError, Problem, amount, require_known, unknown
from corefmeter.recipe import Recipe
from corefmeter.result import Result, json_head
from corefmeter.scoring import score_prepared
from corefmeter.shown import Shown

if TYPE_CHECKING:
    from corefmeter.analysis.report import Analysis
    from corefmeter.formats.inline.align import Coverage

#: The metrics of a card when none are asked for; mentions come first in any case.
METRICS = ("mentions", "conll", "lea")

#: Tokens of a window; mentions of an entity that is a character; how many of these are listed.
SIZES = {"window": 512, "character": 10, "largest": 10}


class Card(Shown):
    """A breakdown of a response's score, as `corefmeter.card` returns it.

    Attributes
    ----------
    parts : list of Part
        The lines of all sections; each has a `Result`.
    losses : dict of str to Loss
        For each metric, the division of the loss between detection and linking.
    characters : list of Character
        The largest entities of the key.
    coverage : dict of str to Coverage
        For each document, how well a response of marked text copies the text of the key.

    Examples
    --------
    >>> import corefmeter
    >>> card = corefmeter.card([["Ann", "she", "her"], ["it"]], [["Ann", "she"], ["her", "him"]])
    >>> card["linking"].lea.f1, card.losses["lea"].detection + card.losses["lea"].linking
    (0.4444444444444444, 0.6666666666666667)
    >>> 1 - card.result.lea.f1
    0.6666666666666667
    """

    def __init__(
        self,
        parts: Sequence[Part],
        largest: list[characters.Character],
        coverage: dict[str, Coverage],
        key_path: str | None = None,
    ) -> None:
        self.parts = list(parts)
        self.losses = linking.losses({p.name: p.result for p in parts if p.section == "linking"})
        self.characters = largest
        self.coverage = coverage
        self.key_path = key_path
        for part in parts:
            part.result.response = self.result.response

    @property
    def result(self) -> Result:
        """The score of the response, which is the first line of the card."""
        return self.parts[0].result

    @property
    def problems(self) -> list[Problem]:
        """Warnings and notes."""
        return self.result.problems

    @property
    def sections(self) -> dict[tuple[str, str], list[Part]]:
        """The lines, grouped by section and breakdown."""
        return grouped(((part.section, part.by), part) for part in self.parts)

    def __getitem__(self, name: str) -> Result:
        """Return a line's result by its name, or by ``section/by/name`` if the name is ambiguous.

        Compare lines with ``compare(None, {"a": a["key's links"], "b": b["key's links"]})``.

        Raises
        ------
        OptionError
            When no line has the name, or when several lines have it.
        """
        return self.line(name).result

    def line(self, name: str) -> Part:
        """Return a line by its name, as for ``card[name]``."""
        for names in ([part.full for part in self.parts], [part.name for part in self.parts]):
            if names.count(name) == 1:
                return self.parts[names.index(name)]
        raise unknown("line of the card", name, self.names)

    @property
    def names(self) -> list[str]:
        """The name of each line, with section and feature if the section is broken down."""
        return [part.full if part.by else part.name for part in self.parts]

    def __iter__(self) -> Any:
        return iter(self.parts)

    def __repr__(self) -> str:
        lines = amount(len(self.parts), "line")
        return f"<Card of {self.result.response or 'a response'}: {lines}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the card as JSON values; see docs/card.md."""
        return cards_as_json([self], self.key_path)

    def entry(self) -> dict[str, Any]:
        """Return the JSON values of this response."""
        result = self.result
        return {
            "response": result.response,
            **({} if result.name is None else {"name": result.name}),
            "documents": result.documents,
            "parts": [
                {"section": section, "by": by, "name": name, "scores": part.entry()["scores"]}
                for section, by, name, part in self.parts
            ],
            "losses": {
                metric: {name: as_json(value) for name, value in loss._asdict().items()}
                for metric, loss in self.losses.items()
            },
            "characters": [character._asdict() for character in self.characters],
            "coverage": {name: cover._asdict() for name, cover in self.coverage.items()},
            "problems": result.entry()["problems"],
        }


def cards_as_json(cards: Sequence[Card], key: str | None) -> dict[str, Any]:
    """Return cards of responses to one key as JSON values."""
    entries = [card.entry() for card in cards]
    return json_head(cards[0].result.signature) | {"key": key, "cards": entries}


def card_of(
    key: Corpus,
    response: Corpus,
    recipe: Recipe,
    *,
    by: Iterable[str] = (),
    window: int = SIZES["window"],
    character: int = SIZES["character"],
    largest: int = SIZES["largest"],
    pronouns: str | None = None,
    functions: Mapping[str, FeatureFunction] | None = None,
    strict: bool = False,
    only: str = "",
    also: str = "",
) -> Card:
    """Return the card of two corpora that were read; see `corefmeter.card`.

    With `only`, the name of a section, no other section but ``linking`` is counted. A line that is
    called `also` is there even where a card does not show it, since nothing, or all, is in it.
    """
    by, known = list(by), [*FEATURES, *(functions or ())]
    for name in by:
        require_known("feature", name, known)
    sizes = {"window": window, "character": character, "largest": largest}
    for name, least in (("window", 1), ("character", 2), ("largest", 0)):
        if sizes[name] < least:
            raise OptionError(f"{name} is {sizes[name]}; it must be {least} or more")
    if pronouns is not None and not by:
        raise OptionError("pronouns has no effect without features to break down by")
    recipe = _card_recipe(recipe)
    response = in_key(key, response)
    prepared, problems = prepare(key, response, recipe, strict=strict)
    units = prepared if by else ()
    features = [Features(*unit.named, pronouns=pronouns, functions=functions) for unit in units]
    result = score_prepared(prepared, problems, key, response, recipe)
    return _make_card(key, response, Basis(prepared, result, features, also), by, sizes, only)


def card_of_analysis(analysis: Analysis, key: Corpus, response: Corpus, by: Sequence[str]) -> Card:
    """Return the card of a response that was analysed, with its features of mentions."""
    recipe = _card_recipe(analysis.recipe)
    response = in_key(key, response)
    prepared = [document.prepared for document in analysis]
    result = score_prepared(prepared, [], key, response, recipe)
    features = [document.features for document in analysis]
    return _make_card(key, response, Basis(prepared, result, features), by)


def _make_card(
    key: Corpus,
    response: Corpus,
    basis: Basis,
    by: Sequence[str],
    sizes: Mapping[str, int] = SIZES,
    only: str = "",
) -> Card:
    joined = basis.recipe.as_one_document
    # A card always has its score, and what is lost of that.
    lines = [*linking.parts(basis)]
    if only in ("", types.MENTIONS, types.ENTITIES):
        lines += types.parts(basis, by)
    if only in ("", types.TYPES) and "kind" in by:
        lines += types.type_parts(basis)
    if only in ("", long.SECTION) and not joined:
        lines += long.parts(basis, sizes["window"])
    if only in ("", characters.SECTION):
        lines += characters.parts(basis, sizes["character"])
    coverage: dict[str, Coverage] = {}
    if any(format.align is not None for format in formats_of(response)):
        from corefmeter.analysis.card import answers

        coverage = {one.label: one.coverage for one in answers.aligned_documents(response)}
        if only in ("", answers.SECTION):
            lines += answers.parts(key, response, basis.recipe)
    if only in ("", documents.SECTION) and joined:
        lines += documents.parts(basis)

    def features_of(unit: int) -> Features:
        return basis.features[unit] if basis.features else Features(*basis.prepared[unit].named)

    largest = characters.largest(basis.prepared, sizes["largest"], features_of)
    return Card(lines, largest, coverage, key.path)


def _card_recipe(recipe: Recipe) -> Recipe:
    """Return the recipe with the metrics of a card, which are functions of entities alone."""
    if recipe.split_antecedents:
        raise OptionError("a card is of mentions alone: do without split_antecedents")
    if recipe.metrics == DEFAULT:
        return recipe.replace(metrics=METRICS)
    if others := sorted({*recipe.metrics} - {*entity_metrics(recipe)}):
        raise OptionError(
            "these metrics need matched mentions, which the rows of a card do not have: "
            f"{', '.join(others)}. Choose other metrics."
        )
    return recipe.replace(metrics=tuple(dict.fromkeys(("mentions", *recipe.metrics))))
