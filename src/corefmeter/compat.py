"""Drop-in replacements for scorers that are copied with training code: same calls, exact scores.

``CorefEvaluator`` is called as the class of e2e-coref and its many copies, ``ConllCorefScores`` as
that of AllenNLP. Scores are fractions of one: precision and recall are the plain means over MUC,
B³ and CEAFe, F1 is the CoNLL score. Where the copies score otherwise, ``docs/howto/copied.md`` has
both values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.metrics.average import weighted_mean
from corefmeter.result import Result
from corefmeter.scorer import Scorer

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.typed import RecipeOptions

#: The metrics that both classes average, in their order.
_METRICS = ("muc", "b3", "ceafe")


class _Rates(NamedTuple):
    """The scores of one metric, with the calls of the copies."""

    precision: float
    recall: float
    f1: float

    def get_precision(self) -> float:
        return self.precision

    def get_recall(self) -> float:
        return self.recall

    def get_f1(self) -> float:
        return self.f1

    def get_prf(self) -> tuple[float, float, float]:
        return self.precision, self.recall, self.f1


class CorefEvaluator:
    """Drop-in replacement for the evaluator of e2e-coref, which collects documents one by one.

    Parameters
    ----------
    **options
        Fields of `Recipe`. ``singletons="drop"`` leaves out entities of one mention on both sides;
        copies of e2e-coref leave them out on one side only.

    Attributes
    ----------
    scorer : Scorer
        The underlying scorer, for merging, names of documents and other metrics.

    Examples
    --------
    >>> evaluator = CorefEvaluator()
    >>> gold, predicted = [((0, 1), (2, 3), (4, 5))], [((0, 1), (2, 3))]
    >>> mentions = {m: cluster for cluster in predicted for m in cluster}
    >>> evaluator.update(predicted, gold, mentions, {m: c for c in gold for m in c})
    >>> evaluator.evaluators[0].get_prf()  # MUC
    (1.0, 0.5, 0.6666666666666666)
    """

    def __init__(self, **options: Unpack[RecipeOptions]) -> None:
        options.setdefault("metrics", "conll")
        self.scorer = Scorer(**options)

    def update(
        self,
        predicted: Iterable[Iterable[Any]],
        gold: Iterable[Iterable[Any]],
        mention_to_predicted: Mapping[Any, Any] | None = None,
        mention_to_gold: Mapping[Any, Any] | None = None,
    ) -> None:
        """Add a document; the two mappings repeat the content of the clusters and are ignored."""
        self.scorer.update(gold, predicted)

    def compute(self) -> Result:
        """Return all scores so far as a `Result`, which can be printed, saved and compared."""
        return self.scorer.compute()

    @property
    def evaluators(self) -> list[_Rates]:
        """The evaluators of MUC, B³ and CEAFe, which have the same methods."""
        result = self.compute()
        scores = [result[name] for name in _METRICS]
        return [_Rates(score.precision, score.recall, score.f1) for score in scores]

    def get_prf(self) -> tuple[float, float, float]:
        """Return the means of precision, recall and F1."""
        precision, recall, f1 = (
            weighted_mean([(rate, 1) for rate in rates])
            for rates in zip(*self.evaluators, strict=True)
        )
        return precision, recall, f1

    def get_precision(self) -> float:
        """Return the mean precision."""
        return self.get_prf()[0]

    def get_recall(self) -> float:
        """Return the mean recall."""
        return self.get_prf()[1]

    def get_f1(self) -> float:
        """Return the CoNLL score."""
        return self.get_prf()[2]


class ConllCorefScores:
    """Drop-in replacement for the metric of AllenNLP, which takes batches of tensors or arrays.

    Parameters
    ----------
    allow_singletons
        Whether a span may be its own antecedent, which makes it an entity of one mention.
    **options
        As for `CorefEvaluator`.

    Examples
    --------
    >>> import numpy as np
    >>> metric = ConllCorefScores()
    >>> spans, candidates = np.array([[[0, 1], [2, 3], [4, 5]]]), np.array([[[0], [0], [1]]])
    >>> gold = {"clusters": [[(0, 1), (2, 3), (4, 5)]]}
    >>> metric(spans, candidates, np.array([[-1, 0, 0]]), [gold])
    >>> metric.get_metric(reset=True)
    (1.0, 1.0, 1.0)
    """

    def __init__(self, allow_singletons: bool = False, **options: Unpack[RecipeOptions]) -> None:
        self.allow_singletons = allow_singletons
        self.evaluator = CorefEvaluator(**options)

    def __call__(
        self,
        top_spans: Any,
        antecedent_indices: Any,
        predicted_antecedents: Any,
        metadata_list: Sequence[Mapping[str, Any]],
    ) -> None:
        """Add a batch.

        Parameters
        ----------
        top_spans
            First and last token of each span, of shape (documents, spans, 2).
        antecedent_indices
            The spans that may be the antecedent of each, of shape (documents, spans, candidates).
        predicted_antecedents
            Which of these is the antecedent, or -1, of shape (documents, spans).
        metadata_list
            For each document a mapping with its ``clusters``.

        Raises
        ------
        ValueError
            When an antecedent comes after its span.
        """
        documents = zip(
            top_spans.tolist(),
            antecedent_indices.tolist(),
            predicted_antecedents.tolist(),
            metadata_list,
            strict=True,
        )
        # The whole batch is converted before anything is added, so that an error adds nothing.
        converted = [
            self._convert_document(spans, candidates, chosen, metadata)
            for spans, candidates, chosen, metadata in documents
        ]
        for predicted, gold in converted:
            self.evaluator.update(predicted, gold)

    def _convert_document(
        self, spans: Any, candidates: Any, chosen: Any, metadata: Mapping[str, Any]
    ) -> tuple[list[Any], list[Any]]:
        """Return the predicted and the gold clusters of a document.

        `chosen` has the place of each span's antecedent among its `candidates`, or -1.
        """
        mentions = [tuple(span) for span in spans]
        entities: dict[Any, dict[Any, None]] = {}
        for place, antecedent in enumerate(chosen):
            if antecedent < 0:
                continue
            index = candidates[place][antecedent]
            if index > place or (index == place and not self.allow_singletons):
                raise ValueError(f"span {place} has span {index} for its antecedent")
            entity = entities.setdefault(mentions[index], {mentions[index]: None})
            entity[mentions[place]] = None
            entities[mentions[place]] = entity
        distinct = {id(entity): list(entity) for entity in entities.values()}
        gold = [[tuple(mention) for mention in entity] for entity in metadata["clusters"]]
        return list(distinct.values()), gold

    def get_metric(self, reset: bool = False) -> tuple[float, float, float]:
        """Return the means of precision, recall and F1; `reset` forgets all documents."""
        means = self.evaluator.get_prf()
        if reset:
            self.reset()
        return means

    def reset(self) -> None:
        """Forget all documents."""
        self.evaluator.scorer.reset()
