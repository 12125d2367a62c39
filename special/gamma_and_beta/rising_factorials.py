"""Values of Pochhammer's symbol where SciPy takes differences of large logarithms, or overflows on its way."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ..numerics.regions import by_region
from ..numerics.stirling_powers import log_less_excess, stirling_series
from .beta_values import sine

NEAREST, MOST = 40.0, 130.0
"""For `0 < z < NEAREST` and `m < MOST` SciPy's values are right."""
_FAR, _TERMS = 10.0, 8
"""From there on so many terms of Stirling's series are enough."""
_OVERFLOW = 170.0


def _is_far(z: Any, m: Any) -> Any:
    return (z > NEAREST) & (z + m > _FAR)


def _is_left(z: Any, m: Any) -> Any:
    y = z + m
    return (z < 0) & (y < 0) & (z != np.rint(z)) & (y != np.rint(y))


def _overflows(z: Any, m: Any) -> Any:
    y = z + m
    return (y > _OVERFLOW) & (y < 2 * _OVERFLOW) & (z < _FAR) & ((z > 0) | (z != np.rint(z)))


def rising_domain(z: Any, m: Any) -> Any:
    """Where SciPy's values of `poch` are not used; those of an integer `m` are products."""
    return (m != np.rint(m)) & (_is_far(z, m) | _is_left(z, m)) | _overflows(z, m)


def rising_value(z: Any, m: Any) -> Any:
    """`gamma(z + m) / gamma(z)` there."""
    return by_region([(_is_left(z, m), _reflected), (_overflows(z, m), _by_logarithms), (z == z, _on_the_right)], z, m)


def _reflected(z: Any, m: Any) -> Any:
    """DLMF 5.5.3 of both."""
    return sine(z) / sine(z, m) * _on_the_right(1 - z - m, m)


def _on_the_right(z: Any, m: Any) -> Any:
    return by_region([(_is_far(z, m), _by_stirling), (z == z, special.poch)], z, m)


def _by_stirling(z: Any, m: Any) -> Any:
    """DLMF 5.11.1."""
    y, ratio = z + m, m / z
    rest = stirling_series(y, _TERMS) - stirling_series(z, _TERMS)
    return np.exp(m * np.log(y) + z * log_less_excess(y / z, ratio) - np.log1p(ratio) / 2 + rest)


def _by_logarithms(z: Any, m: Any) -> Any:
    return special.gammasgn(z) * np.exp(special.gammaln(z + m) - special.gammaln(z))
