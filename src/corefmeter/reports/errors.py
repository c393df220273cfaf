"""What went wrong: a summary page, and lists of links, mentions, entities.

The page begins with what costs most. JSON is `Analysis.summary`, with the lists beside it; CSV is
one list, or the summary as names and values. docs/errors.md explains all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from corefmeter.analysis.changes import ChangeRow
from corefmeter.analysis.entities import CATEGORIES
from corefmeter.analysis.identification import EFFECTS, Effect
from corefmeter.analysis.operations import CLASSES
from corefmeter.analysis.report import Analysis
from corefmeter.analysis.rows import EntityRow, LinkRow, MentionRow
from corefmeter.mentions.features import UNKNOWN
from corefmeter.mentions.tags import KINDS
from corefmeter.metrics import title
from corefmeter.problems import OptionError, unknown
from corefmeter.recipe import Recipe
from corefmeter.reports.match import PLACE, place
from corefmeter.reports.scores import notes, score_table, system_names
from corefmeter.reports.tables import Cell, Number, Report, Said, Table, short_label

#: The lists that can be asked for.
SECTIONS = ("entities", "links", "mentions")

#: Rows of a list in text when no number is asked for, and of the tables of worst things.
LISTED, WORST = 20, 5

#: Groups of a feature in a table of text; the rest is counted.
_GROUPS = 12

#: The name of the row of all groups.
_ALL = "all"

#: How a status is shown, where not by its name.
_STATUS = {"incorrectly_resolved": "wrong links"}

#: Of how many mentions in errors shares are not said.
_FEW = 5

#: What moves the wrong way.
_WRONG = "!"


#: A row about a mention.
RowT = TypeVar("RowT", LinkRow, MentionRow)


class ErrorsReport(Report):
    """The summary, then the requested lists.

    Parameters
    ----------
    sections
        Some of `SECTIONS`.
    top
        How many rows of each list; None for as many as suit the format.
    everything
        Whether people are shown all tables of the summary, not only what costs most.

    Raises
    ------
    OptionError
        For another list.
    """

    def __init__(
        self,
        analysis: Analysis,
        sections: Sequence[str] = (),
        top: int | None = None,
        everything: bool = False,
    ) -> None:
        for section in sections:
            if section not in SECTIONS:
                raise unknown("list", section, SECTIONS)
        self.analysis = analysis
        self.sections = sections
        self.top = top
        self.everything = everything
        self.worst = WORST if top is None else top
        self.signature = analysis.result.signature
        self.usual = Recipe().signature()

    def lead(self) -> Said:
        """Name the most costly errors, and what to look at first."""
        ranked = self._ranked()
        if not ranked:
            return self.costliest()
        return (*self.costliest(), *self.mostly(), *self.first())

    def first(self) -> tuple[Cell, ...]:
        """One sentence on what to fix first: the class and kind of mention that cost most."""
        metric = self.analysis.cost_metrics[0]
        found = [
            (costs[metric], name, kind)
            for name, kinds in self.analysis.kind_costs.items()
            for kind, costs in kinds.items()
            if kind not in (UNKNOWN, "other") and costs[metric] > 0
        ]
        if not found:
            return (f" Start with the list of --{CLASSES[self._ranked()[0]].listed}.",)
        cost, name, kind = min(found, key=lambda one: (-one[0], one[2]))
        what = CLASSES[name].of_kind.format(kind)
        listed = CLASSES[name].listed
        return (f" Fix {what} first, which cost ", Number(cost), f": see --{listed}.")

    def costliest(self) -> tuple[Cell, ...]:
        """One sentence on the classes of errors that cost most."""
        metric = self.analysis.cost_metrics[0]
        ranked = self._ranked()
        if not ranked:
            return (f"No class of errors costs anything of {title(metric)}.",)
        first, *rest = [
            (CLASSES[name].plural, Number(self.analysis.costs.cost(name)[metric]))
            for name in ranked[:2]
        ]
        text: list[Cell] = [f"{first[0]} cost most: ", first[1], f" of {title(metric)}"]
        for plural, cost in rest:
            text += [f"; {plural[0].lower()}{plural[1:]} are next: ", cost]
        return (*text, ".")

    def mostly(self) -> tuple[Cell, ...]:
        """One sentence on the mentions of the class that costs most; nothing if there are few.

        It says their kind if that is the kind of half of them, and the words of a tenth of them.
        """
        ranked = self._ranked()
        errors = [
            (document, mention)
            for document in self.analysis
            for error in document.repairs.errors
            if ranked and error.kind == ranked[0]
            for mention in error.mentions
        ]
        kinds = Counter(document.features.kind(mention) for document, mention in errors)
        words = Counter((document.words(mention) or "").lower() for document, mention in errors)
        del kinds[UNKNOWN], kinds["other"], words[""]
        said: list[Cell] = []
        for counts, least, text in ((kinds, 0.5, " % are {}s"), (words, 0.1, " % are “{}”")):
            for name, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:1]:
                if count >= max(2, least * len(errors)):
                    share = Number(count / len(errors), extra=-2)
                    said += [" and " if said else "", share, text.format(name)]
        if len(errors) < _FEW or not said:
            return ()
        plural = CLASSES[ranked[0]].plural.lower()
        about = plural if plural.endswith("mentions") else f"mentions in {plural}"
        return (f" Of the {len(errors)} {about}, ", *said, ".")

    def _ranked(self) -> list[str]:
        """Return the classes of errors that cost something, most costly first."""
        metric, costs = self.analysis.cost_metrics[0], self.analysis.costs
        cost = {name: costs.cost(name)[metric] for name in CLASSES}
        return sorted((name for name in CLASSES if cost[name] > 0), key=lambda n: -cost[n])

    def tables(self) -> list[Table]:
        """Return the costs of errors, and the lists or the worst mentions; or the whole summary."""
        if not self.everything:
            lists = _lists(self.analysis, self.sections, self.top)
            features = [*_feature_tables(self.analysis)]
            worst = [] if lists or features else _lists(self.analysis, ["mentions"], self.worst)
            return [*_cost_tables(self.analysis), *features, *lists, *worst]
        return [
            *_summary_tables(self.analysis),
            *_worst(self.analysis, self.worst),
            *_lists(self.analysis, self.sections, self.top),
        ]

    def notes(self, tables: Sequence[Table]) -> Sequence[Said]:
        """Explain how documents were averaged; columns and marks are explained at their tables."""
        more = "--all adds scores, mention types, ARCS, entities, and what is worst"
        return [*notes([self.analysis.result], tables), *[more] * (not self.everything)]

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield the one requested list, or the summary as names and values.

        Raises
        ------
        OptionError
            For several lists.
        """
        if len(self.sections) > 1:
            raise OptionError(f"CSV holds one list: ask for one of {', '.join(self.sections)}")
        if not self.sections:
            yield ("name", "value")
            yield from _flat(self.analysis.summary)
            return
        rows = getattr(self.analysis, self.sections[0])[: self.top]
        for number, row in enumerate(rows):
            cells = record(row.to_dict())
            if not number:
                yield tuple(cells)
            yield tuple(cells.values())

    def document(self) -> dict[str, Any]:
        """Return the summary, with what is worst and the lists."""
        document = dict(self.analysis.summary)
        document["worst"] = {
            "entities": [row.to_dict() for row in self.analysis.worst_entities(self.worst)],
            "documents": self.analysis.worst_documents(self.worst),
        }
        for section in self.sections:
            rows = getattr(self.analysis, section)[: self.top]
            document[section] = [row.to_dict() for row in rows]
        return document | {"problems": [one.to_dict() for one in self.analysis.problems]}


def _flat(values: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """Flatten values to dotted names, without lists."""
    found: list[tuple[str, Any]] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            found += _flat(value, f"{before}{name}.")
        elif not isinstance(value, list):
            found.append((before + name, value))
    return found


def record(values: Mapping[str, Any]) -> dict[str, Any]:
    """A row of CSV: mentions by their ends, classes of errors with spaces, a column for each F1."""
    row: dict[str, Any] = {}
    for name, value in values.items():
        if name == "scores":
            row |= {f"f1_{metric}": f1 for metric, f1 in value.items()}
        elif name == "errors":
            row[name] = " ".join(value)
        elif name in _MENTIONS:
            row |= {f"{name}_{k}": v for k, v in zip(PLACE, place(value), strict=True)}
        elif name in _WORDS and value is None and (mention := values.get(_WORDS[name])) is not None:
            row[name] = str(mention) if row[f"{_WORDS[name]}_start"] is None else None
        elif name != "mentions":
            row[name] = value
    return row


#: The columns of words, of which mention each is; what is no position is its own words.
_WORDS = {"words": "mention", "expected_words": "expected", "found_words": "found"}
_MENTIONS = tuple(_WORDS.values())


def change(value: float | None) -> Cell:
    """Return a difference of scores, with its sign."""
    return Number(value, signed=True)


def _summary_tables(analysis: Analysis) -> list[Table]:
    """Return the tables of the summary page, without lists of words."""
    summary = analysis.summary
    scores = score_table([analysis.result])
    scores.spans = []
    scores.caption = _about(analysis)
    tables = [
        scores,
        *_cost_tables(analysis),
        _kind_table(summary["errors"], analysis.cost_metrics[0]),
        *_link_tables(summary["arcs"], "kind"),
        *_anchor_tables(summary["arcs"]),
        _category_table(summary["categories"]),
        _mention_table(analysis.mention_counts("kind"), "kind"),
        _effect_table(analysis.effects, list(analysis.effects["more_precise"].base)),
    ]
    return [
        table for table in [*tables, *_feature_tables(analysis)] if table.rows or table.sentences
    ]


def _feature_tables(analysis: Analysis) -> Iterator[Table]:
    """Yield the tables by each requested feature."""
    for feature, values in analysis.summary.get("by", {}).items():
        yield from _link_tables(values["arcs"], feature)
        yield _mention_table(values["mention_counts"], feature)


def _about(analysis: Analysis) -> str:
    (name,) = system_names([analysis.result])
    count = len(analysis.documents)
    if count == 1:
        return f"{name}: {short_label(analysis.documents[0].label)}"
    return f"{name}: {count} documents"


def _shown_groups(
    found: Mapping[str, Any], size: Sequence[str]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The rows of a table with their names: of everything, then of groups, those with most.

    Where nothing is known of any mention there is no group.
    """
    groups = found["groups"]
    yield _ALL, found["all"]
    if groups.keys() <= {UNKNOWN}:
        return
    ranked = sorted(groups, key=lambda name: -sum(groups[name][one] for one in size))
    shown = set(ranked[:_GROUPS])
    for name, row in groups.items():
        if name in shown:
            yield f'"{name}"' if name == _ALL else name, row


def _link_tables(arcs: Mapping[str, Any], feature: str) -> list[Table]:
    """Return the four counts and scores by group, of immediate and of inferred antecedents."""
    counts = ("tp", "wl", "fn", "fp")
    return [
        Table(
            [feature, *counts, "R", "P", "F1"],
            [
                [group, *(row[one] for one in counts), *_rates(row)]
                for group, row in _shown_groups(arcs[name], counts)
            ],
            caption=f"{name.capitalize()} antecedents (ARCS)",
        )
        for name in ("immediate", "inferred")
        if arcs[name]
    ]


def _rates(row: Mapping[str, Any]) -> list[Cell]:
    return [
        "-" if name in row["undefined"] else Number(row[name])
        for name in ("recall", "precision", "f1")
    ]


def _anchor_tables(arcs: Mapping[str, Any]) -> list[Table]:
    """Return the anchors, or why neither they nor inferred antecedents are computed."""
    anchor = arcs["anchor"]
    if anchor is None:
        why = f"not computed: {arcs['not_computed']}"
        return [Table([], caption="Inferred antecedents and anchors (ARCS)", sentences=[why])]
    counts = ("tp", "fn", "fp")
    rows: list[list[Cell]] = [
        [name, *(anchor[name][one] for one in counts), *_rates(anchor[name])]
        for name in ("detection", "mentions")
    ]
    caption = ("Anchor mentions (ARCS): F ", Number(anchor["f"]))
    return [Table(["", *counts, "R", "P", "F1"], rows, caption=caption)]


def _cost_tables(analysis: Analysis) -> list[Table]:
    """Return tables of error counts, costs by class, and the score after cumulative repairs."""
    costs, errors = analysis.costs, analysis.summary["errors"]
    tables = []
    for start in range(0, len(analysis.cost_metrics), 3):
        metrics = analysis.cost_metrics[start : start + 3]
        table = Table(
            ["error", "count", *["cost", "cumulative"] * len(metrics)],
            [["none repaired", "", *(c for m in metrics for c in ("", Number(costs.base[m])))]],
            [("", 1), *((title(metric), 2) for metric in metrics)],
            "Errors: cost of each type on its own, and the score as they are fixed one by one",
        )
        for name, kind in CLASSES.items():
            found = errors[name]
            cells = [(change(found["cost"][m]), Number(found["cumulative"][m])) for m in metrics]
            table.rows.append([kind.title, found["count"], *(c for both in cells for c in both)])
        tables.append(table)
    return tables


def _kind_table(errors: Mapping[str, Any], metric: str) -> Table:
    """Return mentions and their costs by class and mention type; no rows if no type is known."""
    known = {kind for error in errors.values() for kind in error["kind_costs"]}
    kinds = [kind for kind in (*KINDS, UNKNOWN) if kind in known]
    caption = f"Mentions in errors by kind, and what they alone cost of {title(metric)}"
    header = ["error", *["n", "cost"] * len(kinds)]
    table = Table(header, spans=[(kind, 2) for kind in kinds], caption=caption)
    if not kinds:
        return table
    for name, error_class in CLASSES.items():
        row: list[Cell] = [error_class.title]
        for kind in kinds:
            cost = errors[name]["kind_costs"].get(kind)
            row += [errors[name]["kinds"].get(kind, 0), change(cost[metric]) if cost else ""]
        table.rows.append(row)
    return table


def _category_table(found: Mapping[str, int]) -> Table:
    total = sum(found.values())
    rows: list[list[Cell]] = [
        [f"{name} {label}", found[name], Number(found[name] / total if total else None)]
        for name, label in CATEGORIES.items()
    ]
    return Table(["key entities", "count", "%"], rows, caption="Entities (Holen 2013)")


def _mention_table(counts: Mapping[str, Any], feature: str) -> Table:
    names = ("key", "response", "matched", "missing", "extra")
    rows: list[list[Cell]] = [
        [group, *(row[name] for name in (*names, "incorrectly_resolved"))]
        for group, row in _shown_groups(counts, ("key", "extra"))
    ]
    return Table([feature, *names, "wrong links only"], rows, caption="Mentions")


def _effect_table(effects: Mapping[str, Effect], metrics: Sequence[str]) -> Table:
    """Return changes of recall, precision and F1; mark those in the wrong direction."""
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
    for metric in metrics:
        row: list[Cell] = [title(metric)]
        for effect in effects.values():
            wrong = effect.wrong(metric)
            differences = effect.differences(metric)
            row += [
                _short(differences[part], _WRONG * (part in wrong)) if part in differences else ""
                for part in ("recall", "precision", "f1")
            ]
        table.rows.append(row)
    return table


def _short(value: float, after: str) -> Cell:
    """A change with a decimal less, and with two less from 10 points on, so that columns fit."""
    return Number(value, extra=-2 if abs(value) >= 0.0995 else -1, signed=True, after=after)


# Lists


def _worst(analysis: Analysis, number: int) -> list[Table]:
    tables = []
    entities = analysis.worst_entities(number)
    if entities:
        tables.append(_entity_table(analysis, entities, "Entities that lose most links"))
    documents = analysis.worst_documents(number) if len(analysis.documents) > 1 else []
    if documents:
        rows: list[list[Cell]] = [
            [
                short_label(one["document"]),
                one["mentions"],
                one["errors"],
                *(Number(one["scores"][metric]) for metric in analysis.cost_metrics),
            ]
            for one in documents
        ]
        header = ["document", "mentions", "errors", *map(title, analysis.cost_metrics)]
        tables.append(Table(header, rows, caption="Documents with most errors"))
    return tables


def _lists(analysis: Analysis, sections: Sequence[str], top: int | None) -> list[Table]:
    number = LISTED if top is None else top
    tables = []
    for section in sections:
        if section == "entities":
            entities = analysis.worst_entities(len(analysis.entities))
            caption = _how_many("entities that are not perfect", len(entities), number)
            tables.append(_entity_table(analysis, entities[:number], caption))
        elif section == "links":
            links = [
                row
                for metric in ("immediate", "inferred")
                for row in _dearest(
                    analysis, analysis.links.where(metric=metric, outcome=("wl", "fn", "fp"))
                )
            ]
            caption = _how_many("wrong or missing links", len(links), number)
            tables.append(_link_list(analysis, links[:number], caption))
        else:
            wrong = [row for row in analysis.mentions if row.status != "correct" or row.errors]
            mentions = _dearest(analysis, wrong)
            caption = _how_many("mentions in errors", len(mentions), number)
            tables.append(_mention_list(analysis, mentions[:number], caption))
    return tables


def _dearest(analysis: Analysis, rows: Sequence[RowT]) -> list[RowT]:
    """Return rows sorted by the cost of errors of their class and type, most costly first."""
    metric = analysis.cost_metrics[0]
    errors = {(row.document, row.mention): row.errors for row in analysis.mentions}

    def cost(row: RowT) -> float:
        kind, names = row.features["kind"], errors[row.document, row.mention]
        return max((analysis.cost_at(name, kind)[metric] for name in names), default=0.0)

    return sorted(rows, key=cost, reverse=True)


def _how_many(what: str, count: int, number: int) -> str:
    if count <= number:
        return f"{count} {what}"
    return f"{count} {what}, the first {number} (more by --top)"


def where(analysis: Analysis, row: LinkRow | MentionRow | EntityRow | ChangeRow) -> list[Cell]:
    """Return the document, if there are several, and the line."""
    cells: list[Cell] = [short_label(row.document)] if len(analysis.documents) > 1 else []
    line = None if isinstance(row, EntityRow) else row.line
    return [*cells, line] if line is not None else cells


def with_places(
    analysis: Analysis,
    header: list[str],
    rows: Sequence[tuple[Sequence[Cell], Sequence[Cell]]],
    caption: str,
) -> Table:
    """Return a table of rows that end in their place, as far as it is known."""
    columns = max((len(where) for _, where in rows), default=0)
    several = len(analysis.documents) > 1
    names = (["document", "line"] if several else ["line"])[:columns]
    return Table(
        [*header, *names],
        [[*cells, *where, *[""] * (columns - len(where))] for cells, where in rows],
        caption=caption,
        words=len(header) + columns,
    )


def _entity_table(analysis: Analysis, found: Sequence[EntityRow], caption: str) -> Table:
    header = ["entity", "id", "cat", "size", "found", "best", "of", "lost", "info %"]
    key, response = _names(analysis)
    rows: list[tuple[list[Cell], list[Cell]]] = [
        (
            [
                mention_name(row.words, row.mentions[0]),
                key[row.document][row.entity],
                row.category,
                row.size,
                row.whole,
                "-" if row.response is None else response[row.document][row.response],
                row.response_size,
                row.lost_links,
                Number(row.information, extra=-2),
            ],
            where(analysis, row),
        )
        for row in found
    ]
    table = with_places(analysis, header, rows, caption)
    table.notes = [
        "cat: the category above; best: the response entity that has most of the entity; of: how "
        "many mentions that one has; lost: links of the entity that it lacks; info: the share of "
        "what its mentions say, names more than pronouns"
    ]
    return table


def _link_list(analysis: Analysis, found: Sequence[LinkRow], caption: str) -> Table:
    header = ["mention", "link", "is", *analysis.features, "expected", "found"]
    rows = [
        (
            [
                mention_name(row.words, row.mention),
                row.metric,
                row.outcome,
                *row.features.values(),
                mention_name(row.expected_words, row.expected),
                mention_name(row.found_words, row.found),
            ],
            where(analysis, row),
        )
        for row in found
    ]
    table = with_places(analysis, header, rows, caption)
    table.notes = ["wl: a wrong link; fn: no link, though there is one; fp: a link, though none is"]
    return table


def _mention_list(analysis: Analysis, found: Sequence[MentionRow], caption: str) -> Table:
    header = ["mention", "status", *analysis.features, "key", "resp", "errors"]
    key, response = _names(analysis)
    rows = [
        (
            [
                mention_name(row.words, row.mention),
                _STATUS.get(row.status, row.status),
                *row.features.values(),
                "-" if row.key_entity is None else key[row.document][row.key_entity],
                "-" if row.response_entity is None else response[row.document][row.response_entity],
                ", ".join(CLASSES[error].title for error in row.errors),
            ],
            where(analysis, row),
        )
        for row in found
    ]
    return with_places(analysis, header, rows, caption)


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return the names of the entities of a document without a long beginning that all share.

    Examples
    --------
    >>> short_names(["GUM_news_e1", "GUM_news_e12"]), short_names(["e1", "e2"])
    ({'GUM_news_e1': 'e1', 'GUM_news_e12': 'e12'}, {'e1': 'e1', 'e2': 'e2'})
    """
    first, last = min(names, default=""), max(names, default="")
    differ = (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    shared = first[: next(differ, len(first))].rstrip("0123456789")
    if first == last or len(shared) < 4:
        return {name: name for name in names}
    # The last letter says what the number counts.
    return {name: name[len(shared) - 1 :] for name in names}


def _names(analysis: Analysis) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """The short names of the entities of the key and of the response, by label of the document."""
    key = {one.label: short_names(one.key.entity_names) for one in analysis}
    return key, {one.label: short_names(one.response.entity_names) for one in analysis}


def mention_name(words: str | None, mention: object) -> str:
    """Return a mention's display name: its words, its position, or a dash."""
    if words is not None:
        return words
    return "-" if mention is None else str(mention)
