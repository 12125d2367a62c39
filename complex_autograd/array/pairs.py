"""Views between complex numbers and pairs of real numbers: `x.view(complex)` and `z.view(float)`.

Both are real-linear, `z_k = x_2k + i x_(2k+1)`, and with `<a, b> = Re sum(conj(a) b)` each is the adjoint of the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.dispatch import are_mapped
from ..engine.primitive import linear
from ..engine.traced import Traced, raw
from .read_only import read_only
from .views import view

__all__ = ["shown_as"]


@read_only
@linear(family="data movement")
def paired(a: Any, *, dtype: Any) -> Any:
    """Pairs of elements along the last axis as complex numbers."""
    if a.dtype.kind != "f":  # a mask of what was written to
        return a[..., 0::2] + 1j * a[..., 1::2]
    return _in_order(a).view(dtype)


@read_only
@linear(family="data movement")
def unpaired(a: Any, *, dtype: Any) -> Any:
    """Real and imaginary parts next to each other along the last axis."""
    return _in_order(a).view(a.real.dtype)


@paired.adjoint(0)
def _(g: Any, a: Any, *, dtype: Any) -> Any:
    return unpaired(g, dtype=a.dtype)


@unpaired.adjoint(0)
def _(g: Any, a: Any, *, dtype: Any) -> Any:
    return paired(g, dtype=a.dtype)


def _in_order(a: Any) -> Any:
    return a if a.flags.c_contiguous else a.copy()


def shown_as(a: Traced, dtype: Any) -> Any:
    """`a.view(dtype)`, which can be read, where one of both dtypes is that of the other's parts; None elsewhere."""
    if {a.dtype, dtype} not in ({np.dtype("f4"), np.dtype("c8")}, {np.dtype("f8"), np.dtype("c16")}):
        return None
    value = raw(a)
    (value.in_memory() if are_mapped((a,)) else value).view(dtype)  # raises where memory is not in that order
    return view(paired if dtype.kind == "c" else unpaired, a, dtype=dtype)
