"""Orthogonal polynomials with better values at real degrees, where SciPy sums a series that cancels.

Where it does not, SciPy's values stay: measured, they are accurate to 1e-13 there, and they are faster.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from .improved import Improved
from .laguerre_degree import laguerre_function
from .parameters import by_parts, double, flat
from .polynomial_degree import (
    associated_legendre_function,
    gegenbauer_function,
    jacobi_function,
    legendre_function,
    shifted_jacobi_function,
)

__all__ = [
    "assoc_laguerre",
    "eval_chebyc",
    "eval_chebys",
    "eval_chebyt",
    "eval_chebyu",
    "eval_gegenbauer",
    "eval_genlaguerre",
    "eval_jacobi",
    "eval_laguerre",
    "eval_legendre",
    "eval_sh_chebyt",
    "eval_sh_chebyu",
    "eval_sh_jacobi",
    "eval_sh_legendre",
    "genlaguerre_as_slope",
    "lpmv",
]

_HIGHEST = 1000
"""The largest degree, up or down, at which the values are ours."""
_WIDEST = 1000
"""The largest argument and parameter."""


def _everywhere(*parameters: Any) -> Any:
    return True


def _nowhere(*args: Any) -> Any:
    return np.False_


def _improved(
    ufunc: np.ufunc,
    kernel: Callable[..., Any],
    edge: float,
    domain: Any = _everywhere,
    accurate: Any = _nowhere,
    degree: int = 0,
    highest: float = _HIGHEST,
) -> Improved:
    """SciPy's function with the values of the kernel where the degree is not whole.

    That is right of the edge or off the real axis, and where the domain holds the degree and the parameters; but not
    where SciPy's are accurate, for real arguments.
    """

    def better(w: Any, *args: Any) -> Any:
        shape, vectors = flat(*[double(x) for x in args])
        n, x = vectors[degree], vectors[-1]
        off_cut = (np.real(x) > edge) | (np.imag(x) != 0)
        ours = (n != np.floor(n)) & off_cut & domain(*vectors[:-1])
        for parameter in [v for k, v in enumerate(vectors) if k != degree]:
            ours = ours & (np.abs(parameter) <= _WIDEST)
        if x.dtype.kind != "c":
            ours = ours & ~accurate(*vectors)
        too_high = ours & (np.abs(n) > highest)
        if np.any(too_high):
            warnings.warn(
                f"{ufunc.__name__}: SciPy's value is returned at a degree beyond {highest} that is not whole, where "
                "its series loses digits, or all of them",
                RuntimeWarning,
                stacklevel=4,
            )
        ours = ours & ~too_high
        if not np.any(ours):
            return w

        def by_kernel(w: Any, *args: Any) -> tuple[Any]:
            value = kernel(*args)
            return (np.where(np.isfinite(value), value, w),)

        plain = np.reshape(w + np.zeros_like(np.real(x)).reshape(shape), (-1,))
        (value,) = by_parts([(ours, by_kernel), (~ours, lambda w, *args: (w,))], plain, *vectors)
        return np.reshape(value, shape)

    return Improved(ufunc, better)


# Chebyshev's, DLMF 18.5.1 and 18.5.2; the angle without cancellation at x = 1


def _angle(x: Any) -> Any:
    return 2 * np.arcsin(np.sqrt((1 - x) / 2 + 0j))


def _like(x: Any, z: Any) -> Any:
    return z if np.iscomplexobj(x) else np.real(z)


def _chebyshev_t(n: Any, x: Any) -> Any:
    return _like(x, np.cos(n * _angle(x)))


def _chebyshev_u(n: Any, x: Any) -> Any:
    angle = _angle(x)
    is_one = angle == 0
    sine = np.where(is_one, 1.0, np.sin(angle))
    return _like(x, np.where(is_one, n + 1, np.sin((n + 1) * angle) / sine))


eval_chebyt = _improved(special.eval_chebyt, _chebyshev_t, -1, highest=np.inf)
eval_chebyu = _improved(special.eval_chebyu, _chebyshev_u, -1, highest=np.inf)
eval_chebyc = _improved(special.eval_chebyc, lambda n, x: 2 * _chebyshev_t(n, x / 2), -2, highest=np.inf)
eval_chebys = _improved(special.eval_chebys, lambda n, x: _chebyshev_u(n, x / 2), -2, highest=np.inf)
eval_sh_chebyt = _improved(special.eval_sh_chebyt, lambda n, x: _chebyshev_t(n, 2 * x - 1), 0, highest=np.inf)
eval_sh_chebyu = _improved(special.eval_sh_chebyu, lambda n, x: _chebyshev_u(n, 2 * x - 1), 0, highest=np.inf)


# Legendre's, Gegenbauer's, Jacobi's


def _is_tame(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """Where SciPy's hypergeometric series loses no digits."""
    n = np.maximum(n, -n - alpha - beta - 1)
    small = (np.abs(alpha) <= 4) & (np.abs(beta) <= 4)
    return small & (n * (1 - x) <= 10) & (x > -0.25) & (x <= 1)


eval_legendre = _improved(special.eval_legendre, legendre_function, -1, accurate=lambda n, x: _is_tame(n, 0.0, 0.0, x))
eval_sh_legendre = _improved(
    special.eval_sh_legendre,
    lambda n, x: legendre_function(n, 2 * x - 1),
    0,
    accurate=lambda n, x: _is_tame(n, 0.0, 0.0, 2 * x - 1),
)
eval_gegenbauer = _improved(
    special.eval_gegenbauer,
    gegenbauer_function,
    -1,
    lambda n, a: a > -0.5,
    lambda n, a, x: _is_tame(n, a - 0.5, a - 0.5, x),
)
eval_jacobi = _improved(special.eval_jacobi, jacobi_function, -1, lambda n, a, b: (a > -1) & (b > -1), _is_tame)
eval_sh_jacobi = _improved(
    special.eval_sh_jacobi,
    shifted_jacobi_function,
    0,
    lambda n, p, q: (p - q > -1) & (q > 0),
    lambda n, p, q, x: _is_tame(n, p - q, q - 1, 2 * x - 1),
)

# Laguerre's


def _is_tame_laguerre(n: Any, alpha: Any, x: Any) -> Any:
    """Where SciPy's value is accurate."""
    return _is_mild(n, alpha, x) & ((n <= 5) | (n <= 8) & (x <= 10) | (n * n * x <= 256))


def _is_precise_laguerre(n: Any, alpha: Any, x: Any) -> Any:
    """Where it is, measured by the derivative that it gives."""
    return _is_mild(n, alpha, x) & ((n <= 4) | (n * n * x <= 200))


def _is_mild(n: Any, alpha: Any, x: Any) -> Any:
    return (n >= 0) & (np.abs(alpha) <= 5) & (x >= 0)


def _by_recurrence_too(improved: Improved) -> Improved:
    """At whole degrees that are given as floating-point numbers, too: SciPy has the recurrence for integers alone."""
    ufunc, at_fractions = improved.ufunc, improved.better

    def better(w: Any, n: Any, *args: Any) -> Any:
        whole = (np.real(n) == np.floor(np.real(n))) & (np.real(n) >= 0) & (np.real(n) <= _HIGHEST)
        if n.dtype.kind == "f" and np.any(whole) and not any(x.dtype.kind == "c" for x in args):
            w = np.where(whole, ufunc(np.where(whole, n, 0).astype(np.int64), *args), w)
        return at_fractions(w, n, *args)

    return Improved(ufunc, better)


def _genlaguerre(accurate: Any) -> Improved:
    return _by_recurrence_too(
        _improved(special.eval_genlaguerre, laguerre_function, -_WIDEST, lambda n, a: a > -1, accurate)
    )


eval_genlaguerre = _genlaguerre(_is_tame_laguerre)
genlaguerre_as_slope = _genlaguerre(_is_precise_laguerre)
"""For the derivatives, which are held to their own size."""
eval_laguerre = _by_recurrence_too(
    _improved(
        special.eval_laguerre,
        lambda n, x: laguerre_function(n, 0.0, x),
        -_WIDEST,
        accurate=lambda n, x: _is_tame_laguerre(n, 0.0, x),
    )
)


def assoc_laguerre(x: Any, n: Any, k: Any = 0.0) -> Any:
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
        Of the broadcast shape of the arguments. It differentiates in all of them, as `eval_genlaguerre` does.

    Examples
    --------
    >>> from wirtinger import grad, special
    >>> print(f"{special.assoc_laguerre(0.5, 2, 1.0):.6f} {grad(special.assoc_laguerre)(0.5, 2, 1.0):.6f}")
    1.625000 -2.500000
    """
    return eval_genlaguerre(n, k, x)


# the associated Legendre function


def _whole_order(m: Any, v: Any, x: Any) -> Any:
    value = associated_legendre_function(np.round(m), v, x)
    return np.where((m == np.round(m)) & (np.abs(x) < 1), value, np.nan)


def _is_between_whole_degrees(m: Any, v: Any, x: Any) -> Any:
    """Next to them SciPy loses digits."""
    return (np.abs(m) <= 3) & (np.abs(v) <= 30) & (np.abs(v - np.round(v)) > 0.01)


lpmv = _improved(special.lpmv, _whole_order, -1, accurate=_is_between_whole_degrees, degree=1)
