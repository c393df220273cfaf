"""The list of ``merge`` decides the partition, and is applied after somebody edited it."""

from __future__ import annotations

import csv
import json
import random
import re
from itertools import combinations

import pytest

import corefmeter
from corefmeter import DataError

from ...command import run


def as_sets(entities):
    return {frozenset(entity) for entity in entities}


def joined(mentions, links):
    """The finest partition of some mentions that has all the links."""
    parts = {mention: {mention} for mention in mentions}
    for a, b in links:
        union = parts[a] | parts[b]
        parts.update(dict.fromkeys(union, union))
    return {frozenset(part) for part in parts.values()}


def from_list(sides, decisions, says_yes):
    """The partition that somebody's answers make of what all annotators have in common."""
    everybody = [{frozenset(pair) for e in side for pair in combinations(e, 2)} for side in sides]
    marked = {mention for side in sides for entity in side for mention in entity}
    lost = {d.mention for d in decisions if d.kind == "mention" and not says_yes(d)}
    links = [tuple(pair) for pair in set.intersection(*everybody)]
    links += [(d.antecedent, d.mention) for d in decisions if d.kind == "link" and says_yes(d)]
    return joined(marked - lost, links)


def random_sides(rng):
    mentions = [(n, n + 1) for n in range(rng.randint(2, 7))]
    sides = []
    for _ in range(rng.randint(2, 4)):
        entities = {}
        for mention in mentions:
            if rng.random() < 0.85:
                entities.setdefault(rng.randint(0, 3), []).append(mention)
        sides.append(list(entities.values()) or [[mentions[0]]])
    return sides


def test_a_link_of_the_consensus_between_mentions_that_nobody_has_side_by_side_is_listed():
    # Of a, x, y, c in reading order a and c are never neighbors: A has x between, B has y.
    a, x, y, c = [(n, n + 1) for n in range(4)]
    sides = [[a, x, c], [y]], [[a, y, c], [x]], [[a], [x], [y], [c]]
    merged = corefmeter.merge(sides)
    assert as_sets(merged.corpus.documents[0].entities) == as_sets([[a, c], [x], [y]])
    (link,) = [d for d in merged.decisions if (d.antecedent, d.mention) == (a, c)]
    assert (len(link.yes), link.consensus) == (2, True)
    assert from_list(sides, merged.decisions, lambda d: d.consensus) == as_sets([[a, c], [x], [y]])


def test_the_list_decides_the_consensus_and_each_annotator():
    rng = random.Random(7)
    for _ in range(1000):
        sides = random_sides(rng)
        merged = corefmeter.merge(dict(zip("ABCD", sides, strict=False)))
        decisions = merged.decisions
        entities = as_sets(merged.corpus.documents[0].entities)
        assert from_list(sides, decisions, lambda d: d.consensus) == entities
        for name, side in zip("ABCD", sides, strict=False):
            made = from_list(sides, decisions, lambda d, name=name: name in d.yes)
            assert made == as_sets(side)


# ---- edited lists -------------------------------------------------------------------------------

WORDS = ["Ann", "met", "Eve", ".", "She", "told", "her", "that", "it", "rained", "."]
SIDES = {
    "ann": [[(0, 1), (4, 5)], [(2, 3), (6, 7)]],
    "eve": [[(0, 1), (6, 7)], [(2, 3), (4, 5)]],
    "kim": [[(0, 1), (4, 5)], [(2, 3)], [(6, 7), (8, 9)]],
}


@pytest.fixture
def files(tmp_path):
    paths = []
    for name, clusters in SIDES.items():
        entities = [[[start, end - 1] for start, end in entity] for entity in clusters]
        record = {"doc_key": "x", "sentences": [WORDS[:4], WORDS[4:]], "clusters": entities}
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text(json.dumps(record) + "\n", "utf-8")
    return paths


def listed(files, tmp_path, form):
    path = tmp_path / f"list.{form}"
    assert run("merge", *files, "-f", form, "-o", path).returncode == 0
    return path


def edit_csv(path, answers, delimiter=","):
    """Write yes or no by (antecedent, mention), as a spreadsheet does."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row["consensus"] = answers.get((row["antecedent"], row["mention"]), row["consensus"])
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)


def edit_json(path, answers):
    document = json.loads(path.read_text("utf-8"))
    for row in document["documents"][0]["decisions"]:
        names = ("", *(str(row[side] or "").replace(" ", "") for side in ("antecedent", "mention")))
        key = tuple(name.replace("[", "(").replace("]", ")") for name in names[1:])
        if key in answers:
            row["consensus"] = answers[key] == "yes"
    path.write_text(json.dumps(document), "utf-8")


# She and Ann are one, her and Eve are one, "it" is no mention: what only the first annotator says.
ANN_IS_RIGHT = {
    ("(0,1)", "(4,5)"): "yes",
    ("(0,1)", "(6,7)"): "no",
    ("(2,3)", "(6,7)"): "yes",
    ("(2,3)", "(4,5)"): "no",
    ("(6,7)", "(8,9)"): "no",
    ("", "(8,9)"): "no",
}


def gold(files, path):
    return as_sets(corefmeter.merge(files, decisions=path).corpus.documents[0].entities)


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_list_as_it_was_written_gives_the_consensus(files, tmp_path, form):
    path = listed(files, tmp_path, form)
    assert gold(files, path) == as_sets(corefmeter.merge(files).corpus.documents[0].entities)


@pytest.mark.parametrize("form", ["csv", "semicolons", "json"])
def test_an_edited_list_gives_what_was_decided(files, tmp_path, form):
    path = listed(files, tmp_path, "json" if form == "json" else "csv")
    if form == "json":
        edit_json(path, ANN_IS_RIGHT)
    else:
        edit_csv(path, ANN_IS_RIGHT, ";" if form == "semicolons" else ",")
    assert gold(files, path) == as_sets(SIDES["ann"])
    merged = corefmeter.merge(files, decisions=path)
    # Of the four mentions ann has the same links; eve has 2 others and lacks 2; kim lacks one.
    assert merged.documents[0].cost == 0 + 4 + 1
    assert all(("ann" in d.yes) == d.consensus for d in merged.decisions)


@pytest.mark.parametrize("form", ["csv", "json"])
@pytest.mark.parametrize("name", SIDES)
def test_a_decision_can_follow_an_annotator(files, tmp_path, form, name):
    path = listed(files, tmp_path, form)
    decisions = corefmeter.merge(files).decisions
    if form == "json":
        path.write_text(re.sub(r'("consensus": )(true|false)', rf'\1"{name}"', path.read_text()))
    else:
        labels = [[d.antecedent and str(d.antecedent), str(d.mention)] for d in decisions]
        follow = {((a or "").replace(" ", ""), m.replace(" ", "")): name for a, m in labels}
        edit_csv(path, follow)
    assert gold(files, path) == as_sets(SIDES[name])
    done = run("merge", *files, "-f", form, "-o", path)
    assert done.returncode != 0, "an edited list is not replaced"


def test_some_decisions_can_follow_an_annotator_and_others_not(files, tmp_path):
    """As kim says, her and it are one; but Ann and She are not, and Eve and her neither."""
    path = listed(files, tmp_path, "csv")
    follow = {
        ("", "(8,9)"): "kim",
        ("(6,7)", "(8,9)"): " kim ",
        ("(0,1)", "(4,5)"): "no",
        ("(2,3)", "(6,7)"): "kim",
    }
    edit_csv(path, {**ANN_IS_RIGHT, **follow})
    expected = [[(0, 1)], [(2, 3)], [(4, 5)], [(6, 7), (8, 9)]]
    assert gold(files, path) == as_sets(expected)


def test_a_name_of_nobody_is_refused(files, tmp_path):
    path = listed(files, tmp_path, "csv")
    edit_csv(path, {("", "(8,9)"): "tim"})
    done = run("merge", *files, "--decisions", path)
    assert done.returncode == 3
    assert "the consensus is 'tim', neither yes nor no nor an annotator's name" in done.stderr


def test_it_is_said_how_many_decisions_differ_from_the_consensus(files, tmp_path):
    path = listed(files, tmp_path, "csv")
    edit_csv(path, {("(0,1)", "(4,5)"): "no"})
    merged = corefmeter.merge(files, decisions=path)
    (problem,) = [one for one in merged.problems if one.code == "decisions-applied"]
    assert problem.message.startswith("1 of ")


@pytest.mark.parametrize("form", ["csv", "json"])
def test_an_edited_list_is_not_replaced(files, tmp_path, form):
    path, gold_path = listed(files, tmp_path, form), tmp_path / "gold.conll"
    edit = edit_json if form == "json" else edit_csv
    edit(path, ANN_IS_RIGHT)
    edited = path.read_bytes()
    for shown in (form, "text"):
        done = run("merge", *files, "-f", shown, "-o", path, "--write", gold_path)
        assert (done.returncode, path.read_bytes()) == (3, edited)
        assert "file-exists" in done.stderr
    assert not gold_path.exists()
    assert run("merge", *files, "-f", form, "-o", path, "--force").returncode == 0
    assert path.read_bytes() != edited


def test_a_list_that_nobody_edited_and_other_files_are_replaced(files, tmp_path):
    """The second run notes again that e2e cannot express something."""
    path = listed(files, tmp_path, "json")
    arguments = ("-f", "json", "-o", path, "--write", tmp_path / "gold.conllu", "--to", "conllu")
    for _ in range(2):
        assert run("merge", *files, *arguments).returncode == 0
    path.write_text("something else", "utf-8")
    assert run("merge", *files, "-f", "csv", "-o", path).returncode == 0


def test_a_sentence_does_not_end_at_an_empty_node(tmp_path):
    """The first annotator marks the empty node and Bob, the second Bob only."""
    comments = "# newdoc id = x\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"
    for name, empty in (("a", "Entity=(e1--1)"), ("b", "_")):
        rows = [("1", "Ann", "_"), ("2", "saw", "_"), ("2.1", "_", empty)]
        rows.append(("3", "Bob", "Entity=(e2--1)"))
        lines = ["\t".join([number, word, *"_" * 7, misc]) for number, word, misc in rows]
        text = comments + "\n".join(["# text = Ann saw Bob", *lines, "", ""])
        (tmp_path / f"{name}.conllu").write_text(text, "utf-8")
    done = run("merge", tmp_path / "a.conllu", tmp_path / "b.conllu", "-f", "csv")
    assert done.returncode == 0, done.stderr
    (row,) = csv.DictReader(done.stdout.splitlines())
    assert row["sentence"].startswith("Ann saw [")
    assert row["sentence"].endswith("] Bob")


def test_the_list_shows_each_mention_in_its_sentence(files, tmp_path):
    with listed(files, tmp_path, "csv").open(encoding="utf-8", newline="") as stream:
        sentences = {row["mention"]: row["sentence"] for row in csv.DictReader(stream)}
    assert sentences["(4,5)"] == "[She] told her that it rained ."
    assert sentences["(8,9)"] == "She told her that [it] rained ."


def test_the_command_writes_what_was_decided(files, tmp_path):
    path = listed(files, tmp_path, "csv")
    edit_csv(path, ANN_IS_RIGHT)
    written = tmp_path / "gold.jsonl"
    done = run("merge", *files, "--decisions", path, "--write", written, "--to", "e2e")
    assert done.returncode == 0, done.stderr
    assert as_sets(corefmeter.read(written).documents[0].entities) == as_sets(SIDES["ann"])


def test_a_name_that_a_spreadsheet_would_evaluate_is_found(tmp_path):
    sides = {"A": {"=x": [["-a", "b"]]}, "B": {"=x": [["-a"], ["b"]]}}
    written = corefmeter.merge(sides)
    path = tmp_path / "list.csv"
    path.write_text(
        "document,kind,mention,antecedent,consensus\n'=x,link,b,'-a,TRUE\n", encoding="utf-8"
    )
    assert [d.consensus for d in written.decisions] == [False]
    merged = corefmeter.merge(sides, decisions=path)
    assert as_sets(merged.corpus.documents[0].entities) == {frozenset(["-a", "b"])}


HEADER = "document,kind,mention,antecedent,consensus\n"


@pytest.mark.parametrize(
    ("rows", "code", "line"),
    [
        # c is linked to a and to b, which are not to be linked.
        ("x,link,c,a,yes\nx,link,c,b,yes\nx,link,b,a,no\n", "contradiction", 4),
        # "d" is linked, but no mention.
        ("x,mention,d,,no\nx,link,d,c,yes\n", "contradiction", 3),
        ("x,link,b,a,maybe\n", "bad-decision", 2),
        ("x,link,b,a,\n", "bad-decision", 2),
        ("x,link,b,a,yes\nx,link,b,a,no\n", "bad-decision", 3),
        ("x,link,z,a,yes\n", "bad-decision", 2),
        ("y,link,b,a,yes\n", "bad-decision", 2),
    ],
)
def test_what_cannot_be_applied_is_refused_with_its_line(tmp_path, rows, code, line):
    sides = [["a", "b"], ["c", "d"]], [["a", "c"], ["b"]], [["a"], ["b", "c"]]
    sides = [{"x": side} for side in sides]
    path = tmp_path / "list.csv"
    path.write_text(HEADER + rows, "utf-8")
    with pytest.raises(DataError) as caught:
        corefmeter.merge(sides, decisions=path)
    problem = caught.value.problems[0]
    assert (problem.code, problem.path, problem.line) == (code, str(path), line)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"document,kind,mention,consensus\nx,link,b,yes\n", "bad-decision"),
        (b'{"documents": 3}', "bad-decision"),
        (b'{"documents": [', "bad-decision"),
        (b"", "bad-decision"),
        ("document,kind,mention,antecedent,consensus\nx\xe9,link,b,a,yes\n".encode("latin-1"),
         "not-text"),
        (HEADER.encode() + b'x,link,"b,a,yes\n', "bad-decision"),
        (b'"a"b,consensus\n', "bad-decision"),
        (b'{"documents": [{"decisions": [{"document": [], "kind": [], "mention": "b", '
         b'"antecedent": "a", "consensus": true}]}]}', "bad-decision"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_such_list_is_refused(tmp_path, data, code):
    path = tmp_path / "list"
    path.write_bytes(data)
    with pytest.raises(DataError) as caught:
        corefmeter.merge([[["a", "b"]], [["a"], ["b"]]], decisions=path)
    assert [problem.code for problem in caught.value.problems] == [code]


def test_names_with_and_without_a_space_are_two(tmp_path):
    sides = {"A": {"x": [["John Smith", "she"]]}, "B": {"x": [["JohnSmith", "she"]]}}
    questions = [decision.question for decision in corefmeter.merge(sides).decisions]
    assert len(questions) == len(set(questions))
