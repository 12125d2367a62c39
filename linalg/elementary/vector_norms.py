"""The lengths of vectors, over any axes and of any order.

The differential of a vector norm is `Re sum(conj(u) da)` with the gradient `u`.  With the phases `t = a / |a|`, 0 at 0,
it is `a / norm` for order 2, `t` for 1, the mean of `t` over the extreme elements for inf and -inf, and
`t (|a| / norm)^(p-1)` for p.  At kinks that is the subgradient of least norm: 0 where the norm or the element is 0.
There a norm of order 2 has smooth powers (`lengths`), and may have an unknown second derivative (`kinks`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

import numpy as np

from ...complex_autograd.engine.determinism_route import asked
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.kinks import (
    are_kinks_noted,
    direction_at_kink,
    note_kink,
    subgradient_offset,
    unknown_at,
)
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.space import total
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.elementwise.absolute import sign_beside
from ...complex_autograd.rules.elementwise.lengths import has_zeros, length_power, remember


@primitive
def vector_length(a: Any, *, order: float, axes: tuple[int, ...], kernel: Any, settings: dict[str, Any]) -> Any:
    """A vector norm over some axes; the kernel is NumPy's function, called with the settings."""
    return kernel(a, **settings)


# dw = Re sum(conj(u) da), with u the gradient of the norm: at a kink that of least norm, or another that is asked for
@vector_length.differential
def _(w: Any, a: Any, da: Any, *, order: float, axes: tuple[int, ...], **settings: Any) -> Any:
    kept, is_smooth = _kept(w, a, axes), _may_have_smooth_functions(a, order, axes)
    r = np.abs(raw(a)) if order == 1 else kept
    note_kink(r, a, "numpy.linalg.norm", is_smooth)
    u, other = _gradient(kept, a, order, axes), subgradient_offset(r, a) if is_smooth else None
    u = u if other is None else u + other
    moved = total(np.real(np.conj(u) * da), axes, keepdims=False)
    return np.reshape(moved, w.shape)


@vector_length.adjoint_by_hand
def _(g: Any, w: Any, a: Any, *, order: float, axes: tuple[int, ...], **settings: Any) -> Any:
    c = _kept(g, a, axes) * _gradient(_kept(w, a, axes), a, order, axes)
    is_smooth = _may_have_smooth_functions(a, order, axes)
    if type(a) is not Traced and not (is_smooth and are_kinks_noted(a)):
        return (c,)
    least = np.reshape(np.min(np.abs(raw(a)), axis=axes, initial=np.inf), w.shape) if order == 1 else w
    unknown = unknown_at(g, least, a, "numpy.linalg.norm", is_smooth)
    if unknown is None:
        return (c,)
    unknown = _kept(unknown, a, axes) * direction_at_kink(a)
    return (c + (unknown * (np.abs(raw(a)) == 0) if order == 1 else unknown),)


def _may_have_smooth_functions(a: Any, order: float, axes: tuple[int, ...]) -> bool:
    """Whether `f(w)` can have a second derivative other than 0 where `w = 0`: `w**2` has to be a quadratic form."""
    return order == 2 or (order != 0 and prod(a.shape[i] for i in axes) == 1)


def _kept(w: Any, a: Any, axes: tuple[int, ...]) -> Any:
    """A reduced array with the reduced axes at length one."""
    return w.reshape(tuple([1 if i in axes else n for i, n in enumerate(a.shape)]))


def _gradient(w: Any, a: Any, order: float, axes: tuple[int, ...]) -> Any:
    if order == 0:
        return 0 * a
    if order == 2:
        return a / _or_infinite(w)
    phases = np.sign(a) if type(a) is Traced or a.dtype.kind != "c" else sign_beside(np.abs(a), a)
    if order == 1:
        return phases
    if abs(order) == np.inf:
        extreme = (np.abs(asked(a)) == asked(w)).astype(raw(w).dtype)
        return phases * (extreme / np.sum(extreme, axis=axes, keepdims=True))
    zero = _is_zero(a)
    if 0 < order < 1 and np.any(raw(zero)):
        raise NotDifferentiableError(
            "numpy.linalg.norm", f"of order {order} it has an infinite derivative at elements that are 0"
        )
    return phases * (np.abs(a) / _or_infinite(w) + zero) ** (order - 1)


def _is_zero(a: Any) -> Any:
    """1 where an element is zero, else 0."""
    a = raw(a)
    return (a == 0).astype(a.real.dtype)


def _or_infinite(w: Any) -> Any:
    """`w`, and infinity where it is 0: a quotient by it is 0 there, and so is its derivative."""
    return np.where(raw(w) == 0, np.inf, w)


def vector(a: Any, order: Any, axes: tuple[int, ...], kernel: Any, **settings: Any) -> Any:
    """A vector norm by a function of NumPy's and its settings, which remembers of what it is if its order is 2."""
    order = 2 if order is None else order
    if isinstance(order, str):
        raise ValueError(f"Invalid norm order '{order}' for vectors")
    w = vector_length(a, order=float(order), axes=axes, kernel=kernel, settings=settings)
    if order != 2 or not isinstance(w, Traced):
        return w
    return remember(w, _power_of_length, a, axes, partial(kernel, **settings))


def _power_of_length(
    power: Callable[..., Any], exponent: tuple[Any, ...], w: Any, a: Any, axes: tuple[int, ...], length: Any
) -> Any:
    if not has_zeros(w):
        return None
    return length_power(a, kernel=lambda a: power(length(a), *exponent), n=float(*exponent or (2,)), axes=axes)
