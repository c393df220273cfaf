"""The audit as text, Markdown, LaTeX, JSON and CSV: which laws hold, and the counterexamples."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import IO

from corefmeter.lab.audit import Audit
from corefmeter.lab.law import Case, Law, Values, Verdict
from corefmeter.lab.laws import LAWS
from corefmeter.reports.simple import write_tables
from corefmeter.reports.tables import UNDEFINED_MARK, Table

_SIGNS = {True: "holds", False: "FAILS", None: "n/a"}

#: Entities with more mentions in all are counted, not listed.
_LISTED = 20

_RATES = ("recall", "precision", "f1")


def write_audit(found: Audit, format: str, stream: IO[str]) -> None:
    """Write which laws hold for which metric, and the smallest counterexamples."""
    if format == "json":
        stream.write(json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False) + "\n")
        return
    if format == "csv":
        csv.writer(stream, lineterminator="\n").writerows(_lines(found))
        return
    tables = [_verdicts(found)]
    counterexamples = _counterexamples(found)
    if counterexamples.rows:
        tables += _by_law(counterexamples) if format == "text" else [counterexamples]
    notes = list(_notes(found, tables))
    if format != "latex":
        # A caption has no room for what the laws say.
        notes += [f"{law.title}: {law.statement} ({law.reference})" for law in LAWS.values()]
    write_tables(tables, notes, format, stream)


def _verdicts(found: Audit) -> Table:
    """Laws as rows, metrics as columns."""
    table = Table(["", *found.titles.values()], caption="Which laws hold")
    for law in LAWS.values():
        verdicts = [verdicts[law.name].holds for verdicts in found.verdicts.values()]
        table.bold |= {(len(table.rows), i + 1) for i, v in enumerate(verdicts) if v is False}
        table.rows.append([law.title, *(_SIGNS[holds] for holds in verdicts)])
    return table


def _counterexamples(found: Audit) -> Table:
    """A row for each case of each counterexample, by law."""
    header = ["law", "metric", "case", "key", "response", "R", "P", "F1"]
    table = Table(header, caption="The smallest counterexamples, in percent", words=5)
    for law, metric, verdict in _verdicts_by_law(found):
        name = [law.title, found.titles[metric]]
        for case, values in _cases(verdict):
            cells = [_percent(values, rate) for rate in _RATES]
            table.rows.append([*name, case.label, *_shown(case), *cells])
            name = ["", ""]
    return table


def _by_law(table: Table) -> Iterator[Table]:
    """A table for each law, as wide as a terminal can show."""
    header, words = table.header[1:], table.words - 1
    part = Table(header, words=words)
    for law, *cells in table.rows:
        caption = f"{law}: the smallest counterexamples, in percent"
        if law and caption != part.caption:
            if part.rows:
                yield part
            part = Table(header, caption=caption, words=words)
        part.rows.append(cells)
    yield part


def _verdicts_by_law(found: Audit) -> Iterator[tuple[Law, str, Verdict]]:
    for law in LAWS.values():
        for metric, verdicts in found.verdicts.items():
            yield law, metric, verdicts[law.name]


def _cases(verdict: Verdict) -> Iterable[tuple[Case, Values]]:
    example = verdict.counterexample
    return () if example is None else zip(example.cases, example.values, strict=True)


def _percent(values: Values, rate: str) -> str:
    value = getattr(values, rate)
    if value is None:
        return "n/a"
    return f"{100 * value:.2f}" + (UNDEFINED_MARK if rate in values.undefined else "")


def _shown(case: Case) -> list[str]:
    """Key and response; documents are parted by a slash."""
    return [" / ".join(_entities(pair[side]) for pair in case.documents) for side in (0, 1)]


def _entities(side: tuple[tuple[object, ...], ...]) -> str:
    """Entities as ``{a b} {c}``; many mentions as the numbers of entities and mentions."""
    mentions = sum(map(len, side))
    if not side:
        return "nothing"
    if mentions > _LISTED:
        return f"{len(side)}/{mentions}"
    return " ".join("{" + " ".join(map(_mention, entity)) + "}" for entity in side)


def _mention(mention: object) -> str:
    """A letter, or the number of an invented span."""
    return str(mention[0]) if isinstance(mention, tuple) else str(mention)


def _notes(found: Audit, tables: list[Table]) -> Iterator[str]:
    yield f"all keys and responses of up to {found.mentions} mentions were searched, smallest first"
    yield "a, b, … are in the key, x, y, … are not; 17/79 is 17 entities of 79 mentions"
    if any(UNDEFINED_MARK in cell for table in tables for row in table.rows for cell in row):
        yield f"{UNDEFINED_MARK} 0/0: undefined, counts as 0"


def _lines(found: Audit) -> Iterator[list[object]]:
    yield ["metric", "law", "holds", "case", "key", "response", *_RATES]
    for metric, verdicts in found.verdicts.items():
        for law, verdict in verdicts.items():
            holds = "" if verdict.holds is None else str(verdict.holds).lower()
            cases = list(_cases(verdict))
            for case, values in cases:
                numbers = ["" if value is None else value for value in values[:3]]
                yield [metric, law, holds, case.label, *_shown(case), *numbers]
            if not cases:
                yield [metric, law, holds, *[""] * 6]
