"""``corefmeter report KEY RESPONSE…``"""

from __future__ import annotations

import os
import sys

import click

from corefmeter.cli import options as common
from corefmeter.cli.help import command
from corefmeter.cli.run import Run, column_features, run_options
from corefmeter.labels import labels
from corefmeter.recipe import MATCHING, POLICIES
from corefmeter.reports import write_warnings

#: The page, unless another file is named.
_PAGE = "report.html"


@command(aside=(MATCHING, POLICIES))
@common.feature_option(
    "Also filter errors by a feature of mentions. kind, entity_type and sentence_distance are "
    "always included. An unknown name lists all features. column:N is a column of the key."
)
@common.show_option(
    "--show",
    metavar="worst:N",
    help="Show the N documents with the most errors (default: all, or as many as fit into 25 MB).",
)
@run_options(common.pronouns_option, common.recipe_options)
@common.write_option(
    "-o",
    "--output",
    metavar="FILE",
    help=f"File of the page, or - for standard output (default: {_PAGE}, unless it exists).",
)
@common.force_option
@common.quiet_option_except("They are still on the page.")
def report(
    run: Run,
    output: str | None,
    by: tuple[str, ...],
    show: str | None,
    pronouns: str | None,
    quiet: bool,
    force: bool,
) -> None:
    """Write one HTML page, which opens in a browser without a network.

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
    check_outputs([], invented, force)  # before all is read
    page, problems = page_of(
        run.key,
        dict(zip(labels(run.paths, run.names), run.paths, strict=True)),
        run.recipe,
        by=by,
        functions=column_features(run.key, by),
        pronouns=pronouns,
        show=show,
        strict=run.strict,
        formats=run.formats,
    )
    if not quiet:
        write_warnings([*run.noticed, *problems], sys.stderr, "; all are on the page")
    path = None if output == "-" else output or _PAGE
    check_outputs([] if invented else [path], invented, force)
    with open_output(path) as stream:
        stream.write(page.html)
    for name in invented:
        click.echo(os.path.abspath(name))
