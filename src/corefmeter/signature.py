"""Signatures: how a number was made, in one line that can be read back.

``name:value`` pairs joined by ``|``, first the version of the program; values of several items are
joined by ``+``, and an item with a number is ``item=number``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from corefmeter.problems import OptionError, unknown

__all__ = ["joined", "pairs_of", "text_of", "truth_of"]


def joined(pairs: Iterable[tuple[str, Any]]) -> str:
    """Names and values in one line.

    Examples
    --------
    >>> joined([("corefmeter", "0.1.0"), ("metrics", ("muc", "b3")), ("shared_ids", True)])
    'corefmeter:0.1.0|metrics:muc+b3|shared_ids:yes'
    """
    return "|".join(f"{name}:{text_of(value)}" for name, value in pairs)


def pairs_of(signature: str) -> list[tuple[str, str]]:
    """The names and values of a signature, as text.

    Raises
    ------
    OptionError
        For text that is not a signature.

    Examples
    --------
    >>> pairs_of("corefmeter:0.1.0|metrics:muc+b3")
    [('corefmeter', '0.1.0'), ('metrics', 'muc+b3')]
    """
    pairs = []
    for pair in signature.strip().split("|"):
        # A terminal may have folded it there.
        name, colon, text = pair.strip().partition(":")
        if not colon:
            raise OptionError(f"not a signature: {pair!r} is not of the form name:value")
        pairs.append((name, text))
    return pairs


def text_of(value: Any) -> str:
    """A value as it stands in a signature; a number as the shortest text that reads back the same.

    Examples
    --------
    >>> text_of(None), text_of(False), text_of(0.25), text_of(1.0), text_of((("muc", 2.0), "b3"))
    ('none', 'no', '0.25', '1', 'muc=2+b3')
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and value < 1e15 else repr(float(value))
    if isinstance(value, tuple):
        return "+".join(
            item if isinstance(item, str) else f"{item[0]}={text_of(item[1])}" for item in value
        )
    if callable(value):
        return f"{value.__module__}:{getattr(value, '__qualname__', '<unnamed>')}"
    return str(value)


def truth_of(name: str, text: str) -> bool:
    """The value of an option that is ``yes`` or ``no``.

    Raises
    ------
    OptionError
        For anything else.
    """
    if text not in ("yes", "no"):
        raise unknown(f"value of {name}", text, ("yes", "no"))
    return text == "yes"
