"""Conversion of a corpus to a format, with reports about everything that the format cannot hold.

What a format can hold is found by a test: a tiny document with the annotation in question is
written. The format can hold it if the writer reports no problem and the output differs from that
without it. So a new format needs no list of abilities that could be wrong.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from itertools import chain, count
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
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Detail, Text
from corefmeter.formats import Format, format_named, in_order, writer
from corefmeter.formats.base import reader_errors
from corefmeter.formats.output import check_outputs, make_folder, open_output, refuse_to_replace
from corefmeter.formats.writing import written_names
from corefmeter.formats.written import differences
from corefmeter.problems import DataError, OptionError, Problem, amount

#: The layers of a text, with their name in messages, and a value for a text of three words, of
#: which the last is in no mention.
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

#: The details of mentions, with their name in messages, and a value for a mention of two words.
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

#: What cannot be written, and what becomes of it.
_OUTCOMES = {
    "discontinuous mention": "left out; --hull fills gaps",
    "mention with a gap": "the gap is filled",
    "mention of empty nodes": "left out",
    "mention with empty nodes": "the empty nodes are left out",
    "entity": "left out, since no mention remains",
} | dict.fromkeys(KINDS.values(), "left out along with a mention")

#: Those of them that are mentions and are left out.
_UNWRITTEN = ("discontinuous mention", "mention of empty nodes")

#: How many losses that differ in the document only are reported one by one.
_SHOWN = 3


def format_by_ending(path: str) -> str:
    """Return the format for a file name extension."""
    if path.endswith((".gz", ".xz", ".zst")):
        raise OptionError(f"{path!r} would be compressed; write it uncompressed")
    for format in in_order():
        if path.lower().endswith(format.endings):
            return format.name
    written = ", ".join(format.name for format in in_order() if format.write is not None)
    raise OptionError(f"the name {path!r} does not show its format; give it with --to: {written}")


def convert_corpus(corpus: Corpus, format: str, *, hull: bool) -> tuple[Corpus, list[Problem]]:
    """Return a corpus, read with details, as a format can hold it, and the losses.

    With `hull`, gaps are filled that the format cannot hold; else such mentions are left out.
    DataError has ``no-words`` where positions cannot be counted as the format counts them, and
    ``no-positions`` where mentions have none.
    """
    into = format_named(format)
    documents = [_convert_units(document, into) for document in corpus]
    fitter = _Fitter(_can_hold(into, _GAP), _can_hold(into, _EMPTY), hull)
    documents = list(map(fitter.fit_document, documents))
    lost = [
        Problem(
            "mention-unwritten" if what in _UNWRITTEN else "cannot-write",
            f"{_amount_of(fitter.counts[what], what)} cannot be written in {format}: {outcome}",
            path=corpus.path,
        )
        for what, outcome in _OUTCOMES.items()
        if fitter.counts[what]
    ]
    for what, sample, without in _samples_of_annotation(documents):
        if _write_sample(into, sample)[0] == _write_sample(into, without)[0]:
            reason = f"{what} cannot be written in {into.name}: left out"
            lost.append(Problem("cannot-write", reason, path=corpus.path))
    return corpus.replace(documents=documents), lost


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
    written = written_names(
        old, lambda name: name.isascii() and name.isdecimal(), lambda _: numbers
    )
    new = dict(zip(old, written, strict=True))
    documents = []
    for document in corpus:
        names = [new[name] for name in document.entity_names]
        relations = document.relations and document.relations.renamed(lambda n: new.get(n, n))
        documents.append(document.replace(entity_names=names, relations=relations))
    return corpus.replace(documents=documents)


def _convert_units(document: Document, into: Format) -> Document:
    if document.unit in into.units or "names" in into.units:
        return document
    if document.unit == "names":
        reason = f"mentions are names without positions, which {into.name} cannot hold"
        raise DataError(document.problem("no-positions", reason, "error", "Write clusters."))
    return as_characters(document) if document.unit == "tokens" else as_tokens(document)


def _sample(entities: Entities, **values: Any) -> Document:
    """Return a document of three words."""
    return Document("x", entities, tokens=3, **{"text": Text(["Xx", "Xx", "Xx"]), **values})


def _can_hold(into: Format, mention: Mention) -> bool:
    """Return whether the writer of a format reports no problem with a mention."""
    _, problems = _write_sample(into, _sample([[mention, (1, 2)]]))
    return not problems


def _write_sample(into: Format, document: Document) -> tuple[str, list[Problem]]:
    stream = StringIO()
    with reader_errors(f"writing {into.name}", document.path):
        problems = writer(into)(Corpus([_convert_units(document, into)]), stream)
    return stream.getvalue(), problems


class _Fitter:
    """Leaves out gaps and empty nodes that a format cannot hold, and counts them."""

    def __init__(self, gaps: bool, empty: bool, hull: bool) -> None:
        self.gaps, self.empty, self.hull = gaps, empty, hull
        self.counts: Counter[str] = Counter()

    def fit_document(self, document: Document) -> Document:
        if self.gaps and self.empty:
            return document
        fitted = Layer(document.entities, document.entity_names, document.details)
        fitted = fitted.mapped(self.fit_mention)
        self.counts["entity"] += sum(map(bool, document.entities)) - len(fitted.entities)
        relations = document.relations
        if relations is not None:
            # Their mentions are counted as relations, not again as mentions.
            relations = relations.mapped(_Fitter(self.gaps, self.empty, self.hull).fit_mention)
            kept_relations = relations.counts()
            for kind, number in document.related.items():
                self.counts[KINDS[kind]] += number - kept_relations.get(kind, 0)
        return document.replace(
            entities=fitted.entities,
            entity_names=fitted.names,
            details=fitted.details,
            relations=relations,
        )

    def fit_mention(self, mention: Mention) -> Mention | None:
        """Return a mention as the format can hold it, or None if it cannot."""
        parts = pieces_if_any(mention)
        if not parts:
            return mention
        runs = [part for part in parts if not is_empty(part)]
        nodes = [part for part in parts if is_empty(part)]
        if nodes and not self.empty:
            if not runs:
                self.counts["mention of empty nodes"] += 1
                return None
            self.counts["mention with empty nodes"] += 1
            nodes = []
        if has_gap(mention) and not self.gaps:
            if not self.hull:
                self.counts["discontinuous mention"] += 1
                return None
            self.counts["mention with a gap"] += 1
            runs = [(min(run[0] for run in runs), max(run[1] for run in runs))]
        elif len(runs) + len(nodes) == len(parts):
            return mention
        return mention_of([*runs, *nodes])


def _samples_of_annotation(documents: list[Document]) -> Iterator[tuple[str, Document, Document]]:
    """Yield all other annotation of documents: its name, and a sample with it and without it."""
    bare = _sample([[(0, 2)]], details=[[Detail()]])
    for name, (title, value) in _LAYERS.items():
        if number := sum(_has_layer(document, name) for document in documents):
            text = Text(["Xx", "Xx", "Xx"]).replace(**{name: value})
            yield f"the {title} of {_amount_of(number, 'document')}", bare.replace(text=text), bare
    by_entity = (entity for document in documents for entity in document.details or ())
    all_details = list(chain.from_iterable(by_entity))
    for name, (title, value) in _FEATURES.items():
        if number := sum(getattr(detail, name) is not None for detail in all_details):
            sample = bare.replace(details=[[Detail(**{name: value})]])
            yield f"the {title} of {_amount_of(number, 'mention')}", sample, bare
    yield from _samples_of_attributes(documents)
    bare = _sample([[(0, 1)], [(1, 2)], [(2, 3)]], entity_names=["1", "2", "3"])
    for kind, relations in _RELATIONS.items():
        if number := sum(document.related.get(kind, 0) for document in documents):
            yield _amount_of(number, KINDS[kind]), bare.replace(relations=relations), bare


def _samples_of_attributes(documents: list[Document]) -> Iterator[tuple[str, Document, Document]]:
    """Yield the attributes of documents: their name, and a document with it and without it."""
    holders: dict[str, list[Document]] = {}
    for document in documents:
        for name, value in document.attributes.items():
            if value and name != "columns":
                holders.setdefault(name, []).append(document)
    for name, (first, *following) in holders.items():
        others = {key: value for key, value in first.attributes.items() if key != name}
        number = _amount_of(1 + len(following), "document")
        yield f"{name.replace('_', ' ')} of {number}", first, first.replace(attributes=others)


def _has_layer(document: Document, name: str) -> bool:
    value = getattr(document.text, name, None)
    return len(value) > 1 if name == "sentences" and value else bool(value)


def _amount_of(count: int, what: str) -> str:
    """Return a number of things, such as "2 mentions with a gap"."""
    thing, preposition, rest = what.partition(" with " if " with " in what else " of ")
    plural = f"{thing.removesuffix('y')}ies" if thing.endswith("y") else f"{thing}s"
    return f"{amount(count, thing, plural)}{preposition}{rest}"


def format_of_target(target: str | None, format: str | None) -> str:
    """Return the format of the corpus that is written in addition to a report; "" for none."""
    if target is None:
        if format is not None:
            raise OptionError("--to has no effect without --write")
        return ""
    if target == "-":
        raise OptionError("--write needs a file or a folder: the report is on standard output")
    name = format or format_by_ending(target)
    writer(format_named(name))
    return name


def write_beside(
    corpus: Corpus, format: str, target: str, report: str | None, force: bool
) -> list[Problem]:
    """Write a corpus in addition to a report, as far as the format can hold it; return losses."""
    is_folder = target.endswith(os.sep) or os.path.isdir(target)
    check_outputs([report, None if is_folder else target])
    fitted, lost = convert_corpus(corpus, format, hull=False)
    return lost + write_files(fitted, format, target, force)


def write_files(corpus: Corpus, format: str, target: str, force: bool = False) -> list[Problem]:
    """Write a corpus to a file, to a file for each document in a directory, or to standard output.

    Nothing is written to a file if the format refuses a document; of a directory, such a document
    is left out. Files that hold something else are replaced only with `force`.
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
                texts[place] = _write_checked(into, Corpus([document]), place, problems)
            except DataError as error:
                refused.append(error.problems[0])
        if refused and not texts:
            raise DataError(refused)
        hint = "The document is left out."
        code = "document-unwritten"
        problems += [p._replace(code=code, severity="warning", hint=hint) for p in refused]
        check_outputs([], list(texts), force)
    else:
        texts[target] = _write_checked(into, corpus, target, problems)
        refuse_to_replace(target, force, lambda old: old != texts[target].encode())
    for place, text in texts.items():
        make_folder(os.path.dirname(place) or ".")
        with open_output(None if place == "-" else place, binary=True) as stream:
            stream.write(text.encode())  # whatever a terminal wants
    return _merge_alike(problems, corpus.path)


def _write_checked(into: Format, corpus: Corpus, target: str, problems: list[Problem]) -> str:
    """Return the text of a corpus; append its losses, also those found by reading it again."""
    stream = StringIO()
    with reader_errors(f"writing {into.name}", corpus.path):
        reported = writer(into)(corpus, stream)
    text = stream.getvalue().encode("utf-8", "replace").decode()
    problems += [*reported, *differences(corpus, into, text, target, reported)]
    return text


def _file_names(corpus: Corpus, format: str) -> tuple[list[str], list[Problem]]:
    """Return the file name of each document, and warnings about names that had to be changed.

    If several documents would get the same file name, the document with exactly that name gets it:
    otherwise another would be read as that document. The others get numbers. Names that differ only
    in case or normalization count as the same, since some file systems do not distinguish them.
    """
    ending = next(iter(format_named(format).endings), f".{format}")
    full_names = [d.one_name or with_part(d.name, d.part) for d in corpus]
    names = list(map(as_file_name, full_names))
    order = sorted(range(len(names)), key=lambda n: (names[n] != full_names[n], full_names[n]))
    used = set(map(same_file_name, names))
    numbers: dict[str, Iterator[int]] = {}  # by names that are taken
    changed = []
    for place in order:
        base = name = names[place]
        key = same_file_name(base)
        if key in numbers:
            while same_file_name(name) in used:
                name = f"{base}_{next(numbers[key])}"
            used.add(same_file_name(name))
        else:
            numbers[key] = count(2)
        names[place] = name
        if name != base or is_reserved(full_names[place]):
            reason = f"the file is called {name + ending!r}"
            hint = "Another file has this name on some systems, or they reserve it."
            label = corpus.documents[place].label
            problem = Problem("cannot-write", reason, path=corpus.path, hint=hint, document=label)
            changed.append(problem)
    return [f"{name}{ending}" for name in names], changed


def _merge_alike(problems: list[Problem], path: str | None) -> list[Problem]:
    """Return the problems of a writer; many that differ only in the document become one.

    Examples
    --------
    >>> many = [Problem("cannot-write", "the part cannot be written", document=n) for n in "abcd"]
    >>> [str(problem) for problem in _merge_alike(many, "a.json")]
    ['a.json: warning: the part cannot be written (4 times) [cannot-write]']
    """
    placed = (problem if problem.path else problem._replace(path=path) for problem in problems)
    alike = grouped((problem.message, problem) for problem in placed)
    merged = []
    for same in alike.values():
        if len(same) > _SHOWN:
            times = sum(problem.count for problem in same)
            same = [same[0]._replace(path=path, document=None, count=times)]
        merged += same
    return merged
