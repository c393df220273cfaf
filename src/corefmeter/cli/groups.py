"""Groups of documents, as ``--by`` names them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from corefmeter.formats.source import table_lines
from corefmeter.problems import OptionError, unknown
from corefmeter.units import GROUPS


def groups(names: Sequence[str]) -> list[tuple[str, str | dict[str, str]]]:
    """Return each group with its name; a file has two columns, document and group."""
    named: list[tuple[str, str | dict[str, str]]] = []
    for name in names:
        if name not in GROUPS and os.path.isfile(name):
            named.append((os.path.splitext(os.path.basename(name))[0], _read_groups(name)))
            continue
        if name not in GROUPS:
            _require_group(name)
        named.append((name, name))
    return named


def _read_groups(path: str) -> dict[str, str]:
    groups_of: dict[str, str] = {}
    for number, line in enumerate(table_lines(path), 1):
        if not line.strip():
            continue
        document, _, group = (cell.strip() for cell in line.partition("\t"))
        if "\t" not in line:
            what = "not two columns; write document, TAB, group on each line"
            raise OptionError(f"{path}:{number}: {what}")
        if groups_of.setdefault(document, group) != group:
            raise OptionError(f"{path}:{number}: {document!r} is in {groups_of[document]!r} too")
    return groups_of


def _require_group(name: str) -> None:
    """Refuse a group that documents of no format have."""
    from corefmeter.formats import in_order
    from corefmeter.mentions.features import FEATURES

    if name in FEATURES:
        what = f"{name!r} is a feature of mentions, not of documents"
        raise OptionError(f'{what}; "corefmeter errors --feature {name}" breaks down by it')
    if not any(name in format.groups for format in in_order()):
        raise unknown("group", name, [*GROUPS, "FILE"])
