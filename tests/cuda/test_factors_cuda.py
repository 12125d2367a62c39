"""Factors on CUDA are those of LAPACK and SciPy on the CPU with their signs and phases, not only up to these."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from on_cuda import CUDA, needs_cuda, on_device

import wirtinger.linalg as L

pytestmark = needs_cuda

KINDS = ("d", "D")


def drawn(*shape, kind="d", seed=0):
    random = np.random.default_rng([seed, *shape])
    x = random.standard_normal(shape)
    return (x + 1j * random.standard_normal(shape) if kind in "FD" else x).astype(kind)


def same(found, expected):
    for w, v in zip(found, expected, strict=True):
        w = CUDA.to_host(w)
        assert (w.shape, w.dtype) == (v.shape, v.dtype)
        np.testing.assert_allclose(w, v, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", [*KINDS, "f", "F"])
@pytest.mark.parametrize("uplo", ["L", "U"])
def test_eigenvectors(kind, uplo):
    for n in (1, 2, 3, 8, 25):
        a = drawn(3, n, n, kind=kind)
        found, expected = np.linalg.eigh(*on_device([a]), uplo), np.linalg.eigh(a, uplo)
        if kind in "fF":
            found = [CUDA.to_host(x).astype(np.complex128) for x in found]
            expected = [x.astype(np.complex128) for x in expected]
            for w, v in zip(found, expected, strict=True):
                np.testing.assert_allclose(w, v, rtol=0, atol=1e-5)
        else:
            same(found, expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (5, 4), (4, 5), (5, 2), (2, 5), (17, 9), (9, 16), (40, 8), (25, 25)])
def test_singular_vectors(shape, full, kind):
    a = drawn(2, *shape, kind=kind)
    same(np.linalg.svd(*on_device([a]), full), np.linalg.svd(a, full))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize(("rows", "n"), [(1, 3), (2, 2), (2, 8), (3, 8), (5, 5), (5, 16)])
def test_eigenvectors_of_bands(rows, n, lower, kind):
    a = drawn(rows, n, kind=kind)
    a[0 if lower else -1] = a[0 if lower else -1].real
    for selection in ({}, {"select": "i", "select_range": (0, n - 2)}):
        same(L.eig_banded(*on_device([a]), lower, **selection), scipy.linalg.eig_banded(a, lower, **selection))


@pytest.mark.parametrize("selection", [{}, {"select": "i", "select_range": (1, 3)}])
def test_eigenvectors_of_tridiagonal_matrices(selection):
    d, e = drawn(9), drawn(8)
    same(L.eigh_tridiagonal(*on_device([d, e]), **selection), scipy.linalg.eigh_tridiagonal(d, e, **selection))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", ["full", "economic"])
class TestChangedQR:
    """The factors after a change, of tall, square and wide matrices, with the columns that complete a basis."""

    @staticmethod
    def factors(mode, kind):
        for m, n in [(5, 3), (3, 3), (3, 5), (6, 5), (8, 3)]:
            if mode == "full" or m > n:
                yield scipy.linalg.qr(drawn(m, n, kind=kind), mode=mode)

    @pytest.mark.parametrize("p", [1, 2, 3])
    @pytest.mark.parametrize("which", ["row", "col"])
    def test_deletion(self, mode, kind, p, which):
        for q, r in self.factors(mode, kind):
            for k in (0, 1):
                if k + p < (q.shape[0] if which == "row" else r.shape[1]):
                    same(L.qr_delete(*on_device([q, r]), k, p, which), scipy.linalg.qr_delete(q, r, k, p, which))

    @pytest.mark.parametrize("p", [1, 2])
    @pytest.mark.parametrize("which", ["row", "col"])
    def test_insertion(self, mode, kind, p, which):
        for q, r in self.factors(mode, kind):
            u = drawn(p, r.shape[1], kind=kind) if which == "row" else drawn(q.shape[0], p, kind=kind)
            u = u if p > 1 else u.ravel()
            for k in (0, 1, -1):
                same(L.qr_insert(*on_device([q, r, u]), k, which), scipy.linalg.qr_insert(q, r, u, k, which))

    @pytest.mark.parametrize("p", [1, 2])
    def test_update(self, mode, kind, p):
        for q, r in self.factors(mode, kind):
            if mode == "full" and 0 < q.shape[0] - r.shape[1] < p:
                continue  # SciPy raises
            u, v = drawn(q.shape[0], p, kind=kind), drawn(r.shape[1], p, kind=kind, seed=1)
            if p == 1:
                u, v = u.ravel(), v.ravel()
            same(L.qr_update(*on_device([q, r, u, v])), scipy.linalg.qr_update(q, r, u, v))


def test_a_row_is_deleted_whose_unit_vector_is_in_the_span_of_q():
    q = np.zeros((5, 3))
    q[4, 0] = 1
    q[:4, 1:] = scipy.linalg.qr(drawn(4, 2), mode="economic")[0]
    r = np.triu(drawn(3, 3))
    found = [CUDA.to_host(x) for x in L.qr_delete(*on_device([q, r]), 4)]
    np.testing.assert_allclose(found[0] @ found[1], (q @ r)[:4], atol=1e-12)
    np.testing.assert_allclose(found[0].T @ found[0], np.eye(3), atol=1e-12)
