"""What ``-f latex`` writes is LaTeX: by a checker of our own, and by TeX where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from corefmeter.cli.main import program

from ..latex import problems

EXAMPLES = Path(__file__).parents[2] / "examples"

SIDES = "key.conll a_1%=system-a.conll x&y#{$}~^|<b>=system-b.conll"

COMMANDS = [
    f"score {SIDES}",
    "score key.conll system-a.conll --by document --by genre --digits 4",
    "agree key.conll system-a.conll system-b.conll",
    "merge key.conll system-a.conll system-b.conll",
    "stitch key.conll",
    f"compare {SIDES} --trials 50",
    f"compare {SIDES} c=key.conll --trials 50",
    "errors key.conll system-a.conll b_1%=system-b.conll",
    "errors key.conll a_1%=system-a.conll --links --mentions --entities",
    f"stats {SIDES.removeprefix('key.conll ')}",
    "match key.conll system-a.conll",
    "lab experiment",
    "lab experiment lea-figure4",
    "lab damage key.conll --kind split --samples 2",
    "lab audit --mentions 3 -m muc",
    "ace key.conll system-a.conll --weight type:*=1",
]


def latex(command: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(EXAMPLES)
    done = CliRunner().invoke(program, [*command.split(), "-f", "latex"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_latex_is_balanced_and_escaped_and_its_rows_are_full(command, monkeypatch):
    assert problems(latex(command, monkeypatch)) == []


def test_tex_compiles_it_where_there_is_one(monkeypatch, tmp_path):
    """TeX is no dependency; where it is not there, the checker above has the last word."""
    text = "".join(latex(command, monkeypatch) for command in COMMANDS)
    page = (
        rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{text}\end{{document}}"
    )
    (tmp_path / "page.tex").write_text(page.replace(r"\end{table}", "\\end{table}\\clearpage"))
    for tex in filter(shutil.which, ("pdflatex", "tectonic")):
        arguments = ["-halt-on-error", "-interaction=nonstopmode"] if tex == "pdflatex" else []
        done = subprocess.run(
            [tex, *arguments, "page.tex"], cwd=tmp_path, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (r"\begin{tabular}{ll}a & b \\", "left open"),
        (r"\begin{tabular}{ll}a_1 & b \\\end{tabular}", "_ outside"),
        (r"\begin{tabular}{ll}a & b & c \\\end{tabular}", "3 cells in 2 columns"),
        (r"\begin{tabular}{l}{a \\\end{tabular}", "left open"),
        (r"\begin{tabular}{l}p <0.1 \\\end{tabular}", "< outside"),
        (r"\begin{tabular}{l}a \\\end{table}", "table ends"),
    ],
)
def test_the_checker_finds(wrong, said):
    assert any(said in problem for problem in problems(wrong))


def test_the_best_of_several_responses_is_bold_and_of_one_nothing(monkeypatch):
    """MUC F1 of the two examples is 93.33 and 90.24, its recall 89.74 and 94.87 (README)."""
    text = latex("score key.conll system-a.conll system-b.conll -m muc", monkeypatch)
    (row,) = (line for line in text.splitlines() if line.startswith("MUC"))
    assert row == (
        r"MUC & 89.74 & \textbf{97.22} & \textbf{93.33} & \textbf{94.87} & 86.05 & 90.24 \\"
    )
    assert r"\textbf" not in latex("score key.conll system-a.conll -m muc", monkeypatch)
