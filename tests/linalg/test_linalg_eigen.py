"""Eigenvalues and singular values: what the options mean, conventions of phases, bands, norms."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import scipy.linalg

from eigenvalue_helpers import KINDS, second_derivatives
from random_matrices import definite, drawn, general_with, hermitian_with
from wirtinger import grad, gradcheck, hvp, jvp, vjp
from wirtinger import linalg as L
from wirtinger.complex_autograd.engine.errors import GaugeError, NotDifferentiableError
from wirtinger.linalg.banded import eigenvalue_rule

DTYPES = [np.float32, np.float64, np.complex64, np.complex128]


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("options", [{}, {"lower": False}, {"driver": "evr"}, {"subset_by_index": (1, 2)}])
def test_eigh_is_scipys(options, dtype):
    a = drawn(4, 4, dtype=dtype)
    w, v = L.eigh(a, **options)
    expected = scipy.linalg.eigh(a, **options)
    tolerance = 100 * np.finfo(dtype).eps
    np.testing.assert_allclose(w, expected[0], atol=tolerance)
    np.testing.assert_allclose(np.abs(v), np.abs(expected[1]), atol=tolerance)
    np.testing.assert_allclose(L.eigvalsh(a, **options), w, atol=tolerance)
    np.testing.assert_allclose(L.eigh(a, eigvals_only=True, **options), w, atol=tolerance)
    assert (w.dtype, v.dtype) == (expected[0].dtype, expected[1].dtype)
    assert v.dtype == dtype


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("kind", [1, 2, 3])
@pytest.mark.parametrize("lower", [True, False])
def test_pairs_have_the_values_of_scipy_also_under_differentiation(lower, kind, dtype):
    a, b = hermitian_with((1, 2, 3, 5), dtype), definite(4, dtype)
    expected = scipy.linalg.eigh(a, b, lower=lower, type=kind)
    for result in (
        L.eigh(a, b, lower=lower, type=kind),
        vjp(lambda a, b: L.eigh(a, b, lower=lower, type=kind), a, b)[0],
        L.eigh(np.stack([a, a]), b, lower=lower, type=kind),
    ):
        for x, y in zip(result, expected, strict=True):
            np.testing.assert_allclose(x[(0,) * (x.ndim - y.ndim)], y, rtol=1e-10, atol=1e-10)


def test_the_second_argument_is_numpys_triangle_or_scipys_matrix():
    a = drawn(3, 3, dtype=float)
    np.testing.assert_array_equal(L.eigh(a, "U")[0], np.linalg.eigh(a, "U")[0])
    np.testing.assert_array_equal(L.eigvalsh(a, UPLO="U"), np.linalg.eigvalsh(a, "U"))
    b = definite(3, float)
    np.testing.assert_allclose(L.eigh(a, b)[0], scipy.linalg.eigh(a, b)[0], rtol=1e-12)
    with pytest.raises(ValueError, match="UPLO"):
        L.eigh(a, "X")


def test_wrong_options_of_eigenvalue_problems_raise():
    a, b = np.eye(3), np.eye(3)
    with pytest.raises(ValueError, match="Either index or value"):
        L.eigh(a, subset_by_index=(0, 1), subset_by_value=(0, 1))
    with pytest.raises(ValueError, match="indices are not valid"):
        L.eigvalsh(a, subset_by_index=(1, 3))
    with pytest.raises(ValueError, match="bounds are not valid"):
        L.eigh(a, subset_by_value=(1, 0))
    with pytest.raises(ValueError, match="unknown"):
        L.eigh(a, driver="none")
    with pytest.raises(ValueError, match="type"):
        L.eigh(a, b, type=4)
    with pytest.raises(ValueError, match="infs or NaNs"):
        L.eigh(np.full((2, 2), np.nan), check_finite=True)
    with pytest.raises(ValueError, match="not a convention"):
        L.svd(a, gauge="mine")
    with pytest.raises(ValueError, match="not available for pairs"):
        L.eig(a, b, gauge="lapack")
    with pytest.raises(ValueError, match="between 1 and 2 eigenvalues"):
        L.eigh(np.stack([np.diag([1.0, 2, 5]), np.diag([1.0, 5, 6])]), subset_by_value=(0, 3))
    with pytest.raises(L.LinAlgError, match="positive definite"):
        L.eigh(a, -b)
    with pytest.raises(TypeError, match="real arrays"):
        L.eigh_tridiagonal(np.ones(2, complex), np.ones(1))


def test_generalized_eigenvalues_against_mpmath():
    """The gradient of one eigenvalue of a pair, at 40 digits, by differences."""
    a, b = hermitian_with((1, 2, 4), float), definite(3, float)
    t, s = hermitian_with((1, -1, 0.5), float, 1), hermitian_with((0.3, 1, -2), float, 2)

    def smallest(x):
        p, q = mpmath.matrix(a) + x * mpmath.matrix(t), mpmath.matrix(b) + x * mpmath.matrix(s)
        inner = mpmath.cholesky(q) ** -1
        return mpmath.eigsy(inner * p * inner.T, eigvals_only=True)[0]

    with mpmath.workdps(40):
        expected = float(mpmath.diff(smallest, 0))
    first_derivative = jvp(lambda a, b: L.eigvalsh(a, b)[0], (a, b), (t, s))[1]
    np.testing.assert_allclose(first_derivative, expected, rtol=1e-12)
    ga, gb = grad(lambda a, b: L.eigvalsh(a, b)[0], (0, 1))(a, b)
    np.testing.assert_allclose(np.sum(ga * t) + np.sum(gb * s), expected, rtol=1e-12)


@pytest.mark.parametrize("dtype", KINDS)
def test_eig_is_scipys(dtype):
    a, b = drawn(4, 4, dtype=dtype), drawn(4, 4, dtype=dtype, seed=1)
    for args in ((a,), (a, b)):
        w, left, right = L.eig(*args, left=True)
        expected = scipy.linalg.eig(*args, left=True)
        for x, y in zip((w, left, right), expected, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-12)
        traced = vjp(lambda *args: L.eig(*args, left=True), *args)[0]
        for x, y in zip(traced, (w, left, right), strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-10)
        pairs = L.eigvals(*args, homogeneous_eigvals=True)
        np.testing.assert_allclose(pairs, scipy.linalg.eigvals(*args, homogeneous_eigvals=True), rtol=1e-10, atol=1e-10)
    assert len(L.eig(a, left=True, right=False)) == 2
    np.testing.assert_allclose(L.eig(a, left=False, right=False), L.eigvals(a))


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_left_vectors_of_single_precision_have_the_same_phases_under_differentiation(dtype):
    random = np.random.default_rng(0)
    a = random.normal(size=(20, 4, 4)) + 1j * random.normal(size=(20, 4, 4)) * (dtype is np.complex64)
    a = (a if dtype is np.complex64 else a.real).astype(dtype)
    plain = L.eig(a, left=True)
    traced = vjp(lambda a: tuple(L.eig(a, left=True)), a)[0]
    for x, y in zip(plain, traced, strict=True):
        assert x.dtype == y.dtype == np.complex64
        np.testing.assert_allclose(x, y, atol=1e-5)
    np.testing.assert_array_equal(plain[2], L.eig(a)[1])


def test_infinite_eigenvalues():
    a, b = drawn(3, 3, dtype=float), np.diag([1.0, 2.0, 0.0])
    w = L.eigvals(a, b)
    finite = np.isfinite(w)
    assert np.sum(finite) == 2

    def loss(a, b):
        return np.sum(np.abs(L.eigvals(a, b)[finite]) ** 2)

    def reference(a, b):  # the Schur complement of what b leaves out
        s = (a[:2, :2] - a[:2, 2:] @ a[2:, :2] / a[2, 2]) / np.diagonal(b)[:2, None]
        return np.sum(np.abs(L.eigvals(s)) ** 2)

    found, expected = grad(loss, (0, 1))(a, b), grad(reference, (0, 1))(a, b)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(np.diagonal(found[1])[:2], np.diagonal(expected[1])[:2], rtol=1e-9)
    with pytest.raises(NotDifferentiableError, match="infinite eigenvalue"):
        vjp(lambda a: L.eigvals(a, b), a)[1](np.ones(3))
    with pytest.raises(GaugeError, match="common factor"):
        grad(lambda a: np.sum(np.abs(L.eigvals(a, b, homogeneous_eigvals=True)[0])))(a)
    with pytest.raises(NotDifferentiableError, match="singular to working precision"):
        grad(lambda a: np.real(L.eigvals(a, 0 * b)[0]))(0 * a)


@pytest.mark.parametrize("dtype", KINDS)
def test_svd_takes_scipys_options(dtype):
    a = drawn(4, 3, dtype=dtype)
    for driver in ("gesdd", "gesvd"):
        for full in (True, False):
            expected = scipy.linalg.svd(a, full, lapack_driver=driver)
            for result in (
                L.svd(a, full, lapack_driver=driver),
                vjp(lambda a, full=full, driver=driver: L.svd(a, full, lapack_driver=driver), a)[0],
            ):
                for x, y in zip(result, expected, strict=True):
                    np.testing.assert_allclose(x, y, atol=1e-13)
    np.testing.assert_allclose(L.svd(a, compute_uv=False, lapack_driver="gesvd"), L.svdvals(a, check_finite=True))
    with pytest.raises(ValueError, match="lapack_driver"):
        L.svd(a, lapack_driver="none")


# --- bands ------------------------------------------------------------------------------------------------------------


def dense_of(band, lower):
    rows, n = band.shape
    a = np.zeros((n, n), band.dtype)
    for k in range(min(rows, n)):
        a += np.diag(band[k, : n - k], -k) if lower else np.diag(band[rows - 1 - k, k:], k)
    return a


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize(
    "options", [{}, {"select": "i", "select_range": (1, 3)}, {"select": "v", "select_range": (-1, 1)}]
)
def test_band_matrices(options, lower, dtype):
    band = drawn(3, 6, dtype=dtype)
    band[0 if lower else -1] = band[0 if lower else -1].real
    expected = scipy.linalg.eig_banded(band, lower, **options)
    for result in (L.eig_banded(band, lower, **options), vjp(lambda b: L.eig_banded(b, lower, **options), band)[0]):
        for x, y in zip(result, expected, strict=True):
            np.testing.assert_allclose(x, y, atol=1e-12)
    np.testing.assert_allclose(L.eigvals_banded(band, lower, **options), expected[0], atol=1e-12)

    def chosen(a):
        w = L.eigvalsh(a, lower=lower)
        return np.sum(np.sin(np.take(w, np.searchsorted(w, expected[0] - 1e-9))))

    g = grad(lambda b: np.sum(np.sin(L.eigvals_banded(b, lower, **options))))(band)
    full = grad(chosen)(dense_of(band, lower))
    np.testing.assert_allclose(dense_of(g, lower), full * (dense_of(np.ones((3, 6)), lower) != 0), atol=1e-12)


def test_eigenvalues_of_bands_and_their_gradients_form_no_matrix(monkeypatch):
    def refuse(*args):
        raise AssertionError("a matrix was formed")

    monkeypatch.setattr(eigenvalue_rule, "dense", refuse)
    band, d, e = drawn(3, 9), drawn(9, dtype=float), drawn(8, dtype=float)
    grad(lambda b: np.sum(L.eigvals_banded(b) ** 2))(band)
    jvp(lambda b: L.eigvals_banded(b, select="i", select_range=(0, 2)), (band,), (band,))
    grad(lambda d, e: np.sum(L.eigvalsh_tridiagonal(d, e) ** 2), (0, 1))(d, e)


@pytest.mark.parametrize("driver", ["auto", "stemr", "stebz", "stev", "stevd"])
def test_tridiagonal_matrices(driver):
    d, e = drawn(5, dtype=float), drawn(4, dtype=float, seed=1)
    a = np.diag(d) + np.diag(e, 1) + np.diag(e, -1)
    w, v = L.eigh_tridiagonal(d, e, lapack_driver=driver)
    np.testing.assert_allclose(w, np.linalg.eigvalsh(a), atol=1e-13)
    np.testing.assert_allclose(a @ v, v * w, atol=1e-13)
    gd, ge = grad(lambda d, e: L.eigvalsh_tridiagonal(d, e, lapack_driver=driver)[1], (0, 1))(d, e)
    np.testing.assert_allclose(gd, v[:, 1] ** 2, atol=1e-12)
    np.testing.assert_allclose(ge, 2 * v[:-1, 1] * v[1:, 1], atol=1e-12)


def test_tridiagonal_matrices_with_equal_eigenvalues():
    d, e = np.array([1.0, 1.0, 2.0, 2.0]), np.zeros(3)

    def f(d, e):
        return np.sum(L.eigvalsh_tridiagonal(d, e) ** 3)

    def reference(d, e):
        return np.sum(d**3) + 3 * np.sum(e**2 * (d[1:] + d[:-1]))

    t = (drawn(4, dtype=float), drawn(3, dtype=float))
    for found, expected in zip(hvp(f, (d, e), t), hvp(reference, (d, e), t), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-12)
    g = grad(lambda d: L.eigvalsh_tridiagonal(d, e, select="i", select_range=(0, 0))[0])(d)
    np.testing.assert_allclose(g, [0.5, 0.5, 0, 0], atol=1e-15)


# --- conventions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("n", [1, 2, 3, 8, 40])
def test_lapacks_convention_is_what_lapack_returns(n, dtype):
    a = drawn(n, n, dtype=dtype)
    rounding = 100 * n * np.finfo(dtype).eps
    assert np.max(np.abs(np.imag(L.eigh(a, "L")[1][0]))) < rounding
    assert np.max(np.abs(np.imag(L.eigh(a, "U")[1][-1]))) < rounding
    v = L.eig(a)[1]
    assert np.max(np.abs(np.imag(np.take_along_axis(v, np.argmax(np.abs(v), axis=0)[None], axis=0)))) < rounding
    for shape in ((n, n), (n + 2, n), (5 * n, n)):
        assert np.max(np.abs(np.imag(L.svd(drawn(*shape, dtype=dtype), full_matrices=False)[2][:, 0]))) < rounding
    for shape in ((n, n + 2), (n, 5 * n)):
        assert np.max(np.abs(np.imag(L.svd(drawn(*shape, dtype=dtype), full_matrices=False)[0][0]))) < rounding


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_largest_element_is_real_and_positive(dtype):
    a = drawn(4, 4, dtype=dtype)
    for result in (
        L.eigh(a, gauge="max-real")[1],
        L.eig(a, gauge="max-real")[1],
        L.svd(a, gauge="max-real")[0],
        L.eig_banded(drawn(2, 5, dtype=dtype), gauge="max-real")[1],
        vjp(lambda a: L.eigh(a, gauge="max-real")[1], a)[0],
    ):
        largest = np.take_along_axis(result, np.argmax(np.abs(result), axis=0)[None], axis=0)
        assert np.all(np.real(largest) > 0)
        np.testing.assert_allclose(np.imag(largest), 0, atol=10 * np.finfo(dtype).eps)


@pytest.mark.parametrize("gauge", ["lapack", "max-real"])
@pytest.mark.parametrize("function", [L.eigh, L.eig, L.svd])
def test_a_convention_gives_losses_of_phases_a_derivative(function, gauge):
    a, m = drawn(3, 3), drawn(3, 3, seed=1)

    def loss(a, gauge):
        return np.real(np.sum(m * function(a, gauge=gauge)[0 if function is L.svd else 1]))

    assert gradcheck(lambda a: loss(a, gauge), a)
    with pytest.raises(GaugeError, match=r"phase of column .* gauge='max-real'"):
        grad(lambda a: loss(a, None))(a)


def test_the_convention_of_lapack_where_its_element_is_zero_is_none():
    with pytest.raises(GaugeError, match="phase of column"):
        grad(lambda a: np.real(L.eigh(a, gauge="lapack")[1][1, 1] * (1 + 2j)))(np.diag([1.0, 2.0 + 0j]))


# --- norms ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [None, "fro", 1, -1, 2, -2, np.inf, -np.inf])
def test_condition_numbers_of_singular_matrices_have_no_derivative(p):
    for singular in (np.ones((2, 2)), np.diag([1.0, 0.0])):
        with pytest.raises(NotDifferentiableError, match="singular"), np.errstate(all="ignore"):
            grad(lambda a, singular=singular: L.cond(a, p))(singular)


@pytest.mark.parametrize("dtype", KINDS)
def test_condition_numbers_against_mpmath(dtype):
    a, t = drawn(3, 3, dtype=dtype), drawn(3, 3, dtype=dtype, seed=1)

    def exact(p):
        def at(x):
            b = mpmath.matrix(a.tolist()) + x * mpmath.matrix(t.tolist())
            if p == 2:
                s = mpmath.svd_c(b, compute_uv=False)
                return s[0] / s[2]
            return mpmath.mnorm(b, p) * mpmath.mnorm(b**-1, p)

        with mpmath.workdps(40):
            return float(mpmath.diff(at, 0))

    for p, name in ((1, 1), (mpmath.inf, np.inf), ("f", "fro"), (2, 2)):
        found = jvp(lambda a, name=name: L.cond(a, name), (a,), (t,))[1]
        np.testing.assert_allclose(found, exact(p), rtol=1e-9, err_msg=str(p))


def test_the_nuclear_norm_where_values_are_equal_and_zero():
    a = general_with((2, 2, 0), 4, 3, float)
    u, _, vh = np.linalg.svd(a)
    np.testing.assert_allclose(grad(lambda a: L.norm(a, "nuc"))(a), u[:, :2] @ vh[:2], atol=1e-14)
    t = drawn(4, 3, dtype=float)
    second = hvp(lambda a: L.norm(a, "nuc"), (np.eye(3),), (t[:3],))
    np.testing.assert_allclose(second, (t[:3] - t[:3].T) / 2, atol=1e-13)
    with pytest.raises(ValueError, match="infs or NaNs"):
        L.norm(np.array([np.inf]), check_finite=True)


# --- failures in stacks -----------------------------------------------------------------------------------------------


def test_an_item_of_a_stack_that_fails_is_named_or_left_out():
    a, b = np.stack([np.eye(2)] * 3), np.stack([np.eye(2), -np.eye(2), 2 * np.eye(2)])
    with pytest.raises(L.LinAlgError, match="item 1") as caught:
        L.eigh(a, b)
    assert caught.value.batch_index == (1,)
    w, failed = L.eigvalsh(a, b, errors="mask")
    np.testing.assert_array_equal(failed, [False, True, False])
    np.testing.assert_allclose(w[[0, 2]], [[1, 1], [0.5, 0.5]])
    assert np.all(np.isnan(w[1]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_nothing(dtype):
    none = np.zeros((0, 0), dtype)
    for result in (L.eigh(none), L.eig(none), L.eigh(none, none), L.eig(none, none), vjp(L.eigh, none)[0]):
        assert [x.shape for x in result] == [(0,), (0, 0)]
    assert L.eig_banded(np.zeros((1, 0), dtype))[0].shape == (0,)
    assert L.eigvals(np.zeros((0, 3, 3), dtype), np.zeros((3, 3), dtype)).shape == (0, 3)
    assert L.eigh(np.zeros((0, 3, 3), dtype), np.eye(3, dtype=dtype), gauge="max-real")[1].shape == (0, 3, 3)


@pytest.mark.parametrize("dtype", KINDS)
def test_second_derivatives_of_functions_where_all_eigenvalues_of_general_matrices_are_equal(dtype):
    """The first derivative shows nothing of the vectors, the second one does."""
    weights, t, h = drawn(3, 3, dtype=dtype, seed=1), hermitian_with((1, 2, 4), dtype), drawn(3, 3, dtype=dtype, seed=2)
    a = np.eye(3, dtype=dtype)

    def by_vectors(a):
        w, v = L.eig(a)
        return np.real(np.sum(weights * ((v * np.exp(w)) @ L.inv(v))))

    found = second_derivatives(by_vectors, a, t, h)
    expected = second_derivatives(lambda a: np.real(np.sum(weights * L.expm(a))), a, t, h)
    for key, derivative in found.items():
        np.testing.assert_allclose(derivative(), expected[key](), rtol=0, atol=2e-10, err_msg=key)
