"""Keys for experiments: entities of given sizes, of drawn sizes, or of the sizes of a real file.

An invented mention is the half-open span ``(n, n + 1)`` of one token, so that every format can hold
it. All functions return new lists; what is random is drawn from the seed that is given.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import count
from random import Random

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.positions import is_run
from corefmeter.corpus.text import Detail
from corefmeter.preparation import prepare
from corefmeter.problems import OptionError
from corefmeter.recipe import Recipe

#: Where randomness comes from: a number, or a generator that goes on.
Seed = int | Random


def generator(seed: Seed) -> Random:
    """Return the generator of a seed; a generator is returned as it is."""
    return seed if isinstance(seed, Random) else Random(seed)


def entities_of_sizes(sizes: Iterable[int], first: int = 0) -> Entities:
    """Return entities of these sizes, of mentions ``(n, n + 1)`` counted from `first`.

    Examples
    --------
    >>> entities_of_sizes([2, 1])
    [[(0, 1), (1, 2)], [(2, 3)]]
    """
    numbers = count(first)
    made: Entities = []
    for size in sizes:
        if size < 1:
            raise OptionError(f"an entity has 1 mention or more, not {size}")
        made.append([(n, n + 1) for _, n in zip(range(size), numbers, strict=False)])
    return made


def drawn_sizes(entities: int, mean: float, seed: Seed, smallest: int = 2) -> list[int]:
    """Draw sizes of a geometric distribution: many small entities, few large ones.

    P(size = smallest + i) = q (1 - q)^i for i = 0, 1, …, with q = 1/(1 + mean - smallest), so that
    the expected size is `mean`, at least `smallest`; 2 leaves no singletons.

    Examples
    --------
    >>> drawn_sizes(3, mean=2, seed=0)
    [2, 2, 2]
    """
    if smallest < 1 or not mean >= smallest:
        raise OptionError(f"sizes of {smallest} or more have no mean of {mean}")
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
    """Return the sizes of all entities of a corpus, in its order."""
    return [len(entity) for document in corpus for entity in document.entities]


def as_invented(entities: Entities, name: str = "invented") -> Document:
    """Return a document around entities whose mentions are spans; it is as long as they reach."""
    ends = [mention[1] for entity in entities for mention in entity if is_run(mention)]
    return Document(name, entities, tokens=max(ends, default=0))


def with_entities(document: Document, entities: Entities) -> Document:
    """Return the same document with other entities, named by number.

    Mentions keep their details: the n-th copy of a mention has those of the n-th copy before, or of
    the last one if there were fewer. Mentions that the document does not have get empty details.
    """
    details = None
    if document.details is not None:
        known: dict[Mention, deque[Detail]] = {}
        for spans, of_entity in zip(document.entities, document.details, strict=True):
            for mention, detail in zip(spans, of_entity, strict=True):
                known.setdefault(mention, deque()).append(detail)

        def take_detail(mention: Mention) -> Detail:
            of_copies = known.get(mention)
            if of_copies is None:
                return Detail()
            return of_copies.popleft() if len(of_copies) > 1 else of_copies[0]

        details = [list(map(take_detail, entity)) for entity in entities]
    return document.replace(entities=entities, details=details)


#: Shares of entity types in `typed_corpus`, in percent.
TYPES = {"PER": 50, "ORG": 25, "GPE": 17, "LOC": 4, "FAC": 4}

#: Shares of the kinds of later mentions, in percent, of entities that have a name and of others.
LATER = {True: {"name": 40, "nominal": 25, "pronoun": 35}, False: {"nominal": 50, "pronoun": 50}}


def typed_corpus(entities: int, documents: int, mean: float, seed: Seed) -> Corpus:
    """Return documents like those of ACE: entities have types, mentions have kinds.

    Sizes are drawn by `drawn_sizes` with this mean, singletons among them; mentions of all entities
    of a document are mixed. Half of the entities have a name, which is their first mention; types
    and the other mentions are drawn by `TYPES` and `LATER`.

    Examples
    --------
    >>> corpus = typed_corpus(entities=7, documents=2, mean=2, seed=0)
    >>> [len(document.entities) for document in corpus]
    [3, 4]
    """
    random = generator(seed)
    made = []
    for number in range(documents):
        # Entities are shared out as evenly as possible.
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
        made.append(
            Document(f"invented-{number + 1:03}", spans, details=details, tokens=len(order))
        )
    return Corpus(made)


def paired_documents(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Return the documents that belong together by the default recipe, each mention once.

    Entities and mentions are in the order of the text, so that a seed does the same in whatever
    order they are listed.
    """
    prepared, _ = prepare(key, response, Recipe())
    return (
        Corpus([one.key.by_content() for one in prepared]),
        Corpus([one.response.by_content() for one in prepared]),
    )


def twinless_mentions(
    number: int, taken: Iterable[Mention], tokens: int | None = None
) -> list[Mention]:
    """Return mentions that are not taken, for a response to invent.

    If all taken mentions are spans, they are spans too: first those of one token, then of two, and
    so on, within the `tokens` of the document, then spans behind its end. Otherwise they are pairs
    ``("twinless", n)``. By default a document ends where the last span ends.

    Examples
    --------
    >>> twinless_mentions(3, [(0, 1), (2, 3)], tokens=4)
    [(1, 2), (3, 4), (0, 2)]
    >>> twinless_mentions(1, ["a", "b"])
    [('twinless', 0)]
    """
    used = set(taken)
    spans = list(filter(is_run, used))
    if len(spans) < len(used):
        free = (("twinless", n) for n in count() if ("twinless", n) not in used)
        return [mention for _, mention in zip(range(number), free, strict=False)]
    if tokens is None:
        tokens = max((end for _, end in spans), default=0)
    found: list[Mention] = []
    for length in range(1, tokens + 1):
        for start in range(tokens - length + 1):
            if len(found) == number:
                return found
            if (start, start + length) not in used:
                found.append((start, start + length))
    return found + [(tokens + n, tokens + n + 1) for n in range(number - len(found))]
