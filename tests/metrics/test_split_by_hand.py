"""Split antecedents on small documents, with values by hand arithmetic."""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import pytest

from corefmeter import Corpus, Document, OptionError, Recipe, score
from corefmeter.corpus.relations import Relations, Split
from corefmeter.corpus.splits import SetMember
from corefmeter.metrics import make
from corefmeter.metrics.overlap import Overlap
from corefmeter.metrics.sets import _order, join_equal_sets, with_sets

F = Fraction

METRICS = ("muc", "b3", "ceafm", "ceafe", "lea", "blanc")


def document(entities: dict[str, str], *splits: tuple[str, str], name: str = "d") -> Document:
    """A document of entities by name, each a text of one-letter mentions, and of its sets."""
    return Document(
        name,
        [list(mentions) for mentions in entities.values()],
        entity_names=list(entities),
        relations=Relations(tuple(Split(plural, tuple(members)) for plural, members in splits)),
    )


def scored(key, response, metric, **options):
    options = {"split_antecedents": True, **options}
    key, response = (side if isinstance(side, list) else [side] for side in (key, response))
    return score(Corpus(key), Corpus(response), metrics=metric, **options)[metric]


def check(found, recall, precision):
    assert isclose(found.recall, recall, abs_tol=1e-12), (found.recall, recall)
    assert isclose(found.precision, precision, abs_tol=1e-12), (found.precision, precision)


# Entity 4 is {f, g} and a set: of ab and cd in the key, of ab, cd and e in the response. The set is
# right to the degree w, which the comments derive. Both sides have 4 entities and 8 members.
ENTITIES = {"1": "ab", "2": "cd", "3": "e", "4": "fg"}
KEY, RESPONSE = document(ENTITIES, ("4", "12")), document(ENTITIES, ("4", "123"))


@pytest.mark.parametrize(
    ("metric", "recall", "precision"),
    [
        # An entity of one mention is a link to itself: precision of the sets 2/3. Links 1, 1, 2.
        ("muc", 1, (1 + 1 + 1 + F(2, 3)) / 4),
        # Precision of the sets (2 + 2) / 5.
        ("b3", 1, (2 + 2 + 1 + (2 + F(4, 5)) ** 2 / 3) / 8),
        # 4 of 4 and 5 mentions: F1 8/9.
        ("ceafm", (7 + F(8, 9)) / 8, (7 + F(8, 9)) / 8),
        # 2 of 2 and 3 entities: F1 4/5.
        ("ceafe", (3 + 2 * (2 + F(4, 5)) / 6) / 4, (3 + 2 * (2 + F(4, 5)) / 6) / 4),
        # Precision of the sets 4/5; links of entity 4: fg, and two that weigh 4/5.
        ("lea", 1, (2 + 2 + 1 + 3 * (1 + 2 * F(4, 5)) / 3) / 8),
    ],
)
def test_a_set_counts_as_much_as_the_metric_gives_it(metric, recall, precision):
    check(scored(KEY, RESPONSE, metric), recall, precision)
    check(scored(RESPONSE, KEY, metric), precision, recall)


@pytest.mark.parametrize("metric", METRICS)
def test_without_the_option_or_without_sets_nothing_changes(metric):
    plain = document(ENTITIES)
    expected = score(Corpus([plain]), Corpus([plain]), metrics=metric)
    for key, on in ((KEY, False), (plain, True)):
        found = score(Corpus([key]), Corpus([key]), metrics=metric, split_antecedents=on)
        assert found.statistics == expected.statistics


def test_importance_of_lea_is_that_of_the_mentions():
    # Each entity weighs 1, in the sets too, whose precision is 2/3: entity 4 is resolved by
    # (1 + 2 * 2/3) / 3.
    found = scored(KEY, RESPONSE, "lea", lea_importance="one")
    check(found, 1, (3 + F(7, 9)) / 4)


def test_a_plural_entity_in_a_set_is_what_it_is_made_of():
    entities = {"1": "a", "2": "b", "3": "e", "both": "f", "all": "g"}
    nested = document(entities, ("both", "12"), ("all", ["both", "3"]))
    flat = document(entities, ("both", "12"), ("all", "123"))
    for metric in METRICS:
        check(scored(nested, flat, metric), 1, 1)


def test_two_sets_in_one_entity_are_two_members():
    # Key {f, S, T} with S = {a, b}, T = {b, e}; the response lacks T: of the links f-S and f-T it
    # has one.
    entities = {"1": "a", "2": "b", "3": "e", "4": "f"}
    key = document(entities, ("4", "12"), ("4", "23"))
    response = document(entities, ("4", "12"))
    check(scored(key, response, "muc"), F(1, 2), 1)
    # Members: 4 + 2. (1 + 1 + 1 + 2 * 2 / 3) / 6, and all 5 of the response are right.
    check(scored(key, response, "b3"), (3 + F(4, 3)) / 6, 1)
    check(scored(key, key, "lea"), 1, 1)


def test_the_order_of_members_means_nothing():
    # Other scorers give LEA precision 0.925 where the set comes between f and g, and MUC recall 1
    # where of two sets the missing one comes first.
    for mentions in ("fg", "gf"):
        entities = {"4": mentions, "3": "e", "2": "dc", "1": "ba"}
        key, response = document(entities, ("4", "21")), document(entities, ("4", "312"))
        check(scored(key, response, "lea"), 1, F(95, 100))
    entities = {"1": "a", "2": "b", "3": "e", "4": "f"}
    for splits in ((("4", "12"), ("4", "23")), (("4", "23"), ("4", "12"))):
        key, response = document(entities, *splits), document(entities, ("4", "12"))
        check(scored(key, response, "muc"), F(1, 2), 1)


def test_sets_that_share_no_mention_are_linked_as_the_weaker_one_is():
    # Key {f, S, T} with S = {a, b}, T = {b, e}; response {h, S', T'} with S' = {a, b, j} and T' =
    # {b, e, i}. Of entities of one mention both have precision 2/3. One link holds them together.
    key = document({"1": "a", "2": "b", "3": "e", "4": "f"}, ("4", "12"), ("4", "23"))
    response = document(
        {"1": "a", "2": "b", "3": "e", "4": "h", "5": "i", "6": "j"}, ("4", "126"), ("4", "235")
    )
    check(scored(key, response, "muc"), F(1, 2), F(2, 3) / 2)
    # LEA: singletons a, b, e are right; of the three links of entity 4 one, which weighs 2/3 * 2/3.
    check(scored(key, response, "lea"), (3 + 3 * F(1, 3)) / 6, (3 + 3 * F(4, 9) / 3) / 8)


def test_entities_with_the_same_set_are_one():
    key = document({"1": "a", "2": "b", "3": "fg"}, ("3", "12"))
    response = document({"1": "a", "2": "b", "3": "f", "4": "g"}, ("3", "12"), ("4", "21"))
    for metric in METRICS:
        check(scored(key, response, metric), 1, 1)


def test_of_equally_good_partners_that_of_the_entity_with_more_in_common_is_taken():
    # S = {a, b} agrees with {a, c} as with {b, c}: one of two entities of two. Only the second is
    # in an entity with f: kept is the link f-S, to the degree 1/2.
    key = document({"1": "a", "2": "b", "3": "c", "4": "f", "5": "g"}, ("4", "12"))
    sets = ("5", "13"), ("4", "23")
    response = document({"1": "a", "2": "b", "3": "c", "4": "f", "5": "g"}, *sets)
    check(scored(key, response, "muc"), F(1, 2), F(1, 2) / 2)
    check(scored(key, document({"5": "g", **ENTITIES, "1": "a", "2": "b", "3": "c", "4": "f"},
                               *sets[::-1]), "muc"), F(1, 2), F(1, 2) / 2)  # fmt: skip


def test_where_the_metric_of_the_sets_would_be_0_of_0_equal_sets_count_1():
    # The set of one entity of one mention has no links at all.
    key = document({"1": "a", "2": "f"}, ("2", "1"))
    for metric in METRICS:
        check(scored(key, key, metric), 1, 1)


def test_sets_that_contain_themselves_are_made_of_their_circle():
    circle = document({"1": "a", "2": "b"}, ("1", "2"), ("2", "1"))
    for metric in METRICS:
        check(scored(circle, circle, metric), 1, 1)


def test_an_entity_with_a_set_or_in_one_is_no_singleton():
    # Without e, which stays a singleton, all is right: {a}, {b}, {f, S}.
    key = document({"1": "a", "2": "b", "3": "f"}, ("3", "12"))
    response = document({"1": "a", "2": "b", "3": "f", "4": "e"}, ("3", "12"))
    check(scored(key, response, "b3", singletons="drop"), 1, 1)
    check(scored(key, response, "b3", singletons="keep"), 1, F(4, 5))


def test_in_joined_documents_a_name_is_that_of_its_document():
    # Name 1 is a in one document and c in the other.
    one = document({"1": "a", "2": "b", "3": "f"}, ("3", "12"), name="one")
    two = document({"1": "c", "2": "e", "3": "g"}, ("3", "1"), name="two")
    other = document({"1": "c", "2": "e", "3": "g"}, ("3", "12"), name="two")
    check(scored([one, two], [one, two], "b3", as_one_document=True), 1, 1)
    # Members 4 + 4; the set of g has recall 1 of 1 and precision 1 of 2, so {g, T} (1 + 1/2)^2 / 2.
    found = scored([one, two], [one, other], "b3", as_one_document=True)
    check(found, 1, (4 + 2 + F(9, 8)) / 8)
    # With shared ids 1 is {a, c}, 2 {b, e} and 3 {f, g}, with one set more than once: {1, 2}.
    found = scored([one, other], [one, other], "b3", as_one_document=True, shared_ids=True)
    check(found, 1, 1)
    assert found.recall_denominator == 7


def test_entities_that_were_merged_are_found_by_their_mentions():
    # Entity 2 shares b with entity 1: with `merge` they are one, which the set is made of.
    key = document({"1": "ab", "3": "f"}, ("3", "1"))
    response = document({"1": "ab", "2": "b", "3": "f"}, ("3", "2"))
    check(scored(key, response, "b3", repeated="merge"), 1, 1)


def test_what_a_set_names_and_is_not_there_is_reported():
    # The set is {a} alone; of "gone" nothing is known.
    entities = {"1": "a", "4": "f"}
    key, response = document(entities, ("4", "1")), document(entities, ("4", ["1", "gone"]))
    result = score(Corpus([key]), Corpus([response]), metrics="b3", split_antecedents=True)
    check(result.b3, 1, 1)
    (problem,) = [problem for problem in result.problems if problem.code == "split-left-out"]
    assert (problem.severity, problem.count) == ("warning", 1)


def rows(*cells: str, columns: int) -> str:
    """Lines of one sentence, each with a cell in the last column."""
    return "".join(
        "\t".join([str(number), "w", *["_"] * (columns - 3), cell]) + "\n"
        for number, cell in enumerate(cells, 1)
    )


def conllua(folder, name, *members: int):
    """Ann is 1, 2, Bob 3, Eve 4, and they 5, with a set of some of them."""
    of = {member: "|ElementOf=5" if member in members else "" for member in (1, 3, 4)}
    cells = [
        f"(EntityID=1|MarkableID=a{of[1]})", "(EntityID=1|MarkableID=b)",
        f"(EntityID=3|MarkableID=c{of[3]})", f"(EntityID=4|MarkableID=d{of[4]})",
        "(EntityID=5|MarkableID=e)",
    ]  # fmt: skip
    head = (
        "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY\n"
        "# newdoc id = d\n# sent_id = 1\n"
    )
    path = folder / f"{name}.conllua"
    path.write_text(head + rows(*cells, columns=11) + "\n", encoding="utf-8")
    return path


def corefud(folder, name, *members: int):
    """The same."""
    sets = ",".join(f"e{member}<e5" for member in members)
    cells = ["Entity=(e1)", "Entity=(e1)", "Entity=(e3)", "Entity=(e4)", "Entity=(e5)"]
    if sets:
        cells[-1] += f"|SplitAnte={sets}"
    head = "# newdoc id = d\n# global.Entity = eid\n# sent_id = 1\n"
    path = folder / f"{name}.conllu"
    path.write_text(head + rows(*cells, columns=10) + "\n", encoding="utf-8")
    return path


@pytest.mark.wings
@pytest.mark.parametrize("write", [conllua, corefud])
def test_sets_are_read_of_files(write, tmp_path):
    # Of the sets {Ann, Bob} and {Ann, Bob, Eve}, with mentions 2, 1 and 1, precision is 3/4; they
    # with its set is an entity of two, of 6 members.
    key, response = write(tmp_path, "key", 1, 3), write(tmp_path, "response", 1, 3, 4)
    result = score(key, response, metrics="b3", split_antecedents=True)
    check(result.b3, 1, (2 + 1 + 1 + (1 + F(3, 4)) ** 2 / 2) / 6)
    assert not [problem for problem in result.problems if problem.code == "relations-not-scored"]
    # Without the set of the response, recall of that entity is 1/2.
    missed = write(tmp_path, "missed")
    found = score(key, missed, metrics="b3", split_antecedents=True).b3
    check(found, (2 + 1 + 1 + F(1, 2)) / 6, 1)
    result = score(key, missed, metrics="b3")
    assert result.b3.f1 == 1
    assert [problem.code for problem in result.problems][-1] == "relations-not-scored"


def test_what_the_sets_are_not_for_is_refused():
    with pytest.raises(OptionError, match="split_antecedents has no effect without a metric of"):
        Recipe().asked(metrics="rand", split_antecedents=True)
    with pytest.raises(OptionError, match="has no split_antecedents"):
        Recipe(repeated="official", split_antecedents=True)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("place", [0, 1])
def test_an_entity_that_loses_its_first_mention_stays_the_one_that_a_set_names(metric, place):
    """Under ``first``, b of entity 2 goes, as entity 1 has it: the sides are the same."""
    twice = document({"1": "ab", "2": "bcd", "3": "ef", "4": "gh"}, ("4", "23"))
    once = document({"1": "ab", "2": "cd", "3": "ef", "4": "gh"}, ("4", "23"))
    key, response = (twice, once) if place == 0 else (once, twice)
    check(scored(key, response, metric, repeated="first"), 1, 1)


def test_a_metric_without_sets_sees_no_sets():
    table = Overlap([["a"], ["b"], ["t"]], [["a"], ["b"], ["t"]])
    sets = [SetMember(2, (0, 1))]
    assert with_sets(table, sets, sets, make("rand", Recipe())) is table


def test_entities_with_equal_sets_are_joined_as_they_were_read_too():
    """For functions of a user, which see the mentions of the file."""
    read = [[(0, 1)], [(2, 3)], [(4, 5)]], [[(0, 2)]]
    table = Overlap([["ann"], ["they"], ["both"]], [["ann"]], False, read)
    joined, _, _ = join_equal_sets(table, [SetMember(1, (0,)), SetMember(2, (0,))], [])
    assert joined.as_read == ([[(0, 1)], [(2, 3), (4, 5)]], [[(0, 2)]])
    assert joined.repeats is False


def test_mentions_of_any_type_have_an_order():
    """Numbers, then names, then positions."""
    mentions = [3, 12, "ann", "bob", (0, 4), (2, 3), (2, "x")]
    for given in (mentions[::-1], mentions[3:] + mentions[:3]):
        assert sorted(given, key=_order) == mentions
