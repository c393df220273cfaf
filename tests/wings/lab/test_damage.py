"""Each kind of damage on entities that can be checked by eye."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path

import pytest

from corefmeter import read
from corefmeter.analysis import identification
from corefmeter.problems import OptionError
from corefmeter.wings.lab import damage

KEY = [["a", "b", "c", "d"], ["e", "f"], ["g"]]
EXAMPLES = Path(__file__).parents[3] / "examples"


def copied():
    return [list(entity) for entity in KEY]


def mentions(entities):
    return sorted(chain.from_iterable(entities))


def links(entities):
    return {frozenset(pair) for entity in entities for pair in combinations(entity, 2)}


def test_without_mentions():
    assert damage.without_mentions(KEY, ["b", "g"]) == [["a", "c", "d"], ["e", "f"]]


def test_drop_mentions():
    left = damage.drop_mentions(KEY, 3, seed=5)
    assert len(mentions(left)) == 4
    assert links(left) <= links(KEY)
    assert left == damage.drop_mentions(KEY, 3, seed=5)
    assert len({str(damage.drop_mentions(KEY, 3, seed)) for seed in range(9)}) > 1
    with pytest.raises(OptionError, match="cannot choose 8 of 7 mentions"):
        damage.drop_mentions(KEY, 8, seed=5)


def test_entities_in_order_of_size():
    assert damage.by_size(KEY) == [0, 1, 2]
    assert damage.by_size(KEY, decreasing=False) == [2, 1, 0]
    assert damage.without_entities(KEY, [0, 2]) == [["e", "f"]]


def test_cut_links():
    assert damage.chain_links(KEY) == [(0, 1), (0, 2), (0, 3), (1, 1)]
    assert damage.cut_links(KEY, [(0, 2), (1, 1)]) == [["a", "b"], ["c", "d"], ["e"], ["f"], ["g"]]
    with pytest.raises(OptionError, match=r"no chain link \(2, 1\)"):
        damage.cut_links(KEY, [(2, 1)])


def test_split_entity():
    assert damage.split_entity(KEY, 0, [1, 3]) == [["a"], ["b", "c", "d"], ["e", "f"], ["g"]]
    for sizes in ([1, 2], [4, 0], [5, -1]):
        with pytest.raises(OptionError, match="cannot be split into parts of sizes"):
            damage.split_entity(KEY, 0, sizes)
    with pytest.raises(OptionError, match="no entity 3"):
        damage.split_entity(KEY, 3, [1])


def test_merge_entities():
    assert damage.merge_entities(KEY, [(2, 1)]) == [["a", "b", "c", "d"], ["e", "f", "g"]]
    assert damage.merge_entities(KEY, [(0, 1), (1, 2)]) == [list("abcdefg")]
    assert damage.merge_entities(KEY, [(1, 1)]) == KEY


def test_move_mentions():
    assert damage.move_mentions(KEY, {"g": 0, "e": 2}) == [list("abcdg"), ["f"], ["e"]]
    with pytest.raises(OptionError, match="no mention 'x'"):
        damage.move_mentions(KEY, {"x": 0})


def test_twinless_mentions_are_added():
    assert damage.add_to_entity(KEY, 1, ["x"]) == [KEY[0], ["e", "f", "x"], ["g"]]
    assert damage.add_entity(KEY, ["x", "y"]) == [*KEY, ["x", "y"]]
    assert damage.add_entity(KEY, []) == KEY
    assert damage.add_singletons(KEY, ["x", "y"]) == [*KEY, ["x"], ["y"]]


def test_boundary_responses():
    assert damage.all_singletons(KEY) == [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]
    assert damage.one_entity(KEY) == [list("abcdefg")]
    assert damage.one_entity([]) == []


def test_incorrectly_resolved_mentions():
    """c is linked with e only, e with c only; g is alone in the response; x is in no key entity."""
    response = [["a", "b"], ["c", "e"], ["d", "x"], ["g"]]
    assert identification.incorrectly_resolved(KEY, response) == ["c", "e", "d"]
    assert identification.more_precise(KEY, response) == [["a", "b"], ["x"], ["g"]]


def test_unresolved_mentions_linked_wrongly():
    response = [["a", "b"]]
    assert identification.unresolved(KEY, response) == [["c", "d"], ["e", "f"], ["g"]]
    # The row c d e f g: its first half, c d, with e f.
    assert identification.less_precise_a(KEY, response) == [["a", "b"], ["c", "e"], ["d", "f"]]
    assert identification.less_precise_b(KEY, response) == [
        ["a", "b"], ["c", "e", "g"], ["d", "f"]
    ]  # fmt: skip
    assert damage.linked_wrongly_in_one_pair(KEY, response) == [
        ["a", "b"], ["c", "e"], ["d"], ["f"], ["g"]
    ]  # fmt: skip


def test_with_one_large_entity_the_others_are_paired_with_its_first_mentions():
    assert identification.less_precise_a(KEY, []) == [["e", "a"], ["f", "b"], ["g", "c"]]


@pytest.mark.parametrize(
    "link",
    [
        identification.less_precise_a,
        identification.less_precise_b,
        damage.linked_wrongly_in_one_pair,
    ],
)
def test_what_is_all_in_one_entity_cannot_be_linked_wrongly(link):
    assert link([["a", "b"], ["c"]], [["c"]]) == [["c"]]
    assert link([], []) == []


def test_mentions_found_without_a_correct_link():
    assert damage.reidentified_without_links(KEY, list("abcdefg")) == [
        ["a", "e"], ["b", "f"], ["c", "g"], ["d"]
    ]  # fmt: skip
    assert damage.reidentified_without_links(KEY, ["d", "e"], KEY) == [
        ["a", "b", "c"], ["f"], ["g"], ["d", "e"]
    ]  # fmt: skip
    assert damage.reidentified_without_links(KEY, []) == []


def test_damage_leaves_its_input_alone():
    before = copied()
    damage.add_to_entity(KEY, 0, ["x"])[1].append("y")
    damage.add_entity(KEY, ["x"])[0].append("y")
    damage.split_entity(KEY, 0, [2, 2])[2].append("y")
    damage.without_entities(KEY, [0])[0].append("y")
    identification.less_precise_a(KEY, KEY)[0].append("y")
    damage.merge_entities(KEY, [(0, 1)])[1].append("y")
    damage.one_entity(KEY)[0].append("y")
    assert before == KEY


def test_wrong_links_on_a_real_corpus_are_wrong():
    """On the examples: no link that was added is in the key, and none that is right goes."""
    key, response = read(EXAMPLES / "key.conll"), read(EXAMPLES / "system-a.conll")
    for ours, theirs in zip(key, response, strict=True):
        right = links(ours.entities)
        before = links(theirs.entities) & right
        for change in (
            identification.more_precise,
            identification.less_precise_a,
            identification.less_precise_b,
            damage.linked_wrongly_in_one_pair,
        ):
            assert links(change(ours.entities, theirs.entities)) & right == before
        everything = list(chain.from_iterable(ours.entities))
        found = damage.reidentified_without_links(ours.entities, everything)
        assert sorted(chain.from_iterable(found)) == sorted(everything)
        assert not links(found) & right
