"""No command destroys a file: what it reads, what it was not told to replace, what it began."""

from __future__ import annotations

import ast
import errno
import gc
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import corefmeter
from corefmeter.cli import main as program
from corefmeter.formats import output
from corefmeter.formats.source import expand, is_input, recording_inputs

from ..wings.traditions.cli.test_ace import ACME, ANN, SGM, apf

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "corefmeter"

#: Every command that writes one file, what it takes, and the files that it reads by that. ``OUT``
#: is the output, by default ``-o``.
COMMANDS: dict[str, tuple[str, list[str]]] = {
    "score": ("key.conll a.conll", ["key.conll", "a.conll"]),
    "score of folders": ("keys answers", ["keys/k.conll", "answers/k.conll"]),
    "score of globs": ("keys/*.conll answers/*.conll", ["keys/k.conll", "answers/k.conll"]),
    "score by a file": ("key.conll a.conll --by groups.tsv", ["key.conll", "groups.tsv"]),
    "score of pairs": ("--pairs pairs.tsv", ["pairs.tsv", "key.conll", "a.conll"]),
    "score of a folder of pairs": ("--pairs sets", ["sets/key/x.conll", "sets/response/x.conll"]),
    "compare": ("key.conll a.conll b.conll", ["key.conll", "a.conll", "b.conll"]),
    "compare results": ("--results results.json", ["results.json"]),
    "agree": ("key.conll a.conll", ["key.conll", "a.conll"]),
    "merge": ("key.conll a.conll", ["key.conll", "a.conll"]),
    "merge as a file": (
        "key.conll a.conll --write OUT --to conll --force",
        ["key.conll", "a.conll"],
    ),
    "stitch": ("key.conll", ["key.conll"]),
    "stitch with a key": ("a.conll --overlap 0 --key key.conll", ["a.conll", "key.conll"]),
    "stitch as a file": ("key.conll --write OUT --to conll --force", ["key.conll"]),
    "errors": ("key.conll a.conll", ["key.conll", "a.conll"]),
    "errors of two": ("key.conll a.conll b.conll", ["key.conll", "a.conll", "b.conll"]),
    "errors by a column": ("key.conll a.conll --feature column:3", ["key.conll", "a.conll"]),
    "card": ("key.conll a.conll b.conll", ["key.conll", "a.conll", "b.conll"]),
    "clusters": ("key.csv a.csv --item id --cluster cluster", ["key.csv", "a.csv"]),
    "clusters estimate": (
        "sample.csv a.csv --drawn size --item id --cluster cluster",
        ["sample.csv", "a.csv"],
    ),
    "clusters pairs": ("key.csv links.csv", ["key.csv", "links.csv"]),
    "clusters pairs as clusters": (
        "key.csv links.csv --write-clusters OUT",
        ["key.csv", "links.csv"],
    ),
    "clusters of an overlap table": ("--overlap cells.csv", ["cells.csv"]),
    "clusters as a query": ("--sql spark key r --item id --cluster c", []),
    "clusters as Parquet": (
        "key.csv a.csv --item id --cluster cluster --write-worst OUT",
        ["key.csv", "a.csv"],
    ),
    "report": ("key.conll a.conll b.conll", ["key.conll", "a.conll", "b.conll"]),
    "match": ("key.conll a.conll", ["key.conll", "a.conll"]),
    "validate": ("a.conll --against key.conll", ["key.conll", "a.conll"]),
    "stats": ("key.conll a.conll", ["key.conll", "a.conll"]),
    "stats of standoff": ("brat", ["brat/d.ann", "brat/d.txt"]),
    "correlate": ("scores.csv", ["scores.csv"]),
    "ace": ("ace ace", ["ace/a.sgm", "ace/a.apf.xml"]),
    "convert": ("key.conll OUT --to conll --force", ["key.conll"]),
    "convert a folder": ("brat OUT --to conll --force", ["brat/d.ann", "brat/d.txt"]),
    "lab experiment": ("lea-table1 key.conll a.conll", ["key.conll", "a.conll"]),
    "lab damage": ("key.conll --kind split --levels 0", ["key.conll"]),
    "lab audit": ("-m muc --mentions 2", []),
}

#: Every command that names files itself: what it takes, with ``OUT`` for the folder, and a file
#: that comes into it.
FOLDERS: dict[str, tuple[str, str]] = {
    "convert": ("key.conll OUT/ --to conll", "news_harbour_part_000.conll"),
    "errors": ("key.conll a.conll --write-fixed OUT", "span.conll"),
    "stitch": ("key.conll --write OUT/ --to conll", "news_harbour.conll"),
    "merge": ("key.conll a.conll --write OUT/ --to conll", "news_harbour_part_000.conll"),
    "codabench scaffold": ("OUT --key key.conll", "competition.yaml"),
    "codabench run": ("task OUT", "scores.json"),
    "leaderboard build": ("board -o OUT", "index.html"),
    "lab experiment": ("lea-table1 key.conll a.conll --write OUT", "key.conll"),
    "lab damage": ("key.conll --kind split --levels 0 --write OUT", "key.conll"),
}

#: Every command that draws.
PICTURES: dict[str, str] = {
    "correlate as a picture": "scores.csv --plot OUT",
    "correlate as a map": "scores.csv --heatmap OUT",
    "lab experiment as a picture": "lea-table1 key.conll a.conll --plot OUT",
    "lab damage as a picture": "key.conll --kind split --levels 0 --plot OUT",
}


def one_quick(table: dict[str, Any]) -> list[Any]:
    """Give a parameter for each command of a table; all but the first are slow.

    Every command writes through `formats/output.py`, so one command shows most faults.
    """
    first = next(iter(table))
    return [name if name == first else pytest.param(name, marks=pytest.mark.slow) for name in table]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with all inputs, which the commands run in."""
    inside = tmp_path / "work"
    inside.mkdir()
    monkeypatch.chdir(inside)
    examples = ROOT / "examples"
    for name, source in (("key", "key"), ("a", "system-a"), ("b", "system-b")):
        shutil.copy(examples / f"{source}.conll", f"{name}.conll")
    for copy in ("keys/k", "sets/key/x", "task/ref/k", "board/keys/k"):
        Path(copy).parent.mkdir(parents=True)
        shutil.copy("key.conll", f"{copy}.conll")
    for copy in ("answers/k", "sets/response/x", "task/res/a", "board/systems/a/k"):
        Path(copy).parent.mkdir(parents=True)
        shutil.copy("a.conll", f"{copy}.conll")
    documents = [d.label for d in corefmeter.read("key.conll").documents]
    Path("groups.tsv").write_text("".join(f"{name}\tall\n" for name in documents))
    Path("pairs.tsv").write_text("one\tkey.conll\ta.conll\n")
    Path("key.csv").write_text("id,cluster\na,1\nb,1\nc,2\n")
    Path("a.csv").write_text("id,cluster\na,x\nb,y\nc,y\n")
    Path("sample.csv").write_text("id,cluster\na,1\nb,2\n")
    Path("links.csv").write_text("left,right\na,b\n")
    Path("cells.csv").write_text("key,response,n,key_size,response_size\n1,x,1,2,1\n")
    Path("scores.csv").write_text("system,muc,b3\nx,1,2\ny,2,1\nz,3,4\n")
    Path("ace").mkdir()
    Path("ace/a.sgm").write_text(SGM)
    Path("ace/a.apf.xml").write_text(apf(("PER", [ANN]), ("ORG", [ACME])))
    Path("brat").mkdir()
    Path("brat/d.txt").write_text("Ann left .\n")
    Path("brat/d.ann").write_text("T1\tPER 0 3\tAnn\n")
    assert run("score", "key.conll a.conll b.conll --by document -f json -o results.json") == 0
    yield inside
    gc.enable()  # the program ends it


def run(command: str, arguments: str, out: str | None = None) -> int:
    """The exit status of a command; `out` is put for ``OUT``, or given with ``-o``."""
    name = re.split(" (?:of|by|as|with) ", command)[0]
    words = name.removesuffix(" a folder").removesuffix(" results").split() + arguments.split()
    if out is not None:
        at_end = [] if "OUT" in arguments else ["-o", out]
        words = [word.replace("OUT", out) for word in words] + at_end
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["corefmeter", *words])
        with pytest.raises(SystemExit) as end:
            program.main()
    return int(end.value.code or 0)


def files() -> dict[str, bytes]:
    """All files below the folder, hidden ones too, with what they hold."""
    return {str(p): p.read_bytes() for p in sorted(Path().rglob("*")) if p.is_file()}


def test_every_command_that_writes_is_tested():
    def commands(group: Any, before: str = "") -> Iterator[tuple[str, click.Command]]:
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if isinstance(command, click.Group):
                yield from commands(command, f"{name} ")
            else:
                yield before + name, command

    pictures = {name.partition(" as ")[0] for name in PICTURES}
    ways = {"output": COMMANDS, "target": FOLDERS, "folder": FOLDERS, "write_fixed": FOLDERS,
            "plot": pictures, "heatmap": pictures}  # fmt: skip
    for name, command in commands(program.program):
        options = {str(option.name) for option in command.params}
        if name in ("list", "cite", "completion"):
            continue  # they read no files
        for option in options & set(ways):
            assert name in ways[option], (name, option)
        assert "force" in options or name not in FOLDERS, name


# Inputs


@pytest.mark.parametrize(
    ("command", "arguments", "name"),
    [(command, arguments, name) for command, (arguments, names) in COMMANDS.items()
     for name in names],
)  # fmt: skip
def test_an_output_that_is_read_is_refused(folder, capsys, command, arguments, name):
    before = files()
    assert run(command, arguments, name) == 3
    captured = capsys.readouterr()
    assert f"{name}: error: is read by this run" in captured.err
    assert "[output-is-input]" in captured.err
    assert captured.out == ""
    assert files() == before


def by_another_path(name: str) -> str:
    return os.path.join("keys", "..", name)


def by_a_symbolic_link(name: str) -> str:
    os.symlink(name, "link.conll")
    return "link.conll"


def by_a_hard_link(name: str) -> str:
    os.link(name, "link.conll")
    return "link.conll"


@pytest.mark.parametrize("another", [os.path.abspath, by_another_path, by_a_symbolic_link,
                                     by_a_hard_link])  # fmt: skip
def test_an_input_is_known_by_any_path(folder, capsys, another):
    out = another("key.conll")
    before = files()
    assert run("score", "key.conll a.conll", out) == 3
    assert "[output-is-input]" in capsys.readouterr().err
    assert files() == before


def test_a_link_that_is_read_protects_its_file(folder):
    os.symlink("key.conll", "link.conll")
    before = files()
    assert run("score", "link.conll a.conll", "key.conll") == 3
    assert files() == before


def test_standard_input_that_is_a_file_is_protected(folder):
    before = files()
    with Path("key.conll").open() as stream:
        done = subprocess.run(
            [sys.executable, "-m", "corefmeter", "score", "-", "a.conll", "-o", "key.conll"],
            stdin=stream, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 3
    assert "[output-is-input]" in done.stderr
    assert files() == before


@pytest.mark.parametrize(
    "command",
    [
        "score key.conll a.conll",
        "conll-scorer all key.conll a.conll",
        "convert key.conll - --to e2e",
        "validate key.conll",
        "validate a.conll key.conll -f json",
        "validate key.conll -f github",
        "validate a.conll --against key.conll -f github",
        "score key.conll a.conll -f github",
    ],
)
def test_standard_output_is_not_added_to_an_input(folder, command):
    before = files()
    with Path("key.conll").open("ab") as stream:
        done = subprocess.run(
            [sys.executable, "-m", "corefmeter", *command.split()],
            stdout=stream, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 3
    assert "key.conll: error: is read by this run" in done.stderr
    assert files() == before


def test_all_files_of_a_folder_are_inputs(folder):
    """Also those that no reader opens, such as a text beside its annotation."""
    with recording_inputs():
        expand("brat")
        assert is_input("brat/d.txt")
        assert is_input("brat/d.ann")
        assert not is_input("key.conll")
    assert not is_input("brat/d.txt")


@pytest.mark.parametrize("force", ["", " --force"])
@pytest.mark.parametrize(
    "command",
    one_quick({name: FOLDERS[name] for name in FOLDERS if "key.conll" in FOLDERS[name][0]}),
)
def test_an_input_in_the_folder_is_not_replaced(folder, capsys, command, force):
    arguments, name = FOLDERS[command]
    Path("sub").mkdir()
    shutil.copy("key.conll", f"sub/{name}")
    before = files()
    there = arguments.replace("key.conll", f"sub/{name}", 1) + force
    assert run(command, there, "sub") == 3
    assert "[output-is-input]" in capsys.readouterr().err
    assert files() == before


@pytest.mark.parametrize("force", ["", " --force"])
@pytest.mark.parametrize("side", ["ref", "res"])
def test_nothing_is_written_among_the_files_of_a_submission(folder, capsys, side, force):
    for other in "12":  # of one file alone it is that file that is read
        shutil.copy("key.conll", f"task/{side}/{other}.conll")
    before = files()
    assert run("codabench run", f"task OUT{force}", f"task/{side}") == 3
    assert files() == before


@pytest.mark.parametrize("command", one_quick(PICTURES))
def test_a_picture_does_not_replace_an_input(folder, capsys, command):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    os.rename("key.conll", "key.png")
    os.rename("scores.csv", "scores.png")
    arguments = PICTURES[command].replace("key.conll", "key.png").replace(".csv", ".png")
    before = files()
    assert run(command, arguments, "scores.png" if "scores" in arguments else "key.png") == 3
    assert "[output-is-input]" in capsys.readouterr().err
    assert files() == before


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("errors", "key.conll a.conll --write-fixed new -o a.conll"),
        ("lab damage", "key.conll --kind split --levels 0 --write new -o key.conll"),
        ("lab experiment", "lea-table1 key.conll a.conll --write new -o a.conll"),
        ("correlate", "scores.csv --plot new.svg -o scores.csv"),
    ],
)
def test_nothing_is_written_when_one_output_of_several_is_refused(folder, command, arguments):
    if "svg" in arguments:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    before = files()
    assert run(command, arguments) == 3
    assert files() == before
    assert not Path("new").exists()


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("errors", "key.conll a.conll --write-fixed new -o new/span.conll"),
        ("lab damage", "key.conll --kind split --levels 0 --write new -o ./new/key.conll"),
    ],
)
def test_two_outputs_are_not_one_file(folder, capsys, command, arguments):
    before = files()
    assert run(command, arguments) == 2
    assert "two outputs" in capsys.readouterr().err
    assert files() == before


def test_outside_of_a_run_a_file_that_was_read_may_be_written(folder):
    corefmeter.read("key.conll")
    assert not is_input("key.conll")


# Files that nobody named


@pytest.mark.parametrize("command", one_quick(FOLDERS))
def test_files_that_were_not_named_are_replaced_by_force_only(folder, capsys, command):
    arguments, name = FOLDERS[command]
    place = Path("new", name)
    place.parent.mkdir()
    place.write_text("old")
    before = files()
    assert run(command, arguments, "new") == 3
    assert f"{place}: error: already exists, and you did not name it" in capsys.readouterr().err
    assert files() == before
    assert run(command, f"{arguments} --force", "new") == 0
    assert len(place.read_text()) > 3
    before.pop(str(place))
    assert before.items() <= files().items()


@pytest.mark.parametrize("command", one_quick(COMMANDS))
def test_a_file_that_was_named_is_replaced(folder, command):
    Path("out").write_text("old")
    assert run(command, COMMANDS[command][0], "out") == 0
    assert len(Path("out").read_bytes()) > 3


@pytest.mark.parametrize("command", ["merge as a file", "stitch as a file", "convert"])
def test_a_corpus_replaces_another_file_by_force_only(folder, capsys, command):
    """It may have been edited by hand since it was written."""
    arguments = COMMANDS[command][0].removesuffix(" --force")
    for old in (None, b""):  # an empty file, as mktemp makes one, holds nothing to lose
        if old is not None:
            Path("out").write_bytes(old)
        assert run(command, arguments, "out") == 0
    whole = Path("out").read_bytes()
    assert run(command, arguments, "out") == 0  # the same content again
    for old in (b"old", whole + b"\n"):
        Path("out").write_bytes(old)
        os.symlink("out", "link")
        for place in ("out", "./out", "link"):
            assert run(command, arguments, place) == 3
            error = capsys.readouterr().err
            assert f"{place}: error: already exists with other content" in error
            assert "[file-exists]" in error
            assert "--force" in error
            assert Path("out").read_bytes() == old
        os.remove("link")
    assert run(command, f"{arguments} --force", "out") == 0
    assert Path("out").read_bytes() == whole


# Runs that stop


class BrokenError(Exception):
    """A fault of the program."""


@pytest.mark.parametrize("old", [b"old", None])
@pytest.mark.parametrize(
    "stops", [KeyboardInterrupt(), OSError(errno.ENOSPC, "full"), BrokenError()]
)
@pytest.mark.parametrize("command", one_quick(COMMANDS | PICTURES))
def test_a_run_that_stops_leaves_the_old_file_or_none(
    folder, monkeypatch, capsys, command, stops, old
):
    arguments = PICTURES.get(command) or COMMANDS[command][0]
    if command in PICTURES:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    if old is not None:
        Path("out.png").write_bytes(old)
    before = files()
    opened = output._open_file

    def stopping(*how: Any) -> Any:
        stream = opened(*how)

        def write(data: Any) -> None:
            type(stream).write(stream, data[: len(data) // 2])
            stream.flush()
            raise stops

        stream.write = write
        return stream

    monkeypatch.setattr(output, "_open_file", stopping)
    if isinstance(stops, BrokenError):
        with pytest.raises(BrokenError):
            run(command, arguments, "out.png")
    else:
        status = 130 if isinstance(stops, KeyboardInterrupt) else 3
        assert run(command, arguments, "out.png") == status
    assert files() == before


@pytest.mark.parametrize("command", one_quick(FOLDERS))
def test_a_run_that_stops_leaves_whole_files_in_a_folder(folder, monkeypatch, command):
    arguments, _ = FOLDERS[command]
    assert run(command, arguments, "new") == 0
    before = files()
    replace = os.replace

    def once(*places: str) -> None:
        monkeypatch.setattr(os, "replace", stop)
        replace(*places)

    def stop(*_: str) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "replace", once if len(list(Path("new").iterdir())) > 1 else stop)
    assert run(command, f"{arguments} --force", "new") == 3
    assert files() == before  # the same run writes the same bytes


#: Ends its own process in the middle of a file.
ENDED = """
import os, pathlib, signal, sys
from corefmeter.formats.output import {writer} as writer
signal.signal(signal.{signal}, signal.{before})
with writer("out") as place:
    stream = place if hasattr(place, "write") else open(place, "w")
    print("new", file=stream, flush=True)
    os.kill(os.getpid(), signal.{signal})
"""


@pytest.mark.parametrize("writer", ["open_output", "path_to"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("before", ["SIG_DFL", "SIG_IGN"])
def test_a_run_that_is_ended_leaves_no_temporary_file(tmp_path, writer, name, before):
    """A signal that is ignored, as under nohup, stays so."""
    (tmp_path / "tmp").mkdir()
    (tmp_path / "out").write_text("old\n")
    code = ENDED.format(writer=writer, signal=name, before=before)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"TMPDIR": str(tmp_path / "tmp")},
    )
    ignored = before == "SIG_IGN"
    assert done.returncode == (0 if ignored else 128 + getattr(signal, name)), done.stderr
    assert (tmp_path / "out").read_text() == ("new\n" if ignored else "old\n")
    assert sorted(os.listdir(tmp_path)) == ["out", "tmp"]
    assert os.listdir(tmp_path / "tmp") == []


def test_files_are_written_outside_of_the_main_thread(tmp_path):
    """Where Python lets no handler of signals be set."""
    from threading import Thread

    def write() -> None:
        with output.open_output(str(tmp_path / "out")) as stream:
            stream.write("new")

    thread = Thread(target=write)
    thread.start()
    thread.join()
    assert (tmp_path / "out").read_text() == "new"


def test_a_full_disk_leaves_the_old_file(folder):
    Path("out").write_text("old")
    before = files()
    done = subprocess.run(
        # -B: what Python compiles is not to be cut off, too.
        [sys.executable, "-B", "-m", "corefmeter", "score", "key.conll", "a.conll", "-o", "out"],
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)),
    )  # fmt: skip
    assert done.returncode == 3
    assert "out: error: cannot be written: File too large [unwritable]" in done.stderr
    assert files() == before


# Places that are no ordinary files


def test_a_link_stays_and_its_file_is_replaced(folder, capsys):
    Path("sub").mkdir()
    Path("sub/there").write_text("old")
    os.symlink("sub/there", "link")
    assert run("stats", "key.conll", "link") == 0
    assert os.readlink("link") == "sub/there"
    assert len(Path("sub/there").read_text()) > 3
    assert len(list(Path("sub").iterdir())) == 1
    told = f"link: note: is a link; what was written is at {os.path.abspath('sub/there')}\n"
    assert told in capsys.readouterr().err
    assert run("stats", "key.conll", "sub/there") == 0
    assert "is a link" not in capsys.readouterr().err


@pytest.mark.parametrize("command", one_quick(FOLDERS))
@pytest.mark.parametrize("make", [os.symlink, lambda _, place: os.mkfifo(place)])
def test_what_nobody_named_is_written_through_no_link(folder, capsys, command, make):
    """Somebody else may have put it there; the folder alone was named."""
    arguments, name = FOLDERS[command]
    Path("elsewhere").write_text("old")
    place = Path("new", name)
    place.parent.mkdir()
    make("../elsewhere", place)
    before = files()
    for force in ("", " --force"):
        assert run(command, arguments + force, "new") == 3
        assert f"{place}: error: is a link or a special file" in capsys.readouterr().err
    assert files() == before


def test_a_picture_says_that_it_went_through_a_link(folder, capsys):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    os.symlink("there.svg", "link.svg")
    assert run("correlate", "scores.csv --plot OUT", "link.svg") == 0
    assert "link.svg: note: is a link" in capsys.readouterr().err
    assert Path("there.svg").stat().st_size > 100
    assert os.readlink("link.svg") == "there.svg"


def test_a_link_to_nothing_gets_its_file(folder):
    os.symlink("there", "link")
    assert run("stats", "key.conll", "link") == 0
    assert os.readlink("link") == "there"
    assert Path("there").stat().st_size > 3


def test_permissions_are_kept_and_new_ones_are_those_of_the_umask(folder):
    Path("old").write_text("old")
    os.chmod("old", 0o604)
    before = os.umask(0o027)
    try:
        assert run("stats", "key.conll", "old") == 0
        assert run("stats", "key.conll", "new") == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat("old").st_mode) == 0o604
    assert stat.S_IMODE(os.stat("new").st_mode) == 0o640


def test_a_file_that_may_not_be_written_is_not_replaced(folder, monkeypatch, capsys):
    Path("new").mkdir()
    Path("new/key.conll").write_text("old")
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)  # root may do all
    arguments = "key.conll --kind split --levels 0 --force --write new"
    assert run("lab damage", arguments, "new/out") == 3
    assert "key.conll: error: cannot be written: Permission denied" in capsys.readouterr().err
    assert Path("new/key.conll").read_text() == "old"


def test_standard_output_by_its_path_keeps_what_is_in_it(folder):
    command = f"{{ echo before; {sys.executable} -m corefmeter stats key.conll -o /dev/stdout; }}"
    done = subprocess.run(f"{command} > out; {command} | cat > piped", shell=True, check=False)
    assert done.returncode == 0
    text = Path("out").read_text()
    assert text.startswith("before\n")
    assert len(text) > 100
    assert Path("piped").read_text() == text


def test_a_pipe_is_written_to(folder):
    os.mkfifo("pipe")
    reading = subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE)
    assert run("stats", "key.conll", "pipe") == 0
    assert len(reading.communicate(timeout=60)[0]) > 100
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)


def test_a_device_is_written_to(folder, capsys):
    assert run("stats", "key.conll", "/dev/null") == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert run("stats", "key.conll", "/dev/full") == 3
    assert "/dev/full: error: cannot be written: No space left" in capsys.readouterr().err


@pytest.mark.parametrize("out", ["keys", "nowhere/out", "key.conll/out", "new/"])
def test_what_cannot_be_written_says_so(folder, capsys, out):
    before = files()
    assert run("stats", "a.conll", out) in (2, 3)
    assert out.rstrip("/") in capsys.readouterr().err
    assert files() == before


# One place

#: Calls that open, make, move or remove files.
OPENING = re.compile(
    r"(io\.|codecs\.|gzip\.|lzma\.|bz2\.)?open|io\.FileIO|tempfile\..+|pathlib\..+|(.+\.)?Path"
    r"|shutil\.(copy.*|move|rmtree)|(np|numpy)\.(save.*|load.*|fromfile)"
    r"|os\.(open|fdopen|mkdir|makedirs|renames?|replace|remove|unlink|rmdir|truncate|s?y?m?link)"
)

#: Where files are opened, made, moved and removed: to read them, and to write them.
HOMES = {"formats/source.py", "formats/output.py"}


def test_no_other_place_opens_files():
    found = set()
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if name.endswith(".savefig"):
                assert ast.unparse(node.args[0]) == "stream", place
            elif OPENING.fullmatch(name) and name != "click.Path":
                found.add((place, name))
    reading = {("formats/source.py", "open")}
    writing = {(place, name) for place, name in found if place == "formats/output.py"}
    names = {"open", "os.open", "os.makedirs", "os.replace", "os.unlink"}
    assert {name for _, name in writing} == names
    # To write to nowhere, where standard output or standard error is closed.
    assert found - writing - reading == {("cli/main.py", "os.open"), ("cli/main.py", "open")}


def test_a_response_that_has_a_name_is_an_input_too(tmp_path):
    text = "#begin document (x); part 000\na\t(1)\nb\t(1)\n#end document\n"
    for name in ("key.conll", "dev.conll"):
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "corefmeter", "score", "key.conll", "A=dev.conll",
         "-o", "dev.conll"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert "[output-is-input]" in done.stderr
    assert (tmp_path / "dev.conll").read_text() == text
