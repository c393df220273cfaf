"""The ACE value: worked out by hand, and against every map there is.

Documents are written as entities ``(type, mentions)``; a mention is a place, a level and perhaps
more. Unless a test says otherwise the table is ``ace2007`` weighted by mention: all types weigh 1,
class SPC 1 and others 0; NAM 1, NOM 0.5, PRO 0.1; other type 0.5, subtype 0.9, class 0.75, level
0.9; a false alarm costs 0.75 of its worth, a mention left over in an entity found 0.75 of its
weight.
"""

from __future__ import annotations

import random
import re
from dataclasses import fields, replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

import corefmeter
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.text import Detail, Text
from corefmeter.problems import DataError, OptionError
from corefmeter.wings.traditions.metrics.ace import ace_corpora, ace_value
from corefmeter.wings.traditions.metrics.ace_costs import AceValue
from corefmeter.wings.traditions.metrics.ace_weights import TABLES, AceWeights, ace_options

#: The weights of 2007 where an entity is worth the sum of its mentions.
BY_MENTION = TABLES["ace2007"].replace(["weighting=mention"])

KINDS = {"NAM": "name", "NOM": "nominal", "PRO": "pronoun", None: None}


def mention(place, level: str | None = "NAM", **attributes) -> tuple:
    span = place if isinstance(place, tuple) else (place, place + 1)
    return span, level, attributes


def document(*entities, name: str = "x", text: Text | None = None) -> Document:
    """Entities ``(type, [mention, …])``, or with ``{subtype, class}`` as a third."""
    details = []
    for type, mentions, *more in entities:
        known = more[0] if more else {}
        details.append(
            [
                Detail(kind=KINDS[level], entity_type=type, attributes={**known, **attributes})
                for _, level, attributes in mentions
            ]
        )
    spans = [[span for span, _, _ in entity[1]] for entity in entities]
    return Document(name, spans, details=details, text=text)


def value(key, response, weights: str | AceWeights = BY_MENTION) -> float:
    return ace_value(document(*key), document(*response), weights).value


ANN = ("PER", [mention(0, "NAM"), mention(4, "NOM"), mention(8, "PRO")])  # 1 + .5 + .1 = 1.6
ACME = ("ORG", [mention(2, "NAM")])  # 1
DOG = ("PER", [mention(6, "PRO")])  # .1


# By hand


@pytest.mark.parametrize("table", TABLES)
def test_perfect_is_100(table):
    """(1.6 + 1 + 0.1) / 2.7 and the like: each entity is worth itself in every table."""
    assert value([ANN, ACME, DOG], [ANN, ACME, DOG], table) == 100


@pytest.mark.parametrize("table", TABLES)
def test_an_empty_response_is_0(table):
    assert value([ANN, ACME], [], table) == 0


TAGGED = Text(["Ann", "saw", "her", "dog"], upos=["PROPN", "VERB", "PRON", "NOUN"],
              entity_types=[(0, 1, "PER")])  # fmt: skip


@pytest.mark.parametrize("with_words", [TAGGED, Text(["Ann", "saw", "her", "dog"])])
def test_levels_and_types_are_those_of_errors(with_words):
    """Ann, a name (1), is found, and her, a pronoun (0.1), is invented: 100 * (1 - .75 * .1)/1.1.

    The response has words only, or the same tags; its features are those of the key.
    """
    key = Document("x", [[(0, 1), (2, 3)]], text=TAGGED)
    response = Document("x", [[(0, 1)], [(2, 3)]], text=with_words)
    total, _, problems = ace_corpora(Corpus([key]), Corpus([response]), BY_MENTION)
    assert total.value == pytest.approx(100 * (1 - 0.075) / 1.1)
    assert not problems
    kinds = corefmeter.analyse(Corpus([key]), Corpus([response])).summary["mention_counts"]
    assert kinds["key"] == 2
    assert {name: costs.key for name, costs in total.mentions_by_level.items()} == {
        "NAM": 1, "PRO": 1,
    }  # fmt: skip
    # The entity of her has no type in the response: "her" is no named entity.
    assert {name: costs.response for name, costs in total.by_type.items()} == {"PER": 1, "-": 1}


def test_what_the_file_says_comes_before_what_tags_say():
    """Ann is said to be a pronoun: the key is worth 0.1 + 0.1, and 0.1 - .075 is found."""
    details = [[Detail(kind="pronoun"), Detail()]]
    key = Document("x", [[(0, 1), (2, 3)]], text=TAGGED, details=details)
    response = Document(
        "x", [[(0, 1)], [(2, 3)]], text=TAGGED, details=[[details[0][0]], [Detail()]]
    )
    assert ace_value(key, response, BY_MENTION).value == pytest.approx(100 * 0.025 / 0.2)


def test_a_missed_entity():
    """ACME, 1 of 2.6, is missed: 100 * 1.6/2.6."""
    assert value([ANN, ACME], [ANN]) == pytest.approx(100 * 1.6 / 2.6, abs=1e-12)


def test_false_alarms_may_make_the_value_negative():
    """Nothing of ACME (1) is found; ANN costs 0.75 * 1.6 = 1.2: 100 * (0 - 1.2)/1."""
    assert value([ACME], [ANN]) == -120


def test_a_false_alarm_beside_what_is_right():
    """ACME is found, worth 1; DOG costs 0.75 * 0.1 = 0.075: 100 * (1 - 0.075)/1."""
    assert value([ACME], [ACME, DOG]) == 92.5


def test_a_wrong_type_halves_an_entity():
    """100 * 0.5 * 1/1."""
    assert value([ACME], [("GPE", ACME[1])]) == 50


def test_a_wrong_subtype():
    """100 * 0.9."""
    key = [("ORG", ACME[1], {"subtype": "Media"})]
    assert value(key, [("ORG", ACME[1], {"subtype": "Sports"})]) == 90


def test_a_wrong_class_counts_by_the_weight_of_the_lesser_class():
    """SPC for GEN weighs min(1, 0) = 0; where GEN weighs 0.4, min(1, 0.4) * 0.75 = 0.3."""
    key, response = [("ORG", ACME[1], {"class": "SPC"})], [("ORG", ACME[1], {"class": "GEN"})]
    assert value(key, response) == 0
    assert value(key, response, BY_MENTION.replace(["class:GEN=0.4"])) == 30


def test_all_attributes_of_an_entity_wrong():
    """0.5 * 0.9 * 0.75 = 0.3375, where all classes weigh 1."""
    key = [("ORG", ACME[1], {"subtype": "Media", "class": "SPC"})]
    response = [("GPE", ACME[1], {"subtype": "Nation", "class": "USP"})]
    assert value(key, response, BY_MENTION.replace(["class:USP=1"])) == 33.75


def test_a_generic_entity_of_the_response_costs_nothing():
    """GEN weighs 0, so its false alarm is free: 100 * 1/1."""
    assert value([ACME], [ACME, ("PER", [mention(9)], {"class": "GEN"})]) == 100


def test_types_weigh_by_the_table_of_2003():
    """ANN, PER 1 * (1 + 0.2 + 0.04) = 1.24, is found; ACME, ORG 0.5 * 1, missed: 1.24/1.74."""
    assert value([ANN, ACME], [ANN], "ace2003") == pytest.approx(124 / 1.74, abs=1e-12)


def test_a_wrong_type_weighs_by_the_lesser_type():
    """PER for FAC in 2003: min(1, 0.05) * 0.5 = 0.025 of 1."""
    assert value([("PER", ACME[1])], [("FAC", ACME[1])], "ace2003") == 2.5


def test_the_pronoun_is_missed_and_the_name_is_missed():
    """Without the pronoun 1.5/1.6; without the name 0.6/1.6."""
    assert value([ANN], [("PER", ANN[1][:2])]) == 93.75
    assert value([ANN], [("PER", ANN[1][1:])]) == 37.5


def test_a_wrong_level():
    """Key NAM, response NOM: min(1, 0.5) * 0.9 = 0.45 of 1; the other way 0.45 of 0.5."""
    name, nominal = [("PER", [mention(0, "NAM")])], [("PER", [mention(0, "NOM")])]
    assert value(name, nominal) == 45
    assert value(nominal, name) == 90


def test_a_wrong_role_and_style():
    """0.9 * 0.9 = 0.81."""
    key = [("GPE", [mention(0, "NAM", role="ORG", style="LITERAL")])]
    response = [("GPE", [mention(0, "NAM", role="LOC", style="METONYMIC")])]
    assert value(key, response) == 81


def test_a_mention_that_is_none_in_an_entity_that_is_found():
    """ACME with a false NOM: 1 - 0.75 * 0.5 = 0.625; in 2005 such a mention is free: 1."""
    response = [("ORG", [mention(2, "NAM"), mention(9, "NOM")])]
    assert value([ACME], response) == 62.5
    assert value([ACME], response, "ace2005") == 100


def test_a_mention_mapped_to_the_wrong_entity():
    """The NOM of ANN stands in ACME. ANN keeps 1.1; ACME 1 - 0.75 * 0.5 = 0.625: 1.725/2.6.

    In 2005 the mention costs nothing in ACME: (1.1 + 1)/2.6.
    """
    response = [
        ("PER", [mention(0, "NAM"), mention(8, "PRO")]),
        ("ORG", [mention(2, "NAM"), mention(4, "NOM")]),
    ]
    assert value([ANN, ACME], response) == pytest.approx(172.5 / 2.6, abs=1e-12)
    assert value([ANN, ACME], response, "ace2005") == pytest.approx(210 / 2.6, abs=1e-12)


def test_one_entity_for_two():
    """ANN and ACME as one PER. To ANN: 1.6 - 0.75 * 1 = 0.85; ACME is missed: 0.85/2.6.

    To ACME it would be worth 0.5 * 1 - 0.75 * 0.6 = 0.05.
    """
    response = [("PER", ANN[1] + ACME[1])]
    assert value([ANN, ACME], response) == pytest.approx(85 / 2.6, abs=1e-12)


def test_two_entities_for_one():
    """The name alone maps to ANN, worth 1; the rest is a false alarm of 0.75 * 0.6 = 0.45.

    (1 - 0.45)/1.6 = 34.375 %. Mapped the other way: (0.6 - 0.75)/1.6 is less.
    In 2005 both mentions of the false alarm are mentions of the key, which is free: 1/1.6 = 62.5.
    """
    response = [("PER", ANN[1][:1]), ("PER", ANN[1][1:])]
    assert value([ANN], response) == 34.375
    assert value([ANN], response, "ace2005") == 62.5


def test_false_alarms_of_2005_count_twice():
    """0.75 for the entity, 0.75 for each mention: 1 - 0.5625."""
    assert value([ACME], [ACME, ("PER", [mention(9)])], "ace2005") == 43.75


def test_a_tie_has_the_same_value_whatever_the_order():
    """Two names of one entity, each an entity of the response: one is mapped, 1/2 of 2 names; the
    other costs 0.75: (1 - 0.75)/2 = 12.5 %.
    """
    key = [("PER", [mention(0), mention(2)])]
    one, other = ("PER", [mention(0)]), ("PER", [mention(2)])
    assert value(key, [one, other]) == value(key, [other, one]) == 12.5
    result = ace_value(document(*key), document(one, other), BY_MENTION)
    assert len(result.pairs) == 1


def test_levels_of_2008():
    """Weighted by level, ANN is worth 1, DOG 0.1; each mention its share of the entity.

    Without its pronoun ANN is worth 1.5/1.6 * 1; DOG is missed: 0.9375/1.1.
    """
    response = [("PER", ANN[1][:2])]
    assert value([ANN, DOG], response, "ace2008") == pytest.approx(93.75 / 1.1, abs=1e-12)


@pytest.mark.parametrize("table", ["ace2007", "ace2008"])
def test_the_level_of_a_pair_is_that_of_the_key(table):
    """Only the pronoun of ANN is found: the entity at level NAM, 1/1.6 a unit, times 0.1."""
    response = [("PER", ANN[1][2:])]
    assert value([ANN], response, table) == pytest.approx(100 * 0.1 / 1.6, abs=1e-12)


def test_a_mention_left_over_costs_by_the_entity_of_the_response():
    """e(k, r) is 0.9, for another subtype, but the surplus NOM costs 0.75 * 0.5 of e(r, r) = 1.

    By mention 0.9 - 0.375; by level the response is worth 1/1.5 a unit: 0.9 - 0.375/1.5.
    """
    key = [("PER", [mention(0)], {"subtype": "Individual"})]
    response = [("PER", [mention(0), mention(9, "NOM")], {"subtype": "Group"})]
    assert value(key, response) == pytest.approx(52.5, abs=1e-12)
    assert value(key, response, "ace2007") == pytest.approx(65, abs=1e-12)
    # Nothing is lost of a generic key, but the response is specific: it costs 0.375 of 1.
    key = [("PER", [mention(0)], {"class": "GEN"}), ACME]
    response = [("PER", [mention(0), mention(9, "NOM")], {"class": "SPC"}), ACME]
    assert value(key, response) == 62.5
    assert value(key, response, "ace2007") == 75


def test_a_metonymic_name_is_a_nominal_of_its_entity_in_2008():
    """A place by its name for those who govern it: 0.5 missed of 1.5; in 2007 1 of 2."""
    key = [("ORG", [mention(2, style="METONYMIC")]), ("PER", [mention(0)])]
    response = [("PER", [mention(0)])]
    assert value(key, response, "ace2008") == pytest.approx(100 / 1.5, abs=1e-12)
    assert value(key, response, "ace2007") == 50
    found = ace_value(document(*key), document(*response), "ace2008")
    assert list(found.by_level) == ["NAM", "NOM"]


def test_a_pair_that_is_worth_nothing_does_not_correspond():
    """PRE weighs 0 and so does the pair: the name is a false alarm, 0.75 * 0.75 in 2005."""
    key = [("PER", [((0, 1), None, {"level": "PRE"})]), ("PER", [mention(6)])]
    response = [("PER", [mention(0)]), ("PER", [mention(6)])]
    assert value(key, response, "ace2005") == pytest.approx(43.75, abs=1e-12)


def test_an_entity_of_no_worth_in_the_response_is_mapped():
    """A generic ORG is worth 0, and so is the pair: an error of 1 of 2, no miss, no false alarm."""
    key = document(("PER", [mention(0)]), ("ORG", [mention(2)], {"class": "SPC"}))
    response = document(("PER", [mention(0)]), ("ORG", [mention(2)], {"class": "GEN"}))
    costs = ace_value(key, response, BY_MENTION).entities
    assert (costs.missed, costs.false_alarms, costs.errors) == (0, 0, 1)
    assert (costs.error, costs.miss, costs.value) == (1, 0, 50)


def test_texts_are_compared_without_case_and_without_signs():
    def texts(key: str, response: str) -> float:
        one, other = (
            [("PER", [mention(0, "NAM", text=text)])] for text in (key, response)
        )  # fmt: skip
        return value(one, other)

    assert texts("ACME", "acme") == 100
    assert texts(" .", "!") == 100
    assert texts("a", "!") == -75


def test_a_run_is_a_part_of_the_longer_text():
    """They share 2 of 6 letters, then 2 of 7, which is less than 0.3."""
    key = [("PER", [mention(0, "NAM", text="ab")])]
    for text, expected in (("abcdef", 100), ("abcdefg", -75)):
        assert value(key, [("PER", [mention(0, "NAM", text=text)])]) == expected
        assert value([("PER", [mention(0, "NAM", text=text)])], key) == expected


def test_a_false_alarm_of_2008():
    """0.75 * 1 (level NAM), not 0.75 * 1.6."""
    assert value([ACME], [ANN], "ace2008") == -75


def test_heads_must_share_three_tenths_of_the_longer():
    """Heads of 10 and 3 characters, inside of each other: 0.3 is enough; of 11 and 3 it is not.

    Not mapped: the entity is missed and a false alarm, -75.
    """
    key = [("PER", [mention((0, 20), "NAM", head=(0, 10))])]
    longer = [("PER", [mention((0, 20), "NAM", head=(0, 11))])]
    response = [("PER", [mention((0, 8), "NAM", head=(2, 5))])]
    assert value(key, response) == 100
    assert value(longer, response) == -75


def test_without_a_head_the_whole_mention_is_compared():
    """3 of 10 tokens shared, then 2 of 10."""
    key = [("PER", [mention((0, 10))])]
    assert value(key, [("PER", [mention((7, 10))])]) == 100
    assert value(key, [("PER", [mention((8, 10))])]) == -75


def test_texts_of_heads_must_share_a_run():
    """They share a place but no letter; in 2008 texts are not compared."""
    key = [("PER", [mention(0, "NAM", text="abc")])]
    response = [("PER", [mention(0, "NAM", text="xyz")])]
    assert value(key, response) == -75
    assert value(key, response, "ace2008") == 100


def test_what_is_not_known_differs_from_nothing():
    """No types, no levels: every mention weighs 1, as many as are right: 2 of 3, none invented."""
    key = Document("x", [[(0, 1), (2, 3), (4, 5)]])
    response = Document("x", [[(0, 1), (2, 3)]])
    assert ace_value(key, response, BY_MENTION).value == pytest.approx(200 / 3, abs=1e-12)
    typed = document(("PER", [mention(0, None), mention(2, None), mention(4, None)]))
    assert ace_value(typed, response, BY_MENTION).value == pytest.approx(200 / 3, abs=1e-12)


def test_names_without_positions_are_compared_as_they_are():
    key, response = Document("x", [["Ann", "she"]]), Document("x", [["Ann", "it"]])
    # 1 of 2 found, one surplus: (1 - 0.75)/2
    assert ace_value(key, response, BY_MENTION).value == 12.5


def test_what_is_worth_nothing_is_not_missed_where_it_is_found():
    """A generic entity, and a mention PRE of weight 0: found, they are neither missed nor false."""
    generic = ("PER", [mention(6), mention(9, "PRO")], {"class": "GEN"})
    modifier = ("ORG", [mention(2), ((4, 5), None, {"level": "PRE"})])
    key = document(generic, modifier)
    for table in TABLES:
        found = ace_value(key, key, table)
        assert found.value == 100
        for costs in (found.entities, found.mentions, found.by_class["GEN"]):
            assert (costs.missed, costs.false_alarms, costs.errors) == (0, 0, 0), table
        assert {pair[1:3] for pair in found.pairs} == {("0", "0"), ("1", "1")}
    # Not found, they are missed, at no cost.
    lost = ace_value(key, document(("ORG", [mention(2)])), BY_MENTION)
    assert (lost.entities.missed, lost.mentions.missed, lost.value) == (1, 3, 100)


def test_a_worthless_part_does_not_take_the_partner_of_another():
    """PRE (0) and NAM (1) of the key cover one response mention: NAM takes it."""
    key = [("ORG", [((2, 4), None, {"level": "PRE"}), mention((2, 5))])]
    found = ace_value(document(*key), document(("ORG", [mention((2, 4))])), BY_MENTION)
    assert found.value == 100
    assert (found.mentions.missed, found.mentions.false_alarms) == (1, 0)


def test_weights_of_other_libraries_are_numbers():
    class Float64(float):
        def __repr__(self) -> str:
            return f"np.float64({float(self)!r})"

    weights = AceWeights(types={"PER": Float64(0.3), "ORG": 1.0})
    assert ace_value(document(ANN), document(ANN), weights).entities.worth == Fraction("0.9")


def test_a_key_worth_nothing_is_undefined():
    result = ace_value(document(), document(ACME), BY_MENTION)
    assert result.value != result.value
    assert result.to_dict()["value"] is None
    assert result.entities.false_alarm == Fraction(3, 4)


# The decomposition


def test_costs_by_type_and_level():
    """ANN loses its pronoun (0.1), ACME is taken for a GPE (0.5), a false PER name costs 0.75.

    By type: PER worth 1.6: false alarm 0.75, error 0.1; ORG worth 1: error 0.5.
    By mention level: NAM worth 2: error 0.5, false alarm 0.75; PRO worth 0.1: missed.
    Value: 100 * (2.6 - 1.35)/2.6.
    """
    response = document(("PER", ANN[1][:2]), ("GPE", ACME[1]), ("PER", [mention(20)]))
    result = ace_value(document(ANN, ACME), response, BY_MENTION)
    person, organisation = result.by_type["PER"], result.by_type["ORG"]
    assert list(result.by_type) == ["ORG", "PER"]
    assert (person.key, person.response, person.missed) == (1, 2, 0)
    assert (person.false_alarms, person.errors) == (1, 1)
    assert (person.worth, person.false_alarm, person.error) == (
        Fraction("1.6"), Fraction("0.75"), Fraction("0.1")
    )  # fmt: skip
    assert (organisation.worth, organisation.error) == (1, Fraction("0.5"))
    assert organisation.value == 50
    names, pronouns = result.mentions_by_level["NAM"], result.mentions_by_level["PRO"]
    assert (names.worth, names.error, names.false_alarm, names.errors) == (
        2, Fraction("0.5"), Fraction("0.75"), 1
    )  # fmt: skip
    assert (pronouns.key, pronouns.missed, pronouns.miss) == (1, 1, Fraction("0.1"))
    assert result.value == pytest.approx(125 / 2.6, abs=1e-12)
    assert [pair[1:] for pair in result.pairs] == [("0", "0", 1.5), ("1", "1", 0.5)]


def test_documents_add_up():
    """ANN found in one, ACME missed in the other: 1.6/2.6."""
    total, by_document, problems = ace_corpora(
        Corpus([document(ANN, name="a"), document(ACME, name="b")]),
        Corpus([document(ANN, name="a"), document(name="b")]),
        BY_MENTION,
    )
    assert (total.documents, [v.value for _, v in by_document]) == (2, [100, 0])
    assert total.value == pytest.approx(160 / 2.6, abs=1e-12)
    assert problems == []
    assert total.by_type["ORG"].missed == 1
    parts = [v for _, v in by_document]
    assert (parts[1] + parts[0]).entities == total.entities


def test_values_of_different_weights_do_not_add_up():
    one = ace_value(document(ANN), document(ANN), BY_MENTION)
    with pytest.raises(OptionError, match="do not add up"):
        _ = one + ace_value(document(ANN), document(ANN), "ace2008")


def test_documents_of_the_response_alone():
    key, response = Corpus([document(ACME, name="a")]), Corpus([
        document(ACME, name="a"), document(ACME, name="b")
    ])  # fmt: skip
    assert ace_corpora(key, response, BY_MENTION)[0].value == 100
    assert ace_corpora(key, response, BY_MENTION, "strict")[0].value == 25  # 1 - 0.75


def test_corpora_without_types_and_levels_are_warned_about():
    plain = Corpus([Document("x", [[(0, 1)]])])
    problems = ace_corpora(plain, plain)[2]
    assert [p.code for p in problems] == ["no-details", "no-details"]
    for known in ("PER", None), (None, "NAM"):
        described = Corpus([document((known[0], [mention(0, known[1])]))])
        assert ace_corpora(described, described)[2] == []


# Weights


def test_a_type_without_a_weight_is_an_error_that_lists_those_that_have_one():
    with pytest.raises(DataError) as caught:
        value([("DISEASE", [mention(0)])], [])
    (problem,) = caught.value.problems
    assert problem.code == "unknown-weight"
    assert "PER, ORG, GPE, LOC, FAC, VEH, WEA" in problem.message
    assert "type:DISEASE=1" in problem.hint
    assert value([("DISEASE", [mention(0)])], [], BY_MENTION.replace(["type:*=1"])) == 0


def test_a_type_without_a_weight_is_told_once_for_all_documents():
    side = Corpus([document(("DISEASE", [mention(0)]), name=name) for name in "abc"])
    with pytest.raises(DataError) as caught:
        ace_corpora(side, Corpus([document(name=name) for name in "abc"]))
    assert [(p.code, p.count) for p in caught.value.problems] == [("unknown-weight", 3)]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("type_error", "NAME=VALUE"),
        ("type_eror=1", "did you mean 'type_error'"),
        ("type:PER=x", "not a number"),
        ("type:PER=-1", "from 0 to 1e50"),
        ("false_alarm=inf", "from 0 to 1e50"),
        ("type:PER=1e51", "from 0 to 1e50"),
        ("weighting=best", "unknown weighting"),
        ("metonymic=2", "0 or 1"),
        ("name=x", "unknown weight"),
    ],
)
def test_settings_that_are_refused(setting, message):
    with pytest.raises(OptionError, match=message):
        BY_MENTION.replace([setting])


def test_every_weight_can_be_set():
    table = BY_MENTION.replace(["type:PER=0.5", "false_alarm=0", "weighting=level"])
    assert (table.name, table.types["PER"], table.false_alarm) == ("ace2007*", 0.5, 0)
    assert table.replace([]) is table
    assert table.replace(["metonymic=1", "mapping=mention"]).metonymic is True
    with pytest.raises(OptionError, match="ace2005"):
        ace_value(document(), document(), "ace2006")


def test_tables_say_where_they_come_from():
    assert all(table.source for table in TABLES.values())
    memory = {name for name, table in TABLES.items() if "memory" in table.source}
    assert memory == {"ace2003", "ace2004"}


# Luo 2005, section 3.2.2: "CEAF is symmetric, but ACE-Value is not."


def test_ceaf_is_symmetric_and_the_ace_value_is_not():
    """ANN as key of ANN and ACME: 100 * (1.6 - 0.75)/1.6; the other way 100 * 1.6/2.6."""
    a, b = document(ANN), document(ANN, ACME)
    assert ace_value(a, b, BY_MENTION).value == pytest.approx(100 * 0.85 / 1.6, abs=1e-12)
    assert ace_value(b, a, BY_MENTION).value == pytest.approx(100 * 1.6 / 2.6, abs=1e-12)
    one = corefmeter.score(a.entities, b.entities, metrics="ceafm,ceafe")
    other = corefmeter.score(b.entities, a.entities, metrics="ceafm,ceafe")
    for metric in ("ceafm", "ceafe"):
        assert one[metric].f1 == other[metric].f1


# Against every map


def maps(rows: int, columns: int):
    """All one-to-one maps, as tuples of the column of each row, or None."""
    places = [*range(columns), *[None] * rows]
    return {tuple(chosen) for chosen in permutations(places, rows)}


def slow_value(key: list, response: list, table: AceWeights) -> tuple[Fraction, Fraction] | None:
    """The greatest total and the key's worth by the definition, with one weighting."""

    def exact(number: float) -> Fraction:
        return Fraction(str(number))

    def weight(m) -> Fraction:
        return exact(table.levels[m[1]])

    def alike(m, n) -> bool:
        one, other = set(range(*m[0])), set(range(*n[0]))
        longer = max(len(one), len(other))
        return len(one & other) / longer >= 0.3

    def cost(n, factor: float, known: float) -> Fraction:
        is_known = any(alike(m, n) for _, mentions, _ in key for m in mentions)
        return weight(n) * exact(factor) * (exact(known) if is_known else 1)

    def entity(e, f) -> Fraction:
        worth = min(exact(table.types[e[0]]), exact(table.types[f[0]]))
        worth *= min(exact(table.classes[e[2]["class"]]), exact(table.classes[f[2]["class"]]))
        for name, differ in (("type_error", e[0] != f[0]),
                             ("class_error", e[2]["class"] != f[2]["class"])):  # fmt: skip
            worth *= exact(getattr(table, name)) if differ else 1
        return worth

    def score(e, f) -> Fraction | None:
        """Of the best map of mentions; None if no mentions may be mapped."""
        best = None
        for chosen in maps(len(e[1]), len(f[1])):
            pairs = [(m, f[1][c]) for m, c in zip(e[1], chosen, strict=True) if c is not None]
            if not pairs or not all(alike(m, n) for m, n in pairs):
                continue
            left = [n for i, n in enumerate(f[1]) if i not in chosen]
            total = Fraction(0)
            for m, n in pairs:
                error = exact(table.level_error) if m[1] != n[1] else 1
                total += min(weight(m), weight(n)) * error
            total *= entity(e, f) * unit(e)
            for n in left:
                total -= entity(f, f) * unit(f) * cost(n, table.surplus, table.surplus_known)
            best = total if best is None else max(best, total)
        return best

    def alarm(f) -> Fraction:
        mentions = sum(
            (cost(n, table.false_alarm_mention, table.false_alarm_known) for n in f[1]), Fraction(0)
        )
        return exact(table.false_alarm) * entity(f, f) * unit(f) * mentions

    def unit(e) -> Fraction:
        """Of mention weight: the highest level of an entity over the weights of its mentions."""
        if table.weighting == "mention":
            return Fraction(1)
        return max(map(weight, e[1])) / sum(map(weight, e[1]))

    scores = [[score(e, f) for f in response] for e in key]
    alarms = [alarm(f) for f in response]
    best = None
    for chosen in maps(len(key), len(response)):
        values = [scores[k][r] for k, r in enumerate(chosen) if r is not None]
        if None in values:
            continue
        total = sum(values, Fraction(0)) - sum(
            (alarms[r] for r in range(len(response)) if r not in chosen), Fraction(0)
        )
        best = total if best is None else max(best, total)
    return best, sum((entity(e, e) * unit(e) * sum(map(weight, e[1])) for e in key), Fraction(0))


def invented(chance: random.Random, tokens: int) -> list:
    """A small side: mentions at random places, each in one of few entities."""
    places = chance.sample(range(tokens), chance.randint(0, 6))
    entities: dict[int, list] = {}
    for place in places:
        home = entities.setdefault(chance.randrange(3), [])
        level = chance.choice(["NAM", "NOM", "PRO"])
        if len(home) < 3:
            home.append(mention((place, place + chance.randint(1, 4)), level))
    return [
        (chance.choice(["PER", "ORG", "GPE"]), mentions, {"class": chance.choice(["SPC", "GEN"])})
        for mentions in entities.values()
    ]


@pytest.mark.parametrize("name", ["ace2003", "ace2004", "ace2005", "ace2007"])
@pytest.mark.parametrize("generic", [None, "0.5"])
@pytest.mark.parametrize("weighting", ["mention", "level"])
@pytest.mark.parametrize("trials", [40, pytest.param(300, marks=pytest.mark.slow)])
def test_the_map_is_the_best_of_all(name, generic, weighting, trials):
    table = TABLES[name].replace([f"weighting={weighting}"])
    if generic:
        table = table.replace([f"class:GEN={generic}"])
    chance = random.Random(f"{name} {generic} {weighting}")
    negative = 0
    for _ in range(trials):
        tokens = chance.randint(7, 12)
        key, response = invented(chance, tokens), invented(chance, tokens)
        best, worth = slow_value(key, response, table)
        found = ace_value(document(*key), document(*response), table)
        costs = found.entities
        assert costs.worth == worth
        assert costs.worth - costs.miss - costs.false_alarm - costs.error == best
        negative += best < 0
        check_parts(found)
    assert negative > trials / 15


def test_the_map_of_2008_is_that_of_mention_weights():
    by_mention = TABLES["ace2008"].replace(["weighting=mention"])
    chance = random.Random(8)
    for _ in range(300):
        key, response = document(*invented(chance, 12)), document(*invented(chance, 12))
        one, other = (ace_value(key, response, t).pairs for t in (TABLES["ace2008"], by_mention))
        assert [pair[1:3] for pair in one] == [pair[1:3] for pair in other]


@pytest.mark.parametrize("name", TABLES)
def test_parts_sum_up(name):
    chance = random.Random(name)
    for _ in range(200):
        key, response = invented(chance, 12), invented(chance, 12)
        check_parts(ace_value(document(*key), document(*response), name))


def check_parts(found: AceValue) -> None:
    """All decompositions have the same sum, and those of mentions the same costs."""
    costs = found.entities
    for tally in (found.by_type, found.by_class, found.by_level):
        parts = list(tally.values())
        for name in ("key", "response", "missed", "false_alarms", "errors", "worth", "miss",
                     "false_alarm", "error"):  # fmt: skip
            assert sum(getattr(part, name) for part in parts) == getattr(costs, name)
    mentions = found.mentions
    assert mentions.worth == costs.worth
    assert (
        mentions.miss + mentions.false_alarm + mentions.error
        == costs.miss + costs.false_alarm + costs.error
    )
    assert costs.key == costs.missed + len(found.pairs)
    assert costs.response == costs.false_alarms + len(found.pairs)


# docs/ace.md


def test_the_examples_of_the_page_run(capsys):
    """Ann 1 (level NAM) and 0.4 for the wrong type, of 2: 70.

    With Dice and 0.25: 1.1 + 0.25 of 2.1.

    Of the relations, worth 2 each, one is right and one of another type: 3 of 4 and of 6.
    """
    page = (Path(__file__).parents[4] / "docs/ace.md").read_text("utf-8")
    names: dict = {}
    for example in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(example, names)
    assert capsys.readouterr().out.splitlines() == [
        "70.0 3/5 (('x', '0', '0', 1.0), ('x', '1', '1', 0.4))",
        "0.6428571428571429",
        "((0, 0, 1), (1, 1, 2)) 0.75 0.5",
    ]


def test_the_page_has_the_tables():
    page = (Path(__file__).parents[4] / "docs/ace.md").read_text("utf-8")
    rows = {row[0]: row[1:] for row in re.findall(
        r"^\| `(ace\d+)` \| (.*?) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$", page, re.M
    )}  # fmt: skip
    assert list(rows) == list(TABLES)
    for name, (_, levels, others, surplus, _, weighting) in rows.items():
        table = TABLES[name]
        assert [float(level) for level in levels.split(", ")] == list(table.levels.values())
        assert {w for c, w in table.classes.items() if c != "SPC"} == {float(others)}
        assert (0 if surplus == "free" else float(surplus)) == table.surplus
        assert weighting == table.weighting


# The signature


@pytest.mark.parametrize("name", TABLES)
def test_the_signature_of_a_table_is_its_name(name):
    assert TABLES[name].signature(version="9") == f"corefmeter:9|ace:{name}|documents:official"
    assert ace_options(TABLES[name].signature()) == (TABLES[name], "official")


@pytest.mark.parametrize(
    ("weights", "signature"),
    [
        (TABLES["ace2005"].replace(["type:*=0.25", "type:PER=2", "type_error=1e-8"]),
         "ace:ace2005|types:*=0.25+PER=2|type_error:1e-08"),
        (TABLES["ace2008"].replace(["metonymic=0", "weighting=mention", "head_overlap=0"]),
         "ace:ace2008|head_overlap:0|weighting:mention|metonymic:no"),
        (TABLES["ace2007"].replace(["type:a|b+c:d e%=1", "level:=3"]),
         "ace:ace2007|types:a%7Cb%2Bc%3Ad%20e%25=1|levels:=3"),
        (TABLES["ace2007"].replace(["surplus=0.75"]), "ace:ace2007"),
        (replace(TABLES["ace2008"].replace(["class:SPC=2"]), mapping=None),
         "ace:ace2008|classes:SPC=2|mapping:none"),
        (AceWeights("ours", types={"PER": 1}, levels={"*": 1, "é": 0.5}),
         "ace:custom|types:*=none+PER=1|levels:%C3%A9=0.5"),
        (AceWeights(), "ace:custom"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("documents", ["official", "strict", "concatenate"])
def test_a_signature_names_what_differs_from_the_table_and_is_read_back(
    weights, signature, documents
):
    written = weights.signature(documents, "9")
    assert written == f"corefmeter:9|{signature}|documents:{documents}"
    found, policy = ace_options(written)
    assert policy == documents
    assert replace(found, name="", source="") == replace(weights, name="", source="")


def test_every_weight_is_in_the_signature():
    """Changing any one changes the signature, and it is read back."""
    usual = TABLES["ace2005"]
    for option in fields(AceWeights):
        value = getattr(usual, option.name)
        if option.name in ("name", "source"):
            continue
        changed = {
            "weighting": "level", "mapping": "level", "metonymic": True,
            "types": {"PER": 1.0}, "classes": {"SPC": 0.5}, "levels": {},
        }.get(option.name, 0.125)  # fmt: skip
        assert changed != value
        weights = replace(usual, **{option.name: changed})
        assert f"|{option.name}:" in weights.signature()
        assert getattr(ace_options(weights.signature())[0], option.name) == changed


@pytest.mark.parametrize(
    ("signature", "reason"),
    [
        ("corefmeter:0.1.0|metrics:muc", "not the signature of an ACE value"),
        ("ace", "not a signature: 'ace'"),
        ("ace:ace2006", "did you mean 'ace200"),
        ("ace:ace2005|type_eror:1", "did you mean 'type_error'"),
        ("ace:ace2005|type_error:much", "'much' is not a number"),
        ("ace:ace2005|types:PER", "is not a number"),
        ("ace:ace2005|types:PER=-1", "must be from 0"),
        ("ace:ace2005|metonymic:1", "unknown value of metonymic '1'"),
        ("ace:ace2005|weighting:none", "unknown weighting"),
        ("ace:ace2005|documents:all", "unknown value of documents 'all'"),
    ],
)
def test_what_is_no_signature_of_an_ace_value_is_refused(signature, reason):
    with pytest.raises(OptionError, match=reason):
        ace_options(signature)


def test_values_carry_their_signature_and_policies_do_not_mix():
    corpora = Corpus([Document("x", [[(0, 1)]])]), Corpus([Document("x", [[(0, 1)]])])
    total, ((_, value),), _ = ace_corpora(*corpora, "ace2007", "strict")
    assert total.signature == value.signature == TABLES["ace2007"].signature("strict")
    with pytest.raises(OptionError, match="do not add up"):
        total + ace_corpora(*corpora, "ace2007")[0]
