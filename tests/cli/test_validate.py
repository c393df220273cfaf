"""``corefmeter validate`` tells everything that is wrong, and whether a response fits its key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..command import run

KEY = "#begin document (x); part 000\na\t(1\nb\t1)\nc\t(1)\n#end document\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "key.conll").write_text(KEY, "utf-8")
    return tmp_path


def write(folder: Path, text: str, name: str = "response.conll") -> str:
    (folder / name).write_text(text, "utf-8")
    return name


def test_a_file_in_order(folder):
    result = run("validate", "key.conll", folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "key.conll: no problems; conll: 1 document, 1 entity, 2 mentions\n"


def test_all_errors_have_place_code_and_hint(folder):
    name = write(folder, KEY.replace("1)\nc", "x)\nc").replace("(1)", "9)"))
    result = run("validate", name, folder=folder)
    assert result.returncode == 3
    lines = result.stdout.splitlines()
    heads = [line for line in lines if ": error: " in line]
    assert [line.split(": error: ")[0] for line in heads] == [
        f"{name}:2", f"{name}:3:3", f"{name}:4:3"
    ]  # fmt: skip
    assert heads[0].endswith("[unclosed-mention]")
    assert lines[1].startswith("  ")
    assert lines[-1] == f"{name}: 3 errors"


def test_many_errors_are_all_listed(folder):
    name = write(folder, "#begin document (x)\n" + "w\t1)\n" * 60 + "#end document\n")
    result = run("validate", name, folder=folder)
    assert result.stdout.count("[close-without-open]") == 60


def test_warnings_do_not_fail(folder):
    name = write(folder, KEY.replace("(1)", "(1)|(2)").replace("#end document\n", ""))
    result = run("validate", name, folder=folder)
    assert result.returncode == 0
    assert "[missing-end]" in result.stdout
    assert (
        f"{name}:4: warning: the mention 'c' occurs 2 times, in the entities 1, 2 " in result.stdout
    )
    assert "entities 1, 2 (document '(x); part 000') [repeated-mention]" in result.stdout
    assert result.stdout.splitlines()[-1].startswith(f"{name}: 2 warnings; conll")


@pytest.mark.wings
def test_several_files_and_formats(folder):
    write(folder, "#BeginOfDocument x\n#EndOfDocument\n", "x.tbf")
    write(folder, "nothing", "notes.md")
    result = run("validate", "key.conll", "x.tbf", "notes.md", folder=folder)
    assert result.returncode == 3
    assert "x.tbf: 1 warning; tbf: 1 document, 0 entities, 0 mentions" in result.stdout
    assert "notes.md:1: error: the format of the file is not recognized" in result.stdout


def test_json(folder):
    name = write(folder, KEY.replace("1)\n", "x)\n", 1))
    result = run("validate", "key.conll", name, "-f", "json", "-o", "out.json", folder=folder)
    assert (result.returncode, result.stdout) == (3, "")
    report = json.loads((folder / "out.json").read_text("utf-8"))
    assert report["valid"] is False
    good, bad = report["files"]
    assert (good["errors"], good["mentions"], good["problems"]) == (0, 2, [])
    assert bad["errors"] == 2
    assert {p["code"] for p in bad["problems"]} == {"close-without-open", "unclosed-mention"}


# Against a key.


def test_a_response_that_fits(folder):
    name = write(folder, KEY.replace("(1)", "-"))
    result = run("validate", name, "--against", "key.conll", folder=folder)
    assert (result.returncode, result.stdout.count("\n")) == (0, 1)


def test_another_word_is_an_error_with_both_words_and_its_line(folder):
    name = write(folder, KEY.replace("b\t", "B\t"))
    result = run("validate", name, "--against", "key.conll", folder=folder)
    assert result.returncode == 3
    assert (
        f"{name}:3: error: the word 'B' is 'b' in the key, at key.conll:3 "
        "(document '(x); part 000') [words-differ]" in result.stdout
    )


def test_a_missing_token_is_an_error(folder):
    name = write(folder, KEY.replace("c\t(1)\n", ""))
    result = run("validate", name, "--against", "key.conll", folder=folder)
    assert result.returncode == 3
    told = "key.conll:4: error: the document has 2 words in the response but 3 in the key"
    assert f"{told}; the first word without a partner is 'c'" in result.stdout


def test_missing_and_extra_documents_are_errors(folder):
    write(folder, KEY + KEY.replace("(x)", "(y)"), "key.conll")
    name = write(folder, KEY + KEY.replace("(x)", "(z)"))
    result = run("validate", name, "--against", "key.conll", folder=folder)
    assert result.returncode == 3
    assert (
        "error: the response has no such document; in the key it is at key.conll:6 "
        "(document '(y); part 000') [missing-document]"
    ) in result.stdout
    assert "error: the key has no such document (document '(z); part 000')" in result.stdout
    assert "scored" not in result.stdout
    assert result.stdout.splitlines()[-1].startswith(f"{name}: 2 errors")


def test_several_missing_documents_are_one_error_with_their_count_and_names(folder):
    write(folder, KEY + KEY.replace("(x)", "(y)") + KEY.replace("(x)", "(z)"), "key.conll")
    name = write(folder, KEY)
    result = run("validate", name, "--against", "key.conll", folder=folder)
    assert result.returncode == 3
    assert result.stdout.startswith(
        f"{name}: error: the response lacks 2 documents of the key: '(y); part 000', "
        "'(z); part 000' [missing-document]\n"
    )


def test_missing_files_of_a_folder_are_named(folder):
    for name in ("a", "b", "c"):
        for side in ("keys/sub", "responses/sub"):
            (folder / side).mkdir(parents=True, exist_ok=True)
            if side == "keys/sub" or name == "b":
                write(folder / side, KEY.replace("(x)", f"({name})"), f"{name}.conll")
    result = run("validate", "responses", "--against", "keys", folder=folder)
    assert result.returncode == 3
    said = "the response lacks 2 documents of the key, and has no file sub/a.conll, sub/c.conll: "
    assert said + "'(a); part 000', '(c); part 000' [missing-document]" in result.stdout


@pytest.mark.parametrize("before", ["", "x 0 3 "])
def test_a_line_that_is_cut_is_named(folder, before):
    """A line of one cell has no word; --strict, which a hint of `score` names, finds it too."""
    lines = [f"{before}a (1", f"{before}b 1)", f"{before}c (1)", "#end document", ""]
    write(folder, "\n".join([KEY.splitlines()[0], *lines]), "key.conll")
    lines[2] = lines[2].split()[0]
    name = write(folder, "\n".join([KEY.splitlines()[0], *lines]))
    said = f"{name}:4: error: a line without a word is 'c' in the key"
    result = run("validate", name, "--against", "key.conll", folder=folder)
    assert said in result.stdout
    assert "no-words" not in result.stdout
    result = run("score", "key.conll", name, "--strict", folder=folder)
    assert result.returncode == 3
    assert said in result.stderr


def test_no_common_document_is_an_error(folder):
    name = write(folder, KEY.replace("(x)", "(z)"))
    result = run("validate", name, "--against", "key.conll", folder=folder)
    assert result.returncode == 3
    assert "no-common-document" in result.stdout


def test_words_that_are_not_there_are_a_warning(folder):
    name = write(folder, KEY.replace("a\t", "").replace("b\t", "").replace("c\t", ""))
    result = run("validate", name, "--against", "key.conll", folder=folder)
    assert result.returncode == 0
    assert "[no-words]" in result.stdout


@pytest.mark.wings
def test_another_number_of_columns_is_a_warning(folder):
    row = "1\tw" + "\t_" * 14
    for name, more in (("key.semeval", ""), ("response.semeval", "\t_")):
        write(folder, f"#begin document x\n{row}{more}\t(1)\n#end document x\n", name)
    result = run("validate", "response.semeval", "--against", "key.semeval", folder=folder)
    assert result.returncode == 0
    assert "has 18 columns, but 17 in the key (document 'x') [bad-columns]" in result.stdout


def test_a_broken_key_stops_the_run(folder):
    write(folder, "nothing\n", "key.md")
    result = run("validate", "key.conll", "--against", "key.md", folder=folder)
    assert result.returncode == 3
    assert "key.md" in result.stderr


def test_marked_text_is_compared_with_its_key_word_by_word(folder):
    write(folder, KEY.replace("a\t", "Ann\t").replace("b\t", "Lee\t").replace("c\t", "she\t"),
          "key.conll")  # fmt: skip
    name = write(folder, "[Ann Lee]_1 really [she]_1\n", "response.txt")
    result = run("validate", name, "--against", "key.conll", folder=folder)
    assert result.returncode == 0
    assert "[word-invented]" in result.stdout
    assert "[words-differ]" not in result.stdout


def test_the_predictions_of_a_file_that_is_key_and_response_are_checked(folder):
    record = {"doc_key": "x_0", "sentences": [["a", "b", "c"]], "clusters": [[[0, 1], [2, 2]]],
              "predicted_clusters": [[[0, 1], [2, 7]]]}  # fmt: skip
    name = write(folder, json.dumps(record) + "\n", "both.jsonl")
    assert run("validate", name, folder=folder).returncode == 0
    assert run("validate", name, "--against", "key.conll", folder=folder).returncode == 3


@pytest.mark.wings
def test_links_that_lead_nowhere_are_told_with_their_place(folder):
    """In both formats: an entity that there is not, and in CorefUD a circle."""
    head = "# newdoc id = x\n# global.Entity = eid-etype-head-other\n"
    words = [
        "Bridge=e9<e1|Entity=(e1--1-)|SplitAnte=e2<e1", "Entity=(e2--1-)|SplitAnte=e1<e2",
    ]  # fmt: skip
    lines = [f"{n}\tw{chr(9)}{chr(9).join('_' * 7)}\t{misc}\n" for n, misc in enumerate(words, 1)]
    (folder / "x.conllu").write_text(head + "".join(lines) + "\n", "utf-8")
    result = run("validate", "x.conllu", folder=folder)
    assert result.returncode == 0
    assert [line.split(":")[1] for line in result.stdout.splitlines() if "bad-link" in line] == [
        "3", "3", "4"
    ]  # fmt: skip
    assert "entity e9, which does not exist" in result.stdout
    columns = "ID FORM IDENTITY BRIDGING"
    (folder / "x.conllua").write_text(
        f"# global.columns = {columns}\n# newdoc id = x\n"
        "1\tw\t(EntityID=1|MarkableID=m1)\t(MarkableID=m9|EntityAnchor=1)\n", "utf-8"
    )  # fmt: skip
    result = run("validate", "x.conllua", folder=folder)
    assert "x.conllua:3:" in result.stdout
    assert "markable m9, which does not exist" in result.stdout
