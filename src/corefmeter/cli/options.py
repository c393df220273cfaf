"""Options that several commands share; those of the recipe are made from its fields."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields
from typing import Any, TypeVar

import click

from corefmeter.problems import OptionError, Problem, unknown
from corefmeter.recipe import OTHERS, Recipe
from corefmeter.units import GROUPS

Command = TypeVar("Command", bound=Callable[..., Any])

#: Field of the recipe -> other names of the option.
_SHORT = {"metrics": ("-m", "--metric", "metrics")}


def _click_option(option: Field[Any]) -> Callable[[Command], Command]:
    meta = option.metadata
    name = "--" + option.name.replace("_", "-")
    if option.name == OTHERS:
        return click.option("--option", OTHERS, multiple=True, metavar=meta["metavar"],
                            help=meta["help"])  # fmt: skip
    if option.name == "metrics":
        return click.option(*_SHORT["metrics"], multiple=True, metavar="NAME", help=meta["help"])
    if isinstance(option.default, bool):
        return click.option(name, option.name, is_flag=True, default=None, help=meta["help"])
    if meta["choices"]:
        return click.option(
            name,
            option.name,
            type=click.Choice(meta["choices"]),
            help=f"{meta['help']}  [default: {option.default}]",
        )
    return click.option(name, option.name, metavar=meta["metavar"], help=meta["help"])


def recipe_options(command: Command) -> Command:
    """Add an option for each field of the recipe, ``--preset`` and ``--recipe``."""
    return _recipe_options(command, fields(Recipe))


def _recipe_options(command: Command, options: Sequence[Field[Any]]) -> Command:
    command = click.option(
        "--preset",
        metavar="NAME",
        help="Score as a shared task or corpus does, such as corefud2024 or litbank; other options "
        "change it. An unknown name lists all.",
    )(command)
    command = signature_option(command)
    for option in reversed(options):
        command = _click_option(option)(command)
    return command


def signature_option(command: Command) -> Command:
    """Add ``--recipe``."""
    return click.option(
        "--recipe", "signature", metavar="SIGNATURE",
        help="Repeat the run that printed this signature; other options change it.",
    )(command)  # fmt: skip


#: Fields of the recipe that decide which mentions are matched.
MATCHING = (
    "match", "overlap_threshold", "align", "zeros", "singletons", "repeated", "documents"
)  # fmt: skip


def matching_options(command: Command) -> Command:
    """As `recipe_options`, only with the options that decide which mentions are matched."""
    return _recipe_options(command, [o for o in fields(Recipe) if o.name in MATCHING])


def recipe_from(signature: str | None, options: Mapping[str, Any]) -> tuple[Recipe, list[Problem]]:
    """The recipe of a command line: of the signature or preset, with the options that were given.

    Returns
    -------
    recipe, warnings

    Raises
    ------
    DataError
        For a signature of a version since which numbers have changed.
    OptionError
        For both a signature and a preset, an unknown preset, an unusable value, or an option that
        was given and has no effect.
    """
    noticed: list[Problem] = []
    given = {name: value for name, value in options.items() if value not in (None, ())}
    preset = given.pop("preset", None)
    if signature and preset:
        raise OptionError("--recipe and --preset both choose a recipe; give one of them")
    recipe = Recipe.preset(preset) if preset else Recipe()
    if signature:
        recipe = Recipe.parse(signature, noticed)
    if "metrics" in given:
        given["metrics"] = tuple(
            name for value in given["metrics"] for name in value.replace("+", ",").split(",")
        )
    if OTHERS in given:
        pairs = [text.partition("=") for text in given[OTHERS]]
        if wrong := [name for name, equals, _ in pairs if not equals]:
            raise OptionError(f"--option {wrong[0]}: write NAME=VALUE")
        given[OTHERS] = tuple((name, value) for name, _, value in pairs)
    return recipe.asked(**given), noticed


force_option = click.option(
    "--force", is_flag=True, help="Replace files that are in the folder already."
)


def output_options(command: Command) -> Command:
    """Add ``--format`` and ``--output``."""
    command = click.option(
        "-o", "--output", type=click.Path(dir_okay=False, writable=True), metavar="FILE",
        help="Write the result to a file.",
    )(command)  # fmt: skip
    return click.option(
        "-f", "--format", "format",
        type=click.Choice(["text", "json", "csv", "markdown", "latex"]), default="text",
        show_default=True, help="How the result is written.",
    )(command)  # fmt: skip


def formats_option(command: Command) -> Command:
    """Add ``--from``; see `formats_of`."""
    return click.option(
        "--from", "source_formats", metavar="FORMAT",
        help="Format of the files, if not recognised; two with a comma, of the key and of the "
        "responses, if they differ.",
    )(command)  # fmt: skip


def formats_of(text: str | None) -> tuple[str | None, str | None]:
    """The formats of key and response that ``--from`` names.

    Raises
    ------
    OptionError
        For an unknown format, or more than two.

    Examples
    --------
    >>> formats_of(None), formats_of("conllu"), formats_of("conll,inline")
    ((None, None), ('conllu', 'conllu'), ('conll', 'inline'))
    """
    if text is None:
        return None, None
    from corefmeter.formats import format_named

    names = [name.strip() for name in text.split(",")]
    if len(names) > 2:
        raise OptionError("--from names one format, or one of the key and one of the responses")
    for name in names:
        format_named(name)  # raises for an unknown one
    return names[0], names[-1]


def groups(names: tuple[str, ...]) -> list[tuple[str, str | dict[str, str]]]:
    """What ``--by`` means: a known group, or a file of two columns, document and group.

    Raises
    ------
    OptionError
        For an unknown group, a file that cannot be read, or a line that has not two columns.
    """
    from corefmeter.formats.source import table_lines

    found: list[tuple[str, str | dict[str, str]]] = []
    for name in names:
        if name in GROUPS:
            found.append((name, name))
            continue
        if not os.path.isfile(name):
            raise unknown("group", name, [*GROUPS, "FILE"])
        mapping = {}
        for number, line in enumerate(table_lines(name), 1):
            if not line.strip():
                continue
            document, tab, group = line.partition("\t")
            if not tab:
                raise OptionError(
                    f"{name}:{number}: not two columns; write document, TAB, group on each line"
                )
            mapping[document.strip()] = group.strip()
        found.append((os.path.splitext(os.path.basename(name))[0], mapping))
    return found


def named(arguments: Sequence[str]) -> tuple[list[str], list[str | None]]:
    """The paths of arguments ``FILE`` or ``NAME=FILE``, and the names that were given.

    What exists is a file, also with ``=``; a name holds no ``/`` and no ``*``, ``?`` or ``[``.

    Raises
    ------
    OptionError
        When a name is given twice.

    Examples
    --------
    >>> named(["base=out/a.conll", "b.conll", "out/lr=1/c.conll"])
    (['out/a.conll', 'b.conll', 'out/lr=1/c.conll'], ['base', None, None])
    """
    paths: list[str] = []
    names: list[str | None] = []
    for argument in arguments:
        name, _, path = argument.partition("=")
        if not name or not path or set(name) & set("/*?[" + os.sep) or os.path.exists(argument):
            paths.append(argument)
            names.append(None)
            continue
        if name in names:
            raise OptionError(f"the name {name!r} is given twice; give each response its own")
        paths.append(path)
        names.append(name)
    return paths, names
