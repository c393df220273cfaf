"""Pictures of the laboratory: they can be drawn, repeat to the byte, and show every metric."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from corefmeter import read
from corefmeter.problems import DataError, OptionError
from corefmeter.wings.lab.experiments import run
from corefmeter.wings.lab.sensitivity import sensitivity

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

from corefmeter.wings.lab.correlation import correlate
from corefmeter.wings.lab.pictures import draw_heatmap, draw_scatter, save_figure
from corefmeter.wings.lab.plots import _styles, draw_outcome, draw_sensitivity
from corefmeter.wings.lab.score_table import read_scores

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def key():
    return read(EXAMPLES / "key.conll")


@pytest.mark.parametrize("ending", ["png", "pdf", "svg"])
def test_endings(tmp_path, ending):
    paths = [tmp_path / f"{n}.{ending}" for n in (1, 2)]
    for path in paths:
        save_figure(draw_outcome(run("lea-figure4")), str(path))
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert len(paths[0].read_bytes()) > 5000


@pytest.mark.parametrize("name", ["lea-figure2", "lea-figure7", "lea-table4", "luo-sweep"])
def test_every_metric_has_a_name_in_the_legend(tmp_path, key, name):
    path = tmp_path / "x.svg"
    needs = key if name in ("lea-table4", "luo-sweep") else None
    save_figure(draw_outcome(run(name, needs, metrics=["muc", "conll", "blanc"])), str(path))
    text = path.read_text("utf-8")
    assert all(f">{title}</text>" in text for title in ("MUC", "CoNLL", "BLANC"))


def test_the_ace_value_is_named_on_the_axis_and_in_the_legend(tmp_path, key):
    path = tmp_path / "x.svg"
    save_figure(draw_outcome(run("luo-sweep", key)), str(path))
    text = path.read_text("utf-8")
    assert ">ACE value</text>" in text
    assert ">F1 and ACE value (%)</text>" in text
    save_figure(draw_outcome(run("luo-sweep", key, metrics=["lea"])), str(path))
    assert ">F1 (%)</text>" in path.read_text("utf-8")


def test_sensitivity(tmp_path, key):
    save_figure(draw_sensitivity(sensitivity(key, "move", "50%,0,10%")), str(tmp_path / "x.png"))
    assert (tmp_path / "x.png").stat().st_size > 5000


def test_metrics_differ_in_colour_and_marker():
    names = ["muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll", "links", "rand"]
    styles = _styles(names)
    assert len({style["color"] for style in styles.values()}) == len(names)
    assert len({style["marker"] for style in styles.values()}) == len(names)


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(OptionError, match="a picture must end in"):
        save_figure(draw_outcome(run("lea-figure2")), str(tmp_path / "x.gif"))
    with pytest.raises(DataError, match="cannot be written"):
        save_figure(draw_outcome(run("lea-figure2")), str(tmp_path / "nowhere" / "x.png"))


@pytest.mark.slow
def test_a_picture_of_invented_data_is_titled_as_the_papers(tmp_path):
    path = tmp_path / "x.svg"
    save_figure(draw_outcome(run("luo-sweep", metrics=["muc"])), str(path))
    assert "your data" not in path.read_text("utf-8")


def test_a_picture_of_your_own_data_is_not_titled_as_the_papers(tmp_path, key):
    path = tmp_path / "x.svg"
    save_figure(draw_outcome(run("luo-sweep", key, metrics=["muc"])), str(path))
    assert "on your data, key.conll; made as in Luo 2005" in path.read_text("utf-8")


# Figures.


@pytest.fixture
def table(tmp_path):
    """Forty systems with long names on a line, by two metrics."""
    path = tmp_path / "scores.csv"
    rows = [f"a-system-with-a-very-long-name-{n:02d},{50 + n / 2},{40 + n}" for n in range(40)]
    path.write_text("\n".join(["system,muc,lea", *rows]))
    return read_scores([str(path)], None, (), (None,))


def boxes(figure, texts):
    figure.draw_without_rendering()
    return [text.get_window_extent() for text in texts if text.get_text()]


def overlaps(found):
    return [(a, b) for i, a in enumerate(found) for b in found[i + 1 :] if a.overlaps(b)]


def test_pyplot_is_left_alone(table, key):
    matrix = correlate(table.scores, "kendall", table.metrics)
    draw_scatter(table, matrix)
    draw_sensitivity(sensitivity(key, "move", "50%,0"))
    assert "matplotlib.pyplot" not in sys.modules


def test_style_sheets_apply(table):
    import matplotlib

    matrix = correlate(table.scores, "kendall", table.metrics)
    with matplotlib.rc_context({"figure.facecolor": "#010203"}):
        figure = draw_heatmap(table, matrix)
    assert matplotlib.colors.to_hex(figure.get_facecolor()) == "#010203"


def test_forty_long_names_are_listed_and_nothing_covers_another(table):
    matrix = correlate(table.scores, "kendall", table.metrics)
    figure = draw_scatter(table, matrix)
    (panel,) = figure.axes
    (legend,) = figure.legends
    names = legend.get_texts()
    assert len(names) == 40
    # The best by the first metric is number 1.
    assert names[0].get_text().split() == ["1", "a-system-with-a-very-long-name-39"]
    found = boxes(figure, [*panel.texts, *names, panel.title])
    assert len(found) == 81
    assert overlaps(found) == []


def test_every_peak_is_seen(key):
    outcome = run("luo-sweep", key)
    figure = draw_outcome(outcome)
    figure.draw_without_rendering()
    (strip,) = figure.axes[0].child_axes
    marks = [line for line in strip.lines if line.get_marker() not in ("None", None, "")]
    places = {(line.get_xdata()[0], line.get_ydata()[0]) for line in marks}
    assert len(places) == len(outcome.metrics)
    assert {x for x, _ in places} == {p["entities"] for p in outcome.facts["peaks"].values()}


def test_scores_of_a_known_kind_say_it_on_the_axes(tmp_path):
    path = tmp_path / "results.csv"
    rows = [f"{n},,all,{m},0.{n},0.{n},0.{n}" for n in (1, 2, 3) for m in ("muc", "lea")]
    path.write_text("\n".join(["response,by,group,metric,recall,precision,f1", *rows]))
    table = read_scores([str(path)], "f1", (), (None,))
    (panel,) = draw_scatter(table, correlate(table.scores, "kendall", table.metrics)).axes
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("MUC F1 (%)", "LEA F1 (%)")
