"""Other ways to write an option: ``--set NAME=VALUE``, and the names that it had before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from corefmeter.problems import OptionError, unknown
from corefmeter.recipe import OTHERS


def current_names(
    params: Sequence[click.Parameter], arguments: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Replace names that options had before by those of now, and say which.

    Returns
    -------
    arguments, warnings
    """
    now = {old: max(one.opts, key=len) for one in params for old in getattr(one, "formerly", ())}
    found, told = list(arguments), []
    for place, word in enumerate(arguments):
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if name in now:
            found[place] = now[name] + equals + value
            told.append(f"warning: {name} is now {now[name]}; the old name will be removed")
    return found, list(dict.fromkeys(told))


def settable(command: click.Command) -> dict[str, Any]:
    """The options of a command that ``--set`` knows, by name."""
    known = (one for one in command.params if getattr(one, "settable", False))
    return {max(one.opts, key=len).lstrip("-").replace("-", "_"): one for one in known}


def apply_settings(context: click.Context) -> None:
    """Move each NAME=VALUE of ``--set`` to the option that it names.

    Raises
    ------
    OptionError
        For a name or a value that is not known, with the nearest, and for an option that is given
        twice.
    """
    texts = context.params.get(OTHERS) or ()
    known = settable(context.command)
    left: list[str] = []
    for text in texts:
        written, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"--set {text}: write NAME=VALUE")
        name = written.strip().replace("-", "_")
        if (option := known.get(name)) is None:
            from corefmeter.metrics import options_of_others

            if name not in (others := options_of_others()):
                raise unknown("option", name, [*known, *others])
            left.append(f"{name}={value}")
        elif context.params.get(option.name) is not None:
            raise OptionError(f"{name} is given twice")
        else:
            context.params[option.name] = _value(name, option, value, context)
    if texts:
        context.params[OTHERS] = tuple(left)


def _value(name: str, option: Any, text: str, context: click.Context) -> Any:
    """The value of an option from its text."""
    if (known := _values(option)) and text not in known:
        raise unknown(f"value of {name}", text, known)
    if option.is_flag:
        return text == "yes"
    try:
        return option.type.convert(text, option, context)
    except click.BadParameter as error:
        raise OptionError(f"{name}: {error.message}") from None


def complete_setting(
    context: click.Context, _: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a name, with its ``=``, or the value behind it."""
    known: Mapping[str, Any] = settable(context.command)
    name, equals, value = incomplete.partition("=")
    name = name.replace("-", "_")
    if not equals:
        return [
            CompletionItem(f"{n}=", help=o.help) for n, o in known.items() if n.startswith(name)
        ]
    values = _values(known[name]) if name in known else ()
    return [CompletionItem(f"{name}={one}") for one in values if one.startswith(value)]


def _values(option: Any) -> Sequence[str]:
    """The values of an option that has no others."""
    return ("yes", "no") if option.is_flag else option.choices
