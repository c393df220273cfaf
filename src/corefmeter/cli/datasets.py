"""``corefmeter score --pairs``: several data sets, each with its own key, and their mean."""

from __future__ import annotations

import os
from collections.abc import Iterable

from corefmeter.cli.options import named_paths
from corefmeter.formats.source import stem, table_lines, uncompressed
from corefmeter.problems import CollectedErrors, OptionError
from corefmeter.reading import read_sides, require_identity
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.scoring import score_corpora


def score_pairs(
    pairs: Iterable[tuple[str, str, str]], recipe: Recipe, strict: bool
) -> dict[str, Result]:
    """Return the result of each pair by name, or raise the errors of all pairs.

    A pair has a name, the path of a key, and a response: a path or ``NAME=PATH``.
    """
    results: dict[str, Result] = {}
    errors = CollectedErrors()
    formats: list[str] = []
    for name, key, argument in pairs:
        paths, (response_name,) = named_paths([argument])
        with errors:
            key_corpus, (read_response,) = read_sides(key, paths, recipe, strict=strict, part=True)
            response = read_response()
            formats += [key_corpus.format, response.format]
            results[name] = score_corpora(key_corpus, response, recipe, strict=strict)
            results[name].name = response_name
    errors.raise_all()
    require_identity(recipe.identity, formats)
    return results


def _files_by_name(folder: str) -> dict[str, str]:
    """Return the entries of a folder by their names without the ending of a compression."""
    places: dict[str, str] = {}
    for name in sorted(os.listdir(folder)):
        if not name.startswith("."):
            place = os.path.join(folder, name)
            if places.setdefault(uncompressed(name), place) != place:
                raise OptionError(f"{place}: {uncompressed(name)} is there too; remove one of them")
    return places


def dataset_pairs(path: str) -> list[tuple[str, str, str]]:
    """Return the name, key and response of each data set.

    A file has three columns between TABs: name, key, response; paths are relative to the file. A
    folder holds two folders ``key`` and ``response`` with files of the same names; each may be
    compressed.
    """
    pairs = _pairs_in_folder(path) if os.path.isdir(path) else _pairs_in_table(path)
    names = {name for name, _, _ in pairs}
    if not pairs:
        raise OptionError(f"{path}: contains no pair of key and response")
    if len(names) < len(pairs):
        raise OptionError(f"{path}: a data set occurs twice")
    if "mean" in names:
        raise OptionError(f"{path}: the name mean is reserved; rename that data set")
    return pairs


def _pairs_in_folder(path: str) -> list[tuple[str, str, str]]:
    sides = [os.path.join(path, side) for side in ("key", "response")]
    if not all(map(os.path.isdir, sides)):
        raise OptionError(f"{path}: a folder of data sets holds two folders, key and response")
    keys, responses = map(_files_by_name, sides)
    if keys.keys() != responses.keys():
        alone = ", ".join(sorted(keys.keys() ^ responses.keys())[:5])
        raise OptionError(f"{path}: without a partner in key or response: {alone}")
    return [(stem(name), keys[name], responses[name]) for name in sorted(keys)]


def _pairs_in_table(path: str) -> list[tuple[str, str, str]]:
    folder = os.path.dirname(path)
    pairs = []
    for number, line in enumerate(table_lines(path), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != 3:
            what = "not three columns; write name, TAB, key, TAB, response"
            raise OptionError(f"{path}:{number}: {what}")
        name, key, response = columns
        pairs.append((name, os.path.join(folder, key), os.path.join(folder, response)))
    return pairs
