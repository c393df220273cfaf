"""The audit: every law can fail and can hold, and the table says what the papers say."""

from __future__ import annotations

import csv
import io
import json
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path

import pytest

from corefmeter.metrics.blanc import Blanc
from corefmeter.metrics.lea import Lea
from corefmeter.metrics.overlap import Overlap
from corefmeter.problems import OptionError
from corefmeter.reports import render
from corefmeter.wings.lab.audit import audit, judge
from corefmeter.wings.lab.kinds import kinds
from corefmeter.wings.lab.law import Values
from corefmeter.wings.lab.laws import LAWS
from corefmeter.wings.lab.report_audit import AuditReport

from ... import command
from . import audit_toys as toys

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent

METRICS = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")

#: law -> the metrics that break it, by 4 mentions and by 5; every other of the six obeys it.
BROKEN = {
    # Luo 2005, section 1: MUC "ignores single-mention entities": 0/0.
    # BLANC as the scorer v8.01 counts it: one mention has no link of either kind, 0/0.
    "perfect-is-1": {"muc", "blanc"},
    # MUC does not see singletons. BLANC v8.01 leaves out the kinds of link that the key lacks.
    "1-is-perfect": {"muc", "blanc"},
    # Moosavi & Strube 2016, sections 2 and 7.5: the mention identification effect.
    "no-link-is-0": {"b3", "ceafm", "ceafe", "blanc"},
    "wrong-entities-keep-recall": {"b3", "ceafm", "ceafe", "blanc"},
    "fewer-wrong-links-keep-recall": {"b3", "ceafm", "ceafe", "blanc"},
    "bounded": set(),
    # Luo 2005, section 3.2.2: CEAF is symmetric. BLANC v8.01: the kinds of link of the key count.
    "symmetric": {"blanc"},
    # Section 3.3: CEAF ignores the correct decisions of unaligned entities.
    "correct-links-do-not-lower": {"ceafm", "ceafe"},
    # CEAFe counts entities; official BLANC leaves out the kinds of link that the key lacks.
    "cuts-of-wrong-links-do-not-lower": {"ceafe", "blanc"},
    "perfect-entities-do-not-lower": {"blanc"},
    # A document that was left out lowers recall, one that has much wrong precision. MUC breaks it
    # with eight mentions.
    "better-documents-do-not-lower": {"b3", "ceafm", "ceafe", "blanc", "lea"},
    # Section 4: LEA; no other metric fails either.
    "splits-do-not-raise": set(),
    # Section 7.3: MUC sees the number of parts only; CEAFe does not distinguish 2-2 from 10-10.
    "larger-splits-cost-more": {"muc", "ceafe"},
    # Section 3.1 of MUC; CEAFe counts entities too.
    "larger-merges-cost-more": {"muc", "ceafe"},
    # Section 7.2: CEAFe is blind to which entities are lost.
    "larger-losses-cost-more": {"ceafe"},
    # Section 3.2 says that B³ gives credit for copies; the policy "first" prevents that.
    "no-credit-twice": set(),
    "names-mean-nothing": set(),
    # Luo 2005, sections 1 and 3.2.1: MUC favours few entities.
    "all-in-one-not-best": {"muc"},
    "all-singletons-not-best": {"blanc"},
    # Two documents have no links across; one document that holds both has.
    "additive": {"blanc"},
}


#: Those that break it by 5 mentions and not yet by 4.
BY_FIVE = {"better-documents-do-not-lower": {"ceafm", "blanc", "lea"}}


@pytest.fixture(scope="module", params=[4, pytest.param(5, marks=pytest.mark.slow)])
def six(request):
    return audit(METRICS, request.param).verdicts


def broken(metric, mentions: int = 4) -> set[str]:
    (verdicts,) = audit([metric], mentions).verdicts.values()
    return {law for law, verdict in verdicts.items() if verdict.holds is False}


def example(verdict):
    """The counterexample, as (key, response) and (R, P, F1) of each case; entities as words."""
    return [
        (*(" ".join("".join(e) for e in side) for side in case.documents[0]), values[:3])
        for case, values in zip(*verdict.counterexample, strict=True)
    ]


def near(*values):
    return pytest.approx(values, rel=1e-12)


# The search.


def test_kinds_are_all_pairs_but_for_names():
    """By brute force: all labels of up to four mentions, and all ways to renumber them."""
    for n in range(1, 5):
        labels = [cell for cell in product([None, *range(n)], repeat=2) if cell != (None, None)]
        seen, count = set(), 0
        orders = list(product(permutations(range(n)), repeat=2))
        for cells in _multisets(labels, n):
            if cells in seen:
                continue
            count += 1
            for k_order, r_order in orders:
                moved = (
                    (None if k is None else k_order[k], None if r is None else r_order[r])
                    for k, r in cells
                )
                seen.add(tuple(sorted(moved, key=repr)))
        assert len(kinds(n)) == count == len(set(kinds(n)))


def _multisets(labels, n):
    """Sorted tuples of labels that use entities 0, 1, … without a gap."""
    for cells in combinations_with_replacement(sorted(labels, key=repr), n):
        sides = [{cell[side] for cell in cells} - {None} for side in (0, 1)]
        if all(side == set(range(len(side))) for side in sides):
            yield tuple(sorted(cells, key=repr))


def test_each_mention_stands_once_on_a_side_and_twinless_ones_are_named_apart():
    for key, response in kinds(4):
        of_key, of_response = ([m for e in side for m in e] for side in (key, response))
        assert len(set(of_key)) == len(of_key)
        assert len(set(of_response)) == len(of_response)
        assert len({*of_key, *of_response}) == 4
        assert all(m in of_key for m in of_response if m < "n")


@pytest.mark.parametrize("metric", METRICS)
def test_no_counterexample_has_fewer_mentions(six, metric):
    for name, verdict in six[metric].items():
        if verdict.holds or name.startswith("larger"):
            continue
        pairs = [pair for case in verdict.counterexample.cases for pair in case.documents]
        mentions = len({m for pair in pairs for side in pair for e in side for m in e})
        assert LAWS[name].search(judge(metric), mentions - 1).holds
        assert not LAWS[name].search(judge(metric), mentions).holds


# Every law can fail, and can hold.


def test_every_law_has_a_toy_that_breaks_it():
    assert set(LAWS) == set(toys.TOYS)


@pytest.mark.parametrize("law", LAWS)
def test_a_toy_breaks_the_law(law):
    metric, laws = toys.TOYS[law]
    assert law in laws
    assert broken(metric) == laws


def test_a_good_metric_keeps_every_law_but_one():
    (verdicts,) = audit([toys.good], 5).verdicts.values()
    assert all(
        verdict.holds is (law != "better-documents-do-not-lower") and verdict.trials
        for law, verdict in verdicts.items()
    )


def test_laws_about_recall_do_not_apply_to_f1_alone():
    (verdicts,) = audit([toys.good_f1], 4).verdicts.values()
    unknown = {law for law, verdict in verdicts.items() if verdict.holds is None}
    assert unknown == {"wrong-entities-keep-recall", "fewer-wrong-links-keep-recall"}
    assert all(verdict.holds for law, verdict in verdicts.items() if law not in unknown)


def test_not_a_number_obeys_no_law_about_values():
    def nan(key, response):
        return float("nan")

    assert {"perfect-is-1", "no-link-is-0", "bounded", "symmetric", "names-mean-nothing"} <= broken(
        nan, 2
    )


def test_differences_of_rounding_are_none():
    def shaken(key, response):
        recall, precision, f1 = toys.good(key, response)
        return recall, precision, f1 + 1e-14 * len(response)

    assert broken(shaken) == set()


# The six metrics.


@pytest.mark.parametrize("law", LAWS)
def test_what_the_six_metrics_obey(six, law, request):
    broken = BROKEN[law]
    if request.node.callspec.params["six"] == 4:
        broken = broken - BY_FIVE.get(law, set())
    verdicts = {metric: six[metric][law].holds for metric in METRICS}
    assert verdicts == {metric: metric not in broken for metric in METRICS}


@pytest.mark.slow
def test_the_table_of_the_docs_is_that_of_the_command():
    docs = HERE.parents[2] / "docs"
    page = (docs / "lab.md").read_text("utf-8")
    stream = io.StringIO()
    render(AuditReport(audit()), "markdown", stream)
    written = stream.getvalue()
    lines = written[written.index("|") :].split("\n\n")[0].splitlines()
    assert len(lines) > len(LAWS)
    assert [line for line in lines if line not in page] == []


def test_lea_obeys_all_but_one():
    assert [law for law, metrics in BROKEN.items() if "lea" in metrics] == [
        "better-documents-do-not-lower"
    ]


@pytest.mark.nightly
def test_what_six_mentions_add():
    """BLANC, key a, bcdef: with bc added to a, def, six links are wrong in N.

    Before: C 3 of 10 and of 3, F 6/13; N 3 of 5 and of 3, F 3/4. After: C 4 of 10 and of 4, F 4/7;
    N 5 of 5 and of 11, F 5/8.
    """
    verdicts = audit(METRICS, 6).verdicts
    for metric in METRICS:
        found = {law for law, verdict in verdicts[metric].items() if not verdict.holds}
        expected = {law for law, metrics in BROKEN.items() if metric in metrics}
        extra = {"correct-links-do-not-lower"} if metric == "blanc" else set()
        assert found == expected | extra
    before, after = example(verdicts["blanc"]["correct-links-do-not-lower"])
    assert before[:2] == ("a bcdef", "a def")
    assert after[:2] == ("a bcdef", "a bc def")
    assert before[2][2] == pytest.approx((6 / 13 + 3 / 4) / 2)
    assert after[2][2] == pytest.approx((4 / 7 + 5 / 8) / 2)


def test_a_singleton_is_0_over_0_for_muc_and_blanc(six):
    for metric in ("muc", "blanc"):
        found = six[metric]["perfect-is-1"].counterexample
        assert found.values == (Values(0.0, 0.0, 0.0, ("recall", "precision", "f1")),)
        assert example(six[metric]["perfect-is-1"]) == [("a", "a", (0, 0, 0))]


def test_a_spurious_singleton_costs_nothing_under_muc_and_blanc(six):
    """MUC: 1 link of 1 and of 1. BLANC: C 1 of 1 and of 1; the key has no N, so N is left out."""
    for metric in ("muc", "blanc"):
        assert example(six[metric]["1-is-perfect"]) == [("ab", "ab x", (1, 1, 1))]


def test_no_correct_link_by_hand(six):
    def found(metric):
        return example(six[metric]["no-link-is-0"])

    # B³: a has 1 of 2: R 1/2 / 2, P 1/1, F 2 * 1/4 / (5/4).
    assert found("b3") == [("ab", "a", near(1 / 4, 1, 2 / 5))]
    # CEAFm: 1 of 2 and of 1: F 2/3. CEAFe: 2 * 1/(2 + 1) over 1 and 1.
    assert found("ceafm") == [("ab", "a", near(1 / 2, 1, 2 / 3))]
    assert found("ceafe") == [("ab", "a", near(2 / 3, 2 / 3, 2 / 3))]
    # BLANC: C: ab and bc, none in common: 0. N: ac, bc and ab, ac: ac, 1 of 2 and of 2: 1/2.
    assert found("blanc") == [("ab c", "a bc", near(1 / 4, 1 / 4, 1 / 4))]


def test_wrong_entities_by_hand(six):
    def found(metric):
        return example(six[metric]["wrong-entities-keep-recall"])

    # B³: R 1/1, P 1/2 / 2, F 2 * 1/4 / (5/4). CEAFm: 1 of 1 and of 2. CEAFe: 2/(1 + 2).
    nothing = ("a", "", (0, 0, 0))
    assert found("b3") == [nothing, ("a", "ax", near(1, 1 / 4, 2 / 5))]
    assert found("ceafm") == [nothing, ("a", "ax", near(1, 1 / 2, 2 / 3))]
    assert found("ceafe") == [nothing, ("a", "ax", near(2 / 3, 2 / 3, 2 / 3))]
    # BLANC: as for no correct link; without bc the response has no link.
    assert found("blanc") == [("ab c", "a", (0, 0, 0)), ("ab c", "a bc", near(1 / 4, 1 / 4, 1 / 4))]


def test_fewer_wrong_links_by_hand(six):
    """The same read backwards: a is in key and response, and its only link is wrong."""
    for metric, recall in (("b3", 1), ("ceafm", 1), ("ceafe", 2 / 3)):
        before, after = example(six[metric]["fewer-wrong-links-keep-recall"])
        assert before[:2] == ("a", "ax")
        assert before[2][0] == pytest.approx(recall)
        assert after == ("a", "x", (0, 0, 0))
    before, after = example(six["blanc"]["fewer-wrong-links-keep-recall"])
    assert (before[:2], after) == (("ab c", "a bc"), ("ab c", "a", (0, 0, 0)))


def test_blanc_is_not_symmetric_by_hand(six):
    """Key ab: only C counts, 1 of 1. Key ab, x: C 1 of 1; N ax, bx of which the response has 0."""
    one, other = example(six["blanc"]["symmetric"])
    assert one == ("ab", "ab x", (1, 1, 1))
    assert other == ("ab x", "ab", near(1 / 2, 1 / 2, 1 / 2))


def test_ceaf_prefers_fewer_correct_links_by_hand(six):
    """One of ab and cd is aligned. CEAFm: 2 of 4, then of 2 or 4. CEAFe: 4/6 over 1, then 2."""
    before, after = example(six["ceafm"]["correct-links-do-not-lower"])
    assert before == ("abcd", "cd", near(2 / 4, 2 / 2, 2 / 3))
    assert after == ("abcd", "ab cd", near(2 / 4, 2 / 4, 1 / 2))
    before, after = example(six["ceafe"]["correct-links-do-not-lower"])
    assert before == ("abcd", "cd", near(2 / 3, 2 / 3, 2 / 3))
    assert after == ("abcd", "ab cd", near(2 / 3, 1 / 3, 4 / 9))


@pytest.mark.parametrize(
    ("metric", "law", "labels", "values"),
    [
        # MUC: 62 links; a split costs one, a merge adds one, whatever the size.
        ("muc", "larger-splits-cost-more", ("split 2-2", "split 10-10"), ((61 / 62, 1),) * 2),
        (
            "muc",
            "larger-merges-cost-more",
            ("smallest entities merged", "largest entities merged"),
            ((1, 62 / 63),) * 2,
        ),
        # CEAFe: 16 + 4/6 = 16 + 20/30 over 17 and 18.
        (
            "ceafe",
            "larger-splits-cost-more",
            ("split 2-2", "split 10-10"),
            (((16 + 2 / 3) / 17, (16 + 2 / 3) / 18),) * 2,
        ),
        # Of 2 and 2: 15 + 4/6; of 20 and 10: 15 + 40/50, which is more; over 17 and 16.
        (
            "ceafe",
            "larger-merges-cost-more",
            ("smallest entities merged", "largest entities merged"),
            (((15 + 2 / 3) / 17, (15 + 2 / 3) / 16), ((15 + 4 / 5) / 17, (15 + 4 / 5) / 16)),
        ),
        # 16 of 17 entities, all right.
        (
            "ceafe",
            "larger-losses-cost-more",
            ("smallest entity lost", "largest entity lost"),
            ((16 / 17, 1),) * 2,
        ),
    ],
)
def test_sizes_by_hand(six, metric, law, labels, values):
    found = six[metric][law].counterexample
    assert tuple(case.label for case in found.cases) == labels
    for got, (recall, precision) in zip(found.values, values, strict=True):
        assert got[:3] == near(recall, precision, toys.f(recall, precision))


@pytest.mark.parametrize(
    ("metric", "key", "responses", "others", "alone", "together"),
    [
        # P 1/3 of three mentions. Together R 3/4, P 3/3; R 4/4, P 4/6.
        ("lea", ["a"], ([], ["a", "x", "y"]), ["c", "d", "e"], (0, 1 / 2), (6 / 7, 4 / 5)),
        # P 1/3. Together R 2/3, P 2/2; R 3/3, P 3/5.
        ("lea", ["a"], ([], ["a", "xy"]), ["cd"], (0, 1 / 2), (4 / 5, 3 / 4)),
        # P (1/2)/2. Together R 2/3, P 2/2; R 3/3, P (1/2 + 2)/4.
        ("b3", ["a"], ([], ["ax"]), ["cd"], (0, 2 / 5), (4 / 5, 10 / 13)),
        # P 1/3. Together as LEA.
        ("ceafm", ["a"], ([], ["axy"]), ["cd"], (0, 1 / 2), (4 / 5, 3 / 4)),
        # 2/3 over 1 and 2. Together 2 over 3 and 2; 8/3 over 3 and 4.
        ("ceafe", ["ab"], ([], ["a", "b"]), ["c", "d"], (0, 4 / 9), (4 / 5, 16 / 21)),
        # N ab of ab, ax, bx, then of ab, ax. Together C 1 of 1 and of 1, then of 2.
        ("blanc", ["a", "b"], (["a", "b", "x"], ["a", "bx"]), ["cd"], (1 / 2, 2 / 3),
         (3 / 4, 2 / 3)),
        # P 1 of 3 links. Together R 2/3, P 2/2; R 3/3, P 3/5.
        ("muc", ["ab"], ([], ["ab", "xyz"]), ["cde"], (0, 1 / 2), (4 / 5, 3 / 4)),
    ],
)  # fmt: skip
def test_a_better_document_lowers_both_together(metric, key, responses, others, alone, together):
    def side(entities):
        return tuple(map(tuple, entities))

    scored, other = judge(metric), (side(others), side(others))
    for response, one, both in zip(responses, alone, together, strict=True):
        document = (side(key), side(response))
        assert scored((document,)).f1 == pytest.approx(one)
        assert scored((document, other)).f1 == pytest.approx(both)


def test_better_documents_are_found(six, request):
    if request.node.callspec.params["six"] == 4:
        assert six["lea"]["better-documents-do-not-lower"].holds
    else:
        found = six["lea"]["better-documents-do-not-lower"].counterexample
        assert [values.f1 for values in found.values] == pytest.approx([0, 1 / 2, 4 / 5, 3 / 4])
    assert six["muc"]["better-documents-do-not-lower"].holds


def test_cuts_of_wrong_links_by_hand(six):
    law = "cuts-of-wrong-links-do-not-lower"
    # CEAFe: 2 * 2/5 of 1 and 1; 1 of 1 and of 2.
    before, after = example(six["ceafe"][law])
    assert before == ("ab", "abx", near(4 / 5, 4 / 5, 4 / 5))
    assert after == ("ab", "ab x", near(1, 1 / 2, 2 / 3))
    # BLANC: the key has N only: ab of ab, ax, then of ab, ax, bx.
    before, after = example(six["blanc"][law])
    assert before == ("a b", "a bx", near(1, 1 / 2, 2 / 3))
    assert after == ("a b", "a b x", near(1, 1 / 3, 1 / 2))


def test_a_perfect_entity_lowers_blanc_by_hand(six):
    """C 1 of 1 and of 1. The key had no N, and now an, bn, of ax, bx, an, bn, xn: F 4/7."""
    before, after = example(six["blanc"]["perfect-entities-do-not-lower"])
    assert before == ("ab", "ab x", (1, 1, 1))
    assert after[:2] == ("ab n1", "ab x n1")
    assert after[2] == near(1, (1 + 2 / 5) / 2, (1 + 4 / 7) / 2)


def test_boundary_responses_by_hand(six):
    # MUC: ab is 1 of 2 links, 1 of 1: 2/3. abcd has both of 2, and 2 of 3: 4/5.
    half, all_in_one = example(six["muc"]["all-in-one-not-best"])
    assert half == ("ab cd", "ab", near(1 / 2, 1, 2 / 3))
    assert all_in_one == ("ab cd", "abcd", near(1, 2 / 3, 4 / 5))
    # BLANC, ab: C 1 of 2 and of 1, F 2/3; N 0 of 4 and 0/0, F 0.
    # Singletons: C 0 of 2 and 0/0, F 0; N 4 of 4 and of 6, F 4/5.
    half, singletons = example(six["blanc"]["all-singletons-not-best"])
    assert half == ("ab cd", "ab", near(1 / 4, 1 / 2, 1 / 3))
    assert singletons == ("ab cd", "a b c d", near(1 / 2, 1 / 3, 2 / 5))


def test_blanc_has_links_across_joined_documents(six):
    """One mention has no link, so two documents of one have none; joined there is a link, in N."""
    found = six["blanc"]["additive"].counterexample
    joined, apart = found.cases
    assert joined.documents == (((("a1",), ("a2",)), (("a1",), ("a2",))),)
    assert [len(pair[0]) for pair in apart.documents] == [1, 1]
    assert found.values[0][:3] == (1, 1, 1)
    assert found.values[1].undefined == ("recall", "precision", "f1")


def test_blanc_of_luo_et_al_2014_mends_the_boundary_cases():
    """But its recall counts a spurious mention: key a, response a is 1; response a, x has N."""
    laws = {law for law, metrics in BROKEN.items() if "blanc" in metrics}
    laws -= {law for law, metrics in BY_FIVE.items() if "blanc" in metrics}
    mended = {"perfect-is-1", "1-is-perfect", "symmetric", "perfect-entities-do-not-lower"}
    assert broken(Blanc("luo2014")) == laws - mended | {"correct-links-do-not-lower"}


def test_b3_as_its_formula_stands_gives_credit_for_copies():
    """Section 3.2: key a, response a, a: recall is (1 + 1)/1, beyond 1."""
    assert "no-credit-twice" in broken(toys.b3_of_every_copy, 2)
    values = judge(toys.b3_of_every_copy)((((("a",),), (("a",), ("a",))),))
    assert values.recall == 2


# Metrics of one's own.


def test_a_metric_class_an_instance_and_a_function():
    assert broken(Lea) == broken(Lea()) == broken(toys.good) == set()
    assert list(audit([Lea, toys.good], 2).verdicts) == ["lea", "good"]


def test_scores_are_values_too():
    def scores(key, response):
        metric = Lea()
        return metric.scores(metric.statistics(Overlap(key, toys.once(response))))

    assert broken(scores, 3) == set()


def test_metrics_of_one_name_are_told_apart():
    found = audit(["blanc", Blanc("luo2014"), "blanc", Blanc("corefud")], 2)
    assert list(found.verdicts) == ["blanc", "blanc (2)", "blanc (3)"]
    assert found.verdicts["blanc (2)"]["perfect-is-1"].holds
    assert list(found.titles.values()) == ["BLANC", "BLANC (2)", "BLANC (3)"]


def test_a_metric_cannot_change_what_the_next_law_sees():
    def greedy(key, response):
        values = toys.good(key, response)
        key.clear()
        response.clear()
        return values

    assert broken(greedy, 3) == set()


def test_an_average_has_f1_only():
    (verdicts,) = audit(["conll"], 3).verdicts.values()
    assert verdicts["wrong-entities-keep-recall"].holds is None
    # MUC 0, B³ 2/5, CEAFe 2/3: the mean is 16/45.
    found = verdicts["no-link-is-0"].counterexample
    assert found.values[0] == Values(None, None, pytest.approx(16 / 45))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("mux", "did you mean 'muc'"),
        ("all", "one by one"),
        ("mor", "needs positions"),
        ("nowhere.at.all:metric", "cannot be imported"),
        ("json:nothing", "cannot be imported"),
        ("math:pi", "neither a metric nor a function"),
        (":x", "cannot be imported"),
        (toys.divides_by_entities, "failed on key .* response .*ZeroDivisionError"),
        (toys.words, "failed on key .*'much'"),
        (toys.two_numbers, "must return"),
        (3, "neither a metric nor a function"),
    ],
)
def test_what_is_no_metric(given, message):
    with pytest.raises(OptionError, match=message):
        audit([given], 2)


@pytest.mark.parametrize("mentions", [0, 7])
def test_how_many_mentions(mentions):
    with pytest.raises(OptionError, match="from 1 to 6"):
        audit(["muc"], mentions)


# The command.


@pytest.fixture(autouse=True)
def _toys_can_be_imported(monkeypatch):
    monkeypatch.syspath_prepend(HERE)


def printed(*arguments: str) -> str:
    return command.printed("lab", "audit", *arguments, "--mentions", "3")


def test_what_the_laws_say_stands_apart_from_the_tables():
    text = command.run("lab", "audit", "-m", "muc", "--mentions", "2").stdout
    assert "\n\nperfect is 1: A response that is the key" in text


def test_text():
    text = printed("-m", "muc", "-m", "lea")
    assert "MUC    LEA" in text
    assert ["1", "is", "perfect", "FAILS", "holds"] in [line.split() for line in text.splitlines()]
    assert "1 is perfect: the smallest counterexamples, in percent" in text
    assert "MUC     not perfect  {a b}  {a b} {x}  100.00  100.00  100.00" in text.splitlines()
    assert max(map(len, text.splitlines())) <= 80
    assert "up to 3 mentions" in text


def test_json_is_as_promised():
    found = json.loads(printed("-m", "b3", "-m", "lea", "-f", "json"))
    assert found["schema"] == 1
    assert set(found["metrics"]) == {"b3", "lea"}
    verdict = found["metrics"]["b3"]["no-link-is-0"]
    assert verdict["holds"] is False
    example = verdict["counterexample"]
    assert (example["key"], example["response"]) == ([["a", "b"]], [["a"]])
    assert example["values"]["recall"] == 0.25
    assert found["metrics"]["lea"]["no-link-is-0"] == {
        "holds": True,
        "counterexample": None,
        "trials": verdict["trials"] + found["metrics"]["lea"]["no-link-is-0"]["trials"] - 5,
    }
    assert set(found["laws"]) == set(LAWS)


def test_csv_has_a_row_for_each_case():
    rows = list(csv.DictReader(io.StringIO(printed("-m", "blanc", "-f", "csv"))))
    swapped = [row for row in rows if row["law"] == "symmetric"]
    assert [(row["holds"], row["case"], row["f1"]) for row in swapped] == [
        ("false", "as it is", "1.0"),
        ("false", "sides swapped", "0.5"),
    ]
    assert {row["law"] for row in rows} == set(LAWS)


def test_markdown_and_latex():
    assert "| no correct link is 0 | **FAILS** |" in printed("-m", "b3", "-f", "markdown")
    assert r"\{a b\}" in printed("-m", "b3", "-f", "latex")


def test_a_metric_of_ones_own():
    found = json.loads(printed("--metric", "audit_toys:half", "-f", "json"))
    verdicts = found["metrics"]["audit_toys:half"]
    assert verdicts["perfect-is-1"]["holds"] is False
    assert verdicts["perfect-is-1"]["counterexample"]["values"]["recall"] is None
    assert verdicts["wrong-entities-keep-recall"]["holds"] is None
    assert "audit_toys:size_blind" in printed("--metric", "audit_toys:size_blind")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "mux"], "did you mean 'muc'"),
        (["-m", "audit_toys:nothing"], "cannot be imported"),
        (["-m", "audit_toys:divides_by_entities"], "ZeroDivisionError"),
        (["--mentions", "7"], "from 1 to 6"),
        (["-f", "html"], "unknown value of --format 'html'"),
    ],
)
def test_mistakes_end_with_status_2(arguments, message):
    result = command.run("lab", "audit", *arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_file(tmp_path):
    assert printed("-m", "lea", "-f", "json", "-o", str(tmp_path / "x.json")) == ""
    assert json.loads((tmp_path / "x.json").read_text("utf-8"))["mentions"] == 3
    assert (
        command.run(
            "lab", "audit", "-m", "lea", "--mentions", "1", "-o", str(tmp_path / "no" / "x")
        ).returncode
        != 0
    )


def test_the_progress_counts_the_laws_of_each_metric_once():
    told = []
    audit(["muc", "lea", "muc"], mentions=1, progress=lambda *numbers: told.append(numbers))
    assert told == [(number, 2 * len(LAWS)) for number in range(1, 2 * len(LAWS) + 1)]
