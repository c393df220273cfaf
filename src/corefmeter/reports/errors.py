"""What went wrong: a summary page, and lists of links, mentions, entities.

The page begins with the most costly errors. JSON is `Analysis.summary`, with the lists beside it;
CSV is one list, or the summary as names and values. docs/errors.md explains all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corefmeter.analysis.card.characters import largest
from corefmeter.analysis.chain import Break, Chain, find_break
from corefmeter.analysis.entities import CATEGORIES
from corefmeter.analysis.identification import EFFECTS
from corefmeter.analysis.operations import CLASSES
from corefmeter.analysis.report import Analysis
from corefmeter.mentions.features import UNKNOWN
from corefmeter.mentions.tags import KINDS
from corefmeter.metrics import title
from corefmeter.problems import OptionError, amount, require_known
from corefmeter.recipe import usual_signature
from corefmeter.reports.errors_lists import SECTIONS, Lists
from corefmeter.reports.match import PLACE, place
from corefmeter.reports.scores import notes, score_table, system_names
from corefmeter.reports.tables import Cell, Number, OnScreen, Report, Table, Wording, short_label

#: Rows of a list in text, and of the tables of worst things, when no number is asked for.
LISTED, WORST = 20, 5

#: The groups of a feature that a table of text shows.
_GROUPS = 12

#: The name of the row of all groups.
_ALL = "all"

#: The least number of mentions in errors of which shares are given.
_FEW = 5

#: Marks a change in the wrong direction.
_WRONG = "!"


@dataclass(eq=False)
class ErrorsReport(Report):
    """The summary, or with `everything` all its tables, then the requested `sections`.

    `top` is the number of rows of each list; None for as many as suit the format. With a `chain`
    the lists have the rows of that entity only, and there are no other tables.
    """

    analysis: Analysis
    sections: Sequence[str] = ()
    top: int | None = None
    everything: bool = False
    chain: Chain | None = None

    def __post_init__(self) -> None:
        for section in self.sections:
            require_known("list", section, SECTIONS)
        self.worst = WORST if self.top is None else self.top
        self.signature = self.analysis.result.signature
        self.usual = usual_signature()

    def lead(self) -> Wording:
        """Name the most costly errors, what to look at first, and options that show more."""
        if self.chain is not None:
            return (_chain_summary(self.chain), *kinds_hint(self.analysis))
        headline = (*self.describe_costs(), *self.describe_mentions(), *self.suggest_first())
        if not self.everything:
            headline = (*headline, *self.describe_largest(), OnScreen(" --all shows all tables."))
        return (*headline, *kinds_hint(self.analysis))

    def describe_costs(self) -> tuple[Cell, ...]:
        """Return a sentence on the one or two most costly classes of errors."""
        metric = self.analysis.cost_metrics[0]
        costs = [
            (CLASSES[name].plural, Number(self.analysis.costs.cost(name)[metric]))
            for name in self._rank_classes()[:2]
        ]
        if not costs:
            return (f"No error type costs any {title(metric)}.",)
        (plural, cost), *second = costs
        sentence: list[Cell] = [f"{plural} cost most: ", cost, f" of {title(metric)}"]
        for plural, cost in second:
            sentence += [f"; {plural[0].lower()}{plural[1:]} are next: ", cost]
        return (*sentence, ".")

    def describe_mentions(self) -> tuple[Cell, ...]:
        """Return a sentence on the mentions of the most costly class; nothing if there are few.

        It names their kind if half of them have it, and the words of a tenth of them.
        """
        ranked = self._rank_classes()
        if not ranked:
            return ()
        mentions = [
            (document, mention)
            for document in self.analysis
            for error in document.repairs.errors
            if error.kind == ranked[0]
            for mention in error.mentions
        ]
        kinds = Counter(document.features.kind(mention) for document, mention in mentions)
        words = Counter((document.words(mention) or "").lower() for document, mention in mentions)
        del kinds[UNKNOWN], kinds["other"], words[""]
        shares: list[Cell] = []
        for counts, least, text in ((kinds, 0.5, " % are {}s"), (words, 0.1, " % are “{}”")):
            name, count = min(counts.items(), key=lambda item: (-item[1], item[0]), default=("", 0))
            if count >= max(2, least * len(mentions)):
                share = Number(count / len(mentions), extra=-2)
                shares += [" and " if shares else "", share, text.format(name)]
        if len(mentions) < _FEW or not shares:
            return ()
        plural = CLASSES[ranked[0]].plural.lower()
        about = plural if plural.endswith("mentions") else f"mentions in {plural}"
        return (f" Of the {len(mentions)} {about}, ", *shares, ".")

    def suggest_first(self) -> tuple[Cell, ...]:
        """Return a sentence on the class and kind of mention to fix first."""
        ranked, metric = self._rank_classes(), self.analysis.cost_metrics[0]
        if not ranked:
            return ()
        gains = [
            (-costs[metric], kind, CLASSES[name])
            for name, kinds in self.analysis.kind_costs.items()
            for kind, costs in kinds.items()
            if kind not in (UNKNOWN, "other") and costs[metric] > 0
        ]
        if not gains:
            return (f" Start with the list of --{CLASSES[ranked[0]].listed}.",)
        negative_gain, kind, error = min(gains, key=lambda gain: gain[:2])
        start = f" Fix {error.of_kind.format(kind)} first, which cost "
        return (start, Number(-negative_gain), f": see --{error.listed}.")

    def describe_largest(self) -> tuple[Cell, ...]:
        """Return a sentence on where the largest key entity first breaks, if it does."""
        documents = self.analysis.documents
        units = [one.prepared for one in documents]
        for entity in largest(units, 1, lambda unit: documents[unit].features):
            document = next(one for one in documents if one.prepared.key.label == entity.document)
            if broken := find_break(document, entity.entity):
                name = document.names["key"].titles[entity.entity]
                where = f" of {short_label(document.label)}" if len(documents) > 1 else ""
                what = f" The largest key entity{where}, {name}, first breaks "
                return (f"{what}{_describe_break(broken)}.",)
        return ()

    def _rank_classes(self) -> list[str]:
        """Return the classes of errors that cost something, most costly first."""
        metric, costs = self.analysis.cost_metrics[0], self.analysis.costs
        cost = {name: costs.cost(name)[metric] for name in CLASSES}
        return sorted((name for name in CLASSES if cost[name] > 0), key=lambda n: -cost[n])

    def tables(self) -> list[Table]:
        """Return the costs of errors, and the lists or the worst mentions; or the whole summary."""
        usual = LISTED if self.chain is None else None
        makers = Lists(self.analysis, usual if self.top is None else self.top, self.chain)
        lists = [getattr(makers, section)() for section in self.sections]
        if self.chain is not None:
            return lists
        if self.everything:
            worst = _worst_tables(self.analysis, self.worst)
            return [*_summary_tables(self.analysis), *worst, *lists]
        features = [*_feature_tables(self.analysis)]
        if not lists and not features:
            lists = [Lists(self.analysis, self.worst).mentions()]
        return [*_cost_tables(self.analysis), *features, *lists]

    def notes(self, tables: Sequence[Table]) -> Sequence[Wording]:
        """Explain how documents were averaged; columns and marks are explained at their tables."""
        return [] if self.chain else notes([self.analysis.result], tables)

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield the one requested list, or the summary as names and values."""
        if len(self.sections) > 1:
            sections = ", ".join(self.sections)
            raise OptionError(f"CSV can have only one list: choose one of {sections}")
        if not self.sections:
            yield ("name", "value")
            yield from _flatten(self.analysis.summary)
            return
        rows = [record(row) for row in self._rows(self.sections[0])]
        yield from (tuple(row) for row in rows[:1])
        yield from (tuple(row.values()) for row in rows)

    def document(self) -> dict[str, Any]:
        """Return the summary, with what is worst and the lists."""
        worst = {
            "entities": [row.to_dict() for row in self.analysis.worst_entities(self.worst)],
            "documents": self.analysis.worst_documents(self.worst),
        }
        lists: dict[str, Any] = {section: self._rows(section) for section in self.sections}
        if self.chain is not None:
            broken = find_break(self.chain.document, self.chain.entities[0].entity)
            lists["first_break"] = broken and broken._asdict()
        problems = [problem.to_dict() for problem in self.analysis.problems]
        return {**self.analysis.summary, "worst": worst, **lists, "problems": problems}

    def _rows(self, section: str) -> list[dict[str, Any]]:
        source = self.analysis if self.chain is None else self.chain
        return [row.to_dict() for row in getattr(source, section)[: self.top]]


def _chain_summary(chain: Chain) -> str:
    """Return a sentence on what became of the key entity."""
    (row,) = chain.entities
    names, document = chain.document.names, short_label(chain.document.label)
    name, id = names["key"].titles[row.entity], names["key"].ids[row.entity]
    what = "the response has none of its mentions"
    if row.response is not None:
        best, kept = names["response"].ids[row.response], amount(row.size, "mention")
        what = f"response entity {best} has {row.whole} of its {kept}"
    broken = find_break(chain.document, row.entity)
    first = "" if broken is None else f" It first breaks {_describe_break(broken)}."
    return f"{name} (key entity {id} in {document}): {what}.{first}"


def _describe_break(broken: Break) -> str:
    """Return the place of a break, and the entity to which the mention is linked instead."""
    where = f"at {broken.mention}" if broken.sentence is None else f"in sentence {broken.sentence}"
    what = "is missing" if broken.is_missing else "begins a new entity"
    if broken.other is not None:
        what = f"is with “{broken.other}”"
    return f"{where}: “{broken.words}” {what}"


def _flatten(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Flatten values to dotted names, without lists."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{before}{name}.")
        elif not isinstance(value, list):
            yield before + name, value


#: By column of words the column of their mention.
_WORDS = {"words": "mention", "expected_words": "expected", "found_words": "found"}


def record(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of CSV: mentions by their ends, classes with spaces, a column for each F1.

    A mention that is no position is its own words.
    """
    row: dict[str, Any] = {}
    for name, value in values.items():
        if name == "scores":
            row |= {f"f1_{metric}": f1 for metric, f1 in value.items()}
        elif name == "errors":
            row[name] = " ".join(value)
        elif name in _WORDS.values():
            row |= {f"{name}_{k}": v for k, v in zip(PLACE, place(value), strict=True)}
        elif name in _WORDS and value is None and (mention := values.get(_WORDS[name])) is not None:
            row[name] = str(mention) if row[f"{_WORDS[name]}_start"] is None else None
        elif name != "mentions":
            row[name] = value
    return row


def _summary_tables(analysis: Analysis) -> list[Table]:
    """Return the tables of the summary page, without lists of words."""
    summary = analysis.summary
    (name,), count = system_names([analysis.result]), len(analysis)
    scores = score_table([analysis.result])
    scores.spans = []
    about = short_label(analysis.documents[0].label) if count == 1 else f"{count} documents"
    scores.caption = f"{name}: {about}"
    tables = [
        scores,
        *_cost_tables(analysis),
        _kind_table(summary["errors"], analysis.cost_metrics[0]),
        *_link_tables(summary["arcs"], "kind"),
        _anchor_table(summary["arcs"]),
        _category_table(summary["categories"]),
        _mention_table(analysis.mention_counts("kind"), "kind"),
        _effect_table(analysis),
        *_feature_tables(analysis),
    ]
    return [table for table in tables if table.rows or table.sentences]


def _feature_tables(analysis: Analysis) -> Iterator[Table]:
    for feature, values in analysis.summary.get("by", {}).items():
        yield from _link_tables(values["arcs"], feature)
        yield _mention_table(values["mention_counts"], feature)


def _select_groups(
    counts: Mapping[str, Any], size: Sequence[str]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the name and values of all mentions, and of the largest groups if any is known.

    The size of a group is the sum of its values that `size` names.
    """
    groups = counts["groups"]
    yield _ALL, counts["all"]
    if groups.keys() <= {UNKNOWN}:
        return
    ranked = sorted(groups, key=lambda name: -sum(groups[name][value] for value in size))
    shown = set(ranked[:_GROUPS])
    for name, row in groups.items():
        if name in shown:
            yield f'"{name}"' if name == _ALL else name, row


def _link_tables(arcs: Mapping[str, Any], feature: str) -> Iterator[Table]:
    counts = ("tp", "wl", "fn", "fp")
    for name in ("immediate", "inferred"):
        if arcs[name]:
            table = Table([feature, *counts, "R", "P", "F1"])
            table.caption = f"{name.capitalize()} antecedents (ARCS)"
            for group, row in _select_groups(arcs[name], counts):
                table.rows.append([group, *_score_cells(row, counts)])
            yield table


def _score_cells(row: Mapping[str, Any], counts: Sequence[str]) -> list[Cell]:
    """Return the counts of a row, then its recall, precision and F1."""
    rates = ("recall", "precision", "f1")
    scores = ["-" if rate in row["undefined"] else Number(row[rate]) for rate in rates]
    return [*(row[count] for count in counts), *scores]


def _anchor_table(arcs: Mapping[str, Any]) -> Table:
    """Return the anchors, or why neither they nor inferred antecedents are computed."""
    anchor = arcs["anchor"]
    if anchor is None:
        why = f"not computed: {arcs['not_computed']}"
        return Table([], caption="Inferred antecedents and anchors (ARCS)", sentences=[why])
    counts = ("tp", "fn", "fp")
    table = Table(["", *counts, "R", "P", "F1"])
    table.caption = ("Anchor mentions (ARCS): F ", Number(anchor["f"]))
    table.rows = [[name, *_score_cells(anchor[name], counts)] for name in ("detection", "mentions")]
    return table


def _cost_tables(analysis: Analysis) -> Iterator[Table]:
    """Yield tables of error counts, costs by class, and the score after cumulative repairs."""
    for start in range(0, len(analysis.cost_metrics), 3):
        metrics = analysis.cost_metrics[start : start + 3]
        table = Table(["error", "count", *["cost", "cumulative"] * len(metrics)])
        table.spans = [("", 1), *((title(metric), 2) for metric in metrics)]
        table.caption = (
            "Errors: cost of each type on its own, and the score as they are fixed one by one"
        )
        table.rows.append(["none repaired", ""])
        for metric in metrics:
            table.rows[0] += ["", Number(analysis.costs.base[metric])]
        for name, values in analysis.classes.items():
            row: list[Cell] = [CLASSES[name].title, values["count"]]
            for metric in metrics:
                row += [Number(values["cost"][metric]), Number(values["cumulative"][metric])]
            table.rows.append(row)
        yield table


def _kind_table(errors: Mapping[str, Any], metric: str) -> Table:
    """Return mentions and their costs by class and mention type; no rows if no type is known."""
    known = {kind for error in errors.values() for kind in error["kind_costs"]}
    kinds = [kind for kind in (*KINDS, UNKNOWN) if kind in known]
    caption = f"Mentions in errors by kind, and what they alone cost of {title(metric)}"
    header = ["error", *["n", "cost"] * len(kinds)]
    table = Table(header, spans=[(kind, 2) for kind in kinds], caption=caption)
    for name, error_class in CLASSES.items() if kinds else ():
        row: list[Cell] = [error_class.title]
        for kind in kinds:
            cost = errors[name]["kind_costs"].get(kind)
            row += [errors[name]["kinds"].get(kind, 0), Number(cost[metric]) if cost else ""]
        table.rows.append(row)
    return table


def _category_table(counts: Mapping[str, int]) -> Table:
    table = Table(["key entities", "count", "%"], caption="Entities (Holen 2013)")
    total = sum(counts.values())
    for name, count in counts.items():
        share = Number(count / total if total else None)
        table.rows.append([f"{name} {CATEGORIES[name]}", count, share])
    return table


def _mention_table(counts: Mapping[str, Any], feature: str) -> Table:
    names = ("key", "response", "matched", "missing", "extra")
    table = Table([feature, *names, "wrong links only"], caption="Mentions")
    for group, row in _select_groups(counts, ("key", "extra")):
        table.rows.append([group, *(row[name] for name in (*names, "incorrectly_resolved"))])
    return table


def _effect_table(analysis: Analysis) -> Table:
    """Return the changes of recall, precision and F1; mark those in the wrong direction."""
    effects = analysis.effects
    table = Table(
        ["", *["R", "P", "F1"] * len(effects)],
        spans=[(EFFECTS[name][0], 3) for name in effects],
        caption="If mentions without a right link were removed, or more wrong links made",
        notes=[
            "more precise: without mentions of which no link is right; less precise: with missing "
            "mentions in wrong links, in pairs (a) or in entities as large as can be (b)",
            f"{_WRONG} moves the wrong way (mention identification effect)",
        ],
    )
    for metric in effects["more_precise"].base:
        row: list[Cell] = [title(metric)]
        for effect in effects.values():
            wrong, differences = effect.wrong(metric), effect.differences(metric)
            for rate in ("recall", "precision", "f1"):
                mark = _WRONG * (rate in wrong)
                row.append(_change_cell(differences[rate], mark) if rate in differences else "")
        table.rows.append(row)
    return table


def _change_cell(value: float, after: str) -> Cell:
    """Return a change with one decimal less, or two less from 10 points on, so that columns fit."""
    return Number(value, extra=-2 if abs(value) >= 0.0995 else -1, signed=True, after=after)


def _worst_tables(analysis: Analysis, number: int) -> Iterator[Table]:
    if entities := analysis.worst_entities(number):
        table = Lists(analysis, number).entity_table(entities, "")
        table.caption = "Entities that lose most links"
        yield table
    if len(analysis) > 1 and (documents := analysis.worst_documents(number)):
        header = ["document", "mentions", "errors", *map(title, analysis.cost_metrics)]
        table = Table(header, caption="Documents with most errors")
        for document in documents:
            scores = [Number(document["scores"][metric]) for metric in analysis.cost_metrics]
            label = short_label(document["document"])
            table.rows.append([label, document["mentions"], document["errors"], *scores])
        yield table


def kinds_hint(analysis: Analysis) -> list[OnScreen]:
    """Return a hint if no type of mention is known, though there are words to tell them by."""
    if analysis.kinds != {UNKNOWN} or not analysis.has_words:
        return []
    return [OnScreen(" Mention types are unknown; --pronouns en (or de, nl) recognizes pronouns.")]
