"""Every file of the real data is recognised and read, or refused with a reason; and what is known
about its content from another file or by counting by hand."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

import corefmeter
from corefmeter.codes import CODES
from corefmeter.formats import recognised
from corefmeter.problems import DataError

from .shared import DATA, needs

pytestmark = needs("gum_other_formats")

#: Patterns of paths below the data, with the format that files are read in; None is refused. The
#: first that fits counts.
EXPECTED = [
    ("ua_cases/**.key", "conllua"),
    ("ua_cases/**.response", "conllua"),
    ("ua_cases/**.sys", "conllua"),
    ("crac_text/perfect.txt", "inline"),
    ("crac_text/perfect.json", "crac"),
    ("corefud_cases/**.key", "conllu"),
    ("corefud_cases/**.response", "conllu"),
    ("**.conllu", "conllu"),
    ("random_conll/*pairs.jsonl", None),
    ("**/23_no_documents/*.conll", None),
    ("**.conll", "conll"),
    ("**.key", "conll"),
    ("**.response", "conll"),
    ("**.key_conll", "conll"),
    ("**.response_conll", "conll"),
    ("**.v4_auto_conll", "conll"),
    ("other/gap/gap-validation.tsv", "gap"),
    ("**.webannotsv", "webanno"),
    ("**.onto", None),
    ("**.sgml", None),
    ("**.tbf", "tbf"),
    ("**.comp", "tbf"),
    ("**.ann", "brat"),
    # An example of several documents of the same name, in the old format.
    ("**/combined_example.text", "conll"),
    ("**", None),
]

#: What is recognised but broken, or lacks what belongs to it: the code of the first error.
REFUSED = {
    # Empty: a response without nuggets, but no key.
    "other/tac_kbp_tbf/scoring_demo/token_based/sample_system_D.tbf": "no-document",
    "other/tac_kbp_tbf/test_cases/wrong_format_tests/a_lot_wrong_relations.response.tbf":
        "unknown-relation",
    "other/tac_kbp_tbf/test_cases/wrong_format_tests/duplicate_mention_span_in_one_cluster"
    ".response.tbf": "repeated-mention",
    "other/tac_kbp_tbf/test_cases/wrong_format_tests/duplicated_mention_id.response.tbf":
        "repeated-id",
    "other/tac_kbp_tbf/test_cases/wrong_format_tests/invented_mention.response.tbf":
        "unknown-mention",
    "other/tac_kbp_tbf/test_cases/wrong_format_tests/loripsum.tbf": "outside-document",
    "other/tac_kbp_tbf/test_cases/wrong_format_tests/miss_system_id.response.tbf": "bad-line",
    "other/tac_kbp_tbf/test_cases/wrong_format_tests/no_header.response.tbf": "outside-document",
    "other/tac_kbp_tbf/test_cases/wrong_format_tests/transitive_not_resolved.tbf": "two-entities",
    "other/tac_kbp_tbf/scoring_demo/token_based/ann/example1.tkn.ann": "missing-text",
    "other/tac_kbp_tbf/scoring_demo/token_based/ann/example2.tkn.ann": "missing-text",
    "other/tac_kbp_tbf/test_cases/conll_tests/ann/doc1.ann": "missing-text",
    "other/tac_kbp_tbf/test_cases/conll_tests/old_conll/combined_example.text":
        "repeated-document",
    "corefud_cases/known_bugs/kb09_unclosed_mention.key.conllu": "unclosed-mention",
    "scorer_transcripts/17_close_without_open/response.conll": "close-without-open",
    "scorer_transcripts/18_unclosed/key.conll": "unclosed-mention",
}  # fmt: skip


def all_files() -> list[str]:
    found = []
    for folder, _, names in os.walk(DATA):
        found += [os.path.relpath(os.path.join(folder, name), DATA) for name in names]
    return sorted(found)


def expected_format(name: str) -> str | None:
    return next(format for pattern, format in EXPECTED if fnmatch(name, pattern))


@pytest.mark.parametrize("name", all_files())
def test_every_file_is_recognised_and_read_or_refused_with_a_reason(name):
    path = DATA / name
    found = recognised(str(path))
    format = found and found.name
    assert format == expected_format(name)
    if format is not None and name not in REFUSED:
        corpus = corefmeter.read(path)
        assert corpus.format == format
        assert len(corpus) > 0
        return
    with pytest.raises(DataError) as caught:
        corefmeter.read(path)
    codes = [problem.code for problem in caught.value.problems]
    assert all(p.code in CODES and p.message and p.path for p in caught.value.problems)
    if format is None:
        assert codes in (["unknown-format"], ["no-document"])
    else:
        assert codes[0] == REFUSED[name]


GUM = ["GUM_letter_attorney", "GUM_news_nasa", "GUM_whow_cactus"]


def test_an_empty_system_of_the_scoring_demo_is_an_empty_response():
    folder = DATA / "other/tac_kbp_tbf/scoring_demo/token_based"
    assert len(corefmeter.read(folder / "sample_system_D.tbf", side="response")) == 0


def entities(path: Path) -> set[frozenset[object]]:
    (document,) = corefmeter.read(path).documents
    return set(map(frozenset, document.entities))


def groups_of_sgml(path: Path) -> set[frozenset[object]]:
    """The groups of GUM's own SGML, with a tag or a token in each line."""
    found: dict[str, set[object]] = {}
    opened: list[tuple[str, int]] = []
    token = 0
    for line in path.read_text("utf-8").splitlines():
        if tag := re.match(r'<referent .*group="(\d+)"', line):
            opened.append((tag[1], token))
        elif line.startswith("</referent>"):
            group, start = opened.pop()
            found.setdefault(group, set()).add((start, token))
        elif not line.startswith("<"):
            token += 1
    return set(map(frozenset, found.values()))


@pytest.mark.parametrize("name", GUM)
def test_webanno_of_gum_holds_the_entities_of_its_sgml(name):
    """WebAnno links mentions; the SGML names groups, which also follow a link of bridging."""
    webanno = entities(DATA / "gum_other_formats" / f"{name}.webannotsv")
    sgml = groups_of_sgml(DATA / "gum_other_formats" / f"{name}.sgml")
    if name != "GUM_news_nasa":
        assert webanno == sgml
        return
    # "space shuttle" and "the orbiter fleet" are bridged: one group, two entities.
    (group,) = sgml - webanno
    parts = webanno - sgml
    assert len(parts) == 2
    assert frozenset().union(*parts) == group


TAC = DATA / "other" / "tac_kbp_tbf"


def test_tbf_and_conll_give_the_same_scores_of_one_pair():
    """The first test of TAC's scorer: the same pair in both formats."""
    folder = TAC / "test_cases" / "conll_tests"
    metrics = ["muc", "b3", "ceafm", "ceafe", "blanc"]
    tbf, conll = (
        corefmeter.score(
            folder / f"TestA.key.{ending}", folder / f"TestA_correct.response.{ending}",
            metrics=metrics,
        )
        for ending in ("tbf", "conll")
    )  # fmt: skip
    for metric in metrics:
        assert tbf[metric] == conll[metric]
        assert tbf[metric].f1 == 1


METRICS = ["muc", "b3", "ceafm", "ceafe", "blanc"]


def differences_from(result, path: Path) -> list[str]:
    """Where recall and precision differ from the fractions that v8.01 printed for the totals."""
    totals = re.findall(r"^(?:Coreference|BLANC): .+", path.read_text("utf-8"), re.MULTILINE)
    assert len(totals) == len(METRICS)
    found = []
    for metric, line in zip(METRICS, totals, strict=True):
        fractions = [float(a) / float(b) for a, b in re.findall(r"\(([\d.]+) / ([\d.]+)\)", line)]
        values = [result[metric].recall, result[metric].precision]
        if values != pytest.approx(fractions, abs=1e-12):
            found.append(f"{metric}: {values}, printed {fractions}")
    return found


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # A mention in two entities of the key, as v8.01 counts it.
        ("gold_double", "sys_double_miss1", "miss1.double.score"),
        ("gold_double", "sys_double_miss2", "miss2.double.score"),
        ("gold_double", "sys_double_miss1", "miss1.score"),
        ("gold_double", "sys_double_miss2", "miss2.score"),
        # The same as two mentions, which is what TAC counts.
        ("gold_double_resolved", "sys_double_resolved_miss1", "miss1.true.score"),
        ("gold_double_resolved", "sys_double_resolved_miss2", "miss2.true.score"),
    ],
)
def test_the_scores_that_are_given_for_pairs_of_conll_files(key, response, expected):
    folder = TAC / "test_cases" / "conll_tests" / "old_conll"
    result = corefmeter.score(
        folder / f"{key}.conll", folder / f"{response}.conll", repeated="official", metrics=METRICS
    )
    assert differences_from(result, folder / expected) == []


@pytest.mark.parametrize("missing", [1, 2])
def test_the_scores_of_the_same_pairs_as_nuggets(tmp_path, missing):
    """``is`` (token 1) is two nuggets of different types, so nothing is repeated."""
    rows = {"E1": ("t0", "This", "A"), "E2": ("t1", "is", "A"), "E3": ("t1", "is", "B"),
            "E4": ("t3", "example", "B")}  # fmt: skip

    def write(name: str, ids: list[str], clusters: list[str]) -> str:
        lines = ["#BeginOfDocument doc1"]
        lines += ["\t".join(["s", "doc1", id, *rows[id], "Actual"]) for id in ids]
        lines += [f"@Coreference\tC{i}\t{ids}" for i, ids in enumerate(clusters)]
        path = tmp_path / name
        path.write_text("\n".join([*lines, "#EndOfDocument", ""]), "utf-8")
        return str(path)

    key = write("key.tbf", list(rows), ["E1,E2", "E3,E4"])
    ids, clusters = (["E1", "E3", "E4"], ["E3,E4"]) if missing == 1 else (
        ["E1", "E2", "E4"], ["E1,E2"]
    )  # fmt: skip
    result = corefmeter.score(key, write("response.tbf", ids, clusters), metrics=METRICS)
    assert not any(p.code == "repeated-mention" for p in result.problems)
    folder = TAC / "test_cases" / "conll_tests" / "old_conll"
    assert differences_from(result, folder / f"miss{missing}.true.score") == []


def test_a_file_of_tac_and_the_brat_file_it_was_made_from_hold_the_same_entities():
    folder = TAC / "conversion_demo"
    name = "04debcc4da342dc971bdef4210fe468a"
    (brat,) = corefmeter.read(folder / "ann" / f"{name}.ann", details=True).documents
    (tbf,) = corefmeter.read(folder / "gold.tbf", details=True).documents
    strings = sorted(sorted(brat.text.string(m) for m in e) for e in brat.entities)
    assert strings == sorted(sorted(d.attributes["text"] for d in entity) for entity in tbf.details)


def gap_rows() -> list[list[str]]:
    text = (DATA / "other" / "gap" / "gap-validation.tsv").read_text("utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]


def test_gap_is_read_as_its_columns_say():
    corpus = corefmeter.read(DATA / "other" / "gap" / "gap-validation.tsv")
    rows = gap_rows()
    assert len(corpus) == len(rows) == 454
    for document, row in zip(corpus, rows, strict=True):
        true = [row[6], row[9]].count("TRUE")
        assert sorted(map(len, document.entities)) == sorted([1 + true] + [1] * (2 - true))


def test_a_system_that_always_says_yes_finds_all_of_gap(tmp_path):
    """Precision is the share of TRUE among all values."""
    rows = gap_rows()
    (tmp_path / "yes.tsv").write_text("".join(f"{row[0]}\tTRUE\tTRUE\n" for row in rows))
    key = DATA / "other" / "gap" / "gap-validation.tsv"
    by = corefmeter.score(key, tmp_path / "yes.tsv", metrics="gap").by("gender")
    for gender, pronouns in (("feminine", {"she", "her", "hers"}),
                             ("masculine", {"he", "his", "him"})):  # fmt: skip
        mine = [row for row in rows if row[2].lower() in pronouns]
        true = sum([row[6], row[9]].count("TRUE") for row in mine)
        assert by[gender].gap[:2] == (1, true / (2 * len(mine)))
