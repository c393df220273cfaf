"""Ranks with ties, and letters, from what differs significantly; see docs/statistics.md.

*Ranks*: a system joins the group of the systems before it if it differs from none of them; its rank
is 1 + the number of systems before the group. Equal scores always share a rank.

*Letters* (compact letter display, Piepho 2004): two systems share a letter if and only if they do
not differ. Neither depends on the order of the systems; equal scores are sorted by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import chain, combinations, groupby
from string import ascii_lowercase

#: Whether two systems differ significantly; their order does not matter.
Differ = Callable[[str, str], bool]


def _sort_systems(scores: Mapping[str, float]) -> list[str]:
    """Return the systems with a score from the best to the worst, equal ones by name."""
    numbers = [name for name, score in scores.items() if score == score]
    return sorted(numbers, key=lambda name: (-scores[name], name))


def ranks(scores: Mapping[str, float], differ: Differ) -> dict[str, int | None]:
    """Return the rank of each system, best 1; None for one whose score is not a number.

    >>> ranks({"A": 0.9, "B": 0.8, "C": 0.7}, lambda a, b: {a, b} == {"A", "C"})
    {'A': 1, 'B': 1, 'C': 3}
    """
    rank_of: dict[str, int | None] = dict.fromkeys(scores)
    group: list[str] = []
    place = 1
    for _, equal in groupby(_sort_systems(scores), key=scores.__getitem__):
        systems = list(equal)
        if any(differ(one, other) for one in group for other in systems):
            place += len(group)
            group = []
        group += systems
        rank_of.update(dict.fromkeys(systems, place))
    return rank_of


def letters(scores: Mapping[str, float], differ: Differ) -> dict[str, str]:
    """Return the letters of each system: two share one if they do not differ significantly.

    A letter is a group of systems that do not differ from each other. Each pair of such systems is
    in a group, and a group whose pairs are all in other groups is dropped.

    >>> letters({"A": 0.9, "B": 0.8, "C": 0.7}, lambda a, b: {a, b} == {"A", "C"})
    {'A': 'a', 'B': 'ab', 'C': 'b'}
    """
    order = _sort_systems(scores)
    alike = {
        name: {other for other in order if other == name or not differ(name, other)}
        for name in order
    }
    groups = _drop_redundant(_group_alike(order, alike))
    groups.sort(key=lambda group: [order.index(name) for name in group])
    letters_of = dict.fromkeys(scores, "")
    for number, group in enumerate(groups):
        for name in group:
            letters_of[name] += _letter(number)
    return letters_of


def _group_alike(order: list[str], alike: Mapping[str, set[str]]) -> list[list[str]]:
    """Return groups of systems that are alike, so that each pair of such systems is in one.

    `order` has the best system first; `alike` has for each system those that do not differ from it.
    A group begins with a pair that is in no group yet, and each next system joins it that does not
    differ from its members.
    """
    groups = [[name] for name in order if len(alike[name]) == 1]
    covered: set[tuple[str, str]] = set()
    for a, b in combinations(order, 2):
        if b not in alike[a] or (a, b) in covered:
            continue
        group = [a, b]
        common = alike[a] & alike[b]
        for name in order:
            if name in common and name not in group:
                group.append(name)
                common &= alike[name]
        group.sort(key=order.index)
        groups.append(group)
        covered.update(combinations(group, 2))
    return groups


def _drop_redundant(groups: list[list[str]]) -> list[list[str]]:
    """Drop groups whose pairs are all in other groups, the smallest first."""
    # A group of one system counts as a pair of that system with itself.
    pairs = [list(combinations(group, 2)) or [(group[0], group[0])] for group in groups]
    uses = Counter(chain.from_iterable(pairs))
    kept = set(range(len(groups)))
    for number in sorted(kept, key=lambda number: len(groups[number])):
        if all(uses[pair] > 1 for pair in pairs[number]):
            kept.remove(number)
            uses.subtract(pairs[number])
    return [groups[number] for number in sorted(kept)]


def _letter(number: int) -> str:
    """Return a to z, then a1 to z1, …: names that stay distinct when concatenated."""
    turn, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")
