"""``corefmeter match``: the pairs and the rest, as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json

import pytest

from corefmeter import __version__

from ..command import run
from ..matching.texts import conllu

KEY = conllu(
    "the (e1-x-3-", "big", "dog e1)", "barked", ".1 (e2--1-) 4:nsubj", "It (e1--1-)", "ran (e3--1-)"
)
RESPONSE = conllu(
    "the", "big (r1-x-2-", "dog r1)", "barked", ".1 (r2--1-) 4:obj", "It (r1--1-)", "ran"
)


@pytest.fixture
def paths(tmp_path):
    found = []
    for name, text in (("key", KEY), ("response", RESPONSE)):
        path = tmp_path / f"{name}.conllu"
        path.write_text(text, encoding="utf-8")
        found.append(str(path))
    return found


def test_the_pairs_as_text(paths):
    done = run("match", *paths, "--match", "head", "--zeros", "dependency")
    assert done.returncode == 0
    assert done.stderr == ""
    table, signature = done.stdout.rsplit("\n\n", 1)
    assert table == (
        "a\n"
        "stage  weight  key  span  text         response  span  text\n"
        "head   0.667   e1   0:3   the big dog  r1        1:3   big dog\n"
        "zeros  1       e2   4^1   _            r2        4^1   _\n"
        "exact  1       e1   4:5   It           r1        4:5   It\n"
        "-              e3   5:6   ran\n"
        "3 matched (1 exact, 1 head, 1 zeros); without a partner: 1 in the key, 0 in the\n"
        "  response"
    )
    assert signature == f"corefmeter:{__version__}|match:head|zeros:dependency\n"


def test_lines_fit_80_columns(tmp_path):
    """A mention of 30 words on both sides; the texts share the room that the others leave.

    stage, weight, key, 0:30, response, 0:30 and seven gaps take 5 + 6 + 3 + 4 + 8 + 4 + 14 = 44 of
    80, so each text has 18 characters, the last of them an ellipsis.
    """
    words = [f"word{n}" for n in range(30)]
    body = "".join(f"{n}\t{w}" + "\t_" * 7 + "\t" + ("Entity=(e1" if n == 1 else "Entity=e1)"
                   if n == 30 else "_") + "\n" for n, w in enumerate(words, 1))  # fmt: skip
    path = tmp_path / "long.conllu"
    path.write_text(f"# newdoc id = d\n# global.Entity = eid\n# sent_id = 1\n{body}\n", "utf-8")
    lines = run("match", str(path), str(path)).stdout.splitlines()
    (row,) = [line for line in lines if line.startswith("exact ")]
    assert len(row) == 80
    assert row.split("\N{HORIZONTAL ELLIPSIS}")[0].endswith("0:30  word0 word1 word2")
    assert row.endswith("0:30  word0 word1 word2\N{HORIZONTAL ELLIPSIS}")


def test_the_pairs_as_json(paths):
    done = run("match", *paths, "--match", "head", "-f", "json")
    report = json.loads(done.stdout)
    assert report["signature"].endswith("documents:official|layer:identity|split_antecedents:no")
    (document,) = report["documents"]
    assert (document["document"], document["key_mentions"], document["response_mentions"]) == (
        "a", 4, 3
    )  # fmt: skip
    head, *_ = document["matches"]
    assert head == {
        "stage": "head",
        "weight": 2 / 3,
        "key": {"entity": "e1", "position": [0, 3], "text": "the big dog", "head": 2},
        "response": {"entity": "r1", "position": [1, 3], "text": "big dog", "head": 2},
    }
    assert [m["text"] for m in document["key_only"]] == ["ran"]
    assert document["response_only"] == []
    zero = document["matches"][-1]["key"]
    assert (zero["position"], zero["head"]) == ([[4, 4, 1]], [4, 4, 1])


def test_json_has_the_warnings_that_quiet_hides(paths, tmp_path):
    more = tmp_path / "more.conllu"
    more.write_text(KEY + KEY.replace("newdoc id = a", "newdoc id = b"), "utf-8")
    done = run("match", more, paths[1], "-f", "json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    (problem,) = json.loads(done.stdout)["problems"]
    assert (problem["code"], problem["document"]) == ("missing-document", "b")


def test_the_pairs_as_csv_in_a_file(paths, tmp_path):
    output = tmp_path / "pairs.csv"
    done = run("match", *paths, "--match", "partial", "-f", "csv", "-o", str(output))
    assert (done.returncode, done.stdout) == (0, "")
    rows = list(csv.DictReader(io.StringIO(output.read_text("utf-8"))))
    assert [(row["stage"], row["key_text"], row["response_text"]) for row in rows] == [
        ("partial", "the big dog", "big dog"), ("exact", "_", "_"), ("exact", "It", "It"),
        ("", "ran", ""),
    ]  # fmt: skip
    assert float(rows[0]["weight"]) == 2 / 3
    assert rows[-1]["weight"] == rows[-1]["response_entity"] == ""


def test_exact_pairs_can_be_left_out(paths):
    done = run("match", *paths, "--match", "head", "--hide-exact", "-f", "csv")
    assert [row["stage"] for row in csv.DictReader(io.StringIO(done.stdout))] == ["head", ""]
    done = run("match", *paths, "--match", "head", "--hide-exact", "-f", "json")
    assert [m["stage"] for m in json.loads(done.stdout)["documents"][0]["matches"]] == ["head"]


def test_one_document_can_be_asked_for(tmp_path):
    path = tmp_path / "two.conllu"
    path.write_text(KEY + KEY.replace("id = a", "id = b"), encoding="utf-8")
    done = run("match", str(path), str(path), "--document", "b")
    assert done.stdout.startswith("b\n")
    assert "\na\n" not in done.stdout
    done = run("match", str(path), str(path), "--document", "c")
    assert done.returncode == 2
    assert "unknown document 'c'" in done.stderr


def test_a_preset_chooses_the_matching(paths):
    done = run("match", *paths, "--preset", "corefud2024", "--signature", "full")
    assert "|match:head|" in done.stdout
    assert "|zeros:dependency|singletons:drop|repeated:distinct|" in done.stdout
    assert "e3" not in done.stdout


def test_a_file_in_a_format_without_heads_matches_exactly_and_by_overlap(tmp_path):
    path = tmp_path / "story.conll"
    path.write_text("#begin document (a); part 000\nw\t(1\nx\t1)\ny\t(1)\n#end document\n")
    done = run("match", str(path), str(path))
    assert "2 matched (2 exact)" in done.stdout
    done = run("match", str(path), str(path), "--match", "head")
    assert done.returncode == 3
    assert "[no-heads]" in done.stderr
    assert run("match", str(path), str(path), "--match", "overlap").returncode == 0


def test_standard_input(paths):
    done = run("match", "-", paths[1], "--match", "head", stdin=KEY)
    assert done.returncode == 0
    assert run("match", "-", "-", stdin=KEY).returncode == 2


def test_warnings_go_to_standard_error(tmp_path, paths):
    response = tmp_path / "first.conllu"
    response.write_text(RESPONSE.replace("(r1-x-2-", "(r1-x-1-"), encoding="utf-8")
    done = run("match", paths[0], str(response), "--match", "head")
    assert "[default-heads]" in done.stderr
    assert run("match", paths[0], str(response), "--match", "head", "--quiet").stderr == ""


def test_a_file_that_cannot_be_written(paths, tmp_path):
    done = run("match", *paths, "-o", str(tmp_path / "no" / "where.txt"))
    assert done.returncode == 3
    assert "cannot be written" in done.stderr
