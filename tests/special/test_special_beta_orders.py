"""Second and third derivatives of the incomplete beta function, where shapes are tiny and where they are huge."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from wirtinger import jvp, special

DIGITS = 100


def nested(f, i):
    return lambda *args: jvp(lambda t: f(*args[:i], t, *args[i + 1 :]), (args[i],), (1.0,))[1]


def found(orders, args):
    f = special.betainc
    for i in orders:
        f = nested(f, i)
    return f(*args)


def value(a, b, x):
    return mp.betainc(a, b, 0, x, regularized=True)


def density(a, b, x):
    return mp.exp((a - 1) * mp.log(x) + (b - 1) * mp.log(1 - x)) / mp.beta(a, b)


def expected(orders, args):
    """Difference quotients in the shapes of the value or of the density."""
    f = density if 2 in orders else value

    def quotient(f, i):
        def of(*args):
            h = args[i] * mp.mpf(10) ** -16
            ahead, behind = (f(*args[:i], args[i] + s * h, *args[i + 1 :]) for s in (1, -1))
            return (ahead - behind) / (2 * h)

        return of

    for i in orders:
        f = f if i == 2 else quotient(f, i)
    return f(*map(mp.mpf, args))


@pytest.mark.parametrize(
    ("orders", "args"),
    [
        ((1, 1), (9e-7, 4.9, 0.3)),
        ((1, 1), (8e-8, 15.4, 1e-7)),
        ((0, 0), (2.6, 3.6e-8, 0.32)),
        ((0, 0), (0.09, 2.5e-8, 0.09)),
        ((0, 0), (3e-8, 0.0044, 3.3e-6)),
        ((0, 0, 2), (2.6e-4, 1.8e-8, 0.27)),
        ((0, 1, 2), (2.6e-4, 1.8e-8, 0.27)),
        ((1, 2, 1), (2.6e-4, 1.8e-8, 0.27)),
        ((2, 1, 0), (6.2e-7, 1.8e-5, 0.82)),
        ((0, 0, 0), (3e-8, 0.0044, 3.3e-6)),
        ((1, 1, 1), (0.036, 5.9e-8, 0.047)),
        ((1, 1, 1), (1.6e-7, 0.42, 1.1e-6)),
        ((1, 1, 1), (2.6e-8, 15.7, 0.0031)),
        ((0, 0, 1), (2.6e-8, 3e-3, 0.0031)),
        ((0, 0, 2), (9.4e6, 47.0, 0.99999499)),
        ((0, 2), (4.4e7, 37.0, 0.9999992)),
    ],
)
def test_derivatives_of_higher_order(orders, args):
    with mp.workdps(DIGITS):
        right = expected(orders, args)
        assert abs(found(orders, args) - right) <= 1e-11 * abs(right)


@pytest.mark.parametrize("name", ["betainc", "betaincc", "gammainc", "gammaincc"])
def test_derivatives_at_negative_shapes_are_nan_as_the_values_are(name):
    f = getattr(special, name)
    args = (-2.5, 4.5, 0.65) if "beta" in name else (-2.5, 4.5)
    assert np.isnan(f(*args))
    for i in range(len(args)):
        assert np.isnan(nested(f, i)(*args))
        assert np.isnan(nested(nested(f, len(args) - 1), i)(*args))
    shapes = np.array([-2.5, 2.5])
    assert np.isnan(jvp(lambda x: f(shapes, *args[1:-1], x), (args[-1],), (1.0,))[1]).tolist() == [True, False]


def test_second_derivatives_where_densities_are_infinite():
    """The differences of densities there were of two infinite ones."""
    assert found((2, 2), (0.3, 0.4, 0.0)) == found((2, 2), (0.3, 0.9, 0.0)) == -np.inf
    assert found((2, 2), (0.3, 0.4, 1.0)) == np.inf
    assert nested(nested(special.gammainc, 1), 1)(0.3, 0.0) == -np.inf


@pytest.mark.parametrize(
    ("a", "b", "x"), [(3.8e-134, 1.5e-202, 0.88), (5e-265, 7e-229, 0.3), (7.2e-68, 1.6e-279, 0.47), (6e-21, 3e-21, 0.9)]
)
def test_values_at_tiny_shapes(a, b, x):
    """SciPy's distribution functions of tiny degrees are wrong by powers of ten."""
    assert special.fdtr(a, b, x) == pytest.approx(b / (a + b), rel=1e-14)
    assert special.fdtrc(a, b, x) == pytest.approx(a / (a + b), rel=1e-14)
    np.testing.assert_allclose(special.fdtr([a, 0.3], b, x), [b / (a + b), special.fdtr(0.3, b, x)], rtol=1e-14)
