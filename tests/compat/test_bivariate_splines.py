"""Splines of two variables of `scipy.interpolate`."""

from __future__ import annotations

import numpy as np
import pytest

from compat_cases import REAL, Case, check_derivatives, draw, parameters
from wirtinger import NotDifferentiableError, TraceError, grad, vmap
from wirtinger.scipy.interpolate import RectBivariateSpline, SmoothBivariateSpline

X = np.cumsum(0.5 + 0.3 * np.random.default_rng(0).random(7))
Y = np.cumsum(0.4 + 0.3 * np.random.default_rng(1).random(8))
Z = draw(7, 8)
AT_X, AT_Y = np.array([0.2, 1.1, 1.9, 2.3, 9.0]), np.array([0.7, 0.9, 2.2, 3.1, 1.3])
POINTS = np.random.default_rng(2).random((60, 2))
VALUES = np.sin(3 * POINTS[:, 0]) * POINTS[:, 1]


def through(x, y, z, k):
    return RectBivariateSpline(x, y, z, kx=k[0], ky=k[1])


def integral(ends, z):
    return np.reshape(through(X, Y, z, (3, 2)).integral(*[ends[i] for i in range(4)]), (1,))


CASES = [
    *[
        Case(f"at points {k}", lambda x, y, z, k=k: through(x, y, z, k).ev(AT_X, AT_Y), (X, Y, Z))
        for k in ((3, 3), (1, 2))
    ],
    *[
        Case(f"on a grid {k}", lambda x, y, z, k=k: through(x, y, z, k)(AT_X, np.sort(AT_Y)), (X, Y, Z))
        for k in ((3, 1), (4, 5))
    ],
    Case("where it is looked at", lambda x, y: through(X, Y, Z, (3, 3)).ev(x, y), (AT_X, AT_Y)),
    Case("a derivative", lambda x, z: through(X, Y, z, (3, 4)).ev(x, AT_Y, dx=1, dy=2), (AT_X, Z)),
    Case("derivatives on a grid", lambda x, z: through(X, Y, z, (3, 3))(x, np.sort(AT_Y), dx=2), (AT_X, Z)),
    Case("integral", integral, (np.array([0.9, 2.1, 0.3, 1.9]), Z)),
    Case("smoothed", lambda x, y: SmoothBivariateSpline(*POINTS.T, VALUES).ev(x, y), (POINTS[:4, 0], POINTS[:4, 1])),
]


@pytest.mark.parametrize(("case", "kind"), parameters([Case(c.name, c.call, c.args, REAL) for c in CASES]))
def test_derivatives(case, kind):
    check_derivatives(case, kind)


@pytest.mark.parametrize("options", [{"s": 1.0}, {"bbox": [0, None, None, None]}])
def test_other_fits_are_refused(options):
    with pytest.raises(NotDifferentiableError, match="only splines through all values"):
        grad(lambda z: RectBivariateSpline(X, Y, z, **options).ev(1.0, 1.0))(Z)
    with pytest.raises((TraceError, NotDifferentiableError), match=r"SmoothBivariateSpline|surfit_smth"):
        grad(lambda z: SmoothBivariateSpline(*POINTS.T, z).ev(0.5, 0.5))(VALUES)


def test_complex_values_are_refused():
    with pytest.raises(NotDifferentiableError, match="the imaginary part"):
        grad(lambda z: np.real(RectBivariateSpline(X, Y, z).ev(1.0, 1.0)))(Z + 1j)


def test_mapped_values_are_taken_one_by_one():
    f = lambda z: through(X, Y, z, (3, 2)).ev(1.2, 2.3)
    stack = np.stack([Z, Z**2])
    np.testing.assert_array_equal(vmap(f)(stack), [f(z) for z in stack])
    np.testing.assert_allclose(vmap(grad(f))(stack), [grad(f)(z) for z in stack], rtol=1e-13)


def test_an_order_is_below_the_degree():
    with pytest.raises(ValueError, match="pardeu: 10"):
        grad(lambda z: np.sum(through(X, Y, z, (1, 1)).ev(AT_X, AT_Y, dx=1)))(Z)
