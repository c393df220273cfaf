"""Head matching: mentions with the same head match, preferably those that share many nodes.

This is the rule of the CRAC shared tasks since 2023. After the exact stage, any two mentions with
the same head may be paired; the weight is the share of the key mention that the response covers,
``|K & S| / |K|``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corefmeter.corpus.positions import count_nodes, nodes
from corefmeter.corpus.structures import grouped
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.assignment import Edge
from corefmeter.matching.sides import Side
from corefmeter.problems import Problem


def candidates(alignment: Alignment) -> list[Edge]:
    """Return pairs with the same head, with the share of the key mention that is covered."""
    key, response = alignment.key, alignment.response
    heads, response_heads = key.known_heads(), response.known_heads()
    by_head = grouped((heads[k], k) for k in alignment.key_free())
    return [
        alignment.coverage_edge(k, r)
        for r in alignment.response_free()
        for k in by_head.get(response_heads[r], ())
    ]


def warn_of_default_heads(alignments: Sequence[Alignment], path: str | None) -> list[Problem]:
    """Return a warning when the heads of the response look like a default.

    They do if all its mentions of several words are headed by their first word, or all by their
    last, while at most nine tenths of such mentions in the key are. Systems write such heads for
    scorers that ignore heads, but head matching does not.
    """
    for end, word in ((0, "first"), (-1, "last")):
        in_response = [at_end for one in alignments for at_end in _are_headed_at(one.response, end)]
        in_key = [at_end for one in alignments for at_end in _are_headed_at(one.key, end)]
        if in_response and all(in_response) and in_key and 10 * sum(in_key) <= 9 * len(in_key):
            reason = (
                "every mention of the response that has more than one word is headed by its "
                f"{word} word, which looks like a default; head matching needs real heads"
            )
            hint = "Write the real heads, or use --match partial, which ignores them."
            return [Problem("default-heads", reason, path=path, hint=hint)]
    return []


def _are_headed_at(side: Side, end: int) -> Iterator[bool]:
    """Yield for each mention of several words whether its head is the word at index `end`."""
    for head, position in zip(side.heads, side.positions, strict=True):
        if count_nodes(position) > 1:
            yield head == nodes(position)[end]
