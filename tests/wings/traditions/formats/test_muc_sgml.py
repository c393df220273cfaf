"""SGML of MUC-6 and MUC-7."""

from __future__ import annotations

from functools import partial

import pytest

import corefmeter
from corefmeter.formats import writer
from corefmeter.formats.source import Source
from corefmeter.problems import DataError, OptionError
from corefmeter.wings.traditions.formats import muc_sgml

from ....formats.reading import Error, errors_by, read_by

STORY = """\
<DOC>
<DOCID> s-1 </DOCID>
<HL><COREF ID="1" MIN="contract">The last big contract</COREF> is signed</HL>
<TXT>
<p><s>It took <COREF ID="3" STATUS="OPT" TYPE="IDENT" REF="2">Smith &amp; Co.</COREF> a year .
<COREF ID="4"><COREF ID="2">The firm</COREF>'s boss</COREF> likes <COREF REF=1 ID=5>it</COREF> .
</TXT>
</DOC>
"""


read = partial(read_by, muc_sgml)


def texts(document) -> list[list[str]]:
    return [[document.text.string(mention) for mention in entity] for entity in document.entities]


def only(file, text: str):
    """The one document of a text, and what was noticed."""
    (document,), problems = read(file(text, "story.sgm"), details=True)
    return document, [problem.code for problem in problems]


def errors(file, text: str) -> list[Error]:
    return errors_by(muc_sgml, file(text, "story.sgm"))


def test_a_file_is_read(file):
    path = file(STORY, "story.sgm")
    assert corefmeter.read(path).format == "muc-sgml"
    (document,), problems = read(path, details=True)
    assert problems == []
    assert (document.name, document.unit, document.line) == ("s-1", "characters", 1)
    assert texts(document) == [
        ["The last big contract", "it"],
        ["Smith & Co.", "The firm"],
        ["The firm's boss"],
    ]
    assert document.entity_names == ["1", "3", "4"]
    # Without tags and the name: two line ends are the first 2 characters.
    assert document.entities[0][0] == (2, 23)
    assert document.details[0][0].minimum == (15, 23)
    assert [[d.attributes["optional"] for d in e] for e in document.details] == [
        [False, False],
        [True, False],
        [False],
    ]


@pytest.mark.parametrize(
    "name", ["<DOCID>s-1</DOCID>", "<DOCNO>  s-1\t</DOCNO>", "<DOCID>s-1</DOCID><DOCNO>7</DOCNO>"]
)
def test_the_name_of_a_document_is_no_text(file, name):
    """However it is written, all mentions are right; and a text that is longer is reported."""
    copy = STORY.replace("<DOCID> s-1 </DOCID>", name)
    result = corefmeter.score(file(STORY, "key.sgm"), file(copy, "copy.sgm"), metrics="b3")
    assert (result.b3.f1, result.problems) == (1, [])
    # Two spaces more, and so "The firm", "The firm's boss" and "it" are elsewhere.
    other = file(copy.replace("took", "to ok").replace("year", "ye ar"), "other.sgm")
    result = corefmeter.score(file(STORY, "key.sgm"), other, metrics="b3")
    assert result.b3.f1 < 1
    assert "token-count" in {problem.code for problem in result.problems}


def test_entities_are_the_same_without_details(file):
    path = file(STORY)
    (full,), _ = read(path, details=True)
    (bare,), _ = read(path)
    assert (bare.entities, bare.entity_names) == (full.entities, full.entity_names)
    assert (bare.text, bare.details) == (None, None)


# Tricky but legal


def test_ref_may_point_forward_and_chains_are_transitive(file):
    text = (
        '<COREF ID="1" REF="2">a</COREF> <COREF ID="2" REF="4">b</COREF> '
        '<COREF ID="3">c</COREF> <COREF ID="4">d</COREF>\n'
    )
    document, codes = only(file, text)
    assert (texts(document), codes) == ([["a", "b", "d"], ["c"]], [])


def test_mentions_nest(file):
    text = 'x <COREF ID="1">a <COREF ID="2">b <COREF ID="3" REF="1">c</COREF></COREF></COREF>\n'
    document, _ = only(file, text)
    assert document.entities == [[(2, 7), (6, 7)], [(4, 7)]]


def test_attributes_in_any_order_unquoted_or_over_two_lines(file):
    text = "<COREF min=man TYPE=IDENT ID=1>the man</COREF> <COREF\nREF='1' id=\"a>b\">he</COREF>\n"
    document, codes = only(file, text)
    assert (document.entities, codes) == ([[(0, 7), (8, 10)]], [])
    assert document.details[0][0].minimum == (4, 7)


def test_a_chain_may_be_optional_as_a_whole_and_in_a_draft(file):
    text = '<COREF ID="1" STATUS="OPT">a</COREF> <COREF ID="2" REF="1" STAT="opt">b</COREF>\n'
    document, codes = only(file, text)
    assert codes == []
    assert [detail.attributes["optional"] for detail in document.details[0]] == [True, True]


def test_min_may_be_the_whole_and_break_over_lines(file):
    document, codes = only(file, '<COREF ID="1" MIN="the man">the\nman</COREF>\n')
    assert (document.details[0][0].minimum, codes) == ((0, 7), [])


def test_min_is_found_as_a_word_first(file):
    document, codes = only(file, '<COREF ID="1" MIN="it">it unites</COREF>\n')
    assert (document.details[0][0].minimum, codes) == ((0, 2), [])


def test_min_twice_is_taken_last_and_told(file):
    document, codes = only(file, '<COREF ID="1" MIN="man">man to man talk</COREF>\n')
    assert (document.details[0][0].minimum, codes) == ((7, 10), ["repaired"])


@pytest.mark.parametrize(
    ("minimum", "text", "span"),
    [
        ("a a", "a a a", (0, 3)),  # two places that overlap are one
        ("aab", "aaab", (1, 4)),
        ("the man", "the  man, a man", (0, 8)),
    ],
)
def test_min_is_found_once(file, minimum, text, span):
    document, codes = only(file, f'<COREF ID="1" MIN="{minimum}">{text}</COREF>\n')
    assert (document.details[0][0].minimum, codes) == (span, [])


def test_blanks_at_the_ends_are_not_part_of_a_mention(file):
    document, _ = only(file, 'x<COREF ID="1"> a b\n</COREF>\n')
    assert document.entities == [[(2, 5)]]


def test_comments_are_no_text(file):
    """What stands in them is not annotated; places of what follows stay right."""
    text = (
        '<DOC><DOCID>x</DOCID><!-- <COREF ID="9">old\n</COREF> -->'
        '<COREF ID="1">Ann</COREF> saw <COREF ID="2" REF="1">her</COREF></DOC>\n'
    )
    document, problems = only(file, text)
    assert (texts(document), problems) == ([["Ann", "her"]], [])
    assert errors(file, text.replace('ID="1"', 'ID=""')) == [("missing-field", 2, 13),
                                                           ("unknown-mention", 2, 42)]  # fmt: skip
    assert "".join(document.text.words).startswith("Ann saw her")


def test_documents_are_divided_and_named(file):
    text = (
        "<DOC><DOCNO>one</DOCNO> <COREF ID=1>a</COREF></DOC>\n\n"
        "<DOC><DOCNO>two</DOCNO> <COREF ID=1>b</COREF></DOC>\n"
    )
    (one, two), problems = read(file(text), details=True)
    assert problems == []
    assert [(d.name, d.line, d.entities) for d in (one, two)] == [
        ("one", 1, [[(1, 2)]]),
        ("two", 3, [[(1, 2)]]),
    ]
    assert [p[0] for p in errors(file, text.replace("two", "one"))] == ["repeated-document"]


def test_a_file_without_documents_is_one(file):
    document, codes = only(file, 'x < y <COREF ID="1">a</COREF>\n')
    assert (document.name, document.entities, codes) == ("story", [[(6, 7)]], [])


def test_a_document_without_mentions_is_read(file):
    document, _ = only(file, "<DOC><DOCID>x</DOCID>no mention</DOC>\n")
    assert (document.name, document.entities, document.tokens) == ("x", [], 10)


# Malformed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<COREF ID="1">a</COREF>\n <COREF ID="1">b</COREF>', ("repeated-id", 2, 2)),
        ('<COREF ID="1" REF="7">a</COREF>', ("unknown-mention", 1, 1)),
        ('x\n<COREF ID="1" MIN="men">the man</COREF>', ("text-differs", 2, 1)),
        ('<COREF ID="1">a', ("unclosed-mention", 1, 1)),
        ("a</COREF>", ("close-without-open", 1, 2)),
        ("<COREF REF=1>a</COREF>", ("missing-field", 1, 1)),
        ('a <COREF ID="1"> </COREF>', ("bad-span", 1, 3)),
        ('a <COREF ID="1', ("bad-line", 1, 3)),
        ('<DOC>a</DOC>\n<COREF ID="1">b</COREF>', ("outside-document", 2, 1)),
        ("", ("no-document", None, None)),
    ],
)
def test_broken_files_are_errors_with_their_place(file, text, expected):
    assert expected in errors(file, text + "\n")


def test_a_link_to_itself_is_left_out_and_told(file):
    document, codes = only(file, '<COREF ID="1" REF="1">a</COREF>\n')
    assert (texts(document), codes) == ([["a"]], ["bad-link"])


def test_other_types_and_states_are_told(file):
    text = (
        '<COREF ID="1">a</COREF> <COREF ID="2" REF="1" TYPE="PART">b</COREF> '
        '<COREF ID="3" REF="1" STATUS="MAYBE">c</COREF>\n'
    )
    document, codes = only(file, text)
    assert texts(document) == [["a", "c"], ["b"]]
    assert codes == ["unknown-relation", "unknown-relation"]


@pytest.mark.parametrize(
    "text",
    [
        '<DOC DOCNO="bc/x">\n<TEXT PARTNO="000">\n<COREF ID="1" TYPE="IDENT">The old man</COREF> '
        'left\n<COREF ID="1" TYPE="IDENT">He</COREF> ate\n</TEXT>\n</DOC>\n',
        # Marks of equal names are the head and the attribute of an apposition, no coreference.
        '<TEXT PARTNO="0">\n<COREF ID="1" TYPE="APPOS" SUBTYPE="HEAD">Ann</COREF> , <COREF ID="1" '
        'TYPE="APPOS" SUBTYPE="ATTRIB">a vet</COREF> left\n</TEXT>\n',
        '<referent id="referent_1" entity="person" group="1">\nThe\nman\n</referent>\nleft\n'
        '<referent id="referent_2" entity="person" group="1">\nHe\n</referent>\n',
    ],
)
def test_sgml_of_ontonotes_and_gum_is_not_read_and_the_error_names_what_is(file, text):
    with pytest.raises(corefmeter.DataError) as caught:
        corefmeter.read(file(text, "story.sgm"))
    (problem,) = caught.value.problems
    assert problem.code == "unknown-format"
    assert "SGML of OntoNotes or GUM, which is not read; use their files of" in problem.message


@pytest.mark.parametrize("name", ["onto-sgml", "gum-sgml"])
def test_formats_that_were_removed_name_what_takes_their_place(file, name):
    with pytest.raises(OptionError, match=f"the format '{name}' was removed; use .* files"):
        corefmeter.read(file("<DOC>\n", "story.sgm"), format=name)


def test_it_cannot_be_written():
    with pytest.raises(OptionError, match="choose"):
        writer(muc_sgml.FORMAT)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<COREF ID="' * 100_000, "bad-line"),
        (f"<COREF {'a' * 1_000_000}>x</COREF>", "missing-field"),
        ("<COREF ID=1>" * 100_000, "unclosed-mention"),
    ],
)
def test_hostile_files_take_little_time(file, text, code):
    assert code in {found for found, _, _ in errors(file, text + "\n")}


def test_in_a_response_min_is_not_read(file):
    path = file('<COREF ID="1" MIN="men">the man</COREF>\n')
    with Source(path, "response") as source:
        (document,), problems = muc_sgml.read(source, details=True)
    assert (document.details[0][0].minimum, problems) == (None, [])


# Scoring with MIN

KEY = (
    '<COREF ID="1" MIN="contract">the last contract</COREF> , <COREF ID="2" REF="1">it</COREF> , '
    '<COREF ID="3" REF="1" STATUS="OPT">a deal</COREF>\n'
)


def test_a_response_with_min_only_and_without_the_optional_mention_is_perfect(file):
    response = (
        'the last <COREF ID="1">contract</COREF> , <COREF ID="2" REF="1">it</COREF> , a deal\n'
    )
    paths = file(KEY, "key/x.sgm"), file(response, "response/x.sgm")
    result = corefmeter.score(*paths, match="min", metrics=["muc", "b3"])
    # Two key mentions are left, one link of one.
    assert (result.muc.recall, result.muc.precision) == (1.0, 1.0)
    assert (result.muc.recall_denominator, result.b3.recall_denominator) == (1, 2)
    # Exact matching: no link of 3 - 1 is found, since only "it" is.
    result = corefmeter.score(*paths, metrics="muc")
    assert (result.muc.recall_numerator, result.muc.recall_denominator) == (0, 2)


def test_other_texts_are_refused_under_strict_with_any_matching(file):
    response = KEY.replace("a deal", "a dial")
    paths = file(KEY, "key/x.sgm"), file(response, "response/x.sgm")
    with pytest.raises(DataError) as caught:
        corefmeter.score(*paths, strict=True)
    assert [p.code for p in caught.value.problems] == ["words-differ"]


def test_a_response_with_another_text_is_refused_with_the_offset(file):
    response = 'the last <COREF ID="1">contrakt</COREF> , it , a deal\n'
    paths = file(KEY, "key/x.sgm"), file(response, "response/x.sgm")
    with pytest.raises(DataError) as caught:
        corefmeter.score(*paths, match="min")
    (problem,) = caught.value.problems
    # "the last " has 9 characters, "contra" 6.
    assert (problem.code, problem.path) == ("text-differs", paths[1])
    assert "character 15" in problem.message
