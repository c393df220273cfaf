"""Tables of TAC KBP's entity linking: the form of neleval, and that of the task from 2015 on.

neleval: ``document, begin, end, entity, score, type``; further groups of entity, score and type are
other candidates. From 2015 on, 11 columns: run, mention, text, ``document:begin-end``, entity,
type, NAM or NOM, confidence, and three that are not read. Positions are characters, from 0, with
inclusive ends in the file. An entity id means the same in all documents of a file.
"""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import count
from math import isfinite
from typing import IO, NamedTuple

from corefmeter.corpus.model import Corpus
from corefmeter.corpus.positions import pieces_if_any, place_of
from corefmeter.corpus.text import Detail
from corefmeter.formats.base import Claim, Format, ReadResult
from corefmeter.formats.entities import Members, document_of, in_text_order
from corefmeter.formats.notes import Notes, in_cell, share_of_lines, unwritten_problem
from corefmeter.formats.source import LONGEST_MENTION, Source
from corefmeter.formats.writing import flat_name, written_names
from corefmeter.problems import Problem, amount
from corefmeter.wings.traditions.formats.rows import Row, rows

_ENDS = re.compile(r"\s*(\d+)\s*[-\u2013]\s*(\d+)\s*")
_SNIFF = re.compile(
    rb"^(?:query_id\t"
    rb"|[^\t\n]*\t[^\t\n]*\t[^\t\n]*\t[^\t\n]+:[ ]*\d+[ ]*(?:-|\xe2\x80\x93)[ ]*\d+[ ]*\t"
    rb"|[^\t\n]+\t\d+\t\d+\t[^\t\r\n]+(?:\t(?:-?[\d.][\d.eE+-]*)?(?:\t.*)?)?\r?$)",
    re.MULTILINE | re.IGNORECASE,
)
_COLUMNS_2015 = 11
_OFFSET = re.compile(r"\s*(\d{1,15})\s*")
_KINDS = {"NAM": "name", "NOM": "nominal", "PRO": "pronoun"}


class _Mention(NamedTuple):
    """A mention with its document and entity, as a row has it."""

    document: str
    span: tuple[int, int]
    entity: str
    detail: Detail


def sniff(head: bytes, path: str = "") -> Claim:
    """Claim a file by its rows of either form."""
    return Claim(share_of_lines(head, _SNIFF))


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file, in order of their names' first lines."""
    notes = Notes(source.path)
    documents: dict[str, Members] = {}
    lines: dict[str, int] = {}
    lengths: list[tuple[int, int]] = []  # of the mention by its ends, and of its text
    for row in rows(source, notes):
        cells = row.cells
        mention = None
        if len(cells) == 1:
            reason = f"the columns are not separated by TABs: {cells[0]!r:.60}"
            row.error("bad-line", reason, 0, "Separate the columns by TABs.")
        elif len(cells) > 3 and (place := _split_place(cells[3])) is not None:
            mention = _read_2015(row, *place)
            if mention is not None:
                lengths.append((mention.span[1] - mention.span[0], len(cells[2])))
        elif cells[0].strip().lower() != "query_id":
            mention = _read_neleval(row)
        if mention is not None:
            lines.setdefault(mention.document, row.number)
            entities = documents.setdefault(mention.document, {})
            entities.setdefault(mention.entity, []).append((mention.span, mention.detail))
    _check_ends(lengths, notes)
    if not documents and not notes.errors:
        notes.error("no-document", "the file holds no mention")
    read_documents = []
    for name, entities in documents.items():
        values = {"path": notes.path, "line": lines[name], "unit": "characters"}
        read_documents.append(document_of(name, in_text_order(entities), details, **values))
    return read_documents, notes.finish()


def _split_place(cell: str) -> tuple[str, str, str] | None:
    """Return document, begin and end of a cell in the format of 2015; None for any other."""
    document, _, ends = cell.rpartition(":")
    match = _ENDS.fullmatch(ends)
    return (document.strip(), match[1], match[2]) if match and document.strip() else None


def _read_span(begin: str, end: str, row: Row, cell: int) -> tuple[int, int] | None:
    """Return a half-open span, or None after an error."""
    numbers = map(_OFFSET.fullmatch, (begin, end))
    first, last = (int(number[1]) if number else -1 for number in numbers)
    if 0 <= first <= last < first + LONGEST_MENTION:
        return first, last + 1
    reason = f"{begin!r:.30} and {end!r:.30} are not the begin and the end of a mention"
    hint = "Write the offsets of the first and the last of its characters, counted from 0; there "
    hint += f"are at most {LONGEST_MENTION}."
    row.error("bad-span", reason, cell, hint)
    return None


def _read_entity(row: Row, cell: int) -> str:
    """Return an entity; an empty cell is an error."""
    entity = row.cells[cell].strip()
    if not entity:
        hint = "Name an entity of the knowledge base, or NIL and a number."
        row.error("missing-field", "the mention has no entity", cell, hint)
    return entity


def _read_score(row: Row, cell: int) -> float | None:
    """Return a score, 1.0 if there is none, or None after an error."""
    text = row.cells[cell] if cell < len(row.cells) else ""
    with suppress(ValueError):
        value = float(text if text.strip() else 1)
        if isfinite(value):
            return value
    hint = "Write a number such as 0.75, or nothing for 1.0."
    row.error("bad-score", f"the score {text!r:.40} is not a number", cell, hint)
    return None


def _read_2015(row: Row, document: str, begin: str, end: str) -> _Mention | None:
    cells = row.cells
    if len(cells) != _COLUMNS_2015:
        reason = f"the line has {row.columns}, but the format has {_COLUMNS_2015}"
        row.error("bad-columns", reason, 0, "Keep empty columns and their TABs.")
        return None
    span, entity, score = _read_span(begin, end, row, 3), _read_entity(row, 4), _read_score(row, 7)
    if span is None or score is None or not entity:
        return None
    attributes = {"id": cells[1], "text": cells[2], "run": cells[0], "score": score}
    level = cells[6].strip()
    kind = _KINDS.get(level.upper(), "other") if level else None
    if kind == "other":
        attributes["level"] = level
    detail = Detail(kind=kind, entity_type=cells[5].strip() or None, attributes=attributes)
    return _Mention(document, span, entity, detail)


def _read_neleval(row: Row) -> _Mention | None:
    """Return the mention of a row of neleval, with its best candidate; None after an error."""
    cells = row.cells
    if len(cells) < 4 or (len(cells) > 6 and len(cells) % 3):
        reason = f"the {row.columns} are not document, begin, end and groups of entity, score,"
        hint = "Write document, begin, end, entity, score, type, separated by TABs."
        row.error("bad-columns", f"{reason} type", 0, hint)
        return None
    span = _read_span(cells[1], cells[2], row, 1)
    candidates: list[tuple[str, float, str | None]] = []
    for cell in range(3, len(cells), 3):
        score, entity = _read_score(row, cell + 1), _read_entity(row, cell)
        if entity and score is not None:
            type = cells[cell + 2].strip() if cell + 2 < len(cells) else ""
            candidates.append((entity, score, type or None))
    document = cells[0].strip()
    if not document:
        hint = "Name the document in the first column."
        row.error("missing-field", "the mention has no document", 0, hint)
    if span is None or not candidates or not document:
        return None
    entity, score, kind = max(candidates, key=lambda candidate: candidate[1])
    detail = Detail(entity_type=kind, attributes={"score": score})
    return _Mention(document, span, entity, detail)


def _check_ends(lengths: list[tuple[int, int]], notes: Notes) -> None:
    """Note an error if the ends of a file fit more texts as exclusive ends than as inclusive ones.

    `lengths` has for each mention its length by its ends, and the length of its text.
    """
    exclusive = sum(by_ends - 1 == text_length for by_ends, text_length in lengths)
    if exclusive > sum(by_ends == text_length for by_ends, text_length in lengths):
        share = f"{exclusive} of {amount(len(lengths), 'mention')}"
        hint = "Subtract 1 from each end, which is the offset of the last character."
        reason = f"the ends of {share} fit their texts as exclusive ends"
        notes.error("wrong-ends", reason, hint=hint)


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus that counts characters, in the form of neleval.

    What cannot be written is returned: documents that count tokens, and mentions with gaps.
    """
    problems: list[Problem] = []
    for document in corpus:
        name = flat_name(document) or "_"
        if document.unit != "characters":
            what = "the document, which does not count characters,"
            problems.append(unwritten_problem(document, what, "left out", "document-unwritten"))
            continue
        names = list(map(in_cell, document.entity_names))
        names = written_names(names, bool, lambda _: map(str, count()))
        for i, entity in enumerate(document.entities):
            for j, mention in enumerate(entity):
                detail = document.details[i][j] if document.details else Detail()
                parts = pieces_if_any(place_of(mention))
                if len(parts) != 1 or len(parts[0]) != 2:
                    what, code = f"the mention {mention!r}", "mention-unwritten"
                    problems.append(unwritten_problem(document, what, "left out", code))
                    continue
                ((begin, end),) = parts
                score = str(detail.attributes.get("score", 1.0))
                cells = [name, str(begin), str(end - 1), names[i], score]
                cells += [in_cell(detail.entity_type)] if detail.entity_type else []
                stream.write("\t".join(cells) + "\n")
    return problems


FORMAT = Format(
    name="tac-kbp",
    title="TAC KBP tables (neleval, or 11 columns)",
    sniff=sniff,
    evidence="most lines are rows of 2015 (`document:begin-end` in column 4), or of neleval "
    "(begin and end in columns 2 and 3)",
    read=read,
    write=write,
    units=("characters",),
)
