"""Pictures of the laboratory: they can be drawn, repeat to the byte, and show every metric."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefmeter import read
from corefmeter.lab.experiments import run
from corefmeter.lab.sensitivity import sensitivity
from corefmeter.problems import DataError, OptionError

pytest.importorskip("matplotlib")

from corefmeter.lab.plots import _styles, draw_outcome, draw_sensitivity

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def key():
    return read(EXAMPLES / "key.conll")


@pytest.mark.parametrize("ending", ["png", "pdf", "svg"])
def test_endings(tmp_path, ending):
    paths = [tmp_path / f"{n}.{ending}" for n in (1, 2)]
    for path in paths:
        draw_outcome(run("lea-figure4"), str(path))
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert len(paths[0].read_bytes()) > 5000


@pytest.mark.parametrize("name", ["lea-figure2", "lea-figure7", "lea-table4", "luo-sweep"])
def test_every_metric_has_a_name_in_the_legend(tmp_path, key, name):
    path = tmp_path / "x.svg"
    needs = key if name in ("lea-table4", "luo-sweep") else None
    draw_outcome(run(name, needs, metrics=["muc", "conll", "blanc"]), str(path))
    text = path.read_text("utf-8")
    assert all(f"<!-- {title} -->" in text for title in ("MUC", "CoNLL", "BLANC"))


def test_the_ace_value_is_named_on_the_axis_and_in_the_legend(tmp_path, key):
    path = tmp_path / "x.svg"
    draw_outcome(run("luo-sweep", key), str(path))
    text = path.read_text("utf-8")
    assert "<!-- ACE value -->" in text
    assert "<!-- F1 and ACE value (%) -->" in text
    draw_outcome(run("luo-sweep", key, metrics=["lea"]), str(path))
    assert "<!-- F1 (%) -->" in path.read_text("utf-8")


def test_sensitivity(tmp_path, key):
    draw_sensitivity(sensitivity(key, "move", "50%,0,10%"), str(tmp_path / "x.png"))
    assert (tmp_path / "x.png").stat().st_size > 5000


def test_metrics_differ_in_colour_and_marker():
    names = ["muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll", "links", "rand"]
    styles = _styles(names)
    assert len({style[0] for style in styles.values()}) == len(names)
    assert len({style[1] for style in styles.values()}) == len(names)


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(OptionError, match="a picture ends in"):
        draw_outcome(run("lea-figure2"), str(tmp_path / "x.gif"))
    with pytest.raises(DataError, match="cannot be written"):
        draw_outcome(run("lea-figure2"), str(tmp_path / "nowhere" / "x.png"))


def test_a_picture_of_your_own_data_is_not_titled_as_the_papers(tmp_path, key):
    path = tmp_path / "x.svg"
    draw_outcome(run("luo-sweep", metrics=["muc"]), str(path))
    assert "your data" not in path.read_text("utf-8")
    draw_outcome(run("luo-sweep", key, metrics=["muc"]), str(path))
    assert "on your data, key.conll; made as in Luo 2005" in path.read_text("utf-8")
