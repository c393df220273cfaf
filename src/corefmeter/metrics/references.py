"""The papers that metrics come from, each once, in ``references.bib``; metrics name their keys.

A metric of another package may give an entry of BibTeX of its own instead of a key.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from unicodedata import normalize

from corefmeter._version import __version__

#: The package itself, as an entry of BibTeX.
PACKAGE = f"""@misc{{corefmeter,
  author = {{{{The corefmeter developers}}}},
  title = {{{{corefmeter: coreference scores that are exact, instant and explained}}}},
  note = {{Version {__version__}}},
}}"""

#: The papers of measures that are not metrics, by the command that computes them.
OF_COMMANDS = {
    "agree": ("passonneau-2004", "passonneau-2006", "krippendorff-2004"),
    "merge": ("bansal-etal-2004",),
}

#: The marks above letters that names of authors have, in LaTeX.
_MARKS = {"\N{COMBINING ACUTE ACCENT}": "'", "\N{COMBINING CARON}": "v", "\N{COMBINING BREVE}": "u"}


@cache
def references() -> dict[str, str]:
    """Return the entries of ``references.bib`` by their keys, letters with marks as they are."""
    text = files("corefmeter.metrics").joinpath("references.bib").read_text("utf-8")
    entries = text.strip().split("\n\n")
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in entries}


def fields_of(paper: str) -> dict[str, str]:
    """Return the fields of a paper, such as its title and its doi.

    >>> fields_of("luo-2005")["pages"]
    '25–32'
    """
    return dict(re.findall(r"^  (\w+) = {+(.*?)}+,$", references()[paper], re.MULTILINE))


def bibtex(paper: str) -> str:
    """Return the BibTeX entry of a paper, given by its key; return an entry unchanged.

    Letters with marks become commands, and dashes two hyphens, as every BibTeX reads them.
    """
    if paper.lstrip().startswith("@"):
        return paper.strip()
    return re.sub(
        f"(.)([{''.join(_MARKS)}])",
        lambda found: f"{{\\{_MARKS[found[2]]}{{{found[1]}}}}}",
        normalize("NFD", references()[paper]).replace("–", "--"),
    )


def citation(paper: str) -> str:
    """Return the citation of a paper, given by its key or as a BibTeX entry.

    >>> citation("luo-2005"), citation("moosavi-strube-2016"), citation("luo-etal-2014")
    ('Luo 2005', 'Moosavi & Strube 2016', 'Luo et al. 2014')
    >>> citation("@misc{me-2030, title = {Mine}}")
    'me-2030'
    """
    if paper.lstrip().startswith("@"):
        named = re.search(r"{\s*([^,\s]+)", paper)
        return named[1] if named else paper.strip()
    of = fields_of(paper)
    families = [author.rpartition(" ")[2] for author in of["author"].split(" and ")]
    names = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
    return f"{names} {of['year']}"
