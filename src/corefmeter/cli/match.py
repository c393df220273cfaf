"""``corefmeter match KEY RESPONSE``"""

from __future__ import annotations

from typing import Any

import click

from corefmeter.cli.help import FILE, command, option
from corefmeter.cli.options import (
    OUTPUT,
    Output,
    formats_of,
    formats_option,
    matching_options,
    named_paths,
    output_options,
    quiet_option,
    recipe_from,
    shown_signature_option,
)


@command()
@click.argument("key", type=FILE, metavar="KEY")
@click.argument("response", type=FILE, metavar="RESPONSE")
@matching_options
@formats_option
@option(
    "--document",
    "documents_wanted",
    multiple=True,
    metavar="NAME",
    group=OUTPUT,
    help="Only this document; may be repeated.",
)
@option(
    "--hide-exact", is_flag=True, group=OUTPUT, help="Leave out mentions that were matched exactly."
)
@output_options
@shown_signature_option
@quiet_option
def match(
    key: str,
    response: str,
    source_formats: str | None,
    signature: str | None,
    documents_wanted: tuple[str, ...],
    hide_exact: bool,
    output: Output,
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
    from corefmeter.reports.match import MatchReport
    from corefmeter.scoring import match_corpora

    recipe, noticed = recipe_from(signature, options)
    (response,), (name,) = named_paths([response])
    corpus, (read_response,) = read_sides(
        key, [response], recipe, formats=formats_of(source_formats), details=True
    )
    alignments, problems = match_corpora(corpus, read_response(), recipe)
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
    problems = [*noticed, *problems]
    output.write(
        MatchReport(recipe, key, response, alignments, hide_exact, name, problems), problems
    )
