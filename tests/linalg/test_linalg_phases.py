"""Whether a loss depends on the phases of complex vectors: told by its values, also where a program runs it."""

from __future__ import annotations

import numpy as np
import pytest

from random_matrices import H, drawn
from wirtinger import checkpoint, compile, grad, hvp, jvp, linearize, value_and_grad, vmap
from wirtinger import linalg as L
from wirtinger.complex_autograd.engine.errors import GaugeError
from wirtinger.linalg.kernels import numpy_gufuncs

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


STACK, MOVING = A + np.arange(4.0)[:, None, None] * np.diag([1.0, 2.0, 4.0]), drawn(4, 3, 3, seed=6)
MAPPED = {
    "vmap(grad)": lambda f: vmap(grad(f))(STACK),
    "vmap(jvp)": lambda f: vmap(lambda a, t: jvp(f, (a,), (t,))[1])(STACK, MOVING),
    "vmap(linearize)": lambda f: vmap(lambda a, t: linearize(f, a)[1](t))(STACK, MOVING),
    "vmap(hvp)": lambda f: vmap(lambda a, t: hvp(f, (a,), (t,)))(STACK, MOVING),
    "vmap(value and aux)": lambda f: vmap(value_and_grad(lambda a: (f(a), a), has_aux=True))(STACK)[1],
    "vmap(vmap(grad))": lambda f: vmap(vmap(grad(f)))(STACK[None])[0],
    "grad(sum(vmap))": lambda f: grad(lambda a: np.sum(vmap(f)(a)))(STACK),
    "compile(vmap(grad))": lambda f: compile(vmap(grad(f)))(STACK),
}
ONE_BY_ONE = {
    "vmap(jvp)": lambda f: [jvp(f, (a,), (t,))[1] for a, t in zip(STACK, MOVING, strict=True)],
    "vmap(linearize)": lambda f: ONE_BY_ONE["vmap(jvp)"](f),
    "vmap(hvp)": lambda f: [hvp(f, (a,), (t,)) for a, t in zip(STACK, MOVING, strict=True)],
}


@pytest.mark.parametrize("way", MAPPED)
@pytest.mark.parametrize("name", ["eigh", "eigh by NumPy", "eig", "svd, full"])
def test_mapped(way, name):
    """Each item has a loss of its own, and one that depends on phases is seen beside larger ones that do not."""

    def moduli(a):
        v = DECOMPOSITIONS[name](a)
        return np.sum(np.abs(v) ** 3 * np.arange(1.0, 4.0)[:, None])

    def hidden(a):
        v, is_last = DECOMPOSITIONS[name](a), np.real(a[0, 0]) > np.real(STACK[2, 0, 0]) + 0.5
        pivots = np.take_along_axis(v, np.argmax(np.abs(v), axis=0)[None], axis=0) if name == "eig" else v[0]
        return np.where(is_last, np.sum(np.real(pivots)), (1.0 if way == "grad(sum(vmap))" else 1e12) * moduli(a))

    np.testing.assert_allclose(
        MAPPED[way](moduli), ONE_BY_ONE.get(way, lambda f: list(map(grad(f), STACK)))(moduli), rtol=1e-8, atol=1e-8
    )
    with pytest.raises(GaugeError, match="phase"):
        MAPPED[way](hidden)


RELATIVE = {
    "of two matrices": lambda a: (DECOMPOSITIONS["eigh"](a), DECOMPOSITIONS["eigh"](a @ a)),
    "of a stack": lambda a: L.eigh(np.stack([a + H(a), a @ a + H(a @ a)]))[1],
    "of singular vectors": lambda a: (L.svd(a)[0], L.svd(a @ a)[0]),
    "of general matrices": lambda a: (L.eig(a)[1], L.eig(a @ a + np.diag(np.arange(3.0)))[1]),
    "of Schur forms": lambda a: (L.schur(a)[1], L.schur(a @ a)[1]),
}


@pytest.mark.parametrize("name", RELATIVE)
def test_a_phase_of_two_vectors_together(name):
    """Their phases are others each on its own, so that their product shows it."""

    def f(a):
        u, v = RELATIVE[name](a)
        return np.real(np.sum(np.conj(u[:, 0]) * v[:, 0]))

    for way in ways(f):
        with pytest.raises(GaugeError, match="phase"):
            way()
    np.testing.assert_allclose(
        along(lambda a: np.abs(np.sum(np.conj(RELATIVE[name](a)[0][:, 0]) * RELATIVE[name](a)[1][:, 0]))),
        np.full(3, numeric(lambda a: np.abs(np.vdot(RELATIVE[name](a)[0][:, 0], RELATIVE[name](a)[1][:, 0])))),
        rtol=1e-6,
    )


@pytest.mark.parametrize("name", ["eigh", "eigh by NumPy", "eig", "svd, full", "svd, stack"])
def test_matrices_are_decomposed_once(name, monkeypatch):
    """The run with other phases takes what was found."""
    calls = []
    for each in ("eigh", "eig", "svd"):
        decompose = getattr(numpy_gufuncs, each)
        monkeypatch.setattr(numpy_gufuncs, each, lambda *args, f=decompose: (calls.append(args), f(*args))[1])

    def f(a):
        v = DECOMPOSITIONS[name](a)
        w = np.linalg.eigvalsh(a + H(a))
        w *= 2.0
        return np.sum(np.abs(v) ** 3) + np.sum(w)

    expected = ways(f)[0]()
    calls.clear()
    np.testing.assert_array_equal(ways(f)[0](), expected)
    once = len(calls)
    ways(f)[1]()
    assert len(calls) == 2 * once
    monkeypatch.undo()
    np.testing.assert_allclose(along(f), np.full(3, numeric(f)), rtol=1e-6)


def test_a_decomposition_that_is_written_into():
    """Of values and vectors that are found again the function has copies."""

    def f(a):
        w, v = np.linalg.eigh(a + H(a))
        w -= 1.0
        v[0] = 2 * v[0]
        return np.sum(np.abs(v) ** 3 * w)

    np.testing.assert_allclose(along(f), np.full(3, numeric(f)), rtol=1e-6)


def of_moduli(a):
    return np.sum(np.abs(L.eigh(a + H(a))[1]) ** 3 * np.arange(3.0))


SCALED = {
    "a phase": lambda a: np.real((1 + 2j) * L.eigh(a + H(a))[1][0, 1]),
    "a hidden phase": lambda a: np.real(L.eigh(a + H(a))[1][0, 1]),
    "at a minimum along the phase": lambda a: np.imag(L.eigh(a + H(a))[1][0, 1]) ** 2,
}


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
@pytest.mark.parametrize("name", SCALED)
def test_losses_of_any_size_are_refused(name, dtype):
    """Beside a large number, and where they are small: what counts are the rounding errors of the value."""
    f, is_double = SCALED[name], dtype == np.complex128
    a, t = A.astype(dtype), T.astype(dtype)
    for scale in (1e-30, 1e-14, 1e-5, 1.0, 1e9):
        for constant in (0.0, 1.0, 1e2) + (1e5, 1e9) * is_double:

            def loss(a, scale=scale, constant=constant):
                values = np.linalg.eigvalsh(a + H(a))
                return scale * (f(a) + constant * np.sum(values**2) / 3)

            for way in (lambda g: grad(g)(a), lambda g: jvp(g, (a,), (t,)), lambda g: jvp(grad(g), (a,), (t,))):
                with pytest.raises(GaugeError, match="phase"):
                    way(loss)


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
@pytest.mark.parametrize("scale", [1e-20, 1e-6, 1e6, 1e15, 1e20])
def test_losses_of_any_size_are_taken(scale, dtype):
    """Also one that is constant, whose derivatives are rounding errors."""
    a, t = A.astype(dtype), T.astype(dtype)
    digits = 1e-9 if dtype == np.complex128 else 1e-3

    def constant(a):
        return scale * np.sum(np.abs(L.eigh(a + H(a))[1]) ** 2 * np.array([1.0, -0.5, 0.3], dtype=a.real.dtype))

    for way in (lambda g: grad(g)(a), lambda g: jvp(g, (a,), (t,))[1], lambda g: jvp(grad(g), (a,), (t,))[1]):
        expected = way(of_moduli)
        size = np.max(np.abs(expected))
        np.testing.assert_allclose(way(lambda a: scale * of_moduli(a)) / scale, expected, rtol=0, atol=digits * size)
        np.testing.assert_allclose(way(constant) / scale, 0, rtol=0, atol=100 * digits)


def test_what_cancels_but_for_rounding_errors():
    def residual(a):
        w, v = L.eigh(a + H(a))
        return np.sum(np.abs((v * w) @ H(v) - a - H(a)) ** 2)

    def cancelled(a):
        w, v = L.eigh(a + H(a))
        return 1e10 * (np.sum(np.abs(v) ** 2 * w) - np.sum(w)) + np.abs(v[0, 0]) ** 3

    for f in (residual, cancelled):
        ways(f)[0](), ways(f)[1](), ways(f)[2]()


def test_two_calls_with_one_matrix():
    """Their phases are others, in every mode: nothing says that they are the same."""

    def f(a):
        return np.real(np.sum(L.svd(a)[0] * L.svd(a)[2].T * np.arange(1.0, 4.0)))

    for way in ways(f):
        with pytest.raises(GaugeError, match="one call"):
            way()


SAME_MODULI = {
    "diagonal": (np.diag([1.0, 2.0, 3.0]) + 0j, np.diag([2.0, 5.0, 9.0]) + 0j),
    "circulant": tuple(z * np.roll(np.eye(3), 1, 0) + np.eye(3) for z in (1 + 2j, 1 - 0.3j)),
}


@pytest.mark.parametrize("name", SAME_MODULI)
def test_relative_phases_of_vectors_with_the_same_moduli(name):
    a, b = SAME_MODULI[name]
    forms = (
        lambda a, b: (L.eigh(a + H(a))[1], L.eigh(b + H(b))[1]),
        lambda a, b: L.eigh(np.stack([a + H(a), b + H(b)]))[1],
    )
    for vectors in forms:

        def f(a, b, vectors=vectors):
            u, v = vectors(a, b)
            return np.real(np.sum(np.conj(u[:, 0]) * v[:, 0] * np.arange(1.0, 4.0)))

        for way in (
            lambda f: grad(f, (0, 1))(a, b),
            lambda f: jvp(f, (a, b), (T, T)),
            lambda f: linearize(f, a, b)[1](T, T),
        ):
            with pytest.raises(GaugeError, match="phase"):
                way(f)


def test_phases_of_several_columns_together():
    """Also where the second difference of their phases is what the loss sees."""

    def f(a):
        v = L.eigh(a + H(a))[1]
        return np.abs(v[1, 0] * v[1, 2] * np.conj(v[2, 1] * v[1, 1]) + np.abs(v[0, 0])) ** 2

    for way in ways(f):
        with pytest.raises(GaugeError, match="phase"):
            way()
