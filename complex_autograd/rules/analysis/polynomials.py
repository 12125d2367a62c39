"""Polynomials given by their coefficients, highest power first; a `numpy.poly1d` counts as its coefficients."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....backends import backend_of
from ....backends.asking import by_parts
from ....backends.polynomial_fits import polynomial_fit
from ....determinism.layouts import are_plain
from ....determinism.levels import Level
from ....determinism.table import TABLE
from ...engine.dispatch import implements
from ...engine.errors import NotDifferentiableError
from ...engine.kinks import at_branch_point, at_jump
from ...engine.operands import as_operand, asarray_like, namespace_of, operands
from ...engine.primitive import primitive
from ...engine.traced import Traced, raw
from .characteristic_polynomial import characteristic_polynomial, has_separate_eigenvalues, real_coefficients


def polynomials(*args: Any) -> list[Any]:
    """The coefficients of each as a one-dimensional array."""
    return [np.atleast_1d(p) for p in operands(*args)]


@implements(np.vander)
def _(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    x = as_operand(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    v = powers(x.astype(np.promote_types(x.dtype, int)), len(x) if N is None else N)
    return v if increasing else np.flip(v, 1)


def powers(x: Any, count: int) -> Any:
    """The columns `1, x, x**2, ...`."""
    first = np.ones_like(raw(x)[:, None])[:, :count]
    return np.cumprod(np.concatenate([first, np.broadcast_to(x[:, None], (len(x), max(count - 1, 0)))], axis=1), axis=1)


# Evaluation and arithmetic


@implements(np.polyval)
def _(p: Any, x: Any) -> Any:
    if isinstance(x, np.poly1d):
        return composed(as_operand(p), x.coeffs)
    p, x = operands(p, x)
    w = np.zeros_like(raw(x))
    for k in range(len(p)):
        w = w * x + p[k]
    return w


def composed(p: Any, q: Any) -> Any:
    """The coefficients of the polynomial p of the polynomial q."""
    w = p[:1]
    for k in range(1, len(p)):
        w = np.polyadd(np.polymul(w, q), p[k : k + 1])
    return w


def aligned(a1: Any, a2: Any) -> list[Any]:
    """Two polynomials with zeros put before the shorter one."""
    a1, a2 = polynomials(a1, a2)
    length = max(len(a1), len(a2))
    return [np.concatenate([zeros_like(a, length - len(a)), a]) for a in (a1, a2)]


def zeros_like(p: Any, count: int) -> Any:
    """A constant polynomial of so many zeros, on the device of another one."""
    return np.zeros_like(raw(p), shape=count)


def descending(p: Any) -> Any:
    """The numbers `len(p), ..., 2, 1`, on the device of `p`."""
    return namespace_of(p).arange(len(p), 0, -1)


@implements(np.polyadd)
def _(a1: Any, a2: Any) -> Any:
    a1, a2 = aligned(a1, a2)
    return a1 + a2


@implements(np.polysub)
def _(a1: Any, a2: Any) -> Any:
    a1, a2 = aligned(a1, a2)
    return a1 - a2


@implements(np.polymul)
def _(a1: Any, a2: Any) -> Any:
    # leading zeros are cut off the product, not off the factors: the other coefficients depend on them
    factors = polynomials(a1, a2)
    zeros = [leading_zeros(a) for a in factors]
    constant = sum(n for a, n in zip(factors, zeros, strict=True) if not isinstance(a, Traced))
    return without_start(np.convolve(*factors), sum(zeros), "numpy.polymul", constant)


def without_start(p: Any, count: int, function: str, zeros: int) -> Any:
    """A polynomial without so many leading coefficients, which are 0, the first `zeros` of them whatever it is of."""
    reason = (
        "leading coefficients that are 0 are left out of its result, which is a longer one where they move. Leave them "
        "out of what is differentiated, p[1:], or use numpy.convolve, which leaves none out"
    )
    return at_jump(p[count:], p[zeros:count], function, reason)


def leading_zeros(a: Any) -> int:
    """How many coefficients come before the first that is not zero; a zero polynomial keeps its last one."""
    return int(np.argmax(np.append(raw(a)[:-1] != 0, True)))


@implements(np.polydiv)
def _(u: Any, v: Any) -> Any:
    u, v = (p + 0.0 for p in polynomials(u, v))
    steps = max(len(u) - len(v) + 1, 0)
    remainder = u.astype(np.result_type(u.dtype, v.dtype))
    if not steps:
        return zeros_like(remainder, 1), without_small_start(remainder, 0)
    quotient = []
    for k in range(steps):
        quotient.append(remainder[k : k + 1] * (1.0 / v[0]))
        rest = remainder[k : k + len(v)] - quotient[k] * v
        remainder = np.concatenate([remainder[:k], rest, remainder[k + len(v) :]])
    return np.concatenate(quotient), without_small_start(remainder, steps)


def without_small_start(r: Any, steps: int) -> Any:
    """A remainder without the leading coefficients that are zero to rounding, by NumPy's measure."""
    matters = ~np.isclose(raw(r), 0, rtol=1e-14)
    matters[-1] = True
    return without_start(r, int(np.argmax(matters)), "numpy.polydiv", steps)


@implements(np.polyder)
def _(p: Any, m: int = 1) -> Any:
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    p = as_operand(p)
    for _ in range(m):
        p = p[:-1] * descending(p[1:])
    return p


@implements(np.polyint)
def _(p: Any, m: int = 1, k: Any = None) -> Any:
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    p = as_operand(p)
    constants = zeros_like(p, m) if k is None else np.atleast_1d(asarray_like(k, p))
    if len(constants) == 1 and m > 1:
        constants = np.broadcast_to(constants, (m,))
    if len(constants) < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    for i in range(m):
        p = np.concatenate([p / descending(p), constants[i : i + 1]])
    return p


# Roots


@implements(np.poly)
def _(seq_of_zeros: Any) -> Any:
    z = np.atleast_1d(as_operand(seq_of_zeros))
    are_of_real_matrix = z.ndim == 2 and z.dtype.kind == "f"
    if z.ndim == 2 and z.shape[0] == z.shape[1] and z.size:
        if type(raw(z)) is np.ndarray and not has_separate_eigenvalues(raw(z)):
            return characteristic_polynomial(z)
        z = np.linalg.eigvals(z)
    elif z.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if len(z) == 0:
        return 1.0
    if z.dtype == np.float16:  # as NumPy's
        z = z.astype(float)
    one = np.ones_like(raw(z)[:1])
    p = one
    for k in range(len(z)):
        p = np.convolve(p, np.concatenate([one, -z[k : k + 1]]))
    values = raw(z)
    has_pairs = p.dtype.kind == "c" and np.all(np.sort(values) == np.sort(values.conj()))
    if not has_pairs:
        return p
    return np.real(p) if are_of_real_matrix else real_coefficients(p)


@primitive(family="eigenvalues")
def roots_of(p: Any, *, roots: Any) -> Any:
    """`numpy.roots`, which are known."""
    return roots


# p(r) = 0  =>  dp(r) + p'(r) dr = 0
@roots_of.differential
def _(r: Any, p: Any, dp: Any, *, roots: Any) -> Any:
    return -(np.flip(powers(r, len(p)), 1) @ dp) / np.polyval(np.polyder(p), r)


@implements(np.roots)
def _(p: Any) -> Any:
    p = np.atleast_1d(as_operand(p))
    roots = np.roots(raw(p))
    if np.all(np.polyval(np.polyder(raw(p)), roots)):
        return roots_of(p, roots=roots)
    error = NotDifferentiableError("numpy.roots", "there is a multiple root, which splits like a square root", "p")
    return at_branch_point(roots, p, error)


# Fitting


@implements(np.polyfit)
def polyfit(
    x: Any, y: Any, deg: int, rcond: float | None = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    """`numpy.polyfit`."""
    x, y, *weights = (a + 0.0 for a in operands(x, y, *(() if w is None else (w,))))
    w = weights[0] if weights else None
    eps = 2.0 ** -max(backend_of(raw(a)).bits(x.dtype) for a in (x, y))
    return polynomial_fit(x, y, deg, len(x) * eps if rcond is None else rcond, full, w, cov)


def _of_plain(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`numpy.polyfit` where a level asks for it: the parts of the rule, which ask each for itself."""
    plain = are_plain((*args, *kwargs.values()))
    return by_parts(polyfit, *args, **kwargs) if plain else function(*args, **kwargs)


TABLE.wrappers["polyfit", "numpy"] = Level.SCHEDULE, _of_plain
