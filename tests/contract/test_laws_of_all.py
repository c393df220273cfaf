"""Laws of every registered name: metrics of the table, metrics that see texts, and averages.

`test_laws` has the laws of partitions; these are the ones that also hold where words, heads and the
order of the text play a role. A new metric must obey them or be listed with the reason.
"""

from __future__ import annotations

import json
from math import isclose, isfinite
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corefmeter import Corpus, DataError, Document, Recipe, Result, score
from corefmeter.metrics import find, is_average, key_count, make, metric_class, names
from corefmeter.metrics.base import UNDEFINED_AS

from ..strategies import scaled
from .annotated import CEAF, corpora, recipes

#: law -> metric -> why it need not hold.
EXEMPT = {
    "swap": {
        "blanc": "by default the key decides which kinds of link count",
        "arcs-inferred": "a key mention has one right antecedent, a response mention many",
        "arcs-anchor": "entities are found by the anchors of the key",
    },
    "at least 0": {"ari": "corrected for chance: worse than chance is negative"},
}


def law(name: str = ""):
    def parametrized(test):
        chosen = [metric for metric in names() if metric not in EXEMPT.get(name, {})]
        examples = settings(max_examples=scaled(20), suppress_health_check=list(HealthCheck))
        return pytest.mark.parametrize("metric", chosen)(examples(test))

    return parametrized


def scored(metric: str, key: Corpus, response: Corpus, **options) -> Result:
    return score(key, response, Recipe(metrics=metric, **CEAF, **options))


def f1(result: Result, metric: str) -> float:
    return float(result[metric].f1)


def undefined(result: Result, metric: str) -> bool:
    return "f1" in result[metric].undefined or bool(is_average(metric) and result[metric].undefined)


def as_response(key: Corpus) -> Corpus:
    return Corpus([document.replace() for document in key])


def single(key: Corpus) -> Corpus:
    """The key without what is repeated, which is no partition."""
    seen: set = set()
    documents = []
    for document in key:
        seen.clear()
        entities, details = [], []
        for entity, known in zip(document.entities, document.details, strict=True):
            kept = [(m, d) for m, d in zip(entity, known, strict=True) if m not in seen]
            kept = list({mention: (mention, detail) for mention, detail in kept}.values())
            seen.update(mention for mention, _ in kept)
            if kept:
                entities.append([mention for mention, _ in kept])
                details.append([detail for _, detail in kept])
        documents.append(document.replace(entities=entities, details=details))
    return Corpus(documents)


def blind_to_singletons() -> list[str]:
    return [name for name in names() if not is_average(name) and not metric_class(name).singletons]


@pytest.mark.parametrize("metric", blind_to_singletons())
@settings(max_examples=scaled(100), suppress_health_check=list(HealthCheck))
@given(both=corpora())
def test_singletons_change_no_metric_that_says_so(metric, both):
    for dropped in ("drop", "drop-key", "drop-response"):
        less = scored(metric, *both, singletons=dropped, repeated="first")
        assert less[metric] == scored(metric, *both, repeated="first")[metric]


def test_metrics_are_blind_to_singletons():
    assert {"muc", "links"} <= set(blind_to_singletons())


def test_exemptions_are_of_metrics_that_there_are():
    assert {metric for exempt in EXEMPT.values() for metric in exempt} <= set(names())


@pytest.mark.parametrize("metric", names())
def test_a_metric_says_what_it_is(metric):
    options = find(metric).options
    made = make(metric, type("Options", (), {o.name: o.default for o in options} | CEAF))
    assert made.name == metric
    assert made.title
    assert len({option.name for option in options}) == len(options)
    assert all(option.help.endswith(".") for option in options)
    if not is_average(metric):
        kind = metric_class(metric)
        assert key_count(metric) in (None, *kind.fields)
        assert kind.aligned == hasattr(kind, "aligned_statistics")


@law()
@given(sides=corpora(), recipe=recipes())
def test_no_score_is_above_one_by_any_recipe(metric, sides, recipe):
    if recipe.repeated == "official":
        # v8.01 counts the copies of a key mention: CEAFe of {x, x} and {x} is 2 * 2/(2 + 1).
        recipe = recipe.replace(repeated="first")
    try:
        result = score(*sides, recipe.replace(metrics=metric, **CEAF))
    except DataError:
        return
    for field in ("recall", "precision", "f1"):
        assert not getattr(result[metric], field, 0) > 1


@law("at least 0")
@given(sides=corpora())
def test_no_score_is_below_zero(metric, sides):
    assert not f1(scored(metric, *sides), metric) < 0


@law()
@given(sides=corpora())
def test_the_key_against_itself_is_one_or_undefined(metric, sides):
    key = single(sides[0])
    result = scored(metric, key, as_response(key))
    if undefined(result, metric):
        assert 0 <= f1(result, metric) <= 1
    else:
        assert f1(result, metric) == pytest.approx(1, abs=1e-12)


@law("swap")
@given(sides=corpora())
def test_swapped_sides_have_the_same_f1(metric, sides):
    key, response = map(single, sides)
    key = Corpus([d for d in key if d.name in {other.name for other in response}])
    one, other = scored(metric, key, response), scored(metric, response, key)
    if metric in ("conll", "mela", "ceafe", "b3", "lea", "ceaf", "vmeasure"):
        assert isclose(f1(one, metric), f1(other, metric), abs_tol=1e-12)
    else:
        assert f1(one, metric) == f1(other, metric)


@law()
@given(sides=corpora(), seed=st.integers())
def test_names_and_order_of_entities_mean_nothing(metric, sides, seed):
    key, response = map(single, sides)
    random = Random(seed)

    def disguised(corpus: Corpus) -> Corpus:
        found = []
        for document in corpus:
            order = list(range(len(document.entities)))
            random.shuffle(order)
            found.append(
                document.replace(
                    entities=[document.entities[place] for place in order],
                    details=[document.details[place] for place in order],
                    entity_names=[f"e{place}" for place in order],
                )
            )
        return Corpus(found)

    before = scored(metric, key, response)
    after = scored(metric, disguised(key), disguised(response))
    assert isclose(f1(before, metric), f1(after, metric), abs_tol=1e-12)
    assert before[metric].undefined == after[metric].undefined


@law()
@given(sides=corpora())
def test_a_corpus_is_the_sum_of_its_documents(metric, sides):
    key, response = sides
    whole = scored(metric, key, response)
    partner = {document.name: document for document in response}
    parts = [
        scored(metric, Corpus([document]),
               Corpus([partner.get(document.name, Document(document.name, [], part=0))]))
        for document in key
    ]  # fmt: skip
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    assert total.statistics == whole.statistics
    assert repr(total[metric]) == repr(whole[metric])


@law()
@given(sides=corpora())
def test_a_document_without_mentions_adds_nothing(metric, sides):
    empty = Document("empty", [], part=0)
    more = [Corpus([*corpus.documents, empty]) for corpus in sides]
    assert repr(scored(metric, *more)[metric]) == repr(scored(metric, *sides)[metric])


@law()
@given(sides=corpora())
def test_the_policy_for_undefined_changes_only_what_is_undefined(metric, sides):
    zero = scored(metric, *sides)
    for policy in UNDEFINED_AS:
        other = scored(metric, *sides, undefined=policy)
        assert other[metric].undefined == zero[metric].undefined
        if not zero[metric].undefined:
            assert f1(other, metric) == f1(zero, metric)


@law()
@given(sides=corpora())
def test_statistics_are_finite_and_come_back_from_json(metric, sides):
    result = scored(metric, *sides)
    for column in result.statistics.values():
        assert all(isfinite(value) for row in column for value in row)
    if metric == "ceaf":
        return  # a function of the test, which has no name that could be read back
    again = Result.from_dict(json.loads(json.dumps(result.to_dict(by=["part"]))))
    assert again.statistics == result.statistics


@law()
@given(sides=corpora())
def test_scoring_leaves_its_input_as_it_was(metric, sides):
    before = [[(d.name, repr(d.entities), d.entity_names) for d in corpus] for corpus in sides]
    scored(metric, *sides)
    assert before == [
        [(d.name, repr(d.entities), d.entity_names) for d in corpus] for corpus in sides
    ]
