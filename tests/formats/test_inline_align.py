"""Responses of language models on the words of a key: repairs, names, scores."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from corefmeter import Corpus, DataError, Document, read, read_inline, score
from corefmeter.corpus.relations import Relations, Split
from corefmeter.corpus.text import Text
from corefmeter.formats.inline import documents_of
from corefmeter.formats.inline.align import align_to_key
from corefmeter.formats.notes import Notes

from ..real.shared import DATA
from .damage import damaged
from .json_files import json_lines

STORY = (
    "Ann 's dog did n't see the old man , `` who 'd fed him ; it barked '' . "
    "She called it , but the dog -LRB- a terrier -RRB- ran to U.S.-based friends ."
)


def key_of(words: str = STORY, entities=(), name: str = "story", **options) -> Corpus:
    """A corpus of one document of words between blanks."""
    found = words.split()
    document = Document(name, list(entities), tokens=len(found), text=Text(found), **options)
    return Corpus([document])


def aligned(text: str, key: Corpus | None = None, style: str | None = None) -> list:
    """Entity and words of each mention, in the words of the key."""
    (document,) = read_inline(text, key or key_of(), style)
    return [
        (name, document.text.string(mention))
        for name, entity in zip(document.entity_names, document.entities, strict=True)
        for mention in entity
    ]


def repairs(text: str, key: Corpus | None = None) -> list[tuple[str, str]]:
    """Code and message of every repair, but for the summary."""
    problems = read_inline(text, key or key_of()).problems
    return [(p.code, p.message) for p in problems if p.code != "coverage"]


# ---- tolerance --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[Ann]_1's dog didn't see [the old man]_2, \"who'd fed [him]_3; it barked\".",
         ["Ann", "the old man", "him"]),
        ("[ANN]_1’s dog didn’t see [The Old Man]_2 , “who’d fed [him]_3;", ["Ann", "the old man",
                                                                            "him"]),
        ("[Ann's dog]_1   did not\n\nsee [the  old\nman]_2", ["Ann 's dog", "the old man"]),
        ("[Ann's]_1 dog did n't see [teh old man]_2", ["Ann 's", "the old man"]),
        ("[Ann]_1 's dog did n't see [the man]_2", ["Ann", "the old man"]),
        ("[Ann]_1's big brown dog did n't see [the very old man]_2", ["Ann", "the old man"]),
        ("Sure! Here it is: [Ann]_1's dog did n't see [the old man]_2", ["Ann", "the old man"]),
        ("did n't see [the old man]_2 , who", ["the old man"]),
        ("[the dog (a terrier)]_1 ran to [U.S.]_2-based [friends]_3.",
         ["the dog -LRB- a terrier -RRB-", "U.S.-based", "friends"]),
        ("[the dog (a terrier)]_1 ran to [US-based friends]_3.",
         ["the dog -LRB- a terrier -RRB-", "U.S.-based friends"]),
        ("[Ann]_1's dog [did n't]_2 see theold [man]_3", ["Ann", "did n't", "man"]),
    ],
)  # fmt: skip
def test_words_are_found_whatever_happened_around_them(text, found):
    assert [words for _, words in aligned(text)] == found


@pytest.mark.parametrize("unseen", ["\ufeff", "\u200b", "\u00ad\u200d"])
def test_a_mention_of_signs_that_are_not_seen(unseen):
    """Within and beside words they are passed over, as they were."""
    key = key_of(f"a {unseen} b{unseen}c d")
    found = [("1", "a"), ("2", unseen), ("3", "d")]
    assert aligned(f"[a]_1 [{unseen}]_2 b c [d{unseen}]_3", key) == found
    assert not repairs(f"[a]_1 [{unseen}]_2 b{unseen}c [d]_3", key)
    assert aligned("[a]_1 b c [d]_3", key) == [found[0], found[2]]


@pytest.mark.parametrize("unseen", ["\ufeff", "\u200b"])
def test_a_word_of_signs_that_are_not_seen_ends_where_a_mention_does(unseen):
    """Text with marks is read alike as key and as response: its words end at the marks."""
    text = f"a[{unseen}]_1b [The {unseen}]_2/ lit"
    key = Document("x", [[(1, 2)], [(3, 5)]], tokens=7,
                   text=Text(["a", unseen, "b", "The", unseen, "/", "lit"]))  # fmt: skip
    (found,) = read_inline(text, Corpus([key]))
    assert found.entities == key.entities


def test_scripts_without_blanks():
    key = key_of("李 明 看见 了 他 的 狗 。")
    assert aligned("[李明]_1看见了[[他]_1的狗]_2。", key) == [
        ("1", "李 明"), ("1", "他"), ("2", "他 的 狗")
    ]  # fmt: skip


def test_decomposed_letters():
    assert aligned("[Cafe\u0301]_1 Zoë", key_of("Café Zoe\u0308")) == [("1", "Café")]


def test_a_doubled_word_beside_a_mention_is_not_part_of_it():
    key = key_of("she saw her dog")
    assert aligned("she saw her [her dog]_1", key) == [("1", "her dog")]
    assert aligned("she saw [her]_1 her dog", key) == [("1", "her")]


def test_one_of_two_equal_words_is_missing():
    key = key_of("she saw that that man left")
    assert aligned("she saw [that man]_1 left", key) == [("1", "that man")]


# ---- reports ----------------------------------------------------------------------------------


def test_every_repair_is_told_with_its_place():
    key = key_of("Ann saw the old dog .")
    text = "Ann really saw teh dog .\n[Moby]_1"
    problems = read_inline(text, key).problems
    assert [(p.code, p.line, p.column, p.message) for p in problems[:-1]] == [
        ("mention-lost", 2, 2, "the mention 'Moby' of entity 1 has no word of the key; left out"),
        ("word-invented", 1, 5, "'really' is not in the key; left out"),
        ("word-changed", 1, 16, "'teh' replaces 'the' of the key"),
        ("word-dropped", 1, 20, "'old' of the key is missing here"),
        ("word-invented", 2, 2, "'Moby' is not in the key; left out"),
    ]
    assert (problems[-1].code, problems[-1].document) == ("coverage", "story")
    assert problems[-1].message == (
        "the response has 66.6 % of the words of the key unchanged; 1 dropped, 1 changed, "
        "2 invented; 1 of 1 mention lost"
    )  # 4 of 6


def test_a_text_with_a_changed_word_is_not_all_there():
    """Of 3,000 words 2,999 are copied, which is 99.97 %."""
    words = [f"w{number}" for number in range(3000)]
    told = " ".join([*words[:1500], "v1500", *words[1501:]])
    problems = read_inline(f"[{told[:2]}]_1{told[2:]}", key_of(" ".join(words))).problems
    assert problems[-1].message.startswith("the response has 99.9 % of the words")
    assert "0 dropped, 1 changed" in problems[-1].message


def test_an_exact_copy_needs_no_repair_and_no_report():
    assert read_inline("[Ann]_1 saw [her dog]_2.", key_of("Ann saw her dog .")).problems == []


def test_text_that_ends_too_early_is_told():
    problems = read_inline("[Ann]_1 's dog", key_of()).problems
    assert [p.code for p in problems] == ["word-dropped", "coverage"]
    assert problems[0].count > 25
    assert "is not truncated" in problems[1].hint


def test_a_text_without_a_common_word_is_an_empty_response():
    corpus = read_inline("[I]_1 cannot help with that", key_of("Rex barked ."))
    assert corpus.documents[0].entities == []
    assert {p.code for p in corpus.problems} == {
        "mention-lost", "word-invented", "word-dropped", "coverage"
    }  # fmt: skip


def test_a_mention_that_cuts_a_word_of_the_key_is_told():
    assert repairs("a friend of [U.S.]_1-based Ann", key_of("a friend of U.S.-based Ann")) == [
        ("mention-moved",
         "the mention 'U.S.' is part of a word of the key; the whole word is taken")
    ]  # fmt: skip


def test_case_and_quotes_are_told_but_white_space_is_not():
    assert repairs("ann said\n ’no’", key_of("Ann said 'no'")) == [
        ("word-changed", "'ann' replaces 'Ann' of the key"),
        ("word-changed", "'’' replaces \"'\" of the key"),
        ("word-changed", "'’' replaces \"'\" of the key"),
    ]


def test_wrong_marks_are_told_too():
    assert [code for code, _ in repairs("[Ann saw her dog]_2 ]_3", key_of("Ann saw her dog"))] == [
        "close-without-open"
    ]  # fmt: skip


# ---- documents --------------------------------------------------------------------------------


def two() -> Corpus:
    return Corpus(
        [
            Document("bc/x", [[(0, 1)]], part=0, tokens=2, text=Text(["Ann", "ran"])),
            Document("bc/x", [[(0, 1)]], part=1, tokens=2, text=Text(["Eve", "sat"])),
        ]
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(bc/x); part 000", "(bc/x); part 001"),
        ("bc/x", "bc/x_1"),
        ("bc_x_0", "bc_x_1"),
        ("x", "bc/x_1"),
    ],
)
def test_documents_are_found_by_any_form_of_their_name(first, second):
    text = f"# document {second}\n[Eve]_1 sat\n# document {first}\n[Ann]_1 ran\n"
    corpus = read_inline(text, two())
    assert corpus.problems == []
    assert [(d.name, d.part, d.text.words[0]) for d in corpus] == [
        ("bc/x", 1, "Eve"), ("bc/x", 0, "Ann")
    ]  # fmt: skip


def test_documents_without_names_are_those_of_the_key_in_order():
    corpus = read_inline("Ann|[e1] ran\nEve|[e1] sat\n", two())
    assert [(d.name, d.part) for d in corpus] == [("bc/x", 0), ("bc/x", 1)]
    assert [p.code for p in corpus.problems] == ["unnamed-document"]


def test_texts_that_cannot_be_told_apart_are_refused():
    with pytest.raises(DataError, match="1 text without a name, but 2 documents in the key"):
        read_inline("[Ann]_1 ran", two())


def test_lines_of_marked_words_are_one_document_if_the_key_is_one():
    key = key_of("Ann ran . She fell .")
    assert aligned("Ann|[e1] ran .\nShe|[e1] fell .", key) == [("e1", "Ann"), ("e1", "She")]


def test_a_document_that_the_key_lacks_is_left_as_it_is():
    corpus = read_inline("# document y\n[Ann]_1 ran", key_of("Ann ran"))
    assert [d.name for d in corpus] == ["y"]


def test_empty_nodes_keep_their_place():
    key = key_of("Dijeron hoy que prefieren ganar", [[((3, 3, 1),)]])
    corpus = read_inline("Dijeron|[e1] hoy ##|[e1] que ## ##|[e1] prefieren ganar", key)
    assert corpus.documents[0].entities == [[(0, 1), ((2, 2, 1),), ((3, 3, 2),)]]


def test_empty_nodes_that_begin_a_sentence_are_numbered_as_in_the_key():
    """CoNLL-U calls the first node of a sentence 0.1, apart from the last ones before it."""
    conllu = (
        "# newdoc id = x\n# global.Entity = eid-etype-head-other\n"
        "1\tLlueve\t_\tX\t_\t_\t0\troot\t_\t_\n"
        "1.1\t_\t_\tX\t_\t_\t_\t_\t1:dep\tEntity=(e1-x-1-)\n\n"
        "0.1\t_\t_\tX\t_\t_\t_\t_\t1:dep\tEntity=(e1-x-1-)\n"
        "1\tCorren\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    )
    key = read_conllu(conllu)
    corpus = read_inline("Llueve ##|[e1] ##|[e1] Corren", key, "words")
    assert corpus.documents[0].entities == key.documents[0].entities


def test_the_parents_of_an_empty_node_are_those_of_the_key():
    """Of a mention of the key, and of one that the key does not have."""
    conllu = (
        "# newdoc id = x\n# global.Entity = eid-etype-head-other\n"
        "1\tCorren\t_\tX\t_\t_\t0\troot\t_\t_\n"
        "1.1\t_\t_\tX\t_\t_\t_\t_\t1:nsubj\tEntity=(e1-x-1-)\n"
        "1.2\t_\t_\tX\t_\t_\t_\t_\t1:obj\t_\n\n"
    )
    (document,) = read_inline("Corren ##|[e1] ##|[e2]", read_conllu(conllu), "words")
    assert document.entities == [[((1, 1, 1),)], [((1, 1, 2),)]]
    found = [(one.head, one.attributes) for details in document.details for one in details]
    assert found == [
        ((1, 1, 1), {"deps": ((0, "nsubj"),)}), ((1, 1, 2), {"deps": ((0, "obj"),)}),
    ]  # fmt: skip


def test_a_document_is_where_its_response_is(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("[Ann]_1 ran")
    for numbered in (False, True):
        key = key_of("Ann ran", numbered=numbered, path="key.txt", line=7)
        (document,) = align_to_key(key, read(path, format="inline"))
        assert (document.path, document.line, document.numbered) == (str(path), 1, numbered)


def test_an_answer_has_no_relations_of_the_key():
    split = Relations(splits=(Split("they", ("ann", "rex")),))
    key = key_of("Ann fed Rex . They left", [[(0, 1)], [(2, 3)], [(4, 5)]],
                 entity_names=["ann", "rex", "they"], relations=split)  # fmt: skip
    (document,) = read_inline("[Ann]_1 fed [Rex]_2 . [They]_3 left", key)
    assert (document.relations, document.unread) == (None, {})


def read_conllu(text: str) -> Corpus:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.conllu"
        path.write_text(text, "utf-8")
        return read(path, details=True)


def test_a_key_that_counts_characters():
    key = Corpus([Document("x", [[(0, 3)]], tokens=10, text=Text(list("Ann's dog."), between=""),
                           unit="characters")])  # fmt: skip
    corpus = read_inline("[Ann]_1’s [dog]_2 .", key)
    assert corpus.documents[0].entities == [[(0, 3)], [(6, 9)]]
    assert corpus.documents[0].unit == "characters"


def test_a_key_without_words_is_refused():
    with pytest.raises(DataError, match="no-words"):
        read_inline("[Ann]_1", Corpus([Document("x", [], tokens=1)]))


# ---- files and scores -------------------------------------------------------------------------

KEY = """\
#begin document (a); part 000
a 0 0 Ann (1)
a 0 1 saw -
a 0 2 her (1)|(2
a 0 3 dog 2)

#end document
#begin document (b); part 000
b 0 0 Eve (1)
b 0 1 saw -
b 0 2 herself (1)

#end document
"""


def test_a_response_with_marks_is_scored(file, tmp_path):
    key = file(KEY, "key.conll")
    text = "# document a\n[Ann]_x saw [[her]_x big dog]_y\n# document b\n[Eve]_1 saw [herself]_1\n"
    one_file = file(text, "response.txt")
    file("[Ann]_1 saw [[her]_1 dog]_2", "out/a.txt")
    file("[Eve]_1 saw [herself]_1", "out/b.txt")
    for response in (one_file, str(tmp_path / "out")):
        result = score(key, response, metrics="conll")
        assert result.conll == 1
    assert [p.code for p in score(key, one_file).problems] == ["word-invented", "coverage"]


def test_a_file_of_a_directory_that_is_missing_is_an_empty_response(file, tmp_path):
    key = file(KEY, "key.conll")
    file("[Ann]_1 saw [[her]_1 dog]_2", "out/a.txt")
    result = score(key, str(tmp_path / "out"), metrics="mentions")
    assert result.mentions.recall == 3 / 5
    assert "missing-document" in [p.code for p in result.problems]


def test_a_corpus_of_marked_texts_can_be_scored_and_matched(file):
    key = file(KEY, "key.conll")
    corpus = read_inline("# document a\n[Ann]_1 saw [her]_1\n# document b\n[Eve]_1", key)
    assert score(key, corpus, metrics="mentions").mentions.precision == 1
    response = file("# document a\n[Ann]_1 saw [her]_1\n# document b\n[Eve]_1", "r.txt")
    raw = read(response, side="response")
    assert score(key, raw, metrics="mentions").mentions.recall == 3 / 5


def test_the_path_of_a_missing_file_is_no_text(tmp_path):
    with pytest.raises(DataError, match="unreadable"):
        read_inline(str(tmp_path / "missing.txt"), key_of())


def test_json_lines_of_texts_are_scored(file):
    key = file(KEY, "key.conll")
    text = json_lines(
        {"doc_id": "a", "text": "[Ann](#1) saw [her](#1)"},
        {"doc_id": "b", "text": "[Eve](#1) saw [herself](#1)"},
    )
    response = file(text, "r.jsonl")
    assert score(key, response, metrics="muc").muc.f1 == 1


# ---- damage -----------------------------------------------------------------------------------


def kept_of_damaged(key: Document, share: float, seed: int, style: str) -> tuple[int, int, set]:
    """How many mentions without a damaged word were kept, of how many; those that were lost."""
    mentions = without_crossing(key)
    copy = damaged(key.text.words, mentions, share, seed, style)
    response = documents_of(f"# document x\n{copy.text}", Notes("x"), strict=True)
    response[0].name = key.name
    response[0].part = key.part
    (document,) = align_to_key(Corpus([key]), Corpus([*response]))
    found = {
        (name.removeprefix("e") if style == "tag" else name, mention)
        for name, entity in zip(document.entity_names, document.entities, strict=True)
        for mention in entity
    }
    whole = set(mentions) - copy.hit
    return len(whole & found), len(whole), whole - found


def without_crossing(document: Document) -> list[tuple[str, tuple[int, int]]]:
    """The mentions that brackets can hold: of two that cross, the one that begins first."""
    every = sorted(
        ((name, mention) for name, entity in zip(document.entity_names, document.entities,
                                                 strict=True) for mention in entity),
        key=lambda item: (item[1][0], -item[1][1]),
    )  # fmt: skip
    kept: list[tuple[str, tuple[int, int]]] = []
    ends: list[int] = []
    for name, (start, end) in every:
        while ends and ends[-1] <= start:
            ends.pop()
        if not ends or end <= ends[-1]:
            ends.append(end)
            kept.append((name, (start, end)))
    return kept


def own_document(seed: int) -> Document:
    """A text of common and rare words with nested mentions, of our own making."""
    chance = Random(seed)
    common = ["the", "a", "of", "and", "she", "it", ",", ".", "to", "her", "was", "in", "'s", "n't"]
    rare = [a + b + c for a in ("sto", "ka", "bri") for b in ("lo", "mi", "ru") for c in "nsx"]
    words = [chance.choice(common if chance.random() < 0.6 else rare) for _ in range(1200)]
    entities: list[list[tuple[int, int]]] = [[] for _ in range(20)]
    at = 0
    while at < len(words) - 8:
        length = chance.choice([1, 1, 1, 2, 3, 5])
        chance.choice(entities).append((at, at + length))
        if length > 2:
            chance.choice(entities).append((at + 1, at + 2))
        at += length + chance.randrange(1, 6)
    return Document("own", [e for e in entities if e], tokens=len(words), text=Text(words))


@pytest.mark.parametrize("style", ["suffix", "link", "tag"])
@pytest.mark.parametrize("seed", range(5))
def test_mentions_of_damaged_text_are_kept(style, seed):
    kept, count, _ = kept_of_damaged(own_document(seed), 0.05, seed, style)
    assert count > 250
    assert kept >= 0.97 * count


def test_nothing_is_lost_without_damage():
    document = own_document(1)
    kept, count, _ = kept_of_damaged(document, 0.0, 1, "suffix")
    assert kept == count == len(without_crossing(document))


@pytest.mark.skipif(
    not (DATA / "gum_ontonotes_style").is_dir(), reason="no real data: ../shared is not there"
)
@pytest.mark.parametrize("style", ["suffix", "link", "tag"])
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))]
)
def test_mentions_of_damaged_real_texts_are_kept(style, seed):
    key = read(DATA / "gum_ontonotes_style" / "key.conll", details=True)
    kept = count = 0
    documents = list(key)[: None if seed else 6]
    for number, document in enumerate(documents):
        some, of, _ = kept_of_damaged(document, 0.05, 100 * seed + number, style)
        kept += some
        count += of
    assert count > 100 * len(documents)
    assert kept >= 0.97 * count


def test_lost_mentions_are_named():
    """Every mention that has no place is told, by its words and its entity."""
    key = key_of("Ann saw the dog and the cat .")
    corpus = read_inline("[Ann]_1 saw [Rex]_2 and [the cat]_3 . [Moby]_4", key)
    lost = [p.message for p in corpus.problems if p.code == "mention-lost"]
    assert lost == [
        "the mention 'Rex' of entity 2 has no word of the key; left out",
        "the mention 'Moby' of entity 4 has no word of the key; left out",
    ]
