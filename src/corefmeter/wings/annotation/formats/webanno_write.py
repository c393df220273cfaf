"""Writing WebAnno TSV 3; see `corefmeter.wings.annotation.formats.webanno` for the conventions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import IO, NamedTuple

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import (
    EmptyNode,
    Node,
    all_empty_nodes,
    is_empty,
    is_token,
    node_key,
    nodes,
    pieces_if_any,
)
from corefmeter.corpus.structures import grouped
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
    """Write a corpus of one document, in the layers of GUM; return what cannot be written.

    Words that are not known are ``_``. A mention is linked to the one before it in its entity,
    and to its anchor in bridging.
    """
    if len(corpus) != 1:
        reason = f"webanno holds one document a file, not {len(corpus)}"
        raise OptionError(f"{reason}; give a directory to write one file for each")
    stream.write(_LAYERS)
    writer = _Writer(corpus.documents[0])
    writer.write(stream)
    return writer.problems


class _Row(NamedTuple):
    id: str
    node: Node
    offsets: str
    word: str


class _Writer:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = []
        self.mentions: dict[int, list[Node]] = {}  # the rows of mentions by number
        self.types: dict[int, str] = {}
        #: Of an entity, a mention, the next, and the type; of bridging, the anchor and the anaphor.
        self.links: list[tuple[int, int, str]] = []
        #: Counted first: a mention far behind the known tokens is refused before rows are made.
        self.tokens = token_count(document)
        self.number_mentions()

    def number_mentions(self) -> None:
        document = self.document
        numbers: dict[Mention, int] = {}
        for i, entity in enumerate(document.entities):
            before = 0
            for j, mention in enumerate(entity):
                rows = _rows_of_mention(mention)
                if rows is None:
                    what, code = f"the mention {mention!r}", "mention-unwritten"
                    self.problems.append(unwritten_problem(document, what, "left out", code))
                    continue
                number = len(self.mentions) + 1
                self.mentions[number] = rows
                numbers.setdefault(mention, number)
                detail = document.details[i][j] if document.details else None
                entity_type = detail.entity_type if detail else None
                self.types[number] = _escape(entity_type) if entity_type else "*"
                if before:
                    self.links.append((before, number, "coref"))
                before = number
        self.link_bridges(numbers)

    def link_bridges(self, numbers: dict[Mention, int]) -> None:
        """Link each anchor of bridging to its anaphor, if both are written."""
        relations = self.document.relations
        lost = 0
        for anaphor, anchor, _, relation in relations.bridges if relations else ():
            if anaphor in numbers and anchor in numbers:
                type = f"bridge:{_escape(relation)}" if relation else "bridge"
                self.links.append((numbers[anchor], numbers[anaphor], type))
            else:
                lost += 1
        if lost:
            reason = "bridging references whose anchor is not a written mention are left out"
            self.problems.append(lost_problem(self.document, reason, lost))

    def write(self, stream: IO[str]) -> None:
        text = self.document.text
        all_nodes = {node for mention in self.mentions.values() for node in mention}
        ends = [node + 1 if is_token(node) else max(node[0], 1) for node in all_nodes]
        count = max([self.tokens, *ends])
        if not count:
            reason = "a document without words cannot be read again"
            self.problems.append(lost_problem(self.document, reason))
        words = [in_cell(word) for word in text.words] if text else []
        words += ["_"] * (count - len(words))
        starts = sorted({0, *(text.sentences if text else [])})
        sentences = dict(pairwise([*starts, count]))
        rows = list(_make_rows(words, sentences, all_empty_nodes(all_nodes)))
        cells = self.make_cells({row.node: row.id for row in rows})
        for row in rows:
            if isinstance(row.node, int) and row.node in sentences:
                stream.write(f"\n#Text={' '.join(words[row.node : sentences[row.node]])}\n")
            annotation = cells.get(row.node, ["_"] * 4)
            stream.write("\t".join([row.id, row.offsets, row.word, *annotation]) + "\n")

    def make_cells(self, ids: dict[Node, str]) -> dict[Node, list[str]]:
        """Return the columns of each row: entity, infstat, type of relation, relation."""
        spans: defaultdict[Node, list[int]] = defaultdict(list)
        for number, mention in self.mentions.items():
            for node in mention:
                spans[node].append(number)
        types: defaultdict[Node, list[str]] = defaultdict(list)
        relations: defaultdict[Node, list[str]] = defaultdict(list)
        # A relation is on the first row of one mention, and names the first row of the other.
        for start, end, type in self.links:
            node = self.mentions[start][0]
            types[node].append(type)
            relations[node].append(f"{ids[self.mentions[end][0]]}[{end}_{start}]")
        cells = {}
        for node, numbers in spans.items():
            entity_types = [f"{self.types[number]}[{number}]" for number in numbers]
            statuses = [f"*[{number}]" for number in numbers]
            columns = entity_types, statuses, types[node], relations[node]
            cells[node] = ["|".join(column) or "_" for column in columns]
        return cells


def _make_rows(
    words: list[str], sentences: dict[int, int], empty_nodes: list[EmptyNode]
) -> Iterator[_Row]:
    """Yield the rows of all words and empty nodes; `sentences` maps first tokens to ends.

    An empty node is written below the token that follows it, or below the last token.
    """
    before = grouped((node[0], node) for node in empty_nodes)
    offset = 0
    for sentence, (start, end) in enumerate(sentences.items(), 1):
        for token in range(start, end):
            id = f"{sentence}-{token - start + 1}"
            end_offset = offset + len(words[token].encode("utf-16-le")) // 2
            yield _Row(id, token, f"{offset}-{end_offset}", words[token])
            parts = [(node, offset) for node in before.get(token, ())]
            if token == len(words) - 1:
                parts += [(node, end_offset) for node in before.get(len(words), ())]
            for k, (node, at) in enumerate(parts, 1):
                yield _Row(f"{id}.{k}", node, f"{at}-{at}", "")
            offset = end_offset + 1


def _rows_of_mention(mention: Mention) -> list[Node] | None:
    """Return the rows of a mention, or None if there are gaps between them."""
    rows = sorted(nodes(mention), key=node_key) if pieces_if_any(mention) else []
    tokens = [row for row in rows if isinstance(row, int)]
    if tokens:
        gap = tokens[-1] - tokens[0] >= len(tokens)
    else:
        gap = len({row[0] for row in rows if is_empty(row)}) != 1
    return None if gap else rows


def _escape(value: str) -> str:
    """Return a value on one line, with a backslash before each sign of the format."""
    return re.sub(r"->|[\\\[\]|_;*]", lambda match: "\\" + match[0], " ".join(value.split()))
