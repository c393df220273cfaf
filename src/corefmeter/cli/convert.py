"""``corefmeter convert IN OUT``"""

from __future__ import annotations

import sys

import click

from corefmeter.cli.options import force_option


@click.command(
    short_help="Convert files from one format to another.",
    epilog="Exit status: 0 done, also if something could not be written, which is told; 2 wrong "
    "usage; 3 data that cannot be read.",
)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--to", "target_format", metavar="FORMAT",
    help="Format of OUT; by default known from the ending of its name.",
)  # fmt: skip
@click.option("--from", "source_format", metavar="FORMAT", help="Format of IN, if not recognised.")
@click.option(
    "--hull", is_flag=True,
    help="Fill the gaps of mentions where the format cannot hold gaps; otherwise such mentions "
    "are left out.",
)  # fmt: skip
@click.option(
    "--documents", type=click.Choice(["official", "concatenate"]), default="official",
    show_default=True, help="concatenate joins documents of the same name.",
)  # fmt: skip
@click.option(
    "--side", type=click.Choice(["key", "response"]), default="key", show_default=True,
    help="Which of the two to read from a file that holds both.",
)  # fmt: skip
@force_option
@click.option("--quiet", is_flag=True, help="Tell nothing about what could not be written.")
def convert(
    source: str,
    target: str,
    target_format: str | None,
    source_format: str | None,
    hull: bool,
    documents: str,
    side: str,
    force: bool,
    quiet: bool,
) -> None:
    """Convert IN, a file, directory or glob in any format, to OUT.

    OUT is a file, or - for standard output. If it is a directory that exists, or ends in a slash,
    each document becomes a file in it. Words, parts of speech, parses and what is known about
    mentions are kept where both formats have them. All that is lost is told, with its number.

    \b
    Examples:
      corefmeter convert key.conllu key.conll --hull
      corefmeter convert letter.webannotsv letter.conllua
      corefmeter convert key.conll folder/ --to webanno
    """
    from corefmeter.formats import read_corpus
    from corefmeter.formats.conversion import convert_corpus, format_by_ending, write_files
    from corefmeter.reports import write_warnings

    name = target_format or format_by_ending(target)
    corpus = read_corpus(
        source, source_format, concatenate=documents == "concatenate", details=True, side=side
    )
    if not quiet:
        write_warnings(corpus.problems, sys.stderr)
    corpus, lost = convert_corpus(corpus, name, hull=hull)
    lost += write_files(corpus, name, target, force)
    if not quiet:
        for problem in lost:
            click.echo(str(problem), err=True)
