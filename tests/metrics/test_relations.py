"""Bridging, non-referring expressions, split antecedents and discourse deixis, by hand."""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import pytest

from corefmeter import Corpus, Document, read, score
from corefmeter.corpus.relations import Bridge, Layer, NonReferring, Relations, Split

#: House is {(0, 2), (3, 4)}, garden is {(6, 8)}, door {(9, 11)}, roof {(12, 14)}.
HOUSE, IT, GARDEN, DOOR, ROOF = (0, 2), (3, 4), (6, 8), (9, 11), (12, 14)
ENTITIES = {"house": [HOUSE, IT], "garden": [GARDEN], "door": [DOOR], "roof": [ROOF]}
LEVELS = ("anaphor", "mention", "entity")


def document(*bridges, entities=ENTITIES, name="d", **relations) -> Document:
    relations = Relations(bridges=tuple(Bridge(*bridge) for bridge in bridges), **relations)
    return Document(name, list(entities.values()), entity_names=list(entities), relations=relations)


def scored(key, response, metric, **options):
    return score(Corpus([key]), Corpus([response]), metrics=metric, **options)


def counts(key, response, **options) -> list[tuple]:
    """What is found, of the key, right, of the response, by each of the levels."""
    return [
        scored(key, response, f"bridging-{level}", **options).sums(f"bridging-{level}")
        for level in LEVELS
    ]


KEY = document((DOOR, HOUSE, "house"), (ROOF, IT, "house"))


def test_anaphor_and_anchor_are_right():
    assert counts(KEY, KEY) == [(2, 2, 2, 2)] * 3


def test_another_mention_of_the_entity_is_right_by_entity_only():
    response = document((DOOR, IT, "house"), (ROOF, IT, "house"))
    assert counts(KEY, response) == [(2, 2, 2, 2), (1, 2, 1, 2), (2, 2, 2, 2)]


def test_another_entity_is_wrong():
    response = document((DOOR, GARDEN, "garden"), (ROOF, IT, "house"))
    assert counts(KEY, response) == [(2, 2, 2, 2), (1, 2, 1, 2), (1, 2, 1, 2)]


def test_an_anaphor_of_one_side_counts_there():
    response = document((DOOR, HOUSE, "house"), (GARDEN, HOUSE, "house"), (IT, GARDEN, "garden"))
    assert counts(KEY, response) == [(1, 2, 1, 3)] * 3


def test_an_anchor_may_be_an_entity_alone():
    # By mention nothing is asked of the door, and the roof's anchor is not given.
    key = document((DOOR, None, "house"), (ROOF, IT, "house"))
    response = document((DOOR, IT, None), (ROOF, None, "house"))
    assert counts(key, response) == [(2, 2, 2, 2), (0, 1, 0, 0), (2, 2, 2, 2)]


def test_an_anchor_is_an_entity_that_is_a_copy_in_a_key_which_alone_has_relations():
    """ "Home" has only a mention that "house" has too, so it is the house that counts."""
    entities = {**ENTITIES, "home": [HOUSE]}
    key = document((DOOR, None, "home"), entities=entities)
    response = Document("d", list(ENTITIES.values()), entity_names=list(ENTITIES))
    options = {"repeated": "first"}
    assert counts(key, response, **options) == [(0, 1, 0, 0), (0, 0, 0, 0), (0, 1, 0, 0)]


def test_an_entity_of_the_response_stands_for_that_with_which_it_shares_most():
    # The response's "all" has house and it of the house, and the garden.
    entities = {"all": [HOUSE, IT, GARDEN], "door": [DOOR], "roof": [ROOF]}
    response = document((DOOR, None, "all"), (ROOF, None, "door"), entities=entities)
    assert counts(KEY, response)[2] == (1, 2, 1, 2)
    # With house and garden it shares one mention with each: it may stand for either.
    entities = {"both": [HOUSE, GARDEN], "door": [DOOR]}
    response = document((DOOR, None, "both"), entities=entities)
    assert counts(document((DOOR, GARDEN, None)), response)[2] == (1, 1, 1, 1)
    assert counts(document((DOOR, HOUSE, None)), response)[2] == (1, 1, 1, 1)


def test_an_anchor_that_is_missing_is_no_answer():
    response = document((DOOR, None, None), (ROOF, HOUSE, "house"))
    assert counts(KEY, response) == [(2, 2, 2, 2), (0, 2, 0, 1), (1, 2, 1, 1)]
    # Where the key has none, the anchor of the response is not judged.
    assert counts(response, KEY) == [(2, 2, 2, 2), (0, 1, 0, 1), (1, 1, 1, 1)]


def test_of_several_anchors_each_counts():
    # The key has the house and the garden for the door; the response has the house, twice, and the
    # roof. Of two anchors one is found; of three two are right by entity, one by mention.
    key = document((DOOR, HOUSE, "house"), (DOOR, GARDEN, "garden"))
    response = document((DOOR, HOUSE, None), (DOOR, IT, None), (DOOR, ROOF, None))
    assert counts(key, response) == [(1, 1, 1, 1), (1, 2, 1, 3), (1, 2, 2, 3)]


def test_mentions_in_no_entity_are_only_equal_to_themselves():
    away = (20, 22)
    key = document((away, (30, 31), None))
    assert counts(key, key) == [(1, 1, 1, 1)] * 3
    assert counts(key, document((away, (31, 32), None))) == [(1, 1, 1, 1), *[(0, 1, 0, 1)] * 2]


def test_mentions_are_the_same_that_are_matched():
    # The response's door is a token longer, and its house shorter.
    entities = {"house": [(1, 2), IT], "door": [(9, 12)]}
    response = document(((9, 12), (1, 2), "house"), entities=entities)
    options = {"match": "overlap", "overlap_threshold": 0.5}
    assert counts(KEY, response) == [(0, 2, 0, 1)] * 3
    assert counts(KEY, response, **options) == [(1, 2, 1, 1)] * 3


@pytest.mark.wings
def test_a_file_of_version_1_1_without_mentions_of_anchors(tmp_path):
    columns = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING"
    lines = [
        ("(EntityID=1|MarkableID=m1)", "_"),
        ("(EntityID=2|MarkableID=m2)", "_"),
        ("(EntityID=3|MarkableID=m3)", "(MarkableID=m3|Rel=poss|EntityAnchor={})"),
    ]
    paths = []
    for name, anchor in (("key", 1), ("right", 1), ("wrong", 2)):
        rows = [
            "\t".join([str(number), "w", *["_"] * 8, entity, bridge.format(anchor)])
            for number, (entity, bridge) in enumerate(lines, 1)
        ]
        head = f"# global.columns = {columns}\n# newdoc id = d\n# sent_id = 1\n"
        paths.append(tmp_path / f"{name}.conllua")
        paths[-1].write_text(head + "\n".join(rows) + "\n\n", encoding="utf-8")
    metrics = [f"bridging-{level}" for level in LEVELS]
    key, right, wrong = paths
    found = score(key, right, metrics=metrics)
    assert [found.sums(metric) for metric in metrics] == [
        (1, 1, 1, 1), (0, 0, 0, 0), (1, 1, 1, 1),
    ]  # fmt: skip
    found = score(key, wrong, metrics=metrics)
    assert [found.sums(metric) for metric in metrics] == [
        (1, 1, 1, 1), (0, 0, 0, 0), (0, 1, 0, 1),
    ]  # fmt: skip
    assert read(key, details=True).documents[0].relations.bridges[0].anchor is None


def test_non_referring_expressions():
    # One of two is found, of whatever kind; one of three is right.
    key = document(nonreferring=(NonReferring((1, 2), "expletive"), NonReferring((5, 6))))
    response = document(
        nonreferring=tuple(map(NonReferring, [(1, 2), (5, 7), (8, 9)]))
    )  # fmt: skip
    assert scored(key, response, "nonreferring").sums("nonreferring") == (1, 2, 1, 3)


def test_split_is_the_alignment_of_sets():
    # CEAFe of {house, garden} and {house, garden, door}: 2 of 2 and 2 of 3.
    key = document(splits=(Split("roof", ("house", "garden")),))
    response = document(splits=(Split("roof", ("house", "garden", "door")),))
    found = scored(key, response, "split").sums("split")
    assert all(map(isclose, found, (1, 1, Fraction(2, 3), 1)))


def test_a_set_without_a_partner_counts_on_its_side():
    # House is {door}, so the roof is {door, garden}, as in the response, whatever entity has it.
    key = document(splits=(Split("roof", ("house", "garden")), Split("house", ("door",))))
    response = document(splits=(Split("house", ("door", "garden")),))
    assert scored(key, response, "split").sums("split") == (1, 2, 1, 1)


@pytest.mark.parametrize("metric", ["muc", "b3", "mentions"])
def test_the_layer_of_discourse_deixis_is_scored_alone(metric):
    # Deixis {a, b, c} against {a, b}: MUC 1/2 and 1, mentions 2/3 and 1, B3 (4/3)/3 and 1. The
    # entities of identity are wrong and play no part.
    a, b, c = (0, 5), (5, 6), (7, 8)
    key = document(deixis=Layer([[a, b, c]], ["1"]))
    response = document(entities={"x": [ROOF, DOOR]}, deixis=Layer([[a, b]], ["1"]))
    expected = {"muc": (1 / 2, 1), "b3": (4 / 9, 1), "mentions": (2 / 3, 1)}[metric]
    found = scored(key, response, metric, layer="deixis")[metric]
    assert isclose(found.recall, expected[0])
    assert isclose(found.precision, expected[1])
    assert scored(key, response, metric)[metric].f1 < 1


def test_sets_of_the_layer_of_deixis_are_its_own():
    layer = Layer(
        [[(0, 1)], [(2, 3)], [(4, 5)]], ["1", "2", "3"], None,
        Relations((Split("3", ("1", "2")),)),
    )  # fmt: skip
    less = layer._replace(relations=None)
    key, response = document(deixis=layer), document(deixis=less)
    found = scored(key, response, "b3", layer="deixis", split_antecedents=True).b3
    assert isclose(found.recall, (1 + 1 + 1 / 2) / 4)
    assert found.precision == 1


def test_names_that_merging_took_are_found_by_their_mentions():
    # In document b entities 1 and 2 share a mention; joined with shared ids they are one, which is
    # named 1 or 2 by the document that comes first. It is the set of 3, and the anchor of (9, 10).
    def corpus(*names: str) -> Corpus:
        made = {
            "a": document(entities={"2": [(0, 1)]}, name="a"),
            "b": document(
                ((9, 10), None, "2"), name="b", splits=(Split("3", ("1", "2")),),
                entities={"1": [(4, 5), (6, 7)], "2": [(4, 5)], "3": [(8, 9)]},
            ),
        }  # fmt: skip
        return Corpus([made[name] for name in names])

    options = {"as_one_document": True, "shared_ids": True, "repeated": "merge"}
    for names in ("ab", "ba"):
        key = corpus(*names)
        result = score(key, key, metrics=["split", "bridging-entity"], **options)
        assert result.sums("split") == (1, 1, 1, 1)
        assert result.sums("bridging-entity") == (1, 1, 1, 1)
