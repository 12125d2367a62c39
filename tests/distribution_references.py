"""Distributions and their inverses at many digits."""

from __future__ import annotations

import mpmath as mp

DIGITS = 40

# references


def remembered(reference):
    """The same numbers are needed for each argument in turn, and by the mixtures."""
    known = {}

    def value(*args):
        key = (mp.mp.dps, *args)
        if key not in known:
            known[key] = reference(*args)
        return known[key]

    return value


@remembered
def gammainc(a, x):
    return mp.gammainc(a, 0, x, regularized=True)


@remembered
def betainc(a, b, x):
    return mp.betainc(a, b, 0, x, regularized=True)


def poisson_mixture(f, mean):
    total, weight, j = mp.mpf(0), mp.exp(-mean), 0
    while j <= mean or weight > mp.mpf(10) ** (-DIGITS - 2):
        total += weight * f(j)
        j += 1
        weight *= mean / j
    return total


def chndtr(x, df, nc):
    return poisson_mixture(lambda j: gammainc(df / 2 + j, x / 2), nc / 2)


def fdtr(dfn, dfd, x):
    return betainc(dfn / 2, dfd / 2, dfn * x / (dfn * x + dfd))


def ncfdtr(dfn, dfd, nc, f):
    return poisson_mixture(lambda j: betainc(dfn / 2 + j, dfd / 2, dfn * f / (dfn * f + dfd)), nc / 2)


def stdtr(df, t):
    tail = betainc(df / 2, mp.mpf(1) / 2, df / (df + t * t)) / 2
    return tail if t < 0 else 1 - tail


def nctdtr(df, nc, t):
    """Lenth's series."""
    if t < 0:
        return 1 - nctdtr(df, -nc, -t)
    half, x, j = nc * nc / 2, t * t / (df + t * t), 0
    p, q, total = mp.exp(-half), mp.exp(-half) / mp.gamma(mp.mpf(3) / 2), mp.mpf(0)
    while j <= half or abs(p) + abs(q) > mp.mpf(10) ** (-DIGITS - 2):
        total += p * betainc(j + mp.mpf(1) / 2, df / 2, x) + nc / mp.sqrt(2) * q * betainc(j + mp.mpf(1), df / 2, x)
        j += 1
        p, q = p * half / j, q * half / (j + mp.mpf(1) / 2)
    return mp.ncdf(-nc) + total / 2


def kolmogorov(x):
    if x > 1:
        return 2 * sum((-1) ** (k - 1) * mp.exp(-2 * k * k * x * x) for k in range(1, 12))
    terms = [mp.exp(-(((2 * k - 1) * mp.pi / x) ** 2) / 8) for k in range(1, 12)]
    return 1 - mp.sqrt(2 * mp.pi) / x * sum(terms)


# inverses: of which distribution, in which of its arguments, and where

INVERSES = {
    "gammaincinv": (gammainc, lambda u, a, p: (a, u), (2.3, 0.4), 1),
    "gammainccinv": (lambda a, x: 1 - gammainc(a, x), lambda u, a, p: (a, u), (2.3, 0.4), 1),
    "betaincinv": (betainc, lambda u, a, b, p: (a, b, u), (2.3, 0.8, 0.4), 2),
    "btdtria": (betainc, lambda u, p, b, x: (u, b, x), (0.4, 0.8, 0.6), 0),
    "btdtrib": (betainc, lambda u, a, p, x: (a, u, x), (0.8, 0.4, 0.6), 1),
    "chdtri": (lambda v, x: 1 - gammainc(v / 2, x / 2), lambda u, v, p: (v, u), (3.0, 0.4), 1),
    "chdtriv": (lambda v, x: gammainc(v / 2, x / 2), lambda u, p, x: (u, x), (0.4, 2.0), 0),
    "gdtrib": (lambda a, b, x: gammainc(b, a * x), lambda u, a, p, x: (a, u, x), (1.5, 0.4, 2.0), 1),
    "pdtrik": (lambda k, m: 1 - gammainc(k + 1, m), lambda u, p, m: (u, m), (0.7, 2.5), 0),
    "bdtrik": (lambda k, n, q: 1 - betainc(k + 1, n - k, q), lambda u, p, n, q: (u, n, q), (0.7, 8.0, 0.3), 0),
    "bdtrin": (lambda k, n, q: 1 - betainc(k + 1, n - k, q), lambda u, k, p, q: (k, u, q), (2.0, 0.7, 0.3), 1),
    "nbdtrik": (lambda k, n, q: betainc(n, k + 1, q), lambda u, p, n, q: (u, n, q), (0.7, 2.5, 0.3), 0),
    "nbdtrin": (lambda k, n, q: betainc(n, k + 1, q), lambda u, k, p, q: (k, u, q), (2.0, 0.7, 0.3), 1),
    "fdtri": (fdtr, lambda u, n, d, p: (n, d, u), (3.0, 5.0, 0.4), 2),
    "fdtridfd": (fdtr, lambda u, n, p, x: (n, u, x), (3.0, 0.76, 2.0), 1),
    "stdtrit": (stdtr, lambda u, v, p: (v, u), (3.5, 0.3), 1),
    "stdtridf": (stdtr, lambda u, p, t: (u, t), (0.9, 1.5), 0),
    "chndtrix": (chndtr, lambda u, p, v, nc: (u, v, nc), (0.4, 3.0, 1.5), 0),
    "chndtridf": (chndtr, lambda u, x, p, nc: (x, u, nc), (5.0, 0.4, 1.5), 1),
    "chndtrinc": (chndtr, lambda u, x, v, p: (x, v, u), (5.0, 3.0, 0.4), 2),
    "ncfdtri": (ncfdtr, lambda u, n, d, nc, p: (n, d, nc, u), (3.0, 5.0, 1.5, 0.4), 3),
    "ncfdtridfd": (ncfdtr, lambda u, n, p, nc, f: (n, u, nc, f), (3.0, 0.6, 1.5, 2.0), 1),
    "ncfdtridfn": (ncfdtr, lambda u, p, d, nc, f: (u, d, nc, f), (0.5, 5.0, 1.5, 1.2), 0),
    "ncfdtrinc": (ncfdtr, lambda u, n, d, p, f: (n, d, u, f), (3.0, 5.0, 0.2, 1.2), 2),
    "nctdtrit": (nctdtr, lambda u, v, nc, p: (v, nc, u), (3.5, 0.8, 0.4), 2),
    "nctdtridf": (nctdtr, lambda u, p, nc, t: (u, nc, t), (0.75, 0.8, 2.0), 0),
    "nctdtrinc": (nctdtr, lambda u, v, p, t: (v, u, t), (3.5, 0.4, 1.2), 1),
    "kolmogi": (kolmogorov, lambda u, p: (u,), (0.4,), 0),
}
