"""The lines of the page "I have … output" that need a library run with the library's own objects.

The example is that of `test_sources`: Ann, her and she are one entity of the key, and the response
has the first two. MUC: recall 1/2, precision 1/1, F1 2/3.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import corefmeter

PAGE = Path(__file__).parents[2] / "docs/howto/outputs.md"
ROWS = {
    source: re.findall(r"`(.+?)`(?:<br>|$)", lines)
    for source, lines in re.findall(r"^\| (.*?) \| (`.*`) \|", PAGE.read_text("utf-8"), re.M)
    if re.search(r"adapters\.(spacy|stanza|udapi|rows) ", lines)
}
WORDS = ["Ann", "saw", "her", "and", "she"]


def docs_of_spacy(*mentions: int):
    """A parsed Doc with spans, and with the attributes of fastcoref and coreferee."""
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    model = pytest.importorskip("coreferee.data_model", reason="coreferee is not installed")
    heads, deps = [1, 1, 1, 1, 1], ["nsubj", "ROOT", "obj", "cc", "conj"]
    doc = spacy.tokens.Doc(spacy.blank("en").vocab, WORDS, heads=heads, deps=deps)
    doc.spans["coref_clusters_1"] = [doc[i : i + 1] for i in mentions]
    for name in ("coref_clusters", "coref_chains"):
        if not doc.has_extension(name):
            doc.set_extension(name, default=None)
    doc._.coref_clusters = [[(doc[i].idx, doc[i].idx + len(doc[i])) for i in mentions]]
    doc._.coref_chains = model.ChainHolder()
    doc._.coref_chains.chains = [model.Chain([model.Mention(doc[i]) for i in mentions], 0)]
    return {"a": doc}


def document_of_stanza():
    stanza = pytest.importorskip("stanza", reason="Stanza is not installed")
    from stanza.models.coref.coref_chain import CorefChain, CorefMention

    document = stanza.Document([[{"id": n, "text": word} for n, word in enumerate(WORDS, 1)]])
    document.coref = [CorefChain(0, [CorefMention(0, i, i + 1) for i in (0, 2)], "Ann", 0)]
    return document


def document_of_udapi():
    core = pytest.importorskip("udapi.core.document", reason="udapi is not installed")
    lines = [f"{n}\t{word}\t_\tX\t_\t_\t{n - 1}\tdep\t_\t_" for n, word in enumerate(WORDS, 1)]
    document = core.Document()
    document.from_conllu_string("\n".join(["# newdoc id = a", *lines, "", ""]))
    entity = document.create_coref_entity()
    for node in [*document.nodes][:3:2]:
        entity.create_mention(words=[node], head=node)
    return document


def rows_of_datasets():
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    mentions = [[0, i, i] for i in (0, 2, 4)]
    return datasets.Dataset.from_list(
        [{"doc_name": "a", "sentences": [WORDS], "coref_chains": [mentions]}]
    )


def names_for(line: str) -> dict[str, object]:
    """What the reader has."""
    if "spacy" in line:
        return {"docs": docs_of_spacy(0, 2), "key_docs": docs_of_spacy(0, 2, 4)}
    if "rows" in line:
        return {"rows": rows_of_datasets(), "clusters": [[(0, 1), (2, 3)]]}
    return {"document": document_of_stanza() if "stanza" in line else document_of_udapi()}


def test_the_page_has_rows():
    assert len(ROWS) == 6


@pytest.mark.nightly
@pytest.mark.parametrize("source", sorted(ROWS))
def test_two_lines_give_the_score(source, tmp_path, monkeypatch):
    cells = ["Ann\t(1)", "saw\t-", "her\t(1)", "and\t-", "she\t(1)"]
    text = "\n".join(["#begin document (a); part 000", *cells, "", "#end document", ""])
    (tmp_path / "key.conll").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    names = {"corefmeter": corefmeter, **names_for(ROWS[source][0])}
    exec("\n".join(ROWS[source]), names)
    assert names["result"].muc.f1 == 2 / 3
