"""Answers of language models that copy a text with marks: their scores and coverage add up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import nan
from typing import TYPE_CHECKING, Any

from corefmeter.calls import checked_call
from corefmeter.corpus.model import Corpus, Document
from corefmeter.formats.inline import NAME, text_document
from corefmeter.formats.inline.align import AlignedDocument, Coverage, align_to_key
from corefmeter.formats.notes import Notes
from corefmeter.metrics import metric_class
from corefmeter.problems import DataError, Problem, amount
from corefmeter.reading import require_identity
from corefmeter.recipe import Recipe, option_names, recipe_of
from corefmeter.result import Result
from corefmeter.scoring import score_corpora
from corefmeter.units import Unit

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.metrics.base import Number
    from corefmeter.typed import RecipeOptions, Style


class Answers:
    """Scores of answers, and how well the answers copy their texts.

    The operators ``+`` and ``sum`` give the exact scores of all documents together.

    Attributes
    ----------
    result : Result
        The scores.
    coverage : Coverage
        Numbers of copied, dropped and changed words of the key, invented words, and wrong marks.
    """

    def __init__(self, result: Result, coverage: Coverage) -> None:
        self.result = result
        self.coverage = coverage

    def __add__(self, other: Answers) -> Answers:
        if not isinstance(other, Answers):
            return NotImplemented
        return Answers(self.result + other.result, _sum_coverage([self.coverage, other.coverage]))

    def __radd__(self, other: object) -> Answers:
        """Return the answers themselves when added to 0, with which `sum` begins."""
        return self if type(other) is int and not other else NotImplemented

    def __repr__(self) -> str:
        copied, words = self.coverage.copied, self.coverage.words
        return f"<Answers: {copied} of {amount(words, 'word')} copied; {self.result!r}>"

    def flat(self) -> dict[str, float]:
        """Return all scores of `Result.flat`, and shares of words and mentions.

        ``coverage.copied``, ``.dropped``, ``.changed`` and ``.invented`` are shares of the words of
        the key; ``coverage.lost`` is a share of the mentions of the answers.
        """
        coverage = self.coverage
        shares = {
            name: getattr(coverage, name) / coverage.words if coverage.words else nan
            for name in ("copied", "dropped", "changed", "invented")
        } | {"lost": coverage.lost / coverage.mentions if coverage.mentions else nan}
        return self.result.flat() | {f"coverage.{name}": share for name, share in shares.items()}

    def row(self) -> dict[str, Number]:
        """Return all statistics as plain numbers that can be summed; see `from_rows`.

        Names consist of a metric and a field, as in ``muc.recall_numerator``, or of ``coverage``
        and a field of `Coverage`, as in ``coverage.words``.
        """
        statistics: dict[str, Number] = {}
        for metric in self.result.statistics:
            fields = [f"{metric}.{field}" for field in metric_class(metric).fields]
            statistics.update(zip(fields, self.result.sums(metric), strict=True))
        return statistics | {f"coverage.{k}": value for k, value in self.coverage._asdict().items()}

    @classmethod
    @checked_call(option_names)
    def from_rows(
        cls,
        rows: Iterable[Mapping[str, Any]],
        recipe: Recipe | None = None,
        **options: Unpack[RecipeOptions],
    ) -> Answers:
        """Return the answers that rows were made from; see `row`.

        Parameters
        ----------
        rows
            Outputs of `row`, each for one answer or for several.
        recipe, **options
            The options of the original scores, including the metrics.

        Raises
        ------
        DataError
            ``missing-field`` when a row lacks a requested metric.

        Examples
        --------
        >>> one = score_text("[Ann]_1 saw [her]_1", "[Ann]_1 saw [her]_1")
        >>> two = score_text("[Eve]_1 and [she]_1", "[Eve]_1 or she")
        >>> Answers.from_rows([one.row(), two.row()]).flat() == sum([one, two]).flat()
        True
        """
        recipe, rows = recipe_of(recipe, **options), list(rows)
        try:
            statistics = {
                name: [tuple(row[f"{name}.{f}"] for f in metric_class(name).fields) for row in rows]
                for name in recipe.base_metrics()
            }
            covered = [Coverage(*(row[f"coverage.{f}"] for f in Coverage._fields)) for row in rows]
        except KeyError as error:
            reason = f"a row has no {error}"
            raise DataError(Problem("missing-field", reason, "error")) from None
        names = [f"document {number}" for number in range(1, len(rows) + 1)]
        units = [Unit(name, name, numbered=True) for name in names]
        return cls(Result(recipe, units, statistics), _sum_coverage(covered))


def _sum_coverage(coverages: Iterable[Coverage]) -> Coverage:
    return Coverage(*map(sum, zip(Coverage(), *coverages, strict=True)))


@checked_call(option_names)
def score_text(
    key: str | Document,
    completion: str,
    name: str | None = None,
    recipe: Recipe | None = None,
    *,
    style: Style | None = None,
    **options: Unpack[RecipeOptions],
) -> Answers:
    """Score a language model's copy of a text with coreference marks.

    Every answer is scored. Dropped, changed or invented words and wrong marks are repaired as in
    `read_inline`. The problems of the result list each repair; no warning is issued.

    Parameters
    ----------
    key
        The text with the right marks, or a document with its text.
    completion
        The model's answer.
    name
        The name of the document; by default the name of the key if it is a document.
    recipe
        The options of the scores; by default those of the official scorer.
    style
        The style of the marks in the completion; detected by default.
    **options
        Fields of `Recipe` to change.

    Raises
    ------
    DataError
        When the marks of the key are wrong, or its words are not known.
    OptionError
        For an unknown option, metric, style or value.

    Examples
    --------
    >>> key = "[Ann]_1 saw [her]_1 dog and [she]_1 left"
    >>> answer = score_text(key, "[Ann]_1 saw [her]_1 dog and she")
    >>> answer.result.muc.recall, answer.coverage.copied, answer.coverage.words
    (0.5, 6, 7)
    """
    recipe = recipe_of(recipe, **options)
    require_identity(recipe.identity, ())
    if isinstance(key, str):
        notes = Notes("<key>")
        document: Document = text_document(key, notes, strict=True)
        notes.finish()
    else:
        document = key
    document = document.replace() if name is None else document.replace(name=name, numbered=False)
    notes = Notes("<completion>")
    written = text_document(completion, notes, style)
    written.name, written.part, written.numbered = document.name, document.part, document.numbered
    corpus = Corpus([document])
    aligned = align_to_key(corpus, Corpus([written], format=NAME, problems=notes.finish()))
    response = Corpus(aligned.documents, problems=aligned.problems)
    result = score_corpora(corpus, response, recipe)
    result.problems[:0] = aligned.problems
    (answer,) = aligned.documents
    assert isinstance(answer, AlignedDocument)
    return Answers(result, answer.coverage)
