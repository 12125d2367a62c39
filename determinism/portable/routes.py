"""Which operations have a route to the level `"portable"`, for operands of NumPy's."""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np

from ..layouts import are_plain
from ..ways import NUMBERS, REAL, Route, Wrapper, only_for
from . import arithmetic, fourier_functions, linear_algebra, reductions, writes


def _of_plain(route: Route, function: Route) -> Route:
    """The route where all arrays are NumPy's own; others, as those under differentiation, ask again for their parts."""

    @wraps(route)
    def call(*args: Any, **kwargs: Any) -> Any:
        return (route if are_plain((*args, *kwargs.values())) else function)(*args, **kwargs)

    return call


def _elementwise(core: Route, ufunc: Any) -> Route:
    """A function of real, or complex, numbers with the settings of a ufunc."""

    def call(*args: Any, out: Any = None, where: Any = True, dtype: Any = None, **settings: Any) -> Any:
        inputs, given = args[: ufunc.nin], (args[ufunc.nin :] or (None,))[0]
        out = given if given is not None else out[0] if type(out) is tuple else out
        found = np.result_type(*inputs) if dtype is None else np.dtype(dtype)
        if found.kind not in "fc" or (found.kind == "c" and core in _ORDERED):
            return ufunc(*inputs, out=out, where=where, dtype=dtype, **settings)
        if others := settings.keys() - {"casting", "order", "subok"}:
            raise TypeError(
                f"{ufunc.__name__} at the determinism level 'portable' takes no {', '.join(others)}; pass dtype=."
            )
        x = core(*[np.asarray(a).astype(found) if dtype is not None else a for a in inputs])
        if out is None and where is True:
            return x
        out = np.zeros(np.broadcast_shapes(np.shape(x), np.shape(where)), np.asarray(x).dtype) if out is None else out
        np.copyto(out, x, casting=settings.get("casting", "same_kind"), where=where)
        return out

    return call


_ORDERED = (arithmetic.maximum, arithmetic.minimum, arithmetic.fmax, arithmetic.fmin)


def _at(name: str) -> Route:
    """The method `at` of an elementwise function."""
    ufunc = getattr(np, name)
    return _of_plain(writes.at(ufunc, _elementwise(getattr(arithmetic, name), ufunc)), ufunc.at)


def _mean_square(d: Any, *, axis: Any, keepdims: bool, divisor: Any) -> Any:
    return reductions.sum(arithmetic.squared_modulus(d), axis, keepdims=keepdims) / divisor


def _root_mean_square(d: Any, **settings: Any) -> Any:
    return np.sqrt(_mean_square(d, **settings))


def _transform(a: Any, *, kernel: Any, **settings: Any) -> Any:
    return getattr(fourier_functions, kernel.__name__)(a, **settings)


_TRANSFORMS = ("hfft", "ihfft", *(f"{kind}fft{n}" for kind in ("", "i", "r", "ir") for n in ("", "2", "n")))

_OF_ANY: dict[str, Route] = {
    **{name: _of_plain(getattr(reductions, name), getattr(np, name)) for name in ("sum", "trace")},
    "linalg.trace": _of_plain(reductions.trace_of_matrices, np.linalg.trace),
    "add.reduce": _of_plain(reductions.add_reduce, np.add.reduce),
    **{f"fft.{name}": _of_plain(getattr(fourier_functions, name), getattr(np.fft, name)) for name in _TRANSFORMS},
    "sum_over": reductions.sum,
    "transform": _transform,
    "half_spectrum": fourier_functions.rfft,
    "complex_from_half": fourier_functions.irfft,
    "weighted_half": fourier_functions.weighted_half,
    **{
        name: _of_plain(_elementwise(getattr(arithmetic, name), getattr(np, name)), getattr(np, name))
        for name in ("multiply", "divide", "reciprocal", "square", "absolute", "power", "sign")
    },
    **{name: _of_plain(getattr(reductions, name), getattr(np, name)) for name in ("prod", "mean", "var", "std")},
    "multiply.reduce": _of_plain(reductions.multiply_reduce, np.multiply.reduce),
    **{f"{name}.at": _at(name) for name in ("multiply", "divide")},
    **{f"{name}_over": getattr(reductions, name) for name in ("prod", "mean")},
    "mean_square": _mean_square,
    "root_mean_square": _root_mean_square,
    "squared_modulus": arithmetic.squared_modulus,
    **linear_algebra.ROUTES,
}
"""With the operations that rules are made of, which see plain arrays only."""

_OF_REALS: dict[str, Route] = {
    **{
        name: _of_plain(_elementwise(getattr(arithmetic, name), getattr(np, name)), getattr(np, name))
        for name in ("maximum", "minimum", "fmax", "fmin")
    },
    **{name: _of_plain(getattr(reductions, name), getattr(np, name)) for name in ("max", "min")},
    **{
        f"{name}.reduce": _of_plain(getattr(reductions, f"{name}_reduce"), getattr(np, name).reduce)
        for name in ("maximum", "minimum")
    },
    **{f"{name}.at": _at(name) for name in ("maximum", "minimum")},
    **{f"{name}_over": getattr(reductions, name) for name in ("max", "min")},
}
"""What is ordered."""

_OF_REALS |= {"amax": _OF_REALS["max"], "amin": _OF_REALS["min"]}
_OF_ANY |= {"pow": _OF_ANY["power"], "true_divide": _OF_ANY["divide"], "abs": _OF_ANY["absolute"]}

ROUTES: dict[str, Route] = {name: only_for(NUMBERS, route) for name, route in _OF_ANY.items()}
ROUTES |= {name: only_for(REAL, route) for name, route in _OF_REALS.items()}

WRAPPERS: dict[str, Wrapper] = {"assignment by index": writes.last_stays}
"""By the row of the policy table."""
