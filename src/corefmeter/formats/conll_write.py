"""Writing CoNLL files; see `corefmeter.formats.conll` for the conventions."""

from __future__ import annotations

import re
from itertools import count
from typing import IO

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import pieces_if_any
from corefmeter.corpus.text import Text
from corefmeter.formats.conll_lines import DOUBLE
from corefmeter.formats.notes import in_cell
from corefmeter.formats.writing import (
    Bracket,
    Signs,
    crossing_spans,
    left_out_problem,
    one_line,
    signs_by_row,
    token_count,
    written_names,
)
from corefmeter.problems import Problem

_ID = re.compile(rb"[^()|*\s]+")


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus in five columns: document, part, token, word, coreference.

    A document that was read with details gets its words, a blank line after each sentence, and the
    twelve columns of OntoNotes if it has further annotation; otherwise words are written as ``_``.
    Losses are returned as problems: mentions that are not half-open spans, or that cross another of
    their entity (the one that begins later is left out).
    """
    problems = []
    for document in corpus:
        name = one_line(document.name)
        part = "" if document.part is None else f" part {document.part:03d}"
        stream.write(f"#begin document ({name});{part}\n")
        cells, left_out = coreference_cells(document)
        problems += left_out
        column = "_" if not name or name.startswith("#") else name
        tokens = token_count(document)
        text = document.text
        middle = [["_"]] * tokens if text is None else _columns_from_word(text, tokens)
        starts = set(text.sentences) if text is not None else set()
        sentence_start = 0
        for token in range(tokens):
            if token in starts:
                stream.write("\n" if token else "")
                sentence_start = token
            row = [column, str(document.part or 0), str(token - sentence_start), *middle[token]]
            stream.write("\t".join([*row, cells.get(token, "-")]) + "\n")
        stream.write("\n#end document\n")
    return problems


def coreference_cells(document: Document) -> tuple[dict[int, str], list[Problem]]:
    """Return the cell of each token on which a mention begins or ends, and the losses."""
    numbers = map(str, count())
    names = written_names(document.entity_names, _is_id, lambda _: numbers)
    problems = []
    brackets = []
    for name, entity in zip(names, document.entities, strict=True):
        spans = []
        for mention in entity:
            match pieces_if_any(mention):
                case ((start, end),):
                    spans.append((start, end))
                case _:
                    reason = "is not a span of tokens"
                    problems.append(left_out_problem(document, name, mention, reason))
        crossing = crossing_spans(spans, 1)
        for number, (start, end) in enumerate(spans):
            if number in crossing:
                reason = "crosses another of its entity"
                problems.append(left_out_problem(document, name, (start, end), reason))
            else:
                brackets.append(Bracket(start, end - 1, f"({name}", f"{name})"))
    return {token: _cell(signs) for token, signs in signs_by_row(brackets).items()}, problems


def _cell(signs: Signs) -> str:
    # Where an entity closes one mention and opens the next, the close must be read first.
    reopened = {f"{opening[1:]})" for opening in signs.opens}
    first = [closing for closing in signs.closes if closing in reopened]
    last = [closing for closing in signs.closes if closing not in reopened]
    return "|".join([*first, *signs.opens, *(f"{whole})" for whole in signs.wholes), *last])


def _is_id(name: str) -> bool:
    """Return whether a cell can hold the name of an entity."""
    text = name.encode("utf-8", "replace")
    plain = text.decode() == name and name.split() == [name]
    return plain and _ID.fullmatch(text) is not None and DOUBLE.fullmatch(text) is None


def _columns_from_word(text: Text, tokens: int) -> list[list[str]]:
    """Return for each token its word and, if more is known, all columns up to the named entities.

    These are part of speech, parse, lemma, frameset, sense, speaker and named entities, as in
    OntoNotes; with document, part, token and coreference they make twelve columns.
    """
    words = [in_cell(word) for word in text.words[:tokens]]
    words += ["_"] * (tokens - len(words))
    if text.pos is None and text.parse is None and text.speakers is None and not text.entity_types:
        return [[word] for word in words]
    pos, parse, speakers = (_cells(c, tokens) for c in (text.pos, text.parse, text.speakers))
    nothing = ["-"] * tokens  # lemma, frameset and sense
    names = _named_entity_cells(text.entity_types, tokens)
    columns = (words, pos, parse, nothing, nothing, nothing, speakers, names)
    return [list(row) for row in zip(*columns, strict=True)]


def _cells(column: list[str] | None, tokens: int) -> list[str]:
    """Return one cell for each token; ``-`` for an unknown value."""
    known = [in_cell(value) if value.strip() else "-" for value in (column or [])[:tokens]]
    return known + ["-"] * (tokens - len(known))


def _named_entity_cells(entity_types: list[tuple[int, int, str]] | None, tokens: int) -> list[str]:
    """Return the column of named entities: ``(GPE*``, ``*``, ``*)``, ``(GPE)``."""
    if entity_types is None:
        return ["-"] * tokens
    signs = signs_by_row(
        Bracket(start, end - 1, f"({in_cell(kind)}", ")")
        for start, end, kind in entity_types
        if 0 <= start < end <= tokens
    )
    cells = ["*"] * tokens
    for token, (closes, opens, wholes) in signs.items():
        whole = "".join(f"{opening})" for opening in wholes)
        cells[token] = "".join([*opens, whole or "*", *closes])
    return cells
