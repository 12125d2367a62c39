"""SciPy's ufuncs under their names, also where `SCIPY_ARRAY_API=1` has put functions in their place.

Under that setting `scipy.special.erf` is a function that asks its arguments for their namespace and calls the ufunc, or
what the namespace has for it.  Rules are those of ufuncs, so while this package is imported the names are theirs.
"""

from __future__ import annotations

from typing import Any

from numpy import ufunc
from scipy import special

_FUNCTIONS: dict[str, Any] = {
    name: function
    for name, function in vars(special).items()
    if isinstance(getattr(function, "__wrapped__", None), ufunc)
}

for _name, _function in _FUNCTIONS.items():
    setattr(special, _name, _function.__wrapped__)


def show_functions() -> None:
    """Put SciPy's functions back."""
    for name, function in _FUNCTIONS.items():
        setattr(special, name, function)
