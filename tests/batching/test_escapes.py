"""Mapped values that outlive the function that was mapped: an error wherever one is met, and never a zero."""

from __future__ import annotations

import threading
import types

import numpy
import pytest

import wirtinger as np
from wirtinger import TraceError, checkpoint, compile, grad, jacobian, jvp, linearize, value_and_grad, vjp, vmap

X = numpy.ones((4, 3))
ESCAPED = "used after the function that was mapped had returned"
KEPT = types.SimpleNamespace()


def keeping(x):
    KEPT.h = np.tanh(x)
    return np.sum(KEPT.h)


def written(X):
    a = np.zeros((4, 3))

    def write(x):
        a[0] = x
        return x

    vmap(write)(X * 2.0)
    return a


LOSSES = {
    "a sum besides": lambda X: np.sum(vmap(keeping)(X)) + 0.1 * np.sum(KEPT.h**2),
    "elementwise": lambda X: np.sum(vmap(keeping)(X)) + np.sin(KEPT.h),
    "product": lambda X: np.sum(vmap(keeping)(X)) + KEPT.h @ KEPT.h,
    "item": lambda X: np.sum(vmap(keeping)(X)) + KEPT.h[0],
    "method": lambda X: np.sum(vmap(keeping)(X)) + KEPT.h.reshape(3, 1).T.sum(),
    "mapped again": lambda X: np.sum(vmap(keeping)(X)) + np.sum(vmap(lambda x: x * 2)(KEPT.h)),
}
TRANSFORMS = {
    "none": lambda f: f(X),
    "grad": lambda f: grad(f)(X),
    "value_and_grad": lambda f: value_and_grad(f)(X),
    "jvp": lambda f: jvp(f, (X,), (X,)),
    "vjp": lambda f: vjp(f, X),
    "linearize": lambda f: linearize(f, X),
    "jacobian": lambda f: jacobian(f)(X),
    "compile": lambda f: compile(f)(X),
    "checkpoint": lambda f: grad(checkpoint(f))(X),
    "vmap": lambda f: vmap(f)(X[None]),
    "vmap of grad": lambda f: vmap(grad(f))(X[None]),
}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_use_of_what_was_kept(transform, loss):
    with pytest.raises(TraceError, match=ESCAPED):
        TRANSFORMS[transform](LOSSES[loss])


@pytest.mark.parametrize("transform", ["grad", "value_and_grad", "jvp", "vjp", "linearize", "jacobian", "vmap of grad"])
def test_result_that_was_kept(transform):
    def kept(X):
        vmap(lambda x: keeping(np.sum(x)))(X)
        return KEPT.h

    with pytest.raises(TraceError, match=ESCAPED):
        TRANSFORMS[transform](kept)


def test_besides_the_result():
    def pair(X):
        return np.sum(vmap(keeping)(X)), KEPT.h

    with pytest.raises(TraceError, match=ESCAPED):
        grad(pair, has_aux=True)(X)


@pytest.mark.parametrize("transform", ["grad", "jvp", "vmap of grad"])
def test_writes_into_an_array_around(transform):
    with pytest.raises(TraceError, match=ESCAPED):
        TRANSFORMS[transform](lambda X: np.sum(written(X)))


def test_inner_of_two_mapped_functions():
    def outer(x):
        return np.sum(vmap(keeping)(x)) + np.sum(KEPT.h)

    with pytest.raises(TraceError, match=ESCAPED):
        vmap(outer)(numpy.ones((2, 4, 3)))


def test_what_runs_again_for_its_derivative_has_not_escaped():
    def loss(X):
        return np.sum(vmap(lambda x: checkpoint(lambda y: np.sum(np.sin(y * x)))(x))(X))

    numpy.testing.assert_allclose(grad(loss)(X), grad(lambda X: np.sum(np.sin(X * X)))(X))


def test_threads_inside():
    def f(x):
        found = []
        thread = threading.Thread(target=lambda: found.append(np.sum(x * x)))
        thread.start()
        thread.join()
        return found[0]

    numpy.testing.assert_array_equal(vmap(f)(X), numpy.full(4, 3.0))
    numpy.testing.assert_array_equal(grad(lambda X: np.sum(vmap(f)(X)))(X), 2 * X)
