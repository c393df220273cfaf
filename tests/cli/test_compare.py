"""``corefmeter compare`` as a person runs it: a process, its output, its exit status."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from corefmeter import Recipe, __version__, compare, score
from corefmeter.statistics.plan import Plan

from ..command import run
from ..statistics.corpora import invented, written

KEY, SYSTEMS = invented("command", 20, {"a": 0.15, "b": 0.2, "c": 0.6})
ENVIRONMENT = {**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "corefmeter", *map(str, arguments)]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The folder with key.conll, a.conll, b.conll, c.conll and twin.conll, the same as a.conll."""
    folder = tmp_path_factory.mktemp("compare")
    for name, documents in {"key": KEY, **SYSTEMS, "twin": SYSTEMS["a"]}.items():
        (folder / f"{name}.conll").write_text(written(documents), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("documents", "differing", "systems"),
    [
        (20, 4, 2),  # 2/2^4 = 0.125 bounds the p of exchanges
        (12, 4, 2),
        (6, 6, 3),  # by Holm 3 * 2/2^6 = 0.094 does
    ],
)
def test_that_nothing_could_be_significant_is_printed_of_exchanges_only(
    tmp_path, documents, differing, systems
):
    """Each system lacks a link in more documents, which resamples have more or less often.

    Every other document has two links, so that not all differ alike.
    """
    names = [f"d{number}" for number in range(documents)]
    key = {name: [[0, 1, 2]] if i % 2 else [[0, 1]] for i, name in enumerate(names)}
    sides = {"key": key}
    for number in range(systems):
        worse = differing * number // (systems - 1)
        fewer = {name: [mentions[:-1] for mentions in key[name]] for name in names[:worse]}
        sides[f"s{number}"] = key | fewer
    for name, side in sides.items():
        (tmp_path / f"{name}.conll").write_text(written(side), encoding="utf-8")
    asked = ("compare", *paths(tmp_path, *sides), "-m", "muc", "--trials", 999, "--test")
    for test, said in (("randomization", True), ("exact", True), ("bootstrap", False)):
        done = run(*asked, test)
        text = " ".join((done.stdout + done.stderr).split())
        assert done.returncode == 0, text
        found = "nothing could be significant" in text or "nothing can be significant" in text
        assert found == said, (test, text)


def test_two_documents_have_no_intervals_and_the_reason(tmp_path):
    for name, documents in {"key": KEY, **SYSTEMS}.items():
        two = dict(list(documents.items())[:2])
        (tmp_path / f"{name}.conll").write_text(written(two), encoding="utf-8")
    files = paths(tmp_path, "key", "a", "c")
    done = run("compare", *files, "-m", "lea")
    assert done.returncode == 0
    assert "[" not in done.stdout
    assert "–" not in done.stdout
    header, _, row = (line.split() for line in done.stdout.splitlines()[-9:-6])
    assert (header, row[0], len(row)) == (["difference", "p"], "LEA", 3), done.stdout
    assert "no intervals: they need at least 6 documents" in done.stdout
    (line,) = csv.DictReader(io.StringIO(run("compare", *files, "-m", "lea", "-f", "csv").stdout))
    assert [line[n] for n in ("low", "high", "detectable", "low_a", "high_b")] == [""] * 5
    document = json.loads(run("compare", *files, "-m", "lea", "-f", "json").stdout)
    (pair,) = document["metrics"]["lea"]["pairs"]
    assert (pair["interval"], pair["detectable"]) == (None, None)
    refused = run("compare", *files, "--test", "bootstrap")
    assert refused.returncode == 3
    assert "[few-documents]" in refused.stderr


def paths(folder: Path, *names: str) -> list[Path]:
    return [folder / f"{name}.conll" for name in names]


QUICK = ("--trials", 200, "-m", "lea", "-m", "conll")

METRIC_ROWS = ("-f", "latex", "--rows", "metrics")


def test_json_is_that_of_python(files):
    done = run("compare", *paths(files, "key", "a", "b", "c"), *QUICK, "-f", "json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    named = {f"{name}.conll": response for name, response in SYSTEMS.items()}
    expected = compare(KEY, named, metrics=["lea", "conll"], trials=200).to_dict()
    assert document["metrics"] == json.loads(json.dumps(expected["metrics"]))
    assert document["signature"] == expected["signature"]
    assert document["units"] == 20


def test_the_signature_repeats_the_run(files):
    arguments = paths(files, "key", "a", "b")
    options = ("--trials", 150, "--seed", 5, "--test", "bootstrap", "--correction", "bh", "--alpha",
               0.01, "--level", 0.9, "--interval", "bca", "--score", "recall", "-m", "lea",
               "--singletons", "drop", "--unit", "part", "--quiet", "-f", "json")  # fmt: skip
    first = json.loads(run("compare", *arguments, *options).stdout)
    text, plan = Plan.split(first["signature"])
    assert Recipe.parse(text) == Recipe(metrics="lea", singletons="drop")
    assert plan == {
        "test": "bootstrap", "trials": 150, "seed": 5, "by": "part", "correction": "bh",
        "alpha": 0.01, "level": 0.9, "interval": "bca", "score": "recall",
    }  # fmt: skip
    again = run("compare", *arguments, "--recipe", first["signature"], "-f", "json", "--quiet")
    assert json.loads(again.stdout) == first
    changed = run(
        "compare", *arguments, "--recipe", first["signature"], "--seed", 6, "-f", "json", "--quiet"
    )
    assert json.loads(changed.stdout)["seed"] == 6


def test_text_fits_eighty_columns_and_says_how_it_was_made(files):
    done = run("compare", *paths(files, "key", "a", "b", "c"), "--trials", 200, "--quiet")
    assert done.returncode == 0
    *lines, signature = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in done.stdout
    assert signature.startswith("corefmeter:")
    assert signature.endswith("|trials:200")
    text = " ".join(line.strip() for line in lines)
    assert "two-sided, approximate randomization over 20 documents, 200 trials" in text
    assert "Holm-adjusted over 3 pairs" in text
    assert "share a letter do not differ significantly at 0.05" in text
    assert "percentile bootstrap, 200 resamples" in text


def test_the_table_of_scores_has_ranks_and_letters(files):
    done = run("compare", *paths(files, "key", "a", "b", "c"), *QUICK, "--quiet")
    found = compare(KEY, SYSTEMS, metrics=["lea", "conll"], trials=200)
    rows = [line.split() for line in done.stdout.splitlines()[2:5]]
    for name, row in zip("abc", rows, strict=True):
        cells = [f"{name}.conll"]
        for metric in ("lea", "conll"):
            one = found[metric]
            cells += [f"{100 * one.scores[name].f1:.2f}", f"({one.ranks[name]})", one.letters[name]]
        assert row == cells


def test_what_only_the_adjustment_for_several_pairs_changes_is_counted(files):
    found = compare(KEY, SYSTEMS, metrics=["lea", "conll"], trials=200)
    pairs = [pair for metric in found.metrics.values() for pair in metric.pairs]
    chosen = max(pairs, key=lambda pair: pair.p_adjusted - pair.p)
    alpha = (chosen.p + chosen.p_adjusted) / 2
    lost = sum(pair.p <= alpha < pair.p_adjusted for pair in pairs)
    assert lost > 0
    options = (*QUICK, "--quiet", "--set", f"alpha={alpha}")
    text = " ".join(run("compare", *paths(files, "key", "a", "b", "c"), *options).stdout.split())
    hint = "significant without the adjustment for 3 pairs, but not with it: "
    assert f"{hint}{lost} difference" in text
    assert hint not in run("compare", *paths(files, "key", "a", "c"), *options).stdout


def test_two_systems_have_one_table_of_differences(files):
    done = run("compare", *paths(files, "key", "a", "c"), *QUICK, "--quiet")
    lines = done.stdout.splitlines()
    head = lines.index("a.conll − c.conll")
    assert lines[head + 1].split() == ["difference", "95%", "interval", "p", "detectable"]
    found = compare(KEY, {n: SYSTEMS[n] for n in "ac"}, metrics=["lea", "conll"], trials=200)
    for line, title, metric in zip(
        lines[head + 3 :], ("LEA", "CoNLL"), ("lea", "conll"), strict=False
    ):
        pair = found[metric].pairs[0]
        low, high = pair.interval
        assert line.split() == [
            title, f"{100 * pair.difference:+.2f}", f"[{100 * low:.2f},", f"{100 * high:.2f}]",
            f"{pair.p:.4f}", f"{100 * pair.detectable:.2f}",
        ]  # fmt: skip


def test_the_caption_says_which_pairs_were_enumerated(tmp_path):
    """B differs from A on 2 of 20 documents, C on all: the exchanges of 2^20 are drawn."""
    key = {f"d{i:02}": [[0, 1], [2, 3]] for i in range(20)}
    split = [[0], [1], [2], [3]]
    systems = {"key": key, "a": key, "b": {**key, "d00": split, "d01": split},
               "c": dict.fromkeys(key, split)}  # fmt: skip
    for name, documents in systems.items():
        (tmp_path / f"{name}.conll").write_text(written(documents), encoding="utf-8")
    done = run("compare", *paths(tmp_path, *systems), *QUICK, "--quiet")
    text = " ".join(line.strip() for line in done.stdout.splitlines())
    assert "a.conll − b.conll; " not in text
    assert " a.conll − b.conll: exact test over all exchanges" in text
    done = run("compare", *paths(tmp_path, "key", "a", "b"), *QUICK, "--quiet")
    assert "test over all exchanges" not in " ".join(done.stdout.split())
    assert "exact randomization test (all exchanges)" in " ".join(done.stdout.split())


def test_many_pairs_are_left_to_json_and_csv(files, tmp_path):
    many = []
    for i in range(7):
        path = tmp_path / f"copy{i}.conll"
        path.write_text((files / "a.conll").read_text("utf-8"), encoding="utf-8")
        many.append(path)
    done = run("compare", files / "key.conll", *many, *QUICK, "--quiet")
    assert "all 21 differences: see JSON or CSV" in done.stdout
    assert "detectable" not in done.stdout


def test_systems_can_be_sorted(files):
    done = run("compare", *paths(files, "key", "c", "b", "a"), *QUICK, "--quiet", "--sort", "lea")
    found = compare(KEY, SYSTEMS, metrics="lea", trials=10)
    order = [f"{name}.conll" for name in found.sorted_by("lea")]
    assert [line.split()[0] for line in done.stdout.splitlines()[2:5]] == order
    done = run("compare", *paths(files, "key", "a", "b"), *QUICK, "--quiet", "--sort", "muc")
    assert done.returncode == 2
    assert "'muc' was not compared" in done.stderr


def test_csv_has_a_row_for_each_metric_and_pair(files):
    done = run("compare", *paths(files, "key", "a", "b", "c"), *QUICK, "--quiet", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(r["metric"], r["a"][0], r["b"][0]) for r in rows] == [
        (metric, *pair) for metric in ("lea", "conll") for pair in ("ab", "ac", "bc")
    ]
    found = compare(KEY, SYSTEMS, metrics=["lea", "conll"], trials=200)
    for row in rows:
        pair = found[row["metric"]].pair(row["a"][0], row["b"][0])
        assert float(row["difference"]) == pair.difference
        assert (float(row["low"]), float(row["high"])) == pair.interval
        assert float(row["p"]) == pair.p
        assert float(row["p_adjusted"]) == pair.p_adjusted
        assert bool(int(row["significant"])) == pair.significant
        assert int(row["rank_a"]) == found[row["metric"]].ranks[row["a"][0]]
        assert row["signature"].endswith("|score:f1")


def test_markdown_raises_letters_and_sets_the_best_in_bold(files):
    done = run("compare", *paths(files, "key", "a", "c"), *QUICK, "--quiet", "-f", "markdown")
    found = compare(KEY, {n: SYSTEMS[n] for n in "ac"}, metrics=["lea", "conll"], trials=200)
    assert found["lea"].letters == {"a": "a", "c": "b"}
    assert f"| a.conll | **{100 * found['lea'].scores['a'].f1:.2f}**<sup>a</sup> |" in done.stdout
    assert f"| c.conll | {100 * found['lea'].scores['c'].f1:.2f}<sup>b</sup> |" in done.stdout
    assert (
        done.stdout.splitlines()[-1] == f"`corefmeter:{__version__}|metrics:lea+conll|trials:200`"
    )


def test_latex_is_fit_for_a_paper(files):
    done = run("compare", *paths(files, "key", "a", "c"), *QUICK, "--quiet", *METRIC_ROWS)
    text = done.stdout
    found = compare(KEY, {n: SYSTEMS[n] for n in "ac"}, metrics=["lea", "conll"], trials=200)
    best = f"{100 * found['lea'].scores['a'].f1:.2f}"
    assert rf"a.conll & \textbf{{{best}}}\textsuperscript{{a}} &" in text
    assert "two-sided, approximate randomization over 20 documents, 200 trials" in text
    assert "Best in bold." in text
    assert f"\n% {found.signature}\n" in text
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 3
    # Nothing that LaTeX would misread: unescaped specials, or braces that do not close.
    body = re.sub(r"\\.", "", text.split("\n", 2)[2])
    for line in body.splitlines():
        if "&" not in line:
            assert not re.search(r"[%#_^~|<>]", line.replace(r"$<$", "")), line
    assert body.count("{") == body.count("}")


def test_latex_compiles_signs_as_mathematics(files):
    done = run("compare", *paths(files, "key", "c", "a"), *QUICK, "--quiet", *METRIC_ROWS)
    differences = done.stdout.split(r"\begin{table}")[3]
    assert r"\caption{c.conll $-$ a.conll: differences in percent." in differences
    assert "& $-$" in differences
    assert "[$-$" in differences


def test_a_kind_of_mentions_is_compared():
    """Of 18 pronouns of the example A resolves 17 to the right mention, and no other one wrongly.

    F1 = 2*17 / (2*17 + 1).
    """
    examples = Path(__file__).parents[2] / "examples"
    sides = [examples / f"{name}.conll" for name in ("key", "system-a", "system-b")]
    done = run("compare", *sides, "--kind", "arcs-immediate:pronoun", "--unit", "part", "--quiet")
    assert done.stdout.splitlines()[2].split() == ["system-a.conll", f"{3400 / 35:.2f}", "a"]
    assert "F1 of pronoun mentions in percent" in done.stdout
    signature = done.stdout.splitlines()[-1]
    again = run("compare", *sides, "--recipe", signature, "--quiet")
    assert again.stdout == done.stdout
    done = run("compare", *sides, "--kind", "name", "--unit", "part", "-f", "json", "--quiet")
    assert list(json.loads(done.stdout)["metrics"]) == [
        "arcs-immediate", "arcs-inferred", "arcs-anchor"
    ]  # fmt: skip


def test_lines_of_a_card_with_other_options_are_compared(tmp_path):
    """Of the mentions of the key, x and y, A has both, B x alone, and z; y is of the class b."""
    sides = {"key": "(0) (0) -", "a": "(0) (0) -", "b": "(0) - (0)"}
    for name, cells in sides.items():
        rows = "".join(
            f"d 0 {i} {word} {kind} {cell}\n"
            for i, (word, kind, cell) in enumerate(zip("xyz", "abb", cells.split(), strict=True))
        )
        documents = (f"#begin document (d{n}); part 000\n{rows}#end document\n" for n in range(6))
        (tmp_path / f"{name}.conll").write_text("".join(documents))
    paths = [tmp_path / f"{name}.conll" for name in sides]
    for part, f1 in {
        "mentions/column:4/b": [1.0, 0.0],
        "mentions/tokens/1": [1.0, 0.5],
        "long/windows of 2 tokens/inside": [1.0, 0.0],  # the windows x y, and z
    }.items():
        options = ["-m", "muc"] if part.startswith("long") else []
        done = run("compare", *paths, "--part", part, *options, "-f", "json")
        found = json.loads(done.stdout)
        (metric,) = found["metrics"].values()
        assert [one["f1"] for one in metric["scores"].values()] == f1
        assert found["part"] == part


def test_a_breakdown_of_the_card_is_compared(files):
    """Of 18 pronouns A has 17, and B all."""
    examples = Path(__file__).parents[2] / "examples"
    sides = [examples / f"{name}.conll" for name in ("key", "system-a", "system-b")]
    part = ("--part", "mentions/kind/pronoun")
    done = run("compare", *sides, *part, "--score", "recall", "-f", "json", "--quiet")
    (metric,) = json.loads(done.stdout)["metrics"].values()
    assert [one["recall"] for one in metric["scores"].values()] == [17 / 18, 1]
    done = run("compare", *paths(files, "key", "a", "b"), "--part", "linking", "-m", "lea")
    assert done.returncode == 0
    assert "F1 of linking in percent" in done.stdout
    assert failed(2, "--results", files / "a.conll", "--part", "linking") == (
        "Error: --part: saved results cannot be scored differently\n"
    )


def test_runs_are_of_one_system(files):
    """Given as one argument, or by what tells their names apart, they are the same comparison."""
    key, *runs = paths(files, "key", "a", "twin", "b", "c")
    given = (key, f"one={runs[0]},{runs[1]}", f"two={runs[2]},{runs[3]}", "-m", "lea", "--quiet")
    document = json.loads(run("compare", *given, "-f", "json").stdout)
    assert document["runs"] == {
        "one": ["a.conll", "twin.conll"], "two": ["b.conll", "c.conll"]
    }  # fmt: skip
    expected = compare(
        KEY, {**SYSTEMS, "twin": SYSTEMS["a"]}, metrics="lea",
        runs={"one": ["a", "twin"], "two": ["b", "c"]},
    )  # fmt: skip
    assert document["metrics"] == json.loads(json.dumps(expected.to_dict()["metrics"]))
    assert document["metrics"]["lea"]["scores"]["one"]["spread"]["deviation"] == 0
    low, high = sorted(score(KEY, SYSTEMS[name], metrics="lea").lea.f1 for name in "bc")
    lines = run("compare", *given).stdout.splitlines()
    assert lines[0].split() == ["F1", "runs", "LEA"]
    # Of two runs the standard deviation is their difference over the root of 2.
    mean, deviation = (low + high) / 2, (high - low) / 2**0.5
    assert f"two     2  {100 * mean:.2f} \N{PLUS-MINUS SIGN} {100 * deviation:.2f}" in lines[3]
    assert max(map(len, lines[:-1])) <= 80
    (row,) = csv.DictReader(io.StringIO(run("compare", *given, "-f", "csv").stdout))
    assert (row["runs_a"], row["runs_b"], float(row["deviation_b"])) == (
        "2", "2", pytest.approx(deviation)
    )  # fmt: skip
    done = run("compare", key, *runs, "--runs", r"(a|twin|b|c)(?=\.)", "-m", "lea")
    assert done.stderr == "Error: there is nothing to compare: give two systems or more\n"
    done = run("compare", key, *runs, "--runs", "^(a|twin)[.]", "-f", "json", "--quiet")
    assert json.loads(done.stdout)["runs"] == {"conll": ["a.conll", "twin.conll"]}
    done = run("compare", *given, "--runs", "a")
    assert "choose one" in done.stderr


def test_a_baseline_has_a_table_of_its_own(files):
    done = run("compare", *paths(files, "key", "a", "b", "c"), *QUICK, "--baseline", "b.conll")
    found = compare(KEY, SYSTEMS, metrics=["lea", "conll"], trials=200, baseline="b")
    text = done.stdout
    assert f"{100 * found['lea'].scores['c'].f1:.2f} *" in text.splitlines()[4]
    assert "*" not in text.splitlines()[2]
    assert "* differs significantly from b.conll at 0.05" in text
    assert "rank" not in text
    (head,) = (n for n, line in enumerate(text.splitlines()) if line.startswith("LEA, differ"))
    assert [line.split()[0] for line in text.splitlines()[head + 3 : head + 5]] == [
        "a.conll", "c.conll"
    ]  # fmt: skip
    assert "2 pairs" in " ".join(text.split())


def test_output_goes_to_a_file(files, tmp_path):
    target = tmp_path / "comparison.json"
    arguments = (*paths(files, "key", "a", "b"), *QUICK, "--quiet", "-f", "json", "-o", target)
    done = run("compare", *arguments)
    assert (done.returncode, done.stdout) == (0, "")
    assert json.loads(target.read_text("utf-8"))["schema"] == 1
    done = run("compare", *arguments[:-1], tmp_path / "no" / "folder.json")
    assert done.returncode == 3
    assert "cannot be written" in done.stderr


def test_saved_results_are_compared_without_the_texts(files, tmp_path):
    direct = run("compare", *paths(files, "key", "a", "b", "c"), *QUICK, "-f", "json", "--quiet")
    both, one = tmp_path / "both.json", tmp_path / "one.json"
    save = ("-m", "lea", "-m", "conll", "--by", "document", "-f", "json", "--quiet", "-o")
    assert run("score", *paths(files, "key", "a", "b"), *save, both).returncode == 0
    assert run("score", *paths(files, "key", "c"), *save, one).returncode == 0
    done = run("compare", "--results", both, one, "--trials", 200, "-f", "json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == json.loads(direct.stdout)
    only = run("compare", "--results", both, one, "--trials", 200, "-m", "lea", "-f", "json")
    assert list(json.loads(only.stdout)["metrics"]) == ["lea"]
    assert json.loads(only.stdout)["metrics"]["lea"] == json.loads(direct.stdout)["metrics"]["lea"]


def test_saved_results_of_the_same_response_are_named_by_their_files(tmp_path):
    for name, response in SYSTEMS.items():
        result = score(KEY, response, metrics="lea").to_dict(by=["document"])
        result["results"][0]["response"] = "runs/output.conll"
        (tmp_path / f"{name}.json").write_text(json.dumps(result))
    saved = [tmp_path / f"{name}.json" for name in "ab"]
    done = run("compare", "--results", *saved, "--trials", 100, "-f", "json", "--quiet")
    assert json.loads(done.stdout)["systems"] == ["a", "b"]
    done = run("compare", "--results", saved[0], saved[0])
    assert (done.returncode, done.stderr) == (2, "Error: a is given twice\n")


def test_a_file_of_groups_gives_the_blocks(files, tmp_path):
    groups = tmp_path / "blocks.tsv"
    groups.write_text("".join(f"{name}\tblock{i % 7}\n" for i, name in enumerate(KEY)))
    arguments = (*paths(files, "key", "a", "c"), *QUICK, "-f", "json", "--quiet")
    done = run("compare", *arguments, "--unit", groups)
    document = json.loads(done.stdout)
    assert (document["units"], document["by"], document["test"]) == (7, "blocks", "exact")
    done = run("compare", *paths(files, "key", "a", "c"), "--recipe", document["signature"])
    assert done.returncode == 2
    assert "give the file with --unit" in done.stderr


def test_identical_outputs_are_alike(files):
    done = run("compare", *paths(files, "key", "a", "twin", "c"), *QUICK, "-f", "json", "--quiet")
    for metric in json.loads(done.stdout)["metrics"].values():
        pair = metric["pairs"][0]
        assert (pair["a"], pair["b"]) == ("a.conll", "twin.conll")
        assert (pair["p"], pair["p_adjusted"], pair["interval"]) == (1, 1, [0, 0])
        assert metric["ranks"]["a.conll"] == metric["ranks"]["twin.conll"]


# What is refused, and what is warned of


def failed(status: int, *arguments: object) -> str:
    done = run("compare", *arguments)
    assert done.returncode == status
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr


def test_one_document_is_refused(tmp_path):
    for name in ("key", "a", "b"):
        (tmp_path / f"{name}.conll").write_text(written({"novel": [[0, 1], [2, 3]]}))
    text = failed(3, *paths(tmp_path, "key", "a", "b"))
    assert "[one-document]" in text
    assert "there is one document" in text
    assert "--unit part" not in text


@pytest.mark.parametrize("unit", ["document", "genre"])
def test_one_document_with_parts_is_refused_with_the_option_to_take(tmp_path, unit):
    for name in ("key", "a", "b"):
        text = written({"novel": [[0, 1], [2, 3]]})
        more = "".join(text.replace("part 000", f"part 00{n}") for n in range(1, 6))
        (tmp_path / f"{name}.conll").write_text(text + more)
    files = paths(tmp_path, "key", "a", "b")
    text = failed(3, *files, "--unit", unit)
    assert "there is one document" in text
    assert "--unit part" in text
    assert "Split it" not in text
    assert run("compare", *files, "--unit", "part").returncode == 0


def test_different_documents_are_refused_even_by_force(files, tmp_path):
    saved = []
    for name, documents in (("a", KEY), ("b", dict(list(KEY.items())[1:]))):
        result = score(documents, SYSTEMS[name], metrics="lea").to_dict(by=["document"])
        saved.append(tmp_path / f"{name}.json")
        saved[-1].write_text(json.dumps(result))
    for force in ([], ["--force"]):
        text = failed(3, "--results", *saved, *force)
        assert f"error: a was scored on {next(iter(KEY))!r}, but b was not" in text


def test_different_recipes_are_refused_unless_forced(tmp_path):
    saved = []
    for name, options in (("a", {}), ("b", {"singletons": "drop-response"})):
        result = score(KEY, SYSTEMS[name], metrics="lea", **options).to_dict(by=["document"])
        saved.append(tmp_path / f"{name}.json")
        saved[-1].write_text(json.dumps(result))
    text = failed(3, "--results", *saved)
    assert "singletons:keep" in text
    assert "singletons:drop-response" in text
    done = run("compare", "--results", *saved, "--force", "--trials", 50)
    assert done.returncode == 0
    assert "[different-recipes]" in done.stderr


def test_saved_totals_are_refused(files, tmp_path):
    target = tmp_path / "totals.json"
    run("score", *paths(files, "key", "a", "b"), "-m", "lea", "-f", "json", "-o", target)
    text = failed(3, "--results", target)
    assert "[no-statistics]" in text
    assert "--by document -f json" in text


def test_all_files_that_cannot_be_read_are_named(files, tmp_path):
    text = failed(3, *paths(files, "key", "a", "missing", "lost"))
    assert "missing.conll" in text
    assert "lost.conll" in text
    text = failed(3, "--results", tmp_path / "one.json", tmp_path / "two.json")
    assert "one.json" in text
    assert "two.json" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["key", "a"], "give a key and two responses or more"),
        (["key", "a", "a"], "a.conll is given twice"),
        (["key", "a", "b", "--recipe", "seed:x"], "seed: 'x' is not a number"),
        (["key", "a", "b", "--recipe", "sedd:1"], "did you mean"),
        (["key", "a", "b", "--unit", "documnt"], "did you mean 'document'"),
        (["key", "a", "b", "-m", "lae"], "did you mean 'lea'"),
        (["key", "a", "b", "--alpha", "5"], "alpha: 5.0 is not between 0 and 1"),
        (["key", "a", "b", "--trials", "0"], "0 is not in the range"),
        (["key", "a", "b", "--test", "t-test"], "unknown value of --test 't-test'"),
        (["key", "a", "b", "-m", "lea", "--test", "exact"], "Use --test randomization"),
        (["--results", "a", "b", "--singletons", "drop"], "--singletons: saved results"),
        (["--results", "a", "b", "--strict"], "--strict: saved results"),
        (["-", "-", "a"], "only one of the files can be standard input"),
    ],
)  # fmt: skip
def test_wrong_usage_is_told(files, arguments, message):
    found = [str(files / f"{a}.conll") if a in ("key", "a", "b") else a for a in arguments]
    assert message in failed(2, *found)


def test_warnings_go_to_standard_error_and_can_be_silenced(files):
    arguments = (*paths(files, "key", "a", "b", "c"), "-m", "lea", "--trials", 20)
    done = run("compare", *arguments)
    assert "[few-trials]" in done.stderr
    assert "--trials 59" in done.stderr
    assert run("compare", *arguments, "--quiet").stderr == ""
    problems = json.loads(run("compare", *arguments, "--quiet", "-f", "json").stdout)["problems"]
    assert "few-trials" in {problem["code"] for problem in problems}


def test_help_names_every_option():
    done = run("compare", "--help")
    assert done.returncode == 0
    for option in ("--test", "--trials", "seed", "correction", "--alpha", "level",
                   "interval", "--score", "--unit", "--results", "--force", "--sort",
                   "--singletons", "--recipe", "-f", "-o"):  # fmt: skip
        assert option in done.stdout


def on_terminal(*arguments: object) -> tuple[str, str]:
    """Standard output and standard error of a process that has a terminal for the latter."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command("compare", *arguments), stdout=subprocess.PIPE, stderr=theirs, env=ENVIRONMENT
    ) as process:
        os.close(theirs)
        told = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end has closed
                break
            if not piece:
                break
            told += piece
        output = process.stdout.read()
    os.close(ours)
    assert process.returncode == 0
    return output.decode(), told.decode()


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal_that_waits_and_cleared(files):
    arguments = (*paths(files, "key", "a", "b", "c"), *QUICK[2:], "--quiet", "-f", "json")
    output, told = on_terminal(*arguments, "--trials", 6_000_000)
    assert re.search(r"resampling +\[[# -]*\] +\d+%", told)
    assert told.endswith("\r\x1b[K\x1b[?25h")
    assert json.loads(output)["trials"] == 6_000_000


def test_the_best_are_bold_on_a_terminal(files):
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command("compare", *paths(files, "key", "a", "c"), *QUICK, "--quiet"),
        stdout=theirs, stderr=subprocess.DEVNULL, env=ENVIRONMENT,
    ):  # fmt: skip
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
    os.close(ours)
    rows = [line for line in shown.decode().splitlines() if line.startswith(("a.conll", "c.conll"))]
    assert rows[0].count("\x1b[1m") == 2
    assert rows[1].count("\x1b[1m") == 0


def test_scoring_alone_still_imports_no_numpy(files):
    code = (
        "import sys; sys.argv = ['corefmeter', *sys.argv[1:]]\n"
        "from corefmeter.cli.main import main\n"
        "try: main()\n"
        "finally: print(sorted({m.partition('.')[0] for m in sys.modules} & {'numpy', 'scipy', "
        "'rich', 'jinja2'}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "score", *map(str, paths(files, "key", "a")), "-f", "json"],
        capture_output=True, check=False, env=ENVIRONMENT,
    )  # fmt: skip
    assert done.stderr.decode().strip() == "[]"


def test_systems_have_the_same_short_names_in_all_tables(files, tmp_path):
    """At 80 columns two whole names do not fit into the tables of differences."""
    paths = [tmp_path / f"a-coreference-system-of-ours-{name}.conll" for name in "abc"]
    for path, name in zip(paths, "abc", strict=True):
        path.write_bytes((files / f"{name}.conll").read_bytes())
    out = run("compare", files / "key.conll", *paths, "-m", "muc,lea", "--trials", "50").stdout
    rows = [re.split("  +", row)[0] for row in out.splitlines() if re.match("…|a-", row)]
    names = {row for row in rows if " − " not in row}
    assert {name[-2:] for name in names} == {"-a", "-b", "-c"}
    pairs = [row.split(" − ") for row in rows if " − " in row]
    assert {name for pair in pairs for name in pair} == names
    assert len(pairs) == 2 * 3
