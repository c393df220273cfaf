"""WebAnno TSV 3: spans, relations, chains; what is repaired, refused and written."""

from __future__ import annotations

import io
import tracemalloc
from functools import partial

import pytest

import corefmeter
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.relations import Bridge, Relations
from corefmeter.corpus.text import Detail, Text
from corefmeter.problems import DataError, OptionError
from corefmeter.wings.annotation.formats import webanno

from ....formats.reading import errors_by, read_by

HEADER = """\
#FORMAT=WebAnno TSV 3.2
#T_SP=webanno.custom.Referent|entity|infstat
#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent


"""

# Mentions: [The old man]1, [He]2 = 1, [his dog]3, [his]unnumbered = 2.
ORDINARY = (
    HEADER
    + """\
#Text=The old man left
1-1	0-3	The	person[1]	new[1]	ana	2-1[2_1]
1-2	4-7	old	person[1]	new[1]	_	_
1-3	8-11	man	person[1]	new[1]	_	_
1-4	12-16	left	_	_	_	_

#Text=He sold his dog
2-1	17-19	He	person[2]	giv[2]	ana	2-3[0_2]
2-2	20-24	sold	_	_	_	_
2-3	25-28	his	animal[3]|person	new[3]|giv	_	_
2-4	29-32	dog	animal[3]	new[3]	_	_
"""
)


def rows(*lines: str, header: str = HEADER) -> str:
    """A file of one sentence; columns of a line are separated by blanks."""
    return header + "#Text=x\n" + "".join("\t".join(line.split(" ")) + "\n" for line in lines)


read = partial(read_by, webanno)
errors = partial(errors_by, webanno)


def test_an_ordinary_file_is_read(file):
    (document,), problems = read(file(ORDINARY, "story.tsv"), details=True)
    assert problems == []
    assert (document.name, document.tokens) == ("story", 8)
    assert document.entities == [[(0, 3), (4, 5), (6, 7)], [(6, 8)]]
    assert document.text.words == ["The", "old", "man", "left", "He", "sold", "his", "dog"]
    assert document.text.sentences == [0, 4]
    assert document.details[0][2].entity_type == "person"
    assert document.details[0][2].attributes["infstat"] == "giv"
    assert [document.line_of(m) for m in [(0, 3), (3, 4), (4, 5), (7, 8)]] == [7, 10, 13, 16]


def test_entities_are_the_same_without_details_and_the_file_is_recognised(file):
    path = file(ORDINARY, "story.tsv")
    (document,), _ = read(path)
    assert document.entities == [[(0, 3), (4, 5), (6, 7)], [(6, 8)]]
    assert corefmeter.read(path).format == "webanno"


# Tricky, but legal.


def test_stacked_spans_and_spans_without_number(file):
    (document,), problems = read(file(rows(
        "1-1 0-1 a x[1]|y|z[2] n[1]|n|n[2] coref 1-2[0_1]", "1-2 2-3 b x n _ _",
        "1-3 4-5 c z[3] n[3] _ _",
    )))  # fmt: skip
    assert problems == []
    assert document.entities == [[(0, 1), (1, 2)], [(0, 1)], [(0, 1)], [(2, 3)]]


def test_bridging_and_identity_on_one_row(file):
    (document,), problems = read(file(rows(
        "1-1 0-1 a x[1] n[1] coref|bridge:aggr 1-2[2_1]|1-3[3_1]",
        "1-2 2-3 b x[2] n[2] _ _", "1-3 4-5 c x[3] n[3] _ _",
    )), details=True)  # fmt: skip
    assert (document.entities, problems) == ([[(0, 1), (1, 2)], [(2, 3)]], [])
    assert document.relations.bridges == (Bridge((2, 3), (0, 1), "1", "aggr"),)


def test_escaped_signs_are_part_of_a_value(file):
    (document,), problems = read(file(rows(
        r"1-1 0-1 a x\|y\[3\][1]|z\->w\\[2] n[1]|*[2] _ _",
    )), details=True)  # fmt: skip
    assert problems == []
    assert [d.entity_type for entity in document.details for d in entity] == ["x|y[3]", "z->w\\"]
    assert document.details[1][0].attributes == {"entity": "z->w\\"}


def test_a_part_of_a_token_is_taken_as_the_token_with_a_warning(file):
    (document,), (problem,) = read(file(rows(
        "1-1 0-6 before x[1] n[1] coref 1-2.1[2_1]", "1-2 7-13 aaabbb _ _ _ _",
        "1-2.1 10-13 bbb x[2] n[2] _ _",
    )))  # fmt: skip
    assert document.entities == [[(0, 1), (1, 2)]]
    assert (problem.code, problem.count) == ("off-token", 1)


def test_a_part_without_characters_is_an_empty_node(file):
    (document,), problems = read(file(rows(
        "1-1 0-2 va x[1] n[1] coref|coref 1-1.2[3_1]|1-1.1[2_1]",
        "1-1.1 0-0  x[2] n[2] _ _", "1-1.2 2-2  x[3] n[3] _ _",
    )))  # fmt: skip
    assert problems == []
    # The first stands before token 0, the second after it.
    assert document.entities == [[((0, 0, 1),), (0, 1), ((1, 1, 1),)]]


def test_a_span_may_reach_into_the_next_sentence(file):
    text = HEADER + (
        "#Text=a\n1-1\t0-1\ta\tx[1]\tn[1]\t_\t_\n\n#Text=b\n2-1\t2-3\tb\tx[1]\tn[1]\t_\t_\n"
    )
    (document,), problems = read(file(text))
    assert (document.entities, problems) == ([[(0, 2)]], [])


CHAINS = """\
#FORMAT=WebAnno TSV 3.3
#T_SP=Segment|
#T_CH=CoreferenceLink|referenceRelation|referenceType


"""


def test_chains_are_entities_and_lines_may_end_in_a_tab(file):
    (document,), problems = read(file(rows(
        "1-1 0-1 a *[9] *->127-1 defNP[127] ", "1-2 2-3 b *[9] *->127-1 defNP[127] ",
        "1-3 4-5 c _ *->213-1|*->127-2 indef[213]|pron[127] ", "1-4 6-7 d _ _ _ ",
        header=CHAINS,
    )), details=True)  # fmt: skip
    assert problems == []
    assert document.entities == [[(0, 2), (2, 3)], [(2, 3)]]
    assert document.details[0][0].attributes == {"referenceType": "defNP"}


def test_a_layer_of_relations_without_type_is_identity(file):
    header = "#FORMAT=WebAnno TSV 3.3\n#T_SP=M|\n#T_RL=Link|BT_M\n\n"
    (document,), problems = read(file(rows(
        "1-1 0-1 a * 1-2", "1-2 2-3 b * _", header=header,
    )))  # fmt: skip
    assert (document.entities, problems) == ([[(0, 1), (1, 2)]], [])


# Broken.


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # A relation to a number that does not exist; line 7 holds the first row.
        (["1-1 0-1 a x[1] n[1] coref 1-1[9_1]"], [("unknown-mention", 7, 27)]),
        (["1-1 0-1 a x n coref 7-7"], [("unknown-mention", 7, 21)]),
        (["1-1 0-1 a x|y n|n coref 1-1[0_0]"], [("unknown-mention", 7, 25)] * 2),
        (["1-1 0-1 a x[1] n[1] coref ?"], [("bad-cell", 7, 27)]),
        (
            ["1-1 0-1 a x[1] n[1] _ _", "1-2 2-3 b _ _ _ _", "1-3 4-5 c x[1] n[1] _ _"],
            [("bad-part", 9, 11)],
        ),
        (["1-1 0-1 a x[1] n[1] _"], [("bad-columns", 7, None)]),
        (["1-1 0-1 a x|y n _ _"], [("bad-cell", 7, 11)]),
        (["1-1 0-1 a x[1]|y[2] n _ _"], [("bad-cell", 7, 11)]),
        (["1-1 0-1 a x[1]|y n[3] _ _"], [("bad-cell", 7, 11)]),
        (["1-1 0-1 a x[1] n[1] coref|ana 1-1[1_1]"], [("bad-cell", 7, 21)]),
        (["1-1 0-1 a _ _ _ _", "1-1 2-3 b _ _ _ _"], [("repeated-id", 8, 1)]),
        (["one 0-1 a _ _ _ _"], [("bad-line", 7, 1)]),
        (["1-1 ? a _ _ _ _"], [("bad-line", 7, 5)]),
    ],
)
def test_broken_lines_are_errors_with_their_place(file, lines, expected):
    assert errors(file(rows(*lines))) == expected


def test_unknown_types_are_left_out_with_a_warning_that_counts_them(file):
    (document,), (problem,) = read(file(rows(
        "1-1 0-1 a x[1] n[1] none|none 1-2[2_1]|1-3[3_1]", "1-2 2-3 b x[2] n[2] _ _",
        "1-3 4-5 c x[3] n[3] _ _",
    )))  # fmt: skip
    assert len(document.entities) == 3
    assert (problem.code, problem.line, problem.count) == ("unknown-relation", 7, 2)


def test_a_span_named_at_another_row_is_found_by_its_number_with_a_warning(file):
    (document,), (problem,) = read(file(rows(
        "1-1 0-1 a x[1] n[1] coref 1-1[2_1]", "1-2 2-3 b x[2] n[2] _ _",
    )))  # fmt: skip
    assert document.entities == [[(0, 1), (1, 2)]]
    assert (problem.code, problem.line) == ("repaired", 7)


def test_a_file_without_a_layer_of_coreference_is_an_error(file):
    header = "#FORMAT=WebAnno TSV 3.3\n#T_SP=M|value\n#T_RL=Dependency|type|BT_POS\n\n"
    path = file(rows("1-1 0-1 a x _ _", header=header))
    assert errors(path) == [("no-coreference", 1, None)]
    assert errors(file("#FORMAT=WebAnno TSV 3.3\n")) == [("no-document", None, None)]


def test_a_header_of_another_form_is_an_error(file):
    assert ("bad-line", 2, 1) in errors(file("#FORMAT=WebAnno TSV 3.3\n#T_XX=M|value\n"))


# Written.


def written(document: Document) -> tuple[str, list]:
    stream = io.StringIO()
    problems = webanno.write(Corpus([document]), stream)
    return stream.getvalue(), problems


def test_what_was_read_is_written_and_read_again(file):
    (first,), _ = read(file(ORDINARY, "story.tsv"), details=True)
    text, problems = written(first)
    assert problems == []
    (again,), problems = read(file(text, "again/story.tsv"), details=True)
    assert problems == []
    assert (again.id, again.entities, again.tokens) == (first.id, first.entities, first.tokens)
    assert again.text.words == first.text.words
    assert again.text.sentences == first.text.sentences
    assert [[d.entity_type for d in e] for e in again.details] == [
        [d.entity_type for d in e] for e in first.details
    ]


@pytest.mark.parametrize(
    "entities",
    [
        [[(0, 2), (1, 3)], [(0, 2)]],
        [[((0, 0, 1),), ((1, 1, 1),), (2, 3)], [((3, 3, 1),)]],
        [[((1, 1, 1), (1, 3)), (2, 3)]],
    ],
)
def test_crossing_and_repeated_mentions_and_empty_nodes_are_written(file, entities):
    text, problems = written(Document("x", entities, tokens=3, text=Text(list("abc"))))
    assert problems == []
    (again,), problems = read(file(text, "x.tsv"))
    assert problems == []
    assert set(map(frozenset, again.entities)) == set(map(frozenset, entities))


def test_strange_values_are_escaped(file):
    details = [[Detail(entity_type="a|b[1]_->*;\\")]]
    text, _ = written(Document("x", [[(0, 1)]], tokens=1, text=Text(["\\"]), details=details))
    (again,), _ = read(file(text, "x.tsv"), details=True)
    assert again.details[0][0].entity_type == "a|b[1]_->*;\\"


def test_gaps_cannot_be_written():
    document = Document("x", [[((0, 1), (2, 3))]], tokens=3, entity_names=["e1"])
    _, (problem,) = written(document)
    assert problem.code == "mention-unwritten"


def test_several_documents_cannot_be_written_to_one_file():
    with pytest.raises(OptionError, match="one document"):
        webanno.write(Corpus([Document("x", []), Document("y", [])]), io.StringIO())


def test_bridging_is_written_and_read_again(file):
    """Where the anchor is an entity only, the format has no place for it, which is told."""
    bridges = (Bridge((2, 3), (0, 1), "1", "a:b|c"), Bridge((2, 3), (1, 2), "1"))
    document = Document("x", [[(0, 1), (1, 2)], [(2, 3)]], entity_names=["1", "2"], tokens=3,
                        relations=Relations(bridges=(*bridges, Bridge((2, 3), None, "1"))),
                        text=Text(["a", "b", "c"]))  # fmt: skip
    stream = io.StringIO()
    (problem,) = webanno.write(Corpus([document]), stream)
    assert "whose anchor is not a written mention" in problem.message
    (again,), problems = read(file(stream.getvalue()), details=True)
    assert (again.entities, problems) == (document.entities, [])
    assert again.relations.bridges == bridges
    (plain,), _ = read(file(stream.getvalue()))
    assert (plain.relations, plain.related) == (None, {"bridging": 2})


def test_stacks_with_an_omitted_value_are_read_by_their_numbers(file):
    """As GUM has them: nothing, or one value fewer, in a column of a span that others number."""
    path = file(
        rows(
            "1-1 0-1 a x[1]|y[2] _ _ _",
            "1-2 2-3 b y[2] n[2] _ _",
            "1-3 4-5 c x[3]|y[4] n[4] coref 1-1[1_3]",
        )
    )
    (document,), problems = read(path)
    assert problems == []
    assert sorted(map(sorted, document.entities)) == [[(0, 1), (2, 3)], [(0, 2)], [(2, 3)]]


@pytest.mark.parametrize(("first", "second"), [
    ("_|y[2]", "n[1]|n[2]"), ("_|y[2]", "n[1]"), ("_", "n[1]|n[2]"), ("_|_", "n[1]|n[2]"),
    ("y[2]", "n[1]"), ("x[1]|y[2]", "n[2]|n[1]"), ("y[2]", "n[1]|n[2]"), ("x[1]|_", "_|n[2]"),
])  # fmt: skip
def test_each_column_of_a_stack_may_omit_what_it_likes(file, first, second):
    """Span 1 is a and b; span 2 is a alone, and c is the same."""
    path = file(
        rows(
            f"1-1 0-1 a {first} {second} _ _",
            "1-2 2-3 b x[1] n[1] _ _",
            "1-3 4-5 c x[3] n[3] coref 1-1[2_3]",
        )
    )
    (document,), problems = read(path)
    assert problems == []
    assert sorted(map(sorted, document.entities)) == [[(0, 1), (2, 3)], [(0, 2)]]


def test_a_column_may_omit_the_value_of_a_span_without_number(file):
    """Of span 1 and a span without number, the second column has the value of span 1 only."""
    path = file(rows("1-1 0-1 a x[1]|y n[1] _ _", "1-2 2-3 b x[1] n[1] _ _"))
    (document,), problems = read(path, details=True)
    assert problems == []
    details = zip(document.entities, document.details, strict=True)
    assert {mention: detail.attributes for (mention,), (detail,) in details} == {
        (0, 1): {"entity": "y"},
        (0, 2): {"entity": "x", "infstat": "n"},
    }


def test_a_number_twice_in_a_stack_is_two_annotations(file):
    path = file(rows("1-1 0-1 a x[1]|y[1] n[1]|_ _ _"))
    (document,), problems = read(path, details=True)
    assert (document.entities, problems) == ([[(0, 1)]], [])
    assert document.details[0][0].attributes == {"entity": "x", "infstat": "n"}


def test_the_values_of_a_stack_belong_to_the_span_of_their_number(file):
    path = file(rows("1-1 0-1 a x[1]|y[2] n[2]|m[1] _ _", "1-2 2-3 b x[1] m[1] _ _"))
    (document,), _ = read(path, details=True)
    details = zip(document.entities, document.details, strict=True)
    assert {mention: detail.attributes["infstat"] for (mention,), (detail,) in details} == {
        (0, 1): "n",
        (0, 2): "m",
    }


def test_relations_of_identity_can_be_named(file):
    path = file(rows("1-1 0-1 a x[1] n[1] mine 1-2[2_1]", "1-2 2-3 b x[2] n[2] _ _"))
    assert [len(entity) for entity in next(iter(corefmeter.read(path))).entities] == [1, 1]
    found = next(iter(corefmeter.read(path, identity="Mine"))).entities
    assert found == [[(0, 1), (1, 2)]]


@pytest.mark.parametrize("first", ["", "#FORMAT=WebAnno TSV 2\n"])
@pytest.mark.parametrize("columns", [3, 10])
def test_an_older_version_is_named_with_what_to_do(file, first, columns):
    """Of ten columns, its ids of tokens look like those of ranges in CoNLL-U."""
    cells = "\t_" * (columns - 2)
    rows = "".join(f"1-{n}\t{word}{cells}\n" for n, word in enumerate(("Ann", "left"), 1))
    path = file(f"{first}# webanno.custom.Coref | entity\n#id=1\n#text=Ann left\n{rows}\n", "x.tsv")
    with pytest.raises(DataError) as error:
        corefmeter.read(path)
    (problem,) = error.value.problems
    assert problem.code == "unknown-format"
    assert "Only WebAnno TSV 3 is read" in problem.hint
    assert "export it as WebAnno TSV 3" in problem.hint


@pytest.mark.parametrize("column", range(7))
def test_a_message_about_a_long_cell_takes_no_memory(file, column):
    """A pattern that went over the cell took 144 bytes for each of its signs."""
    size = 1 << 20
    cells = ["1-1", "0-3", "Ann", "a", "b", "coref", "1-1"]
    cells[column] = " " * size
    path = file(HEADER + "\t".join(cells) + "\n")
    tracemalloc.start()
    try:
        try:
            _, problems = read(path)
            shown = "".join(map(str, problems))
        except DataError as error:
            shown = str(error)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(shown) < 2000
    assert peak < 16 * size


def test_rows_that_are_alike_are_read_alike(file):
    """Cells are understood once for many rows: spans with a number go on, others are new."""
    again = [f"1-{n} {n * 2}-{n * 2 + 1} w{n} a[1]|b|c[2] x[1]|y|z[2] _ _" for n in range(1, 5)]
    (document,), problems = read(file(rows(*again)), details=True)
    singles = [[(n, n + 1)] for n in range(4)]
    assert sorted(document.entities) == sorted([[(0, 4)], [(0, 4)], *singles])
    found = [detail.attributes for entity in document.details for detail in entity]
    assert sorted(one["entity"] for one in found) == ["a", "b", "b", "b", "b", "c"]
    assert problems == []


def test_an_error_in_rows_that_are_alike_is_told_of_each(file):
    wrong = [f"1-{n} {n * 2}-{n * 2 + 1} w{n} a|b x|y|z _ _" for n in range(1, 4)]
    found = [(code, line) for code, line, _ in errors(file(rows(*wrong)))]
    assert found == [("bad-cell", 7), ("bad-cell", 8), ("bad-cell", 9)]
    alike = [f"1-{n} {n * 2}-{n * 2 + 1} w{n} a[1] x[1] _ _" for n in (1, 2, 2)]
    assert [(code, line) for code, line, _ in errors(file(rows(*alike)))] == [("repeated-id", 9)]
