"""``corefmeter conll-scorer METRIC KEY RESPONSE [NAME]``: in place of the Perl scorer v8.01.

Standard output is that of v8.01, to the byte. Exit statuses are our own, because v8.01 ends with 0
even when the metric is unknown, and with a number of the operating system when it dies.
"""

from __future__ import annotations

import os
import sys

import click

from corefmeter.cli.help import FILE, command, option
from corefmeter.cli.options import INPUT
from corefmeter.formats.source import record_input
from corefmeter.wings.traditions.reports.conll_v801 import RefusedError, write


@command(
    section="Score",
    short_help="Print the output of the official Perl scorer v8.01.",
    epilog="Exit status: 0 done; 1 refused, for more than ten repeated mentions; 2 unknown metric "
    "or wrong usage; 3 data that cannot be scored.",
)
@click.argument("metric", metavar="METRIC")
@click.argument("key", type=FILE, metavar="KEY")
@click.argument("response", type=FILE, metavar="RESPONSE")
@click.argument("name", metavar="[NAME|none]", required=False)
@option(
    "--numeric-ids",
    is_flag=True,
    group=INPUT,
    help="Read ids such as e36772 as numbers. v8.01 reads digits only, and stops at other ids.",
)
def conll_scorer(metric: str, key: str, response: str, name: str | None, numeric_ids: bool) -> int:
    """Print the output of the official Perl scorer v8.01, for scripts that parse it.

    METRIC is muc, bcub, ceafm, ceafe, blanc, lea, or all (which leaves out lea). KEY and RESPONSE
    are CoNLL files. NAME is the rest of the header line of the only document to score, or none for
    totals only.

    Files are read with all quirks of v8.01. The output names no file, so NAME=FILE is not accepted.
    For any other purpose, use "corefmeter score".

    \b
    Examples:
      corefmeter conll-scorer all key.conll response.conll none
      corefmeter conll-scorer ceafe key.conll response.conll
      corefmeter conll-scorer muc key.conll response.conll "(wsj_0003); part 000"
    """
    encoded = None if name is None else os.fsencode(name)
    for path in (key, response):
        record_input(path)  # refused before v8.01's first line is written, which is before it reads
    try:
        write(metric, key, response, encoded, sys.stdout.buffer, numeric_ids)
    except RefusedError as error:
        click.echo(str(error), err=True)
        return 1
    return 0
