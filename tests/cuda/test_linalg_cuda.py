"""Linear algebra on CUDA beside SciPy's on the CPU: sizes on both sides of 32, stacks, failures, empty ones."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from on_cuda import CUDA, needs_cuda, on_device

import wirtinger.linalg as L

pytestmark = needs_cuda

SIZES = (1, 2, 3, 8, 32, 33, 64)
KINDS = ("d", "D")
TOLERANCE = 1e-12
"""Relative to the largest element: of matrices of 64 rows of random numbers some are badly conditioned."""


def drawn(*shape, kind="d", seed=0):
    random = np.random.default_rng([seed, *shape])
    x = random.standard_normal(shape)
    return (x + 1j * random.standard_normal(shape) if kind in "FD" else x).astype(kind)


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def near(found, expected):
    found = CUDA.to_host(found)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE * max(np.max(np.abs(expected), initial=0), 1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", SIZES)
class TestSizes:
    """Each factorization at each size, of a stack."""

    def test_systems(self, n, kind):
        a, b = drawn(2, n, n, kind=kind) + n * np.eye(n), drawn(2, n, 2, kind=kind)
        x, y = on_device([a, b])
        near(L.solve(x, y), np.linalg.solve(a, b))
        near(L.inv(x), np.linalg.inv(a))
        near(L.slogdet(x)[1], np.linalg.slogdet(a)[1])
        packed, pivots = L.lu_factor(x)
        expected = [scipy.linalg.lu_factor(item) for item in a]
        near(packed, np.stack([lu for lu, _ in expected]))
        assert np.array_equal(CUDA.to_host(pivots), np.stack([order for _, order in expected]))
        near(L.lu_solve((packed, pivots), y), np.linalg.solve(a, b))

    def test_definite(self, n, kind):
        a, b = drawn(2, n, n, kind=kind), drawn(2, n, 2, kind=kind)
        a = a @ adjoint(a) + n * np.eye(n)
        x, y = on_device([a, b])
        near(L.cholesky(x), np.linalg.cholesky(a))
        near(L.cho_solve(L.cho_factor(x), y), np.linalg.solve(a, b))
        near(L.ldl_solve(*L.ldl_factor(x, hermitian=True), y, hermitian=True), np.linalg.solve(a, b))

    def test_orthogonal(self, n, kind):
        a = drawn(2, n + 1, n, kind=kind)
        q, r = L.qr(*on_device([a]))
        near(q, np.linalg.qr(a)[0])
        near(r, np.linalg.qr(a)[1])
        q, r, order = L.qr(*on_device([a]), pivoting=True)
        expected = scipy.linalg.qr(a[1], mode="economic", pivoting=True)
        near(r[1], expected[1])
        assert np.array_equal(CUDA.to_host(order[1]), expected[2])

    def test_spectra(self, n, kind):
        a = drawn(2, n, n, kind=kind)
        h = a + adjoint(a)
        w, v = L.eigh(*on_device([h]))
        near(w, np.linalg.eigvalsh(h))
        near(v @ (w[..., None] * adjoint(v)), h)
        u, s, vh = L.svd(*on_device([a]))
        near(s, np.linalg.svdvals(a))
        near((u * s[..., None, :]) @ vh, a)

    def test_schur(self, n, kind):
        a = drawn(2, n, n, kind=kind)
        (x,) = on_device([a])
        t, z = L.schur(x)
        near(z @ t @ adjoint(z), a)
        h, q = L.hessenberg(x, calc_q=True)
        near(h[0], scipy.linalg.hessenberg(a[0]))
        near(q @ h @ adjoint(q), a)
        w, v = L.eig(x)
        near(x @ v - v * w[..., None, :], np.zeros(v.shape))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("output", ["real", "complex"])
def test_pairs(kind, output):
    a, b = drawn(2, 5, 5, kind=kind), drawn(2, 5, 5, kind=kind, seed=1)
    s, t, q, z = L.qz(*on_device([a, b]), output)
    near(q @ s @ adjoint(z), a)
    near(q @ t @ adjoint(z), b)
    s, t, alpha, beta, q, z = L.ordqz(*on_device([a, b]), "lhp", output)
    near(q @ s @ adjoint(z), a)
    first = (CUDA.to_host(alpha) / CUDA.to_host(beta)).real < 0
    assert np.all(np.diff(first.astype(int)) <= 0)


def test_the_continuous_riccati_equation_is_solved_with_e():
    a, b, e = drawn(3, 3), drawn(3, 1), np.eye(3) + 0.1 * drawn(3, 3, seed=2)
    q, r = np.eye(3), np.eye(1)
    x = CUDA.to_host(L.solve_continuous_are(*on_device([a, b, q, r, e])))
    gain = np.linalg.solve(r, b.T @ x @ e)
    np.testing.assert_allclose(a.T @ x @ e + e.T @ x @ a - gain.T @ r @ gain + q, np.zeros((3, 3)), atol=1e-12)


@pytest.mark.parametrize(
    ("function", "bad"),
    [
        (L.inv, np.zeros((3, 3))),
        (lambda a: L.solve(a, np.ones_like(a)), np.ones((3, 3))),
        (L.cholesky, -np.eye(3)),
        (L.cho_factor, np.diag([1.0, -1.0, 1.0])),
        (L.eigh, np.full((3, 3), np.nan)),
        (L.svd, np.full((3, 3), np.nan)),
    ],
    ids=["inv", "solve", "cholesky", "cho_factor", "eigh", "svd"],
)
def test_the_item_that_fails_is_named(function, bad):
    stack = np.stack([np.eye(3), np.eye(3), bad, np.eye(3)])
    with pytest.raises(L.LinAlgError, match=r"item 2 of the stack") as caught:
        function(*on_device([stack]))
    assert caught.value.batch_index == (2,)


@pytest.mark.parametrize(
    "function",
    [L.inv, L.det, L.cholesky, L.eigh, L.svd, L.qr, L.eig, L.schur, L.hessenberg, L.expm, L.ldl, L.lu, L.pinv],
    ids=lambda function: function.__name__,
)
@pytest.mark.parametrize("shape", [(0, 3, 3), (2, 0, 0)])
def test_empty(function, shape):
    a = np.zeros(shape)
    expected, found = function(a), function(*on_device([a]))
    for w, v in zip(*[x if isinstance(x, tuple) else (x,) for x in (found, expected)], strict=True):
        assert w.shape == v.shape
