"""Stacks of many small matrices have the values, derivatives and errors that their items have."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import wirtinger
from wirtinger import GaugeError, NotDifferentiableError, grad, hvp, jvp, linalg

COUNT = 1324
DTYPES = [np.float64, np.complex128]


def draw(dtype: Any, *shape: int, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    x = random.standard_normal(shape)
    return x + 1j * random.standard_normal(shape) if dtype is np.complex128 else x


def definite(dtype: Any, n: int) -> Any:
    a = draw(dtype, COUNT, n, n)
    return a @ np.conj(a.mT) + np.eye(n)


def weighted(x: Any, seed: int = 5) -> Any:
    """A real loss that uses every element of an array."""
    return wirtinger.sum(wirtinger.real(x * draw(np.complex128, *x.shape[1:], seed=seed)))


def loss_of_solve(a: Any) -> Any:
    return weighted(wirtinger.linalg.solve(a, wirtinger.sin(a[..., :2])))


def loss_of_inv(a: Any) -> Any:
    return weighted(wirtinger.linalg.inv(a))


def loss_of_det(a: Any) -> Any:
    return wirtinger.sum(wirtinger.real(wirtinger.linalg.det(a) * (1 + 2j)))


def loss_of_slogdet(a: Any) -> Any:
    sign, log = wirtinger.linalg.slogdet(a)
    return wirtinger.sum(log * log + wirtinger.real(sign * (1 + 2j)))


def loss_of_cholesky(a: Any) -> Any:
    return weighted(wirtinger.linalg.cholesky(a @ wirtinger.conj(wirtinger.matrix_transpose(a)) + np.eye(a.shape[-1])))


def loss_of_qr(a: Any) -> Any:
    q, r = wirtinger.linalg.qr(a)
    return weighted(q) + weighted(r)


def loss_of_q(a: Any) -> Any:
    return weighted(wirtinger.linalg.qr(a)[0])


def loss_of_r(a: Any) -> Any:
    return weighted(wirtinger.linalg.qr(a)[1])


def loss_of_eigh(a: Any) -> Any:
    w, v = wirtinger.linalg.eigh(a + wirtinger.conj(wirtinger.matrix_transpose(a)))
    return weighted(wirtinger.abs(v) ** 2 * w[..., None, :])


def loss_of_vectors(a: Any) -> Any:
    return weighted(wirtinger.abs(wirtinger.linalg.eigh(a + wirtinger.conj(wirtinger.matrix_transpose(a)))[1]) ** 2)


def loss_of_svd(a: Any) -> Any:
    u, s, vh = wirtinger.linalg.svd(a, full_matrices=False)
    return weighted(wirtinger.abs(u) ** 2 * s[..., None, :]) + weighted(wirtinger.abs(vh) ** 2)


SQUARE = [
    loss_of_solve,
    loss_of_inv,
    loss_of_det,
    loss_of_slogdet,
    loss_of_cholesky,
    loss_of_qr,
    loss_of_q,
    loss_of_r,
    loss_of_eigh,
    loss_of_vectors,
    loss_of_svd,
]


def in_pieces(f: Any, *arrays: Any) -> Any:
    """A function of smaller stacks."""
    return np.concatenate([f(*[x[k : k + 100] for x in arrays]) for k in range(0, len(arrays[0]), 100)])


def error(x: Any, y: Any) -> float:
    """The largest difference beside the size of each item."""
    axes = tuple(range(1, x.ndim))
    return float(np.max(np.max(np.abs(x - y), axis=axes) / (1 + np.max(np.abs(y), axis=axes))))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("loss", SQUARE)
@pytest.mark.parametrize("n", [1, 4, 6])
def test_gradient_is_that_of_smaller_stacks(loss: Any, n: int, dtype: Any) -> None:
    a = draw(dtype, COUNT, n, n) + 2 * np.diag(np.arange(1, n + 1))
    g = grad(loss)(a)
    assert g.flags.c_contiguous
    assert g.flags.owndata
    assert g.flags.writeable
    condition = max(1.0, float(np.max(np.linalg.cond(a))))
    assert error(g, in_pieces(grad(loss), a)) < 1e-13 * condition**2


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("loss", [loss_of_qr, loss_of_q, loss_of_r, loss_of_svd])
@pytest.mark.parametrize("shape", [(5, 2), (2, 5)])
def test_rectangular(loss: Any, shape: tuple[int, int], dtype: Any) -> None:
    a = draw(dtype, COUNT, *shape)
    condition = float(np.max(np.linalg.cond(a[..., : min(shape)])))
    assert error(grad(loss)(a), in_pieces(grad(loss), a)) < 1e-13 * condition**2


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("loss", SQUARE)
def test_second_order_is_that_of_smaller_stacks(loss: Any, dtype: Any) -> None:
    a = draw(dtype, COUNT, 3, 3) + 2 * np.diag([1, 2, 4])
    da = draw(dtype, COUNT, 3, 3, seed=1)
    whole, parts = hvp(loss, (a,), (da,)), in_pieces(lambda a, da: hvp(loss, (a,), (da,)), a, da)
    gap = 1.0
    if loss in (loss_of_eigh, loss_of_vectors):
        gap = float(np.min(np.diff(np.linalg.eigvalsh(a + np.conj(a.mT)), axis=-1)))
    if loss is loss_of_svd:
        gap = float(np.min(-np.diff(np.linalg.svdvals(a), axis=-1)))
    assert error(whole, parts) < 1e-13 * float(np.max(np.linalg.cond(a))) ** 3 / min(gap, 1) ** 3


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", range(1, 9))
def test_values_are_those_of_numpy(n: int, dtype: Any) -> None:
    a, b = draw(dtype, COUNT, n, n), draw(dtype, COUNT, n, 3, seed=1)
    for f in (
        lambda F, a: F.linalg.solve(a, b),
        lambda F, a: F.linalg.inv(a),
        lambda F, a: F.linalg.det(a)[:, None],
        lambda F, a: F.linalg.slogdet(a)[0][:, None],
        lambda F, a: F.linalg.slogdet(a)[1][:, None],
    ):
        ours, theirs = jvp(lambda a, f=f: f(wirtinger, a), (a,), (a,))[0], f(np, a)
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        assert ours.flags.c_contiguous
        assert error(ours, theirs) < 1e-14 * float(np.max(np.linalg.cond(a)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (3, 1), (1, 3), (6, 3), (3, 6), (8, 8)])
def test_qr_makes_the_choices_of_lapack(shape: tuple[int, int], dtype: Any) -> None:
    a = draw(dtype, COUNT, *shape)
    a[1], a[2], a[3] = np.triu(a[1]), 0, -np.eye(*shape)
    a[4] *= 1e120
    condition = float(np.max(np.linalg.cond(np.delete(a, [1, 2], 0)[..., : min(shape)])))
    for x, y in zip(wirtinger.linalg.qr(a), np.linalg.qr(a), strict=True):
        assert error(x, y) < 1e-14 * condition
    a = np.delete(a, [1, 2], 0)
    a[5] *= 1e-160
    q, r = jvp(wirtinger.linalg.qr, (a,), (a,))[0]
    expected = np.linalg.qr(a)
    assert error(q, expected[0]) < 1e-14 * condition
    assert error(r, expected[1]) < 1e-14 * condition


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_order_of_pivots(dtype: Any) -> None:
    n = 5
    random = np.random.default_rng(2)
    rows = np.array([random.permutation(n) for _ in range(COUNT)])
    a = np.eye(n)[rows] * random.uniform(1, 2, (COUNT, n, 1)) * (1j if dtype is np.complex128 else 1)
    a[::3] = np.eye(n)
    b = draw(dtype, COUNT, n, 2)
    x, da = np.linalg.solve(a, b), draw(dtype, COUNT, n, n, seed=3)
    value, derivative = jvp(lambda a: wirtinger.linalg.solve(a, b), (a,), (da,))
    assert error(value, x) < 1e-15
    assert error(derivative, -np.linalg.solve(a, da @ x)) < 1e-14
    determinants = jvp(wirtinger.linalg.det, (a,), (da,))[0]
    assert error(determinants[:, None], np.linalg.det(a)[:, None]) < 1e-13


def test_numbers_of_any_size() -> None:
    scale = 10.0 ** np.random.default_rng(1).uniform(-120, 120, (COUNT, 1, 1))
    a = (draw(np.float64, COUNT, 3, 3) + 4 * np.eye(3)) * scale
    sign, log = jvp(wirtinger.linalg.slogdet, (a,), (a,))[0]
    assert np.array_equal(sign, np.linalg.slogdet(a)[0])
    assert np.allclose(log, np.linalg.slogdet(a)[1], rtol=1e-14, atol=1e-13)
    g = grad(lambda a: wirtinger.sum(wirtinger.linalg.slogdet(a)[1]))(a)
    assert error(g * scale, np.linalg.inv(a / scale).mT) < 1e-13


def test_ill_conditioned_gradient_has_a_small_backward_error() -> None:
    """`l = solve(H(a), g)` and `ga = -l H(x)`: no less accurate than LAPACK's solutions, unlike an explicit inverse."""
    n, condition = 4, 1e10
    u, v = (np.linalg.qr(draw(np.complex128, COUNT, n, n, seed=k))[0] for k in (1, 2))
    a = (u * condition ** -np.linspace(0, 1, n)) @ v
    b = draw(np.complex128, COUNT, n, 1, seed=3)
    g = np.conj(a.mT) @ draw(np.complex128, COUNT, n, 1, seed=4)  # so that l is much less than norm(inv(a)) norm(g)
    ga, gb = grad(lambda a, b: wirtinger.sum(wirtinger.real(np.conj(g) * wirtinger.linalg.solve(a, b))), (0, 1))(a, b)
    x = np.linalg.solve(a, b)
    size = np.linalg.norm(a, axis=(-2, -1)) * np.linalg.norm(gb, axis=(-2, -1))
    assert np.max(np.linalg.norm(np.conj(a.mT) @ gb - g, axis=(-2, -1)) / size) < 1e-15
    assert error(ga, -gb @ np.conj(x.mT)) < 1e-15 * float(np.max(np.abs(ga)))
    with mpmath.workdps(40):
        for k in range(0, COUNT, COUNT // 5):
            exact = np.array(mpmath.lu_solve(mpmath.matrix(np.conj(a[k].T)), mpmath.matrix(g[k])).tolist(), complex)
            assert np.linalg.norm(gb[k] - exact) < 4e-16 * condition * np.linalg.norm(exact)


@pytest.mark.parametrize("dtype", DTYPES)
def test_ill_conditioned_inverses_are_as_accurate_as_those_of_lapack(dtype: Any) -> None:
    n, condition = 4, 1e8
    u, v = (np.linalg.qr(draw(dtype, COUNT, n, n, seed=k))[0] for k in (1, 2))
    a = (u * condition ** -np.linspace(0, 1, n)) @ v
    x, lapack = jvp(wirtinger.linalg.inv, (a,), (a,))[0], np.linalg.inv(a)
    with mpmath.workdps(40):
        for k in range(0, COUNT, COUNT // 10):
            exact = np.array((mpmath.matrix(a[k].tolist()) ** -1).tolist(), complex)
            size = np.linalg.norm(exact)
            bound = 3 * np.linalg.norm(lapack[k] - exact) + np.finfo(float).eps * condition * size
            assert np.linalg.norm(x[k] - exact) < bound


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("n", [1, 4, 6])
def test_cholesky_factors(n: int, upper: bool, dtype: Any) -> None:
    a = definite(dtype, n)
    scale = 10.0 ** np.random.default_rng(1).uniform(-100, 100, (COUNT, 1, 1))
    a = a * scale
    given = np.triu(a) if upper else np.tril(a)  # the other triangle is not read
    x = jvp(lambda a: wirtinger.linalg.cholesky(a, upper=upper), (given,), (given,))[0]
    expected = np.linalg.cholesky(a, upper=upper)
    assert x.dtype == expected.dtype
    assert error(x / np.sqrt(scale), expected / np.sqrt(scale)) < 1e-14 * float(np.max(np.linalg.cond(a)))
    other = np.tril(x, -1) if upper else np.triu(x, 1)
    assert not np.any(other)

    def loss(a: Any) -> Any:
        return weighted(wirtinger.linalg.cholesky(a, upper=upper))

    g = grad(loss)(a / scale)
    assert error(g, in_pieces(grad(loss), a / scale)) < 1e-13 * float(np.max(np.linalg.cond(a))) ** 2


def test_a_matrix_without_cholesky_factor_is_named() -> None:
    a = definite(np.float64, 3)
    a[1100, 2, 2] = -1
    with pytest.raises(np.linalg.LinAlgError, match="1100"):
        grad(loss_of_factor)(a)


def loss_of_factor(a: Any) -> Any:
    return weighted(wirtinger.linalg.cholesky(a))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("uplo", ["L", "U"])
def test_eigenvectors_from_one_triangle(uplo: str, dtype: Any) -> None:
    a = definite(dtype, 4) + np.diag([1, 20, 300, 4000])

    def loss(a: Any) -> Any:
        w, v = wirtinger.linalg.eigh(a, UPLO=uplo)
        return weighted(wirtinger.abs(v) ** 2 * w[..., None, :])

    given = np.triu(a) if uplo == "U" else np.tril(a)
    g = grad(loss)(given)
    assert error(g, in_pieces(grad(loss), given)) < 1e-12
    assert not np.any(np.tril(g, -1) if uplo == "U" else np.triu(g, 1))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("part", range(3))
def test_part_of_the_singular_values_and_vectors(part: int, dtype: Any) -> None:
    a = draw(dtype, COUNT, 3, 3) + np.diag([1, 20, 300])

    def loss(a: Any) -> Any:
        x = wirtinger.linalg.svd(a)[part]
        return weighted(wirtinger.abs(x) ** 2)

    assert error(grad(loss)(a), in_pieces(grad(loss), a)) < 1e-12


def with_singular_item(rank: int) -> Any:
    a = draw(np.float64, COUNT, 4, 4) + 4 * np.eye(4)
    a[1200] = draw(np.float64, 4, rank, seed=8) @ draw(np.float64, rank, 4, seed=9)
    return a


def test_a_singular_item_is_named() -> None:
    a = with_singular_item(3)
    a[1200, :, 0] = 0
    with pytest.raises(np.linalg.LinAlgError, match="item 1200") as caught:
        grad(lambda a: wirtinger.sum(wirtinger.linalg.inv(a)))(a)
    assert caught.value.batch_index == (1200,)
    with pytest.raises(NotDifferentiableError, match="slogdet"):
        grad(lambda a: wirtinger.sum(wirtinger.linalg.slogdet(a)[1]))(a)


@pytest.mark.parametrize("rank", [2, 3])
def test_det_at_a_singular_item_has_the_cofactors(rank: int) -> None:
    a = with_singular_item(rank)
    g = grad(lambda a: wirtinger.sum(wirtinger.linalg.det(a)))(a)
    minors = [[np.linalg.det(np.delete(np.delete(a[1200], i, 0), j, 1)) for j in range(4)] for i in range(4)]
    signs = (-1.0) ** np.add.outer(range(4), range(4))
    assert np.max(np.abs(g[1200] - signs * minors)) < 1e-12
    others = np.delete(a, 1200, 0)
    assert error(np.delete(g, 1200, 0), np.linalg.det(others)[:, None, None] * np.linalg.inv(others).mT) < 1e-11


def test_nan_stays_in_its_item() -> None:
    a = draw(np.float64, COUNT, 3, 3) + 4 * np.eye(3)
    a[7] = np.nan
    g = grad(lambda a: wirtinger.sum(wirtinger.linalg.inv(a)[8:]))(a)
    assert np.all(np.isfinite(g[8:]))
    assert not np.any(g[:7])


def test_the_item_of_a_gauge_violation_is_named() -> None:
    a = draw(np.complex128, 40, 50, 3, 3)

    def loss(a: Any) -> Any:
        v = wirtinger.linalg.eigh(a + wirtinger.conj(wirtinger.matrix_transpose(a)))[1]
        return wirtinger.sum(wirtinger.abs(v) ** 2 * np.arange(3)) + wirtinger.real((1 + 2j) * v[31, 17, 1, 1])

    with pytest.raises(GaugeError, match=r"column 1 .*\(31, 17\)"):
        grad(loss)(a)


@pytest.mark.parametrize("stack", [(COUNT,), (40, 50), (2, 3, 300)])
def test_stacks_of_any_form_and_strides(stack: tuple[int, ...]) -> None:
    a = draw(np.complex128, *stack, 3, 3) + 4 * np.eye(3)
    expected = grad(loss_of_inv)(a)
    for other in (np.asfortranarray(a), a.mT.copy().mT, a[..., ::-1, :].copy()[..., ::-1, :]):
        assert np.allclose(grad(loss_of_inv)(other), expected, rtol=1e-12, atol=1e-14)
    flat = grad(loss_of_cholesky)(a.reshape(-1, 3, 3))
    assert np.allclose(grad(lambda x: loss_of_cholesky(x.reshape(-1, 3, 3)))(a).reshape(-1, 3, 3), flat)


def test_right_sides_that_are_broadcast() -> None:
    a, b = draw(np.float64, COUNT, 3, 3) + 4 * np.eye(3), draw(np.complex128, 3, 2)
    for shape in ((3, 2), (1, 3, 2), (2, 1, 3, 2)):
        right = np.broadcast_to(b, shape).copy()
        ga, gb = grad(lambda a, b: weighted(wirtinger.linalg.solve(a, b)), (0, 1))(a, right)
        other = grad(lambda a, b: weighted(wirtinger.linalg.inv(a) @ b), (0, 1))(a, right)
        assert ga.dtype == np.float64
        assert gb.dtype == np.complex128
        assert np.allclose(ga, other[0], rtol=1e-11, atol=1e-13)
        assert np.allclose(gb, other[1], rtol=1e-11)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("loss", [loss_of_cholesky, loss_of_qr, loss_of_q, loss_of_r, loss_of_inv, loss_of_slogdet])
def test_large_matrices_whose_triangles_are_used(loss: Any, dtype: Any) -> None:
    """The gradient, which multiplies by triangles in BLAS, is the adjoint of the differential, which does not."""
    n = 40
    a, da = draw(dtype, n, n) / 8 + 2 * np.eye(n), draw(dtype, n, n, seed=1)
    derivative = jvp(loss, (a,), (da,))[1]
    assert abs(np.sum(np.real(np.conj(grad(loss)(a)) * da)) - derivative) < 1e-11 * (1 + abs(derivative))


@pytest.mark.parametrize("letter", "fdFD")
def test_stacks_of_factors_solve_as_their_items(letter):
    random, rtol = np.random.default_rng(0), 1e-3 if letter in "fF" else 1e-11
    for n in (1, 3, 8):
        a = random.standard_normal((2, 50, n, n))
        a = (a[0] + 1j * a[1] if letter in "FD" else a[0]).astype(letter) + n * np.eye(n, dtype=letter)[::-1]
        packed, pivots = linalg.lu_factor(a)
        for shape in ((50, n, 2), (n, 3), (2, 50, n, 1)):
            b = random.standard_normal(shape).astype(letter)
            each = np.broadcast_to(b, (*np.broadcast_shapes((50,), shape[:-2]), *shape[-2:]))
            for trans in (0, 1, 2):
                x = linalg.lu_solve((packed, pivots), b, trans)
                items = [linalg.lu_solve((packed[k], pivots[k]), each[..., k, :, :], trans) for k in range(50)]
                np.testing.assert_allclose(x, np.stack(items, -3), rtol=rtol, atol=rtol)
                assert x.dtype == letter
            for lower in (False, True):
                c = a[..., ::-1, :]
                x = linalg.cho_solve((c, lower), b)
                items = [linalg.cho_solve((c[k], lower), each[..., k, :, :]) for k in range(50)]
                np.testing.assert_allclose(x, np.stack(items, -3), rtol=rtol, atol=rtol)
                assert x.dtype == letter


def test_stacks_of_factors_that_are_singular():
    c = np.tile(np.eye(3), (40, 1, 1))
    c[7, 1, 1] = 0
    for solve in (
        lambda **k: linalg.cho_solve((c, True), np.ones(3)[:, None], **k),
        lambda **k: linalg.lu_solve((c, np.tile(np.arange(3), (40, 1))), np.ones((40, 3, 1)), **k),
    ):
        with pytest.raises(np.linalg.LinAlgError, match="item 7 of the stack"):
            solve()
        assert np.flatnonzero(np.isnan(solve(errors="nan")).any(axis=(1, 2))).tolist() == [7]
