"""Values that are one to a double are told apart by more digits: derivatives against differences."""

from __future__ import annotations

import mpmath
import numpy
import pytest

import wirtinger as np
from wirtinger import GaugeError, grad, precision

RANDOM = numpy.random.default_rng(5)
LEFT, RIGHT, DIRECTION = RANDOM.standard_normal((3, 3, 3))
WEIGHTS = numpy.array([1.0, -0.5, 2.0])


def matrix(name, gap):
    """A matrix with the values 1, 1 + gap and 2."""
    values = np.asarray([mpmath.mpf(1), 1 + mpmath.mpf(gap), mpmath.mpf(2)])
    q = np.linalg.qr(np.asarray(LEFT))[0]
    if name == "eig":
        return (np.asarray(LEFT) * values) @ np.linalg.inv(np.asarray(LEFT))
    return (q * values) @ (q if name == "eigh" else np.linalg.qr(np.asarray(RIGHT))[0]).T


def loss(name, of_vectors):
    def call(a):
        if name == "svd":
            vectors, values, _ = np.linalg.svd(a)
        else:
            values, vectors = getattr(np.linalg, name)(a)
        return np.sum(np.abs(vectors[0]) ** 2 * WEIGHTS) if of_vectors else np.sum(np.abs(values) ** 2 * WEIGHTS)

    return call


@pytest.mark.parametrize("of_vectors", [False, True], ids=["values", "vectors"])
@pytest.mark.parametrize("gap", ["1e-17", "1e-25"])
@pytest.mark.parametrize("name", ["eigh", "svd", "eig"])
def test_a_gap_below_that_of_doubles(name, gap, of_vectors):
    f, da = loss(name, of_vectors), DIRECTION + DIRECTION.T
    with precision(90):
        a, da, h = matrix(name, gap), np.asarray(da), np.asarray(mpmath.mpf(10) ** -45)
        expected = (f(a + h * da) - f(a - h * da)) / (2 * h)
    with precision(60):
        assert abs(np.sum(grad(f)(a) * da) - expected) < 1e-25 * max(1, abs(expected))


def test_a_gap_below_that_of_the_digits():
    with precision(30):
        a = matrix("eigh", "1e-32")
        with pytest.raises(GaugeError):
            grad(loss("eigh", True))(a)
