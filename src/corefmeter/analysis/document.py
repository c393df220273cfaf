"""One document of an analysis: its features, decisions, entities and errors, and their rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from corefmeter.analysis.entities import EntityComparison, compare_entities, homes
from corefmeter.analysis.identification import incorrectly_resolved
from corefmeter.analysis.information import weight_by_kind
from corefmeter.analysis.operations import CLASSES, Repairs
from corefmeter.analysis.rows import EntityRow, ErrorRow, LinkRow, MentionRow
from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.text import common_prefix
from corefmeter.mentions.features import FeatureFunction, Features, has_annotation
from corefmeter.metrics.arcs import ARCS
from corefmeter.metrics.decisions import Decision, Ordered
from corefmeter.metrics.overlap import pairs as number_of_pairs
from corefmeter.preparation import Prepared


class EntityNames(NamedTuple):
    """What tables call the entities of one side, by their names in the file.

    `ids` are names in the file without the beginning that all share. `titles` are the words of
    the mention that names it (see `Features`); where words are unknown, the mention itself.
    """

    ids: dict[str, str]
    titles: dict[str, str]


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
        self._has_annotation = {one.side: has_annotation(one.text) for one in sides}
        self._given_heads = {one.side: _collect_heads(one.document) for one in sides}
        self.repairs = Repairs(pair.key.entities, pair.response.entities, self.head)
        self._decisions: dict[str, list[Decision]] = {}

    def head(self, mention: Mention) -> int | None:
        """Return the head token of a mention, given by the file, tags, a parse or dependencies.

        From words alone a head is only a guess, on which no span error should rest.
        """
        side = self.features.side(mention)
        heads = self._given_heads[side.side]
        if mention in heads:
            return heads[mention]
        return side[mention].head if self._has_annotation[side.side] else None

    def decisions(self, metric: str) -> list[Decision]:
        """Return the decisions of an ARCS metric: ``arcs-immediate``, ``arcs-inferred``, …"""
        if metric not in self._decisions:
            named = self._decisions[metric] = []
            for id, features in self._parts:
                key, response = features.key.document, features.response.document
                ordered = Ordered(key.entities, response.entities, features.kind)
                decisions = ARCS[metric]().decisions(ordered)
                if id is not None:
                    decisions = (self._place_in_joined(id, one) for one in decisions)
                named += decisions
        return self._decisions[metric]

    @cached_property
    def _parts(self) -> list[tuple[Hashable, Features]]:
        """The documents joined into this one, by their features, or itself with the id None."""
        return [
            (id, self.features if id is None else Features(*pair, pronouns=self._pronouns))
            for id, pair in self.prepared.parts
        ]

    @cached_property
    def kinds(self) -> set[str]:
        """The kinds of its mentions, also where several documents were joined."""
        return {
            features.kind(mention)
            for _, features in self._parts
            for side in (features.key, features.response)
            for entity in side.document.entities
            for mention in entity
        }

    def _place_in_joined(self, id: Hashable, decision: Decision) -> Decision:
        """Return a decision in one of the joined documents, as one in the whole of them."""

        def add_id(mention: Mention | None) -> Mention | None:
            return None if mention is None else (id, mention)

        mention = (id, decision.mention)
        return decision._replace(
            mention=mention,
            entity=self.homes[decision.side == "response"][mention],
            expected=add_id(decision.expected),
            found=add_id(decision.found),
            anchor=add_id(decision.anchor),
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

    def groups(self, mention: Mention, by: Iterable[str]) -> dict[str, str]:
        """Return the groups of a mention by some features."""
        return {feature: self.features.group(mention, feature) for feature in by}

    def words(self, mention: Mention | None) -> str | None:
        """Return the words of a mention, or its name if it is a text; None if neither is known."""
        return self.features.words(mention)

    @cached_property
    def names(self) -> dict[str, EntityNames]:
        """What the entities of ``key`` and ``response`` are called."""
        names = {}
        for side, document in (("key", self.key), ("response", self.response)):
            titles = {}
            for name, entity in zip(document.entity_names, document.entities, strict=True):
                mention = self.features.naming_mention(entity)
                titles[name] = self.words(mention) or str(mention)
            names[side] = EntityNames(short_names(document.entity_names), titles)
        return names

    def link_rows(self, by: Sequence[str]) -> Iterator[LinkRow]:
        """Yield a row for each decision about an antecedent, immediate ones first."""
        for metric in ("immediate", "inferred"):
            for decision in self.decisions(f"arcs-{metric}"):
                side = self.key if decision.side == "key" else self.response
                yield LinkRow(
                    document=self.label,
                    metric=metric,
                    outcome=decision.outcome,
                    mention=decision.mention,
                    words=self.words(decision.mention),
                    line=self.key.line_of(decision.mention),
                    entity=side.entity_names[decision.entity],
                    expected=decision.expected,
                    expected_words=self.words(decision.expected),
                    found=decision.found,
                    found_words=self.words(decision.found),
                    features=self.groups(decision.mention, by),
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
                document=self.label,
                mention=mention,
                words=self.words(mention),
                line=self.key.line_of(mention),
                status="incorrectly_resolved" if mention in wrong else self._find_status(k, r),
                key_entity=_name_entity(self.key, k),
                response_entity=_name_entity(self.response, r),
                errors=tuple(dict.fromkeys(errors.get(mention, ()))),
                features=self.groups(mention, by),
            )

    def _find_status(self, key: int | None, response: int | None) -> str:
        """Return the status of a mention of these entities, unless all its links are wrong."""
        if key is None:
            return "extra"
        if response is None:
            return "missing"
        alone = len(self.response.entities[response]) == 1 < len(self.key.entities[key])
        return "unlinked" if alone else "correct"

    def entity_rows(self, by: Sequence[str]) -> Iterator[EntityRow]:
        """Yield a row for each key entity."""
        for one in self.entities:
            naming = self.features.naming_mention(one.key_mentions)
            yield EntityRow(
                document=self.label,
                entity=one.key_name,
                response=one.response_name,
                words=self.words(naming),
                category=one.category,
                size=len(one.key_mentions),
                response_size=len(one.response_mentions),
                whole=len(one.whole),
                partial=len(one.partial),
                missing=len(one.missing),
                foreign=len(one.foreign),
                spurious=len(one.spurious),
                links=one.links,
                lost_links=number_of_pairs(len(one.key_mentions)) - one.links,
                information=one.information,
                scores={name: scores.f1 for name, scores in one.scores().items()},
                mentions=one.key_mentions,
                features=self.groups(naming, by),
            )

    def error_rows(self) -> Iterator[ErrorRow]:
        """Yield a row for each error, class by class."""
        for error in self.repairs.errors:
            yield ErrorRow(
                document=self.label,
                error=error.kind,
                operations=CLASSES[error.kind].operations,
                mentions=error.mentions,
                words=tuple(map(self.words, error.mentions)),
                key_entity=_name_entity(self.key, error.key),
                response_entity=_name_entity(self.response, error.response),
                correct=error.correct,
                correct_words=self.words(error.correct),
            )


def _name_entity(document: Document, entity: int | None) -> str | None:
    return None if entity is None else document.entity_names[entity]


def _collect_heads(document: Document) -> dict[Mention, int]:
    if document.details is None:
        return {}
    return {
        mention: detail.head
        for mentions, details in zip(document.entities, document.details, strict=True)
        for mention, detail in zip(mentions, details, strict=True)
        if isinstance(detail.head, int)
    }


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return the names of the entities of a document without a long beginning that all share.

    >>> short_names(["GUM_news_e1", "GUM_news_e12"]), short_names(["e1", "e2"])
    ({'GUM_news_e1': 'e1', 'GUM_news_e12': 'e12'}, {'e1': 'e1', 'e2': 'e2'})
    """
    first, last = min(names, default=""), max(names, default="")
    shared = first[: common_prefix(first, last)].rstrip("0123456789")
    if first == last or len(shared) < 4:
        return {name: name for name in names}
    # The last letter says what the number counts.
    return {name: name[len(shared) - 1 :] for name in names}
