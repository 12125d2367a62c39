"""Square root, sign, logarithm and powers of matrices."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cupy
import numpy as np
from numpy.linalg import LinAlgError

from . import schur
from .elimination import inv, solved
from .launching import adjoint, fail, precision

_NEAR = 0.25
"""The distance from the identity up to which the logarithm is a sum over `_NODES` nodes, to rounding."""

_NODES = 8


def _real_if_so(x: Any, a: Any, t: Any) -> Any:
    """A function of real matrices without negative or zero-crossing eigenvalues is real."""
    if a.dtype.kind == "c":
        return x
    w = cupy.diagonal(t, 0, -2, -1)
    negative = (w.imag == 0) & (w.real < 0)
    return x if bool(negative.any()) else cupy.ascontiguousarray(x.real)


def _scaled(a: Any) -> tuple[Any, Any]:
    """A matrix divided by a power of two near its largest element, and that power."""
    largest = cupy.abs(a).max((-2, -1), keepdims=True)
    usable = (largest > 0) & cupy.isfinite(largest)
    exponent = cupy.floor(cupy.log2(cupy.where(usable, largest, 1)))
    exponent = cupy.where(abs(exponent) < 0.3 * np.finfo(a.dtype).maxexp, 0, exponent)
    scale = cupy.exp2(exponent)
    return a / scale, scale


def root_values(a: Any) -> Any:
    """The kernel of `linalg.sqrtm`."""
    dtype = precision(a)
    a = a.astype(dtype)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError("Last two dimensions of the array must be square.")
    if not a.size:
        return a
    t, z = schur.complex_form(a)
    with_diagonal = _refused_root(t)
    return _real_if_so(z @ with_diagonal @ adjoint(z), a, t)


def _refused_root(t: Any) -> Any:
    """The root of a triangle; NaN above the diagonal of those that have none, as of [[0, 1], [0, 0]]."""
    try:
        return schur.triangular_root(t)
    except LinAlgError:
        x = t.copy()
        x[...] = cupy.nan
        return x


def sign_values(a: Any) -> Any:
    """The kernel of `linalg.signm`: Newton's iteration, scaled by the determinant [H08, section 5.5]."""
    if not a.size:
        return a
    a = a.astype(precision(a))
    x = a / cupy.where(cupy.abs(a).max((-2, -1), keepdims=True) == 0, 1, cupy.abs(a).max((-2, -1), keepdims=True))
    n, eps = a.shape[-1], np.finfo(a.dtype).eps
    for step in range(100):
        y = inv(x)
        if step < 8:
            mu = cupy.sqrt(cupy.sqrt((cupy.abs(y) ** 2).sum((-2, -1)) / (cupy.abs(x) ** 2).sum((-2, -1))))
            x, y = x * mu[..., None, None].astype(x.dtype), y / mu[..., None, None].astype(x.dtype)
        new = (x + y) / 2
        change = cupy.abs(new - x).max((-2, -1))
        x = new
        if bool((change <= 4 * n * eps * cupy.abs(x).max((-2, -1))).all()) and step > 8:
            return (x + inv(x)) / 2
    fail(cupy.ones(a.shape[:-2], np.int32), a.shape[:-2], "the iteration for the matrix sign did not converge")


@lru_cache(maxsize=1)
def _nodes() -> list[tuple[float, float]]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return [(float(x + 1) / 2, float(w) / 2) for x, w in zip(nodes, weights, strict=True)]


def _of_triangle(t: Any) -> Any:
    """The principal logarithm of complex triangles.

    Of each item as many roots are taken as it needs to be near 1; then it is the integral of `y inv(1 + s y)` over `s`
    in (0, 1), by Gauss and Legendre's nodes [H08, section 11.4].
    """
    eye = cupy.eye(t.shape[-1], dtype=t.dtype)
    doubled = cupy.ones((*t.shape[:-2], 1, 1), t.real.dtype)
    values = cupy.log(cupy.diagonal(t, 0, -2, -1))
    for _ in range(64):
        far = cupy.abs(t - eye).sum(-2).max(-1)[..., None, None] > _NEAR
        if not bool(far.any()):
            break
        t = cupy.where(far, schur.triangular_root(t), t)
        doubled = cupy.where(far, 2 * doubled, doubled)
    y = t - eye
    total = cupy.zeros_like(t)
    for node, weight in _nodes():
        total = total + weight * solved(eye + node * y, y)
    total = cupy.triu(total) * doubled.astype(t.dtype)
    cupy.einsum("...ii->...i", total)[...] = values
    return total


def _logarithm(a: Any, function: str) -> tuple[Any, Any, Any]:
    """The logarithm of the triangle, the triangle, and the vectors."""
    t, z = schur.complex_form(a)
    singular = (cupy.diagonal(t, 0, -2, -1) == 0).any(-1)
    if bool(singular.any()):
        fail(singular.astype(np.int32), t.shape[:-2], f"{function}: the matrix is singular")
    return _of_triangle(t), t, z


def logarithm_values(a: Any) -> Any:
    """The kernel of `linalg.logm`."""
    if not a.size:
        return a
    a = a.astype(precision(a))
    scaled, scale = _scaled(a)
    x, t, z = _logarithm(scaled, "logm")
    out = z @ x @ adjoint(z) + (cupy.log(scale) * cupy.eye(a.shape[-1], dtype=x.dtype)).astype(x.dtype)
    return _real_if_so(out, a, t)


_PADE = (64764752532480000., 32382376266240000., 7771770303897600., 1187353796428800., 129060195264000.,
         10559470521600., 670442572800., 33522128640., 1323241920., 40840800., 960960., 16380., 182., 1.)  # fmt: skip


def exponential(a: Any) -> Any:
    """The exponential by scaling, a quotient of polynomials, and squaring [H08, algorithm 10.20]."""
    eye = cupy.eye(a.shape[-1], dtype=a.dtype)
    norm = cupy.abs(a).sum(-2).max(-1)
    steps = cupy.maximum(cupy.ceil(cupy.log2(cupy.where(norm > 0, norm, 1) / 4)), 0)
    a = a / cupy.exp2(steps)[..., None, None].astype(a.dtype)
    b, a2 = _PADE, a @ a
    a4 = a2 @ a2
    a6 = a2 @ a4
    odd = a @ (a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * eye)
    even = a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * eye
    x = solved(even - odd, even + odd)
    for k in range(int(steps.max()) if steps.size else 0):
        x = cupy.where((steps > k)[..., None, None], x @ x, x)
    return x


def power_values(a: Any, t: Any) -> Any:
    """The kernel of `linalg.fractional_matrix_power`: an integer power, and `exp(f log(a))` for the rest."""
    if not a.size:
        return a
    a = a.astype(precision(a))
    t = float(t)
    scaled, scale = _scaled(a)
    x, form, z = _logarithm(scaled, "fractional_matrix_power")
    out = z @ exponential(t * x) @ adjoint(z) * (scale**t).astype(x.dtype)
    return _real_if_so(out, a, form)
