"""Orthogonal polynomials with better values at real degrees, where SciPy sums a series that cancels."""

from __future__ import annotations

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
    "lpmv",
]

_HIGHEST = 200
"""The largest degree, up or down, at which the values are ours."""
_WIDEST = 1000
"""The largest argument and parameter."""


def _everywhere(*parameters: Any) -> Any:
    return True


def _improved(
    ufunc: np.ufunc, kernel: Callable[..., Any], edge: float, domain: Any = _everywhere, degree: int = 0
) -> Improved:
    """SciPy's function with the values of the kernel where the degree is not whole.

    That is right of the edge or off the real axis, and where the domain holds the degree and the parameters.
    """

    def better(w: Any, *args: Any) -> Any:
        shape, vectors = flat(*[double(x) for x in args])
        n, x = vectors[degree], vectors[-1]
        off_cut = (np.real(x) > edge) | (np.imag(x) != 0)
        ours = (n != np.floor(n)) & off_cut & (np.abs(n) <= _HIGHEST) & domain(*vectors[:-1])
        for parameter in vectors:
            ours = ours & (np.abs(parameter) <= _WIDEST)
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


eval_chebyt = _improved(special.eval_chebyt, _chebyshev_t, -1)
eval_chebyu = _improved(special.eval_chebyu, _chebyshev_u, -1)
eval_chebyc = _improved(special.eval_chebyc, lambda n, x: 2 * _chebyshev_t(n, x / 2), -2)
eval_chebys = _improved(special.eval_chebys, lambda n, x: _chebyshev_u(n, x / 2), -2)
eval_sh_chebyt = _improved(special.eval_sh_chebyt, lambda n, x: _chebyshev_t(n, 2 * x - 1), 0)
eval_sh_chebyu = _improved(special.eval_sh_chebyu, lambda n, x: _chebyshev_u(n, 2 * x - 1), 0)
eval_legendre = _improved(special.eval_legendre, legendre_function, -1)
eval_sh_legendre = _improved(special.eval_sh_legendre, lambda n, x: legendre_function(n, 2 * x - 1), 0)
eval_gegenbauer = _improved(special.eval_gegenbauer, gegenbauer_function, -1, lambda n, a: a > -0.5)
eval_jacobi = _improved(special.eval_jacobi, jacobi_function, -1, lambda n, a, b: (a > -1) & (b > -1))
eval_sh_jacobi = _improved(special.eval_sh_jacobi, shifted_jacobi_function, 0, lambda n, p, q: (p - q > -1) & (q > 0))


def _by_recurrence_too(improved: Improved) -> Improved:
    """At whole degrees that are given as floating-point numbers, too: SciPy has the recurrence for integers alone."""
    ufunc, at_fractions = improved.ufunc, improved.better

    def better(w: Any, n: Any, *args: Any) -> Any:
        whole = (np.real(n) == np.floor(np.real(n))) & (np.real(n) >= 0) & (np.real(n) <= _HIGHEST)
        if n.dtype.kind == "f" and np.any(whole) and not any(x.dtype.kind == "c" for x in args):
            w = np.where(whole, ufunc(np.where(whole, n, 0).astype(np.int64), *args), w)
        return at_fractions(w, n, *args)

    return Improved(ufunc, better)


eval_genlaguerre = _by_recurrence_too(
    _improved(special.eval_genlaguerre, laguerre_function, -_WIDEST, lambda n, a: a > -1)
)
eval_laguerre = _by_recurrence_too(
    _improved(special.eval_laguerre, lambda n, x: laguerre_function(n, 0.0, x), -_WIDEST)
)


def _whole_order(m: Any, v: Any, x: Any) -> Any:
    value = associated_legendre_function(np.round(m), v, x)
    return np.where((m == np.round(m)) & (np.abs(x) < 1), value, np.nan)


lpmv = _improved(special.lpmv, _whole_order, -1, degree=1)
