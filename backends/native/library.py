"""The C library as loaded: the shared object of the best instruction set that the machine runs, or None.

The environment variable WIRTINGER_KERNELS chooses: `none` for no library, or the name of an instruction set.
"""

from __future__ import annotations

import ctypes
import os
import warnings
from functools import cache

from numpy._core import _multiarray_umath

from .build import FOLDER, INSTRUCTION_SETS, digest_of_sources, object_of, processor

_NEEDS = {
    "avx512": ("AVX512F", "AVX512VL", "AVX512BW", "AVX512DQ", "FMA3"),
    "avx2": ("AVX2", "FMA3"),
    "neon": ("ASIMD",),
}
"""What of NumPy's list of the processor's features an instruction set needs."""
_CHECKOUT = FOLDER.parents[1] / "pyproject.toml"


@cache
def library() -> ctypes.CDLL | None:
    """The library, or None; whoever uses it looks symbols up by name.

    Examples
    --------
    >>> from wirtinger.backends.native.library import library, state
    >>> (library() is None) == state().startswith("none")
    True
    """
    return _found()[0]


def state() -> str:
    """Which library is in use, or why there is none.

    Examples
    --------
    >>> from wirtinger.backends.native.library import state
    >>> state().split()[0].rstrip(",:") in ("avx512", "avx2", "neon", "none")
    True
    """
    return _found()[1]


def runnable() -> list[str]:
    """The instruction sets that this machine runs, the best first.

    Examples
    --------
    >>> from wirtinger.backends.native.library import runnable
    >>> set(runnable()) <= {"avx512", "avx2", "neon"}
    True
    """
    features = getattr(_multiarray_umath, "__cpu_features__", {})
    return [name for name in INSTRUCTION_SETS.get(processor(), {}) if all(map(features.get, _NEEDS[name]))]


def load(name: str) -> ctypes.CDLL | None:
    """The library of one instruction set; None where it was not built, or, with a warning, from other sources.

    Examples
    --------
    >>> from wirtinger.backends.native.library import load
    >>> load("vax") is None
    True
    """
    file = object_of(name)
    if not file.exists():
        return None
    found = ctypes.CDLL(str(file))
    found.wirtinger_sources.restype = ctypes.c_char_p
    if _CHECKOUT.exists() and found.wirtinger_sources().decode() != digest_of_sources():
        message = f"{file.name} was built from other sources than lie here, and is not used: make kernels"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
        return None
    return found


@cache
def _found() -> tuple[ctypes.CDLL | None, str]:
    """The library and what is to be said of it."""
    asked, known = os.environ.get("WIRTINGER_KERNELS", ""), runnable()
    if asked == "none":
        return None, "none: WIRTINGER_KERNELS=none"
    if asked and asked not in known:
        raise ValueError(
            f"WIRTINGER_KERNELS={asked!r}: this machine runs {', '.join(known) or 'none of the instruction sets'}. "
            "Leave it unset for the best of these, or set it to one of them or to 'none'."
        )
    for name in [asked] if asked else known:
        loaded = load(name)
        if loaded is not None:
            return loaded, f"{name}, {object_of(name)}"
    if not known:
        return None, "none: the processor has no fused multiply-add, or is not known"
    return (
        None,
        "none: no library was built; with a C compiler, an install from source builds it (in a checkout: make kernels)",
    )
