"""Converts the arguments of rules to arrays: numbers, nested sequences, and wrappers of arrays of other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...backends import PRECISE, DeviceError, backend_of, backends, exact, is_precise, own
from .dispatch import holds_traced, lowered
from .errors import TraceError
from .hooks import HOOKS
from .space import dummy
from .trace import MAPPING
from .traced import Traced, peel, raw, settled

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
        return array_in(x) if holds_array(x) else owned(x)
    return stack_nested(x) if holds_traced(x) else _asarray(x)


def owned(x: Any) -> Any:
    """An array of a library as the type that its backend computes with; what no backend knows as it is."""
    try:
        return own(x)
    except DeviceError:
        return x


def variable(x: Any) -> Any:
    """As `owned`, for what is differentiated."""
    try:
        return backend_of(x).variable(x)
    except DeviceError:
        return x


def operand(x: Any) -> Any:
    """As `as_operand`, but a Python number stays one, so that it takes the dtype and the device of what it meets."""
    return x if issubclass(type(x), (int, float, complex)) else as_operand(x)


def asarray_like(x: Any, a: Any) -> Any:
    """As `as_operand`, but Python numbers and lists are put on the device of `a`."""
    made = as_operand(x)
    if made is x or isinstance(made, Traced) or holds_array(x):
        return made
    return namespace_of(a).asarray(made)


def operands(*args: Any) -> list[Any]:
    """The arguments as arrays; numbers and lists are put on the device of the first traced one, or else array.

    In a block of precision plain arrays become those of that precision, too, where one of them is.
    """
    arrays = [as_operand(x) for x in args]
    leader = next((x for x in arrays if isinstance(x, Traced)), None)
    if leader is None:
        leader = next((x for x in arrays if not issubclass(type(x), (np.ndarray, np.generic))), None)
        if leader is None or not any(backend.owns(type(leader)) for backend in backends()):
            return arrays
    made = [a if a is x else asarray_like(x, leader) for a, x in zip(arrays, args, strict=True)]
    return [_with_digits(a) for a in made] if PRECISE[0] and is_precise() else made


def _with_digits(a: Any) -> Any:
    """A plain array as one of the precision in force, which it stands beside: NumPy's algorithms would not do.

    Whole numbers stay as they are, for they may be orders of functions, but not where they are matrices.
    """
    is_plain = issubclass(type(a), (np.ndarray, np.generic))
    return exact(a) if is_plain and a.dtype.kind in ("fc" if a.ndim < 2 else "iufc") else a


def arange_like(a: Any, *bounds: int) -> Any:
    """`numpy.arange`, on the device of `a`: what indexes it."""
    return namespace_of(a).arange(*bounds)


def namespace_of(a: Any) -> Any:
    """What makes arrays on the device of `a`; of one that `vmap` maps over, on that of all its items."""
    return backend_of(all_items(a)).namespace


def all_items(a: Any) -> Any:
    """What `a` holds without levels; of one that `vmap` maps over, the array of all its items."""
    plain = raw(a)
    return HOOKS.all_items(plain) if MAPPING[0] else plain


def space_by_running(function: Any, args: Any, params: dict[str, Any]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """The shape and dtype of a result, from arrays that take no memory, on the device that the parameters are on."""
    try:
        x = function(*[dummy(a.shape, a.dtype) if hasattr(a, "dtype") else a for a in args], **params)
    except DeviceError:
        parts = [part for value in params.values() for part in (value if isinstance(value, tuple) else (value,))]
        make = next(backend_of(part).namespace for part in parts if hasattr(part, "dtype"))
        stand_ins = [np.broadcast_to(make.zeros((), a.dtype), a.shape) if hasattr(a, "dtype") else a for a in args]
        x = function(*stand_ins, **params)
    return x.shape, x.dtype


def plain_operand(x: Any) -> Any:
    """As `as_operand`, for what stands next to a traced array: a matrix or a masked array raises."""
    if type(x) is not Traced and type(x) is not np.ndarray:
        refuse_other_algebra(x, "an operand")
    return as_operand(x)


def holds_array(x: Any) -> bool:
    """Whether NumPy takes it for an array, and it does not answer NumPy's functions itself.

    Columns of pandas are so, labelled arrays of xarray, arrays of PyTorch and JAX; and what stands for a subclass of
    NumPy's array, which answers by what it holds.
    """
    kind = type(x)
    if kind not in _HOLD_ARRAYS:
        is_known = hasattr(kind, "__array_function__") or any(backend.owns(kind) for backend in backends())
        is_known = is_known and (kind is Traced or not issubclass(kind, Traced))
        _HOLD_ARRAYS[kind] = hasattr(kind, "__array__") and not is_known
    return _HOLD_ARRAYS[kind]


def array_in(x: Any) -> Any:
    """The array that such a thing holds, if it lies in the memory of the host; else `DeviceError`."""
    if isinstance(x, Traced):
        return settled(x)
    if isinstance(x, np.poly1d):
        return x.coeffs
    if hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] != _HOST:
        backend_of(x)
    return _asarray(x)


def _asarray(x: Any) -> Any:
    """NumPy's `asarray`; of an object whose `__array__` returns a traced value, that."""
    try:
        return np.asarray(x)
    except ValueError:
        made = traced_in(x)
        if made is None:
            raise
        return made


def traced_in(x: Any) -> Any:
    """The traced value that an object's `__array__` returns, which NumPy refuses to take; None where it has none."""
    if issubclass(type(x), (np.ndarray, Traced)) or not hasattr(type(x), "__array__"):
        return None
    made = x.__array__()
    return made if isinstance(made, Traced) else None


def refuse_other_algebra(x: Any, name: str) -> None:
    """Raise for the subclasses of NumPy's array whose operators and reductions are others."""
    if isinstance(x, (np.matrix, np.ma.MaskedArray)):
        raise TypeError(
            f"{name} is a {type(x).__name__}, whose products or reductions differ from those of arrays, which the "
            "rules assume. Pass a plain array (numpy.asarray(x), x.filled(0)), with @ for matrix products and a mask "
            "as where=."
        )


def stack_nested(items: Any) -> Any:
    """A nested sequence that holds traced values, or arrays on a device, as one array there."""
    leaves: list[Any] = []
    _leaves_into(leaves, items)
    namespace = next(namespace_of(x) for x in leaves if isinstance(x, Traced) or _is_elsewhere(x))
    made = _stacked(items, namespace)
    return made if hasattr(items, "dtype") or raw(made).flags.c_contiguous else made.copy("C")


def _stacked(item: Any, namespace: Any) -> Any:
    if isinstance(item, (list, tuple)):
        return np.stack([_stacked(part, namespace) for part in item])
    return item if hasattr(item, "dtype") else namespace.asarray(item)


def _is_elsewhere(x: Any) -> bool:
    """Whether it is an array that is not NumPy's."""
    return hasattr(type(x), "__array_ufunc__") and not issubclass(type(x), (np.ndarray, np.generic))


def _leaves_into(leaves: list[Any], items: Any) -> None:
    if isinstance(items, (list, tuple)):
        for item in items:
            _leaves_into(leaves, item)
    else:
        leaves.append(items)


# Arrays of Python objects: NumPy computes with them by the operators of their elements, so what it makes of traced
# elements is traced as well.


def holds_traced_objects(x: Any) -> bool:
    """Whether it is an array of objects with a traced value among them."""
    return type(x) is np.ndarray and x.dtype.char == "O" and any(map(holds_traced, x.flat))


def refuse_traced_objects(name: str, a: Any) -> None:
    """Raise if an array of objects that holds traced values is an argument of a primitive."""
    if holds_traced_objects(a):
        raise TraceError(
            f"{name}: an array of objects that holds traced values was combined with an array of numbers, which cannot "
            "hold them. Convert it to an array of numbers first: wirtinger.array(a.tolist())."
        )


def without_traced_objects(x: Any) -> Any:
    """What a differentiated function returned, unless it is an array of objects that holds traced values."""
    if holds_traced_objects(x):
        raise TraceError(
            "the function returned an array of objects that holds traced values, whose derivatives would be lost. "
            "Convert it to an array of numbers first: wirtinger.array(a.tolist())."
        )
    return x


def without_objects(x: Any) -> Any:
    """An array or a number that a differentiated function returned; what is neither raises."""
    if not hasattr(x, "dtype"):
        raise TypeError(
            f"the function returned a {type(x).__name__}, whose contents cannot be differentiated. Return arrays and "
            "numbers, or tuples, lists, dicts and dataclasses of them; register its class with register_tree; or "
            "return it as aux, with has_aux=True."
        )
    return without_traced_objects(x)


def object_array(items: Any) -> Any:
    """A traced array, or a nested sequence that holds traced values, as an array of objects.

    Its shape and its elements are those that NumPy finds where the values are plain.
    """
    shape = np.array(lowered(items), dtype=object).shape
    return np.fromiter((_element(items, index) for index in np.ndindex(shape)), object).reshape(shape)


def _element(items: Any, index: Sequence[int]) -> Any:
    depth = 0
    while depth < len(index) and isinstance(items, (list, tuple)):
        items = items[index[depth]]
        depth += 1
    if depth < len(index) or isinstance(items, Traced):
        return peel((items if isinstance(items, Traced) else np.asarray(items))[tuple(index[depth:])])
    return items
