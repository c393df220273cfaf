"""How far annotators agree: alphas, scores of pairs, documents and groups with the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from corefmeter._version import __version__
from corefmeter.metrics import title
from corefmeter.metrics.base import as_json
from corefmeter.metrics.references import OF_COMMANDS, citation
from corefmeter.problems import amount
from corefmeter.reports.tables import MISSING, Cell, Limits, Number, Report, Table, short_label
from corefmeter.statistics.checks import FEWEST_UNITS
from corefmeter.wings.annotation.agreement import DISTANCES, ORDERED_BY, Agreement, Alpha, Group

#: Version of the JSON.
SCHEMA = 1

#: Documents that text shows; JSON and CSV have all.
SHOWN = 10

_TITLES = {"nominal": "nominal", "masi": "MASI", "jaccard": "Jaccard", "dice": "Dice"}

_UNMARKED = {
    "singleton": "who has a document and did not mark a mention made it an entity of its own",
    "missing": "who did not mark a mention says nothing of it",
}


class AgreementReport(Report):
    """Agreement of annotators."""

    def __init__(self, agreement: Agreement) -> None:
        self.agreement = agreement
        self.signature = agreement.signature

    def tables(self) -> list[Table]:
        """Alphas, pairs, documents, groups."""
        found = self.agreement
        tables = [self._alphas(), self._pairs()]
        if len(found.documents) > 1:
            count = len(found.documents)
            which = f"; {SHOWN} of {count:,}" if count > SHOWN else ""
            caption = f"Alpha of entities by document, the worst first{which}"
            tables.append(_groups(caption, found.documents[:SHOWN]))
        for feature, groups in found.groups.items():
            tables.append(_groups(f"Alpha of entities by {feature}, the worst first", groups))
        return tables

    def _alphas(self) -> Table:
        found = self.agreement
        rows = [
            (f"entities, {_TITLES[distance]}", alpha) for distance, alpha in found.entities.items()
        ]
        if found.mentions is not None:
            rows.append(("mentions", found.mentions))
        level = 100 * found.resampling.level
        return Table(
            ["", "alpha", f"{level:g}% interval", "observed", "expected", "units"],
            [
                [
                    name,
                    _ratio(alpha.value),
                    Limits(alpha.interval, 1, 1),
                    _ratio(alpha.observed),
                    _ratio(alpha.expected),
                    alpha.units,
                ]
                for name, alpha in rows
            ],
            caption=f"Krippendorff's alpha of {len(found.annotators)} annotators; observed and "
            "expected disagreement",
        )

    def _pairs(self) -> Table:
        """F1 of each pair by each metric; of few metrics with their intervals."""
        found = self.agreement
        metrics = found.recipe.metrics
        names = dict.fromkeys((pair.a, pair.b) for pair in found.pairs)
        by = {(pair.a, pair.b, pair.metric): pair for pair in found.pairs}
        rows: list[list[Cell]] = [
            [
                f"{a}, {b}",
                *(Number(by[a, b, metric].f1) for metric in metrics),
                by[a, b, metrics[-1]].documents,
            ]
            for a, b in names
        ]
        return Table(
            ["", *map(title, metrics), "documents"], rows, caption="F1 of pairs, in percent"
        )

    def notes(self, tables: Sequence[Table]) -> list[str]:
        """Explain what the numbers are based on."""
        found = self.agreement
        papers = ", ".join(map(citation, OF_COMMANDS["agree"]))
        documents = len(found.documents)
        notes = [
            f"entities: a mention that any annotator marked has the set of its entity as its value "
            f"({papers}); {_UNMARKED[found.unmarked]}"
        ]
        if found.mentions is not None:
            notes.append("mentions: a token has as its value how mentions extend that begin there")
        if documents < FEWEST_UNITS:
            notes.append(
                f"intervals: {MISSING}, since {amount(documents, 'document')} "
                f"{'is' if documents == 1 else 'are'} fewer than {FEWEST_UNITS}"
            )
        else:
            notes.append(
                f"intervals: percentile bootstrap over {amount(documents, 'document')}, "
                f"{found.resampling.trials:,} resamples; those of F1 are in JSON and CSV"
            )
        return notes

    def records(self) -> Iterator[Sequence[Any]]:
        """A row for each number."""
        found = self.agreement
        yield ("what", "name", "measure", "value", "low", "high", "units")
        for distance, alpha in found.entities.items():
            yield ("entities", "", distance, *_record(alpha))
        if found.mentions is not None:
            yield ("mentions", "", "nominal", *_record(found.mentions))
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
            "schema": SCHEMA,
            "version": __version__,
            "signature": self.signature,
            "annotators": found.annotators,
            "unmarked": found.unmarked,
            **found.resampling._asdict(),
            "entities": {name: _json(alpha) for name, alpha in found.entities.items()},
            "mentions": None if found.mentions is None else _json(found.mentions),
            "pairs": [pair._asdict() for pair in found.pairs],
            "documents": list(map(_group, found.documents)),
            "groups": {name: list(map(_group, groups)) for name, groups in found.groups.items()},
            "problems": [problem.to_dict() for problem in found.problems],
        }


def _ratio(value: float) -> Number:
    """Return an alpha or a disagreement, which is printed with three decimals, not in percent."""
    return Number(value, 1, 1, missing=MISSING)


def _groups(caption: str, groups: Sequence[Group]) -> Table:
    first = [ORDERED_BY, *(distance for distance in DISTANCES if distance != ORDERED_BY)]
    return Table(
        ["", *(_TITLES[distance] for distance in first), "mentions"],
        [
            [
                short_label(group.name),
                *(_ratio(group.alphas[distance]) for distance in first),
                group.mentions,
            ]
            for group in groups
        ],
        caption=caption,
    )


def _record(alpha: Alpha) -> tuple[Any, ...]:
    low, high = alpha.interval or (None, None)
    return as_json(alpha.value), low, high, alpha.units


def _json(alpha: Alpha) -> dict[str, Any]:
    values = alpha._asdict()
    return {name: as_json(v) if isinstance(v, float) else v for name, v in values.items()}


def _group(group: Group) -> dict[str, Any]:
    alphas = {distance: as_json(value) for distance, value in group.alphas.items()}
    return {"name": group.name, "mentions": group.mentions, "alphas": alphas}
