"""Every metric written from its definition: slow, obvious and exact.

Nothing here uses the package. A document is two lists of entities, an entity is a list of mentions;
numbers are fractions, links are sets of pairs, and CEAF weighs every set of partners. `SLOW` maps
the name of a metric to a `Definition`; documents are pooled by adding the counts of a definition.

In the key each mention stands once. A response mention that the key lacks may stand several times;
each copy counts as a wrong mention, links are sets of distinct pairs, and a mention that stands
twice is paired with itself, as the official scorer v8.01 counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import fsum, lcm, log
from typing import Any, NamedTuple

Entities = list[list[Any]]


class Expected(NamedTuple):
    """Scores by definition; a value that is 0/0 is None."""

    recall: Fraction | float | None
    precision: Fraction | float | None
    f1: Fraction | float | None


class Definition(NamedTuple):
    """Counts of one document, and the scores that sums of such counts mean."""

    counts: Callable[[Entities, Entities], tuple]
    scores: Callable[[Sequence], Expected]


def f_measure(recall, precision):
    """2RP/(R+P), and 0 when nothing is right."""
    return 2 * recall * precision / (recall + precision) if recall + precision else Fraction(0)


def ratio(numerator, denominator):
    if isinstance(numerator, float):
        return numerator / denominator if denominator else None
    return Fraction(numerator, 1) / denominator if denominator else None


def ratio_scores(sums) -> Expected:
    """R and P from their numerators and denominators. F1 is 0/0 only if both are."""
    rn, rd, pn, pd = sums
    recall, precision = ratio(rn, rd), ratio(pn, pd)
    if recall is None and precision is None:
        return Expected(None, None, None)
    if recall is None or precision is None:
        return Expected(recall, precision, Fraction(0))
    return Expected(recall, precision, f_measure(recall, precision))


def both_sides(one_side):
    """A metric whose precision is its recall with the sides exchanged."""

    def counts(key, response):
        return (*one_side(key, response), *one_side(response, key))

    return Definition(counts, ratio_scores)


def mentions_of(entities: Entities) -> list:
    return [mention for entity in entities for mention in entity]


# Mentions


def found(entities, others):
    mine, theirs = set(mentions_of(entities)), set(mentions_of(others))
    return len(mine & theirs), len(mine)


# MUC: Vilain et al. 1995; Moosavi & Strube 2016, section 3.1


def parts(entity, others):
    """The partition p(entity) by the other side; each mention that it lacks is a part alone."""
    cut = [[mention for mention in entity if mention in other] for other in others]
    missing = [[mention] for mention in entity if not any(mention in other for other in others)]
    return [part for part in cut if part] + missing


def muc_side(entities, others):
    return (
        sum(len(entity) - len(parts(entity, others)) for entity in entities),
        sum(len(entity) - 1 for entity in entities),
    )


# B-cubed: Bagga & Baldwin 1998, mention by mention


def b3_side(entities, others):
    total, mentions = Fraction(0), 0
    for entity in entities:
        for mention in entity:
            mentions += 1
            for other in others:
                if mention in other:
                    total += Fraction(len(set(entity) & set(other)), len(entity))
    return total, mentions


# CEAF: Luo 2005, equations 1 to 9


def phi1(k, r):
    return Fraction(sorted(map(repr, k)) == sorted(map(repr, r)))


def phi2(k, r):
    return Fraction(bool(set(k) & set(r)))


def phi3(k, r):
    """Common mentions; compared with itself, an entity shares all its copies."""
    return Fraction(len(k) if k is r else len(set(k) & set(r)))


def phi4(k, r):
    return 2 * phi3(k, r) / (len(k) + len(r))


def best_total(similarity: list[list[Fraction]]) -> Fraction:
    """The greatest total over all one-to-one maps of rows to columns, exactly."""
    if not similarity or not similarity[0]:
        return Fraction(0)
    if len(similarity) > len(similarity[0]):
        similarity = [list(column) for column in zip(*similarity, strict=True)]
    # Whole numbers, for speed: multiply by the common denominator, divide at the end.
    unit = lcm(*(value.denominator for row in similarity for value in row))
    rows = [[int(value * unit) for value in row] for row in similarity]
    # The greatest total of the rows so far, for each set of used columns that later rows may want.
    best = {frozenset(): 0}
    for i, row in enumerate(rows):
        wanted = {j for later in rows[i + 1 :] for j, value in enumerate(later) if value}
        before, best = best, {}
        for used, total in before.items():
            partners = [(j, value) for j, value in enumerate(row) if value and j not in used]
            for taken, more in [(used, 0), *((used | {j}, value) for j, value in partners)]:
                still = taken & wanted
                best[still] = max(best.get(still, 0), total + more)
    return Fraction(max(best.values()), unit)


def ceaf(phi) -> Definition:
    def counts(key, response):
        total = best_total([[phi(k, r) for r in response] for k in key])
        return total, sum(phi(k, k) for k in key), total, sum(phi(r, r) for r in response)

    return Definition(counts, ratio_scores)


# Links and BLANC: Luo et al. 2014, section 2 and 4


def coreference_links(entities) -> set:
    return {frozenset(pair) for entity in entities for pair in combinations(entity, 2)}


def noncoreference_links(entities) -> set:
    return {
        frozenset((one, other))
        for entity, another in combinations(entities, 2)
        for one in entity
        for other in another
    }


def links_side(entities, others):
    links = coreference_links(entities)
    return len(links & coreference_links(others)), len(links)


def blanc_counts(key, response):
    c_key, c_response = coreference_links(key), coreference_links(response)
    n_key, n_response = noncoreference_links(key), noncoreference_links(response)
    m_key, m_response = set(mentions_of(key)), set(mentions_of(response))
    return (
        len(c_key & c_response), len(c_key), len(c_response),
        len(n_key & n_response), len(n_key), len(n_response),
        len(m_key & m_response), len(m_key), len(m_response),
    )  # fmt: skip


def recasens_counts(key, response):
    """Links among the mentions of both sides only (the contingency table of equations 2 to 7)."""
    common = set(mentions_of(key)) & set(mentions_of(response))

    def among(entities):
        return [[mention for mention in entity if mention in common] for entity in entities]

    return blanc_counts(among(key), among(response))


def mean(kinds: list[Expected]) -> Expected:
    """Mean R, P and F of kinds of links. What is 0/0 for one kind counts 0, for all it is 0/0."""
    return Expected(
        *(
            None
            if all(v is None for v in values)
            else Fraction(sum(v or 0 for v in values), len(values))
            for values in zip(*kinds, strict=True)
        )
    )


def kind(common, key, response) -> Expected:
    return ratio_scores((common, key, common, response))


def blanc_official(sums) -> Expected:
    """Only the kinds of link that the key has are averaged."""
    c, c_key, c_response, n, n_key, n_response = sums[:6]
    kinds = []
    if c_key:
        kinds.append(kind(c, c_key, c_response))
    if n_key:
        kinds.append(kind(n, n_key, n_response))
    return mean(kinds) if kinds else Expected(None, None, None)


def blanc_luo2014(sums) -> Expected:
    """Section 4.1: cases (1), (2) and (3), else equation 19."""
    c, c_key, c_response, n, n_key, n_response, m, m_key, m_response = sums
    coreference = kind(c, c_key, c_response)
    noncoreference = kind(n, n_key, n_response)
    if c_key == c_response == n_key == n_response == 0:
        if m_key == m_response == 0:
            return Expected(None, None, None)
        same = Fraction(m == m_key == m_response)
        return Expected(same, same, same)
    if c_key == c_response == 0:
        return noncoreference
    if n_key == n_response == 0:
        return coreference
    return mean([coreference, noncoreference])


def blanc_corefud(sums) -> Expected:
    """corefud-scorer: a kind is left out only if neither side has such links."""
    c, c_key, c_response, n, n_key, n_response = sums[:6]
    kinds = []
    if c_key or c_response:
        kinds.append(kind(c, c_key, c_response))
    if n_key or n_response:
        kinds.append(kind(n, n_key, n_response))
    return mean(kinds) if kinds else Expected(None, None, None)


# LEA: Moosavi & Strube 2016, section 4


def link(entity) -> int:
    return 1 if len(entity) == 1 else len(list(combinations(entity, 2)))


def common_links(entity, other) -> int:
    if len(entity) == 1:
        return int(len(other) == 1 and entity[0] == other[0])
    return len(list(combinations(sorted(set(entity) & set(other), key=repr), 2)))


def lea(importance=len) -> Definition:
    def side(entities, others):
        resolved = Fraction(0)
        for entity in entities:
            links = sum(common_links(entity, other) for other in others)
            resolved += Fraction(importance(entity)) * Fraction(links, link(entity))
        return resolved, sum(Fraction(importance(entity)) for entity in entities)

    return both_sides(side)


# Agreement of clusterings, on the mentions of both sides


def common_mentions(key, response) -> list:
    theirs = set(mentions_of(response))
    return [mention for mention in mentions_of(key) if mention in theirs]


def home(entities) -> dict:
    return {mention: index for index, entity in enumerate(entities) for mention in entity}


def pair_table(key, response):
    """For each pair of common mentions: whether the key, and whether the response links them."""
    in_key, in_response = home(key), home(response)
    return [
        (in_key[a] == in_key[b], in_response[a] == in_response[b])
        for a, b in combinations(common_mentions(key, response), 2)
    ]


def rand_counts(key, response):
    table = pair_table(key, response)
    return sum(in_key == in_response for in_key, in_response in table), len(table)


def one_number(numerator, denominator) -> Expected:
    value = ratio(numerator, denominator)
    return Expected(value, value, value)


def ari_counts(key, response):
    """Index, expected index, greatest index (Hubert & Arabie 1985, equation 5), and all pairs."""
    table = pair_table(key, response)
    in_key = sum(k for k, _ in table)
    in_response = sum(r for _, r in table)
    return (
        sum(k and r for k, r in table),
        Fraction(in_key * in_response, len(table)) if table else Fraction(0),
        Fraction(in_key + in_response, 2),
        len(table),
    )


def ari_scores(sums) -> Expected:
    index, expected, greatest, total = sums
    if total and expected == greatest:
        return one_number(1, 1)
    return one_number(index - expected, greatest - expected)


def vmeasure_counts(key, response):
    """Conditional and plain entropies (Rosenberg & Hirschberg 2007, section 3), times mentions."""
    common = common_mentions(key, response)
    in_key, in_response, n = home(key), home(response), len(common)

    def count(*labels):
        return sum(all(where[m] == label for where, label in labels) for m in common)

    def entropy(where):
        sizes = [count((where, label)) for label in {where[m] for m in common}]
        return -fsum(size * log(size / n) for size in sizes)

    def conditional(where, given):
        cells = {(where[m], given[m]) for m in common}
        return -fsum(
            count((where, a), (given, b)) * log(count((where, a), (given, b)) / count((given, b)))
            for a, b in cells
        )

    return (
        conditional(in_response, in_key),
        entropy(in_response),
        conditional(in_key, in_response),
        entropy(in_key),
        n,
    )


def vmeasure_scores(sums) -> Expected:
    """Completeness 1 - H(response|key)/H(response), homogeneity 1 - H(key|response)/H(key)."""
    response_given_key, response, key_given_response, key, n = sums
    if not n:
        return Expected(None, None, None)
    completeness = 1 - response_given_key / response if response else 1.0
    homogeneity = 1 - key_given_response / key if key else 1.0
    return Expected(completeness, homogeneity, f_measure(completeness, homogeneity))


def fmi_counts(key, response):
    """Pairs that both link, and that each links, of the mentions of both sides."""
    table = pair_table(key, response)
    return sum(k and r for k, r in table), sum(k for k, _ in table), sum(r for _, r in table)


def fmi_scores(sums) -> Expected:
    """Fowlkes & Mallows 1983: T / sqrt(P Q)."""
    common, key, response = sums
    recall, precision, f1 = ratio_scores((common, key, common, response))
    if key and response:
        f1 = common / (key * response) ** 0.5
    return Expected(recall, precision, f1)


def entropies(key, response):
    """The joint entropy, those of the key and of the response, times mentions; and mentions."""
    common = common_mentions(key, response)
    in_key, in_response, n = home(key), home(response), len(common)

    def entropy(label):
        labels = [label(mention) for mention in common]
        return -fsum(log(labels.count(one) / n) for one in labels)

    return (
        entropy(lambda m: (in_key[m], in_response[m])),
        entropy(in_key.get), entropy(in_response.get), n, n * log(n) if n else 0,
    )  # fmt: skip


def nmi(mean) -> Definition:
    """Vinh et al. 2010, table 2; 1 where no side says anything, 0 where one says nothing."""

    def scores(sums) -> Expected:
        joint, key, response, n, _ = sums
        if not n:
            return Expected(None, None, None)
        if not key or not response:
            return one_number(int(key == response), 1)
        value = (key + response - joint) / mean(key, response)
        return Expected(value, value, value)

    return Definition(entropies, scores)


NMI = {
    "arithmetic": nmi(lambda a, b: (a + b) / 2),
    "geometric": nmi(lambda a, b: (a * b) ** 0.5),
    "min": nmi(min),
    "max": nmi(max),
}


def vi_scores(sums) -> Expected:
    """Meila 2007: VI = 2 H(K, R) - H(K) - H(R), at most log N."""
    joint, key, response, _, greatest = sums
    if not greatest:
        return Expected(None, None, None)
    value = 1 - (2 * joint - key - response) / greatest
    return Expected(value, value, value)


# Measures of the best partner


def closest_side(entities, others):
    """Menestrina et al. 2010, section 2: the Jaccard coefficient of the nearest cluster."""

    def jaccard(entity, other):
        common = len(set(entity) & set(other))
        return Fraction(common, len(entity) + len(other) - common)

    return (
        sum(max([jaccard(e, other) for other in others], default=0) for e in entities),
        len(entities),
    )


def inverse_purity_side(entities, others):
    return (
        sum(max([len(set(e) & set(other)) for other in others], default=0) for e in entities),
        len(mentions_of(entities)),
    )


# Generalised merge distance: Menestrina et al. 2010, section 3, operation by operation


def merging(sizes: list[int], cost):
    """What it costs to merge parts one after the other."""
    total, so_far = 0, sizes[0]
    for size in sizes[1:]:
        total += cost(so_far, size)
        so_far += size
    return total


def gmd(cost=lambda x, y: 1) -> Definition:
    def side(entities, others):
        needed = whole = 0
        for entity in entities:
            needed += merging([len(part) for part in parts(entity, others)], cost)
            whole += merging([1] * len(entity), cost)
        return whole - needed, whole

    return both_sides(side)


GMD = {
    "basic": gmd(),
    "pairs": gmd(lambda x, y: x * y),
    "information": gmd(lambda x, y: (x + y) * log(x + y) - x * log(x) - y * log(y)),
}

#: The definition of each metric, by name.
SLOW: dict[str, Definition] = {
    "mentions": both_sides(found),
    "muc": both_sides(muc_side),
    "b3": both_sides(b3_side),
    "ceafm": ceaf(phi3),
    "ceafe": ceaf(phi4),
    "blanc": Definition(blanc_counts, blanc_official),
    "lea": lea(),
    "ceaf1": ceaf(phi1),
    "ceaf2": ceaf(phi2),
    "ceaf": ceaf(phi4),
    "links": both_sides(links_side),
    "rand": Definition(rand_counts, lambda sums: one_number(*sums)),
    "ari": Definition(ari_counts, ari_scores),
    "fmi": Definition(fmi_counts, fmi_scores),
    "vmeasure": Definition(vmeasure_counts, vmeasure_scores),
    "nmi": NMI["arithmetic"],
    "vi": Definition(entropies, vi_scores),
    "closest": both_sides(closest_side),
    "purity": both_sides(inverse_purity_side),
    "gmd": GMD["basic"],
}

#: The definitions of BLANC, by policy.
BLANC: dict[str, Definition] = {
    "official": SLOW["blanc"],
    "luo2014": Definition(blanc_counts, blanc_luo2014),
    "corefud": Definition(blanc_counts, blanc_corefud),
    "recasens2011": Definition(recasens_counts, blanc_official),
}


def score(definition: Definition, documents) -> Expected:
    """The pooled scores of pairs of key and response."""
    rows = [definition.counts(key, response) for key, response in documents]
    return definition.scores([sum(column) for column in zip(*rows, strict=True)])
