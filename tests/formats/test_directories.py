"""Several files as one corpus: directories, globs, and what is in them that is no corpus."""

from __future__ import annotations

import gzip
import io
import json
import os
from pathlib import Path

import pytest

from corefmeter import Corpus, DataError, read, score
from corefmeter.corpus.relations import Bridge, Split
from corefmeter.formats import e2e


def story(name: str, cell: str = "(1)") -> str:
    return f"#begin document ({name}); part 000\nit\t{cell}\nis\t-\n#end document\n"


def problems(path: str, **options) -> list:
    with pytest.raises(DataError) as caught:
        read(path, **options)
    return caught.value.problems


@pytest.fixture
def folder(file, tmp_path) -> Path:
    file(story("b"), "corpus/b.conll")
    file(story("a"), "corpus/a.conll")
    file(gzip.compress(story("c").encode()), "corpus/below/c.conll.gz")
    return tmp_path / "corpus"


def test_a_directory_is_the_files_in_it_and_below_sorted_by_path(folder):
    corpus = read(folder)
    assert [d.name for d in corpus] == ["a", "b", "c"]
    assert [Path(d.path).name for d in corpus] == ["a.conll", "b.conll", "c.conll.gz"]
    assert len(corpus.digests) == 3
    assert (corpus.path, corpus.format, corpus.problems) == (str(folder), "conll", [])


def test_a_directory_does_not_mean_what_is_hidden(folder, file):
    file("junk", "corpus/.hidden")
    file(story("d"), "corpus/.git/d.conll")
    assert [d.name for d in read(folder)] == ["a", "b", "c"]


def test_a_glob_is_the_files_that_match(folder):
    assert [d.name for d in read(folder / "[ab].conll")] == ["a", "b"]
    assert [d.name for d in read(folder / "*")] == ["a", "b"]
    assert [d.name for d in read(folder / "**" / "*.conll*")] == ["a", "b", "c"]


def test_a_file_may_be_named_like_a_glob(file):
    path = file(story("x"), "x[1]*.conll")
    assert [d.name for d in read(path)] == ["x"]


def test_a_glob_that_matches_nothing_is_an_error(tmp_path):
    (problem,) = problems(str(tmp_path / "*.conll"))
    assert problem.code == "unreadable"


def test_an_empty_directory_is_an_error(tmp_path):
    (problem,) = problems(str(tmp_path))
    assert (problem.code, problem.path) == ("unreadable", str(tmp_path))


@pytest.mark.parametrize("content", ["Read me.\n", "a\tb\n", b"\x89PNG\r\n\0\0"])
def test_a_file_of_another_kind_is_left_out_with_a_warning(folder, file, content):
    path = file(content, "corpus/README")
    corpus = read(folder)
    assert [d.name for d in corpus] == ["a", "b", "c"]
    (problem,) = corpus.problems
    assert (problem.path, problem.severity) == (path, "warning")
    assert problem.hint == "The file is left out."
    assert path not in corpus.digests


def test_a_directory_of_files_of_other_kinds_is_an_error(file, tmp_path):
    file("Read me.", "README")
    file("Read me.", "README2")
    (problem,) = problems(str(tmp_path))
    assert problem.code == "no-document"
    assert "README" in problem.hint


def test_an_empty_file_among_others_is_an_error(folder, file):
    path = file("", "corpus/empty.conll")
    assert [(p.code, p.path) for p in problems(str(folder))] == [("no-document", path)]


def test_a_link_to_nothing_is_an_error(folder):
    os.symlink(folder / "nowhere", folder / "link")
    assert [p.code for p in problems(str(folder))] == ["unreadable"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_in_a_directory_is_no_file(folder):
    os.mkfifo(folder / "pipe")
    assert [d.name for d in read(folder)] == ["a", "b", "c"]


def test_the_errors_of_all_files_are_collected(folder, file):
    broken = file(story("d", "(1"), "corpus/d.conll")
    worse = file(gzip.compress(story("e").encode())[:-9], "corpus/e.conll")
    assert [(p.code, p.path) for p in problems(str(folder))] == [
        ("unclosed-mention", broken),
        ("truncated", worse),
    ]


def test_a_document_in_two_files_is_an_error_that_names_both(folder, file):
    again = file("\n" + story("a"), "corpus/d.conll")
    (problem,) = problems(str(folder))
    assert (problem.code, problem.path, problem.line) == ("repeated-document", again, 2)
    assert f"{folder / 'a.conll'}:1" in problem.message
    assert problem.hint.endswith(
        "Give files of different systems or runs separately, as in FOLDER/*."
    )


def test_documents_of_two_files_may_be_concatenated(folder, file):
    """Tokens count on; the same entity name is the same entity."""
    file(story("a", "(1)|(2)"), "corpus/d.conll")
    corpus = read(folder, documents="concatenate")
    assert [(d.name, d.tokens) for d in corpus] == [("a", 4), ("b", 2), ("c", 2)]
    first = corpus.documents[0]
    assert first.entity_names == ["1", "2"]
    assert [sorted(mentions) for mentions in first.entities] == [[(0, 1), (2, 3)], [(2, 3)]]


def test_a_joined_document_claims_no_line(folder, file):
    file(story("a"), "corpus/d.conll")
    first = read(folder, documents="concatenate").documents[0]
    assert (first.path, first.line, first.line_of((2, 3))) == (str(folder), None, None)


def test_an_unknown_format_is_refused_with_a_hint(folder):
    from corefmeter import OptionError

    with pytest.raises(OptionError, match="did you mean 'conll'"):
        read(folder, "conl")


def test_a_corpus_without_any_mention_is_read_with_one_warning(file, tmp_path):
    for name in ("a", "b"):
        file(story(name, "-"), f"{name}.conll")
    assert [p.code for p in read(tmp_path).problems] == ["no-coreference"]
    file(story("c"), "c.conll")
    assert read(tmp_path).problems == []


# --- documents without names, entities without names


def nameless(*clusters: list) -> str:
    words = ["Ann", "saw", "her"]
    return "".join(json.dumps({"sentences": [words], "clusters": c}) + "\n" for c in clusters)


def test_documents_without_a_name_are_told_apart_by_their_files(file, tmp_path):
    """Each file numbers its own from 1; key and response pair by file and number."""
    for side in ("key", "response"):
        file(nameless([[[0, 0], [2, 2]]], [[[0, 0]]]), f"{side}/a.jsonl")
        file(nameless([[[1, 1], [2, 2]]]), f"{side}/b.jsonl")
    corpus = read(tmp_path / "key")
    assert [d.name for d in corpus] == ["a document 1", "a document 2", "b document 1"]
    result = score(tmp_path / "key", tmp_path / "response", metrics="lea")
    assert (result.lea.f1, result.lea.recall_denominator) == (1, 5)


def test_nameless_conll_documents_of_several_files(file, tmp_path):
    for name in "ab":
        file("#begin document\nit\t(1)\n#end document\n", f"corpus/{name}.conll")
    assert [d.name for d in read(tmp_path / "corpus")] == ["a document 1", "b document 1"]
    assert [d.name for d in read(tmp_path / "corpus" / "a.conll")] == ["document 1"]


def test_entities_without_names_are_never_joined_across_files(file, tmp_path):
    """The first cluster of one file has nothing to do with the first of another."""
    for name, cluster in (("a", [[0, 0], [2, 2]]), ("b", [[1, 1], [2, 2]])):
        record = {"doc_key": "x_0", "sentences": [["Ann", "saw", "her"]], "clusters": [cluster]}
        file(json.dumps(record) + "\n", f"corpus/{name}.jsonl")
    (document,) = read(tmp_path / "corpus", documents="concatenate")
    assert document.entities == [[(0, 1), (2, 3)], [(4, 5), (5, 6)]]
    assert document.entity_names == ["1.0", "2.0"]


def test_joined_documents_keep_what_is_known_of_words_and_mentions(file, tmp_path):
    """Heads, sentences and spans count on; documents without a name of their own stay apart."""
    for name, head in (("a", 1), ("b", 2)):
        rows = ["Ann\t_\tPROPN\t_\t_\t0\troot\t_\tEntity=(e1-person-1-",
                "Lee\t_\tPROPN\t_\t_\t1\tflat\t_\tEntity=e1)"]  # fmt: skip
        text = "\n".join(f"{n}\t{row}" for n, row in enumerate(rows, 1))
        text = text.replace("person-1", f"person-{head}")
        header = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        file(f"{header}# sent_id = {name}\n{text}\n\n", f"corpus/{name}.conllu")
    (document,) = read(tmp_path / "corpus", documents="concatenate", details=True)
    assert document.entities == [[(0, 2), (2, 4)]]
    assert [detail.head for detail in document.details[0]] == [0, 3]
    assert [detail.entity_type for detail in document.details[0]] == ["person", "person"]
    assert (document.text.words, document.text.sentences) == (["Ann", "Lee"] * 2, [0, 2])
    assert document.text.heads == [-1, 0, -1, 2]
    assert score(document_of(tmp_path), document_of(tmp_path), match="head").muc.f1 == 1


def document_of(tmp_path):
    return read(tmp_path / "corpus", documents="concatenate", details=True)


@pytest.mark.wings
def test_positions_that_mean_different_texts_are_not_joined(file, tmp_path):
    """TBF counts characters or tokens of a text that is not there."""
    for name in "ab":
        rows = "sys\td\tE1\t0,3\tAnn\tLife_Die\tActual\n"
        file(f"#BeginOfDocument d\n{rows}#EndOfDocument\n", f"corpus/{name}.tbf")
    for how in ("official", "concatenate"):
        (problem,) = problems(str(tmp_path / "corpus"), documents=how)
        assert (problem.code, Path(problem.path).name) == ("repeated-document", "b.tbf")
    assert "Only documents with a known length" in problem.hint


def test_documents_that_count_characters_are_joined_in_one_file_and_in_two(file, tmp_path):
    """Clusters of fastcoref count characters: the second text goes on from the 7 of the first."""
    records = [
        json.dumps({"doc_key": "x", "text": text, "clusters": [[[0, 3], [4, 7]]]}) + "\n"
        for text in ("Ann her", "Bob him")
    ]
    one = file("".join(records), "one.jsonl")
    for name, record in zip("ab", records, strict=True):
        file(record, f"two/{name}.jsonl")
    (whole,) = read(one, documents="concatenate")
    (parts,) = read(tmp_path / "two", documents="concatenate")
    assert whole.entities == parts.entities == [[(0, 3), (4, 7)], [(7, 10), (11, 14)]]
    assert (whole.unit, whole.tokens) == (parts.unit, parts.tokens) == ("characters", 14)


@pytest.mark.wings
def test_documents_of_muc_that_are_joined_keep_their_minima(file, tmp_path):
    text = (
        '<DOC><DOCID>x</DOCID><COREF ID="1" MIN="firm">the firm</COREF> '
        '<COREF ID="2" REF="1">it</COREF></DOC>\n'
    )
    for name in "ab":
        file(text, f"muc/{name}.sgm")
    (document,) = read(tmp_path / "muc", documents="concatenate", details=True)
    (entity,), (details,) = document.entities, document.details
    assert [document.text.string(mention) for mention in entity] == ["the firm", "it"] * 2
    assert [document.text.string(d.minimum) for d in details if d.minimum] == ["firm", "firm"]


@pytest.mark.wings
def test_any_name_of_a_file_tells_its_numbered_documents_apart(file, tmp_path):
    """Also one that begins as the names of numbered documents do; the warning has the new name."""
    for name in ("doc", "document"):
        file("#begin document\nit\t(1)\n#end document\n", f"corpus/{name}.conll")
    for name in "ab":
        file("# newdoc\n# global.columns = ID FORM IDENTITY\n1\tit\t_\n\n", f"ua/{name}.CONLLUA")
    corpus = read(tmp_path / "corpus")
    assert [d.name for d in corpus] == ["doc document 1", "document document 1"]
    assert corpus.problems[0].document == "doc document 1"
    assert [d.name for d in read(tmp_path / "ua")] == ["a document 1", "b document 1"]


@pytest.mark.wings
@pytest.mark.parametrize(
    ("ending", "text", "label"),
    [
        ("conll", "#begin document\nit\t(1)\n#end document\n", "it's \"a\" document 1"),
        ("conll", "#begin document (); part 2\nit\t(1)\n", "(it's \"a\" document 1); part 002"),
        ("conllu", "# newdoc\n# global.Entity = eid\n1\tit\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1)\n\n",
         "it's \"a\" document 1"),
        ("conllua", "# newdoc\n# global.columns = ID FORM IDENTITY\n1\tit\t_\n\n",
         "it's \"a\" document 1"),
        ("jsonl", '{"sentences": [["it"]], "clusters": [[[0, 0]]]}\n', "it's \"a\" document 1"),
        pytest.param("tbf", "#BeginOfDocument\n#EndOfDocument\n", "it's \"a\" document 1",
                     marks=pytest.mark.wings),
    ],
)  # fmt: skip
def test_what_is_told_of_a_nameless_document_names_it_by_its_file(
    file, tmp_path, ending, text, label
):
    """Whatever the file is called: the name is a field, and the message does not hold it."""
    for name in ('it\'s "a"', "b"):
        file(text, f"corpus/{name}.{ending}")
    corpus = read(tmp_path / "corpus")
    found = [problem for problem in corpus.problems if problem.path == corpus.documents[1].path]
    assert corpus.documents[1].label == label
    assert found
    assert {problem.document for problem in found} == {label}
    assert all("document 1" not in problem.message for problem in found)
    quoted = label.replace("'", "\\'")  # by hand, since it has quotes of both kinds
    assert all(f" (document '{quoted}') [" in str(problem) for problem in found)


@pytest.mark.wings
def test_entities_of_webanno_are_never_joined_across_files(file, tmp_path):
    """Its chains have no names but numbers."""
    text = (
        "#FORMAT=WebAnno TSV 3.2\n#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.Coreference"
        "Link|referenceRelation|referenceType\n\n\n#Text=Ann saw\n1-1\t0-3\tAnn\t*->1-1\tx\t\n"
        "1-2\t4-7\tsaw\t_\t_\t\n"
    )
    for name in "ab":
        file(text, f"corpus/{name}/d.tsv")
    (document,) = read(tmp_path / "corpus", documents="concatenate")
    assert sorted(document.entities) == [[(0, 1)], [(2, 3)]]


@pytest.mark.wings
def test_only_the_files_of_a_project_are_passed_over(file, tmp_path):
    file("<mmax_project><words>a_words.xml</words></mmax_project>", "corpus/a.mmax")
    file("<words><word id='w1'>it</word></words>", "corpus/a_words.xml")
    file("<markables></markables>", "corpus/a_coref_level.xml")
    apf = '<source_file URI="z.sgm"><document DOCID="z"></document></source_file>'
    file(apf, "corpus/z.apf.xml")
    file(apf.replace("z", "y"), "corpus/below/y.apf.xml")
    assert sorted(d.name for d in read(tmp_path / "corpus")) == ["a", "y", "z"]


def test_plain_clusters_of_one_name_are_joined_in_one_file_and_in_two(file, tmp_path):
    """Names have no positions that would have to go on; the same name is the same entity."""
    records = [
        json.dumps({"doc_id": "x", "clusters": clusters}) + "\n"
        for clusters in ({"e": ["a"], "f": ["b"]}, {"e": ["c"]})
    ]
    one = file("".join(records), "one.jsonl")
    for name, record in zip("ab", records, strict=True):
        file(record, f"two/{name}.jsonl")
    (problem,) = problems(one)
    assert (problem.code, problem.line) == ("repeated-document", 2)
    assert problem.hint == 'Rename or remove one, or join them with documents="concatenate".'
    (problem,) = problems(tmp_path / "two")
    assert problem.hint.endswith("separately, as in FOLDER/*.")
    for path in (one, tmp_path / "two"):
        (document,) = read(path, documents="concatenate")
        assert (document.entity_names, document.entities) == (["e", "f"], [["a", "c"], ["b"]])
        assert (document.unit, document.tokens) == ("names", None)


def test_tokens_are_not_joined_to_characters(file):
    """The second document has its tokens, so it counts them; the first counts characters."""
    record = {"doc_key": "x", "text": "Ann her", "clusters": [[[0, 3]]]}
    path = file(json.dumps(record) + "\n" + json.dumps({**record, "tokens": ["Ann", "her"]}) + "\n")
    (problem,) = problems(path, documents="concatenate")
    assert (problem.code, problem.line) == ("repeated-document", 2)
    assert "Only documents with a known length" in problem.hint


def test_writing_joined_entities_without_names_loses_none(file):
    """What numbers the entities of a joined document is no name."""
    record = json.dumps({"doc_key": "x", "sentences": [["Ann"]], "clusters": [[[0, 0]]]}) + "\n"
    (document,) = read(file(record * 2, "x.jsonl"), documents="concatenate")
    assert (document.entity_names, document.line) == (["0", "1"], 1)
    stream = io.StringIO()
    assert e2e.FORMAT.write(Corpus([document]), stream) == []
    assert json.loads(stream.getvalue())["clusters"] == [[[0, 0]], [[1, 1]]]


@pytest.mark.wings
def test_relations_of_documents_that_are_joined(tmp_path):
    """The second half begins at token 2: entity 3 gets another member there, and deixis goes on."""
    (tmp_path / "two").mkdir()
    columns = "# global.columns = ID FORM IDENTITY BRIDGING DISCOURSE_DEIXIS"
    halves = {
        "a": ["1 a (EntityID=1|MarkableID=m1|ElementOf=3) _ (EntityID=1|MarkableID=d1)",
              "2 b (EntityID=3|MarkableID=m2) _ _"],
        "b": ["1 c (EntityID=2|MarkableID=m1|ElementOf=3) _ (EntityID=1|MarkableID=d1)",
              "2 d (EntityID=3|MarkableID=m2) (MarkableID=m2|MentionAnchor=m1) _",
              "3 e (EntityID=4-Pseudo|MarkableID=m3) _ _"],
    }  # fmt: skip
    for name, rows in halves.items():
        lines = [columns, "# newdoc id = x", *("\t".join(row.split()) for row in rows), ""]
        (tmp_path / "two" / f"{name}.conllua").write_text("\n".join(lines), "utf-8")
    (document,) = read(tmp_path / "two", documents="concatenate", details=True)
    splits, bridges, (silent,), deixis = document.relations
    assert splits == (Split("3", ("1", "2")),)
    assert bridges == (Bridge((3, 4), (2, 3), "2"),)
    assert silent.mention == (4, 5)
    assert (deixis.entities, deixis.names) == ([[(0, 1), (2, 3)]], ["1"])
    (plain,) = read(tmp_path / "two", documents="concatenate")
    assert plain.relations is None
    assert plain.related == {"split": 2, "bridging": 1, "nonreferring": 1, "deixis": 2}
