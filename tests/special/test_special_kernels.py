"""The fast kernels under the special functions, against mpmath and against slower ways."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special
from numpy.testing import assert_allclose

from wirtinger import NotDifferentiableError, grad, jvp, special
from wirtinger.special.bessel.airy.airy_scaled import better_airye
from wirtinger.special.bessel.bessel_large_order import cylinder_pair
from wirtinger.special.bessel.debye import uniform_first, uniform_second
from wirtinger.special.bessel.macdonald import lowest_orders
from wirtinger.special.bessel.struve_zero import modstruve0, struve0
from wirtinger.special.elliptic.carlson import carlson_integral
from wirtinger.special.elliptic.elliptic import complete_last, complete_middle
from wirtinger.special.numerics.polygamma_values import polygamma_value

TURNS = (1.0, 1j, 0.6 - 0.8j)


@pytest.mark.parametrize("v", [0.0, 1e-9, -0.2, 0.37, 0.5, -0.5])
@pytest.mark.parametrize("modulus", [1e-100, 1e-3, 0.99, 1.0, 3.0, 1e5])
def test_macdonald_functions_of_the_lowest_orders(v, modulus):
    for turn in TURNS:
        s = modulus * turn
        jets = lowest_orders(np.array([v]), np.array([s]), 1)
        for jet, order in zip(jets, (v, v + 1), strict=True):
            with mp.workdps(40):
                found, derivative = jet.coefficients[(0,)][0], jet.coefficients[(1,)][0]
                exact = mp.exp(s) * mp.besselk(order, s)
                rounding = 1e-14 * (1 + abs(mp.log(modulus)) / 10)
                assert abs(found / exact - 1) < rounding
                step = mp.mpf(10) ** -12
                ahead, behind = (mp.exp(s) * mp.besselk(order + h, s) for h in (step, -step))
                exact_derivative = (ahead - behind) / (2 * step)
                assert abs(derivative - exact_derivative) < 2 * rounding * (abs(exact_derivative) + abs(exact))


def test_infinite_and_nearly_zero_arguments_of_macdonald_functions():
    first, second = lowest_orders(np.array([0.3, 0.3]), np.array([np.inf, 1e-300]), 0)
    assert_allclose(first.value, [0, np.inf])
    assert_allclose(second.value, [0, np.inf])


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_polygamma_by_the_expansion(n):
    x = np.concatenate([10.0 ** np.arange(-6, 9), [0.5, 1.0, 1.5, 7.9, 8.1]])
    exact = [float(mp.polygamma(n, t)) for t in x]
    assert_allclose(polygamma_value(x, n), exact, rtol=3e-15)
    assert polygamma_value(np.array([np.inf, 0.0]), 1).tolist() == [0.0, np.inf]


@pytest.mark.parametrize(
    ("function", "carlson"),
    [(complete_last, lambda p: mp.elliprd(0, 1, p)), (complete_middle, lambda p: mp.elliprd(0, p, 1))],
)
def test_complete_elliptic_integrals(function, carlson):
    p = np.concatenate([10.0 ** np.arange(-12, 13, 3), [0.899, 0.901, 1 - 1e-9, 1.1, 1.101]])
    assert_allclose(function(p), [float(carlson(t)) for t in p], rtol=2e-14)
    assert_allclose(function(np.array([np.inf, 0.0])), [0.0, np.inf])
    derivative = grad(lambda p: np.sum(function(p)))(p)
    assert_allclose(derivative, [float(mp.diff(carlson, t, h=t * 1e-6)) for t in p], rtol=1e-9)


@pytest.mark.parametrize("gap", [0.0, 1e-12, 1e-3, 0.0099, 0.0101, 0.3])
def test_derivatives_of_carlson_integrals_at_nearly_equal_arguments(gap):
    x, y, z, p = 1.7, 0.4, 1.7 * (1 + gap), 1.7 * (1 - gap)
    found = [grad(special.elliprd, i)(x, y, z) for i in range(3)]
    powers = [(3, 1, 3), (1, 3, 3), (1, 1, 5)]
    expected = [-3 / 4 * (3 if i == 2 else 1) * carlson_integral(x, y, z, powers=k) for i, k in enumerate(powers)]
    assert_allclose(found, expected, rtol=3e-14)
    found = [grad(special.elliprj, i)(x, y, z, p) for i in (0, 3)]
    powers = [(3, 1, 1, 2), (1, 1, 1, 4)]
    expected = [w * carlson_integral(x, y, z, p, powers=k) for w, k in zip((-3 / 4, -3 / 2), powers, strict=True)]
    assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize("x", [0.0, 1e-8, -3.0, 4.99, 5.0, -12.0, 39.9, 40.1, 300.0])
def test_struve_functions_of_order_0(x):
    exact = float(mp.struveh(0, x)), float(mp.struvel(0, x))
    assert_allclose(struve0(np.float64(x)), exact[0], rtol=1e-13, atol=1e-15)
    assert_allclose(modstruve0(np.float64(x)), exact[1], rtol=1e-13)
    assert_allclose(grad(struve0)(np.float64(x)), scipy.special.struve(-1, x), rtol=1e-13)


def coefficients(function, v):
    """A function and its derivative in the order."""
    with mp.workdps(40):
        step = mp.mpf(10) ** -13
        return function(mp.mpf(v)), (function(v + step) - function(v - step)) / (2 * step)


@pytest.mark.parametrize("v", [100.3, 1000.3])
@pytest.mark.parametrize("spread", [-20.0, -9.5, -1.6, -1.0, 0.0, 4.9, 5.1, 30.0])
def test_cylinder_functions_of_large_order(v, spread):
    x = v + spread * v ** (1 / 3)
    j, j_derivative, y, y_derivative = (c[0] for c in cylinder_pair(np.array([v]), np.array([x]), 1))
    for found, function in (((j, j_derivative), mp.besselj), ((y, y_derivative), mp.bessely)):
        value, derivative = coefficients(lambda order, f=function: f(order, mp.mpf(x)), v)
        with mp.workdps(40):
            amplitude = mp.hypot(value, mp.bessely(v, x)) if spread > 0 else abs(value)
        assert abs(found[0] - value) < 3e-13 * amplitude
        assert abs(found[1] - derivative) < 3e-13 * (abs(derivative) + amplitude)


LARGE = [(100.2, 0.5), (100.2, 90.0), (100.2, 1e4), (1000.3, 1000.0)]


@pytest.mark.parametrize(("v", "s"), [*LARGE, (0.0, 32.0), (0.3, 44.0), (25.0, 20.1), (32.1, 0.01), (45.0, 41.0)])
def test_modified_functions_of_large_order_or_argument(v, s):
    for kernel, function, sign in ((uniform_first, mp.besseli, -1), (uniform_second, mp.besselk, 1)):
        found = [c[0] for c in kernel(np.array([v]), np.array([s]), 1, 0.0)]
        exact = coefficients(lambda order, f=function, e=sign: f(order, mp.mpf(s)) * mp.exp(e * s), v)
        if abs(exact[0]) < 1e300:
            assert_allclose(found, [float(c) for c in exact], rtol=3e-13, atol=1e-25)


def test_orders_and_arguments_without_bound():
    assert grad(special.jv, 0)(3000.5, 1000.0) == 0
    assert grad(special.ive, 0)(400.5, 45.0) == 0
    assert grad(special.jv, 0)(1e300, 1.0) == 0
    v = 1e9  # DLMF 10.19.8 at the turning point: J ~ cbrt(2 / v) Ai(0), dJ / dv ~ cbrt(4 / v**2) Ai'(0)
    assert_allclose(special.jv(v, v), (2 / v) ** (1 / 3) * scipy.special.airy(0)[0], rtol=1e-6)
    assert_allclose(grad(special.jv, 0)(v, v), (2 / v) ** (2 / 3) * scipy.special.airy(0)[1], rtol=1e-6)
    with pytest.raises(NotDifferentiableError, match="too many steps"):
        grad(lambda v: np.real(special.jv(v, 5e4 + 10j)))(5e4)


def test_hypergeometric_functions_at_their_ends():
    for i in range(3):
        assert grad(special.hyp2f1, i)(0.3, 0.4, 1.2, -np.inf) == 0
    a, b = 0.7, -1.4
    with mp.workdps(30):
        derivatives = [
            mp.diff(lambda t: mp.gamma(1 - b) / mp.gamma(t - b + 1), a),
            mp.diff(lambda t: mp.gamma(1 - t) / mp.gamma(a - t + 1), b),
        ]
    assert_allclose([grad(special.hyperu, i)(a, b, 0.0) for i in range(2)], [float(x) for x in derivatives], rtol=1e-14)


@pytest.mark.parametrize("z", [1.9, 2.5 + 0.3j, -4.2 + 1.4j, -4.2 - 1.4j, -3.0 + 0j, 0.9 - 4.6j])
def test_scaled_airy_functions(z):
    z = np.asarray(z)
    found = better_airye(*scipy.special.airye(z)[:2], z)
    with mp.workdps(30):
        scale = mp.exp(mp.mpf(2) / 3 * z.item() * mp.sqrt(z.item()))
        exact = [scale * mp.airyai(z.item(), k) for k in range(2)]
    assert_allclose(found, [complex(w) for w in exact], rtol=4e-15)


def test_prolate_functions_next_to_their_pole():
    c, x = 25.0, 0.93
    value = scipy.special.pro_cv(0, 2, c)
    w, derivative = special.pro_ang1(0, 2, c, x)
    second = jvp(lambda t: special.pro_ang1(0, 2, c, t)[1], (x,), (1.0,))[1]
    h = 1e-4
    near = [special.pro_ang1(0, 2, c, x + k * h)[0] for k in (-2, -1, 1, 2)]
    assert_allclose((near[0] - 8 * near[1] + 8 * near[2] - near[3]) / (12 * h), derivative, rtol=1e-9)
    assert_allclose(
        (1 - x * x) * second - 2 * x * derivative + (value - c * c * x * x) * w, 0, atol=1e-10 * abs(second)
    )
