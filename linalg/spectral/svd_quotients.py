"""The quotients in the rules of the singular value decomposition, and the derivative of the values from `p`."""

from __future__ import annotations

from typing import Any

from ...complex_autograd.engine.primitive import linear
from .degenerate.equal_values import mean_over
from .degenerate.gap_rules import reciprocal_gaps
from .degenerate.laurent import LaurentTrace, expansion
from .degenerate.singular_basis import SingularBasis
from .degenerate.split_rules import gap_reciprocal
from .eigh_rule import real_diagonal

__all__ = ["diagonal_derivative", "quotients_of_gaps", "reciprocal_sums", "reciprocals", "settled"]


def quotients_of_gaps(s: Any, basis: SingularBasis) -> Any:
    """`1 / (s_j - s_i)`, and 0 where values are equal."""
    return reciprocal_gaps(s, basis.same, basis.layers, basis.where_split)


def reciprocal_sums(s: Any, basis: SingularBasis) -> Any:
    """`1 / (s_i + s_j)`, and 0 where both are zero."""
    sums = s[..., :, None] + s[..., None, :]
    zero = 0.0 if basis.zero is None else basis.zero[..., :, None] * basis.zero[..., None, :]
    if basis.layers is not None:
        small = tuple((level, x[..., :, None] * x[..., None, :]) for level, x in basis.layers.vanishing)
        return gap_reciprocal(sums, zero=zero, small=small, where_split=basis.where_split)
    return 1 / sums if basis.zero is None else (1 - zero) / (sums + zero)


def reciprocals(s: Any, basis: SingularBasis) -> Any:
    """`1 / s`, and 0 where it is zero."""
    if basis.layers is not None:
        zero = 0.0 if basis.zero is None else basis.zero
        return gap_reciprocal(s, zero=zero, small=basis.layers.vanishing, where_split=basis.where_split)
    return 1 / s if basis.zero is None else (1 - basis.zero) / (s + basis.zero)


def diagonal_derivative(p: Any, basis: SingularBasis) -> Any:
    """`ds`; the mean over equal values, and 0 for zeros, where no one direction is known."""
    ds = real_diagonal(p)
    if basis.moving or not basis.is_degenerate:
        return ds
    return settled(ds, basis) if basis.layers is None else settled_beside(ds, basis=basis)


def settled(g: Any, basis: SingularBasis) -> Any:
    """The minimal-norm choice at a kink: the mean over equal values, and 0 for zeros."""
    if basis.same is not None:
        g = mean_over(basis.same, g)
    return g if basis.zero is None else g * (1 - basis.zero)


@linear
def settled_beside(g: Any, *, basis: SingularBasis) -> Any:
    """That choice; the values themselves in the series where they are split."""
    return settled(g, basis)


@settled_beside.adjoint(0)
def _(g: Any, a: Any, *, basis: SingularBasis) -> Any:
    return settled_beside(g, basis=basis)


@expansion(settled_beside)
def _(trace: LaurentTrace, g: Any, *, basis: SingularBasis) -> Any:
    return trace.series(settled_beside(g._value, basis=basis), g._tangent.terms, g._tangent.top)
