"""Pairing of the words of a copy with the words that they were copied from.

1. Equal words are paired: first runs of words that occur once on both sides (anchors), then, in
   between, by edit distance. So the time grows with the length of the texts, not with its square.
2. Where equal words could be paired in several ways, the way is taken that leaves no gap within a
   mention.
3. Between two pairs, words that are written together, apart or otherwise are paired by the
   characters they share. Words that share too few are paired only where a few words replace as many
   others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from functools import cache
from typing import NamedTuple

#: The first and the last of some words, both inclusive.
Range = tuple[int, int]

#: The largest table of edit distance that is filled, in cells.
LARGEST_TABLE = 20_000

#: The attempts on a large region, in order: anchors of so many words, or at most so many edits.
#: Long anchors come first, since short ones may match elsewhere by chance.
_ANCHORS, _EDITS = "anchors", "edits"
STEPS = ((_ANCHORS, 16), (_ANCHORS, 6), (_EDITS, 60), (_ANCHORS, 3), (_ANCHORS, 1), (_EDITS, 400))

#: How far a gap is moved among equal words.
LONGEST_SLIDE = 50

#: The cost of pairing words that share nothing; to leave both out costs 2.
UNLIKE = 1.5

#: The greatest cost of pairing words that are much alike.
ALIKE = 1.0

#: The greatest number of words that may replace as many others.
MOST_REPLACED = 4


class _Region(NamedTuple):
    """Words of the key and of the response that may be paired, half-open, and the next step."""

    key_start: int
    key_end: int
    start: int
    end: int
    step: int = 0

    @property
    def cells(self) -> int:
        return (self.key_end - self.key_start) * (self.end - self.start)


def pair_words(
    key: Sequence[str],
    response: Sequence[str],
    begins: Set[int] = frozenset(),
    ends: Set[int] = frozenset(),
) -> list[Range | None]:
    """Map each word of the response to the words of the key that it was copied from.

    Words are given as they are to be compared; `begins` and `ends` are the words of the response
    before which a mention begins or ends. A word that is not in the key is mapped to None. Ranges
    go up, and those of neighbours may share a word.
    """
    codes: dict[str, int] = {}
    key_codes = [codes.setdefault(word, len(codes)) for word in key]
    response_codes = [codes.setdefault(word, len(codes)) for word in response]
    words = list(codes)
    cost = cache(lambda first, second: _pair_cost(words[first], words[second]))
    pairing = _Pairing(key_codes, response_codes, cost)
    pairing.run()
    pairing.close_gaps(begins, ends)
    pairs: list[Range | None] = [(at, at) if at >= 0 else None for at in pairing.partners]
    for region in pairing.regions_between():
        _pair_by_characters(key, response, region, pairing.alike, pairs)
    return pairs


def _pair_cost(first: str, second: str) -> float:
    """Return the cost of pairing two words: less, the more letters they share."""
    if first.isalnum() != second.isalnum():
        return 3.0  # a sign and a word are never paired
    shortest = min(len(first), len(second))
    prefix = 0
    while prefix < shortest and first[prefix] == second[prefix]:
        prefix += 1
    suffix = 0
    while suffix < shortest - prefix and first[-1 - suffix] == second[-1 - suffix]:
        suffix += 1
    longest = max(len(first), len(second), 1)
    share = (prefix + suffix) / longest
    if shortest > 2 and longest - shortest < 3 and longest < 20:  # letters in another order
        share = max(share, 0.8 * (Counter(first) & Counter(second)).total() / longest)
    return UNLIKE - share


class _Pairing:
    """The pairs of two texts, whose words are given by their codes.

    `partners` has for each word of the response the equal word of the key, or -1. `alike` maps
    words of the response to similar words of the key in the same place.
    """

    def __init__(
        self, key: list[int], response: list[int], cost: Callable[[int, int], float]
    ) -> None:
        self.key = key
        self.response = response
        self.cost = cost
        self.partners = [-1] * len(response)
        self.alike: dict[int, int] = {}

    def run(self) -> None:
        """Pair equal words, and note words that are alike."""
        todo = [_Region(0, len(self.key), 0, len(self.response))]
        while todo:
            region = self.trim(todo.pop())
            if not region.cells:
                continue
            if region.cells <= LARGEST_TABLE:
                self.pair_by_table(region)
            elif region.step < len(STEPS):
                kind, number = STEPS[region.step]
                following = region._replace(step=region.step + 1)
                if kind == _ANCHORS:
                    todo += self.pair_by_anchors(region, number) or [following]
                elif not self.pair_by_few_edits(region, number):
                    todo.append(following)

    def trim(self, region: _Region) -> _Region:
        """Pair the equal words at both ends of a region; return what is left of it."""
        key, response, partners = self.key, self.response, self.partners
        key_start, key_end, start, end, step = region
        while key_start < key_end and start < end and key[key_start] == response[start]:
            partners[start] = key_start
            key_start += 1
            start += 1
        while key_start < key_end and start < end and key[key_end - 1] == response[end - 1]:
            key_end -= 1
            end -= 1
            partners[end] = key_end
        return _Region(key_start, key_end, start, end, step)

    def pair_by_anchors(self, region: _Region, length: int) -> list[_Region]:
        """Pair runs of words that occur once on both sides; return the regions between them."""
        in_key = _unique_runs(self.key, region.key_start, region.key_end, length)
        in_response = _unique_runs(self.response, region.start, region.end, length)
        common = [(place, in_response[run]) for run, place in in_key.items() if run in in_response]
        between: list[_Region] = []
        key_at, at = region.key_start, region.start  # the ends of the runs so far
        for key_place, place in _find_longest_ascending(common):
            covered = max(key_at - key_place, at - place, 0)  # words that the run before has
            if covered and key_at - key_place != at - place:
                continue  # crosses the run before
            if not covered:
                between.append(_Region(key_at, key_place, at, place, region.step))
            for step in range(covered, length):
                self.partners[place + step] = key_place + step
            key_at, at = max(key_at, key_place + length), max(at, place + length)
        if at == region.start and key_at == region.key_start:
            return []
        return [*between, _Region(key_at, region.key_end, at, region.end, region.step)]

    def pair_by_table(self, region: _Region) -> None:
        """Pair words of a small region by edit distance."""
        key = self.key[region.key_start : region.key_end]
        response = self.response[region.start : region.end]
        for key_place, place in _find_edit_path(key, response, self.cost):
            if key[key_place] == response[place]:
                self.partners[region.start + place] = region.key_start + key_place
            elif self.cost(key[key_place], response[place]) <= ALIKE:
                self.alike[region.start + place] = region.key_start + key_place

    def pair_by_few_edits(self, region: _Region, most: int) -> bool:
        """Pair words of a region if few enough were dropped or inserted; return whether they were.

        The greedy algorithm of Myers (1986): for each number of edits, find the furthest place in
        the key on each diagonal, which is the place in the key minus that in the response.
        """
        key = self.key[region.key_start : region.key_end]
        response = self.response[region.start : region.end]
        furthest = {1: 0}
        trace: list[dict[int, int]] = []
        for edits in range(most + 1):
            trace.append(dict(furthest))
            for diagonal in range(-edits, edits + 1, 2):
                before = _previous_diagonal(furthest, diagonal, edits)
                at = furthest[before] + 1 if before < diagonal else furthest[before]
                place = at - diagonal
                while at < len(key) and place < len(response) and key[at] == response[place]:
                    at += 1
                    place += 1
                furthest[diagonal] = at
                if at >= len(key) and place >= len(response):
                    self.walk_back(region, trace, diagonal)
                    return True
        return False

    def walk_back(self, region: _Region, trace: list[dict[int, int]], diagonal: int) -> None:
        """Pair the words on the path that was found; `trace` has `furthest` before each edit."""
        at, place = region.key_end - region.key_start, region.end - region.start
        for edits in range(len(trace) - 1, -1, -1):
            before = _previous_diagonal(trace[edits], diagonal, edits)
            key_before = trace[edits][before] if edits else 0
            place_before = key_before - before if edits else 0
            while at > key_before and place > place_before:
                at -= 1
                place -= 1
                self.partners[region.start + place] = region.key_start + at
            at, place, diagonal = key_before, place_before, before

    def close_gaps(self, begins: Set[int], ends: Set[int]) -> None:
        """Move gaps within a mention to its border, as far as equal words allow.

        If one of two equal adjacent words is missing in the response, or is copied twice, either
        could be paired; the one outside of the mention stays without a partner.
        """
        key_partners = [-1] * len(self.key)
        for place, partner in enumerate(self.partners):
            if partner >= 0:
                key_partners[partner] = place
        borders = begins | ends
        _move_gaps(self.key, key_partners, lambda start, end, behind: behind in borders)
        self.partners = [-1] * len(self.response)
        for partner, place in enumerate(key_partners):
            if place >= 0:
                self.partners[place] = partner
        _move_gaps(
            self.response, self.partners, lambda start, end, _: end in begins or start in ends
        )

    def regions_between(self) -> Iterator[_Region]:
        """Yield the regions between pairs of equal words; both sides of a region have words."""
        key_at = at = 0
        for place, partner in enumerate([*self.partners, len(self.key)]):
            if partner < 0:
                continue
            if partner > key_at and place > at:
                yield _Region(key_at, partner, at, place)
            key_at, at = partner + 1, place + 1


def _unique_runs(words: list[int], start: int, end: int, length: int) -> dict[tuple[int, ...], int]:
    """Return the positions of runs of `length` words that occur only once."""
    places: dict[tuple[int, ...], int] = {}
    runs = zip(*(words[start + step : end] for step in range(length)), strict=False)
    for place, run in enumerate(runs, start):
        places[run] = -1 if run in places else place
    return {run: place for run, place in places.items() if place >= 0}


def _find_longest_ascending(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest subsequence of pairs in which both numbers go up; sorts `pairs`.

    Examples
    --------
    >>> _find_longest_ascending([(0, 5), (1, 1), (2, 2), (3, 0), (4, 6)])
    [(1, 1), (2, 2), (4, 6)]
    """
    pairs.sort()
    ends: list[int] = []  # by length: the least second number that a subsequence ends with
    last: list[int] = []  # by length: the pair that this subsequence ends with
    before: list[int] = []  # for each pair: the pair before it
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
    reverse = []
    number = last[-1] if last else -1
    while number >= 0:
        reverse.append(pairs[number])
        number = before[number]
    return reverse[::-1]


def _previous_diagonal(furthest: dict[int, int], diagonal: int, edits: int) -> int:
    """Return the diagonal from which the last of some edits leads to another, the furthest."""
    from_above = diagonal == -edits or (
        diagonal != edits and furthest[diagonal - 1] < furthest[diagonal + 1]
    )
    return diagonal + 1 if from_above else diagonal - 1


def _find_edit_path(
    key: Sequence[int], response: Sequence[int], cost: Callable[[int, int], float]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of places of the cheapest path from one text to another, from the end.

    To leave out a word costs 1, and to pair two different words `cost`.
    """
    above = [float(place) for place in range(len(response) + 1)]
    steps: list[bytearray] = []  # by key word and response word, one of:
    both, key_only, response_only = 0, 1, 2
    for number, word in enumerate(key, 1):
        row = [float(number)]
        row_steps = bytearray(len(response))
        for place, other in enumerate(response):
            best = above[place] if word == other else above[place] + cost(word, other)
            if above[place + 1] + 1 < best:
                best, row_steps[place] = above[place + 1] + 1, key_only
            if row[place] + 1 < best:
                best, row_steps[place] = row[place] + 1, response_only
            row.append(best)
        steps.append(row_steps)
        above = row
    at, place = len(key), len(response)
    while at and place:
        step = steps[at - 1][place - 1]
        if step != response_only:
            at -= 1
        if step != key_only:
            place -= 1
        if step == both:
            yield at, place


# ---- gaps -------------------------------------------------------------------------------------

#: A function of the first word of a gap, the word behind it, and the partner of that word: whether
#: a mention begins or ends there.
_Stops = Callable[[int, int, int], bool]


def _move_gaps(words: list[int], partners: list[int], stops: _Stops) -> None:
    """Move runs of words without partner to a place where `stops` is true, if there is one."""
    end = 0
    while end < len(words):
        start = end
        while end < len(words) and partners[end] < 0:
            end += 1
        if start == end:
            end += 1
        elif start and end < len(words) and partners[end] == partners[start - 1] + 1:
            shift = _find_shift(words, partners, start, end, stops)
            first, last = min(start, start + shift), max(end, end + shift)
            moved = [partner for partner in partners[first:last] if partner >= 0]
            gap = [-1] * (end - start)
            partners[first:last] = moved + gap if shift > 0 else gap + moved


def _find_shift(words: list[int], partners: list[int], start: int, end: int, stops: _Stops) -> int:
    """Return how far to move a gap: to the left if negative, 0 if it stays.

    Each step passes a word that is equal to the one at the other end of the gap.
    """
    length, behind = end - start, partners[end]
    if stops(start, end, behind):
        return 0
    for step in range(1, LONGEST_SLIDE):  # to the left
        at = start - step
        if at < 0 or not 0 <= partners[at] == behind - step or words[at] != words[at + length]:
            break
        if stops(at, end - step, behind - step):
            return -step
    for step in range(1, LONGEST_SLIDE):  # to the right
        at = end + step - 1
        if at >= len(words) or partners[at] != behind + step - 1 or words[at] != words[at - length]:
            break
        if stops(start + step, end + step, behind + step):
            return step
    return 0


# ---- characters -------------------------------------------------------------------------------


def _pair_by_characters(
    key: Sequence[str],
    response: Sequence[str],
    region: _Region,
    alike: dict[int, int],
    pairs: list[Range | None],
) -> None:
    """Pair the words of a region in `pairs`, by the characters they share, or by their places."""
    key_words = key[region.key_start : region.key_end]
    words = response[region.start : region.end]
    if sum(map(len, key_words)) * sum(map(len, words)) <= LARGEST_TABLE:
        for place, (first, last) in _pair_by_shared_characters(key_words, words).items():
            pairs[region.start + place] = region.key_start + first, region.key_start + last
    one_by_one = len(words) == len(key_words) <= MOST_REPLACED
    for place in range(region.start, region.end):
        partner = alike.get(place, -1)
        if partner < 0 and one_by_one:
            partner = region.key_start + place - region.start
            if response[place].isalnum() != key[partner].isalnum():
                continue
        if pairs[place] is None and partner >= 0 and _is_between(partner, place, region, pairs):
            pairs[place] = partner, partner


def _is_between(partner: int, place: int, region: _Region, pairs: list[Range | None]) -> bool:
    """Return whether a word of the key lies between the partners of the words around a place."""
    before = [keys[1] for keys in pairs[region.start : place] if keys]
    after = [keys[0] for keys in pairs[place + 1 : region.end] if keys]
    return max(before, default=-1) < partner < min(after, default=region.key_end)


def _pair_by_shared_characters(key: Sequence[str], response: Sequence[str]) -> dict[int, Range]:
    """Return for words of the response the words of the key that share most of their characters.

    Two words share at least half of each other, or the shorter is wholly in a longer one of which
    all such parts together are at least two thirds.
    """
    key_word_of = [number for number, word in enumerate(key) for _ in word]  # by character
    word_of = [number for number, word in enumerate(response) for _ in word]
    key_characters = list(map(ord, "".join(key)))
    characters = list(map(ord, "".join(response)))
    common: Counter[tuple[int, int]] = Counter()
    used: Counter[int] = Counter()
    key_used: Counter[int] = Counter()
    for key_place, place in _find_edit_path(key_characters, characters, lambda first, second: 1.0):
        if key_characters[key_place] == characters[place]:
            word, key_word = word_of[place], key_word_of[key_place]
            common[word, key_word] += 1
            used[word] += 1
            key_used[key_word] += 1
    same_characters = key_characters == characters  # only the borders of words differ
    partners: dict[int, Range] = {}
    for (word, key_word), count in sorted(common.items()):
        length, key_length = len(response[word]), len(key[key_word])
        is_part = (count == length and 3 * key_used[key_word] >= 2 * key_length) or (
            count == key_length and 3 * used[word] >= 2 * length
        )
        if same_characters or is_part or 2 * count >= max(length, key_length):
            first, _ = partners.get(word, (key_word, key_word))
            partners[word] = first, key_word
    return partners
