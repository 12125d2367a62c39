"""`compat.autograd.scipy`: SciPy's values, and derivatives in every argument."""

from __future__ import annotations

import numpy
import pytest
import scipy.integrate
import scipy.linalg
import scipy.signal
import scipy.stats

import wirtinger.compat.autograd.numpy as np
from wirtinger.compat import autograd as ag
from wirtinger.compat.autograd.scipy import linalg, signal, special, stats
from wirtinger.compat.autograd.scipy.integrate import odeint
from wirtinger.compat.autograd.test_util import check_grads

CONTINUOUS = {
    "norm": ((), ("logpdf", "pdf", "cdf", "sf", "logcdf", "logsf"), [-1.3, 0.2, 2.5]),
    "t": ((3.5,), ("logpdf", "pdf", "cdf", "logcdf"), [-1.3, 0.2, 2.5]),
    "beta": ((1.5, 2.5), ("logpdf", "pdf", "cdf"), [0.1, 0.4, 0.9]),
    "gamma": ((2.5,), ("logpdf", "pdf", "cdf"), [0.1, 1.4, 6.0]),
    "chi2": ((3.5,), ("logpdf", "pdf", "cdf"), [0.1, 1.4, 6.0]),
}
CASES = [(name, function) for name, (_, functions, _) in CONTINUOUS.items() for function in functions]


@pytest.mark.parametrize(("name", "function"), CASES)
def test_a_continuous_distribution(name: str, function: str) -> None:
    shapes, _, x = CONTINUOUS[name]
    x = np.array(x)
    ours, theirs = getattr(getattr(stats, name), function), getattr(getattr(scipy.stats, name), function)
    outside = np.array([-0.5, *x, 40.0])
    numpy.testing.assert_allclose(ours(outside, *shapes), theirs(outside, *shapes), rtol=1e-12, atol=1e-300)
    location, scale = -0.1, 1.3
    numpy.testing.assert_allclose(
        ours(x, *shapes, location, scale), theirs(x, *shapes, loc=location, scale=scale), rtol=1e-12
    )
    assert ours(x[0], *shapes, scale=2.0) == ours(x[0], *shapes, 0.0, 2.0)
    check_grads(ours, tuple(range(3 + len(shapes))), order=1)(x, *shapes, location, scale)


def test_arguments_of_a_distribution() -> None:
    assert stats.gamma.logpdf(1.0, a=2.0) == stats.gamma.logpdf(1.0, 2.0)
    for arguments, named in (((1.0,), {}), ((1.0, 2.0), {"a": 2.0}), ((1.0, 2.0), {"size": 3}), ((1, 2, 3, 4, 5), {})):
        with pytest.raises(TypeError):
            stats.gamma.logpdf(*arguments, **named)


def test_poisson() -> None:
    k = np.array([-1, 0, 1, 5, 2.5])
    for name in ("pmf", "logpmf", "cdf"):
        ours, theirs = getattr(stats.poisson, name), getattr(scipy.stats.poisson, name)
        numpy.testing.assert_allclose(ours(k, 2.3), theirs(k, 2.3), rtol=1e-12)
        numpy.testing.assert_allclose(ours(k, 2.3, 1), theirs(k, 2.3, loc=1), rtol=1e-12)
        check_grads(lambda mu, ours=ours: ours(np.arange(3), mu), order=1)(2.3)


def test_dirichlet() -> None:
    x, alpha = np.array([0.2, 0.3, 0.5]), np.array([1.5, 2.0, 0.7])
    for name in ("logpdf", "pdf"):
        ours, theirs = getattr(stats.dirichlet, name), getattr(scipy.stats.dirichlet, name)
        numpy.testing.assert_allclose(ours(x, alpha), theirs(x, alpha), rtol=1e-12)
        numpy.testing.assert_allclose(ours(x[:2], alpha), theirs(x[:2], alpha), rtol=1e-12)
        check_grads(lambda alpha, ours=ours: ours(x, alpha))(alpha)
    with pytest.raises(ValueError, match="simplex"):
        stats.dirichlet.logpdf(x * 2, alpha)


def test_multivariate_normal() -> None:
    rng = np.random.default_rng(3)
    x, mean, root = rng.normal(size=(4, 3)), rng.normal(size=3), rng.normal(size=(3, 3))
    cov = root @ root.T + np.eye(3)
    ours, theirs = stats.multivariate_normal, scipy.stats.multivariate_normal
    for name in ("logpdf", "pdf"):
        for case in (
            (x, mean, cov),
            (x[0], mean, cov),
            (x, np.zeros(3), np.eye(3)),
            (x[0, 0], 0.1, 2.0),
            (x[:, 0], 0.1, 2.0),
        ):
            numpy.testing.assert_allclose(getattr(ours, name)(*case), getattr(theirs, name)(*case), rtol=1e-11)
    numpy.testing.assert_allclose(ours.entropy(mean, cov), theirs.entropy(mean, cov), rtol=1e-12)
    singular = np.diag([1.0, 2.0, 0.0])
    numpy.testing.assert_allclose(
        ours.logpdf(x * [1, 1, 0], np.zeros(3), singular, allow_singular=True),
        theirs.logpdf(x * [1, 1, 0], [0, 0, 0], singular, allow_singular=True),
        rtol=1e-12,
    )
    check_grads(ours.logpdf, (0, 1, 2))(x, mean, cov)
    check_grads(lambda s: ours.logpdf(x, mean, s * cov, allow_singular=True))(1.3)
    with pytest.raises(ValueError, match="3 components"):
        ours.logpdf(x[0], np.zeros(2), np.eye(2))


def test_linalg_has_the_defaults_of_scipy() -> None:
    a = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
    for name, case in (("cholesky", (a,)), ("qr", (a[:, :2],)), ("sqrtm", (a,)), ("expm", (a,)), ("lu", (a,))):
        for ours, theirs in zip(getattr(linalg, name)(*case), getattr(scipy.linalg, name)(*case), strict=True):
            numpy.testing.assert_allclose(ours, theirs, atol=1e-13)
    numpy.testing.assert_allclose(linalg.qr(a, mode="r")[0], scipy.linalg.qr(a, mode="r")[0], atol=1e-13)
    assert linalg.qr(a[:, :2], mode="economic")[0].shape == (3, 2)
    check_grads(lambda a: linalg.cholesky((a + a.T) / 2))(a)
    check_grads(lambda a, b: linalg.solve_triangular(a, b, lower=True), (0, 1))(a, a[0])


def test_special_is_ours() -> None:
    check_grads(lambda a, x: special.gammainc(a, x), (0, 1), order=1)(1.5, 2.0)
    check_grads(special.logsumexp)(np.array([0.1, 2.0]))


@pytest.mark.parametrize("mode", ["full", "valid", "same"])
@pytest.mark.parametrize("shapes", [((7,), (3,)), ((3,), (7,)), ((6, 5), (2, 3)), ((2, 3), (6, 5))])
def test_convolution(mode: str, shapes) -> None:
    rng = np.random.default_rng(5)
    a, b = (rng.normal(size=shape) + 1j * rng.normal(size=shape) for shape in shapes)
    numpy.testing.assert_allclose(
        signal.convolve(a, b, mode=mode), scipy.signal.convolve(a, b, mode=mode, method="direct"), atol=1e-13
    )
    check_grads(lambda a, b: signal.convolve(a, b, mode=mode), (0, 1), order=1)(a, b)


def test_convolution_along_some_axes() -> None:
    rng = np.random.default_rng(6)
    images, filters = rng.normal(size=(2, 3, 8, 7)), rng.normal(size=(3, 4, 3, 2))  # of 3 channels, to 4
    found = signal.convolve(images, filters, axes=([2, 3], [2, 3]), dot_axes=([1], [0]), mode="valid")
    assert found.shape == (2, 4, 6, 6)
    one = sum(scipy.signal.convolve2d(images[1, c], filters[c, 2], mode="valid") for c in range(3))
    numpy.testing.assert_allclose(found[1, 2], one, atol=1e-13)
    swapped = signal.convolve(filters, images, axes=([2, 3], [2, 3]), dot_axes=([0], [1]), mode="valid")
    numpy.testing.assert_allclose(swapped, np.swapaxes(found, 0, 1), atol=1e-13)
    with pytest.raises(ValueError, match="larger one along all axes"):
        signal.convolve(np.ones((2, 5)), np.ones((3, 3)), mode="valid")
    with pytest.raises(ValueError, match="mode is 'some'"):
        signal.convolve(np.ones(2), np.ones(2), mode="some")


def test_differential_equations() -> None:
    def side(y, t, rates):
        return [-rates[0] * y[0] + np.sin(t) * y[1], -rates[1] * y[1]]

    y0, t, rates = np.array([1.0, 2.0]), np.array([0.0, 0.4, 1.1]), np.array([0.7, 1.3])
    tight = {"rtol": 1e-11, "atol": 1e-11}
    numpy.testing.assert_array_equal(
        odeint(side, y0, t, (rates,), **tight), scipy.integrate.odeint(side, y0, t, (rates,), **tight)
    )

    def closed_form(y0, t, rates):
        k, elapsed = rates[0] - rates[1], t - t[0]
        integral = np.exp(k * elapsed) * (k * np.sin(t) - np.cos(t)) / (1 + k**2)
        driven = y0[0] + y0[1] * (integral - integral[0])
        return np.stack([np.exp(-rates[0] * elapsed) * driven, np.exp(-rates[1] * elapsed) * y0[1]], axis=1)

    for argument in range(3):
        found = ag.jacobian(lambda *given: odeint(side, *given[:2], given[2:], **tight), argument)(y0, t, rates)
        expected = ag.jacobian(closed_form, argument)(y0, t, rates)
        numpy.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    decay = ag.grad(
        ag.grad(lambda r: odeint(lambda y, t, r: -r * y, y0[:1], np.array([0.0, 1.0]), (r,), **tight)[1, 0])
    )
    numpy.testing.assert_allclose(decay(0.5), np.exp(-0.5), rtol=1e-6)
