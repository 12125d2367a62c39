"""Arguments that are the same for all items, in programs that are compiled; and integers among mapped parameters."""

from __future__ import annotations

import numpy
import pytest

import wirtinger as np
from wirtinger import compile, grad, vmap

RNG = numpy.random.default_rng(9)
X = RNG.standard_normal((4, 3))
ROWS, TABLE = numpy.array([0, 2, 1, 0]), RNG.standard_normal((3, 2))


def filled(i, w):
    w[i] = w[i] * 2.0
    return w


OF_UNMAPPED = {
    "index": lambda i, w: w[i],
    "take": lambda i, w: np.take(w, i, axis=0) + i,
    "write": filled,
    "product": lambda i, w: w @ w.T * i,
    "gradient": lambda i, w: grad(lambda w: np.sum(w[i] ** 2))(w),
}


@pytest.mark.parametrize("name", OF_UNMAPPED)
def test_compiled_with_an_argument_that_is_the_same_for_all(name):
    f = vmap(OF_UNMAPPED[name], in_axes=(0, None))
    compiled = compile(f)
    for i, w in ((ROWS, TABLE), (ROWS[::-1].copy(), TABLE * 3)):
        before = w.copy()
        numpy.testing.assert_array_equal(compiled(i, w), f(i, w))
        numpy.testing.assert_array_equal(w, before)


def test_compiled_with_an_index_of_an_array_around():
    compiled = compile(grad(lambda w, i: np.sum(vmap(lambda i: w[i] ** 2)(i))))
    numpy.testing.assert_allclose(compiled(TABLE, ROWS), 2 * TABLE * numpy.array([[2], [1], [1]]))
    compiled = compile(lambda w, i: vmap(lambda i: w[i])(i))
    numpy.testing.assert_array_equal(compiled(TABLE, ROWS), TABLE[ROWS])


@pytest.mark.parametrize("numbers", [numpy.arange(4), numpy.arange(4) > 1, numpy.arange(4, dtype="u1")])
def test_integers_among_parameters_are_constants(numbers):
    found = vmap(grad(lambda p: p["w"] ** 2 * p["n"]))({"w": X[:, 0], "n": numbers})
    numpy.testing.assert_allclose(found["w"], 2 * X[:, 0] * numbers)
    assert found["n"] is None
