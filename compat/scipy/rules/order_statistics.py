"""`scipy.stats`: slopes by medians, the test of Shapiro and Wilk, distances of samples, and what only ranks decide.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.scipy.stats import shapiro, siegelslopes
>>> np.grad(lambda y: siegelslopes(y).slope)(np.array([0.0, 1.0, 2.5, 3.0, 9.0])).round(3)
array([ 0.  , -0.75,  0.5 ,  0.25,  0.  ])
>>> np.grad(lambda x: shapiro(x).statistic)(np.array([0.0, 1.0, 2.5, 3.0, 9.0])).round(3)
array([-0.068,  0.009,  0.021,  0.067, -0.029])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.stats import _ansari_swilk_statistics, _stats_pythran
from scipy.stats import _stats as _scipy_stats

from ....complex_autograd.engine.dispatch import lowered
from ....complex_autograd.engine.forward import constant
from ....complex_autograd.engine.operands import as_operand
from ....complex_autograd.engine.traced import Traced, raw
from ....special import ndtr
from ...rebinding import Around
from .leaves import leaf, plain_or_none
from .values import moved_to

__all__: list[str] = []


# the median over i of the medians over j of the slopes from the point i to the points j
@leaf("scipy.stats._stats_pythran")
def siegelslopes(y: Any, x: Any, method: str) -> Any:
    """The slope and the intercept of a line by repeated medians: what `scipy.stats.siegelslopes` computes."""
    plain = plain_or_none(y, x)
    if plain is not None:
        return _stats_pythran.siegelslopes(*plain, method)
    x, y = as_operand(x), as_operand(y)
    slopes, intercepts = [], []
    for i in range(x.shape[0]):
        others = raw(x) != raw(x)[i]
        across = x[i] - x[others]
        slopes.append(np.median((y[i] - y[others]) / across))
        if method == "separate":
            intercepts.append(np.median((y * x[i] - y[i] * x)[others] / across))
    slope = np.median(np.stack(slopes))
    return slope, np.median(np.stack(intercepts) if intercepts else y - slope * x)


def _of_traced_values(original: Callable[..., Any]) -> Callable[..., Any]:
    """A distance of two distributions, one of which may be plain: it calls a method of each with values of both."""

    def distance(p: Any, u_values: Any, v_values: Any, *weights: Any) -> Any:
        values = [as_operand(u_values), as_operand(v_values)]
        if plain_or_none(*values) is None:
            values = [v if type(v) is Traced else constant(v) for v in values]
        return original(p, *values, *weights)

    return distance


leaf("scipy.stats._stats_py", "_cdf_distance")(Around(_of_traced_values))


@leaf("scipy.stats._stats")
def _weightedrankedtau(x: Any, y: Any, rank: Any, weigher: Any, additive: Any) -> Any:
    """The weighted tau of Kendall, which is constant between its jumps."""
    return _scipy_stats._weightedrankedtau(*lowered([x, y, rank]), weigher, additive)


# W = (sum_i a_i x_i)^2 / sum_i (x_i - mean)^2 of values in ascending order. What is normal is, with moments
# m and log s that are polynomials, log(1 - W) in log n from 12 values on, and -log(c - log(1 - W)) in n for fewer; of
# three the distribution of W is known [R95].
_FEW = ((0.5440, -0.39978, 0.025054, -6.714e-4), (1.3822, -0.77857, 0.062767, -0.0020322))
_MANY = ((-1.5861, -0.31082, -0.083751, 0.0038915), (-0.4803, -0.082676, 0.0030302))
_LIMIT = (-2.273, 0.459)


def _shapiro(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """The test of Shapiro and Wilk: `scipy.stats.shapiro`, along axes and with NaN as SciPy's."""
    names = theirs.__wrapped__.__globals__  # type: ignore[attr-defined]

    @names["_axis_nan_policy_factory"](names["ShapiroResult"], n_samples=1, too_small=2, default_axis=None)  # type: ignore[untyped-decorator]
    def shapiro(x: Any) -> Any:
        found = theirs.__wrapped__(lowered(x))  # type: ignore[attr-defined]
        if plain_or_none(x) is not None or found.statistic == 1:  # all values are equal
            return found
        x = np.sort(np.ravel(as_operand(x)).astype(np.float64))
        n, half = x.shape[0], x.shape[0] // 2
        weights = np.zeros(half)
        _ansari_swilk_statistics.swilk(raw(x), weights, 0)
        across = np.sum(weights * (x[::-1][:half] - x[:half]))
        w = across**2 / np.sum((x - np.mean(x)) ** 2) / np.sum(2 * weights**2)
        return names["ShapiroResult"](moved_to(found.statistic, w), moved_to(found.pvalue, _tail(w, n)))

    return shapiro  # type: ignore[no-any-return]


leaf("scipy.stats._morestats", "shapiro")(Around(_shapiro))


def _tail(w: Any, n: int) -> Any:
    if n == 3:
        return 6 / np.pi * (np.arcsin(np.sqrt(w)) - np.pi / 3)
    moments, at, y = (_MANY, np.log(n), np.log1p(-w)) if n > 11 else (_FEW, n, np.log1p(-w))
    if n <= 11:
        limit = _at(_LIMIT, n)
        if raw(y) >= limit:
            return 0.0 * w
        y = -np.log(limit - y)
    mean, deviation = _at(moments[0], at), np.exp(_at(moments[1], at))
    return ndtr((mean - y) / deviation)


def _at(coefficients: tuple[float, ...], x: Any) -> Any:
    return np.polynomial.polynomial.polyval(x, coefficients)
