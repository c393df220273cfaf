"""What published experiments have in common: their corpora, scores, and the paper's claims."""

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

#: The metrics that the papers discuss.
METRICS = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")

#: Scores that differ by less differ by rounding only.
ROUNDING = 1e-9

#: A function that is called with the number of steps that are done, and the number of all.
OnProgress = Callable[[int, int], None] | None


class Row(NamedTuple):
    """Scores of one metric for one response, as fractions of 1.

    `level` is the label of the response, and `at` its place on a numeric axis, if there is one. A
    score that is a single number (an average, the ACE value) is in `f1`.
    """

    level: str
    at: float | None
    metric: str
    recall: float | None
    precision: float | None
    f1: float


class Claim(NamedTuple):
    """A claim of the paper, whether it holds here, and the scores in percent that show it.

    `holds` is None if the claim does not apply. If there are several draws, `numbers` are from the
    first; `held` is the number of draws in which the claim holds, and of those to which it applies.
    """

    text: str
    holds: bool | None
    numbers: str
    held: tuple[int, int] | None = None

    def add_draws(self, claims: Iterable[Claim]) -> Claim:
        """Return the claim with the verdicts of further draws; it holds if it holds in all.

        >>> Claim("", True, "").add_draws([Claim("", False, ""), Claim("", None, "")])[1:]
        (False, '', (1, 2))
        """
        verdicts = [claim.holds for claim in (self, *claims) if claim.holds is not None]
        if not verdicts:
            return self
        return self._replace(holds=all(verdicts), held=(sum(verdicts), len(verdicts)))


class Response(NamedTuple):
    """A response of an experiment: its label, its place on the axis, and its documents."""

    level: str
    at: float | None
    corpus: Corpus


#: A response with one invented document: its label, its place on the axis, and its entities.
Level = tuple[str, float | None, Entities]


class Setup(NamedTuple):
    """Input of an experiment; those on invented data use only the seed."""

    key: Corpus
    response: Corpus
    seed: Seed
    noise: float
    weights: AceWeights


class Other(NamedTuple):
    """A score that is not a metric of a recipe: its title, and the function that computes it."""

    title: str
    score: Callable[[Setup, Corpus, Corpus], float]


#: A function from key and response to a score.
Score = Callable[[Corpus, Corpus], float]


class Data(NamedTuple):
    """Key and responses of an experiment, and other values to report by name."""

    key: Corpus
    responses: list[Response]
    facts: dict[str, Any]


class Table:
    """The scores of an experiment; ``table[level, metric]`` is F1."""

    def __init__(
        self, data: Data, recipe: Recipe, others: Mapping[str, Score], progress: OnProgress = None
    ) -> None:
        self.responses, self.facts = data.responses, data.facts
        self.levels = [response.level for response in data.responses]
        self.scores: list[dict[str, Any]] = []
        for number, (_, _, corpus) in enumerate(data.responses, 1):
            result = score_corpora(data.key, corpus, recipe)
            scores: dict[str, Any] = {name: result[name] for name in recipe.metrics}
            scores |= {n: AverageScore(score(data.key, corpus)) for n, score in others.items()}
            self.scores.append(scores)
            if progress is not None:
                progress(number, len(data.responses))

    def __getitem__(self, place: tuple[str, str]) -> float:
        level, metric = place
        return float(self.scores[self.levels.index(level)][metric].f1)

    def of(self, metric: str, score: str = "f1") -> list[float]:
        """Return one score of a metric for each level."""
        return [getattr(scores[metric], score) for scores in self.scores]

    def rises(self, metric: str, before: str, after: str) -> bool:
        """Return whether F1 at a level is clearly greater than at the level before."""
        return clearly_greater(self[after, metric], self[before, metric])

    def series(self, metrics: Iterable[str], score: str = "f1") -> str:
        """Format the scores of some metrics at all levels, in order, to show for a claim."""
        return "; ".join(
            f"{title(m)} {', '.join(map(percent, self.of(m, score)))}" for m in metrics
        )

    def values_at(self, levels: Sequence[str], metrics: Iterable[str]) -> str:
        """Format the scores of some metrics at some levels, to show for a claim."""
        return "; ".join(
            f"{title(m)} " + ", ".join(f"{level} {percent(self[level, m])}" for level in levels)
            for m in metrics
        )

    def rows(self, metrics: Sequence[str]) -> list[Row]:
        """Return the rows of some metrics."""
        return [
            Row(response.level, response.at, metric, *recall_precision_f1(scores[metric]))
            for response, scores in zip(self.responses, self.scores, strict=True)
            for metric in metrics
        ]


@dataclass(frozen=True, slots=True)
class Experiment:
    """A published experiment.

    `axis` is the meaning of the levels. `make` makes key and responses. `check` checks the claims
    on their scores, and may add facts to the table. The input that it `needs` is nothing, ``key``
    or ``response`` (which needs a key too); `own_key` makes the key if none is given. `reading` is
    our interpretation of what the paper leaves open. With `all_scores`, recall and precision are
    shown too; `others` are scores that are not metrics of a recipe, by name. If the claims depend
    on random choices, `draws` are the metrics that they are about.
    """

    name: str
    title: str
    source: str
    axis: str
    make: Callable[[Setup], Data]
    check: Callable[[Table], Iterable[Claim]]
    needs: str = ""
    reading: str = ""
    all_scores: bool = False
    own_key: Callable[[Seed], Corpus] | None = None
    takes_response: bool = True
    others: Mapping[str, Other] = field(default_factory=dict)
    draws: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of an experiment: `rows` by response and metric, the claims, and the corpora.

    `data` is the name of the key's file, if the key is neither the paper's nor invented.
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
        """The paper; for data of the user, with a note that they are not the paper's."""
        source = self.experiment.source
        return source if self.data is None else f"on your data, {self.data}; made as in {source}"

    def f1(self, metric: str) -> list[float]:
        """Return F1 of one metric, by response."""
        return [row.f1 for row in self.rows if row.metric == metric]

    def title(self, metric: str) -> str:
        """Return the title of a metric, or of another score of the experiment."""
        others = self.experiment.others
        return others[metric].title if metric in others else title(metric)

    @property
    def values(self) -> str:
        """The names of the scores in `Row.f1`, for captions: F1 and the experiment's others."""
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


def invent_documents(key: Entities, responses: Iterable[Level]) -> Data:
    """Return key and responses with one document each, from their entities."""
    corpora = [
        Response(level, at, Corpus([as_invented(entities)])) for level, at, entities in responses
    ]
    return Data(Corpus([as_invented(key)]), corpora, facts={})


def change_entities(
    documents: Iterable[Document], change: Callable[[Entities], Entities]
) -> Corpus:
    """Return copies of documents, with the entities changed by a function."""
    return Corpus([with_entities(document, change(document.entities)) for document in documents])


def percent(value: float) -> str:
    """Format a fraction of 1 in percent, with two decimals."""
    return f"{100 * value:.2f}"


def nearly_equal(*values: float) -> bool:
    """Return whether scores differ by rounding only."""
    return max(values) - min(values) <= ROUNDING


def clearly_greater(a: float, b: float) -> bool:
    """Return whether a score is greater than another by more than rounding."""
    return a > b + ROUNDING
