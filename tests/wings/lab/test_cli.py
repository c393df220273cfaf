"""``corefmeter lab`` as a user runs it."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from corefmeter import read, score

from ...command import printed, run

EXAMPLES = Path(__file__).parents[3] / "examples"
KEY, RESPONSE = str(EXAMPLES / "key.conll"), str(EXAMPLES / "system-a.conll")


def test_experiments_are_listed():
    text = printed("lab", "experiment")
    assert "lea-figure2" in text
    assert "luo-sweep" in text
    listed = json.loads(printed("lab", "experiment", "-f", "json"))
    sweep = {"name": "luo-sweep", "needs": "key", "optional": True}
    assert sweep.items() <= listed["experiments"][-1].items()
    assert {entry["optional"] for entry in listed["experiments"][:-1]} == {False}
    assert "key (optional)" in text


def test_text_has_the_scores_and_the_claims():
    text = printed("lab", "experiment", "luo-figure1", "-m", "muc", "-m", "b3")
    assert "a  94.74  86.49" in text
    assert "Precision" in text
    assert "holds: MUC does not distinguish (a) from (b)" in text
    assert "DOES NOT HOLD" not in text
    assert "corefmeter:" in text.splitlines()[-1]


def test_a_claim_that_does_not_hold_is_told():
    assert "DOES NOT HOLD: BLANC F1 is less" in printed("lab", "experiment", "lea-figure2")


def test_json_has_rows_and_claims():
    found = json.loads(printed("lab", "experiment", "luo-figure1", "-f", "json"))
    assert found["schema"] == 1
    row = next(r for r in found["rows"] if (r["level"], r["metric"]) == ("c", "b3"))
    assert (row["recall"], row["precision"]) == (1.0, 0.375)
    assert all(claim["holds"] for claim in found["claims"])


def test_csv_has_unrounded_numbers():
    rows = list(
        csv.DictReader(io.StringIO(printed("lab", "experiment", "lea-figure4", "-f", "csv")))
    )
    assert len(rows) == 18 * 6
    first = next(r for r in rows if r["at"] == "1.0" and r["metric"] == "b3")
    assert float(first["f1"]) == pytest.approx(40 / 99, rel=1e-15)


def test_markdown_and_latex():
    assert "| base |" in printed("lab", "experiment", "lea-table4", KEY, "-f", "markdown")
    assert r"\toprule" in printed("lab", "experiment", "lea-figure7", "-f", "latex")


def test_an_average_has_no_recall():
    rows = csv.DictReader(
        io.StringIO(printed("lab", "experiment", "lea-figure7", "-m", "conll", "-f", "csv"))
    )
    assert {row["recall"] for row in rows} == {""}


def test_invented_files_can_be_scored(tmp_path):
    printed("lab", "experiment", "lea-figure7", "--write", str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 12
    scores = score(tmp_path / "key.conll", tmp_path / "2-0.conll").lea
    assert (scores.recall, scores.precision) == (1, 79 / 81)


def test_damaged_files_keep_their_words(tmp_path):
    printed("lab", "damage", KEY, "--kind", "miss-entities", "--levels", "0,50%",
            "--write", tmp_path, "-o", tmp_path / "out.txt")  # fmt: skip
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["0.conll", "50-percent.conll", "key.conll", "out.txt"]
    before, after = (read(tmp_path / name, details=True) for name in ("key.conll", "0.conll"))
    for one, other in zip(before, after, strict=True):
        assert one.text.words == other.text.words
        assert sorted(map(sorted, one.entities)) == sorted(map(sorted, other.entities))
    entities = sum(len(document.entities) for document in before)
    half = sum(len(d.entities) for d in read(tmp_path / "50-percent.conll"))
    assert half == entities - round(entities / 2)


def test_another_format(tmp_path):
    result = run("lab", "experiment", "luo-figure1", "--write", str(tmp_path), "--to", "clusters")
    assert result.returncode == 0
    assert (tmp_path / "a.clusters").exists()


def test_damage():
    found = json.loads(
        printed("lab", "damage", KEY, "--kind", "split", "--levels", "0,3", "-f", "json")
    )
    assert found["unit"] == "links"
    assert {row["errors"] for row in found["rows"]} == {0, 3}
    # MUC: n - 3 of n links, and no wrong one.
    muc = next(r for r in found["rows"] if r["errors"] == 3 and r["metric"] == "muc")
    n = found["sites"]
    assert muc["recall"] == pytest.approx((n - 3) / n)
    cost = found["costs"]["muc"]
    assert cost["per_error"] == pytest.approx(1 - 2 * (n - 1) / (2 * n - 1))
    assert cost["per_percent"] == pytest.approx(cost["per_error"] * n / 100)
    text = printed("lab", "damage", KEY, "--kind", "merge", "--order", "largest")
    assert "Pairs of entities merged (largest): F1" in text
    assert "Points of F1 that one error alone costs" in text
    assert "one error  deviation  1 % of " in text
    assert "sites" not in text
    assert printed("lab", "damage", KEY, "--kind", "move", "-f", "csv").startswith(
        "kind,order,level,"
    )


def test_a_picture(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    printed("lab", "damage", KEY, "--kind", "extra", "--plot", str(tmp_path / "x.png"))
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_there_is_no_picture(tmp_path):
    picture = str(tmp_path / "x.png")
    refused = run("lab", "experiment", "lea-figure8", "--plot", picture, without="matplotlib")
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert re.search(r"pip install \S+\[plot\]", refused.stderr)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("experiment", "lea-figure9"), 2, "did you mean 'lea-figure"),
        (("experiment", "lea-table4"), 2, "needs a key"),
        (("experiment", "luo-sweep", KEY, "--weights", "ace2006"), 2, "did you mean 'ace200"),
        (("experiment", "lea-table1", KEY), 2, "needs a key and a response"),
        (("experiment", "lea-figure2", KEY), 2, "a key of its own"),
        (("experiment", "lea-figure2", "-m", "leaf"), 2, "did you mean 'lea'"),
        (("experiment", "lea-figure2", "--plot", "x.gif"), 2, "a picture must end in"),
        (("experiment", "luo-sweep", "nowhere.conll"), 3, "nowhere.conll"),
        (("damage", KEY), 2, "--kind"),
        (("damage", KEY, "--kind", "splitt"), 2, "did you mean 'split'"),
        (("damage", KEY, "--kind", "split", "--levels", "x"), 2, "is not a level"),
        (("damage", KEY, "--kind", "split", "--levels", "999999"), 2, "places for such errors"),
        (("experiment", "lea-figure2", "--noise", "0.2"), 2, "are only for luo-sweep"),
        (("experiment", "luo-sweep", KEY, RESPONSE), 2, "makes its responses"),
    ],
)
def test_wrong_requests(arguments, status, message):
    result = run("lab", *arguments)
    assert result.returncode == status
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_help():
    assert "Experiments on metrics" in printed("lab", "--help")
    assert "audit" in run("lab", "audti").stderr
    for command in ("experiment", "damage", "audit"):
        assert "Examples:" in printed("lab", command, "--help")


@pytest.mark.slow
def test_wide_tables_and_notes_fit_80_columns():
    text = printed("lab", "experiment", "lea-figure8", "-m", "all") + printed(
        "lab", "experiment", "luo-sweep", KEY
    )
    lines = [line for line in text.splitlines() if not line.startswith("corefmeter:")]
    assert max(map(len, lines)) <= 80
    assert "noise: 0.33" in lines
    assert "seed: 0" in lines


def test_a_key_without_a_mention_has_no_peaks(tmp_path):
    path = tmp_path / "empty.conll"
    path.write_text("#begin document (x); part 000\nx\t-\n#end document\n", "utf-8")
    result = run("lab", "experiment", "luo-sweep", str(path))
    assert result.returncode == 0
    assert "no-coreference" in result.stderr
    assert "n/a" in result.stdout


@pytest.mark.slow
def test_what_files_lose_is_told_once(tmp_path):
    result = run(
        "lab", "experiment", "luo-sweep", KEY, "--write", str(tmp_path), "--to", "fastcoref"
    )
    lines = [line for line in result.stderr.splitlines() if "fastcoref" in line]
    assert len(lines) == len(set(lines))
    assert len(list(tmp_path.iterdir())) > 30


@pytest.mark.slow
def test_a_sweep_says_in_how_many_draws_a_sentence_holds():
    text = " ".join(printed("lab", "experiment", "luo-sweep", KEY, "--trials", "3").split())
    alone = ("lab", "experiment", "luo-sweep", KEY, "--trials", "1", "-f", "json", "--seed")
    one = [json.loads(printed(*alone, str(seed))) for seed in range(3)]
    for number, claim in enumerate(one[0]["claims"]):
        verdicts = [found["claims"][number]["holds"] for found in one]
        known = [verdict for verdict in verdicts if verdict is not None]
        said = f"holds in {sum(known)} of {len(known)} draws" if known else "does not apply"
        assert f"{said}: {claim['text']}. " in text
    assert "draws: 3" in text
