"""The set formulas of Tuggener 2014 and Holen 2013, transcribed line by line, slow and obvious.

Entities are lists of mentions in the order of reading. Quantifiers are loops over everything;
nothing is indexed, so these take quadratic time and worse. Where the papers leave a choice, the
decisions of docs/arcs.md and docs/entities.md are applied and named.
"""

from __future__ import annotations

from itertools import combinations

__all__ = ["anchor", "best", "category", "immediate", "inferred", "information", "overlaps",
           "weighted_b3"]  # fmt: skip


def predecessor(mention, entity):
    """The mention right before, or None."""
    place = entity.index(mention)
    return entity[place - 1] if place > 0 else None


def closest_noun(mention, entity, is_noun):
    """The last nominal mention before, or None."""
    nouns = [other for other in entity[: entity.index(mention)] if is_noun(other)]
    return nouns[-1] if nouns else None


def false_positives(key, response):
    """Table 1, lines 6 to 8."""
    return sum(
        not any(m == mi and predecessor(m, ek) is not None for ek in key for m in ek)
        for es in response
        for mi in es
        if es.index(mi) > 0
    )


def immediate(key, response):
    """Section 3.1, Table 1."""
    tp = wl = fn = 0
    for ek in key:  # 01
        for mi in ek:
            if not ek.index(mi) > 0:  # 02
                continue
            if not any(
                mj == mi and predecessor(mj, es) is not None for es in response for mj in es
            ):  # 03
                fn += 1
            elif any(
                mj == mi and predecessor(mi, ek) == predecessor(mj, es)
                for es in response
                for mj in es
            ):  # 04
                tp += 1
            else:  # 05
                wl += 1
    return tp, wl, fn, false_positives(key, response)


def inferred(key, response, is_noun):
    """Section 3.2; D5 for mentions that have no nominal mention before them in the key."""
    tp = wl = fn = 0
    for ek in key:
        for mi in ek:
            if not ek.index(mi) > 0:
                continue
            nouns = [
                closest_noun(mj, es, is_noun) for es in response for mj in es
                if mj == mi and closest_noun(mj, es, is_noun) is not None
            ]  # fmt: skip
            if not any(is_noun(ml) for ml in ek if ek.index(ml) < ek.index(mi)):
                wl += bool(nouns)
            elif not nouns:
                fn += 1
            elif any(mh == ml and ek.index(ml) < ek.index(mi) for mh in nouns for ml in ek):
                tp += 1
            else:
                wl += 1
    return tp, wl, fn, false_positives(key, response)


def anchor(key, response, is_noun):
    """Section 3.3, Table 2; singletons (D4) and key entities without anchor (D11) are left out."""
    key = [e for e in key if len(e) > 1]
    response = [e for e in response if len(e) > 1]

    def determine_anchor(entity):
        nouns = [m for m in entity if is_noun(m)]
        return nouns[0] if nouns else None

    ed = {"tp": 0, "fn": 0, "fp": 0}
    em = {"tp": 0, "fn": 0, "fp": 0}
    for ek in key:
        m_anchor = determine_anchor(ek)
        if m_anchor is None:
            continue
        if any(m_anchor in es for es in response):
            ed["tp"] += 1
        else:
            ed["fn"] += 1
    for es in response:
        m_anchor = determine_anchor(es)
        if m_anchor is not None and not any(m_anchor in ek for ek in key):
            ed["fp"] += 1
    for ek in key:
        m_anchor = determine_anchor(ek)
        holders = [es for es in response if m_anchor in es]
        if m_anchor is None or not holders:
            continue
        most = max(len(set(es) & set(ek)) for es in holders)
        es = next(es for es in holders if len(set(es) & set(ek)) == most)  # D12
        for mi in ek:
            em["tp" if mi in es else "fn"] += 1
        for mi in es:
            em["fp"] += mi not in ek
    return (ed["tp"], 0, ed["fn"], ed["fp"], em["tp"], 0, em["fn"], em["fp"])


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
            ranked.append((whole + partial, whole, -len(r), -number))
    return -max(ranked)[3] if ranked else None


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
        found.append("3")  # the rest, see docs/entities.md
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
