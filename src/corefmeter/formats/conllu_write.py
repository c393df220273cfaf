"""Writing CoNLL-U with CorefUD annotation; see `corefmeter.formats.conllu` for the conventions.

What udapi, the CorefUD scorer and the validator of Universal Dependencies ask for beyond them:

- A ``sent_id`` has no slash and occurs once; every HEAD is a number, and the heads are a tree.
- Every bracket gives its head as a number, and names of entities occur in one document only.
- On a line, closing brackets come before opening ones. Mentions of one word come first if nothing
  opens there, else last.
- Of two mentions of an entity that both have gaps, one ends before the other begins, or lies within
  a part of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain, count, groupby, pairwise
from typing import IO, Any, NamedTuple

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import (
    EmptyNode,
    Node,
    consecutive,
    is_empty,
    is_initial,
    is_token,
    node_key,
    nodes,
    pieces_if_any,
)
from corefmeter.corpus.relations import Relations
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Detail
from corefmeter.formats.elsewhere import is_tree
from corefmeter.formats.notes import in_cell, lost_problem, unwritten_problem
from corefmeter.formats.writing import (
    Bracket,
    flat_name,
    left_out_problem,
    one_line,
    signs_by_row,
    token_count,
    written_names,
)
from corefmeter.problems import DataError, Problem

#: Characters that are not allowed in the type of an entity, and in its name, which links contain.
_FORBIDDEN = re.compile(r"[-=|()\[\]\s]")
_FORBIDDEN_NAME = re.compile(r"[-=|()\[\]<,:\s]")

#: Characters that are not allowed in the relation of a bridging reference.
_CUT = re.compile(r"[,|<\s]")


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus with the header ``eid-etype-head-other``.

    Words and their annotation come from the text of each document; without it, words are ``_``, in
    one sentence. Losses are returned as problems: mentions that are not made of positions, that
    reach over the end of a sentence or that cross another of their entity (the one that begins
    later is left out); attributes that would be read as others; heads that are not a tree; names of
    entities that an earlier document has.
    """
    problems: list[Problem] = []
    names = _Names(corpus)
    writers = [_Writer(document, names, problems) for document in corpus]
    if not any(writer.tokens for writer in writers):
        hint = "Write another format, such as e2e."
        raise DataError(Problem("cannot-write", "no document has a word", "error", hint=hint))
    for writer in writers:
        writer.write(stream)
    if not writers[-1].tokens:
        stream.write("\n")  # ends the comments of a document without words
    return problems


class _Names:
    """Makes names that are unique in a file: of entities, and the prefixes of ``sent_id``."""

    def __init__(self, corpus: Corpus) -> None:
        old_names = {name for document in corpus for name in document.entity_names}
        self.used_entity_names: set[str] = set()
        self.new_names = (name for name in map("e{}".format, count(1)) if name not in old_names)
        self.used_prefixes: set[str] = set()

    def entity_names(self, document: Document) -> list[str]:
        """Return the names of a document's entities: new ones for those that cannot be written."""

        def fits(name: str) -> bool:
            is_new = name not in self.used_entity_names
            return is_new and name != "" and not _FORBIDDEN_NAME.search(name)

        names = written_names(document.entity_names, fits, lambda _: self.new_names)
        self.used_entity_names.update(names)
        return names

    def sentence_prefix(self, document: str) -> str:
        """Return the prefix of each ``sent_id`` of the document with this name."""
        plain = re.sub(r"[/\s]", "_", document) or "_"
        numbered = (f"{plain}_{number}" for number in count(2))
        prefix = next(name for name in chain([plain], numbered) if name not in self.used_prefixes)
        self.used_prefixes.add(prefix)
        return prefix


class _Mention(NamedTuple):
    """A mention to write; `runs` are the first and last row of each run of rows, in order."""

    entity: str
    mention: Mention
    runs: list[tuple[int, int]]
    detail: Detail


class _Writer:
    """Writes one document.

    The rows of the output are the words and those empty nodes that are written.
    """

    def __init__(self, document: Document, names: _Names, problems: list[Problem]) -> None:
        self.document = document
        self.file_names = names
        self.problems = problems
        self.text = document.text
        self.tokens = token_count(document)
        #: The first token of each sentence; without a text all words are one sentence.
        self.sentences = list(self.text.sentences) if self.text is not None else []
        if self.tokens and not self.sentences:
            self.sentences = [0]
        self.deps: dict[EmptyNode, tuple[tuple[Any, str], ...]] = {}  # parents with relations
        self.misc: dict[Node, list[str]] = {}  # the attributes of the column MISC

    def write(self, stream: IO[str]) -> None:
        name, text = flat_name(self.document), self.text
        prefix = self.file_names.sentence_prefix(name)
        self.add_brackets(self.writable_mentions())
        stream.write(f"# newdoc id = {name}\n# global.Entity = eid-etype-head-other\n")
        self.heads = self.all_heads()
        for number, rows in groupby(self.rows, self.sentence_of):
            assert number is not None
            begin = self.sentences[number]
            stream.write(f"# sent_id = {prefix}-{number + 1}\n")
            speaker = text.speakers[begin] if text is not None and text.speakers else "-"
            if speaker != "-":
                stream.write(f"# speaker = {one_line(speaker)}\n")
            stream.writelines(self.line_of(node, begin) for node in rows)
            stream.write("\n")

    def all_heads(self) -> list[int]:
        """Return the head of each word; report sentences whose heads are left out."""
        all_heads: list[int] = []
        not_trees = 0
        for begin, end in pairwise([*self.sentences, self.tokens]):
            heads = self.heads_of(begin, end)
            not_trees += heads is None
            all_heads += [0] * (end - begin) if heads is None else heads
        if not_trees:
            reason = "the heads of a sentence are not a tree; they are left out"
            self.problems.append(lost_problem(self.document, reason, not_trees))
        return all_heads

    def heads_of(self, begin: int, end: int) -> list[int] | None:
        """Return the heads of a sentence, counted from 1; 0 for a root or an unknown head.

        None if a head is outside of the sentence, or leads back to its word.
        """
        all_heads = self.text.heads if self.text is not None else None
        if all_heads is None:
            return [0] * (end - begin)
        if any(head >= 0 and not begin <= head < end for head in all_heads[begin:end]):
            return None
        heads = [head - begin + 1 if head >= 0 else 0 for head in all_heads[begin:end]]
        heads += [0] * (end - begin - len(heads))
        return heads if is_tree(heads) else None

    def line_of(self, node: Node, begin: int) -> str:
        """Return the line of a word or an empty node whose sentence begins with token `begin`."""
        columns = [node_name(node, begin), *["_"] * 8, "|".join(self.misc.get(node, ["_"]))]
        text = self.text
        if not is_token(node):
            deps = [
                f"{node_name(parent, begin) if parent != -1 else 0}:{relation}"
                for parent, relation in self.deps.get(node, ())
            ]
            columns[8] = "|".join(deps) or "_"
            return "\t".join(columns) + "\n"
        columns[6] = str(self.heads[node])
        if text is not None and node < len(text):
            columns[1] = "\N{NO-BREAK SPACE}".join(text.words[node].split()) or "_"
            for index, layer in ((3, text.upos), (4, text.pos), (7, text.relations)):
                if layer is not None:
                    columns[index] = in_cell(layer[node])
        return "\t".join(columns) + "\n"

    def writable_mentions(self) -> list[_Mention]:
        """Return all writable mentions, and number the rows: words, and empty nodes they need."""
        document = self.document
        names = self.file_names.entity_names(document)
        pairs = zip(reversed(document.entity_names), reversed(names), strict=True)
        self.names_of = dict(pairs)  # of two entities with the same name, the first counts
        on_nodes: list[tuple[str, Mention, Detail]] = []  # mentions that are made of nodes
        needed: set[EmptyNode] = set()
        for index, (name, entity) in enumerate(zip(names, document.entities, strict=True)):
            for place, mention in enumerate(entity):
                detail = document.details[index][place] if document.details else Detail()
                parts = pieces_if_any(mention)
                empty = list(filter(is_empty, parts))
                if not parts or any(self.sentence_of(node) is None for node in empty):
                    self.report_left_out(name, mention, "is not made of words of the text")
                    continue
                on_nodes.append((name, mention, detail))
                needed.update(empty)
                head = detail.head
                if is_empty(head) and head in empty and detail.attributes.get("deps"):
                    self.deps[head] = tuple(detail.attributes["deps"])
        self.number_rows(needed)
        written = []
        for name, mention, detail in on_nodes:
            runs = consecutive(sorted({self.row_of[node] for node in nodes(mention)}))
            first, last = self.rows[runs[0][0]], self.rows[runs[-1][1]]
            if self.sentence_of(first) != self.sentence_of(last):
                self.report_left_out(name, mention, "reaches over the end of a sentence")
            else:
                written.append(_Mention(name, mention, runs, detail))
        return written

    def number_rows(self, needed: set[EmptyNode]) -> None:
        """Set the rows: all words, and the empty nodes of mentions, of the text and of links."""
        if self.text is not None and self.text.empty:
            needed.update(self.text.empty)
            self.deps = {**self.text.empty, **self.deps}
        parents = [parent for links in self.deps.values() for parent, _ in links]
        needed.update(filter(is_empty, parents))
        in_text = [node for node in needed if self.sentence_of(node) is not None]
        self.rows: list[Node] = sorted([*range(self.tokens), *in_text], key=node_key)
        self.row_of = {node: row for row, node in enumerate(self.rows)}

    def sentence_of(self, node: Node) -> int | None:
        """Return the sentence of a token or an empty node; None for a node beyond the text."""
        if is_token(node):
            return bisect_right(self.sentences, node) - 1
        at = node[0]
        if is_initial(node):
            number = bisect_right(self.sentences, at) - 1
            return number if number >= 0 and self.sentences[number] == at else None
        return bisect_right(self.sentences, at - 1) - 1 if 0 < at <= self.tokens else None

    def add_brackets(self, mentions: Sequence[_Mention]) -> None:
        """Add the brackets and links of all mentions to the rows on which they begin and end."""
        rows = self.rows
        brackets: list[Bracket] = []
        #: By entity and row: the last of the mentions that begin there.
        last_begun: dict[tuple[str, Node], Mention] = {}
        runs_of: dict[str, _Runs] = {}
        in_order = sorted(mentions, key=lambda m: (m.runs[0][0], -m.runs[-1][1]))
        for entity, mention, runs, detail in in_order:
            if not runs_of.setdefault(entity, _Runs()).add(runs):
                self.report_left_out(entity, mention, "crosses another of its entity")
                continue
            fields = self.bracket_fields(entity, runs, detail)
            for part, (first, last) in enumerate(runs, 1):
                name = entity + (f"[{part}/{len(runs)}]" if len(runs) > 1 else "")
                brackets.append(Bracket(first, last, f"({name}{fields}", f"{name})"))
            last_begun[entity, rows[runs[0][0]]] = mention
        for row, signs in signs_by_row(brackets).items():
            wholes = "".join(f"{whole})" for whole in signs.wholes)
            closes, opens = "".join(signs.closes), "".join(signs.opens)
            cell = closes + opens + wholes if opens else wholes + closes
            self.misc[rows[row]] = [f"Entity={cell}"]
        first_rows: dict[str, Node] = {}
        for name, node in last_begun:
            first_rows.setdefault(name, node)
        self.add_bridges(last_begun, first_rows)
        self.add_members(first_rows)
        for node in self.misc:
            self.misc[node].sort()

    def add_bridges(
        self, last_begun: dict[tuple[str, Node], Mention], first_rows: dict[str, Node]
    ) -> None:
        """Add the bridging references to the rows on which their anaphors begin.

        A link denotes the last mention of its entity that begins on the row: only those mentions,
        which are in `last_begun` in text order, can be anaphors.
        """
        starts_of = grouped((mention, start) for start, mention in last_begun.items())
        links_at: dict[Node, list[str]] = {}
        unanchored = 0
        relations = self.document.relations or Relations()
        for anaphor, anchor, entity, relation in relations.bridges:
            target = self.entity_name_of(anchor) if entity is None else self.names_of.get(entity)
            starts = [start for start in starts_of.get(anaphor, ()) if start[0] != target]
            if target not in first_rows or not starts:
                self.report_change(f"the bridging reference of {anaphor!r}", "left out")
                continue
            source, node = starts[0]
            unanchored += anchor is not None
            if _CUT.search(relation):
                self.report_change(f"the relation {relation!r}", "written without separators")
            relation = _CUT.sub("_", relation)
            link = f"{target}<{source}" + (f":{relation}" if relation else "")
            links_at.setdefault(node, []).append(link)
        if unanchored:
            reason = "anchors that are mentions cannot be written; only their entity is"
            self.problems.append(lost_problem(self.document, reason, unanchored))
        for node, links in links_at.items():
            self.misc[node].append(f"Bridge={','.join(links)}")

    def add_members(self, first_rows: dict[str, Node]) -> None:
        """Add the members of plural entities to the rows on which these first begin."""
        links_at: dict[Node, dict[str, None]] = {}
        seen: set[str] = set()
        relations = self.document.relations or Relations()
        for plural, names in relations.splits:
            if plural in seen:
                further = f"a further set of members of entity {plural}"
                self.report_change(further, "added to the first")
            seen.add(plural)
            written = self.names_of.get(plural, "")
            for name in names:
                target = self.names_of.get(name)
                if written in first_rows and target in first_rows and target != written:
                    links_at.setdefault(first_rows[written], {})[f"{target}<{written}"] = None
                else:
                    self.report_change(f"the member {name} of entity {plural}", "left out")
        for node, links in links_at.items():
            self.misc[node].append(f"SplitAnte={','.join(links)}")

    def entity_name_of(self, mention: Mention | None) -> str | None:
        """Return the written name of the first entity that has this mention; None without one."""
        pairs = zip(self.document.entity_names, self.document.entities, strict=True)
        return next((self.names_of[name] for name, entity in pairs if mention in entity), None)

    def bracket_fields(self, name: str, runs: Sequence[tuple[int, int]], detail: Detail) -> str:
        """Return the type, the head and the attributes for an opening bracket."""
        entity_type = detail.entity_type or ""
        if _FORBIDDEN.search(entity_type):
            self.report_change(f"the type {entity_type!r} of entity {name}", "left out")
            entity_type = ""
        head = self.head_number(detail.head, runs)
        if head is None and detail.head is not None:
            self.report_change(f"the head {detail.head!r} of entity {name}", "left out")
        items = []
        for attribute, value in detail.attributes.items():
            if attribute == "deps":
                continue
            item = f"{attribute}:{value}"
            if isinstance(value, str) and value and not re.search(r"[,()|=\s]|^[^:]*-", item):
                items.append(item)
            else:
                self.report_change(f"the attribute {attribute!r} of entity {name}", "left out")
        return f"-{entity_type}-{head or 1}-{','.join(items)}"

    def head_number(self, head: Node | None, runs: Sequence[tuple[int, int]]) -> int | None:
        """Return which row of a mention is its head, from 1; None if it is not in the mention."""
        row = self.row_of.get(head, -1) if head is not None else -1
        rows_before = 0
        for first, last in runs:
            if first <= row <= last:
                return rows_before + row - first + 1
            rows_before += last - first + 1
        return None

    def report_change(self, what: str, outcome: str) -> None:
        self.problems.append(unwritten_problem(self.document, what, outcome))

    def report_left_out(self, name: str, mention: Mention, reason: str) -> None:
        self.problems.append(left_out_problem(self.document, name, mention, reason))


def node_name(node: Node, begin: int) -> str:
    """Return the id of a token or an empty node; `begin` is the first token of its sentence."""
    if is_token(node):
        return str(node - begin + 1)
    return f"0.{node[2]}" if is_initial(node) else f"{node[0] - begin}.{node[2]}"


class _Runs:
    """Finds mentions of an entity whose runs cross runs that were added before."""

    def __init__(self) -> None:
        #: The runs of several rows that reach to the current row.
        self.reaching: set[tuple[int, int]] = set()
        #: The mentions with gaps that reach to the current row, the outermost first.
        self.gapped: list[list[tuple[int, int]]] = []

    def add(self, runs: Sequence[tuple[int, int]]) -> bool:
        """Add the runs of a mention; return False if they cross others.

        Mentions are added in the order of their first rows.
        """
        row = runs[0][0]
        self.reaching = {run for run in self.reaching if run[1] >= row}
        long_runs = [run for run in runs if run[0] < run[1]]
        if any(_are_crossing(run, other) for run in long_runs for other in self.reaching):
            return False
        if len(runs) > 1:
            while self.gapped and self.gapped[-1][-1][1] < row:
                self.gapped.pop()
            if self.gapped and not _is_within_a_part(runs, self.gapped[-1]):
                return False
            self.gapped.append(list(runs))
        self.reaching.update(long_runs)
        return True


def _are_crossing(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether each of two runs has one end strictly inside of the other."""
    return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]


def _is_within_a_part(runs: Sequence[tuple[int, int]], parts: Sequence[tuple[int, int]]) -> bool:
    """Return whether a mention lies within one part of another, and is closed before that part.

    Otherwise a reader would mix up their parts, since brackets name the entity only.
    """
    _, last = parts[bisect_right(parts, runs[0][0], key=lambda part: part[0]) - 1]
    begin, end = runs[-1]
    return end < last or begin < end == last
