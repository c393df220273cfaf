"""What was written, read again: whatever comes back different is found here, for all formats alike.

A writer reports what it leaves out, with the reason: mentions as ``mention-unwritten``, documents
as ``document-unwritten``, all else as ``cannot-write``. What is lost beyond that is found here:
names, parts, words, mentions, documents. So no loss is silent, and nothing is written that its own
reader refuses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TypeAlias

from corefmeter.corpus.align import align_documents, ink
from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import is_more_than_a_place, pieces_if_any, place_of
from corefmeter.corpus.text import Text
from corefmeter.formats import Format, recognised_in
from corefmeter.formats.notes import lost_problem, unwritten_problem
from corefmeter.formats.source import Source
from corefmeter.problems import DataError, Problem, amount

#: Entities with their names.
_Named: TypeAlias = list[tuple[list[Mention], str]]


def differences(
    corpus: Corpus, format: Format, written: str, target: str, reported: Sequence[Problem]
) -> list[Problem]:
    """Return differences of a file that is read again, except those that its writer has reported.

    `target` is where the file will be, since some formats call a document as its file.
    """
    with Source(target, raw=BytesIO(written.encode())) as source:
        other = recognised_in(source)
        try:
            documents, _ = format.read(source, details=True)
        except DataError as error:
            first = error.problems[0]
            left_out = next((p for p in reported if first.code == "no-document"), first)
            reason = f"{format.name} cannot hold this: {left_out.message}"
            hint = "Write another format; nothing was written."
            label = corpus.documents[0].label if len(corpus) == 1 else None
            place = target, left_out.line, None, hint
            raise DataError(
                Problem("cannot-write", reason, "error", *place, document=label)
            ) from None
    found = []
    if other is not format:
        what = f"is taken for {other.name}" if other else "is recognised by no reader"
        hint = f"Read it with --from {format.name}."
        reason = f"such a file of {format.name} {what}"
        found.append(Problem("cannot-write", reason, path=target, hint=hint))
    told: Counter[tuple[str, str | None]] = Counter()
    for problem in reported:
        told[problem.code, problem.document] += problem.count
    for document, again in _paired(corpus.documents, documents):
        if again is not None:
            mentions = told["mention-unwritten", document.label]
            found += _changes(document, again, format, mentions)
        elif not told["document-unwritten", document.label]:
            outcome = "not in the file"
            found.append(unwritten_problem(document, "the document", outcome, "document-unwritten"))
    return found


def _paired(
    documents: list[Document], again: list[Document]
) -> list[tuple[Document, Document | None]]:
    """Return each document with what was read of it: by its name, or else by its place."""
    found: list[Document | None] = [None] * len(documents)
    left = list(again)
    for name in ("one_name", "id"):
        named = {getattr(document, name): document for document in left}
        for place, document in enumerate(documents):
            if found[place] is None and getattr(document, name) is not None:
                found[place] = named.pop(getattr(document, name), None)
        taken = set(map(id, found))
        left = [document for document in left if id(document) not in taken]
    if found.count(None) == len(left):
        others = iter(left)
        found = [other or next(others) for other in found]
    return list(zip(documents, found, strict=True))


def _changes(document: Document, again: Document, format: Format, told: int) -> list[Problem]:
    """Describe the differences of a document that was read back."""
    found = []
    same = document.id == again.id or document.one_name == again.one_name is not None
    if not same and not document.numbered:
        outcome = f"read as {again.label!r:.200}"
        found.append(unwritten_problem(document, "the name of the document", outcome))
    if document.text is not None and again.text is not None and again.unit != "names":
        found += _changed_words(document, document.text, again, again.text)
    if (document.unit == "names") != (again.unit == "names"):
        if sorted(map(len, document.entities)) != sorted(map(len, again.entities)):
            reason = "mentions or entities are lost"
            found.append(lost_problem(document, reason, code="mention-unwritten"))
        return found
    one, other = document, again
    try:
        if {one.unit, other.unit} == {"tokens", "characters"}:
            one, other = align_documents(one, other)
        changed = _changed_entities(one, other, told)
        if changed and format.align is not None:
            named = other.replace(name=one.name, part=one.part)
            (other,) = format.align(Corpus([one]), Corpus([named]))
            changed = min(changed, _changed_entities(one, other, told), key=len)
    except DataError as error:
        reason = f"mentions cannot be compared: {error.problems[0].message}"
        changed = [lost_problem(document, reason)]
    return found + changed


def _changed_words(document: Document, text: Text, again: Document, read: Text) -> list[Problem]:
    """Return the report about words that are read as others."""
    if document.unit != again.unit:
        if ink(text)[0] == ink(read)[0]:
            return []
        return [lost_problem(document, "the words cannot be written; others are read")]
    if len(text) != len(read):
        return [lost_problem(document, f"of {amount(len(text), 'word')}, {len(read)} are read")]
    return _replaced(document, "words", zip(text.words, read.words, strict=True))


def _changed_entities(one: Document, other: Document, told: int) -> list[Problem]:
    """Return the reports about mentions, entities and their names."""
    before, after = _entities(one), _entities(other)
    mentions, read = (Counter(m for e, _ in side for m in e) for side in (before, after))
    found = []
    kinds, kinds_read = _typed(one), _typed(other)
    if gained := (kinds_read - kinds) & mentions:
        message = "types become part of mentions, which match only those of the same type"
        found.append(lost_problem(one, message, gained.total()))
    if left := (kinds - kinds_read) & read:
        message = "types are part of mentions no longer, so that those of all types match"
        found.append(lost_problem(one, message, left.total()))
    missing, new = mentions - read, read - mentions
    if missing.total() > told:
        message = f"mentions are lost, such as {next(iter(missing))!r:.60}"
        found.append(lost_problem(one, message, missing.total() - told, "mention-unwritten"))
    if new:
        message = f"mentions are read that are none here, such as {next(iter(new))!r:.60}"
        found.append(lost_problem(one, message, new.total()))
    unlike = {*missing, *new}
    names: dict[frozenset[Mention], list[str]] = {}
    for entity, name in after:
        names.setdefault(frozenset(entity) - unlike, []).append(name)
    pairs = []
    split = 0
    for entity, name in before:
        kept = frozenset(entity) - unlike
        if names.get(kept):
            pairs.append((name, names[kept].pop(0)))
        else:
            split += bool(kept)
    if split:
        found.append(lost_problem(one, "entities are read with other mentions", split))
    elif mentions.total() > len(mentions):
        found += _moved_copies(one, before, after, unlike)
    if one.entities_named and other.entities_named:
        found += _replaced(one, "names of entities", pairs)
    elif one.entities_named and any(name != read for name, read in pairs):
        message = "the names of entities cannot be written; they are numbered"
        found.append(lost_problem(one, message))
    return found


def _typed(document: Document) -> Counter[Mention]:
    """Count the mentions that are more than a place, such as a type, by their places."""
    every = (mention for entity in document.entities for mention in entity)
    return Counter(map(_plain, filter(is_more_than_a_place, every)))


def _moved_copies(
    document: Document, before: _Named, after: _Named, unlike: set[Mention]
) -> list[Problem]:
    """Return the report about mentions of several entities that are read in another order of these.

    Which copy is the first decides what counts. Mentions that are not the same are left aside.
    """
    homes: tuple[dict[Mention, list[frozenset[Mention]]], ...] = {}, {}
    for side, found in zip((before, after), homes, strict=True):
        for entity, _ in side:
            kept = frozenset(entity) - unlike
            for mention in kept:
                found.setdefault(mention, []).append(kept)
    moved = [mention for mention in homes[0] if homes[0][mention] != homes[1][mention]]
    if not moved:
        return []
    message = f"copies of a mention are read in another order, such as those of {moved[0]!r:.60}"
    return [lost_problem(document, message, len(moved))]


def _replaced(document: Document, what: str, pairs: Iterable[tuple[str, str]]) -> list[Problem]:
    """Return the report about words or names that are read as others, with the first of them."""
    changed = [(old, new) for old, new in pairs if old != new]
    if not changed:
        return []
    old, new = changed[0]
    message = f"{what} cannot be written, such as {old!r:.60}, which is read as {new!r:.60}"
    return [lost_problem(document, message, len(changed))]


def _entities(document: Document) -> _Named:
    """The mentions and the name of each entity, without what else a format knows of a mention."""
    pairs = zip(document.entities, document.entity_names, strict=True)
    return [(list(map(_plain, entity)), name) for entity, name in pairs if entity]


def _plain(mention: Mention) -> Mention:
    """Return a mention as its pieces, if it has any."""
    place = place_of(mention)
    return pieces_if_any(place) or place
