"""What the kernels that integrate along a contour share: complex numbers as pairs of real arrays, in double precision.

Along the contours `s(v)` of this package the modulus of the integrand falls as a Gaussian does, and the trapezoidal
rule at the midpoints `v = (k + 1/2) h` converges geometrically; the integrand at `-v` is the conjugate of that at `v`.
Pairs are faster than complex arrays, for the transcendental functions then are real ones.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends import in_pieces

Pair = tuple[Any, Any]


def product(z: Pair, w: Pair) -> Pair:
    """`z w`."""
    return z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0]


def quotient(z: Pair, w: Pair) -> Pair:
    """`z / w`."""
    scale = 1 / (w[0] * w[0] + w[1] * w[1])
    return (z[0] * w[0] + z[1] * w[1]) * scale, (z[1] * w[0] - z[0] * w[1]) * scale


def times_power(z: Pair, w: Pair, n: int) -> Pair:
    """`z w**n`, also for a negative `n`."""
    for _ in range(abs(n)):
        z = product(z, w) if n > 0 else quotient(z, w)
    return z


def leibniz(n: int, first: Callable[[int], Any], second: Callable[[int], Any]) -> Any:
    """The derivative of order `n` of a product from the derivatives of its factors."""
    return sum(math.comb(n, k) * first(n - k) * second(k) for k in range(n + 1))


BLOCK = 4096
"""So many elements at a time stay in the cache through all the steps of a kernel."""
LONG_BLOCK = 16384
"""So many for a kernel that sorts its elements into groups, which it takes in shorter pieces."""
_BLOCKS_OF_A_THREAD = 3
"""At least."""


def in_double(function: Callable[..., Any] | None = None, *, block: int = BLOCK) -> Callable[..., Any]:
    """A kernel that computes in double precision, block by block over all cores.

    It returns the precision of its operands.  The kernel sees arrays of at least one dimension.
    """
    if function is None:
        return functools.partial(in_double, block=block)

    @functools.wraps(function)
    def computed(*args: Any, **params: Any) -> Any:
        dtype = np.result_type(*args)
        shape = np.broadcast_shapes(*[np.shape(a) for a in args])
        operands = [a * np.float64(1) for a in args]
        if math.prod(shape) > block:
            flat = [np.reshape(np.broadcast_to(a, shape), (-1,)) for a in operands]
            parts: list[Any] = [None] * -(-math.prod(shape) // block)

            def run(numbers: slice) -> None:
                for k in range(numbers.start, numbers.stop):
                    parts[k] = function(*[a[k * block : (k + 1) * block] for a in flat], **params)

            in_pieces(run, len(parts), max(1, _BLOCKS_OF_A_THREAD * BLOCK // block))
            out = np.reshape(np.concatenate(parts), shape)
        elif len(shape) == 1:
            out = function(*operands, **params)
        else:
            flat = [np.reshape(np.broadcast_to(a, shape), (-1,)) for a in operands]
            out = np.reshape(function(*flat, **params), shape)[()]
        return out.astype(dtype) if dtype.kind == "f" else out

    return computed
