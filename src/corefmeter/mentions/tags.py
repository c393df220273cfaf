"""Classes of part-of-speech tags, for the tag sets of corpora with coreference.

These are the universal parts of speech and the tags of the English Penn and OntoNotes treebanks, of
the Chinese Treebank, of German (STTS) and of Dutch (CGN, such as ``N[soort,ev]``). No tag is in
different classes by two of them, so the tag set of a file need not be known. ``-``, ``_``, ``*``
and the empty text are not tags.
"""

from __future__ import annotations

from functools import cache

#: The kinds of mention.
KINDS = ("name", "nominal", "pronoun", "other")

#: Cells without a tag.
NO_TAG = frozenset(("", "-", "_", "*", "**"))


def tag_set(text: str) -> frozenset[str]:
    """Return the tags of a text."""
    return frozenset(text.split())


_KINDS: dict[str, frozenset[str]] = {
    "name": tag_set("PROPN NNP NNPS NR NE"),
    "nominal": tag_set("NOUN NN NNS NT NX"),
    # Pronouns of English, Chinese and German; determiners count only alone, see features.py.
    "pronoun": tag_set(
        "PRON PRP PRP$ WP WP$ WDT PN PPER PPOSS PPOSAT PDS PIS PRELS PRELAT PRF PWS"
    ),
}

#: Commas, in any of the scripts of the tag sets.
COMMAS = frozenset((",", "\N{FULLWIDTH COMMA}", "\N{IDEOGRAPHIC COMMA}"))

#: Determiners: a mention of one such word is a pronoun, as in "that is new".
DETERMINERS = tag_set("DET DT PDT PDAT PIAT PIDAT PWAT")
_PREPOSITIONS = tag_set("ADP IN P APPR APPRART VZ")
_COORDINATORS = tag_set("CCONJ CC KON")
_PUNCTUATION = tag_set(", . : `` '' -LRB- -RRB- HYPH NFP PUNCT PU LET $, $. $(")
_VERBS = ("VB", "VV", "VA", "VC", "VE", "VM", "WW")
_ADVERBS = tag_set("ADV AD RB RBR RBS WRB BW RP UH INTJ TSW")


def _bare(tag: str) -> str:
    """Return the tag without the features in brackets of the Dutch tag set."""
    for bracket in "[(":
        name = tag.partition(bracket)[0]
        if name and name != tag:
            return name
    return tag


@cache
def kind_of_tag(tag: str) -> str | None:
    """Return ``name``, ``nominal`` or ``pronoun`` by the tag of the head, or None.

    >>> [kind_of_tag(tag) for tag in ("NNP", "NN", "PRP$", "VBD", "N[eigen,ev]", "VNW[pers,3]")]
    ['name', 'nominal', 'pronoun', None, 'name', 'pronoun']
    """
    for kind, tags in _KINDS.items():
        if tag in tags:
            return kind
    name = _bare(tag)
    if name == tag:
        return None
    if name == "N":
        return "name" if tag[len(name) + 1 :].startswith("eigen") else "nominal"
    return {"VNW": "pronoun", "SPEC": "name"}.get(name)


@cache
def is_noun(tag: str) -> bool:
    """Return whether a tag is that of a noun or a name."""
    return kind_of_tag(tag) in ("name", "nominal")


@cache
def is_preposition(tag: str) -> bool:
    """Return whether a tag is that of a preposition."""
    return _bare(tag) in _PREPOSITIONS


@cache
def is_coordinator(tag: str) -> bool:
    """Return whether a tag is that of a word such as "and"."""
    return tag in _COORDINATORS or tag.startswith(("VG[neven", "VG(neven"))


@cache
def is_punctuation(tag: str) -> bool:
    """Return whether a tag is that of a punctuation mark."""
    return tag in _PUNCTUATION or _bare(tag) == "LET"


@cache
def is_verb_or_adverb(tag: str) -> bool:
    """Return whether a tag is that of a verb or an adverb, the head of no nominal mention."""
    return tag in ("VERB", "AUX", "MD") or tag.startswith(_VERBS) or _bare(tag) in _ADVERBS
