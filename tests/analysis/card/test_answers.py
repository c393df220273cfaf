"""Answers of language models: coverage by hand, and the bound of a damaged text."""

from __future__ import annotations

from random import Random

import pytest

import corefmeter
from corefmeter import Corpus, Document, read_inline
from corefmeter.corpus.text import Text
from corefmeter.formats.inline import read_marked

from ...formats.damage import damaged

WORDS = ["Ann", "fed", "her", "dog", ".", "It", "barked", "."]
KEY = Corpus([Document("d", [[(0, 1), (2, 3)], [(2, 4), (5, 6)]], tokens=8, text=Text(WORDS))])


def card(text: str, **options):
    return corefmeter.card(KEY, read_marked(f"# document d\n{text}"), **options)


def answers(found) -> dict:
    return {part.name: part.result for part in found.sections[("answers", "")]}


def test_a_perfect_answer():
    found = card("[Ann]_1 fed [[her]_1 dog]_2 . [It]_2 barked .")
    assert found.coverage["d"] == (8, 0, 0, 0, 4, 0, 0)
    assert {name: one.conll for name, one in answers(found).items()} == dict.fromkeys(
        ["with repair", "without repair", "key, damaged alike"], 1.0
    )


def test_coverage_by_hand():
    """'her' is dropped, 'barked' becomes 'barks', 'really' is invented, a bracket never closes."""
    with pytest.warns(corefmeter.CorefmeterWarning):
        found = card("[Ann]_1 really fed [dog]_2 . [It]_2 [barks .")
    coverage = found.coverage["d"]
    assert coverage._asdict() == {
        "words": 8, "dropped": 1, "changed": 1, "invented": 1, "mentions": 3, "wrong": 1, "lost": 0,
    }  # fmt: skip
    assert coverage.copied == 6


def test_the_three_scores_by_hand():
    """'Ann' is dropped, so that all places move by one without repair."""
    with pytest.warns(corefmeter.CorefmeterWarning):
        found = answers(card("fed [[her]_1 dog]_2 . [It]_2 barked .", metrics=["mentions", "b3"]))
    # Key: Ann her / her-dog It. Repaired: her / her-dog It.
    assert found["with repair"].sums("b3") == (1 / 2 + 2, 4, 3, 3)
    # Places 1-2, 1-3, 4-5, of which none is a mention of the key.
    assert found["without repair"].sums("mentions") == (0, 4, 0, 3)
    # Nobody can mark Ann.
    assert found["key, damaged alike"].sums("b3") == (1 / 2 + 2, 4, 3, 3)


def test_a_mention_without_its_first_word_is_lost_or_less():
    """Without 'her' two mentions are lost; where near misses count, one of them is 'dog'."""
    text = "[Ann]_1 fed [dog]_2 . [It]_2 barked ."
    with pytest.warns(corefmeter.CorefmeterWarning):
        found = answers(card(text))
    with pytest.warns(corefmeter.CorefmeterWarning):
        partly = answers(card(text, match="overlap"))
    assert found["key, damaged alike"].sums("mentions") == (2, 4, 2, 2)
    assert partly["key, damaged alike"].sums("mentions") == (3, 4, 3, 3)


def test_what_is_left_of_a_mention_is_no_other_mention():
    """Without 'dog', 'her dog' would be 'her', which is a mention already."""
    with pytest.warns(corefmeter.CorefmeterWarning):
        found = answers(card("[Ann]_1 fed [her]_1 . [It]_2 barked .", match="overlap"))
    assert found["key, damaged alike"].sums("mentions") == (3, 4, 3, 3)


LOST = Corpus([Document("d", [[(0, 1), (2, 3)], [(4, 5), (5, 6)]], tokens=6,
                        text=Text(["Ann", "saw", "Bob", ".", "He", "ran"]))])  # fmt: skip


@pytest.mark.parametrize("ann", ["Ann", "[Ann]_1"])
def test_a_mention_without_its_partners_is_left_out_by_lea(ann):
    """'Bob' is gone. {Ann} is wrong by LEA: R 2/4, and P 2/2 without it, where it would be 2/3."""
    answer = read_marked(f"# document d\n{ann} saw . [He]_2 [ran]_2")
    with pytest.warns(corefmeter.CorefmeterWarning):
        found = answers(corefmeter.card(LOST, answer, metrics=["b3", "lea"]))
    assert found["key, damaged alike"].sums("lea") == (2, 4, 2, 2)
    assert found["with repair"].sums("lea") == (2, 4, 2, 2 if ann == "Ann" else 3)
    # By B³ it is right: R (1/2 + 2) / 4, P 3/3.
    assert found["key, damaged alike"].sums("b3") == (1 / 2 + 2, 4, 3, 3)


def test_a_partner_in_another_document_is_one():
    """Ann of d has an Ann in e, if documents are joined by the ids."""
    other = Document("e", [[(0, 1)], [(1, 2)]], entity_names=["0", "9"], text=Text(["Ann", "ran"]))
    answer = "# document d\n[Ann]_0 saw . [He]_1 [ran]_1\n# document e\n[Ann]_0 [ran]_9"
    with pytest.warns(corefmeter.CorefmeterWarning):
        found = corefmeter.card(Corpus([*LOST, other]), read_marked(answer), metrics=["lea"],
                                as_one_document=True, shared_ids=True)  # fmt: skip
    # {Ann Bob Ann} keeps one of 3 links: R 3 * 1/3 + 2 + 1 of 6; P all of 2 + 2 + 1.
    assert answers(found)["key, damaged alike"].sums("lea") == (4, 6, 5, 5)


def test_a_document_that_is_not_there_is_lost():
    key = Corpus([*KEY, Document("e", [[(0, 1)]], tokens=8, text=Text(WORDS))])
    with pytest.warns(corefmeter.CorefmeterWarning):
        found = corefmeter.card(key, read_marked("# document d\n[Ann]_1 fed her dog . It barked ."))
    assert answers(found)["key, damaged alike"].sums("mentions") == (4, 5, 4, 4)


def test_other_responses_have_no_text():
    found = corefmeter.card(KEY, KEY)
    assert ("answers", "") not in found.sections
    assert found.coverage == {}


def test_an_answer_that_is_aligned_already():
    aligned = read_inline("[Ann]_1 fed [[her]_1 dog]_2 . [It]_2 barked .", KEY)
    assert answers(corefmeter.card(KEY, aligned))["with repair"].conll == 1


def test_entities_of_several_documents_are_called_what_they_are():
    """Ann is 7 and Bob 9 in both documents: joined by their ids, a perfect answer has all links."""
    one, other = [(0, 1)], [(2, 3)]
    words, turned = ["Ann", "saw", "Bob", "."], ["Bob", "saw", "Ann", "."]
    key = Corpus([
        Document("d", [one, other], entity_names=["7", "9"], text=Text(words)),
        Document("e", [one, other], entity_names=["9", "7"], text=Text(turned)),
    ])  # fmt: skip
    end = "\n# document e\n[Bob]_9 saw [Ann]_7 .\n"
    options = {"as_one_document": True, "shared_ids": True, "metrics": ["b3"]}
    whole = read_marked(f"# document d\n[Ann]_7 saw [Bob]_9 .{end}")
    found = corefmeter.card(key, whole, **options)
    assert {name: line.b3.f1 for name, line in answers(found).items()} == dict.fromkeys(
        ["with repair", "without repair", "key, damaged alike"], 1.0
    )
    with pytest.warns(corefmeter.CorefmeterWarning):
        found = corefmeter.card(key, read_marked(f"# document d\nsaw [Bob]_9 .{end}"), **options)
    # Of {Ann Ann} and {Bob Bob} one Ann is lost.
    assert answers(found)["key, damaged alike"].sums("b3") == (1 / 2 + 2, 4, 3, 3)


TOLD = "the dog cat of saw red big old man ran a house ."
VOCABULARY = TOLD.split()


def story(chance: Random) -> tuple[list[str], dict[str, list[tuple[int, int]]]]:
    """Words, many of them alike, and nested mentions of a few entities."""
    words = chance.choices(VOCABULARY, k=chance.randint(20, 60))
    entities: dict[str, list[tuple[int, int]]] = {}
    at = 0
    while at < len(words) - 4:
        length = chance.randint(1, 4)
        entities.setdefault(str(chance.randint(1, 5)), []).append((at, at + length))
        if length > 2:
            entities.setdefault(str(chance.randint(1, 5)), []).append((at, at + 1))
        at += length + chance.randint(0, 3)
    return words, entities


@pytest.mark.slow
@pytest.mark.parametrize("share", [0, 0.01, 0.05, 0.2])
def test_no_answer_with_a_damaged_text_is_better_than_the_damaged_key(share):
    """1002 damaged answers and 334 others, half of them with wrong links and too few mentions."""
    for seed in range(334):
        chance = Random(seed)
        words, entities = story(chance)
        key = Corpus([Document("d", list(entities.values()), tokens=len(words), text=Text(words))])
        mentions = [(name, span) for name, found in entities.items() for span in found]
        if seed % 2:
            mentions = [(str(chance.randint(1, 5)), span) for _, span in mentions
                        if chance.random() < 0.9]  # fmt: skip
        text = damaged(words, mentions, share, seed).text
        response = read_marked(f"# document d\n{text}")
        found = answers(_quietly(key, response))
        for metric in ("muc", "b3", "ceafm", "ceafe", "lea", "conll"):
            score, bound = (
                found[name][metric].f1 for name in ("with repair", "key, damaged alike")
            )
            assert bound >= score - 1e-12, (seed, metric)
            if not share:
                assert bound == pytest.approx(1), (seed, metric)


def _quietly(key, response):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return corefmeter.card(
            key, response, metrics=["mentions", "muc", "b3", "ceafm", "ceafe", "lea", "conll"]
        )
