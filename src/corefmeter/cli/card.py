"""``corefmeter card KEY RESPONSE…``"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from corefmeter.cli import options as common
from corefmeter.cli.help import Function, command
from corefmeter.cli.run import Run, column_features, run_options
from corefmeter.problems import OptionError
from corefmeter.recipe import MATCHING, POLICIES


def _size_option(name: str, least: int, **attributes: Any) -> Callable[[Function], Function]:
    return common.show_option(name, type=click.IntRange(least), metavar="N", **attributes)


@command(aside=(MATCHING, POLICIES))
@common.feature_option("Break down by a feature of mentions, such as kind or entity_type.")
@_size_option(
    "--window", 1, usual=512, help="Number of tokens in a window, for the price of windows."
)
@_size_option("--character", 2, usual=10, help="Show entities with more mentions separately.")
@_size_option("--largest", 0, usual=10, help="Number of the key's largest entities to list.")
@common.show_option("--all", "everything", is_flag=True, help="Show all sections.")
@run_options(common.pronouns_option, common.options_of_texts(("mentions", "conll", "lea")))
@common.output_options
@common.shown_signature_option
@common.quiet_option
def card(
    run: Run,
    by: tuple[str, ...],
    everything: bool,
    pronouns: str | None,
    output: common.Output,
    **sizes: int | None,
) -> None:
    """Break one score down, section by section.

    KEY and RESPONSE are as for "corefmeter score". docs/card.md explains the sections.

    \b
    Examples:
      corefmeter card key.conll response.conll
      corefmeter card key.conll a.conll b.conll --feature kind -f latex
      corefmeter card key.conll answer.txt --window 1000
    """
    from corefmeter.analysis.card.made import card_of
    from corefmeter.reports.card import BRIEF, CardReport

    given: dict[str, Any] = {name: size for name, size in sizes.items() if size is not None}
    if "window" in given and run.recipe.as_one_document:
        raise OptionError("--window has no effect if documents are scored as one")
    functions = column_features(run.key, by)
    make = partial(card_of, by=by, pronouns=pronouns, functions=functions, **given)
    cards = run.analyses(make, "counting")
    sections = {"window": "long", "character": "characters", "largest": "characters"}
    asked = [*BRIEF, *(sections[name] for name in given)]
    shown = None if everything or output.format == "latex" else asked
    report = CardReport(cards, run.key, shown)
    output.write(report, [p for one in cards for p in one.problems])
