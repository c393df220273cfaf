"""Which response document belongs to which key document, and what is told about the others."""

from __future__ import annotations

import json
import re

import pytest

import corefmeter
from corefmeter import Corpus, DataError, Document, read, score
from corefmeter.corpus.pairing import (
    MentionCounts,
    as_one_document,
    pair_documents,
    with_common_names,
    with_names_of,
)
from corefmeter.corpus.text import Text
from corefmeter.formats.conversion import convert_corpus, write_files
from corefmeter.problems import Problem


def corpus(*documents: Document, path: str = "x.conll") -> Corpus:
    return Corpus(list(documents), path=path)


def named(*names: str, path: str = "x.conll") -> Corpus:
    return corpus(*(Document(name, [[(0, 1)]], path=path, line=7) for name in names), path=path)


def paired(key: Corpus, response: Corpus, policy: str = "official"):
    """Labels of each pair, with whether the sides have mentions; and the codes of the problems."""
    pairs, problems = pair_documents(key, response, policy)
    return (
        [(pair.label, bool(pair.key.entities), bool(pair.response.entities)) for pair in pairs],
        [problem.code for problem in problems],
    )


def test_documents_pair_by_name_in_the_order_of_the_key():
    assert paired(named("a", "b", "c"), named("c", "a", "b")) == (
        [("a", True, True), ("b", True, True), ("c", True, True)],
        [],
    )


#: Names that end as those of parts: some of them, all without a part 0, parts of two documents, and
#: those of one.
ENDINGS = [
    ("letter", "novel_2", "story_1"),
    ("novel_1", "novel_2", "novel_3"),
    ("bc/x_0", "bc/x_1", "bc/y_0"),
    ("test_0", "test_1", "test_2"),
]


def _clusters_of(*names):
    """The documents that are written: in each, two words are one entity, and two are another."""
    for name in names:
        yield name, [["Ann", "Bo", "she", "he"]], [[[0, 0], [2, 2]], [[1, 1], [3, 3]]]


def _json_of(field, *names):
    lines = ({field: name, "sentences": words, "clusters": clusters}
             for name, words, clusters in _clusters_of(*names))  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


def _preco_of(*names):
    lines = (
        {"id": name, "sentences": words,
         "mention_clusters": [[[0, a, b + 1] for a, b in entity] for entity in clusters]}
        for name, words, clusters in _clusters_of(*names)
    )  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


def _conll_of(*names):
    rows = "".join(f"{{0}}\t0\t{n}\t{word}\t({n % 2})\n"
                   for n, word in enumerate(["Ann", "Bo", "she", "he"]))  # fmt: skip
    return "".join(
        f"#begin document ({name});\n{rows.format(name)}#end document\n" for name in names
    )


WRITERS = {
    "doc_key": lambda *names: _json_of("doc_key", *names),
    "doc_id": lambda *names: _json_of("doc_id", *names),
    "preco": _preco_of,
    "header": _conll_of,
    "newdoc": lambda *names: "".join(
        f"# newdoc id = {name}\n# global.Entity = eid-etype-head-other\n"
        + "".join(f"{n + 1}\t{word}\t_\t_\t_\t_\t0\t_\t_\tEntity=(e{n % 2}-p-1-)\n"
                  for n, word in enumerate(["Ann", "Bo", "she", "he"]))
        + "\n"
        for name in names
    ),
}  # fmt: skip


@pytest.mark.parametrize("other", [name for name in WRITERS if name != "doc_key"])
@pytest.mark.parametrize("names", ENDINGS, ids="-".join)
def test_a_name_is_the_same_wherever_it_is_written(names, other, tmp_path):
    """A perfect answer is perfect; where a doc_key was cut it was 2/3, or no name was common."""
    paths = {}
    for way in ("doc_key", other):
        paths[way] = tmp_path / f"{way}.txt"
        paths[way].write_text(WRITERS[way](*names))
    for key, response in (paths.values(), reversed(paths.values())):
        result = score(key, response)
        assert result.conll == 1
        assert len(result.units) == 3
        assert {problem.code for problem in result.problems} <= {"types-left-out"}
    one = tmp_path / "one.txt"  # a part of the file: not the same names show that they are parts
    one.write_text(WRITERS["doc_key"](names[1]))
    result = score(paths[other], one)
    # 4 of 12 mentions, 2 of 6 entities, all right.
    assert result.sums("mentions") == (4, 12, 4, 4)


@pytest.mark.wings
@pytest.mark.parametrize("names", ENDINGS, ids="-".join)
@pytest.mark.parametrize("format", ["conllu", "conllua", "preco", "clusters", "inline", "e2e"])
def test_names_that_end_like_parts_are_kept_by_formats_without_parts(names, format, tmp_path):
    path = tmp_path / "key.jsonl"
    path.write_text(WRITERS["doc_key"](*names))
    corpus, _ = convert_corpus(read(path, details=True), format, hull=False)
    problems = write_files(corpus, format, str(tmp_path / "out"))
    assert not [p for p in problems if "name" in p.message and "document" in p.message]
    written = (tmp_path / "out").read_text()
    assert "part" not in written
    for name in names:
        assert re.search(rf"{name}\b(?!_)", written)


@pytest.mark.wings
@pytest.mark.parametrize("names", ENDINGS, ids="-".join)
def test_annotators_have_the_same_documents_wherever_the_names_are_written(names, tmp_path):
    """Who wrote other fields was left out by agree, and doubled the documents of merge."""
    paths = {}
    for way in ("doc_key", "header", "newdoc"):
        paths[way] = tmp_path / f"{way}.txt"
        paths[way].write_text(WRITERS[way](*names))
    for order in (list(paths), list(paths)[::-1]):
        annotators = {way: paths[way] for way in order}
        found = corefmeter.agree(annotators, trials=1)
        assert {pair.documents for pair in found.pairs} == {3}
        assert {problem.code for problem in found.problems} <= {"types-left-out"}
        assert found.alpha == 1
        merged = corefmeter.merge(annotators)
        assert [len(one.annotators) for one in merged.documents] == [3, 3, 3]


def test_a_part_is_found_in_a_name_where_one_side_has_parts(tmp_path):
    """All parts of the header's document, and one of them alone, whose number shows nothing."""
    parts = "".join(
        f"#begin document (bc/x); part {part:03d}\nbc/x\t{part}\t0\tAnn\t(0)\n"
        f"bc/x\t{part}\t1\tshe\t(0)\n#end document\n"
        for part in (0, 1, 2)
    )
    key = tmp_path / "key.conll"
    key.write_text(parts)
    lines = [
        json.dumps({"doc_key": f"bc/x_{part}", "sentences": [["Ann", "she"]],
                    "clusters": [[[0, 0], [1, 1]]]}) + "\n"
        for part in (0, 1, 2)
    ]  # fmt: skip
    response = tmp_path / "response.jsonl"
    for chosen, matched, warned in (("012", 6, []), ("2", 2, ["repaired"])):
        response.write_text("".join(lines[int(part)] for part in chosen))
        result = score(key, response)
        assert result.sums("mentions") == (matched, 6, matched, matched)
        codes = [p.code for p in result.problems if p.code != "missing-document"]
        assert codes == warned


def test_names_that_a_format_changed_are_those_of_the_key():
    """With the part, and as of files. A name that two documents could have is none."""
    key = corpus(Document("a/x", [[0]], part=0), Document("a/x", [[0]], part=1),
                 Document("b c", [[0]]), Document("d-e/f", [[0]]), Document("d-e f", [[0]]),
                 Document("same", [[0]]))  # fmt: skip
    key.format = "conll"
    response = named("b_c", "a_x_part_001", "a/x", "d-e_f", "same")
    response.format = "webanno"
    assert paired(key, response) == (
        [("(a/x); part 000", True, True), ("(a/x); part 001", True, True), ("b c", True, True),
         ("d-e/f", True, False), ("d-e f", True, False), ("same", True, True)],
        ["repaired", "missing-document", "missing-document", "extra-document"],
    )  # fmt: skip
    key.format = response.format = "python"
    assert paired(key, response)[1].count("missing-document") == 4


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ("a/x_part_002", True),
        ("a_x_part_002", True),  # as of a file, such as from CoNLL to WebAnno and back
        ("a x_part_002", False),  # neither name is one of a file
        ("a_y_part_002", False),
    ],
)
def test_a_name_that_came_by_way_of_another_format_is_found_in_files_of_one_format_too(
    other, found
):
    key = corpus(*(Document("a/x", [[0]], part=part) for part in (0, 1, 2)))
    response = named("a/x", "a/x_part_001", other)
    key.format = response.format = "conll"
    assert paired(key, response) == (
        [("(a/x); part 000", True, True), ("(a/x); part 001", True, True),
         ("(a/x); part 002", True, found)],
        ["repaired"] if found else ["repaired", "missing-document", "extra-document"],
    )  # fmt: skip


def test_a_part_behind_a_name_comes_before_one_in_words():
    """Part 1 of a is a_1, or else a_part_001."""
    both = [Document(name, [[(0, 1)]]) for name in ("a_1", "a_part_001")]
    response = Corpus([Document("a", [[(0, 1)]], part=1)])
    for documents in (both, both[::-1]):
        (renamed,), _ = with_names_of(Corpus(documents), response)
        assert renamed.name == "a_1"


def test_a_name_with_its_part_comes_before_a_file_name_without_part_0():
    """As a file name, "b/a_1" is part 1 of b_a, and b_a_1 without its part 0."""
    part, other = (Document(name, [[(0, 1)]], part=of) for name, of in (("b_a", 1), ("b_a_1", 0)))
    response = Corpus([Document("b/a_1", [[(0, 1)]])], format="e2e")
    for documents in ([part, other], [other, part]):
        (renamed,), _ = with_names_of(Corpus(documents, format="conll"), response)
        assert renamed.id == part.id


def test_signs_tell_names_apart_where_they_are_kept():
    """Of all that would be called alike as files, those with the part in the name are found."""
    key = corpus(Document("a/x", [[0]], part=1), Document("a x", [[0]], part=1))
    response = named("a x_part_001", "a/x_part_001")
    response.documents[1].entities = []
    for format in ("conll", "conllu"):
        key.format, response.format = "conll", format
        assert paired(key, response) == (
            [("(a/x); part 001", True, False), ("(a x); part 001", True, True)],
            ["repaired"],
        )


def test_parts_pair_by_number_and_no_part_is_part_0():
    key = corpus(Document("a", [], part=0), Document("a", [], part=1), Document("b", []))
    response = corpus(Document("b", [], part=0), Document("a", []), Document("a", [], part=1))
    pairs, problems = pair_documents(key, response, "official")
    assert [(pair.key.part, pair.response.part) for pair in pairs] == [(0, None), (1, 1), (None, 0)]
    assert problems == []


def test_a_document_only_in_the_key_has_an_empty_response_and_a_warning():
    key, response = named("a", "b", path="k"), named("a", path="r")
    pairs, (problem,) = pair_documents(key, response, "official")
    assert [(p.key.name, p.response.name, p.response.entities) for p in pairs][1] == ("b", "b", [])
    assert (problem.code, problem.severity, problem.path) == ("missing-document", "warning", "r")
    assert problem.document == "b"
    assert "k:7" in problem.message


@pytest.mark.parametrize("policy", ["official", "concatenate"])
def test_a_document_only_in_the_response_is_ignored_with_a_warning(policy):
    key, response = named("a"), named("a", "b", path="r")
    pairs, (problem,) = pair_documents(key, response, policy)
    assert [pair.name for pair in pairs] == ["a"]
    assert (problem.code, problem.severity) == ("extra-document", "warning")
    assert (problem.path, problem.line) == ("r", 7)
    assert problem.document == "b"
    assert "ignored" in problem.hint
    assert "--documents strict" in problem.hint


def test_a_document_only_in_the_response_is_spurious_under_strict():
    pairs, (problem,) = pair_documents(named("a"), named("a", "b"), "strict")
    assert [(p.name, p.key.entities, p.response.entities) for p in pairs] == [
        ("a", [[(0, 1)]], [[(0, 1)]]),
        ("b", [], [[(0, 1)]]),
    ]
    assert problem.code == "extra-document"
    assert problem.document == "b"
    assert "spurious" in problem.hint


def test_no_document_in_common_is_an_error_with_names_of_both_sides_and_the_nearest():
    key = named("bc/cctv_0000", "bc/cctv_0001", "bc/cctv_0002", "bc/cctv_0003", "nw/wsj_2300")
    response = named("1", "2", "nw/wsj_230", "4", path="r")
    with pytest.raises(DataError) as caught:
        pair_documents(key, response, "official")
    (problem,) = caught.value.problems
    assert (problem.code, problem.severity, problem.path) == ("no-common-document", "error", "r")
    assert "'bc/cctv_0000', 'bc/cctv_0001', 'bc/cctv_0002' and 2 more" in problem.message
    assert "'1', '2', 'nw/wsj_230' and 1 more" in problem.message
    assert problem.hint.startswith("Documents are paired by name; give them the same names")
    assert problem.hint.endswith(" The nearest are 'nw/wsj_2300' and 'nw/wsj_230'.")


def test_names_with_nothing_in_common_have_no_nearest():
    with pytest.raises(DataError) as caught:
        pair_documents(named("abc"), named("xyz"), "official")
    assert caught.value.problems[0].hint.endswith("give them the same names on both sides.")


@pytest.mark.parametrize("policy", ["official", "strict", "concatenate"])
def test_nothing_in_common_is_an_error_under_every_policy(policy):
    with pytest.raises(DataError):
        pair_documents(named("a"), named("b"), policy)


def test_different_numbers_of_tokens_are_a_warning():
    key = corpus(Document("a", [], tokens=5), Document("b", [], tokens=5))
    response = corpus(
        Document("a", [], tokens=5), Document("b", [], tokens=4, path="r", line=9), path="r"
    )
    _, (problem,) = pair_documents(key, response, "official")
    assert (problem.code, problem.severity) == ("token-count", "warning")
    assert (problem.path, problem.line) == ("r", 9)
    assert "4 tokens in the response but 5 in the key" in problem.message
    assert "--strict" in problem.hint


def test_no_tokens_against_some_is_a_warning_too():
    key, response = corpus(Document("a", [], tokens=5)), corpus(Document("a", [], tokens=0))
    assert paired(key, response)[1] == ["token-count"]


def test_an_unknown_number_of_tokens_differs_from_none():
    known, unknown = corpus(Document("a", [], tokens=5)), corpus(Document("a", []))
    assert paired(known, unknown)[1] == paired(unknown, known)[1] == []


def test_warnings_travel_with_the_result():
    result = score(named("a", "b"), named("a", "c"))
    assert [p.code for p in result.problems] == ["missing-document", "extra-document"]
    # Key mentions 2, response mentions 1 (the other is ignored), 1 in common.
    assert result.sums("mentions") == (1, 2, 1, 1)


def test_spurious_documents_count_in_precision():
    result = score(named("a", "b"), named("a", "c"), documents="strict")
    assert result.sums("mentions") == (1, 2, 1, 2)


# All documents as one


def one(shared_ids: bool):
    key = corpus(
        Document("a", [[(0, 1)], [(1, 2)]], entity_names=["1", "2"]),
        Document("b", [[(0, 1)]], entity_names=["1"]),
    )
    response = corpus(Document("a", [[(0, 1), (1, 2)]]), Document("b", [[(0, 1)]]))
    pairs, _ = pair_documents(key, response, "official")
    return as_one_document(pairs, shared_ids)


def test_as_one_document_mentions_of_different_documents_differ():
    pair = one(shared_ids=False)
    a, b = ("a", 0), ("b", 0)
    assert pair.key.entities == [[(a, (0, 1))], [(a, (1, 2))], [(b, (0, 1))]]
    assert pair.response.entities == [[(a, (0, 1)), (a, (1, 2))], [(b, (0, 1))]]


def test_as_one_document_with_shared_ids_the_same_name_is_the_same_entity():
    pair = one(shared_ids=True)
    a, b = ("a", 0), ("b", 0)
    assert pair.key.entities == [[(a, (0, 1)), (b, (0, 1))], [(a, (1, 2))]]
    assert pair.key.entity_names == ["1", "2"]


def test_as_one_document_parts_are_told_apart():
    key = corpus(*(Document("a", [[(0, 1)]], part=part) for part in (0, 1)))
    pairs, _ = pair_documents(key, key, "official")
    (first,), (second,) = as_one_document(pairs, False).key.entities
    assert first != second


@pytest.mark.parametrize(
    ("keys", "responses", "nearest"),
    [
        # Signs and capitals are nothing, however many other names there are.
        ([f"a{n}" for n in range(60)] + ["story/lighthouse"], ["b/a1x", "story_lighthouse"],
         ("story/lighthouse", "story_lighthouse")),
        (["story/lighthouse"], ["other/STORY", "corpus/lighthouse.conll"], None),
        (["x/tide.txt", "x/lighthouse.txt"], ["lighthouse"], ("x/lighthouse.txt", "lighthouse")),
        (["news/2001/a"], ["letters/9"], ()),
        # the most similar ones among the first 50 of the key
        ([f"{n:02}" for n in range(49)] + ["lighthouse_a"], ["lighthouse_b"],
         ("lighthouse_a", "lighthouse_b")),
        ([f"{n:02}" for n in range(50)] + ["lighthouse_a"], ["lighthouse_b"], ()),
    ],
)  # fmt: skip
def test_the_nearest_name_is_one_that_may_mean_the_same(keys, responses, nearest):
    with pytest.raises(DataError) as error:
        pair_documents(
            Corpus([Document(name, []) for name in keys]),
            Corpus([Document(name, []) for name in responses]),
            "official",
        )
    (problem,) = error.value.problems
    if nearest is None:
        nearest = ("story/lighthouse", "corpus/lighthouse.conll")
    _, _, two = problem.hint.partition(" The nearest are ")
    assert two == (f"{nearest[0]!r} and {nearest[1]!r}." if nearest else "")


@pytest.mark.parametrize("text", ["crac", "inline"])
@pytest.mark.parametrize("format", ["conllu", "conll", "e2e"])
def test_a_name_with_a_part_is_not_another_name_with_that_end(text, format, tmp_path):
    """Of marked texts "(a_0); part 002" was taken for "a", and the document was there twice."""
    documents = [
        Document(name, [[(0, 1), (2, 3)], [(1, 2), (3, 4 + n)]], part=part, tokens=4 + n,
                 text=Text([f"w{i}" for i in range(4 + n)]))
        for n, (name, part) in enumerate([("a_0", 2), ("a", None), ("a", 1)])
    ]  # fmt: skip
    for way in (text, format):
        corpus, _ = convert_corpus(Corpus(documents), way, hull=False)
        write_files(corpus, way, str(tmp_path / way))
    result = score(tmp_path / format, tmp_path / text)
    assert result.sums("mentions") == (12, 12, 12, 12)
    assert result.conll == 1


# ---- documents that only their order brings together -------------------------------------------


def in_order(*texts: str | None) -> Corpus:
    """Documents without names, of the words of a text, or of four unknown ones."""
    return corpus(*(
        Document(str(n), [[(0, 1)]], tokens=4, numbered=True, text=text and Text(text.split()))
        for n, text in enumerate(texts)
    ))  # fmt: skip


def test_one_document_of_each_side_is_paired_whatever_its_words_are():
    pairs, problems = pair_documents(in_order("a b c d"), in_order("e f g h"), "official")
    assert (len(pairs), [problem.code for problem in problems]) == (1, [])


@pytest.mark.parametrize("side", ["key", "response"])
def test_the_side_without_names_is_named(side):
    nameless = corpus(
        Document("0", [], numbered=True, path=side), Document("1", [], numbered=True, path=side),
        path=side,
    )  # fmt: skip
    other = named("b", "c", path="response" if side == "key" else "key")
    sides = (nameless, other) if side == "key" else (other, nameless)
    pairs, (problem,) = pair_documents(*sides, "official")
    assert [(pair.key.name, pair.response.name) for pair in pairs] == [
        tuple(one.name for one in both) for both in zip(*sides, strict=True)
    ]
    assert (problem.code, problem.path, problem.count) == ("unnamed-document", "response", 2)
    assert problem.message.startswith(f"the {side} does not name its documents")


@pytest.mark.parametrize(
    ("response", "refused"),
    [
        (("a b c d", "e f g h"), None),
        (("a b x y", "e f g h"), None),  # two of four are the same
        (("a x y z", "e f g h"), "other words in the response"),  # one of four
        (("a b c d", "e x y z"), "other words in the response"),
        (("e f g h", "a b c d"), "other words in the response"),
        ((None, "e f g h"), None),
        (("a b c d", None), None),
        (("e f g h", None), "other words in the response"),
        ((None, None), None),
    ],
)
def test_an_order_that_most_words_contradict_is_refused(response, refused):
    key, response = in_order("a b c d", "e f g h"), in_order(*response)
    for sides in ((key, response), (response, key)):
        if refused is None:
            assert len(pair_documents(*sides, "official")[0]) == 2
            continue
        with pytest.raises(DataError, match=refused) as caught:
            pair_documents(*sides, "official")
        assert caught.value.problems[0].code == "words-differ"


@pytest.mark.parametrize(
    ("key", "response", "refused"),
    [
        (("a b c d", "a b c x"), ("a b c x", "a b c d"), True),
        (("a b c d", "a b c x"), ("a b c y", "a b c x"), False),  # words of no document
        (("a b c d", "a b c d"), ("a b c d", "a b c d"), False),  # the same twice
        (("a b c d", None), ("a b c d", "a b c d"), True),
        ((None, None), ("a b c x", "a b c d"), False),
        (("a b c d", "a b c x"), (None, "a b c d"), True),
        (("a b c d", "a b c x"), (None, None), False),
    ],
)
def test_an_order_is_refused_if_the_words_are_those_of_another_document(key, response, refused):
    if not refused:
        assert len(pair_documents(in_order(*key), in_order(*response), "official")[0]) == 2
        return
    with pytest.raises(DataError, match="the words of another document of the key"):
        pair_documents(in_order(*key), in_order(*response), "official")


def test_a_response_with_other_names_keeps_what_else_is_known_of_it():
    problem = Problem("repaired", "one", path="r.conll")
    documents = [Document("bc/x", [[(0, 1)]], part=1), Document("y", [[(2, 3)]])]
    response = Corpus(
        documents, path="r.conll", format="conll", digests={"r.conll": "0a"}, problems=[problem]
    )
    key = Corpus([Document("bc/x_1", [[(0, 1)]]), Document("y", [[(2, 3)]])])
    found, _ = with_names_of(key, response)
    assert [document.name for document in found] == ["bc/x_1", "y"]
    assert (found.path, found.format, found.digests) == ("r.conll", "conll", {"r.conll": "0a"})
    assert found.problems == [problem]


def test_corpora_have_the_names_of_the_first_that_has_a_document():
    first, second = corpus(Document("x", [], part=1)), named("x_part_001", "y/z")
    renamed, problems = with_common_names({"a": first, "b": second, "c": named("y_z")})
    assert [document.label for document in renamed["b"]] == ["(x); part 001", "y/z"]
    assert [document.label for document in renamed["c"]] == ["y_z"]
    assert [problem.code for problem in problems] == ["repaired"]
    file = Corpus([Document("y_z", [])], format="json")
    renamed, _ = with_common_names({"a": named("y/z"), "b": file})
    assert renamed["b"].documents[0].name == "y/z"


@pytest.mark.parametrize(
    ("counts", "disjoint", "usual"),
    [((0, 3, 2), True, False), ((1, 30, 20), True, False), ((0, 3, 0), False, True),
     ((2, 30, 20), False, False), ((10, 20, 20), False, False), ((11, 21, 21), False, True),
     ((10, 20, 21), False, True), ((20, 20, 20), False, True), ((20, 21, 21), False, True),
     ((19, 20, 20), False, False)],
)  # fmt: skip
def test_few_common_mentions_are_unusual_and_of_short_documents_any_missing_one(
    counts, disjoint, usual
):
    counts = MentionCounts(*counts)
    assert (counts.are_disjoint, counts.are_usual) == (disjoint, usual)
