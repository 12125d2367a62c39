"""Products of doubles in two parts, and `z**(3/2)` so: what a phase of many turns is made of.

The halves of the digits are Dekker's (Numer. Math. 18 (1971) 224); they overflow beyond 1e300.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_SPLIT = 2.0**27 + 1


def _halves(a: Any) -> tuple[Any, Any]:
    high = _SPLIT * a - (_SPLIT * a - a)
    return high, a - high


def product(a: Any, b: Any) -> tuple[Any, Any]:
    """`a * b` of real numbers, rounded, and what the rounding lost."""
    w = a * b
    (a, c), (b, d) = _halves(a), _halves(b)
    return w, ((a * b - w) + a * d + c * b) + c * d


def total(*terms: Any) -> tuple[Any, Any]:
    """The sum of real numbers, rounded, and what the roundings lost."""
    w, lost = terms[0], 0.0
    for x in terms[1:]:
        s = w + x
        y = s - w
        w, lost = s, lost + ((w - (s - y)) + (x - y))
    return w, lost


def _complex_product(a: Any, b: Any) -> tuple[Any, Any]:
    x, y = np.real(a), np.imag(a)
    u, v = np.real(b), np.imag(b)
    (p, dp), (q, dq), (r, dr), (s, ds) = product(x, u), product(y, v), product(x, v), product(y, u)
    real, lost = total(p, -q)
    imaginary, more = total(r, s)
    return real + 1j * imaginary, (lost + dp - dq) + 1j * (more + dr + ds)


def three_halves(z: Any) -> tuple[Any, Any]:
    """`2/3 z**(3/2)` of complex numbers, rounded, and the rest: to 30 digits together."""
    root = np.sqrt(z)
    square, lost = _complex_product(root, root)
    rest = ((z - square) - lost) / (2 * root)
    cube, lost = _complex_product(z, root)
    lost = lost + z * rest
    third = 2 / 3 * cube
    back, more = _complex_product(third, np.full_like(third, 1.5))
    return third, ((cube - back) - more + lost) / 1.5
