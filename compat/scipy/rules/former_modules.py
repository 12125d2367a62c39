"""Modules that SciPy's functions were in once, as `scipy.signal.signaltools`: they show what their package shows."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

__all__ = ["public_before_private"]


def public_before_private(theirs: Callable[[str], ModuleType]) -> Callable[[str], Any]:
    """`import_module` of SciPy's code for them: the functions of a private module are those of its package."""

    def import_module(name: str) -> Any:
        found, (package, _, last) = theirs(name), name.rpartition(".")
        if not last.startswith("_"):
            return found
        public, shown = theirs(package), ModuleType(name)
        shown.__getattr__ = (  # type: ignore[method-assign]
            lambda item: getattr(public if hasattr(public, item) else found, item)
        )
        return shown

    return import_module
