"""`corefmeter.compare`: what it returns, and what it refuses."""

from __future__ import annotations

import copy
import json
import math
import pickle
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import corefmeter
from corefmeter import Corpus, DataError, Document, OptionError, Recipe, compare, score
from corefmeter.corpus.text import Text
from corefmeter.result import Result
from corefmeter.statistics import bootstrap, significance
from corefmeter.statistics.comparison import compare_results
from corefmeter.statistics.plan import Plan, plan_for
from corefmeter.units import Unit

from . import naive
from .corpora import invented

KEY, SYSTEMS = invented("comparison", 24, {"A": 0.2, "B": 0.25, "C": 0.6})
METRICS = ["muc", "lea", "conll"]
QUICK = {"trials": 200, "metrics": METRICS}


@pytest.fixture(scope="module")
def comparison():
    return compare(KEY, SYSTEMS, **QUICK)


def results(systems=SYSTEMS, key=KEY, **options):
    return {name: score(key, response, **options) for name, response in systems.items()}


# What it returns


def test_scores_are_those_of_score(comparison):
    for name, response in SYSTEMS.items():
        result = score(KEY, response, metrics=METRICS)
        for metric in ("muc", "lea"):
            found = comparison[metric].scores[name]
            assert found[:3] == tuple(
                getattr(result[metric], f) for f in ("recall", "precision", "f1")
            )
        assert comparison["conll"].scores[name][:3] == (None, None, result.conll)


def test_a_comparison_can_be_pickled(comparison):
    again = pickle.loads(pickle.dumps(comparison))
    assert again.to_dict() == comparison.to_dict()
    assert again["lea"].pair("A", "C") == comparison["lea"].pair("A", "C")


def test_systems_in_a_list_have_the_names_of_their_files(tmp_path):
    def written(name: str, entities: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            "".join(f"#begin document (d{i});\n{entities}\n#end document\n" for i in range(6)),
            encoding="utf-8",
        )
        return path

    key = written("key.conll", "(0)\n(0)")
    good, bad = written("one/good.conll", "(0)\n(0)"), written("one/bad.conll", "(0)\n(1)")
    other = written("two/bad.conll", "(0)\n-")
    found = compare(key, [good, str(bad)], metrics="lea")
    assert found.systems == ["good", "bad"]
    # Of 2^6 exchanges those of none and of all make the difference as large.
    assert found["lea"].pair("good", "bad").p == 2 / 64
    assert compare(key, (bad, other), metrics="lea").systems == ["one/bad", "two/bad"]
    twin = written("one/bad.json.conll", "(0)\n-").rename(tmp_path / "one/bad.txt")
    assert compare(key, [bad, twin], metrics="lea").systems == ["bad.conll", "bad.txt"]
    results = [score(key, path, metrics="lea") for path in (good, other)]
    assert compare(None, results).systems == ["good", "bad"]
    plain = {f"d{i}": [[(0, 1), (1, 2)]] for i in range(6)}
    assert compare(key, [good, plain], metrics="lea").systems == ["good", "system 2"]
    with pytest.raises(OptionError, match=r"bad\.conll' is given twice"):
        compare(key, [bad, good, bad])
    for one in (str(good), good):
        with pytest.raises(OptionError, match="systems: give"):
            compare(key, one)


@pytest.mark.parametrize(
    "call",
    [
        "corefmeter.compare({'d': [['a']]}, {'A': {'d': [['a']]}, 'B': {'d': [['a']]}})",
        "sys.argv = ['corefmeter', 'compare', 'k', 'a', 'b']; main()",
    ],
)
def test_without_numpy_it_is_said_what_to_install(call):
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        f"import corefmeter\nfrom corefmeter.cli.main import main\n{call}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode
    assert "compare needs numpy, which is not installed; get it with\n  pip install numpy" in (
        done.stderr
    )


def test_every_pair_of_systems_is_compared_once_in_their_order(comparison):
    for metric in METRICS:
        pairs = comparison[metric].pairs
        assert [(pair.a, pair.b) for pair in pairs] == list(combinations("ABC", 2))
        scores = comparison[metric].scores
        for pair in pairs:
            assert pair.difference == scores[pair.a].f1 - scores[pair.b].f1
            assert pair.interval[0] <= pair.difference <= pair.interval[1]


def test_p_values_are_adjusted_within_each_metric(comparison):
    for metric in METRICS:
        pairs = comparison[metric].pairs
        assert [p.p_adjusted for p in pairs] == pytest.approx(naive.holm([p.p for p in pairs]))
        assert all(p.significant == (p.p_adjusted <= 0.05) for p in pairs)


def test_ranks_and_letters_follow_from_what_is_significant(comparison):
    for metric in METRICS:
        found = comparison[metric]
        apart = {frozenset((p.a, p.b)) for p in found.pairs if p.significant}
        for a, b in combinations("ABC", 2):
            shared = set(found.letters[a]) & set(found.letters[b])
            assert bool(shared) == (frozenset((a, b)) not in apart)
        order = sorted("ABC", key=lambda name: -found.scores[name].f1)
        group, rank = [], 1
        for place, name in enumerate(order, 1):
            if any(frozenset((other, name)) in apart for other in group):
                group, rank = [], place
            group.append(name)
            assert found.ranks[name] == rank


def test_a_pair_can_be_seen_from_the_other_side(comparison):
    forward, backward = comparison["lea"].pair("A", "C"), comparison["lea"].pair("C", "A")
    assert (backward.a, backward.b) == ("C", "A")
    assert backward.difference == -forward.difference
    assert backward.interval == (-forward.interval[1], -forward.interval[0])
    assert backward.p == forward.p
    for a, b in (("A", "A"), ("A", "D"), ("D", "A")):
        with pytest.raises(KeyError):
            comparison["lea"].pair(a, b)


def test_every_pair_is_found_by_its_names():
    many = {f"s{i}": SYSTEMS["A"] for i in range(6)}
    found = compare(KEY, many, metrics="muc", trials=10)["muc"]
    for a, b in combinations(many, 2):
        assert found.pair(a, b)[:2] == (a, b)
        assert found.pair(b, a)[:2] == (b, a)
    assert len(found.pairs) == 15


def test_a_metric_is_found_by_any_of_its_names(comparison):
    assert comparison["CoNLL_score"] is comparison["conll"]
    with pytest.raises(OptionError, match="'b3' was not compared"):
        comparison["b3"]
    assert list(comparison) == METRICS


def test_all_p_values_at_once(comparison):
    p_values = comparison.p_values()
    assert len(p_values) == 3 * len(METRICS)
    assert p_values["lea", "A", "B"] == comparison["lea"].pair("A", "B").p
    adjusted = comparison.p_values(adjusted=True)
    assert adjusted["lea", "A", "B"] == comparison["lea"].pair("A", "B").p_adjusted


def test_the_json_has_the_documented_shape(comparison):
    document = json.loads(json.dumps(comparison.to_dict(), allow_nan=False))
    assert document["schema"] == 1
    assert document["signature"] == comparison.signature
    assert (document["test"], document["trials"], document["seed"]) == ("randomization", 200, 1)
    assert document["units"] == 24
    assert document["systems"] == ["A", "B", "C"]
    assert list(document["metrics"]) == METRICS
    lea = document["metrics"]["lea"]
    assert list(lea) == ["scores", "pairs", "ranks", "letters"]
    assert list(lea["scores"]["A"]) == ["recall", "precision", "f1", "interval"]
    assert list(document["metrics"]["conll"]["scores"]["A"]) == ["f1", "interval"]
    assert list(lea["pairs"][0])[:6] == ["a", "b", "difference", "interval", "p", "p_adjusted"]
    assert lea["pairs"][0]["p"] == comparison["lea"].pairs[0].p
    assert lea["ranks"] == comparison["lea"].ranks


def test_the_signature_says_how_and_can_be_repeated(comparison):
    recipe = Recipe(metrics=METRICS)
    assert comparison.signature == (
        f"{recipe.signature()}|test:randomization|trials:200|seed:1|by:document|correction:holm"
        "|alpha:0.05|level:0.95|interval:percentile|score:f1"
    )
    text, plan = Plan.split(comparison.signature)
    assert Recipe.parse(text) == recipe
    assert Plan(**plan) == comparison.plan
    by = plan.pop("by")
    again = compare(KEY, SYSTEMS, Recipe.parse(text), by=by, **plan)
    assert again.to_dict() == comparison.to_dict()


def test_the_same_seed_gives_the_same_and_another_does_not(comparison):
    assert compare(KEY, SYSTEMS, **QUICK).to_dict() == comparison.to_dict()
    other = compare(KEY, SYSTEMS, **QUICK, seed=2)
    assert other["lea"].pairs != comparison["lea"].pairs
    assert other["lea"].scores["A"].f1 == comparison["lea"].scores["A"].f1


def test_results_are_compared_like_responses(comparison):
    assert compare(None, results(metrics=METRICS), trials=200).to_dict() == comparison.to_dict()
    mixed = {**SYSTEMS, "B": score(KEY, SYSTEMS["B"], metrics=METRICS)}
    assert compare(KEY, mixed, **QUICK).to_dict() == comparison.to_dict()


def test_the_order_of_documents_means_nothing(comparison):
    shuffled = {name: SYSTEMS["B"][name] for name in sorted(SYSTEMS["B"], reverse=True)}
    key = {name: KEY[name] for name in reversed(KEY)}
    given = results(metrics=METRICS) | {"B": score(key, shuffled, metrics=METRICS)}
    assert compare_results(given, trials=200).to_dict() == comparison.to_dict()


def test_the_order_of_the_key_means_nothing(comparison):
    """24 documents differ too often to be enumerated, so that random exchanges decide."""
    key = {name: KEY[name] for name in reversed(KEY)}
    found = compare(key, SYSTEMS, **QUICK)
    assert not comparison["lea"].pair("A", "B").exact
    assert found.to_dict() == comparison.to_dict()


def test_units_that_differ_by_rounding_alone_do_not_differ():
    """0.1 + 0.2 and 0.3 are the same sum of LEA; 0.3 and 0.4 are not."""
    rows = {"A": [(0.1 + 0.2, 1, 0.5, 1), (0.3, 1, 0.5, 1)],
            "B": [(0.3, 1, 0.5, 1), (0.4, 1, 0.5, 1)]}  # fmt: skip
    units = [Unit(name, name) for name in "de"]
    made = {n: Result(Recipe(metrics="lea"), units, {"lea": of}) for n, of in rows.items()}
    assert compare_results(made)["lea"].pairs[0].differing == 1


def test_nothing_is_detectable_where_nothing_could_be_significant():
    """Systems differ on 5 of 30 documents: no p is below 2^(1-5) = 0.0625; on 6, 0.03125.

    Of three systems p is multiplied by 3 (Holm): 6 documents give 0.094, 7 give 0.047.
    """
    key = {f"d{i:02}": [["x", "y"], ["z", "w"]] for i in range(30)}

    def worse(on: int, clusters=(["x", "y"], ["z"], ["w"])):
        return {name: [*clusters] if i < on else key[name] for i, name in enumerate(key)}

    def known(systems, **options) -> list[bool]:
        found = compare(key, systems, metrics="lea", **options)["lea"]
        return [pair.detectable is not None for pair in found.pairs]

    assert known({"A": key, "B": worse(5)}) == [False]
    assert known({"A": key, "B": worse(6)}) == [True]
    three = {"A": key, "B": worse(6), "C": worse(7, (["x"], ["y"], ["z"], ["w"]))}
    assert known(three) == [False, True, True]
    assert known(three, correction="bh") == [True, True, True]
    # 29 documents are not enumerated; 19 trials give 1/20 = 0.05, and 18 more.
    assert known({"A": key, "B": worse(29)}, trials=18) == [False]
    assert known({"A": key, "B": worse(29)}, trials=19) == [True]


def test_identical_outputs_have_p_one_and_share_rank_and_letters():
    twins = {**SYSTEMS, "twin": copy.deepcopy(SYSTEMS["A"])}
    for test in ("randomization", "bootstrap"):
        found = compare(KEY, twins, metrics="all", trials=200, test=test)
        for metric in found:
            pair = found[metric].pair("A", "twin")
            assert (pair.p, pair.p_adjusted, pair.difference) == (1, 1, 0)
            assert pair.interval == (0, 0)
            assert pair.differing == 0
            assert found[metric].ranks["A"] == found[metric].ranks["twin"]
            assert found[metric].letters["A"] == found[metric].letters["twin"]


@pytest.mark.parametrize("field", ["recall", "precision"])
def test_recall_and_precision_are_compared_too(field):
    found = compare(KEY, SYSTEMS, metrics=["lea", "conll"], score=field, trials=100)
    assert list(found) == ["lea"]  # an average has no recall, which is told
    (problem,) = [p for p in found.problems if p.code == "f1-only"]
    assert f"conll: left out; an average of F1 has no {field}" in problem.message
    scores = found["lea"].scores
    assert found["lea"].pairs[0].difference == getattr(scores["A"], field) - getattr(
        scores["B"], field
    )
    low, high = scores["A"].interval
    assert low <= getattr(scores["A"], field) <= high


def test_an_average_alone_has_no_recall_to_compare():
    with pytest.raises(OptionError, match="conll: an average of F1 has no recall"):
        compare(KEY, SYSTEMS, metrics="conll", score="recall")


def test_the_test_is_called_exact_where_all_exchanges_were_made():
    key, systems = invented("few", 8, {"A": 0.3, "B": 0.5})
    found = compare(key, systems, metrics=METRICS, trials=50)
    assert found.test == "exact"
    assert "test:randomization" in found.signature
    again = compare(key, systems, metrics=METRICS, trials=50, test="exact")
    assert again["lea"].pairs == found["lea"].pairs


def test_macro_averages_are_compared_as_means_of_documents():
    """A mean of documents' scores; all exchanges of six documents, by hand."""
    key, systems = invented("macro", 6, {"A": 0.3, "B": 0.5})
    found = compare(key, systems, metrics="b3", average="macro")["b3"]
    each = {
        name: [score(key, r, metrics="b3").by("document")[d].b3.f1 for d in key]
        for name, r in systems.items()
    }
    gaps = np.array(each["A"]) - np.array(each["B"])
    signs = 1 - 2 * (np.arange(64)[:, None] >> np.arange(6) & 1)
    large = np.abs(signs @ gaps) >= abs(gaps.sum()) - 1e-9
    assert found.pairs[0].difference == pytest.approx(gaps.mean())
    assert found.pairs[0].p == large.mean()


# Aspects of systems


def test_a_line_of_the_card_is_compared():
    """On the mentions that both have, A is right and B finds one of two links: F1 1 and 2/3.

    Of 2^6 exchanges those of none and of all make the difference as large.
    """
    key = {f"d{i}": [["a", "b"], ["c", "d"]] for i in range(6)}
    systems = {"A": {name: [["a", "b"], ["c"]] for name in key},
               "B": {name: [["a"], ["b"], ["c", "d"]] for name in key}}  # fmt: skip
    found = compare(key, systems, metrics="muc", part="linking")
    pair = found["muc"].pair("A", "B")
    assert pair.difference == pytest.approx(1 - 2 / 3)
    assert pair.interval == pytest.approx((1 / 3, 1 / 3))
    assert pair.p == 2 / 64
    assert found.signature.endswith("|score:f1|part:linking")
    # The mentions of the key that B and A have not are put in without a link: 1/2 each.
    found = compare(key, systems, metrics="muc", part="linking, key's mentions")
    assert found["muc"].pairs[0].difference == 0


def spans(*starts: int) -> list[tuple[int, int]]:
    return [(start, start + 1) for start in starts]


def in_six_documents(key: list, *systems: list) -> tuple[dict, dict]:
    """The same in each of six documents; systems A, B, …"""
    of = [{f"d{i}": entities for i in range(6)} for entities in (key, *systems)]
    return of[0], dict(zip("ABC", of[1:], strict=False))


@pytest.mark.parametrize(
    ("part", "difference"),
    [
        # The key and B have mentions of one token alone: A has both, B one, and one that is wrong.
        ("mentions/tokens/1", 1 - 1 / 2),
        # A has one that is wrong; the key and B have none, which counts as 1 here.
        ("mentions/tokens/2", 0 - 1),
        ("characters/mentions/1", 0 - 1),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_line_that_the_card_of_one_response_lacks_is_compared(part, difference, turned):
    key, systems = in_six_documents(
        [spans(0, 3)], [spans(0, 3), [(6, 8)]], [spans(0, 9)]
    )  # fmt: skip
    if turned:
        systems = dict(reversed(systems.items()))
    found = compare(key, systems, part=part, undefined="one")
    (metric,) = found.metrics.values()
    assert metric.pair("A", "B").difference == pytest.approx(difference)


@pytest.mark.parametrize(("name", "score"), [("whole", 2 / 3), ("inside", 1)])
def test_a_line_of_windows_is_compared_although_one_response_is_in_the_first(name, score):
    """B links 0 and 1 with 4: MUC 1/1 and 1/2; in windows of 3 tokens 4 is alone. A is right."""
    key, systems = in_six_documents([spans(0, 1)], [spans(0, 1)], [spans(0, 1, 4)])
    found = compare(key, systems, metrics="muc", part=f"long/windows of 3 tokens/{name}")
    assert found["muc"].pair("A", "B").difference == pytest.approx(1 - score)


def test_the_name_of_a_line_says_what_a_character_is():
    """LEA of entities of more than 2: A has it, B two pieces of it."""
    key, systems = in_six_documents([list("abc")], [list("abc")], [["a", "b"], ["c"]])
    found = compare(key, systems, part="characters/mentions/3+")
    assert found["lea"].pair("A", "B").difference == 1


def test_a_line_that_no_card_has_is_refused_with_those_that_there_are():
    key, systems = in_six_documents([spans(0, 3)], [spans(0), [(3, 5)]], [spans(0, 9)])
    message = "unknown line of the card 'mentions/tokens/1O'; did you mean 'mentions/tokens/1'.*; "
    with pytest.raises(OptionError, match=message + "mentions/tokens/2; "):
        compare(key, systems, part="mentions/tokens/1O")


def test_a_name_of_different_lines_is_refused():
    """A has a span of 0-9 tokens, B a link of so many; the key has neither."""
    key, systems = in_six_documents([spans(0, 20)], [spans(0), spans(20)], [spans(0, 20, 25)])
    lines = "'long/span in tokens/0-9' and 'long/tokens apart/0-9'"
    with pytest.raises(OptionError, match=lines):
        compare(key, systems, part="0-9")


def told(*entities: list) -> Corpus:
    """Six documents of the same words."""
    text = Text(["Ann", "saw", "her", "dog", "and", "it", "barked", "."])
    return Corpus([Document(f"d{i}", [*entities], tokens=8, text=text) for i in range(6)])


def test_pronouns_of_a_language_are_compared():
    """Of her and it A has one, B none: F1 2 * 1 / (2 + 1) and 0."""
    key = told(spans(0, 2), spans(3, 5))
    systems = {"A": told(spans(0, 2)), "B": told(spans(0, 3))}
    found = compare(key, systems, part="mentions/kind/pronoun", pronouns="en")
    assert found["mentions"].pair("A", "B").difference == pytest.approx(2 / 3)
    assert found.signature.endswith("|part:mentions/kind/pronoun|pronouns:en")
    assert found.to_dict()["part"] == "mentions/kind/pronoun"


def test_a_kind_that_one_response_has_is_compared():
    """Of the key and A no pronoun is decided on; B links it, which is wrong."""
    tagged = ["NNP", "VBD", "NN", "NN", "CC", "PRP", "VBD", "."]

    def tags(corpus: Corpus) -> Corpus:
        texts = [Text(one.text.words, pos=tagged) for one in corpus]
        return Corpus([d.replace(text=t) for d, t in zip(corpus, texts, strict=True)])

    key = tags(told(spans(0, 2)))
    systems = {"A": tags(told(spans(0, 2))), "B": tags(told(spans(0, 2, 5)))}
    found = compare(key, systems, kind="arcs-immediate:pronoun", undefined="one")
    assert found["arcs-immediate"].pair("A", "B").difference == 1


def test_one_score_of_a_metric_is_compared():
    found = compare(KEY, SYSTEMS, part="b3:recall", trials=100)
    expected = compare(KEY, SYSTEMS, metrics="b3", score="recall", trials=100)
    assert found.to_dict() == expected.to_dict()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"part": "linkin"}, "unknown line of the card 'linkin'; did you mean 'linking'"),
        ({"part": "characters/mentions/7"}, "unknown line of the card 'characters/mentions/7'"),
        ({"part": "long/windows of 0 tokens/whole"}, "window is 0"),
        ({"part": "linking", "pronouns": "en"}, "pronouns has no effect"),
        ({"part": "linking", "kind": "pronoun"}, "choose one"),
        ({"part": "b3:recall", "score": "f1"}, "choose one"),
        ({"part": "entities", "metrics": "muc"}, "line of the card"),
        ({"part": "long/span in tokens/0-9", "metrics": "muc"}, "line of the card"),
        ({"kind": "b3:pronoun"}, "b3: cannot be restricted to a mention type"),
        ({"kind": "pronoun"}, "nothing is decided about mentions of the kind 'pronoun'"),
        ({"part": "a|b"}, "cannot be in a signature"),
    ],
)
def test_aspects_that_cannot_be_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        compare(KEY, SYSTEMS, **options)


def test_results_have_no_other_aspects():
    with pytest.raises(OptionError, match="part: give responses"):
        compare(None, results(), part="linking")


# Units


def test_parts_are_pooled_into_documents_unless_asked_otherwise():
    units = [Unit("d", "(d); part 000"), Unit("d", "(d); part 001"), Unit("e", "e")]
    rows = {"A": [(1, 2, 1, 2), (0, 2, 0, 2), (1, 1, 1, 1)],
            "B": [(0, 2, 0, 2), (0, 2, 0, 2), (0, 1, 0, 1)]}  # fmt: skip
    made = {n: Result(Recipe(metrics="muc"), units, {"muc": row}) for n, row in rows.items()}
    by_document = compare_results(made, trials=10)
    assert by_document.units == ["d", "e"]
    assert by_document["muc"].pairs[0].differing == 2
    by_part = compare_results(made, trials=10, by="part")
    assert by_part.units == ["(d); part 000", "(d); part 001", "e"]
    assert by_part.plan.by == "part"


def test_blocks_are_exchanged_as_wholes():
    key, systems = invented("blocks", 12, {"A": 0.3, "B": 0.5})
    blocks = {name: f"block {i % 3}" for i, name in enumerate(key)}
    found = compare(key, systems, metrics="muc", by=("thirds", blocks))
    assert (found.units, found.plan.by) == (["block 0", "block 1", "block 2"], "thirds")
    # Joined documents, of mentions that are told apart, give the same p.
    joined = {}
    for side, documents in (("key", key), *systems.items()):
        joined[side] = {block: [] for block in found.units}
        for name, entities in documents.items():
            joined[side][blocks[name]] += [[(name, m) for m in entity] for entity in entities]
    exact = naive.exact_p("muc", joined["key"], joined["A"], joined["B"])
    assert found["muc"].pairs[0].p == float(exact)


def test_genres_are_the_first_part_of_the_names():
    found = compare(KEY, SYSTEMS, metrics="muc", trials=50, by="genre")
    assert sorted(found.units) == sorted({name[0] for name in KEY})


def test_a_document_that_the_groups_lack_is_named():
    with pytest.raises(OptionError, match="is in no group"):
        compare(KEY, SYSTEMS, metrics="muc", by={"x/d0": "one"})


def test_an_unknown_unit_is_refused():
    with pytest.raises(OptionError, match="unknown group 'documnt'; did you mean 'document'"):
        compare(KEY, SYSTEMS, metrics="muc", by="documnt")


# What it refuses


def refused(code: str, *arguments, **options) -> str:
    with pytest.raises(DataError) as caught:
        compare(*arguments, **options)
    assert {problem.code for problem in caught.value.problems} == {code}
    return str(caught.value)


def test_one_document_is_refused_with_the_reason():
    text = refused(
        "one-document", {"novel": [[1, 2]]}, {"A": {"novel": [[1, 2]]}, "B": {"novel": []}}
    )
    assert "there is one document" in text
    assert "need the scores of several units" in text
    assert "Split it into independent documents" in text


def test_documents_joined_into_one_are_refused_with_the_reason():
    text = refused("one-document", KEY, SYSTEMS, as_one_document=True)
    assert "all documents were scored as one" in text
    assert "without as_one_document=True" in text


def test_one_block_is_refused_with_the_reason():
    text = refused("one-document", KEY, SYSTEMS, by=dict.fromkeys(KEY, "all"))
    assert "all 24 documents are one block by groups" in text


def test_systems_scored_on_different_documents_are_refused_with_names():
    fewer = {name: KEY[name] for name in list(KEY)[2:]}
    given = results()
    given["B"] = score(fewer, SYSTEMS["B"])
    for force in (False, True):
        with pytest.raises(DataError) as caught:
            compare_results(given, force=force)
        (problem,) = caught.value.problems
        assert problem.code == "different-documents"
        first, second = list(KEY)[:2]
        assert problem.message == f"A was scored on {first!r}, {second!r}, but B was not"


@pytest.mark.parametrize(
    ("number", "named"), [(3, "'0', '1', '2'"), (4, "'0', '1', '2' and 1 more")]
)
def test_three_documents_that_a_system_lacks_are_named(number, named):
    key = {str(name): [[0, 1]] for name in range(9)}
    fewer = {name: key[name] for name in list(key)[number:]}
    with pytest.raises(DataError) as caught:
        compare_results({"A": score(key, key), "B": score(fewer, fewer)})
    (problem,) = caught.value.problems
    assert problem.message == f"A was scored on {named}, but B was not"


def test_the_paired_bootstrap_takes_as_many_trials_as_the_plan_has():
    """A p is (1 + the resamples that are as far apart) / (1 + trials); A is better throughout."""
    key = {f"d{n}": [[0, 1, 2], [3, 4]] for n in range(8)}
    worse = {name: [[0, 1]] if n % 2 else [[0, 1, 3]] for n, name in enumerate(key)}
    found = compare_results(
        {"A": score(key, key, metrics="muc"), "B": score(key, worse, metrics="muc")},
        test="bootstrap", trials=60, seed=4,
    )  # fmt: skip
    (pair,) = found["muc"].pairs
    # MUC of B: 8 of 24 links are found, of 4 * 1 + 4 * 2 links 8 are right.
    assert pair.difference == pytest.approx(1 - 2 * 8 / (24 + 12))
    assert pair.p == 1 / 61


def test_a_missing_scipy_is_named_before_anything_is_tested(monkeypatch):
    given = results(metrics="muc")
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(OptionError, match="the test 't' needs scipy"):
        compare_results(given, test="t")


def test_both_sides_of_a_difference_in_documents_are_named():
    one, other = ({name: [[0, 1]] for name in names} for names in ("abc", "bcd"))
    with pytest.raises(DataError) as caught:
        compare_results({"A": score(one, one), "B": score(other, other)})
    assert [p.message for p in caught.value.problems] == [
        "A was scored on 'a', but B was not",
        "B was scored on 'd', but A was not",
    ]


def test_systems_scored_against_different_keys_are_refused():
    name = next(iter(KEY))
    other = {**KEY, name: [*KEY[name], [50, 51]]}
    given = {"A": score(KEY, SYSTEMS["A"]), "B": score(other, SYSTEMS["B"])}
    with pytest.raises(DataError) as caught:
        compare_results(given)
    (problem,) = caught.value.problems
    n = sum(map(len, KEY[name]))
    assert problem.code == "different-keys"
    assert f"the key in {name!r} is {n} with A, but {n + 2} with B" in problem.message


def test_systems_scored_in_different_ways_are_refused_with_their_signatures():
    given = {**results(), "B": score(KEY, SYSTEMS["B"], singletons="drop")}
    with pytest.raises(DataError) as caught:
        compare_results(given)
    (problem,) = caught.value.problems
    assert problem.code == "different-recipes"
    assert "singletons:keep" in problem.message
    assert "singletons:drop" in problem.message
    assert "--force" in problem.hint


def test_force_compares_them_and_says_so():
    given = {
        "A": score(KEY, SYSTEMS["A"], metrics="muc"),
        "B": score(KEY, SYSTEMS["B"], metrics="muc", repeated="merge"),
    }
    found = compare_results(given, force=True, trials=50)
    assert "different-recipes" in {problem.code for problem in found.problems}
    assert found["muc"].scores["B"].f1 == given["B"].muc.f1


def test_force_never_compares_scores_that_are_defined_differently():
    given = {"A": score(KEY, SYSTEMS["A"]), "B": score(KEY, SYSTEMS["B"], average="macro")}
    with pytest.raises(DataError, match="never compared"):
        compare_results(given, force=True)


def test_other_versions_of_the_program_are_other_recipes():
    given = results(metrics="muc")
    given["B"].version = "0.0.1"
    with pytest.raises(DataError) as caught:
        compare_results(given)
    assert "corefmeter:0.0.1|" in str(caught.value)


def test_different_metrics_are_refused_until_common_ones_are_chosen():
    given = {"A": score(KEY, SYSTEMS["A"], metrics=["muc", "lea"]),
             "B": score(KEY, SYSTEMS["B"], metrics=["lea", "b3"])}  # fmt: skip
    with pytest.raises(DataError, match="Choose metrics that all of them have"):
        compare_results(given, trials=50)
    assert list(compare_results(given, trials=50, metrics="lea")) == ["lea"]
    assert list(compare_results(given, trials=50, force=True)) == ["lea"]


@pytest.mark.parametrize("order", ["ABC", "BCA", "CBA"])
def test_force_compares_by_the_metrics_that_all_have(order):
    """Each of muc, b3 and ceafe is lacking in one of three; lea is in all."""
    metrics = {"A": ["muc", "b3", "lea"], "B": ["b3", "lea", "ceafe"], "C": ["lea", "ceafe", "muc"]}
    given = {name: score(KEY, SYSTEMS[name], metrics=metrics[name]) for name in order}
    assert list(compare_results(given, trials=50, force=True)) == ["lea"]


def test_a_metric_that_was_not_computed_is_named():
    with pytest.raises(OptionError, match="'b3' was not computed"):
        compare_results(results(metrics="muc"), metrics=["b3"])


def test_one_system_is_nothing_to_compare():
    with pytest.raises(OptionError, match="two systems or more"):
        compare(KEY, {"A": SYSTEMS["A"]})


def test_a_response_needs_a_key():
    with pytest.raises(OptionError, match="no key to score 'A' against"):
        compare(None, SYSTEMS)


def test_options_of_scoring_do_not_change_results():
    with pytest.raises(OptionError, match="'A' was not scored with the options"):
        compare(None, results(), singletons="drop")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "randomisation"}, "did you mean 'randomization'"),
        ({"correction": "bonferroni"}, "unknown value of correction"),
        ({"interval": "bcaa"}, "did you mean 'bca'"),
        ({"score": "f"}, "unknown value of score"),
        ({"trials": 0}, "trials: 0 is not a whole number of 1 or more"),
        ({"trials": 1e4}, "trials"),
        ({"seed": -1}, "seed: -1 is not a whole number of 0 or more"),
        ({"alpha": 0}, "alpha: 0 is not between 0 and 1"),
        ({"alpha": 1}, "alpha: 1 is not between 0 and 1"),
        ({"level": 0}, "level: 0 is not between 0 and 1"),
        ({"level": 1}, "level: 1 is not between 0 and 1"),
        ({"level": 95}, "level: 95 is not between 0 and 1"),
        ({"trails": 10}, "unknown option 'trails'"),
    ],
)
def test_options_that_cannot_be_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        compare(KEY, SYSTEMS, **options)
    if "trails" not in options:
        with pytest.raises(OptionError, match=message):
            compare_results(results(), **options)


def test_compare_results_refuses_unknown_options():
    with pytest.raises(OptionError, match="did you mean 'trials'"):
        compare_results(results(), trails=10)


# What it warns of


def warned(code: str, found) -> list[str]:
    return [problem.message for problem in found.problems if problem.code == code]


def few(n: int, systems: int, **options):
    key = {f"d{i}": [[0, 1]] for i in range(n)}
    given = {f"s{i}": key for i in range(systems)}
    return compare(key, given, metrics="muc", trials=100, **options)


def test_documents_too_few_for_any_p_to_be_small_enough():
    # 2^(1-5) = 0.0625 > 0.05, 2^(1-6) = 0.03125.
    assert (
        "5 units and 1 pair of systems, no adjusted p of a randomization test is below 0.0625"
        in warned("few-documents", few(5, 2))[0]
    )
    assert not any("no adjusted p" in message for message in warned("few-documents", few(6, 2)))
    # Three pairs: 3 * 0.03125 by Holm; by Benjamini and Hochberg three equal p stay as they are.
    assert "0.0938" in warned("few-documents", few(6, 3))[0]
    for correction in ("bh", "none"):
        messages = warned("few-documents", few(6, 3, correction=correction))
        assert not any("no adjusted p" in message for message in messages)
    assert "0.0312" in warned("few-documents", few(6, 2, alpha=0.01))[0]


def test_documents_too_few_for_intervals():
    assert "bootstrap intervals are too optimistic" in warned("few-documents", few(29, 2))[-1]
    assert warned("few-documents", few(30, 2)) == []
    for n, test, better in (
        (6, "randomization", True), (19, "randomization", True), (20, "randomization", False),
        (10, "bootstrap", True),
    ):  # fmt: skip
        hint = few(n, 2, test=test).problems[-1].hint
        assert (hint is not None and "test t are more reliable" in hint) == better
        assert (hint is not None and "rely on p" in hint) == (better and test != "bootstrap")
    assert warned("few-documents", few(10, 2, test="t")) == []
    messages = warned("few-documents", few(10, 2, test="bootstrap"))
    assert "intervals and p-values are too optimistic" in messages[-1]


@pytest.mark.parametrize("units", [2, 5])
def test_units_too_few_to_resample_have_no_intervals(units):
    # b finds half of what a finds, in every document alike.
    key = {f"d{i}": [["x", "y"], ["z", "w"]] for i in range(units)}
    worse = {name: [["x", "y"], ["z"], ["w"]] for name in key}
    found = compare(key, {"a": key, "b": worse}, metrics=["lea"], trials=100)
    pair = found["lea"].pair("a", "b")
    assert pair.p == 2 ** (1 - units)  # the exchange of none and of all
    assert (pair.interval, pair.detectable) == (None, None)
    assert [score.interval for score in found["lea"].scores.values()] == [None, None]
    assert warned("few-documents", found) == [
        f"with {units} units and 1 pair of systems, no adjusted p of a randomization test is below "
        f"{2 ** (1 - units):.3g}, so nothing can be significant at 0.05",
        f"{units} units are too few for intervals and detectable differences, which need at "
        "least 6",
    ]
    with pytest.raises(DataError, match=r"(?s)needs at least 6 units.*randomization") as refused:
        compare(key, {"a": key, "b": worse}, metrics=["lea"], test="bootstrap")
    assert [problem.code for problem in refused.value.problems] == ["few-documents"]


def test_six_units_are_resampled_and_units_that_tell_the_same_detect_nothing():
    key = {f"d{i}": [["x", "y"], ["z", "w"]] for i in range(6)}
    worse = {name: [["x", "y"], ["z"], ["w"]] for name in key}
    found = compare(key, {"a": key, "b": worse}, metrics=["muc"], trials=100, test="bootstrap")
    # MUC of b: recall 1/2, precision 1, so F1 2/3 in every resample.
    pair = found["muc"].pair("a", "b")
    assert pair.interval == pytest.approx((1 / 3, 1 / 3))
    assert pair.detectable is None
    # The smallest p of exchanges says nothing of the test that was chosen.
    three = compare(key, {"a": key, "b": worse, "c": worse}, metrics=["muc"], trials=100,
                    test="bootstrap")  # fmt: skip
    assert not any("nothing can be significant" in m for m in warned("few-documents", three))


def test_trials_too_few_for_any_p_to_be_small_enough():
    noisy = compare(KEY, SYSTEMS, metrics="muc", trials=50)
    # Three pairs by Holm: 3/51 = 0.0588; 59 trials give 3/60 = 0.05.
    assert (
        "50 trials and 3 pairs of systems, no adjusted p is below 0.0588"
        in warned("few-trials", noisy)[0]
    )
    (problem,) = [p for p in noisy.problems if p.code == "few-trials"]
    assert "trials=59" in problem.hint
    assert warned("few-trials", compare(KEY, SYSTEMS, metrics="muc", trials=59)) == []


def test_enumeration_needs_no_trials():
    key, systems = invented("enumerated", 8, {"A": 0.3, "B": 0.5})
    assert warned("few-trials", compare(key, systems, metrics="muc", trials=1)) == []


def test_problems_of_scoring_come_along():
    doubled = {**SYSTEMS["A"]}
    name = next(iter(doubled))
    doubled[name] = [*doubled[name], list(KEY[name][0])]
    found = compare(KEY, {**SYSTEMS, "A": doubled}, metrics="muc", trials=50)
    assert warned("repeated-mention", found)


def test_scores_that_are_no_numbers_are_none():
    key = {f"d{i}": [[0], [1]] for i in range(6)}
    other = {name: [[0, 1]] for name in key}
    found = compare(key, {"A": key, "B": other}, metrics=["muc", "b3"], undefined="skip", trials=20)
    pair = found["muc"].pairs[0]
    assert pair[2:6] == (None, None, None, None)
    assert not pair.significant
    assert found["muc"].ranks == {"A": None, "B": 1}
    assert found["muc"].scores["A"].f1 is None
    json.dumps(found.to_dict(), allow_nan=False)


def test_progress_reaches_the_end():
    told = []
    compare_results(results(metrics="muc"), trials=100, progress=lambda *p: told.append(p))
    done, total = told[-1]
    assert done == total
    assert [d for d, _ in told] == sorted(d for d, _ in told)


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_progress_counts_the_trials_that_are_done(test, monkeypatch):
    """One metric: 100 trials of all pairs, or of each pair, in chunks of 40 resamples."""
    for module in (significance, bootstrap):
        monkeypatch.setattr(module, "chunk_size", lambda width: 40)
    told = []
    found = results(metrics="muc")
    compare_results(found, trials=100, test=test, progress=lambda *p: told.append(p))
    (total,) = {total for _, total in told}
    assert total % 100 == 0
    assert 0 < told[0][0] < total == told[-1][0]


def test_a_comparison_shows_what_it_is(comparison):
    assert repr(comparison) == "<Comparison of 3 systems on 24 units by muc, lea, conll>"
    assert isinstance(comparison, corefmeter.Comparison)


def test_systems_can_be_sorted_by_a_metric(comparison):
    order = comparison.sorted_by("lea")
    scores = [comparison["lea"].scores[name].f1 for name in order]
    assert scores == sorted(scores, reverse=True)
    assert math.isclose(scores[0], max(scores))


@pytest.mark.parametrize(
    "given", [("none", "half", "all"), ("half", "all", "none"), ("none", "all", "half")]
)
def test_systems_are_sorted_in_whatever_order_they_are_given(given):
    """MUC of four links in each of eight documents: all, two, and none of them.

    The least p is 2/2^8, and by Holm 3 * 2/2^8 = 0.023 for three pairs: all differ.
    """
    names = [f"d{number}" for number in range(8)]
    found = {
        "all": [list("abcde")],
        "half": [list("abc"), ["d"], ["e"]],
        "none": [[mention] for mention in "abcde"],
    }
    key, *systems = (dict.fromkeys(names, found[one]) for one in ("all", *given))
    comparison = compare(key, dict(zip(given, systems, strict=True)), metrics="muc")
    assert comparison.sorted_by("muc") == ["all", "half", "none"]
    assert comparison["muc"].ranks == {"all": 1, "half": 2, "none": 3}


@pytest.mark.parametrize(
    ("differing", "p"),
    # Of the 2^n exchanges of n documents, none and all are as large: 2/2^n.
    [(5, 1 / 16), (4, 1 / 8), (3, 1 / 4)],
)
def test_a_p_of_alpha_is_significant(differing, p):
    names = [f"d{number}" for number in range(differing)]
    key = {name: [["a", "b"]] for name in names}
    bad = {name: [["a"], ["b"]] for name in names}
    for alpha, significant in ((p, True), (0.999 * p, False)):
        found = compare(key, {"A": key, "B": bad}, metrics="muc", alpha=alpha)
        pair = found["muc"].pairs[0]
        assert (pair.p, pair.exact, pair.significant) == (p, True, significant)
        assert found["muc"].ranks == {"A": 1, "B": 2 if significant else 1}
        nothing = any("nothing can be significant" in str(one) for one in found.problems)
        assert nothing == (not significant)


@pytest.mark.parametrize("policy", ["official", "corefud", "recasens2011"])
def test_mentions_without_links_do_not_make_blanc_differ(policy):
    """Both systems lack all links in 17 documents, where they have different mentions.

    In the other 3 each exchange turns its sign alike: p is 2/2^3. No p of 3 can be below 0.25.
    """
    names = [f"d{number}" for number in range(20)]
    key = {name: [["a", "b"], ["c"]] for name in names}
    good = {n: key[n] if i < 3 else [["a"]] for i, n in enumerate(names)}
    bad = {n: [["a"], ["b", "c"]] if i < 3 else [["x"]] for i, n in enumerate(names)}
    found = compare(key, {"A": good, "B": bad}, metrics="blanc", blanc=policy)
    pair = found["blanc"].pairs[0]
    assert (pair.exact, pair.differing, pair.p, pair.detectable) == (True, 3, 0.25, None)


def test_the_number_of_units_bounds_no_p_of_the_bootstrap():
    """Four of twenty documents differ: 2^(1 - 4) = 0.125 bounds a p of exchanges only."""
    names = [f"d{number}" for number in range(20)]
    key = {name: [["a", "b"], ["c"]] for name in names}
    bad = {n: [["a"], ["b"], ["c"]] if i < 4 else key[n] for i, n in enumerate(names)}
    for test, known in (("bootstrap", True), ("randomization", False)):
        found = compare(key, {"A": key, "B": bad}, metrics="lea", test=test, trials=999)
        pair = found["lea"].pairs[0]
        assert (pair.differing, pair.detectable is not None) == (4, known)


@pytest.mark.parametrize(
    ("part", "options", "metrics"),
    [
        ("b3:recall", {"score": "recall"}, ("b3",)),
        ("recall", {"part": "recall"}, ()),  # no metric is named
        ("b3:linking", {"part": "b3:linking"}, ()),  # no score
        ("linking", {"part": "linking"}, ()),
    ],
)
def test_a_part_that_names_a_metric_and_a_score_asks_for_both(part, options, metrics):
    assert plan_for({"part": part}) == (options, metrics)
