"""``corefmeter leaderboard``: the site, and the log of a project's own runs."""

from __future__ import annotations

import os
import sys
import time
from datetime import date
from functools import partial

import click

from corefmeter.cli.help import FILE, Command, Group, option
from corefmeter.cli.options import INPUT, OUTPUT, force_option
from corefmeter.corpus.model import as_file_name
from corefmeter.formats.output import make_folder, remove
from corefmeter.formats.source import expand, open_input, stem
from corefmeter.problems import DataError, OptionError, amount, require, unknown
from corefmeter.reports import write_warnings
from corefmeter.reports.tables import DIGITS, Number
from corefmeter.wings.platforms.leaderboard.board import Board, files_in, read_board
from corefmeter.wings.platforms.submission import unreadable, write_file

_input, _output = partial(option, group=INPUT), partial(option, group=OUTPUT)


class _Leaderboard(Group):
    """A group whose command ``build`` may be left out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert ``build`` before the folder of a leaderboard."""
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = ["build", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_Leaderboard, section="Platforms", short_help="Write a site that compares many systems."
)
def leaderboard() -> None:
    """Compare systems on one or more data sets, as a static site.

    \b
    Examples:
      corefmeter leaderboard FOLDER -o site
      corefmeter leaderboard add new=response.conll --note "lr 1e-5"
    """
    # For matrices of this size, threads of numpy are slower.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    require("numpy", "leaderboard")


@leaderboard.command(cls=Command, short_help="Score what is new, and write the site.")
@click.argument("source", type=FILE, metavar="FOLDER")
@_output("-o", "--output", "folder", type=FILE, metavar="DIR", required=True, help="The site.")
@_output("--jobs", type=click.IntRange(1), default=1, metavar="N", help="Number of processes.")
@_output("--no-keys", is_flag=True, help="Show scores only: no text, count or decision of a key.")
@_output("--reports", metavar="all|NAMES", help="Also write the reports of all or these systems.")
@force_option
def build(
    source: str, folder: str, jobs: int, no_keys: bool, reports: str | None, force: bool
) -> None:
    """Score what is new in FOLDER, compare all systems, and write the site.

    FOLDER has keys/NAME.* and systems/SYSTEM/NAME.*, or a leaderboard.toml that names them.

    \b
    Examples:
      corefmeter leaderboard build task -o site --jobs 2
      corefmeter leaderboard build task -o site --no-keys
      corefmeter leaderboard build task -o site --reports all
    """
    from corefmeter.wings.platforms.leaderboard import records, results, site

    if no_keys and reports:
        raise OptionError("--reports shows the key; leave out --no-keys or --reports")
    board = read_board(source)
    pairs = _plan_reports(board, reports)
    files = site.plan_files(board, not no_keys, [*pairs])
    for name in ("keys", "systems"):
        expand(os.path.join(source, name))  # as inputs, which cannot have the site
    old = site.check_folder(folder, files, force)
    paths, number = records.update_records(board, jobs)
    cells = results.read_cells(paths, not no_keys)
    values = results.make_results(board, paths, cells, jobs, not no_keys)
    values |= {"history": results.update_history(board, paths, cells, str(date.today()), {})}
    site.write_site(folder, {**values, "reports": [*pairs], "files": files}, old)
    for name, place in site.saved_results(board).items() if not no_keys else ():
        records.write_json(os.path.join(folder, place), records.merge_results(paths[name]))
    _write_reports(board, folder, pairs)
    write_warnings(board.problems, sys.stderr, rest="")
    click.echo(
        f"{amount(len(board.systems), 'system')} on {amount(len(board.datasets), 'data set')}: "
        f"{amount(number, 'pair')} scored; {amount(len(files), 'file')} in {folder}"
    )


def _plan_reports(board: Board, names: str | None) -> dict[str, tuple[str, str]]:
    """Return the data set and the system of each report, by its path in the site."""
    chosen = [*board.systems] if names == "all" else names.split(",") if names else []
    if others := [name for name in chosen if name not in board.systems]:
        raise unknown("system", others[0], board.systems)
    return {
        f"reports/{as_file_name(dataset)}/{as_file_name(system)}.html": (dataset, system)
        for system in chosen
        for dataset in board.datasets
        if system in board.responses[dataset]
    }


def _write_reports(board: Board, folder: str, pairs: dict[str, tuple[str, str]]) -> None:
    """Write the reports of pairs, and print how long they took."""
    from corefmeter.reports.page.made import page_of

    start = time.perf_counter()
    for place, (dataset, system) in pairs.items():
        key, response = board.keys[dataset], board.responses[dataset][system]
        page, _ = page_of(key, {system: response}, board.recipe)
        make_folder(os.path.dirname(os.path.join(folder, place)))
        page.write(os.path.join(folder, place))
    if pairs:
        click.echo(f"{amount(len(pairs), 'report')} in {time.perf_counter() - start:.0f} s")


@leaderboard.command(cls=Command, short_help="Add the response of a system, and score it.")
@click.argument("response", metavar="NAME=FILE")
@_input("--folder", "source", type=FILE, metavar="DIR", default=".", help="The leaderboard.")
@_input("--note", metavar="TEXT", default="", help="A line for the history.")
def add(response: str, source: str, note: str) -> None:
    """Copy the response of a system into the folder of a leaderboard, score it, and log the scores.

    FILE is a file, or a folder with a file for each data set. Older files are replaced; their
    scores stay in the history.

    \b
    Examples:
      corefmeter leaderboard add new=response.conll --note "lr 1e-5"
      corefmeter leaderboard add new=outputs/
      corefmeter leaderboard add new=outputs/ --folder task
    """
    from corefmeter.wings.platforms.leaderboard import records, results

    name, _, path = response.partition("=")
    if not path or as_file_name(name) != name:
        raise OptionError("give NAME=FILE; NAME becomes the name of a folder, without spaces or /")
    _copy(read_board(source), name, path)
    board = read_board(source)
    paths, _ = records.update_records(board, 1)
    cells = results.read_cells(paths, keys=True)
    history = results.update_history(board, paths, cells, str(date.today()), {name: note})
    for dataset, scores in history[name][-1]["scores"].items():
        f1 = Number(scores[board.primary]["f1"])
        click.echo(f"{name} on {dataset}: {board.primary} {f1.text(DIGITS)}")


def _copy(board: Board, name: str, path: str) -> None:
    """Copy a response, or a folder of responses, into the folder of a system."""
    files = files_in(path) if os.path.isdir(path) else {stem(path): path}
    if len(files) == len(board.datasets) == 1:
        files = dict(zip(board.datasets, files.values(), strict=True))
    if not files.keys() & board.datasets.keys():
        hint = f"Name a file after one of the data sets: {', '.join(board.datasets)}."
        raise DataError(unreadable(path, "has no response to a data set", hint))
    folder = board.folders.get(name) or os.path.join(board.folder, "systems", name)
    for dataset in files.keys() & board.datasets.keys():
        file = os.path.basename(files[dataset])
        goal = os.path.join(folder, dataset + file.removeprefix(stem(file)))
        with open_input(files[dataset]) as stream:
            write_file(goal, stream.read())
        if (replaced := board.responses[dataset].get(name, goal)) != goal:
            remove(replaced)
