"""``corefmeter correlate`` as a user runs it: output in every format, pictures, exit statuses."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from corefmeter.wings.lab.correlation import correlate
from corefmeter.wings.lab.disagreement import disagreements

from ...command import printed, run
from ...statistics.published import TABLE_5

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the fourteen systems of Moosavi & Strube 2016, Table 5, as scores.csv."""
    path = tmp_path_factory.mktemp("correlate")
    with open(path / "scores.csv", "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("system", *TABLE_5["xu"]))
        writer.writerows((name, *scores.values()) for name, scores in TABLE_5.items())
    return path


def test_text_holds_the_matrix_the_pairs_and_what_they_mean(folder):
    text = printed(
        "correlate", "scores.csv", "-m", "conll", "-m", "lea", "-m", "muc", folder=folder
    )
    assert text == (
        "Kendall's τ-b between metrics: scores of 14 systems\n"
        "       CoNLL    LEA    MUC\n"
        "──────────────────────────\n"
        "CoNLL  1.000  0.868  0.846\n"
        "LEA    0.868  1.000  0.890\n"
        "MUC    0.846  0.890  1.000\n"
        "\n"
        "Each pair of metrics\n"
        "              τ-b    95% interval       p\n"
        "─────────────────────────────────────────\n"
        "CoNLL, LEA  0.868  [0.724, 0.940]  <0.001\n"
        "CoNLL, MUC  0.846  [0.682, 0.929]  <0.001\n"
        "LEA, MUC    0.890  [0.767, 0.950]  <0.001\n"
        "\n"
        "intervals: Fisher's z, variance 0.437/(n-4), Fieller et al. 1957\n"
        "p: two-sided test of independence; not adjusted for 3 pairs\n"
    )


def test_disagreements_are_sentences(folder):
    text = printed("correlate", "scores.csv", "-m", "conll+lea", "--disagreements", folder=folder)
    assert "CoNLL and LEA: opposite order for 6 of the 91 pairs of systems" in text
    assert "- CoNLL ranks chen over xu by 1.94, LEA xu over chen by 0.59.\n" in text
    assert "- CoNLL ranks chunyuang over xu by 1.62, LEA xu over chunyuang by 0.99.\n" in text


@pytest.mark.parametrize("method", ["kendall", "spearman", "pearson"])
def test_text_fits_80_columns(folder, method):
    text = printed("correlate", "scores.csv", "--method", method, "--disagreements", folder=folder)
    assert max(map(len, text.splitlines())) <= 80


def test_a_wide_matrix_is_broken_into_blocks(tmp_path):
    names = [f"metric number {i}" for i in range(9)]
    rows = [",".join(["system", *names])]
    rows += [",".join([f"s{i}", *(str(i * k % 7) for k in range(9))]) for i in range(5)]
    (tmp_path / "scores.csv").write_text("\n".join(rows))
    text = printed("correlate", "scores.csv", folder=tmp_path)
    assert max(map(len, text.splitlines())) <= 80
    assert all(name in text for name in names)


def test_json_is_unrounded_and_complete(folder):
    document = json.loads(
        printed(
            "correlate",
            "scores.csv",
            "--method",
            "pearson",
            "-f",
            "json",
            "--disagreements",
            folder=folder,
        )
    )
    matrix = correlate(TABLE_5, "pearson")
    assert document["schema"] == 1
    assert document["method"] == "pearson"
    assert document["matrix"] == matrix.values()
    assert document["scores"] == TABLE_5
    assert {(pair["a"], pair["b"]): pair["p"] for pair in document["pairs"]} == {
        pair: found.p for pair, found in matrix.pairs.items()
    }
    assert document["pairs"][0]["interval"] == list(matrix["muc", "b3"].interval)
    assert len(document["disagreements"]) == len(disagreements(TABLE_5))
    assert document["disagreements"][0]["sentence"] == (
        "MUC ranks li over xinxin by 2.57, B³ xinxin over li by 3.44."
    )


def test_csv_is_the_square_matrix_of_each_statistic(folder):
    rows = list(
        csv.DictReader(io.StringIO(printed("correlate", "scores.csv", "-f", "csv", folder=folder)))
    )
    matrix = correlate(TABLE_5)
    found = {row["metric"]: row for row in rows if row["statistic"] == "correlation"}
    assert {a: [float(found[a][b]) for b in matrix.metrics] for a in found} == dict(
        zip(matrix.metrics, matrix.values(), strict=True)
    )
    low = {row["metric"]: row for row in rows if row["statistic"] == "low"}
    assert float(low["lea"]["muc"]) == matrix["muc", "lea"].interval[0]
    assert low["lea"]["lea"] == ""
    assert {row["systems"] for row in rows} == {"14"}


def test_csv_of_disagreements(folder):
    text = printed(
        "correlate", "scores.csv", "-f", "csv", "--disagreements", "-m", "conll,lea", folder=folder
    )
    first, *others = csv.DictReader(io.StringIO(text))
    assert (first["system_a"], first["system_b"]) == ("chunyuang", "xu")
    assert float(first["difference_a"]) == 54.20 - 52.58
    assert len(others) == 5


def test_markdown_and_latex(folder):
    options = ("scores.csv", "-m", "conll", "-m", "lea", "--disagreements")
    markdown = printed("correlate", *options, "-f", "markdown", folder=folder)
    assert "| CoNLL | 1.000 | 0.868 |" in markdown
    assert "| chen, xu | 1.94 | -0.59 |" in markdown
    assert "- CoNLL ranks chen over xu by 1.94, LEA xu over chen by 0.59." in markdown
    latex = printed("correlate", *options, "-f", "latex", folder=folder)
    assert r"CoNLL & 1.000 & 0.868 \\" in latex
    assert r"chen, xu & 1.94 & $-$0.59 \\" in latex
    assert r"\caption{Kendall's $\tau$-b between metrics: scores of 14 systems." in latex
    assert "% CoNLL ranks chen over xu by 1.94, LEA xu over chen by 0.59." in latex
    assert latex.isascii()


def test_output_to_a_file(folder, tmp_path):
    target = tmp_path / "out.txt"
    assert printed("correlate", "scores.csv", "-o", str(target), folder=folder) == ""
    assert target.read_text(encoding="utf-8") == printed("correlate", "scores.csv", folder=folder)


def test_the_results_of_score(tmp_path):
    for name in ("system-a", "system-b", "key"):
        target = tmp_path / f"{name}.json"
        run("score", EXAMPLES / "key.conll", EXAMPLES / f"{name}.conll", "-f", "json", "-o", target)
    text = printed(
        "correlate",
        "system-a.json",
        "system-b.json",
        "key.json",
        "--score",
        "recall",
        folder=tmp_path,
    )
    assert text.startswith("Kendall's τ-b between metrics: recall of 3 systems\n")
    assert "left out, without recall: CoNLL" in text
    assert "corefmeter:" in text.splitlines()[-1]


def test_p_values_of_a_comparison_are_in_the_sentences(tmp_path):
    scores = {"A": (0.6, 0.4), "B": (0.597, 0.4025), "C": (0.2, 0.1)}
    metrics = {
        metric: {
            "scores": {name: {"f1": pair[i]} for name, pair in scores.items()},
            "pairs": [{"a": "B", "b": "A", "difference": 0, "p": 0.1, "p_adjusted": p}],
        }
        for i, (metric, p) in enumerate([("conll", 0.3), ("lea", 0.04)])
    }
    comparison = {"schema": 1, "systems": list(scores), "metrics": metrics}
    (tmp_path / "compare.json").write_text(json.dumps(comparison))
    text = printed("correlate", "compare.json", "--disagreements", folder=tmp_path)
    assert (
        "CoNLL ranks A over B by 0.30, LEA B over A by 0.25; only LEA's difference is significant "
        "(p = 0.300 and p = 0.040)."
    ) in " ".join(text.split())
    counts = "both differences are significant for 0, one for 1, neither for 0"
    assert f"without a tie; {counts}" in " ".join(text.split())
    markdown = printed(
        "correlate", "compare.json", "--disagreements", "-f", "markdown", folder=tmp_path
    )
    assert "| A, B | 0.30 | 0.300 | -0.25 | 0.040 |" in markdown


def test_counts_of_what_is_significant_come_first(tmp_path):
    """CoNLL and LEA disagree on A and B by one significant difference, CoNLL and MUC by both."""
    scores = {"A": (0.6, 0.4, 0.4), "B": (0.5, 0.5, 0.5), "C": (0.2, 0.1, 0.1)}
    metrics = {
        metric: {
            "scores": {name: {"f1": row[i]} for name, row in scores.items()},
            "pairs": [{"a": "A", "b": "B", "difference": 0, "p": p, "p_adjusted": p}],
        }
        for i, (metric, p) in enumerate([("conll", 0.01), ("lea", 0.2), ("muc", 0.02)])
    }
    comparison = {"schema": 1, "systems": list(scores), "metrics": metrics}
    (tmp_path / "compare.json").write_text(json.dumps(comparison))
    text = printed("correlate", "compare.json", "--disagreements", folder=tmp_path)
    lines = [line.split() for line in text.splitlines()]
    first, second = lines.index(["CoNLL,", "MUC", "1", "1", "0", "0"]), lines.index(
        ["CoNLL,", "LEA", "1", "0", "1", "0"]
    )  # fmt: skip
    assert second == first + 1
    assert lines[first - 2] == ["opposite", "both", "one", "neither"]
    assert text.index("neither") < text.index("- CoNLL ranks")


def test_an_undefined_correlation_is_said_to_be_undefined(tmp_path):
    (tmp_path / "scores.csv").write_text("system,a,b,c\nx,1,5,2\ny,2,5,3\nz,3,5,1\n")
    for method in ("kendall", "spearman", "pearson"):
        text = printed("correlate", "scores.csv", "--method", method, folder=tmp_path)
        assert "undef.: undefined, because all systems have the same b" in text
        assert "nan" not in text
        document = json.loads(
            printed("correlate", "scores.csv", "--method", method, "-f", "json", folder=tmp_path)
        )
        assert document["matrix"][0][1] is None
        assert document["pairs"][0]["undefined"] == "all systems have the same score"


def test_names_cannot_break_latex_or_markdown(tmp_path):
    (tmp_path / "scores.csv").write_text('system,a_1%,b|$\nx&1,1,2\n"y\n2",2,1\nz,3,3\n')
    latex = printed("correlate", "scores.csv", "-f", "latex", "--disagreements", folder=tmp_path)
    assert r"a\_1\% ranks y 2 over x\&1 by 1, b\textbar{}" in latex
    markdown = printed(
        "correlate", "scores.csv", "-f", "markdown", "--disagreements", folder=tmp_path
    )
    assert r"| a_1%, b\|$ |" in markdown


# Exit statuses.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument"),
        (("scores.csv", "--method", "kendal"), "'kendal'"),
        (("scores.csv", "-m", "blank", "-m", "lea"), "did you mean 'blanc'?"),
        (("scores.csv", "-m", "lea"), "a correlation needs two metrics, and there is only lea"),
        (("scores.csv", "--score", "recall"), "cannot be asked for recall"),
        (("scores.csv", "scores.csv"), "give it alone"),
        (("scores.csv", "--plot", "x.jpg"), "a picture must end in .png, .pdf, .svg, not '.jpg'"),
    ],
)
def test_wrong_usage_is_status_2(folder, arguments, message):
    result = run("correlate", *arguments, folder=folder)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "system,a,b\nx,1,2\ny,2,1\n",
            "scores.csv: error: a correlation needs at least 3 systems (found 2)",
        ),
        ("system,a,b\nx,1,2\ny,2,1\nz,3,\n", "scores.csv:4:5: error: no score of system 'z'"),
        ("system,a,b\nx,1,2\ny,2,one\nz,3,1\n", "scores.csv:3:5: error: 'one' in the column 'b'"),
        ("system,a,b\nx,1,2\nx,2,1\nz,3,1\n", "scores.csv:3: error: the system 'x' occurs here"),
    ],
)
def test_wrong_data_are_status_3_with_place_and_hint(tmp_path, text, message):
    (tmp_path / "scores.csv").write_text(text)
    result = run("correlate", "scores.csv", folder=tmp_path)
    assert result.returncode == 3
    assert result.stderr.startswith(message)
    assert "\n  " in result.stderr
    assert result.stdout == ""


def test_help_and_overview_name_the_command(folder):
    assert "TABLE|RESULT…" in printed("correlate", "--help", folder=folder)
    assert "correlate" in printed("--help")


# Pictures.


def test_without_matplotlib_a_picture_says_how_to_get_it(folder):
    result = run("correlate", "scores.csv", "--plot", "x.png", without="matplotlib", folder=folder)
    assert result.returncode == 2
    assert re.search(r"pip install \S+\[plot\]", result.stderr)
    assert not (folder / "x.png").exists()


def test_text_needs_no_matplotlib(folder):
    result = run("correlate", "scores.csv", without="matplotlib", folder=folder)
    assert result.returncode == 0


ENDINGS = pytest.mark.parametrize(
    ("ending", "begin"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")]
)


def drawn(folder: Path, begin: bytes, ending: str, draw: Callable[..., object]) -> None:
    """Draw twice; the files are the same."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    files = [folder / f"{name}.{ending}" for name in ("s1", "s2", "h1", "h2")]
    for scatter, heatmap in (files[0::2], files[1::2]):
        draw("correlate", folder / "scores.csv", "--plot", scatter, "--heatmap", heatmap)
    contents = [file.read_bytes() for file in files]
    assert contents[0] == contents[1]
    assert contents[2] == contents[3]
    assert all(content.startswith(begin) for content in contents)


def test_pictures_are_the_same_to_the_byte(folder):
    drawn(
        folder, b"<?xml", "svg", lambda *arguments: printed(*arguments, "-m", "conll", "-m", "lea")
    )


@pytest.mark.slow
@ENDINGS
def test_pictures_of_all_metrics_by_two_processes_are_the_same_to_the_byte(folder, ending, begin):
    def draw(*arguments):
        command = [sys.executable, "-W", "error", "-m", "corefmeter", *map(str, arguments)]
        assert subprocess.run(command, capture_output=True, check=True).stderr == b""

    drawn(folder, begin, ending, draw)


def test_pictures_of_odd_tables(tmp_path):
    """Negative, undefined, long and dollared names, one pair of metrics, equal points."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    rows = "x,1,5,4\ny,2,5,3\nz,3,5,1\nw,3,5,1\n"
    (tmp_path / "scores.csv").write_text(f"system,a,constant $x$,a long name of a metric\n{rows}")
    printed(
        "correlate", "scores.csv", "--plot", "all.svg", "--heatmap", "matrix.svg", folder=tmp_path
    )
    printed(
        "correlate",
        "scores.csv",
        "--plot",
        "pair.svg",
        "-m",
        "a",
        "-m",
        "constant $x$",
        folder=tmp_path,
    )
    assert all((tmp_path / f"{name}.svg").stat().st_size for name in ("all", "matrix", "pair"))


def test_a_picture_that_cannot_be_written_is_status_3(folder):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    result = run("correlate", "scores.csv", "--plot", "no/such/folder/x.png", folder=folder)
    assert result.returncode == 3
    assert "cannot be written" in result.stderr
