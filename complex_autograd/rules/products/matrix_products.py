"""The matrix products that are ufuncs: `matmul`, `matvec`, `vecmat`, `vecdot`.

All are linear in each factor, or conjugate-linear where NumPy conjugates (`vecdot`, `vecmat`).  The adjoints follow
from `<g, da b> = <g H(b), da>` and `<g, a db> = <H(a) g, db>`, with `H` the conjugate transpose.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from ....backends import DeviceError, backend_of
from ....backends.native import small_stacks
from ....determinism.flag import IN_FORCE, current_scope
from ...engine.determinism_route import required_route
from ...engine.dispatch import with_foreign
from ...engine.opaque import NEW_ARRAYS, RECORDING, is_on_host, is_symbolic, opaque_call
from ...engine.operands import plain_operand
from ...engine.primitive import BOUND_TO_FACTORS, linear, multilinear
from ...engine.protocols import leaves_operator_to
from ...engine.reverse import ReverseTrace
from ...engine.traced import Traced, peel, top_trace
from ...engine.zero import ZERO
from .contractions import conjugate, contract

_SMALL: Final = 16
"""A stack of matrices with no more columns is copied: NumPy's `matmul` is slow where rows are not contiguous."""

_COLUMNS: Final = 8
"""Up to so many the C library multiplies stacks faster than NumPy: 5000 of 8x8 in 0.36 ms on one thread (NumPy: 0.42),
complex 1.2 (3.0); of 12x12 in 1.4 (0.66)."""
MANY: Final = 30_000
"""Elements from which on the C library transposes a stack: a call takes 20 us; 4000 4x4 86 (NumPy 113)."""


def H(a: Any) -> Any:
    """The conjugate transpose of the matrices in the last two axes."""
    if type(a) is np.ndarray:
        if a.ndim > 2 and a.size >= MANY and small_stacks.takes(a):
            return small_stacks.adjoint(a)
        transposed = np.ascontiguousarray(a.mT) if a.ndim > 2 and a.shape[-1] <= _SMALL else a.mT
        return transposed.conj() if a.dtype.kind == "c" else transposed
    if RECORDING[0] and is_on_host(a):
        return opaque_call(H, (a,), {})
    return conjugate_transpose(a)


@linear(family="data movement")
def conjugate_transpose(a: Any) -> Any:
    """The conjugate transpose of the matrices in the last two axes."""
    return conjugate(a.mT)


@conjugate_transpose.adjoint(0, takes_batches=True)
def _(g: Any, a: Any) -> Any:
    return H(g)


def product(a: Any, b: Any) -> Any:
    """`a @ b`; of stacks of small matrices by the C library, where there is one."""
    if IN_FORCE[0] and (route := _route(a, b)) is not None:
        return route(a, b)
    if a is not ZERO and b is not ZERO and (a.ndim > 2 or b.ndim > 2):
        if _is_small(a, b) and a.shape[-1] == b.shape[-2]:
            return small_stacks.matmul(a, b)
        if min(a.ndim, b.ndim) > 1 and (isinstance(a, Traced) or isinstance(b, Traced)):
            return product_of_stacks(a, b)
        if RECORDING[0] and is_symbolic((a, b)):
            return opaque_call(product, (a, b), {})
    return np.matmul(a, b)


def _is_recorded(a: Any, b: Any) -> bool:
    """Whether a program is recorded of a product that the C library may have."""
    if not RECORDING[0] or isinstance(a, Traced) or isinstance(b, Traced):
        return False
    return a is not ZERO and b is not ZERO and max(a.ndim, b.ndim) > 2 and is_symbolic((a, b))


def _is_small(a: Any, b: Any) -> bool:
    """Whether the C library multiplies these stacks, or their transposes, faster than NumPy."""
    return small_stacks.takes(a, b) and b.shape[-1] <= _COLUMNS and b.shape[-2] <= _COLUMNS


def adjoint_times(a: Any, b: Any) -> Any:
    """`H(a) b`."""
    if not IN_FORCE[0] and _is_small(a, b) and a.shape[-2] == b.shape[-2]:
        return small_stacks.matmul(a.mT, b, (True, False))
    return opaque_call(adjoint_times, (a, b), {}) if _is_recorded(a, b) else product(H(a), b)


def times_adjoint(a: Any, b: Any) -> Any:
    """`a H(b)`."""
    if not IN_FORCE[0] and _is_small(a, b) and a.shape[-1] == b.shape[-1]:
        return small_stacks.matmul(a, b.mT, (False, True))
    return opaque_call(times_adjoint, (a, b), {}) if _is_recorded(a, b) else product(a, H(b))


NEW_ARRAYS.update((product, adjoint_times, times_adjoint))


def times(a: Any, b: Any) -> Any:
    """`a @ b` while somebody asks for a level of determinism, which can send it elsewhere."""
    route = _route(a, b)
    return a @ b if route is None else route(a, b)


def _route(a: Any, b: Any) -> Any:
    """What the determinism flag puts in place of `matmul`, if anything."""
    return required_route("matmul", (a, b), np.matmul) if current_scope().setting.level else None


@multilinear
def matmul(a: Any, b: Any) -> Any:
    """The product of matrices, with NumPy's rules for vectors and stacks."""
    return np.matmul(a, b)


@multilinear(family="matrix products")
def product_of_stacks(a: Any, b: Any) -> Any:
    """`product` of matrices, one of which is a stack."""
    return product(a, b)


def _space(a: Any, b: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    rows, columns = a.shape[-2:-1], b.shape[-1:] if b.ndim > 1 else ()
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return stack + rows + columns, np.result_type(a.dtype, b.dtype)


def _in_first(g: Any, a: Any, b: Any) -> Any:
    if a.ndim == 1 < b.ndim:
        return matvec(conjugate(b), g)
    if a.ndim == 2 and b.ndim > 2:  # one product in place of a stack of them and their sum
        stack = tuple(range(g.ndim - 2))
        return contract(g, conjugate(b), axes=((*stack, g.ndim - 1), (*stack, g.ndim - 1)))
    return _first_of_matrices(b, g)


def _in_second(g: Any, a: Any, b: Any) -> Any:
    if a.ndim == 1:
        return conjugate(a)[:, None] * g[..., None, :] if b.ndim > 1 else conjugate(a) * g
    if b.ndim == 1:
        return matvec(H(a), g)
    if b.ndim == 2 < a.ndim:
        return contract(conjugate(a), g, axes=(tuple(range(a.ndim - 1)),) * 2)
    return _second_of_matrices(a, g)


for _each in (matmul, product_of_stacks):
    _each.space_of(_space)
    _each.adjoint(0)(_in_first)
    _each.adjoint(1)(_in_second)


@multilinear
def matvec(a: Any, b: Any) -> Any:
    """Matrices times vectors."""
    return np.matvec(a, b)


@matvec.adjoint(0)
def _(g: Any, a: Any, b: Any) -> Any:
    return g[..., None] * conjugate(b)[..., None, :]


@matvec.adjoint(1)
def _(g: Any, a: Any, b: Any) -> Any:
    return matvec(H(a), g)


@multilinear
def vecmat(a: Any, b: Any) -> Any:
    """`conj(a)`, vectors, times matrices."""
    return np.vecmat(a, b)


@vecmat.adjoint(0)
def _(g: Any, a: Any, b: Any) -> Any:
    return matvec(b, conjugate(g))


@vecmat.adjoint(1)
def _(g: Any, a: Any, b: Any) -> Any:
    return a[..., None] * g[..., None, :]


@multilinear
def vecdot(a: Any, b: Any) -> Any:
    """`sum(conj(a) b)` over the last axis."""
    return np.vecdot(a, b)


@vecdot.adjoint(0)
def _(g: Any, a: Any, b: Any) -> Any:
    return conjugate(g)[..., None] * b


@vecdot.adjoint(1)
def _(g: Any, a: Any, b: Any) -> Any:
    return g[..., None] * a


def _first_of_matrices(b: Any, g: Any) -> Any:
    """The cotangent of `a` in `a @ b`."""
    if b.ndim > 1:
        return times_adjoint(g, b) if IN_FORCE[0] or g.ndim > 2 else g @ H(b)
    return g[..., None] * conjugate(b)


def _second_of_matrices(a: Any, g: Any) -> Any:
    """The cotangent of a matrix `b` in `a @ b`."""
    return adjoint_times(a, g) if IN_FORCE[0] or g.ndim > 2 else H(a) @ g


def _vector_of_matrix(a: Any, g: Any) -> Any:
    """The cotangent of a vector `b` in `a @ b`, or of a batch of them."""
    return times(H(a), g) if g.ndim == 1 else times(g, conjugate(a))


def _both_of_matrices(a: Any, b: Any, g: Any) -> Any:
    """The cotangents of `a` and `b` in `a @ b`."""
    return _first_of_matrices(b, g), (_second_of_matrices if b.ndim > 1 else _vector_of_matrix)(a, g)


BOUND_TO_FACTORS.update((_first_of_matrices, _second_of_matrices, _vector_of_matrix, _both_of_matrices))


def _is_foreign(x: Any) -> bool:
    """Whether no backend knows the type of an operand: its own `@` is asked then."""
    if issubclass(type(x), (Traced, np.ndarray)):
        return False
    try:
        backend_of(x)
    except DeviceError:
        return True
    return False


def product_of_matrices(a: Any, b: Any) -> Any:
    """`a @ b`; a single matrix times a matrix or a vector in reverse mode records its node at once."""
    if a is ZERO or b is ZERO:
        return ZERO
    if leaves_operator_to(a) or leaves_operator_to(b):
        return with_foreign("matmul", a, b)
    a, b = plain_operand(a), plain_operand(b)
    if _is_foreign(a) or _is_foreign(b):
        return with_foreign("matmul", a, b)
    trace = top_trace((a, b))
    if type(trace) is not ReverseTrace or a.ndim != 2 or not 0 < b.ndim < 3:
        return matmul(a, b)
    parents: Any
    if type(b) is not Traced or b._tracer is not trace:
        x, y = a._value, peel(b)
        parents, adjoint = a._tangent, partial(_first_of_matrices, trace.kept.keep(y))
    elif type(a) is not Traced or a._tracer is not trace:
        x, y = peel(a), b._value
        adjoint = partial(_second_of_matrices if y.ndim > 1 else _vector_of_matrix, trace.kept.keep(x))
        parents = b._tangent
    else:
        x, y = a._value, b._value
        parents, adjoint = (a._tangent, b._tangent), partial(_both_of_matrices, x, y)
    w = times(x, y) if IN_FORCE[0] else np.matmul(x, y)
    return trace.record(w, parents, adjoint)
