"""Values from Python: what cannot be meant is refused, and what was noticed is a warning."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import NamedTuple

import numpy as np
import pytest

import corefmeter
from corefmeter import CorefmeterWarning, DataError, Scorer, score
from corefmeter.corpus.convert import as_corpus

KEY = [[(0, 1), (4, 5)], [(7, 8)]]


class Tensor:
    """As tensors are: elements are compared one by one, the hash is the identity."""

    def __init__(self, values):
        self.values = values
        self.ndim = 1 if isinstance(values, list) else 0

    def __iter__(self):
        return iter(map(Tensor, self.values))

    def __eq__(self, other):
        return Tensor([True])

    __hash__ = object.__hash__

    def tolist(self):
        return self.values

    def __index__(self):
        return self.values


class Span:
    """As a span of a parsed text is."""

    def __init__(self, start, end):
        self.start, self.end, self.doc = start, end, object()

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


class Plain:
    pass


def codes(result) -> list[str]:
    return [problem.code for problem in result.problems]


def refused(value) -> str:
    with pytest.raises(DataError) as caught:
        score(value, KEY)
    (problem,) = caught.value.problems
    assert problem.code == "bad-value"
    return str(problem)


def test_a_list_of_documents_is_refused():
    documents = [[[(0, 1), (4, 5)], [(7, 8)]], [[(0, 0), (3, 3)]]]
    assert "a list of documents?" in refused(documents)
    assert "a list of documents?" in refused([[["Ann", "she"], ["Bo"]], [["it"]]])
    array = np.array([[0, 1], [4, 5]])
    assert "a list of documents?" in refused([[array, array], [array]])
    assert "a list of documents?" in refused([[list(array)], [list(array)]])
    assert "a list of documents?" in refused(np.zeros((1, 2, 2, 2), int))
    assert "a list of documents?" in refused([[np.array(["Ann", "she"])], [np.array(["it"])]])
    named = {f"d{number}": entities for number, entities in enumerate(documents)}
    assert score(named, named).documents == 2


@pytest.mark.parametrize(
    ("mentions", "doubtful"),
    [
        ([("Ann", "she"), ("Bo", "he", "him")], True),  # names, not always as many
        ([("Ann", "she"), ("Bo", "he")], False),
        ([("Ann", 3), ("Bo", 3, 4)], False),  # a name and numbers are a mention
        ([("Ann", "she"), ("Bo", 3, 4)], False),
        ([((0, 1), (4, 5)), ((7, 8), (9, 10))], True),  # more than one of four has a gap
        ([((0, 1), (4, 5)), ((7, 8),), ((9, 10),), ((11, 12),)], False),
    ],
)
def test_mentions_that_look_like_entities_are_a_warning(mentions, doubtful):
    problems = as_corpus({"d": [[mention] for mention in mentions]}).problems
    assert ["a list of documents?" in problem.message for problem in problems] == [True] * doubtful


@pytest.mark.parametrize(
    ("value", "doubtful"),
    [
        ([[((0, 1), (4, 5)), ((7, 8),)], [((0, 0), (3, 3))]], True),
        ({"x": [[((0, 1), (4, 5))], [((7, 8), (9, 10))]]}, True),
        ([[("Ann", "she"), ("Bo",)], [("it",)]], True),
        ([[("x", "m1"), ("x", "m2")], [("x", "m3")]], False),
        ([[(0, 1), ((4, 5), (7, 8))]], False),
        ([[((n, n + 1),) for n in range(9)], [((10, 11), (12, 13))]], False),
        ([[((0, 0, 1),), ((4, 5), (7, 8))]], False),
    ],
)
def test_tuples_that_look_like_entities_are_scored_with_a_warning(value, doubtful):
    """Mentions may have gaps, or be tuples of names; that most have, or of any length, is rare."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = score(value, value, metrics="mentions")
    assert result.mentions.f1 == 1
    assert [str(one.message).startswith("warning: a list of doc") for one in caught] == (
        [True] if doubtful else []
    )
    assert "bad-value" in codes(result) or not doubtful


@pytest.mark.parametrize(
    "value",
    [
        [np.array([[0, 1], [4, 5]]), np.array([[7, 8]])],
        [[np.array([0, 1]), np.array([4, 5])], [np.array([7, 8])]],
        [[(np.int64(0), np.int32(1)), (4, np.uint8(5))], [(7, 8)]],
        [[Tensor([0, 1]), Tensor([4, 5])], [Tensor([7, 8])]],
        [[(Tensor(0), Tensor(1)), (4, 5)], [(7, Tensor(8))]],
        [[[0, 1], [4, 5]], [[7, 8]]],
        ({(0, 1), (4, 5)}, frozenset({(7, 8)})),
    ],
    ids=["arrays of spans", "arrays", "numbers", "tensors", "numbers in tensors", "JSON", "sets"],
)
def test_numbers_arrays_and_tensors_are_compared_by_value(value):
    assert score(KEY, value).lea.f1 == 1
    scorer = Scorer(metrics="mentions")
    scorer.update(KEY, value)
    assert scorer.compute().mentions.f1 == 1


def test_spans_that_are_one_object_of_a_text_are_refused_with_what_to_give():
    assert "(span.start, span.end)" in refused([[Span(0, 1)]])


def test_objects_that_are_compared_by_identity_are_refused():
    assert "equal only to themselves" in refused([[Plain()]])
    assert "equal only to themselves" in refused([[(Plain(), 1)]])


class Times(NamedTuple):
    start: float
    end: float


@dataclass(frozen=True)
class Place:
    start: float


def nested(depth: int):
    found: object = "a"
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.wings
@pytest.mark.parametrize(
    "call",
    [
        lambda deep: corefmeter.score([deep], [["a"]]),
        lambda deep: corefmeter.score({"d": [["a"]]}, {"d": [[deep]]}),
        lambda deep: corefmeter.Scorer().update([["a"]], [[deep]]),
        lambda deep: corefmeter.score_labels(deep, ["a"]),
    ],
)
def test_what_is_nested_deeply_is_refused(call):
    with pytest.raises(corefmeter.DataError, match="nested too deeply"):
        call(nested(5_000))


NAN = float("nan")


@pytest.mark.parametrize(
    "mention",
    [NAN, (0, NAN), ((0, NAN), 1), [0.5, NAN], Times(0, NAN), frozenset({NAN}), Place(NAN),
     Place((1, NAN)), Decimal("nan"), complex(0, NAN)],
)  # fmt: skip
def test_what_holds_nan_is_refused_since_no_mention_is_equal_to_it(mention):
    assert "not equal to itself" in refused([[mention]])
    assert "not equal to itself" in refused([[(0, 1), mention]])


def test_numbers_that_are_equal_to_themselves_are_not_refused():
    mentions = [0.5, (0.5, 1.5), Times(0, 1), frozenset({0.5}), Place(0.5)]
    assert score([mentions], [mentions], metrics="mentions").mentions.f1 == 1


def test_single_values_may_be_compared_by_identity():
    class Name(Enum):
        ANN = 1

    assert score([[Name.ANN, None]], [[Name.ANN, None]]).muc.f1 == 1


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({(0, 1): 3, (4, 5): 3}, "a mapping from mentions?"),
        ({(0, 1): ((0, 1), (4, 5))}, "a mapping from mentions?"),
        ({"ann": 3}, "a mapping from mentions?"),
        ({"coref_clusters_1": [(0, 1), (4, 5)]}, "one entity?"),
        ([(0, 1), (4, 5)], "one entity?"),
        ([(0, 0, 1), (1, 4, 5)], "one entity?"),
        ({(0, 1), (4, 5)}, "one entity?"),
        (np.array([[0, 1], [4, 5]]), "an array of spans is one entity"),
        ({"x": {"e1": [(0, 1)]}}, "a mapping is no list of entities"),
    ],
)
def test_what_only_looks_like_entities_is_refused(value, told):
    assert told in refused(value)


def test_parts_of_documents_can_be_named():
    result = score({("bc/x", 0): KEY, ("bc/x", 1): KEY}, {("bc/x", 1): KEY, ("bc/x", 0): KEY})
    assert [unit.label for unit in result.units] == ["(bc/x); part 000", "(bc/x); part 001"]
    assert list(result.by("document")) == ["bc/x"]


def test_documents_may_have_the_names_that_messages_give_them(tmp_path):
    path = tmp_path / "key.conll"
    path.write_text("#begin document (bc/x); part 001\na\t(1)\nb\t(1)\n#end document\n")
    with pytest.warns(CorefmeterWarning, match="names are paired with those of the key"):
        result = score(path, {"(bc/x); part 001": [[(0, 1), (1, 2)]]}, metrics="muc")
    assert (result.muc.f1, [unit.label for unit in result.units]) == (1, ["(bc/x); part 001"])


@pytest.mark.parametrize(
    ("move", "cause"),
    [
        (lambda s, e: (s, e - 1), "The response seems to have inclusive ends"),
        (lambda s, e: (s, e + 1), "The key seems to have inclusive ends"),
        (lambda s, e: (s + 1, e + 1), "The response seems to count from 1, the key"),
        (lambda s, e: (s - 1, e - 1), "The key seems to count from 1, the response"),
        (lambda s, e: (s + 1, e), "The response seems to count from 1 and to have inclusive"),
        (lambda s, e: (0, s, e), "The mentions of the two sides have different forms"),
        (lambda s, e: f"{s}-{e}", "The mentions of the two sides have different forms"),
    ],
)
def test_sides_without_a_common_mention_are_told_with_the_likely_cause(move, cause):
    key = [[(10 * n, 10 * n + 4), (10 * n + 5, 10 * n + 7)] for n in range(12)]
    response = [[move(*mention) for mention in entity] for entity in key]
    with pytest.warns(CorefmeterWarning, match="no-common-mention"):
        result = score(key, response)
    (problem,) = [p for p in result.problems if p.code == "no-common-mention"]
    assert problem.hint.startswith(cause)
    assert problem.hint.endswith("(then 24 would be the same).")
    assert problem.message == ("none of 24 mentions of the key and 24 of the response are the same")


def test_one_mention_that_is_the_same_by_chance_does_not_hide_the_cause():
    key = [[(10 * n, 10 * n + 4)] for n in range(20)]
    response = [[(s, e - 1)] for ((s, e),) in key[1:]] + [key[0]]
    assert codes(score(key, response)) == ["no-common-mention"]


def test_a_bad_response_is_no_suspicion():
    key = [[(10 * n, 10 * n + 4)] for n in range(20)]
    response = [[(s + 2, e + 3)] for ((s, e),) in key[1:]] + [key[0]]
    assert codes(score(key, response)) == []


def test_every_problem_is_a_warning_once_for_each_kind_and_worded_for_python():
    documents = {f"d{number}": KEY for number in range(5)}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = score(documents, {"d0": KEY, "e": KEY, "f": KEY})
    assert codes(result) == ["missing-document"] * 4 + ["extra-document"] * 2
    missing, extra = (str(warning.message) for warning in caught)
    assert "and 3 more of this kind" in missing.lower()
    assert 'documents="strict"' in extra
    assert "--" not in missing + extra
    assert [p.hint for p in result.problems if p.code == "extra-document"] == [
        'It is ignored. With documents="strict", its mentions count as spurious.'
    ] * 2
    assert caught[0].filename == __file__


def test_errors_are_worded_for_python():
    with pytest.raises(DataError) as caught:
        score([["Ann"]], [["Ann"]], match="overlap")
    assert 'or use match="exact"' in str(caught.value)


def test_a_training_loop_is_warned_once():
    scorer = Scorer(metrics="muc")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(100):
            scorer.update(KEY, [[(0, 1), (0, 1)]])
        scorer.compute()
        scorer.compute()
    assert [w.category for w in caught] == [CorefmeterWarning]


def test_a_reader_warns_and_scoring_what_it_read_does_not_again(tmp_path):
    path = tmp_path / "x.conll"
    path.write_text("#begin document (x); part 000\na\t-\n#end document\n")
    with pytest.warns(CorefmeterWarning, match="no-coreference"):
        corpus = corefmeter.read(path)
    other = corefmeter.Corpus([corpus.documents[0].replace()])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score(corpus, other)


def test_the_command_line_prints_warnings_once(tmp_path, capfd):
    import subprocess

    text = "#begin document (x); part 000\na\t(1)\n#end document\n"
    for name in ("key", "response"):
        (tmp_path / name).write_text(text)
    for command in ("score", "errors", "match"):
        run = subprocess.run(
            [sys.executable, "-m", "corefmeter", command, tmp_path / "key", tmp_path / "response"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert run.stderr.count("same-file") == 1
        assert "CorefmeterWarning" not in run.stderr


@pytest.mark.parametrize(("length", "shown"), [(60, "m" * 60), (61, "m" * 57 + "...")])
def test_a_mention_is_shown_up_to_sixty_characters(length, shown):
    class Span:
        start = end = doc = 0

        def __repr__(self) -> str:
            return "m" * length

    assert f"the mention {shown} belongs to" in refused([[Span()]])
