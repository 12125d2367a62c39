"""Functions of `scipy.special` that are no ufuncs, on CUDA arrays: of whole orders, which are arrays there as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy
import numpy as np
from scipy import special

from ...base import DeviceError
from ..kernels import elementwise
from ..operands import listed
from ..tables import implements
from .calls import loops_of, ufunc_by
from .xsf.ufuncs import kernel_of


def _whole(x: Any, name: str) -> Any:
    """An order as an array of integers on the device."""
    x = listed(x)
    if x.dtype.kind not in "iub":
        raise TypeError(f"{name} must be an array of integers, not of {x.dtype}")
    return x


# Lambert's function, and spherical Bessel functions


@implements(special.lambertw)
def lambertw(z: Any, k: Any = 0, tol: float = 1e-8) -> Any:
    """`scipy.special.lambertw`."""
    return ufunc_by(kernel_of, "_lambertw")(listed(z), listed(k), tol)


def _spherical(name: str, sign: int) -> Callable[..., Any]:
    """A spherical Bessel function; `sign` is that of `f(-z) / f(z)` at even orders, 0 where there is none."""
    values, rates = (ufunc_by(kernel_of, f"_spherical_{name}{suffix}") for suffix in ("", "_d"))

    def call(n: Any, z: Any, derivative: bool = False) -> Any:
        function = rates if derivative else values
        n, z = listed(n).astype(np.int64, copy=False), listed(z)
        if z.dtype.kind == "c":
            return function(n, z)
        if not sign:
            return cupy.where(z >= 0, function(n, z), function(n, z + 0j).real)
        flip = cupy.where((n % 2 == 0) == (sign > 0), 1.0, -1.0) * (-1.0 if derivative else 1.0)
        return function(n, cupy.abs(z)) * cupy.where(z < 0, flip, 1.0)

    return call


for _function, _name, _sign in (
    (special.spherical_jn, "jn", 1),
    (special.spherical_yn, "yn", -1),
    (special.spherical_in, "in", 1),
    (special.spherical_kn, "kn", 0),
):
    implements(_function)(_spherical(_name, _sign))

# Legendre functions


def _up_to(diff_n: Any) -> int:
    if not issubclass(type(diff_n), (int, np.integer)) or not 0 <= diff_n <= 2:
        raise ValueError(f"diff_n is currently only implemented for orders 0, 1, and 2, received: {diff_n}.")
    return int(diff_n) + 1


@implements(special.legendre_p)
def legendre_p(n: Any, z: Any, *, diff_n: int = 0) -> Any:
    """`scipy.special.legendre_p`."""
    return cupy.stack(_computed("_legendre", _whole(n, "n"), z)[: _up_to(diff_n)])


@implements(special.assoc_legendre_p)
def assoc_legendre_p(n: Any, m: Any, z: Any, *, branch_cut: Any = 2, norm: bool = False, diff_n: int = 0) -> Any:
    """`scipy.special.assoc_legendre_p`."""
    orders = _whole(n, "n"), _whole(m, "m")
    return cupy.stack(_computed("_associated", *orders, z, branch_cut, bool(norm))[: _up_to(diff_n)])


@implements(special.sph_legendre_p)
def sph_legendre_p(n: Any, m: Any, theta: Any, *, diff_n: int = 0) -> Any:
    """`scipy.special.sph_legendre_p`."""
    return cupy.stack(_computed("_spherical_legendre", _whole(n, "n"), _whole(m, "m"), theta)[: _up_to(diff_n)])


@implements(special.sph_harm_y)
def sph_harm_y(n: Any, m: Any, theta: Any, phi: Any, *, diff_n: int = 0) -> Any:
    """`scipy.special.sph_harm_y`: `sph_legendre_p(n, m, theta) exp(i m phi)`."""
    m, phi = _whole(m, "m"), listed(phi)
    wave = cupy.exp(1j * (m * phi))
    a = [amplitude * wave for amplitude in sph_legendre_p(n, m, theta, diff_n=diff_n)]
    if diff_n == 0:
        return a[0]
    turn = 1j * m
    gradient = cupy.stack([a[1], turn * a[0]], axis=-1)
    if diff_n == 1:
        return a[0], gradient
    mixed = turn * a[1]
    rows = [cupy.stack([a[2], mixed], axis=-1), cupy.stack([mixed, turn * turn * a[0]], axis=-1)]
    return a[0], gradient, cupy.stack(rows, axis=-2)


def _tables(n: Any, m: Any, ndim: int) -> Any:
    """All degrees up to one and all orders, `0, .., m, -m, .., -1`, as the first axes before so many others."""
    degrees = cupy.arange(n + 1).reshape(-1, *(1,) * (ndim + (m is not None)))
    if m is None:
        return (degrees,)
    m = abs(m)
    orders = (cupy.arange(2 * m + 1) + m) % (2 * m + 1) - m
    return degrees, orders.reshape(-1, *(1,) * ndim)


@implements(special.legendre_p_all)
def legendre_p_all(n: int, z: Any, *, diff_n: int = 0) -> Any:
    """`scipy.special.legendre_p_all`."""
    z = listed(z)
    return _of_precision(legendre_p(*_tables(n, None, z.ndim), z, diff_n=diff_n), z)


@implements(special.assoc_legendre_p_all)
def assoc_legendre_p_all(n: int, m: int, z: Any, *, branch_cut: Any = 2, norm: bool = False, diff_n: int = 0) -> Any:
    """`scipy.special.assoc_legendre_p_all`."""
    z = listed(z)
    keywords = {"branch_cut": branch_cut, "norm": norm, "diff_n": diff_n}
    return _of_precision(assoc_legendre_p(*_tables(n, m, z.ndim), z, **keywords), z)


@implements(special.sph_legendre_p_all)
def sph_legendre_p_all(n: int, m: int, theta: Any, *, diff_n: int = 0) -> Any:
    """`scipy.special.sph_legendre_p_all`."""
    theta = listed(theta)
    return _of_precision(sph_legendre_p(*_tables(n, m, theta.ndim), theta, diff_n=diff_n), theta)


@implements(special.sph_harm_y_all)
def sph_harm_y_all(n: int, m: int, theta: Any, phi: Any, *, diff_n: int = 0) -> Any:
    """`scipy.special.sph_harm_y_all`."""
    theta, phi = cupy.broadcast_arrays(listed(theta), listed(phi))
    w = sph_harm_y(*_tables(n, m, theta.ndim), theta, phi, diff_n=diff_n)
    return tuple(_of_precision(x, theta) for x in w) if isinstance(w, tuple) else _of_precision(w, theta)


def _computed(name: str, *args: Any) -> tuple[Any, ...]:
    """The outputs of a kernel of ours, in double precision."""
    arrays = [listed(x) for x in args]
    types = "".join("D" if x.dtype.kind == "c" else "d" for x in arrays)
    loop = next((loop for loop in loops_of(name) if loop.startswith(types)), None)
    if loop is None:
        raise TypeError(f"{name.strip('_')} is not defined for complex arguments")
    return elementwise(kernel_of(name, loop), arrays, [np.dtype(char) for char in loop.partition("->")[2]])


def _of_precision(w: Any, x: Any) -> Any:
    """Single precision beside an argument of it."""
    return w.astype(np.complex64 if w.dtype.kind == "c" else np.float32) if x.dtype.char in "fF" else w


# factorials


def _checked(function: Any, n: Any, *k: Any, exact: bool, extend: str) -> Any:
    """The argument on the device; what SciPy refuses raises as it does there."""
    n = listed(n)
    if exact:
        raise DeviceError(
            "with exact=True factorials are Python's integers, which no array on a GPU holds. Copy the array "
            "explicitly, wirtinger.to_host(n)."
        )
    function(np.ones(1, n.dtype), *k, extend=extend)
    return n


_gamma = ufunc_by(kernel_of, "gamma")


@implements(special.factorial)
def factorial(n: Any, exact: bool = False, extend: str = "zero") -> Any:
    """`scipy.special.factorial`."""
    n = _checked(special.factorial, n, exact=exact, extend=extend)
    if extend == "zero":
        return cupy.where(n < 0, 0.0, _gamma(n + np.float64(1)))
    w = _gamma(n + 1)
    return cupy.where(cupy.isinf(w) & (n.real < 0), w.dtype.type(np.nan), w)


@implements(special.factorialk)
def factorialk(n: Any, k: Any, exact: bool = False, extend: str = "zero") -> Any:
    """`scipy.special.factorialk`: `k**((n - r) / k) gamma(n / k + 1) / gamma(r / k + 1) max(r, 1)`.

    The rest `r` is that of `n / k`, and 1 where the factorial is extended to all numbers.
    """
    n = _checked(special.factorialk, n, k, exact=exact, extend=extend)
    if extend == "complex":
        base = k if issubclass(type(k), complex) or k > 0 else complex(k)
        return cupy.power(base, (n - 1) / k) * _gamma(n / k + 1) * float(special.rgamma(1 / k + 1))
    rest = n % k
    w = cupy.power(float(k), (n - rest) / k) * _gamma(n / k + 1) / _gamma(rest / k + 1) * cupy.maximum(rest, 1)
    return cupy.where(n < 0, 0.0, w)


@implements(special.factorial2)
def factorial2(n: Any, exact: bool = False, extend: str = "zero") -> Any:
    """`scipy.special.factorial2`."""
    return factorialk(_checked(special.factorial2, n, exact=exact, extend=extend), 2, extend=extend)
