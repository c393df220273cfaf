"""``corefmeter card KEY RESPONSE…``"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from corefmeter.cli.errors import columns
from corefmeter.cli.help import FILE, Function, command, complete_from, option
from corefmeter.cli.options import (
    SHOWN,
    Output,
    formats_of,
    formats_option,
    named_paths,
    output_options,
    pronouns_option,
    quiet_option,
    recipe_from,
    recipe_options,
    shown_signature_option,
    strict_option,
)
from corefmeter.cli.progress import Progress
from corefmeter.problems import OptionError
from corefmeter.recipe import MATCHING, POLICIES


def _size(name: str, least: int, **attributes: Any) -> Callable[[Function], Function]:
    return option(name, type=click.IntRange(least), metavar="N", group=SHOWN, **attributes)


@command(aside=(MATCHING, POLICIES))
@click.argument("key", type=FILE, metavar="KEY")
@click.argument("responses", type=FILE, metavar="RESPONSE…", nargs=-1, required=True)
@option(
    "--feature",
    "by",
    formerly=("--by",),
    multiple=True,
    metavar="NAME",
    group=SHOWN,
    shell_complete=complete_from("features"),
    help="Break mentions and entities down by kind, entity_type, …, as in errors. May be repeated.",
)
@_size("--window", 1, usual=512, help="Tokens of a window, to show the price of windows.")
@_size("--character", 2, usual=10, help="Entities of more mentions than this are shown apart.")
@_size("--largest", 0, usual=10, help="Number of the key's largest entities shown one by one.")
@option("--all", "everything", is_flag=True, group=SHOWN, help="Show all sections.")
@pronouns_option
@partial(recipe_options, metrics=("mentions", "conll", "lea"))
@formats_option
@strict_option
@output_options
@shown_signature_option
@quiet_option
def card(
    key: str,
    responses: tuple[str, ...],
    by: tuple[str, ...],
    window: int | None,
    character: int | None,
    largest: int | None,
    everything: bool,
    pronouns: str | None,
    source_formats: str | None,
    signature: str | None,
    output: Output,
    strict: bool,
    **options: Any,
) -> None:
    """Show what one score hides, section by section.

    KEY and RESPONSE are as for "corefmeter score". docs/card.md explains the sections.

    \b
    Examples:
      corefmeter card key.conll response.conll
      corefmeter card key.conll a.conll b.conll --feature kind -f latex
      corefmeter card key.conll answer.txt --window 1000
    """
    from corefmeter.analysis.card.made import card_of
    from corefmeter.reading import read_sides
    from corefmeter.reports.card import BRIEF, CardReport

    recipe, noticed = recipe_from(signature, options)
    if window is not None and recipe.as_one_document:
        raise OptionError("--window changes nothing where documents are scored as one")
    paths, names = named_paths(responses)
    key_corpus, readers = read_sides(
        key, paths, recipe, formats=formats_of(source_formats), details=bool(by), strict=strict
    )
    sizes = {"window": window, "character": character, "largest": largest}
    given: dict[str, Any] = {name: size for name, size in sizes.items() if size is not None}
    functions = columns(key, by)
    cards = []
    with Progress("counting") as progress:
        for number, (read_response, name) in enumerate(zip(readers, names, strict=True), 1):
            found = card_of(
                key_corpus,
                read_response(),
                recipe,
                by=by,
                pronouns=pronouns,
                functions=functions,
                strict=strict,
                **given,
            )
            found.result.name = name
            found.problems[:0] = noticed
            cards.append(found)
            progress(number, len(paths))
    asked = [
        *BRIEF,
        *(("long",) if window is not None else ()),
        *(("characters",) if {"character", "largest"} & given.keys() else ()),
    ]
    report = CardReport(cards, key, None if everything else asked)
    output.write(report, [p for one in cards for p in one.problems])
