"""The policies that come before matching: repeated mentions and singletons, with their details."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar

from corefmeter.corpus.model import Document, Entities
from corefmeter.corpus.repeats import apply_repeats, has_repeats

if TYPE_CHECKING:
    from corefmeter.recipe import Recipe

__all__ = ["after_policies"]

Item = TypeVar("Item")


def after_policies(key: Document, response: Document, recipe: Recipe) -> tuple[Document, Document]:
    """Both documents after the policies for repeated mentions and singletons."""
    if has_repeats(key.entities) or has_repeats(response.entities):
        if recipe.repeated == "distinct":
            key, response = _once_in_each(key), _once_in_each(response)
        else:
            in_key, in_response = apply_repeats(key.entities, response.entities, recipe.repeated)
            key, response = _restricted(key, in_key), _restricted(response, in_response)
    if recipe.singletons in ("drop", "drop-key"):
        key = _without_singletons(key)
    if recipe.singletons in ("drop", "drop-response"):
        response = _without_singletons(response)
    return key, response


def _once_in_each(document: Document) -> Document:
    """A document without the later copies of a mention in the same entity."""
    firsts = [
        [place for place, mention in enumerate(entity) if entity.index(mention) == place]
        for entity in document.entities
    ]

    def kept(lists: list[list[Item]]) -> list[list[Item]]:
        return [
            [items[place] for place in places] for items, places in zip(lists, firsts, strict=True)
        ]

    return document.but(
        entities=kept(document.entities),
        entity_names=document.entity_names,
        details=document.details and kept(document.details),
    )


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
    return document.but(
        entities=entities,
        entity_names=names,
        details=details if document.details is not None else None,
    )


def _without_singletons(document: Document) -> Document:
    kept = [index for index, entity in enumerate(document.entities) if len(entity) > 1]
    return document.but(
        entities=[document.entities[index] for index in kept],
        entity_names=[document.entity_names[index] for index in kept],
        details=document.details and [document.details[index] for index in kept],
    )
