"""The other sections: values by hand, and parts that sum to the whole."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefmeter
from corefmeter import Corpus, Document, Recipe
from corefmeter.analysis import aspects
from corefmeter.analysis.card.long import BOUNDS
from corefmeter.corpus.convert import as_corpus
from corefmeter.corpus.text import Text
from corefmeter.mentions.features import number_group

from ...strategies import partitions

EXAMPLES = Path(__file__).parents[3] / "examples"


def spans(*starts: int) -> list[tuple[int, int]]:
    return [(start, start + 1) for start in starts]


def lines(card, section: str, by: str) -> dict:
    return {part.name: part.result for part in card.sections.get((section, by), ())}


def sums(results, metric: str) -> list:
    return [sum(column) for column in zip(*(one.sums(metric) for one in results), strict=True)]


@st.composite
def positioned(draw):
    """Two sides of mentions at tokens, lengths and empty nodes among them."""
    run = st.tuples(st.integers(0, 60), st.integers(1, 12)).map(lambda at: (at[0], at[0] + at[1]))
    zero = st.integers(0, 60).map(lambda at: ((at, at, 1),))
    mentions = draw(st.lists(run | zero, min_size=1, max_size=10, unique=True))
    return draw(partitions(mentions).filter(bool)), draw(partitions(mentions))


#: What adds up to which metric of the whole.
WHOLES = [("mentions", "tokens", "mentions"), ("mentions", "zero", "mentions"),
          ("long", "tokens apart", "links"), ("long", "mentions apart", "links"),
          ("long", "span in tokens", "lea"), ("characters", "mentions", "lea")]  # fmt: skip


@pytest.mark.parametrize(("section", "by", "metric"), WHOLES)
@given(both=positioned())
def test_parts_sum_to_the_whole(section, by, metric, both):
    card = corefmeter.card(*both, character=2)
    found = lines(card, section, by)
    whole = corefmeter.score(*both, metrics=[metric]).sums(metric)
    if not found:  # all of one length, or no link at all
        assert section == "mentions" or not any(whole)
        return
    assert sums(found.values(), metric) == pytest.approx(list(whole))


@given(positioned())
def test_links_by_distance_are_those_of_all_pairs(both):
    """Every pair one by one, in tokens."""
    key, response = both
    start = {m: m[0] if isinstance(m[0], int) else m[0][0] for e in key + response for m in e}
    home = {m: k for k, entity in enumerate(key) for m in entity}
    expected: dict[str, list[int]] = {}
    for place, entities in ((1, key), (3, response)):
        for entity in entities:
            for a, b in combinations(entity, 2):
                group = number_group(abs(start[a] - start[b]), BOUNDS["tokens apart"])
                row = expected.setdefault(group, [0, 0, 0, 0])
                row[place] += 1
                if place == 3 and home.get(a, "a") == home.get(b, "b"):
                    row[0] += 1
                    row[2] += 1
    found = lines(corefmeter.card(key, response), "long", "tokens apart")
    assert {name: list(one.sums("links")) for name, one in found.items()} == expected


def test_mentions_are_as_far_apart_as_their_side_says():
    """Ann and her are neighbours in the key; in the response it stands between them."""
    key, response = [spans(0, 5)], [spans(0, 5), spans(3)]
    found = lines(corefmeter.card(key, response), "long", "mentions apart")
    assert found["1"].sums("links") == (1, 1, 0, 0)
    assert found["2-3"].sums("links") == (0, 0, 1, 1)


def test_links_by_sentences():
    text = Text([f"w{i}" for i in range(30)], sentences=[0, 10, 20])
    key = Corpus([Document("d", [spans(0, 1, 25)], tokens=30, text=text)])
    found = lines(corefmeter.card(key, {"d": [spans(0, 25)]}), "long", "sentences apart")
    # Pairs 0-1 in one sentence; 0-25 and 1-25 two apart, of which 0-25 is found.
    assert {name: one.sums("links") for name, one in found.items()} == {
        "0": (0, 1, 0, 0), "2-4": (1, 2, 1, 1),
    }  # fmt: skip


def test_two_sentences_are_enough_for_a_distance():
    text = Text([f"w{i}" for i in range(20)], sentences=[0, 10])
    key = Corpus([Document("d", [spans(0, 1, 15)], tokens=20, text=text)])
    found = lines(corefmeter.card(key, key), "long", "sentences apart")
    assert {name: one.sums("links")[1] for name, one in found.items()} == {"0": 1, "1": 2}


@pytest.mark.parametrize(
    ("by", "bound", "groups"),
    [("sentences apart", 50, ("15-49", "50+")), ("mentions apart", 30, ("10-29", "30-99"))],
)
def test_groups_of_distances_begin_at_round_numbers(by, bound, groups):
    """Each token is a sentence and a mention; 0 is linked before the bound, and 1 at the bound."""
    text = Text(["w"] * (bound + 2), sentences=list(range(bound + 2)))
    alone = [spans(place) for place in range(2, bound + 2) if place not in (bound - 1, bound + 1)]
    entities = [spans(0, bound - 1), spans(1, bound + 1), *alone]
    key = Corpus([Document("d", entities, tokens=bound + 2, text=text)])
    found = lines(corefmeter.card(key, key), "long", by)
    assert {name: one.sums("links")[1] for name, one in found.items()} == dict.fromkeys(groups, 1)


def test_links_of_a_document_without_sentences_are_unknown():
    """They are added to those of the other document, so that all links are there."""
    text = Text([f"w{i}" for i in range(30)], sentences=[0, 10, 20])
    key = Corpus([
        Document("d", [spans(0, 1, 25)], tokens=30, text=text),
        Document("e", [spans(0, 2)], tokens=3, text=Text(["a", "b", "c"])),
    ])  # fmt: skip
    found = lines(corefmeter.card(key, key), "long", "sentences apart")
    assert {name: one.sums("links")[1] for name, one in found.items()} == {
        "0": 1, "2-4": 2, "unknown": 1,
    }  # fmt: skip


def test_windows_by_hand():
    """Windows of 10 tokens; entity 1 at 0, 1, 12, 13 is linked within, not across."""
    key, response = [spans(0, 1, 12, 13)], [spans(0, 1), spans(12, 13)]
    found = lines(corefmeter.card(key, response, window=10, metrics=["muc"]), "long",
                  "windows of 10 tokens")  # fmt: skip
    assert found["whole"].muc.recall == 2 / 3
    assert found["inside"].sums("muc")[:2] == (2, 2)
    assert found["stitched by the key"].muc.f1 == 1


@pytest.mark.parametrize(
    ("singletons", "counts"),
    [
        # B³ inside, windows 0 and 1: key {0, 1}, {12}; response {0, 1}, {12} and {13, 14}.
        ("keep", (3, 3, 3, 5)),
        ("drop", (2, 2, 2, 4)),
        ("drop-key", (2, 2, 2, 5)),
        ("drop-response", (2, 3, 2, 4)),
    ],
)
def test_singletons_that_cutting_makes_are_treated_as_the_policy_says(singletons, counts):
    key, response = [spans(0, 1, 12)], [spans(0, 1, 12), spans(13, 14)]
    card = corefmeter.card(key, response, window=10, metrics=["b3"], singletons=singletons)
    assert lines(card, "long", "windows of 10 tokens")["inside"].sums("b3") == counts


def test_a_piece_is_stitched_to_the_entity_of_which_it_holds_most():
    key = [spans(0, 1, 20), spans(2, 21)]
    response = [spans(0, 1, 2), spans(20), spans(21)]
    found = lines(corefmeter.card(key, response, window=10, metrics=["b3"]), "long",
                  "windows of 10 tokens")  # fmt: skip
    # {0 1 2} belongs to entity 1, as 20 does; 21 to entity 2: {0 1 2 20} {21}.
    assert found["stitched by the key"].sums("b3") == pytest.approx(
        (3 * 3 / 3 + 1 / 2 + 1 / 2, 5, 3 * 3 / 4 + 1 / 4 + 1, 5)
    )


def joinings(pieces: list[list]):
    """All ways of joining pieces, of one window or of several."""
    if not pieces:
        yield []
        return
    piece, *others = pieces
    for rest in joinings(others):
        yield [piece, *rest]
        for place in range(len(rest)):
            yield [*rest[:place], [*piece, *rest[place]], *rest[place + 1 :]]


@pytest.mark.parametrize("piece", [[(0, 1), (2, 3)], [(2, 3), (0, 1)]])
@pytest.mark.parametrize("turned", [False, True])
def test_of_ties_the_mention_that_is_read_first_says_where_a_piece_belongs(piece, turned):
    """The first piece holds one mention of each entity of the key: (0, 1) is read first.

    So it is joined with (20, 21): {0, 2, 20}. LEA: R (2 * 1/1 + 1 * 0)/3, P 3 * 1/3 of 3; F 4/9.
    """
    key = [[(0, 1), (20, 21)], [(2, 3)]]
    response = [piece, [(20, 21)]]
    if turned:
        key, response = key[::-1], response[::-1]
    found = lines(corefmeter.card(key, response, window=10), "long", "windows of 10 tokens")
    assert found["stitched by the key"].lea.f1 == pytest.approx(4 / 9)


@pytest.mark.parametrize("seed", range(10))
def test_no_joining_of_pure_pieces_is_better_than_by_the_key(seed):
    """Pieces of one key entity, or of invented mentions alone; the response joins some."""
    chance = Random(seed)
    metrics = ["mentions", "muc", "b3", "ceafm", "lea", "links"]
    key: list[list] = [[], []]
    pieces: dict[tuple, list] = {}
    for start in chance.sample(range(30), 7):
        of = chance.randrange(3)  # 2 is none of the key
        mention = (start, start + 1)
        if of < 2:
            key[of].append(mention)
        if chance.random() < 0.9:
            pieces.setdefault((start // 10, of, chance.random() < 0.2), []).append(mention)
    response: dict[int, list] = {}
    for number, ((window, *_), piece) in enumerate(pieces.items()):
        # Two pieces of one window would be one piece, if they were joined.
        free = [n for n, e in response.items() if all(m[0] // 10 != window for m in e)]
        response.setdefault(chance.choice([*free, number]), []).extend(piece)
    key = [entity for entity in key if entity]
    card = corefmeter.card(key, [*response.values()], window=10, metrics=metrics)
    found = lines(card, "long", "windows of 10 tokens")["stitched by the key"]
    every = [corefmeter.score(key, one, metrics=metrics) for one in joinings([*pieces.values()])]
    for metric in metrics:
        best = max(one[metric].f1 for one in every)
        assert found[metric].f1 == pytest.approx(best), metric


@pytest.mark.parametrize("singletons", ["drop", "drop-key"])
def test_what_cutting_leaves_alone_is_dropped_whatever_its_entity_was(singletons):
    """Of {0 12} and {1 2 13} only 1 and 2 are in one window."""
    key = [spans(0, 12), spans(1, 2, 13)]
    card = corefmeter.card(key, key, window=10, metrics=["b3"], singletons=singletons)
    found = lines(card, "long", "windows of 10 tokens")["inside"].sums("b3")
    assert found[1] == 2


def test_a_piece_that_is_not_pure_may_be_joined_better():
    """{0 1 2} of {0 1 2 10} is right; 10 is in one entity with six mentions that are invented.

    Apart R (3 * 3/4 + 1/4) / 4 and P (3 + 1/7) / 10; joined by the key R 1 and P 4 * 4/10 / 10.
    """
    response = [spans(0, 1, 2), spans(*range(10, 17))]
    card = corefmeter.card([spans(0, 1, 2, 10)], response, window=10, metrics=["b3"])
    found = lines(card, "long", "windows of 10 tokens")
    assert found["whole"].sums("b3") == pytest.approx((5 / 2, 4, 3 + 1 / 7, 10))
    assert found["stitched by the key"].sums("b3") == pytest.approx((4, 4, 8 / 5, 10))
    assert found["stitched by the key"].b3.f1 < found["whole"].b3.f1


def test_the_importance_of_an_entity_sees_its_mentions_in_windows():
    """Entities weigh as many tokens as they have: 3 and 1 of the key, of which 3 are found."""
    key, response = [[(0, 2), (11, 12)], [(3, 4)]], [[(0, 2)], [(11, 12)]]
    card = corefmeter.card(
        key, response, window=10, metrics=["lea"],
        lea_importance=lambda entity: sum(end - start for start, end in entity),
    )  # fmt: skip
    found = {name: one.sums("lea") for name, one in
             lines(card, "long", "windows of 10 tokens").items()}  # fmt: skip
    assert found["whole"] == (0, 4, 0, 3)
    assert found["inside"] == found["stitched by the key"] == (3, 4, 3, 3)


@given(positioned())
def test_one_window_is_the_whole(both):
    card = corefmeter.card(*both, window=1000)
    assert ("long", "windows of 1000 tokens") not in card.sections


@given(positioned(), st.integers(1, 20))
def test_windows_are_documents(both, window):
    """Inside windows: each a document of its own, scored as such."""

    def cut(entities):
        found: dict = {}
        for entity in entities:
            pieces: dict = {}
            for m in entity:
                at = (m[0] if isinstance(m[0], int) else m[0][0]) // window
                pieces.setdefault(at, []).append(m)
            for at, piece in pieces.items():
                found.setdefault(f"w{at}", []).append(piece)
        return found

    metrics = ["mentions", "muc", "b3", "ceafe", "blanc", "lea"]
    card = corefmeter.card(*both, window=window, metrics=metrics)
    found = lines(card, "long", f"windows of {window} tokens")
    if found:
        key, response = map(cut, both)
        key |= {name: [] for name in response if name not in key}
        response |= {name: [] for name in key if name not in response}
        expected = corefmeter.score(key, response, metrics=metrics)
        for metric in expected.statistics:
            assert found["inside"].sums(metric) == pytest.approx(expected.sums(metric)), metric


def test_names_have_no_places():
    card = corefmeter.card([["Ann", "she"]], [["Ann", "she"]])
    assert {section for section, _ in card.sections} == {"linking", "characters"}


# Types


def typed() -> tuple[Corpus, dict]:
    """Ann, Ann Lee and she are one entity, it and the dog another; the response has a car too."""
    told = "Ann saw Ann Lee . she fed it . the dog ran to a car ."
    tagged = "NNP VBD NNP NNP . PRP VBD PRP . DT NN VBD TO DT NN ."
    words, tags = told.split(), tagged.split()
    text = Text(words, pos=tags, entity_types=[(0, 1, "PERSON"), (2, 4, "PERSON")])
    ann, dog = [(0, 1), (2, 4), (5, 6)], [(7, 8), (9, 11)]
    key = Corpus([Document("d", [ann, dog], tokens=len(words), text=text)])
    return key, {"d": [ann[:2], [ann[2], *dog], [(13, 15)]]}


def test_mentions_by_kind():
    found = lines(corefmeter.card(*typed(), by=["kind"]), "mentions", "kind")
    assert {name: one.sums("mentions") for name, one in found.items()} == {
        "name": (2, 2, 2, 2), "nominal": (1, 1, 1, 2), "pronoun": (2, 2, 2, 2),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("singletons", "without", "names"),
    [
        # B³. Without pronouns: {Ann, Ann Lee}, {the dog} in both, and a car in the response.
        ("keep", (3, 3, 3, 4), (2, 2, 2, 2)),
        ("drop", (2, 2, 2, 2), (2, 2, 2, 2)),
        ("drop-response", (2, 3, 2, 2), (2, 2, 2, 2)),
    ],
)
def test_scores_with_mention_types_left_out_by_hand(singletons, without, names):
    card = corefmeter.card(*typed(), by=["kind"], metrics=["b3"], singletons=singletons)
    assert card["without pronouns"].sums("b3") == without
    assert card["names only"].sums("b3") == names
    assert card["all mentions"] == card.result


def without_types(corpus: Corpus, drops) -> Corpus:
    """A corpus without the mentions of which the tags are of a type."""
    documents = []
    for document in corpus:
        tags = document.text.pos
        entities = [[m for m in e if not drops(tags[slice(*m)])] for e in document.entities]
        kept = [entity for entity in entities if entity]
        text = Text(document.text.words)
        documents.append(Document(document.id, kept, tokens=document.tokens, text=text))
    return Corpus(documents)


@pytest.mark.parametrize("options", [{}, {"singletons": "drop"}, {"match": "overlap"}])
@pytest.mark.parametrize(
    ("line", "drops"),
    [
        ("without pronouns", lambda tags: len(tags) == 1 and tags[0] in ("PRP", "PRP$")),
        ("names only", lambda tags: {*tags} - {"DT", "NNP"}),
    ],
)
def test_types_are_left_out_as_if_they_had_not_been_annotated(line, drops, options):
    """Files without these mentions are scored."""
    metrics = ["mentions", "conll", "blanc", "lea"]
    key, response = (
        corefmeter.read(EXAMPLES / name, details=True) for name in ("key.conll", "system-a.conll")
    )
    card = corefmeter.card(key, response, by=["kind"], metrics=metrics, **options)
    sides = (without_types(side, drops) for side in (key, response))
    assert (
        card[line].entry()["scores"]
        == (corefmeter.score(*sides, metrics=metrics, **options).entry()["scores"])
    )
    assert card[line].mentions.f1 > 0.9


def test_types_are_not_left_out_where_they_are_not_known():
    text = Text(["Ann", "saw", "her", "."])
    key = Corpus([Document("d", [[(0, 1), (2, 3)]], tokens=4, text=text)])
    assert ("types", "kind") not in corefmeter.card(key, key, by=["kind"]).sections
    # An empty node is a pronoun, of which the others are not known.
    zero = Corpus([Document("d", [[(0, 1), ((2, 2, 1),)]], tokens=4, text=text)])
    assert ("types", "kind") not in corefmeter.card(zero, zero, by=["kind"]).sections
    listed = corefmeter.card(key, key, by=["kind"], pronouns="en")
    assert list(lines(listed, "types", "kind")) == ["all mentions", "without pronouns"]
    with pytest.raises(corefmeter.OptionError, match="types/kind/without pronouns"):
        aspects.Aspect("types/kind/without pronouns").score(key, key, Recipe())


def test_a_line_without_a_type_is_compared_with_that_of_another_response():
    """A response without the only pronoun is scored too, though its card has no such line."""
    words = ["Ann", "saw", "her"]
    text = Text(words, pos=["NNP", "VBD", "PRP"])
    key = Corpus([Document("d", [[(0, 1)]], tokens=3, text=text)])
    extra = Corpus([Document("d", [[(0, 1), (2, 3)]], tokens=3, text=text)])
    one = aspects.Aspect("types/kind/without pronouns")
    assert [one.score(key, side, Recipe()).mentions.f1 for side in (key, extra)] == [1, 1]
    one.require()


def test_entities_have_the_type_of_their_names():
    found = lines(corefmeter.card(*typed(), by=["kind", "entity_type"]), "entities", "entity_type")
    # PERSON: Ann's entity of the key, 3 mentions, 1 of 3 links; {Ann, Ann Lee} of the response.
    assert found["PERSON"].sums("lea") == pytest.approx((3 * 1 / 3, 3, 2, 2))
    # The rest: {it, the dog}, whose link is found; {she, it, the dog}, 1 of 3, and a car.
    assert found["none"].sums("lea") == pytest.approx((2, 2, 3 * 1 / 3, 4))


def test_one_name_says_more_than_two_pronouns():
    told, tagged = "Ann saw her . she left .", "NNP VBD PRP . PRP VBD ."
    text = Text(told.split(), pos=tagged.split(), entity_types=[(0, 1, "PERSON")])
    key = Corpus([Document("d", [spans(0, 2, 4)], tokens=7, text=text)])
    found = lines(corefmeter.card(key, key, by=["entity_type", "kind"]), "entities", "entity_type")
    assert {name: one.sums("lea") for name, one in found.items()} == {"PERSON": (3, 3, 3, 3)}


@pytest.mark.parametrize("turned", [False, True])
def test_of_as_many_mentions_the_first_in_the_text_gives_the_type(turned):
    """It comes before the dog, in whatever order the response lists them; of two names Ann does."""
    key, _ = typed()
    (document,) = key
    types = [(0, 1, "PERSON"), (2, 4, "ORGANIZATION")]
    key = Corpus(
        [
            document.replace(
                text=Text(document.text.words, pos=document.text.pos, entity_types=types)
            )
        ]
    )
    step = -1 if turned else 1
    response = {"d": [entity[::step] for entity in document.entities]}
    card = corefmeter.card(key, response, by=["kind", "entity_type"])
    kinds = {name: one.sums("lea") for name, one in lines(card, "entities", "kind").items()}
    assert kinds == {"name": (3, 3, 3, 3), "pronoun": (2, 2, 2, 2)}
    found = {name: one.sums("lea") for name, one in lines(card, "entities", "entity_type").items()}
    assert found == {"PERSON": (3, 3, 3, 3), "none": (2, 2, 2, 2)}


@pytest.mark.parametrize("feature", ["kind", "entity_type", "nested", "head"])
def test_any_feature_sums_to_the_whole(feature):
    key, response = typed()
    card = corefmeter.card(key, response, by=[feature])
    whole = corefmeter.score(key, response, metrics=["mentions", "lea"])
    entities = lines(card, "entities", feature).values()
    assert sums(entities, "lea") == pytest.approx(list(whole.sums("lea")))
    if found := lines(card, "mentions", feature):
        assert sums(found.values(), "mentions") == list(whole.sums("mentions"))


def test_mentions_by_length_and_zeros():
    key = [[(0, 1), (2, 7), ((3, 3, 1),)]]
    card = corefmeter.card(key, [[(0, 1), (8, 10)]])
    by_length = {
        name: one.sums("mentions") for name, one in lines(card, "mentions", "tokens").items()
    }
    assert by_length == {
        "0": (0, 1, 0, 0), "1": (1, 1, 1, 1), "2": (0, 0, 0, 1), "4-5": (0, 1, 0, 0),
    }  # fmt: skip
    zeros = {name: one.sums("mentions") for name, one in lines(card, "mentions", "zero").items()}
    assert zeros == {"no": (1, 2, 1, 2), "yes": (0, 1, 0, 0)}


# Characters


def test_the_largest_entities():
    key = [list("abcde"), list("xyz"), ["s"]]
    response = [["a", "b", "c", "x"], ["d", "y"], ["z", "q"]]
    first, second = corefmeter.card(key, response, largest=2).characters
    assert first[1:] == ("0", None, 5, 4, 3, 4, 2)
    assert (first.share, first.purity) == (3 / 5, 3 / 4)
    # One mention in each of three entities, of which those of two are purest.
    assert second[1:] == ("1", None, 3, 3, 1, 2, 3)


@pytest.mark.parametrize("turned", [False, True])
def test_of_entities_of_one_size_those_read_first_are_listed(turned):
    # Three pairs, of which two are listed: those that begin at 0 and at 2.
    key = [[(6, 7), (4, 5)], [(2, 3), (9, 10)], [(8, 9), (0, 1)]]
    key = key[::-1] if turned else key
    text = Text(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"])
    found = corefmeter.card(Corpus([Document("d", key, text=text)]), {"d": key}, largest=2)
    assert [one.text for one in found.characters] == ["a", "c"]


def test_an_entity_that_is_not_found():
    (one,) = corefmeter.card([["a", "b"]], [["c"]]).characters
    assert (one.found, one.held, one.size, one.fragments, one.share) == (0, 0, 0, 0, 0)
    assert one.purity != one.purity


def test_entities_by_size():
    key = [list("abc"), ["d", "e"], ["f"]]
    card = corefmeter.card(key, [list("abc"), ["d"], ["e", "f"]], character=2)
    found = {name: one.sums("lea") for name, one in lines(card, "characters", "mentions").items()}
    # {a b c} is whole; {d e} has no link; f is no singleton; {d} is none of the key, {e f} wrong.
    assert found == {"1": (0, 1, 0, 1), "2": (0, 2, 0, 2), "3+": (3, 3, 3, 3)}


# Across documents


def across() -> tuple[Corpus, Corpus]:
    """Entity x is in both documents, y in the first; the response splits x by document."""

    def corpus(second: str) -> Corpus:
        return Corpus([
            Document("d", [spans(0, 1), spans(5, 6)], entity_names=["x", "y"]),
            Document("e", [spans(0, 1)], entity_names=[second]),
        ])  # fmt: skip

    return corpus("x"), corpus("z")


def test_links_and_entities_within_and_across_documents():
    card = corefmeter.card(*across(), as_one_document=True, shared_ids=True)
    links = {name: one.sums("links") for name, one in lines(card, "documents", "links").items()}
    # Within: 0-1 and 5-6 of d, 0-1 of e. Across: 2 * 2, none of which the response has.
    assert links == {"within documents": (3, 3, 3, 3), "across documents": (0, 4, 0, 0)}
    entities = {name: one.lea for name, one in lines(card, "documents", "entities").items()}
    # x has 6 links, of which 2 are found; y is whole.
    assert entities["in several"].recall == pytest.approx(2 / 6)
    assert entities["in one"].recall == 1
    assert entities["each document alone"].f1 == 1
    assert {section for section, _ in card.sections} == {"linking", "characters", "documents"}


def test_each_document_alone_has_a_key_and_a_response():
    """LEA of document d: the response has one of three links of abc; of e nothing is linked.

    R (3 * 1/3 + 2 * 0) / 5, P 2 / 2.
    """
    key = {"d": {"x": spans(0, 1, 2)}, "e": {"y": spans(0, 1)}}
    response = {"d": {"x": spans(0, 1)}, "e": {}}
    sides = [
        Corpus([
            Document(name, list(entities.values()), entity_names=list(entities))
            for name, entities in side.items()
        ])
        for side in (key, response)
    ]  # fmt: skip
    card = corefmeter.card(*sides, as_one_document=True, shared_ids=True)
    alone = lines(card, "documents", "entities")["each document alone"].lea
    assert (alone.recall, alone.precision) == (pytest.approx(1 / 5), 1)


def test_a_card_has_the_mentions_first():
    card = corefmeter.card([spans(0, 1)], [spans(0, 1)])
    assert card.result.recipe.metrics == ("mentions", "conll", "lea")


def test_documents_sum_to_the_whole():
    options = {"as_one_document": True, "shared_ids": True}
    card = corefmeter.card(*across(), **options)
    whole = corefmeter.score(*across(), metrics=["links", "lea"], **options)
    links = lines(card, "documents", "links").values()
    assert sums(links, "links") == list(whole.sums("links"))
    found = lines(card, "documents", "entities")
    parts = [found["in one"], found["in several"]]
    assert sums(parts, "lea") == pytest.approx(list(whole.sums("lea")))


# Asking


@pytest.mark.parametrize(
    ("options", "message"),
    [({"by": ["knd"]}, "kind"), ({"window": 0}, "window is 0"), ({"windw": 3}, "window"),
     ({"character": 1}, "character is 1"), ({"largest": -1}, "largest is -1"),
     ({"split_antecedents": True}, "of mentions alone")],
)  # fmt: skip
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises((corefmeter.OptionError, TypeError), match=message):
        corefmeter.card([["a"]], [["a"]], **options)


def test_a_line_is_found_by_its_name():
    card = corefmeter.card([["a", "b"], ["c"]], [["a", "b"]])
    assert card["characters/mentions/2-10"] is card["2-10"]
    with pytest.raises(corefmeter.OptionError) as caught:
        card["linkin"]
    # Names with commas are not divided by commas.
    assert str(caught.value) == (
        "unknown line of the card 'linkin'; did you mean 'linking'? Known: score; linking; "
        "linking, key's mentions; linking, response's mentions; key's links; "
        "characters/mentions/1; characters/mentions/2-10"
    )


@pytest.mark.parametrize(
    ("part", "counted"),
    [
        ("key's links", {"linking"}),
        ("mentions/zero/yes", {"linking", "mentions"}),
        ("characters/mentions/2-10", {"linking", "characters"}),
    ],
)
def test_a_line_that_is_compared_is_counted_with_few_others(part, counted, monkeypatch):
    key, response = as_corpus([spans(0, 1, 9)]), as_corpus([[*spans(0, 1), ((9, 9, 1),)]])
    made = []

    def card_of(*corpora, **options):
        made.append(real(*corpora, **options))
        return made[-1]

    real = aspects.card_of
    monkeypatch.setattr(aspects, "card_of", card_of)
    result = aspects.Aspect(part).score(key, response, Recipe())
    assert [{section for section, _ in card.sections} for card in made] == [counted]
    assert result == real(key, response, Recipe())[part]
