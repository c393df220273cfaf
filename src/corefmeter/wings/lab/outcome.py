"""What an experiment is: what it makes, what comes out, and which sentences of a paper hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document, Entities
from corefmeter.metrics import title
from corefmeter.metrics.average import recall_precision_f1
from corefmeter.recipe import Recipe
from corefmeter.scoring import score_corpora
from corefmeter.wings.lab.partitions import Seed, as_invented, with_entities
from corefmeter.wings.traditions.metrics.ace_weights import AceWeights

#: The metrics that the papers speak of.
METRICS = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")

#: Differences that are no more than rounding.
ROUNDING = 1e-9


class Row(NamedTuple):
    """Scores of one metric for one response.

    Attributes
    ----------
    level
        What was done, as the axis of the figure names it.
    at
        The place on an axis of numbers, or None where the axis has names.
    metric
        Its name.
    recall, precision, f1
        Fractions of 1; None for the recall and precision of an average. What has one value only
        (an average, the ACE value) has it as f1.
    """

    level: str
    at: float | None
    metric: str
    recall: float | None
    precision: float | None
    f1: float


class Claim(NamedTuple):
    """A sentence of the paper, and whether it holds here.

    Attributes
    ----------
    text
        What the paper says, and in which reading it was checked.
    holds
        Whether all of it holds; None if it does not apply, since nothing was changed.
    numbers
        The values it rests on, in percent; of several draws, those of the first.
    held
        Of several draws, in how many it holds, and how many there are to which it applies.
    """

    text: str
    holds: bool | None
    numbers: str
    held: tuple[int, int] | None = None

    def among(self, others: Iterable[Claim]) -> Claim:
        """Return the claim with what came of it in further draws; it holds if it does in all.

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
    """One response of an experiment: its label, its place on the axis, its documents."""

    level: str
    at: float | None
    corpus: Corpus


class Setup(NamedTuple):
    """Input of an experiment; synthetic ones take the seed only."""

    key: Corpus
    response: Corpus
    seed: Seed
    noise: float
    weights: AceWeights


class Alone(NamedTuple):
    """A score that has neither recall nor precision."""

    f1: float


class Other(NamedTuple):
    """A score that is no metric of the recipe.

    Attributes
    ----------
    title
        Its name in tables.
    score
        From the setup, the key and a response to a fraction of 1.
    """

    title: str
    score: Callable[[Setup, Corpus, Corpus], float]


#: What an experiment makes: the key, the responses, and other numbers.
Made = tuple[Corpus, list[Response], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of an experiment.

    Attributes
    ----------
    experiment
        Which one.
    metrics
        The metrics of `rows`, in order.
    rows
        By response, then by metric.
    claims
        The sentences of the paper.
    key, responses
        The documents, to be written.
    facts
        Other numbers, by name.
    signature
        How the scores were made.
    data
        Where the key came from, if it is not the paper's or invented.
    """

    experiment: Experiment
    metrics: tuple[str, ...]
    rows: list[Row]
    claims: list[Claim]
    key: Corpus
    responses: list[Response]
    facts: Mapping[str, Any] = field(default_factory=dict)
    signature: str = ""
    data: str | None = None

    @property
    def source(self) -> str:
        """Cite the experiment's source; on other data, note that they are not the paper's."""
        source = self.experiment.source
        return source if self.data is None else f"on your data, {self.data}; made as in {source}"

    def f1(self, metric: str) -> list[float]:
        """F1 of one metric, by response."""
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


class Table:
    """The scores of an experiment while it is made: F1 by level and metric, in [0, 1]."""

    def __init__(
        self,
        key: Corpus,
        responses: Sequence[Response],
        recipe: Recipe,
        others: Mapping[str, Callable[[Corpus, Corpus], float]],
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.levels = [response.level for response in responses]
        self.scores: list[Mapping[str, Any]] = []
        for number, response in enumerate(responses, 1):
            result = score_corpora(key, response.corpus, recipe)
            scores: dict[str, Any] = {name: result[name] for name in recipe.metrics}
            for name, score in others.items():
                scores[name] = Alone(score(key, response.corpus))
            self.scores.append(scores)
            if progress is not None:
                progress(number, len(responses))

    def __getitem__(self, place: tuple[str, str]) -> float:
        level, metric = place
        return float(self.scores[self.levels.index(level)][metric].f1)

    def of(self, metric: str, score: str = "f1") -> list[float]:
        """Return the scores of one metric, by level."""
        return [getattr(scores[metric], score) for scores in self.scores]

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
    name, title
        What the command and the picture call it.
    source
        Paper, section and figure or table.
    axis
        What the levels are.
    make
        From what is given to the key, the responses and facts.
    check
        From the scores and the facts to the claims of the paper.
    needs
        What must be given: nothing, ``key`` or ``response`` (which needs a key too).
    own_key
        What makes the key where none is given; then it need not be.
    takes_response
        Whether a response to a key that is given is of use.
    reading
        What the paper leaves open, and how we read it.
    all_scores
        Whether recall and precision matter too, as in a table.
    measure
        More facts, from the scores and the facts.
    others
        Scores beside the metrics of a recipe, by name.
    draws
        Where the claims depend on what is drawn, the metrics that they rest on.
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
    measure: Callable[[Table, dict[str, Any]], dict[str, Any]] | None = None
    own_key: Callable[[Seed], Corpus] | None = None
    takes_response: bool = True
    others: Mapping[str, Other] = field(default_factory=dict)
    draws: tuple[str, ...] = ()


def mapped(documents: Iterable[Document], change: Callable[[Entities], Entities]) -> Corpus:
    """Return the documents, each with its entities changed."""
    return Corpus([with_entities(document, change(document.entities)) for document in documents])


def invented_corpus(entities: Entities) -> Corpus:
    """Return a corpus of one document around entities; see `as_invented`."""
    return Corpus([as_invented(entities)])


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


def nearly_equal(a: float, b: float) -> bool:
    """Return whether two scores differ by rounding only."""
    return abs(a - b) <= ROUNDING


def clearly_greater(a: float, b: float) -> bool:
    """Return whether a score is greater than another by more than rounding."""
    return a > b + ROUNDING
