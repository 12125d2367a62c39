"""Legendre's elliptic integrals and Jacobi's elliptic functions, by Carlson's integrals, in which nothing cancels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special
from scipy.special import elliprd, elliprf

from ...complex_autograd.engine.traced import raw
from ..numerics.regions import by_region, in_double, with_dtypes
from ..ufuncs.kernel_partials import by_kernel
from ..ufuncs.large_arrays import threaded
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.patches import ANY, up_to
from ..ufuncs.ufunc_rules import pointwise, rule
from .carlson import carlson_integral

__all__ = ["ellipe", "ellipeinc", "ellipj", "ellipk", "ellipkinc", "ellipkm1"]

_WIDEST = 100.0
"""Up to this `p`, and down to one over it, four steps of the arithmetic-geometric mean are enough."""


def _means(p: Any) -> tuple[Any, Any]:
    """`K` and `S` of `K - E = m K (1/2 + S)`, where `m = 1 - p`.

    By the arithmetic-geometric mean of 1 and `sqrt(p)`, DLMF 19.8.4 and 19.8.6, `K = pi / (2 a_5)` and
    `S = sum_(n>0) 2**(n - 1) m q_n**2`, `q_n = c_n / m`, with `q_1 = 1 / (4 a_1)`, `q_(n+1) = m q_n**2 / (4 a_(n+1))`.
    """
    m, root = 1 - p, np.sqrt(p)
    a, b = 0.5 * (1 + root), np.sqrt(root)
    q = 0.25 / a
    term = total = m * q * q
    for weight in (2, 4, 8):
        a, b = 0.5 * (a + b), np.sqrt(a * b)
        q = term * (0.25 / a)
        term = m * q * q
        total = total + weight * term
    return math.pi / 2 / (a - m * term * (0.25 / a)), total


def _complete(quotient: Any, elsewhere: Any, by_means: Any) -> Any:
    """A complete integral of `p = 1 - m` by the mean, or by a quotient for `p` further from 1."""

    def kernel(p: Any) -> Any:
        is_moderate = (p >= 1 / _WIDEST) & (p <= _WIDEST)
        regions = [(is_moderate, lambda p: by_means(p, *_means(p))), ((p > 0) & (p < np.inf), quotient)]
        return by_region([*regions, (p == p, elsewhere), (p != p, lambda p: p)], p)

    return lambda p: in_double(kernel, *with_dtypes(p))


complete_last = pointwise(lambda w, p: -9 / 4 * carlson_integral(0.0, 1.0, p, powers=(1, 1, 5)))(
    _complete(
        lambda p: 3 * (ellipe(1 - p) / p - ellipkm1(p)) / (1 - p),
        lambda p: elliprd(0.0, 1.0, p),
        lambda p, k, s: 3 * k * (0.5 - s) / p,
    )
)
"""`RD(0, 1, p)`, many times as fast as by duplication."""

complete_middle = pointwise(lambda w, p: -3 / 4 * carlson_integral(0.0, p, 1.0, powers=(1, 3, 3)))(
    _complete(
        lambda p: 3 * (ellipkm1(p) - ellipe(1 - p)) / (1 - p),
        lambda p: elliprd(0.0, p, 1.0),
        lambda p, k, s: 3 * k * (0.5 + s),
    )
)
"""`RD(0, p, 1)`."""

# complete, DLMF 19.25.1 with 19.18.1

ellipk = rule(special.ellipk, "m", by_kernel("ellipk", lambda w, m: complete_last(1 - m) / 6))
ellipkm1 = rule(special.ellipkm1, "p", by_kernel("ellipkm1", lambda w, p: -complete_last(p) / 6))
ellipe = rule(special.ellipe, "m", by_kernel("ellipe", lambda w, m: -complete_middle(1 - m) / 6))

# incomplete, with phi = n pi + r; DLMF 19.25.5 and 19.25.9 with 19.18.1


@pointwise(lambda w, phi, m: -m * np.sin(2 * phi), lambda w, phi, m: -(np.sin(phi) ** 2))
def _delta_squared(phi: Any, m: Any) -> Any:
    """`1 - m sin(phi)**2`, without cancellation up to `m = 1`."""
    s, c = np.sin(phi), np.cos(phi)
    return c * c + (1 - m) * s * s


def _reduced(phi: Any) -> tuple[Any, Any, Any]:
    """`n`, and sine and cosine of `phi - n pi`, of which the cosine is not negative."""
    sine, cosine = np.sin(phi), np.cos(phi)
    n = np.round(raw(phi) / math.pi)
    sign = 1 - 2 * (n % 2)
    is_beyond = sign * raw(cosine) < 0
    n = n + np.where(is_beyond, sign * np.sign(raw(sine)), 0.0)
    sign = np.where(is_beyond, -sign, sign)
    return n, sign * sine, sign * cosine


def _first_kind_parameter(phi: Any, m: Any) -> Any:
    """`dF(phi, m) / dm`."""
    n, s, c = _reduced(phi)
    return _first_kind_derivative(n, s, c * c, _delta_squared(phi, m), m)


def _first_kind_derivative(n: Any, s: Any, square: Any, delta_squared: Any, m: Any) -> Any:
    """The same by the number of periods, the sine and squares; where there are no integer periods `m` may exceed 1."""
    complete = elliprd(0.0, 1.0, _complement(n, m))
    return _unit(n, m) * (s**3 / 6 * elliprd(square, 1.0, delta_squared) + n / 3 * complete)


def _complement(n: Any, m: Any) -> Any:
    """`1 - m` of the integer periods, 1 where there are none or where they are not real."""
    return np.where((n == 0) | (raw(m) > 1), 1.0, 1 - m)


def _unit(n: Any, m: Any) -> Any:
    """1, but NaN where integer periods are complex, at `m > 1`: a product with it has derivatives that are NaN, too."""
    return np.where((n != 0) & (raw(m) > 1), np.nan, 1.0)


def _second_kind_parameter(w: Any, phi: Any, m: Any) -> Any:
    n, s, c = _reduced(phi)
    complete = elliprd(0.0, _complement(n, m), 1.0)
    return _unit(n, m) * (-(s**3) / 6 * elliprd(c * c, _delta_squared(phi, m), 1.0) - n / 3 * complete)


def _root(phi: Any, m: Any) -> Any:
    """`sqrt(1 - m sin(phi)**2)`, NaN where the way to `phi` leads through where that is imaginary."""
    square = _delta_squared(phi, m)
    is_beyond = (raw(square) < 0) | ((raw(m) > 1) & (np.abs(raw(phi)) > math.pi / 2))
    return np.sqrt(np.where(is_beyond, np.nan, 1.0) * square)  # a product, whose derivatives are NaN, too


rule(special.ellipkinc, "phi m", lambda w, phi, m: 1 / _root(phi, m), lambda w, phi, m: _first_kind_parameter(phi, m))
rule(special.ellipeinc, "phi m", lambda w, phi, m: _root(phi, m), _second_kind_parameter)


def _is_real_beyond_one(phi: Any, m: Any) -> Any:
    """Where the integrals at `m > 1` are real, and SciPy's values NaN."""
    return (m > 1) & (np.abs(phi) < math.pi / 2) & (m * np.sin(phi) ** 2 <= 1)


def _first_kind(phi: Any, m: Any) -> Any:
    """DLMF 19.25.5."""
    s, c = np.sin(phi), np.cos(phi)
    return s * elliprf(c * c, np.fmax(_delta_squared(phi, m), 0.0), 1.0)


def _second_kind(phi: Any, m: Any) -> Any:
    """DLMF 19.25.11, where at `m > 1` nothing cancels."""
    s, c = np.sin(phi), np.cos(phi)
    square = np.fmax(_delta_squared(phi, m), 0.0)
    return s * (np.sqrt(square) / c + ((m - 1) * s) * s / 3 * elliprd(square, 1.0, c * c))


ellipkinc = PatchedUfunc(special.ellipkinc, [(_is_real_beyond_one, _first_kind)], bounds=[ANY, up_to(1.0)])
ellipeinc = PatchedUfunc(special.ellipeinc, [(_is_real_beyond_one, _second_kind)], bounds=[ANY, up_to(1.0)])

# Jacobi's sn, cn, dn, am, DLMF 22.13.1-3 and 22.16.3; in m from u = F(am, m), so that dam/dm = -dn dF/dm


def _argument(w: Any, u: Any, m: Any) -> Any:
    sn, cn, dn, _ = w
    return cn * dn, -sn * dn, -m * sn * cn, dn


def _parameter(w: Any, u: Any, m: Any) -> Any:
    sn, cn, dn, am = w
    n = _reduced(am)[0]
    amplitude = -dn * _first_kind_derivative(n, (1 - 2 * (n % 2)) * sn, cn * cn, dn * dn, m)
    return cn * amplitude, -sn * amplitude, -(sn * sn + 2 * m * sn * cn * amplitude) / (2 * dn), amplitude


rule(special.ellipj, "u m", _argument, _parameter)

_NEAR_ONE = 0.9999999999
"""From this `m` on SciPy takes expansions in `1 - m` that hold up to about `K / 2` only."""


def _within_half(u: Any, m: Any) -> Any:
    """From SciPy's values within `K / 2` of 0: `u` less integer periods `2 K`, and there `K - u`, DLMF 22.4.3."""
    p = 1 - m
    quarter = ellipkm1(p)
    periods = np.round(u / (2 * quarter))
    u = u - 2 * quarter * periods
    is_beyond = np.abs(u) > quarter / 2
    side = np.sign(u)
    sn, cn, dn, am = special.ellipj(np.where(is_beyond, side * quarter - u, u), m)
    root = np.sqrt(p)
    beyond = side * cn / dn, side * root * sn / dn, root / dn, side * np.arctan2(cn, side * root * sn)
    sn, cn, dn, am = (np.where(is_beyond, x, y) for x, y in zip(beyond, (sn, cn, dn, am), strict=True))
    sign = 1 - 2 * (periods % 2)
    return sign * sn, sign * cn, dn, am + math.pi * periods


def _of_arrays(u: Any, m: Any) -> Any:
    """SciPy's at once where no `m` is next to 1."""
    if type(m) is not np.ndarray or m.dtype.char != "d" or not m.size or np.max(m) >= _NEAR_ONE:
        return None
    return threaded(special.ellipj)(u, m)


ellipj = PatchedUfunc(special.ellipj, [(lambda u, m: (m >= _NEAR_ONE) & (m < 1), _within_half)], of_arrays=_of_arrays)
"""SciPy's values are of the wrong size from about a quarter period on where `m` is next to 1."""
