"""The cosine-sine decomposition of unitary matrices: a kernel of `linalg`.

With `n11` angles 0, `r` between and `n21` right ones in the columns of `v1`, and likewise in the others:
`x11 v1 = u1 cos`, `x21 v1 = u2 sin`, `x12 H(u1) = -v2 sin` and `x22 v2 = u2 cos`.  `v1` are the eigenvectors of
`H(x11) x11`; what these equations leave open, phases and bases of equal angles, is taken as it is in the doubles'
decomposition, next to which everything stands.
"""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import scipy.linalg

from ..array import Array, array_of
from ..elements import COMPLEX, REAL, numbers
from .matrices import as_matrix, as_object_array, kernel, over_stack


def _adjoint(x: Any) -> Any:
    return np.conjugate(x).T


def _orthonormal(x: Any) -> Any:
    """The polar factor: of independent columns the orthonormal ones that are nearest."""
    if not x.size:
        return x
    is_complex = any(type(y) is mpmath.mpc for y in x.flat)
    u, _, vh = (mpmath.svd_c if is_complex else mpmath.svd_r)(as_matrix(x))
    return as_object_array(u * vh)


def _towards(v: Any, known: Any) -> Any:
    """The basis of the space of orthonormal columns that is nearest to the known one."""
    return v @ _orthonormal(_adjoint(v) @ known) if v.size else v


def _complement(u: Any, known: Any) -> Any:
    """An orthonormal basis of what is orthogonal to `u`, nearest to the known one."""
    return _orthonormal(known - u @ (_adjoint(u) @ known) if u.size else known)


def _lengths(x: Any) -> Any:
    return np.array([mpmath.sqrt(sum(abs(y) ** 2 for y in column)) for column in x.T], object)


def _right_vectors(x11: Any, known: Any) -> Any:
    """`v1`: eigenvectors in the order of the cosines, each group of equal ones next to the known basis."""
    q = x11.shape[1]
    square = _adjoint(x11) @ x11 if len(x11) else numbers(np.zeros((q, q)), REAL)
    is_complex = any(type(y) is mpmath.mpc for y in square.flat)
    w, v = (mpmath.eighe if is_complex else mpmath.eigsy)(as_matrix(square))
    v, w = as_object_array(v)[:, ::-1], list(w)[::-1]  # the largest cosine is that of the smallest angle
    bound = mpmath.sqrt(mpmath.eps) * 10 * q
    start, out = 0, v.copy()
    for end in range(1, q + 1):
        if end == q or w[end - 1] - w[end] > bound:
            out[:, start:end] = _towards(v[:, start:end], known[:, start:end])
            start = end
    return out


def _parts(x11: Any, x12: Any, x21: Any, x22: Any, known: Any, sign: int) -> tuple[Any, ...]:
    """`u1`, `u2`, the angles, `H(v1)` and `H(v2)`."""
    p, q, m = len(x11), x11.shape[1], len(x11) + len(x21)
    r = min(p, q, m - p, m - q)
    n11, n22 = min(p, q) - r, min(m - p, m - q) - r
    kind = REAL if known[0].dtype.kind == "f" else COMPLEX
    u1, u2, _, v1, v2 = (numbers(y, kind) for y in known)
    v1, v2 = _adjoint(v1).copy(), _adjoint(v2).copy()
    v1 = _right_vectors(x11, v1)
    up, low = x11 @ v1, x21 @ v1
    cosines, sines = _lengths(up), _lengths(low)
    small = mpmath.sqrt(mpmath.eps) * 10 * m
    inner = range(r)
    # of u1 the columns with a cosine, then the others; of v2 those with a sine; of u2 what either side gives
    has_cosine = [k for k in range(n11 + r) if cosines[k] > small]
    for k in has_cosine:
        u1[:, k] = up[:, k] / cosines[k]
    others = [k for k in range(p) if k not in has_cosine]
    u1[:, others] = _complement(u1[:, has_cosine], u1[:, others])
    across = _adjoint(x12) @ u1 * -sign
    has_sine = [k for k in inner if sines[n11 + k] > small]
    for k in has_sine:
        v2[:, n22 + k] = across[:, n11 + k] / sines[n11 + k]
    v2[:, n22 + r :] = across[:, n11 + r :]
    fixed = [n22 + k for k in has_sine] + list(range(n22 + r, m - q))
    others = [k for k in range(m - q) if k not in fixed]
    v2[:, others] = _complement(v2[:, fixed], v2[:, others])
    back = x22 @ v2
    for k in range(n22 + r):
        is_steep = k >= n22 and sines[n11 + k - n22] > small
        u2[:, k] = low[:, n11 + k - n22] * sign / sines[n11 + k - n22] if is_steep else back[:, k]
    u2[:, n22 + r :] = low[:, n11 + r :] * sign
    u2 = _orthonormal(u2)
    theta = np.array([mpmath.atan2(sines[n11 + k], cosines[n11 + k]) for k in inner], object)
    return u1, u2, theta, _adjoint(v1), _adjoint(v2)


def _middle(theta: Any, p: int, q: int, m: int, sign: int) -> Any:
    """The middle factor."""
    r = len(theta)
    n11, n22 = min(p, q) - r, min(m - p, m - q) - r
    d = numbers(np.zeros((m, m)), REAL)
    rows = [*range(n11), *range(p, p + n22), *range(n11 + r, p), *range(p + n22 + r, m)]
    columns = [*range(n11), *range(q, q + n22), *range(q + n22 + r, m), *range(n11 + r, q)]
    values = [1] * (n11 + n22) + [-sign] * (p - n11 - r) + [sign] * (m - p - n22 - r)
    for i, j, value in zip(rows, columns, values, strict=True):
        d[i, j] = mpmath.mpf(value)
    for k, angle in enumerate(theta):
        up, low, left, right = n11 + k, p + n22 + k, n11 + k, q + n22 + k
        d[up, left] = d[low, right] = mpmath.cos(angle)
        d[low, left] = mpmath.sin(angle) * sign
        d[up, right] = -d[low, left]
    return d


@kernel("cossin_values")
def cossin_values(
    x11: Any,
    x12: Any,
    x21: Any,
    x22: Any,
    *,
    separate: bool,
    swap_sign: bool,
    compute_u: bool = True,
    compute_vh: bool = True,
) -> Any:
    """`scipy.linalg.cossin` of the unitary matrices that are nearest."""
    blocks = [array_of(x) for x in (x11, x12, x21, x22)]
    (p, q), m = blocks[0].shape[-2:], blocks[0].shape[-2] + blocks[2].shape[-2]
    dtype, sign = np.result_type(*(x.dtype for x in blocks)), -1 if swap_sign else 1
    r = min(p, q, m - p, m - q)

    def parts(*given: Any) -> Any:
        kind = complex if dtype is COMPLEX else float
        (u1, u2), theta, (v1h, v2h) = scipy.linalg.cossin(
            tuple(x.astype(kind) for x in given), separate=True, swap_sign=swap_sign
        )
        with mpmath.workprec(2 * mpmath.mp.prec):
            a, b, c, d = (numbers(x, dtype) for x in given)
            x = _orthonormal(np.concatenate([np.concatenate([a, b], 1), np.concatenate([c, d], 1)]))
            x = x[:p, :q], x[:p, q:], x[p:, :q], x[p:, q:]
            return _parts(*x, (u1, u2, theta, v1h, v2h), sign)

    shapes: list[tuple[int, ...]] = [(p, p), (m - p, m - p), (r,), (q, q), (m - q, m - q)]
    found = over_stack(parts, shapes, [dtype, dtype, REAL, dtype, dtype], *blocks)
    u1, u2, theta, v1h, v2h = (np.positive(x) for x in found)
    nothing = Array(numbers(np.zeros((*theta.shape[:-1], 0, 0)), dtype), dtype)
    if separate:
        outer = ((u1, u2) if compute_u else (nothing,) * 2), ((v1h, v2h) if compute_vh else (nothing,) * 2)
        return (*outer[0], theta, *outer[1])
    middle = np.empty((*theta.shape[:-1], m, m), object)
    for i in np.ndindex(theta.shape[:-1]):
        middle[i] = _middle(theta.host[i], p, q, m, sign)
    u = _diagonal(u1, u2, dtype) if compute_u else nothing
    return u, Array(numbers(middle, REAL), REAL), _diagonal(v1h, v2h, dtype) if compute_vh else nothing


def _diagonal(a: Any, b: Any, dtype: Any) -> Any:
    """Both blocks on the diagonal."""
    n = a.shape[-1]
    out = numbers(np.zeros((*a.shape[:-2], n + b.shape[-1], n + b.shape[-1])), dtype)
    out[..., :n, :n], out[..., n:, n:] = a.host, b.host
    return Array(out, dtype)
