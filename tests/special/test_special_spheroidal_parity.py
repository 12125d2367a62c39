"""Spheroidal functions at negative and vanishing `c`, and next to `x = 0`: in both they have a parity.

SciPy takes a negative `c` for 0 in some places; here its objects are right where wirtinger computes with them.
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from wirtinger import grad, jvp, special

FAMILIES = ["pro", "obl"]
KINDS = ["cv", "ang1", "rad1", "rad2", "ang1_cv", "rad1_cv", "rad2_cv"]


def side(kind, n):
    """The sign that a function takes from that of `c`: that of a spherical Bessel function of the order `n`."""
    return {"rad1": (-1.0) ** n, "rad2": -((-1.0) ** n)}.get(kind[:4], 1.0)


def arguments(family, kind, n, c):
    c = np.asarray(c)
    value = [getattr(scipy.special, f"{family}_cv")(1, n, c)] if kind.endswith("_cv") else []
    x = {"ang1": [np.cos(3 + c)], "rad1": [1.3 + c**2], "rad2": [1.3 + c**2]}.get(kind[:4], [])
    return [1.0, n, c, *value, *x]


def outputs(w):
    return np.stack(w) if isinstance(w, tuple) else w


@pytest.mark.parametrize("count", [(), 5, 300])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_values_and_derivatives_have_the_parity_of_bessel_functions(family, kind, count):
    f, ufunc = getattr(special, f"{family}_{kind}"), getattr(scipy.special, f"{family}_{kind}")
    for n in (2.0, 5.0):
        args = arguments(family, kind, n, np.random.default_rng(4).uniform(0.3, 2.5, count))
        mirrored = [*args[:2], -args[2], *args[3:]]
        sign, value = side(kind, n), outputs(f(*args))
        np.testing.assert_allclose(outputs(f(*mirrored)), sign * value, rtol=1e-13)
        for i in range(2, len(args)):
            found, expected = (
                outputs(jvp(lambda t, a=a, i=i: f(*a[:i], t, *a[i + 1 :]), (a[i],), (np.ones_like(a[i]),))[1])
                for a in (mirrored, args)
            )
            np.testing.assert_allclose(found, sign * (-1 if i == 2 else 1) * expected, rtol=1e-11)
        of_scipy = outputs(jvp(lambda c, a=mirrored: ufunc(*a[:2], c, *a[3:]), (-args[2],), (args[2],))[0])
        np.testing.assert_allclose(of_scipy, sign * outputs(ufunc(*args)), rtol=1e-10)


@pytest.mark.parametrize("family", FAMILIES)
def test_sequences_of_characteristic_values(family):
    f = getattr(special, f"{family}_cv_seq")
    np.testing.assert_allclose(f(1, 4, -1.7), f(1, 4, 1.7), rtol=1e-13)


def test_outputs_that_are_given_and_masks():
    c, expected = np.array([-1.0, 0.7, -0.2]), special.obl_rad1(0, 1, np.array([1.0, 0.7, 0.2]), 2.0)[0] * [-1, 1, -1]
    out = np.zeros(3), np.zeros(3)
    special.obl_rad1(0, 1, c, 2.0, out=out, where=np.array([True, True, False]))
    np.testing.assert_allclose(out[0], [*expected[:2], 0.0], rtol=1e-14)
    single = special.obl_rad1(0, 1, c.astype(np.float32), np.float32(2))[0]
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, expected, rtol=1e-6)
    np.testing.assert_allclose(special.obl_rad1(0, 1, [-1, 1], 2)[0], [expected[0], -expected[0]], rtol=1e-14)


def test_a_complex_parameter_is_told():
    with pytest.raises(TypeError, match="pro_ang1"):
        special.pro_ang1(0, 1, -1j, 0.5)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("m", "n"), [(0, 0), (0, 1), (0, 2), (1, 1), (2, 3)])
def test_derivatives_of_the_first_kind_at_zero(family, m, n):
    """They are Legendre functions times `c**n`, up to a factor which `j_n(c x)` tells, and terms of `c**(n + 2)`."""
    x, sign = 2.0, 1 if family == "pro" else -1
    leading = {(0, 0): 1.0, (0, 1): x / 3, (0, 2): (x * x - sign / 3) / 15, (1, 1): x / 3, (2, 3): x**3 / 105}[m, n]
    expected = leading * (1 - sign / x**2) ** (m / 2) * scipy.special.factorial(n)

    def f(c):
        return getattr(special, f"{family}_rad1")(m, n, c, x)[0]

    for _ in range(n):
        f = grad(f)
    assert f(0.0) == pytest.approx(expected, rel=1e-13)
    assert grad(f)(0.0) == 0


@pytest.mark.parametrize("c", [1e-11, 1e-40, -1e-11, -1e-40])
@pytest.mark.parametrize("x", [1.2, 6.0])
def test_the_second_kind_at_tiny_parameters(c, x):
    """As `c` goes to 0 it goes as a Legendre function of the second kind, DLMF 30.11.8 and 14.7.7."""
    expected = -0.5 * np.log1p(2 / (x - 1)) / c
    value, derivative = jvp(lambda c: special.pro_rad2(0, 0, c, x)[0], (c,), (1.0,))
    assert value == pytest.approx(expected, rel=1e-12)
    assert derivative == pytest.approx(-expected / c, rel=1e-12)
    value, derivative = jvp(lambda c: special.obl_rad2(0, 0, c, x)[0], (c,), (1.0,))
    assert value == pytest.approx(-np.arctan(1 / x) / c, rel=1e-12)
    assert derivative == pytest.approx(np.arctan(1 / x) / c**2, rel=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_second_kind_is_infinite_at_zero(family):
    """As `y_n` is; SciPy has -1e300."""
    for n in (0, 3):
        value, derivative = getattr(special, f"{family}_rad2")(0, n, np.array([0.0, 1e-200]), 2.0)
        assert value[0] == -np.inf
        assert derivative[0] == np.inf
        assert value[1] < -1e199


@pytest.mark.parametrize(("m", "n"), [(2.0, 6.0), (2.0, 7.0), (30.0, 31.0), (50.0, 53.0)])
def test_oblate_functions_next_to_zero(m, n):
    """`R` of odd and `R'` of even `n - m` are proportional to `x`, also where Bessel functions underflow."""

    def scaled(c, x):
        r, dr = special.obl_rad1(m, n, c, x)
        return (r / x, dr) if n % 2 else (r, dr / x)

    expected = jvp(lambda c: scaled(c, 1e-8), (2.1185,), (1.0,))
    for x in (1e-10, 1e-90, 1e-200):
        np.testing.assert_allclose(jvp(lambda c, x=x: scaled(c, x), (2.1185,), (1.0,)), expected, rtol=1e-13)
    np.testing.assert_allclose(scaled(2.1185, 1e-5), expected[0], rtol=1e-7)


@pytest.mark.parametrize(("m", "n", "expected"), [(40, 40, 1.6564070838792518e-48), (80, 80, 1.3588765063992165e-118)])
def test_high_orders_next_to_zero(m, n, expected):
    """By mpmath; the Bessel functions underflow."""
    assert special.obl_rad1(m, n, 2.1185, 1e-9)[0] == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(
    ("point", "values", "in_c"),
    [
        ((0, 0, 90.0, 1e-8), (9.94397268056106e-9, 0.9943972680558433), (6.278679921280902e-13, 6.278679920689235e-5)),
        (
            (2, 3, 30.0, 1e-8),
            (-0.03517311766956504, 2.557368829734631e-7),
            (0.001240320047565279, 9.974343004649628e-9),
        ),
        ((1, 3, 12.0, 1e-9), (-3.656455176810813e-5, 0.7896551997473804), (6.284204670278872e-5, 0.02390831986238835)),
        ((3, 8, 6.0, 1e-10), (-54.39527578583681, 375.4608205292906), (77.71818138588993, -557.1648637467413)),
    ],
)
def test_oblate_functions_of_the_second_kind_next_to_zero(point, values, in_c):
    """By mpmath with 90 digits; the one of odd or even parity is exponentially small in `c`."""
    m, n, c, x = point
    found = jvp(lambda c: special.obl_rad2(m, n, c, x), (c,), (1.0,))
    np.testing.assert_allclose(found[0], values, rtol=1e-12)
    np.testing.assert_allclose(found[1], in_c, rtol=1e-11)


def test_angular_oblate_functions_where_legendre_functions_cancel():
    """Derivatives in `c` by mpmath: between the ends the functions are exponentially small."""
    for point, expected in (((0, 0, 13.587200315513352, 1.5886283255917216e-8), 3.999023676344085e-7),
                            ((4, 4, 17.31772426022793, 0.04464616654281729), 127.0710515103368)):  # fmt: skip
        m, n, c, x = point
        assert grad(lambda c: special.obl_ang1(m, n, c, x)[1])(c) == pytest.approx(expected, rel=1e-12)  # noqa: B023  (called at once)


@pytest.mark.parametrize(
    ("m", "n", "c", "value", "rate"),
    [(0, 4, 3.92, 12.65, 0.301767356053205), (0, 3, 2.0, 9.0, 0.34186149447), (25, 27, 3.0, None, 2.0183182601866e-24)],
)
@pytest.mark.parametrize("x", [0.0, 1e-300, 1.7e-11, 9e-11])
def test_oblate_functions_next_to_0_are_linear_or_have_linear_derivatives(m, n, c, value, rate, x):
    """Of odd `n - m` the function is linear, and the second derivative; of even, the first derivative: `rate x`."""
    value = special.obl_cv(m, n, c) if value is None else value
    (w, w_x), (dw, dw_x) = jvp(lambda x: special.obl_rad1_cv(m, n, c, value, x), (x,), (1.0,))
    odd = (n - m) % 2
    assert dw == pytest.approx(w_x, rel=1e-11, abs=1e-323)
    assert (dw_x if odd else dw) == pytest.approx(rate * x, rel=1e-10, abs=1e-323)
    assert (w if odd else dw) == pytest.approx((dw if odd else dw_x) * x, rel=1e-10, abs=1e-323)
