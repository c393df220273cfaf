"""Common positions of texts that are the same but for white space, and scoring with them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefmeter import Corpus, DataError, Document, Recipe, score
from corefmeter.corpus.align import (
    align_documents,
    as_tokens,
    first_difference,
    text_with_offsets,
)
from corefmeter.corpus.relations import Bridge, Layer, NonReferring, Relations, Split
from corefmeter.corpus.text import Detail, Text


def tokens(words: str, entities: list, **options) -> Document:
    """A document of words that are separated by blanks."""
    found = words.split(" ")
    return Document("x", entities, tokens=len(found), text=Text(found), **options)


def characters(text: str, entities: list, **options) -> Document:
    known = Text(list(text), between="")
    return Document("x", entities, tokens=len(text), text=known, unit="characters", **options)


# ---- texts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("", ""),
        (" ", ""),
        ("Ann ran", ["Ann", "ran"]),
        ("Ann\tran\n", ["A", "nn", " ", "ran"]),
        ("don't", ["do", "n't"]),
        ("a\u00a0b", "a b"),
        (["ab", "c"], ["a", "bc"]),
    ],
)
def test_texts_that_are_the_same(one, other):
    assert first_difference(one, other) is None


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ("Ann ran", ["Ann", "runs"], "'ran' in the first, 'runs' in the second, after 'Ann '"),
        ("Ann", "Ann ran", "'' in the first, 'ran' in the second, after 'Ann'"),
        (["Ann", "ran"], ["Eve"], "'Ann ran' in the first, 'Eve' in the second, after ''"),
        # 20 characters on both sides
        (
            "a b c d e f g h i j k Ann ran up the long road home",
            "a b c d e f g h i j k Eve",
            "'Ann ran up the long ' in the first, 'Eve' in the second, "
            "after 'b c d e f g h i j k '",
        ),
    ],
)
def test_the_first_difference_is_told(one, other, message):
    assert first_difference(one, other) == message


def test_offsets_of_tokens():
    assert text_with_offsets(Text(["a", "", "bc"])) == ("a  bc", [0, 2, 3], [1, 2, 5])
    assert text_with_offsets(Text([])) == ("", [], [])
    assert text_with_offsets(Text(["a", "b"], between="")) == ("ab", [0, 1], [1, 2])


# ---- documents --------------------------------------------------------------------------------


def test_documents_of_the_same_tokens_stay_as_they_are():
    key = tokens("Ann saw her", [[(0, 1), (2, 3)]])
    response = tokens("Ann saw her", [[(0, 2)]])
    found, other = align_documents(key, response)
    assert found is key
    assert other.entities == [[(0, 2)]]


def test_the_response_is_put_on_the_tokens_of_the_key():
    key = tokens("Don't go , Ann", [[(3, 4)], [(0, 2)]])
    response = tokens("Do n't go, Ann", [[(3, 4)], [(0, 2)]])
    found, other = align_documents(key, response)
    assert found is key
    assert other.entities == [[(3, 4)], [(0, 1)]]
    assert other.text is key.text


def test_a_token_of_the_key_is_cut_where_a_mention_ends_within_it():
    text = Text(
        ["Annsdog", "ran"],
        pos=["NN", "VB"], upos=["NOUN", "VERB"], parse=["(S(NP*)", "(VP*))"], heads=[1, -1],
        relations=["nsubj", "root"], entity_types=[(0, 1, "ANIMAL")], speakers=["A", "B"],
        lines=[4, 5],
    )  # fmt: skip
    key = Document(
        "x", [[(0, 1)], [(1, 2)]], tokens=2, text=text, line=3, breaks=[(0, 4)],
        details=[[Detail(head=0, minimum=(0, 1), kind="nominal")], [Detail(head=1)]],
    )  # fmt: skip
    response = tokens("Anns dog ran", [[(0, 1)], [(1, 2)]])
    found, other = align_documents(key, response)
    assert found.entities == [[(0, 2)], [(2, 3)]]
    assert other.entities == [[(0, 1)], [(1, 2)]]
    assert found.tokens == other.tokens == 3
    result = found.text
    assert result.words == ["Anns", "dog", "ran"]
    assert result.pos == ["NN", "NN", "VB"]
    assert result.upos == ["NOUN", "NOUN", "VERB"]
    assert result.parse == ["(S(NP*", "*)", "(VP*))"]
    assert result.heads == [2, 0, -1]
    assert result.relations == ["nsubj", "goeswith", "root"]
    assert result.entity_types == [(0, 2, "ANIMAL")]
    assert result.speakers == ["A", "A", "B"]
    assert result.lines == [4, 4, 5]
    assert found.details[0][0].head == 0
    assert found.details[0][0].minimum == (0, 2)
    assert found.details[0][0].kind == "nominal"
    assert found.details[1][0].head == 2


def test_sentences_pieces_and_empty_nodes_move_too():
    key = Document("x", [[((0, 1), (2, 3))], [((2, 2, 1),)]], tokens=3,
                   text=Text(["ab", "c", "d"], sentences=[0, 2]))  # fmt: skip
    response = Document("x", [[(0, 1)], [((1, 1, 1),)], [((0, 1), (1, 1, 2), (1, 2))]], tokens=2,
                        text=Text(["a", "bcd"]))  # fmt: skip
    found, other = align_documents(key, response)
    assert found.text.words == ["a", "b", "c", "d"]
    assert found.text.sentences == [0, 3]
    assert found.entities == [[((0, 2), (3, 4))], [((3, 3, 1),)]]
    assert other.entities == [[(0, 1)], [((1, 1, 1),)], [((0, 1), (1, 1, 2), (1, 4))]]


def test_relations_move_too():
    """On ``ab c d`` token 0 is cut in two for the response, so that all after it are one later."""
    relations = Relations(
        (Split("2", ("1",)),), (Bridge((1, 2), (0, 1), "1"),), (NonReferring((2, 3)),),
        Layer([[(0, 2), (2, 3)]], ["d"]),
    )  # fmt: skip
    key, _ = align_documents(
        tokens("ab c d", [[(0, 1)], [(1, 2)]], relations=relations), tokens("a b c d", [[(0, 1)]])
    )
    assert key.relations == Relations(
        (Split("2", ("1",)),), (Bridge((2, 3), (0, 2), "1"),), (NonReferring((3, 4)),),
        Layer([[(0, 3), (3, 4)]], ["d"]),
    )  # fmt: skip


def test_heads_of_the_response_are_the_tokens_that_hold_them():
    key = tokens("can't go", [[(0, 1)]])
    response = tokens("ca n't go", [[(0, 2)]], details=[[Detail(head=1)]])
    assert align_documents(key, response)[1].details[0][0].head == 0


def test_a_key_in_characters_gets_the_tokens_of_the_response():
    key = characters("Ann's dog.", [[(0, 3)], [(0, 9)]])
    response = tokens("Ann's dog .", [[(0, 2)]])
    found, other = align_documents(key, response)
    assert other.text.words == ["Ann", "'s", "dog", "."]
    assert found.entities == [[(0, 1)], [(0, 3)]]
    assert other.entities == [[(0, 3)]]


def test_two_sides_in_characters_get_words():
    key = characters("Ann's dog", [[(0, 3)]])
    response = characters("Ann's\n dog", [[(0, 3), (7, 10)]])
    found, other = align_documents(key, response)
    assert found.text.words == ["Ann", "'s", "dog"]
    assert (found.entities, other.entities) == ([[(0, 1)]], [[(0, 1), (2, 3)]])
    assert (found.unit, other.unit) == ("tokens", "tokens")


def test_tokens_of_white_space_do_no_harm():
    key = Document("x", [[(0, 1), (2, 3)], [(1, 2)]], tokens=3, text=Text(["a", " ", "b"]))
    response = tokens("a b", [[(0, 1), (1, 2)]])
    found, other = align_documents(key, response)
    assert found is key
    assert other.entities == [[(0, 1), (2, 3)]]


def test_texts_that_differ_are_refused_with_both_places():
    key = Document("x", [[(0, 1)]], tokens=2, text=Text(["Ann", "ran"]), path="k.conll", line=1)
    response = Document("x", [[(0, 1)]], tokens=2, path="r.conll", line=1,
                        text=Text(["Ann", "rests"], lines=[2, 3]))  # fmt: skip
    with pytest.raises(DataError) as error:
        align_documents(key, response)
    (problem,) = error.value.problems
    assert (problem.code, problem.path, problem.line) == ("words-differ", "r.conll", 3)
    assert "after 'Ann ' the response has 'rests', the key 'ran'" in problem.message


def test_documents_without_words_are_refused():
    with pytest.raises(DataError) as error:
        align_documents(Document("x", [[(0, 1)]]), Document("x", [[(0, 1)]]))
    assert [problem.code for problem in error.value.problems] == ["no-words", "no-words"]
    with pytest.raises(DataError, match="no-words"):
        as_tokens(Document("x", [], unit="characters"))


def test_a_document_that_counts_tokens_is_left_alone():
    document = tokens("a b", [[(0, 1)]])
    assert as_tokens(document) is document


@st.composite
def tokenised(draw):
    """A text and two ways to cut it, each with spans between its cuts."""
    text = "".join(
        draw(st.lists(st.sampled_from(["ab", "c", "d'e", "人"]), min_size=1, max_size=8))
    )
    sides = []
    for _ in range(2):
        cuts = [0, *sorted(draw(st.sets(st.integers(1, max(len(text) - 1, 1))))), len(text)]
        cuts = sorted(set(cuts))
        words = [text[a:b] for a, b in pairwise(cuts)]
        pairs = st.tuples(st.integers(0, len(words) - 1), st.integers(1, len(words)))
        mentions = draw(st.lists(pairs.filter(lambda p: p[0] < p[1]), max_size=4))
        sides.append((words, mentions, [(cuts[a], cuts[b]) for a, b in mentions]))
    return sides


@given(tokenised())
def test_mentions_are_the_same_after_alignment_if_they_are_the_same_characters(sides):
    (key_words, key_mentions, key_places), (words, mentions, places) = sides
    key = Document("x", [key_mentions], tokens=len(key_words), text=Text(key_words))
    response = Document("x", [mentions], tokens=len(words), text=Text(words))
    found, other = align_documents(key, response)
    assert "".join(found.text.words) == "".join(key_words)
    for place, mention in zip(key_places, found.entities[0], strict=True):
        for other_place, other_mention in zip(places, other.entities[0], strict=True):
            assert (mention == other_mention) == (place == other_place)
    starts = [0]
    for word in found.text.words:
        starts.append(starts[-1] + len(word))
    assert [(starts[a], starts[b]) for a, b in found.entities[0]] == key_places
    assert [(starts[a], starts[b]) for a, b in other.entities[0]] == places


# ---- scoring ----------------------------------------------------------------------------------

KEY = "Don't Ann saw her dog ."


def test_case_20_other_tokens():
    """Case 20 of the cases from the field: an error or, by characters, 100."""
    key = Corpus([tokens(KEY, [[(1, 2), (3, 4)], [(3, 5)]])])
    response = Corpus([tokens("Do n't Ann saw her dog .", [[(2, 3), (4, 5)], [(4, 6)]])])
    result = score(key, response, metrics="conll", align="characters")
    assert result.conll == 1
    assert result.problems == []
    assert "|align:characters|" in result.signature
    assert score(key, response, metrics="conll").conll == 0


@pytest.mark.parametrize("match", ["exact", "overlap"])
def test_a_response_in_characters_against_a_key_in_tokens(match):
    key = Corpus([tokens(KEY, [[(1, 2), (3, 4)], [(3, 5)]])])
    response = Corpus([characters("Don't Ann saw her dog.", [[(6, 9), (14, 17)], [(14, 21)]])])
    assert score(key, response, metrics="conll", align="characters", match=match).conll == 1


def test_by_head_in_other_tokens():
    key = Corpus([tokens("the old dog's", [[(0, 3)]], details=[[Detail(head=2)]])])
    response = Corpus([tokens("the old dog 's", [[(2, 4)]], details=[[Detail(head=2)]])])
    result = score(key, response, metrics="mentions", match="head", align="characters")
    assert result.mentions.f1 == 1


def test_tokens_and_characters_are_not_mixed_by_accident(tmp_path):
    key, response = tmp_path / "k.jsonl", tmp_path / "r.jsonl"
    key.write_text('{"doc_key": "x", "sentences": [["Ann"]], "clusters": [[[0, 0]]]}\n')
    response.write_text('{"doc_key": "x", "text": "Ann", "clusters": [[[0, 3]]]}\n')
    with pytest.raises(DataError) as error:
        score(str(key), str(response))
    (problem,) = error.value.problems
    assert problem.code == "units-differ"
    assert 'align="characters"' in problem.hint
    result = score(str(key), str(response), align="characters", metrics="mentions")
    assert result.mentions.f1 == 1


def test_names_are_no_positions(tmp_path):
    key, response = tmp_path / "k.jsonl", tmp_path / "r.jsonl"
    key.write_text('{"doc_key": "x", "sentences": [["Ann"]], "clusters": [[[0, 0]]]}\n')
    response.write_text('{"doc_key": "x", "clusters": [["Ann"]]}\n')
    with pytest.raises(DataError) as error:
        score(str(key), str(response))
    (problem,) = error.value.problems
    assert problem.code == "units-differ"
    assert "give texts on both sides" in problem.hint


def test_files_are_read_with_their_words_and_corpora_are_taken_as_they_are(tmp_path):
    from corefmeter import read

    path = tmp_path / "k.jsonl"
    path.write_text('{"doc_key": "x", "sentences": [["Ann"]], "clusters": [[[0, 0]]]}\n')
    options = {"align": "characters", "metrics": "mentions"}
    assert score(path, path, **options).mentions.f1 == 1
    corpus = read(str(path))
    assert corpus.documents[0].text is None
    with pytest.raises(DataError) as error:
        score(corpus, corpus, **options)
    assert {problem.code for problem in error.value.problems} == {"no-words"}


def test_a_document_missing_in_the_response_needs_no_words():
    key = Corpus([tokens(KEY, [[(1, 2)]]), Document("y", [[(0, 1)]], tokens=1)])
    response = Corpus([tokens(KEY, [[(1, 2)]])])
    result = score(key, response, align="characters", metrics="mentions")
    assert result.mentions.recall == 0.5


def test_all_texts_that_differ_are_told_at_once():
    key = Corpus([tokens("a b", [[(0, 1)]]), Document("y", [[(0, 1)]], text=Text(["c"]), tokens=1)])
    response = Corpus(
        [tokens("a x", [[(0, 1)]]), Document("y", [[(0, 1)]], text=Text(["d"]), tokens=1)]
    )
    with pytest.raises(DataError) as error:
        score(key, response, align="characters")
    assert [problem.code for problem in error.value.problems] == ["words-differ"] * 2


def test_details_are_needed_for_characters():
    assert Recipe(align="characters").needs_details
    assert not Recipe().needs_details


def test_an_aligned_document_loses_nothing():
    """The words Don't | go | Ann on lines 3, 4 and 7, cut before n't."""
    breaks = [(0, 3), (2, 7)]
    key = tokens("Don't go Ann", [[(0, 1)], [(2, 3)]], breaks=breaks, entities_named=False)
    response = tokens("Do n't go Ann", [[(1, 2)]], breaks=[(0, 2)], numbered=True, part=0)
    found, other = align_documents(key, response)
    assert [found.line_at(token) for token in range(4)] == [3, 3, 4, 7]
    assert (found.entities, found.entities_named) == ([[(0, 2)], [(3, 4)]], False)
    assert [other.line_at(token) for token in range(4)] == [2, 3, 4, 5]
    assert (other.numbered, other.part) == (True, 0)


def test_parents_of_empty_nodes_move_too():
    """Of the node before go: go, the node itself, and the root."""
    node = (1, 1, 1)
    detail = Detail(head=node, attributes={"deps": ((1, "a"), (node, "b"), (-1, "root"))})
    key = tokens("Don't go", [[(node,)]], details=[[detail]])
    found, _ = align_documents(key, tokens("Do n't go", [[(1, 2)]]))
    moved = (2, 2, 1)
    assert found.entities == [[(moved,)]]
    assert found.details[0][0].head == moved
    assert found.details[0][0].attributes["deps"] == ((2, "a"), (moved, "b"), (-1, "root"))
