"""Each metric on examples small enough to be computed by hand.

Letters are mentions, words are entities. The arithmetic stands beside each example.
"""

from __future__ import annotations

from math import log

import pytest

from corefmeter import OptionError, Scorer, score

from .letters import entities


def scores(metric: str, key: str, response: str, **options):
    return score(entities(key), entities(response), metrics=metric, **options)[metric]


def counts(metric: str, key: str, response: str, **options):
    found = scores(metric, key, response, **options)
    return pytest.approx(
        (
            found.recall_numerator,
            found.recall_denominator,
            found.precision_numerator,
            found.precision_denominator,
        ),
        abs=1e-15,
    )


def values(metric: str, key: str, response: str, **options):
    found = scores(metric, key, response, **options)
    return pytest.approx((found.recall, found.precision, found.f1), abs=1e-15)


# Mentions: found mentions over mentions of each side, whatever entity they are in.


def test_mentions_are_counted_whatever_entity_they_are_in():
    assert counts("mentions", "abc d", "ad x y") == (2, 4, 2, 4)


def test_a_mention_that_stands_twice_is_one_mention():
    assert counts("mentions", "ab", "a xx x") == (1, 2, 1, 2)


# MUC: sum of |k| - |p(k)| over sum of |k| - 1.


def test_muc_counts_the_fewest_links_that_are_missing():
    # p(abcd) = {ab, c, d}: 4 - 3 = 1 of 3 links; response: ab is whole, x alone: 1 of 1.
    assert counts("muc", "abcd", "ab x") == (1, 3, 1, 1)


def test_muc_does_not_care_what_a_wrong_link_merges():
    # One link too many, whether two singletons or two large entities were merged.
    assert counts("muc", "abcde fghij k l", "abcde fghij kl") == (8, 8, 8, 9)
    assert counts("muc", "abcde fghij k l", "abcdefghij k l") == (8, 8, 8, 9)


def test_muc_sees_no_singletons():
    assert counts("muc", "a b c", "a b x y z") == (0, 0, 0, 0)
    assert scores("muc", "a b c", "a b x").undefined == ("recall", "precision", "f1")


# B-cubed: the mean over mentions of the overlap of their two entities.


def test_b3_averages_over_mentions():
    # Key: a, b, c see 2/3, 2/3, 1/3 of their entity; d sees 1/1: 8/3 of 4.
    # Response: a, b: 2/2; c, d: 1/2: 3 of 4.
    assert counts("b3", "abc d", "ab cd") == (8 / 3, 4, 3, 4)


def test_b3_gives_nothing_for_mentions_without_a_twin_and_still_counts_them():
    # Recall: a, b: 2/3 each, c: 0; precision: a, b: 2/4 each, x, y: 0.
    assert counts("b3", "abc", "abxy") == (4 / 3, 3, 1, 4)


def test_b3_counts_each_copy_of_a_mention_that_the_key_lacks():
    # x stands three times: a, b see 2/3 of their entity each, over 3 + 2 copies.
    assert counts("b3", "ab", "abx xx") == (2, 2, 4 / 3, 5)


# CEAF: the best one-to-one map.


def test_ceafm_counts_mentions_in_aligned_entities():
    # abc-abd shares 2, ef-cef shares 2: 4 of 5 key mentions, 4 of 6 response mentions.
    assert counts("ceafm", "abc ef", "abd cef") == (4, 5, 4, 6)


def test_ceafe_weighs_every_entity_the_same():
    # abc-abd: 2*2/6 = 2/3; ef-cef: 2*2/5 = 4/5.
    assert counts("ceafe", "abc ef", "abd cef") == (2 / 3 + 4 / 5, 2, 2 / 3 + 4 / 5, 2)


def test_ceaf_aligns_an_entity_once():
    # Both halves share two mentions with abcd; one of them is aligned: 2*2/6.
    assert counts("ceafe", "abcd", "ab cd") == (2 / 3, 1, 2 / 3, 2)
    assert counts("ceafm", "abcd", "ab cd") == (2, 4, 2, 4)


def test_ceaf_may_give_up_the_largest_overlap():
    # k1 = abcde, k2 = fg; r1 = abcfg, r2 = de. Aligning k1-r1 (3) leaves k2-r2 (0): 3 in all.
    # Aligning k1-r2 (2) and k2-r1 (2) gives 4.
    assert counts("ceafm", "abcde fg", "abcfg de") == (4, 7, 4, 7)


def test_ceaf_phi1_counts_entities_that_are_exactly_right():
    assert counts("ceaf1", "abc de f", "abc d ef f") == (1, 3, 1, 3)


def test_ceaf_phi2_counts_entities_found_by_any_mention_once():
    # abc-a, de-d; the response entity b has no partner left.
    assert counts("ceaf2", "abc de", "a b d") == (2, 2, 2, 3)


def squared(common: int, key_size: int, response_size: int) -> int:
    return common * common


def test_ceaf_takes_any_similarity_and_divides_by_similarities_with_oneself():
    # abc-ab: 2*2, d-cd: 1*1; key: 9 + 1; response: 4 + 4.
    found = scores("ceaf", "abc d", "ab cd", ceaf_similarity=squared)
    assert found.recall == 5 / 10
    assert found.precision == 5 / 8


# BLANC: the mean over links within entities and links across entities.


def test_blanc_is_a_mean_of_f_measures_not_an_f_measure_of_means():
    # C_k = {ab, ac, bc}, C_r = {ab, cd}: R 1/3, P 1/2, F 2/5.
    # N_k = {ad, bd, cd}, N_r = {ac, ad, bc, bd}: R 2/3, P 2/4, F 4/7.
    found = scores("blanc", "abc d", "ab cd")
    assert found.f1 == pytest.approx((2 / 5 + 4 / 7) / 2)
    assert (found.recall, found.precision) == pytest.approx((1 / 2, 1 / 2))
    assert found.coreference.f1 == pytest.approx(2 / 5)
    assert found.noncoreference.f1 == pytest.approx(4 / 7)


def test_blanc_counts_distinct_pairs_of_repeated_mentions():
    # N_r: a-x, b-x, and x with itself, for x stands in two entities; C_r: ab. C_k: ab.
    found = scores("blanc", "ab c", "ab x x")
    assert found.coreference.precision_denominator == 1
    assert found.noncoreference.precision_denominator == 3


@pytest.mark.parametrize(
    ("key", "response", "official", "luo2014", "recasens2011"),
    [
        # One key mention at most: neither side of the key has links.
        ("a", "a", None, 1, None),
        ("a", "b", None, 0, None),
        ("a", "", None, 0, None),
        ("", "", None, None, None),
        # The response has links where the key has none: 0 of 1, nothing to find.
        ("a", "ab", None, 0, None),
        # No coreference links in the key. N_k = {ab, ac, bc}.
        ("a b c", "a b c", 1, 1, 1),
        ("a b c", "a b d", 1 / 3, 1 / 3, 1),  # N: 1/3, 1/3; on common mentions 1/1
        ("a b c", "ab c", 4 / 5, 2 / 5, 4 / 5),  # N: 2/3, 2/2, F 4/5; luo2014: (0 + 4/5)/2
        ("a b c", "abc", 0, 0, 0),
        # No non-coreference links in the key. C_k = {ab, ac, bc}.
        ("abc", "abc", 1, 1, 1),
        ("abc", "bc", 1 / 2, 1 / 2, 1),  # C: 1/3, 1/1; on common mentions 1/1
        ("abc", "ab c", 1 / 2, 1 / 4, 1 / 2),  # C: 1/3, 1/1, F 1/2; luo2014: (1/2 + 0)/2
        ("abc", "a b c", 0, 0, 0),
        # The key has both kinds, the response lacks one: 0 for it, still averaged.
        ("ab c", "a b c", 2 / 5, 2 / 5, 2 / 5),  # C: 0; N: 2/2, 2/3, F 4/5
        ("ab c", "abc", 1 / 4, 1 / 4, 1 / 4),  # C: 1/1, 1/3, F 1/2; N: 0
        # Both sides have both.
        ("ab c", "ab c", 1, 1, 1),
        ("ab c", "ab d", 1 / 2, 1 / 2, 1),  # C: 1; N_k = {ac, bc}, N_r = {ad, bd}: 0
    ],
)
def test_blanc_where_a_kind_of_link_is_missing(key, response, official, luo2014, recasens2011):
    expected = {"official": official, "luo2014": luo2014, "recasens2011": recasens2011}
    for policy, value in expected.items():
        found = scores("blanc", key, response, blanc=policy)
        assert found.f1 == pytest.approx(value or 0, abs=1e-15), policy
        assert ("f1" in found.undefined) == (value is None), policy


def test_blanc_recall_and_precision_where_the_response_lacks_a_kind_of_link():
    # C: R 0/1, P 0/0; N: R 2/2, P 2/3.
    assert values("blanc", "ab c", "a b c") == (1 / 2, 1 / 3, 2 / 5)
    # C: R 1/1, P 1/3; N: R 0/2, P 0/0.
    assert values("blanc", "ab c", "abc") == (1 / 2, 1 / 6, 1 / 4)


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # C: R 0/1, P 0/0; N: R 2/2, P 2/3.
        ("ab c", "a b c", (1 / 2, 1, 1 / 3, 1)),
        # C_k = {ab, ac, bc}, C_r = {ab}: R 1/3, P 1/1; N_k = {ad, bd, cd}, all in N_r, the five
        # pairs that are not ab: R 3/3, P 3/5.
        ("abc d", "ab c d", (2 / 3, 1, 4 / 5, 1)),
        # C: R 0/1, P 0/0; N: R 0/2, P 0/0: precision is 0/0 and recall is not.
        ("ab c", "", (0, 1, 0, 0)),
    ],
)
def test_a_mean_of_ratios_is_counted_over_1_on_either_side(key, response, expected):
    assert counts("blanc", key, response) == expected


@pytest.mark.parametrize("policy", ["official", "luo2014"])
def test_blanc_precision_is_undefined_only_if_it_is_for_every_kind_of_link(policy):
    partly = scores("blanc", "ab c", "a b c", blanc=policy)
    assert partly.undefined == ()
    assert partly.coreference.undefined == ("precision",)
    assert scores("blanc", "ab c", "", blanc=policy).undefined == ("precision",)
    assert scores("blanc", "ab c", "a", blanc=policy).undefined == ("precision",)


def test_the_policies_of_blanc_agree_where_both_sides_have_the_same_mentions_and_both_kinds():
    found = [scores("blanc", "abc d", "ab cd", blanc=policy)[:3] for policy in
             ("official", "luo2014", "recasens2011")]  # fmt: skip
    assert found[0] == found[1] == found[2]


# LEA: importance times the share of links that are resolved.


def test_lea_weighs_resolved_links_by_the_size_of_the_entity():
    # abcd: links ab of 6: 4 * 1/6; ef: 2 * 1/1; response: ab 2 * 1, cef: 3 * 1/3.
    assert counts("lea", "abcd ef", "ab cef") == (4 / 6 + 2, 6, 3, 5)


def test_lea_resolves_a_singleton_by_a_singleton_only():
    # a stands alone on both sides; b and c are linked in the response: 1 of 3, 1 of 3.
    assert counts("lea", "a b c", "a bc") == (1, 3, 1, 3)
    # The other way round: one mention of bc is not a link of bc.
    assert counts("lea", "a bc", "a b c") == (1, 3, 1, 3)


def test_lea_with_every_entity_equally_important():
    # abcd: 1/6; ef: 1; response: ab 1, cef 1/3.
    assert counts("lea", "abcd ef", "ab cef", lea_importance="one") == (7 / 6, 2, 4 / 3, 2)


def vowels(entity) -> int:
    return sum(mention in "aeiou" for mention in entity)


def test_lea_with_a_function_of_the_mentions_as_importance():
    # vowels(abcd) = 1, vowels(ef) = 1: 1/6 + 1 of 2; vowels(ab) = 1, vowels(cef) = 1: 4/3 of 2.
    assert counts("lea", "abcd ef", "ab cef", lea_importance=vowels) == (7 / 6, 2, 4 / 3, 2)


def test_lea_leaves_out_entities_of_importance_zero():
    # vowels(bc) = 0.
    assert counts("lea", "ae bc", "ae bc", lea_importance=vowels) == (2, 2, 2, 2)


def third(entity) -> float:
    return 0.1 * len(entity)


def test_lea_of_a_perfect_response_is_one_with_weights_that_are_not_whole_numbers():
    assert values("lea", "abcd efg hi j", "abcd efg hi j", lea_importance=third) == (1, 1, 1)
    found = scores("lea", "abcd efg hi j", "abcd efg hi j", lea_importance=third)
    assert (found.recall, found.precision, found.f1) == (1, 1, 1), "not even by a last digit"


# Links, Rand, adjusted Rand, V-measure.


def test_links_are_the_coreference_half_of_blanc():
    # C_k = {ab, ac, bc}, C_r = {ab, cd}.
    assert counts("links", "abc d", "ab cd") == (1, 3, 1, 2)


def test_rand_is_the_share_of_pairs_treated_alike():
    # 6 pairs: ab together on both sides; ad, bd apart on both sides.
    assert values("rand", "abc d", "ab cd") == (3 / 6, 3 / 6, 3 / 6)


def test_rand_leaves_mentions_of_one_side_out():
    # Common: a, b, c. Pairs: ab alike; ac, bc not.
    assert values("rand", "abc d", "ab cx") == (1 / 3, 1 / 3, 1 / 3)


def test_adjusted_rand_is_corrected_for_chance_and_may_be_negative():
    # No pair in common; A = B = 2 of T = 6 pairs: E = 4/6, M = 2: (0 - 2/3)/(2 - 2/3) = -1/2.
    assert values("ari", "ab cd", "ac bd") == (-1 / 2, -1 / 2, -1 / 2)
    # I = 1, A = 3, B = 2, T = 6: E = 1, M = 5/2: 0.
    assert values("ari", "abc d", "ab cd") == (0, 0, 0)


@pytest.mark.parametrize("partition", ["abcd", "a b c d", "ab"])
def test_adjusted_rand_of_equal_trivial_partitions_is_one(partition):
    assert values("ari", partition, partition) == (1, 1, 1)


@pytest.mark.parametrize("metric", ["rand", "ari"])
def test_rand_without_pairs_is_undefined(metric):
    assert scores(metric, "a", "a").undefined == ("recall", "precision", "f1")


def test_v_measure_of_a_response_that_puts_all_in_one_entity():
    # Everything stays together: completeness 1. Nothing is told apart: homogeneity 0.
    assert values("vmeasure", "ab cd", "abcd") == (1, 0, 0)
    assert values("vmeasure", "abcd", "ab cd") == (0, 1, 0)


def test_v_measure_by_hand():
    # H(key) = log 2 and H(response) = log 2 / 2 + log 4 / 2 = 1.5 log 2. The response tells all
    # about the key, I = H(key): homogeneity 1, completeness 1/1.5 = 2/3, V = 4/5.
    completeness = log(2) / (log(2) / 2 + log(4) / 2)
    assert values("vmeasure", "ab cd", "ab c d") == (completeness, 1, pytest.approx(4 / 5))
    assert completeness == pytest.approx(2 / 3)


def test_v_measure_without_common_mentions_is_undefined():
    assert scores("vmeasure", "ab", "xy").undefined == ("recall", "precision", "f1")


@pytest.mark.parametrize("metric", ["rand", "ari", "vmeasure"])
def test_a_metric_on_common_mentions_says_that_it_left_others_out(metric):
    result = score(entities("abc d"), entities("ab x"), metrics=metric)
    assert [problem.code for problem in result.problems] == ["twinless-left-out"]
    assert result.problems[0].message == (
        f"{metric}: computed on the mentions that both sides have; 2 of the key and 1 of the "
        "response are left out"
    )
    assert list(result.statistics) == [metric]
    assert not score(entities("abc d"), entities("ab cd"), metrics=metric).problems


def left_out(result) -> str:
    """What is told of twinless mentions."""
    (problem,) = [p for p in result.problems if p.code == "twinless-left-out"]
    return problem.message


def test_what_is_left_out_is_counted_over_documents_after_the_policies():
    """With singletons dropped, d and x are no mentions: c of each of two documents is left out."""
    key, response = entities("abc d"), entities("ab x")
    both = score({"1": key, "2": key}, {"1": response, "2": response}, metrics="rand",
                 singletons="drop")  # fmt: skip
    assert "; 2 of the key and 0 of the response" in left_out(both)
    scorer = Scorer(metrics="rand", singletons="drop")
    scorer.update(key, response)
    other = Scorer(metrics="rand", singletons="drop")
    other.update(key, response)
    scorer.merge(other)
    assert scorer.compute().problems == both.problems
    scorer.update(key, response)
    assert "; 3 of the key" in left_out(scorer.compute())


# 0/0.


@pytest.mark.parametrize(("policy", "expected"), [("zero", 0.0), ("one", 1.0)])
def test_zero_over_zero_counts_as_the_policy_says(policy, expected):
    found = scores("muc", "a b", "a b", undefined=policy)
    assert (found.recall, found.precision, found.f1) == (expected,) * 3
    assert found.undefined == ("recall", "precision", "f1")


def test_zero_over_zero_may_be_no_number():
    found = scores("muc", "a b", "a b", undefined="skip")
    assert all(value != value for value in (found.recall, found.precision, found.f1))
    assert found.to_dict()["f1"] is None


@pytest.mark.parametrize("policy", ["zero", "one", "skip"])
def test_f1_is_zero_where_one_side_has_nothing_to_be_right_about(policy):
    # MUC: recall 0/1, precision 0/0.
    found = scores("muc", "ab", "a b", undefined=policy)
    assert found.undefined == ("precision",)
    assert (found.recall, found.f1) == (0, 0)


@pytest.mark.parametrize("policy", ["zero", "one", "skip"])
@pytest.mark.parametrize(
    ("metric", "key", "response", "expected"),
    [
        ("muc", "a b", "a b", (0, 0, 0, 0)),  # no links on either side
        ("muc", "abc", "a b c", (0, 2, 0, 0)),  # two links of the key, none of the response
        ("blanc", "a", "a", (0, 0, 0, 0)),  # one mention has no pair
        ("b3", "", "ab", (0, 0, 0, 2)),  # no mention of the key, two of the response
    ],
)
def test_counts_of_an_undefined_score_are_those_of_its_fraction(
    metric, key, response, expected, policy
):
    """The policy decides what 0/0 is, and not what was counted."""
    assert counts(metric, key, response, undefined=policy) == expected


# Averages.


def test_conll_is_the_mean_of_muc_b3_and_ceafe():
    # MUC 2/3 (1/2, 1/1); B3: R (4/3 + 1/3)/3 = 5/9, P 1, F 5/7; CEAFe: 4/5 over 1 and 2, F 8/15.
    result = score(entities("abc"), entities("ab c"), metrics=["muc", "b3", "ceafe", "conll"])
    assert result.muc.f1 == pytest.approx(2 / 3)
    assert result.b3.f1 == pytest.approx(5 / 7)
    assert result.ceafe.f1 == pytest.approx(8 / 15)
    assert result.conll == pytest.approx((2 / 3 + 5 / 7 + 8 / 15) / 3)
    assert result["conll"].f1 == result.conll


def test_mela_is_a_weighted_mean():
    # MUC 2/3, B3 5/7: (1 * 2/3 + 3 * 5/7) / 4.
    result = score(
        entities("abc"), entities("ab c"), metrics="mela", mela_weights={"muc": 1, "b3": 3}
    )
    assert result.mela == pytest.approx((2 / 3 + 3 * 5 / 7) / 4)


@pytest.mark.parametrize(
    ("weights", "value"),
    [
        ("muc+b3=3", (2 / 3 + 3 * 5 / 7) / 4),  # a weight that is not named is 1
        ("muc=2,b3", (2 * 2 / 3 + 5 / 7) / 3),
        ("muc+b3", (2 / 3 + 5 / 7) / 2),
    ],
)
def test_weights_of_mela_as_text(weights, value):
    result = score(entities("abc"), entities("ab c"), metrics="mela", mela_weights=weights)
    assert result.mela == pytest.approx(value)


def test_mela_with_default_weights_is_the_conll_score():
    result = score(entities("abc de"), entities("ab cd"), metrics=["mela", "conll"])
    assert result.mela == result.conll


def test_an_average_names_its_undefined_parts():
    # MUC 0/0 counts 0; B3 and CEAFe are 1.
    result = score(entities("a b"), entities("a b"), metrics="conll")
    assert result.conll == pytest.approx(2 / 3)
    assert result["conll"].undefined == ("muc",)


def test_an_average_leaves_skipped_parts_out():
    result = score(entities("a b"), entities("a b"), metrics="conll", undefined="skip")
    assert result.conll == 1
    assert result["conll"].undefined == ("muc",)


# Singletons.


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        # Key abc d, response ab cd e: singletons are d in the key, e in the response.
        ("keep", (3, 4, 3, 5)),  # abc-ab 2, d-cd 1
        ("drop", (2, 3, 2, 4)),  # abc-ab 2; ab cd keep their four mentions
        ("drop-key", (2, 3, 2, 5)),
        ("drop-response", (3, 4, 3, 4)),
    ],
)
def test_singletons(policy, expected):
    assert counts("ceafm", "abc d", "ab cd e", singletons=policy) == expected


def test_an_entity_that_only_loses_its_partners_is_no_singleton():
    # x is not in the key, but ax is an entity of two and stays.
    assert counts("mentions", "ab", "ax", singletons="drop") == (1, 2, 1, 2)


# Repeated mentions.


def test_first_keeps_the_copy_in_the_entity_that_appears_first():
    # Response ab | bcd: b stays with a. Against ab cd all is right.
    assert counts("muc", "ab cd", "ab bcd", repeated="first") == (2, 2, 2, 2)
    # Response abc | cd: c stays with a and b. p(cd) = {c, d}: 1 of 2; response 1 of 2.
    assert counts("muc", "ab cd", "abc cd", repeated="first") == (1, 2, 1, 2)


def test_first_drops_an_entity_that_is_left_empty():
    assert counts("ceafe", "ab", "ab a b ba", repeated="first") == (1, 1, 1, 1)


def test_first_keeps_every_copy_of_a_mention_that_the_key_lacks():
    # x is wrong in both places: the response has 4 mentions in B3, 3 distinct ones.
    assert counts("b3", "ab", "ab x x", repeated="first") == (2, 2, 2, 4)
    assert counts("mentions", "ab", "ab x x", repeated="first") == (2, 2, 2, 3)


def test_merge_joins_entities_that_share_a_mention():
    # ab | bc | d becomes abc | d: MUC links 2 of 2.
    assert counts("muc", "abc d", "ab bc d", repeated="merge") == (2, 2, 2, 2)
    # Also over several steps, and in the key.
    assert counts("muc", "ab cd bc e", "abcd e", repeated="merge") == (3, 3, 3, 3)


def test_merge_counts_a_repeated_mention_once():
    assert counts("b3", "ab", "ab xx", repeated="merge") == (2, 2, 2, 3)


def test_error_scores_nothing():
    from corefmeter import DataError

    with pytest.raises(DataError, match="'b'") as caught:
        scores("muc", "ab cd", "ab bcd", repeated="error")
    assert [problem.code for problem in caught.value.problems] == ["repeated-mention"]


@pytest.mark.parametrize("policy", ["first", "merge", "official"])
def test_every_repeated_mention_is_reported(policy):
    result = score(entities("ab bc"), entities("ab xx x"), repeated=policy)
    assert [problem.code for problem in result.problems] == ["repeated-mention"] * 2
    assert "'b' of the key" in result.problems[0].message
    assert "'x' of the response" in result.problems[1].message
    assert [problem.count for problem in result.problems] == [1, 2]


#: What the official scorer v8.01 printed for key abc | db | c and response ax | dc, each metric in
#: a run of its own. In the key, b and c occur twice; the last copy is the one that is looked up.
RECORDED = {
    "mentions": (3, 4, 3, 4),
    # ax: a; dc: d is in the second key entity, c in the third. No links. Sizes 3 + 2 + 1 and 2 + 2.
    "muc": (0, 3, 0, 2),
    # Recall a: 1/3, d: 1/2, c: 1/1; precision 1/2 each.
    "b3": (1 / 3 + 1 / 2 + 1, 6, 3 / 2, 4),
    # ax-abc 1, dc-db 1 (or dc-c); phi4: 2/5 + 2/3.
    "ceafm": (2, 6, 2, 4),
    "ceafe": (2 / 5 + 2 / 3, 3, 2 / 5 + 2 / 3, 2),
}


@pytest.mark.parametrize("metric", RECORDED)
def test_the_official_policy_scores_a_key_with_repeated_mentions_as_v801_does(metric):
    assert counts(metric, "abc db c", "ax dc", repeated="official") == RECORDED[metric]


def test_the_official_policy_counts_links_of_a_key_with_repeated_mentions_as_v801_does():
    # C_k = {ab, ac, bc, db}. N_k: abc by db gives ad, ab, bd, bb, cd, cb; abc by c gives ac, bc,
    # cc; db by c gives dc, bc: 8 distinct pairs. C_r = {ax, dc}, N_r = {ad, ac, xd, xc}.
    found = scores("blanc", "abc db c", "ax dc", repeated="official")
    coreference, noncoreference = found.coreference, found.noncoreference
    assert (coreference.recall_numerator, coreference.recall_denominator) == (0, 4)
    assert (coreference.precision_numerator, coreference.precision_denominator) == (0, 2)
    assert (noncoreference.recall_numerator, noncoreference.recall_denominator) == (2, 8)
    assert (noncoreference.precision_numerator, noncoreference.precision_denominator) == (2, 4)
    assert values("blanc", "abc db c", "ax dc", repeated="official") == (1 / 8, 1 / 4, 1 / 6)


def test_the_official_policy_counts_links_that_both_sides_have():
    # a and e are in one entity on both sides. C_k: six pairs of aebc, db; C_r: ae, dx; both: ae.
    # N_k: all pairs of a, e, b, c, d but ae, and bb, cc: 9 + 2. N_r: ad, ax, ed, ex; both: ad, ed.
    found = scores("blanc", "aebc db c", "ae dx", repeated="official")
    coreference, noncoreference = found.coreference, found.noncoreference
    assert (coreference.recall, coreference.precision) == (1 / 7, 1 / 2)
    assert (noncoreference.recall, noncoreference.precision) == (2 / 11, 2 / 4)
    # With f in aebcf, aef: two more pairs of both, and fd; f is in 4 pairs of N_k more, x with f.
    found = scores("blanc", "aebcf db c", "aef dx", repeated="official")
    assert (found.coreference.recall, found.coreference.precision) == (3 / 11, 3 / 4)
    noncoreference = found.noncoreference
    assert (noncoreference.recall_numerator, noncoreference.precision) == (3, 3 / 6)


def test_the_official_policy_tells_the_sides_apart():
    # Key a, b, c, d, response a, d, x: two in common.
    assert counts("mentions", "abc db c", "ax d", repeated="official") == (2, 4, 2, 3)
    # LEA. No two mentions of an entity are in one entity of the other side, and c and d are alone
    # on one side only; copies count in the sizes, 6 and 4.
    assert counts("lea", "abc db c", "ax dc", repeated="official") == (0, 6, 0, 4)
    # aab: all three pairs are in ab, so 3 of 3; c is not alone in cde. Of the response ab has its
    # pair, 2 of 2; cde none, 0 of 3.
    assert counts("lea", "aab c", "ab cde", repeated="official") == (3, 4, 2, 5)
    assert counts("mentions", "aab c", "ab cde", repeated="official") == (3, 3, 3, 5)


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # The official scorer weighs by size, so that first copies count, as under ``first``. ab is
        # together in the response: 1; c is not alone there: 0. Of the response, ab: 1; cd: 0.
        ("aab c", "ab cd", (1, 2, 1, 2)),
        # cde: cd of cd, ce, de. Of the response e is alone, and in the key it is not.
        ("aab cde", "ab cd e", (1 + 1 / 3, 2, 2, 3)),
        # All of the key is found. Of the response abx: ab of ab, ax, bx.
        ("aab cd e", "abx cd e", (3, 3, 1 / 3 + 2, 3)),
    ],
)
def test_the_official_policy_of_entities_that_are_equally_important(key, response, expected):
    assert counts("lea", key, response, repeated="official", lea_importance="one") == expected


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # The second a of aab falls away; the copies of the response are two mentions, of which the
        # first is that of the key. Recall: a 2/2, b 2/2, c 1/1; precision: a 2/2, b 2/2, c 1/2, 0.
        ("aab c", "ab ca", (3, 3, 5 / 2, 4)),
        # The sides exchanged.
        ("ab ca", "aab c", (5 / 2, 4, 3, 3)),
        # Two copies on either side are paired in their order.
        ("ab ac", "ab cca", (4, 4, 4, 4)),
    ],
)
def test_distinct_copies_in_several_entities_are_mentions_of_their_own(key, response, expected):
    assert counts("b3", key, response, repeated="distinct") == expected


def test_the_official_policy_treats_the_response_as_first_does():
    for metric in ("muc", "b3", "ceafm", "ceafe", "blanc", "lea"):
        official = scores(metric, "ab cd", "abc cd xx", repeated="official")
        assert official == scores(metric, "ab cd", "abc cd xx", repeated="first")


def test_metrics_that_v801_lacks_see_first_copies_under_the_official_policy():
    for metric in ("links", "ceaf1", "rand"):
        official = scores(metric, "abc db c", "ax dc", repeated="official")
        assert official == scores(metric, "abc db c", "ax dc", repeated="first")


def test_repeats_are_settled_before_singletons_are_dropped():
    # b stays in ab; what is left of bc is a singleton, and dropped.
    assert counts("mentions", "ab", "ab bc", repeated="first", singletons="drop") == (2, 2, 2, 2)


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "2", None])
def test_a_users_function_must_give_a_number_of_0_or_more(value):
    key, response = entities("ab"), entities("ab")
    with pytest.raises(OptionError, match="lea_importance gave"):
        score(key, response, metrics="lea", lea_importance=lambda entity: value)
    with pytest.raises(OptionError, match="ceaf_similarity gave"):
        score(key, response, metrics="ceaf", ceaf_similarity=lambda common, k, r: value)


def test_scores_do_not_add_up():
    result = score(entities("ab"), entities("ab"))
    with pytest.raises(TypeError, match="add the results"):
        result.muc + result.lea
