"""A saved result with its documents is the result again, and can be compared without the texts."""

from __future__ import annotations

import json

import pytest

from corefmeter import DataError, OptionError, Recipe, Result, read_results, score
from corefmeter.result import results_from_dict
from corefmeter.statistics.comparison import compare_results
from corefmeter.units import Unit

from .corpora import invented

KEY, SYSTEMS = invented("saved", 12, {"A": 0.3, "B": 0.5})


def saved(result: Result, *by: str) -> dict:
    return json.loads(json.dumps(result.to_dict(by=by)))


@pytest.mark.parametrize("by", [("document",), ("part",), ("document", "part"), ("genre", "part")])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"metrics": "all"},
        {"metrics": "conll"},
        {"average": "macro", "metrics": "all"},
        {"undefined": "skip"},
        {"blanc": "luo2014", "metrics": "blanc", "singletons": "drop"},
    ],
)
def test_a_result_comes_back_with_the_same_bits(options, by):
    result = score(KEY, SYSTEMS["A"], **options)
    again = Result.from_dict(saved(result, *by))
    assert again.recipe == result.recipe
    assert again.units == result.units
    assert again.statistics == result.statistics
    assert repr(again.statistics) == repr(result.statistics)
    assert repr(again.scores()) == repr(result.scores())
    assert again.to_dict(by=by) == result.to_dict(by=by)


def test_parts_come_back_with_the_names_of_their_documents():
    units = [Unit("bc/x", "(bc/x); part 000"), Unit("bc/x", "(bc/x); part 001"), Unit("y", "y")]
    rows = [(1, 2, 1, 3), (0, 1, 0, 0), (1, 1, 1, 1)]
    result = Result(Recipe(metrics="muc"), units, {"muc": rows})
    assert Result.from_dict(saved(result, "part")).units == units
    pooled = Result.from_dict(saved(result, "document"))
    assert pooled.units == [Unit("bc/x", "bc/x"), Unit("y", "y")]
    assert pooled.statistics["muc"] == [(1, 3, 1, 3), (1, 1, 1, 1)]


def test_names_that_look_like_labels_of_parts_stay_names():
    for label in ("(d); part x", "d); part 001", "(d)"):
        result = Result(Recipe(metrics="muc"), [Unit(label, label)], {"muc": [(1, 2, 1, 2)]})
        assert Result.from_dict(saved(result, "part")).units == [Unit(label, label)]


def test_problems_and_digests_come_back():
    result = score({"d": [["a", "b"]], "e": [["c"]]}, {"d": [["a", "b", "a"]]})
    again = Result.from_dict(saved(result, "document"))
    assert again.problems == result.problems
    assert {problem.code for problem in again.problems} == {"repeated-mention", "missing-document"}


def test_the_version_comes_back_and_stands_in_the_signature():
    document = saved(score(KEY, SYSTEMS["A"]), "document")
    document["version"] = "9.9.9"
    assert Result.from_dict(document).signature.startswith("corefmeter:9.9.9|")


def test_comparing_saved_results_is_comparing_results():
    results = {name: score(KEY, response) for name, response in SYSTEMS.items()}
    again = {name: Result.from_dict(saved(r, "document")) for name, r in results.items()}
    assert (
        compare_results(again, trials=100).to_dict()
        == compare_results(results, trials=100).to_dict()
    )


def test_several_results_of_one_file(tmp_path):
    path = tmp_path / "both.json"
    document = saved(score(KEY, SYSTEMS["A"]), "document")
    document["results"] += saved(score(KEY, SYSTEMS["B"]), "document")["results"]
    path.write_text(json.dumps(document))
    assert [r.lea for r in read_results(path)] == [score(KEY, SYSTEMS[s]).lea for s in "AB"]
    with pytest.raises(OptionError, match="2 results where one is expected"):
        Result.from_dict(document)


def refused(code: str, document) -> str:
    with pytest.raises(DataError) as caught:
        results_from_dict(document, "file.json")
    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == (code, "file.json")
    assert "--by document -f json" in problem.hint
    return problem.message


def test_totals_alone_are_refused():
    assert "only totals" in refused("no-statistics", saved(score(KEY, SYSTEMS["A"])))
    assert "only totals" in refused("no-statistics", saved(score(KEY, SYSTEMS["A"]), "genre"))


def broken(**changes) -> dict:
    document = saved(score({"d": [["a", "b"]]}, {"d": [["a", "b"]]}, metrics="muc"), "document")
    return {**document, **changes}


def changed(**changes) -> dict:
    document = broken()
    document["results"][0].update(changes)
    return document


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        {"results": {}},
        broken(schema=2),
        broken(signature="metrics:nonsense"),
        broken(signature="nothing"),
        broken(signature=None),
        broken(results=[{"by": {"document": {"d": {}}}}]),
        broken(results=[None]),
        broken(version=7),
        broken(signature="metrics:ceaf|ceaf_similarity:no colon"),
        broken(signature="metrics:muc|metrics:b3"),
        changed(response=["a.conll"]),
        changed(name={}),
        changed(digests=[]),
        changed(digests={"a.conll": 1}),
        changed(problems=["bad"]),
        changed(problems=[{"code": "bad-cell", "message": "y", "count": "2"}]),
        changed(problems=[{"code": "bad-cell", "message": ["y"]}]),
        changed(problems=[{"code": "bad-cell", "message": "y", "line": 1.5}]),
        changed(by="part"),
        changed(by={"document": [1]}),
        broken(results=[{"by": {"document": {"d": {"muc": {"recall_numerator": "1"}}}}}]),
    ],
)
def test_what_is_no_result_is_refused(document):
    refused("not-a-result", document)


@pytest.mark.parametrize("value", ["1", None, True, float("inf"), float("nan"), [1],
                                   10**400, -(10**400), 1e308])  # fmt: skip
def test_statistics_that_are_no_numbers_are_refused(value):
    document = broken()
    document["results"][0]["by"]["document"]["d"]["muc"]["recall_numerator"] = value
    assert "not numbers" in refused("not-a-result", document)


def test_a_file_that_is_no_json_is_refused(tmp_path):
    path = tmp_path / "scores.json"
    path.write_text("MUC 50.00")
    with pytest.raises(DataError, match=r"scores\.json: error: not JSON"):
        read_results(path)
    with pytest.raises(DataError, match="unreadable"):
        read_results(tmp_path / "missing.json")
    for text in (b"\xff\xfe\x00", b"[" * 100_000, b"9" * 5000):
        (tmp_path / "binary.json").write_bytes(text)
        with pytest.raises(DataError, match="not-a-result"):
            read_results(tmp_path / "binary.json")
