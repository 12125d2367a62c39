"""Special functions that are no ufuncs: each continuous argument has derivatives, and no other is differentiated in."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import scipy.special

import special_coverage
from special_plain_calls import CALLS, call, is_complex, is_continuous, is_truncated
from wirtinger import NotDifferentiableError, grad, gradcheck, jvp, special

CONTINUOUS = [(name, key, x) for name, xs in CALLS.items() for key, x in xs.items() if is_continuous(x)]
INTEGERS = [(name, key) for name, xs in CALLS.items() for key, x in xs.items() if type(x) is int]


def test_every_function_has_a_call():
    assert sorted(CALLS) == sorted(special_coverage.plain_functions())


# SciPy's quadrature says so of `ellip_harm_2` and `ellip_normal` though it is right to 1e-12
@pytest.mark.filterwarnings("ignore:.*:scipy.integrate.IntegrationWarning")
@pytest.mark.parametrize(
    ("name", "argument", "kind"),
    [(name, key, kind) for name, key, x in CONTINUOUS for kind in ("fc" if is_complex(x) else "f")],
)
def test_continuous_arguments_have_derivatives(name, argument, kind):
    f, x = call(name, argument, kind)
    assert gradcheck(f, x)


@pytest.mark.parametrize(("name", "argument"), INTEGERS)
def test_integers_have_none_and_say_so(name, argument):
    f, n = call(name, argument, "f")
    derivative = grad(lambda n: np.sum(np.real(f(n))))
    if is_truncated(name, argument):
        assert derivative(n + 0.5) == 0
        return
    with pytest.raises((NotDifferentiableError, TypeError), match="integer"):
        derivative(float(n))


@pytest.mark.parametrize("k", [1, 1000, 10**9, -(10**15)])
@pytest.mark.parametrize("z", [-3.2e-103 - 6e-104j, -4.8e-15 + 1.6e-14j, 0.3 - 2j, 1e8 + 3e7j])
def test_derivatives_of_lambertw_on_far_branches(z, k):
    """By DLMF 4.13.4 with `z` for `w exp(w)`: the exponential would lose as many digits as `w` has."""
    with mpmath.workdps(40):
        w = mpmath.lambertw(z, k)
        first_derivative = complex(w / (z * (1 + w)))
        curvature = complex(-(w**2) * (w + 2) / (mpmath.mpmathify(z) ** 2 * (1 + w) ** 3))

    def f(z):
        return np.real(special.lambertw(z, k))

    assert abs(grad(f)(z).conjugate() - first_derivative) <= 1e-14 * abs(first_derivative)
    second = jvp(lambda z: jvp(lambda z: special.lambertw(z, k), (z,), (1.0,))[1], (z,), (1.0,))[1]
    assert abs(second - curvature) <= 1e-13 * abs(curvature)


@pytest.mark.parametrize("x", [1e-14, -3e-9, 0.01, 44.0, 46.0, 134.0, 180 + 1e-12, -360 - 1e-9, 539.0, 90 + 1e-12])
def test_cotangent_of_degrees(x):
    """SciPy's is the tangent of `90 - x`, and has no digits of 1e-14."""
    with mpmath.workdps(40):
        expected = mpmath.cot(mpmath.radians(mpmath.mpf(x)))
        first_derivative = -(1 + expected**2) * mpmath.pi / 180
    assert special.cotdg(x) == pytest.approx(float(expected), rel=1e-15)
    assert special.cotdg(np.array([x, 50.0]))[0] == special.cotdg(x)
    assert grad(special.cotdg)(x) == pytest.approx(float(first_derivative), rel=2e-15)
    assert grad(scipy.special.cotdg)(x) == pytest.approx(float(first_derivative), rel=2e-15)


@pytest.mark.parametrize(
    ("a", "b"), [(33736.0, 2.9e-142), (8.9e-120, 3.6), (2.5e73, 3.9e7), (1.2e50, 1.4e-4), (1.0, 1.01e8), (1.0, 0.99e8)]
)
def test_derivatives_of_a_mean_of_very_different_numbers(a, b):
    with mpmath.workdps(500):
        x, y = mpmath.mpf(a), mpmath.mpf(b)
        expected = [float(mpmath.diff(mpmath.agm, (x, y), n)) for n in ((1, 0), (0, 1), (1, 1), (2, 0))]
    first, second = grad(special.agm, 0), grad(special.agm, 1)
    found = first(a, b), second(a, b), grad(first, 1)(a, b), grad(first, 0)(a, b)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert grad(second, 0)(a, b) == pytest.approx(expected[2], rel=1e-13)


def test_sums_of_no_exponentials_have_derivatives():
    empty = np.zeros((0, 3))
    assert grad(lambda a: np.sum(special.softmax(a, axis=0)))(empty).shape == (0, 3)
    assert grad(lambda a: np.sum(special.log_softmax(a, axis=0)))(empty).shape == (0, 3)
    assert grad(lambda a: special.logsumexp(a))(np.zeros(0)).shape == (0,)


@pytest.mark.parametrize(
    ("x", "y", "expected"), [(1e-280, -2.2, np.inf), (-1e-280, -3.0, -np.inf), (0.5, -2e3, np.inf)]
)
def test_powm1_where_the_power_overflows(x, y, expected):
    assert special.powm1(x, y) == expected
    assert special.powm1(np.array([x, 2.0]), y)[0] == expected
    with np.errstate(over="ignore"):
        assert grad(special.powm1, 1)(abs(x), y) == np.log(abs(x)) * abs(expected)
