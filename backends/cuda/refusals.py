"""The NumPy functions that do not run on CUDA, and what to call instead."""

from __future__ import annotations

from typing import NoReturn

from ..base import DeviceError

_DATES = (
    "a GPU has no arrays of dates",
    "Compute with dates on the CPU, and move the numbers: wirtinger.to_device",
)
_TEXT = ("a GPU has no arrays of text", "Copy the numbers to the host first: wirtinger.to_host(x)")
_MATRIX = ("numpy.matrix is a class of NumPy arrays", "Use arrays with two axes and @, or wirtinger.block")
_CONVERSION = (
    "it makes NumPy arrays of whatever it is given",
    "Use wirtinger's function of this name in a function that is differentiated, wirtinger.asarray(x, device='cuda'), "
    "or wirtinger.to_host(x) first",
)

NO_KERNEL = ("it has no kernel", "Move the arrays explicitly with wirtinger.to_host(x) and compute there")

REFUSED: dict[str, tuple[str, str]] = (
    {f"numpy.{name}": _DATES for name in ("busday_count", "busday_offset", "busdaycalendar", "is_busday", "isnat")}
    | {"numpy.datetime_as_string": _TEXT}
    | {f"numpy.{name}": _MATRIX for name in ("asmatrix", "bmat", "matrix")}
    | {
        f"numpy.{name}": _CONVERSION
        for name in ("asarray_chkfinite", "frompyfunc", "ndenumerate", "nditer", "nested_iters", "require")
    }
    | {
        f"numpy.ndarray.{name}": (
            "memory of a GPU has no fields and no flags that can be set",
            "Convert it with x.view(dtype), or copy it first: wirtinger.to_host(x)",
        )
        for name in ("getfield", "setfield", "setflags")
    }
    | {
        "numpy.broadcast": (
            "it iterates over NumPy arrays",
            "Ask wirtinger.broadcast_shapes(x.shape, y.shape), or call wirtinger.broadcast_arrays(x, y)",
        ),
        "numpy.ndarray.resize": (
            "memory of a GPU does not grow in place",
            "Make a new array, numpy.resize(x, shape), or write x = x[:n]",
        ),
    }
)
"""By the public name of a function: the reason, and the explicit way."""


def refuse_function(name: str) -> NoReturn:
    """Raise the error of a function that does not run on a GPU."""
    reason, way = REFUSED.get(name, NO_KERNEL)
    raise DeviceError(f"{name} does not run on 'cuda': {reason}. {way}.")
