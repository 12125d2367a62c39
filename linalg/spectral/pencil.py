"""The eigenvalues of pairs of matrices: as numbers, which may be infinite, and in homogeneous coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.errors import GaugeError, NotDifferentiableError
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ..kernels.tolerances import is_negligible


@primitive(family="eigenvalues")
def finite_values(x: Any, *, sin: float, cos: float, infinite: Any) -> Any:
    """`(sin + cos x) / (cos - sin x)`, and inf where `infinite` is 1."""
    below = (cos - sin * x) * (1 - infinite) + infinite
    return np.where(infinite == 1, np.inf, (sin + cos * x) / below).astype(x.dtype)


# dw = dx / (cos - sin x)^2
@finite_values.differential
def _(w: Any, x: Any, dx: Any, *, sin: float, cos: float, infinite: Any) -> Any:
    return np.where(infinite == 1, np.nan, dx * _derivative(x, sin, cos, infinite))


@finite_values.adjoint_by_hand
def _(g: Any, w: Any, x: Any, *, sin: float, cos: float, infinite: Any) -> Any:
    if np.any(raw(g) * infinite != 0):
        raise NotDifferentiableError(
            "linalg.eig", "the loss depends on an infinite eigenvalue. Use homogeneous_eigvals=True", "b"
        )
    return (g * np.conj(_derivative(x, sin, cos, infinite)),)


def _derivative(x: Any, sin: float, cos: float, infinite: Any) -> Any:
    below = (cos - sin * x) * (1 - infinite) + infinite
    return (1 - infinite) / (below * below)


def homogeneous_values(alpha: Any, beta: Any) -> Any:
    """`alpha` and `beta` as the two rows of matrices."""
    return np.stack([alpha, beta], axis=-2)


@primitive(family="eigenvalues")
def projective_values(x: Any, *, sin: float, cos: float, scale: Any) -> Any:
    """`alpha = k (sin + cos x)` and `beta = k (cos - sin x)`; the scale `k` is arbitrary."""
    return homogeneous_values(scale * (sin + cos * x), scale * (cos - sin * x))


# k = sin alpha + cos beta, written so that what follows does not depend on it when rows and
# cotangents are rephased together
@projective_values.differential
def _(rows: Any, x: Any, dx: Any, *, sin: float, cos: float, scale: Any) -> Any:
    dx = _scale(rows, sin, cos) * dx
    return np.stack([cos * dx, -sin * dx], axis=-2)


@projective_values.adjoint_by_hand
def _(g: Any, rows: Any, x: Any, *, sin: float, cos: float, scale: Any) -> Any:
    along = np.sum(np.conj(raw(rows)) * raw(g), axis=-2, keepdims=True)
    if not is_negligible(along, g, 2):
        raise GaugeError(
            "linalg.eig: the loss depends on the common factor of alpha and beta, which is arbitrary; the component of "
            f"its cotangent along it is {float(np.max(np.abs(along))):.1e}. Use alpha / beta."
        )
    return (np.conj(_scale(rows, sin, cos)) * (cos * g[..., 0, :] - sin * g[..., 1, :]),)


def _scale(rows: Any, sin: float, cos: float) -> Any:
    return sin * rows[..., 0, :] + cos * rows[..., 1, :]
