"""Sparse arrays that are read and written by index, as SciPy's are, with traced values."""

from __future__ import annotations

import numpy
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal
from sparse_reference import loss, matrix

import wirtinger as wp
from wirtinger import TraceError, fori_loop, grad, hessian, jacobian, jvp, vmap
from wirtinger.scipy import sparse
from wirtinger.scipy.sparse.linalg import spsolve

V = numpy.array([1.5, -2.0, 3.0, 4.0])


def _items(A, v):
    for i in wp.arange(4):
        A[i, -1 - i] = v[i]
        A[1, 2] += v[i]


def _rows(A, v):
    A[1] = v
    A[:, 2] = v if isinstance(A, numpy.ndarray) else v[:, None]
    A[0, [0, 1]] = [v[0], 2 * v[1]]
    A[3] = A[1] * v[0]


def _parts(A, v):
    A[0:2, 1:3] = v.reshape(2, 2)
    A[numpy.ix_([0, 2], [1, 3])] += v.reshape(2, 2)
    A[1:, :2] = v[:2]
    A[[0, 1, 0, 3], [1, 2, 1, 0]] = v
    A[2:, 2:] = v[1] ** 2
    A[numpy.array([True, False, True, False]), 0] = v[2:]


def _zeros(A, v):
    A[1, :] = v
    A[1, :] = 0
    A[1, 1] = v[0] * v[1]
    A[2, 2] = 5


def _diagonals(A, v):
    if isinstance(A, numpy.ndarray):
        i = numpy.arange(3)
        A[i, i], A[3, 3], A[i, i + 1] = v[:3], v[3], 2.0
        A[[1, 2], [0, 1]] = v[:2]
    else:
        A.setdiag(v)
        A.setdiag(2.0, 1)
        A.setdiag(v[:2], -1)


def _of_arrays(A, v):
    """The same array is filled for each write."""
    part = wp.zeros(2)
    for i in range(3):
        part[:] = v[i : i + 2] * v[0]
        A[i, i : i + 2] = part


PROGRAMS = [_items, _rows, _parts, _zeros, _diagonals, _of_arrays]


def _made(form, v):
    """Of lists or dicts an empty array, and by rows or columns one with a diagonal of traced zeros."""
    if form[:3] in ("lil", "dok"):
        return getattr(sparse, form)((4, 4))
    return getattr(sparse, form)((0 * v, (numpy.arange(4), numpy.arange(4))), shape=(4, 4))


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    "form", [f"{form}_{family}" for form in ("lil", "dok", "csr", "csc") for family in ("array", "matrix")]
)
def test_what_is_written_has_the_derivatives_of_a_dense_array(form, program):
    seen = {}

    def written(v):
        A = _made(form, v)
        program(A, v)
        seen.update(nnz=A.nnz, format=A.format, shape=A.shape, kind=isinstance(A, getattr(sparse, form)))
        return A.tocsr().toarray()

    def dense(v):
        A = wp.zeros((4, 4))
        program(A, v)
        return A

    theirs = _made(form, V)
    program(theirs, V)
    assert_array_equal(written(V), theirs.toarray())
    assert_allclose(jacobian(written)(V), jacobian(dense)(V))
    assert seen == {"nnz": theirs.nnz, "format": form[:3], "shape": (4, 4), "kind": True}
    assert_allclose(jvp(written, (V,), (V[::-1],))[1], jvp(dense, (V,), (V[::-1],))[1])
    assert_allclose(hessian(lambda v: loss(written(v)))(V), hessian(lambda v: loss(dense(v)))(V))
    assert_allclose(vmap(written)(numpy.stack([V, 2 * V])), [dense(V), dense(2 * V)])
    compiled, mapped = wp.compile(written), wp.compile(vmap(written))
    for v in (V, V + 1):
        assert_allclose(compiled(v), dense(v))
        assert_allclose(mapped(v[None]), [dense(v)])


def _system(k, make):
    """Elements with stiffnesses, one after the other, held at both ends."""
    n = len(k) + 1
    A = make((n, n))
    for e in range(n - 1):
        A[e : e + 2, e : e + 2] += k[e] * numpy.array([[1.0, -1.0], [-1.0, 1.0]])
    for i in (0, n - 1):
        A[i, :] = 0
        A[i, i] = 1
    return A


@pytest.mark.parametrize("make", [sparse.lil_array, sparse.lil_matrix, sparse.dok_array])
def test_a_system_assembled_entry_by_entry(make):
    k, b = numpy.linspace(1.0, 2.0, 6), numpy.arange(7.0)
    f = lambda k: loss(spsolve(_system(k, make).tocsc(), b)) + loss(_system(k, make) @ b)
    g = lambda k: loss(wp.linalg.solve(_system(k, wp.zeros), b)) + loss(_system(k, wp.zeros) @ b)
    assert_allclose(f(k), g(k))
    assert_allclose(grad(f)(k), grad(g)(k))
    assert_allclose(hessian(f)(k), hessian(g)(k), atol=1e-9)
    assert_allclose(vmap(grad(f))(numpy.stack([k, 2 * k])), [grad(g)(k), grad(g)(2 * k)])
    for _ in range(2):
        assert_allclose(wp.compile(grad(f))(k), grad(g)(k))


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
def test_entries_of_an_argument_are_written():
    A, x = matrix(4), numpy.arange(1.0, 5)
    before = A.toarray()

    def written(A, x, other_form):
        A[0, :] = 0
        A[0, 0] = x[1]
        B = other_form(A)
        B[1, 1] *= 3
        C = B.copy()
        C[2, 2] = 0.0
        return A @ x + B @ x + C @ x

    def f(A, x):
        return written(A, x, lambda A: A.tolil())

    def of_dense(A, x):
        return written(A + 0 * x, x, lambda A: A.copy())

    gA, gx = grad(lambda A, x: loss(f(A, x)), argnums=(0, 1))(A, x)
    hA, hx = grad(lambda A, x: loss(of_dense(A, x)), argnums=(0, 1))(before, x)
    assert_array_equal(A.toarray(), before)
    assert_allclose(gx, hx)
    assert_allclose(gA.toarray(), numpy.where(before != 0, hA, 0))


def test_plain_entries_leave_scipys_arrays():
    """Where no value is traced, results are what all of SciPy's functions take."""

    def f(x):
        A = sparse.lil_matrix((3, 3))
        A[0, 1], A[2] = 2, [1, 0, 0]
        assert A.nnz == 2
        assert abs(-A).sum() == A.sin().nnz + 1 == 3
        for B in (A + A.T, A.tocsr(), 2 * A, A[:2]):
            assert scipy.sparse.issparse(B)
        assert type(sparse.lil_array((2, 2), dtype=int)) is scipy.sparse.lil_array
        return wp.sum(A @ x)

    assert_array_equal(grad(f)(numpy.ones(3)), [1, 2, 0])
    assert type(sparse.lil_array((2, 2))) is scipy.sparse.lil_array
    assert type(sparse.dok_matrix(numpy.eye(2))) is scipy.sparse.dok_matrix


def test_values_are_cast_or_refused_as_by_a_dense_array():
    def f(x, dtype, make):
        A = make((2, 2), dtype=dtype)
        A[0, 1] = x
        return wp.sum(wp.real(A.toarray() ** 2) if make is not wp.zeros else wp.real(A**2))

    for dtype in (numpy.float32, numpy.complex64, complex):
        assert_allclose(grad(f)(1.5, dtype, sparse.lil_array), grad(f)(1.5, dtype, wp.zeros))
    for make in (sparse.lil_array, wp.zeros):
        with pytest.raises(TypeError):
            grad(f)(1.5 + 1j, float, make)
        with pytest.raises(TraceError):
            grad(f)(1.5, int, make)
    with pytest.raises(NotImplementedError):  # as SciPy's blocks do
        grad(lambda x: sparse.bsr_array(x * numpy.eye(2)).__setitem__((0, 0), x))(1.5)
    with pytest.raises(IndexError):
        grad(lambda x: sparse.lil_array((2, 2)).__setitem__((2, 0), x))(1.5)
    with pytest.raises(ValueError, match="broadcast"):
        grad(lambda x: sparse.lil_array((2, 2)).__setitem__(0, x * numpy.ones(3)))(1.5)


def test_an_entry_written_by_a_recorded_loop_is_refused():
    def f(x):
        A = sparse.lil_array((2, 2))

        def body(i, total):
            A[0, 0] = total * x
            return total + 1.0

        return fori_loop(0, 3, body, 0.0) + A.sum()

    assert f(2.0) == 7.0
    assert grad(f)(2.0) == 2.0
    with pytest.raises(TraceError, match="after the function"):
        wp.compile(f)(2.0)
