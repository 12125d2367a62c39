"""Samples of the special functions, in each argument that has a derivative."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import special as scipy_special

from wirtinger import special

from . import array, distinct, inside, positive, sample


def unit(x: Any) -> Any:
    """Into the middle of the interval from 0 to 1."""
    return 0.5 + 0.4 * x.real / (1 + np.abs(x.real))


def open_interval(x: Any) -> Any:
    """Into the middle of the interval from -1 to 1."""
    return 2 * unit(x) - 1


def moderate(x: Any) -> Any:
    """Between 0.5 and 2.5; for complex values with an imaginary part below 1."""
    real = 0.5 + 2 * np.abs(x.real) / (1 + np.abs(x.real))
    return real + (1j * x.imag / (1 + np.abs(x.imag)) if np.iscomplexobj(x) else 0)


def above_one(x: Any) -> Any:
    return moderate(x) + 1


def far(x: Any) -> Any:
    return moderate(x) + 2


def both_signs(x: Any) -> Any:
    return np.sign(x.real) * moderate(np.abs(x.real)) + (1j * x.imag if np.iscomplexobj(x) else 0)


def left(x: Any) -> Any:
    """To the left of 0, away from the poles at the integers."""
    return -np.round(np.abs(x.real)) - 0.5 + 0.2 * np.tanh(x.real) + (1j * x.imag if np.iscomplexobj(x) else 0)


DOMAINS = {
    "plane": None,
    "right": moderate,
    "disc": inside,
    "unit": unit,
    "interval": open_interval,
    "above": above_one,
    "far": far,
    "signs": both_signs,
    "left": left,
}


def one(names: str, domain: str, kinds: str = "f", label: str = "") -> None:
    """Samples of functions of one argument."""
    for name in names.split():
        f = getattr(scipy_special, name)
        sample(f"scipy.special.{name}", f, array(3, 2, domain=DOMAINS[domain]), kinds=kinds, label=label)


def last(name: str, domain: str, *before: Any, kinds: str = "f", label: str = "") -> None:
    """A sample of a function in its last argument."""
    f = getattr(scipy_special, name)
    sample(f"scipy.special.{name}", lambda z: f(*before, z), array(3, domain=DOMAINS[domain]), kinds=kinds, label=label)


def every(name: str, *domains: str, kinds: str = "f", label: str = "") -> None:
    """A sample of a function in all its arguments."""
    arguments = [array(3, domain=DOMAINS[domain]) for domain in domains]
    sample(f"scipy.special.{name}", getattr(scipy_special, name), *arguments, kinds=kinds, label=label)


def some(name: str, call: Any, *domains: str, kinds: str = "f", label: str = "") -> None:
    """A sample of a function in some of its arguments."""
    arguments = [array(3, domain=DOMAINS[domain]) for domain in domains]
    sample(f"scipy.special.{name}", call, *arguments, kinds=kinds, label=label)


# error functions

one("erf erfc erfi erfcx dawsn ndtr log_ndtr fresnel", "disc", "fc")
one("erf erfcx dawsn wofz", "plane", "fc", label="plane")
one("wofz", "disc", "fc")
one("erfinv", "interval")
one("erfcinv ndtri", "unit")
sample("scipy.special.ndtri_exp", lambda x: scipy_special.ndtri_exp(-x), array(3, domain=moderate), kinds="f")
one("modfresnelp modfresnelm", "right")
every("voigt_profile", "plane", "right", "right")
every("owens_t", "signs", "plane")

# gamma and beta

one("gamma loggamma rgamma digamma psi", "right", "fc")
one("gamma rgamma digamma", "left", "fc", label="left")
some("rgamma", lambda a: scipy_special.rgamma(a - np.round(a)) + scipy_special.rgamma(a), "plane", label="near-poles")
one("gammaln", "right")
one("gammasgn", "left")
every("beta", "right", "above")
every("betaln", "right", "above")
every("binom", "above", "unit")
every("poch", "right", "above")
some("multigammaln", lambda a: special.multigammaln(a, 3), "above")
some("polygamma", lambda z: special.polygamma(2, z), "right", kinds="fc")
some("polygamma", lambda z: special.polygamma([0, 1, 3], z), "right", kinds="fc", label="orders")
some("zeta", lambda q: special.zeta(2.5, q), "right")
some("comb", special.comb, "above", "unit")
some("comb", lambda n, k: special.comb(n, k, repetition=True), "above", "unit", label="repetition")
some("perm", special.perm, "above", "unit")
some("factorial", special.factorial, "right")
some("factorial", lambda n: special.factorial(n, extend="complex"), "right", kinds="fc", label="complex")

# incomplete gamma and beta, distributions

for name in ("gammainc", "gammaincc"):
    last(name, "right", 1.7)
for name in ("gammaincinv", "gammainccinv"):
    last(name, "unit", 1.7)
for name in ("betainc", "betaincc", "betaincinv", "betainccinv"):
    last(name, "unit", 1.7, 2.3)
for name in ("chdtr", "chdtrc"):
    last(name, "right", 3.3)
last("chdtri", "unit", 3.3)
for name in ("gdtr", "gdtrc"):
    f = getattr(scipy_special, name)
    some(name, lambda a, x, f=f: f(a, 1.7, x), "right", "right")
some("gdtria", lambda p, x: scipy_special.gdtria(p, 1.7, x), "unit", "right")
some("gdtrix", lambda a, p: scipy_special.gdtrix(a, 1.7, p), "right", "unit")
for name in ("pdtr", "pdtrc"):
    every(name, "above", "right")
last("pdtri", "unit", 3)
for name in ("bdtr", "bdtrc", "bdtri"):
    f = getattr(scipy_special, name)
    some(name, lambda k, p, f=f: f(k, np.int64(7), p), "above", "unit")
for name in ("nbdtr", "nbdtrc", "nbdtri"):
    last(name, "unit", 2, 3)
for name in ("fdtr", "fdtrc"):
    last(name, "right", 2.5, 4.5)
last("fdtri", "unit", 2.5, 4.5)
last("stdtr", "plane", 3.5)
last("stdtrit", "unit", 3.5)
some("chndtr", lambda x, nc: scipy_special.chndtr(x, 3.5, nc), "right", "right")
some("chndtrix", lambda p, nc: scipy_special.chndtrix(p, 3.5, nc), "unit", "right")
some("ncfdtr", lambda nc, f: scipy_special.ncfdtr(3.0, 5.0, nc, f), "right", "right")
some("ncfdtri", lambda nc, p: scipy_special.ncfdtri(3.0, 5.0, nc, p), "right", "unit")
some("nctdtr", lambda nc, t: scipy_special.nctdtr(4.5, nc, t), "disc", "disc")
some("nctdtrit", lambda nc, p: scipy_special.nctdtrit(4.5, nc, p), "disc", "unit")
every("nrdtrimn", "unit", "right", "plane")
some("nrdtrisd", lambda mn, x: scipy_special.nrdtrisd(mn, 0.7, mn + x), "plane", "right")
some("nrdtrisd", lambda p, x: scipy_special.nrdtrisd(0.0, 0.5 + p / 3, x), "unit", "right", label="probability")
every("tklmbda", "interval", "unit")

# exponential integrals

one("exp1 expi sici shichi", "right", "fc")
one("spence", "right", "fc")
some("spence", lambda x: scipy_special.spence(1 + x / 100), "plane", kinds="fc", label="near-one")
last("expn", "right", 2)
last("expn", "right", 0, label="zero")
last("expn", "right", [0, 1, 3], label="orders")

# elementary

one("cbrt", "signs")
one("exp2 exp10 cosm1 expit log_expit exprel sindg cosdg log_expit", "plane")
one("expm1", "plane", "fc")
one("log1p", "right", "fc")
one("wrightomega", "disc", "fc")
one("logit entr", "unit")
some("tandg", lambda x: scipy_special.tandg(20 * x), "interval")
some("cotdg", lambda x: scipy_special.cotdg(20 * x), "right")
every("radian", "plane", "plane", "plane")
one("round", "left")
for name in ("xlogy", "xlog1py"):
    every(name, "right", "right", kinds="fc")
for name in ("kl_div", "rel_entr", "powm1", "agm"):
    every(name, "right", "right")
for name in ("huber", "pseudo_huber"):
    every(name, "above", "plane")
every("boxcox", "right", "plane")
every("boxcox1p", "right", "plane")
every("inv_boxcox", "right", "unit")
every("inv_boxcox1p", "right", "unit")
some("boxcox", lambda x, l: scipy_special.boxcox(x, l / 1000), "right", "plane", label="near-zero")
some("inv_boxcox", lambda x, l: scipy_special.inv_boxcox(x, l / 1000), "right", "plane", label="near-zero")
some("sinc", special.sinc, "plane", kinds="fc")
some("diric", lambda x: special.diric(x, 5), "plane")
some("softplus", special.softplus, "plane")

# reductions

for name in ("logsumexp", "softmax", "log_softmax"):
    f = getattr(special, name)
    for axis in (None, 0, -1, (0, 2)):
        call = partial(f, axis=axis)
        sample(f"scipy.special.{name}", call, array(2, 3, 2, domain=distinct), label=f"axis-{axis}")
sample("scipy.special.logsumexp", partial(special.logsumexp, keepdims=True), array(2, 3), label="keepdims")
sample(
    "scipy.special.logsumexp",
    lambda a, b: special.logsumexp(a, 1, b),
    array(2, 3),
    array(3, domain=positive),
    label="weights",
)
sample(
    "scipy.special.logsumexp",
    lambda a: special.logsumexp(a, 1, [2.0, -0.5, -3.0], return_sign=True),
    array(2, 3, domain=inside),
    label="sign",
)

# Bessel functions

one("j0 j1 y0 y1 i0 i1 k0 k1 i0e i1e k0e k1e", "right")
one("j0 j1 i0 i1 i0e i1e", "signs", label="signs")
for name in ("jv", "jn", "yv", "iv", "kv", "jve", "yve", "ive", "kve"):
    last(name, "right", 0.7, kinds="fc")
    last(name, "right", [2.0, -1.3, 0.0], kinds="fc", label="orders")
for name in ("hankel1", "hankel2", "hankel1e", "hankel2e"):
    last(name, "right", 0.7, kinds="fc")
for name in ("jve", "yve", "ive"):
    last(name, "signs", 2, kinds="c", label="plane")
for name in ("yn", "kn"):
    last(name, "right", 2)
for name in ("jvp", "yvp", "ivp", "kvp", "h1vp", "h2vp"):
    f = getattr(special, name)
    some(name, lambda z, f=f: f(0.7, z, 2), "right", kinds="fc")
one("airy", "disc", "fc")
one("airye", "right", "fc")
one("airye", "signs", "c", label="plane")
one("itairy itj0y0 iti0k0 it2j0y0 it2i0k0 itstruve0 itmodstruve0 it2struve0", "right")
one("ber bei ker kei berp beip kerp keip kelvin", "right")
for name in ("struve", "modstruve"):
    last(name, "right", 0.7)
some("besselpoly", lambda a: scipy_special.besselpoly(a, 0.5, 1.5), "right")

# elliptic integrals

one("ellipk ellipkm1 ellipe", "unit")
for name in ("ellipkinc", "ellipeinc", "ellipj"):
    f = getattr(scipy_special, name)
    every(name, "plane", "unit")
    some(name, lambda u, m, f=f: f(3 * u, m), "signs", "unit", label="periods")
some("ellipkinc", lambda u, m: scipy_special.ellipkinc(3 * u, -m), "signs", "unit", label="negative")
some("ellipeinc", lambda u, m: scipy_special.ellipeinc(3 * u, -m), "signs", "unit", label="negative")
for name in ("elliprf", "elliprd", "elliprg"):
    every(name, "right", "right", "right", kinds="fc")
every("elliprc", "right", "right", kinds="fc")
every("elliprj", "right", "right", "right", "right", kinds="fc")
some("elliprc", lambda x, y: scipy_special.elliprc(x, -y), "right", "right", label="principal")
some("elliprj", lambda x, p: scipy_special.elliprj(x, 1.0, 2.0, -p), "right", "right", label="principal")

# hypergeometric functions

last("hyp0f1", "plane", 1.7, kinds="fc")
last("hyp1f1", "plane", 0.7, 1.6, kinds="fc")
last("hyp2f1", "disc", 0.7, -0.4, 1.6, kinds="fc")
last("hyperu", "right", 0.7, 1.6)
last("wright_bessel", "right", 0.7, 1.6)
last("log_wright_bessel", "right", 0.7, 1.6)
for name in ("pbdv", "pbvv", "pbwa"):
    last(name, "right", 0.7)

# polynomials and Legendre functions

for name in ("chebyt", "chebyu", "chebyc", "chebys", "legendre", "laguerre"):
    last(f"eval_{name}", "interval", [0, 1, 5])
    last(f"eval_{name}", "disc", 3.0, kinds="c", label="complex")
for name in ("sh_chebyt", "sh_chebyu", "sh_legendre"):
    last(f"eval_{name}", "unit", [0, 1, 5])
for name in ("chebyt", "chebyu", "chebyc", "chebys"):
    every(f"eval_{name}", "right", "interval", label="degree")
for name in ("sh_chebyt", "sh_chebyu"):
    every(f"eval_{name}", "right", "unit", label="degree")
for name in ("hermite", "hermitenorm"):
    last(f"eval_{name}", "plane", [0, 1, 5])
for name in ("gegenbauer", "genlaguerre"):
    last(f"eval_{name}", "interval", [0, 1, 5], 0.7)
    last(f"eval_{name}", "disc", 3.0, 0.7, kinds="c", label="complex")
last("eval_jacobi", "interval", [0, 1, 5], 0.7, 0.3)
last("eval_sh_jacobi", "unit", [0, 1, 4], 2.7, 1.3)
some("assoc_laguerre", lambda x: special.assoc_laguerre(x, 3, 0.7), "plane")
last("lpmv", "interval", 1, 2.7)

# Mathieu and spheroidal functions

for name in ("cem", "sem", "modcem1", "modcem2", "modsem1", "modsem2"):
    last(f"mathieu_{name}", "right", 2, 1.5)
C = np.float64(3.0)  # in double precision: SciPy's own single-precision loops do not end
PROLATE, OBLATE = scipy_special.pro_cv(0, 1, C), scipy_special.obl_cv(0, 1, C)

for name in ("pro_ang1", "obl_ang1"):
    last(name, "unit", 1, 2, C)
for name in ("pro_rad1", "pro_rad2", "obl_rad1", "obl_rad2"):
    last(name, "far", 0, 1, C)
last("pro_ang1_cv", "unit", 0, 1, C, PROLATE)
last("obl_ang1_cv", "unit", 0, 1, C, OBLATE)
for name in ("pro_rad1_cv", "pro_rad2_cv"):
    last(name, "far", 0, 1, C, PROLATE)
for name in ("obl_rad1_cv", "obl_rad2_cv"):
    last(name, "far", 0, 1, C, OBLATE)
