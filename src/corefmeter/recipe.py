"""The recipe: every option that can change a number, in one frozen value.

It prints as a signature and parses back to an equal recipe. The options of the command line and the
arguments of Python are made from its fields.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import Field, dataclass, field, fields
from dataclasses import replace as dataclass_replace
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import corefmeter.choices as choices
from corefmeter._version import __version__
from corefmeter.metrics import (
    DEFAULT,
    METRICS,
    OPTIONS,
    Metric,
    canonical,
    components,
    find,
    metric_class,
    names,
    names_of_all,
    options_of_others,
)
from corefmeter.metrics.options import EntityFunction, Option, Similarity
from corefmeter.problems import (
    CorefmeterWarning,
    OptionError,
    Problem,
    reject_unknown_keywords,
    require_known,
    unknown,
)
from corefmeter.signature import Named, check_version, join_signature, parse_signature, truth_of

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter import typed

#: The field with the options that metrics of other packages declare.
OTHERS = "others"


def option_field(
    default: Any,
    help: str,
    choices: Sequence[str] = (),
    metavar: str | None = None,
    rare: bool = False,
    *,
    group: str,
    matches: bool = False,
    tables: Sequence[Any] | None = (),
    texts: bool = True,
    read: Callable[[Any], Any] | None = None,
    matters_if: Callable[[Recipe], bool] | None = None,
    needs: str | Callable[[], str] = "",
) -> Any:
    """Return a field of a recipe, or of another set of options.

    The help is one sentence, which explanations may follow. A `rare` option is set by ``--set``.
    One that `matches` decides which mentions can be matched. Tables are scored with the default and
    the values `tables`, None for any; without `texts` an option is for tables only. `read` brings
    a value or its text into one form. An option without effect, unless `matters_if` is true of the
    recipe, is refused with what it `needs`; by default an option matters unless it is None.
    """
    metadata = {
        "group": group,
        "help": help,
        "choices": tuple(choices),
        "metavar": metavar,
        "rare": rare,
        "matches": matches,
        "tables": tables if tables is None else (default, *tables),
        "texts": texts,
        "read": read,
        "matters_if": matters_if,
        "needs": needs,
    }
    return field(default=default, metadata=metadata)


#: The headings of the options.
COMPUTED, MATCHING, POLICIES = "What to compute", "Matching", "Policies"
_OF_METRICS = "Options of single metrics"

_matching_option = partial(option_field, group=MATCHING, matches=True)
_policy_option = partial(option_field, group=POLICIES)


def _metric_option(name: str) -> Any:
    """Return the recipe field for an option that a metric declares."""
    option = OPTIONS[name]

    def is_declared(recipe: Recipe) -> bool:
        metrics = map(find, {*recipe.metrics, *recipe.base_metrics()})
        declared = (one.name for metric in metrics for one in metric.options)
        return option.name in declared

    def name_metrics() -> str:
        metrics = [metric for metric in names() if option in find(metric).options]
        return f"the metric {' or '.join(metrics)}"

    return option_field(
        option.default,
        option.help,
        option.choices,
        option.metavar,
        rare=True,
        group=_OF_METRICS,
        tables=None,
        read=option.read,
        matters_if=is_declared,
        needs=name_metrics,
    )


def _read_metric_names(value: Any) -> tuple[str, ...]:
    """Return the names of metrics, from names or text; ``all`` names those that need no text."""
    if not isinstance(value, Iterable) or not all(isinstance(name, str) for name in value):
        raise OptionError(f"metrics are names, not {value!r}")
    names = value.replace("+", ",").split(",") if isinstance(value, str) else list(value)
    wanted = [name for name in names if name.strip().lower() != "all"]
    if len(wanted) < len(names):
        wanted = [*names_of_all(), *wanted]
    if not wanted:
        raise OptionError("no metric is given")
    return tuple(dict.fromkeys(map(canonical, wanted)))


def _read_threshold(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise OptionError(f"overlap_threshold: {value!r} is not a number") from None
    if not 0 < number <= 1:
        raise OptionError(f"overlap_threshold: {value!r} is not above 0 and at most 1")
    return number


def _read_identity(value: Any) -> str | None:
    """Return names joined by ``+``, from names or text; None if there is no name."""
    if value is None:
        return None
    names = re.split("[+,]", value) if isinstance(value, str) else value
    if not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        raise OptionError(f"identity: names of relations or attributes, not {value!r}")
    kept = [name.strip() for name in names if name.strip()]
    if wrong := [name for name in kept if re.search(r"[|:+\s]", name)]:
        raise OptionError(f"identity: {wrong[0]!r} is not the name of a relation or attribute")
    return "+".join(dict.fromkeys(kept)) or None


def _read_noise(value: Any) -> str | None:
    """Return a label as text; None if there is no label."""
    text = None if value is None else str(value)
    if text is not None and (not text or text != text.strip() or "|" in text or "\n" in text):
        raise OptionError(
            f"noise: {value!r} is not a valid label: it must not be empty, begin or end with a "
            "space, or contain | or a line break"
        )
    return text


def _read_value(option: Option, value: Any) -> Any:
    """Return the value of a metric's option in its one form, or refuse it."""
    if option.read is not None:
        try:
            value = option.read(value)
        except (TypeError, ValueError) as error:
            raise OptionError(f"{option.name}: {value!r} is not a valid value: {error}") from None
    if option.choices and value not in option.choices:
        raise unknown(f"value of {option.name}", value, option.choices)
    return value


@dataclass(frozen=True)
class Recipe:
    """The options of a score.

    The fields are the metrics (a sequence of names, or one string) and the policies, which
    ``corefmeter list policies`` explains. If a policy is a function, such as the weight of an
    entity (a list of mentions) for LEA, pass the function or the text ``module:function``. `others`
    has the options of metrics of other packages. All functions that take options also accept these
    options as keyword arguments.

    Raises
    ------
    OptionError
        For an unknown metric or policy; the message suggests the nearest name.

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

    metrics: tuple[str, ...] = option_field(
        DEFAULT,
        "Metrics, such as muc,lea, or all. All selects the metrics that need no text. "
        '"corefmeter list metrics" explains them.',
        tables=None,
        read=_read_metric_names,
        group=COMPUTED,
    )
    match: choices.Match = _matching_option(
        "exact",
        "Which mentions are the same. They have the same tokens; have the same head; lie within "
        "the key mention and cover its head; share enough tokens; have the same core in the key's "
        "parse; lie within the key mention and cover its MIN; or have a piece within the first "
        "piece of the key mention.",
        get_args(choices.Match),
    )
    overlap_threshold: float = _matching_option(
        0.5,
        "With --match overlap, the minimum Dice coefficient.",
        metavar="NUMBER",
        rare=True,
        read=_read_threshold,
        matters_if=lambda recipe: recipe.match == "overlap",
        needs="match 'overlap'",
    )
    align: choices.Align = _matching_option(
        "tokens",
        "How positions are compared. With characters, the two sides may have different tokens.",
        get_args(choices.Align),
        rare=True,
    )
    zeros: choices.Zeros = _matching_option(
        "position",
        "Which zeros are the same. Zeros are mentions headed by an empty node. Empty nodes have a "
        "position and a dependency.",
        get_args(choices.Zeros),
        rare=True,
        matters_if=lambda recipe: recipe.match != "exact" or recipe._shows("zeros"),
        needs="a match other than 'exact' or the metric zero: equal positions are equal zeros",
    )
    singletons: choices.Singletons = _policy_option(
        "keep",
        "Entities of one mention. They are scored; are left out of both sides; are left out of the "
        "key; or are left out of the response.",
        get_args(choices.Singletons),
        matches=True,
        tables=None,
    )
    repeated: choices.Repeated = _policy_option(
        "first",
        "A mention that occurs twice on one side. It belongs to the first of its entities; is an "
        "error; merges its entities; counts once for each; or counts as in the scorer v8.01.",
        get_args(choices.Repeated),
        matches=True,
        tables=("error",),
    )
    documents: choices.Documents = _policy_option(
        "official",
        "Documents that only the response has, or that occur twice. The former are ignored "
        "(official, concatenate) or spurious (strict); the latter are rejected, or joined "
        "(concatenate).",
        get_args(choices.Documents),
        rare=True,
        matches=True,
        tables=("strict",),
    )
    identity: str | None = _policy_option(
        None,
        "Relations of brat and WebAnno, or attributes of MMAX2, that mean identity, instead of "
        "the known names. Join several with +.",
        metavar="NAME",
        rare=True,
        matches=True,
        read=_read_identity,
    )
    as_one_document: bool = _policy_option(False, "Score all documents as one (cross-document).")
    shared_ids: bool = _policy_option(
        False,
        "With --as-one-document, entity ids mean the same in every document.",
        rare=True,
        matters_if=lambda recipe: recipe.as_one_document,
        needs="as_one_document",
    )
    layer: choices.Layer = _policy_option(
        "identity",
        "Which entities to score if a file also has entities of discourse deixis.",
        get_args(choices.Layer),
        rare=True,
        matches=True,
    )
    split_antecedents: bool = _policy_option(
        False,
        "Count the antecedents of a plural mention (they: Ann and Bob) as one set; a partly "
        "right set gets partial credit.",
        rare=True,
        matches=True,
        matters_if=lambda recipe: any(metric.sets for metric in recipe._metrics()),
        needs=lambda: (
            "a metric of " + ", ".join(name for name in METRICS if metric_class(name).sets)
        ),
    )
    noise: str | None = _policy_option(
        None,
        "Label of items that are in no cluster, such as -1. Each becomes a singleton.",
        metavar="LABEL",
        tables=None,
        texts=False,
        read=_read_noise,
    )
    average: choices.PooledOrMacro = _policy_option(
        "pooled",
        "How documents are combined. Their counts are summed, or their scores averaged.",
        get_args(choices.PooledOrMacro),
        rare=True,
        tables=None,
    )
    undefined: choices.Undefined = _policy_option(
        "zero",
        "Value of 0/0. Skipped scores are left out of means.",
        get_args(choices.Undefined),
        rare=True,
        tables=None,
    )
    blanc: typed.BlancPolicy = _metric_option("blanc")
    lea_importance: str | EntityFunction = _metric_option("lea_importance")
    ceaf_similarity: Similarity | None = _metric_option("ceaf_similarity")
    nmi_mean: typed.NmiMean = _metric_option("nmi_mean")
    gmd_cost: typed.GmdCost = _metric_option("gmd_cost")
    mela_weights: tuple[tuple[str, float], ...] = _metric_option("mela_weights")
    others: tuple[tuple[str, Any], ...] = option_field(
        (),
        "An option of a metric of another package; may be repeated.",
        metavar="NAME=VALUE",
        rare=True,
        tables=None,
        group=_OF_METRICS,
    )

    if TYPE_CHECKING:  # fields hold converted options

        def __init__(self, **options: Unpack[typed.RecipeOptions]) -> None: ...

    def __post_init__(self) -> None:
        """Bring every value into its one form, or refuse it."""
        for option in fields(self):
            value = getattr(self, option.name)
            if isinstance(option.default, bool) and not isinstance(value, bool):
                raise OptionError(f"{option.name} is True or False, not {value!r}")
            choices = option.metadata["choices"]
            if choices and value not in choices:
                raise unknown(f"value of {option.name}", value, choices)
            if (read := option.metadata["read"]) is not None:
                object.__setattr__(self, option.name, read(value))
        if self.repeated == "official":
            official = "repeated 'official' is what the scorer v8.01 does, which"
            if self.matches_nearly or self.as_one_document:
                raise OptionError(f"{official} matches exactly and scores each document alone")
            if self.split_antecedents:
                raise OptionError(f"{official} has no split_antecedents")
        object.__setattr__(self, OTHERS, self._read_others())

    def _read_others(self) -> tuple[tuple[str, Any], ...]:
        """Return each option of the metrics of other packages with its value, or its default."""
        try:
            given = dict(self.others)
        except (TypeError, ValueError):
            raise OptionError(f"others: {self.others!r} is not pairs of name and value") from None
        ours = names()
        declared = {
            option.name: option
            for name in (*self.metrics, *self.base_metrics())
            if name not in ours
            for option in find(name).options
            if option.name not in OPTIONS
        }
        for name in given:
            if name not in declared:
                raise unknown("option", name, [*_FIELDS, *declared])
        return tuple(
            (name, _read_value(option, given.get(name, option.default)))
            for name, option in declared.items()
        )

    if not TYPE_CHECKING:  # a checker shall find misspelt names

        def __getattr__(self, name: str) -> Any:
            """The value of an option of another package's metric."""
            if not name.startswith("_") and name != OTHERS:
                for known, value in self.others:
                    if known == name:
                        return value
            raise AttributeError(f"a recipe has no attribute {name!r}")

    def base_metrics(self) -> list[str]:
        """Return the metrics that need statistics: requested metrics and components of averages."""
        names = [part for name in self.metrics for part, _ in components(name, self)]
        return list(dict.fromkeys(names))

    @property
    def matches_nearly(self) -> bool:
        """Whether mentions that are not equal can match."""
        return self.match != "exact" or self.zeros == "dependency"

    def _metrics(self) -> list[type[Metric]]:
        """Return the metrics that need statistics."""
        return [metric_class(name) for name in self.base_metrics()]

    def _shows(self, option: str) -> bool:
        """Return whether a requested metric shows the effect of an option."""
        return any(option in metric.shows for metric in self._metrics())

    @property
    def needs_details(self) -> bool:
        """Whether scoring needs annotation such as words, heads, dependencies or parses."""
        return (
            self.match in ("head", "partial", "minspan", "min")
            or self.align == "characters"
            or self.zeros == "dependency"
            or self.split_antecedents
            or bool(self.scored_relations)
            or any(metric.details for metric in self._metrics())
        )

    @property
    def scored_relations(self) -> frozenset[str]:
        """Return the relation types that are scored; see `corpus.relations.KINDS`."""
        metrics = self._metrics()
        kinds = {kind for metric in metrics for kind in metric.relations}
        if self.split_antecedents and any(metric.sets for metric in metrics):
            kinds.add("split")
        if self.layer == "deixis":
            kinds.add("deixis")
        return frozenset(kinds)

    def signature(self, version: str = __version__) -> str:
        """Return all options in one line, except defaults that cannot change a number.

        `version` is the version of corefmeter that computed the scores.

        Examples
        --------
        >>> Recipe(metrics="lea").signature("1.0.0")[:40]
        'corefmeter:1.0.0|metrics:lea|match:exact'
        """
        options = [
            (option.name, getattr(self, option.name))
            for option in fields(self)
            if option.name != OTHERS
            and (getattr(self, option.name) != option.default or self._matters(option))
        ]
        return join_signature([("corefmeter", version), *options, *self.others])

    def _matters(self, option: Field[Any]) -> bool:
        """Return whether an option can change a number of the metrics asked for."""
        matters_if = option.metadata["matters_if"]
        if matters_if is None:
            return getattr(self, option.name) is not None
        return bool(matters_if(self))

    @classmethod
    def parse(cls, signature: str, noticed: list[Problem] | None = None) -> Recipe:
        """Return the recipe of a signature; options that it does not name keep their defaults.

        Functions that it names are not imported. Their names suffice to show and compare results.
        To score with the recipe, pass the functions again, as in
        ``recipe.replace(lea_importance=function)``.

        Parameters
        ----------
        signature
            The text. Without a version, the current version is assumed.
        noticed
            A list that collects the warning about another version. By default, Python warns.

        Raises
        ------
        DataError
            ``other-version`` if scores have changed since the version of the signature.
        OptionError
            For an unknown option or value, or text that is not a signature.
        """
        known = {name: option for name, option in _FIELDS.items() if name != OTHERS}
        values: dict[str, Any] = {}
        others: dict[str, Any] = {}
        for name, text in parse_signature(signature):
            if name == "corefmeter":
                continue
            text = Named(text) if ":" in text else text
            if name not in known:
                others[name] = text
            elif isinstance(known[name].default, bool):
                values[name] = truth_of(name, text)
            elif text == "none" and name != "noise":  # without noise, no signature names it
                values[name] = None
            else:
                values[name] = text
        recipe = cls(**values, others=tuple(others.items()))
        problems = check_version(signature, recipe.signature())
        if noticed is not None:
            noticed += problems
        else:
            for problem in problems:
                warnings.warn(str(problem), CorefmeterWarning, stacklevel=2)
        return recipe

    @classmethod
    def preset(cls, name: str, **changes: Unpack[typed.RecipeOptions]) -> Recipe:
        """Return the recipe of a shared task or corpus, by name; see `corefmeter.presets`.

        Raises
        ------
        OptionError
            For an unknown name; the message suggests the nearest one.

        Examples
        --------
        >>> recipe = Recipe.preset("corefud2024")
        >>> recipe.match, recipe.zeros, recipe.singletons
        ('head', 'dependency', 'drop')
        """
        from corefmeter.presets import PRESETS

        require_known("preset", name, PRESETS)
        return cls(**PRESETS[name].options).asked(**changes)

    def but(self, **changes: Unpack[typed.RecipeOptions]) -> Recipe:
        """Call `replace` and issue a deprecation warning."""
        warnings.warn("Recipe.but is now Recipe.replace", DeprecationWarning, stacklevel=2)
        return self.replace(**changes)

    def replace(self, **changes: Unpack[typed.RecipeOptions]) -> Recipe:
        """Return a copy of the recipe with some options changed.

        Raises
        ------
        OptionError
            For an unknown option; the message suggests the nearest one.
        """
        own: dict[str, Any] = {name: one for name, one in changes.items() if name in _FIELDS}
        others = {name: value for name, value in changes.items() if name not in own}
        if others or (OTHERS not in own and own.keys() & {"metrics", "mela_weights"}):
            # Options of metrics that are not asked for any more go with them.
            with_defaults = dataclass_replace(self, **(own | {OTHERS: ()}))
            declared = dict(with_defaults.others)
            kept = {name: value for name, value in self.others if name in declared}
            own[OTHERS] = tuple((kept | dict(own.get(OTHERS, ())) | others).items())
        return dataclass_replace(self, **own)

    def asked(self, **options: Unpack[typed.RecipeOptions]) -> Recipe:
        """Return the recipe with the options of a call; reject options without effect.

        Only the options of this call are checked, because a preset may set options of metrics that
        are not requested.

        Raises
        ------
        OptionError
            For an unknown option, and for an option that cannot change a number.

        Examples
        --------
        >>> Recipe().asked(overlap_threshold=0.7)
        Traceback (most recent call last):
        ...
        corefmeter.problems.OptionError: overlap_threshold has no effect without match 'overlap'
        """
        recipe = self.replace(**options)
        for name, value in options.items():
            if name not in _FIELDS or value is None or value is False:
                continue
            if name == "zeros" and "dependency" in (self.zeros, recipe.zeros):
                continue  # it turns a step of the matching on or off, whatever the other options
            option = _FIELDS[name]
            if not recipe._matters(option):
                needs = option.metadata["needs"]
                needed = needs() if callable(needs) else needs
                raise OptionError(f"{name} has no effect without {needed}")
        return recipe


def recipe_of(recipe: Recipe | None, **options: Unpack[typed.RecipeOptions]) -> Recipe:
    """Return the recipe for a call: the one given, or the default, with its options."""
    if not isinstance(recipe, Recipe | None):
        raise OptionError(
            f"{str(recipe)!r:.60} is not a Recipe; give metrics as metrics=['muc', …], presets as "
            "Recipe.preset(NAME)"
        )
    return (recipe or Recipe()).asked(**options)


#: All fields by name.
_FIELDS = {option.name: option for option in fields(Recipe)}

#: Those that decide which mentions are matched.
MATCHED = tuple(name for name, option in _FIELDS.items() if option.metadata["matches"])


#: The options of the default metrics.
_OF_DEFAULT = ("split_antecedents", "blanc", "lea_importance")


def usual_signature() -> str:
    """Return the signature of the default recipe, without importing its metrics."""
    usual = [
        (name, option.default)
        for name, option in _FIELDS.items()
        if name in _OF_DEFAULT
        or (option.metadata["matters_if"] is None and option.default not in (None, ()))
    ]
    return join_signature([("corefmeter", __version__), *usual])


def option_names() -> list[str]:
    """Return the options of `Recipe.replace`: fields, and options of metrics of other packages."""
    return [*_FIELDS, *options_of_others()]


# Types: the signature stays the same.
Recipe.__init__ = reject_unknown_keywords()(Recipe.__init__)  # type: ignore[method-assign]
