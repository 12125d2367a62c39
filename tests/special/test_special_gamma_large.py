"""Incomplete gamma functions of large shapes, and what is made of them, where SciPy's values are wrong.

The constants are computed with mpmath and 50 digits: `P` and its density by integration of the density away from `x`,
in pieces of three times its scale; derivatives in the shape by central differences over `1e-12` standard deviations;
inverses by Newton's method on `P`.
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from wirtinger import grad, jvp, special

LOWER = (
    (
        200000.0,
        197764.0,
        2.61254980333583998e-7,
        3.06284530064903058e-9,
        -3.04566236897863166e-9,
        3.42422925715257381e-11,
    ),
    (
        1000000.0,
        994000.0,
        9.17890026230202342e-10,
        5.68607230641595678e-12,
        -5.66898081517256319e-12,
        3.41163394014367941e-14,
    ),
    (
        1000000.0,
        970000.0,
        4.9209087785911619e-202,
        1.52356728193658153e-203,
        -1.50048199669582168e-203,
        4.57034962731188173e-205,
    ),
    (
        100000000.0,
        99900000.0,
        7.36993106689699395e-24,
        7.44960307023215439e-27,
        -7.44587703888514827e-27,
        7.44960246743462749e-30,
    ),
    (
        10000000000.0,
        9999550000.0,
        3.39664762128903807e-6,
        1.59796057011409848e-10,
        -1.59792461548857916e-10,
        7.19082256447970789e-15,
    ),
    (
        10000000000.0,
        9996300000.0,
        4.83582811621458182e-300,
        1.7912237513721842e-303,
        -1.7908923341307107e-303,
        6.62752780460573818e-307,
    ),
)
"""`a`, `x`, `P`, the density in `x`, and the first and second derivative of `P` in `a`."""
INVERSE = (
    (1e6, 1e-300, 963408.653939865703, 1037275.47718749436),
    (1e6, 1e-10, 993651.80873019968, 1006368.41493311815),
    (1e8, 1e-100, 99787415.957995424, 100212810.282157705),
    (1e10, 1e-20, 9999073794.25446542, 10000926248.6406909),
)
"""`a`, `p`, the `x` with `P(a, x) = p`, and the shape with `P(shape, a) = p`."""


@pytest.mark.parametrize(("a", "x", "p"), [row[:3] for row in LOWER])
def test_lower_tails_keep_their_digits(a, x, p):
    values = {
        "gammainc": special.gammainc(a, x),
        "chdtr": special.chdtr(2 * a, 2 * x),
        "gdtr": special.gdtr(2.0, a, x / 2),
        "pdtrc": special.pdtrc(a - 0.5, x),
        "array": special.gammainc(np.array([a, 3.0]), x)[0],
        "traced": jvp(lambda x: special.gammainc(a, x), (x,), (1.0,))[0],
    }
    for name, value in values.items():
        assert value == pytest.approx(p, rel=3e-13, abs=0), name


@pytest.mark.parametrize(("a", "x", "p"), [row[:3] for row in LOWER])
def test_their_complements(a, x, p):
    values = special.gammaincc(a, x), special.chdtrc(2 * a, 2 * x), special.gdtrc(1.0, a, x), special.pdtr(a - 1, x)
    np.testing.assert_allclose(values, 1 - p, rtol=3e-16)


def test_scipys_values_are_wrong_there():
    """When this fails, they are better, and the module may go."""
    assert abs(scipy.special.gammainc(1e8, 9.99e7) / LOWER[3][2] - 1) > 0.1


@pytest.mark.parametrize("row", LOWER)
def test_derivatives(row):
    a, x, _, density, first, second = row
    assert grad(lambda x: special.gammainc(a, x))(x) == pytest.approx(density, rel=1e-12, abs=0)
    assert grad(lambda a: special.gammainc(a, x))(a) == pytest.approx(first, rel=1e-12, abs=0)
    assert grad(grad(lambda a: special.gammainc(a, x)))(a) == pytest.approx(second, rel=1e-10, abs=0)
    derivative = density * ((a - 1) / x - 1)
    assert grad(grad(lambda x: special.gammaincc(a, x)))(x) == pytest.approx(-derivative, rel=1e-10, abs=0)


@pytest.mark.parametrize("a", [2e5, 1e7, 1e10])
def test_there_is_no_step_where_the_tail_begins(a):
    x = a - np.sqrt(a) * np.array([4.4 - 1e-9, 4.4 + 1e-9])
    values = special.gammainc(a, x)
    density = grad(lambda x: special.gammainc(a, x))(x[0])
    assert np.diff(values)[0] == pytest.approx(density * np.diff(x)[0], rel=1e-5, abs=1e-14 * values[0])


@pytest.mark.parametrize(("a", "p", "x", "shape"), INVERSE)
def test_inverses(a, p, x, shape):
    np.testing.assert_allclose(special.gammaincinv(a, p), x, rtol=3e-16)
    np.testing.assert_allclose(special.gdtrix(2.0, a, p), x / 2, rtol=3e-16)
    np.testing.assert_allclose(special.gdtria(p, a, 2.0), x / 2, rtol=3e-16)
    np.testing.assert_allclose(special.gdtrib(2.0, p, a / 2), shape, rtol=3e-16)
    np.testing.assert_allclose(special.chdtriv(p, 2 * a), 2 * shape, rtol=3e-16)
    derivative = grad(lambda p: special.gammaincinv(a, p))(p)
    assert derivative * grad(lambda x: special.gammainc(a, x))(x) == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("a", [2e5, 1e7, 1e10])
@pytest.mark.parametrize("p", [1e-200, 1e-9, 0.3, 0.8])
def test_upper_inverses_come_back(a, p):
    x = special.gammainccinv(a, p)
    tolerance = 1e-16 * np.sqrt(a) * 40 + 1e-12
    assert special.gammaincc(a, x) == pytest.approx(p, rel=tolerance, abs=0)
    assert special.chdtri(2 * a, p) == 2 * x
    assert special.pdtri(a - 1, p) == x
    assert special.gammaincinv(a, 1 - 2.0**-20) == special.gammainccinv(a, 2.0**-20)
    k = special.pdtrik(p, a)
    assert special.gammaincc(k + 1, a) == pytest.approx(p, rel=tolerance, abs=0)


def test_ends_and_types():
    a = np.array([1e6, 1e6, 1e6, 1e6, np.inf, np.nan, -1.0])
    x = np.array([0.0, np.inf, 1e-300, -1.0, 1.0, 1.0, 1.0])
    for name in ("gammainc", "gammaincc", "chdtr", "chdtrc", "pdtr", "pdtrc"):
        np.testing.assert_array_equal(getattr(special, name)(a, x), getattr(scipy.special, name)(a, x))
    p = np.array([0.0, 1.0, -0.5, 1.5, np.nan])
    for name in ("gammaincinv", "gammainccinv", "chdtri", "pdtri"):
        np.testing.assert_array_equal(getattr(special, name)(1e6, p), getattr(scipy.special, name)(1e6, p))
    single = special.gammainc(np.float32(1e6), np.float32([994000.0, 1e6]))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single[0], LOWER[1][2], rtol=1e-7)
    table = special.gammainc(np.full((2, 3), 1e6), np.linspace(9.9e5, 1e6, 6).reshape(3, 2).T)
    assert table.shape == (2, 3)
    assert np.all(np.diff(np.sort(table.ravel())) > 0)
    assert special.gammainc(np.empty((0, 2)), 1e6).shape == (0, 2)
    assert special.pdtr(10**9, 1e9 - 2e5) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("x", [-(2.0**31) - 0.5, -(2.0**31) - 1.5, -3e9 - 0.5, -1e15 - 0.5, -1e15 - 1.5, -10.5])
def test_sign_far_left(x):
    expected = -1.0 if np.floor(x) % 2 else 1.0
    assert special.gammasgn(x) == expected
    np.testing.assert_array_equal(special.gammasgn(np.array([x, 2.5])), [expected, 1.0])
