"""GAP: a pronoun and two names in a short text, and whether each name is what the pronoun means.

Annotated file: a header line, then TAB-separated ID, Text, Pronoun, Pronoun-offset, A, A-offset,
A-coref, B, B-offset, B-coref, URL. Quotes have no meaning; offsets are code points from 0; values
are TRUE and FALSE in any case. Output of a system: no header; ID, A-coref, B-coref.

Here each example is a document of three mentions: the pronoun with the names it means is an
entity, another name is one of its own. Answers of a system have no text and no place, so they are
no corpus: `read_answers` reads them for GAP's own scores (``corefmeter gap``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Detail
from corefmeter.formats.base import Claim, Format
from corefmeter.formats.notes import Notes, cell_column, number_of, numbered_lines, share_of_lines
from corefmeter.formats.source import Source
from corefmeter.formats.standoff import tokens_or_characters
from corefmeter.problems import Problem, amount

HEADER = (
    "ID",
    "Text",
    "Pronoun",
    "Pronoun-offset",
    "A",
    "A-offset",
    "A-coref",
    "B",
    "B-offset",
    "B-coref",
    "URL",
)

#: The gender of an example by its pronoun.
GENDERS = {
    "she": "feminine",
    "her": "feminine",
    "hers": "feminine",
    "he": "masculine",
    "his": "masculine",
    "him": "masculine",
}

_COLUMNS = f"Columns are {', '.join(HEADER)}; TABs between."
_ANSWER_COLUMNS = "Columns are ID, A-coref, B-coref; TABs between."

_TRUTH = {"true": True, "false": False}
_SNIFF = re.compile(rb"ID\tText\tPronoun\t|ID\tA-coref\tB-coref\s*\n", re.IGNORECASE)
_ROW = re.compile(
    rb"^[^\t\n]+\t(?:[^\t\n]+\t\w+\t\d+\t[^\t\n]+\t\d+\t(?:true|false)\t"
    rb"|(?:true|false)\t(?:true|false)\r?$)",
    re.IGNORECASE | re.MULTILINE,
)


class Example(NamedTuple):
    """An annotated example.

    Parameters
    ----------
    id, text, pronoun
        As in the file.
    offset
        Where the pronoun begins.
    names
        For A and B: the name, and where it begins.
    coreferent
        For A and B: whether the pronoun means it.
    gender
        ``feminine`` or ``masculine``, or None if the pronoun does not tell.
    line
        Its line in the file.
    """

    id: str
    text: str
    pronoun: str
    offset: int
    names: tuple[tuple[str, int], tuple[str, int]]
    coreferent: tuple[bool, bool]
    gender: str | None
    line: int


class Answer(NamedTuple):
    """What a system says of an example: whether the pronoun means A, and B; None if unreadable."""

    id: str
    coreferent: tuple[bool | None, bool | None]
    line: int


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a file by its header, or by its rows of examples or answers."""
    share = 1.0 if _SNIFF.match(head) else share_of_lines(head, _ROW)
    return Claim(share) if share else None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The examples of an annotated file as documents.

    Raises
    ------
    DataError
        With all errors of the file; see `read_examples`. Also for answers of a system.
    """
    notes = Notes(source.path)
    first = source.head.split(b"\n", 1)[0]
    if first.count(b"\t") == 2:
        notes.error(
            "no-coreference",
            "answers of a system to GAP, which have no text and no mentions",
            1,
            hint='Score them with "corefmeter gap KEY RESPONSE".',
        )
        notes.finish()
    examples = _examples(source, notes)
    documents = [_document(example, notes, details) for example in examples]
    if not documents and not notes.errors:
        notes.error("no-document", "the file holds no example", hint=_COLUMNS)
    return documents, notes.finish()


def _document(example: Example, notes: Notes, details: bool) -> Document:
    """An example as a document."""
    words = ((example.pronoun, example.offset), *example.names)
    edges = [edge for word, begin in words for edge in (begin, begin + len(word))]
    tokens = tokens_or_characters(example.text, edges)
    spans = [tokens.span(begin, begin + len(word)) for word, begin in words]
    kinds = ("pronoun", "name", "name")
    found = [
        (span, Detail(kind=kind, attributes={"role": role}))
        for span, kind, role in zip(spans, kinds, ("pronoun", "A", "B"), strict=True)
        if span is not None
    ]
    together = [True, *example.coreferent]
    shared = [pair for pair, meant in zip(found, together, strict=False) if meant]
    others = [[pair] for pair, meant in zip(found, together, strict=False) if not meant]
    members = [sorted(shared, key=lambda pair: pair[0]), *others]
    members.sort(key=lambda entity: entity[0][0])
    return Document(
        example.id,
        [[span for span, _ in entity] for entity in members],
        tokens=len(tokens),
        path=notes.path,
        line=example.line,
        unit=tokens.unit,
        details=[[detail for _, detail in entity] for entity in members] if details else None,
        text=tokens.as_text() if details else None,
        attributes={"gender": example.gender} if example.gender else None,
    )


def read_examples(source: Source) -> tuple[list[Example], list[Problem]]:
    """The examples of an annotated file.

    Raises
    ------
    DataError
        With all errors of the file: rows of another number of columns, offsets that are no numbers
        or not those of the names, values other than TRUE and FALSE, ids that occur twice.
    """
    notes = Notes(source.path)
    examples = list(_examples(source, notes))
    if not examples and not notes.errors:
        notes.error("no-document", "the file holds no example", hint=_COLUMNS)
    return examples, notes.finish()


def _examples(source: Source, notes: Notes) -> Iterator[Example]:
    """The examples that are in order; errors are noted."""
    seen: dict[str, int] = {}
    for number, line in numbered_lines(source, notes):
        cells = line.split("\t")
        if not line.strip():
            continue
        if cells[0] == HEADER[0] and cells[1:2] == [HEADER[1]]:
            if number > 1:
                hint = "The file may be two files put together; remove the line."
                notes.error("bad-line", "a header line within the file", number, hint=hint)
            continue
        if number == 1:
            notes.warn("header-line", "the first line is no header; it is read as an example", 1)
        if len(cells) != len(HEADER):
            reason = f"{amount(len(cells), 'column')}; an example has {len(HEADER)}"
            notes.error("bad-columns", reason, number, hint=_COLUMNS)
            continue
        first = seen.setdefault(cells[0], number)
        if first != number:
            notes.repeated_id(cells[0], first, number, 1, "example")
            continue
        example = _example(cells, number, notes)
        if example is not None:
            yield example


def _example(cells: list[str], number: int, notes: Notes) -> Example | None:
    """An example, or None after errors."""
    text = cells[1]
    good = True

    for index in (2, 4, 7):
        word, offset = cells[index], cells[index + 1]
        if not offset.isdecimal():
            reason = f"the offset {offset!r} is no number"
            hint = "Offsets count code points from 0."
            notes.error("bad-span", reason, number, cell_column(cells, index + 1), hint)
            good = False
        elif not word or not text.startswith(word, number_of(offset)):
            there = text[number_of(offset) :][: max(len(word), 1)]
            notes.error(
                "text-differs",
                f"{word!r} is said to be at {offset}, but there is {there!r}",
                number,
                cell_column(cells, index + 1),
                hint=f"It is at {text.find(word)}."
                if word and word in text
                else "Offsets count code points from 0.",
            )
            good = False
    values = [_truth(cells[index], number, cell_column(cells, index), notes) for index in (6, 9)]
    gender = GENDERS.get(cells[2].lower())
    if gender is None:
        notes.warn(
            "unknown-gender",
            f"the pronoun {cells[2]!r} has no known gender; the example counts overall only",
            number,
            cell_column(cells, 2),
        )
    a, b = values
    if not good or a is None or b is None:
        return None
    names = (cells[4], int(cells[5])), (cells[7], int(cells[8]))
    return Example(cells[0], text, cells[2], int(cells[3]), names, (a, b), gender, number)


def _truth(cell: str, line: int, column: int, notes: Notes) -> bool | None:
    """A value, or None after an error."""
    value = _TRUTH.get(cell.strip().lower())
    if value is None:
        hint = "Write TRUE or FALSE."
        notes.error("bad-answer", f"{cell!r} is neither TRUE nor FALSE", line, column, hint)
    return value


def read_answers(source: Source, *, lenient: bool = False) -> tuple[list[Answer], list[Problem]]:
    """The answers of a system.

    Parameters
    ----------
    source
        The file: ID, A-coref, B-coref; a file with all columns of an annotated one is also read.
    lenient
        As GAP's own scorer: values that cannot be read are None, and of answers to the same
        example the first counts; each with a warning instead of an error.

    Raises
    ------
    DataError
        With all errors of the file: rows of another number of columns; unless `lenient`, values
        other than TRUE and FALSE and ids that occur twice.
    """
    notes = Notes(source.path)
    answers: dict[str, Answer] = {}
    for number, line in numbered_lines(source, notes):
        cells = line.split("\t")
        if not line.strip():
            continue
        if number == 1 and cells == list(HEADER):
            continue
        if number == 1 and cells[0].strip().lower() == "id" and len(cells) > 1:
            reason = "a header line, which GAP's own scorer takes for an answer; it is passed over"
            notes.warn("header-line", reason, 1)
            continue
        if len(cells) not in (3, len(HEADER)):
            reason = f"{amount(len(cells), 'column')}; an answer has 3"
            notes.error("bad-columns", reason, number, hint=_ANSWER_COLUMNS)
            continue
        places = (1, 2) if len(cells) == 3 else (6, 9)
        inner = Notes(notes.path)
        values = [_truth(cells[i], number, cell_column(cells, i), inner) for i in places]
        problems = inner.errors
        first = answers.get(cells[0])
        if first is not None:
            reason = f"the id {cells[0]} was used before, on line {first.line}"
            hint = "Answer every example once."
            problems = [Problem("repeated-id", reason, "error", notes.path, number, 1, hint)]
        for problem in problems:
            notes.keep(problem._replace(severity="warning") if lenient else problem)
        if first is None:
            answers[cells[0]] = Answer(cells[0], (values[0], values[1]), number)
    if not answers and not notes.errors:
        notes.error("no-document", "the file holds no answer", hint=_ANSWER_COLUMNS)
    return list(answers.values()), notes.finish()


FORMAT = Format(
    name="gap",
    title="GAP",
    sniff=sniff,
    evidence="the header of GAP, or most lines are examples or answers of it",
    read=read,
    unwritten="it holds texts with one pronoun and two names only; choose conll, conllua or "
    "webanno",
)
