"""SGML of MUC-6 and MUC-7: ``<COREF ID="2" TYPE="IDENT" REF="1" MIN="contract">...</COREF>``.

``REF`` names another mention of the same entity; ``MIN`` is the text that a response must cover and
is read in a key only; ``STATUS="OPT"`` (in a draft ``STAT``) marks an optional mention. ``<DOC>``
begins a document, named by its ``<DOCID>`` or ``<DOCNO>``; without one, the file is a document.
Positions are characters of the text without tags and names, with ``&amp;`` as one character.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from html import unescape

from corefmeter.corpus.model import Document
from corefmeter.corpus.structures import UnionFind
from corefmeter.corpus.text import Detail, Text, prefix_lengths
from corefmeter.formats.base import Claim, Format, ReadResult
from corefmeter.formats.entities import document_of
from corefmeter.formats.notes import Lines, Notes, numbered_lines, whole_text
from corefmeter.formats.source import Source, stem

_SNIFF = re.compile(rb"<COREF\s[^<>]*\bID\s*=", re.IGNORECASE)
_OPENED = re.compile(rb"<COREF\s[^<>]*(?<!/)>", re.IGNORECASE)
_CLOSED = re.compile(rb"</COREF", re.IGNORECASE)
_MARKUP = re.compile(rb"<[^<>]*>")
_ID = re.compile(rb"<COREF\s[^<>]*\bID\s*=\s*[\"']?([^\s\"'<>]+)", re.IGNORECASE)
_REFERENCE = re.compile(rb"<COREF\s[^<>]*\bREF\s*=", re.IGNORECASE)
_ONTONOTES = re.compile(rb"<DOC\s+DOCNO\s*=|<TEXT\s+PARTNO\s*=")
# A quoted value may hold ">", but never "<", so a quote that is not closed ends at the next tag.
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*+)((?:[^<>\"]++|\"[^\"<]*\")*+)>")
_WORD = re.compile(r"\w")
_BROKEN = re.compile(r"</?COREF\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"(?<![\w-])([\w-]++)\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'][^\s\"]*))"
)
_NAMED_BY = ("DOCID", "DOCNO")

#: Mentions inside of each other.
_DEPTH = 200


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a file whose mention tags enclose words and refer to one another by repeating an ID."""
    if _SNIFF.search(head) is None or _ONTONOTES.search(head) is not None:
        return None
    inner = [_CLOSED.split(text, maxsplit=1)[0] for text in _OPENED.split(head)[1:]]
    if inner and not any(_MARKUP.sub(b"", text).strip() for text in inner):
        return Claim(0.0, "its elements <coref> contain no words")
    ids = _ID.findall(head)
    if len(set(ids)) < len(ids) and _REFERENCE.search(head) is None:
        return Claim(0.0, "an ID is repeated, and no REF refers to one")
    return Claim()


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file."""
    notes = Notes(source.path)
    text = whole_text(numbered_lines(source, notes), source.path)
    reader = _Reader(notes, text, details, minima=source.side == "key")
    reader.read_tags()
    return notes.result(reader.documents, concatenate)


def _without_comments(text: str) -> str:
    """Return a text in which each comment is a tag of the same length, which means nothing."""
    parts = []
    end = 0
    while (begin := text.find("<!--", end)) >= 0 and (close := text.find("-->", begin + 4)) >= 0:
        parts += [text[end:begin], "<X", " " * (close - begin), ">"]
        end = close + 3
    return "".join([*parts, text[end:]])


@dataclass(slots=True, eq=False)
class _Coref:
    """A mention while it is read: its span, and the place of its tag in the file."""

    id: str
    attributes: dict[str, str]
    place: int
    begin: int
    end: int

    @property
    def span(self) -> tuple[int, int]:
        return self.begin, self.end


class _Reader:
    def __init__(self, notes: Notes, text: str, details: bool, minima: bool) -> None:
        self.notes = notes
        self.details = details
        self.minima = minima
        self.all = _without_comments(text)
        self.lines = Lines(text)
        self.documents: list[Document] = []
        self.begin_document(0)

    def begin_document(self, place: int) -> None:
        self.place = place
        self.name: str | None = None
        self.name_begin: int | None = None
        self.parts: list[str] = []
        self.length = 0
        self.open: list[_Coref] = []
        self.mentions: list[_Coref] = []

    def error(self, code: str, reason: str, place: int, hint: str) -> None:
        self.notes.error(code, reason, *self.lines.place(place), hint)

    def warn(self, code: str, reason: str, place: int, hint: str) -> None:
        self.notes.warn(code, reason, *self.lines.place(place), hint)

    def read_tags(self) -> None:
        place = 0
        divided = False
        for match in _TAG.finditer(self.all):
            self.add_text(place, match.start())
            place = match.end()
            closes, tag = bool(match[1]), match[2].upper()
            if tag == "DOC":
                if not closes or divided:
                    self.finish_document(divided)
                self.begin_document(match.start())
                divided = not closes
            elif tag in _NAMED_BY:
                self.take_document_name(closes)
            elif tag == "COREF":
                self.close_mention(match.start()) if closes else self.open_mention(match)
        self.add_text(place, len(self.all))
        self.finish_document(divided or not self.documents)
        if not self.documents and not self.notes.errors:
            self.notes.error("no-document", "the file holds no text")

    def take_document_name(self, closes: bool) -> None:
        """Take the text between the tags of a name out of that of the document."""
        if not closes:
            self.name_begin = len(self.parts)
        elif self.name_begin is not None:
            name = "".join(self.parts[self.name_begin :])
            del self.parts[self.name_begin :]
            self.length -= len(name)
            self.name = self.name or " ".join(name.split()) or None
            self.name_begin = None

    def add_text(self, begin: int, end: int) -> None:
        raw = self.all[begin:end]
        if (broken := _BROKEN.search(raw)) is not None:
            hint = 'Write <COREF ID="1"> and </COREF>.'
            self.error("bad-line", "the tag does not end", begin + broken.start(), hint)
        self.parts.append(unescape(raw))
        self.length += len(self.parts[-1])

    def open_mention(self, match: re.Match[str]) -> None:
        attributes = _attributes(match[3])
        id, length = attributes.get("ID", ""), self.length
        coref = _Coref(id, attributes, match.start(), length, length)
        if not coref.id:
            hint = 'Write <COREF ID="3">.'
            self.error("missing-field", "the mention has no ID", coref.place, hint)
        if len(self.open) >= _DEPTH:
            reason = f"there are more than {_DEPTH} mentions inside each other"
            self.error("unclosed-mention", reason, coref.place, "Close them with </COREF>.")
        else:
            self.open.append(coref)
            self.mentions.append(coref)

    def close_mention(self, place: int) -> None:
        if self.open:
            self.open.pop().end = self.length
        else:
            reason, hint = "the tag closes a mention, but none is open", "Check the tags <COREF>."
            self.error("close-without-open", reason, place, hint)

    def finish_document(self, wanted: bool) -> None:
        """Finish a document; text outside of `<DOC>` is no document, and has no mentions."""
        for coref in self.open:
            reason, hint = "the mention opened here is never closed", "Close it with </COREF>."
            self.error("unclosed-mention", reason, coref.place, hint)
        if not wanted:
            for coref in self.mentions:
                reason, hint = "the mention is outside <DOC>", "Put it between <DOC> and </DOC>."
                self.error("outside-document", reason, coref.place, hint)
            return
        text = "".join(self.parts)
        whole = not self.documents and self.place == 0 and self.name is None
        if whole and not text.strip():
            return
        mentions = [coref for coref in self.mentions if self.trim(coref, text)]
        if not self.open:
            self.add_document(text, mentions)

    def trim(self, coref: _Coref, text: str) -> bool:
        """Strip spaces from the ends of a mention; return whether anything is left."""
        inside = text[coref.begin : coref.end]
        if inside.strip():
            coref.begin += len(inside) - len(inside.lstrip())
            coref.end -= len(inside) - len(inside.rstrip())
            return True
        if coref not in self.open:
            hint = "Put the text of the mention between its tags."
            self.error("bad-span", "the mention has no text", coref.place, hint)
        return False

    def add_document(self, text: str, mentions: list[_Coref]) -> None:
        entities = [
            sorted(members, key=lambda coref: coref.span)
            for members in self.join_mentions(mentions)
        ]
        entities.sort(key=lambda members: members[0].span)
        described = {
            members[0].id: [(coref.span, self.make_detail(coref, text)) for coref in members]
            for members in entities
        }
        name = self.name
        if name is None:
            name = stem(self.notes.path)
            if self.documents:
                name += f"-{len(self.documents)}"
        document = document_of(
            name,
            described,
            self.details,
            tokens=len(text),
            path=self.notes.path,
            line=self.lines.place(self.place)[0],
            unit="characters",
            text=Text(list(text), between="") if self.details else None,
        )
        self.documents.append(document)

    def join_mentions(self, mentions: list[_Coref]) -> list[list[_Coref]]:
        """Return the mentions of each entity, which links of type IDENT join."""
        numbers: dict[str, int] = {}
        for number, coref in enumerate(mentions):
            first = numbers.setdefault(coref.id, number)
            if coref.id and first != number:
                line, _ = self.lines.place(mentions[first].place)
                reason = f"the ID {coref.id!r:.60} already belongs to the mention in line {line}"
                self.error("repeated-id", reason, coref.place, "Give each mention its own ID.")
        all_ids = {coref.id for coref in self.mentions}
        links = UnionFind(len(mentions))
        others: Counter[str] = Counter()
        for number, coref in enumerate(mentions):
            type = coref.attributes.get("TYPE", "IDENT").upper()
            ref = coref.attributes.get("REF")
            if type != "IDENT":
                others[type] += 1
            elif not ref:
                continue
            elif ref == coref.id:
                reason = f"the mention {ref!r:.60} refers to itself; the link is left out"
                self.warn("bad-link", reason, coref.place, "Leave REF out, or name another ID.")
            elif ref in numbers:
                links.join(number, numbers[ref])
            elif ref not in all_ids:
                reason = f"no mention of the document has the ID {ref!r:.60} that REF names"
                hint = "Write the ID of a mention in REF."
                self.error("unknown-mention", reason, coref.place, hint)
        for type, count in others.items():
            reason = f"links of type {type!r:.40} do not mean identity; they are left out"
            self.notes.warn("unknown-relation", reason, count=count)
        return [[mentions[number] for number in numbers] for numbers in links.sets()]

    def make_detail(self, coref: _Coref, text: str) -> Detail:
        attributes = coref.attributes
        status = (attributes.get("STATUS") or attributes.get("STAT") or "").upper()
        if status not in ("", "OPT"):
            reason = f"the status {status!r:.40} is unknown; the mention is not optional"
            self.warn("unknown-relation", reason, coref.place, 'The only status is STATUS="OPT".')
        others = {name: value for name, value in attributes.items() if name not in ("ID", "REF")}
        return Detail(
            minimum=self.find_minimum(coref, text),
            attributes={"id": coref.id, **others, "optional": status == "OPT"},
        )

    def find_minimum(self, coref: _Coref, text: str) -> tuple[int, int] | None:
        """Return the characters of the MIN; the last place if there are several."""
        words = " ".join(coref.attributes.get("MIN", "").split())
        if not words or not self.minima:
            return None
        inside = text[coref.begin : coref.end]
        places = _find_words(words, inside)
        if not places:
            reason = f"the MIN {words!r:.60} is not in the mention {inside!r:.60}"
            hint = "Write a part of the mention in MIN, letter by letter."
            self.error("text-differs", reason, coref.place, hint)
            return None
        if len(places) > 1:
            reason = f"the MIN {words!r:.60} occurs {len(places)} times in the mention; the last"
            reason += " one is used"
            self.warn("repaired", reason, coref.place, "Write more words in MIN.")
        begin, end = places[-1]
        return coref.begin + begin, coref.begin + end


def _attributes(text: str) -> dict[str, str]:
    """Return the attributes of a tag by their names in upper case."""
    return {
        name.upper(): unescape(double or single or bare)
        for name, double, single, bare in _ATTRIBUTE.findall(text)
    }


def _find_words(words: str, text: str) -> list[tuple[int, int]]:
    """Return the spans of `words` in a text that do not overlap.

    These are whole words; parts of words only if there are none. White space of any kind and length
    is a space.

    Examples
    --------
    >>> _find_words("the man", "the  man, the man"), _find_words("it", "unit it")
    ([(0, 8), (10, 17)], [(5, 7)])
    """
    # The offsets of the text in which a run of white space is one space.
    offsets = [
        at for at, sign in enumerate(text) if not (sign.isspace() and text[at - 1 : at].isspace())
    ]
    flat = "".join([" " if text[at].isspace() else text[at] for at in offsets])
    length = len(words)
    ends = enumerate(prefix_lengths(words, flat), 1)
    starts = [end - length for end, found in ends if found == length]  # they may overlap
    whole_words = [
        at
        for at in starts
        if not _WORD.search(flat[at - 1 : at] + flat[at + length : at + length + 1])
    ]
    spans: list[tuple[int, int]] = []
    for start in whole_words or starts:
        if not spans or offsets[start] >= spans[-1][1]:
            spans.append((offsets[start], offsets[start + length - 1] + 1))
    return spans


FORMAT = Format(
    name="muc-sgml",
    title="MUC SGML",
    sniff=sniff,
    evidence="`<COREF ID=` around words; a repeated `ID` needs a `REF` somewhere",
    read=read,
    unwritten="choose fastcoref, which counts characters too",
    units=("characters",),
)
