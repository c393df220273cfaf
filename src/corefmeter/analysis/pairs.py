"""Documents ready for analysis: after all policies, partners equal, everything else distinct.

Scoring may match mentions that are not equal (by head, by overlap, …) or keep two mentions with one
span apart. Analysis compares mentions by equality. So here a response mention that is matched gets
the name of its key mention, and a mention whose name is taken by another one gets ``(mention, n)``,
n counting from 2, which has no place in the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from corefmeter.corpus.model import Document, Entities, Mention
from corefmeter.corpus.pairing import Pair, as_one_document
from corefmeter.corpus.repeats import apply_repeats
from corefmeter.matching.policies import after_policies
from corefmeter.matching.stages import align_pairs
from corefmeter.problems import Problem
from corefmeter.recipe import Recipe

__all__ = ["comparable"]


def comparable(pairs: Sequence[Pair], recipe: Recipe) -> tuple[list[Pair], list[Problem]]:
    """The documents after the policies of the recipe, and what was noticed in matching.

    The policy ``official`` for repeated mentions counts as ``first`` here, which differs only where
    the key itself repeats mentions.

    Examples
    --------
    >>> from corefmeter import Document
    >>> pair = Pair(Document("x", [[(0, 3), (5, 6)]]), Document("x", [[(1, 3), (5, 6)]]))
    >>> ((key, response),), _ = comparable([pair], Recipe(match="overlap"))
    >>> response.entities
    [[(0, 3), (5, 6)]]
    """
    if recipe.repeated == "official":
        recipe = recipe.but(repeated="first")
    problems: list[Problem] = []
    if recipe.needs_alignment:
        alignments, problems = align_pairs(pairs, recipe)
        found = []
        for alignment in alignments:
            key = _named(alignment.key.positions)
            taken = {mention: number for number, mention in enumerate(key)}
            partners = alignment.response_partner
            names: list[Mention | None] = [None if k is None else key[k] for k in partners]
            names = list(_named(alignment.response.positions, names, taken))
            found.append(
                Pair(
                    _holding(alignment.key.document, alignment.key.entities(key.__getitem__)),
                    _holding(
                        alignment.response.document, alignment.response.entities(names.__getitem__)
                    ),
                )
            )
    elif recipe.as_one_document:
        # As in scoring: the policies see entities that are joined across documents.
        return [_distinct(as_one_document(list(pairs), recipe.shared_ids), recipe)], problems
    else:
        found = [_distinct(pair, recipe) for pair in pairs]
    if recipe.as_one_document:
        found = [as_one_document(found, recipe.shared_ids)]
    return found, problems


def _holding(document: Document, entities: Entities) -> Document:
    """The document with other names of its mentions."""
    return document.but(
        entities=entities, entity_names=document.entity_names, details=document.details
    )


def _distinct(pair: Pair, recipe: Recipe) -> Pair:
    """Both documents after the policies, for exact matching."""
    if recipe.repeated != "distinct":
        return Pair(*after_policies(pair.key, pair.response, recipe))
    key, response = after_policies(pair.key, pair.response, recipe.but(singletons="keep"))
    numbered = apply_repeats(key.entities, response.entities, "distinct")
    key = _holding(key, numbered[0])
    response = _holding(response, numbered[1])
    return Pair(*after_policies(key, response, recipe.but(repeated="first")))


def _named(
    positions: Sequence[Mention],
    names: Sequence[Mention | None] = (),
    taken: dict[Mention, int] | None = None,
) -> list[Mention]:
    """A name of its own for each mention: that which it has, else its position if that is free."""
    taken = dict(taken or {})
    found: list[Mention] = []
    for number, position in enumerate(positions):
        name = names[number] if names else None
        if name is None:
            name, copy = position, 1
            while name in taken:
                copy += 1
                name = (position, copy)
            taken[name] = number
        found.append(name)
    return found
