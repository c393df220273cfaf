"""Clusters as lists of members, and tables in JSON, as columns of values."""

from __future__ import annotations

from typing import Any, NamedTuple

from corefmeter.formats.json_objects import Record, kind_of, objects
from corefmeter.formats.notes import Notes
from corefmeter.problems import amount
from corefmeter.wings.records.text import SEPARATORS, bad_table, text_of

#: The columns of clusters that are given as lists.
ITEM, CLUSTER = "item", "cluster"


class Listed(NamedTuple):
    """The columns of a file, row by row, with None for a missing value.

    `unusable` has the reason why a column can be neither item nor cluster, `note` how the file was
    read; `is_lists` whether it has a list of members for each cluster.
    """

    columns: dict[str, list[Any]]
    unusable: dict[str, str]
    digest: str
    note: str
    is_lists: bool


def members_of(path: str) -> Listed:
    """Read lists of members, one cluster a line; refuse unclear separators and empty members."""
    with text_of(path) as source:
        text = b"".join(source.blocks()).decode()
        digest = source.digest
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise bad_table(path, "the file has no line with members", "Give one cluster a line.")
    present = [separator for separator in SEPARATORS if separator in text]
    if len(present) > 1:
        which = " or ".join(SEPARATORS[separator] for separator in present)
        hint = "Separate members by one of them, which no member holds."
        raise bad_table(path, f"members may be separated by {which}", hint)
    separator = present[0] if present else None
    items: list[Any] = []
    clusters: list[Any] = []
    for number, line in lines:
        if '"' in line or line.lstrip()[0] in "[({<":
            hint = "Write members without quotes or brackets, one cluster a line."
            raise bad_table(path, "quotes or brackets in a list of members", hint, number)
        members = [member.strip() for member in line.split(separator)]
        if not all(members):
            raise bad_table(path, "an empty member", "Remove a separator.", number)
        if separator and len(members) == 1 and len(members[0].split()) > 1:
            message = (
                f"members are separated by {SEPARATORS[separator]} elsewhere, but here by spaces"
            )
            raise bad_table(path, message, "Separate all of them alike.", number)
        items += members
        clusters += [str(number)] * len(members)
    by = SEPARATORS[separator] if separator else "spaces"
    note = f"read as lists of members, separated by {by}; {amount(len(lines), 'cluster')}"
    return Listed({ITEM: items, CLUSTER: clusters}, {}, digest, note, True)


def table_of_json(path: str) -> Listed:
    """Read JSON: objects that are rows, or one object with a list of members for each cluster."""
    notes = Notes(path)
    with text_of(path) as source:
        records = list(objects(source, notes))
        digest = source.digest
    notes.finish()
    if not records:
        raise bad_table(path, "the file has no JSON object", "Give a row in each object.")
    if len(records) == 1 and all(isinstance(one, list) for one in records[0].values.values()):
        return _clusters(path, records[0], digest)
    names = dict.fromkeys(name for record in records for name in record.values)
    columns = {name: [record.values.get(name) for record in records] for name in names}
    unusable = {}
    for name, values in columns.items():
        if _kind(values) is None:
            kinds = {kind_of(value) for value in values if value is not None}
            unusable[name] = f"holds {' and '.join(sorted(kinds))} in JSON"
            columns[name] = [None] * len(values)
    note = f"read as JSON objects, one for each row; {amount(len(records), 'row')}"
    return Listed(columns, unusable, digest, note, False)


def _clusters(path: str, record: Record, digest: str) -> Listed:
    items = [member for members in record.values.values() for member in members]
    clusters = [name for name, members in record.values.items() for _ in members]
    if _kind(items) not in (str, int):
        message = "members of clusters are neither all strings nor all integers"
        hint = 'Clusters in JSON are {"cluster": ["member", "member"]}.'
        raise bad_table(path, message, hint, record.line)
    note = f"read as JSON, a list of members for each cluster; {amount(len(items), 'member')}"
    return Listed({ITEM: items, CLUSTER: clusters}, {}, digest, note, True)


def _kind(values: list[Any]) -> type | None:
    """Return the only type of the values in a column, except None; None if not usable as keys.

    Usable are texts, floats, and integers of 64 bits.
    """
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    if kind is int and any(value is not None and abs(value) >= 2**63 for value in values):
        return None
    return kind if kind in (str, int, float) else None
