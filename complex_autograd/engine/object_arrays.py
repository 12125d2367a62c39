"""Arrays of Python objects that hold traced numbers.

NumPy computes with such arrays by the operators of their elements, so what it makes of them is traced as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .dispatch import holds_traced, lowered
from .traced import Traced, peel


def holds_traced_objects(x: Any) -> bool:
    """Whether it is an array of objects with a traced value among them."""
    return type(x) is np.ndarray and x.dtype.char == "O" and any(map(holds_traced, x.flat))


def object_array(items: Any) -> Any:
    """A traced array, or a nested sequence that holds traced values, as an array of objects.

    Its shape and its elements are those that NumPy finds where the values are plain.
    """
    shape = np.array(lowered(items), dtype=object).shape
    return np.fromiter((_element(items, index) for index in np.ndindex(shape)), object).reshape(shape)


def _element(items: Any, index: Sequence[int]) -> Any:
    depth = 0
    while depth < len(index) and isinstance(items, (list, tuple)):
        items = items[index[depth]]
        depth += 1
    if depth < len(index) or isinstance(items, Traced):
        return peel((items if isinstance(items, Traced) else np.asarray(items))[tuple(index[depth:])])
    return items
