"""Where annotators, or systems, decide differently, and the partition that differs least from all.

**Decisions.** Mentions that all who have the document put together are one *atom*. A mention that
an annotator did not mark is an entity of its own. Two kinds of decisions are left: whether a
*mention* that some marked is one, and whether an atom is *linked* to the atom before it in an
entity of anyone. These decide the partition.

**The consensus.** It has the mentions that at least `least` marked, by default more than half. With
A annotators of whom t link two mentions, to separate them costs t and to join them A - t. The
consensus is the partition of least cost, correlation clustering (Bansal et al. 2004, weighted): the
sum over annotators of the links in which their partition and this one differ. Joining two atoms
gains

    w(a, b) = (2t - A) |a| |b|,    cost = all links of all annotators - the sum of w within entities

so that atoms of an entity are connected by pairs that more than half of the annotators link. Each
such component is decided separately, by branch and bound: atoms are placed one by one, and a branch
is left when even the best that each atom left can gain by itself, with all gains w > 0 among those
left, is not more than what was found. Where that takes too long, the partition is the best one
found by moving atoms and merging entities, and the cost has a lower bound: of three atoms with
w > 0, w > 0 and w < 0 one pair is always against the partition, so that disjoint triples of this
kind each cost their least |w| in addition to what no partition can avoid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.pairing import with_common_names
from corefmeter.corpus.positions import content_key, in_reading_order
from corefmeter.corpus.structures import UnionFind, grouped
from corefmeter.corpus.text import Detail
from corefmeter.metrics.overlap import links_within
from corefmeter.preparation import DocumentId, prepare
from corefmeter.problems import DataError, OptionError, Problem, amount
from corefmeter.recipe import Recipe
from corefmeter.shown import Shown
from corefmeter.wings.annotation.decisions import (
    Adjudication,
    Answer,
    Question,
    mention_label,
    parse_decisions,
    read_decisions,
)

#: Nodes of a search, after which a partition is not proved to be the best.
_NODES = 20_000

#: Larger components are not searched.
_SEARCHED = 60

#: In larger components no triples are looked for.
_TRIPLES = 300

#: With more subsets than this, components are found in another way.
_SUBSETS = 300

_Labels = NDArray[np.int64]
_Gains = NDArray[np.int64]


class Decision(NamedTuple):
    """Something to decide: a mention, or a link of two atoms, each named by its first mention.

    `kind` is ``mention`` or ``link``; only a link has an antecedent. `yes`, `no` and `unmarked` are
    the annotators who say so, who do not, and who did not mark one of the mentions of a link.
    `pairs` is how many mentions or pairs of mentions it is about, and `consensus` whether the
    consensus has it.
    """

    document: str
    kind: str
    mention: Mention
    antecedent: Mention | None
    yes: tuple[str, ...]
    no: tuple[str, ...]
    unmarked: tuple[str, ...]
    pairs: int
    consensus: bool

    @property
    def question(self) -> Question:
        """Return the question of the decision, as CSV names it."""
        labels = map(mention_label, (self.mention, self.antecedent))
        return Question(self.document, self.kind, *labels)


class MergedDocument(NamedTuple):
    """The consensus of a document, as it is written, of the annotators who have it.

    Words and details of a mention are those of the first annotator who has it. Decisions are in
    reading order. `cost` is in how many links annotators and consensus differ, each annotator by
    itself, and `bound` the least that any partition could cost: the same if the consensus is exact.
    """

    document: Document
    annotators: tuple[str, ...]
    decisions: list[Decision]
    cost: int
    bound: int


@dataclass(eq=False, repr=False)
class Merged(Shown):
    """Disagreements of annotators, and their consensus."""

    #: The names of the annotators.
    annotators: list[str]
    #: In the order in which annotators have them.
    documents: list[MergedDocument]
    #: Warnings and notes.
    problems: list[Problem]

    @property
    def corpus(self) -> Corpus:
        """The consensus."""
        return Corpus([one.document for one in self.documents])

    @property
    def decisions(self) -> list[Decision]:
        """The disagreements in all documents."""
        return [decision for one in self.documents for decision in one.decisions]

    def __repr__(self) -> str:
        return f"<Merged {', '.join(self.annotators)}: {len(self.decisions)} decisions differ>"


def merge_corpora(
    corpora: Mapping[str, Corpus],
    *,
    least: int | None = None,
    singletons: str = "keep",
    decisions: str | None = None,
) -> Merged:
    """Find disagreements of annotators, and their consensus; see `corefmeter.merge`.

    `decisions` is the path of a list that an adjudicator edited.
    """
    if singletons not in ("keep", "drop"):
        raise OptionError("singletons must be keep or drop")
    if least is not None and not 1 <= least <= len(corpora):
        raise OptionError(f"least must be from 1 to {len(corpora)}, the number of annotators")
    adjudication = None if decisions is None else read_decisions(decisions)
    recipe = Recipe(singletons=singletons)  # type: ignore[arg-type]  # was checked
    corpora, problems = with_common_names(corpora)
    documents: dict[DocumentId, dict[str, Document]] = {}
    for name, corpus in corpora.items():
        prepared, noticed = prepare(corpus, corpus, recipe)
        problems += [problem for problem in noticed if problem.code != "same-file"]
        for pair in prepared:
            documents.setdefault(pair.response.id, {})[name] = pair.response
    merged = [_merge_document(given, least, singletons == "drop") for given in documents.values()]
    if adjudication:
        adjudication = _follow_annotators(adjudication, merged)
        total = amount(len(adjudication.answers), "decision")
        message = f"{_count_changes(adjudication, merged):,} of {total} differ from the consensus"
        problems.append(Problem("decisions-applied", message, "note", adjudication.path))
        merged = [
            _adjudicate(by_annotator, document, adjudication, singletons == "drop")
            for by_annotator, document in zip(documents.values(), merged, strict=True)
        ]
    elif least is None:
        problems += _without_majority(merged)
    return Merged(list(corpora), merged, problems)


def _without_majority(merged: Iterable[MergedDocument]) -> list[Problem]:
    kinds = Counter(
        decision.kind
        for document in merged
        if len(document.annotators) == 2
        for decision in document.decisions
        if not decision.consensus
    )
    if not kinds:
        return []
    left_out = " and ".join(amount(number, kind) for kind, number in sorted(kinds.items())[::-1])
    message = (
        f"with two annotators, a majority means both: the consensus leaves out {left_out} that "
        "only one of them made, so entities fall apart"
    )
    hint = "Decide them (--decisions), or add a third annotator."
    return [Problem("no-majority", message, hint=hint)]


def _merge_document(
    by_annotator: Mapping[str, Document], least: int | None, drop_singletons: bool
) -> MergedDocument:
    """Return the consensus on one document; `least` is by default more than half."""
    names, documents = tuple(by_annotator), list(by_annotator.values())
    votes = _Votes([document.entities for document in documents])
    needed = min(least or len(documents) // 2 + 1, len(documents))
    entities, cost, bound = votes.consensus(votes.marked_by(needed))
    kept = [entity for entity in entities if len(entity) > 1 or not drop_singletons]
    decisions = votes.decisions(documents[0].label, names, kept)
    return MergedDocument(_with_entities(documents, kept), names, decisions, cost, bound)


def _follow_annotators(
    adjudication: Adjudication, merged: Iterable[MergedDocument]
) -> Adjudication:
    """Return the answers, those that name an annotator as yes or no.

    Refuse answers to questions that the list of these annotators does not have, and other names.
    """
    known = {decision.question: decision for one in merged for decision in one.decisions}
    unknown = [question for question in adjudication.answers if question not in known]
    if unknown:
        message = f"{amount(len(unknown), 'decision')} not in the list of these annotators"
        problem = adjudication.problem("bad-decision", message, unknown[0])
        hint = "Give the files and the options with which the list was written."
        raise DataError(problem._replace(hint=hint))
    answers = {}
    for question, (name, line) in adjudication.answers.items():
        decision = known[question]
        if isinstance(name, str) and name not in decision.yes + decision.no + decision.unmarked:
            message = f"the consensus is {name!r}, neither yes nor no nor an annotator's name"
            raise DataError(adjudication.problem("bad-decision", message, question))
        is_yes = name in decision.yes if isinstance(name, str) else name
        answers[question] = Answer(is_yes, line)
    return adjudication._replace(answers=answers)


def _count_changes(adjudication: Adjudication, merged: Iterable[MergedDocument]) -> int:
    """Return how many answers differ from the consensus, or are to questions that it lacks."""
    consensus = {d.question: d.consensus for document in merged for d in document.decisions}
    answers = adjudication.answers.items()
    return sum(answer.is_yes is not consensus.get(question) for question, answer in answers)


def has_other_answers(merged: Merged, content: bytes) -> bool:
    """Return whether the content of a file is a list of decisions with other answers."""
    try:
        adjudication = parse_decisions("", content)
    except DataError:  # another kind of file
        return False
    return bool(_count_changes(adjudication, merged.documents))


def _adjudicate(
    by_annotator: Mapping[str, Document],
    merged: MergedDocument,
    adjudication: Adjudication,
    drop_singletons: bool,
) -> MergedDocument:
    """Return a document as an adjudicator decided it; what has no answer stays as it was."""
    documents = list(by_annotator.values())
    decisions = []
    for decision in merged.decisions:
        answer = adjudication.answers.get(decision.question)
        decisions.append(decision._replace(consensus=bool(answer.is_yes)) if answer else decision)
    if decisions == merged.decisions:
        return merged
    votes = _Votes([document.entities for document in documents])
    entities, problems = votes.decided(decisions, adjudication)
    if problems:
        raise DataError(problems)
    mentions = {mention for entity in entities for mention in entity}
    *_, bound = votes.consensus([atom for atom in votes.atoms if atom[0] in mentions])
    kept = [entity for entity in entities if len(entity) > 1 or not drop_singletons]
    return merged._replace(
        document=_with_entities(documents, kept),
        decisions=decisions,
        cost=votes.cost(entities),
        bound=bound,
    )


def _with_entities(documents: Sequence[Document], entities: Entities) -> Document:
    """Return the document of the first annotator who has a text, with the consensus's entities.

    The detail of a mention is that of the first annotator who marked it.
    """
    known: dict[Mention, Detail] = {}
    for document in documents:
        for entity, entity_details in zip(document.entities, document.details or (), strict=False):
            for mention, detail in zip(entity, entity_details, strict=True):
                known.setdefault(mention, detail)
    details = [[known.get(m) or Detail() for m in e] for e in entities] if known else None
    base = next((document for document in documents if document.text is not None), documents[0])
    # Relations join entities of one annotator, so they are unread: a writer reports the loss.
    return base.replace(entities=entities, details=details, unread=base.related)


class _Votes:
    """The annotators that link each pair of mentions of a document."""

    def __init__(self, sides: Sequence[Entities]) -> None:
        every = [mention for side in sides for entity in side for mention in entity]
        (self._mentions,) = in_reading_order([every])
        self._place = {mention: n for n, mention in enumerate(self._mentions)}
        #: By annotator the entity of each mention.
        self._sides = [
            {mention: n for n, entity in enumerate(side) for mention in entity} for side in sides
        ]
        # Who did not mark a mention has put it with nothing else.
        self.atoms = list(
            grouped(
                (tuple(side.get(mention, (mention,)) for side in self._sides), mention)
                for mention in self._mentions
            ).values()
        )

    def marked_by(self, least: int) -> list[list[Mention]]:
        return [
            atom for atom in self.atoms if sum(atom[0] in side for side in self._sides) >= least
        ]

    def decisions(self, document: str, names: Sequence[str], consensus: Entities) -> list[Decision]:
        where = {mention: n for n, entity in enumerate(consensus) for mention in entity}
        voters = dict(zip(names, self._sides, strict=True))
        decisions: list[Decision] = []
        for mention in self._mentions:
            yes = tuple(name for name, side in voters.items() if mention in side)
            no = tuple(name for name in names if name not in yes)
            if no:
                kept = mention in where
                decisions.append(Decision(document, "mention", mention, None, yes, no, (), 1, kept))
        sizes = {atom[0]: len(atom) for atom in self.atoms}
        for a, b in self._adjacent_atoms([*self._sides, where]):
            marked = {name: side for name, side in voters.items() if a in side and b in side}
            yes = tuple(name for name, side in marked.items() if side[a] == side[b])
            no = tuple(name for name in marked if name not in yes)
            unmarked = tuple(name for name in names if name not in marked)
            if no or unmarked:
                pairs = sizes[a] * sizes[b]
                joined = a in where and where[a] == where.get(b)
                decisions.append(Decision(document, "link", b, a, yes, no, unmarked, pairs, joined))
        place = self._place
        return sorted(decisions, key=lambda d: (place[d.mention], place.get(d.antecedent, -1)))

    def _adjacent_atoms(
        self, sides: Iterable[Mapping[Mention, int]]
    ) -> Iterable[tuple[Mention, Mention]]:
        """Return the first mentions of atoms that are adjacent in an entity of some side."""
        links: dict[tuple[Mention, Mention], None] = {}
        for side in sides:
            marked = (first for first, *_ in self.atoms if first in side)
            for firsts in grouped((side[first], first) for first in marked).values():
                links.update(dict.fromkeys(pairwise(firsts)))
        return links

    def cost(self, entities: Entities) -> int:
        """Return in how many links of the entities' mentions they differ from the annotators."""
        cost = 0
        for side in self._sides:
            theirs, common = Counter[Any](), Counter[Any]()
            for number, entity in enumerate(entities):
                for mention in entity:
                    # A mention that the annotator did not mark is linked to nothing.
                    place = side.get(mention, (mention,))
                    theirs[place] += 1
                    common[number, place] += 1
            cost += links_within([*map(len, entities)]) + links_within([*theirs.values()])
            cost -= 2 * links_within([*common.values()])
        return cost

    def decided(
        self, decisions: Sequence[Decision], adjudication: Adjudication
    ) -> tuple[Entities, list[Problem]]:
        """Return the entities that decisions make, and the links that contradict others."""
        excluded = {d.mention for d in decisions if d.kind == "mention" and not d.consensus}
        kept = [atom for atom in self.atoms if atom[0] not in excluded]
        number_of = {atom[0]: number for number, atom in enumerate(kept)}
        links = [
            (decision, number_of.get(decision.antecedent), number_of.get(decision.mention))
            for decision in decisions
            if decision.kind == "link"
        ]
        sets = UnionFind(len(kept))
        problems = []
        for link, a, b in links:
            if not link.consensus:
                continue
            if a is None or b is None:
                left_out = link.mention if b is None else link.antecedent
                message = f"{mention_label(left_out)} is linked, but decided to be no mention"
                problems.append(adjudication.problem("contradiction", message, link.question))
            else:
                sets.join(a, b)
        for link, a, b in links:
            if link.consensus or a is None or b is None or sets.root(a) != sets.root(b):
                continue
            question = link.question
            message = (
                f"{question.mention} and {question.antecedent} are decided not to be in one "
                "entity, but other links connect them"
            )
            problems.append(adjudication.problem("contradiction", message, question))
        entities = [[m for number in numbers for m in kept[number]] for numbers in sets.sets()]
        return self._in_reading_order(entities), problems

    def _in_reading_order(self, entities: Entities) -> Entities:
        ordered = [sorted(entity, key=self._place.__getitem__) for entity in entities]
        return sorted(ordered, key=lambda entity: self._place[entity[0]])

    def consensus(self, kept: Sequence[Sequence[Mention]]) -> tuple[Entities, int, int]:
        """Return the consensus on some atoms.

        That is its entities, its cost, and a lower bound of the cost of any partition.
        """
        sizes = np.array([len(atom) for atom in kept], dtype=np.int64)
        # An annotator who did not mark an atom has it in an entity of its own, numbered below 0.
        labels = np.array(
            [[side.get(atom[0], -1 - n) for n, atom in enumerate(kept)] for side in self._sides],
            dtype=np.int64,
        )
        avoidable = 0
        entities: Entities = []
        for component in _find_components(labels):
            if len(component) > 1:
                # The order of the atoms decides between equally good partitions, so it must depend
                # on the mentions only, not on the order in which they were given.
                component.sort(key=lambda atom: min(map(content_key, kept[atom])))
            gains = _pair_gains(labels[:, component], sizes[component])
            parts, gain, greatest_gain = _best_partition(gains, labels[:, component])
            avoidable += greatest_gain - gain
            pairs = ((part, kept[atom]) for atom, part in zip(component, parts, strict=True))
            entities += (list(chain.from_iterable(atoms)) for atoms in grouped(pairs).values())
        cost = self.cost(entities)
        return self._in_reading_order(entities), cost, cost - avoidable


# ---- correlation clustering -------------------------------------------------------------------


def _pair_gains(labels: _Labels, sizes: _Labels) -> _Gains:
    """Return the gain of joining two atoms, ``[atom, atom]``; 0 for an atom with itself."""
    together = sum((row[:, None] == row).astype(np.int64) for row in labels)
    gains: _Gains = (2 * together - len(labels)) * np.outer(sizes, sizes)
    np.fill_diagonal(gains, 0)
    return gains


def _find_components(labels: _Labels) -> list[list[int]]:
    """Return groups of atoms that are connected by links of more than half of the annotators.

    With many annotators a link of one is enough: the larger groups are also right, but take longer.
    """
    annotators, atoms = labels.shape
    needed = annotators // 2 + 1
    if comb(annotators, needed) > _SUBSETS:
        needed = 1
    sets = UnionFind(atoms)
    # All of some annotators link two atoms that are in the same entities of each of them.
    for chosen in combinations(labels.tolist(), needed):
        first_with: dict[tuple[int, ...], int] = {}
        for atom, entities in enumerate(zip(*chosen, strict=True)):
            sets.join(atom, first_with.setdefault(entities, atom))
    return sets.sets()


def _best_partition(gains: _Gains, labels: _Labels) -> tuple[list[int], int, int]:
    """Return a partition of greatest gain, its gain, and an upper bound of the gain of any.

    Of equally good partitions the one that joins the first atoms is taken. So the choice depends on
    the atoms and their gains only, not on the order of the annotators or the numbers of entities.
    """
    atoms = len(gains)
    if atoms == 1:
        return [0], 0, 0
    starts = [*labels, np.zeros(atoms, dtype=np.int64), np.arange(atoms)]
    partitions = [_improve_partition(start, gains) for start in starts]
    parts = min(partitions, key=lambda parts: (-_total_gain(parts, gains), parts.tolist()))
    gain = _total_gain(parts, gains)
    bound = int(np.maximum(gains, 0).sum()) // 2  # the matrix has each pair twice
    if gain < bound and atoms <= _TRIPLES:
        bound -= _unavoidable_cost(gains)
    if gain < bound and atoms <= _SEARCHED:
        search = _Search(gains, gain, parts.tolist())
        return search.parts, search.gain, search.gain if search.ended else bound
    return parts.tolist(), gain, bound


def _total_gain(parts: _Labels, gains: _Gains) -> int:
    return int(gains[parts[:, None] == parts].sum()) // 2


def _renumber(labels: _Labels) -> _Labels:
    """Return labels as numbers from 0 in the order in which they first occur."""
    _, first, which = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[which]


def _improve_partition(start: _Labels, gains: _Gains) -> _Labels:
    """Return a partition after all moves of an atom and all merges of two entities that gain."""
    parts = _renumber(start)
    while True:
        # Move single atoms until nothing changes, but not more often than there are atoms.
        for _ in range(len(parts)):
            before = parts.copy()
            for atom in range(len(parts)):
                # A float holds these sums exactly: they are below 2^53.
                by_part = np.bincount(parts, gains[atom], parts.max() + 2)
                best = int(by_part.argmax())
                if by_part[best] > by_part[parts[atom]]:
                    parts[atom] = best
            if (before == parts).all():
                break
        # Then merge the two entities that gain most: the sums of gains between each two of them.
        parts = _renumber(parts)
        member = np.eye(parts.max() + 1, dtype=np.int64)[parts]
        between = member.T @ gains @ member
        np.fill_diagonal(between, 0)
        first, second = divmod(int(between.argmax()), len(between))
        if between[first, second] <= 0:
            return parts
        parts[parts == second] = first


def _unavoidable_cost(gains: _Gains) -> int:
    """Return a lower bound: the cost of disjoint triples in which any partition violates a pair."""
    # Of w(a, b) < 0, w(a, c) > 0 and w(b, c) > 0, the least amount is used up in all three.
    unused = gains.copy()
    cost = 0
    for a, b in np.argwhere(np.triu(gains < 0)).tolist():
        while unused[a, b] < 0:
            smaller_gains = np.minimum(unused[a], unused[b])
            c = int(smaller_gains.argmax())
            if smaller_gains[c] <= 0:
                break
            used = min(int(smaller_gains[c]), int(-unused[a, b]))
            cost += used
            for i, j, change in ((a, b, used), (a, c, -used), (b, c, -used)):
                unused[i, j] += change
                unused[j, i] += change
    return cost


class _Search:
    """The partition of greatest gain, `parts`, by branch and bound, from one that is known.

    `ended` is whether all others were ruled out.
    """

    def __init__(self, gains: _Gains, gain: int, parts: list[int]) -> None:
        self.gain, self.parts = gain, parts
        self._order = np.argsort(-np.abs(gains).sum(axis=0), kind="stable")
        self._gains = gains[np.ix_(self._order, self._order)]
        positive = np.triu(np.maximum(self._gains, 0))
        #: The gains w > 0 among the atoms from each one on.
        self._rest = [int(positive[n:, n:].sum()) for n in range(len(gains) + 1)]
        self._by_part = np.zeros((len(gains) + 1, len(gains)), dtype=np.int64)
        self._placed = [0] * len(gains)
        self._nodes = 0
        self._place(0, 0, 0)
        self.ended = self._nodes <= _NODES

    def _place(self, atom: int, parts: int, gain: int) -> None:
        """Place an atom, and all after it, into one of `parts` entities or a new one.

        `gain` is the gain of the atoms before it.
        """
        if atom == len(self._placed):  # only a better partition gets here
            self.gain = gain
            for n, part in zip(self._order.tolist(), self._placed, strict=True):
                self.parts[n] = part
            return
        by_part = self._by_part
        for part in sorted(range(parts + 1), key=lambda part: -by_part[part, atom]):
            self._nodes += 1
            if self._nodes > _NODES:
                return
            new_gain = gain + int(by_part[part, atom])
            by_part[part] += self._gains[atom]
            used = max(parts, part + 1)
            # The most that the atoms left can gain: each with one entity, and all among themselves.
            with_placed = np.maximum(by_part[:used, atom + 1 :].max(axis=0), 0).sum()
            if new_gain + int(with_placed) + self._rest[atom + 1] > self.gain:
                self._placed[atom] = part
                self._place(atom + 1, used, new_gain)
            by_part[part] -= self._gains[atom]
