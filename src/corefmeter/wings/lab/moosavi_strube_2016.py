"""Moosavi & Strube 2016, "Which Coreference Evaluation Metric Do You Trust?": the LEA paper.

Figures 2 to 8 on the key of section 7, and Table 1 and the boundary rows of Table 4 on any data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any

from corefmeter.analysis import identification
from corefmeter.corpus.model import Corpus, Entities
from corefmeter.metrics import title
from corefmeter.recipe import Recipe
from corefmeter.wings.lab import damage
from corefmeter.wings.lab.outcome import (
    METRICS,
    ROUNDING,
    Claim,
    Experiment,
    Level,
    Made,
    Response,
    Setup,
    Table,
    change_entities,
    clearly_greater,
    invent_documents,
    nearly_equal,
    percent,
    series,
    values_at,
)
from corefmeter.wings.lab.partitions import (
    entities_of_sizes,
    generator,
    paired_documents,
    sizes_of,
    twinless_mentions,
    with_entities,
)

#: The key of section 7: one entity of 20 mentions, two of 10, three of 5, one of 4, ten of 2.
LEA_SIZES = [20, 10, 10, 5, 5, 5, 4, *[2] * 10]

_SHARES = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]

#: The splits that the text of section 7.3 names, and one of each other size; no singletons.
SPLITS = [
    (2, 2),
    (3, 2),
    (5, 5),
    (8, 2),
    (5, 3, 2),
    (10, 10),
    (16, 4),
    (18, 2),
    (9, 9, 2),
    (9, 5, 6),
]

#: Number of extra mentions of Figure 7, and size of the entity they join; 0: they are linked.
EXTRAS = [(1, 2), (1, 5), (1, 10), *((number, size) for number in (2, 3) for size in (0, 2, 5, 10))]


def lea_key() -> Entities:
    """Return the key of the LEA paper, section 7: 17 entities, 79 mentions, 326 links."""
    return entities_of_sizes(LEA_SIZES)


def _links(entities: Entities) -> int:
    return sum(len(entity) * (len(entity) - 1) // 2 for entity in entities)


def resolved_share(key: Entities, share: float) -> Entities:
    """Return the part of a key that has about this share of its links, largest entities first.

    Whole entities are taken as long as their links do not exceed the share. Of the next one, as
    many mentions are taken as come closest to it. The paper does not say which links are resolved.

    Examples
    --------
    12 of 20 mentions have 12 * 11 / 2 = 66 of the 326 links, 20.2 %.

    >>> [len(entity) for entity in resolved_share(lea_key(), 0.2)]
    [12]
    """
    wanted = share * _links(key)
    resolved: Entities = []
    for number in damage.by_size(key):
        entity = key[number]
        open_links = wanted - _links(resolved)
        n = len(entity)
        if n * (n - 1) / 2 <= open_links + ROUNDING:
            resolved.append(list(entity))
            continue
        m = min(range(1, n + 1), key=lambda m: abs(m * (m - 1) / 2 - open_links))
        if m > 1:
            resolved.append(entity[:m])
        break
    return resolved


def _correct_links(setup: Setup, others: bool) -> Made:
    key = lea_key()
    responses: list[Level] = []
    for share in _SHARES:
        response = resolved_share(key, share)
        if others:
            in_response = {*chain.from_iterable(response)}
            missing = [m for m in chain.from_iterable(key) if m not in in_response]
            response = damage.reidentified_without_links(key, missing, response)
        responses.append((f"{share:.0%}", 100 * share, response))
    return invent_documents(key, responses)


def _check_figure_2(table: Table, _: dict[str, Any]) -> Iterator[Claim]:
    metrics = ("blanc", "b3", "lea")
    by_level = zip(*map(table.of, metrics), strict=True)
    yield Claim(
        "BLANC F1 is less than or equal to that of B³ and of LEA, at each level",
        not any(clearly_greater(blanc, min(b3, lea)) for blanc, b3, lea in by_level),
        series(table, metrics),
    )
    yield Claim(
        "MUC and LEA are 0 without a correct link (so are all here: the response is empty)",
        table["0%", "muc"] == table["0%", "lea"] == 0,
        values_at(table, ["0%"], METRICS),
    )


def _check_figure_3(table: Table, _: dict[str, Any]) -> Iterator[Claim]:
    zeros = [m for m in METRICS if table["0%", m] == 0]
    gaps = [
        min(scores["blanc"].f1 - scores[m].f1 for m in METRICS if m != "blanc")
        for scores in table.scores[:-1]
    ]
    yield Claim(
        "MUC and LEA are the only metrics that give 0 where no link is correct",
        zeros == ["muc", "lea"],
        values_at(table, ["0%"], METRICS),
    )
    yield Claim(
        "CEAFe drops when the correct links rise from 0 % to 20 %",
        table.rises("ceafe", "20%", "0%"),
        values_at(table, ["0%", "20%"], ["ceafe"]),
    )
    yield Claim(
        "BLANC F1 is at least 20 points above that of all others, at each level below 100 %",
        min(gaps) >= 0.2,
        "least distance by level: " + ", ".join(map(percent, gaps)),
    )


def _whole_entities(setup: Setup, decreasing: bool) -> Made:
    key = lea_key()

    def resolve_in_order(decreasing: bool) -> Made:
        order = damage.by_size(key, decreasing)
        responses: list[Level] = []
        for number in range(len(key) + 1):
            response = [key[n] for n in order[:number]]
            share = 100 * _links(response) / _links(key)
            responses.append((f"{number} ({share:.0f}%)", float(number), response))
        return invent_documents(key, responses)

    made, other = resolve_in_order(decreasing), resolve_in_order(not decreasing)
    opposite = Table(other.key, other.responses, Recipe(metrics=METRICS), {})
    made.facts["f1_in_the_other_order"] = {m: opposite.of(m) for m in METRICS}
    return made


def _check_whole_entities(table: Table, facts: dict[str, Any]) -> Iterator[Claim]:
    opposite = facts["f1_in_the_other_order"]
    apart = {
        m: max(abs(a - b) for a, b in zip(table.of(m), opposite[m], strict=True)) for m in METRICS
    }
    yield Claim(
        "CEAFe gives the same F1 whichever entities are resolved, at each number of entities "
        "(Figures 4 and 5 are the same)",
        apart["ceafe"] <= ROUNDING,
        f"greatest difference {percent(apart['ceafe'])}",
    )
    by_level = zip(*map(table.of, ("b3", "ceafm", "lea")), strict=True)
    yield Claim(
        "B³, CEAFm and LEA give the same F1, at each number of entities",
        all(nearly_equal(b3, ceafm) and nearly_equal(b3, lea) for b3, ceafm, lea in by_level),
        series(table, ("b3",)),
    )
    yield Claim(
        "BLANC is very sensitive to the number of links: of all metrics it differs most "
        "between the two orders, at the same number of entities",
        max(apart, key=lambda m: apart[m]) == "blanc",
        "greatest difference: " + ", ".join(f"{title(m)} {percent(apart[m])}" for m in METRICS),
    )


def _splits(setup: Setup) -> Made:
    key = lea_key()
    responses: list[Level] = []
    for sizes in SPLITS:
        made = damage.split_entity(key, LEA_SIZES.index(sum(sizes)), sizes)
        responses.append(("-".join(map(str, sizes)), None, made))
    return invent_documents(key, responses)


def _check_splits(table: Table, _: dict[str, Any]) -> Iterator[Claim]:
    two, three = (
        [table[level, "muc"] for level in table.levels if level.count("-") == cuts]
        for cuts in (1, 2)
    )
    yield Claim(
        "MUC only recognises the number of splits, whatever the sizes",
        nearly_equal(*two) and nearly_equal(*three) and clearly_greater(two[0], three[0]),
        f"two parts {percent(two[0])}, three parts {percent(three[0])}",
    )
    for one, other in (("2-2", "10-10"), ("9-9-2", "9-5-6")):
        yield Claim(
            f"CEAFe does not distinguish {one} from {other}",
            nearly_equal(table[one, "ceafe"], table[other, "ceafe"]),
            values_at(table, [one, other], ["ceafe"]),
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
            values_at(table, order, [metric]),
        )


def _extras(setup: Setup) -> Made:
    key = lea_key()
    responses: list[Level] = []
    for number, size in EXTRAS:
        extra = twinless_mentions(number, chain.from_iterable(key))
        if size:
            made = damage.add_to_entity(key, LEA_SIZES.index(size), extra)
        else:
            made = damage.add_linked(key, extra)
        responses.append((f"{number}-{size}", None, made))
    return invent_documents(key, responses)


def _check_extras(table: Table, _: dict[str, Any]) -> Iterator[Claim]:
    different = {m: len({round(value, 9) for value in table.of(m)}) for m in METRICS}
    others = [m for m in METRICS if m not in ("muc", "ceafm")]
    yield Claim(
        "(1) MUC and CEAFm are the least discriminative: fewest different F1 values",
        max(different["muc"], different["ceafm"]) < min(different[m] for m in others),
        ", ".join(f"{title(m)} {different[m]}" for m in METRICS),
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
        values_at(table, ["2-0", "3-0", "3-10"], ["ceafe"]),
    )
    less_harmful = [
        m for m in METRICS if table.rises(m, "1-2", "2-0") and table.rises(m, "1-10", "2-0")
    ]
    yield Claim(
        "(4) LEA is the only metric that takes 2-0 for less harmful than 1-2 or 1-10",
        less_harmful == ["lea"],
        values_at(table, ["2-0", "1-2", "1-10"], METRICS),
    )
    single = ["1-2", "1-5", "1-10"]
    yield Claim(
        "(4) LEA does not distinguish outputs with one extra mention in an entity",
        nearly_equal(*(table[level, "lea"] for level in single)),
        values_at(table, single, ["lea"]),
    )


def _identification(setup: Setup) -> Made:
    key = lea_key()
    mentions = [*chain.from_iterable(key)]
    order = generator(setup.seed).sample(mentions, len(mentions))
    responses: list[Level] = []
    for share in _SHARES:
        found = order[: round(share * len(order))]
        response = damage.reidentified_without_links(key, found)
        responses.append((f"{share:.0%}", 100 * share, response))
    return invent_documents(key, responses)


def _check_identification(table: Table, _: dict[str, Any]) -> Iterator[Claim]:
    others = [m for m in METRICS if m not in ("muc", "lea")]
    yield Claim(
        "MUC and LEA are 0 throughout, for no link is correct",
        not any(table.of("muc")) and not any(table.of("lea")),
        series(table, ("muc", "lea")),
    )
    yield Claim(
        "B³, CEAF and BLANC are above 0 as soon as a mention is identified",
        all(min(table.of(m)[1:]) > 0 for m in others),
        series(table, others),
    )


def _make_table_1(setup: Setup) -> Made:
    key, base = paired_documents(setup.key, setup.response)
    pairs = list(zip(key, base, strict=True))

    def change_each(change: Callable[[Entities, Entities], Entities]) -> Corpus:
        return Corpus([with_entities(r, change(k.entities, r.entities)) for k, r in pairs])

    changed = {
        "base": base,
        "more precise": change_each(identification.more_precise),
        "less precise a": change_each(identification.less_precise_a),
        "less precise b": change_each(identification.less_precise_b),
        "less precise b, as printed": change_each(damage.linked_wrongly_in_one_pair),
    }
    entities = {level: len(sizes_of(corpus)) for level, corpus in changed.items()}
    facts = {
        "incorrectly_resolved_mentions": sum(
            len(identification.incorrectly_resolved(k.entities, r.entities)) for k, r in pairs
        ),
        "new_entities_of_less_precise_a": entities["less precise a"] - entities["base"],
        "new_entities_of_less_precise_b": entities["less precise b"] - entities["base"],
    }
    return Made(key, [Response(level, None, corpus) for level, corpus in changed.items()], facts)


def _check_table_1(table: Table, facts: dict[str, Any]) -> Iterator[Claim]:
    """Yield the claims; those about a response do not apply where nothing was changed."""
    changes = {
        "more precise": facts["incorrectly_resolved_mentions"],
        "less precise a": facts["new_entities_of_less_precise_a"],
        "less precise b": facts["new_entities_of_less_precise_b"],
        "less precise b, as printed": facts["new_entities_of_less_precise_b"],
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
        recall, other = (values(metric, "more precise", one) for one in ("recall", score))
        yield claim(
            "more precise",
            text,
            clearly_greater(*recall) and clearly_greater(*other),
            f"recall {shown(*recall)}, {score.replace('f1', 'F1')} {shown(*other)}",
        )
    metrics = ("b3", "ceafe", "blanc")
    for level in ("less precise a", "less precise b", "less precise b, as printed"):
        is_first = level == "less precise a"
        yield claim(
            level,
            "B³, CEAFe and BLANC F1 rise above base, though only wrong links came"
            if is_first
            else "B³ and BLANC F1 rise above base, though only wrong links came; CEAFe falls (in "
            "the paper 57.05 to 56.51)",
            [table.rises(m, "base", level) for m in metrics] == [True, is_first, True],
            values_at(table, ["base", level], metrics),
        )


def _boundaries(setup: Setup) -> Made:
    key, base = paired_documents(setup.key, setup.response)
    responses = [
        Response("base", None, base),
        Response("sys-sing", None, change_entities(base, damage.all_singletons)),
        Response("sys-1ent", None, change_entities(base, damage.one_entity)),
    ]
    return Made(key, responses, {})


def _check_boundaries(table: Table, _: dict[str, Any]) -> Iterator[Claim]:
    yield Claim(
        "sys-sing: MUC and LEA are 0, B³ and CEAFe are not (the paper's key has no singletons)",
        table["sys-sing", "muc"] == table["sys-sing", "lea"] == 0
        and min(table["sys-sing", "b3"], table["sys-sing", "ceafe"]) > 0,
        values_at(table, ["sys-sing"], METRICS),
    )
    yield Claim(
        "sys-1ent: MUC is far above B³, CEAFe and LEA (44 against less than 5 in the paper)",
        all(table["sys-1ent", "muc"] > 2 * table["sys-1ent", m] for m in ("b3", "ceafe", "lea")),
        values_at(table, ["sys-1ent"], METRICS),
    )


_LEA = "Moosavi & Strube 2016"

EXPERIMENTS = (
    Experiment(
        "lea-figure2",
        "Correct links, without incorrect ones",
        f"{_LEA}, section 7.1, Figure 2",
        "resolved coreference links (%)",
        partial(_correct_links, others=False),
        _check_figure_2,
        reading="links are resolved from the largest entity on, in whole entities and one part",
    ),
    Experiment(
        "lea-figure3",
        "Correct links in the presence of incorrect ones",
        f"{_LEA}, section 7.1, Figure 3",
        "resolved coreference links (%)",
        partial(_correct_links, others=True),
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
