"""The law above the others: the number of a metric depends on the recipe and the data only.

Not on which other metrics are asked for, on the command, on files or lists, on the order of the
documents, or on how often it is asked.
"""

from __future__ import annotations

import io
from math import isclose

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import corefmeter
from corefmeter import Corpus, Recipe, Scorer
from corefmeter.formats import conll
from corefmeter.metrics import metric_class, names
from corefmeter.problems import DataError, OptionError
from corefmeter.recipe import MATCHED
from corefmeter.scoring import match_corpora

from ..strategies import scaled
from .annotated import CEAF, corpora, recipes

#: Every name that can be asked for.
NAMES = [name for name in names() if name not in ("conll", "mela")]


def rows(result: corefmeter.Result) -> dict[str, dict[str, tuple]]:
    """The statistics of each unit by metric."""
    return {
        metric: {unit.label: row for unit, row in zip(result.units, column, strict=True)}
        for metric, column in result.statistics.items()
    }


def outcome(call, *arguments, **options):
    """What a call gives, or the codes of its errors."""
    try:
        return call(*arguments, **options)
    except DataError as error:
        return sorted({problem.code for problem in error.problems})


def alike(one: dict, other: dict) -> bool:
    """Equal counts, and sums of real numbers equal but for their last bits."""
    return one.keys() == other.keys() and all(
        len(row) == len(other[unit]) and all(map(_close, row, other[unit]))
        for unit, row in one.items()
    )


def nothing(value: float | None) -> bool:
    """Whether a score is not a number, as a skipped 0/0."""
    return value is None or value != value


def _close(a: float, b: float) -> bool:
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return isclose(a, b, abs_tol=1e-12) or (nothing(a) and nothing(b))


def laws(sides: tuple[Corpus, Corpus], recipe: Recipe, metric: str, others: list[str]) -> None:
    """See that the numbers of a metric are the same on all ways."""
    key, response = sides
    alone = outcome(corefmeter.score, key, response, recipe.replace(metrics=metric, **CEAF))
    if isinstance(alone, list):
        for again in (
            outcome(corefmeter.score, key, response, alone_recipe(recipe, metric)),
            outcome(corefmeter.analyse, key, response, alone_recipe(recipe, metric)),
        ):
            assert again == alone  # fmt: skip
        return
    expected = rows(alone)[metric]
    more = alone.recipe.replace(metrics=(*others, metric))
    together = corefmeter.score(key, response, more)
    assert rows(together)[metric] == expected
    assert rows(corefmeter.score(key, response, alone.recipe))[metric] == expected
    analysis = corefmeter.analyse(key, response, more)
    assert rows(analysis.result)[metric] == expected
    if metric in ("arcs-immediate", "arcs-inferred"):
        found = analysis.arcs()[metric.removeprefix("arcs-")]
        if found is None:  # where no mention is known to be nominal nothing is inferred
            assert alone.sums(metric)[:3] == (0, 0, 0)
        else:
            counts = [found["all"][name] for name in ("tp", "wl", "fn", "fp")]
            assert tuple(counts) == alone.sums(metric)
    # Of a key that repeats mentions errors see the first copies, whatever v8.01 does.
    by_numbers = not callable(recipe.lea_importance) and recipe.repeated != "official"
    if by_numbers and not metric_class(metric).aligned:
        costs = corefmeter.analyse(key, response, alone.recipe, costs=[metric]).costs
        assert _close(costs.base[metric], alone[metric].f1)
    if len(alone.units) > 1:
        compared = corefmeter.compare(
            key, {"A": response, "B": response}, alone.recipe, trials=10, by="part"
        )
        found = compared[metric].scores["A"]
        assert all(
            nothing(getattr(found, name)) == nothing(value)
            and (nothing(value) or isclose(getattr(found, name), value, abs_tol=1e-12))
            for name, value in zip(("recall", "precision", "f1"), alone[metric][:3], strict=True)
        )
    turned = corefmeter.score(
        Corpus(key.documents[::-1]), Corpus(response.documents[::-1]), alone.recipe
    )
    assert alike(rows(turned)[metric], expected)
    if not recipe.as_one_document:
        scorer = Scorer(alone.recipe)
        of_response = {document.id: document for document in response}
        for document in key:
            partner = of_response.get(document.id)
            if partner is not None:
                scorer.update(document, partner, name=document.label)
        assert rows(scorer.compute())[metric].items() <= expected.items()


def alone_recipe(recipe: Recipe, metric: str) -> Recipe:
    return recipe.replace(metrics=metric, **CEAF)


def check(sides, recipe, metric, others):
    try:
        recipe = recipe.replace(metrics=(metric, *others), **CEAF)
    except OptionError:
        return  # a combination that is refused, whoever asks
    laws(sides, recipe, metric, others)


@pytest.mark.parametrize("metric", NAMES)
@given(data=st.data())
@settings(max_examples=scaled(12), suppress_health_check=list(HealthCheck))
def test_a_number_depends_on_the_recipe_and_the_data_only(metric, data):
    others = data.draw(st.lists(st.sampled_from(NAMES), max_size=4))
    check(data.draw(corpora()), data.draw(recipes()), metric, others)


@pytest.mark.nightly
@pytest.mark.parametrize("metric", NAMES)
@given(data=st.data())
@settings(max_examples=10_000 // len(NAMES) + 1,
          suppress_health_check=list(HealthCheck))  # fmt: skip
def test_a_number_depends_on_the_recipe_and_the_data_only_ten_thousand_times(metric, data):
    others = data.draw(st.lists(st.sampled_from(NAMES), max_size=4))
    check(data.draw(corpora()), data.draw(recipes()), metric, others)


def test_another_metric_does_not_change_how_mentions_are_counted():
    # The response mention (8, 9) stands in two entities and is not in the key. Mentions are counted
    # once: 3 of 4 distinct ones are in the key.
    key = [[(0, 1), (2, 3)], [(4, 5), (6, 7)]]
    response = [[(0, 1), (2, 3), (8, 9)], [(4, 5), (8, 9)]]
    for metrics in (["mentions"], ["mentions", "blanc"], ["mentions", "blanc", "mor"]):
        assert corefmeter.score(key, response, metrics=metrics).mentions.precision == 3 / 4


def test_documents_are_joined_before_singletons_are_dropped():
    # Entity 1 has the mention x in document a and the mentions y, z in document b; the response
    # has x alone and y, z. Joined first, the key is {x, y, z} and the response {x} and {y, z};
    # of these {x} is dropped. B3 recall: (2/3 + 2/3) / 3 = 4/9; precision: (2/2 + 2/2) / 2 = 1.
    def corpus(first: str, second: str) -> Corpus:
        return Corpus(
            [
                corefmeter.Document("a", [[(0, 1)]], entity_names=[first]),
                corefmeter.Document("b", [[(0, 1), (2, 3)]], entity_names=[second]),
            ]
        )

    key, response = corpus("1", "1"), corpus("2", "1")
    for changes in ({}, {"metrics": ["b3", "mor"]}, {"match": "overlap"}):
        options = {
            "metrics": ["b3"], "as_one_document": True, "shared_ids": True, "singletons": "drop"
        } | changes  # fmt: skip
        scores = corefmeter.score(key, response, **options).b3
        assert isclose(scores.recall, 4 / 9, abs_tol=1e-15)
        assert scores.precision == 1


def test_distinct_copies_are_paired_after_singletons_are_dropped():
    # Key {x}, {x, y}; response {x, y}. Without its singletons the key is the response.
    key, response = [[(0, 1)], [(0, 1), (2, 3)]], [[(0, 1), (2, 3)]]
    for changes in ({}, {"metrics": ["b3", "mor"]}, {"match": "overlap"}):
        options = {"metrics": ["b3"], "repeated": "distinct", "singletons": "drop"} | changes
        assert corefmeter.score(key, response, **options).b3.f1 == 1


def test_the_first_entity_of_a_repeated_mention_is_that_of_its_document():
    # In document b the mention x is in entity 2 first, then in entity 1; that entity 1 comes
    # before 2 in document a does not matter.
    a = corefmeter.Document("a", [[(0, 1), (1, 2)], [(2, 3), (3, 4)]], entity_names=["1", "2"])
    b = corefmeter.Document("b", [[(0, 1), (5, 6)], [(0, 1), (7, 8)]], entity_names=["2", "1"])
    options = {"metrics": "b3", "as_one_document": True, "shared_ids": True}
    one = corefmeter.score(Corpus([a, b]), Corpus([b]), **options)
    other = corefmeter.score(Corpus([b, a]), Corpus([b]), **options)
    # Key {a0, a1, b7}, {a2, a3, b0, b5}; response {b0, b5}, {b7}: b0, b5 have 2/4 each, b7 1/3.
    assert isclose(one.b3.recall_numerator, 2 / 4 + 2 / 4 + 1 / 3)
    assert one.b3[:3] == other.b3[:3]


def test_copies_that_are_matched_nearly_are_as_many_mentions_as_their_partners():
    # The response has (0, 4) four times; it shares 3 of 3 and 4 tokens with each key mention, Dice
    # 6/7. Two copies are matched; the others have no partner and are one mention: 2 of 3. Of the
    # links across entities the key has one, which the response has too; the response has those of
    # its three mentions, and a copy with its copy, which links count as v8.01 does: 4.
    key, response = [[(0, 3)], [(1, 4)]], [[(0, 4)]] * 4
    result = corefmeter.score(key, response, match="overlap", metrics=["mentions", "blanc"])
    assert result.mentions[:2] == (1, 2 / 3)
    assert result.statistics["blanc"][0][3:] == (1, 1, 4, 2, 2, 3)


def test_official_drops_singletons_of_a_key_that_keeps_its_copies():
    # Key {x}, {x, y}: without its singleton it is {x, y}, as the response. Under `first` it is {x},
    # {y}, and nothing is left.
    key, response = [[(0, 1)], [(0, 1), (2, 3)]], [[(0, 1), (2, 3)]]
    for metrics in (["muc", "b3"], ["muc", "b3", "links"]):
        options = {"metrics": metrics, "singletons": "drop"}
        assert corefmeter.score(key, response, repeated="official", **options).b3.f1 == 1
        assert corefmeter.score(key, response, repeated="first", **options).b3.f1 == 0


@given(data=st.data())
@settings(max_examples=scaled(100), suppress_health_check=list(HealthCheck))
def test_matching_shows_the_matches_that_are_scored(data):
    key, response = data.draw(corpora())
    recipe = data.draw(recipes()).replace(
        metrics="mentions", as_one_document=False, shared_ids=False
    )
    if recipe.repeated == "official":  # the key keeps its copies, which no alignment shows
        recipe = recipe.replace(repeated="first")
    result = outcome(corefmeter.score, key, response, recipe)
    found = outcome(match_corpora, key, response, recipe)
    if isinstance(result, list):
        assert found == result
        return
    alignments, _ = found
    counts = {a.key.document.label: len(a.matches) for a in alignments}
    assert counts == {label: row[0] for label, row in rows(result)["mentions"].items()}


@given(data=st.data())
@settings(max_examples=scaled(200), suppress_health_check=list(HealthCheck))
def test_only_options_that_say_so_decide_what_is_matched(data):
    """`corefmeter match` has these options and prints them, and no others."""
    key, response = data.draw(corpora())
    recipe = data.draw(recipes()).replace(as_one_document=False, shared_ids=False)
    decisive = Recipe(**{name: getattr(recipe, name) for name in MATCHED})
    found, again = (outcome(match_corpora, key, response, one) for one in (recipe, decisive))
    if isinstance(found, list):
        assert found == again
    else:
        assert [a.matches for a in found[0]] == [a.matches for a in again[0]]


@given(data=st.data())
@settings(max_examples=scaled(100), suppress_health_check=list(HealthCheck))
def test_a_file_scores_as_the_lists_it_was_written_from(data, tmp_path_factory):
    key, response = data.draw(corpora(plain=True))
    recipe = data.draw(recipes(plain=True))
    folder = tmp_path_factory.mktemp("files")
    paths = []
    for name, corpus in (("key", key), ("response", response)):
        stream = io.StringIO()
        conll.write(corpus, stream)
        paths.append(folder / f"{name}.conll")
        paths[-1].write_text(stream.getvalue(), encoding="utf-8")
    # What is written is what is scored: copies within an entity are lost in a file.
    read = [corefmeter.read(path) for path in paths]
    lists = [
        Corpus([corefmeter.Document(d.name, d.entities, part=d.part, entity_names=d.entity_names)
                for d in corpus])
        for corpus in read
    ]  # fmt: skip
    one = outcome(corefmeter.score, *paths, recipe)
    other = outcome(corefmeter.score, *lists, recipe)
    if isinstance(one, list):
        assert one == other
    else:
        assert rows(one) == rows(other)
