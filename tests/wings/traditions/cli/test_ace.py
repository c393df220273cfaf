"""``corefmeter ace``: the value and its tables; every number is worked out in a comment."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from corefmeter import __version__

from ....command import run

SGM = "<DOC>\n<DOCID>a</DOCID>\nAnn saw Acme. She left it.\n</DOC>\n"
#: Without tags: "\na\nAnn saw Acme. She left it.\n\n"; Ann 3, Acme 11, She 17, it 26.


def mention(id: str, type: str, start: int, text: str) -> str:
    charseq = f'<charseq START="{start}" END="{start + len(text) - 1}">{text}</charseq>'
    return (
        f'<entity_mention ID="{id}" TYPE="{type}"><extent>{charseq}</extent>'
        f"<head>{charseq}</head></entity_mention>"
    )


def apf(*entities: tuple[str, list[str]]) -> str:
    inside = "".join(
        f'<entity ID="e{i}" TYPE="{type}" CLASS="SPC">{"".join(mentions)}</entity>'
        for i, (type, mentions) in enumerate(entities)
    )
    return f'<source_file URI="a.sgm"><document DOCID="a">{inside}</document></source_file>'


ANN, SHE = mention("m1", "NAM", 3, "Ann"), mention("m2", "PRO", 17, "She")
ACME, IT = mention("m3", "NAM", 11, "Acme"), mention("m4", "PRO", 26, "it")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.sgm").write_text(SGM)
    (tmp_path / "a.apf.xml").write_text(apf(("PER", [ANN, SHE]), ("ORG", [ACME, IT])))
    (tmp_path / "b.apf.xml").write_text(apf(("PER", [ANN]), ("GPE", [ACME, IT]), ("PER", [SHE])))
    (tmp_path / "bad.apf.xml").write_text(apf(("DISEASE", [ANN])))
    return tmp_path


def test_the_value_and_its_parts_as_json(folder):
    """ace2007 by mention: PER 1.1, ORG 1.1. Found: 1 and 0.45 * 1.1 = 0.495, since a wrong type is
    a wrong role, too: 0.5 * 0.9. She alone costs 0.75 * 0.1 = 0.075.

    (1 + 0.495 - 0.075)/2.2 = 64.545…; PER: error 0.1, false alarm 0.075 of 1.1; ORG 45.
    """
    options = ["--weights", "ace2007", "--weight", "weighting=mention", "-f", "json"]
    result = run("ace", "a.apf.xml", "b.apf.xml", *options, folder=folder)
    assert (result.returncode, result.stderr.count("missing-text")) == (0, 0)
    values = json.loads(result.stdout)
    assert values["value"] == pytest.approx(100 * 1.42 / 2.2, abs=1e-12)
    assert values["by_type"]["PER"]["value"] == pytest.approx(100 * 0.925 / 1.1, abs=1e-12)
    assert values["by_type"]["ORG"]["value"] == 45
    assert values["by_type"]["PER"]["false_alarm"] == 0.075
    assert values["weights"]["name"] == "ace2007*"
    assert values["by_document"]["a"]["pairs"] == [["e0", "e0", 1.0], ["e1", "e1", 0.495]]


def test_tables_show_counts_costs_and_values(folder):
    """ace2005: She alone is a mention of the key, so its false alarm is free: (1 + 0.495)/2.2."""
    result = run("ace", "a.apf.xml", "b.apf.xml", folder=folder)
    assert result.returncode == 0, result.stderr
    lines = [line.split() for line in result.stdout.splitlines()]
    # PER: 1 of the key, 2 of the response, 1 false alarm, 0 missed, 1 error; 0.1/1.1 = 9.1 %
    assert ["PER", "1", "2", "1", "0", "1", "0.0", "0.0", "9.1", "90.9"] in lines
    assert ["ORG", "1", "1", "0", "0", "1", "0.0", "0.0", "55.0", "45.0"] in lines
    assert ["total", "2", "3", "1", "0", "2", "0.0", "0.0", "32.0", "68.0"] in lines
    # Pronouns: She missed 0.1 and it 0.055 wrong, of 0.2
    assert ["PRO", "2", "2", "1", "1", "1", "0.0", "50.0", "27.5", "22.5"] in lines
    assert "ACE value 68.0 over 1 document; weights ace2005" in result.stdout


def test_rows_of_csv_are_unrounded(folder):
    result = run("ace", "a.apf.xml", "b.apf.xml", "-f", "csv", "-o", "out.csv", folder=folder)
    assert (result.returncode, result.stdout) == (0, "")
    rows = list(csv.DictReader(io.StringIO((folder / "out.csv").read_text())))
    assert {row["group"] for row in rows} == {
        "entities", "entity type", "entity class", "entity level", "mentions", "mention level",
        "document",
    }  # fmt: skip
    assert float(rows[0]["value"]) == pytest.approx(100 * 1.495 / 2.2, abs=1e-12)


def test_a_weight_is_set(folder):
    """A wrong type costs nothing, but the role it gives does: (1 + 0.99)/2.2."""
    result = run(
        "ace", "a.apf.xml", "b.apf.xml", "--weight", "type_error=1", "-f", "json", folder=folder
    )
    values = json.loads(result.stdout)
    assert values["value"] == pytest.approx(100 * 1.99 / 2.2, abs=1e-12)
    assert values["weights"]["name"] == "ace2005*"


def test_every_output_has_the_signature_and_it_repeats_the_run(folder):
    options = ["--weights", "ace2007", "--weight", "type:ORG=0.5", "--weight", "weighting=mention",
               "--documents", "strict"]  # fmt: skip
    signature = (
        f"corefmeter:{__version__}|ace:ace2007|types:ORG=0.5|weighting:mention|documents:strict"
    )
    files = ["a.apf.xml", "b.apf.xml"]
    first = json.loads(run("ace", *files, *options, "-f", "json", folder=folder).stdout)
    assert first["signature"] == signature
    again = [*files, "--recipe", signature]
    assert json.loads(run("ace", *again, "-f", "json", folder=folder).stdout) == first
    assert run("ace", *again, folder=folder).stdout.splitlines()[-1] == signature
    rows = csv.DictReader(io.StringIO(run("ace", *again, "-f", "csv", folder=folder).stdout))
    assert {row["signature"] for row in rows} == {signature}


def test_options_change_the_run_of_a_signature(folder):
    again = ["a.apf.xml", "b.apf.xml", "--recipe", "ace:ace2007|surplus:0|documents:strict"]
    changes = ["--weight", "surplus=0.25", "--documents", "official", "-f", "json"]
    values = json.loads(run("ace", *again, *changes, folder=folder).stdout)
    assert values["signature"].endswith("|ace:ace2007|surplus:0.25|documents:official")
    result = run("ace", *again, "--weights", "ace2005", folder=folder)
    assert (result.returncode, "--recipe and --weights both" in result.stderr) == (2, True)


def test_what_is_wrong_has_its_exit_status(folder):
    result = run("ace", "bad.apf.xml", "bad.apf.xml", folder=folder)
    assert (result.returncode, "[unknown-weight]" in result.stderr) == (3, True)
    assert "PER, ORG" in result.stderr
    result = run(
        "ace", "bad.apf.xml", "bad.apf.xml", "--weight", "type:*=1", "--quiet", folder=folder
    )
    assert (result.returncode, result.stderr) == (0, "")
    result = run("ace", "a.apf.xml", "b.apf.xml", "--weights", "ace2006", folder=folder)
    assert (result.returncode, "did you mean 'ace200" in result.stderr) == (2, True)
    result = run("ace", "a.apf.xml", "none.xml", folder=folder)
    assert (result.returncode, "[unreadable]" in result.stderr) == (3, True)


def test_other_formats_have_values_too(folder):
    """Two of three mentions of one entity, without types and levels: 2/3."""
    text = "#begin document (x); part 000\n{}\n{}\n{}\n#end document\n"
    for name, last in (("key.conll", "(1)"), ("response.conll", "-")):
        lines = [f"x\t0\t{i}\tw\t{cell}" for i, cell in enumerate(["(1)", "(1)", last])]
        (folder / name).write_text(text.format(*lines))
    result = run("ace", "key.conll", "response.conll", "-f", "json", folder=folder)
    assert result.returncode == 0, result.stderr
    assert "[no-details]" in result.stderr
    assert json.loads(result.stdout)["value"] == pytest.approx(200 / 3, abs=1e-12)


def test_a_directory_with_its_sources_is_read(folder):
    for side, name in (("key", "a.apf.xml"), ("response", "b.apf.xml")):
        (folder / side).mkdir()
        (folder / side / "a.sgm").write_text(SGM)
        (folder / side / "a.apf.xml").write_text((folder / name).read_text())
    result = run("ace", "key", "response", "-f", "json", folder=folder)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["value"] == pytest.approx(100 * 1.495 / 2.2, abs=1e-12)
