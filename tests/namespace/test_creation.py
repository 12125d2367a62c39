"""Making arrays: NumPy's outside a trace, writable inside one, on the device asked for."""

from __future__ import annotations

import numpy
import pytest

import wirtinger as np
from strict_array import STRICT, StrictArray
from wirtinger import DeviceError, TraceError, grad, gradcheck, jvp
from wirtinger.complex_autograd.engine.traced import Traced

MAKERS = {
    "zeros": lambda: np.zeros((2, 2)),
    "ones": lambda: np.ones((2, 2)),
    "empty": lambda: np.empty((2, 2)),
    "full": lambda: np.full((2, 2), 3.0),
    "eye": lambda: np.eye(2),
    "identity": lambda: np.identity(2),
    "arange": lambda: np.arange(4.0).reshape(2, 2),
    "array": lambda: np.array([[1.0, 2.0], [3.0, 4.0]]),
    "array of an array": lambda: np.array(numpy.ones((2, 2))),
    "asarray of a list": lambda: np.asarray([[1.0, 2.0], [3.0, 4.0]]),
    "zeros_like": lambda: np.zeros_like(np.ones((2, 2))),
    "copy": lambda: np.copy(np.ones((2, 2))),
    "computed": lambda: np.ones((2, 2)) * 2.0 + np.eye(2),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_is_plain_outside_a_trace(make):
    assert type(make()) is numpy.ndarray


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_is_writable_inside_a_trace(make):
    def loss(x):
        a = make()
        a[0, 1] = x
        return np.sum(a * a)

    assert grad(loss)(3.0) == 6.0


def test_integers_stay_plain_inside_a_trace():
    def loss(x):
        index = np.zeros(2, dtype=int)
        index[0] = 1
        assert type(index) is numpy.ndarray
        return x[index].sum()

    numpy.testing.assert_array_equal(grad(loss)(numpy.array([1.0, 2.0])), [1.0, 1.0])


def test_nested_lists_of_traced_values():
    def loss(x):
        a = np.array([[x[0], 1.0], [x[1] * 2, x[0]]])
        assert a.shape == (2, 2)
        return np.sum(np.array(a) @ np.asarray([x[0], 1.0]))

    x0, x1 = 2.0, 5.0  # x0^2 + 1 + 2 x0 x1 + x0
    numpy.testing.assert_allclose(grad(loss)(numpy.array([x0, x1])), [2 * x0 + 2 * x1 + 1, 2 * x0])


def test_array_keywords():
    def loss(x):
        assert np.array(x, ndmin=3).shape == (1, 1, 2)
        assert np.array(x, dtype=numpy.complex64).dtype == numpy.complex64
        assert np.asarray(x) is x
        assert np.array(x) is not x
        return np.sum(np.array([x, x], dtype=complex).real)

    numpy.testing.assert_array_equal(grad(loss)(numpy.ones(2)), [2.0, 2.0])


def test_an_array_made_before_the_trace_raises():
    outside = np.zeros(2)

    def loss(x):
        outside[0] = x
        return np.sum(outside)

    for differentiate in (grad(loss), lambda x: jvp(loss, (x,), (1.0,))):
        with pytest.raises(TraceError, match=r"wirtinger\.zeros"):
            differentiate(1.0)
    numpy.testing.assert_array_equal(outside, 0)


def test_a_constant_shares_its_memory():
    def loss(x):
        constant = np.ones(2)
        assert isinstance(constant, Traced)
        plain = numpy.asarray(constant)
        plain[0] = 7.0
        assert float(constant[0]) == 7.0
        return x * 2.0

    assert grad(loss)(1.0) == 2.0


class TestDevices:
    @pytest.mark.parametrize("make", ["zeros", "ones", "empty", "eye", "identity", "arange"])
    def test_makes_on_the_device(self, make):
        assert type(getattr(np, make)(3, device="strict")) is StrictArray
        assert type(getattr(np, make)(3, device="cpu")) is numpy.ndarray

    def test_full_and_array(self):
        assert type(np.full(3, 2.0, device="strict")) is StrictArray
        assert type(np.array([1.0, 2.0], device="strict")) is StrictArray
        assert type(np.asarray([1.0, 2.0], device="cpu")) is numpy.ndarray

    def test_unknown_device(self):
        with pytest.raises(ValueError, match="tpu"):
            np.zeros(3, device="tpu")
        with pytest.raises(DeviceError, match=r"no device 'tpu'.*'cpu'"):
            np.to_device(numpy.ones(2), "tpu")

    def test_there_and_back_differentiates(self):
        def loss(x):
            y = np.to_device(x, "strict")
            return np.to_host(np.sum(y * y))

        numpy.testing.assert_array_equal(grad(loss)(numpy.array([1.0, 2.0])), [2.0, 4.0])
        g = grad(loss)(STRICT.namespace.asarray(numpy.array([1.0, 2.0])))
        assert type(g) is StrictArray
        numpy.testing.assert_array_equal(STRICT.to_host(g), [2.0, 4.0])

    def test_writing_on_the_device(self):
        x = STRICT.namespace.asarray(numpy.array([1.0, 2.0]))

        def loss(x):
            a = np.zeros((2, 2), device="strict")
            a[0] = x
            a[:, 1] *= x
            return np.sum(a * a)

        g = grad(loss)(x)
        numpy.testing.assert_allclose(STRICT.to_host(g), [2 * 1 + 2 * 1 * 4, 2 * 2 * 1])

    def test_mixing_raises(self):
        x = STRICT.namespace.asarray(numpy.array([1.0, 2.0]))
        with pytest.raises(TypeError, match="mixed"):
            grad(lambda x: np.sum(x * numpy.ones(2)))(x)


def test_concatenators():
    x = numpy.array([1.0, 2.0])
    numpy.testing.assert_array_equal(grad(lambda x: np.sum(np.r_[x, 0:2, x[0]] ** 2))(x), [4.0, 4.0])
    numpy.testing.assert_array_equal(grad(lambda x: np.sum(np.c_[x, [1.0, 2.0], x] ** 2))(x), [4.0, 8.0])
    numpy.testing.assert_array_equal(np.r_["0,2", [1, 2], [3, 4]], numpy.r_["0,2", [1, 2], [3, 4]])
    with pytest.raises(TypeError, match="directives"):
        grad(lambda x: np.sum(np.r_["0,2", x]))(x)


@pytest.mark.parametrize(
    "f",
    [
        lambda a, b: np.arange(a, 2.9, b),
        lambda a, b: np.arange(a, stop=a + 3.3 * b),
        lambda a, b: np.arange(start=a * b, stop=4, step=b**2),
        lambda a, b: np.arange(4.0, step=b) * a,
    ],
    ids=["by position", "by name", "all by name", "step"],
)
def test_arange_in_its_start_and_its_step(f):
    assert gradcheck(f, 0.3, 0.7)
    numpy.testing.assert_array_equal(jvp(f, (0.3, 0.7), (1.0, 1.0))[0], f(0.3, 0.7))


def test_arange_of_traced_numbers_can_be_written_into():
    def loss(a):
        x = np.arange(a, 3.0)
        x[1] = a**2
        return np.sum(x**2)

    numpy.testing.assert_allclose(grad(loss)(0.5), 2 * 0.5 + 4 * 0.5**3 + 2 * 2.5, rtol=1e-15)
    assert grad(lambda a: a * np.sum(np.arange(3 * np.ones(()))))(2.0) == 3.0
    with pytest.raises(TraceError):
        grad(lambda a: a * np.sum(np.arange(a, 3, dtype=int)))(0.5)


def test_functions_do_not_bind_as_numpys_do_not():
    class Holder:
        array, zeros = np.array, np.zeros

    assert Holder().array([1.0]).shape == (1,)
    assert Holder().zeros(2).shape == (2,)
    assert np.array(object=3) == 3
    assert isinstance(np.matmul, numpy.ufunc)


@pytest.mark.parametrize("dtype", [float, numpy.float32, complex, int])
def test_a_write_into_a_plain_array_raises_whatever_its_dtype(dtype):
    plain = numpy.zeros(2, dtype)

    def loss(x):
        plain[0] = x
        return x

    with pytest.raises(TraceError):
        grad(loss)(1.5)
    numpy.testing.assert_array_equal(plain, 0)
