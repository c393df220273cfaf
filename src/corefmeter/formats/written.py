"""Comparison of a corpus with its written file, which is read again; the same for all formats.

A writer reports what it leaves out, with the reason: mentions as ``mention-unwritten``, documents
as ``document-unwritten``, all else as ``cannot-write``. Any further loss of names, parts, words,
mentions or documents is found here. So no loss is silent, and no file is written that its own
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
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Text
from corefmeter.formats import Format, recognised_in
from corefmeter.formats.notes import lost_problem, unwritten_problem
from corefmeter.formats.source import Source
from corefmeter.problems import DataError, Problem, amount

#: The mentions of each entity, with its name.
_Named: TypeAlias = list[tuple[list[Mention], str]]


def differences(
    corpus: Corpus, format: Format, written: str, target: str, reported: Sequence[Problem]
) -> list[Problem]:
    """Return the differences between a corpus and its file, except those already reported.

    `written` is the text of the file. `target` is its future path, since some formats name a
    document after its file.
    """
    documents, problems = _read_again(corpus, format, written, target, reported)
    counts: Counter[tuple[str, str | None]] = Counter()  # of reported losses by code and document
    for problem in reported:
        counts[problem.code, problem.document] += problem.count
    for document, read in _pair_documents(corpus.documents, documents):
        if read is not None:
            lost_mentions = counts["mention-unwritten", document.label]
            problems += _compare(document, read, format, lost_mentions)
        elif not counts["document-unwritten", document.label]:
            code, outcome = "document-unwritten", "not in the file"
            problems.append(unwritten_problem(document, "the document", outcome, code))
    return problems


def _read_again(
    corpus: Corpus, format: Format, written: str, target: str, reported: Sequence[Problem]
) -> tuple[list[Document], list[Problem]]:
    """Return the documents of a written file, and a warning if it is taken for another format.

    DataError if its own reader refuses the file.
    """
    with Source(target, raw=BytesIO(written.encode())) as source:
        recognised = recognised_in(source)
        try:
            documents, _ = format.read(source, details=True)
        except DataError as error:
            cause = error.problems[0]
            if cause.code == "no-document":  # since the writer left all documents out
                cause = next(iter(reported), cause)
            reason = f"{format.name} cannot hold this: {cause.message}"
            hint = "Write another format; nothing was written."
            label = corpus.documents[0].label if len(corpus) == 1 else None
            problem = Problem("cannot-write", reason, "error", target, cause.line, hint=hint)
            raise DataError(problem._replace(document=label)) from None
    if recognised is format:
        return documents, []
    what = f"is taken for {recognised.name}" if recognised else "is not recognized"
    hint = f"Read it with --from {format.name}."
    reason = f"such a file of {format.name} {what}"
    return documents, [Problem("cannot-write", reason, path=target, hint=hint)]


def _pair_documents(
    documents: list[Document], read: list[Document]
) -> list[tuple[Document, Document | None]]:
    """Return each document with its counterpart that was read; None if it has none.

    Documents are paired by name. If as many remain on both sides, these are paired by order.
    """
    partners: list[Document | None] = [None] * len(documents)
    unpaired = list(read)
    for name in ("one_name", "id"):
        named = {getattr(document, name): document for document in unpaired}
        for place, document in enumerate(documents):
            if partners[place] is None and getattr(document, name) is not None:
                partners[place] = named.pop(getattr(document, name), None)
        paired = set(map(id, partners))
        unpaired = [document for document in unpaired if id(document) not in paired]
    if partners.count(None) == len(unpaired):
        remaining = iter(unpaired)
        partners = [partner or next(remaining) for partner in partners]
    return list(zip(documents, partners, strict=True))


def _compare(document: Document, read: Document, format: Format, reported: int) -> list[Problem]:
    """Describe the differences of a document that was read back.

    `reported` is the number of mentions that the writer reported as lost.
    """
    problems = []
    same = document.id == read.id or document.one_name == read.one_name is not None
    if not same and not document.numbered:
        outcome = f"read as {read.label!r:.200}"
        problems.append(unwritten_problem(document, "the name of the document", outcome))
    if document.text is not None and read.text is not None and read.unit != "names":
        problems += _compare_words(document, document.text, read, read.text)
    if (document.unit == "names") != (read.unit == "names"):
        # Names and positions cannot be compared, only the sizes of entities.
        if sorted(map(len, document.entities)) != sorted(map(len, read.entities)):
            reason = "mentions or entities are lost"
            problems.append(lost_problem(document, reason, code="mention-unwritten"))
        return problems
    try:
        if {document.unit, read.unit} == {"tokens", "characters"}:
            document, read = align_documents(document, read)
        changed = _compare_entities(document, read, reported)
        if changed and format.align is not None:
            named = read.replace(name=document.name, part=document.part)
            (aligned,) = format.align(Corpus([document]), Corpus([named]))
            changed = min(changed, _compare_entities(document, aligned, reported), key=len)
    except DataError as error:
        reason = f"mentions cannot be compared: {error.problems[0].message}"
        changed = [lost_problem(document, reason)]
    return problems + changed


def _compare_words(document: Document, text: Text, again: Document, read: Text) -> list[Problem]:
    """Return the report about words that are read as others."""
    if document.unit != again.unit:
        if ink(text)[0] == ink(read)[0]:
            return []
        return [lost_problem(document, "the words cannot be written; others are read")]
    if len(text) != len(read):
        return [lost_problem(document, f"of {amount(len(text), 'word')}, {len(read)} are read")]
    return _replaced(document, "words", zip(text.words, read.words, strict=True))


def _compare_entities(document: Document, read: Document, reported: int) -> list[Problem]:
    """Return the reports about mentions, entities and their names.

    `reported` is the number of mentions that the writer reported as lost.
    """
    before, after = _places_by_entity(document), _places_by_entity(read)
    mentions = Counter(mention for entity, _ in before for mention in entity)
    read_mentions = Counter(mention for entity, _ in after for mention in entity)
    missing, new = mentions - read_mentions, read_mentions - mentions
    problems = _compare_types(document, read, mentions & read_mentions)
    if missing.total() > reported:
        message = f"mentions are lost, such as {next(iter(missing))!r:.60}"
        count = missing.total() - reported
        problems.append(lost_problem(document, message, count, "mention-unwritten"))
    if new:
        message = f"the file has other mentions, such as {next(iter(new))!r:.60}"
        problems.append(lost_problem(document, message, new.total()))
    unlike = {*missing, *new}
    name_pairs, split = _pair_entities(before, after, unlike)
    if split:
        problems.append(lost_problem(document, "entities are read with other mentions", split))
    elif mentions.total() > len(mentions):
        problems += _compare_order_of_copies(document, before, after, unlike)
    if document.entities_named and read.entities_named:
        problems += _replaced(document, "names of entities", name_pairs)
    elif document.entities_named and any(name != name_read for name, name_read in name_pairs):
        message = "the names of entities cannot be written; they are numbered"
        problems.append(lost_problem(document, message))
    return problems


def _compare_types(document: Document, read: Document, in_both: Counter[Mention]) -> list[Problem]:
    """Return the reports about mentions that gain or lose a type, which decides what they match."""
    typed, typed_read = _typed_mentions(document), _typed_mentions(read)
    gained = "types become part of mentions, which match only those of the same type"
    lost = "types are no longer part of mentions, so mentions of all types match"
    changes = ((gained, (typed_read - typed) & in_both), (lost, (typed - typed_read) & in_both))
    return [lost_problem(document, what, them.total()) for what, them in changes if them]


def _pair_entities(
    before: _Named, after: _Named, unlike: set[Mention]
) -> tuple[list[tuple[str, str]], int]:
    """Pair entities that have the same mentions, those in `unlike` aside.

    Returned are the two names of each pair, and how many entities with mentions have no partner.
    """
    names = grouped((frozenset(entity) - unlike, name) for entity, name in after)
    pairs = []
    without_partner = 0
    for entity, name in before:
        mentions = frozenset(entity) - unlike
        if names.get(mentions):
            pairs.append((name, names[mentions].pop(0)))
        elif mentions:
            without_partner += 1
    return pairs, without_partner


def _typed_mentions(document: Document) -> Counter[Mention]:
    """Count the mentions with more than a place, such as a type, by their places."""
    mentions = (mention for entity in document.entities for mention in entity)
    return Counter(map(_place_only, filter(is_more_than_a_place, mentions)))


def _compare_order_of_copies(
    document: Document, before: _Named, after: _Named, unlike: set[Mention]
) -> list[Problem]:
    """Return the report about mentions whose entities are read in another order.

    Which copy of a repeated mention is the first decides which one counts. The mentions in `unlike`
    are ignored.
    """
    order, order_read = (_entities_of_mentions(side, unlike) for side in (before, after))
    moved = [mention for mention in order if order[mention] != order_read[mention]]
    if not moved:
        return []
    message = f"copies of a mention are read in another order, such as those of {moved[0]!r:.60}"
    return [lost_problem(document, message, len(moved))]


def _entities_of_mentions(
    entities: _Named, unlike: set[Mention]
) -> dict[Mention, list[frozenset[Mention]]]:
    """Return the entities of each mention in order, as sets, without the mentions in `unlike`."""
    sets = (frozenset(entity) - unlike for entity, _ in entities)
    return grouped((mention, mentions) for mentions in sets for mention in mentions)


def _replaced(document: Document, what: str, pairs: Iterable[tuple[str, str]]) -> list[Problem]:
    """Return the report about words or names that are read as others, with the first of them."""
    changed = [(old, new) for old, new in pairs if old != new]
    if not changed:
        return []
    old, new = changed[0]
    message = f"{what} cannot be written, such as {old!r:.60}, which is read as {new!r:.60}"
    return [lost_problem(document, message, len(changed))]


def _places_by_entity(document: Document) -> _Named:
    """Return the mentions of each entity as places only, with the entity's name."""
    pairs = zip(document.entities, document.entity_names, strict=True)
    return [(list(map(_place_only, entity)), name) for entity, name in pairs if entity]


def _place_only(mention: Mention) -> Mention:
    """Return the pieces of a mention, or its name if it has none, without a type."""
    place = place_of(mention)
    return pieces_if_any(place) or place
