"""``corefmeter cite METRIC…``"""

from __future__ import annotations

import click

from corefmeter.cli.help import command, complete_from
from corefmeter.cli.options import output_option
from corefmeter.problems import OptionError


@command()
@click.argument(
    "names", metavar="METRIC…", nargs=-1, required=True, shell_complete=complete_from("metrics")
)
@output_option()
def cite(names: tuple[str, ...], output: str | None) -> None:
    """Print the papers that define metrics as BibTeX, each once.

    METRIC is a name from "corefmeter list metrics", several names with commas, or all. The names
    agree and merge print the papers of these commands; corefmeter prints that of this program.

    \b
    Examples:
      corefmeter cite lea conll
      corefmeter cite muc,b3,ceafe -o metrics.bib
      corefmeter cite all
    """
    from corefmeter import metrics
    from corefmeter.formats.output import open_output
    from corefmeter.metrics.references import OF_COMMANDS, PACKAGE, bibtex

    asked = [name for text in names for name in text.replace("+", ",").split(",")]
    if "all" in asked:
        asked = metrics.known_names()
    others = OF_COMMANDS | {"corefmeter": (PACKAGE,)}
    papers_of = {
        name: others.get(name) or metrics.find(metrics.canonical(name)).papers for name in asked
    }
    papers = dict.fromkeys(paper for papers in papers_of.values() for paper in papers)
    for name, of_name in papers_of.items():
        if not of_name:
            click.echo(f"{name} names no paper", err=True)
    if not papers:
        raise OptionError("there is no paper to cite")
    with open_output(output) as stream:
        stream.write("\n".join(f"{bibtex(paper)}\n" for paper in papers))
