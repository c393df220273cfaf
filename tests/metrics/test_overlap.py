"""The overlap table holds what the two sides share, and links can be counted from it."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from corefmeter.metrics import official
from corefmeter.metrics.blanc import Blanc
from corefmeter.metrics.ceaf import CeafPhi2
from corefmeter.metrics.overlap import Overlap, distinct_links, pairs

from .partitions import FAMILIES, documents
from .slow import blanc_counts, coreference_links, mentions_of, noncoreference_links


def test_pairs_are_unordered():
    assert [pairs(n) for n in range(6)] == [0, 0, 1, 3, 6, 10]


def test_there_is_a_cell_only_where_a_mention_is_shared():
    table = Overlap([["a", "b", "c"], ["d", "e"], ["f"]], [["x"], ["e", "a", "b"], ["c", "y"]])
    assert sorted(table.cells) == [(0, 1, 2), (0, 2, 1), (1, 1, 1)]
    assert table.key_sizes == [3, 2, 1]
    assert table.response_sizes == [1, 3, 2]
    assert (table.matched, table.key_mentions, table.response_mentions) == (4, 6, 6)
    assert table.key_matched == [3, 1, 0]
    assert table.response_matched == [0, 3, 1]


@pytest.mark.parametrize("family", FAMILIES)
def test_links_are_counted_without_being_made(family):
    for key, response in documents(family, 60):
        table = Overlap(key, response)
        c_key, c_response = coreference_links(key), coreference_links(response)
        n_key, n_response = noncoreference_links(key), noncoreference_links(response)
        assert table.key_links == (len(c_key), len(n_key))
        assert table.response_links == (len(c_response), len(n_response))
        assert table.common_links == (len(c_key & c_response), len(n_key & n_response))


def test_links_of_repeated_mentions_are_distinct_pairs():
    rng = Random(1)
    for _ in range(400):
        entities = [[rng.randrange(6) for _ in range(rng.randint(1, 4))] for _ in range(4)]
        links = distinct_links(entities)
        assert links.coreference == len(coreference_links(entities)), entities
        assert links.noncoreference == len(noncoreference_links(entities)), entities


def test_without_repeated_mentions_every_pair_is_one_kind_of_link():
    for key, response in documents("noisy", 40):
        table = Overlap(key, response)
        assert sum(table.key_links) == pairs(len(mentions_of(key)))
        assert sum(table.response_links) == pairs(len(mentions_of(response)))


def test_the_table_of_many_mentions_does_not_visit_pairs():
    """20,000 mentions have 200 million pairs; counting them must not take them one by one."""
    mentions = list(range(20_000))
    table = Overlap([mentions], [mentions[::2], mentions[1::2]])
    assert table.key_links == (pairs(20_000), 0)
    assert table.common_links == (2 * pairs(10_000), 0)
    assert table.response_links == (2 * pairs(10_000), 10_000**2)


def test_a_mention_may_be_any_hashable_value():
    values = [0, "0", (0, 1), frozenset([0]), None, 0.5]
    table = Overlap([values], [values[:3], values[3:]])
    assert sorted(table.cells) == [(0, 0, 3), (0, 1, 3)]
    assert len(list(combinations(values, 2))) == table.key_links.coreference


TABLE = Overlap([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]])


def test_sums_over_cells_and_entities_take_their_sizes():
    def share_of_response(cells, key, response):
        return [n / response[r] for _, r, n in cells]

    assert TABLE.over_cells(share_of_response) == 1.5
    assert TABLE.over_cells(share_of_response, matched=True) == 2
    assert TABLE.over_entities(lambda sizes: [size * size for size in sizes], "key") == 10
    assert TABLE.over_entities(lambda sizes: list(sizes), "response", matched=True) == 3


def test_the_best_partner_of_each_entity_and_the_best_assignment():
    def common(cells, key, response):
        return [n for _, _, n in cells]

    table = Overlap([["a", "b", "c"], ["d"], ["e"]], [["a", "d"], ["b", "c"]])
    assert table.over_best(common, "key") == 3
    assert table.over_best(common, "response") == 3
    assert table.assigned(common) == 3


def test_entities_without_mentions_have_no_cell_and_do_not_count_by_phi2():
    table = Overlap([["a"], []], [[], ["a"]])
    assert table.cells == [(0, 1, 1)]
    assert CeafPhi2().statistics(table) == (1, 1, 1, 1)


def test_the_statistics_of_blanc_are_called_what_they_are():
    """Luo et al. 2014, example 1: abc d against bc de."""
    table = Overlap([list("abc"), list("d")], [list("bc"), list("de")])
    assert dict(zip(Blanc.fields, Blanc().statistics(table), strict=True)) == {
        "coreference_common": 1,  # bc
        "coreference_key": 3,
        "coreference_response": 2,
        "noncoreference_common": 2,  # bd, cd
        "noncoreference_key": 3,  # of 6 pairs of 4 mentions
        "noncoreference_response": 4,  # of 6 pairs of 4 mentions
        "mentions_common": 3,
        "mentions_key": 4,
        "mentions_response": 4,
    }


def test_links_of_a_key_that_repeats_mentions_are_sets_of_pairs():
    """Counted one by one; often several mentions are in the same entities."""
    rng = Random(7)
    for _ in range(300):
        sides = [
            [[rng.randrange(6) for _ in range(rng.randint(1, 5))] for _ in range(rng.randint(1, 3))]
            for _ in range(2)
        ]
        assert official.blanc(*sides) == blanc_counts(*sides)


def test_the_official_lea_counts_a_singleton_that_both_sides_have():
    """Key a | bc | bd, response a | bc. By its last home, b of the response is with d.

    Recall (1 + 2 + 0) / 5; precision (1 + 0) / 3.
    """
    key, response = [["a"], ["b", "c"], ["b", "d"]], [["a"], ["b", "c"]]
    assert official.lea(key, response) == (3, 5, 1, 3)
