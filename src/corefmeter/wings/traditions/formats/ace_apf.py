"""ACE's APF, XML that annotates the characters of a source text, as from 2002 to 2008.

``<source_file><document DOCID><entity ID TYPE SUBTYPE CLASS><entity_mention ID TYPE LDCTYPE>`` with
``<extent><charseq START END>text</charseq></extent>`` and ``<head>``. The releases of 2002 and 2003
write ``<entity_type GENERIC="FALSE">PERSON</entity_type>``, ``TYPE="NAME"`` and
``<charseq><start>0</start><end>3</end></charseq>``; this is read into the names of later ones.

The source lies beside, ``NAME.sgm`` for ``NAME.apf.xml`` or the name in ``URI``. Offsets count its
characters from 0, with tags removed and newlines kept; ends are inclusive in the file and exclusive
in mentions, which are ``(start, end)`` of the extent. Whether ``&amp;`` counts as five characters
or as one is found out from the texts of the mentions, for the whole document. Without the source,
mentions are read as they are.

A mention without ROLE has the type of its entity for one, and one without METONYMY_MENTION is
literal, as in NIST's scoring programs.

Times, values, relations and events are not scored; they stand in the attributes of the document.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format
from corefmeter.formats.notes import SHOWN, Notes
from corefmeter.formats.source import Source, stem
from corefmeter.formats.standoff import Folded, without_space
from corefmeter.problems import DataError, Problem, amount
from corefmeter.wings.traditions.formats.xml_safe import SIZE, Element, parse, root_tag

#: The mention levels by what files call them, with the kind of mention each is.
LEVELS: dict[str, tuple[str, str]] = {
    "NAM": ("NAM", "name"),
    "NAME": ("NAM", "name"),
    "NOM": ("NOM", "nominal"),
    "NOMINAL": ("NOM", "nominal"),
    "PRO": ("PRO", "pronoun"),
    "PRONOUN": ("PRO", "pronoun"),
    "PRE": ("PRE", "other"),
}

#: The entity types of 2002 and 2003 by their later names.
TYPES: dict[str, str] = {
    "PERSON": "PER",
    "ORGANIZATION": "ORG",
    "LOCATION": "LOC",
    "FACILITY": "FAC",
    "GSP": "GPE",
}

#: Elements that are kept as objects, and where in the attributes of the document.
OBJECTS: dict[str, str] = {
    "relation": "relations",
    "event": "events",
    "value": "values",
    "timex2": "times",
}

#: Characters of a mention whose text is not known at all.
LONGEST = 10_000

# Neither pattern looks beyond the next bracket, so no text takes long.
_TAG = re.compile(r"<[A-Za-z/!?][^<>]*>")
_NAME_TAG = re.compile(r"<(?:DOCID|DOCNO)\b[^<>]*>([^<>]+)</", re.IGNORECASE)
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos);", re.IGNORECASE)
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENDINGS = (".gz", ".xz", ".zst", ".xml", ".apf", "_APF", ".mapf")

Span = tuple[int, int]


class ApfMention(NamedTuple):
    """A mention of a relation, event, value or time.

    Attributes
    ----------
    id
        Its id.
    span
        The characters of its extent, half-open; None if the file gives none.
    text
        The text of its extent.
    arguments
        ``(role, id)`` of its arguments, which are mentions.
    attributes
        Whatever else its tag says.
    anchor
        The characters of its trigger, half-open, for events; else None.
    """

    id: str
    span: Span | None
    text: str | None
    arguments: tuple[tuple[str, str], ...]
    attributes: dict[str, str]
    anchor: Span | None = None


class ApfObject(NamedTuple):
    """A relation, event, value or time.

    Attributes
    ----------
    id, type, subtype
        As the file says.
    arguments
        ``(role, id)`` of its arguments, which are entities, values or times.
    mentions
        Where it is mentioned.
    attributes
        Whatever else its tag says.
    """

    id: str
    type: str | None
    subtype: str | None
    arguments: tuple[tuple[str, str], ...]
    mentions: tuple[ApfMention, ...]
    attributes: dict[str, str]


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether the root element is a source file with a document."""
    return root_tag(head) == "source_file"


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the documents of a file.

    Raises
    ------
    DataError
        With all errors of the file: ``bad-xml``; ids that are missing or occur twice; extents that
        are missing, end before they begin or lie beyond the text; texts that differ from the
        source; a DOCID that is not that of the source.
    """
    root = parse(source)
    notes = Notes(source.path)
    if root.tag != "source_file":
        notes.error(
            "missing-field",
            f"the root element is <{root.tag}>, not <source_file>",
            root.line,
            root.column,
            "Give a file in APF.",
        )
        notes.finish()
    text = _text_of(source.path, root, notes)
    documents = [
        _Reader(element, text, source.path, notes, details).document()
        for element in root.children("document")
    ]
    if not documents:
        notes.error(
            "no-document",
            "the file holds no <document>",
            root.line,
            root.column,
            "Put the annotation into <document DOCID=…>.",
        )
    return notes.result(documents, False)


def relations(path: str) -> list[ApfObject]:
    """Return the relations of a file in APF, for `corefmeter.align_objects`.

    Raises
    ------
    DataError
        As `read`.
    """
    with Source(path) as source:
        documents, _ = read(source, details=True)
    return [relation for document in documents for relation in document.attributes["relations"]]


class _SourceText:
    """The text of a source with tags removed, in both ways to count references."""

    def __init__(self, path: str, written: str) -> None:
        self.path = path
        self.names = {match[1].strip() for match in _NAME_TAG.finditer(written)}
        raw = _TAG.sub("", written)
        self.raw = _CountedText(raw)
        self.decoded = _CountedText(_plain(raw))


class _CountedText:
    """A text in one way to count, to compare the texts of mentions with.

    References count as the characters they stand for, and white space as single blanks.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        references = [match.span() for match in _ENTITY.finditer(text)]
        self.starts = [start for start, _ in references]
        self.ends = [end for _, end in references]
        self.less = [0, *accumulate(end - start - 1 for start, end in references)]
        self.plain = Folded(_plain(text))

    def fits(self, sequence: _Sequence) -> bool:
        """Return whether a sequence is in the text and its words match."""
        if sequence.end > len(self.text):
            return False
        return sequence.text is None or self.says(sequence.text, sequence.start, sequence.end)

    def says(self, said: str, start: int, end: int) -> bool:
        """Return whether a text is between two offsets, in time linear in that text."""
        if len(said) == end - start and self.text.startswith(said, start):
            return True
        # A part of a character reference is plain text.
        _, after = self.around(start)
        first = self.text[start : min(after, end)]
        start = min(after, end)
        before, _ = self.around(end)
        last = self.text[max(before, start) : end]
        end = max(before, start)
        begin, close = (self.plain.at(self.at(place)) for place in (start, end))
        if close - begin > 2 * len(said) + 1:  # a space may be on either side of each character
            return False
        there = first + self.plain.text[begin:close] + last
        return without_space(_plain(said)) == without_space(there)

    def around(self, place: int) -> tuple[int, int]:
        """Return the bounds of the reference around an offset, or the offset twice."""
        reference = bisect_left(self.starts, place) - 1  # the last that begins before
        if reference < 0 or self.ends[reference] <= place:
            return place, place
        return self.starts[reference], self.ends[reference]

    def at(self, place: int) -> int:
        """Map an offset outside of references to the plain text."""
        return place - self.less[bisect_left(self.starts, place)]


def _plain(text: str) -> str:
    """Text with the five references of XML as characters.

    Examples
    --------
    >>> _plain("AT&amp;T &AMP;amp; &#38;")
    'AT&T &amp; &#38;'
    """
    return _ENTITY.sub(lambda match: _CHARACTERS[match[1].lower()], text)


def _text_of(path: str, root: Element, notes: Notes) -> _SourceText | None:
    """Read the source text in a file's directory, or return None with a warning."""
    folder, base = os.path.split(path)
    for ending in _ENDINGS:
        base = base.removesuffix(ending)
    names = [
        *(base + ending for ending in (".sgm", ".sgm.gz", ".sgm.xz", ".sgm.zst")),
        os.path.basename((root.get("URI") or "").replace("\\", "/")),
    ]
    places = [os.path.join(folder, name) for name in names if name]
    place = next((p for p in places if p != path and os.path.isfile(p)), None)
    if path == "-" or place is None:
        reason = "the source text is not there, so texts of mentions are not compared with it"
        hint = f"Put {names[0]!r} beside the file."
        if path == "-":
            hint = "Name the file instead of standard input, so that the source beside it is found."
        notes.warn("missing-text", reason, hint=hint)
        return None
    blocks = []
    size = 0
    with Source(place) as source:
        for block in source.blocks():
            size += len(block)
            if size > SIZE:
                reason, hint = f"the source has more than {SIZE >> 20} MiB", "Split the file."
                raise DataError(Problem("bad-xml", reason, "error", place, hint=hint))
            blocks.append(block)
    try:
        written = b"".join(blocks).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason, hint = f"not UTF-8: {error.reason}", "Save the file as UTF-8."
        raise DataError(Problem("not-text", reason, "error", place, hint=hint)) from None
    return _SourceText(place, written)


class _Sequence(NamedTuple):
    """A charseq."""

    start: int
    end: int  # exclusive
    text: str | None
    element: Element


class _Found(NamedTuple):
    """A mention of an entity."""

    extent: _Sequence
    head: _Sequence | None
    element: Element


def _without_edges(extent: _Sequence, text: str | None) -> tuple[int, int]:
    """Return where a mention is, without white space of the text at its ends."""
    start, end = extent.start, extent.end
    if text is not None and (inner := text[start:end].strip()):
        start = text.index(inner, start)
        end = start + len(inner)
    return start, end


class _Reader:
    """The state of reading one document."""

    def __init__(
        self, element: Element, text: _SourceText | None, path: str, notes: Notes, details: bool
    ) -> None:
        self.element = element
        self.text = text
        self.path = path
        self.notes = notes
        self.details = details
        self.ids: dict[tuple[str, str], int] = {}
        self.sequences: list[_Sequence] = []

    def error(self, code: str, reason: str, element: Element, hint: str) -> None:
        self.notes.error(code, reason, element.line, element.column, hint)

    def document(self) -> Document:
        name = self.name()
        names: list[str] = []
        found: list[tuple[Element, list[_Found]]] = []
        for entity in self.element.children("entity"):
            id = self.id(entity)
            mentions = [
                mention
                for element in entity.walk("entity_mention")
                if (mention := self.mention(element)) is not None
            ]
            if next(entity.walk("entity_mention"), None) is None:
                self.notes.warn(
                    "empty-entity",
                    f"entity {id!r} has no mentions; left out",
                    entity.line,
                    entity.column,
                )
            if mentions:
                found.append((entity, mentions))
                names.append(id or str(len(names)))
        objects: dict[str, list[ApfObject]] = {home: [] for home in OBJECTS.values()}
        for element in self.element.children():
            if element.tag in OBJECTS:
                objects[OBJECTS[element.tag]].append(self.object(element))
        text = self.checked_text()
        entities: list[list[Mention]] = [
            [_without_edges(mention.extent, text) for mention in mentions] for _, mentions in found
        ]
        attributes = dict(objects) if self.details else None
        return Document(
            name,
            entities,
            entity_names=names,
            tokens=None if text is None else len(text),
            path=self.path,
            line=self.element.line,
            unit="characters",
            details=[self.details_of(*item) for item in found] if self.details else None,
            text=_as_text(text) if self.details and text is not None else None,
            attributes=attributes,
        )

    def name(self) -> str:
        name = self.element.get("DOCID")
        if not name:
            name = stem(self.path).removesuffix(".apf")
            reason = "the document has no DOCID; it is called as its file"
            place = self.element.line, self.element.column
            self.notes.warn("unnamed-document", reason, *place, document=name)
        elif self.text is not None and self.text.names and name not in self.text.names:
            shown = ", ".join(repr(known) for known in sorted(self.text.names))
            self.error(
                "text-differs",
                f"the DOCID is {name!r}, but {self.text.path} is the text of {shown}",
                self.element,
                "Put the source of this document beside the file.",
            )
        return name

    def id(self, element: Element) -> str:
        """Return the id of an element; elements of other kinds may have the same, as in 2004."""
        id = element.get("ID")
        if not id:
            self.error("missing-field", f"<{element.tag}> has no ID", element, "Give it one.")
            return ""
        known = element.tag, id
        if known in self.ids:
            reason = f"the id {id!r} was used before, on line {self.ids[known]}"
            self.error("repeated-id", reason, element, "Every element has an id of its own.")
        self.ids.setdefault(known, element.line)
        return id

    def mention(self, element: Element) -> _Found | None:
        id = self.id(element)
        extent = self.sequence(element, "extent")
        head = self.sequence(element, "head")
        if extent is None:
            if element.child("extent") is None:
                self.error(
                    "missing-field",
                    f"the mention {id!r} has no <extent>",
                    element,
                    "Give its characters in <extent><charseq START=… END=…>.",
                )
            return None
        if head is None and element.child("head") is None:
            reason = f"the mention {id!r} has no <head>; its extent is taken for it"
            self.notes.warn("no-heads", reason, element.line, element.column)
            head = extent
        elif head is not None and not extent.start <= head.start < head.end <= extent.end:
            reason = f"the head of the mention {id!r} is outside its extent"
            self.notes.warn("bad-head", reason, head.element.line, head.element.column)
        level = element.get("TYPE")
        if level is not None and level.upper() not in LEVELS:
            reason = f"the type {level!r} of the mention {id!r} is not known; it is kept as it is"
            self.notes.warn(
                "bad-field",
                reason,
                element.line,
                element.column,
                "Known: " + ", ".join(LEVELS) + ".",
            )
        return _Found(extent, head, element)

    def sequence(self, parent: Element, tag: str) -> _Sequence | None:
        """Return the characters of an extent or head; None if there is none, or after an error."""
        home = parent.child(tag)
        if home is None:
            return None
        element = home.child("charseq")
        if element is None:
            self.error(
                "missing-field", f"<{tag}> has no <charseq>", home, "Write <charseq START=… END=…>."
            )
            return None
        old = [element.child(name) for name in ("start", "end")]
        written = [
            child.text.strip() if child is not None else element.get(name)
            for child, name in zip(old, ("START", "END"), strict=True)
        ]
        hint = "Offsets are whole numbers from 0; END is that of the last character."
        if any(not number or not re.fullmatch(r"[0-9]{1,12}", number) for number in written):
            reason = f"START {written[0]!r:.40} and END {written[1]!r:.40} are no offsets"
            self.error("bad-span", reason, element, hint)
            return None
        start, last = (int(number) for number in written if number)
        if start > last:
            reason = f"START {start} is after END {last}"
            self.error("bad-span", reason, element, hint)
            return None
        text = None if any(child is not None for child in old) else element.text
        if self.text is None and last - start > (LONGEST if text is None else 2 * len(text) + 100):
            reason = f"START {start} and END {last} are too far from each other"
            if text is not None:
                reason += f" for a text of {amount(len(text), 'character')}"
            self.error("bad-span", reason, element, hint)
            return None
        found = _Sequence(start, last + 1, text, element)
        self.sequences.append(found)
        return found

    def checked_text(self) -> str | None:
        """Return the text in the way of counting that fits the mentions; errors where none does."""
        if self.text is None:
            return None
        raw, decoded = (
            [s for s in self.sequences if not counted.fits(s)]
            for counted in (self.text.raw, self.text.decoded)
        )
        counted, wrong = (
            (self.text.raw, raw) if len(raw) <= len(decoded) else (self.text.decoded, decoded)
        )
        text = counted.text
        for sequence in wrong:
            where = f"characters {sequence.start} to {sequence.end - 1}"
            if sequence.end > len(text):
                self.error(
                    "bad-span",
                    f"{where} lie beyond the text, which has {len(text)}",
                    sequence.element,
                    "See whether the source is that of this file.",
                )
            else:
                there = text[sequence.start : min(sequence.end, sequence.start + SHOWN)]
                self.error(
                    "text-differs",
                    f"{where} are {there!r:.60}, not {sequence.text!r:.60}",
                    sequence.element,
                    "Offsets count characters of the source without tags, newlines included.",
                )
        return text

    def object(self, element: Element) -> ApfObject:
        mentions = []
        for inside in element.walk(f"{element.tag}_mention"):
            extent = self.sequence(inside, "extent") or self.sequence(inside, "ldc_extent")
            anchor = self.sequence(inside, "anchor")
            mentions.append(
                ApfMention(
                    self.id(inside),
                    None if extent is None else (extent.start, extent.end),
                    None if extent is None else extent.text,
                    tuple(_arguments(inside, "")),
                    {k: v for k, v in inside.attributes.items() if k != "ID"},
                    None if anchor is None else (anchor.start, anchor.end),
                )
            )
        named = ("ID", "TYPE", "SUBTYPE")
        return ApfObject(
            self.id(element),
            element.get("TYPE"),
            element.get("SUBTYPE"),
            tuple(_arguments(element, f"{element.tag}_mention")),
            tuple(mentions),
            {k: v for k, v in element.attributes.items() if k not in named},
        )

    def details_of(self, entity: Element, mentions: list[_Found]) -> list[Detail]:
        type = entity.get("TYPE")
        kind = entity.get("CLASS")
        old = entity.child("entity_type")
        if old is not None and type is None:
            type = old.text.strip() or None
            generic = (old.get("GENERIC") or "").upper()
            kind = kind or {"TRUE": "GEN", "FALSE": "SPC"}.get(generic)
        type = TYPES.get(type, type) if type else None
        return [self.detail(mention, type, entity.get("SUBTYPE"), kind) for mention in mentions]

    def detail(
        self, mention: _Found, type: str | None, subtype: str | None, kind: str | None
    ) -> Detail:
        element, head = mention.element, mention.head
        written = element.get("TYPE")
        level, sort = (None, None)
        if written:
            level, sort = LEVELS.get(written.upper(), (written, "other"))
        style = element.get("STYLE") or element.get("REFERENCE")
        if style is None:
            style = "METONYMIC" if element.get("METONYMY_MENTION") == "TRUE" else "LITERAL"
        known = {
            "id": element.get("ID"),
            "level": level,
            "ldctype": element.get("LDCTYPE"),
            "role": element.get("ROLE") or type,
            "style": style,
            "subtype": subtype,
            "class": kind,
            "text": mention.extent.text,
            "head": None if head is None else (head.start, head.end),
            "head_text": None if head is None else head.text,
        }
        return Detail(
            head=None if head is None else head.start,
            minimum=None if head is None else (head.start, head.end),
            kind=sort,
            entity_type=type,
            attributes={name: value for name, value in known.items() if value},
        )


def _as_text(text: str) -> Text:
    """Return the characters of a text; every line that is not blank begins a sentence."""
    starts = [match.start() for match in re.finditer(r"^(?=.*\S)", text, re.MULTILINE)]
    return Text(list(text), sentences=[0, *starts[1:]] if text else [], between="")


def _arguments(element: Element, without: str) -> Iterator[tuple[str, str]]:
    """Role and id of each argument inside of an element, except those inside of its mentions."""
    for child in element.children():
        if child.tag == without or (without and child.tag == f"{without}s"):
            continue
        if child.tag.endswith(("_argument", "_arg")):
            ids = ("REFID", "ENTITYID", "ENTITYMENTIONID", "MENTIONID")
            id = next((child.attributes[name] for name in ids if name in child.attributes), None)
            if id:
                yield child.get("ROLE") or child.get("ARGNUM") or "", id
        else:
            yield from _arguments(child, without)


FORMAT = Format(
    name="ace-apf",
    title="ACE APF XML",
    sniff=sniff,
    evidence="XML with the root `source_file`",
    read=read,
    unwritten=(
        "it needs types and a source text beside it; choose fastcoref, which counts "
        "characters too, conllua or webanno"
    ),
    endings=(".apf.xml",),
    units=("characters",),
    beside=((".apf.xml", ".sgm"),),
)
