"""Minimum spans (MINA): mentions match that have the same core words in the key's parse.

Moosavi et al. 2019, "Using Automatically Extracted Minimum Spans to Disentangle Coreference
Evaluation from Boundary Detection". The minimum span of a mention, of the key or of the response,
is found in the key's constituency parse. The weight of a pair is the share of the key mention that
is covered, ``|K & S| / |K|``. Pairs are one to one, unlike in the authors' program.

Brackets that close what was opened before the mention only end a run, brackets that are still open
at its end close there, and several pieces are put under an NP. Leaves between two brackets are one
*run*. It counts if a word of it does: one with a letter or digit, or ``%``, that is no bracket and
not tagged CC, DT or IN.

1. The tags to be followed are NP, NM, QP, NX, or only VP: by the tag of the root (NP, NM; VP), else
   by its children, NP before VP.
2. Runs right under the root are the minimum span.
3. Otherwise, for each child of the root with such a tag: go down through such tags, and take the
   runs that come first, at one depth, so that of coordinated phrases all count.
4. Otherwise go down from the root through all tags; the first NP or VP decides the tags as above.
5. Otherwise all words of the mention.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import TypeAlias

from corefmeter.corpus.positions import Node, Position, is_run, nodes
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Text
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.assignment import Edge
from corefmeter.problems import DataError

_NOMINAL = ("NP", "NM", "QP", "NX")
_VERBAL = ("VP",)
_EXCLUDED_TAGS = ("CC", "DT", "IN")
_EXCLUDED_WORDS = ("-LRB-", "-RRB-")
_BIT = re.compile(r"\(([^()*\s]*)|\*|\)")

#: Tokens between two brackets, in order.
_Run: TypeAlias = "tuple[int, ...]"


class _Constituent:
    """A phrase: its tag, and phrases and runs in order."""

    __slots__ = ("children", "tag")

    def __init__(self, tag: str) -> None:
        self.tag = tag[:2]
        self.children: list[_Constituent | _Run] = []


def candidates(alignment: Alignment) -> list[Edge]:
    """Return pairs with the same minimum span."""
    key, response = alignment.key, alignment.response
    text = key.document.text
    if text is None or text.parse is None:
        hint = "Minimum spans need the parse column of OntoNotes; or use --match overlap."
        reason = "the key has no constituency parse"
        raise DataError(key.document.problem("no-parse", reason, "error", hint))
    by_span = grouped((minimum_span(key.positions[k], text), k) for k in alignment.key_free())
    return [
        alignment.coverage_edge(k, r)
        for r in alignment.response_free()
        for k in by_span.get(minimum_span(response.positions[r], text), ())
    ]


def minimum_span(position: Position, text: Text) -> frozenset[Node]:
    """Return the nodes of the minimum span of a mention."""
    all_nodes = nodes(position)
    parse = text.parse
    if parse is None or not is_run(position):
        return frozenset(all_nodes)
    root = _parse_span(position[0], min(position[1], len(parse)), parse)
    if isinstance(root, tuple):
        return frozenset(root) if _counts(root, text) else frozenset(all_nodes)
    runs = _direct_runs(root, text)
    if not runs:
        tags = _tags_to_descend(root)
        for child in _phrases(root):
            if child.tag in tags:
                runs += _nearest_runs(child, tags, text)
    runs = runs or _nearest_runs(root, None, text)
    return frozenset(chain.from_iterable(runs) if runs else all_nodes)


def _parse_span(start: int, end: int, parse: Sequence[str]) -> _Constituent | _Run:
    """Build the tree over the tokens from `start` to `end`; a single run if there is no bracket."""
    top = _Constituent("NP")
    path = [top]
    run: list[int] = []

    def end_run() -> None:
        if run:
            path[-1].children.append(tuple(run))
            run.clear()

    for token in range(start, end):
        for bit in _BIT.finditer(parse[token]):
            if bit[0] == "*":
                run.append(token)
                continue
            end_run()
            if bit[0] == ")":
                if len(path) > 1:
                    path.pop()
            else:
                phrase = _Constituent(bit[1])
                path[-1].children.append(phrase)
                path.append(phrase)
    end_run()
    return top.children[0] if len(top.children) == 1 else top


def _counts(run: _Run, text: Text) -> bool:
    """Return whether a word of a run can be the core of a mention."""
    for token in run:
        word = text.words[token]
        has_sign = word == "%" or any(map(str.isalnum, word))
        tag = text.pos[token] if text.pos is not None else ""
        if has_sign and word not in _EXCLUDED_WORDS and tag not in _EXCLUDED_TAGS:
            return True
    return False


def _direct_runs(phrase: _Constituent, text: Text) -> list[_Run]:
    """Return the runs directly under a phrase that can be the core of a mention."""
    return [run for run in phrase.children if isinstance(run, tuple) and _counts(run, text)]


def _phrases(phrase: _Constituent) -> list[_Constituent]:
    return [child for child in phrase.children if isinstance(child, _Constituent)]


def _tags_to_descend(root: _Constituent) -> tuple[str, ...]:
    """Return the tags of children to descend into: verbal or nominal phrases."""
    if root.tag == "VP":
        return _VERBAL
    if root.tag in ("NP", "NM"):
        return _NOMINAL
    tags = {child.tag for child in _phrases(root)}
    only_verbal = "VP" in tags and not tags & {"NP", "NM"}
    return _VERBAL if only_verbal else _NOMINAL


def _nearest_runs(phrase: _Constituent, tags: tuple[str, ...] | None, text: Text) -> list[_Run]:
    """Return the nearest runs below a phrase, all at one depth, down through phrases with `tags`.

    If `tags` is None, the descent goes through all phrases until the first NP or VP decides them.
    """
    level = [phrase]
    top = True
    while level:
        runs: list[_Run] = []
        below: list[_Constituent] = []
        for node in level:
            if tags is None and node.tag in ("NP", "NM", "VP"):
                tags = _VERBAL if node.tag == "VP" else _NOMINAL
            if tags is not None and node.tag in tags:
                runs += _direct_runs(node, text)
            elif not top and tags is not None:
                continue
            below += _phrases(node)
        if runs:
            return runs
        level, top = below, False
    return []
