"""Every change has a fragment that says whether numbers move; a release gathers them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

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
