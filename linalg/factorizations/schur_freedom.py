"""What is arbitrary in a Schur form: phases, rotations of normal pairs, and the basis of a block of equal values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends import eps_of
from ...complex_autograd.engine.errors import GaugeError, NotDifferentiableError
from ..elementary.triangles import identity, skew_part
from ..kernels.tolerances import TIED, negligible
from .quasi_triangles import Blocks, skew_pairs, subdiagonal, superdiagonal


def normal_pairs(t: Any, blocks: Blocks) -> Any:
    """Where a pair stays the same under rotations."""
    rounding = TIED * t.shape[-1] * eps_of(t.dtype) * np.max(np.abs(t), axis=(-2, -1))[..., None]
    return (np.abs(subdiagonal(t) + superdiagonal(t)) <= rounding) & (blocks.pairs > 0)


def refuse_freedom(k: Any, of_vectors: Any, gt: Any, t: Any, blocks: Blocks) -> None:
    """Raise if a loss depends on what is arbitrary: phases, rotations of normal pairs, and the basis of a tie."""
    free = np.zeros_like(blocks.below) + (identity(t) if t.dtype.kind == "c" else 0)
    if t.shape[-1] > 1:
        free = free + np.abs(skew_pairs(normal_pairs(t, blocks).astype(free.dtype), identity(t)))
    if blocks.tied is not None:
        free = np.maximum(free, blocks.tied)
    scale = np.abs(of_vectors)
    if gt is not None:
        scale = scale + np.abs(t).mT @ np.abs(gt) + np.abs(gt) @ np.abs(t).mT
    violation = np.abs(skew_part(k)) * free
    if np.any(violation > negligible(scale, 2)):
        raise GaugeError(
            "linalg.schur: the loss depends on what is arbitrary in the form: the phases of its columns, the "
            "rotation of a real block [[p, q], [-q, p]], or the basis where eigenvalues are equal up to rounding. "
            f"The component of its cotangent along that freedom is {float(np.max(violation)):.1e}, and the cotangent "
            f"itself {float(np.max(scale)):.1e}. Use abs(z), z @ H(z) over all columns of equal values, or a function "
            "of the matrix."
        )
    if blocks.tied is not None and gt is not None:
        _refuse_tied_values(gt, t, blocks.tied)


def _refuse_tied_values(gt: Any, t: Any, tied: Any) -> None:
    """Raise unless a loss uses a tie as one multiple of the identity, or not at all.

    Where the block is not diagonal its values move as roots of the change, and their cotangent does not tell the
    derivative; that it vanishes means that they are not used, unless they are zero themselves.
    """
    rounding = TIED * t.shape[-1] * eps_of(t.dtype) * np.max(np.abs(t), axis=(-2, -1), keepdims=True)
    scalar = ~(_is_uneven(t, tied, rounding) | _is_uneven(gt, tied, negligible(gt, 2)))
    small = (np.abs(t) <= rounding) & (tied * identity(t) > 0)
    unused = ~np.any((gt * tied != 0) | small, axis=(-2, -1))
    if not np.all(scalar | unused):
        raise NotDifferentiableError(
            "linalg.schur",
            "the loss depends on eigenvalues that are equal up to rounding in a way that its cotangent does not "
            "determine. Use a function of the matrix (trace, det, expm, funm), or values that are not equal.",
        )


def _is_uneven(x: Any, tied: Any, margin: Any) -> Any:
    """Whether some block of a triangle is more than a margin away from multiples of the identity."""
    return np.any(unevenness(x, tied) > margin, axis=(-2, -1))


def unevenness(x: Any, tied: Any) -> Any:
    """How far the elements of the blocks of a triangle are from those of multiples of the identity."""
    diagonal = np.diagonal(x, 0, -2, -1)
    return (np.abs(diagonal[..., :, None] - diagonal[..., None, :]) + np.abs(np.triu(x, 1))) * tied
