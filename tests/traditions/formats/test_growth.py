"""Inputs made to be slow: nothing here looks at a clock, the quadratic way would not end."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefmeter import DataError, read
from corefmeter.traditions.formats.sgml import attributes_of

LONG = 1_000_000


def path_of(folder: Path, text: str, name: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_attributes_of_a_long_name() -> None:
    assert attributes_of(" " + "a" * LONG + ' b="c"') == {"b": "c"}


def test_a_tag_of_gum_that_never_ends_is_a_word(tmp_path: Path) -> None:
    text = '<referent id="r" group="1">\na\n</referent>\n<a' + ".a" * LONG + "\n"
    (document,) = read(path_of(tmp_path, text, "x.sgml"))
    assert document.tokens == 2


def test_a_tag_of_muc_that_never_ends_is_text(tmp_path: Path) -> None:
    text = '<COREF ID="1">a</COREF> <' + "a" * LONG
    (document,) = read(path_of(tmp_path, text, "x.sgm"))
    assert document.entities == [[(0, 1)]]
    assert document.tokens == 3 + LONG


def test_a_document_number_that_is_empty_leaves_the_name_of_the_file(tmp_path: Path) -> None:
    text = '<DOC><DOCID></DOCID><DOCNO> a  b </DOCNO><COREF ID="1">a</COREF></DOC>'
    (document,) = read(path_of(tmp_path, text, "x.sgm"))
    assert document.name == "a b"


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
