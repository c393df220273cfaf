"""What is prepared of several documents, of which only some, or one side, need a step."""

from __future__ import annotations

import pytest

from corefmeter import Corpus, DataError, Document, OptionError, Recipe, score
from corefmeter.corpus.text import Text
from corefmeter.preparation import prepare


def characters(name: str, words: str, *entities: list[tuple[int, int]]) -> Document:
    text = Text(list(words), between="")
    return Document(name, list(entities), text=text, unit="characters")


@pytest.mark.parametrize("repeats", [0, 1])
def test_copies_that_fall_together_on_one_side_are_copies(repeats):
    """(0, 4) is (0, 3) and a space: of its side {Ann, saw} is left, which is the other side's."""
    sides = [Corpus([characters("a", "Ann saw", [(0, 3), (4, 7)])])] * 2
    sides[repeats] = Corpus([characters("a", "Ann saw", [(0, 3), (4, 7)], [(0, 4)])])
    result = score(*sides, align="characters", metrics=["mentions", "ceafe"], repeated="first")
    assert result.statistics["mentions"] == [(2, 2, 2, 2)]
    assert result.statistics["ceafe"] == [(1, 1, 1, 1)]
    (problem,) = [p for p in result.problems if p.code == "repeated-mention"]
    assert ("the key" in problem.message, problem.count) == (repeats == 0, 1)


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_mentions_that_cut_words_are_found_where_other_documents_count_tokens(order):
    def corpus(end: int) -> Corpus:
        documents = [
            Document("a", [[(0, 1)]], text=Text(["Ann"])),
            characters("b", "Ann saw", [(0, end)]),
        ]
        return Corpus([documents[place] for place in order])

    (problem,) = [p for p in score(corpus(3), corpus(2)).problems if p.code == "off-token"]
    assert (problem.document, problem.count) == ("b", 1)


@pytest.mark.parametrize("noise", ["-1", "none"])
def test_noise_is_no_option_of_texts(noise):
    for key in ([["a"]], Corpus([characters("a", "Ann", [(0, 3)])])):
        with pytest.raises(OptionError, match="noise is an option of tables"):
            score(key, key, noise=noise)


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_a_document_of_the_key_without_mentions_excuses_no_other(order):
    """Document b has no mention; that nothing can be used of a guessed format is an error for a."""

    def corpus(*sides: list[list[tuple[int, int]]]) -> Corpus:
        documents = [Document(name, list(side)) for name, side in zip("ab", sides, strict=True)]
        return Corpus([documents[place] for place in order])

    response = corpus([], [])
    response.guessed = True
    with pytest.raises(DataError, match="no mention can be used"):
        prepare(corpus([[(0, 1)]], []), response, Recipe())
    assert len(prepare(corpus([], []), response, Recipe())[0]) == 2


@pytest.mark.parametrize("match", ["exact", "overlap"])
def test_mentions_of_joined_documents_are_in_one_order_with_their_names_and_without(match):
    """A and B share (0, 1) of the second document, so all four mentions are one entity."""
    key = Corpus(
        [
            Document("a", [[(0, 1)], [(5, 6)]], entity_names=["A", "B"], text=Text([*"abcdef"])),
            Document(
                "b", [[(0, 1)], [(0, 1), (3, 4)]], entity_names=["A", "B"], text=Text([*"abcd"])
            ),
        ]
    )
    recipe = Recipe(match=match, repeated="merge", as_one_document=True, shared_ids=True)
    (prepared,), _ = prepare(key, key, recipe)
    (entity,) = prepared.named.key.entities
    a, b = ("a", 0), ("b", 0)
    assert set(entity) == {(a, (0, 1)), (a, (5, 6)), (b, (0, 1)), (b, (3, 4))}
    assert len(entity) == 4
    for document in (prepared.key, prepared.response, prepared.named.response):
        assert document.entities == [entity]


def test_other_words_are_no_error_unless_that_is_asked_for():
    key, response = (
        Corpus([Document("a", [[(0, 1)]], tokens=2, text=Text(words), path=words[1])])
        for words in (["Ann", "saw"], ["Ann", "sees"])
    )
    assert prepare(key, response, Recipe())[1] == []
    with pytest.raises(DataError, match="sees"):
        prepare(key, response, Recipe(), strict=True)


def test_a_copy_of_the_key_is_no_more_than_that(tmp_path):
    paths = [tmp_path / name for name in ("key.json", "copy.json")]
    for path in paths:
        path.write_text(
            '{"doc_key": "a", "tokens": ["Ann", "she"], "clusters": [[[0, 0], [1, 1]]]}'
        )
    for response, reason in zip(paths, ["is the key", "is byte for byte the key"], strict=True):
        (problem,) = score(paths[0], response).problems
        assert (problem.code, problem.message) == ("same-file", f"the response {reason}")
        assert problem.path == str(response)
