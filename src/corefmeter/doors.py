"""Entry points of other packages and of the wings: metrics, formats, commands, names.

Looking them up takes as long as reading a large file, so it is done when a name is not known.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from corefmeter.problems import OptionError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


#: Removed names, by kind, with their replacements.
REMOVED = {
    ("command", "gap"): "use: corefmeter score KEY RESPONSE --from gap -m gap --by gender",
    ("format", "gum-sgml"): "use GUM's files in WebAnno (webanno) or CoNLL-U (conllu)",
    ("format", "onto-sgml"): "use the CoNLL files of OntoNotes (conll)",
}


def refuse_removed(kind: str, name: str) -> None:
    """Raise an error that names the replacement, if something of this name was removed."""
    if (kind, name) in REMOVED:
        raise OptionError(f"the {kind} {name!r} was removed; {REMOVED[kind, name]}")


@cache
def offered(kind: str) -> dict[str, EntryPoint]:
    """Return the entry points of a kind, such as ``metric``, by name and in that order."""
    from importlib.metadata import entry_points

    # An editable installation may still declare what was removed.
    found = entry_points(group=f"corefmeter.{kind}s")
    points = [point for point in found if (kind, point.name) not in REMOVED]
    if kind in ("name", "report"):  # names of Python
        return {point.name: point for point in points}
    return dict(sorted((point.name.lower(), point) for point in points))


@cache
def fetch(kind: str, name: str) -> Any:
    """Load the object that an entry point names."""
    point = offered(kind)[name]
    try:
        return point.load()
    except Exception as error:
        if (package := _missing_wing(point)) is not None:
            raise OptionError(
                f"the {kind} {name!r} belongs to {package}, which is not installed; install "
                "corefmeter again"
            ) from error
        raise OptionError(
            f"the {kind} {name!r} of another package, {point.value}, cannot be imported: {error}"
        ) from error


def missing_wings(kind: str) -> dict[str, list[str]]:
    """Return the wings that are not installed, each with the names of this kind that it has."""
    found: dict[str, list[str]] = {}
    for name, point in offered(kind).items():
        if (package := _missing_wing(point)) is not None:
            found.setdefault(package, []).append(name)
    return found


def _missing_wing(point: EntryPoint) -> str | None:
    """Return the wing that an entry point needs, such as ``corefmeter.wings.lab``.

    Return None if it is installed.
    """
    from importlib.util import find_spec

    *parent, wing = point.module.split(".")[:3]
    if parent != [__package__, "wings"]:
        return None
    package = ".".join([*parent, wing])
    # Without its parent, looking for a package raises an error.
    has_parent = find_spec(".".join(parent)) is not None
    return None if has_parent and find_spec(package) is not None else package
