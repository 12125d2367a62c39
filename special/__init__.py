"""Special functions: every public name of `scipy.special`, differentiated.

A ufunc is either SciPy's wrapped by `rule`, which compares equal to it and uses all cores, or a `PatchedUfunc` with
better values.  Arrays under differentiation reach the rule through NumPy's protocol, so plain `scipy.special.erf(x)`
is differentiated as well.  Functions that SciPy implements in Python have their own version here.  `docs/special.md`
and its pages say how each argument is differentiated, and which arguments are integers.

Public are the names in the `__all__` of the modules below, and those imported from SciPy here.
"""

from .ufuncs import by_kernels as _by_kernels  # noqa: F401  (it gives routes to the table of determinism)
from .ufuncs.array_api import show_functions as _show_functions  # isort: split

from types import FunctionType as _FunctionType
from types import ModuleType as _ModuleType

from ..complex_autograd.array.stand_in import DocumentedFunction as _DocumentedFunction
from ..complex_autograd.engine.dispatch import mappable as _mappable
from ..complex_autograd.namespace.functions import NUMPY as _NUMPY
from ..complex_autograd.namespace.routed import turning as _turning

# isort: off
# fmt: off
from scipy.special import (
    # errors and numbers
    SpecialFunctionError as SpecialFunctionError, SpecialFunctionWarning as SpecialFunctionWarning,
    bernoulli as bernoulli, errstate as errstate, euler as euler, geterr as geterr, seterr as seterr,
    stirling2 as stirling2,
    # zeros of functions
    ai_zeros as ai_zeros, bei_zeros as bei_zeros, beip_zeros as beip_zeros, ber_zeros as ber_zeros,
    berp_zeros as berp_zeros, bi_zeros as bi_zeros, erf_zeros as erf_zeros, fresnel_zeros as fresnel_zeros,
    fresnelc_zeros as fresnelc_zeros, fresnels_zeros as fresnels_zeros, jn_zeros as jn_zeros, jnp_zeros as jnp_zeros,
    jnyn_zeros as jnyn_zeros, kei_zeros as kei_zeros, keip_zeros as keip_zeros, kelvin_zeros as kelvin_zeros,
    ker_zeros as ker_zeros, kerp_zeros as kerp_zeros, y0_zeros as y0_zeros, y1_zeros as y1_zeros,
    y1p_zeros as y1p_zeros, yn_zeros as yn_zeros, ynp_zeros as ynp_zeros,
    # orthogonal polynomials of integer degree, as objects
    chebyc as chebyc, chebys as chebys, chebyt as chebyt, chebyu as chebyu, hermite as hermite,
    hermitenorm as hermitenorm, laguerre as laguerre, legendre as legendre, sh_chebyt as sh_chebyt,
    sh_chebyu as sh_chebyu, sh_legendre as sh_legendre,
    # nodes and weights of Gauss quadrature
    c_roots as c_roots, h_roots as h_roots, he_roots as he_roots, l_roots as l_roots, p_roots as p_roots,
    ps_roots as ps_roots, roots_chebyc as roots_chebyc, roots_chebys as roots_chebys, roots_chebyt as roots_chebyt,
    roots_chebyu as roots_chebyu, roots_hermite as roots_hermite, roots_hermitenorm as roots_hermitenorm,
    roots_laguerre as roots_laguerre, roots_legendre as roots_legendre, roots_sh_chebyt as roots_sh_chebyt,
    roots_sh_chebyu as roots_sh_chebyu, roots_sh_legendre as roots_sh_legendre, s_roots as s_roots, t_roots as t_roots,
    ts_roots as ts_roots, u_roots as u_roots, us_roots as us_roots,
)
# fmt: on
# isort: on

from .bessel.airy.airy_functions import *
from .bessel.bessel_derivatives import *
from .bessel.bessel_functions import *
from .bessel.bessel_integrals import *
from .bessel.bessel_zeros import *
from .bessel.besselpoly import *
from .bessel.kelvin_functions import *
from .bessel.riccati_bessel import *
from .bessel.spherical_bessel import *
from .bessel.struve_functions import *
from .distributions.binomial_distributions import *
from .distributions.f_distribution import *
from .distributions.gamma_distributions import *
from .distributions.kolmogorov_smirnov import *
from .distributions.noncentral_chi_squared import *
from .distributions.noncentral_f_distribution import *
from .distributions.noncentral_t_distribution import *
from .distributions.normal_distribution import *
from .distributions.student_distribution import *
from .distributions.tukey_lambda import *
from .elementary.elementary import *
from .elementary.error_functions import *
from .elementary.exponential_integrals import *
from .elementary.lambert import *
from .elementary.losses import *
from .elementary.modified_fresnel import *
from .elementary.power_transforms import *
from .elementary.reductions import *
from .elliptic.carlson import *
from .elliptic.ellipsoidal import *
from .elliptic.elliptic import *
from .gamma_and_beta.combinatorics import *
from .gamma_and_beta.gamma_family import *
from .gamma_and_beta.incomplete import *
from .gamma_and_beta.multifactorials import *
from .hypergeometric.rules import *
from .hypergeometric.values import *
from .polynomials.gauss_quadrature import *
from .polynomials.legendre.functions import *
from .polynomials.legendre.second_kind import *
from .polynomials.legendre.tables import *
from .polynomials.orthogonal_polynomials import *
from .polynomials.polynomial_objects import *
from .polynomials.real_degree.associated_legendre import *
from .polynomials.real_degree.values import *
from .torch_functions import *
from .wave_equations.mathieu.coefficients import *
from .wave_equations.mathieu.functions import *
from .wave_equations.mathieu.patched import *
from .wave_equations.parabolic.cylinder import *
from .wave_equations.parabolic.sequences import *
from .wave_equations.parabolic.w_rule import *
from .wave_equations.spheroidal.patched import *
from .wave_equations.spheroidal.sequences import *

# the short names of SciPy

cg_roots, j_roots, js_roots, la_roots = roots_gegenbauer, roots_jacobi, roots_sh_jacobi, roots_genlaguerre

sinc = _NUMPY["sinc"]

# the functions that the determinism flag can send elsewhere; ufuncs see to it themselves

_functions = {x: x.__name__ for name, x in globals().items() if not name.startswith("_") and type(x) is _FunctionType}
_operations = {x: f"special.{name}" for x, name in _functions.items()}
_routed = {x: _turning(_DocumentedFunction(x, _mappable(x), op), op) for x, op in _operations.items()}
globals().update({name: _routed[x] for name, x in globals().items() if type(x) is _FunctionType and x in _routed})

__all__ = sorted(
    name for name, value in globals().items() if not (name.startswith("_") or isinstance(value, _ModuleType))
)

_show_functions()
