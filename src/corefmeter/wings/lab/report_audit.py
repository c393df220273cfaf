"""The report of an audit: which laws hold, and the smallest counterexamples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corefmeter.reports.tables import UNDEFINED_MARK, Cell, Number, Report, Table, has_undefined
from corefmeter.wings.lab.audit import Audit
from corefmeter.wings.lab.kinds import Side
from corefmeter.wings.lab.law import Case, Values, Verdict
from corefmeter.wings.lab.laws import LAWS

_SIGNS = {True: "holds", False: "FAILS", None: "n/a"}

#: Entities with more mentions in total are counted, not listed.
_LISTED = 20

_SMALLEST = "The smallest counterexamples, in percent"

_RATES = ("recall", "precision", "f1")


class AuditReport(Report):
    """The laws that hold for each metric, and the smallest counterexamples."""

    def __init__(self, audit: Audit) -> None:
        self.audit = audit

    def tables(self) -> list[Table]:
        """Return the verdicts, the counterexamples, then the meaning of the laws."""
        tables = [t for t in (_verdicts(self.audit), _counterexamples(self.audit)) if t.rows]
        tables[-1].sentences = [
            f"{law.title}: {law.statement} ({law.reference})" for law in LAWS.values()
        ]
        return tables

    def notes(self, tables: Sequence[Table]) -> Iterator[str]:
        """Explain the search for counterexamples and their notation."""
        most = self.audit.mentions
        yield f"all keys and responses of up to {most} mentions were searched, smallest first"
        yield "a, b, … are in the key, x, y, … are not; 17/79 means 17 entities with 79 mentions"
        if has_undefined(tables):
            yield f"{UNDEFINED_MARK} undefined (0/0), counted as 0"

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield one row for each verdict, or for each case of its counterexample."""
        yield ("metric", "law", "holds", "case", "key", "response", *_RATES)
        for metric, verdicts in self.audit.verdicts.items():
            for law, verdict in verdicts.items():
                holds = "" if verdict.holds is None else str(verdict.holds).lower()
                cases = list(_cases(verdict))
                for case, values in cases:
                    yield (metric, law, holds, case.label, *_describe_case(case), *values[:3])
                if not cases:
                    yield (metric, law, holds, *[None] * 6)

    def document(self) -> dict[str, Any]:
        """Return all verdicts."""
        return self.audit.to_dict()


def _verdicts(audit: Audit) -> Table:
    """Return a table of verdicts, with laws as rows and metrics as columns."""
    table = Table(["", *audit.titles.values()], caption="Which laws hold")
    for number, law in enumerate(LAWS.values()):
        verdicts = [verdicts[law.name].holds for verdicts in audit.verdicts.values()]
        table.bold |= {(number, i) for i, holds in enumerate(verdicts, 1) if holds is False}
        table.rows.append([law.title, *(_SIGNS[holds] for holds in verdicts)])
    return table


def _counterexamples(audit: Audit) -> Table:
    """Return a row for each case of each counterexample, by law."""
    header = ["law", "metric", "case", "key", "response", "R", "P", "F1"]
    table = Table(header, caption=_SMALLEST, words=5)
    for law in LAWS.values():
        for metric, verdicts in audit.verdicts.items():
            names = [law.title, audit.titles[metric]]
            for case, values in _cases(verdicts[law.name]):
                cells = [_percent(values, rate) for rate in _RATES]
                table.rows.append([*names, case.label, *_describe_case(case), *cells])
                names = ["", ""]
    table.narrow = lambda width, over: _split_by_law(table)
    return table


def _split_by_law(table: Table) -> list[Table]:
    """Return a table of counterexamples as one table for each law, for narrow terminals."""
    parts: list[Table] = []
    for law, *cells in table.rows:
        caption = f"{law}: {_SMALLEST[0].lower()}{_SMALLEST[1:]}" if law else ""
        if not parts or caption not in ("", parts[-1].caption):
            parts.append(Table(table.header[1:], caption=caption, words=table.words - 1))
        parts[-1].rows.append(cells)
    parts[-1].sentences = table.sentences
    return parts


def _cases(verdict: Verdict) -> Iterable[tuple[Case, Values]]:
    example = verdict.counterexample
    return () if example is None else zip(example.cases, example.values, strict=True)


def _percent(values: Values, rate: str) -> Cell:
    value = getattr(values, rate)
    is_undefined = rate in values.undefined and value is not None
    return Number(value, after=UNDEFINED_MARK if is_undefined else "")


def _describe_case(case: Case) -> list[str]:
    """Format key and response; a slash separates documents."""
    sides = zip(*case.documents, strict=True)
    return [" / ".join(map(_format_entities, documents)) for documents in sides]


def _format_entities(side: Side) -> str:
    """Format entities as ``{a b} {c}``, or only the numbers of entities and mentions."""
    mentions = sum(map(len, side))
    if not side:
        return "nothing"
    if mentions > _LISTED:
        return f"{len(side)}/{mentions}"
    # The start of a span stands for the mention.
    names = ([str(m[0] if isinstance(m, tuple) else m) for m in entity] for entity in side)
    return " ".join("{" + " ".join(entity) + "}" for entity in names)
