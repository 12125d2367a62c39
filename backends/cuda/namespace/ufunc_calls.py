"""The keywords of a ufunc's call: `out=`, `where=`, `dtype=`, `casting=`, `signature=`."""

from __future__ import annotations

from typing import Any, NoReturn

import cupy
import numpy as np
from numpy._core._exceptions import _UFuncOutputCastingError

from ...base import dtype_of
from ..tables import method


@method("__call__")
def call(
    ufunc: Any,
    function: Any,
    *inputs: Any,
    out: Any = None,
    where: Any = True,
    casting: Any = "same_kind",
    order: str = "K",
    dtype: Any = None,
    subok: bool = True,
    signature: Any = None,
    sig: Any = None,
    **of_its_own: Any,
) -> Any:
    """A call with keywords; those of generalized ufuncs are handed on."""
    if len(inputs) > ufunc.nin:
        inputs, given = inputs[: ufunc.nin], inputs[ufunc.nin :]
        out = (*given, *(None,) * (ufunc.nout - len(given)))
    if dtype is not None or signature is not None or sig is not None:
        inputs = as_loop(ufunc, inputs, dtype, signature if signature is not None else sig, casting)
    result = function(*inputs, **of_its_own)
    made = result if isinstance(result, tuple) else (result,)
    if where is not True:
        made = tuple([_spread(x, where) for x in made])
    if out is not None:
        for target, x in zip(out, made, strict=True):
            if target is not None:
                written(ufunc, target, x, casting, where)
    if order in ("C", "F"):
        made = tuple([cupy.array(x, order=order, copy=None) for x in made])
    return made[0] if len(made) == 1 else made


def as_loop(ufunc: Any, inputs: tuple[Any, ...], dtype: Any, signature: Any, casting: str) -> tuple[Any, ...]:
    """The inputs as the loop takes them that `dtype=` or `signature=` chooses; NumPy's errors where there is none."""
    if dtype is not None:
        signature = (None,) * ufunc.nin + (dtype_of(dtype),) * ufunc.nout
    types = tuple([x.dtype if hasattr(x, "dtype") else type(x) for x in inputs])
    loop = ufunc.resolve_dtypes(types + (None,) * ufunc.nout, signature=signature, casting=casting)
    return tuple([cupy.asarray(x).astype(t, copy=False) for x, t in zip(inputs, loop, strict=False)])


def written(ufunc: Any, target: Any, x: Any, casting: Any, where: Any = True) -> None:
    """Write a result into `out=`, with NumPy's errors of shape and dtype."""
    if not np.can_cast(x.dtype, target.dtype, casting):
        refuse_cast(ufunc, casting, x.dtype, target.dtype)
    if np.broadcast_shapes(x.shape, target.shape) != target.shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {target.shape} doesn't match the broadcast shape "
            f"{np.broadcast_shapes(x.shape, target.shape)}"
        )
    if where is True:
        target[...] = x.astype(target.dtype, copy=False)
    else:
        cupy.copyto(target, x.astype(target.dtype, copy=False), where=cupy.asarray(where))


def refuse_cast(ufunc: Any, casting: Any, given: Any, wanted: Any) -> NoReturn:
    """Raise NumPy's error for a result that does not fit into `out=`."""
    raise _UFuncOutputCastingError(ufunc, casting, given, wanted, 0)


def _spread(x: Any, where: Any) -> Any:
    shape = np.broadcast_shapes(x.shape, np.shape(where) if isinstance(where, bool) else where.shape)
    return x if x.shape == shape else cupy.broadcast_to(x, shape).copy()
