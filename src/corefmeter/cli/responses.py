"""Scoring responses against a key, for the commands that do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corefmeter.cli.options import formats_of, named_paths
from corefmeter.cli.progress import Progress
from corefmeter.problems import DataError, Problem
from corefmeter.reading import read_sides
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.scoring import score_corpora


def score_responses(
    key: str,
    responses: Sequence[str],
    recipe: Recipe,
    formats: str | None = None,
    *,
    strict: bool = False,
    details: bool = False,
    score: Callable[..., Result] = score_corpora,
) -> list[Result]:
    """Return the results of responses against a key; a terminal shows how many there are already.

    `score` is called as `score_corpora`; `details` says whether it needs more than the recipe does.

    Raises
    ------
    DataError
        With the errors of all responses.
    """
    paths, names = named_paths(responses)
    key_corpus, readers = read_sides(
        key, paths, recipe, formats=formats_of(formats), details=details, strict=strict
    )
    results: list[Result] = []
    errors: list[Problem] = []
    with Progress("scoring") as progress:
        for number, (read_response, name) in enumerate(zip(readers, names, strict=True), 1):
            try:
                result = score(key_corpus, read_response(), recipe, strict=strict)
                result.name = name
                results.append(result)
            except DataError as error:
                errors += error.problems
            progress(number, len(paths))
    if errors:
        raise DataError(errors)
    return results
