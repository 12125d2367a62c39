"""Eigenvalues of Hermitian matrices and singular values of any, by Jacobi's rotations in a fixed order.

Each sweep has `n - 1` rounds of `n / 2` rotations of separate pairs of rows and columns, the rounds of a tournament:
Golub & Van Loan 2013, sections 8.5.5 and 8.6.4.  Of complex matrices the element between `p` and `q` is made real
first, by a phase of column `q`.  An item of a stack that has converged is changed no more, so that it does not depend
on the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from .arithmetic import absolute, divide, multiply, squared_modulus
from .exact_products import exact_matmul
from .factorizations import norms, qr, scaled_by_power
from .trees import reduced

_SWEEPS = 40
_SMALL = 2.0**-10
"""Times `eps`: what of a matrix beside its diagonal changes no eigenvalue any more."""

_ROUNDING = 8.0
"""Times `eps`: the cosine of the angle of two columns that are orthogonal, up to the rounding of its sums."""


SWEEPS: dict[str, Callable[..., Any]] = {}
"""Sweeps of the C library, of the same bits, by `"rows and columns"` and `"columns"`; None is what there is without."""


@lru_cache(maxsize=64)
def _rounds(n: int) -> Any:
    """The pairs of each round, an array (rounds, 2, n // 2): one player stays, the others go round."""
    players, found = list(range(n + n % 2)), []
    half = len(players) // 2
    for _ in range(len(players) - 1):
        pairs = zip(players[:half], players[: half - 1 : -1], strict=True)
        found.append([sorted(pair) for pair in pairs if max(pair) < n])
        players[1:] = [players[-1], *players[1:-1]]
    return np.ascontiguousarray(np.reshape(np.array(found, np.intp), (len(found), n // 2, 2)).mT)


def _rotation(first: Any, second: Any, between: Any) -> tuple[Any, Any]:
    """The cosine and the sine that make `[[first, between], [between, second]]` diagonal."""
    is_idle = between == 0
    with np.errstate(over="ignore"):
        ratio = (second - first) / (2 * np.where(is_idle, 1, between))
        tangent = np.copysign(1 / (np.abs(ratio) + np.sqrt(1 + ratio * ratio)), ratio)
    tangent = np.where(is_idle, 0, tangent)
    cosine = 1 / np.sqrt(1 + tangent * tangent)
    return cosine, tangent * cosine


def _rotate(a: Any, p: Any, q: Any, cosine: Any, sine: Any) -> None:
    """Columns `p` and `q`, in place."""
    cosine, sine = cosine[..., None, :], sine[..., None, :]
    for part in (a.real, a.imag) if a.dtype.kind == "c" else (a,):
        left, right = part[..., p], part[..., q]
        part[..., p], part[..., q] = left * cosine - right * sine, left * sine + right * cosine


def _phases(between: Any) -> tuple[Any, Any]:
    """The moduli of the elements between pairs, and their phases; of real numbers these themselves, and 1."""
    if between.dtype.kind != "c":
        return between, None
    e = np.frexp(np.maximum(np.abs(between.real), np.abs(between.imag)))[1]
    scaled = scaled_by_power(between, -e)  # of a subnormal number the modulus has few digits, and no reciprocal
    moduli = absolute(scaled)
    is_idle = moduli == 0
    phases = divide(scaled, np.where(is_idle, 1, moduli).astype(between.dtype))
    return np.ldexp(moduli, e), np.where(is_idle, 1, phases)


def _turn(a: Any, q: Any, phases: Any) -> None:
    """Columns `q` by phases, in place."""
    if phases is not None:
        a[..., q] = multiply(a[..., q], phases[..., None, :])


def _adjoint(a: Any) -> Any:
    return np.conjugate(a.mT)


def _exponents(a: Any) -> Any:
    """Of the largest element of each item."""
    size = np.maximum(np.abs(a.real), np.abs(a.imag)) if a.dtype.kind == "c" else np.abs(a)
    return np.frexp(np.max(size, axis=(-2, -1), initial=0.0, keepdims=True))[1]


def eigh(a: Any) -> tuple[Any, Any]:
    """The eigenvalues, from the smallest, and the eigenvectors, of matrices of which the lower triangle is read.

    The component of each eigenvector with the largest modulus, the first of equal ones, is real and positive.
    """
    *stack, n, _ = a.shape
    lower = np.tril(a, -1).reshape(math.prod(stack), n, n)
    diagonal = np.diagonal(a, axis1=-2, axis2=-1).real.reshape(math.prod(stack), 1, n)
    given = lower + _adjoint(lower) + np.eye(n, dtype=a.dtype) * diagonal
    a = scaled_by_power(given, -_exponents(given))
    v = np.broadcast_to(np.eye(n, dtype=a.dtype), a.shape).copy()
    small = np.finfo(a.dtype).eps * _SMALL
    for _ in range(_SWEEPS):
        size = np.max(absolute(a), axis=(-2, -1), initial=0.0)
        off_diagonal = np.max(absolute(np.tril(a, -1)), axis=(-2, -1), initial=0.0)
        active = np.flatnonzero(off_diagonal > small * size)
        if not len(active):
            break
        a[active], v[active] = _swept(a[active], v[active])
    else:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")
    v = _orthonormal(v)
    w = np.diagonal(exact_matmul(_adjoint(v), exact_matmul(given, v)), axis1=-2, axis2=-1).real
    order = np.argsort(w, axis=-1, stable=True)
    w, v = np.take_along_axis(w, order, -1), np.take_along_axis(v, order[..., None, :], -1)
    return w.reshape(*stack, n), _with_positive_components(v).reshape(*stack, n, n)


def _swept(a: Any, v: Any) -> Any:
    rounds = _rounds(a.shape[-1])
    found = SWEEPS["rows and columns"](rounds, a, v) if SWEEPS else None
    if found is not None:
        return found
    for p, q in rounds:
        between, phases = _phases(a[..., p, q])
        back = None if phases is None else np.conjugate(phases)
        _turn(a, q, back)
        _turn(a.mT, q, phases)
        _turn(v, q, back)
        cosine, sine = _rotation(a[..., p, p].real, a[..., q, q].real, between)
        _rotate(a, p, q, cosine, sine)
        _rotate(a.mT, p, q, cosine, sine)
        a[..., p, q] = a[..., q, p] = 0
        _rotate(v, p, q, cosine, sine)
    return a, v


def _with_positive_components(v: Any) -> Any:
    if not v.size:
        return v
    indices = np.argmax(absolute(v), axis=-2)[..., None, :]
    largest = np.take_along_axis(v, indices, -2)
    if v.dtype.kind != "c":
        return v * np.where(largest < 0, -1, 1).astype(v.dtype)
    rephased = multiply(v, np.conjugate(_phases(largest)[1]))
    np.put_along_axis(rephased, indices, absolute(largest).astype(v.dtype), -2)
    return rephased


def _orthonormal(v: Any) -> Any:
    """A step of Newton's towards the nearest orthogonal matrix: many rotations have moved it by rounding."""
    half = scaled_by_power(exact_matmul(_adjoint(v), v) - np.eye(v.shape[-1], dtype=v.dtype), -1)
    return v - exact_matmul(v, half)


def svd(a: Any, is_full: bool = False) -> tuple[Any, Any, Any]:
    """`a = U diag(s) Vh`, from the largest.

    The component of each right singular vector with the largest modulus is real and positive; of a matrix with more
    columns than rows, of each left one.
    """
    *stack, m, n = a.shape
    if m < n:
        u, s, vh = svd(_adjoint(a), is_full)
        return _adjoint(vh), s, _adjoint(u)
    a = a.reshape(math.prod(stack), m, n)
    e = _exponents(a)
    q, triangle = qr(scaled_by_power(a, -e), is_full)
    triangle = triangle[..., :n, :]
    r, done = triangle.copy(), np.zeros(len(a), bool)
    v = np.broadcast_to(np.eye(n, dtype=a.dtype), r.shape).copy()
    for _ in range(_SWEEPS):
        active = np.flatnonzero(~done)
        if not len(active):
            break
        r[active], v[active], done[active] = _swept_columns(r[active], v[active])
    else:
        raise np.linalg.LinAlgError("SVD did not converge")
    v = _with_positive_components(_orthonormal(v))
    r = exact_matmul(triangle, v)
    s = norms(r.mT)
    order = np.argsort(-s, axis=-1, stable=True)
    s = np.take_along_axis(s, order, -1)
    r, v = (np.take_along_axis(x, order[..., None, :], -1) for x in (r, v))
    # the left vectors: the columns in order of size, made orthonormal, also where singular values are 0
    left, triangle = qr(r)
    left = left * np.where(np.diagonal(triangle, axis1=-2, axis2=-1).real < 0, -1, 1)[..., None, :].astype(a.dtype)
    u = np.concatenate([exact_matmul(q[..., :n], left), q[..., n:]], axis=-1)
    shapes = (*stack, *u.shape[-2:]), (*stack, n), (*stack, n, n)
    return u.reshape(shapes[0]), np.ldexp(s, e[..., 0]).reshape(shapes[1]), _adjoint(v).reshape(shapes[2])


def _swept_columns(r: Any, v: Any) -> Any:
    """Rotated until columns are orthogonal, and whether they were."""
    rounds, eps = _rounds(r.shape[-1]), np.finfo(r.dtype).eps
    rounding, least = _ROUNDING * eps, eps**2
    found = SWEEPS["columns"](rounds, r, v, rounding, least) if SWEEPS else None
    if found is not None:
        return found
    done = np.ones(len(r), bool)
    for p, q in rounds:
        left, right = r[..., p], r[..., q]
        first, second = (_sums(squared_modulus(x)) for x in (left, right))
        between, phases = _phases(_sums(multiply(np.conjugate(left), right)))
        back = None if phases is None else np.conjugate(phases)
        _turn(r, q, back)
        _turn(v, q, back)
        # of parallel columns nothing but rounding is left, which is parallel again: it ends where that is negligible
        left, right = np.sqrt(first), np.sqrt(second)
        is_seen = np.minimum(left, right) > least
        between = np.where(is_seen & (np.abs(between) > rounding * left * right), between, 0)
        done &= ~np.any(between != 0, axis=-1)
        cosine, sine = _rotation(first, second, between)
        _rotate(r, p, q, cosine, sine)
        _rotate(v, p, q, cosine, sine)
    return r, v, done


def _sums(x: Any) -> Any:
    """Of columns."""
    return reduced(np.add, x, -2, False, 0)
