"""Better values of Kummer's and Gauss' functions of complex `z`, where SciPy's algorithms lose digits."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from .gauss import GAUSS
from .hypergeometric_series import AT_ONCE
from .improved import Improved
from .kummer import KUMMER
from .parameter_families import ParameterFamily
from .regions import by_region, in_double

__all__ = ["hyp1f1", "hyp2f1"]

_LARGE = 100
"""Parameters up to here are computed."""

_AGREEMENT, _AGREEMENT_BELOW = 2e-13, 2e-11
"""Up to this relative difference both are right, and the value stays SciPy's; where the last parameter is negative,
between its poles, ours has errors of 1e-11 as well."""


def _improved(ufunc: np.ufunc, is_coarse: Any, family: ParameterFamily) -> Improved:
    """SciPy's function with the values of the family where SciPy's are coarse, if they are finite and differ."""

    def choose(w: Any, *args: Any) -> Any:
        here = is_coarse(args[-1]) & np.isfinite(sum(args)) & np.isfinite(w)
        for p in args[:-1]:
            here = here & (np.abs(p) <= _LARGE)
        better = by_region([(here, family.value)], *args)
        agreement = np.where(np.real(args[-2]) < 0, _AGREEMENT_BELOW, _AGREEMENT)
        differs = np.abs(better - w) > agreement * np.abs(better)
        return np.where(here & np.isfinite(better) & differs, better, w)

    def better(w: Any, *args: Any) -> Any:
        return in_double(choose, w, *args, at_once=AT_ONCE) if w.dtype.kind == "c" else w

    return Improved(ufunc, better)


def _cancels(z: Any) -> Any:
    """SciPy sums the power series, which cancels by `exp(abs(z) - abs(Re z))`."""
    modulus = np.abs(z)
    return (modulus > 6) & (modulus - np.abs(np.real(z)) > 1) & (modulus < 400)


def _is_beyond_series(z: Any) -> Any:
    """Near the unit circle and outside, SciPy's expansions cancel."""
    return (np.abs(z) > 0.85) & (np.imag(z) != 0)


hyp1f1 = _improved(special.hyp1f1, _cancels, KUMMER)
hyp2f1 = _improved(special.hyp2f1, _is_beyond_series, GAUSS)
