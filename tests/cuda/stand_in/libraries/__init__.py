"""cuBLAS, cuSOLVER, cuFFT and cuSPARSE by NumPy and SciPy; thrust's sorts by NumPy."""

from __future__ import annotations

import ctypes
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..building import build_forwarder, undefined_symbols
from ..driver import Driver
from . import blas, fft, handles, solver, sparse, sparse_storage, spectral  # noqa: F401  (they declare what they export)
from .exports import CALLS, EXPORTED, NOTHING, refused

LIBRARIES = {
    "cublas": ("libcublas.so.13", "cupy_backends.cuda.libs.cublas"),
    "cusolver": ("libcusolver.so.12", "cupy_backends.cuda.libs.cusolver"),
    "cusparse": ("libcusparse.so.12", "cupy_backends.cuda.libs.cusparse"),
    "curand": ("libcurand.so.10", "cupy_backends.cuda.libs.curand"),
    "cufft": ("libcufft.so.12", "cupy.cuda.cufft"),
}
_kept: list[Any] = []

__all__ = ["CALLS", "LIBRARIES", "load"]


def _module_file(name: str) -> Path:
    """The file of a module that is not imported."""
    package, _, last = name.rpartition(".")
    root, *rest = package.split(".")
    folder = Path(find_spec(root).submodule_search_locations[0], *rest)
    return next(folder.glob(f"{last}.*.so"))


def load(cache: Path, driver: Driver) -> None:
    """Load the stand-ins of the libraries, and let NVIDIA's finder of libraries find them."""
    from cuda import pathfinder

    loaded = {}
    for name, (soname, module) in LIBRARIES.items():
        wanted = undefined_symbols(_module_file(module), name)
        names = sorted({*wanted, *(symbol for symbol in {*EXPORTED, *NOTHING} if symbol.startswith(name))})
        library = ctypes.CDLL(str(build_forwarder(cache, soname, names)), ctypes.RTLD_GLOBAL)
        table = (ctypes.c_void_p * len(names)).in_dll(library, "table")
        for k, symbol in enumerate(names):
            nothing = driver.library.stand_in_nothing if symbol in NOTHING else None
            function = nothing or EXPORTED.get(symbol) or refused(symbol)
            _kept.append(function)
            table[k] = ctypes.cast(function, ctypes.c_void_p)
        loaded[name] = library
    loaded["cublasLt"] = loaded["cublas"]
    original = pathfinder.load_nvidia_dynamic_lib

    def find(name: str) -> Any:
        return _Found(loaded[name]) if name in loaded else original(name)

    pathfinder.load_nvidia_dynamic_lib = find


class _Found:
    """What the finder returns."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._handle_uint, self.abs_path = library._handle, library._name
        self.was_already_loaded_from_elsewhere = True
