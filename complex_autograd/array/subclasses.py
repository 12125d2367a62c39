"""Traced values of subclasses of `numpy.ndarray`: `x.view(Subclass)`, with the subclass's methods and attributes.

Such an array is represented by an `OfSubclass`, which holds the traced value and has the functions that the subclass
and its bases define in Python; `super()` leads to the methods of traced values.  It never becomes an operand: to the
engine it belongs to a hidden level above all others, which continues with the value it holds.  Results of NumPy's
methods, ufuncs and functions belong to the subclass again: `__array_finalize__` is called for them, as in NumPy, and
`__array_wrap__` for results of ufuncs and reductions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, cached_property
from types import CellType, FunctionType, MemberDescriptorType, new_class
from typing import Any, Final

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ..engine.errors import TraceError
from ..engine.hooks import HOOKS
from ..engine.memory import no_raw_memory
from ..engine.space import Array
from ..engine.trace import Trace
from ..engine.traced import Traced
from .pairs import shown_as

_HEAP_TYPE = 1 << 9
"""The flag of CPython's types that are made by Python's class statement."""

_MADE_ANEW = frozenset(("__array_finalize__", "__class__", "__dict__", "__doc__", "__init__", "__new__", "__weakref__"))
"""Names that are not taken from a subclass, or only in their place."""

_PLAIN = """
    append block broadcast_to choose column_stack concatenate convolve copy corrcoef cov diag dstack
    eigh eig eigvals eigvalsh einsum hstack interp norm outer pad poly polyfit polymul roots select sinc
    stack svd svdvals tensordot tril triu unwrap vander vstack where
"""
"""The names of functions of NumPy that make plain arrays of subclasses; those of `numpy.fft` are more."""


_REDUCING = "amax amin max mean min prod std sum var"
"""Those of which NumPy makes an array without axes of the subclass, and no number."""


_NOT_WRAPPED = """
    append block broadcast_to column_stack concatenate copy diag dot dstack einsum expand_dims flip hstack interp inner
    moveaxis ravel repeat reshape roll squeeze stack swapaxes take tensordot transpose tril triu vstack where
"""
"""Those of which NumPy does not hand the result to the `__array_wrap__` of a subclass."""


class _Held(Trace):
    """The level of all arrays of subclasses: an operation goes on with the values that they hold."""

    __slots__ = ()

    level = sys.maxsize
    hidden = True

    def unary(self, rule: Any, z: Array) -> Array:
        return rule.function(z._value)

    def binary(self, rule: Any, a: Array, b: Array) -> Array:
        return rule.function(held(a), held(b))

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        return primitive(*map(held, args), **params)

    def settle(self, x: Array) -> Array:
        return held(x)

    def tidied(self, x: Array) -> Array:
        return held(x)


_HELD: Final = _Held()


def held(a: Any) -> Any:
    """The traced value that an array of a subclass holds, also in the arguments of a call; anything else as it is."""
    if isinstance(a, OfSubclass):
        return a._value
    if type(a) in (list, tuple):
        return type(a)(map(held, a))
    return {key: held(x) for key, x in a.items()} if type(a) is dict else a


def _of_value(name: str) -> Callable[..., Any]:
    """A method that goes on with the value that is held."""

    def method(self: Any, *args: Any, **options: Any) -> Any:
        return self._as_own(getattr(self._value, name)(*map(held, args), **held(options)))

    method.__name__ = name
    return method


def _written(name: str) -> property:
    """An attribute of the value that is held, which can be written into."""

    def write(self: Any, values: Any) -> None:
        setattr(self._value, name, held(values))

    return property(lambda self: self._as_own(getattr(self._value, name)), write)


class OfSubclass(NDArrayOperatorsMixin, Traced):  # type: ignore[metaclass]  # only its stub is an ABC
    """What stands for an array of a subclass of `numpy.ndarray` that is being differentiated.

    Attributes
    ----------
    subclass : type
        The subclass.
    """

    subclass: type
    _tracer = _HELD

    def __new__(cls, *args: Any, **options: Any) -> Any:
        """`type(x)(..)` makes an array of the subclass."""
        return cls.subclass(*args, **options)

    def __init__(self, *args: Any, **options: Any) -> None:
        pass

    @classmethod
    def _of(cls, value: Traced, source: Any) -> Any:
        """What stands for an array with a value, which comes from another array."""
        made = object.__new__(cls)
        made._value = value
        made.__array_finalize__(source)
        return made

    @property
    def _tangent(self) -> Any:
        return self._value._tangent

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self.subclass

    def _as_own(self, made: Any) -> Any:
        """A result as an array of the subclass, made from this one."""
        if type(made) in (list, tuple):
            return type(made)(map(self._as_own, made))
        if type(made) is not Traced or issubclass(made.__class__, np.generic):
            return made
        return type(self)._of(made, self)

    def __array_finalize__(self, source: Any) -> None:
        pass

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        made = getattr(ufunc, method)(*held(inputs), **held(options))
        outputs = options.get("out", ())
        return outputs[0] if len(outputs) == 1 else self._wrapped(made, (ufunc, inputs, 0))

    def _wrapped(self, made: Any, context: Any) -> Any:
        """What a ufunc made, as the subclass has it."""
        if type(made) is tuple:
            return tuple(self._wrapped(each, context) for each in made)
        if made is None or issubclass(made.__class__, np.generic):  # of `ufunc.at`, or a number
            return made
        return self.__array_wrap__(made, context, False)

    @classmethod
    def _wraps(cls) -> bool:
        """Whether the subclass changes what ufuncs return."""
        return cls.__array_wrap__ is not OfSubclass.__array_wrap__

    def __array_wrap__(self, made: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return self._as_own(made)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        if self._wraps() and function.__name__ not in (_NOT_WRAPPED + _REDUCING).split():
            raise TraceError(
                f"numpy.{function.__name__} of a {self.subclass.__name__} with a traced value: the __array_wrap__ of "
                "that subclass is only supported for ufuncs and reductions. Pass a plain array: x.view(numpy.ndarray)."
            )
        made = function(*held(args), **held(kwargs))
        if function.__name__ in _REDUCING.split():
            made = np.reshape(np.reshape(made, 1), ()) if issubclass(made.__class__, np.generic) else made
            return self._wrapped(made, None)
        is_plain = function.__name__ in _PLAIN.split() or function.__module__ == "numpy.fft"
        return made if is_plain else self._as_own(made)

    def __reduce__(self) -> Any:
        return self._value.__reduce__()

    def view(self, *args: Any, **options: Any) -> Any:
        """`ndarray.view`: of this subclass, where no other class is asked for."""
        made = self._value.view(*args, **options)
        return made if "type" in options or any(isinstance(a, type) for a in args) else self._as_own(made)

    __getitem__, __setitem__ = _of_value("__getitem__"), _of_value("__setitem__")
    astype, copy, flatten, to_device = map(_of_value, ("astype", "copy", "flatten", "to_device"))
    fill, partition, resize, sort = map(_of_value, ("fill", "partition", "resize", "sort"))
    flat, imag, real, shape = map(_written, ("flat", "imag", "real", "shape"))


def _view(a: Traced, dtype: Any, kind: Any) -> Any:
    """What `a.view(dtype, kind)` does: of a class, `a` as an array of it."""
    if kind is None and isinstance(dtype, type) and issubclass(dtype, (np.ndarray, OfSubclass)):
        dtype, kind = None, dtype
    kind = getattr(kind, "subclass", kind)
    shown = a[...]
    if dtype is not None and np.dtype(dtype) != a.dtype:
        shown = shown_as(a, np.dtype(dtype))
        if shown is None:
            no_raw_memory("view")
    if kind is None or kind is np.ndarray:
        return shown
    return _standing_for(kind)._of(shown, a)


HOOKS.view = _view


@cache
def _standing_for(kind: Any) -> Any:
    """The class of what stands for arrays of a subclass."""
    above = tuple(
        OfSubclass if base is np.ndarray else _standing_for(base) if issubclass(base, np.ndarray) else base
        for base in kind.__bases__
        if base is not object
    )
    refused = next((base for base in kind.__mro__ if _computes_otherwise(base)), None)
    if refused is not None:
        raise TraceError(
            f"a traced value cannot be viewed as {kind.__name__}: {refused.__module__}.{refused.__name__} is compiled, "
            "or its products or reductions differ from those of arrays. Keep the value an array, or drop the "
            "derivative on purpose: wirtinger.stop_gradient(x)."
        )
    own, names = CellType(), {"subclass": kind, "__module__": kind.__module__, "__qualname__": kind.__qualname__}
    for name, value in vars(kind).items():
        if (name not in _MADE_ANEW or name == "__array_finalize__") and type(value) is not MemberDescriptorType:
            names[name] = _in_class(value, own)
    made = new_class(kind.__name__, above, exec_body=lambda namespace: namespace.update(names))
    own.cell_contents = made
    return made


def _computes_otherwise(base: type) -> bool:
    """Whether a class above a subclass has no functions in Python that could be taken, or is one of NumPy's."""
    if base is object or not issubclass(base, np.ndarray) or base is np.ndarray:
        return False
    is_of_numpy = base.__module__.partition(".")[0] == "numpy"
    return is_of_numpy or not base.__flags__ & _HEAP_TYPE


def _in_class(value: Any, own: CellType) -> Any:
    """What a class defines, with another class as that of its `super()`."""
    if isinstance(value, (classmethod, staticmethod)):
        return value
    if isinstance(value, property):
        get, put, delete = (_in_class(f, own) for f in (value.fget, value.fset, value.fdel))
        return property(get, put, delete, value.__doc__)
    if isinstance(value, cached_property):
        return cached_property(_in_class(value.func, own))
    if type(value) is not FunctionType or "__class__" not in value.__code__.co_freevars:
        return value
    cells = [
        own if name == "__class__" else cell
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)
    ]
    made = FunctionType(value.__code__, value.__globals__, value.__name__, value.__defaults__, tuple(cells))
    made.__kwdefaults__, made.__qualname__, made.__doc__ = value.__kwdefaults__, value.__qualname__, value.__doc__
    vars(made).update(vars(value))
    return made
