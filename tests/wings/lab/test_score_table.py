"""Tables of scores are read from results and from CSV, and what is wrong with them is named."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

import corefmeter
from corefmeter.problems import DataError, OptionError
from corefmeter.reports import render
from corefmeter.reports.scores import ScoreReport
from corefmeter.wings.lab.score_table import read_scores

KEY = {"story": [["a", "b", "c"], ["d", "e"]], "news": [["f", "g"]]}
RESPONSES = {
    "out/one.conll": {"story": [["a", "b"], ["d", "e"]], "news": [["f", "h"]]},
    "out/two.conll": {"story": [["a", "b", "c", "d"]], "news": [["f", "g"]]},
    "out/three.conll": {"story": [["a", "c"], ["b", "e"]], "news": [["f", "g"]]},
}


def results(**options):
    found = {}
    for path, response in RESPONSES.items():
        found[path] = corefmeter.score(KEY, response, **options)
        found[path].response = path
    return found


def error(function, *arguments, **options):
    """The single problem of a refusal."""
    with pytest.raises(DataError) as caught:
        function(*arguments, **options)
    [problem] = caught.value.problems
    return problem


@pytest.fixture
def written(tmp_path: Path):
    """Write texts or JSON values to files and return their paths."""

    def write(*contents, ending="csv"):
        paths = []
        for number, content in enumerate(contents, 1):
            path = tmp_path / f"file{number}.{ending}"
            path.write_text(content if isinstance(content, str) else json.dumps(content))
            paths.append(str(path))
        return paths

    return write


# Results.


def test_one_result_a_file(written):
    found = results(metrics=["muc", "lea", "conll"])
    table = read_scores(written(*(r.to_dict() for r in found.values()), ending="json"))
    assert tuple(table.scores) == ("one.conll", "two.conll", "three.conll")
    assert table.metrics[:3] == ("muc", "lea", "conll")
    assert table.scores["two.conll"]["lea"] == found["out/two.conll"].lea.f1
    assert table.scores["one.conll"]["conll"] == found["out/one.conll"].conll
    assert table.is_fraction
    assert table.score == "f1"
    assert table.signature == found["out/one.conll"].signature


def test_several_results_a_file_and_another_score(written):
    found = results(metrics=["muc", "lea"])
    document = next(iter(found.values())).to_dict()
    document["results"] = [result.entry() for result in found.values()]
    table = read_scores(written(document, ending="json"), "recall")
    assert table.scores["three.conll"] == {
        "muc": found["out/three.conll"].muc.recall,
        "lea": found["out/three.conll"].lea.recall,
    }


def test_an_average_has_no_recall_and_is_left_out_with_a_note(written):
    paths = written(*(r.to_dict() for r in results(metrics=["lea", "conll"]).values()))
    table = read_scores(paths, "recall")
    assert "conll" not in table.metrics
    assert table.notes == ("left out, without recall: CoNLL",)
    with pytest.raises(OptionError, match="'conll' has no recall"):
        read_scores(paths, "recall", ["conll", "lea"])


def test_the_csv_of_score_is_read_without_its_groups(written):
    found = results(metrics=["muc", "lea", "conll"])
    stream = io.StringIO()
    report = ScoreReport(list(found.values()), "key", [("document", "document")])
    render(report, "csv", stream)
    paths = written(stream.getvalue())
    for score in ("recall", "precision", "f1"):
        table = read_scores(paths, score)
        for path, result in found.items():
            lea = table.scores[path.removeprefix("out/")]["lea"]
            assert lea == getattr(result.lea, score)
    assert "left out: 18 rows of scores by group" in table.notes
    assert table.signature == found["out/one.conll"].signature


def test_json_and_csv_of_score_go_together(written):
    one, *others = results(metrics=["muc", "lea"]).values()
    stream = io.StringIO()
    render(ScoreReport(others), "csv", stream)
    table = read_scores(written(one.to_dict(), stream.getvalue()))
    assert len(table.scores) == 3


def test_responses_that_share_a_name_are_told_apart_by_folders(written):
    documents = []
    for number, result in enumerate(results().values()):
        result.response = f"run/{number}/test.conll"
        documents.append(result.to_dict())
    assert tuple(read_scores(written(*documents)).scores) == ("0", "1", "2")


def test_results_without_a_response_are_named_after_their_files(written):
    documents = []
    for result in results().values():
        result.response = None
        documents.append(result.to_dict())
    assert tuple(read_scores(written(*documents, ending="json")).scores) == (
        "file1",
        "file2",
        "file3",
    )


def test_the_same_response_twice_in_one_file_is_refused(written):
    document = results()["out/one.conll"].to_dict()
    document["results"] *= 2
    problem = error(read_scores, written(document))
    assert problem.code == "repeated-system"
    assert "'out/one.conll'" in problem.message


def test_different_recipes_are_refused(written):
    one = results(metrics=["muc", "lea"])["out/one.conll"].to_dict()
    two = results(metrics=["muc", "lea"], singletons="drop")["out/two.conll"].to_dict()
    paths = written(one, two)
    problem = error(read_scores, paths)
    assert problem.code == "different-recipes"
    assert problem.path == paths[1]
    assert "singletons is drop here, keep there" in problem.message


def test_other_metrics_are_no_other_recipe(written):
    one = results(metrics=["muc", "lea", "blanc"])["out/one.conll"].to_dict()
    two = results(metrics=["lea", "muc"])["out/two.conll"].to_dict()
    assert read_scores(written(one, two), metrics=["lea", "muc"]).metrics == ("lea", "muc")
    problem = error(read_scores, written(one, two))
    assert problem.code == "missing-score"
    assert "'two.conll' by the metric 'blanc'" in problem.message


def test_other_documents_are_refused(written):
    one, two, _ = (result.to_dict() for result in results().values())
    two["results"][0]["documents"] = 3
    problem = error(read_scores, written(one, two))
    assert problem.code == "different-documents"
    assert "3 documents here, 2 there" in problem.message


def test_another_key_is_refused(written):
    one = results(metrics=["muc", "lea"])["out/one.conll"]
    other = corefmeter.score({**KEY, "news": [["f", "g", "h"]]}, KEY, metrics=["muc", "lea"])
    other.response = "out/two.conll"
    problem = error(read_scores, written(one.to_dict(), other.to_dict()))
    assert problem.code == "different-keys"
    assert "by muc the key counts 5 here, 4 there" in problem.message
    texts = []
    for result in (one, other):
        stream = io.StringIO()
        render(ScoreReport([result]), "csv", stream)
        texts.append(stream.getvalue())
    assert error(read_scores, written(*texts)).code == "different-keys"


def test_another_version_is_refused(written):
    one, two, _ = (result.to_dict() for result in results().values())
    two["signature"] = two["signature"].replace("corefmeter:", "corefmeter:9.")
    assert error(read_scores, written(one, two)).code == "different-recipes"


def test_a_skipped_score_is_missing(written):
    one, two, _ = (result.to_dict() for result in results(metrics=["muc", "lea"]).values())
    two["results"][0]["scores"]["lea"]["f1"] = None
    assert error(read_scores, written(one, two)).code == "missing-score"


def test_a_comparison_brings_its_p_values(written):
    comparison = {
        "schema": 1,
        "signature": "corefmeter:0.1.0|metrics:conll+lea",
        "alpha": 0.01,
        "systems": ["A", "B"],
        "metrics": {
            "conll": {
                "scores": {"A": {"f1": 0.6}, "B": {"f1": 0.5}},
                "pairs": [{"a": "A", "b": "B", "difference": 0.1, "p": 0.01, "p_adjusted": 0.02}],
            },
            "lea": {
                "scores": {"A": {"f1": 0.4}, "B": {"f1": 0.45}},
                "pairs": [{"a": "A", "b": "B", "difference": -0.05, "p": 0.2, "p_adjusted": 0.3}],
            },
        },
    }
    table = read_scores(written(comparison))
    assert table.scores == {"A": {"conll": 0.6, "lea": 0.4}, "B": {"conll": 0.5, "lea": 0.45}}
    assert table.alpha == 0.01
    assert table.p_values == {("conll", "A", "B"): 0.02, ("lea", "A", "B"): 0.3}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"schema": 1, "results": [', "not JSON"),
        ('{"schema": 2, "results": []}', 'no "schema": 1'),
        ('{"schema": 1}', "KeyError('results')"),
        ('{"schema": 1, "results": []}', "no systems"),
        ('{"schema": 1, "results": [3]}', "not as expected"),
        ('{"schema": 1, "results": "abc"}', "not as expected"),
        ('{"schema": 1, "results": [{"scores": {"muc": 3}}]}', "not as expected"),
        ('{"schema": 1, "signature": 3, "results": [{"scores": {}}]}', "not text"),
        ('{"schema": 1, "metrics": {"muc": {}}}', "not as expected"),
        ('{"schema": 1, "metrics": 3}', "not as expected"),
        ('{"schema": 1, "metrics": {}, "alpha": 1%s}' % ("0" * 400), "not as expected"),
        ('{"schema": 1, "metrics": {}}', "no systems"),
        (
            '{"schema": 1, "signature": 3, "metrics": {"muc": {"scores": {"a": {"f1": 1}}}}}',
            "not text",
        ),
        ("[" * 100_000, "not JSON"),
        ("[1, 2]", 'no "schema"'),
    ],
)
def test_json_of_another_kind_is_refused(written, text, message):
    problem = error(read_scores, written(text))
    assert problem.code == "bad-scores"
    assert message in problem.message


# Tables.


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_any_table_of_numbers(written, separator, end):
    lines = ("system,muc,lea", "A,70.5,53.28", "", '"my, system",66,5e1')
    if separator != ",":
        lines = tuple(line.replace(",", separator) for line in lines)
    table = read_scores(written(end.join(lines)))
    assert list(table.scores.values()) == [{"muc": 70.5, "lea": 53.28}, {"muc": 66.0, "lea": 50.0}]
    assert next(iter(table.scores)) == "A"
    assert not table.is_fraction
    assert table.score is None
    assert table.decimals == 2


def test_a_byte_order_mark_and_compression_are_no_matter(tmp_path):
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbfsystem,a,b\nx,1,2\n"))
    assert read_scores([str(path)]).scores == {"x": {"a": 1.0, "b": 2.0}}


def test_metrics_are_found_by_name_alias_or_title(written):
    paths = written("system,MUC,CEAF_e,B3,lea+x\nA,1,2,3,4\n")
    assert read_scores(paths, metrics=["ceafe", "bcub", "muc", "lea+x"]).metrics == (
        "CEAF_e",
        "B3",
        "MUC",
        "lea+x",
    )
    assert read_scores(paths, metrics=["b3+muc"]).metrics == ("B3", "MUC")
    assert read_scores(paths, metrics=["b³,MUC"]).metrics == ("B3", "MUC")


def test_an_unknown_metric_is_refused_with_the_nearest(written):
    with pytest.raises(OptionError, match="did you mean 'blanc'"):
        read_scores(written("system,muc,blanc\nA,1,2\n"), metrics=["blank"])


def test_columns_that_are_not_asked_for_may_hold_anything(written):
    paths = written("system,language,muc,lea,note\nA,en,1,2,\nB,,3,4,late\n")
    table = read_scores(paths, metrics=["muc", "lea"])
    assert table.scores["B"] == {"muc": 3.0, "lea": 4.0}


@pytest.mark.parametrize("cell", ["70.51 (1)", "70%", "1_0", "inf", "1e999", "abc"])
def test_a_cell_that_is_not_a_number_is_named_with_its_place(written, cell):
    problem = error(read_scores, written(f'system,muc,lea\nA,1,2\n"B, b",3,{cell}\n'))
    assert (problem.code, problem.line, problem.column) == ("bad-score", 3, 10)
    assert repr(cell) in problem.message
    assert "'lea'" in problem.message


def test_a_decimal_comma_gets_its_own_hint(written):
    problem = error(read_scores, written("system;muc\nA;70,5\n"))
    assert "point" in problem.hint


@pytest.mark.parametrize("cell", ["", "-", "n/a", "nan"])
def test_an_empty_cell_is_a_missing_score_with_its_place(written, cell):
    problem = error(read_scores, written(f"system,muc,lea\nA,1,2\nB,{cell},2\n"))
    assert (problem.code, problem.line, problem.column) == ("missing-score", 3, 3)
    assert "'B' by the metric 'muc'" in problem.message


def test_all_wrong_cells_are_named_at_once(written):
    with pytest.raises(DataError) as caught:
        read_scores(written("system,a,b\nA,x,1\nB,,1\nC,2,y\n"))
    places = [(p.code, p.line, p.column) for p in caught.value.problems]
    assert places == [("bad-score", 2, 3), ("missing-score", 3, 3), ("bad-score", 4, 5)]


@pytest.mark.parametrize(
    ("text", "code", "line", "message"),
    [
        ("", "bad-scores", None, "empty"),
        ("system,a\n", "bad-scores", 1, "no row"),
        ("system\nA\n", "bad-scores", 1, "only one column"),
        ("system,a,a\nA,1,2\n", "bad-scores", 1, "a second column 'a'"),
        ("system,a,\nA,1,2\n", "bad-scores", 1, "without a name"),
        ("system,a,b\nA,1\n", "bad-scores", 2, "2 cells in this row, 3 in the header"),
        ("system,a,b\n,1,2\n", "bad-scores", 2, "without the name"),
        ("system,a,b\nA,1,2\nA,3,4\n", "repeated-system", 3, "'A'"),
        ('system,a,b\nA,"1"x,2\n', "bad-scores", 2, "not CSV"),
        ("response,metric,f2\nA,muc,1\n", "bad-scores", 1, "no column 'f1'"),
        ("response,metric,f1\nA,muc,1\nA,muc,2\n", "repeated-system", 3, "a second score"),
        ("response,by,metric,f1\nA,genre,muc,1\n", "bad-scores", None, "only scores of groups"),
    ],
)
def test_a_table_of_another_shape_is_refused(written, text, code, line, message):
    problem = error(read_scores, written(text))
    assert (problem.code, problem.line) == (code, line)
    assert message in problem.message


def test_text_that_is_not_utf8_is_refused(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(b"system,a,b\nA,1,2\nM\xfcller,3,4\n")
    problem = error(read_scores, [str(path)])
    assert (problem.code, problem.line) == ("not-text", 3)


def test_a_missing_file_is_unreadable(tmp_path):
    assert error(read_scores, [str(tmp_path / "none.csv")]).code == "unreadable"


def test_a_table_has_one_score_and_stands_alone(written):
    paths = written("system,a,b\nA,1,2\n", results()["out/one.conll"].to_dict())
    with pytest.raises(OptionError, match="cannot be asked for recall"):
        read_scores(paths[:1], "recall")
    with pytest.raises(OptionError, match="give it alone"):
        read_scores(paths)
    with pytest.raises(OptionError, match="did you mean 'recall'"):
        read_scores(paths[:1], "recal")
