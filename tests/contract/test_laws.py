"""Laws that every metric obeys. A metric that is registered is tested here by itself.

Where a metric is exempt from a law, `EXEMPT` says which and why; a new metric must obey all laws or
be listed.
"""

from __future__ import annotations

import json
from math import inf, isclose, isfinite
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefmeter import Recipe, Result
from corefmeter.metrics import METRICS, Overlap, make
from corefmeter.metrics.base import UNDEFINED_AS, Metric
from corefmeter.metrics.options import BLANC as BLANC_OPTION
from corefmeter.units import Unit

from ..metrics.slow import BLANC, GMD, NMI, SLOW, lea, score
from ..strategies import scaled
from .strategies import documents, partitions

FIELDS = ("recall", "precision", "f1")


def overlap_share(common: int, key_size: int, response_size: int) -> float:
    """A similarity between 0 and 1, for the general CEAF."""
    return 2 * common / (key_size + response_size)


def root(entity) -> float:
    """An importance that is no whole number, for LEA."""
    return len(entity) ** 0.5


#: Options beside the defaults, so that each named variant of a metric obeys the laws too.
OPTIONS: dict[str, list[dict]] = {
    "ceaf": [{"ceaf_similarity": overlap_share}],
    "blanc": [{"blanc": policy} for policy in BLANC_OPTION.choices],
    "lea": [{"lea_importance": "size"}, {"lea_importance": "one"}, {"lea_importance": root}],
    "nmi": [{"nmi_mean": mean} for mean in NMI],
    "gmd": [{"gmd_cost": cost} for cost in GMD],
}

VARIANTS: dict[str, tuple[str, Recipe]] = {}
for _name in METRICS:
    for _options in OPTIONS.get(_name, [{}]):
        _shown = "-".join(getattr(value, "__name__", str(value)) for value in _options.values())
        _id = f"{_name}-{_shown}" if len(OPTIONS.get(_name, [])) > 1 else _name
        VARIANTS[_id] = (_name, Recipe(metrics=_name, **_options))

#: law -> metric or variant -> why it need not hold.
EXEMPT: dict[str, dict[str, str]] = {
    "swap": {
        "blanc-official": "the key decides which kinds of link count",
        "blanc-recasens2011": "the key decides which kinds of link count",
    },
    "harmonic": {
        "blanc-official": "F1 is a mean of two F1s, not of R and P",
        "blanc-luo2014": "F1 is a mean of two F1s, not of R and P",
        "blanc-corefud": "F1 is a mean of two F1s, not of R and P",
        "blanc-recasens2011": "F1 is a mean of two F1s, not of R and P",
        "ari": "one number, which may be negative",
        "fmi": "the geometric mean instead",
    },
    "at least 0": {"ari": "corrected for chance: worse than chance is negative"},
    "empty sides are 0/0": {
        "blanc-luo2014": "section 4.1, case (1): one mention against none is 0, not 0/0",
    },
    "disjoint is 0": {
        "rand": "defined on common mentions only: 0/0",
        "ari": "defined on common mentions only: 0/0",
        "fmi": "defined on common mentions only: 0/0",
        "vmeasure": "defined on common mentions only: 0/0",
        **{f"nmi-{mean}": "defined on common mentions only: 0/0" for mean in NMI},
        "vi": "defined on common mentions only: 0/0",
    },
}


def law(test):
    """A test of each variant of each metric."""
    return pytest.mark.parametrize("variant", VARIANTS)(test)


def law_with_exceptions(name: str):
    return pytest.mark.parametrize("variant", [v for v in VARIANTS if v not in EXEMPT[name]])


def made(variant: str) -> Metric:
    name, recipe = VARIANTS[variant]
    return make(name, recipe)


def scores(variant: str, key, response, undefined: str = "zero"):
    metric = made(variant)
    return metric.scores(metric.statistics(Overlap(key, response)), undefined)


def result_of(variant: str, pairs, first: int = 0) -> Result:
    """A result over documents, as `corefmeter.score` makes it; they are named from `first` on."""
    name, recipe = VARIANTS[variant]
    metric = made(variant)
    rows = [metric.statistics(Overlap(key, response)) for key, response in pairs]
    units = [Unit(f"d{i}", f"d{i}") for i in range(first, first + len(rows))]
    return Result(recipe, units, {name: rows})


def same(one, other, tolerance: float = 1e-12) -> bool:
    return isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


examples = settings(max_examples=scaled(25))


def test_exemptions_are_of_metrics_that_there_are():
    assert {v for exempt in EXEMPT.values() for v in exempt} <= set(VARIANTS)


@law
@examples
@given(documents(repeats=True), st.randoms(use_true_random=False))
def test_names_and_order_of_mentions_and_entities_mean_nothing(variant, document, random):
    key, response = document
    names = [f"m{i}" for i in range(20)]
    random.shuffle(names)

    def disguised(entities):
        renamed = [[names[mention] for mention in entity] for entity in entities]
        for entity in renamed:
            random.shuffle(entity)
        random.shuffle(renamed)
        return renamed

    before, after = (
        scores(variant, key, response),
        scores(variant, disguised(key), disguised(response)),
    )
    assert before.undefined == after.undefined
    for field in FIELDS:
        assert same(getattr(before, field), getattr(after, field))


@law
@examples
@given(documents(repeats=True))
def test_scores_are_at_most_one(variant, document):
    found = scores(variant, *document)
    assert all(getattr(found, field) <= 1 for field in FIELDS)


@law_with_exceptions("at least 0")
@examples
@given(documents(repeats=True))
def test_scores_are_at_least_zero(variant, document):
    found = scores(variant, *document)
    assert all(getattr(found, field) >= 0 for field in FIELDS)


@law
@examples
@given(partitions())
def test_a_perfect_response_scores_one_wherever_that_is_defined(variant, entities):
    found = scores(variant, entities, entities)
    for field in FIELDS:
        assert getattr(found, field) == (0 if field in found.undefined else 1)


@law
def test_a_perfect_response_is_defined_as_soon_as_there_is_an_entity_and_a_link_of_each_kind(
    variant,
):
    assert scores(variant, [[0, 1], [2]], [[0, 1], [2]]).undefined == ()


@law_with_exceptions("swap")
@examples
@given(documents())
def test_swapping_sides_swaps_recall_and_precision(variant, document):
    key, response = document
    forward, backward = scores(variant, key, response), scores(variant, response, key)
    assert same(forward.recall, backward.precision)
    assert same(forward.precision, backward.recall)
    assert same(forward.f1, backward.f1)
    swapped = {"recall": "precision", "precision": "recall", "f1": "f1"}
    assert {swapped[field] for field in forward.undefined} == set(backward.undefined)


@pytest.mark.parametrize("variant", EXEMPT["swap"])
@examples
@given(documents())
def test_blanc_swaps_them_where_both_sides_have_both_kinds_of_link(variant, document):
    key, response = ([*entities, ["a", "b"], ["c"]] for entities in document)
    forward, backward = scores(variant, key, response), scores(variant, response, key)
    assert same(forward.recall, backward.precision)
    assert same(forward.precision, backward.recall)
    assert same(forward.f1, backward.f1)


@law_with_exceptions("harmonic")
@examples
@given(documents(repeats=True))
def test_f1_is_the_harmonic_mean_of_recall_and_precision(variant, document):
    found = scores(variant, *document)
    total = found.recall + found.precision
    assert same(found.f1, 2 * found.recall * found.precision / total if total else 0)


@law
@examples
@given(st.lists(documents(repeats=True), min_size=1, max_size=4))
def test_a_corpus_is_the_sum_of_its_documents(variant, pairs):
    """Pooled statistics are the sums of the rows, and pooled scores come from them alone."""
    name, _ = VARIANTS[variant]
    metric = made(variant)
    result = result_of(variant, pairs)
    rows = [metric.statistics(Overlap(key, response)) for key, response in pairs]
    sums = result.sums(name)
    assert len(sums) == len(metric.fields)
    for total, column in zip(sums, zip(*rows, strict=True), strict=True):
        assert same(total, sum(column))
    pooled = metric.scores(sums)
    assert result[name] == pooled


@law
@examples
@given(st.lists(documents(repeats=True), max_size=6), st.randoms(use_true_random=False))
def test_shards_in_any_order_give_the_same_bits(variant, pairs, random):
    name, _ = VARIANTS[variant]
    whole = result_of(variant, pairs)
    single = [result_of(variant, [pair], i) for i, pair in enumerate(pairs)]
    random.shuffle(single)
    cut = random.randint(0, len(single))
    empty = result_of(variant, [])
    shards = sum(single[:cut], empty) + sum(single[cut:], empty)
    assert shards.documents == whole.documents
    assert repr(shards.sums(name)) == repr(whole.sums(name))
    assert repr(shards[name]) == repr(whole[name])


@law
def test_a_hundred_documents_in_any_order_give_the_same_bits(variant):
    """Many floats, whose sum by plain addition would depend on the order."""
    random = Random(1)
    pairs = []
    for _ in range(100):
        mentions = list(range(12))
        sides = []
        for _ in range(2):
            homes: dict[int, list[int]] = {}
            for mention in mentions:
                homes.setdefault(random.randrange(5), []).append(mention)
            sides.append(list(homes.values()))
        pairs.append(tuple(sides))
    name, _ = VARIANTS[variant]
    before = repr(result_of(variant, pairs)[name])
    for _ in range(5):
        random.shuffle(pairs)
        assert repr(result_of(variant, pairs)[name]) == before


@law
@examples
@given(documents(repeats=True))
def test_a_document_without_mentions_adds_nothing(variant, document):
    name, _ = VARIANTS[variant]
    assert result_of(variant, [document, ([], [])])[name] == result_of(variant, [document])[name]


@law
@examples
@given(partitions(least=1))
def test_an_empty_response_scores_zero(variant, entities):
    found = scores(variant, entities, [])
    assert (found.recall, found.precision, found.f1) == (0, 0, 0)


@law
@examples
@given(partitions(least=1))
def test_an_empty_key_scores_zero(variant, entities):
    found = scores(variant, [], entities)
    assert (found.recall, found.precision, found.f1) == (0, 0, 0)


@law_with_exceptions("empty sides are 0/0")
@examples
@given(partitions(least=1))
def test_the_ratio_over_an_empty_side_is_named_undefined(variant, entities):
    assert "precision" in scores(variant, entities, []).undefined
    assert "recall" in scores(variant, [], entities).undefined


@law
def test_two_empty_sides_are_undefined_and_score_zero(variant):
    found = scores(variant, [], [])
    assert (found.recall, found.precision, found.f1) == (0, 0, 0)
    assert found.undefined == FIELDS


@law_with_exceptions("disjoint is 0")
@examples
@given(partitions(least=1), partitions(least=1))
def test_sides_without_a_common_mention_score_zero(variant, key, response):
    response = [[("twinless", mention) for mention in entity] for entity in response]
    found = scores(variant, key, response)
    assert (found.recall, found.precision, found.f1) == (0, 0, 0)


@law
@examples
@given(documents(repeats=True))
def test_the_undefined_policy_changes_only_what_is_undefined(variant, document):
    zero = scores(variant, *document)
    for policy, value in UNDEFINED_AS.items():
        found = scores(variant, *document, undefined=policy)
        assert found.undefined == zero.undefined
        for field in FIELDS:
            expected = value if field in zero.undefined else getattr(zero, field)
            actual = getattr(found, field)
            assert actual == expected or (actual != actual and expected != expected)


@law
@examples
@given(documents(repeats=True))
def test_statistics_are_finite_numbers_one_for_each_field(variant, document):
    metric = made(variant)
    row = metric.statistics(Overlap(*document))
    assert len(row) == len(metric.fields)
    assert all(type(value) in (int, float) and isfinite(value) for value in row)
    assert json.loads(json.dumps(row)) == list(row)
    assert -inf < metric.scores(row).f1 < inf


@law
@examples
@given(documents(repeats=True))
def test_a_metric_leaves_its_input_as_it_was(variant, document):
    key, response = document
    before = repr((key, response))
    scores(variant, key, response)
    assert repr((key, response)) == before


@law
@examples
@given(documents(most=7, repeats=True))
def test_a_metric_equals_its_slow_definition(variant, document):
    """Add the definition of a new metric to `SLOW` in tests/metrics/slow.py."""
    name, recipe = VARIANTS[variant]
    definition = SLOW[name]
    if name == "blanc":
        definition = BLANC[recipe.blanc]
    if name == "lea":
        weights = {"size": len, "one": lambda entity: 1}
        definition = lea(weights.get(recipe.lea_importance, recipe.lea_importance))
    if name == "nmi":
        definition = NMI[recipe.nmi_mean]
    if name == "gmd":
        definition = GMD[recipe.gmd_cost]
    expected = score(definition, [document])
    found = scores(variant, *document)
    for field in FIELDS:
        exact = getattr(expected, field)
        assert (exact is None) == (field in found.undefined)
        assert same(getattr(found, field), float(exact or 0))
