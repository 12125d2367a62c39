"""Arrays for which every operation consults the policy table: rules compute with them at the level `portable`.

Rules consist of NumPy's array functions, which reach any type of array through NumPy's two protocols.  The level of a
derivative is that of the operations in its rule; so the rule is given arrays of this type in place of NumPy's, and each
operation takes the route that the table has for it, or refuses.  Arrays that are not floating-point, whose arithmetic
is exact, are left unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from operator import index as as_index
from typing import Any, final

import numpy as np

from ..determinism import require
from ..determinism.families import FAMILY_OF
from ..determinism.flag import FIXED, deterministic, is_portable, observed
from ..determinism.refusals import by_route
from ..determinism.table import TABLE
from .base import Backend
from .operators import Operators

_PLAIN = (np.ndarray, np.generic, bool, int, float, complex, list, tuple, type(None))
_MOVING = {"astype", "copy", "diagonal", "flatten", "ravel", "repeat", "reshape", "squeeze", "swapaxes", "take"}
_MOVING |= {"item", "tobytes", "tolist", "transpose"}
"""Methods that compute nothing."""


@final
class AskingArray(Operators):
    """A real or complex array of NumPy's, or a number, whose operations ask which level is in force.

    Attributes
    ----------
    host : ndarray or number
        The same without asking.
    """

    __slots__ = ("__weakref__", "host")

    def __init__(self, host: Any) -> None:
        self.host = host

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if not all(issubclass(type(x), (AskingArray, *_PLAIN)) for x in inputs):
            return NotImplemented
        own = ufunc.__name__
        own = own if vars(np).get(own) is ufunc else f"special.{own}"
        name = own if method == "__call__" else f"{own}.{method}"
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        return computed(name, function, plain(inputs), plain(kwargs))

    def __array_function__(self, function: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
        if any(map(_comes_first, kinds)):
            return NotImplemented
        package = function.__module__.split(".")[1:2]
        name = ".".join([*(package if package in (["linalg"], ["fft"]) else []), function.__name__])
        if name not in FAMILY_OF and "." not in name:
            return asking(function(*plain(args), **plain(kwargs)))  # it does not compute with values
        return computed(name, function, plain(args), plain(kwargs))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(
            "a rule converts an array to NumPy's at the determinism level 'portable', where each of its operations is "
            "asked for its level: call the functions of numpy with it, which dispatch"
        )

    def __getitem__(self, index: Any) -> Any:
        return asking(self.host[plain(index)])

    def __setitem__(self, index: Any, value: Any) -> None:
        self.host[plain(index)] = plain(value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array"):  # by which NumPy would make of it an array that does not ask
            raise AttributeError(name)
        host = object.__getattribute__(self, "host")
        if name in _MOVING:
            return lambda *args, **kwargs: asking(getattr(host, name)(*plain(args), **plain(kwargs)))
        attribute = getattr(host, name)
        return partial(getattr(np, name), self) if callable(attribute) else asking(attribute)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self.host)))

    def __len__(self) -> int:
        return len(self.host)

    def __bool__(self) -> bool:
        return bool(self.host)

    def __int__(self) -> int:
        return int(self.host)

    def __float__(self) -> float:
        return float(self.host)

    def __complex__(self) -> complex:
        return complex(self.host)

    def __index__(self) -> int:
        return as_index(self.host)

    def __repr__(self) -> str:
        return repr(self.host)


def _comes_first(kind: type) -> bool:
    """Whether arrays of a type decide what is done, as those under differentiation."""
    return not issubclass(kind, _PLAIN) and getattr(kind, "__array_priority__", 0.0) > AskingArray.__array_priority__


def asking(x: Any) -> Any:
    """Floating-point arrays and numbers of NumPy's, also in tuples, lists and dicts, as those that ask."""
    kind = type(x)
    if kind is np.ndarray or issubclass(kind, np.generic):
        return AskingArray(x) if x.dtype.char in "efdFD" else x
    return _in_containers(asking, x)


def plain(x: Any) -> Any:
    """The same back again."""
    return x.host if type(x) is AskingArray else _in_containers(plain, x)


def _in_containers(change: Callable[[Any], Any], x: Any) -> Any:
    kind = type(x)
    if kind in (list, tuple):
        return kind(map(change, x))
    if kind is dict:
        return {key: change(item) for key, item in x.items()}
    return kind(*map(change, x)) if issubclass(kind, tuple) and hasattr(x, "_fields") else x


def asking_at_portable(x: Any) -> Any:
    """What a rule computes with: arrays that ask where the level `portable` is in force."""
    return asking(x) if FIXED[0] and is_portable() else x


def asking_result(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function, a partial derivative for one, whose operations ask, each for itself."""

    def call(*known: Any) -> Any:
        return asking(function(*asking(known)))

    return call


def computed(name: str, function: Callable[..., Any], args: Any, kwargs: Any, has_parts: bool = True) -> Any:
    """The result of an operation of plain arrays, by the route that the level in force wants, as one that asks.

    A kernel of LAPACK's has no parts.
    """
    dtypes = [x.dtype if hasattr(x, "dtype") else x for x in _numbers_in([*args, *kwargs.values()])]
    try:
        dtype = np.result_type(*dtypes) if dtypes else None
    except TypeError:
        dtype = None
    route = observed(name, require(name, "numpy", dtype, function if has_parts else None), function)
    return asking(by_route(route, function, args, kwargs))


def _numbers_in(x: Any) -> Iterator[Any]:
    if type(x) in (list, tuple):
        for item in x:
            yield from _numbers_in(item)
    elif hasattr(x, "dtype") or type(x) in (bool, int, float, complex):
        yield x


def by_parts(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """An operation whose parts ask, each for itself."""
    return plain(function(*asking(args), **asking(kwargs)))


class _Namespace:
    """NumPy's, whose `asarray` takes arrays that ask."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def asarray(self, x: Any, dtype: Any = None) -> Any:
        return asking(np.asarray(plain(x), dtype))


_NAMESPACE = _Namespace()


class Asking(Backend):
    """Arrays that ask; they lie where NumPy's do."""

    name = "numpy, operation by operation"
    device = "cpu, operation by operation"

    def __init__(self, cpu: Backend) -> None:
        super().__init__()
        self._cpu = cpu

    @property
    def policy(self) -> str:
        return self._cpu.policy

    @property
    def namespace(self) -> Any:
        return _NAMESPACE

    def owns(self, kind: type) -> bool:
        return kind is AskingArray

    def to_host(self, x: Any) -> Any:
        return self._cpu.to_host(plain(x))

    def scatter_add(self, values: Any, index: Any, shape: tuple[int, ...]) -> Any:
        return asking(self._cpu.scatter_add(plain(values), plain(index), shape))

    def kernel(self, name: str) -> Callable[..., Any]:
        function = self._cpu.kernel(name)

        def below(*args: Any, **kwargs: Any) -> Any:
            """The kernel by the best there is, where that is enough: at `portable` it would ask again."""
            with deterministic("schedule", warn_only=True):
                return function(*args, **kwargs)

        return lambda *args, **kwargs: computed(name, below, plain(args), plain(kwargs), has_parts=False)


TABLE.by_parts["numpy"] = by_parts
