"""``corefmeter stitch PIECES…``"""

from __future__ import annotations

import click

from corefmeter.cli.help import FILE, command, option
from corefmeter.cli.options import INPUT, Output, force_option, output_options, quiet_option
from corefmeter.cli.sources import identity_option, source_format_option, written_options


@command(section="Files", short_help="Join windows of long texts into one document.")
@click.argument("files", type=FILE, metavar="PIECES…", nargs=-1, required=True)
@option(
    "--overlap",
    type=click.IntRange(0),
    metavar="N",
    group=INPUT,
    help="Each piece begins N tokens before the end of the previous one, unless its name gives "
    "the position (default: find the overlap by words).",
)
@option(
    "--name",
    metavar="NAME",
    group=INPUT,
    help="Name of the joined document if the names of its pieces differ.",
)
@option(
    "--key",
    type=FILE,
    metavar="KEY",
    group="How entities are joined",
    help="Join entities as in this key, which is the best possible stitching.",
)
@source_format_option
@identity_option
@written_options("the document")
@force_option
@output_options
@quiet_option
def stitch(
    files: tuple[str, ...],
    overlap: int | None,
    name: str | None,
    key: str | None,
    source_format: str | None,
    identity: str | None,
    target: str | None,
    target_format: str | None,
    force: bool,
    output: Output,
) -> None:
    """Join windows of long texts by the mentions that they share, and report each join.

    Each file, directory or glob holds pieces in the order of the text. A name like emma@1200 means
    that a piece begins at token 1200 of emma. Otherwise, --overlap or the common words determine
    the position. docs/howto/windows.md explains how entities are joined.

    \b
    Examples:
      corefmeter stitch windows.jsonl --write book.jsonl --to e2e
      corefmeter stitch part1.conll part2.conll --overlap 200 --write book.conll
      corefmeter stitch windows/ --key key.conll --write bound.conll
    """
    from corefmeter.formats import read_corpus
    from corefmeter.formats.conversion import format_of_target, write_beside
    from corefmeter.reading import require_identity
    from corefmeter.wings.annotation.reports.stitching import StitchReport
    from corefmeter.wings.annotation.stitching import stitch_corpora

    into = format_of_target(target, target_format)
    corpora = [
        read_corpus(path, source_format, details=True, side="response", identity=identity)
        for path in files
    ]
    of_key = None if key is None else read_corpus(key, identity=identity)
    require_identity(identity, [c.format for c in (*corpora, of_key) if c is not None])
    stitched = stitch_corpora(corpora, overlap=overlap, name=name, key=of_key)
    if target is not None:
        stitched.problems += write_beside(stitched.corpus, into, target, output.path, force)
    output.write(StitchReport(stitched), stitched.problems)
