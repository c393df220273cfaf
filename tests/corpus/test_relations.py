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
    splits_of,
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
