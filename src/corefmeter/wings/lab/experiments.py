"""The published experiments by name, and the function that repeats one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from math import inf

from corefmeter.corpus.model import Corpus
from corefmeter.metrics import metric_class
from corefmeter.problems import OptionError, unknown
from corefmeter.recipe import Recipe
from corefmeter.wings.lab import luo_2005, moosavi_strube_2016
from corefmeter.wings.lab.outcome import (
    METRICS,
    Claim,
    Data,
    Experiment,
    OnProgress,
    Outcome,
    Setup,
    Table,
)
from corefmeter.wings.lab.partitions import Seed, generator
from corefmeter.wings.lab.sweep import NOISE
from corefmeter.wings.traditions.metrics.ace_weights import AceWeights, weights_named

#: The number of draws of the command.
DRAWS = 5

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
    progress: OnProgress = None,
) -> Outcome:
    """Repeat a published experiment.

    Parameters
    ----------
    name
        A name in `EXPERIMENTS`.
    key, response
        Corpora, for the experiments on real data. Some experiments take the key as the response if
        there is none. For the ACE value of ``luo-sweep`` the key must be read with details.
    metrics
        Metrics of the rows, by default `METRICS` and the other scores of the experiment. The claims
        are always checked with the metrics of the paper.
    seed
        Seed of the random choices.
    noise, weights, draws
        For ``luo-sweep``: the noise of the synthetic system, the weights of the ACE value (or the
        name of their table), and the number of draws, each with the next seed, in which the claims
        are checked.
    progress
        Called with the number of scored responses and the number of all responses.

    Raises
    ------
    OptionError
        For an unknown experiment or metric, or a missing key or response.

    Examples
    --------
    >>> outcome = run("lea-figure8", metrics=["muc", "b3"])
    >>> [round(value, 2) for value in outcome.f1("muc")]
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    if name not in EXPERIMENTS:
        raise unknown("experiment", name, EXPERIMENTS)
    experiment = EXPERIMENTS[name]
    shown = _names(metrics or (*METRICS, *experiment.others), experiment)
    own = [name for name in shown if name not in experiment.others]
    recipe = Recipe(metrics=tuple(dict.fromkeys([*METRICS, *own])))
    _require_usable(experiment, recipe, key, response)
    if not 0 <= noise < inf:
        raise OptionError(f"noise must be a number of 0 or more, not {noise}")
    if draws < 1:
        raise OptionError(f"draws must be 1 or more, not {draws}")
    if isinstance(weights, str):
        weights = weights_named(weights)
    own_key = experiment.own_key if key is None else None
    given_key = Corpus([]) if key is None else key
    setup = Setup(given_key, given_key if response is None else response, seed, noise, weights)
    data, table, claims = _carry_out(experiment, setup, own_key, recipe, progress)
    if experiment.others:
        data.facts["noise"] = noise
        if isinstance(seed, int):
            data.facts["seed"] = seed
    if experiment.draws and draws > 1:
        further = []
        for number in range(1, draws):
            # An integer seed is counted up; a generator continues its stream.
            setup = setup._replace(seed=seed + number if isinstance(seed, int) else seed)
            of_draw = Recipe(metrics=experiment.draws)
            further.append(_carry_out(experiment, setup, own_key, of_draw)[2])
        claims = [claim.add_draws(again) for claim, *again in zip(claims, *further, strict=True)]
        data.facts["draws"] = draws
    path = given_key.path or ""
    return Outcome(
        experiment,
        shown,
        table.rows(shown),
        claims,
        key=data.key,
        responses=data.responses,
        facts=data.facts,
        signature=recipe.replace(metrics=tuple(own) or METRICS).signature(),
        data=None if key is None else os.path.basename(path.rstrip(os.sep)) or "in memory",
    )


def _carry_out(
    experiment: Experiment,
    setup: Setup,
    own_key: Callable[[Seed], Corpus] | None,
    recipe: Recipe,
    progress: OnProgress = None,
) -> tuple[Data, Table, list[Claim]]:
    """Make the corpora of an experiment, score them and check the claims."""
    if own_key is not None:
        # One stream, so that the responses do not repeat the key's draws.
        stream = generator(setup.seed)
        setup = setup._replace(key=own_key(stream), seed=stream)
    data = experiment.make(setup)
    others = {name: partial(other.score, setup) for name, other in experiment.others.items()}
    table = Table(data, recipe, others, progress)
    return data, table, list(experiment.check(table))


def _require_usable(
    experiment: Experiment, recipe: Recipe, key: Corpus | None, response: Corpus | None
) -> None:
    if aligned := [name for name in recipe.base_metrics() if metric_class(name).aligned]:
        raise OptionError(f"{', '.join(aligned)}: needs positions in a text; choose other metrics")
    name = f"the experiment {experiment.name!r}"
    if experiment.needs and key is None and experiment.own_key is None:
        raise OptionError(f"{name} needs a key")
    if experiment.needs == "response" and response is None:
        raise OptionError(f"{name} needs a key and a response")
    if not experiment.needs and key is not None:
        raise OptionError(f"{name} has a key of its own; leave out KEY")
    if response is not None and not experiment.takes_response:
        raise OptionError(f"{name} makes its responses; leave out RESPONSE")


def _names(metrics: Iterable[str], experiment: Experiment) -> tuple[str, ...]:
    """Return the names of metrics and of other scores of an experiment, each once, in order."""
    names: list[str] = []
    for metric in metrics:
        name = metric.strip().lower()
        names += [name] if name in experiment.others else Recipe(metrics=(metric,)).metrics
    return tuple(dict.fromkeys(names))
