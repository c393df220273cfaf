"""`corefmeter.analyse`: rows that can be filtered, and totals that agree with each other."""

from __future__ import annotations

import io
import json
import pickle
from random import Random

import click
import pytest

import corefmeter
from corefmeter.analysis import agreement
from corefmeter.analysis.operations import CLASSES
from corefmeter.analysis.rows import Rows
from corefmeter.corpus.text import Text
from corefmeter.mentions.features import ColumnFeature, ordered_groups
from corefmeter.problems import OptionError
from corefmeter.reports.errors import ErrorsReport
from corefmeter.reports.errors_show import write_texts

from ..metrics.invented import FAMILIES, plain

TEXT = ["Ann", "saw", "Bob", ".", "She", "knew", "him", "and", "his", "dog", "."]
POS = ["NNP", "VBD", "NNP", ".", "PRP", "VBD", "PRP", "CC", "PRP$", "NN", "."]
ANN, BOB, SHE, HIM, HIS, DOG = (0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (8, 10)


def text():
    return Text(TEXT, pos=POS, sentences=[0, 4])


def analysed(key, response, **options):
    sides = [corefmeter.Corpus([corefmeter.Document("x", side, text=text())])
             for side in (key, response)]  # fmt: skip
    return corefmeter.analyse(*sides, **options)


@pytest.fixture
def analysis():
    # "She" is linked wrongly, "him" rightly, "his" not at all; "his dog" is extra.
    return analysed([[ANN, SHE], [BOB, HIM, HIS]], [[ANN], [BOB, SHE, HIM], [DOG]])


def test_links_in_rows(analysis):
    rows = analysis.links.where(metric="immediate")
    assert [(row.words, row.outcome, row.features["kind"], row.expected_words, row.found_words)
            for row in rows] == [
        ("She", "wl", "pronoun", "Ann", "Bob"),
        ("him", "wl", "pronoun", "Bob", "She"),
        ("his", "fn", "pronoun", "him", None),
    ]  # fmt: skip
    # The closest nominal of "him" is "Bob" on both sides.
    (inferred,) = analysis.links.where(metric="inferred", words="him")
    assert (inferred.outcome, inferred.found_words) == ("tp", "Bob")


def first_letter(mention, document):
    return document.text.words[mention[0]][0]


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"by": ["letter", "pos"], "functions": {"letter": first_letter}},
        {"match": "overlap", "pronouns": "en"},
        {"as_one_document": True, "repeated": "merge"},
    ],
)
def test_an_analysis_can_be_pickled(options, used):
    """Before and after everything was asked for, which it then remembers."""
    made = analysed([[ANN, SHE], [BOB, HIM, HIS]], [[ANN], [BOB, SHE, HIM], [DOG, BOB]], **options)
    if used:
        _ = made.summary, made.links, made.mentions, made.entities, made.errors
    again = pickle.loads(pickle.dumps(made))
    assert again.summary == made.summary
    for rows in ("links", "mentions", "entities", "errors"):
        assert getattr(again, rows) == getattr(made, rows)
    assert again.result == made.result
    assert again.problems == made.problems
    assert again.costs.repaired == made.costs.repaired


def test_mentions_in_rows(analysis):
    assert [(row.words, row.status, row.errors) for row in analysis.mentions] == [
        ("Ann", "unlinked", ()),
        ("She", "incorrectly_resolved", ("conflated", "divided")),
        ("Bob", "correct", ()),
        ("him", "correct", ()),
        # "his" lies within "his dog", but has another head.
        ("his", "missing", ("missing_mention",)),
        ("his dog", "extra", ("extra_entity",)),
    ]


def test_entities_in_rows(analysis):
    # Of two response entities with one of two mentions, the smaller is the better.
    assert [
        (row.words, row.category, row.whole, row.missing, row.foreign, row.lost_links)
        for row in analysis.entities
    ] == [("Ann", "4", 1, 1, 0, 1), ("Bob", "3", 2, 1, 1, 2)]


def test_rows_are_filtered_by_values_sets_functions_and_features(analysis):
    assert len(analysis.mentions.where(status=["missing", "extra"])) == 2
    assert len(analysis.mentions.where(kind="pronoun", status="correct")) == 1
    assert len(analysis.mentions.where(errors=lambda errors: "divided" in errors)) == 1
    assert isinstance(analysis.links.where(), Rows)
    assert [row.words for row in analysis.mentions.where(mention=SHE)] == ["She"]
    with pytest.raises(OptionError, match="did you mean 'status'"):
        analysis.mentions.where(statuss="missing")


def test_errors_in_rows(analysis):
    assert [(row.error, row.operations, row.words, row.key_entity, row.response_entity)
            for row in analysis.errors.where(error=["divided", "missing_mention"])] == [
        # The parts of Ann's entity are of one mention each, so the first is the main one.
        ("divided", ("merge",), ("She",), "0", "1"),
        ("missing_mention", ("introduce", "merge"), ("his",), "1", "1"),
    ]  # fmt: skip


def test_the_summary_has_the_documented_keys(analysis):
    summary = analysis.summary
    assert summary["schema"] == 1
    assert summary["signature"].startswith("corefmeter:")
    assert list(summary["errors"]) == list(CLASSES)
    assert summary["categories"] == {"1": 0, "2a": 0, "2b": 0, "3": 1, "4": 1}
    assert summary["errors"]["extra_entity"]["count"] == 1
    assert list(summary["errors"]["span"]["cost"]) == ["conll", "lea"]
    assert summary["incorrectly_resolved"]["count"] == 1
    assert summary["incorrectly_resolved"]["share"] == 1 / 5
    assert summary["arcs"]["immediate"]["all"]["wl"] == 2
    assert summary["arcs"]["immediate"]["groups"]["pronoun"]["fn"] == 1
    assert set(summary["arcs"]["anchor"]) == {"detection", "mentions", "f"}
    json.dumps(summary, allow_nan=False)


def test_a_response_with_words_only_gets_features_from_the_text_of_the_key():
    key = corefmeter.Document("x", [[ANN, SHE]], text=text())
    response = corefmeter.Document("x", [[ANN, HIM]], text=Text(TEXT))
    analysis = corefmeter.analyse(corefmeter.Corpus([key]), corefmeter.Corpus([response]))
    (extra,) = analysis.mentions.where(status="extra")
    assert extra.features["kind"] == "pronoun"
    other = corefmeter.Document("x", [[ANN, HIM]], text=Text([*TEXT, "more"]))
    analysis = corefmeter.analyse(corefmeter.Corpus([key]), corefmeter.Corpus([other]))
    (extra,) = analysis.mentions.where(status="extra")
    assert extra.features["kind"] == "unknown"


def test_kinds_are_unknown_for_plain_values():
    summary = corefmeter.analyse([["a", "b"]], [["a"]]).summary
    assert set(summary["arcs"]["immediate"]["groups"]) == {"unknown"}
    assert summary["errors"]["missing_mention"]["kinds"] == {"unknown": 1}


def test_a_feature_of_ones_own():
    found = analysed(
        [[ANN, SHE]],
        [[ANN, SHE]],
        by=["length"],
        functions={"length": lambda mention, document: str(len(TEXT[mention[0]]))},
    ).summary["by"]["length"]
    assert found["mention_counts"]["all"]["key"] == 2
    assert {name: row["key"] for name, row in found["mention_counts"]["groups"].items()} == {"3": 2}
    assert found["arcs"]["immediate"]["groups"]["3"]["tp"] == 1


@pytest.mark.parametrize("name", ["all", "unknown", "total", "groups"])
def test_a_word_hides_neither_the_total_nor_what_is_unknown(name):
    """Four mentions in the key; the head of one is the word, and one has no known head."""
    words = Text(["Ann", name, "she"], pos=["NNP", "NN", "PRP"])
    key = corefmeter.Corpus(
        [corefmeter.Document("x", [[(0, 1), (1, 2)], [(2, 3), "?"]], text=words)]
    )
    analysis = corefmeter.analyse(key, key, by=["head", "letter"], functions={"letter": _word})
    for feature in ("head", "letter"):
        found = analysis.summary["by"][feature]["mention_counts"]
        assert found["all"]["key"] == 4
        shown = f'"{name}"' if name == "unknown" else name
        assert {group: row["key"] for group, row in found["groups"].items()} == {
            "ann": 1, shown: 1, "she": 1, "unknown": 1,
        }  # fmt: skip
    report = ErrorsReport(analysis)
    rows = [row for table in report.tables() if table.header[0] == "head" for row in table.rows]
    # Immediate and inferred links, then mentions; the total first.
    totals = [row for row in rows if row[0] == "all"]
    assert len(totals) == 3
    assert totals[-1][1] == 4


def _word(mention, document):
    if mention == "?":
        return None
    return ColumnFeature({document.id: [word.lower() for word in document.text.words]})(
        mention, document
    )


@pytest.mark.parametrize("name", ["kind", "status"])
def test_a_feature_of_ones_own_takes_no_name_that_is_taken(name):
    with pytest.raises(OptionError, match=f"{name}: the name is taken"):
        corefmeter.analyse([["a"]], [["a"]], by=[name], functions={name: first_letter})


def test_an_unknown_feature_is_refused_with_the_nearest():
    with pytest.raises(OptionError, match="did you mean 'kind'"):
        corefmeter.analyse([["a"]], [["a"]], by=["kinds"])


def test_one_document_of_several():
    key = {"a": [["x", "y"]], "b": [["x", "y"]]}
    response = {"a": [["x", "y"]], "b": [["x"], ["y"]]}
    assert corefmeter.analyse(key, response).summary["documents"] == 2
    only = corefmeter.analyse(key, response, document="b")
    assert [document.label for document in only] == ["b"]
    assert only.result.muc.recall == 0
    with pytest.raises(OptionError, match="a document 'bb'; did you mean 'b'"):
        corefmeter.analyse(key, response, document="bb")


def test_costs_by_the_metrics_asked_for():
    analysis = corefmeter.analyse([["a", "b"]], [["a"], ["b"]], metrics=["muc"])
    assert analysis.costs.cost("divided") == {"muc": 1.0}
    analysis = corefmeter.analyse([["a", "b"]], [["a"], ["b"]], costs=["b3"])
    # B3 before: R 1/2, P 1, F 2/3.
    assert analysis.costs.cost("divided") == {"b3": pytest.approx(1 / 3)}


def test_a_skipped_ratio_is_null():
    summary = corefmeter.analyse([["a"]], [["a"]], metrics=["muc"], undefined="skip").summary
    assert summary["errors"]["span"]["cost"] == {"muc": None}


def test_mentions_that_are_matched_are_no_errors():
    key, response = [[(0, 3), (5, 6)]], [[(1, 3), (5, 6)]]
    assert corefmeter.analyse(key, response).summary["errors"]["span"]["count"] == 1
    matched = corefmeter.analyse(key, response, match="overlap")
    assert matched.summary["errors"]["span"]["count"] == 0
    assert matched.summary["scores"]["lea"]["f1"] == 1


def test_documents_as_one():
    key = {"1": [["a"], ["b"]], "2": [["a"]]}
    response = {"1": [["a", "b"]], "2": [["a"]]}
    analysis = corefmeter.analyse(key, response, as_one_document=True)
    assert len(analysis) == 1
    assert analysis.summary["errors"]["conflated"]["count"] == 1


@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.parametrize(
    ("key_tags", "response_tags", "kinds"),
    [
        # Both have mentions 0 and 2; 1 is of the response alone.
        (["NNP", "NN", "PRP"], ["NN", "PRP", "NN"], {"name", "pronoun"}),
        (["NN", "PRP", "NN"], ["NNP", "NN", "PRP"], {"nominal"}),
        (["PRP", "PRP", "PRP"], ["NNP", "NNP", "NNP"], {"pronoun", "name"}),
    ],
)
def test_the_key_tells_the_kind_of_its_mentions(joined, key_tags, response_tags, kinds):
    """Of a mention that only the response has, the response does."""
    words = ["Xa", "xb", "xc"]
    sides = (
        ([(0, 1), (2, 3)], key_tags),
        ([(0, 1), (1, 2), (2, 3)], response_tags),
    )
    corpora = [
        corefmeter.Corpus(
            [corefmeter.Document(n, [side], text=Text(words, pos=tags)) for n in "xy"]
        )
        for side, tags in sides
    ]
    options = {"as_one_document": True} if joined else {}
    for document in corefmeter.analyse(*corpora, **options):
        assert document.kinds == kinds


@pytest.mark.parametrize("policy", ["first", "merge", "distinct", "official"])
def test_repeated_mentions_go_by_the_policy(policy):
    key, response = [["a", "b"], ["c", "d"]], [["a", "b"], ["b", "c"], ["d", "x"], ["x"]]
    analysis = corefmeter.analyse(key, response, repeated=policy)
    assert analysis.costs.base["lea"] == pytest.approx(analysis.result.lea.f1)
    assert analysis.costs.cumulative["missing_entity"]["lea"] == 1


def test_dropped_singletons_are_no_errors():
    key, response = [["a", "b"], ["c"]], [["a", "b"], ["d"]]
    counts = corefmeter.analyse(key, response, singletons="drop").summary["errors"]
    assert not any(error["count"] for error in counts.values())


def test_groups_in_the_order_of_tables():
    names = ["unknown", "pronoun", "yes", "2", "10+", "name", "no"]
    assert ordered_groups(names) == ["name", "pronoun", "2", "10+", "no", "yes", "unknown"]


@pytest.mark.parametrize("family", FAMILIES)
def test_rows_and_totals_and_scores_agree(family):
    pairs = [pair for _, pair in plain(family, 20)]
    rng = Random(family)
    key = {f"d{n}": pair[0] for n, pair in enumerate(pairs)}
    response = {f"d{n}": pair[1] for n, pair in enumerate(pairs)}
    analysis = corefmeter.analyse(key, response, by=["entity_size"])
    counts, scores = analysis.summary["mention_counts"], analysis.result.mentions
    assert counts["key"] == scores.recall_denominator
    assert counts["response"] == scores.precision_denominator
    assert counts["matched"] == scores.recall_numerator
    status = [row.status for row in analysis.mentions]
    assert counts["key"] == len(status) - status.count("extra")
    assert counts["extra"] == status.count("extra")
    assert counts["missing"] == status.count("missing")
    found = analysis.summary["incorrectly_resolved"]["count"]
    assert found == status.count("incorrectly_resolved")
    assert sum(analysis.categories.values()) == sum(map(len, key.values()))
    by_size = analysis.summary["by"]["entity_size"]["mention_counts"]
    for name, total in by_size["all"].items():
        assert total == sum(row[name] for row in by_size["groups"].values())
    assert analysis.costs.base["conll"] == pytest.approx(analysis.result.conll)
    name = rng.choice(list(key))
    one = corefmeter.analyse({name: key[name]}, {name: response[name]})
    assert len(one.mentions) == len(analysis.mentions.where(document=name))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_gets_colours(analysis):
    stream = Terminal()
    write_texts(analysis, stream)
    shown = stream.getvalue()
    assert "\x1b[32m[0" in shown  # the key green
    assert "\x1b[36m{1" in shown  # the response cyan
    assert "\x1b[31m\x1b[1m!" in shown  # a wrong link red
    plain_stream = io.StringIO()
    write_texts(analysis, plain_stream)
    assert click.unstyle(shown).split() == plain_stream.getvalue().split()


def test_pieces_and_zeros_have_brackets_of_their_own():
    zero, apart = ((4, 4, 1),), ((0, 1), (2, 3))
    stream = io.StringIO()
    write_texts(analysed([[apart, zero, HIM]], [[apart, HIM]]), stream)
    assert stream.getvalue().splitlines()[-3:] == [
        "[0 {0 Ann}] saw [0 {0 Bob}] .",
        "",
        "[0? _] She knew [0 {0! him}] and his dog .",
    ]


def test_long_names_that_all_entities_share_are_cut():
    key = corefmeter.Document("x", [[ANN, SHE], [BOB, HIM]], text=text(),
                              entity_names=["GUM_x_e1", "GUM_x_e12"])  # fmt: skip
    stream = io.StringIO()
    write_texts(corefmeter.analyse(corefmeter.Corpus([key]), corefmeter.Corpus([key])), stream)
    assert "[e1 {e1 Ann}] saw [e12 {e12 Bob}] ." in stream.getvalue()


def test_the_numbers_of_an_entity_are_in_their_columns():
    """Of 5 key mentions 3 are found and (6, 9) in part; 3 are of another entity, 4 of none."""
    key = [[(0, 1), (2, 3), (4, 5), (6, 9), (30, 31)], [(10, 11), (12, 13), (14, 15)]]
    spurious = [(20, 21), (22, 23), (24, 25), (26, 27)]
    row = next(iter(analysed(key, [[*key[0][:3], (7, 9), *key[1], *spurious]]).entities))
    assert (row.size, row.response_size) == (5, 11)
    assert (row.whole, row.partial, row.missing, row.foreign, row.spurious) == (3, 1, 2, 3, 4)
    # Three mentions have 3 links, five have 10.
    assert (row.links, row.lost_links) == (3, 7)


def test_a_singleton_that_is_found_is_correct_and_not_unlinked():
    found = corefmeter.analyse([["a"], ["b", "c"]], [["a"], ["b"]])
    assert [(row.mention, row.status) for row in found.mentions] == [
        ("a", "correct"), ("b", "unlinked"), ("c", "missing"),
    ]  # fmt: skip


def test_a_wrong_span_says_which_is_right():
    """Of "his dog" the response has "dog"."""
    found = analysed([[BOB, DOG]], [[BOB, (9, 10)]])
    ((error, words, correct, correct_words),) = [
        (row.error, row.words, row.correct, row.correct_words) for row in found.errors
    ]
    assert (error, words, correct, correct_words) == ("span", ("dog",), DOG, "his dog")


def test_what_two_responses_have_right_is_told_apart():
    """Both have a b right, only the first has c d, only the second e, f and g."""
    key = [["a", "b"], ["c", "d"], ["e", "f", "g"]]
    one = corefmeter.analyse(key, [["a", "b"], ["c", "d"]])
    two = corefmeter.analyse(key, [["a", "b"], ["e", "f", "g"]])
    assert agreement.mentions(one, two) == (2, 2, 3, 0)
    assert agreement.mentions(two, one) == (2, 3, 2, 0)
    assert agreement.entities(one, two) == (1, 1, 1, 0)


@pytest.mark.parametrize("side", [0, 1])
def test_words_of_one_side_of_one_document_are_enough_to_ask_for_their_kinds(side):
    documents = [[corefmeter.Document(name, [[(0, 1), (1, 2)]]) for name in "ab"] for _ in range(2)]
    documents[side][1] = documents[side][1].replace(text=Text(["Ann", "she"]))
    found = corefmeter.analyse(*map(corefmeter.Corpus, documents))
    assert found.summary["arcs"]["not_computed"] == "no parts of speech; try --pronouns en"


def test_scores_are_written_in_the_order_of_tables():
    summary = corefmeter.analyse([["a", "b"]], [["a", "b"]], metrics="muc,conll").summary
    assert list(summary["scores"]["muc"]) == ["recall", "precision", "f1"]
