"""CuPy's calls of the CUDA runtime, redirected: the pointers to C functions that its modules share are replaced.

Each has a signature, as `PyObject *(intptr_t, int, int __pyx_skip_dispatch)`, by which Python's calls are made too.
"""

from __future__ import annotations

import ctypes
import re
from typing import Any

from .driver import Driver

_TYPES = {
    "intptr_t": ctypes.c_ssize_t,
    "size_t": ctypes.c_size_t,
    "int": ctypes.c_int,
    "unsigned int": ctypes.c_uint,
    "float": ctypes.c_float,
    "cudaMemcpyKind": ctypes.c_int,
    "PyObject *": ctypes.py_object,
}
_KEPT = {"check_status", "runtimeGetVersion", "_getCUDAMajorVersion", "make_Extent", "make_Pos", "make_PitchedPtr"}
"""They need no driver."""

PROPERTIES = {
    "name": b"CPU stand-in", "major": 9, "minor": 0, "multiProcessorCount": 132, "warpSize": 32,
    "maxThreadsPerBlock": 1024, "sharedMemPerBlock": 49152, "maxThreadsPerMultiProcessor": 2048,
    "totalGlobalMem": 8 << 30, "maxGridSize": (2147483647, 65535, 65535), "clockRate": 0, "memoryClockRate": 0,
    "memoryBusWidth": 0, "l2CacheSize": 0, "totalConstMem": 65536, "pciBusID": 0, "pciDeviceID": 0, "pciDomainID": 0,
}  # fmt: skip
"""As `getDeviceProperties` gives them."""

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype, _name.argtypes = ctypes.c_char_p, [ctypes.py_object]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_signatures: list[bytes] = []  # capsules point at them


def redirect(driver: Driver) -> None:
    """Put the stand-in's functions in the places of the runtime's, before any other module of CuPy is imported."""
    from cupy_backends.cuda.api import runtime

    capsules = runtime.__pyx_capi__
    check = capsules["check_status"]
    driver.library.stand_in_python.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
    driver.library.stand_in_python(_pointer(check, _name(check)), runtime.PointerAttributes, PROPERTIES)
    for name, capsule in list(capsules.items()):
        signature = _name(capsule)
        if b"(" not in signature or name in _KEPT:
            continue
        function = getattr(driver.library, f"rt_{name}", driver.library.stand_in_refused)
        _signatures.append(signature)
        capsules[name] = _new(ctypes.cast(function, ctypes.c_void_p).value, signature, None)
        called = _as_python_calls(function, signature.decode(), runtime)
        if called is not None:
            setattr(runtime, name, called)


def _as_python_calls(function: Any, signature: str, runtime: Any) -> Any:
    """The same function for Python; None where its types are not Python's."""
    found = re.match(r"(.*?)\s*\((.*)\)$", signature)
    if found is None:
        return None
    result, arguments = found.group(1), [text.strip() for text in found.group(2).split(",") if text.strip() != "void"]
    if any("__pyx_opt_args" in text for text in arguments):
        return None
    kinds = [_TYPES.get(text) for text in arguments if "skip_dispatch" not in text]
    if result.startswith("struct"):
        result = "PyObject *"
    if result not in _TYPES or None in kinds:
        return None
    prototype = ctypes.PYFUNCTYPE(_TYPES[result], *kinds, ctypes.c_int)
    call = prototype(ctypes.cast(function, ctypes.c_void_p).value)

    def called(*given: Any) -> Any:
        return call(*given, 0)

    return called
