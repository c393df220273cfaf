"""Luo 2005, "On Coreference Resolution Performance Metrics": Figure 1, Tables 1 and 2, section 2.2.

Twelve mentions, 1 to 9 and A to C, in three key entities. Values are printed with three decimals.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from corefmeter import score
from corefmeter.metrics import Overlap, metric_class
from corefmeter.wings.lab.luo_2005 import LUO_ENTITIES, LUO_RANGE, closeness, peak

from ...metrics.letters import entities

TRUTH = "12345 67 89ABC"
RESPONSES = {
    "a": "12345 6789ABC",  # the small entity is mixed with a big one
    "b": "1234589ABC 67",  # the two big ones are mixed
    "c": "123456789ABC",  # one entity of all
    "d": "1 2 3 4 5 6 7 8 9 A B C",  # no link at all
}


def scored(response: str):
    return score(entities(TRUTH), entities(RESPONSES[response]), metrics="all")


def printed(value: float):
    """Equal to a value printed with three decimals."""
    return pytest.approx(value, abs=0.0005)


@pytest.mark.parametrize(
    ("response", "muc", "b3", "ceafm", "ceafe"),
    [
        # MUC: R 9/9, P 9/10. B3: R 1, P (5 + 2*2/7 + 5*5/7)/12 = 16/21. phi3: (5 + 5)/12.
        # phi4: 1 + 2*5/(5 + 7) = 11/6 over 3 and 2: F 2*(11/6)/5 = 11/15.
        ("a", 0.947, 0.865, 0.833, 0.733),
        # MUC as (a). B3: P (2*5*5/10 + 2)/12 = 7/12. phi3: (5 + 2)/12. phi4: 2*5/15 + 1 = 5/3.
        ("b", 0.947, 0.737, 0.583, 0.667),
        # MUC: R 9/9, P 9/11. B3: P (25 + 4 + 25)/12/12 = 3/8. phi3: 5/12. phi4: 10/17 over 3 and 1.
        ("c", 0.900, 0.545, 0.417, 0.294),
        # B3: R 3/12, P 1. phi3: 3/12. phi4: 2/6 + 2/3 + 2/6 = 4/3 over 3 and 12: F 8/45.
        ("d", 0.000, 0.400, 0.250, 0.178),
    ],
)
def test_table_1(response, muc, b3, ceafm, ceafe):
    result = scored(response)
    assert result.muc.f1 == printed(muc)
    assert result.b3.f1 == printed(b3)
    assert result.ceafm.f1 == printed(ceafm)
    assert result.ceafe.f1 == printed(ceafe)


def test_table_1_has_no_muc_for_a_response_without_links():
    """Its precision is 0/0; the paper leaves the cell empty, we count 0 and mark it."""
    muc = scored("d").muc
    assert (muc.recall, muc.precision, muc.f1) == (0, 0, 0)
    assert muc.undefined == ("precision",)
    assert (muc.recall_denominator, muc.precision_denominator) == (9, 0)


def test_the_muc_link_counts_of_section_3_1():
    """(c): 9 out of 9 reference links are correct, 9 out of 11 system links."""
    muc = scored("c").muc
    assert (muc.recall_numerator, muc.recall_denominator) == (9, 9)
    assert (muc.precision_numerator, muc.precision_denominator) == (9, 11)


@pytest.mark.parametrize(
    ("response", "b3", "ceafm", "ceafe"),
    [
        ("c", (1.0, 0.375), (0.417, 0.417), (0.196, 0.588)),
        ("d", (0.25, 1.0), (0.250, 0.250), (0.444, 0.111)),
    ],
)
def test_table_2(response, b3, ceafm, ceafe):
    result = scored(response)
    for metric, (recall, precision) in {"b3": b3, "ceafm": ceafm, "ceafe": ceafe}.items():
        assert result[metric].recall == printed(recall)
        assert result[metric].precision == printed(precision)


def test_the_exact_fractions_of_section_3_1():
    """The numbers in the text: B3 precision of (c), recall of (d), both CEAFs of (a)."""
    assert scored("c").b3.precision == pytest.approx((10 * 5 / 12 + 2 * 2 / 12) / 12, rel=1e-15)
    assert scored("d").b3.recall == pytest.approx((5 / 5 + 2 / 2 + 5 / 5) / 12, rel=1e-15)
    mention_based, entity_based = scored("a").ceafm, scored("a").ceafe
    assert mention_based.recall == mention_based.precision == 10 / 12
    assert entity_based.f1 == pytest.approx(2 * (1 + 10 / 12) / (3 + 2), rel=1e-15)


def test_ceaf_ranks_the_responses_as_one_would():
    """(a) is better than (b), (b) than (c), (c) than (d); MUC cannot tell (a) from (b)."""
    results = [scored(response) for response in "abcd"]
    for metric in ("ceafm", "ceafe", "b3"):
        values = [result[metric].f1 for result in results]
        assert values == sorted(values, reverse=True)
        assert len(set(values)) == 4
    assert results[0].muc.f1 == results[1].muc.f1


def test_the_similarities_of_section_2_2():
    """Equations 6 to 9 for {a, b, c} against {a, b}, {a}, itself and {x}."""
    for name, values in {
        "ceaf1": (0, 0, 1, 0),
        "ceaf2": (1, 1, 1, 0),
        "ceafm": (2, 1, 3, 0),
        "ceafe": (0.8, 0.5, 1, 0),
    }.items():
        tables = [Overlap([["a", "b", "c"]], [list(entity)]) for entity in ("ab", "a", "abc", "x")]
        found = tuple(metric_class(name)().statistics(table)[0] for table in tables)
        assert found == values, name


# Tables 3 and 4: the sentences of section 3.2 about the printed numbers


# fmt: off
#: Table 3, by the number of entities of the system: F1 of MUC and CEAFm.
LUO_TABLE_3 = {
    561: (0.851, 0.750), 538: (0.854, 0.756), 529: (0.853, 0.753), 515: (0.853, 0.753),
    506: (0.856, 0.764), 483: (0.857, 0.768), 448: (0.863, 0.761), 425: (0.862, 0.749),
    411: (0.864, 0.740), 403: (0.865, 0.741), 113: (0.902, 0.445),
}

#: Table 4, by the number of entities of the system: ACE value and F1 of CEAFm.
LUO_TABLE_4 = {
    1221: (0.885, 0.726), 1172: (0.891, 0.749), 1145: (0.894, 0.755), 1105: (0.897, 0.766),
    1050: (0.897, 0.775), 1015: (0.897, 0.780), 990: (0.895, 0.782), 930: (0.886, 0.794),
    891: (0.869, 0.780), 865: (0.867, 0.778), 834: (0.856, 0.769), 790: (0.838, 0.761),
}
# fmt: on


def column(table, place: int) -> dict[int, float]:
    return {entities: row[place] for entities, row in table.items()}


def test_table_3():
    """CEAF has its maximum, 0.768, at 483 entities of 460; MUC is best for 113."""
    muc, ceafm = column(LUO_TABLE_3, 0), column(LUO_TABLE_3, 1)
    assert (peak(ceafm), ceafm[peak(ceafm)]) == (483, 0.768)
    assert peak(muc) == min(muc) == 113
    assert abs(483 - 460) == 23  # of the key
    # "Increases almost monotonically as the system proposes fewer entities": it falls twice.
    values = [muc[n] for n in sorted(muc, reverse=True)]
    assert sum(after < before for before, after in pairwise(values)) == 2


def test_table_4():
    """ACE value has its maximum at 1050 entities, CEAF at 930, of 853."""
    ace, ceafm = column(LUO_TABLE_4, 0), column(LUO_TABLE_4, 1)
    assert [n for n in ace if ace[n] == max(ace.values())] == [1105, 1050, 1015]
    assert peak(ace) == 1015  # of equal ones the fewest entities
    assert (peak(ceafm), ceafm[930]) == (930, 0.794)
    assert (min(ace), max(ace)) == LUO_RANGE
    assert abs(930 - LUO_ENTITIES) < abs(1015 - LUO_ENTITIES)


def test_table_4_very_weak_correlation():
    """Pearson's r in exact fractions of the printed numbers, in thousandths."""
    a, c = ([round(1000 * v) for v in column(LUO_TABLE_4, i).values()] for i in (0, 1))
    n = len(a)
    assert n == 12

    def moment(x: list[int], y: list[int]) -> int:
        return n * sum(i * j for i, j in zip(x, y, strict=True)) - sum(x) * sum(y)

    expected = moment(a, c) / (moment(a, a) * moment(c, c)) ** 0.5
    assert expected == pytest.approx(0.016, abs=0.0005)
    found = closeness(column(LUO_TABLE_4, 0), column(LUO_TABLE_4, 1), LUO_ENTITIES)
    assert found == pytest.approx(expected, rel=1e-9)
    # Only systems with about as many entities as in the table count; two are too few.
    far = {1: 0.5, 2: 0.1, 1000: 0.2, 900: 0.9}
    assert closeness(far, far, LUO_ENTITIES) is None
    assert closeness(dict.fromkeys((800, 900, 1000), 0.5), {800: 1, 900: 2, 1000: 3}, 853) is None
