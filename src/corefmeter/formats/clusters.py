"""Plain clusters as JSON, in the two forms of scorch.

``{"type": "clusters", "clusters": {"e1": ["m1", "m2"]}}`` names the mentions of each entity (the
entities may also be a list); ``{"type": "graph", "mentions": ["m1", …], "links": [["m1", "m2"]]}``
has links, whose connected components are the entities; a mention without a link is an entity of its
own. Mentions are names without a position: text or whole numbers, which mean the same as their
digits. The document is called as its file, unless it has a ``doc_key``, ``doc_id`` or ``id``.
"""

from __future__ import annotations

import re
from itertools import count
from typing import IO, Any

from corefmeter.corpus.model import Corpus, Document, Entities, Mention
from corefmeter.corpus.positions import is_name
from corefmeter.formats.base import Claim, Format
from corefmeter.formats.entities import UnionFind
from corefmeter.formats.json_documents import Reader
from corefmeter.formats.json_objects import Record, brief_json, dumps, keys_of, kind_of
from corefmeter.formats.json_shapes import NAMES, OTHER_NAMES
from corefmeter.formats.notes import lost_problem
from corefmeter.formats.source import Source, stem
from corefmeter.formats.writing import written_names
from corefmeter.problems import Problem, amount, unknown

TITLE = "clusters JSON"

_TYPES = ("clusters", "graph")


#: How much of a file is explained by clusters of which no type says what they are.
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


def read(
    source: Source, concatenate: bool = False, details: bool = False
) -> tuple[list[Document], list[Problem]]:
    """Return the documents of a file, each an object.

    Raises
    ------
    DataError
        With all errors of the file: text that is no JSON, an unknown ``type``, fields that are
        missing or of another shape, links to mentions that are not declared, a key that stands
        twice, the same document twice.
    """
    reader = Reader(source, concatenate, TITLE, named=True)
    for record in reader.records():
        name, part, numbered = _name(record, reader)
        found = _entities(record, reader)
        if found is not None:
            names, entities = found
            document = Document(
                name, entities, part=part, entity_names=names, unit="names", numbered=numbered
            )
            reader.add(document, record)
    return reader.documents_read()


def _name(record: Record, reader: Reader) -> tuple[str, int | None, bool]:
    if any(record.values.get(field) for field in (*NAMES, *OTHER_NAMES)):
        return reader.name(record, *NAMES)
    name = stem(reader.path)
    return (name if record.number == 1 else f"{name} {record.number}"), None, True


def _entities(record: Record, reader: Reader) -> tuple[list[str], Entities] | None:
    values = record.values
    field = reader.clusters(record, "clusters")
    form = values.get("type", "clusters" if field in values else "graph")
    if form not in _TYPES:
        shape = str(unknown("type", form, _TYPES))
        record.bad("type", shape)
        return None
    if reader.lacks(record, *((field,) if form == "clusters" else ("mentions", "links"))):
        return None
    return _clusters(record, reader, field) if form == "clusters" else _components(record, reader)


def _clusters(record: Record, reader: Reader, field: str) -> tuple[list[str], Entities] | None:
    clusters = record.values[field]
    if isinstance(clusters, list):
        clusters = {str(number): cluster for number, cluster in enumerate(clusters)}
        paths = [f"{field}[{number}]" for number in clusters]
    elif isinstance(clusters, dict):
        paths = [f"{field}[{name!r:.40}]" for name in clusters]
    else:
        record.bad(field, f"{kind_of(clusters)} where clusters are expected")
        return None
    entities: Entities = []
    names = []
    errors = len(reader.errors)
    empty = []
    for path, (name, cluster) in zip(paths, clusters.items(), strict=True):
        mentions = _mentions(record, path, cluster)
        if mentions:
            entities.append(mentions)
            names.append(name.encode("utf-8", "replace").decode())
        else:
            empty.append(path)
    if len(reader.errors) > errors:
        return None
    if empty:
        message = f"{', '.join(empty[:5])}{', ...' if len(empty) > 5 else ''}: no mention"
        reader.warn("empty-entity", message, record.line, count=len(empty))
    return names, entities


def _mentions(record: Record, path: str, value: Any) -> list[Mention]:
    """Return a list of mentions; those that are no names are noted as errors."""
    if not isinstance(value, list):
        record.unexpected(path, value, "a list of mentions")
        return []
    found: list[Mention] = []
    for number, item in enumerate(value):
        if type(item) in (str, int):
            found.append(str(item))
        elif isinstance(item, list) and item and set(map(type, item)) <= {int}:
            found.append("-".join(map(str, item)))  # a span in a text that is not here
        else:
            what = f"{brief_json(item)} where the name of a mention is expected"
            record.bad(f"{path}[{number}]", what)
    return found


def _components(record: Record, reader: Reader) -> tuple[list[str], Entities] | None:
    errors = len(reader.errors)
    declared = _mentions(record, "mentions", record.values["mentions"])
    links = record.values["links"]
    if not isinstance(links, list):
        record.unexpected("links", links, "a list of links")
        return None
    places: dict[Mention, int] = {}
    for mention in declared:
        places.setdefault(mention, len(places))
    if len(places) < len(declared):
        message = "mentions that are declared twice; each is one mention"
        reader.warn("repeated-mention", message, record.line, count=len(declared) - len(places))
    sets = UnionFind(len(places))
    for number, link in enumerate(links):
        path = f"links[{number}]"
        ends = _mentions(record, path, link)
        if isinstance(link, list) and len(link) != 2:
            record.bad(path, f"{amount(len(link), 'mention')} where two are expected")
        for end in ends:
            if end not in places:
                message = f"{path}: the mention {end!r:.60} is not among the mentions"
                record.error("unknown-mention", message)
        if len(ends) == 2 and all(end in places for end in ends):
            sets.join(places[ends[0]], places[ends[1]])
    if len(reader.errors) > errors:
        return None
    mentions = list(places)
    entities = [[mentions[place] for place in component] for component in sets.sets()]
    return [str(number) for number in range(len(entities))], entities


def write(corpus: Corpus, stream: IO[str]) -> list[Problem]:
    """Write a corpus, one object of clusters a line.

    Mentions become names: a span of tokens 3 and 4 is ``3-5``. That they are positions, and what
    they count, is lost; it is returned as a problem.
    """
    problems = []
    for document in corpus:
        clusters: dict[str, list[str]] = {}
        positions = 0
        names = written_names(document.entity_names, lambda _: True, lambda _: map(str, count()))
        for name, mentions in zip(names, document.entities, strict=True):
            positions += sum(not is_name(mention) for mention in mentions)
            clusters[name] = list(map(_mention_name, mentions))
        if positions:
            message = "positions of mentions are written as names"
            problems.append(lost_problem(document, message, positions))
        values: dict[str, Any] = (
            {} if document.numbered else {"doc_id": document.one_name or document.label}
        )
        stream.write(dumps({**values, "type": "clusters", "clusters": clusters}) + "\n")
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
