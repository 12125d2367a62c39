"""Arrays on memory that a pointer names; matrices are in Fortran's order, as cuBLAS has them."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

Array = Any
NORMAL, TRANSPOSED, ADJOINT = 0, 1, 2
"""cublasOperation_t."""


def strided(address: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: Any) -> Array:
    """Elements at an address, with strides in elements."""
    dtype = np.dtype(dtype)
    if not address or 0 in shape:
        return np.zeros(shape, dtype)
    extent = 1 + sum((length - 1) * stride for length, stride in zip(shape, strides, strict=True))
    memory = (ctypes.c_char * (extent * dtype.itemsize)).from_address(address)
    return np.ndarray(shape, dtype, memory, strides=tuple(stride * dtype.itemsize for stride in strides))


def vector(address: int, length: int, step: int = 1, dtype: Any = np.int32) -> Array:
    """A vector; with a negative step it begins at its last element, as in BLAS."""
    whole = strided(address, (length,), (abs(step),), dtype) if step else strided(address, (length,), (0,), dtype)
    return whole[::-1] if step < 0 else whole


def matrix(address: int, rows: int, columns: int, leading: int, dtype: Any) -> Array:
    """A matrix by columns."""
    return strided(address, (rows, columns), (1, leading), dtype)


def operand(operation: int, address: int, rows: int, columns: int, leading: int, dtype: Any) -> Array:
    """The matrix op(A), of which rows and columns are given."""
    if operation == NORMAL:
        return matrix(address, rows, columns, leading, dtype)
    a = matrix(address, columns, rows, leading, dtype).T
    return a.conj() if operation == ADJOINT else a


def scalar(address: int, dtype: Any) -> Any:
    """The number at an address."""
    return vector(address, 1, 1, dtype)[0]


def put(address: int, value: Any, dtype: Any = np.int32) -> None:
    """Write a number."""
    vector(address, 1, 1, dtype)[0] = value


def pointers(address: int, length: int) -> list[int]:
    """An array of pointers."""
    return [int(pointer) for pointer in vector(address, length, 1, np.uint64)]


def real_of(dtype: Any) -> np.dtype[Any]:
    """The type of its real part."""
    return np.zeros((), dtype).real.dtype
