"""``corefmeter compare KEY RESPONSE RESPONSE…``, or ``corefmeter compare --results FILE…``"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import Field, fields
from typing import TYPE_CHECKING, Any

import click

from corefmeter.cli import options as common
from corefmeter.cli.groups import groups
from corefmeter.cli.help import FILE, combine_options, command, complete_from, progress_bar
from corefmeter.cli.run import Run, column_features
from corefmeter.labels import labels
from corefmeter.metrics import DEFAULT
from corefmeter.problems import CollectedErrors, OptionError, Problem, require
from corefmeter.recipe import MATCHING, POLICIES
from corefmeter.result import Result, read_results
from corefmeter.statistics.plan import Plan, plan_for
from corefmeter.units import GROUPS

if TYPE_CHECKING:
    from corefmeter.recipe import Recipe

_DEFAULT = Plan()


#: The types of values, where the range is not for `Plan` to check.
_TYPES = {"trials": click.IntRange(1), "seed": click.IntRange(0)}


def _plan_option(field: Field[Any]) -> common.Decorator:
    if field.name == "by":
        complete = complete_from("groups")
        return common.field_option(field, "--unit", formerly=("--by",), shell_complete=complete)
    return common.field_option(field, type=_TYPES.get(field.name, type(field.default)))


plan_options = combine_options(*map(_plan_option, fields(Plan)))


@command(aside=(MATCHING, POLICIES))
@click.argument("files", type=FILE, metavar="KEY RESPONSE RESPONSE…", nargs=-1, required=True)
@common.recipe_options
@plan_options
@common.read_option(
    "--results",
    "saved",
    is_flag=True,
    help='The files are saved results. "corefmeter score … --by document -f json" saves them.',
)
@common.read_option(
    "--runs",
    metavar="PATTERN",
    rare=True,
    help="Responses are runs of one system if their names differ only in the match of this regular "
    "expression (_seed[0-9]+). NAME=FILE,FILE,… also lists runs.",
)
@common.formats_option
@common.strict_option
@common.read_option(
    "--force", is_flag=True, rare=True, help="Compare even if the systems were scored differently."
)
@common.output_options
@common.shown_signature_option
@common.rows_option
@common.write_option(
    "--sort",
    metavar="METRIC",
    shell_complete=complete_from("metrics"),
    help="Order the systems by a metric, best first.",
)
@common.quiet_option
def compare(
    files: tuple[str, ...],
    saved: bool,
    source_formats: str | None,
    signature: str | None,
    by: str | None,
    runs: str | None,
    sort: str | None,
    output: common.Output,
    rows: str | None,
    force: bool,
    strict: bool,
    **options: Any,
) -> None:
    """Test whether the difference between systems is more than chance.

    KEY and RESPONSE are as for "corefmeter score". Systems that share a letter do not
    differ significantly. docs/statistics.md explains tests, intervals and ranks.

    \b
    Examples:
      corefmeter compare key.conll a.conll b.conll
      corefmeter compare key/ a/ b/ -m lea,conll --unit genre --test bootstrap
      corefmeter compare key.conll ours=1.conll,2.conll base=3.conll,4.conll
    """
    # Its threads cost more than they bring on matrices of this size.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    require("numpy", "compare")
    from corefmeter.reports.comparison import ComparisonReport
    from corefmeter.reports.scores import layout_in
    from corefmeter.statistics.comparison import compare_results

    given = {name: options.pop(name) for name in vars(_DEFAULT) if name in options}
    given = {name: value for name, value in given.items() if value is not None}
    of_recipe = None
    if signature is not None:
        of_recipe, from_signature = Plan.split(signature)
        by = by or _require_known_group(from_signature.pop("by", None))
        given = from_signature | given
    plan, aim = plan_for(given)
    Plan(**plan)  # refuses what cannot be before anything is scored
    if not signature or len(aim) == 1:
        options["metrics"] = options.get("metrics") or aim
    aspect = {name: plan[name] for name in ("part", "kind", "pronouns") if plan.get(name)}
    (unit,) = groups([by or _DEFAULT.by])
    paths, several = _expand_runs(files)
    if runs and several:
        raise OptionError("--runs and NAME=FILE,FILE both define runs; choose one")
    noticed: list[Problem] = []
    metrics: Sequence[str] | None = None
    if saved:
        _require_no_options(options | {"from": source_formats} | aspect, signature, strict)
        results = _read_saved(paths)
        if options.get("metrics"):
            metrics = common.recipe_from(None, options)[0].metrics
    else:
        recipe, noticed = common.recipe_from(of_recipe or None, options)
        results = _score_responses(paths, recipe, source_formats, strict, aspect)
        if aspect and recipe.metrics != DEFAULT:
            metrics = recipe.metrics
    if several and len(results) != len(paths) - (not saved):
        raise OptionError("NAME=FILE,FILE: each file must hold one result")
    names = list(results) if saved else ["", *results]  # the first file is the key
    of_systems = {name: [names[n] for n in places] for name, places in several.items()}
    plan |= {"metrics": metrics, "by": unit, "runs": runs or of_systems, "force": force}
    with progress_bar("resampling") as progress:
        comparison = compare_results(results, progress=progress, **plan)
    comparison.problems[:0] = noticed
    report = ComparisonReport(comparison, sort, layout_in(output.format, [*comparison], rows))
    output.write(report, comparison.problems)


def _expand_runs(files: Sequence[str]) -> tuple[list[str], dict[str, list[int]]]:
    """Return all files, and for each system the places of its ``NAME=FILE,FILE,…`` among them."""
    paths_of_all: list[str] = []
    runs: dict[str, list[int]] = {}
    for argument in files:
        name, _, paths = argument.partition("=")
        if not name or "," not in paths or os.path.exists(argument) or os.path.exists(paths):
            paths_of_all.append(argument)
        elif name in runs:
            raise OptionError(f"the name {name!r} is given twice; give each system its own")
        else:
            first = len(paths_of_all)
            paths_of_all += paths.split(",")
            runs[name] = list(range(first, len(paths_of_all)))
    return paths_of_all, runs


def _require_known_group(name: str | None) -> str | None:
    """Return the unit that a signature names; the groups of a file are not in it."""
    if name is not None and name not in GROUPS:
        what = f"the signature names groups of a file, {name!r}"
        raise OptionError(f"{what}: give the file with --unit")
    return name


def _require_no_options(options: dict[str, Any], signature: str | None, strict: bool) -> None:
    """Refuse options of scoring for results that were saved."""
    options = options | {"recipe": signature, "strict": strict or None, "metrics": None}
    given = [name for name, value in options.items() if value not in (None, ())]
    if given:
        shown = ", ".join("--" + name.replace("_", "-") for name in given)
        raise OptionError(f"{shown}: saved results cannot be scored differently")


def _score_responses(
    files: Sequence[str], recipe: Recipe, formats: str | None, strict: bool, aspect: dict[str, Any]
) -> dict[str, Result]:
    """Return the results of responses against a key, or of one aspect of them."""
    if len(files) < 3:
        raise OptionError("there is nothing to compare: give a key and two responses or more")
    key, *responses = files
    from corefmeter.analysis.aspects import Aspect, feature_of

    functions = column_features(key, filter(None, [feature_of(aspect.get("part", ""))]))
    compared = Aspect(**aspect, functions=functions)
    run = Run.of(key, responses, recipe, formats, strict)
    results = run.scores(compared.score, details=compared.feature is not None)
    compared.require()
    return _name_results(results, run.paths)


def _read_saved(files: Sequence[str]) -> dict[str, Result]:
    """Return the results in files, all that each holds."""
    results: list[Result] = []
    sources: list[str] = []
    errors = CollectedErrors()
    paths, names = common.named_paths(files)
    for (path, _), times in Counter(zip(paths, names, strict=True)).items():
        if times > 1:
            raise OptionError(f"{os.path.splitext(os.path.basename(path))[0]} is given twice")
    stems = labels([os.path.splitext(path)[0] for path in paths])
    for path, stem, name in zip(paths, stems, names, strict=True):
        with errors:
            saved = read_results(path)
            number = len(saved)
            if name is not None:
                if number != 1:
                    raise OptionError(f"{name}={path}: the file holds {number} results, not one")
                saved[0].name = name
            results += saved
            sources += [stem if number == 1 else f"{stem}:{i}" for i in range(1, number + 1)]
    errors.raise_all()
    if len(results) < 2:
        raise OptionError("there is nothing to compare: the files hold fewer than two results")
    return _name_results(results, sources)


def _name_results(results: Sequence[Result], sources: Sequence[str]) -> dict[str, Result]:
    """Map response names to results, with as much of the path as makes names distinct.

    Where responses have no names, or the same ones, the source names them.
    """
    from corefmeter.reports.scores import system_names

    unnamed = [result for result in results if result.name is None]
    responses = [result.response for result in unnamed]
    if None in responses or len(set(responses)) < len(responses):
        names = [result.name or source for result, source in zip(results, sources, strict=True)]
    else:
        names = system_names(results)
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"{name} is given twice")
    return dict(zip(names, results, strict=True))
