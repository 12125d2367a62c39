"""Quadrature rules, polynomials as objects, and tables of functions of integer degree."""

from __future__ import annotations

import contextlib

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from degree_references import check, derivative, jacobi
from wirtinger import NotDifferentiableError, grad, gradcheck, jacobian, jvp, special

# quadrature rules: sum w x**k is the moment of the weight function


def jacobi_moment(k, a, b):
    """`int (1 + x)**k` times the weight."""
    return mp.mpf(2) ** (a + b + k + 1) * mp.beta(a + 1, b + k + 1)


@pytest.mark.parametrize("k", [0, 1, 5])
def test_moments_of_quadrature_rules(k):
    def of_jacobi(a, b):
        x, w = special.roots_jacobi(3, a, b)
        return np.sum(w * (1 + x) ** k)

    def of_laguerre(a):
        x, w = special.roots_genlaguerre(3, a)
        return np.sum(w * x**k)

    for i in (0, 1):
        check(of_jacobi, lambda a, b: jacobi_moment(k, a, b), (0.3, 1.2), i, 1e-13)
    check(of_laguerre, lambda a: mp.gamma(a + k + 1), (0.7,), 0, 1e-13)


def test_other_quadrature_rules():
    gegenbauer_rule = jvp(lambda a: special.roots_gegenbauer(4, a, True), (0.8,), (1.0,))
    same = jvp(lambda a: special.roots_jacobi(4, a - 0.5, a - 0.5, True), (0.8,), (1.0,))
    for found, expected in zip(gegenbauer_rule, same, strict=True):
        for x, y in zip(found, expected, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(jacobian(lambda q: special.roots_sh_jacobi(1, 2.0, q)[0])(1.0), [1 / 3], rtol=1e-14)
    assert special.j_roots is special.roots_jacobi


@pytest.mark.parametrize("name", ["roots_jacobi", "roots_sh_jacobi", "roots_genlaguerre", "roots_gegenbauer"])
def test_quadrature_rules_have_scipys_values(name):
    f, expected = getattr(special, name), getattr(scipy.special, name)
    args = (1.6, 0.9)[: 2 if "jacobi" in name else 1]
    found = jvp(lambda *args: f(5, *args, True), args, tuple(1.0 for _ in args))[0]
    for x, y in zip(found, expected(5, *args, True), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-12, atol=1e-15)


OBJECTS = {"jacobi": (0.4, 1.2), "sh_jacobi": (1.9, 1.2), "genlaguerre": (0.4,), "gegenbauer": (0.8,)}


@pytest.mark.parametrize("monic", [False, True])
@pytest.mark.parametrize("name", OBJECTS)
def test_polynomial_objects(name, monic):
    parameters = OBJECTS[name]

    def parts(*parameters):
        p = getattr(special, name)(3, *parameters, monic)
        return p.coeffs, np.sort(p.roots), p.weights, p.normcoef, p(0.3)

    values = jvp(parts, parameters, tuple(1.0 for _ in parameters))[0]
    expected = getattr(scipy.special, name)(3, *parameters, monic)
    expected = expected.coeffs, np.sort(expected.roots), expected.weights, expected.normcoef, expected(0.3)
    for found, exact in zip(values, expected, strict=True):
        np.testing.assert_allclose(found, exact, rtol=1e-12, atol=1e-13)
    step = 1e-5
    ahead, behind = (parts(parameters[0] + h, *parameters[1:]) for h in (step, -step))
    derivatives = jvp(lambda a: parts(a, *parameters[1:]), parameters[:1], (1.0,))[1]
    for found, x, y in zip(derivatives, ahead, behind, strict=True):
        np.testing.assert_allclose(found, (x - y) / (2 * step), rtol=1e-7, atol=1e-7)


# functions of integer degree, for a whole table of degrees

TABLES = {
    "legendre_p_all": (lambda z: special.legendre_p_all(3, z / 4, diff_n=1), "f"),
    "assoc_legendre_p_all": (lambda z: special.assoc_legendre_p_all(3, 2, z / 4), "fc"),
    "sph_legendre_p_all": (lambda t: special.sph_legendre_p_all(3, 2, t, diff_n=1), "f"),
    "sph_harm_y": (lambda t: special.sph_harm_y(3, 1, t, 2 * t, diff_n=2), "f"),
    "sph_harm_y_all": (lambda t: special.sph_harm_y_all(2, 1, t, 2 * t, diff_n=2), "f"),
    "lqn": (lambda z: special.lqn(3, z / 4), "fc"),
    "lqmn": (lambda z: special.lqmn(1, 2, z / 4), "fc"),
    "riccati_jn": (lambda x: special.riccati_jn(3, x[1]), "f"),
    "riccati_yn": (lambda x: special.riccati_yn(3, x[1]), "f"),
    "lmbda": (lambda x: special.lmbda(x[2] / 2, x[1]), "f"),
    "pbdn_seq": (lambda z: special.pbdn_seq(3, z[1]), "c"),
    "pbdn_seq, negative": (lambda z: special.pbdn_seq(-3, z[1]), "c"),
    "ellip_harm": (lambda x: special.ellip_harm(x[0], x[0] + x[1], 4, 3, x), "f"),
    "ellip_harm, root": (lambda x: special.ellip_harm(x[0], x[0] + x[1], 5, 7, x, -1, 1), "f"),
    "ellip_harm_2": (lambda x: special.ellip_harm_2(x[0], x[0] + x[1], 3, 6, x + 2), "f"),
    "ellip_normal": (lambda x: special.ellip_normal(x[0], x[:2] + x[1:], 3, 2), "f"),
    "factorial2": (lambda n: special.factorial2(n, extend="complex"), "fc"),
    "factorialk": (lambda n: special.factorialk(n, n[1] + 0.3, extend="complex"), "f"),
    "factorialk, negative": (lambda n: special.factorialk(n, -0.2 - n[1], extend="complex"), "f"),
}


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@pytest.mark.parametrize("name", TABLES)
def test_tables_and_sequences(name):
    f, kinds = TABLES[name]
    if "f" in kinds:
        assert gradcheck(f, np.array([0.7, 1.5, 2.9]))
    if "c" in kinds:
        assert gradcheck(f, np.array([0.7 + 0.2j, 1.5 - 0.3j, 2.9j + 0.1]))


PLAIN = {
    "legendre_p_all": (3, np.array([0.3, 0.7])),
    "assoc_legendre_p_all": (3, 2, np.array([0.3, 0.7])),
    "sph_legendre_p_all": (3, 2, np.array([0.3, 0.7])),
    "lqn": (3, np.array([0.3, 0.7])),
    "lqmn": (2, 3, 1.7),
    "riccati_jn": (3, 1.7),
    "riccati_yn": (3, 1.7),
    "lmbda": (2.3, 1.7),
    "pbdv_seq": (2.3, 1.7),
    "pbvv_seq": (2.3, 1.7),
    "pbdn_seq": (-3, 1.7 + 0.2j),
}


@pytest.mark.parametrize("name", PLAIN)
def test_values_are_scipys(name):
    *before, z = PLAIN[name]
    f = getattr(special, name)
    expected = getattr(scipy.special, name)(*before, z)
    traced = jvp(lambda z: f(*before, z), (z,), (np.ones_like(z),))[0]
    for found in (f(*before, z), traced):
        assert np.shape(found) == np.shape(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@pytest.mark.parametrize("n", range(5))
def test_values_of_ellipsoidal_harmonics(n):
    for p in range(1, 2 * n + 2):
        for f, args in (("ellip_harm", (2.6,)), ("ellip_harm_2", (3.5,)), ("ellip_normal", ())):
            found, _ = jvp(lambda h2, f=f, p=p, args=args: getattr(special, f)(h2, 8.0, n, p, *args), (5.0,), (1.0,))
            np.testing.assert_allclose(found, getattr(scipy.special, f)(5.0, 8.0, n, p, *args), rtol=1e-12)


def test_ellipsoidal_harmonics_say_where_they_end():
    with pytest.raises(NotDifferentiableError, match="too nearly singular"):
        grad(lambda s: special.ellip_harm_2(5.0, 8.0, 1, 1, s))(2.83)
    with pytest.raises(ValueError, match="between 1 and"):
        grad(lambda s: special.ellip_harm(5.0, 8.0, 1, 4, s))(2.83)


def test_spherical_harmonics_with_derivatives():
    theta, phi = np.array([0.4, 1.1]), np.array([0.3, 2.0])
    expected = scipy.special.sph_harm_y_all(2, 1, theta, phi, diff_n=2)
    found = jvp(lambda t: special.sph_harm_y_all(2, 1, t, phi, diff_n=2), (theta,), (np.ones(2),))[0]
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-14, atol=1e-15)


def test_third_derivatives_of_legendre_functions():
    third = grad(grad(grad(lambda z: special.assoc_legendre_p(3, 1, z)[0])))
    np.testing.assert_allclose(third(0.3), float(mp.diff(lambda x: mp.legenp(3, 1, x, type=2), 0.3, 3)), rtol=1e-11)
    with pytest.raises(NotDifferentiableError, match="singular at z = 1"):
        grad(grad(grad(lambda z: special.legendre_p(3, z)[0])))(1.0)


def test_multifactorials_need_the_extension():
    with pytest.raises(ValueError, match="extend='complex'"):
        grad(special.factorial2)(2.3)


HIGH = {
    "eval_legendre": (lambda n, x: mp.hyp2f1(-n, n + 1, 1, (1 - x) / 2), ()),
    "eval_gegenbauer": (
        lambda n, a, x: (
            mp.gammaprod([n + 2 * a], [n + 1, 2 * a]) * mp.hyp2f1(-n, n + 2 * a, a + mp.mpf(1) / 2, (1 - x) / 2)
        ),
        (1.5,),
    ),
    "eval_jacobi": (
        lambda n, a, b, x: mp.binomial(n + a, n) * mp.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2),
        (0.5, 1.25),
    ),
    "eval_laguerre": (lambda n, x: mp.hyp1f1(-n, 1, 10 * x), ()),
    "eval_chebyu": (lambda n, x: mp.sin((n + 1) * mp.acos(x)) / mp.sin(mp.acos(x)), ()),
}


@pytest.mark.parametrize("name", HIGH)
@pytest.mark.parametrize("degree", [199.5, 300.5, 999.5])
def test_high_degrees(name, degree):
    reference, parameters = HIGH[name]
    with mp.workdps(400):
        exact = float(reference(*map(mp.mpf, (degree, *parameters, 0.375))))
    x = 3.75 if name == "eval_laguerre" else 0.375
    assert abs(getattr(special, name)(degree, *parameters, x) - exact) < 1e-12 * max(abs(exact), 0.1)


FAR_OUT = {
    "eval_legendre": [(n, x) for n in (0.3, 5.0, -0.7) for x in (1e300, -1e300, np.inf, 1e300j)],
    "eval_jacobi": [(0.3, 1e9, 0.5, 0.3), (0.3, 0.5, 1e9, 0.3), (2.3, 0.4, 0.4, -1e300), (0.3, np.inf, 0.4, 0.3)],
    "eval_genlaguerre": [(0.3, 1e9, 2.0), (5.0, 0.5, 1e300), (2.3, 0.5, -1e300)],
    "besselpoly": [(np.inf, 0.5, 1.0), (-np.inf, 0.5, 1.0), (1.0, np.inf, 1.0), (1.0, 0.5, -np.inf), (1.0, 0.5, -1e9)],
}


@pytest.mark.parametrize(("name", "point"), [(name, point) for name, points in FAR_OUT.items() for point in points])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_far_out_a_derivative_ends_at_once(name, point):
    f = getattr(special, name)
    f(*point)
    for i in range(len(point)):
        with contextlib.suppress(NotDifferentiableError):
            derivative(f, point, i) if np.isreal(point[i]) else None


def test_parameters_of_polynomials_may_be_large():
    exact = float(mp.diff(lambda a: jacobi(2, a, mp.mpf("0.5"), mp.mpf("0.3")), mp.mpf(10) ** 9))
    assert abs(grad(lambda a: special.eval_jacobi(2.0, a, 0.5, 0.3))(1e9) - exact) <= 1e-13 * abs(exact)


def test_elements_are_computed_alone():
    """In pieces, sorted, in several ways: each as if it were alone."""
    random = np.random.default_rng(3)
    size = 20_000
    n = np.where(random.random(size) < 0.3, np.floor(random.uniform(0, 9, size)), random.uniform(-2, 9, size))
    a, b, x = random.uniform(-0.4, 6, size), random.uniform(-0.4, 6, size), random.uniform(-0.999, 3, size)
    chosen = random.integers(0, size, 12)
    for name, args in (("eval_jacobi", (n, a, b, x)), ("eval_genlaguerre", (n, a, 9 * x)), ("eval_legendre", (n, x))):
        f = getattr(special, name)
        for i in range(len(args)):
            value, first_derivative = jvp(
                lambda t, i=i, f=f, args=args: f(*args[:i], t, *args[i + 1 :]), (args[i],), (x * 0 + 1,)
            )
            for k in chosen:
                point = [p[k] for p in args]
                scale = abs(first_derivative[k]) + abs(value[k])
                assert abs(value[k] - f(*point)) <= 1e-12 * scale
                assert abs(first_derivative[k] - derivative(f, point, i)) <= 1e-11 * scale


def test_degrees_that_are_too_high_warn():
    with pytest.warns(RuntimeWarning, match="loses digits"):
        special.eval_legendre(2000.5, 0.3)
    assert np.isfinite(special.eval_chebyt(1e6 + 0.5, 0.3))


@pytest.mark.parametrize("n", [0, 1])
def test_second_kind_of_the_first_degrees_alone(n):
    """SciPy's are 0, and derivatives of that, beyond 1.021."""
    z = np.array([0.3, 1.01, 1.03, 3.0, -50.0])
    for found, expected in zip(special.lqn(n, z), special.lqn(3, z), strict=True):
        np.testing.assert_allclose(found, expected[: n + 1], rtol=1e-12)
    value, derivative = jvp(lambda z: special.lqn(n, z)[0][0], (3.0,), (1.0,))
    assert value == pytest.approx(np.log(2) / 2, rel=1e-14)
    assert derivative == pytest.approx(-1 / 8, rel=1e-14)
