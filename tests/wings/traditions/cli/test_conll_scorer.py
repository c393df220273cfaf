"""``corefmeter conll-scorer`` prints what the official scorer v8.01 prints, to the byte.

Expected texts are recorded output of v8.01 (``../shared``, skipped where it is absent), or worked
out by hand in the comments beside them.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from corefmeter.problems import DataError, OptionError
from corefmeter.wings.traditions.formats.conll_v801 import File
from corefmeter.wings.traditions.reports.conll_v801 import ALL, RefusedError, write

from .... import command

DATA = Path(__file__).parents[4] / ".." / "shared" / "data"
TRANSCRIPTS = DATA / "scorer_transcripts"

RULE = "-" * 74
VERSION = "version: 8.01 lib/CorScorer.pm\n"


def run(folder: Path, metric: str, name: str | None = None, key: str = "key.conll") -> command.Done:
    """The command in a folder with the files key.conll and response.conll."""
    arguments = [metric, key, "response.conll"] + ([] if name is None else [name])
    return command.run("conll-scorer", *arguments, folder=folder)


def printed(folder: Path, metric: str, name: str | None = None) -> str:
    """Standard output of a run that must end well and say nothing else."""
    result = run(folder, metric, name)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def document(name: str, *cells: str) -> str:
    """A document of two columns, one token a cell."""
    lines = [f"#begin document {name}", *(f"w\t{cell}" for cell in cells), "", "#end document"]
    return "\n".join(lines) + "\n"


@pytest.fixture
def files(tmp_path: Path):
    """Write key and response, and return their folder."""

    def create(key: str, response: str) -> Path:
        (tmp_path / "key.conll").write_bytes(key.encode())
        (tmp_path / "response.conll").write_bytes(response.encode())
        return tmp_path

    return create


# Two documents, in the key as b, a; in the response the other way round. In b one of three mentions
# is missed and one is invented: links kept 1, links of three mentions 2. In a all is right, and one
# mention has no link. Sums: mentions 3 of 4, links 1 of 2.
A = "(a); part 000"
B = "(b); part 000"
TWO_KEY = document(B, "(0)", "(0)", "(0)", "-") + document(A, "(7", "7)")
TWO_RESPONSE = document(A, "(1", "1)") + document(B, "(5)", "(5)", "-", "(5)")
B_SIDES = """\
====> (b); part 000:
File (b); part 000:
Entity 0: (0,0) (1,1) (2,2)
====> (b); part 000:
File (b); part 000:
Entity 0: (0,0) (1,1) (3,3)
"""
A_SIDES = """\
====> (a); part 000:
File (a); part 000:
Entity 0: (0,1)
====> (a); part 000:
File (a); part 000:
Entity 0: (0,1)
"""
B_COUNTS = f"""\
Total key mentions: 3
Total response mentions: 3
Strictly correct identified mentions: 2
Partially correct identified mentions: 0
No identified: 1
Invented: 1
Recall: (1 / 2) 50%\tPrecision: (1 / 2) 50%\tF1: 50%
{RULE}
"""
A_COUNTS = f"""\
Total key mentions: 1
Total response mentions: 1
Strictly correct identified mentions: 1
Partially correct identified mentions: 0
No identified: 0
Invented: 0
Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%
{RULE}
"""
TWO_TOTALS = f"""
====== TOTALS =======
Identification of Mentions: Recall: (3 / 4) 75%\tPrecision: (3 / 4) 75%\tF1: 75%
{RULE}
Coreference: Recall: (1 / 2) 50%\tPrecision: (1 / 2) 50%\tF1: 50%
{RULE}
"""


def test_documents_come_in_the_order_of_the_key(files):
    assert printed(files(TWO_KEY, TWO_RESPONSE), "muc") == (
        VERSION + B_SIDES + "(b); part 000:\n" + B_COUNTS
        + A_SIDES + "(a); part 000:\n" + A_COUNTS + TWO_TOTALS
    )  # fmt: skip


def test_a_name_stands_before_the_one_document_it_selects(files):
    assert printed(files(TWO_KEY, TWO_RESPONSE), "muc", "(b); part 000") == (
        VERSION + "(b); part 000:\n" + B_SIDES + B_COUNTS
        + f"""
====== TOTALS =======
Identification of Mentions: Recall: (2 / 3) 66.66%\tPrecision: (2 / 3) 66.66%\tF1: 66.66%
{RULE}
Coreference: Recall: (1 / 2) 50%\tPrecision: (1 / 2) 50%\tF1: 50%
{RULE}
"""
    )  # fmt: skip


def test_an_unknown_name_is_an_empty_document(files):
    expected = f"""\
{VERSION}c:
====> :
File :
====> :
File :
Total key mentions: 0
Total response mentions: 0
Strictly correct identified mentions: 0
Partially correct identified mentions: 0
No identified: 0
Invented: 0
Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%
{RULE}

====== TOTALS =======
Identification of Mentions: Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%
{RULE}
Coreference: Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%
{RULE}
"""
    assert printed(files(TWO_KEY, TWO_RESPONSE), "ceafe", "c") == expected


def test_none_leaves_the_totals(files):
    assert printed(files(TWO_KEY, TWO_RESPONSE), "muc", "none") == VERSION + TWO_TOTALS


def test_a_metric_is_known_in_any_case_but_all_is_not(files):
    folder = files(TWO_KEY, TWO_RESPONSE)
    assert printed(folder, "Muc", "none") == VERSION + TWO_TOTALS
    assert run(folder, "ALL").stdout == VERSION + "Invalid metric\n"


def test_all_is_five_metrics_under_their_names(files):
    folder = files(TWO_KEY, TWO_RESPONSE)
    parts = [
        f"\nMETRIC {metric}:\n" + printed(folder, metric).removeprefix(VERSION)
        for metric in ("muc", "bcub", "ceafm", "ceafe", "blanc")
    ]
    assert printed(folder, "all") == VERSION + "".join(parts)


def test_blanc_has_no_score_by_document_and_no_name(files):
    # Key: link 0-1 and non-links 0-2, 1-2. Response: link 1-2 and non-links 0-1, 0-2. In common:
    # no link, and the non-link 0-2. BLANC: (0 + 1/2) / 2.
    folder = files(document("d", "(0)", "(0)", "(1)"), document("d", "(0)", "(1)", "(1)"))
    expected = f"""\
{VERSION}====> d:
File d:
Entity 0: (0,0) (1,1)
Entity 1: (2,2)
====> d:
File d:
Entity 0: (0,0)
Entity 1: (1,1) (2,2)
:
Total key mentions: 3
Total response mentions: 3
Strictly correct identified mentions: 3
Partially correct identified mentions: 0
No identified: 0
Invented: 0

====== TOTALS =======
Identification of Mentions: Recall: (3 / 3) 100%\tPrecision: (3 / 3) 100%\tF1: 100%
{RULE}

Coreference:
Coreference links: Recall: (0 / 1) 0%\tPrecision: (0 / 1) 0%\tF1: 0%
{RULE}
Non-coreference links: Recall: (1 / 2) 50%\tPrecision: (1 / 2) 50%\tF1: 50%
{RULE}
BLANC: Recall: (0.25 / 1) 25%\tPrecision: (0.25 / 1) 25%\tF1: 25%
{RULE}
"""
    assert printed(folder, "blanc") == expected


def test_blanc_without_links_is_0_over_1(files):
    folder = files(document("d", "(0)"), document("d", "(0)"))
    assert printed(folder, "blanc").endswith(f"""
Coreference:
Coreference links: Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%
{RULE}
Non-coreference links: Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%
{RULE}
BLANC: Recall: (0 / 1) 0%\tPrecision: (0 / 1) 0%\tF1: 0%
{RULE}
""")


def test_lea_is_laid_out_like_the_others(files):
    # Four mentions have 6 links, of which 1 is found on the other side: 4 * 1/6 = 2/3 of 4.
    folder = files(
        document("d", "(0)", "(0)", "(0)", "(0)", "-", "-"),
        document("d", "(0)", "(0)", "-", "-", "(0)", "(0)"),
    )
    expected = f"""\
{VERSION}====> d:
File d:
Entity 0: (0,0) (1,1) (2,2) (3,3)
====> d:
File d:
Entity 0: (0,0) (1,1) (4,4) (5,5)
d:
Total key mentions: 4
Total response mentions: 4
Strictly correct identified mentions: 2
Partially correct identified mentions: 0
No identified: 2
Invented: 2
Recall: (0.666666666666667 / 4) 16.66%\tPrecision: (0.666666666666667 / 4) 16.66%\tF1: 16.66%
{RULE}

====== TOTALS =======
Identification of Mentions: Recall: (2 / 4) 50%\tPrecision: (2 / 4) 50%\tF1: 50%
{RULE}
Coreference: Recall: (0.666666666666667 / 4) 16.66%\tPrecision: (0.666666666666667 / 4) 16.66%\tF1: 16.66%
{RULE}
"""  # noqa: E501  # lines are as long as those of v8.01
    assert printed(folder, "lea") == expected


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        # B3 recall of an entity of 5 mentions in parts of 3 and 2: (9/5 + 4/5) / 5 = 0.52, where
        # adding 0.6 three times and 0.4 twice gives a little less. F1: 2 * 0.52 / 1.52 = 0.684...
        ((3, 2), "Recall: (2.6 / 5) 51.99%\tPrecision: (5 / 5) 100%\tF1: 68.42%"),
        # (144 + 9) / 15 = 10.2, where adding 0.8 twelve times and 0.2 thrice gives a little less.
        ((12, 3), "Recall: (10.2 / 15) 67.99%\tPrecision: (15 / 15) 100%\tF1: 80.95%"),
    ],
)
def test_a_percentage_on_the_edge_is_cut_from_the_sum_of_doubles(files, parts, line):
    cells = [f"({number})" for number, size in enumerate(parts) for _ in range(size)]
    folder = files(document("d", *["(0)"] * len(cells)), document("d", *cells))
    assert f"\n{line}\n" in printed(folder, "bcub")


def test_ids_with_letters_stop_it_with_a_reason_and_are_read_as_numbers_when_asked_for(files):
    """The number of e36772 is that of its first chunk, so that all but the cells is the same."""
    key = document("d", "(e36772", "(e5)", "e36772)", "(e36772)", "(e5)")
    sides = key, key.replace("(e5)", "(e36772)", 1)
    folder = files(*sides)
    result = run(folder, "muc")
    assert (result.returncode, "close-without-open" in result.stderr) == (3, True)
    assert "v8.01 reads digits only, not an id such as 'e5'" in result.stderr
    assert "--numeric-ids" in result.stderr
    numbered = command.run(
        "conll-scorer", "all", "key.conll", "response.conll", "--numeric-ids", folder=folder
    )
    assert numbered.returncode == 0
    sides = [side.replace("e36772", "0").replace("e5", "1") for side in sides]
    assert numbered.stdout == printed(files(*sides), "all")
    assert "Entity 0: (1,1) (0,2) (3,3)\n" in numbered.stdout


@pytest.mark.parametrize("metric", ["f1", "ALL", "mucc", "conll"])
def test_an_unknown_metric_prints_what_v801_prints_and_exits_2(files, metric):
    result = run(files(TWO_KEY, TWO_RESPONSE), metric)
    assert result.stdout == VERSION + "Invalid metric\n"
    assert result.returncode == 2
    assert f"unknown metric {metric!r}" in result.stderr


def test_a_close_without_open_stops_at_its_side_and_exits_3(files):
    folder = files(document("d", "(0)", "(1)"), document("d", "(0)", "-", "1)"))
    result = run(folder, "all")
    expected = f"""\
{VERSION}
METRIC muc:
====> d:
File d:
Entity 0: (0,0)
Entity 1: (1,1)
====> d:
"""
    assert result.stdout == expected
    assert result.returncode == 3
    assert result.stderr.startswith("response.conll:4: error: entity 1 is closed at token 2, ")
    assert "(document 'd') [close-without-open]" in result.stderr


def test_an_unclosed_mention_stops_at_its_side_and_exits_3(files):
    result = run(files(document("d", "(0)", "(1", "-"), document("d", "(0)")), "bcub")
    assert result.stdout == f"{VERSION}====> d:\n"
    assert result.returncode == 3
    assert result.stderr.startswith("key.conll:3: error: entity 1 opened here is never closed")


def test_a_repeated_response_mention_is_told_unless_it_is_twinless(files):
    # Of (1,1), key mention number 1, the second copy is removed; of (2,2), which the key lacks,
    # both stay. Links: key 1; response 1 (tokens 0, 1) + 1 (the copies) + 0 (token 3); kept 1.
    folder = files(
        document("d", "(0)", "(0)", "-", "-"), document("d", "(0)", "(0)|(1)", "(1)|(1)", "(2)")
    )
    expected = f"""\
{VERSION}====> d:
File d:
Entity 0: (0,0) (1,1)
====> d:
File d:
Entity 0: (0,0) (1,1)
Entity 1: (1,1) (2,2) (2,2)
Entity 2: (3,3)
d:
Repeated mention in the response: 1, 1 11
Total key mentions: 2
Total response mentions: 4
Strictly correct identified mentions: 2
Partially correct identified mentions: 0
No identified: 0
Invented: 2
Recall: (1 / 1) 100%\tPrecision: (1 / 2) 50%\tF1: 66.66%
{RULE}

====== TOTALS =======
Identification of Mentions: Recall: (2 / 2) 100%\tPrecision: (2 / 4) 50%\tF1: 66.66%
{RULE}
Coreference: Recall: (1 / 1) 100%\tPrecision: (1 / 2) 50%\tF1: 66.66%
{RULE}
"""
    assert printed(folder, "muc") == expected


def test_none_does_not_silence_repeated_mentions(files):
    folder = files(document("d", "(0)", "(0)|(1)"), document("d", "(0)|(1)", "(0)"))
    lines = printed(folder, "muc", "none").splitlines()
    assert lines[1:4] == [
        "Repeated mention in the key: 1, 1 12",
        "Repeated mention in the response: 0, 0 00",
        "",
    ]


def test_the_eleventh_repetition_of_the_run_ends_it_with_1(files):
    # Six copies too many in each of two documents: the fifth of the second is the eleventh.
    key = document("a", "(0)") + document("b", "-", "(0)")
    copies = "|".join(["(0)"] * 7)
    folder = files(key, document("a", copies) + document("b", "-", copies))
    result = run(folder, "ceafm", "none")
    assert result.stdout == (
        VERSION
        + "Repeated mention in the response: 0, 0 00\n" * 6
        + "Repeated mention in the response: 1, 1 00\n" * 5
    )
    assert result.returncode == 1
    assert "refuses to score a response with more than 10 repeated mentions" in result.stderr


def test_repetitions_are_counted_over_the_metrics(files):
    # Three copies too many: 9 after three metrics, and the second of the fourth is the eleventh.
    folder = files(document("a", "(0)"), document("a", "(0)|(1)|(2)|(3)"))
    result = run(folder, "all", "none")
    assert result.returncode == 1
    assert result.stdout.endswith(
        "\nMETRIC ceafe:\n" + "Repeated mention in the response: 0, 0 00\n" * 2
    )
    assert run(folder, "ceafe", "none").returncode == 0


def test_ten_repetitions_are_scored(files):
    folder = files(document("a", "(0)"), document("a", "|".join(["(0)"] * 11)))
    assert printed(folder, "muc").count("Repeated mention in the response") == 10


def test_a_repeated_key_mention_counts_in_both_entities(files):
    # Key mentions are numbered 0; 1; 2, again (1,1); 3. Both entities have size 2. Aligned: {0,1}
    # with {0,1}, 2 in common, and {1,2} with {2}, 1: 3 of 4 and 3 of 3. F1: 2 * 3/4 / (7/4) = 6/7.
    # The further copy counts as invented.
    folder = files(document("d", "(0)", "(0)|(1)", "(1)"), document("d", "(0)", "(0)", "(1)"))
    expected = f"""\
{VERSION}====> d:
File d:
Entity 0: (0,0) (1,1)
Entity 1: (1,1) (2,2)
====> d:
File d:
Entity 0: (0,0) (1,1)
Entity 1: (2,2)
d:
Repeated mention in the key: 1, 1 12
Total key mentions: 3
Total response mentions: 3
Strictly correct identified mentions: 3
Partially correct identified mentions: 0
No identified: 0
Invented: 1
Recall: (3 / 4) 75%\tPrecision: (3 / 3) 100%\tF1: 85.71%
{RULE}

====== TOTALS =======
Identification of Mentions: Recall: (3 / 3) 100%\tPrecision: (3 / 3) 100%\tF1: 100%
{RULE}
Coreference: Recall: (3 / 4) 75%\tPrecision: (3 / 3) 100%\tF1: 85.71%
{RULE}
"""
    assert printed(folder, "ceafm") == expected


def test_a_mention_three_times_in_the_key_gets_the_newest_number(files):
    folder = files(document("d", "(0)|(1)|(2)"), document("d", "(0)|(1)"))
    lines = printed(folder, "muc", "none").splitlines()
    assert lines[1:4] == [
        "Repeated mention in the key: 0, 0 01",
        "Repeated mention in the key: 0, 0 12",
        "Repeated mention in the response: 0, 0 22",
    ]


def test_a_document_that_the_response_lacks_is_read_as_an_empty_one(files):
    # The name of a document is the whole rest of its line, with the blank at its end.
    lines = printed(files(document("d ", "(0)", "(0)"), document("d", "(0)")), "muc").splitlines()
    assert lines[1:8] == [
        "====> d :", "File d :", "Entity 0: (0,0) (1,1)", "====> :", "File :", "d :",
        "Total key mentions: 2",
    ]  # fmt: skip


def test_a_document_only_in_the_response_is_not_even_read(files):
    folder = files(document("d", "(0)"), document("broken", "0)") + document("d", "(0)"))
    assert "broken" not in printed(folder, "muc")


def test_names_need_not_be_text(tmp_path):
    text = b"#begin document \xe9\r\nw\t(0)\r\n#end document\r\n"
    (tmp_path / "key.conll").write_bytes(text)
    (tmp_path / "response.conll").write_bytes(text)
    result = run(tmp_path, "muc")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.printed.startswith(
        VERSION.encode() + b"====> \xe9:\nFile \xe9:\nEntity 0: (0,0)\n====> \xe9:\n"
    )


def test_a_file_that_cannot_be_read_exits_3(files):
    result = run(files("", ""), "all", key="nowhere.conll")
    assert result.stdout == VERSION + "\nMETRIC muc:\n"
    assert result.returncode == 3
    assert result.stderr.startswith("nowhere.conll: error: cannot be read")


def test_too_few_arguments_are_wrong_usage():
    result = command.run("conll-scorer", "muc", "key.conll")
    assert (result.returncode, result.stdout) == (2, "")


# How v8.01 reads a file.


def entities(folder: Path, text: str) -> list[list[tuple[int, int]]]:
    """The entities of the document d of a file; a fatal error is raised."""
    path = folder / "file.conll"
    path.write_bytes(text.encode())
    reading = File(str(path)).last(b"d")
    if reading.error:
        raise DataError(reading.error)
    return reading.entities


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        # Whole mentions, then opening, then closing, in whatever order they are written.
        (["(0", "0)|(0", "0)"], [[(1, 1), (0, 2)]]),
        (["1)|(1"], [[(0, 0)]]),
        (["(2|(1)", "2)"], [[(0, 0)], [(0, 1)]]),
        # Mentions of one entity close last in, first out; of different entities they may cross.
        (["(1|(1", "1)", "1)"], [[(0, 1), (0, 2)]]),
        (["(1", "(2", "1)", "2)"], [[(0, 2)], [(1, 3)]]),
        # Separators do not matter; what is left after cutting joins up.
        (["(1(2", "2)1)"], [[(0, 1)], [(0, 1)]]),
        (["(1(2)3)"], [[(0, 0)], [(0, 0)]]),
        # Ids are texts of digits.
        (["(1)", "(01)"], [[(0, 0)], [(1, 1)]]),
        (["(ab)", "(1)"], [[(1, 1)]]),
        # Entities are numbered by the first chunk, also one that closes later.
        (["(5", "(3)", "5)"], [[(0, 2)], [(1, 1)]]),
        # A double antecedent with one digit behind the plus is thrown away.
        (["(1+2)|(4)", "(12+3)"], [[(0, 0)]]),
        (["-", "_", "*", "(0)"], [[(3, 3)]]),
    ],
)
def test_chunks(tmp_path, cells, expected):
    assert entities(tmp_path, document("d", *cells)) == expected


@pytest.mark.parametrize("cell", ["(e1)", "(abstract-1)", "(3+14)", "0)"])
def test_chunks_that_end_the_run(tmp_path, cell):
    with pytest.raises(DataError, match="close-without-open"):
        entities(tmp_path, document("d", cell))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # Blank lines are no tokens; every other line is one.
        ("w\t(0)\n\n \t \nw\t(0)\n# comment\nw\t(0)\n", [[(0, 0), (1, 1), (3, 3)]]),
        # The last field that is not empty; a line without TAB is one field.
        ("d\t0\tw\t(0)\t\t\n", [[(0, 0)]]),
        ("d\t(1)\tw\t-\n", []),
        ("d 0 w (0)\n", [[(0, 0)]]),
        ("d 0 (8) -\n", [[(0, 0)]]),
        # A carriage return is not taken off a cell, and does no harm, but makes an empty cell.
        ("d\t(0)\r\nd\t(0)\t\r\n", [[(0, 0)]]),
    ],
)
def test_lines(tmp_path, lines, expected):
    assert entities(tmp_path, f"#begin document d\n{lines}#end document\n") == expected


@pytest.mark.parametrize(
    ("header", "is_one"),
    [
        ("#begin document d", True),
        ("#  begin document d", True),
        ("#begin document d\r", True),
        ("#Begin document d", False),
        (" #begin document d", False),
        ("#begin document d ", False),
        ("#begin document (d)", False),
    ],
)
def test_headers(tmp_path, header, is_one):
    assert entities(tmp_path, f"{header}\nw\t(0)\n#end document\n") == [[(0, 0)]] * is_one


def test_the_end_is_recognised_anywhere_in_a_line(tmp_path):
    text = "#begin document d\nw\t(0)\nw # end document\t(0)\nw\t(0)\n"
    assert entities(tmp_path, text) == [[(0, 0)]]


def test_without_an_end_a_document_runs_on_and_what_is_open_vanishes(tmp_path):
    # The header of the next document is token 2 and a mention of entity 77. Entity 1 is opened
    # before 77 is named, so it keeps its number, without mentions.
    text = "#begin document d\nw\t(0)\nw\t(1\n#begin document (77)\nw\t(0)\n"
    assert entities(tmp_path, text) == [[(0, 0), (3, 3)], [], [(2, 2)]]
    assert File(str(tmp_path / "file.conll")).names == [b"d", b"(77)"]


def test_an_entity_without_mentions_is_shown_and_does_not_count(files):
    folder = files("#begin document d\nw\t(1\nw\t(0)\n", document("d", "-", "(0)"))
    lines = printed(folder, "ceafe").splitlines()
    assert lines[3:5] == ["Entity 0:", "Entity 1: (1,1)"]
    assert "Recall: (1 / 1) 100%\tPrecision: (1 / 1) 100%\tF1: 100%" in lines
    assert run(folder, "blanc").returncode == 0


def test_of_a_repeated_name_the_last_counts_or_the_first_if_it_is_asked_for(files):
    key = document("d", "(0)") + document("d", "(0)", "(0)")
    folder = files(key, document("d", "-", "(0)") + document("d", "(0)", "(0)"))
    last, first = printed(folder, "bcub"), printed(folder, "bcub", "d")
    assert "\nCoreference: Recall: (2 / 2) 100%\tPrecision: (2 / 2) 100%\t" in last
    assert "\nCoreference: Recall: (0 / 1) 0%\tPrecision: (0 / 1) 0%\t" in first
    assert last.count("\nd:\n") == 1


def test_an_endless_cell_is_refused_in_no_time(tmp_path):
    with pytest.raises(DataError, match="longer than"):
        entities(tmp_path, document("d", "(0)" * 1_000_000))


# Recorded output of v8.01.

needs_data = pytest.mark.skipif(
    not TRANSCRIPTS.is_dir(), reason="the recorded output is not beside the checkout (../shared)"
)

#: Where our exit status is not that of v8.01.
STATUS = {"16_unknown_metric": 2, "17_close_without_open": 3, "18_unclosed": 3}


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table, or none where the file is absent."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


@needs_data
@pytest.mark.parametrize("case", rows(TRANSCRIPTS / "index.tsv"), ids=lambda case: case["case"])
def test_transcripts(case):
    folder = TRANSCRIPTS / case["case"]
    metric, _, _, *name = shlex.split(case["command"])[1:]
    result = run(folder, metric, *name)
    assert result.printed == (folder / "stdout.txt").read_bytes()
    assert result.returncode == STATUS.get(case["case"], int(case["exit"]))
    assert (result.stderr == "") == (result.returncode == 0)


_RATIOS = re.compile(
    r"Recall: \((?P<recall_num>\S+) / (?P<recall_den>\S+)\) (?P<printed_recall>\S+)%\t"
    r"Precision: \((?P<precision_num>\S+) / (?P<precision_den>\S+)\) (?P<printed_precision>\S+)%\t"
    r"F1: (?P<printed_f1>\S+)%"
)
_LINES = {
    "mentions": "Identification of Mentions: ",
    "blanc": "BLANC: ",
    "blanc_coref": "Coreference links: ",
    "blanc_noncoref": "Non-coreference links: ",
}


def text(metric: str, key: Path, response: Path, name: str | None = None) -> str:
    """The text of a run within this process."""
    stream = io.BytesIO()
    write(metric, str(key), str(response), None if name is None else name.encode(), stream)
    return stream.getvalue().decode()


def fields(line: str) -> dict[str, str]:
    """What stands in a line of ratios."""
    match = _RATIOS.search(line)
    assert match is not None, line
    return match.groupdict()


def differences(found: dict[str, str], expected: dict[str, str]) -> set[str]:
    """The fields that are printed otherwise than expected."""
    return {field for field, value in found.items() if value != expected[field]}


#: Two best alignments, of which v8.01 takes the other: the last digit of the sum is another.
TIES = {("ceafe", "s0216")}


def totals(output: str, metric: str) -> dict[str, str]:
    """The line of totals that belongs to a row of an expected table."""
    start = _LINES.get(metric, "Coreference: ")
    return fields(next(line for line in output.splitlines() if line.startswith(start)))


@needs_data
@pytest.mark.parametrize(
    "expected",
    rows(DATA / "official_cases" / "expected.tsv"),
    ids=lambda row: f"{row['case']}-{row['metric']}",
)
def test_official_cases(expected):
    # One metric a run, as the values were made: repetitions are counted over the metrics of a run.
    metric = {"mentions": "muc"}.get(expected["metric"], expected["metric"].partition("_")[0])
    folder = DATA / "official_cases"
    output = text(metric, folder / expected["key"], folder / expected["response"])
    assert differences(totals(output, expected["metric"]), expected) == set()


def documents(output: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The id and the scores of each document."""
    name = ""
    for line in output.partition("====== TOTALS")[0].splitlines():
        if match := re.match(r"====> \((\w+)\)", line):
            name = match[1]
        elif line.startswith("Recall: "):
            yield name, fields(line)


@needs_data
@pytest.mark.parametrize("metric", ["muc", "bcub", "ceafm", "ceafe", "lea"])
def test_random_documents(metric):
    folder = DATA / "random_conll"
    expected = {row["id"]: row for row in rows(folder / "expected.tsv") if row["metric"] == metric}
    found = dict(documents(text(metric, folder / "key.conll", folder / "response.conll")))
    assert list(found) == list(expected)
    wrong = {(metric, name) for name, row in expected.items() if differences(found[name], row)}
    assert wrong == {tie for tie in TIES if tie[0] == metric}


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("metric", [*ALL, "lea"])
def test_random_documents_together(metric):
    folder = DATA / "random_conll"
    output = text(metric, folder / "key.conll", folder / "response.conll", "none")
    for expected in rows(folder / "expected_pooled.tsv"):
        if expected["metric"] == "mentions" or expected["metric"].partition("_")[0] == metric:
            assert differences(totals(output, expected["metric"]), expected) == set()


@needs_data
def test_random_documents_with_repeated_mentions():
    folder = DATA / "random_conll"
    key, response = folder / "repeated_key.conll", folder / "repeated_response.conll"
    wrong = []
    for expected in rows(folder / "repeated_expected.tsv"):
        name, row = expected["id"], expected["metric"]
        metric = {"mentions": "muc"}.get(row, row.partition("_")[0])
        found = totals(text(metric, key, response, f"({name}); part 000"), row)
        if differences(found, expected):
            wrong.append((name, row, found, expected))
    assert wrong == []


def test_the_errors_of_the_function_are_typed(files):
    folder = files(document("d", "(0)"), document("d", "|".join(["(0)"] * 12)))
    stream = io.BytesIO()
    with pytest.raises(OptionError, match="did you mean 'ceafe'"):
        write("cefae", "", "", None, stream)
    with pytest.raises(RefusedError, match="repeated-mention"):
        write("muc", str(folder / "key.conll"), str(folder / "response.conll"), None, stream)
