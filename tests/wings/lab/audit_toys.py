"""Metrics for tests of the audit: one that obeys every law, and for each law one that breaks it.

Each is a function from key and response to (recall, precision, f1), or to F1 alone; where F1 alone
is enough, the laws about recall and precision do not apply.
"""

from __future__ import annotations

from itertools import combinations

from corefmeter.analysis.identification import incorrectly_resolved
from corefmeter.metrics.lea import Lea


def f(recall: float, precision: float, beta: float = 1.0) -> float:
    below = beta * beta * precision + recall
    return (1 + beta * beta) * recall * precision / below if below else 0.0


def once(entities):
    """Entities with the first copy of each mention only."""
    seen: set = set()
    kept = [[m for m in e if not (m in seen or seen.add(m))] for e in entities]
    return [e for e in kept if e]


def links(entity) -> set:
    """Pairs; of a singleton, the mention with itself."""
    own = set(entity)
    return {frozenset(pair) for pair in combinations(own, 2)} if len(own) > 1 else {tuple(own)}


def resolved(entities, others) -> float:
    """The share of mentions in resolved entities: each counts by its share of correct links."""
    there = set().union(*map(links, others))
    total = sum(map(len, entities))
    right = sum(len(e) * len(links(e) & there) / len(links(e)) for e in entities)
    return right / total if total else 0.0


def good(key, response):
    """LEA, written anew; it obeys all laws but that of better documents, by five mentions."""
    key, response = once(key), once(response)
    recall, precision = resolved(key, response), resolved(response, key)
    return recall, precision, f(recall, precision)


def good_f1(key, response) -> float:
    return good(key, response)[2]


def mentions(entities) -> set:
    return {m for e in entities for m in e}


def same(key, response) -> bool:
    return set(map(frozenset, key)) == set(map(frozenset, response))


def never_1(key, response):
    return tuple(0.99 * value for value in good(key, response))


def blind_to_extra_singletons(key, response) -> float:
    found, wanted = mentions(response), mentions(key)
    seen_key = [e for e in key if len(e) > 1 or e[0] in found]
    seen_response = [e for e in once(response) if len(e) > 1 or e[0] in wanted]
    return 1.0 if seen_key and same(seen_key, seen_response) else good_f1(key, response)


def rewards_found_mentions(key, response) -> float:
    found, wanted = mentions(response), mentions(key)
    dice = 2 * len(found & wanted) / (len(found) + len(wanted))
    return 0.99 * good_f1(key, response) + 0.01 * dice


def recall_beyond_1(key, response):
    recall, precision, f1 = good(key, response)
    return (1.0 if recall == 1 else 3 * recall), precision, f1


def precision_counts_double(key, response):
    recall, precision, _ = good(key, response)
    return recall, precision, f(recall, precision, beta=0.5)


def twinless_pairs_cost_recall(key, response):
    recall, precision, f1 = good(key, response)
    wanted = mentions(key)
    there = set().union(*map(links, key))
    for entity in once(response):
        if not links(entity) & there and len(set(entity) - wanted) > 1:
            return 0.9 * recall, precision, f1
    return recall, precision, f1


def wrong_guests_cost_recall(key, response):
    """A mention without a correct link, in an entity with one, costs recall (or precision)."""

    def share(entities, others):
        wrong = set(incorrectly_resolved(others, entities))
        there = set().union(*map(links, others))
        return 0.9 if any(links(e) & there and wrong & set(e) for e in entities) else 1.0

    key, response = once(key), once(response)
    recall, precision, f1 = good(key, response)
    return recall * share(response, key), precision * share(key, response), f1


def parts_halve(key, response) -> float:
    """Half of F1 where an entity of one side has mentions in two of the other."""

    def parted(entities, others):
        return any(sum(bool(set(e) & set(o)) for o in others) > 1 for e in entities)

    key, response = once(key), once(response)
    factor = 0.5 if parted(key, response) or parted(response, key) else 1.0
    return factor * good_f1(key, response)


def two_parts_are_worst(key, response) -> float:
    """Little where an entity of one side is in exactly two parts on the other."""

    def in_two(entities, others):
        return any(sum(set(o) <= set(e) for o in others) == 2 for e in entities)

    key, response = once(key), once(response)
    factor = 0.1 if in_two(key, response) or in_two(response, key) else 1.0
    return factor * good_f1(key, response)


def prefers_mentions_together(key, response) -> float:
    """Less where a mention that is with others on one side is alone on the other."""

    def alone(entities, others):
        linked = mentions(e for e in entities if len(e) > 1)
        return any(len(e) == 1 and e[0] in linked for e in others)

    key, response = once(key), once(response)
    f1 = good_f1(key, response)
    return 0.9 * f1 if alone(key, response) or alone(response, key) else f1


def wants_few_right_entities(key, response) -> float:
    """The more entities are right, the more the others cost."""
    key, response = once(key), once(response)
    right = set(map(frozenset, key)) & set(map(frozenset, response))
    return good_f1(key, response) ** (1 + len(right))


def twinless_singletons_count_double(key, response) -> float:
    def share(entities, others):
        wanted = mentions(others)
        more = sum(len(e) == 1 and e[0] not in wanted for e in entities)
        total = sum(map(len, entities))
        return resolved(entities, others) * total / (total + more) if total else 0.0

    key, response = once(key), once(response)
    return f(share(key, response), share(response, key))


def any_cut_in_two_is_alike(key, response) -> float:
    """0.6 where entities were cut in two or put together in twos, and not all links are gone."""

    def cut(entities, others):
        if mentions(entities) != mentions(others):
            return False
        parts = [sum(bool(set(e) & set(o)) for o in others) for e in entities]
        return sum(parts) == len(others) and max(parts, default=0) == 2

    key, response = once(key), once(response)
    f1 = good_f1(key, response)
    return 0.6 if f1 and (cut(key, response) or cut(response, key)) else f1


#: LEA in which all entities weigh the same.
size_blind = Lea(lambda entity: 1)


def likes_copies(key, response) -> float:
    f1 = good_f1(key, response)
    return min(1.0, 1.1 * f1) if once(response) != [list(e) for e in response] else f1


def dislikes_spans(key, response) -> float:
    f1 = good_f1(key, response)
    return 0.99 * f1 if f1 < 1 and any(isinstance(m, tuple) for m in mentions(key)) else f1


def likes_one_entity(key, response) -> float:
    key, response = once(key), once(response)
    f1 = good_f1(key, response)
    whole = mentions(key) == mentions(response) and 1 in (len(key), len(response))
    return max(f1, 0.9) if whole and f1 else f1


def likes_singletons(key, response) -> float:
    key, response = once(key), once(response)
    f1 = good_f1(key, response)
    alone = any(side and max(map(len, side)) == 1 for side in (key, response))
    return max(f1, 0.9) if alone and mentions(key) & mentions(response) else f1


def depends_on_the_length(key, response) -> float:
    return good_f1(key, response) ** (1 + 1 / len(mentions(key) | mentions(response)))


def b3_of_every_copy(key, response):
    """B³ as its formula stands: each response entity is compared, whatever it repeats."""
    pairs = [(set(k), set(r)) for k in key for r in response]
    recall = sum(len(k & r) ** 2 / len(k) for k, r in pairs)
    precision = sum(len(k & r) ** 2 / len(r) for k, r in pairs)
    wanted, found = (sum(len(set(e)) for e in side) for side in (key, response))
    recall, precision = recall / max(wanted, 1), precision / max(found, 1)
    return recall, precision, f(recall, precision)


def words(key, response) -> str:
    return "much"


def two_numbers(key, response):
    return 0.5, 0.5


def half(key, response) -> float:
    return 0.5


def divides_by_entities(key, response) -> float:
    return len(key) / len(response)


not_a_metric = 3

#: law -> a metric that breaks it, and the laws that it breaks.
TOYS = {
    "perfect-is-1": (never_1, {"perfect-is-1"}),
    "1-is-perfect": (blind_to_extra_singletons, {"1-is-perfect", "better-documents-do-not-lower"}),
    "no-link-is-0": (rewards_found_mentions, {"no-link-is-0", "better-documents-do-not-lower"}),
    "bounded": (recall_beyond_1, {"bounded", "symmetric"}),
    "symmetric": (precision_counts_double, {"symmetric", "better-documents-do-not-lower"}),
    "wrong-entities-keep-recall": (
        twinless_pairs_cost_recall,
        {"wrong-entities-keep-recall", "symmetric"},
    ),
    "fewer-wrong-links-keep-recall": (
        wrong_guests_cost_recall,
        {"fewer-wrong-links-keep-recall"},
    ),
    "correct-links-do-not-lower": (
        parts_halve,
        {"correct-links-do-not-lower", "better-documents-do-not-lower"},
    ),
    "splits-do-not-raise": (
        two_parts_are_worst,
        {
            "splits-do-not-raise",
            "correct-links-do-not-lower",
            "better-documents-do-not-lower",
            "cuts-of-wrong-links-do-not-lower",
        },
    ),
    "cuts-of-wrong-links-do-not-lower": (
        prefers_mentions_together,
        {"cuts-of-wrong-links-do-not-lower"},
    ),
    "perfect-entities-do-not-lower": (
        wants_few_right_entities,
        {
            "perfect-entities-do-not-lower",
            "better-documents-do-not-lower",
            "cuts-of-wrong-links-do-not-lower",
            "all-in-one-not-best",
            "additive",
        },
    ),
    "better-documents-do-not-lower": (
        twinless_singletons_count_double,
        {"better-documents-do-not-lower", "cuts-of-wrong-links-do-not-lower"},
    ),
    "larger-splits-cost-more": (
        any_cut_in_two_is_alike,
        {"larger-splits-cost-more", "larger-merges-cost-more", "better-documents-do-not-lower"},
    ),
    "larger-merges-cost-more": (
        any_cut_in_two_is_alike,
        {"larger-splits-cost-more", "larger-merges-cost-more", "better-documents-do-not-lower"},
    ),
    "larger-losses-cost-more": (
        size_blind,
        {
            "larger-losses-cost-more",
            "larger-splits-cost-more",
            "larger-merges-cost-more",
            "cuts-of-wrong-links-do-not-lower",
        },
    ),
    "no-credit-twice": (likes_copies, {"no-credit-twice"}),
    "names-mean-nothing": (dislikes_spans, {"names-mean-nothing"}),
    "all-in-one-not-best": (
        likes_one_entity,
        {
            "all-in-one-not-best",
            "better-documents-do-not-lower",
            "cuts-of-wrong-links-do-not-lower",
            "perfect-entities-do-not-lower",
        },
    ),
    "all-singletons-not-best": (
        likes_singletons,
        {
            "all-singletons-not-best",
            "better-documents-do-not-lower",
            "perfect-entities-do-not-lower",
            "no-link-is-0",
            "correct-links-do-not-lower",
            "splits-do-not-raise",
        },
    ),
    "additive": (depends_on_the_length, {"additive"}),
}
