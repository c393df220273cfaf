"""One document of an analysis: its features, decisions, entities and errors, and their rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from corefmeter.analysis.entities import EntityComparison, compare_entities, homes
from corefmeter.analysis.identification import incorrectly_resolved
from corefmeter.analysis.information import weight_by_kind
from corefmeter.analysis.operations import CLASSES, Repairs
from corefmeter.analysis.rows import EntityRow, ErrorRow, LinkRow, MentionRow
from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import content_key, is_name
from corefmeter.mentions.features import FeatureFunction, Features, has_annotation
from corefmeter.metrics.arcs import ARCS
from corefmeter.metrics.decisions import Decision, Ordered
from corefmeter.metrics.overlap import pairs as number_of_pairs
from corefmeter.preparation import Prepared


class DocumentAnalysis:
    """The analysis of one document: its two sides, features of mentions, errors and their repair.

    `pronouns` and `functions` are as for `corefmeter.mentions.features.Features`.
    """

    def __init__(
        self,
        prepared: Prepared,
        pronouns: str | None = None,
        functions: Mapping[str, FeatureFunction] | None = None,
    ) -> None:
        pair = prepared.named
        self.prepared = prepared
        self._pronouns = pronouns
        self.key: Document = pair.key
        self.response: Document = pair.response
        self.label = pair.label
        self.features = Features(pair.key, pair.response, pronouns=pronouns, functions=functions)
        sides = self.features.key, self.features.response
        self._reliable = {one.side: has_annotation(one.text) for one in sides}
        self._said = {one.side: _said_heads(one.document) for one in sides}
        self.repairs = Repairs(pair.key.entities, pair.response.entities, self.head)
        self._decisions: dict[str, list[Decision]] = {}

    def head(self, mention: Mention) -> int | None:
        """Return the head token of a mention, given by the file, tags, a parse or dependencies.

        From words alone a head is only a guess, on which no span error should rest.
        """
        side = self.features.side(mention)
        said = self._said[side.side]
        if mention in said:
            return said[mention]
        return side[mention].head if self._reliable[side.side] else None

    def decisions(self, metric: str) -> list[Decision]:
        """Return the decisions of an ARCS metric: ``arcs-immediate``, ``arcs-inferred``, …"""
        if metric not in self._decisions:
            found = self._decisions[metric] = []
            for id, key, response, features in self._parts:
                ordered = Ordered(key.entities, response.entities, features.kind)
                decisions = ARCS[metric]().decisions(ordered)
                found += decisions if id is None else (self._joined(id, one) for one in decisions)
        return self._decisions[metric]

    @cached_property
    def _parts(self) -> list[tuple[Hashable, Document, Document, Features]]:
        """Each of the joined documents with its id and features, or the document itself."""
        found: list[tuple[Hashable, Document, Document, Features]] = []
        for id, (key, response) in self.prepared.parts:
            features = self.features
            if id is not None:
                features = Features(key, response, pronouns=self._pronouns)
            found.append((id, key, response, features))
        return found

    @cached_property
    def kinds(self) -> set[str]:
        """The kinds of its mentions, also where several documents were joined."""
        return {
            features.kind(mention)
            for _, key, response, features in self._parts
            for side in (key, response)
            for entity in side.entities
            for mention in entity
        }

    def _joined(self, id: Hashable, decision: Decision) -> Decision:
        """Return a decision about one of the joined documents in mentions and entities of all."""

        def named(mention: Mention | None) -> Mention | None:
            return None if mention is None else (id, mention)

        mention = (id, decision.mention)
        return decision._replace(
            mention=mention,
            entity=self.homes[decision.side == "response"][mention],
            expected=named(decision.expected),
            found=named(decision.found),
            anchor=named(decision.anchor),
        )

    @cached_property
    def homes(self) -> tuple[dict[Mention, int], dict[Mention, int]]:
        """The first entity of each mention of the key, and of each of the response."""
        return homes(self.key.entities), homes(self.response.entities)

    @cached_property
    def weight(self) -> Callable[[Mention], float]:
        """The information weight of each mention."""
        return weight_by_kind(self.features.kind)

    @cached_property
    def entities(self) -> list[EntityComparison]:
        """Each key entity with its best response entity."""
        return compare_entities(
            self.key.entities,
            self.response.entities,
            key_names=self.key.entity_names,
            response_names=self.response.entity_names,
            head=self.head,
            weight=self.weight,
        )

    @cached_property
    def incorrectly_resolved(self) -> list[Mention]:
        """Return mentions of both sides whose links in the response are all wrong."""
        return incorrectly_resolved(self.key.entities, self.response.entities)

    @cached_property
    def mentions(self) -> dict[str, int]:
        """Count mentions by ``key``, ``response``, ``matched``, ``missing`` and ``extra``."""
        key, response = self.homes
        matched = len(key.keys() & response.keys())
        return {
            "key": len(key),
            "response": len(response),
            "matched": matched,
            "missing": len(key) - matched,
            "extra": len(response) - matched,
        }

    def groups(self, mention: Mention, by: Iterable[str]) -> dict[str, str]:
        """Return the groups of a mention by some features."""
        return {feature: self.features.group(mention, feature) for feature in by}

    def words(self, mention: Mention | None) -> str | None:
        """The words of a mention; its name if that is a text; None where neither is known."""
        if mention is None or is_name(mention):
            return mention
        text = self.key.text or self.response.text
        if text is None:
            return None
        try:
            return text.string(mention)
        except (TypeError, IndexError):
            return None

    def link_rows(self, by: Sequence[str]) -> Iterator[LinkRow]:
        """Yield a row for each decision about an antecedent, immediate ones first."""
        for metric in ("immediate", "inferred"):
            for decision in self.decisions(f"arcs-{metric}"):
                side = self.key if decision.side == "key" else self.response
                yield LinkRow(
                    self.label,
                    metric,
                    decision.outcome,
                    decision.mention,
                    self.words(decision.mention),
                    self.key.line_of(decision.mention),
                    side.entity_names[decision.entity],
                    decision.expected,
                    self.words(decision.expected),
                    decision.found,
                    self.words(decision.found),
                    self.groups(decision.mention, by),
                )

    def mention_rows(self, by: Sequence[str]) -> Iterator[MentionRow]:
        """Yield a row for each mention of the key, then for each that only the response has."""
        in_key, in_response = self.homes
        wrong = set(self.incorrectly_resolved)
        errors: dict[Mention, list[str]] = {}
        for error in self.repairs.errors:
            about = error.mentions if error.correct is None else (*error.mentions, error.correct)
            for mention in about:
                errors.setdefault(mention, []).append(error.kind)
        for mention in dict.fromkeys((*in_key, *in_response)):
            k, r = in_key.get(mention), in_response.get(mention)
            yield MentionRow(
                self.label,
                mention,
                self.words(mention),
                self.key.line_of(mention),
                "incorrectly_resolved" if mention in wrong else self._status(k, r),
                _name(self.key, k),
                _name(self.response, r),
                tuple(dict.fromkeys(errors.get(mention, ()))),
                self.groups(mention, by),
            )

    def _status(self, key: int | None, response: int | None) -> str:
        """Return the status of a mention by its entities, unless all its links are wrong."""
        if key is None:
            return "extra"
        if response is None:
            return "missing"
        alone = len(self.response.entities[response]) == 1 < len(self.key.entities[key])
        return "unlinked" if alone else "correct"

    def entity_rows(self, by: Sequence[str]) -> Iterator[EntityRow]:
        """Yield a row for each key entity."""
        for found in self.entities:
            telling = min(found.key_mentions, key=lambda m: (-self.weight(m), content_key(m)))
            yield EntityRow(
                self.label,
                found.key_name,
                found.response_name,
                self.words(telling),
                found.category,
                len(found.key_mentions),
                len(found.response_mentions),
                len(found.whole),
                len(found.partial),
                len(found.missing),
                len(found.foreign),
                len(found.spurious),
                found.links,
                number_of_pairs(len(found.key_mentions)) - found.links,
                found.information,
                {name: scores.f1 for name, scores in found.scores().items()},
                found.key_mentions,
                self.groups(telling, by),
            )

    def error_rows(self) -> Iterator[ErrorRow]:
        """Yield a row for each error, class by class."""
        for error in self.repairs.errors:
            yield ErrorRow(
                self.label,
                error.kind,
                CLASSES[error.kind].operations,
                error.mentions,
                tuple(map(self.words, error.mentions)),
                _name(self.key, error.key),
                _name(self.response, error.response),
                error.correct,
                self.words(error.correct),
            )


def _name(document: Document, entity: int | None) -> str | None:
    return None if entity is None else document.entity_names[entity]


def _said_heads(document: Document) -> dict[Mention, int]:
    """Return the heads given in the file, by mention."""
    if document.details is None:
        return {}
    return {
        mention: detail.head
        for mentions, details in zip(document.entities, document.details, strict=True)
        for mention, detail in zip(mentions, details, strict=True)
        if isinstance(detail.head, int)
    }
