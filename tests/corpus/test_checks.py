"""What does not fit between a response and its key: tokens and words, where either is not known."""

from __future__ import annotations

import pytest

from corefmeter import Corpus, Document
from corefmeter.corpus.checks import check_against
from corefmeter.corpus.text import Text


def corpus(*texts: str | int, unit: str = "tokens") -> Corpus:
    """Documents of these words, or of so many tokens whose words are not known."""
    documents = []
    for number, text in enumerate(texts):
        words = None if isinstance(text, int) else Text(text.split())
        tokens = text if isinstance(text, int) else len(text.split())
        name = "abc"[number]
        documents.append(
            Document(name, [[(0, 1)]], tokens=tokens, text=words, line=number + 1, unit=unit)
        )
    return Corpus(documents)


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("a b c d", "a b c d", []),
        # The word says where; that the numbers of tokens differ follows.
        ("a b c d", "a b c", [("words-differ", "error")]),
        ("a b c d", "a b x d", [("words-differ", "error")]),
        # Without words, the numbers are all that is known.
        (4, 4, [("no-words", "warning")]),
        (4, 3, [("no-words", "warning"), ("token-count", "error")]),
        ("a b c d", 3, [("no-words", "warning"), ("token-count", "error")]),
        (4, "a b c", [("no-words", "warning"), ("token-count", "error")]),
        ("a b c d", 4, [("no-words", "warning")]),
    ],
)
def test_what_does_not_fit(key, response, expected):
    found = check_against(corpus(response), corpus(key))
    assert [(problem.code, problem.severity) for problem in found] == expected


def test_a_document_without_words_hides_no_other():
    found = check_against(corpus("a b", 3, "a x"), corpus("a b", 4, "a b"))
    assert [(problem.code, problem.document) for problem in found] == [
        ("no-words", "b"),
        ("words-differ", "c"),
        ("token-count", "b"),
    ]


def test_a_difference_in_one_file_hides_no_other_number_of_tokens_in_another():
    """Both documents begin on line 1 of their files."""
    key, response = (
        Corpus(
            [
                Document("x", [], tokens=1, line=1, text=Text(word)),
                Document("y", [], tokens=tokens, line=1),
            ]
        )
        for word, tokens in (("a", 2), ("b", 3))
    )
    codes = [problem.code for problem in check_against(response, key)]
    assert sorted(codes) == ["no-words", "token-count", "words-differ"]
