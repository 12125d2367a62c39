"""The columns that complete orthonormal ones to a basis: what full singular vectors and a complete Q add."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import skew_part
from ..spectral.gauge import refuse_gauge


@primitive
def complement(q: Any, *, columns: Any, function: str) -> Any:
    """Orthonormal columns orthogonal to those of `q`, as given: any unitary combination of them would do."""
    return columns


# H(q) x = 0  =>  H(dq) x + H(q) dx = 0, and what dx has along x itself is free:  dx = -q H(dq) x,  gq = -x H(g) q
@complement.differential
def _(x: Any, q: Any, dq: Any, *, columns: Any, function: str) -> Any:
    return -(q @ (H(dq) @ x))


@complement.adjoint_by_hand
def _(g: Any, x: Any, q: Any, *, columns: Any, function: str) -> Any:
    free = skew_part(H(x) @ g)
    refuse_gauge(function, free, np.ones_like(np.abs(raw(free))), g, "columns beyond the rank")
    return (-(x @ (H(g) @ q)),)
