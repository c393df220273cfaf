"""CoNLL with pieces of mentions, as in the README of the scorer of CRAFT 2019."""

from __future__ import annotations

import pytest

from corefmeter import Recipe, read, score

#: Five mentions of one entity: a run, two with gaps, a token, a run.
README = """\
#begin document (test); part 000
test1\t0\t0\ta\t(0
test1\t0\t1\tb\t0)
test1\t0\t2\tc\t-
test1\t0\t3\td\t(0a)
test1\t0\t4\te\t-
test1\t0\t5\tf\t(0a
test1\t0\t6\tg\t-
test1\t0\t7\th\t0a)
test1\t0\t8\t.\t-

test2\t0\t0\ti\t(0b)
test2\t0\t1\tj\t-
test2\t0\t2\tk\t(0b)
test2\t0\t3\tl\t-
test2\t0\t4\tm\t-
test2\t0\t5\tn\t(0)
test2\t0\t6\to\t-
test2\t0\t7\tp\t(0
test2\t0\t8\tq\t-
test2\t0\t9\tr\t0)
test2\t0\t10\t.\t-
#end document
"""


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "x.conll") -> str:
        (tmp_path / name).write_text(text, "utf-8")
        return str(tmp_path / name)

    return write


def test_letters_tie_the_pieces_of_a_mention(file):
    corpus = read(file(README))
    (document,) = corpus
    assert (corpus.format, document.entity_names) == ("craft", ["0"])
    assert document.entities == [
        [(0, 2), ((3, 4), (5, 8)), ((9, 10), (11, 12)), (14, 15), (16, 19)]
    ]


def test_without_another_mention_of_the_entity_letters_are_a_part_of_the_name(file):
    path = file("#begin document (x); part 000\n0 a (1a)\n1 b (2b)\n2 c (1a)\n#end document\n")
    assert read(path).format == "conll"
    assert read(path).documents[0].entities == [[(0, 1), (2, 3)], [(1, 2)]]
    assert read(path, "craft").documents[0].entities == [[((0, 1), (2, 3))], [(1, 2)]]


def test_a_token_is_no_piece(file):
    text = "#begin document (x); part 000\n0\t(0a\t(0)\n1\tb\t(0)\n#end document\n"
    assert read(file(text)).format == "conll"


def test_half_a_mention_counts_by_the_preset_of_the_task(file):
    """Of d … fgh only d, its first piece; of i … k only k, its second."""
    response = README.replace("f\t(0a", "f\t-").replace("h\t0a)", "h\t-")
    response = response.replace("i\t(0b)", "i\t-")
    key, response = file(README), file(response, "y.conll")
    # Four links in the key and in the response; four mentions match, or three exactly.
    partial = score(key, response, Recipe.preset("craft2019"))
    assert (partial.mentions.recall, partial.muc.recall, partial.muc.precision) == (0.8, 0.75, 0.75)
    exact = score(key, response, Recipe.preset("craft2019-exact"))
    assert (exact.mentions.recall, exact.muc.recall, exact.muc.precision) == (0.6, 0.5, 0.5)
