"""A ufunc of SciPy called on CUDA arrays: the types that SciPy would choose, and double precision on the way.

A result of single precision is computed in double precision and rounded once, and subnormal numbers stay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

_NUMBERS = (bool, int, float, complex)


def ufunc_named(name: str) -> Any:
    """SciPy's ufunc of a name; those that only SciPy's own functions call begin with a line."""
    return getattr(special._ufuncs if name.startswith("_") else special, name)


OWN = {"_legendre": ("dd->ddd",), "_associated": ("ddddd->ddd", "ddDdd->DDD"), "_spherical_legendre": ("ddd->ddd",)}
"""The types of functions that are no ufuncs of SciPy's."""


def loops_of(name: str) -> tuple[str, ...]:
    """The types of a ufunc in double precision, `dd->d` and the like; whole numbers are passed as real ones."""
    if name in OWN:
        return OWN[name]
    types = [t.replace("l", "d") for t in ufunc_named(name).types]
    return tuple(dict.fromkeys(t for t in types if set(t) <= set("dD->")))


def ufunc_by(kernel_of: Callable[[str, str], Any], name: str) -> Callable[..., Any]:
    """A ufunc of SciPy.

    Parameters
    ----------
    kernel_of : callable
        Gives the compiled elementwise kernel of a name and its types.
    name : str
        Of the ufunc.
    """
    from ..kernels import elementwise

    ufunc = ufunc_named(name)

    def call(*args: Any) -> Any:
        inputs, dtypes = resolved(ufunc, args)
        types = "".join("D" if dtype.kind == "c" else "d" for dtype in dtypes)
        kernel = kernel_of(name, f"{types[: ufunc.nin]}->{types[ufunc.nin :]}")
        outputs = elementwise(kernel, inputs, dtypes[ufunc.nin :])
        return outputs if ufunc.nout > 1 else outputs[0]

    call.__name__ = call.__qualname__ = name
    return call


def resolved(ufunc: np.ufunc, args: tuple[Any, ...]) -> tuple[list[Any], tuple[Any, ...]]:
    """The arguments as arrays on the device, numbers by a kernel and not by a copy; and all types of SciPy's loop."""
    import cupy

    given = [type(x) if type(x) in _NUMBERS[1:] else np.dtype(bool) if type(x) is bool else x.dtype for x in args]
    dtypes = ufunc.resolve_dtypes((*given, *[None] * ufunc.nout), casting="same_kind")
    inputs = [
        x if issubclass(type(x), cupy.ndarray) else cupy.full((), x, dtype)
        for x, dtype in zip(args, dtypes, strict=False)
    ]
    return inputs, dtypes
