"""GAP: a pronoun and two names in a short text, and whether each name is what the pronoun means.

Annotated file: a header line, then TAB-separated ID, Text, Pronoun, Pronoun-offset, A, A-offset,
A-coref, B, B-offset, B-coref, URL. Quotes have no meaning; offsets are code points from 0; values
are TRUE and FALSE in any case. Output of a system: no header; ID, A-coref, B-coref.

Here each example is a document of three mentions: the pronoun with the names it means is an
entity, another name is one of its own. Answers of a system have no text and no place: they are read
as a response, in which the mentions are called pronoun, A and B, until `align` gives them the spans
of the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import reading_key
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

#: What the mentions of an example are, and their kinds.
ROLES = ("pronoun", "A", "B")
_KINDS = ("pronoun", "name", "name")

_ANSWER = ("ID", "A-coref", "B-coref")
_COLUMNS = f"Columns are {', '.join(HEADER)}; TABs between."
_ANSWER_COLUMNS = f"Columns are {', '.join(_ANSWER)}; TABs between."

_TRUTH = {"true": True, "false": False}
_SNIFF = re.compile(rb"ID\tText\tPronoun\t|ID\tA-coref\tB-coref\s*\n", re.IGNORECASE)
_ROW = re.compile(
    rb"^[^\t\n]+\t(?:[^\t\n]+\t\w+\t\d+\t[^\t\n]+\t\d+\t(?:true|false)\t"
    rb"|(?:true|false)\t(?:true|false)\r?$)",
    re.IGNORECASE | re.MULTILINE,
)


class _Example(NamedTuple):
    """A row of an annotated file: where the pronoun, A and B begin, and which names it means."""

    id: str
    text: str
    words: tuple[tuple[str, int], tuple[str, int], tuple[str, int]]
    meant: tuple[bool, bool]
    gender: str
    line: int


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a file by its header, or by its rows of examples or answers."""
    share = 1.0 if _SNIFF.match(head) else share_of_lines(head, _ROW)
    return Claim(share) if share else None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the examples of an annotated file as documents.

    Raises
    ------
    DataError
        With all errors of the file: rows of another number of columns, offsets that are no numbers
        or not those of the names, values other than TRUE and FALSE, ids that occur twice. Also for
        answers of a system that are to be a key.
    """
    notes = Notes(source.path)
    if source.head.split(b"\n", 1)[0].count(b"\t") == 2:
        if source.side == "key":
            reason = "answers of a system to GAP, which have no text and no mentions"
            hint = 'Score them with "corefmeter score KEY RESPONSE -m gap --by gender".'
            notes.error("no-coreference", reason, 1, hint=hint)
            notes.finish()
        return list(_answers(source, notes)), notes.finish()
    documents = [_document(example, notes, details) for example in _examples(source, notes)]
    if not documents and not notes.errors:
        notes.error("no-document", "the file holds no example", hint=_COLUMNS)
    return documents, notes.finish()


def align(key: Corpus, response: Corpus) -> Corpus:
    """Give the mentions of answers the spans that they have in the key."""
    examples = {document.name: document for document in key if document.details is not None}
    documents = [
        _placed(examples[document.name], document)
        if document.unit == "names" and document.name in examples
        else document
        for document in response
    ]
    return response.replace(documents=documents)


def _placed(example: Document, answer: Document) -> Document:
    places = {
        str(detail.attributes.get("role")): (mention, detail)
        for mentions, known in zip(example.entities, example.details or [], strict=True)
        for mention, detail in zip(mentions, known, strict=True)
    }
    if not places.keys() >= set(ROLES):  # no annotated file of GAP
        return answer
    found = [
        sorted((places[str(role)] for role in entity), key=lambda pair: reading_key(pair[0]))
        for entity in answer.entities
    ]
    found.sort(key=lambda entity: reading_key(entity[0][0]))
    return answer.replace(
        entities=[[mention for mention, _ in entity] for entity in found],
        details=[[detail for _, detail in entity] for entity in found],
        text=example.text,
        tokens=example.tokens,
        unit=example.unit,
    )


def _document(example: _Example, notes: Notes, details: bool) -> Document:
    edges = [edge for word, begin in example.words for edge in (begin, begin + len(word))]
    tokens = tokens_or_characters(example.text, edges)
    places = {}
    for role, kind, (word, begin) in zip(ROLES, _KINDS, example.words, strict=True):
        span = tokens.span(begin, begin + len(word))
        if span is not None:
            places[role] = span, Detail(kind=kind, attributes={"role": role})
    members = [
        sorted((places[role] for role in entity if role in places), key=lambda pair: pair[0])
        for entity in _entities(example.meant)
    ]
    members = sorted(filter(None, members), key=lambda entity: entity[0][0])
    return Document(
        example.id,
        [[span for span, _ in entity] for entity in members],
        tokens=len(tokens),
        path=notes.path,
        line=example.line,
        unit=tokens.unit,
        details=[[detail for _, detail in entity] for entity in members] if details else None,
        text=tokens.as_text() if details else None,
        attributes={"gender": example.gender},
    )


def _entities(meant: Sequence[bool]) -> list[list[str]]:
    """Return the entities by the roles of their mentions.

    Examples
    --------
    >>> _entities((True, False))
    [['pronoun', 'A'], ['B']]
    """
    pronoun, *names = ROLES
    together = [name for name, is_meant in zip(names, meant, strict=True) if is_meant]
    return [[pronoun, *together], *([name] for name in names if name not in together)]


def _examples(source: Source, notes: Notes) -> Iterator[_Example]:
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


def _example(cells: list[str], number: int, notes: Notes) -> _Example | None:
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
    gender = GENDERS.get(cells[2].lower(), "unknown")
    if gender == "unknown":
        reason = f"the pronoun {cells[2]!r} has no known gender"
        notes.warn("unknown-gender", reason, number, cell_column(cells, 2))
    a, b = values
    if not good or a is None or b is None:
        return None
    one, other, third = ((cells[i], int(cells[i + 1])) for i in (2, 4, 7))
    return _Example(cells[0], text, (one, other, third), (a, b), gender, number)


def _truth(cell: str, line: int, column: int, notes: Notes) -> bool | None:
    value = _TRUTH.get(cell.strip().lower())
    if value is None:
        hint = "Write TRUE or FALSE."
        notes.error("bad-answer", f"{cell!r} is neither TRUE nor FALSE", line, column, hint)
    return value


def _answers(source: Source, notes: Notes) -> Iterator[Document]:
    seen: dict[str, int] = {}
    for number, line in numbered_lines(source, notes):
        cells = line.split("\t")
        if not line.strip():
            continue
        if number == 1 and cells[0].strip().lower() == "id":
            reason = "a header line, which GAP's own scorer takes for an answer; it is passed over"
            notes.warn("header-line", reason, 1)
            continue
        if len(cells) != len(_ANSWER):
            reason = f"{amount(len(cells), 'column')}; an answer has {len(_ANSWER)}"
            notes.error("bad-columns", reason, number, hint=_ANSWER_COLUMNS)
            continue
        values = [_truth(cells[i], number, cell_column(cells, i), notes) for i in (1, 2)]
        first = seen.setdefault(cells[0], number)
        if first != number:
            notes.repeated_id(cells[0], first, number, 1, "example")
        entities: Any = _entities(list(map(bool, values)))
        yield Document(
            cells[0], entities, path=notes.path, line=number, unit="names", entities_named=False
        )
    if not seen and not notes.errors:
        notes.error("no-document", "the file holds no answer", hint=_ANSWER_COLUMNS)


FORMAT = Format(
    name="gap",
    title="GAP",
    sniff=sniff,
    evidence="the header of GAP, or most lines are examples or answers of it",
    read=read,
    align=align,
    units=("tokens", "names"),
    groups=("gender",),
    unwritten="it holds texts with one pronoun and two names only; choose conll, conllua or "
    "webanno",
)
