"""The reverse sweep carries conjugates through holomorphic operations: the same derivatives, in fewer operations."""

from __future__ import annotations

import numpy
import pytest

import wirtinger as np
from wirtinger import grad, gradcheck, hvp, jvp, vjp
from wirtinger.complex_autograd.engine import trace

Z = numpy.array([0.5 + 0.3j, 1.2 - 0.4j, -0.7 + 0.8j])
X = numpy.array([0.8, 1.1, 0.6])
MATRIX = numpy.array([[1.0, 2j, 0.5], [0.3, 1 + 1j, -1.0], [2.0, 0.1j, 1j]])

PROGRAMS = {
    "chain": lambda z: np.cos(np.exp(np.sin(np.tanh(np.square(np.sqrt(z)))))),
    "into a function that is not holomorphic": lambda z: np.exp(np.conj(np.sin(z)) * np.abs(np.cos(z))),
    "through sums and differences": lambda z: np.exp(-(np.sin(z) + z) - np.cos(z)),
    "through products with constants": lambda z: np.sin(2.0 * np.exp(z) * MATRIX[0] / (1 + 1j)),
    "both parts into one node": lambda z: (lambda w: np.exp(w) + np.abs(w) + np.conj(w) * np.real(w))(np.sin(z) * z),
    "powers and quotients": lambda z: (np.exp(z) ** 2 / np.sin(z)) ** z / z,
    "between linear operations": lambda z: MATRIX @ (np.exp(MATRIX @ np.sin(z)) * z)[::-1],
    "broadcast": lambda z: np.exp(np.sin(z)[:, None] * np.cos(z)) * z[0],
    "several outputs": lambda z: np.exp(sum(np.split(np.sin(np.tile(z, 2)), 2))),
    "of numbers": lambda z: np.exp(np.sin(z[0]) * z[1] * 1j) / z[2],
    "factorization": lambda z: np.linalg.solve(np.exp(MATRIX * np.sin(z)), np.cos(z)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes_and_second_derivatives(name):
    program = PROGRAMS[name]
    assert gradcheck(program, Z)
    assert gradcheck(lambda x: program(x * (1 + 0.5j)), X)

    def loss(z):
        return np.sum(np.abs(program(z)) ** 2 + np.real(program(z)))

    along = numpy.array([0.3 - 0.2j, 0.1j, 0.7])
    by_reverse = grad(lambda z: np.real(np.vdot(grad(loss)(z), along)))(Z)
    numpy.testing.assert_allclose(by_reverse, hvp(loss, (Z,), (along,)), rtol=1e-11)


@pytest.mark.parametrize("name", PROGRAMS)
def test_adjoint_of_the_differential(name):
    program = PROGRAMS[name]
    out, dout = jvp(program, (Z,), (Z[::-1],))
    g = (numpy.arange(numpy.size(out)) * (0.3 - 0.1j) + 1j).reshape(numpy.shape(out))
    (pulled,) = vjp(program, Z)[1](g)
    assert numpy.vdot(g, dout).real == pytest.approx(numpy.vdot(pulled, Z[::-1]).real, rel=1e-12)


def test_real_and_complex_arguments_in_one_product():
    def loss(x, z):
        return np.real(np.sum(np.exp(np.multiply(np.sin(x), np.exp(z)) * x)))

    assert gradcheck(loss, X, Z)
    assert grad(loss)(X, Z).dtype == float
    assert grad(loss)(X.astype("f4"), Z.astype("F")).dtype == numpy.float32


def test_a_pullback_can_be_called_again_and_after_an_error():
    out, pullback = vjp(lambda z: np.exp(np.sin(z)), Z)
    first = pullback(out)[0]
    numpy.testing.assert_array_equal(pullback(out)[0], first)
    with numpy.errstate(all="raise"), pytest.raises(FloatingPointError):
        pullback(out * 1e308)
    numpy.testing.assert_array_equal(pullback(out)[0], first)


def test_a_chain_takes_one_conjugate_at_either_end(monkeypatch):
    counted = []
    plain = trace._conjugate
    monkeypatch.setattr(trace, "_conjugate", lambda g: counted.append(g) or plain(g))
    grad(lambda z: np.real(np.sum(np.exp(-np.sin(np.exp(2j * np.cos(z)) * z)))))(Z)
    assert len(counted) == 2
