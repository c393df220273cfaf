"""ACE's APF, XML that annotates the characters of a source text, as from 2002 to 2008.

The source is ``NAME.sgm`` next to ``NAME.apf.xml``, or the name in ``URI``. Offsets count its
characters from 0, without tags and with newlines; ends are inclusive in the file and exclusive in
mentions. Whether ``&amp;`` counts as five characters or as one follows from the texts of the
mentions, for the whole document. See docs/ace.md.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format, ReadResult
from corefmeter.formats.entities import document_of
from corefmeter.formats.notes import SHOWN, Notes
from corefmeter.formats.source import Source, decode_utf8, stem
from corefmeter.formats.standoff import Folded
from corefmeter.wings.traditions.formats.xml_safe import Element, parse, root_tag

#: The kinds of mentions by level, and the levels of 2002 and 2003 by their later names.
KINDS = {"NAM": "name", "NOM": "nominal", "PRO": "pronoun", "PRE": "other"}
LEVELS = {"NAME": "NAM", "NOMINAL": "NOM", "PRONOUN": "PRO"}

#: The entity types of 2002 and 2003 by their later names.
TYPES = {"PERSON": "PER", "ORGANIZATION": "ORG", "LOCATION": "LOC", "FACILITY": "FAC", "GSP": "GPE"}

#: Elements that are kept as objects, and where in the attributes of the document.
OBJECTS = {"relation": "relations", "event": "events", "value": "values", "timex2": "times"}

#: Characters of a mention whose text is not known at all.
LONGEST = 10_000

# Neither pattern looks beyond the next bracket, so no text takes long.
_TAG = re.compile(r"<[A-Za-z/!?][^<>]*>")
_NAME_TAG = re.compile(r"<(?:DOCID|DOCNO)\b[^<>]*>([^<>]+)</", re.IGNORECASE)
_REFERENCE = re.compile(r"&(amp|lt|gt|quot|apos);", re.IGNORECASE)
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_OFFSET = re.compile(r"[0-9]{1,12}")
_ENDINGS = (".gz", ".xz", ".zst", ".xml", ".apf", "_APF", ".mapf")
_ARGUMENT_IDS = ("REFID", "ENTITYID", "ENTITYMENTIONID", "MENTIONID")

Span = tuple[int, int]
Arguments = tuple[tuple[str, str], ...]


class ApfMention(NamedTuple):
    """A mention of a relation, event, value or time; spans are half-open, or None.

    `arguments` are ``(role, id)`` of mentions, `anchor` is the trigger of an event, and
    `attributes` are the other attributes of its tag.
    """

    id: str
    span: Span | None
    text: str | None
    arguments: Arguments
    attributes: dict[str, str]
    anchor: Span | None = None


class ApfObject(NamedTuple):
    """A relation, event, value or time.

    `arguments` are ``(role, id)`` of entities, values or times; `attributes` are the other
    attributes of its tag.
    """

    id: str
    type: str | None
    subtype: str | None
    arguments: Arguments
    mentions: tuple[ApfMention, ...]
    attributes: dict[str, str]


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether the root element is a source file with a document."""
    return root_tag(head) == "source_file"


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file; each must agree with the source text next to it."""
    root = parse(source)
    notes = Notes(source.path)
    if root.tag != "source_file":
        reason = f"the root element is <{root.tag}>, not <source_file>"
        notes.error("missing-field", reason, *root.place, "Give a file in APF.")
        notes.finish()
    text = _read_source_text(root, notes)
    elements = root.children("document")
    documents = [_Reader(element, text, notes, details).make_document() for element in elements]
    if not documents:
        hint = "Put the annotation into <document DOCID=…>."
        notes.error("no-document", "the file holds no <document>", *root.place, hint)
    return notes.result(documents, False)


def relations(path: str) -> list[ApfObject]:
    """Return the relations of a file in APF, for `corefmeter.align_objects`."""
    with Source(path) as source:
        documents, _ = read(source, details=True)
    return [relation for document in documents for relation in document.attributes["relations"]]


class _Sequence(NamedTuple):
    """A charseq, with its half-open span."""

    span: Span
    text: str | None
    element: Element


class _CountedText:
    """A text in one way of counting references such as ``&amp;``."""

    def __init__(self, text: str) -> None:
        self.text = text
        # A reference becomes its character and blanks, so that offsets stay the same.
        self.folded = Folded(
            _REFERENCE.sub(lambda match: _decode_reference(match).ljust(len(match[0])), text)
        )

    def fits(self, sequence: _Sequence) -> bool:
        """Return whether a sequence is in the text and its words match, in time linear in them."""
        (start, end), words, _ = sequence
        if end > len(self.text):
            return False
        if words is None or (len(words) == end - start and self.text.startswith(words, start)):
            return True
        return self.folded.equals(_REFERENCE.sub(_decode_reference, words), [(start, end)])


class _SourceText(NamedTuple):
    """The text of a source without tags, in both ways of counting, and the names it gives."""

    path: str
    names: set[str]
    raw: _CountedText
    decoded: _CountedText


def _decode_reference(reference: re.Match[str]) -> str:
    return _CHARACTERS[reference[1].lower()]


def _read_source_text(root: Element, notes: Notes) -> _SourceText | None:
    """Read the source text in a file's directory, or return None with a warning."""
    path = notes.path
    folder, base = os.path.split(path)
    for ending in _ENDINGS:
        base = base.removesuffix(ending)
    names = [base + ending for ending in (".sgm", ".sgm.gz", ".sgm.xz", ".sgm.zst")]
    if uri := os.path.basename((root.get("URI") or "").replace("\\", "/")):
        names.append(uri)
    places = [os.path.join(folder, name) for name in names]
    place = next((p for p in places if p != path and os.path.isfile(p)), None)
    if path == "-" or place is None:
        reason = "the source text is missing, so the texts of mentions are not compared with it"
        hint = f"Put {names[0]!r} next to the file."
        if path == "-":
            hint = "Name the file instead of standard input, to find the source next to it."
        notes.warn("missing-text", reason, hint=hint)
        return None
    with Source(place) as source:
        text = decode_utf8(source.whole(), place)
    raw = _TAG.sub("", text)
    ids = {match[1].strip() for match in _NAME_TAG.finditer(text)}
    decoded = _CountedText(_REFERENCE.sub(_decode_reference, raw))
    return _SourceText(place, ids, _CountedText(raw), decoded)


class _Reader:
    def __init__(
        self, element: Element, text: _SourceText | None, notes: Notes, details: bool
    ) -> None:
        self.element = element
        self.text = text
        self.notes = notes
        self.details = details
        self.ids: dict[tuple[str, str], int] = {}
        self.sequences: list[_Sequence] = []

    def error(self, code: str, reason: str, element: Element, hint: str) -> None:
        self.notes.error(code, reason, *element.place, hint)

    def make_document(self) -> Document:
        name = self.document_name()
        entities: dict[str, list[tuple[_Sequence, Detail]]] = {}
        for entity in self.element.children("entity"):
            id = self.element_id(entity)
            elements = list(entity.walk("entity_mention"))
            if not elements:
                reason = f"entity {id!r} has no mentions; left out"
                self.notes.warn("empty-entity", reason, *entity.place)
            attributes = _entity_attributes(entity)
            mentions = [self.read_mention(element, attributes) for element in elements]
            if valid := [mention for mention in mentions if mention is not None]:
                entities[id] = valid
        objects = {
            name: [self.read_object(element) for element in self.element.children(tag)]
            for tag, name in OBJECTS.items()
        }
        text = self.checked_text()  # after all sequences are read: they decide how it is counted
        return document_of(
            name,
            {
                id: [(_trim_span(extent.span, text), detail) for extent, detail in mentions]
                for id, mentions in entities.items()
            },
            self.details,
            tokens=None if text is None else len(text),
            path=self.notes.path,
            line=self.element.place[0],
            unit="characters",
            text=_make_text(text) if self.details and text is not None else None,
            attributes=objects if self.details else None,
        )

    def document_name(self) -> str:
        name = self.element.get("DOCID")
        if not name:
            name = stem(self.notes.path).removesuffix(".apf")
            reason = "the document has no DOCID; it gets the name of its file"
            self.notes.warn("unnamed-document", reason, *self.element.place, document=name)
        elif self.text is not None and self.text.names and name not in self.text.names:
            known = ", ".join(map(repr, sorted(self.text.names)))
            reason = f"the DOCID is {name!r}, but {self.text.path} is the text of {known}"
            hint = "Put the source text of this document next to the file."
            self.error("text-differs", reason, self.element, hint)
        return name

    def element_id(self, element: Element) -> str:
        """Return the id of an element; elements of other kinds may have the same, as in 2004."""
        id = element.get("ID")
        if not id:
            self.error("missing-field", f"<{element.tag}> has no ID", element, "Give it one.")
            return ""
        tagged = element.tag, id
        if tagged in self.ids:
            reason = f"the id {id!r} was used before, on line {self.ids[tagged]}"
            self.error("repeated-id", reason, element, "Give every element an id of its own.")
        self.ids.setdefault(tagged, element.place[0])
        return id

    def read_mention(
        self, element: Element, entity: dict[str, str | None]
    ) -> tuple[_Sequence, Detail] | None:
        """Return the extent and detail of a mention of an entity, or None without an extent."""
        id = self.element_id(element)
        extent = self.read_sequence(element, "extent")
        head = self.read_sequence(element, "head")
        if extent is None:
            if element.child("extent") is None:
                hint = "Give its characters in <extent><charseq START=… END=…>."
                self.error("missing-field", f"the mention {id!r} has no <extent>", element, hint)
            return None
        if head is None and element.child("head") is None:
            reason = f"the mention {id!r} has no <head>; its extent is used as the head"
            self.notes.warn("no-heads", reason, *element.place)
            head = extent
        elif head is not None and not (
            extent.span[0] <= head.span[0] and head.span[1] <= extent.span[1]
        ):
            reason = f"the head of the mention {id!r} is outside its extent"
            self.notes.warn("bad-head", reason, *head.element.place)
        level = element.get("TYPE")
        if level is not None and level.upper() not in {**KINDS, **LEVELS}:
            reason = f"the type {level!r} of the mention {id!r} is unknown; it is kept as it is"
            hint = "Known types are NAM, NAME, NOM, NOMINAL, PRO, PRONOUN, PRE."
            self.notes.warn("bad-field", reason, *element.place, hint)
        return extent, _make_detail(element, extent, head, entity)

    def read_sequence(self, parent: Element, tag: str) -> _Sequence | None:
        """Return the characters of an extent or head; None if there is none, or after an error."""
        outer = parent.child(tag)
        if outer is None:
            return None
        element = outer.child("charseq")
        if element is None:
            hint = "Write <charseq START=… END=…>."
            self.error("missing-field", f"<{tag}> has no <charseq>", outer, hint)
            return None
        # Offsets are attributes, or elements inside, as in 2002; there is no text then.
        inner = {
            name: child.text.strip() for name in ("start", "end") if (child := element.child(name))
        }
        first, last = (inner.get(name, element.get(name.upper())) for name in ("start", "end"))
        start, end = (int(n) if n and _OFFSET.fullmatch(n) else -1 for n in (first, last))
        text = None if inner else element.text
        longest = LONGEST if text is None else 2 * len(text) + 100
        is_short = self.text is not None or end - start <= longest
        if not (0 <= start <= end and is_short):
            reason = f"START {first!r:.40} and END {last!r:.40} are not the offsets of a mention"
            hint = "Write whole numbers from 0; END is the offset of the last character."
            self.error("bad-span", reason, element, hint)
            return None
        self.sequences.append(_Sequence((start, end + 1), text, element))
        return self.sequences[-1]

    def checked_text(self) -> str | None:
        """Return the text, counted in the way that more mentions fit; an error for each other."""
        if self.text is None:
            return None
        ways = [
            (counted.text, [sequence for sequence in self.sequences if not counted.fits(sequence)])
            for counted in (self.text.raw, self.text.decoded)
        ]
        text, wrong = min(ways, key=lambda way: len(way[1]))
        for (start, end), words, element in wrong:
            where = f"characters {start} to {end - 1}"
            if end > len(text):
                reason = f"{where} are beyond the text, which has {len(text)}"
                hint = "Check whether the source belongs to this file."
                self.error("bad-span", reason, element, hint)
            else:
                actual = text[start : min(end, start + SHOWN)]
                reason = f"{where} are {actual!r:.60}, not {words!r:.60}"
                hint = "Count the characters of the source without tags, but with newlines."
                self.error("text-differs", reason, element, hint)
        return text

    def read_object(self, element: Element) -> ApfObject:
        mentions = []
        for part in element.walk(f"{element.tag}_mention"):
            extent = self.read_sequence(part, "extent") or self.read_sequence(part, "ldc_extent")
            anchor = self.read_sequence(part, "anchor")
            mention = ApfMention(
                self.element_id(part),
                extent and extent.span,
                extent and extent.text,
                tuple(_arguments(part, "")),
                _other_attributes(part, "ID"),
                anchor and anchor.span,
            )
            mentions.append(mention)
        return ApfObject(
            self.element_id(element),
            element.get("TYPE"),
            element.get("SUBTYPE"),
            tuple(_arguments(element, f"{element.tag}_mention")),
            tuple(mentions),
            _other_attributes(element, "ID", "TYPE", "SUBTYPE"),
        )


def _entity_attributes(entity: Element) -> dict[str, str | None]:
    """Return the type, subtype and class of an entity; the names of 2002 and 2003 are replaced."""
    type, kind = entity.get("TYPE"), entity.get("CLASS")
    old = entity.child("entity_type")
    if old is not None and type is None:
        type = old.text.strip()
        generic = (old.get("GENERIC") or "").upper()
        kind = kind or {"TRUE": "GEN", "FALSE": "SPC"}.get(generic)
    type = TYPES.get(type, type) if type else None
    return {"type": type, "subtype": entity.get("SUBTYPE"), "class": kind}


def _make_detail(
    element: Element, extent: _Sequence, head: _Sequence | None, entity: dict[str, str | None]
) -> Detail:
    """Return the annotation of a mention; `entity` has the attributes of its entity."""
    written = element.get("TYPE") or ""
    level = LEVELS.get(written.upper(), written.upper())
    if level not in KINDS:
        level = written
    style = element.get("STYLE") or element.get("REFERENCE")
    if style is None:
        style = "METONYMIC" if element.get("METONYMY_MENTION") == "TRUE" else "LITERAL"
    attributes = {
        "id": element.get("ID"),
        "level": level,
        "ldctype": element.get("LDCTYPE"),
        "role": element.get("ROLE") or entity["type"],
        "style": style,
        "subtype": entity["subtype"],
        "class": entity["class"],
        "text": extent.text,
        "head": head and head.span,
        "head_text": head and head.text,
    }
    return Detail(
        head=head and head.span[0],
        minimum=head and head.span,
        kind=KINDS.get(level, "other") if level else None,
        entity_type=entity["type"],
        attributes={name: value for name, value in attributes.items() if value},
    )


def _trim_span(span: Span, text: str | None) -> Span:
    """Return where a mention is, without white space of the text at its ends."""
    start, end = span
    if text is not None and (inner := text[start:end].strip()):
        start = text.index(inner, start)
        end = start + len(inner)
    return start, end


def _make_text(text: str) -> Text:
    """Return the characters of a text; every line that is not blank begins a sentence."""
    starts = [match.start() for match in re.finditer(r"^(?=.*\S)", text, re.MULTILINE)]
    return Text(list(text), sentences=[0, *starts[1:]] if text else [], between="")


def _arguments(element: Element, without: str) -> Iterator[tuple[str, str]]:
    """Yield the role and id of each argument inside an element.

    Arguments inside elements named `without`, which are the mentions of the element, are left out.
    """
    for child in element.children():
        if child.tag == without or (without and child.tag == f"{without}s"):
            continue
        if child.tag.endswith(("_argument", "_arg")):
            ids = (child.attributes[name] for name in _ARGUMENT_IDS if name in child.attributes)
            if id := next(ids, None):
                yield child.get("ROLE") or child.get("ARGNUM") or "", id
        else:
            yield from _arguments(child, without)


def _other_attributes(element: Element, *known: str) -> dict[str, str]:
    return {name: value for name, value in element.attributes.items() if name not in known}


FORMAT = Format(
    name="ace-apf",
    title="ACE APF XML",
    sniff=sniff,
    evidence="XML with the root `source_file`",
    read=read,
    unwritten=(
        "it needs types and a source text next to it; choose fastcoref, which counts "
        "characters too, conllua or webanno"
    ),
    endings=(".apf.xml",),
    units=("characters",),
    beside=((".apf.xml", ".sgm"),),
)
