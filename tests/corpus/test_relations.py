"""Relations: what becomes of them when mentions move or leave; sets that contain themselves."""

from __future__ import annotations

import pytest

from corefmeter.corpus.model import Document
from corefmeter.corpus.relations import (
    Bridge,
    Layer,
    NonReferring,
    Relations,
    Split,
    cyclic,
    describe_counts,
    splits_of,
)
from corefmeter.corpus.splits import (
    SetMember,
    find_set_members,
    named_sets,
    rename_in_relations,
)
from corefmeter.corpus.text import Detail

RELATIONS = Relations(
    splits=(Split("they", ("ann", "bob")), Split("they", ("bob", "cid"))),
    bridges=(Bridge((4, 6), (0, 2), None, "part"), Bridge((4, 6), (7, 8), "house")),
    nonreferring=(NonReferring((7, 8), "expletive", Detail(head=7, minimum=(7, 8))),),
    deixis=Layer([[(0, 4), (9, 10)], [(7, 8)]], ["d1", "d2"]),
)


def without(*gone):
    return lambda mention: None if mention in gone else mention


def test_every_set_and_every_mention_of_deixis_counts():
    assert RELATIONS.counts() == {
        "split": 2,
        "bridging": 2,
        "nonreferring": 1,
        "deixis": 3,
    }
    assert Relations().counts() == {}


def test_moving_moves_every_mention_and_what_is_known_of_it():
    moved = RELATIONS.moved(lambda token: token + 3, lambda end: end + 3)
    assert moved.splits == RELATIONS.splits
    assert [bridge[:2] for bridge in moved.bridges] == [((7, 9), (3, 5)), ((7, 9), (10, 11))]
    (silent,) = moved.nonreferring
    assert (silent.mention, silent.detail.head, silent.detail.minimum) == ((10, 11), 10, (10, 11))
    assert moved.deixis.entities == [[(3, 7), (12, 13)], [(10, 11)]]


def test_without_its_anchor_a_reference_to_a_mention_goes_and_one_to_an_entity_stays():
    assert RELATIONS.mapped(without((0, 2))).bridges == RELATIONS.bridges[1:]
    kept = RELATIONS.mapped(without((7, 8)))
    assert kept.bridges == (RELATIONS.bridges[0], Bridge((4, 6), None, "house"))
    assert kept.nonreferring == ()
    assert kept.deixis == Layer([[(0, 4), (9, 10)]], ["d1"])


def test_without_its_anaphor_a_reference_goes():
    assert RELATIONS.mapped(without((4, 6))).bridges == ()


def test_no_mention_left_is_no_layer():
    assert RELATIONS.mapped(without((0, 4), (9, 10), (7, 8))).deixis is None


def test_renaming_reaches_sets_and_anchors():
    renamed = RELATIONS.renamed(str.upper)
    assert renamed.splits[0] == Split("THEY", ("ANN", "BOB"))
    assert [bridge.entity for bridge in renamed.bridges] == [None, "HOUSE"]


def test_a_set_may_contain_a_set_but_not_itself():
    chain = splits_of([("3", "2"), ("2", "1")])
    assert cyclic(chain) == set()
    # 1 is in 2, which is in 3, which is in 1; 4 contains them and is in none.
    assert cyclic([*chain, Split("1", ("3",)), Split("4", ("1",))]) == {"1", "2", "3"}
    assert cyclic([Split("1", ("1",))]) == {"1"}


def test_other_entities_have_no_relations_unless_they_are_named():
    document = Document("x", [[(4, 6)]], entity_names=["door"], relations=RELATIONS)
    assert document.replace(entities=[[(0, 1)]]).relations is None
    assert document.replace(entities=[[(0, 1)]], entity_names=["door"]).relations is RELATIONS


def test_deixis_is_a_document_of_the_same_tokens():
    document = Document("x", [[(4, 6)]], tokens=10, relations=RELATIONS, breaks=[(0, 3)])
    deixis = document.deixis
    assert (deixis.entities, deixis.entity_names) == ([[(0, 4), (9, 10)], [(7, 8)]], ["d1", "d2"])
    assert (deixis.tokens, deixis.id, deixis.line_of((9, 10))) == (10, ("x", 0), 12)
    assert deixis.related == {}
    assert document.replace(relations=Relations()).deixis.entities == []


def test_relations_that_were_only_seen_are_counted_too():
    assert Document("x", [], unread={"split": 4}).related == {"split": 4}
    assert Document("x", [], relations=RELATIONS).related == RELATIONS.counts()


@pytest.mark.parametrize(
    ("one", "other", "heads"),
    [
        ([[Detail(head=0)]], [[Detail(head=5)]], [[0, 5]]),
        ([[Detail(head=0)]], None, None),
        (None, [[Detail(head=5)]], None),
        (None, None, None),
    ],
)
def test_joined_layers_have_details_if_all_of_them_have(one, other, heads):
    layers = [Layer([[mention]], ["d"], of) for mention, of in (((0, 2), one), ((5, 6), other))]
    joined = Relations(deixis=layers[0]).joined(Relations(deixis=layers[1])).deixis
    assert (joined.entities, joined.names) == ([[(0, 2), (5, 6)]], ["d"])
    found = joined.details and [[detail.head for detail in known] for known in joined.details]
    assert found == heads


def test_a_plural_entity_in_a_set_is_replaced_by_its_own_set():
    splits = Split("they", ("ann", "bob")), Split("all", ("they", "eve"))
    document = Document("x", [], relations=Relations(splits))
    assert named_sets(document) == [("they", ["ann", "bob"]), ("all", ["ann", "bob", "eve"])]


def test_a_set_of_nothing_but_a_cycle_consists_of_its_entities():
    document = Document("x", [], relations=Relations((Split("a", ("b",)), Split("b", ("a",)))))
    assert named_sets(document) == [("a", ["a", "b"]), ("b", ["a", "b"])]


def test_relations_name_the_entities_that_are_left():
    """Entity 1 was merged into entity 0."""
    read = Document("x", [["a"], ["a", "b"], ["f"]], relations=Relations((Split("2", ("1",)),)))
    left = read.replace(entities=[["a", "b"], ["f"]], entity_names=["0", "2"])
    assert rename_in_relations(left, read).relations.splits == (Split("2", ("0",)),)


def test_counts_of_relations_have_the_plural_of_their_noun():
    assert describe_counts({"split": 1, "deixis": 2}) == (
        "1 split antecedent, 2 mentions of discourse deixis"
    )


def test_no_relations_are_no_sets_and_none_is_lost():
    document = Document("a", [[(0, 1)], [(2, 3)]])
    assert find_set_members(document, [document]) == ([], 0)


@pytest.mark.parametrize("joined", [False, True])
def test_an_entity_of_a_set_is_found_by_its_name_or_else_by_its_first_mention_left(joined):
    """Entity b has only the mention (0, 1), which a has too; c has become d."""
    read = Document(
        "a", [[(0, 1), (2, 3)], [(0, 1)], [(4, 5), (6, 7)], [(8, 9)]],
        entity_names=["a", "b", "c", "they"],
        relations=Relations(splits=(Split("they", ("b", "c")),)),
    )  # fmt: skip
    entities = [[(0, 1), (2, 3)], [(0, 1)], [(6, 7)], [(8, 9)]]
    if joined:
        entities = [[(("a", 0), mention) for mention in entity] for entity in entities]
    whole = Document("all", entities, entity_names=["a", "b", "d", "they"])
    ids = [("a", 0)] if joined else None
    assert find_set_members(whole, [read], ids) == ([SetMember(3, (1, 2))], 0)
