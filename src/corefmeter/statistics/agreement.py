"""How far annotators agree: Krippendorff's alpha of entities and of mentions, and pairwise scores.

**Entities** (Passonneau 2004). A unit is a mention that any annotator marked; the
value that an annotator gives it is the set of all mentions of the entity that it is in. Who has the
document but did not mark the mention has put it into no entity: its value is the set of this
mention alone (``singleton``), or there is none (``missing``). Who lacks the document says nothing.
With m_u values of unit u, n of all units that have two or more, and n_c of them equal to c,

    Do = 1/n sum_u 1/(m_u - 1) sum of d(a, b) over ordered pairs of values of u
    De = 1/(n (n - 1)) sum n_c n_k d(c, k) over ordered pairs of values,    alpha = 1 - Do/De

(Krippendorff 2004). The distances d of sets c and k are 1 where they share nothing,
and with I = |c & k|:

    nominal   0 if c = k, else 1
    jaccard   1 - I/|c | k|
    dice      1 - 2I/(|c| + |k|)
    masi      1 - M I/|c | k|;  M = 1 if c = k, 2/3 if one holds the other, else 1/3

(MASI: Passonneau 2006). Sets that share nothing are never looked at: with likeness
s = 1 - d, the sum of De is n^2 - E where E = sum n_c n_k s(c, k), and only sets that share a
mention count in it. These meet at that mention, so all is found in one pass over the mentions.
Sets of two documents share nothing; so n, n Do and E of documents add up, and a resample is a
weighted sum. A document that is drawn twice is two documents.

**Mentions.** A unit is a token; the value that an annotator gives it is how the mentions extend
that begin there, most often "none". The distance is nominal, and E the sum of n_c^2 over all
documents.

Where all values are the same (De = 0) alpha is 1; where there is no unit, nan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, count
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.positions import is_run, pieces_if_any
from corefmeter.mentions.features import UNKNOWN, Features
from corefmeter.preparation import DocumentId, prepare
from corefmeter.problems import DataError, OptionError, Problem, unknown
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.scoring import score_corpora
from corefmeter.shown import Shown
from corefmeter.statistics.arrays import Array, Indices
from corefmeter.statistics.checks import FEWEST_UNITS
from corefmeter.statistics.intervals import Interval, interval
from corefmeter.statistics.matrix import Matrix
from corefmeter.statistics.resampling import chunk_size, resamples

#: The distances between entities, from the strictest.
DISTANCES = ("nominal", "masi", "jaccard", "dice")

#: By which distance documents and groups are ordered.
ORDERED_BY = "masi"

#: What a mention is for an annotator who has its document and did not mark it.
UNMARKED = ("singleton", "missing")

#: In an array of sets: no value.
_NONE = -1


class Alpha(NamedTuple):
    """Krippendorff's alpha.

    Attributes
    ----------
    value
        1 for full agreement, 0 for that of chance; nan where there is nothing to agree about.
    interval
        The percentile bootstrap interval over documents; None with fewer than 6.
    units
        How many units at least two annotators gave a value.
    observed, expected
        The disagreement Do and De.
    """

    value: float
    interval: Interval | None
    units: int
    observed: float
    expected: float


class Resampling(NamedTuple):
    """How bootstrap intervals are made: resamples of documents, their seed, and the level."""

    trials: int = 1000
    seed: int = 1
    level: float = 0.95

    def interval(
        self, score: Callable[[Array], Array], units: int, observed: float
    ) -> Interval | None:
        """The interval of a score of weights ``[resample, unit]``; None for fewer than 6 units."""
        if units < FEWEST_UNITS:
            return None
        chunks = resamples(units, self.trials, self.seed, chunk_size(units))
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.sort(np.concatenate([score(weights) for weights in chunks]))
        return interval(values, observed, values, "percentile", self.level)


class PairScore(NamedTuple):
    """F1 of two annotators by a metric, on the documents that both have."""

    a: str
    b: str
    metric: str
    f1: float | None
    interval: Interval | None
    documents: int


class Group(NamedTuple):
    """The agreement about the mentions of a group, or of a document.

    Attributes
    ----------
    name
        The group, or the label of the document.
    mentions
        How many units at least two annotators gave a value.
    alphas
        Alpha of entities, by distance.
    """

    name: str
    mentions: int
    alphas: dict[str, float]


class Agreement(Shown):
    """How far annotators agree.

    Attributes
    ----------
    annotators : list of str
        Their names.
    recipe : Recipe
        How pairs were scored.
    unmarked : str
        ``singleton`` or ``missing``.
    resampling : Resampling
        How intervals were made.
    entities : dict of str to Alpha
        By distance.
    mentions : Alpha or None
        Of mention detection; None where mentions have no positions.
    pairs : list of PairScore
        All pairs by all metrics of the recipe.
    documents : list of Group
        The worst first.
    groups : dict of str to list of Group
        By feature; the worst first.
    problems : list of Problem
        What a reader of the numbers should know.
    """

    def __init__(
        self, annotators: list[str], recipe: Recipe, unmarked: str, resampling: Resampling
    ) -> None:
        self.annotators = annotators
        self.recipe = recipe
        self.unmarked = unmarked
        self.resampling = resampling
        self.entities: dict[str, Alpha] = {}
        self.mentions: Alpha | None = None
        self.pairs: list[PairScore] = []
        self.documents: list[Group] = []
        self.groups: dict[str, list[Group]] = {}
        self.problems: list[Problem] = []

    @property
    def alpha(self) -> float:
        """Alpha of entities by MASI."""
        return self.entities[ORDERED_BY].value

    def __repr__(self) -> str:
        return f"<Agreement of {', '.join(self.annotators)}: alpha {self.alpha:.4f}>"


def agreement(
    corpora: Mapping[str, Corpus], recipe: Recipe, resampling: Resampling, *,
    unmarked: str = "singleton", by: Sequence[str] = (),
) -> Agreement:  # fmt: skip
    """How far annotators agree; see `corefmeter.agree`."""
    _check(recipe, resampling, unmarked)
    sides = {name: _side(corpus, recipe) for name, corpus in corpora.items()}
    found = Agreement(list(corpora), recipe, unmarked, resampling)
    documents: dict[DocumentId, list[Document]] = {}
    for side in sides.values():
        for id, document in side.items():
            documents.setdefault(id, []).append(document)
    shared = {id: of for id, of in documents.items() if len(of) > 1}
    if not shared:
        raise DataError(_nothing_shared(corpora))
    found.problems = [_alone(of[0]) for id, of in documents.items() if id not in shared]
    set_alphas(found, list(shared.values()), by)
    for (a, one), (b, other) in combinations(corpora.items(), 2):
        both = {id for id in shared if id in sides[a] and id in sides[b]}
        if both:
            result = score_corpora(_only(one, both), _only(other, both), recipe)
            found.problems += result.problems
            found.pairs += _pair_scores(a, b, result, resampling)
    return found


def set_alphas(
    found: Agreement, documents: Sequence[Sequence[Document]], by: Sequence[str]
) -> None:
    """Set all that is known of documents, each given as those who have it annotated it."""
    rows: list[Array] = []
    tokens: list[_Tokens | None] = []
    groups: dict[str, dict[str, Array]] = {feature: {} for feature in by}
    for of in documents:
        units = _Units([document.entities for document in of], found.unmarked)
        rows.append(units.row())
        tokens.append(_tokens(units, max(document.tokens or 0 for document in of)))
        found.documents.append(_group(of[0].label, rows[-1]))
        for feature, of_groups in _chosen(units, of, by).items():
            for name, chosen in of_groups.items():
                row = units.row(chosen)
                groups[feature][name] = groups[feature].get(name, np.zeros_like(row)) + row
    found.entities = _entities(np.array(rows), found.resampling)
    known = [one for one in tokens if one is not None]
    if len(known) == len(tokens):
        found.mentions = _detection(known, found.resampling)
    found.documents.sort(key=_worst_first)
    for feature, by_name in groups.items():
        if by_name.keys() - {UNKNOWN}:
            alike = (_group(name, row) for name, row in by_name.items())
            found.groups[feature] = sorted(alike, key=_worst_first)


def _check(recipe: Recipe, resampling: Resampling, unmarked: str) -> None:
    """Refuse what cannot be."""
    if unmarked not in UNMARKED:
        raise unknown("value of unmarked", unmarked, UNMARKED)
    other = recipe.matches_nearly or recipe.as_one_document or recipe.align != "tokens"
    if other or recipe.repeated == "distinct":
        raise OptionError("agree takes equal mentions for the same, document by document")
    if recipe.singletons not in ("keep", "drop"):
        raise OptionError("annotators are equals: singletons are kept or dropped for all of them")
    if resampling.trials < 1 or not 0 < resampling.level < 1:
        raise OptionError("trials are 1 or more, and level is between 0 and 1")


def _side(corpus: Corpus, recipe: Recipe) -> dict[DocumentId, Document]:
    """The documents of an annotator after the policies for mentions, each mention in one entity."""
    prepared, _ = prepare(corpus, corpus, recipe)
    return {one.response.id: one.response for one in prepared}


def _only(corpus: Corpus, ids: set[DocumentId]) -> Corpus:
    """The documents of a corpus with some ids."""
    return Corpus(
        [document for document in corpus if document.id in ids],
        path=corpus.path, format=corpus.format, digests=corpus.digests, problems=corpus.problems,
    )  # fmt: skip


def _alone(document: Document) -> Problem:
    return Problem(
        "missing-document", "one annotator alone has the document", path=document.path,
        line=document.line, document=document.label, hint="It is left out.",
    )  # fmt: skip


def _nothing_shared(corpora: Mapping[str, Corpus]) -> Problem:
    first = (next((repr(d.label) for d in corpus), "none") for corpus in corpora.values())
    return Problem(
        "no-common-document",
        f"no two annotators have a document in common; their first ones are {', '.join(first)}",
        "error",
        hint="Documents are paired by name; give them the same names.",
    )


# ---- entities ---------------------------------------------------------------------------------


class _Meeting(NamedTuple):
    """The pairs of sets that two annotators give the same units, and how alike these are.

    Attributes
    ----------
    units
        The units to which both give a value.
    which
        The pair of each.
    codes
        Of each pair, the number of the one set times the number of sets, plus that of the other.
    likeness
        ``[distance, pair]``, 1 less the distance.
    """

    units: Indices
    which: Indices
    codes: Indices
    likeness: Array


class _Units:
    """The mentions of a document with the values that annotators give them.

    Parameters
    ----------
    sides
        The entities of each annotator who has the document.
    unmarked
        What a mention is for those who did not mark it.

    Attributes
    ----------
    mentions
        All that anyone marked, each with its number.
    """

    def __init__(self, sides: Sequence[Entities], unmarked: str) -> None:
        self.mentions: dict[Mention, int] = defaultdict(count().__next__)
        number = self.mentions.__getitem__
        numbered = [[frozenset(map(number, entity)) for entity in side] for side in sides]
        sets: dict[frozenset[int], int] = {}
        rows = []
        for side in numbered:
            values = [_NONE] * len(self.mentions)
            for entity in side:
                value = sets.setdefault(entity, len(sets))
                for mention in entity:
                    values[mention] = value
            rows.append(values)
        #: ``[annotator, unit]``: who marked which mention.
        self.marked = np.array(rows, dtype=np.intp) != _NONE
        if unmarked == "singleton":
            for values, marked in zip(rows, self.marked, strict=True):
                for mention in np.flatnonzero(~marked).tolist():
                    values[mention] = sets.setdefault(frozenset((mention,)), len(sets))
        self._values = np.array(rows, dtype=np.intp)
        self._sizes = np.array([len(one) for one in sets], dtype=np.intp)
        self._meetings = [self._met(a, b) for a, b in combinations(self._values, 2)]
        every, first = np.unique(
            np.concatenate([met.codes for met in self._meetings]), return_index=True
        )
        one, other = np.divmod(every, max(1, len(sets)))
        differ = one != other
        likeness = np.concatenate([met.likeness for met in self._meetings], axis=1)[:, first]
        #: All pairs of different sets that share a mention.
        self._alike = one[differ], other[differ], likeness[:, differ]

    def _met(self, a: Indices, b: Indices) -> _Meeting:
        units = np.flatnonzero((a != _NONE) & (b != _NONE))
        low, high = np.minimum(a, b)[units], np.maximum(a, b)[units]
        # The sets of one annotator share nothing, so that each unit of two sets is seen once.
        codes, which, common = np.unique(
            low * len(self._sizes) + high, return_inverse=True, return_counts=True
        )
        one, other = np.divmod(codes, max(1, len(self._sizes)))
        likeness = _likeness(common, self._sizes[one], self._sizes[other])
        return _Meeting(units, which, codes, likeness)

    def row(self, chosen: NDArray[np.bool_] | None = None) -> Array:
        """The additive numbers of all units, or of those that are chosen.

        Returns
        -------
        How many units have two values or more, n, and for each distance n Do and E.
        """
        given_by = (self._values != _NONE).sum(axis=0)
        counted = given_by > 1 if chosen is None else (given_by > 1) & chosen
        weight = np.where(counted, 2 / np.maximum(given_by - 1, 1), 0)
        observed = np.zeros(len(DISTANCES))
        for met in self._meetings:
            share = np.bincount(met.which, weight[met.units], len(met.codes))
            observed += (1 - met.likeness) @ share
        values = self._values[:, counted]
        given = np.bincount(values[values != _NONE], minlength=len(self._sizes)).astype(float)
        one, other, likeness = self._alike
        alike = given @ given + 2 * likeness @ (given[one] * given[other])
        return np.array([counted.sum(), given.sum(), *np.ravel((observed, alike), order="F")])


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
    """Alpha from n, n Do and E."""
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha = 1 - observed * (n - 1) / (n * n - alike)
    return np.where(n == 0, nan, np.where(n * n == alike, 1.0, alpha))


def _summed(
    of: Callable[[Array], tuple[Array, Array, Array]], units: int, documents: int,
    resampling: Resampling,
) -> Alpha:  # fmt: skip
    """An alpha with all that belongs to it; `of` gives n, n Do and E of weights of documents."""
    sums = of(np.ones((1, documents)))
    n, observed, alike = (float(one[0]) for one in sums)
    value = float(_alpha(*sums)[0])
    limits = resampling.interval(lambda weights: _alpha(*of(weights)), documents, value)
    expected = (n * n - alike) / (n * (n - 1)) if n > 1 else nan
    return Alpha(value, limits, units, observed / n if n else nan, expected)


def _entities(rows: Array, resampling: Resampling) -> dict[str, Alpha]:
    """Alpha of entities by each distance."""

    def of(distance: int) -> Callable[[Array], tuple[Array, Array, Array]]:
        mine = rows[:, [1, 2 + 2 * distance, 3 + 2 * distance]]
        return lambda weights: tuple((weights @ mine).T)

    units = int(rows[:, 0].sum())
    return {
        name: _summed(of(number), units, len(rows), resampling)
        for number, name in enumerate(DISTANCES)
    }


# ---- mentions ---------------------------------------------------------------------------------


class _Tokens(NamedTuple):
    """Of one document the tokens, n, n Do, and how often each value is given."""

    tokens: int
    n: int
    observed: float
    given: dict[frozenset[object], int]


def _tokens(units: _Units, length: int) -> _Tokens | None:
    """What annotators say of the tokens of a document; None where mentions have no positions.

    `length` is its length as far as it is known.
    """
    values = _Extents()
    starts: list[int] = []
    extents: list[object] = []
    for mention in units.mentions:
        if is_run(mention):
            start, end = mention
            extents.append(end - start)
        elif parts := pieces_if_any(mention):
            start, end = parts[0][0], max(part[1] for part in parts)
            extents.append(tuple((part[0] - start, part[1] - start, *part[2:]) for part in parts))
        else:
            return None
        starts.append(start)
        length = max(length, end + 1 if end == start else end)
    begin = np.array(starts, dtype=np.intp)
    single = np.array([values.with_one(0, extent) for extent in extents], dtype=np.intp)
    rows = np.zeros((len(units.marked), length), dtype=np.intp)
    alone = np.bincount(begin, minlength=length)[begin] == 1
    for row, marked in zip(rows, units.marked, strict=True):
        row[begin[marked & alone]] = single[marked & alone]
        for n in np.flatnonzero(marked & ~alone).tolist():
            row[starts[n]] = values.with_one(int(row[starts[n]]), extents[n])
    differ = sum(int((a != b).sum()) for a, b in combinations(rows, 2))
    given = np.bincount(rows.ravel(), minlength=1).tolist()
    of_values = dict(zip(values, given, strict=False))
    return _Tokens(length, rows.size, 2 * differ / (len(rows) - 1), of_values)


class _Extents:
    """How mentions extend that begin at a token: sets, each with a number; 0 is the empty one."""

    def __init__(self) -> None:
        self._sets: list[frozenset[object]] = [frozenset()]
        self._numbers = {self._sets[0]: 0}
        self._after: dict[tuple[int, object], int] = {}

    def __iter__(self) -> Iterator[frozenset[object]]:
        return iter(self._sets)

    def with_one(self, number: int, extent: object) -> int:
        """The number of the set that has one more extent."""
        found = self._after.get((number, extent))
        if found is None:
            more = self._sets[number] | {extent}
            found = self._numbers.setdefault(more, len(self._sets))
            if found == len(self._sets):
                self._sets.append(more)
            self._after[number, extent] = found
        return found


def _detection(documents: Sequence[_Tokens], resampling: Resampling) -> Alpha:
    """Alpha of mention detection."""
    places = {value: n for n, value in enumerate(dict.fromkeys(v for d in documents for v in d[3]))}
    given = np.zeros((len(documents), len(places)))
    for row, document in zip(given, documents, strict=True):
        for value, number in document.given.items():
            row[places[value]] = number
    counts = np.array([(document.n, document.observed) for document in documents])

    def of(weights: Array) -> tuple[Array, Array, Array]:
        n, observed = (weights @ counts).T
        return n, observed, ((weights @ given) ** 2).sum(axis=1)

    return _summed(of, sum(d.tokens for d in documents), len(documents), resampling)


# ---- groups and pairs -------------------------------------------------------------------------


def _group(name: str, row: Array) -> Group:
    alphas = {
        distance: float(_alpha(row[1], row[2 + 2 * n], row[3 + 2 * n]))
        for n, distance in enumerate(DISTANCES)
    }
    return Group(name, int(row[0]), alphas)


def _worst_first(group: Group) -> tuple[bool, float, int, str]:
    """By alpha; those without come last."""
    alpha = group.alphas[ORDERED_BY]
    return alpha != alpha, alpha if alpha == alpha else 0, -group.mentions, group.name


def _chosen(
    units: _Units, of: Sequence[Document], by: Sequence[str]
) -> dict[str, dict[str, NDArray[np.bool_]]]:
    """By feature and group its units; of each the first annotator who marked it says the group."""
    if not by:
        return {}
    found: dict[str, dict[str, NDArray[np.bool_]]] = {feature: {} for feature in by}
    seen: set[Mention] = set()
    for document in of:
        features = Features(document, document)
        new = [m for entity in document.entities for m in entity if m not in seen]
        seen.update(new)
        for feature, groups in found.items():
            for mention in new:
                name = features.group(mention, feature)
                if name not in groups:
                    groups[name] = np.zeros(len(units.mentions), dtype=bool)
                groups[name][units.mentions[mention]] = True
    return found


def _pair_scores(a: str, b: str, result: Result, resampling: Resampling) -> list[PairScore]:
    """F1 of two annotators by each metric of a result."""
    metrics = result.recipe.metrics
    matrix = Matrix({a: result}, metrics, "f1", lambda unit: unit.label)
    documents = len(matrix.units)
    found = []
    for metric in metrics:
        f1 = float(matrix.observed[metric][0])

        def scores(weights: Array, metric: str = metric) -> Array:
            of_systems: Array = matrix.scores(matrix.sums(weights), [metric])[metric]
            return of_systems[0]  # type: ignore[no-any-return]  # numpy's row

        limits = resampling.interval(scores, documents, f1)
        found.append(PairScore(a, b, metric, f1 if f1 == f1 else None, limits, documents))
    return found
