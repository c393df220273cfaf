"""The kinds of mention: which is which, their order, and what is made of them."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest

from corefmeter.corpus import positions
from corefmeter.corpus.positions import (
    all_empty_nodes,
    count_nodes,
    covers,
    has_gap,
    in_reading_order,
    is_more_than_a_place,
    mention_of,
    move_mention,
    nodes,
    number_of_tokens,
    order_of_runs,
    outer_span,
    pieces,
    pieces_if_any,
    place_of,
    position_key,
    reading_key,
    tokens_of,
)

#: The last empty nodes of a sentence, the first of the next, and the token that they precede.
LAST, LAST_2, FIRST, FIRST_2 = (5, 5, 1), (5, 5, 2), (5, 5, 1, True), (5, 5, 2, True)


@pytest.mark.parametrize(
    "mention",
    ["Ann", 3, None, (), (3,), ("a", "b"), ("twinless", 0), (3, 4, 5), (5, 3), (3, 3),
     ((3, 4), "b"), ((3, 4), "a"), ((5, 6, 1),), ((5, 5, 0),), ((5, 5, 1, False),), ((-1, 2),)],
)  # fmt: skip
def test_what_is_no_position_has_no_pieces(mention):
    assert pieces_if_any(mention) == ()


@pytest.mark.parametrize("mention", ["Ann", 3, None, (), ("a", "b"), ("a", 3)])
def test_pieces_of_a_name_are_refused(mention):
    for ask in (pieces, nodes, tokens_of, count_nodes, outer_span, reading_key, position_key):
        with pytest.raises(TypeError, match="not a mention made of token positions"):
            ask(mention)


def test_empty_nodes_of_two_sentences_are_different_nodes():
    assert len({LAST, LAST_2, FIRST, FIRST_2}) == 4
    mention = (LAST, FIRST, (5, 6))
    assert (nodes(mention), count_nodes(mention), tokens_of(mention)) == ([LAST, FIRST, 5], 3, [5])


@pytest.mark.parametrize(
    "expected",
    [
        [(1, 4), ((1, 2), (3, 4)), (2, 3)],
        [(0, 9), (1, 6), ((1, 2), (3, 4), (5, 6)), ((1, 2), (5, 6)), ((1, 3), (5, 6)), (1, 5)],
        [((3, 3, 1), (3, 4), (5, 6)), ((3, 3, 1), (3, 6)), ((3, 3, 1),), (3, 6), ((3, 4), (5, 6))],
    ],
)
def test_no_two_mentions_are_at_one_place_of_reading(expected):
    """Of one outer span: without gap, then by the pieces."""
    for mentions in permutations(expected):
        assert sorted(mentions, key=reading_key) == expected


@pytest.mark.parametrize("key", [reading_key, position_key])
def test_the_end_of_a_sentence_comes_before_the_beginning_of_the_next(key):
    expected = [(4, 5), (LAST,), (LAST_2,), (FIRST,), (FIRST_2,)]
    for mentions in permutations(expected):
        assert sorted(mentions, key=key) == expected


def test_a_mention_begins_before_its_first_token_with_its_empty_node():
    """From the text: node, node and tokens, tokens; of those that begin alike the longer first."""
    expected = [((3, 3, 1), (3, 6)), ((3, 3, 1),), (3, 6), (3, 4)]
    for mentions in permutations(expected):
        assert sorted(mentions, key=reading_key) == expected


class Typed(tuple):
    """A mention with a type, as a format of typed mentions makes it: equal to no plain one."""

    def __eq__(self, other: object) -> bool:
        return type(other) is Typed and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__


def test_only_a_mention_of_a_class_of_its_own_is_more_than_a_place():
    assert place_of(Typed((3, 4))) == (3, 4)
    assert is_more_than_a_place(Typed((3, 4)))
    for plain in ((3, 4), ((3, 4), (5, 6)), ((3, 4), 2), "Ann", 3, None):
        assert not is_more_than_a_place(plain)


def test_runs_are_ordered_as_they_are_read_and_equal_ones_as_they_are_listed():
    runs = [(3, 4), (0, 1), (3, 6), (3, 4)]
    assert order_of_runs(runs) == [1, 2, 0, 3]
    for given in permutations(runs):
        assert [given[place] for place in order_of_runs(given)] == sorted(given, key=reading_key)


def test_pieces_are_put_in_order_with_both_kinds_of_empty_node():
    parts = [(4, 5), FIRST, LAST_2, (5, 7), LAST]
    for given in permutations(parts):
        assert mention_of(given) == ((4, 5), LAST, LAST_2, FIRST, (5, 7))


def test_empty_nodes_need_those_before_them_in_their_own_sentence_only():
    assert all_empty_nodes([FIRST_2, LAST]) == [LAST, FIRST, FIRST_2]


def test_an_empty_node_fills_no_gap():
    assert has_gap(((1, 2), (2, 2, 1), (3, 4)))
    assert not has_gap(((1, 2), (2, 2, 1), (2, 4)))


def test_a_moved_mention_keeps_its_kind():
    """Begins are doubled, ends are doubled less one: (1, 3) is tokens 2 to 4 of half tokens."""

    def begin(token: int) -> int:
        return 2 * token

    def end(token: int) -> int:
        return 2 * token - 1

    assert move_mention((1, 3), begin, end) == (2, 5)
    assert move_mention(((1, 3), FIRST, (5, 6)), begin, end) == ((2, 5), (9, 9, 1, True), (10, 11))
    assert move_mention("Ann", begin, end) == "Ann"


def test_a_copy_stands_where_the_mention_stands():
    assert pieces(((3, 4), 2)) == ((3, 4),)
    assert outer_span((((3, 4), (6, 8)), 3)) == (3, 8)
    assert sorted([((3, 4), 2), (5, 6), (1, 2)], key=reading_key) == [(1, 2), ((3, 4), 2), (5, 6)]


@pytest.mark.parametrize(
    ("parts", "mention"),
    [
        ([(0, 1), (4, 6), (6, 8)], ((0, 1), (4, 8))),
        ([(0, 1), (1, 2), (4, 6)], ((0, 2), (4, 6))),
        ([(4, 6), (6, 8)], (4, 8)),
        ([(6, 8), (4, 6), (0, 1)], ((0, 1), (4, 8))),
    ],
)
def test_pieces_that_follow_each_other_are_one(parts, mention):
    assert mention_of(parts) == mention


@pytest.mark.parametrize(
    ("mention", "tokens"),
    [
        ((2, 5), [2, 3, 4]),
        (((0, 1), (4, 6)), [0, 4, 5]),
        (((0, 3), (2, 5)), [0, 1, 2, 3, 4]),  # pieces that overlap
        (((1, 1, 1), (3, 4)), [3]),  # an empty node is no token
        ("Ann", []),
    ],
)
def test_a_mention_covers_the_tokens_of_its_pieces(mention, tokens):
    assert [token for token in range(8) if covers(mention, token)] == tokens


def test_only_positions_asks_for_the_shape_of_a_mention():
    # Elsewhere, a length or a class of a mention or node is a question that `positions` answers.
    # `convert` takes any Python value for a mention; the classes of TBF are its own.
    source = Path(positions.__file__).parents[1]
    exempt = {"corpus/positions.py", "corpus/convert.py", "wings/traditions/formats/tbf.py"}
    asked = re.compile(r"\b(?:len|type|isinstance)\((?:mention|node|anaphor|anchor|position)[,)]")
    found = [
        (name, question)
        for path in source.rglob("*.py")
        if (name := path.relative_to(source).as_posix()) not in exempt
        for question in asked.findall(path.read_text("utf-8"))
    ]
    assert found == []


def test_only_tokens_count_in_the_number_of_tokens():
    assert number_of_tokens(((3, 5), (5, 5, 1), (7, 8))) == 3
    assert number_of_tokens("Ann") == 0


def test_mentions_are_sorted_once_each_unless_an_entity_has_a_name():
    entities = [[(4, 5), (0, 2), (0, 3), (4, 5)], ["b", "a"]]
    assert in_reading_order(entities) == [[(0, 3), (0, 2), (4, 5)], ["b", "a"]]


def test_an_empty_node_before_a_token_comes_before_the_run_that_begins_there():
    """Also the third of its place, and before a run that ends early."""
    for node in ((0, 0, 3), (0, 0, 3, True)):
        for given in permutations([(0, 1), node]):
            assert mention_of(given) == (node, (0, 1))


def test_mentions_are_sorted_node_by_node_where_empty_nodes_divide_them():
    """Of four nodes each, from token 0 to token 2: an empty node comes before token 1."""
    first, second = (1, 1, 1), (1, 1, 2)
    expected = [((0, 1), first, second, (2, 3)), ((0, 1), first, (1, 3))]
    assert [nodes(mention) for mention in expected] == [[0, first, second, 2], [0, first, 1, 2]]
    for mentions in permutations(expected):
        assert sorted(mentions, key=position_key) == expected
