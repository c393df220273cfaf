"""The calls of the README: read, score, and a scorer for training loops.

Each warns with `CorefmeterWarning` of what it noticed, once for each kind; the `problems` of what
it returns have it in full.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import wraps
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from corefmeter.corpus.convert import as_document
from corefmeter.corpus.model import Corpus, Document
from corefmeter.preparation import prepare_pair
from corefmeter.problems import (
    Call,
    CorefmeterWarning,
    DataError,
    OptionError,
    Problem,
    require,
    spelt,
)
from corefmeter.reading import Given, read_sides
from corefmeter.reading import read as read_quietly
from corefmeter.recipe import Recipe, option_names
from corefmeter.result import Result
from corefmeter.scoring import Counted, count, metrics_of, result_of, score_corpora
from corefmeter.units import Union, automatic_name, require_known_duplicates

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.analysis.report import Analysis
    from corefmeter.statistics.comparison import Comparison, Group
    from corefmeter.typed import CompareOptions, Documents, Duplicates, RecipeOptions, Side, Style

#: An option of the command line, perhaps with its value.
_OPTION = re.compile(r"--([a-z][a-z-]*)(?: ([a-z0-9-]+))?")


def _in_python(hint: str) -> str:
    """A hint with arguments of Python for options of the command line.

    Examples
    --------
    >>> _in_python("--documents strict counts its mentions as spurious.")
    'documents="strict" counts its mentions as spurious.'
    >>> _in_python("Run with --strict to find the first word that differs.")
    'Run with strict=True to find the first word that differs.'
    """
    choices = {option.name: option.metadata["choices"] for option in fields(Recipe)}
    flags = {option.name for option in fields(Recipe) if option.default is False} | {"strict"}

    def argument(found: re.Match[str]) -> str:
        name, value = found[1].replace("-", "_"), found[2]
        name = "format" if name == "from" else name
        if value and value.isdigit():
            return f"{name}={value}"
        if value and value in choices.get(name, ()):
            return f'{name}="{value}"'
        return (f"{name}=True" if name in flags else name) + (f" {value}" if value else "")

    return _OPTION.sub(argument, hint)


def _worded(problem: Problem) -> Problem:
    """A problem with a hint for Python."""
    return problem._replace(hint=problem.hint and _in_python(problem.hint))


def _called(*options: Callable[[], Iterable[str]]) -> Callable[[Call], Call]:
    """Check the keywords of a call, see `spelt`, and word its errors for Python."""

    def decorate(function: Call) -> Call:
        checked = spelt(*options)(function)

        @wraps(function)
        def call(*arguments: Any, **given: Any) -> Any:
            try:
                return checked(*arguments, **given)
            except DataError as error:
                raise DataError([_worded(problem) for problem in error.problems]) from error

        return cast("Call", call)

    return decorate


def _told(*lists: list[Problem], given: Iterable[Any] = (), before: set[str] | None = None) -> None:
    """Word the problems of a call for Python, and warn of each kind.

    Parameters
    ----------
    *lists
        Those of what is returned; changed in place.
    given
        What the call was given; problems of corpora were told when these were read.
    before
        The kinds that were told before; the new ones are added.
    """
    known = {_worded(p) for one in given if isinstance(one, Corpus) for p in one.problems}
    for problems in lists:
        problems[:] = map(_worded, problems)
    kinds: dict[str, list[Problem]] = {}
    for problem in dict.fromkeys(chain.from_iterable(lists)):
        if problem.severity != "note" and problem not in known:  # a note was asked for
            kinds.setdefault(problem.code, []).append(problem)
    for code, found in kinds.items():
        if before is not None:
            if code in before:
                continue
            before.add(code)
        text = str(found[0])
        if len(found) > 1:
            text += f"\n  And {len(found) - 1} more of this kind; see the problems of the result."
        warnings.warn(text, CorefmeterWarning, stacklevel=5)  # from the caller of what is wrapped


@_called()
def read(
    source: str | os.PathLike[str], format: str | None = None, *, documents: Documents = "official",
    details: bool = False, side: Side = "key",
) -> Corpus:  # fmt: skip
    """The corpus in a file, in all files of a directory or of a glob, or on standard input (``-``).

    Parameters
    ----------
    source
        The path; compressed files (gzip, xz, zstd) are recognised by their content.
    format
        The name of a format; recognised by content when it is None.
    documents
        ``concatenate`` joins documents of the same name instead of refusing them.
    details
        Also read what counting does not need: words, heads, types, whatever the format knows.
    side
        What the file is read as, ``key`` or ``response``: a file of e2e-coref holds both, and wrong
        marks in a text are errors in a key but are repaired in a response.

    Raises
    ------
    DataError
        With every problem found: what, where, why, and what to do.
    """
    corpus = read_quietly(source, format, documents=documents, details=details, side=side)
    _told(corpus.problems)
    return corpus


@_called()
def read_inline(
    source: str | os.PathLike[str], key: str | os.PathLike[str] | Corpus,
    style: Style | None = None,
) -> Corpus:  # fmt: skip
    """Text with marks, as a language model wrote it, with its mentions in the positions of a key.

    Parameters
    ----------
    source
        The path of a file, a directory or a glob; or the text itself. See
        `corefmeter.formats.inline` for the marks and for how documents begin.
    key
        The corpus that the text was copied from, or its path.
    style
        The style of the marks, one of `corefmeter.formats.inline.STYLES`; recognised by default.

    Returns
    -------
    Corpus
        Its `problems` tell every repair: words that were dropped, invented or changed, marks that
        were left out, mentions that were lost, and for each document how much of the key was found.

    Raises
    ------
    DataError
        When the files cannot be read, or it cannot be told which document of the key a text is.
    OptionError
        For an unknown style.

    Examples
    --------
    >>> from corefmeter.corpus.text import Text
    >>> words = ["Ann", "'s", "dog", "saw", "her", "."]
    >>> key = Corpus([Document("story", [[(0, 2), (4, 5)]], tokens=6, text=Text(words))])
    >>> response = read_inline("[Ann's]_1 dog really saw [her]_1.", key)
    >>> response.documents[0].entities
    [[(0, 2), (4, 5)]]
    >>> print(response.problems[0])
    <text>:1:15: warning: 'really' is not in the key; left out [word-invented]
    """
    from corefmeter.formats.inline import read_marked
    from corefmeter.formats.inline_align import align_to_key

    corpus = key if isinstance(key, Corpus) else read_quietly(key, details=True)
    found = align_to_key(corpus, read_marked(os.fspath(source), style))
    _told(found.problems)
    return found


@_called(option_names)
def score(
    key: Given, response: Given, recipe: Recipe | None = None, *, strict: bool = False,
    **options: Unpack[RecipeOptions],
) -> Result:  # fmt: skip
    """Score a response against a key.

    Parameters
    ----------
    key, response
        A path; a `Corpus`; one document as a list of entities, each a list of hashable mentions;
        or a mapping from document name to that.
    recipe
        How to score; the default is the official scorer's way.
    strict
        Also compare the words of files; the first difference of a document is an error.
    **options
        Fields of `Recipe` to change, such as ``metrics=["lea"]`` or ``singletons="drop"``.

    Raises
    ------
    DataError
        When the data cannot be scored.
    OptionError
        For an unknown option, metric or value.

    Examples
    --------
    >>> result = score([[(0, 1), (4, 5), (7, 8)]], [[(0, 1), (4, 5)], [(7, 8), (9, 10)]])
    >>> result.lea.precision
    0.5
    >>> result.b3.recall_denominator
    3
    """
    recipe = (recipe or Recipe()).asked(**options)
    key_corpus, (response_corpus,) = read_sides(key, [response], recipe, strict=strict)
    result = score_corpora(key_corpus, response_corpus(), recipe, strict=strict)
    _told(result.problems, given=[key, response])
    return result


def _plan_names() -> Iterable[str]:
    from corefmeter.statistics.plan import Plan

    return vars(Plan())


@_called(_plan_names, option_names)
def compare(
    key: Given | None,
    systems: Mapping[str, Given | Result] | Iterable[Given | Result],
    recipe: Recipe | None = None,
    *,
    by: Group = "document",
    force: bool = False,
    strict: bool = False,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Compare systems: scores with intervals, differences with p-values, ranks.

    Parameters
    ----------
    key
        As for `score`; None when all systems are results.
    systems
        By name the response of each, as for `score`, or its `Result`; or a list of these, which
        have the names of their files, with as much of the path as tells them apart.
    recipe
        How to score; the default is the official scorer's way.
    by
        What is resampled: ``document``, ``part``, ``genre``, or a mapping from document name to
        block.
    force
        Compare results although their recipes differ.
    strict
        As for `score`.
    **options
        Fields of `corefmeter.statistics.plan.Plan` and of `Recipe`, such as ``trials=1000``,
        ``seed=2``, ``metrics=["lea"]``.

    Raises
    ------
    DataError
        When the data cannot be scored, or the systems cannot be compared.
    OptionError
        For an unknown option, metric or value.

    Examples
    --------
    >>> key = {f"d{i}": [["x", "y"], ["z"]] for i in range(6)}
    >>> worse = {name: [["x"], ["y"], ["z"]] for name in key}
    >>> comparison = compare(key, {"A": key, "B": worse}, metrics="lea")
    >>> comparison["lea"].ranks, comparison["lea"].pairs[0].p  # 2 of 2^6 exchanges
    ({'A': 1, 'B': 2}, 0.03125)
    """
    require("numpy", "compare")
    from corefmeter.statistics.comparison import compare_results
    from corefmeter.statistics.plan import Plan

    systems = _by_name(systems)
    changes: dict[str, Any] = {**options}
    plan = {name: changes.pop(name) for name in vars(Plan()) if name in changes}
    Plan(**plan)  # refuses what cannot be before anything is scored
    given = recipe is not None or bool(changes.keys() - {"metrics"})
    metrics = changes.get("metrics") if recipe is None else recipe.but(**changes).metrics
    recipe = (recipe or Recipe()).asked(**changes)
    results: dict[str, Result] = {}
    responses = {name: one for name, one in systems.items() if not isinstance(one, Result)}
    if responses and key is None:
        raise OptionError(f"there is no key to score {next(iter(responses))!r} against")
    if key is not None:
        corpus, found = read_sides(key, list(responses.values()), recipe, strict=strict)
        scored = {
            name: score_corpora(corpus, response(), recipe, strict=strict)
            for name, response in zip(responses, found, strict=True)
        }
    for name, system in systems.items():
        if not isinstance(system, Result):
            results[name] = scored[name]
            continue
        asked = given and system.recipe.but(metrics=recipe.metrics) != recipe
        if asked and not force:
            raise OptionError(
                f"{name!r} was scored in another way than is asked for:\n"
                f"  {system.signature}\n  {recipe.signature()}"
            )
        results[name] = system
    comparison = compare_results(results, metrics=metrics, by=by, force=force, **plan)
    scored_here = [results[name].problems for name in responses]
    _told(*scored_here, comparison.problems, given=[key, *systems.values()])
    return comparison


def _by_name(
    systems: Mapping[str, Given | Result] | Iterable[Given | Result],
) -> Mapping[str, Given | Result]:
    """Systems by their names, or by those of their files."""
    if isinstance(systems, Mapping):
        return systems
    if isinstance(systems, str | os.PathLike | Corpus | Result):
        raise OptionError("systems are several: give {name: response} or a list of paths")
    given = list(systems)
    paths = [_path_of(one) or f"system {n}" for n, one in enumerate(given, 1)]
    parts = [os.path.normpath(path).split(os.sep) for path in paths]
    for depth in range(1, max(map(len, parts), default=1) + 1):
        whole = ["/".join(one[-depth:]) for one in parts]
        for names in ([os.path.splitext(name)[0] for name in whole], whole):
            if len(set(names)) == len(names):
                return dict(zip(names, given, strict=True))
    twice = next(path for path in paths if paths.count(path) > 1)
    raise OptionError(f"{twice!r} is given twice; name the systems: {{name: response}}")


def _path_of(system: Given | Result) -> str | None:
    """Where a system comes from, if it is known."""
    if isinstance(system, Result):
        return system.response
    if isinstance(system, Corpus):
        return system.path
    return os.fspath(system) if isinstance(system, str | os.PathLike) else None


@_called(option_names)
def analyse(
    key: Given,
    response: Given,
    recipe: Recipe | None = None,
    *,
    by: Iterable[str] = (),
    document: str | None = None,
    costs: Iterable[str] | None = None,
    pronouns: str | None = None,
    functions: Mapping[str, Any] | None = None,
    strict: bool = False,
    formats: tuple[str | None, str | None] = (None, None),
    **options: Unpack[RecipeOptions],
) -> Analysis:
    """Tell what went wrong: links, mentions, entities, classes of errors and what each costs.

    Parameters
    ----------
    key, response
        As for `score`. Files are read with all that they say about words and mentions.
    recipe
        How to score; the default is the official scorer's way.
    by
        Features of mentions to break down by, such as ``["entity_type", "sentence_distance"]``;
        see `corefmeter.mentions.features`.
    document
        The name of the only document to look at.
    costs
        The metrics of costs; by default CoNLL and LEA, or those that the recipe asks for.
    pronouns
        Where there are no parts of speech: the language whose list of pronouns to use.
    functions
        Features of one's own by name: ``function(mention, document)`` gives a group.
    strict
        As for `score`.
    formats
        The formats of the key and of the response, where they are not to be recognised.
    **options
        Fields of `Recipe` to change.

    Raises
    ------
    DataError
        When the data cannot be scored.
    OptionError
        For an unknown option, metric, feature, document or value.

    Examples
    --------
    >>> analysis = analyse([["Ann", "she", "her"], ["it", "its"]], [["Ann", "she", "it", "its"]])
    >>> {name: error["count"] for name, error in analysis.summary["errors"].items()}
    {'span': 0, 'conflated': 1, 'extra_mention': 0, 'extra_entity': 0, 'divided': 0, \
'missing_mention': 1, 'missing_entity': 0}
    """
    from corefmeter.analysis.report import analyse_corpora

    recipe = (recipe or Recipe()).asked(**options)
    key_corpus, (response_corpus,) = read_sides(
        key, [response], recipe, details=True, strict=strict, formats=formats
    )
    analysis = analyse_corpora(
        key_corpus,
        response_corpus(),
        recipe,
        by=list(by),
        document=document,
        cost_metrics=None if costs is None else list(costs),
        pronouns=pronouns,
        functions=functions,
        strict=strict,
    )
    _told(analysis.problems, given=[key, response])
    return analysis


class Scorer:
    """Scores that grow document by document, for training and evaluation loops.

    It can be pickled, and merged with those of other processes. A document that is refused leaves
    it as it was.

    Parameters
    ----------
    recipe
        How to score; keyword options change single fields.

    Examples
    --------
    >>> scorer = Scorer(metrics=["muc", "conll"])
    >>> scorer.update([["a", "b"]], [["a", "b"]])
    >>> scorer.update([["a", "b", "c"]], [["a", "b"]])
    >>> scorer.compute().muc.recall  # (1 + 1) / (1 + 2)
    0.6666666666666666
    """

    @_called(option_names)
    def __init__(self, recipe: Recipe | None = None, **options: Unpack[RecipeOptions]) -> None:
        self.recipe = (recipe or Recipe()).asked(**options)
        if self.recipe.as_one_document:
            raise OptionError("a Scorer scores documents one by one; it cannot join them")
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self._metrics = metrics_of(self.recipe)
        self._counted: list[Counted] = []
        self._labels: set[str] = set()
        self._problems: list[Problem] = []
        self._told: set[str] = set()

    @_called()
    def update(
        self, key: Document | Iterable[Iterable[Any]], response: Document | Iterable[Iterable[Any]],
        name: str | tuple[str, int] | None = None, *, duplicates: Duplicates = "error",
    ) -> None:  # fmt: skip
        """Add one document.

        Parameters
        ----------
        key, response
            Entities, each a list of hashable mentions; or documents, which may also know words and
            heads.
        name
            The document's name, or ``(name, part)`` of a part; by default that of the key, if it is
            a document, else a number.
        duplicates
            What becomes of a document whose name is there already: ``error``; ``keep``, it counts
            twice; ``first``, the first one counts, with a warning.

        Raises
        ------
        DataError
            When the document cannot be scored; ``repeated-document`` when it is there already.

        Examples
        --------
        >>> scorer = Scorer(metrics="muc")
        >>> scorer.update([["a", "b"]], [["a", "b"]], name=("bc/x", 0))
        >>> scorer.update([["a", "b"]], [["a"]], name=("bc/x", 1))
        >>> scorer.compute().by("document")["bc/x"].muc.recall  # (1 + 0) / (1 + 1)
        0.5
        """
        numbered = False
        if name is None and isinstance(key, Document):
            name, numbered = (key.name if key.part is None else key.id), key.numbered
        elif name is None:
            name, numbered = automatic_name(len(self._counted) + 1, self._labels), True
        require_known_duplicates(duplicates)
        prepared, problems = prepare_pair(
            as_document(key, name).but(numbered=numbered), as_document(response, name), self.recipe
        )
        counted = count(prepared, self._metrics)
        # Before anything changes: a warning may be made an error.
        _told(problems, before=self._told)
        if counted.unit.label in self._labels:
            self._unite([counted], problems, duplicates)
        else:
            self._counted.append(counted)
            self._labels.add(counted.unit.label)
            self._problems += problems

    def _unite(
        self, counted: Sequence[Counted], problems: Sequence[Problem], duplicates: str
    ) -> None:
        """Add documents of which some may be there already."""
        units = [one.unit for one in self._counted]
        union = Union.of(units, [one.unit for one in counted], duplicates)
        both = [*self._counted, *(counted[i] for i in union.kept)]
        self._problems = union.problems(self._problems, problems)
        self._counted = [
            one._replace(unit=unit) for one, unit in zip(both, union.units, strict=True)
        ]
        self._labels = {unit.label for unit in union.units}

    @_called()
    def compute(self) -> Result:
        """The result over all documents so far."""
        result = result_of(list(self._counted), self.recipe, self._problems)
        _told(result.problems, before=self._told)
        return result

    @_called()
    def merge(self, other: Scorer, *, duplicates: Duplicates = "error") -> None:
        """Add the documents of another scorer, for example of another process.

        Names that a scorer gave are never the same as those that another gave: they are numbered
        anew, as if all documents had been added to this scorer.

        Parameters
        ----------
        other
            A scorer with the same recipe.
        duplicates
            What becomes of a document that both have, as when a sampler pads the last batch; see
            `update`.

        Raises
        ------
        DataError
            ``repeated-document`` when both have the same document.
        OptionError
            When its recipe differs.
        """
        if self.recipe != other.recipe:
            raise OptionError(
                "scorers of different recipes cannot be merged:\n"
                f"  {self.recipe.signature()}\n  {other.recipe.signature()}"
            )
        self._unite(other._counted, other._problems, duplicates)
