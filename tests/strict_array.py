"""A strict array type: it stands in for a GPU array on a machine without one.

It reaches NumPy's functions by NumPy's two protocols, as CuPy's arrays do, and by nothing else.  It is never converted
to a NumPy array implicitly, and never mixes with one: only Python and NumPy scalars may stand beside it.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from wirtinger import AliasError  # noqa: F401  (the package is imported before the backend registers)
from wirtinger.backends import Backend, device_named, register_backend


class MixingError(TypeError):
    """A strict array met a NumPy array, or was converted to one."""


def wrap(x: Any) -> Any:
    """NumPy's result as the strict array type's."""
    if isinstance(x, (np.ndarray, np.generic)):
        return StrictArray(np.asarray(x))
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*[wrap(item) for item in x])
    if isinstance(x, (tuple, list)):
        return type(x)(wrap(item) for item in x)
    return x


def unwrap(x: Any) -> Any:
    """An argument for NumPy; a NumPy array among the arguments raises."""
    if isinstance(x, StrictArray):
        return x.host
    if isinstance(x, np.ndarray):
        raise MixingError(f"a NumPy array of shape {x.shape} was mixed with strict arrays")
    if isinstance(x, (tuple, list)):
        return type(x)(unwrap(item) for item in x)
    if isinstance(x, dict):
        return {key: unwrap(item) for key, item in x.items()}
    return x


def index_of(index: Any) -> Any:
    """An index for NumPy: its arrays may be strict or plain, for they are parameters and not data."""
    if isinstance(index, tuple):
        return tuple(index_of(part) for part in index)
    return index.host if isinstance(index, StrictArray) else index


class StrictArray:
    """An array on the strict device."""

    __slots__ = ("__weakref__", "host")
    __array_priority__ = 100.0
    __hash__ = None

    def __init__(self, host: np.ndarray) -> None:
        self.host = host

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise MixingError("a strict array was converted to a NumPy array implicitly")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(
            not isinstance(x, (StrictArray, np.generic, bool, int, float, complex, np.ndarray, list, tuple))
            for x in inputs
        ):
            return NotImplemented
        if method == "at":
            target, index, *values = inputs
            ufunc.at(target.host, index_of(index), *[unwrap(v) for v in values])
            return None
        return wrap(getattr(ufunc, method)(*[unwrap(x) for x in inputs], **unwrap(kwargs)))

    def __array_function__(self, function: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
        if any(kind.__name__ in ("Traced", "Zero") for kind in kinds):
            return NotImplemented
        return wrap(function(*unwrap(args), **unwrap(kwargs)))

    def __getitem__(self, index: Any) -> Any:
        return wrap(self.host[index_of(index)])

    def __setitem__(self, index: Any, value: Any) -> None:
        self.host[index_of(index)] = unwrap(value)

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(object.__getattribute__(self, "host"), name)
        if isinstance(attribute, (types.BuiltinMethodType, types.MethodType)):
            return lambda *args, **kwargs: wrap(attribute(*unwrap(args), **unwrap(kwargs)))
        return wrap(attribute) if isinstance(attribute, np.ndarray) and name != "base" else attribute

    @property
    def real(self) -> Any:
        return wrap(self.host.real)

    @real.setter
    def real(self, value: Any) -> None:
        self.host.real = unwrap(value)

    @property
    def imag(self) -> Any:
        return wrap(self.host.imag)

    @imag.setter
    def imag(self, value: Any) -> None:
        self.host.imag = unwrap(value)

    def __len__(self) -> int:
        return len(self.host)

    def __bool__(self) -> bool:
        return bool(self.host)

    def __int__(self) -> int:
        return int(self.host)

    def __float__(self) -> float:
        return float(self.host)

    def __index__(self) -> int:
        return self.host.__index__()

    def __repr__(self) -> str:
        return f"StrictArray({self.host!r})"


def _operator(ufunc: Any, reflected: bool) -> Any:
    def operate(self: Any, other: Any) -> Any:
        if type(other).__name__ in ("Traced", "Zero") or getattr(other, "__array_ufunc__", True) is None:
            return NotImplemented
        return ufunc(other, self) if reflected else ufunc(self, other)

    return operate


for _name, _ufunc in {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
    "matmul": np.matmul,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}.items():
    setattr(StrictArray, f"__{_name}__", _operator(_ufunc, reflected=False))
    setattr(StrictArray, f"__r{_name}__", _operator(_ufunc, reflected=True))
for _name, _ufunc in {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}.items():
    setattr(StrictArray, f"__{_name}__", _operator(_ufunc, reflected=False))
for _name, _ufunc in {"neg": np.negative, "pos": np.positive, "abs": np.absolute, "invert": np.invert}.items():
    setattr(StrictArray, f"__{_name}__", lambda self, _ufunc=_ufunc: _ufunc(self))


class _Namespace:
    """NumPy's creation functions, on the strict device."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(np, name)
        if not callable(function) or isinstance(function, type):
            return function

        def make(*args: Any, **kwargs: Any) -> Any:
            host = [x.host if isinstance(x, StrictArray) else x for x in args]
            return wrap(function(*host, **kwargs))

        return make


class StrictBackend(Backend):
    """The strict device."""

    name = "strict"
    device = "strict"
    namespace = _Namespace()

    def owns(self, kind: type) -> bool:
        return kind is StrictArray

    def to_host(self, x: Any) -> Any:
        return x.host.copy()

    def scatter_add(self, values: Any, index: Any, shape: tuple[int, ...]) -> Any:
        out = np.zeros(shape, values.dtype)
        np.add.at(out, index_of(index), values.host)
        return StrictArray(out)

    def kernel(self, name: str) -> Any:
        """The CPU's kernel, on strict arrays alone."""
        function = device_named("cpu").kernel(name)
        return lambda *args, **kwargs: wrap(function(*unwrap(args), **unwrap(kwargs)))


STRICT = StrictBackend()
register_backend(STRICT)
