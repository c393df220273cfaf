"""A leaderboard shows what score, compare and card return, and nothing of a hidden key."""

from __future__ import annotations

import json
import os
import random
import shutil
from datetime import date
from itertools import combinations
from math import fsum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefmeter
from corefmeter.statistics.plan import Plan
from corefmeter.wings.platforms.leaderboard import records
from corefmeter.wings.platforms.leaderboard.standings import compare_means, rank

from ...command import run

METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll"]
TRIALS = 200


def conll(rng: random.Random, name: str, damage: float, key: list[list[int]]) -> list[list[int]]:
    """The entities of a document, some of whose mentions are elsewhere."""
    found = [[*entity] for entity in key]
    for entity in found:
        for token in [*entity]:
            if rng.random() < damage:
                entity.remove(token)
                rng.choice(found).append(token)
    return [entity for entity in found if entity]


def write(path: Path, documents: dict[str, list[list[int]]], word: str) -> None:
    lines = []
    for name, entities in documents.items():
        cells = {token: n for n, entity in enumerate(entities) for token in entity}
        lines.append(f"#begin document ({name}); part 000")
        lines += [
            f"{name} 0 {token} {word}{token}{name} ({cells[token]})" if token in cells
            else f"{name} 0 {token} {word}{token}{name} -"
            for token in range(24)
        ]  # fmt: skip
        lines += ["", "#end document"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, ""]))


SYSTEMS = {"good": 0.05, "fair": 0.2, "poor": 0.5}
DATASETS = {"one": 9, "two": 7}


def write_system(folder: Path, name: str, damage: float, seed: int = 0) -> None:
    for dataset, number in DATASETS.items():
        rng = random.Random(f"{name} {dataset} {seed}")
        documents = {
            f"secret{n}": conll(rng, name, damage, [[*range(i, 20, 5)] for i in range(5)])
            for n in range(number)
        }
        write(folder / "systems" / name / f"{dataset}.conll", documents, dataset)


def write_board(folder: Path, toml: str = f"[compare]\ntrials = {TRIALS}\n") -> Path:
    for dataset, number in DATASETS.items():
        key = {f"secret{n}": [[*range(i, 20, 5)] for i in range(5)] for n in range(number)}
        write(folder / "keys" / f"{dataset}.conll", key, dataset)
    for name, damage in SYSTEMS.items():
        write_system(folder, name, damage)
    (folder / "leaderboard.toml").write_text(toml)
    return folder


def build(folder: Path, *options: str, site: str = "site") -> dict[str, Any]:
    done = run("leaderboard", folder, "-o", folder / site, *options)
    assert done.returncode == 0, done.stderr
    values: dict[str, Any] = json.loads((folder / site / "results.json").read_text())
    return values


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = write_board(tmp_path_factory.mktemp("board"))
    return folder, build(folder)


def scored(folder: Path, dataset: str, system: str) -> corefmeter.Result:
    key = folder / "keys" / f"{dataset}.conll"
    return corefmeter.score(key, folder / "systems" / system / f"{dataset}.conll")


@pytest.mark.parametrize("dataset", DATASETS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_cell_has_the_numbers_of_score(board, dataset, system):
    folder, found = board
    cell = found["results"][dataset][system]
    result = scored(folder, dataset, system)
    assert [*cell["scores"]] == METRICS
    for metric, rates in cell["scores"].items():
        for rate, value in rates.items():
            assert value == getattr(result[metric], rate)
    analysis = corefmeter.analyse(
        folder / "keys" / f"{dataset}.conll", folder / "systems" / system / f"{dataset}.conll",
        costs=["conll"],
    )  # fmt: skip
    expected = analysis.summary["errors"]
    assert cell["errors"] == {name: one["count"] for name, one in expected.items()}
    assert cell["costs"] == {name: one["cost"] for name, one in expected.items()}
    card = corefmeter.card(
        folder / "keys" / f"{dataset}.conll", folder / "systems" / system / f"{dataset}.conll",
        by=["kind"], metrics=["conll"],
    )  # fmt: skip
    assert cell["losses"] == card.losses["conll"]._asdict()


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_cell_has_the_interval_rank_and_letters_of_compare(board, dataset):
    folder, found = board
    systems = {one: folder / "systems" / one / f"{dataset}.conll" for one in SYSTEMS}
    key = folder / "keys" / f"{dataset}.conll"
    compared = corefmeter.compare(key, systems, metrics="conll", trials=TRIALS)["conll"]
    significant = [{one.a, one.b} for one in compared.pairs if one.significant]
    assert significant
    f1 = {one: score.f1 for one, score in compared.scores.items()}
    for system, cell in found["results"][dataset].items():
        assert tuple(cell["interval"]) == compared.scores[system].interval
        assert cell["rank"] == compared.ranks[system]
        assert cell["letters"] == compared.letters[system]
        better = [o for o in SYSTEMS if {o, system} in significant and f1[o] > f1[system]]
        worse = [o for o in SYSTEMS if {o, system} in significant and f1[o] < f1[system]]
        assert cell["ranks"] == [1 + len(better), len(SYSTEMS) - len(worse)]


def test_a_set_of_ranks_is_by_hand():
    """B is worse than A and better than D; C differs from nobody; D is also worse than A."""
    p = dict.fromkeys(combinations("ABCD", 2), 0.5)
    p |= {("A", "B"): 0.001, ("B", "D"): 0.001, ("A", "D"): 0.001}
    found = rank({"A": 0.9, "B": 0.8, "C": 0.75, "D": 0.7}, {}, p, Plan())
    ranks = {system: one["ranks"] for system, one in found.items()}
    assert ranks == {"A": [1, 2], "B": [2, 3], "C": [1, 4], "D": [3, 4]}


def test_the_mean_is_that_of_score_with_pairs(board, tmp_path):
    folder, found = board
    for system in SYSTEMS:
        lines = [
            f"{one}\t{folder}/keys/{one}.conll\t{folder}/systems/{system}/{one}.conll\n"
            for one in DATASETS
        ]
        (tmp_path / "pairs.tsv").write_text("".join(lines))
        done = run("score", "--pairs", tmp_path / "pairs.tsv", "-f", "json")
        assert json.loads(done.stdout)["mean"] == found["means"][""][system]["scores"]


def test_the_test_of_means_is_the_paired_bootstrap_trial_by_trial():
    rng = np.random.default_rng(1)
    means = {"A": 0.62, "B": 0.6, "C": None}
    rows = np.vstack([0.62 + 0.01 * rng.normal(size=99), 0.6 + 0.01 * rng.normal(size=99),
                      np.full(99, np.nan)])  # fmt: skip
    intervals, p_values = compare_means(means, rows, Plan(level=0.9))
    as_large = sum(
        abs((a - b) - (0.62 - 0.6)) >= 0.62 - 0.6 - 1e-11
        for a, b in zip(rows[0], rows[1], strict=True)
    )
    assert p_values == {("A", "B"): (as_large + 1) / 100}
    ordered = sorted(rows[0])  # 5 % and 95 % of the 98 steps between 99 values
    low = ordered[4] + 0.9 * (ordered[5] - ordered[4])
    high = ordered[93] + 0.1 * (ordered[94] - ordered[93])
    assert intervals["A"] == pytest.approx((low, high))
    assert "C" not in intervals
    assert compare_means({"A": 0.5, "B": 0.4}, np.full((2, 9), np.nan), Plan()) == ({}, {})


def test_means_have_intervals_and_ranks(board):
    _, found = board
    means = found["means"][""]
    assert [means[system]["rank"] for system in SYSTEMS] == [1, 2, 3]
    for one in means.values():
        low, high = one["interval"]
        assert low < one["scores"]["conll"]["f1"] < high


def count_scored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    made = []
    make = records._make_record
    with monkeypatch.context() as patch:
        patch.setattr(records, "_make_record", lambda *a: made.append(a) or make(*a))
        build(folder)
    return len(made)


def test_a_run_touches_only_what_changed(tmp_path, monkeypatch):
    folder = write_board(tmp_path)
    assert count_scored(folder, monkeypatch) == 6
    assert count_scored(folder, monkeypatch) == 0
    write_system(folder, "new", 0.3)
    assert count_scored(folder, monkeypatch) == 2
    with (folder / "systems/fair/one.conll").open("a") as file:
        file.write("\n")
    assert count_scored(folder, monkeypatch) == 1
    with (folder / "keys/two.conll").open("a") as file:
        file.write("\n")
    assert count_scored(folder, monkeypatch) == 4
    monkeypatch.setattr(records, "__version__", "9")
    assert count_scored(folder, monkeypatch) == 8


def test_systems_added_one_by_one_have_the_numbers_of_a_run_of_all(tmp_path):
    folder = write_board(tmp_path)
    for number in range(4):  # the last is compared with the others as their baseline
        write_system(folder, f"extra{number}", 0.25)
        added = build(folder)
    shutil.rmtree(folder / "systems/extra0")
    build(folder)
    write_system(folder, "extra5", 0.3)
    write_system(folder, "extra0", 0.25)
    added = build(folder)
    shutil.rmtree(folder / ".corefmeter")
    again = build(folder)
    assert added == again


@pytest.mark.slow
def test_bytes_are_equal_for_any_number_of_processes(tmp_path):
    folder = write_board(tmp_path)
    build(folder, site="a")
    history = (folder / ".corefmeter/history.json").read_bytes()
    shutil.rmtree(folder / ".corefmeter")
    build(folder, "--jobs", "3", site="b")
    assert (folder / ".corefmeter/history.json").read_bytes() == history
    assert files(folder / "a") == files(folder / "b")


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_a_hidden_key_leaves_no_trace(tmp_path):
    """No word, no name of a document, no count: all numbers are rates and ranks."""
    folder = write_board(tmp_path)
    build(folder, "--reports", "all")
    assert len(files(folder / "site")) == 7 + 6 + 2
    found = build(folder, "--no-keys")
    site = files(folder / "site")
    assert len(site) == 7  # reports and saved results are gone
    for dataset in DATASETS:
        words = {word for line in (folder / f"keys/{dataset}.conll").read_text().splitlines()
                 for word in line.split()[3:4] if not line.startswith("#")}  # fmt: skip
        assert len(words) > 100
        for data in site.values():
            assert not any(word.encode() in data for word in words)
            assert b"secret" not in data
    counts: list[Any] = []

    def visit(value: Any, place: tuple[str, ...]) -> None:
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(one, dict | list):
                visit(one, (*place, str(key)))
            elif isinstance(one, int) and not isinstance(one, bool):
                counts.append((place, key))

    visit(found["results"], ())
    assert {key if key == "rank" else place[-1] for place, key in counts} <= {"rank", "ranks"}


def test_a_hidden_key_is_not_quoted_by_the_reason_why_nothing_is_tested(tmp_path):
    folder = write_board(tmp_path)
    for path in [*folder.glob("keys/one*"), *folder.glob("systems/*/one*")]:
        path.write_text(path.read_text().replace("#end document\n#begin", "\n#begin", 1)
                        .split("#begin document (secret1)")[0])  # fmt: skip
    found = build(folder)
    assert "one document" in found["datasets"]["one"]["notes"][0]
    hidden = build(folder, "--no-keys")
    assert hidden["datasets"]["one"]["notes"] == []
    assert hidden["results"]["one"]["good"]["ranks"] is None
    assert hidden["means"][""]["good"]["interval"] is None


@pytest.mark.parametrize(("missing", "mean"), [("none", None), ("zero", "half")])
def test_a_system_without_a_data_set_has_a_mean_only_if_asked_for(tmp_path, missing, mean):
    folder = write_board(tmp_path, f'missing = "{missing}"\n[compare]\ntrials = 50\n')
    (folder / "systems/good/one.conll").unlink()
    found = build(folder)
    assert "good" not in found["results"]["one"]
    one = found["means"][""]["good"]
    if mean is None:
        assert one["scores"] is None
        assert one["rank"] is None
        assert found["means"][""]["fair"]["ranks"][1] <= 2  # of two systems
    else:
        f1 = found["results"]["two"]["good"]["scores"]["conll"]["f1"]
        assert one["scores"]["conll"]["f1"] == fsum([f1, 0.0]) / 2
        assert one["interval"][1] < 0.6


def test_a_group_has_its_own_mean(tmp_path):
    toml = '[datasets.one]\ngroups = ["A"]\n[datasets.two]\ngroups = ["A", "B"]\n'
    found = build(write_board(tmp_path, toml + "[compare]\ntrials = 50\n"))
    assert [*found["means"]] == ["", "A", "B"]
    for system in SYSTEMS:
        scores = found["results"]["two"][system]["scores"]
        assert found["means"]["B"][system]["scores"] == scores
        for name in ("interval", "rank", "ranks", "letters"):
            expected = found["results"]["two"][system][name]
            assert found["means"]["B"][system][name] == expected
        assert found["means"]["A"][system] == found["means"][""][system]


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("metric = []", "unknown name 'metric'; did you mean 'metrics'?"),
        ("[datasets.one]\nkeys = 'a'", "unknown name in [datasets.one] 'keys'; did you mean 'key'"),
        ("[compare]\ntrails = 5", "unknown name in [compare] 'trails'; did you mean 'trials'?"),
        ("[compare]\ntrials = 0", "trials: 0 is not a whole number of 1 or more"),
        ("[compare]\nalpha = 'x'", "alpha in [compare]: 'x' has the wrong type"),
        ("title = true", "title: True has the wrong type"),
        ("metrics = ['cefae']", "unknown metric 'cefae'; did you mean 'ceafe'?"),
        ("primary = 'bridging'", "unknown primary metric"),
        ("missing = 'one'", "unknown value of missing 'one'"),
        ("preset = 'corefud'", "unknown preset 'corefud'"),
        ("[options]\nsingeltons = 'drop'", "did you mean 'singletons'?"),
        ("a = ", "leaderboard.toml: error: Invalid value"),
        ("datasets.one = 5", "one: 5 is not a table"),
        ("[options]\nsingletons = ['drop']", "singletons"),
        ("[options]\noverlap_threshold = 'x'", "overlap_threshold"),
    ],
)
def test_a_mistake_in_the_file_is_explained(tmp_path, toml, message):
    folder = write_board(tmp_path, toml)
    done = run("leaderboard", folder, "-o", tmp_path / "site")
    assert done.returncode == 3
    assert message in done.stderr
    assert "leaderboard.toml: error: " in done.stderr
    assert "[bad-leaderboard]" in done.stderr
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("[datasets.one]\nkey = 'no.conll'", "no.conll: error: there is no key of the data set 'o"),
        ("[datasets.three]", "keys: error: there is no key of the data set 'three'"),
        ("[systems.x]\nfiles = 'no'", "no: error: there is no folder of the system 'x'"),
    ],
)
def test_a_path_that_does_not_exist_is_named(tmp_path, toml, message):
    done = run("leaderboard", write_board(tmp_path, toml), "-o", tmp_path / "site")
    assert done.returncode == 3
    assert message in done.stderr
    assert "[unreadable]" in done.stderr


def test_a_folder_without_keys_and_a_stray_response_are_reported(tmp_path):
    done = run("leaderboard", tmp_path, "-o", tmp_path / "site")
    assert done.returncode == 3
    assert "there is no key" in done.stderr
    folder = write_board(tmp_path / "board")
    shutil.copy(folder / "keys/one.conll", folder / "systems/good/three.conll")
    done = run("leaderboard", folder, "-o", tmp_path / "site")
    assert done.returncode == 0
    assert "there is no such data set; it is not scored [extra-document]" in done.stderr


def test_a_damaged_record_is_named(tmp_path):
    folder = write_board(tmp_path)
    before = build(folder)
    path = next((folder / ".corefmeter/pairs").rglob("*.json"))
    path.write_text("{")
    done = run("leaderboard", folder, "-o", folder / "site")
    assert (done.returncode, f"{path}: error: is not JSON" in done.stderr) == (3, True)
    path.unlink()
    assert build(folder) == before


def test_the_errors_of_all_pairs_come_in_order_and_nothing_is_written(tmp_path):
    folder = write_board(tmp_path)
    for name in ("good", "poor"):
        (folder / f"systems/{name}/two.conll").write_text(f"#begin document ({name})\na 0 0 w (1\n")
    done = run("leaderboard", folder, "-o", folder / "site")
    assert done.returncode == 3
    places = [line.split(":")[0] for line in done.stderr.splitlines() if ": error: " in line]
    assert Path(places[0]).parent.name == "good"
    assert Path(places[-1]).parent.name == "poor"
    assert not (folder / "site").exists()


def test_the_card_has_the_types_of_mentions(tmp_path):
    examples = Path(__file__).parents[3] / "examples"
    for name, place in (
        ("key", "keys/s"),
        ("system-a", "systems/a/s"),
        ("system-b", "systems/b/s"),
    ):
        (tmp_path / place).parent.mkdir(parents=True)
        shutil.copy(examples / f"{name}.conll", tmp_path / f"{place}.conll")
    cell = build(tmp_path)["results"]["s"]["a"]
    card = corefmeter.card(
        examples / "key.conll", examples / "system-a.conll", by=["kind"], metrics=["conll"]
    )
    assert cell["types"] == {
        part.name: part.result["mentions"].f1
        for part in card
        if (part.section, part.by) == ("mentions", "kind")
    }
    assert [*cell["types"]] == ["name", "nominal", "pronoun"]
    assert cell["losses"] == card.losses["conll"]._asdict()


def test_files_of_somebody_else_are_not_replaced(tmp_path):
    folder = write_board(tmp_path)
    (folder / "site").mkdir()
    (folder / "site/index.html").write_text("mine")
    done = run("leaderboard", folder, "-o", folder / "site")
    assert done.returncode == 3
    assert "[file-exists]" in done.stderr
    assert files(folder / "site") == {"index.html": b"mine"}
    build(folder, "--force")
    build(folder)  # what a leaderboard wrote, another replaces


@pytest.mark.parametrize("place", ["keys", "systems", "systems/good/new"])
def test_the_site_is_not_written_among_the_inputs(tmp_path, place):
    folder = write_board(tmp_path)
    done = run("leaderboard", folder, "-o", folder / place, "--force")
    assert (done.returncode, "[output-is-input]" in done.stderr) == (3, True)
    assert not [*(folder / place).glob("*.html")]


def test_names_that_would_be_one_file_are_refused(tmp_path):
    folder = write_board(tmp_path, "[systems.'a/b']\n[systems.a_b]\n")
    for name in ("a/b", "a_b"):
        write_system(folder, name, 0.1)
    done = run("leaderboard", folder, "-o", folder / "site")
    assert done.returncode == 2
    assert "two outputs would be written to one file" in done.stderr


def test_saved_results_are_compared_as_the_files(board):
    folder, _ = board
    saved = run("compare", "--results", folder / "site/data/one.json", "-f", "json")
    systems = [f"{one}={folder}/systems/{one}/one.conll" for one in sorted(SYSTEMS)]
    direct = run("compare", folder / "keys/one.conll", *systems, "-f", "json")
    one, other = json.loads(saved.stdout), json.loads(direct.stdout)
    assert (one["metrics"], one["signature"]) == (other["metrics"], other["signature"])


def test_pages_of_systems_that_are_gone_are_removed(tmp_path):
    folder = write_board(tmp_path)
    build(folder)
    (folder / "site/systems/notes.txt").write_text("mine")
    shutil.rmtree(folder / "systems/poor")
    build(folder)
    assert sorted(os.listdir(folder / "site/systems")) == ["fair.html", "good.html", "notes.txt"]


def test_reports_are_those_of_report(tmp_path):
    folder = write_board(tmp_path)
    found = build(folder, "--reports", "good")
    assert found["reports"] == ["reports/one/good.html", "reports/two/good.html"]
    key, response = folder / "keys/one.conll", folder / "systems/good/one.conll"
    page = corefmeter.report(key, {"good": response})
    assert (folder / "site/reports/one/good.html").read_text() == page.html
    done = run("leaderboard", folder, "-o", folder / "site", "--reports", "god")
    assert done.returncode == 2
    assert "unknown system 'god'; did you mean 'good'?" in done.stderr
    done = run("leaderboard", folder, "-o", folder / "site", "--reports", "all", "--no-keys")
    assert done.returncode == 2


def add(folder: Path, *arguments: object) -> str:
    done = run("leaderboard", "add", "--folder", folder, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_log_keeps_the_scores_of_earlier_versions(tmp_path):
    folder = write_board(tmp_path / "board")
    write_system(tmp_path, "run", 0.4)
    today = date.today()
    first = add(folder, f"mine={tmp_path}/systems/run", "--note", "lr 1e-5")
    shutil.copy(folder / "systems/good/one.conll", tmp_path / "one.conll")
    second = add(folder, f"mine={tmp_path}/one.conll", "--note", "better")
    expected = {one: 100 * scored(folder, one, "mine").conll for one in DATASETS}
    assert second.splitlines() == [f"mine on {n}: conll {v:.2f}" for n, v in expected.items()]
    assert first.splitlines()[1] == second.splitlines()[1]  # of the data set two
    one, two = build(folder)["history"]["mine"]
    assert today <= date.fromisoformat(one["date"]) <= date.today()
    assert one["note"] == "lr 1e-5"
    assert (two["note"], two["again"]) == ("better", False)
    assert f"{100 * one['scores']['one']['conll']['f1']:.2f}" in first
    assert two["scores"]["one"]["conll"]["f1"] == scored(folder, "one", "mine").conll
    assert two["mean"]["conll"]["f1"] == fsum(two["scores"][n]["conll"]["f1"] for n in DATASETS) / 2
    assert build(folder)["history"]["mine"] == [one, two]


def test_scores_that_another_key_moved_are_listed(tmp_path):
    folder = write_board(tmp_path)
    before = build(folder)
    text = (folder / "keys/one.conll").read_text()
    (folder / "keys/one.conll").write_text(text.replace("(1)", "(2)"))
    found = build(folder)
    for system in SYSTEMS:
        first, second = found["history"][system]
        assert (first["again"], second["again"]) == (False, True)
        assert (
            first["scores"]["one"]["lea"]["f1"]
            == (before["results"]["one"][system]["scores"]["lea"]["f1"])
        )
        assert second["scores"]["one"]["lea"]["f1"] == scored(folder, "one", system).lea.f1
        assert first["scores"]["two"] == second["scores"]["two"]


@pytest.mark.parametrize(
    ("argument", "message", "status"),
    [
        ("plain.conll", "give NAME=FILE", 2),
        ("a b=one.conll", "NAME becomes the name of a folder", 2),
        ("x=three.conll", "has no response to a data set", 3),
    ],
)
def test_what_cannot_be_added_is_explained(tmp_path, argument, message, status):
    folder = write_board(tmp_path / "board")
    for name in ("plain", "one", "three"):
        shutil.copy(folder / "keys/one.conll", tmp_path / f"{name}.conll")
    before = files(folder)
    done = run("leaderboard", "add", "--folder", "board", argument, folder=tmp_path)
    assert (done.returncode, message in done.stderr) == (status, True)
    assert files(folder) == before


def test_a_response_goes_into_the_folder_that_the_file_names(tmp_path):
    folder = write_board(tmp_path, "[systems.mine]\nfiles = 'outputs/mine'\n")
    (folder / "outputs/mine").mkdir(parents=True)
    shutil.copy(folder / "systems/good/one.conll", folder / "outputs/mine/one.xyz")
    shutil.copy(folder / "keys/one.conll", tmp_path / "one.conll")
    assert add(folder, f"mine={tmp_path}/one.conll") == "mine on one: conll 100.00\n"
    assert os.listdir(folder / "outputs/mine") == ["one.conll"]


def test_the_name_of_the_command_may_be_left_out(tmp_path):
    folder = write_board(tmp_path)
    for words in (["leaderboard", "build"], ["leaderboard"]):
        assert run(*words, folder, "-o", folder / "site").returncode == 0
    assert run("leaderboard", "-o", folder / "site", folder).returncode == 0
