"""SciPy's errors that the pages of special functions name, by mpmath: `python tests/scipy_errors.py` prints them.

Each is the largest relative error at points that are drawn in the region that the page names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import scipy.special as sp

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


def uniform(low: float, high: float) -> Callable[[Any], Any]:
    return lambda random: random.uniform(low, high)


def scales(low: float, high: float) -> Callable[[Any], Any]:
    return lambda random: float(np.exp(random.uniform(np.log(low), np.log(high))))


def beyond_the_mean(a: float) -> tuple[Any, Any]:
    """A shape, and arguments 4.5 to 8 standard deviations below it."""
    return uniform(a, a), lambda random: a - random.uniform(4.5, 8) * a**0.5


def strip(low: float, high: float) -> Callable[[Any], Any]:
    """Complex numbers of such imaginary parts."""
    return lambda random: complex(random.uniform(0, 2), random.uniform(low, high))


def ring(low: float, high: float) -> Callable[[Any], Any]:
    """Complex numbers of such moduli."""
    return lambda random: random.uniform(low, high) * np.exp(1j * random.uniform(-np.pi, np.pi))


DISTRIBUTIONS = "incomplete_gamma_beta_and_distributions"
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
]  # fmt: skip
"""The page, what is called where, the largest error of POINTS, SciPy's function, the reference, draws of arguments."""


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
    for claim in CLAIMS:
        worst, where = worst_error(claim)
        print(f"{claim[1]}: {worst:.0e} at {where}", flush=True)


if __name__ == "__main__":
    main()
