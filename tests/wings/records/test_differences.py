"""Paired differences of scores from one sample: by hand, by leaving out, and by simulation."""

from __future__ import annotations

import csv
import json
from math import isnan, pi, sqrt
from random import Random

import pytest

from corefmeter import score
from corefmeter.wings.records.sample import METRICS, estimate, subtract

from ...command import run

RATES = ("recall", "precision", "f1")

#: Four clusters of the key; a is exactly right about three of them, b about one.
KEY = [["a1", "a2"], ["b1", "b2"], ["c1", "c2"], ["d1", "d2"]]
A = [["a1", "a2"], ["b1", "b2"], ["c1", "c2"], ["d1", "x1"], ["d2"]]
B = [["a1", "a2"], ["b1"], ["b2"], ["c1", "x1"], ["c2"], ["d1"], ["d2"]]


def test_a_difference_by_hand():
    """Exact clusters: 1, 1, 1, 0 and 1, 0, 0, 0, so 0, 1, 1, 0 by cluster: 1/2 on average.

    Their variance is (4/4)/(4 - 1), and the square of the standard error a quarter of it. So t is
    (1/2)/sqrt(1/12), the square root of 3. Student's distribution with 3 degrees of freedom is
    1/2 + (1/2 + atan(1))/pi there.
    """
    one, other = (estimate(KEY, response).ceaf1.recall for response in (A, B))
    found = subtract(one, other, 0.95)
    assert found.value == 0.5
    assert found.standard_error == pytest.approx(sqrt(1 / 12))
    assert found.p == pytest.approx(2 * (1 - (1 / 2 + (1 / 2 + pi / 4) / pi)))
    # The quantile of 0.975 with 3 degrees of freedom is 3.182446; no difference is above 1.
    assert found.interval == pytest.approx((0.5 - 3.182446 * sqrt(1 / 12), 1), abs=1e-6)
    back = subtract(other, one, 0.95)
    assert (back.value, back.p, back.interval) == (-0.5, found.p, (-1, -found.interval[0]))


def test_nothing_is_known_where_no_cluster_tells_two_responses_apart():
    one = estimate(KEY, A).ceaf1.recall
    found = subtract(one, one, 0.95)
    assert found.value == 0
    assert all(map(isnan, (found.standard_error, found.p, *found.interval)))


def population(rng: Random, entities: int, errors: tuple[float, float]):
    """Clusters of 1 to 6 items, of which two responses split or merge some, by their chances."""
    key: list[list[int]] = []
    homes: list[dict[int, tuple[int, int]]] = [{}, {}]
    for number in range(entities):
        size = 1
        while size < 6 and rng.random() < 0.6:
            size += 1
        key.append([10 * number + i for i in range(size)])
        hard = rng.random() < 0.5  # the responses have errors in the same clusters
        for home, chance in zip(homes, errors, strict=True):
            chance *= 1.6 if hard else 0.4
            whole = rng.randrange(entities) if rng.random() < chance else number
            cut = rng.random() < chance
            for mention in key[-1]:
                home[mention] = (whole, int(cut and rng.random() < 0.4))
    return key, homes


def entities_of(home: dict[int, tuple[int, int]]) -> list[list[int]]:
    found: dict[tuple[int, int], list[int]] = {}
    for mention, label in home.items():
        found.setdefault(label, []).append(mention)
    return list(found.values())


@pytest.mark.parametrize("drawn", ["uniform", "size"])
def test_the_standard_error_is_that_of_leaving_out_each_cluster(drawn):
    """Of a ratio, the change without a cluster is exact, so that of two is."""
    rng = Random(3)
    key, homes = population(rng, 60, (0.2, 0.3))
    drawn_key = key[:25]
    responses = [entities_of(home) for home in homes]

    def values(key, metric, rate):
        found = [getattr(estimate(key, one, drawn), metric) for one in responses]
        return [getattr(one, rate) for one in found]

    for metric in METRICS:
        for rate in ("recall", "precision"):
            found = subtract(*values(drawn_key, metric, rate), 0.95)
            changes = []
            for place in range(len(drawn_key)):
                one, other = values(drawn_key[:place] + drawn_key[place + 1 :], metric, rate)
                changes.append(found.value - (one.value - other.value))
            m = len(drawn_key)
            variance = (m - 1) / m * sum(change * change for change in changes)
            assert found.standard_error == pytest.approx(sqrt(variance))


def samples(rng: Random, key, homes, trials: int, size: int):
    """Yield all differences of samples of clusters that are drawn alike, by metric and rate."""
    responses = [entities_of(home) for home in homes]
    for _ in range(trials):
        drawn = [key[rng.randrange(len(key))] for _ in range(size)]
        one, other = (estimate(drawn, response) for response in responses)
        for metric in METRICS:
            for rate in RATES:
                scores = (getattr(getattr(found, metric), rate) for found in (one, other))
                yield (metric, rate), subtract(*scores, 0.95)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_intervals_of_differences_hold_the_truth_as_often_as_they_say():
    """Of 600 samples of 200 clusters, 95 % are 570; a binomial has 99.98 % within 20 of these."""
    rng = Random("differences")
    key, homes = population(rng, 2000, (0.1, 0.2))
    truths = [score(key, entities_of(home), metrics=METRICS) for home in homes]
    hits = dict.fromkeys(((metric, rate) for metric in METRICS for rate in RATES), 0)
    for (metric, rate), found in samples(rng, key, homes, 600, 200):
        one, other = (getattr(truth[metric], rate) for truth in truths)
        hits[metric, rate] += found.interval[0] <= one - other <= found.interval[1]
    assert all(550 <= count <= 590 for count in hits.values()), hits


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_equal_responses_differ_as_rarely_as_p_says():
    """The second response errs in mirrored clusters as the first one, so their scores are equal.

    p is below 0.05 in 30 of 600 samples; a binomial has 99.98 % within 20 of these.
    """
    rng = Random("equal")
    half, (home, other) = population(rng, 1000, (0.15, 0.15))
    shift = 10 * len(half)
    key = [*half, *([mention + shift for mention in entity] for entity in half)]

    def moved(home, by):
        return {m + by: (whole + by // 10, part) for m, (whole, part) in home.items()}

    homes = [home | moved(other, shift), other | moved(home, shift)]
    scores = [score(key, entities_of(one), metrics=METRICS) for one in homes]
    assert scores[0]["b3"].f1 == pytest.approx(scores[1]["b3"].f1)
    small = dict.fromkeys(((metric, rate) for metric in METRICS for rate in RATES), 0)
    for name, found in samples(rng, key, homes, 600, 200):
        small[name] += found.p < 0.05
    assert all(10 <= count <= 50 for count in small.values()), small


def table(entities, backwards: bool = False, column: str = "cluster") -> str:
    rows = [f"{item},c{n}" for n, entity in enumerate(entities) for item in entity]
    return "\n".join([f"id,{column}", *(reversed(rows) if backwards else rows), ""])


@pytest.fixture
def folder(tmp_path):
    for name, entities in (("sample", KEY), ("a", A), ("b", B)):
        (tmp_path / f"{name}.csv").write_text(table(entities), "utf-8")
    (tmp_path / "backwards.csv").write_text(table(KEY, backwards=True), "utf-8")
    (tmp_path / "person.csv").write_text(table(KEY, column="person"), "utf-8")
    return tmp_path


def estimated(folder, *arguments):
    options = ("--drawn", "uniform", "--quiet")
    return run("clusters", "estimate", *arguments, *options, folder=folder)


def test_the_command_shows_differences_of_two_responses(folder):
    out = estimated(folder, "sample.csv", "a.csv", "b.csv", "-m", "ceaf1").stdout
    line = next(line for line in out.splitlines() if " R " in line and "+50.00" in line)
    assert line.split()[-4:] == ["28.87", "[-41.87,", "100.00]", "0.182"]
    assert "a.csv - b.csv" in out
    assert "p is not adjusted" in out
    assert "B³" not in out
    assert "difference" not in estimated(folder, "sample.csv", "a.csv").stdout


@pytest.mark.parametrize("key", ["sample.csv", "backwards.csv"])
def test_differences_are_in_json_and_csv(folder, key):
    found = json.loads(estimated(folder, key, "a.csv", "b.csv", "-f", "json").stdout)
    (difference,) = found["differences"]
    assert (difference["response"], difference["minus"]) == ("a.csv", "b.csv")
    lines = estimated(folder, key, "a.csv", "b.csv", "-f", "csv").stdout.splitlines()
    rows = [row for row in csv.DictReader(lines) if row["minus"]]
    one, other = estimate(KEY, A), estimate(KEY, B)
    assert len(rows) == len(METRICS) * len(RATES)
    for row in rows:
        metric, rate = row["metric"], row["score"]
        expected = subtract(*(getattr(getattr(s, metric), rate) for s in (one, other)), 0.95)
        values = difference["scores"][metric][rate]
        assert values["value"] == expected.value
        assert values["p"] == pytest.approx(expected.p)
        assert float(row["p"]) == pytest.approx(expected.p)
        assert float(row["low"]) == pytest.approx(expected.interval[0])


def test_columns_of_both_sides_and_metrics_are_options_of_the_command(folder):
    columns = ("--key-cluster", "person", "--response-cluster", "cluster", "--item", "id")
    done = estimated(folder, "person.csv", "a.csv", *columns, "-m", "b3,links", "-f", "json")
    (result,) = json.loads(done.stdout)["results"]
    assert [*result["scores"]] == ["b3", "links"]
    assert result["scores"]["b3"]["recall"]["value"] == estimate(KEY, A).b3.recall.value
    refused = estimated(folder, "sample.csv", "a.csv", "-m", "muc")
    assert refused.returncode == 2
    assert "muc cannot be estimated; the metrics are links, b3, ceaf1" in refused.stderr
