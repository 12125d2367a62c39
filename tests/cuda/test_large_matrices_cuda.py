"""Matrices above the size that one warp of ours is left with: products of matrices and cuSOLVER, beside SciPy's.

That size is made small, so that large matrices are small enough for the stand-in.
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from on_cuda import CUDA, needs_cuda, on_device

import wirtinger.linalg as L

pytestmark = needs_cuda

N = 21


@pytest.fixture(autouse=True)
def _large_is_small(monkeypatch):
    from wirtinger.backends.cuda.linalg import large

    monkeypatch.setattr(large, "LARGEST", 6)


def drawn(*shape, kind="d", seed=0):
    random = np.random.default_rng([seed, *shape])
    x = random.standard_normal(shape)
    return (x + 1j * random.standard_normal(shape) if kind in "FD" else x).astype(kind)


def near(found, expected):
    np.testing.assert_allclose(CUDA.to_host(found), expected, rtol=0, atol=1e-10 * max(np.max(np.abs(expected)), 1))


@pytest.mark.parametrize("kind", ["d", "D"])
class TestLarge:
    def test_hessenberg(self, kind):
        a = drawn(2, N, N, kind=kind)
        h, q = L.hessenberg(*on_device([a]), calc_q=True)
        for k in (0, 1):
            expected = scipy.linalg.hessenberg(a[k], calc_q=True)
            near(h[k], expected[0])
            near(q[k], expected[1])

    def test_pivoted_qr(self, kind):
        a = drawn(2, N, N + 5, kind=kind)
        q, r, order = L.qr(*on_device([a]), pivoting=True)
        for k in (0, 1):
            expected = scipy.linalg.qr(a[k], pivoting=True)
            assert np.array_equal(CUDA.to_host(order[k]), expected[2])
            near(q[k], expected[0])
            near(r[k], expected[1])

    def test_symmetric(self, kind):
        a = drawn(2, N, N, kind=kind)
        a = a + np.swapaxes(a, 1, 2)
        l, d, _ = L.ldl(*on_device([a]), hermitian=False)
        near(l @ d @ np.swapaxes(l, 1, 2), a)
        for k in (0, 1):
            near(l[k], scipy.linalg.ldl(a[k], hermitian=False)[0])

    @pytest.mark.parametrize("m", [5, N, 2 * N])
    def test_sylvester(self, m, kind):
        a, b, q = drawn(m, m, kind=kind) / m + 3 * np.eye(m), drawn(N, N, kind=kind), drawn(m, N, kind=kind)
        b = b / np.sqrt(N)
        near(L.solve_sylvester(*on_device([a, b, q])), scipy.linalg.solve_sylvester(a, b, q))


def test_a_large_singular_equation_is_refused():
    a = np.triu(drawn(N, N)) + np.diag(10.0 + np.arange(N))
    with pytest.raises(L.LinAlgError, match="singular"):
        L.solve_sylvester(*on_device([a, -a, np.ones((N, N))]))


@pytest.mark.parametrize("kind", ["d", "D"])
@pytest.mark.parametrize("counts", [(1, 1), (2, 3), (4, 1), (0, 2), (3, 0), (0, 0)])
def test_bands_are_solved_in_their_storage(counts, kind):
    l, u = counts
    ab, b = drawn(2, l + u + 1, 40, kind=kind), drawn(2, 40, 3, kind=kind)
    ab[:, u] += 4 * (l == 0 or u == 0)
    x = L.solve_banded(counts, *on_device([ab, b]))
    for k in (0, 1):
        near(x[k], scipy.linalg.solve_banded(counts, ab[k], b[k]))


@pytest.mark.parametrize("kind", ["d", "D"])
@pytest.mark.parametrize("lower", [False, True])
def test_definite_bands_are_solved_in_their_storage(lower, kind):
    ab, b = drawn(2, 4, 40, kind=kind), drawn(2, 40, 3, kind=kind)
    ab[:, 0 if lower else -1] = 12 + ab[:, 0 if lower else -1].real
    x, factor = L.solveh_banded(*on_device([ab, b]), lower=lower), L.cholesky_banded(*on_device([ab]), lower=lower)
    for k in (0, 1):
        near(x[k], scipy.linalg.solveh_banded(ab[k], b[k], lower=lower))
        near(factor[k], scipy.linalg.cholesky_banded(ab[k], lower=lower))


def test_failures_of_bands_are_named():
    ab = np.ones((3, 3, 5))
    ab[:, 1] = 4
    ab[1] = 0
    with pytest.raises(L.LinAlgError, match="item 1 of the stack"):
        L.solve_banded((1, 1), *on_device([ab, np.ones((3, 5, 1))]))
    with pytest.raises(L.LinAlgError, match="item 1 of the stack"):
        L.cholesky_banded(*on_device([ab[:, 1:]]), lower=True)
