"""CoNLL-U with CorefUD annotation: what is read, what is refused and where, what is written.

Lines and columns count from 1; a column counts characters. Tokens count from 0; spans are
half-open.
"""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corefmeter import Corpus, DataError, Document, read, score
from corefmeter.corpus.relations import Bridge, Relations, Split
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats import conll, conllu
from corefmeter.formats.conllu_write import _Runs, node_name
from corefmeter.formats.conversion import convert_corpus

HEADER = "# newdoc id = story\n# global.Entity = eid-etype-head-other\n"


def row(id: str, misc: str = "_", form: str = "w", head: str = "_", deps: str = "_") -> str:
    return "\t".join([id, form, "_", "_", "_", "_", head, "_", deps, misc]) + "\n"


def sentence(*cells: str) -> str:
    """Words 1, 2, ... with an annotation each; ``_`` for none."""
    return "".join(
        row(str(number), "_" if cell == "_" else f"Entity={cell}")
        for number, cell in enumerate(cells, 1)
    ) + "\n"  # fmt: skip


def entities(path: str) -> dict[str, list]:
    """The mentions by entity of the only document, and that details change nothing about them."""
    (document,), (detailed,) = read(path), read(path, details=True)
    assert document.entities == detailed.entities
    assert document.entity_names == detailed.entity_names
    assert document.tokens == detailed.tokens == len(detailed.text)
    return dict(zip(document.entity_names, document.entities, strict=True))


def details(path: str) -> dict[str, list[Detail]]:
    (document,) = read(path, details=True)
    return dict(zip(document.entity_names, document.details, strict=True))


def errors(path: str, **options) -> list[tuple[str, int | None, int | None]]:
    """Codes and places of all errors, which are the same with details."""
    with pytest.raises(DataError) as caught:
        read(path, **options)
    with pytest.raises(DataError) as again:
        read(path, details=True, **options)
    assert [p[:6] for p in caught.value.problems] == [p[:6] for p in again.value.problems]
    return [(problem.code, problem.line, problem.column) for problem in caught.value.problems]


def error(path: str):
    with pytest.raises(DataError) as caught:
        read(path)
    (problem,) = caught.value.problems
    return problem


# What is read


def test_an_ordinary_file(file):
    path = file(
        HEADER
        + "# sent_id = story-1\n# text = The old man came\n"
        + sentence("(e1-person-3-", "_", "e1)", "_")
        + "# sent_id = story-2\n"
        + sentence("(e1-person-1-)", "(e2-place-2-", "e2)")
    )
    assert entities(path) == {"e1": [(0, 3), (4, 5)], "e2": [(5, 7)]}
    (document,) = read(path)
    assert (document.name, document.part, document.tokens) == ("story", None, 7)
    assert read(path).format == "conllu"


def test_closing_and_opening_on_one_word(file):
    path = file(HEADER + sentence("(e1-x-1-", "e1)(e2-x-1-", "e2)"))
    assert entities(path) == {"e1": [(0, 2)], "e2": [(1, 3)]}


def test_a_word_may_close_open_and_be_a_mention_in_any_order(file):
    path = file(
        HEADER + sentence("(e1-x-1-(e2-x-1-", "e2)(e3-x-1-)e1)", "(e1-x-1-)(e4-x-1-", "e4)")
    )
    assert entities(path) == {
        "e1": [(0, 2), (2, 3)], "e2": [(0, 2)], "e3": [(1, 2)], "e4": [(2, 4)]
    }  # fmt: skip


def test_mentions_of_one_entity_nest(file):
    """The longer one is opened first, and is closed last."""
    path = file(HEADER + sentence("(e1-x-3-(e1-x-1-", "e1)", "e1)"))
    assert entities(path) == {"e1": [(0, 2), (0, 3)]}
    assert [detail.head for detail in details(path)["e1"]] == [0, 2]


def test_mentions_of_different_entities_may_cross(file):
    path = file(HEADER + sentence("(e1-x-1-", "(e2-x-1-", "e1)", "e2)"))
    assert entities(path) == {"e1": [(0, 3)], "e2": [(1, 4)]}


def test_a_discontinuous_mention_with_its_head_in_the_second_part(file):
    path = file(HEADER + sentence("(e1[1/2]-x-3-", "e1[1/2])", "_", "(e1[2/2]-x-3-", "e1[2/2])"))
    assert entities(path) == {"e1": [((0, 2), (3, 5))]}
    assert details(path)["e1"][0].head == 3


def test_a_discontinuous_mention_of_single_words(file):
    path = file(HEADER + sentence("(e1[1/3]--2-)", "_", "(e1[2/3]-)", "(e2--1)", "(e1[3/3])"))
    assert entities(path) == {"e1": [((0, 1), (2, 3), (4, 5))], "e2": [(3, 4)]}
    assert details(path)["e1"][0].head == 2


def test_parts_that_touch_are_one_run(file):
    """A mention is the set of its words: this one is equal to one without parts."""
    path = file(HEADER + sentence("(e1[1/2]--1-", "e1[1/2])", "(e1[2/2]--1-)"))
    assert entities(path) == {"e1": [(0, 3)]}


def test_two_mentions_with_gaps_at_once(file):
    path = file(HEADER + sentence(
        "(e1[1/2]--1-)(e2[1/2]--1-)", "_", "(e1[2/2]--1-(e2[2/2]--1-", "e1[2/2])", "e2[2/2])"
    ))  # fmt: skip
    assert entities(path) == {"e1": [((0, 1), (2, 4))], "e2": [((0, 1), (2, 5))]}


def zeros(*rows: str) -> str:
    return HEADER + "".join(rows) + "\n"


def test_two_zeros_between_the_same_words(file):
    path = file(zeros(
        row("1"), row("1.1", "Entity=(e1-x-1-)"), row("1.2", "Entity=(e2-x-1-)"), row("2"),
    ))  # fmt: skip
    assert entities(path) == {"e1": [((1, 1, 1),)], "e2": [((1, 1, 2),)]}
    assert details(path)["e2"][0].head == (1, 1, 2)


def test_ids_of_empty_nodes_are_pairs_of_numbers(file):
    """3.10 is not 3.1, and comes after 3.9."""
    tenth = [row(f"1.{number}") for number in range(1, 10)]
    path = file(zeros(row("1", "Entity=(e1--1-)"), *tenth, row("1.10", "Entity=(e1--1-)")))
    assert entities(path) == {"e1": [(0, 1), ((1, 1, 10),)]}
    other = file(zeros(row("1", "Entity=(e1--1-)"), row("1.1", "Entity=(e1--1-)")), "b.conllu")
    assert score(path, other).mentions.recall == 1 / 2


def test_an_empty_node_inside_a_bracket_belongs_to_the_mention(file):
    path = file(zeros(
        row("1", "Entity=(e1-x-2-"), row("1.1"), row("2", "Entity=e1)"), row("2.1"), row("3")
    ))  # fmt: skip
    assert entities(path) == {"e1": [((0, 1), (1, 1, 1), (1, 2))]}
    assert details(path)["e1"][0].head == (1, 1, 1)


def test_a_bracket_may_open_and_close_at_empty_nodes(file):
    path = file(zeros(
        row("0.1", "Entity=(e1-x-3-"), row("1"), row("2"), row("2.1", "Entity=e1)"), row("2.2")
    ))  # fmt: skip
    first = (0, 0, 1, True)
    assert entities(path) == {"e1": [(first, (0, 2), (2, 2, 1))]}
    assert details(path)["e1"][0].head == 1


def test_the_end_of_a_sentence_is_not_the_beginning_of_the_next(file):
    """Node 1.1 of the first sentence and 0.1 of the second stand before the same token."""
    path = file(
        HEADER + row("1") + row("1.1", "Entity=(e1--1-)") + "\n"
        + row("0.1", "Entity=(e2--1-)") + row("1") + "\n"
    )  # fmt: skip
    one, two = entities(path).values()
    assert one == [((1, 1, 1),)]
    assert two == [((1, 1, 1, True),)]
    assert node_name(one[0][0], 0) == "1.1"
    assert node_name(two[0][0], 1) == "0.1"


def test_a_multiword_token_is_no_word(file):
    path = file(zeros(
        row("1", "Entity=(e1-x-1-"), row("2-3"), row("2"), row("3", "Entity=e1)"), row("4-5"),
        row("4"), row("5", "Entity=(e1--1-)"),
    ))  # fmt: skip
    assert entities(path) == {"e1": [(0, 3), (4, 5)]}


def test_the_old_header_with_ids_of_documents(file):
    header = "# global.Entity = GRP-etype-infstat-salience-centering-minspan-link-identity\n"
    path = file(
        f"# newdoc id = a\n{header}" + sentence("(1-person-new-n-cf1-2-coref-Bob", "1)")
        + "# newdoc id = b\n" + sentence("(1-place-giv:act-n-cf1-1-coref)", "_")
    )  # fmt: skip
    one, two = read(path, details=True)
    assert (one.entity_names, one.entities) == (["1"], [[(0, 2)]])
    assert (two.entity_names, two.entities) == (["1"], [[(0, 1)]])
    detail = one.details[0][0]
    assert (detail.entity_type, detail.head) == ("person", 0)
    assert detail.attributes == {
        "infstat": "new", "salience": "n", "centering": "cf1", "minspan": "2", "link": "coref",
        "identity": "Bob",
    }  # fmt: skip
    assert two.details[0][0].attributes["infstat"] == "giv:act"


def test_the_oldest_header_and_closing_brackets_that_repeat_the_fields(file):
    path = file(
        "# newdoc id = a\n# global.Entity = entity-GRP-infstat\n"
        + sentence("(abstract-7-new(person-3-giv)", "abstract-7)")
    )
    assert entities(path) == {"7": [(0, 2)], "3": [(0, 1)]}
    assert details(path)["7"][0].entity_type == "abstract"


def test_fields_at_the_end_may_be_missing_and_others_empty(file):
    path = file(HEADER + sentence("(e1)", "(e2-person", "e2)", "(e3--2", "e3)"))
    assert entities(path) == {"e1": [(0, 1)], "e2": [(1, 3)], "e3": [(3, 5)]}
    found = details(path)
    assert [found[name][0].entity_type for name in ("e1", "e2", "e3")] == [None, "person", None]
    assert [found[name][0].head for name in ("e1", "e2", "e3")] == [0, 1, 4]


def test_other_fields_are_attributes(file):
    path = file(HEADER + sentence("(e1-person-1-infstat:giv:act,link:coref,flag)"))
    assert details(path)["e1"][0].attributes == {"infstat": "giv:act", "link": "coref", "flag": ""}


def test_bridging_and_split_antecedents_are_kept_and_not_scored(file):
    content = (
        HEADER
        + row("1", "Entity=(e1-x-1-)(e2-x-1-)")
        + row("2", "Bridge=e1<e5:part,e2<e5|Entity=(e5-x-2-(e9-x-1-)|SplitAnte=e1<e9,e2<e9")
        + row("3", "Entity=e5)|SpaceAfter=No")
        + "\n"
    )
    path = file(content)
    (document,) = read(path, details=True)
    assert document.relations == Relations(
        (Split("e9", ("e1", "e2")),),
        (Bridge((1, 3), None, "e1", "part"), Bridge((1, 3), None, "e2")),
    )
    assert read(path, details=True).problems == []
    assert all(not detail.attributes for entity in document.details for detail in entity)
    (plain,) = read(path)
    assert plain.relations is None
    assert plain.related == document.related == {"split": 1, "bridging": 2}
    without = file(content.replace("Bridge=e1<e5:part,e2<e5|", ""), "b.conllu")
    assert score(path, without).mentions.f1 == 1


def test_a_link_belongs_to_the_last_mention_of_its_entity(file):
    path = file(
        HEADER + row("1", "Entity=(e1--1-)") + row("2", "Entity=(e5--1-)")
        + row("3", "Bridge=e1<e5|Entity=(e5--1-)|Split=e1<e5") + "\n"
    )  # fmt: skip
    (document,) = read(path, details=True)
    assert document.relations == Relations((Split("e5", ("e1",)),), (Bridge((2, 3), None, "e1"),))


@pytest.mark.parametrize("link", ["e1", "e1<e1", "e1<e7", "<e2"])
def test_a_link_that_leads_nowhere_is_left_out_with_a_warning(file, link):
    path = file(HEADER + row("1", f"Bridge={link}|Entity=(e1--1-)(e2--1-)") + "\n")
    (problem,) = read(path, details=True).problems
    assert (problem.code, problem.severity) == ("bad-link", "warning")
    assert (problem.line, problem.column) == (3, 26)
    assert read(path, details=True).documents[0].relations == Relations()


def test_an_entity_may_come_after_a_link_to_it(file):
    path = file(HEADER + row("1", "Bridge=e2<e1|Entity=(e1--1-)") + row("2", "Entity=(e2--1-)")
                + "\n")  # fmt: skip
    (document,) = read(path, details=True)
    assert document.relations.bridges == (Bridge((0, 1), None, "e2"),)


def test_links_without_brackets_on_their_word_are_of_the_mention_before(file):
    path = file(HEADER + row("1", "Entity=(e1--1-)(e2--1-)") + row("2", "Bridge=e1<e2")
                + row("3", "SplitAnte=e1<e2") + "\n")  # fmt: skip
    (document,) = read(path, details=True)
    assert document.relations == Relations((Split("e2", ("e1",)),), (Bridge((0, 1), None, "e1"),))
    assert read(path).documents[0].related == document.related


@pytest.mark.parametrize(
    ("links", "lines", "splits"),
    [
        (["e9<e1", "e9<e2,e1<e2"], [3, 4], (Split("e2", ("e1",)),)),  # there is no e9
        (["e2<e1", "e1<e2", "e1<e3"], [3, 4], (Split("e3", ("e1",)),)),  # a circle, and e3
        (["e3<e1", "e1<e2", "e2<e3"], [3, 4, 5], ()),
    ],
)
def test_a_split_antecedent_that_cannot_be_is_left_out_with_a_warning(file, links, lines, splits):
    """Those of other entities stay; a bridge to an entity that there is not goes too."""
    words = [
        row(
            str(n), f"Entity=(e{n}--1-)" + (f"|SplitAnte={links[n - 1]}" if n <= len(links) else "")
        )
        for n in (1, 2, 3)
    ]
    found = read(file(HEADER + "".join(words) + "\n"), details=True)
    assert [(p.code, p.severity, p.line) for p in found.problems] == [
        ("bad-link", "warning", line) for line in lines
    ]
    assert found.documents[0].relations.splits == splits


def test_links_of_a_document_that_goes_on(file):
    """The second half has e5 again, with a member of the first half, and a bridge there."""
    half = "# newdoc id = x\n"
    path = file(
        "# global.Entity = eid-etype-head-other\n" + half + row("1", "Entity=(e1--1-)")
        + row("2", "Entity=(e2--1-)") + row("3", "Entity=(e5--1-)|SplitAnte=e1<e5") + "\n" + half
        + row("1", "Bridge=e1<e5|Entity=(e5--1-)|SplitAnte=e2<e5") + "\n"
    )  # fmt: skip
    (document,) = read(path, details=True, documents="concatenate")
    assert document.relations == Relations(
        (Split("e5", ("e1", "e2")),), (Bridge((3, 4), None, "e1"),)
    )
    (plain,) = read(path, documents="concatenate")
    # Each half has a plural entity; that they are the same is known only from reading.
    assert plain.related == {"split": 2, "bridging": 1}


def test_the_dependencies_of_a_zero(file):
    path = file(zeros(
        row("1"), row("1.1", deps="3.2:obj"),
        row("1.2", "Entity=(e1--1-)", deps="2:nsubj|1.1:conj:and|0:root"), row("2"),
    ))  # fmt: skip
    assert details(path)["e1"][0].attributes["deps"] == (
        (1, "nsubj"), ((1, 1, 1), "conj:and"), (-1, "root")
    )  # fmt: skip


def test_a_zero_may_depend_on_empty_nodes_of_its_sentence(file):
    """Two words come before the sentence: 2.1 is before word 4 of the text, 0.1 before word 2."""
    path = file(
        zeros(
            row("1"),
            row("2"),
            "\n",
            row("0.1"),
            row("1"),
            row("2"),
            row("2.1"),
            row("2.2", "Entity=(e1--1-)", deps="2.1:nsubj|0.1:dep|1:obj|0:root"),
        )
    )
    assert details(path)["e1"][0].attributes["deps"] == (
        ((4, 4, 1), "nsubj"),
        ((2, 2, 1, True), "dep"),
        (2, "obj"),
        (-1, "root"),
    )


@pytest.mark.parametrize(
    ("ids", "heads"),
    [
        ([["0", "1", "1"]], [-1, 0, 0]),  # dependents of the first token, which is number 0
        ([["2", "0"], ["0", "1"]], [1, -1, -1, 2]),
        ([["0"], ["0", "1"]], [-1, -1, 1]),
        ([["2", "3", "0"]], [1, 2, -1]),
    ],
)
def test_heads_are_tokens_of_the_document_and_written_as_they_were(file, ids, heads):
    body = "\n".join(
        "".join(row(str(n), head=head) for n, head in enumerate(sentence, 1)) for sentence in ids
    )
    (document,) = read(file(HEADER + body + "\n"), details=True)
    assert document.text.heads == heads
    lines, problems = written(document)
    found = [line.split("\t")[6] for line in lines.splitlines() if "\t" in line]
    assert (found, problems) == ([head for sentence in ids for head in sentence], [])


def test_the_words_and_their_annotation(file):
    columns = [
        "1\tAnn\tAnn\tPROPN\tNNP\t_\t2\tnsubj\t_\tEntity=(e1--1-)\n",
        "2\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_\n",
    ]
    path = file(
        HEADER + "# speaker = Bob\n" + "".join(columns) + "\n" + columns[0].replace("nsubj", "dep")
        + "2\t人\t_\tX\tX\t_\t1\tdep\t_\tSpaceAfter=No\n\n"
    )  # fmt: skip
    (document,) = read(path, details=True)
    text = document.text
    assert text.words == ["Ann", "saw", "Ann", "人"]
    assert text.sentences == [0, 2]
    assert (text.upos, text.pos) == (["PROPN", "VERB", "PROPN", "X"], ["NNP", "VBD", "NNP", "X"])
    assert (text.heads, text.relations) == ([1, -1, 3, 2], ["nsubj", "root", "dep", "dep"])
    assert text.speakers == ["Bob", "Bob", "-", "-"]
    assert text.lines == [4, 5, 7, 8]
    assert [document.line_at(token) for token in range(4)] == text.lines


def test_columns_without_anything_are_missing(file):
    (document,) = read(file(HEADER + sentence("(e1--1-)", "_")), details=True)
    text = document.text
    assert (text.pos, text.upos, text.heads, text.relations, text.speakers) == (None,) * 5


def test_lines_are_found_behind_comments_empty_nodes_and_multiword_tokens(file):
    path = file(
        HEADER + row("1-2") + row("1") + row("2") + row("2.1") + row("3")
        + "\n\n# sent_id = 2\n" + row("1") + "\n"
    )  # fmt: skip
    for document in (*read(path), *read(path, details=True)):
        assert [document.line_at(token) for token in range(4)] == [4, 5, 7, 11]


def test_windows_line_ends_and_no_end_of_the_last_line(file):
    text = HEADER + sentence("(e1-x-2-", "e1)", "_", "(e2-x-1-)")
    assert entities(file(text.replace("\n", "\r\n"))) == entities(file(text.rstrip("\n"), "b"))
    assert entities(file(text)) == {"e1": [(0, 2)], "e2": [(3, 4)]}


def test_a_long_sentence(file):
    path = file(HEADER + sentence(*["_"] * 1500, "(e1-x-1-)"))
    assert entities(path) == {"e1": [(1500, 1501)]}


def test_a_file_larger_than_the_blocks_it_is_read_in(file):
    path = file(HEADER + sentence("(e1-x-2-", "e1)", *["_"] * 60) * 300)
    assert [len(mentions) for mentions in entities(path).values()] == [300]
    assert entities(path)["e1"][-1] == (299 * 62, 299 * 62 + 2)


def test_documents_without_a_name_are_numbered(file):
    for text in (sentence("_"), "# newdoc\n" + sentence("_")):
        corpus = read(file(text))
        (document,) = corpus
        assert (document.name, document.numbered, document.tokens) == ("document 1", True, 1)
        assert "unnamed-document" in [problem.code for problem in corpus.problems]
    assert document.line_at(0) == 2


def test_one_span_in_two_entities_is_two_mentions(file):
    assert entities(file(HEADER + sentence("(e1--1-)(e2--1-)"))) == {"e1": [(0, 1)], "e2": [(0, 1)]}


def test_documents_of_one_name_can_be_joined(file):
    again = "# newdoc id = story\n" + row("1", deps="_") + row("1.1", "Entity=(e1--1-)") + "\n"
    path = file(HEADER + sentence("(e1--1-)", "(e2--1-)") + again)
    for corpus in (
        read(path, documents="concatenate"),
        read(path, documents="concatenate", details=True),
    ):
        (document,) = corpus
        assert document.tokens == 3
        assert document.entities == [[(0, 1), ((3, 3, 1),)], [(1, 2)]]
    assert len(document.text) == 3
    assert document.text.sentences == [0, 2]
    assert [detail.head for detail in document.details[0]] == [0, (3, 3, 1)]
    assert errors(path) == [("repeated-document", 6, None)]


# What is refused


def test_annotation_without_header(file):
    problem = error(file("# newdoc id = a\n" + sentence("(e1-x-1-)", "(e2-x-1-)")))
    assert (problem.code, problem.line) == ("missing-header", 2)
    assert "global.Entity" in problem.hint


def test_a_header_that_names_no_entity(file):
    path = file("# newdoc id = a\n# global.Entity = etype-head\n" + sentence("_"))
    assert errors(path) == [("bad-header", 2, None)]


@pytest.mark.parametrize(
    ("cells", "line", "column"),
    [
        (["(e1-x-3-", "e1)"], 3, 26),
        (["_", "(e1-x-2-)"], 4, 26),
        (["(e2--1-)(e1-x-9-)"], 3, 34),
        (["(e1[1/2]--3-)", "_", "(e1[2/2]--3-)"], 3, 26),
    ],
)
def test_a_head_beyond_the_mention(file, cells, line, column):
    path = file(HEADER + sentence(*cells))
    assert errors(path) == [("bad-head", line, column)]
    assert "the head of this mention of entity e1 is word" in error(path).message


@pytest.mark.parametrize("head", ["0", "x", "1.5", "-", "²"])
def test_a_head_that_is_no_number(file, head):
    header = HEADER.replace("etype-head-other", "etype-head")
    assert errors(file(header + sentence(f"(e1-x-{head})"))) == [("bad-head", 3, 26)]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["e1[2/3])"], ("close-without-open", 3, 26)),
        (["(e1[2/3]--1-)"], ("bad-part", 3, 26)),
        (["(e1[1/3]--1-)", "(e1[3/3]--1-)"], ("bad-part", 4, 26)),
        (["(e1[1/2]--1-)", "(e1[2/3]--1-)"], ("bad-part", 4, 26)),
        (["(e1[2/1]--1-)"], ("bad-part", 3, 26)),
        (["(e1[1]--1-)"], ("bad-part", 3, 26)),
        (["(e1[a/2]--1-)"], ("bad-part", 3, 26)),
        (["(e1]--1-)"], ("bad-part", 3, 26)),
        (["(e1[1/2]--1-)", "_"], ("bad-part", 3, 26)),
    ],
)
def test_parts_that_are_missing_or_out_of_order(file, cells, expected):
    assert expected in errors(file(HEADER + sentence(*cells)))


@pytest.mark.parametrize(
    "cells",
    [["(e1[1/1]--1-)"], ["(e1[1/1]--1-", "e1[1/1])"], ["_", "(e1[1/1]--1-", "_", "e1[1/1])"]],
)
def test_a_mention_of_one_part_is_that_part(file, cells):
    first = next(n for n, cell in enumerate(cells) if cell != "_")
    (document,) = read(file(HEADER + sentence(*cells)))
    assert document.entities == [[(first, len(cells))]]


@pytest.mark.parametrize("cells", [["(e1[1/0]--1-)"], ["(e1[2/1]--1-)"], ["(e1[0/1]--1-)"]])
def test_a_part_beyond_the_number_of_parts(file, cells):
    assert ("bad-part", 3, 26) in errors(file(HEADER + sentence(*cells)))


@pytest.mark.parametrize("before", ["A=b|", "SpaceAfter=No|", "SpaceAfter=No|A=b|Gloss=人|"])
@pytest.mark.parametrize(
    ("attribute", "code", "offset"),
    [
        ("Entity=(e1[2/1]--1-)", "bad-part", 7),
        ("Entity=(e1--1-)e2)", "close-without-open", 15),
        ("Entity=(e1[1/2]--1-)", "bad-part", 7),
    ],
)
def test_the_column_of_an_attribute_counts_those_before_it(file, before, attribute, code, offset):
    """Column 26 is that of a value behind ``Entity=``, so 19 is that of the first attribute."""
    line = sentence("_").replace("\t_\n", f"\t{before}{attribute}\n")
    assert (code, 3, 19 + len(before) + offset) in errors(file(HEADER + line))


def test_a_part_that_stands_twice(file):
    cells = ["(e1[1/2]--1-)", "(e1[2/2]--1-", "(e1[2/2]--1-)", "e1[2/2])"]
    assert ("bad-part", 4, 26) in errors(file(HEADER + sentence(*cells)))


def test_a_mention_that_is_never_closed(file):
    path = file(HEADER + sentence("(e1-x-1-", "e1)", "(e1-x-1-)", "(人-x-1-(e2-x-1-", "_"))
    assert errors(path) == [("unclosed-mention", 6, 26), ("unclosed-mention", 6, 33)]
    with pytest.raises(DataError, match="entity 人 opened here is not closed in its sentence"):
        read(path)


def test_a_mention_that_reaches_over_the_end_of_its_sentence(file):
    path = file(HEADER + sentence("_", "(e1-x-1-") + sentence("_", "e1)"))
    assert errors(path) == [("unclosed-mention", 4, 26), ("close-without-open", 7, 26)]


def test_a_mention_that_is_open_where_the_next_document_begins(file):
    path = file(HEADER + row("1", "Entity=(e1-x-1-") + "# newdoc id = b\n" + sentence("_"))
    assert errors(path) == [("unclosed-mention", 3, 26)]


def test_a_close_without_an_open_tells_what_is_open(file):
    problem = error(path := file(HEADER + sentence("(e1-x-1-", "e2)", "e1)")))
    assert str(problem).splitlines()[0] == (
        f"{path}:4:26: error: entity e2 is closed but was not opened in this sentence; opened "
        "last and still open: e1, on line 3 (document 'story') [close-without-open]"
    )


@pytest.mark.parametrize(
    ("cell", "column"),
    [
        ("e1", 26), ("(e1-x-1-)e2", 35), ("e1)e2", 29), ("((e1-x-1-)", 26), ("()", 26),
        ("(e1-x-1-))", 35), ("(-x-1-)", 26), ("(e2-x-1-(", 34),
    ],
)  # fmt: skip
def test_what_is_no_bracket(file, cell, column):
    found = errors(file(HEADER + sentence(cell)))
    assert {line for _, line, _ in found} == {3}
    assert column in [at for code, _, at in found if code in ("bad-cell", "close-without-open")]


def test_brackets_on_a_multiword_token(file):
    path = file(zeros(row("1-2", "Entity=(e1-x-1-"), row("1"), row("2", "Entity=e1)")))
    assert ("bad-cell", 3, 21) in errors(path)


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([row("2")], 3),
        ([row("1"), row("3"), row("4")], 4),
        ([row("1"), row("1")], 4),
        ([row("1"), row("2.1"), row("2")], 4),
        ([row("1"), row("1.1"), row("1.1"), row("2")], 5),
        ([row("1"), row("1.2"), row("1.1"), row("2")], 5),
        ([row("1"), row("1-2"), row("2")], 4),
        ([row("2-1"), row("1")], 3),
        ([row("a"), row("1")], 3),
        ([row("1.a")], 3),
        ([row("-1")], 3),
    ],
)
def test_ids_out_of_order(file, rows, line):
    """The first of a sentence is reported, since all that follow are wrong by it."""
    assert errors(file(zeros(*rows))) == [("bad-id", line, 1)]


def test_an_id_out_of_order_is_told_with_what_comes_before(file):
    assert "'2' comes at the beginning of a sentence" in error(file(zeros(row("2")))).message
    path = file(zeros(row("1"), row("2"), row("4")))
    assert "'4' comes after word 2" in error(path).message


def test_a_missing_blank_line_is_told(file):
    path = file(HEADER + row("1") + row("2") + row("1") + row("2") + "\n" + sentence("_", "_"))
    problem = error(path)
    assert (problem.code, problem.line) == ("bad-id", 5)
    assert "blank line" in problem.hint


def test_a_sentence_of_empty_nodes_only(file):
    assert errors(file(zeros(row("0.1", "Entity=(e1--1-)")))) == [("bad-id", 4, None)]


@pytest.mark.parametrize(
    "line", ["1\tw\t_\n", "1 w _ _ _ _ _ _ _ _\n", row("1").rstrip() + "\t_\n", "Entity=(e1)\n"]
)
def test_a_line_without_ten_columns(file, line):
    (problem,) = errors(file(HEADER + sentence("_") + line + "\n"))
    assert problem == ("bad-columns", 5, None)


def test_names_and_words_that_are_not_utf8(file):
    path = file((HEADER + sentence("(e1--1-)")).encode().replace(b"e1", b"e\xff"))
    problem = error(path)
    assert (problem.code, problem.line, problem.column) == ("not-text", 3, 26)
    assert "the name of an entity is not UTF-8: e\\xff" in problem.message
    path = file((HEADER + row("1", form="w") + "\n").encode().replace(b"\tw\t", b"\t\xff\t"))
    (document,) = read(path, details=True)
    assert document.text.words == ["\\xff"]
    assert [document.entities] == [plain.entities for plain in read(path)]


def test_all_errors_are_told_at_once(file):
    path = file(HEADER + sentence("(e1-x-5-)", "e2)", "(e3-x-1-") + sentence("(e4[2/2]--1-)"))
    assert errors(path) == [
        ("bad-head", 3, 26), ("close-without-open", 4, 26), ("unclosed-mention", 5, 26),
        ("bad-part", 7, 26),
    ]  # fmt: skip


def test_a_file_without_documents(file):
    path = file("# global.Entity = eid-etype-head-other\n\n")
    assert errors(path) == [("no-document", None, None)]


# Key and response


def fit(file, key: str, response: str, **options):
    """What scoring says that finds the texts to differ, with and without details."""
    found = set()
    for match in ("exact", "head"):
        with pytest.raises(DataError) as caught:
            score(file(HEADER + key, "key"), file(HEADER + response, "response"), match=match)
        found.update(caught.value.problems)
    (problem,) = found
    return problem


def test_a_surplus_sentence(file):
    problem = fit(file, sentence("_", "_"), sentence("_", "_") + "# text = x\n" + sentence("_"))
    assert (problem.code, problem.line) == ("sentence-count", 7)
    assert problem.path.endswith("response")
    assert "2 sentences in the response but 1 in the key" in problem.message


def test_a_surplus_word_names_the_first_sentence_that_differs(file):
    key = sentence("_", "_") + sentence("_", "_", "_") + sentence("_")
    problem = fit(file, key, sentence("_", "_") + sentence("_", "_") + sentence("_"))
    assert (problem.code, problem.line) == ("token-count", 8)
    assert problem.path.endswith("key")
    assert problem.document == "story"
    assert "sentence 2 has 2 words in the response but 3" in problem.message


def test_sentences_that_end_elsewhere_are_found_when_details_are_read(file):
    key, response = sentence("_", "_") + sentence("_"), sentence("_") + sentence("_", "_")
    paths = file(HEADER + key, "key"), file(HEADER + response, "response")
    assert score(*paths)  # positions count in the document, so the scores are right
    with pytest.raises(DataError, match=r"sentence 1 has 1 word in .*'story'"):
        score(*paths, match="head")


def test_tokens_that_differ(file):
    """Case 20 of the field: one side splits a word that the other does not."""
    words = ["Don't", "Ann", "saw", "her", "dog", "."]
    split = ["Do", "n't", *words[1:]]
    key, response = (
        HEADER + "".join(row(str(n), form=form) for n, form in enumerate(forms, 1)) + "\n"
        for forms in (words, split)
    )
    with pytest.raises(DataError) as caught:
        score(file(key, "key"), file(response, "response"))
    (problem,) = caught.value.problems
    assert problem.code == "token-count"
    assert problem.line == 9
    assert "has 7 words in the response but 6 in the key" in problem.message


def test_strict_compares_the_words(file):
    key, response = (HEADER + row("1", form=form) + row("2") + "\n" for form in ("saw", "sees"))
    paths = file(key, "key"), file(response, "response")
    assert score(*paths).documents == 1
    with pytest.raises(DataError, match="the word 'sees' is 'saw' in the key"):
        score(*paths, strict=True)
    assert score(paths[0], paths[0], strict=True).documents == 1


# Which files are read so


@pytest.mark.parametrize(
    "head",
    [
        HEADER, "# sent_id = 1\n# text = x\n" + sentence("_"), sentence("_"), row("1-2"),
        row("0.1"), "#newdoc\n", "\n\n# newdoc id = x\n",
        (HEADER + sentence("_")).replace("\n", "\r\n"),
    ],
)  # fmt: skip
def test_what_is_recognised(head):
    assert conllu.sniff(head.encode(), "a.conllu")
    assert not conll.sniff(head.encode(), "a.conllu")


@pytest.mark.parametrize(
    "head",
    [
        "", "1\tw\n", "#begin document (x); part 000\nx\t0\t0\tw\t-\n", '{"clusters": []}\n',
        "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY\n"
        "# newdoc id = x\n",
    ],
)  # fmt: skip
def test_what_is_not(head):
    assert not conllu.sniff(head.encode(), "a.txt")


def test_a_header_that_lists_the_ten_columns_is_recognised():
    columns = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n"
    assert conllu.sniff((columns + HEADER).encode())


# Writing


def written(*documents: Document) -> tuple[str, list[str]]:
    stream = io.StringIO()
    problems = conllu.write(Corpus(list(documents)), stream)
    assert {problem.code for problem in problems} <= {"cannot-write", "mention-unwritten"}
    return stream.getvalue(), [problem.message for problem in problems]


def annotations(text: str) -> list[str]:
    """The last column of each line of columns."""
    return [line.split("\t")[-1] for line in text.splitlines() if "\t" in line]


def test_a_document_as_it_is_written():
    text = Text(["Ann", "saw", "her", "dog"], upos=["PROPN", "VERB", "PRON", "NOUN"],
                sentences=[0], heads=[1, -1, 3, 1])  # fmt: skip
    document = Document(
        "a", [[(0, 1), (2, 3)], [(2, 4)]], tokens=4, entity_names=["e1", "e2"], text=text,
        details=[
            [Detail(head=0, entity_type="person", attributes={"infstat": "new"}), Detail(head=2)],
            [Detail(head=3)],
        ],
        relations=Relations((Split("e2", ("e1",)),), (Bridge((2, 4), None, "e1", "part"),)),
    )  # fmt: skip
    assert written(document) == (
        "# newdoc id = a\n"
        "# global.Entity = eid-etype-head-other\n"
        "# sent_id = a-1\n"
        "1\tAnn\t_\tPROPN\t_\t_\t2\t_\t_\tEntity=(e1-person-1-infstat:new)\n"
        "2\tsaw\t_\tVERB\t_\t_\t0\t_\t_\t_\n"
        "3\ther\t_\tPRON\t_\t_\t4\t_\t_\t"
        "Bridge=e1<e2:part|Entity=(e2--2-(e1--1-)|SplitAnte=e1<e2\n"
        "4\tdog\t_\tNOUN\t_\t_\t2\t_\t_\tEntity=e2)\n"
        "\n",
        [],
    )


def test_closes_come_before_opens_and_longer_mentions_are_opened_first():
    entities = [[(0, 2), (1, 4)], [(1, 3), (1, 2)]]
    text, problems = written(Document("a", entities, tokens=4, entity_names=["x", "y"]))
    assert annotations(text) == [
        "Entity=(x--1-",
        "Entity=x)(x--1-(y--1-(y--1-)",
        "Entity=y)",
        "Entity=x)",
    ]
    assert problems == []


def test_gaps_and_empty_nodes_are_written():
    entities = [[((0, 1), (2, 2, 1), (3, 4))], [(1, 3)]]
    text, problems = written(Document("a", entities, tokens=4, entity_names=["x", "y"]))
    lines = [line.split("\t")[0] for line in text.splitlines() if "\t" in line]
    assert lines == ["1", "2", "2.1", "3", "4"]
    assert annotations(text) == [
        "Entity=(x[1/3]--1-)", "Entity=(y[1/2]--1-)", "Entity=(x[2/3]--1-)", "Entity=(y[2/2]--1-)",
        "Entity=(x[3/3]--1-)",
    ]  # fmt: skip
    assert problems == []


@pytest.mark.parametrize(
    ("entities", "reason"),
    [
        ([[(0, 3), (1, 4)]], "the mention (1, 4) of entity x crosses another"),
        ([["Ann"]], "the mention 'Ann' of entity x is not made of words"),
        ([[(2, 2)]], "is not made of words of the text"),
        ([[((0, 0, 1),)]], "is not made of words of the text"),
        ([[((0, 1), (2, 3)), ((1, 2), (3, 4))]], "crosses another"),
    ],
)
def test_a_mention_that_cannot_be_written_is_left_out_and_told(entities, reason):
    _, problems = written(Document("a", entities, tokens=4, entity_names=["x"]))
    assert [reason in problem for problem in problems] == [True]
    assert problems[0].endswith("it is left out")


def test_a_mention_over_two_sentences_is_left_out_and_told():
    text = Text(list("abcd"), sentences=[0, 2])
    _, problems = written(Document("a", [[(1, 3)]], tokens=4, entity_names=["x"], text=text))
    assert problems == [
        "the mention (1, 3) of entity x reaches over the end of a sentence; it is left out"
    ]


def test_names_that_brackets_cannot_hold_are_replaced():
    document = Document(
        "a\nb", [[(0, 1)], [(1, 2)], [(2, 3)]], part=2, tokens=3, entity_names=["a-b", "e1", "e1"]
    )
    text, _ = written(document)
    assert "# newdoc id = a b_part_002\n" in text
    assert annotations(text) == ["Entity=(e2--1-)", "Entity=(e1--1-)", "Entity=(e3--1-)"]


def test_names_of_links_follow_those_of_their_entities():
    """And the entity of a mention that is an anchor is found."""
    document = Document(
        "a", [[(0, 1)], [(1, 2)], [(2, 3), (3, 4)]], tokens=4, entity_names=["a-b", "x", "y"],
        relations=Relations(
            (Split("x", ("a-b", "y")),), (Bridge((3, 4), (0, 1), None, "a:b"),)
        ),
    )  # fmt: skip
    text, problems = written(document)
    assert annotations(text) == [
        "Entity=(e1--1-)", "Entity=(x--1-)|SplitAnte=e1<x,y<x", "Entity=(y--1-)",
        "Bridge=e1<y:a:b|Entity=(y--1-)",
    ]  # fmt: skip
    assert problems == [
        "anchors that are mentions cannot be written; only their entity is",
    ]


@pytest.mark.parametrize(
    ("relations", "lost"),
    [
        (Relations((Split("x", ("z",)),)), "the member z of entity x"),
        (Relations((Split("z", ("x",)),)), "the member x of entity z"),
        (Relations((Split("x", ("y",)), Split("x", ("y",)))), "a further set of members of"),
        (Relations(bridges=(Bridge((5, 6), None, "x"),)), "the bridging reference of (5, 6)"),
        (Relations(bridges=(Bridge((0, 2), None, "z"),)), "the bridging reference of (0, 2)"),
        (Relations(bridges=(Bridge((0, 2), (5, 6), None),)), "the bridging reference of (0, 2)"),
        (Relations(bridges=(Bridge((0, 2), None, "x"),)), "the bridging reference of (0, 2)"),
        # Of two mentions of x that begin at the same word, a link is of the shorter one.
        (Relations(bridges=(Bridge((0, 3), None, "y"),)), "the bridging reference of (0, 3)"),
        (Relations(bridges=(Bridge((0, 2), None, "y", "a,b"),)), "the relation 'a,b'"),
    ],
)  # fmt: skip
def test_links_that_cannot_be_written_are_told(file, relations, lost):
    document = Document("a", [[(0, 3), (0, 2)], [(3, 4)]], tokens=4, entity_names=["x", "y"],
                        relations=relations)  # fmt: skip
    text, (problem,) = written(document)
    assert lost in problem
    assert read(file(text), details=True).problems == []


def test_attributes_that_cannot_be_written_are_told():
    detail = Detail(head=7, entity_type="a-b", attributes={"x": "a,b", "y": 3, "z": "fine"})
    text, problems = written(
        Document("a", [[(0, 1)]], tokens=1, entity_names=["e"], details=[[detail]])
    )
    assert annotations(text) == ["Entity=(e--1-z:fine)"]
    assert len(problems) == 4


def test_layers_that_the_format_has_not_are_told():
    text = Text(["a"], parse=["(S*)"], entity_types=[(0, 1, "PER")])
    document = Document("a", [], tokens=1, text=text)
    _, losses = convert_corpus(Corpus([document]), "conllu", hull=False)
    assert [loss.message for loss in losses] == [
        f"the {layer} of 1 document cannot be written in conllu: left out"
        for layer in ("parses", "named entities")
    ]
    assert written(document)[1] == []  # not a second time by the writer


# What other programs ask for


def test_a_sentence_is_named_without_slashes_or_spaces_and_once():
    names = ["bc/x/01", "bc_x_01", "b c", "b/c", "é"]
    stream = io.StringIO()
    text = Text(["a", "b"], sentences=[0, 1])
    conllu.write(Corpus([Document(name, [], tokens=2, text=text) for name in names]), stream)
    found = re.findall("(?m)^# sent_id = (.*)$", stream.getvalue())
    stems = ["bc_x_01", "bc_x_01_2", "b_c", "b_c_2", "é"]
    assert found == [f"{stem}-{number}" for stem in stems for number in (1, 2)]


def heads_written(text: Text) -> tuple[list[str], list]:
    lines, problems = written(Document("a", [], tokens=len(text), text=text))
    rows = [line.split("\t") for line in lines.splitlines() if "\t" in line]
    return [row[6] for row in rows], problems


@pytest.mark.parametrize(
    ("sentences", "heads", "column", "lost"),
    [
        ([0], None, "0 0 0 0", 0),
        ([0], [1, -1, 1, 2], "2 0 2 3", 0),
        ([0, 2], [1, -1, -1, 2], "2 0 0 1", 0),
        ([0], [0, -1, 1, 2], "0 0 0 0", 1),  # a word is its own head
        ([0], [1, 2, 0, -1], "0 0 0 0", 1),  # a circle of three
        ([0], [-1, 0, 3, 2], "0 0 0 0", 1),  # a circle that no root reaches
        ([0], [1, -1, 1, 9], "0 0 0 0", 1),  # beyond the text
        ([0, 2], [1, -1, 1, 2], "2 0 0 0", 1),  # in another sentence
        ([0, 2], [1, 0, 3, 2], "0 0 0 0", 2),
    ],
)
def test_heads_are_numbers_and_trees(sentences, heads, column, lost):
    found, problems = heads_written(Text(list("abcd"), sentences=sentences, heads=heads))
    assert found == column.split()
    assert ["not a tree" in problem for problem in problems] == [True] * bool(lost)


def test_words_without_heads_are_read_without(file):
    """Only roots are no tree, else the first word of each mention would count as its head."""
    lines, _ = written(Document("a", [], tokens=2, text=Text(["a", "b"])))
    assert read(file(lines), details=True).documents[0].text.heads is None
    lines, _ = written(Document("a", [], tokens=2, text=Text(["a", "b"], heads=[-1, 0])))
    assert read(file(lines), details=True).documents[0].text.heads == [-1, 0]


@pytest.mark.parametrize(
    ("mentions", "left_out"),
    [
        ([((0, 2), (5, 7)), (0, 1)], 0),  # within the first part
        ([((0, 2), (5, 7)), (5, 7)], 0),  # the second part
        ([((0, 2), (5, 7)), (3, 4)], 0),  # in the gap
        ([((0, 2), (5, 7)), (0, 8)], 0),  # around both
        ([((0, 3), (5, 7)), (1, 4)], 1),  # across the end of the first part
        ([((0, 2), (5, 8)), (3, 7)], 1),  # across the beginning of the second
        ([((0, 2), (5, 7)), (1, 6)], 0),  # from where one ends to where the other begins
        ([((0, 4), (5, 7)), ((1, 2), (3, 4))], 1),  # a part of one word where the outer one ends
        ([((0, 5), (6, 7)), ((1, 2), (3, 4))], 0),  # with a gap, within a part
        ([((0, 1), (4, 7)), ((4, 5), (6, 7))], 1),
        ([((0, 1), (3, 7)), ((3, 4), (5, 7))], 0),
        ([((0, 1), (2, 3)), ((4, 5), (6, 7))], 0),  # one after the other
        ([((0, 1), (4, 5)), ((2, 3), (6, 7))], 1),  # mixed up
        ([((0, 1), (6, 7)), ((2, 3), (4, 5))], 1),  # in the gap: parts name the entity only
    ],
)
def test_what_of_an_entity_lies_in_a_mention_with_gaps_is_written(file, mentions, left_out):
    document = Document("a", [mentions], tokens=8, entity_names=["x"], text=Text(list("abcdefgh")))
    lines, problems = written(document)
    assert ["crosses another" in problem for problem in problems] == [True] * left_out
    (again,) = read(file(lines), details=True)
    assert len(again.entities[0]) == 2 - left_out
    assert set(again.entities[0]) <= set(mentions)


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 12)), max_size=6))
@settings(max_examples=300)
def test_spans_of_one_entity_are_written_unless_one_ends_within_another(spans):
    """Mentions are added by their first words, the longer first; those that cross are left out."""
    mentions = sorted(
        {(start, start + length) for start, length in spans}, key=lambda m: (m[0], -m[1])
    )
    expected: list[tuple[int, int]] = []
    for start, end in mentions:
        last = end - 1
        if not any(first < start < until - 1 < last for first, until in expected):
            expected.append((start, end))
    runs = _Runs()
    assert [m for m in mentions if runs.add([(m[0], m[1] - 1)])] == expected


def test_a_word_alone_comes_before_closing_brackets_unless_others_open():
    document = Document("a", [[(0, 2), (1, 2)], [(1, 3)]], tokens=3, entity_names=["x", "y"])
    assert annotations(written(document)[0]) == [
        "Entity=(x--1-",
        "Entity=x)(y--1-(x--1-)",
        "Entity=y)",
    ]
    document = Document("a", [[(0, 2), (1, 2)]], tokens=2, entity_names=["x"])
    assert annotations(written(document)[0]) == ["Entity=(x--1-", "Entity=(x--1-)x)"]


def test_an_entity_is_named_in_one_document_only():
    """Its name is unique in the file, and udapi would take the two for one."""
    documents = [
        Document(name, [[(0, 1)], [(1, 2)]], tokens=2, entity_names=names)
        for name, names in [("a", ["x", "e1"]), ("b", ["x", "y"]), ("c", ["e2", "y"])]
    ]
    stream = io.StringIO()
    conllu.write(Corpus(documents), stream)
    assert annotations(stream.getvalue()) == [
        f"Entity=({name}--1-)" for name in ["x", "e1", "e3", "y", "e2", "e4"]
    ]


@pytest.mark.parametrize("name", ["a,b", "a<b", "a:b"])
def test_a_name_that_a_link_would_be_cut_at_is_replaced(name):
    relations = Relations((Split("x", (name, "y")),))
    document = Document(
        "a",
        [[(0, 1)], [(1, 2)], [(2, 3)]],
        tokens=3,
        entity_names=[name, "x", "y"],
        relations=relations,
    )
    assert annotations(written(document)[0])[1] == "Entity=(x--1-)|SplitAnte=e1<x,y<x"


def test_a_node_that_a_zero_depends_on_is_written():
    detail = Detail(head=(1, 1, 2), attributes={"deps": (((1, 1, 1), "nsubj"), (0, "conj"))})
    document = Document("a", [[((1, 1, 2),)]], tokens=2, entity_names=["x"], details=[[detail]])
    lines = [line.split("\t") for line in written(document)[0].splitlines() if "\t" in line]
    assert [(row[0], row[8]) for row in lines] == [
        ("1", "_"),
        ("1.1", "_"),
        ("1.2", "1.1:nsubj|1:conj"),
        ("2", "_"),
    ]


# Written and read again: the same


@st.composite
def positions(draw, nodes: list) -> tuple:
    """Some of the nodes of a sentence, as a mention: mostly one run of them."""
    first = draw(st.integers(0, len(nodes) - 1))
    last = draw(st.integers(first, min(len(nodes) - 1, first + 5)))
    chosen = nodes[first : last + 1]
    if len(chosen) > 2 and draw(st.integers(0, 3)) == 0:
        keep = draw(st.sets(st.integers(1, len(chosen) - 2)))
        chosen = [n for i, n in enumerate(chosen) if i in (0, len(chosen) - 1) or i in keep]
    return chosen


def mention_of(nodes: list) -> tuple:
    """The mention of some nodes: runs of tokens with nothing of the mention between them."""
    found: list[tuple] = []
    for node in nodes:
        if isinstance(node, tuple):
            found.append(node)
        elif found and len(found[-1]) == 2 and found[-1][1] == node:
            found[-1] = (found[-1][0], node + 1)
        else:
            found.append((node, node + 1))
    return found[0] if len(found) == 1 and len(found[0]) == 2 else tuple(found)


IDS = ["e1", "e2", "PER_1", "é", "人", "a+b", "x.y"]
RELATIONS = st.text("abé人_:;.*", max_size=5)
VALUES = st.text("abé人_:;.*", min_size=1, max_size=5)


@st.composite
def documents(draw, name: str) -> Document:
    lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    sentences = [sum(lengths[:i]) for i in range(len(lengths))]
    tokens = sum(lengths)
    by_sentence = []
    for begin, length in zip(sentences, lengths, strict=True):
        nodes: list = []
        for gap in range(length + 1):
            at = begin + gap
            initial = () if gap else (True,)
            empty = draw(st.sampled_from([0, 0, 0, 1, 2]))
            nodes += [(at, at, number, *initial) for number in range(1, empty + 1)]
            if gap < length:
                nodes.append(at)
        by_sentence.append(nodes)
    ids = draw(st.lists(st.sampled_from(IDS), unique=True, max_size=4))
    ids = [f"{id}{name[0]}" for id in ids]  # which occur in one document only
    parents = {
        node: draw(st.sampled_from([-1, *nodes]))
        for nodes in by_sentence for node in nodes if isinstance(node, tuple)
    }  # fmt: skip
    entities, details, bridges = [], [], []
    for _ in ids:
        # At most one mention of an entity in a sentence, so that none cross; crossing is tested
        # above.
        where = draw(st.sets(st.integers(0, len(lengths) - 1), min_size=1))
        mentions, known = [], []
        for number in sorted(where):
            chosen = draw(positions(by_sentence[number]))
            head = draw(st.sampled_from(chosen))
            attributes = draw(st.dictionaries(st.sampled_from(["infstat", "link"]), VALUES))
            if draw(st.booleans()) and len(ids) > 1:
                others = [id for id in ids if id != ids[len(entities)]]
                anchor = draw(st.sampled_from(others))
                bridges.append(Bridge(mention_of(chosen), None, anchor, draw(RELATIONS)))
            if isinstance(head, tuple):
                attributes["deps"] = ((parents[head], "nsubj"),)
            kind = draw(st.sampled_from([None, "person", "x"]))
            mentions.append(mention_of(chosen))
            known.append(Detail(head=head, entity_type=kind, attributes=attributes))
        entities.append(mentions)
        details.append(known)
    text = Text(
        draw(
            st.lists(st.sampled_from(["Ann", "人", "it's", "("]), min_size=tokens, max_size=tokens)
        ),
        sentences=sentences,
        upos=draw(st.sampled_from([None, ["X"] * tokens])),
        relations=draw(st.sampled_from([None, ["dep"] * tokens])),
    )
    # Members come before their plural entity, so that none contains itself.
    splits = [
        Split(id, tuple(members))
        for n, id in enumerate(ids)
        if n and (members := draw(st.lists(st.sampled_from(ids[:n]), unique=True, max_size=3)))
    ]
    return Document(
        name, entities, tokens=tokens, entity_names=ids, details=details, text=text,
        relations=Relations(tuple(splits), tuple(bridges)),
    )  # fmt: skip


def content(document: Document) -> tuple:
    """All that is to come back; mentions of an entity in any order."""
    text = document.text
    known = {
        name: sorted(
            (str(mention), str(d.head), str(d.entity_type), sorted(map(str, d.attributes.items())))
            for mention, d in zip(mentions, details, strict=True)
        )
        for name, mentions, details in zip(
            document.entity_names, document.entities, document.details, strict=True
        )
    }
    return (
        document.name, document.tokens, known, text.words, text.sentences, text.upos,
        text.relations, set(document.relations.splits),
        sorted(map(str, document.relations.bridges)),
    )  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["a", "b c", "人"]), unique=True, min_size=1, max_size=2).flatmap(
    lambda names: st.tuples(*map(documents, names))
))  # fmt: skip
def test_what_is_written_is_read_again(tmp_path, drawn):
    path = tmp_path / "drawn.conllu"
    with open(path, "w", encoding="utf-8", newline="") as stream:
        problems = conllu.write(Corpus(list(drawn)), stream)
    assert problems == []
    again = read(str(path), details=True)
    assert [content(d) for d in again] == [content(d) for d in drawn]
    plain = read(str(path))
    assert [d.entities for d in plain] == [d.entities for d in again]
    assert score(plain, again).mentions.f1 == (1 if any(d.entities for d in drawn) else 0)


# Whatever is in a file, it is read or refused


SAMPLE = (
    HEADER + "# speaker = Ann\n"
    + row("1-2") + row("1", "Entity=(e1-x-2-(e2[1/2]-x-1-)") + row("2", "Entity=e1)|SpaceAfter=No")
    + row("2.1", "Bridge=e1<e3:part|Entity=(e3-x-1-a:b)", deps="1:nsubj|0:root")
    + row("3", "Entity=(e2[2/2]-x-1-)|SplitAnte=e1<e2,e3<e2") + "\n"
    + "# newdoc id = second\n" + row("1", "Entity=(e1--1-)") + row("2") + "\n"
).encode()  # fmt: skip

PIECES = [b"(", b")", b"-", b"[1/2]", b"|", b"\t", b"\n", b"Entity=", b"e1", b"3.1", b"\xff", b"\r",
          b"# newdoc id = x\n", b"0", b"<", b"\n\n", b"_"]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.integers(0, len(SAMPLE)), st.integers(0, 12), st.sampled_from([b"", *PIECES])),
        max_size=5,
    ),
    st.booleans(),
)
def test_a_damaged_file_is_read_or_refused(tmp_path, edits, shuffled):
    damaged = SAMPLE
    if shuffled:
        lines = damaged.split(b"\n")
        damaged = b"\n".join(lines[::2] + lines[1::2])
    for at, length, piece in edits:
        damaged = damaged[:at] + piece + damaged[at + length :]
    path = tmp_path / "damaged.conllu"
    path.write_bytes(damaged)
    outcomes = []
    for details in (False, True):
        try:
            corpus = read(str(path), "conllu", details=details)
            outcomes.append([(d.name, d.entity_names, d.entities, d.tokens) for d in corpus])
        except DataError as refused:
            outcomes.append(refused.problems)
    assert outcomes[0] == outcomes[1]
