"""What stands for functions of SciPy's in the copies of its modules, as they are differentiated as a whole."""

from __future__ import annotations

from . import convolutions, signal_filters
from .stand_ins import REPLACEMENTS

__all__ = ["REPLACEMENTS"]
