"""``corefmeter list metrics|presets|formats|policies``"""

from __future__ import annotations

import click

from corefmeter.cli.help import Choice, command
from corefmeter.cli.options import output_in


@command(name="list")
@click.argument(
    "what",
    metavar="metrics|presets|formats|policies",
    type=Choice(["metrics", "presets", "formats", "policies"]),
)
@output_in("text", "json")
def listing(what: str, format: str, output: str | None) -> None:
    """List what there is: metrics with their papers, presets, formats, or policies.

    What other packages add is listed too. A policy is an option that can change a number.

    \b
    Examples:
      corefmeter list metrics
      corefmeter list presets
      corefmeter list formats -f json
    """
    from corefmeter.formats.output import open_output
    from corefmeter.reports.listing import write_list

    with open_output(output) as stream:
        write_list(what, format, stream)
