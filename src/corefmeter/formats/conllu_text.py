"""The words of CoNLL-U documents with their annotation, and whether two files hold the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Text
from corefmeter.formats.base import Read
from corefmeter.formats.source import Source
from corefmeter.problems import DataError, Problem, amount

if TYPE_CHECKING:
    from corefmeter.corpus.pairing import Pair

#: The texts of a file, by document.
_Texts = dict[tuple[str, int], Text]


def read_text(
    rows: Sequence[bytes],
    sentences: list[int],
    speakers: Sequence[tuple[int, str]],
    breaks: Sequence[tuple[int, int]],
    first: int,
) -> Text:
    """Return the words of a document, or of the piece of one that begins with the token `first`.

    `rows` are the lines of its words; `sentences` and `breaks` are those of the document. A pair in
    `speakers` is the first token of a sentence, and its speaker.
    """
    lines = b"".join(rows).decode("utf-8", "backslashreplace").split("\n")[: len(rows)]
    if not lines:
        return Text([])
    columns = list(zip(*[line.split("\t", 8)[:8] for line in lines], strict=True))
    upos, pos, relations = (
        None if set(columns[i]) <= {"_"} else list(columns[i]) for i in (3, 4, 7)
    )
    end = first + len(lines)
    return Text(
        list(columns[1]),
        sentences=sentences,
        pos=pos,
        upos=upos,
        heads=_heads(columns[6], sentences, first),
        relations=relations,
        speakers=_speakers(speakers, sentences, end),
        lines=_lines(breaks, first, end),
    )


def _heads(heads: Sequence[str], sentences: Sequence[int], first: int) -> list[int] | None:
    """Return the heads as tokens of the document, -1 for a root; None if a head is not a number.

    None also if all words are roots, which is how words without a tree are written. `first` is the
    document's token at which `heads` begins; a head counts from 1 in its sentence.
    """
    found: list[int] = []
    try:
        for begin, end in pairwise([*sentences, first + len(heads)]):
            for head in heads[begin - first : end - first]:
                number = int(head)
                found.append(begin + number - 1 if 0 < number <= end - begin else -1)
    except ValueError:
        return None
    return found if any(head >= 0 for head in found) else None


def _speakers(
    changes: Sequence[tuple[int, str]], sentences: Sequence[int], end: int
) -> list[str] | None:
    """Return the speaker of each token; "-" in a sentence without a comment that names one."""
    if not changes:
        return None
    by_sentence = dict(changes)
    found: list[str] = []
    for begin, stop in pairwise([*sentences, end]):
        found += [by_sentence.get(begin, "-")] * (stop - begin)
    return found


def _lines(breaks: Sequence[tuple[int, int]], begin: int, end: int) -> list[int]:
    """Return the line of each token from `begin` to `end`."""
    found: list[int] = []
    here = [pair for pair in breaks if pair[0] >= begin]
    for (token, line), (stop, _) in zip(here, [*here[1:], (end, 0)], strict=True):
        found += range(line, line + stop - token)
    return found


def join_texts(first: Text, second: Text) -> Text:
    """Join two texts of one document; the positions of the second continue those of the first."""

    def concatenate(one: list[Any] | None, other: list[Any] | None) -> list[Any] | None:
        return one + other if one is not None and other is not None else None

    empty = {**(first.empty or {}), **(second.empty or {})}
    layers = ("words", "sentences", "pos", "upos", "heads", "relations", "speakers", "lines")
    values = {name: concatenate(getattr(first, name), getattr(second, name)) for name in layers}
    return first.replace(**values, empty=empty)


def check_sentences(pairs: list[Pair], reader: Read) -> None:
    """Compare the sentences of each pair of documents: how many, and how many words each has.

    Documents that were read without texts are compared by their number of words. Only if that
    differs, they are read again with `reader`, to find the place. DataError has the first
    difference of each document.
    """
    errors = []
    texts_by_path: dict[str, _Texts] = {}
    for pair in pairs:
        key, response = pair
        same_count = key.tokens == response.tokens
        if response.tokens is None or key.tokens is None:
            continue
        if same_count and (key.text is None or response.text is None):
            continue
        key_text, response_text = (_text(document, reader, texts_by_path) for document in pair)
        if key_text.sentences != response_text.sentences or not same_count:
            errors.append(_first_difference(key, key_text, response, response_text))
    if errors:
        raise DataError(errors)


def _text(document: Document, reader: Read, read: dict[str, _Texts]) -> Text:
    """Return the text of a document; if it was not read, read it from its file."""
    if document.text is not None:
        return document.text
    path = document.path
    if path is None or path == "-":
        return Text([])
    if path not in read:
        with Source(path) as source:
            documents, _ = reader(source, details=True)
        read[path] = {found.id: found.text for found in documents if found.text is not None}
    return read[path].get(document.id, Text([]))


def _first_difference(
    key: Document, key_text: Text, response: Document, response_text: Text
) -> Problem:
    """Return the error for the first sentence that differs."""
    in_key, in_response = _sentence_lengths(key_text), _sentence_lengths(response_text)
    lengths = zip(in_key, in_response, strict=False)
    number = next((n for n, (one, other) in enumerate(lengths) if one != other), None)
    text, document = key_text, key
    token = None
    code = "token-count"
    if number is not None:
        words, others = in_key[number], in_response[number]
        if others > words:
            text, document = response_text, response
        token = text.sentences[number] + min(words, others)
        reason = f"sentence {number + 1} has {amount(others, 'word')} in the response but {words} "
        reason += f"in the key; the first without a partner is {text.words[token]!r}"
    elif len(in_key) == len(in_response):  # not read again, since it was standard input
        document = response
        reason = f"the document has {amount(response.tokens or 0, 'word')} in the response but "
        reason += f"{key.tokens} in the key"
    else:
        code, side = "sentence-count", "key"
        if len(in_response) > len(in_key):
            text, document, side = response_text, response, "response"
        number = min(len(in_key), len(in_response))
        token = text.sentences[number]
        reason = f"the document has {amount(len(in_response), 'sentence')} in the response but "
        reason += f"{len(in_key)} in the key; sentence {number + 1} is in the {side} only"
    line = response.line
    if token is not None:
        line = text.lines[token] if text.lines else None
    hint = "Key and response must hold the same sentences; write only annotation."
    return Problem(code, reason, "error", document.path, line, hint=hint, document=key.label)


def _sentence_lengths(text: Text) -> list[int]:
    """Count the words of each sentence."""
    return [end - begin for begin, end in pairwise([*text.sentences, len(text)])]
