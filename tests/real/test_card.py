"""The cards in docs/card.md are those of the data that they name."""

from __future__ import annotations

import pytest

import corefmeter

from .shared import DATA, needs


def card_of(folder, key, response, **options):
    return corefmeter.card(DATA / folder / key, DATA / folder / response, **options)


@needs("novel_dutch")
@pytest.mark.filterwarnings("ignore::corefmeter.CorefmeterWarning")
def test_what_the_page_says_of_a_novella():
    """CoNLL 69; detection costs 37 % of what CoNLL loses; in windows 3 points more, joined 7."""
    card = card_of("novel_dutch", "key.conll", "dutchcoref.conll")
    loss, lost = card.losses["conll"], 1 - card.result.conll
    assert round(100 * card.result.conll) == 69
    assert round(100 * loss.detection / lost) == 37
    by_window = {part.name: part.result.conll for part in card.parts if part.section == "long"
                 and "windows" in part.by}  # fmt: skip
    gains = [
        round(100 * (by_window[n] - by_window["whole"])) for n in ("inside", "stitched by the key")
    ]
    assert gains == [3, 7]


@needs("gum_ontonotes_style")
@pytest.mark.filterwarnings("ignore::corefmeter.CorefmeterWarning")
def test_what_the_page_says_of_short_texts():
    """CoNLL 53; detection costs nearly twice as much as linking; on common mentions 80."""
    card = card_of("gum_ontonotes_style", "key.conll", "xrenner.conll")
    assert round(100 * card.result.conll) == 53
    assert 1.8 < card.losses["conll"].detection / card.losses["conll"].linking < 2
    assert round(100 * card["linking"].conll) == 80


@needs("events_cdcr")
@pytest.mark.filterwarnings("ignore::corefmeter.CorefmeterWarning")
def test_what_the_page_says_of_events():
    """LEA 8 points apart by document, 37 in total; links across documents 4 and 48."""
    options = {"as_one_document": True, "shared_ids": True}
    cards = [
        card_of(
            "events_cdcr",
            "gvc/within_doc/gold.conll",
            f"gvc/within_doc/systems/{n}.conll",
            **options,
        )
        for n in ("baseline-lemma", "clustering-gold_seed0")
    ]
    totals = [card.result.lea.f1 for card in cards]
    alone = [card["each document alone"].lea.f1 for card in cards]
    assert [round(100 * (b - a)) for a, b in (totals, alone)] == [37, 8]
    across = [card["across documents"].links.f1 for card in cards]
    assert [round(100 * f1) for f1 in across] == [4, 48]
    assert cards[0].losses["lea"].detection == 0


@needs("novel_dutch")
@pytest.mark.filterwarnings("ignore::corefmeter.CorefmeterWarning")
def test_lines_of_a_real_card_sum_to_the_score():
    folder = DATA / "novel_dutch"
    both = folder / "key.conll", folder / "dutchcoref.conll"
    card = corefmeter.card(*both, by=["kind"], pronouns="nl")
    whole = corefmeter.score(*both, metrics=["mentions", "links", "lea"])
    for (section, by), parts in card.sections.items():
        (metric, *others) = parts[0].result.recipe.metrics
        if not others:
            rows = [part.result.sums(metric) for part in parts]
            found = [sum(column) for column in zip(*rows, strict=True)]
            assert found == pytest.approx(list(whole.sums(metric))), (section, by)
