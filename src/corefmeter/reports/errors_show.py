"""The text with the brackets of key and response, wrong links marked.

``[3 Ann]`` is a mention of entity 3 of the key, ``{7 Ann}`` one of entity 7 of the response. By the
immediate antecedent (`corefmeter.metrics.arcs`), ``!`` after the name of a response entity marks a
wrong link, ``?`` after that of a key entity a missing one. On a terminal the key is green, the
response cyan, and what is wrong red; elsewhere there are only the signs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from operator import itemgetter
from typing import IO, NamedTuple

import click

from corefmeter.analysis.chain import Chain
from corefmeter.analysis.document import DocumentAnalysis, short_names
from corefmeter.analysis.report import Analysis
from corefmeter.corpus.model import Document
from corefmeter.corpus.positions import pieces_if_any
from corefmeter.corpus.text import Text
from corefmeter.problems import DataError, Problem, printable
from corefmeter.reports.tables import short_label
from corefmeter.reports.terminal import coloured, paragraph, room_of

_LEGEND = "[3 key entity 3], {7 response entity 7}; ! wrong link, ? missing link"


class _Piece(NamedTuple):
    """Some characters that look alike."""

    text: str
    style: str = ""


#: From styles to colours.
_COLORS = {"key": "green", "response": "cyan", "wrong": "red"}

#: The brackets of each side; of two that begin or end together, the key's are outside.
_BRACKETS = {"key": ("[", "]"), "response": ("{", "}")}
_SIDES = tuple(_BRACKETS)

#: By outcome of a link, the side where it is marked, and the sign.
_MARKS = {"fn": ("key", "?"), "wl": ("response", "!"), "fp": ("response", "!")}

#: A token with the brackets that open and close there: never broken.
_Word = list[_Piece]


def write_texts(
    analysis: Analysis, stream: IO[str], side_by_side: bool = False, chain: Chain | None = None
) -> None:
    """Write the texts of all documents, sentence by sentence.

    With `side_by_side` the key is on the left and the response on the right. With a `chain` only
    its entities have brackets, and only the sentences with its mentions are written.

    Raises
    ------
    DataError
        ``no-words`` when no document has words.
    """
    if not analysis.has_words:
        message = "neither side has words, so no text can be shown"
        raise DataError(Problem("no-words", message, "error", path=analysis.key_path))
    terminal = coloured(stream)
    width = room_of(stream)
    paragraph(_LEGEND, stream)
    for document in analysis if chain is None else [chain.document]:
        text = document.features.text
        stream.write("\n")
        paragraph(short_label(document.label), stream)
        if text is None:
            stream.write("(no words)\n")
            continue
        sides = [["key"], ["response"]] if side_by_side else [["key", "response"]]
        columns = [_bracket_sentences(document, text, shown, chain) for shown in sides]
        for sentences in zip(*columns, strict=True):
            if chain is not None and not any(map(_has_brackets, sentences)):
                continue
            stream.write("\n")
            _write_sentence(sentences, stream, terminal, width)


def _write_sentence(
    columns: Sequence[list[_Word]], stream: IO[str], terminal: bool, width: int
) -> None:
    room = (width - 3 * (len(columns) - 1)) // len(columns)
    wrapped = [list(_wrap_words(words, room)) for words in columns]
    for line in zip_longest(*wrapped, fillvalue=[]):
        cells = []
        for cell in line:
            shown = "".join(_style(piece, terminal) for piece in cell)
            cells.append(shown + " " * (room - sum(len(piece.text) for piece in cell)))
        stream.write(" \N{BOX DRAWINGS LIGHT VERTICAL} ".join(cells).rstrip() + "\n")


def _style(piece: _Piece, terminal: bool) -> str:
    if not terminal or not piece.style:
        return piece.text
    return click.style(piece.text, fg=_COLORS[piece.style], bold=piece.style == "wrong" or None)


def _wrap_words(words: Sequence[_Word], room: int) -> Iterator[list[_Piece]]:
    """Yield words in lines of at most so many characters; a longer word has its own line."""
    line: list[_Piece] = []
    used = 0
    for word in words:
        length = sum(len(piece.text) for piece in word)
        if line and used + 1 + length > room:
            yield line
            line, used = [], 0
        if line:
            line.append(_Piece(" "))
            used += 1
        line += word
        used += length
    if line:
        yield line


def _bracket_sentences(
    document: DocumentAnalysis, text: Text, shown: list[str], chain: Chain | None
) -> list[list[_Word]]:
    """Return the words of each sentence with brackets of the sides that are shown."""
    # By token, the brackets that open before it or close after it. Each has two sort keys, by which
    # longer mentions are outside, and then the key. Empty nodes are by the token that they precede.
    opens: dict[int, list[tuple[int, int, _Word]]] = {}
    closes: dict[int, list[tuple[int, int, _Piece]]] = {}
    empty: dict[int, list[_Word]] = {}
    marks: dict[tuple[str, object], str] = {}
    for decision in document.decisions("arcs-immediate"):
        if decision.outcome in _MARKS:
            place, mark = _MARKS[decision.outcome]
            marks[place, decision.mention] = mark
    for style in shown:
        rank = _SIDES.index(style)
        left, right = _BRACKETS[style]
        side: Document = getattr(document, style)
        names = short_names(side.entity_names)
        for name, start, end, mention in _find_runs(side, chain, style):
            label = [_Piece(left + printable(names[name]), style)]
            if (style, mention) in marks:
                label.append(_Piece(marks[style, mention], "wrong"))
            if end > start:
                opens.setdefault(start, []).append((-end, rank, label))
                closes.setdefault(end - 1, []).append((-start, -rank, _Piece(right, style)))
            else:
                node = [*label, _Piece(" _"), _Piece(right, style)]
                empty.setdefault(start, []).append(node)
    sort_keys = itemgetter(0, 1)
    sentences = []
    for first, end in pairwise([*text.sentences, len(text)]):
        words: list[_Word] = []
        for token in range(first, end):
            words += empty.get(token, [])
            word: _Word = []
            for _, _, label in sorted(opens.get(token, []), key=sort_keys):
                word += [*label, _Piece(" ")]
            word.append(_Piece(printable(text.words[token])))
            word += [piece for _, _, piece in sorted(closes.get(token, []), key=sort_keys)]
            words.append(word)
        sentences.append(words)
    return sentences


def _has_brackets(sentence: Sequence[_Word]) -> bool:
    return any(piece.style for word in sentence for piece in word)


def _find_runs(
    document: Document, chain: Chain | None, style: str
) -> Iterator[tuple[str, int, int, object]]:
    """Yield entity, start, end and mention of runs of tokens and empty nodes of a side.

    With a chain only those of its entities.
    """
    names = enumerate(zip(document.entity_names, document.entities, strict=True))
    for place, (name, entity) in names:
        if chain is not None and place not in chain.places[style]:
            continue
        for mention in entity:
            for start, end, *_ in pieces_if_any(mention):
                yield name, start, end, mention
