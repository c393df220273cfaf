"""Nothing is dropped silently: what was given is counted, or a problem says how much is not.

And nothing stops at 0/0.

The mentions given are counted here, by hand or from the lists; those counted are the denominators
of the metric ``mentions``; the rest must be what the problems say.
"""

from __future__ import annotations

import io
import json
import re
from itertools import product

import pytest

import corefmeter
from corefmeter import Corpus, Document, Recipe
from corefmeter.corpus.relations import Bridge, Layer, NonReferring, Relations, Split
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats import conll
from corefmeter.scoring import match_corpora

from ..command import run

WORDS = 12


def span(start: int) -> tuple[int, int]:
    return (start, start + 1)


def document(name: str, *entities: list[int]) -> Document:
    """A document of `WORDS` words; a mention is a word."""
    words = [f"w{i}" for i in range(WORDS)]
    return Document(
        name, [[span(i) for i in entity] for entity in entities], tokens=WORDS, text=Text(words)
    )


#: Word 0 stands in two entities of the key and of the response, word 3 twice in one of the key.
#: Singletons: 5 and 6 of the key, 5 of the response; without its copy also [0].
#: The key lacks "only response" with 3 mentions, the response lacks "only key".
KEY = Corpus([
    document("a", [0, 1], [2, 3, 3], [0], [5], [6]),
    document("only key", [0, 1]),
])  # fmt: skip
RESPONSE = Corpus([
    document("a", [0, 1, 2], [0], [3, 4], [5]),
    document("only response", [0, 1], [2]),
])  # fmt: skip
GIVEN = (8 + 2, 7 + 3)


def lost_by_report(problems) -> list[int]:
    """How many mentions of the key and of the response the problems say are not counted."""
    lost = [0, 0]
    for problem in problems:
        if problem.code == "repeated-mention":
            lost[" of the response " in problem.message] += problem.count
        elif problem.code == "singletons-dropped":
            key, response = map(int, re.findall(r"(\d+) of the", problem.message))
            lost[0] += key
            lost[1] += response
        elif problem.code == "extra-document" and "ignored" in problem.hint:
            assert problem.document == "only response"
            lost[1] += 3
        elif problem.code == "optional-left-out":
            lost[0] += int(problem.message.split()[0])
    return lost


def lost_by_count(result) -> list[int]:
    """How many mentions that were given the result does not count."""
    scores = result["mentions"]
    return [
        GIVEN[0] - scores.recall_denominator,
        GIVEN[1] - scores.precision_denominator,
    ]


POLICIES = {
    "singletons": ["keep", "drop", "drop-key", "drop-response"],
    "repeated": ["first", "merge", "distinct", "official"],
    "documents": ["official", "strict"],
    "as_one_document": [False, True],
    "match": ["exact", "overlap"],
    "zeros": ["position", "dependency"],
    "align": ["tokens", "characters"],
}
COMBINED = [
    options
    for options in (
        dict(zip(POLICIES, values, strict=True)) for values in product(*POLICIES.values())
    )
    # What v8.01 does has no other matching, and no joined documents.
    if options["repeated"] != "official"
    or (options["as_one_document"], options["match"], options["zeros"])
    == (False, "exact", "position")
]


@pytest.mark.parametrize(
    "options", COMBINED, ids=lambda options: "-".join(map(str, options.values()))
)
def test_what_is_not_counted_is_reported(options):
    # Zeros by position are refused where they change nothing.
    given = {
        name: value for name, value in options.items() if (name, value) != ("zeros", "position")
    }
    result = corefmeter.score(KEY, RESPONSE, metrics=["mentions"], **given)
    lost, reported = lost_by_count(result), lost_by_report(result.problems)
    if options["repeated"] in ("first", "merge"):
        assert lost == reported
    else:  # copies are reported, also those that count
        assert all(a <= b for a, b in zip(lost, reported, strict=True))
    codes = {problem.code for problem in result.problems}
    assert {"missing-document", "extra-document", "repeated-mention"} <= codes
    assert ("singletons-dropped" in codes) == (options["singletons"] != "keep")


def test_singletons_are_counted_by_hand():
    result = corefmeter.score(KEY, RESPONSE, singletons="drop")
    # After the first copies: [5] and [6] of the key; [5] of the response. The entity [0] has lost
    # its only mention to the copy in the entity before it.
    (note,) = [p for p in result.problems if p.code == "singletons-dropped"]
    assert (note.severity, note.message) == (
        "note", "singletons 'drop': 2 of the key and 1 of the response are left out"
    )  # fmt: skip
    assert lost_by_report(result.problems) == [2 + 2, 1 + 1 + 3]


OPTIONS = [
    (), ("--singletons", "drop"), ("--singletons", "drop-key"), ("--repeated", "merge"),
    ("--repeated", "distinct"), ("--repeated", "official"), ("--documents", "strict"),
    ("--match", "overlap"), ("--align", "characters"),
]  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Key, response, and the response again, as CoNLL files."""
    folder = tmp_path_factory.mktemp("silent")
    found = []
    for name, corpus in (("key", KEY), ("response", RESPONSE), ("again", RESPONSE)):
        stream = io.StringIO()
        conll.write(corpus, stream)
        (folder / f"{name}.conll").write_text(stream.getvalue(), encoding="utf-8")
        found.append(str(folder / f"{name}.conll"))
    return found


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("command", ["score", "errors", "compare", "match"])
def test_every_command_reports_the_same(files, options, command):
    named = {options[i][2:]: options[i + 1] for i in range(0, len(options), 2)}
    expected = corefmeter.score(KEY, RESPONSE, metrics=["muc"], **named).problems
    assert lost_by_report(expected) != [0, 0]
    wanted = sorted((p.code, p.count, p.document) for p in expected)
    metrics = () if command == "match" else ("-m", "muc")
    sides = files if command == "compare" else files[:2]
    done = run(command, *sides, *metrics, *options, "-f", "json")
    assert done.returncode == 0, done.stderr
    for code, _, name in wanted:
        assert f"[{code}]" in done.stderr
        assert name is None or f"document {name!r}" in done.stderr
    if command == "match":
        return
    found = json.loads(done.stdout)
    problems = found["results"][0]["problems"] if command == "score" else found["problems"]
    told = [(p["code"], p["count"], p["document"]) for p in problems]
    if command == "compare":  # what two responses have in common is said once
        assert set(told) == {*wanted, ("few-documents", 1, None)}
    else:
        assert sorted(told) == wanted


def test_python_reports_the_same_by_every_call():
    options = {"metrics": ["muc"], "singletons": "drop"}
    expected = corefmeter.score(KEY, RESPONSE, **options).problems
    assert corefmeter.analyse(KEY, RESPONSE, **options).problems == expected
    compared = corefmeter.compare(KEY, {"a": RESPONSE, "b": RESPONSE}, **options).problems
    assert set(expected) <= set(compared)
    # What the command calls has the hints of the command line.
    matched = match_corpora(KEY, RESPONSE, Recipe(singletons="drop"))[1]
    assert [p._replace(hint=None) for p in matched] == [p._replace(hint=None) for p in expected]
    scorer = corefmeter.Scorer(**options)
    for key, response in zip(KEY, RESPONSE, strict=True):
        scorer.update(key, response)
    # The documents that have no partner elsewhere are partners here: [2] is dropped as well.
    (note,) = [p for p in scorer.compute().problems if p.code == "singletons-dropped"]
    assert note.message == "singletons 'drop': 2 of the key and 2 of the response are left out"


def test_optional_mentions_that_leave_the_key_are_counted():
    words = Text(["w0", "w1", "w2", "w3"])
    known = Detail(minimum=None)
    optional = Detail(minimum=None, attributes={"optional": True})
    key = Corpus([
        Document("a", [[span(0), span(1), span(2)]], tokens=4, text=words,
                 details=[[known, optional, optional]])
    ])  # fmt: skip
    response = Corpus(
        [Document("a", [[span(0), span(1)]], tokens=4, text=words, details=[[known, known]])]
    )
    result = corefmeter.score(key, response, metrics=["mentions"], match="min")
    assert result["mentions"].recall_denominator == 2
    (note,) = [p for p in result.problems if p.code == "optional-left-out"]
    assert note.message.startswith("1 optional mention")
    assert note in match_corpora(key, response, Recipe(match="min"))[1]


def test_mentions_without_a_partner_that_a_metric_leaves_out_are_counted():
    key, response = [["a", "b", "c"]], [["a", "b"], ["d", "e"]]
    (problem,) = corefmeter.score(key, response, metrics=["ri"]).problems
    assert problem.code == "twinless-left-out"
    assert "1 of the key and 2 of the response are left out" in problem.message


def test_mentions_that_become_one_in_other_tokens_are_counted():
    key = Corpus([Document("d", [[(0, 1), (1, 2)]], tokens=2, text=Text(["a", "b"]))])
    entities = [[(0, 1), (2, 3)], [(0, 2)]]  # "a" and "a "
    response = Corpus([Document("d", entities, tokens=3, text=Text(["a", " ", "b"]))])
    result = corefmeter.score(key, response, metrics=["mentions"], align="characters")
    assert result["mentions"].precision_denominator == 2
    assert [(p.code, p.count) for p in result.problems] == [("repeated-mention", 1)]
    with pytest.raises(corefmeter.DataError, match="white space only"):
        corefmeter.score(key, response, align="characters", repeated="error")


#: One of each kind, and two bridging references.
RELATIONS = Relations(
    (Split("2", ("1",)),), (Bridge((0, 1), None, "2"),) * 2, (NonReferring((3, 4)),),
    Layer([[(0, 4)]], ["1"]),
)  # fmt: skip


@pytest.mark.parametrize(
    "known", [{"relations": RELATIONS}, {"unread": RELATIONS.counts()}], ids=["read", "seen"]
)
def test_relations_of_the_key_that_are_not_scored_are_counted(known):
    """In all documents, whether they were read or only passed; those of the response do not say."""
    key, response = (
        Corpus([Document(name, [[(0, 1)], [(1, 2)]], tokens=4, **given) for name in "ab"])
        for given in (known, {})
    )
    (note,) = corefmeter.score(key, response).problems
    assert (note.code, note.severity) == ("relations-not-scored", "note")
    assert note.message == (
        "the key has 2 split antecedents, 4 bridging references, 2 non-referring expressions, "
        "2 mentions of discourse deixis: not scored"
    )
    assert corefmeter.score(response, key).problems == []


def test_relations_that_a_metric_scores_are_not_told(monkeypatch):
    """And they are read, which takes details."""
    assert not Recipe(metrics="muc").needs_details
    monkeypatch.setattr("corefmeter.metrics.muc.Muc.relations", ("split", "deixis"))
    assert Recipe(metrics="muc").needs_details
    key = Corpus([Document("a", [[(0, 1)]], tokens=4, relations=RELATIONS)])
    (note,) = corefmeter.score(key, key, metrics="muc").problems
    assert note.message == (
        "the key has 2 bridging references, 1 non-referring expression: not scored"
    )


def test_the_default_run_on_clean_data_says_nothing():
    key = [["a", "b"], ["c"]]
    assert corefmeter.score(key, [["a"], ["b", "c"]]).problems == []


SIDES = ([], [["a"]], [["a", "b"]], [["a", "b"], ["c"]])


@pytest.mark.parametrize("undefined", ["zero", "one", "skip"])
@pytest.mark.parametrize("average", ["pooled", "macro"])
@pytest.mark.parametrize(("key", "response"), list(product(SIDES, repeat=2)))
def test_nothing_stops_at_zero_by_zero(key, response, average, undefined):
    options = {"undefined": undefined, "average": average}
    result = corefmeter.score(key, response, metrics="all", **options)
    json.dumps(result.to_dict(by=["document"]), allow_nan=False)
    json.dumps(corefmeter.analyse(key, response, **options).summary, allow_nan=False)
    names = range(6)
    sides = {"a": dict.fromkeys(names, response), "b": dict.fromkeys(names, key)}
    compared = corefmeter.compare(dict.fromkeys(names, key), sides, trials=20, **options)
    json.dumps(compared.to_dict(), allow_nan=False)
