"""The Struve functions H and L."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.patches import ANY, Bounds, Patch, of_arguments
from ..ufuncs.ufunc_rules import rule
from .high_orders import HIGHEST, LOSSY
from .struve_order import has_wrong_phase, struve_partials, struve_value

__all__ = ["modstruve", "struve"]


def _is_wrong_at_zero(v: Any, x: Any) -> Any:
    """At half-integer orders from -3/2 downwards these are J and I, which are 0 at 0; SciPy's are infinite, or NaN."""
    return (x == 0) & (v <= -1.5) & (v - np.floor(v) == 0.5)


def _struve(ufunc: np.ufunc, sign: float, bounds: list[Bounds], others: list[Patch]) -> PatchedUfunc:
    rule(ufunc, "v x", *struve_partials(sign))
    return PatchedUfunc(
        ufunc, corrections=[(of_arguments(_is_wrong_at_zero), lambda v, x: 0 * x), *others], bounds=bounds
    )


struve = _struve(
    special.struve,
    -1.0,
    [(-1.0, HIGHEST), (-LOSSY, LOSSY)],
    [(of_arguments(has_wrong_phase), lambda v, x: struve_value(v, x, sign=-1.0))],
)
modstruve = _struve(special.modstruve, 1.0, [(-1.0, np.inf), ANY], [])
