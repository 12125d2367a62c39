"""The functions that stand for SciPy's, by the names of the modules that they are looked for in."""

from __future__ import annotations

from typing import Any

from scipy import optimize

from ....complex_autograd.optimization.of_items import (
    made_one_by_one,
    method_one_by_one,
    method_together_or_one_by_one,
    together_or_one_by_one,
)
from ...rebinding import Around
from . import convolutions as convolutions
from . import fourier as fourier
from . import images as images
from . import interpolation as interpolation
from . import order_statistics as order_statistics
from . import signal_filters as signal_filters
from . import spatial as spatial
from .array_namespaces import ARRAY_NAMESPACES
from .distributions import DISTRIBUTIONS
from .filter_designs import normalized, with_jumps, with_leading_zeros
from .former_modules import public_before_private
from .initial_values import constant, odeint, solve_ivp, with_our_dot
from .integrals import by_quad, quad, quad_vec, simpson
from .linear_algebra import LINALG, LINEAR_SOLVERS
from .linear_programs import LINEAR_PROGRAMS
from .minimizers import MINIMIZERS
from .solvers import BRACKETING, fixed_point, fsolve, newton, root
from .special_cases import SPECIAL_CASES
from .special_functions import SPECIAL
from .stand_ins import STAND_INS
from .summed_distributions import SUMMED

__all__ = ["REPLACEMENTS"]

_CLASSES = (
    "BFGS", "Bounds", "HessianUpdateStrategy", "LinearConstraint", "NonlinearConstraint", "OptimizeResult", "SR1",
)  # fmt: skip
"""What SciPy's own solvers, which our rules call, know by their class."""
_FITTED = (
    "AAA", "Akima1DInterpolator", "BSpline", "PchipInterpolator", "RBFInterpolator", "RectBivariateSpline",
    "RegularGridInterpolator", "UnivariateSpline",
)  # fmt: skip
"""Classes that compiled code looks into, that drop points, or choose some by a mask."""
_STEPS: dict[str, Any] = {"norm": Around(constant), "select_initial_step": Around(constant)}
"""What decides on the lengths of steps."""

REPLACEMENTS: dict[str, dict[str, Any]] = {
    **DISTRIBUTIONS,
    "scipy._lib.deprecation": {"import_module": Around(public_before_private)},
    "scipy.integrate": {
        "nsum": Around(by_quad),
        "odeint": odeint,
        "quad": quad,
        "quad_vec": quad_vec,
        "simpson": Around(simpson),
        "solve_ivp": Around(solve_ivp),
        "tanhsinh": Around(by_quad),
    },
    "scipy.integrate._ivp.bdf": _STEPS,
    "scipy.integrate._ivp.radau": {**_STEPS, "T": Around(with_our_dot), "TI": Around(with_our_dot)},
    "scipy.integrate._ivp.rk": {**_STEPS, "DOP853._estimate_error_norm": Around(constant)},
    "scipy.interpolate": {
        **{f"{name}.__new__": Around(made_one_by_one) for name in _FITTED},
        **{f"{name}.__call__": Around(method_together_or_one_by_one) for name in _FITTED},
    },
    "scipy.interpolate._interpolate": {
        "PPoly.integrate": Around(method_one_by_one),
        "PPoly.solve": Around(method_one_by_one),
        "interp1d._check_bounds": Around(together_or_one_by_one),
    },
    "scipy.linalg": LINALG,
    "scipy.optimize": {
        **BRACKETING,
        **LINEAR_PROGRAMS,
        **MINIMIZERS,
        **{name: getattr(optimize, name) for name in _CLASSES},
        "fixed_point": fixed_point,
        "fsolve": fsolve,
        "newton": newton,
        "root": root,
    },
    "scipy.signal": {
        "ShortTimeFFT.__new__": Around(made_one_by_one),
        "lfilter_zi": Around(normalized),
        "lfiltic": Around(normalized),
    },
    "scipy.signal._filter_design": {"normalize": Around(with_jumps)},
    "scipy.signal._lti_conversion": {"normalize": Around(with_leading_zeros)},
    "scipy.sparse.linalg": LINEAR_SOLVERS,
    **SUMMED,
    "scipy.stats._continuous_distns": {
        **DISTRIBUTIONS["scipy.stats._continuous_distns"],
        **SPECIAL_CASES,
        **SUMMED["scipy.stats._continuous_distns"],
    },
    "scipy.special": SPECIAL,
}
"""By module and name, the function that stands there."""

for _module, _makers in ARRAY_NAMESPACES.items():
    REPLACEMENTS[_module] = {name: Around(make) for name, make in _makers.items()}

for _module, _functions in STAND_INS.items():
    REPLACEMENTS.setdefault(_module, {}).update(_functions)
