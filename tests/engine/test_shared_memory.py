"""Arrays made inside a differentiated function, written into by code that knows nothing of derivatives."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
import scipy.linalg.blas
import scipy.ndimage

import wirtinger
from wirtinger import AliasError, grad, hessian, jvp, value_and_grad

X = np.array([0.3, -0.7, 1.1])


def by_asarray(b):
    np.asarray(b)[:] = [1, 2, 3]


def by_ascontiguousarray(b):
    c = np.ascontiguousarray(b)
    c += [1, 2, 3]


def by_filter(b):
    scipy.ndimage.gaussian_filter1d([1.0, 2.0, 3.0], 1.0, output=b)


def by_nditer(b):
    with np.nditer(b, op_flags=["readwrite"]) as elements:
        for k, element in enumerate(elements):
            element[...] = k + 1


def by_as_strided(b):
    np.lib.stride_tricks.as_strided(b, (2,), (2 * b.itemsize,))[:] = [1, 3]


def by_data(b):
    np.frombuffer(b.data)[1:] = [2, 3]


def by_ctypes(b):
    pointer = b.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    for k in range(3):
        pointer[k] = k + 1.0


def by_blas(b):
    scipy.linalg.blas.daxpy(np.array([1.0, 2.0, 3.0]), b, a=2.0)


def by_ufunc(b):
    np.multiply([1.0, 2.0, 3.0], 2.0, out=np.asarray(b))


WRITES = [by_asarray, by_ascontiguousarray, by_filter, by_nditer, by_as_strided, by_data, by_ctypes, by_blas, by_ufunc]


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("part", ["whole", "view"])
def test_writes_of_foreign_code_arrive(write, part):
    plain = np.zeros((2, 3))
    write(plain[1])
    assert np.any(plain)

    def loss(x):
        b = wirtinger.zeros((2, 3)) if part == "view" else wirtinger.zeros(3)
        other = b[1] if part == "view" else b
        write(b[1] if part == "view" else b)
        return np.sum(b * x**2) + np.sum(other * x)

    expected = 2 * plain[1] * X + plain[1]
    value, gradient = value_and_grad(loss)(X)
    np.testing.assert_allclose(value, np.sum(plain[1] * (X**2 + X)), rtol=1e-14)
    np.testing.assert_allclose(gradient, expected, rtol=1e-14)
    np.testing.assert_allclose(jvp(loss, (X,), (X,))[1], expected @ X, rtol=1e-14)
    np.testing.assert_allclose(hessian(loss)(X), np.diag(2 * plain[1]), rtol=1e-14)


@pytest.mark.parametrize("size", [3, 5000])
def test_a_buffer_that_is_filled_again_and_again(size):
    def loss(x):
        b, total = wirtinger.zeros(size), 0.0
        for k in range(1, 4):
            np.asarray(b)[:] = k
            total = total + np.sum(b * x) ** 2
        return total

    x = np.linspace(0, 1, size)
    np.testing.assert_allclose(grad(loss)(x), 2 * 14 * np.sum(x), rtol=1e-14)


def test_the_plain_array_sees_later_writes():
    def loss(x):
        b = wirtinger.zeros(3)
        plain = np.asarray(b)
        b[0] = 4.0
        b += 1.0
        row = b[1:]
        row[:] = 7.0
        np.testing.assert_array_equal(plain, [5, 7, 7])
        plain[2] = 9.0
        return np.sum(b * x)

    np.testing.assert_array_equal(grad(loss)(X), [5, 7, 9])


def test_a_traced_value_cannot_be_shared():
    def shares(x):
        b = wirtinger.zeros(3)
        tail = np.asarray(b)[1:]
        b[2] = x[0]
        return np.sum(b) + tail[1]

    with pytest.raises(AliasError, match=r"numpy.array\(a\)"):
        grad(shares)(X)

    def no_longer_shares(x):
        b = wirtinger.zeros(3)
        np.asarray(b)[1:] = 5.0
        b[2] = x[0]
        return np.sum(b**2)

    np.testing.assert_allclose(grad(no_longer_shares)(X), [2 * X[0], 0, 0])


def test_the_constant_part_of_a_traced_array_is_read_only():
    def loss(x):
        b = wirtinger.zeros((2, 3))
        row = b[0]
        b[1] = x
        with pytest.raises(ValueError, match="read-only"):
            np.asarray(row)[0] = 1.0
        return np.sum(b)

    np.testing.assert_array_equal(grad(loss)(X), 1.0)


def test_einsum_returns_views_to_write_into():
    def loss(x):
        b = wirtinger.zeros((3, 3))
        np.einsum("ii->i", b)[...] = x
        np.einsum("ij->ji", b)[0, 1] = x[0] ** 2
        return np.sum(b * np.arange(9.0).reshape(3, 3))

    np.testing.assert_allclose(grad(loss)(X), [2 * X[0] * 3, 4, 8], rtol=1e-14)

    def traced(x):
        b = np.outer(x, x)
        np.einsum("kii->ki", b[None])[0, 1] = x[0]
        return np.sum(b**2)

    def directly(x):
        b = np.outer(x, x) * (1 - np.diag([0.0, 1, 0]))
        return np.sum(b**2) + x[0] ** 2

    np.testing.assert_allclose(hessian(traced)(X), hessian(directly)(X), rtol=1e-13)
