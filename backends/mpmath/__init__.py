"""mpmath's numbers in arrays, at any precision; mpmath is imported when the first one is made.

Modules of this package other than this one and `working` import mpmath, and nothing imports them before it is needed.
"""

from __future__ import annotations

from typing import Any as _Any
from typing import final as _final

from ..base import Backend as _Backend
from ..base import DeviceError as _DeviceError
from .working import mpmath as _mpmath

__all__ = ["Mpmath"]


@_final
class Mpmath(_Backend):
    """Arrays of mpmath's numbers; NumPy's arrays beside them are exact."""

    name = "mpmath"
    device = "mpmath"

    def owns(self, kind: type) -> bool:
        return kind.__module__.startswith("mpmath.") or kind.__module__ == f"{__name__}.array"

    def own(self, x: _Any) -> _Any:
        from .array import array_of

        return array_of(x)

    @property
    def namespace(self) -> _Any:
        from .creation import NAMESPACE

        return NAMESPACE

    def kernel(self, name: str) -> _Any:
        from .tables import load

        load()
        try:
            return self._kernels[name]
        except KeyError:
            raise _DeviceError(
                f"{name} has no kernel for arrays of mpmath. Round them to float64 explicitly with "
                "wirtinger.to_host(x), and compute there."
            ) from None

    def state(self) -> str:
        try:
            library = _mpmath()
        except _DeviceError as error:
            return f"none: {error}"
        return f"mpmath {library.__version__}, integers of {library.libmp.BACKEND}"

    def bits(self, dtype: _Any) -> int:
        return int(_mpmath().mp.prec) - 1

    def to_host(self, x: _Any) -> _Any:
        return x if getattr(x, "dtype", None) is not None and x.dtype.kind in "biu" else self.own(x).rounded()

    def scatter_add(self, values: _Any, index: _Any, shape: tuple[int, ...]) -> _Any:
        import numpy as np

        out = self.namespace.zeros(shape, values.dtype)
        np.add.at(out, index, values)
        return out
