"""SciPy's functions under differentiation: those that autograd has, and more, in modules imported on first use."""

from __future__ import annotations

import typing as _typing

from ....late_names import LateNames as _LateNames

if _typing.TYPE_CHECKING:
    from . import integrate, linalg, signal, special, stats

__all__ = ["integrate", "linalg", "signal", "special", "stats"]

__getattr__ = _LateNames(__name__, {}, modules=" ".join(__all__)).found
