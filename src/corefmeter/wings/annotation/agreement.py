"""How far annotators agree: Krippendorff's alpha of entities and of mentions, and pairwise scores.

**Entities** (Passonneau 2004). A unit is a mention that any annotator marked; the value that an
annotator gives it is the set of all mentions of its entity. An annotator who has the document but
did not mark the mention gives the set of this mention alone (``singleton``), or none (``missing``).
With m_u values of unit u, n of all units that have two or more, and n_c of them equal to c,

    Do = 1/n sum_u 1/(m_u - 1) sum of d(a, b) over ordered pairs of values of u
    De = 1/(n (n - 1)) sum n_c n_k d(c, k) over ordered pairs of values,    alpha = 1 - Do/De

(Krippendorff 2004). docs/agreement.md defines the distances d, which are 1 where two sets share
nothing. With likeness s = 1 - d, the sum of De is n^2 - E where E = sum n_c n_k s(c, k), and only
sets that share a mention count in it. So n, n Do and E of documents add up, and a resample is a
weighted sum; a document that is drawn twice is two documents.

**Mentions.** A unit is a token; its value is how far the mentions extend that begin there, most
often "none". The distance is nominal, and E the sum of n_c^2 over all documents.

Where all values are the same (De = 0) alpha is 1; where there is no unit, nan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.pairing import with_common_names
from corefmeter.corpus.positions import is_run, pieces_if_any
from corefmeter.mentions.features import UNKNOWN, Features
from corefmeter.preparation import DocumentId, prepare
from corefmeter.problems import DataError, OptionError, Problem, unknown
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.scoring import score_corpora
from corefmeter.shown import Shown
from corefmeter.signature import join_signature
from corefmeter.statistics.arrays import Array, Indices
from corefmeter.statistics.checks import FEWEST_UNITS
from corefmeter.statistics.intervals import Interval, interval
from corefmeter.statistics.matrix import Matrix
from corefmeter.statistics.resampling import chunk_size, resamples

#: The distances between entities, from the strictest.
DISTANCES = ("nominal", "masi", "jaccard", "dice")

#: By which distance documents and groups are ordered.
ORDERED_BY = "masi"

#: How to treat a mention that an annotator who has its document did not mark.
UNMARKED = ("singleton", "missing")

#: In an array of sets: no value.
_NONE = -1


class Alpha(NamedTuple):
    """Krippendorff's alpha: 1 for full agreement, 0 for that of chance, nan for no unit.

    `interval` is the percentile bootstrap interval over documents, None with fewer than 6; `units`
    how many units at least two annotators gave a value; `observed` and `expected` are Do and De.
    """

    value: float
    interval: Interval | None
    units: int
    observed: float
    expected: float


class Resampling(NamedTuple):
    """Options of bootstrap intervals: resamples of documents, their seed, and the level."""

    trials: int = 1000
    seed: int = 1
    level: float = 0.95

    def intervals(
        self, scores: Callable[[Array], Array], units: int, observed: Sequence[float]
    ) -> list[Interval | None]:
        """Return the intervals of scores ``[score, resample]`` of weights ``[resample, unit]``.

        None for fewer than 6 units. All scores are of the same resamples.
        """
        if units < FEWEST_UNITS:
            return [None] * len(observed)
        chunks = resamples(units, self.trials, self.seed, chunk_size(units))
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.sort(np.concatenate([scores(weights) for weights in chunks], axis=1))
        return [
            interval(of_score, one, of_score, "percentile", self.level)
            for of_score, one in zip(values, observed, strict=True)
        ]


#: The options of agreement in addition to the recipe, which follow it in the signature.
OPTIONS = {"unmarked": UNMARKED[0], **Resampling()._asdict()}


class PairScore(NamedTuple):
    """F1 of two annotators by a metric, on the documents that both have."""

    a: str
    b: str
    metric: str
    f1: float | None
    interval: Interval | None
    documents: int


class Group(NamedTuple):
    """The alphas of entities, by distance, of the mentions of a group or of a document.

    `mentions` is how many units at least two annotators gave a value.
    """

    name: str
    mentions: int
    alphas: dict[str, float]


@dataclass(eq=False, repr=False)
class Agreement(Shown):
    """Agreement of annotators."""

    #: Their names.
    annotators: list[str]
    #: How pairs were scored.
    recipe: Recipe
    #: ``singleton`` or ``missing``.
    unmarked: str
    #: How intervals were made.
    resampling: Resampling
    #: Of entities, by distance.
    entities: dict[str, Alpha] = field(default_factory=dict)
    #: Of mention detection; None where mentions have no positions.
    mentions: Alpha | None = None
    #: All pairs by all metrics of the recipe.
    pairs: list[PairScore] = field(default_factory=list)
    #: The lowest alpha first.
    documents: list[Group] = field(default_factory=list)
    #: By feature; the lowest alpha first.
    groups: dict[str, list[Group]] = field(default_factory=dict)
    #: What a reader of the numbers should know.
    problems: list[Problem] = field(default_factory=list)

    @property
    def signature(self) -> str:
        """Return the signature: the recipe, and the options of agreement."""
        own = {"unmarked": self.unmarked, **self.resampling._asdict()}
        return f"{self.recipe.signature()}|{join_signature(own.items())}"

    @property
    def alpha(self) -> float:
        """Alpha of entities by MASI."""
        return self.entities[ORDERED_BY].value

    def __repr__(self) -> str:
        return f"<Agreement of {', '.join(self.annotators)}: alpha {self.alpha:.4f}>"


def agreement(
    corpora: Mapping[str, Corpus],
    recipe: Recipe,
    resampling: Resampling,
    *,
    unmarked: str = "singleton",
    by: Sequence[str] = (),
) -> Agreement:
    """Compute the agreement of annotators; see `corefmeter.agree`."""
    _check(recipe, resampling, unmarked)
    corpora, problems = with_common_names(corpora)
    sides: dict[str, dict[DocumentId, Document]] = {}
    documents: dict[DocumentId, list[Document]] = {}
    for name, corpus in corpora.items():
        prepared, _ = prepare(corpus, corpus, recipe)  # each mention is in one entity then
        sides[name] = {one.response.id: one.response for one in prepared}
        for id, document in sides[name].items():
            documents.setdefault(id, []).append(document)
    shared = {id: of for id, of in documents.items() if len(of) > 1}
    if not shared:
        raise DataError(_nothing_shared(corpora))
    found = Agreement(list(corpora), recipe, unmarked, resampling)
    found.problems = problems + [_alone(of[0]) for of in documents.values() if len(of) == 1]
    set_alphas(found, list(shared.values()), by)
    for (a, one), (b, other) in combinations(corpora.items(), 2):
        both = sides[a].keys() & sides[b].keys()
        if both:
            corpus_a, corpus_b = (
                corpus.replace(documents=[document for document in corpus if document.id in both])
                for corpus in (one, other)
            )
            result = score_corpora(corpus_a, corpus_b, recipe)
            found.problems += result.problems
            found.pairs += _pair_scores(a, b, result, resampling)
    return found


def set_alphas(
    found: Agreement, documents: Sequence[Sequence[Document]], by: Sequence[str]
) -> None:
    """Set all that is known of documents, each given as those who have it annotated it."""
    units = _Units([[one.entities for one in of] for of in documents], found.unmarked)
    rows = units.rows(units.documents, len(documents))
    detection = _token_measure(units, [max(one.tokens or 0 for one in of) for of in documents])
    measures = [_entity_measure(rows), *([] if detection is None else [detection])]
    alphas = _alphas(measures, len(documents), found.resampling)
    found.entities = dict(zip(DISTANCES, alphas, strict=False))
    found.mentions = None if detection is None else alphas[-1]
    found.documents = _groups([of[0].label for of in documents], rows)
    for feature, (names, places) in _groups_of_units(units, documents, by).items():
        if set(names) - {UNKNOWN}:
            found.groups[feature] = _groups(names, units.rows(places, len(names)))


def _check(recipe: Recipe, resampling: Resampling, unmarked: str) -> None:
    if unmarked not in UNMARKED:
        raise unknown("value of unmarked", unmarked, UNMARKED)
    other = recipe.matches_nearly or recipe.as_one_document or recipe.align != "tokens"
    if other or recipe.repeated == "distinct":
        raise OptionError("agree takes equal mentions for the same, document by document")
    if recipe.singletons not in ("keep", "drop"):
        raise OptionError("annotators are equals: singletons are kept or dropped for all of them")
    if resampling.trials < 1 or resampling.seed < 0 or not 0 < resampling.level < 1:
        raise OptionError("trials are 1 or more, seed 0 or more, and level is between 0 and 1")


def _alone(document: Document) -> Problem:
    message, hint = "one annotator alone has the document", "It is left out."
    place = document.path, document.line, None, hint
    return Problem("missing-document", message, "warning", *place, document=document.label)


def _nothing_shared(corpora: Mapping[str, Corpus]) -> Problem:
    first = ", ".join(next((repr(d.label) for d in c), "none") for c in corpora.values())
    message = f"no two annotators have a document in common; their first ones are {first}"
    hint = "Documents are paired by name; give them the same names."
    return Problem("no-common-document", message, "error", hint=hint)


# ---- entities ---------------------------------------------------------------------------------


class _Marked(NamedTuple):
    """Annotations: the sets that are the entities, and the units of each annotator in order."""

    sets: list[int]
    units: list[int]


class _Units:
    """The mentions of all documents with the values that annotators give them.

    Units and sets are numbered through all documents, so that each is of one document. Annotators
    are the first, second, … of those who have a document.
    """

    def __init__(self, sides: Sequence[Sequence[Entities]], unmarked: str) -> None:
        #: For each document the units: all mentions that anyone marked, each with its number.
        self.mentions: list[dict[Mention, int]] = []
        numbers = count()
        sets: dict[frozenset[int], int] = {}
        found = [_Marked([], []) for _ in range(max(map(len, sides)))]
        for of in sides:
            mentions: dict[Mention, int] = defaultdict(numbers.__next__)
            number = mentions.__getitem__
            for side, by_one in zip(of, found, strict=False):
                for entity in side:
                    members = frozenset(map(number, entity))
                    by_one.sets.append(sets.setdefault(members, len(sets)))
                    by_one.units.extend(members)
            self.mentions.append(mentions)
        #: How many annotators have each document.
        self.annotators = _integers(map(len, sides))
        #: The document of each unit.
        self.documents = np.repeat(np.arange(len(sides)), _integers(map(len, self.mentions)))
        self._sizes = _integers(map(len, sets))
        self._values = np.full((len(found), len(self.documents)), _NONE)
        for values, by_one in zip(self._values, found, strict=True):
            given = _integers(by_one.sets)
            values[_integers(by_one.units)] = np.repeat(given, self._sizes[given])
        #: Who marked which unit, ``[annotator, unit]``.
        self.marked = self._values != _NONE
        if unmarked == "singleton":
            self._set_singletons()
        self._given_by = (self._values != _NONE).sum(axis=0)
        self._compare()

    def _set_singletons(self) -> None:
        """Give what annotators did not mark the sets of these mentions alone."""
        alone = np.full(len(self.documents), _NONE)
        for values in self._values:
            units = np.flatnonzero((values != _NONE) & (self._sizes[values] == 1))
            alone[units] = values[units]
        wanted = self.has_document(self.documents) & ~self.marked
        new = np.flatnonzero(wanted.any(axis=0) & (alone == _NONE))
        alone[new] = len(self._sizes) + np.arange(len(new))
        self._sizes = np.append(self._sizes, np.ones_like(new))
        self._values = np.where(wanted, alone, self._values)

    def has_document(self, documents: Indices) -> NDArray[np.bool_]:
        """Return which annotators have each document, ``[annotator, document]``."""
        return np.arange(len(self.marked))[:, None] < self.annotators[documents]

    def _compare(self) -> None:
        #: Of each unit the distances between its values, ``[distance, unit]``.
        self._distances = np.zeros((len(DISTANCES), len(self.documents)))
        sets = max(1, len(self._sizes))
        met = []
        alike = []
        for a, b in combinations(self._values, 2):
            units = np.flatnonzero((a != _NONE) & (b != _NONE))
            low, high = np.minimum(a, b)[units], np.maximum(a, b)[units]
            # The sets of one annotator share nothing, so that each unit of two sets is seen once.
            codes, which, common = np.unique(
                low * sets + high, return_inverse=True, return_counts=True
            )
            one, other = np.divmod(codes, sets)
            likeness = _likeness(common, self._sizes[one], self._sizes[other])
            self._distances[:, units] += (1 - likeness)[:, which]
            met.append(codes[one != other])
            alike.append(likeness[:, one != other])
        codes, first = np.unique(np.concatenate(met), return_index=True)
        pairs = np.array(np.divmod(codes, sets))
        #: All pairs of different sets that share a mention, the smaller first.
        self._pairs = np.take_along_axis(pairs, self._sizes[pairs].argsort(axis=0), axis=0)
        self._likeness = np.concatenate(alike, axis=1)[:, first]

    def rows(self, places: Indices, number: int) -> Array:
        """Return the additive numbers of the units at each place, which is a document or a group.

        ``[place, field]``: how many units have two values or more, n, and for each distance n Do
        and E. `places` has the place of each unit, below `number`.
        """
        counted = self._given_by > 1
        at, given_by = places[counted], self._given_by[counted]
        weight = 2 / (given_by - 1)
        values = self._values[:, counted]
        sets, given = np.unique((values * number + at)[values != _NONE], return_counts=True)
        pairs, one, other = self._given_together(sets, number)
        twice = 2 * given[one] * given[other]
        fields = [np.bincount(at, minlength=number), np.bincount(at, given_by, number)]
        for distances, likeness in zip(self._distances[:, counted], self._likeness, strict=True):
            alike = np.bincount(sets % number, given * given, number)
            alike += np.bincount(sets[one] % number, twice * likeness[pairs], number)
            fields += [np.bincount(at, weight * distances, number), alike]
        return np.array(fields, dtype=float).T

    def _given_together(self, sets: Indices, places: int) -> tuple[Indices, Indices, Indices]:
        """Return the pairs that share a mention at each place, and where in `sets` both sets are.

        `sets` are all that are given, sorted: the number of the set times `places`, plus the place.
        """
        smaller, larger = self._pairs
        start, end = np.searchsorted(sets, [smaller * places, (smaller + 1) * places])
        pairs = np.repeat(np.arange(len(smaller)), end - start)
        one = np.arange(len(pairs)) + np.repeat(end - np.cumsum(end - start), end - start)
        wanted = larger[pairs] * places + sets[one] % places
        other = np.searchsorted(sets, wanted)
        both = sets.take(other, mode="clip") == wanted
        return pairs[both], one[both], other[both]


def _integers(values: Iterable[int]) -> Indices:
    return np.fromiter(values, dtype=np.intp)


def _likeness(common: Indices, one: Indices, other: Indices) -> Array:
    """1 less each distance, from how many mentions sets have in common and each by itself."""
    same = (common == one) & (common == other)
    within = common == np.minimum(one, other)
    jaccard = common / (one + other - common)
    likeness = {
        "nominal": same.astype(float),
        "masi": jaccard * np.where(same, 1, np.where(within, 2 / 3, 1 / 3)),
        "jaccard": jaccard,
        "dice": 2 * common / (one + other),
    }
    return np.array([likeness[distance] for distance in DISTANCES])


def _alpha(n: Array, observed: Array, alike: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha = 1 - observed * (n - 1) / (n * n - alike)
    return np.where(n == 0, nan, np.where(n * n == alike, 1.0, alpha))


class _Measure(NamedTuple):
    """Numbers from which alphas are computed.

    `sums` are, from weights of documents ``[resample, document]``, n ``[resample]``, n Do and E
    ``[alpha, resample]``; `units` how many units at least two annotators gave a value.
    """

    units: int
    sums: Callable[[Array], tuple[Array, Array, Array]]


def _alphas(measures: Sequence[_Measure], documents: int, resampling: Resampling) -> list[Alpha]:
    """Compute all alphas of the measures with their intervals and counts."""

    def values(weights: Array) -> Array:
        return np.concatenate([_alpha(*measure.sums(weights)) for measure in measures])

    whole = np.ones((1, documents))
    alphas = values(whole)[:, 0].tolist()
    limits = iter(zip(alphas, resampling.intervals(values, documents, alphas), strict=True))
    found = []
    for measure in measures:
        (n,), *sums = (of.T.tolist() for of in measure.sums(whole))
        for observed, alike in zip(*(of[0] for of in sums), strict=True):
            value, interval = next(limits)
            expected = (n * n - alike) / (n * (n - 1)) if n > 1 else nan
            observed = observed / n if n else nan
            found.append(Alpha(value, interval, measure.units, observed, expected))
    return found


def _entity_measure(rows: Array) -> _Measure:
    """Return the measure of entities: n, then Do and E of each distance in alternate columns."""

    def sums(weights: Array) -> tuple[Array, Array, Array]:
        _, n, *fields = (weights @ rows).T
        return n, np.array(fields[::2]), np.array(fields[1::2])

    return _Measure(int(rows[:, 0].sum()), sums)


# ---- mentions ---------------------------------------------------------------------------------


def _token_measure(units: _Units, lengths: Sequence[int]) -> _Measure | None:
    """Return the measure of tokens; None where mentions have no positions.

    `lengths` are those of the documents as far as they are known.
    """
    lengths = list(lengths)
    starts: list[int] = []
    extents: list[object] = []
    for number, mentions in enumerate(units.mentions):
        for mention in mentions:
            if is_run(mention):
                start, end = mention
                extents.append(end - start)
            elif parts := pieces_if_any(mention):
                start, end = parts[0][0], max(part[1] for part in parts)
                extents.append(tuple((p[0] - start, p[1] - start, *p[2:]) for p in parts))
            else:
                return None
            starts.append(start)
            lengths[number] = max(lengths[number], end + 1 if end == start else end)
    before = np.cumsum(lengths) - lengths
    # Where nobody's mention begins, all give the value 0.
    _, first, begins, times = np.unique(
        _integers(starts) + before[units.documents],
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    values = _token_values(units, extents, begins, times)
    documents = units.documents[first]
    has = units.has_document(documents)
    differ = np.zeros(len(first))
    for a, b in combinations(range(len(values)), 2):
        differ += has[b] & (values[a] != values[b])
    observed = 2 * np.bincount(documents, differ, len(lengths)) / (units.annotators - 1)
    n = units.annotators * lengths
    size = values.max(initial=0) + 1
    given = np.bincount((documents * size + values)[has], minlength=len(lengths) * size)
    given = given.reshape(-1, size).astype(float)
    given[:, 0] += n - given.sum(axis=1)
    counts = np.array([n, observed]).T

    def sums(weights: Array) -> tuple[Array, Array, Array]:
        n, observed = (weights @ counts).T
        return n, observed[None], ((weights @ given) ** 2).sum(axis=1)[None]

    return _Measure(sum(lengths), sums)


def _token_values(
    units: _Units, extents: Sequence[object], begins: Indices, times: Indices
) -> Indices:
    """Return numbers for the extents of mentions that begin at a token, ``[annotator, token]``.

    `begins` has the token of each unit, of those at which any begins, and `times` how many begin at
    each. 0 is no extent; several are a set.
    """
    numbers: dict[object, int] = defaultdict(count(1).__next__)
    single = _integers(map(numbers.__getitem__, extents))
    found = np.zeros((len(units.marked), len(times)), dtype=np.intp)
    alone = times[begins] == 1
    for row, marked in zip(found, units.marked, strict=True):
        row[begins[marked & alone]] = single[marked & alone]
        several: dict[int, set[object]] = defaultdict(set)
        for unit in np.flatnonzero(marked & ~alone).tolist():
            several[int(begins[unit])].add(extents[unit])
        for token, of_token in several.items():
            extent, *others = of_token
            row[token] = numbers[frozenset(of_token) if others else extent]
    return found


# ---- groups and pairs -------------------------------------------------------------------------


def _groups(names: Sequence[str], rows: Array) -> list[Group]:
    """Groups, or documents, of additive numbers, the lowest alpha first."""
    alphas = _alpha(rows[:, 1:2], rows[:, 2::2], rows[:, 3::2]).tolist()
    found = [
        Group(name, units, dict(zip(DISTANCES, of, strict=True)))
        for name, units, of in zip(names, rows[:, 0].astype(int).tolist(), alphas, strict=True)
    ]
    return sorted(found, key=_worst_first)


def _worst_first(group: Group) -> tuple[bool, float, int, str]:
    alpha = group.alphas[ORDERED_BY]
    return alpha != alpha, alpha if alpha == alpha else 0, -group.mentions, group.name


def _groups_of_units(
    units: _Units, documents: Sequence[Sequence[Document]], by: Sequence[str]
) -> dict[str, tuple[list[str], Indices]]:
    """By feature the names of its groups, and the group of each unit.

    The first annotator who marked a unit decides its group.
    """
    numbers: dict[str, dict[str, int]] = {f: defaultdict(count().__next__) for f in by}
    places = {feature: np.zeros(len(units.documents), dtype=np.intp) for feature in by}
    for mentions, of in zip(units.mentions, documents, strict=True) if by else ():
        seen: set[Mention] = set()
        for document in of:
            features = Features(document, document)
            new = [m for entity in document.entities for m in entity if m not in seen]
            seen.update(new)
            for feature in by:
                for mention in new:
                    group = numbers[feature][features.group(mention, feature)]
                    places[feature][mentions[mention]] = group
    return {feature: (list(numbers[feature]), places[feature]) for feature in by}


def _pair_scores(a: str, b: str, result: Result, resampling: Resampling) -> list[PairScore]:
    metrics = result.recipe.metrics
    matrix = Matrix({a: result}, metrics, "f1", lambda unit: unit.label)
    documents = len(matrix.units)
    observed = [float(matrix.observed[metric][0]) for metric in metrics]

    def scores(weights: Array) -> Array:
        of_metrics = matrix.scores(matrix.sums(weights))
        return np.concatenate([of_metrics[metric] for metric in metrics])

    limits = resampling.intervals(scores, documents, observed)
    return [
        PairScore(a, b, metric, f1 if f1 == f1 else None, limit, documents)
        for metric, f1, limit in zip(metrics, observed, limits, strict=True)
    ]
