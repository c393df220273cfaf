"""The data of a page: what score, compare and analyse returned, as columns by document.

Nothing is counted here. Mentions of a document are numbered, those of the key first, so that all
columns that follow are lists of numbers, or one letter a mention.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from corefmeter.analysis import agreement
from corefmeter.analysis.document import DocumentAnalysis
from corefmeter.analysis.entities import CATEGORIES, homes
from corefmeter.analysis.operations import CLASSES
from corefmeter.analysis.report import Analysis
from corefmeter.corpus.model import Mention
from corefmeter.corpus.positions import in_reading_order, is_run, pieces_if_any
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Text
from corefmeter.labels import labels
from corefmeter.mentions.features import UNKNOWN
from corefmeter.metrics import title
from corefmeter.metrics.base import as_json
from corefmeter.problems import Problem
from corefmeter.reports.errors import ErrorsReport
from corefmeter.reports.tables import DIGITS, Report, cell_text, sentence_text, short_label

if TYPE_CHECKING:
    from corefmeter.statistics.comparison import Comparison

#: The letters of `MentionRow.status`; "a" is correct but for its antecedent, a space is "neither in
#: this response nor in the key".
STATUS = {
    "correct": "c",
    "incorrectly_resolved": "i",
    "unlinked": "u",
    "missing": "m",
    "extra": "x",
}

#: The letters of `LinkRow.outcome`.
OUTCOME = {"tp": "t", "wl": "w", "fn": "n", "fp": "p"}

Json = dict[str, Any]


def overview(
    analyses: Sequence[Analysis],
    names: Sequence[str],
    comparison: Comparison | None,
    no_comparison: str,
    page_title: str,
    labels: Sequence[str],
    shown: Sequence[str],
) -> Json:
    """Return everything but the documents, of which `labels` are all, and `shown` on the page."""
    first = analyses[0]
    place = {label: number for number, label in enumerate(shown)}
    short = _short_labels(labels)
    documents = [{one.label: one for one in analysis} for analysis in analyses]
    first_of = dict(ChainMap(*documents))
    units = [_unit_scores(analysis) for analysis in analyses]
    problems = [problem for analysis in analyses for problem in analysis.problems]
    problems += comparison.problems if comparison else []
    return {
        "title": page_title,
        "signature": first.result.signature,
        "average": first.recipe.average,
        "undefined": first.recipe.undefined,
        "counted": first.result.documents,
        "systems": list(names),
        "metrics": [{"id": name, "title": title(name)} for name in first.recipe.metrics],
        "cost_metrics": [{"id": name, "title": title(name)} for name in first.cost_metrics],
        "classes": {name: one.title for name, one in CLASSES.items()},
        "categories": CATEGORIES,
        "scores": [one.result.entry()["scores"] for one in analyses],
        "errors": [{"errors": _classes_as_json(one)} for one in analyses],
        "leads": [_lead_text(ErrorsReport(analysis)) for analysis in analyses],
        "compare": None if comparison is None else comparison.to_dict(),
        "compare_missing": no_comparison,
        "differences": {
            name: [
                [a, b, as_json(analyses[a].result[name].f1 - analyses[b].result[name].f1)]
                for a, b in combinations(range(len(analyses)), 2)
            ]
            for name in first.recipe.metrics
        },
        "agreement": [
            {
                "a": a,
                "b": b,
                "mentions": agreement.mentions(analyses[a], analyses[b])._asdict(),
                "entities": agreement.entities(analyses[a], analyses[b])._asdict(),
            }
            for b in range(len(analyses))
            for a in range(b)
        ],
        "documents": [{"label": label, "short": short[label]} for label in shown],
        "left_out": [label for label in labels if label not in place],
        "index": [
            {
                "label": short[label],
                "shown": place.get(label),
                "tokens": first_of[label].key.tokens,
                "key_mentions": len(first_of[label].homes[0]),
                "errors": [
                    len(of[label].repairs.errors) if label in of else None for of in documents
                ],
                "scores": [of.get(label) for of in units],
            }
            for label in labels
        ],
        "digests": {
            name: digest for one in analyses for name, digest in one.result.digests.items()
        },
        "problems": [_problem_as_json(problem) for problem in dict.fromkeys(problems)],
    }


def _problem_as_json(problem: Problem) -> Json:
    text = str(problem._replace(hint=None)).replace(f" [{problem.code}]", "")
    return {
        "severity": problem.severity,
        "code": problem.code,
        "hint": problem.hint,
        "text": text.replace(f"{problem.severity}: ", "", 1),
    }


def _classes_as_json(analysis: Analysis) -> Json:
    """Return the classes of errors, with the `mentions` in them and the mean cost of `each`."""
    classes = {}
    for name, one in analysis.classes.items():
        each = {m: (cost or 0) / max(1, one["count"]) for m, cost in one["cost"].items()}
        classes[name] = one | {"mentions": sum(one["kinds"].values()), "each": each}
    return classes


def _lead_text(report: ErrorsReport) -> str:
    mentions = ("; by words, " if cell == " and " else cell for cell in report.describe_mentions())
    return sentence_text((*report.describe_costs(), *mentions), DIGITS)


def card_tables(card: Report | str) -> Json:
    """Return the tables of cards as `corefmeter card` prints them, or why there are none."""
    if isinstance(card, str):
        return {"card": [], "card_missing": card}
    tables = [
        {
            "caption": sentence_text(table.caption, DIGITS),
            "header": table.header,
            "rows": [[cell_text(cell, DIGITS) for cell in row] for row in table.rows],
        }
        for table in card.tables()[1:]
    ]
    return {"card": tables, "card_missing": ""}


def _short_labels(labels: Sequence[str]) -> dict[str, str]:
    """Return document labels for lists, short where that is not another label.

    >>> _short_labels(["(a); part 000", "(b); part 000", "b"])
    {'(a); part 000': 'a', '(b); part 000': '(b); part 000', 'b': 'b'}
    """
    known = set(labels)
    return {label: label if (name := short_label(label)) in known else name for label in labels}


def _unit_scores(analysis: Analysis) -> dict[str, dict[str, float | None]]:
    """Return F1 of the cost metrics that the result has, by document."""
    names = [name for name in analysis.cost_metrics if name in analysis.recipe.metrics]
    by_label = analysis.result.by(lambda unit: unit.label)
    return {label: {n: as_json(part[n].f1) for n in names} for label, part in by_label.items()}


class Columns:
    """The rows of an analysis by document."""

    def __init__(self, analysis: Analysis) -> None:
        self.documents = {one.label: one for one in analysis}
        self.features = analysis.features
        self.mentions = grouped((row.document, row) for row in analysis.mentions)
        links = analysis.links.where(metric="immediate")
        self.links = grouped((row.document, row) for row in links)
        self.entities = grouped((row.document, row) for row in analysis.entities)


def document_as_json(label: str, systems: Sequence[Columns]) -> Json:
    """Return a document and what all systems made of it; ``prepared`` in ``documents.js`` reads it.

    Mentions of all sides are numbered in reading order, and everything else refers to the numbers.
    A system without the document is None.
    """
    analyses = [columns.documents.get(label) for columns in systems]
    known = [analysis for analysis in analyses if analysis is not None]
    first = known[0]
    sides = [first.key.entities, *(analysis.response.entities for analysis in known)]
    all_mentions = dict.fromkeys(chain.from_iterable(chain.from_iterable(sides)))
    mentions = in_reading_order([list(all_mentions)])[0]
    number = {mention: place for place, mention in enumerate(mentions)}
    runs = [mention if is_run(mention) else (0, 0) for mention in mentions]
    others = [mention for mention in mentions if not is_run(mention)]
    text = first.key.text or first.response.text
    texts = _collect_texts(known)
    return {
        "label": label,
        "tokens": first.key.tokens,
        "joined": first.prepared.parts[0][0] is not None,  # of documents scored as one
        "words": None if text is None else text.words,
        "between": " " if text is None else text.between,
        "sentences": None if text is None else _as_differences(text.sentences),
        "starts": _as_differences([start for start, _ in runs]),
        "lengths": [end - start for start, end in runs],
        "others": {number[mention]: _place_as_json(mention, texts) for mention in others},
        "key": _side_as_json(first, "key", number),
        "features": _features_as_json(label, systems, number),
        "systems": [
            None if analysis is None else _system_as_json(analysis, columns, number, texts)
            for analysis, columns in zip(analyses, systems, strict=True)
        ],
    }


def _as_differences(numbers: Sequence[int]) -> list[int]:
    """Return numbers as differences, which are small where the numbers ascend."""
    return [number - before for number, before in zip(numbers, (0, *numbers), strict=False)]


def _collect_texts(found: Iterable[DocumentAnalysis]) -> dict[Any, Text]:
    """Return the texts of documents that are scored as one, by their ids."""
    return {
        id: text
        for one in found
        for id, pair in one.prepared.parts
        if id is not None and (text := pair.key.text or pair.response.text) is not None
    }


def _place_as_json(mention: Mention, texts: Mapping[Any, Text]) -> Any:
    """Return a mention's place as JSON: a run, pieces, or a name."""
    if is_run(mention):
        return mention
    pieces = pieces_if_any(mention)
    if not pieces:
        match mention:
            case ((str(name), int(part)), place):  # of documents that are scored as one
                words = f"{texts[name, part].string(place)} – " if (name, part) in texts else ""
                return f"{words}{name}, part {part}: {place}"
        return str(mention)
    return pieces[0] if len(pieces) == 1 and len(pieces[0]) == 2 else pieces


def _side_as_json(found: DocumentAnalysis, side: str, number: dict[Mention, int]) -> Json:
    """Return the names of the entities of a side, and the entity of each mention, -1 for none.

    `called` has the mention that names each entity.
    """
    document = found.key if side == "key" else found.response
    home = homes(document.entities)
    return {
        "names": document.entity_names,
        "home": [home.get(mention, -1) for mention in number],
        "called": [number[found.features.naming_mention(one)] for one in document.entities],
    }


def _system_as_json(
    found: DocumentAnalysis, of: Columns, number: dict[Mention, int], texts: Mapping[Any, Text]
) -> Json:
    label = found.label
    status, outcome = [" "] * len(number), [" "] * len(number)
    expected, answer = [0] * len(number), [0] * len(number)
    for row in of.mentions.get(label, ()):
        status[number[row.mention]] = STATUS[row.status]
    in_key, _ = found.homes
    for link in of.links.get(label, ()):
        place = number[link.mention]
        outcome[place] = OUTCOME[link.outcome]
        # Another antecedent than the nearest is right if it is in the same key entity.
        is_right = link.outcome == "tp" or in_key.get(link.found, -1) == in_key.get(link.mention)
        if not is_right and status[place] == "c":
            status[place] = "a"
        for column, antecedent in ((expected, link.expected), (answer, link.found)):
            if antecedent is not None:
                column[place] = place - number[antecedent]
    rows = of.entities.get(label, ())
    names = {name: place for place, name in enumerate(found.response.entity_names)}
    classes = list(CLASSES)
    # Each mention of the response as in the table, and as it was read.
    sides = (found.response, found.prepared.response)
    pairs = zip(*(chain.from_iterable(side.entities) for side in sides), strict=True)
    return _side_as_json(found, "response", number) | {
        "own": {number[name]: _place_as_json(own, texts) for name, own in pairs if name != own},
        "status": "".join(status),
        "outcome": "".join(outcome),
        "expected": expected,
        "found": answer,
        "errors": [
            [
                classes.index(error.kind),
                [number[mention] for mention in error.mentions],
                error.key,
                error.response,
                None if error.correct is None else number[error.correct],
            ]
            for error in found.repairs.errors
        ],
        "category": [row.category for row in rows],
        "lost": [row.lost_links for row in rows],
        "best": [-1 if row.response is None else names[row.response] for row in rows],
        "cells": found.prepared.table.cells,
    }


def _features_as_json(label: str, systems: Sequence[Columns], number: dict[Mention, int]) -> Json:
    """Return the groups of all mentions by each feature with at least two values."""
    groups: dict[str, dict[int, str]] = {}
    for columns in systems:
        for row in columns.mentions.get(label, ()):
            for feature, group in row.features.items():
                groups.setdefault(feature, {}).setdefault(number[row.mention], group)
    features: Json = {}
    for feature, of_mention in groups.items():
        names = list(dict.fromkeys(of_mention.values()))
        if names != [UNKNOWN]:
            places = {name: place for place, name in enumerate(names)}
            of = [places[of_mention[m]] if m in of_mention else 0 for m in range(len(number))]
            features[feature] = {"names": names, "of": of}
    return features


def title_of(key: str | None, names: Sequence[str]) -> str:
    """Return the title of the page."""
    shown = " and ".join(names) if len(names) < 4 else f"{len(names)} responses"
    return f"{shown} against {labels([key])[0] if key else 'the key'}"
