"""Lambert's W function, and the derivative of Wright's omega function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ...backends import is_precise
from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.space import Array
from ...complex_autograd.engine.traced import raw
from ..numerics.devices import also_on_devices, is_on_device
from ..numerics.regions import by_region, in_double
from ..ufuncs.integer_arguments import integers
from ..ufuncs.large_arrays import over_cores
from ..ufuncs.ufunc_rules import pointwise, precise_derivative

__all__ = ["lambertw"]

_REACH = 0.25
"""How near `e z` is to -1 where SciPy's values lose digits, all of them next to it on the branch -1."""
_ROUNDING = -1.2428753672788363e-17
"""What the double precision number next to `1 / e` lacks."""

_scipys = also_on_devices(special.lambertw)


def _on_sheet(z: Any, k: Any) -> Any:
    """Whether the branch `k` meets others in `-1/e` from this side; on its cut it continues the upper side."""
    is_below = np.imag(z) < 0
    return (k == 0) | np.where(is_below, k == 1, k == -1)


def _excess(q: Any, sign: Any) -> Any:
    """`u = 1 + W`, the solution of `u**2 sum_j (j + 1) u**j / (j + 2)! = q` near `u = 0` by Newton's method.

    It starts with the first terms of DLMF 4.13.6, a series in `sign sqrt(2 q)`; the left side is `(u - 1) exp(u) + 1`,
    of the derivative `u exp(u)`, and `q` is `1 + e z`.
    """
    p = sign * np.sqrt(2 * q)
    u = p * (1 - p * (1 / 3 - p * (11 / 72 - p * (43 / 540 - p * (769 / 17280)))))
    for _ in range(3):
        total: Any = 0.0
        for j in reversed(range(18)):
            total = total * u + (j + 1) / math.factorial(j + 2)
        is_zero = u == 0
        u = u - np.where(is_zero, 0.0, (u * total - q / np.where(is_zero, 1.0, u)) * np.exp(-u))
    return u


def _at_branch_point(z: Any, k: Any) -> Any:
    return _excess(math.e * ((z + math.exp(-1)) + _ROUNDING), np.where(k == 0, 1.0, -1.0))


@pointwise(lambda u, z: (u - 1) / u)
def _shifted_omega(z: Any) -> Any:
    """`1 + wrightomega(z)`, where `omega = W(exp(z))`; next to the branch points `-1 +- pi i` from `1 + e exp(z)`."""

    def near(z: Any) -> Any:
        is_below = np.imag(z) < 0
        upper = np.where(is_below, np.conjugate(z), z)
        height = (np.imag(upper) - math.pi) - 1.2246467991473532e-16
        u = _excess(-special.expm1((np.real(upper) + 1) + 1j * height), np.where(height > 0, -1.0, 1.0))
        return np.where(is_below, np.conjugate(u), u)

    return in_double(lambda z: by_region([(_near_cut(z), near), (True, lambda z: 1 + special.wrightomega(z))], z), z)


def _near_cut(z: Any) -> Any:
    return np.hypot(np.real(z) + 1, np.abs(np.imag(z)) - math.pi) < _REACH


def omega_derivative(w: Any, z: Any) -> Any:
    """The derivative of Wright's omega function, `w / (1 + w)`."""
    if z.dtype.kind != "c" or not np.any(is_near := _near_cut(raw(z))):
        return w / (1 + w)
    u = _shifted_omega(np.where(is_near, z, -1 + 3j))
    return np.where(is_near, (u - 1) / u, w / np.where(is_near, 1.0, 1 + w))


def _near_branch_point(z: Any, k: Any) -> Any:
    is_near = np.abs(np.real(z) + math.exp(-1)) < _REACH / math.e
    return is_near & (np.abs(np.imag(z)) < _REACH / math.e) & _on_sheet(z, k) if np.any(is_near) else is_near


@pointwise(lambda u, z, *, k, tol: _rate(u - 1, z) / u)
def _shifted(z: Any, *, k: Any, tol: float) -> Any:
    """`1 + W(z, k)`; the derivative is `exp(-W) / (1 + W)`, DLMF 4.13.4 in a form that is finite at `z = 0`."""

    def kernel(z: Any, k: Any) -> Any:
        z = z + 0j
        return by_region(
            [(_near_branch_point(z, k), _at_branch_point), (True, lambda z, k: 1 + _scipys(z, k, tol))], z, k
        )

    return in_double(kernel, z, as_operand(k) + np.zeros_like(np.real(z), np.float64))


@pointwise(lambda w, z, *, k, tol: _derivative(w, z, k=k, tol=tol))
def branch(z: Any, *, k: Any, tol: float) -> Any:
    """A branch of the inverse of `w exp(w)`."""
    return _value(z, k, tol)


@over_cores
def _value(z: Any, k: Any, tol: float) -> Any:
    w = _scipys(z, k, tol)
    if not np.any(is_near := _near_branch_point(z, as_operand(k)[()])):
        return w
    w, k = w if is_on_device(w) else np.asarray(w), as_operand(k) + np.zeros_like(np.real(w))
    is_near = np.broadcast_to(is_near, w.shape)
    z, k = (np.broadcast_to(x, w.shape)[is_near] for x in (z, k))
    w[is_near] = _at_branch_point(z.astype(np.complex128), k) - 1
    return w[()]


def _derivative(w: Any, z: Any, *, k: Any, tol: float) -> Any:
    if np.any(_near_branch_point(raw(z), as_operand(k)[()])):
        u = _shifted(z, k=k, tol=tol)
        return _rate(u - 1, z) / u
    return _rate(w, z) / (1 + w)


def _rate(w: Any, z: Any) -> Any:
    """`exp(-w)`, far from 0 as `w / z`, for the phase of the exponential loses as many digits as `w` has."""
    is_far = (np.abs(raw(w)) > 1) & (raw(z) != 0) & np.isfinite(raw(w))
    if not np.any(is_far):
        return np.exp(-w)
    return np.where(is_far, w / np.where(is_far, z, 1.0), np.exp(np.where(is_far, 0.0, -w)))


@integers("k")
def lambertw(z: Array, k: Array = 0, tol: float = 1e-8) -> Array:
    """Lambert's W function, the inverse of `w exp(w)`.

    Parameters
    ----------
    z : array_like
        The argument, real or complex.
    k : array_like of int
        The branch.
    tol : float
        Where SciPy stops its iteration.

    Returns
    -------
    array
        Complex, of the broadcast shape of the arguments.

    Notes
    -----
    Its derivative is `exp(-w) / (1 + w)` (DLMF 4.13.4), infinite at the branch point `-1/e`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda x: np.real(special.lambertw(x)))(1.0):.6f}")
    0.361896
    """
    (z,) = operands(z)
    if is_precise():
        return precise_derivative("lambertw", (0, 0), types="Dd")(z, k)
    return branch(z, k=k, tol=tol)
