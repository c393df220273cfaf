"""``corefmeter score`` as a person runs it: a process, its output, its exit status."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from corefmeter import Recipe

from ..command import run

EXAMPLES = Path(__file__).parents[2] / "examples"
KEY = EXAMPLES / "key.conll"
A = EXAMPLES / "system-a.conll"
B = EXAMPLES / "system-b.conll"


def conll(*cells: str, name: str = "d") -> str:
    """A document of one token a cell."""
    lines = "".join(f"w{i}\t{cell}\n" for i, cell in enumerate(cells))
    return f"#begin document ({name}); part 000\n{lines}\n#end document\n"


@pytest.fixture
def pair(tmp_path):
    """Key {0,1,2}, response {0,1}: MUC recall 1/2, precision 1/1."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(conll("(0)", "(0)", "(0)"))
    response.write_text(conll("(0)", "(0)", "-"))
    return key, response


def test_text_is_a_table_with_metrics_as_rows(pair):
    done = run("score", *pair, "-m", "muc", "-m", "conll")
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert done.stderr == ""
    assert lines[0].strip() == "response.conll"
    assert lines[1].split() == ["R", "P", "F1"]
    assert lines[3].split() == ["MUC", "50.00", "100.00", "66.67"]
    # B3: recall (2*2/3)/3 = 4/9, precision 1: F 8/13; CEAFe: 2*2/5 = 0.8; CoNLL their mean.
    mean = (2 / 3 + 8 / 13 + 0.8) / 3
    assert lines[4].split() == ["CoNLL", f"{100 * mean:.2f}"]
    assert lines[-2] == "in percent, from totals over 1 document"
    assert lines[-1].startswith("corefmeter:")


def test_text_fits_80_columns_with_two_responses():
    lines = run("score", KEY, A, B, "--by", "genre").stdout.splitlines()
    assert all(len(line) <= 80 for line in lines[:-1]), "all but the signature"
    assert lines[0].split() == ["system-a.conll", "system-b.conll"]


def test_wide_tables_are_split_by_columns():
    """So many metrics do not fit beside each other: several tables with the same rows."""
    lines = run("score", KEY, A, "-m", "all", "--by", "genre").stdout.splitlines()
    assert max(len(line) for line in lines if not line.startswith("corefmeter:")) <= 80
    headers = [line.split() for line in lines if line.startswith("genre ")]
    assert headers[0][:3] == ["genre", "docs", "Mentions"]
    assert headers[-1][-2:] == ["Merge", "distance"]
    assert sum(line.startswith("story ") for line in lines) == len(headers) == 4


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_a_full_disk_is_told_without_a_traceback():
    command = [sys.executable, "-m", "corefmeter", "score", str(KEY), str(A)]
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert result.returncode == 3
    assert result.stderr.splitlines()[-1].startswith("standard output: error: cannot be written")
    assert "Traceback" not in result.stderr


def test_an_output_in_a_folder_that_is_not_there_says_what_to_do(tmp_path):
    result = run("score", KEY, A, "-o", tmp_path / "none" / "scores.txt")
    assert result.returncode == 3
    assert result.stderr.endswith("[unwritable]\n  Make its folder first.\n")


def test_names_are_as_long_as_there_is_room_for(tmp_path):
    lines = run("score", KEY, A, "--by", "part").stdout.splitlines()
    assert sum("story/lighthouse part 1 " in line for line in lines) == 2  # two tables
    assert max(len(line) for line in lines if not line.startswith("corefmeter:")) <= 80


@pytest.mark.wings
def test_a_format_that_is_not_recognised_can_be_named(tmp_path):
    """A TAC table whose first line is wrong looks like nothing; named, its line is told."""
    path = tmp_path / "key.tab"
    path.write_text("d\t4\tx\tE1\nd\t9\t11\tE1\n", "utf-8")
    unknown = run("score", path, path)
    assert (unknown.returncode, "[unknown-format]" in unknown.stderr) == (3, True)
    assert "use --from tac-kbp" in unknown.stderr
    named = run("score", path, path, "--from", "tac-kbp")
    assert (named.returncode, f"{path}:1:3: error" in named.stderr) == (3, True)
    words = tmp_path / "response.txt"
    words.write_text("w0 [w1]_1 w2 [w3]_1", "utf-8")
    key = tmp_path / "key.conll"
    key.write_text(conll("-", "(1)", "-", "(1)"), "utf-8")
    mixed = run("score", key, words, "--from", "conll,inline", "-m", "muc", "-f", "json")
    assert json.loads(mixed.stdout)["results"][0]["scores"]["muc"]["f1"] == 1
    assert run("score", key, key, "--from", "conl").returncode == 2
    assert run("score", key, key, "--from", "a,b,c").returncode == 2
    for command in ("match", "errors", "ace", "compare"):
        more = [key] if command == "compare" else []
        assert run(command, key, key, *more, "--from", "conl").returncode == 2
        assert "--from FORMAT" in run(command, "--help").stdout


def test_many_responses_become_rows(tmp_path):
    copies = []
    for name in "abcdef":
        copies.append(tmp_path / f"a-response-with-a-rather-long-name-{name}.conll")
        copies[-1].write_bytes(A.read_bytes())
    lines = run("score", KEY, *copies).stdout.splitlines()
    assert lines[0].split() == [
        "F1", "Mentions", "MUC", "B³", "CEAFm", "CEAFe", "BLANC", "LEA", "CoNLL",
    ]  # fmt: skip
    assert len(lines[2]) <= 80
    assert lines[2].split()[0].endswith("-name-a")


def test_undefined_scores_are_marked(tmp_path):
    key = tmp_path / "key.conll"
    key.write_text(conll("(0)", "(1)"))
    done = run("score", key, key, "-m", "muc", "-m", "lea")
    assert "0.00†" in done.stdout
    assert "† 0/0: undefined, counts as zero" in done.stdout
    assert "100.00" in done.stdout


def test_json_holds_unrounded_numbers_counts_problems_and_digests(pair):
    done = run("score", *pair, "-f", "json", "--by", "document")
    result = json.loads(done.stdout)
    assert result["schema"] == 1
    assert result["signature"].startswith("corefmeter:")
    (entry,) = result["results"]
    assert entry["response"] == str(pair[1])
    assert entry["documents"] == 1
    muc = entry["scores"]["muc"]
    assert (muc["recall"], muc["precision"], muc["f1"]) == (0.5, 1.0, 2 / 3)
    assert (muc["recall_numerator"], muc["recall_denominator"]) == (1, 2)
    assert (muc["precision_numerator"], muc["precision_denominator"]) == (1, 1)
    assert muc["undefined"] == []
    assert entry["by"]["document"]["d"]["muc"] == muc
    assert entry["problems"] == []
    assert {len(digest) for digest in entry["digests"].values()} == {64}
    assert set(entry["digests"]) == {str(path) for path in pair}


def test_csv_has_one_row_a_response_group_and_metric(pair):
    rows = list(csv.DictReader(io.StringIO(run("score", *pair, "-f", "csv").stdout)))
    assert [row["metric"] for row in rows] == [
        "mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll",
    ]  # fmt: skip
    assert float(rows[1]["recall"]) == 0.5
    assert rows[-1]["recall"] == ""


def test_markdown_is_a_pipe_table(pair):
    lines = run("score", *pair, "-f", "markdown", "-m", "muc").stdout.splitlines()
    assert lines[:3] == ["|  | P | R | F1 |", "| --- | ---: | ---: | ---: |",
                         "| MUC | 100.00 | 50.00 | 66.67 |"]  # fmt: skip


def test_latex_escapes_what_latex_reads_as_commands(pair):
    response = pair[1].rename(pair[1].with_name("my_system & co.conll"))
    done = run("score", pair[0], response, "-f", "latex", "-m", "muc")
    assert r"my\_system \& co.conll & 100.00 & 50.00 & 66.67 \\" in done.stdout
    assert done.stdout.count("{") == done.stdout.count("}")


def test_output_goes_to_a_file(pair, tmp_path):
    done = run("score", *pair, "-f", "json", "-o", tmp_path / "out.json")
    assert (done.returncode, done.stdout) == (0, "")
    assert json.loads((tmp_path / "out.json").read_text())["schema"] == 1


def test_a_recipe_repeats_the_run(pair):
    first = run("score", *pair, "-m", "lea", "--singletons", "drop", "-f", "json")
    signature = json.loads(first.stdout)["signature"]
    again = run("score", *pair, "--recipe", signature, "-f", "json")
    assert again.stdout == first.stdout


def test_options_change_a_recipe(pair):
    done = run("score", *pair, "--recipe", "metrics:lea|singletons:drop", "-m", "muc", "-f", "json")
    assert "metrics:muc|" in json.loads(done.stdout)["signature"]
    assert "singletons:drop" in json.loads(done.stdout)["signature"]


def test_metrics_may_be_a_list_with_aliases(pair):
    done = run("score", *pair, "-m", "bcub,CEAF_E", "-f", "csv")
    assert [row["metric"] for row in csv.DictReader(io.StringIO(done.stdout))] == ["b3", "ceafe"]


def test_standard_input_is_a_file(pair):
    done = run("score", pair[0], "-", "-m", "muc", "-f", "csv", stdin=pair[1].read_bytes())
    assert float(next(csv.DictReader(io.StringIO(done.stdout)))["recall"]) == 0.5


def test_groups_can_come_from_a_file(tmp_path):
    groups = tmp_path / "sets.tsv"
    groups.write_text("story/lighthouse\ttrain\nnews/harbour\ttest\n")
    result = json.loads(run("score", KEY, A, "--by", groups, "-f", "json").stdout)
    assert list(result["results"][0]["by"]["sets"]) == ["train", "test"]


def test_parts_are_pooled_by_document():
    entry = json.loads(
        run("score", KEY, A, "--by", "document", "--by", "part", "-f", "json").stdout
    )["results"][0]
    assert list(entry["by"]["document"]) == ["story/lighthouse", "news/harbour"]
    assert len(entry["by"]["part"]) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "cefae"], "did you mean 'ceafe'"),
        (["--singletons", "dorp"], "did you mean 'drop'"),
        (["--by", "gerne"], "did you mean 'genre'"),
        (["--by", "span"], '"corefmeter errors --feature span" breaks down by it'),
        (["--recipe", "singeltons:drop"], "did you mean 'singletons'"),
        (["--lea-importance", "no.such:thing"], "cannot be imported"),
        (["-m", "ceaf"], "needs a similarity function"),
        (["--mela-weights", "muc=x", "-m", "mela"], "is not a number"),
    ],
)
def test_wrong_usage_ends_with_2_and_a_hint(pair, arguments, message):
    done = run("score", *pair, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_an_unknown_command_names_the_nearest():
    done = run("scor")
    assert done.returncode == 2
    assert "did you mean 'score'" in done.stderr


def test_missing_arguments_end_with_2():
    assert run("score", KEY).returncode == 2


def test_bad_data_end_with_3_and_no_output(pair):
    pair[1].write_text(conll("(0", "(1)", "2)"))
    done = run("score", *pair)
    assert (done.returncode, done.stdout) == (3, "")
    # Lines: 1 the header, 2 "(0", 3 "(1)", 4 "2)".
    assert f"{pair[1]}:4:4: error:" in done.stderr
    assert f"{pair[1]}:2: error: entity 0 opened here is never closed" in done.stderr


def test_a_missing_file_ends_with_3():
    done = run("score", KEY, "no-such-file.conll")
    assert done.returncode == 3
    assert re.search(r"no-such-file\.conll: error: cannot be read", done.stderr)


@pytest.mark.parametrize("table", [None, "one\tno-such-key.conll\tno-such-response.conll\n"])
def test_a_missing_file_of_pairs_ends_with_3_too(tmp_path, table):
    path = tmp_path / "pairs.tsv"
    if table is not None:
        path.write_text(table)
    done = run("score", "--pairs", path)
    assert done.returncode == 3
    assert "error: cannot be read" in done.stderr


def test_one_bad_response_of_two_stops_the_table(pair, tmp_path):
    bad = tmp_path / "bad.conll"
    bad.write_text(conll("(0"))
    done = run("score", *pair, bad)
    assert (done.returncode, done.stdout) == (3, "")


def test_warnings_go_to_standard_error_and_into_json(pair):
    pair[1].write_text(conll("(0)|(1)", "(0)", "(1)"))
    done = run("score", *pair, "-f", "json")
    assert done.returncode == 0
    assert f"{pair[1]}:2: warning:" in done.stderr
    assert "[repeated-mention]" in done.stderr
    (problem,) = json.loads(done.stdout)["results"][0]["problems"]
    assert problem["code"] == "repeated-mention"
    assert problem["line"] == 2
    quiet = run("score", *pair, "-f", "json", "--quiet")
    assert quiet.stderr == ""
    assert quiet.stdout == done.stdout


def test_strict_names_the_first_word_that_differs(pair):
    pair[1].write_text(conll("(0)", "(0)", "-").replace("w1", "X"))
    assert run("score", *pair).returncode == 0
    done = run("score", *pair, "--strict")
    assert done.returncode == 3
    assert f"{pair[1]}:3: error: the word 'X' is 'w1' in the key, at {pair[0]}:3" in done.stderr


def test_many_warnings_of_one_kind_are_counted(tmp_path):
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text("".join(conll("(0)", "(0)", name=f"d{i}") for i in range(20)))
    response.write_text(conll("(0)", "(0)", name="d0"))
    done = run("score", key, response)
    assert done.stderr.count("[missing-document]") == 2
    assert "... and 18 more of [missing-document]" in done.stderr


def test_help_names_every_option_of_the_recipe():
    from dataclasses import fields

    from corefmeter import Recipe

    words = run("score", "--help").stdout.replace(",", " ").replace(".", " ").split()
    for option in fields(Recipe):
        flag = "--" + option.name.replace("_", "-")
        name = {"metrics": "--metric", "others": "--set"}.get(option.name, option.name)
        assert (flag in words or name in words) == option.metadata["texts"]


def test_a_closed_pipe_is_no_error(pair):
    process = subprocess.Popen(
        [sys.executable, "-m", "corefmeter", "score", *map(str, pair), "-f", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    process.wait()
    assert b"Traceback" not in errors
    assert b"BrokenPipe" not in errors


def test_version():
    from corefmeter import __version__

    assert __version__ in run("--version").stdout


@pytest.fixture
def two_sets(tmp_path):
    """Data set x: MUC 1/2, 1/1, F 2/3. Data set y: a response equal to its key, F 1."""
    for side, last in (("key", "(0)"), ("response", "-")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "x.conll").write_text(conll("(0)", "(0)", last))
        (tmp_path / side / "y.conll").write_text(conll("(0)", "(0)"))
    (tmp_path / "sets.tsv").write_text(
        "x\tkey/x.conll\tresponse/x.conll\n# a remark\ny\tkey/y.conll\tresponse/y.conll\n"
    )
    return tmp_path


@pytest.mark.parametrize("where", ["sets.tsv", "."])
def test_data_sets_are_scored_with_their_unweighted_mean(two_sets, where):
    done = run("score", "--pairs", two_sets / where, "-m", "muc", "-f", "json")
    result = json.loads(done.stdout)
    assert list(result["datasets"]) == ["x", "y"]
    assert result["datasets"]["x"]["scores"]["muc"]["f1"] == 2 / 3
    assert result["mean"]["muc"] == {"recall": 0.75, "precision": 1.0, "f1": (2 / 3 + 1) / 2}
    lines = run("score", "--pairs", two_sets / where, "-m", "muc").stdout.splitlines()
    assert [line.split() for line in lines[2:5]] == [
        ["x", "66.67"], ["y", "100.00"], ["mean", "83.33"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("x\tkey/x.conll\n", "sets.tsv:1: not three columns"),
        ("", "no pair"),
        ("x\ta\tb\nx\tc\td\n", "occurs twice"),
        ("mean\ta\tb\n", "rename that data set"),
    ],
)
def test_a_table_of_data_sets_that_cannot_be_read_is_wrong_usage(two_sets, table, message):
    (two_sets / "sets.tsv").write_text(table)
    done = run("score", "--pairs", two_sets / "sets.tsv")
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.wings
def test_names_of_identity_are_for_those_data_sets_that_have_them(two_sets):
    """In y a relation joins the two mentions of both sides: F 1. In x nothing has relations."""
    for side in ("key", "response"):
        (two_sets / side / "y.txt").write_text("Ann saw her")
        (two_sets / side / "y.ann").write_text(
            "T1\tP 0 3\tAnn\nT2\tP 8 11\ther\nR1\tIs Arg1:T1 Arg2:T2\n"
        )
    table = two_sets / "sets.tsv"
    arguments = ("score", "--pairs", table, "-m", "muc", "-f", "json", "--identity", "Is")
    done = run(*arguments)
    assert done.returncode == 2
    assert "identity has no effect without a file of" in done.stderr
    table.write_text(table.read_text().replace("y.conll", "y.ann"))
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["datasets"]
    assert {name: one["scores"]["muc"]["f1"] for name, one in found.items()} == {
        "x": 2 / 3, "y": 1.0,
    }  # fmt: skip


@pytest.mark.parametrize("sides", [("key",), ("response",), ("key", "response")])
def test_a_data_set_is_called_as_its_file_without_compression(two_sets, sides):
    for side in sides:
        path = two_sets / side / "x.conll"
        (two_sets / side / "x.conll.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    done = run("score", "--pairs", two_sets, "-m", "muc", "-f", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["datasets"]
    assert {name: one["scores"]["muc"]["f1"] for name, one in found.items()} == {"x": 2 / 3, "y": 1}


def test_two_files_of_one_data_set_are_wrong_usage(two_sets):
    """One is compressed."""
    (two_sets / "key" / "y.conll.XZ").write_text("")
    done = run("score", "--pairs", two_sets)
    assert done.returncode == 2
    assert "y.conll is there too; remove one of them" in done.stderr


def test_data_sets_go_without_a_key(two_sets):
    assert run("score", KEY, A, "--pairs", two_sets / "sets.tsv").returncode == 2
    (two_sets / "key" / "z.conll").write_text(conll("(0)"))
    assert "without a partner" in run("score", "--pairs", two_sets).stderr
    (two_sets / "response" / "x.conll").write_text("")
    assert run("score", "--pairs", two_sets / "sets.tsv").returncode == 3


def test_a_response_that_lacks_most_documents_is_said_below_the_table(tmp_path):
    documents = [f"#begin document ({n}); part 000\nx\t(1)\n#end document\n" for n in range(3)]
    for name, kept in (("key", 3), ("most", 2), ("few", 1)):
        (tmp_path / name).write_text("".join(documents[:kept]))
    for format in ("text", "markdown", "latex"):
        done = run("score", *(tmp_path / name for name in ("key", "most", "few")), "-f", format)
        assert "few: 2 of 3 documents missing" in done.stdout
        assert "most: " not in done.stdout


def test_latex_has_a_row_for_each_system_as_papers_do(pair):
    """The default metrics of papers; of the response: MUC P 1/1, R 1/2; B³ P 4/4, R (4/3 + 1)/5."""
    lines = run("score", *pair, pair[0], "-f", "latex", "--quiet").stdout.splitlines()
    heads = [line for line in lines if "multicolumn" in line]
    assert heads == [
        r" & \multicolumn{3}{c}{MUC} & \multicolumn{3}{c}{B$^3$} & "
        r"\multicolumn{3}{c}{CEAF$_{\phi_4}$} & \multicolumn{1}{c}{Avg.} \\"
    ]
    assert " & P & R & F1 & P & R & F1 & P & R & F1 & F1 \\\\" in lines
    assert any(line.startswith("% corefmeter:") and "|singletons:keep|" in line for line in lines)
    (caption,) = (line for line in lines if line.startswith(r"\caption"))
    assert "corefmeter" not in caption
    assert r"\label{tab:coreference}" in lines


@pytest.mark.parametrize(
    ("options", "header"),
    [
        (["-m", "muc"], "R P F1"),
        (["-m", "muc", "--order", "prf"], "P R F1"),
        (["-m", "muc", "--rows", "systems"], "R P F1"),
        (["-m", "muc", "-f", "latex", "--order", "rpf"], "R & P & F1"),
        (["-m", "conll"], "F1"),
    ],
)
def test_the_columns_of_a_table_are_chosen(pair, options, header):
    """A mean alone has neither recall nor precision, and no empty columns for them."""
    (line,) = (one for one in run("score", *pair, *options).stdout.splitlines() if "F1" in one)
    assert " ".join(line.removesuffix(r"\\").split()).removeprefix("& ") == header


def test_the_order_of_columns_can_be_configured(pair, monkeypatch):
    monkeypatch.setenv("COREFMETER_ORDER", "prf")
    lines = run("score", *pair, "-m", "muc").stdout.splitlines()
    assert lines[1].split() == ["P", "R", "F1"]
    assert lines[3].split() == ["MUC", "100.00", "50.00", "66.67"]


def test_official_rounding_cuts_the_second_decimal(pair):
    """F1 = 2/3: v8.01 prints 66.66."""
    assert "66.66\n" in run("score", *pair, "-m", "muc", "--rounding", "official").stdout
    assert "66.67\n" in run("score", *pair, "-m", "muc").stdout
    grouped = run("score", *pair, "-m", "muc", "--rounding", "official", "--by", "document")
    assert grouped.stdout.count("66.66\n") == 2
    refused = run("score", *pair, "--rounding", "official", "-f", "json")
    assert (refused.returncode, refused.stdout) == (2, "")


@pytest.mark.parametrize("options", [["--rows", "systems"], ["--rounding", "official"]])
def test_data_sets_refuse_what_would_change_nothing(pair, tmp_path, options):
    table = tmp_path / "pairs.tsv"
    table.write_text(f"a\t{pair[0]}\t{pair[1]}\n", encoding="utf-8")
    refused = run("score", "--pairs", table, "-m", "muc", *options)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--pairs cannot be combined with --rows or --rounding" in refused.stderr


@pytest.mark.parametrize("options", [[], ["-m", "lea"], ["--singletons", "drop", "-m", "muc,b3"]])
def test_a_short_signature_repeats_the_run_as_the_whole_one_does(pair, options):
    recipe = Recipe.parse(
        json.loads(run("score", *pair, *options, "-f", "json").stdout)["signature"]
    )
    short = run("score", *pair, *options).stdout.splitlines()[-1]
    whole = run("score", *pair, *options, "--signature", "full").stdout.splitlines()[-1]
    assert len(short) <= 80 < len(whole)
    assert Recipe.parse(short) == Recipe.parse(whole) == recipe
