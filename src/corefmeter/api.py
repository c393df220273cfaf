"""The calls of the README: read, score, compare, analyse, card.

Each warns with `CorefmeterWarning` once for each code of a problem; the result has all problems.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from corefmeter.calls import checked_call, warn_user
from corefmeter.corpus.model import Corpus
from corefmeter.formats import read_corpus
from corefmeter.problems import OptionError, require
from corefmeter.reading import Given, read_sides, require_identity
from corefmeter.recipe import Recipe, option_names, recipe_of
from corefmeter.result import Result
from corefmeter.scoring import score_corpora

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.analysis.aspects import Aspect
    from corefmeter.analysis.card.made import Card
    from corefmeter.analysis.report import Analysis
    from corefmeter.choices import Documents
    from corefmeter.statistics.comparison import Comparison, Group, Runs
    from corefmeter.typed import CompareOptions, RecipeOptions, Side, Style


@checked_call()
def read(
    source: str | os.PathLike[str],
    format: str | None = None,
    *,
    documents: Documents = "official",
    details: bool = False,
    side: Side = "key",
    identity: str | None = None,
) -> Corpus:
    """Read a corpus from a file, a directory, a glob, or standard input (``-``).

    Parameters
    ----------
    source
        The path; compressed files (gzip, xz, zstd) are recognized by their content.
    format
        The name of the format. If None, it is detected from the content.
    documents
        ``concatenate`` joins documents with the same name instead of rejecting them.
    details
        Whether to read words and annotation that counting does not need, such as heads and types.
    side
        Whether to read the file as ``key`` or ``response``. A file of e2e-coref has both. Wrong
        marks in a text are errors in a key, but are repaired in a response.
    identity
        As in `Recipe`: the relations or attributes of a file that mean identity.

    Raises
    ------
    DataError
        When the data cannot be read; `problems` lists every problem.
    OptionError
        For an unknown format, and for `identity` if the format has no such names.
    """
    corpus = read_corpus(
        source, format, documents=documents, details=details, side=side, identity=identity
    )
    require_identity(identity, [corpus.format])
    warn_user(corpus.problems)
    return corpus


@checked_call()
def read_inline(
    source: str | os.PathLike[str], key: str | os.PathLike[str] | Corpus, style: Style | None = None
) -> Corpus:
    """Read text with marks, such as a language model's answer, in the positions of a key.

    Parameters
    ----------
    source
        The path of a file, a directory or a glob; or the text itself. See
        `corefmeter.formats.inline` for the marks and for how documents begin.
    key
        The corpus that the text was copied from, or its path.
    style
        The style of the marks, one of `corefmeter.formats.inline.STYLES`; detected by default.

    Returns
    -------
    Corpus
        Its `problems` list every repair: dropped, invented or changed words, omitted marks, and
        lost mentions. They also state for each document how much of the key was found.

    Raises
    ------
    DataError
        When the files cannot be read, or a text cannot be paired with a document of the key.
    OptionError
        For an unknown style.

    Examples
    --------
    >>> from corefmeter.corpus.model import Document
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
    from corefmeter.formats.inline.align import align_to_key

    corpus = key if isinstance(key, Corpus) else read_corpus(key, details=True)
    aligned = align_to_key(corpus, read_marked(os.fspath(source), style))
    warn_user(aligned.problems)
    return aligned


@checked_call(option_names)
def score(
    key: Given,
    response: Given,
    recipe: Recipe | None = None,
    *,
    strict: bool = False,
    **options: Unpack[RecipeOptions],
) -> Result:
    """Score a response against a key.

    Parameters
    ----------
    key, response
        A path; a `Corpus`; one document as a list of entities, each a list of hashable mentions; or
        a mapping from document names to such lists.
    recipe
        The options of the scores; by default those of the official scorer.
    strict
        Whether to compare the words of files. The first difference in a document is an error.
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
    recipe = recipe_of(recipe, **options)
    corpus, (read_response,) = read_sides(key, [response], recipe, strict=strict)
    result = score_corpora(corpus, read_response(), recipe, strict=strict)
    warn_user(result.problems, given=[key, response])
    return result


def _plan_names() -> Iterable[str]:
    from corefmeter.statistics.plan import Plan

    return vars(Plan())


@checked_call(_plan_names, option_names)
def compare(
    key: Given | None,
    systems: Mapping[str, Given | Result] | Iterable[Given | Result],
    recipe: Recipe | None = None,
    *,
    by: Group = "document",
    runs: Runs = None,
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
        A mapping from system names to responses, as for `score`, or to instances of `Result`; or a
        list of these. Systems in a list are named by their files, with as much of the path as is
        needed.
    recipe
        The options of the scores; by default those of the official scorer.
    by
        The unit of resampling: ``document``, ``part``, ``genre``, or a mapping from document names
        to blocks.
    runs
        The runs of each system, such as ``{"A": ["A1", "A2"], "B": ["B1", "B2"]}``; or a pattern,
        such as ``r"_seed\\d+"``. Names that differ only in the matched text are runs of one
        system.
    force
        Whether to compare results even if their recipes differ.
    strict
        As for `score`.
    **options
        Fields of `corefmeter.statistics.plan.Plan` and of `Recipe`, such as ``trials=1000``,
        ``seed=2``, ``metrics=["lea"]``. ``part`` selects a line of the card by its name in `Card`
        (``part="linking"``), or one score of a metric (``part="b3:recall"``). ``kind`` selects the
        ARCS of one mention type (``kind="arcs-immediate:pronoun"``). ``pronouns`` is as for `card`.

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
    from corefmeter.analysis.aspects import Aspect
    from corefmeter.statistics.comparison import compare_results
    from corefmeter.statistics.plan import Plan, plan_for

    systems = name_systems(systems)
    _require_single_responses(systems)
    changes: dict[str, Any] = {**options}
    plan, aim = plan_for({name: changes.pop(name) for name in vars(Plan()) if name in changes})
    Plan(**plan)  # refuses invalid values before anything is scored
    if len(aim) == 1 or (aim and recipe is None):
        changes.setdefault("metrics", aim)
    asked = recipe is not None or bool(changes.keys() - {"metrics"})
    before, recipe = recipe, recipe_of(recipe, **changes)
    metrics = changes.get("metrics") if before is None else recipe.metrics
    results = {name: one for name, one in systems.items() if isinstance(one, Result)}
    responses = {name: one for name, one in systems.items() if name not in results}
    if responses and key is None:
        raise OptionError(f"there is no key to score {next(iter(responses))!r} against")
    aspects = {name: plan[name] for name in ("part", "kind", "pronouns") if plan.get(name)}
    if aspects and results:
        names = " and ".join(aspects)
        raise OptionError(f"{names}: give responses; results are already scored as a whole")
    if asked and not force:
        _require_recipe(recipe, results)
    if key is not None:
        results |= _score_aspect(key, responses, recipe, Aspect(**aspects), strict)
    results = {name: results[name] for name in systems}
    comparison = compare_results(results, metrics=metrics, by=by, runs=runs, force=force, **plan)
    scored_here = [results[name].problems for name in responses]
    warn_user(*scored_here, comparison.problems, given=[key, *systems.values()])
    return comparison


def _score_aspect(
    key: Given, responses: Mapping[str, Given], recipe: Recipe, aspect: Aspect, strict: bool
) -> dict[str, Result]:
    """Return an aspect of each response as its result; each file is read once."""
    given, details = list(responses.values()), aspect.feature is not None
    corpus, readers = read_sides(key, given, recipe, strict=strict, details=details)
    results = {
        name: aspect.score(corpus, read_response(), recipe, strict=strict)
        for name, read_response in zip(responses, readers, strict=True)
    }
    aspect.require()
    return results


def _require_single_responses(systems: Mapping[str, Any]) -> None:
    """Refuse several responses under one name: runs of a system have names of their own."""
    no_entity = (str, os.PathLike, Corpus, Result)
    for name, system in systems.items():
        several = isinstance(system, list | tuple) and bool(system)
        if several and all(isinstance(response, no_entity) for response in system):
            raise OptionError(
                f"{name!r} has several responses; give each its own name, and pass "
                f"runs={{{name!r}: [NAME, …]}} if they are runs of one system"
            )


def _require_recipe(recipe: Recipe, results: Mapping[str, Result]) -> None:
    """Refuse results that were scored in another way, but for their metrics."""
    for name, result in results.items():
        if result.recipe.replace(metrics=recipe.metrics) != recipe:
            raise OptionError(
                f"{name!r} was not scored with the options that are given here:\n"
                f"  {result.signature}\n  {recipe.signature()}"
            )


def name_systems(
    systems: Mapping[str, Given | Result] | Iterable[Given | Result],
) -> Mapping[str, Any]:
    """Return systems by the names that were given, or else by distinct names of their files."""
    if isinstance(systems, Mapping):
        return systems
    if isinstance(systems, str | os.PathLike | Corpus | Result):
        raise OptionError("systems: give {name: response} or a list of paths")
    given = list(systems)
    paths = [_path_of(system) or f"system {n}" for n, system in enumerate(given, 1)]
    split_paths = [os.path.normpath(path).split(os.sep) for path in paths]
    # The shortest ends of the paths that differ, first without, then with their file endings.
    for depth in range(1, max(map(len, split_paths), default=1) + 1):
        whole = ["/".join(parts[-depth:]) for parts in split_paths]
        for names in ([os.path.splitext(name)[0] for name in whole], whole):
            if len(set(names)) == len(names):
                return dict(zip(names, given, strict=True))
    twice = next(path for path in paths if paths.count(path) > 1)
    raise OptionError(f"{twice!r} is given twice; name the systems: {{name: response}}")


def _path_of(system: Given | Result) -> str | None:
    if isinstance(system, Result):
        return system.response
    if isinstance(system, Corpus):
        return system.path
    return os.fspath(system) if isinstance(system, str | os.PathLike) else None


@checked_call(option_names)
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
    """Analyze the errors of a response: links, mentions, entities, error types and their costs.

    Parameters
    ----------
    key, response
        As for `score`. Files are read with all annotation of words and mentions.
    recipe
        The options of the scores; by default those of the official scorer.
    by
        Features of mentions to break down by, such as ``["entity_type", "sentence_distance"]``;
        see `corefmeter.mentions.features`.
    document
        The name of the only document to analyze.
    costs
        The metrics of costs; by default CoNLL and LEA, or the metrics of the recipe.
    pronouns
        The language whose list of pronouns is used if there are no parts of speech.
    functions
        Custom features by name. Each ``function(mention, document)`` returns a group.
    strict
        As for `score`.
    formats
        The formats of the key and the response. If None, a format is detected from the content.
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
    >>> {name: e["count"] for name, e in analysis.summary["errors"].items() if e["count"]}
    {'conflated': 1, 'missing_mention': 1}
    """
    from corefmeter.analysis.report import analyse_corpora

    recipe = recipe_of(recipe, **options)
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
    warn_user(analysis.problems, given=[key, response])
    return analysis


@checked_call(option_names)
def card(
    key: Given,
    response: Given,
    recipe: Recipe | None = None,
    *,
    by: Iterable[str] = (),
    window: int = 512,
    character: int = 10,
    largest: int = 10,
    pronouns: str | None = None,
    functions: Mapping[str, Any] | None = None,
    strict: bool = False,
    formats: tuple[str | None, str | None] = (None, None),
    **options: Unpack[RecipeOptions],
) -> Card:
    """Break a score down: detection and linking, types of mentions, long texts, large entities.

    Parameters
    ----------
    key, response
        As for `score`.
    recipe
        The options of the scores; by default those of the official scorer. By default the metrics
        are CoNLL and LEA.
    by
        Features of mentions to break down by, such as ``["kind", "entity_type"]``; see
        `corefmeter.mentions.features`.
    window
        The number of tokens in a window, to show the effect of splitting texts into windows.
    character
        The number of mentions above which entities are scored separately.
    largest
        The number of largest key entities to show individually.
    pronouns, functions, strict, formats
        As for `analyse`.
    **options
        Fields of `Recipe` to change.

    Raises
    ------
    DataError
        When the data cannot be scored.
    OptionError
        For an unknown option, metric, feature or value.

    Examples
    --------
    >>> of_response = card([["Ann", "she", "her"]], [["Ann", "she"], ["him"]], metrics=["b3"])
    >>> of_response.result.b3.f1, of_response["linking"].b3.f1
    (0.5333333333333333, 1.0)
    """
    from corefmeter.analysis.card.made import card_of

    recipe = recipe_of(recipe, **options)
    key_corpus, (response_corpus,) = read_sides(
        key, [response], recipe, details=True, strict=strict, formats=formats
    )
    found = card_of(
        key_corpus,
        response_corpus(),
        recipe,
        by=by,
        window=window,
        character=character,
        largest=largest,
        pronouns=pronouns,
        functions=functions,
        strict=strict,
    )
    warn_user(found.problems, given=[key, response])
    return found
