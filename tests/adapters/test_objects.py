"""Objects of other libraries have the words and entities of one example, and its score.

The key has two entities of 3 and 2 mentions; the response lacks a mention of the first. MUC: recall
(1 + 1) / (2 + 1), precision (1 + 1) / (1 + 1). The other key has other tokens.
"""

from __future__ import annotations

import json

import pandas as pd
import polars as pl
import pytest

import corefmeter
from corefmeter import Corpus, Document
from corefmeter.adapters.corenlp import from_corenlp
from corefmeter.adapters.frames import from_frame
from corefmeter.adapters.rows import from_rows
from corefmeter.adapters.spacy import from_coreferee, from_fastcoref, from_spacy
from corefmeter.adapters.stanza import from_stanza
from corefmeter.adapters.udapi import from_udapi
from corefmeter.corpus.text import Text

TEXT = "Ann's dog saw it. Its bone fell."
SENTENCES = [["Ann", "'s", "dog", "saw", "it", "."], ["Its", "bone", "fell", "."]]
WORDS = [word for sentence in SENTENCES for word in sentence]
OTHERS = ["Ann", "'", "s", "dog", "saw", "it", ".", "Its", "bone", "fell", "."]
ENTITIES = [[(0, 3), (4, 5)], [(0, 2), (6, 8)]]
CHARACTERS = [[(0, 9), (14, 16)], [(0, 5), (18, 26)]]


def key(words: list[str], *entities: list[tuple[int, int]]) -> Corpus:
    document = Document("a", [*entities], tokens=len(words), text=Text(words), path="key.conll")
    return Corpus([document])


KEY = key(WORDS, [(0, 3), (4, 5), (6, 7)], [(0, 2), (6, 8)])
OTHER_KEY = key(OTHERS, [(0, 4), (5, 6), (7, 8)], [(0, 3), (7, 9)])


def check(corpus: Corpus, *, sentences: bool = True) -> Document:
    """The one document, after all has been said of it."""
    (document,) = corpus
    assert (document.name, document.numbered) == ("a", False)
    assert (document.text.words, document.tokens) == (WORDS, 10)
    assert document.text.sentences == ([0, 6] if sentences else [0])
    # Mentions in the order of the text; of two that begin together the shorter is first.
    assert sorted(map(sorted, document.entities)) == sorted(ENTITIES)
    check_scores(corpus)
    return document


def check_scores(corpus: Corpus, *keys: Corpus) -> None:
    for of in keys or (KEY, OTHER_KEY):
        align = "tokens" if of is KEY and corpus.documents[0].unit == "tokens" else "characters"
        scores = corefmeter.score(of, corpus, align=align).muc
        assert (scores.recall, scores.precision) == (2 / 3, 1)


def doc_of_spacy():
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    spaces = [token in ("dog", "saw", ".", "Its", "bone", "'s") for token in WORDS]
    starts = [i in (0, 6) for i in range(10)]
    doc = spacy.tokens.Doc(spacy.blank("en").vocab, WORDS, spaces, sent_starts=starts)
    assert doc.text.strip() == TEXT
    return doc


def parse(doc) -> None:
    """As a pipeline does."""
    for token, head in zip(doc, [2, 0, 3, 3, 3, 3, 7, 8, 8, 8], strict=True):
        token.head, token.dep_, token.pos_, token.tag_ = doc[head], f"d{head}", "X", "Y"


@pytest.mark.nightly
def test_spans_of_spacy():
    doc = doc_of_spacy()
    for number, entity in enumerate(ENTITIES, 1):
        doc.spans[f"coref_clusters_{number}"] = [doc[start:end] for start, end in entity]
    doc.spans["coref_head_clusters_1"] = doc.spans["others"] = [doc[3:4]]
    document = check(from_spacy({"a": doc}))
    assert sorted(document.entity_names) == ["coref_clusters_1", "coref_clusters_2"]
    assert [one.name for one in from_spacy([doc, doc])] == ["document 1", "document 2"]
    assert from_spacy(doc).documents[0].numbered
    assert from_spacy({"a": doc}, "others").documents[0].entities == [[(3, 4)]]
    assert from_spacy({"a": doc}, "none").documents[0].entities == []


@pytest.mark.nightly
def test_parses_of_spacy():
    doc = doc_of_spacy()
    parse(doc)
    doc.spans["coref_clusters_1"] = [doc[0:3]]
    (document,) = from_spacy({"a": doc})
    assert document.details[0][0].head == 2
    assert document.text.heads == [2, 0, 3, -1, 3, 3, 7, 8, -1, 8]
    assert document.text.relations[:2] == ["d2", "d0"]
    assert (set(document.text.upos), set(document.text.pos)) == ({"X"}, {"Y"})


@pytest.mark.nightly
def test_fastcoref_counts_characters():
    doc = doc_of_spacy()
    for name, default in {"coref_clusters": None, "resolved_text": ""}.items():
        if not doc.has_extension(name):
            doc.set_extension(name, default=default)  # as its component does
    with pytest.raises(corefmeter.DataError, match="was 'fastcoref' in the pipeline"):
        from_fastcoref(doc)
    doc._.coref_clusters = CHARACTERS
    corpus = from_fastcoref({"a": doc})
    assert sorted(map(sorted, corpus.documents[0].entities)) == sorted(CHARACTERS)
    check_scores(corpus)
    with pytest.raises(corefmeter.DataError, match="counts characters in the response but tokens"):
        corefmeter.score(KEY, corpus)


@pytest.mark.nightly
def test_predictions_of_fastcoref():
    """Made as its `predict` makes them; with its own class where that can be imported."""
    modeling = pytest.importorskip("fastcoref.modeling", reason="fastcoref is not installed")
    places = {(n, m): (n, span) for n, c in enumerate(CHARACTERS) for m, span in enumerate(c)}
    clusters = [[(n, m) for m in range(len(c))] for n, c in enumerate(CHARACTERS)]
    prediction = modeling.CorefResult(TEXT, clusters, places, {}, None, 0)
    check_scores(from_fastcoref({"a": prediction}))
    clusters[0].append((7, 7))
    places[7, 7] = (9, None)  # tokens of the model alone
    with pytest.warns(corefmeter.CorefmeterWarning, match="have no position in the text"):
        check_scores(from_fastcoref({"a": prediction}))


@pytest.mark.nightly
def test_heads_of_coreferee():
    model = pytest.importorskip("coreferee.data_model", reason="coreferee is not installed")
    doc = doc_of_spacy()
    if not doc.has_extension("coref_chains"):
        doc.set_extension("coref_chains", default=None)
    with pytest.raises(corefmeter.DataError, match="was 'coreferee' in the pipeline"):
        from_coreferee(doc)
    doc._.coref_chains = holder = model.ChainHolder()
    for heads in ([[2], [4]], [[7, 0]]):  # Ann and the bone, together
        mentions = [model.Mention(doc[indexes[0]]) for indexes in heads]
        for mention, indexes in zip(mentions, heads, strict=True):
            mention.token_indexes = sorted(indexes)
        holder.chains.append(model.Chain(mentions, 0))
    (document,) = corpus = from_coreferee({"a": doc})
    assert document.entities == [[((0, 1), (7, 8))], [(2, 3), (4, 5)]]
    assert [[detail.head for detail in entity] for entity in document.details] == [[7], [2, 4]]
    parse(doc)
    doc.spans["coref_clusters_1"] = [doc[0:3], doc[4:5], doc[6:7]]
    scores = corefmeter.score(from_spacy({"a": doc}), corpus, match="head").muc
    assert (scores.recall, scores.precision) == (1 / 2, 1)


def document_of_stanza(*chains: list[tuple]):
    stanza = pytest.importorskip("stanza", reason="Stanza is not installed")
    from stanza.models.coref.coref_chain import CorefChain, CorefMention

    document = stanza.Document(
        [[{"id": n, "text": word} for n, word in enumerate(sentence, 1)] for sentence in SENTENCES]
    )
    document.sentences[0].empty_words = [stanza.models.common.doc.Word(
        document.sentences[0], {"id": (3, 1), "text": "_", "lemma": "_"})]  # fmt: skip
    document.coref = [
        CorefChain(n, [CorefMention(*mention) for mention in mentions], "", 0)
        for n, mentions in enumerate(chains)
    ]
    return document


CHAINS = [[(0, 0, 3), (0, 4, 5)], [(0, 0, 2), (1, 0, 2)]]


@pytest.mark.nightly
def test_documents_of_stanza():
    document = document_of_stanza(*CHAINS)
    check(from_stanza({"a": document}))
    check(from_stanza({"a": json.loads(repr(document))}))
    assert len(from_stanza([document, document])) == len(from_stanza([document.to_dict()] * 2)) == 2
    assert from_stanza(document.to_dict()).documents[0].numbered


@pytest.mark.nightly
def test_empty_nodes_of_stanza():
    document = document_of_stanza([(0, 0, 3), (0, (3, 1), (3, 1))])
    for given in (document, json.loads(repr(document))):
        (found,) = from_stanza({"a": given})
        assert found.entities == [[(0, 3), ((3, 3, 1),)]]
        assert found.text.words == WORDS


@pytest.mark.nightly
def test_a_document_of_stanza_without_its_coreference_is_refused():
    stanza = pytest.importorskip("stanza", reason="Stanza is not installed")
    with pytest.raises(corefmeter.DataError, match="was 'coref' in the pipeline"):
        from_stanza(stanza.Document([[{"id": 1, "text": "Ann"}]]))


def test_contractions_of_stanza_and_mentions_of_one_entity_in_each_other():
    """As `to_dict` writes them: the line of the contraction, then its words."""

    def at(index: int, *flags: str) -> dict[str, object]:
        return {"index": index} | dict.fromkeys(flags, True)

    sentence = [
        {"id": [1], "text": "vi", "coref_chains": []},
        {"id": [2, 3], "text": "del"},
        {"id": 2, "text": "de", "coref_chains": [at(0, "is_start")]},
        {"id": 3, "text": "el", "coref_chains": [at(0), at(0, "is_start")]},
        {"id": 4, "text": "can", "coref_chains": [at(0, "is_end"), at(0, "is_end")]},
        {"id": 5, "text": "se", "coref_chains": [at(0, "is_start", "is_end")]},
    ]
    (document,) = from_stanza([sentence])
    assert document.text.words == ["vi", "de", "el", "can", "se"]
    assert sorted(document.entities[0]) == [(1, 4), (2, 4), (4, 5)]


def test_a_mention_of_stanza_that_ends_where_another_of_its_entity_begins():
    """The later one may be named first."""
    ends, begins = {"index": 0, "is_end": True}, {"index": 0, "is_start": True}
    chains = [[begins], [begins, ends], [ends]]
    sentence = [{"id": n, "text": "x", "coref_chains": found} for n, found in enumerate(chains, 1)]
    assert from_stanza([sentence]).documents[0].entities == [[(0, 2), (1, 3)]]


@pytest.mark.parametrize(("flag", "message"), [
    ("is_start", "no mention 'Ann': it has no end in its sentence"),
    ("is_end", "no mention 'Ann': it has no start"),
])  # fmt: skip
def test_a_mention_of_stanza_with_one_side_is_refused(flag, message):
    word = {"id": 1, "text": "Ann", "coref_chains": [{"index": 0, flag: True}]}
    with pytest.raises(corefmeter.DataError, match=message):
        from_stanza([[word], [word]])


def test_a_contraction_is_no_empty_node():
    """One that stands before an empty node of the same place does not count."""
    zero = {"id": [1, 1], "text": "_", "coref_chains": [
        {"index": 0, "is_start": True, "is_end": True}]}  # fmt: skip
    words = [{"id": n, "text": "x", "coref_chains": []} for n in (1, 2, 3)]
    sentence = [words[0], {"id": [2, 3], "text": "xx"}, zero, *words[1:]]
    assert from_stanza([sentence]).documents[0].entities == [[((1, 1, 1),)]]


def of_corenlp() -> dict:
    """As its JSON outputter writes: numbers from 1, ends exclusive, words that may be others."""
    sentences = [
        {"index": n, "tokens": [
            {"index": i, "word": word.replace("'", "`"), "originalText": word}
            for i, word in enumerate(sentence, 1)
        ]}
        for n, sentence in enumerate(SENTENCES)
    ]  # fmt: skip
    mentions = [[(1, 1, 4, 3), (1, 5, 6, 5)], [(1, 1, 3, 1), (2, 1, 3, 2)]]
    corefs = {
        str(7 + n): [
            {"id": i, "startIndex": start, "endIndex": end, "headIndex": head, "sentNum": sentence}
            for i, (sentence, start, end, head) in enumerate(chain)
        ]
        for n, chain in enumerate(mentions)
    }
    return {"docId": "a", "sentences": sentences, "corefs": corefs}


def test_json_of_corenlp():
    document = check(from_corenlp(of_corenlp()))
    assert dict(zip(document.entity_names, document.entities, strict=True))["7"] == ENTITIES[0]
    heads = {mention: detail.head for entity, details in
             zip(document.entities, document.details, strict=True)
             for mention, detail in zip(entity, details, strict=True)}  # fmt: skip
    assert heads == {(0, 3): 2, (4, 5): 4, (0, 2): 0, (6, 8): 7}
    assert [one.name for one in from_corenlp({"b": of_corenlp()})] == ["b"]
    assert len(from_corenlp([of_corenlp()] * 2)) == 2


def test_json_of_corenlp_without_coreference_is_refused():
    found = of_corenlp()
    del found["corefs"]
    with pytest.raises(corefmeter.DataError, match="was 'coref' in the pipeline"):
        from_corenlp(found)


CONLLU = "".join(
    "# newdoc id = a\n# global.Entity = eid-etype-head-other\n" * (number == 0)
    + f"# sent_id = {number}\n"
    + "".join(f"{n}\t{w}\t_\tX\t_\t_\t{min(n - 1, 1)}\tdep\t_\t_\n" for n, w in enumerate(words, 1))
    + "\n"
    for number, words in enumerate(SENTENCES)
)


@pytest.mark.nightly
def test_documents_of_udapi():
    core = pytest.importorskip("udapi.core.document", reason="udapi is not installed")
    document = core.Document()
    document.from_conllu_string(CONLLU)
    nodes = list(document.nodes)
    for number, entity in enumerate(ENTITIES):
        of = document.create_coref_entity(eid=f"e{number}")
        for start, end in entity:
            of.create_mention(words=nodes[start:end], head=nodes[end - 1])
    (found,) = corpus = from_udapi(document)
    check(corpus)
    assert sorted(found.entity_names) == ["e0", "e1"]
    assert {d.head for e in found.details for d in e} == {2, 4, 1, 7}
    empty = nodes[2].root.create_empty_child(form="_") if hasattr(
        nodes[2].root, "create_empty_child") else nodes[2].create_empty_child("dep")  # fmt: skip
    empty.ord = 3.1
    document.eid_to_entity["e0"].create_mention(words=[empty], head=empty)
    (found,) = from_udapi(document)
    assert ((3, 3, 1),) in [mention for entity in found.entities for mention in entity]
    assert [one.name for one in from_udapi({"b": document})] == ["b"]


@pytest.mark.nightly
def test_documents_of_udapi_without_names_are_numbered():
    core = pytest.importorskip("udapi.core.document", reason="udapi is not installed")
    documents = [core.Document(), core.Document()]
    for document in documents:
        document.from_conllu_string(CONLLU.replace("# newdoc id = a", "# newdoc"))
    found = from_udapi(documents)
    assert [(one.name, one.numbered) for one in found] == [
        ("document 1", True), ("document 2", True),
    ]  # fmt: skip


PRECO = {"id": "a", "sentences": SENTENCES,
         "mention_clusters": [[[0, 0, 3], [0, 4, 5]], [[0, 0, 2], [1, 0, 2]]]}  # fmt: skip
LITBANK = {"doc_name": "a", "sentences": SENTENCES, "original_text": TEXT,
           "coref_chains": [[[0, 0, 2], [0, 4, 4]], [[0, 0, 1], [1, 0, 1]]]}  # fmt: skip
INDISCRIM = {"id": "a", "coref_chains": LITBANK["coref_chains"], "sentences": [
    {"id": n, "tokens": [{"id": i, "text": word} for i, word in enumerate(sentence)]}
    for n, sentence in enumerate(SENTENCES)
]}  # fmt: skip
CONLL = {"document_id": "a", "sentences": [
    {"part_id": 0, "words": SENTENCES[0], "coref_spans": [[5, 0, 2], [5, 4, 4], [9, 0, 1]]},
    {"part_id": 0, "words": SENTENCES[1], "coref_spans": [[9, 0, 1]]},
    {"part_id": 1, "words": ["He", "left"], "coref_spans": [[5, 0, 0]]},
]}  # fmt: skip
ROWS = {"PreCo": PRECO, "LitBank": LITBANK, "indiscrim": INDISCRIM, "CoNLL-2012": CONLL}


def check_rows(rows) -> None:
    first, *others = from_rows(rows)
    check(Corpus([first]))
    assert [(one.id, one.entities) for one in others] in ([], [(("a", 1), [[(0, 1)]])])


@pytest.mark.parametrize("kind", ROWS)
def test_rows(kind):
    check_rows(ROWS[kind])
    check_rows([ROWS[kind]])


class Table:
    """A table that gives its rows as a library does, by one method."""

    def __init__(self, method: str, rows: list) -> None:
        setattr(self, method, lambda *_: rows)
        if method == "to_dict":  # as pandas, whose rows are no mappings
            self.itertuples = None


class Array:
    """As an array of NumPy; what is in it may be arrays again."""

    def __init__(self, values: list) -> None:
        self.values = values

    def tolist(self) -> list:
        return self.values

    def __bool__(self) -> bool:
        raise ValueError("the truth of an array is ambiguous")


def arrays(value):
    """A value with an array for each list."""
    if isinstance(value, dict):
        return {name: arrays(inner) for name, inner in value.items()}
    return Array([arrays(inner) for inner in value]) if isinstance(value, list) else value


@pytest.mark.parametrize("kind", ROWS)
def test_rows_in_tables_and_arrays(kind):
    row = ROWS[kind]
    check_rows(arrays(row))
    for method in ("to_pylist", "to_dicts", "to_dict"):
        check_rows(Table(method, [row]))
        check_rows(iter([Table(method, [arrays(row)])]))


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ROWS)
def test_rows_of_datasets(kind):
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    rows = datasets.Dataset.from_list([ROWS[kind]])
    check_rows(rows)
    check_rows(rows.to_iterable_dataset())
    for format in ("numpy", "pandas", "arrow"):
        check_rows(rows.with_format(format))
        check_rows(rows.with_format(format)[0])
    check_rows(rows.to_pandas())
    for splits in (datasets.DatasetDict(test=rows),
                   datasets.IterableDatasetDict(test=rows.to_iterable_dataset())):  # fmt: skip
        with pytest.raises(corefmeter.DataError, match=r"rows\['test'\]"):
            from_rows(splits)
    with pytest.raises(corefmeter.DataError, match="<rows>"):
        from_rows(rows[:])


class Split(list):
    """One split of a data set."""

    features = ("id",)


@pytest.mark.parametrize(
    ("rows", "code", "says"),
    [
        ({"document_id": "a", "sentences": [{"part_id": 0, "words": ["Ann"]}]},
         "missing-field", "coref_spans"),
        ([{"text": "Ann left."}], "missing-field", "no 'sentences' in a row that has 'text'"),
        (PRECO | {"mention_clusters": [[[1, 3, 5]]]}, "bad-span", "the sentence has 4 words"),
        ({"id": "a", "sentences": SENTENCES}, "missing-field", "no 'mention_clusters'"),
        ([{"id": "a", "sentences": SENTENCES, "clusters": [[[0, 1]]]}],
         "missing-field", "'id', 'sentences', 'clusters'"),
        ({"train": Split([PRECO]), "test": Split([PRECO])}, "bad-value", "rows['train']"),
        ({"id": ["a"], "sentences": [SENTENCES], "mention_clusters": [PRECO["mention_clusters"]]},
         "bad-value", "mention_clusters or coref_chains"),
        (PRECO | {"mention_clusters": None}, "bad-value", "TypeError"),
        (PRECO | {"sentences": "Ann left."}, "bad-value", "mention_clusters"),
        (PRECO | {"sentences": [["Ann", 5]]}, "bad-value", "lists of words"),
        (PRECO | {"mention_clusters": [[[0, 0]]]}, "bad-value", "ValueError"),
        (PRECO | {"mention_clusters": [[["0", "0", "1"]]]}, "bad-value", "TypeError"),
        ("rows.json", "bad-value", "rows.json"),
        (5, "bad-value", "not a row of a data set: 5"),
        ([PRECO, "a"], "bad-value", "'a'"),
    ],
)  # fmt: skip
def test_rows_of_other_data_are_refused(rows, code, says):
    with pytest.raises(corefmeter.DataError) as caught:
        from_rows(rows)
    (problem,) = caught.value.problems
    assert problem.code == code
    assert says in str(problem)
    assert problem.hint or code == "bad-span"


FRAME = {
    "document": ["a"] * 4, "entity": ["x", "x", "y", "y"], "start": [0, 4, 0, 6],
    "end": [3, 5, 2, 8],
}  # fmt: skip


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_frames_of_mentions(make):
    check(from_frame(make(FRAME), {"a": WORDS}), sentences=False)
    (document,) = from_frame(make(FRAME))
    assert (sorted(document.entities), document.text) == (sorted(ENTITIES), None)
    others = {"start": [0, 14, 0, 18], "end": [8, 15, 4, 25]}
    corpus = from_frame(make(FRAME | others), {"a": TEXT}, inclusive=True)
    assert sorted(map(sorted, corpus.documents[0].entities)) == sorted(CHARACTERS)
    check_scores(corpus)


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_frames_with_columns_of_other_names(make):
    given = {"cluster": [1, 1], "first": [0, 4], "last": [2, 4]}
    corpus = from_frame(make(given), entity="cluster", start="first", end="last", inclusive=True)
    assert [(one.name, one.numbered, one.entities) for one in corpus] == [
        ("document", True, [ENTITIES[0]])
    ]
    assert [len(one.entities) for one in from_frame(make(FRAME), {"a": WORDS, "b": ["Ann"]})] == [
        2,
        0,
    ]


@pytest.mark.parametrize(("change", "texts", "message"), [
    ({"entity": ["x", None, "y", "y"]}, None, r"\(4, 5\) has no entity"),
    ({"document": ["a", None, "a", "a"]}, None, r"\(4, 5\) has no document"),
    ({"document": ["a", "a", "a", ""]}, None, r"\(6, 8\) has no document"),
    ({"start": [0.0, 4.5, 0.0, 6.0]}, None, "0.0 or 3 is not a whole number"),
    ({}, {"b": ["Ann"]}, "no text of document 'a'"),
    ({}, {"a": WORDS[:7]}, r"no mention \(6, 8\): the document has 7 tokens"),
])  # fmt: skip
@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_frames_that_are_wrong_are_refused(make, change, texts, message):
    with pytest.raises(corefmeter.DataError, match=message):
        from_frame(make(FRAME | change), texts)


@pytest.mark.parametrize("column", ["entity", "document"])
def test_a_missing_value_of_pandas_is_refused(column):
    values = pd.array(["a", pd.NA, "a", "a"], dtype="string")
    with pytest.raises(corefmeter.DataError, match=rf"\(4, 5\) has no {column}"):
        from_frame(pd.DataFrame(FRAME | {column: values}))


def test_a_frame_without_entities_is_refused():
    with pytest.raises(corefmeter.DataError, match="no column 'entity'"):
        from_frame(pd.DataFrame({"start": [0], "end": [1]}))
