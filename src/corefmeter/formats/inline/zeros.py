"""Matching of the empty nodes of a marked text with those of the key.

Converters put an empty node behind the word that it depends on, which is not where the key has it.
So the k-th empty node of a sentence is the k-th of the sentence in the key. Where their numbers
differ, as many as possible are matched, in order, and moved as little as possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from corefmeter.corpus.positions import EmptyNode, is_initial
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Text

#: The tokens of the key before which an empty node is at the earliest and at the latest; they
#: differ where words are missing.
Place = tuple[int, int]


def match_zeros(
    places: Sequence[Place], key_nodes: Iterable[EmptyNode], text: Text
) -> tuple[list[EmptyNode], set[EmptyNode]]:
    """Return the empty nodes of a response as nodes of its key, and the key's that are missing.

    `places` and `key_nodes` are in the order of the text. A node that the key lacks is numbered
    after those of the key at its place.
    """
    nodes = list(key_nodes)
    by_sentence = grouped((text.sentence_of(node), node) for node in nodes)
    in_sentence: dict[int, list[int]] = {}  # the numbers of the places by sentence
    sentence = 0
    for number, (first, last) in enumerate(places):
        sentence = max(sentence, text.sentence_of(max(0, first - 1)))
        final = text.sentence_of(min(last, len(text) - 1))
        # Between two sentences it is in the one that lacks nodes, the earlier one first.
        for candidate in range(sentence, final + 1):
            if len(in_sentence.get(candidate, ())) < len(by_sentence.get(candidate, ())):
                sentence = candidate
                break
        in_sentence.setdefault(sentence, []).append(number)
    matched: dict[int, EmptyNode] = {}
    for sentence, numbers in in_sentence.items():
        sentence_nodes = by_sentence.get(sentence, [])
        starts = [places[number][0] for number in numbers]
        pairs = _pair_in_order([node[0] for node in sentence_nodes], starts)
        matched.update({numbers[j]: sentence_nodes[i] for i, j in pairs})
    missing = set(nodes) - set(matched.values())
    last_number: Counter[int] = Counter()  # of the empty nodes at a place
    for node in nodes:
        if not is_initial(node):
            last_number[node[0]] = max(last_number[node[0]], node[2])
    for number, (at, _) in enumerate(places):
        if number not in matched:
            last_number[at] += 1
            matched[number] = at, at, last_number[at]
    return [matched[number] for number in range(len(places))], missing


def _pair_in_order(first: Sequence[int], second: Sequence[int]) -> list[tuple[int, int]]:
    """Pair all numbers of the shorter list with numbers of the longer one, in order.

    Return pairs of indices, ascending in both, with the least sum of distances.
    """
    if len(first) > len(second):
        return [(i, j) for j, i in _pair_in_order(second, first)]
    if len(first) == len(second):
        return [(i, i) for i in range(len(first))]
    # best[j]: the least sum for all of `first` so far within the first j of `second`, and the
    # indices in `second`; None if there are too few.
    best: list[tuple[int, tuple[int, ...]] | None] = [(0, ())] * (len(second) + 1)
    for place in first:
        row: list[tuple[int, tuple[int, ...]] | None] = [None]
        for j, at in enumerate(second):
            taken = None
            if (before := best[j]) is not None:
                taken = before[0] + abs(place - at), (*before[1], j)
            row.append(min(filter(None, (row[j], taken)), default=None))
        best = row
    assert best[-1] is not None
    return list(enumerate(best[-1][1]))
