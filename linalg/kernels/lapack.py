"""LAPACK's routines, looked up once for each precision."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import scipy.linalg


def routine(name: str, *arrays: Any) -> Any:
    """The routine of this name, without the letter of its precision, that takes these arrays."""
    return _found(name, arrays[0].dtype.char if len(arrays) == 1 else np.result_type(*arrays).char)


@lru_cache(maxsize=256)
def _found(name: str, kind: str) -> Any:
    return scipy.linalg.get_lapack_funcs(name, (np.empty(0, kind),))
