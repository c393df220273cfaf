"""``corefmeter score KEY RESPONSE…``"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from corefmeter.cli import options as common
from corefmeter.cli.help import FILE, command, complete_from, option
from corefmeter.cli.run import Run
from corefmeter.problems import OptionError, Problem
from corefmeter.recipe import COMPUTED, Recipe
from corefmeter.reports.scores import ScoreReport

if TYPE_CHECKING:
    from corefmeter.limits import Limit
    from corefmeter.reports.scores import DatasetsReport
    from corefmeter.units import Groups


@command()
@click.argument("key", type=FILE, metavar="KEY", required=False)
@click.argument("responses", type=FILE, metavar="RESPONSE…", nargs=-1)
@common.recipe_options
@option(
    "--by",
    multiple=True,
    metavar="GROUP",
    group=COMPUTED,
    shell_complete=complete_from("groups"),
    help="Also score by document, part, genre, or a FILE. A genre is the first part of "
    "the name of a document; a FILE has two columns: document, TAB, group. May be repeated.",
)
@option(
    "--pairs",
    type=FILE,
    metavar="TABLE|FOLDER",
    group=COMPUTED,
    help="Score several data sets and their unweighted mean. Each line of the table is name, TAB, "
    "key, TAB, response; a folder needs subfolders key and response.",
)
@common.formats_option
@common.strict_option
@common.write_option(
    "--fail-under",
    multiple=True,
    metavar="METRIC=PERCENT",
    rare=True,
    help=f"End with status {common.UNREACHED} if the F1 of a metric is lower. May be repeated. "
    "With --pairs, the mean counts; otherwise, each response counts.",
)
@common.fail_on_option
@common.output_options_with("github")
@common.shown_signature_option
@common.layout_options
@common.quiet_option
def score(
    key: str | None,
    responses: tuple[str, ...],
    source_formats: str | None,
    strict: bool,
    signature: str | None,
    by: tuple[str, ...],
    pairs: str | None,
    output: common.Output,
    rows: str | None,
    order: str | None,
    rounding: str,
    fail_under: tuple[str, ...],
    fail_on: str | None,
    **options: Any,
) -> int:
    """Score one or more responses against a key.

    KEY and RESPONSE are files, folders, globs or - for standard input. Their
    format is detected. NAME=RESPONSE sets the name of a response in tables.

    \b
    Examples:
      corefmeter score key.conll response.conll
      corefmeter score key.conll a.conll b.conll -m lea,conll -f latex
      corefmeter score key.conllu response.conllu --preset corefud2025 --by genre
    """
    recipe, noticed = common.recipe_from(signature, options)
    limits = _read_limits(fail_under, recipe)
    layout = common.layout_of(output, recipe.metrics, rows, order, rounding)
    report: ScoreReport | DatasetsReport
    with output.annotating():
        if pairs is not None:
            from corefmeter.cli.datasets import dataset_pairs, score_pairs
            from corefmeter.reports.scores import DatasetsReport

            if key is not None or by or source_formats:
                raise OptionError("--pairs cannot be combined with KEY, RESPONSE, --by or --from")
            if rows is not None or layout.official:
                raise OptionError("--pairs cannot be combined with --rows or --rounding")
            report = DatasetsReport(score_pairs(dataset_pairs(pairs), recipe, strict))
        elif key is None or not responses:
            missing = "RESPONSE…" if key else "KEY"
            raise click.UsageError(f"Missing argument '{missing}'.")
        else:
            by_groups: Groups = []
            if by:  # a wrong group is refused before anything is scored
                from corefmeter.cli.groups import groups

                by_groups = groups(by)
            results = Run.of(key, responses, recipe, source_formats, strict).scores()
            report = ScoreReport(results, key, by_groups, layout)
    for result in report.scored:
        result.problems[:0] = noticed
    problems = [p for result in report.scored for p in result.problems]
    missed: list[Problem] = []
    if limits:
        from corefmeter.limits import unreached_limits

        for path, f1 in report.judged():
            missed += unreached_limits(limits, f1, path)
    output.write(report, problems, missed)
    return common.UNREACHED if common.fails_on_warnings(fail_on, problems) or missed else 0


def _read_limits(texts: Sequence[str], recipe: Recipe) -> list[Limit]:
    """Return the limits that ``--fail-under`` gives, all of metrics that are scored."""
    if not texts:
        return []
    from corefmeter.limits import Limit

    limits = [Limit.parse(text) for text in texts]
    for limit in limits:
        if limit.metric not in recipe.metrics:
            raise OptionError(f"--fail-under {limit.metric}: not scored; add -m {limit.metric}")
    return limits
