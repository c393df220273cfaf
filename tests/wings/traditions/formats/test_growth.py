"""Inputs made to be slow: nothing here looks at a clock, the quadratic way would not end."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from corefmeter import DataError, read

pytestmark = pytest.mark.slow

LONG = 1_000_000


def path_of(folder: Path, text: str, name: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_a_tag_of_muc_that_never_ends_is_text(tmp_path: Path) -> None:
    text = '<COREF ID="1">a</COREF> <' + "a" * LONG
    (document,) = read(path_of(tmp_path, text, "x.sgm"))
    assert document.entities == [[(0, 1)]]
    assert document.tokens == 3 + LONG


def test_a_document_number_that_is_empty_leaves_the_name_of_the_file(tmp_path: Path) -> None:
    text = '<DOC><DOCID></DOCID><DOCNO> a  b </DOCNO><COREF ID="1">a</COREF></DOC>'
    (document,) = read(path_of(tmp_path, text, "x.sgm"))
    assert document.name == "a b"


def source_of(folder: Path, spans: list[tuple[int, int]], said: str, text: str) -> str:
    """A file in APF with one entity, and its source beside it."""
    mentions = "".join(
        f'<entity_mention ID="m{i}" TYPE="NAM"><extent><charseq START="{start}" END="{end}">{said}'
        "</charseq></extent></entity_mention>"
        for i, (start, end) in enumerate(spans)
    )
    path_of(folder, text, "x.sgm")
    entity = f'<document DOCID="x"><entity ID="e">{mentions}</entity></document>'
    return path_of(folder, f'<source_file URI="x.sgm">{entity}</source_file>', "x.apf.xml")


@pytest.mark.parametrize("text", ["a&amp; b " * (LONG // 9), "a" + "\n" * LONG + "b"])
def test_texts_of_ace_that_are_not_the_long_spans_of_their_mentions(
    tmp_path: Path, text: str
) -> None:
    spans = [(0, LONG - 100 - i) for i in range(10_000)]
    with pytest.raises(DataError) as caught:
        read(source_of(tmp_path, spans, "b", text))
    assert {problem.code for problem in caught.value.problems} == {"text-differs"}


@pytest.mark.parametrize(
    ("text", "said", "span", "first"),
    [
        ("x AT&amp;T\n  Inc", "AT&amp;amp;T Inc", (2, 15), 2),  # as characters of the source
        ("x AT&amp;T\n  Inc", " AT&amp;T Inc ", (1, 11), 2),  # & is one; without the space
        ("x &lt;b", "lt;b", (3, 6), 3),  # a part of a reference is none
        ("x a&lt;b", "a&amp;l", (2, 4), 2),
        ("x &lt;b", "l", (3, 3), 3),
    ],
)
def test_the_text_of_a_mention_of_ace_is_that_of_its_characters(
    tmp_path: Path, text: str, said: str, span: tuple[int, int], first: int
) -> None:
    (document,) = read(source_of(tmp_path, [span], said, text))
    assert document.entities == [[(first, span[1] + 1)]]


def test_markables_of_mmax2_of_many_words(tmp_path: Path) -> None:
    words = "".join(f'<word id="word_{i}">w</word>' for i in range(100_000))
    levels = "".join(
        f'<markable id="markable_{i}" span="word_{i}..word_99999" coref_class="set_1" '
        f'min_ids="word_{i + 1}..word_{i + 2}"/>'
        for i in range(5_000)
    )
    path_of(tmp_path, f"<words>{words}</words>", "x_words.xml")
    path_of(tmp_path, f"<markables>{levels}</markables>", "x_coref_level.xml")
    project = "<mmax_project><words>x_words.xml</words></mmax_project>"
    (document,) = read(path_of(tmp_path, project, "x.mmax"), details=True)
    assert document.entities == [[(i, 100_000) for i in range(5_000)]]
    assert document.details is not None
    assert document.details[0][7].minimum == (8, 10)


def test_columns_of_many_candidates(tmp_path: Path) -> None:
    text = "d\t0\t1" + "\tE1\t0.5\tPER" * 100_000 + "\tE1\tx\tPER\n"
    with pytest.raises(DataError) as caught:
        read(path_of(tmp_path, text, "x.tab"))
    (problem,) = caught.value.problems
    assert (problem.code, problem.column) == ("bad-score", 6 + 11 * 100_000 + 4)


def nuggets(number: int) -> list[str]:
    return [f"s\tx\tE{i}\tt{i}\tw\tA_B\tActual" for i in range(number)]


def test_entities_of_one_name_get_names_of_their_own(tmp_path: Path) -> None:
    lines = [*nuggets(20_000), *(f"@Coreference\tC\tE{i}" for i in range(20_000))]
    text = "\n".join(["#BeginOfDocument x", *lines, "#EndOfDocument", ""])
    (document,) = read(path_of(tmp_path, text, "x.tbf"))
    assert document.entity_names[:3] == ["C", "C'", "C'2"]
    assert len(set(document.entity_names)) == 20_000


def minimum_of(folder: Path, words: str, text: str) -> tuple[int, int] | None:
    """The place of MIN in the text of a mention that is all of a document."""
    tags = f'<COREF ID="1" MIN="{words}">{text}</COREF>'
    (document,) = read(path_of(folder, tags, "x.sgm"), details=True)
    assert document.details is not None
    minimum = document.details[0][0].minimum
    assert minimum is None or isinstance(minimum, tuple)
    return minimum


def test_the_place_of_min_is_the_last_between_words_or_else_anywhere(tmp_path: Path) -> None:
    for signs in product("a\n_.", repeat=4):
        text = "a" + "".join(signs) + "a"
        for words in ("a", "a a", "a.", "aa", "_a"):
            wanted = r"\s+".join(map(re.escape, words.split()))
            spans = [m.span() for m in re.finditer(rf"(?<!\w){wanted}(?!\w)", text)]
            spans = spans or [m.span() for m in re.finditer(wanted, text)]
            if spans:
                assert minimum_of(tmp_path, words, text) == spans[-1], (words, text)


def test_a_long_min_that_repeats_itself(tmp_path: Path) -> None:
    many = LONG // 10
    assert minimum_of(tmp_path, "a " * many + "b", "a " * 2 * many + "b") == (
        2 * many,
        4 * many + 1,
    )
