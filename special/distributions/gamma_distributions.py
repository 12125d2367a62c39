"""The distribution functions of chi-squared, gamma and Poisson, and their inverses in any argument.

In SciPy's names `*dtr` is a distribution function, `*dtrc` its complement, `*dtri*` an inverse in the argument that the
last letters name.  All are incomplete gamma functions (DLMF 8.2.4): in the variable the derivative is a density, in the
shapes that of the incomplete gamma function in its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.traced import raw
from ..gamma_and_beta.densities import gamma_density
from ..gamma_and_beta.gamma_large import MODERATE, large_shape, of_large_shapes, quantile_of_large_shapes
from ..gamma_and_beta.incomplete import gamma_shape, gammaincc
from ..ufuncs.distribution_rules import Distribution, complement, distribution
from ..ufuncs.inverses import inverse
from ..ufuncs.patches import ANY, up_to
from ..ufuncs.ufunc_rules import INTEGER, constant, rule

__all__ = [
    "chdtr", "chdtrc", "chdtri", "chdtriv", "gdtr", "gdtrc", "gdtria", "gdtrib", "gdtrix", "pdtr", "pdtrc", "pdtri",
    "pdtrik",
]  # fmt: skip

# chi-squared

_chi_squared = distribution(
    special.chdtr, "v x", lambda v, x: gamma_shape(v / 2, x / 2) / 2, lambda v, x: gamma_density(v / 2, x / 2) / 2
)
_chi_squared_complement = complement(special.chdtrc, _chi_squared)
chdtr = of_large_shapes(special.chdtr, lambda v, x: (v / 2, x / 2), -1.0, [MODERATE, ANY])
chdtrc = of_large_shapes(special.chdtrc, lambda v, x: (v / 2, x / 2), 1.0, [MODERATE, ANY])
inverse(special.chdtri, "v p", _chi_squared_complement)
chdtri = quantile_of_large_shapes(special.chdtri, lambda v, p: (v / 2, p, 0.5), 1.0, [MODERATE, ANY])
inverse(special.chdtriv, "p x", _chi_squared)
chdtriv = large_shape(special.chdtriv, lambda p, x: (x / 2, p), -1.0, [ANY, MODERATE], lambda a: 2 * a)

# gamma, of the rate a and the shape b


def _product_derivative(b: Any, factor: Any, other: Any) -> Any:
    """The derivative of `gammainc(b, factor other)` in `other`; at `factor = 0` by `x g(b, x) = b g(b + 1, x)`."""
    x = factor * other
    density = gamma_density(b, x)
    is_undefined = (raw(factor) == 0) & np.isinf(raw(density))
    if not np.any(is_undefined):
        return factor * density
    limit = b * gamma_density(b + 1, x) / np.where(is_undefined & (raw(other) != 0), other, 1.0)
    return np.where(is_undefined, limit, factor * np.where(is_undefined, 0.0, density))


_gamma = distribution(
    special.gdtr,
    "a b x",
    lambda a, b, x: _product_derivative(b, x, a),
    lambda a, b, x: gamma_shape(b, a * x),
    lambda a, b, x: _product_derivative(b, a, x),
    variables="a x",
)
complement(special.gdtrc, _gamma)
gdtr = of_large_shapes(special.gdtr, lambda a, b, x: (b, a * x), -1.0, [ANY, MODERATE, ANY])
gdtrc = of_large_shapes(special.gdtrc, lambda a, b, x: (b, a * x), 1.0, [ANY, MODERATE, ANY])
inverse(special.gdtria, "p b x", _gamma)
inverse(special.gdtrib, "a p x", _gamma)
inverse(special.gdtrix, "a b p", _gamma)
gdtria = quantile_of_large_shapes(special.gdtria, lambda p, b, x: (b, p, x), -1.0, [ANY, MODERATE, ANY])
gdtrib = large_shape(special.gdtrib, lambda a, p, x: (a * x, p), -1.0, [up_to(360.0), ANY, up_to(360.0)], lambda a: a)
gdtrix = quantile_of_large_shapes(special.gdtrix, lambda a, b, p: (b, p, a), -1.0, [ANY, MODERATE, ANY])

# Poisson

_poisson = Distribution(
    ("k", "m"),
    lambda k, m: gammaincc(k + 1, m),
    (lambda k, m: -gamma_shape(k + 1, m), lambda k, m: -gamma_density(k + 1, m)),
)
"""The one that `pdtrik` inverts, of a real `k`; `pdtr` itself is constant between integers."""

rule(special.pdtr, "k m", constant, lambda w, k, m: -gamma_density(np.floor(k) + 1, m))
rule(special.pdtrc, "k m", constant, lambda w, k, m: gamma_density(np.floor(k) + 1, m))
rule(special.pdtri, "k p", INTEGER, lambda w, k, p: -1 / gamma_density(np.floor(k) + 1, w))
pdtr = of_large_shapes(special.pdtr, lambda k, m: (np.floor(k) + 1, m), 1.0, [MODERATE, ANY])
pdtrc = of_large_shapes(special.pdtrc, lambda k, m: (np.floor(k) + 1, m), -1.0, [MODERATE, ANY])
pdtri = quantile_of_large_shapes(special.pdtri, lambda k, p: (np.floor(k) + 1, p, 1.0), 1.0, [MODERATE, ANY])
inverse(special.pdtrik, "p m", _poisson, steps=1)
pdtrik = large_shape(special.pdtrik, lambda p, m: (m, p), 1.0, [ANY, MODERATE], lambda a: a - 1)
