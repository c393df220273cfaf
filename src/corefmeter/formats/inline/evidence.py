"""How many of the brackets and tags of a text are marks of mentions."""

from __future__ import annotations

import re

from corefmeter.formats.inline.marks import SIGNS, parse
from corefmeter.formats.notes import Notes

#: What closes a bracket or an element.
_CLOSING = re.compile(r"(?<!\\)\]|</[A-Za-z_][\w.:-]*\s*>|<[A-Za-z_][^<>]*/>")
#: A word with signs of the style ``words``.
_SIGNED = re.compile(r"(?<!\S)[^\s|\[\]]*+[|\[\]]")
#: The brackets of an index, with what is before them.
_INDEX = {"brackets": re.compile(r"[A-Za-z_]\["), "inside": re.compile(r"[A-Za-z_)]\[")}
#: The first part of a time, a date or an address.
_TIME = re.compile(r"[\d\s]*[:/.,-][\d\s:/.,-]*")
#: What looks like a mark of a style, and is one of something else: a link to a heading of the
#: page, a heading of a configuration that is alone on its line.
_UNLIKELY = {
    "brackets": re.compile(r"\]\(\#[^()\n]*[^()\n\d\s]\s*\)"),
    "inside": re.compile(r"^[^\S\n]*\[[^\[\]\n]*\][^\S\n]*$", re.MULTILINE),
    "tags": re.compile(r"</h[1-6]>", re.IGNORECASE),
}


def share_of_marks(text: str, style: str) -> float:
    """Return the share of the brackets and tags of a text that are marks in a style.

    An index in a program (``word[start:end]``), which follows its name, is no mark, and neither is
    a time in a log (``[12:00:00]``).

    Examples
    --------
    >>> share_of_marks("[Ann]_1 saw [her]_1 dog [sic]", "brackets")
    0.6666666666666666
    >>> share_of_marks("<p>See <ref>the list</ref>.</p>", "tags")
    0.0
    """
    if style == "words":
        marks, all = (len(sign.findall(text)) for sign in (SIGNS[style], _SIGNED))
        return min(1.0, marks / max(1, all))
    notes = Notes("-")
    annotated = parse(text, style, notes)
    found = set()
    for mark in annotated.marks:
        is_index = style in _INDEX and _INDEX[style].match(text, max(0, mark.at - 1))
        is_time = style == "inside" and _TIME.fullmatch(annotated.text, mark.start, mark.end)
        if not (is_index or is_time):
            found.add(mark.at)
    unopened = sum(one.count for one in notes.warnings if one.code == "close-without-open")
    unlikely = len(_UNLIKELY[style].findall(text))
    likely = len(found) + unopened - unlikely
    return max(0, likely) / max(1, len(_CLOSING.findall(text)))
