"""Triangles of matrices: what reads one triangle reads it here, so that its gradient is right once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.gufuncs import H
from ..complex_autograd.primitive import linear

__all__ = [
    "hermitian_from",
    "hermitian_part",
    "lower_half",
    "skew_from",
    "skew_gradient",
    "skew_part",
    "triangle_gradient",
]


@linear
def hermitian_from(a: Any, *, lower: bool) -> Any:
    """The Hermitian matrices that have this triangle; of the diagonal only the real part is read."""
    kept = np.tril(a, -1) if lower else np.triu(a, 1)
    return kept + H(kept) + _real_diagonal(a)


@hermitian_from.adjoint(0)
def _(g: Any, a: Any, *, lower: bool) -> Any:
    return triangle_gradient(g, lower=lower)


@linear
def triangle_gradient(a: Any, *, lower: bool) -> Any:
    """What `hermitian_from` makes of a cotangent: `a_ij + conj(a_ji)` in one triangle, real on the diagonal, else 0."""
    both = a + H(a)
    return (np.tril(both, -1) if lower else np.triu(both, 1)) + _real_diagonal(a)


@triangle_gradient.adjoint(0)
def _(g: Any, a: Any, *, lower: bool) -> Any:
    return hermitian_from(g, lower=lower)


def _real_diagonal(a: Any) -> Any:
    """The real part of the diagonal as a matrix."""
    return np.tril(np.triu(np.real(a)))


@linear
def lower_half(a: Any) -> Any:
    """The strictly lower triangle and half of the diagonal (`Phi`)."""
    return (np.tril(a) + np.tril(a, -1)) / 2


@lower_half.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return lower_half(g)


def skew_part(a: Any) -> Any:
    """The skew-Hermitian part."""
    return (a - H(a)) / 2


def hermitian_part(a: Any) -> Any:
    """The Hermitian part."""
    return (a + H(a)) / 2


@linear
def skew_from(a: Any) -> Any:
    """The skew-Hermitian matrices with this strictly lower triangle and this imaginary part of the diagonal."""
    kept = np.tril(a, -1)
    return kept - H(kept) + _imaginary_diagonal(a)


@skew_from.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return skew_gradient(g)


@linear
def skew_gradient(a: Any) -> Any:
    """What `skew_from` makes of a cotangent."""
    return np.tril(a - H(a), -1) + _imaginary_diagonal(a)


@skew_gradient.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return skew_from(g)


def _imaginary_diagonal(a: Any) -> Any:
    """The imaginary part of the diagonal, times `i`, as a matrix."""
    return 1j * np.tril(np.triu(np.imag(a))) if a.dtype.kind == "c" else 0
