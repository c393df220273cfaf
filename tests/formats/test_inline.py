"""Text with marks in it: the styles, documents, what is wrong with marks, writing."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefmeter import Corpus, DataError, Document, OptionError, read
from corefmeter.corpus.text import Text
from corefmeter.formats import inline
from corefmeter.formats.inline import documents_of, style_of, with_zeros
from corefmeter.formats.inline.format import sniff
from corefmeter.formats.inline.marks import parse
from corefmeter.formats.inline.writing import write
from corefmeter.formats.notes import Notes

from .json_files import json_lines, refused, written

#: An ordinary file of two documents.
ORDINARY = """\
# document harbour/one
[The old keeper]_1 lit [[his]_1 lamp]_2 .
[It]_2 smoked .

# document harbour/two
Rain fell on [the boats]_1 .
"""

#: Legal: nested and repeated brackets, brackets that are text, escapes, several names, a mention of
#: two lines, letters of many bytes, a name with blanks in braces.
TRICKY = """\
# document tricky
[[Ann]_1]_2 said "[sic]" [1] and \\[so on\\] , \\\\ [[[x]_{the old man}]_1 y
z]_2 [𝒜’s 🐕]_1. [w](#4)(#5) [v]_{6, 7}
"""

#: Broken in five ways.
BROKEN = """\
# document broken
[Ann]_1 saw a dog]_2 at [the door](#) .
[ ]_3 And [she]_1 followed
[it to the garden .
"""


def marks(text: str, style: str | None = None) -> tuple[str, list[tuple[str, str]], list[str]]:
    """The text without marks, the words and entity of each mention, and the codes of problems."""
    notes = Notes("x")
    found = parse(text, style or style_of(text) or "brackets", notes)
    pieces = [(found.text[mark.start : mark.end], mark.entity) for mark in found.marks]
    return found.text, pieces, [problem.code for problem in notes.warnings]


def mentions(document: Document) -> list[tuple[str, object]]:
    return [
        (name, mention)
        for name, entity in zip(document.entity_names, document.entities, strict=True)
        for mention in entity
    ]


# ---- files ------------------------------------------------------------------------------------


def test_an_ordinary_file(file):
    corpus = read(file(ORDINARY, "x.txt"), details=True)
    assert (corpus.format, corpus.problems) == ("inline", [])
    assert [(d.name, d.part, d.tokens, d.line) for d in corpus] == [
        ("harbour/one", None, 10, 2),
        ("harbour/two", None, 6, 6),
    ]
    assert mentions(corpus.documents[0]) == [
        ("1", (0, 3)), ("1", (4, 5)), ("2", (4, 6)), ("2", (7, 8))
    ]  # fmt: skip
    assert corpus.documents[0].text.string((4, 6)) == "his lamp"
    assert mentions(corpus.documents[1]) == [("1", (3, 5))]


def test_tricky_but_legal_input(file):
    corpus = read(file(TRICKY, "x.txt"), details=True)
    assert corpus.problems == []
    document = corpus.documents[0]
    assert " ".join(document.text.words) == (
        'Ann said "[sic]" [1] and [so on] , \\ x y z 𝒜’s 🐕 . w v'
    )
    found = {(name, document.text.string(mention)) for name, mention in mentions(document)}
    assert found == {
        ("1", "Ann"), ("2", "Ann"), ("the old man", "x"), ("1", "x"), ("2", "x y z"),
        ("1", "𝒜’s 🐕"), ("4", "w"), ("5", "w"), ("6", "v"), ("7", "v"),
    }  # fmt: skip


def test_what_is_wrong_with_marks_is_an_error_in_a_key(file):
    path = file(BROKEN, "x.txt")
    with pytest.raises(DataError) as error:
        read(path)
    assert [(p.code, p.line, p.column) for p in error.value.problems] == [
        ("close-without-open", 2, 18),
        ("no-entity-name", 2, 25),
        ("empty-mention", 3, 1),
        ("unclosed-mention", 4, 1),
    ]


def test_what_is_wrong_with_marks_is_left_out_of_a_response(file):
    corpus = read(file(BROKEN, "x.txt"), side="response", details=True)
    assert [(p.code, p.severity) for p in corpus.problems] == [
        ("close-without-open", "warning"),
        ("no-entity-name", "warning"),
        ("empty-mention", "warning"),
        ("unclosed-mention", "warning"),
    ]
    (document,) = corpus
    assert [(n, document.text.string(m)) for n, m in mentions(document)] == [
        ("1", "Ann"), ("1", "she")
    ]  # fmt: skip
    assert " ".join(document.text.words) == (
        "Ann saw a dog at the door . And she followed it to the garden ."
    )


# ---- styles -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[the dog]_1 saw [its]_1 tail",
        "[the dog]_{1} saw [its]_{1} tail",
        "[the dog]{1} saw [its]{#1} tail",
        "[the dog](#1) saw [its](#1) tail",
        "[the dog](1) saw [its](1) tail",
        "[the dog]#1 saw [its]#1 tail",
        "[the dog]^1 saw [its]^{1} tail",
        "[the dog]₁ saw [its]₁ tail",
        "[the dog | 1] saw [its|1] tail",
        "[the dog: 1] saw [its: 1] tail",
        "<1>the dog</1> saw <1>its</1> tail",
        '<mention id="1">the dog</mention> saw <mention id="1">its</mention> tail',
        "<m cluster='1'>the dog</m> saw <m cluster=1>its</m> tail",
        "<m> the dog | 1 </m> saw <m> its | 1 </m> tail",
        "the|[1 dog|1] saw its|[1] tail",
    ],
)
def test_every_style_marks_the_same(text):
    plain, found, problems = marks(text)
    assert problems == []
    assert plain.split() == ["the", "dog", "saw", "its", "tail"]
    assert [(words.split(), name) for words, name in found] == [
        (["the", "dog"], "1"), (["its"], "1")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[x]_e1", ["e1"]),
        ("[x]_PER-1", ["PER-1"]),
        ("[x]_cluster_1", ["cluster_1"]),
        ("[x](#cluster_1)", ["cluster_1"]),
        ("[x]_1_2", ["1", "2"]),
        ("[x]_e1_e2", ["e1", "e2"]),
        ("[x]_{1,2}", ["1", "2"]),
        ("[x](#1)(#2)", ["1", "2"]),
        ("[x](#1, #2)", ["1", "2"]),
        ("[x]₁₂", ["12"]),
        ("[x]_Ann", ["Ann"]),
        ("<e1>x</e1>", ["e1"]),
        ("<PER-1>x</PER-1>", ["PER-1"]),
        ('<coref ENTITY="person" ID="7">x</coref>', ["7"]),
        ('<referent id="r1" group="2">x</referent>', ["2"]),
        ("x|[e1],[e2]", ["e1", "e2"]),
    ],
)
def test_names_of_entities(text, names):
    assert [name for _, name in marks(text)[1]] == names


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("[Ann]_1's dog", "Ann's dog"),
        ("[New York]_1-based", "New York-based"),
        ("[Ann]_1.", "Ann."),
        ("[Ann]_1, who", "Ann, who"),
        ("[un]_1happy", "unhappy"),
        ("<e1>Ann</e1>'s", "Ann's"),
        ("Ann's|[e1] dog", "Ann's dog"),
        ("[Ann]_1 [x] (y) {z} <b>w</b>", "Ann [x] (y) {z} <b>w</b>"),
        ("<e1>Ann</e1> <e1>I</e1> <b>[x]_1</b> a < b", "Ann I <b>[x]_1</b> a < b"),
        ("Ann|[e1] I|[e1] a|b [x]_1", "Ann I a|b [x]_1"),
        ("[Ann]_1 a\\b \\n \\[ \\]", "Ann a\\b \\n [ ]"),
    ],
)
def test_text_around_marks_is_kept(text, plain):
    assert marks(text)[0] == plain


def test_nested_marks():
    _, found, _ = marks("[a [b [c]_1 d]_2 e]_1")
    assert found == [("c", "1"), ("b c d", "2"), ("a b c d e", "1")]


def test_tags_and_marks_of_words_may_cross():
    assert marks("<e1>a <e2>b</e1> c</e2>")[1] == [("a b", "e1"), ("b c", "e2")]
    assert marks("a|[e1 b|[e2,e1] c|e2]")[1] == [("a b", "e1"), ("b c", "e2")]


def test_marks_of_one_entity_within_each_other():
    assert marks("<e1>a <e1>b</e1> c</e1>")[1] == [("b", "e1"), ("a b c", "e1")]
    assert marks("a|[e1 b|[e1 c|e1],e1]")[1] == [("b c", "e1"), ("a b c", "e1")]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("[a [b]_1", ["unclosed-mention"]),
        ("a]_1 [b]_1", ["close-without-open"]),
        ("[a](#) [b](#1)", ["no-entity-name"]),
        ("[ ]_1 [b]_1", ["empty-mention"]),
        ("<e1>a <e2>b</e2>", ["unclosed-mention"]),
        ("a</e1> <e2>b</e2>", ["close-without-open"]),
        ("<m>a</m> <m id='1'>b</m>", ["no-entity-name"]),
        ("a|[e1 b|[e2]", ["unclosed-mention"]),
        ("a|e1] b|[e2]", ["close-without-open"]),
        ("a|[e1],e3 b|[e2]", ["bad-cell"]),
        ("a|[e1][e3] b|[e2]", ["bad-cell"]),
    ],
)
def test_wrong_marks_leave_the_others_alone(text, codes):
    _, found, problems = marks(text)
    assert problems == codes
    assert found[-1][0] == "b"


def test_places_of_wrong_marks():
    notes = Notes("x")
    parse("é [a]_1\n\n b]_2 c", "brackets", notes, first_line=4)
    (problem,) = notes.warnings
    assert (problem.line, problem.column) == (6, 3)
    assert "']_2'" in problem.message


def test_numbers_in_parentheses_are_marks_if_there_are_some():
    assert sniff(b"[Ann](1) saw [her](1) [dog](2)")
    assert not sniff(b"see [here](1)")


def test_the_style_with_most_marks_is_taken():
    assert style_of("[a]_1 [b]_2 <e1>c</e1>") == "brackets"
    assert style_of("[a]_1 <e1>b</e1> <e1>c</e1>") == "tags"
    assert style_of("a [b] c <b>d</b> e|f 1:2") is None
    assert style_of("") is None


def test_an_unknown_style_is_refused():
    with pytest.raises(OptionError, match="did you mean 'brackets'"):
        documents_of("[a]_1", Notes("x"), "bracket")


# ---- the plain text of CRAC 2025 --------------------------------------------------------------

CRAC = """\
Los|[e1 jugadores de el Espanyol|[e2],e1] dijeron hoy que ##|[e1] prefieren a el Barcelona|[e3]
ambos|[e4 equipos|e4] llegan ##él|[e4],[e5 x|e5] .
"""


def test_words_with_marks_and_empty_nodes(file):
    corpus = read(file(CRAC, "x.txt"), details=True)
    assert corpus.problems == []
    one, two = corpus
    assert (one.name, one.numbered, two.name) == ("document 1", True, "document 2")
    assert " ".join(one.text.words) == (
        "Los jugadores de el Espanyol dijeron hoy que prefieren a el Barcelona"
    )
    assert mentions(one) == [
        ("e1", (0, 5)), ("e1", ((8, 8, 1),)), ("e2", (4, 5)), ("e3", (11, 12))
    ]  # fmt: skip
    assert mentions(two) == [
        ("e4", (0, 2)), ("e4", ((3, 3, 1),)), ("e5", ((3, 3, 1), (3, 4)))
    ]  # fmt: skip


def test_a_mention_with_empty_nodes_among_its_words():
    assert with_zeros(0, 3, [(1, 1, 1), (1, 1, 2), (3, 3, 1)]) == (
        (0, 1), (1, 1, 1), (1, 1, 2), (1, 3), (3, 3, 1)
    )  # fmt: skip
    assert with_zeros(0, 0, []) is None
    assert with_zeros(2, 4, [(2, 2, 1)]) == ((2, 2, 1), (2, 4))


# ---- documents --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "name", "part"),
    [
        ("# document a/b", "a/b", None),
        ("#document: a b", "a b", None),
        ("# begin document (a/b); part 003", "a/b", 3),
        ("#begin document (a/b);", "a/b", None),
        ("# newdoc id = a-b", "a-b", None),
    ],
)
def test_headers(header, name, part):
    (document,) = documents_of(f"{header}\n[x]_1\n#end document\n", Notes("f"))
    assert (document.name, document.part, document.numbered) == (name, part, False)
    assert mentions(document) == [("1", (0, 1))]


def test_text_outside_of_documents_is_left_out_with_a_warning():
    notes = Notes("f")
    text = "Here it is:\n# document a\n[x]_1\n#end document\nBye\n\n# document b\n[y]_1\n"
    assert [d.name for d in documents_of(text, notes)] == ["a", "b"]
    (problem,) = notes.warnings
    assert (problem.code, problem.line, problem.count) == ("outside-document", 1, 2)


def test_a_file_without_headers_is_called_as_it_is(file):
    document = read(file("[Ann]_1 ran\n\n[She]_1 fell\n", "out/story one.txt")).documents[0]
    assert (document.name, document.numbered, document.tokens) == ("story one", True, 4)


def test_a_directory_of_files(file, tmp_path):
    file("[Ann]_1 ran", "out/a.txt")
    file("[Eve]_1 ran", "out/b.txt")
    assert [d.name for d in read(str(tmp_path / "out"))] == ["a", "b"]


def test_json_lines_with_texts(file):
    text = json_lines(
        {"doc_id": "a", "text": "[Ann]_1 ran\n[She]_1 fell"},
        {"doc_key": "b_2", "text": "nothing is marked"},
    )
    corpus = read(file(text, "x.jsonl"), details=True)
    assert corpus.format == "inline"
    assert [(d.name, d.part, d.line) for d in corpus] == [("a", None, 1), ("b_2", None, 2)]
    assert mentions(corpus.documents[0]) == [("1", (0, 1)), ("1", (2, 3))]


def test_json_lines_that_are_wrong(file):
    text = '{"doc_id": "a", "text": "x]_1 [y]_1"}\n{"doc_id": "b", "text": 5}\n{"doc_id": "c"}\n'
    errors = refused(file(text, "x.jsonl"), format="inline")
    assert sorted((line, code) for code, line, _ in errors) == [
        (1, "close-without-open"), (2, "bad-field"), (3, "missing-field")
    ]  # fmt: skip


def test_the_same_document_twice_is_refused(file):
    path = file("# document a\n[x]_1\n# document a\n[y]_1\n", "x.txt")
    assert [code for code, _, _ in refused(path)] == ["repeated-document"]


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_text_is_refused(file, text):
    assert [code for code, _, _ in refused(file(text, "x.txt"), format="inline")] == ["no-document"]


@pytest.mark.parametrize(
    "text",
    ["Ann ran [fast] (1) and <b>far</b>",
     '<COREF ID="1">Ann</COREF> <COREF ID="2" REF="1">x</COREF>',
     '<?xml version="1.0"?><mention id="1">Ann</mention>', "the end of a mention [4](4)",
     '{"doc_id": "x", "sentences": [["[a]_1"]]}', "1-1\t0-5\tGenoa\tperson[1]\tnew[1]\tcoref"],
)  # fmt: skip
def test_other_files_are_not_recognised(text):
    assert not sniff(text.encode())


# ---- hostile ----------------------------------------------------------------------------------


@pytest.mark.parametrize("style", inline.STYLES)
@given(text=st.text(st.sampled_from(list("ab1 \n[]{}()<>/|#_:,e\\^₁")), max_size=40))
def test_any_text_is_read(style, text):
    notes = Notes("x")
    found = parse(text, style, notes)
    assert all(0 <= mark.start <= mark.end <= len(found.text) for mark in found.marks)
    assert all(0 <= found.origin(place) <= len(text) for place in range(len(found.text)))
    documents_of(text, Notes("x"), style)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["[", "]_1", "[a ", "<e1>", "</e1>", "x|[e1 ", "| ", "[x: ", "\\"]
)
def test_many_marks_take_time_by_their_number(piece):
    for style in inline.STYLES:
        notes = Notes("x")
        parse(piece * 20_000, style, notes)
        assert len(notes.warnings) <= 1000


# ---- writing ----------------------------------------------------------------------------------


def test_what_is_written():
    text = Text(["The", "[old]", "dog", "#1", "ran", "."], sentences=[0, 4])
    document = Document("a/b", [[(0, 3), (2, 3)], [(3, 4)]], part=2, tokens=6, text=text,
                        entity_names=["7", "e x"])  # fmt: skip
    out, messages = written("inline", document)
    assert out == "# document (a/b); part 002\n[The \\[old\\] [dog]_7]_7 [\\#1]_1\nran .\n"
    assert messages == []


def test_what_cannot_be_written_is_told():
    document = Document(
        "x", [[(0, 2), (1, 3)], [((0, 1), (2, 3))], [((1, 1, 1),)]], tokens=3,
        text=Text(["a", "b", "c"]),
    )  # fmt: skip
    out, messages = written("inline", document, Document("y", [], tokens=1))
    assert out == "# document x\n[a b]_0 c\n"
    assert [message.split(" cannot")[0] for message in messages] == [
        "mentions with gaps", "mentions with empty nodes", "mentions that cross another",
        "the document has no words and is left out",
    ]  # fmt: skip


WORDS = st.text(
    st.sampled_from(list("aZ9é人𝒜'\"\\/{}[]()<>|:;,.#_-^&")), min_size=1, max_size=4
)  # fmt: skip


@st.composite
def nested(draw) -> Corpus:
    """A corpus whose mentions nest, and whose names fit."""
    documents = []
    for name in draw(st.lists(st.sampled_from(["story", "a/b", "é 人", "1"]), min_size=1,
                              max_size=3, unique=True)):  # fmt: skip
        words = draw(st.lists(WORDS, min_size=1, max_size=8))
        names = draw(st.lists(st.sampled_from(["0", "7", "e1", "PER-1", "a_b", "1_2", "é"]),
                              max_size=3, unique=True))  # fmt: skip
        kept: list[tuple[int, int]] = []
        entities = []
        for _ in names:
            entity = []
            for start, end in draw(
                st.lists(st.tuples(st.integers(0, len(words) - 1), st.integers(1, len(words))),
                         min_size=1, max_size=3)
            ):  # fmt: skip
                crosses = any(a < start < b < end or start < a < end < b for a, b in kept)
                if start < end and not crosses:
                    kept.append((start, end))
                    entity.append((start, end))
            entities.append(entity)
        pairs = [(n, e) for n, e in zip(names, entities, strict=True) if e]
        documents.append(
            Document(name, [e for _, e in pairs], entity_names=[n for n, _ in pairs],
                     tokens=len(words), text=Text(words))
        )  # fmt: skip
    return Corpus(documents)


@given(nested())
def test_what_is_written_reads_back_as_the_same_corpus(corpus):
    stream = io.StringIO()
    assert write(corpus, stream) == []
    notes = Notes("x")
    found = documents_of(stream.getvalue(), notes, "brackets", strict=True)
    assert notes.finish() == []
    for document, other in zip(found, corpus, strict=True):
        assert (document.name, document.part) == (other.name, other.part)
        assert document.text.words == other.text.words
        assert sorted(mentions(document)) == sorted(mentions(other))


# Names that come first, and texts of which little is left.


def marked_mentions(text: str) -> dict:
    (document,) = documents_of(text, Notes("x"))
    return {
        name: [" ".join(document.text.words[start:end]) for start, end in entity]
        for name, entity in zip(document.entity_names, document.entities, strict=True)
    }


@pytest.mark.parametrize(
    "text",
    [
        "[1: Ann] met [2: the old man] . [1: She] saw [2: him] .",
        "[#1 | Ann] met [#2 | the old man] . [#1 | She] saw [#2 | him] .",
        "[1:Ann] met [2:the old man] . [1:She] saw [2:him] .",
    ],
)
def test_names_may_come_first_within_the_brackets(text):
    assert marked_mentions(text) == {"1": ["Ann", "She"], "2": ["the old man", "him"]}


def test_mentions_with_names_in_front_are_nested_and_other_brackets_are_text():
    found = marked_mentions("[e1: the dog of [e2: Ann]] [sic] saw [e2: her] [e1: bone]")
    assert found == {"e1": ["the dog of Ann", "bone"], "e2": ["Ann", "her"]}


def test_a_time_in_brackets_is_no_mention():
    assert style_of("[12:30 PM] Ann left . [12:31 PM] She") is None


def test_a_response_of_which_most_marks_are_wrong_is_refused(file):
    """Six brackets are opened and never closed, and one mention is right."""
    text = "[Ann]_1 saw " + "[the dog " * 6
    path = file(text, "x.txt")
    with pytest.raises(DataError) as error:
        read(path, side="response")
    (problem,) = error.value.problems
    assert problem.code == "no-coreference"
    assert "6 marks" in problem.message


def test_a_response_of_which_most_marks_are_right_is_read(file):
    text = "[Ann]_1 saw " * 6 + "[the dog " * 5
    (document,) = read(file(text, "x.txt"), side="response")
    assert list(map(len, document.entities)) == [6]
