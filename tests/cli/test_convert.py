"""``corefmeter convert``: what is kept, what is lost and told, and where it is written."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from unicodedata import normalize

import pytest

import corefmeter
from corefmeter import read
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.relations import Bridge, Layer, NonReferring, Relations, Split
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats import format_named
from corefmeter.formats.conversion import convert_corpus, format_by_ending
from corefmeter.problems import OptionError

from ..command import run

#: Twelve columns: document, part, number, word, part of speech, parse, lemma, frameset, sense,
#: speaker, named entity, coreference.
CONLL = """\
#begin document (x/y); part 000
x/y	0	0	Ann	NNP	(TOP(S(NP*)	-	-	-	A	(PERSON)	(1)
x/y	0	1	left	VBD	(VP*	-	-	-	A	*	-
x/y	0	2	home	NN	(NP*)))	-	-	-	A	*	(2)

x/y	0	0	She	PRP	(TOP(S(NP*)	-	-	-	B	*	(1)
x/y	0	1	cried	VBD	(VP*)))	-	-	-	B	*	-
#end document
"""

#: A discontinuous mention, an empty node, and one inside of a mention.
CONLLUA = """\
# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY
# newdoc id = x
1 a _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m1)
2 b _ _ _ _ _ _ _ _ _
3 c _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m1)
3.1 _ _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m2)
4 d _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m3
4.1 _ _ _ _ _ _ _ _ _ _
5 e _ _ _ _ _ _ _ _ )
5.1 _ _ _ _ _ _ _ _ _ (EntityID=2|MarkableID=m4)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "key.conll").write_text(CONLL, "utf-8")
    (tmp_path / "key.conllua").write_text(CONLLUA, "utf-8")
    return tmp_path


def test_conll_to_itself_keeps_every_column(folder):
    result = run("convert", "key.conll", "out.conll", folder=folder)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    written = (folder / "out.conll").read_text("utf-8")
    assert [line.split() for line in written.splitlines() if line] == [
        line.split() for line in CONLL.splitlines() if line
    ]


@pytest.mark.wings
@pytest.mark.parametrize(
    "format", ["semeval", "conllua", pytest.param("tbf", marks=pytest.mark.wings), "webanno"]
)
def test_entities_and_words_survive_every_format(folder, format):
    result = run("convert", "key.conll", f"out.{format}", "--to", format, folder=folder)
    assert result.returncode == 0
    key = corefmeter.read(folder / "key.conll", details=True).documents[0]
    there = corefmeter.read(folder / f"out.{format}", details=True).documents[0]
    assert set(map(frozenset, there.entities)) == {
        frozenset([(0, 1), (3, 4)]), frozenset([(2, 3)])
    } or format == "tbf"  # fmt: skip
    if format != "tbf":
        assert there.text.words == key.text.words
        assert there.text.sentences == key.text.sentences == [0, 3]
    if format in ("semeval", "conllua"):
        assert there.text.pos == key.text.pos


@pytest.mark.wings
def test_what_a_format_does_not_hold_is_told(folder):
    result = run("convert", "key.conll", "out.webannotsv", folder=folder)
    lines = result.stderr.splitlines()
    told = [line.removeprefix("key.conll: warning: ") for line in lines]
    assert told == [
        *(
            f"{what} of 1 document cannot be written in webanno: left out [cannot-write]"
            for what in ("the parts of speech", "the parses", "the named entities", "the speakers")
        ),
        "the name of the document cannot be written; it is read as 'out' "
        "(document '(x/y); part 000') [cannot-write]",
    ]
    assert run("convert", "key.conll", "out.webannotsv", "--quiet", folder=folder).stderr == ""


@pytest.mark.wings
@pytest.mark.parametrize("format", ["conllu", "conllua", "semeval", "maverick"])
def test_a_layer_that_is_lost_is_reported_once(folder, format):
    """By its name for people; the file has parses and named entities."""
    losses = run("convert", "key.conll", "out", "--to", format, folder=folder).stderr
    assert losses.count("parse") == 1
    assert losses.count("named entities") == (format != "semeval")
    assert "entity_types" not in losses


@pytest.mark.wings
def test_gaps_and_empty_nodes_are_left_out_and_counted(folder):
    """m1 has a gap and m2 is an empty node, so they are lost; of m3 the empty node; entity 2 was
    m4, an empty node."""
    result = run("convert", "key.conllua", "out.conll", folder=folder)
    assert result.returncode == 0
    for line in (
        "1 discontinuous mention cannot be written in conll: left out; --hull fills gaps",
        "2 mentions of empty nodes cannot be written in conll: left out",
        "1 mention with empty nodes cannot be written in conll: the empty nodes are left out",
        "1 entity cannot be written in conll: left out, since no mention remains",
    ):
        assert line in result.stderr
    (document,) = corefmeter.read(folder / "out.conll", details=True).documents
    assert document.entities == [[(3, 5)]]
    assert document.text.words == ["a", "b", "c", "d", "e"]


@pytest.mark.wings
def test_the_hull_fills_gaps(folder):
    result = run("convert", "key.conllua", "out.conll", "--hull", folder=folder)
    assert "1 mention with a gap cannot be written in conll: the gap is filled" in result.stderr
    (document,) = corefmeter.read(folder / "out.conll").documents
    assert document.entities == [[(0, 3), (3, 5)]]


@pytest.mark.wings
def test_nothing_is_lost_where_the_format_can_hold_it(folder):
    result = run("convert", "key.conllua", "again.conllua", folder=folder)
    assert result.stderr == ""
    (first,), (again,) = (
        corefmeter.read(folder / name).documents for name in ("key.conllua", "again.conllua")
    )
    assert again.entities == first.entities
    assert len(first.entities[0]) == 3


@pytest.mark.wings
def test_a_directory_gets_a_file_for_each_document(folder):
    two = CONLL + CONLL.replace("x/y", "x/z")
    (folder / "two.conll").write_text(two, "utf-8")
    result = run("convert", "two.conll", "out/", "--to", "webanno", folder=folder)
    assert result.returncode == 0
    assert sorted(path.name for path in (folder / "out").iterdir()) == [
        "x_y_part_000.webannotsv", "x_z_part_000.webannotsv"
    ]  # fmt: skip


@pytest.mark.wings
@pytest.mark.parametrize("sign", ["n", "\u00e4", "\U00020000"])
def test_the_name_of_a_file_is_as_long_as_it_can_be(folder, sign):
    """A name of 255 bytes is the longest that there is."""
    two = "".join(CONLL.replace("x/y", sign * 400 + end) for end in "ab")
    (folder / "two.conll").write_text(two, "utf-8")
    result = run("convert", "two.conll", "out/", "--to", "webanno", folder=folder)
    assert result.returncode == 0
    names = sorted(path.name for path in (folder / "out").iterdir())
    assert len(names) == 2
    assert all(name.startswith(sign * 50) and len(name.encode()) <= 255 for name in names)


def documents(*names: str) -> str:
    """A document of two mentions under each name."""
    return "".join(f"#begin document ({n})\nA\t(1)\nb\t(1)\n#end document\n" for n in names)


@pytest.mark.parametrize(
    "names", [("Story", "story"), ("story", "Story"), ("\u00c5", "\u212b"), ("a_2", "A", "a")]
)
@pytest.mark.parametrize("format", ["conll", pytest.param("webanno", marks=pytest.mark.wings)])
def test_files_have_names_that_all_systems_tell_apart(folder, names, format):
    """Names that differ in case or normalization only are one name on Windows and macOS."""
    (folder / "many.conll").write_text(documents(*names), "utf-8")
    result = run("convert", "many.conll", "out/", "--to", format, folder=folder)
    assert result.returncode == 0
    found = {path.stem for path in (folder / "out").iterdir()}
    assert len({normalize("NFC", name).lower() for name in found}) == len(found) == len(names)
    assert result.stderr.count("the file is called") == 1
    if format == "conll":  # which holds the names
        assert {d.name for d in read(folder / "out")} == set(names)
    (folder / "many.conll").write_text(documents(*reversed(names)), "utf-8")
    run("convert", "many.conll", "other/", "--to", format, folder=folder)
    assert {path.stem for path in (folder / "other").iterdir()} == found
    assert "a_2" not in names or "a_2" in found  # by its own name


@pytest.mark.parametrize("name", ["aux", "CON.1", "Nul", "com1", "lpt9.a.b", "prn"])
@pytest.mark.parametrize("format", ["conll", pytest.param("webanno", marks=pytest.mark.wings)])
def test_no_file_has_a_name_that_windows_reserves(folder, name, format):
    (folder / "key.conll").write_text(documents(name, "console"), "utf-8")
    result = run("convert", "key.conll", "out/", "--to", format, folder=folder)
    assert result.returncode == 0
    found = {path.name.removesuffix(path.suffix) for path in (folder / "out").iterdir()}
    assert found == {f"_{name}", "console"}
    assert result.stderr.count("the file is called") == 1
    assert result.stderr.count("or they reserve it") == 1
    if format == "conll":
        assert {d.name for d in read(folder / "out")} == {name, "console"}
    scored = run("score", "key.conll", "out", "-m", "muc", "-f", "json", folder=folder)
    assert json.loads(scored.stdout)["results"][0]["scores"]["muc"]["f1"] == 1


@pytest.mark.wings
def test_standard_output(folder):
    result = run("convert", "key.conll", "-", "--to", "conllua", folder=folder)
    assert result.stdout.startswith("# global.columns = ID")


@pytest.mark.wings
def test_the_format_is_known_from_the_name_or_must_be_given(folder):
    assert format_by_ending("a/b.CONLL") == "conll"
    with pytest.raises(OptionError, match="--to"):
        format_by_ending("out.xyz")
    with pytest.raises(OptionError) as error:
        format_by_ending("out.xyz")
    named = str(error.value).partition("--to: ")[2].split(", ")
    assert {"conll", "conllu", "webanno"} <= {*named}
    assert all(format_named(name).write is not None for name in named)
    result = run("convert", "key.conll", "out.xyz", folder=folder)
    assert (result.returncode, (folder / "out.xyz").exists()) == (2, False)
    assert "give it with --to" in result.stderr


@pytest.mark.wings
@pytest.mark.parametrize(
    "format",
    ["brat", "litbank-tsv", "gap"],
)
def test_a_format_that_cannot_be_written_is_refused(folder, format):
    result = run("convert", "key.conll", "out", "--to", format, folder=folder)
    assert result.returncode == 2
    assert "cannot be written" in result.stderr
    assert not (folder / "out").exists()


@pytest.mark.wings
def test_several_documents_do_not_fit_into_one_file_of_some_formats(folder):
    (folder / "two.conll").write_text(CONLL + CONLL.replace("x/y", "x/z"), "utf-8")
    result = run("convert", "two.conll", "out.webannotsv", folder=folder)
    assert result.returncode == 2
    assert "one document a file" in result.stderr
    assert not (folder / "out.webannotsv").exists()


@pytest.mark.wings
def test_an_unknown_format_and_a_broken_file(folder):
    assert run("convert", "key.conll", "out", "--to", "conl", folder=folder).returncode == 2
    (folder / "bad.conll").write_text(CONLL.replace("(2)", "2)"), "utf-8")
    result = run("convert", "bad.conll", "out.tbf", folder=folder)
    assert result.returncode == 3
    assert "bad.conll:4" in result.stderr


@pytest.mark.wings
def test_features_of_mentions_that_are_lost_are_counted():
    details = [[Detail(head=0, kind="name", entity_type="person"), Detail(head=1)]]
    document = Document("x", [[(0, 1), (1, 2)]], tokens=2, text=Text(["a", "b"]), details=details)
    _, lost = convert_corpus(Corpus([document]), "webanno", hull=False)
    assert [p.message for p in lost] == [
        "the heads of 2 mentions cannot be written in webanno: left out",
        "the kinds of 1 mention cannot be written in webanno: left out",
    ]


def test_attributes_of_documents_that_are_lost_are_told():
    attributes = {"relations": [{"type": "x", "mentions": [(0, 1), (0, 1)]}]}
    document = Document("x", [[(0, 1)]], tokens=1, text=Text(["a"]), attributes=attributes)
    _, lost = convert_corpus(Corpus([document]), "conll", hull=False)
    assert [p.message for p in lost] == [
        "relations of 1 document cannot be written in conll: left out"
    ]


RELATIONS = Relations(
    (Split("3", ("1", "2")),),
    (Bridge((1, 2), (0, 1), "1", "part"), Bridge((3, 4), (0, 1), "1")),
    (NonReferring((4, 5)),),
    Layer([[(0, 3), (3, 4)]], ["1"]),
)


@pytest.mark.wings
@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("conllua", []),
        ("conllu", ["1 non-referring expression", "2 mentions of discourse deixis"]),
        ("webanno", ["1 split antecedent", "1 non-referring expression",
                     "2 mentions of discourse deixis"]),
        ("conll", ["1 split antecedent", "2 bridging references", "1 non-referring expression",
                   "2 mentions of discourse deixis"]),
        ("e2e", ["1 split antecedent", "2 bridging references", "1 non-referring expression",
                 "2 mentions of discourse deixis"]),
    ],
)  # fmt: skip
def test_relations_that_a_format_cannot_hold_are_counted(format, expected):
    document = Document("x", [[(0, 1)], [(1, 2)], [(3, 4)]], entity_names=["1", "2", "3"], tokens=5,
                        text=Text(list("abcde")), relations=RELATIONS)  # fmt: skip
    _, lost = convert_corpus(Corpus([document]), format, hull=False)
    assert [p.message for p in lost] == [
        f"{what} cannot be written in {format}: left out" for what in expected
    ]


@pytest.mark.wings
def test_relations_of_mentions_that_are_left_out_are_counted():
    """With a gap: the anaphor of one bridge and the anchor of another, which keeps its entity."""
    gap = (0, 1), (2, 3)
    relations = Relations(
        bridges=(Bridge(gap, (1, 2), "2"), Bridge((1, 2), gap, "1"), Bridge((1, 2), gap, None)),
        nonreferring=(NonReferring(gap), NonReferring((3, 4))),
    )
    document = Document("x", [[gap], [(1, 2)]], entity_names=["1", "2"], tokens=4,
                        text=Text(list("abcd")), relations=relations)  # fmt: skip
    made, lost = convert_corpus(Corpus([document]), "webanno", hull=False)
    assert made.documents[0].relations == Relations(
        bridges=(Bridge((1, 2), None, "1"),), nonreferring=(NonReferring((3, 4)),)
    )
    assert [p.message for p in lost] == [
        "1 discontinuous mention cannot be written in webanno: left out; --hull fills gaps",
        "1 entity cannot be written in webanno: left out, since no mention remains",
        "2 bridging references cannot be written in webanno: left out along with a mention",
        "1 non-referring expression cannot be written in webanno: left out along with a mention",
        "1 non-referring expression cannot be written in webanno: left out",
    ]
    made, _ = convert_corpus(Corpus([document]), "webanno", hull=True)
    assert made.documents[0].relations.bridges[0].anaphor == (0, 3)


@pytest.mark.wings
def test_the_same_loss_in_many_documents_is_told_once(folder):
    lines = [CONLLUA.splitlines()[0]]
    for number in range(5):
        lines += [f"# newdoc id = d{number}", "1 a _ _ _ _ _ _ _ _ (EntityID=e1|MarkableID=m1)"]
    (folder / "many.conllua").write_text("\n".join(lines) + "\n", "utf-8")
    result = run("convert", "many.conllua", "out/", "--to", "webanno", folder=folder)
    told = [line for line in result.stderr.splitlines() if "names of entities" in line]
    assert told == [
        "many.conllua: warning: the names of entities cannot be written; "
        "they are numbered (5 times) [cannot-write]"
    ]


#: Two mentions of each of two places, of the entities 2 and 7; and one of entity 2 alone.
COPIES = "x 0 0 Ann (2|(7\nx 0 1 B. 7)|2)\nx 0 2 she (2)|(7)\nx 0 3 her (2)\n"


@pytest.mark.wings
@pytest.mark.parametrize("format", ["conll", "semeval", "conllua", "conllu", "inline"])
def test_copies_of_a_mention_keep_the_order_of_their_entities(folder, format):
    """With the first policy entity 2 has all three mentions: two links."""
    (folder / "copies.conll").write_text(f"#begin document (x); part 000\n{COPIES}#end document\n")
    done = run("convert", "copies.conll", "out", "--to", format, folder=folder)
    assert (done.returncode, "copies of a mention" in done.stderr) == (0, False)
    done = run("score", "out", "copies.conll", "-m", "muc", "-f", "json", folder=folder)
    muc = json.loads(done.stdout)["results"][0]["scores"]["muc"]
    assert (muc["recall_numerator"], muc["recall_denominator"]) == (2, 2)


@pytest.mark.wings
def test_copies_of_a_mention_that_are_read_in_another_order_are_reported(folder):
    """In CoNLL the mention of one token is read first, elsewhere the longer one."""
    (folder / "copies.conll").write_text(
        "#begin document (x); part 000\nx 0 0 Ann (2)|(7\nx 0 1 B. 7)\nx 0 2 she (2)|(7)\n"
        "#end document\n"
    )
    for format, count in (("conll", 0), ("conllua", 1)):
        done = run("convert", "copies.conll", f"out.{format}", folder=folder)
        assert done.stderr.count("copies of a mention are read in another order") == count


@pytest.mark.wings
def test_entities_get_numbers_when_asked_for_the_same_in_all_documents(folder):
    rows = "{0} 0 0 Ann (e36772\n{0} 0 1 B. e36772)|(4)\n{0} 0 2 she (x)\n"
    (folder / "ids.conll").write_text("".join(
        f"#begin document ({name}); part 000\n{rows.format(name)}\n#end document\n"
        for name in "ab"
    ), "utf-8")  # fmt: skip
    result = run("convert", "ids.conll", "out.conll", "--numeric-ids", folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    for document in corefmeter.read(folder / "out.conll"):
        assert dict(zip(document.entity_names, document.entities, strict=True)) == {
            "0": [(0, 2)], "4": [(1, 2)], "1": [(2, 3)]
        }  # fmt: skip
    scored = run("conll-scorer", "muc", "out.conll", "out.conll", "none", folder=folder)
    assert scored.returncode == 0


def test_a_token_with_a_space_or_nothing_else_moves_no_mention_in_text_with_marks(folder):
    record = {"doc_key": "x_0", "sentences": [["a", "New York", " ", "b", "c"]],
              "clusters": [[[0, 0], [3, 3]], [[1, 2]]]}  # fmt: skip
    (folder / "key.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    result = run("convert", "key.jsonl", "out.txt", "--to", "inline", folder=folder)
    assert (folder / "out.txt").read_text("utf-8").splitlines()[1] == "[a]_0 [New_York _]_1 [b]_0 c"
    assert "words cannot be written, such as 'New York', which is read as 'New_York'" in (
        result.stderr
    )
    (document,) = corefmeter.read(folder / "out.txt", format="inline")
    assert document.entities == [[(0, 1), (3, 4)], [(1, 3)]]


@pytest.mark.wings
def test_tokens_become_characters_where_a_format_counts_these(folder):
    """Ann is 0 to 2 of "Ann left home She cried"; home 9 to 12, She 14 to 16; ends inclusive."""
    result = run("convert", "key.conll", "out.tab", "--to", "tac-kbp", folder=folder)
    assert result.returncode == 0
    assert [line.split("\t")[:4] for line in (folder / "out.tab").read_text().splitlines()] == [
        ["x/y", "0", "2", "1"], ["x/y", "14", "16", "1"], ["x/y", "9", "12", "2"]
    ]  # fmt: skip


@pytest.mark.wings
def test_nothing_is_written_that_would_not_be_read_again(folder):
    (folder / "none.conll").write_text(CONLL.replace("(1)", "-").replace("(2)", "-"), "utf-8")
    result = run("convert", "none.conll", "out.tab", "--to", "tac-kbp", folder=folder)
    assert (result.returncode, (folder / "out.tab").exists()) == (3, False)
    assert "tac-kbp cannot hold this: the file holds no mention" in result.stderr


@pytest.mark.parametrize("format", ["conllu", "conll", "e2e", "inline"])
def test_names_without_positions_are_refused_where_positions_are_written(folder, format):
    (folder / "names.json").write_text('{"clusters": {"e": ["Ann", "her"]}}', "utf-8")
    result = run("convert", "names.json", "out", "--to", format, folder=folder)
    assert (result.returncode, (folder / "out").exists()) == (3, False)
    assert f"mentions are names without positions, which {format} cannot hold" in result.stderr


@pytest.mark.wings
def test_bridging_and_split_antecedents_go_from_conllua_to_corefud_and_back(folder):
    """The anchor is a mention in CONLLUA, an entity in CorefUD."""
    rows = [
        "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING",
        "# newdoc id = x",
        "1 a _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m1|ElementOf=3) _",
        "2 b _ _ _ _ _ _ _ _ (EntityID=2|MarkableID=m2|ElementOf=3) "
        "(MarkableID=m2|Rel=part|MentionAnchor=m1|EntityAnchor=1)",
        "3 c _ _ _ _ _ _ _ _ (EntityID=3|MarkableID=m3) _",
    ]
    (folder / "key.conllua").write_text("\n".join(rows) + "\n", "utf-8")
    there = run("convert", "key.conllua", "out.conllu", folder=folder)
    assert there.returncode == 0
    text = (folder / "out.conllu").read_text("utf-8")
    assert "Bridge=1<2:part" in text
    assert "SplitAnte=1<3,2<3" in text
    assert run("convert", "out.conllu", "back.conllua", folder=folder).returncode == 0
    (document,) = corefmeter.read(folder / "back.conllua", details=True)
    assert document.relations.splits == (Split("3", ("1", "2")),)
    assert document.relations.bridges == (Bridge((1, 2), None, "1", "part"),)


@pytest.mark.wings
def test_documents_of_several_parts_score_100_after_a_way_through_other_formats(folder):
    (folder / "key.conll").write_text(CONLL + CONLL.replace("part 000", "part 001"), "utf-8")
    for format in ("preco", "conllu", "conllua", "semeval", "e2e", "crac"):
        done = run("convert", "key.conll", "out", "--to", format, "--force", folder=folder)
        assert done.returncode == 0
        assert corefmeter.score(folder / "key.conll", folder / "out").conll == 1
        run("convert", "out", "back.conll", "--from", format, folder=folder)
        assert corefmeter.score(folder / "key.conll", folder / "back.conll").conll == 1


@pytest.mark.wings
def test_characters_without_a_text_are_no_tokens(folder):
    row = "s\tx\tE1\t4,8\tmade\tA\tActual"
    (folder / "x.tbf").write_text(f"#BeginOfDocument x\n{row}\n#EndOfDocument\n", "utf-8")
    result = run("convert", "x.tbf", "out.conll", folder=folder)
    assert (result.returncode, (folder / "out.conll").exists()) == (3, False)
    assert run("convert", "x.tbf", "out.tbf", folder=folder).returncode == 0
    assert "\t4,8\t" in (folder / "out.tbf").read_text("utf-8")


def test_predictions_are_converted_when_asked_for(folder):
    record = {"doc_key": "x_0", "sentences": [["a", "b"]], "clusters": [[[0, 0]]],
              "predicted_clusters": [[[1, 1]]]}  # fmt: skip
    (folder / "both.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    for side, mention in (("key", (0, 1)), ("response", (1, 2))):
        out = f"{side}-side.conll"
        assert run("convert", "both.jsonl", out, "--side", side, folder=folder).returncode == 0
        assert corefmeter.read(folder / out).documents[0].entities == [[mention]]


#: Node 1.1 of the first sentence and 0.1 of the second stand before the same word.
CONLLU = "\n".join([
    "# newdoc id = d",
    "# global.Entity = eid-etype-head-other",
    "1\tAnn" + 4 * "\t_" + "\t0" + 3 * "\t_",
    "1.1" + 8 * "\t_" + "\tEntity=(e1--1-)",
    "",
    "0.1" + 8 * "\t_" + "\tEntity=(e2--1-)",
    "1\tleft" + 4 * "\t_" + "\t0" + 3 * "\t_",
    "", "",
])  # fmt: skip


def rows(text: str) -> list[list[str]]:
    """What is in the cells, without those that are empty; comments are left out."""
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    return [[cell for cell in line.split("\t") if cell != "_"] for line in lines]


@pytest.mark.wings
def test_empty_nodes_that_end_and_begin_sentences_are_numbered_on_in_conllua(folder):
    (folder / "key.conllu").write_text(CONLLU, "utf-8")
    done = run("convert", "key.conllu", "-", "--to", "conllua", folder=folder)
    assert rows(done.stdout) == [
        ["1", "Ann"],
        ["1.1", "(EntityID=e1|MarkableID=markable_1)"],
        [""],
        ["1.2", "(EntityID=e2|MarkableID=markable_2)"],
        ["2", "left"],
        [""], [""],
    ]  # fmt: skip


@pytest.mark.wings
def test_empty_nodes_that_end_and_begin_sentences_are_numbered_on_in_webanno(folder):
    """They have no characters, so they stand with the word after them, at its offset."""
    (folder / "key.conllu").write_text(CONLLU, "utf-8")
    done = run("convert", "key.conllu", "-", "--to", "webanno", folder=folder)
    cells = rows(done.stdout)
    assert [row for row in cells if row[0][:1].isdigit()] == [
        ["1-1", "0-3", "Ann"],
        ["2-1", "4-8", "left"],
        ["2-1.1", "4-4", "", "*[1]", "*[1]"],
        ["2-1.2", "4-4", "", "*[2]", "*[2]"],
    ]


def test_empty_nodes_that_end_and_begin_sentences_stay_where_they_are_in_conllu(folder):
    (folder / "key.conllu").write_text(CONLLU, "utf-8")
    done = run("convert", "key.conllu", "-", "--to", "conllu", folder=folder)
    assert rows(done.stdout) == rows(CONLLU)


@pytest.mark.wings
def test_an_empty_node_at_the_end_adds_no_word_in_webanno():
    document = Document("x", [[((1, 1, 1),)]], tokens=1, text=Text(["Ann"]))
    stream = StringIO()
    from corefmeter.wings.annotation.formats import webanno

    webanno.write(Corpus([document]), stream)
    cells = rows(stream.getvalue())
    assert [row for row in cells if row[0][:1].isdigit()] == [
        ["1-1", "0-3", "Ann"],
        ["1-1.1", "3-3", "", "*[1]", "*[1]"],
    ]


@pytest.mark.wings
def test_a_folder_that_is_read_gets_no_files(folder):
    """The next run would read both, and so each document twice."""
    (folder / "in").mkdir()
    (folder / "key.conllua").rename(folder / "in" / "key.conllua")
    (folder / "link").symlink_to(folder / "in")
    before = sorted(folder.rglob("*"))
    for target in ("in/", "in/below/", "link/", "."):
        source = "." if target == "." else "in"
        done = run("convert", source, target, "--to", "conll", "--hull", "--force", folder=folder)
        assert (done.returncode, done.stdout) == (3, "")
        assert "[output-is-input]" in done.stderr
    assert sorted(folder.rglob("*")) == before
    for source, target in (("in", "out/"), ("in/*.conllua", "in/")):
        done = run("convert", source, target, "--to", "conll", "--hull", folder=folder)
        assert done.returncode == 0
    assert [path.name for path in (folder / "in").glob("*.conll")] == ["x.conll"]
