"""Every change has a fragment that says whether numbers move; a release gathers them."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from corefmeter import __version__

ROOT = Path(__file__).parents[1]

_spec = importlib.util.spec_from_file_location("gather", ROOT / "changes" / "gather.py")
gather = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(gather)


def test_all_fragments_are_well_formed():
    gather.fragments(ROOT / "changes")


def test_a_fragment_is_read():
    assert gather.parsed("Score changes: none\n") == (None, {})
    text = "Score changes: MUC of x:\n1 → 2\n\n### Added\n\n- One.\n\n### Fixed\n- Two\n  of it.\n"
    assert gather.parsed(text) == (
        "MUC of x:\n1 → 2", {"Added": "- One.", "Fixed": "- Two\n  of it."}
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the first line must be"),
        ("### Added\n- One.\n", "the first line must be"),
        ("Score changes:\n", "the first line must be"),
        ("score changes: none\n", "the first line must be"),
        ("Score changes: none\n\nmore text\n", "the first line must be"),
        ("Score changes: none\n\n### New\n- One.\n", "'### New' is none of Added"),
        ("Score changes: none\n\n### Added\nOne.\n", "there is no list"),
    ],
)
def test_what_is_not_well_formed_is_refused(text, message, tmp_path):
    (tmp_path / "mine.md").write_text(text)
    with pytest.raises(ValueError, match=f"^mine.md: .*{message}"):
        gather.fragments(tmp_path)


def test_a_release_gathers_what_is_unreleased_and_the_fragments(tmp_path):
    history = (
        "# Changelog\n\n## Unreleased\n\n### Score changes\n\n- Old.\n\n### Added\n\n- One.\n\n"
        "## 0.1.0, 2026-01-01\n\n### Added\n\n- First.\n"
    )
    (tmp_path / "a.md").write_text(
        "Score changes: BLANC moves,\na little.\n\n### Fixed\n\n- Three.\n"
    )
    (tmp_path / "b.md").write_text("Score changes: none\n\n### Added\n\n- Two.\n")
    found = gather.fragments(tmp_path)
    after = (
        "# Changelog\n\n## Unreleased\n\n## 0.2.0, 2026-02-03\n\n### Score changes\n\n- Old.\n"
        "- BLANC moves,\n  a little.\n\n### Added\n\n- One.\n- Two.\n\n### Fixed\n\n- Three.\n\n"
        "## 0.1.0, 2026-01-01\n\n### Added\n\n- First.\n"
    )
    assert gather.gathered(history, found, "0.2.0", "2026-02-03") == after
    assert "## 0.3.0, x\n\n### Fixed\n" in gather.gathered(
        after, {"c": gather.parsed("Score changes: none\n### Fixed\n- Four.\n")}, "0.3.0", "x"
    )


def test_what_is_announced_is_in_fragments_and_in_the_changelog(tmp_path):
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "a.md").write_text("Score changes: one\n\n### Added\n- two\n")
    (tmp_path / "CHANGELOG.md").write_text("## 1\n### Score changes\n- three\n### Added\n- four\n")
    words = gather.announced(tmp_path).split()
    assert [word for word in ("one", "two", "three", "four") if word in words] == ["one", "three"]


def test_pages_print_the_version():
    printed = {page: gather.PRINTED.findall(page.read_text("utf-8")) for page in gather.pages(ROOT)}
    assert sum(map(len, printed.values())) >= 7
    for page, versions in printed.items():
        assert {*versions} <= {__version__}, page


def test_setting_the_version_changes_nothing_else(tmp_path):
    (tmp_path / "docs" / "a").mkdir(parents=True)
    (tmp_path / "src" / "corefmeter").mkdir(parents=True)
    code = tmp_path / gather.VERSION
    code.write_text('"""Python 3.1."""\n\n__version__ = "3.1"\n')
    (tmp_path / "README.md").write_text("of 3.1: 'corefmeter:3.1|metrics:lea' and `corefmeter:…`")
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2\nversion: 3.1\n")
    (tmp_path / "docs" / "a" / "b.md").write_text('{"schema": 1, "version": "3.1.dev4"}')
    gather.set_version(tmp_path, "3.2.dev1")
    assert code.read_text() == '"""Python 3.1."""\n\n__version__ = "3.2.dev1"\n'
    assert [page.read_text() for page in gather.pages(tmp_path)] == [
        "of 3.1: 'corefmeter:3.2.dev1|metrics:lea' and `corefmeter:…`",
        "cff-version: 1.2\nversion: 3.2.dev1\n",
        '{"schema": 1, "version": "3.2.dev1"}',
    ]


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
@pytest.mark.parametrize(
    ("old", "new", "version", "named"),
    [
        (None, "none", "1.dev1", []),
        (None, "MUC 1 → 2", "1.dev1", ["changes/x.md"]),
        (None, "MUC 1 → 2", "1.dev2", []),
        ("none", "MUC 1 → 2", "1.dev1", ["changes/x.md"]),
        ("MUC 1 → 2", "MUC 1 → 2", "1.dev1", []),
        ("MUC 1 → 2", "MUC 1 → 2, B³ 2 → 3", "1.dev1", ["changes/x.md"]),
        ("MUC 1 → 2", "none", "1.dev1", []),
    ],
)
def test_a_score_change_moves_the_version(old, new, version, named, tmp_path, monkeypatch):
    monkeypatch.setattr(gather, "ROOT", tmp_path)

    def git(*arguments: str) -> None:
        who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    def write(scores: str | None, version: str) -> None:
        (tmp_path / gather.VERSION).write_text(f'__version__ = "{version}"\n')
        if scores:
            (tmp_path / "changes" / "x.md").write_text(f"Score changes: {scores}\n")
        git("add", ".")
        git("commit", "--allow-empty", "-m", "x")

    (tmp_path / "changes").mkdir()
    (tmp_path / "src" / "corefmeter").mkdir(parents=True)
    git("init", "-b", "main")
    write(old, "1.dev1")
    git("checkout", "-b", "mine")
    write(new, version)
    assert gather.unmoved("main") == named
    # What the branch gets afterwards is not part of this change.
    git("checkout", "main")
    write(None, "1.dev3")
    git("checkout", "mine")
    assert gather.unmoved("main") == named
