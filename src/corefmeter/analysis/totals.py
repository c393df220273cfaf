"""Totals over the documents of an analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from corefmeter.analysis.document import DocumentAnalysis
from corefmeter.analysis.entities import count_categories
from corefmeter.analysis.operations import CLASSES
from corefmeter.mentions.features import UNKNOWN, ordered_groups
from corefmeter.metrics.arcs import ArcsAnchor
from corefmeter.metrics.base import as_json
from corefmeter.metrics.decisions import NOMINAL, Counts, by_feature, count_by


class Totals:
    """Sums over documents; the part of an `Analysis` that counts."""

    def __init__(self, documents: Sequence[DocumentAnalysis], undefined: str) -> None:
        self.documents = documents
        self.undefined = undefined

    def arcs(self, feature: str | None = None) -> dict[str, Any]:
        """Return the application metrics (ARCS), for all mentions and by a feature.

        ``immediate`` and ``inferred`` have counts and scores of ``all``, and by group in
        ``groups``. ``anchor`` has those of ``detection`` and ``mentions``, by group only with a
        feature (of the anchor), and ``f``. ``inferred`` and ``anchor`` are None if `not_computed`.
        """

        def score_counts(everything: Counts, groups: dict[str, Counts]) -> dict[str, Any]:
            values = {name: counts.to_dict(self.undefined) for name, counts in groups.items()}
            return {"all": everything.to_dict(self.undefined), "groups": values}

        values: dict[str, Any] = {
            name: score_counts(*self._count_decisions(f"arcs-{name}", "antecedent", feature))
            for name in (("immediate",) if self.not_computed else ("immediate", "inferred"))
        }
        if self.not_computed:
            return values | {"inferred": None, "anchor": None}
        parts = {
            part: self._count_decisions("arcs-anchor", part, feature)
            for part in ("detection", "mentions")
        }
        values["anchor"] = {part: score_counts(*counts) for part, counts in parts.items()}
        if feature is None:
            values["anchor"] = {part: scores["all"] for part, scores in values["anchor"].items()}
        sums = (*parts["detection"][0], *parts["mentions"][0])
        values["anchor"]["f"] = as_json(ArcsAnchor().scores(sums, self.undefined).f1)
        return values

    @cached_property
    def kinds(self) -> set[str]:
        """The kinds of all mentions."""
        return {kind for document in self.documents for kind in document.kinds}

    @property
    def has_words(self) -> bool:
        """Whether the words of any document are known."""
        return any(document.key.text or document.response.text for document in self.documents)

    @property
    def not_computed(self) -> str | None:
        """Why inferred antecedents and anchors, which need nominals, are unknown; None if known."""
        if UNKNOWN not in self.kinds or self.kinds & NOMINAL:
            return None
        if self.has_words:
            return "no parts of speech; try --pronouns en"
        return "mention types are unknown"

    def _count_decisions(
        self, metric: str, part: str, feature: str | None
    ) -> tuple[Counts, dict[str, Counts]]:
        groups: dict[str, Counts] = {}
        everything = Counts()
        for document in self.documents:
            decisions = [one for one in document.decisions(metric) if one.part == part]
            group = by_feature(document.features, feature) if feature else lambda decision: "all"
            for name, counts in count_by(decisions, group).items():
                everything += counts
                groups[name] = groups.get(name, Counts()) + counts
        shown = ordered_groups(groups) if feature else ()
        return everything, {name: groups[name] for name in shown}

    @cached_property
    def categories(self) -> dict[str, int]:
        """Number of key entities in each category of Holen."""
        return count_categories(chain.from_iterable(one.entities for one in self.documents))

    def mention_counts(self, feature: str) -> dict[str, Any]:
        """Count mentions, also incorrectly resolved ones: ``all``, and by group in ``groups``."""
        names = ("key", "response", "matched", "missing", "extra", "incorrectly_resolved")
        total = dict.fromkeys(names, 0)
        groups: dict[str, dict[str, int]] = {}
        for document in self.documents:
            key, response = document.homes
            wrong = set(document.incorrectly_resolved)
            for mention in dict.fromkeys((*key, *response)):
                group = document.features.group(mention, feature)
                row = groups.setdefault(group, dict.fromkeys(names, 0))
                in_key, in_response = mention in key, mention in response
                flags = (in_key, in_response, in_key and in_response, not in_response, not in_key)
                for name, flag in zip(names, (*flags, mention in wrong), strict=True):
                    row[name] += flag
                    total[name] += flag
        return {"all": total, "groups": {name: groups[name] for name in ordered_groups(groups)}}

    def error_kinds(self) -> dict[str, dict[str, int]]:
        """Count the mentions of each kind by class of errors."""
        kinds: dict[str, Counter[str]] = {name: Counter() for name in CLASSES}
        for document in self.documents:
            for error in document.repairs.errors:
                kinds[error.kind].update(map(document.features.kind, error.mentions))
        return {
            name: {kind: counts[kind] for kind in ordered_groups(counts)}
            for name, counts in kinds.items()
        }
