"""Fragments of the changelog: ``check`` them, or ``gather`` them into CHANGELOG.md at a release.

Every change comes with a file ``changes/NAME.md``::

    Score changes: none

    ### Fixed

    - What a user notices, in a line or a few.

The first line is mandatory: ``none``, or which number moves for whom, and why. Then comes a list
under each of the headings of `HEADINGS` that applies; a change that nobody notices has none.

A change after which a number can differ also moves the version, which signatures and JSON carry.

    python changes/gather.py check [BASE]          # well-formed, complete, and the version moved?
    python changes/gather.py version 0.2.0.dev2    # set the version in the code and in the docs
    python changes/gather.py gather 0.2.0          # at a release, then commit
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SCORES = "Score changes"
HEADINGS = ("Added", "Changed", "Fixed", "Removed")
VERSION = "src/corefmeter/_version.py"

#: How pages print the version: in a signature, in JSON, and in the citation.
PRINTED = re.compile(
    r'(?<=corefmeter:)\d[\w.]*(?=\|)|(?<="version": ")\d[^"]*|(?<=^version: ).*', re.M
)


class Fragment(NamedTuple):
    """What a fragment says: its score changes, or None, and a list under each heading."""

    scores: str | None
    lists: dict[str, str]


def parsed(text: str) -> Fragment:
    """The fragment, or a `ValueError` that says what is wrong."""
    first, *sections = re.split(r"^### ", text, flags=re.M)
    found = re.fullmatch(rf"{SCORES}: (\S.*)", first.strip(), re.S)
    if found is None or "\n\n" in found[1]:
        raise ValueError(f"the first line must be '{SCORES}: none' or '{SCORES}: what moves'")
    lists = {}
    for section in sections:
        heading, _, body = section.partition("\n")
        if heading.strip() not in HEADINGS:
            raise ValueError(f"'### {heading}' is none of {', '.join(HEADINGS)}")
        if not re.match(r"- \S", body.strip()):
            raise ValueError(f"below '### {heading}' there is no list")
        lists[heading.strip()] = body.strip()
    return Fragment(None if found[1] == "none" else found[1], lists)


def fragments(folder: Path) -> dict[str, Fragment]:
    """All fragments by name; a `ValueError` names those that are wrong."""
    found, wrong = {}, []
    for path in sorted(folder.glob("*.md")):
        try:
            found[path.stem] = parsed(path.read_text("utf-8"))
        except ValueError as error:
            wrong.append(f"{path.name}: {error}")
    if wrong:
        raise ValueError("\n".join(wrong))
    return found


def announced(root: Path) -> str:
    """All that fragments and the changelog say of numbers that moved."""
    history = (root / "CHANGELOG.md").read_text("utf-8")
    past = re.findall(rf"^### {SCORES}\n(.+?)(?=^##|\Z)", history, re.M | re.S)
    return "\n".join([*(f.scores or "" for f in fragments(root / "changes").values()), *past])


def gathered(history: str, found: dict[str, Fragment], version: str, date: str) -> str:
    """The changelog with what is unreleased, and the fragments, under the heading of a version."""
    before, mark, rest = history.partition("## Unreleased\n")
    if not mark:
        raise ValueError("CHANGELOG.md has no heading '## Unreleased'")
    unreleased, older = re.fullmatch(r"(.*?)(^## .*)?", rest, re.M | re.S).groups()
    lists: dict[str, list[str]] = {heading: [] for heading in (SCORES, *HEADINGS)}
    _, *sections = re.split(r"^### ", unreleased, flags=re.M)
    for section in sections:
        heading, _, body = section.partition("\n")
        lists.setdefault(heading.strip(), []).append(body.strip())
    for fragment in found.values():
        if fragment.scores:
            lists[SCORES].append("- " + fragment.scores.replace("\n", "\n  "))
        for heading, body in fragment.lists.items():
            lists[heading].append(body)
    parts = [f"### {heading}\n\n" + "\n".join(texts) for heading, texts in lists.items() if texts]
    release = "\n\n".join([f"## {version}, {date}", *parts])
    return f"{before}{mark}\n{release}\n" + (f"\n{older}" if older else "")


def lacking(base: str) -> list[str]:
    """Files of the package that differ from a commit, if no fragment does; without git, none."""
    listed = subprocess.run(
        ["git", "diff", "--name-only", "--merge-base", base, "--", "src", "changes"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    files = listed.stdout.split() if listed.returncode == 0 else []
    return [] if any(re.fullmatch(r"changes/.+\.md", file) for file in files) else files


def unmoved(base: str) -> list[str]:
    """Return the fragments with new score changes if the version is still that of a commit."""
    old = _at(base, VERSION)
    if old is None or version_of(old) != version_of((ROOT / VERSION).read_text("utf-8")):
        return []
    found = {name: fragment.scores for name, fragment in fragments(ROOT / "changes").items()}
    return [
        f"changes/{name}.md"
        for name, scores in found.items()
        if scores and scores != _scores(_at(base, f"changes/{name}.md"))
    ]


def _scores(text: str | None) -> str | None:
    """Return the score changes of a fragment that may be absent."""
    return None if text is None else parsed(text).scores


def _at(base: str, file: str) -> str | None:
    """Return a file as it is where this change left a branch; None without it, or without git."""
    fork = subprocess.run(
        ["git", "merge-base", base, "HEAD"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    shown = subprocess.run(
        ["git", "show", f"{fork.stdout.strip()}:{file}"],
        cwd=ROOT, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    return shown.stdout if fork.returncode == shown.returncode == 0 else None


def version_of(code: str) -> str:
    """Return the version that the code of `VERSION` sets."""
    return re.findall(r'^__version__ = "(.+)"$', code, re.M)[0]


def pages(root: Path) -> list[Path]:
    """Return the files beside the code that print the version."""
    return [root / "README.md", root / "CITATION.cff", *sorted((root / "docs").rglob("*.md"))]


def set_version(root: Path, version: str) -> None:
    """Write a version into the code and into all pages."""
    code = root / VERSION
    text = code.read_text("utf-8")
    code.write_text(text.replace(f'"{version_of(text)}"', f'"{version}"'), "utf-8")
    for page in pages(root):
        page.write_text(PRINTED.sub(version, page.read_text("utf-8")), "utf-8")


def main() -> None:
    """Check or gather."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check")
    check.add_argument("base", nargs="?", default="main", help="the branch this change is for")
    commands.add_parser("version").add_argument("version")
    commands.add_parser("gather").add_argument("version")
    options = parser.parse_args()
    try:
        found = fragments(ROOT / "changes")
    except ValueError as error:
        sys.exit(str(error))
    if options.command == "check":
        if files := lacking(options.base):
            sys.exit(f"no file in changes/ says what this change is: {', '.join(files)}")
        if files := unmoved(options.base):
            sys.exit(
                f"numbers change, so the version must differ from that of {options.base}: "
                f"{', '.join(files)}; run python changes/gather.py version NEW"
            )
        print(f"{len(found)} fragments, all well-formed")
        return
    set_version(ROOT, options.version)
    if options.command == "version":
        return
    path = ROOT / "CHANGELOG.md"
    today = datetime.date.today().isoformat()
    path.write_text(gathered(path.read_text("utf-8"), found, options.version, today), "utf-8")
    for name in found:
        (ROOT / "changes" / f"{name}.md").unlink()


if __name__ == "__main__":
    main()
