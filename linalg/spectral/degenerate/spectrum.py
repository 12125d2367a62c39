"""Which eigenvalues of general matrices are equal, how close the others are, and how accurate the vectors are."""

from __future__ import annotations

from typing import Any, Final, final

import numpy as np

from ....backends import eps_of
from ....complex_autograd.engine.errors import NotDifferentiableError, PrecisionLossError
from ....complex_autograd.engine.traced import raw
from ....complex_autograd.rules.products.matrix_products import H
from ...elementary.triangles import identity, infinite_diagonal
from ...kernels.tolerances import TIED
from .equal_values import closed

DEFECTIVE: Final = 0.1
"""From this times `eps ** -0.5` on, the condition number of an eigenvalue is that of a multiple one without vectors."""

IS_DEFECTIVE: Final = (
    "the matrix is defective to working precision: an eigenvalue is repeated, or nearly so, and has fewer eigenvectors "
    "than that, so that the eigenvalues move as a root of the change. Traces, determinants and functions of the matrix "
    "(expm, sqrtm, matrix_power) have derivatives there"
)
"""Why there is no derivative, for the error."""

_ILL_CONDITIONED: Final = (7e4, 7e4, 8e3)
"""From such a number on, by that of derivatives, rounding errors spoil them in double precision."""

_ILL_CONDITIONED_VECTORS: Final = 2.8e3
"""The same where derivatives of vectors are taken."""

_UNLIKE: Final = 0.6
"""Up to `eps` to this power a block of equal eigenvalues may differ from a multiple of the identity."""

_MIXED: Final = 0.36
"""From `eps` to this power on rounding errors spoil the derivative of a loss of nearly equal eigenvalues."""


@final
class Spectrum:
    """What is known of some eigenvalues and vectors.

    Parameters
    ----------
    a : array (..., n, n)
        The matrices.
    w, v : array
        Their eigenvalues (..., n) and vectors (..., n, n), of length one.
    depth : int
        How many derivatives are being taken.

    Attributes
    ----------
    same : array (..., n, n) or None
        1 where eigenvalues are equal up to rounding, else 0; None if all are distinct.
    condition : array (..., n)
        The condition numbers of the eigenvalues, of those that are equal with orthonormal vectors.
    vectors : array (..., n, n)
        The vectors, those of equal values orthonormal.
    worst : float
        The largest of them.
    nearest : float
        The least relative difference between eigenvalues that are not equal.

    Raises
    ------
    NotDifferentiableError, PrecisionLossError
        If a matrix is defective.
    """

    __slots__ = ("_depth", "_values", "condition", "nearest", "same", "vectors", "worst")

    def __init__(self, a: Any, w: Any, v: Any, depth: int) -> None:
        eps = eps_of(w.dtype)
        self._values, self._depth = w, depth
        self.same: Any = None
        self._judge(v)
        if not self.worst < DEFECTIVE / eps**0.5:
            raise _defective()
        rounding = TIED * w.shape[-1] * eps
        gaps = _relative_gaps(w)
        self.nearest = np.min(gaps, initial=np.inf)
        if self.nearest <= rounding * self.worst:
            allowed = rounding * self.condition
            equal = gaps <= np.maximum(allowed[..., :, None], allowed[..., None, :])
            if np.any(equal):
                self.same = closed(equal.astype(gaps.dtype) + identity(gaps))
                self._judge(_with_orthonormal_blocks(a, w, v, self.same))
                self.nearest = np.min(gaps, initial=np.inf, where=self.same == 0)
        if self.worst > _ILL_CONDITIONED[min(depth, 2)]:
            raise _defective()

    def refuse_ill_conditioned_vectors(self) -> None:
        """Raise if rounding errors spoil derivatives of what is made of the vectors."""
        if self.worst > _ILL_CONDITIONED_VECTORS:
            raise _defective()

    def refuse_mixed_values(self, g: Any) -> None:
        """Raise if the cotangent of a first derivative tells values apart that rounding errors mix."""
        w, g, eps = self._values, raw(g), eps_of(self._values.dtype)
        if self._depth > 1 or self.nearest > eps ** (1 - _MIXED) * self.worst:
            return
        gaps = _relative_gaps(w) if self.same is None else np.where(self.same > 0, np.inf, _relative_gaps(w))
        mixed = np.abs(g[..., :, None] - g[..., None, :]) * np.max(self.condition, axis=-1)[..., None, None]
        if np.any(mixed > eps ** (_MIXED - 1) * np.max(np.abs(g), axis=-1)[..., None, None] * gaps):
            raise PrecisionLossError(
                "numpy.linalg.eig: the loss distinguishes eigenvalues with a relative difference of "
                f"{float(self.nearest):.1e}, and rounding errors dominate its derivative. Use a loss that is symmetric "
                "in them, or a function of the matrix."
            )

    def _judge(self, v: Any) -> None:
        self.vectors, self.condition = v, condition_numbers(v)
        self.worst = np.max(self.condition, initial=1.0)


def condition_numbers(v: Any) -> Any:
    """Those of the eigenvalues: the lengths of the left eigenvectors that belong to right ones of length one."""
    try:
        inverse = np.linalg.inv(v)
    except np.linalg.LinAlgError:
        return np.full_like(np.abs(v[..., 0]), np.inf)
    with np.errstate(over="ignore"):
        return np.sqrt(np.sum(np.abs(inverse) ** 2, axis=-1))


def _relative_gaps(w: Any) -> Any:
    """The distances of the eigenvalues relative to the largest modulus, infinite on the diagonal."""
    largest = np.max(np.abs(w), axis=-1, initial=0.0)[..., None, None]
    gaps = np.abs(w[..., :, None] - w[..., None, :]) + infinite_diagonal(w)
    return gaps / np.where(largest > 0, largest, 1)


def _with_orthonormal_blocks(a: Any, w: Any, v: Any, same: Any) -> Any:
    """The vectors, those of equal values orthonormal; raises if these span no space of eigenvectors."""
    v = v @ np.linalg.inv(H(np.linalg.cholesky(H(v) @ v * same)))
    rest = np.abs(np.linalg.solve(v, a @ v) - w[..., None] * identity(w)) * same
    if np.any(rest > eps_of(w.dtype) ** _UNLIKE * np.max(np.abs(w), axis=-1)[..., None, None]):
        raise _defective()
    return v


def _defective() -> NotDifferentiableError:
    return NotDifferentiableError("numpy.linalg.eig", IS_DEFECTIVE, "a")
