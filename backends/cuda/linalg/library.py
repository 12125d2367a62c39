"""cuSOLVER's routines for one large matrix: called directly, for CuPy's functions do not look at the status."""

from __future__ import annotations

import ctypes
from typing import Any, Final

import cupy
import numpy as np

from ....determinism import DeterminismError, Level, are_deterministic_algorithms_enabled
from ....determinism.flag import current_scope
from .launching import real_of

LARGE: Final = 33
"""From this size on a matrix is factorized by cuSOLVER; smaller ones, all of a stack at once, by our kernels."""

_LOWER: Final = 0  # CUBLAS_FILL_MODE_LOWER
_VECTORS: Final = 1  # CUSOLVER_EIG_MODE_VECTOR


_DETERMINISTIC = 1  # CUSOLVER_DETERMINISTIC_RESULTS
_MODES: dict[int, int] = {}
"""What was set in the handles that a level of determinism met."""


def _handle() -> Any:
    """CuPy's handle, in the deterministic mode while a level of determinism is in force, else in that of before."""
    handle = cupy.cuda.device.get_cusolver_handle()
    if are_deterministic_algorithms_enabled():
        if handle not in _MODES:
            _MODES[handle] = _mode("Get", handle)
        _mode("Set", handle, _DETERMINISTIC)
    elif handle in _MODES:
        _mode("Set", handle, _MODES.pop(handle))
    return handle


def _mode(action: str, handle: int, mode: int = 0) -> int:
    """Get or set the deterministic mode of cuSOLVER's, for which CuPy has no function."""
    from cupy_backends.cuda.libs import cusolver

    routine = getattr(ctypes.CDLL(cusolver.__file__), f"cusolverDn{action}DeterministicMode", None)
    if routine is None:
        raise DeterminismError(
            "cuSOLVER",
            "cupy",
            current_scope().setting.level,
            Level.NONE,
            "cuSOLVER has no deterministic mode before CUDA 12.2",
            "install a later version of CUDA",
        )
    found = ctypes.c_int(mode)
    status = routine(ctypes.c_void_p(handle), ctypes.byref(found) if action == "Get" else found)
    if status:
        raise RuntimeError(f"cusolverDn{action}DeterministicMode returned the status {status}")
    return found.value


def _routine(name: str, dtype: Any) -> Any:
    from cupy_backends.cuda.libs import cusolver  # it loads the library, which may be absent until it is needed

    return getattr(cusolver, _letter(dtype) + name)


def _letter(dtype: Any) -> str:
    return {"f": "s", "d": "d", "F": "c", "D": "z"}[np.dtype(dtype).char]


def _buffer(size: int, dtype: Any) -> Any:
    return cupy.empty(max(size, 1), dtype)


def lu(columns: Any, pivots: Any, info: Any) -> None:
    """`getrf` of a matrix given by its columns (n, m), in place; pivots count from 1."""
    n, m = columns.shape
    dtype = columns.dtype
    size = _routine("getrf_bufferSize", dtype)(_handle(), m, n, columns.data.ptr, m)
    work = _buffer(size, dtype)
    _routine("getrf", dtype)(_handle(), m, n, columns.data.ptr, m, work.data.ptr, pivots.data.ptr, info.data.ptr)


def lu_solve(columns: Any, pivots: Any, rights: Any, op: int, info: Any) -> None:
    """`getrs`, in place of the right sides, which are given one after the other."""
    n = len(columns)
    _routine("getrs", columns.dtype)(
        _handle(), op, n, len(rights), columns.data.ptr, n, pivots.data.ptr, rights.data.ptr, n, info.data.ptr
    )


def cholesky(columns: Any, info: Any) -> None:
    """`potrf` by the lower triangle of a matrix given by its columns, in place."""
    n, dtype = len(columns), columns.dtype
    size = _routine("potrf_bufferSize", dtype)(_handle(), _LOWER, n, columns.data.ptr, n)
    work = _buffer(size, dtype)
    _routine("potrf", dtype)(_handle(), _LOWER, n, columns.data.ptr, n, work.data.ptr, size, info.data.ptr)


def symmetric(columns: Any, pivots: Any, info: Any) -> None:
    """`sytrf` by the lower triangle of a matrix given by its columns, in place."""
    n, dtype = len(columns), columns.dtype
    size = _routine("sytrf_bufferSize", dtype)(_handle(), n, columns.data.ptr, n)
    work = _buffer(size, dtype)
    _routine("sytrf", dtype)(
        _handle(), _LOWER, n, columns.data.ptr, n, pivots.data.ptr, work.data.ptr, size, info.data.ptr
    )


def qr(columns: Any, tau: Any, info: Any) -> None:
    """`geqrf` of a matrix given by its columns (n, m), in place."""
    n, m = columns.shape
    dtype = columns.dtype
    size = _routine("geqrf_bufferSize", dtype)(_handle(), m, n, columns.data.ptr, m)
    work = _buffer(size, dtype)
    _routine("geqrf", dtype)(_handle(), m, n, columns.data.ptr, m, tau.data.ptr, work.data.ptr, size, info.data.ptr)


def hermitian(columns: Any, lower: bool, info: Any) -> Any:
    """`syevd` or `heevd`: the vectors, one after the other, in place of the matrix; the eigenvalues."""
    n, dtype = len(columns), columns.dtype
    name = "heevd" if dtype.kind == "c" else "syevd"
    uplo = _LOWER if lower else 1
    values = cupy.empty(n, real_of(dtype))
    size = _routine(f"{name}_bufferSize", dtype)(_handle(), _VECTORS, uplo, n, columns.data.ptr, n, values.data.ptr)
    work = _buffer(size, dtype)
    _routine(name, dtype)(
        _handle(), _VECTORS, uplo, n, columns.data.ptr, n, values.data.ptr, work.data.ptr, size, info.data.ptr
    )
    return values


def singular(columns: Any, full: bool, info: Any) -> tuple[Any, Any, Any]:
    """`gesvd` of a matrix (m, n), m >= n, given by its columns; of u and of H(v) the columns, one after the other."""
    n, m = columns.shape
    dtype = columns.dtype
    job = ord("A" if full else "S")
    u = cupy.empty((m if full else n, m), dtype)
    s = cupy.empty(n, real_of(dtype))
    vh = cupy.empty((n, n), dtype)
    size = _routine("gesvd_bufferSize", dtype)(_handle(), m, n)
    work, rwork = _buffer(size, dtype), _buffer(n, real_of(dtype))
    _routine("gesvd", dtype)(
        _handle(), job, job, m, n, columns.data.ptr, m, s.data.ptr, u.data.ptr, m, vh.data.ptr, n,
        work.data.ptr, size, rwork.data.ptr, info.data.ptr,
    )  # fmt: skip
    return u, s, vh


def substitute(triangle: Any, rights: Any, lower: bool, op: int, unit: bool) -> None:
    """CuBLAS's `trsm` with a triangle given by its rows, in place of right sides (n, count) given by theirs.

    Read by columns both are transposed: `op(a) x = b` becomes `x.T op(a).T = b.T`, and `a.T` is what is read.
    """
    from cupy_backends.cuda.libs import cublas

    n, count = rights.shape
    handle = cupy.cuda.device.get_cublas_handle()
    one = np.ones((), triangle.dtype)
    cublas.setPointerMode(handle, 0)
    getattr(cublas, f"{_letter(triangle.dtype)}trsm")(
        handle, 1, 1 if lower else 0, op, int(unit), count, n, one.ctypes.data,
        triangle.data.ptr, n, rights.data.ptr, count,
    )  # fmt: skip


def reflections(columns: Any, tau: Any, info: Any) -> None:
    """`orgqr` or `ungqr`: the first columns of a product of reflections, given by its vectors' columns, in place."""
    n, m = columns.shape
    dtype = columns.dtype
    name = "ungqr" if dtype.kind == "c" else "orgqr"
    count = min(len(tau), n)
    size = _routine(f"{name}_bufferSize", dtype)(_handle(), m, n, count, columns.data.ptr, m, tau.data.ptr)
    work = _buffer(size, dtype)
    _routine(name, dtype)(_handle(), m, n, count, columns.data.ptr, m, tau.data.ptr, work.data.ptr, size, info.data.ptr)
