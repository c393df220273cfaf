"""``corefmeter cite``: the papers of metrics as BibTeX, and those of ``CITATION.cff``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from corefmeter import __version__
from corefmeter.cli.main import program
from corefmeter.doors import offered
from corefmeter.metrics import ALIGNED, AVERAGES, METRICS, find
from corefmeter.metrics.references import OF_COMMANDS, bibtex, citation, fields_of, references
from corefmeter.problems import OptionError

CITATION = Path(__file__).parents[2] / "CITATION.cff"


def cite(*names: str) -> str:
    done = CliRunner().invoke(program, ["cite", *names])
    assert done.exit_code == 0, done.output
    return done.output


def keys(text: str) -> list[str]:
    return re.findall(r"^@\w+{([^,]+),$", text, re.MULTILINE)


#: Who is cited for what in the literature, by hand.
PAPERS = {
    "muc": ["vilain-etal-1995"],
    "b3": ["bagga-baldwin-1998"],
    "ceafm": ["luo-2005"],
    "ceafe": ["luo-2005"],
    "blanc": ["recasens-hovy-2011", "luo-etal-2014"],
    "lea": ["moosavi-strube-2016"],
    "conll": ["denis-baldridge-2009", "pradhan-etal-2012", "pradhan-etal-2014"],
}


@pytest.mark.parametrize("name", PAPERS)
def test_a_metric_has_its_papers(name):
    assert keys(cite(name)) == PAPERS[name]


def test_each_paper_comes_once_in_the_order_of_the_metrics():
    assert keys(cite("lea", "ceafe,ceafm", "BCUB")) == [
        "moosavi-strube-2016", "luo-2005", "bagga-baldwin-1998",
    ]  # fmt: skip


@pytest.mark.wings
def test_all_papers_are_of_metrics_or_commands_and_all_metrics_have_known_papers():
    found = {paper for name in (*METRICS, *ALIGNED, *AVERAGES) for paper in find(name).papers}
    found |= {paper for name in offered("metric") for paper in find(name).papers}
    of_commands = {paper for papers in OF_COMMANDS.values() for paper in papers}
    assert found | of_commands == references().keys()
    assert set(keys(cite("all"))) == found


def test_a_command_has_its_papers():
    assert keys(cite("merge")) == ["bansal-etal-2004"]
    assert keys(cite("agree")) == ["passonneau-2004", "passonneau-2006", "krippendorff-2004"]


def test_the_package_has_an_entry_with_its_version():
    text = cite("corefmeter", "lea")
    assert keys(text) == ["corefmeter", "moosavi-strube-2016"]
    assert f"note = {{Version {__version__}}}" in text
    assert "author = {{The corefmeter developers}}" in text


def test_an_entry_is_whole():
    text = cite("muc")
    for line in (
        "@inproceedings{vilain-etal-1995,",
        "  author = {Marc Vilain and John Burger and John Aberdeen and Dennis Connolly and Lynette "
        "Hirschman},",
        "  title = {{A Model-Theoretic Coreference Scoring Scheme}},",
        "  booktitle = {Sixth Message Understanding Conference (MUC-6)},",
        "  year = {1995},",
        "  pages = {45--52},",
        "}",
    ):
        assert line in text.splitlines()


@pytest.mark.parametrize("paper", references())
def test_every_entry_is_bibtex(paper):
    text = bibtex(paper)
    assert text.isascii(), "also letters with marks"
    assert text.count("{") == text.count("}")
    for field in ("author", "title", "year", "pages"):
        assert f"\n  {field} = {{" in text
    of = fields_of(paper)
    assert ("journal" in of) != ("booktitle" in of)
    assert text.startswith(f"@{'article' if 'journal' in of else 'inproceedings'}{{{paper},\n")
    family = of["author"].partition(" and ")[0].rpartition(" ")[2]
    assert citation(paper).startswith(family)
    assert citation(paper).endswith(paper.rpartition("-")[2])


def test_names_with_marks():
    assert r"{\v{Z}}abokrtsk{\'{y}}" in bibtex("zabokrtsky-etal-2022")


def test_an_unknown_metric_is_refused():
    done = CliRunner().invoke(program, ["cite", "leaa"])
    assert isinstance(done.exception, OptionError)
    assert "did you mean 'lea'" in str(done.exception)


def test_the_citation_file_has_the_version_and_the_papers():
    text = CITATION.read_text("utf-8")
    assert f"\nversion: {__version__}\n" in text
    entries = text.partition("\nreferences:\n")[2].split("\n  - type: ")
    assert len(entries) == len(references())
    for of in map(fields_of, references()):
        (entry,) = [one for one in entries if f'    title: "{of["title"]}"\n' in one]
        assert f"    year: {of['year']}\n" in entry
        start, _, end = of["pages"].partition("–")
        assert f"    start: {start}\n    end: {end}\n" in entry
        for author in of["author"].split(" and "):
            given, _, family = author.rpartition(" ")
            assert f'      - family-names: "{family}"\n        given-names: "{given}"\n' in entry
