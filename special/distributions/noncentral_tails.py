"""The upper tails of the noncentral distributions with all their digits, and the quantiles where they are small.

Of a short Poisson mixture the tail is a sum of positive terms; of a longer one it is the contour integral of the
distribution function to the left of its pole, from which the path through the saddle point is far where the tail is
small.  A probability next to 1 says exactly how much is left of 1, so the quantile is as right as that is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..numerics.contours import in_double
from ..numerics.regions import by_region
from ..ufuncs.distribution_rules import Distribution, Reading, difference_by_tails
from ..ufuncs.inverse_searches import refined

NEXT_TO_1 = 0.999
"""Of greater probabilities the upper tail is compared: the difference from 1 has lost 3 digits."""
_SMALL = 2e-3
"""A tail that is less is far from the pole."""
STEPS = 8
"""Of the secant method, from a value with few digits."""
_FARTHEST = 690.0
"""Of the logarithm of a quantile."""

Kernel = Callable[..., Any]


def with_upper_tail(of: Distribution, is_short: Kernel, short: Kernel, integral: Kernel) -> Distribution:
    """The distribution, compared with a probability next to 1 by its upper tail; the kernels are of vectors."""

    def long(*args: Any) -> Any:
        tail = 1 - of.value(*args)
        return np.where(tail < _SMALL, integral(*args), tail)

    @in_double
    def upper(*args: Any) -> Any:
        vectors = np.broadcast_arrays(*args)
        mask = is_short(*vectors)
        return by_region([(mask, short), (~mask, long)], *vectors)

    return of._replace(difference=difference_by_tails(of.value, upper, NEXT_TO_1))


def quantile_next_to_1(quantile: np.ufunc, reading: Reading) -> Kernel:
    """The quantile of vectors, SciPy's where no better one is found."""

    def better(*args: Any) -> Any:
        given = quantile(*args)
        found = refined(reading, given, args, STEPS, lambda z: np.exp(_FARTHEST * z))
        return np.where(np.isnan(found), given, found)

    return better
