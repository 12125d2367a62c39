"""The module `numpy` as copies see it: this package's namespace, with NumPy's version."""

from __future__ import annotations

import sys
from functools import wraps
from importlib import import_module
from typing import Any

import numpy as np

from ..complex_autograd.array.call_sites import REBOUND
from ..complex_autograd.array.creation import writable
from ..complex_autograd.array.tracing import is_tracing
from ..complex_autograd.engine.forward import CONSTANT
from ..complex_autograd.engine.opaque import is_on_host
from ..complex_autograd.engine.traced import Traced, raw
from ..complex_autograd.namespace.nested_lists import stacked, with_objects
from ..complex_autograd.namespace.routed import RoutedUfunc
from ..complex_autograd.namespace.vectorization import vectorize as _vectorize
from . import matrices

_OURS = sys.modules[__name__.partition(".")[0]]

__all__ = [name for name in np.__all__ if name != "test"]
__version__ = np.__version__
__path__ = np.__path__

globals().update({name: getattr(_OURS, name) for name in __all__ if name not in ("__version__", "polynomial")})


linalg = matrices


def _writable(function: Any) -> Any:
    """A function that makes arrays like another one: traced values can be written into them."""

    @wraps(function)
    def make(*args: Any, **options: Any) -> Any:
        made = function(*args, **options)
        return writable(made) if is_tracing() and is_on_host(made) else made

    return make


def _converting(function: Any) -> Any:
    """A conversion to an array, which an array without axes is, as a number is not: it can be written into.

    A new matrix of integers is a constant that is traced: its method `dot` takes traced values.
    """

    @wraps(function)
    def convert(*args: Any, **options: Any) -> Any:
        made = function(*args, **options)
        if type(made) is np.ndarray and made.ndim == 2 and made.dtype.kind == "i" and type(args[0]) is list:
            return Traced(made, CONSTANT, None) if is_tracing() else made
        is_number = type(made) is Traced and issubclass(made.__class__, np.generic)
        return np.reshape(np.reshape(made, 1), ()) if is_number else made

    return convert


class _Ufunc:
    """A ufunc that also takes lists of traced values, as other functions do."""

    __slots__ = ("__weakref__", "_ufunc")
    __class__: type = np.ufunc

    def __init__(self, ufunc: RoutedUfunc) -> None:
        self._ufunc = ufunc

    def __call__(self, *args: Any, **options: Any) -> Any:
        if not is_tracing():
            return self._ufunc(*args, **options)
        return with_objects(self._ufunc, self._ufunc, tuple(map(stacked, args)), options)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._ufunc, name)
        if name not in ("accumulate", "outer", "reduce", "reduceat"):
            return found
        return lambda *args, **options: found(*map(stacked, args), **options)

    def __repr__(self) -> str:
        return repr(self._ufunc)

    def __eq__(self, other: object) -> bool:
        return self._ufunc == (other._ufunc if type(other) is _Ufunc else other)

    def __hash__(self) -> int:
        return hash(self._ufunc)

    def __reduce__(self) -> Any:
        return self._ufunc.__name__


_WATCHED = ("equal", "not_equal")
"""Who calls these is looked at: `equality`."""
_UFUNCS = {name: each for name, each in globals().items() if type(each) is RoutedUfunc and name not in _WATCHED}
globals().update({name: _Ufunc(each) for name, each in _UFUNCS.items()})


_LIKE = {name: name for name in ("copy", "full_like", "ones_like", "zeros_like")} | {"empty_like": "zeros_like"}
"""What makes arrays like others, and by what: unset memory would be a part of a program."""
_CONVERSIONS = ("array", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray", "asfortranarray")
globals().update({name: _writable(getattr(_OURS, ours)) for name, ours in _LIKE.items()})
globals().update({name: _converting(getattr(_OURS, name)) for name in _CONVERSIONS})


@wraps(np.broadcast_arrays)
def broadcast_arrays(*args: Any, **options: Any) -> Any:
    """With copies of constants, too, into which traced values can be written."""
    arrays = _OURS.broadcast_arrays(*args, **options)
    return tuple(writable(a) if type(a) is np.ndarray else a for a in arrays) if is_tracing() else arrays


@wraps(np.clip)
def clip(a: Any, a_min: Any = None, a_max: Any = None, *out: Any, **options: Any) -> Any:
    """With the whole derivative at a bound, where this package's function has a half: a probability of 1 is no kink."""
    if not isinstance(a, Traced) or out or options:
        return _OURS.clip(a, a_min, a_max, *out, **options)
    a = a if a_min is None else _OURS.where(a < a_min, a_min, a)
    return a if a_max is None else _OURS.where(a > a_max, a_max, a)


@wraps(np.nextafter)
def nextafter(x1: Any, x2: Any, *out: Any, **options: Any) -> Any:
    """The next number moves as the number itself does."""
    if not isinstance(x1, Traced) or out or options or not np.all(np.isfinite(raw(x1))):
        return _OURS.nextafter(x1, x2, *out, **options)
    return x1 + (np.nextafter(raw(x1), raw(x2)) - raw(x1))


def asarray_chkfinite(a: Any, dtype: Any = None, order: Any = None) -> Any:
    """An array, of which the plain value is asked whether it is finite."""
    a = _OURS.asarray(a, dtype=dtype, order=order)
    np.asarray_chkfinite(raw(a))
    return a


class _Polynomials(type):
    """Makes a class whose instances are all of NumPy's polynomials."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, np.poly1d)


class poly1d(np.poly1d, metaclass=_Polynomials):
    """A polynomial that is, to ufuncs and to the operators of NumPy's numbers, the array of its coefficients.

    To those NumPy's own is what `numpy.asarray` makes of it, which has no place for derivatives.
    """

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        coefficients = [_OURS.asarray(x.coeffs) if type(x) is poly1d else x for x in inputs]
        return getattr(getattr(_OURS, ufunc.__name__, ufunc), method)(*coefficients, **options)


def _of_copies(name: str) -> Any:
    """A method of polynomials, whose results are of this class as well."""
    theirs = getattr(np.poly1d, name)

    @wraps(theirs)
    def method(self: Any, *args: Any, **options: Any) -> Any:
        found = theirs(self, *args, **options)
        parts = [poly1d(x) if type(x) is np.poly1d else x for x in (found if type(found) is tuple else (found,))]
        return tuple(parts) if type(found) is tuple else parts[0]

    return method


_OPERATORS = ("add", "radd", "sub", "rsub", "mul", "rmul", "pow", "neg", "pos", "truediv", "rtruediv")
for _name in (*map("__{}__".format, _OPERATORS), "deriv", "integ"):
    setattr(poly1d, _name, _of_copies(_name))


class vectorize(_vectorize):
    """`vectorize` of this package, which takes empty arrays where the types of the results are given."""

    def _vectorize_call(self, func: Any, args: Any) -> Any:
        if self.otypes is not None and is_tracing() and args and not np.prod(np.broadcast_shapes(*map(np.shape, args))):
            return np.vectorize._vectorize_call(self, func, [raw(a) for a in args])  # type: ignore[attr-defined]
        return super()._vectorize_call(func, args)


def __getattr__(name: str) -> Any:
    return import_module(f"{REBOUND}.numpy.polynomial") if name == "polynomial" else getattr(_OURS, name)
