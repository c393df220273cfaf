"""Small inputs behind public bug reports and questions about coreference scorers.

``{0,1}{2,3-4}`` is written ``"0 1|2 3-4"``: entities of mentions, a mention is the offset of its
token or first-last. Expected values are the arithmetic in the comments or, where a test says so,
what the official scorer v8.01 prints. Scores are in percent, two decimals.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corefmeter
from corefmeter import DataError, score

from .command import run

COREFERENCE = ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")


# How the cases are written


def entities(text: str) -> list[list[tuple[int, int]]]:
    """Half-open spans."""
    return [
        [
            (int(first), int(last or first) + 1)
            for first, _, last in (mention.partition("-") for mention in entity.split())
        ]
        for entity in text.split("|")
        if entity.strip()
    ]


def cells(text: str, tokens: int) -> list[str]:
    """The coreference column: chunks in the order of the entities, closes first."""
    opens: list[list[str]] = [[] for _ in range(tokens)]
    closes: list[list[str]] = [[] for _ in range(tokens)]
    for number, entity in enumerate(entities(text)):
        for first, end in entity:
            if end == first + 1:
                opens[first].append(f"({number})")
            else:
                opens[first].append(f"({number}")
                closes[end - 1].append(f"{number})")
    return ["|".join(c + o) or "-" for c, o in zip(closes, opens, strict=True)]


def lines(name: str, text: str, tokens: int) -> str:
    rows = (f"{name}\t0\t{i}\tw{i}\t{cell}\n" for i, cell in enumerate(cells(text, tokens)))
    return f"#begin document ({name}); part 000\n{''.join(rows)}\n#end document\n"


@pytest.fixture
def file(tmp_path):
    """Writes a file: of one document, of documents by name, or of the text as it stands."""

    def write(name: str, content: str | dict[str, str], tokens: int = 30) -> Path:
        path = tmp_path / name
        if isinstance(content, str) and "\n" not in content and content:
            content = {"story": content}
        if isinstance(content, dict):
            content = "".join(lines(doc, text, tokens) for doc, text in content.items())
        path.write_text(content, encoding="utf-8")
        return path

    return write


def json_of(*arguments: object) -> dict:
    """The result in the JSON that ``corefmeter score … -f json`` prints."""
    done = run("score", *arguments, "-f", "json")
    assert done.returncode == 0, done.stderr
    (entry,) = json.loads(done.stdout)["results"]
    return entry


def percent(value: float) -> float:
    return round(100 * value, 2)


def f1(result, *metrics: str) -> list[float]:
    return [percent(result[metric].f1) for metric in metrics]


def rpf(result, metric: str) -> tuple[float, float, float]:
    scores = result[metric]
    return percent(scores.recall), percent(scores.precision), percent(scores.f1)


def codes(problems) -> list[str]:
    return [problem.code for problem in problems]


# 1. The order of entities decides.

TWICE, MIRRORED = "0 1|1 2 3", "0 1 2|2 3"


def test_1_a_repeated_mention_stays_in_the_entity_that_comes_first(file):
    key = file("key.conll", "0 1|2 3")
    right, wrong = file("right.conll", TWICE), file("wrong.conll", MIRRORED)
    assert f1(score(key, right), *COREFERENCE) == [100] * 6
    # {0,1,2}{3}: MUC 1/2 and 1/2. B3: R (2 + 1/2 + 1/2)/4, P (4/3 + 1/3 + 1)/4. CEAFe: 4/5 + 2/3 of
    # 2 and 2. LEA: 2 of 4; 3 * 1/3 of 4.
    result = score(key, wrong)
    assert rpf(result, "muc") == (50, 50, 50)
    assert rpf(result, "b3") == (75, 66.67, 70.59)
    assert f1(result, "ceafe", "lea") == [73.33, 33.33]


def test_1_the_repeated_mention_is_reported_with_both_places_and_the_policy(file):
    key, response = file("key.conll", "0 1|2 3"), file("response.conll", TWICE)
    result = score(key, response)
    (problem,) = result.problems
    assert (problem.code, problem.severity) == ("repeated-mention", "warning")
    assert (problem.path, problem.line) == (str(response), 3)
    assert "token 1 " in problem.message
    assert "entities 0, 1" in problem.message
    assert "'first'" in problem.message
    assert "|repeated:first|" in result.signature


def test_1_the_other_policies(file):
    key, response = file("key.conll", "0 1|2 3"), file("response.conll", TWICE)
    # Merged into {0,1,2,3}: MUC 2/2 and 2/3.
    merged = score(key, response, repeated="merge")
    assert rpf(merged, "muc") == (100, 66.67, 80)
    assert "|repeated:merge|" in merged.signature
    with pytest.raises(DataError) as caught:
        score(key, response, repeated="error")
    assert codes(caught.value.problems) == ["repeated-mention"]


def test_1_on_the_command_line(file):
    key, response = file("key.conll", "0 1|2 3"), file("response.conll", MIRRORED)
    entry = json_of(key, response, "-m", "muc")
    assert entry["scores"]["muc"]["f1"] == 0.5
    assert [problem["code"] for problem in entry["problems"]] == ["repeated-mention"]
    refused = run("score", key, response, "--repeated", "error")
    assert refused.returncode == 3
    assert f"{response}:4: error: " in refused.stderr


def test_1_whole_mentions_of_a_cell_are_read_first(file):
    """As in v8.01: entity 1 of ``(0|(1)`` appears before entity 0, so it keeps the copy."""
    key = file("key.conll", "0 5|0-1 3")
    rows = ["(0|(1)", "0)", "-", "(0)", "-", "(0)|(1)"]
    body = "".join(f"story\t0\t{i}\tw{i}\t{cell}\n" for i, cell in enumerate(rows))
    response = file("response.conll", f"#begin document (story); part 000\n{body}\n#end document\n")
    assert f1(score(key, response), *COREFERENCE) == [100] * 6


# 2. A file against itself, in which one span stands in two entities.


def test_2_a_file_against_itself_is_perfect(file):
    path = file("key.conll", "0|0 3")
    result = score(path, path)
    assert f1(result, "mentions", "b3", "ceafm", "ceafe", "blanc", "lea") == [100] * 6
    # The first copy stays: {0}{3} has no link for MUC.
    assert result.muc.f1 == 0
    assert result.muc.undefined == ("recall", "precision", "f1")
    assert codes(result.problems) == ["same-file"] + ["repeated-mention"] * 2


def test_2_the_official_policy_gives_what_v801_prints(file):
    path = file("key.conll", "0|0 3")
    result = score(path, path, repeated="official")
    assert rpf(result, "b3") == (33.33, 100, 50)
    assert f1(result, "muc", "ceafm", "ceafe", "blanc", "lea") == [0, 80, 83.33, 33.33, 0]


# 3. Many repeated mentions.

PAIRS = [f"{i} {i + 20}" for i in range(6)]


def test_3_metrics_keep_no_state_and_no_count_of_repeated_mentions(file):
    key = file("key.conll", "|".join(PAIRS))
    response = file("response.conll", "|".join([*PAIRS, "0 1 2 3 4 5"]))
    # In the file the large entity comes second, at token 0, and keeps 1 to 5:
    # {0,20}{1,2,3,4,5}{21}...{25}. MUC 1/6 and 1/5. B3: R (2 + 5 * 1)/12, P (2 + 5 * 1/5 + 5)/12.
    together = json_of(key, response, "-m", "all")["scores"]
    assert percent(together["muc"]["f1"]) == 18.18
    assert percent(together["b3"]["f1"]) == 62.22
    for metric in COREFERENCE:
        alone = json_of(key, response, "-m", metric)["scores"]
        assert alone[metric] == together[metric]


def test_3_hundreds_of_repeated_mentions_are_scored_and_reported():
    key = [[i, i + 1000] for i in range(500)]
    response = [*key, list(range(500))]
    result = score(key, response)
    assert f1(result, *COREFERENCE) == [100] * 6
    assert len(result.problems) == 500


# 4. Singletons against themselves.


def test_4_muc_of_singletons_is_undefined_and_the_others_are_100(file):
    path = file("key.conll", "0|1")
    result = score(path, path)
    assert result.muc.undefined == ("recall", "precision", "f1")
    assert f1(result, *COREFERENCE) == [0, 100, 100, 100, 100, 100]


def test_4_an_undefined_score_is_left_out_of_a_macro_average_on_request():
    key = {"singletons": entities("0|1"), "pair": entities("0 1")}
    assert score(key, key, metrics="muc", average="macro").muc.f1 == 1 / 2
    assert score(key, key, metrics="muc", average="macro", undefined="skip").muc.f1 == 1


# 5. A filter on one side only.


def test_5_singletons_of_one_token_count_on_both_sides():
    key = entities("0 1 2 3 4|5 6|7 8 9 10 11|12")
    result = score(key, key)
    assert rpf(result, "ceafe") == (100, 100, 100)
    assert f1(result, *COREFERENCE) == [100] * 6


# 6. Extra singletons.


def test_6_extra_singletons_cost_precision_where_they_count(file):
    key, response = file("key.conll", "0 1"), file("response.conll", "0 1|2|3")
    # B3: 2/2, 2/4. CEAFe: 1 of 1 and of 3. LEA: 2/2, 2/4.
    result = score(key, response)
    assert f1(result, "muc", "b3", "ceafe", "lea") == [100, 66.67, 50, 66.67]
    assert "|singletons:keep|" in result.signature


def test_6_dropped_singletons_cost_nothing_and_the_signature_says_so(file):
    key, response = file("key.conll", "0 1"), file("response.conll", "0 1|2|3")
    result = score(key, response, singletons="drop")
    assert f1(result, *COREFERENCE) == [100] * 6
    assert "|singletons:drop|" in result.signature
    entry = json_of(key, response, "--singletons", "drop")
    assert entry["scores"]["b3"]["f1"] == 1


# 7. "CEAFe looks swapped."


def test_7_ceafe_of_one_large_response_entity():
    result = score(entities("0 1|2 3|4 5|6 7"), entities("0 1 2 3 4 5 6 7"))
    # One aligned pair of similarity 2*2/(2 + 8) = 0.4, over 4 key entities and 1 response entity.
    assert rpf(result, "ceafe") == (10, 40, 16)
    assert rpf(result, "muc")[:2] == (100, 57.14)  # 4/4, 4/7
    assert rpf(result, "b3")[:2] == (100, 25)  # 8 * 2/8 of 8


# 8. Empty sides.

EMPTY = "#begin document (story); part 000\nstory\t0\t0\tw\t-\n#end document\n"


@pytest.mark.parametrize(
    ("key", "response", "undefined"),
    [
        ("0 1|2 3", "", "precision"),
        ("", "0 1|2 3", "recall"),
        ("", "", "f1"),
    ],
)
def test_8_an_empty_side_scores_zero_with_a_note(file, key, response, undefined):
    paths = [
        file(f"{side}.conll", text or EMPTY)
        for side, text in (("key", key), ("response", response))
    ]
    result = score(*paths)
    for metric in ("mentions", *COREFERENCE):
        assert rpf(result, metric) == (0, 0, 0)
        assert undefined in result[metric].undefined
    entry = json_of(*paths, "--quiet")
    assert all(undefined in entry["scores"][metric]["undefined"] for metric in COREFERENCE)


def test_8_a_file_without_a_document_is_an_error(file):
    key, empty = file("key.conll", "0 1"), file("empty.conll", "")
    for paths in ((key, empty), (empty, key), (empty, empty)):
        with pytest.raises(DataError) as caught:
            score(*paths)
        assert codes(caught.value.problems) == ["no-document"]
    done = run("score", key, empty)
    assert (done.returncode, done.stdout) == (3, "")
    assert str(empty) in done.stderr


# 9. The same document twice in one file.


def test_9_a_document_that_stands_twice_is_an_error_with_both_lines(file):
    key = file("key.conll", {"x": "0 1", "y": "0 1"}, tokens=3)
    text = lines("x", "0 1", 3) + lines("y", "0 1", 3) + lines("x", "1 2", 3)
    response = file("response.conll", text)
    with pytest.raises(DataError) as caught:
        score(key, response)
    (problem,) = caught.value.problems
    # Each document takes six lines: begin, three tokens, a blank line, end.
    assert (problem.code, problem.line) == ("repeated-document", 13)
    assert f"{response}:1" in problem.message
    done = run("score", key, response)
    assert done.returncode == 3
    assert f"{response}:13: error" in done.stderr


def test_9_documents_may_be_concatenated(file):
    # x twice: the second begins at token 3; its entity 0 is entity 0 of the first.
    text = lines("x", "0 1", 3) + lines("x", "1 2", 3)
    response = file("response.conll", text)
    key = file("key.conll", {"x": "0 1 4 5"}, tokens=6)
    result = score(key, response, documents="concatenate")
    assert f1(result, *COREFERENCE) == [100] * 6
    entry = json_of(key, response, "--documents", "concatenate")
    assert entry["scores"]["conll"]["f1"] == 1


# 10. A document only in the response.


def test_10_a_document_only_in_the_response_is_ignored_with_a_warning(file):
    key = file("key.conll", {"x": "0 1"})
    response = file("response.conll", {"x": "0 1", "y": "0 1|2 3"})
    result = score(key, response)
    assert f1(result, *COREFERENCE) == [100] * 6
    assert codes(result.problems) == ["extra-document"]
    assert result.problems[0].document == "(y); part 000"
    done = run("score", key, response, "-m", "muc")
    assert done.returncode == 0
    assert "extra-document" in done.stderr


def test_10_its_mentions_are_spurious_under_strict(file):
    key = file("key.conll", {"x": "0 1"})
    response = file("response.conll", {"x": "0 1", "y": "0 1|2 3"})
    result = score(key, response, documents="strict")
    # 2 of 6 mentions; 1 of 3 links.
    assert rpf(result, "b3") == (100, 33.33, 50)
    assert rpf(result, "muc") == (100, 33.33, 50)
    assert "|documents:strict|" in result.signature
    entry = json_of(key, response, "--documents", "strict")
    assert entry["documents"] == 2
    assert entry["scores"]["muc"]["f1"] == 1 / 2


# 11. A document missing from the response.


def test_11_a_document_missing_from_the_response_is_an_empty_response(file):
    key = file("key.conll", {"x": "0 2|3 5", "y": "0 2 5"})
    response = file("response.conll", {"x": "0 2|3 5"})
    result = score(key, response)
    # MUC 2/4, 2/2. B3 4/7, 4/4. CEAFe 2/3, 2/2. BLANC: C 2/5 and 2/2, F 4/7; N 4/4: (4/7 + 1)/2.
    assert rpf(result, "muc") == (50, 100, 66.67)
    assert rpf(result, "b3") == (57.14, 100, 72.73)
    assert f1(result, "ceafe", "blanc") == [80, 78.57]
    assert codes(result.problems) == ["missing-document"]
    assert result.problems[0].document == "(y); part 000"
    done = run("score", key, response)
    assert done.returncode == 0
    assert "missing-document" in done.stderr


# 12. Headers.


def test_12_a_header_without_a_name_is_numbered(file):
    text = lines("x", "0 1", 3).replace("#begin document (x); part 000", "# begin document ")
    path = file("key.conll", text)
    corpus = corefmeter.read(path)
    assert [document.name for document in corpus] == ["document 1"]
    assert codes(corpus.problems) == ["unnamed-document"]
    assert f1(score(path, path), *COREFERENCE) == [100] * 6


def test_12_a_file_without_any_header_is_an_error(file):
    key = file("key.conll", "0 1")
    body = lines("x", "0 1", 3).partition("\n")[2].replace("#end document\n", "")
    path = file("response.conll", body)
    with pytest.raises(DataError):
        score(key, path)
    done = run("score", key, path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "#begin document" in done.stderr


# 13. A missing blank line between two sentences.


def test_13_offsets_count_in_the_document(file):
    rows = [f"x\t0\t{i}\tw{i}\t{cell}" for i, cell in enumerate(cells("0 4|1-2 5", 6))]
    header, end = "#begin document (x); part 000", "#end document\n"
    key = file("key.conll", "\n".join([header, *rows[:3], "", *rows[3:], "", end]))
    response = file("response.conll", "\n".join([header, *rows, "", end]))
    assert f1(score(key, response), *COREFERENCE) == [100] * 6


# 14. A mention across a sentence border.


def test_14_a_mention_across_a_sentence_border_is_its_tokens(file):
    # Sentence 1: tokens 0 to 2, sentence 2: tokens 3 to 6. K: tokens 2 to 4 and "it", token 6.
    # R: token 4 alone, and "it".
    def text(mentions: str) -> str:
        rows = [f"x\t0\t{i}\tw{i}\t{cell}" for i, cell in enumerate(cells(mentions, 7))]
        return "\n".join(
            ["#begin document (x); part 000", *rows[:3], "", *rows[3:], "", "#end document\n"]
        )

    result = score(file("key.conll", text("2-4 6")), file("response.conll", text("4 6")))
    # MUC 0/1, 0/1. B3: "it" sees 1/2, of two mentions, on both sides.
    assert rpf(result, "muc") == (0, 0, 0)
    assert rpf(result, "b3") == (25, 25, 25)
    assert max(result[metric].f1 for metric in COREFERENCE) < 1


# 15. Averages.


def test_15_pooled_and_macro_averages(file):
    key = file("key.conll", {"a": "0 1", "b": "0 1 2 3 4 5"})
    response = file("response.conll", {"a": "0 1", "b": "0 1|2 3|4 5"})
    # Pooled. MUC: (1 + 3)/(1 + 5), 4/4. B3: (2 + 6 * 2/6)/8, 8/8. CEAFe: 1 + 2*2/8 of 2 and of 4.
    result = score(key, response)
    assert result.recipe.average == "pooled"
    assert f1(result, "muc", "b3", "ceafe") == [80, 66.67, 50]
    # b alone. MUC: 3/5, 3/3, F 3/4. B3: 1/3, 1, F 1/2. CEAFe: 1/2 of 1 and of 3, F 1/4.
    macro = score(key, response, average="macro")
    assert f1(macro, "muc", "b3", "ceafe") == [87.5, 75, 62.5]
    assert percent(macro.conll) == 75
    # Recall and precision are means of their own: MUC (1 + 3/5)/2 and 1.
    assert rpf(macro, "muc")[:2] == (80, 100)


def test_15_the_word_is_printed(file):
    path = file("key.conll", {"a": "0 1", "b": "0 1 2"})
    assert "\nin percent, from totals over 2 documents" in run("score", path, path).stdout
    macro = run("score", path, path, "--average", "macro").stdout
    assert "\nin percent, the mean over 2 documents" in macro
    assert "|average:macro\n" in macro


# 16. Ids that are not numbers.


@pytest.mark.parametrize(
    "column",
    [
        ["(e1)", "-", "(e1)"],
        ["(PER-1", "PER-1)", "(PER-1)"],
        ["(abstract-2-x)", "-", "(abstract-2-x)"],
    ],
)
def test_16_an_id_is_any_text(file, column):
    rows = "".join(f"x\t0\t{i}\tw\t{cell}\n" for i, cell in enumerate(column))
    path = file("key.conll", f"#begin document (x); part 000\n{rows}\n#end document\n")
    result = score(path, path)
    assert result.mentions.recall_denominator == 2
    assert f1(result, *COREFERENCE) == [100] * 6
    assert codes(result.problems) == ["same-file"]


def test_16_a_close_with_another_id_is_an_error_that_names_both_lines(file):
    rows = "x\t0\t0\tw\t(1\nx\t0\t1\tw\tx)\n"
    path = file("key.conll", f"#begin document (x); part 000\n{rows}\n#end document\n")
    done = run("score", path, path)
    assert done.returncode == 3
    assert f"{path}:3:" in done.stderr
    assert "line 2" in done.stderr


# 17. Coreference across documents.


def test_17_all_documents_as_one_with_shared_ids(file):
    # Entity 0 has a mention in each document; entities 1 and 2 stand alone: K {a0,b0}{a1}{b1}.
    def document(name: str, column: list[str]) -> str:
        rows = "".join(f"{name}\t0\t{i}\tw\t{cell}\n" for i, cell in enumerate(column))
        return f"#begin document ({name}); part 000\n{rows}\n#end document\n"

    key = file("key.conll", document("a", ["(0)", "(1)"]) + document("b", ["(0)", "(2)"]))
    response = file("response.conll", document("a", ["(0)", "(1)"]) + document("b", ["(2)", "(3)"]))
    result = score(key, response, as_one_document=True, shared_ids=True)
    assert result.documents == 1
    # MUC 0/1, 0/0. B3: (1/2 + 1/2 + 1 + 1)/4, 4/4. CEAFe: 1 + 1 + 2/3 of 3 and of 4.
    # BLANC: C 0; N 5/5 and 5/6, F 10/11. LEA 2/4, 2/4.
    assert rpf(result, "muc") == (0, 0, 0)
    assert rpf(result, "b3") == (75, 100, 85.71)
    assert f1(result, "ceafe", "blanc", "lea") == [76.19, 45.45, 50]
    scores = json_of(key, response, "--as-one-document", "--shared-ids")["scores"]
    assert percent(scores["blanc"]["f1"]) == 45.45
    # Ids that are local to a document are kept apart unless another option is given.
    apart = score(key, response, as_one_document=True)
    assert f1(apart, "b3", "ceafe", "blanc", "lea") == [100] * 4
    # The other reading: each document by itself.
    each = score(key, response)
    assert each.documents == 2
    assert f1(each, "b3", "ceafe", "blanc", "lea") == [100] * 4


def test_17_links_across_documents_count_only_as_one_document(file):
    # Two documents of two singletons each: 1 + 1 non-coreference links apart, 6 as one.
    path = file("key.conll", {"a": "0|1", "b": "0|1"})
    assert score(path, path).blanc.noncoreference.recall_denominator == 2
    one = score(path, path, as_one_document=True)
    assert one.blanc.noncoreference.recall_denominator == 6
