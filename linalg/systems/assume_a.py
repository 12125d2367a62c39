"""What `assume_a` means for a matrix: which of its entries are read, and which solver is used.

The names are SciPy's.  The matrix as it is read is a linear function of the given one, so that the gradient is that of
the function as computed: 0 for entries that are not read, and that of both entries where one represents two.
"""

from __future__ import annotations

from typing import Any, Final, final

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.reverse import own
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import hermitian_from, identity
from ..kernels.factors import Definite, Symmetric, definite_of, symmetric_of
from ..kernels.stacks import kernel

_NAMES: Final = {
    "gen": "general",
    "general": "general",
    "diagonal": "diagonal",
    "tridiagonal": "tridiagonal",
    "banded": "banded",
    "upper triangular": "upper triangular",
    "lower triangular": "lower triangular",
    "sym": "sym",
    "symmetric": "sym",
    "her": "her",
    "hermitian": "her",
    "pos": "pos",
    "positive definite": "pos",
}
_OPPOSITE: Final = {"upper triangular": "lower triangular", "lower triangular": "upper triangular"}


def structure_named(name: str | None) -> str:
    """The structure that `assume_a` names; `ValueError` if it is none."""
    if name is None:
        return "general"
    if name not in _NAMES:
        raise ValueError(f"assume_a={name!r} is not a structure; these are: {', '.join(map(repr, _NAMES))}")
    return _NAMES[name]


def transposed_structure(structure: str) -> str:
    """The structure of the transpose."""
    return _OPPOSITE.get(structure, structure)


def as_read(a: Any, structure: str, lower: bool) -> Any:
    """The full matrix that the entries which are read stand for."""
    match structure:
        case "diagonal":
            return a * identity(a)
        case "tridiagonal":
            return np.triu(np.tril(a, 1), -1)
        case "upper triangular":
            return np.triu(a)
        case "lower triangular":
            return np.tril(a)
        case "sym":
            half = np.tril(a, -1) if lower else np.triu(a, 1)
            return half + half.mT + a * identity(a)
        case "her" | "pos":
            return hermitian_from(a, lower=lower)
    return a


@kernel(2, 2, stacks=True)
def assumed_solution(a: Any, b: Any, *, structure: str) -> Any:
    """The solution by the routine for a structure."""
    return scipy.linalg.solve(a, b, assume_a=structure, check_finite=False)


@kernel(2, stacks=True)
def assumed_inverse(a: Any, *, structure: str) -> Any:
    """The inverse by the routine for a structure."""
    return scipy.linalg.inv(a, assume_a=structure, check_finite=False)


@final
class Assumed:
    """A full matrix or a stack of them, and its structure: solved with by the routine that fits."""

    __slots__ = ("_matrix", "_structure")

    def __init__(self, matrix: Any, structure: str) -> None:
        self._matrix, self._structure = matrix, structure

    @property
    def H(self) -> Assumed:
        """The conjugate transpose, with its structure."""
        return Assumed(H(self._matrix), transposed_structure(self._structure))

    def solve(self, b: Any) -> Any:
        """The solution `x` of `a x = b`."""
        if b.ndim == 1:
            return assumed_solution(self._matrix, b[:, None], structure=self._structure)[..., 0]
        return assumed_solution(self._matrix, b, structure=self._structure)


def assumed_factors(matrix: Any, structure: str, *others: Any) -> Assumed | Definite | Symmetric:
    """The factors of one large matrix that is symmetric; else the matrix itself with its structure."""
    factors: Definite | Symmetric | None = None
    if structure == "pos":
        factors = definite_of(matrix, *others)
    elif structure in ("sym", "her"):
        factors = symmetric_of(matrix, structure == "her", *others)
    return factors or Assumed(own(matrix), structure)
