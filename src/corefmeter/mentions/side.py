"""The features of the mentions of one side; `corefmeter.mentions.features` defines them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from corefmeter.corpus.model import Document, Mention, genre_of
from corefmeter.corpus.positions import (
    content_key,
    in_reading_order,
    is_token,
    outer_span,
    pieces_if_any,
    reading_key,
    tokens_of,
)
from corefmeter.corpus.structures import grouped
from corefmeter.corpus.text import Detail, Text
from corefmeter.mentions.heads import HeadFinder
from corefmeter.mentions.pronouns import PRONOUNS
from corefmeter.mentions.tags import (
    DETERMINERS,
    NO_TAG,
    is_coordinator,
    is_noun,
    is_verb_or_adverb,
    kind_of_tag,
)
from corefmeter.problems import require_known

#: Types of named entities that are not names.
NO_NAMES = frozenset(
    ("DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "NUMBER", "DURATION")
)


_UNKNOWN = Detail()


@dataclass(frozen=True, slots=True)
class MentionFeatures:
    """The features of one mention; None is unknown. See `corefmeter.mentions.features`.

    `side` is where they come from, ``key`` or ``response``, `entity` the number of the entity
    there, from 0, and `head` the head token. The `first` mention of an entity has no distances.
    """

    mention: Mention
    side: str
    entity: int
    entity_size: int
    first: bool
    kind: str | None = None
    pos: str | None = None
    head: int | None = None
    head_word: str | None = None
    entity_type: str | None = None
    entity_class: str | None = None
    tokens: int | None = None
    sentence_distance: int | None = None
    mention_distance: int | None = None
    token_distance: int | None = None
    entity_span: int | None = None
    genre: str | None = None
    zero: bool | None = None
    nested: bool | None = None


class SideFeatures:
    """The features of the mentions of one side of one document, each made when it is asked for.

    Of a mention that occurs twice, the first place counts. `text` is by default that of the
    document. `pronouns` are used where there are no tags: a language of `PRONOUNS`, or the pronouns
    in lower case.

    >>> text = Text("Ann Lee fed her old dog".split(), pos="NNP NNP VBD PRP$ JJ NN".split())
    >>> features = SideFeatures(Document("bn/x", [[(0, 2), (3, 4)], [(3, 6)]], text=text))
    >>> [features[mention].kind for mention in [(0, 2), (3, 4), (3, 6)]]
    ['name', 'pronoun', 'nominal']
    >>> features[(3, 4)].nested, features[(3, 4)].mention_distance, features[(3, 6)].head_word
    (True, 2, 'dog')
    """

    def __init__(
        self,
        document: Document,
        side: str = "key",
        text: Text | None = None,
        pronouns: str | Collection[str] | None = None,
    ) -> None:
        if isinstance(pronouns, str):
            require_known("list of pronouns", pronouns, PRONOUNS)
            pronouns = PRONOUNS[pronouns]
        self.document = document
        self.side = side
        self.text = text if text is not None else document.text
        self._pronouns = pronouns
        self._heads = HeadFinder(self.text) if self.text is not None else None
        types = self.text.entity_types if self.text is not None else None
        #: By token: the named entities ``(start, end, type)`` that contain it.
        self._names: dict[int, list[tuple[int, int, str]]] | None = None
        if types is not None:
            self._names = grouped((token, name) for name in types for token in range(*name[:2]))
        self._features_of: dict[Mention, MentionFeatures] = {}
        self._classes: dict[int, str | None] = {}
        self._places: dict[Mention, tuple[int, int]] = {}
        self._entities = in_reading_order(document.entities)
        for number, entity in enumerate(self._entities):
            for place, mention in enumerate(entity):
                self._places.setdefault(mention, (number, place))
        self._ranks = _ranks(self._places)
        self._nested = _nested(self._places)
        self._details: dict[Mention, Detail] = {}
        if document.details is not None:
            for mentions, details in zip(document.entities, document.details, strict=True):
                for mention, detail in zip(mentions, details, strict=True):
                    self._details.setdefault(mention, detail)

    def __contains__(self, mention: Mention) -> bool:
        return mention in self._places

    def __getitem__(self, mention: Mention) -> MentionFeatures:
        if mention not in self._features_of:
            self._features_of[mention] = self._make_features(mention)
        return self._features_of[mention]

    def is_typed(self, mention: Mention) -> bool:
        """Return whether a mention has a type in the file or a tag, so that its kind is known."""
        return bool(self._details.get(mention, _UNKNOWN).kind or self[mention].pos)

    def _make_features(self, mention: Mention) -> MentionFeatures:
        number, place = self._places[mention]
        entity = self._entities[number]
        detail = self._details.get(mention, _UNKNOWN)
        tokens = tokens_of(mention) if pieces_if_any(mention) else None
        head = self._head(mention)
        tag = self._tag(head)
        name_type = self._name_type(mention, head)
        if number not in self._classes:
            self._classes[number] = self._entity_class(entity)
        return MentionFeatures(
            mention,
            self.side,
            number,
            len(entity),
            first=not place,
            kind=detail.kind or self._kind(tokens, tag, name_type),
            pos=tag,
            head=head,
            head_word=self.text.words[head].lower() if self.text and head is not None else None,
            entity_type=detail.entity_type or name_type,
            entity_class=self._classes[number],
            tokens=None if tokens is None else len(tokens),
            genre=genre_of(self.document.name) or None,
            zero=None if tokens is None else not tokens,
            nested=mention in self._nested if mention in self._ranks else None,
            **self._distances(mention),
        )

    def _distances(self, mention: Mention) -> dict[str, int]:
        """Return the features that are distances: all that are known, by name."""
        if mention not in self._ranks:
            return {}
        number, place = self._places[mention]
        entity = self._entities[number]
        distances = {"entity_span": outer_span(entity[-1])[0] - outer_span(entity[0])[0]}
        if place:
            before = entity[place - 1]
            start, start_before = outer_span(mention)[0], outer_span(before)[0]
            distances["mention_distance"] = self._ranks[mention] - self._ranks[before]
            distances["token_distance"] = start - start_before
            if self.text is not None:
                sentences = self.text.sentence_of(start) - self.text.sentence_of(start_before)
                distances["sentence_distance"] = sentences
        return distances

    def _head(self, mention: Mention) -> int | None:
        """Return the head token: as given in the file, else by rule."""
        head = self._details.get(mention, _UNKNOWN).head
        if head is None and self._heads is not None:
            head = self._heads.head(mention)
        return head if is_token(head) else None

    def _tag(self, token: int | None) -> str | None:
        if token is None or self._heads is None or self._heads.tags is None:
            return None
        tag = self._heads.tags[token]
        return None if tag in NO_TAG else tag

    def _name_type(self, mention: Mention, head: int | None) -> str | None:
        """Return the type of the named entity that the mention is; see ``entity_type``."""
        if self._names is None or mention not in self._ranks:
            return None
        if head is None:
            return "none"
        start, end = outer_span(mention)
        # The smallest counts; of names of one length, the first in the alphabet.
        _, name_type = min(
            (
                (last - first, name)
                for first, last, name in self._names.get(head, ())
                if last == end or (first >= start and last <= end)
            ),
            default=(0, "none"),
        )
        return name_type

    def _entity_class(self, entity: list[Mention]) -> str | None:
        """Return the most frequent type of the mentions of an entity; "none" if none has one.

        Of several, it is the type of the mention that is read first.
        """
        types: dict[str, list[Mention]] = {}
        for mention in entity:
            of_mention = self._details.get(mention, _UNKNOWN).entity_type
            of_mention = of_mention or self._name_type(mention, self._head(mention))
            if of_mention is not None:
                types.setdefault(of_mention, []).append(mention)
        typed = {name: mentions for name, mentions in types.items() if name != "none"}
        if not typed:
            return next(iter(types), None)
        first = {name: min(map(content_key, mentions)) for name, mentions in typed.items()}
        return min(typed, key=lambda name: (-len(typed[name]), first[name]))

    def _kind(self, tokens: list[int] | None, tag: str | None, name_type: str | None) -> str | None:
        """Return the kind by the tag of the head and the type of the named entity, if known.

        `tokens` are None for an opaque mention, and empty for an empty node.
        """
        if tokens is None:
            return None
        if not tokens:
            return "pronoun"
        is_named = name_type not in (None, "none") and name_type not in NO_NAMES
        if tag is None:
            return "name" if is_named else self._kind_by_list(tokens)
        kind = kind_of_tag(tag)
        if kind == "pronoun" or tag in DETERMINERS:
            tags = [self._tag(token) or "" for token in tokens]
            if not any(map(is_noun, tags)):
                return "pronoun"
            if kind == "pronoun" and not any(map(is_coordinator, tags)):
                return "pronoun"
            return "nominal"
        if is_named:
            return "name"
        if kind is not None:
            return kind
        return "nominal" if len(tokens) > 1 and not is_verb_or_adverb(tag) else "other"

    def _kind_by_list(self, tokens: list[int]) -> str | None:
        """Return the kind by the list of pronouns; None without a list, or without these words."""
        if self._pronouns is None or self.text is None or tokens[-1] >= len(self.text):
            return None
        words = " ".join(self.text.words[token] for token in tokens).lower()
        return "pronoun" if words in self._pronouns else "nominal"


def _ranks(mentions: Collection[Mention]) -> dict[Mention, int]:
    """Return the rank of each mention in the order of reading; empty if a mention is opaque."""
    try:
        return {mention: rank for rank, mention in enumerate(sorted(mentions, key=reading_key))}
    except TypeError:
        return {}


def _nested(mentions: Collection[Mention]) -> set[Mention]:
    """Return the mentions that lie within others, in one pass.

    Mentions are sorted by start, the longest first, so that those that contain a mention come
    before it. It lies within one of them if the furthest end of the mentions before it, except
    those with its own span, is not before its end.
    """
    try:
        spans = [(outer_span(mention), mention) for mention in mentions]
    except TypeError:
        return set()
    # An empty node before the first token of a mention is not within it.
    spans.sort(key=lambda item: (item[0][0], item[0][0] < item[0][1], -item[0][1]))
    inside = set()
    furthest = before = -1
    group: tuple[int, int] | None = None
    for span, mention in spans:
        start, end = span
        if span != group:  # keep the furthest end of the mentions with another span
            group, before = span, furthest
        if before > end or (before == end and start < end):
            inside.add(mention)
        furthest = max(furthest, end)
    return inside
