"""SGML of OntoNotes and of GUM."""

from __future__ import annotations

import pytest

import corefmeter
from corefmeter.corpus.relations import Bridge
from corefmeter.formats import writer
from corefmeter.problems import OptionError
from corefmeter.wings.traditions.formats import gum_sgml, onto_sgml

from ....formats.reading import errors_by, read_by

ONTO = """\
<DOC DOCNO="bc/x">
<TEXT PARTNO="000">
<COREF ID="1" TYPE="IDENT">The old man</COREF> left
<COREF ID="1" TYPE="IDENT">He</COREF> sold <COREF ID="2"><COREF ID="1">his</COREF> dog</COREF> &amp;
</TEXT>
<TEXT PARTNO="001">
<COREF ID="1">It</COREF> barked
</TEXT>
</DOC>
"""

GUM = """\
<referent id="referent_1" entity="person" group="1">
The
man
</referent>
left
<s>
<referent id="referent_2" entity="person" group="1" antecedent="referent_1" type="ana">
He
</referent>
sold
<referent id="referent_3" entity="animal" group="3">
<referent id="referent_4" entity="person" group="1" antecedent="referent_2" type="ana">
his
</referent>
dog\tNN
</referent>
"""


def test_an_ontonotes_file_is_read(file):
    path = file(ONTO)
    assert corefmeter.read(path).format == "onto-sgml"
    (one, two), problems = read_by(onto_sgml, path, details=True)
    assert problems == []
    assert [(d.name, d.part, d.line) for d in (one, two)] == [("bc/x", 0, 2), ("bc/x", 1, 6)]
    assert one.entity_names == ["1", "2"]
    assert one.entities == [[(0, 3), (4, 5), (6, 7)], [(6, 8)]]
    assert one.text.words[-2:] == ["dog", "&"]
    assert one.text.sentences == [0, 4]
    assert two.entities == [[(0, 1)]]


def test_entities_are_the_same_without_details(file):
    (one, _), _ = read_by(onto_sgml, file(ONTO))
    assert (one.entities, one.text) == ([[(0, 3), (4, 5), (6, 7)], [(6, 8)]], None)


def test_a_copy_belongs_to_the_entity_that_opens_first(tmp_path):
    """Entity 1 opens first and closes last; the copy over "d" is its own, as in the response."""
    text = (
        '<DOC DOCNO="x">\n<TEXT PARTNO="000">\n'
        '<COREF ID="1">a <COREF ID="2">b</COREF> c</COREF> <COREF ID="1">{}</COREF>\n'
        "</TEXT>\n</DOC>\n"
    )
    (tmp_path / "key.onto").write_text(text.format('<COREF ID="2">d</COREF>'))
    (tmp_path / "response.onto").write_text(text.format("d"))
    with pytest.warns(corefmeter.CorefmeterWarning, match="repeated"):
        result = corefmeter.score(tmp_path / "key.onto", tmp_path / "response.onto", metrics="b3")
    assert (result.b3.recall_numerator, result.b3.recall_denominator) == (3, 3)


def test_heads_and_attributes_of_appositions_are_left_out_with_a_warning(file):
    text = (
        '<TEXT PARTNO="000">\n<COREF ID="1" TYPE="APPOS" SUBTYPE="HEAD">Ann</COREF> , '
        '<COREF ID="1" TYPE="APPOS" SUBTYPE="ATTRIB">a vet</COREF>\n</TEXT>\n'
    )
    (document,), (problem,) = read_by(onto_sgml, file(text, "x.coref"))
    assert (document.name, document.entities) == ("x", [])
    assert (problem.code, problem.count) == ("unknown-relation", 2)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('<COREF ID="1">Ann', ("unclosed-mention", 2, 1)),
        ("Ann</COREF>", ("close-without-open", 2, 4)),
        ("<COREF>Ann</COREF>", ("missing-field", 2, 1)),
        ('a <COREF ID="1"></COREF> b', ("bad-span", 2, 3)),
        ('anti-<COREF ID="1">NASA</COREF>', ("off-token", 2, 6)),
        ('<COREF ID="1">NASA</COREF>-led', ("off-token", 2, 19)),
    ],
)
def test_broken_ontonotes_lines_are_errors_with_their_place(file, line, expected):
    assert errors_by(onto_sgml, file(f'<TEXT PARTNO="000">\n{line}\n</TEXT>\n')) == [expected]


def test_a_file_without_a_part_or_with_one_twice_is_an_error(file):
    assert errors_by(onto_sgml, file('<DOC DOCNO="x">\n</DOC>\n')) == [("no-document", None, None)]
    text = '<TEXT PARTNO="000">\na\n</TEXT>\n'
    assert errors_by(onto_sgml, file(text * 2)) == [("repeated-document", 4, None)]
    assert errors_by(onto_sgml, file(text + '<COREF ID="1">\n'))[0] == ("outside-document", 4, 1)


def test_a_gum_file_is_read(file):
    path = file(GUM, "story.sgml")
    assert corefmeter.read(path).format == "gum-sgml"
    (document,), problems = read_by(gum_sgml, path, details=True)
    assert problems == []
    assert (document.name, document.tokens) == ("story", 7)
    assert document.entity_names == ["1", "3"]
    assert document.entities == [[(0, 2), (3, 4), (5, 6)], [(5, 7)]]
    assert document.text.words == ["The", "man", "left", "He", "sold", "his", "dog"]
    assert document.text.sentences == [0, 3]
    assert document.details[1][0].entity_type == "animal"


def test_bridging_in_a_group_is_told_and_kept(file):
    """He and his are bridged to the man, the second by a name of the relation."""
    text = GUM.replace('type="ana"', 'type="bridge"', 1).replace('type="ana"', 'type="bridge:part"')
    (document,), (problem,) = read_by(gum_sgml, file(text), details=True)
    assert (problem.code, problem.count) == ("unknown-relation", 2)
    assert document.relations.bridges == (
        Bridge((3, 4), (0, 2), None), Bridge((5, 6), (3, 4), None, "part")
    )  # fmt: skip
    (plain,), _ = read_by(gum_sgml, file(text))
    assert (plain.relations, plain.related) == (None, {"bridging": 2})


def test_bridging_to_a_referent_that_there_is_not_is_told(file):
    text = '<referent id="r1" group="1" antecedent="r9" type="bridge">\na\n</referent>\n'
    (document,), problems = read_by(gum_sgml, file(text), details=True)
    assert [(p.code, p.line) for p in problems] == [("unknown-relation", None), ("bad-link", 3)]
    assert document.relations.bridges == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<referent id="r1" group="1">\na\n', ("unclosed-mention", 1, 1)),
        ("a\n</referent>\n", ("close-without-open", 2, 1)),
        ('<referent id="r1">\na\n</referent>\n', ("missing-field", 1, 1)),
        ('a\n<referent id="r1" group="1">\n</referent>\n', ("bad-span", 2, 1)),
    ],
)
def test_broken_gum_lines_are_errors_with_their_place(file, text, expected):
    assert errors_by(gum_sgml, file(text)) == [expected]


@pytest.mark.parametrize("module", [onto_sgml, gum_sgml])
def test_sgml_cannot_be_written(module):
    with pytest.raises(OptionError, match="choose"):
        writer(module.FORMAT)
