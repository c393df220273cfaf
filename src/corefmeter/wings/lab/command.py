"""``corefmeter lab``: experiments on metrics."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from corefmeter.cli.help import FILE, Group, combine_options, complete_from, option
from corefmeter.cli.options import (
    OUTPUT,
    Output,
    force_option,
    formats_of,
    formats_option,
    named_paths,
    output_options,
)
from corefmeter.cli.progress import Progress

if TYPE_CHECKING:
    from corefmeter.corpus.model import Corpus


@click.group(
    cls=Group,
    formerly={"sweep": ("experiment", "luo-sweep")},
    section="Research",
    short_help="Try metrics: which one do you trust?",
)
def lab() -> None:
    """Experiments on metrics: how they score responses with known errors.

    \b
    Examples:
      corefmeter lab experiment lea-figure7 --plot figure7.pdf
      corefmeter lab damage key.conll --kind split --plot split.png
      corefmeter lab audit
    """


_computed = partial(option, group="What to compute")
_output = partial(option, group=OUTPUT)


def _metric_option(help: str) -> Callable[[Any], Any]:
    return _computed(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        shell_complete=complete_from("metrics"),
        metavar="NAME",
        usual="MUC, B³, both CEAFs, BLANC, LEA",
        help=help,
    )


#: Options of all experiments.
_common = combine_options(
    _metric_option("Metric to show; may be repeated."),
    _computed("--seed", type=int, metavar="N", default=0, help="Seed of the random choices."),
)


class _Files(NamedTuple):
    """Files that a command writes in addition to its output."""

    plot: str | None
    folder: str | None
    format: str | None
    force: bool

    def write(
        self, corpora: Iterable[tuple[str, Corpus]], draw: Callable[[], Any], output: Output
    ) -> None:
        """Write corpora under their names and the picture, if requested; report losses.

        All outputs of the command are checked before the first is written.
        """
        from corefmeter.formats.conversion import write_beside
        from corefmeter.formats.output import check_outputs
        from corefmeter.reports import write_warnings
        from corefmeter.wings.lab.pictures import save_figure

        format = self.format or "conll"
        outputs = []
        for name, corpus in corpora if self.folder else ():
            safe = name.replace("%", "-percent").replace(", ", "-").replace(" ", "-")
            outputs.append((os.path.join(str(self.folder), f"{safe}.{format}"), corpus))
        check_outputs([self.plot, output.path], [path for path, _ in outputs], self.force)
        reported: set[str] = set()
        for path, corpus in outputs:
            problems = write_beside(corpus, format, path, output.path, self.force)
            # The files have the same words and details, so they lose the same.
            new = [problem for problem in problems if problem.message not in reported]
            write_warnings(new, sys.stderr, rest="")
            reported |= {problem.message for problem in new}
        if self.plot:
            save_figure(draw(), self.plot)


def _file_options(command: Callable[..., None]) -> Any:
    """Add the options for further files; the command gets them as one argument, `files`."""

    @wraps(command)
    def with_files(
        plot: str | None, folder: str | None, write_format: str | None, force: bool, **options: Any
    ) -> None:
        from corefmeter.problems import OptionError
        from corefmeter.wings.lab.pictures import require_drawable

        if write_format and not folder:
            raise OptionError("--to has no effect without --write")
        if plot:
            require_drawable(plot)
        command(**options, files=_Files(plot, folder, write_format, force))

    return combine_options(
        _output(
            "--plot",
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="Draw F1, as .png, .pdf or .svg; needs the extra plot.",
        ),
        _output(
            "--write",
            "folder",
            type=click.Path(file_okay=False),
            metavar="DIR",
            help="Also write the key and each response to files in this folder.",
        ),
        _output(
            "--to",
            "write_format",
            formerly=("--write-format",),
            metavar="FORMAT",
            usual="conll",
            rare=True,
            help="Format of the files of --write.",
        ),
        force_option,
    )(with_files)


@lab.command(short_help="Repeat a published experiment; without NAME, list them.")
@click.argument("name", required=False)
@click.argument("key", type=FILE, required=False)
@click.argument("response", type=FILE, required=False)
@_common
@_computed(
    "--trials",
    "draws",
    formerly=("--draws",),
    type=click.IntRange(1),
    metavar="N",
    usual=5,
    rare=True,
    help="For luo-sweep, number of systems to draw. The report counts in how many of them each "
    "claim of the paper holds, and shows the first.",
)
@_computed(
    "--noise",
    type=float,
    metavar="NUMBER",
    usual=0.33,
    rare=True,
    help="For luo-sweep, noise of the synthetic system.",
)
@_computed(
    "--weights",
    metavar="NAME",
    usual="ace2005",
    rare=True,
    help="For luo-sweep, table of weights of the ACE value.",
)
@formats_option
@output_options
@_file_options
def experiment(
    name: str | None,
    key: str | None,
    response: str | None,
    seed: int,
    metrics: tuple[str, ...],
    source_formats: str | None,
    output: Output,
    files: _Files,
    **sweep: Any,
) -> None:
    """Repeat the published experiment NAME, and report which claims of the paper hold.

    Most experiments have their own key. lea-table1 needs a KEY and a RESPONSE; lea-table4 needs a
    KEY and accepts a RESPONSE; luo-sweep accepts a KEY and also -m ace, the ACE value.

    \b
    Examples:
      corefmeter lab experiment
      corefmeter lab experiment lea-table1 key.conll response.conll
      corefmeter lab experiment luo-sweep key.conll --noise 0.4 --plot sweep.pdf
    """
    from corefmeter.problems import OptionError
    from corefmeter.wings.lab.experiments import DRAWS, run
    from corefmeter.wings.lab.plots import draw_outcome
    from corefmeter.wings.lab.report import NamesReport, OutcomeReport

    if name is None:
        output.write(NamesReport())
        return
    sweep = {option: value for option, value in sweep.items() if value is not None}
    if name != "luo-sweep" and sweep:
        raise OptionError("--noise, --weights and --trials are only for luo-sweep")
    if response is not None:
        (response,), _ = named_paths([response])
    key_format, response_format = formats_of(source_formats)
    key_corpus = None if key is None else _read(key, key_format)
    response_corpus = None if response is None else _read(response, response_format, "response")
    how: dict[str, Any] = {"metrics": metrics, "seed": seed, "draws": DRAWS} | sweep
    with Progress("scoring") as progress:
        outcome = run(name, key_corpus, response_corpus, progress=progress, **how)
    corpora = [("key", outcome.key), *((r.level, r.corpus) for r in outcome.responses)]
    files.write(corpora, lambda: draw_outcome(outcome), output)
    output.write(OutcomeReport(outcome))


@lab.command(name="damage", short_help="Show how metrics fall as a key is damaged more and more.")
@click.argument("key", type=FILE)
@_computed(
    "--kind",
    metavar="NAME",
    required=True,
    help="Kind of error: split, merge, move, wrong-links, miss-mentions, miss-entities, extra, "
    "extra-linked or extra-singletons.",
)
@_computed(
    "--levels",
    metavar="LIST",
    default="0,1%,2%,5%,10%,20%,50%,100%",
    help="Numbers of errors, or shares of the places where they can occur.",
)
@_computed(
    "--order",
    metavar="NAME",
    default="random",
    help="Order of the errors: random, or those in the largest or smallest entities first.",
)
@_computed(
    "--trials",
    "samples",
    formerly=("--samples",),
    type=click.IntRange(1),
    metavar="N",
    help="Number of errors to try one by one for the mean cost of an error (default: all if that "
    "is cheap, otherwise 50).",
)
@_common
@formats_option
@output_options
@_file_options
def damage_command(
    key: str,
    kind: str,
    levels: str,
    order: str,
    samples: int | None,
    seed: int,
    metrics: tuple[str, ...],
    source_formats: str | None,
    output: Output,
    files: _Files,
) -> None:
    """Damage KEY step by step, and show how each metric falls and what one error costs.

    \b
    Examples:
      corefmeter lab damage key.conll --kind miss-mentions
      corefmeter lab damage key.conll --kind extra --order largest --levels 0,1,2
      corefmeter lab damage key.conll --kind split --plot split.pdf -m muc -m lea
    """
    from corefmeter.wings.lab.outcome import METRICS
    from corefmeter.wings.lab.plots import draw_sensitivity
    from corefmeter.wings.lab.report import SensitivityReport
    from corefmeter.wings.lab.sensitivity import damaged, sensitivity

    corpus = _read(key, formats_of(source_formats)[0])
    how: dict[str, Any] = {"order": order, "seed": seed}
    tried: dict[str, Any] = {"metrics": metrics or METRICS, "samples": samples}
    with Progress("scoring") as progress:
        result = sensitivity(corpus, kind, levels, progress=progress, **how, **tried)
    reached = dict.fromkeys(row.level for row in result.rows) if files.folder else ()
    corpora = [("key", corpus), *((name, damaged(corpus, kind, name, **how)) for name in reached)]
    files.write(corpora, lambda: draw_sensitivity(result), output)
    output.write(SensitivityReport(result))


@lab.command(short_help="Test metrics against laws; show the smallest counterexamples.")
@_metric_option("Metric to audit, or your own as MODULE:NAME; may be repeated.")
@_computed(
    "--mentions",
    type=int,
    default=5,
    metavar="N",
    help="Search keys and responses of up to N mentions, at most 6.",
)
@output_options
def audit(metrics: tuple[str, ...], mentions: int, output: Output) -> None:
    """Test metrics against laws that a trustworthy metric should obey.

    A metric of your own is a Metric, or a function that takes key and response (lists of lists of
    mentions) and returns (recall, precision, f1) or F1 alone. Its module must be importable.

    \b
    Examples:
      corefmeter lab audit
      corefmeter lab audit -m lea -m ceafe --mentions 6 -f json
      corefmeter lab audit -m mypackage:metric
    """
    from corefmeter.wings.lab.audit import audit as audit_metrics
    from corefmeter.wings.lab.outcome import METRICS
    from corefmeter.wings.lab.report_audit import AuditReport

    with Progress("laws") as progress:
        result = audit_metrics(metrics or METRICS, mentions, progress)
    output.write(AuditReport(result))


def _read(path: str, format: str | None, side: str = "key") -> Corpus:
    """Read a corpus with words, types and levels; print its warnings."""
    from corefmeter.formats import read_corpus
    from corefmeter.reports import write_warnings

    corpus = read_corpus(path, format, details=True, side=side)
    write_warnings(corpus.problems, sys.stderr, '; "corefmeter validate" lists all')
    return corpus
