"""``corefmeter clusters KEY RESPONSE…``"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from corefmeter.cli.groups import groups
from corefmeter.cli.help import FILE, Choice, command, option
from corefmeter.cli.options import (
    INPUT,
    OUTPUT,
    Output,
    named_paths,
    options_of_tables,
    output_options,
    quiet_option,
    recipe_from,
    shown_signature_option,
)
from corefmeter.formats.output import check_outputs, open_output
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import COMPUTED, Recipe
from corefmeter.result import Result
from corefmeter.wings.records.files import Limits, score_overlap, tables_in, write_table
from corefmeter.wings.records.opening import Asked
from corefmeter.wings.records.query import DOCUMENT, OVERLAP, Columns
from corefmeter.wings.records.report import ClustersReport, WorstReport
from corefmeter.wings.records.sql import DIALECTS, overlap_query
from corefmeter.wings.records.worst import Worst

_input = partial(option, group=INPUT)
_rare_input = partial(option, group=INPUT, rare=True)
_engine = partial(option, group="Engine", rare=True)

#: What is scored where no metric is named: pairs of items, items, exact clusters, information.
_METRICS = ("links", "b3", "ceaf1", "vmeasure")

#: Clusters in each list where none are asked for, and items of each of their parts.
_WORST, _SHOWN = 10, 10


@command(section="Score", short_help="Score clusterings in tables: a row for each item.")
@click.argument("key", type=FILE, metavar="KEY", required=False)
@click.argument("responses", type=FILE, metavar="RESPONSE…", nargs=-1)
@_input(
    "--item",
    multiple=True,
    metavar="COL",
    help="Column with the item. May be repeated for combined keys.",
)
@_input("--cluster", metavar="COL", help="Column with the cluster.")
@_input(
    "--within",
    metavar="COL",
    help="Column with the document, if clusters are in one. Each document is then a "
    "unit, as in score.",
)
@_input("--key-cluster", metavar="COL", help="Its name in KEY, if different.")
@_input(
    "--response-cluster",
    "response_clusters",
    multiple=True,
    metavar="COL",
    help="Column with the cluster in RESPONSE. Without RESPONSE, it is in KEY too, and may be "
    "repeated.",
)
@_rare_input(
    "--overlap",
    "overlaps",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Overlap table that another engine made by --sql, instead of KEY and RESPONSE. May be "
    "repeated, one for each response.",
)
@_rare_input(
    "--header",
    type=Choice(("yes", "no")),
    help="Whether row 1 of a CSV file is a header. Needed only if this is not clear.",
)
@_rare_input(
    "--members",
    is_flag=True,
    help="Read text files of key and response as one cluster a line.",
)
@_rare_input("--table", metavar="NAME", help="Name of the table in a DuckDB file.")
@_engine("--memory", metavar="SIZE", help="Memory to use, such as 8GB.")
@_engine("--threads", type=click.IntRange(1), metavar="N", help="Threads to use.")
@_engine("--temporary", metavar="FOLDER", help="Folder for data that do not fit in memory.")
@options_of_tables(_METRICS)
@option(
    "--by",
    multiple=True,
    metavar="GROUP",
    group=COMPUTED,
    help="Also score by document, genre, or a FILE. See score.",
)
@option(
    "--sql",
    "dialect",
    type=Choice(DIALECTS),
    group=OUTPUT,
    rare=True,
    help="Print the query that makes the overlap table in another engine. KEY and RESPONSE are "
    "the names of tables there; for --overlap.",
)
@option(
    "--worst",
    type=click.IntRange(1),
    metavar="N",
    group=OUTPUT,
    help="Also list the N worst clusters of each error type.",
)
@option(
    "--write-worst",
    "worst_to",
    formerly=("--worst-to",),
    type=FILE,
    metavar="FILE",
    group=OUTPUT,
    rare=True,
    help="Write these with their items as Parquet, or to a FILE.csv or .tsv (default: 10 of each).",
)
@output_options
@shown_signature_option
@quiet_option
def clusters(
    key: str | None,
    responses: tuple[str, ...],
    item: tuple[str, ...],
    cluster: str | None,
    within: str | None,
    key_cluster: str | None,
    response_clusters: tuple[str, ...],
    overlaps: tuple[str, ...],
    header: str | None,
    members: bool,
    table: str | None,
    memory: str | None,
    threads: int | None,
    temporary: str | None,
    signature: str | None,
    by: tuple[str, ...],
    worst: int | None,
    worst_to: str | None,
    dialect: str | None,
    output: Output,
    **options: Any,
) -> None:
    """Score clusterings in tables: a row for each item, with its cluster.

    KEY and RESPONSE are files, folders or globs of Parquet, CSV, TSV, JSON,
    Arrow or DuckDB. One file may hold both. Columns such as id are detected.

    \b
    Examples:
      corefmeter clusters key.parquet response.parquet --item id --cluster c
      corefmeter clusters key.csv a.csv b.csv -m b3,links,ceafe
      corefmeter clusters both.csv --key-cluster person --response-cluster guess
    """
    usual = not (options["metrics"] or signature or options["preset"])
    recipe, noticed = recipe_from(signature, options | ({"metrics": _METRICS} if usual else {}))
    by_groups = groups(by)
    limits = Limits(memory, threads, temporary)
    key_column = key_cluster or cluster
    most = worst or (_WORST if worst_to else 0)
    looked: list[Worst] = []
    with_header = None if header is None else header == "yes"
    if overlaps:
        if most:
            raise OptionError("--worst needs items, but an overlap table has none")
        if key or item or key_column or within or response_clusters or dialect:
            raise OptionError(
                "--overlap cannot be combined with KEY, RESPONSE, --sql or column names: the "
                "columns of "
                f"an overlap table are {', '.join(OVERLAP)} and, if there are documents, {DOCUMENT}"
            )
        paths, names = named_paths(overlaps)
        runs = [partial(score_overlap, path, recipe, table, limits) for path in paths]
    else:
        if key is None or not (responses or response_clusters):
            raise click.UsageError("Missing argument 'KEY', 'RESPONSE…', or --response-cluster.")
        pairs, names = _pairs(responses, response_clusters, cluster)
        if dialect:
            if not usual or recipe != Recipe(metrics=_METRICS) or by_groups or most:
                raise OptionError("--sql only counts: metrics and policies are for --overlap")
            query = _query(dialect, key, pairs, item, key_column, within)
            with open_output(output.path) as stream:
                stream.write(query)
            return
        runs = []
        for path, column in pairs:
            asked = Asked(item, (key_column, column), within, table, with_header, members)
            runs.append(partial(_scored, key, path, recipe, asked, limits, most, looked))
    results = []
    errors: list[Problem] = []
    for name, run in zip(names, runs, strict=True):
        try:
            result = run()
        except DataError as error:
            errors += error.problems
            continue
        result.name = name
        result.problems[:0] = noticed
        results.append(result)
    if errors:
        raise DataError(errors)
    check_outputs([output.path, worst_to])
    noticed = [p for result in results for p in result.problems]
    if worst_to and (left := sum(one.left_out() for one in looked)):
        message = f"{left:,} items of these clusters have no row"
        hint = (
            f"A cluster has up to {_SHOWN} partners, each with up to {_SHOWN} items; "
            "corefmeter.worst_clusters in Python takes other limits."
        )
        noticed.append(Problem("items-left-out", message, "note", path=worst_to, hint=hint))
    output.warn(noticed)
    scores = ClustersReport(results, key, by_groups)
    report = WorstReport(scores, looked) if worst else scores
    if worst_to:
        names_of_columns, *rows = WorstReport(scores, looked).records()
        write_table(names_of_columns, rows, worst_to)
    output.write(report)


def _scored(
    key: str,
    path: str | None,
    recipe: Recipe,
    asked: Asked,
    limits: Limits,
    most: int,
    looked: list[Worst],
) -> Result:
    """Score one response; append its worst clusters, if requested."""
    with tables_in(key, path, recipe, asked, limits) as tables:
        result = tables.score(recipe)
        if most:
            looked.append(tables.worst(recipe, most, _SHOWN))
    return result


def _pairs(
    responses: Sequence[str], columns: Sequence[str], cluster: str | None
) -> tuple[list[tuple[str | None, str | None]], list[str | None]]:
    """Return file (None if it is the key's) and column of each response, and the names."""
    if not responses:
        return [(None, column) for column in columns], list(columns)
    if len(columns) > 1:
        raise OptionError("--response-cluster may be repeated only without RESPONSE")
    paths, names = named_paths(responses)
    return [(path, columns[0] if columns else cluster) for path in paths], names


def _query(
    dialect: str,
    key: str,
    pairs: Sequence[tuple[str | None, str | None]],
    item: tuple[str, ...],
    key_column: str | None,
    within: str | None,
) -> str:
    if len(pairs) > 1:
        raise OptionError("--sql prints the query of one response; name one")
    ((response, column),) = pairs
    if not item or key_column is None or column is None:
        raise OptionError("--sql does not read tables; name the columns with --item and --cluster")
    return overlap_query(
        dialect, (key, response or key), Columns(item, (key_column, column), within)
    )
