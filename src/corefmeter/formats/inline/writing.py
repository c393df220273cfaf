"""Writing text with marks, in the style of brackets."""

from __future__ import annotations

import re
from collections import Counter
from itertools import count
from typing import IO

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import is_run
from corefmeter.formats.json_writing import spans_to_write
from corefmeter.formats.notes import in_cell, lost_problem
from corefmeter.formats.writing import crossing_spans, one_line, written_names
from corefmeter.problems import Problem

TITLE = "text with marks"


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus in the style of brackets, one sentence a line.

    Documents without words, and mentions with gaps or empty nodes or that cross another, are left
    out and returned as problems.
    """
    problems: list[Problem] = []
    for document in corpus:
        text = document.text
        if text is None or document.unit != "tokens":
            message = "the document has no words and is left out"
            problems.append(lost_problem(document, message, code="document-unwritten"))
            continue
        _, left_out = spans_to_write(document, TITLE)
        problems += left_out
        opens, closes, crosses = _make_brackets(document, _names_to_write(document))
        if crosses:
            message = f"mentions that cross another cannot be written in {TITLE}; left out"
            problems.append(lost_problem(document, message, crosses, "mention-unwritten"))
        stream.write(f"# document {one_line(document.one_name or document.label)}\n")
        starts = set(text.sentences[1:])
        for token, word in enumerate(text.words):
            if token:
                stream.write("\n" if token in starts else " ")
            stream.write("[" * opens[token] + _escape(in_cell(word)) + closes.get(token, ""))
        stream.write("\n")
    return problems


def _names_to_write(document: Document) -> list[str]:
    """Return the names of entities as they are written; numbers for those that cannot be."""
    numbers = {name: str(number) for number, name in enumerate(document.entity_names)}
    return written_names(
        document.entity_names,
        lambda name: re.fullmatch(r"(?!\#)[^{},;\s]+", name) is not None,
        lambda name: (numbers[name] + "x" * more for more in count()),
    )


def _make_brackets(
    document: Document, names: list[str]
) -> tuple[Counter[int], dict[int, str], int]:
    """Return the brackets of a document, without mentions that cross others.

    That is the number of opening brackets and the text of closing ones, both by token, and the
    number of mentions that are left out.
    """
    marked = [
        (mention, name)
        for name, mentions in zip(names, document.entities, strict=True)
        for mention in mentions
        if is_run(mention)
    ]
    marked.reverse()  # of mentions at one place the first is innermost: it is read first
    marked.sort(key=lambda item: (item[0][0], -item[0][1]))
    crossing = crossing_spans([span for span, _ in marked], 0)
    opens: Counter[int] = Counter()
    closes: dict[int, str] = {}
    for number, ((start, end), name) in enumerate(marked):
        if number not in crossing:
            opens[start] += 1
            label = name if name.isdecimal() else f"{{{name}}}"
            closes[end - 1] = f"]_{label}" + closes.get(end - 1, "")
    return opens, closes, len(crossing)


def _escape(word: str) -> str:
    """Return a word as text, with what would be read as a mark or a header escaped."""
    word = re.sub(r"([\[\]\\<>])", r"\\\1", word)
    return "\\" + word if word.startswith("#") else word
