"""Signatures: all options of a number in one line that can be parsed.

They are ``name:value`` pairs joined by ``|``; the version of the program comes first. Values of
several items are joined by ``+``, and an item with a number is ``item=number``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from corefmeter.problems import DataError, OptionError, Problem, require_known


class Change(NamedTuple):
    """Numbers that are new in a version of the program.

    They concern signatures in which each of `options` has one of its values; `what` is the end of
    a sentence.
    """

    version: str
    what: str
    options: Mapping[str, Sequence[str]]


#: Every change of a number since the first release; see *Score changes* in CHANGELOG.md.
CHANGES: tuple[Change, ...] = ()


class Named(str):
    """The name of a function, ``module:function``, which parsing a signature does not import.

    A recipe has it in place of the function, for display and comparison.
    """

    __slots__ = ()

    def __call__(self, *_: Any) -> float:
        """Refuse to be called."""
        raise OptionError(
            f"{str(self)!r} names a function in a signature, and these are never imported: give "
            "the function itself"
        )


def join_signature(pairs: Iterable[tuple[str, Any]]) -> str:
    """Return names and values in one line."""
    return "|".join(f"{name}:{text_of(value)}" for name, value in pairs)


def parse_signature(signature: str) -> list[tuple[str, str]]:
    """Return the names and values of a signature, as text.

    >>> parse_signature("corefmeter:0.1.0|metrics:muc+b3")
    [('corefmeter', '0.1.0'), ('metrics', 'muc+b3')]
    """
    pairs: list[tuple[str, str]] = []
    for pair in signature.strip().split("|"):
        # A terminal may have broken the line at a "|".
        name, colon, text = pair.strip().partition(":")
        if not colon:
            raise OptionError(f"not a signature: {pair!r} does not have the form name:value")
        if name in dict(pairs):
            raise OptionError(f"not a signature: it names {name} twice")
        pairs.append((name, text))
    return pairs


def short_signature(signature: str, usual: str) -> str:
    """Return the version and the options of a signature that differ from a usual signature.

    It parses to the same recipe, since options that it does not name have their defaults.

    >>> short_signature("corefmeter:1.0|metrics:lea|match:exact", "metrics:muc|match:exact")
    'corefmeter:1.0|metrics:lea'
    """
    usual_pairs = parse_signature(usual)
    return join_signature(
        pair
        for pair in parse_signature(signature)
        if pair not in usual_pairs or pair[0] == "corefmeter"
    )


def split_signature(signature: str, own: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Separate the options of a command from those of the recipe in a signature.

    `own` are the command's options with their defaults, text or numbers.

    >>> split_signature("corefmeter:0.1.0|metrics:lea|seed:7", {"seed": 1, "level": 0.95})
    ('corefmeter:0.1.0|metrics:lea', {'seed': 7})
    """
    recipe: list[tuple[str, str]] = []
    options: dict[str, Any] = {}
    for name, text in parse_signature(signature):
        if name not in own:
            recipe.append((name, text))
            continue
        try:
            options[name] = type(own[name])(text)
        except ValueError:
            raise OptionError(f"{name}: {text!r} is not a number") from None
    return join_signature(recipe), options


def text_of(value: Any) -> str:
    """Format a value for a signature; a number as the shortest text that reads back the same.

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
    if callable(value) and not isinstance(value, str):
        return f"{value.__module__}:{getattr(value, '__qualname__', '<unnamed>')}"
    return str(value)


def truth_of(name: str, text: str) -> bool:
    """Return the value of an option that is ``yes`` or ``no``."""
    require_known(f"value of {name}", text, ("yes", "no"))
    return text == "yes"


def check_version(signature: str, now: str) -> list[Problem]:
    """Return a warning if another version printed a signature; refuse it if numbers have changed.

    `now` is the same signature as this version prints it.
    """
    values = dict(parse_signature(now))
    version, current = dict(parse_signature(signature)).get("corefmeter"), values["corefmeter"]
    if version in (None, current):
        return []
    about = f"the signature is of corefmeter {version}, but this is {current}"
    old = _version_key(version)
    changed = [
        change.what
        for change in CHANGES
        if old < _version_key(change.version) <= _version_key(current)
        and all(
            {item.partition("=")[0] for item in values.get(option, "").split("+")} & {*concerned}
            for option, concerned in change.options.items()
        )
    ]
    if changed:
        reason = f"{about}; since then numbers changed: {'; '.join(changed)}"
        hint = "Score with that version, or leave the version out of the signature."
        raise DataError(Problem("other-version", reason, "error", hint=hint))
    is_newer = old > _version_key(current)
    note = "This version does not know the changes of a newer one." if is_newer else None
    return [Problem("other-version", about, hint=note)]


def _version_key(version: str) -> tuple[float, ...]:
    """Return the sort key of a version: 0.2.0.dev1 < 0.2.0.dev2 < 0.2.0."""
    release, development, number = version.partition(".dev")
    numbers = [int(digits) for digits in re.findall(r"\d{1,9}", release)[:3]]
    last = int("0" + "".join(re.findall(r"^\d{1,9}", number))) if development else float("inf")
    return (*numbers, *[0] * (3 - len(numbers)), last)
