"""Clusters as lists of members, and tables in JSON, as columns of values."""

from __future__ import annotations

from typing import Any, NamedTuple

from corefmeter.formats.json_objects import Record, kind_of, objects
from corefmeter.formats.notes import Notes
from corefmeter.problems import amount
from corefmeter.wings.records.text import SEPARATORS, bad_table, open_text

#: The columns of clusters that are given as lists.
ITEM, CLUSTER = "item", "cluster"


class ColumnValues(NamedTuple):
    """The values of each column of a file, with None for a missing value.

    `unusable` has the reasons why columns can be neither item nor cluster. `note` describes how the
    file was read. `is_lists` is whether it has a list of members for each cluster.
    """

    columns: dict[str, list[Any]]
    unusable: dict[str, str]
    digest: str
    note: str
    is_lists: bool


def read_members(path: str) -> ColumnValues:
    """Read lists of members, one cluster on each line; refuse ambiguous separators."""
    with open_text(path) as source:
        text = b"".join(source.blocks()).decode()
        digest = source.digest
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        hint = "Write one cluster on each line."
        raise bad_table(path, "the file has no line with members", hint)
    present = [separator for separator in SEPARATORS if separator in text]
    if len(present) > 1:
        which = " or ".join(SEPARATORS[separator] for separator in present)
        hint = "Separate members by only one of them, which no member contains."
        raise bad_table(path, f"members may be separated by {which}", hint)
    separator = present[0] if present else None
    by = SEPARATORS[separator] if separator else "spaces"
    items: list[Any] = []
    clusters: list[Any] = []
    for number, line in lines:
        members = [member.strip() for member in line.split(separator)]
        is_quoted = '"' in line or line.lstrip()[0] in "[({<"
        is_spaced = separator is not None and len(members) == 1 and len(members[0].split()) > 1
        if is_quoted or is_spaced or not all(members):
            reason = f"not a list of members separated by {by}"
            hint = "Write members without quotes or brackets, none of them empty, with the same "
            hint += "separator on all lines."
            raise bad_table(path, reason, hint, number)
        items += members
        clusters += [str(number)] * len(members)
    note = f"read as lists of members, separated by {by}; {amount(len(lines), 'cluster')}"
    return ColumnValues({ITEM: items, CLUSTER: clusters}, {}, digest, note, True)


def read_json_table(path: str) -> ColumnValues:
    """Read JSON: an object for each row, or one object with a list of members for each cluster."""
    notes = Notes(path)
    with open_text(path) as source:
        records = list(objects(source, notes))
        digest = source.digest
    notes.finish()
    if not records:
        raise bad_table(path, "the file has no JSON object", "Write an object for each row.")
    if len(records) == 1 and all(isinstance(v, list) for v in records[0].values.values()):
        return _clusters(path, records[0], digest)
    names = dict.fromkeys(name for record in records for name in record.values)
    columns = {name: [record.values.get(name) for record in records] for name in names}
    unusable = {}
    for name, values in columns.items():
        if _common_type(values) is None:
            kinds = {kind_of(value) for value in values if value is not None}
            unusable[name] = f"holds {' and '.join(sorted(kinds))} in JSON"
            columns[name] = [None] * len(values)
    note = f"read as JSON objects, one for each row; {amount(len(records), 'row')}"
    return ColumnValues(columns, unusable, digest, note, False)


def _clusters(path: str, record: Record, digest: str) -> ColumnValues:
    items = [member for members in record.values.values() for member in members]
    clusters = [name for name, members in record.values.items() for _ in members]
    if _common_type(items) not in (str, int):
        message = "members of clusters are neither all strings nor all integers"
        hint = 'Write clusters in JSON as {"cluster": ["member", "member"]}.'
        raise bad_table(path, message, hint, record.line)
    note = f"read as JSON, a list of members for each cluster; {amount(len(items), 'member')}"
    return ColumnValues({ITEM: items, CLUSTER: clusters}, {}, digest, note, True)


def _common_type(values: list[Any]) -> type | None:
    """Return the type of the values in a column if they can be compared: str, int or float.

    None as a value is ignored. Return None for other or several types, and for integers of more
    than 64 bits.
    """
    present = [value for value in values if value is not None]
    for allowed in (str, int, float):
        if present and all(type(value) is allowed for value in present):
            is_wide = allowed is int and any(abs(value) >= 2**63 for value in present)
            return None if is_wide else allowed
    return None
