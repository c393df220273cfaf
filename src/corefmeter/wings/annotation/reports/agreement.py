"""Agreement of annotators: alphas, F1 of pairs, documents and groups, lowest alpha first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from corefmeter._version import __version__
from corefmeter.metrics import title
from corefmeter.metrics.base import as_json
from corefmeter.metrics.references import OF_COMMANDS, citation
from corefmeter.problems import amount
from corefmeter.recipe import Recipe
from corefmeter.reports.tables import (
    MISSING,
    Cell,
    Limits,
    Number,
    OnScreen,
    Report,
    Table,
    Wording,
    short_label,
)
from corefmeter.signature import join_signature, parse_signature
from corefmeter.statistics.checks import FEWEST_UNITS
from corefmeter.wings.annotation.agreement import OPTIONS, ORDERED_BY, Agreement, Alpha, Group

#: Documents, and pairs of annotators, that people are shown; all with ``--all``.
DOCUMENTS, PAIRS = 5, 6

#: The metrics of pairs that people are shown if no others are asked for.
USUAL = ("mentions", "lea", "conll")

#: The limits that are customary for the alpha of labels (Krippendorff 2004, Content Analysis).
RELIABLE, TENTATIVE = 0.8, 0.667

_TITLES = {"nominal": "nominal", "masi": "MASI", "jaccard": "Jaccard", "dice": "Dice"}

_UNMARKED = {
    "singleton": "one that an annotator did not mark is an entity of its own",
    "missing": "one that an annotator did not mark has no value",
}


class AgreementReport(Report):
    """How far annotators agree.

    People are shown all with `everything`; groups of features only if `groups`, or with all.
    """

    def __init__(self, agreement: Agreement, everything: bool = False, groups: bool = True) -> None:
        self.agreement = agreement
        self.signature = agreement.signature
        self.usual = join_signature([*parse_signature(Recipe().signature()), *OPTIONS.items()])
        self.everything = everything
        self.groups = agreement.groups if groups or everything else {}

    def lead(self) -> Wording:
        """Which alpha to report, and which limits do not hold for it."""
        return (
            "Report the alpha of entities and its distance: MASI ",
            _ratio_cell(self.agreement.alpha),
            ", and in long texts, which lower it, Dice ",
            _ratio_cell(self.agreement.entities["dice"].value),
            f" too. The limits {RELIABLE} and {TENTATIVE} (Krippendorff 2004) are for labels; for "
            "entities none is established.",
        )

    def tables(self) -> list[Table]:
        """Alphas, pairs, documents, groups."""
        documents = self.agreement.documents
        tables = [self._alphas(), self._pairs()]
        if (count := len(documents)) > 1:
            shown = count if self.everything else min(DOCUMENTS, count)
            which = f": {shown} of {count:,}" if shown < count else ""
            caption = f"Alpha of entities by document, lowest first{which}"
            tables.append(_group_table(caption, documents[:shown]))
        for feature, groups in self.groups.items():
            tables.append(_group_table(f"Alpha of entities by {feature}, lowest first", groups))
        return tables

    def _alphas(self) -> Table:
        found = self.agreement
        alphas = {f"entities, {_TITLES[name]}": alpha for name, alpha in found.entities.items()}
        if found.mentions is not None:
            alphas["mentions"] = found.mentions
        rows: list[list[Cell]] = []
        for name, (value, interval, units, *disagreement) in alphas.items():
            observed, expected = map(_ratio_cell, disagreement)
            limits = Limits(interval, 1, 1)
            rows.append([name, _ratio_cell(value), limits, observed, expected, units])
        interval_title = f"{100 * found.resampling.level:g}% interval"
        header = ["", "alpha", interval_title, "observed", "expected", "units"]
        caption = f"Krippendorff's alpha of {len(found.annotators)} annotators"
        return Table(header, rows, caption=caption)

    def _pairs(self) -> Table:
        """F1 of each pair: of the usual metrics, unless others, or all, are asked for."""
        found = self.agreement
        metrics: Sequence[str] = found.recipe.metrics
        if not self.everything and metrics == Recipe().metrics:
            metrics = USUAL
        by = {(pair.a, pair.b, pair.metric): pair for pair in found.pairs}
        pairs = list(dict.fromkeys((pair.a, pair.b) for pair in found.pairs))
        caption = "F1 of pairs, in percent"
        if not self.everything and len(pairs) > PAIRS:
            last = metrics[-1]
            caption += f"; lowest {title(last)} first: {PAIRS} of {len(pairs)}"
            pairs = sorted(pairs, key=lambda pair: _f1_order(by[*pair, last].f1))[:PAIRS]
        rows: list[list[Cell]] = []
        for a, b in pairs:
            scores = [by[a, b, metric] for metric in metrics]
            rows.append([f"{a}, {b}", *(Number(one.f1) for one in scores), scores[-1].documents])
        return Table(["", *map(title, metrics), "documents"], rows, caption=caption)

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Return notes on how the numbers are computed, and on omissions."""
        found = self.agreement
        papers = ", ".join(map(citation, OF_COMMANDS["agree"]))
        documents = len(found.documents)
        notes = [
            "entities: the value of a mention is the set of mentions of its entity; "
            f"{_UNMARKED[found.unmarked]} ({papers})"
        ]
        if found.mentions is not None:
            notes.append(
                "mentions: the value of a token is the extent of the mentions that begin there"
            )
        if documents < FEWEST_UNITS:
            notes.append(f"intervals need at least {FEWEST_UNITS} documents (found {documents})")
        else:
            notes.append(
                f"intervals: percentile bootstrap over {amount(documents, 'document')}, "
                f"{found.resampling.trials:,} resamples; intervals of F1 are in JSON and CSV"
            )
        if not self.everything:
            more = "--all adds the metrics, pairs, documents and mention types that are left out"
            notes.append(OnScreen(more))
        return notes

    def records(self) -> Iterator[Sequence[Any]]:
        """A row for each number."""
        found = self.agreement
        yield ("what", "name", "measure", "value", "low", "high", "units")
        for distance, alpha in found.entities.items():
            yield ("entities", "", distance, *_alpha_record(alpha))
        if found.mentions is not None:
            yield ("mentions", "", "nominal", *_alpha_record(found.mentions))
        for pair in found.pairs:
            low, high = pair.interval or (None, None)
            yield ("pair", f"{pair.a}, {pair.b}", pair.metric, pair.f1, low, high, pair.documents)
        lists = {"document": found.documents, **found.groups}
        for what, groups in lists.items():
            for group in groups:
                for distance, value in group.alphas.items():
                    number = as_json(value)
                    yield (what, group.name, distance, number, None, None, group.mentions)

    def document(self) -> dict[str, Any]:
        """Return all numbers."""
        found = self.agreement
        return {
            "schema": 1,
            "version": __version__,
            "signature": self.signature,
            "annotators": found.annotators,
            "unmarked": found.unmarked,
            **found.resampling._asdict(),
            "entities": {name: _alpha_json(alpha) for name, alpha in found.entities.items()},
            "mentions": None if found.mentions is None else _alpha_json(found.mentions),
            "pairs": [pair._asdict() for pair in found.pairs],
            "documents": list(map(_group_json, found.documents)),
            "groups": {
                name: list(map(_group_json, groups)) for name, groups in found.groups.items()
            },
            "problems": [problem.to_dict() for problem in found.problems],
        }


def _f1_order(f1: float | None) -> float:
    """Sort key: the lowest F1 first; one that is not known comes last."""
    return inf if f1 is None else f1


def _ratio_cell(value: float) -> Number:
    """Return an alpha or a disagreement, which is printed with three decimals, not in percent."""
    return Number(value, 1, 1, missing=MISSING)


def _group_table(caption: str, groups: Sequence[Group]) -> Table:
    """Return a table of alphas: a row for each group, a column for each distance."""
    distances = sorted(_TITLES, key=lambda distance: distance != ORDERED_BY)  # that one first
    rows: list[list[Cell]] = []
    for group in groups:
        alphas = [_ratio_cell(group.alphas[distance]) for distance in distances]
        rows.append([short_label(group.name), *alphas, group.mentions])
    header = ["", *(_TITLES[distance] for distance in distances), "mentions"]
    return Table(header, rows, caption=caption)


def _alpha_record(alpha: Alpha) -> tuple[Any, ...]:
    """Return the value of an alpha, the limits of its interval, and its units."""
    low, high = alpha.interval or (None, None)
    return as_json(alpha.value), low, high, alpha.units


def _alpha_json(alpha: Alpha) -> dict[str, Any]:
    values = alpha._asdict()
    return {name: as_json(v) if isinstance(v, float) else v for name, v in values.items()}


def _group_json(group: Group) -> dict[str, Any]:
    alphas = {distance: as_json(value) for distance, value in group.alphas.items()}
    return {"name": group.name, "mentions": group.mentions, "alphas": alphas}
