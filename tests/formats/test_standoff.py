"""How a running text is cut into tokens, for formats that annotate characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefmeter.formats.standoff import (
    Tokens,
    Words,
    is_tokenised,
    text_beside,
    tokenise,
    tokens_or_characters,
)
from corefmeter.problems import DataError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The U.S. dollar fell .", True),
        ("Mr. Ray left . Ann , too .", True),
        ("Ann left. He stayed.", False),
        ("Yes, he did .", False),
        ("CHAPTER I", True),
        ("1,000 dogs", True),
        ("", True),
        ("他走了。她哭了。", False),
    ],
)
def test_a_text_is_tokenised_if_blanks_stand_around_its_punctuation(text, expected):
    assert is_tokenised(text) is expected


def test_a_tokenised_text_is_cut_at_blanks_only():
    assert tokenise("Mr. Ray did n't go .").words == ["Mr.", "Ray", "did", "n't", "go", "."]


def test_a_running_text_is_cut_at_signs_too():
    assert tokenise("Don't go, Ann!").words == ["Don", "'", "t", "go", ",", "Ann", "!"]


def test_chinese_and_japanese_characters_are_tokens():
    assert tokenise("他说OK。").words == ["他", "说", "OK", "。"]


def test_lines_are_sentences():
    tokens = tokenise("Ann left .\n\nHe cried .\n")
    assert tokens.sentences() == [0, 3]
    assert tokenise("").sentences() == []


@given(st.text(alphabet="ab ,.\n'é人", max_size=40))
def test_every_character_that_is_no_white_space_is_in_one_token(text):
    tokens = tokenise(text)
    assert "".join(tokens.words) == "".join(text.split())
    for token, (start, end) in enumerate(zip(tokens.starts, tokens.ends, strict=True)):
        assert tokens.span(start, end) == (token, token + 1)


@given(st.text(alphabet="ab ,.", min_size=1, max_size=20), st.data())
def test_a_span_of_tokens_covers_the_characters(text, data):
    begin = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(begin + 1, len(text)))
    tokens = tokens_or_characters(text, [begin, end])
    span = tokens.span(begin, end)
    if span is None:
        assert not text[begin:end].strip()
    else:
        covered = text[tokens.starts[span[0]] : tokens.ends[span[1] - 1]]
        assert covered.strip() == text[begin:end].strip()


def test_the_text_beside_may_be_compressed(tmp_path):
    import gzip

    (tmp_path / "x.txt.gz").write_bytes(gzip.compress("Ann é".encode()))
    assert text_beside(str(tmp_path / "x.ann.gz")) == "Ann é"


def test_a_text_that_is_not_utf8_is_an_error(tmp_path):
    (tmp_path / "x.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError) as caught:
        text_beside(str(tmp_path / "x.ann"))
    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == ("not-text", str(tmp_path / "x.txt"))


def test_standard_input_has_no_text_beside():
    with pytest.raises(DataError):
        text_beside("-")


def test_the_beginning_of_a_span_ends_with_it():
    words = Words(["a", "big", "dog", "ran"])
    assert [words.beginning(1, 3), words.beginning(3, 4)] == ["big dog", "ran"]


def test_white_space_alone_is_no_span_of_characters():
    text = "a  b"
    tokens = Tokens(text, [(place, place + 1) for place in range(4)], "characters")
    assert [tokens.span(1, 3), tokens.span(1, 4), tokens.span(0, 2)] == [None, (1, 4), (0, 2)]
