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
    differs are they read again with `reader`, to find the place.

    Raises
    ------
    DataError
        ``sentence-count`` or ``token-count``, with the first difference of each document.
    """
    errors = []
    read: dict[str, _Texts] = {}
    for key, response in pairs:
        if response.tokens is None or key.tokens is None:
            continue
        if key.text is None or response.text is None:
            if key.tokens == response.tokens:
                continue
            texts = [_text(document, reader, read) for document in (key, response)]
        else:
            texts = [key.text, response.text]
        key_text, response_text = texts
        if key_text.sentences != response_text.sentences or key.tokens != response.tokens:
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
    hint = "Key and response must hold the same sentences; write only annotation."
    in_key, in_response = _lengths(key_text), _lengths(response_text)
    for number, (words, response_words) in enumerate(zip(in_key, in_response, strict=False)):
        if words == response_words:
            continue
        longer, document = (key_text, key) if words > response_words else (response_text, response)
        token = longer.sentences[number] + min(words, response_words)
        return Problem(
            "token-count",
            f"sentence {number + 1} has {amount(response_words, 'word')} in the response but "
            f"{words} in the key; the first without a partner is {longer.words[token]!r}",
            "error",
            path=document.path,
            line=longer.lines[token] if longer.lines else None,
            hint=hint,
            document=key.label,
        )
    if len(in_key) == len(in_response):  # not read again, since it was standard input
        return Problem(
            "token-count",
            f"the document has {amount(response.tokens or 0, 'word')} in the response but "
            f"{key.tokens} in the key",
            "error",
            path=response.path,
            line=response.line,
            hint=hint,
            document=key.label,
        )
    number = min(len(in_key), len(in_response))
    longer, document, side = (
        (key_text, key, "key")
        if len(in_key) > len(in_response)
        else (response_text, response, "response")
    )
    return Problem(
        "sentence-count",
        f"the document has {amount(len(in_response), 'sentence')} in the response but "
        f"{len(in_key)} in the key; sentence {number + 1} is in the {side} only",
        "error",
        path=document.path,
        line=longer.lines[longer.sentences[number]] if longer.lines else None,
        hint=hint,
        document=key.label,
    )


def _lengths(text: Text) -> list[int]:
    """Count the words of each sentence."""
    return [end - begin for begin, end in pairwise([*text.sentences, len(text)])]
