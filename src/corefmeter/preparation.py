"""From two corpora to what is counted: the one way, which every command and call takes.

1. Documents of both sides are *paired* (`corpus.pairing`), and their *layer* chosen.
2. Their *texts* are aligned: marked text to the words of the key, other tokens to common positions.
3. Documents that are scored as one are *joined*.
4. The *policies* for mentions are applied: repeated ones, then singletons. Copies are found within
   a document; only ``merge`` works on the joined entities.
5. Mentions are *matched*, document by document.

The result is a `Prepared` for each unit that is scored. A number depends on it and on the options
of the metric, on nothing else.
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
from corefmeter.corpus.repeats import fallen_together, has_repeats, report_repeats
from corefmeter.corpus.suspicions import Suspicion, common, suspicion
from corefmeter.metrics import Metric, Overlap
from corefmeter.metrics.base import Row
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.recipe import Recipe

if TYPE_CHECKING:
    from corefmeter.corpus.splits import SetMember
    from corefmeter.matching.alignment import Alignment

#: What pairs documents: name and part.
DocumentId: TypeAlias = tuple[str, int]


class Prepared:
    """The entities of one unit to count: a document, or all documents scored as one.

    `key` and `response` are the documents after the policies; in joined documents a mention is
    ``(id of its document, mention)``. In `entities`, those of both sides, a mention is equal to
    its partner and to no other.
    """

    def __init__(self, pairs: Sequence[Pair], recipe: Recipe, repeats: bool) -> None:
        self._recipe, self._repeats, self._read = recipe, repeats, pairs
        self._pairs = self._without_copies(pairs) if repeats else pairs
        joined = recipe.as_one_document
        whole = as_one_document(self._pairs, recipe.shared_ids) if joined else self._pairs[0]
        if repeats and recipe.repeated == "merge":
            from corefmeter.corpus.policies import apply_repeats

            whole = Pair(*apply_repeats(*whole, "merge"))
        #: Number of singletons dropped from the key and from the response.
        self.singletons_dropped = 0, 0
        if recipe.singletons != "keep":
            before = whole
            whole = self._without_singletons(whole)
            of_key, of_response = (
                len(old.entities) - len(new.entities)
                for old, new in zip(before, whole, strict=True)
            )
            self.singletons_dropped = of_key, of_response
        self.key, self.response = whole
        self.entities = (self.key.entities, self.response.entities)
        if recipe.matches_nearly or (repeats and recipe.repeated == "distinct"):
            self._name_by_partner()

    def _without_copies(self, pairs: Sequence[Pair]) -> list[Pair]:
        from corefmeter.corpus.policies import apply_repeats, with_first_details

        policy = self._recipe.repeated
        if policy == "merge":  # which follows when documents are joined
            return [Pair(*map(with_first_details, pair)) for pair in pairs]
        policy = "first" if policy == "official" else policy
        return [Pair(*apply_repeats(*pair, policy)) for pair in pairs]

    def _without_singletons(self, whole: Pair) -> Pair:
        """Drop entities of one mention, but for those of split antecedents."""
        from corefmeter.corpus.policies import apply_singletons

        of_key, of_response = (
            {number for member in sets for number in (member.entity, *member.parts)}
            for sets, _ in self._sets(whole)
        )
        return Pair(*apply_singletons(*whole, self._recipe.singletons, (of_key, of_response)))

    @cached_property
    def alignments(self) -> list[Alignment]:
        """Match response mentions to key mentions, in each document."""
        return [alignment for alignment, _, _ in self._matched]

    @cached_property
    def _matched(self) -> list[tuple[Alignment, Places, Places]]:
        """The alignment of each document, and the places of its mentions in the unit."""
        from corefmeter.matching.stages import align

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
        """Rename mentions by `Alignment.names`; optional ones without a partner leave the key."""
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
            from corefmeter.corpus.policies import selected

            places_left = [
                [(home, at) for at, name in enumerate(entity) if name is not None]
                for home, entity in enumerate(names[0])
            ]
            self.key = selected(self.key, places_left)
            stay_in = [[name for name in entity if name is not None] for entity in names[0]]
            names = [entity for entity in stay_in if entity], names[1]
        self.entities = names

    @property
    def parts(self) -> list[tuple[DocumentId | None, Pair]]:
        """The documents with the mentions of `entities`; joined ones one by one, with their ids."""
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
        """The sets of entities that are members of entities, of the key and of the response."""
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
        """Return the sets of each side, and how many entities that they name are missing."""
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
        if self.entities[0] is self.key.entities:
            return Pair(self.key, self.response)
        key, response = (
            document.replace(
                entities=entities, entity_names=document.entity_names, details=document.details
            )
            for document, entities in zip((self.key, self.response), self.entities, strict=True)
        )
        return Pair(key, response)

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
        (key, response), *_ = self._read
        if self._recipe.repeated != "official" or not has_repeats(key.entities):
            return None
        from corefmeter.corpus.policies import apply_repeats, apply_singletons

        key, response = apply_repeats(key, response, "official")
        key, response = apply_singletons(key, response, self._recipe.singletons)
        return key.entities, response.entities


def _layers(pairs: list[Pair], recipe: Recipe) -> list[Pair]:
    """Return the documents with the entities that are scored."""
    if recipe.layer == "identity":
        return pairs
    return [Pair(key.deixis, response.deixis) for key, response in pairs]


def _places(document: Document) -> Places:
    return [(home, at) for home, e in enumerate(document.entities) for at in range(len(e))]


def prepare(
    key: Corpus, response: Corpus, recipe: Recipe, *, strict: bool = False
) -> tuple[list[Prepared], list[Problem]]:
    """Prepare two corpora for counting; return the prepared units and the problems.

    The corpora have details if the recipe needs them. With `strict`, the first word of a document
    that differs is an error.
    """
    from corefmeter.formats import formats_of, in_key

    key, response, left_out = by_place(key, in_key(key, response))
    pairs, problems = pair_documents(key, response, recipe.documents)
    problems += left_out
    if response.guessed:
        _require_mentions(pairs, key, response)
    pairs = _layers(pairs, recipe)
    problems = [*key.problems, *response.problems, *problems]
    if key.digests and sorted(key.digests.values()) == sorted(response.digests.values()):
        alike = "is the key" if key.path == response.path else "is byte for byte the key"
        problems.append(Problem("same-file", f"the response {alike}", "note", path=response.path))
    if key.format == response.format and recipe.align == "tokens":
        for format in formats_of(key):
            if format.check is not None:
                format.check(pairs)
    if strict:
        from corefmeter.corpus.words import check_words

        problems += check_words(pairs)
    if recipe.align == "characters":
        problems = [problem for problem in problems if problem.code != "token-count"]
    else:
        check_units(pairs)
    prepared, noticed_in_pairs = _prepare_pairs(pairs, recipe)
    problems += noticed_in_pairs
    if recipe.matches_nearly:
        from corefmeter.matching.stages import noticed

        alignments = [alignment for one in prepared for alignment in one.alignments]
        problems += noticed(alignments, recipe, response.path)
    return prepared, problems


def prepare_pair(
    key: Document, response: Document, recipe: Recipe
) -> tuple[Prepared, list[Problem]]:
    """Prepare one pair of documents."""
    (prepared,), problems = _prepare_pairs(_layers([Pair(key, response)], recipe), recipe)
    return prepared, problems


def _prepare_pairs(read: Sequence[Pair], recipe: Recipe) -> tuple[list[Prepared], list[Problem]]:
    """Prepare paired documents, which are as they were read."""
    if recipe.noise is not None:
        raise OptionError("noise is an option of tables: score_tables, corefmeter clusters")
    pairs = read
    if recipe.align == "characters":
        from corefmeter.corpus.align import common_positions

        pairs = common_positions(read)
    repeating = [any(has_repeats(side.entities) for side in pair) for pair in read]
    problems: list[Problem] = []
    for pair, repeats in zip(read, repeating, strict=True):
        if repeats:
            for document, side in zip(pair, ("key", "response"), strict=True):
                problems += report_repeats(document, side, recipe.repeated)
    if recipe.align == "characters" or any(pair.key.unit == "characters" for pair in pairs):
        from corefmeter.corpus.counting import check_counting

        problems += check_counting(read, pairs)
    if recipe.align == "characters":  # other tokens may become one
        problems += fallen_together(pairs, read, recipe.repeated)
        repeating = [any(has_repeats(side.entities) for side in pair) for pair in pairs]
    if recipe.as_one_document:
        return [Prepared(pairs, recipe, any(repeating))], problems
    units = zip(pairs, repeating, strict=True)
    return [Prepared([pair], recipe, repeats) for pair, repeats in units], problems


def _require_mentions(pairs: Sequence[Pair], key: Corpus, response: Corpus) -> None:
    """Refuse a response of a format that is not certain, if none of its mentions can be used."""
    if any(pair.response.entities for pair in pairs) or not any(p.key.entities for p in pairs):
        return
    files = [key, response] if key.path is not None else [response]
    options = ",".join(dict.fromkeys(corpus.format for corpus in files))
    reason = f"no mention can be used; read as {response.format}, which is not certain"
    hint = (
        f"If the format is right, say --from {options}: it then counts as an answer without "
        "mentions."
    )
    raise DataError(Problem("no-coreference", reason, "error", path=response.path, hint=hint))
