"""Count what the command line asks of a reader: ``python -m tests.whole.counted``.

For each command: options that ``--help`` shows, lines of ``-h`` and of ``--help``, and lines of its
output with default options on ``examples/``, where it has one. Then the words of the README and of
the pages for users.
"""

from __future__ import annotations

import re
from pathlib import Path

import click

from corefmeter.cli.help import Option
from corefmeter.cli.main import program

from ..command import run

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

KEY, A, B = "key.conll", "system-a.conll", "system-b.conll"

#: What follows a command in ``examples/``.
ARGUMENTS = {
    "score": (KEY, A), "compare": (KEY, A, B), "errors": (KEY, A), "card": (KEY, A),
    "match": (KEY, A), "stats": (KEY,), "validate": (A,), "list": (), "ace": (KEY, A),
    "agree": (A, B), "merge": (A, B), "stitch": (KEY,), "conll-scorer": ("all", KEY, A, "none"),
    "lab damage": (KEY, "--kind", "split"), "lab experiment": (), "lab audit": ("-m", "b3"),
}  # fmt: skip


def leaves(command: click.Group = program, above: str = "") -> dict[str, click.Command]:
    """All commands that help lists, by what is typed; those of a group by two words."""
    found: dict[str, click.Command] = {}
    context = click.Context(command)
    for name in command.list_commands(context):
        one = command.get_command(context, name)
        if one is None or one.hidden:
            continue
        typed = f"{above} {name}".strip()
        if isinstance(one, click.Group):
            found |= leaves(one, typed)
            continue
        found[typed] = one
        if typed == "clusters":  # no group, since KEY may have the name of its command
            for below in ("estimate", "pairs"):
                found[f"clusters {below}"] = one.make_context("", [below, "KEY", "R"]).command
    return found


def options(command: click.Command) -> list[Option]:
    """The options that the help of a command shows."""
    return [one for one in command.params if isinstance(one, Option) and not one.hidden]


def user_pages() -> list[Path]:
    """The handwritten pages of the site that the navigation does not list for maintainers."""
    users, _ = (ROOT / "mkdocs.yml").read_text("utf-8").split("\n  - Maintainers:")
    pages = re.findall(r"- (?:[\w ]+: )?([\w/-]+\.md)$", users, re.M)
    return [ROOT / "docs" / page for page in pages if (ROOT / "docs" / page).exists()]


def words(page: Path) -> int:
    """The words of a page in its text and tables, without code and keywords."""
    unseen = r"^( *)```.*?^\1```$|<!--.*?-->|\A---.*?^---$"
    text = re.sub(unseen, "", page.read_text("utf-8"), flags=re.M | re.S)
    return sum(bool(re.search(r"\w", word)) for word in text.split())


if __name__ == "__main__":
    print(f"{'':18} options  -h  --help  output")
    for name, command in leaves().items():
        pages = [run(*name.split(), page).stdout.count("\n") for page in ("-h", "--help")]
        given = ARGUMENTS.get(name)
        output = "" if given is None else run(*name.split(), *given, folder=EXAMPLES).stdout
        lines = "–" if given is None else output.count("\n")
        print(f"{name:18} {len(options(command)):7} {pages[0]:3} {pages[1]:7} {lines:>7}")
    print(f"{'all':18} {sum(len(options(one)) for one in leaves().values()):7}")
    pages = sum(map(words, user_pages()))
    print(f"\nwords: README {words(ROOT / 'README.md')}, user pages {pages}")
