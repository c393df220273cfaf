"""What lasts shows how far it is, on a terminal and after two seconds."""

from __future__ import annotations

import io
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from corefmeter import Recipe, read
from corefmeter.cli.progress import Progress
from corefmeter.formats.source import recording_inputs
from corefmeter.scoring import score_corpora

CLEARED = "\r\x1b[K\x1b[?25h"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def at(monkeypatch):
    """Sets the clock."""
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("time.time", lambda: now[0])

    def moved(seconds: float) -> None:
        now[0] = seconds

    return moved


@pytest.fixture
def terminal(monkeypatch):
    found = Terminal()
    monkeypatch.setattr("corefmeter.cli.progress.sys", SimpleNamespace(stderr=found))
    return found


def test_it_waits_for_two_seconds_then_estimates_and_leaves_nothing(at, terminal):
    progress = Progress("reading")
    at(1.0)
    progress(1, 10)
    assert terminal.getvalue() == ""
    at(2.5)
    progress(4, 10)
    # 4 in 2.5 seconds, so the other 6 take 3.75.
    assert terminal.getvalue().split("\r")[-1].startswith("\x1b[?25lreading  [")
    assert terminal.getvalue().rstrip().endswith("40%  00:00:03")
    at(6.0)
    progress(10, 10)
    assert terminal.getvalue().endswith(CLEARED)
    # Another series has its own two seconds.
    written = len(terminal.getvalue())
    at(7.9)
    progress(1, 3)
    progress(3, 3)
    assert len(terminal.getvalue()) == written


def test_what_is_short_or_has_no_terminal_shows_nothing(at, terminal, monkeypatch):
    with Progress("scoring") as progress:
        at(1.9)
        progress(1, 2)
    assert terminal.getvalue() == ""
    other = io.StringIO()
    monkeypatch.setattr("corefmeter.cli.progress.sys", SimpleNamespace(stderr=other))
    with Progress("scoring") as progress:
        at(9.0)
        progress(1, 2)
    assert other.getvalue() == ""


def test_what_stops_in_between_gives_the_terminal_back(at, terminal):
    def stopped() -> None:
        with Progress("laws") as progress:
            at(3.0)
            progress(1, 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert terminal.getvalue().endswith(CLEARED)


def test_reading_tells_of_several_files(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.conll").write_text(
            f"#begin document ({name}); part 000\n{name} (1)\n\n#end document\n"
        )
    told = []
    with recording_inputs(lambda *numbers: told.append(numbers)):
        read(tmp_path)
        assert told == [(1, 3), (2, 3), (3, 3)]
        read(tmp_path / "a.conll")
    read(tmp_path)
    assert len(told) == 3


def test_scoring_many_responses_tells_of_each(monkeypatch, tmp_path):
    from corefmeter.cli import run

    told = []

    def noted(label):
        return nullcontext(lambda done, total: told.append((label, done, total)))

    monkeypatch.setattr(run, "progress_bar", noted)
    key = tmp_path / "a.conll"
    key.write_text("#begin document (a); part 000\na (1)\nb (1)\n\n#end document\n")
    results = run.Run.of(str(key), [f"x={key}", str(key)], Recipe(), None, False).scores()
    assert told == [("scoring", 1, 2), ("scoring", 2, 2)]
    assert [result.name for result in results] == ["x", None]
    assert results[0].muc == score_corpora(read(key), read(key), Recipe()).muc
