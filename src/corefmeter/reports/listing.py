"""Lists of all metrics, presets, formats and options."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import IO, Any

from corefmeter import formats, metrics
from corefmeter.formats.base import Format
from corefmeter.metrics import DEFAULT, Metric
from corefmeter.metrics.references import citation
from corefmeter.presets import PRESETS
from corefmeter.problems import OptionError
from corefmeter.recipe import OTHERS, Recipe
from corefmeter.reports.terminal import paragraph
from corefmeter.signature import text_of
from corefmeter.statistics.plan import Plan

Entry = dict[str, Any]


def _describe_all(
    names: Iterable[str], find: Callable[[str], Any], describe: Callable[[Any], Entry]
) -> list[Entry]:
    """Describe what has these names; a name of another package may not be found."""
    entries: list[Entry] = []
    for name in names:
        try:
            entries.append({"name": name, **describe(find(name))})
        except OptionError as error:
            entries.append({"name": name, "about": str(error)})
    return entries


def listed_metrics() -> list[Entry]:
    """List the metrics, those of other packages last."""

    def describe(metric: type[Metric]) -> Entry:
        return {
            "title": metric.title,
            "about": metric.about,
            "aliases": list(metric.aliases),
            "options": [option.name for option in metric.options],
            "papers": [citation(paper) for paper in metric.papers],
            "default": metric.name in DEFAULT,
        }

    return _describe_all(metrics.known_names(), metrics.find, describe)


def listed_presets() -> list[Entry]:
    """List the presets: what each scores, the options that it sets, where they are known from."""
    return [
        {"name": name, "about": preset.title, "options": preset.options, "source": preset.source}
        for name, preset in PRESETS.items()
    ]


def listed_formats() -> list[Entry]:
    """List the formats, those of other packages last."""

    def describe(format: Format) -> Entry:
        written = format.write is not None
        return {"about": format.title, "endings": list(format.endings), "written": written}

    return _describe_all(formats.names(), formats.format_named, describe)


def listed_policies() -> list[Entry]:
    """List the options of a recipe but the metrics, and those of a comparison."""
    entries: list[Entry] = []
    for usual in (Recipe(), Plan()):
        for option in fields(usual):
            meta = option.metadata
            values = meta["choices"] or (meta["metavar"] and [meta["metavar"]]) or ["yes", "no"]
            entry = {"name": option.name, "about": meta["help"], "values": list(values)}
            entry["default"] = text_of(getattr(usual, option.name)) or "none"
            entries.append(entry | {"group": meta["group"]})
    return [entry for entry in entries if entry["name"] not in ("metrics", OTHERS, "by")]


LISTS: dict[str, Callable[[], list[Entry]]] = {
    "metrics": listed_metrics,
    "presets": listed_presets,
    "formats": listed_formats,
    "policies": listed_policies,
}


def write_list(kinds: Sequence[str], format: str, stream: IO[str]) -> None:
    """Write some of `LISTS` as text or JSON; of several, text has the first line of each name."""
    lists = {kind: LISTS[kind]() for kind in kinds}
    if format == "json":
        stream.write(json.dumps(lists, ensure_ascii=False, indent=2) + "\n")
        return
    for kind, entries in lists.items():
        room = max(len(entry["name"]) for entry in entries) + 4
        heading = ""
        for entry in entries:
            if (new := entry.get("group", kind.capitalize())) != heading:
                heading = new
                stream.write(f"{heading}:\n")
            first, *more = (line for line in _describe_entry(entry) if line)
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


def _describe_entry(entry: Entry) -> list[str]:
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
