"""Luo et al. 2014, "An Extension of BLANC to System Mentions": section 4.2, examples 1 to 4."""

from __future__ import annotations

from fractions import Fraction

import pytest

from corefmeter import score

from ..metrics.letters import entities


def blanc(key: str, response: str, policy: str = "luo2014"):
    return score(entities(key), entities(response), metrics="blanc", blanc=policy).blanc


def equals(fraction: Fraction):
    return pytest.approx(float(fraction), rel=1e-15)


POLICIES = ["luo2014", "official"]


@pytest.mark.parametrize("policy", POLICIES)
def test_example_1(policy):
    """F_c = 2/5 from 1/3 and 1/2; F_n = 4/7 from 2/3 and 2/4; BLANC = 17/35."""
    found = blanc("abc d", "bc de", policy)
    c, n = found.coreference, found.noncoreference
    assert (c.recall_numerator, c.recall_denominator, c.precision_denominator) == (1, 3, 2)
    assert (n.recall_numerator, n.recall_denominator, n.precision_denominator) == (2, 3, 4)
    assert c.f1 == equals(Fraction(2, 5))
    assert n.f1 == equals(Fraction(4, 7))
    assert found.f1 == equals(Fraction(17, 35))


def test_example_2():
    """Boundary case (1), no links at all: I(M_k = M_r) = 0."""
    assert blanc("a", "b").f1 == 0
    assert blanc("a", "b").undefined == ()
    assert blanc("a", "a").f1 == 1


def test_example_2_by_the_official_scorer():
    """It has no indicator function: without links in the key BLANC is 0/0, counted as 0."""
    for response in "ab":
        found = blanc("a", response, "official")
        assert found.f1 == 0
        assert "f1" in found.undefined


@pytest.mark.parametrize("policy", POLICIES)
def test_example_3(policy):
    """Boundary case (2), no coreference links: BLANC = F_n = 1/3 from 1/3 and 1/3."""
    found = blanc("a b c", "a b d", policy)
    assert (found.recall, found.precision, found.f1) == (equals(Fraction(1, 3)),) * 3


@pytest.mark.parametrize("policy", POLICIES)
def test_example_4(policy):
    """Boundary case (3), no non-coreference links: BLANC = F_c = 2/4 from 1/3 and 1."""
    found = blanc("abc", "bc", policy)
    assert found.recall == equals(Fraction(1, 3))
    assert found.precision == 1
    assert found.f1 == equals(Fraction(1, 2))


def test_the_links_of_section_4_that_one_side_lacks():
    """Key abc | de, response bc | efg: ab is missing, cf and fg are spurious."""
    found = blanc("abc de", "bc efg")
    c, n = found.coreference, found.noncoreference
    # C_k = {ab, ac, bc, de}, C_r = {bc, ef, eg, fg}; common: bc.
    assert (c.recall_numerator, c.recall_denominator, c.precision_denominator) == (1, 4, 4)
    # N_k = abc by de, 6 links; N_r = bc by efg, 6 links; common: be, ce.
    assert (n.recall_numerator, n.recall_denominator, n.precision_denominator) == (2, 6, 6)


def test_blanc_falls_back_to_blanc_gold_where_the_mentions_are_the_same():
    """The proposition of section 4: if T_k = T_r, BLANC is the original BLANC."""
    for response in ("ab cd e", "abcd e", "a b c de", "abcde"):
        assert blanc("abc de", response) == blanc("abc de", response, "recasens2011")
