"""What ``-f latex`` writes is LaTeX: by a checker of our own, and by TeX where there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from corefmeter.cli.main import program

from ..latex import COLUMN, problems, widest
from ..statistics.corpora import invented, written

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
    "lab damage key.conll --kind split --trials 2",
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


@pytest.mark.parametrize("command", [*COMMANDS, "card key.conll system-a.conll"])
def test_captions_name_no_options(command, monkeypatch):
    """They are printed in a paper, whose readers cannot ask for more."""
    captions = re.findall(r"\\caption\{.*", latex(command, monkeypatch))
    assert captions
    assert not [line for line in captions if re.search(r"--[a-z]|JSON", line)]


def test_captions_of_long_lists_and_of_many_systems_name_no_options(monkeypatch):
    shown = latex("errors key.conll system-b.conll --top 1 --mentions", monkeypatch)
    assert "mentions in errors, the first 1." in shown
    many = " ".join(f"s{n}=system-a.conll" for n in range(7))
    compare = f"compare key.conll {many} --unit part --trials 50"
    assert "JSON" not in latex(compare, monkeypatch)
    monkeypatch.setattr("corefmeter.reports.comparison.MOST_LETTERS", 0)
    shown = latex(compare, monkeypatch)
    assert ". Significance at 0.05: " in shown
    assert "JSON" not in shown


@pytest.mark.parametrize(
    ("command", "label"),
    [
        ("score key.conll system-a.conll", "coreference"),
        ("compare key.conll system-a.conll system-b.conll --unit part", "comparison"),
        ("errors key.conll system-a.conll", "errors"),
        ("errors key.conll system-a.conll system-b.conll", "changes"),
        ("card key.conll system-a.conll", "card"),
        ("agree key.conll system-a.conll", "agreement"),
        ("merge key.conll system-a.conll", "merge"),
        ("stitch key.conll", "stitch"),
        ("stats key.conll", "census"),
        ("match key.conll system-a.conll", "match"),
    ],
)
def test_tables_of_several_commands_have_different_labels(command, label, monkeypatch):
    labels = re.findall(r"\\label\{tab:([a-z]+)", latex(command, monkeypatch))
    assert {*labels} == {label}


@pytest.mark.parametrize("command", ["score", "compare --unit part --trials 50"])
@pytest.mark.parametrize(
    ("metrics", "systems_are_rows"), [("muc,b3,ceafe,conll,lea", True), ("all", False)]
)
def test_more_metrics_than_fit_in_a_row_have_a_row_each(
    command, metrics, systems_are_rows, monkeypatch
):
    name, *options = command.split()
    sides = f"{name} key.conll x=system-a.conll y=system-b.conll"
    text = latex(" ".join([sides, *options, "-m", metrics]), monkeypatch)
    heads = [line for line in text.splitlines() if r"\multicolumn{3}" in line]
    assert any("MUC" in line and "LEA" in line for line in heads) == systems_are_rows
    if name == "score":
        assert any("{x}" in line and "{y}" in line for line in heads) != systems_are_rows


LONG = "a-system-of-a-long-name-1=system-a.conll wwwwmmmmWWWWMMMMwwww=system-b.conll"

#: Few units and many; two systems, three, and so many that they have no table of differences.
COMPARED = [
    f"compare key.conll {LONG}",
    f"compare key.conll {LONG} key.conll --unit part --digits 3",
    "compare KEY a=A b=B c=C",
    "compare KEY a-system-of-a-long-name-1=A a-system-of-a-long-name-2=B MMMMMMMMMMMMMMMMMM=C",
    "compare KEY a-system-of-a-long-name=A,B another-system-of-a-long-name=KEY,C",
    "compare KEY a-system-of-a-long-name=A another-system-of-a-long-name=B c=C --baseline c",
    "compare KEY a=A b=B c=C d=KEY e=KEY f=KEY g=KEY -m lea -m conll",
]


@pytest.fixture(scope="module")
def invented_files(tmp_path_factory):
    """Files of 30 documents, whose intervals have all their digits."""
    folder = tmp_path_factory.mktemp("latex")
    key, systems = invented("latex", 30, {"A": 0.15, "B": 0.2, "C": 0.6})
    for name, documents in {"KEY": key, **systems}.items():
        (folder / name).write_text(written(documents), encoding="utf-8")
    return {name: str(folder / name) for name in ("KEY", *systems)}


def compared(command: str, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> str:
    file = re.compile(r"(^|=|,)(KEY|A|B|C)\b(?!-)")
    words = [file.sub(lambda m: m[1] + files[m[2]], word) for word in command.split()]
    return latex(" ".join([*words, "--trials", "200", "--rows", "metrics"]), monkeypatch)


@pytest.mark.parametrize("command", COMPARED)
def test_tables_of_comparisons_fit_a_column(command, monkeypatch, invented_files):
    text = compared(command, invented_files, monkeypatch)
    assert problems(text) == []
    assert 0.6 * COLUMN < widest(text) <= COLUMN


def test_tex_finds_that_they_fit_where_there_is_one(monkeypatch, tmp_path, invented_files):
    text = "".join(compared(command, invented_files, monkeypatch) for command in COMPARED)
    page = (
        r"\documentclass[twocolumn]{article}\usepackage{booktabs}"
        rf"\setlength{{\textwidth}}{{{2 * COLUMN + 17}pt}}\setlength{{\columnsep}}{{17pt}}"
        rf"\begin{{document}}{text}\end{{document}}"
    )
    (tmp_path / "page.tex").write_text(page.replace(r"\end{table}", "\\end{table}\\clearpage"))
    if shutil.which("pdflatex"):
        done = subprocess.run(
            ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "page.tex"],
            cwd=tmp_path, capture_output=True, check=False, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-2000:]
        assert "Overfull" not in done.stdout


def test_what_is_too_wide_is_found():
    """Two cells of 30 digits of 4.5 points, and 8 between them."""
    row = rf"{'1' * 30} & {'2' * 30} \\" + "\n"
    assert widest(r"\begin{tabular}{@{}lr@{}}" + row + r"\end{tabular}") == pytest.approx(278)


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
    first, second = (line for line in text.splitlines() if line.startswith("system"))
    assert first == r"system-a.conll & \textbf{97.22} & 89.74 & \textbf{93.33} \\"
    assert second == r"system-b.conll & 86.05 & \textbf{94.87} & 90.24 \\"
    assert r"\textbf" not in latex("score key.conll system-a.conll -m muc", monkeypatch)


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_comment_names_the_metrics_that_the_usual_table_leaves_out(command, monkeypatch):
    files = "key.conll system-a.conll system-b.conll"
    usual = latex(f"{command} {files}", monkeypatch)
    assert "% without Mentions, CEAFm, BLANC, LEA; name metrics with -m\n" in usual
    assert "% without" not in latex(f"{command} {files} -m muc,lea", monkeypatch)


def test_the_caption_says_which_options_are_not_at_their_defaults(monkeypatch):
    line = "score key.conll system-a.conll --singletons drop --average macro -m muc"
    caption = re.search(r"\\caption\{(.*)\}", latex(line, monkeypatch))[1]
    assert caption.endswith("Options: singletons drop, average macro.")
    usual = latex("score key.conll system-a.conll -m muc", monkeypatch)
    assert "Options:" not in usual
    compared = "compare key.conll system-a.conll system-b.conll --trials 30 --singletons drop"
    assert "Options: singletons drop." in latex(compared, monkeypatch)
