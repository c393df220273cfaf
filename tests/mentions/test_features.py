"""Features of mentions: kinds, types, sizes, distances, nesting; where they come from; groups."""

from __future__ import annotations

import pytest

from corefmeter import Document, OptionError
from corefmeter.corpus.text import Detail, Text
from corefmeter.mentions.features import FEATURES, Features, groups_at
from corefmeter.mentions.pronouns import PRONOUNS
from corefmeter.mentions.side import SideFeatures


def side(entities, words="", pos=None, name="bn/x", details=None, pronouns=None, **more):
    text = Text(words.split(), pos=pos and pos.split(), **more) if words else None
    document = Document(name, entities, text=text, details=details)
    return SideFeatures(document, pronouns=pronouns)


def one(words, pos=None, pronouns=None, **more):
    """The features of one mention that is the whole text."""
    span = (0, len(words.split()))
    return side([[span]], words, pos, pronouns=pronouns, **more)[span]


#: Words, tags, named entities, kind.
KINDS = [
    ("Ann", "NNP", None, "name"),
    ("the United States", "DT NNP NNPS", None, "name"),
    ("the dog", "DT NN", None, "nominal"),
    ("old dogs", "JJ NNS", None, "nominal"),
    ("US troops", "NNP NNS", [(0, 1, "GPE")], "nominal"),
    ("the national bank", "DT JJ NN", [(0, 3, "ORG")], "name"),
    ("last year", "JJ NN", [(0, 2, "DATE")], "nominal"),
    ("he", "PRP", None, "pronoun"),
    ("his", "PRP$", None, "pronoun"),
    ("who", "WP", None, "pronoun"),
    ("which", "WDT", None, "pronoun"),
    ("that", "DT", None, "pronoun"),
    ("all of them", "DT IN PRP", None, "pronoun"),
    ("he and his wife", "PRP CC PRP$ NN", None, "nominal"),
    ("those , the rest", "DT , DT NN", None, "nominal"),
    ("the poor", "DT JJ", None, "nominal"),
    ("two", "CD", None, "other"),
    ("the two", "DT CD", None, "nominal"),
    ("walked", "VBD", None, "other"),
    ("walked away", "VBD RB", None, "other"),
    ("there", "EX", None, "other"),
    ("张三", "NR", None, "name"),
    ("他", "PN", None, "pronoun"),
    ("老 师", "JJ NN", None, "nominal"),
    ("昨天", "NT", None, "nominal"),
    ("der Hund", "ART NN", None, "nominal"),
    ("Hans", "NE", None, "name"),
    ("seinem", "PPOSAT", None, "pronoun"),
    ("de hond", "LID[bep] N[soort,ev]", None, "nominal"),
    ("Jan", "N(eigen,ev)", None, "name"),
    ("Den Haag", "SPEC[deeleigen] SPEC[deeleigen]", None, "name"),
    ("zijn", "VNW[bez,det]", None, "pronoun"),
]


@pytest.mark.parametrize(("words", "pos", "names", "kind"), KINDS)
def test_kind_by_tags(words, pos, names, kind):
    assert one(words, pos, entity_types=names).kind == kind


@pytest.mark.parametrize(
    ("words", "upos", "kind"),
    [
        ("Ana", "PROPN", "name"),
        ("la casa", "DET NOUN", "nominal"),
        ("ella", "PRON", "pronoun"),
        ("este", "DET", "pronoun"),
        ("canta", "VERB", "other"),
    ],
)
def test_kind_by_universal_tags(words, upos, kind):
    assert one(words, upos=upos.split()).kind == kind


@pytest.mark.parametrize(
    ("words", "pronouns", "kind"),
    [
        ("Her", "en", "pronoun"),
        ("her dog", "en", "nominal"),
        ("ihrem", "de", "pronoun"),
        ("zichzelf", "nl", "pronoun"),
        ("Her", None, None),
        ("Her", {"it"}, "nominal"),
    ],
)
def test_kind_by_a_list_of_pronouns_only_where_there_are_no_tags(words, pronouns, kind):
    assert one(words, pronouns=pronouns).kind == kind
    assert one(words, "NNP " * len(words.split()), pronouns=pronouns).kind == "name"


def test_without_tags_a_named_entity_makes_a_name():
    assert one("Ann Lee", entity_types=[(0, 2, "PERSON")]).kind == "name"
    assert one("Monday", entity_types=[(0, 1, "DATE")]).kind is None


def test_a_token_without_a_tag_is_unknown():
    assert side([[(0, 1)]], "Ann saw", "- VBD")[(0, 1)].kind is None


def test_what_the_file_says_of_a_mention_comes_first():
    detail = Detail(kind="nominal", head=0, entity_type="animal")
    features = side([[(0, 2)]], "Rex Smith", "NNP NNP", details=[[detail]])[(0, 2)]
    assert (features.kind, features.head, features.entity_type) == ("nominal", 0, "animal")


def test_the_type_of_an_entity_makes_no_name():
    """In some corpora every mention has one."""
    detail = Detail(entity_type="person")
    assert side([[(0, 2)]], "the boss", "DT NN", details=[[detail]])[(0, 2)].kind == "nominal"


def test_an_empty_node_is_a_pronoun():
    zero = ((1, 1, 1),)
    features = side([[(0, 1), zero]], "Ana canta", "PROPN VERB")[zero]
    assert (features.kind, features.zero, features.tokens) == ("pronoun", True, 0)
    assert features.head is features.pos is None


#: Words, tags, named entities, the mention, its type.
TYPES = [
    ("Ann Lee", "NNP NNP", [(0, 2, "PERSON")], (0, 2), "PERSON"),
    ("President Ann Lee", "NNP NNP NNP", [(1, 3, "PERSON")], (0, 3), "PERSON"),
    ("Ann Lee of Rome", "NNP NNP IN NNP", [(0, 2, "PERSON"), (3, 4, "GPE")], (0, 4), "PERSON"),
    ("China 's president", "NNP POS NN", [(0, 2, "GPE")], (0, 3), "none"),
    ("the Bush administration", "DT NNP NN", [(0, 3, "ORG")], (1, 2), "none"),
    ("Bank of Rome", "NNP IN NNP", [(0, 3, "ORG"), (2, 3, "GPE")], (2, 3), "GPE"),
    ("the National Assembly", "DT NNP NNP", [(0, 3, "ORG")], (1, 3), "ORG"),
    ("the dog", "DT NN", [], (0, 2), "none"),
    ("the dog", "DT NN", None, (0, 2), None),
]


@pytest.mark.parametrize(("words", "pos", "names", "mention", "expected"), TYPES)
def test_entity_type(words, pos, names, mention, expected):
    features = side([[mention]], words, pos, entity_types=names)
    assert features[mention].entity_type == expected
    assert FEATURES["entity_type"](features[mention]) == (expected or "unknown")


def test_the_class_of_an_entity_is_its_most_frequent_type():
    words = "Ann saw Acme . She owns it . Lee sold Acme Ltd"
    pos = "NNP VBD NNP . PRP VBZ PRP . NNP VBD NNP NNP"
    names = [(0, 1, "PERSON"), (2, 3, "PRODUCT"), (8, 9, "PERSON"), (10, 12, "ORG")]
    entities = [[(0, 1), (4, 5), (8, 9)], [(2, 3), (6, 7), (10, 12)]]
    features = side(entities, words, pos, entity_types=names)
    assert features[(4, 5)].entity_class == "PERSON"
    assert features[(4, 5)].entity_type == "none"
    assert features[(6, 7)].entity_class == "PRODUCT"  # as frequent as ORG, and first
    assert side([[(0, 1)]], "dogs", "NNS", entity_types=[])[(0, 1)].entity_class == "none"


def test_distances():
    """Sentences begin at 0, 4 and 8; the entities' mentions alternate."""
    entities = [[(9, 10), (0, 1), (4, 5)], [(1, 3), (5, 6)]]
    features = side(entities, "a b c . d e f . g h", sentences=[0, 4, 8])
    assert features[(0, 1)].first
    assert features[(0, 1)].sentence_distance is None
    assert (features[(4, 5)].sentence_distance, features[(4, 5)].mention_distance) == (1, 2)
    assert (features[(9, 10)].sentence_distance, features[(9, 10)].mention_distance) == (1, 2)
    assert features[(5, 6)].mention_distance == 2
    gaps = {m: features[m].token_distance for entity in entities for m in entity}
    assert gaps == {(0, 1): None, (4, 5): 4, (9, 10): 5, (1, 3): None, (5, 6): 4}
    assert [features[m].entity_span for m in gaps] == [9, 9, 9, 4, 4]


def test_distances_without_text_and_without_positions():
    features = side([[(0, 1), (4, 5)]])
    assert (features[(4, 5)].sentence_distance, features[(4, 5)].mention_distance) == (None, 1)
    features = side([["Ann", "she"]])
    assert features["she"].mention_distance is features["she"].tokens is None
    assert features["she"].token_distance is features["she"].entity_span is None
    assert not features["she"].first


@pytest.mark.parametrize(
    ("mentions", "inside"),
    [
        ([(0, 3), (1, 2)], [(1, 2)]),
        ([(0, 3), (0, 2), (2, 3)], [(0, 2), (2, 3)]),
        ([(0, 3), (2, 5)], []),
        ([(0, 3), (3, 5)], []),
        ([(0, 9), (2, 4), (4, 6), (5, 6)], [(2, 4), (4, 6), (5, 6)]),
        ([((0, 2), (4, 6)), (3, 4)], [(3, 4)]),
        ([(0, 3), ((1, 1, 1),)], [((1, 1, 1),)]),
        ([(0, 3), ((0, 0, 1),), ((3, 3, 1),)], []),
    ],
)
def test_nested_mentions(mentions, inside):
    features = side([[mention] for mention in mentions])
    assert [mention for mention in mentions if features[mention].nested] == inside


def test_the_same_span_in_two_entities_is_not_nested_in_itself():
    """Two mentions of one span cannot be told apart here."""
    features = side([[(0, 2)], [(0, 2)]])
    assert features[(0, 2)].nested is False


def test_nested_equals_its_definition():
    from random import Random

    rng = Random(4)
    for _ in range(300):
        spans = list({(s := rng.randrange(9), s + rng.randint(1, 5)) for _ in range(6)})
        features = side([[span] for span in spans])
        for s, e in spans:
            within = any(a <= s and e <= b and (a, b) != (s, e) for a, b in spans)
            assert features[(s, e)].nested == within, spans


def test_key_mentions_have_features_of_the_key_and_twinless_ones_of_the_response():
    """(0, 1) is in an entity of three in the key and of one in the response."""
    key = Document("bn/x", [[(0, 1), (2, 3), (4, 5)]], text=Text(["Ann", "saw", "her", "by", "it"]))
    response = Document("bn/x", [[(0, 1)], [(1, 2), (6, 7)]], text=Text(["a"] * 9))
    features = Features(key, response)
    assert (features[(0, 1)].side, features[(0, 1)].entity_size) == ("key", 3)
    assert (features[(6, 7)].side, features[(6, 7)].entity_size) == ("response", 2)
    assert features.group((2, 3), "head") == "her"
    assert features.group((1, 2), "head") == "a"
    with pytest.raises(KeyError):
        features[(7, 8)]


def test_a_response_may_have_more_text_than_its_key():
    text = Text(["Ann", "left"], pos=["NNP", "VBD"])
    key, response = Document("x", []), Document("x", [[(0, 1)]])
    assert Features(key, response).kind((0, 1)) == "unknown"
    assert Features(key, response.replace(text=text)).kind((0, 1)) == "name"


@pytest.mark.parametrize(
    ("feature", "value", "group"),
    [
        ("tokens", 1, "1"), ("tokens", 4, "4-5"), ("tokens", 5, "4-5"), ("tokens", 10, "6-10"),
        ("tokens", 11, "11+"), ("entity_size", 1, "1"), ("entity_size", 4, "3-4"),
        ("entity_size", 20, "20+"),
    ],
)  # fmt: skip
def test_numbers_are_grouped(feature, value, group):
    if feature == "tokens":
        entities = [[(0, value)]]
    else:
        entities = [[(n, n + 1) for n in range(value)]]
    features = side(entities)
    assert FEATURES[feature](features[entities[0][0]]) == group


def test_groups_of_every_feature():
    """A text with everything, and one with nothing."""
    features = Features(
        Document(
            "bn/x", [[(0, 1), (3, 4)]],
            text=Text(["Ann", "saw", ".", "She", "left"], pos=["NNP", "VBD", ".", "PRP", "VBD"],
                      sentences=[0, 3], entity_types=[(0, 1, "PERSON")]),
        ),
        Document("", [["Bob", "he"]]),
    )  # fmt: skip
    assert {name: features.group((3, 4), name) for name in FEATURES} == {
        "kind": "pronoun", "pos": "PRP", "head": "she", "entity_type": "none",
        "entity_class": "PERSON", "tokens": "1", "entity_size": "2", "sentence_distance": "1",
        "mention_distance": "1", "gap": "0-9", "span": "0-9", "genre": "bn", "zero": "no",
        "nested": "no",
    }  # fmt: skip
    assert features.group((0, 1), "sentence_distance") == features.group((0, 1), "gap") == "first"
    known = {"entity_size": "2"}
    assert {name: features.group("he", name) for name in FEATURES} == {
        name: known.get(name, "unknown") for name in FEATURES
    }


def test_features_of_ones_own():
    key = Document("bn/x", [[(0, 1)]], text=Text(["Ann"]))

    def initial(mention, document):
        return document.text.words[mention[0]][0]

    features = Features(key, Document("bn/x", []), functions={"initial": initial})
    assert features.group((0, 1), "initial") == features.group((0, 1), initial) == "A"
    assert features.group((0, 1), lambda mention, document: None) == "unknown"


def test_an_unknown_feature_is_refused_with_the_nearest_one():
    features = Features(Document("x", [[(0, 1)]]), Document("x", []), functions={"mine": str})
    with pytest.raises(OptionError, match="did you mean 'entity_size'"):
        features.group((0, 1), "entitysize")
    with pytest.raises(OptionError, match="mine"):
        features.group((0, 1), "whatever")


def test_an_unknown_language_is_refused():
    with pytest.raises(OptionError, match="Known: en, de, nl"):
        side([], pronouns="xx")
    assert set(PRONOUNS) == {"en", "de", "nl"}


def test_a_mention_outside_of_the_text_does_no_harm():
    features = side([[(5, 7), (0, 1)]], "Ann left", "NNP VBD", pronouns="en")
    assert features[(5, 7)].head is features[(5, 7)].kind is None


@pytest.mark.parametrize("turned", [False, True])
def test_of_types_that_are_as_frequent_the_one_read_first_is_that_of_the_entity(turned):
    entity = [(4, 5), (0, 1)]
    details = [Detail(entity_type="ORG"), Detail(entity_type="PER")]
    if turned:
        entity, details = entity[::-1], details[::-1]
    document = Document("x", [entity], details=[details])
    assert Features(document, document).group((4, 5), "entity_class") == "PER"


def test_groups_are_named_by_their_first_and_last_number():
    assert groups_at((0, 1, 2, 5)) == ["0", "1", "2-4", "5+"]
