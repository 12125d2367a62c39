"""The parts of autograd that user-defined rules use: cotangents of arguments that were broadcast, or are real."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....complex_autograd.transforms.arguments import as_array
from .numpy_wrapper import metadata

__all__ = ["match_complex", "repeat_to_match_shape", "replace_zero", "unbroadcast", "unbroadcast_f"]


def unbroadcast(x: Any, target_meta: Any, broadcast_idx: int = 0) -> Any:
    """A cotangent of a broadcast argument summed over the axes that this one has not got; `metadata` is of that."""
    shape, ndim, _, is_complex = target_meta
    x = as_array(x)
    while x.ndim > ndim:
        x = np.sum(x, axis=broadcast_idx)
    stretched = tuple(axis for axis, size in enumerate(shape) if size == 1)
    x = np.sum(x, axis=stretched, keepdims=True) if stretched else x
    return np.real(x) if x.dtype.kind == "c" and not is_complex else x


def unbroadcast_f(target: Any, f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A vector-Jacobian product whose result is an element of the space of an argument."""
    meta = metadata(target)
    return lambda g: unbroadcast(f(g), meta)


def match_complex(target: Any, x: Any) -> Any:
    """The real part where the target is real; complex where it is complex."""
    x = as_array(x)
    if np.iscomplexobj(target):
        return x if x.dtype.kind == "c" else x + 0j
    return np.real(x)


def replace_zero(x: Any, val: Any) -> Any:
    """An array with another value in the place of zeros."""
    return np.where(x, x, val)


def repeat_to_match_shape(g: Any, shape: Any, dtype: Any, axis: Any, keepdims: bool) -> Any:
    """The cotangent of a sum repeated over the axes that were summed, and how often."""
    if shape == ():
        return g, 1
    axes = tuple(range(len(shape))) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(a % len(shape) for a in axes)
    kept = tuple(1 if i in axes else size for i, size in enumerate(shape))
    repeated = np.broadcast_to(np.reshape(g, kept), shape)
    return repeated, int(np.prod([shape[a] for a in axes], dtype=int))
