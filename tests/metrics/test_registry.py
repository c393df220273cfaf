"""Metrics are found by name or alias, and a metric that does not exist is refused with a hint."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from corefmeter import OptionError, Recipe, score
from corefmeter.metrics import (
    AVERAGES,
    DEFAULT,
    METRICS,
    OPTIONS,
    canonical,
    find,
    make,
    metric_class,
    names,
    title,
)


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
    known = [alias for name in names() for alias in (name, *find(name).aliases)]
    assert len(set(known)) == len(known)


def test_a_metric_is_where_its_name_says_and_its_options_are_those_of_the_recipe():
    assert [find(name).name for name in names()] == names()
    assert {one for name in names() for one in find(name).options} == set(OPTIONS.values())
    assert {name: one.name for name, one in OPTIONS.items()} == {name: name for name in OPTIONS}


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
    for name in METRICS:
        made = make(name, recipe)
        assert isinstance(made, metric_class(name))
        assert made.name == name
        assert made.fields
        assert made.title


def test_the_general_ceaf_needs_a_similarity():
    with pytest.raises(OptionError, match="ceaf_similarity"):
        score([["a"]], [["a"]], metrics="ceaf")


def test_the_default_metrics_are_those_of_the_official_scorer_and_its_lea_branch():
    assert DEFAULT == ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")


#: A package with a metric that has an alias and an option, an average, and one that is broken.
PACKAGE = '''
from corefmeter.metrics.average import Average
from corefmeter.metrics.base import Option, RatioMetric

class Entities(RatioMetric):
    """How many entities of enough mentions there are."""

    name = "entities"
    title = "Entities"
    aliases = ("entity_count",)
    key_count = "recall_denominator"
    options = (Option("least", 1, "Mentions of an entity that counts.", read=int),)

    def __init__(self, least=1):
        self.least = least

    @property
    def twinless(self):
        return False

    def statistics(self, table):
        key = sum(size >= self.least for size in table.key_sizes)
        response = sum(size >= self.least for size in table.response_sizes)
        return min(key, response), key, min(key, response), response

class Both(Average):
    name = "both"
    title = "Both"

    def components(self):
        return (("entities", 1.0), ("muc", 1.0))
'''

SCRIPT = """
from corefmeter import OptionError, Recipe, Scorer, score
from corefmeter.metrics import names_of_all

before = names_of_all()
key, response = [["a", "b"], ["c"]], [["a", "b"]]
plain = score(key, response, metrics=["Entity_Count", "muc"])
assert plain["entities"].recall == plain.entities.recall == 1 / 2, plain
assert plain.signature.endswith("|least:1"), plain.signature
(problem,) = [p for p in plain.problems if p.code == "twinless-left-out"]
assert "entities: computed on the mentions that both sides have; 1 of the key" in problem.message
larger = score(key, response, metrics="both", least="2")
assert larger.recipe.least == 2 and larger["entities"].recall == 1
assert larger.both == 1.0
assert Recipe.parse(larger.signature) == larger.recipe
assert larger.recipe.replace(metrics="muc").others == ()
scorer = Scorer(larger.recipe)
scorer.update(key, response)
assert scorer.compute().statistics == larger.statistics
for wrong in ({"leats": 2}, {"least": "x"}):
    try:
        score(key, response, metrics="entities", **wrong)
    except OptionError as error:
        print(error)
try:
    score(key, response, metrics="broken")
except OptionError as error:
    print(error)
for name in ("function", "type"):
    try:
        score(key, response, metrics=name)
    except OptionError as error:
        print(error)
try:
    score(key, response, metrics="entitees")
except OptionError as error:
    print(error)
assert names_of_all() == before
assert "entities" not in Recipe(metrics="all").metrics
"""


def test_a_metric_of_another_package_is_treated_as_ours_are(tmp_path):
    (tmp_path / "another.py").write_text(PACKAGE)
    information = tmp_path / "another-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: another\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(
        "[corefmeter.metrics]\nEntities = another:Entities\nboth = another:Both\n"
        "broken = another:Missing\nfunction = os:getcwd\ntype = os:PathLike\n"
    )
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    }
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, check=False
    )
    assert run.returncode == 0, run.stderr
    told = run.stdout.splitlines()
    assert told[0].startswith("unknown option 'leats'; did you mean 'least'?")
    assert "'broken' of another package, another:Missing, cannot be imported" in told[2]
    for line, place in zip(told[3:5], ("os:getcwd", "os:PathLike"), strict=True):
        assert place in line
        assert "of another package" in line
    assert told[5].startswith("unknown metric 'entitees'; did you mean 'entities'?")
    command = [sys.executable, "-m", "corefmeter", "score", *map(str, _files(tmp_path))]
    run = subprocess.run(
        [*command, "-m", "entities", "--set", "least=2", "-f", "json"],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["results"][0]["scores"]["entities"]["recall"] == 1


def _files(folder):
    """Key {a, b}, {c}; response {a, b}."""
    rows = {"key": ["(1)", "(1)", "(2)"], "response": ["(1)", "(1)", "-"]}
    for name, column in rows.items():
        path = folder / f"{name}.conll"
        body = "".join(f"w\t{cell}\n" for cell in column)
        path.write_text(f"#begin document (x); part 000\n{body}#end document\n")
        yield path
