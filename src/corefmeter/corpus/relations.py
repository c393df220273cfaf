"""Relations between the entities and mentions of a document, other than identity.

*Split antecedents*: a plural entity (they) refers to a set of other entities (Ann, Bob).
*Bridging*: a mention (the door) is understood from an anchor (a house), a mention or an entity.
*Non-referring* expressions (it rains) are not mentions of an entity. *Discourse deixis* (that)
refers to a passage of the text; its entities are a separate *layer*, over the same tokens.

Entities are named as in `Document.entity_names`, so that nothing is renumbered when entities leave
a document or change places; a name may belong to an entity that has left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from corefmeter.corpus.positions import Mention, Move, move_mention
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Detail
from corefmeter.problems import amount

#: The kinds of relations, and how one is called in messages.
KINDS = {
    "split": "split antecedent",
    "bridging": "bridging reference",
    "nonreferring": "non-referring expression",
    "deixis": "mention of discourse deixis",
}


class Split(NamedTuple):
    """A set of entities, `members`, that a plural entity refers to; it may refer to several."""

    entity: str
    members: tuple[str, ...]


class Bridge(NamedTuple):
    """A bridging reference: the mention `anaphor` is understood from its anchor.

    `anchor` is a mention, None where only its `entity` is known; `entity` is None where that is not
    known. `relation` is what the file calls their relation, ``""`` if it does not say.
    """

    anaphor: Mention
    anchor: Mention | None
    entity: str | None
    relation: str = ""


class NonReferring(NamedTuple):
    """An expression that refers to nothing.

    `kind` is its type, such as ``expletive``; ``""`` if the file does not say.
    """

    mention: Mention
    kind: str = ""
    detail: Detail | None = None


class Layer(NamedTuple):
    """Additional entities of a document, over the same tokens; the fields are as in `Document`."""

    entities: list[list[Mention]]
    names: list[str]
    details: list[list[Detail]] | None = None
    relations: Relations | None = None

    def mapped(
        self,
        mention: Callable[[Mention], Mention | None],
        detail: Callable[[Detail], Detail] = lambda known: known,
    ) -> Layer:
        """Return the layer with functions applied as in `Relations.mapped`.

        Entities without a mention are left out.
        """
        entities, names, details = [], [], []
        known = self.details or [[Detail()] * len(entity) for entity in self.entities]
        for name, entity, of_entity in zip(self.names, self.entities, known, strict=True):
            mapped = [
                (new, detail(annotation))
                for old, annotation in zip(entity, of_entity, strict=True)
                if (new := mention(old)) is not None
            ]
            if mapped:
                entities.append([new for new, _ in mapped])
                details.append([annotation for _, annotation in mapped])
                names.append(name)
        relations = self.relations and self.relations.mapped(mention, detail)
        return Layer(entities, names, None if self.details is None else details, relations)


class Relations(NamedTuple):
    """All relations of a document; `Document.deixis` gives its layer of deixis as a document.

    >>> relations = Relations((Split("they", ("ann", "bob")),), (Bridge((4, 6), (0, 2), "house"),))
    >>> relations.counts()
    {'split': 1, 'bridging': 1}
    >>> relations.moved(lambda token: token + 10, lambda end: end + 10).bridges
    (Bridge(anaphor=(14, 16), anchor=(10, 12), entity='house', relation=''),)
    """

    splits: tuple[Split, ...] = ()
    bridges: tuple[Bridge, ...] = ()
    nonreferring: tuple[NonReferring, ...] = ()
    deixis: Layer | None = None

    def counts(self) -> dict[str, int]:
        """Count relations by type (`KINDS`); split antecedents count sets, not members."""
        deixis = sum(map(len, self.deixis.entities)) if self.deixis else 0
        numbers = len(self.splits), len(self.bridges), len(self.nonreferring), deixis
        return {kind: number for kind, number in zip(KINDS, numbers, strict=True) if number}

    def moved(self, begin: Move, end: Move) -> Relations:
        """Return a copy moved to other positions; see `positions.move_mention`."""
        return self.mapped(
            lambda mention: move_mention(mention, begin, end),
            lambda detail: detail.moved(begin, end),
        )

    def mapped(
        self,
        mention: Callable[[Mention], Mention | None],
        detail: Callable[[Detail], Detail] = lambda known: known,
    ) -> Relations:
        """Return the relations with functions applied to their mentions and details.

        A mention for which `mention` returns None is removed with every reference from it; a
        reference to it keeps the entity.
        """
        bridges = []
        for bridge in self.bridges:
            anaphor = mention(bridge.anaphor)
            anchor = None if bridge.anchor is None else mention(bridge.anchor)
            if anaphor is not None and (anchor, bridge.entity) != (None, None):
                bridges.append(bridge._replace(anaphor=anaphor, anchor=anchor))
        deixis = self.deixis and self.deixis.mapped(mention, detail)
        return self._replace(
            bridges=tuple(bridges),
            nonreferring=tuple(
                NonReferring(place, kind, known and detail(known))
                for old, kind, known in self.nonreferring
                if (place := mention(old)) is not None
            ),
            deixis=deixis if deixis and deixis.entities else None,
        )

    def renamed(self, name: Callable[[str], str]) -> Relations:
        """Return the same with other names of the document's entities."""
        return self._replace(
            splits=tuple(Split(name(s.entity), tuple(map(name, s.members))) for s in self.splits),
            bridges=tuple(
                bridge._replace(entity=None if bridge.entity is None else name(bridge.entity))
                for bridge in self.bridges
            ),
        )

    def joined(self, *others: Relations) -> Relations:
        """Join the relations of documents that become one; an entity has one set of its members."""
        parts = (self, *others)
        splits = [split for part in parts for split in part.splits]
        return Relations(
            splits_of((split.entity, name) for split in splits for name in split.members),
            tuple([bridge for part in parts for bridge in part.bridges]),
            tuple([mention for part in parts for mention in part.nonreferring]),
            _join_layers([part.deixis for part in parts if part.deixis is not None]),
        )


def _join_layers(layers: Sequence[Layer]) -> Layer | None:
    """Return layers as one, with their entities of the same name as one."""
    if len(layers) < 2:
        return layers[0] if layers else None
    entities: dict[str, list[Mention]] = {}
    details: dict[str, list[Detail]] = {}
    for layer in layers:
        for name, entity in zip(layer.names, layer.entities, strict=True):
            entities.setdefault(name, []).extend(entity)
        for name, known in zip(layer.names, layer.details or (), strict=False):
            details.setdefault(name, []).extend(known)
    described = all(layer.details is not None for layer in layers)
    return Layer(
        list(entities.values()),
        list(entities),
        list(details.values()) if described else None,
        Relations().joined(*[layer.relations or Relations() for layer in layers]),
    )


def splits_of(members: Iterable[tuple[str, str]]) -> tuple[Split, ...]:
    """Return one set for each plural entity, from pairs of a plural entity and a member."""
    sets = grouped(members).items()
    return tuple(Split(entity, tuple(dict.fromkeys(names))) for entity, names in sets)


def cyclic(splits: Iterable[Split]) -> set[str]:
    """Return the plural entities that contain themselves, directly or through others."""
    members = grouped((split.entity, name) for split in splits for name in split.members)
    # Kosaraju's algorithm: in reverse postorder, each walk along reversed edges is a component.
    homes = grouped((name, entity) for entity, names in members.items() for name in names)
    seen: set[str] = set()
    order = [name for entity in members for name in _postorder(entity, members, seen)]
    seen = set()
    walks = [list(_postorder(entity, homes, seen)) for entity in reversed(order)]
    cycles = {name for walk in walks if len(walk) > 1 for name in walk}
    return cycles | {entity for entity, names in members.items() if entity in names}


def _postorder(start: str, edges: Mapping[str, Sequence[str]], seen: set[str]) -> Iterator[str]:
    """Yield names reachable from `start` that are not in `seen`, depth first, successors first."""
    stack = [] if start in seen else [(start, iter(edges.get(start, ())))]
    seen.add(start)
    while stack:
        name, following = stack[-1]
        new = next((other for other in following if other not in seen), None)
        if new is None:
            stack.pop()
            yield name
        else:
            seen.add(new)
            stack.append((new, iter(edges.get(new, ()))))


def describe_counts(counts: Mapping[str, int]) -> str:
    """Describe the number of relations of each type, such as "2 mentions of discourse deixis"."""
    phrases = []
    for kind, number in counts.items():
        noun, of, complement = KINDS[kind].partition(" of ")
        phrases.append(f"{amount(number, noun)}{of}{complement}")
    return ", ".join(phrases)
