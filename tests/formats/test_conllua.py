"""CONLLUA files: identity is scored, everything else is kept; what is refused; what is written."""

from __future__ import annotations

import io
from functools import partial

import pytest

import corefmeter
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.text import Text
from corefmeter.formats import conllua

from .reading import errors_by, read_by

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
    assert document.attributes["split_antecedents"] == {"3": ["1", "2"]}
    (non_referring,) = document.attributes["non_referring"]
    assert non_referring["mention"] == (8, 9)
    assert non_referring["SemType"] == "expletive"
    (link,) = document.attributes["bridging"]
    assert (link["MarkableID"], link["MentionAnchor"], link["resolved"]) == ("m4", "m2", True)
    assert document.attributes["discourse_deixis"] == {"1": [(5, 8), (9, 10)]}
    assert document.details[3][0].attributes["bridging"][0]["Rel"] == "poss"


def test_entities_are_the_same_without_details(file):
    path = file(ORDINARY)
    (with_details,), _ = read(path, details=True)
    (document,), _ = read(path)
    assert document.entities == with_details.entities
    assert document.attributes == with_details.attributes
    assert document.text is None


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
    )))  # fmt: skip
    assert problems == []
    assert document.attributes["split_antecedents"] == {"3": ["1"], "7": ["1"]}


def test_a_member_of_a_plural_entity_may_be_plural(file):
    (document,), problems = read(file(file_of(
        row("1", "a", "(EntityID=1|MarkableID=m1|ElementOf=2)"),
        row("2", "b", "(EntityID=2|MarkableID=m2|ElementOf=3)"),
        row("3", "c", "(EntityID=3|MarkableID=m3)"),
    )))  # fmt: skip
    assert problems == []
    assert document.attributes["split_antecedents"] == {"3": ["2"], "2": ["1"]}


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
    (document,), problems = read(file(text))
    assert problems == []
    assert document.attributes["split_antecedents"] == {"2": ["1"]}
    assert document.attributes["bridging"] == [
        {"MarkableID": "m2", "Rel": "x", "EntityAnchor": "1", "resolved": True}
    ]


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


def test_bridging_to_an_unknown_markable_is_kept_as_unresolved(file):
    (document,), (problem,) = read(file(file_of(
        row("1", "a", "(EntityID=1|MarkableID=m1)", "(MarkableID=m1|MentionAnchor=m9)"),
    )))  # fmt: skip
    assert (problem.code, problem.severity, problem.line) == ("bad-link", "warning", 3)
    assert document.attributes["bridging"][0]["resolved"] is False


@pytest.mark.parametrize(
    ("minimum", "expected"),
    [("1-2", (0, 2)), ("3", (2, 3)), ("1,2", (0, 2)), ("9", None), ("a", None), ("2,1", None)],
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


def test_what_was_read_is_written_and_read_again(file):
    (first,), _ = read(file(ORDINARY), details=True)
    text, problems = written(first)
    assert problems == []
    (again,), problems = read(file(text, "again"), details=True)
    assert problems == []
    assert (again.id, again.entity_names, again.entities) == (
        first.id, first.entity_names, first.entities
    )  # fmt: skip
    assert again.attributes == first.attributes
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


def test_parts_and_strange_names_are_told():
    document = Document("x", [[(0, 1)]], part=1, tokens=1, entity_names=["a|b"])
    text, problems = written(document)
    assert "EntityID=a_b|" in text
    assert "# newdoc id = x_part_001" in text
    assert [p.code for p in problems] == ["cannot-write"] * 2
