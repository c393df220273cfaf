"""Which empty node of the key each empty node of a marked text is.

Converters put an empty node behind the word that it depends on, which is not where the key has it.
So the k-th of a sentence is the k-th that the key has there. Where their numbers differ, as many as
possible are taken for those of the key, in order, and moved as little as possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from corefmeter.corpus.positions import EmptyNode, is_initial
from corefmeter.corpus.text import Text

#: The tokens of the key before which an empty node is at the earliest and at the latest; they
#: differ where words are missing.
Place = tuple[int, int]


def placed(
    places: Sequence[Place], of_key: Iterable[EmptyNode], text: Text
) -> tuple[list[EmptyNode], set[EmptyNode]]:
    """Return the empty nodes of a response as nodes of its key, and nodes that are missing.

    The nodes of the key, as the places, are in the order of the text. The numbers of nodes that the
    key lacks continue those of the key. Missing are those of sentences that have fewer.
    """
    nodes = list(of_key)
    by_sentence: dict[int, list[EmptyNode]] = {}
    for node in nodes:
        by_sentence.setdefault(text.sentence_of(node), []).append(node)
    here: dict[int, list[int]] = {}  # by sentence, which of the places are in it
    sentence = 0
    for number, (first, last) in enumerate(places):
        sentence = max(sentence, text.sentence_of(max(0, first - 1)))
        final = text.sentence_of(min(last, len(text) - 1))
        # Between two sentences it is in the one that lacks nodes, the earlier one first.
        for other in range(sentence, final + 1):
            if len(here.get(other, ())) < len(by_sentence.get(other, ())):
                sentence = other
                break
        here.setdefault(sentence, []).append(number)
    found: dict[int, EmptyNode] = {}
    for sentence, numbers in here.items():
        known = by_sentence.get(sentence, [])
        pairs = _in_order([node[0] for node in known], [places[number][0] for number in numbers])
        found.update({numbers[own]: known[other] for other, own in pairs})
    missing = set(nodes) - set(found.values())
    last_of: Counter[int] = Counter()
    for node in nodes:
        if not is_initial(node):
            last_of[node[0]] = max(last_of[node[0]], node[2])
    for number, (at, _) in enumerate(places):
        if number not in found:
            last_of[at] += 1
            found[number] = at, at, last_of[at]
    return [found[number] for number in range(len(places))], missing


def _in_order(one: Sequence[int], other: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of indices, ascending in both, as many as can be, with the least sum of distances."""
    if len(one) > len(other):
        return [(i, j) for j, i in _in_order(other, one)]
    if len(one) == len(other):
        return [(i, i) for i in range(len(one))]
    # best[j]: the least sum for all of `one` so far within the first j of `other`, and the pairs.
    best: list[tuple[int, tuple[int, ...]] | None] = [(0, ())] * (len(other) + 1)
    for place in one:
        row: list[tuple[int, tuple[int, ...]] | None] = [None]
        for j, at in enumerate(other):
            taken = None
            if (before := best[j]) is not None:
                taken = before[0] + abs(place - at), (*before[1], j)
            row.append(min(filter(None, (row[j], taken)), default=None))
        best = row
    assert best[-1] is not None
    return list(enumerate(best[-1][1]))
