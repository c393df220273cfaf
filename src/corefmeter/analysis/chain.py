"""One key entity, followed through a response, with its best response entity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from corefmeter.analysis.document import DocumentAnalysis
from corefmeter.analysis.report import Analysis
from corefmeter.analysis.rows import LinkRow, MentionRow
from corefmeter.corpus.model import Mention, short_label
from corefmeter.corpus.positions import content_key, nodes, pieces_if_any
from corefmeter.problems import OptionError, amount, guessed

MentionedT = TypeVar("MentionedT", LinkRow, MentionRow)


class Break(NamedTuple):
    """The first mention of a key entity that is missing, or whose link is wrong or missing.

    `sentence` counts from 1; None in a text of one sentence. `other` is the name of the key entity,
    or mention, that it is with instead; None for a mention that is missing or begins an entity.
    """

    mention: Mention
    words: str
    sentence: int | None
    other: str | None
    is_missing: bool


def find_break(document: DocumentAnalysis, id: str) -> Break | None:
    """Return where a response first breaks a key entity; None if mentions have no reading order."""
    own = {*document.key.entities[document.key.entity_names.index(id)]}
    in_key, in_response = document.homes
    others: dict[Mention, Mention | None] = {m: None for m in own if m not in in_response}
    for one in document.decisions("arcs-immediate"):
        if one.outcome != "tp" and one.mention in own:
            others[one.mention] = one.found
    if not others or not all(map(pieces_if_any, own)):
        return None
    first = min(others, key=content_key)
    other, is_missing = others[first], first not in in_response
    if other is None and not is_missing:
        with_it = document.response.entities[in_response[first]]
        other = min((m for m in with_it if m not in own), key=content_key, default=None)
    name = None if other is None else document.words(other) or str(other)
    if other in in_key:
        name = document.names["key"].titles[document.key.entity_names[in_key[other]]]
    text, sentence = document.features.text, None
    if text is not None and len(text.sentences) > 1:
        sentence = text.sentence_of(nodes(first)[0]) + 1
    return Break(first, document.words(first) or str(first), sentence, name, is_missing)


class Chain:
    """A key entity with its best response entity, which has most of its mentions.

    `document` is its document; `places` has, by side, the places of the entities that share
    mentions with it. The rows are as those of an `Analysis`, but of the key entity and its best
    response entity only: `entities` the row of the key entity; `links` the decisions on all
    mentions, immediate antecedents first; `mentions` a row for each, in reading order.
    """

    def __init__(self, document: DocumentAnalysis, place: int, features: Sequence[str]) -> None:
        own, response = {*document.key.entities[place]}, document.response
        shared = [r for r, entity in enumerate(response.entities) if not own.isdisjoint(entity)]
        self.document = document
        self.places = {"key": [place], "response": shared}
        self.entities = [[*document.entity_rows(features)][place]]
        best = self.entities[0].response
        in_best = [] if best is None else response.entities[response.entity_names.index(best)]
        self._members = own.union(in_best)
        links = self._in_reading_order(document.link_rows(features))
        self.links = sorted(links, key=lambda row: row.metric != "immediate")
        self.mentions = self._in_reading_order(document.mention_rows(features))

    def _in_reading_order(self, rows: Iterator[MentionedT]) -> list[MentionedT]:
        chosen = [row for row in rows if row.mention in self._members]
        return sorted(chosen, key=lambda row: content_key(row.mention))


def find_chain(analysis: Analysis, name: str) -> Chain:
    """Return the chain of a key entity, given its id or its title.

    An id may be without the beginning that all ids of a document share; a title may end in "…".

    Raises
    ------
    OptionError
        If no key entity has the name, or several have it.
    """
    by_id: list[tuple[DocumentAnalysis, str]] = []
    by_title: list[tuple[DocumentAnalysis, str]] = []
    for document in analysis:
        names = document.names["key"]
        by_id += [(document, id) for id in names.ids if name in (id, names.ids[id])]
        by_title += [(document, id) for id, title in names.titles.items() if _matches(title, name)]
    matching = by_id or by_title
    if not matching:
        guess = guessed(name, [title for d in analysis for title in d.names["key"].titles.values()])
        raise OptionError(f"no key entity is called {name!r}{guess}; --entities lists some")
    if len(matching) > 1:
        largest_first = sorted(matching, key=lambda found: -_size(*found))
        places = [
            f"{id} in {short_label(document.label)} ({amount(_size(document, id), 'mention')})"
            for document, id in largest_first[:5]
        ]
        raise OptionError(
            f"{len(matching)} key entities are called {name!r}: {', '.join(places)}"
            f"{', …' * (len(matching) > 5)}. Give the number of one, with --document if it occurs "
            "in several"
        )
    document, id = matching[0]
    return Chain(document, document.key.entity_names.index(id), analysis.features)


def _size(document: DocumentAnalysis, id: str) -> int:
    return len(document.key.entities[document.key.entity_names.index(id)])


def _matches(title: str, name: str) -> bool:
    """Return whether a name is a title, or the part of it before an ellipsis."""
    begin, ellipsis, _ = name.partition("\N{HORIZONTAL ELLIPSIS}")
    return title.startswith(begin) if begin and ellipsis else title == name
