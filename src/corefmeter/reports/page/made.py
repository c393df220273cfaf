"""A page from what is given in Python or named on the command line."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from corefmeter.analysis.card.made import METRICS, Card, card_of_analysis
from corefmeter.analysis.report import Analysis, analyse_corpora
from corefmeter.api import name_systems
from corefmeter.calls import checked_call, warn_user
from corefmeter.corpus.model import Corpus
from corefmeter.problems import CollectedErrors, DataError, OptionError, Problem, amount
from corefmeter.reading import Given, read_sides
from corefmeter.recipe import Recipe, option_names, recipe_of
from corefmeter.reports.card import CardReport
from corefmeter.reports.page import Page, make_page

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.statistics.comparison import Comparison
    from corefmeter.typed import RecipeOptions

#: Features that filter errors, and by which the card is broken down, beside those asked for.
FACETS, TYPES = ("entity_type", "sentence_distance"), ("kind", "entity_type")


def page_of(
    key: Given,
    responses: Mapping[str, Given],
    recipe: Recipe,
    *,
    by: Sequence[str] = (),
    show: str | None = None,
    strict: bool = False,
    formats: tuple[str | None, str | None] = (None, None),
    **features: Any,
) -> tuple[Page, list[Problem]]:
    """Return a page and all problems; `features` are functions and pronouns, as in `report`."""
    corpus, found = read_sides(
        key, list(responses.values()), recipe, details=True, strict=strict, formats=formats
    )
    analyses: dict[str, Analysis] = {}
    cards: list[Card] = []
    no_card = ""
    errors = CollectedErrors()
    facets, types = (list(dict.fromkeys((*some, *by))) for some in (FACETS, TYPES))
    for name, read in zip(responses, found, strict=True):
        with errors:
            response = read()
            analyses[name] = analyse_corpora(
                corpus, response, recipe, by=facets, strict=strict, **features
            )
            try:
                cards.append(card_of_analysis(analyses[name], corpus, response, types))
                cards[-1].result.name = name
            except OptionError as error:
                no_card = str(error)
    if errors:
        raise DataError(list(dict.fromkeys(errors)))
    comparison, why = _compare_all(analyses)
    page = make_page(
        list(analyses.values()),
        list(analyses),
        comparison,
        no_comparison=why,
        card=no_card or CardReport(cards, shown=None),
        card_options=_card_options(cards, features.get("pronouns")),
        show=show,
    )
    problems = [problem for one in analyses.values() for problem in one.problems]
    if comparison is not None:
        problems += comparison.problems
    if page.left_out:
        are = "is" if len(page.left_out) == 1 else "are"
        left_out = amount(len(page.left_out), "document")
        message = f"{left_out} {are} not on the page; the scores are of all"
        problems.append(
            Problem("documents-left-out", message, "note", hint="--show worst:N chooses how many.")
        )
    return page, list(dict.fromkeys(problems))


def _card_options(cards: Sequence[Card], pronouns: str | None) -> str:
    """Return the options with which ``corefmeter card`` prints the same numbers."""
    options = f" --pronouns {pronouns}" if pronouns else ""
    if cards and cards[0].result.recipe != Recipe(metrics=METRICS):
        options += f" --recipe {shlex.quote(cards[0].result.signature)}"
    return options


def _compare_all(analyses: Mapping[str, Analysis]) -> tuple[Comparison | None, str]:
    """Compare all responses, or explain why that is impossible."""
    if len(analyses) < 2:
        return None, ""
    if find_spec("numpy") is None:
        return None, "Differences are not tested: numpy is not installed."
    from corefmeter.statistics.comparison import compare_results

    try:
        return compare_results({name: one.result for name, one in analyses.items()}), ""
    except (DataError, OptionError) as error:
        return None, f"Differences are not tested: {error}"


@checked_call(option_names)
def report(
    key: Given,
    responses: str | os.PathLike[str] | Corpus | Mapping[str, Given] | Iterable[Given],
    recipe: Recipe | None = None,
    *,
    by: Iterable[str] = (),
    functions: Mapping[str, Any] | None = None,
    pronouns: str | None = None,
    show: str | None = None,
    strict: bool = False,
    formats: tuple[str | None, str | None] = (None, None),
    **options: Unpack[RecipeOptions],
) -> Page:
    """Return an HTML page with scores, comparison, entities, text and errors.

    Parameters
    ----------
    key
        As for `corefmeter.score`.
    responses
        A path or a corpus; or several responses, as ``{name: response}`` or a list of paths.
    recipe
        The options of the scores; by default those of the official scorer.
    by
        Features of mentions to filter errors by, in addition to ``kind``, ``entity_type`` and
        ``sentence_distance``; see `corefmeter.mentions.features`.
    functions, pronouns
        As for `corefmeter.analyse`.
    show
        ``worst:N`` shows the N documents with the most errors. By default, the page shows all
        documents, or as many as fit into 25 MB.
    strict, formats
        As for `corefmeter.analyse`.
    **options
        Fields of `Recipe` to change.

    Returns
    -------
    Page
        ``page.write("report.html")`` writes the page to a file. Notebooks display the page.

    Raises
    ------
    DataError
        When the data cannot be scored.
    OptionError
        For an unknown option, metric, feature or value, or if jinja2 is not installed.

    Examples
    --------
    >>> page = report([["Ann", "she", "her"]], {"mine": [["Ann", "she"]]})
    >>> page.left_out, page.html[:15]
    ([], '<!DOCTYPE html>')
    """
    asked = recipe_of(recipe, **options)
    one = isinstance(responses, str | os.PathLike | Corpus)
    # Types: one response is in a list, and none is a result.
    named = cast(
        "Mapping[str, Given]", name_systems(cast("Any", [responses] if one else responses))
    )
    page, problems = page_of(
        key,
        named,
        asked,
        by=list(by),
        functions=functions,
        pronouns=pronouns,
        show=show,
        strict=strict,
        formats=formats,
    )
    warn_user(problems, given=[key, *named.values()])
    return page
