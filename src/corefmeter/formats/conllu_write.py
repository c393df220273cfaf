"""Writing CoNLL-U with CorefUD annotation; see `corefmeter.formats.conllu` for the conventions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import count
from typing import IO, Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import (
    EmptyNode,
    Node,
    consecutive,
    is_empty,
    is_initial,
    node_key,
    nodes,
    pieces_if_any,
)
from corefmeter.corpus.relations import Relations
from corefmeter.corpus.text import Detail
from corefmeter.formats.notes import lost, unwritten
from corefmeter.formats.writing import (
    Bracket,
    flat_name,
    left_out,
    one_line,
    signs_by_row,
    token_count,
    written_names,
)
from corefmeter.problems import Problem

#: What the name or type of an entity cannot hold.
_FORBIDDEN = re.compile(r"[-=|()\[\]\s]")

#: What the relation of a bridging reference cannot hold.
_CUT = re.compile(r"[,|<\s]")


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus with the header ``eid-etype-head-other``.

    Words and their annotation come from the text of each document; without it, words are ``_`` and
    stand in one sentence. What the format cannot express is returned as problems: mentions that are
    not made of positions, that reach over the end of a sentence or cross another one of their
    entity (the one that begins later is left out); attributes that would be read as something
    else; trees of constituents and named entities.
    """
    problems: list[Problem] = []
    for document in corpus:
        _Writer(document, problems).write(stream)
    return problems


class _Written(NamedTuple):
    """A mention to be written: its entity, its nodes in order, and what is known of it."""

    entity: str
    mention: Mention
    nodes: list[Node]
    detail: Detail


class _Writer:
    """What is written of one document."""

    def __init__(self, document: Document, problems: list[Problem]) -> None:
        self.document = document
        self.problems = problems
        text = document.text
        self.tokens = token_count(document)
        self.text = text
        self.sentences = list(text.sentences) if text is not None else []
        if self.tokens and not self.sentences:
            self.sentences = [0]
        self.empty: list[EmptyNode] = []
        self.deps: dict[EmptyNode, tuple[tuple[Any, str], ...]] = {}
        self.misc: dict[Node, list[str]] = {}

    def write(self, stream: IO[str]) -> None:
        """Write the document."""
        name, text = flat_name(self.document), self.text
        self.brackets(self.mentions())
        stream.write(f"# newdoc id = {name}\n# global.Entity = eid-etype-head-other\n")
        bounds = [*self.sentences[1:], self.tokens] if self.sentences else []
        for number, (begin, end) in enumerate(zip(self.sentences, bounds, strict=True), 1):
            stream.write(f"# sent_id = {name}-{number}\n")
            speaker = text.speakers[begin] if text is not None and text.speakers else "-"
            if speaker != "-":
                stream.write(f"# speaker = {one_line(speaker)}\n")
            inside = [node for node in self.empty if self.sentence(node) == number - 1]
            for node in sorted([*range(begin, end), *inside], key=node_key):
                stream.write(self.row(node, begin))
            stream.write("\n")

    def row(self, node: Node, begin: int) -> str:
        """The line of a word or an empty node; its sentence begins with the token `begin`."""
        columns = [node_name(node, begin), *["_"] * 8, "|".join(self.misc.get(node, ["_"]))]
        text = self.text
        if not isinstance(node, int):
            deps = [
                f"{node_name(parent, begin) if parent != -1 else 0}:{relation}"
                for parent, relation in self.deps.get(node, ())
            ]
            columns[8] = "|".join(deps) or "_"
        elif text is not None and node < len(text):
            columns[1] = "\N{NO-BREAK SPACE}".join(text.words[node].split()) or "_"
            for place, layer in ((3, text.upos), (4, text.pos), (7, text.relations)):
                if layer is not None:
                    columns[place] = layer[node]
            if text.heads is not None:
                head = text.heads[node]
                columns[6] = "0" if head < 0 else str(head - begin + 1)
        return "\t".join(columns) + "\n"

    def mentions(self) -> list[_Written]:
        """All mentions that can be written, and the empty nodes they need."""
        document = self.document
        names = self.names()
        found: list[tuple[str, Mention, Detail]] = []
        for index, entity in enumerate(document.entities):
            for place, mention in enumerate(entity):
                detail = document.details[index][place] if document.details else Detail()
                parts = pieces_if_any(mention)
                empty = list(filter(is_empty, parts))
                if not parts or any(self.sentence(node) is None for node in empty):
                    self.left_out(names[index], mention, "is not made of words of the text")
                    continue
                found.append((names[index], mention, detail))
                self.empty += empty
                head = detail.head
                if is_empty(head) and head in empty and detail.attributes.get("deps"):
                    self.deps[head] = tuple(detail.attributes["deps"])
        self.empty = sorted(set(self.empty), key=node_key)
        written = []
        for name, mention, detail in found:
            within = sorted(nodes(mention), key=node_key)
            if len({self.sentence(node) for node in within}) > 1:
                self.left_out(name, mention, "reaches over the end of a sentence")
            else:
                written.append(_Written(name, mention, within, detail))
        return written

    def sentence(self, node: Node) -> int | None:
        """The sentence of a token or an empty node; None for a node beyond the text."""
        if isinstance(node, int):
            return bisect_right(self.sentences, node) - 1
        at = node[0]
        if is_initial(node):
            return self.sentences.index(at) if at in self.sentences else None
        return bisect_right(self.sentences, at - 1) - 1 if 0 < at <= self.tokens else None

    def brackets(self, mentions: Sequence[_Written]) -> None:
        """Put the brackets and links of all mentions on their words and empty nodes."""
        rows: list[Node] = sorted([*range(self.tokens), *self.empty], key=node_key)
        order = {node: row for row, node in enumerate(rows)}
        brackets: list[Bracket] = []
        begun: dict[tuple[str, Node], Mention] = {}  # the last mention of an entity on a row
        kept: dict[str, list[tuple[int, int]]] = {}
        for mention in sorted(mentions, key=lambda m: (order[m.nodes[0]], -order[m.nodes[-1]])):
            runs = consecutive(order[node] for node in mention.nodes)
            earlier = kept.setdefault(mention.entity, [])
            if any(_cross(run, other) for run in runs for other in earlier) or (
                len(runs) > 1 and any(_entangled(runs, other) for other in earlier)
            ):
                self.left_out(mention.entity, tuple(mention.nodes), "crosses another of its entity")
                continue
            earlier += runs
            fields = self.fields(mention)
            for part, (first, last) in enumerate(runs, 1):
                name = mention.entity + (f"[{part}/{len(runs)}]" if len(runs) > 1 else "")
                brackets.append(Bracket(first, last, f"({name}{fields}", f"{name})"))
            begun[mention.entity, mention.nodes[0]] = mention.mention
        for row, signs in signs_by_row(brackets).items():
            wholes = [f"{whole})" for whole in signs.wholes]
            cell = "".join([*signs.closes, *signs.opens, *wholes])
            self.misc[rows[row]] = [f"Entity={cell}"]
        self.links(begun)
        for node in self.misc:
            self.misc[node].sort()

    def links(self, begun: dict[tuple[str, Node], Mention]) -> None:
        """Put the links on the words where their mentions begin.

        A link is of an entity's last mention that begins there; `begun` has them, in the order of
        the text.
        """
        relations = self.document.relations or Relations()
        first: dict[str, Node] = {}
        homes: dict[Mention, list[tuple[str, Node]]] = {}
        for (name, node), mention in begun.items():
            first.setdefault(name, node)
            homes.setdefault(mention, []).append((name, node))
        anchored: dict[Node, list[str]] = {}
        unanchored = 0
        for anaphor, anchor, entity, relation in relations.bridges:
            target = self.home_of(anchor) if entity is None else self.names_of.get(entity)
            sources = [home for home in homes.get(anaphor, ()) if home[0] != target]
            if target not in first or not sources:
                self.problem(f"the bridging reference of {anaphor!r}", "left out")
                continue
            source, node = sources[0]
            unanchored += anchor is not None
            if _CUT.search(relation):
                self.problem(f"the relation {relation!r}", "written without separators")
            relation = _CUT.sub("_", relation)
            link = f"{target}<{source}" + (f":{relation}" if relation else "")
            anchored.setdefault(node, []).append(link)
        if unanchored:
            reason = "which mention the anchor is cannot be written; it is left to the entity"
            self.problems.append(lost(self.document, reason, unanchored))
        members: dict[Node, dict[str, None]] = {}
        seen: set[str] = set()
        for plural, names in relations.splits:
            if plural in seen:
                self.problem(f"a further set of members of entity {plural}", "added to the first")
            seen.add(plural)
            written = self.names_of.get(plural, "")
            for name in names:
                target = self.names_of.get(name)
                if written in first and target in first:
                    members.setdefault(first[written], {})[f"{target}<{written}"] = None
                else:
                    self.problem(f"the member {name} of entity {plural}", "left out")
        for kind, by_node in (("Bridge", anchored), ("SplitAnte", members)):
            for node, items in by_node.items():
                self.misc[node].append(f"{kind}={','.join(items)}")

    def home_of(self, mention: Mention | None) -> str | None:
        """The name that the entity of a mention is written with."""
        document = self.document
        for name, entity in zip(document.entity_names, document.entities, strict=True):
            if mention in entity:
                return self.names_of[name]
        return None

    def fields(self, mention: _Written) -> str:
        """What follows the name of the entity in an opening bracket."""
        detail = mention.detail
        kind = detail.entity_type or ""
        if _FORBIDDEN.search(kind):
            self.problem(f"the type {kind!r} of entity {mention.entity}", "left out")
            kind = ""
        head = ""
        if detail.head in mention.nodes:
            head = str(mention.nodes.index(detail.head) + 1)
        elif detail.head is not None:
            self.problem(f"the head {detail.head!r} of entity {mention.entity}", "left out")
        other = []
        for name, value in detail.attributes.items():
            if name == "deps":
                continue
            item = f"{name}:{value}"
            if isinstance(value, str) and value and not re.search(r"[,()|=\s]|^[^:]*-", item):
                other.append(item)
            else:
                self.problem(f"the attribute {name!r} of entity {mention.entity}", "left out")
        return f"-{kind}-{head}-{','.join(other)}"

    def names(self) -> list[str]:
        """The entities' names; numbers for those that a bracket cannot hold or that occur twice."""
        document = self.document
        numbered = map("e{}".format, count(1))
        names = written_names(
            document.entity_names,
            lambda name: bool(name) and not _FORBIDDEN.search(name),
            lambda _: numbered,
        )
        pairs = zip(reversed(document.entity_names), reversed(names), strict=True)
        self.names_of = dict(pairs)  # of two entities of one name, the first
        return names

    def problem(self, what: str, outcome: str) -> None:
        """Something that is written in another way or not at all."""
        self.problems.append(unwritten(self.document, what, outcome))

    def left_out(self, name: str, mention: Mention, reason: str) -> None:
        """A mention that is not written."""
        self.problems.append(left_out(self.document, name, mention, reason))


def node_name(node: Node, begin: int) -> str:
    """The id of a token or an empty node in the sentence that begins with the token `begin`.

    Examples
    --------
    >>> node_name(12, 10), node_name((12, 12, 1), 10), node_name((10, 10, 1, True), 10)
    ('3', '2.1', '0.1')
    """
    if isinstance(node, int):
        return str(node - begin + 1)
    return f"0.{node[2]}" if is_initial(node) else f"{node[0] - begin}.{node[2]}"


def _cross(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two brackets of an entity cannot both be written: they cross.

    They may share the one node where the first closes and the second opens, since brackets are
    closed before others are opened.
    """
    (first, last), (begin, end) = sorted([one, other])
    return first < begin < last < end


def _entangled(runs: Sequence[tuple[int, int]], other: tuple[int, int]) -> bool:
    """Whether a bracket begins among the parts of a mention, so that parts might be mixed up."""
    return runs[0][0] <= other[0] <= runs[-1][1] or other[0] <= runs[0][0] <= other[1]
