"""Structured systems against dense ones, what is read of a matrix, stacks with bad items, and worker threads."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

import wirtinger as wt
from wirtinger import grad, hvp, linalg, value_and_grad, vjp
from wirtinger.backends import in_pieces
from wirtinger.linalg import LinAlgError
from wirtinger.linalg.kernels import numpy_gufuncs

DTYPES = (np.float64, np.complex128)


def draw(seed, *shape, dtype=np.float64):
    random = np.random.default_rng(seed)
    x = random.standard_normal(shape)
    return (x + 1j * random.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def dense(ab, l, u):
    """The matrix of a band, written with differentiable operations."""
    n = ab.shape[-1]
    a = wt.zeros((n, n), ab.dtype)
    for j in range(n):
        for i in range(max(0, j - u), min(n, j + l + 1)):
            a[i, j] = ab[u + i - j, j]
    return a


def real_loss(x):
    return wt.sum(wt.real(wt.sin(x)) + wt.imag(x))


# --- banded -----------------------------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 8), st.integers(0, 3), st.integers(0, 3), st.sampled_from(DTYPES), st.integers(0, 1000))
def test_a_banded_system_differentiates_as_the_dense_one(n, l, u, dtype, seed):
    ab, b = draw(seed, l + u + 1, n, dtype=dtype), draw(seed + 1, n, 2, dtype=dtype)
    ab[u] += 6

    def banded(ab, b):
        return real_loss(linalg.solve_banded((l, u), ab, b))

    def full(ab, b):
        return real_loss(linalg.solve(dense(ab, l, u), b))

    value, gradients = value_and_grad(banded, (0, 1))(ab, b)
    expected, references = value_and_grad(full, (0, 1))(ab, b)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    for g, reference in zip(gradients, references, strict=True):
        np.testing.assert_allclose(g, reference, rtol=1e-10, atol=1e-12)
    direction = (draw(seed + 2, *ab.shape, dtype=dtype), draw(seed + 3, *b.shape, dtype=dtype))
    for h, reference in zip(hvp(banded, (ab, b), direction), hvp(full, (ab, b), direction), strict=True):
        np.testing.assert_allclose(h, reference, rtol=1e-9, atol=1e-11)


def outside_half(n, b, lower):
    """The places of the storage that belong to no entry of the matrix."""
    k, columns = np.arange(b + 1)[:, None], np.arange(n)
    return columns + k >= n if lower else columns + k < b


BANDED = {
    "cholesky_banded": lambda ab, lower, none: wt.sum(
        wt.where(none, 0, linalg.cholesky_banded(ab, lower=lower, check_finite=False)) ** 3
    ),
    "solveh_banded": lambda ab, lower, none: wt.sum(
        linalg.solveh_banded(ab, np.arange(1.0, ab.shape[1] + 1), lower=lower, check_finite=False) ** 2
    ),
    "cho_solve_banded": lambda ab, lower, none: wt.sum(
        linalg.cho_solve_banded(
            (linalg.cholesky_banded(ab, lower=lower, check_finite=False), lower),
            np.arange(1.0, ab.shape[1] + 1),
            check_finite=False,
        )
        ** 2
    ),
    "eigvals_banded": lambda ab, lower, none: wt.sum(linalg.eigvals_banded(ab, lower=lower, check_finite=False) ** 3),
    "eig_banded": lambda ab, lower, none: wt.sum(
        linalg.eig_banded(ab, lower=lower, check_finite=False)[0] ** 2 * np.arange(ab.shape[1])
    ),
}


@pytest.mark.parametrize("garbage", [7.0, np.nan, np.inf])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize(("n", "b"), [(1, 1), (1, 3), (2, 3), (5, 1), (40, 2)])
@pytest.mark.parametrize("name", BANDED)
def test_what_stands_in_corners_outside_the_matrix_is_never_read(name, n, b, lower, garbage):
    half = draw(n, b + 1, n, dtype=np.float64)
    half[0 if lower else b] += 4 * (b + 1)
    none = outside_half(n, b, lower)
    clean, dirty = np.where(none, 0, half), np.where(none, garbage, half)

    def loss(ab):
        return BANDED[name](ab, lower, none)

    value, gradient = value_and_grad(loss)(dirty)
    expected, reference = value_and_grad(loss)(clean)
    np.testing.assert_allclose(value, expected, rtol=1e-13)
    np.testing.assert_allclose(gradient, reference, rtol=1e-11, atol=1e-13)
    np.testing.assert_array_equal(gradient[none], 0.0)
    along = np.where(none, 0.0, draw(n + 1, b + 1, n, dtype=np.float64))
    second = hvp(loss, (dirty,), (along,))
    np.testing.assert_allclose(second, hvp(loss, (clean,), (along,)), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(second[none], 0.0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize(("n", "b"), [(1, 0), (4, 2), (33, 1), (70, 3)])
def test_a_banded_cholesky_factor_differentiates_as_the_dense_one(n, b, lower, dtype):
    half = draw(n, b + 1, n, dtype=dtype)
    half[0 if lower else b] += 4 * (b + 1)
    weights = draw(n + 1, n, n)

    def banded(half):
        c = linalg.cholesky_banded(half, lower=lower)
        factor = dense(c, b, 0) if lower else dense(c, 0, b)
        return wt.sum(wt.real(factor * weights)) + wt.sum(wt.imag(factor) ** 2)

    def full(half):
        a = dense(half, b, 0) if lower else dense(half, 0, b)
        factor = linalg.cholesky(a, upper=not lower)
        return wt.sum(wt.real(factor * weights)) + wt.sum(wt.imag(factor) ** 2)

    value, gradient = value_and_grad(banded)(half)
    expected, reference = value_and_grad(full)(half)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    np.testing.assert_allclose(gradient, reference, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("call", [lambda ab: linalg.solve_banded((1, 1), ab, np.ones(4), check_finite=False)])
def test_corners_of_a_band_are_not_read(call):
    ab = draw(0, 3, 4)
    ab[1] += 5
    clean = grad(lambda ab: real_loss(call(ab)))(ab)
    ab[0, 0] = ab[2, -1] = np.nan
    gradient = grad(lambda ab: real_loss(call(ab)))(ab)
    np.testing.assert_allclose(gradient, clean)
    assert gradient[0, 0] == gradient[2, -1] == 0


def test_a_long_banded_system_never_becomes_a_matrix():
    n = 200_000
    ab = np.ones((3, n))
    ab[1] = 4
    gradient = grad(lambda ab: np.sum(linalg.solve_banded((1, 1), ab, np.ones(n))))(ab)
    assert gradient.shape == ab.shape


# --- Toeplitz ---------------------------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 8), st.sampled_from(DTYPES), st.integers(0, 1000))
def test_a_toeplitz_system_differentiates_as_the_dense_one(n, dtype, seed):
    c, r, b = (draw(seed + k, n, dtype=dtype) for k in range(3))
    c[0] += 2 * n + 3

    def fast(c, r, b):
        return real_loss(linalg.solve_toeplitz((c, r), b)) + real_loss(linalg.matmul_toeplitz((c, r), b) / 20)

    def full(c, r, b):
        t = linalg.toeplitz(c, r)
        return real_loss(linalg.solve(t, b)) + real_loss(t @ b / 20)

    for g, reference in zip(grad(fast, (0, 1, 2))(c, r, b), grad(full, (0, 1, 2))(c, r, b), strict=True):
        np.testing.assert_allclose(g, reference, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("m", "n"), [(0, 0), (1, 0), (3, 0), (0, 1), (0, 3)])
def test_a_toeplitz_product_without_elements(m, n, dtype):
    arguments = np.ones(m, dtype), np.ones(n, dtype), np.ones((n, 2), dtype)
    plain = linalg.matmul_toeplitz(arguments[:2], arguments[2])
    product, pullback = vjp(lambda c, r, x: linalg.matmul_toeplitz((c, r), x), *arguments)
    np.testing.assert_array_equal(plain, np.zeros((m, 2)))
    np.testing.assert_array_equal(product, plain)
    for x, g in zip(arguments, pullback(product), strict=True):
        np.testing.assert_array_equal(g, 0 * x)


@pytest.mark.parametrize("solve", [linalg.solve_circulant, linalg.solve_toeplitz])
def test_a_system_without_elements(solve):
    x, pullback = vjp(solve, np.ones(0), np.ones(0))
    assert x.shape == (0,)
    assert [g.shape for g in pullback(x)] == [(0,), (0,)]


def test_the_first_element_of_a_row_has_gradient_zero():
    c, r, b = draw(0, 4) + 9 * np.eye(4)[0], draw(1, 4), draw(2, 4)
    assert grad(lambda r: np.sum(linalg.solve_toeplitz((c, r), b)))(r)[0] == 0
    assert grad(lambda r: np.sum(linalg.toeplitz(c, r)))(r)[0] == 0


def test_a_singular_circulant_system():
    c, b = np.array([1.0, -1.0, 0.0]), draw(0, 3)
    with pytest.raises(LinAlgError, match="near singular"):
        linalg.solve_circulant(c, b)
    with pytest.raises(LinAlgError, match="near singular"):
        grad(lambda b: np.sum(linalg.solve_circulant(c, b)))(b)
    gradient = grad(lambda b: np.sum(linalg.solve_circulant(c, b, singular="lstsq") ** 2))(b)
    x = linalg.pinv(linalg.circulant(c))
    np.testing.assert_allclose(gradient, 2 * x.T @ x @ b, atol=1e-14)


def test_vander_at_zero():
    np.testing.assert_allclose(grad(lambda x: np.sum(linalg.vander(x, 4)))(np.zeros(2)), [1, 1])


# --- assume_a ---------------------------------------------------------------------------------------------------------


READ = {
    "diagonal": np.eye(4, dtype=bool),
    "tridiagonal": np.abs(np.subtract.outer(np.arange(4), np.arange(4))) < 2,
    "upper triangular": np.triu(np.ones((4, 4), bool)),
    "lower triangular": np.tril(np.ones((4, 4), bool)),
    "sym": np.triu(np.ones((4, 4), bool)),
    "her": np.triu(np.ones((4, 4), bool)),
    "pos": np.triu(np.ones((4, 4), bool)),
}


@pytest.mark.parametrize("structure", READ)
@pytest.mark.parametrize("dtype", DTYPES)
def test_entries_that_are_not_read_have_gradient_zero(structure, dtype):
    a = draw(0, 4, 4, dtype=dtype) + 5 * np.eye(4)
    b = draw(1, 4, dtype=dtype)

    def loss(a):
        return real_loss(linalg.solve(a, b, assume_a=structure))

    gradient = grad(loss)(a)
    assert np.all((gradient != 0) == READ[structure])
    np.testing.assert_array_equal(grad(loss)(np.where(READ[structure], a, 7.0)), gradient)


@pytest.mark.parametrize("structure", ["gen", "sym", "her", "pos"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [3, 50])
def test_assume_a_solves_as_the_general_routine(structure, dtype, n):
    a = draw(0, n, n, dtype=dtype)
    a = (a + a.T if structure == "sym" else a + a.conj().T) / 2 + 2 * n**0.5 * np.eye(n)
    b = draw(1, n, 3, dtype=dtype)
    value, gradients = value_and_grad(lambda a, b: real_loss(linalg.solve(a, b, assume_a=structure)), (0, 1))(a, b)
    expected, references = value_and_grad(lambda a, b: real_loss(linalg.solve(a, b)), (0, 1))(a, b)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    np.testing.assert_allclose(gradients[1], references[1], rtol=1e-10, atol=1e-12)
    whole = references[0]
    adjoint = whole.T if structure == "sym" else whole.conj().T
    if structure != "gen":
        both = np.triu(whole + adjoint, 1) + np.diag(np.diag(whole) if structure == "sym" else np.diag(whole).real)
        whole = both
    np.testing.assert_allclose(gradients[0], whole, rtol=1e-10, atol=1e-12)


def test_an_unknown_structure_is_named():
    with pytest.raises(ValueError, match="'simple' is not a structure"):
        linalg.solve(np.eye(2), np.ones(2), assume_a="simple")


def test_transposed_and_right_hand():
    a, b = draw(0, 3, 3, dtype=complex), draw(1, 3, 3, dtype=complex)
    np.testing.assert_allclose(linalg.solve(a, b, transposed=True), np.linalg.solve(a.T, b))
    np.testing.assert_allclose(linalg.solve(a, b, left=False) @ a, b)


# --- least squares ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [*DTYPES, np.float32, np.complex64])
@pytest.mark.parametrize(("m", "n"), [(4, 2), (2, 4), (3, 3), (0, 2), (2, 0)])
def test_lstsq_of_a_stack_is_the_stack_of_lstsq(m, n, dtype):
    a, b = draw(0, 2, 3, m, n, dtype=dtype), draw(1, 3, m, 2, dtype=dtype)
    if m == 4:
        a[1, 2, :, 1] = 2 * a[1, 2, :, 0]
    x, residuals, rank, s = linalg.lstsq(a, b)
    assert (x.dtype, s.dtype) == (np.dtype(dtype), np.dtype(dtype).type(0).real.dtype)
    for i in np.ndindex(2, 3):
        one = np.linalg.lstsq(a[i], b[i[1]])
        tolerance = 1e-4 if np.dtype(dtype).itemsize < 8 or dtype == np.complex64 else 1e-11
        np.testing.assert_allclose(x[i], one[0], rtol=tolerance, atol=tolerance)
        np.testing.assert_allclose(s[i], one[3], rtol=tolerance, atol=tolerance)
        assert rank[i] == one[2]
        if one[1].size:
            np.testing.assert_allclose(residuals[i], one[1], rtol=tolerance, atol=tolerance)


# --- stacks with bad items --------------------------------------------------------------------------------------------


FALLIBLE = {
    "solve": lambda a, **errors: linalg.solve(a, np.ones((3, 2)), **errors),
    "inv": linalg.inv,
    "cholesky": linalg.cholesky,
}


@pytest.mark.parametrize("name", FALLIBLE)
@pytest.mark.parametrize("stack", [(5,), (2, 3)])
def test_a_failure_names_the_item_and_spares_the_others(name, stack):
    call = FALLIBLE[name]
    a = draw(0, *stack, 3, 3)
    a = a @ np.swapaxes(a, -1, -2) + np.eye(3)
    bad = tuple(length - 1 for length in stack)
    good = call(a)
    a[bad] = 0
    with pytest.raises(LinAlgError, match=r"item .* of the stack") as failure:
        call(a)
    assert failure.value.batch_index == bad
    x, failed = call(a, errors="mask")
    assert failed[bad]
    assert failed.sum() == 1
    np.testing.assert_array_equal(x[~failed], good[~failed])
    assert np.all(np.isnan(x[bad]))
    np.testing.assert_array_equal(call(a, errors="nan"), x)
    gradient = grad(lambda a: wt.sum(call(a, errors="nan")))(a)
    assert np.all(np.isnan(gradient[bad]))
    assert not np.any(np.isnan(gradient[~failed]))
    without = grad(lambda a: wt.nansum(call(a, errors="nan")))(a)
    np.testing.assert_array_equal(without[~failed], gradient[~failed])
    assert np.all(without[bad] == 0)


def test_errors_says_what_it_may_be():
    with pytest.raises(ValueError, match="errors='ignore' is not one of 'raise', 'nan', 'mask'"):
        linalg.inv(np.eye(2), errors="ignore")


def test_a_wrong_shape_is_no_fault_of_an_item():
    with pytest.raises(LinAlgError, match=r"must be square$"):
        linalg.inv(np.ones((4, 2, 3)))
    with pytest.raises(LinAlgError, match=r"must be square$"):
        linalg.inv(np.ones((4, 2, 3)), errors="mask")


@pytest.mark.parametrize("call", [linalg.inv_ex, linalg.cholesky_ex, lambda a: linalg.solve_ex(a, np.ones(4))])
@pytest.mark.parametrize("shape", [(), (16,)])
def test_less_than_a_matrix_is_no_fault_of_an_item(call, shape):
    with pytest.raises(LinAlgError, match=f"^{len(shape)}-dimensional array given"):
        call(np.ones(shape))


def test_a_single_matrix_that_fails():
    with pytest.raises(LinAlgError, match=r"^Singular matrix$"):
        linalg.inv(np.zeros((2, 2)))
    x, failed = linalg.inv(np.zeros((2, 2)), errors="mask")
    assert bool(failed)
    assert np.all(np.isnan(x))


def test_info_is_the_pivot_that_is_zero():
    a = np.stack([np.eye(3), np.diag([1.0, 0.0, 1.0]), np.diag([1.0, 1.0, 0.0])])
    np.testing.assert_array_equal(linalg.inv_ex(a).info, [0, 2, 3])
    np.testing.assert_array_equal(linalg.solve_ex(a, np.ones(3)).info, [0, 2, 3])
    with pytest.raises(LinAlgError, match=r"pivot 2 is zero \(item 1 of the stack\)"):
        linalg.inv_ex(a, check_errors=True)


# --- threads ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["eig", "eigh", "eigvals", "eigvalsh", "svd", "svdvals", "qr"])
def test_threads_do_not_change_a_bit(name):
    a = draw(0, 2, 900, 6, 6)
    a = a + np.swapaxes(a, -1, -2)
    with wt.num_threads(1):
        one = getattr(numpy_gufuncs, name)(a)
    with wt.num_threads(3):
        several = getattr(numpy_gufuncs, name)(a)
    assert type(one) is type(several)
    for x, y in zip(one, several, strict=True) if isinstance(one, tuple) else [(one, several)]:
        np.testing.assert_array_equal(x, y)
        assert x.dtype == y.dtype


def test_pieces_make_up_the_whole_and_the_first_failure_is_raised():
    done = np.zeros(100, int)

    def mark(piece):
        done[piece] += 1

    with wt.num_threads(4):
        in_pieces(mark, 100, 10)
    assert np.all(done == 1)

    def fail(piece):
        raise ValueError(f"from {piece.start}")

    with wt.num_threads(4), pytest.raises(ValueError, match="from 0"):
        in_pieces(fail, 100, 10)


def test_a_worker_does_not_wait_for_workers():
    names, both = [], threading.Barrier(2, timeout=60)

    def inner(piece):
        names.append(threading.current_thread().name)

    def outer(piece):
        both.wait()  # or a caller who is done first takes the other piece, too
        in_pieces(inner, 100, 1)

    with wt.num_threads(2):
        in_pieces(outer, 100, 50)
    assert len(names) == 3  # the calling thread splits its piece again, the worker does not


@pytest.mark.parametrize("count", [0, -1])
def test_a_number_of_threads_is_positive(count):
    with pytest.raises(ValueError, match="at least 1"):
        wt.set_num_threads(count)


def test_slogdet_of_a_large_matrix_reuses_its_factors():
    a = draw(0, 60, 60, dtype=complex)
    gradient = grad(lambda a: linalg.slogdet(a)[1])(a)
    np.testing.assert_allclose(gradient, np.linalg.inv(a).conj().T, rtol=1e-9)
    assert scipy.linalg.norm(gradient) > 0
