"""The published experiments: values worked out by hand, and what the papers say about them.

The key of Moosavi & Strube 2016, section 7, has 17 entities, 79 mentions, 20+10+10+5+5+5+4+20; 62
chain links, 79 - 17; 326 links, 190 + 2*45 + 3*10 + 6 + 10; of 79*78/2 = 3081 pairs of mentions
2755 are not links.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from corefmeter import Corpus, Document, read
from corefmeter.corpus.text import Detail
from corefmeter.problems import OptionError
from corefmeter.wings.lab.experiments import EXPERIMENTS, run
from corefmeter.wings.lab.moosavi_strube_2016 import LEA_SIZES, lea_key, resolved_share
from corefmeter.wings.lab.outcome import METRICS
from corefmeter.wings.lab.sweep import best_antecedents, link_mentions

EXAMPLES = Path(__file__).parents[3] / "examples"


def f(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision)


def f1(name: str, level: str) -> dict[str, float]:
    return {row.metric: row.f1 for row in run(name).rows if row.level == level}


def near(expected):
    return pytest.approx(expected, rel=1e-12)


def test_the_key():
    key = lea_key()
    assert [len(entity) for entity in key] == LEA_SIZES
    assert len(key) == 17
    assert sum(LEA_SIZES) == 79
    assert sum(n * (n - 1) // 2 for n in LEA_SIZES) == 326


def test_figure_2_at_20_percent():
    """12 of the 20 mentions: 66 of 326 links, and nothing else."""
    scores = f1("lea-figure2", "20%")
    assert scores["muc"] == near(f(11 / 62, 1))
    assert scores["b3"] == near(f(12 * 12 / 20 / 79, 1))
    assert scores["ceafm"] == near(f(12 / 79, 1))
    assert scores["ceafe"] == near(f(24 / 32 / 17, 24 / 32))
    assert scores["lea"] == near(f(20 * 66 / 190 / 79, 1))
    # Coreference links: F = f(66/326, 1). Of the others the response has none: F = 0.
    assert scores["blanc"] == near(f(66 / 326, 1) / 2)


def test_the_shares_of_figure_2():
    """65.2, 130.4, 195.6 and 260.8 of 326 links are asked for.

    12 of 20: 66. 16 of 20: 120, 17: 136; 136 is nearer. All of 20 and 4 of 10: 196. All of 20 and
    10, 235, and 8 of 10, 28: 263; with 7, 21, it would be 256, which is farther off than 263.
    """
    sizes = [[len(e) for e in resolved_share(lea_key(), s)] for s in (0, 0.2, 0.4, 0.6, 0.8, 1)]
    assert sizes == [[], [12], [17], [20, 4], [20, 10, 8], LEA_SIZES]


@pytest.mark.parametrize(("name", "level"), [("lea-figure3", "0%"), ("lea-figure8", "100%")])
def test_no_link_is_correct_but_every_mention_is_found(name, level):
    """79 mentions in 20 entities, 19 of 4 and one of 3, each of different key entities."""
    scores = f1(name, level)
    assert scores["muc"] == scores["lea"] == 0
    # Each key entity is cut to single mentions: n * 1/n for each of 17; so is each of 20.
    assert scores["b3"] == near(f(17 / 79, 20 / 79))
    # Each of 17 key entities gets one mention of its response entity.
    assert scores["ceafm"] == near(17 / 79)
    # 19 * 6 + 3 = 117 wrong links; 3081 - 326 - 117 = 2638 pairs are apart on both sides.
    apart = f(2638 / 2755, 2638 / (3081 - 117))
    assert scores["blanc"] == near((0 + apart) / 2)


def test_figure_4_with_the_largest_entity():
    scores = f1("lea-figure4", "1 (58%)")
    assert scores["muc"] == near(f(19 / 62, 1))
    assert scores["b3"] == scores["ceafm"] == scores["lea"] == near(f(20 / 79, 1))
    assert scores["ceafe"] == near(f(1 / 17, 1))
    assert scores["blanc"] == near(f(190 / 326, 1) / 2)


def test_figure_5_with_one_of_the_smallest():
    scores = f1("lea-figure5", "1 (0%)")
    assert scores["b3"] == scores["ceafm"] == scores["lea"] == near(f(2 / 79, 1))
    assert scores["ceafe"] == near(f(1 / 17, 1))
    assert scores["blanc"] == near(f(1 / 326, 1) / 2)


def test_figure_6_10_10():
    scores = f1("lea-figure6", "10-10")
    assert scores["muc"] == near(f(61 / 62, 1))
    # 59 mentions are right; of each of 20 half of the entity is found.
    assert scores["b3"] == near(f((59 + 20 * 10 / 20) / 79, 1))
    assert scores["ceafm"] == near(69 / 79)
    assert scores["ceafe"] == near(f((16 + 20 / 30) / 17, (16 + 20 / 30) / 18))
    assert scores["lea"] == near(f((59 + 20 * 90 / 190) / 79, 1))
    # 100 links are lost, and are pairs apart in the response.
    assert scores["blanc"] == near((f(226 / 326, 1) + f(1, 2755 / 2855)) / 2)


def test_figure_7_3_10():
    scores = f1("lea-figure7", "3-10")
    assert scores["muc"] == near(f(1, 62 / 65))
    assert scores["b3"] == near(f(1, (69 + 10 * 10 / 13) / 82))
    assert scores["ceafm"] == near(f(1, 79 / 82))
    assert scores["ceafe"] == near((16 + 20 / 23) / 17)
    assert scores["lea"] == near(f(1, (69 + 13 * 45 / 78) / 82))
    # 3 * 10 + 3 = 33 wrong links; 82 * 81 / 2 = 3321 pairs, of which 359 are links.
    assert scores["blanc"] == near((f(1, 326 / 359) + f(1, 2755 / 2962)) / 2)


def test_figure_7_a_pair_apart_and_one_in_an_entity_of_two():
    assert f1("lea-figure7", "2-0")["lea"] == near(f(1, 79 / 81))
    # An entity of 3 mentions with one right link of 3.
    assert f1("lea-figure7", "1-2")["lea"] == near(f(1, (77 + 3 / 3) / 80))
    assert f1("lea-figure7", "2-0")["ceafe"] == near(f(1, 17 / 18))


#: What does not come out under our reading; see docs/lab-findings.md.
FAIL = {
    "lea-figure2": ["BLANC F1 is less than or equal to that of B³ and of LEA, at each level"],
}


@pytest.mark.parametrize("name", [name for name, e in EXPERIMENTS.items() if not e.needs])
def test_what_the_papers_say(name):
    claims = run(name).claims
    assert claims
    assert [claim.text for claim in claims if not claim.holds] == FAIL.get(name, [])


def test_where_figure_2_differs():
    """At 20 % BLANC is 16.84, above LEA, 16.17, and B³, 16.71; at the other levels it is below."""
    found = run("lea-figure2")
    above = [
        blanc > min(b3, lea)
        for blanc, b3, lea in zip(found.f1("blanc"), found.f1("b3"), found.f1("lea"), strict=True)
    ]
    assert above == [False, True, False, False, False, False]
    # f(66/326, 1)/2 = 66/392; f(7.2/79, 1) = 14.4/86.2; f(x/79, 1), x = 20 * 66/190.
    scores = f1("lea-figure2", "20%")
    assert [round(100 * scores[m], 2) for m in ("blanc", "b3", "lea")] == [16.84, 16.71, 16.17]


@pytest.mark.parametrize(
    ("level", "muc", "b3", "ceafm", "ceafe"),
    [
        ("a", 0.947, 0.865, 0.833, 0.733),
        ("b", 0.947, 0.737, 0.583, 0.667),
        ("c", 0.900, 0.545, 0.417, 0.294),
        ("d", 0.000, 0.400, 0.250, 0.178),
    ],
)
def test_luo_table_1(level, muc, b3, ceafm, ceafe):
    scores = f1("luo-figure1", level)
    printed = {"muc": muc, "b3": b3, "ceafm": ceafm, "ceafe": ceafe}
    for metric, value in printed.items():
        assert scores[metric] == pytest.approx(value, abs=0.0005)


@pytest.mark.parametrize(
    ("level", "metric", "recall", "precision"),
    [
        ("c", "b3", 1.0, 0.375),
        ("c", "ceafm", 0.417, 0.417),
        ("c", "ceafe", 0.196, 0.588),
        ("d", "b3", 0.25, 1.0),
        ("d", "ceafm", 0.25, 0.25),
        ("d", "ceafe", 0.444, 0.111),
    ],
)
def test_luo_table_2(level, metric, recall, precision):
    (row,) = [r for r in run("luo-figure1").rows if (r.level, r.metric) == (level, metric)]
    assert row.recall == pytest.approx(recall, abs=0.0005)
    assert row.precision == pytest.approx(precision, abs=0.0005)


def corpus(entities):
    return Corpus([Document("x", entities)])


def test_table_1_by_hand():
    """Key abc de fg hi; response ab d, c e; f to i are missing.

    More precise: d, c and e go. Less precise a: f h, g i. Less precise b: the same two.
    """
    key = corpus([list("abc"), list("de"), list("fg"), list("hi")])
    response = corpus([list("abd"), list("ce")])
    found = run("lea-table1", key, response)
    made = {r.level: r.corpus.documents[0].entities for r in found.responses}
    assert made["more precise"] == [["a", "b"]]
    pairs = [list("abd"), list("ce"), ["f", "h"], ["g", "i"]]
    assert made["less precise a"] == made["less precise b"] == pairs
    assert made["less precise b, as printed"][2:] == [["f", "h"], ["g"], ["i"]]
    assert found.facts == {
        "incorrectly_resolved_mentions": 3,
        "new_entities_of_less_precise_a": 2,
        "new_entities_of_less_precise_b": 2,
    }
    rows = {(row.level, row.metric): row for row in found.rows}
    for level in made:
        # MUC: ab of 5 links. LEA: 3 * 1/3 of 9.
        assert rows[level, "muc"].recall == near(1 / 5)
        assert rows[level, "lea"].recall == near(1 / 9)
    # B3 recall: a, b 2/3 each, c 1/3, d, e 1/2 each; without c, d, e; with f to i, 1/2 each.
    assert rows["base", "b3"].recall == near((4 / 3 + 1 / 3 + 1) / 9)
    assert rows["more precise", "b3"].recall == near(4 / 3 / 9)
    assert rows["less precise a", "b3"].recall == near((4 / 3 + 1 / 3 + 1 + 2) / 9)


def test_claims_do_not_apply_where_nothing_was_changed():
    key = corpus([["a", "b"], ["c", "d"]])
    assert {claim.holds for claim in run("lea-table1", key, key).claims} == {None}


def test_boundary_rows_by_hand():
    """Key ab cd. Singletons: B3 R 1/2, P 1. One entity: R 1, P 1/2; MUC R 2/2, P 2/3."""
    found = run("lea-table4", corpus([["a", "b"], ["c", "d"]]))
    rows = {(row.level, row.metric): row for row in found.rows}
    assert rows["base", "b3"].f1 == 1
    assert rows["sys-sing", "muc"].f1 == rows["sys-sing", "lea"].f1 == 0
    assert (rows["sys-sing", "b3"].recall, rows["sys-sing", "b3"].precision) == (0.5, 1)
    assert (rows["sys-1ent", "b3"].recall, rows["sys-1ent", "b3"].precision) == (1, 0.5)
    assert (rows["sys-1ent", "muc"].recall, rows["sys-1ent", "muc"].precision) == (1, 2 / 3)


def test_the_synthetic_system_without_noise_is_perfect_at_its_threshold():
    key = [[(0, 1), (3, 4), (5, 6)], [(1, 2), (4, 5)], [(2, 3)]]
    links = best_antecedents(key, seed=1, noise=0)
    assert sorted(map(sorted, link_mentions(key, links, 0.5))) == sorted(map(sorted, key))
    assert len(link_mentions(key, links, 1.5)) == 6
    assert len(link_mentions(key, links, -1)) == 1


def test_the_synthetic_system_finds_antecedents_beyond_its_window():
    key = [[(0, 1), (9, 10)], *([(n, n + 1)] for n in range(1, 9))]
    links = best_antecedents(key, seed=1, noise=0, window=2)
    assert ((9, 10), (0, 1), 1.0) in links


def test_the_sweep_goes_from_singletons_to_one_entity_a_document():
    key = read(EXAMPLES / "key.conll")
    found = run("luo-sweep", key, seed=1)
    mentions = sum(len(entity) for document in key for entity in document.entities)
    entities = sum(len(document.entities) for document in key)
    assert found.facts["mentions"] == mentions
    assert found.facts["true_entities"] == entities
    levels = [row.at for row in found.rows if row.metric == "muc"]
    assert levels[0] == mentions
    assert levels[-1] == len(key)
    assert levels == sorted(set(levels), reverse=True)
    for response in found.responses:
        assert sum(len(document.entities) for document in response.corpus) == response.at
    for metric, peak in found.facts["peaks"].items():
        assert peak["f1"] == max(found.f1(metric))
        assert peak["entities"] in levels


def typed_key(person: str = "PER") -> Corpus:
    """A name and a pronoun of a person, and between them the name of an organisation."""
    details = [
        [Detail(kind="name", entity_type=person), Detail(kind="pronoun", entity_type=person)],
        [Detail(kind="name", entity_type="ORG")],
    ]
    return Corpus([Document("x", [[(0, 1), (2, 3)], [(1, 2)]], details=details, tokens=3)])


@pytest.mark.parametrize(
    ("weights", "values"),
    [
        # The key is worth 1 + 0.1 + 1 = 2.1. Alone, the pronoun is a false alarm that is free in
        # 2005, since it is a mention of the key, and costs 0.75 * 0.1 in 2007. All three in one
        # entity are a PER, as its first mention is; the name of ORG in it is free in 2005 and
        # costs 0.75 in 2007, and ORG is missed. In 2007 both entities are of level NAM, worth 1:
        # without the pronoun 1/1.1 of PER is left; all three are of level NAM, 1/2.1 a unit.
        ("ace2005", [2 / 2.1, 1, 1.1 / 2.1]),
        ("ace2007", [(1 / 1.1 + 1 - 0.075) / 2, 1, (1 - 0.75 / 2.1) / 2]),
    ],
)
def test_the_ace_value_of_a_sweep(weights, values):
    """Without noise, the pronoun finds its name (1.0) before ORG finds the person (0.0)."""
    found = run("luo-sweep", typed_key(), noise=0, weights=weights)
    assert [row.at for row in found.rows if row.metric == "ace"] == [3, 2, 1]
    assert found.f1("ace") == near(values)
    assert found.facts["peaks"]["ace"] == {"entities": 2, "f1": 1.0}
    assert found.facts["ace_weights"] == f"{weights}; others 1"
    assert {row.recall for row in found.rows if row.metric == "ace"} == {None}


def test_what_the_weights_of_a_sweep_do_not_know_weighs_1():
    """DISEASE weighs as PER does, and without types and levels every mention weighs 1."""
    unknown = run("luo-sweep", typed_key("DISEASE"), noise=0)
    assert unknown.f1("ace") == near([2 / 2.1, 1, 1.1 / 2.1])
    bare = run("luo-sweep", corpus([["a", "b"], ["c"]]), noise=0)
    # Three singletons: one of a and b is free; one entity: a and b are found, c is missed.
    assert bare.f1("ace") == near([2 / 3, 1, 2 / 3])
    assert "all mentions weigh 1" in bare.facts["ace_weights"]
    # Then the ACE value tells nothing about weights, and the sentences about them do not apply.
    assert [claim.holds for claim in bare.claims[-2:]] == [None, None]


@pytest.mark.parametrize("noise", [0, 0.33])
def test_levels_of_a_sweep_are_the_entities_of_its_responses(noise):
    """Without noise nearly all links have the score 1 or 0, and come together."""
    found = run("luo-sweep", read(EXAMPLES / "key.conll"), noise=noise)
    counts = [sum(len(d.entities) for d in r.corpus) for r in found.responses]
    assert [response.at for response in found.responses] == counts
    assert counts == sorted(set(counts), reverse=True)
    assert (len(counts) == 3) == (noise == 0)


def test_mentions_with_gaps_stand_where_they_begin():
    key = [[(0, 1), (4, 5)], [((2, 3), (6, 7))]]
    assert [m for m, *_ in best_antecedents(key, seed=0, noise=0)] == [((2, 3), (6, 7)), (4, 5)]


def test_a_sweep_over_nothing_is_0():
    found = run("luo-sweep", corpus([]))
    assert found.f1("ace") == [0.0]
    assert found.claims[-1].holds is None


def test_only_the_ace_value():
    found = run("luo-sweep", typed_key(), metrics=["ACE"])
    assert {row.metric for row in found.rows} == {"ace"}
    assert found.title("ace") == "ACE value"
    assert found.signature.startswith("corefmeter:")
    with pytest.raises(OptionError, match="ace: needs positions in a text"):
        run("lea-figure8", metrics=["ace"])


@pytest.mark.slow
def test_the_sweep_over_the_invented_key():
    """Which sentences of the paper hold at the noise where most do, see docs/lab-findings.md."""
    found = run("luo-sweep", noise=0.4)
    assert found.facts["true_entities"] == 853
    holds = [claim.holds for claim in found.claims]
    assert holds == [False, True, True, True, True, True, False]
    assert found.facts["peaks"]["muc"]["entities"] == 30
    assert found.rows == run("luo-sweep", noise=0.4, seed=0).rows


@pytest.mark.parametrize("name", ["lea-figure8", pytest.param("luo-sweep", marks=pytest.mark.slow)])
def test_seeds_repeat(name):
    key = read(EXAMPLES / "key.conll") if EXPERIMENTS[name].needs else None
    assert run(name, key, seed=4).rows == run(name, key, seed=4).rows
    assert run(name, key, seed=4).rows != run(name, key, seed=5).rows


@pytest.mark.parametrize("name", [name for name, e in EXPERIMENTS.items() if e.needs])
def test_real_corpora(name):
    key, response = read(EXAMPLES / "key.conll"), read(EXAMPLES / "system-a.conll")
    found = run(name, key, response if name != "luo-sweep" else None)
    assert {row.metric for row in found.rows} == {*METRICS, *EXPERIMENTS[name].others}
    assert all(0 <= row.f1 <= 1 for row in found.rows)
    assert found.claims


def test_other_metrics_and_averages():
    found = run("lea-figure6", metrics=["conll", "links"])
    assert {row.metric for row in found.rows} == {"conll", "links"}
    averages = [row for row in found.rows if row.metric == "conll"]
    assert {(row.recall, row.precision) for row in averages} == {(None, None)}
    # The claims are checked on the metrics that the paper speaks of.
    assert found.claims == run("lea-figure6").claims


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("lea-figure9",), "did you mean 'lea-figure"),
        (("lea-table4",), "needs a key"),
        (("lea-table1",), "needs a key"),
        (("lea-table1", corpus([["a"]])), "needs a key and a response"),
        (("lea-figure2", corpus([["a"]])), "a key of its own"),
        (("luo-sweep", corpus([["a"]]), corpus([["a"]])), "makes its responses"),
    ],
)
def test_wrong_requests(arguments, message):
    with pytest.raises(OptionError, match=message):
        run(*arguments)


def test_wrong_options():
    with pytest.raises(OptionError, match="mor: needs positions"):
        run("lea-figure2", metrics=["mor"])
    for noise in (-1, float("inf"), float("nan")):
        with pytest.raises(OptionError, match="noise must be a number of 0 or more"):
            run("luo-sweep", corpus([["a", "b"]]), noise=noise)
