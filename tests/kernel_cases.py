"""What the kernels of the C library are compared with: references of many digits, and where."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

from mpmath import mp
from scipy import special


def _erfcx(x: Any) -> Any:
    return mp.exp(x * x) * mp.erfc(x) if x < 1e5 else (1 - 1 / (2 * x * x)) / (x * mp.sqrt(mp.pi))


def _log_ndtr(x: Any) -> Any:
    return mp.log1p(-mp.erfc(x / mp.sqrt(2)) / 2) if x > 0 else mp.log(mp.erfc(-x / mp.sqrt(2)) / 2)


def _scaled(function: Callable[..., Any], sign: int, order: int) -> Callable[[Any], Any]:
    return lambda x: mp.exp(sign * abs(x)) * function(order, x)


def _erfcinv(p: Any) -> Any:
    """By Newton's method for `log(erfc(x)) = log(p)`, or `erf(x) = 1 - p` next to the zero, from SciPy's value."""
    if p > 1 or p == 0:
        return -_erfcinv(2 - p) if p else mp.inf
    is_near = p > 0.5
    x = mp.mpf(float(special.erfinv(float(1 - p)) if is_near else special.erfcinv(float(p))))
    for _ in range(5):
        w, density = mp.erfc(x), 2 / mp.sqrt(mp.pi) * mp.exp(-x * x)
        x += (1 - p - mp.erf(x)) / density if is_near else (mp.log(w) - mp.log(p)) * w / density
    return x


def _erfinv(y: Any) -> Any:
    with mp.workdps(500 if abs(y) < 1e-10 else mp.dps):
        return mp.sign(y) * _erfcinv(1 - abs(y))


def _dawsn(x: Any) -> Any:
    if abs(x) > 1e3:
        return mp.fsum(mp.fac2(2 * k - 1) / (2 * x * x) ** k for k in range(9)) / (2 * x)
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def _dawsn_derivative(x: Any) -> Any:
    if abs(x) > 1e3:
        return -mp.fsum(mp.fac2(2 * k - 1) / (2 * x * x) ** k for k in range(1, 9))
    with mp.workdps(70):
        return 1 - 2 * x * _dawsn(x)


def _modulus(order: int) -> Callable[[Any], Any]:
    """The size of the Bessel functions where they oscillate, DLMF 10.18."""
    return lambda x: mp.hypot(mp.besselj(order, x), mp.bessely(order, abs(x))) if abs(x) > 0.5 else mp.mpf(0)


def _si(x: Any) -> Any:
    return mp.si(x) if abs(x) < 1e9 else mp.sign(x) * mp.pi / 2 - (mp.cos(x) + mp.sin(x) / x) / x


def _ci(x: Any) -> Any:
    return mp.ci(x) if x < 1e9 else (mp.sin(x) - mp.cos(x) / x) / x


def _of_many_digits(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """With digits for the phase of the largest numbers."""

    def call(x: Any) -> Any:
        with mp.workdps(360 if abs(x) > 1e20 else mp.dps):
            return function(x)

    return call


class Case(NamedTuple):
    """What a kernel is compared with, and between which numbers.

    An interval is a pair of numbers, or such a pair for each of several arguments, or for the parts of a complex one.
    Errors are relative to the value, or to `size` of the arguments where that is greater; those of a complex value are
    the larger of its parts', each relative to itself or `size`.
    """

    reference: Callable[..., Any]
    intervals: tuple[Any, ...]
    size: Callable[..., Any] | None = None
    is_complex: bool = False
    bar: float = 2.0
    """Units in the last place that no error may exceed."""


_OF_EXP = (-700.0, 709.7), (-1.0, 1.0), (1e-300, 1e-3), (-745.0, -708.0), (-0.35, 0.35), (0.02, 0.022)
_OF_SINH = (-5.0, 5.0), (-1.0, 1.0), (1e-300, 1e-3), (30.0, 710.4), (39.0, 41.0)
_OF_LOG = (
    (0.0, 10.0),
    (0.9, 1.1),
    (0.999999, 1.000001),
    (1e-300, 1e300),
    (0.7, 0.71),
    (1.41, 1.42),
    (0.98, 0.99),
    (1.03, 1.04),
)
_OF_LOG1P = (
    *((-1, 10), (-0.5, 0.5), (1e-300, 1e-3), (-1e-3, -1e-300), (1e-20, 1e-10), (1, 1e300), (-0.3, -0.29)),
    *((0.4, 0.43), (-1, -0.99999)),
)
_OF_SINE = (
    *((-10.0, 10.0), (-1.0, 1.0), (1e-300, 1e-3), (-1e5, 1e5), (1e5, 1e12), (1e9, 1.2e9), (1e12, 1.7e308)),
    *((3.1415926, 3.1415927), (1.570796, 1.5707964), (-1e300, -1e20), (0.19, 0.2), (0.09, 0.1), (1e5 - 1, 1e5 + 1)),
)
_OF_ANGLE = (
    *(((-5.0, 5.0), (-5.0, 5.0)), ((1e-300, 1e300), (1e-300, 1e300)), ((1e-300, 1e300), (-1e300, -1e-300))),
    *(((-1.0, 1.0), (1e-3, 1e3)), ((1e-308, 1e-300), (1e-308, 1e-300))),
)
_OF_POWER = (
    *(((0.0, 5.0), (-5.0, 5.0)), ((1e-300, 1e300), (-1.0, 1.0)), ((0.999, 1.001), (-3e5, 3e5))),
    *(((1e-5, 1e5), (-60.0, 60.0)), ((0.9999999, 1.0000001), (1e6, 1e9))),
)
_OF_SUM = ((-5.0, 5.0), (-5.0, 5.0)), ((-1e300, 1e300), (-1e300, 1e300)), ((-40.0, 40.0), (-1.0, 1.0))
_POSITIVE = (1e-308, 1e-3), (1e-3, 1.0), (0.9, 1.1), (1.0, 3.0), (2.9, 8.2), (8.0, 200.0)
_OF_I = (-9.0, 9.0), (8.5, 9.5), (9.0, 700.0), (1e-300, 1e-3)
_FAR = 1e150, 1e200
_OF_BESSEL = (1e-300, 1e-3), (1e-3, 1.0), (1.0, 8.0), (4.9, 5.1), (5.0, 100.0), (100.0, 1e15)
_OF_TWO = (
    *(((0.0, 10.0), (0.0, 10.0)), ((0.999999, 1.000001), (0.999999, 1.000001)), ((0.9, 1.1), (0.9, 1.1))),
    *(((1e-300, 1e300), (1e-300, 1e300)), ((1.0, 10.0), (1e-10, 1e-3)), ((1.0, 2.0), (0.65, 0.8))),
    ((1.0, 2.0), (1.3, 1.5)),
)
_OF_ELLIPTIC = (-5.0, 1.0), (0.0, 1.0), (0.49, 0.51), (0.9999, 1.0), (-1.01, -0.99), (1e-300, 1e-3), (-1e300, -1.0)
_OF_ZETA = (
    (1.0, 3.0),
    (1.0, 1.001),
    (2.9, 6.1),
    (6.0, 8.1),
    (7.9, 12.1),
    (12.0, 20.1),
    (19.9, 26.1),
    (26.0, 90.0),
    (90.0, 1000.0),
)
_OF_SICI = (
    *((-30.0, 30.0), (0.0, 2.0), (0.61, 0.62), (3.9, 4.1), (4.0, 100.0), (1e-300, 1e-3), (100.0, 2.0**30)),
    *((1.07e9, 1.08e9), (2.0**30, 1e16), (1e16, 1e300)),
)
_OF_K = (1e-300, 1e-3), (1e-3, 1.0), (0.9, 1.1), (1.0, 20.0), (20.0, 705.0)

SPECIAL = {
    "erf": Case(mp.erf, ((-6, 6), (-1.2, 1.2), (1e-307, 1e-3), (0.9, 1.1), (5, 7))),
    "erfc": Case(mp.erfc, ((-6, 6), (-1, 1), (0.4, 0.6), (5, 26), (26, 27.2))),
    "erfcx": Case(_erfcx, ((-6, 6), (-26.6, -20), (-1, 1), (0, 0.1), (5, 50), (1, 1e300))),
    "ndtr": Case(lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, ((-6, 6), (-1, 1), (-37, -5), (-38.4, -37))),
    "log_ndtr": Case(_log_ndtr, ((-6, 6), (-1, 1), (-1e-3, 1e-3), (-100, -5), (-1e5, -100), (5, 38))),
    "expit": Case(lambda x: 1 / (1 + mp.exp(-x)), ((-40, 40), (-1, 1), (-745, -700))),
    "log_expit": Case(lambda x: -mp.log1p(mp.exp(-x)), ((-40, 40), (-1, 1), (-745, -700), (600, 740))),
    "gammaln": Case(mp.loggamma, (*_POSITIVE, (1.9, 2.1), (200, 1e300))),
    "psi": Case(mp.digamma, (*_POSITIVE, (1.4, 1.5), (1.4616, 1.46165), (200, 1e300))),
    "i0": Case(partial(mp.besseli, 0), (*_OF_I, (700, 713.9))),
    "i1": Case(partial(mp.besseli, 1), (*_OF_I, (700, 713.9))),
    "i0e": Case(_scaled(mp.besseli, -1, 0), (*_OF_I, (700, 1e5))),
    "i1e": Case(_scaled(mp.besseli, -1, 1), (*_OF_I, (700, 1e5))),
    "k0": Case(partial(mp.besselk, 0), _OF_K),
    "k1": Case(partial(mp.besselk, 1), _OF_K),
    "k0e": Case(_scaled(mp.besselk, 1, 0), (*_OF_K, (700, 1e5))),
    "k1e": Case(_scaled(mp.besselk, 1, 1), (*_OF_K, (700, 1e5))),
    "erfinv": Case(_erfinv, ((-1, 1), (-0.51, 0.51), (0.4999, 0.5001), (1e-307, 1e-3), (0.999, 1), (1 - 1e-12, 1))),
    "erfcinv": Case(
        _erfcinv, ((0, 2), (0.4, 1.6), (0.149, 0.151), (1e-307, 1e-3), (1.8, 2), (0.999999, 1.000001), (1e-16, 1.3e-16))
    ),
    "ndtri": Case(
        lambda p: -mp.sqrt(2) * _erfcinv(2 * p),
        ((0, 1), (0.2, 0.8), (0.074, 0.076), (1e-307, 1e-3), (0.92, 1), (0.499999, 0.500001), (5e-17, 6e-17)),
    ),
    "dawsn": Case(_dawsn, ((-5, 5), (-1.1, 1.1), (1.05, 1.07), (3.9, 4.1), (4, 30), (1e-300, 1e-3), (30, 1e300))),
    "rel_entr": Case(lambda x, y: x * mp.log(x / y), _OF_TWO),
    "kl_div": Case(
        lambda x, y: x * mp.log(x / y) - x + y, (*_OF_TWO, ((1.0, 2.0), (0.8, 2.5)), ((1.0, 1.01), (0.7, 0.72)))
    ),
    "log1p": Case(mp.log1p, _OF_LOG1P),
    "expm1": Case(mp.expm1, (*_OF_EXP[:3], (-0.4, -0.3), (0.3, 0.4))),
    "entr": Case(lambda x: -x * mp.log(x), (*_OF_LOG[:4], (0.7, 0.71), (1e300, 1e305))),
    "xlogy": Case(lambda x, y: x * mp.log(y), (*_OF_TWO, ((-5.0, 5.0), (0.9999, 1.0001)))),
    "xlog1py": Case(
        lambda x, y: x * mp.log1p(y),
        (*_OF_TWO, ((-5.0, 5.0), (-1.0, 1.0)), ((-2.0, 2.0), (-1e-10, 1e-10)), ((1.0, 2.0), (-1e-3, -1e-200))),
    ),
    "logit": Case(
        lambda x: mp.log(x / (1 - x)),
        ((0, 1), (0.4, 0.6), (0.499999, 0.500001), (1e-300, 1e-3), (0.999, 1), (0.39, 0.41)),
    ),
    "spence": Case(
        lambda x: mp.polylog(2, 1 - x).real if x != 1 else mp.mpf(0),
        ((0, 5), (0.999999, 1.000001), (0.49, 0.51), (1.9, 2.1), (1e-300, 1e-3), (1, 1e300)),
    ),
    "gamma": Case(mp.gamma, (*_POSITIVE[:-1], (8, 171.6), (1e-5, 1e-3), (20, 30))),
    "j0": Case(partial(mp.besselj, 0), (*_OF_BESSEL, (-30.0, 0.0)), _modulus(0)),
    "j1": Case(partial(mp.besselj, 1), (*_OF_BESSEL, (-30.0, 0.0)), _modulus(1)),
    "y0": Case(partial(mp.bessely, 0), _OF_BESSEL, _modulus(0)),
    "y1": Case(partial(mp.bessely, 1), _OF_BESSEL, _modulus(1)),
    "exp1": Case(mp.e1, ((0.0, 2.0), (0.99, 1.01), (1.0, 100.0), (1e-300, 1e-3), (600.0, 701.0))),
    "expi": Case(
        mp.ei,
        ((-30, 30), (0.37, 0.375), (0, 6), (5.9, 6.1), (6, 14), (13.9, 14.1), (14, 700), (-701, -30), (1e-300, 1)),
    ),
    "sici[0]": Case(_of_many_digits(_si), _OF_SICI),
    "sici[1]": Case(
        _of_many_digits(lambda x: _ci(abs(x))),
        _OF_SICI,
        lambda x: abs(mp.expint(1, mp.mpc(0, x)) if abs(x) < 1e6 else 1 / x) if abs(x) > 2 else mp.mpf(0),
    ),
    "ellipk": Case(mp.ellipk, _OF_ELLIPTIC),
    "ellipe": Case(mp.ellipe, _OF_ELLIPTIC),
    "_riemann_zeta": Case(mp.zeta, _OF_ZETA),
    "ellipkm1": Case(
        lambda p: mp.pi / (2 * mp.agm(1, mp.sqrt(p))),
        ((0.0, 5.0), (1e-300, 1.0), (0.49, 0.51), (1.9, 2.1), (1.0, 1e300)),
    ),
}


def _zeta_derivative(s: Any) -> Any:
    """DLMF 25.2.6 far out, where mpmath has the digits of 1."""
    return -mp.fsum(mp.log(k) * mp.mpf(k) ** -s for k in range(2, 9)) if s > 70 else mp.zeta(s, derivative=1)


def _larger_size(x: Any, y: Any) -> Any:
    return max(abs(x), abs(y))


_ELEMENTARY = {
    "exp": Case(mp.exp, _OF_EXP),
    "exp2": Case(lambda x: mp.mpf(2) ** x, ((-1020, 1024), (-1, 1), (1e-300, 1e-3), (-1074, -1000))),
    "expm1": Case(mp.expm1, (*_OF_EXP[:3], (-0.4, -0.3), (0.3, 0.4))),
    "sinh": Case(mp.sinh, _OF_SINH),
    "cosh": Case(mp.cosh, _OF_SINH),
    "tanh": Case(mp.tanh, (*_OF_SINH[:3], (5.0, 30.0))),
    "log": Case(mp.log, _OF_LOG),
    "log2": Case(lambda x: mp.log(x) / mp.log(2), _OF_LOG),
    "log10": Case(mp.log10, _OF_LOG),
    "log1p": Case(mp.log1p, _OF_LOG1P),
    "arcsinh": Case(mp.asinh, ((-5, 5), (-0.5, 0.5), (1e-300, 1e-3), (1e-9, 1e-6), (1, 1e300))),
    "arccosh": Case(mp.acosh, ((1, 5), (1, 1.0001), (1, 1e300))),
    "arctanh": Case(mp.atanh, ((-1, 1), (-0.1, 0.1), (1e-300, 1e-3), (1e-9, 1e-6), (0.9999999, 1))),
    "cbrt": Case(lambda x: mp.sign(x) * mp.cbrt(abs(x)), ((-5, 5), (1e-300, 1e300))),
    "sin": Case(mp.sin, _OF_SINE),
    "cos": Case(mp.cos, _OF_SINE),
    "tan": Case(mp.tan, _OF_SINE),
    "arctan": Case(mp.atan, ((-5, 5), (-0.5, 0.5), (1e-300, 1e300), (0.41, 0.42), (2.41, 2.42))),
    "arcsin": Case(mp.asin, ((-1, 1), (-0.5, 0.5), (1e-300, 1e-3), (0.999999, 1), (0.38, 0.39), (0.92, 0.93))),
    "arccos": Case(mp.acos, ((-1, 1), (-0.5, 0.5), (1e-300, 1e-3), (0.999999, 1), (-1, -0.99))),
    "arctan2": Case(mp.atan2, _OF_ANGLE),
    "hypot": Case(mp.hypot, _OF_ANGLE),
    "power": Case(lambda x, y: x**y, _OF_POWER),
    "logaddexp": Case(lambda x, y: max(x, y) + mp.log1p(mp.exp(-abs(x - y))), _OF_SUM, _larger_size),
    "logaddexp2": Case(
        lambda x, y: max(x, y) + mp.log(1 + mp.mpf(2) ** -abs(x - y)) / mp.log(2), _OF_SUM, _larger_size
    ),
}


def _erfcx_derivative(x: Any) -> Any:
    with mp.workdps(400 if x < 1e100 else 1000):
        if x > 1e5:
            return -(1 - 3 / (2 * x * x)) / (mp.sqrt(mp.pi) * x * x)
        return 2 * x * mp.exp(x * x) * mp.erfc(x) - 2 / mp.sqrt(mp.pi)


def _log_ndtr_derivative(x: Any) -> Any:
    return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi) / (mp.erfc(-x / mp.sqrt(2)) / 2)


def _i(order: int, x: Any) -> Any:
    return mp.exp(-abs(x)) * mp.besseli(order, x)


def _k(order: int, x: Any) -> Any:
    return mp.exp(x) * mp.besselk(order, x)


def _or_far(f: Callable[[Any], Any], scale: Callable[[], Any]) -> Callable[[Any], Any]:
    """A derivative of `scale() / sqrt(x)` times `1 + O(1 / x)`."""
    return lambda x: -scale() / (2 * x * mp.sqrt(x)) if x > 1e100 else f(x)


def _j1_derivative(x: Any) -> Any:
    return (mp.besselj(0, x) - mp.besselj(2, x)) / 2


def _y1_derivative(x: Any) -> Any:
    return (mp.bessely(0, x) - mp.bessely(2, x)) / 2


def _modulus_of_derivative(x: Any) -> Any:
    return mp.hypot(_j1_derivative(x), _y1_derivative(abs(x))) if abs(x) > 0.5 else mp.mpf(0)


def _inverse(x: Any) -> Any:
    return 1 / x if x else mp.inf


def _part_of_one(*x: Any) -> Any:
    return mp.mpf(1) / 16


_OF_DENSITY = (-6, 6), (-1, 1), (5, 26), (1e-300, 1e-3)
_DERIVATIVES = {
    "si": Case(_of_many_digits(lambda x: mp.sin(x) / x), _OF_SICI, lambda x: 1 / max(abs(x), 1)),
    "ci": Case(_of_many_digits(lambda x: mp.cos(x) / x), _OF_SICI, lambda x: 1 / abs(x)),
    "erf": Case(lambda x: 2 / mp.sqrt(mp.pi) * mp.exp(-x * x), _OF_DENSITY),
    "erfc": Case(lambda x: -2 / mp.sqrt(mp.pi) * mp.exp(-x * x), _OF_DENSITY),
    "erfcx": Case(_erfcx_derivative, ((-6, 6), (-26.6, -20), (-1, 1), (0, 0.1), (5, 50), (1, 1e100))),
    "dawsn": Case(
        _dawsn_derivative,
        (
            *((-5, 5), (-1.1, 1.1), (0.92, 0.93), (0.924138873, 0.924138874), (1.37, 1.38), (3.9, 4.1), (4, 30)),
            *((1e-300, 1e-3), (30, 1e150)),
        ),
    ),
    "ndtr": Case(lambda x: mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi), (*_OF_DENSITY[:2], (5, 37))),
    "log_ndtr": Case(_log_ndtr_derivative, ((-6, 6), (-1, 1), (-100, -5), (-1e5, -100), (5, 37))),
    "expit": Case(lambda x: mp.exp(-abs(x)) / (1 + mp.exp(-abs(x))) ** 2, ((-40, 40), (-1, 1), (-700, 700))),
    "log_expit": Case(lambda x: 1 / (1 + mp.exp(x)), ((-40, 40), (-1, 1), (-745, 700))),
    "logit": Case(lambda x: _inverse(x * (1 - x)), SPECIAL["logit"].intervals),
    "erfinv": Case(lambda y: mp.sqrt(mp.pi) / 2 * mp.exp(_erfinv(y) ** 2), SPECIAL["erfinv"].intervals),
    "erfcinv": Case(lambda p: -mp.sqrt(mp.pi) / 2 * mp.exp(_erfcinv(p) ** 2), SPECIAL["erfcinv"].intervals),
    "ndtri": Case(lambda p: mp.sqrt(2 * mp.pi) * mp.exp(_erfcinv(2 * p) ** 2), SPECIAL["ndtri"].intervals),
    "tanh": Case(lambda x: mp.sech(x) ** 2, ((-20, 20), (-0.5, 0.5), (-350, 350))),
    "expm1": Case(mp.exp, _OF_EXP),
    "log1p": Case(lambda x: _inverse(1 + x), _OF_LOG1P),
    "entr": Case(lambda x: -mp.log(x) - 1, (*_OF_LOG, (0.3, 0.45)), _part_of_one),
    "xlogy_1": Case(lambda x, y: x / y, _OF_TWO),
    "xlog1py_1": Case(lambda x, y: x / (1 + y), SPECIAL["xlog1py"].intervals),
    "rel_entr_0": Case(lambda x, y: mp.log(x / y) + 1, (*_OF_TWO, ((1.0, 1.1), (2.7, 3.2))), _part_of_one),
    "rel_entr_1": Case(lambda x, y: -x / y, _OF_TWO),
    "kl_div_0": Case(lambda x, y: mp.log(x / y), _OF_TWO),
    "kl_div_1": Case(lambda x, y: 1 - x / y, _OF_TWO),
    "ellipk": Case(lambda m: mp.pi / 8 * mp.hyp2f1(1.5, 1.5, 2, m), _OF_ELLIPTIC),
    "ellipe": Case(lambda m: -mp.pi / 8 * mp.hyp2f1(0.5, 1.5, 2, m), _OF_ELLIPTIC),
    "ellipkm1": Case(lambda p: -mp.pi / 8 / p * mp.hyp2f1(0.5, 0.5, 2, 1 - p), SPECIAL["ellipkm1"].intervals),
    "_riemann_zeta": Case(_zeta_derivative, _OF_ZETA),
    "spence": Case(lambda x: mp.log(x) / (1 - x) if x != 1 else -mp.one, SPECIAL["spence"].intervals),
    "gammaln": Case(mp.digamma, (*_POSITIVE, (1.4, 1.5), (1.4616, 1.46165), (200, 1e300))),
    "psi": Case(lambda x: mp.polygamma(1, x), (*_POSITIVE[1:], (1e-150, 1e-3), (200, 1e300))),
    "i1": Case(lambda x: (mp.besseli(0, x) + mp.besseli(2, x)) / 2, (*_OF_I, (700, 713.9))),
    "j1": Case(_j1_derivative, (*_OF_BESSEL, (1.84, 1.85), (-30.0, 0.0)), _modulus_of_derivative),
    "y1": Case(_y1_derivative, ((1e-150, 1e-3), *_OF_BESSEL[1:], (3.68, 3.69)), _modulus_of_derivative),
    "k1": Case(lambda x: -(mp.besselk(0, x) + mp.besselk(2, x)) / 2, ((1e-150, 1e-3), *_OF_K[1:])),
    "i0e": Case(
        _or_far(lambda x: _i(1, x) - mp.sign(x) * _i(0, x), lambda: 1 / mp.sqrt(2 * mp.pi)), (*_OF_I, (700, 1e5), _FAR)
    ),
    "i1e": Case(
        _or_far(lambda x: (_i(0, x) + _i(2, x)) / 2 - abs(_i(1, x)), lambda: 1 / mp.sqrt(2 * mp.pi)),
        (*_OF_I, (1.5, 1.6), (700, 1e5), _FAR),
    ),
    "k0e": Case(_or_far(lambda x: _k(0, x) - _k(1, x), lambda: mp.sqrt(mp.pi / 2)), (*_OF_K, (700, 1e5), _FAR)),
    "k1e": Case(
        _or_far(lambda x: _k(1, x) - _k(0, x) - _k(1, x) / x, lambda: mp.sqrt(mp.pi / 2)),
        ((1e-150, 1e-3), *_OF_K[1:], (700, 1e5), _FAR),
    ),
}


@cache
def _faddeeva(z: Any, order: int = 0) -> Any:
    """The value or the derivative, with digits for the smaller part."""
    x, y = abs(z.real), abs(z.imag)
    digits = 20 * (order + 1) + sum(int(abs(mp.log10(a))) for a in (x, y) if a)
    with mp.workdps(mp.dps + digits):
        if max(x, y) > 1e6:
            terms = ((1 + order * 2 * k) * mp.fac2(2 * k - 1) / (2 * z * z) ** k for k in range(6))
            far = 1j * mp.fsum(terms) / mp.sqrt(mp.pi) * (-1) ** order / z ** (order + 1)
            return far + (2 * mp.exp(-z * z) * (-2 * z) ** order if z.imag < 0 else 0)
        w = mp.exp(-z * z) * mp.erfc(-1j * z)
        return 2j / mp.sqrt(mp.pi) - 2 * z * w if order else w


def _modulus_below(z: Any) -> Any:
    """In the lower half-plane the parts vanish on curves."""
    return abs(_faddeeva(z)) if z.imag < 0 else mp.mpf(0)


_OF_PLANE = (
    *(((-4.0, 4.0), (0.0, 4.0)), ((-8.0, 8.0), (4.0, 8.0)), ((0.0, 1.2), (0.0, 0.6)), ((0.0, 8.0), (1e-30, 0.3))),
    *(((-8.0, 8.0), (0.0, 0.0)), ((1e-300, 1e300), (0.0, 0.0)), ((0.0, 0.0), (0.0, 30.0)), ((0.0, 0.0), (-26.0, 0.0))),
    *(((1e-200, 1e-3), (0.0, 10.0)), ((20.0, 26.0), (1e-280, 1.0)), ((1e-300, 1e-3), (1e-300, 1e-3))),
    *(((-1e9, -8.0), (1e-9, 1e9)), ((1e7, 1e150), (1e7, 1e150)), ((1e150, 1e300), (1e150, 1e300))),
    *(((0.0, 8.0), (-0.3, -1e-30)), ((-1.0, 1.0), (-1.0, 0.0)), ((-20.0, 20.0), (-20.0, 0.0))),
    *(((1e-200, 1e-3), (-26.0, 0.0)), ((8.0, 1e9), (-1.0, -1e-9))),
)
COMPLEX = {
    # the error of the trapezoidal rule, exp(-4 pi^2), counts in the smaller part where Im z is about 2 pi
    "wofz": Case(_faddeeva, _OF_PLANE, _modulus_below, is_complex=True, bar=10.0),
    # what the pole adds, and the sum, are up to 12 times the derivative
    "derivative_wofz": Case(
        partial(_faddeeva, order=1),
        tuple(i for i in _OF_PLANE if i[0][1] < 1e200),
        lambda z: abs(_faddeeva(z, order=1)),
        is_complex=True,
        bar=40.0,
    ),
}

CASES = {
    **SPECIAL,
    **COMPLEX,
    **{f"derivative_{name}": case for name, case in _DERIVATIVES.items()},
    **{f"elementary_{name}": case for name, case in _ELEMENTARY.items()},
}
"""Every kernel: the functions of `scipy.special`, derivatives of some, and functions of NumPy's namespace."""
