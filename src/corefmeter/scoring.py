"""From what is prepared to a result: statistics of each unit, and what they leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.corpus.model import Corpus
from corefmeter.corpus.pairing import MentionCounts
from corefmeter.metrics import Metric, make
from corefmeter.metrics.base import Row
from corefmeter.preparation import Dropped, Prepared, prepare
from corefmeter.problems import Problem
from corefmeter.reading import require_identity
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.units import Unit

if TYPE_CHECKING:
    from corefmeter.corpus.suspicions import Suspicion
    from corefmeter.matching.alignment import Alignment


#: The fewest entities that show whether singletons are annotated.
MANY = 10


class Entities(NamedTuple):
    """Number of entities that are counted, and how many of them have one mention."""

    key: int = 0
    response: int = 0
    key_singletons: int = 0
    response_singletons: int = 0


class Counted(NamedTuple):
    """Statistics of one unit, by metric, with what warnings need to know of it."""

    unit: Unit
    rows: Mapping[str, Row]
    mentions: MentionCounts
    suspicions: Sequence[Suspicion] = ()
    dropped: Dropped = Dropped()
    entities: Entities = Entities()

    def to_dict(self) -> dict[str, Any]:
        """Convert the statistics to JSON values."""
        return {
            "unit": [*self.unit[:3], *map(list, self.unit.groups)],
            "rows": {name: list(row) for name, row in self.rows.items()},
            "mentions": list(self.mentions),
            "suspicions": [list(one) for one in self.suspicions],
            "dropped": list(self.dropped),
            "entities": list(self.entities),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Counted:
        """Read the output of `to_dict`."""
        from corefmeter.corpus.suspicions import Suspicion

        name, label, numbered, *groups = values["unit"]
        return cls(
            Unit(name, label, numbered, tuple((group, value) for group, value in groups)),
            {name: tuple(row) for name, row in values["rows"].items()},
            MentionCounts(*values["mentions"]),
            [
                Suspicion(document, cause, MentionCounts(*numbers), number)
                for document, cause, numbers, number in values["suspicions"]
            ],
            Dropped(*values["dropped"]),
            Entities(*values["entities"]),
        )


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
    """Return the result of two corpora from their prepared units."""
    metrics = metrics_of(recipe)
    counted = [count_unit(one, metrics) for one in prepared]
    related: Counter[str] = Counter()
    for document in key:
        related.update(document.related)
    not_scored = {kind: n for kind, n in related.items() if kind not in recipe.scored_relations}
    if not_scored:
        from corefmeter.corpus.relations import describe_counts

        reason = f"the key has {describe_counts(not_scored)}: not scored"
        note = Problem("relations-not-scored", reason, "note", path=key.path)
        problems = [*problems, note]
    digests = key.digests | response.digests
    return result_of(counted, recipe, problems, path=response.path, digests=digests)


def metrics_of(recipe: Recipe) -> dict[str, Metric]:
    """Return the metrics whose statistics are needed, by name."""
    return {name: make(name, recipe) for name in recipe.base_metrics()}


def count_unit(prepared: Prepared, metrics: Mapping[str, Metric]) -> Counted:
    """Return the statistics of one unit by each metric, with what warnings need to know of it."""
    key_sizes, response_sizes = prepared.table.key_sizes, prepared.table.response_sizes
    return Counted(
        unit=Unit.of(prepared.key),
        rows={name: prepared.statistics(metric) for name, metric in metrics.items()},
        mentions=prepared.mentions,
        suspicions=prepared.suspicions(),
        dropped=prepared.dropped,
        entities=Entities(
            key=len(key_sizes),
            response=len(response_sizes),
            key_singletons=key_sizes.count(1),
            response_singletons=response_sizes.count(1),
        ),
    )


def result_of(
    counted: Sequence[Counted],
    recipe: Recipe,
    problems: Iterable[Problem],
    *,
    path: str | None = None,
    digests: dict[str, str] | None = None,
) -> Result:
    """Return the result of all units; `path` and `digests` are those of the files."""
    problems = list(problems)
    mentions = MentionCounts(*_sum_columns(one.mentions for one in counted))
    return Result(
        recipe,
        [one.unit for one in counted],
        {name: [one.rows[name] for one in counted] for name in recipe.base_metrics()},
        problems=[
            *problems,
            *_note_left_out([one.dropped for one in counted], recipe, path),
            *_warn_of_twinless(mentions, recipe, path),
            *_warn_of_low_overlap(mentions, counted, problems, path),
            *_warn_of_singletons(counted, recipe, path),
        ],
        response=path,
        digests=digests,
    )


def _sum_columns(rows: Iterable[tuple[int, ...]]) -> Iterable[int]:
    return map(sum, zip(*rows, strict=True))


def _note_left_out(dropped: Iterable[Dropped], recipe: Recipe, path: str | None) -> list[Problem]:
    """Note mentions that policies left out as requested, with their number."""
    total = Dropped(*_sum_columns(dropped))
    problems = []
    if total.key or total.response:
        reason = (
            f"singletons {recipe.singletons!r}: {total.key} of the key and {total.response} of the "
            "response are left out"
        )
        problems.append(Problem("singletons-dropped", reason, "note", path=path))
    if total.optional:
        reason = f"{total.optional} optional mentions of the key have no partner and are left out"
        problems.append(Problem("optional-left-out", reason, "note", path=path))
    if total.in_sets:
        reason = "a split antecedent is not in the document; its set is scored without it"
        problems.append(Problem("split-left-out", reason, path=path, count=total.in_sets))
    return problems


def _warn_of_twinless(mentions: MentionCounts, recipe: Recipe, path: str | None) -> list[Problem]:
    """Warn of metrics that leave twinless mentions out, with the number of these."""
    names = [name for name, metric in metrics_of(recipe).items() if not metric.twinless]
    key, response = mentions.key - mentions.matched, mentions.response - mentions.matched
    if not names or not (key or response):
        return []
    reason = (
        f"{', '.join(names)}: computed on the mentions that both sides have; {key} "
        f"of the key and {response} of the response are left out"
    )
    return [Problem("twinless-left-out", reason, path=path)]


def _warn_of_low_overlap(
    mentions: MentionCounts,
    counted: Sequence[Counted],
    problems: Iterable[Problem],
    path: str | None,
) -> list[Problem]:
    """Warn if few mentions match, in the corpus or in a document, and give the likely cause.

    Documents whose cause is already reported are left out.
    """
    known = {problem.document for problem in problems if problem.code == "no-common-mention"}
    suspicions = [s for counts in counted for s in counts.suspicions if s.document not in known]
    if not suspicions and not mentions.are_disjoint:
        return []
    from corefmeter.corpus.suspicions import Suspicion

    if mentions.are_disjoint:
        causes: Counter[str] = Counter()
        for suspicion in suspicions:
            causes[suspicion.cause] += suspicion.number
        # The most frequent cause; of equally frequent ones the first by name.
        cause, number = min(causes.items(), key=lambda item: (-item[1], item[0]), default=("", 0))
        if 2 * number >= min(mentions.key, mentions.response):
            return [Suspicion("", cause, mentions, number).problem(path)]
        if not mentions.matched and not known:
            return [Suspicion("", "", mentions, 0).problem(path)]
    return [suspicion.problem(path) for suspicion in suspicions if suspicion.number > 1]


def _warn_of_singletons(
    counted: Sequence[Counted], recipe: Recipe, path: str | None
) -> list[Problem]:
    """Warn if a tenth of the entities of one side are singletons, but none of the other side."""
    if not any(metric.singletons for metric in metrics_of(recipe).values()):
        return []
    total = Entities(*_sum_columns(one.entities for one in counted))
    if min(total.key, total.response) < MANY:
        return []
    for side, other in (("key", "response"), ("response", "key")):
        entities, singletons = getattr(total, side), getattr(total, f"{side}_singletons")
        if 10 * singletons >= entities and not getattr(total, f"{other}_singletons"):
            reason = (
                f"{singletons} of {entities} entities of the {side} are singletons, but none of "
                f"the {other}"
            )
            hint = (
                "Most metrics count them as errors. If they are not annotated on one side, "
                "--singletons drop leaves them out."
            )
            return [Problem("singletons-differ", reason, path=path, hint=hint)]
    return []


def match_corpora(
    key: Corpus, response: Corpus, recipe: Recipe, *, strict: bool = False
) -> tuple[list[Alignment], list[Problem]]:
    """Match the mentions of two corpora; return an alignment for each document, and warnings.

    The corpora have details if the matching needs heads, dependencies or parses.
    """
    require_identity(recipe.identity, [key.format, response.format])
    prepared, problems = prepare(key, response, recipe, strict=strict)
    problems += _note_left_out([one.dropped for one in prepared], recipe, response.path)
    return [alignment for one in prepared for alignment in one.alignments], problems
