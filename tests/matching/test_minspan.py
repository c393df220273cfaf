"""Minimum spans: the examples of the rules, one by one, and matching by them."""

from __future__ import annotations

import re

import pytest

from corefmeter import DataError, Document, Recipe, score
from corefmeter.corpus.text import Text
from corefmeter.matching.minspan import minimum_span
from corefmeter.matching.stages import align


def text(tree: str) -> Text:
    """A sentence from its tree, ``(NP (DT the) (NN dog))`` with a tag before each word."""
    words, tags, bits = [], [], []
    opened = ""
    for bracket, label, word in re.findall(r"(\(|\))|([^\s()]+)(?: ([^\s()]+))?", tree):
        if bracket == "(":
            opened += "("
        elif bracket == ")":
            bits[-1] += ")"
        elif word:
            words.append(word)
            tags.append(label)
            bits.append(opened[:-1] + "*")
            opened = ""
        else:
            opened += label
    # The bracket of a word and its tag is not part of a bit.
    bits = [bit.replace(")", "", 1) for bit in bits]
    return Text(words, pos=tags, parse=bits)


def core(tree: str, span: tuple[int, int] | None = None) -> list[str]:
    """The words of the minimum span, of the whole sentence by default."""
    sentence = text(tree)
    found = minimum_span(span or (0, len(sentence)), sentence)
    return [sentence.words[token] for token in sorted(found)]


def test_the_bits_of_a_tree():
    sentence = text("(NP (NP (DT the) (NN dog)) (PP (IN of) (NP (NNP Mary))))")
    assert sentence.words == ["the", "dog", "of", "Mary"]
    assert sentence.pos == ["DT", "NN", "IN", "NNP"]
    assert sentence.parse == ["(NP(NP*", "*)", "(PP*", "(NP*)))"]


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        # a run right under the root
        ("(NP (DT the) (JJ big) (NN dog))", "the big dog"),
        ("(NP (ADJP (DT the) (RB very) (JJ big)) (NN dog))", "dog"),
        ("(VP (VBD saw) (NP (PRP it)))", "saw"),
        # the first phrase of the right kind below the root
        ("(NP (NP (DT the) (NN dog)) (PP (IN of) (NP (NNP Mary))))", "the dog"),
        ("(NP (NP (NP (DT the) (NN dog)) (POS 's)) (PP (IN of) (NP (NN it))))", "'s"),
        ("(S (NP (PRP he)) (VP (VBZ runs)))", "he"),
        ("(S (ADVP (RB now)) (VP (VBZ runs)))", "runs"),
        # coordinated phrases all count
        ("(NP (NP (NNP Mary)) (CC and) (NP (NNP John)))", "Mary John"),
        ("(NP (NP (NNP Mary)) (, ,) (NP (NNP Ann)) (CC and) (NP (NNP John)))", "Mary Ann John"),
        # below each child at the depth of its own
        ("(NP (NP (NN dog)) (CC and) (NP (NP (NN cat)) (PP (IN of) (NP (NN it)))))", "dog cat"),
        # words that never count alone: conjunctions, determiners, prepositions, signs
        ("(NP (DT the) (NP (NN dog)))", "dog"),
        ("(NP (-LRB- -LRB-) (NP (NN dog)) (-RRB- -RRB-))", "dog"),
        ("(NP (CD 5) (NN %))", "5 %"),
        ("(NP (QP (IN about) (CD 5)) (NN %))", "%"),
        # in a longer run one word that counts is enough
        ("(NP (, ,) (CC and) (NN dog))", ", and dog"),
        # no phrase of the right kind in the two upper levels: the nearest NP or VP
        ("(TOP (S (NP (NP (CD one)) (PP (IN of) (NP (PRP$ my) (NNS friends))))))", "one"),
        ("(FRAG (X (VP (VB go) (NP (NN home)))))", "go"),
        # further down such phrases, at any depth, but not below phrases of another kind
        ("(NP (NP (NP (NP (NN dog)))) (PP (IN of) (NP (NNP Mary))))", "dog"),
        ("(VP (VP (VB go)) (NP (NN home)))", "go"),
        ("(VP (VP (VP (VB go)) (ADVP (RB now))) (NP (NN home)))", "go"),
        ("(NP (NP (PP (IN of) (NP (NN dog)))))", "of dog"),
        ("(NP (NP (ADJP (JJ red))) (PP (IN of) (NP (NN it))))", "red of it"),
        ("(VP (VP (NP (NN home))) (NP (NN it)))", "home it"),
        # nothing that counts: all words
        ("(NP (DT this))", "this"),
        ("(X (DT that) (IN of))", "that of"),
    ],
)
def test_the_core_of_a_phrase(tree, words):
    assert core(tree) == words.split()


def test_a_mention_that_is_no_phrase():
    """Brackets that close what was opened before only end a run."""
    tree = "(NP (NP (DT the) (JJ big) (NN dog)) (PP (IN of) (NP (NNP Mary))))"
    assert core(tree, (1, 3)) == ["big", "dog"]
    assert core(tree, (1, 5)) == ["big", "dog"]
    assert core(tree, (2, 4)) == ["dog"]
    assert core(tree, (3, 5)) == ["Mary"]
    assert core(tree, (0, 2)) == ["the", "big"]


def test_a_mention_with_a_gap_is_its_own_minimum():
    sentence = text("(NP (DT the) (JJ big) (NN dog))")
    assert minimum_span(((0, 1), (2, 3)), sentence) == {0, 2}


def test_an_empty_node_is_its_own_minimum():
    sentence = text("(NP (NP (NN dog)) (PP (IN of) (NP (NNP Mary))))")
    assert minimum_span((0, 3), sentence) == {0}
    assert minimum_span(((1, 1, 1),), sentence) == {(1, 1, 1)}
    assert minimum_span(((1, 1, 1), (1, 2)), sentence) == {(1, 1, 1), 1}


TREE = "(S (NP (NP (DT the) (NN dog)) (PP (IN of) (NP (NNP Mary)))) (VP (VBD saw) (NP (PRP it))))"


def documents(*sides: list[list[tuple[int, int]]]) -> list[Document]:
    return [Document("a", entities, text=text(TREE)) for entities in sides]


def test_mentions_with_the_same_core_match():
    """The dog of Mary, the dog; Mary is another."""
    key, response = documents([[(0, 4), (5, 6)]], [[(0, 2), (5, 6)], [(3, 4)]])
    alignment = align(key, response, Recipe(match="minspan"))
    assert alignment.matches == [(0, 0, "minspan", 0.5), (1, 1, "exact", 1)]


def test_the_core_is_taken_from_the_parse_of_the_key():
    key, response = documents([[(0, 4)]], [[(0, 2)]])
    response.text = None
    assert len(align(key, response, Recipe(match="minspan")).matches) == 1


def test_pairs_are_one_to_one():
    key, response = documents([[(0, 4)]], [[(0, 2)], [(0, 3)]])
    alignment = align(key, response, Recipe(match="minspan"))
    # "the dog of" covers three of four words, "the dog" two.
    assert [(m.key, m.response) for m in alignment.matches] == [(0, 1)]


LINES = [
    "a 0 0 The DT (S(NP(NP* - - - - * (1", "a 0 1 dog NN *) - - - - * -",
    "a 0 2 of IN (PP* - - - - * -", "a 0 3 Mary NNP (NP*))) - - - - * 1)",
    "a 0 4 barked VBD (VP*)) - - - - * -", "a 0 5 It PRP (NP*) - - - - * (1)",
]  # fmt: skip


def conll(lines: list[str]) -> str:
    body = "\n".join("\t".join(line.split()) for line in lines)
    return f"#begin document (a); part 000\n{body}\n\n#end document\n"


def test_a_conll_file_has_the_parse(file):
    key = file(conll(LINES), "key.conll")
    other = LINES.copy()
    other[1], other[3] = other[1][:-1] + "1)", other[3][:-2] + "-"
    response = file(conll(other), "response.conll")
    assert score(key, response).muc.f1 == 0
    assert score(key, response, match="minspan").muc.f1 == 1


def test_a_key_without_parse_is_refused(file):
    lines = [f"w\t{cell}" for cell in ("(1", "1)", "(1)")]
    key = file("#begin document (a)\n" + "\n".join(lines) + "\n#end document\n", "key.conll")
    other = file("#begin document (a)\nw\t-\nw\t(1)\nw\t(1)\n#end document\n", "other.conll")
    with pytest.raises(DataError) as caught:
        score(key, other, match="minspan")
    (problem,) = caught.value.problems
    assert (problem.code, problem.line) == ("no-parse", 1)
    assert score(key, key, match="minspan").muc.f1 == 1  # nothing is left after the exact stage
