"""A format and a metric for corefmeter: sets of spans, and entities that are found whole."""

from __future__ import annotations

import re
from typing import IO

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import is_run
from corefmeter.formats.base import Format
from corefmeter.formats.notes import Notes, in_cell, lost_problem, numbered_lines
from corefmeter.formats.source import Source
from corefmeter.formats.writing import flat_name
from corefmeter.metrics.base import RatioMetric, Row
from corefmeter.metrics.overlap import Overlap
from corefmeter.problems import Problem

_SPAN = re.compile(r"(\d{1,9})-(\d{1,9})")


def sniff(head: bytes, path: str = "") -> bool:
    """Whether the first line is the sign of the format."""
    return head.startswith(b"#sets\n")


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The documents of a file, one a line."""
    notes = Notes(source.path)
    documents = []
    for number, line in numbered_lines(source, notes):
        if line == "#sets" or not line.strip():
            continue
        name, *cells = line.split("\t")
        entities = []
        for cell in cells:
            spans = [_SPAN.fullmatch(text) for text in cell.split()]
            if not spans or not all(span and int(span[1]) < int(span[2]) for span in spans):
                hint = "Write spans as FIRST-END, the end being that of the token after it."
                notes.error("bad-line", f"{cell!r} is no entity", number, hint=hint)
            entities.append([(int(span[1]), int(span[2])) for span in spans if span])
        documents.append(Document(name, entities, path=source.path, line=number))
    return notes.result(documents, concatenate)


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus; mentions with gaps and empty nodes are left out."""
    problems = []
    stream.write("#sets\n")
    for document in corpus:
        runs = [[m for m in entity if is_run(m)] for entity in document.entities]
        if missing := sum(map(len, document.entities)) - sum(map(len, runs)):
            problems.append(
                lost_problem(document, "mentions that are no spans are left out", missing)
            )
        cells = [" ".join(f"{start}-{end}" for start, end in entity) for entity in runs if entity]
        stream.write("\t".join([in_cell(flat_name(document)), *cells]) + "\n")
    return problems


FORMAT = Format(
    name="sets",
    title="sets of spans",
    sniff=sniff,
    evidence="the first line is `#sets`",
    read=read,
    write=write,
    endings=(".sets",),
)


class WholeEntities(RatioMetric):
    """R = entities that both sides have / entities of the key, P = the same / of the response.

    Examples
    --------
    >>> WholeEntities().statistics(Overlap([["a", "b"], ["c"]], [["a", "b"], ["c", "d"]]))
    (1, 2, 1, 2)
    """

    name = "whole"
    title = "Whole entities"
    about = "Entities that are found whole."

    def statistics(self, table: Overlap) -> Row:
        """Entities in common, of the key, in common, of the response."""
        same = sum(
            n == table.key_sizes[k] == table.response_sizes[r] for k, r, n in table.lone_cells
        )
        return same, len(table.key_sizes), same, len(table.response_sizes)
