"""Triangles of matrices, and constant ones: what reads one triangle does it here; its gradient is right once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Final

import numpy as np

from ...backends import backend_of
from ...complex_autograd.engine.primitive import Primitive, linear
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H


def weights(x: Any, lower: bool) -> Any:
    """1 in the strict triangle of square matrices like `x`, 1/2 on their diagonal, 0 elsewhere."""
    return like(x, _weights, x.shape[-1], lower)


def identity(x: Any) -> Any:
    """The identity matrix, real, of the size of the last axis of `x`, in its precision and where it lives."""
    return like(x, _identity, x.shape[-1])


def rectangular_identity(x: Any, m: int, n: int) -> Any:
    """The identity with m rows and n columns, real, in the precision of `x` and where it lives."""
    return like(x, _rectangular_identity, m, n)


def off_diagonal(x: Any) -> Any:
    """1 off the diagonal and 0 on it, of the size of the last axis of `x`, in its precision and where it lives."""
    return like(x, _off_diagonal, x.shape[-1])


def infinite_diagonal(x: Any) -> Any:
    """Infinity on the diagonal and 0 off it, like `off_diagonal`."""
    return like(x, _infinite_diagonal, x.shape[-1])


def like(x: Any, make: Callable[..., Any], *sizes: Any) -> Any:
    """A constant array in the precision of `x`, where `x` lives."""
    if type(x) is not np.ndarray:
        x = raw(x)
        if not issubclass(type(x), np.ndarray):
            return _placed(make, x, sizes)
    return make(x.dtype.char.lower(), *sizes)


_PLACED: dict[Any, Any] = {}
"""Constants on other devices, by what makes them; they are copied there once."""

_MOST_PLACED: Final = 512


def _placed(make: Callable[..., Any], x: Any, sizes: tuple[Any, ...]) -> Any:
    """A constant on the device of an array, which nothing writes into."""
    backend, kind = backend_of(x), x.dtype.char.lower()
    key = (make, kind, sizes, backend.device_of(x))
    found = _PLACED.get(key)
    if found is None:
        if len(_PLACED) >= _MOST_PLACED:
            _PLACED.clear()
        found = _PLACED[key] = backend.namespace.asarray(make(kind, *sizes))
    return found


def cached(make: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a dtype and of sizes whose arrays are read-only, and kept."""

    @lru_cache(maxsize=256)
    @wraps(make)
    def made(*sizes: Any) -> Any:
        x = make(*sizes)
        x.flags.writeable = False
        return x

    return made


@cached
def _weights(dtype: str, n: int, lower: bool) -> Any:
    triangle = np.tri(n, k=-1, dtype=dtype)
    return (triangle if lower else triangle.T) + 0.5 * np.eye(n, dtype=dtype)


@cached
def _rectangular_identity(dtype: str, m: int, n: int) -> Any:
    return np.eye(m, n, dtype=dtype)


@cached
def _identity(dtype: str, n: int) -> Any:
    return np.eye(n, dtype=dtype)


@cached
def _infinite_diagonal(dtype: str, n: int) -> Any:
    return np.where(np.eye(n) == 1, np.inf, 0.0).astype(dtype)


@cached
def _off_diagonal(dtype: str, n: int) -> Any:
    return 1 - np.eye(n, dtype=dtype)


@linear
def hermitian_from(a: Any, *, lower: bool) -> Any:
    """The Hermitian matrices that have this triangle; of the diagonal only the real part is read."""
    half = _read(a, lower) * weights(a, lower)
    return half + H(half)


@hermitian_from.adjoint(0)
def _(g: Any, a: Any, *, lower: bool) -> Any:
    return triangle_gradient(g, lower=lower)


@linear
def triangle_gradient(a: Any, *, lower: bool) -> Any:
    """What `hermitian_from` makes of a cotangent: `a_ij + conj(a_ji)` in one triangle, real on the diagonal, else 0."""
    return (a + H(a)) * weights(a, lower)


@triangle_gradient.adjoint(0)
def _(g: Any, a: Any, *, lower: bool) -> Any:
    return hermitian_from(g, lower=lower)


def _read(a: Any, lower: bool) -> Any:
    """One triangle with the diagonal, whatever the other one holds."""
    return np.tril(a) if lower else np.triu(a)


@linear
def lower_half(a: Any) -> Any:
    """The strictly lower triangle and half of the diagonal (`Phi`)."""
    return a * weights(a, True)


@lower_half.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return lower_half(g)


def _skew_part(a: Any) -> Any:
    """The skew-Hermitian part."""
    return (a - H(a)) * 0.5


skew_part = Primitive(_skew_part, "jointly", registered=False)


@skew_part.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return skew_part(g)


def hermitian_part(a: Any) -> Any:
    """The Hermitian part."""
    return (a + H(a)) * 0.5


@linear
def skew_from(a: Any) -> Any:
    """The skew-Hermitian matrices with this strictly lower triangle and this imaginary part of the diagonal."""
    half = a * weights(a, True)
    return half - H(half)


@skew_from.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return skew_gradient(g)


@linear
def skew_gradient(a: Any) -> Any:
    """What `skew_from` makes of a cotangent."""
    return (a - H(a)) * weights(a, True)


@skew_gradient.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return skew_from(g)
