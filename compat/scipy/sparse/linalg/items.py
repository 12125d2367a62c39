"""Functions of sparse matrices inside of `vmap`: a matrix whose values are mapped is another one for each item."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from .....complex_autograd.batching.batch import innermost
from .....complex_autograd.batching.loops import item_by_item
from .....complex_autograd.engine.trace import MAPPING
from .....complex_autograd.transforms.arguments import flatten, unflatten
from ..array import SparseArray

F = TypeVar("F", bound=Callable[..., Any])


def one_matrix_by_one(function: F) -> F:
    """A function of matrices that is called for one item after the other where their values are mapped."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = (*args, *kwargs.values())
        axis = innermost([x.data for x in given if isinstance(x, SparseArray)]) if MAPPING[0] else None
        if axis is None:
            return function(*args, **kwargs)
        leaves, structure = flatten((args, kwargs))

        def of_one(*leaves: Any) -> Any:
            each, options = unflatten(structure, leaves)
            return call(*each, **options)

        of_one.__module__, of_one.__name__ = function.__module__, function.__name__
        return item_by_item(of_one, leaves, {}, axis)

    return cast(F, call)
