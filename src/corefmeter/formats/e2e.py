"""JSON lines of e2e-coref and of the systems after it, also in sub-tokens (SpanBERT).

One object a document: ``doc_key`` (the name, ``_``, the number of the part), ``sentences`` (lists
of words), ``clusters`` (lists of pairs ``[first, last]`` of tokens of the document, inclusive, from
0), and what else there may be; ``speakers`` has the shape of ``sentences``. The output of a system
also has ``predicted_clusters``: they are read when the file is the response. ``document``, a list
of words as AllenNLP writes it, may stand instead of ``sentences``.

With ``subtoken_map`` the sentences are segments of sub-tokens, among them ``[CLS]`` and ``[SEP]``;
clusters count sub-tokens, and the map gives the word of each. Both ends of a mention are mapped to
words; what becomes the same mention of an entity is one mention. The words are given by ``tokens``,
if there are any, or put together from the sub-tokens.
"""

from __future__ import annotations

from itertools import accumulate
from typing import IO, Any

from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.text import Text
from corefmeter.formats.base import Format
from corefmeter.formats.json_documents import (
    Reader,
    Spans,
    document_key,
    not_tokens,
    sentence_bounds,
    spans_to_write,
    words_of,
)
from corefmeter.formats.json_objects import Record, dumps, keys_of, kind_of
from corefmeter.formats.source import Source
from corefmeter.problems import Problem

TITLE = "e2e-coref JSON lines"

#: Sub-tokens that belong to no word.
SPECIAL = frozenset(("[CLS]", "[SEP]", "<s>", "</s>", "[PAD]", "<pad>"))


def sniff(head: bytes, path: str = "") -> bool:
    """Whether the objects have sentences, or a document, and no mentions in the way of PreCo."""
    keys = keys_of(head)
    if b"mention_clusters" in keys or b"clusters_token_offsets" in keys:
        return False
    return b"sentences" in keys or {b"document", b"clusters"} <= keys


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The documents of a file.

    Raises
    ------
    DataError
        With all errors of the file: text that is no JSON, fields that are missing or of another
        shape, spans outside of the document, ends that look exclusive, a map of sub-tokens that
        does not fit, the same document twice.
    """
    reader = Reader(source, concatenate, TITLE)
    for record in reader.records():
        document = _document(record, reader, source.side, details)
        if document is not None:
            reader.add(document, record)
    return reader.result(inclusive=True)


def _document(record: Record, reader: Reader, side: str, details: bool) -> Document | None:
    values = record.values
    if "sentences" in values:
        sentences = reader.sentences(record)
    elif "document" in values:
        words = reader.words(record, "document")
        sentences = None if words is None else [words]
    else:
        reader.missing(record, "sentences")
        return None
    field = _field(record, reader, side)
    if sentences is None or field is None:
        return None
    name, part, numbered = reader.name(record, "doc_key", "doc_id", "id")
    if "subtoken_map" in values:
        return _from_subtokens(record, reader, field, sentences, details, (name, part, numbered))
    count = sum(map(len, sentences))
    entities = reader.spans(record, field, count)
    if entities is None:
        return None
    return Document(
        name,
        reader.without_empty(record, field, entities),
        part=part,
        tokens=count,
        numbered=numbered,
        text=_text(record, sentences) if details else None,
    )


def _field(record: Record, reader: Reader, side: str) -> str | None:
    """The field to read: clusters, or on the side of the response those that were predicted."""
    if side == "response" and "predicted_clusters" in record.values:
        return "predicted_clusters"
    if "clusters" in record.values:
        return "clusters"
    hint = None
    if "predicted_clusters" in record.values:
        hint = "It has predicted_clusters; they are read when the file is the response."
    reader.missing(record, "clusters", hint)
    return None


def _text(record: Record, sentences: list[list[str]]) -> Text:
    starts = [0, *accumulate(map(len, sentences))][:-1]
    return Text(
        [word for sentence in sentences for word in sentence],
        sentences=sorted({start for start, words in zip(starts, sentences, strict=True) if words}),
        speakers=_speakers(record.values.get("speakers"), sentences),
        entity_types=_entity_types(record.values.get("ner")),
    )


def _speakers(value: Any, sentences: list[list[str]]) -> list[str] | None:
    """The speaker of each token; None when they have not the shape of the sentences."""
    if not isinstance(value, list) or not all(isinstance(item, list) for item in value):
        return None
    if list(map(len, value)) != list(map(len, sentences)):
        return None
    return [str(speaker) for speakers in value for speaker in speakers]


def _entity_types(value: Any) -> list[tuple[int, int, str]] | None:
    """Named entities, which e2e-coref writes as ``[first, last, type]``."""
    if not isinstance(value, list):
        return None
    found = []
    for item in value:
        match item:
            case [int(start), int(end), str(kind)]:
                found.append((start, end + 1, kind))
    return found


def _from_subtokens(
    record: Record,
    reader: Reader,
    field: str,
    segments: list[list[str]],
    details: bool,
    name: tuple[str, int | None, bool],
) -> Document | None:
    """A document whose clusters count sub-tokens."""
    subtokens = [subtoken for segment in segments for subtoken in segment]
    numbers = _map(record, reader, len(subtokens))
    if numbers is None:
        return None

    def check(start: int, end: int) -> str | None:
        for place, does in ((start, "begins"), (end - 1, "ends")):
            if subtokens[place] in SPECIAL:
                return f"the mention {does} on {subtokens[place]}, which is part of no word"
        return None

    entities = reader.spans(record, field, len(subtokens), unit="sub-token", check=check)
    if entities is None:
        return None
    count = numbers[-1] + 1 if numbers else 0
    text = None
    if details:
        text = _joined_subtokens(record, subtokens, numbers, count)
    return Document(
        name[0],
        reader.without_empty(record, field, _mapped(record, reader, field, entities, numbers)),
        part=name[1],
        tokens=count,
        numbered=name[2],
        text=text,
    )


def _map(record: Record, reader: Reader, count: int) -> list[int] | None:
    """The word of each sub-token, or None after an error."""
    numbers = record.values["subtoken_map"]
    if not isinstance(numbers, list) or not set(map(type, numbers)) <= {int}:
        what = f"{kind_of(numbers)} where a list of whole numbers is expected"
        reader.bad(record, "subtoken_map", what)
        return None
    if len(numbers) != count:
        message = f"subtoken_map has {len(numbers)} numbers for {count} sub-tokens"
        hint = "It needs one for each, [CLS] and [SEP] too."
        reader.error("bad-map", message, record.line, hint=hint)
        return None
    before = 0
    for place, word in enumerate(numbers):
        if word < before or (place == 0 and word):
            after = f"after word {before}" if place else "is the first"
            message = f"subtoken_map[{place}]: word {word} {after}"
            hint = "The words begin at 0 and never go back."
            reader.error("bad-map", message, record.line, hint=hint)
            return None
        before = word
    return numbers


def _mapped(
    record: Record, reader: Reader, field: str, entities: Spans, numbers: list[int]
) -> Spans:
    """Entities in words; mentions of an entity that become the same are one."""
    found: Spans = []
    dropped = 0
    for mentions in entities:
        origins: dict[tuple[int, int], tuple[int, int]] = {}
        kept = []
        for start, end in mentions:
            span = numbers[start], numbers[end - 1] + 1
            if origins.setdefault(span, (start, end)) == (start, end):
                kept.append(span)
            else:
                dropped += 1
        found.append(kept)
    if dropped:
        message = f"mentions in {field} of the same words as another of their entity; left out"
        reader.warn("repeated-mention", message, record.line, count=dropped)
    return found


def _joined_subtokens(record: Record, subtokens: list[str], numbers: list[int], count: int) -> Text:
    """The words that sub-tokens are parts of, and where sentences begin."""
    words = record.values.get("tokens")
    if not isinstance(words, list) or len(words) != count:
        parts: list[list[str]] = [[] for _ in range(count)]
        for subtoken, word in zip(subtokens, numbers, strict=True):
            if subtoken not in SPECIAL:
                parts[word].append(subtoken)
        words = ["".join(map(_plain, part)) for part in parts]
    sentences = []
    sentence_map = record.values.get("sentence_map")
    if not isinstance(sentence_map, list) or len(sentence_map) != len(subtokens):
        sentence_map = [0] * len(subtokens)
    before = None
    for subtoken, word, sentence in zip(subtokens, numbers, sentence_map, strict=True):
        if subtoken not in SPECIAL and sentence != before:
            sentences.append(word)
            before = sentence
    return Text(list(map(str, words)), sentences=sorted({0, *sentences}) if words else [])


def _plain(subtoken: str) -> str:
    """A sub-token without the mark that says whether it begins a word."""
    return subtoken.removeprefix("##").lstrip("▁Ġ")


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus, one object a line; words that were not read are written as ``_``.

    What the format cannot express is returned as problems: mentions with gaps, empty nodes, names
    of entities, and documents that count characters.
    """
    problems: list[Problem] = []
    for document in corpus:
        if document.unit != "tokens":
            problems.append(not_tokens(document, TITLE))
            continue
        clusters, left_out = spans_to_write(document, TITLE)
        problems += left_out
        text = words_of(document, clusters)
        bounds = sentence_bounds(text)
        values: dict[str, Any] = {
            "doc_key": document_key(document),
            "sentences": [text.words[start:end] for start, end in bounds],
        }
        if text.speakers is not None:
            values["speakers"] = [text.speakers[start:end] for start, end in bounds]
        if text.entity_types is not None:
            values["ner"] = [[start, end - 1, kind] for start, end, kind in text.entity_types]
        values["clusters"] = [
            [[start, end - 1] for start, end in mentions] for mentions in clusters
        ]
        stream.write(dumps(values) + "\n")
    return problems


FORMAT = Format(
    name="e2e",
    title=TITLE,
    sniff=sniff,
    read=read,
    write=write,
    endings=(".jsonl", ".jsonlines"),
)
