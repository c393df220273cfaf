"""SGML of GUM: one token a line, ``<referent id="referent_3" entity="plant" group="3">`` around
each mention.

``group`` names the entity; ``antecedent`` and ``type`` are kept as attributes. Other tags on lines
of their own, such as ``<s>``, are passed over, but ``<s>`` begins a sentence; of a token with
several TAB-separated columns the first is the word. Tokens count from 0, spans are half-open. The
document is called as the file.

GUM's groups also join mentions by ``type="bridge"``, which is no identity elsewhere: a warning
counts them.
"""

from __future__ import annotations

import re
from html import unescape

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats.base import Format
from corefmeter.formats.notes import Notes, numbered_lines
from corefmeter.formats.source import Source, stem
from corefmeter.problems import Problem

_SNIFF = re.compile(rb"^<referent\s+id\s*=", re.MULTILINE)
_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]*)\b([^<>]*)>\s*")
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*\"([^\"]*)\"")


def sniff(head: bytes, path: str = "") -> bool:
    """Whether a line begins a referent."""
    return _SNIFF.search(head) is not None


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The document of a file.

    Raises
    ------
    DataError
        With all errors of the file: referents without ``id`` or ``group``, that are not closed or
        were not opened, or hold no token.
    """
    notes = Notes(source.path)
    words: list[str] = []
    lines: list[int] = []
    sentences: list[int] = []
    entities: dict[str, list[tuple[Mention, Detail]]] = {}
    begun: list[tuple[dict[str, str], int, int]] = []
    for number, line in numbered_lines(source, notes):
        match = _TAG.fullmatch(line)
        if match is None:
            if line.strip():
                words.append(unescape(line.split("\t")[0].strip()))
                lines.append(number)
        elif match[2] == "s" and not match[1]:
            sentences.append(len(words))
        elif match[2] != "referent":
            continue
        elif not match[1]:
            attributes = {name: unescape(value) for name, value in _ATTRIBUTE.findall(match[3])}
            missing = [name for name in ("id", "group") if not attributes.get(name)]
            if missing:
                reason = f"a referent has no {' and no '.join(missing)}"
                hint = 'Write <referent id="referent_3" group="3">.'
                notes.error("missing-field", reason, number, 1, hint)
            begun.append((attributes, len(words), number))
        elif not begun:
            reason, hint = "a referent is closed but none is open", "Check the tags <referent>."
            notes.error("close-without-open", reason, number, 1, hint)
        else:
            attributes, start, opened = begun.pop()
            if start == len(words):
                hint = "Put the tokens of the referent between its tags."
                notes.error("bad-span", "a referent without any token", opened, 1, hint)
                continue
            detail = Detail(entity_type=attributes.get("entity"), attributes=attributes)
            group = attributes.get("group", "")
            entities.setdefault(group, []).append(((start, len(words)), detail))
    for _, _, opened in begun:
        reason, hint = "a referent opened here is never closed", "Close it with </referent>."
        notes.error("unclosed-mention", reason, opened, 1, hint)
    _warn_of_bridges(entities, notes)
    document = _document(notes.path, words, lines, entities)
    if details:
        document.text = Text(words, sentences=sorted({0, *sentences}), lines=lines)
    else:
        document.details = None
    return [document], notes.finish()


def _warn_of_bridges(entities: dict[str, list[tuple[Mention, Detail]]], notes: Notes) -> None:
    types = [d.attributes.get("type", "") for members in entities.values() for _, d in members]
    bridges = sum(type.startswith("bridg") for type in types)
    if bridges:
        reason = "mentions are in the group of their antecedent by bridging; they stay in it"
        notes.warn("unknown-relation", reason, count=bridges)


def _document(
    path: str, words: list[str], lines: list[int], found: dict[str, list[tuple[Mention, Detail]]]
) -> Document:
    """The document, entities and mentions in order of their places."""
    for members in found.values():
        # Types: mentions here are spans.
        members.sort(key=lambda pair: pair[0])  # type: ignore[arg-type, return-value]
    # Types: mentions here are spans.
    names = sorted(found, key=lambda name: found[name][0][0])  # type: ignore[arg-type, return-value]
    return Document(
        stem(path),
        [[mention for mention, _ in found[name]] for name in names],
        entity_names=names,
        tokens=len(words),
        path=path,
        line=1,
        details=[[detail for _, detail in found[name]] for name in names],
    )


FORMAT = Format(
    name="gum-sgml",
    title="GUM SGML",
    sniff=sniff,
    read=read,
    unwritten="choose webanno, which holds the same",
)
