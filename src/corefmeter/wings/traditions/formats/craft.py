"""The files of CRAFT 2019: CoNLL with mentions that have gaps.

Letters behind the number of an entity tie the pieces of one mention together: ``(0a)`` and, further
on, ``(0a`` … ``0a)`` are one mention of the entity 0, and ``(0b)`` is a piece of another. A file is
recognised if an entity has both such mentions and others; else it is an ordinary CoNLL file, where
0a is an entity, unless the format is named.
"""

from __future__ import annotations

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import mention_of, pieces, reading_key
from corefmeter.formats import conll
from corefmeter.formats.base import Claim, Format, ReadResult
from corefmeter.formats.conll_lines import BEGIN, PIECE, has_pieces, within_documents
from corefmeter.formats.source import Source


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim a file with documents in which pieces of mentions are marked."""
    if BEGIN.search(head) is None or not has_pieces(head):
        return None
    return Claim(within_documents(head))


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file."""
    documents, problems = conll.read(source, concatenate, details)
    return list(map(_join_pieces, documents)), problems


def _join_pieces(document: Document) -> Document:
    """Return a document in which each entity of pieces, such as 0a, is one mention of entity 0."""
    entities: dict[str, list[Mention]] = {}
    for name, mentions in zip(document.entity_names, document.entities, strict=True):
        match = PIECE.fullmatch(name.encode())
        if match is None:
            entities.setdefault(name, []).extend(mentions)
        else:
            whole = mention_of(piece for mention in mentions for piece in pieces(mention))
            entities.setdefault(match[1].decode(), []).append(whole)
    for mentions in entities.values():
        mentions.sort(key=reading_key)
    names = sorted(entities, key=lambda name: reading_key(entities[name][0]))
    ordered = [entities[name] for name in names]
    return document.replace(entities=ordered, entity_names=names, entities_named=True)


FORMAT = Format(
    name="craft",
    title="CoNLL of CRAFT",
    sniff=sniff,
    evidence="documents as in `conll`, in which an entity has pieces such as `(0a` and other "
    "mentions",
    read=read,
    unwritten="choose conllu or conllua, which have mentions with gaps too",
)
