"""Moosavi & Strube 2016, "Which Coreference Evaluation Metric Do You Trust?" (LEA).

The example of section 5, Table 3, and what sections 7.2 to 7.5 say about invented partitions.
Percentages are printed truncated, as the official scorer prints them.
"""

from __future__ import annotations

from itertools import count

import pytest

from corefmeter import score

from ...metrics.letters import entities


def truncated(value: float) -> float:
    """A percentage as the paper prints it: cut after two decimals."""
    return int(value * 10000) / 100


# Section 5, the example of Pradhan et al. 2014.

KEY, RESPONSE = "abc defg", "ab cd fghi"


def test_section_5_lea():
    """Recall (3 * 1/3 + 4 * 1/6)/(3 + 4), about 0.24; precision (2 + 0 + 4 * 1/6)/8, about 0.33."""
    lea = score(entities(KEY), entities(RESPONSE), metrics="lea").lea
    assert lea.recall == pytest.approx((3 * 1 / 3 + 4 * 1 / 6) / 7, rel=1e-15)
    assert lea.precision == pytest.approx((2 * 1 + 2 * 0 + 4 * 1 / 6) / 8, rel=1e-15)
    assert round(lea.recall, 2) == 0.24
    assert round(lea.precision, 2) == 0.33


@pytest.mark.parametrize(
    ("metric", "recall", "precision"),
    [
        # Pradhan et al. 2014, the same example, from the definitions.
        ("muc", 2 / 5, 2 / 5),  # kept: ab, fg; key links 2 + 3; response links 1 + 1 + 3
        ("b3", (4 / 3 + 1 / 3 + 1 / 4 + 4 / 4) / 7, (4 / 2 + 1 / 2 + 1 / 2 + 4 / 4) / 8),
        ("ceafm", 4 / 7, 4 / 8),  # abc-ab 2, defg-fghi 2
        ("ceafe", (4 / 5 + 4 / 8) / 2, (4 / 5 + 4 / 8) / 3),
        # C: ab, fg of 3 + 6 and of 1 + 1 + 6. N, apart on both sides: ad, af, ag, bd, bf, bg, cf,
        # cg; of abc by defg, 3 * 4, and of ab by cd by fghi, 2 * 2 + 2 * 4 + 2 * 4.
        ("blanc", (2 / 9 + 8 / 12) / 2, (2 / 8 + 8 / 20) / 2),
    ],
)
def test_section_5_by_the_other_metrics(metric, recall, precision):
    found = score(entities(KEY), entities(RESPONSE), metrics=metric)[metric]
    assert found.recall == pytest.approx(recall, rel=1e-14)
    assert found.precision == pytest.approx(precision, rel=1e-14)


# Table 3. The responses are scored against entity (1) of Figure 1 alone. Its 8 mentions give the
# printed MUC of cr1, R 6/7 and P 6/6: F 12/13 = 92.30. With all five entities, of 8, 2, 4, 2 and 2
# mentions, R would be 6/13.

ADMINISTRATION = ["The American administration", "it1", "it2", "it3"]
PLURALS = ["they1", "they2", "them", "their"]
ENTITY_1 = [[*ADMINISTRATION, *PLURALS]]
CR1 = [ADMINISTRATION, PLURALS]
CR2 = [ADMINISTRATION]


@pytest.mark.parametrize(
    ("response", "printed"),
    [
        # B3 cr1: R 2 * 16/8 / 8 = 1/2, P 1. CEAFm: 4/8, 4/8. CEAFe: 8/12 over 1 and 2.
        (CR1, {"muc": 92.30, "b3": 66.66, "ceafm": 50.00, "ceafe": 44.44}),
        # MUC cr2: 3/7, 3/3. B3: R 16/8 / 8 = 1/4, P 1. CEAFm: 4/8, 4/4. CEAFe: 8/12 over 1 and 1.
        (CR2, {"muc": 60.00, "b3": 40.00, "ceafm": 66.66, "ceafe": 66.66}),
    ],
    ids=["cr1", "cr2"],
)
def test_table_3(response, printed):
    result = score(ENTITY_1, response)
    for metric, value in printed.items():
        assert truncated(result[metric].f1 + 1e-12) == value, metric


@pytest.mark.parametrize(
    ("response", "policy", "value"),
    [
        # cr1: C: 12/28 and 12/12, F 24/40. The key has no other links, so v8.01 leaves N out.
        (CR1, "official", 60.00),
        # By Luo et al. 2014 the 16 non-coreference links of the response count: (60 + 0)/2.
        (CR1, "luo2014", 30.00),
        # cr2: C: 6/28 and 6/6, F 12/34. Printed as 32.29, which is a slip.
        (CR2, "official", 35.29),
        (CR2, "luo2014", 35.29),
    ],
)
def test_table_3_blanc(response, policy, value):
    found = score(ENTITY_1, response, blanc=policy).blanc
    assert truncated(found.f1 + 1e-12) == value


def test_lea_prefers_the_response_with_more_correct_decisions():
    """Section 3.3: CEAF prefers cr2, although cr1 makes more correct decisions."""
    one, two = score(ENTITY_1, CR1), score(ENTITY_1, CR2)
    assert one.ceafm.f1 < two.ceafm.f1
    assert one.ceafe.f1 < two.ceafe.f1
    assert one.lea.f1 > two.lea.f1


# Section 7: one entity of 20 mentions, two of 10, three of 5, one of 4, ten of 2.

SIZES = [20, 10, 10, 5, 5, 5, 4] + [2] * 10
METRICS = ["muc", "b3", "ceafm", "ceafe", "blanc", "lea"]


def invented() -> list[list[int]]:
    numbers = count()
    return [[next(numbers) for _ in range(size)] for size in SIZES]


def f1(response: list[list[int]]) -> dict[str, float]:
    result = score(invented(), response)
    return {metric: result[metric].f1 for metric in METRICS}


def split(*sizes: int) -> dict[str, float]:
    """The scores when the first entity of that many mentions is split into parts of these sizes."""
    response = invented()
    entity = response.pop(SIZES.index(sum(sizes)))
    for size in sizes:
        response.append([entity.pop() for _ in range(size)])
    return f1(response)


def extra(number: int, size: int) -> dict[str, float]:
    """The scores when mentions are added to the first entity of that size; 0: to one another."""
    response = invented()
    home = response[SIZES.index(size)] if size else []
    if not size:
        response.append(home)
    home.extend(range(1000, 1000 + number))
    return f1(response)


def test_section_7_2_b3_ceafm_and_lea_agree_on_whole_entities():
    for order in (1, -1):
        entities = invented()[::order]
        for resolved in range(1, len(entities)):
            found = f1(entities[:resolved])
            assert found["b3"] == pytest.approx(found["ceafm"], rel=1e-12)
            assert found["b3"] == pytest.approx(found["lea"], rel=1e-12)


def test_section_7_2_ceafe_does_not_see_the_size_of_entities():
    largest, smallest = invented(), invented()[::-1]
    for resolved in range(1, len(SIZES)):
        # resolved entities of similarity 1, over 17 and over their number
        expected = 2 * resolved / (len(SIZES) + resolved)
        assert f1(largest[:resolved])["ceafe"] == pytest.approx(expected)
        assert f1(smallest[:resolved])["ceafe"] == pytest.approx(expected)


def test_section_7_3_muc_sees_only_the_number_of_splits():
    assert split(18, 2)["muc"] == split(10, 10)["muc"] == split(2, 2)["muc"] == split(5, 5)["muc"]
    assert split(9, 9, 2)["muc"] == split(5, 3, 2)["muc"] < split(18, 2)["muc"]


def test_section_7_3_ceafe_does_not_differentiate():
    """2-2 from 10-10, and 9-9-2 from 9-5-6."""
    assert split(2, 2)["ceafe"] == pytest.approx(split(10, 10)["ceafe"])
    assert split(9, 9, 2)["ceafe"] == pytest.approx(split(9, 5, 6)["ceafe"])


@pytest.mark.parametrize(
    ("metric", "ranking"),
    [
        ("b3", [(18, 2), (5, 3, 2), (16, 4)]),
        ("blanc", [(5, 3, 2), (18, 2), (16, 4)]),
        ("ceafm", [(18, 2), (16, 4), (5, 3, 2)]),
        ("ceafe", [(18, 2), (16, 4), (5, 3, 2)]),
        ("lea", [(18, 2), (16, 4), (5, 3, 2)]),
    ],
)
def test_section_7_3_rankings_of_splits(metric, ranking):
    values = [split(*sizes)[metric] for sizes in ranking]
    assert values[0] > values[1] > values[2]


@pytest.mark.parametrize("n", [2, 4, 5, 10, 20])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_section_7_4_the_error_of_extra_mentions(n, k):
    """k extra mentions in an entity of n cost (n + k) (1 - n(n-1)/((n+k)(n+k-1))); k = 1: 2."""
    response = invented()
    response[SIZES.index(n)].extend(range(1000, 1000 + k))
    lea = score(invented(), response, metrics="lea").lea
    lost = lea.precision_denominator - lea.precision_numerator
    assert lost == pytest.approx((n + k) * (1 - n * (n - 1) / ((n + k) * (n + k - 1))))
    assert k != 1 or lost == pytest.approx(2)


def test_section_7_4_only_lea_finds_two_linked_extra_mentions_the_lesser_error():
    for metric in METRICS:
        apart, in_small, in_large = extra(2, 0), extra(1, 2), extra(1, 10)
        lesser = apart[metric] > in_small[metric] and apart[metric] > in_large[metric]
        assert lesser == (metric == "lea"), metric


def test_section_7_4_lea_does_not_see_where_a_single_extra_mention_is():
    assert (
        extra(1, 2)["lea"]
        == pytest.approx(extra(1, 10)["lea"])
        == pytest.approx(extra(1, 20)["lea"])
    )


def test_section_7_4_muc_and_ceafm_see_only_how_many_extra_mentions_there_are():
    for metric in ("muc", "ceafm"):
        assert extra(2, 2)[metric] == extra(2, 10)[metric] == extra(2, 20)[metric]


def test_section_7_5_the_mention_identification_effect():
    """Without one correct link MUC and LEA are 0; the others reward mentions that were found."""
    largest, *rest = invented()
    others = [mention for entity in rest for mention in entity]
    found = f1([list(pair) for pair in zip(largest, others, strict=False)])
    assert found["muc"] == found["lea"] == 0
    assert min(found[metric] for metric in ("b3", "ceafm", "ceafe", "blanc")) > 0
