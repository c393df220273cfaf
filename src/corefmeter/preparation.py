"""From two corpora to what is counted: the one way, which every command and call takes.

The order of steps, written here only:

1. Documents of both sides are *paired* (`corpus.pairing`), and their *layer* chosen.
2. Their *texts* are brought together: marked text to the words of the key, other tokens to common
   positions.
3. Documents that are scored as one are *joined*, so that the entities of the following steps are
   those of the whole.
4. The *policies* for mentions: repeated ones, then singletons. What is a copy is judged within a
   document; only ``merge`` works on the joined entities.
5. Mentions are *matched*, document by document.

The result is a `Prepared` for each unit that is scored: the numbers of a metric depend on it and on
the options of the metric, on nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from corefmeter.corpus.model import Corpus, Document, Entities
from corefmeter.corpus.pairing import (
    Pair,
    Places,
    as_one_document,
    by_place,
    check_units,
    pair_documents,
    parts_of,
)
from corefmeter.corpus.policies import apply_repeats, apply_singletons, selected, with_first_details
from corefmeter.corpus.repeats import fallen_together, has_repeats, report_repeats
from corefmeter.corpus.suspicions import Suspicion, common, suspicion
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.stages import align, noticed
from corefmeter.metrics import Metric, Overlap
from corefmeter.metrics.base import Row
from corefmeter.metrics.official import OFFICIAL
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import Recipe

if TYPE_CHECKING:
    from corefmeter.corpus.splits import SetMember

#: What pairs documents: name and part.
DocumentId: TypeAlias = tuple[str, int]


class Prepared:
    """The entities of one unit to count: a document, or all documents scored as one.

    Attributes
    ----------
    key, response : Document
        The documents after the policies, with their mentions as they were read. Of joined documents
        a mention is ``(id of its document, mention)``.
    entities : pair of lists
        The entities of both sides, such that a mention is equal to its partner and to no other.
    """

    def __init__(self, pairs: Sequence[Pair], recipe: Recipe, repeats: bool) -> None:
        self._recipe = recipe
        self._repeats = repeats
        self._read = pairs
        policy = recipe.repeated
        if repeats and policy == "merge":
            pairs = [Pair(*map(with_first_details, pair)) for pair in pairs]
        elif repeats:
            found = "first" if policy == "official" else policy
            pairs = [Pair(*apply_repeats(*pair, found)) for pair in pairs]
        self._pairs = pairs
        whole = as_one_document(pairs, recipe.shared_ids) if recipe.as_one_document else pairs[0]
        if repeats and policy == "merge":
            whole = Pair(*apply_repeats(*whole, policy))
        before = [len(document.entities) for document in whole]
        if recipe.singletons != "keep":
            (of_key, _), (of_response, _) = self._sets(whole)
            stay = _in_sets(of_key), _in_sets(of_response)
            whole = Pair(*apply_singletons(*whole, recipe.singletons, stay))
        after = [len(document.entities) for document in whole]
        #: How many singletons of the key and of the response were dropped.
        self.singletons_dropped = (before[0] - after[0], before[1] - after[1])
        self.key, self.response = whole
        #: Mentions that are equal are the same, and no others.
        by_equality = not recipe.matches_nearly and not (repeats and policy == "distinct")
        self.entities = (self.key.entities, self.response.entities)
        if not by_equality:
            self._name_by_partner()

    @cached_property
    def alignments(self) -> list[Alignment]:
        """Match response mentions to key mentions, in each document."""
        return [alignment for alignment, _, _ in self._matched]

    @cached_property
    def _matched(self) -> list[tuple[Alignment, Places, Places]]:
        """The alignment of each document, and the places of its mentions in the unit."""
        distinct = self._recipe.repeated == "distinct"
        if self._recipe.as_one_document:
            keys, responses = (
                parts_of(whole, self._pairs, side)
                for side, whole in enumerate((self.key, self.response))
            )
        else:
            keys, responses = ([(d, _places(d))] for d in (self.key, self.response))
        found = []
        for sides, read in zip(zip(keys, responses, strict=True), self._read, strict=True):
            (key, of_key), (response, of_response) = sides
            if read.key.relations or read.response.relations:
                from corefmeter.corpus.splits import with_names_left

                key = with_names_left(key, read.key)
                response = with_names_left(response, read.response)
            alignment = align(key, response, self._recipe, distinct=distinct)
            found.append((alignment, of_key, of_response))
        return found

    def _name_by_partner(self) -> None:
        """Rename mentions by `Alignment.names` where equality does not decide the match.

        Optional mentions without a partner leave the key.
        """
        names: tuple[Entities, Entities] = (
            [[None] * len(entity) for entity in self.key.entities],
            [[None] * len(entity) for entity in self.response.entities],
        )
        for alignment, of_key, of_response in self._matched:
            key, response = alignment.names()
            stay = [place for n, place in enumerate(of_key) if n not in alignment.left]
            for side, places, found in ((0, stay, key), (1, of_response, response)):
                document = (self.key, self.response)[side]
                for (home, at), name in zip(places, found, strict=True):
                    if self._recipe.as_one_document:
                        # Types: mentions of joined documents are pairs.
                        name = document.entities[home][at][0], name  # type: ignore[index]
                    names[side][home][at] = name
        if any(alignment.left for alignment, _, _ in self._matched):
            self.key = selected(
                self.key,
                [
                    [(home, at) for at, name in enumerate(entity) if name is not None]
                    for home, entity in enumerate(names[0])
                ],
            )
            stay_in = [[name for name in entity if name is not None] for entity in names[0]]
            names = [entity for entity in stay_in if entity], names[1]
        self.entities = names

    @property
    def parts(self) -> list[tuple[DocumentId | None, Pair]]:
        """The documents with the names of `entities`: one by one, each with its id, if joined.

        What depends on the order of reading, as ARCS does, is counted document by document.
        """
        if not self._recipe.as_one_document:
            return [(None, self.named)]
        return [
            (pair.key.id, Pair(*alignment.documents()))
            for pair, alignment in zip(self._pairs, self.alignments, strict=True)
        ]

    @cached_property
    def table(self) -> Overlap:
        """The overlap table."""
        as_read = self.key.entities, self.response.entities
        return Overlap(*self.entities, None if self._repeats else False, as_read)

    def suspicions(self) -> list[Suspicion]:
        """Return the documents with few common mentions, with the likely cause."""
        if not self._recipe.as_one_document:
            table = self.table
            mentions = table.matched, table.key_mentions, table.response_mentions
            found = [suspicion(self.key, self.response, mentions)]
        elif self._recipe.matches_nearly:
            found = []
        else:
            found = [suspicion(*pair, common(*pair)) for pair in self._pairs]
        return [one for one in found if one is not None]

    @property
    def sets(self) -> tuple[list[SetMember], list[SetMember]]:
        """The sets of entities that are members of entities, of both sides."""
        (key, _), (response, _) = self._sets_left
        return key, response

    @property
    def sets_left_out(self) -> int:
        """Count entities that sets name but the documents lack."""
        return sum(lost for _, lost in self._sets_left)

    @cached_property
    def _sets_left(self) -> Sequence[tuple[list[SetMember], int]]:
        return self._sets(Pair(self.key, self.response))

    def _sets(self, whole: Pair) -> Sequence[tuple[list[SetMember], int]]:
        recipe = self._recipe
        if not recipe.split_antecedents:
            return ([], 0), ([], 0)
        from corefmeter.corpus.splits import set_members

        ids = [pair.key.id for pair in self._read] if recipe.as_one_document else None
        return [
            set_members(side, documents, ids, recipe.shared_ids)
            for side, documents in zip(whole, zip(*self._read, strict=True), strict=True)
        ]

    @property
    def optional_left_out(self) -> int:
        """Count optional key mentions left out because they have no partner."""
        if self._recipe.match != "min":
            return 0
        return sum(len(alignment.left) for alignment in self.alignments)

    @property
    def named(self) -> Pair:
        """Both documents with the mentions of `entities`."""
        pairs = zip((self.key, self.response), self.entities, strict=True)
        return Pair(
            *(
                document
                if document.entities is entities
                else document.replace(
                    entities=entities, entity_names=document.entity_names, details=document.details
                )
                for document, entities in pairs
            )
        )

    def statistics(self, metric: Metric) -> Row:
        """Return the additive statistics of a metric."""
        if self._official is not None and metric.name in OFFICIAL and metric.as_official:
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
        (key, response), *_ = self._read
        if self._recipe.repeated != "official" or not has_repeats(key.entities):
            return None
        key, response = apply_repeats(key, response, "official")
        key, response = apply_singletons(key, response, self._recipe.singletons)
        return key.entities, response.entities


def _layers(pairs: list[Pair], recipe: Recipe) -> list[Pair]:
    """Return the documents with the entities that are scored."""
    if recipe.layer == "identity":
        return pairs
    return [Pair(key.deixis, response.deixis) for key, response in pairs]


def _in_sets(sets: Sequence[SetMember]) -> set[int]:
    """Return entities that consist of others, or that others consist of."""
    return {number for member in sets for number in (member.entity, *member.parts)}


def _places(document: Document) -> Places:
    return [(home, at) for home, e in enumerate(document.entities) for at in range(len(e))]


def prepare(
    key: Corpus, response: Corpus, recipe: Recipe, *, strict: bool = False
) -> tuple[list[Prepared], list[Problem]]:
    """Prepare two corpora for counting; return the prepared units and the problems.

    Parameters
    ----------
    key, response
        Corpora that were read with ``details=True`` if the recipe needs them, or `strict` is asked
        for.
    recipe
        How to score.
    strict
        Also compare the words; the first difference of a document is an error.

    Raises
    ------
    DataError
        When documents cannot be paired, their texts differ, or their mentions cannot be matched.

    Examples
    --------
    >>> from corefmeter.corpus.convert import as_corpus
    >>> key, response = as_corpus([[(0, 3), (5, 6)]]), as_corpus([[(1, 3), (5, 6)]])
    >>> (prepared,), _ = prepare(key, response, Recipe(match="overlap"))
    >>> prepared.table.matched, prepared.named.response.entities
    (2, [[(0, 3), (5, 6)]])
    """
    from corefmeter.formats import formats_of, in_key

    key, response, left_out = by_place(key, in_key(key, response))
    pairs, problems = pair_documents(key, response, recipe.documents)
    problems += left_out
    if response.guessed:
        _require_mentions(pairs, key, response)
    pairs = _layers(pairs, recipe)
    problems = [*key.problems, *response.problems, *problems, *_one_file(key, response)]
    if key.format == response.format and recipe.align == "tokens":
        for format in formats_of(key):
            if format.check is not None:
                format.check(pairs)
    if strict:
        from corefmeter.corpus.words import check_words

        problems += check_words(pairs)
    read = pairs
    if recipe.align == "characters":
        from corefmeter.corpus.align import common_positions

        pairs = common_positions(pairs)
        problems = [problem for problem in problems if problem.code != "token-count"]
    else:
        check_units(pairs)
    prepared, repeated = prepare_pairs(pairs, recipe, read)
    problems += repeated
    if recipe.matches_nearly:
        alignments = [alignment for one in prepared for alignment in one.alignments]
        problems += noticed(alignments, recipe, response.path)
    return prepared, problems


def prepare_pairs(
    pairs: Sequence[Pair], recipe: Recipe, read: Sequence[Pair]
) -> tuple[list[Prepared], list[Problem]]:
    """Prepare paired documents that have one text.

    `read` are the documents as they were read, for the places of mentions.
    """
    if recipe.noise is not None:
        raise OptionError("noise is an option of tables: score_tables, corefmeter clusters")
    problems: list[Problem] = []
    repeating = []
    for pair in read:
        repeated = _repeats(pair, recipe)
        repeating.append(bool(repeated))
        problems += repeated
    if recipe.align == "characters" or any(pair.key.unit == "characters" for pair in pairs):
        from corefmeter.corpus.counting import check_counting

        problems += check_counting(read, pairs)
    if recipe.align == "characters":  # other tokens may become one
        problems += fallen_together(pairs, read, recipe.repeated)
        repeating = [any(has_repeats(side.entities) for side in pair) for pair in pairs]
    if recipe.as_one_document:
        return [Prepared(pairs, recipe, any(repeating))], problems
    return [
        Prepared([pair], recipe, repeats) for pair, repeats in zip(pairs, repeating, strict=True)
    ], problems


def prepare_pair(
    key: Document, response: Document, recipe: Recipe
) -> tuple[Prepared, list[Problem]]:
    """Prepare one pair of documents; see `prepare_pairs`."""
    read = _layers([Pair(key, response)], recipe)
    pairs = read
    if recipe.align == "characters":
        from corefmeter.corpus.align import common_positions

        pairs = common_positions(read)
    (prepared,), problems = prepare_pairs(pairs, recipe, read)
    return prepared, problems


def _require_mentions(pairs: Sequence[Pair], key: Corpus, response: Corpus) -> None:
    """Refuse a response of a format that is not certain, if none of its mentions can be used.

    Raises
    ------
    DataError
        ``no-coreference``, unless the key has no mention either.
    """
    if any(pair.response.entities for pair in pairs) or not any(p.key.entities for p in pairs):
        return
    files = [key, response] if key.path is not None else [response]
    options = ",".join(dict.fromkeys(corpus.format for corpus in files))
    raise DataError(
        Problem(
            "no-coreference",
            f"no mention can be used; read as {response.format}, which is not certain",
            "error",
            path=response.path,
            hint=f"If the format is right, say --from {options}: it then counts as an answer "
            "without mentions.",
        )
    )


def _one_file(key: Corpus, response: Corpus) -> list[Problem]:
    """Return a note where a key is scored against itself, which is seldom meant."""
    if not key.digests or sorted(key.digests.values()) != sorted(response.digests.values()):
        return []
    alike = "is the key" if key.path == response.path else "is byte for byte the key"
    return [Problem("same-file", f"the response {alike}", "note", path=response.path)]


def _repeats(pair: Pair, recipe: Recipe) -> list[Problem]:
    """Return a problem for each repeated mention."""
    return [
        problem
        for document, side in ((pair.key, "key"), (pair.response, "response"))
        if has_repeats(document.entities)
        for problem in report_repeats(document, side, recipe.repeated)
    ]
