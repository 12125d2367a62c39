"""The power transforms of Box and Cox, and their inverses.

With `L = log(x)`, the derivative of `(exp(l L) - 1) / l` in `l` is `L**2 G(l L)`, where `G(t) = ((t - 1) exp(t) + 1) /
t**2` is the derivative of `exprel`; that of its inverse is `x**2 w H(l x)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.traced import raw
from ..numerics.regions import in_double, with_dtypes
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.ufunc_rules import pointwise, rule
from .elementary import exprel_derivative, log1p, log_over_derivative

__all__ = ["boxcox", "boxcox1p", "inv_boxcox", "inv_boxcox1p"]


@pointwise(lambda base, x, lmbda: lmbda, lambda base, x, lmbda: x)
def _grown(x: Any, lmbda: Any) -> Any:
    """`1 + lmbda x` with the rounding of the product, which Dekker's halves give (Numer. Math. 18 (1971) 224)."""

    def kernel(x: Any, lmbda: Any) -> Any:
        product = lmbda * x
        high, more = (134217729.0 * a - (134217729.0 * a - a) for a in (x, lmbda))
        low, less = x - high, lmbda - more
        rest = ((high * more - product) + high * less + low * more) + low * less
        return (1 + product) + np.where(np.abs(product) < 2, rest, 0.0)

    return in_double(kernel, *with_dtypes(x, lmbda))


def _root(w: Any, base: Any, lmbda: Any) -> Any:
    """`base**(1 / lmbda)`, which is `w` unless that lost the digits of the base."""
    is_small = raw(base) < 0.5
    if not np.any(is_small):
        return w
    return np.where(is_small, np.power(np.where(is_small, base, 1.0), 1 / np.where(is_small, lmbda, 1.0)), w)


_LARGE = 1e8
"""From this base on the terms of `H` do not cancel, and the square of `x`, which may overflow, is not needed."""


def _inverse_derivative(w: Any, x: Any, lmbda: Any) -> Any:
    base = _grown(x, lmbda)
    return _root(w, base, lmbda) / base


def _inverse_power(w: Any, x: Any, lmbda: Any) -> Any:
    """`w x**2 H(lmbda x)`, where `H(u) = (u / (1 + u) - log(1 + u)) / u**2`."""
    base = _grown(x, lmbda)
    root = _root(w, base, lmbda)
    is_large = np.abs(raw(base)) > _LARGE
    if not np.any(is_large):
        return -root * x * (x * log_over_derivative(base))
    near = tuple(np.where(is_large, 1.0, a) for a in (root, x, base))
    root, scale, base = (np.where(is_large, a, 1.0) for a in (root, lmbda, base))
    far = root / scale * ((1 - 1 / base - np.log(base)) / scale)
    return np.where(is_large, far, -near[0] * near[1] * (near[1] * log_over_derivative(near[2])))


def _above(w: Any, x: Any, lmbda: Any) -> Any:
    """`1 + w` of `inv_boxcox1p`, which is `inv_boxcox`: next to -1 that has the digits."""
    return np.where(raw(w) < -0.5, inv_boxcox(x, lmbda), 1 + w) if np.any(raw(w) < -0.5) else 1 + w


def _boxcox_power(w: Any, x: Any, lmbda: Any) -> Any:
    is_zero = raw(x) == 0
    return _power_derivative(x, np.log(np.where(is_zero, 1.0, x)), lmbda, is_zero)


def _boxcox1p_power(w: Any, x: Any, lmbda: Any) -> Any:
    is_zero = raw(x) == -1
    return _power_derivative(1 + x, log1p(np.where(is_zero, 0.0, x)), lmbda, is_zero)


def _power_derivative(x: Any, log: Any, lmbda: Any, is_zero: Any) -> Any:
    """`(1 + x**lmbda (lmbda log(x) - 1)) / lmbda**2`, also where `x` is 0."""
    derivative = _logarithmic_derivative(log, lmbda)
    if not np.any(is_zero):
        return derivative
    return np.where(is_zero, (1 - np.power(x, lmbda * _BELOW_ONE)) / lmbda**2, derivative)


@pointwise(
    lambda w, log, lmbda: log * np.exp(lmbda * log),
    lambda w, log, lmbda: log**3 * exprel_derivative(lmbda * log, order=2),
)
def _logarithmic_derivative(log: Any, lmbda: Any) -> Any:
    """`(1 + exp(lmbda log) (lmbda log - 1)) / lmbda**2`."""
    return log**2 * exprel_derivative(lmbda * log, order=1)


_BELOW_ONE = 1 - 1e-15
"""So that the derivative of the power is infinite at 0 also for the power 1, where that of `x log(x)` is."""


def _power_of_1_more(x: Any, power: Any) -> Any:
    """`(1 + x)**power`; next to 1 the sum has lost digits of `x`, which a large power needs."""
    is_near = np.abs(raw(x)) < 0.5
    near = np.exp(power * log1p(np.where(is_near, x, 0.0)))
    return near if np.all(is_near) else np.where(is_near, near, np.power(np.where(is_near, 1.0, 1 + x), power))


boxcox = rule(special.boxcox, "x lmbda", lambda w, x, lmbda: np.power(x, lmbda - 1.0), _boxcox_power)
boxcox1p = rule(special.boxcox1p, "x lmbda", lambda w, x, lmbda: _power_of_1_more(x, lmbda - 1.0), _boxcox1p_power)
rule(special.inv_boxcox, "x lmbda", _inverse_derivative, _inverse_power)
rule(
    special.inv_boxcox1p,
    "x lmbda",
    lambda w, x, lmbda: _inverse_derivative(_above(w, x, lmbda), x, lmbda),
    lambda w, x, lmbda: _inverse_power(_above(w, x, lmbda), x, lmbda),
)


def _inverse(ufunc: np.ufunc, exponential: Callable[[Any], Any], tiny: float) -> Any:
    """The transform of exponent 0 where the product of the arguments is so small: SciPy's is then `x`."""

    def kernel(x: Any, lmbda: Any) -> Any:
        product = lmbda * x
        w = special.log1p(product)
        w /= lmbda
        w = exponential(w)
        size = np.abs(product, out=product)
        if np.min(size) < tiny:
            (here,) = np.nonzero(size < tiny)
            w[here] = exponential(x[here])
        if not np.isfinite(np.add.reduce(size)):
            (here,) = np.nonzero(~np.isfinite(size))
            w[here] = ufunc(x[here], lmbda[here])
        return w

    return PatchedUfunc(ufunc, [(None, kernel)])


inv_boxcox = _inverse(special.inv_boxcox, np.exp, 1e-290)
inv_boxcox1p = _inverse(special.inv_boxcox1p, special.expm1, 1e-150)
