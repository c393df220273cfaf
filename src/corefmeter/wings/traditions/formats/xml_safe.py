"""XML read into a light tree, so that no file can do harm.

Entity declarations are refused, in a DTD's internal subset too, and with them entity bombs and
external entities; a DTD named in a DOCTYPE is never fetched. The five entities of XML itself and
references to characters are read. Depth, size and the number of elements have limits, so memory is
bounded. Lines and columns count from 1, columns in characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn
from xml.parsers import expat

from corefmeter.formats.source import Source
from corefmeter.problems import DataError, Problem

#: Elements inside of each other.
DEPTH = 200

#: Bytes of a file after decompression.
SIZE = 1 << 28

#: Elements and attributes of a file; in memory each takes about 300 bytes.
ELEMENTS = 1_500_000

_PROLOGUE = re.compile(
    # Atomic and possessive: spaces before something else must not be tried in every division.
    rb"(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*+<([A-Za-z_][\w:.-]*)",
    re.DOTALL,
)


class Element:
    """An element of an XML file.

    Attributes
    ----------
    tag : str
        Its name as it is written, with any prefix.
    attributes : dict of str to str
        The attributes that are written, in order.
    content : list of str or Element
        Text and elements, in order.
    line, column : int
        Where its start tag begins.
    """

    __slots__ = ("attributes", "column", "content", "line", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], line: int, column: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self.content: list[str | Element] = []
        self.line = line
        self.column = column

    def __repr__(self) -> str:
        return f"<Element {self.tag} in line {self.line}>"

    def get(self, name: str) -> str | None:
        """Return the value of an attribute, or None if it is not written."""
        return self.attributes.get(name)

    def children(self, tag: str | None = None) -> list[Element]:
        """Return the elements directly inside, or those of one name."""
        return [
            item for item in self.content if isinstance(item, Element) and tag in (None, item.tag)
        ]

    def child(self, tag: str) -> Element | None:
        """Return the first element of a name directly inside, or None."""
        for item in self.content:
            if isinstance(item, Element) and item.tag == tag:
                return item
        return None

    def walk(self, tag: str | None = None) -> Iterator[Element]:
        """This element and all inside of it, or those of one name, in the order of the file."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            if tag in (None, element.tag):
                yield element
            waiting += reversed(element.children())

    @property
    def text(self) -> str:
        """Return all text inside, without tags; white space is kept."""
        parts = []
        waiting: list[str | Element] = [self]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                parts.append(item)
            else:
                waiting += reversed(item.content)
        return "".join(parts)


def root_tag(head: bytes) -> str | None:
    """Return the name of the root element that a file begins with, or None if it is no XML.

    Examples
    --------
    >>> root_tag(b'<?xml version="1.0"?><!DOCTYPE words SYSTEM "words.dtd"><words>')
    'words'
    >>> root_tag(b"#begin document") is None
    True
    """
    match = _PROLOGUE.match(head)
    return match[1].decode("ascii", "replace") if match else None


def parse(source: Source) -> Element:
    """Return the root element of a file.

    Raises
    ------
    DataError
        ``bad-xml`` with its place: text that is not XML, a declared or unknown entity, too many
        elements or too many inside of each other, a file that is too large. ``not-text``,
        ``truncated`` or ``unreadable`` when the file cannot be read.
    """
    return _Parser(source).root()


class _Parser:
    """One run over a file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.open: list[Element] = []
        self.first: Element | None = None
        self.count = 0
        parser: Any = expat.ParserCreate()
        self.parser = parser
        parser.buffer_text = True
        parser.specified_attributes = True  # defaults of a DTD could multiply a long value
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.EntityDeclHandler = self.declared
        parser.UnparsedEntityDeclHandler = self.declared
        parser.ExternalEntityRefHandler = self.external
        parser.SkippedEntityHandler = self.skipped

    def root(self) -> Element:
        size = 0
        try:
            for block in self.source.blocks():
                size += len(block)
                if size > SIZE:
                    self.fail(f"the file has more than {SIZE >> 20} MiB", "Split the file.")
                self.parser.Parse(block, False)
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            reason = f"not well-formed XML: {expat.ErrorString(error.code)}"
            self.fail(reason, None, error.lineno, error.offset + 1)
        except (LookupError, ValueError) as error:  # an encoding that Python or expat cannot read
            hint = "Save the file as UTF-8."
            self.fail(f"the encoding that the file names cannot be read: {error}", hint)
        finally:
            # The handlers hold this object and it holds the parser: do not wait for the collector.
            for name in ("StartElement", "EndElement", "CharacterData", "EntityDecl"):
                setattr(self.parser, f"{name}Handler", None)
        if self.first is None:  # cannot be: expat reports a file without an element
            self.fail("the file holds no element", None)
        return self.first

    def fail(
        self, reason: str, hint: str | None, line: int | None = None, column: int | None = None
    ) -> NoReturn:
        if line is None:
            line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        path = self.source.path
        raise DataError(Problem("bad-xml", reason, "error", path, line, column, hint)) from None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= DEPTH:
            self.fail(f"more than {DEPTH} elements inside each other", "Close the elements.")
        self.count += 1 + len(attributes)
        if self.count > ELEMENTS:
            self.fail(f"more than {ELEMENTS} elements and attributes", "Split the file.")
        parser = self.parser
        element = Element(tag, attributes, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        if self.open:
            self.open[-1].content.append(element)
        else:
            self.first = element
        self.open.append(element)

    def end(self, _: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        self.open[-1].content.append(text)

    def declared(self, name: str, *_: Any) -> None:
        hint = "Remove the declaration and write the text itself."
        self.fail(f"the entity {name!r:.60} is declared; entities are not expanded", hint)

    def external(self, context: str | None, *_: Any) -> int:
        hint = "Write the text itself."
        self.fail("an external entity; nothing outside the file is read", hint)

    def skipped(self, name: str, *_: Any) -> None:
        hint = "Only &amp; &lt; &gt; &quot; &apos; and numbers such as &#233; are known."
        self.fail(f"the entity {name!r:.60} is not known", hint)
