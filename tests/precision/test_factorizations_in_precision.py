"""LU, Schur forms and eigenvalues of pairs at 50 digits: identities, SciPy's conventions, derivatives."""

from __future__ import annotations

import mpmath
import numpy
import pytest
import scipy.linalg

import wirtinger as np
from wirtinger import DeviceError, grad, jvp, precision, to_host

RANDOM = numpy.random.default_rng(2)
A, B = RANDOM.standard_normal((2, 4, 4))
C = A + 1j * RANDOM.standard_normal((4, 4))
ROTATION = numpy.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 2.0]])
DEFECTIVE = numpy.array([[2.0, 1.0, 1.0], [-1.0, 4.0, 0.0], [0.0, 0.0, 3.0]])
SYMMETRIC, POSITIVE, HERMITIAN = A + A.T, B @ B.T + numpy.eye(4), C + C.conj().T
WEIGHTS = numpy.arange(1.0, 17.0).reshape(4, 4)
MATRICES = {"wide": A[:3], "tall": C[:, :3], "stack": numpy.stack([A, B]), "real": A, "complex": C, "zero": 0 * A}
SQUARES = {"real": A, "complex": C, "rotation": ROTATION, "symmetric": SYMMETRIC, "huge": 1e200 * A, "zero": 0 * A}


def largest(x):
    return abs(x).max()


@pytest.mark.parametrize("name", MATRICES)
def test_lu(name):
    a = MATRICES[name]
    expected = scipy.linalg.lu(a)
    with precision(50):
        x = np.asarray(a)
        p, l, u = np.linalg.lu(x)
        assert largest(p @ l @ u - x) < 1e-47
        assert largest(np.linalg.lu(x, permute_l=True)[0] - p @ l) == 0
        numpy.testing.assert_array_equal(np.linalg.lu(x, p_indices=True)[0], scipy.linalg.lu(a, p_indices=True)[0])
    for found, known in zip((p, l, u), expected, strict=True):
        numpy.testing.assert_allclose(to_host(found), known, atol=1e-14)


@pytest.mark.parametrize("sort", ["none", "lhp", "callable"])
@pytest.mark.parametrize("output", ["real", "complex"])
@pytest.mark.parametrize("name", SQUARES)
def test_schur(name, output, sort):
    a = SQUARES[name]
    is_real = output == "real" and a.dtype.kind == "f"
    far = (lambda x, y: abs(complex(x, y)) > 1.5) if is_real else (lambda x: abs(x) > 1.5)
    sort = {"none": None, "lhp": "lhp", "callable": far}[sort]
    with precision(50):
        x = np.asarray(a)
        t, z, *count = np.linalg.schur(x, output, sort=sort)
        adjoint = np.conj(z).T
        assert largest(z @ t @ adjoint - x) <= 1e-47 * largest(x)
        assert largest(adjoint @ z - numpy.eye(len(a))) < 1e-47
    expected = scipy.linalg.schur(a, output, sort=sort)
    for found, known in zip((t, z), expected, strict=False):
        found, known = (
            (to_host(found), known) if is_real else (abs(to_host(found)), abs(known))
        )  # rounding turns phases
        numpy.testing.assert_allclose(found, known, atol=1e-12 * max(1, largest(known)))
    assert (*count,) == expected[2:]


TALL = RANDOM.standard_normal((6, 8)) + 1j * RANDOM.standard_normal((6, 8))
PAIRS = {
    "real": (A, B),
    "complex": (C, B),
    "pairs of values": (ROTATION, numpy.diag([1.0, 2.0, 3.0])),
    "infinite values": (A, B * [1.0, 0.0, 1.0, 1.0]),
    "equal values": (2.0 * POSITIVE, POSITIVE),
    "huge": (1e200 * A, B),
}


@pytest.mark.parametrize("output", ["real", "complex"])
@pytest.mark.parametrize("name", PAIRS)
def test_qz(name, output):
    a, b = PAIRS[name]
    expected = scipy.linalg.qz(a, b, output)
    with precision(50):
        x, y = np.asarray(a), np.asarray(b)
        s, t, q, z = np.linalg.qz(x, y, output)
        assert largest(q @ s @ np.conj(z).T - x) <= 1e-47 * largest(x)
        assert largest(q @ t @ np.conj(z).T - y) <= 1e-47 * largest(y)
        for unitary in (q, z):
            assert largest(np.conj(unitary).T @ unitary - numpy.eye(len(a))) < 1e-47
        assert largest(np.tril(s, -1 if output == "complex" else -2)) == largest(np.tril(t, -1)) == 0
    for found, known in zip((s, t, q, z), expected, strict=True):
        if name != "equal values":
            numpy.testing.assert_allclose(to_host(found), known, atol=1e-12 * max(1, largest(known)))


@pytest.mark.parametrize(
    "sort", ["lhp", "iuc", lambda alpha, beta: abs(alpha) > 1.5 * abs(beta)], ids=["lhp", "iuc", "callable"]
)
@pytest.mark.parametrize("name", ["real", "complex", "infinite values"])
def test_ordqz(name, sort):
    a, b = PAIRS[name]
    with precision(50):
        found = np.linalg.ordqz(np.asarray(a), np.asarray(b), sort)
    for x, known in zip(found, scipy.linalg.ordqz(a, b, sort), strict=True):
        numpy.testing.assert_allclose(to_host(x), known, atol=1e-12)


def test_qz_of_a_pair_that_is_always_singular_is_refused():
    with precision(30), pytest.raises(DeviceError, match="every combination is singular"):
        np.linalg.qz(np.asarray(A * [0.0, 1.0, 1.0, 1.0]), np.asarray(B * [0.0, 1.0, 1.0, 1.0]))


UPDATES = {
    "rows inserted": ("qr_insert", TALL[:2, 3:6], -1),
    "a row inserted": ("qr_insert", TALL[0, 3:6], 0),
    "columns inserted": ("qr_insert", TALL[:, 3:5], 1, "col"),
    "a row deleted": ("qr_delete", 1),
    "columns deleted": ("qr_delete", 1, 2, "col"),
    "rank one": ("qr_update", TALL[:, 3], TALL[0, 5:]),
    "rank two": ("qr_update", TALL[:, 3:5], TALL[:3, 6:]),
}


@pytest.mark.parametrize("mode", ["full", "economic"])
@pytest.mark.parametrize("name", UPDATES)
def test_updated_qr(name, mode):
    """The columns of a full basis, too, are SciPy's."""
    function, *arguments = UPDATES[name]
    given = scipy.linalg.qr(TALL[:, :3], mode=mode)
    expected = getattr(scipy.linalg, function)(*given, *arguments)
    with precision(50):
        exact = [np.asarray(x) if isinstance(x, numpy.ndarray) else x for x in (*given, *arguments)]
        q, r = getattr(np.linalg, function)(*exact)
        assert largest(np.conj(q).T @ q - numpy.eye(q.shape[1])) < 1e-47
        assert largest(np.tril(r, -1)) == 0
    for found, known in zip((q, r), expected, strict=True):
        numpy.testing.assert_allclose(to_host(found), known, atol=1e-13)


def test_schur_of_a_defective_matrix():
    with precision(50):
        a = np.asarray(DEFECTIVE)
        t, z = np.linalg.schur(a)
        assert largest(z @ t @ z.T - a) < 1e-47
        assert largest(np.tril(t, -2)) == 0


def squares(x):
    return np.sum(np.abs(x) ** 2 * WEIGHTS[: x.shape[-2], : x.shape[-1]])


def plain(x):
    return np.sum(np.real(x) * WEIGHTS)


LOSSES = {
    "lu": (lambda a: squares(np.linalg.lu(a)[1]) + squares(np.linalg.lu(a)[2]), C),
    "lu, tall": (lambda a: squares(np.linalg.lu(a)[1]), A[:, :3]),
    "lu without interchanges": (lambda a: plain(np.linalg.lu(a, pivot=False)[2]), A),
    "lu_solve": (lambda a, b: plain(np.linalg.lu_solve(np.linalg.lu_factor(a), b, trans=2)), C, B),
    "schur, real": (lambda a: plain(np.linalg.schur(a)[0]) + plain(np.linalg.schur(a)[1]), A),
    "schur, complex": (lambda a: squares(np.linalg.schur(a)[0]) + squares(np.linalg.schur(a)[1]), C),
    "schur of a stack": (lambda a: plain(np.linalg.schur(a)[0][1]), numpy.stack([A, B])),
    "eig of a pair": (lambda a, b: sum(map(squares, np.linalg.eig(a, b, left=True)[1:])), C, B),
    "eigvals of a pair": (lambda a, b: np.sum(np.real(np.linalg.eigvals(a, b)) * WEIGHTS[0]), A, B),
    "left vectors": (lambda a: squares(np.linalg.eig(a, left=True)[1]), C),
    "eigh of a pair": (lambda a, b: squares(np.linalg.eigh(a, b)[1]), HERMITIAN, POSITIVE),
    "eigh of a product": (lambda a, b: squares(np.linalg.eigh(a, b, type=3)[1]), SYMMETRIC, POSITIVE),
    "qz, real": (lambda a, b: sum(map(plain, np.linalg.qz(a, b))), A, B),
    "qz, complex": (lambda a, b: sum(map(squares, np.linalg.qz(a, b))), C, B),
    "qz of a stack": (lambda a: plain(np.linalg.qz(a, B)[0][1]), numpy.stack([A, SYMMETRIC])),
    "ordqz": (lambda a, b: plain(np.divide(*np.linalg.ordqz(a, b, "iuc")[2:4]) * 1j), A, B),
    "qr_insert": (lambda a, u: sum(map(squares, np.linalg.qr_insert(*np.linalg.qr(a), u, 1))), C[:3], C[3]),
    "qr_insert, column": (lambda a, u: plain(np.linalg.qr_insert(*np.linalg.qr(a), u, -1, "col")[1]), B[:, :3], A[0]),
    "qr_delete": (lambda a: squares(np.linalg.qr_delete(*np.linalg.qr(a), 1, 2, "col")[0]), C),
    "qr_update": (lambda a, u: sum(map(squares, np.linalg.qr_update(*np.linalg.qr(a), u, C[1]))), C, C[0]),
    "sylvester": (lambda a, b: plain(np.linalg.solve_sylvester(A, a, b)), B, A),
}


@pytest.mark.parametrize("name", LOSSES)
def test_derivatives(name):
    """Of some with a constant of doubles beside what is differentiated, which takes part with all digits."""
    loss, *args = LOSSES[name]
    random = numpy.random.default_rng(5)
    tangents = [random.standard_normal(a.shape) + (1j if a.dtype.kind == "c" else 0) for a in args]
    everywhere = tuple(range(len(args)))
    with precision(80):
        h = np.asarray(mpmath.mpf(10) ** -25)
        ends = [loss(*[np.asarray(a) + s * h * da for a, da in zip(args, tangents, strict=True)]) for s in (1, -1)]
        expected = (ends[0] - ends[1]) / (2 * h)
    with precision(40):
        gradients = grad(loss, everywhere)(*args)
        pulled = sum(np.sum(np.real(np.conj(g) * da)) for g, da in zip(gradients, tangents, strict=True))
        assert abs(pulled - expected) < 1e-34 * max(1, abs(expected))
        assert abs(jvp(loss, tuple(args), tuple(tangents))[1] - expected) < 1e-34 * max(1, abs(expected))
    for g, exact in zip(grad(loss, everywhere)(*args), gradients, strict=True):
        numpy.testing.assert_allclose(g, to_host(exact), rtol=1e-10, atol=1e-10)


def test_pairs_stand_as_those_of_doubles():
    expected = scipy.linalg.eig(C, B, left=True, right=True)
    with precision(50):
        a, b = np.asarray(C), np.asarray(B)
        w, left, right = np.linalg.eig(a, b, left=True)
        assert largest(a @ right - b @ right * w) < 1e-46
        assert largest(np.conj(left).T @ a - w[:, None] * (np.conj(left).T @ b)) < 1e-46
    for found, known in zip((w, left, right), expected, strict=True):
        numpy.testing.assert_allclose(to_host(found), known, atol=1e-12)


def test_a_singular_second_matrix_is_refused():
    with precision(30), pytest.raises(DeviceError, match="second matrix is singular"):
        np.linalg.eig(np.asarray(A), np.asarray(numpy.diag([1.0, 1.0, 1.0, 0.0])))
