"""The output of fastcoref, with offsets of characters, and its training data, with words.

One object a document. Output: ``text``, ``clusters`` (lists of pairs ``[begin, end]`` of characters
of the text, end exclusive, from 0) and ``clusters_strings`` (the texts of the mentions, which are
compared). Characters are code points. Such a document counts characters, not tokens (see
`corefmeter.corpus.align` for scoring it against one that counts tokens). With ``tokens`` beside the
text the clusters still count characters, but each mention must begin and end with a token, and the
document counts tokens.

Training data: ``tokens`` without ``text``; then ``clusters`` are pairs ``[first, last]`` of tokens,
inclusive.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial
from typing import Any

from corefmeter.corpus.align import ink, text_with_offsets
from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Text
from corefmeter.formats.json_documents import json_format
from corefmeter.formats.json_objects import keys_of
from corefmeter.formats.json_shapes import PREDICTED, JsonFormat, Parts, Shape, Spans, Tokens, Wrong
from corefmeter.formats.notes import SHOWN


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether the objects have a text or tokens, and clusters."""
    keys = keys_of(head)
    if keys & {b"sentences", b"clusters_token_offsets", b"mention_clusters"}:
        return False
    if b"clusters_strings" in keys:
        return True
    clusters = {name.encode() for name in ("clusters", *PREDICTED)}
    return bool(keys & clusters) and bool(keys & {b"text", b"tokens"})


def _map_characters(values: dict[str, Any], parts: Parts) -> Tokens:
    """Return the tokens given with a text, which is the same apart from white space."""
    text, words = values["text"], values["tokens"]
    # Offsets in the text without white space: of each character, and of the borders of tokens.
    (_, places), (_, borders) = ink(text), ink(words)

    def span(begin: int, end: int) -> tuple[int, int] | Wrong:
        first = bisect_right(borders, places[begin]) - 1
        last = bisect_left(borders, places[end])
        begins_with_token = borders[first] == places[begin]
        if begins_with_token and borders[last] == places[end]:
            return first, last
        verb = "end" if begins_with_token else "begin"
        mention = text[begin : min(end, begin + SHOWN)]
        message = f"the mention {mention!r:.60} from {begin} to {end} does not {verb} with a token"
        return Wrong("off-token", message, "Correct the offsets, or leave out the tokens.")

    return Tokens(len(words), span, partial(Text, words))


def _json_values(document: Document, words: Text, clusters: Spans) -> dict[str, Any]:
    text, begins, ends = text_with_offsets(words)
    offsets = [[[begins[start], ends[end - 1]] for start, end in spans] for spans in clusters]
    return {
        **({} if document.numbered else {"doc_key": document.spelled}),
        "text": text,
        "clusters": offsets,
        "clusters_strings": [[text[begin:end] for begin, end in spans] for spans in offsets],
    }


_STRINGS = ("clusters_strings",)
_TEXT = Shape("text", "text", "clusters", "character", inclusive=False, strings=_STRINGS, null=True)
_BOTH = _TEXT._replace(beside="tokens", tokens=_map_characters)
_WORDS = Shape("tokens", "words", "clusters")
_JSON = JsonFormat("fastcoref JSON", (_BOTH, _TEXT, _WORDS), _json_values)

FORMAT = json_format(
    _JSON,
    "fastcoref",
    sniff=sniff,
    evidence="JSON with `text` or `tokens` and clusters, without `sentences`",
    units=("tokens", "characters"),
)
