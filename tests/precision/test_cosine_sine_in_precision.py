"""The cosine-sine decomposition at 50 digits: identities, SciPy's order and signs, derivatives."""

from __future__ import annotations

import mpmath
import numpy
import pytest
import scipy.linalg

import wirtinger as np
from wirtinger import grad, jvp, precision, to_host

SIZES = [(5, 2, 3), (5, 3, 2), (5, 1, 1), (5, 4, 4), (5, 4, 1), (5, 1, 4), (6, 3, 3)]


def largest(x):
    return abs(x).max()


def unitary(a):
    return np.linalg.expm((a - np.conj(a).T) / 2)


def matrix(kind, m):
    """A unitary matrix; of those made of ones all angles are 0 or right."""
    random = numpy.random.default_rng(m)
    a = random.standard_normal((m, m)) + (1j * random.standard_normal((m, m)) if kind == "complex" else 0)
    return {"identity": np.asarray(numpy.eye(m)), "reversed": np.asarray(numpy.eye(m)[::-1])}.get(
        kind, unitary(np.asarray(a))
    )


@pytest.mark.parametrize("swap_sign", [False, True])
@pytest.mark.parametrize("kind", ["real", "complex", "identity", "reversed"])
@pytest.mark.parametrize(("m", "p", "q"), SIZES)
def test_cossin(m, p, q, kind, swap_sign):
    with precision(50):
        x = np.asarray(matrix(kind, m))
        u, middle, vh = np.linalg.cossin(x, p, q, swap_sign=swap_sign)
        assert largest(u @ middle @ vh - x) < 1e-47
        for factor in (u, vh):
            assert largest(np.conj(factor).T @ factor - numpy.eye(m)) < 1e-47
        assert largest(u[:p, p:]) == largest(vh[:q, q:]) == 0
        separate = np.linalg.cossin(x, p, q, separate=True, swap_sign=swap_sign)
        alone = np.linalg.cossin(x, p, q, swap_sign=swap_sign, compute_u=False, compute_vh=False)
    expected = scipy.linalg.cossin(to_host(x), p, q, separate=True, swap_sign=swap_sign)
    for found, known in zip(*((*u, theta, *vh) for u, theta, vh in (separate, expected)), strict=True):
        numpy.testing.assert_allclose(to_host(found), known, atol=1e-12)
    assert largest(alone[1] - middle) == 0
    assert alone[0].shape == alone[2].shape == (0, 0)


def test_a_matrix_of_doubles_is_taken_for_the_unitary_one_that_is_next_to_it():
    x = scipy.linalg.expm(numpy.array([[0.0, 2.0, 0.3], [-2.0, 0.0, 1.0], [-0.3, -1.0, 0.0]]))
    with precision(50):
        u, middle, vh = np.linalg.cossin(np.asarray(x), 1, 2)
        assert largest(u @ middle @ vh - np.linalg.polar(np.asarray(x))[0]) < 1e-47


@pytest.mark.parametrize("kind", [float, complex])
@pytest.mark.parametrize(("m", "p", "q"), [(5, 3, 2), (4, 1, 3)])
def test_derivatives(m, p, q, kind):
    random = numpy.random.default_rng(m)
    a, da = random.standard_normal((2, m, m)) + (1j * random.standard_normal((2, m, m)) if kind is complex else 0)

    def loss(a):
        u, middle, vh = np.linalg.cossin(unitary(a), p, q)
        return np.sum(np.abs(u) ** 2 * numpy.arange(m)) + np.sum(middle * numpy.arange(m)) + np.sum(np.abs(vh[0]) ** 4)

    with precision(80):
        h = np.asarray(mpmath.mpf(10) ** -25)
        ends = [loss(np.asarray(a) + s * h * da) for s in (1, -1)]
        expected = (ends[0] - ends[1]) / (2 * h)
    with precision(40):
        gradient = grad(loss)(a)
        assert abs(np.sum(np.real(np.conj(gradient) * da)) - expected) < 1e-34
        assert abs(jvp(loss, (a,), (da,))[1] - expected) < 1e-34
    numpy.testing.assert_allclose(grad(loss)(a), to_host(gradient), rtol=1e-10, atol=1e-10)
