"""Functions of matrices: kernels of `linalg`, by Schur forms, squarings and square roots, with guard digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from numpy.linalg import LinAlgError

from ..array import Array, array_of
from ..elements import COMPLEX, REAL, numbers
from .matrices import as_matrix, as_object_array, kernel, over_stack, solved

_GUARD = 30
"""Bits beside those that an algorithm is known to lose."""

_SMALL = 8
"""Minus the binary exponent of the norm from which on there is a power series."""


@kernel("legendre_nodes")
def legendre_nodes(nodes: Any) -> tuple[Any, Any]:
    """The nodes and weights of Gauss and Legendre's quadrature, by Newton's method from nodes in doubles."""
    x = numbers(nodes, REAL)
    n = len(x)
    for _ in range(mpmath.mp.prec.bit_length()):
        before, p = numbers(np.ones(n), REAL), x
        for k in range(1, n):
            before, p = p, ((2 * k + 1) * x * p - k * before) / (k + 1)
        derivative = n * (before - x * p) / (1 - x * x)
        x = x - p / derivative
    return x, 2 / ((1 - x * x) * derivative**2)


def _identity(n: int) -> Any:
    return numbers(np.eye(n), REAL)


def _norm(a: Any) -> Any:
    """The largest row sum of moduli."""
    return max((sum(map(abs, row)) for row in a), default=mpmath.mpf(0))


def _adjoint(a: Any) -> Any:
    return np.conjugate(a).T


def _is_finite(a: Any) -> bool:
    return all(map(mpmath.isfinite, a.flat))


def _rounded(a: Any) -> Any:
    """The elements at the precision in force, from more digits."""
    return np.frompyfunc(lambda x: +x, 1, 1)(a)


# A matrix that is triangular keeps its diagonal, and so each eigenvalue its side of a branch cut.  Of others the
# eigenvalues within rounding errors of the real axis are taken to lie on it, as those of a real matrix that are real.
def schur_vectors(a: Any) -> tuple[Any, Any]:
    """`(t, z)` with `a = z t H(z)`, `t` upper triangular and `z` unitary, of one matrix."""
    n = len(a)
    if not any(a[np.tril_indices(n, -1)]):
        return numbers(a, COMPLEX), numbers(np.eye(n), COMPLEX)
    if not _is_finite(a):
        raise LinAlgError("the matrix has infinities or NaN, and so no Schur form")
    z, t = map(as_object_array, mpmath.schur(as_matrix(a)))
    t, z = np.triu(numbers(t, COMPLEX)), numbers(z, COMPLEX)
    for k in range(n):
        if abs(t[k, k].imag) <= n * mpmath.eps * _norm(t):
            t[k, k] = mpmath.mpc(t[k, k].real)
    return t, z


@kernel("schur_form")
@kernel("complex_form")
def schur_form(a: Any) -> Any:
    """The complex Schur form `(t, z)` of matrices."""
    return over_stack(schur_vectors, [a.shape[-2:]] * 2, [COMPLEX] * 2, a)


@kernel("triangular_sylvester")
def triangular_sylvester(r: Any, s: Any, f: Any, *, adjoint: tuple[bool, bool] = (False, False)) -> Any:
    """The solution of `r y + y s = f`, of triangular `r` and `s`, or of their conjugate transposes."""
    r, s, f = map(array_of, (r, s, f))

    def columns(r: Any, s: Any, f: Any) -> Any:
        r, s = (_adjoint(x) if is_adjoint else x for x, is_adjoint in zip((r, s), adjoint, strict=True))
        y, order = f.copy(), list(range(len(s)))
        for k in reversed(order) if adjoint[1] else order:
            known = [j for j in order if j > k] if adjoint[1] else order[:k]
            right = y[:, k] - (y[:, known] @ s[known, k] if known else mpmath.mpf(0))
            y[:, k] = _substituted(r, s[k, k], right, adjoint[0])
        return y

    return over_stack(columns, [f.shape[-2:]], [np.result_type(r.dtype, s.dtype, f.dtype)], r, s, f)


@kernel("solve_continuous_lyapunov")
def lyapunov_values(a: Any, q: Any) -> Any:
    """The solution of `a x + x H(a) = q`."""
    t, z = schur_form(array_of(a))
    x = z @ triangular_sylvester(t, t, np.conjugate(z).mT @ q @ z, adjoint=(False, True)) @ np.conjugate(z).mT
    return x if COMPLEX in (a.dtype, q.dtype) else x.real.copy()


# With a = z t H(z) and y = H(z) x z, column k of  y - t y H(t) = H(z) q z  has those behind it on the right:
#     (1 - conj(t[k, k]) t) y[:, k] = f[:, k] + t y[:, k+1:] conj(t[k, k+1:])
@kernel("solve_discrete_lyapunov")
def stein_values(a: Any, q: Any, *, method: str | None = None) -> Any:
    """The solution of `a x H(a) - x + q = 0`, by the Schur form whatever the method."""
    if method not in (None, "direct", "bilinear"):
        raise ValueError(f"Unknown solver {method}")
    t, z = schur_form(array_of(a))

    def columns(t: Any, f: Any) -> Any:
        y, conjugate = f.copy(), np.conjugate(t)
        for k in reversed(range(len(t))):
            right = y[:, k] + t @ (y[:, k + 1 :] @ conjugate[k, k + 1 :]) if k + 1 < len(t) else y[:, k]
            y[:, k] = _substituted(-conjugate[k, k] * t, mpmath.mpf(1), right, False)
        return y

    x = z @ over_stack(columns, [t.shape[-2:]], [COMPLEX], t, np.conjugate(z).mT @ q @ z) @ np.conjugate(z).mT
    return x if COMPLEX in (a.dtype, q.dtype) else x.real.copy()


def _substituted(r: Any, shift: Any, y: Any, is_lower: bool) -> Any:
    """The solution of `(r + shift) x = y` with a triangular `r`."""
    n, x = len(r), y.copy()
    for i in range(n) if is_lower else reversed(range(n)):
        known = slice(0, i) if is_lower else slice(i + 1, n)
        pivot = r[i, i] + shift
        if not pivot:
            raise LinAlgError("the equation a x + x b = q is singular: an eigenvalue of a is minus an eigenvalue of b")
        x[i] = (x[i] - sum(r[i, known] * x[known], mpmath.mpf(0))) / pivot
    return x


# x x = t, column after column and from the diagonal up:
# (x_ii + x_jj) x_ij = t_ij - sum over i < k < j of x_ik x_kj  [H08, algorithm 6.3]
def triangular_root_of(t: Any) -> Any:
    """The principal square root of one upper triangular matrix."""
    n, x = len(t), numbers(np.zeros(t.shape), COMPLEX)
    for j in range(n):
        x[j, j] = mpmath.sqrt(t[j, j])
        for i in reversed(range(j)):
            rest = t[i, j] - sum(x[i, i + 1 : j] * x[i + 1 : j, j], mpmath.mpf(0))
            if rest and not x[i, i] + x[j, j]:
                raise LinAlgError("the matrix has no square root: 0 is a defective eigenvalue")
            x[i, j] = rest / (x[i, i] + x[j, j]) if rest else mpmath.mpc(0)
    return x


@kernel("triangular_root")
def triangular_root(t: Any) -> Any:
    """The principal square roots of upper triangular matrices."""
    return over_stack(triangular_root_of, [t.shape[-2:]], [COMPLEX], t)


def _of_stack(function: Callable[..., Any], a: Any, loses: Callable[[Any], int], *params: Any) -> Any:
    """A function of single matrices with so many more bits as it loses; real if the matrices are and the function is.

    A stack is complex if one of its matrices has complex values.
    """
    values, dtype = np.empty(a.host.shape, object), a.dtype
    for index in np.ndindex(a.shape[:-2]):
        with mpmath.workprec(mpmath.mp.prec + loses(a.host[index]) + _GUARD):
            x = function(a.host[index], *params)
        values[index] = _rounded(x)
        dtype = COMPLEX if any(type(z) is mpmath.mpc for z in x.flat) else dtype
    return Array(numbers(values, dtype), dtype)


def _bits_of(a: Any) -> int:
    """The binary exponent of the norm, from 0 up."""
    size = _norm(a)
    return max(0, int(mpmath.mag(size))) if size and mpmath.isfinite(size) else 0


def _by_schur(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a matrix from that of its Schur form; real if the matrix is, and no eigenvalue negative."""

    def call(a: Any, *params: Any) -> Any:
        t, z = schur_vectors(a)
        x = z @ function(t, *params) @ _adjoint(z)
        is_real = not any(type(y) is mpmath.mpc for y in a.flat)
        if is_real and not any(not w.imag and w.real < 0 for w in np.diagonal(t)):
            return np.frompyfunc(mpmath.re, 1, 1)(x)
        return x

    return call


def _polynomial(coefficients: list[Any], a: Any) -> Any:
    """`c_0 + c_1 a + c_2 a^2 + ..`, by Horner's rule in a power of `a` [H08, section 4.2]."""
    step = math.isqrt(len(coefficients))
    powers = [_identity(len(a))]
    for _ in range(step):
        powers.append(powers[-1] @ a)
    x = 0 * a
    for start in reversed(range(0, len(coefficients), step)):
        parts = zip(coefficients[start : start + step], powers, strict=False)
        x = x @ powers[step] + sum(c * power for c, power in parts)
    return x


# expm(a) = expm(a / 2**s) ** (2**s), by the Taylor series; s squarings lose s bits
def exponential_of(a: Any) -> Any:
    """The exponential of one matrix."""
    if not _is_finite(a):
        return np.full_like(a, mpmath.mpf("nan"))
    halvings = _bits_of(a) + _SMALL
    coefficients, most = [mpmath.mpf(1)], mpmath.mp.prec
    while _SMALL * len(coefficients) - mpmath.mag(coefficients[-1]) < most:
        coefficients.append(coefficients[-1] / len(coefficients))
    x = _polynomial(coefficients, a * mpmath.mpf(2) ** -halvings)
    for _ in range(halvings):
        x = x @ x
    return x


@kernel("exponential_values")
def exponential_values(a: Any) -> Any:
    """The exponential of matrices."""
    return _of_stack(exponential_of, a, lambda host: 2 * _bits_of(host)) if a.shape[-1] else a


# log(t) = 2**k log(t**(1/2**k)), and near the identity log(1 + y) = y - y^2/2 + ..; the k roots lose k bits
def _triangular_logarithm(t: Any) -> Any:
    bits = mpmath.mp.prec
    with mpmath.workprec(2 * bits):
        one, y, roots = _identity(len(t)), t, 0
        while _norm(y - one) > 2.0**-_SMALL:
            y, roots = triangular_root_of(y), roots + 1
            if roots > bits:
                raise LinAlgError("the matrix is singular to working precision, and so has no logarithm")
        y = y - one
        terms = bits // max(_SMALL, -mpmath.mag(_norm(y))) + 2 if any(y.flat) else 1
        x = _polynomial([mpmath.mpf(0), *[mpmath.mpf((-1) ** (k + 1)) / k for k in range(1, terms + 1)]], y)
        x = x * mpmath.mpf(2) ** roots
        for i in range(len(t)):
            x[i, i] = mpmath.log(t[i, i])
    return x


def _refuse_singular(t: Any) -> None:
    if not all(np.diagonal(t)):
        raise LinAlgError("the matrix is singular, and so has no logarithm")


@kernel("logarithm_values")
def logarithm_values(a: Any) -> Any:
    """The principal logarithm of matrices."""
    return _of_stack(_logarithm, a, _bits_of)


@_by_schur
def _logarithm(t: Any) -> Any:
    _refuse_singular(t)
    return _triangular_logarithm(t)


@_by_schur
def _power(t: Any, exponent: Any) -> Any:
    _refuse_singular(t)
    return exponential_of(exponent * _triangular_logarithm(t))


@kernel("power_values")
def power_values(a: Any, t: Any) -> Any:
    """The principal powers of matrices."""
    (exponent,) = array_of(t).host.flat
    return _of_stack(_power, a, _bits_of, exponent)


@kernel("root_values")
def root_values(a: Any) -> Any:
    """The principal square roots of matrices."""
    return _of_stack(_by_schur(triangular_root_of), a, _bits_of)


# x <- (x + inv(x)) / 2  from a, quadratically; scaled by determinants [H08, section 5.5]
def _sign(a: Any) -> Any:
    x, n = a, len(a)
    for _ in range(mpmath.mp.prec):
        new = (x + solved(x, _identity(n))) / 2
        change, x = _norm(new - x), new
        if change <= n * mpmath.eps * _norm(x) * 2**10:
            return x
    raise LinAlgError("the sign of the matrix does not converge: an eigenvalue is on the imaginary axis, or nearly so")


@kernel("sign_values")
def sign_values(a: Any) -> Any:
    """The signs of matrices."""
    return _of_stack(_sign, a, _bits_of)
