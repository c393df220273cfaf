"""The cards in docs/card.md are those of the data that they name."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest

import corefmeter
from corefmeter.reports import render
from corefmeter.reports.card import CardReport

from .shared import DATA, needs

PAGE = (Path(__file__).parents[2] / "docs/card.md").read_text("utf-8")

#: By folder the heading of its card, the key, the responses by name, and how the card is made.
CARDS = {
    "novel_dutch": ("A novella", "key.conll", {None: "dutchcoref.conll"},
                    {"by": ["kind"], "pronouns": "nl"}),
    "gum_ontonotes_style": ("Thirty short texts", "key.conll", {None: "xrenner.conll"},
                            {"by": ["kind"], "pronouns": "en", "largest": 5}),
    "events_cdcr": ("Events", "gvc/within_doc/gold.conll",
                    {"lemma": "gvc/within_doc/systems/baseline-lemma.conll",
                     "clustering": "gvc/within_doc/systems/clustering-gold_seed0.conll"},
                    {"as_one_document": True, "shared_ids": True, "largest": 5}),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::corefmeter.CorefmeterWarning")
@pytest.mark.parametrize("folder", [pytest.param(name, marks=needs(name)) for name in CARDS])
def test_the_card_of_the_page(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    heading, key, responses, options = CARDS[folder]
    cards = []
    for name, path in responses.items():
        card = corefmeter.card(DATA / folder / key, DATA / folder / path, **options)
        card.result.name = name
        cards.append(card)
    written = StringIO()
    render(CardReport(cards, shown=None), "text", written)
    (shown,) = re.findall(rf"^### {heading}.*?```text\n(.*?)\n```", PAGE, re.M | re.S)
    tables = shown.split("\n\n")
    assert len(tables) > 4
    for table in tables:
        assert table in written.getvalue()


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
