"""``corefmeter clusters KEY RESPONSE…``"""

from __future__ import annotations

import sys
from typing import Any

import click

from corefmeter.cli.help import FILE, command, option
from corefmeter.cli.options import (
    INPUT,
    groups,
    named,
    output_options,
    quiet_option,
    recipe_from,
    table_options,
)
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import COMPUTED
from corefmeter.reports import write_report, write_warnings
from corefmeter.reports.scores import ScoreReport
from corefmeter.tables.files import Asked, Limits, score_files

_ENGINE = "Engine"


@command(short_help="Score clusterings in tables of any size.")
@click.argument("key", type=FILE, metavar="KEY")
@click.argument("responses", type=FILE, metavar="RESPONSE…", nargs=-1)
@option(
    "--item",
    multiple=True,
    metavar="COLUMN",
    group=INPUT,
    help="Column that says which item a row is. May be repeated: together they say it.",
)
@option("--cluster", metavar="COLUMN", group=INPUT, help="Column with the cluster.")
@option(
    "--within",
    metavar="COLUMN",
    group=INPUT,
    help="Column with the document, if clusters are those of a document. Each document is "
    "then a unit, as in score.",
)
@option(
    "--key-cluster",
    metavar="COLUMN",
    group=INPUT,
    help="Column with the cluster in KEY, if it has another name.",
)
@option(
    "--response-cluster",
    "response_clusters",
    multiple=True,
    metavar="COLUMN",
    group=INPUT,
    help="Column with the cluster in RESPONSE. Without RESPONSE, it is in KEY too, and may be "
    "repeated.",
)
@option("--table", metavar="NAME", group=INPUT, rare=True, help="Table in a file of DuckDB.")
@option("--memory", metavar="SIZE", group=_ENGINE, rare=True, help="Memory to use, such as 8GB.")
@option(
    "--threads",
    type=click.IntRange(1),
    metavar="N",
    group=_ENGINE,
    rare=True,
    help="Threads to use.",
)
@option(
    "--temporary",
    metavar="FOLDER",
    group=_ENGINE,
    rare=True,
    help="Where to write what does not fit in memory.",
)
@table_options
@option(
    "--by",
    multiple=True,
    metavar="GROUP",
    group=COMPUTED,
    help="Also score by document, genre, or a FILE. See score.",
)
@output_options
@quiet_option
def clusters(
    key: str,
    responses: tuple[str, ...],
    item: tuple[str, ...],
    cluster: str | None,
    within: str | None,
    key_cluster: str | None,
    response_clusters: tuple[str, ...],
    table: str | None,
    memory: str | None,
    threads: int | None,
    temporary: str | None,
    signature: str | None,
    by: tuple[str, ...],
    format: str,
    output: str | None,
    digits: int | None,
    quiet: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Score clusterings in tables: a row for each item, with its cluster.

    KEY and RESPONSE are Parquet, CSV or TSV (also compressed), Arrow, or files
    of DuckDB; folders and globs of them too. Columns whose names leave no doubt,
    such as id and cluster, need no option. One file may hold both clusters.

    \b
    Examples:
      corefmeter clusters key.parquet response.parquet --item id --cluster c
      corefmeter clusters key.csv a.csv b.csv -m b3,links,ceafe
      corefmeter clusters both.csv --key-cluster person --response-cluster guess
    """
    recipe, noticed = recipe_from(signature, options)
    by_groups = groups(by)
    limits = Limits(memory, threads, temporary)
    key_column = key_cluster or cluster
    runs: list[tuple[str | None, str | None, str | None]] = []
    if responses:
        if len(response_clusters) > 1:
            raise OptionError("--response-cluster may be repeated only without RESPONSE")
        column = response_clusters[0] if response_clusters else cluster
        paths, names = named(responses)
        runs = [(path, name, column) for path, name in zip(paths, names, strict=True)]
    elif response_clusters:
        runs = [(None, name, name) for name in response_clusters]
    else:
        raise click.UsageError("Missing argument 'RESPONSE…', or --response-cluster.")
    results = []
    errors: list[Problem] = []
    for path, name, column in runs:
        asked = Asked(item, (key_column, column), within, table)
        try:
            result = score_files(key, path, recipe, asked, limits)
        except DataError as error:
            errors += error.problems
            continue
        result.name = name
        result.problems[:0] = noticed
        results.append(result)
    if errors:
        raise DataError(errors)
    if not quiet:
        write_warnings([p for result in results for p in result.problems], sys.stderr)
    write_report(ScoreReport(results, key, by_groups), format, output, digits)
