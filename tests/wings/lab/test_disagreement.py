"""The pairs of systems that two metrics put in opposite order."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from corefmeter.problems import DataError
from corefmeter.wings.lab.disagreement import Disagreement, count_ordered_pairs, disagreements

from ...statistics.published import CONLL_RANKS, LEA_RANKS, TABLE_5


def test_conll_places_chen_and_chunyuang_above_xu_and_lea_xu_above_both():
    """Moosavi & Strube 2016, section 6."""
    found = {(d.system_a, d.system_b): d for d in disagreements(TABLE_5, ["conll", "lea"])}
    assert found["chen", "xu"].sentence(str.upper) == (
        "CONLL ranks chen over xu by 1.94, LEA xu over chen by 0.59."
    )
    assert found["chunyuang", "xu"].sentence(str.upper) == (
        "CONLL ranks chunyuang over xu by 1.62, LEA xu over chunyuang by 0.99."
    )


def test_conll_and_lea_of_table_5_by_hand():
    """The clearest first: by the smaller difference, 0.99, 0.59, 0.42, 0.30, 0.12, 0.10."""
    assert [(d.system_a, d.system_b) for d in disagreements(TABLE_5, ["conll", "lea"])] == [
        ("chunyuang", "xu"),
        ("chen", "xu"),
        ("shou", "xu"),
        ("yuan", "xu"),
        ("shou", "yuan"),
        ("uryupina", "songyang"),
    ]


def test_what_is_significant_by_both_metrics_comes_first():
    table = {"A": {"a": 4, "b": 1}, "B": {"a": 3, "b": 2}, "C": {"a": 2, "b": 3}}
    p = {("a", "A", "B"): 0.001, ("b", "A", "B"): 0.4, ("a", "A", "C"): 0.5, ("b", "A", "C"): 0.5,
         ("a", "B", "C"): 0.04, ("b", "B", "C"): 0.03}  # fmt: skip
    pairs = [(d.system_a, d.system_b) for d in disagreements(table, p=p)]
    assert pairs == [("B", "C"), ("A", "B"), ("A", "C")]


def test_the_printed_ranks_disagree_on_xu_alone():
    """By the ranks, in which systems without a significant difference by LEA are tied."""
    table = {name: {"conll": -CONLL_RANKS[name], "lea": -LEA_RANKS[name]} for name in CONLL_RANKS}
    found = disagreements(table)
    assert {d.system_b for d in found} == {"xu"}
    assert {d.system_a for d in found} == {"chen", "chunyuang", "shou", "yuan"}


@pytest.mark.parametrize("pair", list(itertools.combinations(TABLE_5["xu"], 2)))
def test_the_number_of_disagreements_is_what_kendall_counts(pair):
    """No column of Table 5 has ties, so that D = n(n - 1)(1 - tau)/4."""
    tau = stats.kendalltau(*([row[metric] for row in TABLE_5.values()] for metric in pair))
    assert len(disagreements(TABLE_5, pair)) == round(14 * 13 * (1 - tau.statistic) / 4)
    assert count_ordered_pairs(TABLE_5, *pair) == 91


def test_a_tie_is_no_disagreement():
    table = {"A": {"a": 2, "b": 1}, "B": {"a": 1, "b": 1}, "C": {"a": 1, "b": 2}}
    assert [d[:4] for d in disagreements(table)] == [("a", "b", "A", "C")]
    assert count_ordered_pairs(table, "a", "b") == 1


def test_both_differences_are_positive_and_of_the_right_metric():
    [found] = disagreements({"A": {"a": 1.0, "b": 9.0}, "B": {"a": 4.0, "b": 7.0}})
    assert found == ("a", "b", "B", "A", 3.0, 2.0, None, None)


def test_p_values_are_found_in_either_order_of_the_systems():
    table = {"A": {"a": 1.0, "b": 9.0}, "B": {"a": 4.0, "b": 7.0}}
    p = {("a", "A", "B"): 0.04, ("b", "B", "A"): 0.5, ("c", "A", "B"): 0.9}
    [found] = disagreements(table, p=p)
    assert (found.p_a, found.p_b) == (0.04, 0.5)


@pytest.mark.parametrize(
    ("p_a", "p_b", "end"),
    [
        (None, None, "by 0.25."),
        (0.2, 0.6, "; neither difference is significant (p = 0.200 and p = 0.600)."),
        (0.2, 0.05, "; only LEA's difference is significant (p = 0.200 and p = 0.050)."),
        (0.0004, 0.2, "; only CoNLL's difference is significant (p < 0.001 and p = 0.200)."),
        (0.01, 0.02, "; both differences are significant (p = 0.010 and p = 0.020)."),
        (None, 0.02, "; LEA's difference is significant (p = 0.020)."),
        (0.3, None, "; CoNLL's difference is not significant (p = 0.300)."),
    ],
)
def test_the_sentence_says_what_is_significant(p_a, p_b, end):
    found = Disagreement("CoNLL", "LEA", "A", "B", 0.3, 0.25, p_a, p_b)
    assert found.sentence().startswith("CoNLL ranks A over B by 0.30, LEA B over A by 0.25")
    assert found.sentence().endswith(end)


def test_the_level_of_significance_can_be_chosen():
    found = Disagreement("CoNLL", "LEA", "A", "B", 0.3, 0.25, 0.03, 0.03)
    assert "neither" in found.sentence(alpha=0.01)


@given(
    st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=2, max_size=8),
)
def test_every_disagreement_is_one_and_none_is_left_out(rows):
    table = {f"s{i}": dict(zip("abc", row, strict=True)) for i, row in enumerate(rows)}
    found = disagreements(table)
    for d in found:
        one, other = table[d.system_a], table[d.system_b]
        assert one[d.metric_a] - other[d.metric_a] == d.difference_a > 0
        assert other[d.metric_b] - one[d.metric_b] == d.difference_b > 0
    expected = sum(
        (one[a] - other[a]) * (one[b] - other[b]) < 0
        for a, b in itertools.combinations("abc", 2)
        for one, other in itertools.combinations(table.values(), 2)
    )
    assert len(found) == len({d[:4] for d in found}) == expected


def test_a_missing_score_is_named():
    with pytest.raises(DataError, match="'B' by the metric 'b'"):
        disagreements({"A": {"a": 1, "b": 2}, "B": {"a": 2}})
