"""Stanza's Documents, and what their `to_dict` gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
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

    return Corpus([_of_stanza(one) for one in objects_by_name(documents, is_one)])


def _of_stanza(one: Named) -> Document:
    """Mentions begin and end with words of one sentence."""
    sentences: list[list[dict[str, Any]]] = []
    entities: dict[int, list[Any]] = {}
    offset, ran = 0, False
    for entries in one.value.to_dict() if hasattr(one.value, "to_dict") else one.value:
        words: list[dict[str, Any]] = []
        empty: Counter[int] = Counter()
        opened: dict[int, list[int]] = {}
        for entry in entries:
            id = entry["id"]
            if isinstance(id, int) or len(id) == 1:
                words.append(entry)
            elif id[0] > len(words):
                continue  # a contraction, whose words follow
            else:
                empty[len(words)] += 1
            at = offset + len(words)
            ran = ran or "coref_chains" in entry
            for chain in sorted(map(_flags, entry.get("coref_chains") or ()), key=_ends_first):
                mentions = entities.setdefault(chain["index"], [])
                if words and entry is words[-1]:
                    if chain.get("is_start"):
                        opened.setdefault(chain["index"], []).append(at - 1)
                    if chain.get("is_end"):
                        if not opened.get(chain["index"]):
                            raise bad_span("<Stanza>", one, entry["text"], "no begin of it")
                        mentions.append((opened[chain["index"]].pop(), at))
                else:
                    initial = (True,) if not words else ()
                    mentions.append(((at, at, empty[len(words)], *initial),))
        if left := [
            words[start - offset]["text"] for starts in opened.values() for start in starts
        ]:
            raise bad_span("<Stanza>", one, left[0], "no end of it in the sentence")
        sentences.append(words)
        offset += len(words)
    if not ran:
        raise unannotated("<Stanza>", one, "coref")
    text = text_of([word["text"] for word in words] for words in sentences)
    flat = [word for words in sentences for word in words]
    text.upos, text.pos = (
        [word[field] for word in flat] if all(field in word for word in flat) else None
        for field in ("upos", "xpos")
    )
    return document_of_object("<Stanza>", one, text, entities)


def _flags(chain: Any) -> Mapping[str, Any]:
    """Return a word's chain flags: whether it starts, ends or is a mention of a chain."""
    flags: Mapping[str, Any] = chain.to_json() if hasattr(chain, "to_json") else chain
    return flags


def _ends_first(chain: Mapping[str, Any]) -> tuple[bool, bool]:
    return bool(chain.get("is_start")), not chain.get("is_end")
