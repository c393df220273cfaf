"""Repeated mentions: the four policies, and that each one is reported with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefmeter import DataError, Document, read, score
from corefmeter.corpus import policies
from corefmeter.corpus.repeats import report_repeats

POLICIES = ["first", "merge", "error", "official"]

MENTIONS = st.sampled_from("abcdef")
ENTITIES = st.lists(st.lists(MENTIONS, min_size=1, max_size=4), max_size=4)


def apply_repeats(key, response, policy):
    """The entities of both sides after the policy."""
    found = policies.apply_repeats(Document("x", key), Document("x", response), policy)
    return tuple(document.entities for document in found)


def copies(entities):
    return Document("x", entities).copies


def test_first_keeps_the_copy_in_the_entity_that_appears_first():
    key, response = [["a", "b"], ["b", "c"]], [["c"], ["b", "c", "a"]]
    assert apply_repeats(key, response, "first") == ([["a", "b"], ["c"]], [["c"], ["b", "a"]])


def test_first_drops_entities_that_are_left_empty():
    assert apply_repeats([["a"], ["a"]], [["a"], ["a", "a"]], "first") == ([["a"]], [["a"]])


def test_first_keeps_copies_of_response_mentions_that_the_key_lacks():
    """Each counts as a wrong mention, as in v8.01."""
    assert apply_repeats([["a"]], [["x", "x"], ["x"]], "first") == ([["a"]], [["x", "x"], ["x"]])


def test_merge_joins_entities_that_share_a_mention():
    key = [["a", "b"], ["c"], ["b", "d"], ["d", "c", "c"], ["e"]]
    merged, _ = apply_repeats(key, [], "merge")
    assert merged == [["a", "b", "c", "d"], ["e"]]


def test_official_keeps_all_copies_of_the_key_and_the_first_of_the_response():
    key, response = [["a", "b"], ["b"]], [["b"], ["b", "a"], ["x", "x"]]
    assert apply_repeats(key, response, "official") == (key, [["b"], ["a"], ["x", "x"]])


@given(ENTITIES, ENTITIES, st.sampled_from(["first", "merge"]))
def test_after_the_policy_a_key_mention_stands_once_on_each_side(key, response, policy):
    kept_key, kept_response = apply_repeats(key, response, policy)
    in_key = {mention for entity in key for mention in entity}
    assert not copies(kept_key)
    assert not copies([[m for m in entity if m in in_key] for entity in kept_response])
    for before, after in ((key, kept_key), (response, kept_response)):
        assert {m for entity in before for m in entity} == {m for entity in after for m in entity}
        assert all(after)


@given(ENTITIES, ENTITIES, st.sampled_from(["first", "merge", "official"]))
def test_without_repeats_a_policy_changes_nothing(key, response, policy):
    if not copies(key) and not copies(response):
        assert apply_repeats(key, response, policy) == (key, response)


@given(ENTITIES)
def test_a_repeat_is_a_mention_in_more_than_one_place(entities):
    mentions = [mention for entity in entities for mention in entity]
    assert copies(entities) == len(mentions) - len(set(mentions))


STORY = """#begin document (story); part 000
the\t(1|(2
dog\t1)|2)

saw\t(3)|(3)|(1)
it\t(1)
#end document
"""


@pytest.fixture
def story(tmp_path) -> Document:
    path = tmp_path / "story.conll"
    path.write_text(STORY, encoding="utf-8")
    (document,) = read(path)
    return document


def test_each_repeated_mention_is_reported_with_its_line_entities_and_policy(story):
    first, second = report_repeats(story, "key", "first")
    assert (first.code, first.severity, first.path) == ("repeated-mention", "warning", story.path)
    assert (first.line, first.count) == (2, 1)
    assert "tokens 0 to 1" in first.message
    assert "2 times, in the entities 1, 2" in first.message
    assert "policy 'first'" in first.message
    assert (second.line, second.count) == (5, 2)
    assert "token 2" in second.message
    assert "3 times, in the entities 1, 3" in second.message


@pytest.mark.parametrize(
    ("policy", "advice"),
    [("first", "share a span, as in CorefUD, use --repeated distinct"),
     ("merge", "share a span, as in CorefUD, use --repeated distinct"),
     ("distinct", "count as different mentions, as in CorefUD")],
)  # fmt: skip
def test_the_advice_holds_where_two_mentions_may_share_a_span(story, policy, advice):
    for problem in report_repeats(story, "key", policy):
        assert advice in problem.hint
        assert "mistake" in problem.hint, "copies need not be removed"


def test_copies_in_one_entity_are_told_so():
    (problem,) = report_repeats(Document("x", [["a", "a"]]), "response", "merge")
    assert "'a' of the response occurs 2 times, in entity 0" in problem.message
    assert problem.document == "x"
    assert problem.line is None


def test_error_refuses_with_all_of_them(story):
    with pytest.raises(DataError) as caught:
        report_repeats(story, "key", "error")
    assert [(p.line, p.severity) for p in caught.value.problems] == [(2, "error"), (5, "error")]


def test_error_refuses_nothing_that_is_sound():
    assert report_repeats(Document("x", [["a", "b"]]), "key", "error") == []


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("side", ["key", "response"])
def test_a_score_reports_repeats_of_both_sides_under_every_policy(policy, side):
    sides = {"key": [["a", "b"]], "response": [["a", "b"]], side: [["a", "b"], ["b"]]}
    try:
        problems = score(sides["key"], sides["response"], repeated=policy).problems
    except DataError as error:
        problems = error.problems
    assert [(p.code, p.severity == "error") for p in problems] == [
        ("repeated-mention", policy == "error")
    ]
    assert side in problems[0].message


def test_nothing_is_refused_for_having_too_many():
    entities = [["a"] * 50, *(["a", "b"] for _ in range(50))]
    for policy in ("first", "merge", "official"):
        (first, second) = score(entities, entities, repeated=policy).problems[:2]
        assert (first.count, second.count) == (99, 49)
