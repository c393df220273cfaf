"""Results, comparisons and analyses as text, LaTeX, Markdown, data frames and flat numbers.

The key is {a, b, c}, the response {a, b}, {c}. MUC: one of two links is found, none is wrong, so
R 1/2, P 1, F1 2/3. B³: R (2/3 + 2/3 + 1/3) / 3 = 5/9, P 1, F1 10/14.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

import corefmeter
from corefmeter import OptionError

KEY = {"d": [["a", "b", "c"]]}
RESPONSE = {"d": [["a", "b"], ["c"]]}
METRICS = ["muc", "b3"]


@pytest.fixture
def result():
    return corefmeter.score(KEY, RESPONSE, metrics=METRICS)


@pytest.fixture
def comparison():
    key = {str(n): [[f"a{n}", f"b{n}"]] for n in range(3)}
    return corefmeter.compare(key, {"all": key, "none": {name: [] for name in key}},
                              metrics=["muc"], trials=20)  # fmt: skip


@pytest.fixture
def analysis():
    return corefmeter.analyse({"d": [[(0, 1), (2, 4)]]}, {"d": [[(0, 1), (5, 6)]]})


def test_a_printed_result_is_its_table_and_its_repr_a_line(result):
    lines = str(result).splitlines()
    assert lines[1:5] == [
        "         R       P     F1",
        "─" * 25,
        "MUC  50.00  100.00  66.67",
        "B³   55.56  100.00  71.43",
    ]
    assert lines[-1] == f"corefmeter:{corefmeter.__version__}|metrics:muc+b3"
    assert repr(result) == "<Result of 1 document: muc 0.6667, b3 0.7143>"


def test_digits_round_and_no_more(result):
    assert "| B³ | 100.000 | 55.556 | 71.429 |" in result.to_markdown(digits=3)
    assert "| B³ | 100 | 56 | 71 |" in result.to_markdown(digits=0)
    assert r"& 100.0 & 55.6 & 71.4 \\" in result.to_latex(digits=1)


def test_flat_numbers_are_plain_and_named_by_metric_and_score():
    result = corefmeter.score(KEY, RESPONSE, metrics=["muc", "conll"])
    flat = result.flat()
    assert list(flat) == ["muc.recall", "muc.precision", "muc.f1", "conll.f1"]
    assert {type(value) for value in flat.values()} == {float}
    assert (flat["muc.recall"], flat["muc.f1"]) == (0.5, 2 / 3)


def test_a_frame_of_a_result_has_a_row_for_each_metric_and_group(result):
    frame = result.to_frame(by=["document"])
    assert list(frame["metric"]) == ["muc", "b3", "muc", "b3"]
    assert list(frame["group"]) == ["all", "all", "d", "d"]
    assert frame["f1"][0] == 2 / 3
    assert abs(frame["f1"][1] - 5 / 7) < 1e-15
    assert frame["recall_numerator"].dtype.kind in "if"


def test_an_average_has_no_recall_in_a_frame():
    frame = corefmeter.score(KEY, RESPONSE, metrics=["muc", "conll"]).to_frame()
    assert list(frame["recall"].isna()) == [False, True]


def test_a_frame_of_a_comparison_has_a_row_for_each_pair(comparison):
    frame = comparison.to_frame()
    assert list(zip(frame["a"], frame["b"], frame["difference"], strict=True)) == [
        ("all", "none", 1.0)
    ]
    assert str(comparison).splitlines()[0].split() == ["F1", "MUC"]
    assert r"\textbf{100.00}" in comparison.to_latex()


def test_a_frame_of_an_analysis_is_the_summary_or_a_list(analysis):
    mentions = analysis.to_frame("mentions")
    places = zip(
        mentions["mention_start"], mentions["mention_end"], mentions["status"], strict=True
    )
    assert set(places) == {
        (0, 1, "incorrectly_resolved"), (2, 4, "missing"), (5, 6, "extra")
    }  # fmt: skip
    names = set(analysis.to_frame()["name"])
    assert "arcs.immediate.all.f1" in names
    assert "arcs.anchor" in names  # not computed, since nothing is known of kinds
    with pytest.raises(OptionError, match="did you mean 'mentions'"):
        analysis.to_frame("mention")
    assert "error               count" in str(analysis)


def test_polars_is_taken_where_pandas_is_not(result, monkeypatch):
    made = []
    polars = SimpleNamespace(DataFrame=lambda rows, names, **how: made.append((rows, names, how)))
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", polars)
    result.to_frame()
    ((rows, names, how),) = made
    assert [row[names.index("metric")] for row in rows] == METRICS
    assert how == {"orient": "row", "infer_schema_length": None}


def test_without_either_the_error_says_what_to_install(result, monkeypatch):
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(OptionError, match="pip install pandas"):
        result.to_frame()


def test_a_wrong_keyword_is_guessed(result):
    with pytest.raises(OptionError, match="did you mean 'digits'"):
        result.to_latex(digit=1)
