"""Limits BLAS to one thread while a level of at least `schedule` is in force anywhere in the process.

OpenBLAS splits its sums among threads, so their order depends on the number of threads.  NumPy's and SciPy's wheels
contain one OpenBLAS each; both are set through their C interface, which applies to all threads of the process.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

_NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads")


class _Library(NamedTuple):
    get: Callable[[], int]
    set: Callable[[int], None]


@cache
def libraries() -> tuple[_Library, ...]:
    """Every OpenBLAS that NumPy and SciPy were delivered with."""
    found = []
    for package in ("numpy", "scipy"):
        spec = find_spec(package)
        folder = Path(spec.origin or "").parent.parent / f"{package}.libs" if spec else Path()
        for path in sorted(folder.glob("*openblas*")):
            library = ctypes.CDLL(str(path))
            name = next((name for name in _NAMES if hasattr(library, name.format("set"))), None)
            if name is not None:
                found.append(_Library(library[name.format("get")], library[name.format("set")]))
    return tuple(found)


_BEFORE: list[int] = []
"""The numbers of threads that were set before."""


def hold(asked: bool) -> None:
    """Set one thread everywhere, or what there was before; the caller sees to it that no two do so at once."""
    if asked:
        _BEFORE[:] = [library.get() for library in libraries()]
        for library in libraries():
            library.set(1)
    else:
        for library, count in zip(libraries(), _BEFORE, strict=False):
            library.set(count)
        _BEFORE.clear()
