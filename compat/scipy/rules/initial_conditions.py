"""Initial conditions of filters: SciPy does not divide by the first coefficient `a[0]` where it is 1.

They are those of the coefficients over `a[0]`, and are computed so where it is 1: the value is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....complex_autograd.array.creation import asarray
from ....complex_autograd.engine.traced import raw
from ...equality import BOTH_SMOOTH
from .values import replaces

__all__ = ["normalized"]

BOTH_SMOOTH.update(("wirtinger.scipy.signal._signaltools", name) for name in ("lfilter_zi", "lfiltic"))
BOTH_SMOOTH.update(
    {
        ("wirtinger.scipy.signal._filter_design", "_validate_sos"),  # raises where a coefficient is not 1
        ("wirtinger.scipy.signal._fir_filter_design", "firwin"),  # where the edge of a band is that of all frequencies
    }
)


def normalized(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `(b, a)` that divides by `a[0]`."""

    @replaces(theirs)
    def call(b: Any, a: Any, *args: Any, **options: Any) -> Any:
        b, a = asarray(b), asarray(a)
        if a.ndim == 1 and a.size and raw(a)[0] == 1:
            b, a = b / a[0], a / a[0]
        return theirs(b, a, *args, **options)

    return call
