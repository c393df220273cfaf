"""Heads of mentions: by dependencies, by parse in English and Chinese, by tags, by words."""

from __future__ import annotations

import pytest

from corefmeter.corpus.text import Text
from corefmeter.mentions.heads import HeadFinder, tree


def head_of(text: Text, mention) -> int | None:
    return HeadFinder(text).head(mention)


def tagged(words: str, pos: str | None = None, upos: str | None = None, **more) -> Text:
    """A text from words and tags between blanks."""
    return Text(words.split(), pos=pos and pos.split(), upos=upos and upos.split(), **more)


def parsed(written: str) -> Text:
    """A text from a tree such as ``(NP (DT the) (NN dog))``."""
    words, pos, bits = [], [], []
    before = ""
    items = written.replace("(", " ( ").replace(")", " ) ").split()
    place = 0
    while place < len(items):
        item = items[place]
        if item == "(" and items[place + 2] not in "()":
            pos.append(items[place + 1])
            words.append(items[place + 2])
            bits.append(before + "*")
            before = ""
            place += 4
        elif item == "(":
            before += "(" + items[place + 1]
            place += 2
        else:
            bits[-1] += ")"
            place += 1
    return Text(words, pos=pos, parse=bits)


#: The tree of a mention, and its head.
ENGLISH = [
    ("(NP (DT the) (JJ big) (NN dog))", "dog"),
    ("(NP (NNP Bill) (NNP Clinton))", "Clinton"),
    ("(NP (NP (NNP China) (POS 's)) (NNS leaders))", "leaders"),
    ("(NP (NNP John) (POS 's))", "John"),
    ("(NP (NP (DT the) (NN wife)) (PP (IN of) (NP (DT the) (NN president))))", "wife"),
    ("(NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD left)))))", "man"),
    ("(NP (NP (NNP Ann)) (, ,) (NP (DT the) (NN boss)) (, ,))", "Ann"),
    ("(NP (NP (PRP he)) (CC and) (NP (PRP$ his) (NN wife)))", "he"),
    ("(NP (NNP Ann) (CC and) (NNP Bob))", "Bob"),
    ("(NP (PRP he) (RB himself))", "he"),
    ("(NP (PRP$ her) (JJ ten-year-old) (NN child))", "child"),
    ("(NP (NML (NNP New) (NNP York)) (NN mayor))", "mayor"),
    ("(NP (DT the) (NML (NN ice) (NN cream)) (. .))", "cream"),
    ("(NP (DT the) (JJ latter) (NN group))", "group"),
    ("(NP (DT the) (JJ poor))", "poor"),
    ("(NP (DT the) (CD three))", "three"),
    ("(NP (QP (IN about) ($ $) (CD 38)))", "$"),
    ("(NP (DT all) (PP (IN of) (NP (PRP them))))", "all"),
    ("(NP (NP (CD two)) (PP (IN of) (NP (PRP us))))", "two"),
    ("(NP (DT the) (NN fact) (SBAR (IN that) (S (NP (PRP it)) (VP (VBZ works)))))", "fact"),
    ("(WHNP (WP$ whose) (NN father))", "father"),
    ("(WHNP (WDT which))", "which"),
    ("(VP (MD will) (VP (VB go)))", "will"),
    ("(S (NP (NN work)) (VP (VBZ pays)))", "pays"),
    ("(PP (IN in) (NP (NNP Rome)))", "in"),
    ("(ADVP (RB very) (RB soon))", "soon"),
    ("(UCP (NNS teas) (CC or) (JJ hot))", "hot"),
]

CHINESE = [
    ("(IP (NP (NP (NR 美国)) (NP (NN 总统))))", "总统"),
    ("(IP (NP (DNP (NP (NN 公司)) (DEG 的)) (NP (NN 经理))))", "经理"),
    ("(IP (NP (CP (IP (VP (VV 来))) (DEC 的)) (NP (NN 人))))", "人"),
    ("(IP (NP (QP (CD 三) (CLP (M 个))) (NP (NN 孩子))))", "孩子"),
    ("(IP (NP (NR 张) (PU 、) (NR 王)))", "王"),
    ("(IP (NP (DP (DT 这)) (NP (PN 他们))))", "他们"),
    ("(IP (PP (P 在) (NP (NR 北京))))", "在"),
    ("(IP (DP (DT 这些) (CLP (M 个))))", "这些"),
    ("(IP (VP (VV 看) (NP (NN 书))))", "看"),
]


@pytest.mark.parametrize(("written", "head"), [*ENGLISH, *CHINESE])
def test_head_by_parse(written, head):
    text = parsed(written)
    found = HeadFinder(text).head((0, len(text)))
    assert text.words[found] == head


def test_a_mention_within_a_sentence():
    text = parsed(
        "(TOP (S (NP (NP (DT the) (NN wife)) (PP (IN of) (NP (DT the) (NN boss)))) "
        "(VP (VBD saw) (NP (PRP$ her) (NN son)))))"
    )
    finder = HeadFinder(text)
    heads = [text.words[finder.head(span)] for span in ((0, 5), (3, 5), (6, 8), (6, 7), (0, 2))]
    assert heads == ["wife", "boss", "son", "her", "wife"]


def test_a_mention_that_is_no_constituent_is_a_noun_phrase_of_its_parts():
    """ "saw her son": from the right the first noun is none; the NP is."""
    text = parsed("(TOP (S (NP (PRP he)) (VP (VBD saw) (NP (PRP$ her) (NN son)) (ADVP (RB now)))))")
    assert text.words[HeadFinder(text).head((1, 4))] == "son"


def test_over_a_border_of_sentences():
    """No part is a noun phrase, and the only token is a full stop: the last part has the head."""
    text = tagged("we won . Rome lost", pos="PRP VBD . NNP VBD",
                parse=["(TOP(S(NP*)", "(VP*)", "*))", "(TOP(S(NP*)", "(VP*)))"],
                sentences=[0, 3])  # fmt: skip
    assert HeadFinder(text).head((1, 5)) == 4


@pytest.mark.parametrize("bits", [["(NP*", "*"], ["*", "*)"], ["(NP(X*", "*))))"], ["*", "*"]])
def test_brackets_that_are_missing_or_too_many_do_no_harm(bits):
    text = Text(["old", "dogs"], pos=["JJ", "NNS"], parse=bits)
    assert HeadFinder(text).head((0, 2)) == 1


def test_trees():
    assert repr(tree(["(S(NP*)", "(VP*", "(NP*)))"], 5)) == "( (S (NP 5) (VP 6 (NP 7))))"


#: Words, tags, and the head without a parse.
BY_TAGS = [
    ("the wife of the president", "DT NN IN DT NN", "wife"),
    ("Bill Clinton , the president", "NNP NNP , DT NN", "Clinton"),
    ("his father 's", "PRP$ NN POS", "father"),
    ("the poor", "DT JJ", "poor"),
    ("all of them", "DT IN PRP", "all"),
    ("he himself", "PRP PRP", "himself"),
    (", the boss", ", DT NN", "boss"),
    ("de vader van Jan", "LID[bep] N[soort,ev] VZ[init] N[eigen,ev]", "vader"),
    ("der Vater von Jan", "ART NN APPR NE", "Vater"),
]


@pytest.mark.parametrize(("words", "tags", "head"), BY_TAGS)
def test_head_by_tags(words, tags, head):
    text = tagged(words, tags)
    assert text.words[head_of(text, (0, len(text)))] == head


def test_universal_tags_serve_where_there_are_no_others():
    text = tagged("la casa de Ana", upos="DET NOUN ADP PROPN")
    assert head_of(text, (0, 4)) == 1


@pytest.mark.parametrize(
    ("words", "head"),
    [("the old man", "man"), ("Ann , a friend", "Ann"), ("John 's", "John"), (", he", "he"),
     ("the end .", "end")],
)  # fmt: skip
def test_head_by_words(words, head):
    text = tagged(words)
    assert text.words[head_of(text, (0, len(text)))] == head


def test_dependencies_come_before_a_parse():
    """ "the wife of the boss": wife depends on a word outside."""
    text = tagged("saw the wife of the boss", pos="VBD DT NN IN DT NN", heads=[-1, 2, 0, 5, 5, 2])
    assert head_of(text, (1, 6)) == 2
    assert head_of(text, (3, 6)) == 5


def test_of_several_dependents_of_outside_the_first_that_is_no_punctuation():
    text = tagged("saw , Ann Lee", upos="VERB PUNCT PROPN PROPN", heads=[-1, 0, 0, 0])
    assert head_of(text, (1, 4)) == 2


def test_a_mention_with_gaps_has_a_head_by_its_tags():
    text = parsed("(NP (NP (DT the) (NN mayor)) (VP (VBD said)) (PP (IN of) (NP (NNP Rome))))")
    assert head_of(text, ((0, 2), (3, 5))) == 1


@pytest.mark.parametrize("mention", [((2, 2, 1),), (3, 9), "Ann"])
def test_what_has_no_head(mention):
    """An empty node, a span outside of the text, a name."""
    assert head_of(tagged("a b c d"), mention) is None


def test_other_languages_are_not_read_by_english_rules():
    """Dutch labels and tags: the last noun before the preposition."""
    text = tagged("de vader van Jan", pos="LID[bep] N[soort,ev] VZ[init] N[eigen,ev]",
                parse=["(TOP(NP*", "*", "(PP*", "*)))"])  # fmt: skip
    assert head_of(text, (0, 4)) == 1
