"""The experiments on real corpora, where they are there: what docs/lab-findings.md reports."""

from __future__ import annotations

import pytest

from corefmeter import read
from corefmeter.wings.lab.experiments import run

from ...real.shared import DATA, needs

METRICS = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")
WRONG_LINKS = ["more precise", "less precise a", "less precise b", "less precise b, as printed"]


@needs("gum_ontonotes_style")
def test_only_the_recall_of_muc_and_lea_stays_where_only_wrong_links_change():
    folder = DATA / "gum_ontonotes_style"
    found = run("lea-table1", read(folder / "key.conll"), read(folder / "xrenner.conll"))
    recall = {(row.level, row.metric): row.recall for row in found.rows}
    for level in WRONG_LINKS:
        stays = [m for m in METRICS if abs(recall[level, m] - recall["base", m]) < 1e-12]
        assert stays == ["muc", "lea"], level
    holds = [c.text for c in found.claims if c.holds]
    assert any(text.startswith("less precise a: B³, CEAFe and BLANC F1 rise") for text in holds)


@needs("gum_ontonotes_style")
@needs("novel_dutch")
@pytest.mark.parametrize(
    ("folder", "response"),
    [("gum_ontonotes_style", "xrenner.conll"), ("novel_dutch", "dutchcoref.conll")],
)
def test_boundary_rows(folder, response):
    """Of singletons, the precision of B³ is the share of response mentions that are in the key."""
    key, system = read(DATA / folder / "key.conll"), read(DATA / folder / response)
    found = run("lea-table4", key, system)
    rows = {(row.level, row.metric): row for row in found.rows}
    assert rows["sys-sing", "muc"].f1 == 0
    right = total = 0
    for ours, theirs in zip(key, system, strict=True):
        in_key = {m for entity in ours.entities for m in entity}
        found_here = [m for entity in theirs.entities for m in entity]
        right += len(in_key.intersection(found_here))
        # Each copy of a mention that is not in the key is one more wrong mention.
        total += len(in_key.intersection(found_here)) + sum(m not in in_key for m in found_here)
    assert rows["sys-sing", "b3"].precision == pytest.approx(right / total)
    # LEA's recall of singletons is the share of key mentions that are singletons and found.
    alone = sum(
        len(entity) == 1 and entity[0] in {m for e in theirs.entities for m in e}
        for ours, theirs in zip(key, system, strict=True)
        for entity in ours.entities
    )
    mentions = sum(len(entity) for document in key for entity in document.entities)
    assert rows["sys-sing", "lea"].recall == pytest.approx(alone / mentions)
    assert rows["sys-1ent", "muc"].f1 > max(rows["sys-1ent", m].f1 for m in METRICS[1:])
