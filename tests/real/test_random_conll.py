"""1,200 random documents, and 100 whose responses repeat mentions, against the official scorer."""

from __future__ import annotations

import json

import pytest

from corefmeter import score

from .shared import DATA, differences, needs, table

pytestmark = needs("random_conll")

FOLDER = DATA / "random_conll"


def by_document(name: str) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for row in table(FOLDER / name):
        found.setdefault(row["id"], []).append(row)
    return found


@pytest.fixture(scope="module")
def result():
    return score(FOLDER / "key.conll", FOLDER / "response.conll")


@pytest.fixture(scope="module")
def repeated():
    return score(FOLDER / "repeated_key.conll", FOLDER / "repeated_response.conll")


def test_every_document(result):
    expected = by_document("expected.tsv")
    scored = result.by("document")
    assert len(scored) == len(expected) == 1200
    found = {name: differences(scored[name], rows) for name, rows in expected.items()}
    assert {name: different for name, different in found.items() if different} == {}


def test_all_documents_pooled(result):
    (rows,) = by_document("expected_pooled.tsv").values()
    assert len(rows) == 9
    assert differences(result, rows) == []
    # A response at random may have no mention of its key, or look shifted.
    assert {problem.code for problem in result.problems} <= {"no-common-mention"}


def test_every_document_with_repeated_mentions_under_the_default_policy(repeated):
    expected = by_document("repeated_expected.tsv")
    scored = repeated.by("document")
    assert len(scored) == len(expected) == 100
    found = {name: differences(scored[name], rows) for name, rows in expected.items()}
    assert {name: different for name, different in found.items() if different} == {}


def test_every_repeated_mention_is_reported_with_its_line(repeated):
    """62 documents with two repetitions, 38 with one."""
    problems = repeated.problems
    assert {problem.code for problem in problems} == {"repeated-mention"}
    assert sum(problem.count for problem in problems) == 162
    assert all(problem.line for problem in problems)


@pytest.mark.parametrize("prefix", ["", "repeated_"])
def test_the_same_documents_as_python_lists(prefix):
    """Without any reader: the lists of the JSON files, whose spans are inclusive."""
    expected = by_document(f"{prefix}expected.tsv")
    found = {}
    for line in (FOLDER / f"{prefix}pairs.jsonl").read_text("utf-8").splitlines():
        pair = json.loads(line)
        key, response = (
            [[(first, last + 1) for first, last in entity] for entity in pair[side]]
            for side in ("key", "response")
        )
        found[pair["id"]] = differences(score(key, response), expected[pair["id"]])
    assert len(found) == len(expected)
    assert {name: different for name, different in found.items() if different} == {}


def test_the_files_hold_what_the_json_says():
    """The reader finds the same entities, in the same order."""
    from corefmeter import read

    for prefix in ("", "repeated_"):
        pairs = {
            pair["id"]: pair
            for pair in map(
                json.loads, (FOLDER / f"{prefix}pairs.jsonl").read_text("utf-8").splitlines()
            )
        }
        for side in ("key", "response"):
            for document in read(FOLDER / f"{prefix}{side}.conll"):
                pair = pairs[document.name]
                assert document.tokens == pair["tokens"]
                expected = [
                    sorted((first, last + 1) for first, last in entity) for entity in pair[side]
                ]
                assert list(map(sorted, document.entities)) == expected, document
