"""``corefmeter errors KEY RESPONSE``"""

from __future__ import annotations

import os
import sys
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import click

from corefmeter.cli import options as common
from corefmeter.cli.help import command
from corefmeter.cli.run import Run, column_features, run_options
from corefmeter.problems import OptionError, Problem
from corefmeter.recipe import MATCHING, POLICIES

if TYPE_CHECKING:
    from corefmeter.analysis.report import Analysis


@command(aside=(MATCHING, POLICIES))
@common.feature_option(
    "Break down by a feature of mentions, such as entity_type. An unknown name lists all features. "
    "column:N is a column of the key, counted from 0."
)
@common.show_option("--document", metavar="NAME", help="Analyze only this document.")
@common.show_option(
    "--entity",
    metavar="NAME",
    help="Follow one key entity, given by its name in lists or its id in the file.",
)
@common.show_option("--entities", is_flag=True, help="List entities.")
@common.show_option("--links", is_flag=True, help="List links to antecedents.")
@common.show_option("--mentions", is_flag=True, help="List mentions.")
@common.show_option(
    "--top",
    type=click.IntRange(0),
    metavar="N",
    rare=True,
    help="Number of rows in each list, 0 for all (default: 20 in text, 5 of the worst).",
)
@common.show_option("--all", "everything", is_flag=True, help="Show all tables.")
@common.show_option("--show", is_flag=True, help="Show the text with brackets instead of tables.")
@common.show_option(
    "--side-by-side",
    is_flag=True,
    hidden=True,
    rare=True,
    help="With --show, the key on the left and the response on the right.",
)
@run_options(common.pronouns_option, common.recipe_options)
@common.output_options
@common.shown_signature_option
@common.write_option(
    "--write-fixed",
    metavar="DIR",
    rare=True,
    help="Write one CoNLL file for each error type: the response with that type corrected.",
)
@common.write_option("--force", is_flag=True, hidden=True)
@common.quiet_option
def errors(
    run: Run,
    by: tuple[str, ...],
    document: str | None,
    entity: str | None,
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
    """Show the errors of a response, or those that a second response fixed and added.

    KEY and RESPONSE are as for "corefmeter score". docs/errors.md explains the numbers.

    \b
    Examples:
      corefmeter errors key.conll response.conll --feature entity_type --mentions
      corefmeter errors key.conll before.conll after.conll
      corefmeter errors key.conll response.conll --show --entity Ann | less
    """
    from corefmeter.analysis.chain import find_chain
    from corefmeter.analysis.changes import Changes
    from corefmeter.analysis.report import analyse_corpora
    from corefmeter.formats.output import open_output
    from corefmeter.reports.errors import ErrorsReport
    from corefmeter.reports.errors_changes import ChangesReport
    from corefmeter.reports.errors_lists import SECTIONS
    from corefmeter.reports.errors_show import write_texts

    sections = [name for name in SECTIONS if lists[name]]
    number, as_text = len(run.paths), show or side_by_side
    without_effect = top is not None or by or pronouns or output.digits is not None
    of_one = as_text or sections or entity or write_fixed is not None
    cut_summary = output.format.startswith("csv") and top is not None and not sections
    _refuse(
        (as_text and (output.format != "text" or sections), "--show writes text, and no lists"),
        (as_text and without_effect, "--show needs no --digits, --top, --feature and --pronouns"),
        (cut_summary and number == 1, "--top limits lists; for CSV, choose one, such as --links"),
        (number > 2, f'{number} responses are too many; "corefmeter report" compares them'),
        (number > 1 and of_one, "--show, --entity, --write-fixed and lists need a single response"),
        (entity and everything, "--all shows all entities, and --entity one; choose one of them"),
    )
    analyse = partial(
        analyse_corpora,
        by=list(by),
        document=document,
        pronouns=pronouns,
        functions=column_features(run.key, by),
    )
    analysis, *others = analyses = run.analyses(analyse, "analysing")
    problems = list(dict.fromkeys(chain.from_iterable(a.problems for a in analyses)))
    problems += _write_fixed(analysis, write_fixed, output.path, force)
    followed = None if entity is None else find_chain(analysis, entity)
    if followed is not None and not sections:
        sections = ["mentions"] if output.format.startswith("csv") else ["entities", "mentions"]
    rows = sys.maxsize if top == 0 else top
    if others:
        output.write(ChangesReport(Changes(analysis, *others), rows), problems)
    elif as_text:
        with open_output(output.path) as stream:
            write_texts(analysis, stream, side_by_side, followed)
        output.warn(problems)
    else:
        output.write(ErrorsReport(analysis, sections, rows, everything, followed), problems)


def _refuse(*cases: tuple[object, str]) -> None:
    """Raise an error with the message of the first case that applies."""
    for applies, message in cases:
        if applies:
            raise OptionError(message)


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
