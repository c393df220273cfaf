"""Answers of language models: what became of the text, and what it cost.

A response that is marked text (`corefmeter.formats.inline`) has three scores:

``with repair``
    The response aligned with the words of the key, as `score` does.
``without repair``
    Its mentions at the places that they have among its own words, as if these were the key's.
``key, damaged alike``
    The mentions of the key whose first and last words are in the response, linked as in the key:
    the best possible answer with that text. Where mentions are matched otherwise than by being
    equal, what is left of the others is there too. By LEA, a mention that lost all its partners is
    left out, since alone it is an entity that is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Iterator, Sequence
from itertools import chain

from corefmeter.analysis.card.parts import Part
from corefmeter.corpus.model import PYTHON, Corpus, Document, Mention
from corefmeter.corpus.positions import is_empty, pieces_if_any
from corefmeter.formats.inline.align import AlignedDocument
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.scoring import score_corpora

SECTION = "answers"


def aligned_documents(response: Corpus) -> list[AlignedDocument]:
    """Return the documents of a response that were aligned as text with marks."""
    return [document for document in response if isinstance(document, AlignedDocument)]


def parts(key: Corpus, response: Corpus, recipe: Recipe) -> Iterator[Part]:
    """Yield the lines of the section; none if the response is no marked text.

    `key` and `response` are as they were read, the response in the positions of the key.
    """
    aligned = aligned_documents(response)
    if not aligned:
        return
    keys = {document.id: document for document in key}
    nearly = recipe.matches_nearly
    versions: dict[str, list[Document]] = {
        "with repair": [*aligned],
        "without repair": [_with_entities(one, _named_entities(one.unrepaired)) for one in aligned],
        "key, damaged alike": [keep_reached_mentions(keys[one.id], one, nearly) for one in aligned],
    }
    results = {name: _score(key, response, one, recipe) for name, one in versions.items()}
    bound = results["key, damaged alike"]
    if "lea" in bound.statistics:
        joined = recipe.as_one_document and recipe.shared_ids
        linked = drop_isolated_mentions(key, versions["key, damaged alike"], joined)
        alone = _score(key, response, linked, recipe.replace(metrics=("lea",)))
        bound.statistics["lea"] = alone.statistics["lea"]
    yield from (Part(SECTION, "", name, result) for name, result in results.items())


def _score(key: Corpus, response: Corpus, documents: list[Document], recipe: Recipe) -> Result:
    return score_corpora(key, Corpus(documents, path=response.path, format=PYTHON), recipe)


def keep_reached_mentions(
    key: Document, response: AlignedDocument, nearly: bool = False
) -> Document:
    """Return the document of the key with what is left of its mentions in the text of a response.

    With `nearly`, mentions that lost their first or last words stay, with the others.
    """
    others = set(chain.from_iterable(key.entities)) if nearly else None
    remaining = []
    for name, entity in _named_entities(key):
        mentions = [_find_remainder(mention, response.reached, others) for mention in entity]
        if remainder := list(filter(None, mentions)):
            remaining.append((name, remainder))
    return _with_entities(key, remaining)


def drop_isolated_mentions(
    key: Iterable[Document], damaged: Sequence[Document], joined: bool = False
) -> list[Document]:
    """Return damaged documents without entities that lost all mentions but one.

    With `joined`, entities of several documents that are called the same are one.

    >>> key = Document("d", [["Ann", "she"], ["Bob"]])
    >>> (left,) = drop_isolated_mentions([key], [key.replace(entities=[["Ann"], ["Bob"]])])
    >>> left.entities
    [['Bob']]
    """

    def home(document: Document, name: str) -> Hashable:
        return name if joined else (document.id, name)

    def sizes(documents: Iterable[Document]) -> Counter[Hashable]:
        found: Counter[Hashable] = Counter()
        for document in documents:
            for name, entity in _named_entities(document):
                found[home(document, name)] += len(entity)
        return found

    before, after = sizes(key), sizes(damaged)
    alone = {name for name, size in after.items() if size == 1 < before[name]}

    def keep(document: Document) -> Document:
        named = _named_entities(document)
        kept = [(name, entity) for name, entity in named if home(document, name) not in alone]
        return _with_entities(document, kept)

    return [*map(keep, damaged)]


def _named_entities(document: Document) -> Iterable[tuple[str, list[Mention]]]:
    return zip(document.entity_names, document.entities, strict=True)


def _with_entities(document: Document, named: Iterable[tuple[str, list[Mention]]]) -> Document:
    """Build a document with other entities, of which only the names are known.

    Where documents are joined by their ids, entities are one that are called the same.
    """
    entities = [*named]
    return document.replace(
        entities=[entity for _, entity in entities],
        entity_names=[name for name, _ in entities],
        relations=None,
    )


def _find_remainder(
    mention: Mention, reached: frozenset[int], others: Container[Mention] | None
) -> Mention | None:
    """Return a mention if its first and last token are reached, else the run of what is left.

    It is None if no token is reached, if only whole mentions are kept (`others` is None), or if the
    run is another mention.
    """
    pieces = pieces_if_any(mention)
    # An empty node has no word that could be lost.
    if not pieces or all(map(is_empty, pieces)):
        return mention
    runs = [piece for piece in pieces if not is_empty(piece)]
    if runs[0][0] in reached and runs[-1][1] - 1 in reached:
        return mention
    tokens = [token for start, end in runs for token in range(start, end) if token in reached]
    if others is None or not tokens:
        return None
    remainder = tokens[0], tokens[-1] + 1
    return None if remainder in others else remainder
