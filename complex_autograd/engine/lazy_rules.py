"""Packages above the engine, imported when a rule of theirs is first asked for.

`import wirtinger` takes a fraction of the time without them, and plain `numpy.linalg.solve` or `scipy.special.erf` of a
traced array finds its rule all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

IMPORTS: dict[str, Callable[[], object]] = {}
"""What imports the package with the rules of more ufuncs, "ufunc", and of other functions, "function"."""


def entry_of(function: Any, table: Mapping[Any, Any]) -> Any:
    """What a table has for a ufunc or another function, None if no package has anything for it."""
    if function not in table:
        IMPORTS["ufunc" if isinstance(function, np.ufunc) else "function"]()
    return table.get(function)
