"""Sparse arrays as trees, whose only child is `data`: `grad(f)(A)` is a sparse array of the pattern of `A`."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import scipy.sparse as scipy_sparse

from ....complex_autograd.engine.hooks import HOOKS
from ....complex_autograd.transforms.trees import register_tree
from .array import SparseArray, sparse_array
from .pattern import PARTS, Pattern, storable


def _flatten(matrix: Any) -> tuple[Sequence[Any], Pattern]:
    matrix = storable(matrix)
    return (matrix.data,), Pattern(matrix)


def _flatten_ours(a: SparseArray) -> tuple[Sequence[Any], Pattern]:
    return (a.data,), a.pattern


def _unflatten(pattern: Pattern, children: Sequence[Any]) -> Any:
    return sparse_array(pattern, children[0])


for _format in (*PARTS, "lil", "dok"):
    for _kind in ("array", "matrix"):
        register_tree(getattr(scipy_sparse, f"{_format}_{_kind}"), _flatten, _unflatten)
register_tree(SparseArray, _flatten_ours, _unflatten)


def operate(name: str, a: Any, b: Any) -> Any:
    """An operator of Python's between a sparse array of SciPy's and a traced array."""
    a, b = (traced_form(x) if scipy_sparse.issparse(x) else x for x in (a, b))
    own, reflected = f"__{name}__", f"__r{name}__"
    if isinstance(a, SparseArray):
        return getattr(operator, own)(a, b)
    return getattr(b, reflected)(a) if hasattr(b, reflected) else NotImplemented


HOOKS.sparse_operator = operate


def traced_form(matrix: Any) -> SparseArray:
    """A sparse array of SciPy's, with plain values, as one that operates with traced ones."""
    if isinstance(matrix, SparseArray):
        return matrix
    matrix = storable(matrix)
    return SparseArray(Pattern(matrix), matrix.data)
