"""Factorizations: SciPy's values, stacks, empty arrays, failures, and where derivatives do not exist."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
import scipy.linalg

import wirtinger
from random_matrices import H, definite, drawn
from wirtinger import NotDifferentiableError, grad, gradcheck, jvp, value_and_grad, vjp
from wirtinger.complex_autograd.engine.errors import GaugeError

L = wirtinger.linalg
DTYPES = [np.float32, np.float64, np.complex64, np.complex128]
DOUBLES = [np.float64, np.complex128]


def several(result):
    """The parts of a result, also where it is one."""
    return result if isinstance(result, tuple) else (result,)


def floats(result):
    """The floating-point arrays of a result, traced or not."""
    return [x for x in several(result) if hasattr(x, "dtype") and x.dtype.kind in "fc"]


def tolerance(dtype, factor=100.0):
    return factor * float(np.finfo(dtype).eps)


SINGLE = {
    "solve_triangular": lambda space, a: space.solve_triangular(a, a[:, :2], lower=True),
    "solve_triangular transposed": lambda space, a: space.solve_triangular(a, a[:, 0], "C", unit_diagonal=True),
    "cho_factor": lambda space, a: np.triu(space.cho_factor(a @ H(a) + np.eye(4, dtype=a.dtype))[0]),
    "cho_solve": lambda space, a: space.cho_solve((a, True), a[:, 0]),
    "lu": lambda space, a: space.lu(a),
    "lu permuted": lambda space, a: space.lu(a[:, :3], permute_l=True),
    "lu indices": lambda space, a: space.lu(a[:3], p_indices=True),
    "lu_factor": lambda space, a: space.lu_factor(a),
    "lu_solve": lambda space, a: space.lu_solve((a, [2, 1, 3, 3]), a[:, :2], 1),
    "ldl": lambda space, a: space.ldl(a + H(a)),
    "ldl symmetric": lambda space, a: space.ldl(a + a.T, False, False),
    "rq": lambda space, a: space.rq(a[:3]),
    "rq economic": lambda space, a: space.rq(a[:, :3], mode="economic"),
    "qr_multiply": lambda space, a: space.qr_multiply(a, a[0], pivoting=True),
    "qr_multiply from the left": lambda space, a: space.qr_multiply(a[:, :2], a[:2], "left", conjugate=True),
    "qr_multiply whole": lambda space, a: space.qr_multiply(a[:, :2], a + 0, "left", overwrite_c=True),
    "qr_insert": lambda space, a: space.qr_insert(np.eye(4, dtype=a.dtype), np.triu(a), a[0], 1),
    "qr_delete": lambda space, a: space.qr_delete(np.eye(4, dtype=a.dtype), np.triu(a), 1, 2, "col"),
    "qr_update": lambda space, a: space.qr_update(np.eye(4, dtype=a.dtype), np.triu(a), a[0], a[1]),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("call", SINGLE.values(), ids=SINGLE)
def test_values_are_those_of_scipy(call, dtype):
    a = drawn(4, 4, dtype=dtype)
    before = a.copy()
    ours, theirs = call(L, a), call(scipy.linalg, a)
    np.testing.assert_array_equal(a, before)
    assert type(ours) is type(theirs)
    for x, y in zip(several(ours), several(theirs), strict=True):
        assert np.asarray(x).dtype == np.asarray(y).dtype
        np.testing.assert_allclose(x, y, rtol=tolerance(dtype, 8), atol=tolerance(dtype, 1))


@pytest.mark.parametrize("dtype", DOUBLES)
@pytest.mark.parametrize("call", SINGLE.values(), ids=SINGLE)
def test_values_do_not_change_under_differentiation(call, dtype):
    a = drawn(4, 4, dtype=dtype)
    for traced, plain in zip(floats(vjp(lambda a: call(L, a), a)[0]), floats(call(L, a)), strict=True):
        np.testing.assert_allclose(traced, plain, rtol=tolerance(dtype), atol=tolerance(dtype))


def test_one_matrix_with_a_stack_of_factors_has_a_stack_of_triangles():
    a, c = drawn(4, 3, dtype=float), drawn(3, 2, 4, dtype=float)
    plain = L.qr_multiply(a, c, pivoting=True)
    traced = vjp(lambda a: L.qr_multiply(a, c, pivoting=True), a)[0]
    for x, y in zip(plain, traced, strict=True):
        assert np.shape(x) == np.shape(y)
        np.testing.assert_allclose(x, y, atol=1e-13)


STACKED = {
    "cholesky": lambda a: L.cholesky(a @ H(a) + 4 * np.eye(4), lower=False),
    "cholesky_ex": lambda a: L.cholesky_ex(a + H(a)),
    "cho_factor": lambda a: L.cho_factor(a @ H(a) + 4 * np.eye(4), lower=True)[0],
    "cho_solve": lambda a: L.cho_solve((a, False), a[..., :2]),
    "householder_product": lambda a: L.householder_product(a[..., :3], a[..., 0, :2]),
    "ldl": lambda a: L.ldl(a + H(a)),
    "ldl_factor": lambda a: L.ldl_factor(a),
    "ldl_factor_ex": lambda a: L.ldl_factor_ex(a, hermitian=True),
    "ldl_solve": lambda a: L.ldl_solve(*L.ldl_factor(a), a[..., :1]),
    "lu": lambda a: L.lu(a),
    "lu unpivoted": lambda a: L.lu(a, pivot=False),
    "lu_factor": lambda a: L.lu_factor(a),
    "lu_factor_ex": lambda a: L.lu_factor_ex(a[..., :2]),
    "lu_solve": lambda a: L.lu_solve(L.lu_factor(a), a[..., :2], 2),
    "qr": lambda a: L.qr(a, pivoting=True),
    "qr_delete": lambda a: L.qr_delete(*L.qr(a), 1),
    "qr_insert": lambda a: L.qr_insert(*L.qr(a), a[..., ::-1, :2], 1, "col"),
    "qr_multiply": lambda a: L.qr_multiply(a, a),
    "qr_update": lambda a: L.qr_update(*L.qr(a), a[..., :2], a[..., :2]),
    "rq": lambda a: L.rq(a),
    "solve_triangular": lambda a: L.solve_triangular(a, a[..., :2], upper=False),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("call", STACKED.values(), ids=STACKED)
def test_a_stack_is_a_loop(call, dtype):
    a = drawn(2, 3, 4, 4, dtype=dtype)
    whole = call(a)
    for k in np.ndindex(2, 3):
        alone = call(a[k])
        assert type(alone) is type(whole)
        for x, y in zip(several(whole), several(alone), strict=True):
            assert x.dtype == y.dtype
            np.testing.assert_allclose(x[k], y, rtol=tolerance(dtype), atol=tolerance(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("call", STACKED.values(), ids=STACKED)
def test_empty_stacks(call, dtype):
    one, none = call(drawn(4, 4, dtype=dtype)), call(np.zeros((0, 2, 4, 4), dtype))
    for x, y in zip(several(one), several(none), strict=True):
        assert (y.shape, y.dtype) == ((0, 2, *x.shape), x.dtype)


EMPTY = {
    "cholesky": lambda a: L.cholesky(a, lower=False),
    "cholesky_ex": lambda a: L.cholesky_ex(a),
    "cho_factor": lambda a: L.cho_factor(a)[0],
    "cho_solve": lambda a: L.cho_solve((a, False), a),
    "householder_product": lambda a: L.householder_product(a, a[..., 0] if a.shape[-1] else a.sum(-1)),
    "ldl": lambda a: L.ldl(a),
    "ldl_factor": lambda a: L.ldl_factor(a),
    "ldl_solve": lambda a: L.ldl_solve(*L.ldl_factor(a), a),
    "lu": lambda a: L.lu(a)[1:],
    "lu_factor": lambda a: L.lu_factor(a),
    "lu_factor_ex": lambda a: L.lu_factor_ex(a),
    "lu_solve": lambda a: L.lu_solve((a, np.zeros(0, np.int32)), a),
    "qr": lambda a: L.qr(a, pivoting=True),
    "qr raw": lambda a: L.qr(a, "raw"),
    "qr_multiply": lambda a: L.qr_multiply(a, a),
    "qz": lambda a: L.qz(a, a),
    "ordqz complex": lambda a: L.ordqz(a, a, output="complex"),
    "rq": lambda a: L.rq(a),
    "solve_triangular": lambda a: L.solve_triangular(a, a),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("call", EMPTY.values(), ids=EMPTY)
def test_empty_matrices(call, dtype):
    a = np.zeros((0, 0), dtype)
    plain, (traced, pull) = floats(call(a)), vjp(lambda a: tuple(floats(call(a))), a)
    for x, y in zip(plain, traced, strict=True):
        assert (x.shape, x.dtype, x.size) == (y.shape, y.dtype, 0)
    assert pull(tuple(plain))[0].shape == (0, 0)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_empty_sides(shape):
    a = np.zeros(shape)
    for call in (
        lambda a: L.lu(a)[1:],
        lambda a: L.lu_factor_ex(a)[:1],
        lambda a: tuple(L.qr(a)),
        lambda a: L.rq(a, mode="economic"),
    ):
        plain, (traced, pull) = call(a), vjp(call, a)
        assert [x.shape for x in plain] == [x.shape for x in traced]
        assert pull(tuple(np.ones_like(x) for x in plain))[0].shape == shape


def test_integers_become_floats():
    a = [[2, 1], [1, 3]]
    for result in (
        L.cholesky(a),
        L.cholesky_ex(a).L,
        L.cho_factor(a)[0],
        L.lu(a)[1],
        L.lu_factor(a)[0],
        L.lu_factor_ex(a).LU,
        L.lu(a, pivot=False)[1],
        L.ldl(a)[1],
        L.ldl_factor(a).LD,
        L.qr(a, pivoting=True)[0],
        L.rq(a)[0],
        L.solve_triangular(a, [1, 2]),
        L.householder_product(a, [1, 2]),
        L.qr_multiply(a, [1, 2])[0],
    ):
        assert result.dtype == np.float64


def test_a_complex_matrix_times_real_reflectors_stays_complex():
    a, c = np.random.default_rng(3).standard_normal((5, 3)), 1j * np.ones((3, 2))
    product, r = L.qr_multiply(a, c, "left")
    q = L.qr(a, mode="reduced")[0]
    np.testing.assert_allclose(product, q @ c, atol=1e-14)
    np.testing.assert_allclose(q @ r, a, atol=1e-14)


def test_a_name_that_is_only_in_numpy():
    with pytest.raises(AttributeError, match=r"'wirtinger.linalg' has no attribute 'kron'. Call wirtinger.kron"):
        L.kron  # noqa: B018


def test_lists_that_hold_traced_values():
    def loss(x):
        return np.sum(L.lu_solve(L.lu_factor([[x, 1.0], [1.0, 3.0]]), [x, 2.0]))

    assert grad(loss)(2.0) == pytest.approx(2 / (3 * 2.0 - 1) ** 2)


@pytest.mark.parametrize("dtype", DOUBLES)
def test_no_derivative_where_the_factors_are_not_determined(dtype):
    singular = np.array([[0.0, 1.0], [0.0, 2.0]], dtype)
    with pytest.raises(NotDifferentiableError, match="pivot 0 is zero"):
        grad(lambda a: np.sum(L.lu_factor_ex(a).LU).real)(singular)
    with pytest.raises(NotDifferentiableError, match="pivot 1 of item"):
        grad(lambda a: np.sum(L.lu(a)[1]).real)(np.ones((2, 3, 2), dtype))
    with pytest.raises(NotDifferentiableError, match="pivot 0 is zero"):
        grad(lambda a: np.sum(L.ldl(a)[0]).real)(np.diag([0.0, 0.0]).astype(dtype))
    dependent = drawn(5, 1, dtype=dtype) @ drawn(1, 3, dtype=dtype)
    for f in (L.qr, lambda a: L.rq(H(a), mode="economic")):
        with pytest.raises(NotDifferentiableError, match="linearly dependent"):
            grad(lambda a, f=f: np.sum(f(a)[0]).real)(dependent)
    triangle = np.triu(np.ones((3, 3), dtype))
    with pytest.raises(NotDifferentiableError, match="jumps"):
        grad(lambda a: np.sum(L.qr(a, "raw")[0]).real)(triangle)
    for traced, plain in zip(vjp(lambda a: L.qr(a, "raw"), triangle)[0], L.qr(triangle, "raw"), strict=True):
        np.testing.assert_array_equal(traced, plain)


def test_integers_are_constants():
    a = drawn(4, 4, dtype=float) + H(drawn(4, 4, dtype=float))
    for f in (
        lambda a: L.lu_factor(a)[1],
        lambda a: L.lu_factor_ex(a).info,
        lambda a: L.lu(a, p_indices=True)[0],
        lambda a: L.ldl(a)[2],
        lambda a: L.ldl_factor(a).pivots,
        lambda a: L.qr(a, pivoting=True)[2],
        lambda a: L.cholesky_ex(a).info,
    ):
        integers = vjp(lambda a, f=f: (np.sum(a), f(a)), a, has_aux=True)[2]
        assert integers.dtype.kind == "i"
        with pytest.raises(NotDifferentiableError):
            grad(lambda a, f=f: np.sum(f(a)))(a)


def test_pivots_count_from_zero():
    a = np.array([[0.0, 1.0], [1.0, 0.0]])
    for f in (L.lu_factor, L.lu_factor_ex):
        np.testing.assert_array_equal(f(a)[1], [1, 1])


def test_ex_functions_report():
    stack = np.array([np.eye(3), np.diag([1.0, 0.0, 2.0]), -np.eye(3)])
    np.testing.assert_array_equal(L.lu_factor_ex(stack).info, [0, 2, 0])
    np.testing.assert_array_equal(L.lu_factor_ex(stack, pivot=False).info, [0, 2, 0])
    np.testing.assert_array_equal(L.cholesky_ex(stack).info, [0, 2, 1])
    np.testing.assert_array_equal(L.ldl_factor_ex(stack).info, [0, 2, 0])
    for f, place in ((L.lu_factor_ex, 1), (L.cholesky_ex, 1), (L.ldl_factor_ex, 1), (L.ldl_factor, 1)):
        with pytest.raises(np.linalg.LinAlgError, match="item 1 of the stack") as caught:
            f(stack, **({} if f is L.ldl_factor else {"check_errors": True}))
        assert caught.value.batch_index == (place,)


def test_cholesky_ex_without_a_factor_has_no_derivative_there():
    stack = np.array([np.eye(2), -np.eye(2)])
    gradient = grad(lambda a: np.sum(L.cholesky_ex(a).L))(stack)
    np.testing.assert_allclose(gradient[0], [[0.5, 0.0], [1.0, 0.5]])
    assert np.all(np.isnan(gradient[1][np.tril_indices(2)]))
    np.testing.assert_array_equal(grad(lambda a: np.sum(L.cholesky_ex(a).L[0]))(stack)[1], 0)


@pytest.mark.parametrize("dtype", DOUBLES)
def test_solvers_name_the_singular_item(dtype):
    stack = np.array([np.eye(2), np.diag([1.0, 0.0]), np.eye(2)]).astype(dtype)
    b, pivots = np.ones((3, 2, 1), dtype), np.array([[0, 1]] * 3)
    for f in (
        lambda **k: L.lu_solve((stack, pivots), b, **k),
        lambda **k: L.cho_solve((stack, True), b, **k),
        lambda **k: L.solve_triangular(stack, b, **k),
        lambda **k: L.ldl_solve(stack, pivots + 1, b, **k),
    ):
        with pytest.raises(np.linalg.LinAlgError) as caught:
            f()
        assert caught.value.batch_index == (1,)
        x, failed = f(errors="mask")
        np.testing.assert_array_equal(failed, [False, True, False])
        assert np.all(np.isnan(x[1]))
        np.testing.assert_array_equal(x[::2], 1)


@pytest.mark.parametrize("dtype", [*DOUBLES, np.int64])
def test_an_empty_stack_is_tried_with_interchanges_that_exist(dtype, monkeypatch):
    def getrs(packed, pivots, b, trans):
        assert np.all(pivots < len(packed)), "LAPACK would write beyond the array"
        return b, 0

    monkeypatch.setattr(importlib.import_module("wirtinger.linalg.systems.lu_solve"), "routine", lambda *_: getrs)
    monkeypatch.setattr(scipy.linalg, "lu_solve", lambda factors, b, trans, **_: getrs(*factors, b, trans)[0])
    for n in (1, 2):
        factors = np.zeros((0, n, n), dtype), np.zeros((0, n), np.int32)
        assert L.lu_solve(factors, np.zeros((0, n, 4), dtype)).shape == (0, n, 4)


@pytest.mark.parametrize("count", [3, 100])
def test_large_stacks_of_triangles_name_the_singular_item(count):
    stack = np.broadcast_to(np.eye(2), (count, 2, 2)).copy()
    stack[1, 1, 1] = 0
    x, failed = L.solve_triangular(stack, np.ones(2), errors="mask")
    np.testing.assert_array_equal(np.flatnonzero(failed), [1])
    np.testing.assert_array_equal(x[failed], np.nan)
    np.testing.assert_array_equal(x[~failed], 1)
    np.testing.assert_array_equal(L.solve_triangular(stack, np.ones(2), unit_diagonal=True), 1)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("trans", [0, 1, 2])
def test_systems_from_the_right(trans, dtype):
    a = np.triu(drawn(2, 4, 4, dtype=dtype)) + 3 * np.eye(4, dtype=dtype)
    turned = (a, a.mT, H(a))[trans]
    close = tolerance(dtype)
    with_factors = (a, np.broadcast_to(np.arange(4), (2, 4)))
    for b in (drawn(4, dtype=dtype), drawn(3, 4, dtype=dtype), drawn(2, 1, 4, dtype=dtype)):
        for x in (L.solve_triangular(a, b, trans, left=False), L.lu_solve(with_factors, b, trans, left=False)):
            product = (x[:, None] @ turned)[:, 0] if b.ndim == 1 else x @ turned
            np.testing.assert_allclose(product, np.broadcast_to(b, product.shape), rtol=close, atol=close)
            assert x.dtype == dtype
    assert gradcheck(lambda a, b: L.solve_triangular(a, b, trans, left=False), a.astype(complex), b.astype(complex))


def test_no_factorization_without_interchanges():
    with pytest.raises(np.linalg.LinAlgError, match="without interchanges"):
        L.lu(np.array([[0.0, 1.0], [1.0, 0.0]]), pivot=False)


def test_singular_lu_factor_warns_as_scipy():
    a = np.ones((2, 2))
    with pytest.warns(scipy.linalg.LinAlgWarning, match="Diagonal number 2"):
        L.lu_factor(a)
    with pytest.warns(scipy.linalg.LinAlgWarning, match="Diagonal number 2"):
        grad(lambda a: np.sum(L.lu_factor(a)[0]))(a)


@pytest.mark.parametrize("which", ["plain", "traced"])
def test_check_finite(which):
    a = np.array([[np.nan, 1.0], [1.0, 2.0]])
    for f in (
        lambda a: L.cholesky(a, check_finite=True),
        lambda a: L.cho_factor(a)[0],
        lambda a: L.cho_solve((a, True), np.ones(2)),
        lambda a: L.lu(a)[1],
        lambda a: L.lu_factor(a)[0],
        lambda a: L.lu_solve((np.eye(2), [0, 1]), a),
        lambda a: L.ldl(a)[0],
        lambda a: L.qr(a, check_finite=True)[0],
        lambda a: L.rq(a)[0],
        lambda a: L.solve_triangular(a, np.ones(2)),
        lambda a: L.qr_update(np.eye(2), a, np.ones(2), np.ones(2))[0],
    ):
        with pytest.raises(ValueError, match="infs or NaNs"):
            f(a) if which == "plain" else grad(lambda a, f=f: np.sum(f(a)))(a)


def test_contradictions_and_wrong_shapes():
    a = np.eye(3)
    for call, message in (
        (lambda a: L.cholesky(a, lower=True, upper=True), "contradicts"),
        (lambda a: L.solve_triangular(a, a, lower=False, upper=False), "contradicts"),
        (lambda a: L.solve_triangular(a, a, "X"), "trans='X'"),
        (lambda a: L.solve_triangular(a, np.ones(2)), "incompatible"),
        (lambda a: L.solve_triangular(a[:2], a), "square"),
        (lambda a: L.lu_solve((a, [0, 1, 2]), a, 3), "trans=3"),
        (lambda a: L.lu_solve((a, [0, 1, 2]), np.ones(2)), "incompatible"),
        (lambda a: L.lu_solve((a, [1, 2, 3]), a), "not pivots"),
        (lambda a: L.lu_solve((a, [0, 1]), a), "not pivots"),
        (lambda a: L.ldl_solve(a, [0, 1, 2], a), "not pivots"),
        (lambda a: L.ldl_solve(a, [1, 2, -3], a), "consecutive equal pairs"),
        (lambda a: L.ldl_solve(a, [-2, 1, 1], a), "consecutive equal pairs"),
        (lambda a: L.ldl_solve(a, [-2, -3, 3], a), "consecutive equal pairs"),
        (lambda a: L.cho_solve((a, True), np.ones(2)), "incompatible"),
        (lambda a: L.ldl(a[:2]), "square"),
        (lambda a: L.ldl_factor(a[:2]), "square"),
        (lambda a: L.ldl_solve(a, [1, 2, 3], np.ones(2)), "incompatible"),
        (lambda a: L.qr(a, "wrong", pivoting=True), "Unrecognized mode"),
        (lambda a: L.qr(a, lwork=2), "lwork=2"),
        (lambda a: L.rq(a, mode="wrong"), "Mode"),
        (lambda a: L.qr_multiply(a, np.ones(2)), "not compatible"),
        (lambda a: L.qr_multiply(a, a, "wrong"), "Mode"),
        (lambda a: L.householder_product(a[:2], np.ones(2)), "must not exceed their length"),
        (lambda a: L.householder_product(a[:, :1], np.ones(2)), "more scale factors"),
        (lambda a: L.qr_insert(a, a, a[0], 0, "diagonal"), "which"),
        (lambda a: L.qr_delete(a, a, 7), "out of bounds"),
    ):
        with pytest.raises(ValueError, match=message):
            call(a)
        with pytest.raises(ValueError, match=message):
            vjp(call, a)


@pytest.mark.parametrize("mode", ["complete", "reduced"])
def test_gauge_of_updated_factors(mode):
    a, u, v = drawn(4, 3, dtype=complex), drawn(4, dtype=complex, seed=1), drawn(3, dtype=complex, seed=2)

    def updated(a):
        return L.qr_update(*L.qr(a, mode), u, v)

    with pytest.raises(GaugeError, match="phase"):
        grad(lambda a: np.real(updated(a)[1][0, 0]))(a)
    if mode == "complete":
        with pytest.raises(GaugeError, match=r"basis|phase"):
            grad(lambda a: np.real(updated(a)[0][0, 3]))(a)
    assert gradcheck(lambda a: np.abs(updated(a)[1]), a)


def test_unread_entries_have_no_gradient():
    a = definite(3, complex) + 0j
    for f, read in (
        (lambda a: L.cholesky(a), np.tri(3)),
        (lambda a: L.cholesky(a, lower=False), np.tri(3).T),
        (lambda a: L.ldl_factor(a).LD, np.tri(3)),
        (lambda a: L.solve_triangular(a, np.ones(3), unit_diagonal=True), np.tri(3, k=-1).T),
        (lambda a: L.cho_solve((a, True), np.ones(3)), np.tri(3)),
        (lambda a: L.householder_product(a, np.ones(3)), np.tri(3, k=-1)),
    ):
        g = grad(lambda a, f=f: np.sum(np.abs(f(a)) ** 2))(a)
        np.testing.assert_array_equal(g * (1 - read), 0)


def test_one_factorization_serves_all(monkeypatch):
    """A Hessian-vector product through `lu_factor` factorizes the matrix as often as the value does."""
    counted = []
    for module, name in (("factorizations.lu", "getrf"), ("systems.cho_solve", "cho_factor_values")):
        module = importlib.import_module(f"wirtinger.linalg.{module}")
        original = getattr(module, name)

        def counting(*args, original=original, name=name, **kwargs):
            counted.append(name)
            return original(*args, **kwargs)

        monkeypatch.setattr(module, name, counting)
    a, b = definite(40, float), drawn(40, dtype=float)
    for f in (lambda a: L.lu_solve(L.lu_factor(a), b), lambda a: L.cho_solve(L.cho_factor(a), b)):
        counted.clear()
        wirtinger.hvp(lambda a, f=f: np.sum(f(a) ** 2), (a,), (np.eye(40),))
        assert len(counted) == 1
        value_and_grad(lambda a, f=f: np.sum(f(a) ** 2))(a)
        assert len(counted) == 2


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_derivative_where_factors_are_rounding_errors(dtype):
    n = 6
    columns, rows = (L.qr(drawn(n, n - 3, dtype=dtype, seed=k))[0] for k in (0, 1))
    low, gram = columns @ H(rows), columns @ H(columns)
    for f, a in (
        (lambda a: L.lu(a)[2], low),
        (lambda a: L.lu_factor_ex(a).LU, low),
        (lambda a: L.ldl(a)[1], gram + H(gram)),
        (lambda a: L.ldl_factor_ex(a).LD, columns @ columns.T),
        (lambda a: L.qr(a)[1], low),
        (lambda a: L.rq(a)[0], low),
    ):
        with pytest.raises(NotDifferentiableError, match="up to rounding"):
            grad(lambda a, f=f: np.sum(np.abs(f(a)) ** 2))(a)


@pytest.mark.parametrize("dtype", DTYPES)
def test_small_pivots_without_cancellation_are_pivots(dtype):
    a = np.diag([1.0, 1e-20, 1e-30]).astype(dtype)
    for f in (lambda a: L.lu(a)[2], lambda a: L.ldl(a)[1], lambda a: L.qr(a)[1], lambda a: L.lu_factor(a)[0]):
        along = jvp(f, (a,), (np.diag([1.0, 2.0, 3.0]).astype(dtype),))[1]
        np.testing.assert_allclose(np.abs(along), np.diag([1.0, 2.0, 3.0]), rtol=tolerance(dtype))


def test_large_matrices_in_single_precision_have_derivatives():
    a = drawn(300, 300, dtype=np.float32)
    for f in (lambda a: L.lu(a)[2], lambda a: L.qr(a)[1], lambda a: L.ldl(a + a.mT)[1]):
        assert np.all(np.isfinite(grad(lambda a, f=f: np.sum(f(a)))(a)))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("how", ["warn", "raise"])
def test_a_single_matrix_at_which_lapack_fails_is_an_error_and_no_warning(how):
    infinite = np.array([[1.0, np.inf, 0.0], [2.0, 1.0, 1.0], [np.inf, 0.0, 1.0]])
    tiny = np.array([[1e-300, 0.0], [1e200, 1e-300]])
    with np.errstate(all=how):
        for name, a in (("eigvalsh", infinite), ("eigh", infinite), ("inv", tiny), ("svd", np.ones(3))):
            with pytest.raises(np.linalg.LinAlgError) as expected:
                getattr(np.linalg, name)(a)
            with pytest.raises(np.linalg.LinAlgError) as found:
                getattr(wirtinger.linalg, name)(a)
            assert str(found.value) == str(expected.value)
