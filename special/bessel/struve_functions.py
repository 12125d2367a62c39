"""The Struve functions H and L."""

from __future__ import annotations

import numpy as np
from scipy import special

from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.patches import ANY, of_arguments
from ..ufuncs.ufunc_rules import rule
from .struve_order import struve_partials

__all__ = ["modstruve", "struve"]


def _struve(ufunc: np.ufunc, sign: float) -> PatchedUfunc:
    """At half-integer orders from -3/2 downwards these are J and I, which are 0 at 0; SciPy's are infinite, or NaN."""
    rule(ufunc, "v x", *struve_partials(sign))
    return PatchedUfunc(
        ufunc,
        corrections=[
            (of_arguments(lambda v, x: (x == 0) & (v <= -1.5) & (v - np.floor(v) == 0.5)), lambda v, x: 0 * x)
        ],
        bounds=[(-1.0, np.inf), ANY],
    )


struve, modstruve = _struve(special.struve, -1.0), _struve(special.modstruve, 1.0)
