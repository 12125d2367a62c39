"""What the engine calls of the layers above it, without importing them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

UFUNC_METHODS: dict[str, Callable[..., Any]] = {}
"""What the methods of ufuncs ("reduce", "at", ...) do to traced arguments, of which the ufunc is the first."""

GENERALIZED: dict[np.ufunc, Callable[..., Any]] = {}
"""Calls of generalized ufuncs of traced arguments with the keywords `axes`, `axis` and `keepdims`."""


@dataclass(init=False, repr=False, eq=False, slots=True)
class Hooks:
    """Functions of the layers above, which the engine calls without importing them: each layer sets its own.

    Reading one that no import has set raises `AttributeError` with its name.
    """

    # methods and attributes of traced arrays, of that name: `complex_autograd.array` and `rules.shape`
    astype: Callable[[Any, Any, Any, Any, bool], Any]
    copy: Callable[[Any, Any], Any]
    flat: Callable[[Any], Any]
    flatten: Callable[[Any, Any], Any]
    item: Callable[..., Any]
    plain_memory: Callable[[Any, Any, bool | None], Any]  # of a constant: what `__array__` returns
    resize: Callable[[Any, tuple[int, ...]], None]
    set_shape: Callable[[Any, Any], None]
    to_device: Callable[[Any, Any], Any]
    tolist: Callable[[Any], Any]
    view: Callable[[Any, Any, Any], Any]
    write: Callable[[Any, Any, Any], None]  # of a target, an index and values: what `target[index] = values` does
    # calls on traced values: `engine.dispatch`, `array.outputs`, `array.inplace`, `rules.ufunc_protocol`, `compat`
    are_foreign: Callable[
        [Iterable[type]], bool
    ]  # whether a type of another package wraps results of NumPy's functions
    call_function: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
    call_ufunc: Callable[[Any, str, tuple[Any, ...], dict[str, Any]], Any]
    call_with_out: Callable[[Any, Sequence[Any], dict[str, Any]], Any]
    in_place: Callable[[Any, Any, Any], Any]
    is_constant: Callable[[str, Any], bool]  # whether a conversion ("int", ...) in a frame gives a constant
    sparse_operator: Callable[[str, Any, Any], Any]
    # batches, while something is mapped over: `complex_autograd.batching`
    all_items: Callable[[Any], Any]  # the plain array of all items
    holds_batches: Callable[[Any], bool]  # whether a value, or one in trees among several, is mapped
    indices_of_items: Callable[[Any], Sequence[Any]]
    mapped_composition: Callable[[Any, Any, dict[str, Any]], Any]
    mapped_elements: Callable[[Any, Any, dict[str, Any]], Any]
    mapped_function: Callable[[Any, Any, dict[str, Any]], Any]
    mapped_linalg: Callable[..., Any]
    mapped_primitive: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
    mapped_ufunc: Callable[[Any, str, tuple[Any, ...], dict[str, Any]], Any]
    unbatched: Callable[[Any], Any]


HOOKS: Final = Hooks()
