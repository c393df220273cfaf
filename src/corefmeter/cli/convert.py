"""``corefmeter convert IN OUT``"""

from __future__ import annotations

import sys

import click

from corefmeter.cli.help import FILE, command
from corefmeter.cli.options import force_option, write_option
from corefmeter.cli.sources import side_option, source_options, target_format_option


@command(
    epilog="Exit status: 0 done (losses are reported); 2 wrong usage; 3 data that cannot be read.",
)
@click.argument("source", type=FILE, metavar="IN")
@click.argument("target", type=FILE, metavar="OUT")
@source_options
@side_option
@target_format_option
@write_option(
    "--hull",
    is_flag=True,
    help="Fill gaps in mentions if the format does not support them. Otherwise such mentions are "
    "left out.",
)
@write_option(
    "--numeric-ids",
    is_flag=True,
    help="Replace entity names by numbers, the same in all documents. In CoNLL files, the scorer "
    "v8.01 reads only numbers.",
)
@force_option
@write_option("--quiet", is_flag=True, help="Do not report what could not be written.")
def convert(
    source: str,
    target: str,
    target_format: str | None,
    source_format: str | None,
    hull: bool,
    numeric_ids: bool,
    documents: str,
    identity: str | None,
    side: str,
    force: bool,
    quiet: bool,
) -> None:
    """Convert IN, a file, directory or glob in any format, to OUT.

    OUT is a file, or - for standard output. If it is a directory that exists, or ends in a slash,
    each document becomes a file in it. Annotation that both formats support is kept, such as words,
    parts of speech, parses, and types of mentions. Losses are reported with their number.

    \b
    Examples:
      corefmeter convert key.conllu key.conll --hull
      corefmeter convert letter.webannotsv letter.conllua
      corefmeter convert key.conll folder/ --to webanno
    """
    from corefmeter.formats import conversion, read_corpus
    from corefmeter.reading import require_identity
    from corefmeter.reports import write_warnings

    name = target_format or conversion.format_by_ending(target)
    corpus = read_corpus(
        source, source_format, documents=documents, details=True, side=side, identity=identity
    )
    require_identity(identity, [corpus.format])
    if not quiet:
        write_warnings(corpus.problems, sys.stderr, '; "corefmeter validate" lists all')
    if numeric_ids:
        corpus = conversion.with_numeric_ids(corpus)
    corpus, lost = conversion.convert_corpus(corpus, name, hull=hull)
    lost += conversion.write_files(corpus, name, target, force)
    if not quiet:
        for problem in lost:
            click.echo(str(problem), err=True)
