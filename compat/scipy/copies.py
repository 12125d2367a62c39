"""Which of SciPy's modules are copied, and under which names: `wirtinger.scipy` and below."""

from __future__ import annotations

from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec as find_module
from typing import Any

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
    "scipy._lib.doccer", "scipy._lib.uarray", "scipy.constants._codata", "scipy.datasets",
    "scipy.fft", "scipy.fftpack", "scipy.io", "scipy.linalg", "scipy.sparse", "scipy.special", "scipy.version",
)  # fmt: skip
"""What is not copied: containers and functions without arithmetic, and packages all of whose functions are replaced."""
_COPIED = ("scipy.sparse.linalg",)
"""What is copied in spite of that."""


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _shares(name: str) -> bool:
    return _within(name, _SHARED) and not _within(name, _COPIED) and not _is_former(name)


def _is_former(name: str) -> bool:
    """Whether a module is one that functions of its package were in once, as `scipy.linalg.basic`."""
    loader: Any = getattr(find_module(name), "loader", None) if name.count(".") == 2 else None
    code = loader.get_code(name) if hasattr(loader, "get_code") else None
    return code is not None and "_sub_module_deprecation" in code.co_names


def _replacements() -> Replacements:
    from .rules import REPLACEMENTS

    return REPLACEMENTS


@cache
def _rebinding() -> Rebinding:
    return Rebinding("scipy", PREFIX, {}, _shares, _replacements, refuses_digits=True)


def find_spec(name: str) -> ModuleSpec | None:
    """The specification of a module below `wirtinger.scipy`."""
    if name in _OWN:
        return Alias(name, f"{__package__}{name.removeprefix(PREFIX)}")
    return _rebinding().find_spec(name)
