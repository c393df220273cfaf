"""JSON lines of e2e-coref and of the systems after it, also in sub-tokens (SpanBERT).

One object a document: ``doc_key`` (the name, ``_``, the number of the part), ``sentences`` (lists
of words), ``clusters`` (lists of pairs ``[first, last]`` of tokens of the document, inclusive, from
0), and possibly others; ``speakers`` has the shape of ``sentences``. The output of a system also
has ``predicted_clusters``, or one of `PREDICTED`: they are read when the file is the response.
``document``, a list of words as AllenNLP writes it, may replace ``sentences``.

With ``subtoken_map`` the sentences are segments of sub-tokens, among them ``[CLS]`` and ``[SEP]``;
clusters count sub-tokens, and the map gives the word of each. Both ends of a mention are mapped to
words; what becomes the same mention of an entity is one mention. The words are given by ``tokens``,
if there are any, or put together from the sub-tokens.

wl-coref has ``document_id``, ``part_id`` and ``cased_words``; its ends are exclusive, and the
clusters of its system are ``span_clusters``.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

from corefmeter.corpus.model import Document
from corefmeter.corpus.text import Text
from corefmeter.formats.json_documents import json_format
from corefmeter.formats.json_objects import keys_of, kind_of
from corefmeter.formats.json_shapes import JsonFormat, Parts, Shape, Spans, Tokens, Wrong
from corefmeter.formats.json_writing import sentences_of, with_inclusive_ends

#: Words for each sub-token, above which a map is damaged: few words have no sub-token.
WORDS = 10

#: Sub-tokens that belong to no word.
SPECIAL = frozenset(("[CLS]", "[SEP]", "<s>", "</s>", "[PAD]", "<pad>"))


def sniff(head: bytes, path: str = "") -> bool:
    """Return whether the objects have sentences, or a document, and no mentions as in PreCo."""
    keys = keys_of(head)
    if b"mention_clusters" in keys or b"clusters_token_offsets" in keys:
        return False
    return bool(keys & {b"sentences", b"cased_words"}) or {b"document", b"clusters"} <= keys


def _map_subtokens(values: dict[str, Any], parts: Parts) -> Tokens | Wrong:
    """Return the words that sub-tokens are parts of."""
    subtokens = [subtoken for part in parts for subtoken in part]
    numbers: list[int] = values["subtoken_map"]
    wrong = _check_map(numbers, len(subtokens))
    if wrong is not None:
        return wrong

    def span(start: int, end: int) -> tuple[int, int] | Wrong:
        for place, does in ((start, "begins"), (end - 1, "ends")):
            if (special := subtokens[place]) in SPECIAL:
                message = f"the mention {does} on {special}, which is part of no word"
                return Wrong("bad-span", message)
        return numbers[start], numbers[end - 1] + 1

    count = numbers[-1] + 1 if numbers else 0
    text = partial(_join_subtokens, values, subtokens, numbers, count)
    return Tokens(count, span, text, merges=True)


def _check_map(numbers: Any, count: int) -> Wrong | None:
    """Return the error in a map of sub-tokens, whose number is `count`; None if there is none."""
    if not isinstance(numbers, list) or not set(map(type, numbers)) <= {int}:
        what = f"{kind_of(numbers)} where a list of whole numbers is expected"
        return Wrong("bad-field", f"subtoken_map: {what}")
    if len(numbers) != count:
        message = f"subtoken_map has {len(numbers)} numbers for {count} sub-tokens"
        hint = "It needs one for each sub-token, including [CLS] and [SEP]."
        return Wrong("bad-map", message, hint)
    for place, (before, word) in enumerate(pairwise([0, *numbers])):
        if word < before or (place == 0 and word):
            after = f"after word {before}" if place else "is the first"
            message = f"subtoken_map[{place}]: word {word} {after}"
            return Wrong("bad-map", message, "The words begin at 0 and never go back.")
    if numbers and numbers[-1] >= WORDS * count:
        message = f"subtoken_map leads to word {numbers[-1]}, but there are {count} sub-tokens"
        return Wrong("bad-map", message, "Most words should have their own sub-token.")
    return None


def _join_subtokens(
    values: dict[str, Any], subtokens: list[str], numbers: list[int], count: int
) -> Text:
    """Return the words that sub-tokens are parts of, and where sentences begin."""
    words = values.get("tokens")
    if not isinstance(words, list) or len(words) != count:
        parts: list[list[str]] = [[] for _ in range(count)]
        for subtoken, word in zip(subtokens, numbers, strict=True):
            if subtoken not in SPECIAL:
                # Without the mark that shows whether the sub-token begins a word.
                parts[word].append(subtoken.removeprefix("##").lstrip("▁Ġ"))
        words = ["".join(part) for part in parts]
    sentences = []
    sentence_map = values.get("sentence_map")
    if not isinstance(sentence_map, list) or len(sentence_map) != len(subtokens):
        sentence_map = [0] * len(subtokens)
    before = None
    for subtoken, word, sentence in zip(subtokens, numbers, sentence_map, strict=True):
        if subtoken not in SPECIAL and sentence != before:
            sentences.append(word)
            before = sentence
    return Text(list(map(str, words)), sentences=sorted({0, *sentences}) if words else [])


def _json_values(document: Document, text: Text, clusters: Spans) -> dict[str, Any]:
    values: dict[str, Any] = {
        "doc_key": document.spelled,
        "sentences": sentences_of(text, text.words),
    }
    if text.speakers is not None:
        values["speakers"] = sentences_of(text, text.speakers)
    if text.entity_types is not None:
        values["ner"] = [[start, end - 1, kind] for start, end, kind in text.entity_types]
    values["clusters"] = with_inclusive_ends(clusters)
    return values


_WORDS = (Shape("sentences", "sentences", "clusters"), Shape("document", "words", "clusters"))
_WORD_LEVEL = Shape(
    *("cased_words", "words", "clusters"),
    inclusive=False,
    title="wl-coref",
    alternative="span_clusters",
)
_SUBTOKENS = [
    shape._replace(unit="sub-token", beside="subtoken_map", tokens=_map_subtokens)
    for shape in _WORDS
]
_PREDICTED = "It has predicted_clusters, which are read if the file is the response."
_JSON = JsonFormat(
    "e2e-coref JSON lines",
    (*_SUBTOKENS, *_WORDS, _WORD_LEVEL),
    _json_values,
    hints={"clusters": ("predicted_clusters", _PREDICTED)},
)

_RESULTS = "These are results of corefmeter:"
_KEYS = 'JSON is recognized by its keys: "clusters" next to "sentences", "tokens" or "text".'

FORMAT = json_format(
    _JSON,
    "e2e",
    sniff=sniff,
    evidence="JSON with `sentences`, or with `document` and `clusters`",
    endings=(".jsonl", ".jsonlines"),
    clues=(
        (
            b'"signature": "corefmeter:',
            f"{_RESULTS} read by correlate, and by compare with --results.",
        ),
        (b"```", "Remove the text before and after the code block."),
        (b'":', f"{_KEYS} A format that is not recognized can be named with --from."),
    ),
)
