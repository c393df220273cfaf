"""SGML of GUM: one token a line, ``<referent id="referent_3" entity="plant" group="3">`` around
each mention.

``group`` names the entity; ``antecedent`` and ``type`` are kept as attributes, and make relations
of bridging. Other tags on lines
of their own, such as ``<s>``, are passed over, but ``<s>`` begins a sentence; of a token with
several TAB-separated columns the first is the word. Tokens count from 0, spans are half-open. The
document is called as the file.

GUM's groups also join mentions by ``type="bridge"``, which is no identity elsewhere: a warning
counts them.
"""

from __future__ import annotations

import re

from corefmeter.corpus.model import Document
from corefmeter.corpus.relations import Bridge, Relations
from corefmeter.corpus.text import Detail
from corefmeter.formats.base import Claim, Format
from corefmeter.formats.entities import document_of, in_text_order
from corefmeter.formats.notes import share_of_lines
from corefmeter.formats.source import Source, stem
from corefmeter.problems import Problem
from corefmeter.wings.traditions.formats.sgml import TagReader, attributes_of

_SNIFF = re.compile(rb"^<referent\s+id\s*=", re.MULTILINE)
_LINE = re.compile(rb"^(?:<[^<>\n]*>\s*?$|[^\s<]+(?:\t.*|\s*?)$)", re.MULTILINE)
_TAG = re.compile(r"<(/?)((?>[A-Za-z][\w:.-]*\b))([^<>]*)>\s*")


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a file of tags and tokens, one a line, in which a referent begins."""
    return Claim(share_of_lines(head, _LINE)) if _SNIFF.search(head) else None


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
    reader = TagReader(source.path, concatenate, "referent")
    spans: dict[str, tuple[int, int]] = {}
    found_bridges: list[tuple[tuple[int, int], str, str, int]] = []
    for line in reader.lines_of(source):
        match = _TAG.fullmatch(line)
        if match is None:
            if line.strip():
                reader.word(line.split("\t")[0].strip())
        elif match[2] == "s" and not match[1]:
            reader.sentences.append(len(reader.words))
        elif match[2] == "referent" and not match[1]:
            reader.opened(1, attributes_of(match[3]), ("id", "group"))
        elif match[2] == "referent" and (found := reader.closed(1)):
            attributes, span = found
            spans[attributes.get("id", "")] = span
            kind, _, relation = attributes.get("type", "").partition(":")
            if kind.startswith("bridg"):
                anchor = attributes.get("antecedent", "")
                found_bridges.append((span, anchor, relation, reader.line))
            detail = Detail(entity_type=attributes.get("entity"), attributes=attributes)
            reader.keep_mention(attributes.get("group", ""), span, detail)
    reader.never_closed()
    if found_bridges:
        reason = "mentions are in the group of their antecedent by bridging; they stay in it"
        reader.warn("unknown-relation", reason, count=len(found_bridges))
    bridges = []
    for anaphor, id, relation, number in found_bridges:
        if id in spans:
            bridges.append(Bridge(anaphor, spans[id], None, relation))
        else:
            reason = f"bridging to referent {id!r}, which does not exist; it is left out"
            reader.warn("bad-link", reason, number, hint='antecedent="ID" names another referent.')
    relations = Relations(bridges=tuple(bridges))
    reader.sentences = sorted({0, *reader.sentences})
    document = document_of(
        stem(source.path),
        in_text_order(reader.entities),
        details,
        tokens=len(reader.words),
        path=source.path,
        line=1,
        text=reader.text() if details else None,
        relations=relations if details else None,
        unread=relations.counts(),
    )
    return [document], reader.finish()


FORMAT = Format(
    name="gum-sgml",
    title="GUM SGML",
    sniff=sniff,
    evidence="a line begins with `<referent id=`; most lines are one tag or one token",
    read=read,
    unwritten="choose webanno, which holds the same",
)
