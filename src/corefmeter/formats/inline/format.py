"""The format `inline`: how a text with marks is recognized, read, written and aligned."""

from __future__ import annotations

import re

from corefmeter.formats.base import Claim, Format
from corefmeter.formats.inline import NAME, read
from corefmeter.formats.inline.align import align_to_key
from corefmeter.formats.inline.marks import SIGNS, parse, style_of
from corefmeter.formats.inline.writing import TITLE, write
from corefmeter.formats.json_objects import keys_of
from corefmeter.formats.notes import Notes

#: A mark that also occurs in other texts, so that a text needs several.
_NUMBERED_LINK = re.compile(r"\[[^\[\]]+\]\(\d+\)")

#: Patterns that no text with marks contains, and what they mean.
_CONTRADICTIONS = {
    re.compile(r"\A\s*<[?!]"): "it is XML or HTML",
    re.compile(r"<COREF\b[^<>]*\bREF=", re.IGNORECASE): "its marks refer to other marks",
    re.compile(r"^<(?:DOC DOCNO|TEXT PARTNO|referent id)\b", re.MULTILINE): (
        "it is SGML of OntoNotes or GUM, which is not read; use their files of CoNLL or WebAnno"
    ),
}
#: Patterns that are not in most lines of a text with marks, and what they mean.
_IN_MOST_LINES = {
    re.compile(r"\S\t"): "most lines have columns between TABs",
    re.compile(
        r"\A\W*(?:\d{4}[-/.]\d\d?[-/.]\d|\d\d?:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:)"
    ): "most lines begin with a time",
}

#: The end of a bracket or an element.
_CLOSING = re.compile(r"(?<!\\)\]|</[A-Za-z_][\w.:-]*\s*>|<[A-Za-z_][^<>]*/>")
#: A word with signs of the style ``words``.
_SIGNED = re.compile(r"(?<!\S)[^\s|\[\]]*+[|\[\]]")
#: The brackets of an index, with what is before them.
_INDEX = {"brackets": re.compile(r"[A-Za-z_]\["), "inside": re.compile(r"[A-Za-z_)]\[")}
#: The first part of a time, a date or an address.
_TIME = re.compile(r"[\d\s]*[:/.,-][\d\s:/.,-]*")
#: By style: a piece of text that looks like a mark but is not, such as a link to a heading of a
#: page, or a heading of a configuration file.
_UNLIKELY = {
    "brackets": re.compile(r"\]\(\#[^()\n]*[^()\n\d\s]\s*\)"),
    "inside": re.compile(r"^[^\S\n]*\[[^\[\]\n]*\][^\S\n]*$", re.MULTILINE),
    "tags": re.compile(r"</h[1-6]>", re.IGNORECASE),
}


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a text by the share of its brackets and tags that are marks in one style."""
    if not any(sign in head for sign in (b"]", b"</")):
        return None
    text = head.decode("utf-8", "replace")
    keys = keys_of(head)
    if keys:
        marked = b"text" in keys and style_of(text.replace('\\"', '"')) is not None
        return Claim() if marked else None
    style = style_of(text)
    if len(_NUMBERED_LINK.findall(text)) > 2:
        style = "brackets"
    if style is None:
        return None
    for sign, contradiction in _CONTRADICTIONS.items():
        if sign.search(text):
            return Claim(0.0, contradiction)
    lines = [line for line in text.splitlines() if line.strip()]
    for pattern, contradiction in _IN_MOST_LINES.items():
        matching = [line for line in lines if pattern.search(line)]
        if 2 * len(matching) > len(lines):
            return Claim(0.0, contradiction)
    return Claim(_share_of_marks(text, style))


def _share_of_marks(text: str, style: str) -> float:
    """Return the share of the brackets and tags of a text that are marks in a style.

    An index in a program (``word[start:end]``) does not count, and neither does a time in a log
    (``[12:00:00]``).
    """
    if style == "words":
        marked_words, signed_words = len(SIGNS[style].findall(text)), len(_SIGNED.findall(text))
        return min(1.0, marked_words / max(1, signed_words))
    notes = Notes("-")
    annotated = parse(text, style, notes)
    places = set()  # a mark of several entities counts once
    for mark in annotated.marks:
        is_index = style in _INDEX and _INDEX[style].match(text, max(0, mark.at - 1))
        is_time = style == "inside" and _TIME.fullmatch(annotated.text, mark.start, mark.end)
        if not (is_index or is_time):
            places.add(mark.at)
    unopened = sum(p.count for p in notes.warnings if p.code == "close-without-open")
    likely = len(places) + unopened - len(_UNLIKELY[style].findall(text))
    return max(0, likely) / max(1, len(_CLOSING.findall(text)))


FORMAT = Format(
    name=NAME,
    title=TITLE,
    sniff=sniff,
    evidence="most brackets and tags are marks of one style; not XML, a table or a log; all "
    "other formats are asked before",
    read=read,
    write=write,
    guess=True,
    align=align_to_key,
)
