"""Losses of a matrix and the vectors of its equal values: right where they are smooth, refused where they are not.

Whether the loss depends on the choice of the vectors beside the matrix, no cotangent at the matrix shows.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from random_matrices import H, as_read, drawn, hermitian_with, unitary
from wirtinger import checkpoint, grad, hessian, hvp, jacobian, jvp, linearize, value_and_grad, vjp
from wirtinger import linalg as L
from wirtinger.complex_autograd.engine.choices import CHOICES
from wirtinger.complex_autograd.engine.errors import GaugeError, PrecisionLossError
from wirtinger.complex_autograd.transforms.recording import Recording

VALUES = [(1.0, 1.0, 2.0), (1.3, 1.3, 1.3), (1.0, 1.0 + 1e-12, 2.0), (1.0, 1.0 + 1e-13, 2.0)]
WEIGHTS, T = drawn(3, 3, dtype=float, seed=3), drawn(3, 3, dtype=float, seed=4)


def by_vectors(use):
    """A loss of `use(h, w, v)`, with the Hermitian part of a matrix."""

    def loss(a):
        h = (a + H(a)) / 2
        return np.real(use(h, *L.eigh(h)))

    return loss


def by_singular_vectors(use):
    return lambda a: np.real(use(a, *L.svd(a)))


def in_its_own_vectors(function):
    return lambda a, w, v: np.sum(WEIGHTS * (H(v) @ function(a) @ v))


WAYS = {
    "grad": lambda f, a: grad(f)(a),
    "value_and_grad": lambda f, a: value_and_grad(f)(a)[1],
    "vjp": lambda f, a: vjp(f, a)[1](np.float64(2.0))[0] / 2,
    "linearize": lambda f, a: linearize(f, a)[1](T),
    "forward": lambda f, a: jacobian(f, mode="forward")(a),
    "reverse": lambda f, a: jacobian(lambda a: np.stack([f(a), 2 * f(a)]), mode="reverse")(a)[0],
    "hvp": lambda f, a: hvp(f, (a,), (T,)),
    "hessian": lambda f, a: hessian(f)(a),
    "reverse over reverse": lambda f, a: vjp(grad(f), a)[1](T)[0],
}
FIRST = ("grad", "value_and_grad", "vjp", "linearize", "forward", "reverse")


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("dtype", [float, complex])
def test_a_function_of_the_matrix_in_its_own_vectors(values, dtype):
    """Which is diagonal whatever the choice of these, and has the derivative of none of them."""
    a = hermitian_with(values, dtype)
    for function in (L.expm, lambda a: a, lambda a: a @ a):
        f = by_vectors(in_its_own_vectors(function))
        for name in WAYS if dtype is float and function is L.expm else FIRST[:1]:
            with pytest.raises((GaugeError, PrecisionLossError)):
                WAYS[name](f, a.real if name == "forward" else a)


@pytest.mark.parametrize("gap", [1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-6, 1e-4])
def test_the_same_at_nearly_equal_values(gap):
    """The derivative is that of a sum of functions of the values, or refused."""
    a, h = hermitian_with((1, 1 + gap, 2), float), drawn(3, 3, dtype=float, seed=8)
    f = by_vectors(in_its_own_vectors(L.expm))
    expected = np.sum(grad(by_vectors(lambda a, w, v: np.sum(WEIGHTS.diagonal() * np.exp(w))))(a) * h)
    for way in (lambda: np.sum(grad(f)(a) * h), lambda: jvp(f, (a,), (h,))[1], lambda: linearize(f, a)[1](h)):
        try:
            found = way()
        except (GaugeError, PrecisionLossError):
            assert gap < 1e-5
        else:
            if gap > 1e-13:  # equal ones: the derivative along one direction
                np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_along_one_direction_there_is_one():
    a, t = hermitian_with((1, 1, 2), float), as_read(T)
    f, d = by_vectors(in_its_own_vectors(L.expm)), 1e-6
    np.testing.assert_allclose(jvp(f, (a,), (t,))[1], (f(a + d * t) - f(a)) / d, rtol=1e-4)


NOT_SMOOTH = {
    "left singular vectors": by_singular_vectors(lambda a, u, s, vh: np.sum(WEIGHTS * (H(u) @ a @ H(a) @ u))),
    "both singular vectors": by_singular_vectors(lambda a, u, s, vh: np.sum(WEIGHTS * (H(u) @ a @ H(vh)))),
    "general eigenvectors": lambda a: np.sum(WEIGHTS * np.real(np.linalg.inv(L.eig(a)[1]) @ L.expm(a) @ L.eig(a)[1])),
    "schur": lambda a: np.sum(WEIGHTS * (H(L.schur(a)[1]) @ L.expm(a) @ L.schur(a)[1])),
    "checkpoint": checkpoint(by_vectors(in_its_own_vectors(L.expm))),
    "a decomposition of it": by_vectors(
        lambda a, w, v: np.sum(WEIGHTS * spectral(H(v) @ L.expm(a) @ v + np.diag([1.0, 2.0, 4.0])))
    ),
    "a tied decomposition of it": by_vectors(lambda a, w, v: np.sum(WEIGHTS * spectral(H(v) @ L.expm(a) @ v))),
    "beside smooth functions": by_vectors(
        lambda a, w, v: np.sum((v * w) @ H(v) * T) + np.sum(WEIGHTS * (H(v) @ a @ v)) / 100
    ),
}


def spectral(a):
    w, v = L.eigh((a + H(a)) / 2)
    return (v * np.exp(w)) @ H(v)


@pytest.mark.parametrize("name", sorted(NOT_SMOOTH))
def test_what_is_not_smooth(name):
    f, a = NOT_SMOOTH[name], hermitian_with((1, 1, 2), float)
    for way in FIRST[:1] if name == "schur" else ("grad", "linearize", "reverse over reverse"):
        with pytest.raises(GaugeError):
            WAYS[way](f, a)


def test_two_matrices():
    a, b = (hermitian_with(values, float) for values in ((1, 1, 2), (3, 1, 1)))

    def f(a, b):
        v, u = L.eigh((a + a.T) / 2)[1], L.eigh((b + b.T) / 2)[1]
        return np.sum(WEIGHTS * (v.T @ a @ v)) * np.sum(u @ u.T * T), np.sum((v @ v.T) * b) + np.trace(u.T @ b @ u)

    with pytest.raises(GaugeError):
        grad(lambda *x: f(*x)[0], (0, 1))(a, b)
    found = grad(lambda *x: f(*x)[1], (0, 1))(a, b)
    for x, y in zip(found, (np.zeros((3, 3)), 2 * np.eye(3)), strict=True):
        np.testing.assert_allclose(x, y, atol=1e-12)


EQUAL = np.diag([2.0, 2.0, 5.0])
SMOOTH = {
    "equal weights": (
        by_vectors(lambda a, w, v: np.sum(EQUAL * (H(v) @ L.expm(a) @ v))),
        by_vectors(lambda a, w, v: np.sum(EQUAL.diagonal() * np.exp(w))),
    ),
    "trace": (by_vectors(lambda a, w, v: np.trace(H(v) @ L.expm(a) @ v)), lambda a: np.trace(L.expm((a + H(a)) / 2))),
    "column by column": (
        by_vectors(lambda a, w, v: sum(np.exp(w[k]) * (v[:, k] @ WEIGHTS @ v[:, k]) for k in range(3))),
        lambda a: np.sum(WEIGHTS * L.expm((a + H(a)) / 2)),
    ),
    "a diagonal matrix": (
        by_vectors(lambda a, w, v: np.sum(WEIGHTS * (v @ np.diag(np.exp(w)) @ H(v))) + np.sum(w**2)),
        lambda a: np.sum(WEIGHTS * L.expm((a + H(a)) / 2)) + np.sum(((a + H(a)) / 2) ** 2),
    ),
    "whitening in two steps": (
        by_vectors(lambda a, w, v: np.sum(WEIGHTS * spectral(H(v / np.sqrt(w)) @ T @ T.T @ (v / np.sqrt(w))) @ EYE)),
        None,
    ),
    "what is left at an optimum": (
        by_vectors(lambda a, w, v: 1e3 * np.sum((np.stack([v[:, k] * w[k] for k in range(3)], 1) @ H(v) - BEST) ** 2)),
        lambda a: 1e3 * np.sum(((a + H(a)) / 2 - BEST) ** 2),
    ),
    "a constant": (by_vectors(lambda a, w, v: np.sum(v[:, :3] ** 2)), lambda a: 0 * np.sum(a)),
    "a constant of size zero": (
        by_vectors(lambda a, w, v: np.sum((v[:, :3].T @ v - EYE) ** 2)),
        lambda a: 0 * np.sum(a),
    ),
    "a kink beside": (
        by_vectors(lambda a, w, v: np.sum(WEIGHTS * (v[:, :3] @ np.diag(np.exp(w)) @ H(v))) + L.eigvalsh(a)[0]),
        lambda a: np.sum(WEIGHTS * L.expm((a + H(a)) / 2)) + L.eigvalsh((a + H(a)) / 2)[0],
    ),
}
EYE, BEST = np.eye(3), hermitian_with((1, 1, 2), float)


@pytest.mark.parametrize("name", sorted(set(SMOOTH) - {"whitening in two steps"}))
def test_what_is_smooth(name):
    f, reference = SMOOTH[name]
    for way in WAYS if name not in ("a kink beside", "a constant of size zero") else FIRST:
        found, expected = WAYS[way](f, BEST), WAYS[way](reference, BEST)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * max(1.0, np.max(np.abs(expected))))


def test_functions_of_the_matrix_are_computed_once(monkeypatch):
    """What shows that it is one: the time of derivatives at ties does not double."""
    made = []
    begin = Recording.__init__

    def counted(self, *args, **kwargs):
        made.append(CHOICES.others)
        begin(self, *args, **kwargs)

    monkeypatch.setattr(Recording, "__init__", counted)
    for use in (
        lambda a, w, v: np.sum(WEIGHTS * ((v * np.sqrt(w)) @ H(v))),
        lambda a, w, v: np.sum(WEIGHTS * (v @ np.diag(np.sqrt(w)) @ v.T)) + np.sum(np.log(w)),
        lambda a, w, v: np.sum(WEIGHTS * ((v / w) @ H(v / w))) + np.sum(a),
        lambda a, w, v: np.sum(w**2),
    ):
        grad(by_vectors(use))(BEST)
    assert made == [False] * 4
    grad(by_vectors(in_its_own_vectors(lambda a: EYE)))(BEST)
    assert made == [False] * 5 + [True]


def test_outputs_that_are_vectors():
    """What is made of them, the caller knows."""
    (w, v), pull = vjp(L.eigh, BEST)
    np.testing.assert_allclose(pull((0 * w, (WEIGHTS + WEIGHTS.T) @ v))[0], np.zeros((3, 3)), atol=1e-12)
    first, pull = vjp(lambda a: L.eigh((a + a.T) / 2)[1][:, :2], BEST)
    expected = grad(by_vectors(lambda a, w, v: np.sum(WEIGHTS * (v[:, :2] @ v[:, :2].T))))(BEST)
    np.testing.assert_allclose(pull((WEIGHTS + WEIGHTS.T) @ first)[0], expected, atol=1e-12)


def test_a_function_that_returns_another_value():
    """Random numbers, where only a second run tells whether there is a derivative."""
    source = np.random.default_rng(0)

    def f(a):
        v = L.eigh(a)[1]
        return np.sum((v.T @ a @ v) * source.standard_normal((3, 3)))

    with pytest.raises(GaugeError, match="random"):
        grad(f)(BEST)


@pytest.mark.parametrize("coupled", [0.0, 0.1])
def test_forms_and_vectors_of_normal_pairs(coupled):
    """A pair with `b + c = 0` moves apart as `a` does, and the vectors with it."""
    q, p = unitary(4, float), np.diag([0.0, 0.0, 2.0, 3.0])
    p[:2, :2] = [[1.5, 1.3], [-1.3, 1.5]]
    p[:2, 2:] = coupled
    a = q @ p @ q.T
    weights, t = drawn(4, 4, dtype=float), drawn(4, 4, dtype=float, seed=1)

    def vectors(a):
        return L.schur(a, sort=lambda x, y: x < 1.8)[1]

    def f(a):
        form, z = L.schur(a)
        return np.sum(weights * (z @ L.expm(form) @ z.T))

    def reference(a):
        return np.sum(weights * L.expm(a))

    np.testing.assert_allclose(grad(f)(a), grad(reference)(a), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(vjp(grad(f), a)[1](t)[0], vjp(grad(reference), a)[1](t)[0], rtol=1e-9, atol=1e-9)
    inside = np.kron(np.eye(2), np.ones((2, 2)))
    with pytest.raises(GaugeError):
        grad(lambda a: np.sum(weights * inside * (vectors(a).T @ a @ vectors(a))))(a)


def beside_a_tie(n, bend):
    """A circulant matrix whose equal values move apart as `s**2` does."""
    shifts = np.stack([np.roll(np.eye(n), k, axis=1) for k in range(n)])

    def matrix(s):
        entries = np.stack([2 + bend * s**2, *[s] * (n - 2), s + bend * s**3])
        a = np.sum(entries[:, None, None] * shifts, axis=0)
        return (a + a.T) / 2

    return matrix


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("bend", [1.0, 30.0])
def test_a_parameter_that_is_small_beside_the_matrix(n, bend):
    """Derivatives are compared with those beside the matrix: a step beside the parameter would not move it."""
    matrix, weights = beside_a_tie(n, bend), drawn(n, n, dtype=float, seed=6)

    def f(s):
        w, v = np.linalg.eigh(matrix(s))
        return np.sum(weights * np.sin(np.einsum("ik,k,jk", v, np.exp(w), v)) ** 2)

    def by_svd(s):
        u, w, vh = np.linalg.svd(matrix(s))
        return np.sum(weights * np.einsum("ik,k,kj", u, w**3, vh) ** 2)

    def reference(s):
        return np.sum(weights * np.sin(L.expm(matrix(s))) ** 2)

    def cubes(s):
        a = matrix(s)
        return np.sum(weights * (a @ a @ a) ** 2)

    for k in range(-16, -5):
        s = 10.0**k
        for loss, other in ((f, reference), (by_svd, cubes)):
            expected = grad(other)(s)
            scale = max(abs(expected), abs(grad(other)(1.0)) * 1e-12)
            np.testing.assert_allclose(grad(loss)(s), expected, rtol=1e-6, atol=1e-3 * scale + 1e-9)
            np.testing.assert_allclose(jvp(loss, (s,), (1.0,))[1], expected, rtol=1e-6, atol=1e-3 * scale + 1e-9)


def vectors_of(name):
    """The vectors of a decomposition with phases that are arbitrary, and whether it is of a Hermitian matrix."""
    return {
        "eigh": (lambda a: L.eigh(a)[1], True),
        "eigh, upper": (lambda a: L.eigh(a, UPLO="U")[1], True),
        "subset": (lambda a: L.eigh(a, subset_by_index=[0, 1])[1], True),
        "pair": (lambda a: L.eigh(a, 3 * np.eye(len(a)) + a @ H(a) / 9)[1], True),
        "banded": (lambda a: L.eig_banded(np.stack([np.diag(a), np.append(np.diag(a, -1), 0)]), lower=True)[1], True),
        "eig": (lambda a: L.eig(a)[1], False),
        "right singular vectors": (lambda a: H(L.svd(a)[2]), False),
        "left singular vectors": (lambda a: L.svd(a[:-1])[0], False),
        "schur": (lambda a: L.schur(a)[1], False),
        "qz": (lambda a: L.qz(a, a @ a + np.eye(len(a)))[2], False),
        "qr_update": (lambda a: L.qr_update(*np.linalg.qr(a + 2 * np.eye(len(a))), a[:, 0], a[:, 1])[0], False),
    }[name]


DECOMPOSITIONS = (
    "eigh",
    "eigh, upper",
    "subset",
    "pair",
    "banded",
    "eig",
    "right singular vectors",
    "left singular vectors",
    "schur",
    "qz",
    "qr_update",
)


@pytest.mark.parametrize("name", DECOMPOSITIONS)
@pytest.mark.parametrize("n", [2, 3, 6])
def test_phases_that_lapack_chooses(name, n):
    """The element that LAPACK makes real hides in first order that a loss depends on the phase."""
    vectors, is_hermitian = vectors_of(name)
    a = drawn(n, n, seed=n)
    a, t = (a + H(a), drawn(n, n, seed=9)) if is_hermitian else (a, drawn(n, n, seed=9))
    if name in ("schur", "qz", "qr_update", "banded", "pair"):
        ways = [lambda f: jvp(f, (a,), (t,)), lambda f: linearize(f, a)[1](t)]
    else:
        ways = [lambda f: grad(f)(a), lambda f: jvp(f, (a,), (t,)), lambda f: linearize(f, a)[1](t)]
        ways.append(lambda f: hvp(f, (a,), (t,)))
    for row in range(n - (name == "left singular vectors")):
        for way in ways:
            with pytest.raises(GaugeError, match="phase"):
                way(lambda a, row=row: np.sum(np.real(vectors(a)[row])))


@pytest.mark.parametrize("name", DECOMPOSITIONS)
def test_losses_without_phases(name):
    vectors, is_hermitian = vectors_of(name)
    a, t = drawn(4, 4, seed=2), drawn(4, 4, seed=5)
    a = a + H(a) if is_hermitian else a
    t = t + H(t) if is_hermitian else t

    def f(a):
        v = vectors(a)
        return np.sum(np.abs(v) ** 3 * np.arange(1.0, 1 + v.shape[-1])) + np.abs(v[0, 0]) ** 2

    numeric = (f(a + 1e-6 * t) - f(a - 1e-6 * t)) / 2e-6
    for found in (np.sum(np.real(np.conj(grad(f)(a)) * t)), jvp(f, (a,), (t,))[1], linearize(f, a)[1](t)):
        np.testing.assert_allclose(found, numeric, rtol=1e-6)


@pytest.mark.parametrize("gauge", ["lapack", "max-real"])
def test_phases_that_a_convention_fixes(gauge):
    a, t = drawn(4, 4, seed=2), drawn(4, 4, seed=5)
    h, dh = a + H(a), t + H(t)
    losses = [
        (lambda x, row: np.sum(np.real(L.eigh(x, gauge=gauge)[1][row])), h, dh),
        (lambda x, row: np.sum(np.real(L.eigh(x, 3 * np.eye(4) + x @ H(x) / 9, gauge=gauge)[1][row])), h, dh),
        (lambda x, row: np.sum(np.real(L.eig(x, gauge=gauge)[1][row])), a, t),
        (lambda x, row: np.sum(np.real(L.svd(x, gauge=gauge)[2][row])), a, t),
        (lambda x, row: np.sum(np.real(L.svd(x + H(x), hermitian=True, gauge=gauge)[0][row])), a, t),
    ]
    for loss, x, dx in losses:
        for row in (0, 3):
            f = partial(loss, row=row)
            numeric = (f(x + 1e-6 * dx) - f(x - 1e-6 * dx)) / 2e-6
            np.testing.assert_allclose(jvp(f, (x,), (dx,))[1], numeric, rtol=1e-5)
            np.testing.assert_allclose(np.sum(np.real(np.conj(grad(f)(x)) * dx)), numeric, rtol=1e-5)


def test_conjugate_vectors_of_real_matrices():
    """Their phases are conjugate as well, whatever is chosen."""
    a, t = drawn(4, 4, dtype=float, seed=1), drawn(4, 4, dtype=float, seed=5)

    def f(a):
        w, v = np.linalg.eig(a)
        k = int(np.argmax(np.imag(w)))
        j = int(np.argmin(np.imag(w)))
        return np.real(np.sum(v[:, k] * v[:, j] * np.arange(4.0)))

    assert np.max(np.imag(np.linalg.eigvals(a))) > 0
    numeric = (f(a + 1e-6 * t) - f(a - 1e-6 * t)) / 2e-6
    for found in (np.sum(grad(f)(a) * t), jvp(f, (a,), (t,))[1]):
        np.testing.assert_allclose(found, numeric, rtol=1e-6)


def test_random_numbers_beside_vectors_with_phases():
    """Another value that is not from the phases refuses nothing."""
    source, a = np.random.default_rng(0), drawn(3, 3, seed=1)

    def f(a):
        return np.sum(np.abs(L.eigh(a + H(a))[1][0]) ** 2 * np.arange(3.0)) + source.standard_normal()

    np.testing.assert_allclose(grad(f)(a), grad(f)(a), rtol=1e-12)
