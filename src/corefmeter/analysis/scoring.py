"""Scores of changed responses to the same key; only the documents that change are scored again."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from corefmeter.corpus.model import Entities
from corefmeter.corpus.splits import SetMember, moved_sets
from corefmeter.metrics import Overlap, components, make, metric_class
from corefmeter.metrics.base import Row, as_json
from corefmeter.metrics.sets import with_sets
from corefmeter.problems import OptionError
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.units import Unit


def entity_metrics(recipe: Recipe) -> list[str]:
    """Return the metrics of a recipe that are functions of the entities alone."""
    return [
        name
        for name in recipe.metrics
        if not any(metric_class(part).aligned for part, _ in components(name, recipe))
    ]


def as_json_values(values: Mapping[str, float]) -> dict[str, float | None]:
    """Convert numbers by name to JSON values."""
    return {name: as_json(value) for name, value in values.items()}


class Rescorer:
    """Scores other responses against the same key, by metrics that are functions of entities.

    `documents` has key and response of each document after all policies of the recipe for mentions,
    which are not applied again. `sets` has the set members of each document: those of a changed
    response belong to the entities that share most mentions with those they belonged to.

    >>> rescorer = Rescorer([([["a", "b"]], [["a"], ["b"]])], metrics=["lea"])
    >>> rescorer.f1({}), rescorer.f1({0: ("merged", [["a", "b"]])})
    ({'lea': 0.0}, {'lea': 1.0})
    """

    def __init__(
        self,
        documents: Sequence[tuple[Entities, Entities]],
        recipe: Recipe | None = None,
        metrics: Iterable[str] | None = None,
        sets: Sequence[tuple[list[SetMember], list[SetMember]]] | None = None,
    ) -> None:
        recipe = recipe or Recipe()
        self.recipe = recipe if metrics is None else recipe.replace(metrics=tuple(metrics))
        names = self.recipe.base_metrics()
        if aligned := [name for name in names if metric_class(name).aligned]:
            raise OptionError(
                "these metrics need matched mentions, which a modified response does not have: "
                f"{', '.join(aligned)}. Choose other metrics."
            )
        self._metrics = {name: make(name, self.recipe) for name in names}
        self._documents = documents
        self._sets = sets or [([], [])] * len(documents)
        self._base = [
            self._count_document(number, response) for number, (_, response) in enumerate(documents)
        ]
        self._units = [Unit(str(number), str(number)) for number in range(len(documents))]
        self._known: dict[tuple[int, Hashable], dict[str, Row]] = {}

    def _count_document(self, number: int, response: Entities) -> dict[str, Row]:
        """Return the statistics of document `number` with `response` in place of its own."""
        key, before = self._documents[number]
        table = Overlap(key, response)
        of_key, of_response = self._sets[number]
        if response is not before:
            of_response = moved_sets(of_response, before, response)
        return {
            name: metric.statistics(with_sets(table, of_key, of_response, metric))
            for name, metric in self._metrics.items()
        }

    def result(self, changed: Mapping[int, tuple[Hashable, Entities]]) -> Result:
        """Return the result when some documents have another response.

        `changed` has, by index of the document, a name of the response and its entities; each
        document is scored once for each name.
        """
        rows = list(self._base)
        for number, (name, response) in changed.items():
            if (number, name) not in self._known:
                self._known[number, name] = self._count_document(number, response)
            rows[number] = self._known[number, name]
        statistics = {name: [row[name] for row in rows] for name in self._metrics}
        return Result(self.recipe, self._units, statistics)

    def document(self, number: int) -> dict[str, Any]:
        """Return the scores of one document with its own response, by metric."""
        statistics = {name: [row] for name, row in self._base[number].items()}
        result = Result(self.recipe, self._units[number : number + 1], statistics)
        return {name: result[name] for name in self.recipe.metrics}

    def f1(self, changed: Mapping[int, tuple[Hashable, Entities]]) -> dict[str, float]:
        """Return F1, or the average, of each requested metric; see `result`."""
        result = self.result(changed)
        return {name: result[name].f1 for name in self.recipe.metrics}
