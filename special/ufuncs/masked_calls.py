"""`where=` for the ufuncs of SciPy.

The inner loops of most of them (102 in SciPy 1.17.1) advance the pointers that they are given.  NumPy's masked loop
counts on these standing still: it then reads and writes far behind the arrays.  Here the chosen elements are gathered,
the function is called on these alone, and its values are put where they belong.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..numerics.devices import overrides_ufuncs


def masked_call(
    function: Any,
    args: Sequence[Any],
    *,
    where: Any,
    dtype: Any = None,
    signature: Any = None,
    sig: Any = None,
    casting: Any = "same_kind",
    order: str = "K",
    subok: bool = True,
    **out: Any,
) -> Any:
    """Call a ufunc of SciPy with a mask, as NumPy would.

    Parameters
    ----------
    function : ufunc
        SciPy's own, or what stands for one.
    args : sequence
        The inputs, and the outputs given by position.
    where : array_like of bool
        Where to compute.
    dtype, signature, sig, casting, order, subok, out
        As of a ufunc.

    Returns
    -------
    ndarray or tuple of ndarray
        The outputs; what they hold elsewhere is left as it was.
    """
    inputs, targets = args[: function.nin], _targets(function, args[function.nin :], **out)
    options = {"casting": casting, "order": order, "subok": subok}
    options.update({name: x for name, x in [("dtype", dtype), ("signature", signature), ("sig", sig)] if x is not None})
    if where is True or any(map(overrides_ufuncs, (*inputs, *targets))):
        return function(*inputs, out=targets, where=where, **options)

    if not out and len(args) == function.nin:
        message = "'where' is used without 'out': expect uninitialized memory in the output, or give out=None"
        warnings.warn(message, UserWarning, stacklevel=3)
    if issubclass(type(where), np.ndarray) and where.dtype != np.bool_:
        raise TypeError(f"where= must hold truth values, not {where.dtype}")
    mask = np.asarray(where, np.bool_)
    if dtype is not None:
        signature = (*[None] * function.nin, *[np.dtype(dtype)] * function.nout)
    signature = sig if signature is None else signature
    loop = {} if signature is None else {"signature": signature}
    arrays = [x if issubclass(type(x), (int, float, complex)) else np.asanyarray(x) for x in inputs]
    given = [getattr(x, "dtype", type(x)) for x in (*arrays, *targets)]
    given = [None if x is type(None) else x for x in given]
    resolved = function.resolve_dtypes(tuple(given), casting=casting, **loop)

    shape = np.broadcast_shapes(mask.shape, *[np.shape(x) for x in (*arrays, *targets) if x is not None])
    for w in targets:
        if w is not None and w.shape != shape:
            raise ValueError(f"an output of shape {w.shape} cannot hold a result of shape {shape}")
    mask = np.broadcast_to(mask, shape)
    chosen = [np.broadcast_to(np.asarray(x, d), shape)[mask] for x, d in zip(arrays, resolved, strict=False)]
    found = function(*chosen, casting=casting, **loop)
    results = []
    for w, x, d in zip(
        targets, found if isinstance(found, tuple) else (found,), resolved[-function.nout :], strict=True
    ):
        written = np.empty(shape, d, "F" if order == "F" else "C") if w is None else w
        written[mask] = x
        results.append(written if w is not None else _wrapped(written, function, arrays, subok))
    return tuple(results) if len(results) > 1 else results[0]


def _targets(function: np.ufunc, by_position: Sequence[Any], out: Any = None) -> tuple[Any, ...]:
    if by_position and out is not None:
        raise TypeError("cannot specify 'out' as both a positional and keyword argument")
    if out is not None:
        by_position = out if isinstance(out, tuple) else (out,)
    return (*by_position, *[None] * (function.nout - len(by_position)))


def _wrapped(w: Any, function: np.ufunc, inputs: Sequence[Any], subok: bool) -> Any:
    """As the subclass among the inputs has it."""
    wrap = max(
        (x for x in inputs if issubclass(type(x), np.ndarray)), key=lambda x: x.__array_priority__, default=np.empty(())
    )
    if subok and type(wrap) is not np.ndarray:
        return wrap.__array_wrap__(w, (function, tuple(inputs), 0), False)
    return w if w.ndim else w[()]
