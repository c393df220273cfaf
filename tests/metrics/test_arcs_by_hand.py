"""ARCS (Tuggener 2014) worked by hand: each line of Tables 1 and 2, and each decision.

The name of a test holds its counts: tp, wl, fn, fp. How cases are written: see letters.py. D1 to
D14 are the decisions of docs/decisions/arcs.md.
"""

from __future__ import annotations

import pytest

from corefmeter import Document, Recipe
from corefmeter.corpus.text import Text
from corefmeter.matching.stages import align
from corefmeter.metrics.arcs import ArcsAnchor, ArcsImmediate, ArcsInferred
from corefmeter.metrics.decisions import Ordered

from .letters import document

#: What, key, response, (tp, wl, fn, fp).
IMMEDIATE = [
    ("the example of section 3.1", "ABCD", "ABD", (1, 1, 1, 0)),
    ("a perfect response", "ABCD", "ABCD", (3, 0, 0, 0)),
    ("line 1: no key entity", "", "", (0, 0, 0, 0)),
    ("line 2: the first mention is not evaluated", "A", "", (0, 0, 0, 0)),
    ("line 3: not in the response", "ABC", "", (0, 0, 2, 0)),
    ("line 3: the only mention of a response entity", "AB", "A B", (0, 0, 1, 0)),
    ("line 3: first of a response entity", "ABC", "A BC", (1, 0, 1, 0)),
    ("line 3: the first mention is missing", "ABC", "BC", (1, 0, 1, 0)),
    ("line 4: a split entity", "ABCD", "AB CD", (2, 0, 1, 0)),
    ("line 4: a missing entity does no harm to others", "ABC DEF", "ABC", (2, 0, 2, 0)),
    ("line 5: a mention is skipped", "ABC", "AC", (0, 1, 1, 0)),
    ("line 5: a spurious mention in between", "AB", "AXB", (0, 1, 0, 1)),
    ("line 5: interleaved entities merged", "AC BD", "ABCD", (0, 2, 0, 1)),
    ("line 6: no response entity", "AB", "", (0, 0, 1, 0)),
    ("line 7: the first mention of a response entity is not evaluated", "", "X", (0, 0, 0, 0)),
    ("line 8: spurious mentions", "", "XYZ", (0, 0, 0, 2)),
    ("line 8: first of a key entity, resolved to a spurious mention", "BC", "ABC", (1, 0, 0, 1)),
    ("line 8: first of a key entity, resolved to another entity", "AB CD", "ABCD", (2, 0, 0, 1)),
    ("lines 3 and 8: a wrong link the other way round", "AB", "BX", (0, 0, 1, 1)),
    ("D1: one of two copies is right", "ABC", "AB XB", (1, 0, 1, 0)),
    ("D1: both copies are wrong", "AB", "XB YB", (0, 1, 0, 0)),
    ("D1: each copy of a spurious mention", "AB", "AX BX", (0, 0, 1, 2)),
    ("D2: twice in one entity", "AB", "AABB", (1, 0, 0, 0)),
    ("D3: a key mention in two entities", "AB CB", "AB", (1, 1, 0, 0)),
    ("D4: a key singleton is not anaphoric", "A BC", "ABC", (1, 0, 0, 1)),
    ("kinds play no role", "abcd", "abd", (1, 1, 1, 0)),
]

INFERRED = [
    ("a perfect response", "Abc", "Abc", (2, 0, 0, 0)),
    ("the example of section 3.1: a skipped mention does no harm", "ABCD", "ABD", (2, 0, 1, 0)),
    ("the example of section 3.1 with pronouns", "Abcd", "Abd", (2, 0, 1, 0)),
    ("line 3: not in the response", "Ab", "", (0, 0, 1, 0)),
    ("line 3: first of a response entity", "Ab", "bX", (0, 0, 1, 1)),
    ("line 3: only pronouns before it", "Abc", "bc", (0, 0, 2, 0)),
    ("line 3: only pronouns before the noun", "AbC", "bC", (0, 0, 2, 0)),
    ("line 4: past a pronoun", "Abc", "Ac", (1, 0, 1, 0)),
    ("line 4: past a spurious pronoun", "Ab", "Axb", (1, 0, 0, 1)),
    ("line 4: a noun with a noun", "AB", "AB", (1, 0, 0, 0)),
    ("line 5: another noun", "Ab", "Xb", (0, 1, 0, 0)),
    ("line 5: another noun is closer", "Ab", "AXb", (0, 1, 0, 1)),
    ("line 5: entities merged, one noun hides the other", "Ac Bd", "ABcd", (1, 1, 0, 1)),
    ("line 8: first of a key entity", "Bc", "ABc", (1, 0, 0, 1)),
    ("line 8: entities merged", "Ab Cd", "AbCd", (2, 0, 0, 1)),
    ("line 8: a spurious pronoun", "", "Xa", (0, 0, 0, 1)),
    ("D5: a chain without a nominal is not evaluated", "ab", "ab", (0, 0, 0, 0)),
    ("D5: a chain without a nominal, missing", "ab", "", (0, 0, 0, 0)),
    ("D5: a chain without a nominal, with a nominal inferred", "ab", "Xb", (0, 1, 0, 0)),
    ("D5: pronouns at the start", "abC", "abC", (0, 0, 0, 0)),
    ("D5: pronouns at the start, missing", "abCd", "", (0, 0, 1, 0)),
    ("D5: pronouns at the start, with a nominal inferred", "abC", "Xb", (0, 1, 0, 0)),
    ("D5: the first nominal, with a nominal inferred", "aB", "XB", (0, 1, 0, 0)),
    ("D5: what follows the first nominal", "aBc", "aBc", (1, 0, 0, 0)),
    ("D6: first of a chain without a nominal, counted once", "ab", "Xab", (0, 1, 0, 1)),
    ("D6: first of a chain that begins with a pronoun", "aB", "Xa", (0, 0, 0, 1)),
    ("D6: a key singleton", "a", "Xa", (0, 0, 0, 1)),
    ("D7: a spurious pronoun after a pronoun", "", "xy", (0, 0, 0, 1)),
    ("D1: one of two copies is right", "Ab", "Xb Ab", (1, 0, 0, 0)),
    ("D3: a key mention in two entities", "Ab Cb", "Ab", (1, 1, 0, 0)),
]

#: What, key, response, detection (tp, wl, fn, fp), mentions (tp, wl, fn, fp).
ANCHOR = [
    ("a perfect response", "Abc", "Abc", (1, 0, 0, 0), (3, 0, 0, 0)),
    ("the example of section 3.3", "OPh", "Ph", (0, 0, 1, 0), (0, 0, 0, 0)),
    ("ED line 2: the first nominal", "aBCd", "Bd", (1, 0, 0, 0), (2, 0, 2, 0)),
    ("ED line 3: anywhere in a response entity", "BC", "ABC", (1, 0, 0, 1), (2, 0, 0, 1)),
    ("ED line 4: not found", "AB", "", (0, 0, 1, 0), (0, 0, 0, 0)),
    ("ED line 6: a response entity without a nominal", "", "xy", (0, 0, 0, 0), (0, 0, 0, 0)),
    ("ED line 7: a spurious entity", "", "XY", (0, 0, 0, 1), (0, 0, 0, 0)),
    ("ED line 7: a spurious name for pronouns", "ab", "Xab", (0, 0, 0, 1), (0, 0, 0, 0)),
    ("ED line 7: the anchor of a part of an entity", "ABCD", "AB CD", (1, 0, 0, 0), (2, 0, 2, 0)),
    ("EM lines 3, 4, 6", "ABc", "AcX", (1, 0, 0, 0), (2, 0, 1, 1)),
    ("D11: a chain without a nominal is left out", "ab", "ab", (0, 0, 0, 0), (0, 0, 0, 0)),
    ("D4: a key singleton is left out", "A", "AB", (0, 0, 0, 1), (0, 0, 0, 0)),
    ("D4: a response singleton finds nothing", "AB", "A", (0, 0, 1, 0), (0, 0, 0, 0)),
    ("D12: the copy with most mentions", "ABCd", "AX ABd", (1, 0, 0, 0), (3, 0, 1, 0)),
    ("D12: the first of equal copies", "ABC", "AX AYZ", (1, 0, 0, 0), (1, 0, 2, 1)),
    ("D13: entities merged", "AB CD", "ABCD", (2, 0, 0, 0), (4, 0, 0, 4)),
]  # fmt: skip


def name(case) -> str:
    what, key, response, *counts = case
    numbers = [
        " ".join(
            f"{outcome} {n}" for outcome, n in zip(("tp", "wl", "fn", "fp"), four, strict=True)
        )
        for four in counts
    ]
    return f"{what}: {key or 'nothing'} / {response or 'nothing'}: {', '.join(numbers)}"


def cases(table):
    return pytest.mark.parametrize("case", table, ids=map(name, table))


@cases(IMMEDIATE)
def test_immediate(case):
    _, key, response, counts = case
    assert ArcsImmediate().count(document(key, response)) == counts


@cases(INFERRED)
def test_inferred(case):
    _, key, response, counts = case
    assert ArcsInferred().count(document(key, response)) == counts


@cases(ANCHOR)
def test_anchor(case):
    _, key, response, detection, mentions = case
    assert ArcsAnchor().count(document(key, response)) == (*detection, *mentions)


def test_which_mention_gets_which_decision():
    """Key A-b-C-d, response A-b-d and X-C: b and d are inferred from A, C from X."""
    found = [
        (decision.mention, decision.outcome, decision.expected, decision.found)
        for decision in ArcsInferred().decisions(document("AbCd", "Abd XC"))
    ]
    assert found == [("b", "tp", "A", "A"), ("C", "wl", "A", "X"), ("d", "tp", "C", "A")]


def test_decisions_name_entities_and_sides():
    """Key AB and CD, response ABX: D is missing, X is spurious."""
    found = [
        (decision.mention, decision.outcome, decision.side, decision.entity)
        for decision in ArcsImmediate().decisions(document("AB CD", "ABX"))
    ]
    assert found == [
        ("B", "tp", "key", 0), ("D", "fn", "key", 1), ("X", "fp", "response", 0)
    ]  # fmt: skip


def test_decisions_about_mentions_of_an_entity_carry_its_anchor():
    found = [
        (decision.part, decision.mention, decision.outcome, decision.anchor)
        for decision in ArcsAnchor().decisions(document("aBc De", "aBX YZ"))
    ]
    assert found == [
        ("detection", "B", "tp", "B"),
        ("detection", "D", "fn", "D"),
        ("detection", "Y", "fp", "Y"),
        ("mentions", "a", "tp", "B"),
        ("mentions", "B", "tp", "B"),
        ("mentions", "c", "fn", "B"),
        ("mentions", "X", "fp", "B"),
    ]


def test_decisions_about_one_kind_are_counted_alone():
    """Of two pronouns one is resolved; of the entity of a name one mention is missing."""
    kinds = {"Obama": "name", "he": "pronoun", "his": "pronoun"}
    document = Ordered([["Obama", "he", "his"]], [["Obama", "he"], ["his"]], kinds.get)
    assert ArcsImmediate(only="pronoun").count(document) == (1, 0, 1, 0)
    assert ArcsInferred(only="pronoun").count(document) == (1, 0, 1, 0)
    assert ArcsImmediate(only="name").count(document) == (0, 0, 0, 0)
    assert ArcsAnchor(only="name").count(document) == (1, 0, 0, 0, 2, 0, 1, 0)
    assert ArcsAnchor(only="pronoun").count(document) == (0,) * 8


def test_the_key_says_of_which_kind_a_mention_of_both_sides_is():
    """ "It" is a pronoun in the key and a noun in the response."""
    key, response = (
        Document("x", [[(0, 1), (1, 2)]], text=Text(["Rex", "it"], pos=["NNP", tag]))
        for tag in ("PRP", "NN")
    )
    alignment = align(key, response, Recipe())
    assert ArcsImmediate(only="pronoun").aligned_statistics(alignment) == (1, 0, 0, 0)
    assert ArcsImmediate(only="nominal").aligned_statistics(alignment) == (0, 0, 0, 0)
