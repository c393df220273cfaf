"""The mention by which an entity is called, on small texts."""

from __future__ import annotations

from itertools import permutations

import pytest

from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Detail, Text
from corefmeter.mentions.features import Features


def words_of(sentences, spans, *, pronouns=None, details=None, between=" ", **given):
    """Return the words by which an entity of these spans is called."""
    words = [word for sentence in sentences for word in sentence.split()]
    starts = [sum(len(one.split()) for one in sentences[:n]) for n in range(len(sentences))]
    text = Text(words, sentences=starts, between=between, **given)
    document = Document("x", [spans], text=text, details=details and [details])
    features = Features(document, document, pronouns=pronouns)
    named = {features.naming_mention(order) for order in permutations(spans)}
    assert len(named) == 1  # the order of mentions has no effect
    return text.string(named.pop())


# She(0) saw(1) the(2) boat(3) of(4) Ann(5) .(6) | The(7) girl(8) called(9) Ann(10) .(11)
# | The(12) girl(13) slept(14) .(15)
STORY = ["She saw the boat of Ann .", "The girl called Ann .", "The girl slept ."]
SHE, THE_GIRL, ANN, THE_GIRL_AGAIN = (0, 1), (7, 9), (10, 11), (12, 14)


@pytest.mark.parametrize("pronouns", [None, "en"])
def test_a_capital_letter_inside_a_sentence_names_an_entity_of_unknown_types(pronouns):
    mentions = [SHE, THE_GIRL, ANN, THE_GIRL_AGAIN]  # "The girl" is more frequent
    assert words_of(STORY, mentions, pronouns=pronouns) == "Ann"


def test_a_capital_letter_that_only_begins_sentences_does_not_count():
    # "the girl" is in the text, and "The" occurs only where sentences begin.
    assert words_of(STORY, [SHE, (2, 4), THE_GIRL, THE_GIRL_AGAIN]) == "The girl"


def test_a_word_that_begins_a_sentence_counts_if_it_has_a_capital_elsewhere():
    # Ann(0) slept(1) .(2) | The(3) girl(4) and(5) the(6) girl(7) saw(8) Ann(9) .(10)
    story = ["Ann slept .", "The girl and the girl saw Ann ."]
    assert words_of(story, [(0, 1), (3, 5), (6, 8)]) == "Ann"


def test_without_names_the_most_frequent_string_wins_then_the_longest():
    # It(0) is(1) a(2) hut(3) ;(4) the(5) old(6) hut(7) ,(8) the(9) hut(10) ,(11) the(12) hut(13)
    story = ["It is a hut ; the old hut , the hut , the hut"]
    assert words_of(story, [(0, 1), (2, 4), (5, 8), (9, 11), (12, 14)]) == "the hut"
    assert words_of(story, [(0, 1), (2, 4), (5, 8), (9, 11)]) == "the old hut"
    assert words_of(story, [(0, 1), (2, 4), (9, 11)]) == "a hut"


def test_of_equally_frequent_names_the_first_wins():
    story = ["so Ann saw Eve and Ann and Eve"]
    assert words_of(story, [(3, 4), (1, 2), (5, 6), (7, 8)]) == "Ann"


def test_a_long_mention_is_no_name_while_there_is_a_short_one():
    # the(0) hut(1) that(2) once(3) belonged(4) to(5) Ann(6) and(7) the(8) hut(9)
    story = ["the hut that once belonged to Ann and the hut"]
    assert words_of(story, [(0, 7), (8, 10)]) == "the hut"
    assert words_of(story, [(1, 7), (8, 10)]) == "hut that once belonged to Ann"  # six words


def test_pronouns_come_last_also_with_a_capital_letter():
    story = ["then I saw the hut and I left it"]
    assert words_of(story, [(1, 2), (6, 7), (3, 5)]) == "the hut"
    assert words_of(story, [(6, 7), (1, 2)]) == "I"


def test_known_types_decide_before_frequency():
    # she(0) the(1) girl(2) the(3) girl(4) Ann(5)
    tags = {"pos": ["PRP", "DT", "NN", "DT", "NN", "NNP"]}
    story = ["she the girl the girl Ann"]
    assert words_of(story, [(0, 1), (1, 3), (3, 5), (5, 6)], **tags) == "Ann"
    assert words_of(story, [(0, 1), (3, 5), (1, 3)], **tags) == "the girl"


def test_a_type_in_the_file_decides_without_tags():
    kinds = [Detail(kind=kind) for kind in ("pronoun", "nominal", "nominal")]
    # "Ann" is frequent and has a capital letter; the file calls the first mention nominal.
    assert words_of(["it the hut of Ann"], [(0, 1), (1, 3), (4, 5)], details=kinds) == "the hut"


def test_a_script_without_capital_letters_is_named_by_frequency():
    # Characters are tokens: 他(0) 看(1) 见(2) 小(3) 猫(4) 和(5) 小(6) 猫(7)
    story = [" ".join("他看见小猫和小猫")]
    assert words_of(story, [(0, 1), (3, 5), (6, 8)], between="") == "小猫"


def test_characters_as_tokens_have_words_with_capital_letters():
    text = "The hut of Ann burned. She saw the hut."
    document = Document("x", [[(0, 7), (11, 14), (23, 26)]], text=Text([*text], between=""))
    assert Features(document, document).naming_mention(document.entities[0]) == (11, 14)


def test_mentions_without_words_are_named_by_the_first():
    document = Document("x", [[(5, 6), (2, 3)]])
    assert Features(document, document).naming_mention(document.entities[0]) == (2, 3)


def test_mentions_that_are_texts_are_named_by_the_first_that_is_no_pronoun():
    document = Document("x", [["a2", "a10", "I"]])
    assert Features(document, document).naming_mention(document.entities[0]) == "a10"
