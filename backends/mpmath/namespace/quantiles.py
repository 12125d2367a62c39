"""Where a quantile is read among sorted numbers, by NumPy's methods."""

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
