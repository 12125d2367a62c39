"""Values of scaled Bessel functions of complex arguments and high orders, and of I of negative orders.

From the order 85.92 on, where SciPy takes uniform expansions, `kve`, `hankel1e` and `hankel2e` are 0 in a quarter of
the plane, and `yve`, `jve` and `ive` of negative orders, which it makes of two of these, are off by their size or more.
Its `ive`, and `iv` of complex arguments, next to negative integer orders have the sine of a rounded angle.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.traced import raw
from ..numerics.regions import in_double
from ..numerics.warned import warn
from ..scipy_repairs.corrections import is_finite_number
from ..ufuncs.large_arrays import threaded
from ..ufuncs.patched_ufunc import PatchedUfunc
from .bessel_order import MOST_STEPS, bessel_jet, takes_many_steps
from .huge_orders import is_huge, of_huge_order
from .overflowing import dominated_by_order, is_inside
from .scaled_derivatives import far_of_complex, is_far, is_far_complex, scaled_derivative

HIGHEST = 85.9
"""Up to this order SciPy's values are right."""
LOSSY, _LOSSY_MULTIPLE = 1e3, 4.0
"""From this modulus on, and this multiple of such orders, they lose a factor of the argument that counts."""


_VALUES: dict[str, _HighOrders] = {}
"""The better values of each function, by its name."""


def is_lossy(v: Any, size: Any) -> Any:
    """Where SciPy's uniform expansions lose digits, by the modulus of the argument."""
    v, size = 1.0 * v, 1.0 * size  # integers beyond 64 bits are objects
    return (np.abs(v) > HIGHEST) & (size >= LOSSY) & (size >= _LOSSY_MULTIPLE * np.abs(v)) & np.isfinite(size)


class _HighOrders:
    """The better values of a scaled Bessel function at complex arguments.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's.
    kind : str
        "j", "y", "h1", "h2", "i" or "k", as of `bessel_jet`.
    scaled : bool
        If not, it is `iv`, of which the high orders are right.
    """

    def __init__(self, ufunc: np.ufunc, kind: str, scaled: bool = True) -> None:
        self.ufunc, self.kind, self.scaled = ufunc, kind, scaled

    def quick(self, v: float, z: float) -> Any:
        """SciPy's value of numbers, or None."""
        if self._is_inaccurate_at(v):
            return None
        w = self.ufunc(v, z)
        if abs(v) > HIGHEST and (is_lossy(v, abs(z)) or is_huge(v, np.float64(z), self.kind)):
            return None
        if not self.scaled:
            return None if w == 0 and z != 0 else w
        return w if is_finite_number(w) else None

    def _is_inaccurate_at(self, v: Any) -> bool:
        """Whether a value of real arguments may be replaced."""
        return self.scaled and self.kind == "i" and bool(np.any(np.less(v, 0)))

    def of_arrays(self, v: Any, z: Any) -> Any:
        """The values of real arguments, or None."""
        if not (_is_real(v) and _is_real(z)) or self._is_inaccurate_at(v):
            return None
        w = threaded(self.ufunc)(v, z)
        return self._far_out(w, v, z) if self.scaled else self._of_tiny_values(w, v, z)

    def better(self, w: Any, v: Any, z: Any) -> Any:
        """The better values of any arguments."""
        if not self.scaled and z.dtype.kind != "c":
            return self._of_tiny_values(w, v, z)
        if self.kind == "i" and (self.scaled or z.dtype.kind == "c"):
            w = self._of_negative_orders(w, v, z)
        if self.scaled:
            w = self._far_out(w, v, z)
        if z.dtype.kind != "c" or not self.scaled:
            return w
        here = (np.abs(v) > HIGHEST) & np.isfinite(v) & np.isfinite(z)
        here = here & ~is_lossy(v, np.abs(z)) & ~is_huge(v, z, self.kind)
        if self.kind in "ji":
            here = here & (v < 0)
        if not np.any(here):
            return w
        v, z, here = np.broadcast_arrays(v, z, here)
        out = np.copy(w)
        out[here] = self._better(out[here], v[here], z[here])
        return out[()]

    def _of_negative_orders(self, w: Any, v: Any, z: Any) -> Any:
        """`I_-m = I_m + 2 / pi sin(pi m) K_m`, DLMF 10.27.2, with the exact distance of `m` from an integer."""
        here = (v < 0) & (v >= -HIGHEST) & (v != np.rint(v)) & np.isfinite(w)
        if not np.any(here):
            return w
        v, z, here = np.broadcast_arrays(v, z, here)
        m, s = -v[here].astype(np.float64), z[here].astype(np.complex128 if z.dtype.kind == "c" else np.float64)
        nearest = np.rint(m)
        sine = (1 - 2 * np.fmod(nearest, 2)) * np.sin(math.pi * (m - nearest))
        with np.errstate(all="ignore"):
            second = special.kve(m, s) * np.exp(-s - np.abs(np.real(s))) if self.scaled else special.kv(m, s)
            values = self.ufunc(m, s) + 2 / math.pi * sine * second
        out = np.copy(w)
        out[here] = np.where(np.isfinite(values), values, out[here])
        return out[()]

    def _far_out(self, w: Any, v: Any, z: Any) -> Any:
        """SciPy's are NaN where a phase of the argument's size has no digits, and lose digits before; here is none."""
        huge = is_huge(1.0 * v, np.multiply(1.0, z), self.kind)
        is_unknown = ~np.isfinite(w) | is_lossy(v, np.abs(z)) | huge
        if not np.any(is_unknown):
            return w
        v, z, is_unknown = np.broadcast_arrays(1.0 * v, 1.0 * z, is_unknown)  # integers beyond 64 bits are objects
        out = np.copy(w)
        if np.any(huge):
            here = np.broadcast_to(huge, out.shape)
            values = in_double(partial(of_huge_order, kind=self.kind, scaled=True), v[here], z[here])
            out[here] = values if out.dtype.kind == "c" else values.real
            is_unknown = is_unknown & ~here
        if self.kind not in "jy":
            here = is_unknown & is_far(v, z, self.kind)
            out[here] = scaled_derivative(v[here], z[here], kind=self.kind, n=0, m=0)
            is_unknown = is_unknown & ~here
        elif z.dtype.kind != "c":
            is_unknown = is_unknown & (z > 0)
        point = z if self.kind in "ik" else z + 0j
        here = is_unknown & is_far_complex(v, point)
        if np.any(here):
            order, argument = v[here], point[here]
            values = far_of_complex(order, argument, self.kind, m=0)
            out[here] = values if out.dtype.kind == "c" else values.real
        here = is_unknown & ~np.isfinite(out) & is_inside(v, z, self.kind)
        if np.any(here):
            found = in_double(lambda v, z: dominated_by_order(v, z, self.kind, True), v[here], z[here])
            out[here] = np.where(np.isnan(found), out[here], found)
        return out[()]

    @staticmethod
    def _of_tiny_values(w: Any, v: Any, z: Any) -> Any:
        """SciPy divides by `z K_(v+1)(z)` at real `z`: where that overflows, it has 0 for I."""
        here = (w == 0) & (z != 0)
        if not np.any(here):
            return w
        with np.errstate(all="ignore"):
            values = special.ive(v, z) * np.exp(np.abs(z))
        return np.where(here & np.isfinite(values), values, w).astype(w.dtype)[()]

    def _better(self, w: Any, v: Any, z: Any) -> Any:
        far = is_far(v, z, self.kind) if self.kind in ("k", "h1", "h2") else np.zeros_like(v, dtype=bool)
        near = ~far & ~takes_many_steps(v, z)
        out = np.copy(w)
        out[far] = scaled_derivative(v[far], z[far], kind=self.kind, n=0, m=0)
        values = in_double(lambda v, z: bessel_jet(v, z, self.kind, True, 0)[0], v[near], z[near])
        out[near] = np.where(np.isfinite(values), values, w[near])
        out[~far & ~near & (w == 0) & (np.abs(z) > np.abs(v) / 2)] = np.nan
        if np.any(np.isnan(out) & (z != 0)):
            warn(
                f"{self.ufunc.__name__}: a value is NaN, for SciPy's is NaN, or 0, which is wrong. Likely cause: an "
                f"order beyond {MOST_STEPS} at a complex number, or one next to its modulus, where one underflows. "
                "Take a lower order, or compute there with mpmath."
            )
        return out


def _is_real(x: Any) -> bool:
    return type(x) in (float, int, np.float64) or (type(x) is np.ndarray and x.dtype.kind != "c" and x.dtype != object)


def high_orders(ufunc: np.ufunc, kind: str, scaled: bool = True) -> PatchedUfunc:
    """The function with better values; the parameters are those of `_HighOrders`."""
    values = _VALUES[ufunc.__name__] = _HighOrders(ufunc, kind, scaled)
    return PatchedUfunc(ufunc, better=values.better, quick=values.quick, of_arrays=values.of_arrays, substitutes=True)


def better_value(f: Any, w: Any, v: Any, z: Any) -> Any:
    """The value of a function of which `w` is SciPy's."""
    if f.__name__ not in _VALUES:
        return w
    values = _VALUES[f.__name__]
    order = raw(v)
    is_high = z.dtype.kind == "c" and np.any(np.abs(order) > HIGHEST)
    is_high = is_high or (values.scaled and np.any(np.isnan(raw(w))))
    return f(v, z) if is_high or (values.kind == "i" and np.any(order < 0)) else w
