"""Polar, RQ, Hessenberg and LDL factors, bases and structured systems at 60 digits: identities, SciPy's conventions."""

from __future__ import annotations

import warnings

import numpy
import pytest
import scipy.linalg

import wirtinger as np
from wirtinger import DeviceError, linalg, precision, to_host

RANDOM = numpy.random.default_rng(3)
REAL = RANDOM.standard_normal((5, 5))
COMPLEX = REAL + 1j * RANDOM.standard_normal((5, 5))
KINDS = pytest.mark.parametrize("a", [REAL, COMPLEX], ids=["real", "complex"])
SHAPES = [(4, 4), (5, 3), (3, 5), (1, 1)]


def H(x):
    return np.conjugate(x).mT


def assert_zero(x):
    assert not x.size or abs(x).max() < 1e-56


def assert_as_doubles(found, expected):
    for x, y in zip(found, expected, strict=True):
        numpy.testing.assert_allclose(to_host(x), y, atol=1e-12)


@KINDS
@pytest.mark.parametrize("shape", SHAPES)
def test_polar(a, shape):
    a = a[: shape[0], : shape[1]]
    with precision(60):
        for side in ("right", "left"):
            u, p = linalg.polar(np.asarray(a), side=side)
            assert_zero((u @ p if side == "right" else p @ u) - a)
            assert_zero(p - H(p))
            assert_as_doubles((u, p), scipy.linalg.polar(a, side))
        with pytest.raises(ValueError, match="side"):
            linalg.polar(np.asarray(a), side="middle")


@KINDS
@pytest.mark.parametrize("shape", SHAPES)
def test_rq(a, shape):
    a = a[: shape[0], : shape[1]]
    with precision(60):
        for mode in ("full", "economic"):
            r, q = linalg.rq(np.asarray(a), mode=mode)
            assert_zero(r @ q - a)
            assert_zero(q @ H(q) - numpy.eye(len(q)))
            assert_as_doubles((r, q), scipy.linalg.rq(a, mode=mode))
        assert_zero(linalg.rq(np.asarray(a), mode="r") - linalg.rq(np.asarray(a))[0])


@KINDS
@pytest.mark.parametrize("shape", SHAPES)
def test_pivoted_qr(a, shape):
    a = a[: shape[0], : shape[1]]
    with precision(60):
        q, r, order = linalg.qr(np.asarray(a), pivoting=True)
        assert_zero(q @ r - a[:, order])
        assert_as_doubles((q, r, order), scipy.linalg.qr(a, pivoting=True, mode="economic"))
        with pytest.raises(DeviceError, match="raw"):
            linalg.qr(np.asarray(a), pivoting=True, mode="raw")


@KINDS
@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_hessenberg(a, size):
    a = a[:size, :size]
    with precision(60):
        h, q = linalg.hessenberg(np.asarray(a), calc_q=True)
        assert_zero(q @ h @ H(q) - a)
        assert not np.any(np.tril(h, -2))
        assert_as_doubles((h, q), scipy.linalg.hessenberg(a, calc_q=True))
        with pytest.raises(ValueError, match="square"):
            linalg.hessenberg(np.ones((2, 3)))


@KINDS
@pytest.mark.parametrize("hermitian", [True, False])
@pytest.mark.parametrize("lower", [True, False])
def test_ldl(a, lower, hermitian):
    a = a * numpy.array([[0.01], [1.0], [1.0], [1.0], [1.0]])  # with blocks of one and of two rows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", numpy.exceptions.ComplexWarning)  # SciPy's, of the diagonal
        expected = scipy.linalg.ldl(a, lower=lower, hermitian=hermitian)
        with precision(60):
            l, d, order = linalg.ldl(np.asarray(a), lower=lower, hermitian=hermitian)
            x = l @ d @ (H(l) if hermitian else l.mT) - a
            assert_zero(np.tril(x, -1) if lower else np.triu(x, 1))
            assert_zero(np.real(np.diagonal(x)))
            assert_as_doubles((l, d, order), expected)


@KINDS
def test_bases_of_a_matrix_that_is_singular_to_all_digits(a):
    with precision(60):
        x = np.asarray(a[:, :2]) @ np.asarray(a[:2, :4])
        columns, kernel = linalg.orth(x), linalg.null_space(x)
        assert columns.shape == (5, 2)
        assert kernel.shape == (4, 2)
        assert_zero(columns @ (H(columns) @ x) - x)
        assert_zero(x @ kernel)
        assert_zero(H(kernel) @ kernel - numpy.eye(2))
        square = x @ H(x)
        inverse, rank = linalg.pinvh(square, return_rank=True)
        assert rank == 2
        assert_zero((square @ inverse @ square - square) * 1e-3)
        stack = np.stack([square, np.asarray(numpy.eye(5))])
        with pytest.raises(ValueError, match="different ranks"):
            linalg.orth(stack)
        with pytest.raises(ValueError, match="positive"):
            linalg.pinvh(square, rtol=-1.0)


@KINDS
def test_systems_with_a_structure(a):
    product, right = a @ a.conj().T, a[:, :2]
    positive = (product + product.conj().T) / 2 + numpy.eye(5)  # BLAS need not give conjugate entries the same rounding
    with precision(60):
        for structure in ("pos", "her", "sym", "diagonal", "tridiagonal", "upper triangular"):
            found = linalg.solve(np.asarray(positive), np.asarray(right), assume_a=structure)
            assert_as_doubles([found], [linalg.solve(positive, right, assume_a=structure)])
        assert_zero(linalg.inv(np.asarray(positive), assume_a="pos") @ positive - numpy.eye(5))
        for lower in (True, False):
            factor = linalg.cho_factor(np.asarray(positive), lower=lower)
            assert_as_doubles(factor[:1], scipy.linalg.cho_factor(positive, lower=lower)[:1])
            assert_zero(positive @ linalg.cho_solve(factor, np.asarray(right)) - right)
        with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
            linalg.solve(np.asarray(-positive), np.asarray(right), assume_a="pos")
        rotation, scale = linalg.orthogonal_procrustes(np.asarray(a), np.asarray(positive))
        assert_as_doubles((rotation, scale), scipy.linalg.orthogonal_procrustes(a, positive))


BAND = numpy.random.default_rng(4).standard_normal((4, 5)) + numpy.array([[0], [0], [9], [0]])
HALF = numpy.array([[9.0, 8, 7, 9, 6], [1, 2, -1, 2, 5], [1, -1, 2, 3, 4]])


@KINDS
def test_banded_systems(a):
    b = a[:, :2]
    with precision(60):
        for ab, counts in ((BAND, (1, 2)), (BAND * (1 + 0.1j), (1, 2)), (BAND[2:], (1, 0)), (BAND[:3], (0, 2))):
            l, u = counts
            dense = sum(numpy.diag(ab[u - k, max(k, 0) : 5 + min(k, 0)], k) for k in range(-l, u + 1))
            x = linalg.solve_banded(counts, np.asarray(ab), np.asarray(b))
            assert_zero(np.asarray(dense) @ x - b)
            assert_as_doubles([x], [scipy.linalg.solve_banded(counts, ab, b)])
        x = linalg.solveh_banded(np.asarray(HALF), np.asarray(b), lower=True)
        assert_as_doubles([x], [scipy.linalg.solveh_banded(HALF, b, lower=True)])
        with pytest.raises(np.linalg.LinAlgError):
            linalg.solveh_banded(np.asarray(-HALF), np.asarray(b), lower=True)


def test_banded_cholesky_factors():
    upper = numpy.array([HALF[2 - k, [0] * (2 - k) + list(range(3 + k))] for k in range(3)])
    with precision(60):
        for ab, lower in ((HALF, True), (upper, False)):
            c = linalg.cholesky_banded(np.asarray(ab), lower=lower)
            assert_as_doubles([c], [scipy.linalg.cholesky_banded(ab, lower=lower)])
            x = linalg.cho_solve_banded((c, lower), np.asarray(REAL))
            assert_zero(x - linalg.solveh_banded(np.asarray(ab), np.asarray(REAL), lower=lower))


@KINDS
def test_toeplitz_systems(a):
    c, r, b = a[0] + [9, 0, 0, 0, 0], a[1], a[:, :3]
    with precision(60):
        x = linalg.solve_toeplitz((np.asarray(c), np.asarray(r)), np.asarray(b))
        assert_zero(linalg.toeplitz(np.asarray(c), np.asarray(r)) @ x - b)
        assert_as_doubles([x], [scipy.linalg.solve_toeplitz((c, r), b)])


@KINDS
@pytest.mark.parametrize("method", [None, "direct", "bilinear"])
def test_discrete_lyapunov_equations(a, method):
    a, q = a / 3, a[::-1]
    with precision(60):
        x = linalg.solve_discrete_lyapunov(np.asarray(a), np.asarray(q), method)
        assert_zero(np.asarray(a) @ x @ H(np.asarray(a)) - x + q)
        assert_as_doubles([x], [scipy.linalg.solve_discrete_lyapunov(a, q, method)])
        with pytest.raises(ValueError, match="Unknown solver"):
            linalg.solve_discrete_lyapunov(np.asarray(a), np.asarray(q), "other")


@KINDS
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_ex(a, upper):
    a = numpy.tril(a, -1) + numpy.tril(a, -1).conj().T + 9 * numpy.eye(5)
    stack = numpy.stack([a, a - numpy.diag([0, 0, 99, 0, 0])])
    with precision(60):
        l, info = linalg.cholesky_ex(np.asarray(a), upper=upper)
        assert_zero((H(l) @ l if upper else l @ H(l)) - a)
        assert info == 0
        assert linalg.cholesky_ex(np.asarray(stack), upper=upper).info.tolist() == [0, 3]
        with pytest.raises(np.linalg.LinAlgError, match="order 3"):
            linalg.cholesky_ex(np.asarray(stack), check_errors=True)


@KINDS
@pytest.mark.parametrize("pivoting", [False, True])
def test_qr_multiply(a, pivoting):
    with precision(60):
        for mode, c in (("left", a[:3, :3]), ("right", a)):
            made = linalg.qr_multiply(np.asarray(a[:, :3]), np.asarray(c), mode, pivoting)
            assert_as_doubles(made, scipy.linalg.qr_multiply(a[:, :3], c, mode, pivoting))
