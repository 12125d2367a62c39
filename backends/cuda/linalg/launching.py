"""Our own kernels for stacks of matrices: compiled for a type of number, started with one warp for each matrix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, Final, NoReturn

import cupy
import numpy as np
from numpy.linalg import LinAlgError

from ..kernels.compilation import function

_SOURCES: Final = Path(__file__).parent / "sources"
_INCLUDE: Final = re.compile(r'^#include "(\w+\.cuh)"$', re.MULTILINE)
_TYPES: Final = {
    "f": "typedef float R; typedef float T;",
    "d": "typedef double R; typedef double T;",
    "F": "typedef float R; template <class F> struct cx; typedef cx<float> T;",
    "D": "typedef double R; template <class F> struct cx; typedef cx<double> T;",
}


@cache
def _source(file: str, kind: str) -> str:
    """The text of a file for a type of number; what it includes is put in its place."""
    return _TYPES[kind] + "\n" + _INCLUDE.sub(lambda found: _header(found[1]), _text(file))


def _header(name: str) -> str:
    return _text(name).replace("#pragma once", "")


def _text(name: str) -> str:
    return (_SOURCES / name).read_text(encoding="utf-8")


def launch(file: str, name: str, kind: str, count: int, *args: Any) -> None:
    """Start a kernel with one warp for each of so many items.

    Parameters
    ----------
    file, name : str
        The source, in the folder `sources`, and the kernel in it.
    kind : str
        The letter of the type of number, "fdFD".
    count : int
        The items; none, and nothing is started.
    *args : array, int, float, or None
        Arrays are passed by their addresses; integers are of 32 bits unless they are NumPy's; None is no address.
    """
    if count:
        function(_source(file, kind), name)((count,), (32,), tuple(map(_passed, args)))


def launch_threads(file: str, name: str, count: int, *args: Any) -> None:
    """Start a kernel with one thread for each of so many items; their number is its last argument."""
    if count:
        passed = (*map(_passed, args), np.int64(count))
        function(_source(file, "d"), name)((-(-count // 128),), (128,), passed)


def _passed(x: Any) -> Any:
    if x is None:
        return np.uint64(0)
    return np.int32(x) if isinstance(x, (bool, int)) else x


def precision(*arrays: Any) -> np.dtype[Any]:
    """The type that matrices are computed in: their common one if LAPACK has it, else float64 or complex128."""
    kind = np.result_type(*[a.dtype for a in arrays])
    if kind.char in "fdFD":
        return np.dtype(kind.char)
    return np.dtype(np.float32 if kind.char == "e" else np.complex128 if kind.kind == "c" else np.float64)


def real_of(dtype: Any) -> np.dtype[Any]:
    """The type of the parts of numbers."""
    parts: np.dtype[Any] = np.dtype(np.dtype(dtype).char.lower())
    return parts


def stack_of(arrays: Sequence[Any], axes: Sequence[int]) -> tuple[int, ...]:
    """The common shape of stacks, whose items have so many axes."""
    shapes = [a.shape[: a.ndim - n] for a, n in zip(arrays, axes, strict=True) if a is not None and a.ndim >= n]
    return np.broadcast_shapes(*shapes)


def flat(a: Any, axes: int, stack: tuple[int, ...], dtype: Any) -> Any:
    """A new contiguous array (count, ...) of the items, for a kernel to work in."""
    item = a.shape[a.ndim - axes :]
    out = cupy.empty(stack + item, dtype)
    out[...] = a
    return out.reshape(prod(stack), *item)


def shaped(x: Any, stack: tuple[int, ...]) -> Any:
    """The items of a flat array as a stack."""
    return x.reshape(stack + x.shape[1:])


def refuse_failures(info: Any, stack: tuple[int, ...], message: str) -> None:
    """Raise `LinAlgError` if an item has failed: where its number in `info` is not 0, or it is true.

    This waits for the GPU.  The message may have a field `{}` for the number.
    """
    if info.size and bool((info != 0).any()):
        fail(info, stack, message)


def fail(info: Any, stack: tuple[int, ...], message: str) -> NoReturn:
    """Raise for the first item that has failed."""
    flags = info.ravel()
    first = int(cupy.argmax(flags != 0))
    text = message.format(abs(int(flags[first])))
    if not stack:
        raise LinAlgError(text)
    index = tuple(int(i) for i in np.unravel_index(first, stack))
    error = LinAlgError(f"{text} (item {index if len(index) > 1 else index[0]} of the stack)")
    error.batch_index = index  # type: ignore[attr-defined]
    raise error


def require_square(*arrays: Any) -> None:
    """Raise NumPy's errors for what is no square matrix."""
    for a in arrays:
        require_matrices(a)
        if a.shape[-1] != a.shape[-2]:
            raise LinAlgError("Last 2 dimensions of the array must be square")


def require_matrices(*arrays: Any) -> None:
    """Raise NumPy's error for what is no matrix."""
    for a in arrays:
        if a.ndim < 2:
            raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")


def adjoint(a: Any) -> Any:
    """The conjugate transpose."""
    return cupy.conj(cupy.swapaxes(a, -1, -2)) if a.dtype.kind == "c" else cupy.swapaxes(a, -1, -2)


def identities(count: int, n: int, dtype: Any) -> Any:
    """So many identities."""
    out = cupy.zeros((count, n, n), dtype)
    cupy.einsum("kii->ki", out)[...] = 1
    return out
