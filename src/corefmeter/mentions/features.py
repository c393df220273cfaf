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
``gap``
    How many tokens its first token is behind that of the mention before it in its entity: how far
    the antecedent is. ``first`` for the first mention of an entity.
``span``
    How many tokens the last mention of its entity is behind the first, on the side that the feature
    comes from: how far the entity reaches, 0 for a singleton.
``genre``
    The first part of the name of the document.
``zero``
    Whether it is an empty node.
``nested``
    Whether it lies within another mention of its side; of a mention with gaps, the whole stretch.

Numbers are grouped: tokens 1, 2, 3, 4-5, 6-10, 11+; entity size 1, 2, 3-4, 5-9, 10-19, 20+;
sentence distance 0, 1, 2, 3-5, 6+; mention distance 1, 2-3, 4-9, 10-29, 30+; gap 0-9, 10-49,
50-199, 200-999, 1000+; span 0-9, 10-99, 100-499, 500-1999, 2000+. Each mention is in one group of a
feature, so that the counts of the groups add up to those of all. A word or a type that reads
``unknown`` itself is shown in quotation marks.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise

from corefmeter.corpus.model import Document, Mention
from corefmeter.corpus.positions import pieces_if_any, tokens_of
from corefmeter.corpus.text import Text
from corefmeter.mentions.heads import HeadFinder
from corefmeter.mentions.side import MentionFeatures, SideFeatures
from corefmeter.mentions.tags import KINDS, NO_TAG
from corefmeter.problems import unknown

#: The group of what the data do not say.
UNKNOWN = "unknown"

#: A feature of one's own: from a mention and its document to a group.
FeatureFunction = Callable[[Mention, Document], str | None]

#: A feature by name or as a function.
Feature = str | FeatureFunction


#: Where groups begin: of the lengths of mentions and the sizes of entities; and, in tokens, of how
#: far mentions are apart and how far an entity reaches.
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


#: From features to groups, by the name of the feature.
FEATURES: dict[str, Callable[[MentionFeatures], str]] = {
    "kind": lambda of: of.kind or UNKNOWN,
    "pos": lambda of: _quote_unknown(of.pos),
    "head": lambda of: _quote_unknown(of.head_word),
    "entity_type": lambda of: _quote_unknown(of.entity_type),
    "entity_class": lambda of: _quote_unknown(of.entity_class),
    "tokens": lambda of: number_group(of.tokens, LENGTHS),
    "entity_size": lambda of: number_group(of.entity_size, SIZES),
    "sentence_distance": lambda of: (
        "first" if of.first else number_group(of.sentence_distance, (0, 1, 2, 3, 6))
    ),
    "mention_distance": lambda of: (
        "first" if of.first else number_group(of.mention_distance, (1, 2, 4, 10, 30))
    ),
    "gap": lambda of: "first" if of.first else number_group(of.token_distance, GAPS),
    "span": lambda of: number_group(of.entity_span, SPANS),
    "genre": lambda of: _quote_unknown(of.genre),
    "zero": lambda of: _yes_or_no(of.zero),
    "nested": lambda of: _yes_or_no(of.nested),
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
    known = (text.heads, text.parse, text.pos, text.upos) if text is not None else ()
    return any(layer is not None for layer in known)


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
        pronouns: str | Collection[str] | None = None,
        functions: Mapping[str, FeatureFunction] | None = None,
    ) -> None:
        self.key = SideFeatures(key, "key", pronouns=pronouns)
        text = _best_text(key.text, response.text)
        self.response = SideFeatures(response, "response", text, pronouns)
        self.functions = dict(functions or {})

    def side(self, mention: Mention) -> SideFeatures:
        """Return the side whose features a mention has: the key if it has the mention."""
        return self.key if mention in self.key else self.response

    def __getitem__(self, mention: Mention) -> MentionFeatures:
        """The features of a mention."""
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
