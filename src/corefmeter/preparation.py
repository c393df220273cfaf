"""Prepare two corpora for counting; every command and call does so here.

The order of steps, written here only:

1. Documents of both sides are *paired* (`corpus.pairing`), and their *layer* chosen.
2. Their *texts* are brought together: marked text to the words of the key, other tokens to common
   positions.
3. Documents that are scored as one are *joined*, so that the following steps use the
   joined entities.
4. The *policies* for mentions: repeated ones, then singletons. What is a copy is judged within a
   document; only ``merge`` works on the joined entities.
5. Mentions are *matched*, document by document.

The result is a `Prepared` for each unit that is scored: the numbers of a metric depend on it and on
the options of the metric, on nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefmeter.corpus.model import Corpus, Document, Entities
from corefmeter.corpus.pairing import (
    MentionCounts,
    Pair,
    as_one_document,
    check_units,
    drop_one_sided_types,
    pair_documents,
    split_joined,
)
from corefmeter.metrics import Metric, Overlap
from corefmeter.metrics.base import Row
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import Recipe

if TYPE_CHECKING:
    from corefmeter.corpus.splits import SetMember
    from corefmeter.corpus.suspicions import Suspicion
    from corefmeter.matching.alignment import Alignment

#: What pairs documents: name and part.
DocumentId: TypeAlias = tuple[str, int]


class Dropped(NamedTuple):
    """Number of singletons, optional key mentions, and members of sets that are left out."""

    key: int = 0
    response: int = 0
    optional: int = 0
    in_sets: int = 0


class Prepared:
    """The entities of one unit to count: a document, or all documents scored as one.

    `key` and `response` are the documents after the policies, with their mentions as they were
    read; in joined documents a mention is ``(id of its document, mention)``. `named` are the same
    documents, where a mention is equal to its partner and to no other.
    """

    def __init__(self, pairs: Sequence[Pair], recipe: Recipe, repeats: bool) -> None:
        self._recipe, self._repeats, self._read = recipe, repeats, pairs
        self._pairs = [_without_copies(p, recipe.repeated) for p in pairs] if repeats else pairs
        whole = self._join(self._pairs)
        if repeats and recipe.repeated == "merge":
            from corefmeter.corpus.policies import apply_repeats

            whole = apply_repeats(*whole, "merge")
        self._singletons_dropped = 0, 0
        if recipe.singletons != "keep":
            whole = self._without_singletons(whole)
        self.key, self.response = self.named = whole
        if recipe.matches_nearly or (repeats and recipe.repeated == "distinct"):
            self._name_by_partner()

    def _without_singletons(self, whole: Pair) -> Pair:
        """Drop entities of one mention, but for those of split antecedents."""
        from corefmeter.corpus.policies import apply_singletons

        in_sets: list[set[int]] = [set(), set()]
        if self._recipe.split_antecedents:
            in_sets = [
                {number for member in sets for number in (member.entity, *member.parts)}
                for sets, _ in self._find_sets(whole)
            ]
        kept = apply_singletons(*whole, self._recipe.singletons, in_sets)
        self._singletons_dropped = (
            len(whole.key.entities) - len(kept.key.entities),
            len(whole.response.entities) - len(kept.response.entities),
        )
        return kept

    def _name_by_partner(self) -> None:
        """Give matched mentions one name; optional mentions without a partner leave the key."""
        alignments = self.alignments
        self.named = self._join([one.documents() for one in alignments])
        # In the same order, and without those that have left the key.
        read = [Pair(one.key.document, one.response.document) for one in alignments]
        self.key, self.response = self._join(read)

    def _join(self, pairs: Sequence[Pair]) -> Pair:
        """Return the pair of documents of the unit, which joins those of its parts."""
        recipe = self._recipe
        return as_one_document(pairs, recipe.shared_ids) if recipe.as_one_document else pairs[0]

    @cached_property
    def alignments(self) -> list[Alignment]:
        """Match response mentions to key mentions, in each document."""
        from corefmeter.matching.stages import align

        whole = Pair(self.key, self.response)
        parts = split_joined(whole, self._pairs) if self._recipe.as_one_document else [whole]
        alignments = []
        for pair, read in zip(parts, self._read, strict=True):
            if read.key.relations or read.response.relations:
                from corefmeter.corpus.splits import rename_in_relations

                pair = Pair(*map(rename_in_relations, pair, read))
            distinct = self._recipe.repeated == "distinct"
            alignments.append(align(*pair, self._recipe, distinct=distinct))
        return alignments

    @property
    def parts(self) -> list[tuple[DocumentId | None, Pair]]:
        """The documents with their mentions as in `named`: one by one, each with its id, if joined.

        What depends on the order of reading, as ARCS does, is counted document by document.
        """
        if not self._recipe.as_one_document:
            return [(None, self.named)]
        return [
            (pair.key.id, alignment.documents())
            for pair, alignment in zip(self._pairs, self.alignments, strict=True)
        ]

    @cached_property
    def table(self) -> Overlap:
        """The overlap table."""
        key, response = self.named
        as_read = self.key.entities, self.response.entities
        return Overlap(key.entities, response.entities, None if self._repeats else False, as_read)

    @property
    def mentions(self) -> MentionCounts:
        """Number of mentions with a partner, of the key, and of the response."""
        table = self.table
        return MentionCounts(table.matched, table.key_mentions, table.response_mentions)

    def suspicions(self) -> list[Suspicion]:
        """Return the documents with few common mentions, with the likely cause."""
        if self._recipe.as_one_document and self._recipe.matches_nearly:
            return []
        if not self._recipe.as_one_document and self.mentions.are_usual:
            return []
        from corefmeter.corpus.suspicions import count_mentions, find_suspicion

        if self._recipe.as_one_document:
            of_documents = [find_suspicion(*pair, count_mentions(*pair)) for pair in self._pairs]
        else:
            of_documents = [find_suspicion(self.key, self.response, self.mentions)]
        return [suspicion for suspicion in of_documents if suspicion is not None]

    @property
    def sets(self) -> tuple[list[SetMember], list[SetMember]]:
        """The sets of entities that are members of entities, of both sides."""
        (key, _), (response, _) = self._sets
        return key, response

    @cached_property
    def _sets(self) -> Sequence[tuple[list[SetMember], int]]:
        if not self._recipe.split_antecedents:
            return ([], 0), ([], 0)
        return self._find_sets(Pair(self.key, self.response))

    def _find_sets(self, whole: Pair) -> Sequence[tuple[list[SetMember], int]]:
        """Return for each side its sets, and how many of their entities it lacks."""
        from corefmeter.corpus.splits import find_set_members

        recipe = self._recipe
        ids = [pair.key.id for pair in self._read] if recipe.as_one_document else None
        return [
            find_set_members(side, documents, ids, recipe.shared_ids)
            for side, documents in zip(whole, zip(*self._read, strict=True), strict=True)
        ]

    @property
    def dropped(self) -> Dropped:
        """The numbers of singletons, optional mentions and set members that were left out."""
        optional = 0
        if self._recipe.match == "min":
            optional = sum(len(alignment.left) for alignment in self.alignments)
        of_key, of_response = self._singletons_dropped
        return Dropped(of_key, of_response, optional, sum(lost for _, lost in self._sets))

    def statistics(self, metric: Metric) -> Row:
        """Return the additive statistics of a metric."""
        if self._official is not None and metric.as_official:
            from corefmeter.metrics.official import OFFICIAL

            if metric.name in OFFICIAL:
                return OFFICIAL[metric.name](*self._official)
        if metric.aligned:
            # Types: metrics that say so have it.
            rows = [metric.aligned_statistics(one) for one in self.alignments]  # type: ignore[attr-defined]
            return rows[0] if len(rows) == 1 else tuple(map(sum, zip(*rows, strict=True)))
        if not metric.sets or not any(self.sets):
            return metric.statistics(self.table)
        from corefmeter.metrics.sets import with_sets

        return metric.statistics(with_sets(self.table, *self.sets, metric))

    @cached_property
    def _official(self) -> tuple[Entities, Entities] | None:
        """Return the official scorer's view if the key repeats mentions and copies count."""
        pair = self._read[0]
        if self._recipe.repeated != "official" or not pair.key.copies:
            return None
        from corefmeter.corpus.policies import apply_repeats, apply_singletons

        pair = apply_repeats(*pair, "official")
        key, response = apply_singletons(*pair, self._recipe.singletons)
        return key.entities, response.entities


def _without_copies(pair: Pair, policy: str) -> Pair:
    """Return a pair after the policy for repeated mentions, as far as it works in a document."""
    from corefmeter.corpus.policies import apply_repeats, with_first_details

    if policy == "merge":  # which follows when documents are joined
        return Pair(*map(with_first_details, pair))
    return apply_repeats(*pair, "first" if policy == "official" else policy)


def prepare(
    key: Corpus, response: Corpus, recipe: Recipe, *, strict: bool = False
) -> tuple[list[Prepared], list[Problem]]:
    """Prepare two corpora for counting; return the prepared units and the problems.

    The corpora have details if the recipe needs them. With `strict`, the first word of a document
    that differs is an error.
    """
    from corefmeter.formats import formats_of, in_key

    key, response, left_out = drop_one_sided_types(key, in_key(key, response))
    pairs, problems = pair_documents(key, response, recipe.documents)
    if response.guessed:
        _require_mentions(pairs, key, response)
    problems = [*key.problems, *response.problems, *problems, *left_out]
    if key.digests and sorted(key.digests.values()) == sorted(response.digests.values()):
        alike = "is the key" if key.path == response.path else "is byte for byte the key"
        problems.append(Problem("same-file", f"the response {alike}", "note", path=response.path))
    if recipe.align == "characters":
        problems = [problem for problem in problems if problem.code != "token-count"]
    elif key.format == response.format:
        for format in formats_of(key):
            if format.check is not None:
                format.check(pairs)
    if strict:
        from corefmeter.corpus.checks import check_words

        problems += check_words(pairs)
    prepared, of_pairs = _prepare_pairs(pairs, recipe)
    problems += of_pairs
    if recipe.matches_nearly:
        from corefmeter.matching.stages import check_alignments

        alignments = [alignment for one in prepared for alignment in one.alignments]
        problems += check_alignments(alignments, recipe, response.path)
    return prepared, problems


def prepare_pair(
    key: Document, response: Document, recipe: Recipe
) -> tuple[Prepared, list[Problem]]:
    """Prepare one pair of documents; see `prepare`."""
    (prepared,), problems = _prepare_pairs([Pair(key, response)], recipe)
    return prepared, problems


def _prepare_pairs(read: Sequence[Pair], recipe: Recipe) -> tuple[list[Prepared], list[Problem]]:
    """Prepare paired documents, as they were read; return the units and the problems."""
    if recipe.noise is not None:
        raise OptionError("noise is an option of tables: score_tables, corefmeter clusters")
    if recipe.layer == "deixis":
        read = [Pair(key.deixis, response.deixis) for key, response in read]
    characters = recipe.align == "characters"
    if characters:
        from corefmeter.corpus.align import common_positions

        pairs: Sequence[Pair] = common_positions(read)
    else:
        check_units(read)
        pairs = read
    problems: list[Problem] = []
    repeating = [bool(pair.key.copies or pair.response.copies) for pair in read]
    if any(repeating):
        from corefmeter.corpus.repeats import report_repeats

        for key, response in read:
            problems += report_repeats(key, "key", recipe.repeated)
            problems += report_repeats(response, "response", recipe.repeated)
    if characters or any(pair.key.unit == "characters" for pair in pairs):
        from corefmeter.corpus.counting import check_counting

        problems += check_counting(read, pairs)
    if characters:  # alignment may have made different mentions equal
        from corefmeter.corpus.repeats import report_merged

        problems += report_merged(pairs, read, recipe.repeated)
        repeating = [bool(pair.key.copies or pair.response.copies) for pair in pairs]
    if recipe.as_one_document:
        return [Prepared(pairs, recipe, any(repeating))], problems
    return [
        Prepared([pair], recipe, repeats) for pair, repeats in zip(pairs, repeating, strict=True)
    ], problems


def _require_mentions(pairs: Sequence[Pair], key: Corpus, response: Corpus) -> None:
    """Refuse a response whose format was guessed, if no mention of it can be used."""
    if any(pair.response.entities for pair in pairs) or not any(p.key.entities for p in pairs):
        return
    files = [key, response] if key.path is not None else [response]
    options = ",".join(dict.fromkeys(corpus.format for corpus in files))
    reason = f"no mention can be used; read as {response.format}, which is not certain"
    hint = (
        f"If the format is right, use --from {options}; the file then counts as a response "
        "without mentions."
    )
    raise DataError(Problem("no-coreference", reason, "error", path=response.path, hint=hint))
