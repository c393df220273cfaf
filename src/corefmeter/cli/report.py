"""``corefmeter report KEY RESPONSE…``"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from corefmeter.cli.errors import columns
from corefmeter.cli.help import FILE, command, complete_from, option
from corefmeter.cli.options import (
    OUTPUT,
    SHOWN,
    analysis_options,
    force_option,
    formats_of,
    named_paths,
    quiet_option_except,
    recipe_from,
)
from corefmeter.labels import labels
from corefmeter.recipe import MATCHING, POLICIES
from corefmeter.reports import write_warnings

#: The page, unless another file is named.
_PAGE = "report.html"


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
    help="Also filter errors by a feature of mentions. kind, entity_type and sentence_distance are "
    "there anyway; an unknown name lists all; column:N is a column of the key. May be repeated.",
)
@option(
    "--show",
    metavar="worst:N",
    group=SHOWN,
    help="Show the N documents with most errors. By default all are shown, or as many as a page "
    "of 25 MB holds.",
)
@analysis_options
@option(
    "-o",
    "--output",
    metavar="FILE",
    group=OUTPUT,
    help=f"The page; - is standard output. Without it, {_PAGE} is written, unless it is there.",
)
@force_option
@quiet_option_except("They are still on the page.")
def report(
    key: str,
    responses: tuple[str, ...],
    output: str | None,
    by: tuple[str, ...],
    show: str | None,
    pronouns: str | None,
    source_formats: str | None,
    signature: str | None,
    strict: bool,
    quiet: bool,
    force: bool,
    **options: Any,
) -> None:
    """Write one page to look at, which opens in a browser without a network.

    KEY and RESPONSE are as for "corefmeter score". Several responses are compared.

    \b
    Examples:
      corefmeter report key.conll response.conll
      corefmeter report key.conll a.conll base=b.conll -o report.html
      corefmeter report key/ response/ -o report.html --show worst:50
    """
    from corefmeter.formats.output import check_outputs, open_output
    from corefmeter.reports.page.made import page_of

    invented = [_PAGE] if output is None else []
    recipe, noticed = recipe_from(signature, options)
    check_outputs([], invented, force)  # before all is read
    paths, names = named_paths(responses)
    titles = labels(paths, names)
    page, problems = page_of(
        key,
        dict(zip(titles, paths, strict=True)),
        recipe,
        by=by,
        functions=columns(key, by),
        pronouns=pronouns,
        show=show,
        strict=strict,
        formats=formats_of(source_formats),
    )
    if not quiet:
        write_warnings([*noticed, *problems], sys.stderr, "; all are on the page")
    check_outputs([None if output == "-" else output], invented, force)
    with open_output(None if output == "-" else output or _PAGE) as stream:
        stream.write(page.html)
    for path in invented:
        click.echo(os.path.abspath(path))
