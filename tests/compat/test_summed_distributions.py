"""Derivatives of distributions that SciPy computes by compiled sums and integrals, against identities."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import scipy.stats

from wirtinger import grad, hessian, jacobian, vmap
from wirtinger.complex_autograd.engine.errors import NotDifferentiableError
from wirtinger.scipy import stats

URN = (20, 8, 6)


def test_fishers_distribution_is_an_exponential_family() -> None:
    def score(odds):
        return stats.nchypergeom_fisher.logpmf(np.arange(7), *URN, odds)

    x, s = np.arange(7), 1.7
    mean, variance = scipy.stats.nchypergeom_fisher.stats(*URN, s)
    np.testing.assert_allclose(jacobian(score)(s), (x - mean) / s, rtol=1e-9)
    np.testing.assert_allclose(jacobian(jacobian(score))(s), -(x - mean) / s**2 - variance / s**2, rtol=1e-8)
    assert grad(stats.nchypergeom_fisher.mean, 3)(*URN, s) == pytest.approx(variance / s, rel=1e-9)


def test_wallenius_distribution() -> None:
    x, s, step = np.arange(7), 1.7, 1e-3
    found = jacobian(lambda s: stats.nchypergeom_wallenius.pmf(x, *URN, s))(s)
    above, below = (scipy.stats.nchypergeom_wallenius.pmf(x, *URN, s + d) for d in (step, -step))
    np.testing.assert_allclose(found, (above - below) / (2 * step), atol=1e-6)
    assert abs(found.sum()) < 1e-12
    assert found @ x == pytest.approx(grad(stats.nchypergeom_wallenius.mean, 3)(*URN, s), rel=1e-9)
    assert grad(lambda s: stats.nchypergeom_wallenius.pmf(8, 20, 8, 20, s))(s) == 0  # all are drawn


def test_the_studentized_range_of_two_is_that_of_student() -> None:
    def student(q, nu):
        return 1 - 2 * stats.t.sf(q / np.sqrt(2.0), nu)

    for q, nu in ((0.7, 0.6), (2.1, 5.0), (4.0, 80.0)):
        found = grad(lambda q, nu: stats.studentized_range.cdf(q, 2.0, nu), (0, 1))(q, nu)
        np.testing.assert_allclose(found, grad(student, (0, 1))(q, nu), rtol=1e-7)
        second = grad(lambda q, nu: stats.studentized_range.pdf(q, 2.0, nu))(q, nu)
        np.testing.assert_allclose(second, hessian(student)(q, nu), rtol=1e-7)


@pytest.mark.parametrize("x", [-1.5, 0.4, 20.0])
def test_landaus_density(x) -> None:
    def integral(order):
        y = mpmath.pi * x / 2 + mpmath.log(mpmath.pi / 2)
        inside = lambda t: (-t) ** order * mpmath.exp(-t * mpmath.log(t) - y * t) * mpmath.sin(mpmath.pi * t)
        nodes = [0, *(mpmath.mpf(k) / 4 for k in range(1, 24)), 60]
        return float((mpmath.pi / 2) ** (order + 1) * mpmath.quad(inside, nodes) / mpmath.pi)

    assert grad(stats.landau.pdf)(x) == pytest.approx(integral(1), rel=1e-10)
    assert grad(grad(stats.landau.pdf))(x) == pytest.approx(integral(2), rel=1e-10)
    assert vmap(grad(stats.landau.pdf))(np.array([x, x]))[1] == pytest.approx(integral(1), rel=1e-10)


def test_the_statistic_of_kolmogorov_and_smirnov() -> None:
    for n, x in ((4, 0.8), (9, 0.93)):  # where the distribution function is 1 - 2 (1 - x)**n
        assert grad(stats.kstwo.cdf)(x, n) == pytest.approx(2 * n * (1 - x) ** (n - 1), rel=1e-12)
        p = 1 - 2 * (1 - x) ** n
        assert grad(stats.kstwo.ppf)(p, n) == pytest.approx(1 / (2 * n * (1 - x) ** (n - 1)), rel=1e-6)
    with pytest.raises(NotDifferentiableError, match="found by differences"):
        hessian(stats.kstwo.cdf)(0.3, 7)
