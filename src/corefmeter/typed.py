"""Types of options and results for type checkers; imported for types only.

A test ensures that these are the names and values of the recipe, the plan and the metrics. Metrics
of other packages have no types: give their options as ``others={...}``, and take their scores as
``result["name"]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, TypedDict

import corefmeter.choices as choices
from corefmeter.metrics.base import Scores
from corefmeter.metrics.options import EntityFunction, Similarity

BlancPolicy: TypeAlias = Literal["official", "luo2014", "corefud", "recasens2011"]
GmdCost: TypeAlias = Literal["basic", "pairs", "information"]
NmiMean: TypeAlias = Literal["arithmetic", "geometric", "min", "max"]

#: The sides of `read`, and the actions of `Scorer` for a document that it already has.
Side: TypeAlias = Literal["key", "response"]
Duplicates: TypeAlias = Literal["error", "keep", "first"]

#: The marks of `read_inline`.
Style: TypeAlias = Literal["brackets", "inside", "tags", "words"]


class RecipeOptions(TypedDict, total=False):
    """The options of `Recipe`, as `score`, `Recipe.replace` and all others take them."""

    metrics: str | Iterable[str]
    match: choices.Match
    overlap_threshold: float
    align: choices.Align
    zeros: choices.Zeros
    singletons: choices.Singletons
    repeated: choices.Repeated
    documents: choices.Documents
    identity: str | Iterable[str] | None
    as_one_document: bool
    shared_ids: bool
    layer: choices.Layer
    split_antecedents: bool
    noise: str | float | None
    average: choices.PooledOrMacro
    undefined: choices.Undefined
    blanc: BlancPolicy
    lea_importance: str | EntityFunction
    ceaf_similarity: str | Similarity | None
    nmi_mean: NmiMean
    gmd_cost: GmdCost
    mela_weights: str | Mapping[str, float] | Iterable[tuple[str, float]]
    others: Mapping[str, Any] | Iterable[tuple[str, Any]]


class PlanOptions(TypedDict, total=False):
    """The options of `Plan` except ``by``, which takes other values than names too."""

    test: Literal["randomization", "bootstrap", "exact", "t"]
    trials: int
    seed: int
    correction: Literal["holm", "bh", "none"]
    alpha: float
    level: float
    interval: Literal["percentile", "bca"]
    score: Literal["f1", "recall", "precision"]
    part: str
    kind: str
    pronouns: str
    baseline: str


class CompareOptions(RecipeOptions, PlanOptions, total=False):
    """The options of `compare`."""


class BlancScores(Scores):
    """The scores of BLANC, with its two parts."""

    coreference: Scores
    noncoreference: Scores


class MetricsOfResult:
    """The metrics of this package as attributes of a result, which has those of its recipe."""

    mentions: Scores
    muc: Scores
    b3: Scores
    ceafm: Scores
    ceafe: Scores
    blanc: BlancScores
    lea: Scores
    ceaf1: Scores
    ceaf2: Scores
    ceaf: Scores
    links: Scores
    rand: Scores
    ari: Scores
    fmi: Scores
    vmeasure: Scores
    nmi: Scores
    vi: Scores
    closest: Scores
    purity: Scores
    gmd: Scores
    mor: Scores
    zero: Scores
    split: Scores
    nonreferring: Scores
    conll: float
    mela: float
