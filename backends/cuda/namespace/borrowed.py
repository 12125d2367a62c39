"""Functions that CuPy lacks, or has with other semantics: NumPy's own Python source, run on arrays of a GPU.

Most of NumPy is Python over its ufuncs and some fifty functions, all of which dispatch on the type of their arguments.
What does not dispatch is the making of arrays, `asarray(x)`.  So the source runs here with other globals, in which that
makes arrays on the device, and everything else is NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

import cupy
import numpy as np
from numpy._core._multiarray_umath import _array_converter  # type: ignore[import-not-found]

from ..operands import bare
from ..tables import FUNCTIONS

_BORROWED = (
    *(np.block, np.delete, np.ediff1d, np.einsum_path, np.geomspace, np.histogram_bin_edges, np.insert, np.intersect1d),
    *(np.polyder, np.polydiv, np.polyint, np.setxor1d, np.trim_zeros, np.union1d, np.unstack),
    *(np.average, np.histogram, np.poly, np.polyadd),
    *(np.polysub, np.roots),
)


_MAKERS = (
    *("array", "arange", "asarray", "asanyarray", "ascontiguousarray", "empty", "eye", "full", "identity", "linspace"),
    *("ones", "zeros"),
)
"""The functions of NumPy's that make arrays, and are asked to whatever they are given."""


def _lengths(shape: Any) -> Any:
    """A shape, of which lengths may have been counted on the device."""
    if isinstance(shape, (tuple, list)):
        return tuple([int(n) for n in shape])
    return int(shape) if getattr(shape, "ndim", 1) == 0 else shape


class _Converter:
    """What NumPy converts the arguments of some functions with."""

    def __init__(self, make: Callable[..., Any], *args: Any) -> None:
        self._arrays = tuple([make("asarray", x) for x in args])

    def __getitem__(self, i: Any) -> Any:
        return self._arrays[i]

    def as_arrays(self, subok: bool = True, pyscalars: Any = None) -> tuple[Any, ...]:
        """The arguments as arrays."""
        return self._arrays

    def result_type(self, extra_dtype: Any = None, ensure_inexact: bool = False) -> Any:
        """The dtype of the arguments together."""
        dtype = np.result_type(*[x.dtype for x in self._arrays], *([] if extra_dtype is None else [extra_dtype]))
        return np.result_type(dtype, 1.0) if ensure_inexact else dtype

    def wrap(self, x: Any, /, to_scalar: Any = None) -> Any:
        """A result as it is."""
        return x


class _Globals:
    """NumPy's modules as its functions see them on the device.

    Parameters
    ----------
    kind : type
        Of the arrays.
    """

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self._of_module: dict[str, dict[str, Any]] = {}
        self._functions: dict[Any, Callable[..., Any]] = {}
        self._makers = {getattr(np, name): partial(self._made, name) for name in _MAKERS}
        self._makers[_array_converter] = partial(_Converter, self._made)

    def _made(self, name: str, *args: Any, **kwargs: Any) -> Any:
        for keyword in ("subok", "like", "device"):
            kwargs.pop(keyword, None)
        if name in ("empty", "ones", "zeros"):
            args = (_lengths(args[0]), *args[1:])
        made = getattr(cupy, "asarray" if name == "asanyarray" else name)(*bare(args), **bare(kwargs))
        return made.view(self.kind)

    def function(self, function: Any) -> Callable[..., Any]:
        """A function of NumPy's that is written in Python, with these globals."""
        source = getattr(function, "__wrapped__", None) or getattr(function, "_implementation", None) or function
        if source not in self._functions:
            made = FunctionType(
                source.__code__, self.of_module(source), source.__name__, source.__defaults__, source.__closure__
            )
            made.__kwdefaults__ = source.__kwdefaults__
            self._functions[source] = made
        return self._functions[source]

    def of_module(self, function: FunctionType) -> dict[str, Any]:
        """The globals of a function."""
        name = function.__globals__["__name__"]
        if name not in self._of_module:
            own = self._of_module[name] = {}
            own.update({key: self.translated(value) for key, value in function.__globals__.items()})
        return self._of_module[name]

    def translated(self, value: Any) -> Any:
        """What stands for a global."""
        if isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "numpy":
            return _Module(value, self)
        if not isinstance(value, Hashable):
            return value
        if value in self._makers:
            return self._makers[value]
        if isinstance(value, FunctionType) and value.__module__.partition(".")[0] == "numpy":
            return _Later(value, self)
        return value


class _Module:
    """A module of NumPy, whose functions make arrays on the device."""

    def __init__(self, module: ModuleType, names: _Globals) -> None:
        self._module, self._names = module, names

    def __getattr__(self, name: str) -> Any:
        return self._names.translated(getattr(self._module, name))


class _Later:
    """A function of NumPy's written in Python, translated when it is called."""

    def __init__(self, function: FunctionType, names: _Globals) -> None:
        self._function, self._names = function, names

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._names.function(self._function)(*args, **kwargs)


_GLOBALS: list[_Globals] = []


def _globals() -> _Globals:
    if not _GLOBALS:
        from ..array import Array

        _GLOBALS.append(_Globals(Array))
    return _GLOBALS[0]


def _viewed(x: Any, kind: type) -> Any:
    """Arguments with bare arrays as ours."""
    if type(x) is cupy.ndarray:
        return x.view(kind)
    if type(x) in (tuple, list):
        return type(x)([_viewed(item, kind) for item in x])
    return x


def borrowed(function: Any) -> Callable[..., Any]:
    """A function of NumPy's as one of bare arrays of a GPU."""

    def call(*args: Any, **kwargs: Any) -> Any:
        names = _globals()
        kwargs = {key: _viewed(value, names.kind) for key, value in kwargs.items()}
        return names.function(function)(*_viewed(args, names.kind), **kwargs)

    return call


_SCIMATH = ("sqrt", "log", "log2", "log10", "logn", "power", "arccos", "arcsin", "arctanh")

for _function in (*_BORROWED, *(getattr(np.emath, _name) for _name in _SCIMATH)):
    FUNCTIONS[_function] = borrowed(_function)
