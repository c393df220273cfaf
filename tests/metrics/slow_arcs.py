"""The set formulas of Tuggener 2014, transcribed line by line, slow and obvious.

Entities are lists of mentions in the order of reading. Quantifiers are loops over everything;
nothing is indexed, so these take quadratic time and worse. Where the paper leaves a choice, the
decisions of docs/decisions/arcs.md are applied and named.
"""

from __future__ import annotations

__all__ = ["anchor", "immediate", "inferred"]


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
