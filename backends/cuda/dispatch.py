"""Dispatch of NumPy calls on GPU arrays: to the entry in `tables`, or to CuPy's function of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy
import numpy as np

from ...determinism.flag import IN_FORCE, current_scope
from .asking import function_at_level, ufunc_at_level
from .indexing import bare_index
from .operands import bare, refuse, wrapped
from .refusals import REFUSED, refuse_function
from .tables import FUNCTIONS, METHODS, SPECIAL, UFUNCS, load

_CALLS: dict[Any, Callable[..., Any]] = {}
"""Of each ufunc met so far: its call on bare arrays."""

_DIRECT: set[Any] = set()
"""The ufuncs whose call is a ufunc of CuPy's, which gives the kind of array that it is given."""

_KNOWN: dict[Any, Callable[..., Any]] = {}
"""Of each function met so far: what computes it."""


def apply_ufunc(kind: type, ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `__array_ufunc__` returns."""
    for x in inputs if method != "at" else (inputs[0], *inputs[2:]):
        if type(x) is not kind and not _is_compatible(x):
            return NotImplemented
    if method == "__call__" and not kwargs:
        call = _CALLS.get(ufunc) or call_of(ufunc)
        if IN_FORCE[0] and current_scope().setting.level:
            call = ufunc_at_level(ufunc, method, call, inputs)
        if ufunc in _DIRECT:
            return call(*[cupy.asarray(x) if isinstance(x, (list, tuple)) else x for x in inputs])
        return wrapped(call(*_arrays(inputs)), kind)
    load()
    out = kwargs.get("out")
    call = METHODS[method]
    if IN_FORCE[0] and current_scope().setting.level:
        call = ufunc_at_level(ufunc, method, call, inputs)
    if method == "at":
        result = call(ufunc, bare(inputs[0]), bare_index(inputs[1]), *_arrays(inputs[2:]))
    elif method == "__call__":
        result = call(ufunc, call_of(ufunc), *_arrays(inputs), **bare(kwargs))
    else:
        result = call(ufunc, *_arrays(inputs), **bare(kwargs))
    return _given(out, wrapped(result, kind))


def _is_compatible(x: Any) -> bool:
    """Whether an operand is ours to compute with; a NumPy array raises."""
    if issubclass(type(x), np.ndarray):
        refuse(x, "meet an array on a GPU")
    return not hasattr(type(x), "__array_ufunc__") or issubclass(type(x), (cupy.ndarray, np.generic))


def _arrays(inputs: tuple[Any, ...]) -> list[Any]:
    """Operands as bare arrays and numbers, literal lists as arrays on the device."""
    return [cupy.asarray(bare(x)) if isinstance(x, (list, tuple)) else bare(x) for x in inputs]


def _given(out: Any, result: Any) -> Any:
    """The arrays that a result was written into, where there are such."""
    if out is None:
        return result
    if not isinstance(out, tuple):
        return out
    if len(out) == 1:
        return out[0] if out[0] is not None else result
    return tuple(made if target is None else target for target, made in zip(out, result, strict=True))


def call_of(ufunc: Any) -> Callable[..., Any]:
    """What computes a ufunc of bare arrays."""
    if ufunc not in _CALLS:
        load()
        name = ufunc.__name__
        is_numpys = getattr(np, name, None) is ufunc
        found: Any = UFUNCS.get(ufunc) or (getattr(cupy, name, None) if is_numpys else SPECIAL.get(name))
        if found is None:
            refuse_function(_public_name(ufunc, is_numpys))
        if isinstance(found, cupy.ufunc):
            _DIRECT.add(ufunc)
        _CALLS[ufunc] = found
    return _CALLS[ufunc]


def _public_name(ufunc: Any, is_numpys: bool) -> str:
    if ufunc.__name__.endswith(" (vectorized)"):
        return "numpy.frompyfunc"
    return f"{'numpy' if is_numpys else 'scipy.special'}.{ufunc.__name__}"


def apply_function(kind: type, function: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """What `__array_function__` returns."""
    if not all(issubclass(each, (cupy.ndarray, np.ndarray)) for each in types):
        return NotImplemented
    call = _KNOWN.get(function) or _implementation(function)
    if IN_FORCE[0] and current_scope().setting.level:
        call = function_at_level(function, call, (*args, *kwargs.values()))
    return _given(kwargs.get("out"), wrapped(call(*bare(args), **bare(kwargs)), kind))


def _implementation(function: Any) -> Callable[..., Any]:
    load()
    module, name = function.__module__, function.__name__
    found: Any = FUNCTIONS.get(function)
    if found is None and module.partition(".")[0] == "numpy" and f"{module}.{name}" not in REFUSED:
        namespace: Any = cupy
        for part in module.split(".")[1:]:
            namespace = getattr(namespace, part, None)
        found = getattr(namespace, name, None)
    if found is None:
        refuse_function(f"{module}.{name}")
    return _KNOWN.setdefault(function, found)
