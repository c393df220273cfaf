"""Pages of help: ``-h`` with the usual options on one screen, ``--help`` with all of them.

Options are listed below the heading that each declares. The first sentence of an option's help is
on both pages; what follows it, and options that are rarely used, are on that of ``--help``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import click

from corefmeter.problems import unknown
from corefmeter.recipe import OTHERS

Function = TypeVar("Function", bound=Callable[..., Any])

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:  # that of older versions has no parameter
    _Choice = click.Choice

#: A file, folder, glob or name of one: shells complete it, and whoever reads it checks it.
FILE = click.Path(readable=False)

#: The heading of the overview for commands that name none.
OTHER_PACKAGES = "Other packages"

#: How wide the names of options may be before the text begins on the next line.
_NAMES = 22


class Choice(_Choice):
    """One of some names; of one that is misspelt, the nearest is named."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, or raise an error that lists the known ones."""
        if value in self.choices:
            return str(value)
        names = param.opts if isinstance(param, click.Option) else []
        kind = f"value of {max(names, key=len)}" if names else "value"
        raise click.UsageError(str(unknown(kind, value, self.choices)), ctx)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return no message, since the usage, which the error shows, has the names."""
        return ""


class Option(click.Option):
    """An option under a heading, its `group`.

    ``-h`` only names a `rare` option. `usual` is the value that holds when it is not given, if that
    is not its default. A `settable` option is set by ``--set`` too; if it is also rare, help does
    not show it. The names `formerly` still work, with a warning.
    """

    def __init__(
        self,
        *arguments: Any,
        group: str = "Options",
        rare: bool = False,
        usual: object = None,
        settable: bool = False,
        formerly: Sequence[str] = (),
        **attributes: Any,
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.hidden = self.hidden or (settable and rare)
        self.group, self.rare, self.settable, self.formerly = group, rare, settable, formerly
        self.usual = attributes.get("default") if usual is None else usual
        self.choices = list(self.type.choices) if isinstance(self.type, click.Choice) else []
        if self.choices and self.metavar is None:
            self.metavar = "NAME"

    def row(self, context: click.Context, brief: bool) -> tuple[str, str]:
        """Return the names of the option, and its help: if `brief`, only the first sentence."""
        names, _ = self.get_help_record(context) or ("", "")
        first, _, rest = (self.help or "").partition(". ")
        first = first.removesuffix(".")
        if self.name == OTHERS:
            from corefmeter.cli.spelling import settable

            known = settable(context.command)
            first += ": " + ", ".join(name for name, one in known.items() if one.hidden)
        elif self.choices:
            shown = (f"{c} (default)" if c == self.usual else str(c) for c in self.choices)
            first += ": " + ", ".join(shown)
        elif self.usual is not None and not self.is_flag:
            first += f" (default: {self.usual})"
        return names, f"{first}." if brief or not rest else f"{first}. {rest}"


class Command(click.Command):
    """A command whose options are shown in groups.

    `section` is its heading in the overview, if it is of another package. Of the headings `aside`
    ``-h`` only names the options, and ``--help`` is short.
    """

    def __init__(
        self,
        *arguments: Any,
        section: str = OTHER_PACKAGES,
        aside: Sequence[str] = (),
        **attributes: Any,
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.section, self.aside = section, aside
        shown: Any = {"is_flag": True, "is_eager": True, "expose_value": False}
        self.params.append(click.Option(["-h"], callback=self._show_brief, **shown))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments, with former names of options and what ``--set`` sets."""
        renamed = {
            old: max(option.opts, key=len)
            for option in self.params
            for old in getattr(option, "formerly", ())
        }
        warnings = []
        for place, word in enumerate(args):
            name, equals, value = word.partition("=")
            if word == "--":
                break
            if new := renamed.get(name):
                args[place] = new + equals + value
                warnings.append(f"warning: {name} is now {new}; the old name will be removed")
        rest = super().parse_args(ctx, args)
        if ctx.params.get(OTHERS) and not ctx.resilient_parsing:
            from corefmeter.cli.spelling import apply_settings

            apply_settings(ctx)
        if warnings and not ctx.params.get("quiet"):
            click.echo("\n".join(dict.fromkeys(warnings)), err=True)
        return rest

    def _show_brief(self, context: click.Context, _: click.Parameter, asked: bool) -> None:
        if asked and not context.resilient_parsing:
            context.meta["brief"] = True
            click.echo(self.get_help(context))
            context.exit()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below their headings."""
        brief = ctx.meta.get("brief", False)
        shown: dict[str, list[tuple[str, str]]] = {}
        rare: dict[str, list[str]] = {}
        for option in self.params:
            if not isinstance(option, Option) or option.hidden:
                continue
            if brief and (option.rare or option.group in self.aside):
                rare.setdefault(option.group, []).append(max(option.opts, key=len))
            else:
                in_short = brief or (option.group in self.aside and option.settable)
                shown.setdefault(option.group, []).append(option.row(ctx, in_short))
        widths = [len(names) for rows in shown.values() for names, _ in rows]
        room = max((width for width in widths if width <= _NAMES), default=0)
        for heading, rows in shown.items():
            with formatter.section(heading):
                for names, text in rows:
                    _write_row(names, text, room, formatter)
        if brief and shown:
            # A heading without a usual option stands for its options.
            more = [name for heading in rare if heading in shown for name in rare[heading]]
            more += [heading.lower() for heading in rare if heading not in shown]
            text = f'"{ctx.command_path} --help" explains all options'
            text += f", also {', '.join(more)}." if more else "."
            formatter.write("\n" + "\n".join(_wrap(text, formatter.width)) + "\n")


class Group(click.Group):
    """A command of commands whose options are shown in groups; one that is misspelt is guessed."""

    command_class = Command

    def __init__(
        self,
        *arguments: Any,
        section: str = OTHER_PACKAGES,
        formerly: Mapping[str, Sequence[str]] | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.section, self.formerly = section, formerly or {}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the first argument; suggest the nearest one if it is unknown."""
        if args and args[0] in self.formerly:
            now = self.formerly[args[0]]
            click.echo(f"warning: {args[0]} is now {' '.join(now)}", err=True)
            args = [*now, *args[1:]]
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            known = self.list_commands(ctx)
            raise click.UsageError(str(unknown("command", args[0], known)), ctx)
        return super().resolve_command(ctx, args)


def _wrap(text: str, width: int) -> list[str]:
    """Return lines in which no name is broken at a hyphen."""
    from textwrap import wrap

    return wrap(text, width, break_on_hyphens=False, break_long_words=False)


def _write_row(names: str, text: str, room: int, formatter: click.HelpFormatter) -> None:
    """Write an option: its names, and its text next to them or, if they are long, below them."""
    lines = _wrap(text, formatter.width - room - 4)
    if len(names) > room:
        lines.insert(0, "")
    formatter.write(f"  {names.ljust(room)}  {lines[0]}".rstrip() + "\n")
    formatter.write("".join(f"{'':{room + 4}}{line}\n" for line in lines[1:]))


def complete_from(what: str) -> Callable[..., Any]:
    """Return a completion callback that calls a function of `corefmeter.cli.names`."""

    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> Any:
        from importlib import import_module

        return getattr(import_module("corefmeter.cli.names"), what)(incomplete)

    return complete


def command(**attributes: Any) -> Callable[[Callable[..., Any]], Command]:
    """Declare a command like `click.command`, with options in groups."""
    return click.command(cls=Command, **attributes)


def option(*names: str, **attributes: Any) -> Callable[[Function], Function]:
    """Declare an option like `click.option`, as an `Option`."""
    return click.option(*names, cls=Option, **attributes)


def combine_options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a decorator that adds several options in this order."""

    def add(command: Any) -> Any:
        for one in reversed(options):
            command = one(command)
        return command

    return add


def progress_bar(label: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """Return a progress bar where standard error is a terminal; it does nothing elsewhere."""
    if sys.stderr.isatty():
        from corefmeter.cli.progress import Progress

        return Progress(label)
    return nullcontext(lambda done, total: None)
