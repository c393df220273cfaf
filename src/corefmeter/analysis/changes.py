"""What one response fixed and broke against another: mentions that are in an error of one alone.

An error is told by its document, its class and a mention that it is about (of a wrong span the key
mention). A mention that two responses divide from different entities is in the same error of both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from corefmeter.analysis.document import DocumentAnalysis
from corefmeter.analysis.operations import CLASSES
from corefmeter.analysis.report import Analysis
from corefmeter.analysis.rows import Row, Rows
from corefmeter.analysis.scoring import as_json_values
from corefmeter.corpus.model import Mention
from corefmeter.mentions.features import ordered_groups
from corefmeter.problems import OptionError
from corefmeter.result import json_head
from corefmeter.shown import Shown

#: What became of a mention in an error.
COUNTS = ("before", "mended", "broke", "after")


@dataclass(frozen=True, slots=True)
class ChangeRow(Row):
    """A mention in an error of one of two responses, or of both; see `LinkRow`.

    `error` is a key of `CLASSES`. `change` is ``mended`` if the error is in the response before
    only, ``broke`` if it is in the one after only, ``kept`` if it is in both.
    """

    document: str
    mention: Mention
    words: str | None
    line: int | None
    error: str
    change: Literal["mended", "broke", "kept"]
    features: dict[str, str] = field(default_factory=dict)


class Changes(Shown):
    """Errors that a response fixed or introduced compared with another one.

    Parameters
    ----------
    before, after
        The analyses of two responses, made with the same key and options.

    Examples
    --------
    >>> import corefmeter
    >>> key = [["Ann", "she", "her"]]
    >>> a, b = corefmeter.analyse(key, [["Ann", "she"]]), corefmeter.analyse(key, [["Ann", "her"]])
    >>> [(row.change, row.mention) for row in Changes(a, b).rows]
    [('mended', 'her'), ('broke', 'she')]
    """

    def __init__(self, before: Analysis, after: Analysis) -> None:
        same = before.result.signature == after.result.signature and before.by == after.by
        if not same or _collect_key_entities(before) != _collect_key_entities(after):
            raise OptionError("two responses are compared by one key and the same options")
        self.before, self.after = before, after

    @cached_property
    def rows(self) -> Rows[ChangeRow]:
        """A row for each mention in an error and class, those of `before` first."""
        before, after = _map_errors(self.before), _map_errors(self.after)
        rows: Rows[ChangeRow] = Rows()
        for case, document in (before | after).items():
            label, error, mention = case
            change: Literal["mended", "broke", "kept"] = "kept"
            if case not in after:
                change = "mended"
            elif case not in before:
                change = "broke"
            words, line = document.words(mention), document.key.line_of(mention)
            groups = document.groups(mention, self.before.features)
            rows.append(ChangeRow(label, mention, words, line, error, change, groups))
        return rows

    def counts(self, group: Callable[[ChangeRow], str]) -> dict[str, dict[str, int]]:
        """Count mentions in errors by group: `COUNTS`; before - mended + broke = after."""
        groups: dict[str, dict[str, int]] = {}
        for row in self.rows:
            counts = groups.setdefault(group(row), dict.fromkeys(COUNTS, 0))
            if row.change != "broke":
                counts["before"] += 1
            if row.change != "mended":
                counts["after"] += 1
            if row.change != "kept":
                counts[row.change] += 1
        return groups

    @property
    def by_class(self) -> dict[str, dict[str, int]]:
        """Mentions in errors by class, in the order of `CLASSES`."""
        counts = self.counts(lambda row: row.error)
        return {name: counts.get(name, dict.fromkeys(COUNTS, 0)) for name in CLASSES}

    def by_feature(self, feature: str) -> dict[str, dict[str, int]]:
        """Mentions in errors by one of the features of the analyses."""
        counts = self.counts(lambda row: row.features[feature])
        return {name: counts[name] for name in ordered_groups(counts)}

    @property
    def by_document(self) -> dict[str, dict[str, int]]:
        """Mentions in errors by document, those with most changes first."""
        counts = self.counts(lambda row: row.document)

        def rank(label: str) -> tuple[int, str]:
            return -counts[label]["mended"] - counts[label]["broke"], label

        return {label: counts[label] for label in sorted(counts, key=rank)}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values; docs/errors.md has the keys."""
        return {
            **json_head(self.before.result.signature),
            "key": self.before.key_path,
            "before": self.before.result.response,
            "after": self.after.result.response,
            "classes": {
                name: {
                    **counts,
                    "cost_before": self.before.classes[name]["cost"],
                    "cost_after": self.after.classes[name]["cost"],
                    "in_turn_before": as_json_values(self.before.costs.in_turn(name)),
                    "in_turn_after": as_json_values(self.after.costs.in_turn(name)),
                }
                for name, counts in self.by_class.items()
            },
            "by": {feature: self.by_feature(feature) for feature in self.before.features},
            "documents": self.by_document,
            "changes": [row.to_dict() for row in self.rows if row.change != "kept"],
        }


def _collect_key_entities(analysis: Analysis) -> dict[str, set[frozenset[Mention]]]:
    return {document.label: {*map(frozenset, document.key.entities)} for document in analysis}


def _map_errors(analysis: Analysis) -> dict[tuple[str, str, Mention], DocumentAnalysis]:
    """Return the document of each mention in an error, by label, class and mention."""
    return {
        (document.label, error.kind, mention): document
        for document in analysis
        for error in document.repairs.errors
        for mention in (error.mentions if error.correct is None else (error.correct,))
    }
