"""What went wrong, as plain data: everything that `corefmeter errors` prints, and more.

An `Analysis` holds three lists of rows, `links`, `mentions` and `entities`, each made when it is
asked for, and `summary`, one dictionary of JSON values. Rows are filtered by `Rows.where`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from corefmeter.analysis.document import DocumentAnalysis
from corefmeter.analysis.identification import Effect, effects
from corefmeter.analysis.operations import (
    CLASSES,
    Costs,
    costs,
    count_errors,
    count_operations,
    kind_costs,
)
from corefmeter.analysis.rows import COLUMNS, EntityRow, ErrorRow, LinkRow, MentionRow, Rows
from corefmeter.analysis.scoring import Rescorer, as_json_values, entity_metrics
from corefmeter.analysis.totals import Totals
from corefmeter.corpus.model import Corpus, short_label
from corefmeter.corpus.positions import content_key
from corefmeter.mentions.features import FEATURES, UNKNOWN, FeatureFunction
from corefmeter.metrics import DEFAULT
from corefmeter.metrics.average import rates_of
from corefmeter.metrics.base import as_json
from corefmeter.preparation import Prepared, prepare
from corefmeter.problems import (
    OptionError,
    Problem,
    amount,
    guessed,
    reject_unknown_keywords,
    require_known,
)
from corefmeter.recipe import Recipe
from corefmeter.result import Result, json_head
from corefmeter.scoring import score_prepared
from corefmeter.shown import Shown, rendered

#: The metrics of costs, when no metrics are asked for.
COST_METRICS = ("conll", "lea")


class Analysis(Shown, Totals):
    """The errors of a response, as `corefmeter.analyse` returns them.

    Analyses can be pickled if their custom feature functions can.

    Attributes
    ----------
    documents : list of DocumentAnalysis
        The analysis of each document.
    result : Result
        The same scores as from `corefmeter.score`.
    by : list of str
        Features of mentions for breakdowns, in addition to ``kind``.
    cost_metrics : tuple of str
        The metrics of `costs`. By default, these are `COST_METRICS` or the metrics of the recipe.

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
        if reserved := ", ".join(sorted((COLUMNS | FEATURES.keys()) & functions.keys())):
            raise OptionError(f"{reserved}: the name is taken; call the feature otherwise")
        for name in by:
            require_known("feature", name, [*FEATURES, *functions])
        self.by = list(dict.fromkeys(by))
        self.result = result
        self.key_path = key_path
        super().__init__(
            [DocumentAnalysis(one, pronouns, functions) for one in documents],
            result.recipe.undefined,
        )
        if cost_metrics is None:
            requested = entity_metrics(self.recipe)
            is_default = tuple(requested) == DEFAULT
            cost_metrics = COST_METRICS if is_default or not requested else requested
        self.cost_metrics = tuple(self.recipe.replace(metrics=tuple(cost_metrics)).metrics)

    @property
    def recipe(self) -> Recipe:
        """The recipe of the scores."""
        return self.result.recipe

    @property
    def problems(self) -> list[Problem]:
        """Warnings, and notes on the effects of policies."""
        return self.result.problems

    @property
    def features(self) -> list[str]:
        """The features in rows: ``kind``, then the requested features."""
        return list(dict.fromkeys(("kind", *self.by)))

    @cached_property
    def links(self) -> Rows[LinkRow]:
        """The rows of all antecedent decisions; immediate antecedents come first."""
        return Rows(row for document in self for row in document.link_rows(self.features))

    @cached_property
    def mentions(self) -> Rows[MentionRow]:
        """The rows of all key mentions, then those of mentions that only the response has."""
        return Rows(row for document in self for row in document.mention_rows(self.features))

    @cached_property
    def entities(self) -> Rows[EntityRow]:
        """A row for each key entity."""
        return Rows(row for document in self for row in document.entity_rows(self.features))

    @property
    def errors(self) -> Rows[ErrorRow]:
        """The rows of all errors, grouped by document and error type."""
        return Rows(row for document in self for row in document.error_rows())

    def _make_rescorer(
        self, metrics: Iterable[str], documents: Sequence[DocumentAnalysis] | None = None
    ) -> Rescorer:
        documents = self.documents if documents is None else documents
        sides = [(document.key.entities, document.response.entities) for document in documents]
        sets = [document.prepared.sets for document in documents]
        return Rescorer(sides, self.recipe, metrics, sets)

    @cached_property
    def _cost_rescorer(self) -> Rescorer:
        return self._make_rescorer(self.cost_metrics)

    @cached_property
    def costs(self) -> Costs:
        """The costs of each error type."""
        return costs([document.repairs for document in self.documents], self._cost_rescorer)

    @cached_property
    def kind_costs(self) -> dict[str, dict[str, dict[str, float]]]:
        """The costs of error types by mention type and metric; empty if mentions have no types."""
        if self.kinds <= {UNKNOWN}:
            return {name: {} for name in CLASSES}
        documents = [(document.repairs, document.features.kind) for document in self.documents]
        return kind_costs(documents, self._cost_rescorer)

    def cost_at(self, error: str, kind: str) -> dict[str, float]:
        """Return the cost of an error type for one mention type; without types, its total cost."""
        return self.kind_costs[error].get(kind) or self.costs.cost(error)

    @cached_property
    def effects(self) -> dict[str, Effect]:
        """The mention identification effect on each metric of the recipe."""
        sides = [(document.key.entities, document.response.entities) for document in self.documents]
        return effects(sides, self._make_rescorer(entity_metrics(self.recipe) or COST_METRICS))

    def repaired(self, classes: Iterable[str] = tuple(CLASSES)) -> Corpus:
        """Return the response with some error types repaired, by default all.

        >>> import corefmeter
        >>> analysis = corefmeter.analyse([["a", "b"]], [["a"], ["b", "x"]])
        >>> analysis.repaired(["divided"]).documents[0].entities
        [['a', 'b', 'x']]
        """
        classes = list(classes)
        documents = [
            document.response.replace(
                name=document.key.name,
                part=document.key.part,
                entities=document.repairs.repaired(classes),
                tokens=document.key.tokens or document.response.tokens,
                text=document.key.text or document.response.text,
                attributes={},  # they may name entities that do not exist after the repair
            )
            for document in self.documents
        ]
        return Corpus(documents)

    def worst_entities(self, number: int) -> list[EntityRow]:
        """Return the imperfect key entities, sorted by the number of lost links, most first.

        Ties are broken by the information kept (least first), then by document and reading order.
        """
        failed = [row for row in self.entities if row.lost_links or row.category != "1"]

        def rank(row: EntityRow) -> tuple[Any, ...]:
            content = sorted(map(content_key, row.mentions))
            return -row.lost_links, row.information, row.document, content

        return sorted(failed, key=rank)[:number]

    def worst_documents(self, number: int) -> list[dict[str, Any]]:
        """Return the documents with the most errors, with their scores on the cost metrics."""
        wrong = [one for one in self.documents if one.repairs.errors]
        worst = sorted(wrong, key=lambda one: (-len(one.repairs.errors), one.label))[:number]
        rescorer = self._make_rescorer(self.cost_metrics, worst)
        return [
            {
                "document": one.label,
                "mentions": len(one.homes[0]),
                "errors": len(one.repairs.errors),
                "scores": {n: as_json(s.f1) for n, s in rescorer.document(rank).items()},
            }
            for rank, one in enumerate(worst)
        ]

    @cached_property
    def classes(self) -> dict[str, dict[str, Any]]:
        """The number, cost and mention types of each error type; see docs/errors.md."""
        classes: dict[str, dict[str, Any]] = {}
        kinds, counts = self.error_kinds(), count_errors(one.repairs for one in self.documents)
        for name in CLASSES:
            costs = self.kind_costs[name]
            classes[name] = {
                "count": counts[name],
                "cost": as_json_values(self.costs.cost(name)),
                "repaired": as_json_values(self.costs.repaired[name]),
                "cumulative": as_json_values(self.costs.cumulative[name]),
                "kinds": kinds[name],
                "kind_costs": {k: as_json_values(costs[k]) for k in kinds[name] if k in costs},
            }
        return classes

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The summary as a dictionary of JSON values; docs/errors.md explains its keys."""
        mentions = self.mention_counts("kind")
        counts = dict(mentions["all"])
        wrong = counts.pop("incorrectly_resolved")
        wrong_kinds = {k: row["incorrectly_resolved"] for k, row in mentions["groups"].items()}
        share = wrong / counts["response"] if counts["response"] else 0.0
        arcs = self.arcs("kind") | {"anchor": self.arcs()["anchor"]}
        if self.not_computed:
            arcs["not_computed"] = self.not_computed
        errors = {name: values["count"] for name, values in self.classes.items()}
        values: dict[str, Any] = {
            **json_head(self.result.signature),
            "key": self.key_path,
            "response": self.result.response,
            **({} if self.result.name is None else {"name": self.result.name}),
            "documents": len(self.documents),
            "mention_counts": counts,
            "scores": {
                name: as_json_values(rates_of(self.result[name])) for name in self.recipe.metrics
            },
            "arcs": arcs,
            "categories": self.categories,
            "errors": self.classes,
            "operations": count_operations(errors),
            "incorrectly_resolved": {"count": wrong, "share": share, "kinds": wrong_kinds},
            "identification": {name: effect.to_dict() for name, effect in self.effects.items()},
        }
        by = {n: {"mention_counts": self.mention_counts(n), "arcs": self.arcs(n)} for n in self.by}
        return values | ({"by": by} if by else {})

    def __iter__(self) -> Iterator[DocumentAnalysis]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    @reject_unknown_keywords()
    def to_frame(self, rows: str | None = None) -> Any:
        """Return the summary or one of the lists as a data frame; see `Shown.to_frame`.

        Parameters
        ----------
        rows
            The list to return: ``entities``, ``links`` or ``mentions``. None returns the summary.
        """
        return rendered(self, "frame_of", sections=[] if rows is None else [rows])

    def __repr__(self) -> str:
        errors = sum(len(document.repairs.errors) for document in self.documents)
        return f"<Analysis of {amount(len(self.documents), 'document')}: {amount(errors, 'error')}>"


def analyse_corpora(
    key: Corpus,
    response: Corpus,
    recipe: Recipe,
    *,
    document: str | None = None,
    strict: bool = False,
    **options: Any,
) -> Analysis:
    """Return the analysis of two corpora that were read with details; see `corefmeter.analyse`.

    `document` is the name of the only document to look at, also as tables show it, or its label.
    """
    prepared, problems = prepare(key, response, recipe, strict=strict)
    result = score_prepared(prepared, problems, key, response, recipe)
    if document is not None:
        names = [(unit.name, unit.label, short_label(unit.label)) for unit in result.units]
        chosen = [i for i, of_unit in enumerate(names) if document in of_unit]
        if not chosen:
            labels = [label for _, _, label in names]
            first = f"; there is {labels[0]!r}" if labels else ""
            guess = guessed(document, labels) or first
            raise OptionError(f"neither side has a document {document!r}{guess}")
        result = result.select(chosen)
        prepared = [prepared[i] for i in chosen]
    return Analysis(prepared, result, key_path=key.path, **options)
