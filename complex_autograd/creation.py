"""Making arrays: under a trace they can be written to."""

from __future__ import annotations

from typing import Any

import numpy as np

from .array import Traced, raw
from .constant import constant
from .dispatch import implements

__all__ = ["as_operand"]


def as_operand(x: Any) -> Any:
    """Whatever is given as one array: traced values, arrays and numbers as they are, nested sequences stacked."""
    if hasattr(x, "dtype"):
        return x
    return np.asarray(x)


@implements(np.zeros_like)
def _(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None) -> Any:
    return constant(np.zeros_like(raw(a), dtype=dtype, shape=shape))


@implements(np.ones_like)
def _(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None) -> Any:
    return constant(np.ones_like(raw(a), dtype=dtype, shape=shape))
