"""BookNLP's ``NAME.entities``, with the words of ``NAME.tokens`` next to it.

Both have a header and TAB-separated columns. A row of the first is a mention, whose tokens count
through the document from 0, the last one included::

    COREF  start_token  end_token  prop  cat  text
    123    4            5          PROP  PER  Emma Woodhouse

A mention of entity -1 was left without one. A row of the second is a token.
"""

from __future__ import annotations

import re

from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Claim, Format, ReadResult
from corefmeter.formats.entities import Members, document_of, in_text_order
from corefmeter.formats.notes import Notes, cell_column, number_of, numbered_lines, share_of_lines
from corefmeter.formats.source import Source, stem, uncompressed
from corefmeter.formats.standoff import Words
from corefmeter.problems import DataError, Problem
from corefmeter.wings.annotation.formats.litbank_brat import KINDS

_HEADER = "COREF\tstart_token\tend_token\tprop\tcat\ttext"
_CLUE = "Give the .entities of BookNLP, and keep its .tokens next to it."
_ROW = re.compile(rb"^-?\d+\t\d+\t\d+\t(?:PROP|NOM|PRON)\t", re.MULTILINE)


def sniff(head: bytes, path: str = "") -> Claim:
    """Claim a file by the header of entities, or by its rows."""
    return Claim(1.0 if head.startswith(_HEADER.encode()) else share_of_lines(head, _ROW))


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Read the document of a file and its tokens file."""
    notes = Notes(source.path)
    text = _read_tokens(source.path)
    folded = Words(text.words)
    entities: Members = {}
    for number, line in numbered_lines(source, notes):
        cells = line.split("\t")
        if not line or (number == 1 and line == _HEADER):
            continue
        numbers = [cells[0].removeprefix("-"), *cells[1:3]]
        if len(cells) != 6 or not all(map(str.isdecimal, numbers)):
            hint = f"Write the columns {', '.join(_HEADER.split())}, separated by TABs."
            reason = f"the line is not a BookNLP entity: {line[:80]!r}"
            notes.error("bad-line", reason, number, 1, hint)
            continue
        entity, (start, last) = cells[0], map(number_of, cells[1:3])
        if not start <= last < len(text):
            reason = f"tokens {start} to {last} do not exist; there are {len(text)}"
            notes.error("bad-span", reason, number, len(entity) + 2)
        elif not folded.equal(cells[5], start, last + 1):
            words = folded.beginning(start, last + 1)
            reason = f"the mention is {cells[5]!r:.60}, but the tokens there are {words!r:.60}"
            notes.error("text-differs", reason, number, cell_column(cells, 5))
        elif entity == "-1":
            notes.warn("no-entity-name", "the mention has no entity; it is left out", number)
        else:
            detail = Detail(kind=KINDS.get(cells[3]), entity_type=cells[4])
            entities.setdefault(entity, []).append(((start, last + 1), detail))
    document = document_of(
        stem(source.path),
        in_text_order(entities),
        details,
        tokens=len(text),
        path=source.path,
        line=1,
        text=text if details else None,
    )
    return [document], notes.finish()


def _read_tokens(path: str) -> Text:
    tokens_path = f"{uncompressed(path).removesuffix('.entities')}.tokens"
    try:
        source = Source(tokens_path)
    except DataError:
        reason = "the tokens of the mentions are missing"
        hint = f"Put {stem(path)}.tokens next to it."
        raise DataError(Problem("missing-text", reason, "error", path, hint=hint)) from None
    with source:
        notes = Notes(tokens_path)
        header, *rows = [line.split("\t") for _, line in numbered_lines(source, notes)] or [[]]
    rows = [row for row in rows if row != [""]]
    wrong = next((n for n, row in enumerate(rows, 2) if len(row) != len(header)), None)
    if wrong or not {"sentence_ID", "word"} <= {*header}:
        notes.error("bad-line", "the file is not a table of tokens of BookNLP", wrong or 1)
    notes.finish()
    columns = {name: [row[n] for row in rows] for n, name in enumerate(header)}
    sentences = columns["sentence_ID"]
    text = Text(
        columns["word"],
        sentences=[n for n, id in enumerate(sentences) if not n or id != sentences[n - 1]],
        pos=columns.get("fine_POS_tag"),
        upos=columns.get("POS_tag"),
        relations=columns.get("dependency_relation"),
    )
    if (heads := columns.get("syntactic_head_ID")) and all(map(str.isdecimal, heads)):
        text.heads = [-1 if head == n else head for n, head in enumerate(map(number_of, heads))]
    return text


FORMAT = Format(
    name="booknlp",
    title="BookNLP",
    sniff=sniff,
    evidence="the header of `.entities`, or most lines are rows of it",
    read=read,
    unwritten="it is two files, entities and tokens; choose webanno, conllua or conll",
    endings=(),
    beside=((".entities", ".tokens"),),
    clues=((b"token_ID_within_document", _CLUE),),
)
