"""What Holen (2013) tabulates of a key entity and a response entity, as if there were no others."""

from __future__ import annotations

from corefmeter.analysis.entities import ISOLATED
from corefmeter.metrics.overlap import Overlap


def isolated_scores(key, response):
    """Scores by metric; of BLANC those of coreference links, since there are no others."""
    table = Overlap([list(key)], [list(response)] if response else [])
    scores = {name: metric.scores(metric.statistics(table)) for name, metric in ISOLATED.items()}
    return scores | {"blanc": scores["blanc"].coreference}


def ranks(values):
    """The rank of each value, 1 for the greatest; equal values share the best of their ranks."""
    return [1 + sum(other > value for other in values) for value in values]
