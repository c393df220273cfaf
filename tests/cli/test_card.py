"""``corefmeter card``: tables for one and several responses, CSV, JSON, LaTeX, what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import corefmeter

from ..command import run

EXAMPLES = Path(__file__).parents[2] / "examples"
WORDS = ("Ann", "she", "her", "Bob", "he", "dog")


def conll(*cells: str) -> str:
    """A document of those words."""
    rows = zip(WORDS, cells, strict=True)
    lines = "".join(f"d\t0\t{i}\t{word}\t{cell}\n" for i, (word, cell) in enumerate(rows))
    return f"#begin document (d); part 000\n{lines}\n#end document\n"


@pytest.fixture
def files(tmp_path):
    """Ann, she, her and Bob, he in the key; the response has she with Bob, and a dog.

    MUC of the response: 2 of 3 links of the key, 2 of its own 3.
    """
    found = {
        "key": conll("(0)", "(0)", "(0)", "(1)", "(1)", "-"),
        "response": conll("(5)", "(6)", "(5)", "(6)", "(6)", "(7)"),
        "perfect": conll("(2)", "(2)", "(2)", "(3)", "(3)", "-"),
    }
    for name, text in found.items():
        (tmp_path / f"{name}.conll").write_text(text)
    return [tmp_path / f"{name}.conll" for name in found]


def rows_of(text: str, caption: str) -> dict[str, list[str]]:
    """The cells of a table by the name of the row."""
    (table,) = [one for one in text.split("\n\n") if one.startswith(caption)]
    rows = [line.rsplit("  ", line.strip().count("  ")) for line in table.split("\n")[3:]]
    return {row[0].strip(): [cell.strip() for cell in row[1:] if cell.strip()] for row in rows}


def test_one_response_has_its_counts_and_all_metrics(files):
    done = run("card", *files[:2], "-m", "muc,b3", "--all")
    assert (done.returncode, done.stderr) == (0, "")
    rows = rows_of(done.stdout, "Detection and linking apart: mentions, F1")
    # B³: R (2/3 + 2/3 + 1/3 + 1 + 1) / 5, P (1 + 1 + 1/3 + 2/3 + 2/3 + 0) / 6; without the dog / 5.
    recall, precision, without = 11 / 15, 11 / 18, 11 / 15
    b3 = 2 * recall * precision / (recall + precision)
    assert rows["score"] == ["5", "6", "66.67", f"{100 * b3:.2f}"]
    assert rows["linking"] == ["5", "5", "66.67", f"{100 * without:.2f}"]
    assert rows["key's links"] == ["5", "6", "100.00", "90.91"]  # P 5/6
    assert rows["lost by detection"][0] == "0.00"
    assert rows["lost by linking"][0] == "-33.33"


def test_several_responses_have_a_column_each(files):
    key, response, perfect = files
    done = run("card", key, f"ours={response}", f"best={perfect}", "-m", "muc", "--all")
    rows = rows_of(done.stdout, "Detection and linking apart: MUC F1")
    assert rows["score"] == ["66.67", "100.00"]
    assert rows["lost by linking"] == ["-33.33", "0.00"]
    shares = rows_of(done.stdout, "The largest entities of the key: share")
    assert shares == {"Ann": ["3", "66.67", "100.00"], "Bob": ["2", "100.00", "100.00"]}


def test_several_responses_have_their_counts(files, tmp_path):
    """5 mentions of the key, all found by both; the first response has a dog, too."""
    key, response, perfect = files
    answer = tmp_path / "answer.txt"
    answer.write_text("# document (d); part 000\n[Ann]_1 [she]_1 her [Bob]_2 [he]_2 dog\n")
    done = run("card", key, response, perfect, answer, "-m", "muc,b3", "--window", "3", "--all")
    rows = rows_of(done.stdout, "Detection and linking apart: mentions")
    assert rows == {
        "score": ["5", "6", "5", "4"],
        "linking": ["=", "5", "5", "4"],
        "linking, key's mentions": ["5", "5", "5", "5"],
        "linking, response's mentions": ["=", "6", "5", "4"],
        "key's links": ["5", "6", "5", "4"],
    }
    assert "\n=: as many mentions of the key as of the response\n" in done.stdout
    rows = rows_of(done.stdout, "Long texts: mentions")
    assert [*rows.values()] == [["5", "6", "5", "4"]] * 3
    rows = rows_of(done.stdout, "The text of the answer: mentions")
    # Two of the responses are no text, and have no column.
    assert rows["with repair"] == ["5", "4"]
    assert rows["key, damaged alike"] == ["5", "5"]
    done = run("card", *files, "-m", "muc", "-f", "latex")
    assert "linking, response's mentions & = & 6 & 5 \\\\" in done.stdout


def test_lines_that_the_first_response_lacks_are_in_their_place(files):
    """Only the second response has an entity of one mention."""
    key, response, perfect = files
    done = run("card", key, perfect, response, "-m", "muc", "--all")
    assert list(rows_of(done.stdout, "Entities by size: LEA")) == ["1", "2-10"]


@pytest.mark.parametrize("responses", [1, 2])
def test_tables_fit_eighty_columns(responses):
    names = ["system-a", "system-b"][:responses]
    done = run("card", EXAMPLES / "key.conll", *(EXAMPLES / f"{n}.conll" for n in names),
               "--feature", "kind")  # fmt: skip
    assert max(map(len, done.stdout.split("corefmeter:")[0].splitlines())) <= 80


def test_json_holds_every_line(files):
    done = run("card", *files[:2], "-m", "muc", "-f", "json")
    found = json.loads(done.stdout)
    (card,) = found["cards"]
    (line,) = [p for p in card["parts"] if (p["section"], p["name"]) == ("linking", "key's links")]
    assert line["scores"]["muc"]["recall_numerator"] == 3
    assert card["losses"]["muc"] == pytest.approx(
        {"detection": 0, "linking": 1 / 3, "interaction": 0}
    )
    assert card["characters"][0]["held"] == 2
    again = corefmeter.card(*files[:2], metrics="muc").to_dict()
    assert again["cards"][0]["parts"] == card["parts"]


def test_a_loss_that_is_not_a_number_is_null_in_json(tmp_path):
    """MUC of singletons is 0/0, and so is what of it is lost."""
    path = tmp_path / "key.conll"
    path.write_text("#begin document (x); part 000\nx 0 0 a (1)\n#end document\n")
    done = run("card", path, path, "-m", "muc", "--undefined", "skip", "-f", "json")
    (card,) = json.loads(done.stdout)["cards"]
    assert card["losses"]["muc"] == {"detection": None, "linking": None, "interaction": None}


def test_csv_has_a_row_for_each_line_and_metric(files):
    done = run("card", *files[:2], "-m", "muc", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    (row,) = [r for r in rows if (r["section"], r["by"], r["group"]) ==
              ("long", "mentions apart", "1")]  # fmt: skip
    # Neighbours of the key: Ann-she, she-her, Bob-he; of the response: Bob-he; in both: that.
    assert (row["recall_numerator"], row["recall_denominator"]) == ("1", "3")
    assert row["metric"] == "links"


def test_latex_has_a_column_for_each_response(files):
    done = run("card", *files, "-m", "muc", "-f", "latex")
    assert "score & 66.67 & 100.00 \\\\" in done.stdout
    assert done.stdout.count(r"\begin{table}") == done.stdout.count(r"\end{table}") > 3


@pytest.mark.parametrize("count", [2, 3])
def test_latex_has_all_sections_as_other_files_do(files, count):
    brief = run("card", *files[:count], "-m", "muc", "-f", "latex").stdout
    assert brief == run("card", *files[:count], "-m", "muc", "-f", "latex", "--all").stdout
    assert r"\caption{Entities by size: LEA" in brief
    assert "--all" not in brief


def test_latex_of_a_card_in_python_has_all_sections(files):
    card = corefmeter.card(*files[:2], metrics="muc")
    assert r"\caption{Entities by size: LEA" in card.to_latex()
    assert "Entities by size: LEA" not in card.to_markdown()


def test_kinds_are_shown_when_they_are_asked_for(files):
    done = run("card", *files[:2], "--feature", "kind", "--pronouns", "en", "--all")
    rows = rows_of(done.stdout, "Mentions\nkind")
    # she, her, he; Ann, Bob, and the dog of the response.
    assert rows["pronoun"][:2] == ["3", "3"]
    assert rows["nominal"][:2] == ["2", "3"]


def test_the_price_of_windows_is_shown(files):
    done = run("card", *files[:2], "-m", "muc", "--window", "3", "--all")
    rows = rows_of(done.stdout, "Long texts: mentions, F1")
    # Ann she her | Bob he dog: R 2/3, P 2/2 inside: she is alone there.
    assert rows["inside"][-1] == "80.00"
    assert rows["price of windows"] == ["-13.33"]
    # Pieces {Ann her} {she} {Bob he}: she is joined to Ann.
    assert rows["lost across windows"] == ["-33.33"]


def test_coverage_is_shown(tmp_path, files):
    answer = tmp_path / "answer.txt"
    answer.write_text("# document (d); part 000\n[Ann]_1 [she]_1 [Bob]_2 [he]_2 dog\n")
    done = run("card", files[0], answer, "-m", "b3", "--all")
    assert rows_of(done.stdout, "Coverage of the text") == {
        "words of the key": ["6"], "dropped": ["1"], "changed": ["0"], "words invented": ["0"],
        "mentions marked": ["4"], "marks repaired or left out": ["0"], "mentions lost": ["0"],
    }  # fmt: skip
    # Without "her": R (2/3 + 2/3 + 1 + 1) / 5, P 1; F1 is 2 * 2/3 / (5/3).
    rows = rows_of(done.stdout, "The text of the answer: mentions, F1")
    assert rows["with repair"][-1] == rows["key, damaged alike"][-1] == "80.00"
    assert rows["lost with the text"] == ["-20.00"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["-m", "mor"], "need matched mentions, which the rows of a card do not have: mor."),
     (["--feature", "knd"], "kind"),
     (["--window", "0"], "--window"), (["--pronouns", "en"], "pronouns has no effect"),
     (["--window", "9", "--as-one-document"], "--window has no effect"),
     (["--character", "1"], "--character")],
)  # fmt: skip
def test_what_cannot_be_is_refused(files, arguments, message):
    done = run("card", *files[:2], *arguments, "--all")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_card_prints_as_the_command_does(files):
    card = corefmeter.card(*files[:2], metrics="muc")
    assert str(card) in run("card", *files[:2], "-m", "muc").stdout
    assert "<table" in card._repr_html_()
