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
    """Convert Stanza Documents, including empty nodes, or the lists of `to_dict`, also from JSON.

    Tokens are words. A contraction counts as the words that it consists of.

    Parameters
    ----------
    documents
        A Document, a mapping from names to Documents, or several.

    Raises
    ------
    DataError
        ``bad-span`` for a mention that is not in the text.
    """
    return Corpus(list(map(_convert_document, objects_by_name(documents, _is_document))))


def _is_document(value: Any) -> bool:
    """Return whether a value is a Document, or a list of sentences that are lists of entries."""
    lists = isinstance(value, list) and all(isinstance(sentence, list) for sentence in value)
    return hasattr(value, "to_dict") or (
        lists and all(isinstance(entry, dict) for sentence in value for entry in sentence)
    )


def _convert_document(named: Named) -> Document:
    sentences: list[list[dict[str, Any]]] = []
    entities: dict[int, list[Any]] = {}
    annotated = False
    offset = 0
    for entries in named.value.to_dict() if hasattr(named.value, "to_dict") else named.value:
        nodes = list(_nodes_of_sentence(entries, offset))
        annotated = annotated or any("coref_chains" in entry for entry, _ in nodes)
        _add_mentions(named, nodes, entities)
        sentences.append([entry for entry, position in nodes if is_token(position)])
        offset += len(sentences[-1])
    if not annotated:
        raise unannotated("<Stanza>", named, "coref")
    text = text_of([word["text"] for word in words] for words in sentences)
    flat = [word for words in sentences for word in words]
    text.upos, text.pos = (
        [word[field] for word in flat] if all(field in word for word in flat) else None
        for field in ("upos", "xpos")
    )
    return document_of_object("<Stanza>", named, text, entities)


def _nodes_of_sentence(
    entries: Iterable[dict[str, Any]], offset: int
) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield the words and empty nodes of a sentence with their positions; skip contractions."""
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
            # The fourth item marks an empty node that comes before the first word.
            yield entry, (at, at, empty[words]) if words else (at, at, empty[words], True)


def _add_mentions(
    named: Named, nodes: Iterable[tuple[dict[str, Any], Any]], entities: dict[int, list[Any]]
) -> None:
    """Add the mentions of a sentence to their entities; they begin and end with its words."""
    opened: dict[int, list[tuple[int, str]]] = {}
    for entry, position in nodes:
        chains = entry.get("coref_chains") or ()
        flags = (chain.to_json() if hasattr(chain, "to_json") else chain for chain in chains)
        for chain in sorted(flags, key=_ends_first):
            index = chain["index"]
            mentions = entities.setdefault(index, [])
            if not is_token(position):
                mentions.append((position,))
                continue
            if chain.get("is_start"):
                opened.setdefault(index, []).append((position, entry["text"]))
            if chain.get("is_end"):
                if not opened.get(index):
                    raise bad_span("<Stanza>", named, entry["text"], "it has no start")
                start, _ = opened[index].pop()
                mentions.append((start, position + 1))
    if unclosed := [word for starts in opened.values() for _, word in starts]:
        raise bad_span("<Stanza>", named, unclosed[0], "it has no end in its sentence")


def _ends_first(chain: Mapping[str, Any]) -> tuple[bool, bool]:
    """Sort key: a mention is closed before another of the same entity is opened."""
    return bool(chain.get("is_start")), not chain.get("is_end")
