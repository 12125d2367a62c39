"""Calls of ufuncs with keywords: `where=`, `dtype=`, `casting=`, `out=`.

With `where=`, NumPy leaves the other elements unset; here they are 0 and have no derivative.  The function is applied
to the elements under the mask only, so what the others hold (zeros under a logarithm, NaN) has no part in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....backends.base import dtype_of
from ...array.outputs import check_shape, into
from ...array.structure import broadcast_to, in_order
from ...array.views import getitem, scatter
from ...engine.dispatch import entry_of, lowered, name_of
from ...engine.errors import NotDifferentiableError, unexplained
from ...engine.hooks import GENERALIZED, HOOKS, UFUNC_METHODS
from ...engine.operands import asarray_like, operand
from ...engine.trace import UFUNCS
from ...engine.traced import Traced, raw


def _call_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    out = kwargs.pop("out", None)
    if out is not None:
        return _written(ufunc, method, inputs, out, kwargs)
    if method != "__call__":
        return UFUNC_METHODS[method](ufunc, *inputs, **kwargs)
    rule = entry_of(ufunc, UFUNCS)
    if rule is None:
        if set("".join(ufunc.types)) <= set("O->"):
            raise NotDifferentiableError(
                name_of(ufunc),
                "wirtinger has no rule for it: numpy.frompyfunc made it, of Python objects. Make it with "
                "wirtinger.vectorize",
            )
        raise unexplained(
            NotDifferentiableError(name_of(ufunc), "wirtinger has no rule for it"),
            f"was passed{{by}} to {name_of(ufunc)}, for which wirtinger has no rule",
        )
    if ufunc.signature is not None:
        return _generalized(ufunc, inputs, **kwargs)
    return with_keywords(ufunc, rule, inputs, **kwargs)


HOOKS.call_ufunc = _call_ufunc


def _written(ufunc: np.ufunc, method: str, inputs: Sequence[Any], out: Any, kwargs: dict[str, Any]) -> Any:
    """The result, or the results, written into the arrays given as `out=`."""
    targets = out if isinstance(out, tuple) else (out,)
    is_call = method == "__call__"
    nowhere = {"out": (None,) * ufunc.nout} if is_call else {}  # which methods do not take of plain arrays
    results = getattr(ufunc, method)(*inputs, **nowhere, **kwargs)
    outputs = results if isinstance(results, tuple) else (results,)
    where = lowered(kwargs.get("where", True)) if is_call else True
    for target, x in zip(targets, outputs, strict=True):
        check_shape(x, target, may_stretch=is_call)
    written = [
        into(target, x, ufunc, where, kwargs.get("casting", "same_kind"))
        for target, x in zip(targets, outputs, strict=True)
    ]
    return tuple(written) if isinstance(results, tuple) else written[0]


def _generalized(
    ufunc: np.ufunc,
    inputs: Sequence[Any],
    *,
    dtype: Any = None,
    casting: str = "same_kind",
    signature: Any = None,
    sig: Any = None,
    order: str = "K",
    subok: bool = True,
    **axes: Any,
) -> Any:
    """Call a product of stacks with the keywords of a ufunc."""
    inputs = _cast(ufunc, [operand(x) for x in inputs], dtype, signature if sig is None else sig, casting)
    return ordered(GENERALIZED[ufunc](*inputs, **axes), inputs, order)


def with_keywords(
    ufunc: np.ufunc,
    rule: Callable[..., Any],
    inputs: Sequence[Any],
    *,
    where: Any = True,
    dtype: Any = None,
    casting: str = "same_kind",
    signature: Any = None,
    sig: Any = None,
    order: str = "K",
    subok: bool = True,
) -> Any:
    """Call a ufunc's rule with the keywords of a ufunc; subclasses have no meaning here."""
    inputs = _cast(ufunc, [operand(x) for x in inputs], dtype, signature if sig is None else sig, casting)

    def apply(*args: Any) -> Any:
        return rule(*args) if any(isinstance(x, Traced) for x in args) else ufunc(*args)

    results = apply(*inputs) if where is True else _masked(apply, inputs, where)
    return (
        tuple(ordered(x, inputs, order) for x in results) if type(results) is tuple else ordered(results, inputs, order)
    )


def ordered(x: Any, inputs: Sequence[Any], order: str) -> Any:
    """A result in the memory order asked for, of which "A" is that of Fortran if all operands lie so."""
    if order.upper() == "K":
        return x
    if order.upper() != "A":
        return in_order(x, order.upper())
    return in_order(x, "F" if all(raw(a).flags.f_contiguous for a in inputs if hasattr(a, "dtype")) else "C")


def _cast(ufunc: np.ufunc, inputs: Sequence[Any], dtype: Any, signature: Any, casting: Any) -> Sequence[Any]:
    """The inputs in the dtypes that NumPy would compute with; NumPy's error where they cannot be cast."""
    if dtype is not None:
        signature = (*[None] * ufunc.nin, *[dtype_of(dtype)] * ufunc.nout)
    given = [getattr(x, "dtype", type(x)) for x in inputs]
    options = {} if signature is None else {"signature": signature}
    dtypes = ufunc.resolve_dtypes((*given, *[None] * ufunc.nout), casting=casting, **options)
    if signature is None:
        return inputs
    return [
        x.astype(dtype, copy=False) if hasattr(x, "astype") else dtype.type(x)
        for x, dtype in zip(inputs, dtypes, strict=False)
    ]


def _masked(function: Callable[..., Any], inputs: Sequence[Any], where: Any) -> Any:
    mask = raw(asarray_like(where, next((x for x in inputs if isinstance(x, Traced)), inputs[0])))
    if np.result_type(mask) != np.bool_:
        raise TypeError(f"where= must hold truth values, not {np.result_type(mask)}")
    shape = np.broadcast_shapes(np.shape(mask), *[np.shape(x) for x in inputs])
    mask = np.broadcast_to(mask, shape).copy()  # so that a later write into the caller's mask changes nothing
    chosen = [getitem(broadcast_to(x, shape=shape), index=mask) if hasattr(x, "dtype") else x for x in inputs]
    results = function(*chosen)
    return tuple(_scattered(x, mask) for x in results) if isinstance(results, tuple) else _scattered(results, mask)


def _scattered(x: Any, mask: Any) -> Any:
    """Zeros with the elements of `x` under a mask."""
    full = scatter(x, index=mask, shape=mask.shape)
    return full if mask.shape else full[()]
