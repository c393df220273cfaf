"""Empty nodes of CoNLL-U: how they are called in a file, for reading and writing."""

from __future__ import annotations

from corefmeter.corpus.text import INITIAL

__all__ = ["Node", "node_name"]

#: An empty node ``(at, at, k)``.
Node = tuple[int, int, int]


def node_name(node: int | Node, begin: int) -> str:
    """The id of a token or an empty node in the sentence that begins with the token `begin`.

    Examples
    --------
    >>> node_name(12, 10), node_name((12, 12, 1), 10), node_name((10, 10, INITIAL + 1), 10)
    ('3', '2.1', '0.1')
    """
    if isinstance(node, int):
        return str(node - begin + 1)
    at, _, number = node
    return f"0.{number - INITIAL}" if number > INITIAL else f"{at - begin}.{number}"
