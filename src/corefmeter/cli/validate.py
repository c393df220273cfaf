"""``corefmeter validate FILE…``"""

from __future__ import annotations

import json
from typing import IO, Any, NamedTuple

import click

from corefmeter.cli.help import FILE, command, option
from corefmeter.cli.options import INPUT, named, output_in, source_options
from corefmeter.problems import Problem


class _Checked(NamedTuple):
    """A file and what was found in it."""

    path: str
    name: str | None
    format: str | None
    documents: int
    entities: int
    mentions: int
    problems: list[Problem]

    @property
    def errors(self) -> int:
        """How many of the problems are errors."""
        return sum(p.count for p in self.problems if p.severity == "error")

    @property
    def warnings(self) -> int:
        """How many of the problems are warnings."""
        return sum(p.count for p in self.problems if p.severity == "warning")


@command(
    short_help="Tell everything that is wrong in files.",
    epilog="Exit status: 0 no errors (warnings are allowed), 2 wrong usage, 3 errors.",
)
@click.argument("files", type=FILE, metavar="FILE…", nargs=-1, required=True)
@option(
    "--against", "key", type=FILE, metavar="KEY", group=INPUT,
    help="Also check that the files fit their key. They need the same documents, tokens and words.",
)  # fmt: skip
@source_options
@output_in("text", "json")
def validate(
    files: tuple[str, ...],
    key: str | None,
    source_format: str | None,
    documents: str,
    format: str,
    output: str | None,
) -> int:
    """Tell everything that is wrong in files: place, code, reason and what to do.

    FILE is a file, directory or glob in any format that can be read. Mentions that occur in several
    places are warnings. All problems are listed, however many there are.

    \b
    Examples:
      corefmeter validate response.conll
      corefmeter validate response.jsonl --against key.conllu
      corefmeter validate submissions/ -f json
    """
    from corefmeter.formats import read_corpus
    from corefmeter.formats.output import opened

    concatenate = documents == "concatenate"
    key_corpus = None
    if key is not None:
        key_corpus = read_corpus(key, concatenate=concatenate, details=True)
    checked = [
        _check(path, name, source_format, concatenate, key_corpus)
        for path, name in zip(*named(files), strict=True)
    ]
    with opened(output) as stream:
        (_write_json if format == "json" else _write_text)(checked, stream)
    return 3 if any(file.errors for file in checked) else 0


def _check(
    path: str, name: str | None, format: str | None, concatenate: bool, key: Any
) -> _Checked:
    """Read a file and collect its problems."""
    from corefmeter.corpus.checks import check_against, check_repeats
    from corefmeter.formats import in_key, read_corpus
    from corefmeter.problems import DataError

    side = "key" if key is None else "response"
    try:
        corpus = read_corpus(
            path, format, concatenate=concatenate, details=key is not None, side=side
        )
        # Marked text repeats the words of its key with slips, which are told one by one.
        fitted = corpus if key is None else in_key(key, corpus)
    except DataError as error:
        return _Checked(path, name, None, 0, 0, 0, error.problems)
    aligned, corpus = fitted is not corpus, fitted
    problems = [*corpus.problems, *check_repeats(corpus)]
    if key is not None:
        unfit = check_against(corpus, key)
        problems += [p for p in unfit if p.code != "no-words" or not aligned]
    entities = sum(len(document.entities) for document in corpus)
    mentions = sum(len(entity) for document in corpus for entity in document.entities)
    return _Checked(path, name, corpus.format, len(corpus), entities, mentions, problems)


def _write_text(checked: list[_Checked], stream: IO[str]) -> None:
    """Each problem, and a line for each file."""
    for file in checked:
        for problem in file.problems:
            stream.write(f"{problem}\n")
        found = [
            _number(count, what)
            for count, what in ((file.errors, "error"), (file.warnings, "warning"))
            if count
        ]
        line = f"{file.name or file.path}: {', '.join(found) or 'no problems'}"
        if file.format is not None:
            line += (
                f"; {file.format}: {_number(file.documents, 'document')}, "
                f"{_number(file.entities, 'entity')}, {_number(file.mentions, 'mention')}"
            )
        stream.write(line + "\n")


def _number(count: int, what: str) -> str:
    """A number of things.

    Examples
    --------
    >>> _number(1, "entity"), _number(2, "entity"), _number(0, "error")
    ('1 entity', '2 entities', '0 errors')
    """
    if count != 1:
        what = what[:-1] + "ies" if what.endswith("y") else what + "s"
    return f"{count} {what}"


def _write_json(checked: list[_Checked], stream: IO[str]) -> None:
    """One object."""
    files = [
        {k: value for k, value in file._asdict().items() if k != "name" or value is not None}
        | {"errors": file.errors, "warnings": file.warnings}
        | {"problems": [problem.to_dict() for problem in file.problems]}
        for file in checked
    ]
    valid = not any(file.errors for file in checked)
    stream.write(json.dumps({"schema": 1, "valid": valid, "files": files}, ensure_ascii=False))
    stream.write("\n")
