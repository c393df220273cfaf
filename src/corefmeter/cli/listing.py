"""``corefmeter list [metrics|presets|formats|policies]``"""

from __future__ import annotations

import click

from corefmeter.cli.help import Choice, command
from corefmeter.cli.options import output_in


@command(name="list")
@click.argument(
    "what",
    metavar="[metrics|presets|formats|policies]",
    type=Choice(["metrics", "presets", "formats", "policies"]),
    required=False,
)
@output_in("text", "json")
def listing(what: str | None, format: str, output: str | None) -> None:
    """List metrics with their papers, presets, formats, or policies; without an argument, all.

    The lists include additions of other packages. A policy is an option that can change a number.
    Set policies without an option of their own by --set NAME=VALUE.

    \b
    Examples:
      corefmeter list
      corefmeter list metrics
      corefmeter list formats -f json
    """
    from corefmeter.formats.output import open_output
    from corefmeter.reports.listing import LISTS, write_list

    with open_output(output) as stream:
        write_list([what] if what else list(LISTS), format, stream)
