"""Elementary functions of NumPy's namespace by the C library: the same bits on every machine.

They are ufuncs beside NumPy's, which stay as they are.  They report division by zero, overflow, underflow and invalid
arguments as NumPy's do, and have loops for float64 and float32 alone: an argument of another type is cast to one of
these, so that whoever wants the type of NumPy's result converts first.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from .ufuncs import ufunc_of

ELEMENTARY: Final = (
    *("arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "cbrt", "cos", "cosh", "exp", "exp2"),
    *("expm1", "hypot", "log", "log10", "log1p", "log2", "logaddexp", "logaddexp2", "power", "sin", "sinh", "tan"),
    "tanh",
)
"""The names of those that there are; at most 2 units in the last place from the value, as measured on the page
`docs/tables/accuracy_kernels.md`."""


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
    return ufunc_of(f"elementary_{name}", name, getattr(np, name).nin)


@cache
def derivative(name: str, nin: int = 1) -> np.ufunc | None:
    """A derivative of a function, computed by the C library; None where there is no library.

    Parameters
    ----------
    name : str
        A function of `scipy.special`; `si` and `ci` are the results of `sici`, and `xlogy_1` is the derivative of
        `xlogy` in its second argument.  NaN stands for what is left to others: arguments that are not positive, of
        functions with a pole there.  That of `wofz` has loops for complex numbers alone, that of `erfcx` for all, the
        others for real ones alone.
    nin : int
        How many arguments the function takes.

    Examples
    --------
    >>> from wirtinger.backends.native.elementary import derivative
    >>> kernel = derivative("erf")
    >>> kernel is None or round(float(kernel(0.0)), 6) == 1.128379
    True
    """
    return ufunc_of(f"derivative_{name}", f"derivative_{name}", nin)
