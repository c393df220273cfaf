"""Short and distinct names of files, for tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence


def labels(paths: Sequence[str], names: Sequence[str | None] = ()) -> list[str]:
    """Return short, distinct names of files, without the folders and endings that all share.

    The names that the user gave are kept; a file that is given twice gets a number.

    >>> labels(["runs/m1/dev.conll", "runs/m2/dev.conll"]), labels(["a.conll", "a.conll"])
    (['m1', 'm2'], ['a.conll', 'a.conll (2)'])
    """
    given = names or [None] * len(paths)
    unnamed = [path for path, name in zip(paths, given, strict=True) if name is None]
    short = iter(_shorten_paths(unnamed))
    return number_repeated([next(short) if name is None else name for name in given], given)


def _shorten_paths(paths: Sequence[str]) -> Sequence[str]:
    """Return the file name of each path; if two are equal, the folders in which paths differ."""
    split_paths = [path.rstrip(os.sep).split(os.sep) for path in paths]
    names = [parts[-1] or path for parts, path in zip(split_paths, paths, strict=True)]
    if len(set(names)) < len(set(paths)):
        names = [os.sep.join(parts) for parts in _drop_shared_folders(split_paths)]
    return names


def _drop_shared_folders(split_paths: Sequence[list[str]]) -> list[list[str]]:
    """Return split paths without the first parts, and the last parts, that all of them share."""
    begin = _count_shared(split_paths)
    rest = [parts[begin:] for parts in split_paths]
    end = _count_shared([parts[::-1] for parts in rest])
    return [parts[: len(parts) - end] for parts in rest]


def _count_shared(lists: Sequence[list[str]]) -> int:
    """Return how many first items all lists share, at most all but the last of the shortest."""
    shared = os.path.commonprefix(lists)  # noqa: RUF071  # of lists it compares the items
    return min(len(shared), min(map(len, lists)) - 1)


def number_repeated(names: Sequence[str], given: Sequence[str | None] = ()) -> list[str]:
    """Number names that repeat an earlier one; explicit names are kept.

    >>> number_repeated(["a", "b", "a"]), number_repeated(["a", "a"], [None, "a"])
    (['a', 'b', 'a (2)'], ['a (2)', 'a'])
    """
    seen = {name for name in given if name is not None}
    numbered: list[str] = []
    for name, explicit in zip(names, given or [None] * len(names), strict=True):
        number, new = 1, name
        while explicit is None and new in seen:
            number += 1
            new = f"{name} ({number})"
        seen.add(new)
        numbered.append(new)
    return numbered


def shorten(names: Sequence[str], room: int) -> list[str]:
    """Return names cut to `room` characters, so that different names stay different.

    An extension that all have is left out first. The end of a name is kept, or first the beginning
    if a name has several words. If neither tells the names apart, both ends are kept. If that does
    not either, the names are numbered.

    >>> shorten(["a-long-name.1", "a-long-name.2"], 7), shorten(["m1/dev", "m2/dev"], 5)
    (['…name.1', '…name.2'], ['m1/d…', 'm2/d…'])
    >>> shorten(["system-a.conll", "system-b.conll"], 10)
    ['system-a', 'system-b']
    """
    if any(len(name) > room for name in names):
        names = _drop_shared_extension(names)
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
        ways[0], ways[1] = ways[1], ways[0]
    for way in ways:
        short = [name if len(name) <= room else way(name) for name in different]
        if len(set(short)) == len(different):
            break
    else:
        marks = [f"{number}{dots}" for number in range(1, len(different) + 1)]
        pairs = zip(marks, different, strict=True)
        short = [mark + name[len(name) - max(0, room - len(mark)) :] for mark, name in pairs]
    short_of = dict(zip(different, short, strict=True))
    return [short_of[name] for name in names]


def _drop_shared_extension(names: Sequence[str]) -> Sequence[str]:
    """Return file names without their extension, if all have the same."""
    stems, extensions = zip(*map(os.path.splitext, names), strict=True)
    return stems if len({*extensions}) == 1 and extensions[0][1:].isalpha() else names
