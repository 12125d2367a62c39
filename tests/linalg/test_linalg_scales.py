"""Matrices whose squares overflow or vanish: values and derivatives are those of a multiple that is near 1."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.linalg

import wirtinger
from random_matrices import H, drawn
from wirtinger import grad, jvp, vjp

L = wirtinger.linalg


def projector(q):
    return q @ H(q)


HOMOGENEOUS = {
    "eigvals": (lambda a: np.sum(L.eigvals(a)), 1),
    "fractional_matrix_power": (lambda a: L.fractional_matrix_power(a, 0.25), 0.25),
    "inv": (L.inv, -1),
    "lstsq": (lambda a: L.lstsq(a[:, :2], np.ones(4))[0], -1),
    "lstsq wide": (lambda a: L.lstsq(a[:2], np.ones(2))[0], -1),
    "null_space": (lambda a: projector(L.null_space(a[:2])), 0),
    "orth": (lambda a: projector(L.orth(a[:, :2])), 0),
    "pinv": (lambda a: L.pinv(a[:, :3]), -1),
    "pinv wide": (lambda a: L.pinv(a[:3]), -1),
    "polar": (lambda a: L.polar(a)[0], 0),
    "signm": (L.signm, 0),
    "solve_circulant": (lambda a: L.solve_circulant(a[0], np.ones(4)), -1),
    "solve_continuous_lyapunov": (lambda a: L.solve_continuous_lyapunov(a, np.eye(4)), -1),
    "sqrtm": (L.sqrtm, 0.5),
    "subspace_angles": (lambda a: L.subspace_angles(a[:, :2], a[:, 2:]), 0),
    "svdvals": (L.svdvals, 1),
}
"""The function, and the power of a factor with which it grows."""


@pytest.mark.parametrize("exponent", [-640, -500, 500])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("name", HOMOGENEOUS)
def test_derivatives_scale_with_the_function(name, dtype, exponent):
    f, power = HOMOGENEOUS[name]
    a, da = drawn(2, 4, 4, dtype=dtype, seed=3)
    factor = 2.0**exponent
    x, dx = jvp(f, (a,), (da,))
    g = drawn(*np.shape(x), dtype=x.dtype, seed=4)
    (ga,) = vjp(f, a)[1](g)
    scaled, moved = jvp(f, (factor * a,), (factor * da,))
    (turned,) = vjp(f, factor * a)[1](g / factor**power)
    for ours, theirs in ((scaled / factor**power, x), (moved / factor**power, dx), (turned * factor, ga)):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-11 * np.max(np.abs(theirs)))


@pytest.mark.parametrize("exponent", [-640, -500, 500, 640])
@pytest.mark.parametrize("seed", range(4))
def test_functions_of_real_matrices_far_from_one(seed, exponent):
    a = drawn(4, 4, dtype=np.float64, seed=seed)
    factor = 2.0**exponent
    logarithm = L.logm(factor * a) - exponent * np.log(2.0) * np.eye(4)
    np.testing.assert_allclose(scipy.linalg.expm(logarithm), a, atol=1e-10)
    for f, power in ((L.signm, 0), (lambda x: L.fractional_matrix_power(x, 0.25), 0.25)):
        np.testing.assert_allclose(f(factor * a) / factor**power, f(a), atol=1e-10)
    t, z = scipy.linalg.schur(a)
    triangular, unitary = L.rsf2csf(factor * t, z)
    np.testing.assert_allclose(unitary @ (triangular / factor) @ H(unitary), a, atol=1e-13)
    dt = np.triu(drawn(4, 4, dtype=np.float64, seed=7))
    moved = jvp(lambda x: L.rsf2csf(x, z), (factor * t,), (factor * dt,))[1]
    expected = jvp(lambda x: L.rsf2csf(x, z), (t,), (dt,))[1]
    np.testing.assert_allclose(moved[0] / factor, expected[0], atol=1e-12)
    np.testing.assert_allclose(moved[1], expected[1], atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("rank", [2, 3, 4])
@pytest.mark.parametrize("spread", [20, 490])
def test_det_of_rows_and_columns_of_different_sizes(rank, dtype, spread):
    a = drawn(4, rank, dtype=dtype, seed=1) @ drawn(rank, 4, dtype=dtype, seed=2)
    da = drawn(4, 4, dtype=dtype, seed=3)
    factors = 2.0 ** np.add.outer([-spread, spread, -7, 7], [spread // 2, -5, 5, -(spread // 2)])
    one = np.ones((), dtype)

    def derivative(x, dx):
        return jvp(L.det, (x,), (dx,))[1]

    def both(x, dx):
        return vjp(L.det, x)[1](one)[0], jvp(lambda y: derivative(y, dx), (x,), (dx,))[1]

    (gradient, second), (expected, curvature) = both(factors * a, factors * da), both(a, da)
    np.testing.assert_allclose(gradient * factors, expected, rtol=0, atol=1e-12 * max(1, np.max(np.abs(expected))))
    np.testing.assert_allclose(derivative(factors * a, factors * da), derivative(a, da), atol=1e-11)
    np.testing.assert_allclose(second, curvature, rtol=1e-11)


def cofactors(a):
    """In rational arithmetic, by minors."""

    def det(rows):
        if not rows:
            return Fraction(1)
        return sum((-1) ** j * x * det([row[:j] + row[j + 1 :] for row in rows[1:]]) for j, x in enumerate(rows[0]))

    rows = [[Fraction(float(x)) for x in row] for row in a]
    minors = [
        [det([row[:j] + row[j + 1 :] for k, row in enumerate(rows) if k != i]) for j in range(len(a))]
        for i in range(len(a))
    ]
    return np.array([[float((-1) ** (i + j) * x) for j, x in enumerate(row)] for i, row in enumerate(minors)])


@pytest.mark.parametrize("count", [1, 40])
@pytest.mark.parametrize("smallest", [1e-3, 1e-7, 1e-12, 1e-15])
def test_gradients_of_det_at_any_condition_number(smallest, count):
    stack = [svd_product(drawn(4, 4, dtype=np.float64, seed=seed), [3.0, 2.0, 1.0, smallest]) for seed in range(count)]
    exact = np.stack([cofactors(a) for a in stack])
    found = wirtinger.grad(lambda a: np.sum(np.linalg.det(a)))(np.stack(stack))
    np.testing.assert_allclose(found, exact, rtol=0, atol=2e-14 * np.max(np.abs(exact)))
    np.testing.assert_allclose(wirtinger.grad(np.linalg.det)(stack[0]), exact[0], rtol=0, atol=5e-14)


def svd_product(a, s):
    """A matrix with the singular vectors of another one."""
    u, _, vh = np.linalg.svd(a)
    return (u * s) @ vh


@pytest.mark.parametrize("stack", [(), (40,)])
def test_gradients_of_det_have_all_digits_where_det_has_not(stack):
    a = np.broadcast_to([[1.0, 2, 1], [3, 4, 5], [1, 1, 3]], (*stack, 3, 3))
    exact = np.broadcast_to(cofactors([[1, 2, 1], [3, 4, 5], [1, 1, 3]]), a.shape)
    for exponent in (-340, -349, -355, 340):
        (found,) = vjp(np.linalg.det, np.ldexp(a, exponent))[1](np.ones(stack))
        np.testing.assert_allclose(np.ldexp(found, -2 * exponent), exact, rtol=1e-13)


@pytest.mark.parametrize("a", [[[1.0, 2], [3, 4]], [[1.0, 2, 1], [3, 4, 5], [1, 1, 3]], np.arange(9.0).reshape(3, 3)])
def test_derivatives_of_det_of_whole_numbers_are_whole(a):
    a = np.array(a)
    np.testing.assert_array_equal(wirtinger.grad(L.det)(a), cofactors(a))
    hessian = wirtinger.hessian(L.det)(a)
    for place in np.ndindex(a.shape):
        step = np.zeros_like(a)
        step[place] = 1
        np.testing.assert_array_equal(hessian[place], (cofactors(a + step) - cofactors(a - step)) / 2)


@pytest.mark.filterwarnings("ignore:invalid value encountered in det:RuntimeWarning")
def test_a_matrix_with_nan_leaves_the_others_of_a_stack_alone():
    a = np.stack([np.eye(2), np.full((2, 2), np.nan), np.ones((2, 2))])
    found = wirtinger.grad(lambda a: np.sum(np.linalg.det(a)))(a)
    np.testing.assert_allclose(found, [np.eye(2), np.full((2, 2), np.nan), [[1, -1], [-1, 1]]], atol=1e-15)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_subclasses_of_arrays_are_taken_as_scipy_takes_them():
    a = np.array([[4.0, 1.0], [1.0, 3.0]])
    for f, theirs in (
        (L.logm, scipy.linalg.logm),
        (L.signm, scipy.linalg.signm),
        (L.expm_cond, scipy.linalg.expm_cond),
        (lambda x: L.fractional_matrix_power(x, 0.3), lambda x: scipy.linalg.fractional_matrix_power(x, 0.3)),
        (lambda x: L.expm_frechet(x, x)[1], lambda x: scipy.linalg.expm_frechet(x, x)[1]),
    ):
        for kind in (np.matrix, np.ma.array):
            np.testing.assert_allclose(f(kind(a)), theirs(a), rtol=1e-12)


def test_object_arrays_are_refused_in_words():
    ragged = np.array([[1.0, None], [2.0, 3.0]], object)
    for call in (
        lambda: L.logm(ragged),
        lambda: L.cho_factor(ragged),
        lambda: L.expm_frechet(ragged, ragged),
        lambda: L.subspace_angles(ragged, ragged),
        lambda: L.eigvals_banded(ragged),
    ):
        with pytest.raises(ValueError, match="array of numbers"):
            call()


@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-700, 2.0**700, 2.0**1000])
@pytest.mark.parametrize(
    ("name", "function", "degree"),
    [
        ("signm", lambda a: L.signm(np.diag([1.0, -1.0, 1.0]) @ a), 0),
        ("logm", lambda a: L.logm(a), 0),
        ("solve_sylvester", lambda a: L.solve_sylvester(a, a.T, a), 0),
        ("schur", lambda a: L.schur(a)[1] ** 2, 0),
        ("form of schur", lambda a: np.abs(L.schur(a)[0]), 1),
        ("hessenberg", lambda a: L.hessenberg(a), 1),
    ],
)
def test_derivatives_at_tiny_and_huge_matrices_are_those_of_ordinary_ones(name, function, degree, scale):
    """A function of the degree `d` has a derivative of the degree `d - 1`; LAPACK takes tiny equations for singular."""
    a = np.array([[3.0, 1.0, 0.4], [-0.5, 2.0, 0.7], [0.2, 0.9, 1.2]])
    gradient = grad(lambda a: np.sum(np.array([[0.3, -1.2, 0.6], [0.1, 2.0, 0.8], [0.5, 0.9, -1.0]]) * function(a)))
    ordinary = gradient(a)
    np.testing.assert_allclose(
        gradient(a * scale) * scale ** (1 - degree), ordinary, atol=1e-13 * np.abs(ordinary).max()
    )


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_the_sign_of_a_matrix_with_complex_eigenvalues_has_its_derivative_at_any_scale(scale):
    a = np.array([[1.0, 2.0, 1.0], [-1.0, 1.0, 0.5], [0.0, 0.0, -2.0]])
    weights = np.arange(9.0).reshape(3, 3)

    def loss(a):
        return np.sum(weights * L.signm(a))

    np.testing.assert_allclose(grad(loss)(scale * a) * scale, grad(loss)(a), rtol=1e-11, atol=1e-12)
