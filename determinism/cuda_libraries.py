"""The conditions under which NVIDIA's libraries reproduce the bits of a previous run.

cuBLAS reproduces them on the same GPU with the same version while one stream is active.  With several streams it
chooses a workspace, and with it an algorithm, by what is free, unless the workspaces have a fixed size (NVIDIA,
cuBLAS library, "Results reproducibility").  CuPy gives every thread its own handle for each GPU.  On CUDA's default
stream no other work of the thread runs concurrently; on another stream it may.  Emulated products fall back to others
when memory is short.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from .errors import DeterminismError
from .flag import current_scope
from .levels import Level
from .refusals import fall_short
from .ways import Route

WORKSPACE = "CUBLAS_WORKSPACE_CONFIG"
_FIXED = (":16:8", ":4096:8")
_EMULATIONS = ("CUBLAS_EMULATE_DOUBLE_PRECISION", "CUBLAS_EMULATE_SINGLE_PRECISION")


def on_one_stream(function: Route, /, *args: Any, **kwargs: Any) -> Any:
    """The operation, where cuBLAS keeps a rerun's bits: on the default stream, or with workspaces of a fixed size."""
    name = getattr(function, "__name__", str(function))
    if sys.modules["cupy"].cuda.get_current_stream().ptr and os.environ.get(WORKSPACE) not in _FIXED:
        _refuse(
            name,
            "on another stream than the default one cuBLAS chooses its algorithm by the workspace that is free",
            f"set the environment variable {WORKSPACE}=:4096:8, or :16:8, before the process starts; or call it on the "
            "default stream",
        )
    for variable in _EMULATIONS:
        if os.environ.get(variable, "0") != "0":
            _refuse(
                name,
                f"{variable} lets cuBLAS emulate products, and fall back to others where memory is short",
                f"unset {variable} before the process starts",
            )
    return function(*args, **kwargs)


def _refuse(op: str, reason: str, hint: str) -> None:
    fall_short(DeterminismError(op, "cupy", current_scope().setting.level, Level.NONE, reason, hint), stacklevel=5)
