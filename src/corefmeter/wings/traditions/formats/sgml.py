"""What readers of SGML share: tokens in lines, and tags around mentions, which may be nested."""

from __future__ import annotations

import re
from html import unescape

from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.entities import Members
from corefmeter.formats.notes import LineReader

_ATTRIBUTE = re.compile(r"(?<![\w-])([\w-]++)\s*+=\s*+\"([^\"]*)\"")


def attributes_of(text: str) -> dict[str, str]:
    """The attributes within a tag.

    Examples
    --------
    >>> attributes_of(' ID="3" TYPE="a &amp; b"')
    {'ID': '3', 'TYPE': 'a & b'}
    """
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(text)}


class TagReader(LineReader):
    """The state of reading a document of tokens with tags around mentions.

    Parameters
    ----------
    path, concatenate
        As for any reader of lines.
    tag
        The tag of a mention.
    """

    def __init__(self, path: str, concatenate: bool, tag: str) -> None:
        super().__init__(path, concatenate)
        self.tag = tag
        self.clear()

    def clear(self) -> None:
        """Begin a document."""
        self.words: list[str] = []
        self.lines: list[int] = []
        self.sentences: list[int] = []
        self.entities: Members = {}
        self.open: list[tuple[dict[str, str], int, int, int]] = []  # attributes, token, its place

    def word(self, written: str) -> None:
        """A token of the line that is read."""
        self.words.append(unescape(written))
        self.lines.append(self.line)

    def opened(self, column: int, attributes: dict[str, str], needed: tuple[str, ...]) -> None:
        """A tag that opens a mention."""
        missing = [name for name in needed if not attributes.get(name)]
        if missing:
            example = " ".join(f'{name}="3"' for name in needed)
            reason = f"a mention without {' and without '.join(missing)}"
            hint = f"Write <{self.tag} {example}>."
            self.note("missing-field", reason, "error", column=column, hint=hint)
        self.open.append((attributes, len(self.words), self.line, column))

    def closed(self, column: int) -> tuple[dict[str, str], tuple[int, int]] | None:
        """The attributes and the tokens of the mention that was opened last; None after errors."""
        if not self.open:
            reason, hint = "a mention is closed but none is open", f"Check the tags <{self.tag}>."
            self.note("close-without-open", reason, "error", column=column, hint=hint)
            return None
        attributes, start, line, opened = self.open.pop()
        if start == len(self.words):
            hint = "Put the words of the mention between its tags."
            self.error("bad-span", "a mention without any word", line, opened, hint)
            return None
        return attributes, (start, len(self.words))

    def keep_mention(self, entity: str, span: tuple[int, int], detail: Detail) -> None:
        """A mention of an entity."""
        self.entities.setdefault(entity, []).append((span, detail))

    def never_closed(self) -> None:
        """Report what is still open."""
        for _, _, line, column in self.open:
            hint = f"Close it with </{self.tag}>."
            reason = "a mention opened here is never closed"
            self.error("unclosed-mention", reason, line, column, hint)
        self.open = []

    def text(self) -> Text:
        """The words, with their lines and sentences."""
        return Text(self.words, sentences=self.sentences, lines=self.lines)
