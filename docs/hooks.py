"""What MkDocs asks while it builds the site: the reference, from the registries and docstrings.

A page says ``<!-- generated: NAME -->`` where a list of `PARTS` goes, so that nothing is written
twice. Pages that live outside ``docs/`` are taken from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import Field, fields
from html import unescape
from pathlib import Path
from typing import Any

import click
from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

import corefmeter
from corefmeter import formats, metrics
from corefmeter.cli.main import program
from corefmeter.codes import CODES
from corefmeter.doors import offered
from corefmeter.metrics.references import citation, fields_of
from corefmeter.presets import PRESETS
from corefmeter.recipe import Recipe
from corefmeter.statistics.plan import Plan

ROOT = Path(__file__).parents[1]

#: Pages that live beside docs/, by their name in the site.
OUTSIDE = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}

#: Tests whose values come from papers or are computed on paper.
BY_HAND = (
    "golden/test_*.py",
    "metrics/test_by_hand.py",
    "metrics/test_clusterings.py",
    "metrics/test_arcs_by_hand.py",
    "metrics/test_tuggener_2014.py",
    "matching/test_aligned_metrics.py",
)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the pages of the Python classes below the page of the Python functions."""
    reference = next(part["Reference"] for part in config.nav or [] if "Reference" in part)
    python = reference.index("reference/python.md")
    pages = [class_page(one) for one in offers() if isinstance(one, type)]
    reference[python] = {"Python": ["reference/python.md", *pages]}
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that live outside, and one for each Python class."""
    for name, source in OUTSIDE.items():
        text = (ROOT / source).read_text("utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name, content=text))
    for one in offers():
        if isinstance(one, type):
            text = "\n".join(docstring(one, "heading_level: 1"))
            files.append(File.generated(config, class_page(one), content=text))
    return files


def on_page_content(html: str, **_: Any) -> str:
    """Set the formulas as MathML, which browsers show without a script."""
    formula = re.compile(r'<div class="arithmatex">\\\[(.*?)\\\]</div>', re.S)
    return formula.sub(lambda found: convert(unescape(found[1]), display="block"), html)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill the places that a page leaves to the registries."""
    place = re.compile(r"^<!-- generated: (\w+) -->$", re.M)
    text = place.sub(lambda found: "\n".join(PARTS[found[1]]()), markdown)
    return text.replace("```python\n>>> ", "```pycon\n>>> ")  # prompts are not copied


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table."""
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def code(*names: object) -> str:
    """Names as code, with commas."""
    return ", ".join(f"`{name}`" for name in names)


def docstring(of: Any, *options: str) -> Iterator[str]:
    """What mkdocstrings replaces by the docstring of a class or function."""
    yield f"::: {of.__module__}.{of.__qualname__}"
    if options:
        yield "    options:"
        yield from (f"      {option}" for option in options)
    yield ""


def value_of(value: Any) -> str:
    """The value of an option, as the command line takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(str(one[0] if isinstance(one, tuple) else one) for one in value) or "–"
    return "–" if value is None else str(value)


def kinds() -> dict[str, Any]:
    """The classes of all metrics by name."""
    return {name: metrics.find(name) for name in metrics.names()}


def tests_of(kind: Any) -> list[str]:
    """The tests with values of papers or by hand that name a metric or its class."""
    name = re.escape(kind.name)
    named = re.compile(rf"\b{kind.__name__}\b|[\"']{name}[\"']|\.{name}\b")
    places = (path for place in BY_HAND for path in sorted((ROOT / "tests").glob(place)))
    return [path.name for path in places if named.search(path.read_text("utf-8"))]


def paper(name: str) -> str:
    """A paper as a text refers to it, linked where it can be read."""
    of = fields_of(name)
    link = of.get("url") or (f"https://doi.org/{of['doi']}" if "doi" in of else "")
    return f"[{citation(name)}]({link})" if link else citation(name)


def metric_rows() -> Iterator[str]:
    """Each metric: names, definition, papers, tests."""
    rows = (
        (
            f"[{kind.title}](#{kind.__module__}.{kind.__qualname__})",
            code(name, *kind.aliases),
            kind.about,
            "; ".join(map(paper, kind.papers)) or "–",
            code(*tests_of(kind)),
        )
        for name, kind in kinds().items()
    )
    return table(("Definition", "Names", "What it measures", "Papers", "Tests"), rows)


def definitions() -> Iterator[str]:
    """The docstrings of all metrics."""
    for kind in kinds().values():
        yield from docstring(kind, "members: false", "heading_level: 3")


def policies() -> Iterator[str]:
    """Every option that can change a number."""
    return table(HEAD, map(option_row, fields(Recipe)))


def comparisons() -> Iterator[str]:
    """Every option that can change a p-value, an interval or a rank."""
    return table(HEAD, (option_row(option) for option in fields(Plan) if option.name != "by"))


HEAD = ("Field", "Values", "Default", "Effect")


def option_row(option: Field[Any]) -> Sequence[str]:
    """The row of an option: name, values, default, what it decides."""
    choices = option.metadata["choices"]
    if isinstance(option.default, bool):
        choices = ("yes", "no")
    values = code(*choices) if choices else code(option.metadata["metavar"] or "NAME,…")
    usual = value_of(option.default) or "–"
    return (code(option.name), values, usual, option.metadata["help"])


def presets() -> Iterator[str]:
    """The recipes by name."""
    for name, preset in PRESETS.items():
        source = preset.source[0].upper() + preset.source[1:]
        yield from (f"## `{name}`", "", f"{preset.title}. *Source:* {source}.", "")
        options = (f"{field}={value_of(value)}" for field, value in preset.options.items())
        yield from (f"Sets {code(*options)}.", "")


def _own_formats() -> Iterator[str]:
    """The names of all formats but those of other packages that happen to be installed."""
    for name in formats.names():
        if name in formats.FORMATS or offered("format")[name].value.startswith("corefmeter."):
            yield name


def format_rows() -> Iterator[str]:
    """Every format, what it is called, and where it is described."""
    docs = ROOT / "docs"
    pages = {p.name: p.read_text("utf-8") for p in [*docs.glob("formats*.md"), docs / "ace.md"]}
    rows = []
    for name in _own_formats():
        format = formats.format_named(name)
        page = next((page for page, text in pages.items() if code(name) in text), None)
        if page is None:
            raise PluginError(f"the format {name} is described on no page")
        rows.append(
            (
                code(name),
                f"[{format.title}](../{page})",
                code(*format.endings) or "–",
                ", ".join(format.units),
                "yes" if format.write else "no",
            )
        )
    return table(("Name", "Format", "File extensions", "Counts", "Can be written"), rows)


def evidence() -> Iterator[str]:
    """By what each format is recognised."""
    described = (formats.format_named(name) for name in _own_formats())
    return table(("Format", "Recognized by"), ((code(f.name), f.evidence) for f in described))


def commands() -> Iterator[str]:
    """Every command with its full help."""

    def pages(command: click.Command, name: str, above: click.Context | None) -> Iterator[str]:
        settings = command.context_settings if above is None else {}
        context = click.Context(command, above, name, **settings, terminal_width=86)
        text = command.get_help(context).rstrip()
        yield from (f"## `{context.command_path}`", "", "```text", text, "```", "")
        if isinstance(command, click.Group):
            for below in command.list_commands(context):
                found = command.get_command(context, below)
                if found is not None:
                    yield from pages(found, below, context)

    return pages(program, "corefmeter", None)


def offers() -> list[Any]:
    """Everything that ``import corefmeter`` offers."""
    return [getattr(corefmeter, name) for name in dir(corefmeter) if not name.startswith("_")]


def class_page(one: type) -> str:
    """The page of a class."""
    return f"reference/python/{one.__name__}.md"


def python() -> Iterator[str]:
    """The functions of ``import corefmeter`` from their docstrings, and its classes by name."""
    for one in offers():
        if not isinstance(one, type):
            yield from docstring(one)
    yield from ("## Classes", "")
    for one in offers():
        if isinstance(one, type):
            first = (one.__doc__ or "").strip().split("\n")[0]
            yield f"- [`{one.__name__}`](python/{one.__name__}.md): {first}"
    yield ""


def problems() -> Iterator[str]:
    """Every code of a message, with what it means."""
    return table(("Code", "What it means"), ((code(name), text) for name, text in CODES.items()))


PARTS = {
    "metrics": metric_rows,
    "definitions": definitions,
    "policies": policies,
    "comparisons": comparisons,
    "presets": presets,
    "formats": format_rows,
    "evidence": evidence,
    "commands": commands,
    "python": python,
    "problems": problems,
}
