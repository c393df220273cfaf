"""``corefmeter correlate``: whether metrics agree."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from corefmeter.cli.help import FILE, Choice, command, complete_from, option
from corefmeter.cli.options import OUTPUT, Output, named_paths, output_options

_option = partial(option, group="What to compare")


def _picture_option(name: str, content: str) -> Callable[[Any], Any]:
    return option(
        name,
        type=click.Path(dir_okay=False),
        metavar="FILE",
        group=OUTPUT,
        help=f"Draw {content}. FILE must end in .png, .pdf or .svg.",
    )


@command(section="Research", short_help="Show whether metrics agree over several systems.")
@click.argument("files", type=FILE, metavar="TABLE|RESULT…", nargs=-1, required=True)
@_option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_from("metrics"),
    help="Metric to compare; may be repeated (default: all).",
)
@_option(
    "--score",
    type=Choice(["recall", "precision", "f1"]),
    usual="f1",
    help="Score of each metric to compare.",
)
@_option(
    "--method",
    type=Choice(["kendall", "spearman", "pearson"]),
    default="kendall",
    help="Correlation coefficient.",
)
@_option(
    "--disagreements",
    is_flag=True,
    help="Also list the pairs of systems that two metrics put in opposite order.",
)
@output_options
@_picture_option("--plot", "a scatter plot of each pair of metrics")
@_picture_option("--heatmap", "the matrix as a heat map")
def correlate(
    files: tuple[str, ...],
    method: str,
    score: str | None,
    metrics: tuple[str, ...],
    disagreements: bool,
    output: Output,
    plot: str | None,
    heatmap: str | None,
) -> None:
    """Show whether metrics agree: correlate their scores of three or more systems.

    RESULT is a file that "corefmeter score" or "corefmeter compare" wrote with -f json or -f csv;
    several results are combined. TABLE is any CSV of scores: a header, then for each system its
    name and a number for each metric, in any unit.

    \b
    Examples:
      corefmeter correlate scores.csv
      corefmeter correlate a.json b.json c.json -m conll -m lea --disagreements
      corefmeter correlate scores.csv --plot scatter.pdf --heatmap matrix.pdf
    """
    from corefmeter.formats.output import check_outputs
    from corefmeter.wings.lab import correlation, disagreement, pictures
    from corefmeter.wings.lab.report_correlation import CorrelationReport
    from corefmeter.wings.lab.score_table import read_scores

    for picture in filter(None, (plot, heatmap)):
        pictures.require_drawable(picture)
    paths, names = named_paths(files)
    table = read_scores(paths, score, metrics, names)
    check_outputs([output.path, plot, heatmap])
    matrix = correlation.correlate(table.scores, method, table.metrics, source=table.source)
    opposite = None
    if disagreements:
        opposite = disagreement.disagreements(table.scores, table.metrics, table.p_values)
    for path, draw in ((plot, pictures.draw_scatter), (heatmap, pictures.draw_heatmap)):
        if path:
            pictures.save_figure(draw(table, matrix), path)
    output.write(CorrelationReport(table, matrix, opposite, output.digits))
