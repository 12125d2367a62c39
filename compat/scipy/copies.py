"""Which of SciPy's modules are copied, and under which names: `wirtinger.scipy` and below."""

from __future__ import annotations

import sys
from functools import cache
from importlib import util
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType

from ...complex_autograd.namespace.submodules import Alias
from ..rebinding import Rebinding, Replacements

__all__ = ["PREFIX", "find_spec"]

_ROOT = __name__.partition(".")[0]
PREFIX = f"{_ROOT}.scipy"
"""The name of the copy of SciPy."""
_OWN = (f"{PREFIX}.sparse", f"{PREFIX}.sparse.linalg")
"""What is written here, and no copy."""
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


class _Root(Loader):
    """Gives the package that this module is in."""

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = sys.modules[__package__]


@cache
def _rebinding() -> Rebinding:
    return Rebinding("scipy", PREFIX, {}, _shares, _replacements, refuses_digits=True)


def find_spec(name: str) -> ModuleSpec | None:
    """The specification of `wirtinger.scipy`, which is this package, or of a module below it."""
    if name == PREFIX:
        return ModuleSpec(name, _Root())
    own = util.find_spec(f"{__package__}{name.removeprefix(PREFIX)}") if name in _OWN else None
    return Alias(name, own) if own else _rebinding().find_spec(name)
