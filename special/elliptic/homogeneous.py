"""Carlson's integrals at tiny and huge arguments, by their homogeneity, DLMF 19.20: there SciPy's are 0 or NaN."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from ..ufuncs.patched_ufunc import PatchedUfunc

_MODERATE = 2.0**300
"""The largest argument, and its reciprocal, up to which SciPy's values neither vanish nor overflow on their way."""


def homogeneous(ufunc: Any, twice_degree: int) -> PatchedUfunc:
    """A ufunc of SciPy's that is homogeneous of half a whole degree; far arguments are brought near 1 by a power of 4.

    Its rule is declared before.
    """

    def value(*v: Any) -> Any:
        half = np.frexp(_largest(v))[1] // 2
        inner = ufunc(*[x * np.ldexp(1.0, -half) * np.ldexp(1.0, -half) for x in v])
        return inner * np.ldexp(1.0, half * twice_degree)

    return PatchedUfunc(ufunc, [(_is_far, value)])


def _is_far(*v: Any) -> Any:
    largest = _largest(v)
    return (largest > _MODERATE) | ((largest < 1 / _MODERATE) & (largest > 0))


def _largest(v: Any) -> Any:
    return reduce(np.maximum, map(np.abs, v))
