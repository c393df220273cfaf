"""What went wrong: a summary page, and lists of links, mentions, entities.

The page begins with the most costly errors. JSON is `Analysis.summary`, with the lists beside it;
CSV is one list, or the summary as names and values. docs/errors.md explains all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from corefmeter.analysis.entities import CATEGORIES
from corefmeter.analysis.identification import EFFECTS
from corefmeter.analysis.operations import CLASSES
from corefmeter.analysis.report import Analysis
from corefmeter.analysis.rows import EntityRow, LinkRow, MentionRow, Row
from corefmeter.mentions.features import UNKNOWN
from corefmeter.mentions.tags import KINDS
from corefmeter.metrics import title
from corefmeter.problems import OptionError, unknown
from corefmeter.recipe import Recipe
from corefmeter.reports.match import PLACE, place
from corefmeter.reports.scores import notes, score_table, system_names
from corefmeter.reports.tables import Cell, Number, OnScreen, Report, Table, Wording, short_label

#: The lists that can be asked for.
SECTIONS = ("entities", "links", "mentions")

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

RowT = TypeVar("RowT", bound=Row)
MentionedT = TypeVar("MentionedT", LinkRow, MentionRow)


class ErrorsReport(Report):
    """The summary, or with `everything` all its tables, then the requested `sections`.

    `top` is the number of rows of each list; None for as many as suit the format.
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

    def lead(self) -> Wording:
        """Name the most costly errors, and what to look at first."""
        return (*self.costliest(), *self.mostly(), *self.first())

    def costliest(self) -> tuple[Cell, ...]:
        """Return a sentence on the one or two most costly classes of errors."""
        metric = self.analysis.cost_metrics[0]
        message = [
            (CLASSES[name].plural, Number(self.analysis.costs.cost(name)[metric]))
            for name in self._ranked()[:2]
        ]
        if not message:
            return (f"No error type costs any {title(metric)}.",)
        (plural, cost), *second = message
        text: list[Cell] = [f"{plural} cost most: ", cost, f" of {title(metric)}"]
        for plural, cost in second:
            text += [f"; {plural[0].lower()}{plural[1:]} are next: ", cost]
        return (*text, ".")

    def mostly(self) -> tuple[Cell, ...]:
        """Return a sentence on the mentions of the most costly class; nothing if there are few.

        It names their kind if half of them have it, and the words of a tenth of them.
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
        message: list[Cell] = []
        for counts, least, text in ((kinds, 0.5, " % are {}s"), (words, 0.1, " % are “{}”")):
            name, count = min(counts.items(), key=lambda one: (-one[1], one[0]), default=("", 0))
            if count >= max(2, least * len(errors)):
                share = Number(count / len(errors), extra=-2)
                message += [" and " if message else "", share, text.format(name)]
        if len(errors) < _FEW or not message:
            return ()
        plural = CLASSES[ranked[0]].plural.lower()
        about = plural if plural.endswith("mentions") else f"mentions in {plural}"
        return (f" Of the {len(errors)} {about}, ", *message, ".")

    def first(self) -> tuple[Cell, ...]:
        """Return a sentence on the class and kind of mention to fix first."""
        ranked, metric = self._ranked(), self.analysis.cost_metrics[0]
        if not ranked:
            return ()
        found = [
            (-costs[metric], kind, CLASSES[name])
            for name, kinds in self.analysis.kind_costs.items()
            for kind, costs in kinds.items()
            if kind not in (UNKNOWN, "other") and costs[metric] > 0
        ]
        if not found:
            return (f" Start with the list of --{CLASSES[ranked[0]].listed}.",)
        gain, kind, error = min(found, key=lambda one: one[:2])
        what = f" Fix {error.of_kind.format(kind)} first, which cost "
        return (what, Number(-gain), f": see --{error.listed}.")

    def _ranked(self) -> list[str]:
        """Return the classes of errors that cost something, most costly first."""
        metric, costs = self.analysis.cost_metrics[0], self.analysis.costs
        cost = {name: costs.cost(name)[metric] for name in CLASSES}
        return sorted((name for name in CLASSES if cost[name] > 0), key=lambda n: -cost[n])

    def tables(self) -> list[Table]:
        """Return the costs of errors, and the lists or the worst mentions; or the whole summary."""
        number = LISTED if self.top is None else self.top
        lists = [_LISTS[section](self.analysis, number) for section in self.sections]
        if self.everything:
            return [
                *_summary_tables(self.analysis),
                *_worst_tables(self.analysis, self.worst),
                *lists,
            ]
        features = [*_feature_tables(self.analysis)]
        worst = [] if lists or features else [_mention_list(self.analysis, self.worst)]
        return [*_cost_tables(self.analysis), *features, *lists, *worst]

    def notes(self, tables: Sequence[Table]) -> Sequence[Wording]:
        """Explain how documents were averaged; columns and marks are explained at their tables."""
        lines: list[Wording] = [*notes([self.analysis.result], tables), *kinds_hint(self.analysis)]
        if not self.everything:
            more = "--all adds scores, mention types, ARCS, entities, and what is worst"
            lines.append(OnScreen(more))
        return lines

    def records(self) -> Iterator[Sequence[Any]]:
        """Yield the one requested list, or the summary as names and values."""
        if len(self.sections) > 1:
            raise OptionError(
                f"CSV can have only one list: choose one of {', '.join(self.sections)}"
            )
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
        lists = {section: self._rows(section) for section in self.sections}
        problems = [one.to_dict() for one in self.analysis.problems]
        return {**self.analysis.summary, "worst": worst, **lists, "problems": problems}

    def _rows(self, section: str) -> list[dict[str, Any]]:
        return [row.to_dict() for row in getattr(self.analysis, section)[: self.top]]


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


def _shown_groups(
    found: Mapping[str, Any], size: Sequence[str]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the name and values of all mentions, and of the largest groups if any is known.

    The size of a group is the sum of its values that `size` names.
    """
    groups = found["groups"]
    yield _ALL, found["all"]
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
            for group, row in _shown_groups(arcs[name], counts):
                table.rows.append([group, *(row[one] for one in counts), *_rates(row)])
            yield table


def _rates(row: Mapping[str, Any]) -> list[Cell]:
    names = ("recall", "precision", "f1")
    return ["-" if name in row["undefined"] else Number(row[name]) for name in names]


def _anchor_table(arcs: Mapping[str, Any]) -> Table:
    """Return the anchors, or why neither they nor inferred antecedents are computed."""
    anchor = arcs["anchor"]
    if anchor is None:
        why = f"not computed: {arcs['not_computed']}"
        return Table([], caption="Inferred antecedents and anchors (ARCS)", sentences=[why])
    counts = ("tp", "fn", "fp")
    table = Table(["", *counts, "R", "P", "F1"])
    table.caption = ("Anchor mentions (ARCS): F ", Number(anchor["f"]))
    for name in ("detection", "mentions"):
        row = anchor[name]
        table.rows.append([name, *(row[one] for one in counts), *_rates(row)])
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
        for name, error in CLASSES.items():
            found = analysis.classes[name]
            row: list[Cell] = [error.title, found["count"]]
            for metric in metrics:
                row += [Number(found["cost"][metric]), Number(found["cumulative"][metric])]
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


def _category_table(found: Mapping[str, int]) -> Table:
    table = Table(["key entities", "count", "%"], caption="Entities (Holen 2013)")
    total = sum(found.values())
    for name, label in CATEGORIES.items():
        share = Number(found[name] / total if total else None)
        table.rows.append([f"{name} {label}", found[name], share])
    return table


def _mention_table(counts: Mapping[str, Any], feature: str) -> Table:
    names = ("key", "response", "matched", "missing", "extra")
    table = Table([feature, *names, "wrong links only"], caption="Mentions")
    for group, row in _shown_groups(counts, ("key", "extra")):
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
        yield _entity_table(analysis, entities, "Entities that lose most links")
    documents = analysis.worst_documents(number) if len(analysis) > 1 else []
    if documents:
        header = ["document", "mentions", "errors", *map(title, analysis.cost_metrics)]
        table = Table(header, caption="Documents with most errors")
        for one in documents:
            scores = [Number(one["scores"][metric]) for metric in analysis.cost_metrics]
            label = short_label(one["document"])
            table.rows.append([label, one["mentions"], one["errors"], *scores])
        yield table


def _most_costly(analysis: Analysis, rows: Sequence[MentionedT]) -> list[MentionedT]:
    """Return rows sorted by the cost of errors of their class and type, most costly first."""
    metric = analysis.cost_metrics[0]
    errors = {(row.document, row.mention): row.errors for row in analysis.mentions}

    def cost(row: MentionedT) -> float:
        kind, names = row.features["kind"], errors[row.document, row.mention]
        return max((analysis.cost_at(name, kind)[metric] for name in names), default=0.0)

    return sorted(rows, key=cost, reverse=True)


def kinds_hint(analysis: Analysis) -> list[OnScreen]:
    """Return a hint if no type of mention is known, though there are words to tell them by."""
    found = {kind for document in analysis for kind in document.kinds}
    if found != {UNKNOWN} or not any(one.key.text or one.response.text for one in analysis):
        return []
    hint = "kind is unknown without parts of speech; --pronouns en (or de, nl) recognizes pronouns"
    return [OnScreen(hint)]


def first_of(what: str, count: int, number: int) -> Wording:
    """Return the caption of a list that shows at most so many things."""
    return (what, f", the first {number}", OnScreen(" (more by --top)")) if count > number else what


def list_table(
    analysis: Analysis,
    header: list[str],
    rows: Sequence[RowT],
    cells: Callable[[RowT], list[Cell]],
    caption: Wording,
) -> Table:
    """Return a table of rows whose first columns have the `header` and come from `cells`.

    A column with the document follows if there are several, and one with the line if any is known.
    """
    with_document = len(analysis) > 1 and bool(rows)
    lines = [getattr(row, "line", None) for row in rows]
    with_line = any(line is not None for line in lines)
    table = Table(list(header), caption=caption)
    if with_document:
        table.header.append("document")
    if with_line:
        table.header.append("line")
    table.words = len(table.header)
    for row, line in zip(rows, lines, strict=True):
        row_cells = cells(row)
        if with_document:
            row_cells.append(short_label(row.document))
        if with_line:
            row_cells.append("" if line is None else line)
        table.rows.append(row_cells)
    return table


def _entity_list(analysis: Analysis, number: int) -> Table:
    found = analysis.worst_entities(len(analysis.entities))
    caption = first_of(f"{len(found)} entities that are not perfect", len(found), number)
    return _entity_table(analysis, found[:number], caption)


def _entity_table(analysis: Analysis, found: Sequence[EntityRow], caption: Wording) -> Table:
    header = ["entity", "id", "cat", "size", "found", "best", "of", "lost", "info %"]
    key, response = _short_entity_names(analysis)

    def cells(row: EntityRow) -> list[Cell]:
        return [
            mention_name(row.words, row.mentions[0]),
            key[row.document][row.entity],
            row.category,
            row.size,
            row.whole,
            "-" if row.response is None else response[row.document][row.response],
            row.response_size,
            row.lost_links,
            Number(row.information, extra=-2),
        ]

    table = list_table(analysis, header, found, cells, caption)
    table.notes = [
        "cat: the category above; best: the response entity that has most of the entity; of: how "
        "many mentions that one has; lost: links of the entity that it lacks; info: the share of "
        "what its mentions say, names more than pronouns"
    ]
    return table


def _link_list(analysis: Analysis, number: int) -> Table:
    header = ["mention", "link", "is", *analysis.features, "expected", "found"]
    found: list[LinkRow] = []
    for metric in ("immediate", "inferred"):
        wrong = analysis.links.where(metric=metric, outcome=("wl", "fn", "fp"))
        found += _most_costly(analysis, wrong)

    def cells(row: LinkRow) -> list[Cell]:
        return [
            mention_name(row.words, row.mention),
            row.metric,
            row.outcome,
            *row.features.values(),
            mention_name(row.expected_words, row.expected),
            mention_name(row.found_words, row.found),
        ]

    caption = first_of(f"{len(found)} wrong or missing links", len(found), number)
    table = list_table(analysis, header, found[:number], cells, caption)
    table.notes = ["wl: a wrong link; fn: no link, though there is one; fp: a link, though none is"]
    return table


def _mention_list(analysis: Analysis, number: int) -> Table:
    header = ["mention", "status", *analysis.features, "key", "resp", "errors"]
    wrong = [row for row in analysis.mentions if row.status != "correct" or row.errors]
    key, response = _short_entity_names(analysis)

    def cells(row: MentionRow) -> list[Cell]:
        return [
            mention_name(row.words, row.mention),
            "wrong links" if row.status == "incorrectly_resolved" else row.status,
            *row.features.values(),
            "-" if row.key_entity is None else key[row.document][row.key_entity],
            "-" if row.response_entity is None else response[row.document][row.response_entity],
            ", ".join(CLASSES[error].title for error in row.errors),
        ]

    caption = first_of(f"{len(wrong)} mentions in errors", len(wrong), number)
    return list_table(analysis, header, _most_costly(analysis, wrong)[:number], cells, caption)


_LISTS = {"entities": _entity_list, "links": _link_list, "mentions": _mention_list}


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


def _short_entity_names(
    analysis: Analysis,
) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """Return the short names of the entities of the key and of the response, by document."""
    key = {one.label: short_names(one.key.entity_names) for one in analysis}
    return key, {one.label: short_names(one.response.entity_names) for one in analysis}


def mention_name(words: str | None, mention: object) -> str:
    """Return a mention's display name: its words, its position, or a dash."""
    if words is not None:
        return words
    return "-" if mention is None else str(mention)
