"""PreCo: JSON lines with sentences and mentions in sentences.

One object a document: ``id`` (the name), ``sentences`` (lists of words; a sentence of one blank
marks a paragraph and is a token like others) and ``mention_clusters``: lists of ``[sentence, begin,
end]``, all counted from 0, ``begin`` and ``end`` in words of the sentence, ``end`` exclusive.
Singletons are annotated. Here tokens count through the document.
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
    not_tokens,
    sentence_bounds,
    spans_to_write,
    words_of,
)
from corefmeter.formats.json_objects import Record, dumps, keys_of, kind_of, shown
from corefmeter.formats.notes import lost
from corefmeter.formats.source import Source
from corefmeter.problems import Problem

TITLE = "PreCo"


def sniff(head: bytes, path: str = "") -> bool:
    """Whether the objects have mentions in sentences."""
    return b"mention_clusters" in keys_of(head)


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """The documents of a file.

    Raises
    ------
    DataError
        With all errors of the file: text that is no JSON, fields that are missing or of another
        shape, mentions that are not three whole numbers, ends that are not after their begins (then
        they look inclusive), mentions outside of their sentence, the same document twice.
    """
    reader = Reader(source, concatenate, TITLE)
    for record in reader.records():
        missing = [
            field for field in ("sentences", "mention_clusters") if field not in record.values
        ]
        for field in missing:
            reader.missing(record, field)
        if missing:
            continue
        sentences = reader.sentences(record)
        if sentences is None:
            continue
        name, part, numbered = reader.name(record, "id", "doc_key")
        entities = _entities(record, reader, sentences)
        if entities is None:
            continue
        document = Document(
            name,
            reader.without_empty(record, "mention_clusters", entities),
            part=part,
            tokens=sum(map(len, sentences)),
            numbered=numbered,
            text=_text(sentences) if details else None,
        )
        reader.add(document, record)
    return reader.result()


def _text(sentences: list[list[str]]) -> Text:
    starts = [0, *accumulate(map(len, sentences))][:-1]
    return Text(
        [word for sentence in sentences for word in sentence],
        sentences=[start for start, words in zip(starts, sentences, strict=True) if words],
    )


def _entities(record: Record, reader: Reader, sentences: list[list[str]]) -> Spans | None:
    """The clusters with spans of the document, or None after errors."""
    clusters = record.values["mention_clusters"]
    lengths = list(map(len, sentences))
    starts = [0, *accumulate(lengths)]
    entities: Spans = []
    try:
        for cluster in clusters:
            mentions = []
            for sentence, begin, end in cluster:
                if not (type(sentence) is type(begin) is type(end) is int) or sentence < 0:
                    raise ValueError
                if not 0 <= begin < end <= lengths[sentence]:
                    raise ValueError
                mentions.append((starts[sentence] + begin, starts[sentence] + end))
            entities.append(mentions)
        if type(clusters) is not list or not set(map(type, clusters)) <= {list}:
            raise ValueError
    except (IndexError, TypeError, ValueError):
        _tell(record, reader, lengths)
        return None
    return entities


def _tell(record: Record, reader: Reader, lengths: list[int]) -> None:
    """Note everything that is wrong with the clusters."""
    clusters = record.values["mention_clusters"]
    if not isinstance(clusters, list):
        reader.bad(
            record, "mention_clusters", f"{kind_of(clusters)} where a list of clusters is expected"
        )
        return
    for i, cluster in enumerate(clusters):
        if not isinstance(cluster, list):
            what = f"{kind_of(cluster)} where a list of mentions is expected"
            reader.bad(record, f"mention_clusters[{i}]", what)
            continue
        for j, mention in enumerate(cluster):
            path = f"mention_clusters[{i}][{j}]"
            whole = isinstance(mention, list) and set(map(type, mention)) <= {int}
            if not whole or len(mention) != 3:
                what = f"{shown(mention)} where sentence, begin and end are expected"
                reader.bad(record, path, what)
            else:
                _tell_mention(record, reader, path, mention, lengths)


def _tell_mention(
    record: Record, reader: Reader, path: str, mention: list[int], lengths: list[int]
) -> None:
    sentence, begin, end = mention
    if not 0 <= sentence < len(lengths):
        message = f"{path}: there is no sentence {sentence}; the document has {len(lengths)}"
        reader.error("bad-span", message, record.line)
    elif begin == end:
        reader.error(
            "wrong-ends",
            f"{path}: the mention from {begin} to {end} is empty; the ends look inclusive, and "
            "those of PreCo are exclusive (half-open)",
            record.line,
            hint="Write the word after each mention: add 1 to every end.",
        )
    elif not 0 <= begin < end <= lengths[sentence]:
        reader.error(
            "bad-span",
            f"{path}: there is no mention from {begin} to {end} in sentence {sentence}, which has "
            f"{lengths[sentence]} words",
            record.line,
        )


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus, one object a line; words that were not read are written as ``_``.

    What the format cannot express is returned as problems: mentions with gaps, empty nodes or
    across sentences, names of entities, and documents that count characters.
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
        crossing = 0
        written: list[list[list[int]]] = []
        for mentions in clusters:
            written.append([])
            for start, end in mentions:
                sentence = text.sentence_of(start)
                if end > bounds[sentence][1]:
                    crossing += 1
                    continue
                first = bounds[sentence][0]
                written[-1].append([sentence, start - first, end - first])
        if crossing:
            message = f"mentions across sentences cannot be written in {TITLE}; left out"
            problems.append(lost(document, message, crossing))
        values: dict[str, Any] = {
            "id": document.label if document.part else document.name,
            "sentences": [text.words[start:end] for start, end in bounds],
            "mention_clusters": [mentions for mentions in written if mentions],
        }
        stream.write(dumps(values) + "\n")
    return problems


FORMAT = Format(
    name="preco",
    title=TITLE,
    sniff=sniff,
    read=read,
    write=write,
)
