"""A user's own operation: whatever its functions write into, no other derivative changes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

import wirtinger
from wirtinger import TraceError, custom_primitive, grad, jvp, vjp

X = np.array([0.3, -0.7, 1.1])


def test_a_function_that_writes_into_its_argument():
    @custom_primitive
    def doubled(a):
        a *= 2
        return a

    @doubled.differential
    def _(x, a, da):
        return 2 * da

    x = X.copy()
    with pytest.raises(TraceError, match=r"doubled writes into its argument 0.*a.copy\(\)"):
        grad(lambda x: np.sum(doubled(x) * x))(x)
    np.testing.assert_array_equal(x, X)


def test_rules_that_write_into_what_they_get():
    @custom_primitive
    def cube(a):
        return a**3

    @cube.differential
    def _(x, a, da):
        da *= 3 * a**2
        return da

    @cube.adjoint
    def _(g, x, a):
        g *= 3 * a**2
        return (g,)

    with pytest.raises(TraceError, match="the differential of cube writes into its argument 2"):
        jvp(cube, (X,), (X,))
    with pytest.raises(TraceError, match="the adjoint of cube writes into its argument 0"):
        grad(lambda x: np.sum(cube(x)))(X)


def test_functions_that_return_the_same_buffer():
    values, cotangents = np.empty(3), np.empty(3)

    @custom_primitive
    def exp(a):
        return np.exp(a, out=values)

    @exp.differential
    def _(x, a, da):
        return x * da

    @exp.adjoint
    def _(g, x, a):
        return (np.multiply(g, x, out=cotangents),)

    def loss(x):
        return np.sum(exp(x) * exp(2 * x) * exp(exp(x)))

    expected = grad(lambda x: np.sum(np.exp(3 * x + np.exp(x))))(X)
    np.testing.assert_allclose(grad(loss)(X), expected, rtol=1e-13)
    y, pull = vjp(exp, X)
    y[:] = 0
    np.testing.assert_allclose(pull(np.ones(3))[0], np.exp(X), rtol=1e-14)


def test_what_functions_make_by_the_namespace_is_plain_outside():
    def filled(values):
        made = wirtinger.zeros(values.shape)
        made[...] = values
        return made

    square = custom_primitive(lambda a: filled(a**2))
    square.differential(lambda x, a, da: filled(2 * a) * da)
    product = custom_primitive(lambda a, b: filled(a * b))
    product.adjoint(lambda g, x, a, b: (g * filled(b), g * filled(a)))
    for gradient in (
        grad(lambda x: np.sum(np.sin(x)) * np.sum(square(x)))(X),
        grad(lambda x: np.sum(np.sin(x)) * np.sum(product(x, X)))(X),
        *jvp(square, (X,), (X,)),
        *vjp(product, X, X)[1](X),
    ):
        assert type(gradient) is np.ndarray


def test_compiled_code_that_refuses_read_only_arrays():
    calls = []

    @custom_primitive
    def expit(a):
        calls.append(1)
        if not a.flags.writeable:
            raise ValueError("buffer source array is read-only")
        return scipy.special.expit(a)

    @expit.differential
    def _(x, a, da):
        return x * (1 - x) * da

    x = scipy.special.expit(X)
    np.testing.assert_allclose(grad(lambda a: np.sum(expit(a)))(X), x * (1 - x), rtol=1e-14)
    assert len(calls) == 2
