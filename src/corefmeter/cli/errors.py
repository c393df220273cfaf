"""``corefmeter errors KEY RESPONSE``"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from corefmeter.cli import options as common
from corefmeter.cli.help import command, option
from corefmeter.cli.run import Run, column_features, run_options
from corefmeter.problems import OptionError, Problem
from corefmeter.recipe import MATCHING, POLICIES

if TYPE_CHECKING:
    from corefmeter.analysis.report import Analysis

#: What can be listed.
LISTS = ("entities", "links", "mentions")


@command(aside=(MATCHING, POLICIES))
@common.feature_option(
    "Break down by entity_type, sentence_distance, …. These are features of mentions; an unknown "
    "name lists all; column:N is a column of the key, counted from 0."
)
@option("--document", metavar="NAME", group=common.SHOWN, help="Look at one document only.")
@option("--entities", is_flag=True, group=common.SHOWN, help="List entities.")
@option("--links", is_flag=True, group=common.SHOWN, help="List links to antecedents.")
@option("--mentions", is_flag=True, group=common.SHOWN, help="List mentions.")
@option(
    "--top",
    type=click.IntRange(0),
    metavar="N",
    group=common.SHOWN,
    rare=True,
    help="Number of rows in each list, 0 for all. Default: 5 of the worst, 20 of a list; all in "
    "JSON, CSV.",
)
@option("--all", "everything", is_flag=True, group=common.SHOWN, help="Show all tables.")
@option("--show", is_flag=True, group=common.SHOWN, help="Show the text with brackets instead.")
@option(
    "--side-by-side",
    is_flag=True,
    hidden=True,
    group=common.SHOWN,
    rare=True,
    help="With --show, the key on the left and the response on the right.",
)
@run_options(common.pronouns_option, common.recipe_options)
@common.output_options
@common.shown_signature_option
@option(
    "--write-fixed",
    metavar="DIR",
    group=common.OUTPUT,
    rare=True,
    help="Write one CoNLL file for each error type: the response with that type corrected.",
)
@option("--force", is_flag=True, group=common.OUTPUT, hidden=True)
@common.quiet_option
def errors(
    run: Run,
    by: tuple[str, ...],
    document: str | None,
    top: int | None,
    everything: bool,
    show: bool,
    side_by_side: bool,
    write_fixed: str | None,
    force: bool,
    pronouns: str | None,
    output: common.Output,
    **lists: bool,
) -> None:
    """Show what went wrong in a response, or what a second one fixed and broke.

    KEY and RESPONSE are as for "corefmeter score". docs/errors.md explains the numbers.

    \b
    Examples:
      corefmeter errors key.conll response.conll --feature entity_type --mentions
      corefmeter errors key.conll before.conll after.conll
      corefmeter errors key.conll response.conll --show --document wsj_0011 | less
    """
    from corefmeter.analysis.report import analyse_corpora

    sections = [name for name in LISTS if lists[name]]
    as_text = show or side_by_side
    if as_text:
        if output.format != "text" or sections:
            raise OptionError(
                "--show writes text and no lists: with another name of the output, or with -f text"
            )
        if top is not None or by or pronouns or output.digits is not None:
            unused = "--digits, --top, --feature and --pronouns have no effect"
            raise OptionError(f"--show writes the text alone: {unused}")
    if output.format.startswith("csv"):
        _require_one_table(sections, top is not None and len(run.paths) == 1)
    if len(run.paths) > 2:
        raise OptionError(
            f"{len(run.paths)} responses are too many: give one, or two to compare a second with "
            'the first; "corefmeter report" shows more'
        )
    if len(run.paths) > 1 and (as_text or sections or write_fixed is not None):
        raise OptionError("two responses are compared without --show, --write-fixed and lists")
    analyse = partial(
        analyse_corpora,
        by=list(by),
        document=document,
        pronouns=pronouns,
        functions=column_features(run.key, by),
    )
    analysis, *others = analyses = run.analyses(analyse, details=True, label="analysing")
    problems = list(dict.fromkeys(problem for one in analyses for problem in one.problems))
    problems += _write_fixed(analysis, write_fixed, output.path, force)
    rows = sys.maxsize if top == 0 else top
    if others:
        from corefmeter.analysis.changes import Changes
        from corefmeter.reports.errors_changes import ChangesReport

        output.write(ChangesReport(Changes(analysis, *others), rows), problems)
    elif as_text:
        from corefmeter.formats.output import open_output
        from corefmeter.reports.errors_show import write_texts

        with open_output(output.path) as stream:
            write_texts(analysis, stream, side_by_side)
        output.warn(problems)
    else:
        from corefmeter.reports.errors import ErrorsReport

        output.write(ErrorsReport(analysis, sections, rows, everything), problems)


def _require_one_table(sections: Sequence[str], cut: bool) -> None:
    """Refuse what a CSV file cannot hold: several lists, or a number of rows without a list."""
    if cut and not sections:
        raise OptionError("--top limits lists; for CSV, choose one list, such as --links")
    if len(sections) > 1:
        raise OptionError(f"CSV can have only one list: choose one of {', '.join(sections)}")


def _write_fixed(
    analysis: Analysis, folder: str | None, output: str | None, force: bool
) -> list[Problem]:
    """Write the response with each class of errors repaired, such as ``span.conll``."""
    from corefmeter.analysis.operations import CLASSES
    from corefmeter.formats import conll
    from corefmeter.formats.output import check_outputs, make_folder, open_output

    paths = {name: os.path.join(folder, f"{name}.conll") for name in CLASSES} if folder else {}
    check_outputs([output], list(paths.values()), force)
    if folder is not None:
        make_folder(folder)
    problems: list[Problem] = []
    for name, path in paths.items():
        with open_output(path) as stream:
            lost = conll.write(analysis.repaired([name]), stream)
        problems += [problem._replace(path=path) for problem in lost]
    return problems
