"""Linear algebra where it is hard: repeated and zero values, singular and defective matrices, kinks."""

from __future__ import annotations

import numpy as np
import pytest

import wirtinger
from random_matrices import H, drawn, general_with, hermitian_with, unitary
from wirtinger import NotDifferentiableError, compile, grad, gradcheck, hvp, jvp, vjp
from wirtinger.complex_autograd.engine.errors import GaugeError

L = np.linalg
KINDS = [float, complex]
PHASE = np.complex128(1 + 2j)


def all_derivatives(f, a):
    """First derivatives in both modes, and second ones in all four combinations of them."""
    t, h = drawn(*a.shape, dtype=a.dtype, seed=2), drawn(*a.shape, dtype=a.dtype, seed=3)

    def along(a):
        return jvp(f, (a,), (t,))[1]

    pullback = vjp(grad(f), a)[1]
    return [
        grad(f)(a),
        along(a),
        hvp(f, (a,), (t,)),
        pullback(h)[0],
        pullback(t)[0],
        grad(along)(a),
        jvp(along, (a,), (h,))[1],
    ]


def assert_same_derivatives(f, reference, a):
    scale = max(1.0, np.max(np.abs(a))) ** 4
    for found, expected in zip(all_derivatives(f, a), all_derivatives(reference, a), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11 * scale)


# repeated values


def of_eigenvalues(a):
    w = L.eigvalsh(a)
    return np.sum(w**3 + w**2) + np.sum(w) ** 2


def of_eigenvalues_by_traces(a):
    h = np.tril(a) + H(np.tril(a, -1))
    h = (h + H(h)) / 2
    return np.real(np.trace(h @ h @ h) + np.trace(h @ h) + np.trace(h) ** 2)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("values", [(1, 1, 1, 1), (1, 1, 2, 3), (2, 2, 3, 3), (0, 0, 0, 0), (-1, 0, 0, 1)])
def test_losses_of_repeated_eigenvalues(values, dtype):
    a = hermitian_with(values, dtype)
    assert_same_derivatives(of_eigenvalues, of_eigenvalues_by_traces, a)
    assert_same_derivatives(lambda a: np.sum(L.eigh(a)[0] ** 3), lambda a: np.sum(L.eigvalsh(a) ** 3), a)


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("values", [(2, 2, 1, 1), (2, 1, 0, 0), (1, 1, 1, 1), (0, 0, 0, 0), (3, 2, 1, 0)])
@pytest.mark.parametrize(("m", "n"), [(4, 4), (5, 4), (4, 5)])
def test_losses_of_repeated_and_zero_singular_values(values, m, n, dtype):
    def f(a):
        s = L.svdvals(a)
        return np.sum(s**4) + np.sum(s**2) ** 2

    def by_traces(a):
        b = H(a) @ a
        return np.real(np.trace(b @ b) + np.trace(b) ** 2)

    assert_same_derivatives(f, by_traces, general_with(values, m, n, dtype))


def test_a_stack_of_repeated_eigenvalues():
    stack = np.stack([hermitian_with(values, complex) for values in [(1, 1, 1), (1, 2, 2), (1, 2, 3)]])
    expected = [grad(of_eigenvalues_by_traces)(a) for a in stack]
    np.testing.assert_allclose(grad(lambda a: sum(of_eigenvalues(a[i]) for i in range(3)))(stack), expected, atol=1e-12)

    def together(a):
        w = L.eigvalsh(a)
        return np.sum(w**3 + w**2) + np.sum(np.sum(w, axis=-1) ** 2)

    np.testing.assert_allclose(grad(together)(stack), expected, atol=1e-12)
    t = drawn(3, 3, 3)
    expected = [hvp(of_eigenvalues_by_traces, (a,), (da,)) for a, da in zip(stack, t, strict=True)]
    np.testing.assert_allclose(hvp(together, (stack,), (t,)), expected, atol=1e-11)


def test_a_loss_that_is_not_symmetric_takes_the_mean():
    np.testing.assert_allclose(grad(lambda a: L.eigvalsh(a)[-1])(np.eye(3)), np.eye(3) / 3, atol=1e-15)
    np.testing.assert_allclose(grad(lambda a: L.norm(a, 2))(np.eye(3)), np.eye(3) / 3, atol=1e-15)
    np.testing.assert_allclose(grad(lambda a: L.norm(a, "nuc"))(np.diag([2.0, 0.0])), np.diag([1.0, 0.0]), atol=1e-15)


@pytest.mark.parametrize("dtype", KINDS)
def test_projectors_on_the_vectors_of_repeated_values(dtype):
    a, m = hermitian_with((1, 1, 2, 3), dtype), drawn(4, 4, dtype=dtype)

    def loss(a):
        v = L.eigh(a)[1][:, :2]
        return np.real(np.sum(m * (v @ H(v))))

    t = drawn(4, 4, dtype=dtype, seed=5)
    t = t + H(t)

    def moved(h):
        v = L.eigh(a + h * t)[1][:, :2]
        return np.real(np.sum(m * (v @ H(v))))

    expected = (moved(1e-5) - moved(-1e-5)) / 2e-5
    found = jvp(loss, (a,), (t,))[1]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    np.testing.assert_allclose(np.sum(np.real(np.conj(grad(loss)(a)) * t)), expected, rtol=1e-6)


@pytest.mark.parametrize("dtype", KINDS)
def test_a_loss_of_one_vector_of_a_repeated_value_is_refused(dtype):
    a = hermitian_with((1, 1, 2), dtype)
    m = drawn(3, 3, dtype=dtype)
    with pytest.raises(GaugeError, match=r"columns 0 and 1 of the eigenvectors.*differ by"):
        grad(lambda a: (lambda v: np.real(np.conj(v) @ m @ v))(L.eigh(a)[1][:, 0]))(a)
    b = general_with((2, 2, 1), 3, 3, dtype)
    with pytest.raises(GaugeError, match="singular vectors"):
        grad(lambda b: np.sum(np.abs(L.svd(b)[0][:, 0]) ** 2 * np.arange(3)))(b)


@pytest.mark.parametrize("function", [L.eigh, L.eig, L.svd])
def test_a_loss_of_a_phase_is_refused(function):
    a = hermitian_with((1, 2, 3), complex)
    with pytest.raises(GaugeError, match="phase of column"):
        grad(lambda a: np.real(function(a)[0 if function is L.svd else 1][0, 0] * (1 + 2j)))(a)


def test_untouched_vectors_of_a_repeated_value_do_not_matter():
    a = hermitian_with((1, 1, 2, 3), complex)
    g = grad(lambda a: np.sum(np.abs(L.eigh(a)[1][:, 3]) ** 2 * np.arange(4)))(a)
    assert np.all(np.isfinite(g))


def test_singular_vectors_of_zeros():
    a = general_with((2, 1, 0), 4, 3, float)

    def rank_two(a):
        u, _, vh = L.svd(a)
        return np.sum((u[:, :2] @ vh[:2, :]) * np.arange(12).reshape(4, 3))

    t = drawn(4, 3, dtype=float, seed=7)
    expected = (rank_two(a + 1e-6 * t) - rank_two(a - 1e-6 * t)) / 2e-6
    np.testing.assert_allclose(np.sum(grad(rank_two)(a) * t), expected, rtol=1e-7)
    with pytest.raises(GaugeError, match="zero"):
        grad(lambda a: np.sum(L.svd(a)[0][:, 2] ** 2 * np.arange(4)))(a)
    whole = grad(lambda a: (lambda u, s, vh: np.sum((u * s) @ vh))(*L.svd(a, full_matrices=False)))(a)
    np.testing.assert_allclose(whole, np.ones((4, 3)), atol=1e-13)


@pytest.mark.parametrize("dtype", KINDS)
def test_one_zero_among_square_matrices(dtype):
    a = general_with((2, 1, 0), 3, 3, dtype)
    g = grad(lambda a: (lambda u, s, vh: np.sum(np.abs((u * s**2) @ vh) ** 2))(*L.svd(a)))(a)
    np.testing.assert_allclose(g, grad(lambda a: np.real(np.trace(H(a) @ a @ H(a) @ a)))(a), atol=1e-12)


def test_vectors_beyond_the_rank_count():
    a, m = drawn(4, 2), drawn(4, 4)
    for f in (lambda a: L.svd(a)[0][:, 2:], lambda a: L.qr(a, "complete")[0][:, 2:]):
        assert gradcheck(lambda a, f=f: _projected(f(a), m), a)
        with pytest.raises(GaugeError, match="columns beyond the rank"):
            grad(lambda a, f=f: np.real(np.sum(f(a) * (1 + 2j))))(a)


def _projected(columns, m):
    return np.real(np.sum(m * (columns @ H(columns))))


def test_at_the_minimum_of_a_loss_its_rounding_errors_are_no_choice():
    a = hermitian_with((1, 1, 2), complex)
    v = L.eigh(a)[1][:, :2]
    target = v @ H(v)
    g = grad(lambda a: np.sum(np.abs((lambda v: v @ H(v))(L.eigh(a)[1][:, :2]) - target) ** 2))(a)
    np.testing.assert_allclose(g, 0, atol=1e-13)


# singular and defective matrices


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_det_of_singular_matrices(rank, dtype):
    a = drawn(3, rank, dtype=dtype) @ drawn(rank, 3, dtype=dtype, seed=1)

    def by_cofactors(a):
        minors = [a[1, i] * a[2, j] - a[1, j] * a[2, i] for i, j in ((1, 2), (0, 2), (0, 1))]
        return np.real(PHASE * (a[0, 0] * minors[0] - a[0, 1] * minors[1] + a[0, 2] * minors[2]))

    assert_same_derivatives(lambda a: np.real(PHASE * L.det(a)), by_cofactors, a)
    stack = np.stack([a, np.eye(3)])
    np.testing.assert_allclose(
        grad(lambda a: np.sum(np.real(L.det(a))))(stack)[0], grad(lambda a: np.real(L.det(a)))(a), atol=1e-13
    )


def test_det_of_nearly_singular_matrices():
    a = general_with((1, 0.5, 1e-13), 3, 3, float)
    exact = np.array([np.cross(a[1], a[2]), np.cross(a[2], a[0]), np.cross(a[0], a[1])])
    np.testing.assert_allclose(grad(L.det)(a), exact, atol=1e-15)


def test_third_derivatives_of_det():
    a = drawn(3, 3, dtype=float)
    t = drawn(3, 3, dtype=float, seed=1)

    def second(a):
        return jvp(lambda a: jvp(L.det, (a,), (t,))[1], (a,), (t,))[1]

    np.testing.assert_allclose(jvp(second, (a,), (t,))[1], 6 * L.det(t), rtol=1e-9)
    with pytest.raises(NotDifferentiableError, match="third derivatives"):
        jvp(second, (np.zeros((3, 3)),), (t,))


@pytest.mark.parametrize("p", [None, 2, -2])
def test_cond_of_no_matrices(p):
    none = np.ones((0, 5, 3))
    assert grad(lambda a: np.sum(L.cond(a, p)))(none).shape == none.shape
    with pytest.raises(L.LinAlgError, match="empty"):
        grad(lambda a: np.sum(L.cond(a, p)))(np.ones((2, 0, 3)))


def test_singular_matrices_raise_where_there_is_no_derivative():
    singular = np.ones((2, 2))
    assert vjp(L.slogdet, singular)[0].logabsdet == -np.inf
    with pytest.raises(NotDifferentiableError, match="singular"):
        grad(lambda a: L.slogdet(a)[1])(singular)
    with pytest.raises(NotDifferentiableError, match=r"matrix \(1,\) of the stack"):
        grad(lambda a: np.sum(L.slogdet(a)[1]))(np.stack([np.eye(2), singular]))
    assert vjp(L.cond, singular)[0] > 1e15
    assert vjp(lambda a: L.cond(a, 1), singular)[0] == np.inf
    with pytest.raises(NotDifferentiableError, match="singular"):
        grad(lambda a: L.cond(a, 1))(singular)
    with pytest.raises(NotDifferentiableError, match="linearly dependent"):
        grad(lambda a: np.sum(L.qr(a)[0]))(np.array([[1.0, 0.0], [0.0, 0.0]])[:, ::-1].copy())
    for size in (2, 40):
        with pytest.raises(L.LinAlgError, match="Singular matrix"):
            grad(lambda a: np.sum(L.solve(a, a)))(np.zeros((size, size)))


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("size", [2, 3])
def test_defective_matrices_are_refused(size, dtype):
    q = unitary(size, dtype)
    a = q @ (np.eye(size) + np.eye(size, k=1)) @ H(q)
    for f in (lambda a: L.eig(a)[0], L.eigvals):
        with pytest.raises(NotDifferentiableError, match="defective"):
            grad(lambda a, f=f: np.real(f(a)[0]))(a)


@pytest.mark.parametrize("dtype", KINDS)
def test_eigenvalues_of_a_defective_matrix_that_only_decide(dtype):
    """What does not depend on their derivatives has its own; what does is refused, even where they are 0."""
    a, da = np.eye(3, k=1, dtype=dtype), drawn(3, 3, dtype=dtype)

    def squares(a):
        w, v = L.eig(a)
        is_stable = np.max(np.real(L.eigvals(a))) < 0.5 and np.all(np.abs(w) < 1) and v.shape == a.shape
        return np.sum(np.abs(a) ** 2) if is_stable else np.sum(a)

    np.testing.assert_array_equal(grad(squares)(a), 2 * a)
    np.testing.assert_allclose(jvp(squares, (a,), (da,))[1], 2 * np.sum(a * np.real(da)), rtol=1e-14)
    np.testing.assert_allclose(hvp(squares, (a,), (da,)), 2 * da, rtol=1e-14)
    still = jvp(lambda a, b: np.real(L.eigvals(a)) + b, (a, 1.0), (0 * a, 1.0))[1]
    np.testing.assert_array_equal(still, np.ones(3))
    for f in (
        lambda a: np.sum(np.real(L.eigvals(a)) ** 2),
        lambda a: np.sum(np.imag(L.eigvals(a + 0j))),
        lambda a: np.real(L.eig(a)[1])[0, 1],
        lambda a: np.sum(np.abs(grad(lambda a: np.sum(np.real(L.eigvals(a))))(a))),
    ):
        for derivative in (grad(f), lambda a, f=f: jvp(f, (a,), (da,)), compile(grad(f))):
            with pytest.raises(NotDifferentiableError, match="defective"):
                derivative(a)


def test_nearly_defective_matrices_are_not_refused():
    a = np.array([[1.0, 1.0], [1e-6, 1.0]])
    np.testing.assert_allclose(grad(lambda a: np.real(L.eigvals(a)[0]))(a)[1, 0], 500.0, rtol=1e-6)


@pytest.mark.parametrize("dtype", KINDS)
def test_repeated_eigenvalues_of_general_matrices(dtype):
    x = drawn(3, 3, dtype=dtype)
    a = x @ np.diag([1.0, 1.0, 2.0]) @ L.inv(x)
    g = grad(lambda a: np.real(np.sum(L.eigvals(a) ** 3)))(a)
    np.testing.assert_allclose(g, 3 * H(a @ a), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(grad(lambda a: np.real(np.sum(L.eig(a)[0] ** 3)))(a), g, rtol=1e-9, atol=1e-9)


def test_the_order_of_eigvals_is_numpys():
    a = drawn(12, 12, dtype=float)
    out, pullback = vjp(L.eigvals, a)
    np.testing.assert_array_equal(out, L.eigvals(a))
    for i in range(12):
        cotangent = np.zeros(12, out.dtype)
        cotangent[i] = 1
        np.testing.assert_allclose(np.sum(pullback(cotangent)[0] * a), out[i].real, rtol=1e-9)


# what is read, kept and returned


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("lower", [True, False])
def test_the_other_triangle_is_not_read(lower, dtype):
    a = hermitian_with((1, 2, 3), dtype)
    spoiled = np.tril(a) + np.triu(np.full((3, 3), 7.0), 1) if lower else np.triu(a) + np.tril(np.full((3, 3), 7.0), -1)
    uplo = "L" if lower else "U"
    for f in (
        lambda a: np.sum(np.cos(L.eigvalsh(a, uplo))),
        lambda a: np.sum(np.abs(L.eigh(a, uplo)[1]) ** 4),
        lambda a: np.sum(np.abs(L.cholesky(a, upper=not lower)) ** 4),
    ):
        g = grad(f)(spoiled)
        np.testing.assert_allclose(g, grad(f)(a), atol=1e-13)
        unread = np.triu(g, 1) if lower else np.tril(g, -1)
        np.testing.assert_array_equal(unread, 0)
        np.testing.assert_array_equal(np.imag(np.diagonal(g)), 0)


SQUARE = [
    "solve",
    "inv",
    "det",
    "slogdet",
    "cholesky",
    "qr",
    "eig",
    "eigvals",
    "eigh",
    "eigvalsh",
    "svd",
    "svdvals",
    "pinv",
]
OTHERS = ["norm", "vector_norm", "matrix_norm", "cond", "matrix_rank", "lstsq"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("name", [*SQUARE, *OTHERS])
def test_results_are_numpys(name, dtype):
    a = hermitian_with((1, 2, 4), dtype).astype(dtype)
    args = (a, np.ones((3, 2), dtype)) if name in ("solve", "lstsq") else (a,)
    function, ours = getattr(L, name), getattr(wirtinger.linalg, name)
    expected = function(*args)
    for result in (ours(*args), vjp(lambda a: function(a, *args[1:]), a)[0], vjp(lambda a: ours(a, *args[1:]), a)[0]):
        assert type(result) is type(expected)
        for x, y in zip(*(r if isinstance(r, tuple) else (r,) for r in (result, expected)), strict=True):
            assert (np.shape(x), np.asarray(x).dtype) == (np.shape(y), np.asarray(y).dtype)
            np.testing.assert_allclose(x, y, rtol=20 * np.finfo(dtype).eps, atol=20 * np.finfo(dtype).eps)


def test_every_name_of_numpy_is_there():
    names = [name for name in dir(L) if not name.startswith("_") and name not in ("linalg", "test")]
    assert set(names) <= set(wirtinger.linalg.__all__)


@pytest.mark.parametrize("name", [*SQUARE, "norm", "cond", "multi_dot", "matrix_power", "trace", "cross"])
def test_nested_lists_that_hold_traced_values(name):
    function = getattr(wirtinger.linalg, name)
    extra = {"solve": ([1.0, 2.0, 3.0],), "matrix_power": (2,), "cross": ([1.0, 0.0, 0.0],)}.get(name, ())

    def first(x):
        row = [[4.0, 1.0, x], [1.0, 5.0, 0.5], [x, 0.5, 6.0]]
        result = function([row, row]) if name == "multi_dot" else function(row, *extra)
        return np.sum(np.abs(result[-1] if isinstance(result, tuple) else result))

    assert np.isfinite(grad(first)(0.25))


@pytest.mark.parametrize("name", SQUARE)
def test_nothing_and_stacks_of_nothing(name):
    for shape in ((0, 0), (0, 3, 3), (2, 0, 0)):
        a = np.zeros(shape)
        args = (np.zeros((*shape[:-1], 2)),) if name == "solve" else ()
        try:
            expected = getattr(L, name)(a, *args)
        except L.LinAlgError:
            continue
        out, pullback = vjp(lambda a, args=args: getattr(L, name)(a, *args), a)
        leaves = out if isinstance(out, tuple) else (out,)
        assert [x.shape for x in leaves] == [
            x.shape for x in (expected if isinstance(expected, tuple) else (expected,))
        ]
        ones = [np.ones_like(x) for x in leaves]
        (g,) = pullback(type(out)(*ones) if isinstance(out, tuple) else ones[0])
        assert g.shape == shape
        jvp(lambda a, args=args: getattr(L, name)(a, *args), (a,), (a,))


def test_one_factorization_serves_value_and_all_derivatives(monkeypatch):
    from wirtinger.linalg.kernels import factors

    count = []
    routine = factors.routine
    monkeypatch.setattr(factors, "routine", lambda name, *arrays: count.append(name) or routine(name, *arrays))
    a, b = drawn(50, 50), drawn(50)
    hvp(lambda a, b: np.sum(np.abs(L.solve(a, b)) ** 2), (a, b), (a, b))
    assert count.count("getrf") == 1
    assert count.count("getrs") > 3


def test_results_of_solve_do_not_depend_on_the_size_of_the_right_side():
    a = drawn(3, 3)
    assert vjp(L.solve, np.stack([a, a]), drawn(2, 3, 1))[0].shape == (2, 3, 1)
    assert vjp(L.solve, np.stack([a, a]), drawn(3))[0].shape == (2, 3)
    with pytest.raises(ValueError, match="mismatch"):
        vjp(L.solve, np.stack([a, a]), drawn(2, 3))


# kinks


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("order", [None, 1, 2, 3, 1.5, np.inf, -np.inf, -1.5])
def test_norms_at_zero_have_gradient_zero(order, dtype):
    zero = np.zeros(3, dtype)
    with np.errstate(divide="ignore"):  # NumPy's norms of negative order divide by the elements
        np.testing.assert_array_equal(grad(lambda a: L.norm(a, order))(zero), zero)
        np.testing.assert_array_equal(grad(lambda a: L.norm(a, order) ** 2)(zero), zero)
        np.testing.assert_array_equal(jvp(lambda a: L.norm(a, order), (zero,), (zero + 1,))[1], 0)
        assert np.all(np.isfinite(hvp(lambda a: L.norm(a, order) ** 2, (zero,), (zero + 1,))))


@pytest.mark.parametrize("factor", [1, 3 - 4j])
@pytest.mark.parametrize("order", [1, np.inf, -np.inf, 0.5])
def test_gradients_of_norms_do_not_depend_on_the_scale(order, factor):
    a = np.array([0.5, -0.25, 0.125]) * factor
    for scale in (2.0**-1060, 2.0**1020):
        found, expected = (grad(lambda a: L.norm(a, order))(x) for x in (scale * a, a))
        np.testing.assert_allclose(found, expected, 1e-3 if scale < 1 else 1e-12)  # 14 bits are left of a
    assert grad(lambda a: L.norm(a, 1))(np.array([np.inf, -2.0])).tolist() == [1, -1]


@pytest.mark.parametrize("order", ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
def test_matrix_norms_at_zero_have_gradient_zero(order):
    np.testing.assert_array_equal(grad(lambda a: L.norm(a, order))(np.zeros((2, 3))), np.zeros((2, 3)))


def test_extremes_share():
    np.testing.assert_array_equal(grad(lambda a: L.norm(a, np.inf))(np.array([2.0, -2.0, 1.0])), [0.5, -0.5, 0])
    np.testing.assert_array_equal(grad(lambda a: L.norm(a, -np.inf))(np.array([2.0, -2.0, 3.0])), [0.5, -0.5, 0])
    np.testing.assert_allclose(
        grad(lambda a: L.norm(a, 1))(np.array([[1.0, 0.0], [-1.0, 2.0]])), [[0.5, 0], [-0.5, 0.5]]
    )


def test_a_norm_with_an_infinite_derivative_is_refused():
    with pytest.raises(NotDifferentiableError, match="infinite derivative"):
        grad(lambda a: L.norm(a, 0.5))(np.array([1.0, 0.0]))


@pytest.mark.parametrize("hermitian", [False, True])
def test_matrix_rank_with_the_cutoffs_of_torch(hermitian):
    a = np.diag([4.0, -2.0, 0.5, 1e-17])
    stack = np.stack([a, a])

    def rank(x, **k):
        return wirtinger.linalg.matrix_rank(x, hermitian=hermitian, **k)

    assert rank(a) == rank(a, atol=0) == rank(a, atol=0.1) == 3
    assert rank(a, atol=0, rtol=0) == rank(a, atol=1e-18) == 4
    assert rank(a, atol=0.5) == rank(a, atol=0.1, rtol=0.2) == 2, "neither sum nor default"
    np.testing.assert_array_equal(rank(stack, atol=[0.1, 3.0]), [3, 1])
    np.testing.assert_array_equal(rank(stack, atol=[0.0, 1.0], rtol=[0.6, 0.1]), [1, 2])
    assert rank(np.zeros((2, 2)), atol=0) == wirtinger.linalg.matrix_rank(np.zeros((2, 0)), atol=1) == 0
    with pytest.raises(ValueError, match="two names"):
        rank(a, tol=1, atol=1)
    assert wirtinger.linalg.matrix_rank([3.0, 4.0], atol=4.5) == 1


def test_rank_deficient_least_squares():
    a, b = drawn(5, 2) @ drawn(2, 4, seed=1), drawn(5)
    t = drawn(5, 2, seed=2) @ drawn(2, 4, seed=1)  # keeps the rank

    def solved(h):
        return L.lstsq(a + h * t, b, rcond=1e-10)[0]

    expected = (solved(1e-5) - solved(-1e-5)) / 2e-5
    np.testing.assert_allclose(
        jvp(lambda a: L.lstsq(a, b, rcond=1e-10)[0], (a,), (t,))[1], expected, rtol=1e-6, atol=1e-8
    )
    pinv = (L.pinv(a + 1e-5 * t, 1e-10) - L.pinv(a - 1e-5 * t, 1e-10)) / 2e-5
    np.testing.assert_allclose(jvp(lambda a: L.pinv(a, 1e-10), (a,), (t,))[1], pinv, rtol=1e-6, atol=1e-8)


def test_failure_is_never_silent():
    nan = np.full((2, 2), np.nan)
    for f in (lambda a: np.sum(L.eigvalsh(a)), lambda a: np.sum(L.svdvals(a)), lambda a: np.sum(L.inv(a)), L.det):
        try:
            with np.errstate(invalid="ignore"):
                g = grad(f)(nan)
        except L.LinAlgError:
            continue
        assert np.all(np.isnan(g))
