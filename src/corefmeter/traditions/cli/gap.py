"""``corefmeter gap GOLD SYSTEM…``"""

from __future__ import annotations

import csv
import json
import sys
from typing import IO, Any, NamedTuple

import click

from corefmeter.cli.help import FILE, command, option
from corefmeter.cli.options import named, output_options, quiet_option, signature_option
from corefmeter.formats.output import opened
from corefmeter.formats.source import Source
from corefmeter.labels import labels, numbered
from corefmeter.problems import DataError, Problem
from corefmeter.reports import write_warnings
from corefmeter.reports.simple import write_tables
from corefmeter.reports.tables import Table
from corefmeter.signature import check_version
from corefmeter.traditions.formats.gap import Answer, Example, read_answers, read_examples
from corefmeter.traditions.metrics.gap import (
    GROUPS,
    Decisions,
    bias,
    count_decisions,
    gap_policy,
    gap_signature,
)

_Counts = dict[str, Decisions]


class _System(NamedTuple):
    """The answers of a system, counted: their file, and the name that was given."""

    path: str
    name: str | None
    counts: _Counts


@command(short_help="Score answers to GAP by the gender of the pronoun.")
@click.argument("gold", type=FILE, metavar="GOLD")
@click.argument("systems", type=FILE, metavar="SYSTEM…", nargs=-1, required=True)
@option(
    "--official", is_flag=True, group="What to compute",
    help="Score missing and unreadable answers as GAP's own scorer does. They are false negatives, "
    "and the first of several answers to an example counts; otherwise they are errors.",
)  # fmt: skip
@signature_option
@output_options
@quiet_option
def gap(
    gold: str,
    systems: tuple[str, ...],
    official: bool,
    signature: str | None,
    format: str,
    output: str | None,
    quiet: bool,
) -> None:
    """Score answers to GAP: recall, precision and F1, overall and by gender, and the bias F/M.

    GOLD is an annotated file of GAP, with its header. SYSTEM has the columns ID, A-coref, B-coref
    without a header; the columns of the annotated file are read as well.

    \b
    Examples:
      corefmeter gap gap-validation.tsv answers.tsv
      corefmeter gap gap-test.tsv a.tsv b.tsv -f latex
      corefmeter gap gap-test.tsv answers.tsv --official
    """
    policy = "official" if official else "strict" if signature is None else gap_policy(signature)
    noticed_before = check_version(signature, gap_signature(policy)) if signature else []
    official = policy == "official"
    with Source(gold) as source:
        examples, problems = read_examples(source)
    problems[:0] = noticed_before
    errors: list[Problem] = []
    found: list[_System] = []
    paths, names = named(systems)
    for system, name in zip(paths, names, strict=True):
        try:
            with Source(system) as source:
                answers, noticed = read_answers(source, lenient=official)
            noticed += _compared(examples, answers, system, official)
        except DataError as error:
            errors += error.problems
            continue
        problems += noticed
        key = [(example.id, example.coreferent, example.gender) for example in examples]
        counts = count_decisions(key, {a.id: a.coreferent for a in answers})
        found.append(_System(system, name, counts))
    if errors:
        raise DataError(errors)
    if not quiet:
        write_warnings(problems, sys.stderr)
    with opened(output) as stream:
        _write(gold, found, problems, gap_signature(policy), format, stream)


def _compared(
    examples: list[Example], answers: list[Answer], path: str, official: bool
) -> list[Problem]:
    """Problems for examples without an answer, and answers without an example."""
    known = {example.id for example in examples}
    answered = {answer.id for answer in answers}
    extra = [answer for answer in answers if answer.id not in known]
    missing = [example.id for example in examples if example.id not in answered]
    problems = []
    if extra:
        reason = f"answers to examples that are not in the key are ignored, such as {extra[0].id}"
        problems.append(
            Problem("extra-document", reason, path=path, line=extra[0].line, count=len(extra))
        )
    if missing:
        reason = f"no answer to {len(missing)} examples, such as {missing[0]}"
        hint = "Answer all, or count them as false negatives with --official."
        if official:
            reason += "; two false negatives each"
            problems.append(Problem("missing-document", reason, path=path))
        else:
            raise DataError(Problem("missing-document", reason, "error", path, hint=hint))
    return problems


def _write(
    gold: str,
    found: list[_System],
    problems: list[Problem],
    signature: str,
    format: str,
    stream: IO[str],
) -> None:
    """Write the scores of all systems."""
    if format == "json":
        results = [_entry(system) for system in found]
        document = {
            "schema": 1,
            "signature": signature,
            "key": gold,
            "results": results,
            "problems": [problem.to_dict() for problem in problems],
        }
        stream.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")
    elif format == "csv":
        _write_csv(found, signature, stream)
    else:
        names = labels([system.path for system in found], [system.name for system in found])
        counts = [system.counts for system in found]
        tables = [_table(names, counts), *map(_count_table, names, counts)]
        notes = ["in percent; bias is F1 on feminine over F1 on masculine pronouns"]
        write_tables(tables, notes, format, stream, signature, ("gap", "GOLD SYSTEM"))


def _entry(system: _System) -> dict[str, Any]:
    """The scores of a system as JSON values."""
    path, name, counts = system
    return {
        "response": path,
        **({} if name is None else {"name": name}),
        **{g: counts[g].scores().to_dict() | counts[g]._asdict() for g in GROUPS},
        "bias": bias(counts),
    }


def _write_csv(found: list[_System], signature: str, stream: IO[str]) -> None:
    """One row for each system and group, with unrounded numbers."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        ["response", "group", "recall", "precision", "f1", *Decisions._fields, "signature"]
    )
    given = [system.name for system in found]
    shown = numbered([name or path for path, name, _ in found], given)
    for system, (_, _, counts) in zip(shown, found, strict=True):
        for group in GROUPS:
            scores = counts[group].scores()
            values = (scores.recall, scores.precision, scores.f1)
            writer.writerow([system, group, *values, *counts[group], signature])
        writer.writerow([system, "bias", "", "", bias(counts), "", "", "", "", signature])


def _table(names: list[str], found: list[_Counts]) -> Table:
    """F1 of each group and the bias, a row for each system."""
    rows = []
    for name, counts in zip(names, found, strict=True):
        cells = [f"{100 * counts[group].scores().f1:.1f}" for group in GROUPS]
        ratio = bias(counts)
        rows.append([name, *cells,
                     "-" if ratio is None else f"{ratio:.2f}"])  # fmt: skip
    return Table(["F1", *(group.capitalize() for group in GROUPS), "Bias"], rows)


def _count_table(name: str, counts: _Counts) -> Table:
    """Recall, precision, F1 and the decisions of each group."""
    rows = []
    for group in GROUPS:
        scores = counts[group].scores()
        rates = [f"{100 * value:.1f}" for value in (scores.recall, scores.precision, scores.f1)]
        rows.append([group.capitalize(), *rates, *map(str, counts[group])])
    header = ["", "R", "P", "F1", "TP", "FP", "FN", "TN"]
    return Table(header, rows, caption=name)
