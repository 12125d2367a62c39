"""The transforms of `compat.autograd`: autograd's signatures and its convention of the complex gradient."""

from __future__ import annotations

import warnings

import numpy
import pytest

import wirtinger.compat.autograd.numpy as np
from wirtinger import grad as our_grad
from wirtinger.compat import autograd as ag
from wirtinger.compat.autograd import core, tracer
from wirtinger.compat.autograd.misc import flatten
from wirtinger.compat.autograd.misc.optimizers import adam, rmsprop, sgd, unflatten_optimizer
from wirtinger.compat.autograd.test_util import check_grads, check_vjp

Z = np.array([1 + 2j, -0.5 + 0.3j])
X = np.array([0.3, -0.2, 0.5])


def test_the_gradient_of_a_real_function_is_the_conjugate_of_ours() -> None:
    def loss(z):
        return np.sum(np.abs(z) ** 4 + np.real(z**3))

    numpy.testing.assert_allclose(ag.grad(loss)(Z), np.conj(our_grad(loss)(Z)), rtol=1e-14)
    numpy.testing.assert_allclose(ag.grad(loss)(Z), 4 * np.abs(Z) ** 2 * np.conj(Z) + 3 * Z**2, rtol=1e-12)


def test_a_descent_along_a_nested_gradient_is_in_the_same_convention() -> None:
    # d/dz of sum |grad L|^2, L = Re sum z^3: grad L = 3 z^2 in this convention, so that is 9 |z|^4 and 36 |z|^2 conj(z)
    def size(z):
        return np.sum(np.abs(ag.grad(lambda z: np.sum(np.real(z**3)))(z)) ** 2)

    numpy.testing.assert_allclose(ag.grad(size)(Z), 36 * np.abs(Z) ** 2 * np.conj(Z), rtol=1e-12)
    check_grads(lambda z: ag.grad(lambda z: np.sum(np.abs(z) ** 4))(z))(Z)


def test_a_second_derivative_of_a_holomorphic_function() -> None:
    second = ag.holomorphic_grad(ag.holomorphic_grad(lambda z: z**3 * (1 + 1j)))
    numpy.testing.assert_allclose(second(1 + 2j), 6 * (1 + 2j) * (1 + 1j), rtol=1e-13)


def test_the_cotangents_of_make_vjp_are_paired_without_a_conjugate() -> None:
    vjp, value = ag.make_vjp(lambda z: z**2)(Z)
    g = np.array([0.5 - 1j, 2j])
    numpy.testing.assert_allclose(value, Z**2)
    numpy.testing.assert_allclose(vjp(g), 2 * Z * g, rtol=1e-14)
    check_vjp(lambda z: np.conj(z) * np.real(z), Z)


def test_tangents_are_the_same_in_both_conventions() -> None:
    value, tangent = ag.make_jvp(lambda z: np.conj(z) * z)(Z)(np.array([1j, 1.0]))
    numpy.testing.assert_allclose(value, np.abs(Z) ** 2)
    numpy.testing.assert_allclose(tangent, np.conj(Z) * [1j, 1] + Z * np.conj([1j, 1]), atol=1e-14)
    reverse = ag.make_jvp_reversemode(lambda z: np.conj(z) * z)(Z)(np.array([1j, 1.0]))
    numpy.testing.assert_allclose(reverse, tangent, atol=1e-14)


def test_rows_of_a_jacobian_at_complex_arguments_are_gradients() -> None:
    rows = ag.jacobian(lambda z: np.abs(z) ** 2)(Z)
    numpy.testing.assert_allclose(rows, np.diag(2 * np.conj(Z)), atol=1e-14)
    with pytest.raises(TypeError, match="real results"):
        ag.jacobian(lambda z: z**2)(Z)


def test_jacobian_hessian_and_products() -> None:
    a = np.array([[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]])

    def f(x):
        return np.tanh(a @ x)

    def loss(x):
        return np.sum(f(x) ** 3)

    jacobian, hessian = ag.jacobian(f)(X), ag.hessian(loss)(X)
    factor = 1 - f(X) ** 2
    numpy.testing.assert_allclose(jacobian, factor[:, None] * a, rtol=1e-13)
    numpy.testing.assert_allclose(hessian, hessian.T, rtol=1e-12)
    v, w = np.array([1.0, 2.0, -1.0]), np.array([0.5, -2.0])
    numpy.testing.assert_allclose(ag.hessian_vector_product(loss)(X, v), hessian @ v, rtol=1e-12)
    numpy.testing.assert_allclose(ag.make_hvp(loss)(X)[0](v), hessian @ v, rtol=1e-12)
    numpy.testing.assert_allclose(ag.vector_jacobian_product(f)(X, w), w @ jacobian, rtol=1e-13)
    numpy.testing.assert_allclose(ag.make_ggnvp(f)(X)(v), jacobian.T @ jacobian @ v, rtol=1e-12)
    numpy.testing.assert_allclose(ag.elementwise_grad(np.tanh)(X), 1 - np.tanh(X) ** 2, rtol=1e-13)
    numpy.testing.assert_allclose(ag.deriv(np.exp)(0.5), np.exp(0.5), rtol=1e-15)


def test_several_arguments_trees_and_keywords() -> None:
    def f(a, tree, c=1.0):
        return np.sum(a * tree["w"][0]) * tree["b"] * c

    ga, gt = ag.grad(f, (0, 1))(X, {"w": [2 * X], "b": 3.0}, c=2.0)
    numpy.testing.assert_allclose(ga, 12 * X)
    numpy.testing.assert_allclose(gt["w"][0], 6 * X)
    numpy.testing.assert_allclose(gt["b"], 4 * np.sum(X**2))
    assert ag.grad_named(lambda x, y: x * y**2, "y")(2.0, 3.0) == 12
    found = ag.multigrad_dict(lambda a, *rest, k=2.0, **others: a * rest[0] * k * others["s"])(2.0, 3.0, s=5.0)
    assert {name: found[name] for name in ("a", "k")} == {"a": 30, "k": 30}
    assert (found["rest"], found["others"]) == ((20,), {"s": 12})
    value, gradient = ag.value_and_grad(lambda x: x**2)(3.0)
    assert (value, gradient) == (9, 6)
    gradient, aux = ag.grad_and_aux(lambda x: (x**2, {"twice": 2 * x}))(3.0)
    assert (gradient, aux["twice"]) == (6, 6)
    assert ag.checkpoint(np.sin)(1.0) == np.sin(1.0)


def test_names_are_those_of_autograd() -> None:
    def foo(x):
        return x

    assert ag.grad(foo, 1).__name__ == "grad_of_foo_wrt_argnum_1"
    assert "grad of function foo with respect to argument number 1" in ag.grad(foo, 1).__doc__


def test_integers() -> None:
    numpy.testing.assert_array_equal(ag.grad(lambda x: np.sum(x**2))(np.arange(3)), [0.0, 2.0, 4.0])
    with pytest.raises(TypeError, match=r"pass 3\.0"):
        ag.grad(lambda x: x**2)(3)
    with pytest.raises(TypeError, match=r"argnum is 1\.5"):
        ag.grad(lambda x: x, 1.5)


def test_what_is_not_one_real_number_raises() -> None:
    for f, x in ((np.sin, X), (lambda z: z**2, 1j), (lambda x: [x, x], 1.0), (lambda x: x > 0, 1.0)):
        with pytest.raises(TypeError, match="one real number"), warnings.catch_warnings(action="ignore"):
            ag.grad(f)(x)
    with pytest.raises(TypeError, match="real results"):
        ag.elementwise_grad(lambda z: z**2)(Z)
    with pytest.warns(UserWarning, match="not complex"):
        ag.holomorphic_grad(lambda x: x**2)(2.0)


def test_a_result_that_does_not_depend_on_the_argument_warns() -> None:
    with pytest.warns(UserWarning, match="independent of input"):
        assert ag.grad(lambda x: 1.0)(2.0) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert ag.grad(ag.grad(lambda x: x))(2.0) == 0


def test_plain_arrays_stay_plain_and_values_are_taken_out() -> None:
    from wirtinger.compat.autograd.numpy.numpy_boxes import ArrayBox
    from wirtinger.compat.autograd.tracer import getval, isbox

    def f(x):
        assert type(np.array([1.0])) is numpy.ndarray
        assert isbox(x)
        assert isinstance(x, ArrayBox)
        assert not isbox(getval(x))
        assert ag.isinstance(x, float)
        assert ag.type(x) is numpy.float64
        return x * getval(x)

    assert ag.grad(f)(3.0) == 3
    assert np.where([True, False], x=1.0, y=2.0).tolist() == [1, 2]


def test_flatten_keeps_trees_and_their_derivatives() -> None:
    tree = {"b": [1.0, np.ones((2, 2))], "a": (np.array([1j]),), "c": ()}
    vector, unflatten = flatten(tree)
    assert vector.tolist() == [1j, 1, 1, 1, 1, 1]
    again = unflatten(2 * vector)
    assert list(again) == list(tree)
    assert (again["a"][0].dtype, again["b"][1].dtype) == (np.dtype(complex), np.dtype(float))
    assert ag.grad(lambda x: np.sum(flatten([x, {"k": x**2}])[0]))(3.0) == 7
    with pytest.raises(ValueError, match="has 6 numbers"):
        unflatten(vector[1:])
    assert flatten(())[0].shape == (0,)


@pytest.mark.parametrize("optimizer", [adam, rmsprop, sgd])
def test_an_optimizer_of_trees(optimizer) -> None:
    seen = []
    target = {"a": 1.0, "b": [np.array([2.0, 3.0])]}

    def gradient(tree, i):
        seen.append(i)
        return {"a": 2 * (tree["a"] - 1), "b": [2 * (tree["b"][0] - [2, 3])]}

    start = {"a": 0.0, "b": [np.zeros(2)]}
    found = optimizer(gradient, start, callback=lambda tree, i, g: None, num_iters=1500, step_size=0.02)
    assert seen == list(range(1500))
    numpy.testing.assert_allclose(found["b"][0], target["b"][0], atol=0.05)


def test_an_optimizer_of_ones_own_takes_trees() -> None:
    @unflatten_optimizer
    def descend(grad, x, callback=None, num_iters=20, step_size=0.5):
        for i in range(num_iters):
            g = grad(x, i)
            if callback:
                callback(x, i, g)
            x = x - step_size * g
        return x

    seen = []
    start = {"a": X, "b": [1.0, np.eye(2)]}
    gradient = ag.grad(lambda p: np.sum((p["a"] - 1) ** 2) + (p["b"][0] - 2) ** 2 + np.sum(p["b"][1] ** 2))
    found = descend(lambda p, i: gradient(p), start, lambda p, i, g: seen.append((i, g["b"][0])), num_iters=3)
    numpy.testing.assert_allclose(found["a"], np.ones(3))
    numpy.testing.assert_allclose(found["b"][1], np.zeros((2, 2)))
    assert seen == [(0, -2.0), (1, 0.0), (2, 0.0)]


def test_the_core_has_the_names_of_traced_values_too() -> None:
    def f(x):
        assert core.isbox(x)
        assert isinstance(x, core.Box)
        return np.sum(x * core.getval(x))

    numpy.testing.assert_array_equal(ag.grad(f)(X), X)


def test_check_grads_finds_a_wrong_derivative() -> None:
    from wirtinger.compat.autograd.extend import defvjp, primitive

    wrong = primitive(lambda x: 2 * x)
    defvjp(wrong, lambda ans, x: lambda g: 2.001 * g)
    with pytest.raises(AssertionError, match=r"\(VJP\) check of <lambda> failed"):
        check_grads(wrong, modes=["rev"], order=1)(1.0)
    with pytest.raises(AssertionError, match="Value mismatch"):
        check_grads(wrong, modes=["fwd"], order=1)(1.0)


def test_what_packages_ask_of_the_module_of_operators() -> None:
    operators = ag.differential_operators

    @operators.unary_to_nary
    def value_and_gradient(f, x):
        pull, value = operators._make_vjp(f, x)
        return value, pull(operators.vspace(value).ones())

    value, gradient = value_and_gradient(lambda x, y: np.sum(x**y))(np.array([2.0, 3.0]), 2.0)
    assert value == 13.0
    assert gradient.tolist() == [4.0, 6.0]


def test_boxes_and_backward_passes_by_autograds_inner_names():
    """As pymoo does: one trace, a pass for each objective, and boxes of cotangents."""
    x = np.arange(6.0).reshape(3, 2) / 3
    start = tracer.new_box(x, 0, core.VJPNode.new_root())
    end = np.stack([np.sum(start**2, axis=1), np.sum(np.sin(start) * start, axis=1)], axis=1)
    found = []
    for j in range(2):
        g = np.zeros((3, 2))
        g[:, j] = 1
        found.append(core.backward_pass(tracer.new_box(g, 0, core.VJPNode.new_root()), end._node))
        numpy.testing.assert_array_equal(core.backward_pass(g, end._node), found[-1]._value)
    jacobian = np.stack(found, axis=1)._value
    numpy.testing.assert_allclose(jacobian, np.stack([2 * x, np.cos(x) * x + np.sin(x)], axis=1))
    assert np.array([np.sum(start)]).shape == (1,)  # outside of any function
    z = tracer.new_box(np.array([1 + 2j]), 0, core.VJPNode.new_root())
    numpy.testing.assert_array_equal(core.backward_pass(np.ones(1), (np.abs(z) ** 2)._node), [2 - 4j])
    with pytest.raises(TypeError, match="make_vjp"):
        core.backward_pass(np.ones((3, 2)), found[0]._node)
    with pytest.raises(TypeError, match="make_vjp"):
        ag.grad(lambda x: core.backward_pass(1.0, x._node))(1.0)
