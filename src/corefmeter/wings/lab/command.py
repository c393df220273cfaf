"""``corefmeter lab``: what metrics say of responses made on purpose."""

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
    """Experiments on metrics: what they say of responses that were made on purpose.

    \b
    Examples:
      corefmeter lab experiment lea-figure7 --plot figure7.pdf
      corefmeter lab damage key.conll --kind split --plot split.png
      corefmeter lab audit
    """


_computed = partial(option, group="What to compute")
_output = partial(option, group=OUTPUT)


def _metric(help: str) -> Callable[[Any], Any]:
    """Return the option of the metrics."""
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
    _metric("Metric to show; may be repeated."),
    _computed("--seed", type=int, metavar="N", default=0, help="Where random choices come from."),
)

#: Options of Luo's sweep.
_sweeping = combine_options(
    _computed(
        "--trials",
        formerly=("--draws",),
        type=click.IntRange(1),
        metavar="N",
        usual=5,
        rare=True,
        help="For luo-sweep, how many systems are drawn: in how many of them each sentence "
        "of the paper holds. The first is shown.",
    ),
    _computed(
        "--noise",
        type=float,
        metavar="NUMBER",
        usual=0.33,
        rare=True,
        help="For luo-sweep, the noise of the synthetic system.",
    ),
    _computed(
        "--weights",
        metavar="NAME",
        usual="ace2005",
        rare=True,
        help="For luo-sweep, the table of the weights of the ACE value.",
    ),
)


class _Written(NamedTuple):
    """Files that a run writes beside its output."""

    plot: str | None
    folder: str | None
    format: str | None
    force: bool

    def check(self) -> None:
        """Refuse, before any work, a format without files and a picture that cannot be drawn."""
        from corefmeter.problems import OptionError
        from corefmeter.wings.lab.pictures import require_drawable

        if self.format and not self.folder:
            raise OptionError("--to has no effect without --write")
        if self.plot:
            require_drawable(self.plot)

    def write(
        self, files: Iterable[tuple[str, Corpus]], draw: Callable[[], Any], output: Output
    ) -> None:
        """Write corpora under their names, if requested, report losses, and draw the picture.

        All outputs of the run are checked before the first is written.
        """
        from corefmeter.formats.conversion import convert_corpus, write_files
        from corefmeter.formats.output import check_outputs
        from corefmeter.reports import write_warnings
        from corefmeter.wings.lab.pictures import save_figure

        format = self.format or "conll"
        places = []
        for name, corpus in files if self.folder else ():
            safe = name.replace("%", "-percent").replace(", ", "-").replace(" ", "-")
            places.append((os.path.join(str(self.folder), f"{safe}.{format}"), corpus))
        check_outputs([self.plot, output.path], [place for place, _ in places], self.force)
        told = set()
        for place, corpus in places:
            made, lost = convert_corpus(corpus, format, hull=False)
            lost += write_files(made, format, place, self.force)
            # The files have the same words and details, so they lose the same.
            write_warnings([one for one in lost if one.message not in told], sys.stderr, rest="")
            told |= {problem.message for problem in lost}
        if self.plot:
            save_figure(draw(), self.plot)


def _written(command: Callable[..., None]) -> Any:
    """Add the options that write what was made; the command gets them as `written`."""

    @wraps(command)
    def gathered(
        plot: str | None, folder: str | None, write_format: str | None, force: bool, **options: Any
    ) -> None:
        written = _Written(plot, folder, write_format, force)
        written.check()
        command(**options, written=written)

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
    )(gathered)


@lab.command(short_help="Repeat a published experiment; without NAME, list them.")
@click.argument("name", required=False)
@click.argument("key", type=FILE, required=False)
@click.argument("response", type=FILE, required=False)
@_common
@_sweeping
@formats_option
@output_options
@_written
def experiment(
    name: str | None,
    key: str | None,
    response: str | None,
    seed: int,
    metrics: tuple[str, ...],
    noise: float | None,
    weights: str | None,
    trials: int | None,
    source_formats: str | None,
    output: Output,
    written: _Written,
) -> None:
    """Repeat the published experiment NAME, and say which of the paper's sentences hold.

    Most experiments have a key of their own. lea-table1 and lea-table4 work on any KEY and a
    RESPONSE to it, luo-sweep on any KEY if one is given; it also knows -m ace, the ACE value.

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
    from corefmeter.wings.lab.sweep import NOISE

    if name is None:
        output.write(NamesReport())
        return
    if name != "luo-sweep" and not (noise is None and weights is None and trials is None):
        raise OptionError("--noise, --weights and --trials are for luo-sweep")
    if response is not None:
        (response,), _ = named_paths([response])
    of_key, of_response = formats_of(source_formats)
    key_corpus = None if key is None else _read(key, of_key)
    response_corpus = None if response is None else _read(response, of_response, "response")
    with Progress("scoring") as progress:
        outcome = run(
            name,
            key_corpus,
            response_corpus,
            metrics=metrics,
            seed=seed,
            noise=NOISE if noise is None else noise,
            weights=weights or "ace2005",
            draws=trials or DRAWS,
            progress=progress,
        )
    files = [("key", outcome.key), *((r.level, r.corpus) for r in outcome.responses)]
    written.write(files, lambda: draw_outcome(outcome), output)
    output.write(OutcomeReport(outcome))


@lab.command(name="damage", short_help="How metrics fall as one kind of damage grows on a key.")
@click.argument("key", type=FILE)
@_computed(
    "--kind",
    metavar="NAME",
    required=True,
    help="split, merge, move, wrong-links, miss-mentions, miss-entities, extra, extra-linked "
    "or extra-singletons.",
)
@_computed(
    "--levels",
    metavar="LIST",
    default="0,1%,2%,5%,10%,20%,50%,100%",
    help="Numbers of errors, or shares of the places for them.",
)
@_computed(
    "--order",
    metavar="NAME",
    default="random",
    help="Which errors come first: random, largest, smallest. Largest and smallest are the "
    "entities that they happen to.",
)
@_computed(
    "--trials",
    "samples",
    formerly=("--samples",),
    type=click.IntRange(1),
    metavar="N",
    help="Number of errors that are tried one by one, for the mean cost of an error (default: all "
    "if that is cheap, otherwise 50).",
)
@_common
@formats_option
@output_options
@_written
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
    written: _Written,
) -> None:
    """Damage KEY more and more, and show how each metric falls and what one more error costs.

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
    with Progress("scoring") as progress:
        found = sensitivity(
            corpus,
            kind,
            levels,
            metrics=metrics or METRICS,
            samples=samples,
            progress=progress,
            **how,
        )
    reached = dict.fromkeys(row.level for row in found.rows) if written.folder else ()
    files = [("key", corpus), *((level, damaged(corpus, kind, level, **how)) for level in reached)]
    written.write(files, lambda: draw_sensitivity(found), output)
    output.write(SensitivityReport(found))


@lab.command(short_help="Which laws each metric obeys, with the smallest counterexamples.")
@_metric("Metric to put to the laws, or your own as MODULE:NAME; may be repeated.")
@_computed(
    "--mentions",
    type=int,
    default=5,
    metavar="N",
    help="Search keys and responses of up to so many mentions, at most 6.",
)
@output_options
def audit(metrics: tuple[str, ...], mentions: int, output: Output) -> None:
    """Put metrics to laws that a trustworthy metric should obey.

    A metric of your own is a Metric, or a function from key and response, lists of lists of
    mentions, to (recall, precision, f1) or to F1 alone, in a module that Python finds.

    \b
    Examples:
      corefmeter lab audit
      corefmeter lab audit -m lea -m ceafe --mentions 6 -f json
      corefmeter lab audit -m mypackage:metric
    """
    from corefmeter.wings.lab.audit import audit as put_to_laws
    from corefmeter.wings.lab.outcome import METRICS
    from corefmeter.wings.lab.report_audit import AuditReport

    with Progress("laws") as progress:
        found = put_to_laws(metrics or METRICS, mentions, progress)
    output.write(AuditReport(found))


def _read(path: str, format: str | None, side: str = "key") -> Corpus:
    """Read a corpus with words, types and levels; print its warnings."""
    from corefmeter.reading import read
    from corefmeter.reports import write_warnings

    corpus = read(path, format, details=True, side=side)
    write_warnings(corpus.problems, sys.stderr, '; "corefmeter validate" lists all')
    return corpus
