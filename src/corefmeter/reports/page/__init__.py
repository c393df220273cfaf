"""One file to look at: scores, comparison, entities, text and errors, without a network.

The page is a view of what `score`, `compare` and `analyse` return: `data` brings it into columns,
``scripts`` draw it, and nothing is computed but what a filter counts. Data blocks are gzip in
base64, one for each document, unpacked by the browser when they are needed.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING, Any

from corefmeter._version import __version__
from corefmeter.analysis.entities import CATEGORIES
from corefmeter.analysis.operations import CLASSES
from corefmeter.analysis.report import Analysis
from corefmeter.formats.output import check_outputs, open_output
from corefmeter.metrics import find, title
from corefmeter.problems import OptionError
from corefmeter.reports.html import template
from corefmeter.reports.page.data import Columns, card_tables, document_as_json, overview, title_of
from corefmeter.reports.tables import Report

if TYPE_CHECKING:
    from corefmeter.statistics.comparison import Comparison

#: The largest page, in bytes, unless documents are chosen.
LARGEST = 25_000_000

#: The bytes of a block on the page beside its data.
_TAG = 80

#: The files of the script, in order.
SCRIPTS = (
    "elements documents addresses names pieces overview compare card entities layout mention text "
    "errors keys start"
)

VIEWS = {
    "overview": "Overview",
    "compare": "Compare",
    "entities": "Entities",
    "text": "Text",
    "errors": "Errors",
    "card": "Card",
    "help": "How to read this",
}

_CATEGORY_MEANINGS = {
    "1": "All mentions and no other.",
    "2a": "Some mentions are missing or extra.",
    "2b": "All mentions are found, some only in part.",
    "3": "Mentions of another entity are in it.",
    "4": "None or only one of its mentions is found.",
}


class Page:
    """A page, ready to be written: `html`, and the labels of documents `left_out` of it."""

    def __init__(self, html: str, left_out: list[str]) -> None:
        self.html = html
        self.left_out = left_out

    def _repr_html_(self) -> str:
        """Return the page in a frame for notebooks."""
        from markupsafe import escape

        return (
            f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:720px;border:0" '
            f'title="corefmeter report"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<Page of {len(self.html.encode()):,} bytes>"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file; one that is there is replaced.

        Raises
        ------
        DataError
            ``unwritable``, or when the file is an input.
        """
        check_outputs([os.fspath(path)])
        with open_output(os.fspath(path)) as stream:
            stream.write(self.html)


def make_page(
    analyses: Sequence[Analysis],
    names: Sequence[str],
    comparison: Comparison | None = None,
    *,
    no_comparison: str = "",
    card: Report | str = "",
    card_options: str = "",
    show: str | None = None,
    largest: int = LARGEST,
) -> Page:
    """Return a page of responses to one key.

    Without a comparison, `no_comparison` gives the reason; `card` is the report of the cards, or
    why there is none, and `card_options` are those of its command. `show` is ``worst:N``, the N
    documents with most errors; by default, they are as many as `largest` bytes have room for.
    """
    errors: Counter[str] = Counter()
    for document in chain.from_iterable(analyses):
        errors[document.label] += len(document.repairs.errors)
    labels = list(errors)
    worst = sorted(labels, key=lambda label: (-errors[label], label))
    if show is not None:
        worst = worst[: _parse_number(show)]
    systems = [Columns(analysis) for analysis in analyses]
    packed: dict[str, str] = {}
    room = largest
    for label in worst:
        block = _pack(document_as_json(label, systems))
        room -= len(block) + _TAG
        if packed and room < 0 and show is None:
            break
        packed[label] = block
    shown = [label for label in labels if label in packed]
    first = analyses[0]
    name = title_of(first.key_path, names).encode("utf-8", "replace").decode()
    everything = overview(analyses, names, comparison, no_comparison, name, labels, shown)
    everything |= card_tables(card) | {"card_options": card_options}
    blocks = [("overview-data", _pack(everything))]
    blocks += [(f"d{place}", packed[label]) for place, label in enumerate(shown)]
    return Page(_render(name, first, blocks), everything["left_out"])


def _parse_number(show: str) -> int:
    match = re.fullmatch(r"worst:([1-9][0-9]*)", show)
    if not match:
        raise OptionError(f"documents to show are worst:N, such as worst:50, not {show!r}")
    return int(match[1])


def _pack(values: Any) -> str:
    """Return JSON as gzip in base64; equal values give equal text."""
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # A surrogate without its partner, as names of files may have, is no UTF-8.
    return _compress(re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text))


def _compress(text: str) -> str:
    """Return a text as gzip in base64."""
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


def script_and_style() -> tuple[str, str]:
    """Return the script and the style sheet of all pages."""
    folder = files("corefmeter.reports.page")
    scripts = [folder / "scripts" / f"{name}.js" for name in SCRIPTS.split()]
    script = strip_comments("".join(path.read_text("utf-8") for path in scripts))
    style = strip_comments((folder / "page.css").read_text("utf-8"))
    return script, re.sub(r" ?([{};]) ?|(?<=[:,]) ", r"\1", style)


def _render(name: str, analysis: Analysis, blocks: Sequence[tuple[str, str]]) -> str:
    script, style = script_and_style()
    loader = strip_comments((files("corefmeter.reports.page") / "loader.js").read_text("utf-8"))
    html = template("page/page.html").render(
        title=name,
        version=__version__,
        views=VIEWS.items(),
        metrics=[
            {"title": title(m), "definition": (find(m).__doc__ or "").strip().split("\n")[0]}
            for m in analysis.recipe.metrics
        ],
        errors=[(error.title, error.meaning) for error in CLASSES.values()],
        categories=[(CATEGORIES[name], text) for name, text in _CATEGORY_MEANINGS.items()],
        signature=analysis.result.signature,
        loader=loader,
        style=style,
        loader_hash=hash_text(loader),
        script_hash=hash_text(script),
        style_hash=hash_text(style),
        blocks=[("script", _compress(script)), *blocks],
    )
    return str(html)


def strip_comments(text: str) -> str:
    """Return a script or style sheet without indentation and lines of comments."""
    comment = re.compile(r"// .*|/\*.*\*/")
    lines = (line.strip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not comment.fullmatch(line))


def hash_text(text: str) -> str:
    """Return the hash by which a Content-Security-Policy allows a text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
