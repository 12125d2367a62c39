"""The characteristic values of Mathieu's equation, and the eigenvectors that belong to them.

The coefficients of the Fourier series are the eigenvector of a symmetric tridiagonal matrix `T(q)`, DLMF 28.4, and
the characteristic value `a` is its eigenvalue; so `da / dq = v @ dT/dq @ v` for the unit eigenvector.  The eigenvector
as a function of `(a, q)` is the solution of a tridiagonal system, and `a` is had from SciPy, with this derivative; then
that of `v` follows.

SciPy's search for `a` now and then ends at another eigenvalue, from about q = 15 on, and beyond 1000 at none; beyond
1e5 nine of ten are wrong.  So each is checked, and where it is the wrong one the right one is searched for.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special
from scipy.special import ellipe, ellipkm1

from ....complex_autograd.engine.traced import raw
from ...numerics.regions import by_region, in_double
from ...numerics.tridiagonal import counted, next_row, null_vector
from ...numerics.warned import warn
from ...ufuncs.large_arrays import threaded
from ...ufuncs.modes import by_modes
from ...ufuncs.parameters import flat
from ...ufuncs.patched_ufunc import PatchedUfunc

_PIECE, _AT_ONCE = 4096, 1 << 18
"""Elements whose eigenvalues are counted at a time, and of which the few wrong ones are searched for together."""
SMALLEST_DOUBTFUL, _COUNTED = 12.0, 1000.0
"""Of `|q|`: below the first SciPy finds the right ones, from the second on the eigenvalues are counted."""
_SPARE = 12
"""So many components of the eigenvector, beyond `m / 2 + 2 sqrt(|q|)`, after which they are less than 1e-20."""
HIGHEST, GREATEST = 500, 1e6
"""Beyond this order SciPy has no functions, only characteristic values; beyond this `|q|` there are none."""
_MOST, _LAST, _FEW_TERMS = 2000, 1e15, 0.004
"""Of orders, for matrices, and while they are integers; of `|q| / m**2`, for three terms of the series."""
_SECTIONS, _ROUNDS, _REFINEMENTS = 15, 6, 3
"""An interval shrinks 16 times a round; then each refinement doubles the number of right digits, or better."""


def lowest(m: Any, even: bool) -> Any:
    """The order of the first term of the Fourier series: 0 or 1 of even functions, 1 or 2 of odd ones."""
    return m % 2 if even else 2 - m % 2


def component_count(m: float, q: float) -> int:
    """How many components of the eigenvector are not negligible."""
    return _SPARE + int(m / 2) + int(2 * math.sqrt(abs(q)))


def _phase(a: Any, q: Any) -> Any:
    """`int sqrt(max(a - 2 q cos(2 x), 0)) dx / pi` over a period.

    By the rule of Bohr and Sommerfeld it is `m` where the solution oscillates everywhere, and `m + 1/2` or `m - 1/2`
    where it does between turning points; an eigenvalue of another order with the same symmetry has 2 more or less.
    """
    depth = 4 * np.abs(q)
    parameter = (a + depth / 2) / depth
    inverse = np.minimum(parameter, 1 / parameter)
    area = ellipe(inverse)
    inside = np.sqrt(depth) * (area - (1 - inverse) * ellipkm1(1 - inverse))
    return 2 / math.pi * np.where(parameter < 1, inside, np.sqrt(a + depth / 2) * area)


def _below(m: Any, q: Any, x: Any, even: bool, spare: int) -> Any:
    """How many eigenvalues of `T(q)` are less than x: as many as there are negative pivots of `T(q) - x`.

    Once the diagonal exceeds `x + 2 |q|`, each row that is left out changes the eigenvalues by less than a quarter of
    what the row before does: `spare` says how many rows are counted on.  Up to there the eigenvectors of low orders
    decrease as `exp(-2 k**2 / sqrt(|q|))`, DLMF 28.8(ii).
    """
    p = lowest(m, even)
    spare = max(spare, int(3 * float(np.max(np.abs(q))) ** 0.25))
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
    """Whether `a` is an eigenvalue of another order or none, of vectors of plain numbers."""
    out = ~(np.abs(_phase(a, q) - m) < 1)
    (indices,) = np.nonzero(np.abs(q) >= _COUNTED)
    for i in range(0, len(indices), _PIECE):
        here = indices[i : i + _PIECE]
        a_here, m_here, q_here = a[here], m[here], q[here]
        near = 1e-5 * (1 + np.abs(a_here) + np.abs(q_here))
        first, last = _below(m_here, q_here, np.stack([a_here - near, a_here + near]), even, 9)
        index = (m_here - lowest(m_here, even)) // 2
        out[here] = (first != index) | (last != index + 1)
    return out


def _doubtful(a: Any, m: Any, q: Any, even: bool) -> Any:
    """Which of SciPy's are looked at: the indices of vectors where it may have found another eigenvalue."""
    size = np.abs(q)
    is_order = (m == np.floor(m)) & (m >= (0 if even else 1))
    (indices,) = np.nonzero(np.isfinite(a) & is_order & (size >= SMALLEST_DOUBTFUL) & (size <= GREATEST))
    return indices


def _wrong(a: Any, m: Any, q: Any, even: bool) -> Any:
    """The indices of the wrong ones."""
    indices = _doubtful(a, m, q, even)
    return indices[_is_another(a[indices], m[indices], q[indices], even)]


def _searched(m: Any, q: Any, even: bool) -> Any:
    """The eigenvalue of `T(q)` of the order: by counting, from Gershgorin's bounds, and then Rayleigh quotients."""
    index = (m - lowest(m, even)) // 2
    low, width = -2.5 * np.abs(q) - 1, (m + 1) ** 2 + 5 * np.abs(q) + 2
    for _ in range(_ROUNDS):
        width = width / (_SECTIONS + 1)
        inner = np.stack([low + k * width for k in range(1, _SECTIONS + 1)])
        low = low + width * np.sum(_below(m, q, inner, even, 20) <= index, axis=0)
    return refined(m, q, low + width / 2, even)


def refined(m: Any, q: Any, a: Any, even: bool) -> Any:
    """The eigenvalue of `T(q)` next to `a`, by Rayleigh quotients."""
    for _ in range(_REFINEMENTS):
        diagonal, off_diagonal = _rows(m, q, a, even)
        v = _null_vector(m, a, diagonal, off_diagonal, even)
        image = np.sum(diagonal * v * v, axis=0) + 2 * np.sum(off_diagonal[1:] * v[1:] * v[:-1], axis=0)
        a = a + image / np.sum(v * v, axis=0)
    return a


def _characteristic(ufunc: np.ufunc, even: bool) -> PatchedUfunc:
    """That of SciPy, which is checked where it may be another one."""

    def quick(m: float, q: float) -> Any:
        return threaded(ufunc)(m, q) if abs(q) < SMALLEST_DOUBTFUL else None

    def corrected(a: Any, m: Any, q: Any) -> Any:
        wrong = _wrong(a, m, q, even)
        if len(wrong):
            a = np.copy(a)
            a[wrong] = _searched(m[wrong], q[wrong], even)
        is_far = (np.abs(q) > np.maximum(GREATEST, _FEW_TERMS * m * m)) & np.isfinite(a)
        if np.any(is_far):
            warn(
                f"{ufunc.__name__} is NaN where |q| exceeds 1e6 and {_FEW_TERMS} m**2: SciPy's search ends at another "
                "order there, or at no eigenvalue; DLMF 28.8 has the expansion for large q"
            )
            a = np.where(is_far, np.nan, a)
        return a

    def better(a: Any, m: Any, q: Any) -> Any:
        return a if is_sure(q) else in_double(corrected, a, m, q, at_once=_AT_ONCE)

    return PatchedUfunc(ufunc, better=better, quick=quick)


def is_sure(q: Any) -> bool:
    """Whether `|q|` is so small throughout that SciPy finds the right ones."""
    return bool(max(float(np.max(q, initial=0.0)), -float(np.min(q, initial=0.0))) < SMALLEST_DOUBTFUL)


mathieu_a, mathieu_b = _characteristic(special.mathieu_a, even=True), _characteristic(special.mathieu_b, even=False)


def has_wrong_value(m: Any, q: Any, even: bool) -> Any:
    """Where SciPy takes another characteristic value, of vectors of plain numbers."""
    out = np.zeros_like(q, dtype=bool)
    indices = _doubtful(q, m, q, even)
    if len(indices):
        m, q = m[indices], q[indices]
        out[indices[_wrong((special.mathieu_a if even else special.mathieu_b)(m, q), m, q, even)]] = True
    return out


def _rows(m: Any, q: Any, a: Any, even: bool) -> tuple[Any, Any]:
    """The diagonal of `T(q) - a`, and what stands left of it; the first of the latter means nothing."""
    k = counted(component_count(float(np.max(m, initial=0.0)), float(np.max(np.abs(raw(q)), initial=0.0))), raw(q))
    p = lowest(m, even)
    diagonal = (2 * k + p) ** 2 - a
    corner = (k == 0) & (p == 1)
    if np.any(corner):
        diagonal = diagonal + corner * ((1.0 if even else -1.0) * q)
    return diagonal, np.where((k == 1) & (p == 0), math.sqrt(2), 1.0) * q


def _null_vector(m: Any, a: Any, diagonal: Any, off_diagonal: Any, even: bool) -> Any:
    """The eigenvector; it is large where the diagonal `(2 k + p)**2 - a` changes sign."""
    middle = np.clip(np.floor((np.sqrt(np.fmax(raw(a), 0.0)) - lowest(m, even)) / 2), 0, diagonal.shape[0] - 1)
    return null_vector(off_diagonal, diagonal, next_row(off_diagonal), middle=middle)


def eigenvector(m: Any, q: Any, a: Any, even: bool) -> tuple[Any, Any]:
    """That of `T(q)` for the characteristic value `a` of the order `m`, and the sum of its squares, of vectors."""
    v = _null_vector(m, a, *_rows(m, q, a, even), even)
    return v, np.sum(v * v, axis=0)


def characteristic_derivative(even: bool) -> Any:
    """The derivative of the characteristic value in `q`, of vectors."""

    def of_mode(m: Any, q: Any, a: Any) -> Any:
        p = lowest(m, even)
        v, square = eigenvector(m, q, a, even)
        first = (counted(v.shape[0] - 1, raw(q)) == 0) & (p == 0)
        crossed = np.sum(np.where(first, 2 * math.sqrt(2), 2.0) * v[1:] * v[:-1], axis=0)
        return (crossed + (p == 1) * (1.0 if even else -1.0) * v[0] * v[0]) / square

    def derivative(m: Any, q: Any, a: Any) -> Any:
        if np.max(m, initial=0.0) <= HIGHEST and np.max(np.abs(raw(q)), initial=0.0) <= GREATEST:
            return by_modes(1, of_mode, m, q, a)
        shape, vectors = flat(m, q, a)
        order, parameter, _ = map(raw, vectors)
        is_small = (order > HIGHEST) & (order <= _LAST) & (np.abs(parameter) <= _FEW_TERMS * order**2)
        is_low = (order <= _MOST) & (np.abs(parameter) <= GREATEST) & ~is_small
        parts = [
            (is_small, lambda m, q, a: (_derivative_by_powers(m, q),)),
            (is_low, lambda m, q, a: (by_modes(1, of_mode, m, q, a),)),
            (~is_small & ~is_low, lambda m, q, a: (q * np.nan,)),
        ]
        return np.reshape(by_region(parts, *vectors)[0], shape)

    return derivative


def _derivative_by_powers(m: Any, q: Any) -> Any:
    """DLMF 28.6.14."""
    s, t = m * m, q * q
    second = (5 * s + 7) / (8 * (s - 1) ** 2 * (s - 4))
    fourth = 3 * (9 * s * s + 58 * s + 29) / (32 * (s - 1) ** 4 * (s - 4) * (s - 9))
    return q / (s - 1) * (1 + t * (second + t * fourth))
