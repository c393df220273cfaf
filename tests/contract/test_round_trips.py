"""What is written is read again as the same, or each difference is reported: all pairs of formats.

The comparison here shares nothing with the one in `corefmeter.formats.written`. Where a file counts
characters and another tokens, a mention is where its letters are in the text without white space.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.pairing import pair_documents
from corefmeter.corpus.positions import mention_of, pieces_if_any, place_of
from corefmeter.corpus.relations import Bridge, Relations, Split
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats import format_named, names, read_corpus
from corefmeter.formats.conversion import convert_corpus, write_files
from corefmeter.formats.written import differences
from corefmeter.problems import DataError, OptionError, Problem

from ..strategies import scaled
from .test_formats import SOUND, WRITTEN, label


def of(entities, words: str, name="d", **values) -> Document:
    """A document of words that are separated by bars."""
    text = Text(words.split("|") if words else [])
    return Document(name, entities, tokens=len(text), text=text, **values)


ONE = [(0, 1), (2, 3)]
PLAIN = of([ONE, [(1, 2)]], "Ann|saw|her")
GAP, ZERO, MIXED = ((0, 1), (2, 3)), ((1, 1, 1),), ((0, 1), (1, 1, 1))

#: What is in order, and nasty all the same.
NASTY = {
    "space-inside": [of([[(0, 1), (2, 3)], [(1, 2)]], "a|New York|b|c")],
    "blank-token": [of([[(0, 1), (3, 4)], [(1, 2)]], "a| ||b|c")],
    "line-end-inside": [of([[(0, 1), (2, 3)]], "a|x\ny\tz|b")],
    "signs": [of([[(0, 1), (3, 6)], [(1, 2)]], "[|(1)|#|<e>|\\|]_1|##5|{x}")],
    "names": [of([[(0, 1)], [(1, 2)], [(2, 3)]], "a|b|c", "d (1)",
                 entity_names=["a b", "x|(y", ""])],
    "name-twice": [of([[(0, 1)], [(1, 2)]], "a|b", entity_names=["x", "x"])],
    "document-names": [of([ONE], "a|b|c", n) for n in
                       ["d e", "a/b.c", "(x); part 002", "é_1", "#x", "a\tb", "x_0", ""]],
    "parts": [of([[(n, n + 1), (2, 3)]], "a|b|c", part=n) for n in (0, 1, 2)],
    "part-and-name": [of([ONE], "a|b|c", part=1), of([[(1, 2), (2, 3)]], "a|b|c", "d_1")],
    "gaps": [of([[GAP, (1, 2)]], "a|b|c")],
    "empty-nodes": [of([[ZERO, (2, 3)], [MIXED]], "a|b|c")],
    "nested": [of([[(0, 4), (1, 2)], [(1, 3), (0, 2)]], "a|b|c|d")],
    "crossing": [of([[(0, 3), (2, 5)], [(1, 4)]], "a|b|c|d|e")],
    "singletons": [of([[(0, 1)], [(1, 2)], [(2, 3)]], "a|b|c")],
    "copies": [of([[(0, 1), (0, 1), (2, 3)], [(0, 1)]], "a|b|c")],
    "relations": [of([[(0, 1)], [(1, 2)], [(2, 3)]], "a|b|c", entity_names=["p", "q", "r"],
                     relations=Relations((Split("r", ("p", "q")),),
                                         (Bridge((1, 2), (0, 1), "p", "part"),)))],
    "no-mention": [of([], "a|b|c")],
    "one-without-mention": [PLAIN, of([], "a|b|c", "e")],
    "no-token": [of([], "")],
    "one-without-token": [PLAIN, of([], "", "e")],
    "surrogates": [of([ONE], "a\ud800|b|c", "d\udfff", entity_names=["\ud800"])],
    "sentences": [PLAIN.replace(text=PLAIN.text.replace(sentences=[0, 2])),
                  of([[(0, 3), (1, 2)]], "a|b|c", "e").replace(text=Text(["a", "b", "c"],
                                                                     sentences=[0, 1]))],
    "no-words": [Document("d", [ONE], tokens=3)],
    "names-only": [Document("d", [["Ann", "her"], ["Bo"]], unit="names")],
}  # fmt: skip
SOURCES = [pytest.param(Corpus(value), id=name) for name, value in NASTY.items()]
SOURCES += [pytest.param(file, id=label(file)) for _, file in SOUND]


def bare(text: Text | None) -> str:
    """The letters of a text."""
    return "".join("".join(text.words).split()) if text is not None else ""


def place(document: Document, mention, letters: bool):
    """Where a mention is: its pieces, or where the letters of its words are."""
    mention = tuple(mention) if isinstance(mention, tuple) else mention
    parts = pieces_if_any(mention)
    if not letters or not parts:
        return parts or mention
    before = [len("".join("".join(document.text.words[:n]).split()))
              for n in range(len(document.text) + 1)]  # fmt: skip
    return tuple((before[p[0]], before[p[1]]) for p in parts if len(p) == 2)


def changes(one: Document, other: Document) -> list[str]:
    """The aspects in which two documents differ."""
    found = []
    same_name = one.id == other.id or one.one_name == other.one_name is not None
    if not same_name and not one.numbered:
        found.append("name")
    letters = one.unit != other.unit
    if letters and other.unit == "characters" and other.text is None:
        other = other.replace(text=Text(list(one.text.between.join(one.text.words))))
    sizes_only = letters and ("names" in {one.unit, other.unit} or other.text is None)
    if one.text is not None and other.text is not None and (
        bare(one.text) != bare(other.text) if letters else one.text.words != other.text.words
    ):  # fmt: skip
        found.append("word")
    if sizes_only:
        sizes = [sorted(map(len, d.entities)) for d in (one, other)]
        return found if sizes[0] == sizes[1] else [*found, "mention"]
    sides = [
        [sorted((place(d, m, letters) for m in e), key=repr) for e in d.entities]
        for d in (one, other)
    ]
    if Counter(m for e in sides[0] for m in e) != Counter(m for e in sides[1] for m in e):
        found.append("mention")
    elif sorted(map(repr, filter(None, sides[0]))) != sorted(map(repr, filter(None, sides[1]))):
        found.append("entit")
    elif one.entities_named:
        pairs = [sorted(zip(map(repr, s), d.entity_names, strict=True))
                 for s, d in zip(sides, (one, other), strict=True)]  # fmt: skip
        if pairs[0] != pairs[1]:
            found.append("names? of entit")
    plain, typed = (
        [Counter(place(d, m, letters) for e in d.entities for m in e if m != place_of(m) or every)
         for d in (one, other)]
        for every in (True, False)
    )  # fmt: skip
    if (typed[1] - typed[0]) & plain[0] or (typed[0] - typed[1]) & plain[1]:
        found.append("type")
    for kind, number in one.related.items():
        if other.related.get(kind, 0) != number:
            found.append(kind)
    return found


#: How a report is recognised as one about an aspect.
SAID = {
    "name": "the name of the document",
    "word": "word",
    "mention": "mention",
    "entit": "mention|entit",
    "names? of entit": "names? of entit",
    "type": "types",
    "split": "split antecedent|member",
    "bridging": "bridging|anchor",
    "nonreferring": "non-referring",
    "deixis": "deixis",
}

#: What is said only where it is so.
CLAIMS = {
    "the name of the document": "name",
    "words cannot be": "word",
    "mentions are lost": "mention",
    "mentions are read": "mention",
    "entities are read": "entit",
    "part of mentions": "type",
}


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("source", SOURCES)
def test_what_is_written_is_read_again_or_each_difference_is_reported(source, name, tmp_path):
    corpus = source if isinstance(source, Corpus) else read_corpus(str(source), details=True)
    see(corpus, name, tmp_path)


#: What names, words and types may be made of.
SIGNS = st.text(
    st.sampled_from("ab1-_ |()[]{}<>=,:;.#*\\/\"'\t\n\r\x0b\x1c\x85\xa0\u2028\ud800é人"), max_size=4
)


@st.composite
def nodes_of(draw, tokens: int):
    """A run, or an empty node, of a text."""
    start = draw(st.integers(0, tokens))
    if start == tokens or draw(st.integers(0, 5)) == 0:
        return (start, start, draw(st.integers(1, 2)))
    return (start, draw(st.integers(start + 1, tokens)))


@st.composite
def corpora(draw):
    """One or two documents of anything."""
    documents = []
    for number in range(draw(st.integers(1, 2))):
        words = draw(st.lists(SIGNS, max_size=5))
        tokens = len(words)
        mention = st.lists(nodes_of(tokens), min_size=1, max_size=2).map(mention_of)
        entities = draw(st.lists(st.lists(mention, min_size=1, max_size=3), max_size=3))
        names = draw(st.lists(SIGNS, min_size=len(entities), max_size=len(entities)))
        starts = sorted({0, *draw(st.sets(st.integers(0, max(tokens - 1, 0)), max_size=2))})
        details = [[Detail(entity_type=draw(st.none() | SIGNS)) for _ in e] for e in entities]
        documents.append(Document(
            draw(SIGNS), entities, part=draw(st.none() | st.just(number)), entity_names=names,
            tokens=tokens, text=Text(words, sentences=starts if tokens else []), details=details,
        ))  # fmt: skip
    return Corpus(documents if len({d.id for d in documents}) == len(documents) else documents[:1])


@settings(max_examples=scaled(20))
@given(corpus=corpora())
@pytest.mark.parametrize("name", WRITTEN)
def test_anything_is_written_or_refused(corpus, name, tmp_path_factory):
    # Where a word shows nothing, what is said of mentions of it is not settled but for the cases by
    # hand: such a corpus is written and read again, or refused.
    words = (word for d in corpus if d.text is not None for word in d.text.words)
    see(corpus, name, tmp_path_factory.mktemp("anything"), all(word.strip() for word in words))


#: What is reported of a document that is read under another name.
NAME_LOST = "the name of the document cannot be written; it is read as"


def see(corpus: Corpus, name: str, folder: Path, compared: bool = True) -> None:
    """See that a corpus is written in a format and read again, and each difference reported."""
    target = folder / "written"
    try:
        fitted, before = convert_corpus(corpus, name, hull=False)
        try:
            later = write_files(fitted, name, str(target))
        except OptionError:  # one document a file
            target = folder / "folder"
            later = write_files(fitted, name, f"{target}/")
    except DataError as refused:
        codes = {problem.code for problem in refused.problems}
        assert codes <= {"no-words", "no-positions", "cannot-write"}
        assert not target.exists()
        return
    problems = before + later
    codes = {problem.code for problem in problems}
    assert codes <= {"cannot-write", "mention-unwritten", "document-unwritten"}
    taken = any(" is taken for " in p.message or "is not recognized" in p.message for p in problems)
    again = read_corpus(str(target), name if taken else None, details=True)
    if not taken:
        assert again.format == name
    unwritten = Counter()
    for problem in later:
        unwritten[problem.code, problem.document] += problem.count
    left = {document.id: document for document in again}
    spelled = {document.one_name: document for document in again if document.one_name}
    known = {document.id for document in corpus} | {d.one_name for d in corpus if d.one_name}
    others = [document for document in again if known.isdisjoint((document.id, document.one_name))]
    for document, written in zip(corpus, fitted, strict=True):
        said = " / ".join(p.message for p in problems if p.document in (None, document.label))
        # What is said of a name comes first: another document may be read under this one.
        renamed = [d for d in again if f"{NAME_LOST} {d.label!r}" in said]
        other = next(iter(renamed), None) or spelled.get(document.one_name) or left.get(document.id)
        gone = any(unwritten["document-unwritten", label] for label in (None, document.label))
        if other is None and not gone:
            other = next(d for d in others if document.numbered)
            others.remove(other)
        if other is None:
            assert gone, document
            continue
        lost = sum(map(len, written.entities)) - sum(map(len, other.entities))
        told = sum(unwritten["mention-unwritten", label] for label in (None, document.label))
        assert lost <= told, (document, said)
        if not compared:
            continue
        found = changes(document, other)
        for aspect in found:
            assert re.search(SAID[aspect], said), (aspect, document, said)
        own = " / ".join(p.message for p in problems if p.document == document.label)
        if document.text is not None and not all(word.strip() for word in document.text.words):
            continue  # a mention of a word that shows nothing has no place among characters
        # A mention may have lost a node before it was written, and come to be of a type then.
        there = {*found, *changes(written, other)}
        for phrase, aspect in CLAIMS.items():
            assert phrase not in own or aspect in there, (phrase, document, own)


#: Names that a file cannot have, with parts; each document has as many words as no other.
PARTS = [
    of([[(0, 1), (n + 1, n + 2)]], "|".join("abcdefghij"[: n + 3]), name, part=part)
    for n, (name, part) in enumerate(
        [("bc/cctv/00/cctv_0000", 0), ("bc/cctv/00/cctv_0000", 1), ("z 1", 0), ("z 1", 2),
         ("é.b-c_d", 0), (".x", 0)]
    )
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("way", ["file", "folder"])
@pytest.mark.parametrize("source", WRITTEN)
@pytest.mark.parametrize("name", WRITTEN)
def test_names_that_go_through_a_format_and_back_are_found_again(source, name, way, tmp_path):
    """The source, in its format, is paired with what was written of it, and with what comes back.

    Both ways, and also where both sides have gone through the other format.
    """
    key = written_as(Corpus(PARTS, format="conll"), source, f"{tmp_path}/key/")
    target = f"{tmp_path}/there" + ("/" if way == "folder" else "")
    try:
        there = written_as(key, name, target)
        back = written_as(there, source, f"{tmp_path}/back/")
    except (DataError, OptionError) as refused:
        problems = refused.problems if isinstance(refused, DataError) else []
        assert {p.code for p in problems} <= {"no-words", "no-positions", "cannot-write"}
        return
    for one, other in ((key, there), (key, back), (back, key), (there, back), (there, key)):
        pairs, problems = pair_documents(one, other, "strict")
        assert len(pairs) == len(PARTS), [pair.label for pair in pairs]
        codes = {"repaired", "unnamed-document"}
        if any(document.tokens is None for document in there):
            codes.add("token-count")  # how many there are is not known where it goes through
        assert {p.code for p in problems} <= codes
        for pair in pairs:
            sizes = [sum(map(len, side.entities)) for side in pair]
            assert sizes == [2, 2], pair.label
            if {side.unit for side in pair} == {"tokens"}:
                places = [[place_of(m) for e in side.entities for m in e] for side in pair]
                assert places[0] == places[1]


def written_as(corpus: Corpus, name: str, target: str) -> Corpus:
    """A corpus, written in a format and read again."""
    write_files(convert_corpus(corpus, name, hull=False)[0], name, target)
    return read_corpus(target.rstrip("/"), name, details=True)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_document_keeps_the_name_of_its_file_where_another_would_have_it_too(name, tmp_path):
    """The other, which comes first, would be read as it."""
    corpus = Corpus([of([[(0, 1), (1, 2)]], "a|b", "a/x"), of([[(0, 1), (2, 3)]], "a|b|c", "a_x")])
    (tmp_path / "out").mkdir()
    fitted, _ = convert_corpus(corpus, name, hull=False)
    problems = write_files(fitted, name, f"{tmp_path}/out/")
    found = {d.name: d for d in read_corpus(f"{tmp_path}/out", name, details=True)}
    if found["a_x"].unit == "tokens":
        assert [list(map(place_of, entity)) for entity in found["a_x"].entities] == [
            [(0, 1), (2, 3)]
        ]
    if "a/x" not in found:
        (told,) = [p for p in problems if "the name of the document cannot be written" in p.message]
        assert (told.document, "read as 'a_x_2'" in told.message) == ("a/x", True)


@pytest.mark.wings
def test_all_formats_are_here():
    assert set(WRITTEN) == {name for name in names() if format_named(name).write}
    assert len(WRITTEN) >= 11


def test_a_report_about_something_else_hides_no_loss():
    """What a writer left that reports nine bridges of each document, but loses other things."""
    corpus = Corpus([of([[(0, 1), (1, 2)], [(2, 3)]], "a|b|c"), of([], "a", "e")])
    preco = format_named("preco")
    stream = io.StringIO()
    preco.write(Corpus([of([[(0, 1)], [(2, 3)]], "a|b|c")]), stream)
    reported = [Problem("cannot-write", "bridges", document=d, count=9) for d in ("d", "e")]
    found = differences(corpus, preco, stream.getvalue(), "x.jsonl", reported)
    assert [(p.code, p.document, p.count) for p in found] == [
        ("mention-unwritten", "d", 1),
        ("document-unwritten", "e", 1),
    ]
    reported = [p._replace(code=q.code) for p, q in zip(reported, found, strict=True)]
    assert differences(corpus, preco, stream.getvalue(), "x.jsonl", reported) == []


@pytest.mark.parametrize("more", [[], [((4, 5), (6, 7))]])
def test_a_lost_mention_hides_no_other_order_of_copies(more):
    """b c is read where it ends: in entity 1 first, in whose place entity 4 had c d before it."""
    entities = [[(0, 1), (1, 3), (0, 2)], [(1, 3), (2, 4)], [(4, 5)], [(1, 2), (2, 4), *more]]
    corpus = Corpus([of(entities, "a|b|c|d|e|f|g")])
    stream = io.StringIO()
    conll = format_named("conll")
    reported = conll.write(corpus, stream)
    assert len(reported) == len(more)
    (moved,) = differences(corpus, conll, stream.getvalue(), "x.conll", reported)
    assert "copies of a mention are read in another order, such as those of ((2, 4),)" in (
        moved.message
    )
