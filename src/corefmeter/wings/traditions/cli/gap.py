"""``corefmeter gap KEY RESPONSE…``"""

from __future__ import annotations

import click

from corefmeter.cli.help import FILE, command, option
from corefmeter.cli.options import (
    Output,
    named_paths,
    output_options,
    quiet_option,
    signature_option,
)
from corefmeter.formats.source import Source
from corefmeter.problems import DataError, Problem
from corefmeter.signature import check_version
from corefmeter.wings.traditions.formats.gap import Answer, Example, read_answers, read_examples
from corefmeter.wings.traditions.metrics.gap import count_decisions, gap_policy, gap_signature
from corefmeter.wings.traditions.reports.gap import GapReport, System


@command(short_help="Score answers to GAP by the gender of the pronoun.")
@click.argument("gold", type=FILE, metavar="KEY")
@click.argument("systems", type=FILE, metavar="RESPONSE…", nargs=-1, required=True)
@option(
    "--official",
    is_flag=True,
    group="What to compute",
    help="Score missing and unreadable answers as GAP's own scorer does. They are false negatives, "
    "and the first of several answers to an example counts; otherwise they are errors.",
)
@signature_option
@output_options
@quiet_option
def gap(
    gold: str, systems: tuple[str, ...], official: bool, signature: str | None, output: Output
) -> None:
    """Score answers to GAP: recall, precision and F1, overall and by gender, and the bias F/M.

    KEY is an annotated file of GAP, with its header. RESPONSE has the columns ID, A-coref, B-coref
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
    found: list[System] = []
    paths, names = named_paths(systems)
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
        found.append(System(system, name, counts))
    if errors:
        raise DataError(errors)
    output.write(GapReport(gold, found, problems, gap_signature(policy)), problems)


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
