"""Conditions that make a comparison impossible, and those that weaken its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from math import ceil, isclose

from corefmeter.metrics import key_count, metric_class
from corefmeter.problems import DataError, Problem, amount
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.statistics.plan import Plan
from corefmeter.statistics.power import smallest_p
from corefmeter.units import GROUPS, Unit

#: With fewer units, bootstrap intervals are clearly too narrow; see docs/statistics.md.
FEW_UNITS = 30

#: With fewer units, intervals by Student's t are clearly better; see docs/statistics.md.
STUDENT_UNITS = 20

#: With fewer units resampling is not used. If there is no difference, all n units favor one system
#: with probability 2^(1-n), 0.0625 for 5, and then every resample does.
FEWEST_UNITS = 6

#: Options that decide what statistics mean, not how they were counted.
_DERIVATION = ("average", "undefined", "blanc", "mela_weights", "others")


def _error(code: str, message: str, hint: str) -> Problem:
    return Problem(code, message, "error", hint=hint)


def with_metrics(
    results: Mapping[str, Result], metrics: Sequence[str] | str | None, force: bool
) -> dict[str, Result]:
    """Return the results with only the metrics to compare.

    By default these are all metrics of a result; with `force`, those that all results have.
    """
    if metrics is None and force:
        first, *others = [result.recipe.metrics for result in results.values()]
        metrics = [name for name in first if all(name in other for other in others)]
    if metrics is None:
        return dict(results)
    wanted = Recipe(metrics=tuple([metrics] if isinstance(metrics, str) else metrics)).metrics
    reduced = {system: copy(result) for system, result in results.items()}
    for result in reduced.values():
        for name in wanted:
            result[name]  # raises if it was not computed
        result.recipe = result.recipe.replace(metrics=wanted)
    return reduced


def require_same_recipe(results: Mapping[str, Result], force: bool) -> list[Problem]:
    """Refuse systems that were not scored in the same way; with `force`, only warn of it."""
    (first_name, first), *rest = results.items()
    problems = []
    for name, result in rest:
        if (result.recipe, result.version) == (first.recipe, first.version):
            continue
        message = (
            f"{first_name} and {name} were not scored in the same way:\n"
            f"  {first.signature}\n  {result.signature}"
        )
        same_meaning = all(
            getattr(result.recipe, name) == getattr(first.recipe, name) for name in _DERIVATION
        )
        if force and same_meaning:
            problems.append(Problem("different-recipes", message))
            continue
        hint = "Score them again with the same options; --force compares them as they are."
        if result.recipe.replace(metrics=first.recipe.metrics) == first.recipe:
            hint = "Choose metrics that all of them have (-m)."
        elif force:
            hint = "Scores that are averaged or defined differently are never compared."
        raise DataError(_error("different-recipes", message, hint))
    return problems


def require_same_documents(results: Mapping[str, Result], by: str) -> None:
    """Refuse systems that were not scored on the same documents."""
    document_of = GROUPS["part" if by == "part" else "document"]
    (first_name, first), *rest = results.items()
    of_first = dict.fromkeys(map(document_of, first.units))
    hint = "Scores on different documents cannot be compared; score the systems against one key."
    problems = []
    for name, result in rest:
        documents = dict.fromkeys(map(document_of, result.units))
        for system, other, only in (
            (first_name, name, [one for one in of_first if one not in documents]),
            (name, first_name, [one for one in documents if one not in of_first]),
        ):
            if only:
                shown = ", ".join(map(repr, only[:3]))
                more = f" and {len(only) - 3} more" if len(only) > 3 else ""
                message = f"{system} was scored on {shown}{more}, but {other} was not"
                problems.append(_error("different-documents", message, hint))
    if problems:
        raise DataError(problems)


def require_same_key(results: Mapping[str, Result], group_of: Callable[[Unit], str]) -> None:
    """Refuse systems scored against different keys, if a count of the key shows it.

    With matching by MIN, optional mentions that a system lacks leave the key, so that counts of the
    same key may differ and nothing is checked.
    """
    if any(result.recipe.match == "min" for result in results.values()):
        return
    (first_name, first), *rest = results.items()
    common = [name for name in first.statistics if all(name in one.statistics for _, one in rest)]
    metric = next((name for name in common if key_count(name) is not None), None)
    if metric is None:
        return
    field = metric_class(metric).fields.index(key_count(metric))

    def count_by_block(result: Result) -> dict[str, float]:
        counts: dict[str, float] = {}
        for unit, row in zip(result.units, result.statistics[metric], strict=True):
            block = group_of(unit)
            counts[block] = counts.get(block, 0) + row[field]
        return counts

    expected = count_by_block(first)
    for name, result in rest:
        counts = count_by_block(result)
        for block, count in expected.items():
            if not isclose(count, counts.get(block, 0), rel_tol=1e-9):
                message = (
                    f"{first_name} and {name} were scored against different keys: for {metric} the "
                    f"count of the key in {block!r} is {count:g} with {first_name}, but "
                    f"{counts.get(block, 0):g} with {name}"
                )
                hint = "Score the systems against one key."
                raise DataError(_error("different-keys", message, hint))


def require_several_units(units: Sequence[str], one: Result, by: str) -> None:
    """Refuse a single unit, which leaves nothing to resample."""
    if len(units) > 1:
        return
    documents = len(set(map(GROUPS["document"], one.units)))
    if documents > 1:
        why = f"all {documents} documents are one block by {by}"
        hint = "Use a grouping with several blocks, or --unit document."
    elif one.recipe.as_one_document:
        why = "all documents were scored as one"
        hint = "Score the documents one by one, without --as-one-document, to compare systems."
    elif len(set(map(GROUPS["part"], one.units))) > 1:
        why = "there is one document"
        hint = "It has several parts; if they are independent, use --unit part."
    else:
        why = "there is one document" if documents else "there is no document"
        hint = (
            "Split it into independent documents (chapters, topics) and score these. Entities of "
            "one document depend on each other, so resampling them gives meaningless p-values. See "
            "docs/statistics.md."
        )
    message = (
        f"differences cannot be tested: {why}, but tests and intervals need the scores of several "
        "units"
    )
    raise DataError(_error("one-document", message, hint))


def require_units_to_resample(units: int, test: str, runs: bool) -> None:
    """Refuse the tests that estimate a spread if there are too few units to do so.

    They would find differences that do not exist. With `runs`, the hint names no other test, since
    there is none.
    """
    if test in ("bootstrap", "t") and units < FEWEST_UNITS:
        message = (
            f"the test {test!r} needs at least {FEWEST_UNITS} units (found {units}): fewer may all "
            "favor one system by chance"
        )
        hint = "Use the test 'randomization', which is exact for few units, or more documents."
        if runs:
            hint = "Use more documents, or compare a single output of each system."
        raise DataError(_error("few-documents", message, hint))


def warnings(units: int, comparisons: int, plan: Plan, sampled: bool) -> list[Problem]:
    """Return warnings about few units, and about few trials if a p comes from random ones."""
    problems = []
    pairs = f"{amount(comparisons, 'pair')} of systems"
    nothing = f"so nothing can be significant at {plan.alpha:g}"
    smallest = smallest_p(units, None, comparisons, plan.correction)
    if plan.test in ("randomization", "exact") and smallest > plan.alpha:
        message = (
            f"with {amount(units, 'unit')} and {pairs}, no adjusted p of a randomization test is "
            f"below {smallest:.3g}, {nothing}"
        )
        hint = "Compare fewer systems, or on more documents."
        problems.append(Problem("few-documents", message, hint=hint))
    if units < FEWEST_UNITS:
        message = (
            f"{units} units are too few for intervals and detectable differences, which need at "
            f"least {FEWEST_UNITS}"
        )
        problems.append(Problem("few-documents", message))
    elif units < FEW_UNITS and plan.test != "t":
        problems.append(_few_units(units, plan.test))
    smallest = smallest_p(None, plan.trials, comparisons, plan.correction)
    if sampled and smallest > plan.alpha:
        needed = ceil((comparisons if plan.correction == "holm" else 1) / plan.alpha) - 1
        message = (
            f"with {amount(plan.trials, 'trial')} and {pairs}, no adjusted p is below "
            f"{smallest:.3g}, {nothing}"
        )
        hint = f"Use at least --trials {needed}, preferably ten times as many."
        problems.append(Problem("few-trials", message, hint=hint))
    return problems


def _few_units(units: int, test: str) -> Problem:
    what, hint = "intervals and p-values", ""
    if test != "bootstrap":
        what = "intervals"
        hint = "If an interval excludes 0 but p is above alpha, rely on p. "
    hint += "Intervals of --test t are more reliable."
    message = f"{units} units are few: below {FEW_UNITS}, bootstrap {what} are too optimistic"
    return Problem("few-documents", message, hint=hint if units < STUDENT_UNITS else None)
