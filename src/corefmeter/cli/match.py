"""``corefmeter match KEY RESPONSE``"""

from __future__ import annotations

import sys
from typing import Any

import click

from corefmeter.cli.help import FILE, command, option
from corefmeter.cli.options import (
    OUTPUT,
    formats_of,
    formats_option,
    matching_options,
    named,
    output_in,
    quiet_option,
    recipe_from,
)
from corefmeter.problems import OptionError


@command(short_help="Show which response mention is which key mention.")
@click.argument("key", type=FILE, metavar="KEY")
@click.argument("response", type=FILE, metavar="RESPONSE")
@matching_options
@formats_option
@option(
    "--document", "documents_wanted", multiple=True, metavar="NAME", group=OUTPUT,
    help="Only this document; may be repeated.",
)  # fmt: skip
@option(
    "--hide-exact", is_flag=True, group=OUTPUT,
    help="Leave out mentions that were matched exactly.",
)  # fmt: skip
@output_in("text", "json", "csv")
@quiet_option
def match(
    key: str,
    response: str,
    source_formats: str | None,
    signature: str | None,
    documents_wanted: tuple[str, ...],
    hide_exact: bool,
    format: str,
    output: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Show which response mention is which key mention: the pairs, how they came about, the rest.

    A pair has a stage (zeros, exact, or the way of matching) and a weight; mentions without a
    partner follow in their places. Spans are half-open, in tokens of the document.

    \b
    Examples:
      corefmeter match key.conllu response.conllu --match head
      corefmeter match key.conllu response.conllu --preset corefud2025
      corefmeter match key.conll response.conll --match overlap -f csv
    """
    from corefmeter.problems import unknown
    from corefmeter.reading import read_sides
    from corefmeter.reports import write_warnings
    from corefmeter.reports.alignment import AlignmentReport, write_alignments
    from corefmeter.scoring import match_corpora

    recipe, noticed = recipe_from(signature, options)
    (response,), (name,) = named([response])
    if key == response == "-":
        raise OptionError("only one of the files can be standard input")
    key_corpus, (read_response,) = read_sides(
        key, [response], recipe, formats=formats_of(source_formats), details=True
    )
    alignments, problems = match_corpora(key_corpus, read_response(), recipe)
    if documents_wanted:
        known = {name for a in alignments for name in (a.key.document.name, a.key.document.label)}
        for one in documents_wanted:
            if one not in known:
                raise unknown("document", one, sorted(known))
        wanted = set(documents_wanted)
        alignments = [
            alignment
            for alignment in alignments
            if not wanted.isdisjoint((alignment.key.document.name, alignment.key.document.label))
        ]
    if not quiet:
        write_warnings([*noticed, *problems], sys.stderr)
    report = AlignmentReport(recipe, key, response, alignments, hide_exact, name)
    write_alignments(report, format, output)
