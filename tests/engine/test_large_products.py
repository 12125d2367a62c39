"""Elements of derivatives have the same bits in long arrays, whose memory NumPy takes for results, as in short ones."""

from __future__ import annotations

import numpy
import pytest

import wirtinger as np
from wirtinger import compile, deterministic, grad, jvp

LONG = (1 << 18) // 8 + 100
"""Elements of complex64 beyond the bytes from which NumPy does so."""
SHORT = 1000
RNG = numpy.random.default_rng(0)
X, Y, W = RNG.standard_normal((3, 2, LONG))
X, Y, W = (a[0] + 1j * a[1] for a in (X, Y + 1, W))

FUNCTIONS = {
    "exp": lambda x, y: np.exp(x),
    "square": lambda x, y: x * x,
    "cos": lambda x, y: np.cos(3 * x),
    "tanh": lambda x, y: np.tanh(x),
    "sinc": lambda x, y: np.sinc(x),
    "product": lambda x, y: x * y,
    "quotient": lambda x, y: y / (x + 3),
    "power": lambda x, y: x**y,
    "exponent": lambda x, y: np.power(2.0, x),
    "modulus": lambda x, y: np.abs(x) * x,
}
CASES = [(name, dtype) for name in FUNCTIONS for dtype in ("complex64", "complex128")]


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_an_element_does_not_depend_on_the_length(name, dtype):
    x, y, w = (a.astype(dtype) for a in (X, Y, W))
    f = FUNCTIONS[name]

    def gradient(n):
        return grad(lambda x, y: np.real(np.sum(np.multiply(w[:n], f(x, y)))))(x[:n].copy(), y[:n].copy())

    def differential(n):
        return jvp(lambda x: f(x, y[:n]), (x[:n].copy(),), (w[:n].copy(),))[1]

    for derivative in (gradient, differential):
        with deterministic("schedule"):
            numpy.testing.assert_array_equal(derivative(LONG)[:SHORT], derivative(SHORT))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_gradients_have_the_bits_of_long_arrays(name):
    step = grad(lambda x, y: np.real(np.sum(np.multiply(W, FUNCTIONS[name](x, y)))))
    expected, compiled = step(X, Y), compile(step)
    for _ in range(2):
        numpy.testing.assert_array_equal(compiled(X, Y), expected)
