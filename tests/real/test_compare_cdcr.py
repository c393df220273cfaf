"""All systems on event coreference within documents, compared and ranked in one command.

Scores, p-values and ranks are made a second time here: own reader, metrics mention by mention,
trials one after the other with other random numbers. The counterparts on inputs of our own are in
``tests/statistics`` and ``tests/cli/test_compare.py``.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from ..statistics.naive import benjamini_hochberg
from .shared import DATA, needs, table

pytestmark = [needs("events_cdcr"), pytest.mark.slow]

FOLDER = DATA / "events_cdcr"
TRIALS = 10_000


@cache
def compared(corpus: str) -> dict:
    """The JSON of the command."""
    folder = FOLDER / corpus / "within_doc"
    systems = sorted((folder / "systems").glob("*.conll"))
    done = subprocess.run(
        [sys.executable, "-m", "corefmeter", "compare", str(folder / "gold.conll"),
         *map(str, systems), "-m", "lea", "-m", "conll", "--correction", "bh", "--trials",
         str(TRIALS), "-f", "json", "--quiet"],
        capture_output=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


# The second route


def read(path: Path) -> dict[str, dict[int, str]]:
    """For each document the entity of each mention; every mention is one token, (ID)."""
    documents: dict[str, dict[int, str]] = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#begin"):
            mentions = documents[line] = {}
            token = 0
        elif line.strip() and not line.startswith("#"):
            cell = line.split("\t")[-1]
            if cell != "-":
                mentions[token] = cell.strip("()")
            token += 1
    return documents


def counts(key: dict[int, str], response: dict[int, str]) -> list[float]:
    """Numerators and denominators of MUC, B3, CEAFe and LEA, four each."""
    both = Counter((key[m], response[m]) for m in key if m in response)
    k, r = Counter(key.values()), Counter(response.values())

    def muc(sizes, side):
        found = sum(n for n in both.values()) - len(both)
        return found, sum(n - 1 for n in sizes.values())

    def b3(sizes, side):
        return sum(n * n / sizes[pair[side]] for pair, n in both.items()), sum(sizes.values())

    def lea(sizes, side):
        total = 0.0
        for entity, size in sizes.items():
            cells = [(pair, n) for pair, n in both.items() if pair[side] == entity]
            if size == 1:
                alone = sum(k[pair[0]] == r[pair[1]] == 1 for pair, _ in cells)
                total += alone
            else:
                links = sum(n * (n - 1) / 2 for _, n in cells)
                total += size * links / (size * (size - 1) / 2)
        return total, sum(sizes.values())

    names, others = list(k), list(r)
    similarity = np.array([[2 * both[a, b] / (k[a] + r[b]) for b in others] for a in names])
    best = 0.0
    if names and others:
        best = similarity[linear_sum_assignment(similarity, maximize=True)].sum()
    values = []
    for metric in (muc, b3, None, lea):
        if metric is None:
            values += [best, len(k), best, len(r)]
        else:
            values += [*metric(k, 0), *metric(r, 1)]
    return values


def f1s(sums: np.ndarray) -> dict[str, float]:
    each = []
    for rn, rd, pn, pd in sums.reshape(4, 4):
        recall, precision = (rn / rd if rd else 0.0), (pn / pd if pd else 0.0)
        total = recall + precision
        each.append(2 * recall * precision / total if total else 0.0)
    return {"lea": each[3], "conll": sum(each[:3]) / 3}


@cache
def statistics(corpus: str) -> dict[str, np.ndarray]:
    """A matrix of documents and counts for each system."""
    folder = FOLDER / corpus / "within_doc"
    key = read(folder / "gold.conll")
    found = {}
    for path in sorted((folder / "systems").glob("*.conll")):
        response = read(path)
        found[path.name] = np.array([counts(key[d], response.get(d, {})) for d in key])
    return found


CORPORA = pytest.mark.parametrize(("corpus", "systems"), [("fcct", 54), ("gvc", 64)])


@CORPORA
def test_all_systems_are_compared(corpus, systems):
    document = compared(corpus)
    assert len(document["systems"]) == systems
    for metric in ("lea", "conll"):
        found = document["metrics"][metric]
        assert len(found["pairs"]) == systems * (systems - 1) // 2
        assert len(found["ranks"]) == systems


@CORPORA
def test_scores_equal_the_second_route_and_the_authors(corpus, systems):
    document = compared(corpus)
    for name, matrix in statistics(corpus).items():
        for metric, value in f1s(matrix.sum(axis=0)).items():
            score = document["metrics"][metric]["scores"][name]["f1"]
            assert score == pytest.approx(value, abs=1e-12)
    recorded = {
        (row["system"], row["metric"]): float(row["f1"])
        for row in table(FOLDER / "expected.tsv")
        if (row["corpus"], row["level"]) == (corpus, "within_doc")
    }
    for name in document["systems"]:
        for metric in ("lea", "conll"):
            score = document["metrics"][metric]["scores"][name]["f1"]
            assert abs(score - recorded[name.removesuffix(".conll"), metric]) < 0.6e-6


@CORPORA
def test_p_values_equal_those_of_other_random_numbers_within_their_error(corpus, systems):
    """Two estimates of one p, from T and t trials, differ by sqrt(p(1-p)(1/T + 1/t)) times z."""
    document, trials = compared(corpus), 1000
    rng = np.random.default_rng(1)
    matrices = statistics(corpus)
    for metric in ("lea", "conll"):
        pairs = [p for p in document["metrics"][metric]["pairs"] if 0.01 < p["p"] < 0.9]
        for position in rng.choice(len(pairs), 8, replace=False):
            pair = pairs[position]
            a, b = matrices[pair["a"]], matrices[pair["b"]]
            observed = abs(f1s(a.sum(axis=0))[metric] - f1s(b.sum(axis=0))[metric])
            assert abs(pair["difference"]) == pytest.approx(observed, abs=1e-12)
            large = 0
            for _ in range(trials):
                exchanged = rng.random(len(a)) < 0.5
                one = np.where(exchanged[:, None], b, a).sum(axis=0)
                other = np.where(exchanged[:, None], a, b).sum(axis=0)
                large += abs(f1s(one)[metric] - f1s(other)[metric]) >= observed - 1e-10
            p = (large + 1) / (trials + 1)
            pooled = (large + pair["p"] * TRIALS) / (trials + TRIALS)
            error = np.sqrt(pooled * (1 - pooled) * (1 / trials + 1 / TRIALS))
            assert abs(p - pair["p"]) <= 5 * error + 1 / trials, pair


@CORPORA
def test_adjustment_ranks_and_letters_follow_their_rules(corpus, systems):
    document = compared(corpus)
    for metric in ("lea", "conll"):
        found = document["metrics"][metric]
        p_values = [pair["p"] for pair in found["pairs"]]
        assert [pair["p_adjusted"] for pair in found["pairs"]] == pytest.approx(
            benjamini_hochberg(p_values)
        )
        apart = {frozenset((p["a"], p["b"])) for p in found["pairs"] if p["p_adjusted"] <= 0.05}
        assert apart
        scores = {name: found["scores"][name]["f1"] for name in document["systems"]}
        group, rank = [], 1
        for score in sorted(set(scores.values()), reverse=True):
            equal = [name for name in scores if scores[name] == score]
            if any(frozenset((a, b)) in apart for a in group for b in equal):
                rank += len(group)
                group = []
            group += equal
            assert {found["ranks"][name] for name in equal} == {rank}
        assert max(found["ranks"].values()) > 1
        letters = {
            name: set(re.findall(r"[a-z]\d*", text)) for name, text in found["letters"].items()
        }
        for a, b in combinations(document["systems"], 2):
            assert letters[a].isdisjoint(letters[b]) == (frozenset((a, b)) in apart)


@CORPORA
def test_identical_outputs_have_p_one_and_the_same_rank(corpus, systems):
    document, matrices = compared(corpus), statistics(corpus)
    alike = [
        (a, b) for a, b in combinations(matrices, 2) if np.array_equal(matrices[a], matrices[b])
    ]
    assert alike  # the data have some: baselines that differ across documents only
    for metric in ("lea", "conll"):
        found = document["metrics"][metric]
        pairs = {(pair["a"], pair["b"]): pair for pair in found["pairs"]}
        for a, b in alike:
            assert pairs[a, b]["p"] == pairs[a, b]["p_adjusted"] == 1
            assert pairs[a, b]["interval"] == [0, 0]
            assert found["ranks"][a] == found["ranks"][b]
            assert found["letters"][a] == found["letters"][b]
