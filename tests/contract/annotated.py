"""Hypothesis strategies for the law above the others: annotated corpora, and all recipes.

Documents have words, sentences, a tree of dependencies, tags, and mentions with heads, minima and
optional ones; a mention may stand several times, in one entity or in several; plural entities have
sets of entities; entities of different documents share names; documents may be missing on a side.
"""

from __future__ import annotations

from dataclasses import fields

from hypothesis import strategies as st

from corefmeter import Corpus, Document, Recipe
from corefmeter.corpus.relations import Bridge, Layer, NonReferring, Relations, Split
from corefmeter.corpus.text import Detail, Text

__all__ = ["CEAF", "corpora", "recipes"]


def common_share(common: int, key_size: int, response_size: int) -> float:
    """A similarity for the general CEAF."""
    return common / max(key_size, response_size)


def length(entity) -> float:
    """An importance that looks at the mentions: the tokens of the longest one."""
    return 1 + max(end - start for start, end in map(_span, entity))


def _span(mention):
    if isinstance(mention[1], tuple):  # (document, mention) of joined documents
        return mention[1]
    return mention


CEAF = {"ceaf_similarity": common_share}

#: Values of the options that name no choices.
VALUES = {
    "overlap_threshold": [0.3, 0.5, 1.0],
    "identity": [None],  # others are refused where no file has such names
    "noise": [None],  # others are refused but for tables
    "lea_importance": ["size", "one", length],
    "ceaf_similarity": [common_share],
    "gmd_cost": ["basic", "pairs", "information"],
    "mela_weights": ["muc=1+b3=1+ceafe=1", "muc=2+blanc=1"],
}

TOKENS = 7


@st.composite
def _text(draw) -> Text:
    tokens = range(TOKENS)
    return Text(
        [f"w{token}" for token in tokens],
        sentences=[0, 4],
        upos=draw(
            st.lists(st.sampled_from(["NOUN", "PROPN", "PRON", "VERB"]),
                     min_size=TOKENS, max_size=TOKENS)
        ),
        heads=[draw(st.integers(-1, token - 1)) for token in tokens],
    )  # fmt: skip


@st.composite
def _document(draw, name: str, text: Text, plain: bool) -> Document:
    spans = st.tuples(st.integers(0, TOKENS - 1), st.integers(1, 3)).map(
        lambda pair: (pair[0], min(sum(pair), TOKENS))
    )
    entities = draw(st.lists(st.lists(spans, min_size=1, max_size=3), max_size=4))
    if plain:
        entities = [list(dict.fromkeys(entity)) for entity in entities]
    names = draw(st.permutations("1234"))[: len(entities)]
    relations = None if plain else draw(_relations(names, spans))
    if plain:
        return Document(name, entities, part=0, entity_names=names, tokens=TOKENS)
    details = [[draw(_detail(span)) for span in entity] for entity in entities]
    return Document(
        name, entities, part=0, entity_names=names, tokens=TOKENS, text=text, details=details,
        relations=relations,
    )  # fmt: skip


@st.composite
def _relations(draw, names: list[str], spans) -> Relations:
    """Sets of entities, also of some that are gone, of plural ones, and several for one entity.

    Bridging references have anchors of all kinds, and the entities of discourse deixis sets too.
    """
    some = st.sampled_from([*names, "gone"])
    members = st.lists(some, min_size=1, max_size=3, unique=True).map(tuple)
    splits = draw(st.lists(st.builds(Split, some, members), max_size=3))
    bridges = draw(
        st.lists(
            st.builds(Bridge, spans, st.none() | spans, st.none() | some, st.just("")), max_size=3
        )
    )
    nonreferring = draw(st.lists(spans.map(NonReferring), max_size=2))
    deixis = draw(st.lists(st.lists(spans, min_size=1, max_size=3), max_size=4))
    numbers = [str(number) for number in range(len(deixis))]
    details = [[draw(_detail(span)) for span in entity] for entity in deixis]
    layer = Layer(deixis, numbers, details, Relations((Split("0", ("1", "2")),)))
    return Relations(tuple(splits), tuple(bridges), tuple(nonreferring), layer)


@st.composite
def _detail(draw, span: tuple[int, int]) -> Detail:
    token = draw(st.integers(span[0], span[1] - 1))
    return Detail(
        head=token,
        minimum=draw(st.sampled_from([None, (token, token + 1), span])),
        attributes={"optional": True} if draw(st.integers(0, 4)) == 0 else None,
    )


@st.composite
def corpora(draw, plain: bool = False) -> tuple[Corpus, Corpus]:
    """Key and response; plain documents have no words and are as a CoNLL file can hold them."""
    documents = [f"d{number}" for number in range(draw(st.integers(1, 3)))]
    texts = {name: draw(_text()) for name in documents}
    key = [draw(_document(name, texts[name], plain)) for name in documents]
    kept = draw(st.sets(st.sampled_from(documents[1:]))) if documents[1:] else set()
    response = [
        draw(_document(name, texts[name], plain))
        for name in documents
        if name == documents[0] or name in kept
    ]
    return Corpus(key), Corpus(response)


@st.composite
def recipes(draw, plain: bool = False) -> Recipe:
    """A recipe with every field drawn; plain ones need nothing but spans."""
    values = {}
    for option in fields(Recipe):
        if option.name in ("metrics", "others"):
            continue
        of_others = (False, True) if isinstance(option.default, bool) else VALUES.get(option.name)
        choices = option.metadata["choices"] or of_others
        assert choices, f"give {option.name} values in VALUES"
        values[option.name] = draw(st.sampled_from(list(choices)))
    if plain or values["repeated"] == "official":
        values |= {"match": "exact", "zeros": "position", "align": "tokens"}
    if plain:
        values["layer"] = "identity"
    if values["match"] == "minspan":
        values["match"] = "overlap"  # needs a parse; see tests/matching
    if not values["as_one_document"]:
        values["shared_ids"] = False
    if values["repeated"] == "official":
        values["as_one_document"] = values["shared_ids"] = values["split_antecedents"] = False
    return Recipe(**values)
