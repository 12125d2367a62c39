"""What prints arrays or writes them to files: these functions of NumPy ask for the copy on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy
import numpy as np

from ..tables import FUNCTIONS


def on_host(x: Any) -> Any:
    """Arrays as NumPy's; anything else as it is."""
    return cupy.asnumpy(x) if issubclass(type(x), cupy.ndarray) else x


def _of_copies(function: Any) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*map(on_host, args), **{key: on_host(value) for key, value in kwargs.items()})

    return call


for _function in (
    *(np.array2string, np.array_repr, np.array_str),
    *(np.save, np.savetxt, np.savez, np.savez_compressed),
):
    FUNCTIONS[_function] = _of_copies(_function)
