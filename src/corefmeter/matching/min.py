"""Matching of MUC: the response covers the key's MIN and nothing outside the key mention.

Mentions of the same span are paired first; a key mention without a MIN matches nothing else. The
weight of other pairs is the share of the key mention that is covered, ``|S| / |K|``. Minima of the
response are ignored.

An optional key mention (STATUS="OPT") without a partner is removed from the key before anything is
counted, as if it had not been annotated; an entity without other mentions is removed too. Policies
for singletons apply before this step. An optional mention with a partner counts as any other.

The MUC scorer is not available. This follows the definition of the task, which defines MIN and OPT
but not every case of a chain that is partly optional.
"""

from __future__ import annotations

from collections.abc import Sequence

from corefmeter.corpus.model import Document
from corefmeter.corpus.positions import nodes
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import common_prefix
from corefmeter.matching.alignment import Alignment
from corefmeter.matching.assignment import Edge
from corefmeter.matching.partial import covering
from corefmeter.matching.sides import Side
from corefmeter.problems import DataError, Problem


def candidates(alignment: Alignment) -> list[Edge]:
    """Return pairs where the response mention lies within the key mention and covers its MIN.

    Key mentions without a MIN match the same span only, which has been tried before.
    """
    minima = {
        k: nodes(minimum)
        for k in alignment.key_free()
        if (minimum := alignment.key.details[k].minimum) is not None and minimum[0] < minimum[1]
    }
    return covering(alignment, minima)


def without_optional(alignment: Alignment) -> Alignment:
    """Return the alignment without the optional key mentions that have no partner."""
    key = alignment.key
    left = frozenset(k for k in alignment.key_free() if key.details[k].attributes.get("optional"))
    if not left:
        return alignment
    kept = [number for number in range(len(key)) if number not in left]
    by_entity = grouped((key.homes[number], number) for number in kept)
    document = key.document
    smaller = document.replace(
        entities=[[key.positions[number] for number in numbers] for numbers in by_entity.values()],
        entity_names=[document.entity_names[home] for home in by_entity],
        details=[[key.details[number] for number in numbers] for numbers in by_entity.values()],
    )
    new_numbers = {number: new for new, number in enumerate(kept)}
    reduced = Alignment(Side(smaller), alignment.response, alignment.distinct)
    reduced.left = left
    for match in alignment.matches:
        reduced.add(new_numbers[match.key], match.response, match.stage, match.weight)
    return reduced


def warn_without_minima(keys: Sequence[Document]) -> list[Problem]:
    """Return a warning if no key mention has a MIN, so that only equal spans match."""
    details = [known for key in keys for entity in key.details or [] for known in entity]
    if any(known.minimum is not None for known in details) or not any(k.entities for k in keys):
        return []
    reason = "no mention of the key has a MIN, so mentions match exactly"
    path = next((key.path for key in keys if key.path), None)
    return [Problem("no-minima", reason, path=path)]


def check_texts(key: Document, response: Document) -> None:
    """Refuse documents that count the characters of different texts."""
    if key.text is None or response.text is None or not key.unit == response.unit == "characters":
        return
    of_key, of_response = key.text.words, response.text.words
    if of_key == of_response:
        return
    offset = common_prefix(of_key, of_response)
    in_key, in_response = ("".join(words[offset : offset + 20]) for words in (of_key, of_response))
    reason = (
        f"the text differs from that of the key at character {offset}: {in_response!r} instead of "
        f"{in_key!r}"
    )
    hint = "Without tags, both files must have the same text, including spaces and line ends."
    raise DataError(response.problem("text-differs", reason, "error", hint))
