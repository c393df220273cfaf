"""The columns between token number and coreference, for CoNLL files of which more is known."""

from __future__ import annotations

from corefmeter.corpus.text import Text
from corefmeter.formats.notes import in_cell


def middle_columns(text: Text, tokens: int) -> list[list[str]]:
    """For each token its word; and, if more than words is known, all columns up to the names.

    These are part of speech, parse, lemma, frameset, sense, speaker and named entities, as in
    OntoNotes; with document, part, token and coreference they make twelve columns.

    Examples
    --------
    >>> middle_columns(Text(["New", "York"]), 3)
    [['New'], ['York'], ['_']]
    >>> text = Text(["New", "York"], pos=["NNP", "NNP"], entity_types=[(0, 2, "GPE")])
    >>> middle_columns(text, 2)[0]
    ['New', 'NNP', '-', '-', '-', '-', '-', '(GPE*']
    """
    words = [in_cell(word) for word in text.words[:tokens]]
    words += ["_"] * (tokens - len(words))
    if text.pos is None and text.parse is None and text.speakers is None and not text.entity_types:
        return [[word] for word in words]
    names = _names(text.entity_types, tokens)
    columns = [words, *(_cells(column, tokens) for column in (text.pos, text.parse)),
               *[["-"] * tokens] * 3, _cells(text.speakers, tokens), names]  # fmt: skip
    return [list(row) for row in zip(*columns, strict=True)]


def _cells(column: list[str] | None, tokens: int) -> list[str]:
    """A column, filled up; ``-`` where nothing is known."""
    known = [in_cell(value) if value.strip() else "-" for value in (column or [])[:tokens]]
    return known + ["-"] * (tokens - len(known))


def _names(entity_types: list[tuple[int, int, str]] | None, tokens: int) -> list[str]:
    """The column of named entities: ``(GPE*``, ``*``, ``*)``, ``(GPE)``."""
    if entity_types is None:
        return ["-"] * tokens
    opens, wholes, closes = ([""] * tokens for _ in range(3))
    for start, end, kind in sorted(entity_types, key=lambda entry: (entry[0], -entry[1])):
        if not 0 <= start < end <= tokens:
            continue
        if end == start + 1:
            wholes[start] += f"({in_cell(kind)})"
        else:
            opens[start] += f"({in_cell(kind)}"
            closes[end - 1] += ")"
    return [o + (w or "*") + c for o, w, c in zip(opens, wholes, closes, strict=True)]
