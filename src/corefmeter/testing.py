"""Scores in the tests of a system: an assertion whose message shows the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corefmeter.api import score
from corefmeter.calls import checked_call
from corefmeter.limits import Limit, unreached_limits
from corefmeter.metrics import known_names
from corefmeter.problems import OptionError
from corefmeter.recipe import Recipe, option_names
from corefmeter.result import Result

if TYPE_CHECKING:
    from corefmeter.reading import Given


@checked_call(option_names, known_names)
def assert_score(
    key: Given,
    response: Given,
    recipe: Recipe | None = None,
    *,
    strict: bool = False,
    **options: Any,
) -> Result:
    """Assert that a response reaches minimum scores.

    Parameters
    ----------
    key, response, recipe, strict
        As for `corefmeter.score`.
    **options
        Minimum F1 by name of metric, as a fraction of one; and fields of `Recipe` to change. If a
        name is both, such as ``blanc``, a number is a minimum.

    Returns
    -------
    Result
        All scores, which further assertions can use.

    Raises
    ------
    AssertionError
        When a score is below its minimum or undefined. The message contains all scores.
    OptionError
        When there is no minimum, a minimum is not above 0 and at most 1, or an option is unknown.

    Examples
    --------
    >>> key, response = [["Ann", "she", "her"]], [["Ann", "she"]]
    >>> assert_score(key, response, muc=0.6).muc.f1  # recall 1/2, precision 1/1
    0.6666666666666666
    >>> assert_score(key, response, muc=0.7, metrics="muc")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    AssertionError: muc is 66.67, below the limit of 70
    <BLANKLINE>
                     response
             R       P     F1
    ─────────────────────────
    MUC    50.00  100.00  66.67
    ...
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    known = set(known_names())
    metrics = {name for name, value in options.items() if name in known and type(value) is not str}
    limits = [Limit.of(name, options.pop(name)) for name in sorted(metrics)]
    if not limits:
        raise OptionError("no limit is given; give a metric, as in conll=0.7")
    recipe = recipe or Recipe()
    if "metrics" in options:
        recipe = recipe.replace(metrics=options.pop("metrics"))
    more = [limit.metric for limit in limits if limit.metric not in recipe.metrics]
    options["metrics"] = (*recipe.metrics, *more)
    result = score(key, response, recipe, strict=strict, **options)
    missed = unreached_limits(limits, {name: result[name].f1 for name in result})
    if missed:
        why = "\n".join(problem.message for problem in missed)
        raise AssertionError(f"{why}\n\n{result}")
    return result
