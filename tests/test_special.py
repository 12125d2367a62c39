"""Special functions: nothing forgotten, first derivatives against mpmath, special points, missing derivatives, values."""

from __future__ import annotations

import inspect

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from wirtinger import NotDifferentiableError, grad, gradcheck, jvp, special, vjp, wirtinger_derivatives
from wirtinger.complex_autograd.trace import UFUNCS
from wirtinger.special.ufunc_rules import INTEGER, NEEDS_ALGORITHM, RULES, constant

import samples
import samples.special

NAMES = sorted(set(scipy.special.__all__))
OWN = [name for name in NAMES if getattr(special, name, None) is not getattr(scipy.special, name)]
UFUNC_NAMES = [name for name in NAMES if isinstance(getattr(scipy.special, name), np.ufunc)]
PAIRS = [(name, i) for name in UFUNC_NAMES for i in range(getattr(scipy.special, name).nin)]
SAMPLED = {s.name.removeprefix("scipy.special.") for s in samples.SAMPLES if s.name.startswith("scipy.special.")}


# nothing is forgotten


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_here(name):
    assert name in special.__all__
    assert hasattr(special, name)


def test_nothing_else_is_public():
    assert set(special.__all__) == set(NAMES)


@pytest.mark.parametrize("name", UFUNC_NAMES)
def test_a_ufunc_is_scipys_own(name):
    assert getattr(special, name) is getattr(scipy.special, name)


@pytest.mark.parametrize("name", OWN)
def test_our_version_has_scipys_parameters(name):
    def parameters(f):
        return [(p.name, p.kind, p.default) for p in inspect.signature(f).parameters.values()]

    if hasattr(scipy.special._multiufuncs, name):
        pytest.skip("SciPy's own version tells nothing about its parameters")
    assert parameters(getattr(special, name)) == parameters(getattr(scipy.special, name))


@pytest.mark.parametrize(("name", "i"), PAIRS)
def test_every_argument_has_a_rule_or_a_reason(name, i):
    ufunc = getattr(scipy.special, name)
    assert ufunc in UFUNCS
    rule = RULES[ufunc]
    assert len(rule.arguments) == ufunc.nin
    assert callable(rule.partials[i]) or rule.partials[i] in (INTEGER, NEEDS_ALGORITHM)


WITH_RULE = [
    name
    for name in UFUNC_NAMES
    if any(callable(p) and p is not constant for p in RULES[getattr(scipy.special, name)].partials)
]


@pytest.mark.parametrize("name", WITH_RULE)
def test_what_has_a_rule_has_a_sample(name):
    assert name in SAMPLED or name in ONLY_AGAINST_MPMATH


MISSING = [(name, i) for name, i in PAIRS if isinstance(RULES[getattr(scipy.special, name)].partials[i], str)]


@pytest.mark.parametrize(("name", "i"), MISSING)
def test_a_missing_derivative_raises_when_it_is_asked_for(name, i):
    ufunc = getattr(scipy.special, name)
    values = [0.5 if t in "fd" else 1 for t in ufunc.types[-1].split("->")[0].lower()]
    argument = RULES[ufunc].arguments[i]

    def f(x):
        out = ufunc(*values[:i], x, *values[i + 1 :])
        return sum(np.real(w) for w in out) if isinstance(out, tuple) else np.real(out)

    with np.errstate(all="ignore"), pytest.raises(NotDifferentiableError, match=f"with respect to {argument}: "):
        grad(f)(1.0)


# first derivatives at ordinary points, against mpmath with 50 digits

X = (0.31, 1.7, 4.9)
SIGNED = (-2.3, 0.31, 4.9)
Z = (0.31, 1.7, 0.6 + 1.1j, -1.4 - 0.8j)
UNIT = (0.07, 0.5, 0.93)


def scaled_erfc(z):
    return mp.exp(z * z) * mp.erfc(z)


def faddeeva(z):
    return scaled_erfc(-1j * z)


def voigt(x, sigma, gamma):
    return mp.re(faddeeva((x + 1j * gamma) / (sigma * mp.sqrt(2)))) / (sigma * mp.sqrt(2 * mp.pi))


ONE = {
    "erf": (mp.erf, Z),
    "erfc": (mp.erfc, Z),
    "erfi": (mp.erfi, Z),
    "erfcx": (scaled_erfc, (*Z, -3.0, 1.99, 2.01, 6.99, 7.01, 60.0, 1e5, 2.5 + 3j, 8j + 0.01)),
    "wofz": (faddeeva, (0.3 + 0j, 2.5 + 0.1j, 1 + 6.9j, 1 + 7.1j, 50 + 1e-3j, -0.5 - 0.5j)),
    "dawsn": (lambda x: mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x), (*SIGNED, 0.9241388730045918, 6.9, 7.1, 25.0)),
    "ndtr": (mp.ncdf, SIGNED),
    "log_ndtr": (lambda x: mp.log(mp.ncdf(x)), (-30.0, *SIGNED)),
    "erfinv": (mp.erfinv, (-0.4, 0.3, 0.95)),
    "erfcinv": (lambda p: mp.erfinv(1 - p), UNIT),
    "ndtri": (lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), UNIT),
    "gamma": (mp.gamma, (*Z, -1.5)),
    "gammaln": (lambda x: mp.log(abs(mp.gamma(x))), (*X, -1.5)),
    "loggamma": (mp.loggamma, Z),
    "rgamma": (mp.rgamma, (*Z, -1.5, 0.0, -3.0)),
    "digamma": (mp.digamma, (*X, 30.0, -1.5, 0.6 + 1.1j, -1.4 - 0.8j, 12 + 40j)),
    "exp1": (mp.e1, (*X, 0.6 + 1.1j)),
    "expi": (mp.ei, (*X, 0.6 + 1.1j)),
    "spence": (lambda z: mp.polylog(2, 1 - z), (0.31, 0.999, 1.0, 1.001, 1.7, 4.9, 0.6 + 1.1j)),
    "j0": (lambda x: mp.besselj(0, x), SIGNED),
    "j1": (lambda x: mp.besselj(1, x), (0.0, *SIGNED)),
    "y0": (lambda x: mp.bessely(0, x), X),
    "y1": (lambda x: mp.bessely(1, x), X),
    "i0": (lambda x: mp.besseli(0, x), SIGNED),
    "i1": (lambda x: mp.besseli(1, x), (0.0, *SIGNED)),
    "k0": (lambda x: mp.besselk(0, x), X),
    "k1": (lambda x: mp.besselk(1, x), X),
    "i0e": (lambda x: mp.exp(-x) * mp.besseli(0, x), X),
    "i1e": (lambda x: mp.exp(-x) * mp.besseli(1, x), X),
    "k0e": (lambda x: mp.exp(x) * mp.besselk(0, x), X),
    "k1e": (lambda x: mp.exp(x) * mp.besselk(1, x), X),
    "ber": (lambda x: mp.ber(0, x), X),
    "bei": (lambda x: mp.bei(0, x), X),
    "ellipk": (mp.ellipk, (-3.0, 0.0, 1e-9, 0.5, 0.999)),
    "ellipe": (mp.ellipe, (-3.0, 0.0, 1e-9, 0.5, 0.999)),
    "ellipkm1": (lambda p: mp.ellipk(1 - p), (1e-6, 0.5, 1.0)),
    "expit": (lambda x: 1 / (1 + mp.exp(-x)), (-40.0, *SIGNED, 40.0)),
    "log_expit": (lambda x: -mp.log(1 + mp.exp(-x)), (-40.0, *SIGNED, 40.0)),
    "logit": (lambda p: mp.log(p / (1 - p)), UNIT),
    "exprel": (lambda x: (mp.exp(x) - 1) / x, (-2.3, 1e-4, 4.9)),
    "cosm1": (lambda x: mp.cos(x) - 1, SIGNED),
    "cbrt": (mp.cbrt, X),
    "entr": (lambda x: -x * mp.log(x), X),
    "wrightomega": (lambda z: mp.lambertw(mp.exp(z)), (*SIGNED, 0.6 + 1.1j)),
}

MANY = {
    "voigt_profile": (voigt, (0, 1, 2), [(0.7, 1.3, 0.4), (-5.0, 0.6, 0.1), (0.2, 0.9, 6.0)]),
    "owens_t": (
        lambda h, a: mp.quad(lambda t: mp.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), [0, a]) / (2 * mp.pi),
        (0, 1),
        [(0.7, 1.3), (-0.4, 0.2)],
    ),
    "beta": (mp.beta, (0, 1), [(0.7, 1.3), (0.3, 8.0), (9.0, 1e-3), (-0.4, 2.2)]),
    "betaln": (lambda a, b: mp.log(mp.beta(a, b)), (0, 1), [(0.7, 1.3), (1e3, 0.02), (3.0, 1e3)]),
    "poch": (mp.rf, (0, 1), [(0.7, 1.3), (2.5, 3.0), (20.0, 0.1)]),
    "binom": (mp.binomial, (0, 1), [(4.7, 1.3), (9.5, 0.2)]),
    "gammainc": (lambda a, x: mp.gammainc(a, 0, x, regularized=True), (1,), [(0.7, 1.3), (20.0, 15.0)]),
    "gammaincc": (lambda a, x: mp.gammainc(a, x, regularized=True), (1,), [(0.7, 1.3), (20.0, 15.0)]),
    "betainc": (lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True), (2,), [(0.7, 1.3, 0.4), (9.0, 4.0, 0.8)]),
    "expn": (lambda n, x: mp.expint(n, x), (1,), [(0, 0.7), (1, 0.7), (4, 2.5)]),
    "xlogy": (lambda x, y: x * mp.log(y), (0, 1), [(0.7, 1.3), (0.6 + 1.1j, 0.3 - 2j)]),
    "boxcox": (lambda x, l: (x**l - 1) / l, (0, 1), [(0.7, 1.3), (5.0, 1e-5), (5.0, -2.0)]),
    "boxcox1p": (lambda x, l: ((1 + x) ** l - 1) / l, (0, 1), [(0.7, 1.3), (5.0, 1e-5)]),
    "inv_boxcox": (lambda x, l: (1 + l * x) ** (1 / l), (0, 1), [(0.7, 1.3), (2.0, 1e-5), (0.3, -2.0)]),
    "inv_boxcox1p": (lambda x, l: (1 + l * x) ** (1 / l) - 1, (0, 1), [(0.7, 1.3), (2.0, 1e-5)]),
    "pseudo_huber": (lambda d, r: d * d * (mp.sqrt(1 + (r / d) ** 2) - 1), (0, 1), [(0.7, 1.3), (5.0, 1e-3)]),
    "agm": (mp.agm, (0, 1), [(0.7, 1.3), (1.0, 1.0), (20.0, 0.1)]),
    "powm1": (lambda x, y: x**y - 1, (0, 1), [(0.7, 1.3), (1.2, -3.0)]),
    "jv": (mp.besselj, (1,), [(0.7, 1.3), (-2.3, 5.0), (8.0, 3.0), (0.7, 0.6 + 1.1j)]),
    "yv": (mp.bessely, (1,), [(0.7, 1.3), (-2.3, 5.0), (0.7, 0.6 + 1.1j)]),
    "iv": (mp.besseli, (1,), [(0.7, 1.3), (-2.3, 5.0), (0.7, 0.6 + 1.1j)]),
    "kv": (mp.besselk, (1,), [(0.7, 1.3), (-2.3, 5.0), (0.7, 0.6 + 1.1j)]),
    "hankel1": (mp.hankel1, (1,), [(0.7, 1.3 + 0j), (2.0, 0.6 + 1.1j)]),
    "hankel2": (mp.hankel2, (1,), [(0.7, 1.3 + 0j), (2.0, 0.6 + 1.1j)]),
    "kve": (lambda v, z: mp.besselk(v, z) * mp.exp(z), (1,), [(0.7, 1.3), (2.0, 0.6 + 1.1j)]),
    "hankel1e": (lambda v, z: mp.hankel1(v, z) * mp.exp(-1j * z), (1,), [(0.7, 1.3 + 0j), (2.0, 0.6 + 1.1j)]),
    "hankel2e": (lambda v, z: mp.hankel2(v, z) * mp.exp(1j * z), (1,), [(0.7, 1.3 + 0j), (2.0, 0.6 + 1.1j)]),
    "struve": (mp.struveh, (1,), [(0.7, 1.3), (1.5, 5.0)]),
    "modstruve": (mp.struvel, (1,), [(0.7, 1.3), (1.5, 5.0)]),
    "ellipkinc": (mp.ellipf, (0, 1), [(0.7, 0.5), (-4.0, 0.3), (10.0, 0.9), (0.7, -2.0), (0.7, 1e-9), (0.3, 3.0)]),
    "ellipeinc": (mp.ellipe, (0, 1), [(0.7, 0.5), (-4.0, 0.3), (10.0, 0.9), (0.7, -2.0), (0.7, 1e-9), (0.3, 3.0)]),
    "elliprf": (mp.elliprf, (0, 1, 2), [(0.7, 1.3, 2.0), (1.0, 1.0, 1.0), (1e-3, 50.0, 2.0), (1 + 1j, 2.0, 0.5 - 1j)]),
    "elliprc": (mp.elliprc, (0, 1), [(0.7, 1.3), (1.0, 1.0), (2.0, 1e-3), (1 + 1j, 2.0 - 1j)]),
    "elliprd": (mp.elliprd, (0, 1, 2), [(0.7, 1.3, 2.0), (1.0, 1.0, 1.0), (1e-3, 50.0, 2.0), (1 + 1j, 2.0, 0.5 - 1j)]),
    "elliprg": (mp.elliprg, (0, 1, 2), [(0.7, 1.3, 2.0), (1.0, 1.0, 1.0), (1e-3, 50.0, 2.0)]),
    "elliprj": (mp.elliprj, (0, 1, 2, 3), [(0.7, 1.3, 2.0, 0.4), (1.0, 1.0, 1.0, 1.0), (1e-3, 50.0, 2.0, 3.0)]),
    "hyp0f1": (mp.hyp0f1, (1,), [(0.7, 1.3), (2.5, -4.0), (0.7, 0.6 + 1.1j)]),
    "hyp1f1": (mp.hyp1f1, (2,), [(0.7, 1.6, 1.3), (-0.4, 2.5, -4.0), (0.7, 1.6, 0.6 + 1.1j)]),
    "hyp2f1": (mp.hyp2f1, (3,), [(0.7, -0.4, 1.6, 0.3), (0.7, 1.2, 2.5, -4.0), (0.7, 1.2, 2.5, 0.3 + 0.4j)]),
    "eval_chebyt": (mp.chebyt, (1,), [(0, 0.3), (1, 0.3), (6, -0.8), (6, 1.0), (5, 1.7)]),
    "eval_chebyu": (mp.chebyu, (1,), [(0, 0.3), (1, 0.3), (6, -0.8), (5, 1.7)]),
    "eval_legendre": (mp.legendre, (1,), [(0, 0.3), (1, 0.3), (6, -0.8), (6, 1.0), (5, 1.7)]),
    "eval_gegenbauer": (mp.gegenbauer, (2,), [(0, 0.7, 0.3), (1, 0.7, 0.3), (6, 1.3, -0.8)]),
    "eval_jacobi": (mp.jacobi, (3,), [(0, 0.7, 0.4, 0.3), (1, 0.7, 0.4, 0.3), (6, 1.3, 2.2, -0.8)]),
    "eval_genlaguerre": (mp.laguerre, (2,), [(0, 0.7, 0.3), (1, 0.7, 0.3), (6, 1.3, 3.8)]),
    "eval_hermite": (mp.hermite, (1,), [(0, 0.3), (1, 0.3), (6, -0.8)]),
}

ONLY_AGAINST_MPMATH: set[str] = set()

POINTS = [(name, reference, (z,), 0) for name, (reference, points) in ONE.items() for z in points] + [
    (name, reference, point, i) for name, (reference, positions, points) in MANY.items() for point in points for i in positions
]


def derivative(f, point, i):
    """`df/da_i`, of a function that is holomorphic in its argument."""
    return jvp(lambda x: f(*point[:i], x, *point[i + 1 :]), (point[i],), (1.0,))[1]


@pytest.mark.parametrize(("name", "reference", "point", "i"), POINTS, ids=lambda p: str(p) if not callable(p) else "")
def test_first_derivative(name, reference, point, i):
    found = complex(derivative(getattr(special, name), point, i))
    with mp.workdps(50):
        exact = [mp.mpmathify(x) for x in point]
        expected = complex(mp.diff(lambda x: reference(*exact[:i], x, *exact[i + 1 :]), exact[i], h=mp.mpf(10) ** -20))
    assert abs(found - expected) <= 1e-12 * abs(expected)
