"""``--set NAME=VALUE``, which sets any option that is `settable`; loaded when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from corefmeter.problems import OptionError, unknown
from corefmeter.recipe import OTHERS


def settable(command: click.Command) -> dict[str, Any]:
    """Return the options of a command that ``--set`` knows, by name."""
    known = (option for option in command.params if getattr(option, "settable", False))
    return {max(option.opts, key=len).lstrip("-").replace("-", "_"): option for option in known}


def apply_settings(context: click.Context) -> None:
    """Move each NAME=VALUE of ``--set`` to its option; options of other packages' metrics stay."""
    known = settable(context.command)
    of_others: list[str] = []
    for text in context.params[OTHERS]:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            raise OptionError(f"--set {text}: write NAME=VALUE")
        if (option := known.get(name)) is None:
            from corefmeter.metrics import options_of_others

            if name not in (others := options_of_others()):
                raise unknown("option", name, [*known, *others])
            of_others.append(f"{name}={value}")
        elif context.params.get(option.name) is not None:
            raise OptionError(f"{name} is given twice")
        else:
            context.params[option.name] = _convert_value(name, option, value, context)
    context.params[OTHERS] = tuple(of_others)


def _convert_value(name: str, option: Any, text: str, context: click.Context) -> Any:
    if (known := _allowed_values(option)) and text not in known:
        raise unknown(f"value of {name}", text, known)
    if option.is_flag:
        return text == "yes"
    try:
        return option.type.convert(text, option, context)
    except click.BadParameter as error:
        raise OptionError(f"{name}: {error.message}") from None


def _allowed_values(option: Any) -> Sequence[str]:
    return ("yes", "no") if option.is_flag else option.choices


def complete_setting(command: click.Command, incomplete: str) -> list[CompletionItem]:
    """Complete a name, with its ``=``, or the value behind it."""
    known = settable(command)
    name, equals, value = incomplete.partition("=")
    name = name.replace("-", "_")
    if not equals:
        matching = {key: option for key, option in known.items() if key.startswith(name)}
        return [CompletionItem(f"{key}=", help=option.help) for key, option in matching.items()]
    values = _allowed_values(known[name]) if name in known else ()
    return [CompletionItem(f"{name}={text}") for text in values if text.startswith(value)]
