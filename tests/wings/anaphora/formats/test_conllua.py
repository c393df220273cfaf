"""CONLLUA files: identity is scored, everything else is kept; what is refused; what is written."""

from __future__ import annotations

import io
import re
from functools import partial

import pytest

import corefmeter
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import pieces_if_any
from corefmeter.corpus.relations import Bridge, Layer, NonReferring, Relations, Split
from corefmeter.corpus.text import Detail, Text
from corefmeter.problems import DataError
from corefmeter.wings.anaphora.formats import conllua

from ....formats.reading import errors_by, read_by

HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)


def row(id: str, word: str, identity: str = "_", bridging: str = "_", deixis: str = "_") -> str:
    return "\t".join([id, word, *["_"] * 8, identity, bridging, deixis, "_", "_"])


def file_of(*rows: str) -> str:
    return "\n".join([HEADER, "# newdoc id = x", *rows, ""])


def test_a_document_without_a_name_is_found_wherever_named_ones_are(tmp_path):
    """It is the first without a name in both files; each document has one link."""
    rows = [
        row("1", "a", "(EntityID=1|MarkableID=m1)"),
        row("2", "b", "(EntityID=1|MarkableID=m2)"),
    ]
    named, unnamed = ["# newdoc id = x", *rows, ""], ["# newdoc", *rows, ""]
    (tmp_path / "key.conllua").write_text("\n".join([HEADER, *named, *unnamed]))
    (tmp_path / "response.conllua").write_text("\n".join([HEADER, *unnamed, *named]))
    with pytest.warns(corefmeter.CorefmeterWarning, match="no name"):
        result = corefmeter.score(
            tmp_path / "key.conllua", tmp_path / "response.conllua", metrics="muc"
        )
    assert (result.muc.recall_numerator, result.muc.recall_denominator) == (2, 2)


ORDINARY = file_of(
    row("1", "John", "(EntityID=1|MarkableID=m1|Min=1|SemType=dn|ElementOf=3)"),
    row("2", "met"),
    row("3", "the", "(EntityID=2|MarkableID=m2|Min=4|SemType=dn|ElementOf=3"),
    row("4", "vet", ")"),
    "",
    row("5", "They", "(EntityID=3|MarkableID=m3|Min=5|SemType=do)"),
    row("6", "saw", "_", "_", "(EntityID=1|MarkableID=d1"),
    row("7", "the", "(EntityID=5|MarkableID=m4|Min=8",
        "(MarkableID=m4|Rel=poss|MentionAnchor=m2|EntityAnchor=2)"),
    row("8", "dog", ")", "_", ")"),
    "",
    row("9", "it", "(EntityID=4-Pseudo|MarkableID=m5|SemType=expletive)"),
    row("10", "That", "(EntityID=6|MarkableID=m6|SemType=dn)", "_", "(EntityID=1|MarkableID=d2)"),
)  # fmt: skip


read = partial(read_by, conllua)
errors = partial(errors_by, conllua)


def test_an_ordinary_file_is_read(file):
    (document,), problems = read(file(ORDINARY), details=True)
    assert problems == []
    assert (document.name, document.tokens, document.line) == ("x", 10, 2)
    assert document.entity_names == ["1", "2", "3", "5", "6"]
    assert document.entities == [[(0, 1)], [(2, 4)], [(4, 5)], [(6, 8)], [(9, 10)]]
    assert document.text.words[:4] == ["John", "met", "the", "vet"]
    assert document.text.sentences == [0, 4, 8]
    assert [[d.minimum for d in entity] for entity in document.details] == [
        [(0, 1)], [(3, 4)], [(4, 5)], [(7, 8)], [None]
    ]  # fmt: skip
    assert document.details[0][0].attributes["SemType"] == "dn"


def test_what_is_no_identity_is_kept_beside_it(file):
    (document,), _ = read(file(ORDINARY), details=True)
    relations = document.relations
    assert relations.splits == (Split("3", ("1", "2")),)
    (silent,) = relations.nonreferring
    assert silent[:2] == ((8, 9), "expletive")
    assert silent.detail.attributes["EntityID"] == "4-Pseudo"
    assert relations.bridges == (Bridge((6, 8), (2, 4), "2", "poss"),)
    assert (relations.deixis.entities, relations.deixis.names) == ([[(5, 8), (9, 10)]], ["1"])
    assert relations.deixis.relations is None


def test_entities_are_the_same_without_details(file):
    path = file(ORDINARY)
    (with_details,), _ = read(path, details=True)
    (document,), _ = read(path)
    assert document.entities == with_details.entities
    assert (document.text, document.relations) == (None, None)
    assert (
        document.related
        == with_details.related
        == {
            "split": 1,
            "bridging": 1,
            "nonreferring": 1,
            "deixis": 2,
        }
    )


def test_the_file_is_recognised_and_its_lines_are_known(file):
    corpus = corefmeter.read(file(ORDINARY))
    assert corpus.format == "conllua"
    assert [corpus.documents[0].line_of(m) for m in [(0, 1), (4, 5), (9, 10)]] == [3, 8, 14]


def test_it_scores(file):
    """The pair a, b in the key, a alone in the response: one link of one is missing."""
    key = file(
        file_of(row("1", "a", "(EntityID=1|MarkableID=m1)"),
                row("2", "b", "(EntityID=1|MarkableID=m2)")), "key"
    )  # fmt: skip
    response = file(file_of(row("1", "a", "(EntityID=1|MarkableID=m1)"), row("2", "b")), "response")
    result = corefmeter.score(key, response)
    assert result.muc.recall == 0
    # B3: a has 1 of 2, b has none.
    assert (result.b3.recall, result.b3.precision) == (0.25, 1)


# Tricky, but legal.


def test_two_openings_may_be_separated_by_a_sign(file):
    (document,), problems = read(file(file_of(
        row("1", "his", "(EntityID=1|MarkableID=m1@(EntityID=2|MarkableID=m2)"),
        row("2", "father", ")"),
    )))  # fmt: skip
    assert (document.entities, problems) == ([[(0, 2)], [(0, 1)]], [])


def test_a_close_and_an_open_may_stand_on_one_token(file):
    (document,), problems = read(file(file_of(
        row("1", "a", "(EntityID=1|MarkableID=m1"),
        row("2", "b", ")(EntityID=2|MarkableID=m2"),
        row("3", "c", ")"),
    )))  # fmt: skip
    assert (document.entities, problems) == ([[(0, 2)], [(1, 3)]], [])


def test_the_same_markable_again_is_a_piece_of_it(file):
    (document,), problems = read(file(file_of(
        row("1", "a", "(EntityID=1|MarkableID=m1)"),
        row("2", "b"),
        row("3", "c", "(EntityID=1|MarkableID=m1)"),
    )))  # fmt: skip
    assert (document.entities, problems) == ([[((0, 1), (2, 3))]], [])


def test_an_entity_may_be_an_element_of_several(file):
    (document,), problems = read(file(file_of(
        row("1", "a", "(EntityID=1|MarkableID=m1|ElementOf=3,7)"),
        row("2", "b", "(EntityID=3|MarkableID=m2)"),
        row("3", "c", "(EntityID=7|MarkableID=m3)"),
    )), details=True)  # fmt: skip
    assert problems == []
    assert document.relations.splits == (Split("3", ("1",)), Split("7", ("1",)))


def test_a_member_of_a_plural_entity_may_be_plural(file):
    (document,), problems = read(file(file_of(
        row("1", "a", "(EntityID=1|MarkableID=m1|ElementOf=2)"),
        row("2", "b", "(EntityID=2|MarkableID=m2|ElementOf=3)"),
        row("3", "c", "(EntityID=3|MarkableID=m3)"),
    )), details=True)  # fmt: skip
    assert problems == []
    assert document.relations.splits == (Split("2", ("1",)), Split("3", ("2",)))


def test_empty_nodes_are_pieces(file):
    (document,), problems = read(file(file_of(
        row("1", "a"),
        row("1.1", "_", "(EntityID=1|MarkableID=m1)"),
        row("1.2", "_", "(EntityID=2|MarkableID=m2)"),
        row("2", "b", "(EntityID=1|MarkableID=m3"),
        row("2.1", "_"),
        row("3", "c", ")"),
    )))  # fmt: skip
    assert problems == []
    assert document.tokens == 3
    assert document.entities == [[((1, 1, 1),), ((1, 2), (2, 2, 1), (2, 3))], [((1, 1, 2),)]]


def test_the_column_split_and_bridging_without_brackets(file):
    header = HEADER.replace("IDENTITY BRIDGING", "IDENTITY SPLIT BRIDGING")
    rows = [
        ["1", "John", *["_"] * 8, "(EntityID=1|MarkableID=m1)", "EntityID=1|ElementOf=2",
         "_", "_", "_", "_"],
        ["2", "They", *["_"] * 8, "(EntityId=2|MarkableID=m2)", "_",
         "MarkableID=m2|Rel=x|EntityAnchor=1", "_", "_", "_"],
    ]  # fmt: skip
    text = "\n".join([header, "# newdoc id = x", *map("\t".join, rows), ""])
    (document,), problems = read(file(text), details=True)
    assert problems == []
    assert document.relations == Relations((Split("2", ("1",)),), (Bridge((1, 2), None, "1", "x"),))


#: As in version 1.1: ``@`` between openings, members in a column, pieces by their id, no anchor
#: mention, and what refers to nothing with its ``_``.
OF_2024 = "\n".join(
    [
        HEADER.replace("IDENTITY BRIDGING", "IDENTITY SPLIT BRIDGING"),
        "# newdoc id = x",
        *(
            "\t".join([id, word, *["_"] * 8, identity, split, bridging, deixis, "_", "_"])
            for id, word, identity, split, bridging, deixis in [
                ("1", "The", "(EntityID=1|MarkableID=m1|Min=2|SemType=dn", "_", "_",
                 "(EntityID=1-DD|MarkableID=d1|Min=4"),
                ("2", "man", ")", "EntityID=1|ElementOf=3", "_", "_"),
                ("3", "I", "(EntityID=2|MarkableID=m2|Min=3)", "EntityID=2|ElementOf=3", "_", "_"),
                ("4", "saw", "_", "_", "_", "_"),
                ("5", "with", "_", "_", "_", ")"),
                ("6", "a", "(EntityID=1|MarkableID=m1|Min=2|SemType=dn@(EntityID=4|MarkableID=m3"
                 "|Min=7,8", "_", "MarkableID=m3|Rel=poss|EntityAnchor=1", "_"),
                ("7", "fancy", "_", "_", "_", "_"),
                ("8", "coat", "))", "_", "_", "_"),
                ("9", "both", "(EntityID=6_Pseudo|MarkableID=m4|Min=9|SemType=quantifier", "_",
                 "_", "_"),
                ("10", "us", "(EntityID=3|MarkableID=m5|Min=10)", "_", "_", "_"),
                ("11", "that", ")", "_", "_", "(EntityID=1-DD|MarkableID=d2|Min=11)"),
            ]
        ),
        "",
    ]
)  # fmt: skip


def test_a_file_of_version_1_1(file):
    (document,), problems = read(file(OF_2024), details=True)
    assert problems == []
    assert dict(zip(document.entity_names, document.entities, strict=True)) == {
        "1": [((0, 2), (5, 8))], "2": [(2, 3)], "4": [(5, 8)], "3": [(9, 10)]
    }  # fmt: skip
    assert document.details[2][0].minimum == (6, 8)
    splits, bridges, (silent,), deixis = document.relations
    assert splits == (Split("3", ("1", "2")),)
    assert bridges == (Bridge((5, 8), None, "1", "poss"),)
    assert silent[:2] == ((8, 11), "quantifier")
    assert silent.detail.minimum == (8, 9)
    assert (deixis.entities, deixis.names) == ([[(0, 5), (10, 11)]], ["1-DD"])
    assert [detail.minimum for detail in deixis.details[0]] == [(3, 4), (10, 11)]


def test_discourse_deixis_has_relations_of_its_own(file):
    """In the column there, entity 1 is a member of 2, and one expression refers to nothing."""
    (document,), problems = read(file(file_of(
        row("1", "a", "(EntityID=1|MarkableID=m1)", "_", "(EntityID=1|MarkableID=d1|ElementOf=2)"),
        row("2", "b", "_", "_", "(EntityID=2|MarkableID=d2)"),
        row("3", "c", "_", "_", "(EntityID=3-Pseudo|MarkableID=d3)"),
    )), details=True)  # fmt: skip
    assert problems == []
    assert (document.relations.splits, document.relations.nonreferring) == ((), ())
    assert document.deixis.entity_names == ["1", "2"]
    assert document.deixis.relations.splits == (Split("2", ("1",)),)
    assert document.deixis.relations.nonreferring[0].mention == (2, 3)


def test_a_member_may_be_named_at_any_piece_of_a_markable(file):
    (document,), problems = read(file(file_of(
        row("1", "a", "(EntityID=1|MarkableID=m1)"),
        row("2", "b", "(EntityID=2|MarkableID=m2)"),
        row("3", "c", "(EntityID=1|MarkableID=m1|ElementOf=2|Min=3)"),
    )), details=True)  # fmt: skip
    assert document.relations.splits == (Split("2", ("1",)),)
    assert [(p.code, p.line, p.column) for p in problems] == [("repaired", 5, 21)]
    assert document.details[0][0].minimum is None


def test_columns_may_be_separated_by_blanks(file):
    (document,), problems = read(file(ORDINARY.replace("\t", "  ")))
    assert problems == []
    assert len(document.entities) == 5


# Broken.


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # 1, TAB, a, TAB, 8 x (_, TAB) are 20 characters.
        ([row("1", "a", ")")], [("close-without-open", 3, 21)]),
        ([row("1", "a", "(EntityID=1)")], [("missing-field", 3, 21)]),
        ([row("1", "a", "(MarkableID=m1)")], [("missing-field", 3, 21)]),
        ([row("1", "a", "(EntityID=1|MarkableID=m1")], [("unclosed-mention", 3, 21)]),
        ([row("1", "a", "(EntityID=1|MarkableID=m1|ElementOf=9)")], [("bad-link", 3, 21)]),
        ([row("1", "a", "EntityID=1")], [("bad-cell", 3, 21)]),
        ([row("x", "a")], [("bad-line", 3, 1)]),
        (
            [row("1", "a", "(EntityID=1|MarkableID=m1)"), row("2", "b",
             "(EntityID=2|MarkableID=m1)")],
            [("repeated-id", 4, 21)],
        ),
        (
            [row("1", "a", "(EntityID=1|MarkableID=m1|ElementOf=2)"),
             row("2", "b", "(EntityID=2|MarkableID=m2|ElementOf=1)")],
            [("bad-link", 3, 21), ("bad-link", 4, 21)],
        ),
        (
            [row("1", "a", "(EntityID=1|MarkableID=m1)", "(Rel=poss|EntityAnchor=1)")],
            [("missing-field", 3, 48)],
        ),
        ([row("1", "a") + "\t_"], [("bad-line", 3, None)]),
    ],
)  # fmt: skip
def test_broken_lines_are_errors_with_their_place(file, rows, expected):
    assert errors(file(file_of(*rows))) == expected


@pytest.mark.parametrize(
    ("cell", "bridge"),
    [
        ("(MarkableID=m1|MentionAnchor=m9)", None),
        ("(MarkableID=m9|MentionAnchor=m1)", None),
        ("(MarkableID=m1|EntityAnchor=9)", None),
        ("(MarkableID=m1|MentionAnchor=m9|EntityAnchor=2)", Bridge((0, 1), None, "2")),
        ("(MarkableID=m1|MentionAnchor=m2|EntityAnchor=9)", Bridge((0, 1), (1, 2), "2")),
    ],
)
def test_bridging_to_what_there_is_not_is_told_and_left_out(file, cell, bridge):
    (document,), (problem,) = read(file(file_of(
        row("1", "a", "(EntityID=1|MarkableID=m1)", cell),
        row("2", "b", "(EntityID=2|MarkableID=m2)"),
    )), details=True)  # fmt: skip
    assert (problem.code, problem.severity, problem.line) == ("bad-link", "warning", 3)
    assert document.relations.bridges == ((bridge,) if bridge else ())


def test_a_member_that_refers_to_nothing_is_told_and_left_out(file):
    (document,), (problem,) = read(file(file_of(
        row("1", "a", "(EntityID=1-Pseudo|MarkableID=m1|ElementOf=2)"),
        row("2", "b", "(EntityID=2|MarkableID=m2)"),
    )), details=True)  # fmt: skip
    assert (problem.code, problem.severity, problem.line) == ("bad-link", "warning", 3)
    assert document.relations.splits == ()


@pytest.mark.parametrize(
    ("minimum", "expected"),
    [
        ("1-2", (0, 2)),
        ("3", (2, 3)),
        ("1,2", (0, 2)),
        ("9", None),
        ("a", None),
        ("2,1", None),
        ("1,2,3", (0, 3)),
        ("1,3,2", None),
    ],
)
def test_a_minimum_outside_of_the_mention_or_as_a_range_is_taken_with_a_warning(
    file, minimum, expected
):
    (document,), problems = read(file(file_of(
        row("1", "a", f"(EntityID=1|MarkableID=m1|Min={minimum}"), row("2", "b", ")"),
        row("3", "c"),
    )), details=True)  # fmt: skip
    assert document.details[0][0].minimum == expected
    assert [p.code for p in problems] == ([] if minimum == "1,2" else ["repaired"])


def test_a_short_line_is_filled_up_with_a_warning(file):
    (document,), (problem,) = read(file(file_of(row("1", "a")[:-8], row("2", "b"))))
    assert (document.tokens, problem.code, problem.line) == (2, "bad-columns", 3)


def test_a_file_without_newdoc_is_an_error(file):
    assert errors(file(f"{HEADER}\n{row('1', 'a')}\n")) == [("outside-document", 2, None)]


def test_the_same_document_twice_is_an_error(file):
    assert errors(file(file_of(row("1", "a")) * 2)) == [("repeated-document", 5, None)]


# Written.


def written(document: Document) -> tuple[str, list]:
    stream = io.StringIO()
    problems = conllua.write(Corpus([document]), stream)
    return stream.getvalue(), problems


def bare(relations: Relations) -> object:
    """Relations without details, which are equal to none; of these the names and Min."""

    def known(detail):
        return detail.minimum, detail.attributes["MarkableID"], detail.attributes.get("EntityID")

    deixis = relations.deixis
    return (
        relations.splits,
        relations.bridges,
        [(mention, kind, known(detail)) for mention, kind, detail in relations.nonreferring],
        deixis and (deixis.entities, deixis.names, [[*map(known, e)] for e in deixis.details],
                    deixis.relations and bare(deixis.relations)),
    )  # fmt: skip


@pytest.mark.parametrize("content", [ORDINARY, OF_2024], ids=["1.0", "1.1"])
def test_what_was_read_is_written_and_read_again(file, content):
    (first,), _ = read(file(content), details=True)
    text, problems = written(first)
    assert problems == []
    (again,), problems = read(file(text, "again"), details=True)
    assert problems == []
    assert (again.id, again.entity_names, again.entities) == (
        first.id, first.entity_names, first.entities
    )  # fmt: skip
    # The scorers take what does not refer by "-Pseudo" alone.
    assert str(bare(again.relations)) == str(bare(first.relations)).replace("_Pseudo", "-Pseudo")
    assert again.text.words == first.text.words
    assert again.text.sentences == first.text.sentences
    assert [[d.minimum for d in e] for e in again.details] == [
        [d.minimum for d in e] for e in first.details
    ]


@pytest.mark.parametrize(
    "entities",
    [
        [[(0, 3), (1, 2)], [(1, 2)]],
        [[(0, 2)], [(1, 3)], [(2, 5)]],  # each crosses the next
        [[(0, 3)], [(1, 4)], [(1, 3)], [(0, 4)]],
        [[((0, 1), (2, 4)), (1, 2)]],
        [[((1, 1, 1),), ((1, 1, 2), (1, 3))], [((0, 0, 1),), ((5, 5, 1),)]],
        [[((0, 1), (1, 1, 1), (1, 2))], [(0, 2)]],
        [[(0, 1)], [(0, 1)]],
    ],
)
def test_gaps_crossing_mentions_and_empty_nodes_are_written_and_read_again(file, entities):
    document = Document("x", entities, tokens=5, text=Text(list("abcde")))
    text, problems = written(document)
    assert problems == []
    (again,), problems = read(file(text))
    assert problems == []
    assert dict(zip(again.entity_names, map(set, again.entities), strict=True)) == {
        str(number): set(entity) for number, entity in enumerate(entities)
    }


def test_parts_and_strange_names_are_written_as_names():
    document = Document("x", [[(0, 1)]], part=1, tokens=1, entity_names=["a|b"])
    text, _ = written(document)
    assert "EntityID=a_b|" in text
    assert "# newdoc id = x_part_001" in text


def test_names_of_relations_follow_those_of_their_entities(file):
    """Two entities are called x; what is said of x is said of the first."""
    document = Document(
        "x", [[(0, 1)], [(1, 2)], [(2, 3)]], tokens=3, entity_names=["a|b", "x", "x"],
        relations=Relations(
            (Split("a|b", ("x",)),), (Bridge((1, 2), None, "a|b", "of (x)"),),
            (NonReferring((2, 3), "filler"),), Layer([[(0, 3)]], ["d"]),
        ),
    )  # fmt: skip
    text, (problem,) = written(document)
    assert "the relation 'of (x)'" in problem.message
    (again,), problems = read(file(text), details=True)
    assert problems == []
    assert again.entity_names == ["a_b", "x", "x'"]
    splits, bridges, (silent,), deixis = again.relations
    assert splits == (Split("a_b", ("x",)),)
    assert bridges == (Bridge((1, 2), None, "a_b", "of__x_"),)
    assert (silent[:2], deixis.entities) == (((2, 3), "filler"), [[(0, 3)]])


@pytest.mark.parametrize(
    ("relations", "lost"),
    [
        (Relations((Split("1", ("9",)),)), "the member 9 of entity 1"),
        (Relations((Split("9", ("1",)),)), "the member 1 of entity 9"),
        (Relations((Split("1", ("2",)), Split("1", ("3",)))), "a further set of members"),
        (Relations(bridges=(Bridge((7, 8), (0, 1), None),)), "the bridging reference of (7, 8)"),
        (Relations(bridges=(Bridge((0, 1), (7, 8), None),)), "the bridging reference of (0, 1)"),
        (Relations(bridges=(Bridge((0, 1), (7, 8), "2"),)), "the anchor (7, 8)"),
        (Relations(nonreferring=(NonReferring("it"),)), "the mention 'it'"),
        (Relations(deixis=Layer([["that"]], ["1"])), "the mention 'that'"),
    ],
)
def test_relations_that_cannot_be_written_are_told(file, relations, lost):
    document = Document("x", [[(0, 1)], [(1, 2)], [(2, 3)]], entity_names=["1", "2", "3"],
                        tokens=3, relations=relations)  # fmt: skip
    text, problems = written(document)
    code = "mention-unwritten" if lost.startswith("the mention") else "cannot-write"
    assert [problem.code for problem in problems] == [code]
    assert lost in problems[0].message
    (_,), problems = read(file(text))
    assert problems == []


def test_what_is_beyond_the_last_mention_of_an_entity_is_written(file):
    document = Document("x", [[(0, 1)]], relations=Relations(deixis=Layer([[(0, 4)]], ["1"])))
    (again,), _ = read(file(written(document)[0]), details=True)
    assert (again.tokens, again.relations.deixis.entities) == (4, [[(0, 4)]])


def test_a_markable_can_be_closed_by_its_name(file):
    """So that two cross: m1 is the tokens 0 to 2, m2 1 to 3."""
    cells = ["(EntityID=1|MarkableID=m1", "(EntityID=2|MarkableID=m2", "m1)", "m2)"]
    (document,) = corefmeter.read(file(crossing(cells)))
    found = dict(zip(document.entity_names, document.entities, strict=True))
    assert found == {"1": [(0, 3)], "2": [(1, 4)]}


def test_a_name_that_is_not_open_cannot_be_closed(file):
    with pytest.raises(DataError) as error:
        corefmeter.read(file(crossing(["(EntityID=1|MarkableID=m1", "m2)", ")"])))
    assert [(p.code, p.line) for p in error.value.problems] == [("close-without-open", 4)]
    assert "m2" in str(error.value)


def crossing(cells: list[str]) -> str:
    columns = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY\n"
    rows = [f"{n}\tw" + "\t_" * 8 + f"\t{cell}\n" for n, cell in enumerate(cells, 1)]
    return columns + "# newdoc id = x\n" + "".join(rows)


def test_columns_are_named_once_and_do_not_change_within_a_document(tmp_path):
    def errors(*lines: str) -> list:
        path = tmp_path / "x.conllua"
        path.write_text("\n".join([*lines, ""]), "utf-8")
        return errors_by(conllua, str(path), details=True)

    columns = "# global.columns = ID FORM IDENTITY"
    row = "1\ta\t(EntityID=1|MarkableID=m)"
    twice = columns.replace("FORM", "ID")
    assert errors(twice, "# newdoc id = x", row)[0] == ("bad-header", 1, None)
    other = "# global.columns = ID FORM LEMMA IDENTITY"
    assert errors(columns, "# newdoc id = x", row, other, row)[0] == ("bad-header", 4, None)


def cells(document: Document) -> list[str]:
    """The column IDENTITY as it is written, with ids of markables only."""
    text, _ = written(document)
    rows = [line.split("\t") for line in text.splitlines() if "\t" in line]
    return [re.sub(r"EntityID=\w+\|MarkableID=markable_(\d+)", r"\1", row[10]) for row in rows]


@pytest.mark.parametrize(
    ("mentions", "column"),
    [
        # a b ends where b c begins, and where c is a mention itself: the outer one is closed first.
        ([(0, 2), (1, 3)], ["(1", ")(2", ")"]),
        ([(0, 3), (2, 3)], ["(1", "_", ")(2)"]),
        ([(0, 3), (0, 2), (1, 2)], ["(1(2", ")(3)", ")"]),
        # What crosses is cut where the one around it ends.
        ([(0, 3), (1, 4), (2, 5)], ["(1", "(2", "))(3", "(2)", ")"]),
        # Empty nodes at an end are pieces: only tokens begin and end a bracket of several lines.
        ([((0, 0, 1), (0, 2), (2, 2, 1))], ["(1)", "(1", ")", "(1)", "_"]),
        ([((0, 1), (1, 1, 1), (1, 2))], ["(1", "_", ")", "_"]),
    ],
)
def test_brackets_are_closed_before_others_are_opened(mentions, column):
    tokens = max(piece[1] for mention in mentions for piece in (pieces_if_any(mention))) + 1
    document = Document("d", [mentions], tokens=tokens, text=Text(["w"] * tokens))
    found = cells(document)
    assert found[: len(column)] == column
    assert set(found[len(column) :]) <= {"_"}


@pytest.mark.parametrize("spelled", ["6_Pseudo", "6-Pseudo", "6_PSEUDO", "6-pseudo"])
def test_what_does_not_refer_is_named_as_the_scorers_ask(spelled):
    detail = Detail(attributes={"EntityID": spelled})
    silent = Relations(nonreferring=(NonReferring((0, 1), "expletive", detail),))
    text, _ = written(Document("d", [], tokens=1, text=Text(["it"]), relations=silent))
    assert "(EntityID=6-Pseudo|" in text


def test_features_hold_nothing_that_separates():
    detail = Detail(attributes={"MarkableID": "m (1)", "SemType": "a|b=c"})
    text, _ = written(Document("d", [[(0, 1)]], tokens=1, text=Text(["it"]), details=[[detail]]))
    assert "(EntityID=0|MarkableID=m__1_|SemType=a_b_c)" in text


@pytest.mark.parametrize("names", [("a b", "a\tb"), ("", "\x85"), ("x", "x\n")])
def test_two_documents_that_would_have_one_name_are_not_written(names):
    corpus = Corpus([Document(name, [[(0, 1)]], tokens=1) for name in names])
    with pytest.raises(DataError) as caught:
        conllua.FORMAT.write(corpus, io.StringIO())
    assert [problem.code for problem in caught.value.problems] == ["cannot-write"]
