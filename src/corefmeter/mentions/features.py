"""Features of mentions, by which every analysis can be broken down.

The features of a key mention come from the key; those of a response mention that the key lacks
(*twinless*) from the response. An unknown value is None, and has a group of its own, ``unknown``.

``kind``: name, nominal, pronoun or other
    The kind in the file (`Detail.kind`); an empty node is a pronoun; else by the tag of the head
    (`corefmeter.mentions.tags`): a name tag, or a named entity that is the mention's (see
    ``entity_type``) and no number or time: name; a noun: nominal; a pronoun, or a determiner in a
    mention without a noun ("that", "all of them"): pronoun, but nominal if the mention coordinates
    it with a noun ("he and his wife"); any other head of several tokens that is no verb or adverb
    ("the poor"): nominal; else other. Without tags: a named entity makes a name; if a list of
    pronouns was chosen, words on it are pronouns and all others nominal; else unknown.
``pos``
    The tag of the head.
``head``
    The head, in lower case; see `corefmeter.mentions.heads`.
``entity_type``
    The type in the file (`Detail.entity_type`); else that of the smallest named entity that has the
    head in it and lies within the mention or ends with it. So "Bush" within the organization "the
    Bush administration" has no type. ``none`` if the text has named entities, but none here.
``entity_class``
    The most frequent type of the mentions of its entity; of equally frequent ones, the first in the
    text. So "he" may be of the class PERSON.
``tokens``
    The number of tokens of the mention.
``entity_size``
    The number of mentions of its entity, on the side that the feature comes from.
``sentence_distance``, ``mention_distance``
    The distance from its antecedent, the mention before it in its entity: in sentences, by their
    first tokens; and in mentions, among all mentions of the side (1: adjacent). ``first`` for the
    first mention of an entity.
``gap``
    The distance from its antecedent in tokens, by their first tokens. ``first`` for the first
    mention of an entity.
``span``
    The distance in tokens between the first and the last mention of its entity, on the side that
    the feature comes from; 0 for a singleton.
``genre``
    The first part of the name of the document.
``zero``
    Whether it is an empty node.
``nested``
    Whether it lies within another mention of its side. A mention with gaps counts as one span.

Numbers are grouped: tokens 1, 2, 3, 4-5, 6-10, 11+; entity size 1, 2, 3-4, 5-9, 10-19, 20+;
sentence distance 0, 1, 2, 3-5, 6+; mention distance 1, 2-3, 4-9, 10-29, 30+; gap 0-9, 10-49,
50-199, 200-999, 1000+; span 0-9, 10-99, 100-499, 500-1999, 2000+. Each mention is in one group of a
feature, so that the counts of the groups add up to those of all. A word or a type that reads
``unknown`` itself is shown in quotation marks.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import content_key, is_name, pieces_if_any, tokens_of
from corefmeter.corpus.text import Text
from corefmeter.mentions.heads import HeadFinder
from corefmeter.mentions.pronouns import PRONOUNS
from corefmeter.mentions.side import MentionFeatures, SideFeatures
from corefmeter.mentions.tags import KINDS, NO_TAG
from corefmeter.problems import unknown

#: The group of unknown values.
UNKNOWN = "unknown"

_PRONOUNS = frozenset(word for words in PRONOUNS.values() for word in words)

#: A feature of one's own: from a mention and its document to a group.
FeatureFunction = Callable[[Mention, Document], str | None]

#: A feature by name or as a function.
Feature = str | FeatureFunction


#: Where groups begin: lengths of mentions, sizes of entities, distances from antecedents in tokens,
#: and spans of entities in tokens.
LENGTHS = (0, 1, 2, 3, 4, 6, 11)
SIZES = (1, 2, 3, 5, 10, 20)
GAPS = (0, 10, 50, 200, 1000)
SPANS = (0, 10, 100, 500, 2000)


def number_group(value: int | None, bounds: tuple[int, ...]) -> str:
    """Return a number as one of the groups that begin at the bounds, such as ``4-5`` or ``11+``.

    >>> [number_group(number, LENGTHS) for number in (5, 2, 30, None)]
    ['4-5', '2', '11+', 'unknown']
    """
    return UNKNOWN if value is None else groups_at(bounds)[max(bisect(bounds, value) - 1, 0)]


@cache
def groups_at(bounds: tuple[int, ...]) -> list[str]:
    """Return the groups that begin at the bounds."""
    below = [
        str(start) if end == start + 1 else f"{start}-{end - 1}" for start, end in pairwise(bounds)
    ]
    return [*below, f"{bounds[-1]}+"]


def _quote_unknown(value: str | None) -> str:
    """Return a value of the data as a group; quoted if it reads like the group of missing ones."""
    return f'"{value}"' if value == UNKNOWN else value or UNKNOWN


def _yes_or_no(value: bool | None) -> str:
    return UNKNOWN if value is None else "yes" if value else "no"


#: The function from the features of a mention to its group, by the name of the feature.
FEATURES: dict[str, Callable[[MentionFeatures], str]] = {
    "kind": lambda mention: mention.kind or UNKNOWN,
    "pos": lambda mention: _quote_unknown(mention.pos),
    "head": lambda mention: _quote_unknown(mention.head_word),
    "entity_type": lambda mention: _quote_unknown(mention.entity_type),
    "entity_class": lambda mention: _quote_unknown(mention.entity_class),
    "tokens": lambda mention: number_group(mention.tokens, LENGTHS),
    "entity_size": lambda mention: number_group(mention.entity_size, SIZES),
    "sentence_distance": lambda mention: (
        "first" if mention.first else number_group(mention.sentence_distance, (0, 1, 2, 3, 6))
    ),
    "mention_distance": lambda mention: (
        "first" if mention.first else number_group(mention.mention_distance, (1, 2, 4, 10, 30))
    ),
    "gap": lambda mention: "first" if mention.first else number_group(mention.token_distance, GAPS),
    "span": lambda mention: number_group(mention.entity_span, SPANS),
    "genre": lambda mention: _quote_unknown(mention.genre),
    "zero": lambda mention: _yes_or_no(mention.zero),
    "nested": lambda mention: _yes_or_no(mention.nested),
}


def ordered_groups(groups: Iterable[str]) -> list[str]:
    """Return names of groups in the order of tables: kinds, then numbers, then the alphabet."""

    def rank(name: str) -> tuple[int, int, str]:
        if name == UNKNOWN:
            return 3, 0, name
        if name in KINDS:
            return 0, KINDS.index(name), name
        number = re.match(r"\d+", name)
        return (1, int(number[0]), name) if number else (2, 0, name)

    return sorted(groups, key=rank)


def has_annotation(text: Text | None) -> bool:
    """Return whether a text has dependencies, parses or tags."""
    return text is not None and (text.heads, text.parse, text.pos, text.upos) != (None,) * 4


def _best_text(key: Text | None, response: Text | None) -> Text | None:
    """Return the text from which features of response mentions are derived.

    It is the text of the response; that of the key if the response has words only, or no text.
    """
    if key is None or has_annotation(response):
        return response
    return response if response is not None and len(response) != len(key) else key


class Features:
    """The features of the mentions of a key document and its response.

    The response has the words of the key if its own say no more. For `pronouns` see `SideFeatures`;
    `functions` are features of one's own by name: ``function(mention, document)`` gives the group.

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
        pronouns: str | Collection[str] | None = None,
        functions: Mapping[str, FeatureFunction] | None = None,
    ) -> None:
        self.key = SideFeatures(key, "key", pronouns=pronouns)
        text = _best_text(key.text, response.text)
        self.response = SideFeatures(response, "response", text, pronouns)
        self.functions = dict(functions or {})
        self.text = key.text or response.text

    def words(self, mention: Mention | None) -> str | None:
        """Return the words of a mention, or its name if it is a text; None if neither is known."""
        if mention is None or is_name(mention):
            return mention
        try:
            return None if self.text is None else self.text.string(mention)
        except (TypeError, IndexError):
            return None

    @cached_property
    def _capitalized(self) -> set[str]:
        """The words with a capital letter after a word or a comma of their sentence."""
        text, found = self.text or Text([]), set[str]()
        for first, end in pairwise([*text.sentences, len(text)]):
            words = self._split(text.between.join(text.words[first:end]))
            for before, word in pairwise(words):
                is_inside = before[-1].isalnum() or before[-1] == ","
                lower = word.lower()
                if is_inside and word != lower and lower not in _PRONOUNS:
                    found.add(word)
        return found

    def _split(self, string: str) -> list[str]:
        """Return the words of a string, also where tokens are characters."""
        is_spaced = self.text is None or self.text.between
        return string.split() if is_spaced else re.findall(r"\w+|[^\w\s]", string)

    def naming_mention(self, entity: Iterable[Mention]) -> Mention:
        """Return the mention by which lists and pages call an entity.

        Where types are known, it is the first name, else the first nominal. Where they are unknown,
        it is the most frequent string with a capital letter that does not only begin a sentence,
        else the most frequent, then the longest string. Strings of up to 6 words are preferred.
        Pronouns come last. Of equal mentions, the first in the text is chosen.

        >>> text = Text("The captain slept . She was tired , so Ann left the captain".split())
        >>> document = Document("x", [[(0, 2), (4, 5), (9, 10), (11, 13)]], text=text)
        >>> Features(document, document).naming_mention(document.entities[0])
        (9, 10)
        """
        mentions = sorted(entity, key=content_key)
        strings = {mention: self.words(mention) or "" for mention in mentions}
        counts = Counter(strings[mention].lower() for mention in mentions)

        def rank(mention: Mention) -> tuple[int, ...]:
            kind, string = self[mention].kind, strings[mention].lower()
            words = self._split(strings[mention])
            is_long = len(words) > 6
            if kind == "name":
                return 0, is_long
            if kind != "pronoun" and self.side(mention).is_typed(mention):
                return 1, is_long
            if kind == "pronoun" or not words or string in _PRONOUNS:
                return 4, kind == "pronoun"
            if not is_long and not self._capitalized.isdisjoint(words):
                return 2, -counts[string]
            return 3, is_long, -counts[string], -len(words)

        return min(mentions, key=rank)

    def side(self, mention: Mention) -> SideFeatures:
        """Return the side whose features a mention has: the key if it has the mention."""
        return self.key if mention in self.key else self.response

    def __getitem__(self, mention: Mention) -> MentionFeatures:
        return self.side(mention)[mention]

    def kind(self, mention: Mention) -> str:
        """Return the kind of a mention, or ``unknown``."""
        return self[mention].kind or UNKNOWN

    def group(self, mention: Mention, feature: Feature) -> str:
        """Return the group that a mention belongs to by a feature."""
        if isinstance(feature, str):
            if feature in FEATURES:
                return FEATURES[feature](self[mention])
            if feature not in self.functions:
                raise unknown("feature", feature, [*FEATURES, *self.functions])
            feature = self.functions[feature]
        return feature(mention, self.side(mention).document) or UNKNOWN


class ColumnFeature:
    """A column of the file as a feature: its value at the head of the mention.

    `values` has one for each token, by the id of the document, as `corefmeter.formats.conll.column`
    reads them. ``-``, ``_``, ``*`` and the empty text are unknown.

    >>> document = Document("x", [[(0, 2)]], text=Text(["the", "dog"]))
    >>> ColumnFeature({("x", 0): ["-", "ANIMAL"]})((0, 2), document)
    'ANIMAL'
    """

    def __init__(self, values: Mapping[tuple[str, int], Sequence[str]]) -> None:
        self.values = values
        self._heads: dict[tuple[str, int], HeadFinder] = {}

    def __call__(self, mention: Mention, document: Document) -> str | None:
        """Return the value at the head, or at the last token when the document has no text."""
        column = self.values.get(document.id, ())
        tokens = tokens_of(mention) if pieces_if_any(mention) else ()
        if not tokens:
            return None
        token: int | None = tokens[-1]
        if document.text is not None:
            if document.id not in self._heads:
                self._heads[document.id] = HeadFinder(document.text)
            token = self._heads[document.id].head(mention)
        if token is None or token >= len(column) or column[token] in NO_TAG:
            return None
        return _quote_unknown(column[token])
