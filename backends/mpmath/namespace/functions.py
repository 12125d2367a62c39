"""The functions of NumPy that are no ufuncs."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np

from ..array import Array
from ..dispatch import with_objects
from ..elements import COMPLEX, REAL, label, numbers
from ..tables import AS_THEY_ARE, implements

_AS_THEY_ARE = """
    append apply_along_axis apply_over_axes argwhere array_split atleast_1d atleast_2d atleast_3d
    block broadcast_to choose column_stack compress concatenate count_nonzero cross cumprod
    cumsum cumulative_prod cumulative_sum delete diag diagflat diagonal diff dot dsplit dstack ediff1d einsum
    expand_dims extract flatnonzero flip fliplr flipud hsplit hstack inner insert kron lexsort
    matrix_transpose moveaxis ndim nonzero outer permute_dims polyder
    polyint polyval ravel repeat reshape resize roll rollaxis rot90 searchsorted select shape size
    split squeeze stack swapaxes take take_along_axis tensordot tile trace transpose trapezoid
    tril triu trim_zeros unstack vander vdot vsplit where
""".split()  # noqa: SIM905
AS_THEY_ARE.update(getattr(np, name) for name in _AS_THEY_ARE)
AS_THEY_ARE.add(np.lib.stride_tricks.sliding_window_view)
AS_THEY_ARE.update(getattr(np.linalg, name) for name in ("diagonal", "matrix_transpose", "outer", "tensordot", "trace"))


@implements(np.real)
def real(val: Any) -> Any:
    """`numpy.real`."""
    return val.real


@implements(np.imag)
def imag(val: Any) -> Any:
    """`numpy.imag`."""
    return val.imag


@implements(np.angle)
def angle(z: Any, deg: bool = False) -> Any:
    """`numpy.angle`."""
    phase = np.arctan2(z.imag, z.real)
    return np.degrees(phase) if deg else phase


@implements(np.iscomplexobj)
def iscomplexobj(x: Any) -> bool:
    """`numpy.iscomplexobj`."""
    return x.dtype is COMPLEX


@implements(np.isrealobj)
def isrealobj(x: Any) -> bool:
    """`numpy.isrealobj`."""
    return x.dtype is REAL


@implements(np.copy)
def copy(a: Any, order: Any = "K", subok: bool = False) -> Any:
    """`numpy.copy`."""
    return a.copy()


@implements(np.astype)
def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """`numpy.astype`."""
    return x.astype(dtype, copy=copy)


def _filled(a: Any, value: Any, dtype: Any, shape: Any) -> Any:
    shape = a.shape if shape is None else shape
    kind = a.dtype if dtype is None else np.dtype(dtype)
    if kind.kind not in "fc":
        return np.full(shape, value, kind)
    kind = label(kind)
    return Array(numbers(np.broadcast_to(np.asarray(getattr(value, "host", value), object), shape), kind), kind)


@implements(np.zeros_like, np.empty_like)
def zeros_like(a: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None, **_: Any) -> Any:
    """`numpy.zeros_like`."""
    return _filled(a, 0, dtype, shape)


@implements(np.ones_like)
def ones_like(a: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None, **_: Any) -> Any:
    """`numpy.ones_like`."""
    return _filled(a, 1, dtype, shape)


@implements(np.full_like)
def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None, **_: Any
) -> Any:
    """`numpy.full_like`."""
    return _filled(a, fill_value, dtype, shape)


@implements(np.broadcast_arrays)
def broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    """`numpy.broadcast_arrays`."""
    shape = np.broadcast_shapes(*[np.shape(a) for a in args])
    return tuple(np.broadcast_to(a, shape) for a in args)


@implements(np.meshgrid)
def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    """`numpy.meshgrid`."""
    return tuple(with_objects(np.meshgrid, xi, {"copy": copy, "sparse": sparse, "indexing": indexing}))


@implements(np.result_type)
def result_type(*given: Any) -> Any:
    """`numpy.result_type`."""
    return np.result_type(*[x.dtype if type(x) is Array else x for x in given])


@implements(np.can_cast)
def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """`numpy.can_cast`."""
    return np.can_cast(from_.dtype, to, casting)


@implements(np.may_share_memory, np.shares_memory)
def may_share_memory(a: Any, b: Any, /, max_work: Any = None) -> bool:
    """`numpy.may_share_memory`."""
    return np.may_share_memory(*[x.owner if type(x) is Array else x for x in (a, b)])


@implements(np.fix)
def fix(x: Any, out: Any = None) -> Any:
    """`numpy.fix`."""
    return np.trunc(x)


@implements(np.sinc)
def sinc(x: Any) -> Any:
    """`numpy.sinc`."""
    return Array(numbers(np.frompyfunc(mpmath.sincpi, 1, 1)(x.host), x.dtype), x.dtype)


@implements(np.clip)
def clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *, min: Any = None, max: Any = None) -> Any:
    """`numpy.clip`."""
    lower, upper = a_min if min is None else min, a_max if max is None else max
    a = a if lower is None else np.maximum(a, lower)
    return a if upper is None else np.minimum(a, upper)


@implements(np.round, np.around)
def round_(a: Any, decimals: int = 0, out: Any = None) -> Any:
    """`numpy.round`."""
    scale = mpmath.mpf(10) ** decimals
    return np.rint(a * scale) / scale


@implements(np.isclose)
def isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """`numpy.isclose`."""
    is_near = (abs(a - b) <= atol + rtol * np.abs(b)) & np.isfinite(b) | (a == b)
    return is_near | (np.isnan(a) & np.isnan(b)) if equal_nan else is_near


@implements(np.allclose)
def allclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> bool:
    """`numpy.allclose`."""
    return bool(np.all(np.isclose(a, b, rtol, atol, equal_nan)))


@implements(np.array_equal)
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """`numpy.array_equal`."""
    return np.shape(a1) == np.shape(a2) and bool(np.all(a1 == a2))


@implements(np.piecewise)
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """`numpy.piecewise`."""
    conditions = [np.broadcast_to(c, x.shape) for c in condlist]
    if len(funclist) == len(conditions) + 1:
        conditions.append(~np.any(conditions, 0))
    made = np.zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        made[condition] = function(x[condition], *args, **kw) if callable(function) else function
    return made


@implements(np.copyto)
def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """`numpy.copyto`."""
    dst[...] = src if where is True else np.where(where, src, dst)


@implements(np.put)
def put(a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    """`numpy.put`."""
    np.put(a.host, ind, numbers(getattr(v, "host", v), a.dtype), mode)


@implements(np.place)
def place(arr: Any, mask: Any, vals: Any) -> None:
    """`numpy.place`."""
    np.place(arr.host, mask, numbers(getattr(vals, "host", vals), arr.dtype))


@implements(np.putmask)
def putmask(a: Any, mask: Any, values: Any) -> None:
    """`numpy.putmask`."""
    np.putmask(a.host, mask, numbers(getattr(values, "host", values), a.dtype))


@implements(np.put_along_axis)
def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any = -1) -> None:
    """`numpy.put_along_axis`."""
    np.put_along_axis(arr.host, indices, numbers(getattr(values, "host", values), arr.dtype), axis)


@implements(np.fill_diagonal)
def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """`numpy.fill_diagonal`."""
    np.fill_diagonal(a.host, numbers(getattr(val, "host", val), a.dtype), wrap)
