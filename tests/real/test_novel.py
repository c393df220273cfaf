"""A Dutch novella of 11,800 tokens in one document, with singletons.

Columns, ids and sentence breaks differ between key and response. Scored by the official scorer, by
coval (which rounds) and, for CEAF, by a dense assignment.
"""

from __future__ import annotations

import re

import pytest

from corefmeter import Corpus, agree, merge, read, score, stitch

from .shared import DATA, NAMES, needs, printed_blocks, printed_differences

pytestmark = needs("novel_dutch")

FOLDER = DATA / "novel_dutch"
RESPONSES = ["dutchcoref", "dutchcoref_nosingletons"]


@pytest.fixture(scope="module")
def results():
    key = read(FOLDER / "key.conll")
    return {name: score(key, FOLDER / f"{name}.conll") for name in RESPONSES}


@pytest.mark.parametrize("name", RESPONSES)
def test_every_line_that_the_official_scorer_prints(results, name):
    rows = printed_blocks(FOLDER / "expected.txt")[f"{name}.conll"]
    assert len(rows) == 4
    assert printed_differences(results[name], rows) == []


def test_every_value_that_coval_prints(results):
    result = results["dutchcoref"]
    rows = printed_blocks(FOLDER / "expected_coval.txt")["dutchcoref"]
    assert len(rows) == 5
    for row in rows:
        scores = result[NAMES.get(row["metric"], row["metric"])]
        for field in ("recall", "precision", "f1"):
            assert f"{100 * getattr(scores, field):.2f}" == row[field], (row["metric"], field)


def test_the_conll_score_that_coval_prints(results):
    text = (FOLDER / "expected_coval.txt").read_text("utf-8")
    printed = re.search(r"# dutchcoref\n.*?CoNLL score: ([\d.]+)", text, re.DOTALL)[1]
    assert f"{100 * results['dutchcoref'].conll:.2f}" == printed


@pytest.mark.parametrize("name", RESPONSES)
def test_ceaf_equals_a_dense_assignment(results, name):
    rows = printed_blocks(FOLDER / "expected_ceaf_scipy.txt")[name]
    assert len(rows) == 2
    for row in rows:
        scores = results[name][row["metric"].removesuffix("(scipy)")]
        assert scores.recall_numerator == pytest.approx(float(row["recall_num"]), rel=1e-9)
        assert scores.recall_denominator == int(row["recall_den"])
        assert scores.precision_denominator == int(row["precision_den"])
        for field in ("recall", "precision", "f1"):
            assert f"{100 * getattr(scores, field):.4f}" == row[field]


def windows(document, size, step):
    """The document in windows, each with the mentions that lie in it."""
    found = []
    for begin in range(0, document.tokens - size + step, step):
        end = min(begin + size, document.tokens)
        parts = [[(a - begin, b - begin) for a, b in entity if begin <= a and b <= end]
                 for entity in document.entities]  # fmt: skip
        parts = [part for part in parts if part]
        text = document.text.replace(
            words=document.text.words[begin:end], sentences=[], pos=None, upos=None, parse=None,
            heads=None, relations=None, entity_types=None, speakers=None, lines=None,
        )  # fmt: skip
        found.append(
            document.replace(name=f"novel@{begin}", part=None, entities=parts, tokens=end - begin,
                         text=text)
        )  # fmt: skip
    return Corpus(found)


def as_sets(document):
    return {frozenset(entity) for entity in document.entities}


def test_windows_of_the_key_are_stitched_to_the_key_by_the_key():
    key = read(FOLDER / "key.conll", details=True)
    (whole,) = key
    # The overlap is longer than the longest mention, so that each lies in a window.
    cut = windows(whole, 500, 300)
    found = stitch(cut, key=Corpus([whole]))
    (document,) = found.corpus
    assert as_sets(document) == as_sets(whole)
    assert document.text.words == whole.text.words
    # Without the key entities come apart where an overlap does not name them; nothing is confused.
    (document,) = stitch(cut).corpus
    home = {mention: n for n, entity in enumerate(whole.entities) for mention in entity}
    assert all(len({home[mention] for mention in entity}) == 1 for entity in document.entities)
    assert len(whole.entities) < len(document.entities)


def test_two_that_agree_outvote_a_third():
    key = read(FOLDER / "key.conll")
    response = read(FOLDER / "dutchcoref.conll")
    merged = merge({"A": key, "B": key, "C": response})
    assert as_sets(merged.corpus.documents[0]) == as_sets(key.documents[0])
    found = agree({"A": key, "B": key}, metrics=["lea"])
    assert (found.alpha, found.mentions.value, found.pairs[0].f1) == (1, 1, 1)
