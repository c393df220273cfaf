"""Options that several commands share; those of the recipe are made from its fields."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import Field, fields
from functools import partial, wraps
from typing import Any, NamedTuple, TypeVar

import click

from corefmeter.cli.help import Choice, combine_options, complete_from, option
from corefmeter.metrics import DEFAULT
from corefmeter.problems import OptionError, Problem, amount
from corefmeter.recipe import COMPUTED, MATCHED, OTHERS, POLICIES, Recipe
from corefmeter.reports import FORMATS, UNROUNDED, write_report, write_warnings
from corefmeter.reports.scores import Layout, layout_in
from corefmeter.reports.tables import DIGITS, Report
from corefmeter.signature import Named

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Any], Any]

#: Headings that several commands share, beside those of the recipe.
INPUT, OUTPUT, SHOWN, LAYOUT = "Input", "Output", "What to show", "Layout"

#: Declare an option below one of these headings.
read_option, write_option, show_option, layout_option = (
    partial(option, group=heading) for heading in (INPUT, OUTPUT, SHOWN, LAYOUT)
)

# How to score


def field_option(
    field: Field[Any], name: str = "", rare: bool = False, **attributes: Any
) -> Decorator:
    """Return the option of a field of a recipe or plan; its value is None if it is not given."""
    attributes |= {key: field.metadata[key] for key in ("group", "help", "rare", "metavar")}
    attributes["rare"] |= rare
    name = name or "--" + field.name.replace("_", "-")
    if isinstance(field.default, bool):
        return option(name, field.name, is_flag=True, default=None, settable=True, **attributes)
    if choices := field.metadata["choices"]:
        attributes["type"] = Choice(choices)
    return option(name, field.name, settable=True, usual=field.default or None, **attributes)


def _metric_option(field: Field[Any], usual: Sequence[str]) -> Decorator:
    return option(
        *("-m", "--metric", "metrics"),
        multiple=True,
        metavar="NAME",
        usual=", ".join(usual),
        group=field.metadata["group"],
        shell_complete=complete_from("metrics"),
        help=field.metadata["help"],
    )


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
    help='Set any other option. "corefmeter list policies" explains all. Repeatable.',
)
preset_option = option(
    "--preset",
    metavar="NAME",
    group=COMPUTED,
    shell_complete=complete_from("presets"),
    help="Settings of a shared task, such as corefud2025. Other options override "
    'them. "corefmeter list presets" lists all.',
)
signature_option = option(
    "--recipe",
    "signature",
    metavar="SIGNATURE",
    group=COMPUTED,
    rare=True,
    help="Repeat the run that printed this signature. Other options override its options.",
)


def _recipe_options(
    wanted: Callable[[Field[Any]], bool],
    metrics: Sequence[str] = DEFAULT,
    rare: Sequence[str] = (),
) -> Decorator:
    """Return a decorator that adds the options of some fields, ``--preset`` and ``--recipe``.

    `metrics` are those of the command when none are asked for; help shows the `rare` options by
    name only.
    """
    chosen = {one.name: one for one in fields(Recipe) if wanted(one) and one.name != OTHERS}
    of_metrics = [_metric_option(chosen.pop("metrics"), metrics)] if "metrics" in chosen else []
    others = (field_option(field, rare=field.name in rare) for field in chosen.values())
    return combine_options(*of_metrics, preset_option, signature_option, *others, set_option)


def options_of_texts(metrics: Sequence[str], rare: Sequence[str] = ()) -> Decorator:
    """Return `recipe_options` for a command with other metrics or more rare options."""
    return _recipe_options(lambda field: bool(field.metadata["texts"]), metrics, rare)


def options_of_tables(metrics: Sequence[str]) -> Decorator:
    """Return the options that apply to tables, where an importance of LEA sees no mentions."""

    def applies(field: Field[Any]) -> bool:
        return field.metadata["tables"] != (field.default,) and field.name != "lea_importance"

    return _recipe_options(applies, metrics, rare=("repeated",))


#: All that apply to documents.
recipe_options = options_of_texts(DEFAULT)
#: Those that decide which mentions are matched.
matching_options = _recipe_options(lambda field: field.name in MATCHED)
#: Those that apply to equal sides, such as annotators.
_AGREEMENT = ("metrics", "singletons", "repeated", "identity", "average", "undefined")
agreement_options = _recipe_options(lambda field: field.name in _AGREEMENT, rare=("repeated",))


def recipe_from(signature: str | None, options: Mapping[str, Any]) -> tuple[Recipe, list[Problem]]:
    """Return the recipe of a command line, and warnings.

    It is that of the signature or preset, with the options that were given.
    """
    noticed: list[Problem] = []
    given = {name: value for name, value in options.items() if value not in (None, ())}
    preset = given.pop("preset", None)
    if signature is not None and preset is not None:
        raise OptionError("--recipe and --preset both set all options; use only one of them")
    recipe = Recipe() if preset is None else Recipe.preset(preset)
    if signature is not None:
        recipe = Recipe.parse(signature, noticed)
    if "metrics" in given:
        given["metrics"] = ",".join(given["metrics"])
    if OTHERS in given:
        given[OTHERS] = tuple(tuple(text.split("=", 1)) for text in given[OTHERS])
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
                "the signature names a function, and functions named in a signature are never "
                f"imported. If you trust it, pass it explicitly: {option}{value}"
            )


force_option = write_option("--force", is_flag=True, rare=True, help="Replace existing files.")


def quiet_option_except(still: str) -> Decorator:
    """Return a decorator that adds ``--quiet`` where warnings are kept in another place."""
    return write_option("--quiet", is_flag=True, help=f"Print no warnings. {still}")


quiet_option = quiet_option_except("They are still in JSON.")


def output_option(help: str = "Write the result to a file.") -> Decorator:
    """Return a decorator that adds ``--output``."""
    path = click.Path(dir_okay=False, writable=True)
    names = "-o", "--output"
    return write_option(*names, type=path, metavar="FILE", is_eager=True, help=help)


#: The formats of files with these endings.
_ENDINGS = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}


def output_in(*formats: str) -> Decorator:
    """Return a decorator that adds ``--format`` and ``--output``, whose ending may set it."""

    def by_name(context: click.Context, _: click.Parameter, format: str | None) -> str:
        name: str = context.params.get("output") or ""
        return format or endings.get(os.path.splitext(name)[1].lower(), "text")

    endings = {ending: format for ending, format in _ENDINGS.items() if format in formats}
    *first, last = endings
    names = f"{', '.join(first)} or {last}" if first else last
    format_option = write_option(
        *("-f", "--format", "format"),
        type=Choice(formats),
        usual="text",
        callback=by_name,
        help="Format.",
    )
    of_file = output_option(f"Write the result to a file. A name in {names} sets the format.")
    return combine_options(format_option, of_file)


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

    def annotating(self) -> AbstractContextManager[None]:
        """Return a context that annotates the errors that end a run, if the format asks for it."""
        if self.format != "github":
            return nullcontext()
        from corefmeter.reports.github import annotating

        return annotating(self.format)

    def write(
        self, report: Report, problems: Sequence[Problem] = (), missed: Sequence[Problem] = ()
    ) -> None:
        """Write the report, and print warnings, if they are wanted, and missed limits below it."""
        annotated = [*([] if self.quiet else problems), *missed]
        write_report(report, self.format, self.path, self.digits, self.signature, annotated)
        if self.format != "github":
            self.warn(problems)
            for problem in missed:
                click.echo(problem, err=True)


def output_options_with(*formats: str) -> Decorator:
    """Return `output_options` for a command with more formats."""

    def add(command: Callable[..., Any]) -> Any:
        @wraps(command)
        def given(
            format: str,
            output: str | None,
            digits: int | None,
            shown_signature: str = "short",
            quiet: bool = False,
            **options: Any,
        ) -> Any:
            found = Output(format, output, digits, quiet, shown_signature)
            return command(output=found, **options)

        return output_in(*FORMATS, *formats)(digits_option(given))

    return add


digits_option = write_option(
    "--digits",
    type=click.IntRange(0, 15),
    metavar="N",
    usual=DIGITS,
    rare=True,
    help="Number of decimals. JSON and CSV are exact.",
)
shown_signature_option = layout_option(
    "--signature",
    "shown_signature",
    type=Choice(["short", "full"]),
    default="short",
    rare=True,
    help="Signature below a table. The short form leaves out options with their default value.",
)
rows_option = layout_option(
    "--rows",
    type=Choice(["metrics", "systems"]),
    rare=True,
    help="Rows of the table. Default: metrics; in LaTeX, systems for up to 5 metrics.",
)
order_option = layout_option(
    "--order",
    type=Choice(["rpf", "prf"]),
    envvar="COREFMETER_ORDER",
    hidden=True,
    rare=True,
    help="Order of recall (r), precision (p) and F1 (f). The default is rpf, or prf in LaTeX and "
    "Markdown; COREFMETER_ORDER overrides it.",
)
rounding_option = layout_option(
    "--rounding",
    type=Choice(["nearest", "official"]),
    default="nearest",
    rare=True,
    help="Second decimal of scores: rounded, or truncated as by the official scorer v8.01.",
)

#: Adds the options of tables, such as ``--format``, and gives a command its `Output`;
#: `shown_signature_option` and `quiet_option` are for the commands that have them.
output_options = output_options_with()

#: How tables of scores are laid out.
layout_options = combine_options(rows_option, order_option, rounding_option)


def layout_of(
    output: Output, metrics: Sequence[str], rows: str | None, order: str | None, rounding: str
) -> Layout:
    """Return the layout of tables that `layout_options` ask for."""
    if rounding == "official" and (output.digits not in (None, 2) or output.format in UNROUNDED):
        raise OptionError("--rounding official needs tables with two decimals")
    return layout_in(output.format, metrics, rows, order, rounding)


#: The exit status where all was done, and a limit of the user is not reached.
UNREACHED = 4

fail_on_option = write_option(
    "--fail-on",
    type=Choice(["warning"]),
    rare=True,
    help=f"End with status {UNREACHED} if there is a warning.",
)


def fails_on_warnings(fail_on: str | None, problems: Iterable[Problem]) -> bool:
    """Say how many warnings there are if ``--fail-on`` forbids them; whether that is so."""
    number = sum(p.count for p in dict.fromkeys(problems) if p.severity == fail_on)
    if number:
        click.echo(f"Error: {amount(number, 'warning')} (--fail-on warning)", err=True)
    return number > 0


# What is read


def from_option(name: str, help: str) -> Decorator:
    """Return a decorator that adds ``--from``."""
    complete = complete_from("formats")
    help += ' "corefmeter list formats" names all.'
    return read_option("--from", name, metavar="FORMAT", shell_complete=complete, help=help)


#: The formats of key and responses; see `formats_of`.
formats_option = from_option(
    "source_formats",
    "Format of the files, if it is not recognized. Give two (conll,inline) for key and responses.",
)
strict_option = read_option(
    "--strict", is_flag=True, help="Also compare the words of key and response."
)
pronouns_option = show_option(
    "--pronouns",
    metavar="LANGUAGE",
    rare=True,
    settable=True,
    help="Recognize pronouns by the word list of a language (en, de, nl) if there are no parts of "
    "speech.",
)


def feature_option(help: str, **attributes: Any) -> Decorator:
    """Return a decorator that adds ``--feature``, a repeatable breakdown by properties."""
    return show_option(
        "--feature",
        "by",
        formerly=("--by",),
        multiple=True,
        metavar="NAME",
        shell_complete=complete_from("features"),
        help=f"{help} May be repeated.",
        **attributes,
    )


def formats_of(text: str | None) -> tuple[str | None, str | None]:
    """Return the formats of key and response that ``--from`` names.

    >>> formats_of(None), formats_of("conllu"), formats_of("conll,inline")
    ((None, None), ('conllu', 'conllu'), ('conll', 'inline'))
    """
    if text is None:
        return None, None
    from corefmeter.formats import format_named

    names = [name.strip() for name in text.split(",")]
    if len(names) > 2:
        raise OptionError("--from takes one format, or one for the key and one for the responses")
    for name in names:
        format_named(name)  # raises for an unknown one
    return names[0], names[-1]


def named_paths(arguments: Sequence[str]) -> tuple[list[str], list[str | None]]:
    """Return the paths of arguments ``FILE`` or ``NAME=FILE``, and the names that were given.

    What exists is a file, also with ``=``; a name holds no ``/`` and no ``*``, ``?`` or ``[``.

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
