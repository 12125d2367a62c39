"""Elementary functions of NumPy's namespace by the C library: the same bits on every machine.

They are ufuncs beside NumPy's, which stay as they are.  They report division by zero, overflow, underflow and invalid
arguments as NumPy's do, and have loops for float64 and float32 alone: an argument of another type is cast to one of
these, so that whoever wants the type of NumPy's result converts first.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Final

import numpy as np

from .library import library
from .ufuncs import DTYPES, maker

ELEMENTARY: Final = (
    *("arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "cbrt", "cos", "cosh", "exp", "exp2"),
    *("expm1", "hypot", "log", "log10", "log1p", "log2", "logaddexp", "logaddexp2", "power", "sin", "sinh", "tan"),
    "tanh",
)
"""The names of those that there are; at most 2 units in the last place from the value, as measured on the page
`docs/tables/accuracy_kernels.md`."""

_NO_IDENTITY = -1
_ALIVE: list[object] = []
"""What the ufuncs point to."""


@cache
def elementary(name: str) -> np.ufunc | None:
    """A function of NumPy's, computed by the C library; None where there is no library.

    Parameters
    ----------
    name : str
        One of `ELEMENTARY`.

    Returns
    -------
    ufunc or None
        Of float64 and float32.

    Raises
    ------
    ValueError
        If there is no kernel of that name.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.elementary import elementary
    >>> sine = elementary("sin")
    >>> sine is None or bool(sine(1e300) == -0.8178819121159085)
    True
    """
    if name not in ELEMENTARY:
        raise ValueError(f"there is no kernel of {name!r}; there are those of {', '.join(ELEMENTARY)}")
    found, make = library(), maker()
    if found is None or make is None:
        return None
    nin, count = getattr(np, name).nin, len(DTYPES)
    pointers = [ctypes.cast(found[f"elementary_{name}_{dtype}"], ctypes.c_void_p) for dtype in DTYPES.values()]
    loops, data = (ctypes.c_void_p * count)(*pointers), (ctypes.c_void_p * count)()
    types, text = b"".join(bytes([np.dtype(char).num] * (nin + 1)) for char in DTYPES), name.encode()
    _ALIVE.append((loops, data, types, text))
    addresses = ctypes.addressof(loops), ctypes.addressof(data)
    made = make(*addresses, types, count, nin, 1, _NO_IDENTITY, text, b"", 0)
    return made if type(made) is np.ufunc else None
