"""Luo 2005, "On Coreference Resolution Performance Metrics".

Figure 1 with Tables 1 and 2, and the sweep of Tables 3 and 4 with a synthetic system.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import inf
from statistics import StatisticsError, correlation
from typing import Any

from corefmeter.corpus.model import Corpus, Entities
from corefmeter.metrics import title
from corefmeter.wings.lab import partitions
from corefmeter.wings.lab.outcome import (
    ROUNDING,
    Claim,
    Data,
    Experiment,
    Other,
    Response,
    Setup,
    Table,
    clearly_greater,
    invent_documents,
    nearly_equal,
    percent,
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
LUO_RECALL = {"c": (1.0, 0.417, 0.196), "d": (0.25, 0.250, 0.444)}
LUO_PRECISION = {"c": (0.375, 0.417, 0.588), "d": (1.0, 0.250, 0.111)}

#: Table 4: the number of entities of its key, and the fewest and the most of its systems.
LUO_ENTITIES, LUO_RANGE = 853, (790, 1221)


def _luo_entities(text: str) -> Entities:
    order = "123456789ABC"
    return [[(order.index(m), order.index(m) + 1) for m in entity] for entity in text.split()]


def _luo_figure_1(setup: Setup) -> Data:
    responses = [(name, None, _luo_entities(text)) for name, text in LUO_RESPONSES.items()]
    return invent_documents(_luo_entities(LUO_TRUTH), responses)


def _check_luo_figure_1(table: Table) -> Iterator[Claim]:
    def are_printed(
        metrics: Sequence[str], score: str, printed: Mapping[str, Sequence[float | None]]
    ) -> bool:
        """Return whether the scores are the printed ones, which have three decimals or are None."""
        place = table.levels.index
        return all(
            value is None or abs(table.of(metric, score)[place(level)] - value) <= 0.0005 + ROUNDING
            for level, values in printed.items()
            for metric, value in zip(metrics, values, strict=True)
        )

    in_table_1 = ("muc", "b3", "ceafm", "ceafe")
    in_table_2 = ("b3", "ceafm", "ceafe")
    yield Claim(
        "Table 1: the printed F1 values",
        are_printed(in_table_1, "f1", LUO_TABLE_1),
        table.series(in_table_1),
    )
    yield Claim(
        "Table 2: the printed recall and precision of (c) and (d)",
        are_printed(in_table_2, "recall", LUO_RECALL)
        and are_printed(in_table_2, "precision", LUO_PRECISION),
        f"recall {table.series(in_table_2, 'recall')}; "
        f"precision {table.series(in_table_2, 'precision')}",
    )
    yield Claim(
        "MUC does not distinguish (a) from (b)",
        nearly_equal(table["a", "muc"], table["b", "muc"]),
        table.values_at(["a", "b"], ["muc"]),
    )
    for metric in in_table_2:
        yield Claim(
            f"{title(metric)} ranks (a) > (b) > (c) > (d)",
            all(clearly_greater(a, b) for a, b in pairwise(table.of(metric))),
            table.series([metric]),
        )


#: Number of thresholds of a sweep, in addition to the one that merges nothing.
STEPS = 60

#: Reported if the weights do not matter.
NO_WEIGHTS = "none; the key knows neither types nor levels, so all mentions weigh 1"

#: The invented key resembles the paper's ACE test set: its documents, and mentions per entity.
DOCUMENTS, MEAN_SIZE = 30, 2.4


def _ace(setup: Setup, key: Corpus, response: Corpus) -> float:
    """Return the ACE value as a fraction of 1; 0/0 is 0."""
    weights = setup.weights
    groups = {"type": weights.types, "class": weights.classes, "level": weights.levels}
    defaults = [f"{group}:*=1" for group, names in groups.items() if "*" not in names]
    value = ace_corpora(key, response, weights.replace(defaults))[0].value
    return 0.0 if value != value else value / 100


def _luo_sweep(setup: Setup) -> Data:
    """Link the mentions of the key by scores with noise, with lower and lower thresholds."""
    key, _ = partitions.paired_documents(setup.key, setup.key)
    random = partitions.generator(setup.seed)
    links = {
        document.label: best_antecedents(document.entities, random, setup.noise)
        for document in sorted(key, key=lambda document: document.label)
    }
    scores = sorted((link[2] for document in key for link in links[document.label]), reverse=True)
    responses: dict[int, Response] = {}
    for number in sorted({round(step * len(scores) / STEPS) for step in range(STEPS + 1)}):
        threshold = scores[number - 1] if number else inf
        linked = [link_mentions(d.entities, links[d.label], threshold) for d in key]
        response = Corpus(list(map(partitions.with_entities, key, linked)))
        # Links of equal scores come together, so two thresholds may give the same response.
        entities = len(partitions.sizes_of(response))
        responses.setdefault(entities, Response(str(entities), float(entities), response))
    facts = {
        "true_entities": len(partitions.sizes_of(key)),
        "mentions": sum(partitions.sizes_of(key)),
        "ace_weights": f"{setup.weights.name}; others 1" if types_or_levels(key) else NO_WEIGHTS,
    }
    return Data(key, list(responses.values()), facts)


def peak(curve: Mapping[int, float]) -> int:
    """Return the number of entities at which a curve is highest; if there are several, the fewest.

    >>> peak({506: 0.764, 483: 0.768, 448: 0.761, 425: 0.768})
    425
    """
    return max(curve, key=lambda entities: (curve[entities], -entities))


def closeness(curve: Mapping[int, float], other: Mapping[int, float], true: int) -> float | None:
    """Return Pearson's correlation of two curves over the range of Table 4.

    In this range, the response has 0.926 to 1.431 times as many entities as the key. Return None if
    a curve is flat, or has fewer than three points in the range.

    >>> ace = {1221: 0.885, 1050: 0.897, 930: 0.886, 790: 0.838, 113: 0.1}
    >>> ceafm = {1221: 0.726, 1050: 0.775, 930: 0.794, 790: 0.761, 113: 0.9}
    >>> round(closeness(ace, ceafm, true=853), 3)
    0.134
    """
    least, most = (bound * true for bound in LUO_RANGE)
    in_range = [n for n in curve if least <= n * LUO_ENTITIES <= most]
    if len(in_range) < 3:
        return None
    try:
        return correlation([curve[n] for n in in_range], [other[n] for n in in_range])
    except StatisticsError:
        return None


def _curve(table: Table, metric: str) -> dict[int, float]:
    return dict(zip(map(int, table.levels), table.of(metric), strict=True))


def _peaks(table: Table) -> dict[str, Any]:
    """Return the number of entities at which each metric is best, and its F1 there."""
    peaks = {}
    for metric in table.scores[0]:
        curve = _curve(table, metric)
        best = peak(curve)
        peaks[metric] = {"entities": best, "f1": curve[best]}
    return peaks


def _check_luo_sweep(table: Table) -> Iterator[Claim]:
    true, peaks = table.facts["true_entities"], _peaks(table)
    table.facts["peaks"] = peaks
    numbers = [int(level) for level in table.levels]
    fewest, most = min(numbers), max(numbers)
    ceafm, muc, ace = (peaks[metric]["entities"] for metric in ("ceafm", "muc", "ace"))
    ends = {m: (peaks[m]["f1"], table[str(fewest), m]) for m in ("ceafm", "muc")}
    losses = {metric: best - last for metric, (best, last) in ends.items()}
    r = closeness(_curve(table, "ace"), _curve(table, "ceafm"), true)
    is_weighted = table.facts["ace_weights"] != NO_WEIGHTS
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
        muc == fewest,
        f"{muc}; fewest {fewest}",
    )
    yield Claim(
        "from its best value, CEAFm loses more by merging everything than MUC does",
        losses["ceafm"] > losses["muc"],
        ", ".join(
            f"{title(m)} {percent(best)} to {percent(last)}" for m, (best, last) in ends.items()
        ),
    )
    yield Claim(
        "ACE value and CEAFm both penalize over-producing and under-producing entities: both "
        "are best between the extremes",
        all(fewest < best < most for best in (ace, ceafm)),
        f"ACE value {ace}, CEAFm {ceafm}, extremes {most} and {fewest}",
    )
    yield Claim(
        "ACE value peaks at more entities than CEAFm, which is closer to the true number (in "
        "the paper 1050 and 930 against 853)",
        ace > ceafm and abs(ceafm - true) < abs(ace - true) if is_weighted else None,
        f"ACE value {ace}, CEAFm {ceafm} against {true}",
    )
    yield Claim(
        "ACE value and CEAFm are weakly correlated around the true number: Pearson's r below "
        "0.5 (the paper's Table 4 has 0.016)",
        None if r is None or not is_weighted else abs(r) < 0.5,
        "r undefined" if r is None else f"r {r:.3f}",
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
        own_key=partial(partitions.typed_corpus, LUO_ENTITIES, DOCUMENTS, MEAN_SIZE),
        others={"ace": Other("ACE value", _ace)},
        takes_response=False,
        draws=("muc", "ceafm"),
        reading="the paper's system is replaced by drawn scores of pairs of mentions; an entity of "
        "the response has the type of its first mention; in the ACE value, what the table of "
        "weights does not know weighs 1",
    ),
)
