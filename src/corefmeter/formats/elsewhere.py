"""Checks for files that can be read here, but that other programs reject or read differently.

CoNLL-U: udapi, with which the CorefUD scorer reads; CONLLUA: the Universal Anaphora scorers. Each
rule is reported once for a file, with its first place and a count.
"""

from __future__ import annotations

import re
from collections import defaultdict

from corefmeter.formats.notes import numbered_lines
from corefmeter.formats.source import Source
from corefmeter.problems import Problem

_GLOBAL = re.compile(r"#\s*global\.(Entity|columns)\s*=\s*(.*)")
_NEWDOC = re.compile(r"#\s*newdoc\b")
_SENT_ID = re.compile(r"#\s*sent_id\s*=?\s*(\S+)")
_CHUNK = re.compile(r"\([^()]*\)?|[^()]+\)")
_PART = re.compile(r"(.+)\[(\d+)/(\d+)\]")
#: Closing brackets, then opening ones, of which some are closed at once.
_CLOSED_FIRST = re.compile(r"\)*(?:\([^()]*\)?)*")
_ENTITY = re.compile(r"EntityID=([^|()]*)")


class _Rules:
    """The rules that a file breaks, with the first place and the count of each."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: dict[str, Problem] = {}

    def add(self, rule: str, line: int, reason: str, hint: str) -> None:
        problem = Problem("refused-elsewhere", reason, "warning", self.path, line, hint=hint)
        first = self.found.setdefault(rule, problem._replace(count=0))
        self.found[rule] = first._replace(count=first.count + 1)


def conllu(source: Source) -> list[Problem]:
    """Return the problems that udapi and the CorefUD scorer have with a CoNLL-U file."""
    rules = _Rules(source.path)
    reader = _Udapi(rules)
    for number, line in numbered_lines(source, None):
        if line.startswith("#"):
            reader.read_comment(number, line)
        elif line.strip():
            reader.read_row(number, line.split("\t"))
        else:
            reader.end_sentence()
    reader.end_sentence()
    return list(rules.found.values())


class _Udapi:
    """Simulates how udapi reads a file whose brackets are valid."""

    def __init__(self, rules: _Rules) -> None:
        self.rules = rules
        self.fields = ["eid"]
        self.document = 0
        self.document_of: dict[str, int] = {}  # by entity: the document in which it first occurs
        self.heads: list[tuple[int, str]] = []  # of this sentence: line and HEAD of each word
        #: By entity: its open mentions in order, and its mentions with gaps that lack parts.
        self.opened: defaultdict[str, dict[object, None]] = defaultdict(dict)
        self.gapped: defaultdict[str, list[object]] = defaultdict(list)

    def read_comment(self, number: int, line: str) -> None:
        """Read a comment: a document, the fields of a bracket, or the name of a sentence."""
        if _NEWDOC.match(line):
            self.document += 1
        elif match := _GLOBAL.match(line):
            self.fields = match[2].strip().split("-")
        elif (match := _SENT_ID.match(line)) and "/" in match[1]:
            reason = f"udapi reads the text after the slash of sent_id {match[1]!r:.60} as a zone"
            self.rules.add("slash", number, reason, 'Write "_" for "/".')

    def read_row(self, number: int, row: list[str]) -> None:
        """Read a word or an empty node."""
        if not self.document:
            reason = "the CorefUD scorer stops at a sentence before the first document"
            self.rules.add("newdoc", number, reason, 'Begin with "# newdoc id = NAME".')
            self.document = 1
        if len(row) != 10 or "-" in row[0]:
            return
        empty = "." in row[0]
        if not empty:
            self.heads.append((number, row[6]))
        for item in row[9].split("|"):
            if item.startswith("Entity="):
                for chunk in _CHUNK.findall(item.removeprefix("Entity=")):
                    self.read_bracket(number, chunk, empty and row[8] == "_")

    def read_bracket(self, number: int, chunk: str, unbound: bool) -> None:
        """Read a bracket; `unbound` means that it is at an empty node without a parent."""
        values = dict(zip(self.fields, chunk.strip("()").split("-"), strict=False))
        name = values.get("eid") or values.get("GRP") or chunk.strip("()")
        part = _PART.fullmatch(name)
        entity, at, total = (part[1], int(part[2]), int(part[3])) if part else (name, 1, 1)
        opened, gapped = self.opened[entity], self.gapped[entity]
        closes = chunk.endswith(")")
        completes = closes and at == total > 1
        mention: object = None
        if chunk.startswith("("):
            self.check_names(number, entity)
            self.check_head(number, entity, values.get("head"), completes, unbound and at == 1)
            mention = object()
            if at > 1:
                mention = next((m for m in gapped if m not in opened), mention)
            elif total > 1:
                gapped.append(mention)
            if not closes:
                opened[mention] = None
        elif opened:
            mention, _ = opened.popitem()
        if completes and (not gapped or gapped.pop() is not mention):
            reason = f"udapi mixes up parts of two mentions of entity {entity}"
            hint = "Let one end before the other begins, or lie within a part of it."
            self.rules.add("parts", number, reason, hint)

    def check_names(self, number: int, entity: str) -> None:
        """Check that the entity of a bracket is in one document only."""
        first_document = self.document_of.setdefault(entity, self.document)
        if first_document != self.document and "GRP" not in self.fields:
            reason = f"udapi treats entity {entity} of two documents as one"
            hint = "Give each document names of its own, or name the field GRP."
            self.rules.add("names", number, reason, hint)

    def check_head(
        self, number: int, entity: str, head: str | None, is_needed: bool, unbound: bool
    ) -> None:
        """Check the head of an opening bracket; `unbound` is as in `read_bracket`."""
        if (head is None and is_needed) or (head is not None and not head.isdecimal()):
            reason = f"udapi stops at the head {head or ''!r} of entity {entity}"
            hint = "Write the number of the head, or 1 if it is unknown."
            self.rules.add("head", number, reason, hint)
        if unbound and head in (None, "", "1"):
            reason = f"the CorefUD scorer stops at a zero of entity {entity} without DEPS"
            self.rules.add("zero", number, reason, "Write the parent in DEPS, as in 3:nsubj.")

    def end_sentence(self) -> None:
        """End a sentence, and check that its heads are a tree."""
        heads = [int(head) if head.isdecimal() else 0 for _, head in self.heads]
        if not is_tree(heads):
            first = self.heads[0][0]
            reason = "udapi stops at heads that are outside of their sentence or form a circle"
            self.rules.add("tree", first, reason, "Write HEAD 0 if the head is unknown.")
        self.heads = []


def is_tree(heads: list[int]) -> bool:
    """Return whether heads, from 1 on and 0 for a root, lead each word to a root."""
    if any(not 0 <= head <= len(heads) for head in heads):
        return False
    seen = [-1] * len(heads)  # for each word: the word from which it was first reached
    for word in range(len(heads)):
        at = word + 1
        while at and seen[at - 1] < 0:
            seen[at - 1] = word
            at = heads[at - 1]
        if at and seen[at - 1] == word:
            return False
    return True


def conllua(source: Source) -> list[Problem]:
    """Return the problems that the Universal Anaphora scorers have with a CONLLUA file."""
    rules = _Rules(source.path)
    for number, line in numbered_lines(source, None):
        if match := _GLOBAL.match(line):
            _check_columns(rules, number, match[2].upper().split())
        elif line.strip() and not line.startswith("#"):
            _check_row(rules, number, line.split())
    return list(rules.found.values())


def _check_columns(rules: _Rules, number: int, names: list[str]) -> None:
    for name, place in (("IDENTITY", 10), ("BRIDGING", 11), ("DISCOURSE_DEIXIS", 12)):
        if name in names and names.index(name) != place:
            column = f"column {place + 1} as {name}, not {names.index(name) + 1}"
            reason = f"the Universal Anaphora scorer reads {column}"
            hint = "Write the 15 columns of version 1.0: convert the file --to conllua."
            rules.add(name, number, reason, hint)


def _check_row(rules: _Rules, number: int, row: list[str]) -> None:
    """Check the cells of a row, but for columns in a wrong place."""
    if len(row) < 13:
        reason = f"the Universal Anaphora scorer finds {len(row)} columns, not 13"
        rules.add("columns", number, reason, "Write all columns, with _ for missing values.")
    for name, place in (("IDENTITY", 10), ("DISCOURSE_DEIXIS", 12)):
        if name not in rules.found and len(row) > place and row[place] != "_":
            _check_cell(rules, number, row[place], "." in row[0])
    bridge = row[11] if len(row) > 11 and "BRIDGING" not in rules.found else ""
    if "EntityAnchor=" in bridge and "MentionAnchor=" not in bridge:
        reason = "the Universal Anaphora scorer stops at a bridge without MentionAnchor"
        rules.add("anchor", number, reason, "Give the anchor mention.")


def _check_cell(rules: _Rules, number: int, cell: str, empty: bool) -> None:
    if not _CLOSED_FIRST.fullmatch(cell):
        reason = f"the Universal Anaphora scorer wants plain closing brackets first: {cell!r:.60}"
        hint = "Write, for example, )(EntityID=1|MarkableID=m1: convert the file --to conllua."
        rules.add("brackets", number, reason, hint)
    elif empty and (cell.startswith(")") or cell.count("(") != cell.count(")")):
        reason = "the Universal Anaphora scorer stops at a bracket that reaches to an empty node"
        hint = "Write the empty node as a piece: convert the file --to conllua."
        rules.add("empty", number, reason, hint)
    for name in _ENTITY.findall(cell):
        if name.lower().endswith(("-pseudo", "_pseudo")) and not name.endswith("-Pseudo"):
            reason = f"the Universal Anaphora scorer treats {name!r:.60} as an entity"
            rules.add("pseudo", number, reason, 'End the EntityID in "-Pseudo".')
