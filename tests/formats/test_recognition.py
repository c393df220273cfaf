"""By what a file is recognised: by its whole first block, and not by one sign in it."""

from __future__ import annotations

import gc
import json
import time
from io import BytesIO
from pathlib import Path

import pytest

from corefmeter import DataError, read, score
from corefmeter.formats import in_order, recognised
from corefmeter.formats.source import HEAD, Source

TEI = """\
<TEI xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader><fileDesc><titleStmt><title>Letters</title></titleStmt>
<sourceDesc><p>See <ref target="x">the list</ref>.</p></sourceDesc></fileDesc></teiHeader>
<text><body><p>Ann saw her dog.</p></body></text>
</TEI>
"""
NAF = """\
<NAF xml:lang="en" version="v3">
<raw>Ann saw her dog.</raw>
<text><wf id="w1" sent="1">Ann</wf><wf id="w2" sent="1">saw</wf><wf id="w3" sent="1">her</wf></text>
<coreferences>
<coref id="co1">
<!--Ann-->
<span><target id="t1"/></span>
<span><target id="t3"/></span>
</coref>
</coreferences>
</NAF>
"""
BRACKETS_IN_TABLE = """\
Der\t[/Det|Art.Def]\t1
Hund\t[/N|Mask]\t2
bellt\t[/V|Fin]\t3
"""
LOG = """\
2026-01-03 12:00:01 [worker:1] started
2026-01-03 12:00:02 [worker:1] stopped
2026-01-03 12:00:03 [error:2] no such file
"""
CODE = """\
def words(text, start, end):
    first = text[start:end]
    return first.split()[0], text[end:start], names[0], names[1]
"""
MARKDOWN = """\
# Contents

- [Installing](#installing)
- [Using it](#using-it)
- [Links](#links) and [a page](https://example.org)
"""
HTML = """\
<html><body><h1>Dogs</h1><p>Ann saw <span id="a">her</span> <b>dog</b>.</p>
<h2>Cats</h2><p>None</p></body></html>
"""

#: Files that are of no format, by kind; each has a sign of one somewhere.
FOREIGN = {
    "TEI": TEI,
    "TEI with a declaration": '<?xml version="1.0"?>\n' + TEI,
    "TEI with several references": TEI.replace(
        "Ann saw", "<ref>Ann</ref> saw <name>Bob</name> and <ref>Eve</ref> and <date>now</date>"
    ),
    "NAF": NAF,
    "NAF with a declaration": '<?xml version="1.0" encoding="UTF-8"?>\n' + NAF,
    "NAF with two entities": NAF.replace(
        "</coreferences>",
        '<coref id="co2" type="event"><span><target id="t2"/></span></coref>\n</coreferences>',
    ),
    "table with tags in brackets": BRACKETS_IN_TABLE,
    "table with one tag in brackets": "Der\tDET\t1\nHund\t[/N|Mask]\t2\nbellt\tV\t3\n",
    "table with numbered tags": "Der\t[a]_1\t_\nHund\t[b]_1\t_\nbellt\t_\t_\n",
    "HTML": HTML,
    "HTML without its frame": "<p>The <span id='x'>dog</span> ran.</p><p>It <i>slept</i>.</p>\n",
    "HTML of headings": "<h1>Dogs</h1>\nAnn\n<h2>Cats</h2>\nEve\n",
    "XML with one tag": "<doc>Ann saw <e1>her</e1> dog</doc>\n",
    "XML with one mention": "<s><w>Ann</w> <w>saw</w> <mention id='1'><w>her</w></mention></s>\n",
    "log": LOG,
    "log with times in brackets": "[12:00:01] started\n[12:00:02] stopped\n",
    "log with dates in brackets": "[2026-01-03 12:00] [main|1] a\n[2026-01-03 12:01] [main|1] b\n",
    "source code": CODE,
    "source code with templates": "List<A1> a = f(b[i:j]); return x[1: n], y[k: m], z[0];\n",
    "Markdown with links": MARKDOWN,
    "Markdown with one numbered link": "# Notes\n\nSee [the list](#1), [a](b.md), [c](d.md).\n",
    "configuration": "[program:web]\ncommand = run\n[program:mail]\ncommand = send\n",
    "YAML": "a: [x:1, y]\nb: [z]\nc: [p, q]\n",
    "wiki": "The [[dog|animal]] saw [[Ann Lee|Ann]] and [[Bonn]].\n",
    "LaTeX": "\\section[Dogs]{On dogs} see \\cite[p.~3]{smith} and \\cite{lee}\n",
    "page on CoNLL": (
        "# Files\n\nA file looks like this, with one token in each line, and the coreference in\n"
        "the last column of each of the lines:\n\n```text\n"
        "#begin document (x); part 000\nx 0 0 Ann (1)\n#end document\n```\n\n"
        "All columns but the last are passed over, and so are empty lines and comments.\n"
    ),
    "numbers of JSON": "[[0, 1], [2, 3]]\n",
    "table of ten columns": "1\ta\tb\tc\td\te\tf\tg\th\ti\n2\ta\tb\tc\td\te\tf\tg\th\ti\n",
}  # fmt: skip


@pytest.mark.parametrize("kind", FOREIGN)
def test_one_sign_is_not_enough(file, kind):
    path = file(FOREIGN[kind], "x.txt")
    assert recognised(path) is None
    with pytest.raises(DataError) as caught:
        read(path)
    assert [problem.code for problem in caught.value.problems] == ["unknown-format"]
    assert caught.value.problems[0].hint


TEXT = "Ann left. She ran."
PARAGRAPH = {
    "raw": TEXT,
    "sentences": [{"tokens": [{"orth": "Ann", "tag": "NNP", "ner": "U-PER"}]}],
}

#: Objects of other programs, by kind.
FOREIGN_JSON = {
    "settings": {"name": "app", "version": "1.0.0", "dependencies": {"a": "^1.0"}},
    "GeoJSON": {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "id": "f1", "properties": {"name": "Bonn"},
             "geometry": {"type": "LineString", "coordinates": [[7, 50], [8, 51]]}}
        ],
    },
    "GeoJSON with clusters": {"type": "FeatureCollection", "clusters": [[[7, 50], [8, 51]]]},
    "users": [{"id": 1, "name": "Ann", "email": "a@b.c"}, {"id": 2, "name": "Bob"}],
    "notebook": {
        "cells": [{"cell_type": "code", "source": ["x = [[0, 1]]"], "outputs": []}],
        "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4,
    },
    "tokenizer": {
        "version": "1.0", "added_tokens": [{"id": 0, "content": "[CLS]"}],
        "model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "b"]]},
    },
    "entities of spaCy": {"text": TEXT, "ents": [{"start": 0, "end": 3, "label": "PERSON"}],
                          "tokens": [{"id": 0, "start": 0, "end": 3}]},
    "entities of Doccano": {"id": 1, "text": TEXT, "label": [[0, 3, "PER"], [10, 13, "PER"]]},
    "COCO": {
        "images": [{"id": 1, "file_name": "a.jpg"}],
        "annotations": [{"id": 1, "image_id": 1, "bbox": [0, 0, 5, 5]}],
        "categories": [{"id": 1, "name": "dog"}],
    },
    "SQuAD": {"data": [{"paragraphs": [{"context": TEXT, "qas": [{"id": "1", "answers": []}]}]}]},
    "tags of tokens": {"tokens": ["Ann", "left"], "ner_tags": [1, 0]},
    "graph": {"directed": False, "nodes": [{"id": "a"}], "links": [{"source": "a", "target": "a"}]},
    "posts": [{"id": 1, "body": "Hi", "mentions": [], "links": []}],
    "a post with a mention": {"id": 1, "body": "Hi", "mentions": ["ann"], "links": []},
    "chat with marks": {"messages": [{"role": "user", "content": "<e1>Ann</e1> saw <e1>her</e1>"}]},
    "schema": {"type": "object", "properties": {"clusters": {"type": "array"}}},
    "labels of items": {"1": "a", "2": "a", "3": "b"},
}  # fmt: skip

#: Objects that have a field of a format in another sense: the code, and what is wrong with them.
NEAR = {
    "paragraphs of spaCy": ([{"id": 0, "paragraphs": [PARAGRAPH]}], "missing-field", "'clusters'"),
    "CoreNLP": ({"sentences": [{"index": 0}], "corefs": {}}, "missing-field", "'clusters'"),
    "names": ({"doc_key": "x", "sentences": [["Ann"]], "ner": []}, "missing-field", "'clusters'"),
    "hosts": ({"clusters": [{"name": "prod"}], "users": []}, "bad-field", "clusters[0]: an object"),
    "points": ({"clusters": [[[0.5, 1.5]]]}, "bad-field", "clusters[0][0]: [0.5, 1.5]"),
    "topics": ({"text": TEXT, "clusters": [1, 2]}, "bad-field", "clusters[0]: a number"),
    "no clusters": ({"region": "eu", "clusters": []}, "no-coreference", "not certain"),
}  # fmt: skip


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("kind", FOREIGN_JSON)
def test_objects_of_other_programs_are_refused_on_each_side(file, kind, indent):
    path = file(json.dumps(FOREIGN_JSON[kind], indent=indent), "x.json")
    for sides in ((path,), (file(KEY, "k"), path), (path, file(KEY, "k"))):
        (problem,) = refused(*sides)
        assert (problem.code, problem.path) == ("unknown-format", path)
        assert problem.hint.startswith("JSON is recognized by its keys")


@pytest.mark.parametrize("kind", NEAR)
def test_fields_of_a_format_in_another_sense_are_refused(file, kind):
    value, code, message = NEAR[kind]
    path = file(json.dumps(value), "x.json")
    problems = refused(file(KEY, "k"), path)
    assert {problem.path for problem in problems} == {path}
    assert any(problem.code == code and message in problem.message for problem in problems)


def test_links_without_a_type_are_read_if_their_format_is_named(file):
    path = file('{"mentions": ["a", "b", "c"], "links": [["a", "b"]]}', "x.json")
    (problem,) = refused(path)
    assert 'no "type" is "graph"' in problem.message
    assert read(path, "clusters").documents[0].entities == [["a", "b"], ["c"]]


def test_what_explains_little_is_named(file):
    """Of the page's three lines that are no comments, one is in a document: 1/3 is 33 %."""
    page = "A file is as follows.\n\nIt has rows.\n#begin document (x)\nx 0 0 Ann (1)\n"
    (problem,) = refused(file(page, "x.md"))
    assert "CoNLL-2012 explains 33% of the file" in problem.message
    assert "use format conll" in problem.hint


@pytest.mark.wings
@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("NAF", "its elements <coref> contain no words"),
        ("table with tags in brackets", "most lines have columns between TABs"),
        ("log", "most lines begin with a time"),
    ],
)
def test_what_contradicts_a_format_is_said_and_the_format_not_proposed(file, kind, reason):
    (problem,) = refused(file(FOREIGN[kind], "x.txt"))
    assert reason in problem.message
    assert "If that is right" not in problem.hint


def refused(path: str, *response: str):
    with pytest.raises(DataError) as caught:
        score(path, *response) if response else read(path)
    return caught.value.problems


#: Texts with marks, each with something else that models write.
MARKED = {
    "prose and a block of code": (
        "Here is the text:\n\n```\n[Ann]_1 saw [[her]_1 dog]_2 .\n```\n[1] is a person.\n"
    ),
    "an answer in a tag": "<answer>[Ann]_1 saw [her]_1 dog</answer>",
    "no blanks": "[他]_1说[[他]_1的狗]_2跑了",
    "marks side by side": "[Ann](#1)[her](#1)",
    "nested marks": "[[her | 1] dog | 2] ran to [Ann | 1]",
    "a year": "[1984 | 1] was [a book | 1]",
    "an answer that is cut off": "[Ann]_1 saw [her",
    "ids that are repeated": '<coref id="1">Ann</coref> saw <coref id="1">her</coref>',
    "the header of CoNLL": "#begin document (a); part 000\n[Ann]_1 ran .\n#end document\n",
}


@pytest.mark.parametrize("kind", MARKED)
def test_text_with_marks_is_recognised_among_other_signs(file, kind):
    assert recognised(file(MARKED[kind], "x.txt")).name == "inline"


@pytest.mark.wings
def test_two_formats_that_explain_as_much_are_both_named(file, monkeypatch):
    """Half of the lines are of brat and half of LitBank, so neither explains more than half."""
    brat = "T1\tPERSON 0 3\tAnn\n"
    litbank = "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP\n"
    (problem,) = refused(file(brat + litbank, "x.ann"))
    assert "brat standoff explains 50% of the file" in problem.message
    assert "LitBank tsv explains 50% of the file" in problem.message
    assert "format brat or format litbank-tsv" in problem.hint
    assert recognised(file(brat * 3 + litbank, "y.ann")).name == "brat"


@pytest.mark.parametrize(
    "piece", ["<COREF ID=1>", "[a](#1 1 1", "](#" + "1" * HEAD, "[", "#begin document\n"]
)
def test_a_first_block_of_one_sign_is_weighed_in_time(piece):
    """The square of the number of signs would take 1 to 13 s.

    Garbage is not collected: how long that takes depends on the objects of all tests before.
    """
    block = f"[a]_1 {piece * (HEAD // len(piece) + 1)}"[:HEAD].encode()
    gc.disable()
    try:
        began = time.process_time()
        with Source("x", raw=BytesIO(block)) as source:
            for format in in_order():
                format.claim(source.head, source.path)
        assert time.process_time() - began < 1
    finally:
        gc.enable()


# ---- answers in a block of code ---------------------------------------------------------------

ANSWER = {"doc_key": "x", "sentences": [["Ann", "saw", "her"]], "clusters": [[[0, 0], [2, 2]]]}


@pytest.mark.parametrize(
    "text",
    [
        "```json\n{}\n```\n", "```\n{}\n```", "\n~~~ json\n{}\n~~~\n\n", "````\r\n{}\r\n  ````\n",
    ],
)  # fmt: skip
@pytest.mark.parametrize("indent", [None, 1])
def test_json_in_a_block_of_code_is_read(file, text, indent):
    path = file(text.format(json.dumps(ANSWER, indent=indent).replace("{", "{{")[1:]), "x.txt")
    (document,) = read(path)
    assert document.entities == [[(0, 1), (2, 3)]]
    assert document.line == 1 + text.index("{") - len(text[: text.index("{")].replace("\n", ""))


def test_other_formats_in_a_block_of_code_are_read(file):
    conll = "#begin document (x); part 000\nx 0 0 Ann (1)\nx 0 1 her (1)\n#end document\n"
    corpus = read(file(f"```text\n{conll}```\n"))
    assert (corpus.documents[0].line, corpus.problems) == (2, [])


@pytest.mark.parametrize(
    "around", ["Here it is:\n```json\n{}\n```\n", "```\n{}\n```\n```\n{}\n```\n"]
)
def test_json_beside_other_text_is_refused_with_what_to_do(file, around):
    (problem,) = refused(file(around.replace("{}", json.dumps(ANSWER)), "x.txt"))
    assert problem.code == "unknown-format"
    assert "code block" in problem.hint


# ---- responses without a mention that can be used ---------------------------------------------

KEY = "#begin document (x); part 000\nx 0 0 Ann (1)\nx 0 1 her (1)\nx 0 2 ran -\n#end document\n"
ROWS = "".join(
    f"{n}\t{w}\t_\t_\t_\t_\t0\t_\t_\t_\n" for n, w in enumerate(["Ann", "her", "ran"], 1)
)


@pytest.mark.parametrize(
    ("response", "format"),
    [
        ("[Eve]_1 and [Bob]_2 slept", "inline"),
        ("<e1>Eve</e1> slept", "inline"),
        (ROWS, "conllu"),
    ],
)
def test_a_response_of_which_nothing_can_be_used_is_an_error_unless_its_format_is_named(
    file, response, format
):
    key, path = file(KEY), file(response, "x.txt")
    (problem,) = refused(key, path)
    assert problem.code == "no-coreference"
    assert f"conll,{format}" in problem.hint
    named = read(path, format, side="response")
    assert score(key, named, metrics="muc").muc.f1 == 0


@pytest.mark.parametrize(
    "response",
    [
        KEY.replace("(1)", "-"),
        json.dumps({"doc_key": "x_0", "sentences": [["Ann", "her", "ran"]], "clusters": []}),
        "# newdoc id = x\n# sent_id = 1\n" + ROWS,
    ],
)
def test_an_empty_answer_of_a_certain_format_scores_0_with_a_warning(file, response):
    result = score(file(KEY), file(response, "x.txt"), metrics="muc")
    assert result.muc.f1 == 0
    assert "no-coreference" in {problem.code for problem in result.problems}


def test_a_key_without_a_mention_needs_none_of_the_response(file):
    key = file(KEY.replace("(1)", "-"))
    assert score(key, file("[Eve]_1 slept", "x.txt"), metrics="muc").muc.precision == 0


# ---- what a reader reads, is recognised -------------------------------------------------------


def fixture(format: str, name: str) -> tuple[str, Path]:
    (folder,) = Path(__file__).parents[1].glob(f"**/fixtures/{format}")
    (path,) = (path for path in folder.iterdir() if path.name == name)
    return path.read_text("utf-8"), path


#: Files of formats with odd first lines or columns, which their readers read without complaint.
ODD = {
    "a remark above": ("webanno", "ordinary.tsv", lambda text: "# by hand\n" + text),
    "no first line": ("webanno", "ordinary.tsv", lambda text: text.partition("\n")[2]),
    "no header": ("conllua", "ordinary.conllua", lambda text: text.partition("\n")[2]),
    "a header in lower case": ("conllua", "ordinary.conllua", str.lower),
    "an empty line above": ("arrau", "ordinary.CONLL", lambda text: "\n" + text),
    "a header of columns": (
        "tac-kbp", "ordinary.tab", lambda text: "query_id\tbegin\tend\tentity\n" + text,
    ),
    "columns of many candidates": (
        "tac-kbp", "ordinary.tab", lambda text: text.replace("\tPER\n", "\tPER\tE9\t\tPER\n"),
    ),
    "a score that is empty": (
        "tac-kbp", "ordinary.tab", lambda text: text.replace("\t0.9\t", "\t\t"),
    ),
}  # fmt: skip


@pytest.mark.wings
@pytest.mark.parametrize("kind", ODD)
def test_what_one_reader_alone_reads_without_complaint_is_recognised(file, kind):
    format, name, change = ODD[kind]
    text, _ = fixture(format, name)
    path = file(change(text), name)
    named = read(path, format)
    assert (named.format, named.problems) == (format, [])
    assert recognised(path).name == format
    assert [d.entities for d in read(path)] == [d.entities for d in named]


@pytest.mark.wings
def test_rows_below_a_header_that_is_missing_are_recognised(tmp_path):
    text, path = fixture("booknlp", "ordinary.entities")
    (tmp_path / "x.entities").write_text(text.partition("\n")[2], "utf-8")
    (tmp_path / "x.tokens").write_bytes(path.with_suffix(".tokens").read_bytes())
    assert recognised(str(tmp_path / "x.entities")).name == "booknlp"


# ---- hints that are followed ------------------------------------------------------------------


def rows(*misc: str) -> str:
    return (
        "".join(f"{n}\tw{n}\t" + "_\t" * 7 + f"{cell}\n" for n, cell in enumerate(misc, 1)) + "\n"
    )


@pytest.mark.parametrize("header", ["", "# global.Entity = etype-id-head\n"])
def test_no_header_is_proposed_that_takes_types_for_entities(file, header):
    """Two people of one type: with the type as the entity they would be one entity of three."""
    body = rows("Entity=(person-1-1)", "Entity=(person-2-1)", "Entity=(person-1-1)")
    problem = refused(file(f"# newdoc id = x\n{header}{body}", "x.conllu"))[0]
    assert "eid-" not in problem.hint
    assert "eid" in problem.hint
    followed = f"# newdoc id = x\n# global.Entity = etype-eid-head\n{body}"
    (document,) = read(file(followed, "y.conllu"))
    assert sorted(map(len, document.entities)) == [1, 2]
