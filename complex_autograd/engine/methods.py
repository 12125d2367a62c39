"""Methods and attributes of ndarray on traced arrays; each calls the NumPy function of the same name."""

from __future__ import annotations

from typing import Any

import numpy as np

from .hooks import HOOKS
from .memory import Memory


def _of_sorting(descending: Any) -> dict[str, Any]:
    """The keyword of NumPy 2.5, which earlier ones refuse, where it is given."""
    return {} if descending is None else {"descending": descending}


class Methods(Memory):
    """The methods and attributes of `numpy.ndarray`."""

    __slots__ = ()

    # reductions

    def all(self: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True) -> Any:
        return np.all(self, axis, out=out, keepdims=keepdims, where=where)

    def any(self: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True) -> Any:
        return np.any(self, axis, out=out, keepdims=keepdims, where=where)

    def argmax(self: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        return np.argmax(self, axis, out=out, keepdims=keepdims)

    def argmin(self: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        return np.argmin(self, axis, out=out, keepdims=keepdims)

    def cumprod(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        return np.cumprod(self, axis, dtype, out=out)

    def cumsum(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        return np.cumsum(self, axis, dtype, out=out)

    def max(self: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
        return np.max(self, axis, out=out, keepdims=keepdims, **options)

    def mean(
        self: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **options: Any
    ) -> Any:
        return np.mean(self, axis, dtype, out=out, keepdims=keepdims, **options)

    def min(self: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
        return np.min(self, axis, out=out, keepdims=keepdims, **options)

    def prod(
        self: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **options: Any
    ) -> Any:
        return np.prod(self, axis, dtype, out=out, keepdims=keepdims, **options)

    def std(
        self: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        **options: Any,
    ) -> Any:
        return np.std(self, axis, dtype, out=out, ddof=ddof, keepdims=keepdims, **options)

    def sum(
        self: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **options: Any
    ) -> Any:
        return np.sum(self, axis, dtype, out=out, keepdims=keepdims, **options)

    def trace(self: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
        return np.trace(self, offset, axis1, axis2, dtype, out=out)

    def var(
        self: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        **options: Any,
    ) -> Any:
        return np.var(self, axis, dtype, out=out, ddof=ddof, keepdims=keepdims, **options)

    # order

    def argpartition(self: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
        return np.argpartition(self, kth, axis, kind, order)

    def argsort(
        self: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None, descending: Any = None
    ) -> Any:
        return np.argsort(self, axis, kind, order, stable=stable, **_of_sorting(descending))

    def partition(self: Any, kth: Any, axis: int = -1, kind: Any = "introselect", order: Any = None) -> None:
        HOOKS.write(self, ..., np.partition(self, kth, axis, kind, order))

    def searchsorted(self: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
        return np.searchsorted(self, v, side, sorter)

    def sort(
        self: Any, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None, descending: Any = None
    ) -> None:
        HOOKS.write(self, ..., np.sort(self, axis, kind, order, stable=stable, **_of_sorting(descending)))

    # elements

    def choose(self: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Any:
        return np.choose(self, choices, out=out, mode=mode)

    def compress(self: Any, condition: Any, axis: Any = None, out: Any = None) -> Any:
        return np.compress(condition, self, axis, out=out)

    def diagonal(self: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        return np.diagonal(self, offset, axis1, axis2)

    def fill(self: Any, value: Any) -> None:
        HOOKS.write(self, ..., value)

    def item(self: Any, *args: Any) -> Any:
        return HOOKS.item(self, *args)

    def nonzero(self: Any) -> Any:
        return np.nonzero(self)

    def put(self: Any, indices: Any, values: Any, mode: Any = "raise") -> None:
        np.put(self, indices, values, mode)

    def repeat(self: Any, repeats: Any, axis: Any = None) -> Any:
        return np.repeat(self, repeats, axis)

    def take(self: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Any:
        return np.take(self, indices, axis, out=out, mode=mode)

    def tolist(self: Any) -> Any:
        return HOOKS.tolist(self)

    @property
    def flat(self: Any) -> Any:
        return HOOKS.flat(self)

    @flat.setter
    def flat(self: Any, values: Any) -> None:
        HOOKS.flat(self)[:] = values

    # values

    def astype(
        self: Any, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        return HOOKS.astype(self, dtype, order, casting, copy)

    def clip(self: Any, min: Any = None, max: Any = None, out: Any = None, **options: Any) -> Any:
        return np.clip(self, min, max, out=out, **options)

    def conj(self: Any) -> Any:
        return np.conjugate(self) if self.dtype.kind == "c" else self

    conjugate = conj

    def copy(self: Any, order: Any = "C") -> Any:
        return HOOKS.copy(self, order)

    def dot(self: Any, b: Any, out: Any = None) -> Any:
        return np.dot(self, b, out=out)

    def round(self: Any, decimals: int = 0, out: Any = None) -> Any:
        return np.round(self, decimals, out=out)

    @property
    def real(self: Any) -> Any:
        return np.real(self)

    @real.setter
    def real(self: Any, values: Any) -> None:
        HOOKS.write(np.real(self), ..., values)

    @property
    def imag(self: Any) -> Any:
        return np.imag(self)

    @imag.setter
    def imag(self: Any, values: Any) -> None:
        if self.dtype.kind != "c":
            raise TypeError("array does not have imaginary part to set")
        HOOKS.write(np.imag(self), ..., values)

    # shape

    def flatten(self: Any, order: Any = "C") -> Any:
        return HOOKS.flatten(self, order)

    def ravel(self: Any, order: Any = "C") -> Any:
        return np.ravel(self, order)

    def reshape(self: Any, *shape: Any, order: Any = "C", copy: Any = None) -> Any:
        return np.reshape(self, shape[0] if len(shape) == 1 else shape, order, copy=copy)

    def resize(self: Any, *new_shape: Any, refcheck: bool = True) -> None:
        shape = new_shape[0] if len(new_shape) == 1 else new_shape
        HOOKS.resize(self, tuple(shape) if np.iterable(shape) else (shape,))

    def squeeze(self: Any, axis: Any = None) -> Any:
        return np.squeeze(self, axis)

    def swapaxes(self: Any, axis1: int, axis2: int) -> Any:
        return np.swapaxes(self, axis1, axis2)

    def transpose(self: Any, *axes: Any) -> Any:
        if not axes:
            return np.transpose(self)
        return np.transpose(self, axes[0] if len(axes) == 1 else axes)

    @property
    def T(self: Any) -> Any:
        return np.transpose(self)

    @property
    def mT(self: Any) -> Any:
        if len(self.shape) < 2:
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return np.swapaxes(self, -1, -2)
