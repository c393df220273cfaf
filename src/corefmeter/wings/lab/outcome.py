"""Experiments of papers: what one makes, its scores, and the paper's claims about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document, Entities
from corefmeter.metrics import title
from corefmeter.metrics.average import AverageScore, recall_precision_f1
from corefmeter.recipe import Recipe
from corefmeter.scoring import score_corpora
from corefmeter.wings.lab.partitions import Seed, as_invented, with_entities
from corefmeter.wings.traditions.metrics.ace_weights import AceWeights

#: The metrics that the papers speak of.
METRICS = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")

#: Differences up to this are rounding.
ROUNDING = 1e-9


class Row(NamedTuple):
    """Scores of one metric for one response, as fractions of 1.

    `level` names the response, and `at` is its place on an axis of numbers, if there is one. A
    score that is one number (an average, the ACE value) is in `f1`.
    """

    level: str
    at: float | None
    metric: str
    recall: float | None
    precision: float | None
    f1: float


class Claim(NamedTuple):
    """A claim of the paper, whether it holds here, and the values in percent that show it.

    `holds` is None where the claim does not apply. Of several draws, `numbers` are those of the
    first, and `held` is in how many the claim holds and to how many it applies.
    """

    text: str
    holds: bool | None
    numbers: str
    held: tuple[int, int] | None = None

    def among(self, others: Iterable[Claim]) -> Claim:
        """Return the claim with its verdicts in further draws; it holds if it does in all.

        Examples
        --------
        >>> Claim("", True, "").among([Claim("", False, ""), Claim("", None, "")])[1:]
        (False, '', (1, 2))
        """
        verdicts = [one.holds for one in (self, *others) if one.holds is not None]
        if not verdicts:
            return self
        return self._replace(holds=all(verdicts), held=(sum(verdicts), len(verdicts)))


class Response(NamedTuple):
    """A response of an experiment: its label, its place on the axis, its documents."""

    level: str
    at: float | None
    corpus: Corpus


#: A response of one invented document: its label, its place on the axis, its entities.
Level = tuple[str, float | None, Entities]


class Setup(NamedTuple):
    """Input of an experiment; synthetic ones take the seed only."""

    key: Corpus
    response: Corpus
    seed: Seed
    noise: float
    weights: AceWeights


class Other(NamedTuple):
    """A score that is not a metric of a recipe: its title, and the function that computes it."""

    title: str
    score: Callable[[Setup, Corpus, Corpus], float]


class Made(NamedTuple):
    """Key and responses of an experiment, and other numbers by name."""

    key: Corpus
    responses: list[Response]
    facts: dict[str, Any]


class Table:
    """The scores of an experiment; ``table[level, metric]`` is F1."""

    def __init__(
        self,
        key: Corpus,
        responses: Sequence[Response],
        recipe: Recipe,
        others: Mapping[str, Callable[[Corpus, Corpus], float]],
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.levels = [response.level for response in responses]
        self.scores: list[dict[str, Any]] = []
        for number, response in enumerate(responses, 1):
            result = score_corpora(key, response.corpus, recipe)
            scores: dict[str, Any] = {name: result[name] for name in recipe.metrics}
            for name, score in others.items():
                scores[name] = AverageScore(score(key, response.corpus))
            self.scores.append(scores)
            if progress is not None:
                progress(number, len(responses))

    def __getitem__(self, place: tuple[str, str]) -> float:
        level, metric = place
        return float(self.scores[self.levels.index(level)][metric].f1)

    def of(self, metric: str, score: str = "f1") -> list[float]:
        """Return the scores of one metric, by level."""
        return [getattr(scores[metric], score) for scores in self.scores]

    def rises(self, metric: str, before: str, after: str) -> bool:
        """Return whether F1 is greater at one level than before, by more than rounding."""
        return clearly_greater(self[after, metric], self[before, metric])

    def rows(self, responses: Sequence[Response], metrics: Sequence[str]) -> list[Row]:
        """Return the rows of some metrics."""
        return [
            Row(response.level, response.at, metric, *recall_precision_f1(scores[metric]))
            for response, scores in zip(responses, self.scores, strict=True)
            for metric in metrics
        ]


@dataclass(frozen=True, slots=True)
class Experiment:
    """A published experiment.

    Attributes
    ----------
    axis
        What the levels are.
    make, check
        Make key and responses; yield the claims from their scores and the facts.
    needs
        What must be given: nothing, ``key`` or ``response`` (which needs a key too).
    reading
        How we read what the paper leaves open.
    all_scores
        Whether recall and precision are shown too.
    measure
        Further facts, from the scores.
    own_key
        Makes a key where none is given.
    draws
        Where the claims depend on what is drawn, the metrics that they are about.
    """

    name: str
    title: str
    source: str
    axis: str
    make: Callable[[Setup], Made]
    check: Callable[[Table, dict[str, Any]], Iterable[Claim]]
    needs: str = ""
    reading: str = ""
    all_scores: bool = False
    measure: Callable[[Table], dict[str, Any]] | None = None
    own_key: Callable[[Seed], Corpus] | None = None
    takes_response: bool = True
    others: Mapping[str, Other] = field(default_factory=dict)
    draws: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of an experiment: `rows` by response and metric, the claims, and what was made.

    `data` is where the key came from, if it is neither the paper's nor invented.
    """

    experiment: Experiment
    metrics: tuple[str, ...]
    rows: list[Row]
    claims: list[Claim]
    key: Corpus
    responses: list[Response]
    facts: Mapping[str, Any]
    signature: str
    data: str | None

    @property
    def source(self) -> str:
        """Cite the experiment's source; on other data, note that they are not the paper's."""
        source = self.experiment.source
        return source if self.data is None else f"on your data, {self.data}; made as in {source}"

    def f1(self, metric: str) -> list[float]:
        """Return F1 of one metric, by response."""
        return [row.f1 for row in self.rows if row.metric == metric]

    def title(self, metric: str) -> str:
        """Return the name of a metric in tables."""
        others = self.experiment.others
        return others[metric].title if metric in others else title(metric)

    @property
    def values(self) -> str:
        """Name the values of `Row.f1` for captions: F1, or the other scores shown."""
        others = [self.title(name) for name in self.metrics if name in self.experiment.others]
        return " and ".join(["F1", *others])

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as JSON values."""
        return {
            "schema": 1,
            "experiment": self.experiment.name,
            "title": self.experiment.title,
            "source": self.experiment.source,
            "signature": self.signature,
            "rows": [row._asdict() for row in self.rows],
            "claims": [claim._asdict() for claim in self.claims],
            "facts": dict(self.facts),
        }


def invent_documents(key: Entities, responses: Iterable[Level]) -> Made:
    """Make the key and the responses of an experiment from entities, each of one document."""
    corpora = [
        Response(level, at, Corpus([as_invented(entities)])) for level, at, entities in responses
    ]
    return Made(Corpus([as_invented(key)]), corpora, facts={})


def change_entities(
    documents: Iterable[Document], change: Callable[[Entities], Entities]
) -> Corpus:
    """Return the documents after a function has changed the entities of each."""
    return Corpus([with_entities(document, change(document.entities)) for document in documents])


def percent(value: float) -> str:
    """Return a fraction of 1 in percent, with two decimals."""
    return f"{100 * value:.2f}"


def series(table: Table, metrics: Iterable[str], score: str = "f1") -> str:
    """Return the numbers of a claim: all levels of some metrics, in order."""
    return "; ".join(
        f"{title(m)} {', '.join(percent(value) for value in table.of(m, score))}" for m in metrics
    )


def values_at(table: Table, levels: Sequence[str], metrics: Iterable[str]) -> str:
    """Return the numbers of a claim: some levels of some metrics, by name."""
    return "; ".join(
        f"{title(m)} " + ", ".join(f"{level} {percent(table[level, m])}" for level in levels)
        for m in metrics
    )


def nearly_equal(*values: float) -> bool:
    """Return whether scores differ by rounding only."""
    return max(values) - min(values) <= ROUNDING


def clearly_greater(a: float, b: float) -> bool:
    """Return whether a score is greater than another by more than rounding."""
    return a > b + ROUNDING
