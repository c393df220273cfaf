"""Invented corpora with several systems, small enough for the slow definitions."""

from __future__ import annotations

from random import Random

from ..metrics.partitions import Entities, partition, shuffled

Documents = dict[str, Entities]


def response(key: Entities, rng: Random, noise: float) -> Entities:
    """The key with mentions moved, left out and added."""
    entities = [[m for m in entity if rng.random() > noise / 2] for entity in key]
    entities.append([])
    for entity in entities:
        for mention in [m for m in entity if rng.random() < noise]:
            entity.remove(mention)
            rng.choice(entities).append(mention)
    for twinless in range(100, 100 + rng.randint(0, 2)):
        rng.choice(entities).append(twinless)
    return shuffled(entities, rng)


def invented(
    seed: object, documents: int, noise: dict[str, float], most: int = 9
) -> tuple[Documents, dict[str, Documents]]:
    """A key and the responses of systems, by the noise of each; the same for a seed.

    Documents are sorted by name, as units are when they are drawn.
    """
    rng = Random(repr(seed))
    key = {
        f"{rng.choice('xyz')}/d{i}": partition(
            list(range(rng.randint(2, most))), rng, rng.randint(1, 4)
        )
        for i in range(documents)
    }
    systems = {
        name: {document: response(entities, rng, much) for document, entities in key.items()}
        for name, much in noise.items()
    }
    return dict(sorted(key.items())), {n: dict(sorted(of.items())) for n, of in systems.items()}


def written(documents: Documents) -> str:
    """A CoNLL file in which mention m is the token m."""
    lines = []
    for name, entities in documents.items():
        home = {m: str(i) for i, entity in enumerate(entities) for m in entity}
        cells = (f"({home[m]})" if m in home else "-" for m in range(110))
        lines += [f"#begin document ({name}); part 000", *(f"w\t{c}" for c in cells), "",
                  "#end document"]  # fmt: skip
    return "\n".join(lines) + "\n"
