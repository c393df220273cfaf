"""The ACE value and CEAF with attributes as metrics of `score` and `compare`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corefmeter
from corefmeter.corpus.text import Text
from corefmeter.problems import DataError, OptionError
from corefmeter.wings.traditions.metrics.ace import ace_corpora, ace_value
from corefmeter.wings.traditions.metrics.ace_weights import TABLES
from corefmeter.wings.traditions.metrics.scored import AceScore

from ....command import run

EXAMPLES = Path(__file__).parents[4] / "examples"
KEY, A, B = (EXAMPLES / f"{name}.conll" for name in ("key", "system-a", "system-b"))
WORDS = Text(["Ann", "saw", "her", "dog"], upos=["PROPN", "VERB", "PRON", "NOUN"],
             entity_types=[(0, 1, "PER")])  # fmt: skip


def corpus(*documents):
    return corefmeter.Corpus(
        [corefmeter.Document(str(n), one, text=WORDS) for n, one in enumerate(documents)]
    )


ANN_HER, ANN, HER = [(0, 1), (2, 3)], [(0, 1)], [(2, 3)]


def test_the_ace_value_adds_up_over_documents():
    """By mention: a name is worth 1, a pronoun 0.1; key 1.1 and 1.1. In the second only Ann is
    found, an error of 0.1, and her is a false alarm of 0.75 * 0.1: (1.1 + 1 - 0.075)/2.2. Below 0
    where there is nothing but false alarms: -0.075 of a key of 1, whose Ann is missed."""
    by_mention = "ace2007+weighting=mention"
    key, response = corpus([ANN_HER], [ANN_HER]), corpus([ANN_HER], [ANN, HER])
    result = corefmeter.score(key, response, metrics=["ace"], ace_weights=by_mention)
    assert result["ace"].f1 == pytest.approx((1.1 + 1 - 0.075) / 2.2)
    assert result.statistics["ace"][1] == pytest.approx((1.1, 0, 0.075, 0.1))
    result = corefmeter.score(corpus([ANN]), corpus([HER]), metrics=["ace"], ace_weights=by_mention)
    assert result["ace"].f1 == pytest.approx(-0.075)


@pytest.mark.parametrize("response", [A, B])
def test_score_and_ace_say_the_same(response):
    """No mention of the examples repeats, so that no policy changes anything."""
    weights = "ace2005+type:*=1"
    result = corefmeter.score(KEY, response, metrics=["ace"], ace_weights=weights)
    sides = [corefmeter.read(path, details=True) for path in (KEY, response)]
    total, by_document, _ = ace_corpora(*sides, TABLES["ace2005"].replace(["type:*=1"]))
    assert 100 * result["ace"].f1 == pytest.approx(total.value)
    values = [100 * one["ace"].f1 for one in result.by("part").values()]
    assert values == pytest.approx([value.value for _, value in by_document])


def test_a_key_without_types_and_levels_has_no_ace_value():
    with pytest.raises(DataError, match="needs a key with entity types or mention levels"):
        corefmeter.score([["a", "b"]], [["a", "b"]], metrics=["ace"])


def test_a_verb_has_no_level_and_weighs_1():
    assert ace_value(*corpus([[(1, 2)]], [[(1, 2)]])).entities.worth == 1


def test_a_key_that_is_worth_nothing_is_undefined():
    metric = AceScore()
    assert metric.scores((0, 0, 0.75, 0)).undefined == ("f1",)
    assert metric.scores((2.0, 1.0, 0.1, 0.0)).f1 == pytest.approx(0.45)


@pytest.mark.parametrize("weights", ["ace2099", "ace2005+type=1", "ace2005+type:PER=-1"])
def test_weights_that_are_none_are_refused(weights):
    with pytest.raises(OptionError):
        corefmeter.score(KEY, A, metrics=["ace"], ace_weights=weights)


def test_ceaf_without_attributes_is_ceaf():
    for relative, same in (("no", "ceafm"), ("yes", "ceafe")):
        result = corefmeter.score(KEY, B, metrics=["ceaf-attributes", same], ceaf_relative=relative)
        assert result["ceaf-attributes"][:3] == pytest.approx(result[same][:3])


def test_levels_spans_and_types_count():
    """Ann (1) and her (0.25); her dog (2 tokens) for her (1): Dice 2/3, of the smaller weight, and
    a nominal for a pronoun is half right. Of 1.25 in the key, and of 1 + 1 in the response."""
    result = corefmeter.score(
        corpus([ANN_HER]), corpus([[(0, 1), (2, 4)]]), metrics=["ceaf-attributes"],
        ceaf_spans="dice", ceaf_levels="PRO=0.25", ceaf_level_confusion="PRO~NOM=0.5+*=0",
    )  # fmt: skip
    shared = 1 + 0.25 * (2 / 3) * 0.5
    assert result["ceaf-attributes"].recall == pytest.approx(shared / 1.25)
    assert result["ceaf-attributes"].precision == pytest.approx(shared / 2)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("ceaf_spans", "near"),
        ("ceaf_levels", "NAME=1"),
        ("ceaf_levels", "NAM"),
        ("ceaf_type_confusion", "ORG=0.5"),
        ("ceaf_type_confusion", "ORG~LOC=2"),
        ("ceaf_level_confusion", "*=x"),
    ],
)
def test_what_is_no_weight_and_no_credit_is_refused(option, value):
    with pytest.raises(OptionError):
        corefmeter.score(KEY, A, metrics=["ceaf-attributes"], **{option: value})


def test_both_on_the_command_line(tmp_path):
    """The signature repeats the run; compare tests the ACE value document by document."""
    arguments = (KEY, A, "-m", "ace", "-m", "ceaf-attributes", "--set",
                 "ace_weights=ace2005+type:*=1", "--set", "ceaf_levels=PRO=0.1")  # fmt: skip
    done = run("score", *arguments, "-f", "json")
    found = json.loads(done.stdout)
    again = json.loads(run("score", KEY, A, "--recipe", found["signature"], "-f", "json").stdout)
    assert again["results"][0]["scores"] == found["results"][0]["scores"]
    assert "ace_weights:ace2005+type:*=1" in found["signature"]
    compared = json.loads(
        run("compare", KEY, A, B, "-m", "ace", "--set", "ace_weights=ace2005+type:*=1",
            "--unit", "part", "-f", "json").stdout
    )  # fmt: skip
    ace = found["results"][0]["scores"]["ace"]["f1"]
    assert f"{ace}"[:8] in json.dumps(compared)
    assert run("score", KEY, A, "-m", "ace").returncode == 3  # PERSON has no weight
