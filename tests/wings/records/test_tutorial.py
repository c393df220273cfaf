"""The linkages of docs/tutorials/clusters.md on RLdata and FEBRL: the numbers of its table."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from ...whole.test_docs_run import blocks_of, run_python
from .test_clusters import RECORDS, run_json

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[3] / "docs" / "tutorials" / "clusters.md"

FILES = {
    "RLdata500": "rldata/RLdata500.tsv",
    "RLdata10000": "rldata/RLdata10000.tsv",
    "FEBRL 1": "febrl/dataset1.csv",
    "FEBRL 3": "febrl/dataset3.csv",
}


def pairs(labels):
    return sum(n * (n - 1) // 2 for n in Counter(labels).values())


def identities(path):
    """The person of each record, read without our readers."""
    if path.suffix == ".tsv":
        return (path.parent / f"identity.{path.name}").read_text().split()[1:]
    rows = path.read_text().splitlines()[1:]
    return [row.partition(",")[0].split("-")[1] for row in rows if row]


@pytest.mark.skipif(not RECORDS.exists(), reason="needs the records beside the checkout")
def test_the_table_of_the_tutorial_is_what_its_linkages_have(tmp_path, monkeypatch):
    """All scores as the page prints them, and links as they are counted here."""
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text("utf-8")
    names: dict[str, object] = {}
    for language, code, line in blocks_of(text):
        if language == "python" and ">>> def " in code:
            run_python(code, names, PAGE.name, line)
    made = []
    for title, file in FILES.items():
        records = names["read"](RECORDS / file)
        persons = identities(RECORDS / file)
        assert len(records) == len(persons)
        for name, link in names["linkages"].items():
            found = link(records)
            header = ["rec_id" if file.endswith(".csv") else "row", "cluster"]
            names["write"](f"{name}.csv", header, found.items())
            scores = run_json(RECORDS / file, f"{name}.csv", "-m", "links,b3,ceaf1")
            links = scores["links"]
            both = pairs(
                [
                    (person, found[record[0]])
                    for record, person in zip(records, persons, strict=True)
                ]
            )
            assert links["recall_numerator"] == both
            assert links["recall_denominator"] == pairs(persons)
            assert links["precision_denominator"] == pairs(found.values())
            values = [
                links["recall"],
                links["precision"],
                links["f1"],
                scores["b3"]["f1"],
                scores["ceaf1"]["f1"],
            ]
            made.append(f"| {title} | {name} | {' | '.join(f'{100 * x:.2f}' for x in values)} |")
    assert made == re.findall(r"^\| (?:RLdata|FEBRL ).*\|$", text, re.M)
