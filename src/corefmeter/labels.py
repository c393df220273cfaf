"""What files are called where several stand side by side: short, and never the same twice."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence


def labels(paths: Sequence[str], names: Sequence[str | None] = ()) -> list[str]:
    """Return short names of files, never equal: without the folders and the endings that all share.

    The names that the user gave are kept; a file that is given twice is told apart by a number.

    >>> labels(["runs/m1/dev.conll", "runs/m2/dev.conll"]), labels(["a.conll", "a.conll"])
    (['m1', 'm2'], ['a.conll', 'a.conll (2)'])
    """
    given = names or [None] * len(paths)
    short = iter(_short([path for path, name in zip(paths, given, strict=True) if name is None]))
    return number_repeated([name if name is not None else next(short) for name in given], given)


def _short(paths: Sequence[str]) -> Sequence[str]:
    """Return the names of files, without what all share where they are not different."""
    parts = [path.rstrip(os.sep).split(os.sep) for path in paths]
    names = [part[-1] or path for part, path in zip(parts, paths, strict=True)]
    if len(set(names)) < len(set(paths)):
        names = [os.sep.join(rest) for rest in _differing(parts)]
    return names


def _differing(parts: Sequence[list[str]]) -> list[list[str]]:
    """Return lists of folders without their common first and last ones."""
    begin = _shared(parts)
    rest = [part[begin:] for part in parts]
    end = _shared([part[::-1] for part in rest])
    return [part[: len(part) - end] for part in rest]


def _shared(parts: Sequence[list[str]]) -> int:
    """Return with how many items all begin; at least one of each is left."""
    least = min(map(len, parts)) - 1
    return next((i for i in range(least) if len({part[i] for part in parts}) > 1), max(0, least))


def number_repeated(names: Sequence[str], given: Sequence[str | None] = ()) -> list[str]:
    """Number names that repeat an earlier one; explicit names are kept.

    >>> number_repeated(["a", "b", "a"]), number_repeated(["a", "a"], [None, "a"])
    (['a', 'b', 'a (2)'], ['a (2)', 'a'])
    """
    seen = {name for name in given if name is not None}
    found: list[str] = []
    for name, kept in zip(names, given or [None] * len(names), strict=True):
        number, new = 1, name
        while kept is None and new in seen:
            number += 1
            new = f"{name} ({number})"
        seen.add(new)
        found.append(new)
    return found


def shorten(names: Sequence[str], room: int) -> list[str]:
    """Return names cut to some length, so that those that differ still do.

    The end of a name tells files apart better than the beginning, unless one is made of words;
    where it does not, the beginning is kept, or both, or the names are numbered.

    >>> shorten(["a-long-name.1", "a-long-name.2"], 7), shorten(["m1/dev", "m2/dev"], 5)
    (['…name.1', '…name.2'], ['m1/d…', 'm2/d…'])
    """
    different = list(dict.fromkeys(names))
    dots = "\N{HORIZONTAL ELLIPSIS}"
    room = max(room, 2)
    half = room // 2
    ways: list[Callable[[str], str]] = [
        lambda name: dots + name[1 - room :],
        lambda name: name[: room - 1] + dots,
        lambda name: name[: room - 1 - half] + dots + name[-half:],
    ]
    if any(" " in name for name in different):
        ways[:2] = ways[1::-1]
    for way in ways:
        short = [name if len(name) <= room else way(name) for name in different]
        if len(set(short)) == len(different):
            break
    else:
        marks = [f"{number}{dots}" for number in range(1, len(different) + 1)]
        pairs = zip(marks, different, strict=True)
        short = [mark + name[len(name) - max(0, room - len(mark)) :] for mark, name in pairs]
    found = dict(zip(different, short, strict=True))
    return [found[name] for name in names]
