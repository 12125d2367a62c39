"""Chains of decompositions at equal, nearly equal and other values: right, and in linear time.

References are the derivatives of the function of the matrix, in 60 digits, or chains of functions without vectors.
"""

from __future__ import annotations

from functools import cache

import mpmath
import numpy as np
import pytest

from random_matrices import H, as_read, drawn, hermitian_with, unitary
from wirtinger import grad, hvp, jvp, vjp
from wirtinger import linalg as L
from wirtinger.complex_autograd.engine.errors import GaugeError, PrecisionLossError
from wirtinger.complex_autograd.transforms.recording import Recording
from wirtinger.linalg.spectral.degenerate import linking
from wirtinger.linalg.spectral.degenerate.laurent import LaurentTrace

GAPS = [0.0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3, 0.4]


def spectral(function):
    """A function of Hermitian matrices by their eigenvectors."""

    def of_matrix(a):
        w, v = L.eigh(a)
        return (v * function(w)) @ H(v)

    return of_matrix


root, inverse_root = spectral(np.sqrt), spectral(lambda w: 1 / np.sqrt(w))
exponential, logarithm = spectral(np.exp), spectral(np.log)


def repeated(step, count, weights):
    def loss(a):
        for _ in range(count):
            a = step(a)
        return np.real(np.sum(weights * a))

    return loss


@cache
def divided_difference(function, *points):
    """That of some different points, in many digits."""
    if len(points) == 1:
        return function(points[0])
    first, last = (divided_difference(function, *part) for part in (points[:-1], points[1:]))
    return (last - first) / (points[-1] - points[0])


def derivatives_of_function(function, a, weights, t):
    """Gradient and Hessian-vector product of `sum(weights * f(a))` for real symmetric matrices, where they are read.

    With the divided differences `f_ij` and `f_ijk` at the eigenvalues, they are `f_ij w_ij`, and the sum over `k` of
    `f_ikj (w_ik t_kj + t_ik w_kj)`, in the basis of the eigenvectors.  Equal ones are moved apart by 1e-25.
    """
    with mpmath.workdps(90):
        n = len(a)
        values, q = mpmath.eigsy(mpmath.matrix(as_read(a).tolist()))
        points = [x + k * mpmath.mpf(10) ** -25 for k, x in enumerate(values)]
        w, t = (q.T * mpmath.matrix(((x + x.T) / 2).tolist()) * q for x in (weights, as_read(t)))
        first, second = mpmath.zeros(n), mpmath.zeros(n)
        for i in range(n):
            for j in range(n):
                i_again = points[i] + mpmath.mpf(10) ** -26
                first[i, j] = divided_difference(function, i_again, points[j]) * w[i, j]
                for k in range(n):
                    k_again = points[k] + mpmath.mpf(10) ** -27
                    first_derivative = divided_difference(function, i_again, k_again, points[j])
                    second[i, j] += first_derivative * (w[i, k] * t[k, j] + t[i, k] * w[k, j])
        found = [np.array((q * x * q.T).tolist(), float) for x in (first, second)]
    return [np.tril(x, -1) * 2 + np.diag(x.diagonal()) for x in found]


def assert_close(found, expected, scale, tolerance=1e-9):
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale)


def check_roots(gap, length, base=0.7):
    a = hermitian_with((base, 1.3, 1.3 + gap), float)
    weights, t = drawn(3, 3, dtype=float, seed=1), drawn(3, 3, dtype=float, seed=2)
    power = mpmath.mpf(1) / 2**length
    gradient, second = derivatives_of_function(lambda x: x**power, a, weights, t)
    f = repeated(root, length, weights)
    size = np.max(np.abs(gradient))
    assert_close(grad(f)(a), gradient, size)
    assert_close(jvp(f, (a,), (t,))[1], np.sum(gradient * t), size)
    assert_close(hvp(f, (a,), (t,)), second, np.max(np.abs(second)), 1e-8)
    if length < 8:
        assert_close(np.tril(vjp(grad(f), a)[1](t)[0]), second, np.max(np.abs(second)), 1e-8)


@pytest.mark.parametrize("length", [2, 5])
@pytest.mark.parametrize("gap", GAPS)
def test_chains_of_roots(gap, length):
    check_roots(gap, length)


@pytest.mark.parametrize("gap", [0.0, 1e-7, 0.4])
def test_long_chains_of_roots(gap):
    """All values come near to each other, and to 1."""
    check_roots(gap, 20)


@pytest.mark.parametrize(("gap", "length"), [(1e-3, 2), (1e-3, 32), (1e-6, 8), (0.0, 8)])
def test_chains_whose_values_come_near_at_once(gap, length):
    """The derivative of `x + 1 / x` is 0 at 1, and values next to it are mapped to nearly equal ones."""
    a, weights, t = hermitian_with((0.7, 1, 1 + gap), float), *(drawn(3, 3, dtype=float, seed=k) for k in (1, 2))

    def function(x):
        for _ in range(length):
            x = x + 1 / x
        return x

    gradient, second = derivatives_of_function(function, a, weights, t)
    f = repeated(spectral(lambda w: w + 1 / w), length, weights)
    assert_close(grad(f)(a), gradient, np.max(np.abs(gradient)))
    assert_close(hvp(f, (a,), (t,)), second, np.max(np.abs(second)), 1e-8)


def test_a_chain_at_a_multiple_of_the_identity():
    """The reproducer of the issue: NaN, and time exponential in the length."""
    for length in (2, 5, 6):
        x = grad(lambda a, n=length: np.trace(repeated_matrix(a, n)))(1.3 * np.eye(3))
        assert_close(x, 0.5**length * 1.3 ** (0.5**length - 1) * np.eye(3), 1.0, 1e-13)


def repeated_matrix(a, count):
    for _ in range(count):
        a = root(a)
    return a


@pytest.mark.parametrize("length", [2, 12, 32])
@pytest.mark.parametrize("gap", [0.0, 1e-9, 0.4])
def test_chains_that_add_what_they_decompose(gap, length):
    """The levels of all decompositions met in the sum, and the time was exponential in the length."""
    a, weights, t = hermitian_with((0.7, 1.3, 1.3 + gap), float), *(drawn(3, 3, dtype=float, seed=k) for k in (1, 2))

    def function(x):
        for _ in range(length):
            x = 0.75 * x + 0.25 * mpmath.sqrt(x)
        return x

    gradient, second = derivatives_of_function(function, a, weights, t)
    loss = repeated(lambda a: 0.75 * a + 0.25 * root(a), length, weights)

    def f(a):
        return loss(as_read(a))

    size = np.max(np.abs(gradient))
    assert_close(grad(f)(a), gradient, size)
    assert_close(jvp(f, (a,), (t,))[1], np.sum(gradient * t), size)
    assert_close(hvp(f, (a,), (t,)), second, np.max(np.abs(second)), 1e-8)


def test_polar_factors_added_to_what_they_are_of():
    """`x + H(u) v` of positive definite matrices, the values of which come near to each other, is `x + 1`."""
    a = hermitian_with((0.7, 1.3, 2.0), float)
    weights, t = as_read(drawn(3, 3, dtype=float, seed=1)), as_read(drawn(3, 3, dtype=float, seed=2))

    def retracted(a):
        u, _, v = L.svd(a)
        return np.dot(u, v) + 0.9 * a

    for length in (8, 32):
        f = repeated(retracted, length, weights)
        symmetric_f = symmetric(f)
        assert_close(grad(symmetric_f)(a), as_read(0.9**length * weights), 1.0)
        assert_close(hvp(symmetric_f, (a,), (t,)), 0 * a, 1.0, 1e-8)


@pytest.mark.exhaustive
@pytest.mark.parametrize("length", [2, 3, 8, 16, 32])
@pytest.mark.parametrize("gap", [0.0, *(10.0**-k for k in range(1, 16))])
def test_chains_of_roots_of_every_length(gap, length):
    check_roots(gap, length)
    check_roots(gap, length, base=1.3)


def series_made(monkeypatch, call):
    """How many series a computation has."""
    count = 0
    series = LaurentTrace.series

    def counted(*args, **kwargs):
        nonlocal count
        count += 1
        return series(*args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(LaurentTrace, "series", counted)
        call()
    return count


@pytest.mark.parametrize("derivative", ["grad", "hvp", "jvp"])
def test_work_is_linear_in_the_length(derivative, monkeypatch):
    gap = 1e-9 if derivative == "jvp" else 0.0  # along one direction equal values need no series
    a, t = hermitian_with((2, 2 + gap, 3), float), drawn(3, 3, dtype=float)

    def work(length):
        f = repeated(spectral(lambda w: w + 1 / w), length, t)
        ways = {"grad": lambda: grad(f)(a), "hvp": lambda: hvp(f, (a,), (t,)), "jvp": lambda: jvp(f, (a,), (t,))}
        return series_made(monkeypatch, ways[derivative])

    short, middle, long = (work(n) for n in (3, 5, 9))
    assert 0 < long - middle <= 2.2 * (middle - short)


@pytest.mark.parametrize("dtype", [float, complex])
def test_functions_of_the_matrix_need_no_probe(dtype, monkeypatch):
    a, weights = hermitian_with((1, 1, 2), dtype), drawn(3, 3, dtype=dtype)

    def by_eigh(a):
        w, v = L.eigh(a)
        return 2 * ((v / np.sqrt(w + 1)) @ np.conj(v.T)) + a

    def by_svd(a):
        u, s, vh = L.svd(a)
        return (u * s**2) @ H(u) + np.conj(vh.T) @ vh + (u * s) @ vh

    monkeypatch.setattr(linking, "meaningless", None)
    for step in (root, by_eigh, by_svd):
        f = repeated(step, 3, weights)
        grad(f)(a), hvp(f, (a,), (a,))
    with pytest.raises(TypeError):
        grad(repeated(spectral(lambda w: w * np.array([1, 1, 3.0])), 2, weights))(a)


def test_products_of_equal_singular_values():
    """`a @ H(a)` by left singular vectors, whose choice at equal values a probe would have felt."""
    a = (unitary(3, float) * (1, 1, 2)) @ unitary(3, float, 1)
    weights, t = drawn(3, 3, dtype=float), drawn(3, 3, dtype=float, seed=1)

    def by_svd(a):
        u, s, _ = L.svd(a)
        return (u * s**2) @ u.T

    f, reference = repeated(by_svd, 2, weights), repeated(lambda a: a @ a.T, 2, weights)
    assert_same_derivatives(f, reference, (a,), (t,))


@pytest.mark.parametrize("values", [np.linalg.eigvalsh, np.linalg.svdvals])
def test_values_alone_take_no_series(values, monkeypatch):
    """A Hessian-vector product at equal values, unless the loss tells these apart."""
    a, t = hermitian_with((2, 2, 3), float), drawn(3, 3, dtype=float)

    def product(loss):
        return hvp(lambda a: loss(values((a + a.T) / 2)), (a,), (t,))

    with monkeypatch.context() as patch:
        patch.setattr(LaurentTrace, "series", None)
        found = product(lambda w: np.sum(w**4))
    reference = hvp(lambda a: np.trace(np.linalg.matrix_power((a + a.T) / 2, 4)), (a,), (t,))
    assert_close(found, reference, np.max(np.abs(reference)), 1e-12)
    assert series_made(monkeypatch, lambda: product(lambda w: w[1] ** 2)) > 0


def assert_same_derivatives(f, reference, primals, tangents, tolerance=1e-9, second=True):
    positions = tuple(range(len(primals)))
    ways = [
        lambda f: grad(f, positions)(*primals),
        lambda f: (jvp(f, primals, tangents)[1],),
        lambda f: jvp(lambda *x: jvp(f, x, tangents)[1], primals, tangents)[1:],
    ]
    if second:
        ways.append(lambda f: hvp(f, primals, tangents))
    for way in ways:
        for x, y in zip(way(f), way(reference), strict=True):
            assert_close(x, y, max(np.max(np.abs(y)), 1e-3), tolerance)


def symmetric(f):
    return lambda *x: f(*[(y + H(y)) / 2 for y in x])


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("start", ["identity", "isometry", "general"])
def test_polar_retractions(start, dtype):
    weights, xi, t = (drawn(4, 3, dtype=dtype, seed=k) for k in (1, 2, 3))
    x = {"identity": np.eye(4, 3, dtype=dtype), "isometry": unitary(4, dtype)[:, :3], "general": t + 1.0}[start]

    def by_svd(x):
        u, _, vh = L.svd(x, full_matrices=False)
        return u @ vh

    def steps(retraction):
        def loss(x, xi):
            for k in range(4):
                x = retraction(x + (xi if k % 2 else 0 * xi) / 10)
            return np.real(np.sum(weights * x))

        return loss

    assert_same_derivatives(steps(by_svd), steps(lambda x: L.polar(x)[0]), (x, xi), (t, weights))


def test_odd_functions_of_singular_values():
    weights, t = drawn(3, 3, dtype=float, seed=1), drawn(3, 3, dtype=float, seed=3)

    def by_svd(a):
        u, s, vh = L.svd(a)
        return (u * (s / (1 + s**2))) @ vh

    def by_solving(a):
        return a @ np.linalg.inv(np.eye(3) + a.T @ a)

    for values in ((1.5, 1.5, 0.4), (1.5, 1.5 + 1e-8, 0.4), (2.0, 1.0, 0.0)):
        a = (unitary(3, float) * values) @ unitary(3, float, 1)
        f, reference = repeated(by_svd, 3, weights), repeated(by_solving, 3, weights)
        assert_same_derivatives(lambda a, f=f: f(a), reference, (a,), (t,), second=False)
        assert_close(hvp(f, (a,), (t,)), hvp(reference, (a,), (t,)), 1.0)


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-5, 0.3])
def test_chains_of_several_functions(gap):
    weights, t, c = (drawn(3, 3, dtype=float, seed=k) for k in (1, 2, 3))

    def steps(root):
        def loss(a):
            for _ in range(2):
                r = L.qr(root(a) + c / 10)[1]
                a = L.expm(-r.T @ r / 4)
                a = L.sqrtm(root(a) @ root(a))
            return np.sum(weights * a)

        return symmetric(loss)

    a = hermitian_with((0.7, 1.3, 1.3 + gap), float)
    f, reference = steps(root), steps(L.sqrtm)
    assert_same_derivatives(f, reference, (a,), (t,), second=False)
    assert_close(hvp(f, (a,), (t,)), hvp(reference, (a,), (t,)), 1.0)


def karcher_mean(matrices, iterations):
    x = sum(matrices) / len(matrices)
    for _ in range(iterations):
        s, r = root(x), inverse_root(x)
        x = s @ exponential(sum(logarithm(r @ a @ r) for a in matrices) / len(matrices)) @ s
    return x


def geometric_mean(a, b):
    """The Karcher mean of two matrices."""
    s = L.sqrtm(a)
    r = np.linalg.inv(s)
    return s @ L.sqrtm(r @ b @ r) @ s


PAIRS = {
    "general": ((1, 2, 3), (1, 2.5, 4), 1),
    "multiples of the identity": ((2, 2, 2), (3, 3, 3), 1),
    "the same": ((1, 2, 3), (1, 2, 3), 0),
    "some equal": ((2, 2, 3), (1, 1, 5), 1),
    "some nearly equal": ((2, 2 + 1e-7, 3), (1, 1 + 1e-9, 5), 1),
}


@pytest.mark.parametrize("pair", sorted(PAIRS))
def test_karcher_mean(pair):
    first, second, seed = PAIRS[pair]
    a, b = hermitian_with(first, float), hermitian_with(second, float, seed)
    weights, t = drawn(3, 3, dtype=float, seed=1), drawn(3, 3, dtype=float, seed=2)
    f = symmetric(lambda a, b: np.sum(weights * karcher_mean([a, b], 4)))
    reference = symmetric(lambda a, b: np.sum(weights * geometric_mean(a, b)))
    for x, y in zip(grad(f, (0, 1))(a, b), grad(reference, (0, 1))(a, b), strict=True):
        assert_close(x, y, np.max(np.abs(y)))
    assert_close(*(jvp(g, (a, b), (t, t @ t))[1] for g in (f, reference)), 10.0)
    f = symmetric(lambda a, b: np.sum(weights * karcher_mean([a, b], 1)))
    if pair in ("multiples of the identity", "the same"):  # where one step is enough
        x, y = (hvp(g, (a, b), (t, t @ t)) for g in (f, reference))
        assert_close(x[0], y[0], 10.0, 1e-7 if pair == "some equal" else 1e-9)


@pytest.mark.parametrize("count", [2, 4])
def test_karcher_mean_of_identities_by_dot(count):
    """What `dot` makes of vectors is known as a function of the matrix, as by `@`; rounding was taken for a choice."""

    def by_dot(function):
        def of_matrix(a):
            w, v = np.linalg.eigh((a + a.T) / 2)
            return np.dot(v * function(w), v.T)

        return of_matrix

    def mean(a):
        matrices = [a, *[np.eye(3)] * (count - 1)]
        x = sum(matrices) / count
        for _ in range(3):
            r, s = by_dot(np.sqrt)(x), by_dot(lambda w: 1 / np.sqrt(w))(x)
            step = sum(by_dot(np.log)(np.dot(np.dot(s, b), s)) for b in matrices) / count
            x = np.dot(np.dot(r, by_dot(np.exp)(step)), r)
        return x

    weights = as_read(drawn(3, 3, dtype=float, seed=1))
    assert_close(grad(lambda a: np.sum(weights * mean(a)))(np.eye(3)), weights / count, 1.0)


def test_what_is_unknown_beside_the_series_asks_for_no_second_sweep(monkeypatch):
    """At the mean of multiples of the identity a logarithm is 0 but for rounding errors."""
    matrices, t = (2 * np.eye(3), 3 * np.eye(3)), drawn(3, 3, dtype=float)
    f, reference = (
        symmetric(lambda a, b, mean=mean: np.sum(t * mean(a, b)))
        for mean in (lambda a, b: karcher_mean([a, b], 2), geometric_mean)
    )
    with monkeypatch.context() as patch:
        patch.setattr(Recording, "_sweep_again", None)
        found = hvp(f, matrices, (t, t @ t))
    for x, y in zip(found, hvp(reference, matrices, (t, t @ t)), strict=True):
        assert_close(x, y, 1.0)


# --- what depends on the choice of vectors between two decompositions -------------------------------------------------


def whitened(a, b, weights):
    """A function of `inv(b) a` by two decompositions of Hermitian matrices."""
    a = as_read(a)
    w, v = L.eigh(b)
    whitening = v / np.sqrt(w)
    x, u = L.eigh(H(whitening) @ a @ whitening)
    vectors = whitening @ u
    return np.real(np.sum(weights * ((vectors * np.exp(x)) @ H(vectors))))


@pytest.mark.parametrize("values", [(2, 2, 2), (2, 2, 3), (2, 2 + 1e-6, 3), (2, 2 + 1e-9, 3), (2, 2 + 1e-13, 3)])
@pytest.mark.parametrize("kind", ["general", "identity", "equal", "near the identity"])
def test_pairs_of_matrices_by_whitening(values, kind):
    """Right, or refused where both matrices have equal or nearly equal values."""
    weights, t = as_read(drawn(3, 3, dtype=float, seed=1)), as_read(drawn(3, 3, dtype=float, seed=2))
    b = hermitian_with(values, float)
    general = hermitian_with((1, 2, 3), float, 3)
    near = np.eye(3) + 1e-7 * general
    a = {"general": general, "identity": 3 * np.eye(3), "equal": b, "near the identity": near}[kind]

    def f(a, b):
        return whitened(a, b, weights)

    def reference(a, b):
        inverse = np.linalg.inv(as_read(b))
        return np.sum(weights * (L.expm(inverse @ as_read(a)) @ inverse))

    for way in (
        lambda g: grad(g)(a, b),
        lambda g: grad(g, 1)(a, b),
        lambda g: jvp(g, (a, b), (t, t @ t))[1],
        lambda g: jvp(lambda *x: jvp(g, x, (t, t @ t))[1], (a, b), (t, t))[1],
        lambda g: hvp(g, (a, b), (t, t @ t))[1],
    ):
        try:
            found = way(f)
        except (GaugeError, PrecisionLossError):
            assert kind != "general"
        else:
            expected = way(reference)
            assert_close(found, expected, np.max(np.abs(expected)), 1e-7)
