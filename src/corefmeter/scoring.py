"""From what is prepared to a result: statistics of each unit, and what they leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.corpus.model import Corpus
from corefmeter.corpus.suspicions import Suspicion, hardly_any
from corefmeter.metrics import Metric, make
from corefmeter.metrics.base import Row
from corefmeter.preparation import Prepared, prepare
from corefmeter.problems import Problem
from corefmeter.reading import require_identity
from corefmeter.recipe import Recipe, recipe_of
from corefmeter.result import Result
from corefmeter.units import Unit

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.matching.alignment import Alignment
    from corefmeter.typed import RecipeOptions


#: So many entities show whether singletons are annotated.
MANY = 10


class Counted(NamedTuple):
    """Statistics of one unit.

    Attributes
    ----------
    unit
        What was counted.
    rows
        The statistics by metric.
    mentions
        How many mentions have a partner, how many the key has, and how many the response.
    suspicions
        Documents of which few mentions have a partner, with the likely cause.
    dropped
        How many singletons of the key and of the response, how many optional mentions of the key,
        and how many entities that sets name are not counted.
    entities
        How many entities of the key and of the response are counted, and how many of each have one
        mention.
    """

    unit: Unit
    rows: Mapping[str, Row]
    mentions: tuple[int, int, int]
    suspicions: Sequence[Suspicion]
    dropped: tuple[int, int, int, int]
    entities: tuple[int, int, int, int]

    def to_dict(self) -> dict[str, Any]:
        """Convert the statistics to JSON values."""
        unit = self.unit
        values = self._asdict() | {"unit": [*unit[:3], *map(list, unit.groups)]}
        values["suspicions"] = [list(one) for one in self.suspicions]
        values["rows"] = {name: list(row) for name, row in self.rows.items()}
        return values | {name: list(values[name]) for name in ("mentions", "dropped", "entities")}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Counted:
        """Read the output of `to_dict`."""
        rows = {name: tuple(row) for name, row in values["rows"].items()}
        mentions: Any = tuple(values["mentions"])
        dropped: Any = tuple(values["dropped"])
        entities: Any = tuple(values["entities"])
        suspicions = [
            Suspicion(document, cause, tuple(numbers), number)
            for document, cause, numbers, number in values["suspicions"]
        ]
        name, label, numbered, *groups = values["unit"]
        unit = Unit(name, label, numbered, tuple((group, value) for group, value in groups))
        return cls(unit, rows, mentions, suspicions, dropped, entities)


def score_corpora(key: Corpus, response: Corpus, recipe: Recipe, *, strict: bool = False) -> Result:
    """Score a corpus that was read against another; see `score`."""
    prepared, problems = prepare(key, response, recipe, strict=strict)
    return score_prepared(prepared, problems, key, response, recipe)


def score_prepared(
    prepared: Sequence[Prepared],
    problems: Sequence[Problem],
    key: Corpus,
    response: Corpus,
    recipe: Recipe,
) -> Result:
    """Return the result of what was prepared of two corpora."""
    metrics = metrics_of(recipe)
    counted = [count(one, metrics) for one in prepared]
    problems = [*problems, *_not_scored(key, recipe)]
    return result_of(
        counted, recipe, problems, path=response.path, digests=key.digests | response.digests
    )


def _not_scored(key: Corpus, recipe: Recipe) -> list[Problem]:
    """Note relations of the key that no requested metric scores, with their number."""
    counts: Counter[str] = Counter()
    for document in key:
        counts.update(document.related)
    counts = Counter({k: n for k, n in counts.items() if k not in recipe.scored_relations})
    if not counts:
        return []
    from corefmeter.corpus.relations import in_words

    reason = f"the key has {in_words(counts)}: not scored"
    return [Problem("relations-not-scored", reason, "note", path=key.path)]


def metrics_of(recipe: Recipe) -> dict[str, Metric]:
    """Return the metrics whose statistics are needed, by name."""
    return {name: make(name, recipe) for name in recipe.base_metrics()}


def count(prepared: Prepared, metrics: Mapping[str, Metric]) -> Counted:
    """Return the statistics of one unit."""
    key, table = prepared.key, prepared.table
    mentions = table.matched, table.key_mentions, table.response_mentions
    return Counted(
        Unit.of(key),
        {name: prepared.statistics(metric) for name, metric in metrics.items()},
        mentions,
        prepared.suspicions(),
        _dropped(prepared),
        (
            table.key_entities,
            table.response_entities,
            table.key_sizes.count(1),
            table.response_sizes.count(1),
        ),
    )


def _dropped(prepared: Prepared) -> tuple[int, int, int, int]:
    return *prepared.singletons_dropped, prepared.optional_left_out, prepared.sets_left_out


def result_of(
    counted: Sequence[Counted],
    recipe: Recipe,
    problems: Iterable[Problem],
    *,
    path: str | None = None,
    digests: dict[str, str] | None = None,
) -> Result:
    """Return the result of all units.

    Parameters
    ----------
    counted, recipe
        The units and how they were counted.
    problems
        What was noticed before.
    path, digests
        Where the response came from, and the SHA-256 of all files.
    """
    problems = list(problems)
    return Result(
        recipe,
        [one.unit for one in counted],
        {name: [one.rows[name] for one in counted] for name in recipe.base_metrics()},
        problems=[
            *problems,
            *_asked_for([one.dropped for one in counted], recipe, path),
            *_left_out(counted, recipe, path),
            *_low_overlap(counted, problems, path),
            *_singletons(counted, recipe, path),
        ],
        response=path,
        digests=digests,
    )


def _left_out(counted: Sequence[Counted], recipe: Recipe, path: str | None) -> list[Problem]:
    """Return a warning for metrics that left twinless mentions out, with how many."""
    names = [name for name, metric in metrics_of(recipe).items() if not metric.twinless]
    matched, key, response = _mentions(counted)
    key, response = key - matched, response - matched
    if not names or not (key or response):
        return []
    reason = (
        f"{', '.join(names)}: computed on the mentions that both sides have; {key} "
        f"of the key and {response} of the response are left out"
    )
    return [Problem("twinless-left-out", reason, path=path)]


def _mentions(counted: Sequence[Counted]) -> tuple[int, int, int]:
    """Mentions with a partner, of the key, and of the response, in all units."""
    matched, key, response = (sum(one.mentions[place] for one in counted) for place in range(3))
    return matched, key, response


def _low_overlap(
    counted: Sequence[Counted], problems: Iterable[Problem], path: str | None
) -> list[Problem]:
    """Warn if hardly any mentions match, in the corpus or in a document, with the likely cause.

    Documents whose cause is already reported are left out.
    """
    matched, key, response = mentions = _mentions(counted)
    known = {problem.document for problem in problems if problem.code == "no-common-mention"}
    found = [s for counts in counted for s in counts.suspicions if s.document not in known]
    if hardly_any(*mentions):
        causes: Counter[str] = Counter()
        for one in found:
            causes[one.cause] += one.number
        cause, number = min(causes.items(), key=lambda one: (-one[1], one[0]), default=("", 0))
        if 2 * number >= min(key, response):
            return [Suspicion("", cause, mentions, number).problem(path)]
        if not matched and not known:
            return [Suspicion("", "", mentions, 0).problem(path)]
    return [one.problem(path) for one in found if one.number > 1]


def _singletons(counted: Sequence[Counted], recipe: Recipe, path: str | None) -> list[Problem]:
    """A warning where half of the entities of one side are singletons and none of the other's."""
    if not any(metric.singletons for metric in metrics_of(recipe).values()):
        return []
    key, response, of_key, of_response = (
        sum(one.entities[place] for one in counted) for place in range(4)
    )
    sides = [("key", key, of_key), ("response", response, of_response)]
    for (name, entities, singletons), (other, others, theirs) in (sides, sides[::-1]):
        if 2 * singletons >= entities >= MANY <= others and not theirs:
            reason = (
                f"{singletons} of {entities} entities of the {name} are singletons, but none of "
                f"the {other}"
            )
            hint = (
                "Most metrics count them as errors. If they are not annotated on one side, "
                "--singletons drop leaves them out."
            )
            return [Problem("singletons-differ", reason, path=path, hint=hint)]
    return []


def _asked_for(
    dropped: Iterable[tuple[int, int, int, int]], recipe: Recipe, path: str | None
) -> list[Problem]:
    """Note mentions that policies left out as requested, with their number."""
    key = response = optional = in_sets = 0
    for of_key, of_response, of_optional, of_sets in dropped:
        key += of_key
        response += of_response
        optional += of_optional
        in_sets += of_sets
    problems = []
    if key or response:
        reason = (
            f"singletons {recipe.singletons!r}: {key} of the key and {response} of the response "
            "are left out"
        )
        problems.append(Problem("singletons-dropped", reason, "note", path=path))
    if optional:
        reason = f"{optional} optional mentions of the key have no partner and are left out"
        problems.append(Problem("optional-left-out", reason, "note", path=path))
    if in_sets:
        reason = "an entity that split antecedents name is not there; their set is without it"
        problems.append(Problem("split-left-out", reason, path=path, count=in_sets))
    return problems


def match_corpora(
    key: Corpus,
    response: Corpus,
    recipe: Recipe | None = None,
    **options: Unpack[RecipeOptions],
) -> tuple[list[Alignment], list[Problem]]:
    """Match response mentions to key mentions in each document of two corpora.

    Parameters
    ----------
    key, response
        Corpora that were read with ``details=True`` if the matching needs heads, dependencies or
        parses.
    recipe
        How to match; the default is the official scorer's way.
    **options
        Fields of `Recipe` to change, such as ``match="head"``.

    Returns
    -------
    alignments, warnings

    Raises
    ------
    DataError
        When the data cannot be matched.

    Examples
    --------
    >>> from corefmeter.corpus.convert import as_corpus
    >>> key, response = as_corpus([[(0, 3), (5, 6)]]), as_corpus([[(1, 3), (5, 6)]])
    >>> (alignment,), _ = match_corpora(key, response, match="overlap", overlap_threshold=0.8)
    >>> [(match.stage, match.weight) for match in alignment.matches]
    [('overlap', 0.8), ('exact', 1.0)]
    """
    recipe = recipe_of(recipe, **options)
    require_identity(recipe.identity, [key.format, response.format])
    prepared, problems = prepare(key, response, recipe)
    problems += _asked_for(map(_dropped, prepared), recipe, response.path)
    return [alignment for one in prepared for alignment in one.alignments], problems
