"""Functions applied to the elements or lines of traced arrays."""

from __future__ import annotations

import numpy as np

from wirtinger import grad
from wirtinger.complex_autograd.engine.traced import Traced
from wirtinger.complex_autograd.namespace.vectorization import ndenumerate, vectorize


def test_vectorize_is_numpys_outside_of_a_trace():
    f = vectorize(lambda s, t: s + t, otypes=[float], doc="The sum.", excluded=[1])
    assert isinstance(f, np.vectorize)
    assert f.__doc__ == "The sum."
    np.testing.assert_array_equal(f([1, 2], 3.0), [4.0, 5.0])
    np.testing.assert_array_equal(vectorize(np.sin, otypes=[float])([]), [])


def test_vectorize_of_a_closure_over_a_traced_value():
    def f(x):
        return np.sum(vectorize(lambda t, p=2: t**p * x)(np.arange(4.0)))

    assert grad(f)(3.0) == 14.0
    assert grad(grad(lambda x: f(x) * x))(3.0) == 28.0


def test_vectorize_with_excluded_and_keywords():
    f = vectorize(lambda coefficients, t: sum(c * t**k for k, c in enumerate(coefficients)), excluded=["coefficients"])
    gradient = grad(lambda c: np.sum(f(coefficients=list(c), t=np.array([1.0, 2.0]))))(np.ones(3))
    np.testing.assert_array_equal(gradient, [2.0, 3.0, 5.0])


def test_vectorize_as_decorator_with_several_outputs():
    @vectorize(otypes=[float, complex])
    def f(t):
        return t, 1j * t**2

    def loss(x):
        first, second = f(x)
        assert second.dtype == complex
        return np.sum(first) + np.sum(np.imag(second))

    np.testing.assert_array_equal(grad(loss)(np.array([1.0, 2.0])), [3.0, 5.0])


def test_ndenumerate_outside_of_a_trace():
    assert isinstance(ndenumerate(np.ones(2)), np.ndenumerate)
    assert [index for index, _ in ndenumerate(np.ones((1, 2)))] == [(0, 0), (0, 1)]


def test_user_function_of_pad_gets_numpys_arguments():
    seen = []

    def fill(vector, width, axis, options):
        assert isinstance(vector, (Traced, np.ndarray))
        seen.append((len(vector), tuple(int(n) for n in width), axis, dict(options)))

    np.pad(np.ones((2, 3)), ((1, 2), (3, 4)), fill, extra=5)
    expected, seen[:] = list(seen), []
    grad(lambda x: np.sum(np.pad(x, ((1, 2), (3, 4)), fill, extra=5)))(np.ones((2, 3)))
    assert seen == expected
