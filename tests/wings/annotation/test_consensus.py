"""The worklist and the consensus of annotators: by hand, and against all partitions."""

from __future__ import annotations

import json
import random
from itertools import combinations

import pytest

import corefmeter
from corefmeter import Corpus, Document, OptionError
from corefmeter.corpus.text import Detail, Text
from corefmeter.wings.annotation import consensus
from corefmeter.wings.annotation.reports.consensus import MergeReport

from ...command import run


def merged(*annotators, **options):
    return corefmeter.merge(dict(zip("ABCDE", annotators, strict=False)), **options)


def entities(*annotators, **options):
    return merged(*annotators, **options).corpus.documents[0].entities


def partitions(mentions):
    """All partitions of some mentions."""
    if not mentions:
        yield []
        return
    first, *rest = mentions
    for partition in partitions(rest):
        yield [[first], *partition]
        for n, entity in enumerate(partition):
            yield [*partition[:n], [first, *entity], *partition[n + 1 :]]


def cost(partition, annotators):
    """In how many links annotators differ from a partition, by its definition: pair by pair."""

    def together(a, b, side):
        return any(a in entity and b in entity for entity in side)

    mentions = [mention for entity in partition for mention in entity]
    return sum(
        together(a, b, partition) != together(a, b, side)
        for side in annotators
        for a, b in combinations(mentions, 2)
    )


# ---- the consensus ------------------------------------------------------------------------------


def test_most_decide_about_mentions_and_links():
    # ab is linked by 2 of 3, c marked by 2 and linked to b by 1; d is marked by 1.
    found = merged([["a", "b"], ["c"]], [["a", "b", "c"], ["d"]], [["a"], ["b"]])
    assert found.corpus.documents[0].entities == [["a", "b"], ["c"]]
    # Against it: ab of C; ac and bc of B.
    assert (found.documents[0].cost, found.documents[0].bound) == (3, 3)


def test_of_two_annotators_it_has_what_both_say():
    assert entities([["a", "b", "c"]], [["a", "b"], ["c", "d"]]) == [["a", "b"], ["c"]]


def test_links_that_most_made_stay():
    sides = [["a", "b"], ["c"]], [["a", "b"], ["c"]], [["a"], ["b", "c"]]
    assert entities(*sides) == [["a", "b"], ["c"]]
    # With two more bc has 3 votes of 5 and ab 2; each link costs 2.
    found = merged(*sides, [["a"], ["b", "c"]], [["a"], ["b", "c"]])
    assert found.corpus.documents[0].entities == [["a"], ["b", "c"]]
    assert found.documents[0].cost == 4


def test_what_follows_from_links_speaks_against_them():
    # a1 and a2 are one atom. 2 of 3 link b with it, and 2 of 3 link c with b; but only 1 links c
    # with it, and that is two links: all in one costs 2 + 1 + 4, without c 2 + 2 + 2.
    sides = [["a1", "a2", "b"], ["c"]], [["a1", "a2"], ["b", "c"]], [["a1", "a2", "b", "c"]]
    found = merged(*sides)
    assert found.corpus.documents[0].entities == [["a1", "a2", "b"], ["c"]]
    assert (found.documents[0].cost, found.documents[0].bound) == (6, 6)


def test_least_says_how_many_must_have_a_mention():
    sides = [["a", "b"], ["c"]], [["a", "b"]], [["a", "b"]]
    assert entities(*sides) == [["a", "b"]]
    assert entities(*sides, least=1) == [["a", "b"], ["c"]]
    assert entities(*sides, least=3) == [["a", "b"]]
    assert entities([["a"]], [["a", "b"]], [["a"]], least=3) == [["a"]]


def test_a_document_of_fewer_has_what_all_of_them_have():
    found = merged({"x": [["a", "b"]], "y": [["c"]]}, {"x": [["a"]]}, {"x": [["a", "b"]]}, least=3)
    assert [one.document.entities for one in found.documents] == [[["a"]], [["c"]]]


def turned(sides, rng):
    """The same annotations: others first, and entities and mentions in another order."""
    return [
        rng.sample([rng.sample(entity, len(entity)) for entity in side], len(side))
        for side in rng.sample(sides, len(sides))
    ]


def test_of_partitions_that_are_as_good_the_first_mentions_are_joined():
    # ab and bc have 2 votes of 3, ac 1: abc costs 1 + 1 + 2, one link of two alone 1 + 2 + 1.
    sides = [["a", "b", "c"]], [["a", "b"], ["c"]], [["a"], ["b", "c"]]
    for n in range(20):
        (one,) = merged(*turned(sides, random.Random(n))).documents
        assert ({*map(frozenset, one.document.entities)}, one.cost, one.bound) == (
            {frozenset("abc")}, 4, 4
        )  # fmt: skip


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("annotators", [3, 5])
def test_the_order_of_annotators_entities_and_mentions_decides_nothing(annotators, named):
    """Of random votes many partitions are as good: about one of four had depended on an order."""
    for seed in range(60):
        rng = random.Random(seed)
        sides = votes(rng, annotators, 9)
        if named:
            sides = [[[f"m{a}" for a, _ in entity] for entity in side] for side in sides]
        whole, other = (
            {frozenset(entity) for entity in entities(*of)} for of in (sides, turned(sides, rng))
        )
        assert whole == other


def test_singletons_are_dropped_from_all():
    sides = [["a", "b"], ["c"]], [["a", "b"], ["c"]]
    assert entities(*sides, singletons="drop") == [["a", "b"]]


def votes(rng, annotators, mentions=7):
    found = []
    for _ in range(annotators):
        homes = {}
        for mention in range(mentions):
            if rng.random() < 0.85:
                homes.setdefault(rng.randrange(3), []).append((mention, mention + 1))
        found.append(list(homes.values()))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_no_partition_costs_less(seed):
    rng = random.Random(seed)
    sides = votes(rng, rng.choice((2, 3, 4, 5)))
    (one,) = merged(*sides).documents
    kept = [mention for entity in one.document.entities for mention in entity]
    assert one.cost == cost(one.document.entities, sides)
    assert one.cost == one.bound == min(cost(p, sides) for p in partitions(kept))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_a_bound_is_one_where_the_best_is_not_searched_for(seed, monkeypatch):
    monkeypatch.setattr(consensus, "_SEARCHED", 0)
    sides = votes(random.Random(seed), 3 + seed % 3)
    (one,) = merged(*sides).documents
    kept = [mention for entity in one.document.entities for mention in entity]
    best = min(cost(p, sides) for p in partitions(kept))
    assert one.bound <= best <= one.cost == cost(one.document.entities, sides)


def test_a_search_that_takes_too_long_leaves_a_bound(monkeypatch):
    monkeypatch.setattr(consensus, "_NODES", 3)
    sides = [votes(random.Random(seed), 1, 30)[0] for seed in range(5)]
    (one,) = merged(*sides).documents
    assert one.bound < one.cost == cost(one.document.entities, sides)


def test_many_annotators_are_merged_too():
    # More than half of 12 can be 792 subsets, so that components are looked for in another way.
    sides = [[["a", "b"], ["c", "d"]]] * 7 + [[["a", "b", "c"], ["d"]]] * 5
    named = {f"s{n}": side for n, side in enumerate(sides)}
    (one,) = corefmeter.merge(named).documents
    assert one.document.entities == [["a", "b"], ["c", "d"]]
    assert one.cost == one.bound == 5 * 3  # ac, bc and cd of 5


# ---- the worklist -------------------------------------------------------------------------------


def test_decisions_by_hand():
    # a and b are together for all who have them: one atom. B puts c with it, C has no c.
    found = merged([["a", "b"], ["c", "d"]], [["a", "b", "c"], ["d"]], [["a", "b"], ["d"]])
    assert [
        (d.kind, d.antecedent, d.mention, d.yes, d.no, d.unmarked, d.pairs, d.consensus)
        for d in found.decisions
    ] == [
        ("mention", None, "c", ("A", "B"), ("C",), (), 1, True),
        ("link", "a", "c", ("B",), ("A",), ("C",), 2, False),
        ("link", "c", "d", ("A",), ("B",), ("C",), 1, False),
    ]


def test_what_text_leaves_out_is_said():
    """One link to decide in each of two documents."""
    found = merged({d: [["p", "q"]] for d in "xy"}, {d: [["p"], ["q"]] for d in "xy"})
    report = MergeReport(found, 1, None)
    documents, worklist = report.tables()
    in_text = "; decisions are in the order of the text"
    assert documents.caption.endswith(f", most costly first: 1 of 2{in_text}")
    assert worklist.caption == "Decisions in x"
    assert "".join(report.notes([])[0]).startswith("1 of 2 decisions are shown; --top 0 shows")
    whole = MergeReport(found, None, None)
    assert whole.tables()[0].caption.endswith(f", most costly first{in_text}")
    assert not any("--top" in "".join(note) for note in whole.notes([]))


def test_the_most_costly_document_is_first():
    """One of two annotators has no link: of one in x, which costs 1, and of three in y, 3."""
    one, other = [["a", "b", "c"]], [["a"], ["b"], ["c"]]
    found = merged({"x": [["a", "b"]], "y": one}, {"x": [["a"], ["b"]], "y": other})
    documents, first, second = MergeReport(found).tables()
    assert [row[0] for row in documents.rows] == ["y", "x"]
    assert (first.caption, second.caption) == ("Decisions in y", "Decisions in x")
    assert [decision.document for decision in found.decisions] == ["x", "y", "y"]


TEXT = Text(
    ["He", "left", ".", "Ann", "saw", "her", "dog", "near", "the", "river", "."], sentences=[0, 3]
)


def worklist(text, *annotators):
    documents = [Corpus([Document("x", one, tokens=11, text=text)]) for one in annotators]
    return MergeReport(merged(*documents)).tables()[1]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        # C did not mark the dog; B has it on its own, so that two of three do not link it.
        (TEXT, [["Ann saw [her dog] near the river .", "", "yes", "yes", "no", "yes"],
                ["Ann saw [her dog] near the river .", "Ann", "yes", "no", "–", "no"]]),
        (None, [["(5,7)", "", "yes", "yes", "no", "yes"],
                ["(5,7)", "(3,4)", "yes", "no", "–", "no"]]),
    ],
)  # fmt: skip
def test_a_decision_shows_its_sentence_and_who_says_what(text, rows):
    shown = worklist(text, [[(3, 4), (5, 7)]], [[(3, 4)], [(5, 7)]], [[(3, 4)]])
    assert shown.header == ["mention", "same entity as", "A", "B", "C", "consensus"]
    assert shown.rows == rows


def test_a_sentence_is_cut_around_its_mention_to_fit():
    shown = worklist(TEXT, [[(3, 4)], [(5, 7)]], [[(3, 4)]])
    (narrow,) = shown.narrow(60, 6)
    # 34 letters less 6: the 9 of the mention, 8 before, 11 after with the dots.
    assert narrow.rows[0][0] == "Ann saw [her dog] near the …"
    (narrow,) = shown.narrow(60, 30)
    assert narrow.rows[0][0] == "Ann saw [her dog] near …", "not below 24"


def test_the_page_of_the_command_fits_a_screen():
    files = [f"examples/stories/{name}.conll" for name in ("key", "system-a", "system-b")]
    lines = run("merge", *files).stdout.splitlines()
    assert (len(lines) <= 40, max(map(len, lines)) <= 80) == (True, True)
    assert "key  system-a  system-b  consensus" in " ".join(lines), "endings are left out"
    assert len(run("merge", *files, "--top", 0).stdout.splitlines()) > len(lines)


def test_all_alike_leaves_nothing_to_decide():
    found = merged([["a", "b"], ["c"]], [["c"], ["b", "a"]])
    assert (found.decisions, found.documents[0].cost) == ([], 0)


@pytest.mark.parametrize("seed", range(10))
def test_who_decides_as_an_annotator_has_the_annotators_partition(seed):
    sides = votes(random.Random(seed), 3)
    found = merged(*sides)
    for name, side in zip("ABC", sides, strict=True):
        marked = {mention for entity in side for mention in entity}
        for decision in found.decisions:
            together = any(
                decision.mention in entity and decision.antecedent in (None, *entity)
                for entity in side
            )
            assert together == (name in decision.yes)
            both = {decision.mention, decision.antecedent or decision.mention} <= marked
            assert (name in decision.unmarked) == (decision.kind == "link" and not both)


def test_a_document_is_decided_by_those_who_have_it():
    found = merged({"x": [["a", "b"]], "y": [["c", "d"]]}, {"x": [["a"], ["b"]]})
    assert [one.annotators for one in found.documents] == [("A", "B"), ("A",)]
    assert found.corpus.documents[1].entities == [["c", "d"]]
    assert {decision.document for decision in found.decisions} == {"x"}


# ---- what is written ----------------------------------------------------------------------------


def test_words_and_what_is_known_of_mentions_are_kept():
    def corpus(entities, kind, text):
        details = [[Detail(kind=kind) for _ in entity] for entity in entities]
        return Corpus([Document("x", entities, tokens=3, details=details, text=text)])

    one = corpus([[(0, 1), (2, 3)]], "name", None)
    other = corpus([[(0, 1), (1, 2), (2, 3)]], "pronoun", Text(["Ann", "saw", "her"]))
    document = merged(one, other, least=1).corpus.documents[0]
    assert document.entities == [[(0, 1), (2, 3)], [(1, 2)]]
    kinds = [[detail.kind for detail in of_entity] for of_entity in document.details]
    assert kinds == [["name", "name"], ["pronoun"]]
    assert document.text.words == ["Ann", "saw", "her"]


def test_a_warning_counts_the_mentions_that_one_of_two_annotators_marked():
    """Of 2 documents: b and c are marked once in x, d in y; of the third only one has it."""
    one = {"x": [["a", "b"]], "y": [["a"]], "z": [["q"]]}
    other = {"x": [["a", "c"]], "y": [["a", "d"]]}
    (problem,) = [p for p in merged(one, other).problems if p.code == "no-majority"]
    assert problem.severity == "warning"
    # Each has one link that the other lacks: ab and ac in x, ad in y.
    assert "leaves out 3 mentions and 3 links that only one of them made" in problem.message
    assert problem.hint == "Decide them (decisions), or add a third annotator."


def test_a_warning_counts_the_links_that_one_of_two_annotators_made():
    """Both marked a, b and c; A has ab, and B has bc."""
    sides = [["a", "b"], ["c"]], [["a"], ["b", "c"]]
    (problem,) = [p for p in merged(*sides).problems if p.code == "no-majority"]
    assert "leaves out 2 links that only one of them made" in problem.message


@pytest.mark.parametrize(
    ("sides", "options"),
    [
        ([[["a", "b"]], [["a", "b"]]], {}),  # both say the same
        ([[["a", "b"]], [["a"]]], {"least": 1}),
        ([[["a", "b"]], [["a"]], [["a"]]], {}),  # of three, two are a majority
    ],
)
def test_nothing_is_warned_of_where_two_say_the_same_or_there_are_three(sides, options):
    assert "no-majority" not in {problem.code for problem in merged(*sides, **options).problems}


def test_the_command_writes_the_consensus(tmp_path):
    files = [f"examples/{name}.conll" for name in ("key", "system-a", "system-b")]
    done = run("merge", *files, "--write", tmp_path / "gold.conll", "-f", "json")
    assert done.returncode == 0
    written = json.loads(done.stdout)
    expected = corefmeter.merge(files)
    again = corefmeter.read(tmp_path / "gold.conll")
    assert [sorted(map(sorted, d.entities)) for d in again] == [
        sorted(map(sorted, one.document.entities)) for one in expected.documents
    ]
    assert [one["cost"] for one in written["documents"]] == [d.cost for d in expected.documents]
    first = written["documents"][0]["decisions"][0]
    assert (first["text"], first["mention"]) == ("the world", [9, 11])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--to", "conll"], "--to has no effect without --write"),
        (["--write", "-"], "standard output"),
        (["--write", "x"], "does not show its format"),
        (["--write", "x", "--to", "litbank-tsv"], "cannot be written"),
        (["--least", "3"], "from 1 to 2"),
    ],
)
def test_what_cannot_be_is_refused(arguments, said):
    done = run("merge", "examples/key.conll", "examples/system-a.conll", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_the_report_and_the_consensus_are_two_files(tmp_path):
    both = tmp_path / "both.conll"
    files = [f"examples/{name}.conll" for name in ("key", "system-a")]
    done = run("merge", *files, "--write", both, "-o", both)
    assert done.returncode == 2
    assert "two outputs would be written to one file" in done.stderr
    assert not both.exists()


def test_singletons_cannot_be_dropped_of_one_side():
    with pytest.raises(OptionError):
        merged([["a"]], [["a"]], singletons="drop-key")
