"""Whether CoNLL-U files hold the same sentences, as scoring one against the other needs."""

from __future__ import annotations

from itertools import pairwise

from corefmeter.corpus.model import Document
from corefmeter.corpus.pairing import Pair
from corefmeter.corpus.text import Text
from corefmeter.formats.base import Read
from corefmeter.formats.source import Source
from corefmeter.problems import DataError, Problem, amount

#: The texts of a file, by document.
_Texts = dict[tuple[str, int], Text]


def check_sentences(pairs: list[Pair], reader: Read) -> None:
    """Compare the sentences of each pair of documents: how many, and how many words each has.

    Documents that were read for counting only are compared by their number of words; only if that
    differs are they read again with `reader`, to find the place. DataError has the first difference
    of each document.
    """
    errors = []
    read: dict[str, _Texts] = {}
    for pair in pairs:
        key, response = pair
        same = key.tokens == response.tokens
        if response.tokens is None or key.tokens is None:
            continue
        if same and (key.text is None or response.text is None):
            continue
        key_text, response_text = (_text(document, reader, read) for document in pair)
        if key_text.sentences != response_text.sentences or not same:
            errors.append(_difference(key, key_text, response, response_text))
    if errors:
        raise DataError(errors)


def _text(document: Document, reader: Read, read: dict[str, _Texts]) -> Text:
    """Return the text of a document, from its file."""
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


def _difference(key: Document, key_text: Text, response: Document, response_text: Text) -> Problem:
    """Return the error for the first sentence that differs."""
    in_key, in_response = _lengths(key_text), _lengths(response_text)
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


def _lengths(text: Text) -> list[int]:
    """Count the words of each sentence."""
    return [end - begin for begin, end in pairwise([*text.sentences, len(text)])]
