"""The special functions that mpmath has, one number at a time, under the names of SciPy's ufuncs.

They are mpmath's own, in SciPy's normalisation and argument order.  Where a formula cancels, it is computed with more
digits, and rounded at the end.  Their derivatives are mpmath's differences, which are taken with as many more digits as
they lose.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import numpy as np
from scipy import special

from ... import device_named
from ...base import DeviceError
from ..array import Array
from ..dispatch import refuse
from ..elements import COMPLEX, REAL, label_of, numbers
from ..tables import UFUNCS, implements
from .elementwise import declare, like_numpy


def _with_more_digits(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function computed with twice the digits and rounded: for formulas that cancel."""

    def call(*args: Any) -> Any:
        with mpmath.workprec(2 * mpmath.mp.prec + 20):
            w = function(*args)
        return +w

    return call


def _log_gamma(x: Any) -> Any:
    return mpmath.re(mpmath.loggamma(x))  # whose real part is log|Gamma|


def _erfcx(z: Any) -> Any:
    return mpmath.exp(z * z) * mpmath.erfc(z)


def _erfcinv(y: Any) -> Any:
    with mpmath.workprec(mpmath.mp.prec + 20 - min(0, mpmath.mag(y) if y else 0)):
        w = mpmath.erfinv(1 - y)
    return +w


def _shifted(polynomial: Callable[..., Any]) -> Callable[..., Any]:
    """A polynomial of `2 x - 1`: the shifted one."""
    return lambda n, x: polynomial(n, 2 * x - 1)


def _xlogy(x: Any, y: Any) -> Any:
    return x if not x and y == y else x * mpmath.log(y)


def _carlson_j(x: Any, y: Any, z: Any, p: Any) -> Any:
    if not mpmath.im(p) and mpmath.re(p) < 0:
        refuse("scipy.special.elliprj with negative p, a principal value,")
    return mpmath.elliprj(x, y, z, p)


def _scaled(function: Callable[..., Any], logarithm: Callable[[Any], Any]) -> Callable[..., Any]:
    """A Bessel function times the exponential of something of its argument."""
    return lambda v, z: function(v, z) * mpmath.exp(logarithm(z))


def _at_order(function: Callable[..., Any], v: int) -> Callable[[Any], Any]:
    return lambda z: function(v, z)


def _together(*functions: Callable[..., Any]) -> Callable[..., Any]:
    """The outputs of a ufunc that has several."""
    each = [like_numpy(function) for function in functions]
    return lambda *args: tuple(function(*args) for function in each)


_J, _Y, _I, _K = mpmath.besselj, mpmath.bessely, mpmath.besseli, mpmath.besselk
_ie, _ke = _scaled(_I, lambda z: -abs(mpmath.re(z))), _scaled(_K, lambda z: z)

_OF_ONE: dict[Any, Callable[..., Any]] = {
    special.gamma: mpmath.gamma,
    special.rgamma: mpmath.rgamma,
    special.gammaln: _log_gamma,
    special.loggamma: mpmath.loggamma,
    special.psi: mpmath.digamma,
    special.erf: mpmath.erf,
    special.erfc: mpmath.erfc,
    special.erfi: mpmath.erfi,
    special.erfcx: _erfcx,
    special.wofz: lambda z: _erfcx(mpmath.mpc(mpmath.im(z), -mpmath.re(z))),
    special.dawsn: lambda z: mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-z * z) * mpmath.erfi(z),
    special.erfinv: mpmath.erfinv,
    special.erfcinv: _erfcinv,
    special.ndtr: lambda x: mpmath.erfc(-x / mpmath.sqrt(2)) / 2,
    special.ndtri: lambda p: -mpmath.sqrt(2) * _erfcinv(2 * p),
    special.exp1: mpmath.e1,
    special.expi: mpmath.ei,
    special.expit: lambda x: 1 / (1 + mpmath.exp(-x)),
    special.log_expit: lambda x: -mpmath.log1p(mpmath.exp(-x)),
    special.logit: lambda p: mpmath.log(p) - mpmath.log1p(-p),
    special.ber: _at_order(mpmath.ber, 0),
    special.bei: _at_order(mpmath.bei, 0),
    special.ker: _at_order(mpmath.ker, 0),
    special.kei: _at_order(mpmath.kei, 0),
    special.cbrt: lambda x: mpmath.cbrt(x) if x >= 0 else -mpmath.cbrt(-x),
    special.log1p: mpmath.log1p,
    special.expm1: mpmath.expm1,
    special.exp2: lambda x: mpmath.power(2, x),
    special.exp10: lambda x: mpmath.power(10, x),
    special.exprel: lambda x: mpmath.expm1(x) / x if x else mpmath.mpf(1),
    special.entr: lambda x: -_xlogy(x, x),
    special.spence: _with_more_digits(lambda z: mpmath.polylog(2, 1 - z)),
    special.zetac: _with_more_digits(lambda x: mpmath.zeta(x) - 1),
    special.j0: _at_order(_J, 0),
    special.j1: _at_order(_J, 1),
    special.y0: _at_order(_Y, 0),
    special.y1: _at_order(_Y, 1),
    special.i0: _at_order(_I, 0),
    special.i1: _at_order(_I, 1),
    special.i0e: _at_order(_ie, 0),
    special.i1e: _at_order(_ie, 1),
    special.k0: _at_order(_K, 0),
    special.k1: _at_order(_K, 1),
    special.k0e: _at_order(_ke, 0),
    special.k1e: _at_order(_ke, 1),
    special.ellipk: mpmath.ellipk,
    special.ellipkm1: _with_more_digits(lambda p: mpmath.ellipk(1 - p)),
    special.ellipe: mpmath.ellipe,
}
_OF_SEVERAL: dict[Any, Callable[..., Any]] = {
    special.beta: mpmath.beta,
    special.betaln: _with_more_digits(lambda a, b: _log_gamma(a) + _log_gamma(b) - _log_gamma(a + b)),
    special.betainc: lambda a, b, x: mpmath.betainc(a, b, 0, x, regularized=True),
    special.betaincc: lambda a, b, x: mpmath.betainc(a, b, x, 1, regularized=True),
    special.gammainc: lambda a, x: mpmath.gammainc(a, 0, x, regularized=True),
    special.gammaincc: lambda a, x: mpmath.gammainc(a, x, mpmath.inf, regularized=True),
    special.poch: mpmath.rf,
    special.binom: mpmath.binomial,
    special.expn: mpmath.expint,
    special.xlogy: _xlogy,
    special.xlog1py: lambda x, y: x if not x and y == y else x * mpmath.log1p(y),
    special.agm: mpmath.agm,
    special.jv: _J,
    special.yv: _Y,
    special.iv: _I,
    special.kv: _K,
    special.yn: _Y,
    special.kn: _K,
    special.jve: _scaled(_J, lambda z: -abs(mpmath.im(z))),
    special.yve: _scaled(_Y, lambda z: -abs(mpmath.im(z))),
    special.ive: _ie,
    special.kve: _ke,
    special.hankel1: mpmath.hankel1,
    special.hankel2: mpmath.hankel2,
    special.hankel1e: _scaled(mpmath.hankel1, lambda z: mpmath.mpc(0, -1) * z),
    special.hankel2e: _scaled(mpmath.hankel2, lambda z: mpmath.mpc(0, 1) * z),
    special.struve: mpmath.struveh,
    special.modstruve: mpmath.struvel,
    special.hyp0f1: mpmath.hyp0f1,
    special.hyp1f1: mpmath.hyp1f1,
    special.hyperu: mpmath.hyperu,
    special.hyp2f1: mpmath.hyp2f1,
    special.ellipkinc: mpmath.ellipf,
    special.ellipeinc: mpmath.ellipe,
    special.elliprc: mpmath.elliprc,
    special.elliprd: mpmath.elliprd,
    special.elliprf: mpmath.elliprf,
    special.elliprg: mpmath.elliprg,
    special.elliprj: _carlson_j,
    special.eval_legendre: mpmath.legendre,
    special.eval_chebyt: mpmath.chebyt,
    special.eval_chebyu: mpmath.chebyu,
    special.eval_hermite: mpmath.hermite,
    special.eval_hermitenorm: lambda n, x: mpmath.power(2, -n / 2) * mpmath.hermite(n, x / mpmath.sqrt(2)),
    special.eval_laguerre: lambda n, x: mpmath.laguerre(n, 0, x),
    special.eval_genlaguerre: mpmath.laguerre,
    special.eval_gegenbauer: mpmath.gegenbauer,
    special.eval_jacobi: mpmath.jacobi,
    special.eval_sh_legendre: _shifted(mpmath.legendre),
    special.eval_sh_chebyt: _shifted(mpmath.chebyt),
    special.eval_sh_chebyu: _shifted(mpmath.chebyu),
}
for _ufunc, _function in (*_OF_ONE.items(), *_OF_SEVERAL.items()):
    declare(_ufunc, _function, _ufunc.nin)
_AIRY = [mpmath.airyai, lambda z: mpmath.airyai(z, derivative=1)]
_AIRY += [mpmath.airybi, lambda z: mpmath.airybi(z, derivative=1)]
declare(special.airy, _together(*_AIRY), 1, 4)
declare(special.fresnel, _together(mpmath.fresnels, mpmath.fresnelc), 1, 2)
declare(special.sici, _together(mpmath.si, mpmath.ci), 1, 2)
declare(special.shichi, _together(mpmath.shi, mpmath.chi), 1, 2)

_NO_UFUNCS: dict[str, Callable[..., Any]] = {
    "zeta": like_numpy(mpmath.zeta),
    "lambertw": lambda z, k: mpmath.lambertw(z, int(mpmath.re(k))),
}
"""What SciPy writes in Python."""


@implements(np.i0)
def i0(x: Any) -> Any:
    """`numpy.i0`."""
    return special.i0(x)


# C[v]^(k) = 2^-k sum_j s^j binomial(k, j) C[v - k + 2 j]: for J, Y and Hankel's with s = -1, and with 1 for I and, with
# the factor (-1)^k besides, for K  [DLMF 10.6.7, 10.29.5]
_CYLINDERS: dict[str, tuple[Callable[..., Any], int]] = {
    **{"hankel1": (mpmath.hankel1, -1), "hankel2": (mpmath.hankel2, -1)},
    **dict.fromkeys(("jv", "j0", "j1"), (_J, -1)),
    **dict.fromkeys(("yv", "yn", "y0", "y1"), (_Y, -1)),
    **dict.fromkeys(("iv", "i0", "i1"), (_I, 1)),
    **dict.fromkeys(("kv", "kn", "k0", "k1"), (_K, 1)),
}


def _of_cylinder(name: str, k: int, *args: Any) -> Any:
    """The derivative of order `k` of a Bessel function in its argument, by those of neighbouring orders."""
    function, sign = _CYLINDERS[name]
    v, z = args if len(args) == 2 else (int(name[-1]), *args)
    with mpmath.workprec(mpmath.mp.prec + 10 + 2 * k):
        total = sum(sign**j * mpmath.binomial(k, j) * function(v - k + 2 * j, z) for j in range(k + 1))
    return (-1) ** (k if function is _K else 0) * total / 2**k


def derivative(name: str, orders: Sequence[int], output: int, types: str, args: Sequence[Any]) -> Any:
    """A derivative of one output of a function, of these orders in each argument."""
    function: Any = _NO_UFUNCS.get(name) or UFUNCS.get(getattr(special, name))
    if function is None:
        refuse(f"scipy.special.{name}")

    def value(*x: Any) -> Any:
        w = function(*x)
        return w[output] if type(w) is tuple else w

    def at(*x: Any) -> Any:
        try:
            if name in _CYLINDERS and any(orders) and not any(orders[:-1]):
                return like_numpy(functools.partial(_of_cylinder, name, orders[-1]))(*x)
            return mpmath.diff(value, x, tuple(orders)) if any(orders) else value(*x)
        except (ValueError, ZeroDivisionError, OverflowError, mpmath.libmp.NoConvergence) as error:
            where = ", ".join(mpmath.nstr(y, 8) for y in x)
            raise DeviceError(f"mpmath does not find a derivative of special.{name} at {where}: {error}") from error

    hosts = []
    for x, kind in zip(args, types.partition("->")[0] or "d" * len(args), strict=False):
        dtype = COMPLEX if kind in "FD" else label_of(getattr(x, "host", x))
        hosts.append(numbers(getattr(x, "host", x), dtype))
    found = np.asarray(np.frompyfunc(at, len(hosts), 1)(*hosts))
    dtype = COMPLEX if any(type(w) is mpmath.mpc for w in found.flat) else REAL
    return Array(numbers(found, dtype), dtype)


device_named("mpmath").register_kernel("special derivative", derivative)
