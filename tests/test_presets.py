"""Presets are recipes with a name, and say where their practice is known from."""

from __future__ import annotations

import csv

import pytest

from corefmeter import OptionError, Recipe, score
from corefmeter.presets import PRESETS

from .command import run
from .real.shared import DATA, needs

YEARS = {"corefud2022": "partial", "corefud2023": "head", "corefud2024": "head",
         "corefud2025": "head", "corefud2026": "head"}  # fmt: skip


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_recipe_with_a_source(name):
    recipe = Recipe.preset(name)
    assert Recipe.parse(recipe.signature()) == recipe
    assert PRESETS[name].title
    assert len(PRESETS[name].source) > 20
    assert recipe != Recipe()


def test_the_presets_that_are_promised_are_there():
    assert {
        *YEARS,
        "conll2012",
        "crac2018",
        "craft2019",
        "litbank",
        "ontogum",
        "preco",
        "bookcoref",
    } <= set(PRESETS)


@pytest.mark.parametrize(("name", "match"), YEARS.items())
def test_the_shared_tasks_score_without_singletons(name, match):
    recipe = Recipe.preset(name)
    assert (recipe.match, recipe.singletons, recipe.repeated) == (match, "drop", "distinct")
    assert {"muc", "b3", "ceafe", "conll"} <= set(recipe.metrics)
    # Empty nodes are predicted from 2024 on, so their places differ.
    assert recipe.zeros == ("dependency" if name >= "corefud2024" else "position")


@pytest.mark.parametrize("name", YEARS)
def test_the_unofficial_variants_change_one_thing(name):
    primary = Recipe.preset(name)
    assert Recipe.preset(f"{name}-exact") == primary.replace(match="exact")
    assert Recipe.preset(f"{name}-singletons") == primary.replace(singletons="keep")
    if name != "corefud2022":
        assert Recipe.preset(f"{name}-partial") == primary.replace(match="partial")


def test_corefud_scorer_has_the_same_rules_in_2026():
    assert Recipe.preset("corefud2026") == Recipe.preset("corefud2025")


@pytest.mark.parametrize("year", [2021, 2022])
def test_the_tasks_of_codi_crac_are_identity_bridging_and_deixis(year):
    anaphora, bridging, deixis = (
        Recipe.preset(f"codicrac{year}-{task}") for task in ("ar", "br", "dd")
    )
    assert (anaphora.singletons, anaphora.split_antecedents) == ("keep", True)
    assert "conll" in anaphora.metrics
    assert deixis == anaphora.replace(layer="deixis")
    assert set(bridging.metrics) == {"bridging-anaphor", "bridging-mention", "bridging-entity"}


@pytest.mark.parametrize("year", [2021, 2022])
@pytest.mark.parametrize(
    ("key", "response", "f1"),
    [
        # The response alone has links across entities: a kind of link of which 0 of 2 are right.
        ([["a", "b"]], [["a", "b"], ["c"]], (1 + 0) / 2),
        # Within: 1 of 1 and 1. Across: 2 of 2 in the key, 2 of 5 of the response; F1 4/7.
        ([["a", "b"], ["c"]], [["a", "b"], ["c"], ["d"]], (1 + 2 * 2 / (2 + 5)) / 2),
        # Only the response has links within entities: 0 of 1; across, 1 of 1 and of 2, F1 2/3.
        ([["a"], ["b"]], [["a"], ["b", "c"]], (0 + 2 / 3) / 2),
        ([["a"]], [["a"]], 0),  # no links
    ],
)
def test_blanc_is_that_of_the_universal_anaphora_scorer(year, key, response, f1):
    """A kind of link counts where key or response has it."""
    for task in ("ar", "dd"):
        recipe = Recipe.preset(f"codicrac{year}-{task}").replace(metrics="blanc", layer="identity")
        assert score(key, response, recipe).blanc.f1 == pytest.approx(f1)


@pytest.mark.wings
@needs("ua_cases")
def test_a_split_antecedent_that_is_missing_costs_what_the_task_says():
    """TC-PA-4 of the Universal Anaphora scorer: CoNLL, the mean of its three F1, is 89.70."""
    folder = DATA / "ua_cases" / "plural"
    result = score(folder / "TC-PA.key", folder / "TC-PA-4.sys", Recipe.preset("codicrac2022-ar"))
    with open(DATA / "ua_cases" / "expected.tsv", encoding="utf-8") as stream:
        f1 = {row["metric"]: float(row["f1"]) for row in csv.DictReader(stream, delimiter="\t")
              if row["response"] == "TC-PA-4.sys"}  # fmt: skip
    assert round(100 * result.conll, 2) == 89.70
    assert result.conll == pytest.approx((f1["muc"] + f1["b3"] + f1["ceafe"]) / 3, abs=1e-4)


def test_craft_matches_pieces_or_exactly():
    partial = Recipe.preset("craft2019")
    assert (partial.match, partial.singletons) == ("craft", "keep")
    assert Recipe.preset("craft2019-exact") == partial.replace(match="exact")


@pytest.mark.parametrize(
    "name", ["crac2018", "conll2012", "litbank", "preco", "ontogum", "bookcoref"]
)
def test_the_others_match_exactly_and_keep_what_the_files_hold(name):
    recipe = Recipe.preset(name)
    assert (recipe.match, recipe.singletons, recipe.average) == ("exact", "keep", "pooled")


def test_options_change_a_preset():
    assert Recipe.preset("corefud2024", match="exact").match == "exact"


def test_an_unknown_preset_is_refused_with_the_nearest_one():
    with pytest.raises(
        OptionError, match=r"unknown preset 'corefud24'; did you mean 'corefud2024'"
    ):
        Recipe.preset("corefud24")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "story.conllu"
    path.write_text(
        "# newdoc id = a\n# global.Entity = eid-etype-head-other\n"
        "1\tIt\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1-)\n2\tis\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "3\tit\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1-)\n\n",
        encoding="utf-8",
    )
    return str(path)


def test_the_command_takes_a_preset(path):
    done = run(
        *("score", path, path, "--preset", "corefud2024", "--singletons", "keep"),
        *("--signature", "full"),
    )
    assert done.returncode == 0
    assert "|match:head|" in done.stdout
    assert "|singletons:keep|" in done.stdout
    signature = done.stdout.splitlines()[-1]
    again = run("score", path, path, "--recipe", signature, "--signature", "full")
    assert again.stdout == done.stdout


def test_a_preset_and_a_recipe_exclude_each_other(path):
    done = run("score", path, path, "--preset", "litbank", "--recipe", "metrics:muc")
    assert done.returncode == 2
    assert "use only one of them" in done.stderr
    done = run("score", path, path, "--preset", "litbanc")
    assert done.returncode == 2
    assert "did you mean 'litbank'" in done.stderr
