"""What a format can hold, and a corpus made fit for it, with everything that is lost on the way.

A format is not asked what it can hold: a tiny document with the thing in question is written, and
the format can hold it if the writer says nothing and writes something else than without it. So a
new format needs no list of abilities that could be wrong.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from itertools import count
from typing import Any

from corefmeter.corpus.align import as_characters, as_tokens
from corefmeter.corpus.model import (
    Corpus,
    Document,
    Entities,
    Mention,
    as_file_name,
    is_reserved,
    same_file_name,
    with_part,
)
from corefmeter.corpus.positions import has_gap, is_empty, mention_of, pieces_if_any
from corefmeter.corpus.relations import KINDS, Bridge, Layer, NonReferring, Relations, Split
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats import Format, format_named, in_order, writer
from corefmeter.formats.base import reader_errors
from corefmeter.formats.output import check_outputs, make_folder, open_output
from corefmeter.formats.writing import written_names
from corefmeter.formats.written import differences
from corefmeter.problems import DataError, OptionError, Problem

#: So many losses of a kind that differ in the document only are told one by one.
_SHOWN = 3

#: What is known about tokens, as it is called in messages, and a value for a text of three words
#: of which the last is in no mention.
_LAYERS: dict[str, tuple[str, Any]] = {
    "words": ("words", ["Xx", "Xx", "Yy"]),
    "pos": ("parts of speech", ["YY", "YY", "YY"]),
    "upos": ("universal parts of speech", ["VERB", "VERB", "VERB"]),
    "parse": ("parses", ["(YY*", "*", "*)"]),
    "heads": ("dependencies", [2, 2, -1]),
    "relations": ("names of dependencies", ["yy", "yy", "yy"]),
    "entity_types": ("named entities", [(0, 1, "YY")]),
    "speakers": ("speakers", ["Yy", "Yy", "Yy"]),
    "sentences": ("sentence breaks", [0, 1]),
}

#: What is known about mentions, and a value for the mention of the first two words.
_FEATURES: dict[str, tuple[str, Any]] = {
    "head": ("heads", 1),
    "minimum": ("minimum spans", (1, 2)),
    "kind": ("kinds", "pronoun"),
    "entity_type": ("types", "person"),
}

#: Relations, of three entities of a word each.
_RELATIONS = {
    "split": Relations((Split("3", ("1", "2")),)),
    "bridging": Relations(bridges=(Bridge((1, 2), (0, 1), "1"),)),
    "nonreferring": Relations(nonreferring=(NonReferring((0, 2)),)),
    "deixis": Relations(deixis=Layer([[(0, 3)]], ["1"])),
}

_GAP: Mention = ((0, 1), (2, 3))
_EMPTY: Mention = ((1, 1, 1),)


def format_by_ending(path: str) -> str:
    """Return the format for a file name's ending.

    Raises
    ------
    OptionError
        When it stands for none.

    Examples
    --------
    >>> format_by_ending("key.conllu.gz")
    Traceback (most recent call last):
    corefmeter.problems.OptionError: 'key.conllu.gz' would be compressed; write it uncompressed
    >>> format_by_ending("key.conllu")
    'conllu'
    """
    if path.endswith((".gz", ".xz", ".zst")):
        raise OptionError(f"{path!r} would be compressed; write it uncompressed")
    for format in in_order():
        if path.lower().endswith(format.endings):
            return format.name
    written = ", ".join(format.name for format in in_order() if format.write is not None)
    raise OptionError(f"the name {path!r} does not show its format; give it with --to: {written}")


def convert_corpus(corpus: Corpus, format: str, *, hull: bool) -> tuple[Corpus, list[Problem]]:
    """Return a corpus that a format can hold, and what is lost.

    Parameters
    ----------
    corpus
        Read with details.
    format
        The name of the format.
    hull
        Fill gaps where the format cannot hold them, instead of leaving such mentions out.

    Returns
    -------
    corpus, losses

    Raises
    ------
    OptionError
        For an unknown format, or one that cannot be written.
    DataError
        ``no-words`` where positions cannot be counted as the format counts them; ``no-positions``
        where mentions have none.
    """
    into = format_named(format)
    fitted = [_in_units(document, into) for document in corpus]
    gaps = _holds(into, _document([[_GAP, (1, 2)]]))
    empty = _holds(into, _document([[_EMPTY, (1, 2)]]))
    counts: Counter[str] = Counter()
    fitted = [_fitted(document, gaps, empty, hull, counts) for document in fitted]
    lost = [
        Problem(
            "mention-unwritten" if what in _UNWRITTEN else "cannot-write",
            f"{_number(counts[what], what)} cannot be written in {format}: {outcome}",
            path=corpus.path,
        )
        for what, outcome in _OUTCOMES.items()
        if counts[what]
    ]
    lost += _lost_annotation(fitted, into, corpus.path)
    made = Corpus(fitted, path=corpus.path, format=corpus.format, digests=corpus.digests)
    return made, lost


def with_numeric_ids(corpus: Corpus) -> Corpus:
    """Replace non-numeric entity names by numbers, the same for a name in all documents.

    Examples
    --------
    >>> documents = [Document("x", [["a"], ["b"]], entity_names=["e7", "0"]),
    ...              Document("y", [["c"]], entity_names=["e7"])]
    >>> [document.entity_names for document in with_numeric_ids(Corpus(documents))]
    [['1', '0'], ['1']]
    """
    old = list(dict.fromkeys(name for document in corpus for name in document.entity_names))
    numbers = map(str, count())
    new = dict(zip(old, written_names(old, _is_number, lambda _: numbers), strict=True))
    documents = [
        document.replace(
            entity_names=[new[name] for name in document.entity_names],
            relations=document.relations and document.relations.renamed(lambda n: new.get(n, n)),
        )
        for document in corpus
    ]
    return Corpus(documents, path=corpus.path, format=corpus.format, digests=corpus.digests)


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdecimal()


#: What cannot be written, and what becomes of it.
_OUTCOMES = {
    "discontinuous mention": "left out; --hull fills gaps",
    "mention with a gap": "the gap is filled",
    "mention of empty nodes": "left out",
    "mention with empty nodes": "the empty nodes are left out",
    "entity": "left out, since no mention is left",
} | dict.fromkeys(KINDS.values(), "left out, since the mention is")

#: Which of these are mentions that are left out.
_UNWRITTEN = ("discontinuous mention", "mention of empty nodes")


def _in_units(document: Document, into: Format) -> Document:
    """Return a document that counts what a format counts."""
    if document.unit in into.units or "names" in into.units:
        return document
    if document.unit == "names":
        reason = f"mentions are names without positions, which {into.name} cannot hold"
        hint = "Write clusters."
        raise DataError(document.problem("no-positions", reason, "error", hint))
    return as_characters(document) if document.unit == "tokens" else as_tokens(document)


def _document(entities: Entities, **values: Any) -> Document:
    """Return a document of three words."""
    text = values.pop("text", None) or Text(["Xx", "Xx", "Xx"])
    return Document("x", entities, tokens=3, text=text, **values)


def _output(into: Format, document: Document) -> tuple[str, list[Problem]]:
    """Return a format's output for a document."""
    stream = StringIO()
    with reader_errors(f"writing {into.name}", document.path):
        problems = writer(into)(Corpus([_in_units(document, into)]), stream)
    return stream.getvalue(), problems


def _holds(into: Format, document: Document) -> bool:
    """Return whether a format can hold all of a document."""
    return not _output(into, document)[1]


def _fitted(
    document: Document, gaps: bool, empty: bool, hull: bool, counts: Counter[str]
) -> Document:
    """Return a document without the gaps and empty nodes that a format cannot hold."""
    if gaps and empty:
        return document
    entities: Entities = []
    names: list[str] = []
    details: list[list[Detail]] = []
    for i, entity in enumerate(document.entities):
        kept: list[Mention] = []
        kept_details: list[Detail] = []
        for j, mention in enumerate(entity):
            fitting = _fitting(mention, gaps, empty, hull, counts)
            if fitting is not None:
                kept.append(fitting)
                if document.details is not None:
                    kept_details.append(document.details[i][j])
        if kept or not entity:
            entities.append(kept)
            names.append(document.entity_names[i])
            details.append(kept_details)
        else:
            counts["entity"] += 1
    relations = document.relations
    if relations is not None:
        relations = relations.mapped(lambda m: _fitting(m, gaps, empty, hull, Counter()))
        left = relations.counts()
        for kind, number in document.related.items():
            counts[KINDS[kind]] += number - left.get(kind, 0)
    return document.replace(
        entities=entities,
        entity_names=names,
        details=details if document.details is not None else None,
        relations=relations,
    )


def _fitting(
    mention: Mention, gaps: bool, empty: bool, hull: bool, counts: Counter[str]
) -> Mention | None:
    """Return a mention as a format can hold it, or None if it cannot."""
    parts = pieces_if_any(mention)
    if not parts:
        return mention
    runs = [part for part in parts if not is_empty(part)]
    nodes = [part for part in parts if is_empty(part)]
    if nodes and not empty:
        if not runs:
            counts["mention of empty nodes"] += 1
            return None
        counts["mention with empty nodes"] += 1
        nodes = []
    if has_gap(mention) and not gaps:
        if not hull:
            counts["discontinuous mention"] += 1
            return None
        counts["mention with a gap"] += 1
        runs = [(min(run[0] for run in runs), max(run[1] for run in runs))]
    elif len(runs) + len(nodes) == len(parts):
        return mention
    return mention_of([*runs, *nodes])


def _lost_annotation(documents: list[Document], into: Format, path: str | None) -> list[Problem]:
    """Find annotation of tokens and mentions that the format does not write, by writing samples."""
    lost = []
    without, _ = _output(into, _document([[(0, 2)]], details=[[Detail()]]))
    for name, (title, value) in _LAYERS.items():
        count = sum(_has_layer(document, name) for document in documents)
        if count:
            text = Text(["Xx", "Xx", "Xx"]).replace(**{name: value})
            sample = _document([[(0, 2)]], text=text, details=[[Detail()]])
            if _output(into, sample)[0] == without:
                lost.append(_not_kept(f"the {title} of {_number(count, 'document')}", into, path))
    for name, (title, value) in _FEATURES.items():
        count = sum(_with_feature(document, name) for document in documents)
        if count:
            details = [[Detail(**{name: value})]]
            if _output(into, _document([[(0, 2)]], details=details))[0] == without:
                lost.append(_not_kept(f"the {title} of {_number(count, 'mention')}", into, path))
    lost += _lost_attributes(documents, into, path)
    return lost + _lost_relations(documents, into, path)


def _lost_relations(documents: list[Document], into: Format, path: str | None) -> list[Problem]:
    """Relations that the format does not hold."""
    related: Counter[str] = Counter()
    for document in documents:
        related.update(document.related)
    bare = _document([[(0, 1)], [(1, 2)], [(2, 3)]], entity_names=["1", "2", "3"])
    return [
        _not_kept(_number(number, KINDS[kind]), into, path)
        for kind, number in related.items()
        if _output(into, bare.replace(relations=_RELATIONS[kind]))[0] == _output(into, bare)[0]
    ]


def _lost_attributes(documents: list[Document], into: Format, path: str | None) -> list[Problem]:
    """Attributes of documents and mentions that the format does not hold."""
    lost = []
    known = Counter(
        name
        for document in documents
        for name, value in document.attributes.items()
        if value and name != "columns"
    )
    for name, number in known.items():
        document = next(d for d in documents if d.attributes.get(name))
        bare = document.replace(
            attributes={k: v for k, v in document.attributes.items() if k != name}
        )
        if _output(into, document)[0] == _output(into, bare)[0]:
            what = f"{name.replace('_', ' ')} of {_number(number, 'document')}"
            lost.append(_not_kept(what, into, path))
    return lost


def _has_layer(document: Document, name: str) -> bool:
    """Return whether a document has any value in a layer."""
    text = document.text
    value = getattr(text, name) if text is not None else None
    return len(value) > 1 if name == "sentences" and value else bool(value)


def _with_feature(document: Document, name: str) -> int:
    """Count the mentions of a document that have a feature."""
    details = (detail for entity in document.details or () for detail in entity)
    return sum(getattr(detail, name) is not None for detail in details)


def _number(count: int, what: str) -> str:
    """Return a number of things.

    Examples
    --------
    >>> _number(2, "mention with a gap"), _number(2, "entity"), _number(1, "document")
    ('2 mentions with a gap', '2 entities', '1 document')
    """
    if count == 1:
        return f"{count} {what}"
    thing, space, rest = what.partition(" with ") if " with " in what else what.partition(" of ")
    plural = thing[:-1] + "ies" if thing.endswith("y") else thing + "s"
    return f"{count} {plural}{space}{rest}"


def _not_kept(what: str, into: Format, path: str | None) -> Problem:
    return Problem("cannot-write", f"{what} cannot be written in {into.name}: left out", path=path)


def format_of_target(target: str | None, format: str | None) -> str:
    """Return the format of the corpus that is written in addition to a report; "" for none.

    Raises
    ------
    OptionError
        When the format is unknown or not given, or there is nothing to write.
    """
    if target is None:
        if format is not None:
            raise OptionError("--to changes nothing without --write")
        return ""
    if target == "-":
        raise OptionError("--write names a file or a folder: the report is on standard output")
    name = format or format_by_ending(target)
    writer(format_named(name))
    return name


def write_beside(
    corpus: Corpus, format: str, target: str, report: str | None, force: bool
) -> list[Problem]:
    """Write a corpus in addition to a report, as far as the format can hold it; see `write_files`.

    Returns
    -------
    What is lost.
    """
    is_folder = target.endswith(os.sep) or os.path.isdir(target)
    check_outputs([report, None if is_folder else target])
    fitted, lost = convert_corpus(corpus, format, hull=False)
    return lost + write_files(fitted, format, target, force)


def write_files(corpus: Corpus, format: str, target: str, force: bool = False) -> list[Problem]:
    """Write a corpus to a file, to a file for each document in a directory, or to standard output.

    Nothing is written to a file if the format refuses a document; of a directory, such a document
    is left out. Files in a directory are replaced only with `force`.

    Raises
    ------
    DataError
        As `corefmeter.formats.output.check_outputs`; ``unwritable`` when a file cannot be written.
    OptionError
        When the format cannot be written, or cannot hold several documents in one file.
    """
    into = format_named(format)
    problems: list[Problem] = []
    texts: dict[str, str] = {}
    refused: list[Problem] = []
    if target.endswith(os.sep) or os.path.isdir(target):
        names, problems = _file_names(corpus, format)
        for document, name in zip(corpus, names, strict=True):
            place = os.path.join(target, name)
            try:
                texts[place] = _written(into, Corpus([document]), place, problems)
            except DataError as error:
                refused.append(error.problems[0])
        if refused and not texts:
            raise DataError(refused)
        hint = "The document is left out."
        code = "document-unwritten"
        problems += [one._replace(code=code, severity="warning", hint=hint) for one in refused]
        check_outputs([], list(texts), force)
    else:
        texts[target] = _written(into, corpus, target, problems)
    for place, text in texts.items():
        make_folder(os.path.dirname(place) or ".")
        with open_output(None if place == "-" else place, binary=True) as stream:
            stream.write(text.encode())  # whatever a terminal wants
    return _counted(problems, corpus.path)


def _written(into: Format, corpus: Corpus, target: str, problems: list[Problem]) -> str:
    """Return a corpus as text; what cannot be written is added to the problems."""
    stream = StringIO()
    with reader_errors(f"writing {into.name}", corpus.path):
        reported = writer(into)(corpus, stream)
    text = stream.getvalue().encode("utf-8", "replace").decode()
    problems += [*reported, *differences(corpus, into, text, target, reported)]
    return text


def _file_names(corpus: Corpus, format: str) -> tuple[list[str], list[Problem]]:
    """Return the name of the file of each document, and those that systems of files make different.

    Of documents that would have one name, that has it whose own name it is: read again under its
    name, another would be taken for it. The rest have numbers behind theirs. Some systems take
    names for one that differ in case or normalization only.
    """
    ending = next(iter(format_named(format).endings), f".{format}")
    full = [d.one_name or with_part(d.name, d.part) for d in corpus]
    names = list(map(as_file_name, full))
    order = sorted(range(len(names)), key=lambda place: (names[place] != full[place], full[place]))
    wanted = set(map(same_file_name, names))
    numbers: dict[str, Iterator[int]] = {}  # by names that are taken
    changed = []
    for place in order:
        first = name = names[place]
        same = same_file_name(first)
        if same in numbers:
            while same_file_name(name) in wanted:
                name = f"{first}_{next(numbers[same])}"
            wanted.add(same_file_name(name))
        else:
            numbers[same] = count(2)
        names[place] = name
        if name != first or is_reserved(full[place]):
            changed.append(
                Problem(
                    "cannot-write",
                    f"the file is called {name + ending!r}",
                    path=corpus.path,
                    hint="Another file has this name on some systems, or they reserve it.",
                    document=corpus.documents[place].label,
                )
            )
    return [f"{name}{ending}" for name in names], changed


def _counted(problems: list[Problem], path: str | None) -> list[Problem]:
    """Return the problems of a writer, with those as one that differ in the document only.

    Examples
    --------
    >>> many = [Problem("cannot-write", "the part cannot be written", document=n) for n in "abcd"]
    >>> [str(problem) for problem in _counted(many, "a.json")]
    ['a.json: warning: the part cannot be written (4 times) [cannot-write]']
    """
    alike: dict[str, list[Problem]] = {}
    for problem in problems:
        placed = problem if problem.path else problem._replace(path=path)
        alike.setdefault(placed.message, []).append(placed)
    found = []
    for same in alike.values():
        if len(same) <= _SHOWN:
            found += same
        else:
            times = sum(problem.count for problem in same)
            found.append(same[0]._replace(path=path, document=None, count=times))
    return found
