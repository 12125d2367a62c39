"""Derivatives in the orders and parameters of Bessel, hypergeometric, zeta and Wright functions: against mp."""

from __future__ import annotations

import math
from functools import partial

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from wirtinger import NotDifferentiableError, grad, jvp, special

DIGITS = 60
STEP = mp.mpf(10) ** -15


# references of functions of real parameters and one argument


def wright(a, b, x):
    return mp.fsum(x**k * mp.rgamma(k + 1) * mp.rgamma(a * k + b) for k in range(int(3 * x + 60)))


def moment(a, lmb, nu):
    s = lmb + nu + 1
    return a**nu * mp.rgamma(nu + 1) / s * mp.hyp1f2(s / 2, s / 2 + 1, nu + 1, -a * a)


def hurwitz(s, q):
    return mp.zeta(s, q)


REFERENCES = {
    "jv": mp.besselj,
    "yv": mp.bessely,
    "iv": mp.besseli,
    "kv": mp.besselk,
    "hankel1": mp.hankel1,
    "hankel2": mp.hankel2,
    "jve": lambda v, z: mp.besselj(v, z) * mp.exp(-abs(mp.im(z))),
    "yve": lambda v, z: mp.bessely(v, z) * mp.exp(-abs(mp.im(z))),
    "ive": lambda v, z: mp.besseli(v, z) * mp.exp(-abs(mp.re(z))),
    "kve": lambda v, z: mp.besselk(v, z) * mp.exp(z),
    "hankel1e": lambda v, z: mp.hankel1(v, z) * mp.exp(-1j * z),
    "hankel2e": lambda v, z: mp.hankel2(v, z) * mp.exp(1j * z),
    "struve": mp.struveh,
    "modstruve": mp.struvel,
    "besselpoly": moment,
    "hyp0f1": mp.hyp0f1,
    "hyp1f1": mp.hyp1f1,
    "hyp2f1": mp.hyp2f1,
    "hyperu": mp.hyperu,
    "wright_bessel": wright,
    "log_wright_bessel": lambda a, b, x: mp.log(wright(a, b, x)),
    "zeta": hurwitz,
}

# ordinary points, from section 8 of the reference: error at most 1e-13; and hard ones: at most 1e-10

ARGUMENTS = [(0.7, 1.3), (-2.3, 5.2), (3.0, 0.4), (-1.0, 2.7), (7.6, 9.4), (-0.5, 8.1), (2.5, 6.3)]
COMPLEX = [(0.7, 0.6 + 1.1j), (-2.3, -5.2 - 0.8j), (3.0, 0.4 - 7.0j), (7.6, -2.0 + 9.0j), (-1.5, -4.0 + 0.0j)]
HARD = [(-19.7, 3.1), (59.6, 44.0), (33.5, 37.5), (59.6, 61.0), (-7.0, 280.0), (12.4, 1e-3), (48.2, 300.0), (0.3, 1e-6)]
HARD_COMPLEX = [(-19.7, 3.1 - 0.4j), (59.6, -44.0 + 3j), (47.1, 20.0 + 60j), (59.6, 3e2 - 1e1j), (20.4, 29.0 + 1e-3j)]

HARD_STRUVE = [(-19.7, 3.1), (59.6, 44.0), (51.3, 119.7), (-8.0, 136.0), (12.6, 223.0)]

COMPLEX_TOO = [*COMPLEX, (7.6, 9.4 + 0j), (-2.5, 1.2 + 0j)]

ORDINARY_POINTS = {
    **dict.fromkeys(("jv", "yv", "iv", "kv", "jve", "yve", "ive", "kve"), ARGUMENTS + COMPLEX),
    **dict.fromkeys(("hankel1", "hankel2", "hankel1e", "hankel2e"), COMPLEX_TOO),
    **dict.fromkeys(("struve", "modstruve"), ARGUMENTS),
    "hyp0f1": [(0.7, 1.3), (2.5, -9.0), (-1.4, 6.0), (7.1, 0.2), (0.7, 0.6 + 1.1j), (5.0, -8.0 - 3.0j)],
    "hyp1f1": [
        (0.7, 1.6, 1.3),
        (-2.6, 2.5, -4.0),
        (-3.0, 0.4, 9.0),
        (7.7, 2.7, -7.0),
        (2.0, 2.0, 5.0),
        (0.0, 1.5, 2.0),
        (4.6, 0.6, 5.0 + 8.5j),
        (-1.3, 3.2, -0.5 - 9.0j),
    ],
    "hyp2f1": [
        (0.7, -0.4, 1.6, 0.3),
        (0.7, 1.2, 2.5, -4.0),
        (7.6, 7.7, 2.1, -8.4),
        (2.0, 3.0, 4.5, -9.0),
        (1.2, 2.3, 3.5, 0.93),
        (-3.0, 1.4, 4.8, -1.8),
        (0.7, 1.2, 2.5, 0.3 + 0.4j),
        (7.4, 8.4, 2.1, 6.8 - 5.8j),
        (7.4, 4.9, 3.0, 1.6 - 0.01j),
        (1.5, 2.5, 3.1, 0.5 + 0.87j),
    ],
    "hyperu": [
        (0.7, 1.6, 1.3),
        (-2.7, 7.6, 3.2),
        (-2.0, 3.3, 4.0),
        (7.5, -2.9, 0.3),
        (0.05, -1.2, 7.7),
        (2.0, 3.0, 9.0),
    ],
    "wright_bessel": [(0.7, 1.6, 1.3), (2.0, 0.0, 4.0), (0.3, 5.0, 8.0)],
    "log_wright_bessel": [(0.7, 1.6, 1.3), (2.0, 0.3, 4.0), (0.3, 5.0, 8.0)],
    "zeta": [(1.1, 0.3), (2.0, 1.0), (4.5, 12.0)],
}
HARD_POINTS = {
    **dict.fromkeys(("jv", "yv", "ive", "kve"), HARD + HARD_COMPLEX),
    **dict.fromkeys(("iv", "kv"), HARD[:4] + HARD_COMPLEX[:2]),
    **dict.fromkeys(("hankel1e", "hankel2e"), HARD_COMPLEX),
    **dict.fromkeys(("struve", "modstruve"), HARD_STRUVE),
    "hyp0f1": [(-15.6, -0.015), (-7.995, 0.3), (59.0, -290.0), (0.3, 300.0), (31.0, 200.0 - 150.0j)],
    "hyp1f1": [
        (29.4, -14.5, -25.7),
        (88.6, 184.9, 1e-3),
        (305.0, 1.5, -140.0),
        (-19.5, 0.6, 40.0),
        (14.6, 0.03, -126.0 - 68.0j),
        (30.7, -13.02, -60.6 - 84.8j),
        (0.27, -2.77, -5.0 + 24.0j),
    ],
    "hyp2f1": [
        (19.8, 11.2, 0.09, 0.999997),
        (39.0, 29.1, 0.75, -32.2),
        (0.05, -14.9, 78.0, 0.9996),
        (2.3, 60.0, 5.5, -290.0),
        (52.3, 15.1, -7.88, -3.39 + 3.6j),
        (5.2, 5.57, 1.6, 0.77 - 0.85j),
        (7.3, 8.3, -0.4, -2.0 + 1.0j),
    ],
    "hyperu": [(-16.6, 45.3, 10.8), (0.02, 111.0, 0.11), (0.01, -16.4, 2.8), (90.0, 3.0, 0.01), (-19.9, 0.5, 250.0)],
    "wright_bessel": [(18.1, 7.1, 2.5), (0.06, 49.4, 0.9), (0.02, 0.3, 60.0)],
    "zeta": [(1.001, 0.02), (40.0, 300.0)],
}
BESSELPOLY = [(0.6, 1.7, 0.4), (5.5, 2.5, 1.7), (3.4, 3.5, 2.3), (9.0, 0.2, 7.5), (2.0, -0.3, 5.4), (30.0, 4.0, 59.0)]


def reference_derivative(f, point, orders):
    """Central differences at `DIGITS` digits."""
    i = next((i for i, n in enumerate(orders) if n), None)
    if i is None:
        return f(*point)
    lower = (*orders[:i], orders[i] - 1, *orders[i + 1 :])
    ends = [reference_derivative(f, (*point[:i], point[i] + h, *point[i + 1 :]), lower) for h in (STEP, -STEP)]
    return (ends[0] - ends[1]) / (2 * STEP)


def mixed_error(found, f, point, orders):
    """The metric of the reference: relative to the derivative and to the function over the parameter."""
    with mp.workdps(DIGITS):
        exact = tuple(mp.mpmathify(x) for x in point)
        expected = reference_derivative(f, exact, orders)
        i = next(i for i, n in enumerate(orders) if n)
        lower = reference_derivative(f, exact, (*orders[:i], orders[i] - 1, *orders[i + 1 :]))
        size = abs(expected) + abs(lower) / max(1, abs(exact[i]))
        return float(abs(mp.mpmathify(complex(found)) - expected) / size)


def derivative(f, point, *positions):
    """The mixed derivative in real arguments, forward over forward."""
    if not positions:
        return f(*point)
    i = positions[0]
    direction = np.ones_like(point[i])[()]
    return jvp(lambda x: derivative(f, (*point[:i], x, *point[i + 1 :]), *positions[1:]), (point[i],), (direction,))[1]


def cases(points):
    return [(name, point, i) for name, several in points.items() for point in several for i in range(len(point) - 1)]


@pytest.mark.parametrize(("name", "point", "i"), cases(ORDINARY_POINTS))
def test_first_derivative_at_ordinary_points(name, point, i):
    found = derivative(getattr(special, name), point, i)
    orders = tuple(int(j == i) for j in range(len(point)))
    assert mixed_error(found, REFERENCES[name], point, orders) <= 1e-13


@pytest.mark.parametrize(("name", "point", "i"), cases(HARD_POINTS))
def test_first_derivative_at_hard_points(name, point, i):
    found = derivative(getattr(special, name), point, i)
    orders = tuple(int(j == i) for j in range(len(point)))
    assert mixed_error(found, REFERENCES[name], point, orders) <= 1e-10


@pytest.mark.parametrize("point", BESSELPOLY)
@pytest.mark.parametrize("i", [1, 2])
def test_moments_of_a_bessel_function(point, i):
    orders = tuple(int(j == i) for j in range(3))
    found = derivative(special.besselpoly, point, i)
    assert mixed_error(found, moment, point, orders) <= 1e-13


def test_parameters_of_gauss_function_at_many_points():
    """Every representation takes its part of the ordinary region."""
    rng = np.random.default_rng(3)
    a, b, c = rng.uniform(-8, 8, (3, 40))
    lines = {"real": rng.uniform(-3, 0.95, 40), "complex": rng.uniform(-3, 2, 40) + 1j * rng.uniform(-2, 2, 40)}
    for z in lines.values():
        found = jvp(lambda a, z=z: special.hyp2f1(a, b, c, z), (a,), (np.ones(40),))[1]
        points = zip(*(x.tolist() for x in (a, b, c, z, found)), strict=True)
        errors = [mixed_error(first_derivative, mp.hyp2f1, point, (1, 0, 0, 0)) for *point, first_derivative in points]
        assert np.mean(np.array(errors) <= 1e-13) >= 0.95
        assert max(errors) <= 1e-11


@pytest.mark.parametrize("z", [0.8 + 0.95j, 0.5 + 0.87j, 0.8 - 0.95j, 0.62 + 1.1j])
def test_gauss_function_beyond_all_circles_of_convergence(z):
    for point in ((0.7, 1.2, 2.5, z), (5.3, -1.6, 3.4, z), (2.0, 4.0, 2.5, z)):
        for i in range(3):
            orders = tuple(int(j == i) for j in range(4))
            found = derivative(special.hyp2f1, point, i)
            assert mixed_error(found, mp.hyp2f1, point, orders) <= 1e-13


@pytest.mark.parametrize("i", [1, 2])
def test_moments_of_a_bessel_function_at_many_points(i):
    rng = np.random.default_rng(5)
    points = np.array([rng.uniform(0, 12, 30), rng.uniform(-0.5, 8, 30), rng.uniform(0, 8, 30)])
    along = [np.full(30, float(j == i)) for j in range(3)]
    found = jvp(special.besselpoly, tuple(points), tuple(along))[1]
    orders = tuple(int(j == i) for j in range(3))
    errors = [
        mixed_error(first_derivative, moment, point, orders)
        for point, first_derivative in zip(points.T.tolist(), found, strict=True)
    ]
    assert max(errors) <= 2e-14


# derivatives in the argument, differentiated in the order

ARGUMENT_DERIVATIVES = {
    "jvp": mp.besselj,
    "yvp": mp.bessely,
    "ivp": mp.besseli,
    "kvp": mp.besselk,
    "h1vp": mp.hankel1,
    "h2vp": mp.hankel2,
}


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("name", ARGUMENT_DERIVATIVES)
def test_derivative_in_the_argument_and_the_order(name, n):
    f = getattr(special, name)
    for z in (1.7, 1.2 - 0.8j):
        found = jvp(lambda v, z=z: f(v, z, n), (0.6,), (1.0,))[1]
        with mp.workdps(40):
            orders = mp.mpf(0.6) + STEP, mp.mpf(0.6) - STEP
            ends = [mp.diff(partial(ARGUMENT_DERIVATIVES[name], order), z, n) for order in orders]
            expected = complex((ends[0] - ends[1]) / (2 * STEP))
        assert found == pytest.approx(expected, rel=1e-12)


def test_derivatives_in_the_argument_are_those_of_scipy():
    z = np.array([0.4, 2.5])
    for name in ARGUMENT_DERIVATIVES:
        f, plain = getattr(special, name), getattr(scipy.special, name)
        np.testing.assert_array_equal(f([0, 1.5], z, 2), plain([0, 1.5], z, 2))
        first_derivative = grad(lambda t, f=f: np.sum(np.real(f(1.5, t))))(z)
        np.testing.assert_allclose(first_derivative, np.real(plain(1.5, z, 2)), rtol=1e-12)
        with pytest.raises(ValueError, match="non-negative"):
            grad(lambda v, f=f: f(v, 1.0, -1))(0.5)


@pytest.mark.parametrize("name", ["spherical_jn", "spherical_yn", "spherical_in", "spherical_kn"])
def test_orders_of_spherical_functions_are_integer(name):
    with pytest.raises(NotDifferentiableError, match="integer"):
        grad(lambda n: getattr(special, name)(n, 1.5))(2.0)


SECOND = {
    "jv": [(0.7, 1.3), (-2.3, 5.2)],
    "yv": [(3.0, 0.4)],
    "ive": [(-2.3, 5.2)],
    "kve": [(7.6, 9.4)],
    "struve": [(2.5, 6.3)],
    "modstruve": [(-0.5, 8.1)],
    "hyp0f1": [(2.5, -9.0), (-1.4, 6.0)],
    "hyp1f1": [(7.7, 2.7, -7.0)],
    "hyp2f1": [(0.7, 1.2, 2.5, -4.0)],
    "hyperu": [(-2.7, 7.6, 3.2)],
    "wright_bessel": [(0.7, 1.6, 1.3)],
    "log_wright_bessel": [(0.7, 1.6, 1.3)],
    "zeta": [(1.1, 0.3)],
}
PAIRS = [
    (name, point, i, j)
    for name, points in SECOND.items()
    for point in points
    for i in range(len(point) - 1)
    for j in range(i, len(point))
]


@pytest.mark.parametrize(("name", "point", "i", "j"), PAIRS)
def test_second_derivative(name, point, i, j):
    f = getattr(special, name)
    orders = tuple(int(k == i) + int(k == j) for k in range(len(point)))
    for positions in ((i, j), (j, i)):
        assert mixed_error(derivative(f, point, *positions), REFERENCES[name], point, orders) <= 1e-12


# polygamma and zeta


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("z", [0.3 + 0.1j, -7.6 + 0.2j, -3.2 - 4.0j, 12 + 40j, 1e-3 - 1e-3j, -50 + 0.01j, -2.4, 30.0])
def test_polygamma(n, z):
    with mp.workdps(30):
        expected = complex(mp.polygamma(n + 1, z))
    found = jvp(lambda z: special.polygamma(n, z), (z,), (1.0,))[1]
    assert abs(found - expected) <= 1e-14 * abs(expected)


@pytest.mark.parametrize("s", [0.5 + 14.1j, -3.5 + 2j, 1.0001, -4.0, -17.3, 0.0, 40.0, 0.2 - 150j, -80 + 2.6j])
def test_exponent_of_riemanns_zeta_function(s):
    with mp.workdps(30):
        expected, second = complex(mp.zeta(s, 1, 1)), complex(mp.zeta(s, 1, 2))
    found = derivative(special.zeta, (s,), 0), derivative(special.zeta, (s,), 0, 0)
    size = abs(expected) + abs(complex(mp.zeta(s))) / max(1, abs(s))
    assert abs(found[0] - expected) <= 1e-12 * size
    assert abs(found[1] - second) <= 1e-11 * (abs(second) + abs(expected))
    if isinstance(s, float):
        assert derivative(scipy.special.zetac, (s,), 0) == found[0]


@pytest.mark.parametrize("s", [0.0j, 1e-6 + 0j, 1e-3 + 1e-3j, -1 + 1e-5j, 0.5 + 0j])
def test_hurwitz_zeta_in_its_offset_next_to_the_pole_of_the_next_one(s):
    with mp.workdps(50):
        z, q = mp.mpc(s) + mp.mpf(10) ** -30, mp.mpf(3.25)
        first = complex(-z * mp.zeta(z + 1, q))
        mixed = complex(mp.diff(lambda s: -s * mp.zeta(s + 1, q), z))
        second = complex(z * (z + 1) * mp.zeta(z + 2, q))
    assert abs(derivative(special.zeta, (s, 3.25), 1) - first) <= 1e-14 * abs(first)
    assert abs(derivative(special.zeta, (s, 3.25), 1, 0) - mixed) <= 1e-14 * abs(mixed)
    assert abs(derivative(special.zeta, (s, 3.25), 1, 1) - second) <= 1e-14 * abs(second) + 1e-29


# limits, errors, types


def test_whole_orders():
    with mp.workdps(30):
        for n in (-3, 0, 2):
            expected = float(mp.diff(lambda v: mp.besselj(v, mp.mpf(2.5)), n))
            assert grad(lambda v: special.jv(v, 2.5))(float(n)) == pytest.approx(expected, rel=1e-13)


# at 0: value, derivative, second and third derivative

AT_ZERO = {
    "berp": (special.berp, [0, 0, 0, -3 / 8]),
    "beip": (special.beip, [0, 1 / 2, 0, 0]),
    "ber": (special.ber, [1, 0, 0, 0]),
    "bei": (special.bei, [0, 0, 1 / 2, 0]),
    "kelvin": (lambda x: special.kelvin(x)[2], [0, 1j / 2, 0, -3 / 8]),
    "j0": (special.j0, [1, 0, -1 / 2, 0]),
    "j1": (special.j1, [0, 1 / 2, 0, -3 / 8]),
    "jv of order 2": (lambda x: special.jv(2, x), [0, 0, 1 / 4, 0]),
    "iv of order -1": (lambda x: special.iv(-1, x), [0, 1 / 2, 0, 3 / 8]),
    "jve at complex 0": (lambda x: np.real(special.jve(1, x + 0j)), [0, 1 / 2, 0, -3 / 8]),
    "jv of order 0.3": (lambda x: special.jv(0.3, x), [0, np.inf, -np.inf]),
    "jve of order 0.3": (lambda x: special.jve(0.3, x), [0, np.inf, -np.inf]),
    "ive of order 0.3": (lambda x: special.ive(0.3, x), [0, np.inf]),
    "ive of order 2": (lambda x: special.ive(2, x), [0, 0, 1 / 4]),
    "struve of order 0": (lambda x: special.struve(0, x), [0, 2 / np.pi, 0, -4 / (3 * np.pi)]),
    "struve of order -1": (lambda x: special.struve(-1, x), [2 / np.pi, 0, -4 / (3 * np.pi), 0]),
    "struve of order -0.5": (lambda x: special.struve(-0.5, x), [0, np.inf, -np.inf, np.inf]),
    "modstruve of order 1": (lambda x: special.modstruve(1, x), [0, 0, 4 / (3 * np.pi), 0]),
    "it2struve0": (special.it2struve0, [np.pi / 2, -2 / np.pi, 0, 4 / (9 * np.pi)]),
    "itstruve0": (special.itstruve0, [0, 0, 2 / np.pi, 0]),
    "itj0y0": (lambda x: special.itj0y0(x)[0], [0, 1, 0, -1 / 2]),
    "it2j0y0": (lambda x: special.it2j0y0(x)[0], [0, 0, 1 / 4, 0]),
    "besselpoly of order 0": (lambda a: special.besselpoly(a, 1.0, 0.0), [1 / 2, 0, -1 / 2, 0]),
    "besselpoly of order 0.3": (lambda a: special.besselpoly(a, 1.0, 0.3), [0, np.inf, -np.inf]),
    "besselpoly, exponent": (lambda lmb: special.besselpoly(0.0, 1 + lmb, 0.0), [1 / 2, -1 / 4, 1 / 4, -3 / 8]),
    "spherical_jn": (lambda x: special.spherical_jn(2, x), [0, 0, 2 / 15, 0]),
    "riccati_jn": (lambda x: special.riccati_jn(1, x)[0][-1], [0, 0, 2 / 3, 0]),
    "riccati_jn, derivative": (lambda x: special.riccati_jn(0, x)[1][-1], [1, 0, -1, 0]),
    "lmbda of order 1": (lambda x: special.lmbda(1, x)[0][-1], [1, 0, -1 / 4, 0]),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", AT_ZERO)
def test_derivatives_at_zero(name):
    f, expected = AT_ZERO[name]
    for n, exact in enumerate(expected):
        np.testing.assert_allclose(derivative(f, (0.0,), *[0] * n), exact, rtol=1e-14, atol=1e-15)
    reverse = [grad(lambda x: np.real(f(x))), grad(grad(lambda x: np.real(f(x))))]
    for n, first_derivative in enumerate(reverse[: len(expected) - 1], 1):
        np.testing.assert_allclose(first_derivative(0.0), np.real(expected[n]), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("name", ["berp", "beip", "it2struve0", "struve", "modstruve", "besselpoly", "riccati_jn"])
def test_second_derivatives_next_to_zero(name):
    """Quotients by `x` do not lose their digits."""
    x = 3e-7
    cases = {
        "berp": (special.berp, -3 / 8 * x),
        "beip": (special.beip, -5 / 96 * x**3),
        "it2struve0": (special.it2struve0, 4 / (9 * np.pi) * x),
        "struve": (lambda x: special.struve(-1, x), -4 / (3 * np.pi)),
        "modstruve": (lambda x: special.modstruve(0, x), 4 / (3 * np.pi) * x),
        "besselpoly": (lambda a: special.besselpoly(a, 1.0, 0.0), -1 / 2),
        "riccati_jn": (lambda x: special.riccati_jn(0, x)[0][-1], -x),
    }
    f, expected = cases[name]
    assert derivative(f, (x,), 0, 0) == pytest.approx(expected, rel=1e-12)


# Struve functions of every size

STRUVE = [
    *[(0.3, 2e-9), (-1.0, 1e-5), (-4.5, 0.7), (45.0, 70.0), (43.0, 89.0), (150.0, 140.0), (239.0, 250.0)],
    *[(-24.0, 38.0), (4.0, 300.0), (7.0, 41.0), (-20.0, 41.0)],
]


@pytest.mark.parametrize("point", STRUVE)
@pytest.mark.parametrize("name", ["struve", "modstruve"])
def test_struve_functions(name, point):
    f, reference = getattr(special, name), REFERENCES[name]
    for positions in ((0,), (1,), (0, 1), (1, 1)):
        orders = positions.count(0), positions.count(1)
        assert mixed_error(derivative(f, point, *positions), reference, point, orders) <= 1e-11


def test_struve_functions_at_negative_arguments():
    x = np.array([-0.4, -8.0, -50.0])
    for name in ("struve", "modstruve"):
        f = getattr(special, name)
        for v in (-1.0, 2.0):
            sign = (-1) ** (v + 1)
            for n in (1, 2):
                found, mirrored = (derivative(f, (v, y), *[1] * n) for y in (x, -x))
                np.testing.assert_array_equal(found, sign * (-1) ** n * mirrored)


def test_at_zero():
    first_derivative = grad(lambda v: np.sum(special.jv(v, 0.0)))(np.array([0.5, 2.0]))
    np.testing.assert_array_equal(first_derivative, 0)
    np.testing.assert_array_equal(grad(lambda v: np.sum(special.iv(v, 0.0)))(np.array([0.5, 2.0])), 0)
    assert derivative(special.hyp1f1, (0.7, 1.6, 0.0), 0) == 0
    assert derivative(special.hyp2f1, (0.7, 1.6, 2.0, 0.0), 2) == 0
    assert derivative(special.wright_bessel, (0.7, 1.0, 0.0), 1) == pytest.approx(np.euler_gamma, rel=1e-14)


@pytest.mark.parametrize("name", ["jv", "yv", "iv", "kv", "jve", "struve", "modstruve"])
def test_negative_argument_of_a_real_function(name):
    with pytest.raises(NotDifferentiableError, match=r"at negative (real z|x)"):
        grad(lambda v: getattr(special, name)(v, -1.5))(2.0)


def test_complex_argument_on_the_cut():
    with mp.workdps(30):
        expected = complex(mp.diff(lambda v: mp.bessely(v, mp.mpf(-1.5)), mp.mpf(0.3)))
    assert derivative(special.yv, (0.3, -1.5 + 0j), 0) == pytest.approx(expected, rel=1e-13)


def test_polynomials_are_differentiated_in_their_other_parameters():
    """A terminating series has derivatives where the general function has none."""
    found = derivative(special.hyp2f1, (-2.0, 1.5, 2.5, 3.0), 1)
    b, c, z = 1.5, 2.5, 3.0
    assert found == pytest.approx(-2 * z / c + (2 * b + 1) * z * z / (c * (c + 1)), rel=1e-14)
    assert derivative(special.hyperu, (-1.0, 2.0, 3.0), 1) == pytest.approx(-1, rel=1e-14)


@pytest.mark.filterwarnings("ignore:.*SciPy's value may be wrong:scipy.special.SpecialFunctionWarning")
def test_a_derivative_that_would_lose_its_digits_says_so():
    lost = {"hyp2f1": (152.3, 95.1, -47.88, -3.39 + 3.6j), "hyp1f1": (130.7, -53.02, -60.6 - 84.8j)}
    for name, point in lost.items():
        with pytest.warns(scipy.special.SpecialFunctionWarning, match=f"{name}: a derivative in a parameter"):
            assert np.isnan(derivative(getattr(special, name), point, 0))


@pytest.mark.parametrize(
    ("a", "b", "x"),
    [(2.0, -3e53, 1.0), (0.5, -3e53, 2.0), (-1.7, -2e15, 3e15), (9.5, -1.1e15, 1e-12), (3.3, -4e17, 1e20)],
)
def test_tricomis_function_at_large_negative_b(a, b, x):
    """`y**-a (1 + a (a + 1) s / (2 y**2))` in 80 digits, where what is left out is below 1e-26 (Watson's lemma)."""

    def expansion(a, b, x):
        s = a + 1 - b
        return (s + x) ** -a * (1 + a * (a + 1) * s / (2 * (s + x) ** 2))

    point = a, b, x
    assert special.hyperu(*point) == pytest.approx(float(expansion(*map(mp.mpf, point))), rel=1e-13)
    with mp.workdps(200):
        for i in range(3):
            expected = mp.diff(lambda t, i=i: expansion(*map(mp.mpf, (*point[:i], t, *point[i + 1 :]))), point[i])
            assert derivative(special.hyperu, point, i) == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("name", ["jv", "hyp1f1", "hyperu", "struve"])
def test_single_precision(name):
    f = getattr(special, name)
    point = [np.float32(x) for x in (0.7, 1.6, 1.3)[-f.nin :]]
    first_derivative = derivative(f, point, 0)
    assert first_derivative.dtype == np.float32
    np.testing.assert_allclose(first_derivative, derivative(f, [np.float64(x) for x in point], 0), rtol=1e-6)


@pytest.mark.parametrize("name", ["jv", "hankel1", "hyp2f1", "hyperu", "wright_bessel", "struve", "besselpoly"])
def test_shapes(name):
    f = getattr(special, name)
    args = [0.4] * f.nin
    args[0] = np.linspace(0.5, 2.5, 5001)
    args[-1] = np.array([[0.3], [0.6]])
    first_derivative = grad(lambda v: np.sum(np.real(f(v, *args[1:]))))(args[0])
    each = [grad(lambda v, z=z: np.real(f(v, *args[1:-1], z)))(args[0][4567]) for z in (0.3, 0.6)]
    assert first_derivative[4567] == pytest.approx(math.fsum(each), rel=1e-13)
    empty = grad(lambda v: np.sum(np.real(f(v, *args[1:-1], 0.3))))(np.zeros((0, 3)))
    assert empty.shape == (0, 3)


# better values than SciPy's

VALUES = {
    "hyperu": (
        mp.hyperu,
        [(0.7, 1.6, 1.3), (-2.7, 7.6, 3.2), (1.3, 2.1, 11.0), (-16.6, 45.3, 10.8), (5.2, -0.4, 30.0)],
    ),
    "ker": (lambda x: mp.ker(0, x), [(0.4,), (9.0,), (12.0,)]),
    "kei": (lambda x: mp.kei(0, x), [(0.4,), (9.0,), (12.0,)]),
    "kerp": (lambda x: mp.diff(lambda t: mp.ker(0, t), x), [(9.0,)]),
    "keip": (lambda x: mp.diff(lambda t: mp.kei(0, t), x), [(9.0,)]),
    "itstruve0": (lambda x: x * x / mp.pi * mp.hyper([1, 1], [1.5, 1.5, 2], -x * x / 4), [(3.0,), (18.0,), (150.0,)]),
    "itmodstruve0": (lambda x: x * x / mp.pi * mp.hyper([1, 1], [1.5, 1.5, 2], x * x / 4), [(3.0,), (24.0,), (-24.0,)]),
    "it2struve0": (
        lambda x: mp.pi / 2 - 2 / mp.pi * x * mp.hyper([0.5, 1], [1.5, 1.5, 1.5], -x * x / 4),
        [(3.0,), (24.0,), (150.0,)],
    ),
}
OUTPUTS = {
    "itj0y0": (0, lambda x: x * mp.hyp1f2(0.5, 1, 1.5, -x * x / 4), [9.0, 18.0, 60.0]),
    "iti0k0": (0, lambda x: x * mp.hyp1f2(0.5, 1, 1.5, x * x / 4), [16.0, 21.0, 60.0]),
    "it2i0k0": (1, lambda x: mp.quad(lambda u: mp.e1(x * mp.cosh(u)), [0, 1, 2, 4]), [6.0, 9.0, 14.0]),
    "itairy": (0, lambda x: mp.quad(mp.airyai, mp.linspace(0, x, 8)), [4.5, 8.5]),
    "modfresnelp": (0, lambda x: mp.sqrt(mp.pi) / 2 * mp.expjpi(0.25) * mp.erfc(x * mp.expjpi(-0.25)), [-0.5, -3.0]),
    "modfresnelm": (0, lambda x: mp.sqrt(mp.pi) / 2 * mp.expjpi(-0.25) * mp.erfc(x * mp.expjpi(0.25)), [-0.5, -3.0]),
}


COMPLEX_VALUES = {
    "hyp1f1": [(5.6, 3.04, 1.42 - 22.96j), (0.73, 7.27, 20.2 + 31.9j), (2.3, 1.75, -15.0 + 25.0j)],
    "hyp2f1": [
        (5.2, 5.57, 1.6, 0.77 - 0.85j),
        (7.07, 8.46, -2.85, -0.98 + 0.63j),
        (8.2, 8.8, 0.93, 0.65 + 1.08j),
        (7.0, 8.0, 1.5, -1.0 + 0.84j),
    ],
}


@pytest.mark.parametrize(("name", "point"), [(name, p) for name, points in COMPLEX_VALUES.items() for p in points])
def test_better_values_and_derivatives_of_complex_functions(name, point):
    with mp.workdps(30):
        exact = [mp.mpmathify(x) for x in point]
        value, first_derivative = (
            complex(mp.diff(lambda z: REFERENCES[name](*exact[:-1], z), exact[-1], n)) for n in (0, 1)
        )
    found = getattr(special, name)(*point[:-1], np.array([point[-1]]))
    np.testing.assert_allclose(found, [value], rtol=1e-12)
    assert derivative(getattr(special, name), point, len(point) - 1) == pytest.approx(first_derivative, rel=1e-12)


@pytest.mark.parametrize(("name", "point"), [(name, p) for name, (_, points) in VALUES.items() for p in points])
def test_value(name, point):
    with mp.workdps(DIGITS):
        expected = float(VALUES[name][0](*map(mp.mpf, point)))
    assert getattr(special, name)(*point) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(("name", "x"), [(name, x) for name, (_, _, points) in OUTPUTS.items() for x in points])
def test_value_of_an_output(name, x):
    k, reference, _ = OUTPUTS[name]
    with mp.workdps(30):
        expected = complex(reference(mp.mpf(x)))
    f = getattr(special, name)
    assert abs(f(x)[k] - expected) <= 1e-13 * abs(expected)
    assert jvp(f, (x,), (1.0,))[0][k] == f(x)[k]
    out = [np.zeros(1, w.dtype) for w in f(np.array([x]))]
    assert f(np.array([x]), out=tuple(out))[k] is out[k]
    assert out[k][0] == f(x)[k]


def test_better_values_are_called_as_the_ufunc_is():
    x, target = np.array([9.0, 12.0]), np.zeros(2)
    assert special.kei(x, out=target) is target
    np.testing.assert_array_equal(target, special.kei(x))
    np.testing.assert_allclose(special.kei(x, where=[True, False], out=np.zeros(2)), [special.kei(9.0), 0])
    assert special.kei(x.astype(np.float32)).dtype == np.float32
    assert special.hyperu(1, 2, 3) == pytest.approx(1 / 3)
    assert special.hyperu(1.0, 1.0, 0.0) == np.inf
    assert np.isnan(special.hyperu(np.nan, 1.0, 2.0))
    assert grad(lambda x: special.kei(x))(9.0) == pytest.approx(special.keip(9.0), rel=1e-9)
