"""Nodes and weights of Gauss quadrature, with their derivatives in the parameters of the weight function.

The nodes are the zeros of the polynomial `P_n(x; alpha, ..)`. Newton's step `x - P_n / P_n'` at a zero changes no
value and gives it the derivative `-(dP_n / dalpha) / P_n'` of the implicit function theorem; every further step
doubles the order to which it is right. The weights are functions of nodes and parameters, DLMF 3.5(v).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special
from scipy.special import betaln, gammaln

from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.space import Array, Scalar
from ...complex_autograd.engine.traced import raw
from ..numerics.devices import constants_like, is_on_device
from ..ufuncs.docstrings import sections
from ..ufuncs.integer_arguments import integers
from ..ufuncs.parameters import depth_of
from .real_degree.values import eval_genlaguerre, eval_jacobi

__all__ = ["roots_gegenbauer", "roots_genlaguerre", "roots_jacobi", "roots_sh_jacobi"]


def _nodes(x: Any, quotient: Any, *parameters: Any) -> Any:
    """The zeros as functions of the parameters, to as high an order as these are differentiated."""
    for _ in range(math.ceil(math.log2(1 + depth_of(*parameters)))):
        x = x - quotient(x)
    return x


def _jacobi_derivative(n: int, alpha: Any, beta: Any, x: Any) -> Any:
    return (n + alpha + beta + 1) / 2 * eval_jacobi(np.float64(n - 1), alpha + 1, beta + 1, x)


def _jacobi_quotient(n: int, alpha: Any, beta: Any, x: Any) -> Any:
    return eval_jacobi(np.float64(n), alpha, beta, x) / _jacobi_derivative(n, alpha, beta, x)


def _laguerre_derivative(n: int, alpha: Any, x: Any) -> Any:
    return -eval_genlaguerre(np.float64(n - 1), alpha + 1, x)


def _laguerre_quotient(n: int, alpha: Any, x: Any) -> Any:
    return eval_genlaguerre(np.float64(n), alpha, x) / _laguerre_derivative(n, alpha, x)


# The recurrence x p_k = off_(k+1) p_(k+1) + diagonal_k p_k + off_k p_(k-1) of orthonormal polynomials makes the zeros
# of p_n the eigenvalues of the matrix of its first n rows: Golub & Welsch 1969, section 2, with DLMF Table 18.9.2.


def _zeros(diagonal: Any, squares: Any) -> Any:
    """On a GPU, where SciPy does not compute: the eigenvalues of the matrix; `squares` has those of `off_1, ..`."""
    indices = constants_like(np.arange(len(diagonal)), diagonal)
    matrix = np.zeros_like(diagonal, shape=(len(diagonal), len(diagonal)))
    matrix[indices, indices] = diagonal
    matrix[indices[1:], indices[:-1]] = np.sqrt(squares)
    return np.linalg.eigvalsh(matrix)


def _checked(n: int, **parameters: Any) -> None:
    """Raise as SciPy does: a comparison reads numbers from a GPU."""
    if n < 1:
        raise ValueError("n must be a positive integer.")
    if not all(value > -1 for value in parameters.values()):
        raise ValueError(f"{' and '.join(parameters)} must be greater than -1.")


def _jacobi_zeros(n: int, alpha: Any, beta: Any) -> Any:
    if not is_on_device(alpha):
        return special.roots_jacobi(n, float(alpha), float(beta))[0]
    _checked(n, alpha=alpha, beta=beta)
    s, k = alpha + beta, constants_like(np.arange(1.0, n), alpha)
    t = 2 * k + s
    diagonal = np.concatenate([np.reshape((beta - alpha) / (s + 2), 1), (beta - alpha) * s / (t * (t + 2))])
    last = np.where(k == 1, 1.0, (k + s) / (t - 1))  # its limit where s = -1
    x = _zeros(diagonal, 4 * k * (k + alpha) * (k + beta) * last / (t * t * (t + 1)))
    return x - _jacobi_quotient(n, alpha, beta, x)


def _laguerre_zeros(n: int, alpha: Any) -> Any:
    if not is_on_device(alpha):
        return special.roots_genlaguerre(n, float(alpha))[0]
    _checked(n, alpha=alpha)
    k = constants_like(np.arange(n + 0.0), alpha)
    x = _zeros(2 * k + 1 + alpha, k[1:] * (k[1:] + alpha))
    return x - _laguerre_quotient(n, alpha, x)


def _jacobi_rule(n: int, alpha: Any, beta: Any) -> tuple[Any, Any, Any]:
    """With the larger parameter at 1, DLMF Table 18.6.1: next to -1 the factor `(alpha + 1)_n` would lose digits."""
    if raw(alpha) < raw(beta):
        x, weights, total = _jacobi_rule(n, beta, alpha)
        return -x[::-1], weights[::-1], total
    s = alpha + beta
    x = _jacobi_zeros(n, raw(alpha), raw(beta))
    x = _nodes(x, lambda x: _jacobi_quotient(n, alpha, beta, x), alpha, beta)
    logarithm = gammaln(n + alpha + 1) + gammaln(n + beta + 1) - gammaln(n + s + 1) - math.lgamma(n + 1)
    weights = np.exp(logarithm + (s + 1) * math.log(2)) / ((1 - x * x) * _jacobi_derivative(n, alpha, beta, x) ** 2)
    return x, weights, np.exp((s + 1) * math.log(2) + betaln(alpha + 1, beta + 1))


def _shifted_jacobi_rule(n: int, p1: Any, q1: Any) -> tuple[Any, Any, Any]:
    x, weights, total = _jacobi_rule(n, p1 - q1, q1 - 1)
    scale = 2**-p1
    return (x + 1) / 2, weights * scale, total * scale


def _laguerre_rule(n: int, alpha: Any) -> tuple[Any, Any, Any]:
    x = _laguerre_zeros(n, raw(alpha))
    x = _nodes(x, lambda x: _laguerre_quotient(n, alpha, x), alpha)
    logarithm = gammaln(n + alpha + 1) - math.lgamma(n + 1)
    weights = np.exp(logarithm - 2 * np.log(np.abs(_laguerre_derivative(n, alpha, x)))) / x
    return x, weights, np.exp(gammaln(alpha + 1))


def _called(plain: Callable[..., Any], ours: Callable[..., Any], n: int, parameters: Any, mu: bool) -> tuple[Any, ...]:
    """SciPy's rule for plain parameters, ours where one of them is traced or lies on a GPU."""
    is_ours = holds_traced(parameters) or any(map(is_on_device, parameters))
    rule = ours(n, *operands(*parameters)) if is_ours else plain(n, *parameters, True)
    return tuple(rule) if mu else tuple(rule[:2])


_SECTIONS = """\
Parameters
----------
n : int
    How many.
{parameters}
mu : bool
    Whether to return the sum of the weights too.

Returns
-------
x, w : array
    Nodes and weights.
mu : float
    The sum of the weights, if asked for.

Raises
------
ValueError
    If `n` is not a positive integer, or a parameter is out of its range.

Notes
-----
All of them are differentiable in {names}, to any order.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger import jacobian, special
>>> print(jacobian(lambda a: special.{name}({arguments})[0])({at}))
{shown}
"""


@integers("n")
@sections(
    _SECTIONS,
    parameters="alpha, beta : float\n    The exponents, larger than -1.",
    names="`alpha` and `beta`",
    arguments="2, a, 0.0",
    at="0.5",
    shown="[-0.10983861 -0.28522312]",
)
def roots_jacobi(n: int, alpha: Scalar, beta: Scalar, mu: bool = False) -> tuple[Array, ...]:
    """Nodes and weights of Gauss-Jacobi quadrature, with the weight function `(1 - x)**alpha (1 + x)**beta`."""
    return _called(special.roots_jacobi, _jacobi_rule, n, (alpha, beta), mu)


@integers("n")
@sections(
    _SECTIONS,
    parameters="p1, q1 : float\n    The parameters; `p1 - q1 > -1` and `q1 > 0`.",
    names="`p1` and `q1`",
    arguments="1, 2.0, a",
    at="1.0",
    shown="[0.33333333]",
)
def roots_sh_jacobi(n: int, p1: Scalar, q1: Scalar, mu: bool = False) -> tuple[Array, ...]:
    """Nodes and weights of quadrature on [0, 1] with the weight function `(1 - x)**(p1 - q1) x**(q1 - 1)`."""
    return _called(special.roots_sh_jacobi, _shifted_jacobi_rule, n, (p1, q1), mu)


@integers("n")
@sections(
    _SECTIONS,
    parameters="alpha : float\n    The exponent, larger than -1.",
    names="`alpha`",
    arguments="2, a",
    at="0.0",
    shown="[0.64644661 1.35355339]",
)
def roots_genlaguerre(n: int, alpha: Scalar, mu: bool = False) -> tuple[Array, ...]:
    """Nodes and weights of Gauss-Laguerre quadrature, with the weight function `x**alpha exp(-x)`."""
    return _called(special.roots_genlaguerre, _laguerre_rule, n, (alpha,), mu)


@integers("n")
@sections(
    _SECTIONS,
    parameters="alpha : float\n    The parameter, larger than -1/2.",
    names="`alpha`",
    arguments="2, a",
    at="1.0",
    shown="[ 0.125 -0.125]",
)
def roots_gegenbauer(n: int, alpha: Scalar, mu: bool = False) -> tuple[Array, ...]:
    """Nodes and weights of Gauss-Gegenbauer quadrature, with the weight function `(1 - x**2)**(alpha - 1/2)`."""
    return _called(
        special.roots_gegenbauer, lambda n, alpha: _jacobi_rule(n, alpha - 0.5, alpha - 0.5), n, (alpha,), mu
    )
