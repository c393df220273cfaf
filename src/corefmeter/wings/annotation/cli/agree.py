"""``corefmeter agree A B…``"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click

from corefmeter.cli.help import FILE, Choice, Function, command, option
from corefmeter.cli.options import (
    SHOWN,
    Output,
    agreement_options,
    feature_option,
    named_paths,
    output_options,
    quiet_option,
    recipe_from,
    shown_signature_option,
)
from corefmeter.cli.sources import source_format_option
from corefmeter.problems import require


def _interval_option(
    name: str, metavar: str, type: Any, **attributes: Any
) -> Callable[[Function], Function]:
    attributes |= {"group": "How intervals are made", "rare": True, "settable": True}
    return option(name, metavar=metavar, type=type, **attributes)


@command(section="Annotators")
@click.argument("files", type=FILE, metavar="A B…", nargs=-1, required=True)
@agreement_options
@option(
    "--unmarked",
    type=Choice(["singleton", "missing"]),
    usual="singleton",
    group="How agreement is computed",
    help="How to treat mentions that an annotator did not mark: as singletons or as missing.",
)
@source_format_option
@feature_option(
    "Break the results down by a feature of mentions, such as kind or entity_type. "
    'Give "" for no breakdown.',
    usual="kind",
)
@option("--all", "everything", is_flag=True, group=SHOWN, help="Show all tables.")
@_interval_option(
    "--trials", "N", click.IntRange(1), usual=1000, help="Number of resamples of documents."
)
@_interval_option("--seed", "N", click.IntRange(0), usual=1, help="Seed of the random numbers.")
@_interval_option("--level", "P", float, usual=0.95, help="Confidence level of the intervals.")
@output_options
@shown_signature_option
@quiet_option
def agree(
    files: tuple[str, ...],
    source_format: str | None,
    by: tuple[str, ...],
    everything: bool,
    signature: str | None,
    output: Output,
    **options: Any,
) -> None:
    """Show how far annotators agree about entities and mentions.

    Each file, directory or glob is the work of one annotator; NAME=FILE gives it a name.
    docs/agreement.md explains the numbers.

    \b
    Examples:
      corefmeter agree ann.conll eve.conll
      corefmeter agree Ann=a/ Eve=b/ Kim=c/ --feature entity_type -f latex
      corefmeter agree ann.conllu eve.conllu --unmarked missing -m conll
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    require("numpy", "agree")
    from corefmeter.labels import labels
    from corefmeter.reading import read_all
    from corefmeter.signature import split_signature
    from corefmeter.wings.annotation.agreement import OPTIONS, Resampling, agreement
    from corefmeter.wings.annotation.reports.agreement import AgreementReport

    given = {name: value for name in OPTIONS if (value := options.pop(name)) is not None}
    of_recipe, of_agreement = ("", {}) if signature is None else split_signature(signature, OPTIONS)
    values = OPTIONS | of_agreement | given
    unmarked = values.pop("unmarked")
    recipe, noticed = recipe_from(of_recipe or None, options)
    features = [name for name in by or ("kind",) if name]
    paths, names = named_paths(files)
    annotators = dict(zip(labels(paths, names), paths, strict=True))
    corpora = read_all(annotators, recipe, format=source_format, details=bool(features))
    found = agreement(corpora, recipe, Resampling(**values), unmarked=unmarked, by=features)
    found.problems[:0] = noticed
    output.write(AgreementReport(found, everything, groups=bool(by)), found.problems)
