"""Documents that count otherwise than their key, and mentions that cut its words, are warned of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata

import pytest

from corefmeter import Corpus, DataError, Document, Scorer, score
from corefmeter.corpus.pairing import MentionCounts
from corefmeter.corpus.suspicions import find_suspicion
from corefmeter.corpus.text import Text

from .test_positions import Typed


def told(result, code):
    return [(p.document, p.count, p.hint) for p in result.problems if p.code == code]


#: Five entities of two mentions, of which none is another moved by one.
ENTITIES = [[(20 * n, 20 * n + 3), (20 * n + 10, 20 * n + 12)] for n in range(5)]


@pytest.mark.parametrize(
    ("move", "cause"),
    [
        (lambda s, e: (s, e - 1), "The response seems to have inclusive ends"),
        (lambda s, e: (s + 1, e + 1), "The response seems to count from 1, the key from 0"),
        (lambda s, e: (s + 1, e), "The response seems to count from 1 and to have inclusive ends"),
        (lambda s, e: (s + 1, e + 2), "The response seems to count from 1, and the key to have"),
        (lambda s, e: (s - 1, e - 2), "The key seems to count from 1, and the response to have"),
    ],
)
@pytest.mark.parametrize("joined", [False, True])
def test_one_document_of_several_that_counts_otherwise_is_named(move, cause, joined):
    """Two thirds of the mentions are the same; nothing was said, since all were judged at once."""
    key = dict.fromkeys("abc", ENTITIES)
    moved = [[move(*mention) for mention in entity] for entity in ENTITIES]
    result = score(key, key | {"b": moved}, as_one_document=joined)
    assert result.sums("mentions") == (20, 30, 20, 30)
    ((document, _, hint),) = told(result, "no-common-mention")
    assert document == "b"
    assert hint.startswith(cause)
    assert hint.endswith("(then 10 would be the same).")


@pytest.mark.parametrize("move", [1, -1])
def test_neighbors_that_are_the_same_by_chance_do_not_hide_the_cause(move):
    """Of tokens 1, 2, 3 and 9, moved by one, two are among these."""
    key = {"a": [[(n, n + 1)] for n in (1, 2, 3, 9)], "b": ENTITIES}
    moved = {"a": [[(n + move, n + move + 1)] for n in (1, 2, 3, 9)], "b": ENTITIES}
    ((document, _, hint),) = told(score(key, moved), "no-common-mention")
    assert document == "a"
    assert hint.endswith("(then 4 would be the same).")
    # One that is elsewhere is an error of the response, and so are types.
    moved["a"][3] = [(20, 21)]
    assert told(score(key, moved), "no-common-mention") == []


@pytest.mark.parametrize("span", [(3, 7), (4, 8), (7, 8)])
def test_mentions_with_white_space_at_an_end_are_counted(tmp_path, span):
    """In "Ann saw her", 3 and 7 are spaces."""
    for name, second in (("key", (4, 7)), ("response", span)):
        record = {"doc_key": "x", "text": "Ann saw her caf\u00e9", "clusters": [[[0, 3], second]]}
        (tmp_path / name).write_text(json.dumps(record) + "\n")
    result = score(tmp_path / "key", tmp_path / "response")
    assert [(p.code, p.count) for p in result.problems] == [("off-token", 1)]


def test_mentions_that_are_the_same_by_chance_do_not_hide_the_cause():
    """Of 10 mentions 2 are the same, since each has another that is longer by one word."""
    entities = [*ENTITIES[:4], [(80, 83), (80, 84)]]
    moved = [[(s, e + 1) for s, e in entity] for entity in entities]
    result = score({"a": entities, "b": ENTITIES}, {"a": moved, "b": ENTITIES})
    ((document, _, hint),) = told(result, "no-common-mention")
    assert document == "a"
    assert hint.startswith("The key seems to have inclusive ends")


@pytest.mark.parametrize(
    "wrong",
    [
        [[(20 * n + 5, 20 * n + 6), (20 * n + 13, 20 * n + 15)] for n in range(5)],
        [[(20 * n, 20 * n + 2 + n % 2), (20 * n + 10, 20 * n + 15)] for n in range(5)],  # 1 of 4
        [[(0, 2)]],  # one mention shows nothing
        [],
    ],
)
def test_a_bad_document_is_no_suspicion(wrong):
    key = dict.fromkeys("abc", ENTITIES)
    assert told(score(key, key | {"b": wrong}), "no-common-mention") == []


WORDS = ["Zoë", "Li", "😀", "saw", "Ann", "and", "her", "dog", "near", "the", "old", "house", "."]
WORDS += ["He", "did", "not", "stop", "there", "."]
#: In words: Li and her, Ann and the old house.
PLACES = [[(1, 2), (6, 7)], [(4, 5), (9, 12)]]
#: What is counted, for how much text.
UNITS = {
    "UTF-16 units": lambda text: len(text.encode("utf-16-le")) // 2,
    "bytes of UTF-8": lambda text: len(text.encode()),
    "the characters of the text in Unicode's form NFD":
        lambda text: len(unicodedata.normalize("NFD", text)),
}  # fmt: skip
#: How many mentions are the same though, and how many begin or end inside a word. UTF-16 counts
#: one more behind the emoji: "Li" is the same; "er ", "nn ", "he old house " begin inside a word.
#: Bytes count one more behind "Zoë" and four behind the emoji: "i " and "old house . H" cut words,
#: "dog" and "and" do not. NFD counts one more behind "Zoë": "i ", and the three of UTF-16.
FOUND = {
    "UTF-16 units": (1, 3),
    "bytes of UTF-8": (0, 2),
    "the characters of the text in Unicode's form NFD": (0, 4),
}


def offsets(places, count=len):
    """Mentions in characters of the words with spaces between, or in what `count` counts."""
    starts = [len(" ".join([*WORDS[:n], ""])) for n in range(len(WORDS))]
    text = " ".join(WORDS)
    return [
        [(count(text[: starts[a]]), count(text[: starts[b - 1] + len(WORDS[b - 1])]))
         for a, b in entity]
        for entity in places
    ]  # fmt: skip


def characters(places, count=len):
    text = Text(list(" ".join(WORDS)), between="")
    return Corpus([Document("a", offsets(places, count), text=text, unit="characters")])


def words(places):
    return Corpus([Document("a", places, text=Text(WORDS), tokens=len(WORDS))])


@pytest.mark.parametrize("what", UNITS)
@pytest.mark.parametrize("side", ["key", "response"])
def test_positions_that_count_something_else_are_warned_of(what, side):
    other, right = characters(PLACES, UNITS[what]), words(PLACES)
    sides = (other, right) if side == "key" else (right, other)
    result = score(*sides, align="characters")
    scorer = Scorer(align="characters")
    scorer.update(*(corpus.documents[0] for corpus in sides))
    assert told(scorer.compute(), "off-token") == told(result, "off-token")
    same, cut = FOUND[what]
    assert result.sums("mentions") == (same, 4, same, 4)
    ((_, count, hint),) = told(result, "off-token")
    assert (count, hint) == (cut, f"Check what the positions of the {side} count.")
    ((document, _, hint),) = told(result, "no-common-mention")
    assert document == "a"
    assert hint == f"The {side} seems to count {what} (then 4 would be the same)."


@pytest.mark.parametrize("what", UNITS)
def test_so_they_are_where_both_sides_count_characters(what, tmp_path):
    """In files, whose texts are not read for counting alone."""
    paths = []
    for name, count in (("key", len), ("response", UNITS[what])):
        line = {"doc_key": "a", "text": " ".join(WORDS), "clusters": offsets(PLACES, count)}
        paths.append(tmp_path / name)
        paths[-1].write_text(json.dumps(line))
    for key, response, side in ((*paths, "response"), (*paths[::-1], "key")):
        result = score(key, response)
        ((_, _, hint),) = told(result, "no-common-mention")
        assert hint == f"The {side} seems to count {what} (then 4 would be the same)."


@pytest.mark.parametrize("what", UNITS)
def test_so_they_are_where_no_text_is_known(what):
    """As in TAC KBP: each mention is moved by at least as much as those before."""
    right, other = (
        Corpus([Document("a", offsets(PLACES, count), unit="characters")])
        for count in (len, UNITS[what])
    )
    for key, response, side in ((right, other, "response"), (other, right, "key")):
        ((_, _, hint),) = told(score(key, response), "no-common-mention")
        if "NFD" in what:  # one more behind the first word, so the same distance for all mentions
            assert hint.startswith(f"The {side} seems to count from 1")
        else:
            assert hint == (
                f"The {side} seems to count more than characters, such as bytes or UTF-16 units "
                "(then 4 would be the same)."
            )


@pytest.mark.parametrize(
    "wrong",
    [
        [[(4, 6), (21, 24)], [(13, 16), (34, 48)]],  # the last is longer
        [[(4, 6), (21, 24)], [(13, 16), (38, 47)]],  # the last begins behind "the"
        [[(4, 6), (25, 28)], [(13, 16), (34, 47)]],  # one in the middle is another
        [[(4, 6), (25, 28)], [(17, 20)]],
    ],
)
def test_errors_are_no_sign_of_other_positions(wrong):
    key, response = (
        Corpus([Document("a", mentions, unit="characters")])
        for mentions in (offsets(PLACES), wrong)
    )
    assert told(score(key, response), "no-common-mention") == []


def test_a_mention_that_cuts_a_word_is_counted():
    """Of "her" only "he", and of "house" only "use"; "Li" with the space is as well as without."""
    text = " ".join(WORDS)
    her, house = text.index("her"), text.index("house")
    mentions = [[(4, 7), (her, her + 2)], [(house + 2, house + 5)]]
    response = Corpus([Document("a", mentions, text=Text(list(text), between=""),
                                unit="characters")])  # fmt: skip
    for key in (words(PLACES), characters(PLACES)):
        result = score(key, response, align="characters")
        ((document, count, _),) = told(result, "off-token")
        assert (document, count) == ("a", 2)
    assert told(score(words(PLACES), characters(PLACES), align="characters"), "off-token") == []


def test_words_are_cut_where_signs_are_or_where_there_are_no_spaces():
    """Tokens may be cut otherwise ("Ann" of "Ann's"), and Chinese has no spaces."""
    for text, key, response in (
        ("Ann's dog left .", [[(0, 5), (6, 9)]], [[(0, 3), (6, 9)]]),
        ("安娜看见她的狗", [[(0, 2), (4, 5)]], [[(0, 2), (4, 7), (2, 3)]]),
    ):
        sides = (
            Corpus([Document("a", side, text=Text(list(text), between=""), unit="characters")])
            for side in (key, response)
        )
        assert told(score(*sides, align="characters"), "off-token") == []


def test_texts_in_two_forms_of_unicode_are_refused_with_the_form():
    key, response = (
        Corpus([Document("a", [[(0, 1), (1, 2)]], text=Text(words))])
        for words in (["Zo\u00eb", "she"], ["Zoe\u0308", "she"])
    )
    with pytest.raises(DataError) as refusal:
        score(key, response, align="characters")
    (problem,) = refusal.value.problems
    assert problem.code == "words-differ"
    assert problem.hint == "Write both texts in the same form of Unicode, such as NFC."


@pytest.mark.parametrize("response", ['[(18, 19), "x"]', '["x", (18, 19)]', '[(18, 19), "x", "y"]'])
def test_of_two_shapes_as_frequent_no_hash_decides_the_cause(response):
    code = (
        "import warnings, corefmeter\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        f"    corefmeter.score([[(0, 1), (2, 3)], [(4, 6)]], [{response}, [(30, 31)]])\n"
        "print(*(warning.message for warning in caught))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2", "3", "4", "5")
    }
    assert len(said) == 1


def test_half_of_the_mentions_of_the_smaller_side_show_what_it_counts():
    """The response counts UTF-16 units and lacks three of the key's five mentions."""
    text = "\U0001f600 one two three four five"
    starts = [text.index(word) for word in text.split()[1:]]
    spans = [
        (start, text.find(" ", start) if " " in text[start:] else len(text)) for start in starts
    ]
    key, response = (
        Corpus([Document("a", [some], text=Text(list(text), between=""), unit="characters")])
        for some in (spans, [(start + 1, end + 1) for start, end in spans[3:]])
    )
    ((_, _, hint),) = told(score(key, response), "no-common-mention")
    assert hint == "The response seems to count UTF-16 units (then 2 would be the same)."


def test_one_mention_shows_that_positions_drift():
    """é before it and é in it: in UTF-8 (1, 4) begins one byte later and is one byte longer."""
    text = "éaéb"
    right = (1, 4)
    other = tuple(len(text[:place].encode()) for place in right)
    assert other == (2, 6)
    key, response = (Corpus([Document("a", [[one]], unit="characters")]) for one in (right, other))
    for sides, side in (((key, response), "response"), ((response, key), "key")):
        ((_, _, hint),) = told(score(*sides), "no-common-mention")
        assert hint.startswith(f"The {side} seems to count more than characters")


INCLUSIVE = "The response seems to have inclusive ends, but the key exclusive ones"


@pytest.mark.parametrize(
    ("key", "response", "number"),
    [
        # Half of four would be the same; one of four is no sign.
        ([(0, 2), (4, 6), (8, 9), (10, 12)], [(0, 1), (4, 5), (20, 22), (30, 32)], 2),
        ([(0, 2), (4, 6), (8, 9), (10, 12)], [(0, 1), (40, 45), (20, 22), (30, 32)], None),
        # Two of five are the same, and (0, 1), (0, 2), (0, 3) and (5, 6) would be.
        ([(0, 2), (0, 3), (0, 4), (5, 7), (20, 21)], [(0, 1), (0, 2), (0, 3), (5, 6), (9, 10)], 4),
    ],
)
def test_a_cause_explains_half_of_what_differs(key, response, number):
    found = told(score([key], [response]), "no-common-mention")
    hint = number and f"{INCLUSIVE} (then {number} would be the same)."
    assert [hint for _, _, hint in found] == [hint]


def test_types_on_one_side_are_the_cause():
    """A mention with a type is equal to no plain one."""
    key = Document("a", [[Typed((0, 2)), Typed((4, 5))]])
    found = find_suspicion(key, Document("a", [[(0, 2), (4, 5)]]), MentionCounts(0, 2, 2))
    assert found.cause.startswith("The types that are part of mentions differ")
    assert found.number == 2
