"""Options of commands that read files of one side, and of those that write a corpus."""

from __future__ import annotations

from dataclasses import fields

import click

from corefmeter.cli.help import Choice, combine_options, complete_from
from corefmeter.cli.options import Decorator, from_option, read_option, write_option
from corefmeter.recipe import Recipe

source_format_option = from_option("source_format", "Format of the files, if it is not recognized.")
identity_option = read_option(
    "--identity",
    rare=True,
    metavar="NAME",
    help=next(one.metadata["help"] for one in fields(Recipe) if one.name == "identity"),
)
documents_option = read_option(
    "--documents",
    type=Choice(["official", "concatenate"]),
    default="official",
    help="Documents with the same name are rejected, or joined (concatenate).",
)

#: How files of one side are read.
source_options = combine_options(source_format_option, identity_option, documents_option)

side_option = read_option(
    "--side",
    type=Choice(["key", "response"]),
    default="key",
    help="Which side to read from a file that has both.",
)


target_format_option = write_option(
    "--to",
    "target_format",
    metavar="FORMAT",
    shell_complete=complete_from("formats"),
    help="Format of OUT. By default, the file extension determines it.",
)


def written_options(what: str) -> Decorator:
    """Return a decorator that adds ``--write`` and ``--to``, for a corpus written in addition."""
    help = f"Write {what} to a file or, with a slash, a folder."
    write = write_option("--write", "target", type=click.Path(), metavar="OUT", help=help)
    return combine_options(write, target_format_option)
