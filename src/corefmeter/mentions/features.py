"""Features of mentions, by which every analysis can be broken down.

The features of a key mention come from the key; those of a response mention that the key lacks
(*twinless*) from the response. What the data do not say is None, and a group of its own,
``unknown``.

``kind``: name, nominal, pronoun or other
    What the file says (`Detail.kind`); an empty node is a pronoun; else by the tag of the head
    (`corefmeter.mentions.tags`): a name tag, or a named entity that is the mention's (see
    ``entity_type``) and no number or time: name; a noun: nominal; a pronoun, or a determiner in a
    mention without a noun ("that", "all of them"): pronoun, but nominal if the mention coordinates
    it with a noun ("he and his wife"); any other head of several tokens that is no verb or adverb
    ("the poor"): nominal; else other. Without tags: a named entity makes a name; if a list of
    pronouns was chosen, what is on it is a pronoun and the rest nominal; else unknown.
``pos``
    The tag of the head.
``head``
    The head, in lower case; see `corefmeter.mentions.heads`.
``entity_type``
    What the file says (`Detail.entity_type`); else the type of the smallest named entity that holds
    the head and lies within the mention or ends with it. So "Bush" within the organisation "the
    Bush administration" has no type. ``none`` where the text has named entities, but none here.
``entity_class``
    The type that most mentions of its entity have, of those that have one; if several types are as
    frequent, the one that comes first. So "he" may be of the class PERSON.
``tokens``
    How many tokens the mention has.
``entity_size``
    How many mentions its entity has, on the side that the feature comes from.
``sentence_distance``, ``mention_distance``
    From the mention before it in its entity, in the order of reading: how many sentences apart
    their first tokens are; how many places apart the two are among all mentions of their side (1:
    next to each other). ``first`` for the first mention of an entity.
``genre``
    The first part of the name of the document.
``zero``
    Whether it is an empty node.
``nested``
    Whether it lies within another mention of its side; of a mention with gaps, the whole stretch.

Numbers are grouped: tokens 1, 2, 3, 4-5, 6-10, 11+; entity size 1, 2, 3-4, 5-9, 10-19, 20+;
sentence distance 0, 1, 2, 3-5, 6+; mention distance 1, 2-3, 4-9, 10-29, 30+.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corefmeter.corpus.model import Document, Mention, genre_of
from corefmeter.corpus.positions import (
    hull,
    in_reading_order,
    pieces_if_any,
    reading_key,
    tokens_of,
)
from corefmeter.corpus.text import Detail, Text
from corefmeter.mentions.heads import HeadFinder
from corefmeter.mentions.tags import (
    NO_TAG,
    is_coordinator,
    is_determiner,
    is_noun,
    is_verb_or_adverb,
    kind_of_tag,
)
from corefmeter.problems import unknown

#: The group of what the data do not say.
UNKNOWN = "unknown"

#: A feature of one's own: from a mention and its document to a group.
FeatureFunction = Callable[[Mention, Document], str | None]

#: A feature by name or as a function.
Feature = str | FeatureFunction

#: Types of named entities that are no names.
NO_NAMES = frozenset(
    ("DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "NUMBER", "DURATION")
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Pronouns by language, for files without parts of speech.
PRONOUNS: dict[str, frozenset[str]] = {
    "en": _words(
        "i me my mine myself you your yours yourself yourselves he him his himself she her hers "
        "herself it its itself we us our ours ourselves they them their theirs themselves themself "
        "this that these those who whom whose which one oneself each other there"
    ),
    "de": _words(
        "ich mich mir mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem "
        "deiner deines er ihn ihm sein seine seinen seinem seiner seines sie ihr ihre ihren ihrem "
        "ihrer ihres es wir uns unser unsere unseren unserem unserer unseres euch euer eure euren "
        "eurem eurer eures ihnen sich der die das den dem dessen deren denen dies diese dieser "
        "dieses diesen diesem jene jener jenes jenen jenem wer wen wem wessen man"
    ),
    "nl": _words(
        "ik 'k me mij mijn m'n mijne mezelf mijzelf je jij jou jouw jouwe jezelf u uw uwe uzelf "
        "hij ie 'm hem zijn z'n zijne zichzelf zich ze zij haar d'r hare het 't we wij ons onze "
        "onszelf jullie hun hen dit dat deze die wie wiens wier wat er men daar hier"
    ),
}


@dataclass(frozen=True, slots=True)
class MentionFeatures:
    """The features of one mention; None is unknown. See the module for what they mean.

    Attributes
    ----------
    mention : Mention
        The mention.
    side : str
        ``key`` or ``response``: where the features come from.
    entity : int
        The entity on that side, counted from 0.
    first : bool
        Whether it is the first mention of its entity, so that it has no distances.
    head : int or None
        The head token.
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
    genre: str | None = None
    zero: bool | None = None
    nested: bool | None = None


def _grouped(value: int | None, bounds: Sequence[int]) -> str:
    """A number as one of the groups that begin at the bounds, such as ``4-5`` or ``11+``."""
    if value is None:
        return UNKNOWN
    for start, end in pairwise(bounds):
        if value < end:
            return str(start) if end == start + 1 else f"{start}-{end - 1}"
    return f"{bounds[-1]}+"


def _yes(value: bool | None) -> str:
    return UNKNOWN if value is None else "yes" if value else "no"


#: From features to groups, by the name of the feature.
FEATURES: dict[str, Callable[[MentionFeatures], str]] = {
    "kind": lambda of: of.kind or UNKNOWN,
    "pos": lambda of: of.pos or UNKNOWN,
    "head": lambda of: of.head_word or UNKNOWN,
    "entity_type": lambda of: of.entity_type or UNKNOWN,
    "entity_class": lambda of: of.entity_class or UNKNOWN,
    "tokens": lambda of: _grouped(of.tokens, (0, 1, 2, 3, 4, 6, 11)),
    "entity_size": lambda of: _grouped(of.entity_size, (1, 2, 3, 5, 10, 20)),
    "sentence_distance": lambda of: (
        "first" if of.first else _grouped(of.sentence_distance, (0, 1, 2, 3, 6))
    ),
    "mention_distance": lambda of: (
        "first" if of.first else _grouped(of.mention_distance, (1, 2, 4, 10, 30))
    ),
    "genre": lambda of: of.genre or UNKNOWN,
    "zero": lambda of: _yes(of.zero),
    "nested": lambda of: _yes(of.nested),
}


class SideFeatures:
    """The features of the mentions of one side of one document, each made when it is asked for.

    Parameters
    ----------
    document
        The document; of a mention that stands twice, the first place counts.
    side
        ``key`` or ``response``.
    text
        Its words; by default those that the document carries.
    pronouns
        Where there are no tags: a language of `PRONOUNS`, or the pronouns in lower case.

    Raises
    ------
    OptionError
        For a language that has no list.

    Examples
    --------
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
            if pronouns not in PRONOUNS:
                raise unknown("list of pronouns", pronouns, PRONOUNS)
            pronouns = PRONOUNS[pronouns]
        self.document = document
        self.side = side
        self.text = text if text is not None else document.text
        self._pronouns = pronouns
        self._heads = HeadFinder(self.text) if self.text is not None else None
        self._names = _by_token(self.text.entity_types) if self.text is not None else None
        self._genre = genre_of(document.name) or None
        self._known: dict[Mention, MentionFeatures] = {}
        self._classes: dict[int, str | None] = {}
        self._found: dict[Mention, int | None] = {}
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
        """The features of a mention.

        Raises
        ------
        KeyError
            When the side has no such mention.
        """
        found = self._known.get(mention)
        if found is None:
            found = self._known[mention] = self._features(mention)
        return found

    def _features(self, mention: Mention) -> MentionFeatures:
        number, place = self._places[mention]
        entity = self._entities[number]
        detail = self._details.get(mention)
        tokens = _tokens(mention)
        zero = None if tokens is None else not tokens
        head = self._head(mention)
        tag = self._tag(head)
        name_type = self._name_type(mention, head)
        if number not in self._classes:
            self._classes[number] = self._entity_class(entity)
        sentences = mentions = None
        if place:
            before = entity[place - 1]
            if mention in self._ranks:
                mentions = self._ranks[mention] - self._ranks[before]
                if self.text is not None:
                    sentences = self.text.sentence_of(hull(mention)[0])
                    sentences -= self.text.sentence_of(hull(before)[0])
        return MentionFeatures(
            mention,
            self.side,
            number,
            len(entity),
            first=not place,
            kind=(detail.kind if detail is not None else None)
            or self._kind(tokens, tag, name_type),
            pos=tag,
            head=head,
            head_word=self.text.words[head].lower() if self.text and head is not None else None,
            entity_type=(detail.entity_type if detail is not None else None) or name_type,
            entity_class=self._classes[number],
            tokens=None if tokens is None else len(tokens),
            sentence_distance=sentences,
            mention_distance=mentions,
            genre=self._genre,
            zero=zero,
            nested=mention in self._nested if mention in self._ranks else None,
        )

    def _head(self, mention: Mention) -> int | None:
        """The head token: what the file says, else by rule."""
        if mention not in self._found:
            detail = self._details.get(mention)
            head: object = detail.head if detail is not None else None
            if head is None and self._heads is not None:
                head = self._heads.head(mention)
            self._found[mention] = head if isinstance(head, int) else None
        return self._found[mention]

    def _tag(self, token: int | None) -> str | None:
        if token is None or self._heads is None or self._heads.tags is None:
            return None
        tag = self._heads.tags[token]
        return None if tag in NO_TAG else tag

    def _name_type(self, mention: Mention, head: int | None) -> str | None:
        """The type of the named entity that is the mention's."""
        if self._names is None or mention not in self._ranks:
            return None
        if head is None:
            return "none"
        start, end = hull(mention)
        held = [
            (last - first, name)
            for first, last, name in self._names.get(head, ())
            if last == end or (first >= start and last <= end)
        ]
        return min(held)[1] if held else "none"

    def _entity_class(self, entity: list[Mention]) -> str | None:
        """The most frequent type of the mentions of an entity; "none" if none has one."""
        types: Counter[str] = Counter()
        for mention in entity:
            detail = self._details.get(mention)
            found = detail.entity_type if detail is not None else None
            found = found or self._name_type(mention, self._head(mention))
            if found is not None:
                types[found] += 1
        typed = [name for name in types if name != "none"]
        return max(typed, key=types.__getitem__) if typed else next(iter(types), None)

    def _kind(self, tokens: list[int] | None, tag: str | None, name_type: str | None) -> str | None:
        if tokens is None:
            return None
        if not tokens:
            return "pronoun"
        named = name_type not in (None, "none") and name_type not in NO_NAMES
        if tag is None:
            return "name" if named else self._listed(tokens)
        kind = kind_of_tag(tag)
        if kind == "pronoun" or is_determiner(tag):
            tags = [self._tag(token) or "" for token in tokens]
            if not any(map(is_noun, tags)):
                return "pronoun"
            if kind == "pronoun" and not any(map(is_coordinator, tags)):
                return "pronoun"
            return "nominal"
        if named:
            return "name"
        if kind is not None:
            return kind
        return "nominal" if len(tokens) > 1 and not is_verb_or_adverb(tag) else "other"

    def _listed(self, tokens: list[int]) -> str | None:
        """The kind by the list of pronouns."""
        if self._pronouns is None or self.text is None or tokens[-1] >= len(self.text):
            return None
        words = " ".join(self.text.words[token] for token in tokens).lower()
        return "pronoun" if words in self._pronouns else "nominal"


def says_more_than_words(text: Text | None) -> bool:
    """Whether a text has dependencies, parses or tags."""
    if text is None:
        return False
    return any(said is not None for said in (text.heads, text.parse, text.pos, text.upos))


def _best_text(key: Text | None, response: Text | None) -> Text | None:
    """What the mentions of the response get their features from.

    It is the text of the response; that of the key if the response has words only, or none at all.
    """
    if key is None or says_more_than_words(response):
        return response
    return response if response is not None and len(response) != len(key) else key


class Features:
    """The features of the mentions of a key document and its response.

    Parameters
    ----------
    key, response
        The two documents.
    key_text, response_text
        Their words; by default those that the documents carry, for the response those of the key
        if its own say no more than words.
    pronouns
        See `SideFeatures`.
    functions
        Features of one's own by name: ``function(mention, document)`` gives the group.

    Examples
    --------
    >>> key = Document("x", [[(0, 1), (2, 3)]], text=Text(["Ann", "saw", "her"]))
    >>> features = Features(key, Document("x", [[(0, 1), (1, 2)]]), pronouns="en")
    >>> features.group((2, 3), "kind"), features.group((0, 1), "mention_distance")
    ('pronoun', 'first')
    >>> features[(1, 2)].side, features.kind((1, 2))
    ('response', 'nominal')
    >>> features.group((0, 1), lambda mention, document: document.text.words[mention[0]][0])
    'A'
    """

    def __init__(
        self,
        key: Document,
        response: Document,
        *,
        key_text: Text | None = None,
        response_text: Text | None = None,
        pronouns: str | Collection[str] | None = None,
        functions: Mapping[str, FeatureFunction] | None = None,
    ) -> None:
        self.key = SideFeatures(key, "key", key_text, pronouns)
        if response_text is None:
            response_text = _best_text(key_text or key.text, response.text)
        self.response = SideFeatures(response, "response", response_text, pronouns)
        self.functions = dict(functions or {})

    def side(self, mention: Mention) -> SideFeatures:
        """The side whose features a mention has: the key if it has the mention."""
        return self.key if mention in self.key else self.response

    def __getitem__(self, mention: Mention) -> MentionFeatures:
        """The features of a mention.

        Raises
        ------
        KeyError
            When neither side has it.
        """
        side = self.key if mention in self.key else self.response
        return side[mention]

    def kind(self, mention: Mention) -> str:
        """The kind of a mention, or ``unknown``."""
        return self[mention].kind or UNKNOWN

    def group(self, mention: Mention, feature: Feature) -> str:
        """The group that a mention belongs to by a feature.

        Raises
        ------
        KeyError
            When neither side has the mention.
        OptionError
            For an unknown feature, with the nearest known one.
        """
        if isinstance(feature, str):
            if feature in FEATURES:
                return FEATURES[feature](self[mention])
            if feature not in self.functions:
                raise unknown("feature", feature, [*FEATURES, *self.functions])
            feature = self.functions[feature]
        return feature(mention, self.side(mention).document) or UNKNOWN


class ColumnFeature:
    """A column of the file as a feature: its value at the head of the mention.

    Parameters
    ----------
    values
        A value for each token, by the id of the document, as
        `corefmeter.formats.conll.column` reads them. ``-``, ``_``, ``*`` and the empty text
        are unknown.

    Examples
    --------
    >>> document = Document("x", [[(0, 2)]], text=Text(["the", "dog"]))
    >>> ColumnFeature({("x", 0): ["-", "ANIMAL"]})((0, 2), document)
    'ANIMAL'
    """

    def __init__(self, values: Mapping[tuple[str, int], Sequence[str]]) -> None:
        self.values = values
        self._heads: dict[tuple[str, int], HeadFinder] = {}

    def __call__(self, mention: Mention, document: Document) -> str | None:
        """The value at the head, or at the last token when the document has no text."""
        column = self.values.get(document.id, ())
        tokens = _tokens(mention)
        if not tokens:
            return None
        token: int | None = tokens[-1]
        if document.text is not None:
            if document.id not in self._heads:
                self._heads[document.id] = HeadFinder(document.text)
            token = self._heads[document.id].head(mention)
        if token is None or token >= len(column) or column[token] in NO_TAG:
            return None
        return column[token]


def _tokens(mention: Mention) -> list[int] | None:
    """The tokens of a mention, or None if it is not made of positions."""
    return tokens_of(mention) if pieces_if_any(mention) else None


def _by_token(
    spans: list[tuple[int, int, str]] | None,
) -> dict[int, list[tuple[int, int, str]]] | None:
    """The named entities at each token."""
    if spans is None:
        return None
    found: dict[int, list[tuple[int, int, str]]] = {}
    for span in spans:
        for token in range(span[0], span[1]):
            found.setdefault(token, []).append(span)
    return found


def _ranks(mentions: Collection[Mention]) -> dict[Mention, int]:
    """The place of each mention among all, in the order of reading; empty without positions."""
    try:
        return {mention: rank for rank, mention in enumerate(sorted(mentions, key=reading_key))}
    except TypeError:
        return {}


def _nested(mentions: Collection[Mention]) -> set[Mention]:
    """The mentions within others, in one pass over the mentions by their start.

    Among mentions sorted by start, longest first, those that hold a mention come before it; it is
    within one of them if the furthest end of all that differ from it reaches its own end.
    """
    try:
        spans = [(hull(mention), mention) for mention in mentions]
    except TypeError:
        return set()
    # An empty node before the first token of a mention is not within it.
    spans.sort(key=lambda item: (item[0][0], item[0][0] < item[0][1], -item[0][1]))
    inside = set()
    furthest = -1
    group: tuple[int, int] | None = None
    before = -1  # the furthest end of mentions with another span than this one
    for span, mention in spans:
        if span != group:
            group, before = span, furthest
        start, end = span
        if before > end or (before == end and start < end):
            inside.add(mention)
        furthest = max(furthest, end)
    return inside
