"""``corefmeter score KEY RESPONSE…``"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from corefmeter.cli.help import FILE, command, completing, option
from corefmeter.cli.options import (
    formats_of,
    formats_option,
    groups,
    named,
    output_options,
    quiet_option,
    recipe_from,
    recipe_options,
    strict_option,
)
from corefmeter.cli.progress import Progress
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.reading import read_sides
from corefmeter.recipe import COMPUTED
from corefmeter.reports import write_report, write_warnings
from corefmeter.result import Result
from corefmeter.scoring import score_corpora

if TYPE_CHECKING:
    from corefmeter.corpus.model import Corpus
    from corefmeter.recipe import Recipe


@command(short_help="Score responses against a key.")
@click.argument("key", type=FILE, metavar="KEY", required=False)
@click.argument("responses", type=FILE, metavar="RESPONSE…", nargs=-1)
@recipe_options
@option(
    "--by", multiple=True, metavar="GROUP", group=COMPUTED, shell_complete=completing("groups"),
    help="Also score by document, part, genre, or a FILE. A genre is the first part of "
    "the name of a document; a FILE has two columns: document, TAB, group. May be repeated.",
)  # fmt: skip
@option(
    "--pairs", type=FILE, metavar="TABLE|FOLDER", group=COMPUTED,
    help="Score several data sets and their unweighted mean. A table has name, TAB, key, TAB, "
    "response in each line; a folder has the folders key and response.",
)  # fmt: skip
@formats_option
@strict_option
@output_options
@quiet_option
def score(
    key: str | None,
    responses: tuple[str, ...],
    source_formats: str | None,
    signature: str | None,
    by: tuple[str, ...],
    pairs: str | None,
    format: str,
    output: str | None,
    strict: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Score one or more responses against a key.

    KEY and RESPONSE are files, folders, globs or - for standard input. Their
    format is recognised. NAME=RESPONSE says what tables call a response.

    \b
    Examples:
      corefmeter score key.conll response.conll
      corefmeter score key.conll a.conll b.conll -m lea,conll -f latex
      corefmeter score key.conllu response.conllu --preset corefud2025 --by genre
    """
    recipe, noticed = recipe_from(signature, options)
    if pairs is not None:
        from corefmeter.cli.datasets import score_datasets

        if key is not None or by or source_formats:
            raise OptionError("--pairs goes without KEY, RESPONSE, --by and --from")
        score_datasets(pairs, recipe, noticed, format, output, strict, quiet)
        return
    if key is None or not responses:
        raise click.UsageError("Missing argument 'KEY' or 'RESPONSE…'.")
    by_groups = groups(by)
    paths, names = named(responses)
    if (key, *paths).count("-") > 1:
        raise OptionError("only one of the files can be standard input")
    key_corpus, read_responses = read_sides(
        key, paths, recipe, formats=formats_of(source_formats), strict=strict
    )
    results = scored(key_corpus, read_responses, names, recipe, strict)
    for result in results:
        result.problems[:0] = noticed
    if not quiet:
        write_warnings([p for result in results for p in result.problems], sys.stderr)
    write_report(results, key, by_groups, format, output)


def scored(
    key: Corpus,
    responses: Sequence[Callable[[], Corpus]],
    names: Sequence[str | None],
    recipe: Recipe,
    strict: bool,
) -> list[Result]:
    """The results of responses, which have the names that were given.

    Raises
    ------
    DataError
        With the errors of all responses.
    """
    results: list[Result] = []
    errors: list[Problem] = []
    with Progress("scoring") as progress:
        for number, (response, name) in enumerate(zip(responses, names, strict=True), 1):
            try:
                result = score_corpora(key, response(), recipe, strict=strict)
                result.name = name
                results.append(result)
            except DataError as error:
                errors += error.problems
            progress(number, len(responses))
    if errors:
        raise DataError(errors)
    return results
