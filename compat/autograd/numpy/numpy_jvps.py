"""The parts of autograd that user-defined tangent rules use."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....complex_autograd.transforms.arguments import as_array

__all__ = ["broadcast"]


def broadcast(x: Any, target: Any) -> Any:
    """A tangent in the shape of a result, complex where that is complex."""
    x, target = as_array(x), as_array(target)
    x = np.broadcast_to(x, target.shape)
    return x + 0j if target.dtype.kind == "c" and x.dtype.kind != "c" else x
