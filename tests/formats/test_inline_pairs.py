"""Which word was copied from which."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefmeter.formats.inline.pairs import _find_shift, _Pairing, _Region, pair_words

from ..strategies import scaled


def pairs(key: str, response: str, begins=frozenset(), ends=frozenset()) -> list:
    """The pairs of two texts, words between blanks; one number where a range is one word."""
    found = pair_words(key.split(), response.split(), set(begins), set(ends))
    return [None if r is None else r[0] if r[0] == r[1] else r for r in found]


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("a b c", "a b c", [0, 1, 2]),
        ("a b c", "a c", [0, 2]),
        ("a c", "a b c", [0, None, 1]),
        ("a b c", "", []),
        ("", "a b", [None, None]),
        ("the dog ran", "teh dog ran", [0, 1, 2]),
        ("the big dog ran", "the large dog ran", [0, 1, 2, 3]),
        ("the big dog ran", "the nice young dog ran", [0, None, None, 2, 3]),
        ("we saw the dog run", "we saw Rex run", [0, 1, None, 4]),
        ("the dog cannot run", "the dog can not run", [0, 1, 2, 2, 3]),
        ("the dog can not run", "the dog cannot run", [0, 1, (2, 3), 4]),
        ("new york city", "newyork city", [(0, 1), 2]),
        ("a , b", "a b", [0, 2]),
        ("a b", "a ! b", [0, None, 1]),
        ("ab cd ef", "abc def", [(0, 1), (1, 2)]),
        # The first word of the key, with its letters in another order, behind a sign.
        ("the cat", ", eht", [None, 0]),
    ],
)
def test_words_are_paired(key, response, expected):
    assert pairs(key, response) == expected


def test_a_sign_is_not_paired_with_a_word():
    assert pairs("x , y", "x and y") == [0, None, 2]


@pytest.mark.parametrize(
    ("key", "response", "begins", "ends", "expected"),
    [
        # Of "that that man" one is missing; a mention begins at the one that is left.
        ("saw that that man", "saw that man", {1}, set(), [0, 2, 3]),
        ("saw that that man", "saw that man", set(), {2}, [0, 1, 3]),
        ("saw her her dog", "saw her dog", {2}, set(), [0, 1, 3]),
        # Of "her dog" one was copied twice; a mention begins at the second, or ends at the first.
        ("saw her dog", "saw her her dog", {2}, set(), [0, None, 1, 2]),
        ("saw her dog", "saw her her dog", set(), {2}, [0, 1, None, 2]),
        ("a b a b c", "a b c", {0}, set(), [2, 3, 4]),
        ("x a b c", "x a b a b c", {3}, set(), [0, None, None, 1, 2, 3]),
        ("x a b c", "x a b a b c", set(), {3}, [0, 1, 2, None, None, 3]),
    ],
)
def test_gaps_lie_outside_of_mentions_where_words_leave_the_choice(
    key, response, begins, ends, expected
):
    assert pairs(key, response, begins, ends) == expected


WORDS = st.lists(st.sampled_from(["a", "b", "ab", "the", "teh", ",", "."]), max_size=30)


@given(WORDS, WORDS, st.sets(st.integers(0, 30)), st.sets(st.integers(0, 30)))
def test_pairs_go_up(key, response, begins, ends):
    found = pair_words(key, response, begins, ends)
    assert len(found) == len(response)
    ranges = [r for r in found if r is not None]
    assert all(0 <= first <= last < len(key) for first, last in ranges)
    for one, other in pairwise(ranges):
        assert one[0] <= other[0]
        assert one[1] <= other[1]


@given(WORDS)
def test_a_text_is_paired_with_itself(words):
    assert pair_words(words, words) == [(n, n) for n in range(len(words))]


@settings(max_examples=scaled(20))
@given(st.integers(0, 2**32), st.integers(0, 20))
def test_in_long_texts_of_two_words_an_edit_costs_one_or_two(seed, changes):
    """So that hardly any run of words stands once."""
    random = Random(seed)
    key = [random.choice(["x", "y"]) for _ in range(400)]
    response = list(key)
    for _ in range(changes):
        if random.random() < 0.5:
            del response[random.randrange(len(response))]
        else:
            response.insert(random.randrange(len(response)), random.choice(["x", "y"]))
    found = enumerate(pair_words(key, response))
    equal = [n for n, range_ in found if range_ and key[range_[0]] == response[n]]
    assert len(equal) >= len(key) - 2 * changes


@pytest.mark.parametrize(
    ("key", "response", "least"),
    [
        (["a"] * 30_000, ["a"] * 29_990, 29_990),
        (["a", "b"] * 15_000, ["a", "b"] * 7_000 + ["c"] + ["b", "a"] * 7_990, 29_000),
        (list(map(str, range(30_000))), list(map(str, range(0, 30_000, 2))), 15_000),
        (list(map(str, range(30_000))), list(map(str, range(30_000)))[::-1], 0),
        (["a", "b"] * 15_000, ["c", "d"] * 15_000, 0),
        ([f"w{n % 50}" for n in range(30_000)], [f"w{n * 7 % 50}" for n in range(30_000)], 0),
    ],
    ids=["same word", "shifted", "every other", "backwards", "nothing", "repetitive"],
)
def test_long_texts_take_time_by_their_length(key, response, least):
    begin = process_time()
    found = pair_words(key, response)
    assert sum(r is not None for r in found) >= least
    assert process_time() - begin < 20  # a second or so; a table would be 900 million cells


def word(number: int, length: int) -> str:
    """A word of letters that shares next to none of their order with those of other numbers."""
    random = Random(number)
    return "".join(random.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(length))


def test_many_long_words_that_are_alike_are_paired_in_their_order():
    """Eight words of 24 letters, whose last letter is another; behind two words that are equal."""
    words = [word(number, 24) for number in range(8)]
    key = ["the", "old", *words, "end"]
    response = ["the", "old", *(one[:-1] + "0" for one in words), "end"]
    assert pair_words(key, response) == [(n, n) for n in range(len(key))]


def test_a_long_word_is_paired_with_one_that_is_alike_and_not_with_a_sign():
    """A sign takes the place of the word, which has moved on."""
    long = word(1, 120)
    assert pair_words([long, word(2, 120)], ["-" * 60, long[:-1] + "0"]) == [None, (0, 0)]


def test_a_word_of_which_three_words_are_parts_is_all_of_them():
    """They are six of its eight letters."""
    assert pairs("so ab cd ef it", "so abcdefgh it") == [0, (1, 3), 4]


def test_long_runs_of_equal_words_come_before_short_ones():
    """A run of 30 words is moved behind two of 20, with other words between: one order is kept.

    Runs of 16 words begin at 15 places of the first and at 5 of each of the others.
    """

    def run(name: str, length: int) -> list[str]:
        return [f"{name}{number}" for number in range(length)]

    long, first, second = run("p", 30), run("q", 20), run("r", 20)
    key = [*run("a", 50), *long, *run("b", 20), *first, *run("c", 10), *second, *run("d", 50)]
    response = [*run("e", 50), *first, *run("f", 10), *second, *run("g", 20), *long, *run("h", 50)]
    found = pair_words(key, response)
    at = response.index("p0")
    assert found[at : at + 30] == [(n, n) for n in range(50, 80)]


def common_words(one: list[int], other: list[int]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for word in one:
        before = row
        row = [0]
        for place, found in enumerate(other):
            row.append(before[place] + 1 if word == found else max(before[place + 1], row[place]))
    return row[-1]


FEW_WORDS = st.lists(st.integers(0, 3), max_size=12)


@given(FEW_WORDS, FEW_WORDS, st.integers(0, 12))
def test_few_edits_are_as_few_as_can_be(key, response, most):
    pairing = _Pairing(key, response, lambda one, other: 1.0)
    common = common_words(key, response)
    edits = len(key) + len(response) - 2 * common
    found = pairing.pair_by_few_edits(_Region(0, len(key), 0, len(response)), most)
    assert found is (edits <= most)
    assert sum(partner >= 0 for partner in pairing.partners) == (common if found else 0)


def test_a_gap_that_moves_has_the_word_behind_it_and_its_partner():
    """The second of four equal words has no partner; the others have 0 to 2, and x has 3."""
    words, partners = [0, 0, 0, 0, 1], [0, -1, 1, 2, 3]
    seen = []
    _find_shift(words, partners, 1, 2, lambda *place: seen.append(place) or False)
    assert seen == [(1, 2, 1), (0, 1, 0), (2, 3, 2), (3, 4, 3)]
