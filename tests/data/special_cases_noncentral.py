"""References of the noncentral distributions and their inverses: Poisson mixtures of central ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import mpmath as mp
from special_cases import between, either, invert, lower_beta, lower_gamma, normal, of, scales, signed

add = of("noncentral")

SPARE = 150
"""Bits that may be lost to cancellation."""


def beta_mixture(a: Any, b: Any, x: Any, y: Any, rate: Any, first: Any, ratio: Any) -> Any:
    """`sum_j w_j I_x(a + j, b)` with `w_0 = first`, `w_(j+1) = ratio(j) w_j`, which fall beyond j = rate; `y = 1 - x`.

    `I_x(a + 1, b) = I_x(a, b) - x**a y**b / (a B(a, b))`, DLMF 8.17.20; as differences of numbers below 1 lose the
    digits of small ones, with some to spare.
    """
    least = mp.eps
    with mp.workprec(mp.mp.prec + SPARE):
        part = lower_beta(a, b, x)
        step = x**a * y**b / (a * mp.beta(a, b))
        total, j, weight = mp.mpf(0), 0, first
        while True:
            term = weight * part
            total += term
            if j > rate and abs(term) < least * abs(total):
                return total
            part -= step
            step *= x * (a + b + j) / (a + j + 1)
            weight *= ratio(j)
            j += 1


def fisher(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    x, y = dfn * f / (dfn * f + dfd), dfd / (dfn * f + dfd)
    half = nc / 2
    return beta_mixture(dfn / 2, dfd / 2, x, y, half, mp.exp(-half), lambda j: half / (j + 1))


def student(df: Any, nc: Any, t: Any) -> Any:
    """Lenth's series: the even and the odd part of the mixture, to which half of its difference belongs left of 0."""
    x, y, half = t * t / (df + t * t), df / (df + t * t), nc * nc / 2
    with mp.workprec(mp.mp.prec + SPARE):
        first = mp.exp(-half)
        even = beta_mixture(mp.mpf(1) / 2, df / 2, x, y, half, first, lambda j: half / (j + 1))
        first *= nc * mp.sqrt(2 / mp.pi)
        odd = beta_mixture(mp.mpf(1), df / 2, x, y, half, first, lambda j: half / (j + mp.mpf(3) / 2))
        return normal(-nc) + (mp.sign(t) * even + odd) / 2


def chi(x: Any, df: Any, nc: Any) -> Any:
    """The mixture of central distributions, `P(a + 1, x) = P(a, x) - x**a exp(-x) / Gamma(a + 1)`, DLMF 8.8.5."""
    a, half = df / 2, nc / 2
    least = mp.eps
    with mp.workprec(mp.mp.prec + SPARE):
        part = lower_gamma(a, x / 2)
        step = mp.exp(-x / 2) * (x / 2) ** a / mp.gamma(a + 1)
        total, j, weight = mp.mpf(0), 0, mp.exp(-half)
        while j <= half or weight * part > least * total:
            total += weight * part
            part -= step
            step *= x / 2 / (a + j + 1)
            j += 1
            weight *= half / j
        return total


CHI = (between(2, 12), between(0.5, 12), between(0.2, 8)), (scales(0.5, 80), scales(0.1, 60), scales(0.05, 40))
for name, k in (("chndtrix", 0), ("chndtridf", 1), ("chndtrinc", 2)):
    invert(add, name, chi, k, *CHI)

FISHER = (
    (between(0.5, 15), between(0.5, 15), between(0.2, 8), between(0.3, 4)),
    (scales(0.1, 100), scales(0.1, 100), either(scales(0.01, 0.2), scales(8, 40)), scales(0.05, 10)),
)
add("ncfdtr", fisher, *FISHER)


def found_once(function: Callable[..., Any], i: int) -> Callable[..., bool]:
    """Says of a point of an inverse in argument i whether it is the only solution: not all are monotonic."""

    def accepts(point: Sequence[Any], is_hard: bool) -> bool:
        args = [mp.mpf(x) for x in point]
        degrees = (1e-6, 1e-4, 1e-2, 0.1, 0.3, 1, 3, 10, 30, 100, 1000)
        above = [function(*args[:i], mp.mpf(df), *args[i + 1 :]) > args[i] for df in degrees]
        return sum(a != b for a, b in pairwise(above)) == 1

    return accepts


FOUND = (
    (between(0.5, 15), between(0.5, 15), between(0.2, 8), between(1.2, 4)),
    (scales(0.2, 60), scales(0.2, 60), either(scales(0.05, 0.2), scales(8, 30)), scales(0.3, 10)),
)
for name, k in (("ncfdtridfn", 0), ("ncfdtridfd", 1)):
    invert(add, name, fisher, k, *FOUND, accepts=found_once(fisher, k))
for name, k in (("ncfdtrinc", 2), ("ncfdtri", 3)):
    invert(add, name, fisher, k, *FOUND)

STUDENT = (
    (between(0.5, 20), between(-4, 4), between(-5, 5)),
    (scales(0.2, 300), signed(scales(0.01, 15)), signed(scales(0.01, 30))),
)


def is_ordinary(point: Sequence[Any], is_hard: bool) -> bool:
    """Whether the probability is moderate, unless it need not be."""
    return is_hard or 0.05 <= student(*map(mp.mpf, point)) <= 0.95


add("nctdtr", student, *STUDENT, accepts=is_ordinary)
ABOUT = (
    (between(1, 20), between(-4, 4), between(-1.5, 1.5)),
    (scales(0.5, 200), signed(scales(0.05, 12)), between(-3, 3)),
)


def near_centre(df: float, nc: float, u: float) -> tuple[float, float, float]:
    return df, nc, nc + u * (1 + nc * nc / (2 * df)) ** 0.5


invert(add, "nctdtridf", student, 0, *ABOUT, prepare=near_centre, accepts=found_once(student, 0))
invert(add, "nctdtrinc", student, 1, *ABOUT, prepare=near_centre)
invert(add, "nctdtrit", student, 2, *ABOUT, prepare=near_centre)
