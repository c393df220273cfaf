"""The published experiments by name: what each metric says of responses made on purpose.

Each gives rows of scores and the sentences of the paper about it as `Claim`, which say whether they
hold here, with the numbers. Where a paper leaves open how a response is made, `Experiment.reading`
tells how we read it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from typing import Any, NamedTuple

from corefmeter.corpus.model import Corpus
from corefmeter.metrics import metric_class
from corefmeter.problems import OptionError, unknown
from corefmeter.recipe import Recipe
from corefmeter.wings.lab import luo_2005, moosavi_strube_2016
from corefmeter.wings.lab.outcome import METRICS, Claim, Experiment, Outcome, Response, Setup, Table
from corefmeter.wings.lab.partitions import Seed, generator
from corefmeter.wings.lab.sweep import NOISE
from corefmeter.wings.traditions.metrics.ace_weights import AceWeights, weights_named

#: How many draws the command makes.
DRAWS = 5

#: Called with the number of responses that are scored, and the number of all.
Progress = Callable[[int, int], None]

#: The experiments by name.
EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (*moosavi_strube_2016.EXPERIMENTS, *luo_2005.EXPERIMENTS)
}


def run(
    name: str,
    key: Corpus | None = None,
    response: Corpus | None = None,
    *,
    metrics: Iterable[str] = (),
    seed: Seed = 0,
    noise: float = NOISE,
    weights: AceWeights | str = "ace2005",
    draws: int = 1,
    progress: Progress | None = None,
) -> Outcome:
    """Repeat a published experiment.

    Parameters
    ----------
    name
        A name in `EXPERIMENTS`.
    key, response
        Corpora, for the experiments on real data; without a response the key stands for it where
        that makes sense. For the ACE value of ``luo-sweep`` the key is read with details.
    metrics
        Metrics of the rows, by default `METRICS` and the other scores of the experiment; the claims
        are always checked on those the paper speaks of.
    seed
        Where random choices come from.
    noise
        For ``luo-sweep``: the noise of the synthetic system, see `corefmeter.wings.lab.sweep`.
    weights
        For ``luo-sweep``: the weights of the ACE value, or the name of a table.
    draws
        For ``luo-sweep``: in how many draws, each with the next seed, the claims are checked; the
        first is what is returned.
    progress
        Called with the number of responses that are scored, and the number of all.

    Raises
    ------
    OptionError
        For an unknown experiment or metric, or a missing key or response.

    Examples
    --------
    >>> outcome = run("lea-figure8", metrics=["muc", "b3"])
    >>> [round(value, 2) for value in outcome.f1("muc")]
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    >>> outcome.f1("b3")[-1] > 0.2
    True
    """
    if name not in EXPERIMENTS:
        raise unknown("experiment", name, EXPERIMENTS)
    experiment = EXPERIMENTS[name]
    shown = _names(metrics or (*METRICS, *experiment.others), experiment)
    own = [name for name in shown if name not in experiment.others]
    recipe = Recipe(metrics=tuple(dict.fromkeys([*METRICS, *own])))
    if aligned := [name for name in recipe.base_metrics() if metric_class(name).aligned]:
        raise OptionError(f"{', '.join(aligned)}: needs positions in a text; choose other metrics")
    data = None if key is None else os.path.basename((key.path or "").rstrip(os.sep)) or "in memory"
    if experiment.needs and key is None and experiment.own_key is None:
        raise OptionError(f"the experiment {name!r} needs a key")
    if experiment.needs == "response" and response is None:
        raise OptionError(f"the experiment {name!r} needs a key and a response")
    if not experiment.needs and key is not None:
        raise OptionError(f"the experiment {name!r} has a key of its own; give none")
    if response is not None and not experiment.takes_response:
        raise OptionError(f"the experiment {name!r} makes its responses; give none")
    if not 0 <= noise < inf:
        raise OptionError(f"noise is a number of 0 or more, not {noise}")
    if draws < 1:
        raise OptionError(f"draws is 1 or more, not {draws}")
    table_of_weights = weights_named(weights) if isinstance(weights, str) else weights

    def drawn(seed: Seed, recipe: Recipe, progress: Progress | None = None) -> _Drawn:
        given = key
        if given is None and experiment.own_key is not None:
            seed = generator(seed)  # goes on, so that the key and what is done to it differ
            given = experiment.own_key(seed)
        given = Corpus([]) if given is None else given
        setup = Setup(given, given if response is None else response, seed, noise, table_of_weights)
        made, responses, facts = experiment.make(setup)
        others = {name: partial(other.score, setup) for name, other in experiment.others.items()}
        table = Table(made, responses, recipe, others, progress)
        if experiment.measure is not None:
            facts |= experiment.measure(table, facts)
        return _Drawn(made, responses, facts, table, [*experiment.check(table, facts)])

    first = drawn(seed, recipe, progress)
    facts, claims = first.facts, first.claims
    if experiment.others:
        facts |= {"noise": noise} | ({"seed": seed} if isinstance(seed, int) else {})
    if experiment.draws and draws > 1:
        # Seeds that follow; a generator goes on.
        seeds = [seed + n if isinstance(seed, int) else seed for n in range(1, draws)]
        again = [drawn(one, Recipe(metrics=experiment.draws)).claims for one in seeds]
        claims = [claim.among(others) for claim, *others in zip(claims, *again, strict=True)]
        facts |= {"draws": draws}
    return Outcome(
        experiment,
        shown,
        first.table.rows(first.responses, shown),
        claims,
        first.key,
        first.responses,
        facts,
        recipe.replace(metrics=tuple(own) or METRICS).signature(),
        data,
    )


class _Drawn(NamedTuple):
    """Result of one draw of an experiment."""

    key: Corpus
    responses: list[Response]
    facts: dict[str, Any]
    table: Table
    claims: list[Claim]


def _names(metrics: Iterable[str], experiment: Experiment) -> tuple[str, ...]:
    """Names of metrics and of other scores of an experiment, each once, in order."""
    names: list[str] = []
    for name in metrics:
        other = name.strip().lower() in experiment.others
        names += [name.strip().lower()] if other else Recipe(metrics=(name,)).metrics
    return tuple(dict.fromkeys(names))
