"""One file to look at: scores, comparison, entities, text and errors, without a network.

The page is a view of what `score`, `compare` and `analyse` return: `data` brings it into columns,
``page.js`` draws it, and nothing is computed but what a filter counts. Data blocks are gzip in
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
    show: str | None = None,
    largest: int = LARGEST,
) -> Page:
    """Return a page of responses to one key.

    Without a comparison, `no_comparison` gives the reason; `card` is the report of the cards, or
    the reason why there is none. `show` is ``worst:N``, the N documents with most errors; by
    default a page of at most `largest` bytes has as many as it has room for, in that order.
    """
    documents = [document for analysis in analyses for document in analysis]
    errors: Counter[str] = Counter()
    for one in documents:
        errors[one.label] += len(one.repairs.errors)
    labels = list(errors)
    worst = sorted(labels, key=lambda label: (-errors[label], label))
    if show is not None:
        worst = worst[: _number_of(show)]
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
    everything |= card_tables(card)
    blocks = [("overview-data", _pack(everything))]
    blocks += [(f"d{place}", packed[label]) for place, label in enumerate(shown)]
    return Page(_render(name, first, blocks), everything["left_out"])


def _number_of(show: str) -> int:
    found = re.fullmatch(r"worst:([1-9][0-9]*)", show)
    if not found:
        raise OptionError(f"documents to show are worst:N, such as worst:50, not {show!r}")
    return int(found[1])


def _pack(values: Any) -> str:
    """Return JSON as gzip in base64; equal values give equal text."""
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # A surrogate without its partner, as names of files may have, is no UTF-8.
    data = re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text).encode()
    return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode()


def _render(name: str, analysis: Analysis, blocks: Sequence[tuple[str, str]]) -> str:
    folder = files("corefmeter.reports.page")
    script = _strip_comments((folder / "page.js").read_text("utf-8"))
    style = re.sub(r" ?([{};]) ?", r"\1", _strip_comments((folder / "page.css").read_text("utf-8")))
    # Types: a template has none.
    html: str = template("page/page.html").render(
        title=name,
        version=__version__,
        views=VIEWS.items(),
        metrics=[
            {"title": title(one), "definition": _definition(one)} for one in analysis.recipe.metrics
        ],
        errors=[(one.title, one.meaning) for one in CLASSES.values()],
        categories=[(CATEGORIES[one], meaning) for one, meaning in _CATEGORY_MEANINGS.items()],
        signature=analysis.result.signature,
        script=script,
        style=style,
        script_hash=_hash(script),
        style_hash=_hash(style),
        blocks=blocks,
    )
    return html


def _definition(metric: str) -> str:
    return (find(metric).__doc__ or "").strip().split("\n")[0]


def _strip_comments(text: str) -> str:
    """Return a script or style sheet without indentation and lines of comments."""
    comment = re.compile(r"// .*|/\*.*\*/")
    lines = (line.strip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not comment.fullmatch(line))


def _hash(text: str) -> str:
    """Return the hash by which a Content-Security-Policy allows a text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
