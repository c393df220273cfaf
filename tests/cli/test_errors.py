"""``corefmeter errors`` as a person runs it, on small files and, where they are, on real ones."""

from __future__ import annotations

import csv
import io
import json
import resource
from pathlib import Path

import pytest

import corefmeter
from corefmeter.analysis.operations import CLASSES

from ..command import run

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
KEY = EXAMPLES / "key.conll"
A = EXAMPLES / "system-a.conll"
DATA = ROOT.parent / "shared" / "data"


def conll(*rows: str, name: str = "d") -> str:
    """A document of a word and a cell a row."""
    lines = "".join(f"{name}\t0\t{i}\t{row.replace(' ', chr(9))}\n" for i, row in enumerate(rows))
    return f"#begin document ({name}); part 000\n{lines}\n#end document\n"


@pytest.fixture
def pair(tmp_path):
    """Ann, she, her in the key; she is with Bob in the response, and a dog is extra."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    words = ("Ann", "she", "her", "Bob", "he", "dog")
    cells = [("(0)", "(0)", "(0)", "(1)", "(1)", "-"), ("(5)", "(6)", "(5)", "(6)", "(6)", "(7)")]
    for path, side in zip((key, response), cells, strict=True):
        path.write_text(conll(*(f"{w} {c}" for w, c in zip(words, side, strict=True))))
    return key, response


@pytest.mark.parametrize("options", [(), ("--all",)])
def test_costs_have_the_sign_of_the_first_sentence_and_of_the_page(pair, options):
    """What is lost is positive, and so without a sign."""
    done = run("errors", *pair, "-m", "muc,lea", *options)
    table = done.stdout.partition("none repaired")[2].partition("missing entity")[0]
    assert "conflated entities" in table
    assert "+" not in table


@pytest.mark.parametrize("times", [1, 2])
def test_a_hint_names_the_option_where_no_type_of_mention_is_known(pair, tmp_path, times):
    """There are words and no parts of speech; the words are those of English."""
    key, response = pair
    done = run("errors", key, *[response] * times)
    assert done.stdout.count("--pronouns en") == 1
    assert "--pronouns" not in run("errors", key, *[response] * times, "-f", "latex").stdout
    with_types = run("errors", key, *[response] * times, "--pronouns", "en")
    assert "--pronouns" not in with_types.stdout
    tagged = run("errors", KEY, *[A] * times)
    assert "--pronouns" not in tagged.stdout
    ids = [tmp_path / "ids.jsonl", tmp_path / "of.jsonl"]
    for path, clusters in zip(ids, ([["a", "b"]], [["a"], ["b"]]), strict=True):
        path.write_text(json.dumps({"doc_key": "d", "clusters": clusters}) + "\n")
    without_words = run("errors", ids[0], *[ids[1]] * times)
    assert without_words.returncode == 0
    assert "--pronouns" not in without_words.stdout


@pytest.mark.parametrize("more", [1, 2])
def test_more_than_two_responses_are_refused_with_what_to_give(pair, more):
    key, response = pair
    done = run("errors", key, response, response, *[response] * more)
    assert (done.returncode, done.stdout) == (2, "")
    assert f'{more + 2} responses are too many; "corefmeter report"' in done.stderr


def test_the_summary_comes_first(pair):
    done = run("errors", *pair, "--all")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].split(" cost most: ")[0] in ("Conflated entities", "Divided entities")
    assert lines.index("response.conll: d") <= 4
    start = lines.index(
        "Errors: cost of each type on its own, and the score as they are fixed one by one"
    )
    table = {line[:18].strip(): line[18:].split() for line in lines[start + 4 : start + 12]}
    assert table["conflated entities"][0] == "1"
    assert table["divided entity"][0] == "1"
    assert table["extra entity"][0] == "1"
    assert table["missing mention"][0] == "0"
    assert table["missing entity"][2] == "100.00"
    assert all(len(line) <= 80 for line in lines[:-1]), "all but the signature"
    assert lines[-1].startswith("corefmeter:")


def test_the_page_begins_with_what_costs_most(tmp_path):
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(conll("a (0)", "b (0)", "c (0)", "d (1)", "e (1)", "f -"))
    response.write_text(conll("a (0)", "b (0)", "c -", "d (1)", "e (1)", "f (1)"))
    # MUC: R 2/3, P 2/3. With c, R 3/3, P 3/4, so F1 6/7; without f, R 2/3, P 2/2, so F1 4/5.
    first = (
        "Missing mentions cost most: 19.05 of MUC; extra mentions are next: 13.33. Start with the "
        "list of --mentions."
    )
    hint = " Mention types are unknown; --pronouns en (or de, nl) recognizes pronouns."
    out = run("errors", key, response, "-m", "muc", "--all").stdout
    assert " ".join(out.split("\n\n")[0].split()) == first + hint
    assert out.index("cost of each type") < out.index("(ARCS)")
    assert run("errors", key, response, "-m", "muc", "-f", "markdown", "--all").stdout.startswith(
        first
    )
    assert run("errors", key, response, "-m", "muc", "-f", "latex", "--all").stdout.startswith(
        f"% {first}\n"
    )
    same = run("errors", key, key, "-m", "muc", "--all").stdout
    assert same.startswith("No error type costs any MUC. Mention types are unknown;")
    brief = run("errors", KEY, A).stdout.split("\n\n")[0]
    assert brief.endswith(" --all shows all tables.")


def test_json_has_the_documented_keys(pair):
    done = run("errors", *pair, "-f", "json", "--links", "--mentions", "--entities")
    found = json.loads(done.stdout)
    assert found["schema"] == 1
    assert found["signature"].startswith("corefmeter:")
    # she: her antecedent is Bob? She comes before Bob, so she is not linked; her: Ann, not she;
    # he: Bob, in the response too; Bob: she, but begins an entity in the key.
    counts = {name: found["arcs"]["immediate"]["all"][name] for name in ("tp", "wl", "fn", "fp")}
    assert counts == {"tp": 1, "wl": 1, "fn": 1, "fp": 1}
    counts = {name: error["count"] for name, error in found["errors"].items() if error["count"]}
    assert counts == {"conflated": 1, "extra_entity": 1, "divided": 1}
    assert set(found["errors"]["span"]["cost"]) == {"conll", "lea"}
    assert found["categories"] == {"1": 0, "2a": 1, "2b": 0, "3": 1, "4": 0}
    assert found["incorrectly_resolved"]["count"] == 1
    assert found["incorrectly_resolved"]["share"] == pytest.approx(1 / 6)
    assert len(found["mentions"]) == 6
    assert found["mention_counts"] == {
        "key": 5, "response": 6, "matched": 5, "missing": 0, "extra": 1,
    }  # fmt: skip
    assert len(found["entities"]) == 2
    assert found["mentions"][0]["words"] == "Ann"
    assert found["worst"]["entities"][0]["entity"] == "0"
    assert {row["kind"] for row in found["links"]} == {"unknown"}


def test_csv_has_a_row_for_each_mention(pair):
    rows = list(csv.DictReader(io.StringIO(run("errors", *pair, "--mentions", "-f", "csv").stdout)))
    assert [(row["words"], row["status"], row["errors"]) for row in rows] == [
        ("Ann", "correct", ""),
        ("she", "incorrectly_resolved", "conflated divided"),
        ("her", "correct", ""),
        ("Bob", "correct", ""),
        ("he", "correct", ""),
        ("dog", "extra", "extra_entity"),
    ]
    places = [(row["mention_start"], row["mention_end"], row["mention_pieces"]) for row in rows]
    assert places[:2] == [("0", "1", ""), ("1", "2", "")]
    assert rows[1]["line"] == "3"


def test_csv_has_a_row_for_each_link_and_entity(pair):
    links = list(csv.DictReader(io.StringIO(run("errors", *pair, "--links", "-f", "csv").stdout)))
    assert [(row["words"], row["outcome"]) for row in links if row["metric"] == "immediate"] == [
        ("she", "fn"), ("her", "wl"), ("he", "tp"), ("Bob", "fp"),
    ]  # fmt: skip
    done = run("errors", *pair, "--entities", "-f", "csv")
    entities = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["entity"], row["category"]) for row in entities] == [("0", "2a"), ("1", "3")]
    # {Ann, her} of {Ann, she, her}: MUC R 1/2, P 1.
    assert float(entities[0]["f1_muc"]) == pytest.approx(2 / 3)


def test_csv_of_the_summary_is_names_and_values(pair):
    done = run("errors", *pair, "-f", "csv")
    values = dict(csv.reader(io.StringIO(done.stdout)))
    assert values["errors.divided.count"] == "1"
    assert values["arcs.immediate.all.tp"] == "1"


def test_csv_holds_one_list(pair):
    done = run("errors", *pair, "--links", "--mentions", "-f", "csv")
    assert done.returncode == 2
    assert "one list" in done.stderr


def test_lists_show_what_is_wrong(pair):
    lines = run("errors", *pair, "--links", "--mentions", "--entities").stdout.splitlines()
    # The three immediate ones, and Bob's of the inferred.
    start = lines.index("4 wrong or missing links")
    assert lines[start + 1].split()[:3] == ["mention", "entity", "link"]
    assert lines[start + 2].split()[:4] == ["she", "Ann", "immediate", "fn"]
    assert any(line.startswith("2 mentions in errors") for line in lines)
    assert any(line.startswith("2 entities that are not perfect") for line in lines)


def rows_below(out: str, caption: str) -> list[list[str]]:
    """The cells of a table in text, without its header."""
    lines = out[out.index(caption) :].split("\n\n")[0].splitlines()
    header = next(number for number, line in enumerate(lines) if line.startswith("mention "))
    return [line.split() for line in lines[header + 1 :]]


def test_an_entity_is_called_by_its_first_name(tmp_path):
    """In the key she, Ann and Eve are one, it and dog another; in the response she is the dog."""
    words = ("she PRP", "Ann NNP", "Eve NNP", "it PRP", "dog NN")
    paths = tmp_path / "key.conll", tmp_path / "response.conll"
    for path, cells in zip(paths, ("00011", "10011"), strict=True):
        rows = zip(words, cells, strict=True)
        path.write_text(conll(*(f"{word} * - - - - * ({cell})" for word, cell in rows)))
    out = run("errors", *paths, "--mentions", "--links").stdout
    assert ["she", "wrong", "links", "pronoun", "Ann", "0", "1"] in [
        row[:7] for row in rows_below(out, "mentions in errors")
    ]
    links = [row[:4] for row in rows_below(out, "wrong or missing links")]
    assert ["Ann", "Ann", "immediate", "fn"] in links
    assert ["it", "dog", "immediate", "fp"] in links
    card = run("card", *paths, "--all").stdout.partition("The largest entities")[2].splitlines()
    assert [line.split()[0] for line in card[3:5]] == ["Ann", "dog"]


@pytest.mark.parametrize("name", ["0", "Ann", "An…"])
def test_one_entity_can_be_followed(pair, name):
    """Ann, she and her; in the response she is with Bob and he, and the dog is with nobody."""
    out = run("errors", *pair, "--entity", name, "--mentions", "--links", "--entities").stdout
    mentions = rows_below(out, "Mentions of the entity")
    assert [row[0] for row in mentions] == ["Ann", "she", "her"]
    first = run("errors", *pair, "--entity", name, "--mentions", "--top", "2").stdout
    assert [row[0] for row in rows_below(first, "Mentions of the entity")] == ["Ann", "she"]
    rows = run("errors", *pair, "--entity", name, "-f", "csv").stdout.splitlines()
    assert len(rows) == 1 + 3
    assert "dog" not in out
    assert " ".join(out.split()).startswith(
        "Ann (key entity 0 in d): response entity 5 has 2 of its 3 mentions. It first breaks at "
        "(1, 2): “she” is with “Bob”."
    )
    shown = run("errors", *pair, "--show", "--entity", name).stdout.splitlines()[-1]
    assert shown == "[0 {5 Ann}] [0? {6 she}] [0 {5! her}] {6! Bob} {6 he} dog"


# Eve(0) sang(1) .(2) | Ann(3) saw(4) her(5) .(6) | Eve(7) and(8) Kim(9) slept(10) .(11)
SENTENCES = ["Eve sang .", "Ann saw her .", "Eve and Kim slept ."]
EVE, ANN, HER, EVE_AGAIN, KIM = (0, 1), (3, 4), (5, 6), (7, 8), (9, 10)


@pytest.mark.parametrize(
    ("response", "sentence", "first_break"),
    [
        ([[EVE, HER, EVE_AGAIN], [ANN], [KIM]], None, None),
        ([[EVE], [ANN, HER, EVE_AGAIN], [KIM]], "in sentence 2: “her” is with “Ann”", HER),
        ([[EVE, EVE_AGAIN], [ANN], [HER, KIM]], "in sentence 2: “her” is with “Kim”", HER),
        ([[EVE, HER], [ANN], [EVE_AGAIN, KIM]], "in sentence 3: “Eve” is with “Kim”", EVE_AGAIN),
        ([[EVE, HER], [ANN, EVE_AGAIN]], "in sentence 3: “Eve” is with “Ann”", EVE_AGAIN),
        ([[EVE, HER], [EVE_AGAIN]], "in sentence 3: “Eve” begins a new entity", EVE_AGAIN),
        ([[HER, EVE_AGAIN]], "in sentence 1: “Eve” is missing", EVE),
        ([[EVE, (10, 11), HER, EVE_AGAIN]], None, None),  # an extra mention after all of them
        ([[EVE, (4, 5), HER, EVE_AGAIN]], "in sentence 2: “her” is with “saw”", HER),
    ],
)
def test_an_entity_that_is_followed_has_a_first_break(tmp_path, response, sentence, first_break):
    key = [[EVE_AGAIN, HER, EVE], [ANN], [KIM]]
    words = [one.split() for one in SENTENCES]
    paths = tmp_path / "key.json", tmp_path / "response.json"
    for path, entities in zip(paths, (key, response), strict=True):
        path.write_text(json.dumps({
            "doc_key": "d", "sentences": words,
            "clusters": [[[first, end - 1] for first, end in entity] for entity in entities],
        }))  # fmt: skip
    for options in (("--entity", "Eve"), ("-f", "json", "--entity", "Eve"), ()):
        done = run("errors", *paths, *options)
        assert done.returncode == 0, done.stderr
        if options[:1] == ("-f",):
            found = json.loads(done.stdout)["first_break"]
            assert (found and found["mention"]) == (first_break and [*first_break])
        else:
            text = " ".join(done.stdout.split())
            assert ("first breaks" in text) == (sentence is not None)
            assert f"first breaks {sentence or ''}" in text or sentence is None


def test_an_entity_that_is_followed_is_one(pair, tmp_path):
    key, response = pair
    done = run("errors", *pair, "--entity", "Anna")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no key entity is called 'Anna'; did you mean 'Ann'?" in done.stderr
    for path in pair:
        path.write_text(path.read_text() + path.read_text().replace("(d)", "(e)"))
    done = run("errors", *pair, "--entity", "Ann")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        "2 key entities are called 'Ann': 0 in d (3 mentions), 0 in e (3 mentions)" in done.stderr
    )
    done = run("errors", *pair, "--entity", "Ann", "--document", "e", "-f", "json")
    found = json.loads(done.stdout)
    assert [row["entity"] for row in found["entities"]] == ["0"]
    assert [row["words"] for row in found["mentions"]] == ["Ann", "she", "her"]
    assert run("errors", *pair, "--entity", "0", "--all").returncode == 2
    second = run("errors", KEY, A, "--document", "story/lighthouse part 1", "--entity", "Admiral")
    assert "Admiral (key entity 11 in story/lighthouse part 1): " in second.stdout
    assert run("errors", key, response, response, "--entity", "0").returncode == 2


def test_top_says_how_many_rows(pair):
    found = json.loads(run("errors", *pair, "-f", "json", "--mentions", "--top", "2").stdout)
    assert len(found["mentions"]) == 2
    assert "the first 1 (more by --top)" in run("errors", *pair, "--mentions", "--top", "1").stdout
    done = run("errors", *pair, "--mentions", "--top", "0")
    assert (done.returncode, "more by --top" in done.stdout) == (0, False)


def test_show_marks_wrong_links_without_colour(pair):
    done = run("errors", *pair, "--show")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert done.stdout.splitlines()[-1] == (
        "[0 {5 Ann}] [0? {6 she}] [0 {5! her}] [1 {6! Bob}] [1 {6 he}] {7 dog}"
    )


def test_show_side_by_side(pair):
    first, second = run("errors", *pair, "--show", "--side-by-side").stdout.splitlines()[-2:]
    assert [cell.rstrip() for cell in first.split("│")] == [
        "[0 Ann] [0? she] [0 her] [1 Bob]", " {5 Ann} {6 she} {5! her} {6! Bob}",
    ]  # fmt: skip
    assert [cell.rstrip() for cell in second.split("│")] == ["[1 he] dog", " {6 he} {7 dog}"]


def test_show_is_text_only(pair):
    assert run("errors", *pair, "--show", "-f", "json").returncode == 2
    assert run("errors", *pair, "--show", "--links").returncode == 2


def test_show_needs_words(tmp_path):
    path = tmp_path / "key.conll"
    path.write_text("#begin document (d); part 000\n(0)\n(0)\n\n#end document\n")
    done = run("errors", path, path, "--show")
    assert done.returncode == 3
    assert "no-words" in done.stderr


def test_crossing_and_nested_brackets_close_from_within(tmp_path):
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(conll("the (0", "old -", "dog 0)|(1)"))
    response.write_text(conll("the -", "old (0", "dog 0)"))
    assert run("errors", key, response, "--show").stdout.splitlines()[-1] == (
        "[0 the {0 old [1 dog]}]"
    )


def test_write_fixed_writes_a_file_a_class(pair, tmp_path):
    folder = tmp_path / "fixed"
    assert run("errors", *pair, "--write-fixed", folder).returncode == 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        f"{name}.conll" for name in CLASSES
    )
    read = corefmeter.read(folder / "divided.conll")
    # "she" comes to Ann, her; Bob and he stay; the dog stays.
    assert sorted(map(sorted, read.documents[0].entities)) == [
        [(0, 1), (1, 2), (2, 3)], [(3, 4), (4, 5)], [(5, 6)],
    ]  # fmt: skip
    fixed = corefmeter.score(pair[0], folder / "divided.conll")
    cost = corefmeter.analyse(*pair).costs
    assert fixed.conll == pytest.approx(cost.repaired["divided"]["conll"])


def test_a_folder_that_cannot_be_written(pair):
    done = run("errors", *pair, "--write-fixed", pair[0] / "below-a-file")
    assert done.returncode == 3
    assert "cannot be written" in done.stderr


def test_an_unknown_feature_document_or_language_is_wrong_usage(pair):
    for option, name, hint in (
        ("--feature", "entity_typ", "entity_type"),
        ("--document", "e", "there is 'd'"),
        ("--pronouns", "fr", "en"),
    ):
        done = run("errors", *pair, option, name)
        assert done.returncode == 2
        assert hint in done.stderr


def test_break_down_by_a_column_of_the_key(pair):
    found = json.loads(run("errors", *pair, "--feature", "column:3", "-f", "json").stdout)
    groups = found["by"]["column:3"]["mention_counts"]["groups"]
    assert groups["she"]["incorrectly_resolved"] == 1
    assert groups["dog"]["extra"] == 1
    assert run("errors", *pair, "--feature", "column:x").returncode == 2


def test_what_needs_kinds_is_not_computed_from_words_alone(tmp_path):
    """Key Ann, she, her; Bob, he. "he" is with Ann in the response, and "her" is alone."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(conll("Ann (0)", "she (0)", "her (0)", "Bob (1)", "he (1)"))
    response.write_text(conll("Ann (0)", "she (0)", "her (2)", "Bob (1)", "he (0)"))
    out = run("errors", key, response, "--all").stdout
    assert "\nnot computed: no parts of speech; try --pronouns en\n" in out
    assert "Inferred antecedents (ARCS)" not in out
    assert not [line for line in out.splitlines() if line.startswith("unknown")]
    arcs = json.loads(run("errors", key, response, "-f", "json").stdout)["arcs"]
    assert arcs["inferred"] is None is arcs["anchor"]
    assert arcs["not_computed"] == "no parts of speech; try --pronouns en"
    assert "arcs.inferred,\n" in run("errors", key, response, "-f", "csv").stdout
    # Inferred: she to Ann; her to nothing; he to Ann instead of Bob: tp, fn, wl.
    done = run("errors", key, response, "--pronouns", "en", "-f", "json")
    arcs = json.loads(done.stdout)["arcs"]
    found = arcs["inferred"]["all"]
    assert [found[name] for name in ("tp", "wl", "fn", "fp")] == [1, 1, 1, 0]
    assert found["recall"] == 1 / 3
    assert found["precision"] == 1 / 2
    # Anchors: Ann is found, Bob is not, nothing is spurious: ED F1 2/3. Of Ann's three mentions
    # two are found, and "he" is not hers: EM 2/3. So F 2/3.
    assert arcs["anchor"]["f"] == pytest.approx(2 / 3)
    assert "not_computed" not in arcs


def test_without_words_nothing_says_kinds():
    arcs = corefmeter.analyse([["a", "b"]], [["a", "b"]]).summary["arcs"]
    assert arcs["not_computed"] == "mention types are unknown"
    # Where all kinds are known and none is nominal, there is nothing to infer.
    text = corefmeter.corpus.text.Text(["he", "his"], pos=["PRP", "PRP$"])
    key = corefmeter.Corpus([corefmeter.Document("x", [[(0, 1), (1, 2)]], text=text)])
    assert "not_computed" not in corefmeter.analyse(key, key).summary["arcs"]


@pytest.fixture
def tagged(tmp_path):
    """Ann and the dog, with her; she and he are apart from Ann, and nothing else is wrong."""
    rows = ("Ann NNP", "she PRP", "her PRP", "he PRP", "dog NN", "cat NN")
    cells = [("(0)", "(0)", "(0)", "(0)", "(1)", "(1)"), ("(0)", "(2)", "(0)", "(3)", "(1)", "(4)")]
    for name, side in zip(("key", "response"), cells, strict=True):
        (tmp_path / f"{name}.conll").write_text(
            conll(*(f"{row} * - - - - * {cell}" for row, cell in zip(rows, side, strict=True)))
        )
    return tmp_path / "key.conll", tmp_path / "response.conll"


def test_the_page_says_what_to_mend_first(tagged):
    """Of 3 + 1 links of the key 1 is there (Ann, her) and none is wrong: MUC 2/5. With both
    pronouns 3 of 4, F1 6/7; with the cat 2 of 4, F1 2/3."""
    out = run("errors", *tagged, "-m", "muc", "--mentions", "--all").stdout
    pronouns, cat = f"{100 * (6 / 7 - 2 / 5):.2f}", f"{100 * (2 / 3 - 2 / 5):.2f}"
    first = f"Fix divided pronouns first, which cost {pronouns}: see --links."
    assert first in " ".join(out.split())
    caption = "Mentions in errors by kind, and what they alone cost of MUC"
    lines = out[out.index(caption) :].splitlines()
    row = next(line for line in lines if line.startswith("divided entity"))
    assert row.split()[2:] == ["1", cat, "2", pronouns]
    # The list begins with what costs most, the pronouns; the dog is the main part, and alone.
    listed = out[out.index("4 mentions in errors") :].splitlines()[2:6]
    assert [line.split()[0] for line in listed] == ["she", "he", "cat", "dog"]


def test_columns_have_their_legends(tagged):
    out = run("errors", *tagged, "--links", "--all").stdout
    for said in ("best: the", "more precise: without mentions", "wl: a wrong link"):
        assert said in out
    assert all(len(line) <= 80 for line in out.splitlines()[:-1])


def test_by_a_feature_adds_tables():
    out = run("errors", KEY, A, "--feature", "sentence_distance").stdout
    assert out.count("sentence_distance") == 3
    assert all(len(line) <= 80 for line in out.splitlines()[:-1])


def test_markdown_and_latex():
    markdown = run("errors", KEY, A, "-f", "markdown", "--all").stdout
    assert "| span error | 1 |" in markdown
    latex = run("errors", KEY, A, "-f", "latex", "--links", "--all").stdout
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") > 8
    assert "span error & 1 &" in latex


def test_output_goes_to_a_file(pair, tmp_path):
    done = run("errors", *pair, "-f", "json", "-o", tmp_path / "out.json")
    assert done.stdout == ""
    assert json.loads((tmp_path / "out.json").read_text())["schema"] == 1


def test_metrics_of_matched_mentions_have_no_costs_of_their_own(pair):
    found = json.loads(run("errors", *pair, "-m", "mor", "-f", "json").stdout)
    assert set(found["errors"]["span"]["cost"]) == {"conll", "lea"}


REAL = [
    ("novel_dutch/key.conll", "novel_dutch/dutchcoref.conll", 2534, 2751, 2365),
    ("gum_ontonotes_style/key.conll", "gum_ontonotes_style/xrenner.conll", 3581, 3788, 2702),
]


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason=f"no real data: {DATA} is not there")
@pytest.mark.parametrize(("key", "response", "in_key", "in_response", "matched"), REAL)
def test_real_data_in_80_columns_in_time_and_with_the_totals_of_score(
    key, response, in_key, in_response, matched
):
    before = resource.getrusage(resource.RUSAGE_SELF)
    done = run("errors", DATA / key, DATA / response, "--quiet", "--all")
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert done.returncode == 0
    assert all(len(line) <= 80 for line in done.stdout.splitlines()[:-1])
    # A second for 12,000 tokens; three times that on a machine that does other things.
    tokens = corefmeter.read(DATA / key)
    share = sum(document.tokens for document in tokens) / 12_000
    assert after.ru_utime - before.ru_utime < 3 * max(share, 1)
    # The mentions, as the official scorer counts them (expected.txt beside the data).
    scored = json.loads(run("score", DATA / key, DATA / response, "-f", "json").stdout)
    mentions = scored["results"][0]["scores"]["mentions"]
    found = json.loads(run("errors", DATA / key, DATA / response, "-f", "json").stdout)
    assert found["mention_counts"]["key"] == mentions["recall_denominator"] == in_key
    assert found["mention_counts"]["response"] == mentions["precision_denominator"] == in_response
    assert found["mention_counts"]["matched"] == mentions["recall_numerator"] == matched
    by_kind = found["arcs"]["immediate"]
    for name in ("tp", "wl", "fn", "fp"):
        assert by_kind["all"][name] == sum(row[name] for row in by_kind["groups"].values())
    # GUM in columns has words only; with the pronouns of English, 797 of 797 + 640 + 801 (R) and of
    # 797 + 640 + 594 (P) inferred antecedents are right.
    if "gum" in key:
        assert "not computed: no parts of speech" in done.stdout
        lines = run(
            *("errors", DATA / key, DATA / response, "--pronouns", "en", "--all")
        ).stdout.splitlines()
        of_all = lines[lines.index("Inferred antecedents (ARCS)") + 3].split()
        assert of_all[1:5] == ["797", "640", "801", "594"]
        assert of_all[-1] == f"{100 * 2 * 797 / (2238 + 2031):.2f}" == "37.34"
        assert "Anchor mentions (ARCS): F 50.50" in lines
    # Section 2 of the LEA paper, on a system of today.
    for effect in found["identification"].values():
        assert effect["muc"]["wrong"] == effect["lea"]["wrong"] == []
        assert "recall" in effect["b3"]["wrong"]
    assert found["errors"]["missing_entity"]["cumulative"] == {"conll": 1.0, "lea": 1.0}
