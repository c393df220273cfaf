"""Windows of a text as one document: a book of known pieces, conflicts by hand."""

from __future__ import annotations

import json
import random

import pytest

import corefmeter
from corefmeter import CorefmeterWarning, Corpus, DataError, Document, OptionError
from corefmeter.corpus.text import Detail, Text

from ...command import run


def stitched(windows, **options):
    return corefmeter.stitch(windows, **options)


def entities(windows, **options):
    (document,) = stitched(windows, **options).corpus
    return document.entities


def as_sets(of):
    return {frozenset(entity) for entity in of}


def cut(words, whole, size, step, named=True):
    """The windows of a document, each with the parts of entities that lie in it."""
    documents = []
    for number, begin in enumerate(range(0, max(1, len(words) - size + step), step)):
        end = min(begin + size, len(words))
        parts = [[(a - begin, b - begin) for a, b in e if begin <= a and b <= end] for e in whole]
        name = f"book@{begin}" if named else f"book-{number}"
        text = Text(words[begin:end])
        found = [entity for entity in parts if entity]
        documents.append(Document(name, found, tokens=end - begin, text=text))
    return Corpus(documents)


def book(tokens=2000, characters=12, seed=1):
    """Words, all different in any 500, and characters of whom each is named in every 40 tokens."""
    rng = random.Random(seed)
    words = [f"w{n % 509}" for n in range(tokens)]
    whole = [[] for _ in range(characters)]
    for block in range(0, tokens, 40):
        for character, place in enumerate(rng.sample(range(0, 38, 2), characters)):
            whole[character].append((block + place, block + place + rng.choice((1, 2))))
    return words, whole


# ---- the truth of a book ------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "step"), [(200, 120), (300, 100), (500, 400)])
@pytest.mark.parametrize("named", [True, False])
def test_the_chains_of_a_book_are_found_again(size, step, named):
    words, whole = book()
    found = stitched(cut(words, whole, size, step, named))
    (document,) = found.corpus
    assert document.name == "book"
    assert document.entities == sorted(whole)
    assert document.text.words == words
    (one,) = found.documents
    assert [piece.begins for piece in one.pieces] == [n * step for n in range(len(one.pieces))]
    assert sum(piece.conflicts + piece.alone for piece in one.pieces) == 0


def test_the_order_of_named_windows_is_that_of_their_names():
    words, whole = book()
    windows = cut(words, whole, 200, 120)
    assert entities(Corpus(windows.documents[::-1])) == sorted(whole)


def test_the_overlap_can_be_given():
    words, whole = book()
    windows = cut(words, whole, 300, 200, named=False)
    without = Corpus([document.replace(text=None) for document in windows])
    # The last window is shorter than the others, but begins where they say.
    assert entities(without, overlap=100) == sorted(whole)


def test_adjacent_windows_have_no_chain_in_common():
    words, whole = book(tokens=400)
    windows = cut(words, whole, 200, 200, named=False)
    with pytest.warns(CorefmeterWarning, match="pieces-adjacent"):
        found = stitched(windows)
    (document,) = found.corpus
    assert len(document.entities) == 2 * len(whole)
    assert document.text.words == words


def test_the_key_joins_what_no_window_shows():
    words, whole = book(tokens=400)
    windows = cut(words, whole, 200, 200, named=False)
    found = stitched(windows, overlap=0, key={"book": whole})
    assert found.corpus.documents[0].entities == sorted(whole)


def test_parts_of_a_document_go_on_after_each_other():
    one = [Document("x", [[(0, 1)]], part=part, tokens=5) for part in (0, 1)]
    other = [Document("y", [[(1, 2)]], part=part, tokens=3) for part in (0, 1)]
    found = stitched(Corpus([*one, *other]))
    assert found.problems == []
    assert [(d.name, d.tokens, d.entities) for d in found.corpus] == [
        ("x", 10, [[(0, 1)], [(5, 6)]]), ("y", 6, [[(1, 2)], [(4, 5)]]),
    ]  # fmt: skip


# ---- conflicts by hand --------------------------------------------------------------------------


def test_an_entity_that_a_window_divides_joins_where_most_is_shared():
    # The first window has abc together; the second ab, and c with d.
    a, b, c, d = (0, 1), (2, 3), (4, 5), (8, 9)
    with pytest.warns(CorefmeterWarning, match="pieces-conflict"):
        found = stitched({"x@0": [[a, b, c]], "x@00": [[a, b], [c, d]]})
    (document,) = found.corpus
    assert document.entities == [[a, b, c], [d]]
    assert [(p.shared, p.joined, p.conflicts) for p in found.documents[0].pieces] == [
        (0, 0, 0), (3, 1, 1),
    ]  # fmt: skip
    (problem,) = [p for p in found.problems if p.code == "pieces-conflict"]
    assert "the mention (4, 5) is in another entity" in problem.message


def test_one_wrong_mention_does_not_lump_two_characters_together():
    # John: 0, 2, 4; Peter: 6, 8. The second window gives the "he" at 4 to Peter.
    john, peter = [(0, 1), (2, 3), (4, 5)], [(6, 7), (8, 9)]
    with pytest.warns(CorefmeterWarning, match="pieces-conflict"):
        found = entities(
            {"x@0": [john, peter], "x@2": [[(0, 1)], [(2, 3), (4, 5), (6, 7), (10, 11)]]}
        )
    assert found == [john, [*peter, (12, 13)]]


@pytest.mark.parametrize("turned", [False, True])
def test_ties_are_broken_by_the_text(turned):
    """A window conflates entities that share one mention each: the one at 0 is joined, not at 2.

    With a key that has one mention of each, the entity is that of the mention that is read first.
    """
    first, both = [[(0, 1)], [(2, 3)]], [[(0, 1), (2, 3), (5, 6)]]
    if turned:
        first, both = first[::-1], [both[0][::-1]]
    with pytest.warns(CorefmeterWarning, match="pieces-conflict"):
        found = corefmeter.stitch([{"x@0": first}, {"x@0": both}])
    assert found.corpus.documents[0].entities == [[(0, 1), (5, 6)], [(2, 3)]]
    key = [[(2, 3), (8, 9)], [(0, 1), (9, 10)]]
    windows = {"x@0": both, "x@8": [[(0, 1)], [(1, 2)]]}
    found = corefmeter.stitch(windows, key={"x": key[::-1] if turned else key})
    assert found.corpus.documents[0].entities == [[(0, 1), (2, 3), (5, 6), (9, 10)], [(8, 9)]]


def test_an_entity_that_a_window_conflates_joins_one():
    with pytest.warns(CorefmeterWarning, match="pieces-conflict"):
        found = entities({"x@0": [[(0, 1), (2, 3)], [(4, 5)]], "x@00": [[(0, 1), (2, 3), (4, 5)]]})
    assert found == [[(0, 1), (2, 3)], [(4, 5)]]


def test_mentions_of_a_window_around_another_are_not_alone():
    """The second window lies in the first, and so does what the third shares: 50, but not 60."""
    first = Document("x@0", [[(5, 6), (15, 16), (50, 51), (70, 71)]], tokens=100)
    second = Document("x@10", [[(5, 6)]], tokens=20)
    third = Document("x@40", [[(10, 11), (20, 21), (30, 31), (65, 66)]], tokens=80)
    (one,) = stitched(Corpus([first, second, third])).documents
    assert [(p.overlap, p.shared, p.alone) for p in one.pieces] == [
        (0, 0, 0),
        (20, 1, 0),
        (60, 2, 1),
    ]
    # The empty node at 100 stands in the tokens that both have, and the third has not got it.
    node = first.replace(entities=[[*first.entities[0], ((100, 100, 1),)]])
    (one,) = stitched(Corpus([node, second, third])).documents
    assert [piece.alone for piece in one.pieces] == [0, 0, 2]


def test_mentions_that_one_window_alone_has_are_counted_and_kept():
    windows = [
        Document("x@0", [[(0, 1), (6, 7)], [(8, 9)]], tokens=10),
        Document("x@5", [[(1, 2), (2, 3)], [(7, 8)]], tokens=10),
    ]
    found = stitched(Corpus(windows))
    # In tokens 5 to 10 both have (6, 7), the first alone (8, 9), the second alone (7, 8).
    assert found.documents[0].pieces[1] == ("x@5", 5, 10, 5, 1, 2, 1, 0)
    assert found.corpus.documents[0].entities == [
        [(0, 1), (6, 7), (7, 8)], [(8, 9)], [(12, 13)],
    ]  # fmt: skip


def test_the_key_decides_a_conflict():
    # The first window has b with a, the second with c; the key says c.
    a, b, c = (0, 1), (2, 3), (4, 5)
    windows = {"x@0": [[a, b], [c]], "x@00": [[a], [b, c]]}
    assert as_sets(entities(windows, key={"x": [[a], [b, c]]})) == as_sets([[a], [b, c]])


def test_with_a_key_what_it_lacks_is_joined_as_without():
    a, b, c, spurious = (0, 1), (2, 3), (14, 15), (8, 9)
    windows = {"x@0": [[a, b], [spurious]], "x@8": [[(0, 1), (2, 3)], [(6, 7)]]}
    found = entities(windows, key={"x": [[a, b, c]]})
    assert as_sets(found) == as_sets([[a, b, c], [spurious, (10, 11)]])


# ---- words and what is known --------------------------------------------------------------------


def test_a_chance_word_is_no_overlap():
    texts = Text(["so", "it", "was", "."]), Text([".", "so", "she", "said"])
    windows = Corpus([
        Document(f"x{n}", [[(0, 1)]], tokens=4, text=text) for n, text in enumerate(texts)
    ])  # fmt: skip
    with pytest.warns(CorefmeterWarning, match="pieces-adjacent"):
        assert stitched(windows).corpus.documents[0].tokens == 8


def test_words_that_repeat_give_the_longest_overlap():
    words = ["a", "b"] * 6
    one = Document("x1", [], tokens=13, text=Text(["c", *words]))
    other = Document("x2", [], tokens=13, text=Text([*words, "d"]))
    (document,) = stitched(Corpus([one, other])).corpus
    assert document.text.words == ["c", *words, "d"]


def test_an_overlap_may_begin_within_words_that_look_like_it():
    """The first of nine times "a" is not in the overlap, which begins with eight of them."""
    one = Document("x1", [], tokens=9, text=Text(["a"] * 9))
    other = Document("x2", [], tokens=9, text=Text([*["a"] * 8, "b"]))
    (document,) = stitched(Corpus([one, other])).corpus
    assert document.text.words == [*["a"] * 9, "b"]


def test_other_words_for_the_same_tokens_are_refused():
    windows = [
        Document("x@0", [[(0, 1)]], tokens=3, text=Text(["a", "b", "c"])),
        Document("x@2", [[(0, 1)]], tokens=2, text=Text(["d", "e"])),
    ]
    with pytest.raises(DataError, match="text-differs"):
        stitched(Corpus(windows))


@pytest.mark.parametrize("bare", [{0}, {1}, {0, 1}])
def test_a_piece_without_words_leaves_the_whole_without(bare):
    """Tokens 2 is in both pieces; the entities of the two have the mention (2, 3) in common."""
    pieces = [
        Document("x@0", [[(0, 1), (2, 3)]], tokens=3, text=Text(["a", "b", "c"])),
        Document("x@2", [[(0, 1), (1, 2)]], tokens=2, text=Text(["c", "d"])),
    ]
    for place in bare:
        pieces[place].text = None
    (document,) = stitched(Corpus(pieces)).corpus
    assert (document.text, document.tokens) == (None, 4)
    assert document.entities == [[(0, 1), (2, 3), (3, 4)]]


@pytest.mark.parametrize("bare", [{0}, {1}, {0, 1}])
def test_without_the_words_of_a_piece_it_goes_on_after_the_one_before(bare):
    """Of ten words each, nine are the same; what cannot be seen is no overlap."""
    words = list("abcdefghij")
    pieces = [
        Document("x1", [[(0, 1)]], tokens=10, text=Text(["z", *words[:9]])),
        Document("x2", [[(0, 1)]], tokens=10, text=Text(words)),
    ]
    assert stitched(Corpus(pieces)).corpus.documents[0].tokens == 11
    for place in bare:
        pieces[place].text = None
    with pytest.warns(CorefmeterWarning, match="pieces-adjacent"):
        (document,) = stitched(Corpus(pieces)).corpus
    assert (document.tokens, document.entities) == (20, [[(0, 1)], [(10, 11)]])


def test_a_gap_is_reported():
    windows = [
        Document("x@0", [[(0, 1)]], tokens=3, text=Text(["a", "b", "c"])),
        Document("x@5", [[(0, 1)]], tokens=1, text=Text(["d"])),
    ]
    with pytest.warns(CorefmeterWarning, match="from 3 to 5"):
        (document,) = stitched(Corpus(windows)).corpus
    assert document.text is None
    assert document.tokens == 6


def test_what_is_known_of_tokens_and_mentions_goes_on():
    def window(name, mentions, text, head):
        details = [[Detail(head=head, kind="name") for _ in mentions]]
        return Document(name, [mentions], tokens=len(text), text=text, details=details)

    one = Text(["a", "b", ".", "c"], sentences=[0, 3], pos=list("ABPC"), heads=[1, -1, 1, -1],
               entity_types=[(0, 2, "X")])  # fmt: skip
    other = Text(["c", "d", ".", "e"], sentences=[0, 3], pos=list("CDPE"), heads=[1, -1, 1, -1],
                 entity_types=[(0, 1, "Y"), (3, 4, "Z")])  # fmt: skip
    windows = Corpus([window("x@0", [(3, 4)], one, 3), window("x@3", [(0, 1), (3, 4)], other, 3)])
    (document,) = stitched(windows).corpus
    text = document.text
    assert text.words == ["a", "b", ".", "c", "d", ".", "e"]
    assert text.sentences == [0, 3, 6]
    assert text.pos == list("ABPCDPE")
    assert text.heads == [1, -1, 1, -1, -1, 4, -1]
    assert text.entity_types == [(0, 2, "X"), (6, 7, "Z")]
    assert document.entities == [[(3, 4), (6, 7)]]
    assert [detail.head for detail in document.details[0]] == [3, 6]


def test_names_are_not_stitched():
    with pytest.raises(OptionError, match="positions"):
        stitched({"x@0": [["Ann"]], "x@5": [["Ann"]]})


def test_pieces_of_unknown_length_need_a_place():
    with pytest.raises(DataError, match="emma@1200"):
        stitched({"x": [[(0, 1)]], "y": [[(0, 1)]]}, overlap=0)


# ---- the command --------------------------------------------------------------------------------


def lines_of(document):
    return json.dumps({
        "doc_key": document.name, "sentences": [document.text.words],
        "clusters": [[[a, b - 1] for a, b in entity] for entity in document.entities],
    })  # fmt: skip


def test_the_command_writes_the_document(tmp_path):
    words, whole = book(tokens=600)
    windows = cut(words, whole, 200, 120)
    (tmp_path / "windows.jsonl").write_text("\n".join(map(lines_of, windows)) + "\n")
    done = run("stitch", "windows.jsonl", "--write", "book.jsonl", "--to", "e2e", "-f", "json",
               folder=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    (document,) = corefmeter.read(tmp_path / "book.jsonl", details=True)
    assert (document.name, document.text.words) == ("book", words)
    assert as_sets(document.entities) == as_sets(whole)
    (one,) = json.loads(done.stdout)["documents"]
    assert (one["tokens"], one["entities"]) == (600, len(whole))
    assert [piece["begins"] for piece in one["pieces"]] == list(range(0, 600 - 200 + 120, 120))


def test_a_key_without_the_document_is_refused(tmp_path):
    words, whole = book(tokens=400)
    (tmp_path / "w.jsonl").write_text("\n".join(map(lines_of, cut(words, whole, 200, 120))) + "\n")
    text = "#begin document (other); part 000\nx\t(1)\n#end document\n"
    (tmp_path / "k.conll").write_text(text + text.replace("other", "another"))
    done = run("stitch", "w.jsonl", "--key", "k.conll", folder=tmp_path)
    assert done.returncode == 3
    assert "the key has no such document (document 'book')" in done.stderr


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["emma@0", "emma@6"], ["emma"]),
        (["emma@0", "emma@6", "other"], ["emma", "x"]),
        (["emma@0", "kim@0"], ["emma", "kim"]),
    ],
)
def test_a_name_is_for_pieces_with_different_names_only(names, found):
    # Pieces with offsets are of the document that they name.
    windows = {name: [[(0, 1), (2, 3)]] for name in names}
    assert [document.name for document in stitched(windows, name="x").corpus] == found
