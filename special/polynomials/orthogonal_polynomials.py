"""Orthogonal polynomials in argument, degree and parameters; DLMF 18.9.15, 18.9.19, 18.9.23, 18.9.25.

In the degree and the parameters they differentiate by the kernels of `real_degree` and `integer_degree`, Chebyshev's by
their closed form. In the argument the derivative of a polynomial is a multiple of the one with the degree lowered and
the parameters raised; of a constant it is 0, and the lowered degree is kept at 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special
from scipy.special import binom

from ...complex_autograd.engine.traced import Traced, raw
from ..ufuncs.ufunc_rules import INTEGER, rule
from .integer_degree.exact import GEGENBAUER, JACOBI
from .integer_degree.laguerre import laguerre
from .real_degree import values as improved
from .real_degree.associated_legendre import lpmv as better_lpmv
from .real_degree.chebyshev_derivatives import (
    degree_of_shifted_t,
    degree_of_shifted_u,
    degree_of_t,
    degree_of_u,
    derivative_of_shifted_t,
    derivative_of_shifted_u,
    derivative_of_t,
    derivative_of_u,
)
from .real_degree.degree_below import degree_below, lowered
from .real_degree.derivatives import degree_derivative
from .real_degree.jacobi import (
    associated_legendre_function,
    gegenbauer_function,
    jacobi_function,
    legendre_function,
    shifted_legendre_function,
)
from .real_degree.jacobi_shifted import shifted_jacobi_function
from .real_degree.laguerre import laguerre_function

__all__ = ["eval_hermite", "eval_hermitenorm"]


_gegenbauer_below = degree_below(improved.eval_gegenbauer, improved.gegenbauer, GEGENBAUER.is_left)
_jacobi_below = degree_below(improved.eval_jacobi, improved.jacobi, JACOBI.is_left)
_laguerre_below = degree_below(improved.genlaguerre_as_derivative, laguerre)
_hermite_below, _hermitenorm_below = map(degree_below, (special.eval_hermite, special.eval_hermitenorm))


def _has_derivative(n: Any) -> Any:
    """0 for constants, whose derivative need not be computed."""
    return 1.0 if isinstance(n, Traced) else n != 0


# Chebyshev

rule(special.eval_chebyt, "n x", lambda w, n, x: degree_of_t(n, x), lambda w, n, x: derivative_of_t(n, x))
rule(special.eval_chebyu, "n x", lambda w, n, x: degree_of_u(n, x), lambda w, n, x: derivative_of_u(n, x))
rule(
    special.eval_chebyc, "n x", lambda w, n, x: 2 * degree_of_t(n, 0.5 * x), lambda w, n, x: derivative_of_t(n, 0.5 * x)
)
rule(
    special.eval_chebys, "n x", lambda w, n, x: degree_of_u(n, 0.5 * x), lambda w, n, x: derivative_of_u(n, 0.5 * x) / 2
)
rule(
    special.eval_sh_chebyt,
    "n x",
    lambda w, n, x: degree_of_shifted_t(n, x),
    lambda w, n, x: derivative_of_shifted_t(n, x),
)
rule(
    special.eval_sh_chebyu,
    "n x",
    lambda w, n, x: degree_of_shifted_u(n, x),
    lambda w, n, x: derivative_of_shifted_u(n, x),
)

# Legendre, Gegenbauer, Jacobi

_SMALL, _HIGHEST = 0.25, 400
"""Up to this argument, and this degree, leading coefficients are numbers."""
_SMALL_SUM, _TINY = 0.02, 1e-5
"""Of the degree and its mirror `-1 - n`, whose difference is less, leading coefficients lose digits; down to this
argument `2 x - 1` loses no more of it."""


def _derivative_of_legendre(n: Any, x: Any) -> Any:
    """Of the larger one of the two degrees that give the same function."""
    is_low = raw(n) < -0.5
    n = np.where(is_low, -1 - n, n) if np.any(is_low) else n
    return (n + 1) * _has_derivative(n) / 2 * _jacobi_below(n, 1.0, 1.0, x)


def _is_small(n: Any, x: Any) -> Any:
    """Where `2 x - 1` loses digits of `x` that a function of real degree needs."""
    n, x = raw(n), raw(x)
    return (np.abs(x) < _SMALL) & (n != np.floor(n)) & (np.abs(n) <= _HIGHEST)


def _derivative_of_shifted_legendre(n: Any, x: Any) -> Any:
    """Next to 0 by the shifted polynomials of Jacobi, whose leading coefficients are 1: infinite at the degree -1/2."""
    is_small = _is_small(n, x) & ((np.abs(2 * raw(n) + 1) > _SMALL_SUM) | (np.abs(raw(x)) < _TINY))
    if not np.any(is_small):
        return 2 * _derivative_of_legendre(n, 2 * x - 1)
    larger = np.where(raw(n) < -0.5, -1 - n, n)
    derivative = larger * binom(2 * larger, larger) * improved.eval_sh_jacobi(larger - 1, 3.0, 2.0, x)
    return derivative if np.all(is_small) else np.where(is_small, derivative, 2 * _derivative_of_legendre(n, 2 * x - 1))


rule(
    special.eval_legendre,
    "n x",
    degree_derivative(legendre_function, 0, "eval_legendre", "n"),
    lambda w, n, x: _derivative_of_legendre(n, x),
)
rule(
    special.eval_sh_legendre,
    "n x",
    degree_derivative(shifted_legendre_function, 0, "eval_sh_legendre", "n"),
    lambda w, n, x: _derivative_of_shifted_legendre(n, x),
)
rule(
    special.eval_gegenbauer,
    "n alpha x",
    degree_derivative(gegenbauer_function, 0, "eval_gegenbauer", "n"),
    degree_derivative(gegenbauer_function, 1, "eval_gegenbauer", "alpha"),
    lambda w, n, alpha, x: 2 * alpha * _has_derivative(n) * _gegenbauer_below(n, alpha + 1, x),
)
rule(
    special.eval_jacobi,
    "n alpha beta x",
    degree_derivative(jacobi_function, 0, "eval_jacobi", "n"),
    degree_derivative(jacobi_function, 1, "eval_jacobi", "alpha"),
    degree_derivative(jacobi_function, 2, "eval_jacobi", "beta"),
    lambda w, n, alpha, beta, x: (
        (n + alpha + beta + 1) * _has_derivative(n) / 2 * _jacobi_below(n, alpha + 1, beta + 1, x)
    ),
)


def _derivative_of_shifted_jacobi(n: Any, p: Any, q: Any, x: Any) -> Any:
    """Where the degree is differentiated too, by Jacobi's, which is finite at the degree -1."""
    if isinstance(n, Traced) and not np.all(_is_small(n, x)):
        return (n + p) * improved.eval_jacobi(n - 1, p - q + 1, q, 2 * x - 1) / binom(2 * n + p - 1, n)
    return n * improved.eval_sh_jacobi(lowered(n), p + 2, q + 1, x)


rule(
    special.eval_sh_jacobi,
    "n p q x",
    degree_derivative(shifted_jacobi_function, 0, "eval_sh_jacobi", "n"),
    degree_derivative(shifted_jacobi_function, 1, "eval_sh_jacobi", "p"),
    degree_derivative(shifted_jacobi_function, 2, "eval_sh_jacobi", "q"),
    lambda w, n, p, q, x: _derivative_of_shifted_jacobi(n, p, q, x),
)

# Laguerre and Hermite


rule(
    special.eval_genlaguerre,
    "n alpha x",
    degree_derivative(laguerre_function, 0, "eval_genlaguerre", "n"),
    degree_derivative(laguerre_function, 1, "eval_genlaguerre", "alpha"),
    lambda w, n, alpha, x: -1.0 * _has_derivative(n) * _laguerre_below(n, alpha + 1, x),
)
rule(
    special.eval_laguerre,
    "n x",
    degree_derivative(lambda n, x: laguerre_function(n, 0.0, x), 0, "eval_laguerre", "n"),
    lambda w, n, x: -1.0 * _has_derivative(n) * _laguerre_below(n, 1.0, x),
)
eval_hermite = rule(special.eval_hermite, "n x", INTEGER, lambda w, n, x: 2 * n * _hermite_below(n, x))
eval_hermitenorm = rule(special.eval_hermitenorm, "n x", INTEGER, lambda w, n, x: n * _hermitenorm_below(n, x))

# associated Legendre functions on the cut

_NEXT_TO_END = 0.95


def _derivative_of_associated(w: Any, m: Any, v: Any, x: Any) -> Any:
    """DLMF 14.10.5; its terms cancel next to -1 and 1, and there by the orders next to `m`, 14.10.6 and 14.10.1."""

    def inner(m: Any, v: Any, x: Any) -> Any:
        below = np.where(raw(v) < 0.5, -v, v - 1)  # the same function, DLMF 14.9.5, without the rounding of v - 1
        return (v * x * better_lpmv(m, v, x) - (v + m) * better_lpmv(m, below, x)) / (x * x - 1)

    def outer(m: Any, v: Any, x: Any) -> Any:
        orders = (v + m) * (v - m + 1) * better_lpmv(m - 1, v, x) - better_lpmv(m + 1, v, x)
        return orders / (2 * np.sqrt((1 - x) * (1 + x)))

    is_legendre = (raw(m) == 0) & (raw(x) >= 1)
    if np.any(is_legendre):
        beyond = _derivative_of_legendre(v, np.where(is_legendre, x, 1.0))
        x = np.where(is_legendre, 0.5, x)
        return beyond if np.all(is_legendre) else np.where(is_legendre, beyond, _derivative_of_associated(w, m, v, x))
    is_end = (np.abs(raw(x)) > _NEXT_TO_END) & (np.abs(raw(x)) < 1)
    if not np.any(is_end):
        return inner(m, v, x)
    if np.all(is_end):
        return outer(m, v, x)
    return np.where(is_end, outer(m, v, np.where(is_end, x, 0.5)), inner(m, v, np.where(is_end, 0.5, x)))


rule(
    special.lpmv,
    "m v x",
    INTEGER,
    degree_derivative(associated_legendre_function, 1, "lpmv", "v", degree=1),
    _derivative_of_associated,
)
