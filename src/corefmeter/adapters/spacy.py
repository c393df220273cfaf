"""spaCy's Docs, with the coreference of spaCy's own components, of fastcoref or of coreferee."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corefmeter.adapters.made import Named, document_of_object, objects_by_name, unannotated
from corefmeter.calls import checked_call, warn_user
from corefmeter.corpus.model import Corpus, Document
from corefmeter.corpus.positions import mention_of
from corefmeter.corpus.text import Detail, Text
from corefmeter.problems import Problem


@checked_call()
def from_spacy(docs: Any, prefix: str = "coref_clusters") -> Corpus:
    """Convert Docs whose entities are span groups, such as ``doc.spans["coref_clusters_1"]``, ….

    Parameters
    ----------
    docs
        A Doc, a mapping from names to Docs, or several Docs.
    prefix
        The prefix of the names of these groups.

    Raises
    ------
    DataError
        ``bad-span`` for a mention that is not in the text.
    """

    def convert(named: Named) -> Document:
        heads = named.value.has_annotation("DEP")
        entities = {
            name: [((s.start, s.end), Detail(head=s.root.i if heads else None)) for s in group]
            for name, group in named.value.spans.items()
            if name.startswith(prefix)
        }
        return document_of_object("<spaCy>", named, _text_of_doc(named.value), entities)

    return _convert_all(docs, convert)


@checked_call()
def from_coreferee(docs: Any) -> Corpus:
    """Convert Docs with coreferee's ``doc._.coref_chains``, whose mentions are heads.

    Coordinated heads are one mention of several pieces. Score with ``match="head"`` if the mentions
    of the key are more than heads.

    Raises
    ------
    DataError
        ``bad-span`` for a mention that is not in the text.
    """

    def convert(named: Named) -> Document:
        chains = named.value._.coref_chains
        if chains is None:
            raise unannotated("<coreferee>", named, "coreferee")
        entities = {
            number: [
                (mention_of((i, i + 1) for i in m.token_indexes), Detail(head=m.root_index))
                for m in chain
            ]
            for number, chain in enumerate(chains)
        }
        return document_of_object("<coreferee>", named, _text_of_doc(named.value), entities)

    return _convert_all(docs, convert)


@checked_call()
def from_fastcoref(docs: Any) -> Corpus:
    """Convert Docs with fastcoref's ``doc._.coref_clusters``, or fastcoref's predictions.

    Positions are counted in characters, because the model has its own tokens. Score with
    ``align="characters"``.

    Raises
    ------
    DataError
        ``bad-span`` for a mention that is not in the text.
    """

    problems: list[Problem] = []

    def convert(named: Named) -> Document:
        value = named.value
        predicted = hasattr(value, "get_clusters")  # else it is a Doc
        clusters = value.get_clusters(as_strings=False) if predicted else value._.coref_clusters
        if clusters is None:
            raise unannotated("<fastcoref>", named, "fastcoref")
        entities = {n: [s for s in spans if s is not None] for n, spans in enumerate(clusters)}
        if lost := sum(map(len, clusters)) - sum(map(len, entities.values())):
            reason = "mentions of the model have no position in the text; left out"
            problem = Problem("mention-lost", reason, path="<fastcoref>", document=named.name)
            problems.append(problem._replace(count=lost))
        text = Text([*value.text], between="")
        return document_of_object("<fastcoref>", named, text, entities, unit="characters")

    corpus = _convert_all(docs, convert)
    corpus.problems += problems
    warn_user(corpus.problems)
    return corpus


def _convert_all(docs: Any, convert: Callable[[Named], Document]) -> Corpus:
    """Convert one Doc, a mapping from names to Docs, or several, each by a function."""
    named_docs = objects_by_name(docs, lambda value: hasattr(value, "text"))
    return Corpus(list(map(convert, named_docs)))


def _text_of_doc(doc: Any) -> Text:
    """Return the tokens of a Doc, with what it knows of them."""
    text = Text([token.text for token in doc])
    if doc.has_annotation("SENT_START"):
        text.sentences = [sentence.start for sentence in doc.sents]
    if doc.has_annotation("TAG"):
        text.pos = [token.tag_ for token in doc]
    if doc.has_annotation("POS"):
        text.upos = [token.pos_ for token in doc]
    if doc.has_annotation("DEP"):
        text.heads = [-1 if token.head.i == token.i else token.head.i for token in doc]
        text.relations = [token.dep_ for token in doc]
    return text
