"""Tables of TAC KBP's entity linking: the form of neleval, and that of the task from 2015 on.

A line is a mention. neleval: ``document, begin, end, entity, score, type``, separated by TABs;
score (1.0 if missing) and type may be missing, and further groups of entity, score and type are
other candidates, of which the one with the greatest score is taken, the first of several. From 2015
on, 11 columns: run, mention, text, ``document:begin-end``, entity (of a knowledge base, or
``NIL...``), type, NAM or NOM, confidence, and three that are not read.

Mentions of a document with the same entity are an entity, also those with a NIL id. Positions are
characters, from 0, end inclusive; here half-open. The text is not part of the file. An entity id
means the same in all documents of a file (``--as-one-document --shared-ids``).
"""

from __future__ import annotations

import re
from itertools import accumulate, count
from math import isfinite
from typing import IO, Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import pieces_if_any, place_of
from corefmeter.corpus.text import Detail
from corefmeter.formats.base import Claim, Format
from corefmeter.formats.entities import Members, document_of, in_text_order
from corefmeter.formats.notes import (
    Notes,
    cell_column,
    in_cell,
    numbered_lines,
    share_of_lines,
    unwritten_problem,
)
from corefmeter.formats.source import LONGEST_MENTION, Source
from corefmeter.formats.writing import flat_name, written_names
from corefmeter.problems import Problem, amount

_ENDS = re.compile(r"\s*(\d+)\s*[-\u2013]\s*(\d+)\s*")
_SNIFF = re.compile(
    rb"^(?:query_id\t"
    rb"|[^\t\n]*\t[^\t\n]*\t[^\t\n]*\t[^\t\n]+:[ ]*\d+[ ]*(?:-|\xe2\x80\x93)[ ]*\d+[ ]*\t"
    rb"|[^\t\n]+\t\d+\t\d+\t[^\t\r\n]+(?:\t(?:-?[\d.][\d.eE+-]*)?(?:\t.*)?)?\r?$)",
    re.MULTILINE | re.IGNORECASE,
)
_COLUMNS_2015 = 11
_DIGITS = 16
_KINDS = {"NAM": "name", "NOM": "nominal", "PRO": "pronoun"}


class _Row(NamedTuple):
    """One mention."""

    document: str
    begin: int
    end: int  # exclusive
    entity: str
    detail: Detail
    line: int


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a file by its rows of either form."""
    share = share_of_lines(head, _SNIFF)
    return Claim(share) if share else None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the documents of a file, in order of their names' first lines.

    Raises
    ------
    DataError
        With all errors of the file: lines that are not separated by TABs or have other columns,
        positions or scores that are no numbers, mentions that end before they begin, ends that
        look exclusive.
    """
    notes = Notes(source.path)
    rows: list[_Row] = []
    lengths: list[tuple[int, int]] = []  # of the mention by its ends, and of its text
    for number, line in numbered_lines(source, notes):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) == 1:
            reason = f"the columns are not separated by TABs: {line!r:.60}"
            notes.error("bad-line", reason, number, 1, "Separate the columns by TABs.")
        elif len(cells) > 3 and _place(cells[3]) is not None:
            row = _of_2015(cells, number, notes)
            if row is not None:
                rows.append(row)
                lengths.append((row.end - row.begin, len(cells[2])))
        elif cells[0].strip().lower() != "query_id":
            row = _of_neleval(cells, number, notes)
            if row is not None:
                rows.append(row)
    _check_ends(lengths, notes)
    if not rows and not notes.errors:
        notes.error("no-document", "the file holds no mention")
    return _documents(rows, notes.path, details), notes.finish()


def _place(cell: str) -> tuple[str, str, str] | None:
    """Document, begin and end of a cell in the format of 2015; None for any other.

    Examples
    --------
    >>> _place("nw:x: 3 - 9"), _place("E1")
    (('nw:x', '3', '9'), None)
    """
    document, _, ends = cell.rpartition(":")
    match = _ENDS.fullmatch(ends)
    return (document.strip(), match[1], match[2]) if match and document.strip() else None


def _span(begin: str, end: str, number: int, column: int, notes: Notes) -> tuple[int, int] | None:
    if not all(text.strip().isdecimal() and len(text) < _DIGITS for text in (begin, end)):
        reason = f"begin and end are not both numbers: {begin!r:.30}, {end!r:.30}"
        notes.error("bad-span", reason, number, column, "They count characters, from 0.")
        return None
    first, last = int(begin.strip()), int(end.strip())
    if first > last:
        reason = f"the mention ends at {last}, before it begins at {first}"
        notes.error("bad-span", reason, number, column, "The end is the last character.")
        return None
    if last - first >= LONGEST_MENTION:
        reason = f"the mention from {first} to {last} has more than {LONGEST_MENTION} characters"
        notes.error("bad-span", reason, number, column, "See whether begin and end are right.")
        return None
    return first, last + 1


def _score(text: str, number: int, column: int, notes: Notes) -> float | None:
    """Return a score, 1.0 if there is none, or None after an error."""
    if not text.strip():
        return 1.0
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        hint = "Write a number such as 0.75, or nothing for 1.0."
        notes.error("bad-score", f"the score {text!r:.40} is not a number", number, column, hint)
        return None
    return value


def _of_2015(cells: list[str], number: int, notes: Notes) -> _Row | None:
    if len(cells) != _COLUMNS_2015:
        reason = f"{amount(len(cells), 'column')} where the format has {_COLUMNS_2015}"
        notes.error("bad-columns", reason, number, 1, "Keep empty columns, with their TABs.")
        return None
    column = cell_column(cells, 3)
    place = _place(cells[3])
    assert place is not None  # the caller has looked
    document, begin, end = place
    span = _span(begin, end, number, column, notes)
    entity = cells[4].strip()
    if not entity:
        column = cell_column(cells, 4)
        hint = "Name an entity of the knowledge base, or NIL and a number."
        notes.error("missing-field", "a mention without entity", number, column, hint)
    column = cell_column(cells, 7)
    score = _score(cells[7], number, column, notes)
    if span is None or score is None or not entity:
        return None
    attributes = {"id": cells[1], "text": cells[2], "run": cells[0], "score": score}
    kind = cells[6].strip()
    if kind and kind.upper() not in _KINDS:
        attributes["level"] = kind
    detail = Detail(
        kind=_KINDS.get(kind.upper(), "other") if kind else None,
        entity_type=cells[5].strip() or None,
        attributes=attributes,
    )
    return _Row(document, *span, entity, detail, number)


def _of_neleval(cells: list[str], number: int, notes: Notes) -> _Row | None:
    count = len(cells)
    if count < 4 or (count > 6 and count % 3):
        reason = (
            f"{amount(count, 'column')}, which are not document, begin, end and groups of entity, "
            "score, type"
        )
        hint = "Write document, begin, end, entity, score, type, separated by TABs."
        notes.error("bad-columns", reason, number, 1, hint)
        return None
    columns = list(accumulate((len(cell) + 1 for cell in cells), initial=1))
    span = _span(cells[1], cells[2], number, columns[1], notes)
    candidates: list[tuple[str, float, str | None]] = []
    for place in range(3, count, 3):
        entity = cells[place].strip()
        text = cells[place + 1] if place + 1 < count else ""
        score = _score(text, number, columns[place + 1], notes)
        if not entity:
            hint = "Name an entity of the knowledge base, or NIL and a number."
            notes.error("missing-field", "a mention without entity", number, columns[place], hint)
        elif score is not None:
            type = cells[place + 2].strip() if place + 2 < count else ""
            candidates.append((entity, score, type or None))
    document = cells[0].strip()
    if not document:
        hint = "Name the document in the first column."
        notes.error("missing-field", "a mention without document", number, 1, hint)
    if span is None or not candidates or not document:
        return None
    entity, score, kind = max(candidates, key=lambda candidate: candidate[1])
    attributes: dict[str, Any] = {"score": score}
    if len(candidates) > 1:
        attributes["candidates"] = candidates
    return _Row(document, *span, entity, Detail(entity_type=kind, attributes=attributes), number)


def _check_ends(lengths: list[tuple[int, int]], notes: Notes) -> None:
    """Refuse a file whose ends are exclusive: more texts fit that way than the right one."""
    exclusive = sum(by_ends - 1 == of_text for by_ends, of_text in lengths)
    if exclusive > sum(by_ends == of_text for by_ends, of_text in lengths):
        reason = (
            f"the ends of {exclusive} of {amount(len(lengths), 'mention')} fit their texts as "
            "exclusive ends"
        )
        hint = "The end is that of the last character: subtract 1 from each."
        notes.error("wrong-ends", reason, hint=hint)


def _documents(rows: list[_Row], path: str, details: bool) -> list[Document]:
    by_document: dict[str, dict[str, list[_Row]]] = {}
    for row in rows:
        by_document.setdefault(row.document, {}).setdefault(row.entity, []).append(row)
    found = []
    for name, entities in by_document.items():
        members: Members = {
            entity: [((row.begin, row.end), row.detail) for row in rows]
            for entity, rows in entities.items()
        }
        found.append(
            document_of(
                name,
                in_text_order(members),
                details,
                path=path,
                line=min(row.line for rows in entities.values() for row in rows),
                unit="characters",
            )
        )
    return found


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
                cells = _cells(mention, names[i], detail)
                if cells is None:
                    what = f"the mention {mention!r}"
                    problems.append(
                        unwritten_problem(document, what, "left out", "mention-unwritten")
                    )
                else:
                    stream.write("\t".join([name, *cells]) + "\n")
    return problems


def _cells(mention: Mention, entity: str, detail: Detail) -> list[str] | None:
    """Return the columns of a mention after its document, or None if it is no run of characters."""
    match pieces_if_any(place_of(mention)):
        case ((begin, end),):
            pass
        case _:
            return None
    score = detail.attributes.get("score", 1.0)
    cells = [str(begin), str(end - 1), entity, str(score)]
    return [*cells, in_cell(detail.entity_type)] if detail.entity_type else cells


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
