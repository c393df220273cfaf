"""``corefmeter match KEY RESPONSE``"""

from __future__ import annotations

from typing import Any

import click

from corefmeter.cli import options as common
from corefmeter.cli.help import FILE, command
from corefmeter.cli.run import Run


@command()
@click.argument("key", type=FILE, metavar="KEY")
@click.argument("response", type=FILE, metavar="RESPONSE")
@common.matching_options
@common.formats_option
@common.write_option(
    "--document",
    "documents_wanted",
    multiple=True,
    metavar="NAME",
    help="Show only this document; may be repeated.",
)
@common.write_option(
    "--hide-exact", is_flag=True, help="Leave out mentions that were matched exactly."
)
@common.output_options
@common.shown_signature_option
@common.quiet_option
def match(
    key: str,
    response: str,
    source_formats: str | None,
    signature: str | None,
    documents_wanted: tuple[str, ...],
    hide_exact: bool,
    output: common.Output,
    **options: Any,
) -> None:
    """Show which response mention matches which key mention, and which mentions match none.

    Each pair has a stage (zeros, exact, or the value of --match) and a weight. Mentions without a
    partner are listed in their places. Spans are half-open, in tokens of the document.

    \b
    Examples:
      corefmeter match key.conllu response.conllu --match head
      corefmeter match key.conllu response.conllu --preset corefud2025
      corefmeter match key.conll response.conll --match overlap -f csv
    """
    from corefmeter.problems import require_known
    from corefmeter.reports.match import MatchReport
    from corefmeter.scoring import match_corpora

    recipe, noticed = common.recipe_from(signature, options)
    run = Run.of(key, [response], recipe, source_formats, strict=False)
    ((alignments, problems),) = run.make_for_each_response(match_corpora, details=True)
    names = [{a.key.document.name, a.key.document.label} for a in alignments]
    known = sorted(set().union(*names))
    for document in documents_wanted:
        require_known("document", document, known)
    if documents_wanted:
        pairs = zip(alignments, names, strict=True)
        alignments = [a for a, of_document in pairs if of_document.intersection(documents_wanted)]
    problems = [*noticed, *problems]
    (path,), (name,) = run.paths, run.names
    report = MatchReport(recipe, key, path, alignments, hide_exact, name, problems)
    output.write(report, problems)
