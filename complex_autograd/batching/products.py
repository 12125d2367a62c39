"""The batching rules of products: a single product of the arrays of all items if one factor is common to all."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...determinism.flag import is_fixed
from ..engine.determinism_route import at_level
from ..engine.primitive import multilinear
from ..engine.traced import Traced
from ..rules.products.contractions import conjugate, contract
from ..rules.products.einsum import einstein_sum, letters_of
from ..rules.products.matrix_products import (
    conjugate_transpose,
    matmul,
    matvec,
    product,
    product_of_stacks,
    vecdot,
    vecmat,
)
from ..rules.products.products import dot, inner, vdot
from .batch import array_of, is_mapped, repeated, shape_of, with_axes
from .items import Axis
from .primitives import batching


def _is_one(b: Any) -> bool:
    """Whether the items of an array are all the same one, repeated without a copy."""
    return not isinstance(b, Traced) and b.strides[0] == 0 and b.shape[0] > 0


@multilinear(family="matrix products")
def rows_times(a: Any, b: Any) -> Any:
    """Each row of `a` times the matrix of its number in `b`: one product where these are one matrix, repeated."""
    return np.matmul(a, b[0]) if _is_one(b) else np.matmul(a[:, None, :], b)[:, 0, :]


@rows_times.space_of
def _(a: Any, b: Any) -> Any:
    return (a.shape[0], b.shape[2]), np.result_type(a.dtype, b.dtype)


# <g, da b> = <g H(b), da>,  <g, a db> = <H(a) g, db>, row by row
@rows_times.adjoint(0)
def _(g: Any, a: Any, b: Any) -> Any:
    return rows_times(g, _adjoint_of(b))


@rows_times.adjoint(1)
def _(g: Any, a: Any, b: Any) -> Any:
    return conjugate(a)[:, :, None] * g[:, None, :]


def _adjoint_of(b: Any) -> Any:
    """The conjugate transpose of each matrix; of one that is repeated, repeated."""
    if _is_one(b):
        return np.broadcast_to(conjugate(b[0]).T, (b.shape[0], b.shape[2], b.shape[1]))
    return np.swapaxes(conjugate(b), 1, 2)


@batching(matmul)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    return _matrix_product(axis, *args)


@batching(product_of_stacks)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    count = max(len(shape_of(x)) for x in args)
    x, y = [with_axes(array_of(x, axis), count) if is_mapped(x, axis) else x for x in args]
    return product(x, y)


def _matrix_product(axis: Axis, a: Any, b: Any) -> Any:
    dims = len(shape_of(a)), len(shape_of(b))
    mapped = is_mapped(a, axis), is_mapped(b, axis)
    if 0 in dims:
        return NotImplemented
    x, y = array_of(a, axis), array_of(b, axis)
    if mapped == (True, False):
        if dims == (1, 1) or dims == (1, 2) or (dims[0] > 1 and dims[1] == 1):
            return matmul(x, y)
        if dims == (2, 2):
            rows = np.reshape(x, (x.shape[0] * x.shape[1], x.shape[2]))
            return np.reshape(matmul(rows, y), (*x.shape[:2], y.shape[1]))
    if mapped == (False, True):
        if dims == (1, 1):
            return matmul(y, x)
        if dims == (2, 1):
            return matmul(y, np.swapaxes(x, 0, 1))
    if mapped == (True, True):
        if dims == (1, 2):
            return rows_times(x, y)
        if dims == (2, 1):
            return rows_times(y, np.swapaxes(x, 1, 2))
    count = max(*dims, 2)
    x = with_axes(x, count if dims[0] > 1 else 1) if mapped[0] else x
    y = with_axes(y, count if dims[1] > 1 else 1) if mapped[1] else y
    if dims[0] == 1:
        x = _as_matrix(x, mapped[0], count, row=True)
    if dims[1] == 1:
        y = _as_matrix(y, mapped[1], count, row=False)
    product = matmul(x, y)
    if dims[1] == 1:
        product = product[..., 0]
    return product[..., 0] if dims == (1, 1) else product[..., 0, :] if dims[0] == 1 else product


def _as_matrix(v: Any, is_mapped_too: bool, count: int, row: bool) -> Any:
    """Vectors as matrices of one row or column, with as many axes before these as the other factor has."""
    matrix = v[..., None, :] if row else v[..., None]
    return with_axes(matrix, count) if is_mapped_too else matrix


@batching(dot)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    a, b = args
    dims = len(shape_of(a)), len(shape_of(b))
    if dims[1] <= 2 and 0 not in dims:
        if dims[0] > 2 and is_mapped(b, axis) and not is_mapped(a, axis) and dims[1] == 2:
            a_rows = np.reshape(a, (-1, a.shape[-1]))
            found = matmul(a_rows, array_of(b, axis))
            return np.reshape(found, (axis.size, *a.shape[:-1], found.shape[-1]))
        return _matrix_product(axis, a, b)
    return _contracted(axis, a, b, (dims[0] - 1,), (max(dims[1] - 2, 0),))


@batching(inner)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    a, b = args
    return _contracted(axis, a, b, (len(shape_of(a)) - 1,), (len(shape_of(b)) - 1,))


@batching(contract)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    return _contracted(axis, *args, *params["axes"])


def _contracted(axis: Axis, a: Any, b: Any, of_a: Sequence[int], of_b: Sequence[int]) -> Any:
    """The sum of products over pairs of axes, by `einsum`."""
    letters = iter(string.ascii_letters)
    terms = [[next(letters) for _ in shape_of(x)] for x in (a, b)]
    for i, j in zip(of_a, of_b, strict=True):
        terms[1][j] = terms[0][i]
        if shape_of(a)[i] != shape_of(b)[j]:
            raise ValueError(f"shapes {shape_of(a)} and {shape_of(b)} not aligned")
    free = [x for i, x in enumerate(terms[0]) if i not in of_a] + [x for j, x in enumerate(terms[1]) if j not in of_b]
    return _einsum(axis, (a, b), ["".join(term) for term in terms], "".join(free), {"order": "C"})


@batching(einstein_sum)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    settings = {key: x for key, x in params.items() if key != "specification"}
    terms, output = letters_of(params["specification"], tuple(len(shape_of(x)) for x in args))
    return _einsum(axis, args, terms, output, settings)


def _einsum(axis: Axis, operands: Sequence[Any], terms: Sequence[str], output: str, settings: dict[str, Any]) -> Any:
    letter = next(x for x in reversed(string.ascii_letters) if x not in "".join(terms))
    inputs = [letter * is_mapped(x, axis) + term for x, term in zip(operands, terms, strict=True)]
    arrays = [array_of(x, axis) for x in operands]
    operands = (f"{','.join(inputs)}->{letter}{output}", *arrays)
    return at_level(np.einsum, "einsum", operands, settings) if is_fixed() else np.einsum(*operands, **settings)


@batching(vdot)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    a, b = (
        np.reshape(repeated(x, axis), (axis.size, int(np.prod(shape_of(x)))))
        if is_mapped(x, axis)
        else np.reshape(x, -1)
        for x in args
    )
    return np.vecdot(a, b)


def _of_stacks(product: Any, *core: int) -> None:
    """The rule of a product of stacks of vectors and matrices, by the axes of each factor."""

    @batching(product)
    def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
        if any(len(shape_of(x)) < n for x, n in zip(args, core, strict=True)):  # an error of each item
            return NotImplemented
        return product(*_stacks(axis, args, core))


_of_stacks(vecdot, 1, 1)
_of_stacks(matvec, 2, 1)
_of_stacks(vecmat, 1, 2)


def _stacks(axis: Axis, args: Sequence[Any], core: Sequence[int]) -> list[Any]:
    """The factors as stacks that broadcast against each other item by item."""
    depth = max(len(shape_of(x)) - n for x, n in zip(args, core, strict=True))
    return [
        with_axes(array_of(x, axis), depth + n) if is_mapped(x, axis) else x for x, n in zip(args, core, strict=True)
    ]


@batching(conjugate_transpose)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    if len(shape_of(args[0])) < 2:
        return NotImplemented
    return conjugate_transpose(array_of(args[0], axis))
