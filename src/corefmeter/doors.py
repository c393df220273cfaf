"""The doors through which other packages come in, and the wings of this one: entry points.

What the core does not know by itself, a metric, a format, a command, a name of ``corefmeter``, it
looks up here. That takes as long as reading a large file, so it is not done before it is needed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from corefmeter.problems import OptionError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@cache
def offered(kind: str) -> dict[str, EntryPoint]:
    """The entry points of a kind of thing by name, such as ``metric``, in the order of names."""
    from importlib.metadata import entry_points

    points = entry_points(group=f"corefmeter.{kind}s")
    if kind in ("name", "report"):  # names of Python
        return {point.name: point for point in points}
    return dict(sorted((point.name.lower(), point) for point in points))


@cache
def fetch(kind: str, name: str) -> Any:
    """What an entry point names.

    Raises
    ------
    OptionError
        When it cannot be imported, with the reason.
    """
    point = offered(kind)[name]
    try:
        return point.load()
    except Exception as error:
        raise OptionError(
            f"the {kind} {name!r} of another package, {point.value}, cannot be imported: {error}"
        ) from error
