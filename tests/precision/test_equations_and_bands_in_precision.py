"""Riccati's equations, banded eigenvalues, roots, quantiles and `unwrap` at 60 digits: equations, values of doubles."""

from __future__ import annotations

import mpmath
import numpy
import pytest
import scipy.linalg

import wirtinger as np
from samples.statistics import METHODS
from wirtinger import grad, linalg, precision, to_host

RANDOM = numpy.random.default_rng(5)
REAL = RANDOM.standard_normal((4, 4))
COMPLEX = REAL + 1j * RANDOM.standard_normal((4, 4))
KINDS = pytest.mark.parametrize("a", [REAL, COMPLEX], ids=["real", "complex"])
SHARES = (0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0)


def H(x):
    return np.conjugate(x).mT


def assert_zero(x, bound=1e-55):
    assert not x.size or abs(x).max() < bound


@KINDS
@pytest.mark.parametrize("general", [False, True], ids=["plain", "with e and s"])
def test_riccati(a, general):
    b, q, r = a[:, :2], a @ a.conj().T + numpy.eye(4), numpy.diag([1.0, 2.0])
    e = a.T + 4 * numpy.eye(4) if general else None
    s = 0.1 * a[:, 2:] if general else None
    with precision(60):
        arrays = [None if x is None else np.asarray(x) for x in (a, b, q, r, e, s)]
        a, b, q, r = arrays[:4]
        e = np.asarray(numpy.eye(4)) if e is None else arrays[4]
        s = 0 * b if s is None else arrays[5]
        x = linalg.solve_continuous_are(*arrays)
        k = linalg.solve(r, H(b) @ x @ e + H(s))
        assert_zero(H(e) @ x @ a + H(a) @ x @ e - H(k) @ r @ k + q)
        assert_zero(x - H(x))
        y = linalg.solve_discrete_are(*arrays)
        k = linalg.solve(r + H(b) @ y @ b, H(b) @ y @ a + H(s))
        assert_zero(H(a) @ y @ a - H(e) @ y @ e - H(k) @ (r + H(b) @ y @ b) @ k + q)
        plain = [None if z is None else to_host(z) for z in arrays]
    numpy.testing.assert_allclose(to_host(x), linalg.solve_continuous_are(*plain), rtol=1e-9)
    numpy.testing.assert_allclose(to_host(y), linalg.solve_discrete_are(*plain), rtol=1e-9)


def test_riccati_of_a_stack_and_without_a_stable_solution():
    a = numpy.stack([REAL, REAL.T])
    with precision(40):
        x = linalg.solve_continuous_are(np.asarray(a), numpy.eye(4), numpy.eye(4), numpy.eye(4))
        one = linalg.solve_continuous_are(np.asarray(REAL.T), numpy.eye(4), numpy.eye(4), numpy.eye(4))
        assert_zero(x[1] - one, 1e-38)
        with pytest.raises(numpy.linalg.LinAlgError):
            linalg.solve_continuous_are(np.asarray([[0.0]]), [[0.0]], [[-1.0]], [[1.0]])
        derivative = grad(lambda q: linalg.solve_continuous_are([[0.0]], [[1.0]], q, [[1.0]])[0, 0])(
            np.asarray([[4.0]])
        )
        assert_zero(derivative - 0.25, 1e-38)  # x = sqrt(q)


@KINDS
@pytest.mark.parametrize("lower", [True, False])
def test_banded_eigenvalues(a, lower):
    band = a[:3].copy()
    band[0 if lower else -1] = band[0 if lower else -1].real
    with precision(60):
        w, v = linalg.eig_banded(np.asarray(band), lower=lower)
        whole = linalg.eigh(_dense(np.asarray(band), lower))[0]
        assert_zero(w - whole)
        assert_zero(_dense(np.asarray(band), lower) @ v - v * w)
        assert_zero(linalg.eigvals_banded(np.asarray(band), lower, select="i", select_range=(1, 2)) - w[1:3])
        between = (float(w[0] + w[1]) / 2, float(w[3]) + 1)
        assert_zero(linalg.eigvals_banded(np.asarray(band), lower, select="v", select_range=between) - w[1:])
    for found, known in zip((w, v), scipy.linalg.eig_banded(band, lower), strict=True):
        numpy.testing.assert_allclose(to_host(found), known, atol=1e-12)


def _dense(band, lower):
    n = band.shape[-1]
    zero = np.zeros_like(band, shape=(n, n))
    for k in range(3):
        diagonal = band[k, : n - k] if lower else band[2 - k, k:]
        side = np.zeros_like(zero)
        side[numpy.arange(n - k) + (k if lower else 0), numpy.arange(n - k) + (0 if lower else k)] = diagonal
        zero = zero + side + (H(side) if k else 0)
    return zero


def test_tridiagonal_eigenvalues():
    d, e = REAL[0], REAL[1, :3]
    with precision(60):
        w, v = linalg.eigh_tridiagonal(np.asarray(d), e)
        assert_zero(linalg.eigvals_banded(np.asarray([[*d], [*e, 0.0]]), lower=True) - w)
    for found, known in zip((w, v), scipy.linalg.eigh_tridiagonal(d, e), strict=True):
        numpy.testing.assert_allclose(to_host(found), known, atol=1e-12)


@pytest.mark.parametrize(
    "p", [[1.0, -3.0, 1.0, 0.5], [0.0, 2.0, 0.0, 8.0, 0.0, 0.0], [3.0], [0.0, 0.0], [1j, 2.0, 3.0]]
)
def test_roots(p):
    with precision(60):
        roots = np.roots(np.asarray(p))
        assert_zero(np.polyval(np.asarray(p), roots))
    numpy.testing.assert_allclose(to_host(roots), numpy.roots(p), atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [1, 4, 5])
def test_quantiles(method, count):
    x = RANDOM.standard_normal((3, count))
    holes = numpy.where(numpy.arange(count) == 1, numpy.nan, x)
    with precision(40):
        for share in SHARES:
            found = np.quantile(np.asarray(x), share, axis=1, method=method)
            numpy.testing.assert_allclose(to_host(found), numpy.quantile(x, share, axis=1, method=method), rtol=1e-12)
        found = np.nanpercentile(np.asarray(holes), 37.5, axis=1, method=method)
    numpy.testing.assert_allclose(to_host(found), numpy.nanpercentile(holes, 37.5, axis=1, method=method), rtol=1e-12)


def test_the_third_in_a_quantile_has_all_digits():
    x = numpy.array([1.0, 2.0, 4.0, 8.0])
    with precision(50):
        share = np.asarray(mpmath.mpf("0.3"))
        value = np.quantile(np.asarray(x), share, method="median_unbiased")
        gradient = grad(lambda q: np.quantile(x, q, method="median_unbiased"))(share)
        position = 4 * share + np.asarray(1.0) / 3 * (1 + share) - 1
        assert_zero(value - (1 + position), 1e-48)
        assert_zero(gradient - (4 + np.asarray(1.0) / 3), 1e-48)
        with pytest.raises(ValueError, match="'some' is not a valid method"):
            np.quantile(np.asarray(x), 0.5, method="some")


def test_unwrap():
    x = numpy.cumsum(RANDOM.uniform(-5, 5, (3, 6)), 1)
    for kwargs in ({}, {"axis": 0}, {"discont": 4.0}, {"period": 4.0}):
        with precision(50):
            found = np.unwrap(np.asarray(x), **kwargs)
        numpy.testing.assert_allclose(to_host(found), numpy.unwrap(x, **kwargs), rtol=1e-12)
    with precision(50):
        turned = np.unwrap(np.asarray([0.0, 6.0]))[1]
        assert_zero(turned - (6 - 2 * np.asarray(mpmath.pi)), 1e-48)
        value = grad(lambda x: np.sum(np.unwrap(x) ** 2))(np.asarray([0.0, 6.0]))
        assert_zero(value[1] - 2 * turned, 1e-48)


@KINDS
def test_covariances(a):
    counts, weights = numpy.array([1, 2, 1, 3]), numpy.array([0.5, 1.0, 2.0, 1.5])
    for args, kwargs in (
        ((a,), {}),
        ((a[0],), {}),
        ((a, a[:1] ** 2), {"ddof": 0}),
        ((a,), {"rowvar": False, "bias": True}),
        ((a,), {"fweights": counts}),
        ((a,), {"fweights": counts, "aweights": weights}),
    ):
        with precision(40):
            found = np.cov(*map(np.asarray, args), **kwargs)
        numpy.testing.assert_allclose(to_host(found), numpy.cov(*args, **kwargs), rtol=1e-12)
    with precision(40):
        found = np.corrcoef(np.asarray(a))
        assert_zero(np.diagonal(found) - 1, 1e-38)
    numpy.testing.assert_allclose(to_host(found), numpy.corrcoef(a), rtol=1e-12)
