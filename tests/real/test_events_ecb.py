"""Events of ECB+ as one pseudo document of 1,780 mentions: seven systems, files of two columns."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from corefmeter import read, score

from .shared import DATA, needs, printed_blocks, printed_differences

pytestmark = needs("events_ecb")

FOLDER = DATA / "events_ecb"
SYSTEMS = [
    "CCE", "CORE", "CORE_plus_CCE", "CORE_plus_CCE_plus_LEMMA", "LEMMA", "LEMMA_DELTA",
    "UNSUPERVISED",
]  # fmt: skip


@pytest.fixture(scope="module")
def key():
    return read(FOLDER / "key.key_conll")


@pytest.fixture(scope="module")
def responses():
    return {system: read(FOLDER / f"{system}.response_conll") for system in SYSTEMS}


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_line_that_the_official_scorer_prints(key, responses, system):
    rows = printed_blocks(FOLDER / "expected.txt")[f"{system}.response_conll"]
    assert len(rows) == 4
    assert printed_differences(score(key, responses[system]), rows) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_ceaf_equals_a_dense_assignment(key, responses, system):
    """The official scorer takes too long for CEAF here; scipy solves the whole matrix."""
    result = score(key, responses[system], metrics=["ceafm", "ceafe"])
    (document,), (other,) = key.documents, responses[system].documents
    common = overlaps(document.entities, other.entities)
    sizes = np.add.outer(list(map(len, document.entities)), list(map(len, other.entities)))
    for metric, matrix in (("ceafm", common), ("ceafe", 2 * common / sizes)):
        total = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
        assert result[metric].recall_numerator == pytest.approx(total, rel=1e-12)


def test_recorded_ceaf(key, responses):
    path = FOLDER / "expected_ceaf_scipy.txt"
    if not path.is_file():
        pytest.skip(f"{path} is not there; the test above computes the same")
    for name, rows in printed_blocks(path).items():
        result = score(key, responses[name.partition(".")[0]], metrics=["ceafm", "ceafe"])
        for row in rows:
            scores = result[row["metric"].removesuffix("(scipy)")]
            assert scores.recall_numerator == pytest.approx(float(row["recall_num"]), rel=1e-9)
            assert scores.precision_denominator == int(row["precision_den"])
            assert 100 * scores.f1 == pytest.approx(float(row["f1"]), abs=1e-4)


def overlaps(key, response):
    home = {mention: k for k, entity in enumerate(key) for mention in entity}
    matrix = np.zeros((len(key), len(response)))
    for r, entity in enumerate(response):
        for mention in entity:
            if mention in home:
                matrix[home[mention], r] += 1
    return matrix
