"""Sparse arrays with traced values: each operation beside the dense one, and what SciPy's users expect around it."""

from __future__ import annotations

import copy
import pickle
import threading

import numpy
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal
from sparse_reference import array, check, loss, matrix

import wirtinger as wp
from wirtinger import DifferentiationError, TraceError, grad, hessian, jacobian, jvp, stop_gradient, vjp
from wirtinger.scipy import sparse
from wirtinger.scipy.sparse import with_data

FORMATS = ("csr", "csc", "coo", "bsr", "dia")
X = array((6, 3))

OPERATIONS = {
    "A @ x": (lambda A: loss(A @ X[:, 0]), None),
    "A @ X": (lambda A: loss(A @ X), None),
    "X.T @ A": (lambda A: loss(X.T @ A), None),
    "A.T @ X": (lambda A: loss(A.T @ X), None),
    "A.T.conj() @ X": (lambda A: loss(A.T.conj() @ X), None),
    "sums": (lambda A: loss(A.sum(0)) + loss(A.sum(1), 0.4) + loss(A.sum()) + loss(A.mean(axis=1), 0.9), None),
    "diagonals": (
        lambda A: loss(A.diagonal()) + loss(A.diagonal(2)) + loss(A.diagonal(-1)) + loss(A.trace()),
        lambda A: loss(wp.diagonal(A)) + loss(wp.diagonal(A, 2)) + loss(wp.diagonal(A, -1)) + loss(wp.trace(A)),
    ),
    "A @ A.T": (lambda A: loss((A @ A.T).toarray()), lambda A: loss(A @ A.T)),
    "A + 2 A.T": (lambda A: loss((A + 2 * A.T).toarray()), lambda A: loss(A + 2 * A.T)),
    "A * A.T": (lambda A: loss((A * A.T).toarray()), lambda A: loss(A * A.T)),
    "A * row": (lambda A: loss((A * X[:, 0]).toarray()), lambda A: loss(A * X[:, 0])),
    "A / column": (lambda A: loss((A / X[:, :1]).toarray()), lambda A: loss(A / X[:, :1])),
    "A - dense": (lambda A: loss(A - X @ X.T), None),
    "parts": (
        lambda A: (
            loss(A.tocsr()[1:4, [0, 2, 3]].toarray())
            + loss(A.tocsr()[0, 0])
            + loss(A.tocsr()[2].toarray(), 0.3)
            + loss(A.tocsr()[3] @ X)
        ),
        lambda A: loss(A[1:4][:, [0, 2, 3]]) + loss(A[0, 0]) + loss(A[2], 0.3) + loss(A[3] @ X),
    ),
    "kron": (lambda A: loss(sparse.kron(A, A.T).toarray()), lambda A: loss(wp.kron(A, A.T))),
    "stacks": (
        lambda A: (
            loss(sparse.vstack([A, 2 * A.T]).toarray())
            + loss(sparse.block_array([[A, None], [X.T, X.T @ X]]).toarray())
        ),
        lambda A: loss(wp.vstack([A, 2 * A.T])) + loss(wp.block([[A, numpy.zeros((6, 3))], [X.T, X.T @ X]])),
    ),
    "conversions": (
        lambda A: loss(A.tocsr().tocsc().tocoo().tobsr((2, 2)).todia().asformat("csr").toarray()),
        lambda A: loss(A),
    ),
    "triangles": (
        lambda A: loss(sparse.tril(A).toarray()) + loss(sparse.triu(A, 1).toarray(), 0.3),
        lambda A: loss(wp.tril(A)) + loss(wp.triu(A, 1), 0.3),
    ),
    "functions": (
        lambda A: loss((A**2).toarray()) + loss(A.sin().toarray()) + loss(A.expm1().toarray(), 0.2),
        lambda A: loss(A**2) + loss(wp.sin(A)) + loss(wp.expm1(A), 0.2),
    ),
    "reshape": (lambda A: loss(A.reshape(4, 9).toarray()), lambda A: loss(A.reshape(4, 9))),
}  # fmt: skip


@pytest.mark.parametrize(("form", "kind"), [*((form, float) for form in FORMATS), ("csr", complex), ("csc", complex)])
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_is_that_of_the_dense_array(name, form, kind):
    of_sparse, of_dense = OPERATIONS[name]
    check(of_sparse, of_dense or of_sparse, matrix(6, kind=kind, form=form))


@pytest.mark.parametrize("kind", [float, complex])
def test_products_in_both_factors(kind):
    A, B = matrix(5, 6, kind), array((6, 2), kind)
    check(lambda A, B: loss(A @ B) + loss(B.T @ A.T), lambda A, B: loss(A @ B) + loss(B.T @ A.T), A, B)
    check(lambda A, s: loss((A * s).toarray()), lambda A, s: loss(A * s), A, numpy.array(1.5))
    check(lambda A, v: loss((v * A).toarray()), lambda A, v: loss(A * v), A, array(6, kind))
    check(lambda A, v: loss((A / v).toarray()), lambda A, v: loss(A / v), A, array((5, 6), kind))
    check(
        lambda A, v: loss(A + v) + loss(v - A, 0.2), lambda A, v: loss(A + v) + loss(v - A, 0.2), A, array((5, 6), kind)
    )


@pytest.mark.parametrize("form", [*FORMATS, "lil", "dok"])
@pytest.mark.parametrize("family", ["array", "matrix"])
def test_operators_of_a_constant_beside_a_traced_array(form, family):
    """Python asks SciPy first, who asks NumPy what the other operand is."""
    dense = matrix(5, 4).toarray()
    A = getattr(scipy.sparse, f"{form}_{family}")(dense)
    x, y, z, s = array(4), array(5), array((5, 4)), numpy.float64(1.5)
    assert_allclose(jacobian(lambda x: A @ x)(x), dense)
    assert_allclose(jacobian(lambda x: A.dot(x))(x), dense)
    assert_allclose(jacobian(lambda y: y @ A)(y), dense.T)
    assert_allclose(jacobian(lambda y: A.T @ y)(y), dense.T)
    assert_allclose(jacobian(lambda z: numpy.matmul(A.T, z))(z), jacobian(lambda z: dense.T @ z)(z))
    assert_allclose(grad(lambda z: wp.sum((A + z) ** 2 + (z - A) ** 2 + (A - z) ** 2))(z), 2 * (3 * z - dense))
    assert_allclose(grad(lambda s: (s * A).sum() + (A * s).sum() + (A / s).sum())(s), dense.sum() * (2 - s**-2))
    if family == "matrix":
        assert_allclose(jacobian(lambda x: A * x)(x), dense)
        assert_allclose(jacobian(lambda y: y * A)(y), dense.T)
    else:
        assert_allclose(grad(lambda z: (A * z).sum() + (z * A).sum())(z), 2 * dense)


@pytest.mark.parametrize("form", [*FORMATS, "lil", "dok"])
@pytest.mark.parametrize("family", ["array", "matrix"])
def test_a_gradient_has_the_pattern(form, family):
    A = getattr(scipy.sparse, f"{form}_{family}")(matrix(5, 4))
    x = array(4)
    g = grad(lambda A: wp.sum((A @ x) ** 2))(A)
    assert type(g) is type(A if form in FORMATS else A.tocsr())
    places = grad(lambda A: A.sum())(A)
    assert_allclose(g.toarray(), 2 * numpy.outer(A @ x, x) * places.toarray())
    out, tangent = jvp(lambda A: A @ A.T, (A,), (A.asformat(g.format),))
    assert_allclose(tangent.toarray(), 2 * out.toarray())
    (pulled,) = vjp(lambda A: 2 * A, A)[1](g)
    assert_allclose(pulled.toarray(), 2 * g.toarray())


def test_the_gradient_owns_its_indices():
    A = matrix(5)
    g = grad(lambda A: A.sum())(A)
    g.sort_indices()
    g.indices[:] = 0
    assert A.indices.any()
    assert (grad(lambda A: A.sum())(A) != A.astype(bool).astype(float)).nnz == 0


def test_repeated_entries_are_added_and_zeros_count():
    A = scipy.sparse.coo_array(([1.0, 2, 3, 0], ([0, 0, 1, 2], [1, 1, 0, 2])), shape=(3, 3))
    x = array(3)
    g = grad(lambda A: wp.sum((A @ x) ** 2))(A)
    full = 2 * numpy.outer(A @ x, x)
    assert_allclose(g.data, full[A.row, A.col])
    f = lambda A: loss((A * A).toarray()) + loss((A @ A).toarray()) + loss(A.tocsc().toarray())
    check(f, lambda A: loss(A * A) + loss(A @ A) + loss(A), A)
    unsorted = scipy.sparse.csr_array(([1.0, 2, 3, 4], [2, 0, 0, 0], [0, 2, 3, 4]), shape=(3, 3))
    check(f, lambda A: loss(A * A) + loss(A @ A) + loss(A), unsorted)


def test_what_is_done_in_place():
    A = scipy.sparse.coo_matrix(([1.0, 2, 3, 0], ([0, 0, 1, 2], [1, 1, 0, 2])), shape=(3, 3))

    def f(A):
        A.eliminate_zeros()  # keeps the zero, whose derivative is 1
        assert A.nnz == 4
        A.sum_duplicates()
        assert A.nnz == 3
        assert isinstance(A, sparse.spmatrix)
        assert not isinstance(A, sparse.sparray)
        A.blocks = [2]  # as programs do with SciPy's
        assert A.blocks == [2]
        return (A.multiply(A) + A).sum()

    assert_allclose(grad(f)(A).data, [7, 7, 7, 1])
    assert A.nnz == 4


def test_empty_matrices():
    for shape in ((0, 0), (0, 3), (3, 0), (3, 3)):
        A = scipy.sparse.csr_array(shape)
        g = grad(lambda A: loss(A @ numpy.ones(A.shape[1])) + A.sum() + loss((A @ A.T).toarray()))(A)
        assert g.shape == shape
        assert g.nnz == 0
        x = numpy.ones(shape[1])
        assert_array_equal(grad(lambda x, A=A: wp.sum(A @ x))(x), 0 * x)


def test_single_precision_and_integers():
    A = matrix(4).astype(numpy.float32)
    x = array(4).astype(numpy.float32)
    gA, gx = grad(lambda A, x: wp.sum((A @ x) ** 2), argnums=(0, 1))(A, x)
    assert gA.dtype == gx.dtype == numpy.float32
    whole = scipy.sparse.csr_array(numpy.array([[1, 2], [0, 3]]))
    assert_array_equal(jacobian(lambda x: whole @ x)(numpy.ones(2)), whole.toarray())
    with pytest.raises(DifferentiationError, match="int64"):
        grad(lambda A: A.sum())(whole)
    complex_x = array(4, complex)
    assert grad(lambda A: loss(A @ complex_x))(matrix(4)).dtype == float


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("family", ["array", "matrix"])
def test_the_classes_make_arrays_of_traced_values(form, family):
    kind, theirs = (getattr(module, f"{form}_{family}") for module in (sparse, scipy.sparse))
    dense = array((2, 4))
    made = []

    def f(d):
        made.append(kind(d))
        return loss(made[-1].toarray())

    assert_allclose(grad(f)(dense), grad(loss)(dense))
    assert isinstance(made[0], kind)
    assert isinstance(theirs(dense), kind)
    assert not isinstance(made[0], sparse.csr_array if form != "csr" else sparse.csc_array)
    assert issubclass(theirs, kind)
    assert type(kind(dense)) is theirs
    if form != "dia":
        places = ([0, 0, 1, 1], [1, 1, 0, 3])

        def of_places(d):
            return loss(kind((d, places), shape=(2, 4)).toarray())

        expected = grad(lambda d: loss(wp.array([[0, d[0] + d[1], 0, 0], [d[2], 0, 0, d[3]]])))(array(4))
        assert_allclose(grad(of_places)(array(4)), expected)


def test_diagonals_blocks_and_sums_of_kronecker_products():
    d = array(4)
    assert_allclose(grad(lambda d: loss(sparse.diags_array(d).toarray()))(d), grad(lambda d: loss(wp.diag(d)))(d))
    assert_allclose(
        grad(lambda d: loss(sparse.diags_array([d, d[:3], 2.0], offsets=[0, 1, -1], shape=(4, 4)).toarray()))(d),
        grad(lambda d: loss(wp.diag(d) + wp.diag(d[:3], 1) + 2 * numpy.eye(4, k=-1)))(d),
    )
    assert_allclose(
        grad(lambda s: loss(sparse.diags([-1, s, -1], [-1, 0, 1], shape=(4, 4)).toarray()))(2.0),
        grad(lambda s: loss(s * numpy.eye(4) - numpy.eye(4, k=1) - numpy.eye(4, k=-1)))(2.0),
    )
    A = matrix(3)
    both = (
        lambda A: loss(sparse.kronsum(A, A.T).toarray()),
        lambda A: loss(wp.kron(numpy.eye(3), A) + wp.kron(A.T, numpy.eye(3))),
    )
    check(*both, A)
    check(
        lambda A: loss(sparse.block_diag([A, 2 * A]).toarray()),
        lambda A: loss(wp.block([[A, numpy.zeros((3, 3))], [numpy.zeros((3, 3)), 2 * A]])),
        A,
    )


def test_with_data_takes_values_of_the_form_of_the_pattern():
    A = matrix(4)
    assert type(with_data(A, A.data)) is scipy.sparse.csr_array
    assert_array_equal(with_data(A.tolil(), A.data).toarray(), A.toarray())
    with pytest.raises(ValueError, match="the pattern has values of shape"):
        with_data(A, A.data[:-1])
    assert hessian(lambda d: loss(with_data(A, d) @ numpy.ones(4)))(A.data).shape == (A.nnz, A.nnz)


def test_a_tangent_of_another_pattern_is_refused():
    A = scipy.sparse.csr_array(numpy.array([[1.0, 2.0], [0.0, 3.0]]))
    with pytest.raises(ValueError, match="parts other than arrays"):
        jvp(lambda A: A.sum(), (A,), (A.T.tocsr(),))


def test_a_jacobian_holds_a_row_for_each_value():
    A, x = matrix(3), array(3)
    J = jacobian(lambda A: A @ x)(A)
    assert_allclose(J.data, jacobian(lambda d: with_data(A, d) @ x)(A.data))
    assert "csr_array of shape (3, 3)" in repr(J)


def test_no_dense_matrix_is_made():
    n = 50_000
    A = scipy.sparse.diags_array([1.0, -2.0, 1.0], offsets=[-1, 0, 1], shape=(n, n), format="csr")
    b = numpy.ones(n)

    def f(A, b):
        B = A + 2 * A.T * b
        return wp.sum((B @ A @ b) ** 2) + B.sum(0) @ b + wp.sum(A.diagonal() ** 2) + sparse.vstack([A, B]).sum()

    gA, gb = grad(f, argnums=(0, 1))(A, b)
    assert gA.nnz == A.nnz
    assert gb.shape == (n,)


MISUSES = {
    "ufunc": lambda A: numpy.exp(A),
    "function": lambda A: numpy.linalg.norm(A),
    "asarray": lambda A: numpy.asarray(A),
    "scalar sum": lambda A: A + 1.0,
    "scipy's function": lambda A: scipy.sparse.kron(A, A),
    "scipy's method": lambda A: matrix(3).multiply(A),
    "no rule": lambda A: A.max(),
    "write": lambda A: A.todia().__setitem__((0, 0), 1.0),
    "no format": lambda A: A.asformat("lists"),
    "quotient": lambda A: A / A,
    "shapes": lambda A: A @ numpy.ones(4),
    "scalar product": lambda A: A @ 2.0,
    "inconsistent": lambda A: A + matrix(4),
    "length": lambda A: len(A),
    "negative power": lambda A: A ** (-1),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:`kron` is switching:DeprecationWarning")
@pytest.mark.parametrize("name", MISUSES)
def test_what_cannot_be_done_raises(name):
    with pytest.raises((DifferentiationError, TypeError, ValueError, NotImplementedError)):
        grad(lambda A: MISUSES[name](A).sum())(matrix(3))


def test_an_error_names_what_to_call():
    x = array(3)
    with pytest.raises(TraceError, match=r"wirtinger\.scipy\.sparse"):
        grad(lambda x: scipy.sparse.diags(x).sum())(x)
    with pytest.raises(TraceError, match=r"one of the operators of a sparse array"):
        grad(lambda x: matrix(3).multiply(x).sum())(x)
    with pytest.raises(TraceError, match=r"wirtinger\.scipy\.sparse"):
        grad(lambda A: scipy.sparse.vstack([A, A]).sum())(matrix(3))


def test_comparisons_and_shapes_are_those_of_the_values():
    seen = {}

    def f(A):
        seen.update(nnz=A.nnz, shape=A.shape, greater=(A > 1).nnz, same=(A != A).nnz, text=str(A), indices=A.indices)
        seen.update(norms=numpy.sum(A), ndim=numpy.ndim(A), plain=type(stop_gradient(A)), dtype=A.dtype)
        return A.sum()

    A = matrix(4)
    grad(f)(A)
    assert (seen["nnz"], seen["shape"], seen["greater"], seen["same"]) == (A.nnz, A.shape, (A > 1).nnz, 0)
    assert seen["text"] == str(A)
    assert seen["plain"] is scipy.sparse.csr_array
    assert_array_equal(seen["indices"], A.indices)


def test_the_rest_of_the_module_is_scipys():
    assert sparse.random_array is scipy.sparse.random_array
    assert sparse.find is scipy.sparse.find
    assert {"csr_array", "random_array", "with_data"} <= set(dir(sparse))
    with pytest.raises(AttributeError):
        sparse.no_such_name  # noqa: B018  (it raises)
    A = pickle.loads(pickle.dumps(grad(lambda A: copy.deepcopy(copy.copy(A)).sum())(matrix(3))))
    assert A.shape == (3, 3)


@pytest.mark.parametrize("make", [scipy.sparse.lil_matrix, scipy.sparse.dok_array, scipy.sparse.csr_array])
def test_a_write_of_an_entry_says_how_to_make_the_matrix(make):
    def f(x):
        A = make((2, 2))
        A[0, 1] = x[0]
        return A.sum()

    with pytest.raises(TraceError, match=rf"a write into a {make.__name__}, .*wirtinger\.scipy\.sparse\.lil_array"):
        grad(f)(numpy.ones(2))


def test_threads_share_a_pattern():
    A = matrix(30)
    found = []

    def work():
        for _ in range(20):
            found.append(grad(lambda A: loss((A @ A).toarray()))(A).data)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80
    assert all((data == found[0]).all() for data in found)
