"""GAP: a pronoun and two names in a short text, and whether each name is what the pronoun means.

Each example is a document of three mentions: the pronoun with the names it means is an entity,
another name is one of its own. Answers of a system have no text and no place: their mentions are
called pronoun, A and B, until `align` gives them the spans of the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.positions import reading_key
from corefmeter.corpus.text import Detail
from corefmeter.formats.base import Claim, Format, ReadResult
from corefmeter.formats.notes import Notes, cell_column, number_of, share_of_lines
from corefmeter.formats.source import Source
from corefmeter.formats.standoff import add_id, tokens_or_characters
from corefmeter.problems import DataError, Problem
from corefmeter.wings.traditions.formats.rows import Row, rows

_EXAMPLE = "ID, Text, Pronoun, Pronoun-offset, A, A-offset, A-coref, B, B-offset, B-coref, URL"
_COLUMNS = f"Write the columns {_EXAMPLE}, separated by TABs."
_ANSWER_COLUMNS = "Write the columns ID, A-coref, B-coref, separated by TABs."
HEADER = _EXAMPLE.split(", ")

#: The gender of an example by its pronoun.
GENDERS = {
    **dict.fromkeys(("she", "her", "hers"), "feminine"),
    **dict.fromkeys(("he", "his", "him"), "masculine"),
}

#: The mentions of an example, the columns of their words, and their kinds.
ROLES = ("pronoun", "A", "B")
_WORDS = (2, 4, 7)
_KINDS = ("pronoun", "name", "name")

_SNIFF = re.compile(rb"ID\tText\tPronoun\t|ID\tA-coref\tB-coref\s*\n", re.IGNORECASE)
_ROW = re.compile(
    rb"^[^\t\n]+\t(?:[^\t\n]+\t\w+\t\d+\t[^\t\n]+\t\d+\t(?:true|false)\t"
    rb"|(?:true|false)\t(?:true|false)\r?$)",
    re.IGNORECASE | re.MULTILINE,
)


def sniff(head: bytes, path: str = "") -> Claim:
    """Claim a file by its header, or by its rows of examples or answers."""
    return Claim(1.0 if _SNIFF.match(head) else share_of_lines(head, _ROW))


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the examples of a file as documents; answers of a system cannot be a key."""
    notes = Notes(source.path)
    if source.head.split(b"\n", 1)[0].count(b"\t") != 2:
        documents, hint = list(_read_examples(source, notes, details)), _COLUMNS
    elif source.side != "key":
        documents, hint = list(_read_answers(source, notes)), _ANSWER_COLUMNS
    else:
        reason = "the file has answers of a system to GAP, without a text and mentions"
        hint = 'Score them with "corefmeter score KEY RESPONSE -m gap --by gender".'
        raise DataError(Problem("no-coreference", reason, "error", source.path, 1, hint=hint))
    if not documents and not notes.errors:
        what = "example" if hint == _COLUMNS else "answer"
        notes.error("no-document", f"the file holds no {what}", hint=hint)
    return documents, notes.finish()


def align(key: Corpus, response: Corpus) -> Corpus:
    """Give the mentions of answers the spans that they have in the key."""
    examples = {document.name: document for document in key if document.details is not None}
    documents = [
        _place_answer(examples[document.name], document)
        if document.unit == "names" and document.name in examples
        else document
        for document in response
    ]
    return response.replace(documents=documents)


def _place_answer(example: Document, answer: Document) -> Document:
    """Return an answer with the spans, details and text of its example in the key."""
    places = {
        str(detail.attributes.get("role")): (mention, detail)
        for mentions, details in zip(example.entities, example.details or [], strict=True)
        for mention, detail in zip(mentions, details, strict=True)
    }
    if not places.keys() >= set(ROLES):  # the key is not an annotated file of GAP
        return answer
    entities, mention_details = _place_roles(answer.entities, places)
    return answer.replace(
        entities=entities,
        details=mention_details,
        text=example.text,
        tokens=example.tokens,
        unit=example.unit,
    )


def _place_roles(
    entities: Sequence[Sequence[Any]], places: dict[str, tuple[Mention, Detail]]
) -> tuple[Entities, list[list[Detail]]]:
    """Return the mentions of roles in the order of the text, and their details.

    Roles without a place are left out.
    """
    members = [[places[role] for role in entity if role in places] for entity in entities]
    ordered = [
        sorted(entity, key=lambda pair: reading_key(pair[0])) for entity in members if entity
    ]
    ordered.sort(key=lambda entity: reading_key(entity[0][0]))
    return (
        [[mention for mention, _ in entity] for entity in ordered],
        [[detail for _, detail in entity] for entity in ordered],
    )


def _entities_of_roles(meant: Sequence[bool | None]) -> list[list[str]]:
    """Return the roles in each entity; `meant` is whether the pronoun means A, and B."""
    pronoun, *names = ROLES
    together = [name for name, is_meant in zip(names, meant, strict=True) if is_meant]
    return [[pronoun, *together], *([name] for name in names if name not in together)]


def _read_examples(source: Source, notes: Notes, details: bool) -> Iterator[Document]:
    lines: dict[str, int] = {}  # by id
    for row in rows(source, notes):
        number = row.number
        if row.cells[:2] == HEADER[:2]:
            if number > 1:
                hint = "Remove the line; the file may consist of two files."
                row.error("bad-line", "a header line within the file", None, hint)
            continue
        if number == 1:
            notes.warn("header-line", "the first line is not a header; it is read as an example", 1)
        if len(row.cells) != len(HEADER):
            reason = f"the line has {row.columns}, but an example has {len(HEADER)}"
            row.error("bad-columns", reason, None, _COLUMNS)
        elif add_id(row.cells[0], number, lines, notes, 1, "example"):
            example = _make_example(row, details)
            if example is not None:
                yield example


def _make_example(row: Row, details: bool) -> Document | None:
    id, text, pronoun, *_ = row.cells
    words = [_find_word(row, column) for column in _WORDS]
    meant = [_read_truth(row, column) for column in (6, 9)]
    gender = GENDERS.get(pronoun.lower(), "unknown")
    if gender == "unknown":
        reason = f"the pronoun {pronoun!r} has no known gender"
        row.notes.warn("unknown-gender", reason, row.number, cell_column(row.cells, 2))
    spans = [span for span in words if span is not None]
    if len(spans) < len(words) or None in meant:
        return None
    tokens = tokens_or_characters(text, [edge for span in spans for edge in span])
    places: dict[str, tuple[Mention, Detail]] = {}
    for role, kind, edges in zip(ROLES, _KINDS, spans, strict=True):
        span = tokens.span(*edges)
        if span is not None:
            places[role] = span, Detail(kind=kind, attributes={"role": role})
    entities, mention_details = _place_roles(_entities_of_roles(meant), places)
    return Document(
        id,
        entities,
        tokens=len(tokens),
        path=row.notes.path,
        line=row.number,
        unit=tokens.unit,
        details=mention_details if details else None,
        text=tokens.as_text() if details else None,
        attributes={"gender": gender},
    )


def _find_word(row: Row, column: int) -> tuple[int, int] | None:
    """Return the span of a word in the text, or None after an error."""
    text, word, offset = row.cells[1], *row.cells[column : column + 2]
    hint = "Offsets count code points from 0."
    if not offset.isdecimal():
        row.error("bad-span", f"the offset {offset!r} is not a number", column + 1, hint)
        return None
    begin = number_of(offset)
    if word and text.startswith(word, begin):
        return begin, begin + len(word)
    if word and word in text:
        hint = f"It is at {text.find(word)}."
    actual = text[begin:][: max(len(word), 1)]
    reason = f"{word!r} should be at offset {offset}, but the text has {actual!r} there"
    row.error("text-differs", reason, column + 1, hint)
    return None


def _read_truth(row: Row, column: int) -> bool | None:
    """Return the value of TRUE or FALSE, or None after an error."""
    cell = row.cells[column]
    value = {"true": True, "false": False}.get(cell.strip().lower())
    if value is None:
        reason = f"{cell!r} is neither TRUE nor FALSE"
        row.error("bad-answer", reason, column, "Write TRUE or FALSE.")
    return value


def _read_answers(source: Source, notes: Notes) -> Iterator[Document]:
    lines: dict[str, int] = {}  # by id
    for row in rows(source, notes):
        if row.number == 1 and row.cells[0].strip().lower() == "id":
            reason = "the header line is skipped; GAP's own scorer reads it as an answer"
            notes.warn("header-line", reason, 1)
        elif len(row.cells) != 3:
            reason = f"the line has {row.columns}, but an answer has 3"
            row.error("bad-columns", reason, None, _ANSWER_COLUMNS)
        else:
            entities: Any = _entities_of_roles([_read_truth(row, column) for column in (1, 2)])
            add_id(row.cells[0], row.number, lines, notes, 1, "example")
            yield Document(
                row.cells[0],
                entities,
                path=notes.path,
                line=row.number,
                unit="names",
                entities_named=False,
            )


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
