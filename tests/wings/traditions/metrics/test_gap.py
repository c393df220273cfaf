"""The metric ``gap`` gives GAP's own scores; every number is worked out in a comment."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefmeter
from corefmeter.problems import DataError

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


def score(folder: Path, answers: str = ANSWERS, **options):
    (folder / "answers.tsv").write_text(answers, "utf-8")
    return corefmeter.score(folder / "gold.tsv", folder / "answers.tsv", metrics="gap", **options)


def test_scores_by_gender_and_bias(folder):
    """Feminine: f-1 A right, B wrong; f-2 B missed: TP 1, FP 1, FN 1; F1 1/2.

    Masculine: m-1 A right; m-2 A wrong: TP 1, FP 1, FN 0; R 1, P 1/2, F1 2/3.
    Overall: TP 2, FP 2, FN 1; R 2/3, P 1/2, F1 4/7. Bias (1/2) / (2/3) = 3/4.
    """
    result = score(folder)
    assert result.statistics["gap"] == [(1, 1, 1, 2), (0, 1, 0, 0), (1, 1, 1, 1), (0, 0, 0, 1)]
    assert result.gap[:3] == pytest.approx((2 / 3, 1 / 2, 4 / 7), abs=1e-15)
    by = result.by("gender")
    assert list(by) == ["feminine", "masculine"]
    assert by["feminine"].gap[:3] == (1 / 2, 1 / 2, 1 / 2)
    assert by["masculine"].gap[:3] == pytest.approx((1, 1 / 2, 2 / 3), abs=1e-15)
    assert by["feminine"].gap.f1 / by["masculine"].gap.f1 == pytest.approx(3 / 4, abs=1e-15)


def test_the_program_prints_them(folder):
    options = ("--from", "gap", "-m", "gap", "--by", "gender")
    result = run("score", "gold.tsv", "answers.tsv", *options, folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["GAP", "66.67", "50.00", "57.14"] in lines
    assert ["feminine", "2", "50.00"] in lines
    assert ["masculine", "2", "66.67"] in lines


def test_the_order_of_answers_is_no_matter_nor_singletons_nor_the_span_of_names(folder):
    lines = ANSWERS.splitlines(keepends=True)
    expected = score(folder).gap
    assert score(folder, "".join(reversed(lines))).gap == expected
    assert score(folder, singletons="drop").gap == expected
    # A name that is said to follow the pronoun: "she" at 0, Ann at 8, Sue at 16.
    (folder / "gold.tsv").write_text(
        f"{HEADER}\nx\tShe and Ann and Sue\tShe\t0\tAnn\t8\tTRUE\tSue\t16\tFALSE\tu\n", "utf-8"
    )
    assert score(folder, "x\tTRUE\tTRUE\n").statistics["gap"] == [(1, 1, 1, 2)]
    assert score(folder, "x\tFALSE\tTRUE\n").statistics["gap"] == [(0, 1, 0, 1)]


def test_the_annotated_file_is_a_perfect_answer(folder):
    assert score(folder, GOLD).gap.f1 == 1


def test_a_missing_answer_is_two_times_false(folder):
    """Without f-2 and m-2, of which the first says FALSE anyway: TP 2, FP 1, FN 1."""
    half = "f-1\tTRUE\tTRUE\nm-1\tTRUE\tFALSE\n"
    with pytest.warns(corefmeter.CorefmeterWarning, match="has no such document"):
        assert score(folder, half).sums("gap") == (2, 3, 2, 3)


def test_answers_that_are_alike_are_converted_like_any_response(folder):
    """Other metrics see the entities: pronoun and A, B alone; links of f-1: 1 right of 3."""
    result = corefmeter.score(folder / "gold.tsv", folder / "answers.tsv", metrics="links")
    assert result.statistics["links"][0] == (1, 1, 1, 3)


def test_a_key_of_another_format_is_refused():
    with pytest.raises(DataError, match="needs a key of GAP"):
        corefmeter.score([["a", "b"]], [["a", "b"]], metrics="gap")


def test_the_command_that_was_removed_names_what_to_use(folder):
    result = run("gap", "gold.tsv", "answers.tsv", folder=folder)
    assert result.returncode == 2
    assert "the command 'gap' was removed; use: corefmeter score KEY RESPONSE" in result.stderr


def test_a_group_that_no_document_has_is_refused(folder):
    result = run("score", "gold.tsv", "answers.tsv", "--by", "gendr", folder=folder)
    assert (result.returncode, "unknown group 'gendr'" in result.stderr) == (2, True)
    (folder / "key.conll").write_text("#begin document (x);\na\t(1)\nb\t(1)\n#end document\n")
    result = run("score", "key.conll", "key.conll", "--by", "gender", folder=folder)
    assert (result.returncode, "unknown group 'gender'" in result.stderr) == (2, True)
