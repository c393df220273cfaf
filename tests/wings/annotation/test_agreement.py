"""Agreement of annotators: values by hand, and those of NLTK, which looks at all pairs."""

from __future__ import annotations

import json
import random
from math import isnan

import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import binary_distance, jaccard_distance

import corefmeter
from corefmeter import Corpus, DataError, Document, OptionError
from corefmeter.wings.annotation.agreement import UNMARKED, Agreement, Resampling, set_alphas

from ...command import run


def dice_distance(a, b):
    return 1 - 2 * len(a & b) / (len(a) + len(b))


def masi_distance(a, b):
    """With thirds; NLTK had 0.33 and 0.67 for them."""
    part = 1 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3
    return 1 - part * len(a & b) / len(a | b)


#: Of sets. NLTK has no Dice.
DISTANCES = {
    "nominal": binary_distance, "jaccard": jaccard_distance, "masi": masi_distance,
    "dice": dice_distance,
}  # fmt: skip


def alphas(*annotators, **options):
    named = dict(zip("ABCDEFG", annotators, strict=False))
    found = corefmeter.agree(named, metrics=["muc"], **options)
    return {distance: alpha.value for distance, alpha in found.entities.items()}


# ---- by hand ----------------------------------------------------------------------------------

# The paper's own examples are not at hand; these are worked by its definitions. Annotator B splits
# c from abc. n = 10 values: abc 3 times, de 4, ab 2, c once. So the sum of n_c^2 is 30. At the
# units a and b the values abc and ab meet, at c abc and c; n Do is twice the sum of distances.
SPLIT = [["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c"], ["d", "e"]]


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        # n Do = 6, E = 30
        ("nominal", 1 - 6 * 9 / (100 - 30)),
        # 1/3, 1/3, 2/3; E = 30 + 2(3 * 2 * 2/3 + 3 * 1 * 1/3) = 40
        ("jaccard", 1 - 8 / 3 * 9 / (100 - 40)),
        # 1/5, 1/5, 1/2; E = 30 + 2(6 * 4/5 + 3 * 1/2) = 42.6
        ("dice", 1 - 1.8 * 9 / (100 - 42.6)),
        # each holds the other: likeness 2/3 * 2/3 and 1/3 * 2/3; E = 30 + 2(6 * 4/9 + 3 * 2/9)
        ("masi", 1 - 34 / 9 * 9 / (100 - 110 / 3)),
    ],
)
def test_alpha_of_a_split_entity(distance, expected):
    assert alphas(*SPLIT)[distance] == pytest.approx(expected, abs=1e-12)


def test_masi_of_sets_that_cross_has_a_third():
    # ab, c and a, bc: a: (ab, a) 1/2 * 2/3; b: (ab, bc) 1/3 * 1/3; c: (c, bc) 1/2 * 2/3.
    # n = 6: ab 2, c 1, a 1, bc 2; E = 10 + 2(2 * 1 * 1/3 + 2 * 2 * 1/9 + 1 * 2 * 1/3) = 122/9
    observed = 2 * (2 / 3 + 8 / 9 + 2 / 3)
    found = alphas([["a", "b"], ["c"]], [["a"], ["b", "c"]])["masi"]
    assert found == pytest.approx(1 - observed * 5 / (36 - 122 / 9), abs=1e-12)


@pytest.mark.parametrize(
    ("unmarked", "expected"),
    [
        # d is {d} for B: n = 8, all 4 units differ; ab 2, cd 2, abc 3, d 1: E = 18
        ("singleton", 1 - 8 * 7 / (64 - 18)),
        # d has one value and is left out: n = 6; ab 2, cd 1, abc 3: E = 14
        ("missing", 1 - 6 * 5 / (36 - 14)),
    ],
)
def test_a_mention_that_one_did_not_mark(unmarked, expected):
    found = alphas([["a", "b"], ["c", "d"]], [["a", "b", "c"]], unmarked=unmarked)
    assert found["nominal"] == pytest.approx(expected, abs=1e-12)


def test_three_annotators_weigh_a_unit_by_its_values():
    # A and B: ab; C: a, b. Each unit has 3 values, of which 4 ordered pairs differ: n Do = 2 * 4/2.
    # n = 6: ab 4, a 1, b 1.
    found = alphas([["a", "b"]], [["a", "b"]], [["a"], ["b"]])
    assert found["nominal"] == pytest.approx(1 - 4 * 5 / (36 - 18), abs=1e-12)


def test_documents_with_other_annotators_add_up():
    # x: A and B have ab, C has a, b, as above: n Do = 4, n = 6, E = 16 + 1 + 1 = 18.
    # y: A and C alone, A has ad, C has a and did not mark d: n = 4, both units differ, n Do = 4,
    # E = 4 + 1 + 1 = 6. A mention of the same name in two documents is not the same mention.
    one, other = {"x": [["a", "b"]]}, [["a"], ["b"]]
    found = corefmeter.agree(
        {"A": one | {"y": [["a", "d"]]}, "B": one, "C": {"x": other, "y": [["a"]]}},
        metrics=["muc"],
    )  # fmt: skip
    whole = found.entities["nominal"]
    assert whole.units == 4
    assert whole.observed == 8 / 10
    assert whole.expected == (100 - 24) / 90
    by_document = {group.name: group.alphas["nominal"] for group in found.documents}
    assert by_document == {"x": 1 - 4 * 5 / (36 - 18), "y": 1 - 4 * 3 / (16 - 6)}


def test_groups_add_up_over_documents():
    # In both documents A has one entity of a mention of one token and one of two, B splits it. In
    # each group there are four sets, each given once: n = 4, E = 4, n Do = 2 * 2. By Jaccard d is
    # 1/2, n Do = 2, and in each document A's set and B's are alike by 1/2: E = 4 + 2 * 2 * 1/2.
    whole, split = [[(0, 1), (3, 5)]], [[(0, 1)], [(3, 5)]]
    found = corefmeter.agree(
        {"A": {"x": whole, "y": whole}, "B": {"x": split, "y": split}}, by=["tokens"],
        metrics=["muc"],
    )  # fmt: skip
    groups = {group.name: group for group in found.groups["tokens"]}
    assert {name: group.mentions for name, group in groups.items()} == {"1": 2, "2": 2}
    for group in groups.values():
        assert group.alphas["nominal"] == 1 - 4 * 3 / (16 - 4)
        assert group.alphas["jaccard"] == 1 - 2 * 3 / (16 - 6)


def test_many_documents_take_no_more_array_operations(monkeypatch):
    def sorted_arrays(documents):
        calls = []
        unique = np.unique
        monkeypatch.setattr(np, "unique", lambda *a, **o: calls.append(1) or unique(*a, **o))
        of = [[Document(str(n), side) for side in SPLIT] for n in range(documents)]
        found = Agreement(["A", "B"], corefmeter.Recipe(), "singleton", Resampling(trials=2))
        set_alphas(found, of, ["tokens"])
        monkeypatch.undo()
        return len(calls)

    assert sorted_arrays(200) == sorted_arrays(2)


def test_alpha_of_mentions_is_that_of_tokens():
    # Of 5 tokens both begin a mention of one token at 0; at 2 one of two tokens and one of one.
    # n = 10: none 6, one 3, two 1. n Do = 2, so alpha = 1 - 2 * 9/(100 - 46) = 2/3.
    one, other = ([Document("x", [[(0, 1), m]], tokens=5)] for m in ((2, 4), (2, 3)))
    found = corefmeter.agree([Corpus(one), Corpus(other)])
    assert found.mentions.value == pytest.approx(2 / 3, abs=1e-12)
    assert found.mentions.units == 5


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        # Of 12 tokens both have a mention of one token at 8. At 2, one has a mention with a gap.
        # n = 24: none 20. n Do = 2 if they differ at 2, so alpha = 1 - 2 * 23/(576 - alike).
        (((2, 3), (5, 6)), (2, 3), 20 * 20 + 3 * 3 + 1),  # 0.7229
        (((2, 3), (5, 6)), ((2, 3), (6, 7)), 20 * 20 + 2 * 2 + 1 + 1),
        (((2, 3), (5, 6)), (2, 6), 20 * 20 + 2 * 2 + 1 + 1),
        (((2, 3), (5, 6)), ((2, 3), (5, 6)), 576),
    ],
)
def test_alpha_of_mentions_with_gaps_is_that_of_their_pieces(one, other, alike):
    sides = ([Document("x", [[mention, (8, 9)]], tokens=12)] for mention in (one, other))
    found = corefmeter.agree([Corpus(side) for side in sides])
    expected = 1 if one == other else 1 - 2 * 23 / (576 - alike)
    assert found.mentions.value == pytest.approx(expected, abs=1e-12)


def test_mentions_that_begin_together_are_one_value():
    # At token 0: {1, 2} and {2}. n = 4: none 2, the others once; all of token 0 differs.
    one, other = ([Document("x", [e], tokens=2)] for e in ([(0, 1), (0, 2)], [(0, 2)]))
    found = corefmeter.agree([Corpus(one), Corpus(other)])
    assert found.mentions.value == pytest.approx(1 - 2 * 3 / (16 - 6), abs=1e-12)


def test_tokens_of_documents_with_other_annotators_add_up():
    # x, of A, B, C: at token 0 of 3 one of three differs: n = 9, n Do = 2 * 2/2. y, of A and C, 2
    # tokens, both at 1: n = 4, all agree. n = 13: none 7 + 2, one token 2 + 2: E = 81 + 16.
    at = [[(0, 1)]], [[(1, 2)]]
    sides = {"A": at, "B": at[:1], "C": ([], at[1])}
    found = corefmeter.agree(
        {name: Corpus([Document("xy"[n], e, tokens=3 - n) for n, e in enumerate(side)])
         for name, side in sides.items()}
    )  # fmt: skip
    assert found.mentions.units == 5
    assert found.mentions.value == pytest.approx(1 - 2 * 12 / (169 - 97), abs=1e-12)


def test_mentions_without_positions_have_no_alpha():
    assert corefmeter.agree([[["a", "b"]], [["a"]]]).mentions is None


# ---- what it must be ----------------------------------------------------------------------------


def randomly(rng, mentions, entities, documents=("x",), share=1.0):
    found = {}
    for name in documents:
        homes = {}
        for mention in mentions:
            if rng.random() < share:
                homes.setdefault(rng.randrange(entities), []).append(mention)
        found[name] = list(homes.values())
    return found


@pytest.mark.parametrize("unmarked", UNMARKED)
def test_all_alike_is_1(unmarked):
    one = randomly(random.Random(1), range(30), 8, ("x", "y"))
    assert alphas(one, one, one, unmarked=unmarked) == dict.fromkeys(DISTANCES, 1)


def test_one_value_only_is_1_and_none_is_not_a_number():
    assert set(alphas([["a", "b"]], [["a", "b"]]).values()) == {1}
    assert all(map(isnan, alphas([], []).values()))


def test_chance_is_near_0_where_entities_are_many_and_large():
    rng = random.Random(3)
    found = alphas(*(randomly(rng, range(4000), 60) for _ in range(3)))
    assert all(abs(value) < 0.02 for value in found.values()), found


def test_chance_is_near_0_for_mentions():
    rng = random.Random(4)
    one, other = ([[(n, n + 1) for n in range(9000) if rng.random() < 0.3]] for _ in range(2))
    assert abs(corefmeter.agree([one, other], metrics=["muc"]).mentions.value) < 0.03


def by_nltk(annotators, distance, unmarked, chosen=lambda mention: True):
    """Alpha over all pairs of values; `chosen` are the units that count."""
    marked = {}
    for documents in annotators:
        for name, entities in documents.items():
            marked.setdefault(name, set()).update(m for entity in entities for m in entity)
    data = []
    for coder, documents in enumerate(annotators):
        for name, entities in documents.items():
            sets = {m: frozenset((name, n) for n in entity) for entity in entities for m in entity}
            for mention in filter(chosen, marked[name]):
                alone = frozenset([(name, mention)]) if unmarked == "singleton" else None
                if value := sets.get(mention, alone):
                    data.append((coder, (name, mention), value))
    return AnnotationTask(data, DISTANCES[distance]).alpha()


@pytest.mark.parametrize("unmarked", UNMARKED)
@pytest.mark.parametrize("seed", range(8))
def test_alpha_is_that_of_nltk(seed, unmarked):
    rng = random.Random(seed)
    mentions = [(n, n + rng.choice((1, 2))) for n in range(14)]
    annotators = [randomly(rng, mentions, 4, ("x", "y", "z"), 0.8) for _ in range(2 + seed % 4)]
    if seed % 2:
        del annotators[0]["y"]  # one annotator lacks a document
    if seed == 5:
        annotators[1]["lonely"] = [[(0, 1), (3, 4)]]  # one unit with one value is none
    named = dict(zip("ABCDE", annotators, strict=False))
    found = corefmeter.agree(named, unmarked=unmarked, by=["tokens"], metrics=["muc"])
    shared = [{n: e for n, e in a.items() if n != "lonely"} for a in annotators]
    for distance, alpha in found.entities.items():
        expected = by_nltk(shared, distance, unmarked)
        assert alpha.value == pytest.approx(expected, abs=1e-12)
    for group in found.groups["tokens"]:
        tokens = int(group.name)
        expected = by_nltk(shared, "masi", unmarked, lambda m, n=tokens: m[1] - m[0] == n)
        assert group.alphas["masi"] == pytest.approx(expected, abs=1e-12)


def test_a_document_that_one_annotator_alone_has_is_reported():
    both = {"x": [["a", "b"]]}
    with pytest.warns(corefmeter.CorefmeterWarning, match="only one annotator has the document"):
        found = corefmeter.agree({"A": both | {"y": [["c", "d"]]}, "B": both, "C": both})
    assert [problem.code for problem in found.problems if problem.document == "y"] == [
        "missing-document"
    ]
    assert [group.name for group in found.documents] == ["x"]


def test_pairs_are_scored_on_the_documents_that_both_have():
    one = {"x": [["a", "b"], ["c", "d"]], "y": [["e", "f"]]}
    other = {"x": [["a", "b", "c", "d"]]}
    found = corefmeter.agree({"A": one, "B": other, "C": one}, metrics=["lea", "conll"])
    scores = {(pair.a, pair.b, pair.metric): pair for pair in found.pairs}
    expected = corefmeter.score({"x": one["x"]}, other)
    assert scores["A", "B", "lea"].f1 == expected.lea.f1
    assert scores["A", "B", "conll"].f1 == expected.conll
    assert scores["A", "B", "lea"].documents == 1
    assert scores["A", "C", "lea"].f1 == 1


def test_the_worst_comes_first():
    good = [["a", "b"], ["c", "d"]]
    split = [["a", "b"], ["c"], ["d"]]
    found = corefmeter.agree(
        [{"x": good, "y": good, "z": []}, {"x": split, "y": good, "z": []}], metrics=["muc"]
    )
    assert [group.name for group in found.documents] == ["x", "y", "z"]
    assert isnan(found.documents[2].alphas["masi"])


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("lengths", "tokens"),
    # What a document counts is the most that any annotator knows of it, or its last mention ends.
    [((3, 3, 9, 9), 12), ((3, None, None, 9), 12), ((None, 3, None, None), 9)],
)
def test_documents_of_unequal_length_weigh_by_their_tokens(lengths, tokens, turned):
    """Of x A marks the first token, B nothing; of y both mark two tokens at 4.

    n is twice the tokens. None at n - 3, one token at 1, two tokens at 2 of them; n Do = 2.
    """
    x_a, x_b, y_a, y_b = lengths
    a = [Document("x", [[(0, 1)]], tokens=x_a), Document("y", [[(4, 6)]], tokens=y_a)]
    b = [Document("x", [], tokens=x_b), Document("y", [[(4, 6)]], tokens=y_b)]
    found = corefmeter.agree([Corpus(a), Corpus(b[::-1] if turned else b)])
    n = 2 * tokens
    assert found.mentions.units == tokens
    expected = 1 - 2 * (n - 1) / (n * n - ((n - 3) ** 2 + 1 + 4))
    assert found.mentions.value == pytest.approx(expected, abs=1e-12)


def test_documents_of_unequal_size_weigh_by_their_mentions():
    """In x of two mentions A and B agree on nothing, in y of six on all.

    x: ab 2, a 1, b 1: n = 4, n Do = 4, E = 6. y: three sets of 4: n = 12, E = 48.
    """
    small, large = [["a", "b"]], [["c", "d"], ["e", "f"], ["g", "h"]]
    a, b = {"x": small, "y": large}, {"y": large, "x": [["a"], ["b"]]}
    whole = 1 - 4 * 15 / (16 * 16 - (6 + 48))
    for sides in ([a, b], [b, a]):
        found = corefmeter.agree(sides, metrics=["muc"])
        assert found.entities["nominal"].value == pytest.approx(whole, abs=1e-12)
        assert [(one.name, one.mentions) for one in found.documents] == [("x", 2), ("y", 6)]
        by_document = [one.alphas["nominal"] for one in found.documents]
        assert by_document == pytest.approx([1 - 4 * 3 / (16 - 6), 1], abs=1e-12)


def test_a_third_annotator_of_some_documents_counts_in_these():
    """x: A, B, C have ab: n = 6, E = 36, all agree. y: of A and B, who agree on nothing, as above.

    Together n = 10, n Do = 4, E = 36 + 6.
    """
    x, split = [["a", "b"]], [["a"], ["b"]]
    for order in ("ABC", "CBA", "BCA"):
        sides = {"A": {"x": x, "y": x}, "B": {"y": split, "x": x}, "C": {"x": x}}
        found = corefmeter.agree({name: sides[name] for name in order}, metrics=["muc"])
        expected = 1 - 4 * 9 / (100 - 42)
        assert found.entities["nominal"].value == pytest.approx(expected, abs=1e-12)
        shared = {frozenset((one.a, one.b)): one.documents for one in found.pairs}
        assert shared == {frozenset("AB"): 2, frozenset("AC"): 1, frozenset("BC"): 1}


@pytest.mark.parametrize("order", ["abcdef", "fedcba", "cafebd"])
def test_lists_begin_with_the_worst_then_the_largest_then_by_name(order):
    """Alphas are -0.2 of d and f, 1 of the others; e has no mention, so no alpha."""
    pair, apart = [["m", "n"]], [["m"], ["n"]]
    two = [*pair, ["o", "p"]]
    of_a = {"a": pair, "b": pair, "c": two, "d": pair, "e": [], "f": pair}
    of_b = {**of_a, "d": apart, "f": apart}
    sides = [{name: side[name] for name in order} for side in (of_a, of_b)]
    found = corefmeter.agree(sides, metrics=["muc", "b3"])
    assert [one.name for one in found.documents] == ["d", "f", "c", "a", "b", "e"]
    # Pairs and metrics are in the order in which they are given.
    three = {"Z": sides[0], "Y": sides[1], "X": sides[0]}
    found = corefmeter.agree(three, metrics=["muc", "b3"])
    assert [(one.a, one.b, one.metric) for one in found.pairs] == [
        (a, b, metric) for a, b in ("ZY", "ZX", "YX") for metric in ("muc", "b3")
    ]


# ---- intervals ----------------------------------------------------------------------------------


def test_intervals_need_six_documents():
    for documents, known in ((5, False), (6, True)):
        one, other = ({f"d{n}": side for n in range(documents)} for side in SPLIT)
        found = corefmeter.agree([one, other], metrics=["muc"])
        alpha = found.entities["nominal"]
        assert (alpha.interval is not None) == known
        assert (found.pairs[0].interval is not None) == known
    # All documents are alike, so that every resample is the corpus.
    assert alpha.interval == (alpha.value, alpha.value)


def test_an_interval_holds_what_differs_between_documents():
    good, bad = (SPLIT[0], SPLIT[0]), (SPLIT[0], [["a", "d"], ["b", "e"], ["c"]])
    annotators = [{f"d{n}": (good if n % 2 else bad)[side] for n in range(8)} for side in (0, 1)]
    found = corefmeter.agree(annotators, metrics=["muc"], trials=400)
    low, high = found.entities["masi"].interval
    assert low < found.alpha < high
    assert high - low > 0.2
    assert corefmeter.agree(annotators, metrics=["muc"], trials=400).alpha == found.alpha


# ---- refusals and the command -------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{"match": "head"}, {"singletons": "drop-key"}, {"as_one_document": True}, {"level": 1},
     {"align": "characters"}, {"repeated": "distinct"}, {"unmarked": "nothing"}, {"trials": 0},
     {"seed": -1}, {"level": 0}],
)  # fmt: skip
def test_what_cannot_be_is_refused(options):
    with pytest.raises(OptionError):
        corefmeter.agree([[["a"]], [["a"]]], **options)


def test_one_annotator_is_refused():
    with pytest.raises(OptionError, match="two or more"):
        corefmeter.agree([[["a"]]])


def test_annotators_without_a_common_document_are_refused():
    with pytest.raises(DataError, match="in common"):
        corefmeter.agree([{"x": [["a"]]}, {"y": [["a"]]}])


def test_the_command_says_what_the_call_says():
    files = ["examples/key.conll", "B=examples/system-a.conll"]
    written = json.loads(run("agree", *files, "-f", "json", "-m", "muc").stdout)
    called = corefmeter.agree(
        {"key": "examples/key.conll", "B": "examples/system-a.conll"}, metrics=["muc"], by=["kind"]
    )
    assert written["entities"]["masi"]["value"] == called.alpha
    assert written["mentions"]["value"] == called.mentions.value
    assert [group["name"] for group in written["groups"]["kind"]] == [
        group.name for group in called.groups["kind"]
    ]
    assert "Alpha of entities by document" in str(called)


def test_the_signature_says_what_agreement_decides_and_repeats_the_run():
    files = ["examples/key.conll", "examples/system-a.conll"]
    options = ("--unmarked", "missing", "--trials", 50, "--seed", 3, "--level", 0.9, "-m", "muc")
    first = json.loads(run("agree", *files, *options, "-f", "json").stdout)
    usual = json.loads(run("agree", *files, "-m", "muc", "-f", "json").stdout)
    assert first["signature"].endswith("|unmarked:missing|trials:50|seed:3|level:0.9")
    assert usual["signature"].endswith("|unmarked:singleton|trials:1000|seed:1|level:0.95")
    again = run("agree", *files, "--recipe", first["signature"], "-f", "json").stdout
    assert json.loads(again) == first
    changed = run("agree", *files, "--recipe", first["signature"], "--unmarked", "singleton",
                  "--seed", 1, "-f", "json")  # fmt: skip
    assert json.loads(changed.stdout)["signature"].endswith(
        "|unmarked:singleton|trials:50|seed:1|level:0.9"
    )
    alone = json.loads(run("agree", *files, "--recipe", "unmarked:missing", "-f", "json").stdout)
    assert alone["entities"]["masi"]["value"] == first["entities"]["masi"]["value"]
    printed = run("agree", *files, *options, "--signature", "full").stdout
    assert printed.splitlines()[-1] == first["signature"]
    short = run("agree", *files, *options).stdout.splitlines()[-1]
    assert short == (
        f"corefmeter:{corefmeter.__version__}|metrics:muc|unmarked:missing|trials:50|seed:3|level:0.9"
    )
    assert json.loads(run("agree", *files, "--recipe", short, "-f", "json").stdout) == first
    called = corefmeter.agree(
        files, metrics=["muc"], unmarked="missing", trials=50, seed=3, level=0.9
    )
    assert called.signature == first["signature"]


@pytest.mark.parametrize(
    ("signature", "message"),
    [("unmarked:nothing", "singleton, missing"), ("trials:many", "not a number"),
     ("seed:-1", "seed 0 or more"), ("level:nan", "between 0 and 1"),
     ("unmarkd:missing", "unmarkd")],
)  # fmt: skip
def test_a_signature_that_cannot_be_is_refused(signature, message):
    files = ["examples/key.conll", "examples/system-a.conll"]
    done = run("agree", *files, "--recipe", f"metrics:muc|{signature}")
    assert done.returncode == 2
    assert message in done.stderr


def test_one_document_is_one(tmp_path):
    key = tmp_path / "a.conll"
    key.write_text("#begin document (d); part 000\nd 0 0 x (1)\nd 0 1 y (1)\n#end document\n")
    (tmp_path / "b.conll").write_text(key.read_text().replace("(1)", "(2)") + "\n")
    both = [key, tmp_path / "b.conll"]
    found = " ".join(run("agree", *both).stdout.split())
    assert "intervals need at least 6 documents (found 1)" in found
    found = " ".join(run("merge", *both).stdout.split())
    assert "Consensus of 2 annotators on 1 document," in found
    assert "1 of 1 document has a consensus" in found


def test_unreadable_files_are_reported_together(tmp_path):
    for name in ("a", "b", "c"):
        text = "x\t(1\n" if name != "a" else "x\t(1)\n"
        (tmp_path / f"{name}.conll").write_text(
            f"#begin document (d); part 000\n{text}\n#end document\n"
        )
    done = run("agree", *(str(tmp_path / f"{name}.conll") for name in "abc"))
    assert done.returncode == 3
    assert "b.conll" in done.stderr
    assert "c.conll" in done.stderr


def test_the_page_begins_with_the_alpha_to_report_and_fits_a_screen():
    """Of 30 documents and 4 annotators, 5 documents and 6 pairs; of 5 annotators 10 pairs."""
    files = ["examples/stories/key.conll"] * 4
    lines = run("agree", *files).stdout.splitlines()
    assert " ".join(lines[:3]).startswith(
        "Report the alpha of entities and its distance: MASI 1.000, and in long texts, which lower "
        "it, Dice 1.000 too."
    )
    assert (len(lines) <= 40, max(map(len, lines)) <= 80) == (True, True)
    assert "Alpha of entities by document, lowest first: 5 of 30" in lines
    assert "by kind" not in " ".join(lines)
    assert lines[-1] == f"corefmeter:{corefmeter.__version__}"
    assert (
        "F1 of pairs, in percent; lowest CoNLL first: 6 of 10"
        in run("agree", *files, files[0]).stdout
    )


def test_all_and_what_is_asked_for_are_shown():
    files = ["examples/key.conll", "examples/system-a.conll"]
    brief = run("agree", *files).stdout
    (header,) = [line.split() for line in brief.splitlines() if "LEA" in line]
    assert header == ["Mentions", "LEA", "CoNLL", "documents"]
    everything = run("agree", *files, "--all").stdout
    assert "MUC" in everything
    assert "Alpha of entities by kind, lowest first" in everything
    assert "--all" not in everything
    asked = run("agree", *files, "-m", "muc", "--feature", "kind").stdout
    assert "MUC" in asked
    assert "LEA" not in asked
    assert "Alpha of entities by kind, lowest first" in asked
