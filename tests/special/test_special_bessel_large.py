"""Bessel functions of large arguments and of high complex orders, and next to negative integer orders."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from bessel_references import along
from wirtinger import grad, jvp, special
from wirtinger.special.bessel.bessel_zeros import jnjnp_zeros

# the constants are computed with Arb, python-flint

FAR = [
    ("k0e", (91226545.9,), [-7.191973752798562e-13, 1.1825462088041401e-20]),
    ("k1e", (300000.0,), [-3.813727771666389e-09, 1.9068686529584797e-14]),
    ("i0e", (4031980.0,), [-2.4637835813536206e-11, 9.165907571908072e-18]),
    ("i0e", (-4031980.0,), [2.4637835813536206e-11, 9.165907571908072e-18]),
    ("i1e", (40601321.0,), [-7.710274005867998e-13, 2.8485306660741853e-20]),
    ("i1e", (-40601321.0,), [-7.710274005867998e-13, -2.8485306660741853e-20]),
    ("ive", (118.875, 98790572.0), [-2.031017349984921e-13, 3.0833814870000676e-21, 7.332487647107623e-19]),
    ("ive", (-14.0, 41.0), [0.0002603529812596332, -2.2121144758787044e-06, 4.243307170933516e-05]),
    ("kve", (116.5, 4348.5), [-4.2855985723674575e-05, 3.7615148121737386e-08, -1.7049317311612456e-06]),
    (
        "kve",
        (2.5, -30000 + 200000j),
        [
            5.830392067930724e-09 + 3.6717828504832815e-09j,
            -2.0516072186959893e-14 + 4.6805966905064394e-14j,
            1.0259357363503068e-13 - 2.340262592023937e-13j,
        ],
    ),
    (
        "hankel1e",
        (56.75, 41729177.0),
        [
            5.661983627008745e-13 + 1.3673714384333345e-12j,
            -2.034881406386577e-20 - 4.915320298683241e-20j,
            2.147856454264001e-12 - 8.893799980597979e-13j,
        ],
    ),
]


@pytest.mark.parametrize(("name", "point", "expected"), FAR)
def test_derivatives_of_scaled_functions_far_out(name, point, expected):
    f, last = getattr(special, name), len(point) - 1
    found = [along(f, point, last), along(f, point, last, last), *([along(f, point, last, 0)] if last else [])]
    for x, y in zip(found, expected, strict=True):
        assert abs(x - y) <= 3e-12 * abs(y)
    if last:
        assert abs(along(f, point, 0, last) - expected[2]) <= 3e-12 * abs(expected[2])


@pytest.mark.parametrize(
    ("k", "z", "first_derivative", "curvature"),
    [
        (0, 6612.25, -1.1827634791250302e-06, 2.2359286822730786e-10),
        (0, 73470.0, -5.8303887229751325e-08, 9.919675491353518e-13),
        (1, 73470.0, -1.5803472712044483e-05, 1.61325761073388e-10),
        (2, 92379.5, -8.757811118857612e-08, 1.185031770005884e-12),
        (3, 21989.75, 7.810879726367444e-05, -2.6640422991142084e-09),
        (
            0,
            366.5 + 239.75j,
            -2.636834035994641e-05 + 2.331680387293692e-05j,
            2.655485101256188e-08 - 9.688494269788912e-08j,
        ),
        (
            1,
            -239.5 - 249.25j,
            0.00015874929087460936 - 0.0008653666339570824j,
            -1.1153415774591762e-06 - 1.549704475543135e-06j,
        ),
    ],
)
def test_derivatives_of_scaled_airy_functions_far_out(k, z, first_derivative, curvature):
    def f(z):
        return special.airye(z)[k]

    assert abs(along(f, (z,), 0) - first_derivative) <= 1e-12 * abs(first_derivative)
    assert abs(along(f, (z,), 0, 0) - curvature) <= 1e-11 * abs(curvature)


HIGH = [
    (
        "kve",
        139.4,
        -64.8 + 154.2j,
        1.7375742424734797e-13 + 3.749681464288521e-13j,
        2.1601186715356903e-13 - 2.9960669178825755e-13j,
        1.563510917645578e-13 + 2.785577463742267e-14j,
    ),
    (
        "kve",
        116.125,
        -5859 - 29350j,
        0.0031144312857086685 + 0.006193032176617429j,
        None,
        1.1539493150962565e-07 + 2.127422005193886e-08j,
    ),
    (
        "hankel1e",
        199.6,
        -279.5 - 119.5j,
        -2.6285982021150965e-14 + 2.223701038110369e-15j,
        1.3014519752789568e-14 + 5.676207882459644e-14j,
        5.060286410911743e-15 + 3.388596677832757e-15j,
    ),
    (
        "hankel2e",
        85.95,
        302.25 + 134.75j,
        0.0004230700884473208 - 0.00013267702861094902j,
        0.0001309388495828397 + 0.0005780784811610785j,
        1.3337782015792603e-05 + 6.5905663262722e-06j,
    ),
    (
        "yve",
        111.25,
        322.75 + 0.0625j,
        -0.0034127267872975163 - 0.0025196039991362443j,
        0.05241139598024859 - 0.00024797842816192854j,
        None,
    ),
    (
        "jve",
        -118.75,
        94.5 - 33.5j,
        7.902111292945187e-17 - 8.000309697292596e-18j,
        4.698046182786241e-16 - 8.732963009660988e-18j,
        None,
    ),
    (
        "ive",
        -128.75,
        -0.25 + 128.25j,
        0.012672552778096065 - 0.046579280875650664j,
        0.2231905532276991 - 0.3563099122614025j,
        None,
    ),
]


@pytest.mark.parametrize(("name", "v", "z", "value", "of_order", "first_derivative"), HIGH)
def test_scaled_functions_of_high_order_and_complex_argument(name, v, z, value, of_order, first_derivative):
    f, scipys = getattr(special, name), getattr(scipy.special, name)
    assert abs(scipys(v, z) - value) > 0.5 * abs(value), "SciPy's is right: so much the better"
    assert abs(f(v, z) - value) <= 1e-11 * abs(value)
    assert f(np.array([v, 1.0]), z)[0] == f(v, z)
    assert f(np.array([v, 1.0]), z)[1] == scipys(1.0, z)
    if of_order is not None:
        assert abs(along(f, (v, z), 0) - of_order) <= 1e-11 * abs(of_order)
    if first_derivative is not None:
        assert abs(along(f, (v, z), 1) - first_derivative) <= 1e-10 * abs(first_derivative)
        assert abs(along(scipys, (v, z), 1) - first_derivative) <= 1e-10 * abs(first_derivative)


def test_an_order_too_high_for_a_complex_argument_is_nan_with_a_warning():
    with pytest.warns(scipy.special.SpecialFunctionWarning, match="a value is NaN"):
        assert np.isnan(special.kve(20636.0, -1938.0 + 30825.0j))


@pytest.mark.parametrize(
    ("name", "v", "z", "expected"),
    [
        (
            "jv",
            46.29352938220408,
            506.72544718491713 - 456.54212075006825j,
            1.4134467090204328e196 - 5.704837081534557e195j,
        ),
        (
            "kv",
            113.03263668514592,
            -209.09888411818199 - 586.6841613073493j,
            -1.285585020363802e87 + 1.3409289370578165e87j,
        ),
        (
            "iv",
            201.89281363923075,
            -293.5580971607693 + 50.56975151167193j,
            -8.402653202356747e97 - 5.64593487289716e96j,
        ),
        (
            "jv",
            -237.80429248482463,
            -259.44665053873604 + 53.64234251877749j,
            -1716428072.481664 - 1548318420.6685038j,
        ),
        ("iv", 250.25, 300.5 - 200.25j, -1.1888320055533724e97 - 9.573288738914212e96j),
    ],
)
def test_orders_whose_recurrence_downwards_overflows(name, v, z, expected):
    assert abs(along(getattr(special, name), (v, z), 0) - expected) <= 1e-11 * abs(expected)


@pytest.mark.parametrize(
    ("name", "v", "z", "first_derivative", "curvature"),
    [
        ("jv", -6.00000000000001, 0.015625, -1980.0161133428473, 887045.1562618613),
        ("iv", -7.99999999999999, 0.5, 5.129407589677199e-05, -0.0009244711433985237),
        ("ive", -24.99999999999999, 2.75, -1382728.3794584924, 14479559.545622746),
        ("jve", -3.99999999999999, 0.125, 2.044982675974876e-05, 0.00048218524622295174),
    ],
)
def test_derivatives_next_to_negative_whole_orders(name, v, z, first_derivative, curvature):
    f = getattr(special, name)
    assert along(f, (v, z), 1) == pytest.approx(first_derivative, rel=1e-12)
    assert along(f, (v, z), 1, 1) == pytest.approx(curvature, rel=1e-12)


def test_an_even_integral_left_of_0():
    x = np.array([-82.47669243025759, -5.0, -20.5])
    found = special.it2i0k0(x)
    np.testing.assert_array_equal(found[0], special.it2i0k0(-x)[0])
    assert np.all(np.isnan(found[1]))
    assert special.it2i0k0(x[0])[0] == pytest.approx(3.5836820914075463e32, rel=1e-14)


@pytest.mark.parametrize("name", ["hankel1", "hankel1e", "hankel2", "hankel2e", "kv", "yve"])
def test_no_number_has_no_derivative_either(name):
    f = getattr(special, name)
    assert np.isnan(grad(lambda v: np.real(f(v, np.nan + 0j)))(np.nan))


@pytest.mark.parametrize("x", [np.nan, np.inf, -np.inf, 1e300, 1e19])
def test_lambda_functions_that_scipy_cannot_compute(x):
    with pytest.warns(scipy.special.SpecialFunctionWarning, match="are NaN"):
        values, derivatives = special.lmbda(2.3, x)
    assert values.shape == derivatives.shape == scipy.special.lmbda(2.3, 1.0)[0].shape
    assert np.all(np.isnan([values, derivatives]))


@pytest.mark.parametrize("name", ["riccati_jn", "riccati_yn"])
def test_riccati_functions_of_no_number(name):
    values, derivatives = getattr(special, name)(3, np.nan)
    assert values.shape == derivatives.shape == (4,)
    assert np.all(np.isnan([values, derivatives]))


def scaled_first_derivative(name, v, z):
    """DLMF 10.6.1 and 10.29.1 in 60 digits."""
    f, sign, rate = {
        "ive": (mp.besseli, 1, -1),
        "kve": (mp.besselk, -1, 1),
        "hankel1e": (mp.hankel1, 0, -1j),
        "hankel2e": (mp.hankel2, 0, 1j),
    }[name]
    below, above = f(v - 1, z), f(v + 1, z)
    first_derivative = sign * (below + above) / 2 if sign else (below - above) / 2
    return complex(mp.exp(rate * z) * (first_derivative + rate * f(v, z)))


FAR_DERIVATIVES = [
    *((name, v, x) for name in ("ive", "kve") for v, x in ((0.01, 40.0), (-19.7, 41.0), (2.3, 900.0), (60.1, 130.0))),
    *(("kve", v, z) for v, z in ((0.4, 30 - 45j), (17.3, -1 + 40j), (3.7, -30 + 35j))),
    *((name, v, z) for name in ("hankel1e", "hankel2e") for v, z in ((0.3, 50 + 1j), (11.2, 44 - 5j))),
]


@pytest.mark.parametrize(("name", "v", "z"), FAR_DERIVATIVES)
def test_derivatives_of_scaled_functions_are_those_of_sixty_digits(name, v, z):
    """Of numbers and of arrays, where they are much smaller than the functions."""
    f = getattr(special, name)
    with mp.workdps(60):
        expected = scaled_first_derivative(name, v, mp.mpmathify(z))
    for point in (z, np.full(20, z)):
        found = jvp(lambda z: f(v, z), (point,), (np.ones_like(point),))[1]
        np.testing.assert_allclose(found, np.full_like(point, expected if np.iscomplexobj(z) else expected.real), 2e-13)


@pytest.mark.parametrize("x", [1.04e6, 2.3e6, 1e9])
def test_scaled_airy_functions_beyond_the_domain_of_scipy(x):
    """They and their derivatives beside 60 digits; SciPy has NaN beyond 1.05e6."""
    with mp.workdps(60):
        airy = [mp.airyai(x), mp.airyai(x, derivative=1), mp.airybi(x), mp.airybi(x, derivative=1)]
        root, exponent = mp.sqrt(x), mp.mpf(x) ** 1.5 * 2 / 3
        rates = [airy[1] + root * airy[0], x * airy[0] + root * airy[1]]
        rates += [airy[3] - root * airy[2], x * airy[2] - root * airy[3]]
        scales = [mp.exp(exponent)] * 2 + [mp.exp(-exponent)] * 2
        values, derivatives = ([float(a * s) for a, s in zip(row, scales, strict=True)] for row in (airy, rates))
    found = jvp(special.airye, (np.array([x, x]),), (np.ones(2),))
    np.testing.assert_allclose(np.array(found)[..., 0], [values, derivatives], rtol=1e-13)


def test_scaled_airy_functions_at_the_largest_numbers():
    """The leading terms, DLMF 9.7."""
    x = np.array([1e35, 1e100, 1e200])
    values, derivatives = jvp(special.airye, (x,), (np.ones(3),))
    powers = x ** np.array([[-0.25], [0.25], [-0.25], [0.25]])
    expected = np.array([[0.5], [-0.5], [1.0], [1.0]]) * powers / np.sqrt(np.pi)
    np.testing.assert_allclose(values, expected, rtol=1e-14)
    np.testing.assert_allclose(derivatives, expected / (4 * x) * np.array([[-1], [1], [-1], [1]]), rtol=1e-14)


@pytest.mark.parametrize("nt", [-1, -(2**40), float("nan"), 1201, 2.5])
def test_a_number_of_zeros_that_is_none_is_refused(nt):
    """SciPy's algorithm writes beyond its arrays for negative ones."""
    with pytest.raises(ValueError, match=r"nt = |must be integer"):
        jnjnp_zeros(nt)
