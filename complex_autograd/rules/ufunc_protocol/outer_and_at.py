"""The methods of ufuncs that pair elements: `outer` and `at`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...array.inplace import exchange, index_update, write
from ...array.structure import broadcast_to, reshape
from ...array.views import getitem, plain_index, scatter
from ...engine.dispatch import are_mapped, name_of
from ...engine.errors import TraceError
from ...engine.hooks import HOOKS, UFUNC_METHODS
from ...engine.operands import arange_like, asarray_like
from ...engine.traced import Traced


def _outer(ufunc: np.ufunc, a: Any, b: Any, **kwargs: Any) -> Any:
    if ufunc.nin != 2 or ufunc.signature is not None:
        raise ValueError(f"outer product only supported for binary functions, not for {ufunc.__name__}")
    a, b = asarray_like(a, b), asarray_like(b, a)
    if np.ndim(a) and np.ndim(b):
        a = np.reshape(a, np.shape(a) + (1,) * np.ndim(b))
    return ufunc(a, b, **kwargs)


UFUNC_METHODS["outer"] = _outer


def _at(ufunc: np.ufunc, a: Any, indices: Any, *values: Any) -> None:
    """Every occurrence of an index counts, one after the other: `add.at(a, [0, 0], 1)` adds 2."""
    if not isinstance(a, Traced):
        raise TraceError(
            f"{name_of(ufunc)}.at would write traced values into an array made by plain numpy, which cannot be "
            "tracked. Make it with wirtinger.zeros or wirtinger.array inside the differentiated function."
        )
    index = plain_index(indices, a)
    values = tuple(asarray_like(v, a) for v in values)
    result = np.result_type(a.dtype, *[v.dtype for v in values])
    if not np.can_cast(result, a.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast ufunc '{ufunc.__name__}' output from {result!r} to {a.dtype!r} with casting rule "
            "'same_kind'. Make the array with the dtype of the result."
        )
    if ufunc in (np.add, np.subtract):
        _add(ufunc, a, index, values[0])
    elif are_mapped((index,)):  # the rounds are others for each item
        write(a, index, HOOKS.mapped_composition(_in_rounds, (ufunc, a, index, values), {}))
    else:
        write(a, index, _in_rounds(ufunc, a, index, values))


UFUNC_METHODS["at"] = _at


def _add(ufunc: np.ufunc, a: Traced, index: Any, values: Any) -> None:
    """Add to the elements `a[index]`, or subtract, the sums of what belongs to equal positions.

    Where they are many, to all: what is subtracted elsewhere is 0, which leaves -0.0 as it is.
    """
    shown = getitem(a, index=index)
    values = broadcast_to(values, shape=shown.shape)
    if a.dtype.kind in "fc" and shown.size >= a.size and not are_mapped((a, index, values)):
        total = scatter(values if ufunc is np.subtract else -values, index=index, shape=a.shape)
        exchange(a, index, np.subtract(a, total))
    else:
        write(a, index, ufunc(shown, getitem(scatter(values, index=index, shape=a.shape), index=index)))


def _in_rounds(ufunc: np.ufunc, a: Traced, index: Any, values: tuple[Any, ...]) -> Any:
    """The elements `a[index]` after the first occurrences of all positions, then the second ones, and so on."""
    positions = arange_like(a, a.size).reshape(a.shape)[index]
    flat = reshape(a, shape=(-1,))
    operands = [reshape(broadcast_to(v, shape=positions.shape), shape=(-1,)) for v in values]
    for chosen in _rounds(positions.ravel()):
        at = positions.ravel()[chosen]
        step = ufunc(getitem(flat, index=at), *[getitem(v, index=chosen) for v in operands])
        flat = index_update(flat, step, index=at)
    return getitem(flat, index=positions)


def _rounds(positions: Any) -> Iterator[Any]:
    """Where the first occurrences of all positions stand, then the second ones, and so on."""
    order = np.argsort(positions, kind="stable")
    ordered = positions[order]
    occurrence = arange_like(positions, positions.size) - np.searchsorted(ordered, ordered)
    for number in range(int(np.max(occurrence, initial=-1)) + 1):
        yield order[occurrence == number]
