"""``corefmeter ace KEY RESPONSE``"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from typing import IO

import click

from corefmeter.cli.help import FILE, command, option
from corefmeter.cli.options import (
    formats_of,
    formats_option,
    named,
    output_in,
    quiet_option,
    signature_option,
)
from corefmeter.corpus.pairing import DOCUMENTS
from corefmeter.formats.output import opened
from corefmeter.problems import OptionError, Problem
from corefmeter.reading import read
from corefmeter.reports import write_warnings
from corefmeter.reports.simple import write_tables
from corefmeter.reports.tables import Table
from corefmeter.signature import check_version
from corefmeter.traditions.metrics.ace import ace_corpora
from corefmeter.traditions.metrics.ace_costs import AceValue, Costs
from corefmeter.traditions.metrics.ace_weights import TABLES, AceWeights, ace_options, weights_named

#: The version of the JSON.
SCHEMA = 1

#: The table of weights unless another is asked for.
_TABLE = "ace2005"

#: The heading of what is computed.
_COMPUTED = "What to compute"

_COUNTS = ("key", "response", "missed", "false_alarms", "errors")
_COSTS = ("worth", "miss", "false_alarm", "error")


@command(short_help="Compute the ACE value: what entities are worth, by type and level.")
@click.argument("key", type=FILE, metavar="KEY")
@click.argument("response", type=FILE, metavar="RESPONSE")
@option(
    "--weights", metavar="NAME", usual=_TABLE, group=_COMPUTED,
    help="The table of weights: " + ", ".join(TABLES) + ".",
)  # fmt: skip
@option(
    "--weight", "settings", metavar="NAME=VALUE", multiple=True, group=_COMPUTED,
    help="Another weight, as type:PER=1, class:GEN=0.1, level:NOM=0.5, type_error=0.4. type:* "
    "stands for all types that have none. May be repeated.",
)  # fmt: skip
@option(
    "--documents", type=click.Choice(DOCUMENTS), usual=DOCUMENTS[0], group=_COMPUTED,
    help="Documents that only the response has, or that occur twice. The first are ignored, or all "
    "their entities are false alarms (strict); the second are refused, or joined (concatenate).",
)  # fmt: skip
@signature_option
@formats_option
@output_in("text", "json", "csv")
@quiet_option
def ace(
    key: str,
    response: str,
    source_formats: str | None,
    weights: str | None,
    settings: tuple[str, ...],
    documents: str | None,
    signature: str | None,
    format: str,
    output: str | None,
    quiet: bool,
) -> None:
    """Compute the ACE value, and what misses, false alarms and errors cost.

    Entities of both sides are mapped one to one so that the total value is greatest. 100 is
    perfect, an empty response gets 0, and false alarms may bring it below. KEY and RESPONSE are of
    any format; entity types, classes, mention levels and heads count as far as they are known.

    \b
    Examples:
      corefmeter ace key.apf.xml system.apf.xml
      corefmeter ace key/ system/ --weights ace2007 -f json
      corefmeter ace key.conllu system.conllu --weight 'type:*=1'
    """
    table, documents, noticed = _options(signature, weights, settings, documents)
    (response,), (name,) = named([response])
    if key == response == "-":
        raise OptionError("only one of the files can be standard input")
    of_key, of_response = formats_of(source_formats)
    sides = [
        read(key, of_key, documents=documents, details=True),
        read(response, of_response, documents=documents, details=True, side="response"),
    ]
    total, by_document, problems = ace_corpora(sides[0], sides[1], table, documents)
    problems = [*noticed, *sides[0].problems, *sides[1].problems, *problems]
    if not quiet:
        write_warnings(problems, sys.stderr)
    with opened(output) as stream:
        if format == "json":
            _write_json(key, response, name, total, by_document, problems, stream)
        elif format == "csv":
            _write_csv(total, by_document, stream)
        else:
            write_tables(
                _tables(total),
                _notes(total),
                "text",
                stream,
                total.signature,
                ("ace", "KEY RESPONSE"),
            )


def _options(
    signature: str | None, weights: str | None, settings: tuple[str, ...], documents: str | None
) -> tuple[AceWeights, str, list[Problem]]:
    """The weights and the policy of a command line: of the signature, with what was given.

    And the warning that another version printed the signature.
    """
    noticed: list[Problem] = []
    if signature and weights:
        raise OptionError("--recipe and --weights both choose a table; give one of them")
    table, policy = weights_named(weights or _TABLE), DOCUMENTS[0]
    if signature:
        table, policy = ace_options(signature)
        noticed = check_version(signature, table.signature(documents=policy))
    return table.but(settings), documents or policy, noticed


def _write_json(
    key: str,
    response: str,
    name: str | None,
    total: AceValue,
    by_document: list[tuple[str, AceValue]],
    problems: list[Problem],
    stream: IO[str],
) -> None:
    """Write everything as one JSON object."""
    values = {
        "schema": SCHEMA,
        "signature": total.signature,
        "key": key,
        "response": response,
        **({} if name is None else {"name": name}),
        "weights": total.weights.to_dict(),
        **total.to_dict(),
        "by_document": {
            document: {
                **value.entities.to_dict(),
                "pairs": [[k, r, score] for _, k, r, score in value.pairs],
            }
            for document, value in by_document
        },
        "problems": [problem.to_dict() for problem in problems],
    }
    stream.write(json.dumps(values, ensure_ascii=False, allow_nan=False) + "\n")


def _write_csv(total: AceValue, by_document: list[tuple[str, AceValue]], stream: IO[str]) -> None:
    """Write one row for each group, with unrounded numbers."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["group", "name", *_COUNTS, *_COSTS, "value", "signature"])
    rows = [*_groups(total), *(("document", name, v.entities) for name, v in by_document)]
    for group, name, costs in rows:
        values = costs.to_dict()
        numbers = [values[column] for column in (*_COUNTS, *_COSTS, "value")]
        cells = ("" if number is None else number for number in numbers)
        writer.writerow([group, name, *cells, total.signature])


def _groups(total: AceValue) -> Iterator[tuple[str, str, Costs]]:
    """Every group of entities and mentions with its name."""
    yield "entities", "all", total.entities
    for group, tally in (
        ("entity type", total.by_type),
        ("entity class", total.by_class),
        ("entity level", total.by_level),
    ):
        for name, costs in tally.items():
            yield group, name, costs
    yield "mentions", "all", total.mentions
    for name, costs in total.mentions_by_level.items():
        yield "mention level", name, costs


def _tables(total: AceValue) -> list[Table]:
    """The tables of the report, each with its total."""
    entities = total.entities
    tables = [
        _table("Entities by type", "type", total.by_type, entities),
        _table("Entities by level", "level", total.by_level, entities),
        _table("Entities by class", "class", total.by_class, entities),
        _table("Mentions by level", "level", total.mentions_by_level, total.mentions),
    ]
    return [table for table in tables if len(table.rows) > 1 or table is tables[0]]


def _table(caption: str, name: str, tally: dict[str, Costs], total: Costs) -> Table:
    """Counts, then costs in percent of what the group is worth, then its value."""
    header = [name, "key", "resp", "FA", "miss", "err", "FA", "miss", "err", "value"]
    table = Table(header, spans=[("count", 5), ("cost in %", 3), ("%", 1)], caption=caption)
    for label, costs in [*tally.items(), ("total", total)]:
        counts = (costs.key, costs.response, costs.false_alarms, costs.missed, costs.errors)
        shares = [costs.percent(cost) for cost in (costs.false_alarm, costs.miss, costs.error)]
        table.rows.append([label, *map(str, counts), *map(_cell, [*shares, costs.value])])
    return table


def _cell(value: float) -> str:
    return "n/a" if value != value else f"{value:.1f}"


def _notes(total: AceValue) -> list[str]:
    plural = "" if total.documents == 1 else "s"
    value = _cell(total.value)
    return [
        f"ACE value {value} over {total.documents} document{plural}; weights {total.weights.name}",
        "value = 100 - false alarms - misses - errors, of what the key's are worth",
    ]
