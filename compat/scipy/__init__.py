"""`wirtinger.scipy`: SciPy's own Python code, run a second time with this package in NumPy's place.

    from wirtinger.scipy import integrate, stats

Plain calls return what SciPy's return, bit for bit.  Under a derivative SciPy's code computes with traced values, and
is differentiated like user code.  Calls to compiled code are replaced by one of `rules`, or refused.  The modules are
loaded on first use.
"""

import typing as _typing
from importlib import import_module as _import_module

from .copies import PREFIX as _PREFIX
from .copies import find_spec as _find_spec

__all__ = [
    "cluster",
    "constants",
    "differentiate",
    "fft",
    "fftpack",
    "integrate",
    "interpolate",
    "linalg",
    "ndimage",
    "optimize",
    "signal",
    "sparse",
    "spatial",
    "special",
    "stats",
]


def __getattr__(name: str) -> _typing.Any:
    if name.startswith("__") and name.endswith("__") and name != "__version__":
        raise AttributeError(f"module {_PREFIX!r} has no attribute {name!r}", name=name)
    if name in __all__ or _find_spec(f"{_PREFIX}.{name}") is not None:
        return _import_module(f"{_PREFIX}.{name}")
    return getattr(_import_module("scipy"), name)


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})
