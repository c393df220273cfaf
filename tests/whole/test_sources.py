"""The lines of the page "I have … output" run, and each gives the score of the same example.

Ann, her and she are one entity of the key; the response has the first two. MUC: recall 1/2,
precision 1/1, F1 2/3.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import corefmeter

from ..command import run

PAGE = Path(__file__).parents[2] / "docs/howto/outputs.md"
ROWS = {
    source: re.findall(r"`(.+?)`(?:<br>|$)", lines)
    for source, lines in re.findall(r"^\| (.*?) \| (`.*`) \|", PAGE.read_text("utf-8"), re.M)
}
#: Those that tests/adapters runs, with the libraries.
WITH_LIBRARIES = {
    source for source, lines in ROWS.items()
    if re.search(r"adapters\.(spacy|stanza|udapi|rows) ", lines[0])
}  # fmt: skip
COMMANDS = {source for source, lines in ROWS.items() if lines[0].startswith("corefmeter ")}

KEY, RESPONSE = [[(0, 1), (2, 3), (4, 5)]], [[(0, 1), (2, 3)]]

#: What the reader's own code does then.
THEN = {
    "code with the e2e-coref class": "evaluator.update(clusters, key, {}, {})\n"
    "result = evaluator.compute()",
    "code with the AllenNLP metric": "metric(spans, candidates, chosen, [{'clusters': key}])\n"
    "result = metric.evaluator.compute()",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    cells = ["Ann\t(1)", "saw\t-", "her\t(1)", "and\t-", "she\t(1)"]
    for name, lines in {"key": cells, "response": [*cells[:4], "she\t-"]}.items():
        text = "\n".join(["#begin document (a); part 000", *lines, "", "#end document", ""])
        (tmp_path / f"{name}.conll").write_text(text, "utf-8")
    (tmp_path / "response.jsonl").write_text(json.dumps(
        {"doc_key": "a_0", "sentences": [["Ann", "saw", "her", "and", "she"]],
         "clusters": [[[0, 0], [2, 2]]]}) + "\n", "utf-8")  # fmt: skip
    (tmp_path / "key.csv").write_text("mention,entity\na,1\nb,1\nc,1\n", "utf-8")
    (tmp_path / "frame.csv").write_text("mention,entity\na,x\nb,x\n", "utf-8")
    saved = corefmeter.score({"a": KEY}, {"a": RESPONSE}).to_dict(by=["document"])
    (tmp_path / "results.json").write_text(json.dumps(saved), "utf-8")
    header = "COREF\tstart_token\tend_token\tprop\tcat\ttext"
    rows = ["1\t0\t0\tPROP\tPER\tAnn", "1\t2\t2\tPRON\tPER\ther"]
    tokens = ["sentence_ID\tword", *(f"0\t{word}" for word in ["Ann", "saw", "her", "and", "she"])]
    (tmp_path / "a.entities").write_text("\n".join([header, *rows, ""]), "utf-8")
    (tmp_path / "a.tokens").write_text("\n".join([*tokens, ""]), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names() -> dict[str, object]:
    """What the reader has."""
    return {
        "corefmeter": corefmeter,
        "key": KEY,
        "clusters": RESPONSE,
        "key_in_characters": [[(0, 3), (8, 11), (16, 19)]],
        "preds": [SimpleNamespace(get_clusters=lambda as_strings: [[(0, 3), (8, 11)]])],
        "scorer": corefmeter.Scorer(),
        "spans": np.array([[[0, 1], [2, 3], [4, 5]]]),
        "candidates": np.array([[[0], [0], [0]]]),
        "chosen": np.array([[-1, 0, -1]]),
        "key_labels": np.array([7, 7, 7]),
        "labels": np.array([1, 1, 2]),
        "key_frame": pd.DataFrame({"mention": ["a", "b", "c"], "entity": [7, 7, 7]}),
        "frame": pd.DataFrame({"mention": ["a", "b"], "entity": [1, 1]}),
        "text": "[Ann]_1 saw [her]_1 and she",
        "marked_key": "[Ann]_1 saw [her]_1 and [she]_1",
        "found": {
            "sentences": [
                {"tokens": [{"word": word} for word in ["Ann", "saw", "her", "and", "she"]]}
            ],
            "corefs": {
                "1": [
                    {"sentNum": 1, "startIndex": start, "endIndex": start + 1, "headIndex": start}
                    for start in (1, 3)
                ]
            },
        },
        "mentions": pd.DataFrame(
            {"document": ["a", "a"], "entity": [1, 1], "start": [0, 2], "end": [1, 3]}
        ),
        "texts": {"a": ["Ann", "saw", "her", "and", "she"]},
    }


def test_the_page_has_rows():
    assert len(ROWS) > 10
    assert all(1 <= len(lines) <= 2 for lines in ROWS.values())
    assert ROWS.keys() > THEN.keys()


@pytest.mark.parametrize("source", sorted(ROWS.keys() - COMMANDS - WITH_LIBRARIES))
def test_two_lines_give_the_score(source, folder):
    got = names()
    with contextlib.redirect_stdout(io.StringIO()):
        exec("\n".join([*ROWS[source], THEN.get(source, "")]), got)
    assert got["result"].muc.f1 == 2 / 3


@pytest.mark.parametrize("source", sorted(COMMANDS))
def test_commands_give_the_score(source, folder):
    for line in ROWS[source]:
        _, *arguments = shlex.split(line)
        done = run(*arguments, folder=folder)
        assert done.returncode == 0
        assert all(": note: " in line for line in done.stderr.splitlines())
    assert re.search(r"MUC +50.00 +100.00 +66.67", done.stdout)
