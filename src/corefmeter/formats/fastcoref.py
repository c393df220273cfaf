"""The output of fastcoref, with offsets of characters, and its training data, with words.

One object a document. Output: ``text``, ``clusters`` (lists of pairs ``[begin, end]`` of characters
of the text, end exclusive, from 0) and ``clusters_strings`` (the texts of the mentions, which are
compared). Characters are code points. Such a document counts characters, not tokens (see
`corefmeter.corpus.align` for scoring it against one that counts tokens). With ``tokens`` beside the
text the clusters still count characters, but every mention must begin and end with a token, and the
document counts tokens.

Training data: ``tokens`` without ``text``; then ``clusters`` are pairs ``[first, last]`` of tokens,
inclusive.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from corefmeter.corpus.align import PositionMap, text_with_offsets
from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Text
from corefmeter.formats.base import Format
from corefmeter.formats.json_documents import read_json
from corefmeter.formats.json_objects import keys_of
from corefmeter.formats.json_shapes import PREDICTED, JsonFormat, Parts, Shape, Spans, Tokens, Wrong
from corefmeter.formats.json_writing import write_json
from corefmeter.formats.notes import SHOWN

TITLE = "fastcoref JSON"


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether the objects have a text or tokens, and clusters."""
    keys = keys_of(head)
    if keys & {b"sentences", b"clusters_token_offsets", b"mention_clusters"}:
        return False
    if b"clusters_strings" in keys:
        return True
    clusters = {name.encode() for name in ("clusters", *PREDICTED)}
    return bool(keys & clusters) and bool(keys & {b"text", b"tokens"})


def _tokens(values: dict[str, Any], parts: Parts) -> Tokens:
    """Return the tokens given with a text, after comparing them with it."""
    text, words = values["text"], values["tokens"]
    positions = PositionMap(text, words)

    def span(begin: int, end: int) -> tuple[int, int] | Wrong:
        found = positions.span(begin, end)
        if found is not None:
            return found
        does = "begin" if positions.start(begin) is None else "end"
        mention = text[begin : min(end, begin + SHOWN)]
        message = f"the mention {mention!r:.60} from {begin} to {end} does not {does}"
        hint = "Correct the offsets, or leave out the tokens."
        return Wrong("off-token", f"{message} with a token", hint)

    return Tokens(len(words), span, partial(Text, words))


def _values(document: Document, words: Text, clusters: Spans) -> dict[str, Any]:
    """Return the JSON values of a document, with words joined by spaces."""
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
_BOTH = _TEXT._replace(beside="tokens", tokens=_tokens)
_JSON = JsonFormat(TITLE, (_BOTH, _TEXT, Shape("tokens", "words", "clusters")), _values)

FORMAT = Format(
    name="fastcoref",
    title=TITLE,
    sniff=sniff,
    evidence="JSON with `text` or `tokens` and clusters, without `sentences`",
    read=partial(read_json, _JSON),
    write=partial(write_json, _JSON),
    units=("tokens", "characters"),
)
