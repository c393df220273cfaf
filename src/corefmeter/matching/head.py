"""Head matching: mentions with the same head match, preferably those that share many nodes.

The rule of the CRAC shared tasks from 2023 on. Of the mentions that are left after the exact stage,
any two with the same head may be paired; the weight is the share of the key mention that the
response covers, ``|K & S| / |K|``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corefmeter.corpus.positions import Node, count_common_nodes, count_nodes, nodes
from corefmeter.matching.assignment import Edge
from corefmeter.matching.sides import Side
from corefmeter.problems import Problem


def candidates(
    key: Side, response: Side, key_free: Sequence[int], response_free: Sequence[int]
) -> list[Edge]:
    """Pairs with the same head, with the share of the key mention that is covered."""
    heads, response_heads = key.known_heads(), response.known_heads()
    by_head: dict[Node, list[int]] = {}
    for k in key_free:
        by_head.setdefault(heads[k], []).append(k)
    sizes = {k: count_nodes(key.positions[k]) for k in key_free}
    edges = []
    for r in response_free:
        for k in by_head.get(response_heads[r], ()):
            shared = count_common_nodes(key.positions[k], response.positions[r])
            edges.append(Edge(k, r, shared, sizes[k]))
    return edges


def default_heads(sides: Sequence[tuple[Side, Side]], path: str | None) -> list[Problem]:
    """Return a warning when the heads of the response look like a default.

    That is when every longer mention of the response is headed by its first word, or every one by
    its last, and a tenth of the longer key mentions or more is not. Systems write such heads for
    measures that ignore them; head matching does not.
    """
    for end, word in ((0, "first"), (-1, "last")):
        responses = [response for _, response in sides]
        if not all(_headed_at(responses, end)) or not any(_headed_at(responses, end)):
            continue
        in_key = list(_headed_at([key for key, _ in sides], end))
        if in_key and 10 * sum(in_key) <= 9 * len(in_key):
            return [
                Problem(
                    "default-heads",
                    f"every mention of the response that has more than one word is headed by its "
                    f"{word} word, which looks like a default; head matching depends on heads",
                    path=path,
                    hint="Write the true heads, or use --match partial, which ignores them.",
                )
            ]
    return []


def _headed_at(sides: Sequence[Side], end: int) -> Iterator[bool]:
    """For each mention of more than one word: whether this word is its head."""
    for side in sides:
        for head, position in zip(side.heads, side.positions, strict=True):
            if count_nodes(position) > 1:
                yield head == nodes(position)[end]
