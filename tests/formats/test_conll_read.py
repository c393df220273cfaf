"""What the reader of CoNLL files accepts, and what it makes of it. Spans are half-open."""

from __future__ import annotations

import pytest

from corefmeter import read
from corefmeter.formats.conll import _Reader
from corefmeter.formats.conll_lines import parse_header


def document(lines: str, end: str = "\n") -> str:
    """A file of one document, whose first token stands on line 2."""
    return end.join(["#begin document (story); part 000", *lines.split("\n"), "#end document", ""])


def parse_entities(cells: list[str]) -> list:
    """The entities that a list of cells describes, one cell a token."""
    reader = _Reader("cells", False)
    reader.read_lines(document("\n".join(f"w\t{cell}" for cell in cells)).encode())
    return reader.documents_read()[0][0].entities


def entities(corpus) -> dict[str, list]:
    """The entities by name, of all documents."""
    return {
        name: mentions
        for document in corpus
        for name, mentions in zip(document.entity_names, document.entities, strict=True)
    }


def codes(corpus) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in corpus.problems]


# Columns

#: Two mentions of entity 1, "the dog" and "it"; one of entity 2, "dog".
DOG = {"1": [(0, 2), (3, 4)], "2": [(1, 2)]}


@pytest.mark.parametrize(
    "lines",
    [
        "(1\n(2)|1)\n-\n(1)",
        "the (1\ndog (2)|1)\nsaw -\nit (1)",
        "the\t(1\ndog\t(2)|1)\nsaw\t-\nit\t(1)",
        "0\tthe\t(1\n1\tdog\t(2)|1)\n2\tsaw\t-\n3\tit\t(1)",
        "x 0 the (1\nx 1 dog (2)|1)\nx 2 saw -\nx 3 it (1)",
        "x\t0\t0\tthe\t(1\nx\t0\t1\tdog\t(2)|1)\nx\t0\t2\tsaw\t-\nx\t0\t3\tit\t(1)",
        "x 0 0 the DT (NP* - - - - * (1\nx 0 1 dog NN *) - - - - * (2)|1)\n"
        "x 0 2 saw VBD * - - - - * (V*) -\nx 0 3 it PRP (NP*) - - - - * (ARG0*) (1)",
    ],
    ids=["1", "2 blanks", "2 TABs", "3", "4", "5", "12 and 13"],
)
def test_any_number_of_columns_between_tabs_or_blanks(file, lines):
    corpus = read(file(document(lines)))
    assert entities(corpus) == DOG
    assert corpus.documents[0].tokens == 4
    assert codes(corpus) == []


def test_columns_aligned_with_blanks(file):
    corpus = read(
        file(document("x  0   0   the    (1\nx  0  10  dog     1)\nx  0  11  saw      -"))
    )
    assert entities(corpus) == {"1": [(0, 2)]}


@pytest.mark.parametrize("none", ["-", "_", "*"])
@pytest.mark.parametrize("gap", ["\t", " ", "   "])
def test_a_mark_for_none(file, none, gap):
    corpus = read(file(document(f"the{gap}{none}\ndog{gap}(1)\nsaw{gap}{none}\nit{gap}(1)")))
    assert entities(corpus) == {"1": [(1, 2), (3, 4)]}


def test_an_empty_cell_is_none(file):
    corpus = read(file(document("the\t\ndog\t(1)\nsaw\t\nit\t(1)")))
    assert entities(corpus) == {"1": [(1, 2), (3, 4)]}
    assert corpus.documents[0].tokens == 4


def test_before_an_empty_cell_a_word_may_look_like_a_chunk(file):
    """The number of columns tells that the cell is there, and empty."""
    corpus = read(file(document("dog\t(1)\n(2)\t\n:)\t\n(\t\n-\t\nit\t(1)")))
    assert entities(corpus) == {"1": [(0, 1), (5, 6)]}
    assert codes(corpus) == []


def test_all_marks_for_none_in_one_file(file):
    lines = "a\t-\nb\t_\nc\t\nd\t*\ne\t-\nf\t(1)\ng\t_\nh\t\ni\t*\nj\t(1)"
    corpus = read(file(document(lines)))
    assert entities(corpus) == {"1": [(5, 6), (9, 10)]}
    assert corpus.documents[0].tokens == 10


@pytest.mark.parametrize("rest", [" ", "\t", "  ", "\t\t", " \t", "\r"])
def test_blanks_and_tabs_at_the_end_of_lines(file, rest):
    lines = ["the\t-", "dog\t(1)", "saw\t-", "it\t(1)", "it\t(2)"]
    corpus = read(file(document("\n".join(line + rest for line in lines))))
    assert entities(corpus) == {"1": [(1, 2), (3, 4)], "2": [(4, 5)]}


@pytest.mark.parametrize("rest", [" ", "\t", "  \t "])
def test_some_lines_end_with_blanks_or_tabs(file, rest):
    """No ending of a line without a mention may hide a mention on a line that ends so."""
    lines = [
        f"x 0 the -{rest}",
        "x 1 dog (1)",
        f"x 2 it (1){rest}",
        "x 3 saw -",
        f"x 4 it (2){rest}",
    ]
    corpus = read(file(document("\n".join(lines))))
    assert entities(corpus) == {"1": [(1, 2), (2, 3)], "2": [(4, 5)]}
    assert corpus.documents[0].tokens == 5


def test_only_the_last_field_is_the_cell(file):
    corpus = read(file(document("(1)\t(2)\t-\n(1\t(2\t(3)\n1)\t2)\t_")))
    assert entities(corpus) == {"3": [(1, 2)]}


def test_words_with_blanks_between_tabs(file):
    corpus = read(file(document("New York\t(1)\nsaw - it\t-\na (b) c\t(1)")))
    assert entities(corpus) == {"1": [(0, 1), (2, 3)]}


def test_a_tab_only_before_the_cell(file):
    corpus = read(file(document("x 0 0 the\t(1\nx 0 1 dog\t1)\nx 0 2 it\t(1)")))
    assert entities(corpus) == {"1": [(0, 2), (2, 3)]}


def test_blanks_in_front_of_the_cell_behind_a_tab(file):
    corpus = read(file(document("the\t  -\ndog\t(1)\nit\t  (1)")))
    assert entities(corpus) == {"1": [(1, 2), (2, 3)]}


def test_documents_of_different_columns_in_one_file(file):
    first = document("x 0 0 the -\nx 0 1 dog (1)")
    second = document("dog\t(1)\nthe\t-\n#1\t-\nit\t(1)").replace("story", "other")
    corpus = read(file(first + second))
    assert [d.entities for d in corpus] == [[[(1, 2)]], [[(0, 1), (3, 4)]]]
    assert [d.tokens for d in corpus] == [2, 4]


# Cells


def test_chunks_are_read_in_written_order():
    """Two spans that share a token, not one within the other."""
    assert parse_entities(["(0", "0)|(0", "0)"]) == [[(0, 2), (1, 3)]]
    assert parse_entities(["(0", "(0|0)", "0)"]) == [[(1, 2), (0, 3)]]


def test_chunks_need_no_separator():
    assert parse_entities(["(1(2", "2)1)"]) == [[(0, 2)], [(0, 2)]]
    assert parse_entities(["(1(2)(3", "3)(1)1)"]) == [[(0, 1)], [(1, 2), (0, 2)], [(0, 2)]]
    assert parse_entities(["(1|(2)", "-", "1)(1", "1)"]) == [[(0, 1)], [(0, 3), (2, 4)]]


def test_mentions_of_one_entity_nest_last_opened_first():
    assert parse_entities(["(1|(1", "1)", "1)"]) == [[(0, 2), (0, 3)]]
    assert parse_entities(["(1|(1|(1", "1)|1)", "1)"]) == [[(0, 2), (0, 2), (0, 3)]]


def test_mentions_of_different_entities_may_cross():
    assert parse_entities(["(1", "(2", "1)", "2)"]) == [[(0, 3)], [(1, 4)]]


def test_one_span_may_belong_to_two_entities():
    assert parse_entities(["(1)|(2)"]) == [[(0, 1)], [(0, 1)]]
    assert parse_entities(["(1|(2", "2)|1)"]) == [[(0, 2)], [(0, 2)]]


def test_entities_stand_in_the_order_of_appearance():
    """Within a cell whole mentions come first, as in v8.01."""
    assert parse_entities(["(5", "(3)", "5)", "(4|(9)", "4)"]) == [
        [(0, 3)], [(1, 2)], [(3, 4)], [(3, 5)]
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["17", "e1", "PER-1", "abstract-2-English_language", "1.5", "a+b", "1+b", "x:y", "-", "_", "#",
     "é", "人", "a'b", "[x]", "+"],
)  # fmt: skip
@pytest.mark.parametrize("gap", ["\t", " "])
def test_an_entity_id_is_any_text(file, name, gap):
    lines = f"the{gap}({name}\ndog{gap}{name})\nsaw{gap}-\nit{gap}({name})"
    corpus = read(file(document(lines)))
    assert entities(corpus) == {name: [(0, 2), (3, 4)]}
    assert codes(corpus) == []


def test_a_chunk_of_two_entities_is_left_out_with_a_warning(file):
    corpus = read(file(document("é\t(1)|(2+3)\nb\t(1+2\nc\t1+2)\nd\t(1)|(2+3)")))
    assert entities(corpus) == {"1": [(0, 1), (3, 4)]}
    assert codes(corpus) == [("double-antecedent", line) for line in (2, 3, 4, 5)]
    assert corpus.problems[0].column == 7
    assert "2+3" in corpus.problems[0].message
    assert "left out" in corpus.problems[0].message


def test_a_mention_may_cross_a_sentence_border(file):
    corpus = read(file(document("a\t(1\n\nb\t-\n\nc\t1)")))
    assert entities(corpus) == {"1": [(0, 3)]}


# Headers


@pytest.mark.parametrize(
    ("line", "name", "part"),
    [
        ("#begin document (bc/cctv/00/x); part 003", "bc/cctv/00/x", 3),
        ("# begin document (x); part 000", "x", 0),
        ("#begin document(x); part 1", "x", 1),
        ("#begin document(x);", "x", None),
        ("#begin document (x)", "x", None),
        ("#begin document (x) part 2", "x", 2),
        ("#begin document (x): part 2", "x", 2),
        ("#begin document (x);part 002", "x", 2),
        ("#begin document (x); part002", "x", 2),
        ("#begin document x", "x", None),
        ("#begin document x;", "x", None),
        ("#begin document x; part 4", "x", 4),
        ("#begin document x part 4", "x", 4),
        ("#begin document\tx", "x", None),
        ("#Begin Document (x); Part 004", "x", 4),
        ("#  begin  document  ( x ) ;  part  04  ", "x", 4),
        ("#begin document (letter (1)); part 000", "letter (1)", 0),
        ("#begin document (letter (1));", "letter (1)", None),
        ("#begin document (a): b (c): it's; part 7", "(a): b (c): it's", 7),
        ("#begin document (it's: (a) b); part 7", "it's: (a) b", 7),
        ("#begin document (a;b:c'd); part 7", "a;b:c'd", 7),
        ("#begin document ((x); part 7", "(x", 7),
        ("#begin document (x)); part 7", "x)", 7),
        ("#begin document (x; part 7", "(x", 7),
        ("#begin document (two words); part 001", "two words", 1),
        ("#begin document (part 3); part 001", "part 3", 1),
        ("#begin document (x part 3);", "x part 3", None),
        ("#begin document (counterpart 3)", "counterpart 3", None),
        ("#begin document counterpart", "counterpart", None),
        ("#begin document (x); part 000 (final)", "x", 0),
        ("#begin document (x); part 1234567890", "(x); part 1234567890", None),
        ("#begin document (é/人); part 000", "é/人", 0),
    ],
)
def test_headers(file, line, name, part):
    corpus = read(file(f"{line}\nit\t(1)\n#end document\n"))
    (only,) = corpus
    assert (only.name, only.part, only.entities) == (name, part, [[(0, 1)]])
    assert codes(corpus) == []


def test_no_part_is_part_0():
    (name, part), (other, zero) = parse_header(b"(x);"), parse_header(b"(x); part 000")
    assert (name, part, other, zero) == ("x", None, "x", 0)


def test_no_part_pairs_with_part_0(file):
    one, other = (
        read(file("#begin document x\na -\n")),
        read(file("#begin document (x); part 0\na -")),
    )
    assert one.documents[0].id == other.documents[0].id


@pytest.mark.parametrize("rest", ["", " ", " ()", " ();", " (); part 000", "; part 000", " ( )"])
def test_documents_without_a_name_are_numbered_with_a_warning(file, rest):
    corpus = read(
        file(
            "#begin document (x); part 000\na\t-\n#end document\n"
            f"#begin document{rest}\nit\t(1)\n#end document\n"
            "#begin document\nit\t(1)\n#end document\n"
        )
    )
    assert [d.name for d in corpus] == ["x", "document 1", "document 2"]
    assert codes(corpus) == [("unnamed-document", 4), ("unnamed-document", 7)]


@pytest.mark.parametrize(
    "end",
    ["#end document", "# end document", "#end document (story)", "#end document x (1)",
     "#END Document", "#end document."],
)  # fmt: skip
def test_a_document_ends_with_anything_behind_the_end(file, end):
    corpus = read(file(f"#begin document x\nit\t(1)\n{end}\n#begin document y\n{end}\n"))
    assert [(d.name, d.tokens) for d in corpus] == [("x", 1), ("y", 0)]
    assert codes(corpus) == []


def test_a_document_without_an_end_is_closed_by_the_next_with_a_warning(file):
    corpus = read(
        file("#begin document x\nit\t(1)\n#begin document y\na\t-\nit\t(1)\n#end document\n")
    )
    assert [(d.name, d.tokens, d.entities) for d in corpus] == [
        ("x", 1, [[(0, 1)]]),
        ("y", 2, [[(1, 2)]]),
    ]
    assert codes(corpus) == [("missing-end", 3)]
    assert corpus.problems[0].document == "x"


def test_a_document_without_an_end_is_closed_by_the_end_of_the_file_with_a_warning(file):
    corpus = read(file("#begin document x\nit\t(1)"))
    assert [(d.name, d.tokens, d.entities) for d in corpus] == [("x", 1, [[(0, 1)]])]
    assert codes(corpus) == [("missing-end", 2)]


def test_parts_are_documents(file):
    text = "".join(f"#begin document (x); part {n:03d}\nit\t(1)\n#end document\n" for n in range(3))
    assert [d.label for d in read(file(text))] == [f"(x); part 00{n}" for n in range(3)]


def test_a_document_may_be_empty(file):
    corpus = read(
        file("#begin document x\n#end document\n#begin document y\nit (1)\n#end document")
    )
    assert [(d.tokens, d.entities) for d in corpus] == [(0, []), (1, [[(0, 1)]])]
    assert codes(corpus) == []


def test_a_file_without_a_mention_is_read_with_a_warning(file):
    corpus = read(file(document("it\t-")))
    assert (corpus.documents[0].tokens, corpus.documents[0].entities) == (1, [])
    assert codes(corpus) == [("no-coreference", None)]


def test_lines_outside_of_documents_are_counted_in_a_warning(file):
    inside = document("it (1)\n" + "is -\n" * 3)
    corpus = read(file(f"some text\n\n-\n{inside}# a remark\n#end document\nmore\n"))
    assert entities(corpus) == {"1": [(0, 1)]}
    assert codes(corpus) == [("outside-document", 12), ("outside-document", 1)]
    assert corpus.problems[1].count == 3


# Comments and words that begin with #


@pytest.mark.parametrize("gap", ["\t", " "])
def test_comments_are_no_tokens(file, gap):
    corpus = read(
        file(
            f"# a file\n#begin document x\n# text = it is\nit{gap}(1)\n#\n# note -\nis{gap}-\n"
            f"## note - (2)\n\n#note\nit{gap}(1)\n# it was (1)\n#end document\n# the end\n"
        )
    )
    assert entities(corpus) == {"1": [(0, 1), (2, 3)]}
    assert corpus.documents[0].tokens == 3
    assert codes(corpus) == []


@pytest.mark.parametrize("gap", ["\t", " "])
def test_words_of_two_columns_may_begin_with_a_hash(file, gap):
    lines = ["#metoo (1)", "is -", "# (1)", "# -", "#1 (1", "# 1)", "#begin -", "#end -"]
    corpus = read(file(document("\n".join(lines).replace(" ", gap))))
    assert entities(corpus) == {"1": [(0, 1), (2, 3), (4, 6)]}
    assert corpus.documents[0].tokens == 8


def test_in_more_columns_a_remark_may_end_like_a_token(file):
    lines = "x 0 0 it (1)\n# as noted above -\nx 0 1 is -\n# as before, see (1)\n# -\n#a (1)"
    corpus = read(file(document(lines)))
    assert entities(corpus) == {"1": [(0, 1)]}
    assert corpus.documents[0].tokens == 2


def test_remarks_may_come_before_the_first_token(file):
    corpus = read(file(document("# a remark -\n# 1 2 3 4 (1)\nx 0 0 it (1)\nx 0 1 is -")))
    assert entities(corpus) == {"1": [(0, 1)]}
    assert corpus.documents[0].tokens == 2


def test_with_tabs_a_line_with_the_columns_of_a_token_is_one(file):
    corpus = read(file(document("it\tPRP\t(1)\n#\t#\t-\n#a\tNN\t(1)\n# b\t-\n# c\td\te")))
    assert entities(corpus) == {"1": [(0, 1), (2, 3)]}
    assert corpus.documents[0].tokens == 3


def test_between_blanks_a_word_in_the_first_of_three_columns_may_begin_with_a_hash(file):
    corpus = read(file(document("it PRP (1)\n#a NN (1)\n# remark -\nis VBZ -")))
    assert entities(corpus) == {"1": [(0, 1), (1, 2)]}
    assert corpus.documents[0].tokens == 3


def test_the_name_of_a_document_may_begin_with_a_hash(file):
    corpus = read(file("#begin document (#1); part 0\n#1 0 0 it (1)\n#1 0 1 is -\n#end document\n"))
    assert entities(corpus) == {"1": [(0, 1)]}
    assert corpus.documents[0].tokens == 2


def test_a_header_is_never_a_token(file):
    corpus = read(file("#begin document\tx\nit\t(1)\n#end document\t-\n#begin document\t(1)\n"))
    assert [(d.name, d.tokens) for d in corpus] == [("x", 1), ("1", 0)]


# Lines and bytes


def test_lines_may_end_with_crlf(file):
    lines = "the\t-\n\ndog\t(1\nhouse\t1)\nis\t-\n\nit\t(1)"
    corpus = read(file(document(lines, end="\r\n")))
    assert entities(corpus) == {"1": [(1, 3), (4, 5)]}
    assert [corpus.documents[0].line_of(m) for m in corpus.documents[0].entities[0]] == [4, 8]


def test_crlf_and_lf_may_be_mixed(file):
    corpus = read(file(document("the\t-\r\ndog\t(1)\nis\t-\nit\t(1)\r\na\t-\r\n\r\nb\t(1)")))
    assert entities(corpus) == {"1": [(1, 2), (3, 4), (5, 6)]}


def test_the_last_line_needs_no_end(file):
    text = document("the\t-\nit\t(1)")
    assert entities(read(file(text.removesuffix("\n")))) == {"1": [(1, 2)]}
    corpus = read(file("#begin document x\nthe\t(1\nit\t1)"))
    assert entities(corpus) == {"1": [(0, 2)]}


def test_a_byte_order_mark_is_no_text(file):
    corpus = read(file(b"\xef\xbb\xbf" + document("the -\nit (1)").encode()))
    assert [d.name for d in corpus] == ["story"]
    assert entities(corpus) == {"1": [(1, 2)]}


def test_files_with_byte_order_marks_may_be_put_together(file):
    parts = [document("the -\nit (1)"), document("it (1)").replace("story", "other")]
    corpus = read(file("".join("\ufeff" + part for part in parts)))
    assert [(d.name, d.tokens) for d in corpus] == [("story", 2), ("other", 1)]
    assert codes(corpus) == []


def test_unicode_in_names_words_and_ids(file):
    corpus = read(
        file("#begin document (人/é); part 001\nça\t(é\nlà\té)\n😀\t(人)\n#end document\n")
    )
    assert corpus.documents[0].id == ("人/é", 1)
    assert entities(corpus) == {"é": [(0, 2)], "人": [(2, 3)]}


def test_bytes_of_latin_1_in_words_do_no_harm(file):
    corpus = read(file(document("caf?\t(1)\nis\t-").encode().replace(b"?", b"\xe9")))
    assert entities(corpus) == {"1": [(0, 1)]}
    assert codes(corpus) == []


@pytest.mark.parametrize("odd", ["\x0b", "\x0c", "\x85", "\u2028", "\x1c", "\r"])
def test_only_line_feeds_end_lines(file, odd):
    corpus = read(file(document(f"a{odd}b\t(1)\nc\t-\nit\t(1)")))
    assert entities(corpus) == {"1": [(0, 1), (2, 3)]}


def test_lines_of_blanks_are_blank(file):
    corpus = read(file(document("the\t-\n  \nit\t(1)\n\t\n \t \nit\t(1)\n\r\nit\t(1)")))
    assert entities(corpus) == {"1": [(1, 2), (2, 3), (3, 4)]}


def test_every_mention_knows_its_line(file):
    text = (
        "# remark\n#begin document x\n\nit (1)\n\n\n# remark\nit (1)\nis -\nit (1\n\nis 1)\n"
        "#end document\n\n#begin document y\nit (1)\n\nit (1)\n#end document\n"
    )
    lines = [[d.line_of(m) for m in d.entities[0]] for d in read(file(text))]
    assert lines == [[4, 8, 10], [16, 18]]
    assert [d.line for d in read(file(text))] == [2, 15]


# Documents of the same name


def test_documents_of_the_same_name_may_be_concatenated(file):
    text = (
        "#begin document x\nit (1)\nis (2)\n#end document\n"
        "#begin document y\nit (1)\n#end document\n"
        "#begin document (x); part 000\na -\nit (1)\nwas (3\nhere 3)\n#end document\n"
    )
    corpus = read(file(text), documents="concatenate")
    assert [(d.name, d.tokens) for d in corpus] == [("x", 6), ("y", 1)]
    first = corpus.documents[0]
    assert dict(zip(first.entity_names, first.entities, strict=True)) == {
        "1": [(0, 1), (3, 4)],
        "2": [(1, 2)],
        "3": [(4, 6)],
    }
    assert [first.line_of((token, 0)) for token in range(6)] == [2, 3, 9, 10, 11, 12]
    assert codes(corpus) == []


def test_a_mention_does_not_reach_from_one_document_into_its_continuation(file):
    from corefmeter import DataError

    text = "#begin document x\nit (1\n#end document\n#begin document x\nis 1)\n#end document\n"
    with pytest.raises(DataError) as caught:
        read(file(text), documents="concatenate")
    assert [(p.code, p.line) for p in caught.value.problems] == [
        ("unclosed-mention", 2),
        ("close-without-open", 5),
    ]


@pytest.mark.parametrize("empty", [1, 3_000])
def test_empty_lines_are_no_tokens_however_many_there_are(file, empty):
    corpus = read(file(document("the\t(1\ndog\t1)" + "\n" * (1 + empty) + "it\t(1)")))
    assert entities(corpus) == {"1": [(0, 2), (2, 3)]}
    assert corpus.documents[0].tokens == 3


def test_a_token_may_begin_with_a_sign_if_its_document_does(file):
    """Spaces separate five columns, of which the first is the name of the document."""
    lines = "#x 0 0 the (1\n#x 0 1 dog 1)\n#x 0 2 it (1)"
    path = file(f"#begin document (#x); part 000\n{lines}\n#end document\n")
    assert entities(read(path)) == {"1": [(0, 2), (2, 3)]}
