"""What went wrong, for people and programs: a summary page, and lists of links, mentions, entities.

Text, Markdown and LaTeX begin with what costs most and show the same tables. JSON is
`Analysis.summary`, with the lists beside it; CSV is one list, or the summary as names and values.
docs/errors.md explains all of it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from typing import IO, Any

from corefmeter.analysis.entities import CATEGORIES
from corefmeter.analysis.identification import EFFECTS, Effect
from corefmeter.analysis.operations import CLASSES
from corefmeter.analysis.report import Analysis
from corefmeter.analysis.rows import EntityRow, LinkRow, MentionRow
from corefmeter.mentions.features import UNKNOWN
from corefmeter.metrics import title
from corefmeter.problems import OptionError
from corefmeter.reports.latex import escape, table_latex
from corefmeter.reports.markdown import table_markdown
from corefmeter.reports.tables import Table, notes, score_table, system_names
from corefmeter.reports.terminal import (
    coloured,
    cut_off,
    paragraph,
    room_of,
    styled,
    write_signature,
    write_table,
)

#: The lists that can be asked for.
SECTIONS = ("entities", "links", "mentions")

#: Rows of a list in text when no number is asked for, and of the tables of worst things.
LISTED, WORST = 20, 5

#: Groups of a feature in a table of text; the rest is counted.
_GROUPS = 12

_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

#: How a status is shown, where not by its name.
_STATUS = {"incorrectly_resolved": "wrong links"}

#: What several errors of a class are called, and the list that shows them.
_FIRST = {
    "span": ("Span errors", "mentions"),
    "conflated": ("Conflated entities", "links"),
    "extra_mention": ("Extra mentions", "mentions"),
    "extra_entity": ("Extra entities", "mentions"),
    "divided": ("Divided entities", "links"),
    "missing_mention": ("Missing mentions", "mentions"),
    "missing_entity": ("Missing entities", "entities"),
}

#: What moves the wrong way.
_WRONG = "!"


def write_errors(
    analysis: Analysis, sections: Sequence[str], format: str, stream: IO[str], top: int | None
) -> None:
    """Write the summary, then the lists asked for, in a format.

    Parameters
    ----------
    sections
        Some of `SECTIONS`.
    top
        How many rows of each list; None for as many as suit the format.

    Raises
    ------
    OptionError
        For several lists as CSV.
    """
    if format == "json":
        _write_json(analysis, sections, stream, top)
    elif format == "csv":
        _write_csv(analysis, sections, stream, top)
    else:
        _write_tables(analysis, sections, format, stream, top)


# Programs


def _write_json(
    analysis: Analysis, sections: Sequence[str], stream: IO[str], top: int | None
) -> None:
    number = WORST if top is None else top
    document = dict(analysis.summary)
    document["worst"] = {
        "entities": [row.to_dict() for row in analysis.worst_entities(number)],
        "documents": analysis.worst_documents(number),
    }
    for section in sections:
        document[section] = [row.to_dict() for row in getattr(analysis, section)[:top]]
    document["problems"] = [problem.to_dict() for problem in analysis.problems]
    stream.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")


def _write_csv(
    analysis: Analysis, sections: Sequence[str], stream: IO[str], top: int | None
) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    if len(sections) > 1:
        raise OptionError(f"CSV holds one list: ask for one of {', '.join(sections)}")
    if not sections:
        writer.writerow(["name", "value"])
        writer.writerows(_flat(analysis.summary))
        return
    rows = [_csv_row(row.to_dict()) for row in getattr(analysis, sections[0])[:top]]
    if rows:
        writer.writerow(rows[0])
        writer.writerows(row.values() for row in rows)


def _flat(values: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """Names with dots and what stands there, without lists."""
    found: list[tuple[str, Any]] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            found += _flat(value, f"{before}{name}.")
        elif not isinstance(value, list):
            found.append((before + name, value))
    return found


def _csv_row(values: Mapping[str, Any]) -> dict[str, Any]:
    """A row in cells: mentions as JSON, classes of errors with blanks, a column for each F1."""
    row: dict[str, Any] = {}
    for name, value in values.items():
        if name == "scores":
            row |= {f"f1_{metric}": f1 for metric, f1 in value.items()}
        elif name == "errors":
            row[name] = " ".join(value)
        elif name in ("mention", "expected", "found") and value is not None:
            row[name] = json.dumps(value, ensure_ascii=False)
        elif name != "mentions":
            row[name] = value
    return row


# People


def _write_tables(
    analysis: Analysis, sections: Sequence[str], format: str, stream: IO[str], top: int | None
) -> None:
    number = WORST if top is None else top
    tables = summary_tables(analysis, number)
    lists = [*_worst(analysis, number), *_lists(analysis, sections, top)]
    lines = [
        f"{_WRONG} moves the wrong way (mention identification effect)",
        *notes([analysis.result], tables),
    ]
    if format == "text":
        paragraph(headline(analysis), stream, indent="")
        stream.write("\n")
        for table in tables:
            write_table(table, stream)
        for table in lists:
            _write_listing(table, stream)
        for line in lines[:-1]:
            paragraph(line, stream, dim=True)
        write_signature(lines[-1], "errors", "KEY RESPONSE", stream)
    elif format == "markdown":
        stream.write(headline(analysis) + "\n\n")
        stream.writelines(table_markdown(table) + "\n" for table in [*tables, *lists])
        stream.writelines(f"{line}  \n" for line in lines)
    else:
        stream.write(f"% {headline(analysis)}\n% needs \\usepackage{{booktabs}}\n")
        stream.writelines(table_latex(table, escape(table.caption)) for table in [*tables, *lists])
        stream.writelines(f"% {line}\n" for line in lines)


def _write_listing(table: Table, stream: IO[str]) -> None:
    """A table of words: all columns from the left, the widest cut until the lines fit."""
    terminal, width = coloured(stream), room_of(stream)
    rows = [table.header, *table.rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.header))]
    while sum(widths) + 2 * (len(widths) - 1) > width and max(widths) > 2:
        widths[widths.index(max(widths))] -= 1
    paragraph(table.caption, stream, bold=True)
    for i, row in enumerate(rows):
        cells = [cut_off(cell, room).ljust(room) for cell, room in zip(row, widths, strict=True)]
        stream.write(styled("  ".join(cells).rstrip(), terminal, bold=not i) + "\n")
    stream.write("\n")


def _percent(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.2f}"


def _change(value: float | None) -> str:
    if value is None:
        return "n/a"
    text = f"{100 * value:+.2f}"
    return text[1:] if text in ("+0.00", "-0.00") else text


def headline(analysis: Analysis) -> str:
    """One sentence on the class of errors that costs most, and one on what to look at first."""
    metric = analysis.cost_metrics[0]
    costs = {name: analysis.costs.cost(name)[metric] for name in CLASSES}
    ranked = sorted((name for name in CLASSES if costs[name] > 0), key=lambda n: -costs[n])
    if not ranked:
        return f"No class of errors costs anything of {title(metric)}."
    (plural, section), *rest = [_FIRST[name] for name in ranked]
    text = f"{plural} cost most: {_percent(costs[ranked[0]])} of {title(metric)}"
    if rest:
        text += f"; {rest[0][0].lower()} are next: {_percent(costs[ranked[1]])}"
    return f"{text}. Start with the list of --{section}."


def summary_tables(analysis: Analysis, top: int = WORST) -> list[Table]:
    """The tables of the summary page, without lists of words."""
    summary = analysis.summary
    scores = score_table([analysis.result])
    scores.spans = []
    scores.caption = _about(analysis)
    tables = [scores, *_cost_tables(analysis)]
    kinds = _kind_table(summary["errors"])
    tables += [kinds] if kinds is not None else []
    tables += [*_link_tables(summary["arcs"], "kind"), _anchor_table(summary["arcs"])]
    tables += [_category_table(summary), _mention_table(analysis.mention_counts("kind"), "kind")]
    tables.append(_effect_table(analysis.effects, list(analysis.effects["more_precise"].base)))
    for feature, values in summary.get("by", {}).items():
        tables += [
            *_link_tables(values["arcs"], feature),
            _mention_table(values["mention_counts"], feature),
        ]
    return [table for table in tables if table.rows]


def _about(analysis: Analysis) -> str:
    (name,) = system_names([analysis.result])
    count = len(analysis.documents)
    if count == 1:
        return f"{name}: {analysis.documents[0].label}"
    return f"{name}: {count} documents"


def _shown_groups(groups: Mapping[str, Mapping[str, Any]], size: Sequence[str]) -> list[str]:
    """The groups that a table shows: all, or those with most, in their order."""
    if len(groups) <= _GROUPS:
        return list(groups)
    ranked = sorted(groups, key=lambda name: -sum(groups[name][one] for one in size))
    shown = set(ranked[:_GROUPS])
    return [name for name in groups if name in shown]


def _link_tables(arcs: Mapping[str, Any], feature: str) -> list[Table]:
    """The four counts and scores by group, of immediate and of inferred antecedents."""
    counts = ("tp", "wl", "fn", "fp")
    tables = []
    for name in ("immediate", "inferred"):
        groups = arcs[name]
        table = Table(
            [feature, *counts, "R", "P", "F1"], caption=f"{name.capitalize()} antecedents (ARCS)"
        )
        for group in _shown_groups(groups, counts):
            row = groups[group]
            table.rows.append([group, *(str(row[one]) for one in counts), *_rates(row)])
        tables.append(table)
    return tables


def _rates(row: Mapping[str, Any]) -> list[str]:
    return [
        "-" if name in row["undefined"] else _percent(row[name])
        for name in ("recall", "precision", "f1")
    ]


def _anchor_table(arcs: Mapping[str, Any]) -> Table:
    anchor = arcs["anchor"]
    table = Table(["", "tp", "fn", "fp", "R", "P", "F1"])
    table.caption = f"Anchor mentions (ARCS): F {_percent(anchor['f'])}"
    for name in ("detection", "mentions"):
        row = anchor[name]
        table.rows.append([name, *(str(row[one]) for one in ("tp", "fn", "fp")), *_rates(row)])
    return table


def _cost_tables(analysis: Analysis) -> list[Table]:
    """Counts of errors, what each class costs, and the score as classes are repaired in turn."""
    costs, errors = analysis.costs, analysis.summary["errors"]
    tables = []
    for start in range(0, len(analysis.cost_metrics), 3):
        metrics = analysis.cost_metrics[start : start + 3]
        table = Table(
            ["error", "count", *["cost", "in turn"] * len(metrics)],
            [["none repaired", "", *(c for m in metrics for c in ("", _nan(costs.base[m])))]],
            [("", 1), *((title(metric), 2) for metric in metrics)],
            "Errors, what each class costs alone, and scores when repaired in turn",
        )
        for name, label in CLASSES.items():
            cells = []
            for metric in metrics:
                cells.append(_change(errors[name]["cost"][metric]))
                cells.append(_percent(errors[name]["cumulative"][metric]))
            table.rows.append([label, str(errors[name]["count"]), *cells])
        tables.append(table)
    return tables


def _nan(value: float) -> str:
    return _percent(None if value != value else value)


def _kind_table(errors: Mapping[str, Any]) -> Table | None:
    """The mentions involved in each class, by kind; None if no kind is known."""
    kinds = list(dict.fromkeys(kind for error in errors.values() for kind in error["kinds"]))
    kinds = [kind for kind in ("name", "nominal", "pronoun", "other", UNKNOWN) if kind in kinds]
    if not kinds or kinds == [UNKNOWN]:
        return None
    rows = [
        [label, *(str(errors[name]["kinds"].get(kind, 0)) for kind in kinds)]
        for name, label in CLASSES.items()
    ]
    return Table(["error", *kinds], rows, caption="Mentions in errors, by kind")


def _category_table(summary: Mapping[str, Any]) -> Table:
    found = summary["categories"]
    total = sum(found.values())
    rows = [
        [f"{name} {label}", str(found[name]), _percent(found[name] / total if total else None)]
        for name, label in CATEGORIES.items()
    ]
    return Table(["key entities", "count", "%"], rows, caption="Entities (Holen 2013)")


def _mention_table(counts: Mapping[str, Mapping[str, int]], feature: str) -> Table:
    names = ("key", "response", "matched", "missing", "extra")
    table = Table([feature, *names, "wrong links only"], caption="Mentions")
    for group in _shown_groups(counts, ("key", "extra")):
        row = counts[group]
        cells = [str(row[name]) for name in (*names, "incorrectly_resolved")]
        table.rows.append([group, *cells])
    return table


def _effect_table(effects: Mapping[str, Effect], metrics: Sequence[str]) -> Table:
    """How recall, precision and F1 change, those that move the wrong way marked."""
    table = Table(
        ["", *["R", "P", "F1"] * len(effects)],
        spans=[(EFFECTS[name][0], 3) for name in effects],
        caption="If mentions without a right link were removed, or more wrong links made",
    )
    for metric in metrics:
        row = [title(metric)]
        for effect in effects.values():
            wrong = effect.wrong(metric)
            differences = effect.differences(metric)
            row += [
                _short(differences[part]) + (_WRONG if part in wrong else "")
                if part in differences
                else ""
                for part in ("recall", "precision", "f1")
            ]
        table.rows.append(row)
    return table


def _short(value: float) -> str:
    """A change in at most four characters."""
    if value != value:
        return "n/a"
    text = f"{100 * value:+.1f}"
    if text in ("+0.0", "-0.0"):
        return "0.0"
    return text if len(text) <= 4 else f"{100 * value:+.0f}"


# Lists


def _worst(analysis: Analysis, number: int) -> list[Table]:
    tables = []
    entities = analysis.worst_entities(number)
    if entities:
        tables.append(_entity_table(analysis, entities, "Entities that lose most links"))
    documents = analysis.worst_documents(number) if len(analysis.documents) > 1 else []
    if documents:
        rows = [
            [_short_label(one["document"]), str(one["mentions"]), str(one["errors"]),
             *(_percent(one["scores"][metric]) for metric in analysis.cost_metrics)]
            for one in documents
        ]  # fmt: skip
        header = ["document", "mentions", "errors", *map(title, analysis.cost_metrics)]
        tables.append(Table(header, rows, caption="Documents with most errors"))
    return tables


def _lists(analysis: Analysis, sections: Sequence[str], top: int | None) -> list[Table]:
    """The lists asked for: what is wrong, the first rows of it."""
    number = LISTED if top is None else top
    tables = []
    for section in sections:
        if section == "entities":
            entities = analysis.worst_entities(len(analysis.entities))
            caption = _how_many("entities that are not perfect", len(entities), number)
            tables.append(_entity_table(analysis, entities[:number], caption))
        elif section == "links":
            links = analysis.links.where(outcome=("wl", "fn", "fp"))
            caption = _how_many("wrong or missing links", len(links), number)
            tables.append(_link_list(analysis, links[:number], caption))
        else:
            mentions = [row for row in analysis.mentions if row.status != "correct" or row.errors]
            caption = _how_many("mentions in errors", len(mentions), number)
            tables.append(_mention_list(analysis, mentions[:number], caption))
    return tables


def _how_many(what: str, count: int, number: int) -> str:
    if count <= number:
        return f"{count} {what}"
    return f"{count} {what}, the first {number} (more by --top)"


def _where(analysis: Analysis, row: LinkRow | MentionRow | EntityRow) -> list[str]:
    """The document, if there are several, and the line."""
    place = [_short_label(row.document)] if len(analysis.documents) > 1 else []
    line = None if isinstance(row, EntityRow) else row.line
    return [*place, str(line)] if line is not None else place


def _short_label(label: str) -> str:
    """The name of a document, with its part if that is not the first.

    Examples
    --------
    >>> _short_label("(bc/x); part 000"), _short_label("(bc/x); part 012"), _short_label("letter")
    ('bc/x', 'bc/x part 12', 'letter')
    """
    name, parted, part = label.rpartition("); part ")
    if not parted or not name.startswith("(") or not part.isdigit():
        return label
    return f"{name[1:]} part {int(part)}" if int(part) else name[1:]


def _with_places(
    analysis: Analysis, header: list[str], rows: Sequence[tuple[list[str], list[str]]],
    caption: str,
) -> Table:  # fmt: skip
    """A table of rows that end in their place, as far as it is known."""
    columns = max((len(place) for _, place in rows), default=0)
    several = len(analysis.documents) > 1
    names = (["document", "line"] if several else ["line"])[:columns]
    return Table(
        [*header, *names],
        [[*cells, *place, *[""] * (columns - len(place))] for cells, place in rows],
        caption=caption,
    )


def _entity_table(analysis: Analysis, found: Sequence[EntityRow], caption: str) -> Table:
    header = ["entity", "id", "cat", "size", "found", "best", "of", "lost", "info %"]
    key, response = _names(analysis)
    rows = [
        (
            [_name(row.words, row.mentions[0]), key[row.document][row.entity], row.category,
             str(row.size), str(row.whole),
             "-" if row.response is None else response[row.document][row.response],
             str(row.response_size), str(row.lost_links), f"{100 * row.information:.0f}"],
            _where(analysis, row),
        )
        for row in found
    ]  # fmt: skip
    return _with_places(analysis, header, rows, caption)


def _link_list(analysis: Analysis, found: Sequence[LinkRow], caption: str) -> Table:
    header = ["mention", "link", "is", *analysis.features, "expected", "found"]
    rows = [
        (
            [_name(row.words, row.mention), row.metric, row.outcome, *row.features.values(),
             _name(row.expected_words, row.expected), _name(row.found_words, row.found)],
            _where(analysis, row),
        )
        for row in found
    ]  # fmt: skip
    return _with_places(analysis, header, rows, caption)


def _mention_list(analysis: Analysis, found: Sequence[MentionRow], caption: str) -> Table:
    header = ["mention", "status", *analysis.features, "key", "resp", "errors"]
    key, response = _names(analysis)
    rows = [
        (
            [_name(row.words, row.mention), _STATUS.get(row.status, row.status),
             *row.features.values(),
             "-" if row.key_entity is None else key[row.document][row.key_entity],
             "-" if row.response_entity is None else response[row.document][row.response_entity],
             ", ".join(CLASSES[error] for error in row.errors)],
            _where(analysis, row),
        )
        for row in found
    ]  # fmt: skip
    return _with_places(analysis, header, rows, caption)


def short_names(names: Sequence[str]) -> dict[str, str]:
    """The names of the entities of a document without a long beginning that all share.

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


def _name(words: str | None, mention: object) -> str:
    """How a mention is shown: its words, its position, or a dash."""
    if words is not None:
        return words
    return "-" if mention is None else str(mention)
