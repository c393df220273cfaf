"""What a scoring run gives back: statistics by document, from which every score is derived."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from itertools import chain
from math import fsum
from typing import TYPE_CHECKING, Any

from corefmeter._version import __version__
from corefmeter.corpus.model import of_label
from corefmeter.metrics import Metric, canonical, components, is_average, make, metric_class, names
from corefmeter.metrics.average import AverageScore, average, rates_of
from corefmeter.metrics.base import Number, Row, Scores
from corefmeter.problems import (
    DataError,
    OptionError,
    Problem,
    amount,
    guessed,
    reject_unknown_keywords,
)
from corefmeter.recipe import Recipe
from corefmeter.shown import Shown, rendered
from corefmeter.units import Union, Unit, group_function

if TYPE_CHECKING:
    from corefmeter.typed import Duplicates, MetricsOfResult
else:
    MetricsOfResult = object

#: Version of the JSON that `Result.to_dict` and the reports of results write.
SCHEMA = 1


def json_head(signature: str, version: str = __version__) -> dict[str, Any]:
    """Return the first entries of a JSON object; `version` computed its numbers."""
    return {"schema": SCHEMA, "signature": signature, "version": version}


class Result(Shown, MetricsOfResult):
    """Scores of one response against one key.

    ``result["lea"]`` and ``result.lea`` are the `Scores` of a metric. For an average,
    ``result.conll`` is a plain float, and ``result["conll"]`` is an `AverageScore`, which also
    reports values of 0/0. ``result + other`` and ``sum(results)`` are exact results over the
    documents of all results. Results are equal when they have the same recipe, version, documents
    and statistics.

    Attributes
    ----------
    recipe : Recipe
        The options of the scores.
    units : list of Unit
        The scored documents, or their parts if they have parts.
    statistics : dict of str to list of tuple
        For each metric, one row of numbers for each unit; the columns are the metric's `fields`.
    problems : list of Problem
        Warnings and notes.
    response : str or None
        The source of the response, such as a path.
    name : str or None
        The user's name for the response.
    digests : dict of str to str
        SHA-256 of the files that were read.
    version : str
        The version of corefmeter that computed the statistics.

    Examples
    --------
    >>> import corefmeter
    >>> result = corefmeter.score([["a", "b", "c"]], [["a", "b"], ["c"]])
    >>> result.muc.recall, result["muc"].precision, round(result.conll, 4)
    (0.5, 1.0, 0.6381)
    """

    def __init__(
        self,
        recipe: Recipe,
        units: list[Unit],
        statistics: dict[str, list[Row]],
        *,
        problems: list[Problem] | None = None,
        response: str | None = None,
        name: str | None = None,
        digests: dict[str, str] | None = None,
        version: str = __version__,
    ) -> None:
        self.recipe = recipe
        self.units = units
        self.statistics = statistics
        self.problems = problems if problems is not None else []
        self.response = response
        self.name = name
        self.digests = digests if digests is not None else {}
        self.version = version

    @property
    def documents(self) -> int:
        """Number of documents (or parts) that were scored."""
        return len(self.units)

    @property
    def signature(self) -> str:
        """The version and the recipe as text."""
        return self.recipe.signature(self.version)

    def sums(self, metric: str) -> tuple[Number, ...]:
        """Sum the statistics of a metric over all units; float sums are correctly rounded."""
        return tuple(
            sum(column) if all(isinstance(value, int) for value in column) else fsum(column)
            for column in zip(*self.statistics[metric], strict=True)
        ) or (0,) * len(metric_class(metric).fields)

    def scores(self) -> dict[str, Scores | AverageScore]:
        """Return the scores of all metrics in the requested order."""
        return {name: self[name] for name in self.recipe.metrics}

    def __getitem__(self, metric: str) -> Any:
        """Return the scores of a metric: `Scores`, or an `AverageScore` for ``conll`` and ``mela``.

        Raises
        ------
        OptionError
            When the metric is unknown or was not computed.
        """
        name = canonical(metric)
        if not self._is_computed(name):
            raise OptionError(_describe_missing(name))
        if is_average(name):
            weights = components(name, self.recipe)
            return average({part: self._scores(part) for part, _ in weights}, weights)
        return self._scores(name)

    if not TYPE_CHECKING:  # a checker shall find misspelt names

        def __getattr__(self, name: str) -> Any:
            """The scores of a metric; a plain number for an average."""
            known = () if name in _FIELDS else (*names(), *self.recipe.metrics)
            if name.startswith("_") or name not in known:
                near = guessed(name, (*known, *dir(type(self)))) if known else ""
                raise AttributeError(f"a result has no attribute {name!r}{near}")
            if not self._is_computed(name):
                raise AttributeError(_describe_missing(name))
            return self[name].f1 if is_average(name) else self[name]

    def __dir__(self) -> list[str]:
        metrics = {*self.recipe.metrics, *self.statistics}
        return [*super().__dir__(), *filter(str.isidentifier, metrics)]

    def _is_computed(self, name: str) -> bool:
        """Return whether the statistics of a metric, or of all components of an average, exist."""
        return all(part in self.statistics for part, _ in components(name, self.recipe))

    def _scores(self, name: str) -> Scores:
        metric: Metric = make(name, self.recipe)
        undefined = self.recipe.undefined
        if self.recipe.average == "pooled":
            return metric.scores(self.sums(name), undefined)
        return _average_scores([metric.scores(row, undefined) for row in self.statistics[name]])

    @reject_unknown_keywords()
    def by(self, group: str | Callable[[Unit], str] | Mapping[str, str]) -> dict[str, Result]:
        """Return the result of each group of units.

        Parameters
        ----------
        group
            ``"document"`` (parts are pooled), ``"part"``, ``"genre"`` (the first part of the name),
            a document attribute such as ``"gender"`` in GAP, a function from a `Unit` to a group,
            or a mapping from document names to groups.

        Raises
        ------
        OptionError
            For an unknown group, or a document that the mapping lacks.
        """
        find_group = group_function(group)
        rows: dict[str, list[int]] = {}
        group_of: dict[str | None, str] = {}
        for index, unit in enumerate(self.units):
            name = group_of[unit.label] = find_group(unit)
            rows.setdefault(name, []).append(index)
        problems: dict[str, list[Problem]] = {name: [] for name in rows}
        for problem in self.problems:
            # A problem that is of no unit belongs to all groups.
            concerned = [group_of[problem.document]] if problem.document in group_of else rows
            for name in concerned:
                problems[name].append(problem)
        return {name: self._select(indices, problems[name]) for name, indices in rows.items()}

    @reject_unknown_keywords()
    def select(self, indices: Sequence[int]) -> Result:
        """Return the result of some of the units, given by position.

        The problems of the other units are left out.
        """
        others = {unit.label for unit in self.units} - {self.units[i].label for i in indices}
        return self._select(indices, [p for p in self.problems if p.document not in others])

    def _select(self, indices: Sequence[int], problems: list[Problem]) -> Result:
        units = [self.units[i] for i in indices]
        statistics = {name: [rows[i] for i in indices] for name, rows in self.statistics.items()}
        return self._copy_with(units=units, statistics=statistics, problems=problems)

    def _copy_with(self, **changes: Any) -> Result:
        result = copy(self)
        vars(result).update(changes)
        return result

    @reject_unknown_keywords()
    def add(self, other: Result, duplicates: Duplicates = "error") -> Result:
        """Return the result over the units of both results.

        Parameters
        ----------
        other
            The result of other documents.
        duplicates
            How to treat a document that both have, for example if a sampler padded the last batch:
            ``error`` rejects it, as ``+`` does; ``keep`` counts it twice; ``first`` counts the one
            of this result, with a warning. Unnamed documents are renumbered and are never
            duplicates, unless they have the same origin, as in ``result + result``.

        Raises
        ------
        DataError
            ``repeated-document`` when both have the same document.
        OptionError
            When the recipes differ, because the sum would be meaningless.

        Examples
        --------
        >>> import corefmeter
        >>> key = {"d": [["a", "b"]], "e": [["a", "b"]]}
        >>> one, two = (corefmeter.score(key, {name: [["a", "b"]]}) for name in key)
        >>> one.add(two, duplicates="first").documents
        2
        """
        if self.recipe != other.recipe:
            raise OptionError(
                "results made by different recipes do not add up:\n"
                f"  {self.signature}\n  {other.signature}"
            )
        union = Union.of(self.units, other.units, duplicates)
        return self._copy_with(
            units=union.units,
            statistics={
                name: rows + [other.statistics[name][i] for i in union.kept]
                for name, rows in self.statistics.items()
            },
            problems=union.problems(self.problems, other.problems),
            response=self.response if self.response == other.response else None,
            name=self.name if self.name == other.name else None,
            digests=self.digests | other.digests,
        )

    def __add__(self, other: Result) -> Result:
        """Return the result over the units of two results that share no units; see `add`."""
        return self.add(other) if isinstance(other, Result) else NotImplemented

    def __radd__(self, other: object) -> Result:
        """Return the result itself when added to 0, with which `sum` begins."""
        return self if type(other) is int and not other else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Return whether all numbers and the recipes are equal."""
        if not isinstance(other, Result):
            return NotImplemented
        return (
            (self.recipe, self.version) == (other.recipe, other.version)
            and [unit[:2] for unit in self.units] == [unit[:2] for unit in other.units]
            and self.statistics == other.statistics
        )

    #: A result can be changed, so it has no hash.
    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[str]:
        return iter(self.recipe.metrics)

    def __repr__(self) -> str:
        parts = [f"{name} {scores.f1:.4f}" for name, scores in self.scores().items()]
        problems = f"; problems: {len(self.problems)}" if self.problems else ""
        documents = amount(self.documents, "document")
        return f"<Result of {documents}: {', '.join(parts)}{problems}>"

    def flat(self) -> dict[str, float]:
        """Return all scores in one flat dictionary, for experiment trackers.

        Returns
        -------
        dict of str to float
            Scores by name, such as ``muc.recall``, ``muc.f1`` and ``conll.f1``, as fractions of
            one. Undefined scores are nan.

        Examples
        --------
        >>> import corefmeter
        >>> corefmeter.score([["a", "b"]], [["a", "b"]], metrics=["muc"]).flat()
        {'muc.recall': 1.0, 'muc.precision': 1.0, 'muc.f1': 1.0}
        """
        return {
            f"{name}.{rate}": float(value)
            for name, scores in self.scores().items()
            for rate, value in rates_of(scores).items()
        }

    @reject_unknown_keywords()
    def to_frame(self, by: Sequence[str] = ()) -> Any:
        """Return a data frame with one row of unrounded scores per metric; see `Shown.to_frame`.

        Parameters
        ----------
        by
            Groups to add rows for, such as ``["document"]``; see `Result.by`.

        Raises
        ------
        OptionError
            For an unknown group, or when neither pandas nor Polars is installed.
        """
        return rendered(self, "frame_of", by=[(group, group) for group in by])

    @reject_unknown_keywords()
    def to_dict(self, by: Sequence[str] = ()) -> dict[str, Any]:
        """Return the result as JSON values, in the documented schema.

        Parameters
        ----------
        by
            Groups to add scores for, such as ``["document"]``. With documents or parts, the result
            can later be read back and compared without the texts.
        """
        return json_head(self.signature, self.version) | {"results": [self.entry(by)]}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Result:
        """Return the result that `to_dict` wrote with documents or parts.

        Raises
        ------
        DataError
            ``not-a-result`` when the object is not a result or its signature cannot be parsed;
            ``no-statistics`` when it was written without documents or parts, so it contains only
            totals.
        OptionError
            When the object holds several results.

        Examples
        --------
        >>> import corefmeter
        >>> result = corefmeter.score({"d": [["a", "b"]]}, {"d": [["a", "b"], ["c"]]})
        >>> again = Result.from_dict(result.to_dict(by=["document"]))
        >>> again.statistics == result.statistics
        True
        """
        results = results_from_dict(document)
        if len(results) != 1:
            raise OptionError(f"{len(results)} results where one is expected; see read_results")
        return results[0]

    def entry(self, by: Sequence[str | tuple[str, str | Mapping[str, str]]] = ()) -> dict[str, Any]:
        """Return an element of the list ``results`` of the JSON schema."""
        values: dict[str, Any] = {
            "response": self.response,
            **({} if self.name is None else {"name": self.name}),
            "documents": self.documents,
            "scores": self._json_scores(),
        }
        for group in by:
            name, key = group if isinstance(group, tuple) else (group, group)
            scores = {unit: part._json_scores() for unit, part in self.by(key).items()}
            values.setdefault("by", {})[name] = scores
        values["digests"] = self.digests
        values["problems"] = [problem.to_dict() for problem in self.problems]
        return values

    def _json_scores(self) -> dict[str, Any]:
        """Return the scores of all computed metrics, with statistics that they do not contain."""
        values: dict[str, Any] = {}
        for name in dict.fromkeys((*self.recipe.metrics, *self.statistics)):
            entry = values[name] = self[name].to_dict()
            if name in self.statistics:
                sums = dict(zip(metric_class(name).fields, self.sums(name), strict=True))
                if self.recipe.average == "macro":
                    # A mean of documents' scores has numerators and denominators of its own.
                    entry["statistics"] = sums
                for field, value in sums.items():
                    entry.setdefault(field, value)
        return values


#: Attributes of every result; `__getattr__` is called for them only in an incomplete copy.
_FIELDS = ("recipe", "units", "statistics")


def _describe_missing(name: str) -> str:
    return f"the metric {name!r} was not computed; ask for it with metrics={[name]!r}"


def _average_scores(scores: list[Scores]) -> Scores:
    """Return the mean of the scores of documents, without values that are not numbers.

    A numerator is the sum of the documents' values, a denominator is their number.
    """
    means, counts = {}, {}
    for field in ("recall", "precision", "f1"):
        values = [value for s in scores if (value := getattr(s, field)) == value]
        counts[field] = fsum(values), len(values)
        means[field] = fsum(values) / len(values) if values else float("nan")
    names = scores[0].parts if scores else {}
    return Scores(
        means["recall"],
        means["precision"],
        means["f1"],
        *counts["recall"],
        *counts["precision"],
        tuple(field for field in means if any(field in s.undefined for s in scores)),
        {name: _average_scores([s.parts[name] for s in scores]) for name in names},
    )


@reject_unknown_keywords()
def read_results(path: str | os.PathLike[str]) -> list[Result]:
    """Return the results in a file that ``corefmeter score … --by document -f json`` wrote.

    Raises
    ------
    DataError
        ``unreadable``, ``not-a-result``, or ``no-statistics``; see `Result.from_dict`.
    """
    import json

    from corefmeter.formats.source import open_input

    path = os.fspath(path)
    try:
        with open_input(path) as stream:
            document = json.loads(stream.read())
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise DataError(Problem("unreadable", message, "error", path=path)) from None
    except (ValueError, RecursionError) as error:
        raise DataError(
            Problem("not-a-result", f"not JSON: {error}", "error", path=path, hint=_HOW_TO_SAVE)
        ) from None
    return results_from_dict(document, path)


_HOW_TO_SAVE = "Save results by: corefmeter score KEY RESPONSE… --by document -f json -o FILE"


def results_from_dict(document: Any, path: str | None = None) -> list[Result]:
    """Read results from the JSON schema; `path` is the source named in messages."""

    def refusal(code: str, why: str) -> DataError:
        return DataError(Problem(code, why, "error", path=path, hint=_HOW_TO_SAVE))

    if not isinstance(document, Mapping) or not isinstance(document.get("results"), list):
        raise refusal("not-a-result", "no object with a list of results")
    if document.get("schema") != SCHEMA:
        raise refusal("not-a-result", f"schema {document.get('schema')!r}, not {SCHEMA}")
    results = []
    for entry in document["results"]:
        try:
            by = entry.get("by", {})
            group = "part" if "part" in by else "document"
            if group not in by:
                raise refusal("no-statistics", "only totals were saved, not documents or parts")
            # Numbers that were saved stay as they are, so their version does not matter here.
            recipe = Recipe.parse(document["signature"], [])
            found = Result(
                recipe,
                [
                    Unit(of_label(label)[0] if group == "part" else label, label)
                    for label in by[group]
                ],
                _read_statistics(recipe, by[group]),
                problems=[Problem.from_dict(problem) for problem in entry["problems"]],
                response=_require_text(entry["response"]),
                name=_require_text(entry.get("name")),
                digests={
                    _require_text(file): _require_text(digest)
                    for file, digest in entry["digests"].items()
                },
                version=_require_text(document["version"]),
            )
        except OptionError as error:
            raise refusal("not-a-result", str(error)) from None
        except (KeyError, TypeError, AttributeError) as error:
            raise refusal("not-a-result", f"{type(error).__name__}: {error}") from None
        results.append(found)
    return results


#: No statistic is as large; products of two of them are still numbers.
_LARGEST = 1e100


def _require_text(value: Any) -> Any:
    if not isinstance(value, str | None):
        raise TypeError(f"{value!r} is not text")
    return value


def _read_statistics(recipe: Recipe, units: Mapping[str, Any]) -> dict[str, list[Row]]:
    """Return the rows of each metric, from the saved scores of units."""
    found: dict[str, list[Row]] = {}
    for metric in recipe.base_metrics():
        entries = [scores[metric].get("statistics") or scores[metric] for scores in units.values()]
        fields = metric_class(metric).fields
        found[metric] = [tuple(entry[field] for field in fields) for entry in entries]
        for value in chain.from_iterable(found[metric]):
            if type(value) not in (int, float) or not abs(value) < _LARGEST:
                raise TypeError("statistics are not numbers, or larger than any count")
    return found
