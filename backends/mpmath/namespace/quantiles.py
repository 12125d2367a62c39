"""Where a quantile is read among sorted numbers, by NumPy's methods, and with weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import mpmath
import numpy as np


def _continuous(alpha: Any, beta: Any) -> Callable[[Any, Any], Any]:
    return lambda n, q: n * q + alpha + q * (1 - alpha - beta) - 1


def _stepwise(index: Any, is_there: Any, there: Any) -> Any:
    """A step at each whole number: `there` above the number at the step itself, and 1 above it between the steps."""
    low = np.floor(index)
    return low + np.where((index == low) & is_there(low), there, 1)


def _always(low: Any) -> bool:
    return True


_POSITIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "linear": lambda n, q: (n - 1) * q,
    "interpolated_inverted_cdf": _continuous(0, 1),
    "hazen": _continuous(0.5, 0.5),
    "weibull": _continuous(0, 0),
    "median_unbiased": lambda n, q: _continuous(*[mpmath.mpf(1) / 3] * 2)(n, q),
    "normal_unbiased": _continuous(0.375, 0.375),
    "lower": lambda n, q: np.floor((n - 1) * q),
    "higher": lambda n, q: np.ceil((n - 1) * q),
    "midpoint": lambda n, q: (np.floor((n - 1) * q) + np.ceil((n - 1) * q)) / 2,
    "nearest": lambda n, q: np.rint((n - 1) * q),
    "inverted_cdf": lambda n, q: _stepwise(n * q - 1, _always, 0),
    "averaged_inverted_cdf": lambda n, q: _stepwise(n * q - 1, _always, 0.5),
    "closest_observation": lambda n, q: _stepwise(n * q - 1.5, lambda low: low % 2 == 1, 0),
}


def position_of_quantile(method: str, n: Any, q: Any) -> Any:
    """The position of a quantile among `n` numbers, counted from 0; it may lie beyond both ends."""
    if method not in _POSITIONS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {', '.join(_POSITIONS)}")
    return _POSITIONS[method](n, q)


def weights_along(a: Any, weights: Any, axis: Any) -> Any:
    """The weights in the shape of `a`: given so, or in that of the axes."""
    if weights.shape == a.shape:
        return weights
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = [i % a.ndim for i in (axis if type(axis) is tuple else (axis,))]
    if weights.shape != tuple(a.shape[i] for i in axes):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    in_order = np.transpose(weights, np.argsort(axes))
    return np.broadcast_to(np.reshape(in_order, [n if i in axes else 1 for i, n in enumerate(a.shape)]), a.shape)


def rank_of_weighted(weights: Any, q: Any) -> Any:
    """The first rank along the last axis at which the share of the weights so far is at least `q`, and not 0."""
    sums = np.cumsum(weights, -1)
    total = sums[..., -1:]
    if not np.all(np.isfinite(total) & (total != 0)):
        raise ValueError("Weights included NaN, inf or were all zero.")
    shares = sums / total
    return np.sum((shares < q) | (shares == 0), -1)
