"""Coreference in CoNLL-U that is not in brackets: CorefUD 0.x, Stanza, and what is not read."""

from __future__ import annotations

import pytest

from corefmeter import DataError, read, score
from corefmeter.formats import recognised

from .json_files import warned


def sentence(*misc: str | tuple[str, str]) -> str:
    """Words numbered from 1, each with its MISC; an empty node as a pair of id and MISC."""
    rows, number = [], 0
    for cell in misc:
        if isinstance(cell, str):
            number += 1
            id, cell = str(number), cell
        else:
            id, cell = cell
        rows.append(f"{id}\tw{id}" + "\t_" * 7 + f"\t{cell}\n")
    return "".join(rows) + "\n"


def entities(path: str) -> dict:
    (document,) = read(path)
    return dict(zip(document.entity_names, document.entities, strict=True))


DOCUMENT = "# newdoc id = x\n"


def test_corefud_0_writes_a_mention_on_its_head(file):
    path = file(
        DOCUMENT
        + sentence("_", "ClusterId=a-c1|MentionSpan=1-2", "ClusterId=a-c2", "_")
        + sentence("ClusterId=a-c1|MentionSpan=1,3-4", "_", "_", "SpaceAfter=No|ClusterId=a-c2")
    )
    assert entities(path) == {"a-c1": [(0, 2), ((4, 5), (6, 8))], "a-c2": [(2, 3), (7, 8)]}


def test_a_word_may_be_the_head_of_several_mentions(file):
    cell = "ClusterId[1]=b|MentionSpan[1]=1-3|ClusterId[2]=c|MentionSpan[2]=2-3"
    path = file(DOCUMENT + sentence("_", "_", cell) + sentence("ClusterId=b", "ClusterId=c"))
    assert entities(path) == {"b": [(0, 3), (3, 4)], "c": [(1, 3), (4, 5)]}


def test_a_span_holds_the_empty_nodes_within_it(file):
    path = file(
        DOCUMENT
        + sentence(
            "_",
            "ClusterId=a|MentionSpan=1-2.1",
            ("2.1", "ClusterId=b"),
            "ClusterId=b|MentionSpan=3",
        )
    )
    assert entities(path) == {
        "a": [((0, 2), (2, 2, 1))],
        "b": [((2, 2, 1),), (2, 3)],
    }


def test_details_have_heads_types_and_links(file):
    path = file(
        DOCUMENT
        + sentence(
            "_",
            "ClusterId=a|MentionSpan=1-2|ClusterType=person",
            "ClusterId=b|Bridging=a:part",
            "ClusterId=c|SplitAnte=a,b",
        )
    )
    (document,) = read(path, details=True)
    (a,), (b,), _ = document.details
    assert (a.head, a.entity_type, b.head) == (1, "person", 2)
    ((anaphor, anchor, entity, relation),) = document.relations.bridges
    assert (anaphor, anchor, entity, relation) == ((2, 3), None, "a", "part")
    assert (
        document.relations.counts() == next(iter(read(path))).unread == {"split": 1, "bridging": 1}
    )


@pytest.mark.parametrize("span", ["0", "1-5", "3-2", "x", "2.1", "1;2"])
def test_a_span_outside_of_the_sentence_is_an_error(file, span):
    with pytest.raises(DataError) as error:
        read(file(DOCUMENT + sentence("_", f"ClusterId=a|MentionSpan={span}", "_", "_")))
    assert [(p.code, p.line) for p in error.value.problems] == [("bad-span", 3)]


@pytest.mark.parametrize("name", ["coref_chains", "ner"])
def test_the_chains_of_stanza_are_read(file, name):
    path = file(
        sentence(
            f"start_char=0|{name}=start-repr-id0",
            f"{name}=middle-id0,unit-id1",
            f"{name}=end-id0",
            "ner=S-PERSON",
        )
        + sentence(f"{name}=unit-id0", f"{name}=start-id1", f"{name}=end-id1,unit-id2"),
    )
    assert entities(path) == {"0": [(0, 3), (4, 5)], "1": [(1, 2), (5, 7)], "2": [(6, 7)]}
    assert score(path, path, metrics="b3").b3.f1 == 1


@pytest.mark.parametrize(("cells", "code"), [
    (("coref_chains=start-id0", "_"), "unclosed-mention"),
    (("coref_chains=end-id0", "_"), "close-without-open"),
])  # fmt: skip
def test_chains_that_do_not_begin_and_end_in_a_sentence(file, cells, code):
    with pytest.raises(DataError) as error:
        read(file(DOCUMENT + sentence(*cells) + sentence(*cells[::-1])))
    assert [problem.code for problem in error.value.problems] == [code, code]


def test_brackets_beside_chains_are_read_and_the_chains_are_told(file):
    header = "# newdoc id = x\n# global.Entity = eid-etype-head-other\n"
    path = file(header + sentence("Entity=(e1--1)|x=1", "coref_chains=unit-id0", "ClusterId=a"))
    corpus = read(path)
    assert corpus.documents[0].entities == [[(0, 1)]]
    assert warned(corpus) == [("no-coreference", None), ("no-coreference", None)]
    assert "coref_chains" in corpus.problems[0].message
    assert "brackets of Entity" in corpus.problems[0].message


def test_what_looks_like_coreference_and_is_not_read_is_told(file):
    corpus = read(
        file(DOCUMENT + sentence("MyCoref=3", "SpaceAfter=No|MyCoref=3", "SpaceAfter=No"))
    )
    first, second = corpus.problems
    assert (first.code, first.count) == ("no-coreference", 2)
    assert "MyCoref" in first.message
    assert "read as CoNLL-U (CorefUD): 1 document, 3 tokens" in second.message


@pytest.mark.parametrize("cell", ["Coref=unit-id0", "CorefChain=a-id1", "PrevClusterId=c1"])
def test_what_looks_like_a_known_notation_and_is_none_is_told(file, cell):
    corpus = read(file(DOCUMENT + sentence(cell, "_", cell)))
    first, _ = corpus.problems
    assert (first.code, first.count) == ("no-coreference", 2)
    assert cell.partition("=")[0] in first.message


@pytest.mark.parametrize("cell", ["coref_chains=repr-unit-id1", "coref_chains=1", "ClusterId[x]=c"])
def test_a_known_notation_of_another_form_is_told_beside_entities_too(file, cell):
    """The third word is a mention of nothing that is read, so it must not be lost in silence."""
    path = file(DOCUMENT + sentence("coref_chains=unit-id0", "coref_chains=unit-id0", cell))
    corpus = read(path)
    assert corpus.documents[0].entities == [[(0, 1), (1, 2)]]
    (problem,) = corpus.problems
    assert (problem.code, problem.count) == ("no-coreference", 1)
    assert "its value has an unknown form" in problem.message


COLUMNS = ["FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]


def bracketed(column: str, cells: tuple[str, ...] = ("(1", "_", "1)|(2)", "(1)|(2")) -> str:
    """A sentence with these cells in a column."""
    rows = []
    for number, cell in enumerate(cells, 1):
        row = ["w", "_", "_", "_", "_", "0", "_", "_", "_"]
        row[COLUMNS.index(column)] = cell
        rows.append("\t".join([str(number), *row]) + "\n")
    return "".join(rows) + "\n"


@pytest.mark.parametrize("details", [False, True])
@pytest.mark.parametrize("column", COLUMNS)
def test_brackets_of_conll_in_a_column_are_told_with_their_number(file, column, details):
    path = file(DOCUMENT + bracketed(column) + "# newdoc id = y\n" + bracketed(column, ("(7)",)))
    found = {
        problem.count: problem.message
        for problem in read(path, details=details).problems
        if f"column {column} " in problem.message
    }
    if column in ("FORM", "LEMMA"):  # words may look so
        assert found == {}
        return
    ((count, message),) = found.items()  # three cells that open something, and one of the other
    assert count == 4
    assert "look like coreference" in message


def test_brackets_behind_another_value_of_misc_are_told(file):
    path = file(
        DOCUMENT + bracketed("MISC", ("SpaceAfter=No|(1)", "A=b|c|(2", "x|(1)y", "3)|(4)a"))
    )
    (found,) = [p for p in read(path).problems if "column MISC " in p.message]
    assert found.count == 2


def test_brackets_in_a_column_are_not_told_of_a_file_with_entities(file):
    entity = sentence("ClusterId=a")
    for text in (
        DOCUMENT + entity + bracketed("XPOS"),
        DOCUMENT + bracketed("XPOS") + "# newdoc id = y\n" + entity,
        DOCUMENT + entity + "# newdoc id = y\n" + bracketed("XPOS"),
    ):
        assert warned(read(file(text))) == []


def test_cells_that_are_no_brackets_of_conll_are_not_told(file):
    cells = ("(", "1)", "(x)", "(1)a", "-(1", "(1)-", "1")
    (problem,) = read(file(DOCUMENT + bracketed("XPOS", cells))).problems
    assert "no document has a mention" in problem.message


WEBANNO = (
    "#FORMAT=WebAnno TSV 3.2\n#T_SP=webanno.custom.E|v\n"
    "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.E\n#T_SP=a.B|c|d|e|f\n\n\n"
    "#Text=Ann saw her\n"
    + "1-1\t0-3\tAnn\tp[1]\tcoref\t1-3[2_1]\t_\t_\t_\t_\n"
    + "1-2\t4-7\tsaw\t_\t_\t_\t_\t_\t_\t_\n1-3\t8-11\ther\tp[2]\t_\t_\t_\t_\t_\t_\n"
)


@pytest.mark.wings
def test_a_file_that_names_its_format_is_of_that_format(file):
    path = file(WEBANNO, "x.tsv")
    assert recognised(path).name == "webanno"
    assert entities(path) == {"1": [(0, 1), (2, 3)]}
    assert score(path, path, metrics="muc").muc.f1 == 1


def test_a_file_that_holds_lines_but_no_token_is_refused(file):
    with pytest.raises(DataError) as error:
        read(file(WEBANNO), format="conllu")
    assert "no-document" in [problem.code for problem in error.value.problems]
    assert "1-1" in str(error.value)


def test_older_annotation_beside_brackets_is_counted_and_not_read(file):
    header = "# global.Entity = eid-etype-head-other\n"
    path = file(DOCUMENT + header + sentence("Entity=(e1--1)", "ClusterId=a", "ClusterId=b"))
    corpus = read(path)
    assert corpus.documents[0].entities == [[(0, 1)]]
    (problem,) = [one for one in corpus.problems if "ClusterId" in one.message]
    assert (problem.code, problem.count) == ("no-coreference", 2)
