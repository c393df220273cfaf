"""What there is: metrics, presets, formats and policies, from where each is declared."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from typing import IO, Any

from corefmeter import formats, metrics
from corefmeter.metrics.references import citation
from corefmeter.presets import PRESETS
from corefmeter.problems import OptionError
from corefmeter.recipe import OTHERS, Recipe
from corefmeter.reports.terminal import paragraph
from corefmeter.signature import text_of

Entry = dict[str, Any]


def listed_metrics() -> list[Entry]:
    """Each metric, those of other packages last: what it is, its other names, options, papers."""
    found: list[Entry] = []
    for name in [*metrics.names(), *metrics.names_of_others()]:
        try:
            kind = metrics.find(name)
        except OptionError as error:
            found.append({"name": name, "about": str(error)})
            continue
        found.append(
            {
                "name": name,
                "title": kind.title,
                "about": kind.about,
                "aliases": list(kind.aliases),
                "options": [option.name for option in kind.options],
                "papers": [citation(paper) for paper in kind.papers],
            }
        )
    return found


def listed_presets() -> list[Entry]:
    """Each preset: what it scores, the options that it sets, where they are known from."""
    return [
        {"name": name, "about": preset.title, "options": preset.options, "source": preset.source}
        for name, preset in PRESETS.items()
    ]


def listed_formats() -> list[Entry]:
    """Each format, those of other packages last: what it is, its endings, whether it is written."""
    found: list[Entry] = []
    for name in formats.names():
        try:
            format = formats.format_named(name)
        except OptionError as error:
            found.append({"name": name, "about": str(error)})
        else:
            found.append(
                {
                    "name": name,
                    "about": format.title,
                    "endings": list(format.endings),
                    "written": format.write is not None,
                }
            )
    return found


def listed_policies() -> list[Entry]:
    """Each option of a recipe but the metrics: what it decides, its values and its default."""
    found = []
    for option in fields(Recipe):
        if option.name in ("metrics", OTHERS):
            continue
        meta = option.metadata
        values = list(meta["choices"] or [meta["metavar"] or "yes|no"])
        default = text_of(getattr(Recipe(), option.name))
        found.append(
            {"name": option.name, "about": meta["help"], "values": values, "default": default}
        )
    return found


#: What can be listed.
LISTS: dict[str, Callable[[], list[Entry]]] = {
    "metrics": listed_metrics,
    "presets": listed_presets,
    "formats": listed_formats,
    "policies": listed_policies,
}


def write_list(kind: str, format: str, stream: IO[str]) -> None:
    """Write one of `LISTS` as text or JSON."""
    entries = LISTS[kind]()
    if format == "json":
        stream.write(json.dumps({kind: entries}, ensure_ascii=False, indent=2) + "\n")
        return
    room = max(len(entry["name"]) for entry in entries) + 2
    for entry in entries:
        first, *more = (line for line in _lines(entry) if line)
        paragraph(f"{entry['name']:<{room}}{first}", stream, indent=" " * room)
        for line in more:
            paragraph(" " * room + line, stream, indent=" " * room)


def _lines(entry: Entry) -> list[str]:
    """What the text says of an entry."""
    about = entry["about"]
    if "written" in entry:
        about += "".join(f", {ending}" for ending in entry["endings"])
        about += "" if entry["written"] else " (read only)"
    lines = [about]
    if entry.get("papers"):
        lines.append("; ".join(entry["papers"]) + ".")
    if entry.get("aliases"):
        lines.append(f"Also: {', '.join(entry['aliases'])}.")
    if "source" in entry:
        usual = Recipe()
        changed = {n: v for n, v in entry["options"].items() if v != getattr(usual, n)}
        lines.append(", ".join(f"{name} {text_of(v)}" for name, v in changed.items()) + ".")
    if "values" in entry:
        lines.append(f"{', '.join(entry['values'])}; default: {entry['default']}.")
    return lines
