"""MUC's matching by MIN, and optional mentions; the values are counted by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import corefmeter
from corefmeter import Recipe
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.text import Detail, Text
from corefmeter.matching.min import check_texts, warn_without_minima
from corefmeter.problems import DataError
from corefmeter.scoring import match_corpora, score_corpora

MIN = Recipe(match="min")


def document(entities, **options) -> Document:
    """A document of mentions ``(start, end, minimum, optional)``; the last two may be missing."""
    mentions = [[(*mention, None, False)[:4] if len(mention) == 2 else (*mention, False)[:4]
                 for mention in entity] for entity in entities]  # fmt: skip
    return Document(
        "x",
        [[(start, end) for start, end, _, _ in entity] for entity in mentions],
        details=[
            [
                Detail(minimum=minimum, attributes={"optional": True} if optional else {})
                for *_, minimum, optional in entity
            ]
            for entity in mentions
        ],
        **options,
    )


def matched(key, response):
    """The pairs of spans that are matched, and the key entities that are scored."""
    (alignment,), _ = match_corpora(Corpus([document(key)]), Corpus([document(response)]), MIN)
    pairs = [
        (alignment.key.positions[m.key], alignment.response.positions[m.response], m.weight)
        for m in alignment.matches
    ]
    return pairs, alignment.key.document.entities


def muc(key, response) -> tuple[float, float, float, float]:
    """Recall and precision of MUC as sums: numerators and denominators."""
    score = scores(key, response).muc
    return (
        score.recall_numerator,
        score.recall_denominator,
        score.precision_numerator,
        score.precision_denominator,
    )


def scores(key, response, **options):
    recipe = Recipe(match="min", **options)
    return score_corpora(Corpus([document(key)]), Corpus([document(response)]), recipe)


K = (0, 6, (3, 4))  # "the last big contract of theirs": MIN is "contract"


@pytest.mark.parametrize(
    ("response", "weight"),
    [
        ((0, 6), 1.0),  # the whole
        ((3, 4), 1 / 6),  # the MIN alone: one token of six
        ((2, 4), 2 / 6),
        ((2, 6), 4 / 6),
        ((0, 3), None),  # without the MIN
        ((4, 6), None),
        ((2, 7), None),  # beyond the key mention
        ((0, 7), None),
    ],
)
def test_a_response_covers_min_and_stays_within_the_key_mention(response, weight):
    pairs, _ = matched([[K]], [[response]])
    assert pairs == ([] if weight is None else [((0, 6), response, pytest.approx(weight))])


def test_a_min_of_two_tokens_is_covered_as_a_whole():
    assert matched([[(0, 5, (1, 3))]], [[(1, 2)]])[0] == []
    assert matched([[(0, 5, (1, 3))]], [[(1, 3)]])[0] == [((0, 5), (1, 3), 0.4)]


def test_without_min_the_whole_mention_is_needed():
    assert matched([[(0, 3)]], [[(1, 3)]])[0] == []
    assert matched([[(0, 3)]], [[(0, 3)]])[0] == [((0, 3), (0, 3), 1.0)]


def test_min_of_the_response_plays_no_role():
    assert matched([[(0, 3)]], [[(0, 4, (1, 2))]])[0] == []


def test_one_to_one_the_same_span_first_then_the_greater_share():
    assert matched([[K]], [[(3, 4), (0, 6)]])[0] == [((0, 6), (0, 6), 1.0)]
    assert matched([[K]], [[(3, 4), (2, 6)]])[0] == [((0, 6), (2, 6), 4 / 6)]


def test_nested_key_mentions_with_one_min_take_one_partner_each():
    # (2, 5) covers 3 of 4 of the inner, 3 of 8 of the outer; (3, 8) fits the outer only: 5 of 8.
    pairs, _ = matched([[(0, 8, (3, 4))], [(2, 6, (3, 4))]], [[(2, 5), (3, 8)]])
    assert pairs == [((0, 8), (3, 8), 5 / 8), ((2, 6), (2, 5), 3 / 4)]


def test_gaps_count_as_tokens_that_are_not_there():
    pairs, _ = matched([[(0, 6, (3, 4))]], [[(0, 6)]])
    assert pairs[0][2] == 1.0
    key = Corpus([document([[(0, 6, (3, 4))]])])
    response = Corpus([Document("x", [[((0, 1), (3, 4))]], details=[[Detail()]])])
    (alignment,), _ = match_corpora(key, response, MIN)
    assert alignment.matches[0].weight == pytest.approx(2 / 6)


# Optional mentions. A to D are key mentions of one chain, D is optional.

A, B, C, D = (0, 1), (2, 3), (4, 5), (6, 7, None, True)


def test_an_optional_mention_that_is_not_found_leaves_the_denominator():
    # Key {A, B, C} after D left: 3 - 1 links asked for, all found; response 3 - 1 links.
    assert muc([[A, B, C, D]], [[A, B, C]]) == (2, 2, 2, 2)
    # The same without OPT: 4 - 1 links asked for, 2 found.
    assert muc([[A, B, C, (6, 7)]], [[A, B, C]]) == (2, 3, 2, 2)


def test_an_optional_mention_that_is_found_counts_as_any_other():
    assert muc([[A, B, C, D]], [[A, B, C, (6, 7)]]) == (3, 3, 3, 3)


def test_an_optional_mention_in_another_chain_is_wrong_but_not_spurious():
    # Key {A, B, D}; response {A, B}, {C', D}: the key falls into 2 parts of 3 mentions, recall
    # (3 - 2) / (3 - 1); response {A, B} gives 1 of 1; {C', D} falls into 2 parts: 0 of 1.
    key, response = [[A, B, D]], [[A, B], [(6, 7), (8, 9)]]
    assert muc(key, response) == (1, 2, 1, 2)
    mentions = scores(key, response, metrics="mentions").mentions
    assert (mentions.recall, mentions.precision) == (1.0, 3 / 4)


def test_mention_detection_ignores_what_is_optional_and_not_found():
    mentions = scores([[A, B, D]], [[A]], metrics="mentions").mentions
    assert (mentions.recall, mentions.precision) == (1 / 2, 1.0)


def test_an_optional_chain_that_is_not_found_is_no_entity():
    optional = [(10, 12, None, True), (13, 14, None, True)]
    _, entities = matched([[A, B], optional], [[A, B]])
    assert entities == [[A, B]]
    assert muc([[A, B], optional], [[A, B]]) == (1, 1, 1, 1)
    # B3: both key mentions and both response mentions are perfect.
    b3 = scores([[A, B], optional], [[A, B]]).b3
    assert (b3.recall, b3.precision, b3.recall_denominator) == (1.0, 1.0, 2)


def test_of_an_optional_chain_what_is_found_stays():
    # One of two optional mentions is found: an entity of one, no link asked for; the response has
    # no link either beyond A-B.
    optional = [(10, 12, None, True), (13, 14, None, True)]
    _, entities = matched([[A, B], optional], [[A, B], [(10, 12)]])
    assert entities == [[A, B], [(10, 12)]]
    assert muc([[A, B], optional], [[A, B], [(10, 12)]]) == (1, 1, 1, 1)
    # Joined with A and B by the response: 3 - 1 links, of which one is right.
    assert muc([[A, B], optional], [[A, B, (10, 12)]]) == (1, 1, 1, 2)


def test_an_optional_mention_is_matched_by_its_min():
    optional = (6, 10, (8, 9), True)
    assert muc([[A, B, optional]], [[A, B, (8, 10)]]) == (2, 2, 2, 2)
    # Without the MIN it is not found, and what the response has there is spurious.
    assert muc([[A, B, optional]], [[A, B, (6, 8)]]) == (1, 1, 1, 2)


def test_ceaf_does_not_count_what_left():
    # Mention-based CEAF: 2 of 2 key mentions in common, 2 of 2 response mentions.
    ceafm = scores([[A, B, D]], [[A, B]], metrics="ceafm").ceafm
    assert (ceafm.recall, ceafm.precision) == (1.0, 1.0)


def tokens(entity) -> int:
    """How many tokens the mentions of an entity have."""
    return sum(end - start for start, end in entity)


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # Found by its MIN, K has 6 tokens in the key and 1 in the response. All links are right.
        ([[K, (8, 9)], [(10, 12)]], [[(3, 4), (8, 9)], [(10, 12)]], (9, 9, 4, 4)),
        # The link of K and (8, 9) is missing: 2 of 7 + 2. Neither is alone in the key: 2 of 4.
        ([[K, (8, 9)], [(10, 12)]], [[(3, 4)], [(8, 9)], [(10, 12)]], (2, 9, 2, 4)),
        # An optional mention that is not found leaves its entity, with its 6 tokens.
        ([[K, (8, 9), (14, 20, (15, 16), True)]], [[(2, 4), (8, 9)]], (7, 7, 3, 3)),
    ],
)
def test_an_importance_sees_the_mentions_of_its_side_that_are_scored(key, response, expected):
    found = scores(key, response, metrics="lea", lea_importance=tokens).lea
    assert (found.recall_numerator, found.recall_denominator) == expected[:2]
    assert (found.precision_numerator, found.precision_denominator) == expected[2:]


def test_names_and_matches_follow_what_is_left():
    key = document([[D], [A, B]], entity_names=["optional", "kept"])
    (alignment,), _ = match_corpora(Corpus([key]), Corpus([document([[A, B]])]), MIN)
    assert alignment.key.document.entity_names == ["kept"]
    assert [(m.key, m.response) for m in alignment.matches] == [(0, 0), (1, 1)]
    assert alignment.key_partner == [0, 1]
    assert key.entities == [[(6, 7)], [A, B]]  # the corpus itself is as it was


def test_other_ways_of_matching_take_optional_mentions_as_they_are():
    recipe = Recipe(match="exact")
    result = score_corpora(Corpus([document([[A, B, D]])]), Corpus([document([[A, B]])]), recipe)
    assert (result.muc.recall_numerator, result.muc.recall_denominator) == (1, 2)


def test_different_texts_are_refused_with_the_offset():
    key = document([[(0, 3)]], unit="characters", text=Text(list("Ann left"), between=""))
    response = document([[(0, 3)]], unit="characters", text=Text(list("Ann lift"), between=""))
    with pytest.raises(DataError) as caught:
        match_corpora(Corpus([key]), Corpus([response]), MIN)
    (problem,) = caught.value.problems
    assert problem.code == "text-differs"
    assert "at character 5" in problem.message


@pytest.mark.parametrize(
    ("ours", "theirs", "message"),
    [
        # The message has the first 20 characters that differ of each side.
        ("Ann " + "x" * 30, "Ann " + "y" * 30,
        f"at character 4: {'y' * 20!r} instead of {'x' * 20!r}"),
        ("Ann left", "Ann", "at character 3: '' instead of ' left'"),
        ("Ann", "Ann left", "at character 3: ' left' instead of ''"),
    ],
)  # fmt: skip
def test_different_texts_are_quoted_where_they_part(ours, theirs, message):
    sides = [
        Corpus([document([[(0, 3)]], unit="characters", text=Text(list(words), between=""))])
        for words in (ours, theirs)
    ]
    with pytest.raises(DataError) as caught:
        match_corpora(*sides, MIN)
    assert message in caught.value.problems[0].message


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"text": Text(list("Ann left"), between="")}, {}),
        ({}, {"text": Text(list("Ann left"), between="")}),
        ({}, {}),
    ],
)
def test_a_side_without_text_has_no_other_text(ours, theirs):
    key = document([[(0, 3), (4, 8)]], unit="characters", **ours)
    response = document([[(0, 3), (4, 8), (5, 8)]], unit="characters", **theirs)
    (alignment,), _ = match_corpora(Corpus([key]), Corpus([response]), MIN)
    assert [(match.key, match.response) for match in alignment.matches] == [(0, 0), (1, 1)]


def test_texts_of_tokens_may_differ():
    sides = [document([[(0, 1)]], text=Text([word])) for word in ("Ann", "Anne")]
    check_texts(*sides)


def test_a_key_without_minima_is_named_by_the_first_file():
    keys = [document([[(0, 1)]], path=path) for path in (None, "one.sgm", "two.sgm")]
    (problem,) = warn_without_minima(keys)
    assert problem.path == "one.sgm"
    assert warn_without_minima(keys[:1])[0].path is None


def test_the_recipe_names_it():
    recipe = MIN
    assert recipe.needs_details
    assert Recipe.parse(recipe.signature()) == recipe


# Against the definition, on many small documents


def random_side(rng: random.Random, with_minima: bool):
    """Entities over 8 tokens, no span twice."""
    spans = [(start, end) for start in range(8) for end in range(start + 1, 9)]
    mentions = []
    for start, end in rng.sample(spans, rng.randint(0, 5)):
        minimum = None
        if with_minima and rng.random() < 0.7:
            first = rng.randrange(start, end)
            minimum = (first, rng.randint(first + 1, end))
        mentions.append((start, end, minimum, with_minima and rng.random() < 0.5))
    cuts = rng.randint(0, len(mentions))
    return [entity for entity in (mentions[:cuts], mentions[cuts:]) if entity]


def best_weight(key, response) -> Fraction:
    """The greatest sum of shares of any one-to-one pairing by the definition, spans first."""
    same = {k[:2] for k in key} & {r[:2] for r in response}
    key = [k for k in key if k[:2] not in same]
    response = [set(range(*r[:2])) for r in response if r[:2] not in same]

    def best(number: int, left: tuple[int, ...]) -> Fraction:
        if number == len(key):
            return Fraction(0)
        start, end, minimum, _ = key[number]
        whole = set(range(start, end))
        core = set(range(*minimum)) if minimum else whole
        found = best(number + 1, left)
        for r in left:
            if core <= response[r] <= whole:
                share = Fraction(len(response[r]), len(whole))
                rest = tuple(other for other in left if other != r)
                found = max(found, share + best(number + 1, rest))
        return found

    return len(same) + best(0, tuple(range(len(response))))


def test_the_pairs_are_those_of_the_definition_and_optional_is_as_if_not_annotated():
    rng = random.Random(7)
    for _ in range(400):
        key, response = random_side(rng, True), random_side(rng, False)
        pairs, _ = matched(key, response)
        flat_key = [mention for entity in key for mention in entity]
        flat_response = [mention for entity in response for mention in entity]
        by_span = {mention[:2]: mention for mention in flat_key}
        for k, r, _ in pairs:
            core = by_span[k][2] or k
            assert k == r or (k[0] <= r[0] <= core[0] and core[1] <= r[1] <= k[1])
        assert len({k for k, _, _ in pairs}) == len({r for _, r, _ in pairs}) == len(pairs)
        total = sum(Fraction(r[1] - r[0], k[1] - k[0]) for k, r, _ in pairs)
        assert total == best_weight(flat_key, flat_response)
        # What is optional and has no partner might as well not stand in the file.
        found = {k for k, _, _ in pairs}
        left = [[(*m[:3], False) for m in entity if not m[3] or m[:2] in found] for entity in key]
        left = [entity for entity in left if entity]
        one, two = scores(key, response), scores(left, response)
        for name in ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea"):
            assert one[name].f1 == two[name].f1, (name, key, response)


def test_systems_that_find_other_optional_mentions_can_be_compared():
    """One key: OPT (4, 5) is found by A in each document, and leaves the key of B."""
    key, found = [[(0, 1), (2, 3), (4, 5, None, True)]], [[(0, 1), (2, 3), (4, 5)]]

    def corpus(entities) -> Corpus:
        documents = [document(entities) for _ in range(4)]
        for number, one in enumerate(documents):
            one.name = f"d{number}"
        return Corpus(documents)

    systems = {"A": corpus(found), "B": corpus([[(0, 1), (2, 3)]])}
    comparison = corefmeter.compare(corpus(key), systems, match="min", metrics="muc", trials=99)
    # A: 2 of 2 links a document; B: 1 of 1, since the optional one is not asked for.
    assert {name: score.f1 for name, score in comparison["muc"].scores.items()} == {
        "A": 1,
        "B": 1,
    }


def test_a_key_without_minima_is_told():
    _, problems = match_corpora(Corpus([document([[(0, 1)]])]), Corpus([document([[(0, 1)]])]), MIN)
    assert [problem.code for problem in problems] == ["no-minima"]
    bare = Corpus([Document("x", [[(0, 1)]], text=Text(["a"]))])
    assert [p.code for p in match_corpora(bare, bare, MIN)[1]] == ["no-minima"]
    with_one = Corpus([document([[(0, 2, (0, 1))]])])
    assert match_corpora(with_one, with_one, MIN)[1] == []
