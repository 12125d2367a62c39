"""Special functions: nothing is forgotten; first derivatives against mpmath; special points; missing derivatives."""

from __future__ import annotations

import inspect
import re
import warnings

import mpmath as mp
import numpy as np
import pytest
import scipy.special

import samples
from package_layout import ROOT
from wirtinger import NotDifferentiableError, grad, jvp, special, wirtinger_derivatives
from wirtinger.complex_autograd.engine.trace import UFUNCS
from wirtinger.special import torch_functions
from wirtinger.special.scipy_repairs.corrections import corrected
from wirtinger.special.ufuncs.ufunc_rules import INTEGER, RULES, constant

NAMES = sorted(set(scipy.special.__all__))
OWN = [name for name in NAMES if getattr(special, name, None) != getattr(scipy.special, name)]
UFUNC_NAMES = [name for name in NAMES if isinstance(getattr(scipy.special, name), np.ufunc)]
PAIRS = [(name, i) for name in UFUNC_NAMES for i in range(getattr(scipy.special, name).nin)]
SAMPLED = {s.name.removeprefix("scipy.special.") for s in samples.SAMPLES if s.name.startswith("scipy.special.")}


# nothing is forgotten


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_here(name):
    assert name in special.__all__
    assert hasattr(special, name)


def test_nothing_else_is_public():
    assert set(special.__all__) == {*NAMES, *torch_functions.__all__}


@pytest.mark.parametrize("name", UFUNC_NAMES)
def test_a_ufunc_is_scipys_own_or_improves_it(name):
    ours = getattr(special, name)
    assert getattr(ours, "ufunc", ours) == getattr(scipy.special, name)
    assert type(ours) is not np.ufunc, "it computes on one core"


@pytest.mark.parametrize("name", [name for name in OWN if not hasattr(scipy.special._multiufuncs, name)])
def test_our_version_has_scipys_parameters(name):
    """But for those whose parameters SciPy's own version does not tell."""

    def parameters(f):
        return [(p.name, p.kind, p.default) for p in inspect.signature(f).parameters.values()]

    assert parameters(getattr(special, name)) == parameters(getattr(scipy.special, name))


@pytest.mark.parametrize(("name", "i"), PAIRS)
def test_every_argument_has_a_rule_or_a_reason(name, i):
    ufunc = getattr(scipy.special, name)
    assert ufunc in UFUNCS
    rule = RULES[ufunc]
    assert len(rule.arguments) == ufunc.nin
    assert callable(rule.partials[i]) or rule.partials[i] == INTEGER


WITH_RULE = [
    name
    for name in UFUNC_NAMES
    if any(callable(p) and p is not constant for p in RULES[getattr(scipy.special, name)].partials)
]


@pytest.mark.parametrize("name", WITH_RULE)
def test_what_has_a_rule_has_a_sample(name):
    assert name in SAMPLED


MISSING = [(name, i) for name, i in PAIRS if isinstance(RULES[getattr(scipy.special, name)].partials[i], str)]


@pytest.mark.parametrize(("name", "i"), MISSING)
def test_a_missing_derivative_raises_when_it_is_asked_for(name, i):
    ufunc = getattr(scipy.special, name)
    values = [0.5] * ufunc.nin
    argument = RULES[ufunc].arguments[i]
    if all(types[i] == "l" for types in ufunc.types):
        of_degree = grad(lambda n: ufunc(n, 0.5))
        with pytest.raises(TypeError, match="not supported for the input types"):
            of_degree(1.0)
        return

    def f(x):
        out = ufunc(*values[:i], x, *values[i + 1 :])
        return sum(np.real(w) for w in out) if isinstance(out, tuple) else np.real(out)

    warnings.simplefilter("ignore")
    with pytest.raises(NotDifferentiableError, match=f"with respect to {argument}: "):
        grad(f)(1.0)


def has_better_values(ufunc):
    """Whether a ufunc is replaced, or has our values in places: `j0` and its kin by kernels where there are any."""
    is_mended = corrected(ufunc) is not ufunc or ufunc in (
        scipy.special.j0,
        scipy.special.j1,
        scipy.special.y0,
        scipy.special.y1,
    )
    return is_mended or getattr(special, ufunc.__name__) != ufunc


def test_the_page_is_up_to_date():
    """It lists the ufuncs that are not SciPy's, because their values are better."""
    page = (ROOT / "docs" / "special.md").read_text()
    section = page.partition("The ufuncs concerned are\n\n")[2].partition("\n\n")[0]
    better = [name for name in UFUNC_NAMES if has_better_values(getattr(scipy.special, name))]
    assert re.findall(r"`(\w+)`", section) == better


def test_the_page_counts_right():
    page = (ROOT / "docs" / "special.md").read_text()
    partials = [p for rule in RULES.values() for p in rule.partials]
    constants, integers = sum(p is constant for p in partials), partials.count(INTEGER)
    continuous = sum(callable(p) and p is not constant for p in partials)
    assert constants + integers + continuous == len(partials)
    counts = f"{continuous} continuous, {integers} integer, {constants} in which"
    assert f"The {len(RULES)} ufuncs have {len(partials)} arguments: {counts}" in page
    assert f"* All {continuous} continuous arguments have a derivative" in page


# first derivatives at ordinary points, against mpmath with 50 digits

X = (0.31, 1.7, 4.9)
SIGNED = (-2.3, 0.31, 4.9)
Z = (0.31, 1.7, 0.6 + 1.1j, -1.4 - 0.8j)
UNIT = (0.07, 0.5, 0.93)


def scaled_erfc(z):
    return mp.exp(z * z) * mp.erfc(z)


def faddeeva(z):
    return scaled_erfc(-1j * z)


def dawson(x):
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def voigt(x, sigma, gamma):
    return mp.re(faddeeva((x + 1j * gamma) / (sigma * mp.sqrt(2)))) / (sigma * mp.sqrt(2 * mp.pi))


ONE = {
    "erf": (mp.erf, Z),
    "erfc": (mp.erfc, Z),
    "erfi": (mp.erfi, Z),
    "erfcx": (scaled_erfc, (*Z, -3.0, 1.99, 2.01, 5.99, 6.01, 60.0, 1e5, 2.5 + 3j, 8j + 0.01)),
    "wofz": (faddeeva, (0.3 + 0j, 2.5 + 0.1j, 1 + 5.8j, 1 + 6.1j, 50 + 1e-3j, -0.5 - 0.5j)),
    "dawsn": (dawson, (*SIGNED, 5.9, 6.1, 25.0)),
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
    "voigt_profile": (voigt, (0, 1, 2), [(0.7, 1.3, 0.4), (-2.0, 0.6, 0.1), (0.2, 0.9, 6.0)]),
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
    "elliprd": (
        mp.elliprd,
        (0, 1, 2),
        [(0.7, 1.3, 2.0), (1.0, 1.0, 1.0), (1e-6, 1e6, 1.0), (1 + 1j, 2.0, 0.5 - 1j)],
    ),
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

POINTS = [(name, reference, (z,), 0) for name, (reference, points) in ONE.items() for z in points]
POINTS += [
    (name, reference, point, i)
    for name, (reference, positions, points) in MANY.items()
    for point in points
    for i in positions
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


# not holomorphic: both partials


@pytest.mark.parametrize("z", [1.3 + 0.7j, -1.3 - 0.7j, 0.4 - 2.0j])
@pytest.mark.parametrize("name", ["jve", "yve", "ive"])
def test_both_partials_of_a_scaled_bessel_function(name, z):
    f = getattr(special, name)
    plain = getattr(mp, {"jve": "besselj", "yve": "bessely", "ive": "besseli"}[name])
    found = wirtinger_derivatives(lambda z: f(0.7, z))(z)

    def exact(x, y):
        exponent = abs(x) if name == "ive" else abs(y)
        return plain(mp.mpf(0.7), mp.mpc(x, y)) * mp.exp(-exponent)

    with mp.workdps(50):
        dx, dy = (mp.diff(exact, (z.real, z.imag), order) for order in ((1, 0), (0, 1)))
        expected = complex((dx - 1j * dy) / 2), complex((dx + 1j * dy) / 2)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


# special points


def test_at_removable_singularities():
    assert grad(special.spence)(1.0) == -1
    assert grad(special.exprel)(0.0) == 0.5
    assert grad(special.j1)(0.0) == 0.5
    assert grad(special.i1)(0.0) == 0.5
    with np.errstate(divide="ignore"):  # Ci and Chi, beside them, have a logarithm there
        assert grad(lambda x: special.sici(x)[0])(0.0) == 1
        assert grad(lambda x: special.shichi(x)[0])(0.0) == 1
    assert grad(lambda x: special.spherical_jn(1, x))(0.0) == pytest.approx(1 / 3)
    assert grad(lambda x: np.real(special.lambertw(x)))(0.0) == 1
    assert grad(lambda l: special.boxcox(3.0, l))(0.0) == pytest.approx(np.log(3.0) ** 2 / 2)
    assert grad(lambda l: special.inv_boxcox(2.0, l))(0.0) == pytest.approx(-2 * np.exp(2.0))
    assert grad(lambda x: special.diric(x, 5))(2 * np.pi) == pytest.approx(0, abs=1e-12)
    assert grad(special.ellipk)(0.0) == pytest.approx(np.pi / 8)
    poles = np.array([0.0, -1.0, -2.0, -3.0])
    np.testing.assert_allclose(grad(lambda x: np.sum(special.rgamma(x)))(poles), [1, -1, 2, -6])


def test_second_derivative_at_removable_singularities():
    assert grad(grad(special.spence))(1.0) == pytest.approx(0.5)
    assert grad(grad(special.rgamma))(-1.0) == pytest.approx(2 * special.digamma(2.0))
    assert grad(grad(special.ellipe))(0.0) == pytest.approx(-3 * np.pi / 64)


PI, EULER = np.pi, np.euler_gamma

AT_EDGES = {
    "gammainc": [((2.0, np.inf), (0.0, 0.0))],
    "gammaincc": [((2.0, np.inf), (0.0, 0.0))],
    "betainc": [((2.0, 3.0, 1.0), (0.0, 0.0, 0.0)), ((2.0, 3.0, 0.0), (0.0, 0.0, 0.0))],
    "betaincc": [((2.0, 3.0, 1.0), (0.0, 0.0, 0.0))],
    "xlogy": [((0.0, 0.0), (-np.inf, 0.0)), ((0.0, 2.0), (np.log(2), 0.0))],
    "xlog1py": [((0.0, -1.0), (-np.inf, 0.0))],
    "rel_entr": [((0.0, 0.0), (None, 0.0)), ((1e-200, 1e200), (1 - 400 * np.log(10), 0.0))],
    "kl_div": [((0.0, 0.0), (None, 1.0)), ((1e200, 1e-200), (400 * np.log(10), -np.inf))],
    "pseudo_huber": [((0.0, 0.0), (0.0, 0.0)), ((0.0, -2.0), (2.0, 0.0)), ((1.0, 1e90), (1e90, 1.0))],
    "struve": [((0.0, 0.0), (None, 2 / PI)), ((1.0, 0.0), (0.0, 0.0)), ((2.0, 0.0), (0.0, 0.0))],
    "modstruve": [((0.0, 0.0), (None, 2 / PI)), ((1.0, 0.0), (0.0, 0.0)), ((0.5, 0.0), (0.0, 0.0))],
    "poch": [
        ((0.0, 1.0), (1.0, 0.0)),
        ((-2.0, 3.0), (2.0, 0.0)),
        ((-3.0, 2.0), (-5.0, None)),
        ((-2.0, 0.5), (8 * np.sqrt(PI) / 3, 0.0)),
    ],
    "binom": [
        ((2.0, 3.0), (1 / 3, -1 / 3)),
        ((2.0, -1.0), (0.0, 1 / 3)),
        ((0.0, 1.0), (1.0, -1.0)),
        ((2.5, -1.0), (0.0, 1 / 3.5)),
    ],
    "stdtr": [((np.inf, 0.3), (0.0, np.exp(-0.045) / np.sqrt(2 * PI)))],
    "stdtrit": [((np.inf, 0.5), (0.0, np.sqrt(2 * PI)))],
    "voigt_profile": [((0.5, 0.0, 1.0), (-1 / (PI * 1.25**2), 0.0, -0.75 / (PI * 1.25**2)))],
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", AT_EDGES)
def test_at_the_edges_and_poles(name):
    function = getattr(special, name)
    for point, derivatives in AT_EDGES[name]:
        stacked = [np.array([x, x]) for x in point]
        for i, first_derivative in enumerate(derivatives):
            if first_derivative is not None:
                assert grad(function, i)(*point) == pytest.approx(first_derivative, rel=1e-13, abs=1e-300)
                twice = grad(lambda *z: np.sum(function(*z)), i)(*stacked)
                np.testing.assert_allclose(twice, [first_derivative, first_derivative], rtol=1e-13)


@pytest.mark.parametrize(
    ("name", "point", "second"),
    [
        ("struve", (1.0, 0.0), ((None, None), (None, 4 / (3 * PI)))),
        ("modstruve", (1.0, 0.0), ((None, None), (None, 4 / (3 * PI)))),
        ("poch", (-2.0, 3.0), ((-6.0, -2 * EULER), (-2 * EULER, 0.0))),
        ("binom", (2.0, 3.0), ((1.0, -10 / 9), (-10 / 9, 11 / 9))),
    ],
)
def test_second_derivatives_at_the_edges_and_poles(name, point, second):
    function = getattr(special, name)
    for i in range(2):
        for j in range(2):
            if second[i][j] is not None:
                first_derivative = grad(lambda *z, i=i: grad(function, i)(*z), j)(*point)
                assert first_derivative == pytest.approx(second[i][j], rel=1e-12, abs=1e-300)


def test_polynomials_of_degree_zero_and_one():
    x = np.array([-1.0, 0.3, 1.0])
    for f in (special.eval_legendre, special.eval_chebyt):
        np.testing.assert_array_equal(grad(lambda x, f=f: np.sum(f(0, x)))(x), 0)
        np.testing.assert_allclose(grad(lambda x, f=f: np.sum(f(1, x)))(x), 1)
    np.testing.assert_array_equal(grad(lambda x: np.sum(special.eval_genlaguerre(0, 0.5, x)))(x), 0)
    np.testing.assert_allclose(grad(lambda x: np.sum(special.eval_genlaguerre(1, 0.5, x)))(x), -1)


def test_piecewise_constant_functions_have_derivative_zero():
    assert grad(special.gammasgn)(-0.5) == 0
    assert grad(special.round)(0.3) == 0
    assert grad(lambda k: special.pdtr(k, 2.0))(1.5) == 0


def test_exponents_of_minus_infinity():
    a = np.array([0.0, -np.inf, 1.0])
    np.testing.assert_allclose(grad(special.logsumexp)(a), scipy.special.softmax(a))
    np.testing.assert_array_equal(grad(special.logsumexp)(np.full(2, -np.inf)), 0)
