"""Metrics are found by name or alias, and a metric that does not exist is refused with a hint."""

from __future__ import annotations

import importlib.metadata

import pytest

from corefmeter import OptionError, Recipe, score
from corefmeter.metrics import AVERAGES, DEFAULT, METRICS, canonical, make, title
from corefmeter.metrics.muc import Muc


@pytest.mark.parametrize("name", [*METRICS, *AVERAGES])
def test_a_metric_is_known_by_its_name_in_any_case(name):
    assert canonical(name) == canonical(name.upper()) == canonical(f" {name} ") == name
    assert title(name)


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("bcub", "b3"), ("BCUBED", "b3"), ("b-cubed", "b3"), ("B³", "b3"),
        ("ceaf_e", "ceafe"), ("CEAF_E", "ceafe"), ("ceaf_phi4", "ceafe"), ("ceaf-e", "ceafe"),
        ("ceaf_m", "ceafm"), ("ceaf_phi3", "ceafm"), ("ceaf_phi1", "ceaf1"), ("ceaf_phi2", "ceaf2"),
        ("pairwise", "links"), ("rand_index", "rand"), ("adjusted_rand", "ari"),
        ("v_measure", "vmeasure"), ("mention_detection", "mentions"),
        ("conll_score", "conll"), ("avg", "conll"),
    ],
)  # fmt: skip
def test_names_of_other_tools_are_aliases(alias, name):
    assert canonical(alias) == name


def test_no_alias_means_two_metrics():
    names = [name for metric in METRICS.values() for name in (metric.name, *metric.aliases)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("name", "near"), [("cefae", "ceafe"), ("mcu", "muc"), ("leaa", "lea"), ("conl", "conll")]
)
def test_an_unknown_metric_is_refused_with_the_nearest_one(name, near):
    with pytest.raises(OptionError, match=f"unknown metric '{name}'; did you mean '{near}'"):
        canonical(name)


def test_the_message_for_an_unknown_metric_lists_all_that_there_are():
    with pytest.raises(OptionError) as caught:
        canonical("xyzzy")
    assert all(name in str(caught.value) for name in (*METRICS, *AVERAGES))


def test_every_metric_can_be_made_from_a_recipe():
    recipe = Recipe(ceaf_similarity=lambda common, key_size, response_size: common)
    for name, metric in METRICS.items():
        made = make(name, recipe)
        assert isinstance(made, metric)
        assert made.name == name
        assert made.fields
        assert made.title


def test_the_general_ceaf_needs_a_similarity():
    with pytest.raises(OptionError, match="ceaf_similarity"):
        score([["a"]], [["a"]], metrics="ceaf")


def test_the_default_metrics_are_those_of_the_official_scorer_and_its_lea_branch():
    assert DEFAULT == ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")


class Entities(Muc):
    """A metric of another package: how many entities there are."""

    name = "entities"
    title = "Entities"

    def statistics(self, table):
        n = min(len(table.key_sizes), len(table.response_sizes))
        return n, len(table.key_sizes), n, len(table.response_sizes)


def test_another_package_adds_a_metric_by_an_entry_point(monkeypatch):
    class Point:
        name = "Entities"

        @staticmethod
        def load():
            return Entities

    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [Point()])
    try:
        result = score([["a"], ["b"]], [["a"]], metrics=["entities", "muc"])
        assert result["entities"].recall == 1 / 2
        assert result["entities"].precision == 1
        assert Recipe.parse(result.signature) == result.recipe
    finally:
        METRICS.pop("entities", None)
