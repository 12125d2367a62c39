"""The arguments of rules as arrays: numbers, nested sequences, and what holds an array of another library."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends import backend_of, backends
from .dispatch import holds_traced
from .traced import Traced, raw

_HOLD_ARRAYS: dict[type, bool] = {}
_HOST = 1
"""DLPack's number of the CPU."""


def as_operand(x: Any) -> Any:
    """Whatever is given as one array: arrays, traced or not, and numbers as they are; nested sequences stacked.

    What `holds_array` knows is taken as the array that it holds.
    """
    kind = type(x)
    if kind is np.ndarray or kind is Traced or issubclass(kind, np.generic):
        return x
    if hasattr(x, "dtype"):
        return array_in(x) if holds_array(x) else x
    return stack_nested(x) if holds_traced(x) else np.asarray(x)


def operand(x: Any) -> Any:
    """As `as_operand`, but a Python number stays one, so that it takes the dtype and the device of what it meets."""
    return x if issubclass(type(x), (int, float, complex)) else as_operand(x)


def beside(x: Any, a: Any) -> Any:
    """As `as_operand`, but Python numbers and lists are put on the device of `a`."""
    made = as_operand(x)
    return made if made is x or isinstance(made, Traced) else backend_of(raw(a)).namespace.asarray(made)


def operands(*args: Any) -> list[Any]:
    """The arguments as arrays; numbers and lists are put on the device of the first traced one."""
    arrays = [as_operand(x) for x in args]
    traced = next((x for x in arrays if isinstance(x, Traced)), None)
    if traced is None:
        return arrays
    return [a if a is x else beside(x, traced) for a, x in zip(arrays, args, strict=True)]


def on_host(x: Any) -> Any:
    """An array of indices or truth values, which carries no derivative, as a NumPy array."""
    x = raw(as_operand(x))
    return x if issubclass(type(x), np.ndarray) else backend_of(x).to_host(x)


def plain_operand(x: Any) -> Any:
    """As `as_operand`, for what stands beside a traced array: a matrix or a masked array raises."""
    if type(x) is not Traced and type(x) is not np.ndarray:
        refuse_other_algebra(x, "an operand")
    return as_operand(x)


def holds_array(x: Any) -> bool:
    """Whether NumPy takes it for an array, and it does not answer NumPy's functions itself.

    Columns of pandas are so, labelled arrays of xarray, arrays of PyTorch and JAX.
    """
    kind = type(x)
    if kind not in _HOLD_ARRAYS:
        is_known = hasattr(kind, "__array_function__") or any(backend.owns(kind) for backend in backends())
        _HOLD_ARRAYS[kind] = hasattr(kind, "__array__") and not is_known
    return _HOLD_ARRAYS[kind]


def array_in(x: Any) -> Any:
    """The array that such a thing holds, if it lies in the memory of the host; else `DeviceError`."""
    if hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] != _HOST:
        backend_of(x)
    return np.asarray(x)


def refuse_other_algebra(x: Any, name: str) -> None:
    """Raise for the subclasses of NumPy's array whose operators and reductions are others."""
    if isinstance(x, (np.matrix, np.ma.MaskedArray)):
        raise TypeError(
            f"{name} is a {type(x).__name__}, whose products or reductions are not those of arrays, which the rules "
            "are written for. Pass a plain array (numpy.asarray(x), x.filled(0)), with @ for matrix products and a "
            "mask as where=."
        )


def stack_nested(items: Any) -> Any:
    """A nested sequence that holds traced values, as one array on their device."""
    leaves: list[Any] = []
    _leaves_into(leaves, items)
    namespace = next(backend_of(raw(x)).namespace for x in leaves if isinstance(x, Traced))

    def stack(item: Any) -> Any:
        if isinstance(item, (list, tuple)):
            return np.stack([stack(part) for part in item])
        return item if hasattr(item, "dtype") else namespace.asarray(item)

    return stack(items)


def _leaves_into(leaves: list[Any], items: Any) -> None:
    if isinstance(items, (list, tuple)):
        for item in items:
            _leaves_into(leaves, item)
    else:
        leaves.append(items)
