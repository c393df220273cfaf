"""Signatures: how a number was made, in one line that can be read back.

``name:value`` pairs joined by ``|``, first the version of the program; values of several items are
joined by ``+``, and an item with a number is ``item=number``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from corefmeter.problems import DataError, OptionError, Problem, unknown


class Change(NamedTuple):
    """Numbers that are new in a version of the program.

    It concerns signatures in which each of `options` has one of the values; `what` ends a sentence.
    """

    version: str
    what: str
    options: Mapping[str, Sequence[str]]


#: Every change of a number since the first release; see *Score changes* in CHANGELOG.md.
CHANGES: tuple[Change, ...] = ()


class Named(str):
    """The name of a function as it was read, ``module:function``: reading never imports.

    A recipe keeps it in the place of the function, for display and comparison.
    """

    __slots__ = ()

    def __call__(self, *_: Any) -> float:
        """Refuse to be called."""
        raise OptionError(
            f"{str(self)!r} was read, and what is read is never imported: give the function itself"
        )


def join_signature(pairs: Iterable[tuple[str, Any]]) -> str:
    """Return names and values in one line."""
    return "|".join(f"{name}:{text_of(value)}" for name, value in pairs)


def parse_signature(signature: str) -> list[tuple[str, str]]:
    """Return the names and values of a signature, as text.

    Examples
    --------
    >>> parse_signature("corefmeter:0.1.0|metrics:muc+b3")
    [('corefmeter', '0.1.0'), ('metrics', 'muc+b3')]
    """
    pairs: list[tuple[str, str]] = []
    for pair in signature.strip().split("|"):
        # A terminal may have folded it there.
        name, colon, text = pair.strip().partition(":")
        if not colon:
            raise OptionError(f"not a signature: {pair!r} is not of the form name:value")
        if name in dict(pairs):
            raise OptionError(f"not a signature: it names {name} twice")
        pairs.append((name, text))
    return pairs


def short_signature(signature: str, usual: str) -> str:
    """Leave out of a signature all but the version that is as in a usual one.

    It is parsed as the whole one is: an option that it does not name has its default.

    Examples
    --------
    >>> short_signature("corefmeter:1.0|metrics:lea|match:exact", "metrics:muc|match:exact")
    'corefmeter:1.0|metrics:lea'
    """
    known = parse_signature(usual)
    pairs = parse_signature(signature)
    return join_signature(pair for pair in pairs if pair not in known or pair[0] == "corefmeter")


def split_signature(signature: str, own: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Separate the options of a command from those of the recipe in a signature.

    `own` are the command's options with their defaults, text or numbers.

    Examples
    --------
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
    if callable(value) and not isinstance(value, str):
        return f"{value.__module__}:{getattr(value, '__qualname__', '<unnamed>')}"
    return str(value)


def truth_of(name: str, text: str) -> bool:
    """Return the value of an option that is ``yes`` or ``no``."""
    if text not in ("yes", "no"):
        raise unknown(f"value of {name}", text, ("yes", "no"))
    return text == "yes"


def check_version(signature: str, now: str) -> list[Problem]:
    """Warn of a signature that another version printed; refuse it where numbers have changed.

    `now` is the same signature in today's form.
    """
    values = dict(parse_signature(now))
    version, current = dict(parse_signature(signature)).get("corefmeter"), values["corefmeter"]
    if version in (None, current):
        return []
    about = f"the signature is of corefmeter {version}, and this is {current}"
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
        advice = "Score with that version, or leave it out of the signature."
        raise DataError(Problem("other-version", reason, "error", hint=advice))
    newer = old > _version_key(current)
    hint = "The changes of a newer version are unknown here." if newer else None
    return [Problem("other-version", about, hint=hint)]


def _version_key(version: str) -> tuple[float, ...]:
    """Return the sort key of a version: 0.2.0.dev1 < 0.2.0.dev2 < 0.2.0."""
    release, development, number = version.partition(".dev")
    numbers = [int(digits) for digits in re.findall(r"\d{1,9}", release)[:3]]
    last = int("0" + "".join(re.findall(r"^\d{1,9}", number))) if development else float("inf")
    return (*numbers, *[0] * (3 - len(numbers)), last)
