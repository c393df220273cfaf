"""``corefmeter clusters``: score clusterings in tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import click

from corefmeter.cli.groups import groups
from corefmeter.cli.help import FILE, Choice, Command, option
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
from corefmeter.problems import CollectedErrors, OptionError, Problem
from corefmeter.recipe import COMPUTED, Recipe
from corefmeter.result import Result
from corefmeter.wings.records.files import Limits, score_overlap, tables_in, write_table
from corefmeter.wings.records.opening import TableOptions
from corefmeter.wings.records.query import DOCUMENT, OVERLAP, Columns
from corefmeter.wings.records.report import ClustersReport, WorstReport
from corefmeter.wings.records.sql import DIALECTS, overlap_query
from corefmeter.wings.records.worst import Worst

_input = partial(option, group=INPUT)
_rare_input = partial(option, group=INPUT, rare=True)
_engine = partial(option, group="Engine", rare=True)

#: The default metrics: pairs of items, items, exact clusters, information.
_METRICS = ("links", "b3", "ceaf1", "vmeasure")

#: Default number of clusters in each list, and the number of items of each of their parts.
_WORST, _SHOWN = 10, 10


#: The modules of the commands below this one.
_BELOW = {"estimate": "estimating", "pairs": "pairing"}


class _Clusters(Command):
    """The command with commands of its own, unless a file has the name of one."""

    def make_context(
        self, info_name: Any, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """Return the context of the command that the first argument names."""
        name = args[0] if args else ""
        if name in _BELOW and not os.path.exists(name):
            module = import_module(f"corefmeter.wings.records.{_BELOW[name]}")
            below: Command = getattr(module, name)
            return below.make_context(f"{info_name} {name}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    cls=_Clusters,
    section="Score",
    short_help="Score clusterings in tables: a row for each item.",
)
@click.argument("key", type=FILE, metavar="KEY", required=False)
@click.argument("responses", type=FILE, metavar="RESPONSE…", nargs=-1)
@_input(
    "--item",
    multiple=True,
    metavar="COL",
    help="Column with the item. May be repeated if several columns identify it.",
)
@_input(
    "--cluster",
    metavar="COL",
    help="Column with the cluster; if they differ, --key-cluster COL and --response-cluster COL.",
)
@_input(
    "--within",
    metavar="COL",
    help="Column with the document. Needed if clusters belong to documents.",
)
@_input("--key-cluster", metavar="COL", hidden=True)
@_input(
    "--response-cluster",
    "response_clusters",
    multiple=True,
    metavar="COL",
    help="Column with the cluster in RESPONSE. Without RESPONSE, another column in KEY, which may "
    "be repeated.",
)
@_rare_input(
    "--overlap",
    "overlaps",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Overlap table that another engine made with --sql, instead of KEY and RESPONSE; may be "
    "repeated for several responses.",
)
@_rare_input(
    "--header",
    type=Choice(("yes", "no")),
    help="Whether row 1 of CSV files is a header. Needed only if it is ambiguous. --members reads "
    "text files as lists of members; --table NAME is the table in a DuckDB file.",
)
@_rare_input("--members", is_flag=True, hidden=True)
@_rare_input("--table", metavar="NAME", hidden=True)
@_engine(
    "--memory",
    metavar="SIZE",
    help="Maximum memory, such as 8GB. Also --threads N, and --temporary FOLDER for other data.",
)
@_engine("--threads", type=click.IntRange(1), metavar="N", hidden=True)
@_engine("--temporary", metavar="FOLDER", hidden=True)
@options_of_tables(_METRICS)
@option(
    "--by",
    multiple=True,
    metavar="GROUP",
    group=COMPUTED,
    help="Also score by document, genre, or a FILE. See corefmeter score.",
)
@option(
    "--sql",
    "dialect",
    type=Choice(DIALECTS),
    group=OUTPUT,
    rare=True,
    help="Print the query that makes the table for --overlap in another engine, where KEY and "
    "RESPONSE are names of tables.",
)
@option(
    "--worst",
    type=click.IntRange(1),
    metavar="N",
    group=OUTPUT,
    help="Also list the N worst clusters for each error type. --write-worst FILE writes them (10 "
    "without N) with their items, as .csv, .tsv or Parquet.",
)
@option(
    "--write-worst",
    "worst_to",
    formerly=("--worst-to",),
    type=FILE,
    metavar="FILE",
    hidden=True,
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

    KEY and RESPONSE are files, folders or globs of Parquet, CSV, TSV, JSON, Arrow or DuckDB. One
    file may have both. Columns such as id are detected. If KEY is only a sample, use corefmeter
    clusters estimate KEY RESPONSE; for pairs of items, corefmeter clusters pairs KEY PAIRS.

    \b
    Examples:
      corefmeter clusters key.parquet response.parquet --item id --cluster c
      corefmeter clusters key.csv a.csv b.csv -m b3,links,ceafe
      corefmeter clusters both.csv --key-cluster person --response-cluster guess
    """
    is_usual = not (options["metrics"] or signature or options["preset"])
    recipe, noticed = recipe_from(signature, options | ({"metrics": _METRICS} if is_usual else {}))
    by_groups = groups(by)
    limits = Limits(memory, threads, temporary)
    key_column = key_cluster or cluster
    most = worst or (_WORST if worst_to else 0)
    worst_clusters: list[Worst] = []
    if overlaps:
        _require_overlap_only(most, key, item, key_column, within, response_clusters, dialect)
        paths, names = named_paths(overlaps)
        runs = [partial(score_overlap, path, recipe, table, limits) for path in paths]
    else:
        if key is None or not (responses or response_clusters):
            raise click.UsageError("Missing argument 'KEY', 'RESPONSE…', or --response-cluster.")
        pairs, names = _pairs(responses, response_clusters, cluster)
        if dialect:
            if not is_usual or recipe != Recipe(metrics=_METRICS) or by_groups or most:
                raise OptionError("--sql only counts; give metrics and policies with --overlap")
            query = _query(dialect, key, pairs, item, key_column, within)
            with open_output(output.path) as stream:
                stream.write(query)
            return
        has_header = None if header is None else header == "yes"
        runs = []
        for path, column in pairs:
            table_options = TableOptions(
                item, (key_column, column), within, table, has_header, members
            )
            runs.append(
                partial(_score, key, path, recipe, table_options, limits, most, worst_clusters)
            )
    results = _run_all(runs, names, noticed)
    check_outputs([output.path, worst_to])
    problems = [problem for result in results for problem in result.problems]
    if worst_to:
        problems += _note_left_out(worst_clusters, worst_to)
    output.warn(problems)
    scores = ClustersReport(results, key, by_groups)
    with_worst = WorstReport(scores, worst_clusters)
    if worst_to:
        columns, *rows = with_worst.records()
        write_table(columns, rows, worst_to)
    output.write(with_worst if worst else scores)


def _require_overlap_only(most: int, *others: object) -> None:
    """Refuse options that do not go together with --overlap."""
    if most:
        raise OptionError("--worst needs items, but an overlap table has none")
    if any(others):
        raise OptionError(
            "--overlap cannot be combined with KEY, RESPONSE, --sql or column names; the columns "
            f"of an overlap table are {', '.join(OVERLAP)} and, if there are documents, {DOCUMENT}"
        )


def _run_all(
    runs: Sequence[Callable[[], Result]], names: Sequence[str | None], noticed: list[Problem]
) -> list[Result]:
    """Return the named results of all responses; raise the errors of all together."""
    results = []
    errors = CollectedErrors()
    for name, run in zip(names, runs, strict=True):
        with errors:
            result = run()
            result.name = name
            result.problems[:0] = noticed
            results.append(result)
    errors.raise_all()
    return results


def _note_left_out(worst_clusters: Sequence[Worst], path: str) -> list[Problem]:
    """Return a note on any items of the worst clusters that were left out of the output."""
    number = sum(worst.left_out() for worst in worst_clusters)
    if not number:
        return []
    message = f"{number:,} items of these clusters have no row"
    hint = (
        f"A cluster has up to {_SHOWN} partners, each with up to {_SHOWN} items; "
        "corefmeter.worst_clusters in Python takes other limits."
    )
    return [Problem("items-left-out", message, "note", path=path, hint=hint)]


def _score(
    key: str,
    path: str | None,
    recipe: Recipe,
    table_options: TableOptions,
    limits: Limits,
    most: int,
    worst_clusters: list[Worst],
) -> Result:
    """Score one response; append its worst clusters, if requested."""
    with tables_in(key, path, recipe, table_options, limits) as tables:
        result = tables.score(recipe)
        if most:
            worst_clusters.append(tables.worst(recipe, most, _SHOWN))
    return result


def _pairs(
    responses: Sequence[str], columns: Sequence[str], cluster: str | None
) -> tuple[list[tuple[str | None, str | None]], list[str | None]]:
    """Return the file (None for that of the key) and column of each response, and their names."""
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
        raise OptionError("--sql prints the query of one response; give only one")
    ((response, column),) = pairs
    if not item or key_column is None or column is None:
        raise OptionError(
            "--sql does not read the tables; name the columns with --item and --cluster"
        )
    return overlap_query(
        dialect, (key, response or key), Columns(item, (key_column, column), within)
    )
