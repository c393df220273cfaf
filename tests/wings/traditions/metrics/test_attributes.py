"""CEAF with attributes: worked out by hand, and CEAF itself where no attribute counts."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import corefmeter
from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Detail, Text
from corefmeter.metrics.base import ratios
from corefmeter.problems import OptionError
from corefmeter.wings.traditions.metrics.attributes import AttributeSimilarity, ceaf_attributes

LEVELS = {"NAM": 1.0, "NOM": 0.5, "PRO": 0.1}


def document(*entities) -> Document:
    """Entities ``(type, [(span, kind), …])``."""
    return Document(
        "x",
        [[span for span, _ in mentions] for _, mentions in entities],
        details=[
            [Detail(kind=kind, entity_type=type) for _, kind in mentions]
            for type, mentions in entities
        ],
    )


ANN = ("PER", [((0, 4), "name"), ((6, 7), "pronoun")])


def test_levels_come_from_tags_where_nothing_else_says_them():
    """Ann (1) is found of Ann and her (0.25): recall 1/1.25."""
    text = Text(["Ann", "saw", "her"], upos=["PROPN", "VERB", "PRON"])
    key, response = (Document("x", [e], text=text) for e in ([(0, 1), (2, 3)], [(0, 1)]))
    row = ceaf_attributes(key, response, AttributeSimilarity(levels={"PRO": 0.25}))
    assert row == (1, 1.25, 1, 1)


def test_by_default_it_is_mention_based_ceaf():
    """{1 2 3} and {4} against {1 2} and {3 4}: the best map shares 2 + 1 of 4 and of 4."""
    key = Document("x", [[(1, 2), (2, 3), (3, 4)], [(4, 5)]])
    response = Document("x", [[(1, 2), (2, 3)], [(3, 4), (4, 5)]])
    assert ceaf_attributes(key, response) == (3, 4, 3, 4)


def test_relative_is_entity_based_ceaf():
    """2*2/(3+2) + 2*1/(1+2) = 4/5 + 2/3 of 2 and of 2."""
    key = Document("x", [[(1, 2), (2, 3), (3, 4)], [(4, 5)]])
    response = Document("x", [[(1, 2), (2, 3)], [(3, 4), (4, 5)]])
    total, *rest = ceaf_attributes(key, response, AttributeSimilarity(relative=True))
    assert total == pytest.approx(4 / 5 + 2 / 3, abs=1e-15)
    assert rest[0::2] == [2, 2]


@pytest.mark.parametrize(
    ("spans", "credit"), [("exact", 0), ("dice", 2 * 2 / 6), ("jaccard", 2 / 4)]
)
def test_partial_credit_for_spans(spans, credit):
    """4 tokens of the key, 2 of them in the response; the pronoun counts 1."""
    response = document(("PER", [((2, 4), "name"), ((6, 7), "pronoun")]))
    row = ceaf_attributes(document(ANN), response, AttributeSimilarity(spans=spans))
    assert row == (pytest.approx(1 + credit, abs=1e-15), 2, pytest.approx(1 + credit), 2)


def test_a_mention_is_mapped_once():
    """Two mentions inside of one: only one of them gets the credit 2*2/(4+2), the other none."""
    key = Document("x", [[(0, 4)]])
    response = Document("x", [[(0, 2), (2, 4)]])
    row = ceaf_attributes(key, response, AttributeSimilarity(spans="dice"))
    assert row == (pytest.approx(2 / 3), 1, pytest.approx(2 / 3), 2)


def test_levels_weigh():
    """The name, 1 of 1.1, is found, and a nominal, 0.5, invented."""
    response = document(("PER", [((0, 4), "name"), ((9, 10), "nominal")]))
    row = ceaf_attributes(document(ANN), response, AttributeSimilarity(levels=LEVELS))
    assert row == (1, pytest.approx(1.1), 1, 1.5)


def test_levels_and_types_that_are_confused():
    """The name is taken for a nominal: min(1, 0.5) * 0.8; the entity for an ORG: times 0.25.

    The pronoun counts 0.1: (0.4 + 0.1) * 0.25 = 0.125.
    """
    similarity = AttributeSimilarity(
        levels=LEVELS,
        level_confusion={("NAM", "NOM"): 0.8},
        type_confusion={("PER", "ORG"): 0.25},
        other_type=0,
    )
    response = ("ORG", [((0, 4), "nominal"), ((6, 7), "pronoun")])
    row = ceaf_attributes(document(ANN), document(response), similarity)
    assert row == (pytest.approx(0.125), pytest.approx(1.1), pytest.approx(0.125), 0.6)
    other = ("GPE", response[1])
    assert ceaf_attributes(document(ANN), document(other), similarity)[0] == 0


def test_what_is_not_known_is_not_confused():
    similarity = AttributeSimilarity(other_type=0, other_level=0)
    plain = Document("x", [[(0, 4), (6, 7)]])
    assert ceaf_attributes(document(ANN), plain, similarity) == (2, 2, 2, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"spans": "dise"}, "did you mean 'dice'"),
        ({"levels": {"NAM": -1}}, "0 or more"),
        ({"type_confusion": {("A", "B"): 1.5}}, "not 0 to 1"),
        ({"type_confusion": {("A", "A"): 0.5}}, "for itself"),
        ({"other_level": 2}, "not 0 to 1"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(OptionError, match=message):
        AttributeSimilarity(**options)


def random_document(chance: random.Random) -> Document:
    entities: dict[int, list] = {}
    for token in range(12):
        if chance.random() < 0.7:
            entities.setdefault(chance.randrange(4), []).append((token, token + 1))
    return document(
        *(
            (chance.choice(["PER", "ORG", None]),
             [(span, chance.choice(["name", "nominal", "pronoun"])) for span in mentions])
            for mentions in entities.values()
        )
    )  # fmt: skip


def test_names_of_the_same_letters_share_nothing():
    assert ceaf_attributes(Document("x", [["ab"]]), Document("x", [["ba"]])) == (0, 1, 0, 1)


def test_without_attributes_it_is_ceaf_on_random_documents():
    chance = random.Random(5)
    for _ in range(300):
        key, response = random_document(chance), random_document(chance)
        result = corefmeter.score(key.entities, response.entities, metrics="ceafm,ceafe")
        for metric, relative in (("ceafm", False), ("ceafe", True)):
            row = ceaf_attributes(key, response, AttributeSimilarity(relative=relative))
            scores = ratios(*row)
            assert scores.recall == pytest.approx(result[metric].recall, abs=1e-12)
            assert scores.precision == pytest.approx(result[metric].precision, abs=1e-12)


def test_it_is_symmetric_bounded_and_perfect_for_the_same():
    chance = random.Random(6)
    options = {"spans": "dice", "levels": LEVELS, "other_level": 0.9, "other_type": 0.5}
    for _ in range(200):
        similarity = AttributeSimilarity(**options, relative=chance.random() < 0.5)
        key, response = random_document(chance), random_document(chance)
        there = ratios(*ceaf_attributes(key, response, similarity))
        back = ratios(*ceaf_attributes(response, key, similarity))
        assert there.f1 == pytest.approx(back.f1, abs=1e-12)
        assert there.recall == pytest.approx(back.precision, abs=1e-12)
        assert 0 <= there.recall <= 1 + 1e-12
        if key.entities:
            same = ratios(*ceaf_attributes(key, key, similarity))
            assert same.f1 == pytest.approx(Fraction(1), abs=1e-12)
