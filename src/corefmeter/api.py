"""The calls of the README: read, score, compare, analyse, card.

Each warns with `CorefmeterWarning` once for each code of a problem; the result has all problems.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from corefmeter.calls import checked_call, warn_user
from corefmeter.corpus.model import Corpus
from corefmeter.problems import OptionError, require
from corefmeter.reading import Given, read_sides, require_identity
from corefmeter.reading import read as read_quietly
from corefmeter.recipe import Recipe, option_names, recipe_of
from corefmeter.result import Result
from corefmeter.scoring import score_corpora

if TYPE_CHECKING:
    from typing import Unpack

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
    identity
        As in `Recipe`: the relations or attributes of a file that make one entity of mentions.

    Raises
    ------
    DataError
        With every problem found: what, where, why, and what to do.
    OptionError
        For an unknown format, and for `identity` where the format has no such names.
    """
    corpus = read_quietly(
        source, format, documents=documents, details=details, side=side, identity=identity
    )
    require_identity(identity, [corpus.format])
    warn_user(corpus.problems)
    return corpus


@checked_call()
def read_inline(
    source: str | os.PathLike[str],
    key: str | os.PathLike[str] | Corpus,
    style: Style | None = None,
) -> Corpus:
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

    corpus = key if isinstance(key, Corpus) else read_quietly(key, details=True)
    found = align_to_key(corpus, read_marked(os.fspath(source), style))
    warn_user(found.problems)
    return found


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
        By name the response of each, as for `score`, or its `Result`; or a list of these, which
        have the names of their files, with as much of the path as tells them apart.
    recipe
        How to score; the default is the official scorer's way.
    by
        What is resampled: ``document``, ``part``, ``genre``, or a mapping from document name to
        block.
    runs
        Which of the systems are runs of one, such as ``{"A": ["A1", "A2"], "B": ["B1", "B2"]}``, or
        a pattern, such as ``r"_seed\\d+"``: what it matches tells runs of one system apart.
    force
        Compare results although their recipes differ.
    strict
        As for `score`.
    **options
        Fields of `corefmeter.statistics.plan.Plan` and of `Recipe`, such as ``trials=1000``,
        ``seed=2``, ``metrics=["lea"]``. ``part`` compares a line of the card, as `Card` names it
        (``part="linking"``), or one score of a metric (``part="b3:recall"``), ``kind`` the ARCS of
        a kind of mentions (``kind="arcs-immediate:pronoun"``); ``pronouns`` is as for `card`.

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
    Plan(**plan)  # refuses what cannot be before anything is scored
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
        raise OptionError(f"{' and '.join(aspects)}: not of results, which are what was scored")
    if asked and not force:
        _require_recipe(recipe, results)
    if key is not None:
        aspect = Aspect(**aspects)
        details = aspect.feature is not None
        given = list(responses.values())
        corpus, readers = read_sides(key, given, recipe, strict=strict, details=details)
        for name, read_response in zip(responses, readers, strict=True):
            results[name] = aspect.score(corpus, read_response(), recipe, strict=strict)
        aspect.require()
    results = {name: results[name] for name in systems}
    comparison = compare_results(results, metrics=metrics, by=by, runs=runs, force=force, **plan)
    scored_here = [results[name].problems for name in responses]
    warn_user(*scored_here, comparison.problems, given=[key, *systems.values()])
    return comparison


def _require_single_responses(systems: Mapping[str, Any]) -> None:
    """Refuse a name for several responses, which runs of one system are given as."""
    for name, system in systems.items():
        if isinstance(system, list | tuple) and system and _are_all_responses(system):
            raise OptionError(
                f"{name!r} is several responses: give each a name of its own, and the names of "
                f"those that are runs of one system as runs={{{name!r}: [NAME, …]}}"
            )


def _require_recipe(recipe: Recipe, results: Mapping[str, Result]) -> None:
    """Refuse results that were scored in another way, but for their metrics."""
    for name, result in results.items():
        if result.recipe.replace(metrics=recipe.metrics) != recipe:
            raise OptionError(
                f"{name!r} was scored in another way than is asked for:\n"
                f"  {result.signature}\n  {recipe.signature()}"
            )


def _are_all_responses(values: Iterable[Any]) -> bool:
    """Return whether each value is a response, since it cannot be an entity of one."""
    return all(isinstance(one, str | os.PathLike | Corpus | Result) for one in values)


def name_systems(
    systems: Mapping[str, Given | Result] | Iterable[Given | Result],
) -> Mapping[str, Any]:
    """Return systems by the names that were given, or else by distinct names of their files."""
    if isinstance(systems, Mapping):
        return systems
    if isinstance(systems, str | os.PathLike | Corpus | Result):
        raise OptionError("systems are several: give {name: response} or a list of paths")
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
    """Return the path of a system, if it is known."""
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
    """Show what went wrong: links, mentions, entities, classes of errors and what each costs.

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
    """Show what one score hides: detection and linking apart, types, long texts, characters.

    Parameters
    ----------
    key, response
        As for `score`.
    recipe
        How to score; the default is the official scorer's way. By default the metrics are CoNLL
        and LEA.
    by
        Features of mentions to break down by, such as ``["kind", "entity_type"]``; see
        `corefmeter.mentions.features`. Files are then read with all that they say.
    window
        Texts are cut every so many tokens, to show the price of windows.
    character
        Entities of more mentions than this are shown apart.
    largest
        How many of the largest entities of the key are shown one by one.
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
    >>> found = card([["Ann", "she", "her"]], [["Ann", "she"], ["him"]], metrics=["b3"])
    >>> found.result.b3.f1, found["linking"].b3.f1
    (0.5333333333333333, 1.0)
    """
    from corefmeter.analysis.card.made import card_of

    recipe = recipe_of(recipe, **options)
    by = list(by)
    key_corpus, (response_corpus,) = read_sides(
        key, [response], recipe, details=bool(by), strict=strict, formats=formats
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
