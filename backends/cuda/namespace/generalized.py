"""The generalized ufuncs: products of matrices and vectors in the last axes, and their keywords."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ..tables import implements


def _keywords(ufunc: Any, core: tuple[int, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a product of the last axes the keywords `axes=`, `axis=`, `keepdims=`, and NumPy's errors of shape.

    `core` counts the axes of each operand, and of the result, that belong to the product.
    """

    def decorate(product: Callable[..., Any]) -> Callable[..., Any]:
        def call(a: Any, b: Any, axes: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
            a, b = cupy.asarray(a), cupy.asarray(b)
            if axis is not None:
                axes = [(axis,), (axis,), ()]
            if axes is not None:
                operand_axes = [(p,) if isinstance(p, int) else tuple(p) for p in (*axes, ())[:3]]
                a, b = (_last(x, own) for x, own in zip((a, b), operand_axes, strict=False))
            for number, (x, n) in enumerate(zip((a, b), core, strict=False)):
                if x.ndim < n:
                    raise ValueError(
                        f"{ufunc.__name__}: Input operand {number} does not have enough dimensions (has {x.ndim}, "
                        f"gufunc core with signature {ufunc.signature} requires {n})"
                    )
            made = product(a, b)
            if keepdims:
                made = cupy.moveaxis(made[..., None], -1, -1 if axis is None else axis)
            elif axes is not None and len(axes) > 2 and operand_axes[2]:
                made = cupy.moveaxis(made, tuple(range(-len(operand_axes[2]), 0)), operand_axes[2])
            return made

        return call

    return decorate


def _last(x: Any, axes: tuple[int, ...]) -> Any:
    axes = tuple([normalize_axis_index(i, x.ndim) for i in axes])
    return cupy.moveaxis(x, axes, tuple(range(-len(axes), 0)))


def _lengths(ufunc: Any, n: int, m: int) -> None:
    if n != m:
        raise ValueError(
            f"{ufunc.__name__}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"{ufunc.signature} (size {m} is different from {n})"
        )


@implements(np.matmul)
def matmul(a: Any, b: Any, axes: Any = None, **kwargs: Any) -> Any:
    """`numpy.matmul`."""
    a, b = cupy.asarray(a), cupy.asarray(b)
    if axes is not None:
        return _keywords(np.matmul, (2, 2))(cupy.matmul)(a, b, axes=axes)
    if a.ndim and b.ndim:
        _lengths(np.matmul, a.shape[-1], b.shape[-2 if b.ndim > 1 else -1])
        if a.dtype == b.dtype == bool:
            return cupy.matmul(a.astype("i"), b.astype("i")) != 0
    return cupy.matmul(a, b)


@implements(np.vecdot)
@_keywords(np.vecdot, (1, 1))
def vecdot(a: Any, b: Any) -> Any:
    """`numpy.vecdot`: `sum(conj(a) b)`."""
    _lengths(np.vecdot, a.shape[-1], b.shape[-1])
    return matmul(a.conj()[..., None, :], b[..., :, None])[..., 0, 0]


@implements(np.matvec)
@_keywords(np.matvec, (2, 1))
def matvec(a: Any, b: Any) -> Any:
    """`numpy.matvec`."""
    _lengths(np.matvec, a.shape[-1], b.shape[-1])
    return matmul(a, b[..., :, None])[..., 0]


@implements(np.vecmat)
@_keywords(np.vecmat, (1, 2))
def vecmat(a: Any, b: Any) -> Any:
    """`numpy.vecmat`, which conjugates the vectors."""
    _lengths(np.vecmat, a.shape[-1], b.shape[-2])
    return matmul(a.conj()[..., None, :], b)[..., 0, :]
