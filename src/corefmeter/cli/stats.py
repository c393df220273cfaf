"""``corefmeter stats FILE…``"""

from __future__ import annotations

import click

from corefmeter.cli.help import FILE, command
from corefmeter.cli.options import Output, named_paths, output_options, quiet_option
from corefmeter.cli.sources import side_option, source_options


@command()
@click.argument("files", type=FILE, metavar="FILE…", nargs=-1, required=True)
@source_options
@side_option
@output_options
@quiet_option
def stats(
    files: tuple[str, ...],
    source_format: str | None,
    documents: str,
    identity: str | None,
    side: str,
    output: Output,
) -> None:
    """Count documents, mentions and entities of one or more files, side by side.

    Tokens, sentences and singletons are also counted, as well as entities by size, and mentions by
    length, by distance to their antecedent, and by kind and type if the format has them.

    \b
    Examples:
      corefmeter stats key.conll
      corefmeter stats key.conllu response.conllu -f markdown
      corefmeter stats train=train.conll dev=dev.conll -o counts.csv -f csv
    """
    from corefmeter.corpus.align import as_tokens
    from corefmeter.corpus.census import census
    from corefmeter.formats import read_corpus
    from corefmeter.problems import CollectedErrors
    from corefmeter.reading import require_identity
    from corefmeter.reports.census import CensusReport, Counted

    counted = []
    errors = CollectedErrors()
    for path, name in zip(*named_paths(files), strict=True):
        with errors:
            corpus = read_corpus(
                path, source_format, documents=documents, details=True, side=side, identity=identity
            )
            in_tokens = [as_tokens(d) if d.unit == "characters" and d.text else d for d in corpus]
            counted.append(Counted(path, name, corpus.format, census(in_tokens), corpus.problems))
    errors.raise_all()
    require_identity(identity, [file.format for file in counted])
    output.write(CensusReport(counted), [problem for file in counted for problem in file.problems])
