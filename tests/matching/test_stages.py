"""Which mention is matched with which, by hand; and the stages against a slow definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefmeter
from corefmeter import DataError, Document, OptionError, Recipe, Scorer, read, score
from corefmeter.corpus.positions import node_key, nodes
from corefmeter.corpus.text import Detail, Text
from corefmeter.matching import alignment as alignment_of
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.sides import Side
from corefmeter.preparation import prepare_pair

from ..strategies import scaled
from .texts import conllu, document


def aligned(key: Document, response: Document, recipe: Recipe) -> Alignment:
    """The alignment after the policies for mentions."""
    prepared, _ = prepare_pair(key, response, recipe)
    return prepared.alignments[0]


def pairs(key: Document, response: Document, **options) -> set[tuple]:
    """``(key position, response position, stage)`` of every match."""
    alignment = aligned(key, response, Recipe(**options))
    return {
        (alignment.key.positions[m.key], alignment.response.positions[m.response], m.stage)
        for m in alignment.matches
    }


# "the big dog barked": tokens 0 to 3; the key mention is "the big dog", headed by "dog"

DOG = document([((0, 3), 2)])


@pytest.mark.parametrize(
    ("position", "head", "matching"),
    [
        ((0, 3), 2, {"exact", "partial", "head"}),
        ((1, 3), 2, {"partial", "head"}),  # big dog
        ((2, 3), 2, {"partial", "head"}),  # dog
        ((0, 4), 2, {"head"}),  # the big dog barked
        ((1, 2), 1, set()),  # big
        ((0, 2), 1, set()),  # the big
        ((1, 3), 1, {"partial"}),  # big dog, headed by big
        ((0, 3), 0, {"exact", "partial"}),  # the same words, another head
        (((0, 1), (2, 3)), 2, {"partial", "head"}),  # the ... dog
        (((2, 3), (3, 3, 1)), 2, {"head"}),  # dog and an empty node that the key has not
    ],
)
def test_the_big_dog(position, head, matching):
    response = document([(position, head)])
    found = {m for m in ("exact", "partial", "head") if pairs(DOG, response, match=m)}
    assert found == matching


def test_weights_are_the_share_of_the_key_mention():
    response = document([((1, 3), 2)])
    for match in ("head", "partial"):
        (found,) = aligned(DOG, response, Recipe(match=match)).matches
        assert found == (0, 0, match, 2 / 3)


def test_head_matching_takes_exact_pairs_first():
    """Together both other pairs would cover more: 3/4 + 3/3 > 4/4."""
    key = document([((0, 4), 2)], [((1, 4), 2)])
    response = document([((0, 4), 2)], [((0, 3), 2)])
    assert pairs(key, response, match="head") == {
        ((0, 4), (0, 4), "exact"), ((1, 4), (0, 3), "head")
    }  # fmt: skip


def test_the_total_weight_decides_not_the_best_single_pair():
    key = document([((0, 6), 2)], [((0, 3), 2)])
    response = document([((0, 4), 2)], [((1, 3), 2)])
    # 4/6 + 2/3 against 3/3 + 2/6: the same sum; the smaller pairs are ((0, 3), ...) first.
    assert pairs(key, response, match="head") == {
        ((0, 3), (0, 4), "head"), ((0, 6), (1, 3), "head")
    }  # fmt: skip
    response = document([((0, 5), 2)], [((1, 3), 2)])
    # 5/6 + 2/3 is more than 3/3 + 2/6.
    assert pairs(key, response, match="head") == {
        ((0, 6), (0, 5), "head"), ((0, 3), (1, 3), "head")
    }  # fmt: skip


def test_the_minimum_of_a_key_mention_takes_the_place_of_its_head():
    key = document([((0, 6), 0)])
    key.details[0][0].minimum = (3, 5)
    assert pairs(key, document([((2, 5), 2)]), match="partial") == {((0, 6), (2, 5), "partial")}
    assert pairs(key, document([((0, 4), 0)]), match="partial") == set()
    assert pairs(key, document([((3, 7), 3)]), match="partial") == set()


@pytest.mark.parametrize(
    ("threshold", "position", "found"),
    [
        (0.5, (0, 1), True),  # 2 * 1 / (3 + 1)
        (0.51, (0, 1), False),
        (0.8, (1, 3), True),  # 2 * 2 / (3 + 2)
        (0.81, (1, 3), False),
        (0.1, (2, 19), True),  # 2 * 1 / (3 + 17), a tenth exactly
        (0.1, (2, 20), False),
        (1, (0, 3), True),
        (1, (1, 3), False),
        (0.5, ((2, 3), (5, 6)), False),
        (0.4, ((2, 3), (5, 6)), True),
        (0.01, (3, 6), False),
    ],
)
def test_overlap_reaches_the_threshold(threshold, position, found):
    key, response = Document("a", [[(0, 3)]]), Document("a", [[position]])
    options = {"match": "overlap", "overlap_threshold": threshold}
    assert bool(pairs(key, response, **options)) is found


def test_overlap_needs_positions_only():
    key, response = {"x": [[(0, 4), (6, 8)]]}, {"x": [[(0, 3), (6, 8)]]}
    assert score(key, response).muc.recall == 0
    assert score(key, response, match="overlap").muc.recall == 1


# Mentions that share their words


def test_one_span_in_two_entities_is_matched_with_two_mentions():
    text = [[((0, 1), 0), ((2, 3), 2)], [((0, 1), 0), ((4, 5), 4)]]
    alignment = aligned(document(*text), document(*text), Recipe(match="head", repeated="distinct"))
    assert [(m.key, m.response) for m in alignment.matches] == [(0, 0), (1, 1), (2, 2), (3, 3)]


def test_a_head_tells_copies_apart():
    key = document([((0, 3), 2)], [((0, 3), 1)])
    response = document([((0, 3), 1)], [((0, 3), 2)])
    alignment = aligned(key, response, Recipe(match="head", repeated="distinct"))
    assert [(m.key, m.response) for m in alignment.matches] == [(0, 1), (1, 0)]


@pytest.mark.parametrize(
    ("policy", "key_sizes", "response_sizes", "matched"),
    [
        ("distinct", [2], [1, 2], 2),
        ("first", [2], [1, 1], 2),
        ("merge", [2], [2], 2),
    ],
)
def test_policies_for_repeated_mentions_come_before_matching(
    policy, key_sizes, response_sizes, matched
):
    key = document([((0, 1), 0), ((4, 5), 4), ((0, 1), 0)])
    response = document([((0, 1), 0)], [((0, 1), 0), ((4, 5), 4)])
    alignment = aligned(key, response, Recipe(match="head", repeated=policy))
    assert [len(e) for e in alignment.key.document.entities] == key_sizes
    assert [len(e) for e in alignment.response.document.entities] == response_sizes
    assert len(alignment.matches) == matched
    for side in (alignment.key, alignment.response):
        assert [len(d) for d in side.document.details] == [len(e) for e in side.document.entities]
        assert [d.head for d in side.details] == [p[0] for p in side.positions]


def test_exact_scores_of_distinct_copies_are_the_same_with_and_without_alignment():
    key = [[(0, 1), (2, 3)], [(0, 1), (4, 5)], [(0, 1)]]
    response = [[(0, 1), (4, 5)], [(0, 1), (0, 1), (2, 3), (6, 7)]]
    plain = score(key, response, repeated="distinct", metrics=["muc", "b3", "ceafe", "blanc"])
    aligned = score(
        key, response, repeated="distinct", metrics=["muc", "b3", "ceafe", "blanc", "mor"]
    )
    for metric in ("muc", "b3", "ceafe", "blanc"):
        assert plain[metric] == aligned[metric]
    assert plain.b3.recall_denominator == 5
    assert plain.b3.precision_denominator == 5


def test_singletons_go_before_matching():
    key = document([((0, 3), 2)], [((1, 3), 2), ((5, 6), 5)])
    response = document([((1, 3), 2), ((5, 6), 5)])
    found = pairs(key, response, match="head", singletons="drop-key")
    assert found == {((1, 3), (1, 3), "exact"), ((5, 6), (5, 6), "exact")}
    alignment = aligned(key, response, Recipe(match="head", singletons="drop"))
    assert alignment.key.document.entity_names == ["1"]
    assert alignment.key.document.entities == [[(1, 3), (5, 6)]]


def test_a_mention_without_partner_counts_in_its_denominator():
    key = document([((0, 3), 2), ((4, 5), 4)], [((6, 7), 6)])
    response = document([((2, 3), 2), ((4, 5), 4), ((8, 9), 8)])
    corpora = corefmeter.Corpus([key]), corefmeter.Corpus([response])
    result = score(*corpora, match="head")
    assert (result.mentions.recall, result.mentions.precision) == (2 / 3, 2 / 3)
    assert (result.muc.recall, result.muc.precision) == (1, 1 / 2)
    assert result.b3.precision == pytest.approx((2 / 3 + 2 / 3) / 3)


# Zeros


def zero(k: int, *deps: tuple, at: int = 2):
    return (((at, at, k),), (at, at, k), deps)


def test_zeros_at_one_place_are_the_same():
    key, response = document([zero(1)]), document([zero(1)])
    assert {stage for _, _, stage in pairs(key, response)} == {"exact"}
    assert pairs(document([zero(1)]), document([zero(10)])) == set()


def test_zeros_with_one_dependency_are_the_same_wherever_they_stand():
    key, response = document([zero(1, (4, "nsubj"))]), document([zero(2, (4, "nsubj"), at=5)])
    assert pairs(key, response) == set()
    (found,) = aligned(key, response, Recipe(zeros="dependency")).matches
    assert found == (0, 0, "zeros", 11.0)


@pytest.mark.parametrize(
    ("deps", "weight"),
    [
        ([(4, "nsubj")], 11),
        ([(4, "obj")], 1),  # the parent only
        ([(4, "nsubj"), (5, "conj")], Fraction(22, 3)),  # 10 * 2/3 + 2/3
        ([(4, "nsubj"), (4, "obj")], Fraction(20, 3) + 1),  # one parent, two relations
        ([(5, "nsubj")], None),
        ([], None),
    ],
)
def test_the_weight_of_two_zeros(deps, weight):
    key, response = document([zero(1, (4, "nsubj"))]), document([zero(2, *deps)])
    found = aligned(key, response, Recipe(zeros="dependency")).matches
    assert [m.weight for m in found] == ([] if weight is None else [pytest.approx(float(weight))])


def test_zeros_of_different_sentences_are_not_the_same():
    """Both depend on a root, each on that of its sentence."""
    key, response = document([zero(1, (-1, "root"))]), document([zero(1, (-1, "root"), at=7)])
    for side in (key, response):
        side.text = Text(["w"] * 10, sentences=[0, 5])
    assert pairs(key, response, zeros="dependency") == set()
    for side in (key, response):
        side.text = Text(["w"] * 10, sentences=[0])
    assert len(pairs(key, response, zeros="dependency")) == 1


def test_zeros_that_the_dependencies_do_not_pair_are_paired_by_place():
    key, response = document([zero(1, (4, "a"))]), document([zero(1, (5, "b"))])
    assert {stage for *_, stage in pairs(key, response, zeros="dependency")} == {"exact"}


def test_a_longer_mention_headed_by_an_empty_node_is_a_zero():
    mention = (((1, 2), (2, 2, 1)), (2, 2, 1), ((4, "nsubj"),))
    response = document([zero(1, (4, "nsubj"), at=6)])
    assert {stage for *_, stage in pairs(document([mention]), response, zeros="dependency")} == {
        "zeros"
    }


# The cases from the field


def test_case_18_heads(file):
    """K: "the big dog" (head dog) and "It"; R: "dog" and "It"."""
    key = file(conllu("the (e1--3-", "big", "dog e1)", "barked", "It (e1--1-)"), "key")
    response = file(conllu("the", "big", "dog (e1--1-)", "barked", "It (e1--1-)"), "response")
    exact, head, partial = (score(key, response, match=m) for m in ("exact", "head", "partial"))
    assert head.conll == partial.conll == 1
    assert (exact.muc.f1, exact.b3.f1, exact.ceafe.f1) == (0, 0.25, 0.5)
    assert not any(problem.code == "default-heads" for problem in head.problems)


def test_case_18_heads_that_are_always_the_first_word(file):
    key = file(conllu("the (e1--3-", "big", "dog e1)", "barked", "It (e1--1-)"), "key")
    response = file(conllu("the (e1--1-", "big", "dog e1)", "barked", "It (e1--1-)"), "response")
    assert score(key, response).conll == 1
    result = score(key, response, match="head")
    assert result.conll == 0.25
    (problem,) = [problem for problem in result.problems if problem.code == "default-heads"]
    assert problem.path == response
    assert "headed by its first word" in problem.message
    assert 'match="partial"' in problem.hint
    assert score(key, response, match="partial").conll == 1


@pytest.mark.parametrize(
    ("key_heads", "response_heads", "word"),
    [
        ([2, 12], [0, 10], "first"), ([0, 11], [2, 12], "last"), ([0, 11], [0, 11], None),
        ([0, 12], [0, 10], "first"), ([0, 12], [2, 12], "last"),  # one of two in the key too
        ([0, 10], [0, 10], None), ([2, 12], [2, 12], None), ([2, 12], [0, 12], None),
    ],
)  # fmt: skip
def test_heads_look_like_a_default_if_all_are_alike_and_those_of_the_key_are_not(
    key_heads, response_heads, word
):
    spans = [(0, 3), (10, 13)]
    sides = []
    for heads in (key_heads, response_heads):
        mentions = list(zip(spans, heads, strict=True))
        sides.append(corefmeter.Corpus([document([*mentions, ((5, 6), 5)])]))
    codes = [p.message for p in score(*sides, match="head").problems if p.code == "default-heads"]
    assert [word in message for message in codes] == ([True] if word else [])


def test_case_19_zeros_reordered(file):
    """Two empty nodes in the other order, each linked to an overt mention that follows."""
    tail = ("came", "Ann (e1--1-)", "Bob (e2--1-)")
    key = file(conllu("saw", ".1 (e1--1-) 2:nsubj", ".2 (e2--1-) 2:obj", *tail), "key")
    response = file(conllu("saw", ".1 (e2--1-) 2:obj", ".2 (e1--1-) 2:nsubj", *tail), "response")
    by_dependency = score(key, response, zeros="dependency")
    assert by_dependency.conll == by_dependency.lea.f1 == 1
    by_position = score(key, response)
    assert (by_position.muc.f1, by_position.b3.f1, by_position.ceafe.f1) == (0, 0.5, 0.5)


# What cannot be matched


def test_files_are_read_as_the_recipe_needs_them_and_corpora_are_taken_as_they_are(file):
    key = file(conllu("the (e1--2-", "dog e1)"), "key")
    response = file(conllu("the", "dog (e1--1-)"), "response")
    assert score(key, response, match="head").b3.f1 == 1
    assert score(key, response).b3.f1 == 0
    with pytest.raises(DataError, match="read without details"):
        score(read(key), read(response), match="head")


def test_documents_without_details_and_file_are_refused():
    corpus = corefmeter.Corpus([Document("a", [[(0, 2)]])])
    with pytest.raises(DataError, match="read without details") as caught:
        score(corpus, corpus, match="head")
    assert caught.value.problems[0].code == "no-details"


def test_mentions_without_heads_are_refused_with_their_place(file):
    conll = "#begin document (a); part 000\nx\t(1\ny\t1)\nz\t(1)\n#end document\n"
    path = file(conll)
    with pytest.raises(DataError) as caught:
        score(path, path, match="head")
    (problem,) = caught.value.problems
    assert (problem.code, problem.line) == ("no-heads", 2)
    assert "the heads of 1 of 2 mentions" in problem.message


def test_heads_may_come_from_the_tree_of_dependencies():
    """The head is the token that depends on one outside the mention."""
    sides = []
    for position in [(0, 3), (2, 3)]:
        text = Text(["the", "big", "dog", "barked"], heads=[2, 2, 3, -1])
        sides.append(Document("a", [[position]], text=text, details=[[Detail()]]))
    assert pairs(*sides, match="head") == {((0, 3), (2, 3), "head")}


def test_mentions_that_are_no_positions_are_refused():
    key = [["Ann", "she"]]
    with pytest.raises(DataError, match="'Ann' is not a position") as caught:
        score(key, key, match="overlap")
    assert caught.value.problems[0].code == "no-positions"
    assert score(key, key).b3.f1 == 1


@pytest.mark.parametrize(
    "wrong", ["Ann", None, (), ("a", "b"), ((0, 1), "b"), ((0, 1), ("a", "b"))]
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_mentions_that_are_no_positions_are_refused_wherever_they_are(wrong, place):
    entity = [(0, 1), (3, 5)]
    entity.insert(place, wrong)
    right = [[(0, 1), (3, 5)]]
    for sides in ((right, [entity]), ([entity], right)):
        with pytest.raises(DataError, match="is not a position") as caught:
            score(*sides, match="overlap")
        (problem,) = caught.value.problems
        assert (problem.code, repr(wrong) in problem.message) == ("no-positions", True)


def test_names_of_copies_count_from_two():
    """Of three copies in the key and two other ones of the response, which have no partner."""
    key = Document("a", [[(0, 1), (0, 1)], [(0, 1)]])
    response = Document("a", [[(5, 6)], [(5, 6)]])
    found = Alignment(Side(key), Side(response), distinct=True).names()
    assert found == ([(0, 1), ((0, 1), 2), ((0, 1), 3)], [(5, 6), ((5, 6), 2)])
    assert Alignment(Side(key), Side(response)).names()[1] == [(5, 6), (5, 6)]


def test_a_missing_document_is_an_empty_response(file):
    key = file(conllu("a (e1--1-)") + conllu("b (e1--1-)").replace("= a", "= b"), "key")
    response = file(conllu("a (e1--1-)"), "response")
    result = score(key, response, match="head")
    assert (result.b3.recall, result.b3.precision) == (0.5, 1)
    assert [problem.code for problem in result.problems] == ["missing-document"]
    strict = score(response, key, match="head", documents="strict")
    assert (strict.b3.recall, strict.b3.precision) == (1, 0.5)


def test_a_scorer_matches_lists_as_far_as_positions_go():
    scorer = Scorer(match="overlap", metrics=["mentions", "mor"])
    scorer.update([[(0, 3), (5, 6)]], [[(1, 3), (5, 6)]])
    # Dice of (0, 3) and (1, 3): 2 * 2/(3 + 2) = 0.8. Common words: 2 + 1 of 4 in the key.
    assert scorer.compute().mentions.f1 == 1
    assert scorer.compute().mor.recall == 3 / 4
    with pytest.raises(DataError, match="read without details"):
        Scorer(match="head").update([[(0, 3)]], [[(1, 3)]])
    with pytest.raises(OptionError, match="which matches exactly"):
        Recipe(match="head", repeated="official")


def test_documents_may_be_scored_as_one(file):
    second = conllu("it (e1--1-)").replace("= a", "= b")
    key = file(conllu("the (e1--2-", "dog e1)") + second, "key")
    response = file(conllu("the", "dog (e1--1-)") + second, "response")
    options = {"match": "head", "as_one_document": True, "metrics": ["muc", "mor", "zero"]}
    together = score(key, response, shared_ids=True, **options)
    assert together.muc.recall == 1
    assert together.documents == 1
    assert (together.mor.recall, together.mor.precision) == (2 / 3, 1)
    apart = score(key, response, **options)
    assert apart.muc.recall_denominator == 0


def test_an_importance_sees_the_mentions_and_not_their_numbers():
    seen = []

    def importance(entity) -> float:
        seen.extend(entity)
        return 1.0

    key = corefmeter.Corpus([document([((0, 3), 2), ((5, 6), 5)])])
    response = corefmeter.Corpus([document([((2, 3), 2), ((5, 6), 5)])])
    score(key, response, match="head", metrics="lea", lea_importance=importance)
    assert set(seen) == {(0, 3), (5, 6), (2, 3)}


# The cost


def test_only_mentions_with_the_same_head_are_compared(monkeypatch):
    """A thousand mentions are left after the exact stage; ten have a partner."""
    calls = []

    def counted(one, other):
        calls.append((one, other))
        return 1

    monkeypatch.setattr(alignment_of, "count_common_nodes", counted)
    key = document(*([((n, n + 2), n)] for n in range(0, 2000, 2)))
    response = document(*([((n + 1, n + 2), n + 1 if n >= 20 else n)] for n in range(0, 2000, 2)))
    alignment = aligned(key, response, Recipe(match="head"))
    assert len(alignment.matches) == len(calls) == 10


# Against a slow definition, and laws


@st.composite
def sides(draw) -> Document:
    """A few mentions in eight tokens and two empty nodes; some share their words or their head."""
    every = [0, 1, 2, (3, 3, 1), 3, 4, (5, 5, 1), (5, 5, 2), 5, 6, 7]
    entities = []
    for size in draw(st.lists(st.integers(1, 3), max_size=3)):
        mentions = []
        for _ in range(size):
            first = draw(st.integers(0, len(every) - 1))
            last = min(len(every) - 1, first + draw(st.integers(0, 3)))
            chosen = every[first : last + 1]
            if len(chosen) > 2 and draw(st.booleans()):
                del chosen[1]
            head = draw(st.sampled_from(chosen))
            deps = draw(
                st.sets(st.tuples(st.sampled_from([0, 6]), st.sampled_from("ab")), max_size=2)
            )
            mentions.append((position_of(chosen), head, tuple(sorted(deps))))
        entities.append(mentions)
    return document(*entities)


def position_of(chosen: list) -> tuple:
    found: list[tuple] = []
    for node in chosen:
        if isinstance(node, tuple):
            found.append(node)
        elif found and len(found[-1]) == 2 and found[-1][1] == node:
            found[-1] = (found[-1][0], node + 1)
        else:
            found.append((node, node + 1))
    return found[0] if len(found) == 1 and len(found[0]) == 2 else tuple(found)


def flat(side: Document) -> list[tuple]:
    """``(set of nodes, head, deps)`` of each mention."""
    return [
        (frozenset(nodes(position)), detail.head, set(detail.attributes.get("deps", ())))
        for entity, details in zip(side.entities, side.details, strict=True)
        for position, detail in zip(entity, details, strict=True)
    ]


def f1(one: set, other: set) -> Fraction:
    return Fraction(2 * len(one & other), len(one) + len(other)) if one or other else Fraction(0)


def zero_weight(k, r) -> Fraction:
    if not (isinstance(k[1], tuple) and isinstance(r[1], tuple)):
        return Fraction(0)
    return 10 * f1(k[2], r[2]) + f1({p for p, _ in k[2]}, {p for p, _ in r[2]})


def rest_weight(match: str, k, r) -> Fraction:
    shared = len(k[0] & r[0])
    if match == "head" and k[1] == r[1]:
        return Fraction(shared, len(k[0]))
    if match == "partial" and k[1] in r[0] <= k[0]:
        return Fraction(shared, len(k[0]))
    dice = Fraction(2 * shared, len(k[0]) + len(r[0]))
    return dice if match == "overlap" and dice >= Fraction(1, 2) else Fraction(0)


def slow_best(keys: list[int], responses: list[int], weight) -> set[tuple[int, int]]:
    """The first of the best assignments, by trying all; keys and responses in order."""
    if len(keys) > len(responses):
        responses = responses + [-1] * (len(keys) - len(responses))
    best = (Fraction(-1), None, set())
    for chosen in set(permutations(responses, len(keys))):
        found = [
            (place, responses.index(r), k, r)
            for place, (k, r) in enumerate(zip(keys, chosen, strict=True))
            if r >= 0 and weight(k, r) > 0
        ]
        total = sum((weight(k, r) for *_, k, r in found), Fraction(0))
        ranks = [(place, rank) for place, rank, *_ in found]
        if total > best[0] or (total == best[0] and ranks < best[1]):
            best = (total, ranks, {(k, r) for *_, k, r in found})
    return best[2]


def slow_pairs(key: Document, response: Document, match: str, zeros: str) -> set[tuple[int, int]]:
    k, r = flat(key), flat(response)

    def order(numbers, side):
        positions = [p for entity in side.entities for p in entity]

        def place(number):
            within = sorted(nodes(positions[number]), key=node_key)
            first, last = within[0], within[-1]
            start = first if isinstance(first, int) else first[0]
            end = last + 1 if isinstance(last, int) else last[0]
            return start, end, len(within), [node_key(node) for node in within], number

        return sorted(numbers, key=place)

    found: set[tuple[int, int]] = set()

    def free():
        return (
            order([i for i in range(len(k)) if i not in {a for a, _ in found}], key),
            order([i for i in range(len(r)) if i not in {b for _, b in found}], response),
        )

    if zeros == "dependency":
        found |= slow_best(*free(), lambda a, b: zero_weight(k[a], r[b]))
    for a in range(len(k)):
        for b in range(len(r)):
            taken = a in {x for x, _ in found} or b in {x for _, x in found}
            if not taken and k[a][0] == r[b][0] and (match != "head" or k[a][1] == r[b][1]):
                found.add((a, b))
    return found | slow_best(*free(), lambda a, b: rest_weight(match, k[a], r[b]))


@settings(max_examples=scaled(150))
@given(
    sides(), sides(), st.sampled_from(["exact", "head", "partial", "overlap"]),
    st.sampled_from(["position", "dependency"]),
)  # fmt: skip
def test_the_stages_are_as_defined(key, response, match, zeros):
    recipe = Recipe(match=match, zeros=zeros, repeated="distinct")
    alignment = aligned(key, response, recipe)
    # Copies in one entity count once; the definition below has none.
    key, response = alignment.key.document, alignment.response.document
    found = {(m.key, m.response) for m in alignment.matches}
    assert found == slow_pairs(key, response, match, zeros)
    assert alignment.matches == sorted(alignment.matches)
    assert [alignment.key_partner[m.key] for m in alignment.matches] == [
        m.response for m in alignment.matches
    ]


@given(sides(), st.sampled_from(["exact", "head", "partial", "overlap"]))
def test_a_document_matches_itself(side, match):
    recipe = Recipe(match=match, zeros="dependency", repeated="distinct")
    alignment = aligned(side, side, recipe)
    assert len(alignment.matches) == len(alignment.key)


@given(sides(), sides(), st.sampled_from(["head", "partial", "overlap"]))
def test_a_mention_has_one_partner_and_names_say_which(key, response, match):
    alignment = aligned(key, response, Recipe(match=match, repeated="distinct"))
    assert len({m.key for m in alignment.matches}) == len(alignment.matches)
    assert len({m.response for m in alignment.matches}) == len(alignment.matches)
    named, other = alignment.documents()
    ours = [name for entity in named.entities for name in entity]
    theirs = [name for entity in other.entities for name in entity]
    assert len(set(ours)) == len(ours) == len(alignment.key)
    assert len(set(theirs)) == len(theirs) == len(alignment.response)
    assert {(ours.index(name), theirs.index(name)) for name in set(ours) & set(theirs)} == {
        (m.key, m.response) for m in alignment.matches
    }


def test_of_copies_in_one_entity_the_first_counts_and_other_entities_keep_theirs():
    """Entity a has (0, 2) twice, b once, with another head; b's is not the second of a."""
    heads = [[0, 0], [1]]
    document = Document(
        "x",
        [[(0, 2), (0, 2)], [(0, 2)]],
        entity_names=["a", "b"],
        details=[[Detail(head=head) for head in entity] for entity in heads],
    )
    alignment = aligned(document, document, Recipe(match="head", repeated="distinct"))
    found = alignment.key.document
    assert (found.entities, found.entity_names) == ([[(0, 2)], [(0, 2)]], ["a", "b"])
    assert [[detail.head for detail in entity] for entity in found.details] == [[0], [1]]
