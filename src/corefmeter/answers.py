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
    """The scores of answers, and what became of the text that they copy.

    ``answers + others`` and ``sum(answers)`` are those of all documents, exactly.

    Attributes
    ----------
    result : Result
        The scores.
    coverage : Coverage
        Words of the key that were copied, dropped or changed, words that were invented, and marks
        that were wrong.
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

        These are ``coverage.copied``, ``.dropped``, ``.changed`` and ``.invented``, each by the
        words of the key, and ``coverage.lost``, by the mentions of the answers.
        """
        coverage = self.coverage
        shares = {
            name: getattr(coverage, name) / coverage.words if coverage.words else nan
            for name in ("copied", "dropped", "changed", "invented")
        } | {"lost": coverage.lost / coverage.mentions if coverage.mentions else nan}
        return self.result.flat() | {f"coverage.{name}": share for name, share in shares.items()}

    def row(self) -> dict[str, Number]:
        """Return all statistics as plain numbers that add up; see `from_rows`.

        They are called by metric and field, such as ``muc.recall_numerator``, and by `Coverage`,
        such as ``coverage.words``.
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
        """Return the answers from which rows were made; see `row`.

        Parameters
        ----------
        rows
            What `row` gave, each of one answer or of several.
        recipe, **options
            As they were scored; they say which metrics are asked for.

        Raises
        ------
        DataError
            ``missing-field`` when a row lacks a metric that is asked for.

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

    Whatever it wrote is scored: words that it dropped, changed or invented, and marks that are
    wrong, are repaired as `read_inline` does. The problems of the result list each repair; no
    warning is issued.

    Parameters
    ----------
    key
        The text with the right marks, or a document with its text.
    completion
        What the model wrote.
    name
        The name of the document; by default that of the key, if it is a document.
    recipe
        How to score; the default is the official scorer's way.
    style
        The style of the marks of the completion; recognised by default.
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
