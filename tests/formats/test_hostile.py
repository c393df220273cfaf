"""Damaged and hostile files: a typed error or a corpus, in bounded memory, and soon.

Nothing here looks at a clock: what is quadratic would not end.
"""

from __future__ import annotations

import gzip
import random
import tracemalloc
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefmeter import Corpus, DataError, Problem, read
from corefmeter.codes import CODES
from corefmeter.formats import conll, source

FILE = (
    "# remark\n#begin document (a/é); part 000\nx\t0\tthe\t(1|(2\nx\t1\tdog\t(3)|2)|1)\n\n"
    "x\t2\tsaw\t-\nx\t3\tit\t(1)\n#end document\n#begin document (b)\nx 0 #a (e1(e1\nx 1 b e1)e1)\n"
    "#end document\n"
).encode()


def outcome(path: str, **options) -> Corpus | list[Problem]:
    """The corpus or the problems; nothing else may come out."""
    try:
        corpus = read(path, **options)
    except DataError as error:
        problems, message = error.problems, str(error)
    else:
        assert len(corpus) > 0
        for document in corpus:
            for start, end in (mention for entity in document.entities for mention in entity):
                assert 0 <= start < end <= document.tokens
        return corpus
    assert problems
    assert message
    for problem in problems:
        assert problem.code in CODES
        assert problem.severity == "error"
        assert problem.path == path
        assert problem.line is None or problem.line >= 1
        assert len(str(problem)) < 5000
    return problems


def codes(path: str, **options) -> set[str]:
    found = outcome(path, **options)
    return set() if isinstance(found, Corpus) else {problem.code for problem in found}


def peak(path: str) -> float:
    """The memory that reading takes, in MiB."""
    tracemalloc.start()
    try:
        outcome(path)
        return tracemalloc.get_traced_memory()[1] / (1 << 20)
    finally:
        tracemalloc.stop()


# Damage


def test_the_file_is_sound(file):
    corpus = outcome(file(FILE))
    assert [d.tokens for d in corpus] == [4, 2]


@pytest.mark.parametrize("format", [None, "conll"])
def test_truncated_anywhere(file, format):
    for length in range(len(FILE)):
        outcome(file(FILE[:length]), format=format)


def test_a_file_cut_off_within_a_document_is_told(file):
    for line in (3, 5, 6, 7, 9):
        cut = b"".join(FILE.splitlines(keepends=True)[:line])
        found = outcome(file(cut))
        problems = found.problems if isinstance(found, Corpus) else found
        assert {"missing-end", "unclosed-mention"} & {problem.code for problem in problems}


@pytest.mark.slow
@pytest.mark.parametrize("byte", [b"\0", b"\xff", b"(", b")", b"|", b"#", b"\n", b"\t", b" ", b"-"])
def test_a_byte_replaced_anywhere(file, byte):
    for place in range(len(FILE)):
        outcome(file(FILE[:place] + byte + FILE[place + 1 :]), format="conll")


@pytest.mark.slow
@pytest.mark.parametrize("bit", range(8))
def test_a_bit_flipped_anywhere(file, bit):
    for place in range(len(FILE)):
        damaged = bytearray(FILE)
        damaged[place] ^= 1 << bit
        outcome(file(bytes(damaged)))


def test_lines_in_any_order(file):
    lines = FILE.splitlines(keepends=True)
    rng = random.Random(1)
    for _ in range(300):
        rng.shuffle(lines)
        outcome(file(b"".join(lines)), format="conll")


def test_pieces_cut_out(file):
    rng = random.Random(2)
    for _ in range(500):
        start, end = sorted(rng.sample(range(len(FILE)), 2))
        outcome(file(FILE[:start] + FILE[end:]))


PIECES = [
    b"#begin document", b"#end document", b" (a); part 0", b"#", b"# x -", b"\n", b"\n", b"\n",
    b"\t", b" ", b"-", b"_", b"*", b"(1", b"1)", b"(1)", b"(2", b"2)", b"|", b"(", b")", b"(1+2)",
    b"w", b"\r", b"\r\n", b"\xef\xbb\xbf", b"\xe9", b"\0", b"\xc3\xa9",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=60), st.sampled_from([1, 2, 7, 1 << 15]))
def test_any_mixture_of_pieces(tmp_path_factory, pieces, block):
    path = tmp_path_factory.mktemp("mixture") / "x.conll"
    path.write_bytes(b"#begin document (x)\n" + b"".join(pieces))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(source, "BLOCK", block)
        patched.setattr(source, "HEAD", 30)
        in_blocks = outcome(str(path), format="conll")
    found = outcome(str(path), format="conll")
    if isinstance(found, Corpus):
        assert [(d.id, d.entities, d.breaks) for d in found] == [
            (d.id, d.entities, d.breaks) for d in in_blocks
        ]
        assert found.problems == in_blocks.problems
    else:
        assert found == in_blocks


@given(st.binary(max_size=300))
def test_any_bytes(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("bytes") / "x"
    path.write_bytes(data)
    outcome(str(path))
    outcome(str(path), format="conll")


def test_binary_files(file):
    data = random.Random(3).randbytes(300_000)
    assert codes(file(data)) == {"not-text"}
    assert codes(file(b"#begin document (x)\n" + data)) >= {"not-text"}


# Size

#: A line of this many bytes in each place where a line can be long.
LONG = 10_000_000

LONG_LINES = {
    "word": b"%s\t(1)",
    "words": b"%s\t(1)",
    "cell": b"w\t%s",
    "id": b"w\t(%s)",
    "comment": b"# %s",
    "hash": b"#%s\t(1)",
    "blanks": b"w%s(1)",
    "columns": b"%s(1)",
    "blank columns": b"%s(1)",
    "trailing TABs": b"w\t(1)%s",
    "header": b"#begin document (%s)",
    "end": b"#end document %s",
    "bars": b"w\t(1)%s",
}

FILLING = {
    "words": b"w ", "blanks": b" ", "columns": b"w\t", "blank columns": b"ww ",
    "trailing TABs": b"\t", "bars": b"|",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("place", LONG_LINES)
@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_very_long_line(file, place, end):
    unit = FILLING.get(place, b"x")
    line = LONG_LINES[place] % (unit * (LONG // len(unit)))
    path = file(b"#begin document (x)\nw\t-\n" + line + end)
    assert peak(path) < 10 * LONG / (1 << 20)


@pytest.mark.slow
def test_a_very_long_line_outside_of_documents(file):
    path = file(b"#begin document (x)\nw\t-\n#end document\n" + b"(" * LONG)
    assert peak(path) < 10 * LONG / (1 << 20)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", [b"(1|", b"(1+2)"])
def test_a_very_long_cell_is_not_kept_as_chunks(file, chunk):
    line = b"w\t" + chunk * (300_000 // len(chunk)) + b"(1)"
    assert peak(file(b"#begin document (x)\nw\t-\n" + line + b"\n")) < 8


def test_a_line_without_end_out_of_a_small_file(file, monkeypatch):
    monkeypatch.setattr(source, "LONGEST_LINE", 1 << 20)
    path = file(gzip.compress(b"#begin document (x)\n" + b"x" * (1 << 26)))
    assert codes(path) == {"not-text"}
    assert peak(path) < 8


@pytest.mark.slow
@pytest.mark.parametrize("line", [b"\n", b" \n", b"#\n", b"#end document\n", b"\t\n"])
@pytest.mark.parametrize("start", [b"", b"#end document\n"])
def test_very_many_lines_without_tokens(file, line, start):
    path = file(gzip.compress(b"#begin document (x)\n" + start + line * 30_000))
    assert peak(path) < 1


@pytest.mark.slow
@pytest.mark.parametrize("line", [b"w\t1)\n", b"w\tx\n", b"#begin document (x)\n", b"w\t(1\n"])
def test_very_many_errors(file, line):
    path = file(gzip.compress(b"#begin document (x)\n" + line * 10_000))
    assert peak(path) < 4
    problems = outcome(path)
    assert len(problems) <= 2 * (conll.LISTED + 1)
    assert max(problem.count for problem in problems) > 8_000


@pytest.mark.slow
def test_very_many_warnings(file):
    path = file(gzip.compress(b"#begin document (x)\n" + b"w\t(1+2)\n" * 10_000))
    assert peak(path) < 3


@pytest.mark.slow
def test_very_many_lines_outside_of_documents(file):
    text = b"#begin document (x)\n#end document\n" + b"w\tw\n\n" * 20_000
    assert peak(file(gzip.compress(text))) < 3


# Brackets

MANY = 100_000


@pytest.mark.slow
def test_many_nested_mentions_in_a_cell(file):
    text = f"#begin document x\na\t{'(1' * MANY}\nb\t{'1)' * MANY}\n#end document\n"
    (document,) = read(file(text))
    assert document.entities == [[(0, 2)] * MANY]


@pytest.mark.slow
def test_many_nested_mentions_of_different_entities_in_a_cell(file):
    opens = "|".join(f"({i}" for i in range(MANY))
    closes = "|".join(f"{i})" for i in reversed(range(MANY)))
    (document,) = read(file(f"#begin document x\na {opens}\nb {closes}\n#end document\n"))
    assert document.entities == [[(0, 2)]] * MANY


@pytest.mark.slow
@pytest.mark.parametrize("name", ["1", "{i}"])
def test_many_nested_mentions_over_many_lines(file, name):
    opens = "".join(f"w\t({name.format(i=i)}\n" for i in range(MANY))
    closes = "".join(f"w\t{name.format(i=i)})\n" for i in reversed(range(MANY)))
    (document,) = read(file(f"#begin document x\n{opens}{closes}#end document\n"))
    spans = {(i, 2 * MANY - i) for i in range(MANY)}
    assert {mention for entity in document.entities for mention in entity} == spans


@pytest.mark.slow
@pytest.mark.parametrize("gap", ["", "\nw\t"])
def test_many_mentions_that_are_never_closed(file, gap):
    cells = gap.join(f"({i}" for i in range(MANY))
    problems = outcome(file(f"#begin document x\nw\t{cells}\n#end document\n"))
    assert {problem.code for problem in problems} == {"unclosed-mention"}
    assert sum(problem.count for problem in problems) == MANY


@pytest.mark.slow
@pytest.mark.parametrize("gap", ["", "\nw\t"])
def test_many_mentions_that_were_never_opened_while_many_are_open(file, gap):
    opens = "".join(f"({i}" for i in range(30_000))
    closes = gap.join(f"x{i})" for i in range(30_000))
    problems = outcome(file(f"#begin document x\nw\t{opens}\nw\t{closes}\n#end document\n"))
    assert sum(p.count for p in problems if p.code == "close-without-open") == 30_000


@pytest.mark.slow
def test_many_stray_closes_in_a_cell_are_not_each_looked_for(file, monkeypatch):
    """The line is as long as they are many."""
    calls = Counter()
    for name in ("columns_of", "column_of", "_text"):
        function = getattr(conll, name)

        def counted(*arguments, name=name, function=function):
            calls[name] += 1
            return function(*arguments)

        monkeypatch.setattr(conll, name, counted)
    outcome(file(f"#begin document x\nw\t{'1)' * MANY}\n#end document\n"))
    assert calls["columns_of"] <= 3
    assert calls["column_of"] <= conll.LISTED + 1  # once more with numbers as IDs
    assert calls["_text"] <= 2 * conll.LISTED + 1


@pytest.mark.slow
def test_many_repeated_mentions(file):
    """Nothing is refused for having too many."""
    text = f"#begin document x\nw\t{'(1)(2)' * MANY}\n#end document\n"
    (document,) = read(file(text))
    assert document.entities == [[(0, 1)] * MANY] * 2


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["(" * MANY, ")" * MANY, "()" * MANY, "(1|" * MANY, "|" * MANY])
def test_many_brackets_without_sense(file, cell):
    assert codes(file(f"#begin document x\nw\t{cell}\n#end document\n")) & {
        "bad-cell", "unclosed-mention"
    }  # fmt: skip


@pytest.mark.parametrize(
    "rest",
    [
        "(x)" + " " * 4000 + "y", "(" * 4000, ")" * 4000, "()" * 2000, "(x" + ") " * 2000,
        "part " * 800, "(a) part " * 400, "(x); part " + "0" * 4000, " ; " * 1300 + "x",
        "part 1" * 600,
    ],
)  # fmt: skip
def test_headers_that_are_hard_to_read(file, rest):
    """Many of them: a megabyte of headers."""
    text = "".join(f"#begin document {rest} {i}\n#end document\n" for i in range(250))
    outcome(file(text))
