"""The weights of the ACE value: tables by name, changes of single ones, and their signature.

The signature names the table, all weights that differ from it, and how documents on one side only
are treated. Names of types, classes and levels are percent-encoded in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any
from urllib.parse import quote, unquote

from corefmeter._version import __version__
from corefmeter.corpus.pairing import DOCUMENTS
from corefmeter.problems import OptionError, unknown
from corefmeter.signature import join_signature, parse_signature, truth_of

#: No weight is greater, so that products of some of them are numbers.
GREATEST = 1e50

_WEIGHTING = ("mention", "level")

#: The fields that hold weights of types, classes and levels, by the name of one weight.
_GROUPS = {"type": "types", "class": "classes", "level": "levels"}

#: Settings other than weights.
_OTHERS = ("weighting", "mapping", "metonymic")


@dataclass(frozen=True)
class AceWeights:
    """All weights of the ACE value; docs/ace.md has the formulas.

    A weight that is no number of 0 or more, and an unknown weighting, are an `OptionError`.
    """

    name: str = "custom"
    #: The weight of each entity type, entity class and mention level; ``*`` is any other. What the
    #: data do not say weighs 1.
    types: Mapping[str, float] = field(default_factory=lambda: {"*": 1.0})
    classes: Mapping[str, float] = field(default_factory=lambda: {"*": 1.0})
    levels: Mapping[str, float] = field(default_factory=lambda: {"*": 1.0})
    #: Factors of an entity whose attribute differs.
    type_error: float = 1.0
    subtype_error: float = 1.0
    class_error: float = 1.0
    #: Factors of a mention whose attribute differs.
    level_error: float = 1.0
    role_error: float = 1.0
    style_error: float = 1.0
    #: Factor of an entity without partner.
    false_alarm: float = 0.75
    #: Factors of its mentions: of each; of each that corresponds to a mention of the key, too.
    false_alarm_mention: float = 1.0
    false_alarm_known: float = 1.0
    #: Factors of the mentions without partner in an entity that has one: of each; of each that
    #: corresponds to another mention of the key, too.
    surplus: float = 0.75
    surplus_known: float = 1.0
    #: The least part of the longer head that two corresponding mentions share; and of its letters
    #: and digits that are one run in both, or 0 when texts are not compared.
    head_overlap: float = 0.3
    text_overlap: float = 0.3
    #: ``mention``: an entity is worth the sum of its mentions; ``level``: it is worth the weight of
    #: its highest level, which its mentions share in proportion.
    weighting: str = "mention"
    #: The weighting by which entities are mapped, where it is another.
    mapping: str | None = None
    #: Whether a metonymic name (style METONYMIC) counts as nominal for the level of its entity.
    metonymic: bool = False
    #: Where the numbers come from.
    source: str = ""

    def __post_init__(self) -> None:
        """Refuse weights that are not numbers from 0 to `GREATEST`, and unknown weightings."""
        numbers: dict[str, Any] = {}
        for group in _GROUPS.values():
            weights = getattr(self, group)
            numbers |= {f"{group}:{name}": weight for name, weight in weights.items()}
        numbers |= {name: getattr(self, name) for name in FACTORS}
        for label, value in numbers.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise OptionError(f"the weight {label} is {value!r}, not a number")
            if not 0 <= value <= GREATEST:
                raise OptionError(f"the weight {label} is {value!r}; it must be from 0 to 1e50")
        for value in (self.weighting, self.mapping or self.weighting):
            if value not in _WEIGHTING:
                raise unknown("weighting", value, _WEIGHTING)

    def replace(self, settings: Iterable[str]) -> AceWeights:
        """Return these weights with changes ``NAME=VALUE``; the name is then marked with ``*``.

        A name is that of a field, or ``type:PER``, ``class:GEN``, ``level:NOM`` (``type:*`` for
        all that have no weight of their own).

        Examples
        --------
        >>> weights = TABLES["ace2005"].replace(["class:GEN=0.1", "type_error=0.4"])
        >>> weights.name, weights.classes["GEN"], weights.type_error
        ('ace2005*', 0.1, 0.4)
        """
        changed: dict[str, Any] = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            group, colon, label = name.partition(":")
            if not equals:
                raise OptionError(f"{setting!r} is not NAME=VALUE, as in type:PER=1")
            if colon and group in _GROUPS:
                name = _GROUPS[group]
                weights = changed.get(name, getattr(self, name))
                changed[name] = {**weights, label: _parse_number(setting, value)}
            elif name in ("weighting", "mapping"):
                changed[name] = value
            elif name == "metonymic":
                if value not in ("0", "1"):
                    raise OptionError(f"{setting!r}: metonymic is 0 or 1")
                changed[name] = value == "1"
            elif name in FACTORS:
                changed[name] = _parse_number(setting, value)
            else:
                groups = (f"{group}:NAME" for group in _GROUPS)
                raise unknown("weight", name, [*FACTORS, *_OTHERS, *groups])
        if not changed:
            return self
        return replace(self, name=self.name.removesuffix("*") + "*", **changed)

    def signature(self, documents: str = DOCUMENTS[0], version: str = __version__) -> str:
        """Return the table, all weights that differ from it, and the policy of documents.

        A table with a name that is not in `TABLES` is called ``custom`` and compared with the
        default of every weight; an entry that it lacks is ``none``.

        Examples
        --------
        >>> table = TABLES["ace2007"].replace(["class:GEN=0.1", "weighting=mention"])
        >>> table.signature(version="1.0.0")
        'corefmeter:1.0.0|ace:ace2007|classes:GEN=0.1|weighting:mention|documents:official'
        """
        base = TABLES.get(self.name.removesuffix("*"), AceWeights())
        pairs: list[tuple[str, Any]] = [("corefmeter", version), ("ace", base.name)]
        for option, value in self.to_dict().items():
            usual = getattr(base, option)
            if option in ("name", "source") or value == usual:
                continue
            if option in _GROUPS.values():
                value = tuple(
                    (quote(label, safe="*", errors="surrogatepass"), value.get(label))
                    for label in sorted({*value, *usual})
                    if value.get(label) != usual.get(label)
                )
            pairs.append((option, value))
        return join_signature([*pairs, ("documents", documents)])

    def to_dict(self) -> dict[str, Any]:
        """Convert all weights to JSON values."""
        return {
            name: dict(value) if isinstance(value, Mapping) else value
            for name, value in vars(self).items()
        }


#: The weights that are one number each.
FACTORS = tuple(option.name for option in fields(AceWeights) if option.type == "float")


def _parse_number(setting: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise OptionError(f"{setting!r}: {value!r} is not a number") from None


_TYPES_2005 = dict.fromkeys(("PER", "ORG", "GPE", "LOC", "FAC", "VEH", "WEA"), 1.0)
_TYPES_2003 = {"PER": 1.0, "ORG": 0.5, "GPE": 0.25, "LOC": 0.1, "FAC": 0.05}
_LEVELS_2003 = {"NAM": 1.0, "NOM": 0.2, "PRO": 0.04, "PRE": 0.0}

_ACE2007 = AceWeights(
    name="ace2007",
    types=_TYPES_2005,
    classes={"SPC": 1.0, "GEN": 0.0, "NEG": 0.0, "USP": 0.0},
    levels={"NAM": 1.0, "NOM": 0.5, "PRO": 0.1, "PRE": 0.0},
    type_error=0.5,
    subtype_error=0.9,
    class_error=0.75,
    level_error=0.9,
    role_error=0.9,
    style_error=0.9,
    weighting="level",
    source="Parameters of NIST's scoring program ace07-v01, with its default, level weighting.",
)
_BEFORE_2007 = replace(_ACE2007, surplus=0.0, weighting="mention")

_ACE2003 = replace(
    _BEFORE_2007,
    name="ace2003",
    types=_TYPES_2003,
    levels=_LEVELS_2003,
    subtype_error=1.0,
    source="From memory: type weights and false alarms of the 2003 plan. The level "
    "weights are confirmed by a set called original in a later program; error factors and "
    "the mapping of mentions are those of the program of 2005; there were no subtypes.",
)
_ACE2004 = replace(
    _BEFORE_2007,
    name="ace2004",
    types={**_TYPES_2003, "VEH": 0.05, "WEA": 0.05},
    levels=_LEVELS_2003,
    source="From memory, like ace2003. We do not know the weights of VEH and WEA, new in 2004; "
    "they weigh as much as FAC.",
)
_ACE2005 = replace(
    _BEFORE_2007,
    name="ace2005",
    false_alarm_mention=0.75,
    false_alarm_known=0.0,
    source="Parameters of NIST's scoring program ace05-v03; we have not seen those of the final "
    "version 14. That version compares the key's head with itself by mistake; here the "
    "heads of both sides are compared.",
)
_ACE2008 = replace(
    _ACE2007,
    name="ace2008",
    classes={"SPC": 1.0, "GEN": 1e-8, "NEG": 1e-8, "USP": 1e-8},
    text_overlap=0.0,
    mapping="mention",
    metonymic=True,
    source="Parameters of NIST's scoring program ace08-v08: mapped by mention weights, "
    "scored by levels.",
)

#: The named tables of weights. Those of 2003 and 2004 rest on memory.
TABLES = {table.name: table for table in (_ACE2003, _ACE2004, _ACE2005, _ACE2007, _ACE2008)}


def weights_named(name: str) -> AceWeights:
    """Return a table of weights; an unknown name is an `OptionError`."""
    if name not in TABLES:
        raise unknown("table of weights", name, TABLES)
    return TABLES[name]


def ace_options(signature: str) -> tuple[AceWeights, str]:
    """Return the weights and the policy of documents that a signature describes."""
    values = dict(parse_signature(signature))
    values.pop("corefmeter", None)
    if "ace" not in values:
        raise OptionError("not the signature of an ACE value: it names no table, as in ace:ace2005")
    name = values.pop("ace")
    base = AceWeights() if name == AceWeights.name else weights_named(name)
    documents = values.pop("documents", DOCUMENTS[0])
    if documents not in DOCUMENTS:
        raise unknown("value of documents", documents, DOCUMENTS)
    changed = {option: _parse_option(base, option, text) for option, text in values.items()}
    return replace(base, name=f"{name}*" if changed else name, **changed), documents


def _parse_option(base: AceWeights, option: str, text: str) -> Any:
    """Return the value of an option that a signature gives as text, as it differs from a table."""
    if option in FACTORS:
        return _parse_number(f"{option}:{text}", text)
    if option in ("weighting", "mapping"):
        return None if text == "none" else text
    if option == "metonymic":
        return truth_of(option, text)
    if option not in _GROUPS.values():
        raise unknown("option", option, [*_GROUPS.values(), *FACTORS, *_OTHERS, "documents"])
    weights = dict(getattr(base, option))
    for item in text.split("+"):
        label, _, number = item.partition("=")
        label = unquote(label, errors="surrogatepass")
        if number == "none":
            weights.pop(label, None)
        else:
            weights[label] = _parse_number(f"{option}:{item}", number)
    return weights
