"""The set formulas of Holen 2013, transcribed line by line, slow and obvious.

Entities are lists of mentions in the order of reading. Quantifiers are loops over everything;
nothing is indexed, so these take quadratic time and worse. Where the paper leaves a choice, the
decisions of docs/decisions/checks.md are applied and named.
"""

from __future__ import annotations

from itertools import combinations

__all__ = ["best", "category", "information", "overlaps", "weighted_b3"]


def overlaps(y, z, head):
    """Whether two spans share a token, and the shared tokens include the heads that are known."""
    shared = set(range(*y)) & set(range(*z))
    return bool(shared) and {head(y), head(z)} - {None} <= shared


def pairs_of(k, r, key, head):
    """The partial mentions: most shared tokens first, then the order of reading; one with one."""
    in_key = {m for e in key for m in e}
    choices = [
        (-len(set(range(*y)) & set(range(*z))), k.index(y), r.index(z))
        for y in k
        for z in r
        if y not in r and z not in in_key and overlaps(y, z, head)
    ]
    found = []
    for _, y, z in sorted(choices):
        if all(y != other and z != another for other, another in found):
            found.append((y, z))
    return sorted((k[y], r[z]) for y, z in found)


def numbers(k, r, key, head):
    """whole, partial, foreign, spurious."""
    in_key = {m for e in key for m in e}
    partial = pairs_of(k, r, key, head)
    parts = {z for _, z in partial}
    return (
        len(set(k) & set(r)),
        len(partial),
        sum(z in in_key and z not in k for z in r),
        sum(z not in in_key and z not in parts for z in r),
    )


def best(k, key, response, head):
    """The number of the best response entity, or None: every entity is looked at."""
    ranked = []
    for number, r in enumerate(response):
        whole, partial, _, _ = numbers(k, r, key, head)
        if whole + partial:
            ranked.append((-whole - partial, -whole, len(r), [(y, -z) for y, z in r], number))
    return min(ranked)[-1] if ranked else None


def category(k, r, key, head):
    """All categories that hold of a pair, by the formulas of section 6 and the rule for the rest.

    In formulas 2a and 2b a mention of R belongs to K also in part. Each condition is written so
    that it can be true together with others; a test sees to it that exactly one is.
    """
    K, R = set(k), set(r)
    others = [set(e) for e in key if set(e) != K]
    partial = pairs_of(k, r, key, head) if r else []
    parts = {z for _, z in partial}
    correct = len(K & R) + len(partial)
    foreign = any(y in E for E in others for y in R - K)
    extra = any(z not in K and z not in parts for z in R)
    found = []
    if R and all((x in K) == (x in R) for x in K | R):  # formula 1
        found.append("1")
    if correct >= 2 and not partial and all(x in K for x in R) and any(y not in R for y in K):
        found.append("2a")  # formula 2a, with a correct link
    if correct >= 2 and partial and all(x in K or x in parts for x in R):
        found.append("2b")  # formula 2b, under the condition of 2a
    if K & R and foreign:
        found.append("3")  # formula 3
    elif correct >= 2 and extra:
        found.append("3")  # the rest, see docs/decisions/checks.md
    if not R or (
        correct < 2 and not (K & R and foreign) and K != R
    ):  # formula 4: nothing, or one correct mention without a link
        found.append("4")
    return found


def information(key, response, weight):
    """Recall of information: numerator and denominator."""

    def w(mentions):
        return sum(weight(m) for m in mentions)

    kept = []
    for k in key:
        shares = [0]
        for r in response:
            common = set(k) & set(r)
            if len(list(combinations(common, 2))) > 0 or (set(k) == set(r) and len(k) == 1):
                shares.append(w(common))
        kept.append(max(shares))
    return sum(kept), sum(w(k) for k in key)


def weighted_b3(key, response, weight):
    """Weighted B3 recall: one key mention at a time."""
    total = 0
    for k in key:
        for m in k:
            for r in response:
                if m in r:
                    total += weight(m) * len(set(k) & set(r)) / len(k)
    return total, sum(weight(m) for k in key for m in k)
