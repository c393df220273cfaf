"""Moosavi & Strube 2016, "Which Coreference Evaluation Metric Do You Trust?": the LEA paper.

Figures 2 to 8 on the key of section 7, and Table 1 and the boundary rows of Table 4 on any data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, repeat
from math import comb

from corefmeter.analysis import identification
from corefmeter.corpus.model import Corpus, Entities
from corefmeter.metrics import title
from corefmeter.recipe import Recipe
from corefmeter.wings.lab import damage, partitions
from corefmeter.wings.lab.outcome import (
    METRICS,
    ROUNDING,
    Claim,
    Data,
    Experiment,
    Level,
    Response,
    Setup,
    Table,
    change_entities,
    clearly_greater,
    invent_documents,
    nearly_equal,
    percent,
)

#: The key of section 7: one entity of 20 mentions, two of 10, three of 5, one of 4, ten of 2.
LEA_SIZES = [20, 10, 10, 5, 5, 5, 4, *[2] * 10]

_SHARES = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]

#: The splits named in section 7.3, and one of each other size; none has singletons.
SPLITS = [
    *((2, 2), (3, 2), (5, 5), (8, 2), (5, 3, 2)),
    *((10, 10), (16, 4), (18, 2), (9, 9, 2), (9, 5, 6)),
]

#: Figure 7: number of extra mentions, and size of the entity they join; 0: they form an entity.
EXTRAS = [(1, 2), (1, 5), (1, 10), *((number, size) for number in (2, 3) for size in (0, 2, 5, 10))]


def lea_key() -> Entities:
    """Return the key of the LEA paper, section 7: 17 entities, 79 mentions, 326 links."""
    return partitions.entities_of_sizes(LEA_SIZES)


def _count_links(entities: Entities) -> int:
    return sum(comb(len(entity), 2) for entity in entities)


def resolved_share(key: Entities, share: float) -> Entities:
    """Return a part of a key that has about this share of its links, largest entities first.

    Whole entities are taken as long as their links do not exceed the share. From the next entity,
    the number of mentions is taken that comes closest to the share. The paper does not say which
    links are resolved.

    12 of 20 mentions have 12 * 11 / 2 = 66 of the 326 links, 20.2 %.

    >>> [len(entity) for entity in resolved_share(lea_key(), 0.2)]
    [12]
    """
    missing_links = share * _count_links(key)
    resolved: Entities = []
    for number in damage.by_size(key):
        entity = key[number]
        links = comb(len(entity), 2)
        if links > missing_links + ROUNDING:
            sizes = range(1, len(entity) + 1)
            size = min(sizes, key=lambda size: abs(comb(size, 2) - missing_links))
            return [*resolved, entity[:size]] if size > 1 else resolved
        resolved.append(list(entity))
        missing_links -= links
    return resolved


def _correct_links(setup: Setup, wrong_links: bool) -> Data:
    """Resolve shares of the links, with or without wrong links between all other mentions."""
    key = lea_key()

    def resolve(share: float) -> Entities:
        response = resolved_share(key, share)
        missing = {*chain.from_iterable(key)}.difference(*response) if wrong_links else ()
        return damage.reidentified_without_links(key, missing, response)

    return _at_shares(key, resolve)


def _at_shares(key: Entities, respond: Callable[[float], Entities]) -> Data:
    """Return the responses that a function makes for each share of links or mentions."""
    levels = [(f"{share:.0%}", 100 * share, respond(share)) for share in _SHARES]
    return invent_documents(key, levels)


def _check_figure_2(table: Table) -> Iterator[Claim]:
    metrics = ("blanc", "b3", "lea")
    by_level = zip(*map(table.of, metrics), strict=True)
    yield Claim(
        "BLANC F1 is less than or equal to that of B³ and of LEA, at each level",
        not any(clearly_greater(blanc, min(b3, lea)) for blanc, b3, lea in by_level),
        table.series(metrics),
    )
    yield Claim(
        "MUC and LEA are 0 without a correct link (so are all here: the response is empty)",
        table["0%", "muc"] == table["0%", "lea"] == 0,
        table.values_at(["0%"], METRICS),
    )


def _check_figure_3(table: Table) -> Iterator[Claim]:
    zeros = [m for m in METRICS if table["0%", m] == 0]
    gaps = [
        min(scores["blanc"].f1 - scores[m].f1 for m in METRICS if m != "blanc")
        for scores in table.scores[:-1]
    ]
    yield Claim(
        "MUC and LEA are the only metrics that give 0 where no link is correct",
        zeros == ["muc", "lea"],
        table.values_at(["0%"], METRICS),
    )
    yield Claim(
        "CEAFe drops when the correct links rise from 0 % to 20 %",
        table.rises("ceafe", "20%", "0%"),
        table.values_at(["0%", "20%"], ["ceafe"]),
    )
    yield Claim(
        "BLANC F1 is at least 20 points above that of all others, at each level below 100 %",
        min(gaps) >= 0.2,
        "least distance by level: " + ", ".join(map(percent, gaps)),
    )


def _whole_entities(setup: Setup, decreasing: bool) -> Data:
    """Resolve entity after entity by size; report F1 in the opposite order, too."""
    data, opposite = _resolve_in_order(decreasing), _resolve_in_order(not decreasing)
    table = Table(opposite, Recipe(metrics=METRICS), {})
    data.facts["f1_in_the_other_order"] = {m: table.of(m) for m in METRICS}
    return data


def _resolve_in_order(decreasing: bool) -> Data:
    key = lea_key()
    order = damage.by_size(key, decreasing)
    responses: list[Level] = []
    for number in range(len(key) + 1):
        response = [key[n] for n in order[:number]]
        share = 100 * _count_links(response) / _count_links(key)
        responses.append((f"{number} ({share:.0f}%)", float(number), response))
    return invent_documents(key, responses)


def _check_whole_entities(table: Table) -> Iterator[Claim]:
    opposite = table.facts["f1_in_the_other_order"]
    differences = {
        m: max(abs(a - b) for a, b in zip(table.of(m), opposite[m], strict=True)) for m in METRICS
    }
    yield Claim(
        "CEAFe gives the same F1 whichever entities are resolved, at each number of entities "
        "(Figures 4 and 5 are the same)",
        differences["ceafe"] <= ROUNDING,
        f"greatest difference {percent(differences['ceafe'])}",
    )
    by_level = zip(*map(table.of, ("b3", "ceafm", "lea")), strict=True)
    yield Claim(
        "B³, CEAFm and LEA give the same F1, at each number of entities",
        all(nearly_equal(b3, ceafm) and nearly_equal(b3, lea) for b3, ceafm, lea in by_level),
        table.series(("b3",)),
    )
    yield Claim(
        "BLANC is very sensitive to the number of links: of all metrics it differs most "
        "between the two orders, at the same number of entities",
        max(differences, key=lambda m: differences[m]) == "blanc",
        "greatest difference: "
        + ", ".join(f"{title(m)} {percent(differences[m])}" for m in METRICS),
    )


def _splits(setup: Setup) -> Data:
    key = lea_key()
    names = ["-".join(map(str, sizes)) for sizes in SPLITS]
    responses = [damage.split_entity(key, LEA_SIZES.index(sum(sizes)), sizes) for sizes in SPLITS]
    return invent_documents(key, zip(names, repeat(None), responses))


def _check_splits(table: Table) -> Iterator[Claim]:
    two, three = (
        [table[level, "muc"] for level in table.levels if len(level.split("-")) == parts]
        for parts in (2, 3)
    )
    yield Claim(
        "MUC only recognises the number of splits, whatever the sizes",
        nearly_equal(*two) and nearly_equal(*three) and clearly_greater(two[0], three[0]),
        f"two parts {percent(two[0])}, three parts {percent(three[0])}",
    )
    for a, b in (("2-2", "10-10"), ("9-9-2", "9-5-6")):
        yield Claim(
            f"CEAFe does not distinguish {a} from {b}",
            nearly_equal(table[a, "ceafe"], table[b, "ceafe"]),
            table.values_at([a, b], ["ceafe"]),
        )
    for metric, order in (
        ("b3", ["18-2", "5-3-2", "16-4"]),
        ("blanc", ["5-3-2", "18-2", "16-4"]),
        ("ceafm", ["18-2", "16-4", "5-3-2"]),
        ("ceafe", ["18-2", "16-4", "5-3-2"]),
        ("lea", ["18-2", "16-4", "5-3-2"]),
    ):
        first, second, third = order
        yield Claim(
            f"{title(metric)} ranks {' > '.join(order)}",
            table.rises(metric, second, first) and table.rises(metric, third, second),
            table.values_at(order, [metric]),
        )


def _extras(setup: Setup) -> Data:
    key = lea_key()
    responses: list[Level] = []
    for number, size in EXTRAS:
        extra = partitions.twinless_mentions(number, chain.from_iterable(key))
        if size:
            response = damage.add_to_entity(key, LEA_SIZES.index(size), extra)
        else:
            response = damage.add_entity(key, extra)
        responses.append((f"{number}-{size}", None, response))
    return invent_documents(key, responses)


def _check_extras(table: Table) -> Iterator[Claim]:
    distinct = {m: len({round(value, 9) for value in table.of(m)}) for m in METRICS}
    others = [m for m in METRICS if m not in ("muc", "ceafm")]
    yield Claim(
        "(1) MUC and CEAFm are the least discriminative: fewest different F1 values",
        max(distinct["muc"], distinct["ceafm"]) < min(distinct[m] for m in others),
        ", ".join(f"{title(m)} {distinct[m]}" for m in METRICS),
    )
    worst = {
        m: [level for level in table.levels if nearly_equal(table[level, m], min(table.of(m)))]
        for m in METRICS
    }
    yield Claim(
        "(2) all metrics but CEAFe rank 3-10 as the worst (several may be as bad)",
        [m for m in METRICS if "3-10" in worst[m]] == [m for m in METRICS if m != "ceafe"],
        "worst: " + "; ".join(f"{title(m)} {', '.join(worst[m])}" for m in METRICS),
    )
    yield Claim(
        "(3) CEAFe takes 2-0 and 3-0 for the worst outputs",
        worst["ceafe"] == ["2-0", "3-0"],
        table.values_at(["2-0", "3-0", "3-10"], ["ceafe"]),
    )
    less_harmful = [
        m for m in METRICS if table.rises(m, "1-2", "2-0") and table.rises(m, "1-10", "2-0")
    ]
    yield Claim(
        "(4) LEA is the only metric that takes 2-0 for less harmful than 1-2 or 1-10",
        less_harmful == ["lea"],
        table.values_at(["2-0", "1-2", "1-10"], METRICS),
    )
    single = ["1-2", "1-5", "1-10"]
    yield Claim(
        "(4) LEA does not distinguish outputs with one extra mention in an entity",
        nearly_equal(*(table[level, "lea"] for level in single)),
        table.values_at(single, ["lea"]),
    )


def _identification(setup: Setup) -> Data:
    key = lea_key()
    mentions = [*chain.from_iterable(key)]
    order = partitions.generator(setup.seed).sample(mentions, len(mentions))

    def identify(share: float) -> Entities:
        return damage.reidentified_without_links(key, order[: round(share * len(order))])

    return _at_shares(key, identify)


def _check_identification(table: Table) -> Iterator[Claim]:
    others = [m for m in METRICS if m not in ("muc", "lea")]
    yield Claim(
        "MUC and LEA are 0 throughout, for no link is correct",
        not any(table.of("muc")) and not any(table.of("lea")),
        table.series(("muc", "lea")),
    )
    yield Claim(
        "B³, CEAF and BLANC are above 0 as soon as a mention is identified",
        all(min(table.of(m)[1:]) > 0 for m in others),
        table.series(others),
    )


def _make_table_1(setup: Setup) -> Data:
    key, base = partitions.paired_documents(setup.key, setup.response)
    pairs = list(zip(key, base, strict=True))

    def change_each(change: Callable[[Entities, Entities], Entities]) -> Corpus:
        return Corpus(
            [partitions.with_entities(r, change(k.entities, r.entities)) for k, r in pairs]
        )

    responses = {
        "base": base,
        "more precise": change_each(identification.more_precise),
        "less precise a": change_each(identification.less_precise_a),
        "less precise b": change_each(identification.less_precise_b),
        "less precise b, as printed": change_each(damage.linked_wrongly_in_one_pair),
    }
    entities = {level: len(partitions.sizes_of(corpus)) for level, corpus in responses.items()}
    facts = {
        "incorrectly_resolved_mentions": sum(
            len(identification.incorrectly_resolved(k.entities, r.entities)) for k, r in pairs
        ),
        "new_entities_of_less_precise_a": entities["less precise a"] - entities["base"],
        "new_entities_of_less_precise_b": entities["less precise b"] - entities["base"],
    }
    return Data(key, [Response(level, None, corpus) for level, corpus in responses.items()], facts)


def _check_table_1(table: Table) -> Iterator[Claim]:
    """Yield the claims; those about a response do not apply if it equals the base."""
    changes = {
        "more precise": table.facts["incorrectly_resolved_mentions"],
        "less precise a": table.facts["new_entities_of_less_precise_a"],
        "less precise b": table.facts["new_entities_of_less_precise_b"],
        "less precise b, as printed": table.facts["new_entities_of_less_precise_b"],
    }

    def claim(level: str, text: str, holds: bool, numbers: str) -> Claim:
        return Claim(f"{level}: {text}", holds if changes[level] > 0 else None, numbers)

    def values(metric: str, level: str, score: str) -> tuple[float, float]:
        by_level = dict(zip(table.levels, table.of(metric, score), strict=True))
        return by_level["base"], by_level[level]

    def shown(before: float, after: float) -> str:
        return f"{percent(before)} to {percent(after)}"

    for level in changes:
        recalls = {m: values(m, level, "recall") for m in METRICS}
        yield claim(
            level,
            "recall changes for B³, CEAF and BLANC, and stays for MUC and LEA",
            {m for m in METRICS if nearly_equal(*recalls[m])} == {"muc", "lea"},
            "; ".join(f"{title(m)} {shown(*recalls[m])}" for m in METRICS),
        )
    for text, metric, score in (
        ("CEAFe recall and precision both fall", "ceafe", "precision"),
        ("BLANC recall falls so much that F1 falls", "blanc", "f1"),
    ):
        recall, second = (values(metric, "more precise", name) for name in ("recall", score))
        yield claim(
            "more precise",
            text,
            clearly_greater(*recall) and clearly_greater(*second),
            f"recall {shown(*recall)}, {score.replace('f1', 'F1')} {shown(*second)}",
        )
    metrics = ("b3", "ceafe", "blanc")
    for level in ("less precise a", "less precise b", "less precise b, as printed"):
        ceafe_rises = level == "less precise a"
        text = "B³, CEAFe and BLANC F1 rise above base, though only wrong links came"
        if not ceafe_rises:
            text = "B³ and BLANC F1 rise above base, though only wrong links came; CEAFe falls (in "
            text += "the paper 57.05 to 56.51)"
        rises = [table.rises(m, "base", level) for m in metrics]
        numbers = table.values_at(["base", level], metrics)
        yield claim(level, text, rises == [True, ceafe_rises, True], numbers)


def _boundaries(setup: Setup) -> Data:
    key, base = partitions.paired_documents(setup.key, setup.response)
    responses = [
        Response("base", None, base),
        Response("sys-sing", None, change_entities(base, damage.all_singletons)),
        Response("sys-1ent", None, change_entities(base, damage.one_entity)),
    ]
    return Data(key, responses, {})


def _check_boundaries(table: Table) -> Iterator[Claim]:
    yield Claim(
        "sys-sing: MUC and LEA are 0, B³ and CEAFe are not (the paper's key has no singletons)",
        table["sys-sing", "muc"] == table["sys-sing", "lea"] == 0
        and min(table["sys-sing", "b3"], table["sys-sing", "ceafe"]) > 0,
        table.values_at(["sys-sing"], METRICS),
    )
    yield Claim(
        "sys-1ent: MUC is far above B³, CEAFe and LEA (44 against less than 5 in the paper)",
        all(table["sys-1ent", "muc"] > 2 * table["sys-1ent", m] for m in ("b3", "ceafe", "lea")),
        table.values_at(["sys-1ent"], METRICS),
    )


_LEA = "Moosavi & Strube 2016"

EXPERIMENTS = (
    Experiment(
        "lea-figure2",
        "Correct links, without incorrect ones",
        f"{_LEA}, section 7.1, Figure 2",
        "resolved coreference links (%)",
        partial(_correct_links, wrong_links=False),
        _check_figure_2,
        reading="links are resolved from the largest entity on, in whole entities and one part",
    ),
    Experiment(
        "lea-figure3",
        "Correct links in the presence of incorrect ones",
        f"{_LEA}, section 7.1, Figure 3",
        "resolved coreference links (%)",
        partial(_correct_links, wrong_links=True),
        _check_figure_3,
        reading="as lea-figure2; the other mentions are dealt to the fewest entities that hold "
        "them without a correct link",
    ),
    Experiment(
        "lea-figure4",
        "Entities resolved in decreasing order",
        f"{_LEA}, section 7.2, Figure 4",
        "number of resolved entities",
        partial(_whole_entities, decreasing=True),
        _check_whole_entities,
    ),
    Experiment(
        "lea-figure5",
        "Entities resolved in increasing order",
        f"{_LEA}, section 7.2, Figure 5",
        "number of resolved entities",
        partial(_whole_entities, decreasing=False),
        _check_whole_entities,
    ),
    Experiment(
        "lea-figure6",
        "One entity is split",
        f"{_LEA}, section 7.3, Figure 6",
        "sizes of the parts",
        _splits,
        _check_splits,
    ),
    Experiment(
        "lea-figure7",
        "Extra mentions",
        f"{_LEA}, section 7.4, Figure 7",
        "number of extra mentions - size of the entity they join (0: none)",
        _extras,
        _check_extras,
    ),
    Experiment(
        "lea-figure8",
        "Mentions identified without a correct link",
        f"{_LEA}, section 7.5, Figure 8",
        "identified mentions (%)",
        _identification,
        _check_identification,
        reading="which mentions are identified is drawn; they are linked as in lea-figure3",
    ),
    Experiment(
        "lea-table1",
        "The mention identification effect",
        f"{_LEA}, section 2, Table 1",
        "response",
        _make_table_1,
        _check_table_1,
        needs="response",
        all_scores=True,
        reading="see corefmeter.analysis.identification",
    ),
    Experiment(
        "lea-table4",
        "Boundary responses",
        f"{_LEA}, section 6, Table 4",
        "response",
        _boundaries,
        _check_boundaries,
        needs="key",
        all_scores=True,
        reading="without a response the mentions are those of the key",
    ),
)
