"""The tokens of a running text, for formats that annotate characters.

Positions count tokens if possible, so a text is split into tokens, independently of its annotation.
A text that is already tokenised (see `is_tokenised`) is split at white space. Any other text is
also split around each sign that is no letter, digit or underscore, and around each Chinese or
Japanese character. If a mention begins or ends inside a token, the document counts characters.

Offsets are code points, half-open. Every line that is not blank begins a sentence.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from corefmeter.corpus.align import ink
from corefmeter.corpus.text import Text
from corefmeter.formats.notes import SHOWN, Notes
from corefmeter.formats.source import Source, decode_utf8, uncompressed
from corefmeter.problems import DataError, Problem

_ATTACHED = re.compile(r"\w(?:[,;!?](?=\s|\Z)|[\u3001\u3002\uff01\uff0c\uff1b\uff1f])")
_ATTACHED_STOP = re.compile(r"\w\.(?=\s|\Z)")
_LONE_STOP = re.compile(r"(?:\A|\s)\.(?=\s|\Z)")
_WORD = re.compile(r"\S+")
_RUN = re.compile(r"\s{2,}")
_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # kana and ideographs
_WORD_OR_SIGN = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+|[^\w\s]")


def is_tokenised(text: str) -> bool:
    """Return whether the punctuation of a text has spaces around it.

    No word may be followed directly by a comma, semicolon, question or exclamation mark. A full
    stop behind a word, which may be an abbreviation, counts only if no full stop is on its own.
    """
    if _ATTACHED.search(text):
        return False
    return _LONE_STOP.search(text) is not None or _ATTACHED_STOP.search(text) is None


def without_space(text: str) -> str:
    """Return a text without its white space."""
    return "".join(text.split())


class Folded:
    """A text in which each run of white space is one space, with a map of offsets.

    The strings of mentions are compared with it in time that depends on the string only, since a
    wrong span may be as long as the text.

    Examples
    --------
    >>> folded = Folded("a  big\\ndog")
    >>> folded.text[folded.at(3) : folded.at(10)]
    'big dog'
    """

    def __init__(self, text: str) -> None:
        self.text = " ".join(text.split())
        if text[:1].isspace():
            self.text = f" {self.text}"
        if text[-1:].isspace() and not self.text.isspace():
            self.text += " "
        runs = [match.span() for match in _RUN.finditer(text)]
        self.starts = [start for start, _ in runs]
        self.ends = [end for _, end in runs]
        #: How many characters the first n runs lose together.
        self.lost = [0, *accumulate(end - start - 1 for start, end in runs)]

    def equals(self, string: str, places: Sequence[tuple[int, int]]) -> bool:
        """Return whether a string equals the text at these offsets, apart from white space."""
        string = without_space(string)
        places = [(self.at(begin), self.at(end)) for begin, end in places]
        if sum(end - begin for begin, end in places) > 2 * len(string) + len(places):
            return False  # a space may be on either side of each character
        return string == without_space("".join(self.text[begin:end] for begin, end in places))

    def is_blank(self, begin: int, end: int) -> bool:
        """Return whether there is only white space between two offsets."""
        begin, end = self.at(begin), self.at(end)
        return end - begin < 2 and self.text[begin:end] in ("", " ")

    def at(self, place: int) -> int:
        """Convert an offset in the original text to one in the folded text."""
        run = bisect_left(self.starts, place) - 1  # the last that begins before
        if run < 0:
            return place
        return place - self.lost[run + 1] + max(self.ends[run] - place, 0)


class Words:
    """The words of a document, or its characters, to compare strings of mentions with.

    A comparison takes a time that depends on the string only.

    Examples
    --------
    >>> words = Words(["a", "big", "dog"])
    >>> words.equal("big  dog", 1, 3), words.equal("big", 1, 3)
    (True, False)
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.bare, self.edges = "", [0]  # the text without spaces, and where each word begins in it

    def equal(self, string: str, start: int, end: int) -> bool:
        """Return whether a string equals the words of a span, apart from white space."""
        text = self.words
        if isinstance(text, str) and len(string) == end - start and text.startswith(string, start):
            return True
        if len(self.edges) == 1 and text:
            self.bare, self.edges = ink(text)
        string = without_space(string)
        first, last = (self.edges[min(place, len(text))] for place in (start, end))
        return len(string) == last - first and self.bare.startswith(string, first)

    def beginning(self, start: int, end: int) -> str:
        """Return the beginning of the words of a span, for a message."""
        return " ".join(self.words[start : min(end, start + SHOWN)])[:SHOWN]


class Tokens:
    """The tokens of a text, each with its place."""

    def __init__(self, text: str, places: Iterable[tuple[int, int]], unit: str = "tokens") -> None:
        self.text = text
        self.unit = unit
        self._folded: Folded | None = None
        spans = list(places)
        self.starts = [start for start, _ in spans]
        self.ends = [end for _, end in spans]

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def words(self) -> list[str]:
        """The tokens as text."""
        return [self.text[s:e] for s, e in zip(self.starts, self.ends, strict=True)]

    def has_inside(self, edge: int) -> bool:
        """Return whether an offset lies inside a token."""
        token = bisect_left(self.starts, edge) - 1
        return token >= 0 and edge < self.ends[token]

    def span(self, begin: int, end: int) -> tuple[int, int] | None:
        """Return the span of tokens between two offsets; None if there is only white space."""
        first, last = bisect_right(self.ends, begin), bisect_left(self.starts, end)
        if begin >= end or first >= last:
            return None
        if self.unit == "characters" and self.text[begin].isspace():
            if self._folded is None:
                self._folded = Folded(self.text)
            if self._folded.is_blank(begin, end):
                return None
        return first, last

    def sentences(self) -> list[int]:
        """Return the first token of each line that is not blank."""
        first_tokens: list[int] = []
        line_end = -1
        for token, start in enumerate(self.starts):
            if start > line_end and not self.text[start].isspace():
                first_tokens.append(token)
                line_end = self.text.find("\n", start)
                if line_end < 0:
                    line_end = len(self.text)
        return [0, *first_tokens[1:]] if first_tokens else []

    def as_text(self) -> Text:
        """Return the words, without any annotation."""
        between = "" if self.unit == "characters" else " "
        return Text(self.words, sentences=self.sentences(), between=between)


def tokenise(text: str) -> Tokens:
    """Return the tokens of a text."""
    word = _WORD if is_tokenised(text) else _WORD_OR_SIGN
    return Tokens(text, (match.span() for match in word.finditer(text)))


def tokens_or_characters(text: str, edges: Iterable[int]) -> Tokens:
    """Return the tokens of a text, or its characters if an edge is inside a token."""
    tokens = tokenise(text)
    if any(map(tokens.has_inside, edges)):
        return Tokens(text, ((i, i + 1) for i in range(len(text))), "characters")
    return tokens


def add_id(id: str, line: int, lines: dict[str, int], notes: Notes, column: int, what: str) -> bool:
    """Add the line of a new id of a `what`; note a repeated one. Return whether it is new."""
    first = lines.setdefault(id, line)
    if first != line:
        reason = f"the id {id} was used before, on line {first}"
        notes.error("repeated-id", reason, line, column, f"Every {what} has an id of its own.")
    return first == line


def text_beside(path: str) -> str:
    """Read the text of ``NAME.ann`` or ``NAME.tsv`` from ``NAME.txt`` in the same folder."""
    base = uncompressed(path).removesuffix(".ann").removesuffix(".tsv")
    places = [base + ending for ending in (".txt", ".txt.gz", ".txt.xz", ".txt.zst")]
    place = next(filter(os.path.isfile, places), None)
    if place is None or path == "-":
        reason = "the annotated text is missing"
        hint = f"Put {os.path.basename(places[0])!r} in the same folder."
        raise DataError(Problem("missing-text", reason, "error", path, hint=hint))
    with Source(place) as source:
        # The blocks end in a newline even where the file does not; no mention needs it.
        return decode_utf8(source.whole(), place).removesuffix("\n")
