"""``corefmeter validate FILE…``"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from corefmeter.cli import options as common
from corefmeter.cli.help import FILE, command
from corefmeter.cli.sources import source_options
from corefmeter.reports.github import annotating
from corefmeter.reports.validation import Checked, write_validation


@command(
    epilog="Exit status: 0 no errors (warnings are allowed), 2 wrong usage, 3 errors, 4 warnings "
    "with --fail-on.",
)
@click.argument("files", type=FILE, metavar="FILE…", nargs=-1, required=True)
@common.read_option(
    "--against",
    "key",
    type=FILE,
    metavar="KEY",
    help="Also check that the files have the same documents, tokens and words as this key.",
)
@source_options
@common.output_in("text", "json", "github")
@common.fail_on_option
def validate(
    files: tuple[str, ...],
    key: str | None,
    source_format: str | None,
    documents: str,
    identity: str | None,
    format: str,
    output: str | None,
    fail_on: str | None,
) -> int:
    """List all problems of files with their place, code, reason and a hint.

    FILE is a file, directory or glob in any format that can be read. Warnings include repeated
    mentions, links that lead nowhere, and annotation that the CorefUD and Universal Anaphora
    scorers reject. The number of listed problems is not limited.

    \b
    Examples:
      corefmeter validate response.conll
      corefmeter validate response.jsonl --against key.conllu
      corefmeter validate submissions/ -f github --fail-on warning
    """
    from corefmeter.formats import read_corpus
    from corefmeter.reading import require_identity

    options: dict[str, Any] = {"documents": documents, "details": True, "identity": identity}
    key_corpus = None
    if key is not None:
        with annotating(format):
            key_corpus = read_corpus(key, **options)
    paths, names = common.named_paths(files)
    checked = [
        _check_file(path, name, key_corpus, source_format, options)
        for path, name in zip(paths, names, strict=True)
    ]
    formats = [file.format for file in checked if file.format is not None]
    if len(formats) == len(checked):
        require_identity(identity, formats if key_corpus is None else [*formats, key_corpus.format])
    write_validation(checked, format, output)
    if any(file.count("error") for file in checked):
        return 3
    problems = [problem for file in checked for problem in file.problems]
    return common.UNREACHED if common.fails_on_warnings(fail_on, problems) else 0


def _check_file(
    path: str, name: str | None, key: Any, format: str | None, options: Mapping[str, Any]
) -> Checked:
    from corefmeter.corpus.checks import check_against, check_repeats
    from corefmeter.formats import EmptyFileError, empty_as, in_key, read_corpus, refused_elsewhere
    from corefmeter.problems import DataError

    side = "key" if key is None else "response"
    try:
        try:
            corpus = read_corpus(path, format, side=side, **options)
        except EmptyFileError as empty:
            corpus = empty_as(key, empty)
        # Marked text repeats the words of its key with errors, which are reported one by one.
        fitted = corpus if key is None else in_key(key, corpus)
    except DataError as error:
        if any(problem.code == "output-is-input" for problem in error.problems):
            raise  # the list of problems would be added to the file
        return Checked(path, name, None, 0, 0, 0, error.problems)
    problems = [*fitted.problems, *check_repeats(fitted), *refused_elsewhere(fitted)]
    if key is not None:
        unfit = check_against(fitted, key)
        problems += [p for p in unfit if p.code != "no-words" or fitted is corpus]
    sizes = [len(entity) for document in fitted for entity in document.entities]
    return Checked(path, name, fitted.format, len(fitted), len(sizes), sum(sizes), problems)
