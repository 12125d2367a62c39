"""What stands for functions of SciPy's in the copies of its modules, as they are differentiated as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import (
    convolutions,
    distances,
    fourier_filters,
    grids,
    hankel_transform,
    image_filters,
    image_interpolation,
    image_selections,
    piecewise_polynomials,
    radial_basis_functions,
    short_time_spectra,
    signal_filters,
    splines,
    transforms,
)
from .integrals import quad, quad_vec
from .linear_algebra import LINALG
from .solvers import BRACKETING, newton
from .special_functions import SPECIAL
from .stand_ins import STAND_INS

__all__ = ["REPLACEMENTS"]

REPLACEMENTS: dict[str, dict[str, Callable[..., Any]]] = {
    "scipy.integrate": {"quad": quad, "quad_vec": quad_vec},
    "scipy.linalg": LINALG,
    "scipy.optimize": {**BRACKETING, "newton": newton},
    "scipy.special": SPECIAL,
}
"""By module and name, the function that stands there."""

for _module, _functions in STAND_INS.items():
    REPLACEMENTS.setdefault(_module, {}).update(_functions)
