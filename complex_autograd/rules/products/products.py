"""Products of vectors and arrays: `dot`, `inner`, `vdot`, `outer`, `kron`, `cross`, `trace`.

All are linear in each factor, or conjugate-linear where NumPy conjugates (`vdot`).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ...array.structure import reshape
from ...array.views import scatter
from ...engine.dispatch import implements, refuse_out
from ...engine.operands import as_operand, plain_operand
from ...engine.primitive import Primitive, multilinear
from ...engine.trace import FUNCTIONS
from ..shape.diagonals import diagonal
from .contractions import conjugate, contract, free_axes
from .matrix_products import H, matmul

__all__ = ["H", "conjugate", "contract", "matmul"]


@multilinear
def dot(a: Any, b: Any) -> Any:
    """The sum of products over the last axis of `a` and the last but one of `b`."""
    return np.dot(a, b)


@dot.adjoint(0)
def _(g: Any, a: Any, b: Any) -> Any:
    met = tuple(range(a.ndim - 1, g.ndim))
    return contract(g, conjugate(b), axes=(met, free_axes(b, (max(b.ndim - 2, 0),))))


@dot.adjoint(1)
def _(g: Any, a: Any, b: Any) -> Any:
    met = tuple(range(a.ndim - 1))
    result = contract(conjugate(a), g, axes=(met, met))
    return np.moveaxis(result, 0, -2) if b.ndim > 1 else result


@dot.batched
def _(g: Any, active: Any, values: Any) -> Any:
    a, b = values
    return [g @ conjugate(a)] if list(active) == [1] and a.ndim == 2 and b.ndim == 1 else None


@multilinear
def inner(a: Any, b: Any) -> Any:
    """The sum of products over the last axes."""
    return np.inner(a, b)


@inner.adjoint(0)
def _(g: Any, a: Any, b: Any) -> Any:
    return contract(g, conjugate(b), axes=(tuple(range(a.ndim - 1, g.ndim)), tuple(range(b.ndim - 1))))


@inner.adjoint(1)
def _(g: Any, a: Any, b: Any) -> Any:
    met = tuple(range(a.ndim - 1))
    return contract(g, conjugate(a), axes=(met, met))


@multilinear
def vdot(a: Any, b: Any) -> Any:
    """`sum(conj(a) b)` over all elements."""
    return np.vdot(a, b)


@vdot.adjoint(0)
def _(g: Any, a: Any, b: Any) -> Any:
    return conjugate(g) * (b if a.shape == b.shape else reshape(b, shape=a.shape))


@vdot.adjoint(1)
def _(g: Any, a: Any, b: Any) -> Any:
    return g * (a if a.shape == b.shape else reshape(a, shape=b.shape))


@implements(np.vdot)
def _(a: Any, b: Any, /) -> Any:
    return vdot(as_operand(a), as_operand(b))


def _unless_scalar(product: Primitive) -> Callable[..., Any]:
    """A product that is the elementwise one where either factor is a number."""

    def call(a: Any, b: Any, out: Any = None) -> Any:
        refuse_out(product.function, out)
        a, b = plain_operand(a), plain_operand(b)
        return product(a, b) if a.shape and b.shape else a * b

    return call


FUNCTIONS[np.dot] = _unless_scalar(dot)
FUNCTIONS[np.inner] = _unless_scalar(inner)


@implements(np.outer)
def _(a: Any, b: Any, out: Any = None) -> Any:
    refuse_out(np.outer, out)
    return reshape(as_operand(a), shape=(-1, 1)) * reshape(as_operand(b), shape=(1, -1))


@implements(np.kron)
def _(a: Any, b: Any) -> Any:
    a, b = as_operand(a), as_operand(b)
    ndim = max(a.ndim, b.ndim)
    shape_a = (1,) * (ndim - a.ndim) + a.shape
    shape_b = (1,) * (ndim - b.ndim) + b.shape
    blocks = reshape(a, shape=tuple(n for size in shape_a for n in (size, 1)))
    inside = reshape(b, shape=tuple(n for size in shape_b for n in (1, size)))
    return reshape(blocks * inside, shape=tuple(n * m for n, m in zip(shape_a, shape_b, strict=True)))


@multilinear(family="arithmetic rounded once")
def cross_product(a: Any, b: Any) -> Any:
    """`a x b` of vectors with three components, in the last axis."""
    return np.cross(a, b)


@cross_product.adjoint(0)
def _(g: Any, a: Any, b: Any) -> Any:
    return cross_product(conjugate(b), g)  # <g, da x b> = <conj(b) x g, da>


@cross_product.adjoint(1)
def _(g: Any, a: Any, b: Any) -> Any:
    return cross_product(g, conjugate(a))  # <g, a x db> = <g x conj(a), db>


@implements(np.cross)
def _(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = as_operand(a), as_operand(b)
    if a.ndim < 1 or b.ndim < 1:
        raise ValueError("At least one array has zero dimension")
    axisa = normalize_axis_index(axisa, a.ndim, "axisa")
    axisb = normalize_axis_index(axisb, b.ndim, "axisb")
    a, b = _moved(a, axisa, -1), _moved(b, axisb, -1)
    if {a.shape[-1], b.shape[-1]} - {2, 3}:
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    planar = a.shape[-1] == b.shape[-1] == 2
    result = cross_product(_in_space(a), _in_space(b))
    return result[..., 2] if planar else _moved(result, -1, normalize_axis_index(axisc, result.ndim, "axisc"))


def _moved(a: Any, axis: int, to: int) -> Any:
    """`numpy.moveaxis`, which is asked only where an axis moves: then it records one more operation."""
    return a if axis % a.ndim == to % a.ndim else np.moveaxis(a, axis, to)


def _in_space(a: Any) -> Any:
    """Vectors of the plane with a third component of zero."""
    if a.shape[-1] == 3:
        return a
    return scatter(a, index=(..., slice(0, 2)), shape=(*a.shape[:-1], 3))


@implements(np.trace)
def _(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    refuse_out(np.trace, out)
    return np.sum(diagonal(a, offset=index(offset), axis1=axis1, axis2=axis2), axis=-1, dtype=dtype)
