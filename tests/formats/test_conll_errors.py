"""Every error of a CoNLL file: its code, its place, and what the message names.

Lines and columns count from 1; a column counts characters.
"""

from __future__ import annotations

import pytest

from corefmeter import DataError, read
from corefmeter.formats import source
from corefmeter.formats.notes import LISTED


def problems(path: str, **options) -> list:
    with pytest.raises(DataError) as caught:
        read(path, **options)
    return caught.value.problems


def places(path: str, **options) -> list[tuple[str, int | None, int | None]]:
    return [(p.code, p.line, p.column) for p in problems(path, **options)]


def document(lines: str, name: str = "story") -> str:
    return f"#begin document ({name}); part 000\n{lines}\n#end document\n"


def test_a_close_without_an_open(file):
    (problem,) = problems(path := file(document("the\t-\ndog\t4)")))
    assert str(problem).splitlines()[0] == (
        f"{path}:3:5: error: entity 4 is closed but was not opened "
        "(document '(story); part 000') [close-without-open]"
    )
    assert problem.hint


def test_a_close_with_another_name_tells_what_is_open_and_since_when(file):
    """Both lines are named, by one error each."""
    stray, unclosed = sorted(
        problems(file(document("a\t(7)\nthe\t(1\nold\t(2\ndog\tx)\nis\t2)"))), key=lambda p: p.code
    )
    assert (stray.code, stray.line, stray.column) == ("close-without-open", 5, 5)
    assert "still open: 2, on line 4" in stray.message
    assert (unclosed.code, unclosed.line) == ("unclosed-mention", 3)
    assert "entity 1 opened here" in unclosed.message


def test_an_open_at_the_end_names_the_opening_line(file):
    text = "# remark\n" + document("\nthe\t-\n\n# remark\ndog\t(4\nis\t-")
    (problem,) = problems(path := file(text))
    assert str(problem) == (
        f"{path}:7: error: entity 4 opened here is never closed (document '(story); part 000') "
        '[unclosed-mention]\n  Close it with "4)" or drop the bracket.'
    )


def test_every_mention_that_is_left_open_has_its_error(file):
    found = places(file(document("a\t(1(2\nb\t(1\nc\t1)(1)\nd\t(3)|(4")))
    assert [(code, line) for code, line, _ in found] == [
        ("unclosed-mention", 2), ("unclosed-mention", 2), ("unclosed-mention", 5)
    ]  # fmt: skip


@pytest.mark.parametrize("end", ["", "#begin document (other)\nit\t-\n#end document\n"])
def test_an_open_mention_is_an_error_without_an_end_too(file, end):
    text = f"#begin document (story)\nthe\t-\ndog\t(1\n{end}"
    assert places(file(text)) == [("unclosed-mention", 3, None)]


@pytest.mark.parametrize(
    ("cell", "junk"), [("(PERSON*", 8), ("(V*)", 3), ("(2)|(x*", 7), ("(2)x|(ARG0*", 4)]
)
@pytest.mark.parametrize("start", ["dog\t", "ça ", "x 0 1 日本 "])
def test_a_name_that_opens_and_is_no_id(file, start, cell, junk):
    """A column of parses, names or arguments; the place is the first junk, in characters."""
    lines = f"{start}(1)\n{start}{cell}\n{start}-"
    (problem,) = problems(file(document(lines)))
    assert (problem.code, problem.line, problem.column) == ("bad-cell", 3, len(start) + junk)
    assert repr(cell) in problem.message
    assert problem.hint


def test_names_in_odd_cells_must_be_text_and_single(file):
    assert places(file(document("w\t(?)-").encode().replace(b"?", b"\xff")))[0][0] == "bad-cell"
    corpus = read(file(document("w\t(1+2)|(3)-")))
    assert corpus.documents[0].entities == [[(0, 1)]]
    assert sorted(problem.code for problem in corpus.problems) == ["double-antecedent", "repaired"]


def test_the_hint_knows_columns_of_other_kinds(file):
    lines = "the\t(NP*\ndog\t*)"
    first, second = problems(file(document(lines)))
    assert "parses" in first.hint
    assert "parses" in second.hint


@pytest.mark.parametrize(
    ("words", "count"), [("the dog", 2), ("x", 1), ("NN VB (1) NN NN NN NN NN NN NN NN NN", 11)]
)
def test_a_file_whose_last_column_is_no_coreference(file, words, count):
    """The last column holds words, and in one line of twelve one that looks like a chunk."""
    lines = "\n".join(f"x\t0\t0\t{word}" for word in words.split())
    (problem,) = problems(file(document(lines)))
    assert (problem.code, problem.line, problem.column) == ("bad-cell", 2, 7)
    assert problem.count == count


def test_the_column_of_a_chunk_within_a_cell(file):
    lines = "é\t(1\nü\t(11)|1)|1)|11)"
    assert places(file(document(lines))) == [
        ("close-without-open", 3, 11),
        ("close-without-open", 3, 14),
    ]


def test_the_column_of_chunks_in_a_long_cell(file):
    """27 chunks of 6 characters come first; then the wrong ones are the 5th and the 16th."""
    cell = "(abc)|" * 27 + "(x)|wrong)|(y)|wrong)"
    found = places(file(document(f"dog\t(1)\ncat\t{cell}\ndog\twrong)|{cell}")))
    assert found == [
        ("close-without-open", 3, 4 + 27 * 6 + 5),
        ("close-without-open", 3, 4 + 27 * 6 + 16),
        ("close-without-open", 4, 5),
        ("close-without-open", 4, 4 + 7 + 27 * 6 + 5),
        ("close-without-open", 4, 4 + 7 + 27 * 6 + 16),
    ]


@pytest.mark.parametrize("start", ["dog\t", "dog ", "x 0 1  dog  ", "x\t0\t1\tdog\t"])
@pytest.mark.parametrize("rest", ["", " ", "\t", "\r"])
def test_the_column_in_files_of_any_shape(file, start, rest):
    lines = f"{start}(1){rest}\n{start}-{rest}\n{start}-{rest}\n{start}(1)|2){rest}"
    assert places(file(document(lines))) == [("close-without-open", 5, len(start) + 5)]


def test_the_same_document_twice_names_both_lines(file):
    text = document("it\t(1)") + "\n" + document("it\t(1)", "x") + document("is\t(1)")
    (problem,) = problems(path := file(text))
    assert (problem.code, problem.line) == ("repeated-document", 8)
    assert f"{path}:1" in problem.message
    assert "concatenate" in problem.hint


def test_a_document_three_times_is_two_errors_that_name_the_first(file):
    found = problems(path := file(document("it\t(1)") * 3))
    assert [p.line for p in found] == [4, 7]
    assert all(f"{path}:1" in p.message for p in found)


def test_part_0_is_no_other_document_than_part_000(file):
    text = "#begin document (x); part 0\n#end document\n#begin document (x); part 000\n"
    assert places(file(text)) == [("repeated-document", 3, None)]
    assert places(file(text.replace("part 0\n", "\n"))) == [("repeated-document", 3, None)]


def test_errors_of_a_document_that_stands_twice_are_found_in_both(file):
    text = document("it\t(1") + document("it\t1)")
    assert [(code, line) for code, line, _ in places(file(text))] == [
        ("unclosed-mention", 2), ("repeated-document", 4), ("close-without-open", 5)
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "\n\n", " \n", "\ufeff", "\r\n"])
def test_an_empty_file(file, text):
    assert places(file(text)) == [("no-document", None, None)]
    assert places(file(text), format="conll") == [("no-document", None, None)]


@pytest.mark.parametrize(
    "text",
    ["the\t(1)\n", "# remark\n", "#end document\n", "begin document (x)\n", "#begin doc x\n",
     "# begin documents\n"],
)  # fmt: skip
def test_a_file_without_a_document(file, text):
    (problem,) = problems(path := file(text))
    assert (problem.code, problem.path) == ("unknown-format", path)
    assert "known formats: conll, conllu, e2e" in problem.message  # as --from takes them
    assert "#begin document" in problem.hint
    (problem,) = problems(path, format="conll")
    assert (problem.code, problem.path) == ("no-document", path)


def test_chunks_outside_of_documents(file):
    text = f"a\t(1)\n{document('it (1)')}b\t1)\nc\t-\n{document('it (1)', 'x')}d (2"
    assert [(code, line) for code, line, _ in places(file(text))] == [
        ("outside-document", 1), ("outside-document", 5), ("outside-document", 10)
    ]  # fmt: skip


def test_names_that_are_no_utf8(file):
    text = document("it\t(1)", "caf?").encode().replace(b"?", b"\xe9")
    assert places(file(b"\n" + text)) == [("not-text", 2, None)]


def test_ids_that_are_no_utf8(file):
    text = document("é\t(1)|(caf?\nis\t-\nit\tcaf?)").encode().replace(b"?", b"\xe9")
    found = problems(file(text))
    assert [(p.code, p.line, p.column) for p in found] == [("not-text", 2, 3), ("not-text", 4, 4)]
    assert "caf\\xe9" in found[0].message


def test_utf16_is_refused_with_a_hint(file):
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        (problem,) = problems(file(document("it\t(1)").encode(encoding)))
        assert problem.code == "not-text"
        assert "UTF-16" in problem.hint


def test_a_nul_byte_is_refused_with_its_line(file):
    text = document("it\t(1)\ni?\t(1)\nit\t(1)").encode().replace(b"?", b"\0")
    assert places(file(text)) == [("not-text", 3, None)]


def test_a_nul_byte_far_down_is_refused_with_its_line(file):
    lines = "\n".join(["x\t0\t0\tword\t-"] * 20_000)
    assert len(lines) > 2 * source.HEAD
    assert places(file(document(lines + "\nx\t0\t0\t\0\t-"))) == [("not-text", 20_002, None)]


def test_errors_before_a_nul_byte_are_told_too(file):
    assert places(file(document("it\t(x*\nis\t(y*\n\0"))) == [
        ("bad-cell", 2, 6), ("bad-cell", 3, 6), ("not-text", 4, None)
    ]  # fmt: skip


def test_carriage_returns_alone_do_not_end_lines(file):
    (problem, *_) = problems(file(document("it\t(1)").replace("\n", "\r")))
    assert (problem.code, problem.line) == ("not-text", 1)
    assert "line endings" in problem.hint


def test_all_errors_of_a_file_are_collected_in_the_order_of_its_lines(file):
    text = (
        document("a\t(1\nb\t(x*\nc\t2)", "a")
        + document("a\t(1)\nb\t(x*\nc\t(3", "b")
        + document("a\t-", "a")
    )
    assert [(code, line) for code, line, _ in places(file(text))] == [
        ("unclosed-mention", 2),
        ("bad-cell", 3),
        ("close-without-open", 4),
        ("bad-cell", 8),
        ("unclosed-mention", 9),
        ("repeated-document", 11),
    ]


def test_twenty_errors_are_shown(file):
    with pytest.raises(DataError) as caught:
        read(file(document("a\t1)\n" * 30)))
    assert len(caught.value.problems) == 30
    shown = str(caught.value)
    assert shown.count("[close-without-open]") == 20
    assert shown.endswith("... and 10 more")


def test_of_very_many_errors_the_last_are_counted(file):
    found = problems(file(document("a\t1)\n" * (LISTED + 5) + "b\t(x*\n")))
    assert [p.code for p in found].count("close-without-open") == LISTED + 1
    assert [p.code for p in found].count("bad-cell") == 1
    assert found[-1].count == 5


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("block", [1, 7, 64, 1 << 15])
def test_lines_are_counted_through_comments_blank_lines_and_blocks(file, monkeypatch, block, end):
    monkeypatch.setattr(source, "BLOCK", block)
    monkeypatch.setattr(source, "HEAD", 40)
    lines = [
        "# remark", "", "#begin document (a)", "x 0 0 a (1", "", "# remark", "", "x 0 1 b (x*",
        "x 0 2 c -", "#end document", "", "#begin document (b)", "# remark -", "x 0 3 d 7)", "  ",
        "x 0 4 e -", "x 0 5 f (8", "x 0 6 g -", "#end document",
    ]  # fmt: skip
    assert places(file(end.join(lines))) == [
        ("unclosed-mention", 4, None),
        ("bad-cell", 8, 11),
        ("close-without-open", 14, 9),
        ("unclosed-mention", 17, None),
    ]


def test_long_cells_are_cut_in_messages(file):
    (problem,) = problems(file(document(f"a\t(1)\nb\t(x*{'x' * 1000}")))
    assert len(str(problem)) < 400


def test_a_header_of_unreasonable_length(file):
    (problem,) = problems(file(document("it\t(1)", "x" * 10_000)))
    assert (problem.code, problem.line) == ("not-text", 1)
    assert len(str(problem)) < 400


#: Words with the coreference before another column; a word may look like a chunk, too.
ASIDE = ["x 0 0 Ann (1)|(2 {}", "x 0 1 (3) - {}", "x 0 2 her 2)|(1) {}"]


def test_the_column_in_which_brackets_were_seen_is_named(file):
    """Column 5 of 6 opens a mention in two cells; what only closes one is not counted."""
    for sign, end in ((" ", "-"), ("\t", "_")):
        lines = "\n".join(ASIDE).format(end, end, end).replace(" ", sign)
        corpus = read(file(document(lines) + document(lines, "other")))
        seen = [p for p in corpus.problems if "brackets" in p.message]
        assert [(p.code, p.count) for p in seen] == [("no-coreference", 4)]
        assert "column 5 of 6 look like coreference" in seen[0].message
        assert corpus.problems[-1].message.startswith("no document has a mention")


def test_no_column_of_brackets_is_named_where_there_are_mentions(file):
    lines = "\n".join(ASIDE).format("-", "-", "(7)")
    for text in (
        document(lines),
        document(lines) + document("x 0 0 a - -", "b"),
        document("x 0 0 a - -", "b") + document(lines),
        document("\n".join(ASIDE).format("-", "-", "-")) + document("x 0 0 a - (1)", "b"),
    ):
        assert not [p for p in read(file(text)).problems if "brackets" in p.message]


def test_an_error_about_the_last_column_names_the_one_with_brackets(file):
    (problem,) = problems(file(document("x 0 0 Ann (1) NNP|")))
    assert "Brackets are in column 5 of 6; move it to the end." in problem.hint
