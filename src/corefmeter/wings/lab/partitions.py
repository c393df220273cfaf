"""Keys for experiments: entities of given or random sizes, and documents around entities.

An invented mention is the half-open span ``(n, n + 1)`` of one token, which every format can hold.
All functions return new lists; random functions take a seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, count, islice
from random import Random

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.positions import is_run
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Detail
from corefmeter.preparation import prepare
from corefmeter.problems import OptionError
from corefmeter.recipe import Recipe

#: A seed, or a generator whose stream is continued.
Seed = int | Random


def generator(seed: Seed) -> Random:
    """Return a generator with a seed; return a generator as it is."""
    return seed if isinstance(seed, Random) else Random(seed)


def entities_of_sizes(sizes: Iterable[int], first: int = 0) -> Entities:
    """Return entities of these sizes, of mentions ``(n, n + 1)`` counted from `first`.

    >>> entities_of_sizes([2, 1])
    [[(0, 1), (1, 2)], [(2, 3)]]
    """
    entities: Entities = []
    for size in sizes:
        if size < 1:
            raise OptionError(f"an entity must have 1 mention or more, not {size}")
        entities.append([(n, n + 1) for n in range(first, first + size)])
        first += size
    return entities


def drawn_sizes(entities: int, mean: float, seed: Seed, smallest: int = 2) -> list[int]:
    """Draw sizes from a geometric distribution: many small entities, few large ones.

    P(size = smallest + i) = q (1 - q)^i for i = 0, 1, …, with q = 1/(1 + mean - smallest), so that
    the expected size is `mean`. With the default, no entity is a singleton.

    >>> drawn_sizes(3, mean=2, seed=0)
    [2, 2, 2]
    """
    if smallest < 1 or not mean >= smallest:
        raise OptionError(f"sizes of {smallest} or more cannot have a mean of {mean}")
    random = generator(seed)
    stop = 1 / (1 + mean - smallest)
    sizes = []
    for _ in range(entities):
        size = smallest
        while random.random() >= stop:
            size += 1
        sizes.append(size)
    return sizes


def sizes_of(corpus: Iterable[Document]) -> list[int]:
    """Return the sizes of all entities of a corpus, in order."""
    return [len(entity) for document in corpus for entity in document.entities]


def as_invented(entities: Entities, name: str = "invented") -> Document:
    """Return a document with these entities; it ends where their last span ends."""
    ends = [mention[1] for entity in entities for mention in entity if is_run(mention)]
    return Document(name, entities, tokens=max(ends, default=0))


def with_entities(document: Document, entities: Entities) -> Document:
    """Return a copy of a document with other entities.

    Mentions keep their details: the n-th copy of a mention gets those of the n-th copy in the
    document, or of the last copy if there are fewer. New mentions get empty details.
    """
    details = None
    if document.details is not None:
        mentions = chain.from_iterable(document.entities)
        known = grouped(zip(mentions, chain.from_iterable(document.details), strict=True))

        def take_detail(mention: Mention) -> Detail:
            of_copies = known.get(mention, [Detail()])
            return of_copies.pop(0) if len(of_copies) > 1 else of_copies[0]

        details = [list(map(take_detail, entity)) for entity in entities]
    return document.replace(entities=entities, details=details)


#: Percentages of entity types in `typed_corpus`.
TYPES = {"PER": 50, "ORG": 25, "GPE": 17, "LOC": 4, "FAC": 4}

#: Percentages of the kinds of later mentions in entities with a name (True) and without.
LATER = {True: {"name": 40, "nominal": 25, "pronoun": 35}, False: {"nominal": 50, "pronoun": 50}}


def typed_corpus(entities: int, documents: int, mean: float, seed: Seed) -> Corpus:
    """Return invented documents like those of ACE: entities have types, mentions have kinds.

    Sizes, including singletons, are drawn by `drawn_sizes` with this mean. The order of all
    mentions in a document is random. About half of the entities have a name as their first mention.
    Types and the kinds of other mentions are drawn according to `TYPES` and `LATER`.

    >>> corpus = typed_corpus(entities=7, documents=2, mean=2, seed=0)
    >>> [len(document.entities) for document in corpus]
    [3, 4]
    """
    random = generator(seed)
    corpus = []
    for number in range(documents):
        # Entities are distributed as evenly as possible.
        in_document = (number + 1) * entities // documents - number * entities // documents
        sizes = drawn_sizes(in_document, mean, random, smallest=1)
        types = random.choices([*TYPES], [*TYPES.values()], k=in_document)
        named = [random.random() < 0.5 for _ in sizes]
        order = [entity for entity, size in enumerate(sizes) for _ in range(size)]
        random.shuffle(order)
        spans: Entities = [[] for _ in sizes]
        details: list[list[Detail]] = [[] for _ in sizes]
        for token, entity in enumerate(order):
            kind = "name" if named[entity] else "nominal"
            if spans[entity]:
                later = LATER[named[entity]]
                (kind,) = random.choices([*later], [*later.values()])
            spans[entity].append((token, token + 1))
            details[entity].append(Detail(kind=kind, entity_type=types[entity]))
        name = f"invented-{number + 1:03}"
        corpus.append(Document(name, spans, details=details, tokens=len(order)))
    return Corpus(corpus)


def paired_documents(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Return the documents that the default recipe pairs, with each mention once.

    Entities and mentions are in the order of the text, so that the results of a seed do not depend
    on the order in the files.
    """
    prepared, _ = prepare(key, response, Recipe())
    return (
        Corpus([pair.key.by_content() for pair in prepared]),
        Corpus([pair.response.by_content() for pair in prepared]),
    )


def twinless_mentions(
    number: int, taken: Iterable[Mention], tokens: int | None = None
) -> list[Mention]:
    """Return new mentions, other than those that are taken.

    If all taken mentions are spans, the new ones are spans too: first those of one token, then of
    two, and so on, within the `tokens` of the document, then spans beyond its end. Otherwise they
    are pairs ``("twinless", n)``. By default a document ends where the last span ends.

    >>> twinless_mentions(3, [(0, 1), (2, 3)], tokens=4)
    [(1, 2), (3, 4), (0, 2)]
    >>> twinless_mentions(1, ["a", "b"])
    [('twinless', 0)]
    """
    used = set(taken)
    spans = list(filter(is_run, used))
    new: Iterator[Mention]
    if len(spans) < len(used):
        new = (("twinless", n) for n in count())
    else:
        if tokens is None:
            tokens = max((end for _, end in spans), default=0)
        lengths = range(1, tokens + 1)
        inside = ((start, start + n) for n in lengths for start in range(tokens - n + 1))
        new = chain(inside, ((n, n + 1) for n in count(tokens)))
    return list(islice((mention for mention in new if mention not in used), number))
