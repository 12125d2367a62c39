"""What a library exports: Python functions behind the names that CuPy's modules link to."""

from __future__ import annotations

import ctypes
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

CTYPES = {
    "p": ctypes.c_void_p,
    "i": ctypes.c_int,
    "l": ctypes.c_int64,
    "f": ctypes.c_float,
    "d": ctypes.c_double,
    "b": ctypes.c_byte,
}
TYPES = {
    "S": np.dtype(np.float32),
    "D": np.dtype(np.float64),
    "C": np.dtype(np.complex64),
    "Z": np.dtype(np.complex128),
}
REAL = [TYPES["S"], TYPES["D"]]
CUDA_TYPES = dict(enumerate([*REAL, np.dtype(np.float16), np.dtype(np.int8), TYPES["C"], TYPES["Z"]]))
CUDA_TYPES[10] = np.dtype(np.int32)
"""cudaDataType."""

INVALID_VALUE, INTERNAL_ERROR = 7, 14

EXPORTED: dict[str, Any] = {}
"""The C function behind each name."""

NOTHING: set[str] = set()
"""Names of functions that do nothing; they are called when Python is gone too."""

CALLS: Counter[str] = Counter()
"""How often each was called."""

Function = Callable[..., Any]


def callback(name: str, signature: str, function: Function) -> Any:
    """A C function that calls a Python one; it returns the latter's status, and None is success."""

    def call(*arguments: int | None) -> int:
        CALLS[name] += 1
        try:
            with np.errstate(all="ignore"):
                return function(*[0 if argument is None else argument for argument in arguments]) or 0
        except Exception:  # it cannot pass through C
            sys.stderr.write(f"CUDA stand-in: {name} failed\n{traceback.format_exc()}")
            return INTERNAL_ERROR

    return ctypes.CFUNCTYPE(ctypes.c_int, *[CTYPES[letter] for letter in signature])(call)


def export(names: str, signature: str) -> Callable[[Function], Function]:
    """Give a function one or more names; each letter of the signature is an argument's type (see CTYPES)."""

    def decorate(function: Function) -> Function:
        for name in names.split():
            EXPORTED[name] = callback(name, signature, function)
        return function

    return decorate


def export_typed(pattern: str, signature: str, letters: str = "SDCZ") -> Callable[[Function], Function]:
    """The same for each of a family of types; the function takes the dtype first.

    In the pattern `?` stands for the type's letter, `he|sy` for `he` in the complex and `sy` in the real ones.
    """

    def decorate(function: Function) -> Function:
        for letter in letters:
            name = pattern.replace("?", letter)
            for complex_word, real_word in (("he", "sy"), ("un", "or")):
                name = name.replace(f"{complex_word}|{real_word}", complex_word if letter in "CZ" else real_word)
            dtype = TYPES[letter]
            EXPORTED[name] = callback(name, signature, _bound(function, dtype))
        return function

    return decorate


def _bound(function: Function, dtype: np.dtype[Any]) -> Function:
    return lambda *arguments: function(dtype, *arguments)


def do_nothing(names: str) -> None:
    """Let functions return success and do nothing else."""
    NOTHING.update(names.split())


def export_text(names: str, text: bytes) -> None:
    """Functions of a number that return a text."""
    kept = ctypes.create_string_buffer(text)
    for name in names.split():
        EXPORTED[name] = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int)(lambda number: ctypes.addressof(kept))


def refused(name: str) -> Any:
    """What stands where nothing is implemented: it says so and returns CUBLAS_STATUS_NOT_SUPPORTED."""

    def call() -> int:
        sys.stderr.write(f"CUDA stand-in: {name} is not there\n")
        return 15

    return ctypes.CFUNCTYPE(ctypes.c_int)(call)
