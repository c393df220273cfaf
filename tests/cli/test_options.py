"""Options of several commands: none is ignored, and signatures of other versions are noticed."""

from __future__ import annotations

import io
import json
from functools import partial

import pytest

import corefmeter
from corefmeter.problems import Problem
from corefmeter.reports import write_warnings

from .. import command

KEY = "".join(
    f"#begin document ({name}); part 000\n{name} 0 0 Ann (1)\n{name} 0 1 saw -\n"
    f"{name} 0 2 her (1)\n\n#end document\n"
    for name in "de"
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Runs a command in a folder with key.conll and the same as response.conll."""
    folder = tmp_path_factory.mktemp("options")
    for side in ("key", "response"):
        (folder / f"{side}.conll").write_text(KEY, encoding="utf-8")

    return partial(command.run, folder=folder)


@pytest.fixture(scope="module")
def annotators(tmp_path_factory):
    """Runs a command in a folder with A/x.ann and the same as B/x.ann; Is joins its mentions."""
    folder = tmp_path_factory.mktemp("annotators")
    for name in "AB":
        (folder / name).mkdir()
        (folder / name / "x.txt").write_text("Ann saw her")
        (folder / name / "x.ann").write_text(
            "T1\tP 0 3\tAnn\nT2\tP 8 11\ther\nR1\tIs Arg1:T1 Arg2:T2\n"
        )
    return partial(command.run, folder=folder)


SIDES = ("key.conll", "response.conll")


@pytest.mark.wings
@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (("score", *SIDES, "--overlap-threshold", "0.7"), "match 'overlap'"),
        (("compare", *SIDES, "key.conll", "--shared-ids"), "as_one_document"),
        (("errors", *SIDES, "-m", "muc", "--lea-importance", "one"), "the metric lea"),
        (("match", *SIDES, "--overlap-threshold", "0.5"), "match 'overlap'"),
        (("score", *SIDES, "--preset", "litbank", "--blanc", "luo2014"), "the metric blanc"),
        *(
            ((command, *files, "--identity", "Is"), "identity has no effect without a file of")
            for command, *files in (
                ("score", *SIDES),
                ("errors", *SIDES),
                ("match", *SIDES),
                ("card", *SIDES),
                ("compare", *SIDES, "key.conll"),
                ("report", *SIDES, "-o", "x.html"),
                ("agree", *SIDES),
                ("merge", *SIDES),
                ("stitch", *SIDES),
                ("stats", "key.conll"),
                ("validate", "key.conll"),
                ("convert", "key.conll", "key.conllu"),
                ("validate", "response.conll", "--against", "key.conll"),
            )
        ),
        (
            ("errors", *SIDES, "--show", "--top", "3"),
            "needs no --digits, --top, --feature",
        ),
        (("errors", *SIDES, "-f", "csv", "--top", "3"), "--top limits lists"),
        pytest.param(
            ("lab", "damage", "key.conll", "--kind", "split", "--to", "conll"),
            "--write",
            marks=pytest.mark.wings,
        ),
    ],
)
def test_an_option_without_effect_is_refused(run, arguments, needed):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert needed in done.stderr


@pytest.mark.wings
@pytest.mark.parametrize(
    ("arguments", "entities"),
    [
        (("merge", "A", "B"), 2), (("merge", "A", "B", "--identity", "Is"), 1),
        (("stitch", "A/x.ann"), 2), (("stitch", "A/x.ann", "--identity", "Is"), 1),
    ],
)  # fmt: skip
def test_relations_of_identity_are_named_for_a_consensus_and_for_windows(
    annotators, tmp_path, arguments, entities
):
    target = tmp_path / "out.conll"
    assert annotators(*arguments, "--write", target).returncode == 0
    assert len(corefmeter.read(target).documents[0].entities) == entities


@pytest.mark.wings
@pytest.mark.parametrize(("options", "f1"), [((), 0), (("--identity", "Is"), 1)])
def test_relations_of_identity_are_named_for_annotators(annotators, options, f1):
    done = annotators("agree", "A", "B", "-m", "muc", "-f", "json", *options)
    (pair,) = json.loads(done.stdout)["pairs"]
    assert (pair["metric"], pair["f1"]) == ("muc", f1)
    assert ("|identity:Is|" in done.stdout) == bool(options)


COMMANDS = [*("score", "compare", "errors", "match"), pytest.param("ace", marks=pytest.mark.wings)]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_signature_that_is_empty_is_refused(run, command):
    """As a variable of a shell is that was never set."""
    files = ("key.conll", "response.conll", *["key.conll"] * (command == "compare"))
    done = run(command, *files, "--recipe", "")
    assert (done.returncode, done.stdout) == (2, "")
    assert "not a signature" in done.stderr
    if command == "score":
        assert "unknown preset ''" in run(command, *files, "--preset", "").stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_signature_of_another_version_warns_on_the_terminal_and_in_json(run, command):
    signature = "ace:ace2005" if command == "ace" else "match:exact"
    files = ("key.conll", "response.conll", *["key.conll"] * (command == "compare"))
    done = run(command, *files, "--recipe", f"corefmeter:0.0.9|{signature}", "-f", "json")
    assert done.returncode == 0
    assert "the signature is of corefmeter 0.0.9" in done.stderr
    if command != "match":
        found = json.loads(done.stdout)
        problems = found["results"][0]["problems"] if command == "score" else found["problems"]
        assert [problem["code"] for problem in problems][:1] == ["other-version"]


@pytest.mark.parametrize(
    ("arguments", "rest"),
    [
        (("score", "key.conll", "repeated.conll"), "all are in the JSON output"),
        (("report", "key.conll", "repeated.conll", "-o", "page.html"), "all are on the page"),
        (("convert", "open.conll", "open.jsonl", "--to", "e2e"), '"corefmeter validate" lists all'),
    ],
)
def test_where_warnings_that_are_not_printed_are_listed(tmp_path, arguments, rest):
    """Six mentions that occur twice; six documents that are never closed."""
    (tmp_path / "key.conll").write_text(KEY, "utf-8")
    lines = "".join(f"d 0 {n} x (1)|(2)\n" for n in range(6))
    (tmp_path / "repeated.conll").write_text(
        f"#begin document (d)\n{lines}#end document\n", "utf-8"
    )
    parts = "".join(f"#begin document (d); part 00{n}\nd {n} 0 x (1)\n" for n in range(6))
    (tmp_path / "open.conll").write_text(parts, "utf-8")
    done = command.run(*arguments, folder=tmp_path)
    assert done.returncode == 0
    code = "missing-end" if arguments[0] == "convert" else "repeated-mention"
    assert f"... and 5 more of [{code}]; {rest}\n" in done.stderr


@pytest.mark.parametrize(
    ("options", "format"),
    [
        (["-o", "x.json"], "json"),
        (["-o", "x.CSV"], "csv"),
        (["-o", "x.md"], "markdown"),
        (["-o", "x.tex"], "latex"),
        (["-o", "x.txt"], "text"),
        (["-o", "json"], "text"),
        (["-f", "csv", "-o", "x.json"], "csv"),
        (["-o", "x.json", "-f", "text"], "text"),
    ],
)
@pytest.mark.parametrize("command", ["score", "errors", "card"])
def test_the_name_of_an_output_sets_its_format(run, tmp_path, command, options, format):
    wanted = run(command, *SIDES, "-f", format, "--quiet", "--signature", "full").stdout
    name = options[options.index("-o") + 1]
    options = [str(tmp_path / name) if one == name else one for one in options]
    done = run(command, *SIDES, *options, "--quiet")
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / name).read_text(encoding="utf-8") == wanted


@pytest.mark.parametrize(
    ("command", "endings"),
    [("score", ".json, .csv, .md or .tex"), ("validate", ".json"), ("list", ".json")],
)
def test_the_help_names_the_endings_of_a_command(run, command, endings):
    words = " ".join(run(command, "--help").stdout.split())
    assert f"A name in {endings} sets the format." in words


def test_a_name_of_a_format_that_a_command_lacks_sets_none(run, tmp_path):
    run("list", "metrics", "-o", str(tmp_path / "x.csv"))
    assert (tmp_path / "x.csv").read_text(encoding="utf-8") == run("list", "metrics").stdout


@pytest.mark.parametrize(
    ("problems", "printed"),
    [
        # 9 + 50 + 11 + 10 letters: "warning: ", the message, " [no-words]", " Add them."
        ([Problem("no-words", "x" * 50, hint="Add them.")],
         f"warning: {'x' * 50} [no-words] Add them.\n"),
        ([Problem("no-words", "x" * 51, hint="Add them.")],
         f"warning: {'x' * 51} [no-words]\n  Add them.\n"),
        # By code, in the order of the first of each; the rest is counted.
        ([Problem("no-words", "a"), Problem("empty-entity", "b"), Problem("no-words", "c"),
          Problem("no-words", "d")],
         "warning: a [no-words]\n... and 2 more of [no-words]; see r\nwarning: b [empty-entity]\n"),
        # Each note names a choice; the same twice is said once.
        ([Problem("table-read", one, "note") for one in "aab"],
         "note: a [table-read]\nnote: b [table-read]\n"),
    ],
)  # fmt: skip
def test_warnings_are_grouped_one_line_each(problems, printed, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    stream = io.StringIO()
    write_warnings(problems, stream, "; see r")
    assert stream.getvalue() == printed
