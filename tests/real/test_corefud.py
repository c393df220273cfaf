"""CoNLL-U in the CorefUD scheme, against recorded values of corefud-scorer, in all of its modes.

Where that scorer is wrong, the right value is recorded beside its own (`known_bugs`, `left_out`).
GUM is another such case: see `scored_by_position`.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import isclose
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from corefmeter import DataError, Recipe, read
from corefmeter.corpus.positions import nodes
from corefmeter.matching.alignment import Alignment
from corefmeter.scoring import match_corpora, score_corpora

from ..matching.test_stages import rest_weight, zero_weight
from .shared import DATA, component, differences, needs, table

CASES = DATA / "corefud_cases"
GUM = DATA / "gum_corefud"

pytestmark = [needs("corefud_cases"), needs("gum_corefud")]

METRICS = ("muc", "b3", "ceafm", "ceafe", "lea", "blanc", "mor", "zero", "conll")
ZEROS = {"linear": "position", "dependent": "dependency"}
SINGLETONS = {"on": "keep", "off": "drop"}
MODES = [
    (match, singletons, zeros)
    for match in ("exact", "partial", "head") for singletons in SINGLETONS for zeros in ZEROS
]  # fmt: skip


def recipe(match: str, singletons: str, zeros: str) -> Recipe:
    return Recipe(
        metrics=METRICS, match=match, singletons=SINGLETONS[singletons], zeros=ZEROS[zeros],
        repeated="distinct", blanc="corefud",
    )  # fmt: skip


@cache
def corpus(path: Path):
    return read(path, details=True)


def mode_of(row: dict[str, str]) -> tuple[str, str, str]:
    return row["match"], row["singletons"], row["zeros"]


def unlike(result, rows) -> list[str]:
    """As `differences`; cells that are empty are not compared, and CoNLL has an F1 only."""
    found = []
    for row in rows:
        if row["metric"] == "conll":
            if not isclose(result.conll, float(row["f1"]), rel_tol=1e-9, abs_tol=1e-12):
                found.append(f"conll {result.conll}, recorded {row['f1']}")
        else:
            found += differences(result, [row])
    return found


# The random pairs: every document and every file, in every mode


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES, ids="-".join)
@pytest.mark.parametrize("number", range(1, 6))
def test_random_documents(number, mode):
    rows = [
        row for row in random_rows() if row["file"] == f"set{number}" and mode_of(row) == mode
    ]  # fmt: skip
    key, response = (
        corpus(CASES / "random" / f"set{number}.{side}.conllu") for side in ("key", "response")
    )
    result = score_corpora(key, response, recipe(*mode))
    by_document = result.by("document")
    assert len(rows) == 51 * 11
    wrong = [
        f"{row['document']}: {text}"
        for row in rows
        for text in unlike(
            result if row["document"] == "pooled" else by_document[row["document"]], [row]
        )
    ]
    assert wrong == []


#: What corefud-scorer was run with for the primary score of a year.
OF_YEAR = {2022: ("partial", "linear"), 2023: ("head", "linear"), 2024: ("head", "dependent"),
           2025: ("head", "dependent"), 2026: ("head", "dependent")}  # fmt: skip


@pytest.mark.parametrize("year", OF_YEAR)
@pytest.mark.parametrize("variant", ["", "-exact", "-singletons"])
def test_presets_give_the_scores_that_their_options_gave(year, variant):
    match, zeros = OF_YEAR[year]
    match = "exact" if variant == "-exact" else match
    mode = match, "on" if variant == "-singletons" else "off", zeros
    preset = Recipe.preset(f"corefud{year}{variant}")
    names = {"bcub" if name == "b3" else name for name in preset.metrics}
    rows = [
        row
        for row in random_rows()
        if (row["file"], row["document"]) == ("set2", "pooled")
        and mode_of(row) == mode
        and row["metric"].partition("_")[0] in names
    ]
    key, response = (
        corpus(CASES / "random" / f"set2.{side}.conllu") for side in ("key", "response")
    )
    assert len(rows) == 9 + 2 * (year > 2022)
    assert unlike(score_corpora(key, response, preset), rows) == []


@cache
def random_rows() -> list[dict[str, str]]:
    return list(table(CASES / "random" / "expected.tsv"))


# The scorer's own pairs


def pair_paths(pair: str) -> tuple[Path, Path]:
    return (
        CASES / "official" / f"{pair.rpartition('-')[0]}.key",
        CASES / "official" / f"{pair}.response",
    )


@cache
def official(name: str) -> dict[str, list[dict[str, str]]]:
    rows: dict[str, list[dict[str, str]]] = {}
    for row in table(CASES / "official" / name):
        rows.setdefault(row["pair"], []).append(row)
    return rows


def official_pairs() -> list[str]:
    if not (CASES / "official").is_dir():
        return []
    return sorted(set(official("expected.tsv")) | set(official("left_out.tsv")))


@pytest.mark.parametrize("pair", official_pairs())
def test_official_pairs(pair):
    key, response = map(corpus, pair_paths(pair))
    expected = {}
    for row in official("expected.tsv").get(pair, ()):
        expected.setdefault(mode_of(row), []).append(row)
    right = {}
    for row in official("left_out.tsv").get(pair, ()):
        right.setdefault(mode_of(row), []).append(row)
    for mode in {*expected, *right}:
        result = score_corpora(key, response, recipe(*mode))
        assert unlike(result, expected.get(mode, ())) == [], mode
        for row in right.get(mode, ()):
            if row["metric"] == "all":  # the scorer divides by zero; we do not
                assert row["reason"] == "ZeroDivisionError"
                continue
            for field in ("recall", "precision", "f1"):
                if row[f"right_{field}"]:
                    value = getattr(component(result, row["metric"]), field)
                    assert isclose(value, float(row[f"right_{field}"]), rel_tol=1e-9), (mode, row)


def test_all_official_pairs_are_there():
    assert len(official_pairs()) == 100


# Ties: pairs where another of the best assignments would change a score


def optimal(key: list[int], response: list[int], weight) -> list[list[tuple[int, int]]]:
    """All assignments of greatest total weight, by trying all; pairs of weight 0 are no pairs."""
    found: list[tuple[Fraction, list[tuple[int, int]]]] = []

    def extend(rest: list[int], free: frozenset[int], total: Fraction, chosen) -> None:
        if not rest:
            found.append((total, chosen))
            return
        k, *others = rest
        extend(others, free, total, chosen)
        for r in sorted(free):
            if weight(k, r) > 0:
                extend(others, free - {r}, total + weight(k, r), [*chosen, (k, r)])

    extend(key, frozenset(response), Fraction(0), [])
    best = max(total for total, _ in found)
    return [sorted(chosen) for total, chosen in found if total == best]


def stage(alignment: Alignment, name: str):
    """All best assignments of a stage, and ours; mentions by their place in the sorted sides."""
    sides = []
    for side in (alignment.key, alignment.response):
        details = side.details
        sides.append([
            (frozenset(nodes(p)), h, set(d.attributes.get("deps", ())))
            for p, h, d in zip(side.positions, side.heads, details, strict=True)
        ])  # fmt: skip
    before = [m for m in alignment.matches if name != "zeros" and m.stage in ("zeros", "exact")]
    free = [
        [n for n in side.ranked(range(len(side))) if n not in {m[place] for m in before}]
        for place, side in enumerate((alignment.key, alignment.response))
    ]
    ranks = [{n: rank for rank, n in enumerate(numbers)} for numbers in free]

    def weight(k: int, r: int) -> Fraction:
        one, other = sides[0][free[0][k]], sides[1][free[1][r]]
        return zero_weight(one, other) if name == "zeros" else rest_weight(name, one, other)

    # Mentions that no other can be paired with would only make the list of assignments longer.
    keys = [k for k in range(len(free[0])) if any(weight(k, r) for r in range(len(free[1])))]
    responses = [r for r in range(len(free[1])) if any(weight(k, r) for k in keys)]
    ours = sorted(
        (ranks[0][m.key], ranks[1][m.response]) for m in alignment.matches if m.stage == name
    )
    return optimal(keys, responses, weight), ours


@pytest.mark.parametrize(
    ("pair", "mode", "name"),
    [
        ("partial-corefud-match/overlapping_mentions/TC-OLMC-4", ("head", "off", "linear"), "head"),
        ("partial-corefud-match/overlapping_mentions/TC-OLMC-4", ("head", "on", "linear"), "head"),
        ("zeros/TC-ZF-5", ("exact", "off", "dependent"), "zeros"),
        ("zeros/TC-ZF-5", ("head", "on", "dependent"), "zeros"),
    ],
)
def test_of_equal_assignments_the_first_is_taken(pair, mode, name):
    """There are several; the recorded scores are those of ours."""
    key, response = map(corpus, pair_paths(pair))
    (alignment,), _ = match_corpora(key, response, recipe(*mode))
    best, ours = stage(alignment, name)
    assert len(best) > 1
    assert ours == min(best)
    rows = [row for row in official("expected.tsv")[pair] if mode_of(row) == mode]
    assert "yes" in {row["ties"] for row in rows}
    assert unlike(score_corpora(key, response, recipe(*mode)), rows) == []


def test_ties_are_only_there():
    found = {row["pair"] for rows in official("expected.tsv").values() for row in rows
             if row["ties"] == "yes"}  # fmt: skip
    assert found == {
        "partial-corefud-match/overlapping_mentions/TC-OLMC-4", "zeros/TC-ZF-5"
    }  # fmt: skip


# Where the scorer is wrong


def bug_rows() -> dict[str, list[dict[str, str]]]:
    rows: dict[str, list[dict[str, str]]] = {}
    if (CASES / "known_bugs").is_dir():
        for row in table(CASES / "known_bugs" / "expected.tsv"):
            rows.setdefault(row["pair"], []).append(row)
    return rows


@pytest.mark.parametrize("pair", bug_rows())
def test_known_bugs_have_the_right_value(pair):
    rows = bug_rows()[pair]
    folder = CASES / "known_bugs"
    paths = folder / f"{pair}.key.conllu", folder / f"{pair}.response.conllu"
    if rows[0]["right_f1"] == "error":
        with pytest.raises(DataError) as caught:
            score_corpora(*[read(path, details=True) for path in paths], recipe(*mode_of(rows[0])))
        (problem,) = caught.value.problems
        assert (problem.code, Path(problem.path).name, problem.line) == {
            "kb06_surplus_sentence": ("sentence-count", paths[1].name, 10),
            "kb07_surplus_word": ("token-count", paths[1].name, 8),
            "kb09_unclosed_mention": ("unclosed-mention", paths[0].name, 7),
        }[pair]
        return
    result = score_corpora(*map(corpus, paths), recipe(*mode_of(rows[0])))
    for row in rows:
        for field in ("recall", "precision", "f1"):
            if row[f"right_{field}"]:
                value = getattr(component(result, row["metric"]), field)
                assert isclose(value, float(row[f"right_{field}"]), rel_tol=1e-9), row


# GUM: five sets of options, two decimals


GUM_MODES = {
    "corefud-scorer.py (defaults: singletons ignored, head match)": ("head", "off"),
    "corefud-scorer.py -m all -s": ("head", "on"),
    "corefud-scorer.py -m all -s -a exact": ("exact", "on"),
    "corefud-scorer.py -m all -a partial": ("partial", "off"),
    "corefud-scorer.py -m all -s -a partial": ("partial", "on"),
}


def printed(title: str) -> dict[str, tuple[str, str, str]]:
    """What the scorer printed: metric -> R, P, F1."""
    text = (GUM / "expected.txt").read_text("utf-8")
    (block,) = [b for b in text.split("## ") if b.splitlines() and b.splitlines()[0] == title]
    found = {}
    lines = block.splitlines()
    for metric, line in pairwise(lines):
        words = line.split()
        if words[:1] == ["Recall:"]:
            found[metric] = (words[1], words[3], words[5])
    found["conll"] = ("", "", block.split()[-1])
    return found


def percent(*values: float) -> tuple[str, ...]:
    return tuple(f"{100 * value:.2f}" for value in values)


def gum():
    return corpus(GUM / "key.conllu"), corpus(GUM / "xrenner.conllu")


def alignments(mode: tuple[str, str]) -> list[Alignment]:
    return match_corpora(*gum(), recipe(*mode, "dependent"))[0]


def lookups(alignment: Alignment) -> tuple[list, list]:
    """For each mention of a side the entity that corefud-scorer finds its partner in.

    It looks mentions up by their words (and head): of two mentions with the same words, both find
    the partner of the one, and the entity of the last.
    """
    key, response = (
        list(zip(side.positions, side.heads, strict=True))
        for side in (alignment.key, alignment.response)
    )
    of_key = dict(zip(key, alignment.key.homes, strict=True))
    of_response = dict(zip(response, alignment.response.homes, strict=True))
    to_response = {key[m.key]: response[m.response] for m in alignment.matches}
    to_key = {response[m.response]: key[m.key] for m in alignment.matches}
    return (
        alignment.key.grouped([of_response.get(to_response.get(p)) for p in key]),
        alignment.response.grouped([of_key.get(to_key.get(p)) for p in response]),
    )


def pairs_of(n: int) -> int:
    return n * (n - 1) // 2


def one_side(groups: list[list], other: list[list]) -> dict[str, tuple[float, float]]:
    """Numerator and denominator of one side: MUC, B3, LEA, and the links of BLANC."""
    found = {name: [0.0, 0.0] for name in ("muc", "bcub", "lea", "links", "nonlinks")}
    targets: Counter = Counter()
    for group in groups:
        hits = Counter(target for target in group if target is not None)
        targets += hits
        size, linked = len(group), sum(map(pairs_of, hits.values()))
        found["muc"][0] += hits.total() - len(hits)
        found["muc"][1] += size - 1
        found["bcub"][0] += sum(n * n for n in hits.values()) / size
        found["bcub"][1] += size
        if size > 1:
            found["lea"][0] += size * linked / pairs_of(size)
        elif group[0] is not None:
            found["lea"][0] += len(other[group[0]]) == 1
        found["lea"][1] += size
        found["links"][0] += linked
        found["links"][1] += pairs_of(size)
        found["nonlinks"][0] += linked - pairs_of(hits.total())
    found["nonlinks"][0] += pairs_of(targets.total()) - sum(map(pairs_of, targets.values()))
    found["nonlinks"][1] = pairs_of(sum(map(len, groups))) - found["links"][1]
    return {name: tuple(values) for name, values in found.items()}


def ceaf(alignment: Alignment) -> dict[str, tuple[float, int, int]]:
    """Totals of both assignments with their denominators, by position."""
    key, response = (
        side.grouped(list(zip(side.positions, side.heads, strict=True)))
        for side in (alignment.key, alignment.response)
    )
    partners = {
        (alignment.key.positions[m.key], alignment.key.heads[m.key]): (
            alignment.response.positions[m.response], alignment.response.heads[m.response]
        )
        for m in alignment.matches
    }  # fmt: skip
    common = np.zeros((len(key), len(response)))
    for j, entity in enumerate(response):
        inside = set(entity)
        for i, mentions in enumerate(key):
            common[i, j] = sum(partners.get(mention) in inside for mention in mentions)
    sizes = np.array(list(map(len, key)))[:, None] + np.array(list(map(len, response)))[None, :]
    entities = 2 * common / sizes
    by_mention, by_entity = (
        values[linear_sum_assignment(values, maximize=True)].sum() for values in (common, entities)
    )
    return {
        "ceafm": (by_mention, sum(map(len, key)), sum(map(len, response))),
        "ceafe": (by_entity, len(key), len(response)),
    }


def scored_by_position(found: list[Alignment]) -> dict[str, tuple[str, ...]]:
    """What corefud-scorer makes of our alignments, with its lookups by position.

    Five spans of the response stand in two entities. The scorer confuses the copies, as in
    ``known_bugs/kb05``, so its values for them are wrong by up to 0.03; on these very alignments,
    its way of looking mentions up gives its values.
    """
    sums: dict[str, np.ndarray] = {}
    for alignment in found:
        to_response, to_key = lookups(alignment)
        recall, precision = one_side(to_response, to_key), one_side(to_key, to_response)
        rows = {name: (*recall[name], *precision[name]) for name in recall}
        for name in ("links", "nonlinks"):  # one set of common links, that of the key
            rows[name] = (*recall[name], recall[name][0], precision[name][1])
        for name, (total, in_key, in_response) in ceaf(alignment).items():
            rows[name] = (total, in_key, total, in_response)
        for name, row in rows.items():
            sums[name] = sums.get(name, np.zeros(4)) + np.array(row)
    values = {name: (a / b, c / d, 2 * a * c / (a * d + b * c)) for name, (a, b, c, d)
              in sums.items()}  # fmt: skip
    links, nonlinks = values.pop("links"), values.pop("nonlinks")
    values["blanc"] = tuple((x + y) / 2 for x, y in zip(links, nonlinks, strict=True))
    conll = sum(values[name][2] for name in ("muc", "bcub", "ceafe")) / 3
    return {name: percent(*value) for name, value in values.items()} | {
        "conll": ("", "", *percent(conll))
    }


@pytest.mark.slow
@pytest.mark.parametrize("title", GUM_MODES)
def test_gum_is_matched_as_by_corefud_scorer(title):
    expected = printed(title)
    by_position = scored_by_position(alignments(GUM_MODES[title]))
    assert by_position == {name: expected[name] for name in by_position}
    assert len(by_position) == 7


def test_where_gum_has_one_span_in_two_entities():
    key, response = gum()
    for corpus_, expected in ((key, {}), (response, {
        "GUM_academic_eegimaa": 1, "GUM_conversation_lambada": 3, "GUM_podcast_bezos": 1,
    })):  # fmt: skip
        repeated = Counter()
        for document in corpus_:
            copies = Counter(m for entity in document.entities for m in set(entity))
            repeated[document.name] += sum(n > 1 for n in copies.values())
        assert {name: n for name, n in repeated.items() if n} == expected


@pytest.mark.parametrize("title", GUM_MODES)
def test_gum_is_scored_as_by_corefud_scorer_but_for_those_spans(title):
    """No score differs by more than 0.03 of 100; what does not look mentions up is the same."""
    mode = GUM_MODES[title]
    result = score_corpora(*gum(), recipe(*mode, "dependent"))
    expected = printed(title)
    for name, values in expected.items():
        scores = result[{"bcub": "b3"}.get(name, name)]
        if name == "conll":
            ours: tuple[str, ...] = ("", "", *percent(scores.f1))
        else:
            ours = percent(scores.recall, scores.precision, scores.f1)
        if name in ("mor", "zero", "ceafm"):
            assert ours == values, name
        for value, recorded in zip(ours, values, strict=True):
            assert not value or abs(float(value) - float(recorded)) < 0.035, name


@pytest.mark.parametrize("title", GUM_MODES)
@pytest.mark.slow
def test_gum_without_those_spans_is_scored_as_by_position(title):
    """Where no span stands in two entities, looking up by position is right: the same numbers."""
    mode = GUM_MODES[title]
    names = {"GUM_academic_eegimaa", "GUM_conversation_lambada", "GUM_podcast_bezos"}
    key, response = (type(c)([d for d in c if d.name not in names], format="conllu") for c in gum())
    result = score_corpora(key, response, recipe(*mode, "dependent"))
    by_position = scored_by_position(
        [a for a in alignments(mode) if a.key.document.name not in names]
    )
    for name, values in by_position.items():
        scores = result[{"bcub": "b3"}.get(name, name)]
        if name == "conll":
            assert values == ("", "", *percent(scores.f1))
        else:
            assert values == percent(scores.recall, scores.precision, scores.f1), name


def test_gum_read_for_counting_scores_the_same_exactly():
    """Without details, mentions are positions; with them, they are matched one by one."""
    plain = score_corpora(
        *[read(GUM / name) for name in ("key.conllu", "xrenner.conllu")],
        Recipe(metrics=("muc", "b3", "ceafe", "lea"), repeated="distinct"),
    )
    matched = score_corpora(*gum(), Recipe(metrics=("muc", "b3", "ceafe", "lea", "mor"),
                                           repeated="distinct"))  # fmt: skip
    for metric in ("muc", "b3", "ceafe", "lea"):
        assert plain[metric] == matched[metric]
