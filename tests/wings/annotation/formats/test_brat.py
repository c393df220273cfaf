"""brat standoff: LitBank's labels, relations, offsets, and what is refused."""

from __future__ import annotations

from functools import partial

import pytest

import corefmeter
from corefmeter.formats import writer
from corefmeter.problems import DataError, OptionError
from corefmeter.wings.annotation.formats import litbank_brat

from ....formats.reading import errors_by, read_by

TEXT = "Ann Lee , a vet , saw the dog .\nShe fed it .\n"
#       0   4   8 10    16 18 22  26    32  36

ORDINARY = """\
T1\tPROP_PER 0 7\tAnn Lee
T2\tNOM_PER 10 15\ta vet
T3\tNOM_PER 22 29\tthe dog
T4\tPRON_PER 32 35\tShe
T5\tPRON_PER 40 42\tit
T6\tAnn_Lee-0 0 7\tAnn Lee
T7\tthe_dog-1 22 29\tthe dog
T8\tAnn_Lee-0 32 35\tShe
T9\tthe_dog-1 40 42\tit
R1\tappos Arg1:T1 Arg2:T2
"""


@pytest.fixture
def pair(file):
    """Writes an annotation and its text, and returns the path of the annotation."""

    def write(annotation: str, text: str | None = TEXT, name: str = "story.ann") -> str:
        if text is not None:
            file(text, name.replace(".ann", ".txt"))
        return file(annotation, name)

    return write


read = partial(read_by, litbank_brat)
errors = partial(errors_by, litbank_brat)


def test_an_ordinary_file_is_read(pair):
    (document,), problems = read(pair(ORDINARY), details=True)
    assert problems == []
    assert (document.name, document.tokens, document.unit) == ("story", 14, "tokens")
    assert document.entity_names == ["Ann_Lee-0", "the_dog-1"]
    assert document.entities == [[(0, 2), (10, 11)], [(7, 9), (12, 13)]]
    assert document.text.sentences == [0, 10]
    assert document.text.words[:4] == ["Ann", "Lee", ",", "a"]
    assert [[d.kind for d in e] for e in document.details] == [
        ["name", "pronoun"], ["nominal", "pronoun"]
    ]  # fmt: skip
    assert document.details[0][0].entity_type == "PER"
    assert document.attributes["relations"] == [{"type": "appos", "ids": ["T1", "T2"]}]


def test_entities_are_the_same_without_details_and_the_file_is_recognised(pair):
    path = pair(ORDINARY)
    (document,), _ = read(path)
    assert document.entities == [[(0, 2), (10, 11)], [(7, 9), (12, 13)]]
    assert corefmeter.read(path).format == "brat"


def test_an_attribute_is_no_mention_of_identity(pair):
    """``a vet`` has no label of an entity; the second argument of ``appos`` is no mention."""
    (document,), _ = read(pair(ORDINARY))
    assert (3, 5) not in {m for e in document.entities for m in e}


def test_the_texts_in_a_folder_belong_to_their_annotations(pair):
    pair(ORDINARY, name="folder/one.ann")
    path = pair("T1\tx-0 0 3\tAnn\n", name="folder/two.ann")
    corpus = corefmeter.read(path.rpartition("/")[0])
    assert [document.name for document in corpus] == ["one", "two"]
    assert corpus.problems == []


# Tricky, but legal.


def test_nested_mentions_and_copula_without_entity(pair):
    text = "her uncle is a man .\n"
    annotation = "T1\tuncle-3 0 9\ther uncle\nT2\tMary-0 0 3\ther\nT3\tNOM_PER 13 18\ta man\n"
    (document,), problems = read(pair(annotation + "R1\tcop Arg1:T1 Arg2:T3\n", text))
    assert problems == []
    assert document.entities == [[(0, 1)], [(0, 2)]]


def test_an_entity_name_with_underscores_and_hyphens(pair):
    name = "Lincoln__s_Inn-org-803"
    (document,), problems = read(pair(f"T1\t{name} 0 7\tAnn Lee\n"))
    assert (document.entity_names, problems) == ([name], [])


def test_offsets_count_code_points(pair):
    text = "\U0001f600 Ann saw\n"  # one code point, two units of UTF-16
    (document,), problems = read(pair("T1\tAnn-0 2 5\tAnn\n", text))
    assert (document.entities, problems) == ([[(1, 2)]], [])


def test_pieces_are_kept_and_never_joined_silently(pair):
    (document,), problems = read(pair("T1\tx-0 0 3;22 25\tAnn the\n"))
    assert (document.entities, problems) == ([[((0, 1), (7, 8))]], [])


def test_pieces_that_touch_are_one(pair):
    (document,), problems = read(pair("T1\tx-0 0 3;4 7\tAnn Lee\n"))
    assert (document.entities, problems) == ([[(0, 2)]], [])


def test_a_mention_over_two_lines(pair):
    (document,), problems = read(pair("T1\tx-0 26 35\tdog . She\n"))
    assert (document.entities, problems) == ([[(8, 11)]], [])


def test_running_text_is_cut_at_punctuation(pair):
    text = "Ann's dog barked, she fed it.\n"
    annotation = "T1\tx-0 0 3\tAnn\nT2\tx-0 18 21\tshe\nT3\ty-1 26 28\tit\n"
    (document,), problems = read(pair(annotation, text), details=True)
    assert problems == []
    assert document.text.words == [
        "Ann", "'", "s", "dog", "barked", ",", "she", "fed", "it", "."
    ]  # fmt: skip
    assert document.entities == [[(0, 1), (6, 7)], [(8, 9)]]


def test_a_mention_within_a_word_makes_the_document_count_characters(pair):
    (document,), problems = read(pair("T1\tx-0 0 2\tAn\nT2\tx-0 32 35\tShe\n"), details=True)
    assert problems == []
    assert document.unit == "characters"
    assert document.entities == [[(0, 2), (32, 35)]]
    assert document.text.string((32, 35)) == "She"


def test_relations_of_identity_are_entities_where_there_are_no_labels(pair):
    annotation = (
        "T1\tPerson 0 7\tAnn Lee\nT2\tPerson 32 35\tShe\nT3\tAnimal 22 29\tthe dog\n"
        "R1\tCoreference Arg1:T2 Arg2:T1\n#1\tAnnotatorNotes T1\tsure\nA1\tNew T1\n"
    )
    (document,), problems = read(pair(annotation))
    assert (document.entities, problems) == ([[(0, 2), (10, 11)], [(7, 9)]], [])


def test_lines_of_equivalence_are_entities(pair):
    annotation = "T1\tP 0 7\tAnn Lee\nT2\tP 32 35\tShe\nT3\tP 40 42\tit\n*\tEquiv T1 T2 T3\n"
    (document,), _ = read(pair(annotation))
    assert document.entities == [[(0, 2), (10, 11), (12, 13)]]


def test_events_are_linked_by_their_ids(pair):
    annotation = (
        "T1\tSee 18 21\tsaw\nE1\tSee:T1\nT2\tFeed 36 39\tfed\nE2\tFeed:T2 Agent:T3\n"
        "T3\tPerson 32 35\tShe\nR1\tCoreference Arg1:E1 Arg2:E2\n"
    )
    (document,), problems = read(pair(annotation))
    assert (document.entities, problems) == ([[(6, 7), (11, 12)]], [])


# Broken.


def test_an_annotation_without_its_text_is_an_error(pair):
    path = pair(ORDINARY, None)
    with pytest.raises(DataError) as caught:
        read(path)
    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == ("missing-text", path)
    assert "story.txt" in problem.hint


def test_two_entities_on_one_span_are_a_warning(pair):
    (document,), (problem,) = read(pair("T1\ta-0 0 3\tAnn\nT2\tb-1 0 3\tAnn\n"))
    assert document.entities == [[(0, 1)], [(0, 1)]]
    assert (problem.code, problem.line) == ("two-entities", 2)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("T1\tx-0 0 3\tBob\n", [("text-differs", 1, 12)]),
        ("T1\tx-0 0 3\tAnn \nT1\tx-0 0 3\tAnn\n", [("repeated-id", 2, 1)]),
        ("T1\tx-0 3 3\t\n", [("bad-span", 1, 8)]),
        ("T1\tx-0 40 999\tit\n", [("bad-span", 1, 8)]),
        ("T1\tx-0 a b\tit\n", [("bad-line", 1, 1)]),
        ("T1\tx-0 0 3\tAnn\nR1\tcop Arg1:T1 Arg2:T9\n", [("unknown-mention", 2, None)]),
        ("T1\tx-0 7 8\t \n", [("bad-span", 1, None)]),
        ("T1\tS 0 3\tAnn\nE1\tS:T9\n", [("unknown-mention", 2, None)]),
        ("T1\tx-0 0 3\tAnn\nhello\n", [("bad-line", 2, 1)]),
    ],
)
def test_broken_lines_are_errors_with_their_place(pair, annotation, expected):
    assert errors(pair(annotation)) == expected


def test_inclusive_ends_are_recognised(pair):
    path = pair("T1\tx-0 0 6\tAnn Lee\n")
    with pytest.raises(DataError) as caught:
        read(path)
    assert "inclusive" in caught.value.problems[0].hint


def test_annotations_without_any_identity_are_told(pair):
    _, (problem,) = read(pair("T1\tPER 0 3\tAnn\n"))
    assert problem.code == "no-coreference"


def test_brat_cannot_be_written():
    with pytest.raises(OptionError, match="two files"):
        writer(litbank_brat.FORMAT)


# Which relations are identity.

THREE = "T1\tP 0 7\tAnn Lee\nT2\tP 32 35\tShe\nT3\tP 40 42\tit\n"


@pytest.mark.parametrize(
    "type",
    ["Resident_Of", "President_of", "No_Coref", "Near_Identical", "Coref-Cand", "Same_Family",
     "Equivocal", "identifies"],
)  # fmt: skip
def test_relations_whose_names_only_contain_such_a_word_are_named_and_left_out(pair, type):
    (document,), problems = read(
        pair(f"{THREE}R1\t{type} Arg1:T1 Arg2:T2\nR2\tCoref Arg1:T2 Arg2:T3\n")
    )
    assert sorted(map(len, document.entities)) == [1, 2]
    ((code, count, message),) = [(p.code, p.count, p.message) for p in problems]
    assert (code, count) == ("unknown-relation", 1)
    assert f"{type} (1)" in message


@pytest.mark.parametrize("type", ["coref", "Coreference", "SAME_AS", "Ident", "Identity", "equiv"])
def test_known_relations_of_identity_in_any_spelling(pair, type):
    (document,), problems = read(pair(f"{THREE}R1\t{type} Arg1:T1 Arg2:T2\n"))
    assert sorted(map(len, document.entities)) == [1, 2]
    assert problems == []


def test_relations_of_identity_can_be_named(pair):
    path = pair(f"{THREE}R1\tIs Arg1:T1 Arg2:T2\nR2\tCoref Arg1:T2 Arg2:T3\n")
    known, named, both = (
        corefmeter.read(path, identity=names).documents[0].entities
        for names in (None, "is", "Is,Coref")
    )
    starts = [[[start for start, _ in entity] for entity in found] for found in (known, named)]
    assert [sorted(map(len, found)) for found in starts] == [[1, 2], [1, 2]]
    assert starts[0] != starts[1]
    assert [len(entity) for entity in both] == [3]


def test_a_score_says_which_relations_made_its_entities(pair):
    path = pair(f"{THREE}R1\tIs Arg1:T1 Arg2:T2\n")
    result = corefmeter.score(path, path, metrics="muc", identity=["Is"])
    assert result.muc.f1 == 1
    assert "|identity:Is|" in result.signature
    assert corefmeter.Recipe.parse(result.signature).identity == "Is"


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ("0 10", "a big dog"),
        ("0 10", "abig dog"),
        ("0 10", "abigdog"),
        ("0 10", " a b i g\u00a0dog "),
        ("0 6;6 10", "a big dog"),
        ("0 1;3 6;7 10", "abig dog"),
        ("0 11", "a big dog"),
    ],
)
def test_white_space_of_a_text_may_be_other_than_in_the_document(pair, places, said):
    (document,), problems = read(pair(f"T1\tANIMAL {places}\t{said}\n", "a  big\ndog ran\n"))
    assert document.tokens == 4
    assert document.entities == [[(0, 3)]]
    assert [problem.code for problem in problems] == ["no-coreference"]  # no relation of identity


@pytest.mark.parametrize("said", ["a pig dog", "a big do", "a big dogs", "big dog", " "])
def test_only_white_space_may_be_other(pair, said):
    text = "a  big\ndog ran\n"
    assert errors(pair(f"T1\tANIMAL 0 10\t{said}\n", text)) == [("text-differs", 1, 16)]
