"""Writing WebAnno TSV 3; see `corefmeter.wings.annotation.formats.webanno` for the conventions."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import IO

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import (
    Node,
    all_empty_nodes,
    is_empty,
    node_key,
    nodes,
    pieces_if_any,
)
from corefmeter.formats.notes import in_cell, lost_problem, unwritten_problem
from corefmeter.formats.writing import token_count
from corefmeter.problems import OptionError, Problem

#: The layers of a file that is written here.
_LAYERS = (
    "#FORMAT=WebAnno TSV 3.2\n"
    "#T_SP=webanno.custom.Referent|entity|infstat\n"
    "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n"
)


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus of one document, in the layers of GUM.

    Words that are not known are ``_``. A mention is linked to the one before it in its entity,
    and to its anchor in bridging.
    What cannot be written is returned: mentions with gaps.

    Raises
    ------
    OptionError
        For more than one document.
    """
    if len(corpus) != 1:
        raise OptionError(
            f"webanno holds one document a file, not {len(corpus)}; "
            "give a directory to write one file for each"
        )
    document = corpus.documents[0]
    stream.write(_LAYERS)
    return _Writer(document).write(stream)


class _Writer:
    """One document as rows."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = []
        self.text = document.text
        self.mentions: dict[int, list[Node]] = {}  # the rows of mentions by number
        self.types: dict[int, str] = {}
        #: Of an entity, a mention, the next, and the type; of bridging, the anchor and the anaphor.
        self.links: list[tuple[int, int, str]] = []
        #: Before anything is made for each token of a mention.
        self.tokens = token_count(document)
        self.number()

    def number(self) -> None:
        document = self.document
        numbers: dict[Mention, int] = {}
        for i, entity in enumerate(document.entities):
            before = 0
            for j, mention in enumerate(entity):
                rows = _rows_of(mention)
                if rows is None:
                    what = f"the mention {mention!r}"
                    self.problems.append(
                        unwritten_problem(document, what, "left out", "mention-unwritten")
                    )
                    continue
                number = len(self.mentions) + 1
                self.mentions[number] = rows
                numbers.setdefault(mention, number)
                detail = document.details[i][j] if document.details else None
                self.types[number] = (detail.entity_type if detail else None) or "*"
                if before:
                    self.links.append((before, number, "coref"))
                before = number
        bridges = document.relations.bridges if document.relations else ()
        for anaphor, anchor, _, relation in bridges:
            if anaphor in numbers and anchor in numbers:
                type = f"bridge:{_escaped(relation)}" if relation else "bridge"
                self.links.append((numbers[anchor], numbers[anaphor], type))
        bad = sum(not {one.anaphor, one.anchor} <= numbers.keys() for one in bridges)
        if bad:
            reason = "bridging references that name no written mention as their anchor are left out"
            self.problems.append(lost_problem(document, reason, bad))

    def write(self, stream: IO[str]) -> list[Problem]:
        """Write the rows, and return what cannot be written."""
        text = self.text
        rows = {row for mention in self.mentions.values() for row in mention}
        empties = all_empty_nodes(rows)
        last = max((n + 1 if isinstance(n, int) else max(n[0], 1) for n in rows), default=0)
        count = max(self.tokens, last)
        if not count:
            self.problems.append(
                lost_problem(self.document, "a document without words is not read again")
            )
        words = [in_cell(word) for word in text.words] if text else []
        words += ["_"] * (count - len(words))
        starts = sorted({0, *(text.sentences if text else [])})
        bounds = list(pairwise([*starts, count]))
        names: dict[Node, str] = {}
        lines: list[tuple[str, Node, str, str]] = []
        offset = 0
        for sentence, (start, end) in enumerate(bounds, 1):
            for token in range(start, end):
                name = f"{sentence}-{token - start + 1}"
                length = len(words[token].encode("utf-16-le")) // 2
                names[token] = name
                lines.append((name, token, f"{offset}-{offset + length}", words[token]))
                # An empty node is written with the token after it, or with the last of all.
                parts = [node for node in empties if node[0] == token]
                places = [offset] * len(parts)
                if token == count - 1:
                    after = [node for node in empties if node[0] == count]
                    parts += after
                    places += [offset + length] * len(after)
                for k, (node, at) in enumerate(zip(parts, places, strict=True), 1):
                    names[node] = f"{name}.{k}"
                    lines.append((names[node], node, f"{at}-{at}", ""))
                offset += length + 1
        cells = self.cells(names)
        sentences = dict(bounds)
        for name, row, offsets, word in lines:
            if isinstance(row, int) and row in sentences:
                stream.write(f"\n#Text={' '.join(words[row : sentences[row]])}\n")
            stream.write("\t".join([name, offsets, word, *cells.get(row, ["_"] * 4)]) + "\n")
        return self.problems

    def cells(self, names: dict[Node, str]) -> dict[Node, list[str]]:
        """Return the columns of each row: entity, infstat, type of relation, relation."""
        spans: dict[Node, list[int]] = {}
        for number, rows in self.mentions.items():
            for row in rows:
                spans.setdefault(row, []).append(number)
        relations: dict[Node, list[str]] = {}
        types_of: dict[Node, list[str]] = {}
        for one, other, type in self.links:
            relation = f"{names[self.mentions[other][0]]}[{other}_{one}]"
            relations.setdefault(self.mentions[one][0], []).append(relation)
            types_of.setdefault(self.mentions[one][0], []).append(type)
        found = {}
        for row in {*spans, *relations}:
            numbers = spans.get(row, [])
            types = [
                self.types[n] if self.types[n] == "*" else _escaped(self.types[n]) for n in numbers
            ]
            links = relations.get(row, [])
            found[row] = [
                "|".join(f"{t}[{n}]" for t, n in zip(types, numbers, strict=True)) or "_",
                "|".join(f"*[{n}]" for n in numbers) or "_",
                "|".join(types_of.get(row, [])) or "_",
                "|".join(links) or "_",
            ]
        return found


def _rows_of(mention: Mention) -> list[Node] | None:
    """Return the rows of a mention, or None if there are gaps between them."""
    rows = sorted(nodes(mention), key=node_key) if pieces_if_any(mention) else []
    tokens = [row for row in rows if isinstance(row, int)]
    if tokens:
        gap = tokens[-1] - tokens[0] >= len(tokens)
    else:
        gap = len({row[0] for row in rows if is_empty(row)}) != 1
    return None if gap else rows


def _escaped(value: str) -> str:
    return re.sub(r"->|[\\\[\]|_;*]", lambda match: "\\" + match[0], " ".join(value.split()))
