"""The fast kernels under the special functions, against mpmath and against slower ways."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special
from numpy.testing import assert_allclose

from wirtinger import grad, special
from wirtinger.special.carlson import carlson_integral
from wirtinger.special.elliptic import complete_last, complete_middle
from wirtinger.special.macdonald import lowest_orders
from wirtinger.special.polygamma_values import polygamma_value
from wirtinger.special.struve_zero import modstruve0, struve0

TURNS = (1.0, 1j, 0.6 - 0.8j)


@pytest.mark.parametrize("v", [0.0, 1e-9, -0.2, 0.37, 0.5, -0.5])
@pytest.mark.parametrize("modulus", [1e-100, 1e-3, 0.99, 1.0, 3.0, 1e5])
def test_macdonald_functions_of_the_lowest_orders(v, modulus):
    for turn in TURNS:
        s = modulus * turn
        jets = lowest_orders(np.array([v]), np.array([s]), 1)
        for jet, order in zip(jets, (v, v + 1), strict=True):
            with mp.workdps(40):
                found, slope = jet.coefficients[(0,)][0], jet.coefficients[(1,)][0]
                exact = mp.exp(s) * mp.besselk(order, s)
                rounding = 1e-14 * (1 + abs(mp.log(modulus)) / 10)
                assert abs(found / exact - 1) < rounding
                step = mp.mpf(10) ** -12
                ahead, behind = (mp.exp(s) * mp.besselk(order + h, s) for h in (step, -step))
                exact_slope = (ahead - behind) / (2 * step)
                assert abs(slope - exact_slope) < 2 * rounding * (abs(exact_slope) + abs(exact))


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
    slope = grad(lambda p: np.sum(function(p)))(p)
    assert_allclose(slope, [float(mp.diff(carlson, t, h=t * 1e-6)) for t in p], rtol=1e-9)


@pytest.mark.parametrize("gap", [0.0, 1e-12, 1e-3, 0.0099, 0.0101, 0.3])
def test_slopes_of_carlson_integrals_at_nearly_equal_arguments(gap):
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
