"""Keys of given, drawn and real sizes."""

from __future__ import annotations

from random import Random

import pytest

from corefmeter import Corpus, Document
from corefmeter.corpus.text import Detail
from corefmeter.problems import OptionError
from corefmeter.wings.lab.partitions import (
    as_invented,
    drawn_sizes,
    entities_of_sizes,
    generator,
    paired_documents,
    sizes_of,
    twinless_mentions,
    typed_corpus,
    with_entities,
)


def test_given_sizes():
    assert entities_of_sizes([3, 1], first=5) == [[(5, 6), (6, 7), (7, 8)], [(8, 9)]]
    assert entities_of_sizes([]) == []


def test_an_entity_has_a_mention():
    with pytest.raises(OptionError, match="an entity must have 1 mention or more, not 0"):
        entities_of_sizes([2, 0])


def test_drawn_sizes_repeat_with_the_seed_and_have_the_mean():
    sizes = drawn_sizes(4000, mean=5, seed=3)
    assert sizes == drawn_sizes(4000, mean=5, seed=3) != drawn_sizes(4000, mean=5, seed=4)
    assert min(sizes) == 2
    # The variance of the geometric part of mean 3 is 3 * 4 = 12; 5 standard errors of 4000 draws.
    assert sum(sizes) / 4000 == pytest.approx(5, abs=5 * (12 / 4000) ** 0.5)


@pytest.mark.parametrize(("mean", "smallest"), [(1, 2), (3, 0), (float("nan"), 2)])
def test_impossible_sizes(mean, smallest):
    with pytest.raises(OptionError):
        drawn_sizes(1, mean=mean, seed=0, smallest=smallest)


def test_sizes_of_a_corpus():
    corpus = [Document("x", [["a", "b"], ["c"]]), Document("y", [["d", "e", "f"]])]
    assert sizes_of(corpus) == [2, 1, 3]


def test_typed_documents():
    corpus = typed_corpus(entities=2000, documents=30, mean=2.4, seed=5)
    assert [len(d.entities) for d in corpus] == [66, 67, 67] * 10  # 2000/30 = 66 2/3
    sizes = sizes_of(corpus)
    # The geometric part has mean 1.4 and variance 1.4 * 2.4; 5 standard errors of 2000 draws.
    assert sum(sizes) / 2000 == pytest.approx(2.4, abs=5 * (1.4 * 2.4 / 2000) ** 0.5)
    named = 0
    for document in corpus:
        spans = [mention for entity in document.entities for mention in entity]
        assert sorted(spans) == [(n, n + 1) for n in range(document.tokens)]
        for entity, details in zip(document.entities, document.details, strict=True):
            assert entity == sorted(entity)
            assert len({detail.entity_type for detail in details}) == 1
            kinds = [detail.kind for detail in details]
            assert kinds[0] in ("name", "nominal")
            assert kinds[0] == "name" or "name" not in kinds
            named += kinds[0] == "name"
    assert named == pytest.approx(1000, abs=5 * (2000 / 4) ** 0.5)
    assert typed_corpus(5, 2, 2, seed=1).documents[1].entities == (
        typed_corpus(5, 2, 2, seed=1).documents[1].entities
    )


def test_details_stay_with_their_mentions():
    details = [[Detail(kind="name"), Detail(kind="pronoun")], [Detail(kind="nominal")]]
    document = Document("x", [["a", "b"], ["c"]], details=details)
    made = with_entities(document, [["b", "new"], ["c", "a"]])
    assert [[detail.kind for detail in entity] for entity in made.details] == [
        ["pronoun", None],
        ["nominal", "name"],
    ]
    assert with_entities(Document("x", [["a"]]), [["a"]]).details is None


def test_of_a_repeated_mention_the_first_copy_keeps_its_details():
    """As the policy `first` keeps the first copy; any more copies are like the last."""
    details = [[Detail(kind="name")], [Detail(kind="pronoun"), Detail(kind="nominal")]]
    document = Document("x", [["a"], ["a", "b"]], details=details)
    ((kept, _),) = zip(*paired_documents(Corpus([document]), Corpus([document])), strict=True)
    assert kept.entities == [["a"], ["b"]]
    assert [[d.kind for d in entity] for entity in kept.details] == [["name"], ["nominal"]]
    more = with_entities(document, [["a"], ["a"], ["a"]])
    assert [entity[0].kind for entity in more.details] == ["name", "pronoun", "pronoun"]


def test_a_generator_goes_on():
    random = Random(1)
    assert generator(random) is random
    assert generator(1).random() == Random(1).random()


def test_documents_around_entities():
    document = as_invented([[(0, 1), (4, 6)]], "x")
    assert (document.name, document.tokens) == ("x", 6)
    other = with_entities(Document("y", [["a"]], part=2, tokens=9), [["b"], ["c"]])
    assert (other.id, other.tokens, other.entities) == (("y", 2), 9, [["b"], ["c"]])
    assert other.entity_names == ["0", "1"]


def test_twinless_mentions_are_free_spans():
    taken = [(0, 1), (1, 3)]
    assert twinless_mentions(4, taken, tokens=3) == [(1, 2), (2, 3), (0, 2), (0, 3)]
    # There is no more room: behind the end.
    assert twinless_mentions(6, taken, tokens=3)[4:] == [(3, 4), (4, 5)]
    assert twinless_mentions(0, taken, tokens=3) == []


def test_twinless_mentions_of_another_kind():
    assert twinless_mentions(2, ["a", ("twinless", 0)]) == [("twinless", 1), ("twinless", 2)]


def test_paired_documents_hold_each_mention_once():
    key = Corpus([Document("x", [["a", "b"], ["a"]]), Document("y", [["c"]])])
    response = Corpus([Document("x", [["b"], ["b", "a"]]), Document("z", [["d"]])])
    keys, responses = paired_documents(key, response)
    assert [document.entities for document in keys] == [[["a", "b"]], [["c"]]]
    assert [document.entities for document in responses] == [[["a"], ["b"]], []]
