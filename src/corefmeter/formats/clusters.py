"""Plain clusters as JSON, in the two forms of scorch.

``{"type": "clusters", "clusters": {"e1": ["m1", "m2"]}}`` names the mentions of each entity (the
entities may also be a list). ``{"type": "graph", "mentions": ["m1", …], "links": [["m1", "m2"]]}``
has links, whose connected components are the entities; a mention without a link is an entity of its
own. Mentions are names without a position: text or whole numbers, which mean the same as their
digits. A document without a ``doc_key``, ``doc_id`` or ``id`` is named after its file.
"""

from __future__ import annotations

import re
from itertools import count
from typing import IO, Any

from corefmeter.corpus.model import Corpus, Document, Mention
from corefmeter.corpus.positions import is_name
from corefmeter.corpus.structures import UnionFind
from corefmeter.formats.base import Claim, Format, ReadResult
from corefmeter.formats.json_documents import Reader
from corefmeter.formats.json_objects import (
    Record,
    brief_json,
    brief_list,
    dumps,
    keys_of,
    kind_of,
    objects,
    without_surrogates,
)
from corefmeter.formats.json_shapes import NAMES, OTHER_NAMES
from corefmeter.formats.notes import lost_problem
from corefmeter.formats.source import Source, stem
from corefmeter.formats.writing import written_names
from corefmeter.problems import Problem, amount, unknown

TITLE = "clusters JSON"

_TYPES = ("clusters", "graph")

#: An entity: its name and its mentions.
_Named = tuple[str, list[Mention]]

#: The share of a file that clusters without a type explain.
_DOUBTFUL = 0.6


def sniff(head: bytes, path: str = "") -> Claim | None:
    """Claim objects with clusters or links, and neither words nor a text.

    Settings and posts have fields of these names too, and types of their own.
    """
    keys = keys_of(head)
    if keys & {b"sentences", b"tokens", b"text", b"document", b"cased_words"}:
        return None
    if b"clusters" not in keys and not {b"mentions", b"links"} <= keys:
        return None
    types = re.findall(rb'"type"\s*:\s*"([^"]*)"', head)
    if any(name.decode("utf-8", "replace") in _TYPES for name in types):
        return Claim()
    if types:
        return Claim(0.0, 'its "type" is neither "clusters" nor "graph"')
    if b"clusters" not in keys:
        return Claim(0.0, 'no "type" is "graph"')
    return Claim(_DOUBTFUL)


def read(source: Source, concatenate: bool = False, details: bool = False) -> ReadResult:
    """Return the documents of a file, each an object; DataError has all errors of the file."""
    reader = Reader(source, concatenate, TITLE, named=True)
    for record in objects(source, reader):
        name, part, numbered = _name_of(record, reader)
        named = _read_entities(record, reader)
        if named is not None:
            entities = [mentions for _, mentions in named]
            document = Document(name, entities, part=part, unit="names", numbered=numbered)
            document.entity_names = [name for name, _ in named]
            reader.add(document, record)
    return reader.documents_read()


def _name_of(record: Record, reader: Reader) -> tuple[str, int | None, bool]:
    """Return the name and part of a document, and whether it is named after the file only."""
    if any(record.values.get(field) for field in (*NAMES, *OTHER_NAMES)):
        return reader.read_name(record, *NAMES)
    name = stem(reader.path)
    return (name if record.number == 1 else f"{name} {record.number}"), None, True


def _read_entities(record: Record, reader: Reader) -> list[_Named] | None:
    """Return the entities of a document, or None after errors."""
    values = record.values
    field = reader.choose_clusters(record, "clusters")
    form = values.get("type", "clusters" if field in values else "graph")
    if form not in _TYPES:
        record.bad("type", str(unknown("type", form, _TYPES)))
        return None
    needed = (field,) if form == "clusters" else ("mentions", "links")
    if reader.report_missing(record, needed):
        return None
    errors = len(reader.errors)
    entities = _read_clusters(record, field) if form == "clusters" else _read_components(record)
    return entities if len(reader.errors) == errors else None


def _read_clusters(record: Record, field: str) -> list[_Named]:
    """Return the entities of an object that lists the mentions of each."""
    clusters = record.values[field]
    if isinstance(clusters, list):
        paths = [f"{field}[{number}]" for number in range(len(clusters))]
        clusters = {str(number): cluster for number, cluster in enumerate(clusters)}
    elif isinstance(clusters, dict):
        paths = [f"{field}[{name!r:.40}]" for name in clusters]
    else:
        record.bad(field, f"{kind_of(clusters)} where clusters are expected")
        return []
    errors = len(record.notes.errors)
    entities = []
    empty = []
    for path, (name, cluster) in zip(paths, clusters.items(), strict=True):
        if mentions := _read_mentions(record, path, cluster):
            entities.append((without_surrogates(name), mentions))
        else:
            empty.append(path)
    if empty and len(record.notes.errors) == errors:
        message = f"{brief_list(empty)}: no mention"
        record.notes.warn("empty-entity", message, record.line, count=len(empty))
    return entities


def _read_mentions(record: Record, path: str, value: Any) -> list[Mention]:
    """Return the names of a list of mentions; note an error for each value that is not a name."""
    if not isinstance(value, list):
        record.unexpected(path, value, "a list of mentions")
        return []
    mentions: list[Mention] = []
    for number, item in enumerate(value):
        if type(item) in (str, int):
            mentions.append(str(item))
        elif isinstance(item, list) and item and set(map(type, item)) <= {int}:
            mentions.append("-".join(map(str, item)))  # a span in a text that is not here
        else:
            what = f"{brief_json(item)} where the name of a mention is expected"
            record.bad(f"{path}[{number}]", what)
    return mentions


def _read_components(record: Record) -> list[_Named]:
    """Return the entities of an object with links: their connected components."""
    declared = _read_mentions(record, "mentions", record.values["mentions"])
    links = record.values["links"]
    if not isinstance(links, list):
        record.unexpected("links", links, "a list of links")
        return []
    mentions = list(dict.fromkeys(declared))
    places = {mention: place for place, mention in enumerate(mentions)}
    if repeated := len(declared) - len(mentions):
        message = "mentions are declared more than once; each counts once"
        record.notes.warn("repeated-mention", message, record.line, count=repeated)
    sets = UnionFind(len(mentions))
    for number, link in enumerate(links):
        path = f"links[{number}]"
        ends = _read_mentions(record, path, link)
        if isinstance(link, list) and len(link) != 2:
            record.bad(path, f"{amount(len(link), 'mention')} where two are expected")
        for end in ends:
            if end not in places:
                message = f"{path}: the mention {end!r:.60} is not among the mentions"
                record.error("unknown-mention", message)
        if len(ends) == 2 and all(end in places for end in ends):
            sets.join(*map(places.__getitem__, ends))
    components = [[mentions[place] for place in component] for component in sets.sets()]
    return [(str(number), component) for number, component in enumerate(components)]


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus, one object of clusters a line.

    Mentions become names: a span of tokens 3 and 4 is ``3-5``. It is returned as a problem that
    they are positions no longer.
    """
    problems = []
    for document in corpus:
        names = written_names(document.entity_names, lambda _: True, lambda _: map(str, count()))
        clusters = {
            name: list(map(_mention_name, mentions))
            for name, mentions in zip(names, document.entities, strict=True)
        }
        positions = sum(not is_name(mention) for entity in document.entities for mention in entity)
        if positions:
            message = "positions of mentions are written as names"
            problems.append(lost_problem(document, message, positions))
        name = {} if document.numbered else {"doc_id": document.one_name or document.label}
        stream.write(dumps({**name, "type": "clusters", "clusters": clusters}) + "\n")
    return problems


def _mention_name(mention: Mention) -> str:
    """Return a mention as text: pieces joined by ``+``, their numbers by ``-``."""
    match mention:
        case tuple() if all(isinstance(item, int) for item in mention):
            return "-".join(map(str, mention))
        case tuple():
            return "+".join(map(_mention_name, mention))
    return str(mention)


FORMAT = Format(
    name="clusters",
    title=TITLE,
    sniff=sniff,
    evidence="JSON with `clusters`, or with `mentions` and `links` and the type `graph`, without "
    "words or a text",
    read=read,
    write=write,
    units=("names",),
)
