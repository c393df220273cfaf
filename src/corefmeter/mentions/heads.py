"""The head of a mention: the one token that represents it.

A mention of one token is its own head. Else the first of these decides that is known:

1. The head in the file (`Detail.head`), which `corefmeter.mentions.features` takes.
2. Dependencies (`Text.heads`): the first token whose governor is outside the mention and that is no
   punctuation mark.
3. A constituency parse (`Text.parse`) of an English text (with tags of the Penn Treebank) or a
   Chinese one (with an IP): the part within the mention, as a noun phrase if it is no constituent.
4. Parts of speech: the last noun before the first preposition or comma that is not the first
   token; without a noun, the last token there that is no punctuation mark.
5. Words: the last token before the first comma that is not the first token.

In a parse, rules choose a child, down to a token. **English** (Collins 1999, appendix A) noun
phrases, with NX, NML and WHNP: from the right the first of NN, NNS, NNP, NNPS, NX, NML, JJR; else
from the left the first NP or WHNP, so the first conjunct and the noun before an apposition; else a
pronoun; else from the right $, ADJP or PRN; else CD; else JJ, JJS, RB or QP; else the last token
that is a child; else the last child. Three differences to Collins: a possessive ending is never the
head ("John 's"), pronouns come before adjectives and adverbs ("he himself"), and the last resort is
a token ("all of them"). Other phrases follow his table of priorities.

**Chinese** (after Bikel 2004 and Sun & Jurafsky 2004) noun phrases: from the right the first of NP,
NN, NR, NT, NX, PN, WHNP; else QP; else the last child that is no punctuation mark. PP and DP from
the left, VP its first verb, all else from the right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from corefmeter.corpus.model import Mention
from corefmeter.corpus.positions import tokens_of
from corefmeter.corpus.text import Text
from corefmeter.mentions.tags import (
    COMMAS,
    NO_TAG,
    is_noun,
    is_preposition,
    is_punctuation,
    tag_set,
)


class Node:
    """A constituent: its label and its children, of which a token is the number of that token."""

    __slots__ = ("children", "label")

    def __init__(self, label: str) -> None:
        self.label = label
        self.children: list[Node | int] = []

    def __repr__(self) -> str:
        return f"({self.label} {' '.join(map(repr, self.children))})"


def tree(bits: Sequence[str], start: int = 0) -> Node:
    """Return the constituents that lie within a row of tokens, under a root without a label.

    `start` is the number of the first token. A constituent that begins before the tokens or ends
    after them does not count; its parts belong to the constituent around it.

    >>> tree(["(TOP(S(NP*", "*)", "(VP*"])
    ( (NP 0 1) 2)
    """
    root = Node("")
    stack = [root]
    for token, bit in enumerate(bits, start):
        if bit == "*":
            stack[-1].children.append(token)
            continue
        before, _, after = bit.partition("*")
        for label in before.split("(")[1:]:
            node = Node(label.partition("-")[0] or label)
            stack[-1].children.append(node)
            stack.append(node)
        stack[-1].children.append(token)
        for _ in range(after.count(")")):
            if len(stack) > 1:
                stack.pop()
    while len(stack) > 1:  # an open constituent is replaced by its parts in the one around it
        node = stack.pop()
        stack[-1].children[-1:] = node.children
    return root


#: Direction and priorities of Collins 1999, appendix A, for phrases other than noun phrases.
_ENGLISH: dict[str, tuple[bool, tuple[str, ...]]] = {
    label: (direction == "left", tuple(priorities.split()))
    for label, direction, priorities in (
        ("ADJP", "left", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
        ("ADVP", "right", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
        ("CONJP", "right", "CC RB IN"),
        ("FRAG", "right", ""),
        ("INTJ", "left", ""),
        ("LST", "right", "LS :"),
        ("NAC", "left", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
        ("PP", "right", "IN TO VBG VBN RP FW"),
        ("PRN", "left", ""),
        ("PRT", "right", "RP"),
        ("QP", "left", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
        ("RRC", "right", "VP NP ADVP ADJP PP"),
        ("S", "left", "TO IN VP S SBAR ADJP UCP NP"),
        ("SBAR", "left", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
        ("SBARQ", "left", "SQ S SINV SBARQ FRAG"),
        ("SINV", "left", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
        ("SQ", "left", "VBZ VBD VBP VB MD VP SQ"),
        ("UCP", "right", ""),
        ("VP", "left", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
        ("WHADJP", "left", "CC WRB JJ ADJP"),
        ("WHADVP", "right", "CC WRB"),
        ("WHPP", "right", "IN TO FW"),
    )
}

_NOUN_PHRASES = frozenset(("NP", "NX", "NML", "WHNP"))

#: For noun phrases: from the left or not, and the labels of which the first that is met counts.
_ENGLISH_NP = (
    (False, tag_set("NN NNS NNP NNPS NX NML JJR")),
    (True, tag_set("NP WHNP")),
    (True, tag_set("PRP PRP$ WP WP$ WDT")),
    (False, tag_set("$ ADJP PRN")),
    (False, tag_set("CD")),
    (False, tag_set("JJ JJS RB QP")),
)
_CHINESE_NP = ((False, tag_set("NP NN NR NT NX PN WHNP")), (False, tag_set("QP")))
_CHINESE: dict[str, tuple[bool, tuple[str, ...]]] = {
    "PP": (True, ("P", "PP")),
    "DP": (True, ("DP", "DT", "OD", "CD")),
    "VP": (True, ("VE", "VC", "VV", "VA", "VNV", "VPT", "VRD", "VSB", "VCD", "VP")),
    "IP": (False, ("VP", "IP", "NP")),
    "CP": (False, ("CP", "IP", "VP")),
    "QP": (False, ("QP", "CLP", "CD", "OD")),
    "CLP": (False, ("CLP", "M")),
    "LCP": (False, ("LCP", "LC")),
    "DNP": (False, ("DNP", "DEG", "DEC")),
    "ADJP": (False, ("ADJP", "JJ")),
}

#: Tags that only the Penn Treebank has.
_PENN = tag_set("NNP NNS NNPS PRP PRP$ IN DT MD VB VBD VBG VBN VBP VBZ")


class HeadFinder:
    """The heads of the mentions of one text.

    >>> text = Text("the wife of the president met his father 's".split(),
    ...             pos="DT NN IN DT NN VBD PRP$ NN POS".split())
    >>> finder = HeadFinder(text)
    >>> [text.words[finder.head(span)] for span in [(0, 5), (3, 5), (6, 9), (6, 7)]]
    ['wife', 'president', 'father', 'his']
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        pos = None if NO_TAG.issuperset(text.pos or ()) else text.pos
        self.tags = pos if pos is not None else text.upos
        self._chinese = False
        self._parsed = False
        if text.parse is not None and pos is not None:
            self._chinese = any("(IP" in bit for bit in text.parse)
            self._parsed = self._chinese or not _PENN.isdisjoint(pos)

    def head(self, mention: Mention) -> int | None:
        """Return the head token of a mention; None for one without tokens, or outside the text."""
        try:
            tokens = tokens_of(mention)
        except TypeError:
            return None
        if not tokens or tokens[-1] >= len(self.text.words):
            return None
        if len(tokens) == 1:
            return tokens[0]
        if self.text.heads is not None:
            return self._by_dependencies(tokens, self.text.heads)
        if self._parsed and tokens[-1] - tokens[0] == len(tokens) - 1:
            return self._by_parse(tokens[0], tokens[-1] + 1)
        return self._by_order(tokens)

    def _by_dependencies(self, tokens: list[int], heads: list[int]) -> int:
        inside = set(tokens)
        tops = [token for token in tokens if heads[token] not in inside] or tokens[-1:]
        return next((token for token in tops if not self._is_punctuation(token)), tops[0])

    def _by_order(self, tokens: list[int]) -> int:
        """Return the last noun before a preposition or a comma, else the last token there."""
        tags = self.tags
        words = self.text.words
        front = tokens[:1]
        for token in tokens[1:]:
            if words[token] in COMMAS or (tags is not None and is_preposition(tags[token])):
                break
            front.append(token)
        if tags is not None:
            for token in reversed(front):
                if is_noun(tags[token]):
                    return token
        return next(filter(self._is_word, reversed(front)), front[-1])

    def _by_parse(self, start: int, end: int) -> int:
        assert self.text.parse is not None
        subtree: Node | int = tree(self.text.parse[start:end], start)
        while isinstance(subtree, Node):
            subtree = self._head_child(subtree.label or "NP", subtree.children)
        return subtree

    def _head_child(self, label: str, children: list[Node | int]) -> Node | int:
        if len(children) == 1:
            return children[0]
        tags = self.text.pos or ()
        labels = [child.label if isinstance(child, Node) else tags[child] for child in children]
        rules: Iterable[tuple[bool, Collection[str]]]
        if label in _NOUN_PHRASES:
            rules = _CHINESE_NP if self._chinese else _ENGLISH_NP
            from_left = False
        else:
            tables = _CHINESE if self._chinese else _ENGLISH
            from_left, priorities = tables.get(label, (False, ()))
            rules = [(from_left, (priority,)) for priority in priorities]
        for left, wanted in rules:
            places = [place for place, found in enumerate(labels) if found in wanted]
            if places:
                return children[places[0 if left else -1]]
        if label in _NOUN_PHRASES and not self._chinese:
            words = [child for child in children if self._is_word(child)]
            if words:
                return words[-1]
        in_order = children if from_left else children[::-1]
        phrases_and_words = (c for c in in_order if isinstance(c, Node) or self._is_word(c))
        return next(phrases_and_words, in_order[0])

    def _is_word(self, child: Node | int) -> bool:
        """Return whether a child is a token that can be a head."""
        return isinstance(child, int) and not (
            self._is_punctuation(child) or self._is_possessive(child)
        )

    def _is_punctuation(self, token: int) -> bool:
        if self.tags is not None and self.tags[token] not in NO_TAG:
            return is_punctuation(self.tags[token])
        return not any(map(str.isalnum, self.text.words[token]))

    def _is_possessive(self, token: int) -> bool:
        if self.tags is not None and self.tags[token] not in NO_TAG:
            return self.tags[token] == "POS"
        return self.text.words[token] in ("'s", "\N{RIGHT SINGLE QUOTATION MARK}s")


def no_head(mention: Mention) -> None:
    """Return None, the head of a mention where heads are not known."""
    return
