"""``corefmeter ace KEY RESPONSE``"""

from __future__ import annotations

import click

from corefmeter.cli.help import FILE, Choice, command, option
from corefmeter.cli.options import (
    Output,
    formats_of,
    formats_option,
    named_paths,
    output_options,
    quiet_option,
    signature_option,
)
from corefmeter.corpus.pairing import DOCUMENTS
from corefmeter.formats import read_corpus
from corefmeter.problems import OptionError, Problem
from corefmeter.signature import check_version
from corefmeter.wings.traditions.metrics.ace import ace_corpora
from corefmeter.wings.traditions.metrics.ace_weights import TABLES, ace_options, weights_named
from corefmeter.wings.traditions.reports.ace import AceReport

#: The table of weights unless another is asked for.
_TABLE = "ace2005"

#: The heading of what is computed.
_COMPUTED = "What to compute"


@command(section="Score", short_help="Compute the ACE value of entities.")
@click.argument("key", type=FILE, metavar="KEY")
@click.argument("response", type=FILE, metavar="RESPONSE")
@option(
    "--weights",
    metavar="NAME",
    usual=_TABLE,
    group=_COMPUTED,
    help="Table of weights: " + ", ".join(TABLES) + ".",
)
@option(
    "--weight",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    group=_COMPUTED,
    help="Set a weight, such as type:PER=1, class:GEN=0.1, level:NOM=0.5, type_error=0.4. type:* "
    "sets all types without one. May be repeated.",
)
@option(
    "--documents",
    type=Choice(DOCUMENTS),
    usual=DOCUMENTS[0],
    group=_COMPUTED,
    help="How to treat documents that only the response has or that occur twice. The former are "
    "ignored, or all their entities are false alarms (strict). The latter are rejected, or joined "
    "(concatenate).",
)
@signature_option
@formats_option
@output_options
@quiet_option
def ace(
    key: str,
    response: str,
    source_formats: str | None,
    weights: str | None,
    settings: tuple[str, ...],
    documents: str | None,
    signature: str | None,
    output: Output,
) -> None:
    """Compute the ACE value, and the costs of misses, false alarms and errors.

    Entities of both sides are mapped one to one so that the total value is greatest. 100 is
    perfect, an empty response gets 0, and false alarms may lead to negative values. KEY and
    RESPONSE may have any format. Entity types, classes, mention levels and heads count if known.

    \b
    Examples:
      corefmeter ace key.apf.xml system.apf.xml
      corefmeter ace key/ system/ --weights ace2007 -f json
      corefmeter ace key.conllu system.conllu --weight 'type:*=1'
    """
    if signature is not None and weights:
        raise OptionError("--recipe and --weights both choose a table; use only one of them")
    table, policy = weights_named(weights or _TABLE), DOCUMENTS[0]
    noticed: list[Problem] = []
    if signature is not None:
        table, policy = ace_options(signature)
        noticed = check_version(signature, table.signature(documents=policy))
    table, documents = table.replace(settings), documents or policy
    (response,), (name,) = named_paths([response])
    key_format, response_format = formats_of(source_formats)
    keys = read_corpus(key, key_format, documents=documents, details=True)
    responses = read_corpus(
        response, response_format, documents=documents, details=True, side="response"
    )
    total, by_document, problems = ace_corpora(keys, responses, table, documents)
    problems = [*noticed, *keys.problems, *responses.problems, *problems]
    output.warn(problems)
    files = {"key": key, "response": response, **({} if name is None else {"name": name})}
    output.write(AceReport(files, total, by_document, problems))
