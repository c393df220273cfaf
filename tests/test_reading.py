"""What a run needs of its files is known before they are read, and each is read once."""

from __future__ import annotations

from collections import Counter

import pytest

import corefmeter
from corefmeter import Corpus, DataError, Document, OptionError, Recipe
from corefmeter.corpus.text import Text
from corefmeter.formats.source import Source
from corefmeter.reading import read_sides

CONLL = "#begin document (x); part 000\nAnn\t(1)\nsaw\t-\nher\t(1)\n#end document\n"
CONLLU = (
    "# global.Entity = eid-head\n# newdoc id = x\n"
    "1\tAnn\t_\t_\t_\t_\t2\t_\t_\tEntity=(e1-1)\n"
    "2\tsaw\t_\t_\t_\t_\t0\t_\t_\t_\n"
    "3\ther\t_\t_\t_\t_\t2\t_\t_\tEntity=(e1-1)\n\n"
)
MARKED = "[Ann]_1 saw [her]_1"


@pytest.fixture
def readings(monkeypatch):
    """How often each file was read, by the end of its name."""
    counts: Counter[str] = Counter()
    blocks = Source.blocks

    def counted(source):
        counts[source.path.rpartition("/")[2]] += 1
        return blocks(source)

    monkeypatch.setattr(Source, "blocks", counted)
    return counts


@pytest.fixture
def file(tmp_path):
    def write(name: str, text: str):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    ("text", "response", "options"),
    [
        (CONLL, CONLL, {}),
        (CONLL, CONLL, {"strict": True}),
        (CONLL, CONLL, {"align": "characters"}),
        (CONLLU, CONLLU, {"strict": True}),
        (CONLLU, CONLLU, {"match": "head"}),
        (CONLLU, CONLLU, {"metrics": ["zero", "arcs-immediate", "b3"]}),
        (CONLL, MARKED, {}),
        (CONLL, MARKED, {"match": "overlap", "metrics": "mor"}),
    ],
)
@pytest.mark.parametrize("call", ["score", "compare", "analyse"])
def test_each_file_is_read_once(call, text, response, options, file, readings):
    key, one, other = file("key", text), file("one", response), file("other", response)
    if call == "compare":
        with pytest.raises(DataError) as caught:  # after scoring: one document is too little
            corefmeter.compare(key, {"A": one, "B": other}, **options)
        assert [problem.code for problem in caught.value.problems] == ["one-document"]
        assert readings == {"key": 1, "one": 1, "other": 1}
    else:
        getattr(corefmeter, call)(key, one, **options)
        assert readings == {"key": 1, "one": 1}


def test_a_folder_of_marked_texts_is_read_once_before_the_key(file, readings):
    key = file("key", CONLL)
    folder = file("answers/x.txt", MARKED).parent
    assert corefmeter.score(key, folder).muc.f1 == 1
    assert readings == {"key": 1, "x.txt": 1}


def test_the_error_of_one_response_does_not_hide_the_others(file):
    key, good = file("key", CONLL), file("good", CONLL)
    _, reads = read_sides(str(key), [str(key.parent / "none*"), str(good)], Recipe())
    with pytest.raises(DataError):
        reads[0]()
    assert len(reads[1]()) == 1


def test_words_are_read_only_where_they_are_needed(file):
    key, response = str(file("key", CONLL)), str(file("response", CONLL))
    for options, known in (
        ({}, False), ({"strict": True}, True), ({"details": True}, True),
        ({"recipe": Recipe(match="head")}, True), ({"recipe": Recipe(metrics="mor")}, False),
    ):  # fmt: skip
        recipe = options.pop("recipe", Recipe())
        corpus, (read,) = read_sides(key, [response], recipe, **options)
        assert (corpus.documents[0].text is not None) == known
        assert (read().documents[0].text is not None) == known


ANN = "T1\tP 0 3\tAnn\nT2\tP 8 11\ther\nR1\tIs Arg1:T1 Arg2:T2\n"


@pytest.fixture
def brat(file):
    """The path of an annotation in which a relation Is joins the only two mentions."""
    file("x.txt", "Ann saw her")
    return str(file("x.ann", ANN))


@pytest.mark.wings
def test_names_of_identity_are_for_those_sides_that_have_them(file, brat):
    conll, broken = str(file("key", CONLL)), str(file("broken", CONLL.replace("(1)", "(1", 1)))
    recipe = Recipe(identity="Is")
    for key, *responses in (
        (brat, conll), (conll, brat), (conll, conll, brat), (Corpus([], format="brat"), [["a"]]),
        (conll, broken),  # of which nothing is known yet
    ):  # fmt: skip
        _, reads = read_sides(key, responses, recipe)
        assert len(reads) == len(responses)
    for key, *responses in ((conll, conll), (conll, [["a"]]), ([["a"]], conll, conll)):
        with pytest.raises(OptionError, match=r"identity has no effect .* brat"):
            read_sides(key, responses, recipe)
        read_sides(key, responses, Recipe())


@pytest.mark.wings
def test_a_file_is_not_read_with_names_of_identity_that_it_has_not(file, brat):
    assert list(map(len, corefmeter.read(brat, identity="Is").documents[0].entities)) == [2]
    with pytest.raises(OptionError, match="identity has no effect"):
        corefmeter.read(file("key", CONLL), identity="Is")


@pytest.mark.wings
def test_each_file_is_read_once_with_names_of_identity(file, brat, readings):
    key, one = file("key", CONLL), file("one", CONLL)
    corefmeter.read(brat)
    before = readings.copy()
    _, reads = read_sides(str(key), [str(one), brat], Recipe(identity="Is"))
    for read in reads:
        read()
    assert readings - before == {"key": 1, "one": 1, **before}


def test_corpora_are_taken_as_they_are():
    document = Document("x", [[(0, 1)]], text=Text(["Ann"]))
    given = corefmeter.Corpus([document])
    corpus, (read,) = read_sides(given, [given], Recipe())
    assert corpus is given
    assert read() is given
