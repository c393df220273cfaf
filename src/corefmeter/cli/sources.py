"""Options of commands that read files of one side, and of those that write a corpus."""

from __future__ import annotations

from dataclasses import fields

import click

from corefmeter.cli.help import Choice, combine_options, complete_from, option
from corefmeter.cli.options import INPUT, OUTPUT, Decorator, from_option
from corefmeter.recipe import Recipe

source_format_option = from_option("source_format", "Format of the files, if it is not recognized.")
identity_option = option(
    "--identity",
    group=INPUT,
    rare=True,
    metavar="NAME",
    help=next(one.metadata["help"] for one in fields(Recipe) if one.name == "identity"),
)
documents_option = option(
    "--documents",
    type=Choice(["official", "concatenate"]),
    default="official",
    group=INPUT,
    help="Documents with the same name are rejected, or joined (concatenate).",
)

#: How files of one side are read.
source_options = combine_options(source_format_option, identity_option, documents_option)

side_option = option(
    "--side",
    type=Choice(["key", "response"]),
    default="key",
    group=INPUT,
    help="Which side to read from a file that has both.",
)


def target_format_option(help: str) -> Decorator:
    """Return a decorator that adds ``--to``."""
    help += " By default it is known from the ending of its name."
    complete = complete_from("formats")
    names = "--to", "target_format"
    return option(*names, metavar="FORMAT", group=OUTPUT, shell_complete=complete, help=help)


def written_options(what: str) -> Decorator:
    """Return a decorator that adds ``--write`` and ``--to``, for a corpus written in addition."""
    help = f"Write {what} to a file or, with a slash, a folder."
    write = option("--write", "target", type=click.Path(), metavar="OUT", group=OUTPUT, help=help)
    return combine_options(write, target_format_option("Its format."))
