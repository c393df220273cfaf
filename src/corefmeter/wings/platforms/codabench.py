"""``corefmeter codabench``: a shared task on Codabench."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import fields
from typing import Any, cast, get_args

import click

from corefmeter.cli.help import FILE, Choice, Group, combine_options, option
from corefmeter.cli.options import (
    OUTPUT,
    force_option,
    options_of_texts,
    quiet_option_except,
    recipe_from,
    strict_option,
)
from corefmeter.metrics import DEFAULT
from corefmeter.problems import DataError, OptionError, amount
from corefmeter.recipe import COMPUTED, MATCHING, POLICIES, Recipe
from corefmeter.reports import write_warnings
from corefmeter.wings.platforms.submission import Details

#: Options of both commands.
_task_options = combine_options(
    option(
        "--datasets",
        is_flag=True,
        group=COMPUTED,
        help="Treat each file of the key as a separate data set; the score is their mean.",
    ),
    # A task has a recipe: help shows few of its options.
    options_of_texts(DEFAULT, rare=[field.name for field in fields(Recipe)]),
    strict_option,
    option(
        "--details",
        type=Choice(get_args(Details)),
        default="scores",
        group=OUTPUT,
        help="Results that participants see. A report also shows the text and entities of the key.",
    ),
    force_option,
)


@click.group(cls=Group, section="Platforms", short_help="Run a shared task on Codabench.")
def codabench() -> None:
    """Run a shared task on Codabench: write its bundle, and score submissions.

    \b
    Examples:
      corefmeter codabench scaffold task --key test.conll --sample baseline.conll
      corefmeter codabench scaffold task --key keys/ --datasets -m conll
      corefmeter codabench run input output
    """


@codabench.command(short_help="Write the bundle of a task.", aside=(MATCHING, POLICIES))
@click.argument("folder", type=FILE, metavar="DIR")
@option("--key", type=FILE, metavar="FILE|FOLDER", required=True, group=COMPUTED, help="The key.")
@option(
    "--sample",
    type=FILE,
    metavar="FILE|FOLDER",
    group=COMPUTED,
    help="A submission to test the task with.",
)
@option("--title", metavar="TEXT", default="Coreference", group=OUTPUT, help="Name of the task.")
@_task_options
def scaffold(
    folder: str,
    key: str,
    sample: str | None,
    title: str,
    datasets: bool,
    signature: str | None,
    strict: bool,
    details: str,
    force: bool,
    **options: Any,
) -> None:
    """Write the bundle of a task to the folder DIR: competition.yaml, the reference, the pages,
    and a scoring program that needs no network.

    First the key is scored against itself, and the sample against the key. Then edit the pages and
    the dates, pack the content of DIR into a zip archive, and upload it.

    \b
    Examples:
      corefmeter codabench scaffold task --key test.conll
      corefmeter codabench scaffold task --key test.conllu --preset corefud2025
      corefmeter codabench scaffold task --key keys/ --sample baseline/ --datasets
    """
    from corefmeter.formats.output import check_outputs
    from corefmeter.wings.platforms.bundle import bundle, run_bundle, scoring_command, write_files

    recipe, noticed = recipe_from(signature, options)
    for name, value in [*vars(recipe).items(), *recipe.others]:
        if callable(value):
            raise OptionError(
                f"{name}: a function cannot be in a bundle, whose scoring program has only "
                "corefmeter"
            )
    write_warnings(noticed, sys.stderr)
    names = []
    submissions = {"reference_data": key} | ({"solution": sample} if sample is not None else {})
    for response in submissions.values():
        names = _check_submission(key, response, recipe, datasets, strict)
    command = scoring_command(recipe, datasets, details, strict)
    contents = bundle(key, recipe, command, sample=sample, name=title, datasets=names)
    for place, response in submissions.items():
        scores = run_bundle(contents, command, place)
        rows = [f"{metric} {scores[metric]:.2f}" for metric in recipe.metrics if metric in scores]
        click.echo(f"{response}: {', '.join(rows)}")
    check_outputs([], [os.path.join(folder, *name.split("/")) for name in contents], force)
    write_files(folder, contents)
    click.echo(f"{amount(len(contents), 'file')} in {folder}")
    click.echo(f"Pack them, and upload task.zip: (cd {folder} && zip -r ../task.zip .)")


def _check_submission(
    key: str, response: str, recipe: Any, datasets: bool, strict: bool
) -> list[str]:
    """Print the problems of a submission, and return the names of its data sets."""
    from corefmeter.wings.platforms.submission import pairs_of, score_submission

    pairs, noticed = pairs_of(key, response, datasets)
    _, _, scoring_problems = score_submission(pairs, recipe, strict)
    problems = [*noticed, *scoring_problems]
    # If the key is scored against itself, all files are the same.
    problems = [problem for problem in problems if problem.code != "same-file"]
    write_warnings(problems, sys.stderr, rest="")
    return [pair.name for pair in pairs if datasets]


@codabench.command(
    short_help="Score a submission (called by the platform).", aside=(MATCHING, POLICIES)
)
@click.argument("submitted", type=FILE, metavar="INPUT")
@click.argument("folder", type=FILE, metavar="OUTPUT")
@_task_options
@quiet_option_except("Warnings about the submission still appear in the detailed results.")
def run(
    submitted: str,
    folder: str,
    datasets: bool,
    signature: str | None,
    strict: bool,
    details: str,
    force: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Score the submission in INPUT/res against the reference in INPUT/ref.

    Write scores.json, with all scores in percent, and detailed_results.html to OUTPUT. For a
    submission that cannot be scored, write only the page, which lists the errors and their places;
    the exit status is then 3, and the platform shows the submission as failed.

    \b
    Examples:
      corefmeter codabench run /app/input /app/output
      corefmeter codabench run input output -m conll,lea --details report
      corefmeter codabench run input output --datasets --preset corefud2025
    """
    from corefmeter.formats.output import check_outputs, remove
    from corefmeter.wings.platforms.submission import judge, write_file

    if not os.path.isdir(submitted):
        raise OptionError(f"{submitted} is not a folder; give the folder that has ref and res")
    recipe, noticed = recipe_from(signature, options)
    table, page = (os.path.join(folder, name) for name in ("scores.json", "detailed_results.html"))
    outcome = judge(submitted, recipe, cast(Details, details), datasets=datasets, strict=strict)
    check_outputs([], [table, page], force)
    write_file(page, outcome.page)
    if outcome.scores is None:
        remove(table)  # of another submission
        raise DataError(outcome.problems)
    write_file(table, json.dumps(outcome.scores, indent=2, allow_nan=False) + "\n")
    if not quiet:
        problems = [*noticed, *outcome.problems]
        if details == "scores":  # the number of warnings may reveal that of the key's documents
            problems = list({problem.code: problem for problem in reversed(problems)}.values())
        rest = "; those of the submission are in the detailed results"
        write_warnings(problems, sys.stderr, rest)
