"""Options that several commands share; those of the recipe are made from its fields."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, fields
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import click

from corefmeter.cli.help import Choice, combine_options, complete_from, option
from corefmeter.metrics import DEFAULT
from corefmeter.problems import OptionError, Problem, amount, unknown
from corefmeter.recipe import COMPUTED, MATCHED, OTHERS, POLICIES, Recipe
from corefmeter.reports import FORMATS, UNROUNDED, write_report, write_warnings
from corefmeter.reports.scores import Layout, layout_in
from corefmeter.reports.tables import DIGITS, Report
from corefmeter.signature import Named
from corefmeter.units import GROUPS

Command = TypeVar("Command", bound=Callable[..., Any])

#: Headings that several commands share, beside those of the recipe.
INPUT, OUTPUT, SHOWN, LAYOUT = "Input", "Output", "What to show", "Layout"


def _recipe_option(
    field: Field[Any], metrics: Sequence[str] = DEFAULT
) -> Callable[[Command], Command]:
    """Return the option of a field of the recipe; None when it was not given."""
    meta = {name: field.metadata[name] for name in ("group", "help", "rare", "metavar")}
    if field.name == "metrics":
        meta |= {"metavar": "NAME", "shell_complete": complete_from("metrics")}
        meta["usual"] = ", ".join(metrics)
        return option("-m", "--metric", "metrics", multiple=True, **meta)
    meta["settable"] = True
    name = "--" + field.name.replace("_", "-")
    if isinstance(field.default, bool):
        return option(name, field.name, is_flag=True, default=None, **meta)
    if isinstance(field.default, str | float):
        meta["usual"] = field.default
    if choices := field.metadata["choices"]:
        meta["type"] = Choice(choices)
    return option(name, field.name, **meta)


def recipe_options(command: Command, metrics: Sequence[str] = DEFAULT) -> Command:
    """Add an option for each field of the recipe, ``--preset`` and ``--recipe``.

    `metrics` are those of the command when none are asked for.
    """
    of_texts = [o for o in fields(Recipe) if o.metadata["texts"]]
    return _recipe_options(command, of_texts, metrics)


def _recipe_options(
    command: Command, options: Sequence[Field[Any]], metrics: Sequence[str] = DEFAULT
) -> Command:
    command = set_option(command)
    for field in reversed(options):
        if field.name not in ("metrics", OTHERS):
            command = _recipe_option(field)(command)
    command = signature_option(command)
    command = option(
        "--preset",
        metavar="NAME",
        group=COMPUTED,
        shell_complete=complete_from("presets"),
        help="Score as a shared task does, such as corefud2025. Other options change it. "
        '"corefmeter list presets" names all.',
    )(command)
    if options[0].name == "metrics":
        command = _recipe_option(options[0], metrics)(command)
    return command


def _complete_setting(context: click.Context, _: click.Parameter, incomplete: str) -> Any:
    from corefmeter.cli.spelling import complete_setting

    return complete_setting(context.command, incomplete)


set_option = option(
    "--set",
    OTHERS,
    metavar="NAME=VALUE",
    multiple=True,
    group=POLICIES,
    rare=True,
    formerly=("--option",),
    shell_complete=_complete_setting,
    help='Set another option. "corefmeter list policies" explains all. Repeatable.',
)

signature_option = option(
    "--recipe",
    "signature",
    metavar="SIGNATURE",
    group=COMPUTED,
    rare=True,
    help="Repeat the run that printed this signature. Other options change it.",
)


def matching_options(command: Command) -> Command:
    """Add those of `recipe_options` that decide which mentions are matched."""
    return _recipe_options(command, [o for o in fields(Recipe) if o.name in MATCHED])


def agreement_options(command: Command) -> Command:
    """Add those of `recipe_options` that apply to equal sides, such as annotators."""
    names = ("metrics", "singletons", "repeated", "identity", "average", "undefined")
    return _recipe_options(command, [o for o in fields(Recipe) if o.name in names])


def table_options(command: Command) -> Command:
    """Add `recipe_options` without those that do not apply to tables."""
    of_tables = [
        o
        for o in fields(Recipe)
        if o.metadata["tables"] != (o.default,) and o.name != "lea_importance"  # sees mentions
    ]
    return _recipe_options(command, of_tables)


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
        For both a signature and a preset, an unknown preset, an unusable value, an option that was
        given and has no effect, or a signature that names a function, unless the option is given.
    """
    noticed: list[Problem] = []
    given = {name: value for name, value in options.items() if value not in (None, ())}
    preset = given.pop("preset", None)
    if signature is not None and preset is not None:
        raise OptionError("--recipe and --preset both choose a recipe; give one of them")
    recipe = Recipe() if preset is None else Recipe.preset(preset)
    if signature is not None:
        recipe = Recipe.parse(signature, noticed)
    if "metrics" in given:
        given["metrics"] = tuple(
            name for value in given["metrics"] for name in value.replace("+", ",").split(",")
        )
    if OTHERS in given:
        pairs = [text.partition("=") for text in given[OTHERS]]
        given[OTHERS] = tuple((name, value) for name, _, value in pairs)
    recipe = recipe.asked(**given)
    _refuse_read_functions(recipe)
    return recipe, noticed


def _refuse_read_functions(recipe: Recipe) -> None:
    """Refuse to import what a signature names: somebody else may have written it."""
    ours = {option.name: getattr(recipe, option.name) for option in fields(Recipe)}
    for name, value in [*ours.items(), *recipe.others]:
        if isinstance(value, Named):
            option = f"--{name.replace('_', '-')} " if name in ours else f"--set {name}="
            raise OptionError(
                f"the signature names a function, and what is read is never imported; if you trust "
                f"it, give it again: {option}{value}"
            )


force_option = option(
    "--force", is_flag=True, group=OUTPUT, rare=True, help="Replace files that are there already."
)


def quiet_option_except(still: str) -> Callable[[Command], Command]:
    """Return a decorator that adds ``--quiet`` where warnings are kept in another place."""
    return option("--quiet", is_flag=True, group=OUTPUT, help=f"Print no warnings. {still}")


quiet_option = quiet_option_except("They are still in JSON.")
strict_option = option(
    "--strict", is_flag=True, group=INPUT, help="Also compare the words of key and response."
)


def _output(help: str) -> Callable[[Any], Any]:
    return option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, writable=True),
        metavar="FILE",
        group=OUTPUT,
        is_eager=True,
        help=help,
    )


output_option = _output("Write the result to a file.")

#: The formats of files with these endings.
_ENDINGS = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}


def output_in(*formats: str) -> Callable[[Any], Any]:
    """Return a decorator that adds ``--format`` and ``--output``, whose ending may set it."""

    def by_name(context: click.Context, _: click.Parameter, format: str | None) -> str:
        name: str = context.params.get("output") or ""
        return format or endings.get(os.path.splitext(name)[1].lower(), "text")

    endings = {ending: format for ending, format in _ENDINGS.items() if format in formats}
    *first, last = endings
    names = f"{', '.join(first)} or {last}" if first else last
    return combine_options(
        option(
            "-f",
            "--format",
            "format",
            type=Choice(formats),
            usual="text",
            group=OUTPUT,
            callback=by_name,
            help="Format.",
        ),
        _output(f"Write the result to a file. A name in {names} sets the format."),
    )


class Output(NamedTuple):
    """Output options of a report: ``--format``, ``--output``, ``--digits`` and the like."""

    format: str
    path: str | None
    digits: int | None
    quiet: bool
    signature: str

    def warn(self, problems: Sequence[Problem]) -> None:
        """Print warnings, if they are wanted."""
        if not self.quiet:
            write_warnings(problems, sys.stderr)

    def write(self, report: Report, problems: Sequence[Problem] = ()) -> None:
        """Write the report, and print warnings below it if they are wanted."""
        write_report(report, self.format, self.path, self.digits, self.signature)
        self.warn(problems)


def output_options(command: Callable[..., Any]) -> Any:
    """Add the options of tables, such as ``--format``: the `Output` of a command.

    `shown_signature_option` is for reports that know which options are usual.
    """

    @wraps(command)
    def given(
        format: str,
        output: str | None,
        digits: int | None,
        shown_signature: str = "short",
        quiet: bool = False,
        **options: Any,
    ) -> Any:
        return command(output=Output(format, output, digits, quiet, shown_signature), **options)

    return output_in(*FORMATS)(digits_option(given))


digits_option = option(
    "--digits",
    type=click.IntRange(0, 15),
    metavar="N",
    usual=DIGITS,
    group=OUTPUT,
    rare=True,
    help="Decimals shown. JSON and CSV are exact.",
)


shown_signature_option = option(
    "--signature",
    "shown_signature",
    type=Choice(["short", "full"]),
    default="short",
    group=LAYOUT,
    rare=True,
    help="Signature below a table: options that are not at their default, or all. Files have all.",
)

rows_option = option(
    "--rows",
    type=Choice(["metrics", "systems"]),
    group=LAYOUT,
    rare=True,
    help="Rows of the table. Default: metrics, in LaTeX systems.",
)
order_option = option(
    "--order",
    type=Choice(["rpf", "prf"]),
    envvar="COREFMETER_ORDER",
    hidden=True,
    group=LAYOUT,
    rare=True,
    help="Order of recall, precision and F1. By default rpf, and prf in LaTeX and Markdown, or as "
    "the environment variable COREFMETER_ORDER says.",
)

#: How tables of scores are laid out.
layout_options = combine_options(
    rows_option,
    order_option,
    option(
        "--rounding",
        type=Choice(["nearest", "official"]),
        default="nearest",
        group=LAYOUT,
        rare=True,
        help="Second decimal of scores: rounded, or cut as the official scorer v8.01 does.",
    ),
)


def layout_of(
    format: str, digits: int | None, rows: str | None, order: str | None, rounding: str
) -> Layout:
    """Return the layout of tables that `layout_options` ask for.

    Raises
    ------
    OptionError
        For `rounding` with other decimals than those of v8.01, or where nothing is rounded.
    """
    if rounding == "official" and (digits not in (None, 2) or format in UNROUNDED):
        raise OptionError("--rounding official is of tables with two decimals")
    return layout_in(format, rows, order, rounding)


#: The exit status where all was done, and a limit of the user is not reached.
UNREACHED = 4

fail_on_option = option(
    "--fail-on",
    type=Choice(["warning"]),
    group=OUTPUT,
    rare=True,
    help=f"End with status {UNREACHED} if there is a warning.",
)


def fails_on_warnings(fail_on: str | None, problems: Iterable[Problem]) -> bool:
    """Say how many warnings there are if ``--fail-on`` forbids them; whether that is so."""
    number = sum(p.count for p in dict.fromkeys(problems) if p.severity == fail_on)
    if number:
        click.echo(f"Error: {amount(number, 'warning')} (--fail-on warning)", err=True)
    return number > 0


def written_options(what: str) -> Callable[[Any], Any]:
    """Return a decorator that adds ``--write`` and ``--to``, for a corpus written in addition."""
    return combine_options(
        option(
            "--write",
            "target",
            type=click.Path(),
            metavar="OUT",
            group=OUTPUT,
            help=f"Write {what} to a file or, with a slash, a folder.",
        ),
        option(
            "--to",
            "target_format",
            metavar="FORMAT",
            group=OUTPUT,
            shell_complete=complete_from("formats"),
            help="Its format. By default it is known from the ending of its name.",
        ),
    )


source_format_option = option(
    "--from",
    "source_format",
    metavar="FORMAT",
    group=INPUT,
    shell_complete=complete_from("formats"),
    help='Format of the files, where it is not recognised. "corefmeter list formats" names all.',
)


identity_option = option(
    "--identity",
    group=INPUT,
    rare=True,
    metavar="NAME",
    help=next(one.metadata["help"] for one in fields(Recipe) if one.name == "identity"),
)

#: For files of one side.
source_options = combine_options(
    source_format_option,
    identity_option,
    option(
        "--documents",
        type=Choice(["official", "concatenate"]),
        default="official",
        group=INPUT,
        help="Documents of the same name. They are refused, or joined (concatenate).",
    ),
)


side_option = option(
    "--side",
    type=Choice(["key", "response"]),
    default="key",
    group=INPUT,
    help="Which side to read from a file that holds both.",
)


#: The formats of key and responses; see `formats_of`.
formats_option = option(
    "--from",
    "source_formats",
    metavar="FORMAT",
    group=INPUT,
    shell_complete=complete_from("formats"),
    help="Format of the files, where it is not recognised. Two, as in conll,inline, are of key and "
    'responses. "corefmeter list formats" names all.',
)


pronouns_option = option(
    "--pronouns",
    metavar="LANGUAGE",
    group=SHOWN,
    rare=True,
    settable=True,
    help="Where there are no parts of speech, take pronouns from the list of a language (en, de, "
    "nl).",
)

#: What a closer look at responses needs to know.
analysis_options = combine_options(pronouns_option, recipe_options, formats_option, strict_option)


def formats_of(text: str | None) -> tuple[str | None, str | None]:
    """Return the formats of key and response that ``--from`` names.

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
    """Parse ``--by``: a known group, or a file of two columns, document and group.

    Raises
    ------
    OptionError
        For an unknown group, a file that cannot be read, a line that has not two columns, or a
        document that is put into two groups.
    """
    from corefmeter.formats.source import table_lines

    found: list[tuple[str, str | dict[str, str]]] = []
    for name in names:
        if name in GROUPS:
            found.append((name, name))
            continue
        if not os.path.isfile(name):
            _require_group(name)
            found.append((name, name))
            continue
        mapping: dict[str, str] = {}
        for number, line in enumerate(table_lines(name), 1):
            if not line.strip():
                continue
            document, tab, group = line.partition("\t")
            if not tab:
                raise OptionError(
                    f"{name}:{number}: not two columns; write document, TAB, group on each line"
                )
            document, group = document.strip(), group.strip()
            if mapping.setdefault(document, group) != group:
                raise OptionError(f"{name}:{number}: {document!r} is in {mapping[document]!r} too")
        found.append((os.path.splitext(os.path.basename(name))[0], mapping))
    return found


def _require_group(name: str) -> None:
    """Refuse a group that documents of no format have."""
    from corefmeter.formats import in_order
    from corefmeter.mentions.features import FEATURES

    if name in FEATURES:
        what = f"{name!r} is a feature of mentions, not of documents"
        raise OptionError(f'{what}; "corefmeter errors --feature {name}" breaks down by it')
    if not any(name in format.groups for format in in_order()):
        raise unknown("group", name, [*GROUPS, "FILE"])


def named_paths(arguments: Sequence[str]) -> tuple[list[str], list[str | None]]:
    """Return the paths of arguments ``FILE`` or ``NAME=FILE``, and the names that were given.

    What exists is a file, also with ``=``; a name holds no ``/`` and no ``*``, ``?`` or ``[``.

    Raises
    ------
    OptionError
        When a name is given twice.

    Examples
    --------
    >>> named_paths(["base=out/a.conll", "b.conll", "out/lr=1/c.conll"])
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
