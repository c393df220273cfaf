"""The words of CoNLL-U documents with their annotation, and whether two files hold the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Text
from corefmeter.formats.base import Read
from corefmeter.formats.conll_text import runs_of
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
    layers = (columns[index] for index in (3, 4, 7))
    upos, pos, relations = (None if set(layer) <= {"_"} else list(layer) for layer in layers)
    end = first + len(lines)
    runs = runs_of([pair for pair in breaks if pair[0] >= first], end)
    return Text(
        list(columns[1]),
        sentences=sentences,
        pos=pos,
        upos=upos,
        heads=_map_heads(columns[6], sentences, first),
        relations=relations,
        speakers=_speakers_of_tokens(speakers, sentences, end),
        lines=[line for _, run in runs for line in run],
    )


def _map_heads(heads: Sequence[str], sentences: Sequence[int], first: int) -> list[int] | None:
    """Return the heads as tokens of the document, -1 for a root; None if a head is not a number.

    None also if all words are roots, which is how words without a tree are written. `first` is the
    document's token at which `heads` begins; a head counts from 1 in its sentence.
    """
    tokens: list[int] = []
    try:
        for begin, end in pairwise([*sentences, first + len(heads)]):
            for head in heads[begin - first : end - first]:
                number = int(head)
                tokens.append(begin + number - 1 if 0 < number <= end - begin else -1)
    except ValueError:
        return None
    return tokens if any(token >= 0 for token in tokens) else None


def _speakers_of_tokens(
    changes: Sequence[tuple[int, str]], sentences: Sequence[int], end: int
) -> list[str] | None:
    """Return the speaker of each token; "-" in a sentence without a comment that names one."""
    if not changes:
        return None
    by_sentence = dict(changes)
    speakers: list[str] = []
    for begin, stop in pairwise([*sentences, end]):
        speakers += [by_sentence.get(begin, "-")] * (stop - begin)
    return speakers


def join_texts(first: Text, second: Text) -> Text:
    """Join two texts of one document; the positions of the second continue those of the first."""
    layers: dict[str, list[Any] | None] = {}
    for name in ("words", "sentences", "pos", "upos", "heads", "relations", "speakers", "lines"):
        values, more = getattr(first, name), getattr(second, name)
        layers[name] = None if values is None or more is None else values + more
    return first.replace(**layers, empty={**(first.empty or {}), **(second.empty or {})})


def check_sentences(pairs: list[Pair], reader: Read) -> None:
    """Raise DataError with the first sentence of each document that differs in its length.

    Documents that were read without texts are compared by their number of words. Only if that
    differs, they are read again with `reader`, to find the place.
    """
    errors = []
    texts_by_path: dict[str, _Texts] = {}
    for pair in pairs:
        key, response = pair
        same_count = key.tokens == response.tokens
        if response.tokens is None or key.tokens is None:
            continue  # a length is unknown
        if same_count and (key.text is None or response.text is None):
            continue
        key_text, response_text = (_get_text(document, reader, texts_by_path) for document in pair)
        if key_text.sentences != response_text.sentences or not same_count:
            errors.append(_first_difference(key, key_text, response, response_text))
    if errors:
        raise DataError(errors)


def _get_text(document: Document, reader: Read, texts_by_path: dict[str, _Texts]) -> Text:
    """Return the text of a document; if it was not read, read it from its file."""
    if document.text is not None:
        return document.text
    path = document.path
    if path is None or path == "-":
        return Text([])
    if path not in texts_by_path:
        with Source(path) as source:
            documents, _ = reader(source, details=True)
        texts_by_path[path] = {d.id: d.text for d in documents if d.text is not None}
    return texts_by_path[path].get(document.id, Text([]))


def _first_difference(
    key: Document, key_text: Text, response: Document, response_text: Text
) -> Problem:
    """Return the error for the first sentence that differs."""
    key_lengths, lengths = _sentence_lengths(key_text), _sentence_lengths(response_text)
    pairs = zip(key_lengths, lengths, strict=False)
    different = next((number for number, (own, other) in enumerate(pairs) if own != other), None)
    code = "token-count"
    if different is not None:
        key_words, words = key_lengths[different], lengths[different]
        text, document = (response_text, response) if words > key_words else (key_text, key)
        token = text.sentences[different] + min(key_words, words)
        line = text.lines[token] if text.lines else None
        reason = f"sentence {different + 1} has {amount(words, 'word')} in the response but "
        reason += f"{key_words} in the key; the first without a partner is {text.words[token]!r}"
    elif len(key_lengths) != len(lengths):
        code = "sentence-count"
        is_longer = len(lengths) > len(key_lengths)
        text, document = (response_text, response) if is_longer else (key_text, key)
        number = min(len(key_lengths), len(lengths))
        line = text.lines[text.sentences[number]] if text.lines else None
        reason = f"the document has {amount(len(lengths), 'sentence')} in the response but "
        reason += f"{len(key_lengths)} in the key; sentence {number + 1} is in the "
        reason += "response only" if is_longer else "key only"
    else:  # standard input, which cannot be read again
        reason = f"the document has {amount(response.tokens or 0, 'word')} in the response but "
        reason += f"{key.tokens} in the key"
        document, line = response, response.line
    hint = "Key and response must have the same sentences; change the annotation only."
    return Problem(code, reason, "error", document.path, line, hint=hint, document=key.label)


def _sentence_lengths(text: Text) -> list[int]:
    return [end - begin for begin, end in pairwise([*text.sentences, len(text)])]
