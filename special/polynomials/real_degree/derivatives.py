"""Partial derivatives in degrees and parameters, by kernels that take jets, and kernels of vectors in pieces.

A kernel `(*parameters, x)` is given its parameters as numbers, vectors or jets and its argument as a vector.  The
elements are sorted by the argument, so that those of a piece need about the same number of terms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...numerics.jets import Jet
from ...numerics.regions import Kernel, by_region, part, with_dtypes, within
from ...ufuncs.large_arrays import block_size
from ...ufuncs.parameters import check, double
from ..integer_degree.derivatives import INTEGER_DEGREES
from .degree_sweeps import falling

_PIECE = 4096
"""Elements at a time: what a kernel works on stays in the cache."""
_ALL = 1 << 20
_HIGHEST = 10000
"""The largest degree and parameter."""
_FARTHEST = 1e15


def vectors(*arguments: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The common shape of the arguments; vectors of them in double precision, but numbers stay, except the last."""
    args = [x if x.dtype.char in "dD" else double(x) for x in with_dtypes(*arguments)]
    shape = np.broadcast_shapes(*[x.shape for x in args])
    last = len(args) - 1
    if any(x.shape != shape and (x.ndim or i == last) for i, x in enumerate(args)):
        zero = np.zeros_like(sum(raw(x) for x in args), dtype=np.float64)
        args = [x if x.shape == shape or (x.ndim == 0 and i < last) else x + zero for i, x in enumerate(args)]
    columns = [np.reshape(x, (-1,)) if x.ndim or i == last else x for i, x in enumerate(args)]
    is_number = [type(x) in (np.float64, np.ndarray) and x.ndim == 0 and x.dtype.kind == "f" for x in columns]
    return shape, [float(x) if number else x for x, number in zip(columns, is_number, strict=True)]


def in_pieces(kernel: Callable[..., Any], *args: Any, is_sorted: bool = True) -> Any:
    """A kernel of vectors and numbers, of which the last is a vector, piece by piece in the order of that one."""
    x = args[-1]
    size = x.shape[0]
    if size <= _PIECE:
        return kernel(*args)
    if not is_sorted:
        pieces = [slice(k, k + _PIECE) for k in range(0, size, _PIECE)]
        return np.concatenate([kernel(*[part(a, piece) for a in args]) for piece in pieces])
    order = falling(np.real(raw(x)))
    pieces = [order[k : k + _PIECE] for k in range(0, size, _PIECE)]
    found = np.concatenate([kernel(*[part(a, piece) for a in args]) for piece in pieces])
    rank = np.empty_like(order)
    rank[order] = np.cumsum(np.ones_like(order)) - 1
    return found[rank]


def degree_derivative(
    kernel: Callable[..., Any], i: int, name: str, argument: str, degree: int = 0
) -> Callable[..., Any]:
    """The partial derivative in parameter `i` of a function, a rule `(w, *args)`.

    Parameters
    ----------
    kernel : callable
        Computes the function.
    i : int
        The position of the parameter.
    name, argument : str
        How messages call the function and the parameter.
    degree : int
        The position of the degree.

    Raises
    ------
    NotDifferentiableError
        By the rule, where the kernel gives no number although the function has a value.
    """
    at_integer = INTEGER_DEGREES.get((name, argument))

    def first_derivative(*args: Any) -> Any:
        jet = Jet({(0,): args[i], (1,): 1.0}, (1,))
        found = kernel(*args[:i], jet, *args[i + 1 :])
        return found.derivative(1)

    def by_jets(*args: Any) -> Any:
        try:
            return within(_reach(args, degree, i != degree), lambda *own: in_pieces(first_derivative, *own), *args)
        except ZeroDivisionError:  # of parameters that are numbers, where a coefficient has a pole
            return sum(args) * np.nan

    @block_size(_ALL)
    def partial(w: Any, *args: Any) -> Any:
        shape, inputs = vectors(*args)
        if raw(inputs[-1]).size == 0:
            return np.reshape(sum(inputs), shape)
        with np.errstate(all="ignore"):
            regions: list[tuple[Any, Kernel]] = [(True, by_jets)]
            if at_integer is not None and at_integer.takes(*inputs):
                regions.insert(0, (at_integer.holds(*inputs), at_integer.derivative))
            derivative = np.reshape(by_region(regions, *inputs), shape)
        check(raw(w), raw(derivative), name, argument)
        return derivative

    return partial


def _reach(args: Any, degree: int, is_constant: bool) -> Any:
    """Where all arguments are finite, and not too large for series; a constant integer degree needs none."""
    n, x = raw(args[degree]), raw(args[-1])
    inside = np.isfinite(sum(raw(a) for a in args)) & (np.abs(n) <= _HIGHEST)
    near = np.abs(x) <= _FARTHEST
    for parameter in args[:-1]:
        near = near & (np.abs(raw(parameter)) <= _HIGHEST)
    return inside & (near | (n >= 0) & (n == np.floor(n))) if is_constant else inside & near
