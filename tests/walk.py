"""Follow the key through a call of `corefmeter.score`, and print how far it travels.

    python -m tests.walk [-v]

The key is its `Corpus`, a document of it, the entities of a document, and any tuple, list, partial
function or object of this package that holds one of these. It is *handed on* where a function of
the package gives it to another one as an argument; the same two functions count once, and a method
that is called on the key itself does not. It *comes back* where it is handed to a module that had
it before, from another one. Its *names* are those of the parameters and variables that hold it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import corefmeter

EXAMPLES = Path(__file__).parents[1] / "examples"

#: How deep a wrapper may hold the key: a partial function with a list of pairs of documents.
DEPTH = 3


class Walk(NamedTuple):
    """How far the key traveled: each step from a function to another, with the key's names."""

    steps: list[tuple[str, str]]
    names: set[str]

    @property
    def returns(self) -> int:
        """How often it came back to a module that it had left."""
        seen: set[str] = set()
        found = 0
        for caller, function in self.steps:
            seen.add(module_of(caller))
            found += module_of(function) in seen and module_of(caller) != module_of(function)
            seen.add(module_of(function))
        return found


def module_of(function: str) -> str:
    """Return the module of ``corefmeter.module:function``."""
    return function.partition(":")[0]


def parts_of(value: Any) -> Iterator[Any]:
    """Return what a value holds directly."""
    if isinstance(value, list | tuple):
        yield from value
    elif isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, partial):
        yield from (value.func, *value.args, *value.keywords.values())
    elif type(value).__module__.startswith("corefmeter."):
        yield from getattr(value, "__dict__", {}).values()
        for kind in type(value).__mro__:
            for name in getattr(kind, "__slots__", ()):
                yield getattr(value, name, None)


def holds(value: Any, known: set[int], depth: int = DEPTH) -> bool:
    """Return whether a value is the key or holds it."""
    if id(value) in known:
        return True
    return depth > 0 and any(holds(part, known, depth - 1) for part in parts_of(value))


def function_of(frame: FrameType) -> str | None:
    """Return the function of a frame, if it is one of the package and no comprehension."""
    module = frame.f_globals.get("__name__", "")
    name = frame.f_code.co_qualname
    if module.startswith("corefmeter") and not name.endswith(">"):
        return f"{module}:{name}"
    return None


def follow(**options: Any) -> Walk:
    """Score the example, and return the way of its key."""
    key = corefmeter.read(str(EXAMPLES / "key.conll"))
    known = {id(key), id(key.documents), *map(id, key.documents)}
    known |= {id(document.entities) for document in key.documents}
    steps: dict[tuple[str, str], None] = {}
    names: set[str] = set()

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event not in ("call", "return") or (function := function_of(frame)) is None:
            return
        held = {name for name, value in frame.f_locals.items() if holds(value, known)} - {"self"}
        names.update(held)
        above = frame.f_back
        while above is not None and function_of(above) is None:
            above = above.f_back
        if event == "call" and held and above is not None:
            steps[str(function_of(above)), function] = None

    corefmeter.score(key, str(EXAMPLES / "system-a.conll"), **options)  # imports what it needs
    sys.setprofile(profile)
    try:
        corefmeter.score(key, str(EXAMPLES / "system-a.conll"), **options)
    finally:
        sys.setprofile(None)
    return Walk(list(steps), names)


if __name__ == "__main__":
    walk = follow(metrics="lea")
    if "-v" in sys.argv:
        print(*(f"{caller} -> {function}" for caller, function in walk.steps), sep="\n")
        print("names:", ", ".join(sorted(walk.names)))
    print(f"handed on {len(walk.steps)}, comes back {walk.returns}, names {len(walk.names)}")
