"""The output of Maverick: tokens, and clusters of tokens.

One object a document: ``tokens`` (words), ``clusters_token_offsets`` (lists of pairs
``[first, last]``, inclusive, from 0), and for reading by people ``clusters_token_text``,
``clusters_char_offsets`` and ``clusters_char_text``, which may be null. The texts of the mentions
are compared with the tokens, since they show ends that were counted otherwise. An array of objects
with ``doc_id``, or with empty nodes among the tokens, is of `corefmeter.formats.inline.crac`.
"""

from __future__ import annotations

from typing import Any

from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Text
from corefmeter.formats.json_documents import json_format
from corefmeter.formats.json_objects import keys_of
from corefmeter.formats.json_shapes import JsonFormat, Shape, Spans
from corefmeter.formats.json_writing import with_inclusive_ends


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether the objects have clusters of token offsets and are not those of CRAC."""
    return has_token_offsets(head) and not is_of_crac(head)


def is_of_crac(head: bytes) -> bool:
    """Return whether it is an array with ``doc_id``, as the track has, or has empty nodes."""
    return (head.lstrip()[:1] == b"[" and b"doc_id" in keys_of(head)) or b'"##' in head


def has_token_offsets(head: bytes) -> bool:
    """Return whether the objects have clusters of token offsets."""
    return b"clusters_token_offsets" in keys_of(head)


def _json_values(document: Document, text: Text, clusters: Spans) -> dict[str, Any]:
    return {
        "doc_key": document.spelled,
        "tokens": text.words,
        "clusters_token_offsets": with_inclusive_ends(clusters),
        "clusters_token_text": [
            [" ".join(text.words[start:end]) for start, end in mentions] for mentions in clusters
        ],
        "clusters_char_offsets": None,
        "clusters_char_text": None,
    }


_STRINGS = ("clusters_token_text", "clusters_text_mentions")
_SHAPE = Shape("tokens", "words", "clusters_token_offsets", strings=_STRINGS, null=True)
_OTHER = ("clusters", "Fields named as by fastcoref are read with the format fastcoref.")
_HINTS = {"tokens": _OTHER, "clusters_token_offsets": _OTHER}
_JSON = JsonFormat("Maverick JSON", (_SHAPE,), _json_values, hints=_HINTS)

FORMAT = json_format(
    _JSON, "maverick", sniff=sniff, evidence="JSON with `clusters_token_offsets`, not as in `crac`"
)
