"""What went wrong, as plain data: everything that `corefmeter errors` prints, and more.

An `Analysis` holds three lists of rows, `links`, `mentions` and `entities`, each made when it is
asked for, and `summary`, one dictionary of JSON values. Rows are filtered by `Rows.where`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from corefmeter._version import __version__
from corefmeter.analysis.entities import (
    CATEGORIES,
    EntityComparison,
    compare_entities,
    count_categories,
)
from corefmeter.analysis.identification import Effect, effects, incorrectly_resolved
from corefmeter.analysis.information import weight_by_kind
from corefmeter.analysis.operations import (
    CLASSES,
    OPERATIONS,
    Costs,
    Repairs,
    costs,
    count_errors,
    count_operations,
)
from corefmeter.analysis.scoring import Rescorer, of_entities
from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.mentions.features import (
    FEATURES,
    UNKNOWN,
    FeatureFunction,
    Features,
    SideFeatures,
    says_more_than_words,
)
from corefmeter.metrics import DEFAULT
from corefmeter.metrics.arcs import (
    ARCS,
    ArcsAnchor,
    Counts,
    Decision,
    Ordered,
    by_feature,
    count_by,
)
from corefmeter.metrics.base import Scores
from corefmeter.metrics.overlap import pairs as number_of_pairs
from corefmeter.preparation import Prepared, prepare
from corefmeter.problems import OptionError, Problem, unknown
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.scoring import score_prepared

#: Version of the JSON of `Analysis.summary`.
SCHEMA = 1

#: The metrics of costs, when no metrics are asked for.
COST_METRICS = ("conll", "lea")

#: The kinds of mention in the order of tables.
KINDS = ("name", "nominal", "pronoun", "other", UNKNOWN)

T = TypeVar("T")


class Rows(list[T], Generic[T]):
    """A list that can be filtered by the attributes of its items.

    Examples
    --------
    >>> from corefmeter.analysis.operations import Error
    >>> errors = Rows([Error("span", ("a",), 0, 0), Error("divided", ("b",), 1, 0)])
    >>> errors.where(kind="span").where(key=lambda k: k < 2)
    [Error(kind='span', mentions=('a',), key=0, response=0, correct=None)]
    """

    def where(self, **conditions: Any) -> Rows[T]:
        """The rows whose attributes, or features, have the given values.

        Parameters
        ----------
        **conditions
            By name of the attribute, or of the feature: a value; a set, list or tuple of values of
            which it is one; or a function that is true for it.

        Raises
        ------
        OptionError
            For a name that is neither an attribute nor a feature, with the nearest known one.
        """
        return Rows(
            row
            for row in self
            if all(_meets(_value(row, name), wanted) for name, wanted in conditions.items())
        )


def _value(row: Any, name: str) -> Any:
    if hasattr(row, name):
        return getattr(row, name)
    features = getattr(row, "features", {})
    if name not in features:
        known = [one for one in dir(row) if not one.startswith("_")]
        raise unknown("attribute of a row", name, [*known, *features])
    return features[name]


def _meets(value: Any, wanted: Any) -> bool:
    if callable(wanted):
        return bool(wanted(value))
    if isinstance(wanted, (set, frozenset, list, tuple)):
        # A mention is a tuple itself.
        return value == wanted or any(value == one for one in wanted)
    return bool(value == wanted)


class _Row:
    """What the rows share."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON values; features stand beside the other columns."""
        # Types: each class that inherits this is a dataclass.
        values = {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]
        features = values.pop("features")
        return {**values, **features}


@dataclass(frozen=True, slots=True)
class LinkRow(_Row):
    """One decision about the antecedent of a mention; see `corefmeter.metrics.arcs`.

    Attributes
    ----------
    document
        The label of the document.
    metric
        ``immediate`` or ``inferred``.
    outcome
        ``tp``, ``wl``, ``fn`` or ``fp``.
    mention, words, line
        The mention, its words and the line of the key where it begins; None where unknown.
    entity
        The name of its entity, in the key, or for ``fp`` in the response.
    expected, expected_words, found, found_words
        The antecedents in the key and in the response.
    features
        Its groups by the features asked for, first ``kind``.
    """

    document: str
    metric: str
    outcome: str
    mention: Mention
    words: str | None
    line: int | None
    entity: str
    expected: Mention | None
    expected_words: str | None
    found: Mention | None
    found_words: str | None
    features: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MentionRow(_Row):
    """One mention of the key, the response or both.

    Attributes
    ----------
    document, mention, words, line
        As in `LinkRow`.
    status
        ``correct``: in both, with a right link, or a singleton in both; ``incorrectly_resolved``:
        in both, with links in the response of which none is right; ``unlinked``: in both, a
        singleton in the response only; ``missing``: in the key only; ``extra``: in the response
        only.
    key_entity, response_entity
        The names of its entities, None where it is not.
    errors
        The classes of the errors that it is part of.
    features
        As in `LinkRow`.
    """

    document: str
    mention: Mention
    words: str | None
    line: int | None
    status: str
    key_entity: str | None
    response_entity: str | None
    errors: tuple[str, ...]
    features: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EntityRow(_Row):
    """One key entity and what became of it; see `corefmeter.analysis.entities`.

    Attributes
    ----------
    document
        The label of the document.
    entity, response
        The names of the key entity and of its best response entity.
    words
        The words of its most informative mention, the first of them.
    category
        ``1``, ``2a``, ``2b``, ``3`` or ``4``.
    size, response_size
        Mentions of either.
    whole, partial, missing, foreign, spurious
        How many mentions are found, found in part, not found; belong to other key entities; or to
        none.
    links, lost_links
        Correct links, and links of the key entity that are not.
    information
        The share of the information weight that is kept.
    scores
        F1 of each metric on the isolated pair.
    mentions
        Its mentions.
    features
        Groups of its most informative mention by the features asked for.
    """

    document: str
    entity: str
    response: str | None
    words: str | None
    category: str
    size: int
    response_size: int
    whole: int
    partial: int
    missing: int
    foreign: int
    spurious: int
    links: int
    lost_links: int
    information: float
    scores: dict[str, float]
    mentions: list[Mention]
    features: dict[str, str] = field(default_factory=dict)


class ErrorRow(NamedTuple):
    """One error; see `corefmeter.analysis.operations`.

    Attributes
    ----------
    document
        The label of the document.
    error
        A key of `CLASSES`.
    operations
        The operations that repair it.
    mentions, words
        The mentions that it is about, and their words.
    key_entity, response_entity
        The names of the entities that it is about, None where there is none.
    correct, correct_words
        For a wrong span the key mention.
    """

    document: str
    error: str
    operations: tuple[str, ...]
    mentions: tuple[Mention, ...]
    words: tuple[str | None, ...]
    key_entity: str | None
    response_entity: str | None
    correct: Mention | None
    correct_words: str | None


class DocumentAnalysis:
    """The analysis of one document.

    Parameters
    ----------
    prepared
        Key and response after all policies, and which mentions are the same.
    pronouns, functions
        As for `corefmeter.mentions.features.Features`.

    Attributes
    ----------
    key, response : Document
        The two sides.
    features : Features
        The features of their mentions.
    repairs : Repairs
        The errors and their repair.
    """

    def __init__(
        self,
        prepared: Prepared,
        pronouns: str | None = None,
        functions: Mapping[str, FeatureFunction] | None = None,
    ) -> None:
        pair = prepared.named
        self._prepared = prepared
        self._pronouns = pronouns
        self.key: Document = pair.key
        self.response: Document = pair.response
        self.label = pair.label
        self.features = Features(
            pair.key,
            pair.response,
            pronouns=pronouns,
            functions=functions,
        )
        sides = self.features.key, self.features.response
        self._reliable = {one.side: _knows_heads(one) for one in sides}
        self._said = {one.side: _said_heads(one.document) for one in sides}
        self.repairs = Repairs(pair.key.entities, pair.response.entities, self.head)
        self._decisions: dict[str, list[Decision]] = {}

    def head(self, mention: Mention) -> int | None:
        """The head token of a mention, if the file says it or has tags, a parse or dependencies.

        From words alone a head is only a guess, on which no span error should rest.
        """
        side = self.features.side(mention)
        said = self._said[side.side]
        if mention in said:
            return said[mention]
        return side[mention].head if self._reliable[side.side] else None

    def decisions(self, metric: str) -> list[Decision]:
        """The decisions of an ARCS metric: ``arcs-immediate``, ``arcs-inferred``, …"""
        if metric not in self._decisions:
            found = self._decisions[metric] = []
            for id, (key, response) in self._prepared.parts:
                features = self.features
                if id is not None:
                    features = Features(key, response, pronouns=self._pronouns)
                ordered = Ordered(key.entities, response.entities, features.kind)
                decisions = ARCS[metric]().decisions(ordered)
                found += decisions if id is None else (self._joined(id, one) for one in decisions)
        return self._decisions[metric]

    def _joined(self, id: Hashable, decision: Decision) -> Decision:
        """A decision about one of the joined documents, in the mentions and entities of all."""

        def named(mention: Mention | None) -> Mention | None:
            return None if mention is None else (id, mention)

        mention = (id, decision.mention)
        return decision._replace(
            mention=mention,
            entity=self._homes[decision.side == "response"][mention],
            expected=named(decision.expected),
            found=named(decision.found),
            anchor=named(decision.anchor),
        )

    @cached_property
    def _homes(self) -> tuple[dict[Mention, int], dict[Mention, int]]:
        return _homes(self.key), _homes(self.response)

    @cached_property
    def weight(self) -> Callable[[Mention], float]:
        """The information weight of a mention."""
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
        """Mentions of both sides with links in the response of which none is right."""
        return incorrectly_resolved(self.key.entities, self.response.entities)

    @cached_property
    def mentions(self) -> dict[str, int]:
        """How many mentions there are: ``key``, ``response``, ``matched``, ``missing``, ``extra``.

        A response mention that stands twice counts once.
        """
        key = {mention for entity in self.key.entities for mention in entity}
        response = {mention for entity in self.response.entities for mention in entity}
        matched = len(key & response)
        return {
            "key": len(key),
            "response": len(response),
            "matched": matched,
            "missing": len(key) - matched,
            "extra": len(response) - matched,
        }

    def groups(self, mention: Mention, by: Iterable[str]) -> dict[str, str]:
        """The groups of a mention by some features."""
        return {feature: self.features.group(mention, feature) for feature in by}

    def words(self, mention: Mention | None) -> str | None:
        """The words of a mention; its name if that is a text; None where neither is known."""
        if mention is None or isinstance(mention, str):
            return mention
        text = self.key.text or self.response.text
        if text is None:
            return None
        try:
            return text.string(mention)
        except (TypeError, IndexError):
            return None


def _knows_heads(side: SideFeatures) -> bool:
    """Whether the text of a side says more about heads than words do."""
    return says_more_than_words(side.text)


def _said_heads(document: Document) -> dict[Mention, int]:
    """The heads that the file says, by mention."""
    if document.details is None:
        return {}
    return {
        mention: detail.head
        for mentions, details in zip(document.entities, document.details, strict=True)
        for mention, detail in zip(mentions, details, strict=True)
        if isinstance(detail.head, int)
    }


class Analysis:
    """What went wrong in a response.

    Made by `corefmeter.analyse`. It can be pickled if the functions of one's own can.

    Parameters
    ----------
    documents
        Key and response of each document, after all policies.
    result
        The scores of the response.
    by
        Names of features for breakdowns, beside ``kind``.
    cost_metrics
        The metrics of `costs`; by default `COST_METRICS`, or those that the recipe asks for.
    pronouns, functions
        As for `corefmeter.mentions.features.Features`.
    key_path
        Where the key came from.

    Attributes
    ----------
    documents : list of DocumentAnalysis
        Document by document.
    result : Result
        The scores, as `corefmeter.score` gives them.

    Raises
    ------
    OptionError
        For an unknown feature, with the nearest known one.

    Examples
    --------
    >>> import corefmeter
    >>> analysis = corefmeter.analyse([["Ann", "she", "her"]], [["Ann", "she"], ["her", "dog"]])
    >>> analysis.summary["errors"]["divided"]["count"], analysis.summary["categories"]["2a"]
    (1, 1)
    >>> [row.mention for row in analysis.mentions.where(status="extra")]
    ['dog']
    >>> analysis.links.where(metric="immediate", outcome=["wl", "fn"])[0].expected
    'she'
    """

    def __init__(
        self,
        documents: Sequence[Prepared],
        result: Result,
        *,
        by: Sequence[str] = (),
        cost_metrics: Sequence[str] | None = None,
        pronouns: str | None = None,
        functions: Mapping[str, FeatureFunction] | None = None,
        key_path: str | None = None,
    ) -> None:
        functions = dict(functions or {})
        for name in by:
            if name not in FEATURES and name not in functions:
                raise unknown("feature", name, [*FEATURES, *functions])
        self.by = list(dict.fromkeys(by))
        self.result = result
        self.key_path = key_path
        self.documents = [DocumentAnalysis(one, pronouns, functions) for one in documents]
        if cost_metrics is None:
            asked = of_entities(self.recipe)
            cost_metrics = COST_METRICS if tuple(asked) == DEFAULT or not asked else asked
        self.cost_metrics = tuple(self.recipe.but(metrics=tuple(cost_metrics)).metrics)

    @property
    def recipe(self) -> Recipe:
        """How the scores were made."""
        return self.result.recipe

    @property
    def problems(self) -> list[Problem]:
        """What was noticed and decided by a policy."""
        return self.result.problems

    @property
    def features(self) -> list[str]:
        """The features of rows: ``kind``, then those asked for."""
        return list(dict.fromkeys(("kind", *self.by)))

    # Rows

    @cached_property
    def links(self) -> Rows[LinkRow]:
        """A row for each decision about an antecedent, immediate ones first."""
        return Rows(
            self._link(document, metric, decision)
            for document in self.documents
            for metric in ("immediate", "inferred")
            for decision in document.decisions(f"arcs-{metric}")
        )

    def _link(self, document: DocumentAnalysis, metric: str, decision: Decision) -> LinkRow:
        side = document.key if decision.side == "key" else document.response
        return LinkRow(
            document.label,
            metric,
            decision.outcome,
            decision.mention,
            document.words(decision.mention),
            document.key.line_of(decision.mention),
            side.entity_names[decision.entity],
            decision.expected,
            document.words(decision.expected),
            decision.found,
            document.words(decision.found),
            document.groups(decision.mention, self.features),
        )

    @cached_property
    def mentions(self) -> Rows[MentionRow]:
        """A row for each mention of the key, then for each that only the response has."""
        return Rows(row for document in self.documents for row in self._mentions(document))

    def _mentions(self, document: DocumentAnalysis) -> Iterator[MentionRow]:
        in_key, in_response = _homes(document.key), _homes(document.response)
        sizes = [len(entity) for entity in document.key.entities]
        response_sizes = [len(entity) for entity in document.response.entities]
        wrong = set(document.incorrectly_resolved)
        errors: dict[Mention, list[str]] = {}
        for error in document.repairs.errors:
            about = error.mentions if error.correct is None else (*error.mentions, error.correct)
            for mention in about:
                errors.setdefault(mention, []).append(error.kind)
        names = document.key.entity_names
        response_names = document.response.entity_names
        for mention in dict.fromkeys((*in_key, *in_response)):
            k, r = in_key.get(mention), in_response.get(mention)
            if k is None:
                status = "extra"
            elif r is None:
                status = "missing"
            elif mention in wrong:
                status = "incorrectly_resolved"
            elif response_sizes[r] == 1 < sizes[k]:
                status = "unlinked"
            else:
                status = "correct"
            yield MentionRow(
                document.label,
                mention,
                document.words(mention),
                document.key.line_of(mention),
                status,
                None if k is None else names[k],
                None if r is None else response_names[r],
                tuple(dict.fromkeys(errors.get(mention, ()))),
                document.groups(mention, self.features),
            )

    @cached_property
    def entities(self) -> Rows[EntityRow]:
        """A row for each key entity."""
        return Rows(
            self._entity(document, found)
            for document in self.documents
            for found in document.entities
        )

    def _entity(self, document: DocumentAnalysis, found: EntityComparison) -> EntityRow:
        telling = max(found.key_mentions, key=document.weight)
        return EntityRow(
            document.label,
            found.key_name,
            found.response_name,
            document.words(telling),
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
            document.groups(telling, self.features),
        )

    @property
    def errors(self) -> Rows[ErrorRow]:
        """A row for each error, class by class in each document."""
        return Rows(
            ErrorRow(
                document.label,
                error.kind,
                OPERATIONS[error.kind],
                error.mentions,
                tuple(map(document.words, error.mentions)),
                None if error.key is None else document.key.entity_names[error.key],
                None if error.response is None else document.response.entity_names[error.response],
                error.correct,
                document.words(error.correct),
            )
            for document in self.documents
            for error in document.repairs.errors
        )

    # What the rows add up to

    @cached_property
    def _rescorer(self) -> Rescorer:
        names = of_entities(self.recipe) or COST_METRICS
        return Rescorer(self._entities, self.recipe, names)

    @cached_property
    def _entities(self) -> list[tuple[Any, Any]]:
        return [(one.key.entities, one.response.entities) for one in self.documents]

    @cached_property
    def costs(self) -> Costs:
        """What each class of errors costs."""
        repairs = [document.repairs for document in self.documents]
        return costs(repairs, Rescorer(self._entities, self.recipe, self.cost_metrics))

    @cached_property
    def effects(self) -> dict[str, Effect]:
        """The mention identification effect, by all metrics of the recipe."""
        return effects(self._entities, self._rescorer)

    def repaired(self, classes: Iterable[str] = tuple(CLASSES)) -> Corpus:
        """The response after the repair of some classes, by default all.

        Examples
        --------
        >>> import corefmeter
        >>> analysis = corefmeter.analyse([["a", "b"]], [["a"], ["b", "x"]])
        >>> analysis.repaired(["divided"]).documents[0].entities
        [['a', 'b', 'x']]
        """
        classes = list(classes)
        return Corpus(
            [
                one.response.but(
                    name=one.key.name,
                    part=one.key.part,
                    entities=one.repairs.repaired(classes),
                    tokens=one.key.tokens or one.response.tokens,
                    text=one.key.text or one.response.text,
                    attributes={},  # they may name entities that are no more
                )
                for one in self.documents
            ]
        )

    def arcs(self, feature: str | None = None) -> dict[str, Any]:
        """The application metrics, for all mentions and by a feature.

        Returns
        -------
        dict
            ``immediate`` and ``inferred``: by group, ``all`` first, counts and scores. ``anchor``:
            ``detection`` and ``mentions``, counts and scores, and ``f``; with a feature these two
            are by group too, by the feature of the anchor.
        """
        undefined = self.recipe.undefined
        grouped = {
            name: self._counts(f"arcs-{name}", "antecedent", feature)
            for name in ("immediate", "inferred")
        }
        values: dict[str, Any] = {
            name: {group: counts.to_dict(undefined) for group, counts in found.items()}
            for name, found in grouped.items()
        }
        parts = {
            part: self._counts("arcs-anchor", part, feature) for part in ("detection", "mentions")
        }
        sums = (*parts["detection"]["all"].row, *parts["mentions"]["all"].row)
        if feature is None:
            values["anchor"] = {
                part: found["all"].to_dict(undefined) for part, found in parts.items()
            }
        else:
            values["anchor"] = {
                part: {group: counts.to_dict(undefined) for group, counts in found.items()}
                for part, found in parts.items()
            }
        values["anchor"]["f"] = _json(ArcsAnchor().scores(sums, undefined).f1)
        return values

    def _counts(self, metric: str, part: str, feature: str | None) -> dict[str, Counts]:
        """The counts of all decisions, then of each group of a feature."""
        groups: dict[str, Counts] = {}
        everything = Counts()
        for document in self.documents:
            decisions = [one for one in document.decisions(metric) if one.part == part]
            if feature is None:
                found = count_by(decisions, lambda decision: "all")
            else:
                found = count_by(decisions, by_feature(document.features, feature))
            for name, counts in found.items():
                everything += counts
                groups[name] = groups.get(name, Counts()) + counts
        if feature is None:
            return {"all": everything}
        return {"all": everything, **{name: groups[name] for name in ordered_groups(groups)}}

    @cached_property
    def categories(self) -> dict[str, int]:
        """How many key entities each category of Holen has."""
        totals = dict.fromkeys(CATEGORIES, 0)
        for document in self.documents:
            for name, number in count_categories(document.entities).items():
                totals[name] += number
        return totals

    def mention_counts(self, feature: str | None = None) -> dict[str, dict[str, int]]:
        """Mentions by group of a feature, ``all`` first; see `DocumentAnalysis.mentions`.

        ``incorrectly_resolved`` is counted too.
        """
        names = ("key", "response", "matched", "missing", "extra", "incorrectly_resolved")
        totals: dict[str, dict[str, int]] = {"all": dict.fromkeys(names, 0)}
        groups: dict[str, dict[str, int]] = {}
        for document in self.documents:
            for name, number in document.mentions.items():
                totals["all"][name] += number
            totals["all"]["incorrectly_resolved"] += len(document.incorrectly_resolved)
            if feature is None:
                continue
            key, response = _homes(document.key), _homes(document.response)
            wrong = set(document.incorrectly_resolved)
            for mention in dict.fromkeys((*key, *response)):
                group = document.features.group(mention, feature)
                row = groups.setdefault(group, dict.fromkeys(names, 0))
                row["key"] += mention in key
                row["response"] += mention in response
                row["matched"] += mention in key and mention in response
                row["missing"] += mention not in response
                row["extra"] += mention not in key
                row["incorrectly_resolved"] += mention in wrong
        return totals | {name: groups[name] for name in ordered_groups(groups)}

    def error_kinds(self) -> dict[str, dict[str, int]]:
        """By class of errors: how many mentions of each kind are involved."""
        kinds: dict[str, Counter[str]] = {name: Counter() for name in CLASSES}
        for document in self.documents:
            for error in document.repairs.errors:
                kinds[error.kind].update(map(document.features.kind, error.mentions))
        return {
            name: {kind: found[kind] for kind in ordered_groups(found)}
            for name, found in kinds.items()
        }

    def worst_entities(self, number: int) -> list[EntityRow]:
        """The key entities that lose most links, most first; perfect ones are left out.

        Of entities that lose as many, the one with less information kept comes first.
        """
        failed = [row for row in self.entities if row.lost_links or row.category != "1"]
        failed.sort(key=lambda row: (-row.lost_links, row.information))
        return failed[:number]

    def worst_documents(self, number: int) -> list[dict[str, Any]]:
        """The documents with most errors, most first, with their scores by the cost metrics."""
        order = sorted(
            (-len(one.repairs.errors), place)
            for place, one in enumerate(self.documents)
            if one.repairs.errors
        )[:number]
        if not order:
            return []
        rescorer = Rescorer(
            [self._entities[place] for _, place in order], self.recipe, self.cost_metrics
        )
        return [
            {
                "document": self.documents[place].label,
                "mentions": self.documents[place].mentions["key"],
                "errors": -errors,
                "scores": {n: _json(s.f1) for n, s in rescorer.document(rank).items()},
            }
            for rank, (errors, place) in enumerate(order)
        ]

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Everything in one dictionary of JSON values; docs/errors.md has the keys."""
        mentions = self.mention_counts("kind")
        everything = mentions["all"]
        counts = count_errors(document.repairs for document in self.documents)
        kinds = self.error_kinds()
        arcs = self.arcs("kind")
        undecided = self.arcs()
        values: dict[str, Any] = {
            "schema": SCHEMA,
            "signature": self.result.signature,
            "version": __version__,
            "key": self.key_path,
            "response": self.result.response,
            **({} if self.result.name is None else {"name": self.result.name}),
            "documents": len(self.documents),
            "mention_counts": {
                name: number
                for name, number in everything.items()
                if name != "incorrectly_resolved"
            },
            "scores": {name: _score(self.result[name]) for name in self.recipe.metrics},
            "arcs": {**arcs, "anchor": undecided["anchor"]},
            "categories": self.categories,
            "errors": {
                name: {
                    "count": number,
                    "cost": _json_values(self.costs.cost(name)),
                    "repaired": _json_values(self.costs.repaired[name]),
                    "cumulative": _json_values(self.costs.cumulative[name]),
                    "kinds": kinds[name],
                }
                for name, number in counts.items()
            },
            "operations": count_operations(counts),
            "incorrectly_resolved": {
                "count": everything["incorrectly_resolved"],
                "share": _share(everything["incorrectly_resolved"], everything["response"]),
                "kinds": {
                    kind: row["incorrectly_resolved"]
                    for kind, row in mentions.items()
                    if kind != "all"
                },
            },
            "identification": {name: effect.to_dict() for name, effect in self.effects.items()},
        }
        if self.by:
            values["by"] = {
                feature: {
                    "mention_counts": self.mention_counts(feature),
                    "arcs": self.arcs(feature),
                }
                for feature in self.by
            }
        return values

    def __iter__(self) -> Iterator[DocumentAnalysis]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        errors = sum(len(document.repairs.errors) for document in self.documents)
        return f"<Analysis of {len(self.documents)} documents: {errors} errors>"


def analyse_corpora(
    key: Corpus,
    response: Corpus,
    recipe: Recipe,
    *,
    document: str | None = None,
    strict: bool = False,
    **options: Any,
) -> Analysis:
    """The analysis of two corpora that were read with details; see `corefmeter.analyse`.

    Parameters
    ----------
    document
        The name, or the label, of the only document to look at.
    **options
        As for `Analysis`.
    """
    prepared, problems = prepare(key, response, recipe, strict=strict)
    result = score_prepared(prepared, problems, key, response, recipe)
    if document is not None:
        chosen = [i for i, unit in enumerate(result.units) if document in (unit.name, unit.label)]
        if not chosen:
            raise _no_such_document(document, [unit.label for unit in result.units])
        result = result.select(chosen)
        prepared = [prepared[i] for i in chosen]
    return Analysis(prepared, result, key_path=key.path, **options)


def _no_such_document(name: str, labels: list[str]) -> OptionError:
    """The error for a document that is not there; corpora have too many to name all."""
    import difflib

    near = difflib.get_close_matches(name, labels, n=1, cutoff=0.3) or labels[:1]
    guess = f"; there is {near[0]!r}" if near else ""
    return OptionError(f"neither side has a document {name!r}{guess}")


def ordered_groups(groups: Iterable[str]) -> list[str]:
    """Names of groups in the order of tables: kinds, then numbers, then the alphabet.

    Examples
    --------
    >>> ordered_groups(["pronoun", "name"]), ordered_groups(["10+", "first", "4-9", "unknown"])
    (['name', 'pronoun'], ['4-9', '10+', 'first', 'unknown'])
    """

    def rank(name: str) -> tuple[int, int, str]:
        if name == UNKNOWN:
            return 3, 0, name
        if name in KINDS:
            return 0, KINDS.index(name), name
        number = re.match(r"\d+", name)
        return (1, int(number[0]), name) if number else (2, 0, name)

    return sorted(groups, key=rank)


def _homes(document: Document) -> dict[Mention, int]:
    """The first entity of each mention."""
    homes: dict[Mention, int] = {}
    for number, entity in enumerate(document.entities):
        for mention in entity:
            homes.setdefault(mention, number)
    return homes


def _score(scores: Any) -> dict[str, Any]:
    names = ("recall", "precision", "f1") if isinstance(scores, Scores) else ("f1",)
    return {name: _json(getattr(scores, name)) for name in names}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _json(value: float) -> float | None:
    return None if value != value else value


def _json_values(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: _json(value) for name, value in values.items()}
