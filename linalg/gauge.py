"""Repeated values and the freedom of their vectors.

Eigenvectors and singular vectors are determined up to a phase, and up to a unitary matrix where values are equal.  A loss
has a derivative through them only if it does not depend on that choice; whether it does, its cotangent shows: along the
free directions, the skew-Hermitian matrices inside the blocks of equal values, the cotangent must vanish.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ..complex_autograd.array import Traced, raw
from ..complex_autograd.errors import GaugeError
from ..complex_autograd.forward import ForwardTrace
from .triangles import identity


__all__ = [
    "TIED",
    "block_vectors",
    "equal_values",
    "forward_direction",
    "is_negligible",
    "is_uneven",
    "mean_over",
    "refuse_coupling",
    "refuse_gauge",
    "refuse_outside",
    "refuse_slope_at_zero",
    "zero_values",
]

TIED = 16.0
"""Values are equal if they differ by less than this times `n eps` times the largest: LAPACK's rounding errors."""


def forward_direction(a: Any) -> Any:
    """The tangent of a traced array in forward mode, as a plain array; None where there is none."""
    while isinstance(a, Traced):
        if isinstance(a.trace, ForwardTrace):
            return raw(a.tangent)
        a = a.value
    return None


def equal_values(values: Any) -> Any:
    """Which of the sorted values in the last axis are equal up to rounding.

    Returns
    -------
    ndarray (..., n, n) or None
        1 where they are equal (so on the diagonal), 0 elsewhere; None if all are distinct.
    """
    n = values.shape[-1]
    if n < 2:
        return None
    rounding = TIED * n * float(np.finfo(values.dtype).eps)
    if values.ndim == 1 and n <= 16 and _are_apart(values.tolist(), rounding):
        return None
    gaps = np.abs(values[..., 1:] - values[..., :-1])
    apart = gaps > rounding * np.max(np.abs(values), axis=-1, keepdims=True)
    if np.all(apart):
        return None
    first = np.zeros_like(apart[..., :1], dtype=int)
    block = np.concatenate([first, np.cumsum(apart, axis=-1)], axis=-1)
    return (block[..., :, None] == block[..., None, :]).astype(values.dtype)


def zero_values(s: Any, size: int) -> Any:
    """1 where the descending singular values of matrices with sides up to `size` are zero, 0 elsewhere; None if none is."""
    if s.shape[-1] == 0:
        return None
    rounding = TIED * size * float(np.finfo(s.dtype).eps)
    if s.ndim == 1 and s[-1] > rounding * s[0]:
        return None
    small = s <= rounding * s[..., :1]
    return small.astype(s.dtype) if np.any(small) else None


def _are_apart(values: list[float], rounding: float) -> bool:
    """Whether sorted numbers are distinct; faster than with arrays for a few."""
    allowed = rounding * max(abs(values[0]), abs(values[-1]))
    return all(abs(y - x) > allowed for x, y in pairwise(values))


def mean_over(same: Any, g: Any) -> Any:
    """Every element of the last axis replaced by the mean over the values equal to its own."""
    return (same @ g[..., None])[..., 0] / np.sum(same, axis=-1)


def is_negligible(part: Any, whole: Any) -> bool:
    """Whether a part of a cotangent is rounding beside the whole."""
    whole = raw(whole)
    allowed = np.sqrt(np.finfo(whole.dtype).eps) * np.max(np.abs(whole), initial=0.0)
    return bool(np.max(np.abs(raw(part)), initial=0.0) <= allowed)


def is_uneven(g: Any, same: Any) -> bool:
    """Whether a cotangent differs over equal values."""
    g = raw(g)
    return not is_negligible((g[..., :, None] - g[..., None, :]) * same, g)


def block_vectors(same: Any, p: Any) -> Any:
    """The unitary matrices, inside the blocks of equal values, that diagonalize the Hermitian `p` in each block."""
    first = np.argmax(same, axis=-1).astype(same.dtype)  # where the block of each value starts
    size = np.max(np.abs(p), axis=(-2, -1), keepdims=True)
    separated = first[..., None] * identity(same) * (4 * same.shape[-1] * (size + (size == 0)))
    return np.linalg.eigh(p * same + separated)[1] * same


def refuse_gauge(function: str, skew: Any, same: Any, size: Any, what: str) -> None:
    """Raise if a cotangent has a component along the free directions.

    Parameters
    ----------
    function : str
        The function, for the message.
    skew : array (..., n, n)
        The skew-Hermitian part of `H(v) gv`.
    same : array (..., n, n)
        1 where values are equal.
    size : array (..., n, n)
        Something as large as the cotangent.
    what : str
        What the columns are: "eigenvectors", ...
    """
    skew, size = raw(skew), raw(size)
    if same is None:
        if skew.dtype.kind != "c":
            return
        same = identity(skew)
    violation = np.abs(skew) * same
    worst = np.max(violation, initial=0.0)
    allowed = np.sqrt(np.finfo(skew.dtype).eps) * np.max(np.abs(size), initial=0.0)
    if worst <= allowed:
        return
    *item, i, j = (int(k[0]) for k in np.nonzero(violation == worst))
    place = f" of matrix {tuple(item)}" if item else ""
    if i == j:
        freedom = f"the phase of column {i} of the {what}{place}, which is arbitrary"
    else:
        freedom = f"the choice of basis of columns {min(i, j)} and {max(i, j)} of the {what}{place}, whose values are equal"
    raise GaugeError(
        f"{function}: the loss depends on {freedom}; the component of its cotangent along that freedom is "
        f"{float(worst):.1e}, where {float(allowed):.1e} is rounding. Use a quantity that does not depend on the choice: "
        "abs(v), v @ H(v) over all columns of equal values, or a function of the matrix."
    )


def refuse_coupling(function: str, values: Any, vectors: Any, same: Any, what: str) -> None:
    """Raise if a loss mixes equal values with their vectors, so that its derivative does not follow from its cotangents.

    For such a loss (`v @ diag(f(w)) @ H(v)`) the derivative involves how the cotangent of the values turns with the
    vectors.  It is certain not to be one if the vectors of a block are used through the whole block alike, or if the
    values are used alike and the vectors are not.
    """
    if same is None or values is None or vectors is None:
        return
    g, m = raw(values), raw(vectors)
    tolerance = np.sqrt(np.finfo(g.dtype).eps)
    shared = same * (1 - identity(same))
    diagonal = np.real(np.diagonal(m, axis1=-2, axis2=-1))
    size = np.max(np.abs(m), initial=0.0)
    across = np.abs(m) * shared > tolerance * size
    uneven = np.abs(diagonal[..., :, None] - diagonal[..., None, :]) * shared > tolerance * size
    mixed = np.abs(g[..., :, None] - g[..., None, :]) * shared > tolerance * np.max(np.abs(g), initial=0.0)
    used = np.any(across | uneven, axis=(-2, -1))
    doubtful = used & (np.any(mixed, axis=(-2, -1)) | ~np.any(uneven, axis=(-2, -1)))
    if np.any(doubtful):
        raise GaugeError(
            f"{function}: the loss mixes equal values with their {what}, as v @ diag(f(w)) @ H(v) does. Its derivative "
            "exists, but does not follow from the derivatives of values and vectors where values are equal. Use the "
            "function of the matrix itself (inv, pinv, matrix_power, expm, sqrtm, logm, funm), or forward mode (jvp)."
        )




def refuse_outside(function: str, outside: Any, size: Any) -> None:
    """Raise if a cotangent moves the vectors of zeros out of the space of the vectors computed."""
    if not is_negligible(outside, size):
        raise GaugeError(
            f"{function}: the loss depends on the choice of the singular vectors of singular values that are zero; the "
            f"component of its cotangent along that freedom is {float(np.max(np.abs(raw(outside)))):.1e}."
        )


def refuse_slope_at_zero(function: str, g: Any, zero: Any) -> None:
    """Raise if a loss that uses singular vectors has a slope in a singular value that is zero."""
    if not is_negligible(raw(g) * zero, g):
        raise GaugeError(
            f"{function}: the loss mixes singular values that are zero with singular vectors, as u @ diag(s) @ vh does. Its "
            "derivative, if it exists, does not follow from those of values and vectors. Use the matrix itself, or a "
            "function of the values alone (svdvals, norm)."
        )
