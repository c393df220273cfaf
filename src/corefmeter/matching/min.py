"""Matching of MUC: the response covers the key's MIN and nothing outside the key mention.

A response mention S may be paired with a key mention K if MIN is in S and S is in K; without a MIN
the whole of K is its MIN, so only the same span matches. MIN is read from the key; what the
response says of minima plays no role. Mentions of the same span are paired first; the weight of the
others is the share of the key mention that is covered, ``|S| / |K|``.

Optional key mentions (STATUS="OPT") are asked for by nobody:

* One without a partner leaves the key, before anything is counted, as if it had not been
  annotated: it is no missing mention, and its chain is shorter by one. A chain of which nothing is
  left is no entity; one of which a single mention is left is an entity of one mention, which has no
  link. Singletons that a policy drops are those before this step.
* One with a partner stays on both sides and counts as any other, so the response mention is not
  spurious, and it is right or wrong with the others of its chain.

The program of the MUC scorer is not available; this follows the definition of the task, which says
what MIN and OPT mean but not every case of a chain that is optional in part.
"""

from __future__ import annotations

from collections.abc import Sequence

from corefmeter.corpus.model import Document, document_error
from corefmeter.corpus.positions import nodes
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.assignment import Edge
from corefmeter.matching.partial import covering
from corefmeter.matching.sides import Side
from corefmeter.problems import DataError, Problem


def candidates(
    key: Side, response: Side, key_free: Sequence[int], response_free: Sequence[int]
) -> list[Edge]:
    """Pairs where the response mention lies within the key mention and covers its MIN.

    Key mentions without a MIN match the same span only, which has been tried before.
    """
    minima = {
        k: nodes(minimum)
        for k in key_free
        if (minimum := key.details[k].minimum) is not None and minimum[0] < minimum[1]
    }
    return covering(key, response, minima, response_free)


def is_optional(key: Side, number: int) -> bool:
    """Return whether a key mention is optional."""
    return bool(key.details[number].attributes.get("optional"))


def without_optional(alignment: Alignment) -> Alignment:
    """Return the alignment after the optional key mentions without a partner have left the key."""
    key = alignment.key
    left = frozenset(k for k in alignment.key_free() if is_optional(key, k))
    if not left:
        return alignment
    kept = [
        (home, [number for number in numbers if number not in left])
        for home, numbers in enumerate(key.grouped(range(len(key))))
    ]
    kept = [(home, numbers) for home, numbers in kept if numbers]
    document = key.document
    smaller = document.replace(
        entities=[[key.positions[number] for number in numbers] for _, numbers in kept],
        entity_names=[document.entity_names[home] for home, _ in kept],
        details=[[key.details[number] for number in numbers] for _, numbers in kept],
    )
    now = {number: i for i, number in enumerate(n for _, numbers in kept for n in numbers)}
    found = Alignment(Side(smaller), alignment.response, alignment.distinct)
    found.left = left
    for match in alignment.matches:
        found.add(now[match.key], match.response, match.stage, match.weight)
    return found


def without_minima(keys: Sequence[Document]) -> list[Problem]:
    """Return a warning where no key mention has a MIN, so that only the same spans match."""
    details = [known for key in keys for entity in key.details or [] for known in entity]
    if any(known.minimum is not None for known in details) or not any(k.entities for k in keys):
        return []
    reason = "no mention of the key has a MIN, so mentions match exactly"
    path = next((key.path for key in keys if key.path), None)
    return [Problem("no-minima", reason, path=path)]


def check_texts(key: Document, response: Document) -> None:
    """Refuse documents that count the characters of different texts.

    Raises
    ------
    DataError
        ``text-differs`` with the offset of the first difference.
    """
    texts = key.text, response.text
    if texts[0] is None or texts[1] is None or not key.unit == response.unit == "characters":
        return
    if texts[0].words == texts[1].words:
        return
    ours, theirs = texts[0].words, texts[1].words
    offset = next(
        (i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b),
        min(len(ours), len(theirs)),
    )
    there, here = ("".join(words[offset : offset + 20]) for words in (ours, theirs))
    raise DataError(
        document_error(
            response,
            "text-differs",
            f"another text than in the key from character {offset} on: {here!r} where the key has "
            f"{there!r}",
            hint="Without tags, both files must have the same text, spaces and line ends included.",
        )
    )
