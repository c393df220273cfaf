"""A result holds statistics by document; every score, group and JSON value is derived from them."""

from __future__ import annotations

import copy
import json
import math
import pickle

import pytest

import corefmeter
from corefmeter import DataError, OptionError, Recipe, Result, score
from corefmeter.metrics.average import AverageScore, average
from corefmeter.metrics.base import Scores, ratios
from corefmeter.units import GROUPS, Unit

from .metrics.letters import entities

# Two documents of genre bc, one of nw. Links: 2 of 2 and 2 of 2; 1 of 2 and 1 of 1; 0 of 1, none.
KEY = {"bc/a/0": entities("abc"), "bc/b/0": entities("abc"), "nw/a/0": entities("ab")}
RESPONSE = {"bc/a/0": entities("abc"), "bc/b/0": entities("ab c"), "nw/a/0": entities("a b")}


@pytest.fixture
def result():
    return score(KEY, RESPONSE)


def muc(result) -> tuple[int, int, int, int]:
    return result.sums("muc")


# Scores by name


def test_scores_are_had_by_name_alias_and_attribute(result):
    assert result["b3"] == result["bcub"] == result["B_CUBED"] == result.b3
    assert isinstance(result["lea"], Scores)
    assert list(result) == list(result.recipe.metrics)
    assert list(result.scores()) == list(result.recipe.metrics)


def test_scores_have_counts(result):
    assert (result.muc.recall_numerator, result.muc.recall_denominator) == (3, 5)
    assert (result.muc.precision_numerator, result.muc.precision_denominator) == (3, 3)
    assert (result.muc.recall, result.muc.precision) == (3 / 5, 1)
    assert result.muc.f1 == pytest.approx(3 / 4)


def test_blanc_has_parts(result):
    # C: 3 + 1 + 0 of 3 + 3 + 1 and of 3 + 1 + 0.
    assert result.blanc.coreference.recall == 4 / 7
    assert result.blanc.coreference.precision == 1
    with pytest.raises(AttributeError):
        _ = result.blanc.colour


def test_an_unknown_metric_is_refused_with_a_hint(result):
    with pytest.raises(OptionError, match="unknown metric 'cefae'; did you mean 'ceafe'"):
        result["cefae"]


def test_a_metric_that_was_not_computed_is_refused(result):
    with pytest.raises(OptionError, match="'rand' was not computed; ask for it with metrics="):
        result["rand"]
    with pytest.raises(OptionError, match="'conll' was not computed"):
        score(KEY, RESPONSE, metrics="muc")["conll"]


def test_an_average_is_had_as_soon_as_its_parts_are(result):
    assert score(KEY, RESPONSE, metrics=["ceafe", "b3", "muc"]).conll == result.conll


def test_a_metric_that_was_not_computed_is_no_attribute():
    result = score(KEY, RESPONSE, metrics="muc")
    assert not hasattr(result, "lea")
    assert getattr(result, "conll", None) is None
    assert getattr(result, "ceaf", 0) == 0
    with pytest.raises(AttributeError, match="'lea' was not computed; ask for it with metrics="):
        _ = result.lea


@pytest.mark.parametrize("name", ["conll", "mela"])
def test_an_average_is_a_plain_number_as_an_attribute(name):
    result = score(KEY, RESPONSE, metrics=name)
    number = getattr(result, name)
    assert type(number) is float
    assert json.loads(json.dumps(number)) == number
    assert pickle.loads(pickle.dumps(number)) == number
    assert result[name] == number
    assert result[name].undefined == ()


def test_what_is_no_metric_is_no_attribute(result):
    with pytest.raises(AttributeError, match="has no attribute 'colour'"):
        _ = result.colour
    assert not hasattr(result, "__wrapped__")


def test_an_attribute_that_is_misspelt_is_guessed(result):
    with pytest.raises(AttributeError, match="'signatur'; did you mean 'signature'"):
        _ = result.signatur


def test_names_are_listed_once(result):
    assert sorted(set(dir(result))) == sorted(dir(result))


def test_a_result_shows_its_scores(result):
    assert "3 documents" in repr(result)
    assert "muc 0.7500" in repr(result)


# Sums


def test_results_add_up():
    parts = [score({name: KEY[name]}, {name: RESPONSE[name]}) for name in KEY]
    total = parts[0] + parts[1] + parts[2]
    whole = score(KEY, RESPONSE)
    assert total.documents == 3
    assert total.units == whole.units
    assert total.statistics == whole.statistics
    assert {name: total[name] for name in total} == {name: whole[name] for name in whole}


def test_results_of_different_recipes_do_not_add_up(result):
    other = score(KEY, RESPONSE, singletons="drop")
    with pytest.raises(OptionError, match="different recipes") as caught:
        result + other
    assert result.signature in str(caught.value)
    assert other.signature in str(caught.value)


def test_a_result_and_something_else_do_not_add_up(result):
    with pytest.raises(TypeError):
        result + 1


def test_problems_and_digests_add_up(tmp_path):
    results = []
    for name in "xy":
        path = tmp_path / name
        path.write_text(f"#begin document ({name});\n(0)\n-\n#end document\n", encoding="utf-8")
        results.append(score({name: [[(0, 1)]]}, path))
    one = score({"z": [["a", "b"]]}, {"z": [["a", "b", "a"]]})
    other = score({"w": [["a", "b"]]}, {"w": [["a", "b", "a"]]})
    assert [problem.document for problem in (one + other).problems] == ["z", "w"]
    assert len((results[0] + results[1]).digests) == 2


def test_a_sum_begins_with_nothing():
    parts = [score({name: KEY[name]}, {name: RESPONSE[name]}) for name in KEY]
    assert sum(parts) == score(KEY, RESPONSE)
    with pytest.raises(TypeError):
        1 + parts[0]


def test_a_document_of_both_results_is_refused_or_asked_for(result):
    # Shards of a sampler that pads: "bc/b/0" is in both, with 1 of 2 links.
    names = list(KEY)
    one = result.select([0, 1])
    other = score({n: KEY[n] for n in names[1:]}, {n: RESPONSE[n] for n in names[1:]})
    with pytest.raises(DataError, match=r"repeated-document") as caught:
        one + other
    assert [problem.document for problem in caught.value.problems] == ["bc/b/0"]
    assert "duplicates=" in caught.value.problems[0].hint
    total = one.add(other, duplicates="first")
    assert total == result
    assert muc(total) == (3, 5, 3, 3)
    assert [(p.code, p.document) for p in total.problems] == [("repeated-document", "bc/b/0")]
    assert muc(one.add(other, duplicates="keep")) == (4, 7, 4, 4)
    with pytest.raises(OptionError, match="unknown value of duplicates 'frist'; did you mean"):
        one.add(other, duplicates="frist")


def test_of_a_document_of_both_the_problems_of_the_first_are_kept():
    one, other = (score({"x": [["a", "b"]]}, {"x": [["a", "b", "a"]]}) for _ in range(2))
    codes = [problem.code for problem in one.add(other, duplicates="first").problems]
    assert codes == ["repeated-mention", "repeated-document"]


def test_a_result_does_not_add_up_with_itself_even_if_nobody_named_its_documents():
    one = score([["a", "b"]], [["a", "b"]])
    with pytest.raises(DataError, match="repeated-document"):
        one + one
    assert one.add(one, duplicates="keep").sums("muc") == (2, 2, 2, 2)


def test_documents_that_nobody_named_are_numbered_anew():
    parts = [score([["a", "b"]], [["a", "b", *more]]) for more in ("", "a", "")]
    total = sum(parts)
    assert [unit.label for unit in total.units] == ["document", "document 2", "document 3"]
    assert [problem.document for problem in total.problems] == ["document 2"]
    named = score({"document 2": [["a"]]}, {"document 2": [["a"]]})
    units = [unit.label for unit in (total + named).units]
    assert units == ["document", "document 3", "document 4", "document 2"]
    joined = [score(KEY, RESPONSE, as_one_document=True) for _ in range(2)]
    assert [unit.label for unit in sum(joined).units] == ["all documents", "document 2"]


def test_equal_results_are_equal(result):
    assert result == score(KEY, RESPONSE)
    assert result == pickle.loads(pickle.dumps(result))
    assert result == Result.from_dict(result.to_dict(by=["part"]))
    assert result != score(KEY, RESPONSE, singletons="drop")  # nothing but the recipe differs
    assert result != score(KEY, KEY)
    assert result != result.select([0, 1])
    assert result != "result"
    with pytest.raises(TypeError, match="unhashable"):
        hash(result)


def test_a_result_without_documents_is_undefined():
    empty = Result(Recipe(metrics="muc"), [], {"muc": []})
    assert empty.sums("muc") == (0, 0, 0, 0)
    assert empty.muc.f1 == 0
    assert empty.muc.undefined == ("recall", "precision", "f1")


# Groups


def test_by_document(result):
    parts = result.by("document")
    assert {name: muc(part) for name, part in parts.items()} == {
        "bc/a/0": (2, 2, 2, 2), "bc/b/0": (1, 2, 1, 1), "nw/a/0": (0, 1, 0, 0),
    }  # fmt: skip
    assert all(part.recipe == result.recipe for part in parts.values())


def test_by_genre(result):
    parts = result.by("genre")
    assert {name: muc(part) for name, part in parts.items()} == {
        "bc": (3, 4, 3, 3), "nw": (0, 1, 0, 0),
    }  # fmt: skip
    assert parts["bc"].documents == 2


def test_by_part_and_by_document():
    """A document may have parts, which are scored alone; by document they are pooled."""
    from corefmeter import Corpus, Document

    def corpus(*sides):
        return Corpus([Document("x", entities(side), part=i) for i, side in enumerate(sides)])

    result = score(corpus("abc", "ab"), corpus("abc", "a b"), metrics="muc")
    assert list(result.by("part")) == ["(x); part 000", "(x); part 001"]
    (document,) = result.by("document").values()
    assert muc(document) == (2, 3, 2, 2)


def test_by_a_function(result):
    parts = result.by(lambda unit: unit.name.split("/")[1])
    assert {name: part.documents for name, part in parts.items()} == {"a": 2, "b": 1}
    assert muc(parts["a"]) == (2, 3, 2, 2)


def test_by_a_mapping_from_document_to_group(result):
    groups = {"bc/a/0": "old", "bc/b/0": "new", "nw/a/0": "new"}
    parts = result.by(groups)
    assert {name: part.documents for name, part in parts.items()} == {"old": 1, "new": 2}


def test_a_document_that_a_mapping_lacks_is_an_error(result):
    with pytest.raises(OptionError, match="bc/b/0"):
        result.by({"bc/a/0": "old"})


def test_groups_keep_the_problems_of_their_documents_and_those_of_none():
    key = KEY | {"twice": entities("ab")}
    response = RESPONSE | {"twice": entities("aabx"), "bc/a/0": entities("abca"), "extra": []}
    result = score(key, response, metrics=["muc", "rand"])
    told = {
        name: [(p.code, p.document) for p in part.problems]
        for name, part in result.by("document").items()
    }
    # Neither is a problem of one of the documents that were scored.
    extra, left_out = ("extra-document", "extra"), ("twinless-left-out", None)
    assert told == {
        "bc/a/0": [extra, ("repeated-mention", "bc/a/0"), left_out],
        "bc/b/0": [extra, left_out],
        "nw/a/0": [extra, left_out],
        "twice": [extra, ("repeated-mention", "twice"), left_out],
    }
    assert [(p.code, p.document) for p in result.select([3]).problems] == told["twice"]


def test_an_unknown_group_is_refused_with_a_hint(result):
    with pytest.raises(OptionError, match="unknown group 'genres'; did you mean 'genre'"):
        result.by("genres")


def test_groups_add_up_to_the_whole(result):
    parts = list(result.by("genre").values())
    total = parts[0] + parts[1]
    assert {name: total[name] for name in total} == {name: result[name] for name in result}


def test_the_genre_is_the_first_part_of_the_name():
    assert GROUPS["genre"](Unit("bc/cnn/00/cnn_0003", "")) == "bc"
    assert GROUPS["genre"](Unit("letter", "")) == "letter"


# Macro averages: case 15 of tests/test_cases.py, in the other form


def test_macro_averages_scores_of_documents():
    result = score(KEY, RESPONSE, average="macro", metrics=["muc", "b3", "conll"])
    # MUC F1: 1, 2/3, 0 (recall 0/1, precision 0/0).
    assert result.muc.f1 == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert result.muc.recall == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert result.muc.precision == pytest.approx((1 + 1 + 0) / 3)
    assert result.muc.undefined == ("precision",)
    # Numerators are sums of the documents' ratios, denominators their number.
    assert result.muc.recall_numerator == 3 / 2
    assert result.muc.recall_denominator == 3


def test_macro_averages_leave_skipped_values_out():
    result = score(KEY, RESPONSE, average="macro", undefined="skip", metrics="muc")
    assert result.muc.precision == 1
    assert result.muc.precision_denominator == 2


def test_a_macro_average_of_undefined_scores_only_is_no_number():
    result = score([["a"]], [["a"]], average="macro", undefined="skip", metrics="muc")
    assert math.isnan(result.muc.f1)
    assert result.to_dict()["results"][0]["scores"]["muc"]["f1"] is None


def test_the_macro_conll_score_is_the_mean_of_those_of_the_documents():
    result = score(KEY, RESPONSE, average="macro")
    each = [part.conll for part in result.by("document").values()]
    assert result.conll == pytest.approx(sum(each) / 3)


def test_macro_blanc_averages_its_parts_too():
    result = score(KEY, RESPONSE, average="macro", metrics="blanc")
    each = [part.blanc.coreference.f1 for part in result.by("document").values()]
    assert result.blanc.coreference.f1 == pytest.approx(sum(each) / 3)


# JSON


def test_the_schema_of_the_json(result):
    document = json.loads(json.dumps(result.to_dict(by=["document", "genre"])))
    assert document["schema"] == 1
    assert document["signature"] == result.signature
    (entry,) = document["results"]
    assert entry["documents"] == 3
    assert entry["response"] is None
    assert entry["problems"] == []
    assert list(entry["scores"]) == list(result.recipe.metrics)
    for metric in ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea"):
        assert {
            "recall", "precision", "f1", "recall_numerator", "recall_denominator",
            "precision_numerator", "precision_denominator", "undefined",
        } <= set(entry["scores"][metric])  # fmt: skip
    assert entry["scores"]["muc"]["recall_numerator"] == 3
    assert entry["scores"]["conll"]["f1"] == result.conll
    assert list(entry["by"]) == ["document", "genre"]
    assert list(entry["by"]["document"]) == list(KEY)
    assert entry["by"]["document"]["nw/a/0"]["muc"]["undefined"] == ["precision"]
    assert entry["by"]["genre"]["bc"]["muc"]["f1"] == pytest.approx(6 / 7)


def test_json_has_the_statistics_of_metrics_that_are_no_ratios(result):
    blanc = result.to_dict()["results"][0]["scores"]["blanc"]
    assert blanc["coreference"]["recall_denominator"] == 7
    assert (blanc["coreference_common"], blanc["coreference_key"]) == (4, 7)


def test_json_has_the_parts_of_an_average_that_was_asked_for_alone():
    scores = score(KEY, RESPONSE, metrics="conll").to_dict()["results"][0]["scores"]
    assert list(scores) == ["conll", "muc", "b3", "ceafe"]


def test_json_holds_full_doubles(result):
    entry = json.loads(json.dumps(result.to_dict()))["results"][0]
    assert entry["scores"]["b3"]["f1"] == result.b3.f1


def test_json_problems():
    result = score([["a", "b"]], [["a", "b", "a"]])
    (problem,) = result.to_dict()["results"][0]["problems"]
    assert {"code", "severity", "path", "line", "message", "count"} <= set(problem)
    assert (problem["code"], problem["severity"]) == ("repeated-mention", "warning")
    assert problem["count"] == 1
    assert corefmeter.Problem.from_dict(problem) == result.problems[0]


def test_without_groups_json_has_none(result):
    assert "by" not in result.to_dict()["results"][0]


# Scores and averages as values


def test_ratios_without_a_denominator_are_undefined():
    assert ratios(1, 2, 1, 4) == Scores(1 / 2, 1 / 4, 1 / 3, 1, 2, 1, 4)
    assert ratios(0, 0, 0, 2).undefined == ("recall",)
    assert ratios(0, 2, 0, 0).undefined == ("precision",)
    assert ratios(0, 0, 0, 0).undefined == ("recall", "precision", "f1")


def test_f1_of_two_zeros_is_zero_and_defined():
    assert ratios(0, 2, 0, 2).f1 == 0
    assert ratios(0, 2, 0, 2).undefined == ()


def test_an_average_is_a_number():
    scores = {"muc": ratios(1, 2, 1, 2), "b3": ratios(1, 1, 1, 1)}
    mean = average(scores, [("muc", 1), ("b3", 3)])
    assert mean == (1 * 0.5 + 3 * 1) / 4
    assert f"{mean:.2f}" == "0.88"
    assert mean.f1 == float(mean)
    assert mean.to_dict() == {"f1": 0.875, "undefined": []}


def test_an_average_of_skipped_parts_only_is_no_number():
    skipped = ratios(0, 0, 0, 0, "skip")
    mean = average({"muc": skipped}, [("muc", 1)])
    assert math.isnan(mean)
    assert mean.to_dict() == {"f1": None, "undefined": ["muc"]}


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_results_scores_and_averages_can_be_pickled(result, protocol):
    again = pickle.loads(pickle.dumps(result, protocol))
    assert again.statistics == result.statistics
    assert again.recipe == result.recipe
    assert again.units == result.units
    for name in result:
        assert again[name] == result[name]
        one = pickle.loads(pickle.dumps(result[name], protocol))
        assert one == result[name]
        assert type(one) is type(result[name])
        assert one.undefined == result[name].undefined
    mean = pickle.loads(pickle.dumps(AverageScore(0.5, ["muc"]), protocol))
    assert (mean, mean.undefined) == (0.5, ("muc",))


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_results_and_scores_can_be_copied(result, duplicate):
    assert duplicate(result).statistics == result.statistics
    assert duplicate(result.blanc) == result.blanc
    assert duplicate(result.conll) == result.conll
