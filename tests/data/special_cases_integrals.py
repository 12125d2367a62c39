"""References of the integrals of Airy, Bessel and Struve functions, by their power series with digits to spare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mpmath as mp
from special_cases import REAL, SIZE, between, either, macdonald, of, scales, signed

add = of("integrals")


def integrand(f: Callable[[Any], Any]) -> Callable[[int, Sequence[Any]], Any]:
    """The derivative of the integral of f in its upper end."""
    return lambda i, args: f(*args)


FAR_AIRY = either(signed(scales(1e-4, 0.1)), between(10, 40), between(-60, -10))
for k, (function, sign) in enumerate(((mp.airyai, 1), (mp.airybi, 1), (mp.airyai, -1), (mp.airybi, -1))):

    def airy(x: Any, f: Callable[..., Any] = function, sign: int = sign) -> Any:
        return sign * f(sign * x, -1)

    add(f"itairy[{k}]", airy, REAL, FAR_AIRY, derivative=integrand(lambda x, f=function, sign=sign: f(sign * x)))

# Bessel functions of order 0


def first_kind(x: Any, sign: int, power: int) -> Any:
    """The integral from 0 to x of `J_0 / t**power`, or with sign = 1 of I_0; less the pole where power = 1."""
    if power == 0:
        return x * mp.hyp1f2(0.5, 1, 1.5, sign * x * x / 4)
    return x * x / 8 * mp.hyp2f3(1, 1, 2, 2, 2, sign * x * x / 4)


def second_kind(x: Any, sign: int, power: int) -> Any:
    """`sum_k s**k (x / 2)**(2 k) x**(1 - p) / (k!**2 e) (log(x / 2) - psi(k + 1) - 1 / e)` with `e = 2 k + 1 - p`.

    Term by term the integral of the series of `pi / 2 Y_0`, or of `-K_0`, DLMF 10.8.2 and 10.31.2; where power = 1,
    without the first term, whose integral has no limit at 0.
    """
    with mp.workprec(mp.mp.prec + 20 + int(4 * x)):
        log, psi, part, total, k = mp.log(x / 2), -mp.euler, mp.mpf(1), mp.mpf(0), 0
        while k < x or abs(part) > mp.eps * abs(total):
            e = 2 * k + 1 - power
            if e > 0:
                total += part * x ** (1 - power) / e * (log - psi - mp.mpf(1) / e)
            k += 1
            part *= sign * x * x / (4 * k * k)
            psi += mp.mpf(1) / k
        return total


def log_square(x: Any) -> Any:
    return (mp.log(x / 2) + mp.euler) ** 2


def bessel_y_over_t(x: Any) -> Any:
    """The integral from x on; the constant is the finite part of DLMF 10.22.43 at exponent -1."""
    with mp.workprec(mp.mp.prec + 20 + int(4 * x)):
        return mp.pi / 6 - log_square(x) / mp.pi - 2 / mp.pi * second_kind(x, -1, 1)


def macdonald_over_t(x: Any) -> Any:
    """The integral from x on; the constant is the finite part of DLMF 10.43.19 at exponent -1."""
    with mp.workprec(mp.mp.prec + 20 + int(8 * x)):
        return mp.pi**2 / 24 + log_square(x) / 2 + second_kind(x, 1, 1)


def bessel_y_integral(x: Any) -> Any:
    return 2 / mp.pi * second_kind(x, -1, 0)


def macdonald_integral(x: Any) -> Any:
    with mp.workprec(mp.mp.prec + 20 + int(8 * x)):
        return -second_kind(x, 1, 0)


FAR = either(scales(1e-4, 0.1), between(10, 60))
add("itj0y0[0]", lambda x: first_kind(x, -1, 0), SIZE, FAR, derivative=integrand(mp.j0))
add(
    "itj0y0[1]",
    lambda x: 2 / mp.pi * second_kind(x, -1, 0),
    SIZE,
    FAR,
    derivative=integrand(lambda x: mp.bessely(0, x)),
)
add("iti0k0[0]", lambda x: first_kind(x, 1, 0), SIZE, FAR, derivative=integrand(lambda x: mp.besseli(0, x)))
add("iti0k0[1]", macdonald_integral, SIZE, FAR, derivative=integrand(lambda x: macdonald(0, x)))
add("it2j0y0[0]", lambda x: first_kind(x, -1, 1), SIZE, FAR, derivative=integrand(lambda x: (1 - mp.j0(x)) / x))
add("it2j0y0[1]", bessel_y_over_t, SIZE, FAR, derivative=integrand(lambda x: -mp.bessely(0, x) / x))
add("it2i0k0[0]", lambda x: first_kind(x, 1, 1), SIZE, FAR, derivative=integrand(lambda x: (mp.besseli(0, x) - 1) / x))
add("it2i0k0[1]", macdonald_over_t, SIZE, FAR, derivative=integrand(lambda x: -macdonald(0, x) / x))

# Struve functions of order 0, DLMF 11.2.1 and 11.2.2; the integral of H_0 / t over the half line is pi / 2


def struve_integral(x: Any, sign: int) -> Any:
    return x * x / mp.pi * mp.hyp2f3(1, 1, 1.5, 1.5, 2, sign * x * x / 4)


def struve_over_t(x: Any) -> Any:
    return mp.pi / 2 - 2 * x / mp.pi * mp.hyp2f3(0.5, 1, 1.5, 1.5, 1.5, -x * x / 4)


add("itstruve0", lambda x: struve_integral(x, -1), REAL, FAR, derivative=integrand(lambda x: mp.struveh(0, x)))
add("itmodstruve0", lambda x: struve_integral(x, 1), REAL, FAR, derivative=integrand(lambda x: mp.struvel(0, x)))
add("it2struve0", struve_over_t, SIZE, FAR, derivative=integrand(lambda x: -mp.struveh(0, x) / x))


def moment(a: Any, power: Any, order: Any) -> Any:
    """The integral of `t**power J_order(2 a t)` from 0 to 1: its power series, DLMF 10.2.2."""
    e = power + order + 1
    return a**order * mp.rgamma(order + 1) / e * mp.hyp1f2(e / 2, e / 2 + 1, order + 1, -a * a)


MOMENT = (SIZE, between(-0.5, 8), between(0, 8)), (FAR, between(-0.5, 20), either(between(0, 20), between(-0.4, 0)))
add("besselpoly", moment, *MOMENT)
