"""Reads XML into a light tree; no file can do harm.

Entity declarations are refused, also those of a DTD inside the file, and with them entity bombs and
external entities; a DTD that a DOCTYPE names is never fetched. Depth, size and the number of
elements are limited, and so is the memory. Lines and columns count from 1, columns in characters.

The package `defusedxml` refuses the same declarations, but sets no limits and gives no places for
messages, and the page in the browser and the bundles would have to carry it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
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


@dataclass(slots=True, eq=False, repr=False)
class Element:
    """An element of an XML file.

    `tag` is its name with any prefix, `attributes` are those that are written, and `content` is
    text and elements in order. `place` is the line and the column of its start tag.
    """

    tag: str
    attributes: dict[str, str]
    place: tuple[int, int]
    content: list[str | Element] = field(default_factory=list)

    def get(self, name: str) -> str | None:
        """Return the value of an attribute, or None if it is not written."""
        return self.attributes.get(name)

    def children(self, tag: str | None = None) -> list[Element]:
        """Return the elements directly inside, or those of one name."""
        elements = [item for item in self.content if isinstance(item, Element)]
        return [element for element in elements if tag in (None, element.tag)]

    def child(self, tag: str) -> Element | None:
        """Return the first element of a name directly inside, or None."""
        return next(iter(self.children(tag)), None)

    def walk(self, tag: str | None = None) -> Iterator[Element]:
        """Iterate over this element and all inside of it, or those of one name, in file order."""
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
    """Return the name of the root element that a file begins with, or None if it is no XML."""
    match = _PROLOGUE.match(head)
    return match[1].decode("ascii", "replace") if match else None


def parse(source: Source) -> Element:
    """Return the root element of a file, or raise ``bad-xml`` with the place of the error."""
    return _Parser(source).read()


class _Parser:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.open: list[Element] = []
        self.root: Element | None = None
        self.count = 0
        self.parser: Any = expat.ParserCreate()
        self.parser.buffer_text = True
        # Defaults of a DTD could multiply a long value.
        self.parser.specified_attributes = True
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self.parser.StartElementHandler = self.open_element
        self.parser.EndElementHandler = lambda _: self.open.pop()
        self.parser.CharacterDataHandler = lambda text: self.open[-1].content.append(text)
        self.parser.EntityDeclHandler = self.refuse_declaration
        self.parser.SkippedEntityHandler = self.refuse_entity

    def read(self) -> Element:
        size = 0
        try:
            for block in self.source.blocks():
                size += len(block)
                if size > SIZE:
                    self.fail(f"the file has more than {SIZE >> 20} MiB", "Split the file.")
                self.parser.Parse(block, False)
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            reason = f"the file is not well-formed XML: {expat.ErrorString(error.code)}"
            self.fail(reason, None, (error.lineno, error.offset + 1))
        except (LookupError, ValueError) as error:  # an encoding that Python or expat cannot read
            hint = "Save the file as UTF-8."
            self.fail(f"the encoding of the file cannot be read: {error}", hint)
        finally:
            del self.parser  # It holds this object by its handlers: do not wait for the collector.
        assert self.root is not None  # Expat reports a file without an element.
        return self.root

    @property
    def place(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def fail(self, reason: str, hint: str | None, place: tuple[int, int] | None = None) -> NoReturn:
        where = self.source.path, *(place or self.place)
        raise DataError(Problem("bad-xml", reason, "error", *where, hint)) from None

    def open_element(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= DEPTH:
            self.fail(f"more than {DEPTH} elements are inside each other", "Close the elements.")
        self.count += 1 + len(attributes)
        if self.count > ELEMENTS:
            self.fail(f"there are more than {ELEMENTS} elements and attributes", "Split the file.")
        element = Element(tag, attributes, self.place)
        if self.open:
            self.open[-1].content.append(element)
        else:
            self.root = element
        self.open.append(element)

    def refuse_declaration(self, name: str, *_: Any) -> None:
        hint = "Remove the declaration and write the text itself."
        self.fail(f"the file declares the entity {name!r:.60}, which is not expanded", hint)

    def refuse_entity(self, name: str, *_: Any) -> None:
        hint = "Only &amp; &lt; &gt; &quot; &apos; and numbers such as &#233; are known."
        self.fail(f"the entity {name!r:.60} is unknown", hint)
