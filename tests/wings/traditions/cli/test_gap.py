"""``corefmeter gap`` gives GAP's own scores; every number is worked out in a comment."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from corefmeter import __version__

from ....command import run

HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"

# Two examples of each gender; A is Ann or Bob at 0, B is Sue or Tom at 8.
GOLD = "\n".join(
    [
        HEADER,
        "f-1\tAnn saw Sue, she\tshe\t13\tAnn\t0\tTRUE\tSue\t8\tFALSE\tu",
        "f-2\tAnn saw Sue. Her\tHer\t13\tAnn\t0\tFALSE\tSue\t8\tTRUE\tu",
        "m-1\tBob saw Tom, him\thim\t13\tBob\t0\tTRUE\tTom\t8\tFALSE\tu",
        "m-2\tBob saw Tom, his\this\t13\tBob\t0\tFALSE\tTom\t8\tFALSE\tu",
        "",
    ]
)

ANSWERS = "f-1\tTRUE\tTRUE\nf-2\tFALSE\tFALSE\nm-1\tTRUE\tFALSE\nm-2\tTRUE\tFALSE\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.tsv").write_text(GOLD, "utf-8")
    (tmp_path / "answers.tsv").write_text(ANSWERS, "utf-8")
    return tmp_path


def test_scores_by_gender_and_bias(folder):
    """Feminine: f-1 A right, B wrong; f-2 B missed: TP 1, FP 1, FN 1, TN 1; F1 1/2.

    Masculine: m-1 A right; m-2 A wrong: TP 1, FP 1, FN 0, TN 2; R 1, P 1/2, F1 2/3.
    Overall: TP 2, FP 2, FN 1, TN 3; R 2/3, P 1/2, F1 4/7. Bias (1/2) / (2/3) = 3/4.
    """
    result = run("gap", "gold.tsv", "answers.tsv", "-f", "json", folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    (entry,) = json.loads(result.stdout)["results"]
    counts = [
        [entry[group][kind + "_" + sign] for kind, sign in
         (("true", "positive"), ("false", "positive"), ("false", "negative"), ("true", "negative"))]
        for group in ("overall", "masculine", "feminine")
    ]  # fmt: skip
    assert counts == [[2, 2, 1, 3], [1, 1, 0, 2], [1, 1, 1, 1]]
    assert entry["overall"]["recall"] == pytest.approx(2 / 3, abs=1e-15)
    assert entry["overall"]["f1"] == pytest.approx(4 / 7, abs=1e-15)
    assert entry["feminine"]["f1"] == 0.5
    assert entry["masculine"]["f1"] == pytest.approx(2 / 3, abs=1e-15)
    assert entry["bias"] == pytest.approx(0.75, abs=1e-15)


def test_the_table_has_one_decimal_and_two_for_the_bias(folder):
    lines = run("gap", "gold.tsv", "answers.tsv", folder=folder).stdout.splitlines()
    assert lines[2].split() == ["answers.tsv", "57.1", "66.7", "50.0", "0.75"]
    assert lines[7].split() == ["Overall", "66.7", "50.0", "57.1", "2", "2", "1", "3"]


@pytest.mark.parametrize("official", [False, True])
def test_every_output_has_the_signature_and_it_repeats_the_run(folder, official):
    """f-1 alone is answered in the official run: the others are two false negatives each."""
    policy = "official" if official else "strict"
    signature = f"corefmeter:{__version__}|gap:{policy}"
    (folder / "answers.tsv").write_text(ANSWERS[:14] if official else ANSWERS, "utf-8")
    for options in ["--official"] * official, ["--recipe", signature]:
        arguments = ["gold.tsv", "answers.tsv", *options, "--quiet"]
        values = json.loads(run("gap", *arguments, "-f", "json", folder=folder).stdout)
        assert values["signature"] == signature
        missed = values["results"][0]["overall"]["false_negative"]
        assert missed == (6 if official else 1)
        assert run("gap", *arguments, folder=folder).stdout.splitlines()[-1] == signature
        rows = csv.DictReader(
            io.StringIO(run("gap", *arguments, "-f", "csv", folder=folder).stdout)
        )
        assert {row["signature"] for row in rows} == {signature}


@pytest.mark.parametrize(
    ("signature", "reason"),
    [
        ("corefmeter:0.1.0|ace:ace2005", "not the signature of scores of GAP"),
        ("gap:offical", "did you mean 'official'"),
        ("gap:strict|documents:strict", "unknown option 'documents'"),
    ],
)
def test_a_signature_of_something_else_is_refused(folder, signature, reason):
    result = run("gap", "gold.tsv", "answers.tsv", "--recipe", signature, folder=folder)
    assert (result.returncode, reason in result.stderr) == (2, True)


def test_several_systems_stand_below_each_other(folder):
    (folder / "none.tsv").write_text(
        "".join(f"{id}\tFALSE\tFALSE\n" for id in ("f-1", "f-2", "m-1", "m-2")), "utf-8"
    )
    lines = run("gap", "gold.tsv", "answers.tsv", "none.tsv", folder=folder).stdout.splitlines()
    assert lines[3].split() == ["none.tsv", "0.0", "0.0", "0.0", "-"]


def test_csv_has_unrounded_numbers(folder):
    rows = csv.DictReader(
        io.StringIO(run("gap", "gold.tsv", "answers.tsv", "-f", "csv", folder=folder).stdout)
    )
    found = {row["group"]: row for row in rows}
    assert float(found["overall"]["f1"]) == pytest.approx(4 / 7, abs=1e-15)
    assert found["feminine"]["false_negative"] == "1"


def test_the_annotated_file_is_a_perfect_answer(folder):
    result = run("gap", "gold.tsv", "gold.tsv", "-f", "json", folder=folder)
    (entry,) = json.loads(result.stdout)["results"]
    assert (entry["overall"]["f1"], entry["bias"]) == (1, 1)


def test_a_missing_answer_is_an_error_unless_it_is_counted_as_gap_does(folder):
    """f-2 and m-2 are not answered. Officially two false negatives each, also where gold is FALSE:
    overall TP 2, FP 1, FN 4, TN 1."""
    (folder / "half.tsv").write_text("f-1\tTRUE\tTRUE\nm-1\tTRUE\tFALSE\n", "utf-8")
    result = run("gap", "gold.tsv", "half.tsv", folder=folder)
    assert (result.returncode, result.stdout) == (3, "")
    assert "no answer to 2 examples, such as f-2" in result.stderr
    assert "--official" in result.stderr
    result = run("gap", "gold.tsv", "half.tsv", "--official", folder=folder)
    assert "missing-document" in result.stderr
    assert result.stdout.splitlines()[7].split()[4:] == ["2", "1", "4", "1"]


def test_an_unreadable_answer_is_an_error_unless_it_is_counted_as_gap_does(folder):
    (folder / "odd.tsv").write_text(ANSWERS.replace("m-2\tTRUE", "m-2\tyes"), "utf-8")
    result = run("gap", "gold.tsv", "odd.tsv", folder=folder)
    assert result.returncode == 3
    assert "odd.tsv:4:5: error: 'yes' is neither TRUE nor FALSE" in result.stderr
    result = run("gap", "gold.tsv", "odd.tsv", "--official", folder=folder)
    # m-2 A is a false negative, although the key says FALSE.
    assert result.stdout.splitlines()[7].split()[4:] == ["2", "1", "2", "3"]


def test_an_answer_to_an_unknown_example_is_a_warning(folder):
    (folder / "more.tsv").write_text(ANSWERS + "x-9\tTRUE\tTRUE\n", "utf-8")
    result = run("gap", "gold.tsv", "more.tsv", folder=folder)
    assert result.returncode == 0
    assert "more.tsv:5: warning: answers to examples that are not in the key" in result.stderr
    assert run("gap", "gold.tsv", "more.tsv", "--quiet", folder=folder).stderr == ""
