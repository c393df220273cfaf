"""Moosavi & Strube 2016, "Which Coreference Evaluation Metric Do You Trust?": the LEA paper.

Figures 2 to 8 on the key of section 7, and Table 1 and the boundary rows of Table 4 on any data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
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
    Made,
    Response,
    Setup,
    Table,
    clearly_greater,
    invented_corpus,
    mapped,
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


def lea_key() -> Entities:
    """Return the key of the LEA paper, section 7: 17 entities, 79 mentions, 326 links."""
    return entities_of_sizes(LEA_SIZES)


def _links(entities: Entities) -> int:
    return sum(len(entity) * (len(entity) - 1) // 2 for entity in entities)


def resolved_share(key: Entities, share: float) -> Entities:
    """Return the part of a key that holds about this share of its links, largest entities first.

    Entities are resolved whole as long as their links do not exceed the share; of the next one so
    many mentions as come nearest to it. The paper does not tell which links are resolved.

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
    responses = []
    for share in _SHARES:
        response = resolved_share(key, share)
        if others:
            there = {mention for entity in response for mention in entity}
            missing = [m for entity in key for m in entity if m not in there]
            response = damage.reidentified_without_links(key, missing, response)
        responses.append(Response(f"{share:.0%}", 100 * share, invented_corpus(response)))
    return invented_corpus(key), responses, {}


def _check_figure_2(table: Table, _: dict[str, Any]) -> Iterator[Claim]:
    yield Claim(
        "BLANC F1 is less than or equal to that of B³ and of LEA, at each level",
        all(
            not clearly_greater(blanc, min(b3, lea))
            for blanc, b3, lea in zip(
                table.of("blanc"), table.of("b3"), table.of("lea"), strict=True
            )
        ),
        series(table, ("blanc", "b3", "lea")),
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
        clearly_greater(table["0%", "ceafe"], table["20%", "ceafe"]),
        values_at(table, ["0%", "20%"], ["ceafe"]),
    )
    yield Claim(
        "BLANC F1 is at least 20 points above that of all others, at each level below 100 %",
        min(gaps) >= 0.2,
        "least distance by level: " + ", ".join(map(percent, gaps)),
    )


def _whole_entities(setup: Setup, decreasing: bool) -> Made:
    key = lea_key()
    order = damage.by_size(key, decreasing)
    responses = []
    for number in range(len(key) + 1):
        response = [key[n] for n in order[:number]]
        share = 100 * _links(response) / _links(key)
        label = f"{number} ({share:.0f}%)"
        responses.append(Response(label, float(number), invented_corpus(response)))
    other = damage.by_size(key, not decreasing)
    others = [
        Response(str(number), None, invented_corpus([key[n] for n in other[:number]]))
        for number in range(len(key) + 1)
    ]
    opposite = Table(invented_corpus(key), others, Recipe(metrics=METRICS), {})
    facts = {"f1_in_the_other_order": {m: opposite.of(m) for m in METRICS}}
    return invented_corpus(key), responses, facts


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
    yield Claim(
        "B³, CEAFm and LEA give the same F1, at each number of entities",
        all(
            nearly_equal(b3, ceafm) and nearly_equal(b3, lea)
            for b3, ceafm, lea in zip(
                table.of("b3"), table.of("ceafm"), table.of("lea"), strict=True
            )
        ),
        series(table, ("b3",)),
    )
    yield Claim(
        "BLANC is very sensitive to the number of links: of all metrics it differs most "
        "between the two orders, at the same number of entities",
        max(apart, key=lambda m: apart[m]) == "blanc",
        "greatest difference: " + ", ".join(f"{title(m)} {percent(apart[m])}" for m in METRICS),
    )


#: The splits that the text of section 7.3 names, and one of each other size; no singletons.
SPLITS: list[tuple[int, ...]] = [
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


def _splits(setup: Setup) -> Made:
    key = lea_key()
    responses = [
        Response(
            "-".join(map(str, sizes)),
            None,
            invented_corpus(damage.split_entity(key, LEA_SIZES.index(sum(sizes)), sizes)),
        )
        for sizes in SPLITS
    ]
    return invented_corpus(key), responses, {}


def _check_splits(table: Table, _: dict[str, Any]) -> Iterator[Claim]:
    by_parts: dict[int, list[float]] = {}
    for level in table.levels:
        by_parts.setdefault(level.count("-"), []).append(table[level, "muc"])
    two, three = by_parts[1], by_parts[2]
    yield Claim(
        "MUC only recognises the number of splits, whatever the sizes",
        max(two) - min(two) <= ROUNDING
        and max(three) - min(three) <= ROUNDING
        and clearly_greater(two[0], three[0]),
        f"two parts {percent(two[0])}, three parts {percent(three[0])}",
    )
    yield Claim(
        "CEAFe does not distinguish 2-2 from 10-10",
        nearly_equal(table["2-2", "ceafe"], table["10-10", "ceafe"]),
        values_at(table, ["2-2", "10-10"], ["ceafe"]),
    )
    yield Claim(
        "CEAFe does not distinguish 9-9-2 from 9-5-6",
        nearly_equal(table["9-9-2", "ceafe"], table["9-5-6", "ceafe"]),
        values_at(table, ["9-9-2", "9-5-6"], ["ceafe"]),
    )
    for metric, order in (
        ("b3", ["18-2", "5-3-2", "16-4"]),
        ("blanc", ["5-3-2", "18-2", "16-4"]),
        ("ceafm", ["18-2", "16-4", "5-3-2"]),
        ("ceafe", ["18-2", "16-4", "5-3-2"]),
        ("lea", ["18-2", "16-4", "5-3-2"]),
    ):
        values = [table[level, metric] for level in order]
        yield Claim(
            f"{title(metric)} ranks {' > '.join(order)}",
            clearly_greater(values[0], values[1]) and clearly_greater(values[1], values[2]),
            values_at(table, order, [metric]),
        )


#: Number of extra mentions, and size of the entity they join; 0: they are linked together.
EXTRAS: list[tuple[int, int]] = [
    (1, 2),
    (1, 5),
    (1, 10),
    (2, 0),
    (2, 2),
    (2, 5),
    (2, 10),
    (3, 0),
    (3, 2),
    (3, 5),
    (3, 10),
]


def _extras(setup: Setup) -> Made:
    key = lea_key()
    taken = [mention for entity in key for mention in entity]
    responses = []
    for number, size in EXTRAS:
        extra = twinless_mentions(number, taken)
        if size:
            made = damage.add_to_entity(key, LEA_SIZES.index(size), extra)
        else:
            made = damage.add_linked(key, extra)
        responses.append(Response(f"{number}-{size}", None, invented_corpus(made)))
    return invented_corpus(key), responses, {}


def _check_extras(table: Table, _: dict[str, Any]) -> Iterator[Claim]:
    different = {m: len({round(value, 9) for value in table.of(m)}) for m in METRICS}
    least = sorted(METRICS, key=lambda m: different[m])[:2]
    worst = {
        m: [level for level in table.levels if nearly_equal(table[level, m], min(table.of(m)))]
        for m in METRICS
    }
    apart_is_lesser = [
        m
        for m in METRICS
        if clearly_greater(table["2-0", m], table["1-2", m])
        and clearly_greater(table["2-0", m], table["1-10", m])
    ]
    single = [table[level, "lea"] for level in ("1-2", "1-5", "1-10")]
    worst_text = "worst: " + "; ".join(f"{title(m)} {', '.join(worst[m])}" for m in METRICS)
    yield Claim(
        "(1) MUC and CEAFm are the least discriminative: fewest different F1 values",
        set(least) == {"muc", "ceafm"}
        and max(different["muc"], different["ceafm"])
        < min(different[m] for m in METRICS if m not in ("muc", "ceafm")),
        ", ".join(f"{title(m)} {different[m]}" for m in METRICS),
    )
    yield Claim(
        "(2) all metrics but CEAFe rank 3-10 as the worst (several may be as bad)",
        [m for m in METRICS if "3-10" in worst[m]] == [m for m in METRICS if m != "ceafe"],
        worst_text,
    )
    yield Claim(
        "(3) CEAFe takes 2-0 and 3-0 for the worst outputs",
        worst["ceafe"] == ["2-0", "3-0"],
        values_at(table, ["2-0", "3-0", "3-10"], ["ceafe"]),
    )
    yield Claim(
        "(4) LEA is the only metric that takes 2-0 for less harmful than 1-2 or 1-10",
        apart_is_lesser == ["lea"],
        values_at(table, ["2-0", "1-2", "1-10"], METRICS),
    )
    yield Claim(
        "(4) LEA does not distinguish outputs with one extra mention in an entity",
        max(single) - min(single) <= ROUNDING,
        values_at(table, ["1-2", "1-5", "1-10"], ["lea"]),
    )


def _identification(setup: Setup) -> Made:
    key = lea_key()
    mentions = [mention for entity in key for mention in entity]
    order = generator(setup.seed).sample(mentions, len(mentions))
    responses = [
        Response(
            f"{share:.0%}",
            100 * share,
            invented_corpus(
                damage.reidentified_without_links(key, order[: round(share * len(order))])
            ),
        )
        for share in _SHARES
    ]
    return invented_corpus(key), responses, {}


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


def _table_1(setup: Setup) -> Made:
    key, base = paired_documents(setup.key, setup.response)

    def each(change: Callable[[Entities, Entities], Entities]) -> Corpus:
        return Corpus(
            [
                with_entities(r, change(k.entities, r.entities))
                for k, r in zip(key, base, strict=True)
            ]
        )

    responses = [
        Response("base", None, base),
        Response("more precise", None, each(identification.more_precise)),
        Response("less precise a", None, each(identification.less_precise_a)),
        Response("less precise b", None, each(identification.less_precise_b)),
        Response("less precise b, as printed", None, each(damage.linked_wrongly_in_one_pair)),
    ]
    before = len(sizes_of(base))
    facts = {
        "incorrectly_resolved_mentions": sum(
            len(identification.incorrectly_resolved(k.entities, r.entities))
            for k, r in zip(key, base, strict=True)
        ),
        "new_entities_of_less_precise_a": len(sizes_of(responses[2].corpus)) - before,
        "new_entities_of_less_precise_b": len(sizes_of(responses[3].corpus)) - before,
    }
    return key, responses, facts


def _check_table_1(table: Table, facts: dict[str, Any]) -> Iterator[Claim]:
    touched = {
        "more precise": facts["incorrectly_resolved_mentions"] > 0,
        "less precise a": facts["new_entities_of_less_precise_a"] > 0,
        "less precise b": facts["new_entities_of_less_precise_b"] > 0,
        "less precise b, as printed": facts["new_entities_of_less_precise_b"] > 0,
    }
    recall = {m: dict(zip(table.levels, table.of(m, "recall"), strict=True)) for m in METRICS}
    precision = dict(zip(table.levels, table.of("ceafe", "precision"), strict=True))
    for level in touched:
        same = [m for m in METRICS if nearly_equal(recall[m][level], recall[m]["base"])]
        yield Claim(
            f"{level}: recall changes for B³, CEAF and BLANC, and stays for MUC and LEA",
            set(same) == {"muc", "lea"} if touched[level] else None,
            "; ".join(
                f"{title(m)} {percent(recall[m]['base'])} to {percent(recall[m][level])}"
                for m in METRICS
            ),
        )
    worse = [
        clearly_greater(recall["ceafe"]["base"], recall["ceafe"]["more precise"]),
        clearly_greater(precision["base"], precision["more precise"]),
    ]
    yield Claim(
        "more precise: CEAFe recall and precision both fall",
        all(worse) if touched["more precise"] else None,
        f"recall {percent(recall['ceafe']['base'])} to "
        f"{percent(recall['ceafe']['more precise'])}, precision "
        f"{percent(precision['base'])} to {percent(precision['more precise'])}",
    )
    yield Claim(
        "more precise: BLANC recall falls so much that F1 falls",
        (
            clearly_greater(recall["blanc"]["base"], recall["blanc"]["more precise"])
            and clearly_greater(table["base", "blanc"], table["more precise", "blanc"])
        )
        if touched["more precise"]
        else None,
        f"recall {percent(recall['blanc']['base'])} to "
        f"{percent(recall['blanc']['more precise'])}, F1 "
        f"{percent(table['base', 'blanc'])} to {percent(table['more precise', 'blanc'])}",
    )
    values = ("b3", "ceafe", "blanc")
    yield Claim(
        "less precise a: B³, CEAFe and BLANC F1 rise above base, though only wrong links came",
        all(clearly_greater(table["less precise a", m], table["base", m]) for m in values)
        if touched["less precise a"]
        else None,
        values_at(table, ["base", "less precise a"], values),
    )
    for level in ("less precise b", "less precise b, as printed"):
        rise = [clearly_greater(table[level, m], table["base", m]) for m in values]
        yield Claim(
            f"{level}: B³ and BLANC F1 rise above base, though only wrong links came; CEAFe "
            "falls (in the paper 57.05 to 56.51)",
            rise == [True, False, True] if touched[level] else None,
            values_at(table, ["base", level], values),
        )


def _boundaries(setup: Setup) -> Made:
    key, base = paired_documents(setup.key, setup.response)
    responses = [
        Response("base", None, base),
        Response("sys-sing", None, mapped(base, damage.all_singletons)),
        Response("sys-1ent", None, mapped(base, damage.one_entity)),
    ]
    return key, responses, {}


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
        _table_1,
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
