"""`wirtinger.scipy`: SciPy's own Python code, run a second time with this package for its NumPy.

    from wirtinger.scipy import integrate, stats

Plain calls return what SciPy's return, bit for bit.  Under a derivative SciPy's code sees traced values, computes with
them, and is differentiated as one's own code is.  Where it hands them to compiled code, one of `rules` stands in its
place, or the call is refused.  The modules are loaded on first use.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ..rebinding import Rebinding, Replacements

__all__ = [
    "fft",
    "integrate",
    "interpolate",
    "linalg",
    "ndimage",
    "optimize",
    "signal",
    "sparse",
    "spatial",
    "special",
    "stats",
]

_ROOT = __name__.partition(".")[0]
_PREFIX = f"{_ROOT}.scipy"
_SHARED = (
    "scipy.__config__", "scipy._lib._ccallback", "scipy._lib._docscrape", "scipy._lib._sparse", "scipy._lib._uarray",
    "scipy._lib.deprecation", "scipy._lib.doccer", "scipy._lib.uarray", "scipy.constants", "scipy.datasets",
    "scipy.fft", "scipy.fftpack", "scipy.io", "scipy.linalg", "scipy.sparse", "scipy.special", "scipy.version",
)  # fmt: skip
"""What is not copied: containers and functions without arithmetic, and packages all of whose functions are replaced."""
_COPIED = ("scipy.sparse.linalg",)
"""What is copied in spite of that."""


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _shares(name: str) -> bool:
    return _within(name, _SHARED) and not _within(name, _COPIED)


def _replacements() -> Replacements:
    from .rules import REPLACEMENTS

    return REPLACEMENTS


class _ThisModule(Loader):
    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = sys.modules[__name__]


@cache
def _rebinding() -> Rebinding:
    return Rebinding("scipy", _PREFIX, {}, _shares, _replacements)


def find_spec(name: str) -> ModuleSpec | None:
    """The specification of `wirtinger.scipy`, which is this module, or of a module below it."""
    return ModuleSpec(name, _ThisModule()) if name == _PREFIX else _rebinding().find_spec(name)


def __getattr__(name: str) -> Any:
    if name.startswith("__") and name.endswith("__") and name != "__version__":
        raise AttributeError(f"module {_PREFIX!r} has no attribute {name!r}", name=name)
    if name in __all__ or find_spec(f"{_PREFIX}.{name}") is not None:
        return import_module(f"{_PREFIX}.{name}")
    return getattr(import_module("scipy"), name)


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})
