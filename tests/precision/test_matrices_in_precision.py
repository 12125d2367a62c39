"""Functions and spectra of matrices with many digits: exact identities, and derivatives against differences."""

from __future__ import annotations

import mpmath
import numpy
import pytest

import wirtinger as np
from wirtinger import grad, jvp, precision, to_host

RANDOM = numpy.random.default_rng(7)
Q3 = numpy.linalg.qr(RANDOM.standard_normal((3, 3)))[0]
REAL = RANDOM.standard_normal((3, 3))
COMPLEX = REAL + 1j * RANDOM.standard_normal((3, 3))
MATRICES = {
    "real": REAL,
    "complex": COMPLEX,
    "positive": REAL @ REAL.T + numpy.eye(3),
    "defective": Q3 @ numpy.array([[2.0, 1.0, 0.0], [0.0, 2.0, 1.0], [0.0, 0.0, 2.0]]) @ Q3.T,
    "exactly defective": numpy.array([[2.0, 1.0], [0.0, 2.0]]),
    "far from normal": numpy.array([[1.0, 1e8], [0.0, 2.0]]),
    "on the cut": numpy.array([[-2.0, 1.0], [0.0, 3.0]]),
    "stack": RANDOM.standard_normal((2, 2, 2)) + 2 * numpy.eye(2),
    "one": numpy.array([[2.0]]),
}


def largest(x):
    return numpy.max(abs(x)).item()


@pytest.mark.parametrize("name", MATRICES)
def test_identities_of_functions(name):
    with precision(50):
        a = np.asarray(MATRICES[name])
        size, one = largest(a), np.eye(a.shape[-1])
        root, logarithm, exponential = np.linalg.sqrtm(a), np.linalg.logm(a), np.linalg.expm(a / size)
        assert largest(root @ root - a) < 1e-45 * size
        assert largest(np.linalg.expm(logarithm) - a) < 1e-45 * size
        assert largest(exponential @ np.linalg.expm(-a / size) - one) < 1e-45
        assert largest(np.linalg.fractional_matrix_power(a, 0.5) - root) < 1e-44 * largest(root) * size
        sign = np.linalg.signm(a)
        assert largest(sign @ sign - one) < 1e-44 * largest(sign) ** 2
        assert largest(sign @ a - a @ sign) < 1e-44 * size * largest(sign)
        cosine, sine = np.linalg.cosm(a / size), np.linalg.sinm(a / size)
        assert largest(cosine @ cosine + sine @ sine - one) < 1e-45
    if name == "far from normal":
        return  # of which SciPy warns
    for found, call in ((root, np.linalg.sqrtm), (logarithm, np.linalg.logm), (sign, np.linalg.signm)):
        expected = call(MATRICES[name])
        assert found.dtype == expected.dtype
        numpy.testing.assert_allclose(to_host(found), expected, rtol=1e-7, atol=1e-7 * largest(expected))


def test_what_has_no_value():
    with precision(30):
        with pytest.raises(np.linalg.LinAlgError, match="no square root"):
            np.linalg.sqrtm(np.array([[0.0, 1.0], [0.0, 0.0]]))
        with pytest.raises(np.linalg.LinAlgError, match="no logarithm"):
            np.linalg.logm(np.zeros((2, 2)))
        with pytest.raises(np.linalg.LinAlgError, match="square"):
            np.linalg.eig(np.ones((2, 3)))
        assert np.isnan(np.linalg.expm(np.full((2, 2), numpy.nan))).all()
        assert np.linalg.cond(np.zeros((2, 2))) == mpmath.inf
        assert np.linalg.expm(np.zeros((0, 2, 2))).shape == (0, 2, 2)


@pytest.mark.parametrize("name", ["real", "complex", "defective", "exactly defective", "stack"])
@pytest.mark.parametrize("function", ["expm", "sqrtm", "logm"])
def test_derivatives_of_functions(function, name):
    """Along a complex direction, in both modes, and of the gradient: central differences with 100 digits."""
    call, a = getattr(np.linalg, function), MATRICES[name]
    random = numpy.random.default_rng(3)
    if a.dtype.kind != "c":
        a = a + 3 * numpy.eye(a.shape[-1])  # off the branch cut
    da = random.standard_normal(a.shape) + (1j * random.standard_normal(a.shape) if a.dtype.kind == "c" else 0)
    g = random.standard_normal(a.shape)

    def loss(a):
        return np.sum(np.real(call(a)) * g)

    with precision(100):
        a, da, h = np.asarray(a), np.asarray(da), np.asarray(mpmath.mpf(10) ** -30)
        expected = (loss(a + h * da) - loss(a - h * da)) / (2 * h)
    with precision(50):
        assert abs(jvp(loss, (a,), (da,))[1] - expected) < 1e-42 * max(1, abs(expected))
        assert abs(np.sum(np.real(np.conj(grad(loss)(a)) * da)) - expected) < 1e-42 * max(1, abs(expected))
    if name in ("complex", "exactly defective"):
        with precision(60):
            second = jvp(grad(loss), (a,), (da,))[1]
            h = np.asarray(mpmath.mpf(10) ** -18)
            change = (grad(loss)(a + h * da) - grad(loss)(a - h * da)) / (2 * h)
            assert largest(second - change) < 1e-32 * max(1, largest(change))


def test_derivative_of_a_logarithm_on_its_cut():
    """There it is that of the branch taken: the triangle keeps the eigenvalue on the cut."""
    a = np.array([[-2.0, 1.0], [0.0, 3.0]])
    with precision(40):
        exact = to_host(grad(lambda a: np.imag(np.linalg.logm(a))[0, 1])(a))
    numpy.testing.assert_allclose(grad(lambda a: np.imag(np.linalg.logm(a))[0, 1])(a), exact, atol=1e-13)


@pytest.mark.parametrize("name", ["real", "complex", "positive", "stack", "one"])
def test_eigenpairs(name):
    with precision(50):
        a = np.asarray(MATRICES[name])
        w, v = np.linalg.eig(a)
        assert largest(a @ v - v * w[..., None, :]) < 1e-45 * largest(a)
        assert largest(np.linalg.norm(v, axis=-2) - 1) < 1e-45
        assert largest(np.linalg.eigvals(a) - w) == 0
        one, e = np.eye(a.shape[-1]), to_host(a)
        # dw = diag(inv(v) da v), and the gradient of the sum of squares is that of tr(a a)
        squares = grad(lambda a: np.real(np.sum(np.linalg.eigvals(a) ** 2)))(a)
        assert largest(squares - 2 * np.conj(np.matrix_transpose(a))) < 1e-44 * largest(a)
        turned = jvp(lambda a: np.linalg.eig(a)[1] * one, (a,), (a,))[1]  # along a itself the vectors stay
        assert largest(turned) < 1e-43
    expected = numpy.linalg.eig(e)  # the same order, phases and kinds
    numpy.testing.assert_allclose(to_host(w), expected[0], atol=1e-13)
    numpy.testing.assert_allclose(to_host(v), expected[1], atol=1e-13)
    assert (w.dtype, v.dtype) == (expected[0].dtype, expected[1].dtype)


def test_a_defective_matrix_has_no_derivative_of_its_eigenvalues():
    a = np.array([[2.0, 1.0], [0.0, 2.0]])
    with precision(30), pytest.raises(np.NotDifferentiableError, match="defective"):
        grad(lambda a: np.real(np.linalg.eigvals(a))[0])(a)


def test_pseudo_inverses_and_least_squares():
    with precision(50):
        a = np.asarray(RANDOM.standard_normal((4, 3)))
        b = np.asarray(RANDOM.standard_normal(4))
        low = a * numpy.array([1.0, 1.0, 0.0]) + a[:, :1] * numpy.array([0.0, 0.0, 1.0])
        for m, rank in ((a, 3), (low, 2), (a[:2], 2), (1j * low, 2)):
            x = np.linalg.pinv(m)
            assert max(largest(m @ x @ m - m), largest(x @ m @ x - x)) < 1e-45
            assert max(largest(y - np.conj(y.T)) for y in (m @ x, x @ m)) < 1e-45
            assert np.linalg.matrix_rank(m) == rank
        x, squares, rank, s = np.linalg.lstsq(a, b)
        assert largest(a.T @ (a @ x - b)) < 1e-45
        assert largest(squares - np.sum((a @ x - b) ** 2)) < 1e-45
        assert (rank, s.shape) == (3, (3,))
        assert np.linalg.lstsq(low, b)[1].shape == (0,)
        # sum x^2 has the gradient 2 H(a+) x in b
        found = grad(lambda b: np.sum(np.linalg.lstsq(a, b)[0] ** 2))(b)
        assert largest(found - 2 * np.linalg.pinv(a).T @ x) < 1e-44
        condition = np.linalg.cond(a)
        assert abs(condition - s[0] / s[2]) < 1e-44
        scaled = jvp(np.linalg.cond, (a,), (a,))[1]  # it does not depend on the size of a
        assert abs(scaled) < 1e-44
        near = np.diag(np.array([1.0, 1e-30]))  # singular in doubles, not here
        assert np.linalg.matrix_rank(near) == 2
        assert largest(np.linalg.pinv(near) @ near - np.eye(2)) < 1e-45
        assert largest(jvp(np.linalg.cond, (near,), (np.diag(np.array([1.0, 0.0])),))[1] * 1e-30 - 1) < 1e-15


def test_powers_and_equations():
    with precision(50):
        a, b = np.asarray(REAL), np.asarray(COMPLEX)
        assert largest(np.linalg.matrix_power(a, -2) @ a @ a - np.eye(3)) < 1e-44
        assert largest(np.linalg.matrix_power(a, 5) - a @ a @ a @ a @ a) < 1e-44
        with pytest.raises(TypeError, match="exponent must be an integer"):
            np.linalg.matrix_power(a, 1.5)
        assert largest(np.linalg.multi_dot([a, b, a[0]]) - a @ (b @ a[0])) < 1e-47
        out = np.zeros((3, 3), dtype=complex)
        assert np.linalg.multi_dot([a, b, a], out=out) is out
        assert largest(out - a @ b @ a) < 1e-47
        x = np.linalg.solve_sylvester(a, b, a)
        assert largest(a @ x + x @ b - a) < 1e-45
        x = np.linalg.solve_continuous_lyapunov(a, a + a.T)
        assert x.dtype == float
        assert largest(a @ x + x @ a.T - a - a.T) < 1e-45
