"""`scipy.sparse` with derivatives in the stored values and in what is multiplied; all else of it is SciPy's own."""

from typing import Any as _Any

import scipy.sparse as _scipy_sparse
from scipy.sparse import csgraph as csgraph

from . import construction as _construction
from . import linalg as linalg
from . import trees as trees
from .array import SparseArray as SparseArray
from .construction import *

__all__ = sorted({"SparseArray", "csgraph", "linalg", *_construction.__all__})


def __getattr__(name: str) -> _Any:
    return getattr(_scipy_sparse, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(_scipy_sparse)})
