"""Handles of the libraries, and what they remember."""

from __future__ import annotations

from typing import Any

import numpy as np

from .exports import do_nothing, export
from .views import put

_STATE = {"pointer mode": 0, "math mode": 0, "stream": 0, "deterministic mode": 2}


@export("cublasCreate_v2 cusolverDnCreate cusolverSpCreate cusparseCreate", "p")
def create(handle: int) -> None:
    """Make a handle; none of them holds anything."""
    put(handle, 16, np.uint64)


do_nothing("cublasDestroy_v2 cusolverDnDestroy cusolverSpDestroy cusparseDestroy")


@export("cublasGetVersion_v2", "pp")
def get_version(handle: int, version: int) -> None:
    """The number that CuPy asks for."""
    put(version, 130000)


def _set(key: str) -> Any:
    return lambda handle, value: _STATE.update({key: value})


def _get(key: str, dtype: Any) -> Any:
    return lambda handle, out: put(out, _STATE[key], dtype)


export("cublasSetPointerMode_v2", "pi")(_set("pointer mode"))
export("cublasGetPointerMode_v2", "pp")(_get("pointer mode", np.int32))
export("cublasSetMathMode", "pi")(_set("math mode"))
export("cublasGetMathMode", "pp")(_get("math mode", np.int32))
export("cublasSetStream_v2 cusolverDnSetStream cusolverSpSetStream cusparseSetStream", "pp")(_set("stream"))
export("cublasGetStream_v2 cusolverDnGetStream cusolverSpGetStream cusparseGetStream", "pp")(_get("stream", np.uint64))
export("cusolverDnSetDeterministicMode", "pi")(_set("deterministic mode"))
export("cusolverDnGetDeterministicMode", "pp")(_get("deterministic mode", np.int32))
