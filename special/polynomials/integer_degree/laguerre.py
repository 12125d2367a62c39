"""Derivatives of Laguerre polynomials in degree and parameter at integer degrees, of plain vectors.

Both differentiate DLMF 18.9.1 for the differences, `(k + 1) rise_k = (k + alpha) rise_(k-1) - x L_k`, in place.  The
functions are kernels of `degree_sweeps.sweep`, but for `laguerre_in_degree`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import psi

from ...numerics.regions import by_region, part
from ..real_degree.degree_sweeps import in_order, steps, sweep
from .exact import replaced_where
from .laguerre_left import LAGUERRE, in_degree_left

_LONG = 16.0
"""Elements whose series are longer than those up to here are summed apart."""
_NEAR_MINUS_ONE = -0.9
"""Below this `alpha` the derivative in the degree follows from those of larger ones."""
_TINY = 1e-300
_LARGEST = 1e15
"""The largest `alpha`, so that its powers are numbers."""
_TURNING_POINT = 0.92
"""Of the turning point, where powers and recurrence lose equally few digits."""
_LOW = 6
"""Up to this degree no power is much larger than the sum."""
_FAR = 120.0
"""The largest argument where the degree is large relative to it."""
_FARTHEST = 700.0
"""The derivative in the degree grows as `exp(x)`."""


def laguerre(n: Any, alpha: Any, x: Any) -> Any:
    """The polynomial."""
    return replaced_where(LAGUERRE.holds(n, alpha, x), LAGUERRE.values, _by_recurrence(n, alpha, x), n, alpha, x)


def _by_recurrence(n: Any, alpha: Any, x: Any) -> Any:
    value, rise = np.ones_like(x), np.ones_like(x)
    for k, going in steps(n, len(x)):
        v, r, y, a = (part(p, going) for p in (value, rise, x, alpha))
        r *= a + k
        r -= y * v
        r *= 1 / (k + 1)
        v += r
    return value


def laguerre_in_parameter(n: Any, alpha: Any, x: Any) -> Any:
    """The derivative in `alpha`."""
    derivative = _parameter_by_recurrence(n, alpha, x)
    return replaced_where(LAGUERRE.holds(n, alpha, x), LAGUERRE.derivative(0), derivative, n, alpha, x)


def _parameter_by_recurrence(n: Any, alpha: Any, x: Any) -> Any:
    value, derivative, rise, drise = np.ones_like(x), np.zeros_like(x), np.ones_like(x), np.zeros_like(x)
    for k, going in steps(n, len(x)):
        v, dv, r, dr, y, a = (part(p, going) for p in (value, derivative, rise, drise, x, alpha))
        a = a + k
        dr *= a
        dr += r
        dr -= y * dv
        dr *= 1 / (k + 1)
        r *= a
        r -= y * v
        r *= 1 / (k + 1)
        v += r
        dv += dr
    return derivative


def laguerre_in_degree(n: Any, alpha: Any, x: Any) -> Any:
    """The derivative in `n`, of numbers and vectors, the last of which is a vector."""
    everywhere = np.ones_like(x, dtype=bool)
    is_left, is_near = (alpha <= -1) & everywhere, (alpha < _NEAR_MINUS_ONE) & (n >= 1) & everywhere
    return by_region([(is_left, in_degree_left), (is_near, _near_minus_one), (True, _of_any)], n, alpha, x)


def has_degree_derivative(n: Any, alpha: Any, x: Any) -> Any:
    """Where that loses at most 5e-14, as measured, or is NaN."""
    is_left = (alpha <= -1) & LAGUERRE.holds(n, alpha, x)
    return (alpha > -1) & (alpha <= _LARGEST) & keeps_digits(n, x) | is_left


def _of_any(n: Any, alpha: Any, x: Any) -> Any:
    return by_region([(_is_balanced(n, x), _in_degree), (True, _by_powers_and_recurrence)], n, alpha, x)


def _near_minus_one(n: Any, alpha: Any, x: Any) -> Any:
    """At `alpha` next to -1, where `psi(alpha + 1)` is large and the result is not, from the two above.

    With `b = alpha + 1`, `(n + b) L_n^(alpha) = (b + x) L_n^(b) - x L_n^(b+1)`, DLMF 13.6.19 and 13.3.3.
    """
    b = alpha + 1
    first, second = sweep(laguerre, n, b, x), sweep(laguerre, n, b + 1, x)
    value = ((b + x) * first - x * second) / (n + b)
    return ((b + x) * _of_any(n, b, x) - x * _of_any(n, b + 1, x) - value) / (n + b)


def _in_degree(n: Any, alpha: Any, x: Any) -> Any:
    return sweep(_by_powers, n, alpha, x)


def _by_powers(n: Any, alpha: Any, x: Any) -> Any:
    """Of the hypergeometric sum term by term: of the powers up to the degree, and of those above."""
    _, _, last, derivative, _ = _low_powers(n, alpha, x)
    derivative -= last * by_region([(np.abs(x) <= _LONG, _above), (True, _above)], n, alpha, x)
    return derivative


def _low_powers(n: Any, alpha: Any, x: Any) -> tuple[Any, Any, Any, Any, Any]:
    """`L_n`, the rise to it, its last term, the part of the derivative from the powers up to `n`, and the rise to that.

    This part `F_n` has a recurrence of its own, `(k + 1) (F_(k+1) - F_k) = (k + alpha) (F_k - F_(k-1)) - x F_k - rise_k
    + rise_(k-1) + (1 + (k + 1) / (k + 1 + alpha)) m_(k+1) - m_k` with the last terms `m_k = (-x)**k / k!` of the
    polynomials.
    """
    value, rise, last = np.ones_like(x), np.ones_like(x), np.ones_like(x)
    derivative = np.zeros_like(x) + (psi(alpha + 1) + np.euler_gamma)
    drise = derivative.copy()
    for k, going in steps(n, len(x)):
        v, r, m, dv, dr, y, a = (part(p, going) for p in (value, rise, last, derivative, drise, x, alpha))
        a = a + k
        dr *= a
        dr -= y * dv
        dr += r
        dr -= m
        r *= a
        r -= y * v
        r *= 1 / (k + 1)
        m *= y
        m *= -1 / (k + 1)
        dr -= r
        dr += m * (1 + (k + 1) / (a + 1))
        dr *= 1 / (k + 1)
        v += r
        dv += dr
    return value, rise, last, derivative, drise


def _by_powers_and_recurrence(n: Any, alpha: Any, x: Any) -> Any:
    """By powers a little below the degree `(x - alpha)**2 / (4 x) - 1/2`, where `x` turns, and on by recurrence.

    Beyond that point the powers cancel, and before it the recurrence loses digits.
    """
    y = np.real(x)
    first = np.clip(np.floor(_TURNING_POINT * np.square(np.maximum(y - alpha, 0.0)) / (4 * y) - 0.5), 0.0, n)
    above = in_order(_sums_above, -np.abs(x), first, alpha, x)
    rows = sweep(_at_first, first, alpha, x, *above)
    return sweep(_onwards, n - first, first, alpha, x, *rows)


def _at_first(n: Any, alpha: Any, x: Any, total: Any, weighted: Any) -> Any:
    """`L_n` and the rise from it, with their derivatives."""
    value, rise, last, derivative, drise = _low_powers(n, alpha, x)
    derivative -= last * total
    a = n + alpha
    drise = a * (drise - last * total) - last * weighted
    up = (a * rise - x * value) / (n + 1)
    return np.stack([value, up, derivative, (drise - x * derivative + rise - up) / (n + 1)])


def _onwards(up: Any, n: Any, alpha: Any, x: Any, value: Any, rise: Any, derivative: Any, drise: Any) -> Any:
    """The derivative `up` degrees above `n`."""
    out = derivative.copy()
    for j, going in steps(up, len(x)):
        v, r, dv, dr, y, a, k = (part(p, going) for p in (value, rise, out, drise, x, alpha, n))
        v += r
        dv += dr
        k = k + (j + 1)
        below = 1 / (k + 1)
        a = a + k
        dr *= a
        dr -= y * dv
        dr += r
        r *= a
        r -= y * v
        r *= below
        dr -= r
        dr *= below
    return out


def _sums_above(n: Any, alpha: Any, x: Any) -> Any:
    """`_above`, and `sum_(k >= 0) k! x**k / ((n + 1)_k (n + alpha + 1)_k)`."""
    first, second = n + 1, n + (alpha + 1)
    term = x / (first * second)
    total, weighted = term.copy(), 1 + term
    size, k = np.inf, 1
    while size > 1e-17:
        for _ in range(8):
            term *= x
            term *= k / ((first + k) * (second + k))
            k += 1
            total += term
            weighted += term * k
        size = float(np.max(np.abs(term) / np.abs(total)))
    return np.stack([total, weighted])


def _above(n: Any, alpha: Any, x: Any) -> Any:
    """`sum_(k >= 1) (k - 1)! x**k / ((n + 1)_k (n + alpha + 1)_k)`, from the last term that counts to the first."""
    below, largest = n + (alpha + 1), float(np.max(np.abs(x), initial=_TINY))
    terms = _terms(float(np.min(n)) + 1, float(np.min(below)), largest)
    total = np.zeros_like(x)
    if type(below) is float:
        ratio = x / largest
        for term in reversed(terms):
            total += term
            total *= ratio
        return total
    weight = 1.0
    for k in range(len(terms), 0, -1):
        total *= x
        total *= 1 / (below + k)
        total += weight
        weight = weight * ((n + k) / max(k - 1, 1))
    return total * (x / (weight * below))


def _terms(n: float, below: float, x: float) -> list[float]:
    """Those of this that are needed."""
    terms = [x / (n * below)]
    total = terms[0]
    while terms[-1] > 1e-16 * total:
        k = len(terms)
        terms.append(terms[-1] * (k * x / ((n + k) * (below + k))))
        total += terms[-1]
    return terms


def _is_balanced(n: Any, x: Any) -> Any:
    """Where the powers above the degree are the largest part, or no part is much larger than the sum."""
    if np.all(n <= _LOW):
        return np.True_
    size = np.abs(x)
    return (size <= 12) | (n <= _LOW) | (size >= 6 * n)


def keeps_digits(n: Any, x: Any) -> Any:
    """Where the derivative in the degree loses at most 5e-14, as measured."""
    if x.dtype.kind == "f" and np.min(x) >= -1 and np.max(x) <= (_FARTHEST if np.all(n <= _LOW) else 12):
        return np.True_
    size = np.abs(x)
    return (size - np.real(x) <= 2) & (size <= np.where(_is_balanced(n, x), _FARTHEST, _FAR))
