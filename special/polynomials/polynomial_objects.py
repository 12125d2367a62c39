"""Orthogonal polynomials as objects, whose coefficients, zeros and weights differentiate in the parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special
from scipy.special import gammaln

from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.space import Scalar
from ...complex_autograd.engine.traced import raw
from ..ufuncs.docstrings import sections
from ..ufuncs.integer_arguments import integers
from .gauss_quadrature import roots_gegenbauer, roots_genlaguerre, roots_jacobi, roots_sh_jacobi
from .real_degree.values import eval_gegenbauer, eval_genlaguerre, eval_jacobi, eval_sh_jacobi

__all__ = ["gegenbauer", "genlaguerre", "jacobi", "sh_jacobi"]


class OrthogonalPolynomial:
    """What SciPy's functions return as `orthopoly1d`, where a parameter is differentiated.

    Attributes
    ----------
    order : int
        The degree.
    coeffs : array
        The coefficients, that of the highest power first.
    roots : array
        The zeros, in the order of SciPy's object.
    weights : array
        Rows of zero, weight of the quadrature rule, and that over the weight function.
    weight_func : callable
        The weight function.
    limits : tuple of float
        The interval.
    normcoef : float
        The square root of the norm.
    """

    def __init__(
        self,
        rule: tuple[Any, Any],
        leading: Any,
        evaluate: Callable[[Any], Any],
        norm: Any,
        weight_func: Callable[[Any], Any],
        limits: tuple[float, float],
        monic: bool,
    ) -> None:
        roots, weights = rule
        factor = 1 / leading if monic else 1.0
        self.order = roots.shape[0]
        self.coeffs = np.poly(roots) * (1.0 if monic else leading)
        _check_coefficients(raw(self.coeffs))
        self.roots = roots[np.argsort(np.argsort(np.real(np.roots(raw(self.coeffs)))))]
        self.weights = np.stack([roots, weights, weights / weight_func(roots)], axis=-1)
        self.weight_func = weight_func
        self.limits = limits
        self.normcoef = np.sqrt(norm) * np.abs(factor)
        self._evaluate = evaluate
        self._factor = factor

    def __call__(self, x: Any) -> Any:
        """The value at `x`."""
        return self._evaluate(x) * self._factor

    def __repr__(self) -> str:
        return f"OrthogonalPolynomial({self.coeffs!r})"


def _check_coefficients(coeffs: Any) -> None:
    if not np.all(np.isfinite(coeffs)):
        raise ValueError(
            "the coefficients of the polynomial are not finite numbers, so it has no zeros to differentiate. Likely "
            "cause: a parameter so large that products of zeros overflow. Take a smaller one, or the functions eval_*, "
            "which need no coefficients."
        )


def _check_degree(n: int) -> None:
    if n < 1:
        raise ValueError(
            "a polynomial of degree 0 does not depend on its parameters: do not differentiate with respect to them."
        )


_SECTIONS = """\
Parameters
----------
n : int
    The degree.
{parameters}
monic : bool
    {monic}

Returns
-------
orthopoly1d or OrthogonalPolynomial
    SciPy's object, or one with the same attributes where a parameter is differentiated.

Notes
-----
Coefficients, zeros, weights and values are differentiable in {names}, to any order.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger import jacobian, special
>>> print(jacobian(lambda a: special.{name}({arguments}).{what})({at}))
{shown}
"""


@integers("n")
@sections(
    _SECTIONS,
    parameters="alpha, beta : float\n    The parameters, larger than -1.",
    monic="Whether the leading coefficient is 1.",
    names="`alpha` and `beta`",
    arguments="1, a, 0.0",
    what="coeffs",
    at="0.5",
    shown="[0.5 0.5]",
)
def jacobi(n: int, alpha: Scalar, beta: Scalar, monic: bool = False) -> Any:
    """The Jacobi polynomial."""
    if not holds_traced([alpha, beta]):
        return special.jacobi(n, alpha, beta, monic)
    _check_degree(n)
    alpha, beta = operands(alpha, beta)
    s = alpha + beta
    # DLMF 18.3.1
    norm = np.exp(
        (s + 1) * math.log(2)
        + gammaln(n + alpha + 1)
        + gammaln(n + beta + 1)
        - gammaln(n + s + 1)
        - math.lgamma(n + 1)
        - np.log(2 * n + s + 1)
    )
    leading = np.exp(gammaln(2 * n + s + 1) - gammaln(n + s + 1) - math.lgamma(n + 1) - n * math.log(2))
    return OrthogonalPolynomial(
        roots_jacobi(n, alpha, beta),
        leading,
        lambda x: eval_jacobi(np.float64(n), alpha, beta, x),
        norm,
        lambda x: (1 - x) ** alpha * (1 + x) ** beta,
        (-1, 1),
        monic,
    )


@integers("n")
@sections(
    _SECTIONS,
    parameters="p, q : float\n    The parameters; `p - q > -1` and `q > 0`.",
    monic="Without effect, as the polynomial is monic.",
    names="`p` and `q`",
    arguments="1, 2.0, a",
    what="coeffs",
    at="1.0",
    shown="[ 0.         -0.33333333]",
)
def sh_jacobi(n: int, p: Scalar, q: Scalar, monic: bool = False) -> Any:
    """The shifted Jacobi polynomial, with leading coefficient 1."""
    if not holds_traced([p, q]):
        return special.sh_jacobi(n, p, q, monic)
    _check_degree(n)
    p, q = operands(p, q)
    norm = np.exp(
        math.lgamma(n + 1)
        + gammaln(n + q)
        + gammaln(n + p)
        + gammaln(n + p - q + 1)
        - np.log(2 * n + p)
        - 2 * gammaln(2 * n + p)
    )
    return OrthogonalPolynomial(
        roots_sh_jacobi(n, p, q),
        1.0,
        lambda x: eval_sh_jacobi(np.float64(n), p, q, x),
        norm,
        lambda x: (1 - x) ** (p - q) * x ** (q - 1),
        (0, 1),
        monic,
    )


@integers("n")
@sections(
    _SECTIONS,
    parameters="alpha : float\n    The parameter, larger than -1.",
    monic="Whether the leading coefficient is 1.",
    names="`alpha`",
    arguments="1, a",
    what="roots",
    at="0.5",
    shown="[1.]",
)
def genlaguerre(n: int, alpha: Scalar, monic: bool = False) -> Any:
    """The generalised Laguerre polynomial."""
    if not holds_traced(alpha):
        return special.genlaguerre(n, alpha, monic)
    _check_degree(n)
    (alpha,) = operands(alpha)
    return OrthogonalPolynomial(
        roots_genlaguerre(n, alpha),
        (-1) ** n / math.factorial(n),
        lambda x: eval_genlaguerre(np.float64(n), alpha, x),
        np.exp(gammaln(n + alpha + 1) - math.lgamma(n + 1)),
        lambda x: np.exp(-x) * x**alpha,
        (0, np.inf),
        monic,
    )


@integers("n")
@sections(
    _SECTIONS,
    parameters="alpha : float\n    The parameter, larger than -1/2.",
    monic="Whether the leading coefficient is 1.",
    names="`alpha`",
    arguments="1, a",
    what="coeffs",
    at="0.5",
    shown="[2. 0.]",
)
def gegenbauer(n: int, alpha: Scalar, monic: bool = False) -> Any:
    """The Gegenbauer polynomial."""
    if not holds_traced(alpha):
        return special.gegenbauer(n, alpha, monic)
    _check_degree(n)
    (alpha,) = operands(alpha)
    # DLMF 18.3.1; the norm is that of SciPy's object, which scales the root of Jacobi's by the factor between both
    factor = np.exp(gammaln(2 * alpha + n) + gammaln(alpha + 0.5) - gammaln(2 * alpha) - gammaln(alpha + 0.5 + n))
    base = jacobi(n, alpha - 0.5, alpha - 0.5, monic)
    if monic:
        return base
    norm = (base.normcoef * factor) ** 2
    return OrthogonalPolynomial(
        roots_gegenbauer(n, alpha),
        base.coeffs[0] * factor,
        lambda x: eval_gegenbauer(np.float64(n), alpha, x),
        norm,
        base.weight_func,
        (-1, 1),
        monic,
    )
