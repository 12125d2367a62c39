"""Samples of the incomplete gamma and beta functions, of the distributions and of their inverses, in all arguments."""

from __future__ import annotations

from scipy import special as S

from wirtinger import special

from .special import every, last, one, some

# incomplete gamma and beta functions

for name in ("gammainc", "gammaincc"):
    every(name, "right", "right", label="shape")
for name in ("gammaincinv", "gammainccinv"):
    every(name, "right", "unit", label="shape")
for name in ("betainc", "betaincc", "betaincinv", "betainccinv"):
    every(name, "right", "above", "unit", label="shapes")
some("gammainc", lambda a, x: S.gammainc(100 * a, 100 * a + 10 * (x - 1)), "right", "right", label="large")
some("betainc", lambda a, x: S.betainc(a / 10, 0.3, x), "right", "unit", label="small")

# chi-squared, gamma, Poisson

for name in ("chdtr", "chdtrc"):
    every(name, "right", "right", label="shape")
every("chdtri", "above", "unit", label="shape")
every("chdtriv", "unit", "right")
for name in ("gdtr", "gdtrc"):
    every(name, "right", "right", "right", label="shape")
every("gdtria", "unit", "right", "right", label="shape")
every("gdtrib", "right", "unit", "right")
every("gdtrix", "right", "right", "unit", label="shape")
some("pdtrik", lambda p, m: S.pdtrik(0.5 + p / 3, m), "unit", "right")

# binomial, negative binomial, beta

some("bdtrik", lambda y, n, p: S.bdtrik(y, 5 + n, 0.3 + p / 3), "unit", "right", "unit")
every("bdtrin", "right", "unit", "unit")
some("nbdtrik", lambda y, n, p: S.nbdtrik(0.6 + y / 3, n, 0.2 + p / 4), "unit", "right", "unit")
every("nbdtrin", "right", "unit", "unit")
every("btdtria", "unit", "right", "unit")
every("btdtrib", "right", "unit", "unit")

# F and Student's t

for name in ("fdtr", "fdtrc"):
    every(name, "right", "right", "right", label="degrees")
every("fdtri", "right", "above", "unit", label="degrees")
some("fdtridfd", lambda n, p, x: S.fdtridfd(n, 0.58 + p / 20, x), "above", "unit", "above")
every("stdtr", "right", "signs", label="degrees")
every("stdtrit", "above", "unit", label="degrees")
some("stdtridf", lambda p, t: S.stdtridf(0.85 + p / 20, t), "unit", "above")

# noncentral

every("chndtr", "right", "right", "right", label="degrees")
every("chndtrix", "unit", "right", "right", label="degrees")
some("chndtridf", lambda x, p, nc: S.chndtridf(x, p / 3, nc), "above", "unit", "right")
some("chndtrinc", lambda x, df, p: S.chndtrinc(x + 5, df, p / 2), "right", "right", "unit")
every("ncfdtr", "right", "right", "right", "right", label="degrees")
every("ncfdtri", "right", "above", "right", "unit", label="degrees")
some("nctdtr", special.nctdtr, "right", "signs", "signs", label="degrees")
every("nctdtrit", "above", "signs", "unit", label="degrees")

some("ncfdtridfd", lambda n, p: special.ncfdtridfd(2.0 + n / 4, 0.5 + p / 20, 1.5, 2.2), "right", "unit")
some("ncfdtridfn", lambda p, f: special.ncfdtridfn(0.5 + p / 20, 5.0, 1.5, 1.2 + f / 20), "unit", "right")
some("ncfdtrinc", lambda d, p: special.ncfdtrinc(3.0, 4.0 + d, p / 3, 1.2), "right", "unit")
some("nctdtridf", lambda p, nc: special.nctdtridf(0.74 + p / 20, 0.6 + nc / 20, 2.0), "unit", "right")
some("nctdtrinc", special.nctdtrinc, "above", "unit", "signs")

# Kolmogorov and Smirnov

one("kolmogorov", "right")
one("kolmogi", "unit")
last("smirnov", "unit", [2, 5, 9])
last("smirnovi", "unit", [2, 5, 9])
