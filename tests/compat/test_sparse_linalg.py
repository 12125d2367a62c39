"""`scipy.sparse.linalg` with derivatives, beside `numpy.linalg` of the dense matrix."""

from __future__ import annotations

import tracemalloc
import warnings

import numpy
import pytest
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from numpy.testing import assert_allclose, assert_array_equal
from sparse_reference import array, check, loss, matrix

import wirtinger as wp
from wirtinger import (
    DifferentiationError,
    GaugeError,
    NotDifferentiableError,
    PrecisionLossError,
    TraceError,
    grad,
    jacobian,
    jvp,
)
from wirtinger.scipy import sparse
from wirtinger.scipy.sparse import linalg, with_data

KINDS = pytest.mark.parametrize("kind", [float, complex])


def H(A):
    return A.T.conj()


def hermitian(A):
    return (A + H(A)) / 2


def spsolve(A, b, **options):
    return linalg.spsolve(A.tocsc(), b, **options)


@KINDS
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("shape", [(6,), (6, 3)])
def test_spsolve(form, shape, kind):
    plain = spsolve if form == "coo" else linalg.spsolve
    check(
        lambda A, b: loss(plain(A, b)),
        lambda A, b: loss(wp.linalg.solve(A, b)),
        matrix(6, kind=kind, form=form),
        array(shape, kind),
    )


@KINDS
@pytest.mark.parametrize("trans", ["N", "T", "H"])
def test_splu(trans, kind):
    op = {"N": lambda A: A, "T": lambda A: A.T, "H": H}[trans]
    of_dense = lambda A, b: loss(wp.linalg.solve(op(A), b))
    A, b = matrix(6, kind=kind, form="csc"), array(6, kind)
    check(lambda A, b: loss(linalg.splu(A).solve(b, trans)), of_dense, A, b)
    if trans == "N":
        check(lambda A, b: loss(linalg.factorized(A)(b)), of_dense, A, b)


def test_real_factors_solve_complex_systems():
    A, b = matrix(5, form="csc"), array(5, complex)
    check(lambda A, b: loss(linalg.splu(A).solve(b)), lambda A, b: loss(wp.linalg.solve(A, b)), A, b)
    check(lambda A, b: loss(linalg.splu(A).solve(b)), lambda A, b: loss(wp.linalg.solve(A, b)), A * 1j, array(5))


def test_constant_factors():
    A = matrix(5, form="csc")
    for solve in (linalg.splu(A).solve, linalg.spilu(A, drop_tol=0.0).solve, linalg.factorized(A)):
        assert_allclose(jacobian(solve)(array(5)), numpy.linalg.inv(A.toarray()), atol=1e-12)
    assert linalg.splu(A).perm_c.shape == (5,)
    assert_allclose(linalg.splu(A).solve(array(5)), scipy.sparse.linalg.splu(A).solve(array(5)))


@KINDS
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("unit", [True, False])
def test_spsolve_triangular(lower, unit, kind):
    A = scipy.sparse.csr_array((scipy.sparse.tril if lower else scipy.sparse.triu)(matrix(6, kind=kind)))
    mask = numpy.tri(6, k=-1) if lower else numpy.tri(6, k=-1).T

    def of_dense(A, b):
        return loss(wp.linalg.solve(A * mask + numpy.eye(6) if unit else A, b))

    check(lambda A, b: loss(linalg.spsolve_triangular(A, b, lower, unit_diagonal=unit)), of_dense, A, array(6, kind))


@KINDS
@pytest.mark.parametrize(
    "name", ["bicg", "bicgstab", "cg", "cgs", "gcrotmk", "gmres", "lgmres", "minres", "qmr", "tfqmr"]
)
def test_an_iterative_solver(name, kind):
    if name == "minres" and kind is complex:
        kind = float
    own = hermitian if name in ("cg", "minres") else lambda A: A
    A = matrix(6, kind=kind, hermitian=name in ("cg", "minres")) + 10 * scipy.sparse.eye_array(6)
    check(
        lambda A, b: loss(getattr(linalg, name)(own(A), b, rtol=1e-13)[0]),
        lambda A, b: loss(wp.linalg.solve(own(A), b)),
        A,
        array(6, kind),
        rtol=1e-8,
    )


def test_options_of_iterative_solvers():
    A, b = matrix(8), array(8)
    seen = []
    x = numpy.linalg.solve(A.toarray(), b)
    factors = scipy.sparse.linalg.spilu(A.tocsc())
    whole = scipy.sparse.linalg.LinearOperator((8, 8), factors.solve, rmatvec=lambda v: factors.solve(v, "T"))
    half = scipy.sparse.linalg.LinearOperator((8, 8), factors.solve)
    expected = grad(lambda b: loss(wp.linalg.solve(A.toarray(), b)))(b)

    def f(b, **options):
        found, info = linalg.gmres(A, b, rtol=1e-12, **options)
        assert info == 0
        return loss(found)

    assert_allclose(grad(f)(b, x0=x, callback=seen.append, callback_type="legacy"), expected)
    assert_allclose(grad(f)(b, M=whole), expected)
    with pytest.raises(NotDifferentiableError, match="rmatvec"):
        grad(f)(b, M=half)
    with pytest.raises(PrecisionLossError, match="has not converged"):
        grad(lambda b: loss(linalg.cg(A, b, rtol=1e-12, maxiter=1)[0]))(b)
    operator = scipy.sparse.linalg.aslinearoperator(A)
    assert_allclose(grad(lambda b: loss(linalg.gmres(operator, b, rtol=1e-12)[0]))(b), expected)
    with pytest.raises(NotDifferentiableError, match=r"linalg\.solve"):
        grad(lambda A: linalg.cg(A, b)[0].sum())(A.toarray())


def test_operators_of_other_packages():
    class Operator:
        def __init__(self, A):
            self.A, self.shape, self.dtype = A, A.shape, A.dtype

        def matvec(self, v):
            return self.A @ v

        def rmatvec(self, v):
            return self.A.T @ v

    A, b = matrix(8), array(8)
    other, M = Operator(A), Operator(scipy.sparse.diags_array(1 / A.diagonal()))
    expected = grad(lambda b: loss(wp.linalg.solve(A.toarray(), b)))(b)
    assert_allclose(grad(lambda b: loss(linalg.gmres(other, b, rtol=1e-12, M=M)[0]))(b), expected)
    with pytest.raises(NotDifferentiableError, match="its matrix is an operator"):
        grad(lambda b: loss(linalg.lsqr(other, b)[0]))(b)
    with pytest.raises(TraceError, match="converted to a plain NumPy array"):
        grad(lambda a: loss(linalg.gmres(Operator(a * A.toarray()), b)[0]))(2.0)


@KINDS
@pytest.mark.parametrize("shape", [(8, 5), (5, 8), (6, 6)])
@pytest.mark.parametrize("name", ["lsqr", "lsmr"])
def test_least_squares(name, shape, kind):
    A, b = matrix(*shape, kind), array(shape[0], kind)
    options = {"atol": 1e-14, "btol": 1e-14, "conlim": 0}
    solver = getattr(linalg, name)
    check(
        lambda A, b: loss(
            solver(A, b, iter_lim=80, **options)[0] if name == "lsqr" else solver(A, b, maxiter=80, **options)[0]
        ),
        lambda A, b: loss(wp.linalg.pinv(A) @ b),
        A,
        b,
        rtol=1e-7,
    )
    check(
        lambda A, b: loss(solver(A, b, damp=0.7, **options)[0]),
        lambda A, b: loss(wp.linalg.solve(H(A) @ A + 0.49 * numpy.eye(shape[1]), H(A) @ b)),
        A,
        b,
        rtol=1e-7,
    )


def test_lengths_beside_least_squares():
    A, b = matrix(8, 5), array(8)
    options = {"atol": 1e-14, "btol": 1e-14, "conlim": 0}
    found = grad(lambda b: linalg.lsqr(A, b, **options)[3])(b)
    assert_allclose(found, grad(lambda b: wp.linalg.norm(b - A.toarray() @ (wp.linalg.pinv(A.toarray()) @ b)))(b))


def test_least_squares_of_a_dense_matrix():
    A, b = array((8, 5), "real"), array(8)
    options = {"atol": 1e-14, "btol": 1e-14, "conlim": 0}
    expected = grad(lambda A, b: loss(wp.linalg.pinv(A) @ b), argnums=(0, 1))(A, b)
    for solver in (linalg.lsqr, linalg.lsmr):
        for found, wanted in zip(
            grad(lambda A, b, f=solver: loss(f(A, b, **options)[0]), argnums=(0, 1))(A, b), expected, strict=True
        ):
            assert_allclose(found, wanted, rtol=1e-9)
        moved = jvp(lambda b, f=solver: f(A, b, **options)[0], (b,), (b,))[1]  # the matrix is a constant
        assert_allclose(moved, numpy.linalg.pinv(A) @ b, rtol=1e-9)
        with pytest.raises(NotDifferentiableError, match="operator"):
            grad(lambda b, f=solver: loss(f(scipy.sparse.linalg.aslinearoperator(A), b)[0]))(b)


def ordered(pairs):
    w, v = pairs
    order = numpy.argsort(wp.stop_gradient(w))
    return w[order], v[:, order]


def squares(v):
    return wp.real(wp.conj(v) * v)


@KINDS
def test_eigsh(kind):
    A = matrix(9, kind=kind, hermitian=True) + scipy.sparse.diags_array(numpy.arange(9.0) * 3, format="csr")
    check(
        lambda A: loss(ordered(linalg.eigsh(hermitian(A), 3, which="SA"))[0]),
        lambda A: loss(wp.linalg.eigh(hermitian(A))[0][:3]),
        A,
        rtol=1e-8,
    )
    check(
        lambda A: loss(squares(ordered(linalg.eigsh(hermitian(A), 3, which="SA"))[1])),
        lambda A: loss(squares(wp.linalg.eigh(hermitian(A))[1][:, :3])),
        A,
        rtol=1e-7,
    )
    values = grad(lambda A: loss(linalg.eigsh(hermitian(A), 2, sigma=4.0, return_eigenvectors=False)))
    assert values(A).nnz == A.nnz


@KINDS
def test_eigsh_with_a_mass_matrix(kind):
    A = matrix(9, kind=kind, hermitian=True) + scipy.sparse.diags_array(numpy.arange(9.0) * 3, format="csr")
    eye = 3 * numpy.eye(9)

    def of_sparse(A):
        w, v = ordered(linalg.eigsh(hermitian(A), 3, M=0.1 * A @ H(A) + scipy.sparse.csr_array(eye), which="SA"))
        return loss(w) + loss(squares(v))

    def of_dense(A):
        w, v = wp.linalg.eigh(hermitian(A), 0.1 * A @ H(A) + eye)
        return loss(w[:3]) + loss(squares(v[:, :3]))

    check(of_sparse, of_dense, A, rtol=1e-6)


@KINDS
def test_eigs(kind):
    A = matrix(9, kind=kind) + scipy.sparse.diags_array([*range(8), 30.0], format="csr")

    def largest(pairs):
        w, v = pairs
        first = numpy.argmax(numpy.abs(wp.stop_gradient(w)))
        return loss(squares(w[first : first + 1])) + loss(squares(v[:, first]))

    check(lambda A: largest(linalg.eigs(A, 2)), lambda A: largest(wp.linalg.eig(A)), A, rtol=1e-7)


@KINDS
def test_svds(kind):
    A = matrix(9, 6, kind)

    def largest(u, s, vh):
        return loss(s) + loss(squares(u)) + loss(squares(vh), 0.3) + loss(squares((u * s) @ vh), 0.7)

    def of_dense(A):
        u, s, vh = wp.linalg.svd(A, full_matrices=False)
        return largest(u[:, 1::-1], s[1::-1], vh[1::-1])

    check(lambda A: largest(*linalg.svds(A, 2)), of_dense, A, rtol=1e-7)
    check(lambda A: linalg.norm(A, 2), lambda A: wp.linalg.norm(A, 2), A, rtol=1e-8)
    _, s, vh = linalg.svds(A, 2, return_singular_vectors="vh")
    assert_allclose(grad(lambda A: linalg.svds(A, 2, return_singular_vectors=False)[1])(A).toarray(),
                    grad(lambda A: linalg.svds(A, 2)[1][1])(A).toarray())  # fmt: skip
    assert s.shape == (2,)
    assert vh.shape == (2, 6)


def test_lobpcg():
    A = matrix(40, hermitian=True) + scipy.sparse.diags_array(numpy.arange(40.0) * 5, format="csr")
    start = array((40, 3))

    def f(A):
        w, v = linalg.lobpcg(hermitian(A), start, tol=1e-11, maxiter=300)
        return loss(w) + loss(squares(v))

    def of_dense(A):
        w, v = wp.linalg.eigh(hermitian(A))
        return loss(w[:-4:-1]) + loss(squares(v[:, :-4:-1]))

    gradient, expected = grad(f)(A), grad(of_dense)(A.toarray())
    assert_allclose(gradient.toarray(), expected * (A.toarray() != 0), atol=1e-6)


def test_a_loss_of_the_phase_is_refused():
    A = matrix(9, kind=complex, hermitian=True) + scipy.sparse.diags_array(numpy.arange(9.0) * 3, format="csr")
    with pytest.raises(GaugeError, match="phase of column"):
        grad(lambda A: loss(linalg.eigsh(A, 2)[1]))(A)
    with pytest.raises(GaugeError, match="phase of column"):
        grad(lambda A: loss(linalg.svds(A, 2)[0]))(A)


def test_vectors_of_equal_values_are_refused():
    A = scipy.sparse.diags_array([1.0, 2.0, 3.0, 4.0, 7.0, 7.0], format="csr") + 0 * matrix(6)
    with pytest.raises(NotDifferentiableError, match="not simple"):
        grad(lambda A: loss(squares(linalg.eigsh(A, 1)[1])))(A)
    assert_allclose(grad(lambda A: linalg.eigsh(A, 2)[0].sum())(A).diagonal(), [0, 0, 0, 0, 1, 1], atol=1e-10)


@KINDS
def test_expm_multiply(kind):
    A, b = 0.3 * matrix(6, kind=kind), array((6, 2), kind)
    expm = wp.linalg.expm
    check(lambda A, b: loss(linalg.expm_multiply(A, b)), lambda A, b: loss(expm(A) @ b), A, b)
    check(
        lambda A, b: loss(linalg.expm_multiply(A, b, start=0.1, stop=0.5, num=3)),
        lambda A, b: loss(wp.stack([expm(A * 0.1) @ b, expm(A * 0.3) @ b, expm(A * 0.5) @ b])),
        A,
        b,
    )
    check(lambda A, b: loss(linalg.expm_multiply(A, b)), lambda A, b: loss(expm(A) @ b), 3 * A, b, rtol=1e-8)


def test_expm_multiply_where_the_series_of_the_value_ends_at_once():
    A, b = scipy.sparse.csr_array(numpy.diag([0.0, 1.0, 2.0]) + numpy.eye(3, k=1)), numpy.array([1.0, 0.0, 0.0])
    check(lambda A, b: loss(linalg.expm_multiply(A, b)), lambda A, b: loss(wp.linalg.expm(A) @ b), A, b)


@KINDS
def test_norms_and_powers(kind):
    A = matrix(6, kind=kind)
    for order in (None, "fro", 1, numpy.inf):
        check(lambda A, o=order: linalg.norm(A, o), lambda A, o=order: wp.linalg.norm(A, o), A)
    for axis in (0, 1):
        for order in (None, 1, 3):
            check(
                lambda A, o=order, i=axis: loss(linalg.norm(A, o, i)),
                lambda A, o=order, i=axis: loss(wp.linalg.norm(A, o, i)),
                scipy.sparse.csr_array(array((4, 3), kind)),
            )
    check(lambda A: loss(linalg.matrix_power(A, 3).toarray()), lambda A: loss(A @ A @ A), A)


@pytest.mark.parametrize("name", ["onenormest", "inv", "expm"])
def test_what_has_no_derivative_says_so(name):
    A = matrix(4, form="csc")
    with pytest.raises(NotDifferentiableError, match=name):
        grad(lambda A: getattr(linalg, name)(A).sum())(A)
    plain = getattr(linalg, name)(A)
    assert_allclose(
        *(x.toarray() if scipy.sparse.issparse(x) else x for x in (plain, getattr(scipy.sparse.linalg, name)(A)))
    )


def test_plain_calls_are_scipys():
    A, b = matrix(6, form="csc"), array(6)
    assert_array_equal(linalg.spsolve(A, b), scipy.sparse.linalg.spsolve(A, b))
    assert_array_equal(linalg.cg(A, b)[0], scipy.sparse.linalg.cg(A, b)[0])
    assert_array_equal(linalg.lsqr(A, b)[0], scipy.sparse.linalg.lsqr(A, b)[0])
    assert_array_equal(linalg.expm_multiply(A, b), scipy.sparse.linalg.expm_multiply(A, b))
    assert linalg.norm(A) == scipy.sparse.linalg.norm(A)
    assert linalg.LinearOperator is scipy.sparse.linalg.LinearOperator
    assert {"cg", "LaplacianNd"} <= set(dir(linalg))


def test_wrong_calls_raise():
    b = array(4)
    singular = scipy.sparse.csc_array(numpy.diag([1.0, 2.0, 0.0, 4.0]))
    with pytest.raises(RuntimeError, match="singular"):
        grad(lambda A: linalg.spsolve(A, b).sum())(singular)
    with pytest.raises(ValueError, match="square"):
        grad(lambda A: linalg.spsolve(A, b).sum())(matrix(4, 5))
    with pytest.raises(ValueError, match="right side"):
        grad(lambda A: linalg.spsolve(A, array(5)).sum())(matrix(4))
    with pytest.raises(DifferentiationError, match="toarray"):
        grad(lambda A: linalg.spsolve(A, matrix(4)).sum())(matrix(4))
    with pytest.raises(ValueError, match="trans"):
        grad(lambda A: linalg.splu(A).solve(b, "C").sum())(matrix(4, form="csc"))
    with pytest.raises(NotDifferentiableError, match="spilu"):
        grad(lambda A: linalg.spilu(A).solve(b).sum())(matrix(4, form="csc"))
    with pytest.raises(NotDifferentiableError, match=r"splu\(A\)\.L"):
        grad(lambda A: linalg.splu(A).L.sum())(matrix(4, form="csc"))


def test_one_factorization_serves_all_derivatives(monkeypatch):
    count = []
    splu = scipy.sparse.linalg.splu
    monkeypatch.setattr(scipy.sparse.linalg, "splu", lambda *args, **kwargs: count.append(1) or splu(*args, **kwargs))
    A, b = matrix(6, form="csc"), array(6)
    jvp(grad(lambda A, b: loss(linalg.spsolve(A, b)), argnums=(0, 1)), (A, b), (A, b))
    assert len(count) == 1


def test_the_memory_of_a_gradient_is_that_of_the_factors():
    n = 40_000
    A = scipy.sparse.diags_array([-1.0, 2.5, -1.0], offsets=[-1, 0, 1], shape=(n, n), format="csc")
    b = numpy.ones(n)
    tracemalloc.start()
    g = grad(lambda A: linalg.spsolve(A, b) @ b)(A)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert g.nnz == A.nnz
    assert most < 60 * A.data.nbytes


def test_single_precision():
    A, b = matrix(5, form="csc").astype(numpy.float32), array(5).astype(numpy.float32)
    gA, gb = grad(lambda A, b: wp.sum(linalg.spsolve(A, b)), argnums=(0, 1))(A, b)
    assert gA.dtype == gb.dtype == numpy.float32
    assert_allclose(gb, numpy.linalg.inv(A.toarray()).sum(0), rtol=1e-5)


def test_a_poisson_problem_with_a_conductivity():
    """The field of a conductivity k: A(k) = G^T diag(k) G, whose gradient is -(G u) (G w)."""
    n = 30
    G = scipy.sparse.diags_array([numpy.ones(n), -numpy.ones(n)], offsets=[0, -1], shape=(n + 1, n), format="csr")
    k, b = 1 + numpy.arange(n + 1.0) / n, array(n)

    def energy(k):
        return linalg.spsolve((G.T @ sparse.diags_array(k) @ G).tocsc(), b) @ b

    u = scipy.sparse.linalg.spsolve((G.T @ scipy.sparse.diags_array(k) @ G).tocsc(), b)
    assert_allclose(grad(energy)(k), -((G @ u) ** 2))


def test_data_of_a_hessian():
    A, b = matrix(4, form="csc"), array(4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        h = wp.hessian(lambda d: loss(linalg.spsolve(with_data(A, d), b)))(A.data)
    assert_allclose(h, h.T, atol=1e-12)


D = numpy.array([[4.0, 5.0, 6.0], [7.0, 6.0, 5.0]])


def tridiagonal(d, c=0.3):
    return sparse.diags_array([d, 0.5 * d[:2], c * d[:2]], offsets=[0, 1, -1]).tocsc()


OF_MAPPED = {
    "spsolve": lambda d: linalg.spsolve(tridiagonal(d), d**2),
    "spsolve, one b": lambda d: linalg.spsolve(tridiagonal(d), numpy.ones(3)),
    "spsolve, one A": lambda d: linalg.spsolve(tridiagonal(D[0]), d),
    "splu": lambda d: linalg.splu(tridiagonal(d)).solve(numpy.ones(3), "T"),
    "factorized": lambda d: linalg.factorized(tridiagonal(d))(d**2),
    "spsolve_triangular": lambda d: linalg.spsolve_triangular(sparse.tril(tridiagonal(d)).tocsr(), d**2),
    "eigsh": lambda d: linalg.eigsh(tridiagonal(d, 0.5), 1, v0=numpy.ones(3), return_eigenvectors=False),
    "cg": lambda d: linalg.cg(tridiagonal(d, 0.5), d**2, rtol=1e-13)[0],
    "lsqr": lambda d: linalg.lsqr(tridiagonal(d), numpy.ones(3), atol=1e-14, btol=1e-14)[0],
    "expm_multiply": lambda d: linalg.expm_multiply(0.1 * tridiagonal(d), d),
}


@pytest.mark.parametrize("name", OF_MAPPED)
def test_mapped_matrices_are_those_of_a_loop(name):
    f = OF_MAPPED[name]
    for call in (f, grad(lambda d: numpy.sum(f(d) ** 2)), lambda d: jvp(f, (d,), (numpy.ones(3),))[1]):
        assert_allclose(wp.vmap(call)(D), [call(d) for d in D], rtol=1e-8)
