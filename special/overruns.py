"""Where SciPy's spheroidal functions do not write beyond their arrays.

In SciPy 1.17.1 these have fixed sizes: `pro_rad2(1, 3, 100.0, 2.0)` and `pro_cv(1, 3, numpy.nan)` end the process.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["is_harmless"]


def is_harmless(name: str, m: Any, n: Any, c: Any) -> Any:
    """Whether SciPy's arrays suffice, of 200 to 300 elements."""
    if "rad" in name:
        return 50 + n + 2 * np.abs(c) <= 240
    return (40 if "ang" in name else 10) + (n - m) / 2 + np.abs(c) <= 190
