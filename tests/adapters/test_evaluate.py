"""The module of the library evaluate, with that library itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import corefmeter

ROOT = Path(__file__).parents[2]

#: Documents of the page, and two batches: key first.
FIRST = ([[(0, 1), (4, 4), (6, 7)]], [[(0, 1), (4, 4)], [(6, 7)]])
DOCUMENTS = [FIRST, ([[(1, 1), (2, 2)]], []), ([[(3, 5), (8, 8)]], [[(3, 5), (8, 8)]])]

#: What the page does not say: the names that its blocks take, and what is told of theirs.
BEFORE = f"""
import json
documents = {DOCUMENTS}
sides = [([d[1] for d in part], [d[0] for d in part]) for part in (documents[:2], documents[2:])]
batches = [tuple(json.loads(json.dumps(side)) for side in batch) for batch in sides]
"""
AFTER = """
import numpy
arrays = coreference.compute(
    predictions=[numpy.array([[[0, 1], [4, 4]]])], references=[[[(0, 1), (4, 4)]]], metrics="muc"
)
refused = []
for wrong in (
    lambda: coreference.compute(predictions=[[]], references=[[]], metric="lea"),
    lambda: coreference.compute(predictions=[[["Ann"]]], references=[[["Ann"]]]),
    lambda: evaluate.load("huggingface/corefmeter", "lea"),
):
    try:
        wrong()
    except ValueError as error:
        refused.append(str(error))
print(json.dumps([scores, pooled, combined, arrays, refused]))
"""


@pytest.mark.nightly
def test_the_library_evaluate_computes_what_the_page_says(tmp_path):
    """In a process of its own, without a network, and with caches of its own."""
    pytest.importorskip("evaluate", reason="evaluate is not installed")
    page = (ROOT / "docs/howto/evaluate.md").read_text("utf-8")
    blocks = re.findall(r"^```py\n(.*?)^```", page, re.M | re.S)
    offline = {"HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([BEFORE, *blocks, AFTER])], cwd=ROOT, text=True,
        env=os.environ | offline, stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    scores, pooled, combined, arrays, refused = json.loads(done.stdout.splitlines()[-1])
    key, response = FIRST
    result = corefmeter.score(key, response, metrics=["muc", "lea", "conll"])
    assert scores == {**result.flat(), "signature": result.signature}
    assert (scores["muc.recall"], scores["muc.precision"]) == (1 / 2, 1)
    keys, responses = ({f"{n}": d[i] for n, d in enumerate(DOCUMENTS)} for i in (0, 1))
    assert pooled["conll.f1"] == corefmeter.score(keys, responses).conll
    assert {name: combined[f"{name}_conll.f1"] for name in ("all", "other")} == {
        "all": 1, "other": 1,
    }  # fmt: skip
    assert arrays["muc.f1"] == 1
    assert ["did you mean 'metrics'" in refused[0], "expected format" in refused[1]] == [True] * 2
    assert "there is no configuration 'lea'" in refused[2]
