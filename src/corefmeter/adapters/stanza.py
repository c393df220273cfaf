"""Stanza's Documents, and what their `to_dict` gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from corefmeter.adapters.made import (
    Named,
    bad_span,
    document_of_object,
    objects_by_name,
    text_of,
    unannotated,
)
from corefmeter.calls import checked_call
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import is_token


@checked_call()
def from_stanza(documents: Any) -> Corpus:
    """Convert Documents of Stanza, with empty nodes, or the lists of `to_dict`, also from JSON.

    Tokens are words: of a contraction the words that it stands for.

    Parameters
    ----------
    documents
        A Document, a mapping from names to Documents, or several.

    Raises
    ------
    DataError
        ``bad-span`` for a mention that is not in the text.
    """

    def is_one(given: Any) -> bool:
        lists = isinstance(given, list) and all(isinstance(item, list) for item in given)
        return hasattr(given, "to_dict") or (
            lists and all(isinstance(item, dict) for sentence in given for item in sentence)
        )

    return Corpus([_convert_document(one) for one in objects_by_name(documents, is_one)])


def _convert_document(one: Named) -> Document:
    """Return a document from the sentences of `to_dict`, each a list of entries."""
    sentences: list[list[dict[str, Any]]] = []
    entities: dict[int, list[Any]] = {}
    annotated = False
    offset = 0
    for entries in one.value.to_dict() if hasattr(one.value, "to_dict") else one.value:
        nodes = list(_nodes_of_sentence(entries, offset))
        annotated = annotated or any("coref_chains" in entry for entry, _ in nodes)
        _add_mentions(one, nodes, entities)
        sentences.append([entry for entry, position in nodes if is_token(position)])
        offset += len(sentences[-1])
    if not annotated:
        raise unannotated("<Stanza>", one, "coref")
    text = text_of([word["text"] for word in words] for words in sentences)
    flat = [word for words in sentences for word in words]
    text.upos, text.pos = (
        [word[field] for word in flat] if all(field in word for word in flat) else None
        for field in ("upos", "xpos")
    )
    return document_of_object("<Stanza>", one, text, entities)


def _nodes_of_sentence(
    entries: Iterable[dict[str, Any]], offset: int
) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield the words and empty nodes of a sentence with their positions, without contractions."""
    words = 0
    empty: Counter[int] = Counter()
    for entry in entries:
        id = entry["id"]
        if isinstance(id, int) or len(id) == 1:
            yield entry, offset + words
            words += 1
        elif id[0] <= words:  # else a contraction, whose words follow
            empty[words] += 1
            at = offset + words
            number = empty[words]
            # The fourth item marks an empty node that comes before the first word.
            yield entry, (at, at, number) if words else (at, at, number, True)


def _add_mentions(
    one: Named, nodes: Iterable[tuple[dict[str, Any], Any]], entities: dict[int, list[Any]]
) -> None:
    """Add the mentions of a sentence to their entities; they begin and end with its words."""
    opened: dict[int, list[tuple[int, str]]] = {}
    for entry, position in nodes:
        for chain in sorted(map(_flags, entry.get("coref_chains") or ()), key=_ends_first):
            index = chain["index"]
            mentions = entities.setdefault(index, [])
            if not is_token(position):
                mentions.append((position,))
                continue
            if chain.get("is_start"):
                opened.setdefault(index, []).append((position, entry["text"]))
            if chain.get("is_end"):
                if not opened.get(index):
                    raise bad_span("<Stanza>", one, entry["text"], "no start for it")
                start, _ = opened[index].pop()
                mentions.append((start, position + 1))
    if unclosed := [word for starts in opened.values() for _, word in starts]:
        raise bad_span("<Stanza>", one, unclosed[0], "no end for it in the sentence")


def _flags(chain: Any) -> Mapping[str, Any]:
    """Return a word's chain flags: whether it starts, ends or is a mention of a chain."""
    flags: Mapping[str, Any] = chain.to_json() if hasattr(chain, "to_json") else chain
    return flags


def _ends_first(chain: Mapping[str, Any]) -> tuple[bool, bool]:
    """Sort key: a mention is closed before another one of the same entity is opened."""
    return bool(chain.get("is_start")), not chain.get("is_end")
