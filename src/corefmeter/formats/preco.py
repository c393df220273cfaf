"""PreCo: JSON lines with sentences and mentions in sentences.

One object a document: ``id`` (the name; or ``doc_key``, ``doc_id``), ``sentences`` (lists of words;
a sentence of one space marks a paragraph and is a token like others) and ``mention_clusters``:
lists of ``[sentence, begin, end]``, all counted from 0, ``begin`` and ``end`` in words of the
sentence, ``end`` exclusive.
Singletons are annotated. Here tokens count through the document.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Text
from corefmeter.formats.json_documents import json_format
from corefmeter.formats.json_objects import keys_of
from corefmeter.formats.json_shapes import JsonFormat, Parts, Positions, Shape, Spans, Wrong
from corefmeter.formats.json_writing import sentences_of
from corefmeter.problems import amount


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether the objects have mentions in sentences."""
    return b"mention_clusters" in keys_of(head)


class _InSentences(Positions):
    """Mentions as ``[sentence, begin, end]``."""

    numbers = 3
    expected = "sentence, begin and end"

    def __init__(self, shape: Shape, parts: Parts) -> None:
        super().__init__(shape, parts)
        self.starts = [0, *accumulate(self.lengths)]

    def spans(self, clusters: Any) -> Spans:
        entities = []
        starts, lengths = self.starts, self.lengths
        for cluster in clusters:
            spans = []
            for sentence, begin, end in cluster:
                if not (type(sentence) is type(begin) is type(end) is int) or sentence < 0:
                    raise ValueError
                if not 0 <= begin < end <= lengths[sentence]:
                    raise ValueError
                spans.append((starts[sentence] + begin, starts[sentence] + end))
            entities.append(spans)
        return entities

    def describe_error(self, mention: list[int], format: str) -> Wrong | None:
        sentence, begin, end = mention
        sentences = len(self.lengths)
        if not 0 <= sentence < sentences:
            message = f"there is no sentence {sentence}; the document has {sentences}"
            return Wrong("bad-span", message)
        if begin == end:
            return self.empty(begin, end, "word", format)
        if not 0 <= begin < end <= self.lengths[sentence]:
            length = amount(self.lengths[sentence], "word")
            message = f"there is no mention from {begin} to {end} in sentence {sentence}, which has"
            return Wrong("bad-span", f"{message} {length}")
        return None


def _json_values(document: Document, text: Text, clusters: Spans) -> dict[str, Any]:
    def values_of(start: int, end: int) -> list[int]:
        sentence = text.sentence_of(start)
        first = text.sentences[sentence]
        return [sentence, start - first, end - first]

    return {
        "id": document.one_name or document.label,
        "sentences": sentences_of(text, text.words),
        "mention_clusters": [[values_of(*span) for span in mentions] for mentions in clusters],
    }


_SHAPE = Shape(
    "sentences", "sentences", "mention_clusters", inclusive=False, positions=_InSentences
)
_NAMES = ("id", "doc_key", "doc_id")
_JSON = JsonFormat("PreCo", (_SHAPE,), _json_values, names=_NAMES, within_sentences=True)

FORMAT = json_format(_JSON, "preco", sniff=sniff, evidence="JSON with `mention_clusters`")
