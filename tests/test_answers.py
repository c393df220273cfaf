"""What language models write is scored, with what became of the text, and adds up.

The key has 8 words (atoms) and two entities of 3 and 1 mentions.
"""

from __future__ import annotations

import math

import pytest

import corefmeter
from corefmeter import Answers, DataError, Document, OptionError, score_text
from corefmeter.corpus.text import Text
from corefmeter.formats.inline.align import Coverage

KEY = "[Ann]_1 saw [the dog]_2 and [she]_1 called [her]_1"


def test_scores_and_coverage_by_hand():
    """ "and" is dropped, "called" changed, "well" invented; one of four mentions is not marked."""
    found = score_text(KEY, "[Ann]_1 saw well [the dog]_2 [she]_1 calls her")
    # MUC: 1 of 2 links, and 1 of 1. Words: Ann saw the dog and she called her.
    assert (found.result.muc.recall, found.result.muc.precision) == (1 / 2, 1)
    assert found.coverage == Coverage(8, dropped=1, changed=1, invented=1, mentions=3)
    flat = found.flat()
    assert (flat["coverage.copied"], flat["coverage.dropped"]) == (6 / 8, 1 / 8)
    assert (flat["coverage.changed"], flat["coverage.invented"]) == (1 / 8, 1 / 8)
    assert (flat["coverage.lost"], flat["muc.recall"]) == (0, 1 / 2)
    assert repr(found).startswith("<Answers: 6 of 8 words copied; <Result of 1 document: ")


def test_mentions_that_are_lost():
    found = score_text(KEY, "[Ann]_1 saw [Bobby Lee]_1 [the dog]_2 and she called her [it]_1")
    assert (found.coverage.mentions, found.coverage.lost) == (4, 2)
    assert found.flat()["coverage.lost"] == 2 / 4


@pytest.mark.parametrize("nothing", ["", "  \n", "I cannot do that.", "# document 1\n\n```\n```"])
def test_an_answer_without_marks_scores_nothing(nothing):
    found = score_text(KEY, nothing)
    assert (found.result.conll, found.result.muc.recall) == (0, 0)
    assert (found.coverage.words, found.coverage.copied, found.coverage.mentions) == (8, 0, 0)
    assert math.isnan(found.flat()["coverage.lost"])


def test_headings_and_fences_around_a_copy_are_words_that_are_invented():
    found = score_text(KEY, f"# Document\n\n```\n{KEY}\n```")
    assert (found.result.conll, found.coverage.copied) == (1, 8)
    assert found.coverage.invented > 0


def test_wrong_marks_are_repaired_in_an_answer_and_refused_in_a_key():
    wrong = "[Ann]_1 saw [the dog and [she]_1 called her"
    found = score_text(KEY, wrong)
    assert (found.result.muc.recall, found.coverage.wrong) == (1 / 2, 1)
    assert found.result.problems
    with pytest.raises(DataError, match="<key>"):
        score_text(wrong, KEY)


def test_answers_add_up():
    """MUC: 1 of 2 links, 0 of 1; 8 + 3 words, of which 8 + 2 are copied."""
    one = score_text(KEY, KEY.replace("[her]_1", "her"))
    two = score_text("[Eve]_1 or [she]_1", "[Eve]_1 or")
    both = sum([one, two])
    assert (both.result.documents, both.result.muc.recall) == (2, 1 / 3)
    assert (both.coverage.words, both.coverage.copied) == (11, 10)
    assert both.coverage.mentions == 3 + 1
    rows = Answers.from_rows([one.row(), two.row()])
    assert rows.flat() == both.flat()
    assert (rows.coverage, rows.result.documents) == (both.coverage, 2)
    macro = Answers.from_rows([one.row(), two.row()], average="macro").flat()
    assert macro["muc.recall"] == (1 / 2 + 0) / 2
    with pytest.raises(TypeError):
        one + 1


def test_rows_are_plain_numbers():
    row = score_text(KEY, KEY, metrics="muc").row()
    assert row == {
        "muc.recall_numerator": 2, "muc.recall_denominator": 2, "muc.precision_numerator": 2,
        "muc.precision_denominator": 2, "coverage.words": 8, "coverage.dropped": 0,
        "coverage.changed": 0, "coverage.invented": 0, "coverage.mentions": 4,
        "coverage.wrong": 0, "coverage.lost": 0,
    }  # fmt: skip
    with pytest.raises(DataError, match=r"a row has no 'lea\."):
        Answers.from_rows([row], metrics="lea")
    assert Answers.from_rows([], metrics="muc").result.muc.recall == 0


def test_names_and_options():
    found = score_text(KEY, KEY, "a", metrics="lea", singletons="drop", style="brackets")
    assert [*found.result.by("document")] == ["a"]
    assert found.result.recipe.singletons == "drop"
    with pytest.raises(DataError, match="repeated-document"):
        found + score_text(
            KEY, KEY, "a", metrics="lea", singletons="drop"
        )  # fmt: skip
    with pytest.raises(OptionError, match="style 'bracket'"):
        score_text(KEY, KEY, style="bracket")


def test_the_key_may_be_a_document():
    words = ["Ann", "saw", "her"]
    key = Document("a", [[(0, 1), (2, 3)]], tokens=3, text=Text(words))
    found = score_text(key, "[Ann]_1 saw [her]_1")
    assert (found.result.conll, [*found.result.by("document")]) == (1, ["a"])
    with pytest.raises(DataError, match="the words of the key are not known"):
        score_text(Document("a", []), "[Ann]_1")


def test_the_score_is_that_of_the_text_read_against_the_key():
    completion = "[Ann]_1 saw [the dog]_2 [she]_1 calls her"
    words = ["Ann", "saw", "the", "dog", "and", "she", "called", "her"]
    entities = [[(0, 1), (5, 6), (7, 8)], [(2, 4)]]
    document = Document("document", entities, tokens=8, text=Text(words), numbered=True)
    key = corefmeter.Corpus([document])
    with pytest.warns(corefmeter.CorefmeterWarning):
        other = corefmeter.score(key, corefmeter.read_inline(completion, key))
    assert score_text(KEY, completion).result == other
