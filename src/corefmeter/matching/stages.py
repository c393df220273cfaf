"""Matching in stages: zeros by dependency, exact, then what almost matches; one to one.

1. With zeros by `dependency`: zeros of one sentence that share a parent (`zeros`).
2. Mentions of the same nodes; for head matching also with the same head (`exact`).
3. Of the rest, the pairs that the way of matching allows (`head`, `partial`, `overlap`,
   `minspan`, `min`), so that their total weight is greatest.
4. With `min`, optional key mentions without a partner leave the key.

Where several assignments have the greatest weight, the first is taken: both sides are sorted by
start, end and size, and the list of pairs is to be the smallest (`assignment`). So the same input
gives the same alignment everywhere.

A mention is itself, not its position: two mentions of a side may have one position. Mentions are
numbered in the order of reading, entity by entity.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from corefmeter.corpus.model import Document, Entities
from corefmeter.corpus.pairing import Pair
from corefmeter.corpus.repeats import apply_repeats, has_repeats, once_in_each
from corefmeter.matching.assignment import Edge, first_best
from corefmeter.matching.exact import pairs
from corefmeter.matching.sides import Side
from corefmeter.problems import DataError, Problem

if TYPE_CHECKING:
    from corefmeter.recipe import Recipe

__all__ = ["Alignment", "Match", "align", "align_pairs"]


class Match(NamedTuple):
    """A key mention and the response mention it is matched with.

    Attributes
    ----------
    key, response : int
        The mentions, numbered in the order of reading.
    stage : str
        What brought them together: ``zeros``, ``exact``, or the way of matching.
    weight : float
        How good the pair is, on the scale of its stage: 1 for exact; up to 11 for zeros.
    """

    key: int
    response: int
    stage: str
    weight: float


class Alignment:
    """Which response mention is which key mention, in one document.

    Attributes
    ----------
    key, response : Side
        The mentions that were matched; those that a policy of the recipe dropped are gone.
    matches : list of Match
        Sorted by key mention.
    key_partner, response_partner : list of int or None
        For each mention of a side the number of its partner.
    """

    __slots__ = ("key", "key_partner", "matches", "response", "response_partner")

    def __init__(self, key: Side, response: Side) -> None:
        self.key = key
        self.response = response
        self.matches: list[Match] = []
        self.key_partner: list[int | None] = [None] * len(key)
        self.response_partner: list[int | None] = [None] * len(response)

    def __repr__(self) -> str:
        label = self.key.document.label
        return (
            f"<Alignment of {label!r}: {len(self.matches)} matches of {len(self.key)} key and "
            f"{len(self.response)} response mentions>"
        )

    def key_free(self) -> list[int]:
        """The key mentions without a partner."""
        return [k for k, partner in enumerate(self.key_partner) if partner is None]

    def response_free(self) -> list[int]:
        """The response mentions without a partner."""
        return [r for r, partner in enumerate(self.response_partner) if partner is None]

    def documents(self) -> tuple[Document, Document]:
        """Both documents with numbers for mentions, so that partners are equal and others are not.

        A key mention is its own number; a response mention that of its partner; one without a
        partner is a negative number.
        """
        partners = self.response_partner
        key = self.key.entities(int)
        response = self.response.entities(
            lambda r: partner if (partner := partners[r]) is not None else -1 - r
        )
        return _with(self.key.document, key), _with(self.response.document, response)

    def add(self, key: int, response: int, stage: str, weight: float) -> None:
        """Match two mentions that are free."""
        self.matches.append(Match(key, response, stage, weight))
        self.key_partner[key] = response
        self.response_partner[response] = key

    def add_best(self, edges: Sequence[Edge], stage: str) -> None:
        """Match by the first of the assignments of greatest weight."""
        key = self.key.ranked([*{edge.key for edge in edges}])
        response = self.response.ranked([*{edge.response for edge in edges}])
        key_rank = {k: rank for rank, k in enumerate(key)}
        response_rank = {r: rank for rank, r in enumerate(response)}
        ranked = [
            edge._replace(key=key_rank[edge.key], response=response_rank[edge.response])
            for edge in edges
            if edge.numerator > 0
        ]
        for k, r, numerator, denominator in first_best(ranked):
            self.add(key[k], response[r], stage, numerator / denominator)


def align(key: Document, response: Document, recipe: Recipe) -> Alignment:
    """Match the mentions of two documents.

    Parameters
    ----------
    key, response
        Documents of the same text. Head and partial matching, minimum spans and zeros by
        dependency need documents that were read with details.
    recipe
        `match`, `zeros` and `overlap_threshold` say how; `repeated` and `singletons` are applied
        before.

    Raises
    ------
    DataError
        ``no-details``, ``no-heads``, ``no-parse``: the documents lack what the matching needs.
        ``no-positions``: mentions are not made of positions.

    Examples
    --------
    >>> from corefmeter import Recipe
    >>> key = Document("x", [[(0, 3), (5, 6)]])
    >>> alignment = align(key, Document("x", [[(1, 3), (5, 6)]]), Recipe(match="overlap"))
    >>> alignment.matches
    [Match(key=0, response=0, stage='overlap', weight=0.8), Match(key=1, response=1, \
stage='exact', weight=1.0)]
    """
    key, response = _after_policies(key, response, recipe)
    alignment = Alignment(Side(key), Side(response))
    if recipe.needs_alignment:
        _check_positions(alignment)
    if recipe.zeros == "dependency":
        from corefmeter.matching import zeros

        alignment.add_best(zeros.candidates(alignment.key, alignment.response), "zeros")
    _match_exactly(alignment, with_heads=recipe.match == "head")
    if recipe.match != "exact":
        key_free, response_free = alignment.key_free(), alignment.response_free()
        if key_free and response_free:
            edges = _candidates(recipe)(alignment.key, alignment.response, key_free, response_free)
            alignment.add_best(edges, recipe.match)
    alignment.matches.sort()
    if recipe.match == "min":
        from corefmeter.matching.min import check_texts, without_optional

        check_texts(key, response)
        return without_optional(alignment)
    return alignment


def align_pairs(pairs: Sequence[Pair], recipe: Recipe) -> tuple[list[Alignment], list[Problem]]:
    """Match the mentions of all pairs of documents; see `align`.

    Returns
    -------
    alignments, warnings
    """
    alignments = [align(pair.key, pair.response, recipe) for pair in pairs]
    problems: list[Problem] = []
    if recipe.match == "head":
        from corefmeter.matching.head import default_heads

        path = next((pair.response.path for pair in pairs if pair.response.path), None)
        sides = [(alignment.key, alignment.response) for alignment in alignments]
        problems = default_heads(sides, path)
    return alignments, problems


def _candidates(recipe: Recipe) -> Callable[[Side, Side, list[int], list[int]], list[Edge]]:
    """What finds the pairs of the last stage; only that module is imported."""
    if recipe.match == "overlap":
        from corefmeter.matching import overlap

        return partial(overlap.candidates, threshold=recipe.overlap_threshold)
    find: Callable[[Side, Side, list[int], list[int]], list[Edge]]
    find = import_module(f"corefmeter.matching.{recipe.match}").candidates
    return find


def _match_exactly(alignment: Alignment, with_heads: bool) -> None:
    """The exact stage."""
    key, response = alignment.key, alignment.response
    key_values: Sequence[Any] = key.positions
    response_values: Sequence[Any] = response.positions
    if with_heads:
        key_values = list(zip(key.positions, key.known_heads(), strict=True))
        response_values = list(zip(response.positions, response.known_heads(), strict=True))
    for k, r in pairs(key_values, response_values, alignment.key_free(), alignment.response_free()):
        alignment.add(k, r, "exact", 1.0)


def _check_positions(alignment: Alignment) -> None:
    """Refuse mentions that are no positions.

    Raises
    ------
    DataError
        ``no-positions``
    """
    from corefmeter.matching.nodes import position_key

    for side in (alignment.key, alignment.response):
        document = side.document
        wrong = None
        if document.unit == "names":
            wrong = side.positions[0] if side.positions else None
        else:
            for position in side.positions:
                if not isinstance(position, tuple) or not position:
                    wrong = position
                    break
        if wrong is None and side.positions:
            try:
                position_key(side.positions[0])
            except (TypeError, IndexError):
                wrong = side.positions[0]
        if wrong is not None:
            raise DataError(
                Problem(
                    "no-positions",
                    f"the mention {wrong!r} of document {document.label!r} is no position in a "
                    "text, so it can only be matched exactly",
                    "error",
                    path=document.path,
                    hint="Write mentions as half-open spans (start, end), or use --match exact.",
                )
            )


# Policies that come before matching


def _after_policies(key: Document, response: Document, recipe: Recipe) -> tuple[Document, Document]:
    """Both documents after the policies for repeated mentions and singletons."""
    if has_repeats(key.entities) or has_repeats(response.entities):
        if recipe.repeated == "distinct":
            in_key, in_response = once_in_each(key.entities), once_in_each(response.entities)
        else:
            in_key, in_response = apply_repeats(key.entities, response.entities, recipe.repeated)
        key, response = _restricted(key, in_key), _restricted(response, in_response)
    if recipe.singletons in ("drop", "drop-key"):
        key = _without_singletons(key)
    if recipe.singletons in ("drop", "drop-response"):
        response = _without_singletons(response)
    return key, response


def _restricted(document: Document, entities: Entities) -> Document:
    """A document with the entities that a policy has left of it, in their order.

    Of copies of a mention the first ones are left, so the n-th copy that is left was the n-th.
    """
    waiting: dict[Any, deque[tuple[str, Any]]] = {}
    for index, entity in enumerate(document.entities):
        for place, mention in enumerate(entity):
            detail = document.details[index][place] if document.details is not None else None
            waiting.setdefault(mention, deque()).append((document.entity_names[index], detail))
    names = []
    details = []
    for entity in entities:
        known = [waiting[mention].popleft() for mention in entity]
        names.append(known[0][0])
        details.append([detail for _, detail in known])
    return _with(document, entities, names, details if document.details is not None else None)


def _without_singletons(document: Document) -> Document:
    kept = [index for index, entity in enumerate(document.entities) if len(entity) > 1]
    return _with(
        document,
        [document.entities[index] for index in kept],
        [document.entity_names[index] for index in kept],
        [document.details[index] for index in kept] if document.details is not None else None,
    )


def _with(
    document: Document, entities: Entities, names: list[str] | None = None, details: Any = None
) -> Document:
    """A document with other entities."""
    return Document(
        document.name,
        entities,
        part=document.part,
        entity_names=names if names is not None else document.entity_names,
        tokens=document.tokens,
        path=document.path,
        line=document.line,
        breaks=document.breaks,
        details=details,
        text=document.text,
        attributes=document.attributes,
        unit=document.unit,
        numbered=document.numbered,
    )
