"""`x.view(complex)` and `z.view(float)` of traced arrays: pairs of real numbers as complex ones, and back."""

from __future__ import annotations

import numpy
import pytest

import wirtinger as np
from wirtinger import AliasError, TraceError, grad, gradcheck, hessian, jvp

X = numpy.random.default_rng(4).standard_normal((3, 4))
Z = X[:, :2] + 1j * X[:, 2:]


@pytest.mark.parametrize(
    ("f", "a"),
    [
        (lambda x: np.exp(x.view(complex)), X),
        (lambda x: np.exp((x * x).view("c16")[1:]), X),
        (lambda x: x.reshape(-1).view(numpy.complex128)[1] ** 2, X),
        (lambda z: np.exp(z.view(float)), Z),
        (lambda z: z.view(float).view(complex) ** 2, Z),
    ],
    ids=["pairs", "by name", "of a view", "parts", "there and back"],
)
def test_derivatives(f, a):
    assert gradcheck(f, a)
    numpy.testing.assert_array_equal(jvp(f, (a,), (a,))[0], f(a))


def test_single_precision_and_second_order():
    assert grad(lambda x: np.sum(np.abs(x.view(numpy.complex64)) ** 2))(X.astype("f4")).dtype == numpy.float32
    numpy.testing.assert_array_equal(
        hessian(lambda x: np.sum(np.abs(x.view(complex)) ** 2))(X[0]), 2 * numpy.identity(4)
    )


def test_a_view_can_be_read_and_is_stale_after_a_write():
    def written(x):
        shown = (x * 1.0).view(complex)
        shown[0] = 1.0
        return np.sum(np.real(shown))

    def stale(x):
        y = x * 1.0
        shown = y.view(complex)
        y[0, 0] = 3.0
        return np.sum(np.real(shown))

    with pytest.raises(ValueError, match="read-only"):
        grad(written)(X)
    with pytest.raises(AliasError):
        grad(stale)(X)


@pytest.mark.parametrize(
    "shown", [lambda x: x.T.view(complex), lambda x: x[0, :3].view(complex)], ids=["of a transpose", "of three"]
)
def test_what_numpy_refuses_is_refused(shown):
    for call in (shown, grad(lambda x: np.sum(np.real(shown(x))))):
        with pytest.raises(ValueError, match=r"To change to a dtype|When changing to a larger dtype"):
            call(X)


@pytest.mark.parametrize("dtype", ["f4", "i8", "c8"])
def test_other_bytes_are_refused(dtype):
    with pytest.raises(TraceError, match="memory"):
        grad(lambda x: np.sum(np.real(x.view(dtype))))(X)
