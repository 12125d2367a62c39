"""The errors that the pages of special functions name, by mpmath: `python tests/special_errors.py` prints them.

Each is the largest relative error, of SciPy's function or of ours, at points that are drawn in the region that the page
names.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import scipy.special as sp

sys.path.insert(0, str(Path(__file__).parent / "data"))
from special_cases_spheroidal import radial

from wirtinger import grad, special

DIGITS = 40
POINTS = 100


def kelvin(kind: str, x: Any) -> Any:
    """`ber` by `I_0`, `ker` by `K_0` at `x exp(i pi / 4)` [DLMF 10.61]."""
    z = x * mp.expjpi(mp.mpf(1) / 4)
    w = mp.besseli(0, z) if kind == "ber" else mp.besselk(0, z)
    return w.real


def lower_gamma(a: Any, x: Any) -> Any:
    """The regularized lower incomplete gamma function of large arguments, by its series [DLMF 8.7.1]."""
    term, total, k = mp.mpf(1), mp.mpf(1), 0
    while term > mp.eps * total:
        k += 1
        term *= x / (a + k)
        total += term
    return mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1)) * total


def log_normal(z: Any) -> Any:
    """`log_ndtr` of complex numbers."""
    return mp.log(mp.erfc(-z / mp.sqrt(2)) / 2)


def gamma_density(a: Any, x: Any) -> Any:
    return mp.exp((a - 1) * mp.log(x) - x - mp.loggamma(a))


def gamma_quantile(a: Any, p: Any) -> Any:
    """The inverse of `lower_gamma` in `x`: Newton's method from ours."""
    x = mp.mpf(float(special.gammaincinv(float(a), float(p))))
    for _ in range(3):
        x -= (lower_gamma(a, x) - p) / gamma_density(a, x)
    return x


def wronskian(sign: int, m: Any, n: Any, c: Any, x: Any) -> Any:
    """`c (x**2 -+ 1) (R1 R2' - R1' R2)` of the radial spheroidal functions, which is 1."""
    first, second = (special.pro_rad1, special.pro_rad2) if sign < 0 else (special.obl_rad1, special.obl_rad2)
    (u, du), (v, dv) = first(m, n, c, x), second(m, n, c, x)
    return (u * dv - du * v) * c * (x * x + sign)


def first_kind(m: Any, n: Any, c: Any, x: Any) -> Any:
    """The prolate radial function of the first kind."""
    return radial(1)(1, m, n, c, None, x)[0]


def whole(low: int, high: int) -> Callable[[Any], Any]:
    return lambda random: int(random.integers(low, high + 1))


def uniform(low: float, high: float) -> Callable[[Any], Any]:
    return lambda random: random.uniform(low, high)


def scales(low: float, high: float) -> Callable[[Any], Any]:
    return lambda random: float(np.exp(random.uniform(np.log(low), np.log(high))))


def beyond_the_mean(a: float, furthest: float = 8) -> tuple[Any, Any]:
    """A shape, and arguments from 4.5 standard deviations below it on."""
    return uniform(a, a), lambda random: a - random.uniform(4.5, furthest) * a**0.5


def far_below_the_mean(low: float, high: float) -> tuple[Any, Any]:
    """A shape, and probabilities down to 1e-300."""
    return scales(low, high), scales(1e-300, 1e-5)


def strip(low: float, high: float) -> Callable[[Any], Any]:
    """Complex numbers of such imaginary parts."""
    return lambda random: complex(random.uniform(0, 2), random.uniform(low, high))


def ring(low: float, high: float) -> Callable[[Any], Any]:
    """Complex numbers of such moduli."""
    return lambda random: random.uniform(low, high) * np.exp(1j * random.uniform(-np.pi, np.pi))


DISTRIBUTIONS, SPHEROIDAL_PAGE = "incomplete_gamma_beta_and_distributions", "mathieu_and_spheroidal"
Claim = tuple[str, str, float, Callable[..., Any], Callable[..., Any], tuple[Callable[[Any], Any], ...]]
CLAIMS: list[Claim] = [
    ("bessel", "ker at 9 to 11", 1e-8, sp.ker, lambda x: kelvin("ker", x), (uniform(9, 11),)),
    ("bessel", "ber at 9 to 11", 5e-10, sp.ber, lambda x: kelvin("ber", x), (uniform(9, 11),)),
    ("gamma", "beta of sums about 1e6", 6e-9, sp.beta, mp.beta, (uniform(9e5, 1.1e6), uniform(0.2, 20))),
    ("gamma", "binom about -5e5", 2e-9, sp.binom, mp.binomial, (uniform(-5.1e5, -4.9e5), uniform(0.2, 20))),
    ("gamma", "binom of n below 1e-8 k", 8e-11, sp.binom, mp.binomial, (scales(1e-12, 5e-9), uniform(0.5, 10))),
    ("gamma", "poch beyond 40", 3e-11, sp.poch, mp.rf, (scales(40, 1e5), uniform(0.2, 50))),
    ("gamma", "poch left of -40", 2e-10, sp.poch, mp.rf, (lambda random: -scales(40, 1e5)(random), uniform(0.2, 50))),
    ("gamma", "zeta", 3e-8, sp.zeta, mp.zeta, (strip(37.5, 50),)),
    ("hypergeometric", "hyperu", 7e-10, sp.hyperu, mp.hyperu, (uniform(0.2, 20), uniform(0.2, 20), uniform(0.1, 10))),
    ("hypergeometric", "hyp1f1 at 20 to 30", 2.0, sp.hyp1f1, mp.hyp1f1,
     (uniform(0.2, 20), uniform(0.2, 20), ring(20, 30))),
    (DISTRIBUTIONS, "gammainc of 1e6", 1e-5, sp.gammainc, lower_gamma, beyond_the_mean(1e6)),
    (DISTRIBUTIONS, "gammainc of 1e7", 4e-2, sp.gammainc, lower_gamma, beyond_the_mean(1e7)),
    ("error_functions", "log_ndtr at 6", 4e-6, sp.log_ndtr, log_normal,
     (lambda random: complex(6, random.uniform(0, 0.1)),)),
    (SPHEROIDAL_PAGE, "pro_rad1 at c = 15", 2e-9, lambda *args: sp.pro_rad1(*args)[0], first_kind,
     (whole(0, 0), whole(0, 2), uniform(15, 15), uniform(1.1, 8))),
    (SPHEROIDAL_PAGE, "pro_rad1 at c = 25", 6e-5, lambda *args: sp.pro_rad1(*args)[0], first_kind,
     (whole(0, 0), whole(0, 2), uniform(25, 25), uniform(1.1, 8))),
]  # fmt: skip
"""The page, what is called where, the largest error of POINTS, SciPy's function, the reference, draws of arguments."""
OURS: list[Claim] = [
    ("hypergeometric", "our hyp1f1", 3e-13, special.hyp1f1, mp.hyp1f1, (*(uniform(0.2, 20),) * 2, ring(0, 400))),
    ("hypergeometric", "our hyp2f1", 3e-13, special.hyp2f1, mp.hyp2f1, (*(uniform(0.2, 8),) * 3, ring(0, 20))),
    (DISTRIBUTIONS, "our gammainc of 1e6", 3e-13, special.gammainc, lower_gamma, beyond_the_mean(1e6, 36)),
    (DISTRIBUTIONS, "our gammaincinv", 2e-16, special.gammaincinv, gamma_quantile, far_below_the_mean(2e5, 1e7)),
    (DISTRIBUTIONS, "our density of gamma", 3e-13, grad(special.gammainc, argnums=1), gamma_density,
     beyond_the_mean(1e6, 36)),
    (SPHEROIDAL_PAGE, "our pro_rad1 at c = 15 to 25", 5e-12, lambda *args: special.pro_rad1(*args)[0], first_kind,
     (whole(0, 0), whole(0, 2), uniform(15, 25), uniform(1.1, 8))),
    (SPHEROIDAL_PAGE, "our Wronskian, prolate", 1e-13, partial(wronskian, -1), lambda *_: mp.mpf(1),
     (whole(0, 3), whole(3, 30), uniform(0.1, 100), uniform(1.01, 8))),
    (SPHEROIDAL_PAGE, "our Wronskian, oblate", 1e-13, partial(wronskian, 1), lambda *_: mp.mpf(1),
     (whole(0, 3), whole(3, 30), uniform(0.1, 100), uniform(0.01, 8))),
]  # fmt: skip
"""The same of ours."""


def worst_error(claim: Claim, points: int = POINTS) -> tuple[float, Any]:
    """The largest relative error of SciPy's function, and where."""
    _, _, _, function, reference, draws = claim
    random, worst, where = np.random.default_rng(1), 0.0, None
    with mp.workdps(DIGITS), np.errstate(all="ignore"):
        for _ in range(points):
            args = tuple(draw(random) for draw in draws)
            expected = reference(*map(mp.mpmathify, args))
            error = float(abs(mp.mpmathify(function(*args)) - expected) / abs(expected))
            if not error <= worst:
                worst, where = error, args
    return worst, where


def main() -> None:
    """Print all of them."""
    for claim in [*CLAIMS, *OURS]:
        worst, where = worst_error(claim)
        print(f"{claim[1]}: {worst:.0e} at {where}", flush=True)


if __name__ == "__main__":
    main()
