"""Building the entities of a document: connected mentions, their order, split antecedents."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import pieces
from corefmeter.corpus.text import Detail
from corefmeter.formats.notes import Notes
from corefmeter.problems import Problem, Severity

if TYPE_CHECKING:
    from corefmeter.corpus.relations import Split

#: The mentions of each entity with their details, by the name of the entity.
Members = dict[str, list[tuple[Mention, Detail]]]

#: A plural entity, its member, the text in the file that links them, its line and its column.
Member = tuple[str, str, str, int, int]


def in_text_order(entities: Mapping[str, Iterable[tuple[Mention, Detail]]]) -> Members:
    """Sort entities, and the mentions of each, by their positions.

    Examples
    --------
    >>> late, early, first = [((token, token + 1), Detail()) for token in (3, 2, 0)]
    >>> ordered = in_text_order({"a": [late, early], "b": [first]})
    >>> {name: [mention for mention, _ in members] for name, members in ordered.items()}
    {'b': [(0, 1)], 'a': [(2, 3), (3, 4)]}
    """
    ordered = {
        name: sorted(members, key=lambda member: pieces(member[0]))
        for name, members in entities.items()
    }
    return dict(sorted(ordered.items(), key=lambda item: pieces(item[1][0][0])))


def document_of(
    name: str,
    entities: Mapping[str, Iterable[tuple[Mention, Detail]]],
    details: bool,
    **values: Any,
) -> Document:
    """Return a document of these entities; it keeps the details of mentions only with `details`."""
    members = list(map(list, entities.values()))
    return Document(
        name,
        [[mention for mention, _ in entity] for entity in members],
        entity_names=list(entities),
        details=[[detail for _, detail in entity] for entity in members] if details else None,
        **values,
    )


def similar_ids(documents: Iterable[Document], path: str) -> list[Problem]:
    """Warn of entities of a document whose ids differ only in case, leading zeros or spaces."""
    similar: list[tuple[Document, str, str]] = []
    for document in documents:
        names = document.entity_names
        if not document.entities_named or not re.search(r"[^\d\0]|(?<!\d)0\d", "\0".join(names)):
            continue
        first_by_form: dict[str, str] = {}
        for name in names:
            form = re.sub(r"(?<!\d)0+(?=\d)", "", "".join(name.split()).casefold())
            first = first_by_form.setdefault(form, name)
            if first != name:
                similar.append((document, first, name))
    if not similar:
        return []
    document, first, name = similar[0]
    reason = f"{first[:60]!r} and {name[:60]!r} are two entities; "
    reason += "their ids differ only in case, leading zeros or spaces"
    hint = "If they are one entity, give it one id."
    problem = document.problem("similar-ids", reason, hint=hint, count=len(similar))
    return [problem._replace(path=path)]


def split_antecedents(
    notes: Notes, members: Sequence[Member], names: Container[str], severity: Severity
) -> tuple[Split, ...]:
    """Return the split antecedents of a document, one set for each plural entity.

    A plural entity that is not among the document's `names` or contains itself is reported with
    `severity`; a member that is not among them, as a warning.
    """
    from corefmeter.corpus.relations import cyclic, splits_of

    def report(member: Member, why: str, severity: Severity) -> None:
        _, name, text, line, column = member
        reason = f"{text} cannot make entity {name} a member: {why}"
        hint = "A member must be another entity of the document that does not contain the plural "
        hint += "entity."
        reason += "; it is left out" if severity == "warning" else ""
        notes.keep(Problem("bad-link", reason, severity, notes.path, line, column, hint))

    known = []
    for member in members:
        entity, name, *_ = member
        if entity not in names:
            report(member, f"there is no entity {entity}", severity)
        elif name not in names:
            report(member, f"there is no entity {name}", "warning")
        else:
            known.append(member)
    in_cycle = cyclic(splits_of(member[:2] for member in known))
    for member in known:
        if in_cycle.issuperset(member[:2]):
            report(member, f"it contains entity {member[0]}", severity)
    return splits_of(member[:2] for member in known if not in_cycle.issuperset(member[:2]))
