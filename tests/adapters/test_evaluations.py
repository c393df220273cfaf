"""Harnesses of language models run the tasks of the page with models that answer as is said here.

The two texts have 8 and 3 words, of which the answers have 8 and 2. MUC: the first has 1 of 2
links, the second 0 of 1.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs/howto/language-models.md"
BLOCKS = re.findall(r"^```(?:py|yaml)\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
TEXTS = [
    ("Mark: Ann saw the dog and she called her",
     "[Ann]_1 saw [the dog]_2 and [she]_1 called [her]_1",
     "[Ann]_1 saw [the dog]_2 and [she]_1 called her"),
    ("Mark: Eve or she", "[Eve]_1 or [she]_1", "[Eve]_1 or"),
]  # fmt: skip
ANSWERS = {prompt: answer for prompt, _, answer in TEXTS}


def block_with(text: str) -> str:
    (found,) = (block for block in BLOCKS if text in block)
    return found


def run(folder: Path, script: str) -> list:
    """What a script prints last, in a folder with the texts, without a network."""
    lines = [json.dumps({"prompt": prompt, "target": target}) for prompt, target, _ in TEXTS]
    for place in (folder / "texts.jsonl", folder / "texts/texts.jsonl"):
        place.parent.mkdir(exist_ok=True)
        place.write_text("\n".join(lines) + "\n", "utf-8")
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "home")}
    begin = f"import json\nANSWERS = {ANSWERS!r}\n"
    done = subprocess.run(
        [sys.executable, "-c", begin + script], cwd=folder, env=os.environ | offline, text=True,
        stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


def check(scores: dict[str, float], silent: dict[str, float]) -> None:
    """Of the whole data set; a model that says something else has nothing."""
    # LEA by recall: 3 · 1/3 + 1 of 4 mentions, and 0 of 2; by precision: 2 + 1 of 3, and 0 of 1.
    # Mentions: 4 of 6, and 4 of 4.
    recall, precision = (1 + 1) / 6, 3 / 4
    assert scores["lea.f1"] == pytest.approx(2 * recall * precision / (recall + precision))
    assert scores["mentions.f1"] == pytest.approx(2 * 4 / (6 + 4))
    assert scores["coverage.copied"] == pytest.approx(10 / 11)
    assert silent["lea.f1"] == silent["mentions.f1"] == silent["conll.f1"] == 0


INSPECT = """
from inspect_ai.model import ModelOutput, ModelUsage, get_model

def answering(texts):
    outputs = [ModelOutput.from_content("mock", text) for text in texts]
    for output in outputs:
        output.usage = ModelUsage()  # else tokens are counted, by a table from the network
    return get_model("mockllm/model", custom_outputs=outputs, memoize=False)

def evaluate(texts, epochs=1):
    names = {"model": answering(texts)}
    exec(BLOCK.replace("scorer=coreference()", f"scorer=coreference(), epochs={epochs}").replace(
        "model=model", "model=model, display='none', max_connections=1, max_samples=1"), names)
    return names["log"], names["scores"]

answers = list(ANSWERS.values())
log, scores = evaluate(answers)
_, silent = evaluate(["I cannot do that."] * 2)
_, twice = evaluate([*answers, "I cannot.", ""], epochs=2)
"""


@pytest.mark.nightly
def test_inspect(tmp_path):
    """One of two epochs answers nothing: half of what is found, of all that is to be found."""
    pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")
    script = f"BLOCK = {block_with('json_dataset')!r}\n{INSPECT}"
    end = "\nprint(json.dumps([scores, silent, twice]))"
    scores, silent, twice = run(tmp_path, script + end)
    check(scores, silent)
    assert scores["muc.recall"] == pytest.approx(1 / 3)
    assert twice["muc.recall"] == pytest.approx(1 / 2 / 3)
    assert twice["coverage.copied"] == pytest.approx(10 / 11 / 2)


@pytest.mark.nightly
def test_inspect_finds_the_scorer_by_its_name(tmp_path):
    pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")
    script = f"BLOCK = {block_with('json_dataset')!r}\n{INSPECT}"
    log = run(tmp_path, script + "\nprint(json.dumps(log.location))")
    command = Path(sys.executable).parent / "inspect"
    subprocess.run(
        [command, "score", log, "--scorer", "corefmeter/coreference", "-S", "metrics=muc",
         "--action", "overwrite", "--overwrite"], cwd=tmp_path, check=True,
    )  # fmt: skip
    read = f"""
from inspect_ai.log import read_eval_log
(found,) = read_eval_log({log!r}).results.scores
print(json.dumps([found.scorer, {{name: m.value for name, m in found.metrics.items()}}]))
"""
    name, scores = run(tmp_path, read)
    assert name.endswith("coreference")
    assert scores["muc.recall"] == pytest.approx(1 / 3)
    assert "lea.f1" not in scores


#: While it lists its tasks, lighteval asks the network for data and models of others.
LIGHTEVAL = """
import types, huggingface_hub, requests
requests.get = lambda *_, **__: types.SimpleNamespace(status_code=404)
huggingface_hub.HfApi.list_models = lambda *_, **__: [None]
from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters

class Mock(DummyModel):
    def greedy_until(self, docs):
        return [ModelResponse(text=[ANSWERS[doc.query]]) for doc in docs]

def evaluate(model):
    pipeline = Pipeline(
        tasks="coreference|0",
        pipeline_parameters=PipelineParameters(
            launcher_type=ParallelismManager.NONE, custom_tasks_directory="coreference_task.py"),
        evaluation_tracker=EvaluationTracker(output_dir="out"),
        model=model(DummyModelConfig(model_name=model.__name__)),
    )
    pipeline.evaluate()
    return pipeline.get_results()["results"]["coreference:0"]

if __name__ == "__main__":
    print("\\n" + json.dumps([evaluate(Mock), evaluate(DummyModel)]))
"""


@pytest.mark.nightly
def test_lighteval(tmp_path):
    pytest.importorskip("lighteval", reason="lighteval is not installed")
    task = block_with("TASKS_TABLE")
    assert 'singletons="drop"' in task
    (tmp_path / "coreference_task.py").write_text(task.replace('singletons="drop"', ""), "utf-8")
    check(*run(tmp_path, LIGHTEVAL))


@pytest.mark.nightly
def test_the_metric_of_lighteval_takes_options():
    pytest.importorskip("lighteval", reason="lighteval is not installed")
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from corefmeter.adapters.lighteval import coreference_metric

    metric = coreference_metric(metrics=["mentions"], singletons="drop")
    assert metric.metric_name == ["mentions.f1", "coverage.copied"]
    items = [
        metric.compute_sample(doc=Doc(prompt, [target], 0), model_response=ModelResponse(text=[a]))
        for prompt, target, a in TEXTS
    ]
    total = metric.get_corpus_aggregations()["mentions.f1"]
    # Without singletons: 2 of 3 and 0 of 2 mentions are found, of 2 and 0 that are given.
    assert total([item["mentions.f1"] for item in items]) == pytest.approx(2 * 2 / (5 + 2))


LM_EVAL = """
from lm_eval import simple_evaluate
from lm_eval.models.dummy import DummyLM
from lm_eval.tasks import TaskManager

class Mock(DummyLM):
    def generate_until(self, requests, disable_tqdm=False):
        return [ANSWERS[request.args[0]] for request in requests]

def evaluate(model):
    tasks = TaskManager(include_path=".", include_defaults=False)
    found = simple_evaluate(model=model, tasks=["coreference"], task_manager=tasks)
    results = found["results"]["coreference"].items()
    return {name.partition(",")[0]: value for name, value in results if name.endswith(",none")}

print("\\n" + json.dumps([evaluate(Mock()), evaluate("dummy")]))
"""


@pytest.mark.nightly
def test_lm_eval(tmp_path):
    pytest.importorskip("lm_eval", reason="lm-eval is not installed")
    (tmp_path / "coreference.yaml").write_text(block_with("process_results"), "utf-8")
    check(*run(tmp_path, LM_EVAL))
