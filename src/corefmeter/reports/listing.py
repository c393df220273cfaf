"""What there is: metrics, presets, formats and policies, from where each is declared."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import IO, Any

from corefmeter import formats, metrics
from corefmeter.metrics import DEFAULT
from corefmeter.metrics.references import citation
from corefmeter.presets import PRESETS
from corefmeter.problems import OptionError
from corefmeter.recipe import OTHERS, Recipe
from corefmeter.reports.terminal import paragraph
from corefmeter.signature import text_of
from corefmeter.statistics.plan import Plan

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
                "default": name in DEFAULT,
            }
        )
    return found


def listed_presets() -> list[Entry]:
    """Return each preset: what it scores, the options that it sets, where they are known from."""
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
    """Each option of a recipe but the metrics, and of a comparison: what it decides, its values."""
    found: list[Entry] = []
    for usual in (Recipe(), Plan()):
        for option in fields(usual):
            if option.name in ("metrics", OTHERS, "by"):
                continue
            meta = option.metadata
            values = [meta["metavar"]] if meta["metavar"] else ["yes", "no"]
            entry = {
                "name": option.name,
                "about": meta["help"],
                "values": list(meta["choices"] or values),
                "default": text_of(getattr(usual, option.name)) or "none",
                "group": meta["group"],
            }
            found.append(entry)
    return found


#: What can be listed.
LISTS: dict[str, Callable[[], list[Entry]]] = {
    "metrics": listed_metrics,
    "presets": listed_presets,
    "formats": listed_formats,
    "policies": listed_policies,
}


def write_list(kinds: Sequence[str], format: str, stream: IO[str]) -> None:
    """Write some of `LISTS` as text or JSON; of several, text has the first line of each name."""
    found = {kind: LISTS[kind]() for kind in kinds}
    if format == "json":
        stream.write(json.dumps(found, ensure_ascii=False, indent=2) + "\n")
        return
    for kind, entries in found.items():
        room = max(len(entry["name"]) for entry in entries) + 4
        heading = ""
        for entry in entries:
            if (new := entry.get("group", kind.capitalize())) != heading:
                heading = new
                stream.write(f"{heading}:\n")
            first, *more = (line for line in _lines(entry) if line)
            if len(kinds) > 1:
                if "values" in entry:  # the first sentence
                    first = first.partition(". ")[0].removesuffix(".") + f": {more[0]}"
                more = []
            paragraph(f"  {entry['name']}".ljust(room) + first, stream, indent=" " * room)
            for line in more:
                paragraph(" " * room + line, stream, indent=" " * room)
        stream.write("\n" if len(kinds) > 1 else "")
    if len(kinds) > 1:
        commands = ", ".join(f'"corefmeter list {kind}"' for kind in kinds)
        paragraph(f"More of each: {commands}.", stream)


def _lines(entry: Entry) -> list[str]:
    """Return the text lines of an entry."""
    about = entry["about"]
    if entry.get("default") is True:
        about += " (default)"
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
        values = [f"{v} (default)" if v == entry["default"] else v for v in entry["values"]]
        without = "" if entry["default"] in entry["values"] else f"; default: {entry['default']}"
        lines.append(f"{', '.join(values)}{without}.")
    return lines
