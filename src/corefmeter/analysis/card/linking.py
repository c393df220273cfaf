"""Detection and linking apart: what a response would score if one of them were perfect.

``score``
    The response as it is, v.
``linking``
    Both sides on the mentions that both have: detection costs nothing, d.
``linking, key's mentions``; ``linking, response's mentions``
    The links of the response on the mentions of the key; those of the key on the mentions of the
    response. What the other side lacks is there without a link.
``key's links``
    The mentions of the response, linked as in the key: linking costs nothing, l.

The loss 1 - v is divided between the two by how much each brings when it is made perfect first and
when it is made perfect last, the mean of both orders:

- detection: ((d - v) + (1 - l)) / 2,
- linking: ((l - v) + (1 - d)) / 2.

Their sum is 1 - v. The two orders differ by the interaction 1 - d - l + v. docs/card.md has the
proof, and says for which metrics d and l are bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from corefmeter.analysis.card.parts import Basis, Part, Shared
from corefmeter.metrics import Overlap
from corefmeter.result import Result

SECTION = "linking"

#: The lines after the score.
CONSTRUCTIONS: dict[str, Callable[[Shared], Overlap]] = {
    "linking": lambda of: of.on_common,
    "linking, key's mentions": lambda of: of.on_key_mentions,
    "linking, response's mentions": lambda of: of.on_response_mentions,
    "key's links": lambda of: of.with_key_links,
}


class Loss(NamedTuple):
    """The loss of a score, 1 minus the score, divided into its two parts.

    `interaction` is what each part changes by when it is taken last instead of first.
    """

    detection: float
    linking: float
    interaction: float


def divide_loss(score: float, common: float, linked: float) -> Loss:
    """Divide the loss of a score between detection and linking.

    `common` is the score on the mentions that both sides have, `linked` that with the key's links.

    >>> divide_loss(0.5, 0.75, 0.875)
    Loss(detection=0.1875, linking=0.3125, interaction=-0.125)
    """
    return Loss(
        detection=((common - score) + (1 - linked)) / 2,
        linking=((linked - score) + (1 - common)) / 2,
        interaction=1 - common - linked + score,
    )


def losses(results: Mapping[str, Result]) -> dict[str, Loss]:
    """Divide the loss of F1 by each metric, given the results of the section by name."""
    score, common, linked = (results[name] for name in ("score", "linking", "key's links"))
    return {
        metric: divide_loss(score[metric].f1, common[metric].f1, linked[metric].f1)
        for metric in score.recipe.metrics
        if metric != "mentions"
    }


def parts(basis: Basis) -> Iterator[Part]:
    """Yield the lines of the section."""
    yield Part(SECTION, "", "score", basis.result)
    shared = [Shared(unit.table) for unit in basis.prepared]
    for name, table in CONSTRUCTIONS.items():
        tables = [[table(unit)] for unit in shared]
        yield Part(SECTION, "", name, basis.result_of_tables(tables))
