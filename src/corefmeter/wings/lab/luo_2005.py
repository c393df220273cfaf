"""Luo 2005, "On Coreference Resolution Performance Metrics".

Figure 1 with Tables 1 and 2, and the sweep of Tables 3 and 4 with a synthetic system.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from statistics import StatisticsError, correlation
from typing import Any

from corefmeter.corpus.model import Corpus, Entities
from corefmeter.metrics import title
from corefmeter.wings.lab.outcome import (
    ROUNDING,
    Claim,
    Experiment,
    Made,
    Other,
    Response,
    Setup,
    Table,
    clearly_greater,
    invent_documents,
    nearly_equal,
    percent,
    series,
    values_at,
)
from corefmeter.wings.lab.partitions import (
    Seed,
    generator,
    paired_documents,
    sizes_of,
    typed_corpus,
    with_entities,
)
from corefmeter.wings.lab.sweep import best_antecedents, link_mentions
from corefmeter.wings.traditions.metrics.ace import ace_corpora
from corefmeter.wings.traditions.metrics.features import types_or_levels

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

#: How many entities the keys of Tables 3 and 4 have.
LUO_ENTITIES = {3: 460, 4: 853}

#: Table 3, by the number of entities of the system: F1 of MUC and CEAFm.
LUO_TABLE_3 = {
    561: (0.851, 0.750),
    538: (0.854, 0.756),
    529: (0.853, 0.753),
    515: (0.853, 0.753),
    506: (0.856, 0.764),
    483: (0.857, 0.768),
    448: (0.863, 0.761),
    425: (0.862, 0.749),
    411: (0.864, 0.740),
    403: (0.865, 0.741),
    113: (0.902, 0.445),
}

#: Table 4, by the number of entities of the system: ACE value and F1 of CEAFm.
LUO_TABLE_4 = {
    1221: (0.885, 0.726),
    1172: (0.891, 0.749),
    1145: (0.894, 0.755),
    1105: (0.897, 0.766),
    1050: (0.897, 0.775),
    1015: (0.897, 0.780),
    990: (0.895, 0.782),
    930: (0.886, 0.794),
    891: (0.869, 0.780),
    865: (0.867, 0.778),
    834: (0.856, 0.769),
    790: (0.838, 0.761),
}


def _luo_entities(text: str) -> Entities:
    order = "123456789ABC"
    return [[(order.index(m), order.index(m) + 1) for m in entity] for entity in text.split()]


def _luo_figure_1(setup: Setup) -> Made:
    responses = [(name, None, _luo_entities(text)) for name, text in LUO_RESPONSES.items()]
    return invent_documents(_luo_entities(LUO_TRUTH), responses)


def _check_luo_figure_1(table: Table, _: dict[str, Any]) -> Iterator[Claim]:
    def is_printed(level: str, metric: str, score: str, printed: float | None) -> bool:
        """Return whether a score is the printed one, which has three decimals or is not given."""
        value = table.of(metric, score)[table.levels.index(level)]
        return printed is None or abs(value - printed) <= 0.0005 + ROUNDING

    f1s = ("muc", "b3", "ceafm", "ceafe")
    both = ("b3", "ceafm", "ceafe")
    yield Claim(
        "Table 1: the printed F1 values",
        all(
            is_printed(level, metric, "f1", value)
            for level, values in LUO_TABLE_1.items()
            for metric, value in zip(f1s, values, strict=True)
        ),
        series(table, f1s),
    )
    yield Claim(
        "Table 2: the printed recall and precision of (c) and (d)",
        all(
            is_printed(level, metric, "recall", recall)
            and is_printed(level, metric, "precision", precision)
            for level, values in LUO_TABLE_2.items()
            for metric, (recall, precision) in zip(both, values, strict=True)
        ),
        f"recall {series(table, both, 'recall')}; precision {series(table, both, 'precision')}",
    )
    yield Claim(
        "MUC does not distinguish (a) from (b)",
        nearly_equal(table["a", "muc"], table["b", "muc"]),
        values_at(table, ["a", "b"], ["muc"]),
    )
    for metric in both:
        yield Claim(
            f"{title(metric)} ranks (a) > (b) > (c) > (d)",
            all(clearly_greater(a, b) for a, b in pairwise(table.of(metric))),
            series(table, [metric]),
        )


#: How many thresholds a sweep tries, apart from the one that merges nothing.
STEPS = 60

#: Shown in place of the weights where they do not matter.
NO_WEIGHTS = "none; the key knows neither types nor levels, so all mentions weigh 1"

#: The invented key has the size of the paper's test set of ACE, in documents like those.
DOCUMENTS, MEAN_SIZE = 30, 2.4


def _invented_key(seed: Seed) -> Corpus:
    return typed_corpus(LUO_ENTITIES[4], DOCUMENTS, MEAN_SIZE, seed)


def _ace(setup: Setup, key: Corpus, response: Corpus) -> float:
    """Return the ACE value as a fraction of 1; 0/0 is 0."""
    weights = setup.weights
    known = {"type": weights.types, "class": weights.classes, "level": weights.levels}
    any_other = [f"{group}:*=1" for group, names in known.items() if "*" not in names]
    value = ace_corpora(key, response, weights.replace(any_other))[0].value
    return 0.0 if value != value else value / 100


def _luo_sweep(setup: Setup) -> Made:
    key, _ = paired_documents(setup.key, setup.key)
    random = generator(setup.seed)
    drawn = {
        document.label: best_antecedents(document.entities, random, setup.noise)
        for document in sorted(key, key=lambda document: document.label)
    }
    scored = [(document, drawn[document.label]) for document in key]
    values = sorted((value for _, links in scored for _, _, value in links), reverse=True)
    numbers = sorted({round(step * len(values) / STEPS) for step in range(STEPS + 1)})
    responses: dict[int, Response] = {}
    for number in numbers:
        threshold = values[number - 1] if number else float("inf")
        made = Corpus(
            [
                with_entities(one, link_mentions(one.entities, links, threshold))
                for one, links in scored
            ]
        )
        # Links of equal scores come together, so there may be fewer entities than links say.
        entities = len(sizes_of(made))
        responses.setdefault(entities, Response(str(entities), float(entities), made))
    facts = {
        "true_entities": len(sizes_of(key)),
        "mentions": sum(sizes_of(key)),
        "ace_weights": f"{setup.weights.name}; others 1" if types_or_levels(key) else NO_WEIGHTS,
    }
    return Made(key, list(responses.values()), facts)


def peak(curve: Mapping[int, float]) -> int:
    """Return the number of entities at which a curve is highest; of equal ones the fewest.

    Examples
    --------
    >>> peak({entities: ceafm for entities, (muc, ceafm) in LUO_TABLE_3.items()})
    483
    """
    return max(curve, key=lambda entities: (curve[entities], -entities))


def closeness(one: Mapping[int, float], other: Mapping[int, float], true: int) -> float | None:
    """Return Pearson's correlation of two curves over the range of Table 4.

    There the response has from 0.926 to 1.431 times as many entities as the key. None if a curve is
    flat, or has fewer than three points in the range.

    Examples
    --------
    >>> ace, ceafm = ({n: row[i] for n, row in LUO_TABLE_4.items()} for i in (0, 1))
    >>> round(closeness(ace, ceafm, true=853), 3)
    0.016
    """
    least, most = min(LUO_TABLE_4) * true, max(LUO_TABLE_4) * true
    in_range = [n for n in one if least <= n * LUO_ENTITIES[4] <= most]
    if len(in_range) < 3:
        return None
    try:
        return correlation([one[n] for n in in_range], [other[n] for n in in_range])
    except StatisticsError:
        return None


def _curve(table: Table, metric: str) -> dict[int, float]:
    return dict(zip(map(int, table.levels), table.of(metric), strict=True))


def _peaks(table: Table) -> dict[str, Any]:
    """Return the number of entities at which each metric is best."""
    peaks = {}
    for metric in table.scores[0]:
        curve = _curve(table, metric)
        best = peak(curve)
        peaks[metric] = {"entities": best, "f1": curve[best]}
    return {"peaks": peaks}


def _check_luo_sweep(table: Table, facts: dict[str, Any]) -> Iterator[Claim]:
    true, peaks = facts["true_entities"], facts["peaks"]
    numbers = [int(level) for level in table.levels]
    fewest = numbers.index(min(numbers))
    ceafm, muc, ace = (peaks[metric]["entities"] for metric in ("ceafm", "muc", "ace"))
    ends = {metric: (peaks[metric]["f1"], table.of(metric)[fewest]) for metric in ("ceafm", "muc")}
    lost = {metric: best - last for metric, (best, last) in ends.items()}
    close = closeness(_curve(table, "ace"), _curve(table, "ceafm"), true)
    weighed = facts["ace_weights"] != NO_WEIGHTS
    yield Claim(
        "CEAFm peaks close to the true number of entities: within 10 % of it (in the paper 483 "
        "against 460, and 930 against 853)",
        abs(ceafm - true) <= 0.1 * true,
        f"{ceafm} against {true}",
    )
    yield Claim(
        "MUC favours fewer entities: it peaks below the true number and below CEAFm",
        muc < true and muc < ceafm,
        f"{muc} against {true}; CEAFm {ceafm}",
    )
    yield Claim(
        "MUC is best for the fewest entities of all (in the paper 113 of 460)",
        muc == numbers[fewest],
        f"{muc}; fewest {numbers[fewest]}",
    )
    yield Claim(
        "from its best value, CEAFm loses more by merging everything than MUC does",
        lost["ceafm"] > lost["muc"],
        ", ".join(
            f"{title(m)} {percent(best)} to {percent(last)}" for m, (best, last) in ends.items()
        ),
    )
    yield Claim(
        "ACE value and CEAFm both penalize over-producing and under-producing entities: both "
        "are best between the extremes",
        all(min(numbers) < best < max(numbers) for best in (ace, ceafm)),
        f"ACE value {ace}, CEAFm {ceafm}, extremes {max(numbers)} and {min(numbers)}",
    )
    yield Claim(
        "ACE value peaks at more entities than CEAFm, which is closer to the true number (in "
        "the paper 1050 and 930 against 853)",
        ace > ceafm and abs(ceafm - true) < abs(ace - true) if weighed else None,
        f"ACE value {ace}, CEAFm {ceafm} against {true}",
    )
    yield Claim(
        "ACE value and CEAFm are weakly correlated around the true number: Pearson's r below "
        "0.5 (the paper's Table 4 has 0.016)",
        None if close is None or not weighed else abs(close) < 0.5,
        "r " + ("undefined" if close is None else f"{close:.3f}"),
    )


EXPERIMENTS = (
    Experiment(
        "luo-figure1",
        "Four responses to one key",
        "Luo 2005, section 3.1, Figure 1, Tables 1 and 2",
        "response",
        _luo_figure_1,
        _check_luo_figure_1,
        all_scores=True,
    ),
    Experiment(
        "luo-sweep",
        "From over-splitting to over-merging",
        "Luo 2005, section 3.2, Tables 3 and 4",
        "number of response entities",
        _luo_sweep,
        _check_luo_sweep,
        needs="key",
        own_key=_invented_key,
        measure=_peaks,
        others={"ace": Other("ACE value", _ace)},
        takes_response=False,
        draws=("muc", "ceafm"),
        reading="the paper's system is replaced by drawn scores of pairs of mentions; an entity of "
        "the response has the type of its first mention; in the ACE value, what the table of "
        "weights does not know weighs 1",
    ),
)
