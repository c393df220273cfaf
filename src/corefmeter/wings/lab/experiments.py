"""The published experiments by name: what each metric says of responses made on purpose."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from typing import Any

from corefmeter.corpus.model import Corpus
from corefmeter.metrics import metric_class
from corefmeter.problems import OptionError, unknown
from corefmeter.recipe import Recipe
from corefmeter.wings.lab import luo_2005, moosavi_strube_2016
from corefmeter.wings.lab.outcome import METRICS, Claim, Experiment, Made, Outcome, Setup, Table
from corefmeter.wings.lab.partitions import Seed, generator
from corefmeter.wings.lab.sweep import NOISE
from corefmeter.wings.traditions.metrics.ace_weights import AceWeights, weights_named

#: How many draws the command makes.
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
    progress: Callable[[int, int], None] | None = None,
) -> Outcome:
    """Repeat a published experiment.

    Parameters
    ----------
    name
        A name in `EXPERIMENTS`.
    key, response
        Corpora, for the experiments on real data; without a response the key is used where that
        makes sense. For the ACE value of ``luo-sweep`` the key is read with details.
    metrics
        Metrics of the rows, by default `METRICS` and the other scores of the experiment; the claims
        are always checked on those of the paper.
    seed
        Where random choices come from.
    noise, weights, draws
        For ``luo-sweep``: the noise of the synthetic system, the weights of the ACE value or the
        name of their table, and in how many draws, each with the next seed, the claims are checked.
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
        raise OptionError(f"draws is 1 or more, not {draws}")

    table = weights_named(weights) if isinstance(weights, str) else weights

    def draw(seed: Seed, recipe: Recipe, **options: Any) -> tuple[Made, Table, list[Claim]]:
        """Make the corpora of the experiment, score them and check the claims."""
        own_key = key
        if own_key is None and experiment.own_key is not None:
            seed = generator(seed)  # one stream, so that the responses do not repeat the key's
            own_key = experiment.own_key(seed)
        own_key = Corpus([]) if own_key is None else own_key
        setup = Setup(own_key, own_key if response is None else response, seed, noise, table)
        made = experiment.make(setup)
        others = {name: partial(other.score, setup) for name, other in experiment.others.items()}
        scores = Table(made.key, made.responses, recipe, others, **options)
        if experiment.measure is not None:
            made.facts.update(experiment.measure(scores))
        return made, scores, list(experiment.check(scores, made.facts))

    made, scores, claims = draw(seed, recipe, progress=progress)
    if experiment.others:
        made.facts.update({"noise": noise} | ({"seed": seed} if isinstance(seed, int) else {}))
    if experiment.draws and draws > 1:
        # An integer seed is counted up; a generator continues its stream.
        seeds = [seed + n if isinstance(seed, int) else seed for n in range(1, draws)]
        again = [draw(one, Recipe(metrics=experiment.draws))[2] for one in seeds]
        claims = [claim.among(others) for claim, *others in zip(claims, *again, strict=True)]
        made.facts["draws"] = draws
    return Outcome(
        experiment,
        shown,
        scores.rows(made.responses, shown),
        claims,
        *made,
        recipe.replace(metrics=tuple(own) or METRICS).signature(),
        None if key is None else os.path.basename((key.path or "").rstrip(os.sep)) or "in memory",
    )


def _require_usable(
    experiment: Experiment, recipe: Recipe, key: Corpus | None, response: Corpus | None
) -> None:
    """Refuse metrics and corpora that the experiment cannot use, and missing corpora."""
    if aligned := [name for name in recipe.base_metrics() if metric_class(name).aligned]:
        raise OptionError(f"{', '.join(aligned)}: needs positions in a text; choose other metrics")
    the_experiment = f"the experiment {experiment.name!r}"
    if experiment.needs and key is None and experiment.own_key is None:
        raise OptionError(f"{the_experiment} needs a key")
    if experiment.needs == "response" and response is None:
        raise OptionError(f"{the_experiment} needs a key and a response")
    if not experiment.needs and key is not None:
        raise OptionError(f"{the_experiment} has a key of its own; give none")
    if response is not None and not experiment.takes_response:
        raise OptionError(f"{the_experiment} makes its responses; give none")


def _names(metrics: Iterable[str], experiment: Experiment) -> tuple[str, ...]:
    """Return the names of metrics and of other scores of an experiment, each once, in order."""
    names: list[str] = []
    for name in metrics:
        other = name.strip().lower() in experiment.others
        names += [name.strip().lower()] if other else Recipe(metrics=(name,)).metrics
    return tuple(dict.fromkeys(names))
