"""References of functions that are no ufuncs: spherical harmonics, derivatives of Bessel functions, torch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
from special_cases import (
    HARD_PART,
    HARD_REAL,
    HARD_SIZE,
    PART,
    REAL,
    SIZE,
    associated,
    between,
    either,
    hermite_he,
    of,
    of_integer_order,
    one_of,
    scales,
    signed,
    whole,
)

add = of("functions")

# elementary functions and factorials


def multigamma(d: int) -> Callable[[Any], Any]:
    constant = mp.mpf(d * (d - 1)) / 4
    return lambda a: constant * mp.log(mp.pi) + mp.fsum(mp.loggamma(a - mp.mpf(j) / 2) for j in range(d))


for d in (2, 5):
    add(f"multigammaln({d})", multigamma(d), between(d, 10), either(between(d / 2, d), scales(20, 1e6)))


def dirichlet(n: int) -> Callable[[Any], Any]:
    return lambda x: mp.sin(n * x / 2) / (n * mp.sin(x / 2))


PERIOD = 6.283185307179586
for n in (4, 7):
    NEXT_TO_POLE = either(signed(scales(1e-8, 0.05)), lambda s: PERIOD + scales(1e-6, 0.05)(s), between(20, 60))
    add(f"diric({n})", dirichlet(n), REAL, NEXT_TO_POLE)
add("sinc", mp.sincpi, REAL, either(signed(scales(1e-8, 0.05)), between(10, 60)))
add("softplus", lambda x: mp.log1p(mp.exp(x)), REAL, HARD_REAL)
CHOSEN = (between(5, 12), between(0.5, 5)), (between(12, 60), between(0.5, 11))
add("comb", mp.binomial, *CHOSEN)
add("perm", lambda n, k: mp.gamma(n + 1) / mp.gamma(n - k + 1), *CHOSEN)
add("factorial", lambda x: mp.gamma(x + 1), SIZE, either(scales(1e-8, 0.1), between(10, 160)))

# derivatives of Bessel functions, and modified spherical ones


def derivative_of(f: Callable[[Any, Any], Any], sign: int) -> Callable[[Any, Any], Any]:
    """`(f_(v-1) - sign f_(v+1)) / 2`, DLMF 10.6.1 and 10.29.1."""
    return lambda v, z: (f(v - 1, z) - sign * f(v + 1, z)) / 2


OF_ORDER = (between(0.2, 8), SIZE), (between(8, 30), between(1, 60))
add("jvp", derivative_of(mp.besselj, 1), *OF_ORDER)
add("yvp", derivative_of(mp.bessely, 1), *OF_ORDER)
add("ivp", derivative_of(mp.besseli, -1), *OF_ORDER)
add("kvp", lambda v, z: -derivative_of(mp.besselk, -1)(v, z), *OF_ORDER)
add(
    "spherical_in",
    lambda n, x: mp.sqrt(mp.pi / (2 * x)) * mp.besseli(n + mp.mpf(1) / 2, x),
    (whole(0, 6), SIZE),
    (whole(0, 30), either(scales(0.1, 1), between(10, 100))),
    (1,),
)

# Legendre functions and spherical harmonics

POLE = either(scales(1e-4, 0.05), lambda s: 3.141592653589793 - scales(1e-4, 0.05)(s), between(1.5, 1.64))
DEGREES, HARD_DEGREES = (whole(0, 3), whole(0, 5)), (whole(0, 10), whole(0, 20))


def modes(*drawn: Any) -> tuple[Any, ...]:
    """The degree and the order, from the order and by how much the degree exceeds it."""
    m, more, *rest = drawn
    return m + more, m, *rest


def spherical(n: Any, m: Any, theta: Any) -> Any:
    """DLMF 14.30.1 without the longitude; the other sum of DLMF 15.8.1 beyond the equator."""
    norm = mp.sqrt((2 * n + 1) / (4 * mp.pi) * mp.factorial(n - m) / mp.factorial(n + m))
    return norm * associated(m, n, mp.cos(theta))


add("sph_legendre_p", spherical, (*DEGREES, between(0.2, 2.9)), (*HARD_DEGREES, POLE), (2,), prepare=modes)
add(
    "sph_harm_y complex",
    lambda n, m, theta, phi: spherical(n, m, theta) * mp.expj(m * phi),
    (*DEGREES, between(0.2, 2.9), between(-3, 3)),
    (*HARD_DEGREES, POLE, between(-60, 60)),
    (2, 3),
    prepare=modes,
)
NEAR_EDGE = either(signed(scales(1e-6, 0.05)), between(0.95, 0.9999))
ASSOCIATED = (*DEGREES, between(-0.95, 0.95)), (*HARD_DEGREES, NEAR_EDGE)
add("assoc_legendre_p", lambda n, m, z: associated(m, n, z), *ASSOCIATED, active=(2,), prepare=modes)
LEGENDRE = (whole(0, 8), between(-0.95, 0.95)), (whole(8, 40), signed(either(scales(1e-6, 0.05), between(0.95, 2))))
add("legendre_p", mp.legendre, *LEGENDRE, active=(1,))
LAGUERRE = (SIZE, whole(0, 6), between(0.2, 4)), (scales(0.01, 60), whole(6, 30), between(-0.9, 20))
add("assoc_laguerre", lambda x, n, k: mp.laguerre(n, k, x), *LAGUERRE, active=(0, 2))

# torch's names

for n in (0, 1):
    add(f"bessel_j{n}", lambda x, n=n: mp.besselj(n, x), REAL, HARD_REAL)
    add(f"bessel_y{n}", lambda x, n=n: mp.bessely(n, x), SIZE, HARD_SIZE)
    add(f"modified_bessel_i{n}", lambda x, n=n: mp.besseli(n, x), REAL, HARD_REAL)
    POSITIVE = SIZE, either(scales(1e-3, 0.1), between(10, 300))
    add(f"modified_bessel_k{n}", lambda x, n=n: of_integer_order(n, x), *POSITIVE)
    add(f"scaled_modified_bessel_k{n}", lambda x, n=n: mp.exp(x) * of_integer_order(n, x), *POSITIVE)
add("spherical_bessel_j0", mp.sinc, REAL, HARD_REAL)
add("airy_ai", mp.airyai, REAL, either(signed(scales(1e-6, 0.1)), between(-100, -10), between(10, 60)))


def third_kind(n: Any, x: Any) -> Any:
    """`V_n = cos((n + 1 / 2) t) / cos(t / 2)` at `x = cos t`, DLMF 18.5.3."""
    return mp.chebyu(n, x) - mp.chebyu(n - 1, x)


def fourth_kind(n: Any, x: Any) -> Any:
    return mp.chebyu(n, x) + mp.chebyu(n - 1, x)


EDGE = signed(either(lambda s: 1 - scales(1e-9, 0.05)(s), scales(1e-6, 0.05), between(1.01, 2)))
OF_DEGREE = (between(-0.95, 0.95), whole(0, 8)), (EDGE, one_of(10.0, 20.0, 40.0))
SHIFTED = (PART, whole(0, 8)), (either(HARD_PART, between(1.01, 1.5)), one_of(10.0, 20.0, 40.0))
for letter, function in (("t", mp.chebyt), ("u", mp.chebyu), ("v", third_kind), ("w", fourth_kind)):
    add(f"chebyshev_polynomial_{letter}", lambda x, n, f=function: f(n, x), *OF_DEGREE, active=(0,))
    add(f"shifted_chebyshev_polynomial_{letter}", lambda x, n, f=function: f(n, 2 * x - 1), *SHIFTED, active=(0,))
HERMITE = (between(-4, 4), whole(0, 8)), (signed(scales(0.01, 20)), one_of(10.0, 20.0, 40.0))
add("hermite_polynomial_h", lambda x, n: mp.hermite(n, x), *HERMITE, active=(0,))
add("hermite_polynomial_he", lambda x, n: hermite_he(n, x), *HERMITE, active=(0,))
LAGUERRE = (SIZE, whole(0, 8)), (scales(0.01, 60), one_of(10.0, 20.0, 40.0))
add("laguerre_polynomial_l", lambda x, n: mp.laguerre(n, 0, x), *LAGUERRE, active=(0,))
add("legendre_polynomial_p", lambda x, n: mp.legendre(n, x), *OF_DEGREE, active=(0,))
