"""Estimates from a sample: by hand, over all samples, and whether intervals hold the truth.

Letters are mentions, words are entities.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import isnan, log, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist
from typing import Any

import pytest

import corefmeter
from corefmeter import CorefmeterWarning, DataError, OptionError, score
from corefmeter.wings.records import sample
from corefmeter.wings.records.sample import estimate

from ...command import run
from ...metrics.letters import entities

METRICS = ("links", "b3", "ceaf1")
RATES = ("recall", "precision", "f1")

KEY, RESPONSE = entities("abc de"), entities("ab cd exy z")


#: Of Student's distribution with 45/16 degrees of freedom, by Simpson's rule over its density.
QUANTILE = 3.305904093539785


def values(found) -> dict[str, tuple[float, ...]]:
    return {m: tuple(getattr(getattr(found, m), rate).value for rate in RATES) for m in METRICS}


def test_estimates_by_hand():
    """Of abc: ab in ab, c in cd; of de: d in cd, e in exy. All are drawn alike."""
    found = values(estimate(KEY, RESPONSE))
    # Links: 1 + 0 right; of 3 + 1; of abc's 1 + 1/2 and de's 1/2 + 2/2 in the response.
    assert found["links"] == pytest.approx((1 / 4, 1 / 3, 2 / 7))
    # B3: recall (4 + 1)/3 + (1 + 1)/2 of 5; precision 4/2 + 1/2 and 1/2 + 1/3 of 5.
    recall, precision = (5 / 3 + 1) / 5, (5 / 2 + 5 / 6) / 5
    assert found["b3"] == pytest.approx(
        (recall, precision, 2 * recall * precision / (recall + precision))
    )
    # No entity is exactly right, of 2 + 2/2 ... of the response 2/2 + 1/2 and 1/2 + 1/3.
    assert found["ceaf1"] == (0, 0, 0)


def test_an_entity_counts_by_one_over_its_chance():
    # Drawn by size: abc counts 1/3, de 1/2. Links: recall (1/3)/(3/3 + 1/2),
    # precision (1/3)/((3/2)/3 + (3/2)/2).
    found = values(estimate(KEY, RESPONSE, "size"))
    assert found["links"][:2] == pytest.approx((2 / 9, 4 / 15))
    for chances, like in (([30, 20], "size"), ([5, 5], "uniform")):
        same = values(estimate(KEY, RESPONSE, like))
        for metric, three in values(estimate(KEY, RESPONSE, chances)).items():
            assert three == pytest.approx(same[metric])


def test_the_standard_error_is_that_of_the_jackknife():
    """Links: without de recall is 1/3, without abc 0; of the two it is 1/4."""
    found = estimate(KEY, RESPONSE).links.recall
    variance = (
        Fraction(1, 2) * (Fraction(1, 3) - Fraction(1, 4)) ** 2
        + Fraction(1, 2) * (Fraction(0) - Fraction(1, 4)) ** 2
    )
    assert found.standard_error == pytest.approx(sqrt(variance))


def test_the_standard_error_of_f1_is_nearly_that_of_the_jackknife():
    """Leaving each of 200 entities out; recall and precision are far apart."""
    rng = Random(8)
    key, home = population(rng, 200)
    home |= {mention: ("lump", mention // 60) for mention in home if mention < 600}
    found = estimate(key, home | {-1: "outside"})
    assert found.b3.recall.value > found.b3.precision.value + 0.1
    for metric in METRICS:
        without = [
            getattr(estimate(key[:i] + key[i + 1 :], home), metric).f1.value for i in range(200)
        ]
        f1 = getattr(found, metric).f1
        exact = sqrt(199 / 200 * sum((value - f1.value) ** 2 for value in without))
        assert f1.standard_error == pytest.approx(exact, rel=0.03)


def test_the_interval_is_wilsons_for_as_many_trials_by_students_quantile():
    """Three of four singletons are right: m = 4, R = 3/4; each weighs the same.

    Without a right one R is 2/3, without the wrong one 1: the variance is
    3/4 (3 (1/12)^2 + (1/4)^2) = 1/16, that of (3/16)/(1/16) = 3 trials. Student's quantile with 3
    degrees of freedom is 3.182446305284263.
    """
    found = estimate(entities("a b c d"), entities("a b c dx y")).ceaf1.recall
    assert found.value == 3 / 4
    assert found.standard_error == pytest.approx(1 / 4)
    z = NormalDist().inv_cdf(0.975)
    n = 3 * (z / 3.182446305284263) ** 2
    middle = (3 / 4 + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(3 / 16 / n + z**2 / (4 * n**2))
    assert found.interval == pytest.approx((middle - half, middle + half))


def test_degrees_of_freedom_are_those_of_the_variance_if_that_is_less():
    """Nine of ten singletons are right. Without a right one R changes by 1/90, without the wrong
    one by 9/90: of 90^2, 9 + 81 squares, and 9 + 6561 of 90^4 fourth powers. 2/(6570/90^2 - 1/10)
    = 45/16 degrees of freedom, less than 9; Student's quantile, by integration, is
    3.3059 where the normal one is 1.96. The trials are those of (9/100)/(9/10 90/90^2) = 9.
    """
    found = estimate(entities("a b c d e f g h i j"), entities("a b c d e f g h i jx y"))
    found = found.ceaf1.recall
    assert found.standard_error == pytest.approx(sqrt(9 / 10 * 90 / 90**2))
    z = NormalDist().inv_cdf(0.975)
    n = 9 * (z / QUANTILE) ** 2
    middle = (9 / 10 + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(9 / 100 / n + z**2 / (4 * n**2))
    assert found.interval[0] == pytest.approx(middle - half, rel=1e-6)


def test_where_one_entity_has_nearly_all_links_nothing_is_known():
    """499,500 links of one and 1 of the other: 1.000004 entities."""
    key = [list(range(1000)), [2000, 2001]]
    found = estimate(key, [key[0][:900], key[0][900:], key[1], [-1]]).links.recall
    assert found.entities == pytest.approx(1 + 2 / 499500, rel=1e-9)
    assert found.interval == pytest.approx((0, 1))


def test_few_entities_are_warned_of():
    """Of 40 entities one has 45 links, and 39 have one each: (45 + 39)^2/(45^2 + 39) entities."""
    key = [list(range(1000, 1010)), *([2 * n, 2 * n + 1] for n in range(39))]
    with pytest.warns(CorefmeterWarning, match=r"links on 3 of equal weight.*few-ent"):
        found = estimate(key, [*key, [-1]])
    assert [problem.code for problem in found.problems] == ["few-entities"]
    assert found.links.recall.entities == pytest.approx(84**2 / (45**2 + 39))
    # One of 10 and 39 of 2 mentions.
    assert found.b3.recall.entities == pytest.approx(88**2 / (100 + 4 * 39))
    assert found.ceaf1.recall.entities == pytest.approx(40)
    assert estimate(key, [*key, [-1]], [len(one) ** 2 for one in key]).links.recall.entities > 30
    equal = [[2 * n, 2 * n + 1] for n in range(31)]
    assert estimate(equal, [*equal, [-1]]).problems == ()


def test_a_sample_without_an_error_does_not_prove_that_there_are_none():
    found = estimate(entities("ab cd ef"), entities("ab cd ef xy")).b3.f1
    assert (found.value, found.standard_error) == (1, 0)
    low, high = found.interval
    assert 0 < low < 0.6
    assert high == 1


@pytest.mark.parametrize(
    ("key", "level", "high"),
    [
        # Wilson's interval of 0 of m trials is (0, t^2/(m + t^2)). Of m entities without spread,
        # t has m - 1 degrees of freedom; F(t) = 1/2 + t/(2 sqrt(2 + t^2)) for 2 of them, so that
        # t^2 = 2 level^2/(1 - level^2): 361/19.5, and t^2/(3 + t^2) = 361/419.5.
        ("ab cd ef", 0.95, 361 / 419.5),  # 0.861
        ("ab cd ef", 0.8, 32 / 59),  # t^2 = 1.28/0.36 = 32/9
        # With 1, t = tan(pi level/2): for 1/2 it is 1, and the bound is 1/(2 + 1).
        ("ab cd", 0.5, 1 / 3),
    ],
)
def test_a_sample_of_errors_alone_does_not_prove_that_all_is_wrong(key, level, high):
    found = estimate(entities(key), entities("a b c d e f x"), level=level).links.recall
    assert (found.value, found.standard_error, found.interval[0]) == (0, 0, 0)
    assert found.interval[1] == pytest.approx(high, rel=1e-9)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99])
def test_the_interval_of_a_bound_ends_in_it_whatever_rounding_does(level):
    """A middle and a half of (0, high), which is t^2/(m + t^2), or of its mirror image."""
    for m in range(2, 40):
        key = [[2 * n, 2 * n + 1] for n in range(m)]
        right = estimate(key, [*key, [-1]], level=level).b3.recall
        wrong = estimate(key, [*([n] for n in range(2 * m)), [-1]], level=level).links.recall
        assert (right.value, right.interval[1]) == (1, 1), m
        assert (wrong.value, wrong.interval[0]) == (0, 0), m
        assert 1 - right.interval[0] == pytest.approx(wrong.interval[1], rel=1e-12)


def test_what_cannot_be_estimated_says_so():
    singletons = estimate(entities("a b"), entities("a b c")).links
    assert isnan(singletons.f1.value)
    assert isnan(singletons.f1.standard_error)
    # Only one entity has links: nothing is known of others.
    one = estimate(entities("ab c"), entities("ab c x")).links
    assert (one.recall.value, one.recall.interval) == (1, (0, 1))
    assert isnan(one.recall.standard_error)
    # 0 if only one of them is 0/0, as everywhere.
    assert estimate(entities("ab cd"), entities("a b c d x")).links.f1.value == 0


def random_clustering(rng: Random, items: int, kinds: int) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for item in range(items):
        found.setdefault(rng.randrange(kinds), []).append(item)
    return list(found.values())


def test_with_the_whole_key_estimates_are_the_scores():
    rng = Random(3)
    for _ in range(100):
        key, response = (random_clustering(rng, rng.randint(9, 20), 6) for _ in range(2))
        items = {item for entity in key for item in entity}
        # Response mentions outside of the key would be a part of the key that is not known.
        response = [kept for e in response if (kept := [item for item in e if item in items])]
        truth = score(key, response, metrics=METRICS)
        found = values(estimate(key, [*response, ["outside"]]))
        for metric in METRICS:
            assert found[metric] == pytest.approx(truth[metric][:3], abs=1e-12)


def test_numerators_and_denominators_are_unbiased():
    """Over all samples of two, weighed by their chance, their ratio is the score itself."""
    key, response = entities("abc de f ghij"), entities("ab cdf e gh ij")
    sampled = sample._sample_of_lists(key, response).entities
    truth = score(key, response, metrics=METRICS)
    for chances in ([1, 1, 1, 1], [3, 2, 1, 4], [0.5, 0.1, 2, 1]):
        for place, metric in enumerate(METRICS):
            totals = [0.0] * 4
            for drawn in product(range(4), repeat=2):
                chance = chances[drawn[0]] * chances[drawn[1]]
                for number in drawn:
                    share = sample._shares(sampled[number])[place]
                    for i, x in enumerate(share):
                        totals[i] += chance * x / chances[number]
            assert totals[0] / totals[1] == pytest.approx(truth[metric].recall)
            assert totals[2] / totals[3] == pytest.approx(truth[metric].precision)


def test_mentions_outside_of_the_sample_are_neither_right_nor_wrong():
    """The whole key is abc, de and many others, which the response has right."""
    others = [[f"{n}a", f"{n}b"] for n in range(50)]
    response = [*entities("abc d e"), *others]
    found = estimate(entities("abc de"), response)
    assert found.links.precision.value == 1
    assert found.outside == 100
    # The trap: taken for a whole key, 50 right links are wrong ones.
    assert score(entities("abc de"), response, metrics="links").links.precision == 3 / 53


def test_a_response_that_was_cut_down_to_the_sample_is_refused():
    with pytest.raises(OptionError, match="no mention outside of the sampled key"):
        estimate(entities("abc de"), entities("abc de"))


def test_what_was_counted_is_told():
    found = estimate(entities("abc de"), entities("ab d xyz"), "size", level=0.9)
    assert (found.entities, found.mentions, found.missing, found.outside) == (2, 5, 2, 3)
    assert (found.drawn, found.level) == ("size", 0.9)


def test_a_response_may_be_a_mapping_to_names_of_entities():
    mapping = {m: number for number, entity in enumerate(RESPONSE) for m in entity}
    assert corefmeter.estimate(KEY, mapping) == corefmeter.estimate(KEY, RESPONSE)


def test_an_entity_may_be_drawn_twice():
    twice = estimate([*KEY, KEY[0]], RESPONSE)
    # Links: 1 + 0 + 1 of 3 + 1 + 3.
    assert twice.links.recall.value == pytest.approx(2 / 7)
    assert (twice.entities, twice.mentions) == (3, 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((entities("abc"), RESPONSE), "two entities"),
        ((KEY, RESPONSE, "sizes"), "unknown value of drawn 'sizes'; did you mean 'size'"),
        ((KEY, RESPONSE, [1]), r"drawn is \[1\], .*: 2 finite numbers above 0, one for each"),
        ((KEY, RESPONSE, [1, 0]), r"drawn is \[1, 0\], .*: 2 finite numbers above 0"),
        ((KEY, RESPONSE, [1, 1e-320]), "2 finite numbers above 0"),
        ((KEY, RESPONSE, 7), "drawn is 7, but must be uniform, size, or a list of chances"),
        ((KEY, RESPONSE, "uniform", 95), "level must be between 0 and 1, not 95"),
        ((KEY, RESPONSE, "uniform", 1), "level must be between 0 and 1, not 1"),
        ((KEY, RESPONSE, "uniform", 0), "level must be between 0 and 1, not 0"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, message):
    with pytest.raises(OptionError, match=message):
        estimate(*arguments)


@pytest.mark.parametrize(
    ("key", "response", "side"), [("ab bc", "ab x", "key"), ("ab c", "ab bx", "response")]
)
def test_a_mention_in_two_entities_is_refused(key, response, side):
    with pytest.raises(DataError, match=f"of the {side} occur"):
        estimate(entities(key), entities(response))


def population(rng: Random, entities: int):
    """Entities of 1 to 8 mentions, some split, some merged with another."""
    key: list[list[int]] = []
    home: dict[int, tuple[int, int]] = {}
    for number in range(entities):
        size = 1
        while size < 8 and rng.random() < 0.6:
            size += 1
        key.append([10 * number + i for i in range(size)])
        whole = rng.randrange(entities) if rng.random() < 0.15 else number
        cut = rng.random() < 0.25
        for mention in key[-1]:
            home[mention] = (whole, int(cut and rng.random() < 0.4))
    return key, home


@pytest.mark.slow
@pytest.mark.parametrize("drawn", ["uniform", "size", "chances"])
def test_intervals_hold_the_truth_as_often_as_they_say(drawn):
    """Nine scores on 1,000 samples of 300 entities: all within a band that one of 700 would leave.

    The band has 99.99 % of a binomial of 1,000 trials of 95 %.
    """
    rng = Random(f"population {drawn}")
    key, home = population(rng, 6000)
    response: dict[tuple[int, int], list[int]] = {}
    for mention, label in home.items():
        response.setdefault(label, []).append(mention)
    truth = score(key, list(response.values()), metrics=METRICS)
    chances = {
        "uniform": [1.0] * len(key),
        "size": [float(len(entity)) for entity in key],
        "chances": [0.2 + rng.random() for _ in key],
    }[drawn]
    trials = 1000
    held = dict.fromkeys([(metric, rate) for metric in METRICS for rate in RATES], 0)
    for _ in range(trials):
        chosen = rng.choices(range(len(key)), chances, k=300)
        how = [chances[number] for number in chosen] if drawn == "chances" else drawn
        found = estimate([key[number] for number in chosen], home, how)
        for metric, rate in held:
            low, high = getattr(getattr(found, metric), rate).interval
            held[metric, rate] += low <= getattr(truth[metric], rate) <= high
    spread = NormalDist().inv_cdf(0.99995) * sqrt(0.95 * 0.05 / trials)
    shares = {name: count / trials for name, count in held.items()}
    assert all(abs(share - 0.95) <= spread for share in shares.values()), shares


def of_sizes(rng: Random, sizes: Sequence[int]):
    """As `population`, for entities of these sizes."""
    key, home, first = [], {}, 0
    for number, size in enumerate(sizes):
        key.append(list(range(first, first + size)))
        first += size
        whole = rng.randrange(len(sizes)) if rng.random() < 0.15 else number
        cut = rng.random() < 0.25
        for mention in key[-1]:
            home[mention] = (whole, int(cut and rng.random() < 0.4))
    return key, home


def poisson(rng: Random) -> int:
    """One more than a Poisson number of mean 1.5: as many as fit of steps that are exponential."""
    size, left = 1, 1.5 - rng.expovariate(1)
    while left > 0:
        size, left = size + 1, left - rng.expovariate(1)
    return size


def geometric(rng: Random) -> int:
    return 1 + int(log(1 - rng.random()) / log(0.6))


def pareto(alpha: float) -> Callable[[Random], int]:
    return lambda rng: int(rng.paretovariate(alpha))


#: Populations with the draws and metrics for which docs/statistics.md says that intervals hold.
CLAIMED = {
    ("poisson", "uniform"): METRICS,
    ("poisson", "size"): METRICS,
    ("geometric", "uniform"): METRICS,
    ("geometric", "size"): METRICS,
    ("pareto 2", "size"): METRICS,
    ("pareto 1.5", "uniform"): ("ceaf1",),
    ("pareto 1.5", "size"): ("b3", "ceaf1"),
}

SIZES = {"poisson": poisson, "geometric": geometric, "pareto 2": pareto(2),
         "pareto 1.5": pareto(1.5)}  # fmt: skip


def held(sizes: str, drawn: str, number: int, trials: int):
    """How often each interval holds the truth, and a warning comes, in samples of a population."""
    rng = Random(f"{sizes} {drawn}")
    key, home = of_sizes(rng, [SIZES[sizes](rng) for _ in range(10_000)])
    response: dict[tuple[int, int], list[int]] = {}
    for mention, label in home.items():
        response.setdefault(label, []).append(mention)
    truth = score(key, list(response.values()), metrics=METRICS)
    sampled = sample._sample_of_lists(key, home).entities
    chances = [len(entity) if drawn == "size" else 1 for entity in key]
    counts: Counter[Any] = Counter()
    for _ in range(trials):
        chosen = rng.choices(range(len(key)), chances, k=number)
        shares = [sample._shares(sampled[n]) for n in chosen]
        weights = [1 / chances[n] for n in chosen]
        for place, metric in enumerate(METRICS):
            found = sample._estimates([share[place] for share in shares], weights, 0.95)
            for rate in RATES:
                low, high = getattr(found, rate).interval
                counts[metric, rate] += low <= getattr(truth[metric], rate) <= high
            counts[metric, "warned"] += bool(sample._problems({metric: found}))
    return {name: count / trials for name, count in counts.items()}


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "drawn"), CLAIMED)
def test_intervals_hold_the_truth_for_all_that_is_claimed(sizes, drawn):
    """Samples of 200; not below the band that has 99.99 % of a binomial of 1,000 trials of 95 %."""
    shares = held(sizes, drawn, 200, 1000)
    least = 0.95 - NormalDist().inv_cdf(0.9999) * sqrt(0.95 * 0.05 / 1000)
    wanted = {name: shares[name] for name in shares if name[0] in CLAIMED[sizes, drawn]
              and name[1] != "warned"}  # fmt: skip
    assert all(share >= least for share in wanted.values()), wanted


@pytest.mark.slow
@pytest.mark.parametrize("sizes", ["pareto 2", "pareto 1.5"])
def test_where_intervals_of_links_fall_short_a_warning_comes(sizes):
    """Few entities have most links, and an equal chance to be drawn."""
    shares = held(sizes, "uniform", 200, 300)
    assert min(shares["links", rate] for rate in RATES) < 0.92
    assert shares["links", "warned"] > 0.9


def test_print_shows_a_table_with_intervals():
    with pytest.warns(corefmeter.CorefmeterWarning):
        found = corefmeter.estimate(
            [["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d"], ["e", "x"]], level=0.9
        )
    lines = str(found).splitlines()
    assert lines[0].split() == ["", "R", "P", "F1"][1:]
    # R = 1 of 3 + 1 links, P = 1 of 1 + 1/2 + 1/2; F1 = 2 * 0.25 * 0.5 / 0.75
    low, high = found.links.recall.interval
    assert lines[1].startswith(f"Pairwise  25.00 [{100 * low:.2f}, {100 * high:.2f}]  ")
    assert re.findall(r"(\S+) \[", lines[1]) == ["25.00", "40.00", "30.77"]
    assert lines[-1] == "percent [90% interval], from 2 clusters of the key, drawn: uniform"


@pytest.mark.parametrize("place", [str, Path])
def test_names_of_files_are_refused_with_what_to_do(place):
    whole = [["a", "b"], ["c", "d"], ["e", "x"]]
    with pytest.raises(OptionError, match=r"the key is of type .*(str|Path)'; .*clusters estimate"):
        estimate(place("sample.csv"), whole)
    with pytest.raises(OptionError, match=r"the response is of type .*(str|Path)'"):
        estimate(whole, place("sample.csv"))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_table_beside_lists_and_a_series_are_refused(library):
    frames = pytest.importorskip(library)
    key, whole = [["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d"], ["e", "x"]]
    frame = frames.DataFrame({"item": list("abcde"), "cluster": [0, 0, 0, 1, 1]})
    with pytest.raises(OptionError, match=r"the key is of type 'DataFrame'; .* on both sides"):
        estimate(frame, whole, item="item")
    with pytest.raises(OptionError, match="the response is of type 'DataFrame'"):
        estimate(key, frame, item="item")
    with pytest.raises(OptionError, match="item: name the column"):
        estimate(frame, frame)
    with pytest.raises(OptionError, match=r"the key is of type 'Series'; .* list\(series\)"):
        estimate(frames.Series(key), whole)
    with pytest.raises(OptionError, match="the response is of type 'Series'"):
        estimate(key, frames.Series(whole))
    with pytest.warns(CorefmeterWarning):
        assert estimate(list(frames.Series(key)), whole).links.recall.value == 0.25


# ---- tables -------------------------------------------------------------------------------------


def random_case(rng: Random) -> tuple[list[list[str]], list[list[str]]]:
    """Some entities of a random key, and a response of all items and some more."""
    items = [f"r{number}" for number in range(rng.randint(6, 25))]
    sides: list[list[list[str]]] = []
    for chance in (1, 0.9):
        clusters: dict[int, list[str]] = {}
        for one in [item for item in items if rng.random() < chance]:
            clusters.setdefault(rng.randint(0, 7), []).append(one)
        sides.append(list(clusters.values()))
    key, response = sides
    return key[: max(2, len(key) // 2)], [*response, ["outside", "too"]]


def rows_of(clusters: Sequence[Sequence[str]], rng: Random) -> dict[str, list[Any]]:
    rows = [(item, number) for number, items in enumerate(clusters) for item in items]
    rng.shuffle(rows)
    return {"id": [item for item, _ in rows], "c": [number for _, number in rows]}


def table_in(library: str, columns: dict[str, list[Any]]) -> Any:
    module = pytest.importorskip("pyarrow" if library == "duckdb" else library)
    if library == "duckdb":
        return pytest.importorskip("duckdb").from_arrow(module.table(columns))
    return module.table(columns) if library == "pyarrow" else module.DataFrame(columns)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("drawn", ["uniform", "size"])
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
def test_tables_give_what_lists_give(library, drawn):
    rng = Random(11)
    for _ in range(10):
        key, response = random_case(rng)
        tables = [table_in(library, rows_of(side, rng)) for side in (key, response)]
        of_tables = estimate(*tables, drawn, item="id", cluster="c")
        assert str(of_tables) == str(estimate(key, response, drawn))
        of_lists = estimate(key, response, drawn)
        for name in METRICS:
            for rate in RATES:
                one, other = (getattr(getattr(of, name), rate) for of in (of_tables, of_lists))
                assert one.value == pytest.approx(other.value, abs=1e-12, nan_ok=True)
                assert one.interval == pytest.approx(other.interval, abs=1e-9, nan_ok=True)
        counts = ("entities", "mentions", "missing", "outside")
        assert [getattr(of_tables, one) for one in counts] == [
            getattr(of_lists, one) for one in counts
        ]


SAMPLE = "id,cluster\na,1\nb,1\nc,1\nd,2\ne,2\n"
WHOLE = "id,cluster\na,p\nb,p\nc,q\nd,q\ne,s\nx,s\n"


@pytest.fixture
def folder(tmp_path):
    pytest.importorskip("duckdb")
    (tmp_path / "sample.csv").write_text(SAMPLE, "utf-8")
    (tmp_path / "whole.csv").write_text(WHOLE, "utf-8")
    return tmp_path


def estimated(folder: Path, *arguments: str) -> Any:
    return run("clusters", "estimate", "sample.csv", *arguments, folder=folder)


def test_the_command_estimates_from_files(folder):
    """The values of the example above: recall 1 of 4, precision 1 of 5/2."""
    done = estimated(folder, "whole.csv", "--drawn", "uniform", "-f", "json")
    document = json.loads(done.stdout)
    (result,) = document["results"]
    assert result["scores"]["links"]["recall"]["value"] == 0.25
    assert result["scores"]["links"]["precision"]["value"] == pytest.approx(0.4)
    counts = (document["clusters"], document["items"], result["missing"], result["outside"])
    assert counts == (2, 5, 0, 1)
    codes = [problem["code"] for problem in result["problems"]]
    assert codes == ["table-read", "table-read", "few-entities"]
    # Drawn by size, abc counts 1/3 and de 1/2: (1/3) of 3/3 + 1/2.
    rows = estimated(folder, "whole.csv", "--drawn", "size", "-f", "csv").stdout.splitlines()
    assert rows[0] == "response,metric,score,value,standard_error,low,high,minus,p"
    name, metric, score_name, value, *_ = rows[1].split(",")
    assert (name, metric, score_name) == ("whole.csv", "links", "recall")
    assert float(value) == pytest.approx(2 / 9)


def test_the_command_shows_a_table_for_each_response(folder):
    (folder / "more.csv").write_text("id,cluster\na,p\nb,p\nc,p\nd,q\ne,q\nx,q\n", "utf-8")
    shown = estimated(folder, "whole.csv", "more.csv", "--drawn", "uniform").stdout
    assert re.search(r"^Pairwise +25\.00 +\[.*\] +40\.00 +\[.*\] +30\.77 ", shown, re.M)
    # All links of the key are there; of abc 3 and of de 2/2 + 2/2 of the response: 4 of 5.
    assert re.search(r"^Pairwise +100\.00 +\[.*\] +80\.00 +\[.*\] +88\.89 ", shown, re.M)
    text = " ".join(shown.split())
    assert "from 2 clusters of the key (drawn with equal chances) with 5 items" in text
    assert "whole.csv lacks 0 of these items; its 1 items in no sampled cluster" in text


def test_the_command_asks_how_clusters_were_drawn(folder):
    done = estimated(folder, "whole.csv")
    assert done.returncode == 2
    assert "--drawn size if you drew items and looked up their clusters" in done.stderr


def test_a_file_with_the_name_of_the_command_is_a_file(folder):
    (folder / "estimate").write_text(SAMPLE, "utf-8")
    shown = run("clusters", "estimate", "whole.csv", "-m", "b3", folder=folder)
    assert shown.returncode == 0
    assert "estimated" not in shown.stdout


def test_a_response_without_other_items_is_refused_by_the_command(folder):
    done = estimated(folder, "sample.csv", "--drawn", "size")
    assert done.returncode == 2
    assert "no mention outside of the sampled key" in done.stderr


@pytest.mark.parametrize("times", [6, 7])
def test_a_large_cluster_that_was_probably_drawn_again_is_warned_of(times):
    """Of 40 items, two clusters were drawn by items: one of n is drawn 2 n / 40 times."""
    n = times + 3
    key = [[f"a{i}" for i in range(n)], ["b"]]
    response = [*key, *[[f"x{i}"] for i in range(40 - n - 1)]]
    codes = {problem.code for problem in estimate(key, response, "size").problems}
    assert ("drawn-again" in codes) == (2 * n / 40 >= 0.5)
    assert "drawn-again" not in {p.code for p in estimate(key, response).problems}
    twice = estimate([*key, key[0]], response, "size").problems
    assert "drawn-again" not in {problem.code for problem in twice}


@pytest.mark.parametrize("as_tables", [False, True])
@pytest.mark.parametrize(
    ("singles", "large", "drawn", "is_other"),
    [
        # Response clusters have 360 / 200 = 1.8 items. By the sample they have:
        (18, 2, "uniform", False),  # (18 + 2 * 9) / (18 + 2) = 1.8
        (20, 20, "uniform", True),  # (20 + 20 * 9) / (20 + 20) = 5.0
        (20, 20, "size", False),  # (20 + 20 * 9 / 9) / (20 + 20 / 9) = 1.8
        (18, 2, "size", True),  # (18 + 2 * 9 / 9) / (18 + 2 / 9) = 1.1
    ],
)
def test_a_sample_that_was_drawn_in_another_way_is_warned_of(
    singles, large, drawn, is_other, as_tables
):
    """There are 180 clusters of one item and 20 of nine; the response is right."""
    ones, nines = (
        [[f"s{i}"] for i in range(180)],
        [[f"{i}.{n}" for n in range(9)] for i in range(20)],
    )
    sides = [[*ones[:singles], *nines[:large]], [*ones, *nines]]
    options = {}
    if as_tables:
        options = {"item": "id", "cluster": "cluster"}
        pd = pytest.importorskip("pandas")
        rows = [[(item, n) for n, items in enumerate(side) for item in items] for side in sides]
        sides = [pd.DataFrame(side, columns=["id", "cluster"]) for side in rows]
    codes = {problem.code for problem in estimate(*sides, drawn, **options).problems}
    assert ("drawn-otherwise" in codes) == is_other


def test_what_would_be_counted_wrongly_is_refused():
    whole = entities("ab cd ex")
    with pytest.raises(DataError, match="occur twice"):
        estimate([["a", "a", "b"], ["d", "e"]], whole)
    with pytest.raises(DataError, match="1 of 4 mentions of the response have no entity"):
        estimate(KEY, {"a": 1, "b": 1, "c": None, "x": 2})
    pd = pytest.importorskip("pandas")
    key = pd.DataFrame({"id": ["a", "b", "b", "d"], "cluster": [1, 1, 1, 2]})
    response = pd.DataFrame({"id": ["a", "b", "d", "x"], "cluster": [1, 1, 2, 2]})
    with pytest.raises(DataError, match="repeated-mention"):
        estimate(key, response, item="id")
    with pytest.raises(OptionError, match="of tables, name how clusters were drawn"):
        estimate(key.drop_duplicates(), response, [1.0, 2.0], item="id")


@pytest.mark.parametrize("drawn", [None, ["a", "b"], [1e-320, 1]])
def test_chances_that_are_none_are_refused(drawn):
    with pytest.raises(OptionError, match="drawn"):
        estimate(KEY, RESPONSE, drawn)


def test_the_command_reports_what_may_be_wrong_with_tables(folder):
    """Ids in another case, and the label -1, which is one cluster of two items here."""
    (folder / "other.csv").write_text("id,cluster\nA,1\nB,1\nc,-1\nd,-1\nx,2\n", "utf-8")
    arguments = ("other.csv", "--drawn", "size", "-f", "json", "--quiet")
    (result,) = json.loads(estimated(folder, *arguments).stdout)["results"]
    problems = {problem["code"]: problem["path"] for problem in result["problems"]}
    assert problems.keys() >= {"table-read", "ids-differ", "noise-likely", "few-entities"}
    assert problems["few-entities"] == problems["ids-differ"] == "other.csv"
