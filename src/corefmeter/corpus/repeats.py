"""Repeated mentions: the same mention twice on one side, in one entity or in several.

No metric defines them, and tools treat them differently. `policies` applies one of five policies:

``first``
    A repeated key mention stays in the entity that appears first. A repeated response mention
    that is in the key also keeps its first copy only; the copies of one that is not in the key
    are all wrong mentions. This scores a response as the official scorer v8.01 does.
``merge``
    Entities that share a mention become one entity; the mention counts once.
``distinct``
    Copies in different entities are different mentions: the n-th of the key is the n-th of the
    response. Of copies in one entity the first counts. This is what formats mean in which two
    mentions may have one position, such as CorefUD.
``error``
    Nothing is scored.
``official``
    The response as under ``first``; the key keeps all copies and is scored as v8.01 scores it
    (see `corefmeter.metrics.official`).

Each repeated mention is reported with its place. Copies are found within a document; only ``merge``
also looks across documents that are scored as one.
"""

from __future__ import annotations

from collections.abc import Sequence

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.pairing import Pair
from corefmeter.corpus.positions import is_run
from corefmeter.corpus.structures import grouped
from corefmeter.problems import DataError, Problem, Severity


def report_repeats(document: Document, side: str, policy: str) -> list[Problem]:
    """Return a problem for each repeated mention of a document, with the line of the mention."""
    problems = []
    for mention, names in repeats(document).items():
        place = f"in {describe_entities(names)}"
        reason = f"{_shown(mention)} of the {side} occurs {len(names)} times, {place}"
        problem = _problem(document, reason, policy, len(names) - 1)
        problems.append(problem._replace(line=document.line_of(mention)))
    return _raise_if_error(problems, policy)


def repeats(document: Document) -> dict[Mention, list[str]]:
    """Return the mentions that occur more than once, with the entity name of each copy."""
    if not document.copies:
        return {}
    named = zip(document.entity_names, document.entities, strict=True)
    names_of = grouped((mention, name) for name, entity in named for mention in entity)
    return {mention: names for mention, names in names_of.items() if len(names) > 1}


def report_merged(pairs: Sequence[Pair], read: Sequence[Pair], policy: str) -> list[Problem]:
    """Return a problem for each document in which alignment made different mentions equal.

    `read` are the documents before alignment, `pairs` those after it.
    """
    problems = []
    for after, before in zip(pairs, read, strict=True):
        for side, document, original in zip(("key", "response"), after, before, strict=True):
            if count := document.copies - original.copies:
                reason = f"mentions of the {side} differ in white space only"
                problems.append(_problem(document, reason, policy, count))
    return _raise_if_error(problems, policy)


def _problem(document: Document, reason: str, policy: str, count: int) -> Problem:
    severity: Severity = "error" if policy == "error" else "warning"
    reason = f"{reason}; policy {policy!r}"
    hint = _OTHER_ADVICE.get(policy, _ADVICE)
    problem = document.problem("repeated-mention", reason, severity, hint, count)
    return problem._replace(line=None)


def _raise_if_error(problems: list[Problem], policy: str) -> list[Problem]:
    if policy == "error" and problems:
        raise DataError(problems)
    return problems


def _shown(mention: Mention) -> str:
    if not is_run(mention):
        return f"the mention {mention!r}"
    start, end = mention
    if end == start + 1:
        return f"the mention at token {start}"
    return f"the mention at tokens {start} to {end - 1}"


def describe_entities(names: list[str]) -> str:
    """Format entity names for a message, each once."""
    distinct = list(dict.fromkeys(names))
    if len(distinct) == 1:
        return f"entity {distinct[0]}"
    return f"the entities {', '.join(distinct)}"


#: The advice under most policies, and under others.
_ADVICE = (
    "If the copies are a mistake, remove all but one. If two mentions may share a span, as in "
    "CorefUD, use --repeated distinct."
)
_OTHER_ADVICE = {
    "error": "Remove all copies but one, or choose the policy first, merge, distinct or official.",
    "distinct": "Copies in different entities count as different mentions, as in CorefUD. If they "
    "are a mistake, remove all copies but one.",
}
