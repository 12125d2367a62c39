"""Trees of arrays as vectors."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ....complex_autograd.transforms.arguments import as_array

__all__ = ["flatten", "flatten_func"]


def flatten(value: Any) -> tuple[Any, Callable[[Any], Any]]:
    """All numbers of a tuple, list or dict in one vector, and the way back.

    Dicts are walked in the order of their sorted keys.

    Examples
    --------
    >>> import wirtinger.compat.autograd.numpy as np
    >>> from wirtinger.compat.autograd.misc import flatten
    >>> vector, unflatten = flatten({"b": 3.0, "a": np.array([1.0, 2.0])})
    >>> vector
    array([1., 2., 3.])
    >>> unflatten(2 * vector)["a"]
    array([2., 4.])
    """
    leaves: list[Any] = []
    rebuild = _rebuilding(value, leaves)

    def unflatten(vector: Any) -> Any:
        vector = as_array(vector)
        size = sum(prod(x.shape) for x in leaves)
        if vector.shape != (size,):
            raise ValueError(f"the vector has shape {vector.shape}, and the tree has {size} numbers")
        return rebuild(vector)

    return np.concatenate([np.ravel(x) for x in leaves]) if leaves else np.zeros(0), unflatten


def _rebuilding(value: Any, leaves: list[Any]) -> Callable[[Any], Any]:
    """Append the leaves of a value to a list; the function that makes it again of a vector of all of them."""
    if isinstance(value, dict):
        of_keys = {key: _rebuilding(value[key], leaves) for key in sorted(value)}
        return lambda vector: {key: of_keys[key](vector) for key in value}
    if isinstance(value, (tuple, list)):
        kind = type(value)
        parts = [_rebuilding(x, leaves) for x in value]
        if hasattr(value, "_fields"):
            return lambda vector: kind(*[part(vector) for part in parts])
        return lambda vector: kind([part(vector) for part in parts])
    leaf = as_array(value)
    start = sum(prod(x.shape) for x in leaves)
    leaves.append(leaf)
    shape, dtype, stop = leaf.shape, leaf.dtype, start + prod(leaf.shape)

    def rebuilt(vector: Any) -> Any:
        part = np.reshape(vector[start:stop], shape)
        part = np.real(part) if part.dtype.kind == "c" and dtype.kind != "c" else part
        return part.astype(dtype)[()] if dtype.kind in "fc" else part[()]

    return rebuilt


def flatten_func(func: Callable[..., Any], example: Any) -> tuple[Callable[..., Any], Callable[[Any], Any], Any]:
    """A function of trees as one of vectors, the way back from these, and the vector of an example.

    Examples
    --------
    >>> from wirtinger.compat.autograd.misc import flatten_func
    >>> double, unflatten, vector = flatten_func(lambda pair: (2 * pair[0], pair[1]), (1.0, 2.0))
    >>> double(vector)
    array([2., 2.])
    """
    vector, unflatten = flatten(example)
    return (lambda x, *args: flatten(func(unflatten(x), *args))[0]), unflatten, vector
