"""The arithmetic of formulas on arrays: a metric's one formula scores all resamples at once.

nan is 0/0. Callers silence numpy's warnings about division.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]


class Arrays:
    """`corefmeter.metrics.base.Arithmetic` for arrays of float64."""

    def ratio(self, numerator: Any, denominator: Any) -> Any:
        """Return the quotient; nan where the denominator is 0."""
        quotient = numerator / denominator
        if np.count_nonzero(denominator) == np.size(denominator):
            return quotient
        return np.where(denominator == 0, np.nan, quotient)

    def where(self, condition: Any, yes: Any, no: Any) -> Any:
        """Return `yes` where the condition holds, `no` elsewhere."""
        return np.where(condition, yes, no)

    def total(self, values: Sequence[Any]) -> Any:
        """Return the sum, element by element, in the order given."""
        return reduce(np.add, values)


ARRAYS = Arrays()
