"""Derivatives of Jacobi polynomials in degree and parameters at whole degrees, of plain vectors.

`P_n = (alpha + 1)_n / n! phi_n`, as in `polynomial_degree.py`, by DLMF 18.9.2 for the differences of `phi`: with
`s = alpha + beta` and `t = 2 k + s`,

    (k + alpha + 1) (k + s + 1) t rise_k = (t + 2) ((t + 1) t (x - 1) / 2 phi_k + k (k + beta) rise_(k-1)).

Computed with `sigma = (alpha + 1) + (beta + 1)` in the place of `s + 2` it loses nothing where both parameters are next
to -1.  It is differentiated in place.  At degree 0 the derivative in the degree is that of
`F(-n, n + s + 1; alpha + 1; z)`, a series.  The functions are kernels of `degree_sweeps.sweep`, but for
`jacobi_in_degree`.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from scipy.special import psi

from .degree_sweeps import PIECE, in_order, put_back, steps, sweep
from .jet_vectors import part
from .whole_jacobi_series import bends_at_degree_0, distance, edge, logarithm, modulus

__all__ = [
    "Direction",
    "jacobi_along",
    "jacobi_in_degree",
    "legendre_in_degree",
    "off_cut",
    "phi",
    "rising",
    "within_reach",
]

_LOSS = 4.5
"""Where `(1 - z)**-beta` is more than the exponential of this the recurrence loses digits, and `beta` is lowered."""
_BEND = 3.0
"""So it is where this is less than its largest value on the circle of `zeta` by more than the exponential of it."""
_LIMIT = 0.98
"""The largest `abs(zeta)` at which the power series is used."""
_HIGHEST = 1000.0
"""The largest parameter that is lowered, or stands with it."""


class Direction(NamedTuple):
    """What a derivative moves: the derivatives of `n`, `alpha` and `beta` along it."""

    n: float
    alpha: float
    beta: float


def jacobi_along(n: Any, alpha: Any, beta: Any, x: Any, along: Direction) -> tuple[Any, Any]:
    """Jacobi's polynomial and its derivative in the parameters."""
    value, slope = phi_along(n, alpha, beta, x, along)
    end, turn = rising(n, alpha + 1, x, along.alpha)
    return value * end, slope * end + value * turn


def phi_along(n: Any, alpha: Any, beta: Any, x: Any, along: Direction) -> tuple[Any, Any]:
    """`phi_n` and its derivative in the parameters."""
    below = alpha + 1
    turn = (along.beta * below - along.alpha * (beta + 1)) / (below * below) * ((x - 1) / 2)
    return _climb(n, alpha, beta, x, np.zeros_like(x), turn, along)[:2]


def phi(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """`phi_n`."""
    sigma, left = (alpha + 1) + (beta + 1), (x - 1) / 2
    value, rise = np.ones_like(x), sigma / (alpha + 1) * left
    for last, going in steps(n, len(x)):
        k = last + 1
        v, r, y, a, b, total = (part(p, going) for p in (value, rise, left, alpha, beta, sigma))
        v += r
        ratio = (total + 2 * k) / ((a + (k + 1)) * (total + (k - 1)))
        r *= ratio * (k * (b + k)) / (total + (2 * k - 2))
        r += y * v * (ratio * (total + (2 * k - 1)))
    return value


def _climb(n: Any, alpha: Any, beta: Any, x: Any, slope: Any, turn: Any, along: Direction) -> tuple[Any, Any, Any, Any]:
    """`phi_n`, its derivative, the rise to `phi_(n+1)` and its derivative, from those derivatives at degree 0."""
    sigma, left = (alpha + 1) + (beta + 1), (x - 1) / 2
    value, rise = np.ones_like(x), sigma / (alpha + 1) * left
    for last, going in steps(n, len(x)):
        k = last + 1
        v, dv, r, dr, y, a, b, total = (part(p, going) for p in (value, slope, rise, turn, left, alpha, beta, sigma))
        v += r
        dv += dr
        first, other, dfirst, dother = _coefficients(k, a, b, total, along)
        u = y * v
        w = y * dv
        dr *= other
        w *= first
        dr += w
        dr += u * dfirst
        dr += r * dother
        r *= other
        u *= first
        r += u
    return value, slope, rise, turn


def _coefficients(k: int, a: Any, b: Any, sigma: Any, along: Direction) -> tuple[Any, Any, Any, Any]:
    """Of `(x - 1) / 2 phi_k` and `rise_(k-1)` in `rise_k`, and their derivatives."""
    dn, da, db = along.n, along.n + along.alpha, along.n + along.beta
    dc, dt = da + along.beta, da + db
    a, c, t = a + (k + 1), sigma + (k - 1), sigma + (2 * k - 2)
    ratio = t + 2
    bend = dt / ratio
    bend -= dc / c
    if da:
        bend -= da / a
    a *= c
    ratio /= a
    first, other = t + 1, ratio / t
    dfirst = dt / first
    dfirst += bend
    first *= ratio
    dfirst *= first
    bend -= dt / t
    bend += dn / k
    other *= k
    dother = other * db
    other *= b + k
    bend *= other
    dother += bend
    return first, other, dfirst, dother


def rising(n: Any, c: Any, x: Any, dc: float = 0) -> tuple[Any, Any]:
    """`(c)_n / n!` and its derivative along that of `c`; of numbers it is one, of which the sizes of `x` do not matter.

    At `c = alpha + 1` it is Jacobi's polynomial at 1, DLMF 18.6.1, and at `c = 2 alpha` Gegenbauer's.
    """
    if type(n) is type(c) is float:
        x = np.ones(1)  # all elements are one number
    value, slope = np.ones_like(x.real), np.zeros_like(x.real)
    for k, going in steps(n, len(x)):
        v, dv, factor = part(value, going), part(slope, going), (part(c, going) + k) / (k + 1)
        if dc:
            dv *= factor
            dv += v * (dc / (k + 1))
        v *= factor
    return value, slope


# in the degree


def legendre_in_degree(n: Any, x: Any) -> Any:
    """At degree 0 it is `log((1 + x) / 2)`."""
    first = logarithm((1 + x) / 2)
    return _climb(n, 0.0, 0.0, x, first, x * first + (x - 1) - first, Direction(1, 0, 0))[1]


def jacobi_in_degree(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """Jacobi's polynomial and its derivative in the degree, of numbers and vectors, the last of which is a vector."""
    if type(n) is type(alpha) is type(beta) is float:
        return in_order(functools.partial(_in_order, n, alpha, beta), distance((1 + x) / 2), x)
    return _in_order(n, alpha, beta, x)


def _in_order(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    return _divided(_is_left(alpha, beta, (1 + x) / 2), _from_left, _from_right, n, alpha, beta, x)


def _divided(mask: Any, first: Any, second: Any, *args: Any) -> Any:
    """Where the mask says so the first function of the arguments, elsewhere the second; rows of vectors."""
    if np.all(mask):
        return first(*args)
    if not np.any(mask):
        return second(*args)
    (here,), (there,) = np.nonzero(mask), np.nonzero(~mask)
    found = [function(*[part(a, own) for a in args]) for own, function in ((here, first), (there, second))]
    return put_back(np.concatenate(found, axis=-1), np.concatenate([here, there]))


def _bends(alpha: Any, beta: Any, rest: Any) -> Any:
    """Those of numbers are polynomials, of which a few elements may have more terms than they need."""
    if type(alpha) is type(beta) is float and len(rest) <= PIECE:
        return bends_at_degree_0(alpha, beta, rest)
    return in_order(bends_at_degree_0, distance(rest), alpha, beta, rest)


def _from_right(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    rest = (1 + x) / 2
    slope, bend = _bends(alpha, beta, rest)
    return sweep(lambda *args: _in_degree(*args)[:2], n, alpha, beta, x, slope, bend * rest)


def _from_left(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """`(-1)**n` times the polynomial of `beta, alpha, -x`, with the derivative at degree 0 of the original one.

    Next to `x = -1` this is of size `(1 + x)**-beta`, and the recurrence loses that; so `beta` starts below 1, and is
    raised to its value: from the fractional part `f`, which loses `(n + 1)**(2 f)`, or from one less, which loses
    `((n + 1)**2 r)**(f - 1)`.
    """
    whole = beta // 1
    f = beta - whole
    is_high = f > 0.5
    if np.any(is_high & (f < 0.9)):
        is_high = is_high & ~((f < 0.9) & (2 * np.log(n + 1) < (f - 1) * np.log(np.abs((1 + x) / 2))))
    return _divided(is_high, _from_minus, _from_plus, n, alpha, beta, x)


def _from_plus(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    return _from_lowered(n, alpha, beta, np.maximum(beta // 1, 0.0), x)


def _from_minus(n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    return _from_lowered(n, alpha, beta, beta // 1 + 1, x)


def _from_lowered(n: Any, alpha: Any, beta: Any, up: Any, x: Any) -> Any:
    rest, base = (1 + x) / 2, beta - up
    if type(beta) is float:
        base, up = float(base), float(up)
    slope, bend = _bends(alpha, base, rest)
    slope += psi(alpha + 1) - psi(base + 1)
    rows = sweep(_in_degree, n, base, alpha, -x, slope, -bend * rest) * (1 - 2 * (n % 2))
    if not np.any(up):
        return rows[:2]
    return sweep(_raised, up, n, alpha, base, rest, *rows)


def _in_degree(n: Any, alpha: Any, beta: Any, x: Any, slope: Any, bend: Any) -> Any:
    """`P_n`, its derivative, `(alpha + 1)_n / n!` times the rise to `phi_(n+1)`, and the derivative of that.

    By `phi_1` next to degree 0, DLMF 18.9.17.
    """
    s = alpha + beta
    one = ((alpha - beta) + (s + 2) * x) / 2
    turn = (x + one * (slope - 1 / (alpha + 1)) + (s + 2) * bend) / (alpha + 1) - slope
    rows = np.stack(_climb(n, alpha, beta, x, slope, turn, Direction(1, 0, 0)))
    rows[1::2] += (psi(n + (alpha + 1)) - psi(n + 1)) * rows[::2]
    rows *= rising(n, alpha + 1, x)[0]
    return rows


def _raised(up: Any, n: Any, alpha: Any, beta: Any, rest: Any, v: Any, dv: Any, rise: Any, turn: Any) -> Any:
    """The polynomial and its derivative at `beta + up`.

    To `beta + 1` by DLMF 18.9.6, on in `b = n + s + 1` at `a = -n`, `c = alpha + 1` by DLMF 15.5.12: `b r F(b + 1) =
    -(n + beta) F(b - 1) + (beta + (2 n + s + 1) r) F(b)` with `r = rest`.
    """
    twice = 2 * n + (alpha + beta + 2)
    factor = -(n + (beta + 1)) / (twice * rest)
    low, high = [v.copy(), dv.copy()], [factor * rise, factor * turn - (alpha - beta) / (twice**2 * rest) * rise]
    even, odd, inverse = low, high, 1 / rest
    for k, going in steps(up, len(rest)):
        if k:
            u, du, w, dw, m, a, b, r, i = (part(p, going) for p in (*low, *high, n, alpha, beta + k, rest, inverse))
            below, ahead = i / (m + a + b + 1), b + (2 * m + (a + b + 1)) * r
            du *= -(m + b)
            du += ahead * dw + 2 * r * w - u
            u *= -(m + b)
            u += ahead * w
            u *= below
            du -= r * u
            du *= below
            low, high = high, low
    return np.where(up % 2, odd, even)


def off_cut(x: Any) -> Any:
    """Where the derivative in the degree is one-valued."""
    return (np.real(x) > -1) | (np.imag(x) != 0)


def _is_left(alpha: Any, beta: Any, rest: Any) -> Any:
    """Next to `x = -1`, and where `beta` is too large.

    That is where `beta log(abs(rest)) < -_LOSS`, and on the circle `beta log(abs(rest) ((1 + c) / (1 - c))**2) > _BEND`
    for a `beta` above 1/2, with `c` the size of `zeta`.
    """
    size = modulus(rest)
    bound = np.exp(np.divide(-_LOSS, beta))
    is_left = (size < edge(alpha)) | ((beta > 0) & (size < bound))
    if rest.dtype.kind == "f" and np.all(size <= 1):
        return is_left
    is_left |= (beta < 0) & (size > bound)
    if np.all(beta <= 0.5):
        return is_left
    c = np.minimum(distance(rest), _LIMIT)
    return is_left | ((beta > 0.5) & (size * np.square((1 + c) / (1 - c)) > np.exp(np.divide(_BEND, beta))))


def within_reach(alpha: Any, beta: Any, x: Any) -> Any:
    """Where the derivative in the degree keeps its digits."""
    is_mild = (beta > -1) & (np.maximum(np.abs(alpha), beta) <= _HIGHEST)
    if x.dtype.kind == "f" and np.all((x > -1) & (x <= 1)) and np.all(is_mild):
        return np.True_
    rest = (1 + x) / 2
    is_near = np.abs(rest) < edge(alpha)
    return off_cut(x) & (is_near | (distance(rest) <= _LIMIT)) & (is_mild | ~_is_left(alpha, beta, rest))
