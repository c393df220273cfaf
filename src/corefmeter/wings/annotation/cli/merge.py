"""``corefmeter merge A B…``"""

from __future__ import annotations

from functools import partial

import click

from corefmeter.cli.help import FILE, Choice, command, option
from corefmeter.cli.options import (
    SHOWN,
    Output,
    force_option,
    named_paths,
    output_options,
    quiet_option,
)
from corefmeter.cli.sources import identity_option, source_format_option, written_options
from corefmeter.problems import require

_MADE = "How the consensus is made"


@command(section="Annotators", short_help="List decisions that differ, and write a consensus.")
@click.argument("files", type=FILE, metavar="A B…", nargs=-1, required=True)
@option(
    "--least",
    type=click.IntRange(1),
    metavar="N",
    group=_MADE,
    help="Keep mentions that at least N annotators marked (default: more than half).",
)
@option(
    "--singletons",
    type=Choice(["keep", "drop"]),
    default="keep",
    group=_MADE,
    help="Keep or drop entities of one mention, in all files.",
)
@option(
    "--decisions",
    type=FILE,
    metavar="FILE",
    group=_MADE,
    help="Apply the list that -f csv or -f json wrote, after you edited its column consensus.",
)
@source_format_option
@identity_option
@option(
    "--top",
    type=click.IntRange(0),
    metavar="N",
    group=SHOWN,
    help="Number of decisions to show, 0 for all (default: 12 in the 3 most costly documents).",
)
@written_options("the consensus")
@force_option
@output_options
@quiet_option
def merge(
    files: tuple[str, ...],
    least: int | None,
    singletons: str,
    decisions: str | None,
    source_format: str | None,
    identity: str | None,
    top: int | None,
    target: str | None,
    target_format: str | None,
    force: bool,
    output: Output,
) -> None:
    """List the decisions that annotators disagree on, and write their consensus.

    Each file, directory or glob is the work of one annotator or system; NAME=FILE gives it a name.
    The consensus is the partition that differs from all in the fewest links. docs/agreement.md
    explains it.

    \b
    Examples:
      corefmeter merge ann.conll eve.conll kim.conll -f csv -o worklist.csv
      corefmeter merge a.conll b.conll --decisions list.csv --write gold.conll
      corefmeter merge m1=a.jsonl m2=b.jsonl m3=c.jsonl --write d.jsonl --to e2e
    """
    require("numpy", "merge")
    from corefmeter.formats.conversion import format_of_target, write_beside
    from corefmeter.formats.output import refuse_to_replace
    from corefmeter.labels import labels
    from corefmeter.reading import read_all
    from corefmeter.recipe import Recipe
    from corefmeter.wings.annotation.consensus import has_other_answers, merge_corpora
    from corefmeter.wings.annotation.reports.consensus import MergeReport

    into = format_of_target(target, target_format)
    paths, names = named_paths(files)
    given = dict(zip(labels(paths, names), paths, strict=True))
    corpora = read_all(given, Recipe(identity=identity), format=source_format, details=True)
    merged = merge_corpora(corpora, least=least, singletons=singletons, decisions=decisions)
    report = MergeReport(merged) if top is None else MergeReport(merged, top or None, None)
    if output.path is not None:
        refuse_to_replace(output.path, force, partial(has_other_answers, merged))
    if target is not None:
        merged.problems += write_beside(merged.corpus, into, target, output.path, force)
    output.write(report, merged.problems)
