"""The diagonal blocks of Schur forms: single values, pairs of rows of real forms, and what is merged by a tie.

Values closer than what rounding may make of them are tied.  Rounding moves the values of `[[v, c], [0, w]]` by the
square root of `c` times itself, so that this is where a form counts as defective.  All that is between two tied
values belongs to one block with them.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np

from ...backends import eps_of
from ...complex_autograd.engine.errors import GaugeError
from ..elementary.triangles import identity
from ..kernels.tolerances import TIED


@final
class Blocks:
    """The diagonal blocks of quasi-triangular matrices.

    Parameters
    ----------
    t : array (..., n, n)
        The matrices; pairs of rows have an element below the diagonal.
    gaps : array (..., n, n)
        The distances between the values.
    size : array (..., 1, 1)
        The size of what rounding acts on.
    coupling : array (..., n, n)
        How strongly the values are coupled.
    separable : bool
        Whether the rule of the form treats distinct values in a block where nothing is coupled.

    Attributes
    ----------
    number : array (..., n) of int
        The number of the block of each row.
    below : array (..., n, n)
        1 below the diagonal blocks, else 0.
    pairs : array (..., n - 1)
        1 where a pair begins that is not part of a tie, else 0.
    tied : array (..., n, n) or None
        1 in the blocks that ties made, else 0; None if there are none.
    apart : array (..., n, n) or None
        1 below the diagonal where two values in such a block are distinct and nothing in it is coupled; these do not
        count as tied.
    """

    __slots__ = ("apart", "below", "number", "pairs", "tied")

    def __init__(self, t: Any, gaps: Any, size: Any, coupling: Any, separable: bool) -> None:
        n = t.shape[-1]
        real = t.dtype.char.lower()
        rounding = TIED * n * eps_of(t.dtype) * size
        close = gaps <= np.maximum(rounding, np.sqrt(rounding * coupling))
        pair = subdiagonal(t) != 0
        close = np.triu(close, 1) & ~(skew_pairs(pair.astype(real), identity(t)) < 0)
        joined = _spanned(close)
        first = np.zeros_like(gaps[..., 0, :1], dtype=int)
        self.number = np.concatenate([first, np.cumsum(~(pair | joined), axis=-1)], axis=-1)
        rows, columns = self.number[..., :, None], self.number[..., None, :]
        self.below = (rows > columns).astype(real)
        self.pairs, self.tied, self.apart = pair.astype(real), None, None
        if np.any(joined):
            same = rows == columns
            excluded = np.any(same & np.any(same & close, axis=-1)[..., None, :], axis=-1)
            self.pairs = (pair & ~excluded[..., :-1]).astype(real)
            within = same & excluded[..., None]
            self.tied = within.astype(real)
            if separable:
                coupled = within & (coupling > rounding) & ~identity(t).astype(bool)
                any_coupled = np.any(within & np.any(coupled, axis=-1)[..., None, :], axis=-1)[..., None]
                distinct = within & ~any_coupled & (gaps > rounding)
                self.tied = self.tied * ~distinct
                self.apart = np.tril(distinct, -1).astype(real)

    def refuse_forward(self, function: str, free: Any) -> None:
        """Raise where no one basis is singled out: tied values, or pairs whose rotation is `free`."""
        if self.tied is not None or np.any(free):
            raise GaugeError(
                f"{function}: the vectors are not determined by the matrix, because eigenvalues are equal up to "
                "rounding or a real block [[p, q], [-q, p]] stays the same under rotations. Of a loss that does not "
                "depend on their choice reverse mode (grad, vjp) has the first derivative."
            )


def _spanned(tie: Any) -> Any:
    """Between which neighbours some tie reaches across."""
    spans = [np.any(tie[..., : k + 1, k + 1 :], axis=(-2, -1)) for k in range(tie.shape[-1] - 1)]
    return np.stack(spans, axis=-1) if spans else tie[..., 0, :0]


def subdiagonal(t: Any) -> Any:
    """The subdiagonal."""
    return np.diagonal(t, -1, -2, -1)


def superdiagonal(t: Any) -> Any:
    """The superdiagonal."""
    return np.diagonal(t, 1, -2, -1)


def skew_pairs(rotation: Any, eye: Any) -> Any:
    """The skew-symmetric matrices with these elements below the diagonal; `eye` is the identity of their size."""
    return at_pairs(-rotation, rotation, eye)


def diagonal_pairs(rotation: Any, eye: Any) -> Any:
    """The diagonal matrices with minus these elements in the first row of each pair, and themselves in the second."""
    return (rotation @ (eye[1:] - eye[:-1]))[..., None] * eye


def at_pairs(above: Any, below: Any, eye: Any) -> Any:
    """The matrices with these elements above and below the diagonal, and zeros elsewhere."""
    return eye[:-1].T @ (above[..., None] * eye[1:]) + eye[1:].T @ (below[..., None] * eye[:-1])
