"""Cells that are not made of chunks alone, against what the official scorer v8.01 does with them.

`official` is its rule in the shortest form. Spans are half-open.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict

import pytest

from corefmeter import DataError, read
from corefmeter.corpus.model import Corpus

HEADER = "#begin document (a); part 000\n"


def rows(cells: list[str], separator: str = "\t", start: str = "w") -> str:
    lines = "".join(f"{start}{separator}{cell}\n" for cell in cells)
    return f"{HEADER}{lines}#end document\n"


def official(cells: list[str]) -> dict[str, list[tuple[int, int]]] | None:
    """The entities of a document as v8.01 finds them; None where it stops."""
    found, opened = defaultdict(list), defaultdict(list)
    for token, cell in enumerate(cells):
        for pattern in (r"\((\d+\+\d)\)", r"\((\d+)\)", r"\((\d+)", r"(\d+)\)"):
            while match := re.search(pattern, cell):
                cell = cell[: match.start()] + cell[match.end() :]
                name = match[1]
                if "+" in name:
                    continue
                if match[0].startswith("("):
                    opened[name].append(token)
                if match[0].endswith(")"):
                    if not opened[name]:
                        return None
                    found[name].append((opened[name].pop(), token + 1))
    return None if any(opened.values()) else dict(found)


def entities(corpus: Corpus) -> dict[str, list[tuple[int, int]]]:
    document = corpus.documents[0]
    return dict(zip(document.entity_names, document.entities, strict=True))


@pytest.mark.parametrize(
    ("cells", "expected", "lines"),
    [
        # As outputs of shared tasks have them.
        (["-(8", "-7|8)", "(7)"], {"8": [(0, 2)], "7": [(2, 3)]}, [2, 3]),
        (["-(8", "8)|-7)"], None, []),
        (["(7|-(8", "-8)", "-7)"], {"8": [(0, 2)], "7": [(0, 3)]}, [2, 3, 4]),
        (["+(52", "arg2", "52)", "-"], {"52": [(0, 3)]}, [2, 3]),
        (["(1", ")", "1)", "-"], {"1": [(0, 3)]}, [3]),
        (["(1", ")|1)", "(2)|)"], {"1": [(0, 2)], "2": [(2, 3)]}, [3, 4]),
        # Spaces.
        (["(1)| (2", "2)"], {"1": [(0, 1)], "2": [(0, 2)]}, [2]),
        (["(1) (2)", "(1 | (2", "2) |1)"], {n: [(0, 1), (1, 3)] for n in "12"}, [2, 3, 4]),
        (["(1) x", "-"], {"1": [(0, 1)]}, [2]),
        # An id is a number, whatever is beside it.
        (["(8-", "x8)"], {"8": [(0, 2)]}, [2, 3]),
        (["(8*", "*8)", "-"], {"8": [(0, 2)]}, [2, 3]),
        (["(8", "e8)", "-"], {"8": [(0, 2)]}, [3]),
        # Bars and brackets too many.
        (["((1)", "(1))", "|(1)", "(1)|"], {"1": [(0, 1), (1, 2), (2, 3), (3, 4)]}, [2, 3, 4, 5]),
        (["(1)", "(2)||(3)", "-|(4)"],
         {"1": [(0, 1)], "2": [(1, 2)], "3": [(1, 2)], "4": [(2, 3)]}, [3, 4]),
        (["(1)", "()", "(", "(2)|x)("], {"1": [(0, 1)], "2": [(3, 4)]}, [3, 4, 5]),
        # Behind the brackets.
        (["(1", "(2)x", "(2)3", "1)2"], {"1": [(0, 4)], "2": [(1, 2), (2, 3)]}, [3, 4, 5]),
        (["(1", "(2)/1", "(2)|-", "1)"], {"1": [(0, 4)], "2": [(1, 2), (2, 3)]}, [3, 4]),
        # Ids that inner tokens repeat, as in files that were made of MMAX2, and elsewhere.
        (
            ["(1", "1", "1|(0)", "(0|1", "1|0", "1)|0", "0)", "-", "(1)"],
            {"1": [(0, 6), (8, 9)], "0": [(2, 3), (3, 7)]},
            [3, 4, 5, 6, 7],
        ),
        (["(1", "2", "1)", "1"], {"1": [(0, 3)]}, [3, 5]),
        # What joins up is a chunk: (1(2)3) is (2) and (13).
        (["(1(2)3)", "-"], {"2": [(0, 1)], "13": [(0, 1)]}, []),
        # A mention that is closed before it is opened.
        (["0)|(0", "-", "(1)"], {"0": [(0, 1)], "1": [(2, 3)]}, [2]),
    ],
)  # fmt: skip
def test_chunks_are_taken_out_and_the_rest_is_ignored(file, cells, expected, lines):
    assert official(cells) == expected
    if expected is None:
        with pytest.raises(DataError):
            read(file(rows(cells)))
        return
    corpus = read(file(rows(cells)))
    assert {n: sorted(m) for n, m in entities(corpus).items()} == expected
    if lines:
        (problem,) = corpus.problems
        assert (problem.code, problem.line) == ("repaired", lines[0])
        assert (problem.count or 1) == len(lines)
        assert repr(cells[lines[0] - 2]) in problem.message


@pytest.mark.parametrize(
    ("cell", "offset"),
    [
        ("-(8)", 0),  # the dash before the bracket
        ("(8)x", 3),
        ("(12)|arg2", 5),  # a bar may be between chunks; the word behind it is none
        ("(1)||(2)", 3),  # where the two bars begin
    ],
)
@pytest.mark.parametrize("start", ["w", "word", "0\t0\tw"])
def test_the_column_is_that_of_the_first_sign_that_is_ignored(file, cell, offset, start):
    """Columns count from 1: that of the cell is the length of what is before it, a tab, and 1."""
    (problem,) = read(file(rows([cell, "-"], start=start))).problems
    assert (problem.code, problem.line) == ("repaired", 2)
    assert problem.column == len(start) + 1 + offset + 1


@pytest.mark.parametrize("seed", range(20))
def test_random_cells_as_by_the_official_scorer(file, seed):
    """Left out is what is read as it is written: one entity closed and opened, (1(2)3).

    A name that opens may be an id for us and is none for v8.01.
    """
    choice = random.Random(seed).choice
    pieces = re.split(",", "(1,1),(1),(2,2),(2),(1),(2),-,+,|,||,x,/,),(,12,*,arg2, ,-,-")
    compared = 0
    for _ in range(150):
        size = choice((2, 3, 5))
        cells = ["".join(choice(pieces) for _ in range(choice((1, 1, 2, 3)))) for _ in range(size)]
        cells = [cell.strip() or "-" for cell in cells] + ["-", "-"]
        expected = official(cells)
        if any(re.search(r"(\d)\).*\(\1|\d\(\d+\)\d", cell) for cell in cells):
            continue
        try:
            found = {n: sorted(m) for n, m in entities(read(file(rows(cells)))).items()}
        except DataError:
            lost = any(re.search(r"\([^()|* ]*[a-z+/-]", cell) for cell in cells)
            assert expected in (None, {}) or lost, cells
            continue
        if not all(name.isdigit() for name in found):
            continue
        assert expected is not None, (cells, found)
        assert found == {n: sorted(m) for n, m in expected.items()}, cells
        compared += bool(found)
    assert compared > 20


@pytest.mark.parametrize("cell", ["(1)| (2", "(1) |(2", "(1) | (2"])
@pytest.mark.parametrize("start", ["x 0 dog", "dog", "| 5)"])
@pytest.mark.parametrize("before", ["", "(2)\n", "(2\n", "-\n-\n"])
def test_bars_beside_spaces_where_spaces_separate_columns(file, before, cell, start):
    """Chunks are never lost to a column that is not read, whatever lines before look like."""
    cells = [*before.split(), cell, "2)", *(["2)"] if before == "(2\n" else [])]
    at = len(before.split())
    corpus = read(file(rows(cells, " ", start)))
    assert entities(corpus)["1"] == [(at, at + 1)]
    assert (at, at + 2) in entities(corpus)["2"]
    (problem,) = corpus.problems
    assert (problem.code, problem.line, problem.count) == ("repaired", at + 2, 1)


@pytest.mark.parametrize(
    ("cells", "expected", "lines"),
    [
        (["(1) (2)", "(2)"], {"1": [(0, 1)], "2": [(0, 1), (1, 2)]}, [2]),
        (["(2)", "(1) (2)"], {"1": [(1, 2)], "2": [(0, 1), (1, 2)]}, [3]),
        (["-", "(1 (2", "2) 1)"], {"1": [(1, 3)], "2": [(1, 3)]}, [3, 4]),
        (["(1)", "(1 (2 (3)", "2) 1)"], {"1": [(0, 1), (1, 3)], "2": [(1, 3)], "3": [(1, 2)]},
         [3, 4]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("start", ["dog", "x 0 0 dog NN", "( 1"])
def test_chunks_between_spaces_where_spaces_separate_columns(file, start, cells, expected, lines):
    """v8.01 searches the whole line; a line with more fields than others has them in its cell."""
    corpus = read(file(rows([*cells, "-"], " ", start)))
    assert entities(corpus) == expected
    (problem,) = corpus.problems
    assert (problem.code, problem.line, problem.count) == ("repaired", lines[0], len(lines))


WIDE = "x 0 0 dog NN (NP* - - - Ann (PERSON)"


@pytest.mark.parametrize("start", [WIDE, f"{WIDE} (ARG1* *", WIDE.replace(" ", "   ")])
@pytest.mark.parametrize(
    ("cells", "expected", "lines"),
    [
        # The cells (1) and (2) are known when the cell with both is read.
        (["(1)", "(2)", "(1) (2)"], {"1": [(0, 1), (2, 3)], "2": [(1, 2), (2, 3)]}, [4]),
        (["(1", "(2", "1) 2)"], {"1": [(0, 3)], "2": [(1, 3)]}, [4]),
        (["(1 (2", "2)", "1)"], {"1": [(0, 3)], "2": [(0, 2)]}, [2]),
        (["(3)", "(1 (2 (3)", "2) 1)"], {"3": [(0, 1), (1, 2)], "1": [(1, 3)], "2": [(1, 3)]},
         [3, 4]),
    ],
)  # fmt: skip
def test_chunks_between_spaces_in_many_columns(file, start, cells, expected, lines):
    corpus = read(file(rows([*cells, "-"], " ", start)))
    assert entities(corpus) == expected
    (problem,) = corpus.problems
    assert (problem.code, problem.line, problem.count) == ("repaired", lines[0], len(lines))


def test_the_columns_of_another_sentence_are_not_those_of_a_cell(file):
    """Sentences have as many columns as they have predicates; the last is the coreference."""
    sentences = [f"{WIDE} * (1)\n{WIDE} * -\n", f"{WIDE} (1) (2)\n{WIDE} - (1)\n"]
    sentences += [f"{WIDE} * * * -\n", f"{WIDE} (1)  (2)\n{WIDE} -\n"]
    corpus = read(file(HEADER + "\n".join(sentences) + "#end document\n"))
    assert entities(corpus) == {"1": [(0, 1), (3, 4), (5, 6)], "2": [(2, 3), (5, 6)]}
    assert [(problem.code, problem.line) for problem in corpus.problems] == [("repaired", 10)]


def test_spaces_that_were_found_in_many_columns_are_looked_for_to_the_end(file):
    cells = ["(1) (2)"] + ["-", "(1)", "(2)"] * 10_000 + ["(1) (2)"]
    found = entities(read(file(rows(cells, " ", WIDE))))
    assert (len(found["1"]), len(found["2"])) == (10_002, 10_002)


@pytest.mark.parametrize(
    ("odd", "columns"),
    [("x\t0\t1\tsaw\t(1)\t-", 6), ("x\t0\t1\t-", 4), ("x\t0\t1\tsaw\tVBD\tsee\t(1)", 7)],
)
@pytest.mark.parametrize("before", ["", "x\t0\t0\t*\t*\t*\t-\n\n"])
def test_a_row_of_other_columns_than_its_sentence_is_a_warning(file, odd, columns, before):
    """The last column may be another one there; sentences may differ in their predicates."""
    rows = f"x\t0\t0\tAnn\t(1)\n{odd}\nx\t0\t2\ther\t(1)\n"
    (problem,) = read(file(f"{HEADER}{before}{rows}#end document\n")).problems
    assert (problem.code, problem.line) == ("bad-columns", 5 if before else 3)
    assert f"a row of {columns} columns in a sentence of 5" in problem.message


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_sentences_of_different_columns_are_no_warning(file, ends):
    text = (
        f"{HEADER}a\t0\t(1)\nb\t0\t-\n\na\t0\t*\t(1)\n# as before\n\na\t\nb\t(1)\n#end document\n"
    )
    corpus = read(file(text.replace("\n", ends)))
    assert (len(entities(corpus)["1"]), corpus.problems) == (3, [])


@pytest.mark.parametrize("cell", ["(1) |(2", "(1)| (2", "(1) | (2", "(1)|(2"])
def test_tabs_that_end_all_lines_are_no_empty_column(file, cell):
    start = "\n".join(f"a\t{n}\tw\t{one}\t" for n, one in enumerate([cell, "2)", "(1)"]))
    corpus = read(file(f"{HEADER}{start}\n#end document\n"))
    assert entities(corpus) == {"1": [(0, 1), (2, 3)], "2": [(0, 2)]}


@pytest.mark.parametrize("word", ["(1)", "5)", "(5"])
def test_a_word_that_is_a_chunk_is_no_part_of_a_cell(file, word):
    corpus = read(file(rows(["(1)", "-", "(2|(1", "2)|1)"], " ", f"x {word}")))
    assert entities(corpus) == {"1": [(0, 1), (2, 4)], "2": [(2, 4)]}
    assert corpus.problems == []


def test_a_word_that_is_a_bar_is_no_part_of_a_cell(file):
    corpus = read(file(rows(["(1)", "-", "(2|(1", "2)|1)"], " ", "x 0 |")))
    assert entities(corpus) == {"1": [(0, 1), (2, 4)], "2": [(2, 4)]}
    assert corpus.problems == []


@pytest.mark.parametrize("line", ["w\t(1) (2)", "w\t(1)| (2)", "w\t(1)|(2)"])
def test_tabs_among_lines_with_spaces(file, line):
    corpus = read(file(f"{HEADER}w (2)\nw (1)\n{line}\n#end document\n"))
    assert entities(corpus) == {"2": [(0, 1), (2, 3)], "1": [(1, 2), (2, 3)]}


def test_text_as_ids_in_odd_cells(file):
    """v8.01 reads no text; chunks are taken out as if it did."""
    cells = ["(ab", "(cd)-", "ab", "cd|ab)", "(ab) (cd)"]
    assert entities(read(file(rows(cells)))) == {"ab": [(0, 4), (4, 5)], "cd": [(1, 2), (4, 5)]}


def test_text_as_ids_is_not_given_up_for_numbers(file):
    """Entity 1 could be read alone, and e2 would be lost."""
    with pytest.raises(DataError) as caught:
        read(file(rows(["(1", "(e2)", "x1)", "-"])))
    assert [problem.code for problem in caught.value.problems] == [
        "unclosed-mention",
        "close-without-open",
    ]


def test_a_cell_of_unreasonable_length_is_refused(file):
    with pytest.raises(DataError) as caught:
        read(file(rows(["(1)", "-" + "(1)" * 5000])))
    assert [(p.code, p.line) for p in caught.value.problems] == [("bad-cell", 3)]
    cells = ["(1)", "(1)" * 5000]
    assert len(entities(read(file(rows(cells))))["1"]) == 5001


@pytest.mark.parametrize(
    ("cells", "count", "both"),
    [
        (["(1)", "(01)", "(1)", "(2)"], 1, ("'1'", "'01'")),
        (["(E3)", "(e3", "e3)", "(4)"], 1, ("'E3'", "'e3'")),
        (["(7)", "(007)", "(07)", "(70)"], 2, ("'7'", "'007'")),
        (["(set_2)", "(set_02)", "(SET_2)", "(set_20)"], 2, ("'set_2'", "'set_02'")),
        (["(0)", "(00)", "-", "-"], 1, ("'0'", "'00'")),
    ],
)
def test_ids_that_differ_in_form_are_two_entities_with_a_warning(file, cells, count, both):
    """As for v8.01, to which ids are text; the warning names the first two."""
    corpus = read(file(rows(["-"]) + rows(cells).replace("(a)", "(b)", 1)))
    names = dict.fromkeys(cell.strip("()") for cell in cells if cell != "-")
    assert corpus.documents[1].entity_names == list(names)
    (problem,) = corpus.problems
    assert (problem.code, problem.line, problem.count) == ("similar-ids", 4, count)
    assert all(name in problem.message for name in both)


@pytest.mark.parametrize("cells", [["(1)", "(10)", "(100)"], ["(a1)", "(b1)", "(a10)"], ["(1)"]])
def test_other_ids_are_no_warning(file, cells):
    assert read(file(rows(cells))).problems == []


def test_ids_of_two_documents_are_not_compared(file):
    corpus = read(file(rows(["(1)"]) + rows(["(01)"]).replace("(a)", "(b)", 1)))
    assert corpus.problems == []
