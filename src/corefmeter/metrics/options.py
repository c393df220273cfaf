"""The options of metrics, which are fields of the recipe too, and functions that users give.

Options of our own metrics are here, so that the recipe knows them without the code of all metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from math import inf
from typing import Any, NamedTuple

from corefmeter.problems import OptionError, unknown

#: From an entity, a list of mentions, to a number of 0 or more.
EntityFunction = Callable[[Sequence[Any]], float]

#: From |k & r|, |k| and |r| to a number of 0 or more.
Similarity = Callable[[int, int, int], float]


class Option(NamedTuple):
    """An option that can change the numbers of a metric, which declares it.

    It is a field of the recipe, an argument, an option of the command line and a part of the
    signature; the metric is made with its value under its name.
    """

    #: The name in Python and in signatures.
    name: str
    #: The value when none is given; None where one must be given.
    default: Any
    #: One sentence for the command line.
    help: str
    #: The values, where they are names.
    choices: tuple[str, ...] = ()
    #: How the command line shows a value that is no choice.
    metavar: str | None = None
    #: From what was given, a value or its text, to the one form of the value, or an `OptionError`.
    read: Callable[[Any], Any] | None = None


def check_function(function: Callable[..., float], option: str) -> Callable[..., float]:
    """Wrap a user's function so that values other than finite numbers of 0 or more are refused."""

    def call(*arguments: Any) -> float:
        number = function(*arguments)
        if not isinstance(number, (int, float)) or not 0 <= number < inf:
            raise OptionError(f"{option} gave {number!r}; it must give a number of 0 or more")
        return number

    return call


def load_function(value: Any, option: str, known: Sequence[str] = ()) -> Callable[..., Any]:
    """Return a function, given itself or as ``module:function``.

    Messages name the option, and the names that are `known` as values of it too.
    """
    if callable(value):
        return value  # type: ignore[no-any-return]  # callable, so any value
    if not isinstance(value, str):
        raise OptionError(f"{option} is a function or its name, not {value!r}")
    module, colon, attributes = value.partition(":")
    if not colon:
        raise unknown(f"value of {option}", value, [*known, "MODULE:NAME"])
    try:
        names = [*module.split("."), *attributes.split(".")]
        if not all(name.isidentifier() for name in names):
            raise ImportError("it does not have the form module:function")
        found: Any = import_module(module)
        for name in attributes.split("."):
            found = getattr(found, name)
    except (ImportError, AttributeError) as error:
        raise OptionError(
            f"{option}: {value!r} cannot be imported ({error}); a function must have a name of its "
            "own in a module that can be imported"
        ) from None
    if not callable(found):
        raise OptionError(f"{option}: {value!r} is not a function")
    return found  # type: ignore[no-any-return]  # callable, so any value


def importance_of(value: Any) -> str | EntityFunction:
    """Return the importance of entities in LEA: ``size``, ``one``, or a function."""
    names = ("size", "one")
    if isinstance(value, str) and value in names:
        return value
    return load_function(value, "lea_importance", names)


def _similarity(value: Any) -> Similarity | None:
    return None if value is None else load_function(value, "ceaf_similarity")


BLANC = Option(
    "blanc", "official", "Edge cases of BLANC.", ("official", "luo2014", "corefud", "recasens2011")
)
CEAF_SIMILARITY = Option(
    "ceaf_similarity",
    None,
    "Similarity for the metric ceaf.",
    metavar="MODULE:NAME",
    read=_similarity,
)
GMD_COST = Option(
    "gmd_cost", "basic", "Cost of a split or merge for gmd.", ("basic", "pairs", "information")
)
LEA_IMPORTANCE = Option(
    "lea_importance",
    "size",
    "Weight of an entity in LEA: size, one, or a function.",
    metavar="size|one|MODULE:NAME",
    read=importance_of,
)
NMI_MEAN = Option(
    "nmi_mean",
    "arithmetic",
    "Mean of entropies used to normalize nmi.",
    ("arithmetic", "geometric", "min", "max"),
)
