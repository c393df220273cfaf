"""Scorers in training: several processes, loaders, and the Trainer of Hugging Face."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import corefmeter

from .ranks import METRICS, block_with, documents, merged

HERE = Path(__file__).parent


def of_all() -> corefmeter.Result:
    """What one process gets of all documents."""
    key, response = ({name: sides[i] for name, *sides in documents()} for i in (0, 1))
    return corefmeter.score(key, response, metrics=METRICS)


def assert_same(result: corefmeter.Result) -> None:
    """The same documents, in any order, and the same sums to the last bit."""
    whole = of_all()
    assert {name: part.statistics for name, part in result.by("document").items()} == {
        name: part.statistics for name, part in whole.by("document").items()
    }
    assert result.flat() == whole.flat()


def test_two_processes_score_as_one():
    """The second begins with the document that the first ends with."""
    script = (
        "import json, sys; from ranks import *; first, end = map(int, sys.argv[1:]);"
        "print(json.dumps(counted(documents()[first:end]).state_dict()))"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", script, first, end], cwd=HERE, text=True,
                         stdout=subprocess.PIPE)
        for first, end in (("3", "7"), ("0", "4"))
    ]  # fmt: skip
    states = [json.loads(process.communicate()[0]) for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    result = merged(states).compute()
    assert [problem.code for problem in result.problems] == ["repeated-document"]
    assert_same(result)


@pytest.mark.nightly
def test_ranks_and_workers_of_torch_score_as_one_process(tmp_path):
    pytest.importorskip("torch", reason="torch is not installed")
    ranks = [
        subprocess.Popen([sys.executable, str(HERE / "ranks.py"), str(tmp_path), str(rank), "2"])
        for rank in range(2)
    ]
    assert [rank.wait() for rank in ranks] == [0, 0]
    first, second = (json.loads((tmp_path / f"{rank}.json").read_text()) for rank in range(2))
    assert first == second
    assert_same(corefmeter.Result.from_dict(first))


@pytest.mark.nightly
def test_the_trainer_of_hugging_face_computes_what_the_page_says(tmp_path):
    """The model says what it is given; its function is that of the page."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    pytest.importorskip("accelerate", reason="accelerate is not installed")
    names = {"corefmeter": corefmeter}
    exec(block_with("def compute_metrics"), names)

    class Echo(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.zeros(1))

        def forward(self, numbers, labels):
            return {"loss": self.weight.sum(), "logits": numbers}

    # Links: 1 of 2 in the first document, 0 of 1 in the second; predicted 1 of 1 and 0 of 0.
    data = [
        {"numbers": [1, 1, 2, -100], "labels": [7, 7, 7, -100]},
        {"numbers": [1, 2, -100, -100], "labels": [3, 3, -100, -100]},
    ]
    trainer = transformers.Trainer(
        model=Echo(), eval_dataset=data, compute_metrics=names["compute_metrics"],
        args=transformers.TrainingArguments(output_dir=str(tmp_path), report_to="none",
                                            use_cpu=True, per_device_eval_batch_size=1),
    )  # fmt: skip
    found = trainer.evaluate()
    rates = {name: found[f"eval_muc.{name}"] for name in ("recall", "precision", "f1")}
    assert rates == {"recall": 1 / 3, "precision": 1, "f1": 1 / 2}
