"""Scores in tests: what passes is returned, what fails shows why, with the table."""

from __future__ import annotations

import pytest

import corefmeter
from corefmeter.metrics import names
from corefmeter.recipe import option_names
from corefmeter.testing import assert_score

#: MUC: recall 1/2, precision 1, F1 2/3. B³: recall 4/9, precision 1, F1 8/13.
KEY, RESPONSE = [["a", "b", "c"]], [["a", "b"]]


def test_the_result_is_returned():
    assert assert_score(KEY, RESPONSE, muc=0.66) == corefmeter.score(KEY, RESPONSE)


def test_a_failure_says_what_is_missed_and_shows_the_table():
    with pytest.raises(AssertionError) as failed:
        assert_score(KEY, RESPONSE, b3=0.7, muc=0.6, lea=0.9, metrics=["muc"])
    text = str(failed.value)
    # LEA: recall 3·(1/3)/3 = 1/3, precision 1, F1 1/2.
    assert text.startswith(
        "b3 is 61.54, below the limit of 70\nlea is 50.00, below the limit of 90\n\n"
    )
    assert str(corefmeter.score(KEY, RESPONSE, metrics=["muc", "b3", "lea"])) in text


def test_options_and_a_recipe_change_the_scores():
    key, response = [["a", "b"], ["c"]], [["a", "b"]]
    assert_score(key, response, ceafe=1, singletons="drop")
    recipe = corefmeter.Recipe(metrics="ceafe", singletons="drop")
    assert list(assert_score(key, response, recipe, muc=1)) == ["ceafe", "muc"]
    with pytest.raises(AssertionError):
        assert_score(key, response, ceafe=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "no limit is given"),
        ({"conll": 70}, "a limit is a fraction of one"),
        ({"conll": float("nan")}, "a limit is a fraction of one"),
        ({"conl": 0.7}, "did you mean 'conll'"),
        ({"conll": 0.7, "singleton": "drop"}, "did you mean 'singletons'"),
    ],
)
def test_what_has_no_sense_is_refused(options, message):
    with pytest.raises(corefmeter.OptionError, match=message):
        assert_score(KEY, RESPONSE, **options)


def test_an_option_with_the_name_of_a_metric_has_words_for_values():
    """A number is a limit, a word is not."""
    assert set(names()) & set(option_names()) == {"blanc"}
    assert all(
        type(word) is str
        for word in corefmeter.Recipe.__dataclass_fields__["blanc"].metadata["choices"]
    )
    assert_score(KEY, KEY, blanc="official", muc=1)
    with pytest.raises(AssertionError, match=r"^blanc is"):
        assert_score(KEY, RESPONSE, blanc=1)
