"""Detection and linking apart: the lines by hand, the bounds, and the division of a loss."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefmeter
from corefmeter.analysis.card.linking import CONSTRUCTIONS
from corefmeter.analysis.card.parts import Shared
from corefmeter.metrics import Overlap

from ...strategies import partitions

METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "links"]

#: The metrics for which the links of the key are the best links; see docs/card.md.
BEST_LINKS = ["mentions", "muc", "b3", "ceafm", "lea", "links"]


@st.composite
def sides(draw, mentions: str = "abcdef"):
    """A key of at least one entity, and a response."""
    key = draw(partitions(list(mentions)).filter(bool))
    return key, draw(partitions(list(mentions)))


def f1(key, response, metric: str) -> float:
    return corefmeter.score(key, response, metrics=[metric])[metric].f1


# Key {a b c} {d}, response {a b x} {c d}: a, b, c, d are in both, x in the response only.
KEY, RESPONSE = [["a", "b", "c"], ["d"]], [["a", "b", "x"], ["c", "d"]]


@pytest.mark.parametrize(
    ("name", "recall", "precision"),
    [
        # As it is: R (2 * 2/3 + 1/3 + 1/2 ... ) of B³: a, b share 2 of 3, c 1 of 3, d 1 of 1.
        ("score", (2 / 3 + 2 / 3 + 1 / 3 + 1) / 4, (2 / 3 + 2 / 3 + 0 + 1 / 2 + 1 / 2) / 5),
        # Without x: the precision of a and b is 1.
        ("linking", (2 / 3 + 2 / 3 + 1 / 3 + 1) / 4, (1 + 1 + 1 / 2 + 1 / 2) / 4),
        # The key has no mention that the response lacks, so this is the same.
        ("linking, key's mentions", (2 / 3 + 2 / 3 + 1 / 3 + 1) / 4, (1 + 1 + 1 / 2 + 1 / 2) / 4),
        # The key has x as an entity of its own: x has a recall of 1 and a precision of 1/3.
        ("linking, response's mentions", (2 / 3 + 2 / 3 + 1 / 3 + 1 + 1) / 5,
         (2 / 3 + 2 / 3 + 1 / 3 + 1 / 2 + 1 / 2) / 5),
        # {a b c} {d} {x}: all is right but x.
        ("key's links", 1, 4 / 5),
    ],
)  # fmt: skip
def test_the_lines_by_hand(name, recall, precision):
    scores = corefmeter.card(KEY, RESPONSE, metrics=["b3"])[name].b3
    assert scores.recall == pytest.approx(recall)
    assert scores.precision == pytest.approx(precision)


def test_the_loss_by_hand():
    card = corefmeter.card(KEY, RESPONSE, metrics=["mentions", "muc"])
    # MUC: R 1/2, P 1/3 (a-b of a-b-x, c-d), F1 0.4; without x P 1/2, F1 0.5; key's links: 1.
    found = card.losses["muc"]
    assert found.detection == pytest.approx(((0.5 - 0.4) + (1 - 1)) / 2)
    assert found.linking == pytest.approx(((1 - 0.4) + (1 - 0.5)) / 2)
    assert found.interaction == pytest.approx(1 - 0.5 - 1 + 0.4)


def built(name: str, key, response):
    """The two sides of a line, written down anew."""
    of_key, of_response = set(chain(*key)), set(chain(*response))

    def only(entities, mentions):
        return [e for e in ([m for m in entity if m in mentions] for entity in entities) if e]

    missing = [[m] for m in sorted(of_key - of_response)]
    extra = [[m] for m in sorted(of_response - of_key)]
    return {
        "score": (key, response),
        "linking": (only(key, of_response), only(response, of_key)),
        "linking, key's mentions": (key, only(response, of_key) + missing),
        "linking, response's mentions": (only(key, of_response) + extra, response),
        "key's links": (key, only(key, of_response) + extra),
    }[name]


@given(sides())
def test_every_line_is_the_score_of_what_it_stands_for(both):
    card = corefmeter.card(*both, metrics=METRICS)
    for section, _, name, result in card.parts:
        if section == "linking":
            key, response = built(name, *both)
            expected = corefmeter.score({"d": key}, {"d": response}, metrics=METRICS)
            assert result.scores() == expected.scores(), name


@given(sides())
def test_what_is_counted_of_a_line_is_the_table_of_its_entities(both):
    """The cells are counted from those of the score; the entities are made when asked for."""
    for name, construction in CONSTRUCTIONS.items():
        table = construction(Shared(Overlap(*both)))
        assert [*map(sorted, table.as_read)] == [*map(sorted, built(name, *both))], name
        whole = Overlap(table.key, table.response)
        assert sorted(table.cells) == sorted(whole.cells), name
        for of in ("key_sizes", "response_sizes", "key_mentions", "matched"):
            assert getattr(table, of) == getattr(whole, of), (name, of)


def test_the_importance_of_an_entity_sees_its_mentions():
    """Entities weigh as many letters as they have: {Ann she} 6, {it} 2; only the second is found.

    {it} alone has a link to itself. On the mentions of both sides {Ann} weighs 3 instead.
    """
    card = corefmeter.card(
        [["Ann", "she"], ["it"]], [["Ann"], ["it"]], metrics=["lea"],
        lea_importance=lambda entity: sum(map(len, entity)),
    )  # fmt: skip
    assert card.result.lea.recall == pytest.approx(2 / 8)
    assert card["linking"].lea.recall == pytest.approx(1)
    assert card["linking, key's mentions"].lea.recall == pytest.approx(2 / 8)
    assert card["linking, key's mentions"].lea.precision == pytest.approx(2 / 8)


def tokens(entity):
    return sum(end - start for start, end in entity)


def test_a_mention_that_is_nearly_matched_weighs_what_it_was_read_as():
    """Of the key 3 + 2 tokens; the response has 2 + 2 of these, and an entity of 1 + 1."""
    key, response = [[(0, 3), (5, 7)]], [[(0, 2), (5, 7)], [(8, 9), (9, 10)]]
    options = {"metrics": ["lea"], "lea_importance": tokens, "match": "overlap"}
    card = corefmeter.card(key, response, window=4, **options)
    assert card.result.sums("lea") == (5, 5, 4, 6)
    assert card["linking, response's mentions"].sums("lea") == (5, 7, 4, 6)
    assert card["linking, key's mentions"].sums("lea") == (5, 5, 4, 4)
    # Each of the first two mentions is alone in its window, the other two are in one.
    inside = {part.name: part.result for part in card.sections["long", "windows of 4 tokens"]}
    assert inside["inside"].sums("lea") == (5, 5, 4, 6)


def test_a_copy_weighs_what_it_was_read_as():
    """The second (5, 7) is a mention of its own; the response has 4 and 4 tokens, and no link."""
    key, response = [[(0, 3), (5, 7)], [(12, 14)]], [[(0, 2), (5, 7)], [(12, 14), (5, 7)]]
    options = {"metrics": ["lea"], "lea_importance": tokens, "repeated": "distinct"}
    card = corefmeter.card(key, response, **options)
    assert card["linking, response's mentions"].sums("lea")[2:] == (0, 8)


@given(sides())
def test_the_parts_of_a_loss_add_up(both):
    card = corefmeter.card(*both, metrics=METRICS)
    for metric, loss in card.losses.items():
        assert loss.detection + loss.linking == pytest.approx(1 - card.result[metric].f1)


@given(sides())
def test_perfect_detection_is_never_worse(both):
    card = corefmeter.card(*both, metrics=METRICS)
    for metric in METRICS:
        for rate in ("recall", "precision", "f1"):
            worse, better = (getattr(card[name][metric], rate) for name in ("score", "linking"))
            assert better >= worse - 1e-12, (metric, rate)


@given(sides())
def test_mentions_of_the_key_never_cost_recall_nor_muc_nor_b3(both):
    card = corefmeter.card(*both, metrics=METRICS)
    better = card["linking, key's mentions"]
    for metric in METRICS:
        assert better[metric].recall >= card.result[metric].recall - 1e-12, metric
    for metric in ("muc", "b3", "links"):
        assert better[metric].f1 >= card.result[metric].f1 - 1e-12, metric


def linkings(mentions: list[str]):
    """All partitions of some mentions."""
    if not mentions:
        yield []
        return
    for rest in linkings(mentions[1:]):
        yield [[mentions[0]], *rest]
        for place in range(len(rest)):
            yield [*rest[:place], [mentions[0], *rest[place]], *rest[place + 1 :]]


@given(sides("abcde"))
def test_the_links_of_the_key_are_the_best_of_all_linkings(both):
    key, response = both
    card = corefmeter.card(key, response, metrics=METRICS)
    mentions = sorted(set(chain(*response)))
    for metric in BEST_LINKS:
        best = max(f1(key, one, metric) for one in linkings(mentions))
        assert card["key's links"][metric].f1 == pytest.approx(best), metric


def test_the_links_of_the_key_are_not_the_best_for_ceafe():
    """Entity 1 of 4 mentions and one stray mention of entity 2, which has 20.

    In one entity: phi 8/9, R 4/9, P 8/9. Apart: phi 1 and 2/21, R and P (1 + 2/21) / 2.
    """
    key = [list("abcd"), [f"m{i}" for i in range(20)]]
    card = corefmeter.card(key, [["a", "b", "c", "d", "m0"]], metrics=["ceafe"])
    assert card.result.ceafe.f1 == pytest.approx(2 * (4 / 9) * (8 / 9) / (4 / 9 + 8 / 9))
    assert card["key's links"].ceafe.f1 == pytest.approx((1 + 2 / 21) / 2)
    assert card["key's links"].ceafe.f1 < card.result.ceafe.f1


def test_the_links_of_the_key_are_not_the_best_for_blanc():
    """The response links a wrong mention to a, and so has fewer wrong links that are not there."""
    card = corefmeter.card([["b"], ["c"]], [["a", "c"], ["b"]], metrics=["blanc"])
    # The key has no coreference link, the link b/c is right: 1/1 of the key's, 1/2 or 1/3.
    assert card["key's links"].blanc.noncoreference.precision == pytest.approx(1 / 3)
    assert card.result.blanc.noncoreference.precision == pytest.approx(1 / 2)
    assert card["key's links"].blanc.f1 < card.result.blanc.f1


def test_the_links_of_the_key_are_not_the_best_for_lea_of_entities_that_weigh_alike():
    """{a b c d e x} has 10 of 15 links of the key's six, R and P; {a b c d e} {x} has P 1/2."""
    card = corefmeter.card(
        [list("abcdef")], [list("abcdex")], metrics=["lea"], lea_importance="one"
    )
    assert card.result.lea.f1 == pytest.approx(2 / 3)
    assert card["key's links"].lea.recall == pytest.approx(2 / 3)
    assert card["key's links"].lea.precision == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("undefined", "detection", "linking"), [("zero", 1 / 2, 1 / 2), ("one", 1, 0)]
)
def test_a_part_that_has_no_link_at_all(undefined, detection, linking):
    """Of each entity one mention is found: MUC is 0, and 0/0 on the mentions that both have."""
    both = [["a", "b"], ["c", "d"]], [["a", "x"], ["c", "y"]]
    lost = corefmeter.card(*both, metrics=["muc"], undefined=undefined).losses["muc"]
    assert (lost.detection, lost.linking) == (detection, linking)


def test_a_mention_put_in_without_its_links_can_cost_lea():
    """{a b} of {a b c} is precise: 2/2; with c alone, which has no right link, 2/3."""
    card = corefmeter.card([["a", "b", "c"]], [["a", "b"]], metrics=["lea"])
    assert card.result.lea.precision == 1
    assert card["linking, key's mentions"].lea.precision == pytest.approx(2 / 3)


def test_a_mention_of_two_entities_counts_in_the_first():
    """x is in two entities of the response, and in none of the key."""
    card = corefmeter.card([["a", "b"]], [["a", "x"], ["b", "x"]], metrics=["mentions", "b3"])
    completed = card["linking, response's mentions"]
    # Key {a b} {x}; response {a x} {b}: R (1/2 + 1/2 + 1) / 3, P (1/2 + 1/2 + 1) / 3.
    assert (completed.b3.recall, completed.b3.precision) == pytest.approx((2 / 3, 2 / 3))


def test_lines_are_results_that_add_up_and_are_compared():
    key = {f"d{i}": [["a", "b"], ["c", "d"]] for i in range(6)}
    worse = {name: [["a", "b"], ["c"], ["d"]] for name in key}
    one, other = corefmeter.card(key, key), corefmeter.card(key, worse)
    assert set(other["linking"].by("document")) == set(key)
    line = "linking, key's mentions"
    found = corefmeter.compare(None, {"A": one[line], "B": other[line]}, metrics="lea")
    # Without a link c and d are not resolved: R and P 2/4, so that B has 1/2.
    pair = found["lea"].pair("A", "B")
    assert (pair.difference, pair.p) == (0.5, 2 / 2**6)
