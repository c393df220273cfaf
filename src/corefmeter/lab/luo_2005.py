"""Luo 2005, "On Coreference Resolution Performance Metrics".

Figure 1 with Tables 1 and 2, and the sweep of Tables 3 and 4 with a synthetic system.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from corefmeter.corpus.model import Corpus, Entities
from corefmeter.lab.outcome import (
    ROUNDING,
    Claim,
    Experiment,
    Made,
    Response,
    Setup,
    Table,
    above,
    equal,
    invented,
    percent,
    series,
    values_at,
)
from corefmeter.lab.partitions import changed, generator, paired, sizes_of
from corefmeter.lab.sweep import best_antecedents, linked
from corefmeter.metrics import title

__all__ = ["EXPERIMENTS", "LUO_RESPONSES", "LUO_TABLE_1", "LUO_TABLE_2", "LUO_TRUTH"]

#: Luo 2005, Figure 1: mentions 1 to 9 and A to C.
LUO_TRUTH = "12345 67 89ABC"
LUO_RESPONSES = {
    "a": "12345 6789ABC",
    "b": "1234589ABC 67",
    "c": "123456789ABC",
    "d": "1 2 3 4 5 6 7 8 9 A B C",
}

#: Table 1, F1 of MUC, B³, CEAFm and CEAFe; the paper leaves MUC of (d), which is 0/0, empty.
LUO_TABLE_1 = {
    "a": (0.947, 0.865, 0.833, 0.733),
    "b": (0.947, 0.737, 0.583, 0.667),
    "c": (0.900, 0.545, 0.417, 0.294),
    "d": (None, 0.400, 0.250, 0.178),
}

#: Table 2, recall and precision of B³, CEAFm and CEAFe.
LUO_TABLE_2 = {
    "c": ((1.0, 0.375), (0.417, 0.417), (0.196, 0.588)),
    "d": ((0.25, 1.0), (0.250, 0.250), (0.444, 0.111)),
}


def _luo_entities(text: str) -> Entities:
    order = "123456789ABC"
    return [[(order.index(m), order.index(m) + 1) for m in entity] for entity in text.split()]


def _luo_figure_1(setup: Setup) -> Made:
    responses = [
        Response(name, None, invented(_luo_entities(text))) for name, text in LUO_RESPONSES.items()
    ]
    return invented(_luo_entities(LUO_TRUTH)), responses, {}


def _check_luo_figure_1(table: Table, _: dict[str, Any]) -> list[Claim]:
    def printed(found: float, value: float | None) -> bool:
        return value is None or abs(found - value) <= 0.0005 + ROUNDING

    f1s = ("muc", "b3", "ceafm", "ceafe")
    both = ("b3", "ceafm", "ceafe")
    levels = table.levels
    claims = [
        Claim(
            "Table 1: the printed F1 values",
            all(
                printed(table[level, m], value)
                for level, values in LUO_TABLE_1.items()
                for m, value in zip(f1s, values, strict=True)
            ),
            series(table, f1s),
        ),
        Claim(
            "Table 2: the printed recall and precision of (c) and (d)",
            all(
                printed(table.of(m, "recall")[levels.index(level)], recall)
                and printed(table.of(m, "precision")[levels.index(level)], precision)
                for level, values in LUO_TABLE_2.items()
                for m, (recall, precision) in zip(both, values, strict=True)
            ),
            "recall " + series(table, both, "recall")
            + "; precision " + series(table, both, "precision"),
        ),
        Claim(
            "MUC does not tell (a) from (b)",
            equal(table["a", "muc"], table["b", "muc"]),
            values_at(table, ["a", "b"], ["muc"]),
        ),
    ]  # fmt: skip
    for metric in both:
        values = table.of(metric)
        claims.append(
            Claim(
                f"{title(metric)} ranks (a) > (b) > (c) > (d)",
                all(above(a, b) for a, b in pairwise(values)),
                series(table, [metric]),
            )
        )
    return claims


#: How many thresholds a sweep tries, apart from the one that merges nothing.
STEPS = 60


def _luo_sweep(setup: Setup) -> Made:
    key, _ = paired(setup.key, setup.key)
    random = generator(setup.seed)
    scored = [best_antecedents(d.entities, random, setup.noise) for d in key]
    values = sorted((value for links in scored for _, _, value in links), reverse=True)
    mentions = sum(sizes_of(key))
    numbers = sorted({round(step * len(values) / STEPS) for step in range(STEPS + 1)})
    responses = []
    for number in numbers:
        threshold = values[number - 1] if number else float("inf")
        made = [
            changed(document, linked(document.entities, links, threshold))
            for document, links in zip(key, scored, strict=True)
        ]
        entities = mentions - number
        responses.append(Response(str(entities), float(entities), Corpus(made)))
    true = len(sizes_of(key))
    return key, responses, {"true_entities": true, "mentions": mentions}


def _peaks(table: Table, facts: dict[str, Any]) -> dict[str, Any]:
    """For each metric at which number of entities it is best; of equal ones the fewest."""
    numbers = [int(level) for level in table.levels]
    peaks = {}
    for metric in table.scores[0]:
        values = table.of(metric)
        place = max(range(len(values)), key=lambda i: (values[i], -numbers[i]))
        peaks[metric] = {"entities": numbers[place], "f1": values[place]}
    return {"peaks": peaks}


def _check_luo_sweep(table: Table, facts: dict[str, Any]) -> list[Claim]:
    true, peaks = facts["true_entities"], facts["peaks"]
    numbers = [int(level) for level in table.levels]
    ceafm, muc = peaks["ceafm"]["entities"], peaks["muc"]["entities"]
    fewest = min(range(len(numbers)), key=lambda i: numbers[i])
    muc_values = table.of("muc")
    return [
        Claim(
            "CEAFm peaks close to the true number of entities: within 10 % of it (in the paper 483 "
            "against 460, and 930 against 853)",
            abs(ceafm - true) <= 0.1 * true,
            f"{ceafm} against {true}",
        ),
        Claim(
            "MUC favours fewer entities: it peaks below the true number and below CEAFm",
            muc < true and muc < ceafm,
            f"{muc} against {true}; CEAFm {ceafm}",
        ),
        Claim(
            "MUC is best for the fewest entities of all (in the paper 113 of 460)",
            muc == numbers[fewest],
            f"{muc}; fewest {numbers[fewest]}",
        ),
        Claim(
            "from its best value, CEAFm loses more by merging everything than MUC does",
            max(table.of("ceafm")) - table.of("ceafm")[fewest]
            > max(muc_values) - muc_values[fewest],
            f"CEAFm {percent(peaks['ceafm']['f1'])} to {percent(table.of('ceafm')[fewest])}, MUC "
            f"{percent(peaks['muc']['f1'])} to {percent(muc_values[fewest])}",
        ),
    ]


EXPERIMENTS = (
    Experiment(
        "luo-figure1", "Four responses to one key", "Luo 2005, section 3.1, Figure 1, "
        "Tables 1 and 2", "response", _luo_figure_1, _check_luo_figure_1,
        all_scores=True,
    ),
    Experiment(
        "luo-sweep", "From over-splitting to over-merging",
        "Luo 2005, section 3.2, Tables 3 and 4", "number of response entities",
        _luo_sweep, _check_luo_sweep, needs="key",
        measure=_peaks,
        reading="the paper's system is replaced by drawn scores of pairs of mentions",
    ),
)  # fmt: skip
