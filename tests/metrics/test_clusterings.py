"""Measures of clusterings: arithmetic by hand, the definition by search, and scikit-learn.

Letters are mentions, words are entities.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, isclose, log, sqrt
from random import Random

import pytest

from corefmeter import OptionError, Recipe, score
from corefmeter.metrics import canonical, make

from .letters import entities


def scores(metric: str, key: str, response: str, **options):
    return score(entities(key), entities(response), metrics=metric, **options)[metric]


def values(metric: str, key: str, response: str, **options):
    return pytest.approx(scores(metric, key, response, **options)[:3], abs=1e-15)


def statistics(metric: str, key: str, response: str, **options):
    result = score(entities(key), entities(response), metrics=metric, **options)
    return result.statistics[metric][0]


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("pairwise", "links"), ("exact-clusters", "ceaf1"), ("homogeneity", "vmeasure"),
        ("completeness", "vmeasure"), ("inverse_purity", "purity"), ("fowlkes-mallows", "fmi"),
        ("closest-cluster", "closest"), ("variation_of_information", "vi"), ("bmd", "gmd"),
    ],
)  # fmt: skip
def test_names_of_the_field_are_aliases(alias, name):
    assert canonical(alias) == name


# Exact clusters


def test_exact_clusters_are_those_that_both_sides_have():
    # Of abc, d, ef the response has d and ef, and four entities in all.
    assert values("ceaf1", "abc d ef", "ab c d ef") == (2 / 3, 2 / 4, 4 / 7)


def test_a_cluster_with_a_twinless_mention_is_not_exact():
    assert values("ceaf1", "ab c", "abx c") == (1 / 2, 1 / 2, 1 / 2)


# Closest clusters


def test_the_closest_cluster_is_the_one_of_the_greatest_jaccard_coefficient():
    # abcd: 3/4 with abc, 1/3 with de. e: 1/2 with de. abc: 3/4. de: 1/2 with e, 1/5 with abcd.
    assert values("closest", "abcd e", "abc de") == (5 / 8, 5 / 8, 5 / 8)


def test_several_entities_may_be_closest_to_the_same_one():
    # Key: 1/2 and 1/2. Response: 1/2.
    assert values("closest", "ab cd", "abcd") == (1 / 2, 1 / 2, 1 / 2)


def test_twinless_mentions_make_entities_less_close():
    # abc and abx: 2 of 4. Nothing is close to y.
    assert values("closest", "abc", "abx y") == (1 / 2, 1 / 4, 1 / 3)


# Purity


def test_purity_is_precision_and_inverse_purity_recall():
    # Key abc: at most 2 of it stay together; d: 1. Response ab: 2 of abc; cd: 1. All of 4.
    assert values("purity", "abc d", "ab cd") == (3 / 4, 3 / 4, 3 / 4)
    assert values("purity", "ab cd", "a b c d") == (2 / 4, 1, 2 / 3)
    assert values("purity", "ab cd", "abcd") == (1, 2 / 4, 2 / 3)


def test_twinless_mentions_are_not_pure():
    assert values("purity", "ab c", "abxy") == (2 / 3, 2 / 4, 4 / 7)


# Fowlkes-Mallows


def test_fowlkes_mallows_is_the_geometric_mean_of_pairwise_precision_and_recall():
    # Pairs of the key abc, de: 4; of the response ab, cde: 4; in both ab, de: 2.
    assert values("fmi", "abc de", "ab cde") == (1 / 2, 1 / 2, 1 / 2)
    # Key 3, response 1, common 1: sqrt(1/3 * 1).
    assert values("fmi", "abc", "ab c") == (1 / 3, 1, sqrt(1 / 3))


def test_fowlkes_mallows_leaves_twinless_mentions_out_and_pairwise_links_do_not():
    assert values("fmi", "abc", "abcx") == (1, 1, 1)
    assert values("links", "abc", "abcx") == (1, 3 / 6, 2 / 3)


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("abc", "ab c", (1, 3, 1, 1)),  # ab of ab, ac, bc; ab is the only pair of the response
        ("abc de", "abcde", (4, 4, 4, 10)),  # 3 + 1 pairs; 5 * 4/2 of the response
        ("abcdx", "abc yd", (3, 6, 3, 3)),  # of a, b, c, d, which both have: 6 pairs and 3
    ],
)
def test_fowlkes_mallows_counts_the_pairs_of_each_side(key, response, expected):
    found = scores("fmi", key, response)
    assert (found.recall_numerator, found.recall_denominator) == expected[:2]
    assert (found.precision_numerator, found.precision_denominator) == expected[2:]


# Information


@pytest.mark.parametrize(
    ("mean", "value"),
    # I = log 2, H(key) = log 2, H(response) = (log 2 + log 4)/2 = 3/2 log 2.
    [("arithmetic", 4 / 5), ("geometric", sqrt(2 / 3)), ("min", 1), ("max", 2 / 3)],
)
def test_mutual_information_is_normalised_by_a_mean_of_entropies(mean, value):
    assert values("nmi", "ab cd", "ab c d", nmi_mean=mean) == (value, value, value)


@pytest.mark.parametrize("mean", ["arithmetic", "geometric", "min", "max"])
def test_mutual_information_of_one_entity_is_one_with_itself_and_zero_with_others(mean):
    assert values("nmi", "abc", "abc", nmi_mean=mean) == (1, 1, 1)
    assert values("nmi", "abc", "ab c", nmi_mean=mean) == (0, 0, 0)


def test_variation_of_information_is_a_share_of_log_n_and_its_parts_are_statistics():
    # H(response | key): cd is cut in halves, 2 of 4 mentions at log 2. H(key | response) = 0.
    assert statistics("vi", "ab cd", "ab c d") == pytest.approx((2 * log(2), 0, 4 * log(4), 4))
    assert values("vi", "ab cd", "ab c d") == (3 / 4, 3 / 4, 3 / 4)
    # Against all in one, H(key | response) = log 2.
    assert statistics("vi", "ab cd", "abcd") == pytest.approx((0, 4 * log(2), 4 * log(4), 4))


def test_variation_of_information_is_greatest_between_singletons_and_one_entity():
    assert values("vi", "abcd", "a b c d") == (0, 0, 0)


# Merge distance


def test_the_basic_merge_distance_counts_splits_and_merges():
    # abx, c, de, f: split x from ab and d from e, merge ab with c, and d with f: 2 + 2.
    assert statistics("gmd", "abc df e x", "abx c de f") == (2, 3, 2, 3)
    assert values("gmd", "abc df e x", "abx c de f") == (1 / 3, 1 / 3, 1 / 3)


def test_the_merge_distance_in_pairs_counts_links():
    # Missing ac, bc, df; wrong ax, bx, de.
    assert statistics("gmd", "abc df e x", "abx c de f", gmd_cost="pairs") == (3, 4, 3, 4)


def test_a_twinless_mention_is_a_singleton_of_the_other_side():
    # The response needs c merged to ab, and x split from it.
    assert statistics("gmd", "abc", "abx") == (1, 2, 1, 2)


@pytest.mark.parametrize(
    ("metric", "named"),
    [
        # Of 15 pairs the key has 6 + 1 and the response 1 + 1; ab is in both, 15 - 8 in neither.
        ("rand", {"agreements": 8, "pairs": 15}),
        ("ari", {"index": 1, "expected": 7 * 2 / 15, "maximum": 9 / 2, "pairs": 15}),
        ("fmi", {"common": 1, "key": 7, "response": 2}),
        # In common are ab, c, d, e, f, of entities of 4, 4, 4, 2, 2 and of 2, 1, 2, 2, 1.
        (
            "vmeasure",
            {
                "information": 4 * log(6 / 4) + log(6 / 8) + log(6 / 2),
                "key_entropy": 4 * log(6 / 4) + 2 * log(6 / 2),
                "response_entropy": 4 * log(6 / 2) + 2 * log(6),
                "mentions": 6,
            },
        ),
        (
            "vi",
            {
                "merges": 2 * log(2) + 2 * log(4) + 2 * log(2),
                "splits": 2 * log(2),
                "greatest": 6 * log(6),
                "mentions": 6,
            },
        ),
        # de is split; the five become two in three merges. To make the key of single mentions
        # takes 3 + 1 merges, to make single mentions of the response 1 + 1 splits.
        ("gmd", {"merges": 3, "merges_of_key": 4, "splits": 1, "splits_of_response": 2}),
    ],
)
def test_what_is_counted_has_its_name_in_json(metric, named):
    result = score(entities("abcd ef"), entities("ab c de f"), metrics=metric)
    found = result.to_dict()["results"][0]["scores"][metric]
    assert {name: found[name] for name in named} == pytest.approx(named)


def partitions_of(mentions: str) -> list[list[list[str]]]:
    """All partitions: the first mention alone, or in any entity of one of the others."""
    if not mentions:
        return [[]]
    first, found = mentions[0], []
    for rest in partitions_of(mentions[1:]):
        found.append([[first], *rest])
        for i, entity in enumerate(rest):
            found.append([*rest[:i], [first, *entity], *rest[i + 1 :]])
    return found


SIDES = [(key, response) for key in partitions_of("abcd") for response in partitions_of("abcd")]


@pytest.mark.parametrize(("cost", "as_metric"), [("basic", "muc"), ("pairs", "links")])
def test_with_these_costs_the_scores_are_those_of_another_metric(cost, as_metric):
    for key, response in SIDES:
        found = score(key, [*response, ["x", "y"]], metrics=["gmd", as_metric], gmd_cost=cost)
        assert found["gmd"] == found[as_metric]


def test_with_the_cost_of_information_the_distance_is_the_variation_of_information():
    for key, response in SIDES:
        found = score(key, response, metrics=["gmd", "vi"], gmd_cost="information").statistics
        merges, _, splits, _ = found["gmd"][0]
        assert (merges, splits) == pytest.approx(found["vi"][0][:2], abs=1e-14)


def frozen(partition) -> frozenset:
    return frozenset(map(frozenset, partition))


def finer(one: frozenset) -> list[tuple[frozenset, int, int]]:
    """The partitions that one split makes, with the sizes of its parts."""
    found = []
    for entity in one:
        members = sorted(entity)
        for chosen in range(1, 2 ** (len(members) - 1)):
            part = frozenset(m for i, m in enumerate(members) if chosen >> i & 1)
            found.append((one - {entity} | {part, entity - part}, len(part), len(entity - part)))
    return found


def cheapest(start: frozenset, cost) -> dict[frozenset, float]:
    """The cost of the cheapest way from a partition to each finer one, one split at a time."""
    known: dict[frozenset, float] = {start: 0}
    reached = [start]
    while reached:
        here = reached.pop()
        for there, x, y in finer(here):
            total = known[here] + cost(x, y)
            if total < known.get(there, inf) - 1e-12:
                known[there] = total
                reached.append(there)
    return known


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("basic", lambda x, y: 1),
        ("pairs", lambda x, y: x * y),
        ("information", lambda x, y: (x + y) * log(x + y) - x * log(x) - y * log(y)),
    ],
)
def test_no_way_of_splitting_and_merging_is_cheaper(name, cost):
    """Splits lead from either side to a partition finer than both; backwards they are merges."""
    ways = {frozen(one): cheapest(frozen(one), cost) for one in partitions_of("abcd")}
    metric = make("gmd", Recipe(gmd_cost=name))
    for key, response in SIDES:
        from_key, from_response = ways[frozen(key)], ways[frozen(response)]
        least = min(
            from_key[middle] + from_response[middle] for middle in from_key.keys() & from_response
        )
        row = score(key, response, metrics="gmd", gmd_cost=name).statistics["gmd"][0]
        assert row[0] + row[2] == pytest.approx(least, abs=1e-12)
        assert metric.fields[0::2] == ("merges", "splits")


@pytest.mark.parametrize("cost", ["operator:mul", lambda x, y: 1, "pair"])
def test_a_cost_of_ones_own_is_refused(cost):
    with pytest.raises(OptionError, match="basic, pairs, information"):
        score([["a"]], [["a"]], metrics="gmd", gmd_cost=cost)


# scikit-learn, which is defined on two labellings of the same items


#: Fewer labellings where tests are to be quick.
COUNTS = pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.slow)])


def labellings(count: int):
    """Random labels of the same items, also of one item and of one cluster."""
    random = Random(12)
    for _ in range(count):
        items, kinds = random.randint(2, 30), random.randint(1, 6)
        yield [[random.randrange(kinds) for _ in range(items)] for _ in range(2)]


def clusters(labels: list[int]) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for item, label in enumerate(labels):
        found.setdefault(label, []).append(item)
    return list(found.values())


@COUNTS
def test_the_values_are_those_of_scikit_learn(count):
    sklearn = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    for key, response in labellings(count):
        asked = ["rand", "ari", "fmi", "vmeasure", "nmi"]
        found = score(clusters(key), clusters(response), metrics=asked)
        homogeneity, completeness, v = sklearn.homogeneity_completeness_v_measure(key, response)
        expected = {
            "rand": (sklearn.rand_score(key, response),) * 3,
            "ari": (sklearn.adjusted_rand_score(key, response),) * 3,
            "vmeasure": (completeness, homogeneity, v),
            "nmi": (sklearn.normalized_mutual_info_score(key, response),) * 3,
        }
        for name, three in expected.items():
            assert found[name][:3] == pytest.approx(three, abs=1e-12), (name, key, response)
        fowlkes_mallows = sklearn.fowlkes_mallows_score(key, response)
        assert found.fmi.f1 == pytest.approx(fowlkes_mallows, abs=1e-12)


@COUNTS
@pytest.mark.parametrize("mean", ["arithmetic", "geometric", "min", "max"])
def test_normalised_mutual_information_is_that_of_scikit_learn(mean, count):
    sklearn = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    for key, response in labellings(count):
        found = score(clusters(key), clusters(response), metrics="nmi", nmi_mean=mean)
        expected = sklearn.normalized_mutual_info_score(key, response, average_method=mean)
        assert found.nmi.f1 == pytest.approx(expected, abs=1e-12), (key, response)


# Counts of any size


@pytest.mark.wings
def test_pairs_of_more_items_than_floats_can_count_are_exact():
    """10^12 items have 5 * 10^23 pairs, which overflow 64 bits; adjusted Rand from fractions."""
    from ..wings.records.profiles import profile_of

    rows = [[7 * 10**11, 1, 2], [3, 2 * 10**11, 5], [7, 11, 10**11]]
    cells = {(k, r): n for k, row in enumerate(rows) for r, n in enumerate(row)}
    sizes = [sum(row) for row in rows], [sum(column) for column in zip(*rows, strict=True)]
    table = profile_of(cells, *map(dict, map(enumerate, sizes)))

    def pairs(sizes):
        return sum(Fraction(n * (n - 1), 2) for n in sizes)

    index = pairs(cells.values())
    key, response = map(pairs, sizes)
    total = pairs([table.matched])
    expected = key * response / total
    exact = (index - expected) / ((key + response) / 2 - expected)
    ari = make("ari", Recipe())
    assert isclose(ari.scores(ari.statistics(table)).f1, exact, rel_tol=1e-14)
    rand = make("rand", Recipe())
    agreements, all_pairs = rand.statistics(table)
    assert (agreements, all_pairs) == (total - key - response + 2 * index, total)


# Counts, as opposed to rates: numerator and denominator of recall, and of precision


def counts(metric: str, key: str, response: str, **options) -> tuple:
    found = make(metric, Recipe(metrics=metric, **options))
    return tuple(found.counts(statistics(metric, key, response, **options)))


def test_the_counts_of_one_number_are_given_twice():
    # abc d against ab cd: of 6 pairs ab is together on both sides; ad and bd are apart on both.
    assert counts("rand", "abc d", "ab cd") == (3, 6, 3, 6)
    # By chance 3 * 2 / 6 = 1 of the pairs within is in both; at most (3 + 2) / 2 are.
    assert counts("ari", "abc d", "ab cd") == (0, 1.5, 0, 1.5)
    # All singletons on both sides: the range is 0, and they agree.
    assert counts("ari", "a b", "a b") == (1, 1, 1, 1)
    assert counts("nmi", "ab cd", "ab cd") == pytest.approx((1, 1, 1, 1))
    # I = log 2 over the mean of log 2 and log 4.
    assert counts("nmi", "ab cd", "a b c d") == pytest.approx((2 / 3, 1, 2 / 3, 1))
    # N log N is 4 log 4, and each of four mentions loses log 2.
    assert counts("vi", "ab cd", "a b c d") == pytest.approx((4 * log(2), 4 * log(4)) * 2)
    # abc against ab c: one link of three, and of one.
    assert counts("fmi", "abc", "ab c") == (1, 3, 1, 1)
