"""`numpy.kaiser`, a window that has a parameter."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends import exact, is_precise
from ..array.stand_in import StandIn
from ..engine.traced import Traced, raw


def _kaiser(M: Any, beta: Any) -> Any:
    """The window `I[0](beta sqrt(1 - t**2)) / I[0](beta)` at `M` points `t` of [-1, 1], also at a traced `beta`."""
    if M < 2 or not (isinstance(beta, Traced) or is_precise()):
        return np.kaiser(M, raw(beta))
    t = exact(2 * np.arange(M) - (M - 1)) / (M - 1)
    beta = beta if isinstance(beta, Traced) else exact(beta)
    return np.i0(beta * np.sqrt(1 - t**2)) / np.i0(beta)


kaiser = StandIn(np.kaiser, _kaiser)
