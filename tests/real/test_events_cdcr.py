"""118 systems on event coreference, across and within documents, against the authors' scores.

The headers are ``#begin document(NAME);``, without blank or part. Scores have six digits.
"""

from __future__ import annotations

import re

import pytest

from corefmeter import read, score

from .shared import DATA, NAMES, needs, table

pytestmark = needs("events_cdcr")

FOLDER = DATA / "events_cdcr"
METRICS = ["muc", "b3", "ceafe", "lea", "conll"]


def rows_of(corpus: str, level: str) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for row in table(FOLDER / "expected.tsv"):
        if (row["corpus"], row["level"]) == (corpus, level):
            found.setdefault(row["system"], []).append(row)
    return found


@pytest.mark.parametrize("level", ["cross_doc", "within_doc"])
@pytest.mark.parametrize(("corpus", "systems"), [("fcct", 54), ("gvc", 64)])
def test_every_system(corpus, systems, level):
    folder = FOLDER / corpus / level
    expected = rows_of(corpus, level)
    assert len(expected) == systems
    gold = {row["gold"] for rows in expected.values() for row in rows}
    keys = {name: read(folder / name) for name in gold}
    wrong = []
    for system, rows in expected.items():
        result = score(
            keys[rows[0]["gold"]], folder / "systems" / f"{system}.conll", metrics=METRICS
        )
        assert len(rows) == 5
        for row in rows:
            scores = result[NAMES.get(row["metric"], row["metric"])]
            fields = ("f1",) if row["metric"] == "conll" else ("recall", "precision", "f1")
            wrong += [
                (system, row["metric"], field, getattr(scores, field), row[field])
                for field in fields
                if abs(getattr(scores, field) - float(row[field])) > 0.6e-6
            ]
    assert wrong == []


@pytest.mark.parametrize("corpus", ["fcct", "gvc"])
@pytest.mark.parametrize("clusters", ["gold", "kmeans"])
def test_the_system_of_barhom_2019(corpus, clusters):
    """Scores that stand beside the outputs, rounded to two decimals of a percent."""
    folder = FOLDER / corpus / "ba2019"
    name = f"barhom2019-{clusters}-docclusters"
    result = score(folder / "key.key_conll", folder / f"{name}.response_conll")
    text = (folder / f"{name}.scores.txt").read_text("utf-8")
    lines = re.findall(r"(\w+) +Recall: ([\d.]+) +Precision: ([\d.]+) +F1: ([\d.]+)", text)
    assert len(lines) == 5
    for metric, *printed in lines:
        scores = result[NAMES.get(metric, metric)]
        values = (scores.recall, scores.precision, scores.f1)
        assert [f"{100 * value:.2f}" for value in values] == printed, metric
    assert f"{100 * result.conll:.2f}" == re.search(r"CoNLL score: ([\d.]+)", text)[1]
