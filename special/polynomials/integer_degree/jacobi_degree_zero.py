"""What derivatives of Jacobi polynomials in the degree need beyond the recurrence: those at degree 0, of plain vectors.

`y`, the derivative in `n` at `n = 0` of `F(-n, n + s + 1; alpha + 1; z)` with `s = alpha + beta`, comes with the bend
`h = z dy / dz / (s + 1)`.  They are summed by the power series of `jacobi_series.py`, but next to `z = 1`, where they
go on from another point.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from ...numerics.regions import by_region, part
from ..real_degree.jacobi_sums import MOST_TERMS, active

_TERMS = 8
"""Between two looks at which elements need more."""
_NEGLIGIBLE = 1e-17


def edge(alpha: Any) -> Any:
    """Where `abs(1 - z)` is less than this, the way begins there; `z**alpha` has not become small on it."""
    return np.minimum(0.1, 2 / np.maximum(np.abs(alpha), 1.0))


def distance(rest: Any) -> Any:
    """`abs(zeta)` at `z = 1 - rest`, without complex roots."""
    if rest.dtype.kind == "f":
        return np.abs(1 - rest) / (np.square(1 + np.sqrt(np.maximum(rest, 0.0))) - np.minimum(rest, 0.0))
    size = modulus(rest)
    return modulus(1 - rest) / (1 + np.sqrt(2 * (size + rest.real)) + size)


def modulus(w: Any) -> Any:
    """`abs(w)`, where it is not large; of complex numbers NumPy's is slow."""
    return np.abs(w) if w.dtype.kind == "f" else np.sqrt(w.real * w.real + w.imag * w.imag)


def log1p(w: Any) -> Any:
    """The same of `log(1 + w)`."""
    if w.dtype.kind == "f":
        return np.log1p(w)
    x, y = w.real, w.imag
    return np.log1p(x * (2 + x) + y * y) / 2 + 1j * np.arctan2(y, 1 + x)


def square_root(w: Any) -> Any:
    """The same of the square root."""
    if w.dtype.kind == "f":
        return np.sqrt(w)
    larger = np.sqrt((np.abs(w) + np.abs(w.real)) / 2)
    smaller = w.imag / (2 * np.where(larger == 0, 1.0, larger))
    return np.where(w.real >= 0, larger + 1j * smaller, np.abs(smaller) + 1j * np.copysign(larger, w.imag))


def logarithm(w: Any) -> Any:
    """The same of `w`."""
    return np.log(w) if w.dtype.kind == "f" else np.log(np.abs(w)) + 1j * np.arctan2(w.imag, w.real)


def bends_at_degree_0(alpha: Any, beta: Any, z: Any, rest: Any) -> Any:
    """`y` and `h` at vectors `z` and `rest = 1 - z`."""
    is_near = np.abs(rest) < edge(alpha)
    return by_region([(is_near, _by_tail), (True, _by_series)], alpha, beta, z, rest)


def _by_series(alpha: Any, beta: Any, z: Any, rest: Any) -> Any:
    """The elements that need the most terms stand first."""
    zeta = z / np.square(1 + square_root(rest))
    bend, value = (_of_numbers if type(alpha) is type(beta) is float else _sums)(alpha, beta, zeta)
    return np.stack([-(2 * log1p(zeta) + value), -4 * bend / (1 - zeta)])


def _of_numbers(alpha: float, beta: float, zeta: Any) -> Any:
    """The sums with coefficients that are numbers, by Horner's rule; an element joins at the first power it needs."""
    sizes = np.maximum.accumulate(np.abs(zeta)[::-1])[::-1]
    coefficients, radii = _coefficients(alpha, beta, math.ceil(sizes[0] * 32) / 32)
    rows, coefficients = np.zeros((2, len(zeta)), zeta.dtype), coefficients.astype(zeta.dtype)
    for pair, count in zip(coefficients[::-1], np.searchsorted(-sizes, -radii)[::-1], strict=True):
        going = rows[:, :count]
        going += pair
        going *= zeta[:count]
    return rows


@functools.lru_cache(maxsize=64)
def _coefficients(alpha: float, beta: float, size: float) -> tuple[Any, Any]:
    """`e_k` and `u_k / k` at `zeta = 1`, as many as are needed up to a size of `zeta`; from which size on each is."""
    e, u, scale = 1 / (alpha + 1), 2 * (alpha + 2 * beta + 1) / (alpha + 1), 4 * (alpha + beta + 1)
    pairs, largest, k = [(e, u)], [max(abs(e), abs(u))], 1
    negligible, power = _NEGLIGIBLE * largest[0], 1.0
    while max(largest[-2:]) * power > negligible and k < MOST_TERMS:
        k, power = k + 1, power * size
        e = ((k - 2 - alpha) * e + u) / (alpha + k)
        u = scale * e - u
        pairs.append((e, u / k))
        largest.append(max(abs(e), abs(u / k)))
    radii = np.array([0.0, *((negligible / w) ** (1 / j) if w else np.inf for j, w in enumerate(largest[1:], 1))])
    return np.array(pairs)[:, :, None], np.minimum.accumulate(radii[::-1])[::-1]


def _sums(alpha: Any, beta: Any, zeta: Any) -> Any:
    """The sums of `e_k` and of `u_k / k`.

    With `u_k = k t_k / a` at `a = 0`, where `u_0` counts as 2, and `4 (s + 1) e_k = u_k + zeta u_(k-1)`, the recurrence
    of `jacobi_series.py` is `(k + alpha) e_k = zeta ((k - alpha - 2) e_(k-1) + u_(k-1))`.
    """
    scale = 4 * (alpha + beta + 1)
    e, u = zeta / (alpha + 1), (2 * (alpha + 2 * beta + 1) / (alpha + 1)) * zeta
    bend, value = e.copy(), u.copy()
    going, done = slice(len(zeta)), 1
    while going.stop and done < MOST_TERMS:
        v, w, h, y, c, q, a = (part(p, going) for p in (e, u, bend, value, zeta, scale, alpha))
        for k in range(done + 1, done + 1 + _TERMS):
            v *= (k - 2) - a
            v += w
            v *= c
            v /= a + k
            w *= c
            np.subtract(v * q, w, out=w)
            h += v
            y += w * (1 / k)
        done += _TERMS
        going = active(v, w, h)
    return bend, value


def _by_tail(alpha: Any, beta: Any, z: Any, rest: Any) -> Any:
    """From `r1 = edge(alpha)` to `r = rest`, for `-1 < beta <= 1/2`.

    With `B` the incomplete beta function, `J = B_1(beta + 1, alpha + 1)` and `q(r) = r**(-beta-1) (1 - r)**(-alpha-1)`,
    the hypergeometric equation gives `h = -(1 - r) q (J - B_r(beta + 1, alpha + 1))`, and `y` is `(s + 1)` times the
    integral of `h / (1 - r)`.  Its parts are the binomial series, and `q B_r = sum (s + 2)_k / (beta + 1)_(k+1) r**k`.
    """
    is_one = type(alpha) is type(beta) is float
    start, total = edge(alpha) + 0.0 * (rest.real[:1] if is_one else rest.real), alpha + beta + 1
    y, h = _by_series(alpha, beta, 1 - start, start)
    ratio = rest / start
    log_ratio = logarithm(ratio)
    factor = np.exp(-beta * log_ratio)
    singular = np.where(beta == 0, log_ratio, np.expm1(-beta * log_ratio) / np.where(beta == 0, 1.0, -beta))
    binomial, weight, power = 1.0, 1 / (beta + 1), 1.0
    own, own_there, path, size, k = 0.0 * rest, 0.0, 0.0, 1.0, 0
    while size > _NEGLIGIBLE:
        own, own_there = own + weight * power, own_there + weight
        power = power * ratio
        k += 1
        path = path + weight / k * (1 - power)
        binomial, weight = binomial * ((alpha + k) / k * start), weight * ((total + k) / (beta + (k + 1)) * start)
        singular = singular - binomial / (k - beta) * (1 - power * factor)
        size = float(np.max(binomial + weight))
    factor_of_both = ((1 - start) * own_there - h) * (1 - start) ** alpha
    y = y + total * start * (path + factor_of_both * singular)
    return np.stack([y, z * own - factor_of_both * z**-alpha * (factor / ratio)])
