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
from math import isnan, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.pairing import with_common_names
from corefmeter.corpus.positions import is_run, pieces_if_any
from corefmeter.corpus.structures import grouped
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

    `interval` is the percentile bootstrap interval over documents, None with fewer than 6. `units`
    is the number of units to which at least two annotators gave a value. `observed` and `expected`
    are Do and De.
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
        """Return an interval for each score, or None for each if there are fewer than 6 units.

        `scores` maps weights ``[resample, unit]`` to scores ``[score, resample]``, so that all
        scores have the same resamples; `observed` are the scores of the data.
        """
        if units < FEWEST_UNITS:
            return [None] * len(observed)
        chunks = resamples(units, self.trials, self.seed, chunk_size(units))
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.sort(np.concatenate([scores(weights) for weights in chunks], axis=1))
        return [
            interval(resampled, score, resampled, "percentile", self.level)
            for resampled, score in zip(values, observed, strict=True)
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
    """The alphas of entities, by distance, on the mentions of one group or one document.

    `mentions` is the number of units to which at least two annotators gave a value.
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
        """Return the signature, which contains the recipe and the options of agreement."""
        own = {"unmarked": self.unmarked, **self.resampling._asdict()}
        return f"{self.recipe.signature()}|{join_signature(own.items())}"

    @property
    def alpha(self) -> float:
        """Krippendorff's alpha of entities, with the MASI distance."""
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
    _check_options(recipe, resampling, unmarked)
    corpora, problems = with_common_names(corpora)
    sides: dict[str, dict[DocumentId, Document]] = {}
    for name, corpus in corpora.items():
        prepared, _ = prepare(corpus, corpus, recipe)  # each mention is in one entity then
        sides[name] = {pair.response.id: pair.response for pair in prepared}
    documents = grouped(item for side in sides.values() for item in side.items())
    shared = [versions for versions in documents.values() if len(versions) > 1]
    if not shared:
        first = ", ".join(next((repr(d.label) for d in c), "none") for c in corpora.values())
        message = f"no two annotators have a document in common; their first ones are {first}"
        hint = "Documents are paired by name; give them the same names."
        raise DataError(Problem("no-common-document", message, "error", hint=hint))
    unpaired = [versions[0] for versions in documents.values() if len(versions) == 1]
    outcome = Agreement(list(corpora), recipe, unmarked, resampling)
    reason, hint = "only one annotator has the document", "It is left out."
    problems += [one.problem("missing-document", reason, hint=hint) for one in unpaired]
    outcome.problems = problems
    set_alphas(outcome, shared, by)
    for a, b in combinations(corpora, 2):
        if common := sides[a].keys() & sides[b].keys():
            corpus_a, corpus_b = (
                corpus.replace(documents=[document for document in corpus if document.id in common])
                for corpus in (corpora[a], corpora[b])
            )
            result = score_corpora(corpus_a, corpus_b, recipe)
            outcome.problems += result.problems
            outcome.pairs += _pair_scores(a, b, result, resampling)
    return outcome


def set_alphas(
    outcome: Agreement, documents: Sequence[Sequence[Document]], by: Sequence[str]
) -> None:
    """Set the alphas of an agreement: in total, by document, and by the features `by`.

    Each document is given in the versions of the annotators who have it, at least two.
    """
    sides = [[document.entities for document in versions] for versions in documents]
    units = _Units(sides, outcome.unmarked)
    rows = units.sums_by_place(units.documents, len(documents))
    lengths = [max(document.tokens or 0 for document in versions) for versions in documents]
    detection = _token_sums(units, lengths)
    measures = [_entity_sums(rows), *([] if detection is None else [detection])]
    alphas = _compute_alphas(measures, len(documents), outcome.resampling)
    outcome.entities = dict(zip(DISTANCES, alphas, strict=False))
    outcome.mentions = None if detection is None else alphas[-1]
    outcome.documents = _make_groups([versions[0].label for versions in documents], rows)
    for feature, (names, places) in _assign_groups(units, documents, by).items():
        if set(names) - {UNKNOWN}:
            outcome.groups[feature] = _make_groups(names, units.sums_by_place(places, len(names)))


def _check_options(recipe: Recipe, resampling: Resampling, unmarked: str) -> None:
    if unmarked not in UNMARKED:
        raise unknown("value of unmarked", unmarked, UNMARKED)
    unequal = recipe.matches_nearly or recipe.as_one_document or recipe.align != "tokens"
    if unequal or recipe.repeated == "distinct":
        raise OptionError("agree matches equal mentions only, document by document")
    if recipe.singletons not in ("keep", "drop"):
        raise OptionError("set singletons to keep or drop, which apply to all annotators")
    if resampling.trials < 1 or resampling.seed < 0 or not 0 < resampling.level < 1:
        raise OptionError("trials must be 1 or more, seed 0 or more, and level between 0 and 1")


# ---- entities ---------------------------------------------------------------------------------


class _Units:
    """The mentions of all documents with the values that annotators give them.

    Units and sets are numbered through all documents, so that each is of one document. Annotators
    are the first, second, … of those who have a document.
    """

    def __init__(self, sides: Sequence[Sequence[Entities]], unmarked: str) -> None:
        #: For each document the units: all mentions that anyone marked, each with its number.
        self.mentions: list[dict[Mention, int]] = []
        set_numbers: dict[frozenset[int], int] = {}
        by_annotator = self._number_mentions(sides, set_numbers)
        #: How many annotators have each document.
        self.annotators = _integers(map(len, sides))
        #: The document of each unit.
        self.documents = np.repeat(np.arange(len(sides)), _integers(map(len, self.mentions)))
        #: The number of mentions in each set.
        self._sizes = _integers(map(len, set_numbers))
        #: The set that an annotator gives to a unit, or `_NONE`; ``[annotator, unit]``.
        self._values = np.full((len(by_annotator), len(self.documents)), _NONE)
        for values, (sets, units) in zip(self._values, by_annotator, strict=True):
            # The units are in the order of the sets: each set is repeated for each of its members.
            values[units] = np.repeat(_integers(sets), self._sizes[_integers(sets)])
        #: Who marked which unit, ``[annotator, unit]``.
        self.marked = self._values != _NONE
        if unmarked == "singleton":
            self._set_singletons()
        self._given_by = (self._values != _NONE).sum(axis=0)
        self._compare_values()

    def _number_mentions(
        self, sides: Sequence[Sequence[Entities]], set_numbers: dict[frozenset[int], int]
    ) -> list[tuple[list[int], list[int]]]:
        """Number the mentions of all documents and their sets; return what each annotator marked.

        That is the number of the set of each entity, and the units in these sets, in the same
        order. `set_numbers` is filled with the sets.
        """
        unit_numbers = count()
        by_annotator: list[tuple[list[int], list[int]]]
        by_annotator = [([], []) for _ in range(max(map(len, sides)))]
        for versions in sides:
            mentions: dict[Mention, int] = defaultdict(unit_numbers.__next__)
            for entities, (sets, units) in zip(versions, by_annotator, strict=False):
                for entity in entities:
                    members = frozenset(map(mentions.__getitem__, entity))
                    sets.append(set_numbers.setdefault(members, len(set_numbers)))
                    units.extend(members)
            self.mentions.append(mentions)
        return by_annotator

    def _set_singletons(self) -> None:
        """Give each unmarked mention the set of this mention only, where its document is there."""
        #: The set of each unit only: one that an annotator marked, or else a new one.
        singletons = np.full(len(self.documents), _NONE)
        for values in self._values:
            units = np.flatnonzero((values != _NONE) & (self._sizes[values] == 1))
            singletons[units] = values[units]
        unmarked = self.has_document(self.documents) & ~self.marked
        new = np.flatnonzero(unmarked.any(axis=0) & (singletons == _NONE))
        singletons[new] = len(self._sizes) + np.arange(len(new))
        self._sizes = np.append(self._sizes, np.ones_like(new))
        self._values = np.where(unmarked, singletons, self._values)

    def has_document(self, documents: Indices) -> NDArray[np.bool_]:
        """Return which annotators have each document, ``[annotator, document]``."""
        return np.arange(len(self.marked))[:, None] < self.annotators[documents]

    def _compare_values(self) -> None:
        """Set the distances between the values of each unit, and the likeness of sets that meet."""
        #: The sum of the distances between the values of a unit, ``[distance, unit]``.
        self._distances = np.zeros((len(DISTANCES), len(self.documents)))
        sets = max(1, len(self._sizes))
        pair_codes = []
        pair_likenesses = []
        for a, b in combinations(self._values, 2):
            units = np.flatnonzero((a != _NONE) & (b != _NONE))
            low, high = np.minimum(a, b)[units], np.maximum(a, b)[units]
            # The sets of one annotator share nothing, so that each unit of two sets is seen once,
            # and a pair of sets is seen as often as they have mentions in common.
            codes, which, common = np.unique(
                low * sets + high, return_inverse=True, return_counts=True
            )
            first, second = np.divmod(codes, sets)
            likenesses = _likenesses(common, self._sizes[first], self._sizes[second])
            self._distances[:, units] += (1 - likenesses)[:, which]
            pair_codes.append(codes[first != second])
            pair_likenesses.append(likenesses[:, first != second])
        codes, index = np.unique(np.concatenate(pair_codes), return_index=True)
        pairs = np.array(np.divmod(codes, sets))
        #: All pairs of different sets that share a mention, the smaller first.
        self._pairs = np.take_along_axis(pairs, self._sizes[pairs].argsort(axis=0), axis=0)
        self._pair_likenesses = np.concatenate(pair_likenesses, axis=1)[:, index]

    def sums_by_place(self, places: Indices, number: int) -> Array:
        """Return the additive numbers of the units at each place, which is a document or a group.

        ``[place, field]``: how many units have two values or more, n, and for each distance n Do
        and E. `places` has the place of each unit, below `number`.
        """
        counted = self._given_by > 1
        at, given_by = places[counted], self._given_by[counted]
        weight = 2 / (given_by - 1)
        values = self._values[:, counted]
        # A set at a place is coded as one number; `times` is how often it is a value there (n_c).
        sets, times = np.unique((values * number + at)[values != _NONE], return_counts=True)
        pairs, first, second = self._pairs_at_places(sets, number)
        both_orders = 2 * times[first] * times[second]
        fields = [np.bincount(at, minlength=number), np.bincount(at, given_by, number)]
        for distances, likeness in zip(
            self._distances[:, counted], self._pair_likenesses, strict=True
        ):
            alike = np.bincount(sets % number, times * times, number)
            alike += np.bincount(sets[first] % number, both_orders * likeness[pairs], number)
            fields += [np.bincount(at, weight * distances, number), alike]
        return np.array(fields, dtype=float).T

    def _pairs_at_places(self, sets: Indices, places: int) -> tuple[Indices, Indices, Indices]:
        """Find the pairs of `_pairs` of which both sets are values at the same place.

        `sets` are the codes of all values, sorted: the number of the set times `places`, plus the
        place. Return the index of each pair, and the indices in `sets` of its smaller and larger.
        """
        smaller, larger = self._pairs
        # The codes of a set are adjacent: a pair is repeated for each place of its smaller set.
        start, end = np.searchsorted(sets, [smaller * places, (smaller + 1) * places])
        pairs = np.repeat(np.arange(len(smaller)), end - start)
        first = np.arange(len(pairs)) + np.repeat(end - np.cumsum(end - start), end - start)
        wanted = larger[pairs] * places + sets[first] % places
        second = np.searchsorted(sets, wanted)
        present = sets.take(second, mode="clip") == wanted
        return pairs[present], first[present], second[present]


def _integers(values: Iterable[int]) -> Indices:
    return np.fromiter(values, dtype=np.intp)


def _likenesses(common: Indices, first: Indices, second: Indices) -> Array:
    """Return 1 - d for each distance d, ``[distance, pair]``.

    `common` is the number of mentions that two sets share; `first` and `second` are their sizes.
    """
    same = (common == first) & (common == second)
    within = common == np.minimum(first, second)
    jaccard = common / (first + second - common)
    likeness = {
        "nominal": same.astype(float),
        "masi": jaccard * np.where(same, 1, np.where(within, 2 / 3, 1 / 3)),
        "jaccard": jaccard,
        "dice": 2 * common / (first + second),
    }
    return np.array([likeness[distance] for distance in DISTANCES])


def _compute_alpha(n: Array, observed: Array, alike: Array) -> Array:
    """Return 1 - Do/De from n, n Do and E: nan without a unit, and 1 where De is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha = 1 - observed * (n - 1) / (n * n - alike)
    return np.where(n == 0, nan, np.where(n * n == alike, 1.0, alpha))


#: A function from weights of documents ``[resample, document]`` to the number of units to which at
#: least two annotators gave a value, n, n Do and E: ``[number, alpha, resample]``.
_Sums = Callable[[Array], Array]


def _compute_alphas(
    measures: Sequence[_Sums], documents: int, resampling: Resampling
) -> list[Alpha]:
    def sums(weights: Array) -> Array:
        return np.concatenate([measure(weights) for measure in measures], axis=1)

    def values(weights: Array) -> Array:
        return _compute_alpha(*sums(weights)[1:])

    units, n, observed, alike = sums(np.ones((1, documents)))[:, :, 0]
    alphas = _compute_alpha(n, observed, alike).tolist()
    intervals = resampling.intervals(values, documents, alphas)
    with np.errstate(divide="ignore", invalid="ignore"):
        numbers = [units.astype(int), observed / n, (n * n - alike) / (n * (n - 1))]
    rows = zip(alphas, intervals, *(array.tolist() for array in numbers), strict=True)
    return [Alpha(*row) for row in rows]


def _entity_sums(rows: Array) -> _Sums:
    """Return the sums of entities from rows of `_Units.sums_by_place`: an alpha by distance."""

    def sums(weights: Array) -> Array:
        units, n, *fields = (weights @ rows).T
        observed, alike = fields[::2], fields[1::2]
        return np.array([[units] * len(observed), [n] * len(observed), observed, alike])

    return sums


# ---- mentions ---------------------------------------------------------------------------------


def _token_sums(units: _Units, lengths: Sequence[int]) -> _Sums | None:
    """Return the sums of tokens, for one alpha; None where mentions have no positions.

    `lengths` are the lengths of the documents, 0 where unknown; a mention may prove them longer.
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
    # Only tokens at which somebody's mention begins are listed; all give the others the value 0.
    tokens = _integers(starts) + before[units.documents]
    _, first, begins, times = np.unique(
        tokens, return_index=True, return_inverse=True, return_counts=True
    )
    values = _number_extents(units, extents, begins, times)
    documents = units.documents[first]
    has_document = units.has_document(documents)
    differ = np.zeros(len(first))
    for a, b in combinations(range(len(values)), 2):
        differ += has_document[b] & (values[a] != values[b])
    observed = 2 * np.bincount(documents, differ, len(lengths)) / (units.annotators - 1)
    n = units.annotators * lengths
    size = values.max(initial=0) + 1
    codes = (documents * size + values)[has_document]
    value_counts = np.bincount(codes, minlength=len(lengths) * size).reshape(-1, size).astype(float)
    value_counts[:, 0] += n - value_counts.sum(axis=1)
    counts = np.array([n, observed]).T

    def sums(weights: Array) -> Array:
        n, observed = (weights @ counts).T
        alike = ((weights @ value_counts) ** 2).sum(axis=1)
        return np.array([[weights @ lengths], [n], [observed], [alike]])

    return sums


def _number_extents(
    units: _Units, extents: Sequence[object], begins: Indices, times: Indices
) -> Indices:
    """Return numbers for the extents of mentions that begin at a token, ``[annotator, token]``.

    `begins` has the token of each unit, as its index among the tokens at which a unit begins, and
    `times` the number of units that begin at each. 0 is no extent; several extents are a set.
    """
    numbers: dict[object, int] = defaultdict(count(1).__next__)
    single = _integers(map(numbers.__getitem__, extents))
    values = np.zeros((len(units.marked), len(times)), dtype=np.intp)
    is_only = times[begins] == 1  # most units: no other begins at their token
    for row, marked in zip(values, units.marked, strict=True):
        row[begins[marked & is_only]] = single[marked & is_only]
        by_token: dict[int, set[object]] = defaultdict(set)
        for unit in np.flatnonzero(marked & ~is_only).tolist():
            by_token[int(begins[unit])].add(extents[unit])
        for token, token_extents in by_token.items():
            extent, *others = token_extents
            row[token] = numbers[frozenset(token_extents) if others else extent]
    return values


# ---- groups and pairs -------------------------------------------------------------------------


def _make_groups(names: Sequence[str], rows: Array) -> list[Group]:
    """Return a group for each row of `_Units.sums_by_place`, the lowest alpha first."""
    counts = rows[:, 0].astype(int).tolist()
    alphas = _compute_alpha(rows[:, 1:2], rows[:, 2::2], rows[:, 3::2]).tolist()
    groups = [
        Group(name, units, dict(zip(DISTANCES, row, strict=True)))
        for name, units, row in zip(names, counts, alphas, strict=True)
    ]
    return sorted(groups, key=_alpha_order)


def _alpha_order(group: Group) -> tuple[bool, float, int, str]:
    """Sort key: the lowest alpha first, nan last; of equal ones the group of most mentions."""
    alpha = group.alphas[ORDERED_BY]
    return isnan(alpha), 0 if isnan(alpha) else alpha, -group.mentions, group.name


def _assign_groups(
    units: _Units, documents: Sequence[Sequence[Document]], by: Sequence[str]
) -> dict[str, tuple[list[str], Indices]]:
    """Return for each feature the names of its groups, and the group of each unit.

    The first annotator who marked a unit decides its group.
    """
    numbers: dict[str, dict[str, int]] = {f: defaultdict(count().__next__) for f in by}
    places = {feature: np.zeros(len(units.documents), dtype=np.intp) for feature in by}
    for mentions, versions in zip(units.mentions, documents, strict=True) if by else ():
        seen: set[Mention] = set()
        for document in versions:
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
        by_metric = matrix.scores(matrix.sums(weights))
        return np.concatenate([by_metric[metric] for metric in metrics])

    limits = resampling.intervals(scores, documents, observed)
    return [
        PairScore(a, b, metric, None if isnan(f1) else f1, limit, documents)
        for metric, f1, limit in zip(metrics, observed, limits, strict=True)
    ]
