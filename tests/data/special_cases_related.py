"""References of the functions that are other functions scaled, complemented, shifted or inverted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mpmath as mp
from special_cases import (
    ALPHA,
    DEGREE,
    EDGE,
    HARD_DEGREE,
    HARD_PART,
    HARD_REAL,
    HARD_REAL_DEGREE,
    HARD_SIZE,
    INNER,
    INSIDE,
    KELVIN,
    OF_ORDER,
    OF_PLANE,
    PART,
    REAL,
    REAL_DEGREE,
    SIZE,
    between,
    either,
    hankel,
    invert,
    jacobi,
    kolmogorov,
    lower_beta,
    lower_gamma,
    near_cut,
    negative,
    normal,
    of,
    of_integer_order,
    one_of,
    plane,
    scales,
    signed,
    smirnov,
    whole,
    wright,
)

# scaled Airy and Bessel functions

add = of("scaled")


def airy_scale(z: Any) -> Any:
    """The exponent zeta, DLMF 9.7.1."""
    return 2 * z * mp.sqrt(z) / 3


def scaled_airy(k: int, z: Any) -> Any:
    function = mp.airyai(z, k % 2) if k < 2 else mp.airybi(z, k % 2)
    return function * mp.exp(airy_scale(z) if k < 2 else -abs(airy_scale(z).real))


FAR_AIRY = either(scales(1e-6, 0.1), between(10, 100), scales(100, 1000))
for k in range(4):
    add(f"airye[{k}]", lambda z, k=k: scaled_airy(k, z), SIZE, FAR_AIRY)
    PHASES = plane(0.2, 6), either(plane(1e-3, 0.2), plane(6, 60), near_cut(-20, -0.5))
    add(f"airye[{k}] complex", lambda z, k=k: scaled_airy(k, z), *PHASES)
for name, function in (("jv", mp.besselj), ("yv", mp.bessely)):

    def damped(v: Any, z: Any, f: Any = function) -> Any:
        return f(v, z) * mp.exp(-abs(mp.im(z)))

    add(f"{name[0]}ve", damped, *OF_ORDER)
    add(f"{name[0]}ve complex", damped, *OF_PLANE)
add("hankel1e complex", hankel(lambda v, z: mp.hankel1(v, z) * mp.exp(-1j * z)), *OF_PLANE)
add("hankel2e complex", hankel(lambda v, z: mp.hankel2(v, z) * mp.exp(1j * z)), *OF_PLANE)


OF_WHOLE = (whole(-3, 8), SIZE), (whole(-10, 30), either(scales(0.05, 1), between(10, 100)))


def derivative_in_argument(i: int, args: Sequence[Any]) -> Any:
    """Of K, DLMF 10.29.1."""
    n, z = args
    return -(of_integer_order(n - 1, z) + of_integer_order(n + 1, z)) / 2


add("kn", of_integer_order, *OF_WHOLE, active=(1,), derivative=derivative_in_argument)
add("yn", mp.bessely, *OF_WHOLE, active=(1,))
WRIGHT = (between(0.1, 4), between(0.1, 4), SIZE), (between(0.1, 8), scales(0.01, 10), scales(10, 50))
add("log_wright_bessel", lambda a, b, x: mp.log(wright(a, b, x)), *WRIGHT)

# Kelvin functions: DLMF 10.61.1, 10.61.2


def kelvin(k: int, x: Any) -> Any:
    """ber + i bei, ker + i kei, and their derivatives."""
    turn = mp.expjpi(0.75 if k % 2 == 0 else 0.25)
    function = mp.besselj if k % 2 == 0 else of_integer_order
    return function(0, turn * x) if k < 2 else -turn * function(1, turn * x)


def kelvin_derivative(k: int) -> Any:
    """With z as argument the second derivative of the cylinder function is `-+f - f' / z`, DLMF 10.2.1 and 10.25.1."""

    def first_derivative(i: int, args: Sequence[Any]) -> Any:
        (x,) = args
        return kelvin(k + 2, x) if k < 2 else 1j * kelvin(k - 2, x) - kelvin(k, x) / x

    return first_derivative


for k in range(4):
    add(f"kelvin[{k}] complex", lambda x, k=k: kelvin(k, x), *KELVIN, derivative=kelvin_derivative(k))
for name, k, part in (("berp", 2, mp.re), ("beip", 2, mp.im), ("kerp", 3, mp.re), ("keip", 3, mp.im)):

    def derivative_of_part(i: int, args: Sequence[Any], k: int = k, part: Any = part) -> Any:
        return part(kelvin_derivative(k)(i, args))

    add(name, lambda x, k=k, part=part: part(kelvin(k, x)), *KELVIN, derivative=derivative_of_part)

# polynomials

add = of("shifted_polynomials")
TWICE = DEGREE, lambda s: 2 * INSIDE(s)
HARD_TWICE = HARD_DEGREE, lambda s: 2 * EDGE(s)
add("eval_chebyc", lambda n, x: 2 * mp.chebyt(n, x / 2), TWICE, HARD_TWICE)
add("eval_chebys", lambda n, x: mp.chebyu(n, x / 2), TWICE, HARD_TWICE)
SHIFTED = (DEGREE, PART), (HARD_DEGREE, either(HARD_PART, between(1.01, 1.5)))
add("eval_sh_chebyt", lambda n, x: mp.chebyt(n, 2 * x - 1), *SHIFTED)
add("eval_sh_chebyu", lambda n, x: mp.chebyu(n, 2 * x - 1), *SHIFTED)


def shifted_jacobi(n: Any, p: Any, q: Any, x: Any) -> Any:
    return jacobi(n, p - q, q - 1, 2 * x - 1) * mp.gamma(n + 1) * mp.gamma(n + p) / mp.gamma(2 * n + p)


add(
    "eval_sh_jacobi",
    shifted_jacobi,
    (REAL_DEGREE, ALPHA, ALPHA, INSIDE),
    (HARD_REAL_DEGREE, ALPHA, ALPHA, INNER),
    prepare=lambda n, a, b, x: (n, a + b + 1, b + 1, (x + 1) / 2),
)

# elementary functions

add = of("piecewise")
add("psi", mp.digamma, SIZE, either(between(-20, -1e-3), scales(1e-8, 0.1), scales(10, 1e8)))
add("psi complex", mp.digamma, plane(0.5, 8), either(plane(8, 300), near_cut(-9.4, -0.1)))
ANGLES = (between(-90, 90), between(-60, 60), between(-60, 60)), (signed(scales(1e-6, 1e6)),) * 3
add("radian", lambda d, m, s: mp.radians(d + m / 60 + s / 3600), *ANGLES)


def huber(delta: Any, r: Any) -> Any:
    return r * r / 2 if abs(r) <= delta else delta * (abs(r) - delta / 2)


add("huber", huber, (SIZE, REAL), (HARD_SIZE, HARD_REAL))
STEPS = either(between(-10, 10), whole(-5, 5), lambda s: s.randint(-5, 5) + 0.5)
add("round", mp.nint, STEPS, signed(scales(1e-6, 1e6)), ())
ALMOST = either(lambda s: s.randint(-10, -1) + scales(1e-9, 1e-2)(s), signed(scales(1e-8, 300)))
add("gammasgn", lambda x: mp.sign(mp.rgamma(x)), REAL, ALMOST, ())
for k, sign in enumerate((1, -1)):
    for name, letter in (("modfresnelp", 1), ("modfresnelm", -1)):

        def fresnel(x: Any, k: int = k, sign: int = letter) -> Any:
            """DLMF 7.7.13 and the text below: the integral of exp(+-i t**2) from x on, and that scaled."""
            turn = mp.expjpi(mp.mpf(sign) / 4)
            integral = mp.sqrt(mp.pi) / 2 * turn * mp.erfc(x / turn)
            return integral if k == 0 else mp.exp(-sign * 1j * x * x) / turn * integral / mp.sqrt(mp.pi)

        add(f"{name}[{k}] complex", fresnel, between(-5, 5), either(signed(scales(1e-6, 0.1)), between(5, 60)))

# distributions, their complements and inverses

add = of("complements")
COUNTS = (whole(0, 8), PART), (whole(0, 8), HARD_PART)
add("bdtrc(20)", lambda k, p: lower_beta(k + 1, 20 - k, p), *COUNTS, active=(1,))
add("nbdtrc(4)", lambda k, p: lower_beta(k + 1, mp.mpf(4), 1 - p), *COUNTS, active=(1,))
invert(add, "bdtri(20)", lambda k, p: lower_beta(20 - k, k + 1, 1 - p), 1, *COUNTS, active=(1,))
invert(add, "nbdtri(4)", lambda k, p: lower_beta(mp.mpf(4), k + 1, p), 1, *COUNTS, active=(1,))
add("pdtrc", lambda k, m: lower_gamma(k + 1, m), (whole(0, 10), SIZE), (whole(0, 60), scales(0.01, 100)), (1,))
invert(add, "kolmogi", kolmogorov, 0, between(0.55, 1.3), between(0.4, 2.3))
for count in (3, 20):
    invert(add, f"smirnovi({count})", smirnov(count), 0, between(0.1, 0.6), between(0.02, 0.8))
QUANTILE = (PART, SIZE, REAL), (HARD_PART, HARD_SIZE, HARD_REAL)


def quantile(p: Any) -> Any:
    return mp.sqrt(2) * mp.erfinv(2 * p - 1)


add("nrdtrimn", lambda p, std, x: x - std * quantile(p), *QUANTILE)
add("nrdtrisd", lambda mn, p, x: (x - mn) / quantile(p), (REAL, PART, REAL), (HARD_REAL, HARD_PART, HARD_REAL))


def log_quantile(y: Any) -> Any:
    start = -mp.sqrt(-2 * y) if y < -1 else quantile(mp.exp(y))
    return mp.findroot(lambda x: mp.log(normal(x)) - y, (start, start + mp.mpf("1e-3")))


add("ndtri_exp", log_quantile, between(-6, -0.05), either(negative(scales(6, 1e4)), negative(scales(1e-6, 0.05))))


def tukey(x: Any, shape: Any) -> Any:
    """What probability has the quantile x: by bisection in its logit."""

    def logistic(u: Any) -> Any:
        return 1 / (1 + mp.exp(-u))

    if shape > 0 and abs(x) * shape >= 1:  # outside of the support
        return mp.mpf(x > 0)
    low, high = mp.mpf(-200), mp.mpf(200)
    for _ in range(mp.mp.prec + 10):
        u = (low + high) / 2
        above = (logistic(u) ** shape - logistic(-u) ** shape) / shape > x
        low, high = (low, u) if above else (u, high)
    return logistic(high)


def tukey_derivative(i: int, args: Sequence[Any]) -> Any:
    x, shape = args
    if shape > 0 and abs(x) * shape >= 1:
        return mp.mpf(0)
    p = tukey(x, shape)
    density = 1 / (p ** (shape - 1) + (1 - p) ** (shape - 1))
    if i == 0:
        return density
    return (x - mp.log(p) * p**shape + mp.log(1 - p) * (1 - p) ** shape) / shape * density


TUKEY = (between(-0.9, 0.9), between(0.1, 1)), (signed(scales(0.1, 30)), one_of(-1.5, -0.6, -0.2, 0.01, 0.03))
add("tklmbda", tukey, *TUKEY, derivative=tukey_derivative)
