"""Whether a loss depends on the phases of complex vectors: told by its values, also where a program runs it."""

from __future__ import annotations

import numpy as np
import pytest

from random_matrices import H, drawn
from wirtinger import checkpoint, compile, grad, jvp, linearize, value_and_grad
from wirtinger import linalg as L
from wirtinger.complex_autograd.engine.errors import GaugeError

A, T = drawn(3, 3, seed=1), drawn(3, 3, seed=2)
B = drawn(3, 3, seed=3) + H(drawn(3, 3, seed=3))

DECOMPOSITIONS = {
    "eigh": lambda a: L.eigh(a + H(a))[1],
    "eigh by NumPy": lambda a: np.linalg.eigh(a + H(a))[1],
    "eigh, subset": lambda a: L.eigh(a + H(a), subset_by_index=(0, 1))[1],
    "eig": lambda a: L.eig(a)[1],
    "svd, full": lambda a: H(L.svd(a[:2])[2]),
    "svd, stack": lambda a: L.svd(a * np.arange(1.0, 3.0)[:, None, None])[0],
}
HIDDEN_IN = {"eigh": 0, "eigh by NumPy": 0, "eigh, subset": 0}
"""The row that LAPACK makes real."""


def ways(f):
    return [lambda: grad(f)(A), lambda: jvp(f, (A,), (T,)), lambda: linearize(f, A)[1](T)]


def along(f):
    return [np.sum(np.real(np.conj(grad(f)(A)) * T)), jvp(f, (A,), (T,))[1], linearize(f, A)[1](T)]


def numeric(f):
    return (f(A + 1e-6 * T) - f(A - 1e-6 * T)) / 2e-6


@pytest.mark.parametrize("name", DECOMPOSITIONS)
def test_moduli(name):
    vectors = DECOMPOSITIONS[name]

    def f(a):
        v = vectors(a)
        return np.sum(np.abs(v) ** 3 * np.arange(1.0, 1 + v.shape[-2])[:, None]) + np.abs(v[..., 0, 0].ravel()[0])

    np.testing.assert_allclose(along(f), np.full(3, numeric(f)), rtol=1e-6)


@pytest.mark.parametrize("name", HIDDEN_IN)
@pytest.mark.parametrize("other", HIDDEN_IN)
def test_a_hidden_phase_beside_moduli(name, other):
    """Each of two decompositions must have other phases, whoever computes it."""

    def f(a):
        hidden, seen = DECOMPOSITIONS[name](a)[HIDDEN_IN[name]], DECOMPOSITIONS[other](a @ a)
        return np.sum(np.real(hidden)) + np.sum(np.abs(seen) ** 3)

    for way in ways(f):
        with pytest.raises(GaugeError, match="phase"):
            way()


@pytest.mark.parametrize("eigh", [L.eigh, np.linalg.eigh], ids=["ours", "NumPy"])
def test_vectors_of_constant_matrices(eigh):
    """Their phases are what they are; a derivative does not move them."""

    def f(a):
        return np.sum(np.abs(DECOMPOSITIONS["eigh"](a)) ** 3 * np.real(eigh(B)[1]))

    np.testing.assert_allclose(along(f), np.full(3, numeric(f)), rtol=1e-6)


def test_a_hidden_phase_in_a_checkpoint():
    """Its vectors are made again when the cotangent arrives."""
    inner = checkpoint(lambda a: np.sum(np.real(np.linalg.eigh(a + H(a))[1][0])))
    moduli = checkpoint(lambda a: np.sum(np.abs(np.linalg.eigh(a + H(a))[1]) ** 3 * np.arange(3.0)))
    for f in (inner, lambda a: inner(a) + np.sum(np.abs(DECOMPOSITIONS["eigh"](a)) ** 3)):
        with pytest.raises(GaugeError, match="phase"):
            grad(f)(A)
    np.testing.assert_allclose(along(moduli), np.full(3, numeric(moduli)), rtol=1e-6)


def test_what_is_returned_besides():
    """Vectors that a function returns besides its value have the phases of LAPACK."""

    def f(a):
        v = L.eigh(a + H(a))[1]
        return np.sum(np.abs(v) ** 3 * np.arange(3.0)), v

    (_, v), _ = value_and_grad(f, has_aux=True)(A)
    np.testing.assert_allclose(v, np.linalg.eigh(A + H(A))[1], rtol=1e-14)


def test_a_function_that_writes_into_its_argument():
    def f(a):
        a[0] = 2 * a[0]
        return np.sum(np.abs(L.eigh(a + H(a))[1]) ** 3 * np.arange(3.0))

    given = A.copy()
    np.testing.assert_allclose(grad(f)(given), grad(f)(given), rtol=1e-14)
    np.testing.assert_array_equal(given, A)


@pytest.mark.parametrize(
    "transform", [grad, lambda f: lambda a, t: jvp(lambda b: f(b, t), (a,), (T,))[1]], ids=["grad", "jvp"]
)
def test_compiled(transform):
    """A program is kept for other numbers; what the function itself refuses is refused, also by a later call."""

    def f(a, t):
        v = L.eigh(a + H(a))[1]
        return np.sum(np.where(t > 0, np.real(v), np.abs(v))[0] * np.arange(1.0, 4.0))

    compiled = compile(transform(f))
    for scale in (1.0, 1.1, 0.7):
        a = A + scale * np.diag(np.arange(3.0))
        np.testing.assert_array_equal(compiled(a, np.full((), -1.0)), transform(f)(a, np.full((), -1.0)))
    assert compiled.cache_info()[:3] == (2, 1, 0)
    for _ in range(2):
        with pytest.raises(GaugeError, match="phase"):
            compiled(A, np.full((), 1.0))
