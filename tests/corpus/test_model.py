"""Documents and corpora: names, places, and how they show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefmeter import Corpus, Document
from corefmeter.corpus.model import is_reserved, same_file_name
from corefmeter.corpus.text import Detail, Text


def test_a_label_names_the_part_when_there_is_one():
    assert Document("bc/x", [], part=12).label == "(bc/x); part 012"
    assert Document("bc/x", []).label == "bc/x"


def test_no_part_is_part_0():
    assert Document("x", []).id == Document("x", [], part=0).id == ("x", 0)
    assert Document("x", [], part=1).id == ("x", 1)


def test_entities_without_names_are_numbered():
    assert Document("x", [[(0, 1)], [(1, 2)]]).entity_names == ["0", "1"]


def test_a_mention_begins_on_the_line_of_its_first_token():
    """Tokens 0 and 1 on lines 2 and 3, tokens 2 to 4 on lines 7 to 9."""
    document = Document("x", [], breaks=[(0, 2), (2, 7)])
    assert [document.line_of((token, 9)) for token in range(5)] == [2, 3, 7, 8, 9]


@pytest.mark.parametrize("mention", ["Ann", 3, ("a", 1), None])
def test_a_mention_that_is_no_span_has_no_line(mention):
    assert Document("x", [], breaks=[(0, 2)]).line_of(mention) is None


def test_without_lines_no_mention_has_one():
    assert Document("x", []).line_of((0, 1)) is None


@given(st.lists(st.integers(0, 3), min_size=1, max_size=20))
def test_lines_are_found_whatever_stands_between_tokens(gaps):
    """`gaps` are the lines without a token before each token."""
    lines, breaks, line = [], [], 0
    for token, gap in enumerate(gaps):
        line += gap + 1
        if gap or not token:
            breaks.append((token, line))
        lines.append(line)
    document = Document("x", [], breaks=breaks)
    assert [document.line_of((token, token + 1)) for token in range(len(gaps))] == lines


def test_a_corpus_is_its_documents():
    documents = [Document("x", [[(0, 1), (1, 2)]]), Document("y", [], part=3)]
    corpus = Corpus(documents)
    assert list(corpus) == documents
    assert len(corpus) == 2
    assert (corpus.path, corpus.digests, corpus.problems) == (None, {}, [])


def test_documents_and_corpora_show_what_they_hold():
    document = Document("x", [[(0, 1), (1, 2)]], part=1)
    assert repr(document) == "<Document '(x); part 001': 1 entity, 2 mentions>"
    assert repr(Corpus([document])) == "<Corpus in memory: 1 document>"
    assert repr(Corpus([document], path="x.conll")) == "<Corpus x.conll: 1 document>"


def filled(kind: type, **values):
    """A record whose slots hold a value each that no default is."""
    made = kind(**values)
    for slot in kind.__slots__:
        setattr(made, slot, object())
    return made


RECORDS = [(Document, {"name": "x", "entities": []}), (Text, {"words": []}), (Detail, {})]


@pytest.mark.parametrize(("kind", "values"), RECORDS)
def test_but_keeps_every_slot_that_is_not_changed(kind, values):
    record = filled(kind, **values)
    for changed in set(kind.__slots__) - {"entities"}:
        new = object()
        found = record.replace(**{changed: new})
        assert type(found) is kind
        for slot in kind.__slots__:
            assert getattr(found, slot) is (new if slot == changed else getattr(record, slot))


@pytest.mark.parametrize(("kind", "values"), RECORDS)
def test_but_knows_no_value_that_there_is_not(kind, values):
    with pytest.raises(AttributeError):
        filled(kind, **values).replace(colour="red")


def test_of_other_entities_only_what_is_given_is_known():
    known = {"entity_names": ["ann"], "details": [[Detail(head=0)]]}
    document = Document("x", [[(0, 1)]], **known)
    found = document.replace(entities=[[(1, 2)]])
    assert (found.entity_names, found.entities_named, found.details) == (["0"], False, None)
    found = document.replace(entities=[[(1, 2)]], **known)
    assert (found.entity_names, found.entities_named) == (["ann"], True)
    assert found.details == known["details"]


@pytest.mark.parametrize(
    ("node", "sentence"),
    [
        ((0, 0, 1), 0),  # there is no token before it
        ((0, 0, 1, True), 0),
        ((1, 1, 1), 0),
        ((1, 1, 1, True), 1),
        ((2, 2, 1), 1),
        ((3, 3, 1), 2),
        (0, 0),
        (2, 2),
    ],
)
def test_an_empty_node_is_in_the_sentence_of_the_token_before(node, sentence):
    text = Text(["So", "it", "was"], sentences=[0, 1, 2])
    assert text.sentence_of(node) == sentence


@pytest.mark.parametrize(
    ("name", "reserved"),
    [("aux.txt", True), ("Con", True), ("com1", True), ("LPT\xb9.tar.gz", True),
     ("console", False), ("com", False), ("aux_1", False)],
)  # fmt: skip
def test_windows_reserves_the_names_of_devices_whatever_ending_follows(name, reserved):
    assert is_reserved(name) is reserved


def test_names_that_a_file_system_does_not_distinguish_have_one_form():
    assert same_file_name("Caf\u00e9") == same_file_name("CAFE\u0301") != same_file_name("cafe")


def test_by_content_sorts_mentions_and_entities_with_all_that_belongs_to_them():
    entities, details = (
        [[(4, 5)], [(7, 8), (0, 1)]],
        [[Detail(head=4)], [Detail(head=7), Detail(head=0)]],
    )
    document = Document("x", entities, details=details).by_content()
    assert document.entities == [[(0, 1), (7, 8)], [(4, 5)]]
    assert document.entity_names == ["1", "0"]
    assert [[one.head for one in entity] for entity in document.details] == [[0, 7], [4]]
