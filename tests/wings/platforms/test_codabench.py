"""A bundle is written, and run as the platform runs it: in a Python that has nothing installed."""

from __future__ import annotations

import gzip
import html
import io
import json
import lzma
import re
import shlex
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
import yaml

from corefmeter.codes import CODES

from ...command import run

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"


def conll(*cells: str, name: str = "d") -> str:
    """A document of one sentence with these coreference cells."""
    rows = [f"{name} 0 {n} w{n} {cell}" for n, cell in enumerate(cells)]
    return "\n".join([f"#begin document ({name}); part 000", *rows, "", "#end document", ""])


#: {w0 w1} {w2 w3}; {w0 w1 w2} {w3}: MUC 1 of 2 links, 1 of 2. MUC of the second, all links, is 1.
KEY = conll("(1)", "(1)", "(2)", "(2)")
RESPONSE = conll("(1)", "(1)", "(1)", "(2)")


def corefmeter(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "corefmeter", *map(str, arguments)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python without any package."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False)
    return folder / "bin" / "python"


def handed_in(folder: Path, files: dict[str, str]) -> Path:
    """The folders that the platform makes of a bundle and an archive with these files."""
    app = folder / "app"
    shutil.copytree(folder / "task" / "reference_data", app / "input" / "ref")
    shutil.copytree(folder / "task" / "scoring_program", app / "program")
    (app / "output").mkdir()
    for name, text in files.items():
        path = app / "input" / "res" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    # What the platform puts beside a submission of results alone.
    (app / "input" / "res").mkdir(exist_ok=True)
    (app / "input" / "res" / "metadata").write_text("exitCode: null\n")
    return app


def run_program(bare: Path, app: Path) -> subprocess.CompletedProcess[str]:
    """The command of metadata.yaml with the folders of the platform."""
    command = yaml.safe_load((app / "program" / "metadata.yaml").read_text())["command"]
    python, *arguments = shlex.split(command.replace("/app/", f"{app}/"))
    assert python == "python3"
    return subprocess.run(
        [bare, "-I", "-S", *arguments],
        cwd=app / "program",
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin"},
    )


def scaffolded(folder: Path, key: Path, *options: str) -> dict[str, Any]:
    done = corefmeter("codabench", "scaffold", folder / "task", "--key", key, *options)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = yaml.safe_load((folder / "task" / "competition.yaml").read_text())
    return found


def test_a_submission_is_scored_without_a_network_and_without_packages(
    tmp_path: Path, bare: Path
) -> None:
    (tmp_path / "key.conll").write_text(KEY)
    scaffolded(tmp_path, tmp_path / "key.conll", "-m", "muc")
    app = handed_in(tmp_path, {"answer/my.conll": RESPONSE, "__MACOSX/answer/._my.conll": "x"})
    done = run_program(bare, app)
    assert done.returncode == 0, done.stderr
    scores = json.loads((app / "output" / "scores.json").read_text())
    assert scores == {"muc": 50.0, "muc_recall": 50.0, "muc_precision": 50.0}
    page = (app / "output" / "detailed_results.html").read_text()
    assert "50.00" in page
    assert "w0" not in page  # the key is not shown


def test_the_report_is_shown_where_that_is_asked_for(tmp_path: Path, bare: Path) -> None:
    scaffolded(tmp_path, EXAMPLES / "key.conll", "--details", "report")
    app = handed_in(tmp_path, {"a.conll": (EXAMPLES / "system-a.conll").read_text()})
    done = run_program(bare, app)
    assert done.returncode == 0, done.stderr
    page = (app / "output" / "detailed_results.html").read_text()
    assert "submission against key.conll" in page
    assert 'id="overview-data"' in page


def test_the_leaderboard_has_a_column_for_each_score(tmp_path: Path) -> None:
    task = scaffolded(
        tmp_path, EXAMPLES / "key.conll", "-m", "conll,lea", "--title", 'A "task": one',
        "--sample", str(EXAMPLES / "system-a.conll"),
    )  # fmt: skip
    assert task["title"] == 'A "task": one'
    (board,) = task["leaderboards"]
    assert [column["key"] for column in board["columns"]] == ["conll", "lea"]
    assert [column["title"] for column in board["columns"]] == ["CoNLL", "LEA"]
    named = [task["image"], task["terms"], *(page["file"] for page in task["pages"])]
    named += [task["solutions"][0]["path"], task["tasks"][0]["scoring_program"]]
    assert all((tmp_path / "task" / name).exists() for name in named)


def test_a_corpus_of_several_files(tmp_path: Path, bare: Path) -> None:
    (tmp_path / "key").mkdir()
    for name in ("en", "de"):
        (tmp_path / "key" / f"{name}.conll").write_text(KEY.replace("(d)", f"({name})"))
    scaffolded(tmp_path, tmp_path / "key", "-m", "muc")
    # 3 of 4 links of the key, 3 of 4 of the response.
    files = {"en.conll": RESPONSE.replace("(d)", "(en)"), "de.conll": KEY.replace("(d)", "(de)")}
    app = handed_in(tmp_path, files)
    done = run_program(bare, app)
    assert done.returncode == 0, done.stderr
    assert json.loads((app / "output" / "scores.json").read_text())["muc"] == 75.0


def test_data_sets_are_scored_alone_and_by_their_mean(tmp_path: Path, bare: Path) -> None:
    (tmp_path / "key").mkdir()
    for name in ("en", "de"):
        (tmp_path / "key" / f"{name}.conll").write_text(KEY)
    task = scaffolded(tmp_path, tmp_path / "key", "-m", "muc", "--datasets")
    keys = [column["key"] for column in task["leaderboards"][0]["columns"]]
    assert keys == ["muc", "de_muc", "en_muc"]
    # Of en half of the links are right, of de all: (50 + 100) / 2.
    app = handed_in(tmp_path, {"en.txt": RESPONSE, "de.conll": KEY})
    done = run_program(bare, app)
    assert done.returncode == 0, done.stderr
    scores = json.loads((app / "output" / "scores.json").read_text())
    assert {key: scores[key] for key in keys} == {"muc": 75.0, "de_muc": 100.0, "en_muc": 50.0}


def test_one_data_set_has_its_column(tmp_path: Path, bare: Path) -> None:
    """Also where the key is no folder; half of the links are right."""
    (tmp_path / "en.conll").write_text(KEY)
    task = scaffolded(tmp_path, tmp_path / "en.conll", "-m", "muc", "--datasets")
    keys = [column["key"] for column in task["leaderboards"][0]["columns"]]
    assert "`en.conll`" in (tmp_path / "task" / "pages" / "overview.md").read_text()
    app = handed_in(tmp_path, {"en.conll": RESPONSE})
    done = run_program(bare, app)
    assert done.returncode == 0, done.stderr
    scores = json.loads((app / "output" / "scores.json").read_text())
    assert {key: scores[key] for key in keys} == {"muc": 50.0, "en_muc": 50.0}


#: A document in which a mention is in two entities of the key, and of the response.
TWICE = conll("(1)|(2)", "(1)", "(2)", "-")
TWICE_TOO = conll("(7)|(8)", "(7)", "(8)", "-")


def page_of(folder: Path, files: dict[str, str], *options: str, status: int = 0) -> str:
    """The page of a submission, in a folder with these files."""
    for name, text in files.items():
        path = folder / "input" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = corefmeter("codabench", "run", folder / "input", folder / "output", *options)
    assert done.returncode == status, done.stderr
    return (folder / "output" / "detailed_results.html").read_text()


@pytest.mark.parametrize("key", ["key.conll", "two/key.conll"])
@pytest.mark.parametrize(("details", "shown"), [("scores", False), ("report", True)])
def test_what_is_noticed_in_the_key_is_on_a_page_that_shows_it(tmp_path, key, details, shown):
    """It is where a key has a mention twice; what is noticed in the response always is."""
    files = {f"ref/{key}": TWICE, "res/r.conll": TWICE_TOO}
    if "/" in key:
        files["ref/two/other.conll"] = conll("(1)", "(1)", name="other")
    page = page_of(tmp_path, files, "--details", details)
    assert ("in the entities 1, 2;" in page) == shown
    assert ("in the entities 7, 8;" in page) == shown
    assert "<strong>r.conll:2: </strong>" in page
    assert (f"</strong>{CODES['repeated-mention']} [repeated-mention]" in page) != shown


@pytest.mark.parametrize("litter", ["ref/__MACOSX/x", "ref/metadata", "ref/.x", "res/metadata"])
def test_a_page_hides_the_key_whatever_its_folder_is_called(tmp_path, litter):
    """Brackets are escaped in the pattern by which the files beside the litter are read."""
    files = {f"{side}/{name}.conll": conll("(1)", "(1)", name=name)
             for side in ("ref", "res") for name in ("en", "de")}  # fmt: skip
    files |= {"ref/key.conll": TWICE, "res/r.conll": TWICE_TOO, litter: "x"}
    page = page_of(tmp_path / "a[1]", files, "--details", "scores")
    assert "in the entities 1, 2;" not in page
    assert f"<strong>r.conll:2: </strong>{CODES['repeated-mention']}" in page


def test_a_note_on_the_whole_key_is_hidden_too(tmp_path):
    """The key has a bridging relation, which no metric is given scores."""
    words = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
    for number, cell in enumerate(("Entity=(e1--1-)", "Entity=(e2--1-)|Bridge=e1<e2"), 1):
        words += f"{number}\tw{number}" + "\t_" * 7 + f"\t{cell}\n"
    files = {"ref/key.conllu": words + "\n", "ref/metadata": "x", "res/r.conllu": words + "\n"}
    files["ref/other.conllu"] = files["res/other.conllu"] = (words + "\n").replace("= d", "= e")
    folder = tmp_path / "a[1]"
    assert "not scored" in page_of(folder, files, "--details", "report")
    page = page_of(folder, files, "--details", "scores", "--force")
    assert "not scored" not in page
    assert f"<strong>the submission: </strong>{CODES['same-file']} [same-file]" in page


@pytest.mark.parametrize(("details", "shown"), [("scores", False), ("report", True)])
def test_errors_in_the_key_are_on_a_page_that_shows_it(tmp_path, details, shown):
    """Where it hides the key it says who can mend it, or what else is wrong."""
    files = {"ref/key.conll": TWICE, "res/key.conll": RESPONSE}
    options = ("--details", details, "--repeated", "error", "--datasets", "--force")
    page = page_of(tmp_path, files, *options, status=3)
    assert ("in the entities 1, 2;" in page) == shown
    assert ("Tell the organizers of the task." in page) != shown
    assert ("/ref/key.conll" in page) == shown
    files |= {"ref/de.conll": KEY, "res/de.conll": TWICE_TOO}
    page = page_of(tmp_path, files, *options, status=3)
    assert ("in the entities 1, 2;" in page) == ("in the entities 7, 8;" in page) == shown
    assert "<strong>de.conll:2: </strong>" in page
    assert "organizers" not in page


@pytest.mark.parametrize("details", ["scores", "report"])
def test_a_page_of_scores_has_the_paths_of_the_archive(tmp_path, details):
    files = {"ref/key.conll": KEY, "res/r.conll": TWICE_TOO}
    page = page_of(tmp_path, files, "--details", details)
    table, _, report = page.partition("<iframe")
    assert "<strong>r.conll:2: </strong>" in table
    assert str(tmp_path) not in table
    assert bool(report) == (details == "report")


def test_the_key_is_hidden_unless_it_is_asked_for(tmp_path):
    files = {"ref/k.conll": KEY, "res/r.conll": RESPONSE}
    assert 'id="overview-data"' not in page_of(tmp_path, files)
    assert 'id="overview-data"' in page_of(tmp_path, files, "--details", "report", "--force")


def test_the_log_names_no_mention_of_a_key_that_is_hidden(tmp_path):
    """Of 12 mentions of the key that occur twice none is in the log, which the platform shows."""
    (key, response) = (conll(*[cell] * 12) for cell in ("(1)|(2)", "(1)"))
    page = page_of(tmp_path, {"ref/k.conll": key, "res/r.conll": response}, "--details", "scores")
    assert "repeated-mention" not in page
    done = run(
        "codabench",
        "run",
        tmp_path / "input",
        tmp_path / "output",
        "--force",
        "--details",
        "scores",
    )
    assert (done.stdout, done.stderr) == ("", "")


#: A key whose names, words, entities and sizes occur nowhere else.
SECRET = "".join(
    conll(
        *(f"({90000 + n})" for n in range(23)), *["(98765)"] * 4, "(97531)|(98765)",
        name=f"secretdoc{part}",
    ).replace(" w", " secretword")
    for part in range(29)
)  # fmt: skip

#: What must not be shown: the file, documents, words and entities of the key, 28 tokens in each of
#: 29 documents.
HIDDEN = re.compile(r"secret|Secret|9\d{4}|\b(28|29|812)\b|[Tt]raceback|input/ref|hidden\.conll")

OTHER = conll(*["(5)"] * 4, name="mine")
PLAIN = SECRET.replace("secretword", "w")

#: What participants may hand in to learn of the key; those of the second part know its documents.
HOSTILE: dict[str, dict[str, str | bytes]] = {
    "other documents": {"a.conll": OTHER},
    "no file": {},
    "an empty file": {"a.conll": ""},
    "bytes": {"a.conll": bytes(range(256)) * 9},
    "a NUL byte": {"a.conll": OTHER.replace("w2", "w\0")},
    "no format": {"a.txt": "what is the key?"},
    "text with marks": {"a.txt": "[Ann]{1} saw [her]{1} <b>there</b>"},
    "a broken archive": {"a.conll.gz": gzip.compress(OTHER.encode())[:-9]},
    "a damaged stream": {"a.zst": zstd.compress(OTHER.encode())[:-9]},
    "an archive in it": {"a.zip": b"PK\3\4" + bytes(99)},
    "deep JSON": {"a.json": "[" * 20_000},
    "JSON of wrong types": {"a.jsonl": '{"doc_key": 3, "clusters": [[[0, "x"]]]}'},
    "XML with entities": {"a.xml": '<!DOCTYPE a [<!ENTITY b SYSTEM "../ref/hidden.conll">]><a>&b;'},
    "a name with markup": {"<script>alert(1)</script>.conll": OTHER.replace("(5)", "(5")},
    "a name with a line end": {"a\nthe reference: error.conll": OTHER.replace("(5)", "5)")},
    "several folders": {"a/x": OTHER, "b/x": OTHER, "metadata": "x"},
    "huge positions": {"a.jsonl": '{"doc_key": "secretdoc0", "clusters": [[[0, 9999999999999]]]}'},
    "empty documents": {"a.conll": "".join(conll(name=f"secretdoc{n}") for n in range(40))},
    "fewer tokens": {"a.conll": conll("(1)", "(1)", name="secretdoc0")},
    "a document twice": {"a.conll": conll("(1)", name="secretdoc0") * 2},
    "other words": {"a.conll": PLAIN},
    "half of the documents": {"a.conll": PLAIN[: len(PLAIN) // 2].rpartition("#begin")[0]},
    "text of its documents": {"a.jsonl": '{"doc_id": "secretdoc0", "text": "[x]{1} y [z]{1}"}'},
    "clusters": {"a.jsonl": '{"doc_key": "secretdoc0_0", "clusters": [[[0, 1], [90, 99]]]}'},
}


def sentences(text: str) -> list[str]:
    """The messages of a page or a log, without their places, hints and codes."""
    if "<html" in text:
        found = re.findall(r"<li>(?:<strong>.*?</strong>)?(.*?)(?:<span.*?)?</li>", text, re.S)
    else:
        lines = [line for line in text.splitlines() if not line.startswith(("  ", "... and"))]
        found = [re.split(r"(?:error|warning|note): ", line)[-1] for line in lines]
    return [html.unescape(one).rpartition(" [")[0] for one in found]


#: What is said of files and names before any is read.
OWN = {
    "cannot be scored", "is empty", "has several folders", "No such file or directory",
    "has no file for the data set hidden", "no such data set; not scored",
}  # fmt: skip


@pytest.mark.parametrize("options", [(), ("--strict",), ("--datasets",)])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_submission_learns_nothing_of_the_key(tmp_path, name, options):
    """All that participants see, the page and the log, is from a list of sentences."""
    (tmp_path / "input" / "ref").mkdir(parents=True)
    (tmp_path / "input" / "ref" / "hidden.conll").write_text(SECRET)
    for file, content in HOSTILE[name].items():
        path = tmp_path / "input" / "res" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    done = run(
        "codabench",
        "run",
        tmp_path / "input",
        tmp_path / "output",
        "-m",
        "muc",
        "--details",
        "scores",
        *options,
    )
    assert done.returncode in (0, 3)
    page = (tmp_path / "output" / "detailed_results.html").read_text()
    assert (done.returncode == 3) == ("<h1>The submission cannot be scored</h1>" in page)
    assert "<script>" not in page
    said = [*sentences(page), *sentences(done.stderr)]
    assert {one for one in said if one not in CODES.values()} <= OWN
    # How often something differs would tell how many documents there are.
    compared = [one for one in sentences(page) if "key" in one]
    assert len(compared) == len(set(compared))
    assert done.stdout == ""
    public = ("hidden.conll", "data set hidden") if options == ("--datasets",) else ()
    for text in (page.partition("<body>")[2], done.stderr):
        text = re.sub(r"conll:\d+(:\d+)?|\d+\.\d\d", "", text)  # lines of the submission, scores
        for one in (*public, str(tmp_path)):
            text = text.replace(one, "")
        assert HIDDEN.findall(text) == [], text


def test_a_fault_of_the_program_shows_nothing_of_the_key(tmp_path, monkeypatch):
    from corefmeter.wings.platforms import submission

    def fail(*_):
        raise RuntimeError("secretword1 in hidden.conll")

    monkeypatch.setattr(submission, "score_submission", fail)
    for side, text in (("ref", SECRET), ("res", OTHER)):
        (tmp_path / "input" / side).mkdir(parents=True)
        (tmp_path / "input" / side / "hidden.conll").write_text(text)
    done = run("codabench", "run", tmp_path / "input", tmp_path / "output", "--details", "scores")
    assert done.returncode == 3
    assert done.stderr == (
        "the submission: error: cannot be scored [unreadable]\n  Tell the organizers of the task.\n"
    )
    assert "secret" not in (tmp_path / "output" / "detailed_results.html").read_text()


def test_names_of_identity_are_for_those_data_sets_that_have_them(tmp_path):
    """Each has its report; where no data set has such names, they are the organizers' mistake."""
    ann = "T1\tP 0 3\tAnn\nT2\tP 8 11\ther\nR1\tIs Arg1:T1 Arg2:T2\n"
    files = {}
    for side in ("ref", "res"):
        files |= {f"{side}/brat/x.ann": ann, f"{side}/brat/x.txt": "Ann saw her"}
        files[f"{side}/en.conll"] = KEY
    options = ("--datasets", "-m", "muc", "--identity", "Is", "--details", "report")
    page = page_of(tmp_path, files, *options)
    assert [f'title="{name}"' in page for name in ("brat", "en")] == [True, True]
    scores = json.loads((tmp_path / "output" / "scores.json").read_text())
    assert scores["brat_muc"] == scores["en_muc"] == 100.0
    for side in ("ref", "res"):
        shutil.rmtree(tmp_path / "input" / side / "brat")
    done = corefmeter("codabench", "run", tmp_path / "input", tmp_path / "other", "--datasets",
                      "--identity", "Is", "--details", "report")  # fmt: skip
    assert done.returncode == 2
    assert "identity has no effect" in done.stderr


def test_files_of_a_submission_for_no_data_set_are_reported(tmp_path):
    files = {"ref/en.conll": KEY, "res/en.conll": RESPONSE, "res/fr.conll": RESPONSE}
    page = page_of(tmp_path, files, "--datasets", "-m", "muc")
    assert "no such data set" in page
    scores = json.loads((tmp_path / "output" / "scores.json").read_text())
    assert scores["muc"] == 50.0


def test_two_files_of_the_key_for_one_data_set_are_refused(tmp_path: Path) -> None:
    """Otherwise one of them would not be scored."""
    (tmp_path / "key").mkdir()
    for name in ("en.conll", "en.txt"):
        (tmp_path / "key" / name).write_text(KEY)
    done = corefmeter("codabench", "scaffold", tmp_path / "task", "--key", tmp_path / "key",
                      "--datasets")  # fmt: skip
    assert done.returncode == 3
    assert "the reference: error: has two files for the data set en" in done.stderr


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"en.conll": RESPONSE, "en.txt": KEY, "de.conll": KEY},
            "has two files for the data set en: en.conll and en.txt",
        ),
        ({"en.conll": RESPONSE, "fr.conll": RESPONSE}, "has no file for the data set de"),
        ({}, "the submission: </strong>is empty"),
        ({"en.conll": KEY, "de.conll": conll("(1", "-", "-", "-")}, "de.conll:2"),
        ({"en.conll": KEY, "de.conll": "<b>\0</b>"}, "de.conll"),
    ],
)
def test_a_broken_submission_gets_a_page_that_says_what_and_where(
    tmp_path: Path, bare: Path, files: dict[str, str], said: str
) -> None:
    (tmp_path / "key").mkdir()
    for name in ("en", "de"):
        (tmp_path / "key" / f"{name}.conll").write_text(KEY)
    scaffolded(tmp_path, tmp_path / "key", "-m", "muc", "--datasets")
    app = handed_in(tmp_path, files)
    done = run_program(bare, app)
    # Without scores.json the platform shows the submission as failed.
    assert done.returncode == 3
    assert not (app / "output" / "scores.json").exists()
    page = (app / "output" / "detailed_results.html").read_text()
    assert said in page
    assert str(app) not in page
    assert "<b>" not in page


@pytest.mark.parametrize("target", ["../../ref/key.conll", "../../ref", "/dev/null"])
def test_a_link_out_of_the_submission_is_refused(tmp_path, target):
    """The key itself would be a perfect response."""
    (tmp_path / "input" / "res" / "a").mkdir(parents=True)
    (tmp_path / "input" / "res" / "a" / "b.conll").symlink_to(target)
    page = page_of(tmp_path, {"ref/key.conll": KEY, "res/r.conll": RESPONSE}, status=3)
    assert "a/b.conll: </strong>is a link to a file that is not in the submission" in page
    assert not (tmp_path / "output" / "scores.json").exists()


def test_a_link_within_a_submission_is_followed(tmp_path):
    (tmp_path / "input" / "res").mkdir(parents=True)
    (tmp_path / "input" / "res" / "b.conll").symlink_to("metadata")
    page_of(tmp_path, {"ref/key.conll": KEY, "res/metadata": KEY}, "-m", "muc")
    assert json.loads((tmp_path / "output" / "scores.json").read_text())["muc"] == 100


def test_a_broken_submission_leaves_no_score_of_another(tmp_path):
    page_of(tmp_path, {"ref/key.conll": KEY, "res/r.conll": RESPONSE})
    (tmp_path / "input" / "res" / "r.conll").write_text("broken")
    done = corefmeter("codabench", "run", tmp_path / "input", tmp_path / "output", "--force")
    assert done.returncode == 3
    assert [path.name for path in (tmp_path / "output").iterdir()] == ["detailed_results.html"]


def test_nothing_is_replaced_unless_that_is_asked_for(tmp_path: Path) -> None:
    scaffolded(tmp_path, EXAMPLES / "key.conll")
    arguments = ("codabench", "scaffold", tmp_path / "task", "--key", EXAMPLES / "key.conll")
    again = corefmeter(*arguments)
    assert again.returncode == 3
    assert "file-exists" in again.stderr
    assert corefmeter(*arguments, "--force").returncode == 0


def test_a_function_cannot_be_in_a_bundle(tmp_path: Path) -> None:
    key = EXAMPLES / "key.conll"
    done = corefmeter("codabench", "scaffold", tmp_path / "task", "--key", key, "-m", "ceaf",
                      "--ceaf-similarity", "builtins:max")  # fmt: skip
    assert done.returncode == 2
    assert "ceaf_similarity: a function cannot be in a bundle" in done.stderr
    assert not (tmp_path / "task").exists()


def test_a_wheel_can_be_installed(tmp_path: Path) -> None:
    from corefmeter.wings.platforms.wheels import wheel_of

    name, data = wheel_of("corefmeter")
    (tmp_path / name).write_bytes(data)
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
         "--target", str(tmp_path / "there"), str(tmp_path / name)],
        check=True, capture_output=True,
    )  # fmt: skip
    assert (tmp_path / "there" / "corefmeter" / "reports" / "page" / "page.css").exists()


def test_folders_that_are_no_input_are_wrong_usage(tmp_path: Path) -> None:
    done = corefmeter("codabench", "run", tmp_path / "nowhere", tmp_path / "out")
    assert done.returncode == 2
    assert "give the folder that has ref and res" in done.stderr


COMPRESS = {"gz": gzip.compress, "xz": lzma.compress, "zst": zstd.compress}


@pytest.mark.parametrize("ending", COMPRESS)
@pytest.mark.parametrize("datasets", [False, True])
def test_a_compressed_key_is_decompressed_in_the_bundle(tmp_path, bare, ending, datasets):
    """The image may have no module for it; of the links half are right, and half of the found."""
    key = tmp_path / f"en.conll.{ending}"
    key.write_bytes(COMPRESS[ending](KEY.encode()))
    sample = tmp_path / (f"en.txt.{ending}" if datasets else f"sample.{ending}")
    sample.write_bytes(COMPRESS[ending](KEY.encode()))
    options = ["-m", "muc", "--sample", str(sample)] + ["--datasets"] * datasets
    task = scaffolded(tmp_path, key, *options)
    assert (tmp_path / "task/reference_data/en.conll").read_text() == KEY
    keys = [column["key"] for column in task["leaderboards"][0]["columns"]]
    assert keys == ["muc", "en_muc"][: 1 + datasets]
    app = handed_in(tmp_path, {"en.conll": RESPONSE})
    done = run_program(bare, app)
    assert done.returncode == 0, done.stderr
    assert json.loads((app / "output" / "scores.json").read_text())["muc"] == 50.0


def test_two_files_of_one_name_without_compression_are_refused(tmp_path):
    (tmp_path / "key").mkdir()
    (tmp_path / "key" / "en.conll").write_text(KEY)
    other = KEY.replace("(d)", "(e)")
    (tmp_path / "key" / "en.conll.gz").write_bytes(gzip.compress(other.encode()))
    done = corefmeter("codabench", "scaffold", tmp_path / "task", "--key", tmp_path / "key")
    assert done.returncode == 3
    assert "another file is called en.conll without compression [unreadable]" in done.stderr
    assert not (tmp_path / "task").exists()


@pytest.mark.parametrize("title", ["\U0001f600 caf\xe9", 'a\u2028b "c\\', "x\x85\x7fy"])
def test_a_title_of_any_characters_is_read_back_from_yaml(tmp_path, title):
    task = scaffolded(tmp_path, EXAMPLES / "key.conll", "-m", "muc", "--title", title)
    assert task["title"] == task["tasks"][0]["name"] == title


def test_a_title_that_is_not_utf8_is_wrong_usage(tmp_path):
    done = corefmeter(
        "codabench",
        "scaffold",
        tmp_path / "task",
        "--key",
        EXAMPLES / "key.conll",
        "--title",
        "\udcff",
    )
    assert done.returncode == 2
    assert "is not UTF-8" in done.stderr


@pytest.fixture(scope="module")
def zipped(tmp_path_factory):
    """All that the program needs, in one archive as zipapp makes it."""
    from corefmeter.wings.platforms.wheels import NEEDED, wheel_of

    path = tmp_path_factory.mktemp("zipped") / "all.pyz"
    with zipfile.ZipFile(path, "w") as whole:
        for name in NEEDED:
            with zipfile.ZipFile(io.BytesIO(wheel_of(name)[1])) as wheel:
                for entry in wheel.namelist():
                    whole.writestr(entry, wheel.read(entry))
        whole.writestr("__main__.py", "from corefmeter.cli.main import main\nmain()\n")
    return path


def contents(folder):
    """The names of the files in the wheels of a bundle, by wheel."""
    wheels = (folder / "scoring_program").glob("*.whl")
    return {path.name: sorted(zipfile.ZipFile(path).namelist()) for path in wheels}


def test_a_bundle_that_is_written_from_an_archive_has_the_same_wheels(tmp_path, bare, zipped):
    key = EXAMPLES / "key.conll"
    scaffolded(tmp_path, key, "-m", "muc")
    command = [bare, "-I", zipped, "codabench", "scaffold", tmp_path / "zipped", "--key", key]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(contents(tmp_path / "task")) == 4
    assert contents(tmp_path / "zipped") == contents(tmp_path / "task")


@pytest.mark.parametrize(
    ("missing", "said"), [("click-", "the distribution click"), ("jinja2/__init__", "jinja2")]
)
def test_a_wheel_without_code_is_not_written(tmp_path, bare, zipped, missing, said):
    """From an archive that was made by hand, and lacks a part."""
    part = tmp_path / "part.pyz"
    with zipfile.ZipFile(zipped) as whole, zipfile.ZipFile(part, "w") as archive:
        for entry in whole.namelist():
            if not entry.startswith(missing):
                archive.writestr(entry, whole.read(entry))
    key = EXAMPLES / "key.conll"
    command = [bare, "-I", part, "codabench", "scaffold", tmp_path / "task", "--key", key]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert said in done.stderr
    assert not (tmp_path / "task").exists()


@pytest.mark.parametrize("name", ["corefmeter", "click", "jinja2", "markupsafe"])
def test_a_wheel_has_the_license(name):
    from corefmeter.wings.platforms.wheels import wheel_of

    if not distribution(name).files:
        pytest.skip("installed without a list of files")
    with zipfile.ZipFile(io.BytesIO(wheel_of(name)[1])) as wheel:
        entries = [entry for entry in wheel.namelist() if ".dist-info/" in entry]
        texts = [wheel.read(entry).upper() for entry in entries if "LICENSE" in entry.upper()]
    assert any(b"WARRANT" in text for text in texts)


def test_the_trial_runs_the_bundle(tmp_path, monkeypatch):
    """A fault of the bundle alone is found before it is written: here a wheel is missing."""
    from corefmeter.wings.platforms import bundle

    monkeypatch.setattr(bundle, "NEEDED", ("corefmeter", "jinja2", "markupsafe"))
    done = run("codabench", "scaffold", tmp_path / "task", "--key", EXAMPLES / "key.conll")
    assert done.returncode == 3
    assert "the scoring program of the bundle wrote no scores" in done.stderr
    assert "No module named 'click'" in done.stderr
    assert not (tmp_path / "task").exists()


@pytest.mark.parametrize("names", [("Key", "key"), ("\xc5", "\u212b")])
def test_files_of_a_key_that_some_systems_take_for_one_are_refused(tmp_path, names):
    """Participants, or the organizer who unpacks the bundle, may have such a system."""
    (tmp_path / "key").mkdir()
    for name in names:
        (tmp_path / "key" / f"{name}.conll").write_text(KEY.replace("(d)", f"({name})"))
    done = run("codabench", "scaffold", tmp_path / "task", "--key", tmp_path / "key")
    assert done.returncode == 2
    assert "would be one file on some systems; rename one" in done.stderr
    assert not (tmp_path / "task").exists()
