"""Matching of CRAFT 2019, by hand and by the values of the scorer that has it."""

from __future__ import annotations

import csv

import pytest

from corefmeter import Document, Recipe, score
from corefmeter.matching.stages import align

from ..real.shared import DATA, needs

CRAFT = DATA / "ua_cases" / "discontinuous-craft"


def pairs(key: list, response: list) -> list[tuple]:
    """The pairs of the last stage, as positions."""
    found = align(Document("x", [key]), Document("x", [response]), Recipe(match="craft"))
    return [
        (found.key.positions[m.key], found.response.positions[m.response])
        for m in found.matches
        if m.stage == "craft"
    ]


@pytest.mark.parametrize(
    ("response", "is_one"),
    [
        ((2, 5), True),  # the first piece
        ((3, 4), True),  # within it
        (((3, 4), (9, 12)), True),  # whatever else it has
        (((0, 1), (2, 4)), True),  # any piece
        ((7, 8), False),  # the second piece of the key
        ((2, 6), False),  # beyond it
        (((4, 4, 1),), False),
    ],
)
def test_a_piece_within_the_first_piece_of_the_key(response, is_one):
    key = ((2, 5), (7, 8))
    assert pairs([key], [response]) == ([(key, response)] if is_one else [])


def test_as_many_as_can_be_are_matched():
    """(0, 4) could take (1, 2) too, which is all that (1, 3) can take."""
    assert pairs([(0, 4), (1, 3)], [(1, 2), (0, 1)]) == [((0, 4), (0, 1)), ((1, 3), (1, 2))]


def test_all_pairs_weigh_the_same():
    """Of a response mention of three tokens, one piece of two lies within the key's four."""
    key, response = [(0, 4), (6, 8)], [((1, 3), (9, 10)), (6, 7)]
    found = align(Document("x", [key]), Document("x", [response]), Recipe(match="craft"))
    assert [match.weight for match in found.matches] == [1, 1]


def test_the_same_span_is_the_same_mention_first():
    assert pairs([(0, 4), (1, 2)], [(1, 2), (0, 1)]) == [((0, 4), (0, 1))]


@pytest.mark.wings
@needs("ua_cases")
def test_the_values_of_the_universal_anaphora_scorer():
    with open(CRAFT.parent / "expected.tsv", encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream, delimiter="\t")
                if row["matching"] == "partial-craft"]  # fmt: skip
    assert len(rows) == 5
    for row in rows:
        result = score(CRAFT / row["key"], CRAFT / row["response"], Recipe.preset("craft2019"))
        scores = result[row["metric"]]
        found = (scores.recall, scores.precision, scores.f1)
        expected = [float(row[name]) for name in ("recall", "precision", "f1")]
        assert found == pytest.approx(expected, abs=1e-4), row
