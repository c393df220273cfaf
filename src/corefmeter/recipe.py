"""The recipe: every option that can change a number, in one frozen value.

It prints as a signature that stands with every result, parses back to an equal recipe, and is what
the command-line options and the Python arguments are made from, so that they cannot drift.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from corefmeter._version import __version__
from corefmeter.corpus.pairing import DOCUMENTS
from corefmeter.metrics import (
    ALIGNED,
    AVERAGES,
    DEFAULT,
    METRICS,
    NEED_DETAILS,
    canonical,
    components,
)
from corefmeter.metrics.base import UNDEFINED_AS, EntityFunction
from corefmeter.metrics.blanc import POLICIES
from corefmeter.metrics.ceaf import Similarity
from corefmeter.metrics.lea import IMPORTANCE
from corefmeter.problems import OptionError, unknown
from corefmeter.signature import joined, pairs_of, truth_of

__all__ = ["Recipe"]


def _option(
    default: Any, help: str, choices: Sequence[str] = (), metavar: str | None = None
) -> Any:
    """A field with what the command line needs to know of it."""
    return field(
        default=default, metadata={"help": help, "choices": tuple(choices), "metavar": metavar}
    )


@dataclass(frozen=True)
class Recipe:
    """How a score is made.

    Parameters
    ----------
    metrics
        Names or aliases, as a sequence or as one string.
    match
        Which response mention is which key mention: ``exact``, the same tokens; ``head``, the same
        head; ``partial``, within the key mention and over its head; ``overlap``, enough shared
        tokens; ``minspan``, the same core in the key's parse; ``min``, within the key mention and
        over the MIN that the key gives, as in MUC. See `corefmeter.matching`.
    overlap_threshold
        For ``overlap``: the least Dice coefficient of the tokens, above 0 and at most 1.
    align
        What the positions of both sides are compared by: ``tokens``, or the ``characters`` of the
        texts, which may then be cut into other tokens; see `corefmeter.corpus.align`.
    zeros
        Which zeros (mentions headed by an empty node) are the same: those at the same
        ``position``, or first those with the same ``dependency``; see
        `corefmeter.matching.zeros`.
    singletons
        ``keep``; ``drop`` from both sides before matching; ``drop-key``; ``drop-response``.
    repeated
        What a mention that stands twice on one side counts: see `corefmeter.corpus.repeats`.
    documents
        ``official``: documents only in the response are ignored, with a warning; ``strict``: their
        mentions are spurious; ``concatenate``: as ``official``, and documents of the same name in
        one file are joined instead of refused.
    as_one_document
        Score all documents as one, for cross-document coreference.
    shared_ids
        With `as_one_document`: an entity name means the same entity in every document.
    average
        ``pooled``: counts are summed over documents, then divided; ``macro``: the mean of the
        documents' scores.
    undefined
        What 0/0 counts as: ``zero``, ``one``, or ``skip`` (not a number; left out of means).
    blanc
        Edge cases of BLANC: see `corefmeter.metrics.blanc`.
    lea_importance
        ``size``, ``one``, or a function from an entity (its list of mentions) to a weight; in text
        ``module:function``.
    ceaf_similarity
        For the metric ``ceaf``: a function ``(common, key_size, response_size)``; in text
        ``module:function``.
    mela_weights
        Metrics and weights of the metric ``mela``.

    Raises
    ------
    OptionError
        For an unknown metric or policy, with the nearest known one.

    Examples
    --------
    >>> recipe = Recipe(metrics=("muc", "bcub"), singletons="drop")
    >>> Recipe.parse(recipe.signature()) == recipe
    True
    >>> Recipe(average="mean")
    Traceback (most recent call last):
    ...
    corefmeter.problems.OptionError: unknown value of average 'mean'. Known: pooled, macro
    """

    metrics: tuple[str, ...] = _option(
        DEFAULT, "Metric to compute; may be repeated. Default: all the usual ones."
    )
    match: str = _option(
        "exact",
        "Which mentions are the same.",
        ("exact", "head", "partial", "overlap", "minspan", "min"),
    )
    overlap_threshold: float = _option(
        0.5, "With --match overlap: the least Dice coefficient.", (), "NUMBER"
    )
    align: str = _option(
        "tokens",
        "Compare positions as tokens, or by the characters of the texts.",
        ("tokens", "characters"),
    )
    zeros: str = _option(
        "position",
        "Which zeros are the same: by the position or by the dependency of empty nodes.",
        ("position", "dependency"),
    )
    singletons: str = _option(
        "keep", "Entities of one mention.", ("keep", "drop", "drop-key", "drop-response")
    )
    repeated: str = _option(
        "first",
        "A mention that stands twice on one side.",
        ("first", "error", "merge", "distinct", "official"),
    )
    documents: str = _option(
        "official",
        "Documents only in the response are ignored (official) or spurious (strict); documents "
        "twice in a file are refused, or joined (concatenate).",
        DOCUMENTS,
    )
    as_one_document: bool = _option(False, "Score all documents as one (cross-document).")
    shared_ids: bool = _option(
        False, "With --as-one-document: entity ids mean the same in every document."
    )
    average: str = _option(
        "pooled", "Sum the counts of the documents, or average their scores.", ("pooled", "macro")
    )
    undefined: str = _option("zero", "What 0/0 counts as.", tuple(UNDEFINED_AS))
    blanc: str = _option("official", "Edge cases of BLANC.", POLICIES)
    lea_importance: str | EntityFunction = _option(
        "size", "Weight of an entity in LEA: size, one, or a function.", (), "size|one|MODULE:NAME"
    )
    ceaf_similarity: Similarity | None = _option(
        None, "Similarity for the metric ceaf.", (), "MODULE:NAME"
    )
    mela_weights: tuple[tuple[str, float], ...] = _option(
        (("muc", 1.0), ("b3", 1.0), ("ceafe", 1.0)),
        "Metrics and weights of mela, as in muc=1+b3=1+ceafe=1.",
        (),
        "METRIC=WEIGHT+…",
    )

    def __post_init__(self) -> None:
        """Bring every value into its one form, or refuse it."""
        names: Any = self.metrics
        if not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
            raise OptionError(f"metrics are names, not {names!r}")
        if isinstance(names, str):
            names = tuple(names.replace("+", ",").split(","))
        names = tuple("all" if name.strip().lower() == "all" else name for name in names)
        if "all" in names:
            names = (*DEFAULT, *(n for n in METRICS if n != "ceaf" and n not in DEFAULT), *names)
        wanted = tuple(dict.fromkeys(canonical(name) for name in names if name != "all"))
        if not wanted:
            raise OptionError("no metric asked for")
        object.__setattr__(self, "metrics", wanted)
        for option in fields(self):
            value = getattr(self, option.name)
            if isinstance(option.default, bool) and not isinstance(value, bool):
                raise OptionError(f"{option.name} is True or False, not {value!r}")
            choices = option.metadata["choices"]
            if choices and value not in choices:
                raise unknown(f"value of {option.name}", value, choices)
        object.__setattr__(self, "overlap_threshold", _threshold(self.overlap_threshold))
        if self.repeated == "official" and self.needs_alignment:
            raise OptionError(
                "repeated 'official' is what the scorer v8.01 does; it goes with match 'exact' and "
                "the metrics of that scorer only"
            )
        importance: Any = self.lea_importance
        if not (isinstance(importance, str) and importance in IMPORTANCE):
            function = _function(importance, "lea_importance", IMPORTANCE)
            object.__setattr__(self, "lea_importance", function)
        if self.ceaf_similarity is not None:
            function = _function(self.ceaf_similarity, "ceaf_similarity", ())
            object.__setattr__(self, "ceaf_similarity", function)
        object.__setattr__(self, "mela_weights", _weights(self.mela_weights))

    def base_metrics(self) -> list[str]:
        """The metrics that need statistics: those asked for and the components of averages."""
        names = [part for name in self.metrics for part, _ in components(name, self)]
        return list(dict.fromkeys(names))

    @property
    def needs_alignment(self) -> bool:
        """Whether mentions must be matched one by one, since being equal is not enough."""
        return (
            self.match != "exact"
            or self.zeros == "dependency"
            or any(name in ALIGNED for name in self.base_metrics())
        )

    @property
    def needs_details(self) -> bool:
        """Whether more must be read than counting needs: words, heads, dependencies, parses."""
        return (
            self.match in ("head", "partial", "minspan", "min")
            or self.align == "characters"
            or self.zeros == "dependency"
            or not NEED_DETAILS.isdisjoint(self.base_metrics())
        )

    def signature(self, version: str = __version__) -> str:
        """All options in one line, but for those at their default that cannot change a number.

        `version` is that of the program that made the scores.

        Examples
        --------
        >>> Recipe(metrics="lea").signature()[:40]
        'corefmeter:0.1.0|metrics:lea|match:exact'
        """
        options = (
            (option.name, getattr(self, option.name))
            for option in fields(self)
            if getattr(self, option.name) != option.default or self._matters(option.name)
        )
        return joined([("corefmeter", version), *options])

    def _matters(self, option: str) -> bool:
        """Whether an option can change a number of the metrics asked for."""
        metrics = {
            "blanc": "blanc",
            "lea_importance": "lea",
            "ceaf_similarity": "ceaf",
            "mela_weights": "mela",
        }
        if option == "shared_ids":
            return self.as_one_document
        if option == "overlap_threshold":
            return self.match == "overlap"
        if option == "zeros":
            return self.match != "exact" or "zero" in self.base_metrics()
        return option not in metrics or metrics[option] in {*self.metrics, *self.base_metrics()}

    @classmethod
    def parse(cls, signature: str) -> Recipe:
        """The recipe that a signature describes; options it does not name have their default.

        Raises
        ------
        OptionError
            For an unknown option or value, or text that is not a signature.
        """
        known = {option.name: option for option in fields(cls)}
        values: dict[str, Any] = {}
        for name, text in pairs_of(signature):
            if name == "corefmeter":
                continue
            if name not in known:
                raise unknown("option", name, known)
            if isinstance(known[name].default, bool):
                values[name] = truth_of(name, text)
            elif text == "none":
                values[name] = None
            else:
                values[name] = text
        return cls(**values)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Recipe:
        """The recipe of a shared task or corpus, by name; see `corefmeter.presets`.

        Raises
        ------
        OptionError
            For an unknown name, with the nearest known one.

        Examples
        --------
        >>> recipe = Recipe.preset("corefud2024")
        >>> recipe.match, recipe.zeros, recipe.singletons
        ('head', 'dependency', 'drop')
        """
        from corefmeter.presets import PRESETS

        if name not in PRESETS:
            raise unknown("preset", name, PRESETS)
        return cls(**PRESETS[name].options).but(**changes)

    def but(self, **changes: Any) -> Recipe:
        """The recipe with some options changed.

        Raises
        ------
        OptionError
            For an unknown option, with the nearest known one.
        """
        known = [option.name for option in fields(self)]
        for name in changes:
            if name not in known:
                raise unknown("option", name, known)
        return replace(self, **changes)


def _threshold(value: Any) -> float:
    """A threshold, from a number or text."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise OptionError(f"overlap_threshold: {value!r} is not a number") from None
    if not 0 < number <= 1:
        raise OptionError(f"overlap_threshold: {value!r} is not above 0 and at most 1")
    return number


def _weights(value: Any) -> tuple[tuple[str, float], ...]:
    """Weights of an average, from text ``muc=1+b3=2``, a mapping or pairs."""
    if isinstance(value, str):
        items = (item.partition("=") for item in value.replace(",", "+").split("+"))
        value = [(name, weight if equals else 1) for name, equals, weight in items]
    elif isinstance(value, Mapping):
        value = value.items()
    try:
        value = [(name, weight) for name, weight in value]
    except (TypeError, ValueError):
        raise OptionError(f"mela_weights: {value!r} is not pairs of metric and weight") from None
    weights = []
    for name, weight in value:
        metric = canonical(name)
        if metric in AVERAGES:
            raise OptionError(f"mela_weights: {name!r} is itself an average")
        try:
            number = float(weight)
        except (TypeError, ValueError):
            raise OptionError(f"mela_weights: the weight {weight!r} is not a number") from None
        if not 0 <= number < float("inf"):
            raise OptionError(f"mela_weights: the weight {weight!r} is not 0 or more")
        weights.append((metric, number))
    if not sum(number for _, number in weights):
        raise OptionError("mela_weights: all weights are 0")
    return tuple(weights)


def _function(
    value: Any, option: str, known: Sequence[str] | Mapping[str, Any]
) -> Callable[..., Any]:
    """A function, given itself or as ``module:function``."""
    if callable(value):
        return value  # type: ignore[no-any-return]  # callable, so any value
    if not isinstance(value, str):
        raise OptionError(f"{option} is a function or its name, not {value!r}")
    return _imported(value, option, known)


def _imported(
    name: str, option: str, known: Sequence[str] | Mapping[str, Any]
) -> Callable[..., Any]:
    """The function that ``module:function`` names."""
    module_name, colon, attribute = name.partition(":")
    if not colon:
        raise unknown(f"value of {option}", name, [*known, "MODULE:NAME"])
    from importlib import import_module

    try:
        value: Any = import_module(module_name)
        for part in attribute.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError) as error:
        raise OptionError(
            f"{option}: {name!r} cannot be imported ({error}); a function must have a name of its "
            "own in a module that can be imported"
        ) from None
    if not callable(value):
        raise OptionError(f"{option}: {name!r} is not a function")
    return value  # type: ignore[no-any-return]  # callable, so any value
