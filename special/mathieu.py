"""Mathieu functions with their derivatives in `q`.

The coefficients of the Fourier series are the eigenvector of a symmetric tridiagonal matrix `T(q)`, DLMF 28.4, and
the characteristic value `a` is its eigenvalue; so `da / dq = v @ dT/dq @ v` for the unit eigenvector. The eigenvector
as a function of `(a, q)` is had from recurrences, and `a` from SciPy, with this derivative; then that of `v` follows,
and the modified functions are series of products of Bessel functions with the same coefficients, DLMF 28.24.

SciPy's search for `a` now and then ends at another eigenvalue, from about q = 15 on.  So the eigenvalues below are
counted, and where it is the wrong one the right one is searched for.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import special
from scipy.special import (
    mathieu_cem,
    mathieu_modcem1,
    mathieu_modcem2,
    mathieu_modsem1,
    mathieu_modsem2,
    mathieu_sem,
)

from ..complex_autograd.array import raw
from .bessel_sequences import Orders, bessel_j_sequence, bessel_y_sequence, slopes
from .improved import Improved
from .mathieu_recessive import recessive_mathieu
from .modes import by_modes
from .parameters import flat, parameter_slope
from .regions import in_double
from .tridiagonal import Rows, null_vector
from .ufunc_rules import INTEGER, Partial, rule

__all__ = [
    "angular_mathieu",
    "fourier_coefficients",
    "has_wrong_value",
    "mathieu_a",
    "mathieu_b",
    "mathieu_cem",
    "mathieu_modcem1",
    "mathieu_modcem2",
    "mathieu_modsem1",
    "mathieu_modsem2",
    "mathieu_sem",
    "radial_mathieu",
]

_DEGREE = math.pi / 180
_LITTLE_LOST, _MOST_LOST = 30.0, 1e5
"""By how much the terms of a series may exceed its sum: beyond, another one is tried, or 10 digits are not right."""
_PIECE, _AT_ONCE = 4096, 1 << 18
"""Elements whose eigenvalues are counted at a time, and of which the few wrong ones are searched for together."""
_SMALLEST, _LARGEST = 12.0, 1e5
"""Of `|q|`, between which the eigenvalues are counted: below, SciPy finds the right ones."""


def _lowest(m: Any, even: bool) -> Any:
    """The order of the first term of the Fourier series: 0 or 1 of even functions, 1 or 2 of odd ones."""
    return m % 2 if even else 2 - m % 2


def _below(m: Any, q: Any, x: Any, even: bool, spare: int) -> Any:
    """How many eigenvalues of `T(q)` are less than x: as many as there are negative pivots of `T(q) - x`.

    Once the diagonal exceeds `x + 2 |q|`, each row that is left out changes the eigenvalues by less than a quarter of
    what the row before does: `spare` says how many rows are counted on.
    """
    p = _lowest(m, even)
    count = spare + int(math.sqrt(max(0.0, float(np.max(x + 2 * np.abs(q))))) / 2)
    square = q * q
    diagonal = p * p - x
    step = 4.0 * p - 4.0
    pivot = diagonal + (p == 1) * (q if even else -q)
    total = (pivot < 0).astype(np.int16)
    coupling = square * (1 + (p == 0))
    for _ in range(1, count):
        step += 8.0
        diagonal += step
        np.divide(coupling, pivot, out=pivot)
        np.subtract(diagonal, pivot, out=pivot)
        np.add(total, pivot < 0, out=total)
        coupling = square
    return total


def _is_another(a: Any, m: Any, q: Any, even: bool) -> Any:
    """Whether `a` is an eigenvalue of another order, of vectors of plain numbers."""
    index = (m - _lowest(m, even)) // 2
    near = 1e-5 * (1 + np.abs(a) + np.abs(q))
    first, last = _below(m, q, np.stack([a - near, a + near]), even, 9)
    return (first != index) | (last != index + 1)


def _doubtful(a: Any, m: Any, q: Any, even: bool) -> Any:
    """Which of SciPy's are looked at: the places of vectors where it may have found another eigenvalue."""
    size = np.abs(q)
    is_order = (m == np.floor(m)) & (m >= (0 if even else 1))
    (places,) = np.nonzero(np.isfinite(a) & is_order & (size >= _SMALLEST) & (size <= _LARGEST))
    return places


def _wrong(a: Any, m: Any, q: Any, even: bool) -> Any:
    """The places of the wrong ones."""
    places = _doubtful(a, m, q, even)
    pieces = [places[i : i + _PIECE] for i in range(0, len(places), _PIECE)]
    return np.concatenate([places[:0], *[here[_is_another(a[here], m[here], q[here], even)] for here in pieces]])


_SPARE = 12
"""So many components of the eigenvector, beyond `m / 2 + 2 sqrt(|q|)`, after which they are less than 1e-20."""
_SECTIONS, _ROUNDS, _REFINEMENTS = 15, 6, 3
"""An interval shrinks 16 times a round; then each refinement doubles the number of right digits, or better."""


def _searched(m: Any, q: Any, even: bool) -> Any:
    """The eigenvalue of `T(q)` of the order: by counting, from Gershgorin's bounds, and then Rayleigh quotients."""
    index = (m - _lowest(m, even)) // 2
    low, width = -2.5 * np.abs(q) - 1, (m + 1) ** 2 + 5 * np.abs(q) + 2
    for _ in range(_ROUNDS):
        width = width / (_SECTIONS + 1)
        inner = np.stack([low + k * width for k in range(1, _SECTIONS + 1)])
        low = low + width * np.sum(_below(m, q, inner, even, 20) <= index, axis=0)
    a = low + width / 2
    for _ in range(_REFINEMENTS):
        diagonal, upper = _rows(m, q, a, even)
        v, square = _null_vector(_lowest(m, even), a, diagonal, upper)
        crossed = sum(u * x * y for u, (x, y) in zip(upper, pairwise(v), strict=True))
        a = a + (sum(d * x * x for d, x in zip(diagonal, v, strict=True)) + 2 * crossed) / square
    return a


def _characteristic(even: bool) -> Improved:
    def corrected(a: Any, m: Any, q: Any) -> Any:
        wrong = _wrong(a, m, q, even)
        if len(wrong):
            a = np.copy(a)
            a[wrong] = _searched(m[wrong], q[wrong], even)
        return a

    def better(a: Any, m: Any, q: Any) -> Any:
        if max(np.max(q, initial=0.0), -np.min(q, initial=0.0)) < _SMALLEST:
            return a
        return in_double(corrected, a, m, q, at_once=_AT_ONCE)

    return Improved(special.mathieu_a if even else special.mathieu_b, better)


mathieu_a, mathieu_b = _characteristic(even=True), _characteristic(even=False)


def has_wrong_value(m: Any, q: Any, even: bool) -> Any:
    """Where SciPy takes another characteristic value, of vectors of plain numbers."""
    out = np.zeros_like(q, dtype=bool)
    places = _doubtful(q, m, q, even)
    if len(places):
        m, q = m[places], q[places]
        out[places[_wrong((special.mathieu_a if even else special.mathieu_b)(m, q), m, q, even)]] = True
    return out


def _rows(m: Any, q: Any, a: Any, even: bool) -> tuple[Rows, Rows]:
    """The diagonal of `T(q) - a`, and what stands beside it."""
    p = _lowest(m, even)
    count = _SPARE + int(np.max(m) / 2) + int(2 * math.sqrt(float(np.max(np.abs(raw(q)), initial=0.0))))
    first = p**2 + (p == 1) * (1.0 if even else -1.0) * q if np.any(p == 1) else p**2
    beside = q * (1 + (p == 0) * (math.sqrt(2) - 1)) if np.any(p == 0) else q
    diagonal = Rows(count, lambda k: ((2 * k + p) ** 2 if k else first) - a)
    return diagonal, Rows(count - 1, lambda k: q if k else beside)


def _null_vector(p: Any, a: Any, diagonal: Rows, upper: Rows) -> tuple[list[Any], Any]:
    """The eigenvector and the sum of its squares; it is large where the diagonal `(2 k + p)**2 - a` changes sign."""
    middle = np.clip(np.floor((np.sqrt(np.fmax(raw(a), 0.0)) - p) / 2), 0, len(diagonal) - 1)
    v = null_vector(diagonal, upper, upper, middle)
    return v, sum(x * x for x in v)


def _eigenvector(m: Any, q: Any, even: bool) -> tuple[list[Any], Any]:
    """That of `T(q)` for the characteristic value of the order `m`."""
    a = mathieu_a(m, q) if even else mathieu_b(m, q)
    return _null_vector(_lowest(m, even), a, *_rows(m, q, a, even))


def _characteristic_slope(even: bool) -> Partial:
    def partial(w: Any, m: Any, q: Any) -> Any:
        p = _lowest(raw(m), even)
        v, square = _eigenvector(m, q, even)
        total = 2 * (1 + (p == 0) * (math.sqrt(2) - 1)) * v[0] * v[1]
        total = total + (p == 1) * (1.0 if even else -1.0) * v[0] * v[0]
        total = total + 2 * sum(x * y for x, y in pairwise(v[1:]))
        return total / square

    return partial


def _if_all(mask: Any) -> Any:
    """One truth value in the place of many that are the same."""
    return np.True_ if np.all(mask) else mask if np.any(mask) else np.False_


def fourier_coefficients(m: Any, q: Any, even: bool) -> list[Any]:
    """The coefficients `A` of the even or `B` of the odd Mathieu function of order `m`, DLMF 28.4.1 to 28.4.4.

    Their sign makes the function, or else its slope, positive at 0, DLMF 28.2.29 and below; where `q > 0` that is told
    from the end `pi / 2` of the period, at which the function is large.
    """
    m = raw(m)
    p = _lowest(m, even)
    v, square = _eigenvector(m, q, even)
    far = _if_all(raw(q) > 0)
    is_weighted = (far & ((p == 1) == even) & (p > 0)) | ((not even) & ~far)
    total = 0.0
    for k, x in enumerate(v):
        total = total + raw(x) * ((1.0 + is_weighted * (2.0 * k + p - 1)) * (1 - 2 * far * (k % 2)))
    sign = np.sign(total) * (1 - 2 * (far & ((m - p) // 2 % 2 == 1)))
    scale = sign / np.sqrt(square)
    return [v[0] * scale * (1 + (p == 0) * (math.sqrt(0.5) - 1)), *[x * scale for x in v[1:]]]


def angular_mathieu(even: bool) -> Any:
    """The kernel of a Mathieu function: NaN where both ways to it cancel."""

    def of_mode(m: Any, q: Any, x: Any) -> tuple[Any, Any]:
        p = _lowest(m, even)
        angle = _DEGREE * x
        coefficients = fourier_coefficients(m, q, even)
        cosine, sine = np.cos(p * angle), np.sin(p * angle)
        turn = np.cos(2 * angle), np.sin(2 * angle)
        value, slope, size = 0.0, 0.0, 0.0
        for k, c in enumerate(coefficients):
            j = 2 * k + p
            term, other = (c * cosine, -j * sine) if even else (c * sine, j * cosine)
            value, slope, size = value + term, slope + c * other, size + np.abs(raw(term))
            cosine, sine = cosine * turn[0] - sine * turn[1], sine * turn[0] + cosine * turn[1]
        loss = size / (np.abs(raw(value)) + np.abs(raw(slope)) / (1 + m + np.sqrt(2 * np.abs(raw(q)))))
        cancels = ~(loss <= _LITTLE_LOST)
        if not np.any(cancels):
            return value, slope
        (here,), (others,) = np.nonzero(cancels), np.nonzero(~cancels)
        m = (m + 0 * raw(q))[here]
        better, better_slope, its_loss = recessive_mathieu(
            even, m, _lowest(m, even), q[here], angle[here], [c[here] for c in coefficients]
        )
        is_better = its_loss < loss[here]
        known = np.where(np.minimum(its_loss, loss[here]) <= _MOST_LOST, 1.0, np.nan)
        place = np.argsort(np.concatenate([here, others]))

        def joined(fourier: Any, bessel: Any) -> Any:
            return np.concatenate([known * np.where(is_better, bessel, fourier[here]), fourier[others]])[place]

        return joined(value, better), joined(slope, better_slope)

    def kernel(m: Any, q: Any, x: Any) -> tuple[Any, Any]:
        shape, vectors = flat(raw(m), q, x)
        value, slope = by_modes(1, of_mode, *vectors)
        return np.reshape(value, shape), np.reshape(slope, shape)

    return kernel


def radial_mathieu(even: bool, sequence: Any) -> Any:
    """The kernel of a modified Mathieu function, DLMF 28.24.2 to 28.24.5 with `C` the Bessel function of the sequence.

    The free index `s` is that of the largest coefficient, by which the series is divided.
    """
    side = 1.0 if even else -1.0

    def of_mode(m: Any, q: Any, x: Any) -> tuple[Any, Any]:
        coefficients = fourier_coefficients(m, q, even)
        s = np.argmax(np.stack([np.abs(raw(c)) for c in coefficients]), axis=0)
        if np.ndim(m):
            return of_index(s, m, q, x, *coefficients)
        return by_modes(1, lambda s, *args: of_index(s, m, *args), s, q, x, *coefficients)

    def of_index(s: Any, m: Any, q: Any, x: Any, *coefficients: Any) -> tuple[Any, Any]:
        p = _lowest(m, even)
        root = np.sqrt(q)
        small, large = root * np.exp(-x), root * np.exp(x)
        highest = len(coefficients) + int(np.max(s)) + 3
        inner, outer = bessel_j_sequence(small, highest=highest + 1), sequence(large, highest=highest + 1)
        functions = [Orders(rows) for rows in (inner, outer, slopes(inner), slopes(outer))]
        value, inner_slope, outer_slope = 0.0, 0.0, 0.0
        for k, c in enumerate(coefficients):
            one, two, one_slope, two_slope = ((f.at(k - s), f.at(k + s + p)) for f in functions)
            factor = c * ((-1) ** k)
            value = value + factor * (one[0] * two[1] + side * (one[1] * two[0]))
            inner_slope = inner_slope + factor * (one_slope[0] * two[1] + side * (one_slope[1] * two[0]))
            outer_slope = outer_slope + factor * (one[0] * two_slope[1] + side * (one[1] * two_slope[0]))
        scale = (1 - 2 * ((m - p) // 2 % 2)) / (Orders(coefficients).at(s) * (1 + ((p == 0) & (s == 0))))
        return scale * value, scale * (large * outer_slope - small * inner_slope)

    def kernel(m: Any, q: Any, x: Any) -> tuple[Any, Any]:
        return by_modes(1, of_mode, raw(m), q, x)

    return kernel


# the rules; in the argument by Mathieu's equation, DLMF 28.2.1, with x in degrees, and the modified one, DLMF 28.20.1


def _angular_equation(characteristic: Any) -> Partial:
    def partial(w: Any, m: Any, q: Any, x: Any) -> Any:
        return w[1] * _DEGREE, (2 * q * np.cos(2 * _DEGREE * x) - characteristic(m, q)) * w[0] * _DEGREE

    return partial


def _radial_equation(characteristic: Any) -> Partial:
    def partial(w: Any, m: Any, q: Any, x: Any) -> Any:
        return w[1], (characteristic(m, q) - 2 * q * np.cosh(2 * x)) * w[0]

    return partial


rule(special.mathieu_a, "m q", INTEGER, _characteristic_slope(even=True))
rule(special.mathieu_b, "m q", INTEGER, _characteristic_slope(even=False))
for _function, _kernel, _equation in (
    (mathieu_cem, angular_mathieu(True), _angular_equation(mathieu_a)),
    (mathieu_sem, angular_mathieu(False), _angular_equation(mathieu_b)),
    (mathieu_modcem1, radial_mathieu(True, bessel_j_sequence), _radial_equation(mathieu_a)),
    (mathieu_modcem2, radial_mathieu(True, bessel_y_sequence), _radial_equation(mathieu_a)),
    (mathieu_modsem1, radial_mathieu(False, bessel_j_sequence), _radial_equation(mathieu_b)),
    (mathieu_modsem2, radial_mathieu(False, bessel_y_sequence), _radial_equation(mathieu_b)),
):
    rule(_function, "m q x", INTEGER, parameter_slope(_kernel, 1, _function.__name__, "q"), _equation)
