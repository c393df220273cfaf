"""``corefmeter score KEY RESPONSE…``"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from corefmeter.cli.help import FILE, command, complete_from, option
from corefmeter.cli.options import (
    OUTPUT,
    UNREACHED,
    digits_option,
    fail_on_option,
    fails_on_warnings,
    formats_option,
    groups,
    layout_of,
    layout_options,
    output_in,
    quiet_option,
    recipe_from,
    recipe_options,
    shown_signature_option,
    strict_option,
)
from corefmeter.cli.responses import score_responses
from corefmeter.problems import OptionError, Problem
from corefmeter.recipe import COMPUTED, Recipe
from corefmeter.reports import FORMATS, write_report, write_warnings
from corefmeter.reports.github import annotating, write_annotated
from corefmeter.reports.scores import ScoreReport

if TYPE_CHECKING:
    from corefmeter.limits import Limit
    from corefmeter.reports.scores import DatasetsReport


@command()
@click.argument("key", type=FILE, metavar="KEY", required=False)
@click.argument("responses", type=FILE, metavar="RESPONSE…", nargs=-1)
@recipe_options
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
    help="Score several data sets and their unweighted mean. A table has name, TAB, key, TAB, "
    "response in each line; a folder has the folders key and response.",
)
@formats_option
@strict_option
@option(
    "--fail-under",
    multiple=True,
    metavar="METRIC=PERCENT",
    group=OUTPUT,
    rare=True,
    help=f"End with status {UNREACHED} if the F1 of a metric is less. May be repeated. With "
    "--pairs the mean counts, otherwise each response.",
)
@fail_on_option
@output_in(*FORMATS, "github")
@digits_option
@shown_signature_option
@layout_options
@quiet_option
def score(
    key: str | None,
    responses: tuple[str, ...],
    source_formats: str | None,
    signature: str | None,
    by: tuple[str, ...],
    pairs: str | None,
    format: str,
    output: str | None,
    digits: int | None,
    shown_signature: str,
    rows: str | None,
    order: str | None,
    rounding: str,
    strict: bool,
    quiet: bool,
    fail_under: tuple[str, ...],
    fail_on: str | None,
    **options: Any,
) -> int:
    """Score one or more responses against a key.

    KEY and RESPONSE are files, folders, globs or - for standard input. Their
    format is recognised. NAME=RESPONSE sets its name in tables.

    \b
    Examples:
      corefmeter score key.conll response.conll
      corefmeter score key.conll a.conll b.conll -m lea,conll -f latex
      corefmeter score key.conllu response.conllu --preset corefud2025 --by genre
    """
    recipe, noticed = recipe_from(signature, options)
    limits = _limits(fail_under, recipe)
    layout = layout_of(format, digits, rows, order, rounding)
    report: ScoreReport | DatasetsReport
    with annotating(format):
        if pairs is not None:
            from corefmeter.cli.datasets import score_datasets

            if key is not None or by or source_formats:
                raise OptionError("--pairs goes without KEY, RESPONSE, --by and --from")
            if rows is not None or layout.official:
                raise OptionError("--pairs goes without --rows and --rounding")
            report = score_datasets(pairs, recipe, strict)
        else:
            if key is None or not responses:
                missing = "RESPONSE…" if key else "KEY"
                raise click.UsageError(f"Missing argument '{missing}'.")
            by_groups = groups(by)
            results = score_responses(key, responses, recipe, source_formats, strict=strict)
            report = ScoreReport(results, key, by_groups, layout)
    for result in report.scored:
        result.problems[:0] = noticed
    problems = [p for result in report.scored for p in result.problems]
    told = [] if quiet else problems
    missed = _missed(limits, report) if limits else []
    if format == "github":
        write_annotated(report, [*told, *missed], output, digits, shown_signature)
    else:
        write_report(report, format, output, digits, shown_signature)
        write_warnings(told, sys.stderr)
        for problem in missed:
            click.echo(problem, err=True)
    return UNREACHED if fails_on_warnings(fail_on, problems) or missed else 0


def _limits(texts: Sequence[str], recipe: Recipe) -> list[Limit]:
    """Return the limits that ``--fail-under`` gives, all of metrics that are scored."""
    if not texts:
        return []
    from corefmeter.limits import Limit

    limits = [Limit.parse(text) for text in texts]
    for limit in limits:
        if limit.metric not in recipe.metrics:
            raise OptionError(f"--fail-under {limit.metric}: not scored; add -m {limit.metric}")
    return limits


def _missed(limits: Sequence[Limit], report: ScoreReport | DatasetsReport) -> list[Problem]:
    from corefmeter.limits import unreached_limits

    return [p for path, f1 in report.judged() for p in unreached_limits(limits, f1, path)]
