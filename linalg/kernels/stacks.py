"""Extends kernels for one matrix, as in LAPACK, to stacks of matrices.

A kernel is written for single matrices and declared with the number of axes of each of its arrays:

    @kernel(2, 2, 2)
    def sylvester(a, b, q):
        return scipy.linalg.solve_sylvester(a, b, q)

A call broadcasts the leading axes, loops over them, and stacks the results.  On devices other than the CPU it calls the
kernel of the same name in the device's backend, or raises `DeviceError`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from ...backends import backend_of, device_named, in_pieces
from ...complex_autograd.engine.determinism_route import asked
from ...determinism.flag import FIXED, is_fixed, is_portable
from .matrix_operands import native

Function = Callable[..., Any]

_LARGE = 64
"""From this many rows on, a matrix keeps a thread busy for longer than the interpreter's lock is held."""


def kernel(
    *axes: int, stacks: bool = False, like: int | None = None, first: int = 1
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a kernel for single NumPy arrays; the result takes stacks.

    Parameters
    ----------
    *axes : int
        The number of axes of each positional argument; an argument may also be None.
    stacks : bool
        Whether the kernel takes stacks itself; it is then called once.
    like : int, optional
        Which argument the result has the shape of; it tells what an empty stack gives where a kernel cannot take
        identities.
    first : int
        The index that is valid in matrices of any size, for arguments of indices: where they count from.

    Returns
    -------
    callable
        A decorator.  Parameters go by keyword.  The kernel returns an array, a number, or a tuple of these.
    """

    def declare(function: Function) -> Function:
        name = f"linalg.{function.__name__}"

        @wraps(function)
        def call(*arrays: Any, **params: Any) -> Any:
            leading = arrays[0]
            if FIXED[0] and is_portable():
                arrays = tuple(map(asked, arrays))
                leading = arrays[0]
            if issubclass(type(leading), np.ndarray) or backend_of(leading).device == "cpu":
                arrays = tuple([native(a) if issubclass(type(a), np.ndarray) else a for a in arrays])
                if stacks:
                    return function(*arrays, **params)
                if like is not None and any(
                    a is not None and 0 in a.shape[:-n] for a, n in zip(arrays, axes, strict=True)
                ):
                    return _empty(axes, arrays, like)
                return over_stack(function, axes, arrays, params, first)
            return backend_of(leading).kernel(name)(*arrays, **params)

        device_named("cpu").register_kernel(name, call)
        return call

    return declare


def _empty(axes: Sequence[int], arrays: Sequence[Any], like: int) -> Any:
    """The result of an empty stack, whose items are as those of one argument."""
    given = [(a, n) for a, n in zip(arrays, axes, strict=True) if a is not None]
    stack = np.broadcast_shapes(*[a.shape[:-n] for a, n in given])
    dtype = np.result_type(*[a.dtype if a.dtype.kind in "fc" else np.float64 for a, _ in given])
    return np.empty(stack + arrays[like].shape[-axes[like] :], dtype)


def is_plain(*arrays: Any, axes: int = 2) -> bool:
    """Whether all are NumPy arrays, and none an empty stack: SciPy's function answers, with its checks and errors."""
    return all(issubclass(type(a), (np.ndarray, np.generic)) and 0 not in a.shape[:-axes] for a in arrays)


def complex_in_a_stack(x: Any, axes: int = 2) -> Any:
    """A result with some axes an item, from `schedule` on complex for a stack: its kind would follow from all items."""
    if x.dtype.kind == "c" or x.ndim <= axes or not is_fixed():
        return x
    return x.astype(np.result_type(x.dtype, np.complex64))


def over_stack(
    function: Callable[..., Any], axes: Sequence[int], arrays: Sequence[Any], params: dict[str, Any], first: int = 1
) -> Any:
    """Call a function of single arrays on each item of a stack.

    Parameters
    ----------
    function : callable
        Takes the arrays of one item by position, and the parameters by keyword.
    axes : sequence of int
        The number of axes of one item, for each array; an array of fewer axes is handed on as it is.
    arrays : sequence of array or None
        The arrays.
    params : dict
        The parameters.
    first : int
        Where arguments of indices count from.

    Returns
    -------
    array or tuple of arrays
        What it returns, stacked; from an empty stack, empty arrays of the shapes and types it returns for identities.
    """
    shapes = [() if a is None or n == 0 else a.shape[:-n] for a, n in zip(arrays, axes, strict=True)]
    if not any(shapes):
        return function(*arrays, **params)
    stack = np.broadcast_shapes(*shapes)
    count = int(np.prod(stack))
    items = [
        None if a is None else np.broadcast_to(a, stack + a.shape[a.ndim - n :]).reshape(count, *a.shape[a.ndim - n :])
        for a, n in zip(arrays, axes, strict=True)
    ]
    if count == 0:
        out = function(*[None if a is None else _harmless(a.shape[1:], a.dtype, first) for a in items], **params)
        return _like(out, [np.empty((*stack, *np.shape(x)), np.asarray(x).dtype) for x in _several(out)])
    results: list[Any] = [None] * count

    def run(piece: slice) -> None:
        for k in range(piece.start, piece.stop):
            results[k] = function(*[None if a is None else a[k] for a in items], **params)

    largest = max((size for a in items if a is not None for size in a.shape[1:]), default=0)
    in_pieces(run, count, 1 if largest >= _LARGE else count)
    columns = zip(*[_several(out) for out in results], strict=True)
    return _like(results[0], [np.array(column).reshape(*stack, *np.shape(column[0])) for column in columns])


def _harmless(shape: tuple[int, ...], dtype: Any, first: int) -> Any:
    """An array that any function can take: the identity, ones, or indices of the first row."""
    if len(shape) == 2:
        return np.eye(*shape, dtype=dtype)
    return np.full(shape, first if dtype.kind in "iu" else 1, dtype)


def _several(out: Any) -> tuple[Any, ...]:
    return out if isinstance(out, tuple) else (out,)


def _like(out: Any, parts: list[Any]) -> Any:
    """The parts in the form of a result: one array, a tuple or a named tuple."""
    if not isinstance(out, tuple):
        return parts[0]
    return type(out)(*parts) if hasattr(out, "_fields") else tuple(parts)
