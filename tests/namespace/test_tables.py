"""Columns of tables, as those of pandas, and arrays of other libraries: NumPy's functions take them, and so do ours."""

from __future__ import annotations

import numpy
import pytest
import scipy.special

import wirtinger as np
from wirtinger import grad, gradcheck, hessian, jvp, linalg, special, vjp


class Column:
    """What a column of pandas is to other packages: indexed by labels, and wrapped by ufuncs."""

    __pandas_priority__ = 3000

    def __init__(self, values):
        self.values = numpy.asarray(values)

    dtype = property(lambda self: self.values.dtype)
    shape = property(lambda self: self.values.shape)
    ndim = property(lambda self: self.values.ndim)

    def __array__(self, dtype=None, copy=None):
        return numpy.array(self.values, dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keywords):
        if any(getattr(x, "__array_priority__", 0) > 100 for x in inputs):
            return NotImplemented
        plain = [x.values if isinstance(x, Column) else x for x in inputs]
        w = getattr(ufunc, method)(*plain, **keywords)
        return tuple(map(Column, w)) if isinstance(w, tuple) else Column(w)

    def __getitem__(self, label):
        raise KeyError(label)

    def _operator(self, other, ufunc, swapped=False):
        if getattr(other, "__pandas_priority__", 0) > self.__pandas_priority__:
            return NotImplemented
        values = numpy.asarray(other)
        return Column(ufunc(values, self.values) if swapped else ufunc(self.values, values))

    def __sub__(self, other):
        return self._operator(other, numpy.subtract)

    def __rsub__(self, other):
        return self._operator(other, numpy.subtract, swapped=True)

    def __mul__(self, other):
        return self._operator(other, numpy.multiply)

    __rmul__ = __mul__


class Tensor:
    """What an array of another library is: a device, and no protocol of NumPy's but for conversion."""

    __array_priority__ = 1000
    dtype = "float64 of theirs"

    def __init__(self, values, device=1):
        self.values, self.device = numpy.asarray(values), device
        self.shape, self.ndim, self.size = self.values.shape, self.values.ndim, self.values.size

    def __dlpack__(self, **keywords):
        raise NotImplementedError

    def __dlpack_device__(self):
        return self.device, 0

    def __array__(self, dtype=None, copy=None):
        assert self.device == 1, "copied in silence"
        return numpy.array(self.values, dtype=dtype, copy=copy)


A = numpy.array([[2.0, 0.5], [0.1, 3.0]])
C = numpy.array([0.3, 1.7])
D = numpy.array([1.5, 2.5])
LOSSES = {
    "difference": lambda c, s: np.sum((c - s) ** 2),
    "difference from the right": lambda c, s: np.sum((s - c) ** 2),
    "product and method": lambda c, s: ((s * c) ** 2).sum(),
    "ufunc": lambda c, s: np.sum(np.hypot(c, s)),
    "special function": lambda c, s: np.sum(special.jv(s, c)),
    "better values": lambda c, s: np.sum(special.binom(s, c)),
    "dot": lambda c, s: np.dot(c, s) ** 2,
    "matmul": lambda c, s: (c @ s) ** 2,
    "where": lambda c, s: np.sum(np.where(numpy.asarray(s) > 2, c * c, 0)),
    "concatenate": lambda c, s: np.sum(np.concatenate([c, s]) ** 2),
    "einsum": lambda c, s: np.einsum("i,i", c, s) ** 2,
    "weights": lambda c, s: np.average(c * c, weights=s),
    "solve": lambda c, s: np.sum(linalg.solve(np.diag(c), s)),
    "both": lambda c, s: np.sum(np.sin(c) * special.logsumexp(s)),
}


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_a_column_beside_a_traced_array_is_its_array(loss):
    column = Column(D)
    numpy.testing.assert_array_equal(grad(lambda c: loss(c, column))(C), grad(lambda c: loss(c, D))(C))
    numpy.testing.assert_array_equal(hessian(lambda c: loss(c, column))(C), hessian(lambda c: loss(c, D))(C))


def test_a_differentiated_column_is_its_array():
    column = Column(D)
    for derivative in (grad(lambda s: np.sum(np.sin(s)))(column), *jvp(np.sin, (column,), (column,))):
        assert type(derivative) is numpy.ndarray
    numpy.testing.assert_array_equal(jvp(np.sin, (column,), (column,))[1], jvp(np.sin, (D,), (D,))[1])
    numpy.testing.assert_array_equal(vjp(np.sin, column)[1](column)[0], vjp(np.sin, D)[1](D)[0])
    assert gradcheck(np.sin, column)


NAMES = ("beta", "binom", "kl_div", "hyp0f1", "eval_legendre", "ber", "itj0y0", "log_ndtr")


@pytest.mark.parametrize("name", NAMES)
def test_special_functions_of_columns_are_columns(name):
    ours, theirs = getattr(special, name), getattr(scipy.special, name)
    for args in [(Column(D),) * ours.nin, (Column(D), *[1.5] * (ours.nin - 1))]:
        found, expected = ours(*args), theirs(*args)
        for x, w in zip(*(y if isinstance(y, tuple) else (y,) for y in (found, expected)), strict=True):
            assert type(x) is Column
            numpy.testing.assert_allclose(x.values, w.values, rtol=1e-12)


def test_functions_that_are_no_ufuncs_take_columns():
    column = Column(D)
    numpy.testing.assert_array_equal(special.softmax(column), special.softmax(D))
    numpy.testing.assert_array_equal(linalg.toeplitz(column), linalg.toeplitz(D))
    numpy.testing.assert_array_equal(linalg.solve(A, column), linalg.solve(A, D))
    numpy.testing.assert_array_equal(linalg.expm(Column(A)), linalg.expm(A))


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_an_array_of_another_library_is_its_array_on_the_host(loss):
    numpy.testing.assert_array_equal(grad(lambda c: loss(c, Tensor(D)))(C), grad(lambda c: loss(c, D))(C))


@pytest.mark.parametrize("name", NAMES)
def test_special_functions_of_such_arrays(name):
    f = getattr(special, name)
    for args in [(D,) * f.nin, (D, *[1.5] * (f.nin - 1))]:
        tensors = [Tensor(x) if x is D else x for x in args]
        numpy.testing.assert_array_equal(f(*tensors), f(*args))


def test_arrays_on_devices_are_not_copied():
    there = Tensor(D, device=2)
    for call in (lambda c: c * there, lambda c: np.hypot(c, there)):
        with pytest.raises(np.DeviceError, match=r"no backend handles .*Tensor"):
            grad(lambda c, call=call: np.sum(call(c)))(C)
    for f in (linalg.schur, linalg.expm, special.logsumexp, special.ber):
        with pytest.raises(np.DeviceError, match=r"no backend handles .*Tensor"):
            f(Tensor(A, device=2))
