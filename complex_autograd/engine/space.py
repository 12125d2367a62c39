"""The space of an array (shape, real or complex, precision), and the projection onto it.

The adjoint of embedding one space in a larger one (broadcasting, real into complex, float32 into float64) is the
orthogonal projection back: sum over broadcast axes, take the real part, round.  The engine applies it when a cotangent
reaches its node, so rules do not have to.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np

from ...backends import backends
from ...backends.short_axes import sum_along
from ...determinism import require
from ...determinism.flag import IN_FORCE, current_scope, observed

Array: TypeAlias = Any
"""An array of any backend, traced or plain, or a number of NumPy's: what has a shape and a dtype."""

Scalar: TypeAlias = Any
"""A number: Python's, NumPy's, or an array without axes."""

Tangent: TypeAlias = Any
"""The direction along which an array moves: an array of its space, or `ZERO`."""

Cotangent: TypeAlias = Any
"""The derivative of a loss by an array, as an element of its space; None for 0."""


class Space(Protocol):
    """The arrays of one shape and dtype."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...


_NOTHING = bytes(32)


def project(g: Cotangent, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Cotangent:
    """The orthogonal projection of a cotangent onto the arrays of this shape and dtype."""
    if type(g) is complex:
        return cast(g, dtype)
    if g.shape != shape:
        given = g.shape
        extra = len(given) - len(shape)
        if extra > 0:
            g = total(g, tuple(range(extra)), False)
        stretched = tuple(i for i, (n, m) in enumerate(zip(g.shape, shape, strict=True)) if n != m)
        if stretched:
            g = total(g, stretched, True)
        if g.shape != shape:
            raise ValueError(
                f"a cotangent of shape {given} does not fit an array of shape {shape}. Likely cause: the adjoint of a "
                "custom primitive returned it for an argument of another shape."
            )
    return cast(g, dtype)


def real_dtype(a: Any) -> np.dtype[Any]:
    """The dtype of the real part of a mean of these elements."""
    return np.finfo(a.dtype).dtype if a.dtype.kind in "fc" else np.dtype(float)


def total(g: Array, axis: Any, keepdims: bool) -> Array:
    """The sum over some axes, which the determinism flag can send elsewhere."""
    route = None
    if IN_FORCE[0] and current_scope().setting.level:
        owner = next((backend for backend in backends() if backend.owns(type(g))), None)  # of traced values none is
        route = owner and observed("sum", require("sum", owner.policy, g.dtype, np.sum), np.sum)
    return (route or (sum_along if type(g) is np.ndarray else np.sum))(g, axis=axis, keepdims=keepdims)


def cast(g: Cotangent, dtype: np.dtype[Any]) -> Cotangent:
    """The nearest value of this dtype: the real part where the dtype is real, rounded to its precision."""
    if type(g) is complex:  # Python's complex times NumPy's float64 is Python's
        g = np.complex128(g)
    if g.dtype == dtype:
        return g
    if g.dtype.kind == "c" and dtype.kind != "c":
        g = np.real(g)
    return g if g.dtype == dtype else g.astype(dtype)


def embed(da: Tangent, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Tangent:
    """A tangent as an element of the arrays of this shape and dtype: cast, then broadcast."""
    da = cast(da, dtype)
    return da if da.shape == shape else np.broadcast_to(da, shape)


def zeros_of(x: Array) -> Array:
    """Zeros of the space of `x`."""
    return np.zeros_like(x)


def dummy(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """A read-only stand-in that has a shape and a dtype and takes no memory."""
    return np.ndarray(shape, dtype, _NOTHING, strides=(0,) * len(shape))


def inner(a: Array, b: Array) -> Scalar:
    """The real inner product `Re sum(conj(a) b)`."""
    return np.real(np.sum(np.conj(a) * b))
