"""``corefmeter errors KEY RESPONSE``"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from corefmeter.cli.help import FILE, command, complete_from, option
from corefmeter.cli.options import (
    OUTPUT,
    SHOWN,
    Output,
    analysis_options,
    formats_of,
    named_paths,
    output_options,
    quiet_option,
    recipe_from,
    shown_signature_option,
)
from corefmeter.problems import OptionError
from corefmeter.recipe import MATCHING, POLICIES


@command(aside=(MATCHING, POLICIES))
@click.argument("key", type=FILE, metavar="KEY")
@click.argument("responses", type=FILE, metavar="RESPONSE…", nargs=-1, required=True)
@option(
    "--feature",
    "by",
    formerly=("--by",),
    multiple=True,
    metavar="NAME",
    group=SHOWN,
    shell_complete=complete_from("features"),
    help="Break down by entity_type, sentence_distance, …. These are features of mentions; an "
    "unknown name lists all; column:N is a column of the key, counted from 0. May be repeated.",
)
@option("--document", metavar="NAME", group=SHOWN, help="Look at one document only.")
@option("--entities", is_flag=True, group=SHOWN, help="List entities.")
@option("--links", is_flag=True, group=SHOWN, help="List links to antecedents.")
@option("--mentions", is_flag=True, group=SHOWN, help="List mentions.")
@option(
    "--top",
    type=click.IntRange(0),
    metavar="N",
    group=SHOWN,
    rare=True,
    help="How many rows of each list, 0 for all. By default 5 of the worst, 20 of a list; all in "
    "JSON, CSV.",
)
@option("--all", "everything", is_flag=True, group=SHOWN, help="Show all tables.")
@option(
    "--show",
    is_flag=True,
    group=SHOWN,
    help="Show the text with brackets instead.",
)
@option(
    "--side-by-side",
    is_flag=True,
    hidden=True,
    group=SHOWN,
    rare=True,
    help="With --show, the key on the left and the response on the right.",
)
@analysis_options
@output_options
@shown_signature_option
@option(
    "--write-fixed",
    metavar="DIR",
    group=OUTPUT,
    rare=True,
    help="Write the response with one class of errors repaired, a CoNLL file for each class.",
)
@option("--force", is_flag=True, group=OUTPUT, hidden=True)
@quiet_option
def errors(
    key: str,
    responses: tuple[str, ...],
    by: tuple[str, ...],
    document: str | None,
    top: int | None,
    entities: bool,
    links: bool,
    mentions: bool,
    everything: bool,
    show: bool,
    side_by_side: bool,
    write_fixed: str | None,
    force: bool,
    pronouns: str | None,
    source_formats: str | None,
    signature: str | None,
    output: Output,
    strict: bool,
    **options: Any,
) -> None:
    """Show what went wrong in a response, or what a second one mended and broke.

    KEY and RESPONSE are as for "corefmeter score". docs/errors.md explains the numbers.

    \b
    Examples:
      corefmeter errors key.conll response.conll --feature entity_type --mentions
      corefmeter errors key.conll before.conll after.conll
      corefmeter errors key.conll response.conll --show --document wsj_0011 | less
    """
    from corefmeter.analysis.report import analyse_corpora
    from corefmeter.formats import conll
    from corefmeter.formats.output import check_outputs, make_folder, open_output
    from corefmeter.reading import read_sides

    recipe, noticed = recipe_from(signature, options)
    paths, names = named_paths(responses)
    wanted = {"entities": entities, "links": links, "mentions": mentions}
    sections = [name for name, asked in wanted.items() if asked]
    if (show or side_by_side) and (output.format != "text" or sections):
        raise OptionError(
            "--show writes text and no lists: with another name of the output, or with -f text"
        )
    if top == 0:
        top = sys.maxsize
    if (show or side_by_side) and (top or by or pronouns or output.digits is not None):
        raise OptionError(
            "--show writes the text alone: --digits, --top, --feature and --pronouns change nothing"
        )
    if top and output.format.startswith("csv") and not sections and len(paths) == 1:
        raise OptionError("--top is for lists; CSV holds one if it is asked for, as by --links")
    if output.format.startswith("csv") and len(sections) > 1:
        raise OptionError(f"CSV holds one list: ask for one of {', '.join(sections)}")
    if len(paths) > 2:
        raise OptionError("errors are those of one response, or of a second against the first")
    if len(paths) > 1 and (show or side_by_side or sections or write_fixed is not None):
        raise OptionError("two responses are compared without --show, --write-fixed and lists")
    key_corpus, readers = read_sides(
        key, paths, recipe, formats=formats_of(source_formats), details=True, strict=strict
    )
    functions = columns(key, by)
    analyses = [
        analyse_corpora(
            key_corpus,
            read_response(),
            recipe,
            by=list(by),
            document=document,
            pronouns=pronouns,
            functions=functions,
            strict=strict,
        )
        for read_response in readers
    ]
    for analysis, name in zip(analyses, names, strict=True):
        analysis.problems[:0] = noticed
        analysis.result.name = name
    analysis = analyses[0]
    problems = list(dict.fromkeys(problem for one in analyses for problem in one.problems))
    fixed = {} if write_fixed is None else _fixed_paths(write_fixed)
    check_outputs([output.path], list(fixed.values()), force)
    if write_fixed is not None:
        make_folder(write_fixed)
    for kind, path in fixed.items():
        with open_output(path) as stream:
            lost = conll.write(analysis.repaired([kind]), stream)
        problems += [problem._replace(path=path) for problem in lost]
    if len(analyses) > 1:
        from corefmeter.analysis.changes import Changes
        from corefmeter.reports.errors_changes import ChangesReport

        report = ChangesReport(Changes(*analyses), top)
        output.write(report, problems)
    elif show or side_by_side:
        from corefmeter.reports.errors_show import write_texts

        with open_output(output.path) as stream:
            write_texts(analysis, stream, side_by_side)
        output.warn(problems)
    else:
        from corefmeter.reports.errors import ErrorsReport

        output.write(ErrorsReport(analysis, sections, top, everything), problems)


def columns(key: str, by: tuple[str, ...]) -> dict[str, Any]:
    """Return the features that are columns of the key file, ``column:N``."""
    functions: dict[str, Any] = {}
    for name in by:
        kind, colon, number = name.partition(":")
        if kind != "column" or not colon:
            continue
        try:
            place = int(number)
        except ValueError:
            raise OptionError(f"{name}: a column is a number, from 0") from None
        if not os.path.isfile(key):
            raise OptionError(f"{name}: columns are read from a file, and {key!r} is none")
        from corefmeter.formats.conll import column
        from corefmeter.mentions.features import ColumnFeature

        functions[name] = ColumnFeature(column(key, place))
    return functions


def _fixed_paths(folder: str) -> dict[str, str]:
    """The files of the repaired responses in a folder, ``span.conll`` and so on, by class."""
    from corefmeter.analysis.operations import CLASSES

    return {name: os.path.join(folder, f"{name}.conll") for name in CLASSES}
