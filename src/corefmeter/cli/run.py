"""The preamble of commands that compare responses with a key: files, options, reading."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import click

from corefmeter.cli import options as common
from corefmeter.cli.help import FILE, combine_options, progress_bar
from corefmeter.problems import CollectedErrors, OptionError, Problem
from corefmeter.reading import read_sides
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.scoring import score_corpora

Made = TypeVar("Made")


class Run(NamedTuple):
    """A key and responses, the names that the user gave these, and how they are scored.

    `formats` are those of the key and of the responses; `noticed` are warnings about options.
    """

    key: str
    paths: list[str]
    names: list[str | None]
    recipe: Recipe
    noticed: list[Problem]
    formats: tuple[str | None, str | None]
    strict: bool

    @classmethod
    def of(
        cls, key: str, responses: Sequence[str], recipe: Recipe, formats: str | None, strict: bool
    ) -> Run:
        """Return the run of arguments and options."""
        paths, names = common.named_paths(responses)
        return cls(key, paths, names, recipe, [], common.formats_of(formats), strict)

    def make_for_each_response(
        self, make: Callable[..., Made], *, details: bool = False, label: str = "scoring"
    ) -> list[Made]:
        """Return what is made of the key and each response; a terminal shows the progress.

        `make` is called as `score_corpora`; `details` says whether it needs more than the recipe
        does. The errors of all responses are raised together.
        """
        key, readers = read_sides(
            self.key,
            self.paths,
            self.recipe,
            formats=self.formats,
            details=details,
            strict=self.strict,
        )
        made: list[Made] = []
        errors = CollectedErrors()
        with progress_bar(label) as progress:
            for number, read_response in enumerate(readers, 1):
                with errors:
                    made.append(make(key, read_response(), self.recipe, strict=self.strict))
                progress(number, len(readers))
        errors.raise_all()
        return made

    def scores(
        self, score: Callable[..., Result] = score_corpora, *, details: bool = False
    ) -> list[Result]:
        """Return the result of each response, with its name."""
        results = self.make_for_each_response(score, details=details)
        for result, name in zip(results, self.names, strict=True):
            result.name = name
        return results

    def analyses(self, make: Callable[..., Made], label: str) -> list[Made]:
        """Return the card or analysis of each response, with its name and the warnings."""
        outcomes: list[Any] = self.make_for_each_response(make, details=True, label=label)
        for outcome, name in zip(outcomes, self.names, strict=True):
            outcome.result.name = name
            outcome.problems[:0] = self.noticed
        return outcomes


#: The options that make a recipe.
_OF_RECIPE = ["preset", *(field.name for field in fields(Recipe))]


def run_options(*options: common.Decorator) -> common.Decorator:
    """Return a decorator that adds KEY, RESPONSE…, options, ``--from`` and ``--strict``.

    The options include those of the recipe. The command is called with a `Run`.
    """
    key = click.argument("key", type=FILE, metavar="KEY")
    responses = click.argument("responses", type=FILE, metavar="RESPONSE…", nargs=-1, required=True)

    def add(command: Callable[..., Any]) -> Any:
        @wraps(command)
        def given(
            key: str,
            responses: tuple[str, ...],
            source_formats: str | None,
            strict: bool,
            signature: str | None,
            **options: Any,
        ) -> Any:
            asked = {name: options.pop(name) for name in _OF_RECIPE if name in options}
            recipe, noticed = common.recipe_from(signature, asked)
            run = Run.of(key, responses, recipe, source_formats, strict)
            return command(run=run._replace(noticed=noticed), **options)

        last = common.formats_option, common.strict_option
        return combine_options(key, responses, *options, *last)(given)

    return add


def column_features(key: str, by: Iterable[str]) -> dict[str, Any]:
    """Return the features that are columns of the key file, ``column:N``."""
    functions: dict[str, Any] = {}
    for name in by:
        kind, colon, number = name.partition(":")
        if kind != "column" or not colon:
            continue
        try:
            place = int(number)
        except ValueError:
            raise OptionError(f"{name}: a column is a number, from 0") from None
        if not os.path.isfile(key):
            raise OptionError(f"{name}: columns are read from a file, and {key!r} is not one")
        from corefmeter.formats.conll import column
        from corefmeter.mentions.features import ColumnFeature

        functions[name] = ColumnFeature(column(key, place))
    return functions
