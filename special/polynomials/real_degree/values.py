"""Orthogonal polynomials with better values at real degrees, where SciPy sums a series that cancels.

Where it does not, SciPy's values stay: measured, they are accurate to 1e-13 there, and they are faster.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from scipy import special

from ....complex_autograd.engine.space import Array
from ...numerics.regions import is_near_pole
from ...ufuncs.patched_ufunc import PatchedUfunc
from ..integer_degree.exact import GEGENBAUER, JACOBI, SHIFTED_JACOBI
from ..integer_degree.jacobi import phi, rising
from ..integer_degree.laguerre import laguerre
from ..integer_degree.laguerre_left import LAGUERRE
from ..integer_degree.values import Mirror
from .chebyshev import (
    chebyshev_t,
    chebyshev_u,
    number_t,
    number_u,
    recurrence,
    shifted_number_t,
    shifted_number_u,
    shifted_t,
    shifted_u,
)
from .degree_function import WIDEST, degree_function
from .jacobi import (
    gegenbauer_function,
    is_steep,
    jacobi_function,
    legendre_function,
    shifted_legendre_function,
)
from .jacobi_shifted import shifted_jacobi_function
from .laguerre import laguerre_function
from .laguerre_far import is_far
from .values_at_one import over_leading_coefficient

__all__ = [
    "assoc_laguerre", "eval_chebyc", "eval_chebys", "eval_chebyt", "eval_chebyu", "eval_gegenbauer", "eval_genlaguerre",
    "eval_jacobi", "eval_laguerre", "eval_legendre", "eval_sh_chebyt", "eval_sh_chebyu", "eval_sh_jacobi",
    "eval_sh_legendre",
]  # fmt: skip

# Chebyshev's


def _chebyshev(
    ufunc: np.ufunc, kind: tuple[Any, ...], factor: float = 1.0, scale: float = 1.0, left: float = -1.0
) -> PatchedUfunc:
    """The function of a kind at `scale x`, times a factor; the ends of its interval are `left` and 1."""
    kernel, of_numbers, polynomial = (lambda n, x, f=f: factor * f(n, scale * x) for f in kind[:3])
    return degree_function(
        ufunc,
        kernel,
        left / scale,
        highest=np.inf,
        farthest=np.inf,
        polynomial=polynomial,
        is_sorted=False,
        kernel_of_numbers=of_numbers,
        mirror=kind[3],
    )


_FIRST_KIND = chebyshev_t, number_t, recurrence(1), Mirror(0, 1)
_SECOND_KIND = chebyshev_u, number_u, recurrence(2), Mirror(2, -1)
_SHIFTED_FIRST = shifted_t, shifted_number_t, lambda n, x: recurrence(1)(n, 2 * x - 1), Mirror(0, 1)
_SHIFTED_SECOND = shifted_u, shifted_number_u, lambda n, x: recurrence(2)(n, 2 * x - 1), Mirror(2, -1)

eval_chebyt = _chebyshev(special.eval_chebyt, _FIRST_KIND)
eval_chebyu = _chebyshev(special.eval_chebyu, _SECOND_KIND)
eval_chebyc = _chebyshev(special.eval_chebyc, _FIRST_KIND, factor=2, scale=0.5)
eval_chebys = _chebyshev(special.eval_chebys, _SECOND_KIND, scale=0.5)
eval_sh_chebyt = _chebyshev(special.eval_sh_chebyt, _SHIFTED_FIRST, left=0.0)
eval_sh_chebyu = _chebyshev(special.eval_sh_chebyu, _SHIFTED_SECOND, left=0.0)


# Legendre's, Gegenbauer's, Jacobi's


_OVERFLOWING = 150
"""Beyond this degree gamma functions of SciPy's values overflow, or lose digits."""


def _is_tame(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """Where SciPy's hypergeometric series loses no digits; off the real axis the kernel is faster."""
    if np.iscomplexobj(x):
        return np.False_
    larger = max if type(n) is type(alpha) is type(beta) is float else np.maximum
    small = (alpha > -1) & (alpha <= 4) & (beta > -1) & (beta <= 4)
    return small & (larger(n, -n - alpha - beta - 1) * (1 - x) <= 10) & (x > -0.25) & (x <= 1)


_DISTANCE = 1e-4
_HIGH, _BENT = 10, 8
"""Up to this degree, and where its product with `1 - x` is less, SciPy's values outside of the domain are right."""


def _loses(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    larger = np.maximum(n, -n - alpha - beta - 1)
    distance = abs(1 - x) if np.iscomplexobj(x) else 1 - x
    return (larger > _HIGH) | (larger * distance > _BENT) | _is_next_to_pole(alpha + 1, n + alpha + 1)


def _is_next_to_pole(*args: Any) -> Any:
    """Where a gamma function of one of these has lost digits."""
    return functools.reduce(np.logical_or, [is_near_pole(z, _DISTANCE) for z in args])


_SMALL_SUM = 0.01
"""Of `n + p`, below which SciPy's leading coefficients lose digits of it."""
_TINY = 1e-5
"""Of the argument of shifted polynomials, where `2 x - 1` has lost digits of it."""


_FARTHEST_BELOW, _LARGEST_MODULUS = -10, 2
"""Of `alpha` and of `2 x - 1`, beyond which SciPy's shifted polynomials were measured to lose six digits, or all."""


def _loses_shifted(n: Any, p: Any, q: Any, x: Any) -> Any:
    is_tiny = (np.abs(x) < _TINY) & (x != 0)
    is_strange = (p - q < _FARTHEST_BELOW) | (np.abs(2 * x - 1) > _LARGEST_MODULUS)
    return _loses(n, p - q, q - 1, 2 * x - 1) | is_tiny | is_strange | _is_next_to_pole(n + p, 2 * n + p)


def _loses_gegenbauer(n: Any, a: Any, x: Any) -> Any:
    return _loses(n, a - 0.5, a - 0.5, x) | _is_next_to_pole(2 * a, n + 2 * a)


def _legendre(n: Any, x: Any) -> Any:
    return phi(n, 0.0, 0.0, x)


def gegenbauer(n: Any, a: Any, x: Any) -> Any:
    """The polynomials of integer degree, as `sweep` takes them."""
    return phi(n, a - 0.5, a - 0.5, x) * rising(n, 2 * a, x)[0]


def jacobi(n: Any, a: Any, b: Any, x: Any) -> Any:
    """The polynomials of integer degree, as `sweep` takes them."""
    return phi(n, a, b, x) * rising(n, a + 1, x)[0]


def _shifted_jacobi(n: Any, p: Any, q: Any, x: Any) -> Any:
    return over_leading_coefficient(jacobi(n, p - q, q - 1, 2 * x - 1), n, p)


eval_legendre = degree_function(
    special.eval_legendre,
    legendre_function,
    -1,
    accurate=lambda n, x: _is_tame(n, 0.0, 0.0, x),
    polynomial=_legendre,
    mirror=Mirror(1, 1),
)
eval_sh_legendre = degree_function(
    special.eval_sh_legendre,
    shifted_legendre_function,
    0,
    accurate=lambda n, x: _is_tame(n, 0.0, 0.0, 2 * x - 1),
    polynomial=lambda n, x: _legendre(n, 2 * x - 1),
    mirror=Mirror(1, 1),
)
eval_gegenbauer = degree_function(
    special.eval_gegenbauer,
    gegenbauer_function,
    -1,
    lambda n, a: a > -0.5,
    lambda n, a, x: (abs(n) <= _OVERFLOWING) & _is_tame(n, a - 0.5, a - 0.5, x),
    polynomial=gegenbauer,
    is_wrong=lambda n, a, x: is_steep(n, a - 0.5, a - 0.5, x),
    loses=_loses_gegenbauer,
    outside=GEGENBAUER,
)
eval_jacobi = degree_function(
    special.eval_jacobi,
    jacobi_function,
    -1,
    lambda n, a, b: (a > -1) & (b > -1),
    _is_tame,
    polynomial=jacobi,
    is_wrong=is_steep,
    loses=_loses,
    outside=JACOBI,
)
eval_sh_jacobi = degree_function(
    special.eval_sh_jacobi,
    shifted_jacobi_function,
    0,
    lambda n, p, q: (p - q > -1) & (q > 0),
    lambda n, p, q, x: (n + p > _SMALL_SUM) & _is_tame(n, p - q, q - 1, 2 * x - 1),
    polynomial=_shifted_jacobi,
    is_wrong=lambda n, p, q, x: is_steep(n, p - q, q - 1, 2 * x - 1),
    loses=_loses_shifted,
    outside=SHIFTED_JACOBI,
)

# Laguerre's


_NEAR_MINUS_ONE = -0.99
"""Between -1 and this parameter SciPy loses digits of its distance from -1."""


def _is_tame_laguerre(n: Any, alpha: Any, x: Any) -> Any:
    """Where SciPy's value is accurate; off the real axis measured to 5e-14."""
    if np.iscomplexobj(x):
        size, is_right = abs(x), x.real >= 0
        near = (size <= 8) | is_right & ((size <= 10) | (size <= 12) & (n <= 8))
        return (n >= 0) & (n <= 10) & (abs(alpha) <= 5) & near
    return _is_mild(n, alpha, x) & ((n <= 5) | (n <= 8) & (x <= 10) | (n <= _OVERFLOWING) & (n * n * x <= 256))


def _is_precise_laguerre(n: Any, alpha: Any, x: Any) -> Any:
    """Where it is, measured by the derivative that it gives."""
    if np.iscomplexobj(x):
        return np.False_
    return _is_mild(n, alpha, x) & ((n <= 4) | (n * n * x <= 200))


def _are_tame_laguerre(n: Any, *others: Any) -> bool:
    """Whether all elements are so by their ranges."""
    *parameters, x = others
    is_real = np.size(x) > 1 and x.dtype.kind == "f"
    near = is_real and _are_between(n, 0, 8) and _are_between(x, 0, 10)
    return near and all(_are_between(alpha, _NEAR_MINUS_ONE, 5) for alpha in parameters)


def _are_between(x: Any, low: float, high: float) -> bool:
    return bool(np.size(x) and low <= np.min(x) and np.max(x) <= high)


def _is_mild(n: Any, alpha: Any, x: Any) -> Any:
    """Up to 250 SciPy's series is right to 6e-14, from 400 on it has no right digit."""
    is_moderate = (abs(alpha) <= 5) & ((alpha <= -1) | (alpha >= _NEAR_MINUS_ONE))
    return (n >= 0) & is_moderate & (x >= 0) & (x <= 200)


def _genlaguerre(accurate: Any, **keywords: Any) -> PatchedUfunc:
    return degree_function(
        special.eval_genlaguerre,
        laguerre_function,
        -WIDEST,
        lambda n, a: a > -1,
        accurate,
        by_recurrence=True,
        is_far=is_far,
        polynomial=laguerre,
        outside=LAGUERRE,
        **keywords,
    )


eval_genlaguerre = _genlaguerre(_is_tame_laguerre, are_tame=_are_tame_laguerre)
genlaguerre_as_derivative = _genlaguerre(_is_precise_laguerre)
"""For the derivatives, which are held to their own size."""
eval_laguerre = degree_function(
    special.eval_laguerre,
    lambda n, x: laguerre_function(n, 0.0, x),
    -WIDEST,
    accurate=lambda n, x: _is_tame_laguerre(n, 0.0, x),
    by_recurrence=True,
    is_far=lambda n, x: is_far(n, 0.0, x),
    polynomial=lambda n, x: laguerre(n, 0.0, x),
    are_tame=_are_tame_laguerre,
)


def assoc_laguerre(x: Array, n: Array, k: Array = 0.0) -> Array:
    """The generalized Laguerre polynomial `eval_genlaguerre(n, k, x)`, under SciPy's other name.

    Parameters
    ----------
    x : array_like
        Real or complex.
    n : array_like
        The degree.
    k : array_like, optional
        The parameter, above -1.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.  It is differentiable in all of them, as `eval_genlaguerre` is.

    Examples
    --------
    >>> from wirtinger import grad, special
    >>> print(f"{special.assoc_laguerre(0.5, 2, 1.0):.6f} {grad(special.assoc_laguerre)(0.5, 2, 1.0):.6f}")
    1.625000 -2.500000
    """
    return eval_genlaguerre(n, k, x)
